//! The built-in presets.

use std::sync::LazyLock;

use crate::{CropSpec, Preset, presets_from_toml};

static BUILT_IN: LazyLock<Vec<Preset>> =
    LazyLock::new(|| presets_from_toml(include_str!("presets.toml")).expect("the built-in presets are valid"));

/// All built-in presets; the first is the default.
pub fn built_in_presets() -> &'static [Preset] {
    &BUILT_IN
}

/// The built-in preset with the id `id`.
pub fn find_preset(id: &str) -> Option<&'static Preset> {
    built_in_presets().iter().find(|preset| preset.id == id)
}

impl Default for CropSpec {
    fn default() -> Self {
        built_in_presets()[0].spec()
    }
}
