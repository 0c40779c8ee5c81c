//! The rules of a document, and how a crop and its file meet them. In English the words are those of `plan`.

use plan::{FileFault, InRange, RuleCheck, RuleFound, SizeFault};

use super::super::language::{fill, say, tr};
use super::parts::plain;
use super::presets::document_name;

/// One rule and how it is met.
pub(crate) fn rule(check: &RuleCheck) -> String {
    match &check.found {
        RuleFound::Head(found) => banded(
            found,
            tr("head {found} %, allowed {min} to {max} %"),
            tr("head {found} %, allowed {min} to {max} % ({mm} mm, allowed {min_mm} to {max_mm} mm)"),
        ),
        RuleFound::EyeLine(found) => banded(
            found,
            tr("eye line {found} %, allowed {min} to {max} %"),
            tr("eye line {found} %, allowed {min} to {max} % ({mm} mm, allowed {min_mm} to {max_mm} mm)"),
        ),
        RuleFound::Headroom(found) if found.percent()[0] < 0.0 => banded(
            found,
            tr("headroom {found} % (the crown is cut off), allowed {min} to {max} %"),
            tr(
                "headroom {found} % (the crown is cut off), allowed {min} to {max} % ({mm} mm, allowed {min_mm} to {max_mm} mm)",
            ),
        ),
        RuleFound::Headroom(found) => banded(
            found,
            tr("headroom {found} %, allowed {min} to {max} %"),
            tr("headroom {found} %, allowed {min} to {max} % ({mm} mm, allowed {min_mm} to {max_mm} mm)"),
        ),
        RuleFound::Size { output, fault: None, .. } => say!("size {size} pixels, as asked for", size = *output),
        RuleFound::Size { output, fault: Some(fault), document } => {
            let fault = size_fault(fault, &whose(document.as_deref()));
            say!("size {size} pixels, {fault}", size = *output, fault = fault)
        }
    }
}

/// What speaks against a written file.
pub(crate) fn file_fault(fault: &FileFault) -> String {
    let kilobytes = |bytes: usize| plain((bytes as f64 / 100.0).round() / 10.0);
    match fault {
        FileFault::TooSmall { bytes, min, document } => say!(
            "file of {size} kB, must be at least {min} kB for {document}",
            size = kilobytes(*bytes),
            min = *min,
            document = whose(document.as_deref())
        ),
        FileFault::TooLarge { bytes, max, document } => say!(
            "file of {size} kB, must be at most {max} kB for {document}",
            size = kilobytes(*bytes),
            max = *max,
            document = whose(document.as_deref())
        ),
        FileFault::NotJpeg { document } => {
            say!("the file must be a JPEG for {document}", document = whose(document.as_deref()))
        }
    }
}

/// The sentence in percent, or the one with millimetres where they are known.
fn banded(found: &InRange, in_percent: &str, with_mm: &str) -> String {
    let [measure, min, max] = found.percent().map(plain);
    let Some([mm, min_mm, max_mm]) = found.mm().map(|mm| mm.map(plain)) else {
        return fill(in_percent, &[("found", &measure), ("least", &min), ("most", &max)]);
    };
    let parts: [(&str, &dyn super::super::language::Argument); 6] = [
        ("found", &measure),
        ("least", &min),
        ("most", &max),
        ("mm", &mm),
        ("least_mm", &min_mm),
        ("most_mm", &max_mm),
    ];
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
            say!("must have the shape of {shape} for {document}", shape = shape, document = document)
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

fn whose(document: Option<&str>) -> String {
    document.map_or_else(|| tr("this document").to_owned(), document_name)
}

#[cfg(test)]
mod tests {
    use geometry::Size;
    use recipe::AllowedRange;

    use super::super::super::language::{Language, set_current};
    use super::*;

    fn one_of_each() -> Vec<RuleCheck> {
        let found = |measured, height_mm| InRange { measured, band: AllowedRange { min: 0.7, max: 0.8 }, height_mm };
        let size = |fault| RuleFound::Size {
            output: Size::new(300, 400),
            fault,
            document: Some("UK passport, digital".to_owned()),
        };
        let all = [
            RuleFound::Head(found(0.667, None)),
            RuleFound::Head(found(0.667, Some(45.0))),
            RuleFound::EyeLine(found(0.6, None)),
            RuleFound::EyeLine(found(0.6, Some(45.0))),
            RuleFound::Headroom(found(0.1, None)),
            RuleFound::Headroom(found(0.1, Some(45.0))),
            RuleFound::Headroom(found(-0.1, None)),
            RuleFound::Headroom(found(-0.1, Some(45.0))),
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
    fn in_english_rules_are_reported_as_the_command_line_tells_them() {
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
    fn rules_are_reported_in_german_with_its_numbers_and_the_documents_name() {
        set_current(Language::German);
        let reported: Vec<String> = one_of_each().iter().map(rule).collect();
        let small = file_fault(&FileFault::TooSmall { bytes: 12_340, min: 20, document: None });
        set_current(Language::English);
        assert_eq!(reported[0], "Kopf 66,7\u{a0}%, erlaubt 70 bis 80\u{a0}%");
        assert!(reported[1].contains("30 mm") || reported[1].contains("30\u{a0}mm"), "{}", reported[1]);
        assert_eq!(reported[11], "Größe 300 x 400 Pixel, müssen 600 x 600 Pixel sein, für Britischer Pass, digital");
        assert!(small.contains("12,3") && small.ends_with("für dieses Dokument"), "{small}");
    }
}
