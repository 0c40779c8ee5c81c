//! Checks of a planned crop against the rules of its document.

use geometry::{Head, Point, Size};
use recipe::{AllowedRange, DocumentRules};

use super::PlannedCrop;
use super::rule_result::{FileFault, InRange, RuleCheck, RuleResult, SizeFault};

/// The lines of a head in a crop, as shares of the crop's height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadInCrop {
    /// From the top edge to the crown; negative if the crown is above the crop.
    pub crown: f32,
    /// From the top edge to the eye line, at the midline.
    pub eyes: f32,
    /// From the top edge to the chin.
    pub chin: f32,
    /// Distance from chin to crown along the midline: more than the vertical distance if the head is tilted.
    pub height: f32,
}

/// The allowed ranges of the head's lines, as shares of the crop's height from its top edge; drawn by the preview.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct RangeLines {
    /// The crown, by the allowed head height with the chin in its place.
    pub crown_by_head: Option<AllowedRange>,
    /// The crown, by the allowed headroom.
    pub crown_by_headroom: Option<AllowedRange>,
    /// The eye line.
    pub eyes: Option<AllowedRange>,
}

impl HeadInCrop {
    /// Height of the eye line above the bottom edge, as a share of the crop's height.
    pub fn eye_line(&self) -> f32 {
        1.0 - self.eyes
    }
}

/// The lines of `head`, which is in image pixels, in `crop`; `None` if they are undefined.
pub fn head_in_crop(crop: &PlannedCrop, head: &Head) -> Option<HeadInCrop> {
    if !head.is_usable() || crop.output.height == 0 {
        return None;
    }
    let crop_from_image = crop.image_from_crop().inverse()?;
    let [crown, eyes, chin] = [head.crown(), head.eyes, head.chin()].map(|point| crop_from_image.apply(point));
    let whole = crop.output.height as f32;
    let found = HeadInCrop {
        crown: crown.y / whole,
        eyes: eyes.y / whole,
        chin: chin.y / whole,
        height: crown.distance(chin) / whole,
    };
    let are_numbers = [crown, eyes, chin].into_iter().all(Point::is_finite) && found.height.is_finite();
    are_numbers.then_some(found)
}

/// Checks every measurable rule of `rules` for `crop` with `head` in it; the size comes last.
pub fn check_rules(crop: &PlannedCrop, head: &Head, rules: &DocumentRules) -> Vec<RuleCheck> {
    let mut checks = Vec::with_capacity(4);
    if let Some(lines) = head_in_crop(crop, head) {
        let height_mm = rules.mm.map(|[_, height]| height);
        let mut check = |rule: fn(InRange) -> RuleResult, measured: f32, range: Option<AllowedRange>| {
            let found = range.map(|range| InRange { measured, range, height_mm });
            checks.extend(found.map(|found| RuleCheck { met: found.is_met(), found: rule(found) }));
        };
        check(RuleResult::Head, lines.height, rules.head);
        check(RuleResult::EyeLine, lines.eye_line(), rules.eye_line);
        check(RuleResult::Headroom, lines.crown, rules.headroom);
    }
    checks.extend(size_check(crop.output, rules));
    checks
}

/// The violations of `rules` by a written file of `bytes` bytes; `is_jpeg` is its format.
pub fn check_file(rules: &DocumentRules, bytes: usize, is_jpeg: bool) -> Vec<FileFault> {
    let kilobytes = bytes as f64 / 1e3;
    let document = || rules.name.clone();
    let small = rules.min_kilobytes.filter(|min| kilobytes < f64::from(*min));
    let large = rules.max_kilobytes.filter(|max| kilobytes > f64::from(*max));
    let small = small.map(|min| FileFault::TooSmall { bytes, min, document: document() });
    let large = large.map(|max| FileFault::TooLarge { bytes, max, document: document() });
    let format = (rules.jpeg && !is_jpeg).then(|| FileFault::NotJpeg { document: document() });
    small.into_iter().chain(large).chain(format).collect()
}

/// The allowed ranges of the lines of a head whose lines are now at `lines`.
pub fn range_lines(lines: &HeadInCrop, rules: &DocumentRules) -> RangeLines {
    // The vertical distance between crown and chin of a tilted head is less than the distance along the midline.
    let upright = if lines.height > 0.0 { (lines.chin - lines.crown) / lines.height } else { 1.0 };
    let from_below = |line: f32, range: AllowedRange, by: f32| {
        let (a, b) = (line - range.max * by, line - range.min * by);
        AllowedRange { min: a.min(b), max: a.max(b) }
    };
    RangeLines {
        crown_by_head: rules.head.map(|range| from_below(lines.chin, range, upright)),
        crown_by_headroom: rules.headroom,
        eyes: rules.eye_line.map(|range| from_below(1.0, range, 1.0)),
    }
}

fn size_check(output: Size, rules: &DocumentRules) -> Option<RuleCheck> {
    let as_size = |[width, height]: [u32; 2]| Size::new(width, height);
    let required = rules.pixels.map(as_size);
    let shape = rules.mm.or(rules.pixels.map(|sides| sides.map(f64::from)));
    let (min, max) = (rules.min_pixels.map(as_size), rules.max_pixels.map(as_size));
    if required.is_none() && shape.is_none() && min.is_none() && max.is_none() {
        return None;
    }
    let too_small = |min: &Size| output.width < min.width || output.height < min.height;
    let too_large = |max: &Size| output.width > max.width || output.height > max.height;
    let fault = if !has_shape(output, shape) {
        shape.map(|[width, height]| SizeFault::Shape { width, height, in_mm: rules.mm.is_some() })
    } else if min.is_some() || max.is_some() {
        let small = min.filter(too_small).map(SizeFault::AtLeast);
        small.or(max.filter(too_large).map(SizeFault::AtMost))
    } else if rules.mm.is_some() {
        // A print may have a higher resolution than the preset.
        required.filter(too_small).map(SizeFault::AtLeast)
    } else {
        // Sizes of directories and services are recommended.
        required.filter(|required| rules.is_document() && *required != output).map(SizeFault::Exactly)
    };
    let met = fault.is_none();
    Some(RuleCheck { met, found: RuleResult::Size { output, fault, document: rules.name.clone() } })
}

/// True if `output` has the aspect ratio of `sides`, to the precision of whole pixels.
fn has_shape(output: Size, sides: Option<[f64; 2]>) -> bool {
    let Some([across, down]) = sides else { return true };
    let (width, height) = (f64::from(output.width), f64::from(output.height));
    let near = |length: f64, expected: f64| (length - expected).abs() <= 1.0;
    near(width, height * across / down) || near(height, width * down / across)
}

#[cfg(test)]
mod tests;
