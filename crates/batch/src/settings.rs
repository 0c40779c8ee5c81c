//! The settings, stored between sessions.

mod project_part;
mod recent;
mod store;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

pub use recent::{Place, Recent};
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
    /// White and bright colours on black.
    HighContrast,
}

/// The display server of the window on Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DisplayChoice {
    /// X11, or XWayland in a Wayland session, because files can be dropped there; Wayland if there is neither.
    #[default]
    Auto,
    Wayland,
    X11,
}

impl DisplayChoice {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Wayland, Self::X11];

    /// The name in settings and diagnostics.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Wayland => "wayland",
            Self::X11 => "x11",
        }
    }

    /// The choice of this name.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.id() == id)
    }
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
    /// True for the contact sheet of the crops, false for the list of photos.
    pub grid: bool,
    /// Width of a cell of the contact sheet, in points.
    pub cell: f32,
    /// Width of the list's panel, in points.
    pub list_width: f32,
    /// Width of the panel of the contact sheet, in points.
    pub grid_width: f32,
    /// True to show the list of photos as a narrow strip.
    pub fold_list: bool,
    /// Width of the panel of the settings, in points.
    pub settings_width: f32,
    /// True to show the settings as a narrow strip.
    pub fold_settings: bool,
    /// True to hide the preview of the crop.
    pub fold_preview: bool,
    /// The order of the photos.
    pub sort: ListSort,
    /// Lines over the crop's frame on the photo.
    pub guides: Guides,
    /// Scale of text and all other elements; 1 is the default size.
    pub text_scale: f32,
    #[serde(alias = "less_motion")]
    pub reduce_motion: bool,
    /// The display server on Linux.
    pub display: DisplayChoice,
    /// True for a notification of the desktop at the end of long work.
    pub notify: bool,
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

    /// Allowed widths of a cell of the contact sheet, in points.
    pub const CELLS: RangeInclusive<f32> = 88.0..=480.0;

    /// The width of a cell, clamped to the allowed range.
    pub fn cell(&self) -> f32 {
        let (min, max) = (*Self::CELLS.start(), *Self::CELLS.end());
        if self.cell.is_finite() { self.cell.clamp(min, max) } else { Self::default().cell }
    }

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
            cell: 136.0,
            list_width: 248.0,
            grid_width: 448.0,
            fold_list: false,
            settings_width: 320.0,
            fold_settings: false,
            fold_preview: false,
            sort: ListSort::Added,
            text_scale: 1.0,
            reduce_motion: false,
            display: DisplayChoice::Auto,
            notify: false,
        }
    }
}
