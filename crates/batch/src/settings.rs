//! The settings, stored between sessions.

mod project_part;
mod recent;
mod store;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

pub use recent::Recent;
pub use store::{PeekError, SettingsError, SettingsFault, SettingsNotice};

use serde::{Deserialize, Serialize};

use naming::NamesSpec;
use recipe::{DecodeLimits, DetectSpec, OnConflict, Preset, Recipe, RuntimeChoice, RuntimeOptions};

/// All settings. Unknown entries are ignored, missing ones have their defaults.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The chosen runtime.
    pub runtime: RuntimeChoice,
    /// Options for opening runtimes.
    pub runtime_options: RuntimeOptions,
    /// A model file to use instead of the bundled one.
    pub model: Option<PathBuf>,
    /// The output folder; `None` until one is chosen.
    pub output_folder: Option<PathBuf>,
    /// What to do if an output file exists.
    pub on_conflict: OnConflict,
    /// Crop, finish, encoding and sheet settings.
    #[serde(flatten)]
    pub recipe: Recipe,
    /// Names and folders of the crops. The name list is stored in projects only: it belongs to one set of photos.
    pub names: NamesSpec,
    pub presets: Vec<Preset>,
    pub detect: DetectSpec,
    pub limits: DecodeLimits,
    /// Recently opened folders and projects.
    pub recent: Recent,
    /// Quarantined photos: not opened because the program crashed while reading them, until the user releases them.
    #[serde(alias = "held_back")]
    pub quarantined: Vec<PathBuf>,
    pub window: WindowSettings,
}

impl Settings {
    /// Maximum number of quarantined photos; the latest are kept.
    pub const MAX_QUARANTINED: usize = 100;

    /// Quarantines these photos.
    pub fn quarantine(&mut self, paths: &[PathBuf]) {
        for path in paths {
            if !self.quarantined.contains(path) {
                self.quarantined.push(path.clone());
            }
        }
        self.quarantined.drain(..self.quarantined.len().saturating_sub(Self::MAX_QUARANTINED));
    }

    /// True if this photo is quarantined.
    pub fn is_quarantined(&self, path: &Path) -> bool {
        !self.quarantined.is_empty() && std::path::absolute(path).is_ok_and(|path| self.quarantined.contains(&path))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThemeChoice {
    #[default]
    System,
    Light,
    Dark,
}

/// The order in which the list of photos is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ListSort {
    /// In the order they were added.
    #[default]
    Added,
    /// By name, in natural order.
    Name,
    /// Most warnings first.
    Worst,
}

/// The language of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum LanguageChoice {
    #[default]
    #[serde(rename = "system")]
    System,
    #[serde(rename = "en")]
    English,
    #[serde(rename = "de")]
    German,
    #[serde(rename = "fr")]
    French,
    #[serde(rename = "es")]
    Spanish,
    #[serde(rename = "ja")]
    Japanese,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowSettings {
    /// Width of the window's content area, in points.
    pub width: f32,
    /// Height of the window's content area, in points.
    pub height: f32,
    /// True if the window is maximised.
    pub maximized: bool,
    pub theme: ThemeChoice,
    pub language: LanguageChoice,
    /// True to draw boxes, scores and landmarks on the photo.
    pub show_faces: bool,
    /// True to draw the head lines on the photo.
    pub show_head_lines: bool,
    /// True for the grid view, false for the list.
    pub grid: bool,
    /// The order of the photos.
    pub sort: ListSort,
    /// Lines over the crop, on the photo and on its preview.
    pub guides: Guides,
    /// Scale of text and all other elements; 1 is the default size.
    pub text_scale: f32,
    #[serde(alias = "less_motion")]
    pub reduce_motion: bool,
}

/// Guide lines over the crop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Guides {
    /// No lines.
    None,
    /// Two horizontal and two vertical lines at thirds.
    Thirds,
    /// The allowed ranges of the document's rules for crown and eye line; none without such rules.
    #[default]
    #[serde(alias = "bands")]
    Document,
    /// The circle visible if the crop is shown in round form.
    Circle,
}

impl Guides {
    /// All guides, in the order they are offered.
    pub const ALL: [Self; 4] = [Self::None, Self::Thirds, Self::Document, Self::Circle];

    /// The next guide, cyclically.
    #[must_use]
    pub fn next(self) -> Self {
        let place = Self::ALL.iter().position(|guides| *guides == self).unwrap_or(0);
        Self::ALL[(place + 1) % Self::ALL.len()]
    }
}

impl WindowSettings {
    /// Allowed text scales.
    pub const TEXT_SCALES: RangeInclusive<f32> = 0.7..=2.0;

    /// The text scale, clamped to the allowed range.
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
