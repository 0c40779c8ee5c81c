//! Translations of the window: every text is in each catalogue, and no text in the sources bypasses them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The catalogues, with the number of plural forms.
const LANGUAGES: [(&str, usize); 4] = [("de", 2), ("fr", 2), ("es", 2), ("ja", 1)];

/// Files that are always in English: their output goes to a terminal or into bug reports.
const ENGLISH: &[&str] = &["diagnostics.rs", "display_server.rs", "notification.rs", "run.rs"];

/// Names that are the same in every language.
const NAMES: &[&str] = &[
    "Iron Cropper",
    // The proposed output folder: the same in every language, so that it is found again.
    "Crops",
    "Iron Cropper {}",
    "{mark}{name} — Iron Cropper",
    "ONNX Runtime",
    "ONNX Runtime, ",
    "English",
    "Deutsch",
    "Français",
    "Español",
    "Noto Sans CJK",
    // Part of a message of the system's loader.
    ": cannot open shared object file",
    // egui's names of keys that are shown as symbols.
    "Questionmark",
    "OpenBracket",
    "CloseBracket",
    "OpenCurlyBracket",
    "CloseCurlyBracket",
    "Plus",
    "Equals",
    "Minus",
    // A class that macOS requires.
    "IronCropperDelegate",
];

/// Functions and macros whose texts are translated.
const TRANSLATORS: &[&str] = &["tr", "tr_in", "mark", "say!", "count!"];

/// Calls whose texts are not shown in the window.
const NOT_SHOWN: &[&str] = &[
    "expect",
    "call",
    "receive_signal",
    "debug_tuple",
    "error!",
    "warn!",
    "info!",
    "debug!",
    "assert!",
    "assert_eq!",
    "unreachable!",
    "include_str!",
    "include_bytes!",
    "env!",
];

/// A string literal in the code.
struct Literal {
    text: String,
    /// The innermost enclosing call, with `!` for a macro.
    call: String,
    /// Its index among that call's literals, from 0.
    place: usize,
    line: usize,
}

/// A text that must be in the catalogues.
#[derive(Debug, PartialEq)]
enum Wording {
    Plain,
    /// With the English plural.
    Counted(String),
}

/// The key: the context if there is one, and the English text.
type Key = (Option<String>, String);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Rust files below `folder`, by relative path.
fn rust_files(folder: &Path) -> BTreeMap<String, String> {
    let (mut files, mut open) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(here) = open.pop() {
        for entry in fs::read_dir(here).expect("readable") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(folder).expect("below").to_string_lossy().replace('\\', "/");
                files.insert(name, fs::read_to_string(&path).expect("text"));
            }
        }
    }
    files
}

fn window_files() -> BTreeMap<String, String> {
    let mut files = rust_files(&root().join("src/ui"));
    files.retain(|name, _| !name.ends_with("tests.rs"));
    files
}

/// The string literals of `code`, without tests, comments and attributes.
fn literals(code: &str) -> Vec<Literal> {
    let code = code.find("#[cfg(test)]\nmod tests").map_or(code, |end| &code[..end]);
    let chars: Vec<char> = code.chars().collect();
    let mut found = Vec::new();
    let mut open: Vec<(String, usize)> = Vec::new();
    let (mut at, mut line, mut word) = (0, 1, String::new());
    while at < chars.len() {
        let c = chars[at];
        let next = chars.get(at + 1).copied().unwrap_or(' ');
        match c {
            '/' if next == '/' => {
                while at < chars.len() && chars[at] != '\n' {
                    at += 1;
                }
                continue;
            }
            '#' if next == '[' => {
                let (mut depth, mut quoted) = (0, false);
                loop {
                    match chars[at] {
                        '\\' => at += 1,
                        '"' => quoted = !quoted,
                        '[' if !quoted => depth += 1,
                        ']' if !quoted => depth -= 1,
                        '\n' => line += 1,
                        _ => {}
                    }
                    at += 1;
                    if depth == 0 && chars[at - 1] == ']' {
                        break;
                    }
                }
                continue;
            }
            '\'' => {
                // A character; anything else is a lifetime.
                let end = if next == '\\' {
                    chars[at + 3..].iter().position(|c| *c == '\'').map(|by| at + 3 + by)
                } else {
                    Some(at + 2)
                };
                if let Some(end) = end.filter(|end| chars.get(*end) == Some(&'\'')) {
                    at = end;
                }
            }
            '"' => {
                let (start, mut text) = (line, String::new());
                at += 1;
                while chars[at] != '"' {
                    match (chars[at], chars[at + 1]) {
                        ('\\', 'n') => text.push('\n'),
                        ('\\', 'u') => {
                            let end = at + chars[at..].iter().position(|c| *c == '}').expect("an end");
                            let code: String = chars[at + 3..end].iter().collect();
                            text.extend(char::from_u32(u32::from_str_radix(&code, 16).expect("a number")));
                            at = end - 1;
                        }
                        ('\\', '\n') => {
                            at += 1;
                            while chars[at + 1].is_whitespace() {
                                at += 1;
                            }
                            at -= 1;
                            line += 1;
                        }
                        ('\\', other) => text.push(other),
                        (other, _) => {
                            text.push(other);
                            at -= 1;
                        }
                    }
                    at += 2;
                }
                let mut top = (String::new(), 0);
                let (call, place) = open.last_mut().unwrap_or(&mut top);
                found.push(Literal { text, call: call.clone(), place: *place, line: start });
                *place += 1;
            }
            '(' | '[' | '{' => open.push((std::mem::take(&mut word), 0)),
            ')' | ']' | '}' => _ = open.pop(),
            '\n' => line += 1,
            _ => {}
        }
        if c.is_alphanumeric() || c == '_' || c == '!' {
            word.push(c);
        } else if c != '(' && c != '[' && c != '{' {
            word.clear();
        }
        at += 1;
    }
    found
}

/// All translatable texts in the window's sources.
fn wordings() -> BTreeMap<Key, Wording> {
    let mut keys = BTreeMap::new();
    for (name, code) in window_files() {
        let literals = literals(&code);
        for (index, literal) in literals.iter().enumerate() {
            let next =
                literals.get(index + 1).filter(|next| next.call == literal.call && next.place == literal.place + 1);
            let text = literal.text.clone();
            match (literal.call.as_str(), literal.place) {
                ("tr" | "mark" | "say!", 0) => _ = keys.insert((None, text), Wording::Plain),
                ("tr_in", 0) => {
                    let english = next.unwrap_or_else(|| panic!("{name}:{}: text with a context", literal.line));
                    keys.insert((Some(text), english.text.clone()), Wording::Plain);
                }
                ("count!", 0) => {
                    let many = next.unwrap_or_else(|| panic!("{name}:{}: a plural", literal.line));
                    keys.insert((None, text), Wording::Counted(many.text.clone()));
                }
                _ => {}
            }
        }
    }
    keys
}

fn catalogue(language: &str) -> BTreeMap<Key, Vec<String>> {
    let path = root().join("assets/languages").join(language).with_extension("toml");
    let table: toml::Table = fs::read_to_string(path).expect("text").parse().expect("TOML");
    let mut entries = BTreeMap::new();
    for (key, value) in table {
        match value {
            toml::Value::String(text) => _ = entries.insert((None, key), vec![text]),
            toml::Value::Array(forms) => {
                let forms = forms.iter().map(|form| form.as_str().expect("a form").to_owned()).collect();
                entries.insert((None, key), forms);
            }
            toml::Value::Table(within) => {
                for (english, text) in within {
                    let text = text.as_str().expect("a message").to_owned();
                    entries.insert((Some(key.clone()), english), vec![text]);
                }
            }
            other => panic!("{language}: {key}: {other}"),
        }
    }
    entries
}

/// The placeholders of a text.
fn parts(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect()
}

#[test]
fn every_text_is_in_each_catalogue() {
    let wordings = wordings();
    assert!(wordings.len() > 400, "the reader of sources finds {}", wordings.len());
    let mut missing = Vec::new();
    for (language, forms) in LANGUAGES {
        let catalogue = catalogue(language);
        for (key, wording) in &wordings {
            let has = catalogue.get(key).map(Vec::len);
            let wanted = if matches!(wording, Wording::Counted(_)) { forms } else { 1 };
            if has != Some(wanted) {
                missing.push(format!("{language}: {key:?}: {wanted} wanted, {has:?} there"));
            }
        }
    }
    assert!(missing.is_empty(), "python3 .ci/languages.py prints them as TOML:\n{}", missing.join("\n"));
}

#[test]
fn no_catalogue_has_unused_entries() {
    let wordings = wordings();
    for (language, _) in LANGUAGES {
        let catalogue = catalogue(language);
        let unused: Vec<&Key> = catalogue.keys().filter(|key| !wordings.contains_key(*key)).collect();
        assert!(unused.is_empty(), "{language}: {unused:?}");
    }
}

#[test]
fn placeholders_are_the_same_in_every_language() {
    let catalogues = LANGUAGES.map(|(language, _)| (language, catalogue(language)));
    let mut faults = Vec::new();
    for (key, wording) in &wordings() {
        let many = if let Wording::Counted(many) = wording { many } else { &key.1 };
        let wanted = parts(many);
        if parts(&key.1) != wanted {
            faults.push(format!("en: {key:?}"));
        }
        for (language, catalogue) in &catalogues {
            let forms = catalogue.get(key).into_iter().flatten();
            faults.extend(forms.filter(|form| parts(form) != wanted).map(|form| format!("{language}: {form:?}")));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn translations_start_and_end_like_the_english_text() {
    for (language, _) in LANGUAGES {
        for ((context, english), forms) in catalogue(language) {
            for form in forms {
                assert!(!form.trim().is_empty(), "{language}: {context:?} {english:?} has no words");
                // A unit is separated from its number by a space, except in Japanese, whose full-width characters have
                // their own spacing.
                let starts = |text: &str| text.starts_with(char::is_whitespace);
                assert!(starts(&english) == starts(&form) || language == "ja", "{language}: {form:?}");
                let ends = |text: &str| text.ends_with('…');
                assert_eq!(ends(&english), ends(&form), "{language}: {english:?} is {form:?}");
            }
        }
    }
}

/// True for text that a user would read: two words, or one with a capital.
fn is_wording(text: &str) -> bool {
    let mut plain = String::new();
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let chars: Vec<char> = plain.chars().collect();
    let two_words =
        chars.windows(3).any(|three| three[0].is_alphabetic() && three[1] == ' ' && three[2].is_alphabetic());
    let mut first = chars.iter();
    let capital = first.next().is_some_and(|c| c.is_uppercase()) && first.next().is_some_and(|c| c.is_lowercase());
    two_words || capital
}

#[test]
fn no_text_bypasses_the_catalogues() {
    let mut faults = Vec::new();
    for (name, code) in window_files() {
        if ENGLISH.contains(&name.as_str()) {
            continue;
        }
        for literal in literals(&code) {
            let call = literal.call.as_str();
            let passes =
                TRANSLATORS.contains(&call) || NOT_SHOWN.contains(&call) || NAMES.contains(&literal.text.as_str());
            if !passes && is_wording(&literal.text) {
                faults.push(format!("src/ui/{name}:{}: {:?}", literal.line, literal.text));
            }
        }
    }
    assert!(faults.is_empty(), "give these to tr, say! or count!:\n{}", faults.join("\n"));
}

#[test]
fn the_source_parser_finds_calls_and_strings() {
    let code = r#"
        #[expect(dead_code, reason = "No words of the window")]
        // tr("in a comment")
        fn f<'a>(c: char) { if c == '"' || c == '\'' { tr("One word"); }
            say!("{n} of {total}", n = tr("inner"), total = "x y");
            count!(list.len(), "{n} face", "{n} faces", name = call("Bare"));
            format!("{kind}: two words \"quoted\" \u{2026}\n");
        }
        #[cfg(test)]
        mod tests_are { }"#;
    let found: Vec<(String, String, usize)> =
        literals(code).into_iter().map(|literal| (literal.call, literal.text, literal.place)).collect();
    let expected = [
        ("tr", "One word", 0),
        ("say!", "{n} of {total}", 0),
        ("tr", "inner", 0),
        ("say!", "x y", 1),
        ("count!", "{n} face", 0),
        ("count!", "{n} faces", 1),
        ("call", "Bare", 0),
        ("format!", "{kind}: two words \"quoted\" …\n", 0),
    ];
    let expected: Vec<(String, String, usize)> =
        expected.into_iter().map(|(call, text, place)| (call.to_owned(), text.to_owned(), place)).collect();
    assert_eq!(found, expected);
    let judged = ["Browse", "two words", "{a} of {b}", "compare-bar", "PNG", "{kind}: {short}", "px"].map(is_wording);
    assert_eq!(judged, [true, true, false, false, false, false, false]);
}
