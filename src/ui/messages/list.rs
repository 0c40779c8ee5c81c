//! Texts of the list: filters and sort orders.

use super::*;

/// Name of a mark, in English; translated by `tr` when shown.
const fn mark_name(of: Mark) -> &'static str {
    match of {
        Mark::NeedsReview => mark("To review"),
        Mark::Broken => mark("Damaged or failed"),
        Mark::NotSearched => mark("Not searched"),
        Mark::NoFace => mark("No face"),
        Mark::Several => mark("Several faces"),
        Mark::Uncertain => mark("Uncertain"),
        Mark::Eyes => mark("Eyes"),
        Mark::Pose => mark("Pose"),
        Mark::Background => mark("Background"),
        Mark::Light => mark("Blurred or dark"),
        Mark::Small => mark("Low resolution"),
        Mark::Head => mark("Framing and rules"),
        Mark::Edges => mark("Edges and rotation"),
        Mark::NoRow => mark("Not in list"),
        Mark::LooseMatch => mark("Loose match"),
        Mark::SameName => mark("Same name"),
        Mark::NamedByHand => mark("Named by hand"),
        Mark::Card => mark("Cards"),
        Mark::UnlistedCard => mark("Unlisted cards"),
        Mark::Edited => mark("Edited"),
        Mark::Accepted => mark("Accepted"),
        Mark::Excluded => mark("Excluded"),
        Mark::Written => mark("Exported"),
        Mark::NotWritten => mark("Not exported"),
    }
}

/// The name with its count: `To review 12`.
pub(crate) fn marked(of: Mark, count: usize) -> String {
    format!("{} {}", tr(mark_name(of)), integer(count))
}

/// Description of a mark.
pub(crate) const fn about_mark(of: Mark) -> &'static str {
    match of {
        Mark::NeedsReview => mark("Flagged and not yet accepted"),
        Mark::Broken => mark("The photo is unreadable or incomplete, a model did not run, or the export failed"),
        Mark::NotSearched => mark("Faces were not searched for, because no runtime is open"),
        Mark::NoFace => mark("No face found"),
        Mark::Several => {
            mark("More or fewer faces than expected, one of several was selected, or another person is in the crop")
        }
        Mark::Uncertain => mark("It may not be a face, or crown and chin are uncertain"),
        Mark::Eyes => mark("Eyes are closed, hidden, behind dark glasses or not looking at the camera"),
        Mark::Pose => mark("The head is turned, raised, lowered or tilted too far, or the mouth is open"),
        Mark::Background => mark("The background is uneven, too dark, too light or has a shadow"),
        Mark::Light => mark("The face is blurred, underexposed or overexposed"),
        Mark::Small => mark("The face has few pixels, or the crop is enlarged"),
        Mark::Head => mark("The head or hair is cut off, the head is off-centre, or a rule of the preset is not met"),
        Mark::Edges => mark("Too much is filled, the photo was rotated, or the head is still tilted"),
        Mark::NoRow => mark("No row of the name list matches the photo"),
        Mark::LooseMatch => mark("The row matches by number or by the end of a path only"),
        Mark::SameName => mark("Several photos have this name"),
        Mark::NamedByHand => mark("The name or the row was set with F2"),
        Mark::Card => mark("The photo shows a card, which names it and the photos after it"),
        Mark::UnlistedCard => mark("The text of the card is in no row of the name list, or in several"),
        Mark::Edited => mark("Faces, heads, frames or settings were edited"),
        Mark::Accepted => mark("Accepted despite their warnings"),
        Mark::Excluded => mark("Excluded from the export"),
        Mark::Written => mark("Written by the last export"),
        Mark::NotWritten => mark("Not written by the last export, and not excluded"),
    }
}

/// A sort order of the list, in English; translated by `tr` when shown.
pub(crate) const fn list_sort(sort: ListSort) -> &'static str {
    match sort {
        ListSort::Added => mark("Order added"),
        ListSort::Name => mark("Name"),
        ListSort::Worst => mark("Most warnings first"),
    }
}
