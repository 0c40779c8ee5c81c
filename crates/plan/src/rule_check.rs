//! A planned crop against the rules of its document.

use geometry::{Head, Point, Size};
use recipe::{AllowedRange, DocumentRules};

use super::PlannedCrop;
use super::rule_found::{FileFault, InRange, RuleCheck, RuleFound, SizeFault};

/// Where the lines of a head lie in a crop, in shares of the crop's height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadInCrop {
    /// From the top edge down to the crown; below zero where the crown is above the crop.
    pub crown: f32,
    /// From the top edge down to the eye line, at the midline.
    pub eyes: f32,
    /// From the top edge down to the chin.
    pub chin: f32,
    /// From chin to crown along the midline: more than the lines are apart where the head is tilted.
    pub height: f32,
}

/// Where lines may lie for the rules to be met, in shares of the crop's height from its top edge: what a preview draws.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct RangeLines {
    /// The crown, for the head's height to be right with the chin where it is.
    pub crown_by_head: Option<AllowedRange>,
    /// The crown, for the room above it to be right.
    pub crown_by_headroom: Option<AllowedRange>,
    /// The eye line.
    pub eyes: Option<AllowedRange>,
}

impl HeadInCrop {
    /// The eye line's height above the bottom edge.
    pub fn eye_line(&self) -> f32 {
        1.0 - self.eyes
    }
}

/// Where the lines of `head`, which is in pixels of the picture, lie in `crop`; `None` where they lie nowhere.
pub fn head_in_crop(crop: &PlannedCrop, head: &Head) -> Option<HeadInCrop> {
    if !head.is_usable() || crop.output.height == 0 {
        return None;
    }
    let crop_from_picture = crop.picture_from_crop().inverse()?;
    let [crown, eyes, chin] = [head.crown(), head.eyes, head.chin()].map(|point| crop_from_picture.apply(point));
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

/// Every rule of `rules` that can be measured, and how `crop` with `head` in it meets it; the size comes last.
pub fn check_rules(crop: &PlannedCrop, head: &Head, rules: &DocumentRules) -> Vec<RuleCheck> {
    let mut checks = Vec::with_capacity(4);
    if let Some(lines) = head_in_crop(crop, head) {
        let height_mm = rules.mm.map(|[_, height]| height);
        let mut check = |rule: fn(InRange) -> RuleFound, measured: f32, band: Option<AllowedRange>| {
            let found = band.map(|band| InRange { measured, band, height_mm });
            checks.extend(found.map(|found| RuleCheck { met: found.is_met(), found: rule(found) }));
        };
        check(RuleFound::Head, lines.height, rules.head);
        check(RuleFound::EyeLine, lines.eye_line(), rules.eye_line);
        check(RuleFound::Headroom, lines.crown, rules.headroom);
    }
    checks.extend(size_check(crop.output, rules));
    checks
}

/// What speaks against a written file of `bytes` bytes by `rules`; `is_jpeg` says what it is.
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

/// Where the lines of a head that lies in its crop as `lines` say may lie by `rules`.
pub fn range_lines(lines: &HeadInCrop, rules: &DocumentRules) -> RangeLines {
    // A tilted head's crown is less far above its chin than it is from it.
    let upright = if lines.height > 0.0 { (lines.chin - lines.crown) / lines.height } else { 1.0 };
    let from_below = |line: f32, band: AllowedRange, by: f32| {
        let (a, b) = (line - band.max * by, line - band.min * by);
        AllowedRange { min: a.min(b), max: a.max(b) }
    };
    RangeLines {
        crown_by_head: rules.head.map(|band| from_below(lines.chin, band, upright)),
        crown_by_headroom: rules.headroom,
        eyes: rules.eye_line.map(|band| from_below(1.0, band, 1.0)),
    }
}

fn size_check(output: Size, rules: &DocumentRules) -> Option<RuleCheck> {
    let as_size = |[width, height]: [u32; 2]| Size::new(width, height);
    let wanted = rules.pixels.map(as_size);
    let shape = rules.mm.or(rules.pixels.map(|sides| sides.map(f64::from)));
    let (min, max) = (rules.min_pixels.map(as_size), rules.max_pixels.map(as_size));
    if wanted.is_none() && shape.is_none() && min.is_none() && max.is_none() {
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
        // What is printed may be finer than the preset.
        wanted.filter(too_small).map(SizeFault::AtLeast)
    } else {
        wanted.filter(|wanted| *wanted != output).map(SizeFault::Exactly)
    };
    let met = fault.is_none();
    Some(RuleCheck { met, found: RuleFound::Size { output, fault, document: rules.name.clone() } })
}

/// True where `output` has the shape of `sides`, as near as whole pixels allow.
fn has_shape(output: Size, sides: Option<[f64; 2]>) -> bool {
    let Some([across, down]) = sides else { return true };
    let (width, height) = (f64::from(output.width), f64::from(output.height));
    let near = |length: f64, wanted: f64| (length - wanted).abs() <= 1.0;
    near(width, height * across / down) || near(height, width * down / across)
}

#[cfg(test)]
mod tests;
