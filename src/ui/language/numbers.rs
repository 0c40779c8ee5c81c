//! Number formats of the current language.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::RangeInclusive;

use egui::style::NumberFormatter;

use geometry::Size;
use recipe::BackendKind;

use super::{Language, current};

/// A value that can be an argument of a sentence. Floats cannot, because the number of decimals must be given: use
/// [`decimal`].
pub(crate) trait Argument {
    /// Appends the value to `text`, formatted for the current language.
    fn write(&self, text: &mut String);
}

macro_rules! whole_numbers {
    ($($kind:ty)*) => {
        $(impl Argument for $kind {
            fn write(&self, text: &mut String) {
                push_integer(text, &self.to_string());
            }
        })*
    };
}

whole_numbers!(u8 u16 u32 u64 usize i32 i64);

impl Argument for str {
    fn write(&self, text: &mut String) {
        text.push_str(self);
    }
}

impl Argument for String {
    fn write(&self, text: &mut String) {
        text.push_str(self);
    }
}

impl Argument for Cow<'_, str> {
    fn write(&self, text: &mut String) {
        text.push_str(self);
    }
}

impl<T: Argument + ?Sized> Argument for &T {
    fn write(&self, text: &mut String) {
        (**self).write(text);
    }
}

impl Argument for BackendKind {
    fn write(&self, text: &mut String) {
        text.push_str(self.title());
    }
}

/// Sizes in pixels are never written with group separators.
impl Argument for Size {
    fn write(&self, text: &mut String) {
        let _ = write!(text, "{self}");
    }
}

impl Language {
    const fn decimal_separator(self) -> char {
        match self {
            Self::English | Self::Japanese => '.',
            Self::German | Self::French | Self::Spanish => ',',
        }
    }

    /// Separator between groups of three digits.
    const fn group_separator(self) -> char {
        match self {
            Self::English | Self::Japanese => ',',
            Self::German => '.',
            Self::French | Self::Spanish => '\u{202f}',
        }
    }

    /// Minimum number of digits that are grouped (CLDR: Spanish does not group four digits).
    const fn grouped_from(self) -> usize {
        if matches!(self, Self::Spanish) { 5 } else { 4 }
    }
}

fn push_integer(text: &mut String, number: &str) {
    let digits = number.strip_prefix('-').unwrap_or(number);
    text.push_str(&number[..number.len() - digits.len()]);
    let language = current();
    for (index, digit) in digits.chars().enumerate() {
        let left = digits.len() - index;
        if index > 0 && left.is_multiple_of(3) && digits.len() >= language.grouped_from() {
            text.push(language.group_separator());
        }
        text.push(digit);
    }
}

/// Formats a whole number.
pub(crate) fn integer(number: impl Argument) -> String {
    let mut text = String::new();
    number.write(&mut text);
    text
}

/// Formats a number with a fixed number of decimals.
pub(crate) fn decimal(number: impl Into<f64>, decimals: usize) -> String {
    // Avoids -0.
    let text = format!("{:.decimals$}", number.into() + 0.0);
    let (integer, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut formatted = String::with_capacity(text.len() + 2);
    if integer.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        push_integer(&mut formatted, integer);
    } else {
        formatted.push_str(integer);
    }
    if !fraction.is_empty() {
        formatted.push(current().decimal_separator());
        formatted.push_str(fraction);
    }
    formatted
}

/// Formatter for egui's sliders and number fields. Without groups, which would hinder typing.
pub(crate) fn formatter() -> NumberFormatter {
    NumberFormatter::new(|number, decimals: RangeInclusive<usize>| {
        let text = egui::emath::format_with_decimals_in_range(number, decimals);
        text.replace('.', current().decimal_separator().encode_utf8(&mut [0; 4]))
    })
}

/// Parses a typed number: with the current language's separators, or with a decimal point if that is unambiguous.
pub(crate) fn parse_number(text: &str) -> Option<f64> {
    let language = current();
    let mut plain = String::with_capacity(text.len());
    let is_decimal_point = language.decimal_separator() == ',' && !text.contains(',') && text.matches('.').count() == 1;
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        match c {
            '−' => plain.push('-'),
            '.' if is_decimal_point => plain.push('.'),
            c if c == language.decimal_separator() => plain.push('.'),
            ',' | '.' => {}
            // Japanese keyboards also produce full-width digits.
            '０'..='９' => plain.extend(char::from_u32(c as u32 - '０' as u32 + u32::from(b'0'))),
            c => plain.push(c),
        }
    }
    plain.parse().ok().filter(|number: &f64| number.is_finite())
}
