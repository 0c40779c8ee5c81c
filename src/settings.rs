//! What is kept from one start to the next.

mod recent;
mod store;
mod work;

use std::path::PathBuf;

pub use recent::Recent;
pub use store::{SettingsError, SettingsNotice};

use serde::{Deserialize, Serialize};

use crate::backend::{RuntimeChoice, RuntimeOptions};
use crate::decode::DecodeLimits;
use crate::detect::DetectSpec;
use crate::encode::{EncodeSpec, OnConflict};
use crate::plan::{CropSpec, FinishSpec, Preset, SheetSpec};

/// Everything that is kept. Unknown entries are passed over, missing ones take their default.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The runtime asked for.
    pub runtime: RuntimeChoice,
    /// How runtimes are opened.
    pub runtime_options: RuntimeOptions,
    /// A model file in place of the bundled one.
    pub model: Option<PathBuf>,
    /// Where crops go; `None` until a person has chosen.
    pub output_folder: Option<PathBuf>,
    /// What happens where a name is taken.
    pub on_conflict: OnConflict,
    /// How a crop's file is written.
    pub encode: EncodeSpec,
    /// How faces are chosen and framed.
    pub crop: CropSpec,
    /// Shape and adjustments of each crop.
    pub finish: FinishSpec,
    /// A sheet to print of each crop; `None` for none.
    pub sheet: Option<SheetSpec>,
    /// Presets a person has made.
    pub presets: Vec<Preset>,
    /// How faces are found.
    pub detect: DetectSpec,
    /// How large a picture may be.
    pub limits: DecodeLimits,
    /// True where photos of which a part is missing are exported as well.
    pub include_damaged: bool,
    /// Folders and projects that were opened last.
    pub recent: Recent,
    /// The window.
    pub window: WindowSettings,
}

/// Light, dark, or as the system says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThemeChoice {
    /// As the system says.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// The window's size and look.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowSettings {
    /// Width of the window's inside, in points.
    pub width: f32,
    /// Height of the window's inside, in points.
    pub height: f32,
    /// True where it fills the screen.
    pub maximized: bool,
    /// Light or dark.
    pub theme: ThemeChoice,
    /// True where boxes, scores and landmarks are drawn on the photo.
    pub show_faces: bool,
    /// True where the lines of the heads are drawn on the photo.
    pub show_head_lines: bool,
}

impl Default for WindowSettings {
    fn default() -> Self {
        Self {
            width: 1280.0,
            height: 800.0,
            maximized: false,
            theme: ThemeChoice::System,
            show_faces: true,
            show_head_lines: true,
        }
    }
}
