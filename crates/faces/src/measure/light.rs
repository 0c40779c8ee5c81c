//! Lightness and exposure of a face.

use std::sync::LazyLock;

use super::patch::Patch;

/// Pixels of at most this lightness count as underexposed: sRGB 18 of 255, at which skin has no detail left.
const BLACK: f32 = 0.06;

/// Pixels of at least this lightness count as overexposed: sRGB 248 of 255.
const WHITE: f32 = 0.975;

pub(super) struct Light {
    /// Mean L* over 100.
    pub(super) lightness: f32,
    pub(super) underexposed: f32,
    pub(super) overexposed: f32,
}

pub(super) fn measure(patch: &Patch) -> Light {
    let (mut sum, mut black, mut white, mut count) = (0.0, 0, 0, 0_u32);
    for pixel in patch.rgb() {
        let lightness = lightness(pixel);
        sum += f64::from(lightness);
        black += u32::from(lightness <= BLACK);
        white += u32::from(lightness >= WHITE);
        count += 1;
    }
    let share = |part: u32| part as f32 / count.max(1) as f32;
    Light { lightness: (sum / f64::from(count.max(1))) as f32, underexposed: share(black), overexposed: share(white) }
}

/// CIE L* over 100 of an sRGB pixel (D65; IEC 61966-2-1 and CIE 15).
fn lightness([red, green, blue]: [u8; 3]) -> f32 {
    static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| {
        std::array::from_fn(|value| {
            let value = value as f32 / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        })
    });
    let linear = |value: u8| LINEAR[usize::from(value)];
    let luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    if luminance <= 216.0 / 24_389.0 { luminance * 9.033 } else { 1.16 * luminance.cbrt() - 0.16 }
}

#[cfg(test)]
mod tests {
    use super::lightness;

    #[test]
    fn grey_levels_have_their_cie_lightness() {
        for (grey, expected) in [(0, 0.0), (18, 0.0544), (119, 0.5003), (200, 0.8060), (255, 1.0)] {
            let found = lightness([grey; 3]);
            assert!((found - expected).abs() < 2e-3, "{grey}: {found}");
        }
    }
}
