//! Numbers as the current language writes them.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::RangeInclusive;

use egui::style::NumberFormatter;

use geometry::Size;
use recipe::BackendKind;

use super::{Language, current};

/// A thing that has its place in a sentence. Fractions have none: how many decimals they are told with is for [`decimal`].
pub(crate) trait Argument {
    /// Writes it to the end of `text`, as the current language does.
    fn say(&self, text: &mut String);
}

macro_rules! whole_numbers {
    ($($kind:ty)*) => {
        $(impl Argument for $kind {
            fn say(&self, text: &mut String) {
                push_whole(text, &self.to_string());
            }
        })*
    };
}

whole_numbers!(u8 u16 u32 u64 usize i32 i64);

impl Argument for str {
    fn say(&self, text: &mut String) {
        text.push_str(self);
    }
}

impl Argument for String {
    fn say(&self, text: &mut String) {
        text.push_str(self);
    }
}

impl Argument for Cow<'_, str> {
    fn say(&self, text: &mut String) {
        text.push_str(self);
    }
}

impl<T: Argument + ?Sized> Argument for &T {
    fn say(&self, text: &mut String) {
        (**self).say(text);
    }
}

impl Argument for BackendKind {
    fn say(&self, text: &mut String) {
        text.push_str(self.title());
    }
}

/// Pixels, whose digits are nowhere put in groups.
impl Argument for Size {
    fn say(&self, text: &mut String) {
        let _ = write!(text, "{self}");
    }
}

impl Language {
    const fn decimal_sign(self) -> char {
        match self {
            Self::English | Self::Japanese => '.',
            Self::German | Self::French | Self::Spanish => ',',
        }
    }

    /// Between groups of three digits.
    const fn group_sign(self) -> char {
        match self {
            Self::English | Self::Japanese => ',',
            Self::German => '.',
            Self::French | Self::Spanish => '\u{202f}',
        }
    }

    /// The fewest digits that are put in groups (CLDR: the Spanish leave four together).
    const fn grouped_from(self) -> usize {
        if matches!(self, Self::Spanish) { 5 } else { 4 }
    }
}

fn push_whole(text: &mut String, number: &str) {
    let digits = number.strip_prefix('-').unwrap_or(number);
    text.push_str(&number[..number.len() - digits.len()]);
    let language = current();
    for (index, digit) in digits.chars().enumerate() {
        let left = digits.len() - index;
        if index > 0 && left.is_multiple_of(3) && digits.len() >= language.grouped_from() {
            text.push(language.group_sign());
        }
        text.push(digit);
    }
}

/// A whole number.
pub(crate) fn whole(number: impl Argument) -> String {
    let mut text = String::new();
    number.say(&mut text);
    text
}

/// A number with so many decimals.
pub(crate) fn decimal(number: impl Into<f64>, decimals: usize) -> String {
    // Minus zero would be told as -0.
    let text = format!("{:.decimals$}", number.into() + 0.0);
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut said = String::with_capacity(text.len() + 2);
    if whole.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        push_whole(&mut said, whole);
    } else {
        said.push_str(whole);
    }
    if !fraction.is_empty() {
        said.push(current().decimal_sign());
        said.push_str(fraction);
    }
    said
}

/// What egui writes into sliders and number fields with. No groups: they would stand in the way of typing.
pub(crate) fn formatter() -> NumberFormatter {
    NumberFormatter::new(|number, decimals: RangeInclusive<usize>| {
        let text = egui::emath::format_with_decimals_in_range(number, decimals);
        text.replace('.', current().decimal_sign().encode_utf8(&mut [0; 4]))
    })
}

/// A number typed: by the current language's signs, and with a point for the decimals wherever that is clear.
pub(crate) fn parse_number(text: &str) -> Option<f64> {
    let language = current();
    let mut plain = String::with_capacity(text.len());
    let is_decimal_point = language.decimal_sign() == ',' && !text.contains(',') && text.matches('.').count() == 1;
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        match c {
            '−' => plain.push('-'),
            '.' if is_decimal_point => plain.push('.'),
            c if c == language.decimal_sign() => plain.push('.'),
            ',' | '.' => {}
            // Japanese keyboards also give wide digits.
            '０'..='９' => plain.extend(char::from_u32(c as u32 - '０' as u32 + u32::from(b'0'))),
            c => plain.push(c),
        }
    }
    plain.parse().ok().filter(|number: &f64| number.is_finite())
}
