//! The languages of the window.
//!
//! Texts are written in English in the source. The English sentence is the key in the catalogues of the other languages
//! (`assets/languages/*.toml`), and the fallback if a catalogue lacks it. [`tr`] translates constant texts, [`say!`]
//! sentences with placeholders, and [`count!`] sentences with a plural. [`mark`] marks a text that is stored in English and
//! translated when shown. A test extracts these calls from the sources and compares them with the catalogues.
//!
//! The language is a property of the thread that draws the window, so that windows of tests running in parallel do not
//! affect each other.

mod catalogue;
mod fonts;
mod numbers;
mod system;

use std::cell::Cell;
use std::fmt::Write;

use catalogue::Catalogue;

pub use fonts::FontFallback;
pub(crate) use fonts::{add_symbols, fonts_have_glyphs, request_system_fonts};
pub(crate) use numbers::{Argument, decimal, formatter, integer, parse_number};
pub use system::of_system;

use batch::settings::LanguageChoice;

/// A language of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English, the language of the sources.
    English,
    German,
    French,
    Spanish,
    Japanese,
}

thread_local! {
    static CURRENT: Cell<Language> = const { Cell::new(Language::English) };
}

impl Language {
    /// Every language, in the order offered.
    pub const ALL: [Self; 5] = [Self::English, Self::German, Self::French, Self::Spanish, Self::Japanese];

    /// The language tag, which is also the catalogue's name.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
            Self::Japanese => "ja",
        }
    }

    /// The language for a choice, given that of the system.
    pub(crate) const fn chosen(choice: LanguageChoice, system: Self) -> Self {
        match choice {
            LanguageChoice::System => system,
            LanguageChoice::English => Self::English,
            LanguageChoice::German => Self::German,
            LanguageChoice::French => Self::French,
            LanguageChoice::Spanish => Self::Spanish,
            LanguageChoice::Japanese => Self::Japanese,
        }
    }

    /// Index of the catalogue's plural form for `number`.
    const fn form(self, number: usize) -> usize {
        match self {
            Self::English | Self::German | Self::Spanish => (number != 1) as usize,
            Self::French => (number > 1) as usize,
            Self::Japanese => 0,
        }
    }
}

/// The language of this thread.
pub(crate) fn current() -> Language {
    CURRENT.get()
}

/// Sets the language of this thread.
pub(crate) fn set_current(language: Language) {
    CURRENT.set(language);
}

/// Translates `english` to the current language.
pub(crate) fn tr(english: &'static str) -> &'static str {
    exact(english).unwrap_or(english)
}

/// Translates `english` if the same English text has different translations; `context` selects the one.
pub(crate) fn tr_in(context: &str, english: &'static str) -> &'static str {
    catalogue().and_then(|catalogue| catalogue.within(context, english)).unwrap_or(english)
}

/// The catalogue's entry for exactly this text.
fn exact(text: &str) -> Option<&'static str> {
    catalogue().and_then(|catalogue| catalogue.plain(text))
}

/// Marks text that is stored in English and passed to [`tr`] when shown: constants, and names that are compared.
pub(crate) const fn mark(english: &'static str) -> &'static str {
    english
}

/// A translated sentence with placeholders: `say!("{done} of {total}", done = 3, total = 7)`.
///
/// Compiles only if placeholders and arguments match.
macro_rules! say {
    ($english:literal $(, $name:ident = $value:expr)* $(,)?) => {{
        const { assert!($crate::ui::language::fits($english, &[$(stringify!($name)),*])) };
        $crate::ui::language::fill($crate::ui::language::tr($english), &[$((stringify!($name), &$value)),*])
    }};
}

/// A translated sentence about a number of things, `{n}` in the sentence: `count!(photos, "{n} photo", "{n} photos")`.
/// Other arguments are passed as for [`say!`].
macro_rules! count {
    ($number:expr, $one:literal, $many:literal $(, $name:ident = $value:expr)* $(,)?) => {{
        const { assert!($crate::ui::language::fits($many, &["n" $(, stringify!($name))*])) };
        let number: usize = $number;
        let text = $crate::ui::language::numbered(number, $one, $many);
        $crate::ui::language::fill(text, &[("n", &number) $(, (stringify!($name), &$value))*])
    }};
}

pub(crate) use {count, say};

/// The plural form of a sentence for `number`, in the current language. Used by [`count!`].
pub(crate) fn numbered(number: usize, one: &'static str, many: &'static str) -> &'static str {
    let english = if Language::English.form(number) == 0 { one } else { many };
    let form = current().form(number);
    catalogue().and_then(|catalogue| catalogue.form(one, form)).unwrap_or(english)
}

/// `text` with its placeholders replaced. Placeholders without an argument stay unchanged. Used by [`say!`].
pub(crate) fn fill(text: &str, parts: &[(&str, &dyn Argument)]) -> String {
    let mut filled = String::with_capacity(text.len() + 16);
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) => filled.push_str(text),
            Piece::Part(name) => match parts.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => value.write(&mut filled),
                None => _ = write!(filled, "{{{name}}}"),
            },
        }
    }
    filled
}

/// Text, or the name of a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'a> {
    Text(&'a str),
    Part(&'a str),
}

fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if let Some((name, after)) = rest.strip_prefix('{').and_then(|inside| inside.split_once('}')) {
            rest = after;
            return Some(Piece::Part(name));
        }
        // A brace that opens no placeholder is text.
        let start = usize::from(rest.starts_with('{'));
        let end = rest[start..].find('{').map_or(rest.len(), |at| at + start);
        let (text, after) = rest.split_at(end);
        rest = after;
        (!text.is_empty()).then_some(Piece::Text(text))
    })
}

/// True if the placeholders of `text` are exactly `names`. Evaluated at compile time, for [`say!`].
pub(crate) const fn fits(text: &str, names: &[&str]) -> bool {
    let bytes = text.as_bytes();
    let mut index = 0;
    while index < names.len() {
        if !holds(bytes, names[index].as_bytes()) {
            return false;
        }
        index += 1;
    }
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'{' {
            let (mut known, mut index) = (false, 0);
            while index < names.len() {
                known |= is_part_at(bytes, at, names[index].as_bytes());
                index += 1;
            }
            if !known {
                return false;
            }
        }
        at += 1;
    }
    true
}

const fn holds(text: &[u8], name: &[u8]) -> bool {
    let mut at = 0;
    while at < text.len() {
        if is_part_at(text, at, name) {
            return true;
        }
        at += 1;
    }
    false
}

const fn is_part_at(text: &[u8], at: usize, name: &[u8]) -> bool {
    if at + name.len() + 1 >= text.len() || text[at] != b'{' || text[at + name.len() + 1] != b'}' {
        return false;
    }
    let mut index = 0;
    while index < name.len() {
        if text[at + 1 + index] != name[index] {
            return false;
        }
        index += 1;
    }
    true
}

fn catalogue() -> Option<&'static Catalogue> {
    Catalogue::of(current())
}

#[cfg(test)]
mod tests;
