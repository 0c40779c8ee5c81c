//! What is kept from one start to the next.

mod recent;
mod store;
mod work;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

pub use recent::Recent;
pub use store::{PeekError, SettingsError, SettingsFault, SettingsNotice};

use serde::{Deserialize, Serialize};

use recipe::{DecodeLimits, DetectSpec, OnConflict, Preset, Recipe, RuntimeChoice, RuntimeOptions};

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
    /// How photos become crops.
    #[serde(flatten)]
    pub recipe: Recipe,
    /// Presets a person has made.
    pub presets: Vec<Preset>,
    /// How faces are found.
    pub detect: DetectSpec,
    /// How large a picture may be.
    pub limits: DecodeLimits,
    /// Folders and projects that were opened last.
    pub recent: Recent,
    /// Photos that are not opened because the program ended at them, until a person says otherwise.
    #[serde(alias = "held_back")]
    pub quarantined: Vec<PathBuf>,
    /// The window.
    pub window: WindowSettings,
}

impl Settings {
    /// As many photos are held back at most; the latest stay.
    pub const MAX_QUARANTINED: usize = 100;

    /// Has these photos not opened from now on.
    pub fn quarantine(&mut self, paths: &[PathBuf]) {
        for path in paths {
            if !self.quarantined.contains(path) {
                self.quarantined.push(path.clone());
            }
        }
        self.quarantined.drain(..self.quarantined.len().saturating_sub(Self::MAX_QUARANTINED));
    }

    /// True where this photo is not to be opened.
    pub fn is_quarantined(&self, path: &Path) -> bool {
        !self.quarantined.is_empty() && std::path::absolute(path).is_ok_and(|path| self.quarantined.contains(&path))
    }
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

/// The order in which the list of photos is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ListSort {
    /// As they were added.
    #[default]
    Added,
    /// By name, numbers in names by their value.
    Name,
    /// Those that need a look most first.
    Worst,
}

/// The language of the window: one of these, or as the system says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum LanguageChoice {
    /// As the system says.
    #[default]
    #[serde(rename = "system")]
    System,
    /// English.
    #[serde(rename = "en")]
    English,
    /// German.
    #[serde(rename = "de")]
    German,
    /// French.
    #[serde(rename = "fr")]
    French,
    /// Spanish.
    #[serde(rename = "es")]
    Spanish,
    /// Japanese.
    #[serde(rename = "ja")]
    Japanese,
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
    /// What it speaks.
    pub language: LanguageChoice,
    /// True where boxes, scores and landmarks are drawn on the photo.
    pub show_faces: bool,
    /// True where the lines of the heads are drawn on the photo.
    pub show_head_lines: bool,
    /// True where the photos are shown side by side rather than as a list.
    pub grid: bool,
    /// The order of the photos.
    pub sort: ListSort,
    /// Lines over the crop, on the photo and on its preview.
    pub guides: Guides,
    /// How many times the usual size text is, and everything else with it.
    pub text_scale: f32,
    /// True where nothing moves that need not.
    #[serde(alias = "less_motion")]
    pub reduce_motion: bool,
}

/// Lines over the crop that help in placing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Guides {
    /// No lines.
    None,
    /// Two lines across and two down, at thirds.
    Thirds,
    /// Where the document's rules want crown and eyes; nothing without such rules.
    #[default]
    #[serde(alias = "bands")]
    Document,
    /// What is left of the crop where it is shown in a circle.
    Circle,
}

impl Guides {
    /// All, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::None, Self::Thirds, Self::Document, Self::Circle];

    /// The one after this, and the first after the last.
    #[must_use]
    pub fn next(self) -> Self {
        let place = Self::ALL.iter().position(|guides| *guides == self).unwrap_or(0);
        Self::ALL[(place + 1) % Self::ALL.len()]
    }
}

impl WindowSettings {
    /// The scales text may have.
    pub const TEXT_SCALES: RangeInclusive<f32> = 0.7..=2.0;

    /// The scale of text, whatever the settings file says.
    pub fn text_scale(&self) -> f32 {
        let (min, max) = (*Self::TEXT_SCALES.start(), *Self::TEXT_SCALES.end());
        if self.text_scale.is_finite() { self.text_scale.clamp(min, max) } else { 1.0 }
    }
}

impl Default for WindowSettings {
    fn default() -> Self {
        Self {
            width: 1280.0,
            height: 800.0,
            maximized: false,
            theme: ThemeChoice::System,
            language: LanguageChoice::System,
            show_faces: true,
            show_head_lines: true,
            guides: Guides::default(),
            grid: false,
            sort: ListSort::Added,
            text_scale: 1.0,
            reduce_motion: false,
        }
    }
}
