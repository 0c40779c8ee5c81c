//! The warnings of an input as text.

use std::fmt::Write;

use outcome::{ItemReport, OutcomeKind};
use plan::{Warning, WarningKind};

/// The warnings of an input, except "no face" if that is its outcome, which line and summary already contain.
pub(super) fn warnings_to_report(item: &ItemReport) -> Vec<&Warning> {
    let repeats = |warning: &&Warning| {
        item.outcome == OutcomeKind::NoFace && matches!(warning.kind, WarningKind::FewFaces { found: 0, .. })
    };
    item.warnings.iter().filter(|warning| !repeats(warning)).collect()
}

/// Warnings about the photo, then about each of `crops` crops: "no face; crop 2: head 74 %, allowed 50 to 69 %; the face is
/// blurred".
pub(super) fn warning_texts(warnings: &[&Warning], crops: usize) -> String {
    let mut text = String::new();
    let mut previous = None;
    for Warning { crop, kind } in warnings {
        let numbered = crop.filter(|_| crops > 1);
        if !text.is_empty() {
            text.push_str("; ");
        }
        if let Some(crop) = numbered.filter(|_| numbered != previous) {
            let _ = write!(text, "crop {}: ", crop + 1);
        }
        let _ = write!(text, "{kind}");
        previous = numbered;
    }
    text
}
