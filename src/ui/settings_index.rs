//! The settings that the command palette finds by name.

use super::language::mark;

/// A row of the settings panel, with the English texts that are translated when shown.
#[derive(Debug)]
pub(crate) struct Setting {
    /// The collapsible section that it is in, or the panel if it is in none.
    pub section: &'static str,
    /// Its label.
    pub label: &'static str,
    /// Further words for it: those of its control.
    pub also: &'static [&'static str],
}

const fn setting(section: &'static str, label: &'static str, also: &'static [&'static str]) -> Setting {
    Setting { section, label, also }
}

const PANEL: &str = mark("Settings");
const ALIGNMENT: &str = mark("Alignment and edges");
const FACES: &str = mark("Faces");
const FINISH: &str = mark("Finish");
const NAMES: &str = mark("Names");
const PACKAGE: &str = mark("Package");

/// The settings that are always in the panel, in its order.
pub(crate) const SETTINGS: &[Setting] = &[
    setting(PANEL, mark("Size"), &[mark("Original size"), mark("Width in pixels"), mark("Height in pixels")]),
    setting(PANEL, mark("Head height"), &[]),
    setting(PANEL, mark("Position by"), &[mark("Eye line"), mark("Headroom")]),
    setting(ALIGNMENT, mark("Shift"), &[]),
    setting(ALIGNMENT, mark("Hair"), &[mark("Keep hair")]),
    setting(ALIGNMENT, mark("Tilt"), &[mark("Level the eyes")]),
    setting(ALIGNMENT, mark("Rotation"), &[mark("Turn upright")]),
    setting(ALIGNMENT, mark("Beyond the edge"), &[]),
    setting(FACES, mark("Faces to crop"), &[]),
    setting(FACES, mark("Minimum score"), &[]),
    setting(FACES, mark("Minimum size"), &[]),
    setting(FACES, mark("Faces expected"), &[]),
    setting(FACES, mark("Detection"), &[]),
    setting(FINISH, mark("Shape"), &[]),
    setting(FINISH, mark("Background"), &[]),
    setting(FINISH, mark("Exposure"), &[]),
    setting(FINISH, mark("Contrast"), &[]),
    setting(FINISH, mark("Sharpen"), &[]),
    setting(FINISH, mark("Colour cast"), &[mark("White balance")]),
    setting(NAMES, mark("Name list"), &[]),
    setting(NAMES, mark("Cards"), &[mark("Read cards")]),
    setting(NAMES, mark("Paired files"), &[]),
    setting(NAMES, mark("Characters"), &[]),
    setting(PANEL, mark("If the file exists"), &[]),
    setting(PANEL, mark("Resolution"), &[]),
    setting(PANEL, mark("Colour space"), &[]),
    setting(PANEL, mark("Metadata"), &[]),
    setting(PANEL, mark("Damaged photos"), &[]),
    setting(PANEL, mark("Format"), &[]),
    setting(PANEL, mark("File name"), &[]),
    setting(mark("Print sheet"), mark("Paper"), &[]),
    setting(PACKAGE, mark("Index"), &[]),
    setting(PACKAGE, mark("Archive"), &[mark("Zip file")]),
    setting(PACKAGE, mark("Contact sheet"), &[]),
];
