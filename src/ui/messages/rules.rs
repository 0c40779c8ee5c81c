//! The rules of a preset, and how a crop and its file meet them. The English texts are those of `plan`.

use plan::{FileFault, InRange, RuleCheck, RuleResult, SizeFault};
use recipe::{DocumentRules, PoseLimits};

use super::super::language::{decimal, fill, say, tr};
use super::parts::plain;
use super::presets::{background as preset_background, document_name};

/// A rule and its result.
pub(crate) fn rule(check: &RuleCheck) -> String {
    match &check.found {
        RuleResult::Head(found) => range_text(
            found,
            tr("head {found} %, allowed {min} to {max} %"),
            tr("head {found} %, allowed {min} to {max} % ({mm} mm, allowed {min_mm} to {max_mm} mm)"),
        ),
        RuleResult::EyeLine(found) => range_text(
            found,
            tr("eye line {found} %, allowed {min} to {max} %"),
            tr("eye line {found} %, allowed {min} to {max} % ({mm} mm, allowed {min_mm} to {max_mm} mm)"),
        ),
        RuleResult::Headroom(found) if found.percent()[0] < 0.0 => range_text(
            found,
            tr("headroom {found} % (the crown is cut off), allowed {min} to {max} %"),
            tr(
                "headroom {found} % (the crown is cut off), allowed {min} to {max} % ({mm} mm, allowed {min_mm} to {max_mm} mm)",
            ),
        ),
        RuleResult::Headroom(found) => range_text(
            found,
            tr("headroom {found} %, allowed {min} to {max} %"),
            tr("headroom {found} %, allowed {min} to {max} % ({mm} mm, allowed {min_mm} to {max_mm} mm)"),
        ),
        RuleResult::Size { output, fault: None, .. } => say!("size {size} pixels, as required", size = *output),
        RuleResult::Size { output, fault: Some(fault), document } => {
            let fault = size_fault(fault, &document_label(document.as_deref()));
            say!("size {size} pixels, {fault}", size = *output, fault = fault)
        }
    }
}

/// Why a written file does not meet the rules.
pub(crate) fn file_fault(fault: &FileFault) -> String {
    let kilobytes = |bytes: usize| plain((bytes as f64 / 100.0).round() / 10.0);
    match fault {
        FileFault::TooSmall { bytes, min, document } => say!(
            "file size {size} kB, must be at least {min} kB for {document}",
            size = kilobytes(*bytes),
            min = *min,
            document = document_label(document.as_deref())
        ),
        FileFault::TooLarge { bytes, max, document } => say!(
            "file size {size} kB, must be at most {max} kB for {document}",
            size = kilobytes(*bytes),
            max = *max,
            document = document_label(document.as_deref())
        ),
        FileFault::NotJpeg { document } => {
            say!("the file must be a JPEG for {document}", document = document_label(document.as_deref()))
        }
    }
}

/// What the rules of a preset require, apart from the framing.
pub(crate) fn demands(rules: &DocumentRules) -> Vec<String> {
    let neutral = rules.neutral_expression.then(|| tr("mouth closed, looking at the camera").to_owned());
    let jpeg = rules.jpeg.then(|| "JPEG".to_owned());
    let dpi = rules.dpi.map(|dpi| say!("resolution {dpi} dpi", dpi = dpi));
    [background(rules), neutral, pose(rules), file_size(rules), jpeg, dpi].into_iter().flatten().collect()
}

fn background(rules: &DocumentRules) -> Option<String> {
    let color = rules.background.as_deref().map(preset_background);
    let Some(backdrop) = rules.backdrop else { return color.map(|color| say!("background {color}", color = color)) };
    let range = backdrop.lightness().map(|range| [range.min, range.max].map(|share| decimal(share * 100.0, 0)));
    Some(match (color, range) {
        (Some(color), Some([min, max])) => {
            say!("background {color}, without shadows, lightness {min} to {max} %", color = color, min = min, max = max)
        }
        (Some(color), None) => say!("background {color}, without shadows", color = color),
        (None, Some([min, max])) => {
            say!("plain background without shadows, lightness {min} to {max} %", min = min, max = max)
        }
        (None, None) => tr("plain background without shadows").to_owned(),
    })
}

fn pose(rules: &DocumentRules) -> Option<String> {
    let degrees = |limit: f32| decimal(limit, usize::from(limit.fract() != 0.0));
    let PoseLimits { yaw, pitch, roll } = rules.pose?;
    Some(say!(
        "head turned by at most {yaw}, raised or lowered by at most {pitch}, tilted by at most {roll} degrees",
        yaw = degrees(yaw),
        pitch = degrees(pitch),
        roll = degrees(roll)
    ))
}

fn file_size(rules: &DocumentRules) -> Option<String> {
    match (rules.min_kilobytes, rules.max_kilobytes) {
        (Some(min), Some(max)) => Some(say!("file size {min} to {max} kB", min = min, max = max)),
        (Some(min), None) => Some(say!("file size at least {min} kB", min = min)),
        (None, Some(max)) => Some(say!("file size at most {max} kB", max = max)),
        (None, None) => None,
    }
}

/// The sentence in percent, or the one with millimetres if they are known.
fn range_text(found: &InRange, in_percent: &str, with_mm: &str) -> String {
    let [measure, min, max] = found.percent().map(plain);
    let Some([mm, min_mm, max_mm]) = found.mm().map(|mm| mm.map(plain)) else {
        return fill(in_percent, &[("found", &measure), ("min", &min), ("max", &max)]);
    };
    let parts: [(&str, &dyn super::super::language::Argument); 6] =
        [("found", &measure), ("min", &min), ("max", &max), ("mm", &mm), ("min_mm", &min_mm), ("max_mm", &max_mm)];
    fill(with_mm, &parts)
}

fn size_fault(fault: &SizeFault, document: &str) -> String {
    match fault {
        SizeFault::Shape { width, height, in_mm } => {
            let (width, height) = (plain(*width), plain(*height));
            let shape = match in_mm {
                true => say!("{width} x {height} mm", width = width, height = height),
                false => say!("{width} x {height} pixels", width = width, height = height),
            };
            say!("must have the aspect ratio of {shape} for {document}", shape = shape, document = document)
        }
        SizeFault::Exactly(size) => say!("must be {size} pixels for {document}", size = *size, document = document),
        SizeFault::AtLeast(size) => {
            say!("must be at least {size} pixels for {document}", size = *size, document = document)
        }
        SizeFault::AtMost(size) => {
            say!("must be at most {size} pixels for {document}", size = *size, document = document)
        }
    }
}

fn document_label(document: Option<&str>) -> String {
    document.map_or_else(|| tr("this preset").to_owned(), document_name)
}

#[cfg(test)]
mod tests {
    use geometry::Size;
    use recipe::{AllowedRange, Backdrop};

    use super::super::super::language::{Language, set_current};
    use super::*;

    fn one_of_each() -> Vec<RuleCheck> {
        let found = |measured, height_mm| InRange { measured, range: AllowedRange { min: 0.7, max: 0.8 }, height_mm };
        let size = |fault| RuleResult::Size {
            output: Size::new(300, 400),
            fault,
            document: Some("UK passport, digital".to_owned()),
        };
        let all = [
            RuleResult::Head(found(0.667, None)),
            RuleResult::Head(found(0.667, Some(45.0))),
            RuleResult::EyeLine(found(0.6, None)),
            RuleResult::EyeLine(found(0.6, Some(45.0))),
            RuleResult::Headroom(found(0.1, None)),
            RuleResult::Headroom(found(0.1, Some(45.0))),
            RuleResult::Headroom(found(-0.1, None)),
            RuleResult::Headroom(found(-0.1, Some(45.0))),
            size(None),
            size(Some(SizeFault::Shape { width: 35.0, height: 45.0, in_mm: true })),
            size(Some(SizeFault::Shape { width: 35.0, height: 45.0, in_mm: false })),
            size(Some(SizeFault::Exactly(Size::new(600, 600)))),
            size(Some(SizeFault::AtLeast(Size::new(600, 600)))),
            size(Some(SizeFault::AtMost(Size::new(600, 600)))),
        ];
        all.map(|found| RuleCheck { met: false, found }).to_vec()
    }

    #[test]
    fn english_rule_texts_match_the_command_line() {
        for check in one_of_each() {
            assert_eq!(rule(&check), check.to_string());
        }
        let document = Some("UK passport, digital".to_owned());
        let faults = [
            FileFault::TooSmall { bytes: 12_340, min: 20, document: document.clone() },
            FileFault::TooLarge { bytes: 60_000, max: 50, document: document.clone() },
            FileFault::NotJpeg { document },
        ];
        for fault in faults {
            assert_eq!(file_fault(&fault), fault.to_string());
        }
    }

    #[test]
    fn rules_are_reported_in_german_with_numbers_and_document_name() {
        set_current(Language::German);
        let texts: Vec<String> = one_of_each().iter().map(rule).collect();
        let small = file_fault(&FileFault::TooSmall { bytes: 12_340, min: 20, document: None });
        set_current(Language::English);
        assert_eq!(texts[0], "Kopf 66,7\u{a0}%, erlaubt 70 bis 80\u{a0}%");
        assert!(texts[1].contains("30 mm") || texts[1].contains("30\u{a0}mm"), "{}", texts[1]);
        assert_eq!(texts[11], "Größe 300 x 400 Pixel, müssen 600 x 600 Pixel sein, für Britischer Pass, digital");
        assert!(small.contains("12,3") && small.ends_with("für diese Vorlage"), "{small}");
    }

    #[test]
    fn requirements_are_listed_with_numbers() {
        let rules = |background: Option<&str>, backdrop| DocumentRules {
            background: background.map(str::to_owned),
            backdrop,
            ..DocumentRules::default()
        };
        let full = DocumentRules {
            pose: Some(PoseLimits { yaw: 5.0, pitch: 7.5, roll: 8.0 }),
            neutral_expression: true,
            min_kilobytes: Some(20),
            max_kilobytes: Some(50),
            jpeg: true,
            dpi: Some(300),
            ..rules(Some("white"), Some(Backdrop::White))
        };
        let all = [
            DocumentRules::default(),
            rules(Some("white"), None),
            rules(Some("plain"), Some(Backdrop::Plain)),
            rules(None, Some(Backdrop::Plain)),
            rules(None, Some(Backdrop::LightNotWhite)),
            full,
        ];
        let english = all.each_ref().map(demands);
        assert_eq!(english[0], Vec::<String>::new());
        let first = [&english[1], &english[2], &english[3], &english[4]].map(|demands| demands[0].as_str());
        let expected = [
            "background white",
            "background plain, without shadows",
            "plain background without shadows",
            "plain background without shadows, lightness 70 to 95 %",
        ];
        assert_eq!(first, expected);
        let expected = [
            "background white, without shadows, lightness 85 to 100 %",
            "mouth closed, looking at the camera",
            "head turned by at most 5, raised or lowered by at most 7.5, tilted by at most 8 degrees",
            "file size 20 to 50 kB",
            "JPEG",
            "resolution 300 dpi",
        ];
        assert_eq!(english[5], expected);
        for language in Language::ALL.into_iter().filter(|language| *language != Language::English) {
            set_current(language);
            let translated = all.each_ref().map(demands);
            set_current(Language::English);
            let pairs = translated.iter().flatten().zip(english.iter().flatten());
            for (translated, english) in pairs.filter(|(_, english)| *english != "JPEG") {
                assert_ne!(translated, english, "{language:?}");
            }
        }
    }
}
