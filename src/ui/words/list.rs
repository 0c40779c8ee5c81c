//! What is said of the list of photos: what they can be found by, and its order.

use super::*;

/// What photos can be found by, in English; shown by `tr`.
const fn mark_name(of: Mark) -> &'static str {
    match of {
        Mark::NeedsReview => mark("Needs a look"),
        Mark::Broken => mark("Damaged or failed"),
        Mark::NoFace => mark("No face"),
        Mark::Several => mark("Several faces"),
        Mark::Uncertain => mark("Uncertain"),
        Mark::Light => mark("Soft or dark"),
        Mark::Small => mark("Few pixels"),
        Mark::Head => mark("Head and rules"),
        Mark::Edges => mark("Edges and turn"),
        Mark::Edited => mark("Edited"),
        Mark::Accepted => mark("Accepted"),
        Mark::Excluded => mark("Left out"),
        Mark::Written => mark("Exported"),
        Mark::NotWritten => mark("Not exported"),
    }
}

/// The same with how many there are: `Needs a look 12`.
pub(crate) fn marked(of: Mark, count: usize) -> String {
    format!("{} {}", tr(mark_name(of)), whole(count))
}

/// The same in a sentence or two.
pub(crate) const fn about_mark(of: Mark) -> &'static str {
    match of {
        Mark::NeedsReview => mark("Something speaks against the crop, and nobody has accepted it"),
        Mark::Broken => {
            mark("The photo cannot be read, a part of it is missing, no runtime looked at it, or the export failed")
        }
        Mark::NoFace => mark("No face was found"),
        Mark::Several => mark("There are more or fewer faces than expected, or one of several was picked"),
        Mark::Uncertain => mark("It may be no face, or crown and chin are a guess"),
        Mark::Light => mark("The face is soft, dark or burnt out"),
        Mark::Small => mark("The face has few pixels, or the crop is enlarged"),
        Mark::Head => mark("The head is cut off or off its place, or a rule of the document is not met"),
        Mark::Edges => mark("More is filled than allowed, the photo was turned, or the head is left tilted"),
        Mark::Edited => mark("Faces, heads, frames or settings were set by hand"),
        Mark::Accepted => mark("Taken as they are, whatever speaks against them"),
        Mark::Excluded => mark("Not exported, because a person left them out"),
        Mark::Written => mark("Written by the last export"),
        Mark::NotWritten => mark("Not written by the last export, and not left out"),
    }
}

/// An order of the list, in English; shown by `tr`.
pub(crate) const fn list_sort(sort: ListSort) -> &'static str {
    match sort {
        ListSort::Added => mark("As added"),
        ListSort::Name => mark("By name"),
        ListSort::Worst => mark("Worst first"),
    }
}
