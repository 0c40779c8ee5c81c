//! The skin colour of a face, as a reference for what hides an eye.
//!
//! Colours are logarithms of linear sRGB: luminance, red over green, green over blue. The groups and limits were set on
//! faces with drawn glasses, hair, hats and hands; see `docs/dev/measurements.md`.

use std::sync::LazyLock;

use geometry::Point;

use super::mesh::Mesh;
use crate::measure::patch::Patch;

/// Landmarks on bare skin: the forehead, the lower nose, the bridge of the nose, and both cheeks.
const GROUPS: [&[usize]; 4] = [&[151, 9, 108, 337], &[195, 5, 4], &[168, 6, 197], &[50, 280, 205, 425, 101, 330]];
const FOREHEAD: usize = 0;
/// Landmarks below each eye, the person's right one first.
const BELOW_EYES: [[usize; 3]; 2] = [[50, 205, 101], [280, 425, 330]];

/// Differences up to which two groups show the same skin in one light.
const SAME: [f32; 3] = [0.9, 0.3, 0.4];
/// Skin is at most this much darker than the lightest candidate.
const MAX_DARKER: f32 = 1.05;
/// Tolerances of the hue of skin.
pub(super) const SKIN_HUE: [f32; 2] = [0.45, 0.6];
/// Luminance of skin in a photo too dark to judge.
const MIN_LUMINANCE: f32 = 0.03;
/// Added to linear values before their logarithm, so that noise in the dark does not count.
pub(super) const FLOOR: f32 = 0.002;

/// Logarithms of luminance, red over green, green over blue.
pub(super) type Tone = [f32; 3];

/// The skin of a face.
pub(super) struct Skin {
    pub(super) tone: Tone,
    /// Luminance below each eye, the person's right one first.
    pub(super) below_eyes: [f32; 2],
    /// Groups of landmarks that show skin.
    pub(super) groups: usize,
    /// True if the forehead is one of them.
    pub(super) forehead: bool,
}

/// The skin of the face in `patch`; `None` if the places that should show it do not agree, or are too dark.
pub(super) fn measure(patch: &Patch, mesh: &Mesh) -> Option<Skin> {
    let tones = GROUPS.map(|group| median_tone(patch, mesh, group));
    let sets = linked(&tones);
    let mean = |set: &Vec<usize>| mean(&set.iter().map(|group| tones[*group]).collect::<Vec<_>>());
    let candidates: Vec<(Tone, &Vec<usize>)> =
        sets.iter().filter(|set| set.len() >= 2).map(|set| (mean(set), set)).collect();
    let lightest = candidates.iter().map(|(tone, _)| tone[0]).fold(f32::NEG_INFINITY, f32::max);
    let light = candidates.into_iter().filter(|(tone, _)| tone[0] > lightest - MAX_DARKER);
    let (tone, set) = light.max_by(|(a, _), (b, _)| a[1].total_cmp(&b[1]))?;
    if tone[0] < MIN_LUMINANCE.ln() {
        return None;
    }
    let below_eyes = BELOW_EYES.map(|landmarks| {
        let side = median_tone(patch, mesh, &landmarks);
        let is_skin = (side[1] - tone[1]).abs() < SKIN_HUE[0] && (side[2] - tone[2]).abs() < SKIN_HUE[1];
        if is_skin { (tone[0] + 0.4).min(side[0].max(tone[0] - 1.2)) } else { tone[0] }
    });
    Some(Skin { tone, below_eyes, groups: set.len(), forehead: set.contains(&FOREHEAD) })
}

/// The groups that show the same skin, directly or through another group.
fn linked(tones: &[Tone; GROUPS.len()]) -> Vec<Vec<usize>> {
    let is_same = |a: usize, b: usize| (0..3).all(|part| (tones[a][part] - tones[b][part]).abs() < SAME[part]);
    let mut sets: Vec<Vec<usize>> = Vec::new();
    for group in 0..tones.len() {
        let (near, mut apart): (Vec<_>, Vec<_>) =
            sets.into_iter().partition(|set| set.iter().any(|other| is_same(group, *other)));
        apart.push(near.into_iter().flatten().chain([group]).collect());
        sets = apart;
    }
    sets
}

/// The median of each part of the tones at `landmarks`.
fn median_tone(patch: &Patch, mesh: &Mesh, landmarks: &[usize]) -> Tone {
    let tones: Vec<Tone> = landmarks.iter().map(|landmark| tone_at(patch, mesh, *landmark)).collect();
    std::array::from_fn(|part| median(tones.iter().map(|tone| tone[part]).collect()))
}

/// The tone around a landmark: the median of 5 x 5 pixels of the mesh's input.
fn tone_at(patch: &Patch, mesh: &Mesh, landmark: usize) -> Tone {
    let (center, step) = (mesh.at(landmark), mesh.pixel());
    let map = patch.patch_from_image();
    let mut pixels = Vec::with_capacity(25);
    for index in 0..25_u8 {
        let (x, y) = (f32::from(index % 5) - 2.0, f32::from(index / 5) - 2.0);
        let at = map.apply(Point::new(center.x + x * step, center.y + y * step));
        let [red, green, blue, _] = patch.between(at.x, at.y);
        pixels.push([red, green, blue].map(linear));
    }
    let [red, green, blue] =
        std::array::from_fn(|channel| median(pixels.iter().map(|pixel| pixel[channel]).collect()) + FLOOR);
    tone([red, green, blue])
}

/// The tone of a linear colour.
pub(super) fn tone([red, green, blue]: [f32; 3]) -> Tone {
    let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    [luminance.ln(), (red / green).ln(), (green / blue).ln()]
}

/// Linear light, 0 to 1, of an sRGB value, 0 to 255.
pub(super) fn linear(value: f32) -> f32 {
    static TABLE: LazyLock<[f32; 256]> = LazyLock::new(|| {
        std::array::from_fn(|value| {
            let value = value as f32 / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        })
    });
    TABLE[(value.clamp(0.0, 255.0) + 0.5) as usize & 255]
}

fn mean(tones: &[Tone]) -> Tone {
    std::array::from_fn(|part| tones.iter().map(|tone| tone[part]).sum::<f32>() / tones.len().max(1) as f32)
}

/// The median; 0 without values.
pub(super) fn median(values: Vec<f32>) -> f32 {
    percentile(values, 0.5)
}

/// The value that `share` of the values are below, interpolated between neighbours; 0 without values.
pub(super) fn percentile(mut values: Vec<f32>, share: f32) -> f32 {
    let Some(last) = values.len().checked_sub(1) else { return 0.0 };
    let at = share.clamp(0.0, 1.0) * last as f32;
    let index = (at as usize).min(last);
    let (_, &mut below, rest) = values.select_nth_unstable_by(index, f32::total_cmp);
    let above = rest.iter().copied().min_by(f32::total_cmp).unwrap_or(below);
    below + (above - below) * (at - index as f32)
}
