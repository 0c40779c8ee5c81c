//! Replacement of the background: a person cut out by a soft mask, over a colour or over nothing.
//!
//! [`cut_out`] works on the resampled photo, before the adjustments: it adds an alpha channel, and replaces the colours
//! of half-covered pixels by those of the person alone. The later steps handle transparency anyway: adjustments change
//! the person only, padding is transparent or repeats the cut-out. [`over_background`] puts the colour behind it.
//!
//! The mask is coarser than the crop. Its edge is therefore refined with the colours of the crop (`matte.rs`), on a
//! grid of cells of several pixels (`cells.rs`), tile by tile so that its memory does not grow with the crop
//! (`cut.rs`). The colours of the person are estimated on the same grid (`colours.rs`). All of this works on encoded samples, not on
//! linear light: the refined mask is a linear function of the samples, and resampling, padding and outlines mix them
//! in the same way.

mod box_sum;
mod cells;
mod colours;
mod cut;
mod matte;

use std::sync::Arc;

use geometry::Transform;
use outcome::{Channels, PersonMask};
use picture::{Pixels, Samples, over_fill};
use recipe::Background;

use super::area::PhotoArea;
use super::edge;
use super::sample::{Sample, SampleOp, apply_to_samples};
use cut::CutOut;

/// Values of a mask that count as a person beyond the photo's edge: 0 up to the first one, 1 from the second.
const CLEARLY_PERSON: [f32; 2] = [0.5, 0.9];

/// Adds alpha to `pixels` that keeps the person of `mask`; colours become those of the person alone.
/// `image_from_pixels` maps pixels to the upright image.
pub(super) fn cut_out(pixels: Pixels, mask: &PersonMask, image_from_pixels: &Transform) -> Pixels {
    let mask_from_pixels = image_from_pixels.then(mask.mask_from_image());
    let (size, channels) = (pixels.size(), pixels.channels());
    let cut = CutOut { mask, mask_from_pixels, size, channels };
    let samples = match pixels.samples() {
        Samples::U8(samples) => Samples::U8(cut.samples(samples)),
        Samples::U16(samples) => Samples::U16(cut.samples(samples)),
    };
    // The number of samples matches the size, since they were derived from pixels of that size.
    let with_alpha = if channels.is_grey() { Channels::La } else { Channels::Rgba };
    Pixels::new(size, with_alpha, samples).unwrap_or(pixels)
}

/// Puts `background` behind `pixels` that were cut out; a colour makes them opaque.
pub(super) fn over_background(pixels: Pixels, background: Background, profile: &mut Option<Arc<[u8]>>) -> Pixels {
    match background {
        Background::Plain { color } => {
            let (pixels, _) = edge::convert_for_fill(pixels, profile, color);
            over_fill(pixels, color, profile.as_deref())
        }
        Background::Keep | Background::Transparent => pixels,
    }
}

/// Makes pixels outside `area` transparent unless `mask` clearly shows a person there: they repeat what is at the edge.
pub(super) fn clear_outside(pixels: &mut Pixels, area: &PhotoArea, mask: &PersonMask, image_from_pixels: &Transform) {
    let mask_from_pixels = image_from_pixels.then(mask.mask_from_image()).rows();
    let width = pixels.size().width as usize;
    apply_to_samples(pixels, ClearOutside { area, mask, mask_from_pixels, width });
    pixels.clear_hidden_colour();
}

struct ClearOutside<'a> {
    area: &'a PhotoArea,
    mask: &'a PersonMask,
    mask_from_pixels: [[f64; 3]; 2],
    width: usize,
}

impl SampleOp for ClearOutside<'_> {
    type Output = ();

    fn apply<T: Sample>(self, samples: &mut [T], channels: Channels) {
        let count = channels.count();
        let [across, down] = self.mask_from_pixels;
        for (y, row) in (0..).zip(samples.chunks_exact_mut(self.width * count)) {
            for (x, pixel) in (0..).zip(row.chunks_exact_mut(count)) {
                if self.area.distance(x, y) <= 0.0 {
                    continue;
                }
                let at = |[a, b, c]: [f64; 3]| (a * (f64::from(x) + 0.5) + b * (f64::from(y) + 0.5) + c) as f32;
                let [none, all] = CLEARLY_PERSON;
                let share = ((self.mask.at(at(across), at(down)) - none) / (all - none)).clamp(0.0, 1.0);
                if let Some(alpha) = pixel.last_mut() {
                    *alpha = T::from_share(alpha.to_share() * share);
                }
            }
        }
    }
}
