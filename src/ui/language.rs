//! The languages of the window.
//!
//! Wording stands in English where it is used: the English sentence is the key under which the other languages' catalogues
//! (`assets/languages/*.toml`) have it, and what is shown where they do not. [`tr`] is for wording without parts that change,
//! [`say!`] for sentences with such parts, [`count!`] for sentences about a number of things, [`mark`] for wording that is kept
//! as it is and translated where it is shown. A test reads these calls out of the sources and holds the catalogues against them.
//!
//! The language belongs to the thread that draws the window, not to the program: windows of tests that run side by side do
//! not change each other's.

mod catalogue;
mod fonts;
mod numbers;
mod system;

use std::cell::Cell;
use std::fmt::Write;

use catalogue::Catalogue;

pub use fonts::Letters;
pub(crate) use fonts::{add_signs, ask_system_for, has_letters};
pub(crate) use numbers::{Argument, decimal, formatter, parse_number, whole};
pub use system::of_system;

use batch::settings::LanguageChoice;

/// A language the window can be shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English, which the sources are written in.
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
    /// Japanese.
    Japanese,
}

thread_local! {
    static CURRENT: Cell<Language> = const { Cell::new(Language::English) };
}

impl Language {
    /// Every language, in the order they are offered.
    pub const ALL: [Self; 5] = [Self::English, Self::German, Self::French, Self::Spanish, Self::Japanese];

    /// The language tag: the catalogue's name.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
            Self::Japanese => "ja",
        }
    }

    /// The language that a person's choice comes to, where the system is in `system`.
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

    /// Which of a catalogue's forms speaks of `number` things.
    const fn form(self, number: usize) -> usize {
        match self {
            Self::English | Self::German | Self::Spanish => (number != 1) as usize,
            Self::French => (number > 1) as usize,
            Self::Japanese => 0,
        }
    }
}

/// The language this thread speaks.
pub(crate) fn current() -> Language {
    CURRENT.get()
}

/// Has this thread speak `language` from now on.
pub(crate) fn set_current(language: Language) {
    CURRENT.set(language);
}

/// `english` in the current language.
pub(crate) fn tr(english: &'static str) -> &'static str {
    exact(english).unwrap_or(english)
}

/// `english` in the current language, where the same English stands for another thing elsewhere; `context` tells which one
/// this is.
pub(crate) fn tr_in(context: &str, english: &'static str) -> &'static str {
    catalogue().and_then(|catalogue| catalogue.within(context, english)).unwrap_or(english)
}

/// What the catalogue has for exactly this text.
fn exact(text: &str) -> Option<&'static str> {
    catalogue().and_then(|catalogue| catalogue.plain(text))
}

/// Marks wording that is kept in English and given to [`tr`] where it is shown: constants, and names that are compared.
pub(crate) const fn mark(english: &'static str) -> &'static str {
    english
}

/// A sentence with parts that change: `say!("{done} of {total}", done = 3, total = 7)`.
///
/// Each name in braces must be given and each one given must be in the sentence, or it does not compile.
macro_rules! say {
    ($english:literal $(, $name:ident = $value:expr)* $(,)?) => {{
        const { assert!($crate::ui::language::fits($english, &[$(stringify!($name)),*])) };
        $crate::ui::language::fill($crate::ui::language::tr($english), &[$((stringify!($name), &$value)),*])
    }};
}

/// A sentence about a number of things, `{n}` in the sentence: `count!(photos, "{n} photo", "{n} photos")`. Other parts that
/// change are given as for [`say!`].
macro_rules! count {
    ($number:expr, $one:literal, $many:literal $(, $name:ident = $value:expr)* $(,)?) => {{
        const { assert!($crate::ui::language::fits($many, &["n" $(, stringify!($name))*])) };
        let number: usize = $number;
        let text = $crate::ui::language::numbered(number, $one, $many);
        $crate::ui::language::fill(text, &[("n", &number) $(, (stringify!($name), &$value))*])
    }};
}

pub(crate) use {count, say};

/// The form of a sentence that speaks of `number` things, in the current language. [`count!`] calls it.
pub(crate) fn numbered(number: usize, one: &'static str, many: &'static str) -> &'static str {
    let english = if Language::English.form(number) == 0 { one } else { many };
    let form = current().form(number);
    catalogue().and_then(|catalogue| catalogue.form(one, form)).unwrap_or(english)
}

/// `text` with what is in braces replaced. What `parts` do not name stays as it is. [`say!`] calls it.
pub(crate) fn fill(text: &str, parts: &[(&str, &dyn Argument)]) -> String {
    let mut filled = String::with_capacity(text.len() + 16);
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) => filled.push_str(text),
            Piece::Part(name) => match parts.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => value.say(&mut filled),
                None => _ = write!(filled, "{{{name}}}"),
            },
        }
    }
    filled
}

/// Text, or the name of a part that changes.
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
        // A brace that opens no name is text.
        let start = usize::from(rest.starts_with('{'));
        let end = rest[start..].find('{').map_or(rest.len(), |at| at + start);
        let (text, after) = rest.split_at(end);
        rest = after;
        (!text.is_empty()).then_some(Piece::Text(text))
    })
}

/// True where the names in the braces of `text` are those in `names`. For [`say!`], when compiling.
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
