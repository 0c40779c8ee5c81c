//! The colour chunks of a PNG: cICP takes precedence over iCCP, iCCP over sRGB, sRGB over gAMA and cHRM (PNG 3rd
//! edition, section 4.3).

use std::sync::Arc;

use png::{Info, SourceChromaticities};

use outcome::Channels;

use crate::color::{profile_from_cicp, profile_from_gamma};
use crate::formats::describes;

/// Primaries and transfer function of sRGB (ITU-T H.273).
const SRGB_CODE_POINTS: (u8, u8) = (1, 13);

/// The gamma of an image for sRGB screens: 1 / 2.2, in hundred thousandths.
const SRGB_GAMMA: u32 = 45_455;

/// White x and y, then red, green and blue likewise, of sRGB, in hundred thousandths.
const SRGB_CHROMATICITIES: [u32; 8] = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];

/// Tolerance for equal values.
const TOLERANCE: u32 = 100;

/// The profile of an image's samples; `None` for sRGB.
pub(super) fn profile(info: &Info<'_>, channels: Channels) -> Option<Arc<[u8]>> {
    let grey = channels.is_grey();
    if let Some(points) = info.coding_independent_code_points.filter(|_| !grey) {
        let (primaries, transfer) = (points.color_primaries, points.transfer_function);
        if (primaries, transfer) == SRGB_CODE_POINTS {
            return None;
        }
        // Unspecified or unknown code points: the other chunks apply.
        if let Some(profile) = profile_from_cicp(primaries, transfer, points.is_video_full_range_image) {
            return Some(profile.into());
        }
    }
    if let Some(profile) = info.icc_profile.as_deref().filter(|profile| describes(profile, channels)) {
        return Some(profile.into());
    }
    if info.srgb.is_some() {
        return None;
    }
    let gamma = info.gama_chunk?.into_scaled();
    let chromaticities = info.chrm_chunk.as_ref().map(scaled);
    let near = |a: u32, b: u32| a.abs_diff(b) <= TOLERANCE;
    let is_srgb = chromaticities
        .is_none_or(|points| points.iter().zip(SRGB_CHROMATICITIES).all(|(point, srgb)| near(*point, srgb)));
    if near(gamma, SRGB_GAMMA) && (is_srgb || grey) {
        return None;
    }
    let chromaticities = chromaticities.map(|points| points.map(|point| f64::from(point) / 1e5));
    profile_from_gamma(f64::from(gamma) / 1e5, chromaticities.filter(|_| !grey), grey).map(Into::into)
}

fn scaled(points: &SourceChromaticities) -> [u32; 8] {
    let SourceChromaticities { white, red, green, blue } = points;
    [white.0, white.1, red.0, red.1, green.0, green.1, blue.0, blue.1].map(png::ScaledFloat::into_scaled)
}
