//! Presets as text, and what makes one sound: what is read may come from anybody.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Preset, PresetSize, SpecError, built_in_presets};

/// The longest file of presets that is read, in bytes; a preset with every rule takes less than a thousand.
pub const MAX_PRESET_FILE_BYTES: u64 = 1 << 18;

/// Bytes of the longest id of a preset.
pub const MAX_PRESET_ID: usize = 64;

/// Letters of the longest name.
const MAX_NAME: usize = 100;

/// Letters of the longest description or source.
const MAX_WORDS: usize = 2_000;

/// Letters of the longest line that is shown where something is wrong in it.
const MAX_SHOWN: usize = 200;

/// Dots per inch that files can carry.
const DPI: std::ops::RangeInclusive<u16> = 1..=10_000;

/// Why a file of presets cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PresetError {
    /// The text is too long.
    #[error("{bytes} bytes are too many for a file of presets; {max} are allowed")]
    TooLarge {
        /// Bytes of the text.
        bytes: u64,
        /// The most that are read.
        max: u64,
    },
    /// It is no TOML, or holds something that does not belong there.
    #[error("it is not a file of presets: {message}")]
    Form {
        /// Where and why.
        message: String,
    },
    /// There is no preset in it.
    #[error("it holds no preset; each begins with a line [[preset]]")]
    Empty,
    /// Two presets have the same id.
    #[error("two of its presets have the id '{id}'")]
    Twice {
        /// The id.
        id: String,
    },
    /// A preset cannot be worked with.
    #[error("the preset '{id}' cannot be used: {fault}")]
    Faulty {
        /// Its id.
        id: String,
        /// What is wrong with it.
        fault: PresetFault,
    },
}

/// Why a preset cannot be worked with.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PresetFault {
    /// The id is none.
    #[error(
        "an id has 1 to {MAX_PRESET_ID} small letters a to z, digits and hyphens, and begins and ends with a letter or a digit"
    )]
    Id,
    /// The name or a text is empty, too long, or has control characters.
    #[error("{what} must be {min} to {max} letters long, without line breaks or other control characters")]
    Words {
        /// Which text.
        what: PresetText,
        /// The fewest letters.
        min: usize,
        /// The most letters.
        max: usize,
    },
    /// A printed size that cannot be printed.
    #[error("a printed size of {width} x {height} mm at {dpi} dpi cannot be used")]
    Print {
        /// Millimetres from left to right.
        width: f64,
        /// Millimetres from top to bottom.
        height: f64,
        /// Dots per inch.
        dpi: u16,
    },
    /// A number of its framing or rules.
    #[error(transparent)]
    Number(#[from] SpecError),
}

/// A text of a preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresetText {
    /// Its name.
    Name,
    /// Its description.
    About,
    /// Where its numbers are from.
    Source,
    /// The background that its document asks for.
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
struct FileRead {
    #[serde(default)]
    preset: Vec<Preset>,
}

#[derive(Serialize)]
struct FileWritten<'a> {
    preset: &'a [Preset],
}

/// Reads the presets of a file that [`presets_to_toml`] wrote, or that a person or another program did. Every preset is
/// checked; groups are as written there, and ids may be those of built-in presets.
///
/// # Errors
/// The first thing that is wrong, named with its place.
pub fn presets_from_toml(text: &str) -> Result<Vec<Preset>, PresetError> {
    if text.len() as u64 > MAX_PRESET_FILE_BYTES {
        return Err(PresetError::TooLarge { bytes: text.len() as u64, max: MAX_PRESET_FILE_BYTES });
    }
    let read: FileRead = toml::from_str(text).map_err(|error| PresetError::Form { message: shown_fault(&error) })?;
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

/// What is wrong, with the line it is in unless that is too long to be looked at.
fn shown_fault(error: &toml::de::Error) -> String {
    let shown = error.to_string();
    let is_short = shown.lines().all(|line| line.chars().count() <= MAX_SHOWN);
    if is_short { shown.trim_end().to_owned() } else { error.message().to_owned() }
}

/// The presets as a file that [`presets_from_toml`] reads.
pub fn presets_to_toml(presets: &[Preset]) -> String {
    toml::to_string(&FileWritten { preset: presets }).expect("text, numbers and switches have a form in TOML")
}

/// An id made of `name`, that neither a built-in preset nor one of `taken` has.
pub fn unused_id(name: &str, taken: &[Preset]) -> String {
    let mut base = String::new();
    for letter in name.chars() {
        match letter.to_ascii_lowercase() {
            letter @ ('a'..='z' | '0'..='9') => base.push(letter),
            _ if !base.is_empty() && !base.ends_with('-') => base.push('-'),
            _ => {}
        }
    }
    // Room for a number is left.
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
    /// The first that cannot be worked with.
    pub fn check(&self) -> Result<(), PresetFault> {
        if !is_id(&self.id) {
            return Err(PresetFault::Id);
        }
        in_words(PresetText::Name, &self.name, 1, MAX_NAME)?;
        in_words(PresetText::About, &self.description, 0, MAX_WORDS)?;
        in_words(PresetText::Source, self.source.as_deref().unwrap_or_default(), 0, MAX_WORDS)?;
        let rules = self.rules.as_ref();
        in_words(
            PresetText::Background,
            rules.and_then(|rules| rules.background.as_deref()).unwrap_or_default(),
            0,
            MAX_WORDS,
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

fn in_words(what: PresetText, text: &str, min: usize, max: usize) -> Result<(), PresetFault> {
    let letters = text.trim().chars().count();
    let fits = (min..=max).contains(&letters) && !text.chars().any(char::is_control);
    if fits { Ok(()) } else { Err(PresetFault::Words { what, min, max }) }
}

#[cfg(test)]
mod tests;
