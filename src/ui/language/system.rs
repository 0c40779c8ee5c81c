//! The language of the system.

use super::Language;

/// The first of the system's preferred languages that the window supports; else English.
pub fn of_system() -> Language {
    #[cfg(any(target_os = "windows", target_os = "macos"))]
    return first_known(sys_locale::get_locales());
    #[cfg(not(any(target_os = "windows", target_os = "macos")))]
    of_environment(|name| std::env::var(name).ok())
}

/// The language from POSIX variables, including GNU's `LANGUAGE`.
#[cfg(any(test, not(any(target_os = "windows", target_os = "macos"))))]
fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Language {
    let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(set).unwrap_or_default();
    // The C locale is set to get the same output on every machine.
    if ["", "C", "POSIX"].contains(&locale.split(['.', '@']).next().unwrap_or_default()) {
        return Language::English;
    }
    let wished = variable("LANGUAGE").unwrap_or_default();
    let wished = wished.split(':').filter(|wish| !wish.is_empty()).map(str::to_owned);
    first_known(wished.chain([locale]))
}

fn first_known(locales: impl IntoIterator<Item = String>) -> Language {
    locales.into_iter().find_map(|locale| of_locale(&locale)).unwrap_or(Language::English)
}

/// The language of a locale such as `de_AT.UTF-8` or `de-AT`.
fn of_locale(locale: &str) -> Option<Language> {
    let tag = locale.split(['_', '-', '.', '@']).next()?;
    Language::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Language {
        let value = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string());
        of_environment(value)
    }

    #[test]
    fn the_language_comes_from_the_environment() {
        assert_eq!(with(&[]), Language::English);
        assert_eq!(with(&[("LANG", "de_AT.UTF-8")]), Language::German);
        assert_eq!(with(&[("LANG", "de_DE.UTF-8"), ("LC_MESSAGES", "fr_CA.UTF-8")]), Language::French);
        assert_eq!(with(&[("LANG", "de_DE"), ("LC_ALL", "ja_JP.eucJP"), ("LC_MESSAGES", "fr_FR")]), Language::Japanese);
        assert_eq!(with(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "")]), Language::German);
        assert_eq!(with(&[("LANG", "pt_BR.UTF-8")]), Language::English);
    }

    #[test]
    fn language_overrides_lang_except_in_the_c_locale() {
        let wishes = ("LANGUAGE", "pt_BR:es:de");
        assert_eq!(with(&[wishes, ("LANG", "pt_BR.UTF-8")]), Language::Spanish);
        for plain in ["C", "POSIX", "C.UTF-8"] {
            assert_eq!(with(&[wishes, ("LC_ALL", plain), ("LANG", "de_DE.UTF-8")]), Language::English);
        }
    }

    #[test]
    fn hyphenated_language_tags_are_parsed() {
        let locales = |tags: &[&str]| tags.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(first_known(locales(&["ES-mx", "en-US"])), Language::Spanish);
        assert_eq!(first_known(locales(&["ja"])), Language::Japanese);
        assert_eq!(first_known(locales(&["zh-Hans", "fr-FR"])), Language::French);
        assert_eq!(first_known(locales(&["est", ""])), Language::English);
    }
}
