//! The user's choice of a device.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The device of a runtime with several devices.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DeviceChoice {
    /// Its number, from 0. Each runtime numbers the devices itself.
    Number(u32),
    /// Its name, or a part that no other device's name has.
    Named(String),
}

impl DeviceChoice {
    /// The largest number. Texts of larger ones are parts of names, such as 4070.
    pub const MAX_NUMBER: u32 = 63;
}

impl Default for DeviceChoice {
    fn default() -> Self {
        Self::Number(0)
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Named(name) => f.write_str(name),
        }
    }
}

/// The text is neither a number nor a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a device; give its number, from 0, or a part of its name")]
pub struct DeviceChoiceError {
    /// The rejected text.
    pub text: String,
}

impl FromStr for DeviceChoice {
    type Err = DeviceChoiceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.trim();
        if name.is_empty() || name.starts_with('-') {
            return Err(DeviceChoiceError { text: text.to_owned() });
        }
        match name.parse() {
            Ok(number) if number <= Self::MAX_NUMBER => Ok(Self::Number(number)),
            _ => Ok(Self::Named(name.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RuntimeOptions;

    #[test]
    fn small_numbers_are_numbers_and_other_texts_are_names() {
        let parsed = |text: &str| text.parse::<DeviceChoice>();
        let named = |name: &str| Ok(DeviceChoice::Named(name.to_owned()));
        for (text, number) in [("0", 0), (" 1 ", 1), ("63", 63)] {
            assert_eq!(parsed(text), Ok(DeviceChoice::Number(number)), "{text}");
        }
        for name in ["4070", "RTX 4070", "64", "99999999999"] {
            assert_eq!(parsed(name), named(name));
        }
        assert_eq!(parsed(" Arc A770\t"), named("Arc A770"));
        for wrong in ["", "  ", "-1", "-0.5"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
        for choice in [DeviceChoice::Number(3), DeviceChoice::Named("Radeon RX 6800".to_owned())] {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
    }

    #[test]
    fn settings_hold_a_number_or_a_name() {
        let read = |text: &str| toml::from_str::<RuntimeOptions>(&format!("device = {text}")).ok().map(|it| it.device);
        assert_eq!(read("1"), Some(DeviceChoice::Number(1)));
        assert_eq!(read("\"RTX\""), Some(DeviceChoice::Named("RTX".to_owned())));
        assert_eq!((read("-1"), read("[]"), read("1.5")), (None, None, None));
        let written = toml::to_string(&RuntimeOptions::default()).expect("TOML");
        assert!(written.contains("device = 0\n"), "{written}");
    }
}
