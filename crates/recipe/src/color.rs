//! An opaque fill colour.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An opaque sRGB colour, written `#RRGGBB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Color {
    /// Red, green and blue, 0 to 255 each.
    pub rgb: [u8; 3],
}

impl Color {
    /// White, required by most document rules.
    pub const WHITE: Self = Self { rgb: [255, 255, 255] };

    /// True if red, green and blue are equal.
    pub const fn is_grey(self) -> bool {
        let [red, green, blue] = self.rgb;
        red == green && green == blue
    }
}

/// The text is not of the form `#RRGGBB`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a colour; write it as #RRGGBB, for example #FFFFFF")]
pub struct ColorError {
    /// The rejected text.
    pub text: String,
}

impl FromStr for Color {
    type Err = ColorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ColorError { text: text.to_owned() };
        let digits = text.strip_prefix('#').unwrap_or(text);
        if digits.len() != 6 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let value = u32::from_str_radix(digits, 16).map_err(|_| wrong())?;
        let [_, red, green, blue] = value.to_be_bytes();
        Ok(Self { rgb: [red, green, blue] })
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.rgb;
        write!(f, "#{red:02X}{green:02X}{blue:02X}")
    }
}

impl TryFrom<String> for Color {
    type Error = ColorError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Color> for String {
    fn from(color: Color) -> Self {
        color.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_parsed_and_formatted() {
        assert_eq!("#ff8000".parse(), Ok(Color { rgb: [255, 128, 0] }));
        assert_eq!(Color { rgb: [255, 128, 0] }.to_string(), "#FF8000");
        for wrong in ["", "#fff", "#12345é", "red", "#-12345"] {
            assert!(wrong.parse::<Color>().is_err(), "{wrong}");
        }
    }
}
