//! Reading, writing and validating preset files, which may come from anywhere.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Preset, PresetSize, SpecError, built_in_presets};

/// Maximum size of a preset file in bytes; a preset with every rule takes less than a thousand.
pub const MAX_PRESET_FILE_BYTES: u64 = 1 << 18;

/// Maximum length of a preset id in bytes.
pub const MAX_PRESET_ID: usize = 64;

/// Maximum length of a name in characters.
const MAX_NAME: usize = 100;

/// Maximum length of a description or source in characters.
const MAX_TEXT: usize = 2_000;

/// Maximum length in characters of a line that is quoted in an error message.
const MAX_QUOTED: usize = 200;

/// Resolutions in dots per inch that files can store.
const DPI: std::ops::RangeInclusive<u16> = 1..=10_000;

/// Why a preset file cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PresetError {
    /// The text is too long.
    #[error("the preset file is too large: {bytes} bytes, at most {max} are allowed")]
    TooLarge {
        /// Bytes of the text.
        bytes: u64,
        max: u64,
    },
    /// It is not TOML, or has an unknown key or an invalid value.
    #[error("it is not a preset file: {message}")]
    Form {
        /// Place and reason.
        message: String,
    },
    /// The file contains no preset.
    #[error("it contains no preset; each preset begins with a line [[preset]]")]
    Empty,
    /// Two presets have the same id.
    #[error("two of its presets have the id '{id}'")]
    Twice { id: String },
    /// A preset is invalid.
    #[error("the preset '{id}' cannot be used: {fault}")]
    Faulty { id: String, fault: PresetFault },
}

/// Why a preset is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PresetFault {
    /// The id is invalid.
    #[error(
        "an id has 1 to {MAX_PRESET_ID} lower-case letters a to z, digits and hyphens, and begins and ends with a letter or a digit"
    )]
    Id,
    /// A text is too short or too long, or has control characters.
    #[error("{what} must be {min} to {max} characters long, without line breaks or other control characters")]
    Words {
        /// Which text.
        what: PresetText,
        /// Minimum number of characters.
        min: usize,
        /// Maximum number of characters.
        max: usize,
    },
    /// The printed size is invalid.
    #[error("a printed size of {width} x {height} mm at {dpi} dpi cannot be used")]
    Print {
        /// Width in millimetres.
        width: f64,
        /// Height in millimetres.
        height: f64,
        /// Dots per inch.
        dpi: u16,
    },
    /// A value of its framing or rules is invalid.
    #[error(transparent)]
    Number(#[from] SpecError),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresetText {
    Name,
    /// Its description.
    About,
    /// The source of its values.
    Source,
    /// The background required by the document.
    Background,
}

impl fmt::Display for PresetText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Name => "the name",
            Self::About => "the description",
            Self::Source => "the source",
            Self::Background => "the background",
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadFile {
    #[serde(default)]
    preset: Vec<Preset>,
}

#[derive(Serialize)]
struct WrittenFile<'a> {
    preset: &'a [Preset],
}

/// Reads the presets of a file, written by [`presets_to_toml`], by the user or by another program. Every preset is
/// checked. Groups are as in the file, and ids may be those of built-in presets.
///
/// # Errors
/// The first error, with its place.
pub fn presets_from_toml(text: &str) -> Result<Vec<Preset>, PresetError> {
    if text.len() as u64 > MAX_PRESET_FILE_BYTES {
        return Err(PresetError::TooLarge { bytes: text.len() as u64, max: MAX_PRESET_FILE_BYTES });
    }
    let read: ReadFile = toml::from_str(text).map_err(|error| PresetError::Form { message: error_message(&error) })?;
    let presets = read.preset;
    if presets.is_empty() {
        return Err(PresetError::Empty);
    }
    let mut ids = std::collections::BTreeSet::new();
    for preset in &presets {
        preset.check().map_err(|fault| PresetError::Faulty { id: preset.id.clone(), fault })?;
        if !ids.insert(preset.id.as_str()) {
            return Err(PresetError::Twice { id: preset.id.clone() });
        }
    }
    Ok(presets)
}

/// The error message with the faulty line, unless the line is too long.
fn error_message(error: &toml::de::Error) -> String {
    let shown = error.to_string();
    let is_short = shown.lines().all(|line| line.chars().count() <= MAX_QUOTED);
    if is_short { shown.trim_end().to_owned() } else { error.message().to_owned() }
}

/// Writes the presets in the format of [`presets_from_toml`].
pub fn presets_to_toml(presets: &[Preset]) -> String {
    toml::to_string(&WrittenFile { preset: presets }).expect("TOML can represent text, numbers and booleans")
}

/// An id derived from `name` that neither a built-in preset nor one of `taken` has.
pub fn unused_id(name: &str, taken: &[Preset]) -> String {
    let mut base = String::new();
    for letter in name.chars() {
        match letter.to_ascii_lowercase() {
            letter @ ('a'..='z' | '0'..='9') => base.push(letter),
            _ if !base.is_empty() && !base.ends_with('-') => base.push('-'),
            _ => {}
        }
    }
    // Leaves space for a number.
    base.truncate(MAX_PRESET_ID - 12);
    let base = base.trim_end_matches('-');
    let base = if base.is_empty() { "preset" } else { base };
    let is_free = |id: &String| built_in_presets().iter().chain(taken).all(|preset| preset.id != *id);
    let numbered = (2_u32..).map(|number| format!("{base}-{number}"));
    std::iter::once(base.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

impl Preset {
    /// Checks id, texts, size, framing and rules.
    ///
    /// # Errors
    /// The first invalid value.
    pub fn check(&self) -> Result<(), PresetFault> {
        if !is_id(&self.id) {
            return Err(PresetFault::Id);
        }
        check_text(PresetText::Name, &self.name, 1, MAX_NAME)?;
        check_text(PresetText::About, &self.description, 0, MAX_TEXT)?;
        check_text(PresetText::Source, self.source.as_deref().unwrap_or_default(), 0, MAX_TEXT)?;
        let rules = self.rules.as_ref();
        check_text(
            PresetText::Background,
            rules.and_then(|rules| rules.background.as_deref()).unwrap_or_default(),
            0,
            MAX_TEXT,
        )?;
        if let PresetSize::Print { mm: [width, height], dpi } = self.size
            && !([width, height].iter().all(|side| side.is_finite() && *side > 0.0) && DPI.contains(&dpi))
        {
            return Err(PresetFault::Print { width, height, dpi });
        }
        self.spec().check()?;
        Ok(())
    }
}

fn is_id(id: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let ends = [id.bytes().next(), id.bytes().next_back()];
    id.len() <= MAX_PRESET_ID
        && ends.into_iter().all(|end| end.is_some_and(is_letter))
        && id.bytes().all(|byte| is_letter(byte) || byte == b'-')
}

fn check_text(what: PresetText, text: &str, min: usize, max: usize) -> Result<(), PresetFault> {
    let letters = text.trim().chars().count();
    let fits = (min..=max).contains(&letters) && !text.chars().any(char::is_control);
    if fits { Ok(()) } else { Err(PresetFault::Words { what, min, max }) }
}

#[cfg(test)]
mod tests;
