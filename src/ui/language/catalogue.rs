//! Translations of the English texts: the files in `assets/languages`, embedded in the program.
//!
//! A file is a list of `"English" = "translation"`. Sentences with a plural have the English singular as their key and an
//! array of the language's plural forms as value. The table `[context]` holds texts for [`tr_in`](super::tr_in).

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::Deserialize;

use super::Language;

/// The texts of one language.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    plain: HashMap<String, String>,
    forms: HashMap<String, Vec<String>>,
    within: HashMap<(String, String), String>,
}

/// The value of a key.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Plain(String),
    Forms(Vec<String>),
    Context(HashMap<String, String>),
}

impl Catalogue {
    /// The catalogue of `language`, parsed on first use; `None` for English.
    pub(super) fn of(language: Language) -> Option<&'static Self> {
        static READ: [OnceLock<Catalogue>; 4] = [const { OnceLock::new() }; 4];
        let (place, text) = match language {
            Language::English => return None,
            Language::German => (0, include_str!("../../../assets/languages/de.toml")),
            Language::French => (1, include_str!("../../../assets/languages/fr.toml")),
            Language::Spanish => (2, include_str!("../../../assets/languages/es.toml")),
            Language::Japanese => (3, include_str!("../../../assets/languages/ja.toml")),
        };
        let read = || {
            Self::read(text).unwrap_or_else(|error| {
                tracing::error!(%error, language = language.tag(), "the catalogue cannot be read");
                Self::default()
            })
        };
        Some(READ[place].get_or_init(read))
    }

    pub(super) fn read(text: &str) -> Result<Self, toml::de::Error> {
        let entries: HashMap<String, Entry> = toml::from_str(text)?;
        let mut catalogue = Self::default();
        for (key, entry) in entries {
            match entry {
                Entry::Plain(text) => _ = catalogue.plain.insert(key, text),
                Entry::Forms(forms) => _ = catalogue.forms.insert(key, forms),
                Entry::Context(entries) => {
                    catalogue.within.extend(entries.into_iter().map(|(english, text)| ((key.clone(), english), text)));
                }
            }
        }
        Ok(catalogue)
    }

    pub(super) fn plain(&self, english: &str) -> Option<&str> {
        self.plain.get(english).map(String::as_str)
    }

    pub(super) fn form(&self, one: &str, form: usize) -> Option<&str> {
        self.forms.get(one)?.get(form).map(String::as_str)
    }

    pub(super) fn within(&self, context: &str, english: &str) -> Option<&str> {
        self.within.get(&(context.to_owned(), english.to_owned())).map(String::as_str)
    }
}
