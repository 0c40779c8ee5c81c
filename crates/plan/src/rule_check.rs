//! A planned crop against the rules of its document.

use std::fmt;

use geometry::{Head, Point, Size};
use recipe::{Band, DocumentRules};

use super::PlannedCrop;

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

/// Which rule is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleKind {
    /// The head's height.
    Head,
    /// The eye line's height above the bottom edge.
    EyeLine,
    /// The room above the crown.
    Headroom,
    /// Size and shape of what is written.
    Size,
}

/// One rule of a document and how a crop meets it. Shown through `Display`, in plain words.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleCheck {
    /// The rule.
    pub rule: RuleKind,
    /// What was measured, as a share of the crop's height; `None` for the size.
    pub measured: Option<f32>,
    /// What is allowed, as shares of the crop's height; `None` for the size.
    pub band: Option<Band>,
    /// True where the rule is met, to a tenth of a percent of the height.
    pub met: bool,
    words: String,
}

/// Where lines may lie for the rules to be met, in shares of the crop's height from its top edge: what a preview draws.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct BandLines {
    /// The crown, for the head's height to be right with the chin where it is.
    pub crown_by_head: Option<Band>,
    /// The crown, for the room above it to be right.
    pub crown_by_headroom: Option<Band>,
    /// The eye line.
    pub eyes: Option<Band>,
}

impl RuleKind {
    /// The name used in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::EyeLine => "eye_line",
            Self::Headroom => "headroom",
            Self::Size => "size",
        }
    }
}

impl HeadInCrop {
    /// The eye line's height above the bottom edge.
    pub fn eye_line(&self) -> f32 {
        1.0 - self.eyes
    }
}

impl fmt::Display for RuleCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
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
        let mut check = |rule, name, measured: f32, band: Option<Band>| {
            checks.extend(band.map(|band| in_band(rule, name, measured, band, height_mm)));
        };
        check(RuleKind::Head, "head", lines.height, rules.head);
        check(RuleKind::EyeLine, "eye line", lines.eye_line(), rules.eye_line);
        check(RuleKind::Headroom, "headroom", lines.crown, rules.headroom);
    }
    checks.extend(size_check(crop.output, rules));
    checks
}

/// What speaks against a written file of `bytes` bytes by `rules`, in words; `is_jpeg` says what it is.
pub fn check_file(rules: &DocumentRules, bytes: usize, is_jpeg: bool) -> Vec<String> {
    let kilobytes = bytes as f64 / 1e3;
    let by = rules.name.as_ref().map(|name| format!(" for {name}")).unwrap_or_default();
    let size = |fault: String| format!("file of {} kB, {fault}{by}", tenths(kilobytes));
    let small = rules.min_kilobytes.filter(|least| kilobytes < f64::from(*least));
    let large = rules.max_kilobytes.filter(|most| kilobytes > f64::from(*most));
    let small = small.map(|least| size(format!("must be at least {least} kB")));
    let large = large.map(|most| size(format!("must be at most {most} kB")));
    let format = (rules.jpeg && !is_jpeg).then(|| format!("the file must be a JPEG{by}"));
    small.into_iter().chain(large).chain(format).collect()
}

/// Where the lines of a head that lies in its crop as `lines` say may lie by `rules`.
pub fn band_lines(lines: &HeadInCrop, rules: &DocumentRules) -> BandLines {
    // A tilted head's crown is less far above its chin than it is from it.
    let upright = if lines.height > 0.0 { (lines.chin - lines.crown) / lines.height } else { 1.0 };
    let from_below = |line: f32, band: Band, by: f32| {
        let (a, b) = (line - band.most * by, line - band.least * by);
        Band { least: a.min(b), most: a.max(b) }
    };
    BandLines {
        crown_by_head: rules.head.map(|band| from_below(lines.chin, band, upright)),
        crown_by_headroom: rules.headroom,
        eyes: rules.eye_line.map(|band| from_below(1.0, band, 1.0)),
    }
}

fn in_band(rule: RuleKind, name: &str, measured: f32, band: Band, height_mm: Option<f64>) -> RuleCheck {
    // Compared as it is written, so that words and verdict never contradict each other.
    let percent = |share: f32| tenths(f64::from(share) * 100.0);
    let (least, most, found) = (percent(band.least), percent(band.most), percent(measured));
    let met = (least..=most).contains(&found);
    let cut = if rule == RuleKind::Headroom && found < 0.0 { " (the crown is cut off)" } else { "" };
    let mut words = format!("{name} {found} %{cut}, allowed {least} to {most} %");
    if let Some(height) = height_mm {
        let mm = |share: f32| tenths(f64::from(share) * height);
        let (least, most, found) = (mm(band.least), mm(band.most), mm(measured));
        words.push_str(&format!(" ({found} mm, allowed {least} to {most} mm)"));
    }
    RuleCheck { rule, measured: Some(measured), band: Some(band), met, words }
}

/// Rounded to one decimal; never minus zero.
fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0 + 0.0
}

fn size_check(output: Size, rules: &DocumentRules) -> Option<RuleCheck> {
    let wanted = rules.pixels.map(|[width, height]| Size::new(width, height));
    let shape = rules.mm.or(rules.pixels.map(|sides| sides.map(f64::from)));
    let (least, most) = (rules.least_pixels, rules.most_pixels);
    if wanted.is_none() && shape.is_none() && least.is_none() && most.is_none() {
        return None;
    }
    let fault = if !has_shape(output, shape) {
        shape.map(|[width, height]| format!("must have the shape of {width} x {height}{}", unit(rules)))
    } else if least.is_some() || most.is_some() {
        let too_small = least.filter(|[width, height]| output.width < *width || output.height < *height);
        let too_large = most.filter(|[width, height]| output.width > *width || output.height > *height);
        let small = too_small.map(|[width, height]| format!("must be at least {width} x {height} pixels"));
        small.or(too_large.map(|[width, height]| format!("must be at most {width} x {height} pixels")))
    } else if rules.mm.is_some() {
        // What is printed may be finer than the preset.
        let too_small = wanted.filter(|wanted| output.width < wanted.width || output.height < wanted.height);
        too_small.map(|wanted| format!("must be at least {wanted} pixels"))
    } else {
        wanted.filter(|wanted| *wanted != output).map(|wanted| format!("must be {wanted} pixels"))
    };
    let words = match &fault {
        None => format!("size {output} pixels, as asked for"),
        Some(fault) => {
            let by = rules.name.as_ref().map(|name| format!(" for {name}")).unwrap_or_default();
            format!("size {output} pixels, {fault}{by}")
        }
    };
    Some(RuleCheck { rule: RuleKind::Size, measured: None, band: None, met: fault.is_none(), words })
}

fn unit(rules: &DocumentRules) -> &'static str {
    if rules.mm.is_some() { " mm" } else { " pixels" }
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
