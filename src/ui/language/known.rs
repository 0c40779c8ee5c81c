//! Sentences that were made elsewhere: the rooms below the window and the command line speak English, in errors above all.
//!
//! They come as finished text. Where that is one of ours, listed in [`SENTENCES`], its parts are found again by the words
//! between them and put into the translation. What is not listed was said by a library or the system and is quoted as it is.

use std::sync::OnceLock;

use super::{Language, Piece, Said, current, decimal, exact, fill, pieces, tr};
use crate::ui::words::SENTENCES;

/// `text` in the current language as far as it is known.
pub(crate) fn known(text: &str) -> String {
    if current() == Language::English {
        return text.to_owned();
    }
    if let Some(text) = exact(text) {
        return text.to_owned();
    }
    let found = patterns().iter().find_map(|pattern| Some((*pattern, parts_of(pattern, text)?)));
    let Some((pattern, parts)) = found else { return text.to_owned() };
    let parts: Vec<(&str, String)> = parts.into_iter().map(|(name, part)| (name, part_in_words(part, text))).collect();
    let parts: Vec<(&str, &dyn Said)> = parts.iter().map(|(name, part)| (*name, part as &dyn Said)).collect();
    fill(tr(pattern), &parts)
}

/// The sentences, those with the most words of their own first: what fits one of them may also fit one that says less.
fn patterns() -> &'static [&'static str] {
    static SORTED: OnceLock<Vec<&'static str>> = OnceLock::new();
    SORTED.get_or_init(|| {
        let letters = |pattern: &str| -> usize {
            pieces(pattern).map(|piece| if let Piece::Text(text) = piece { text.len() } else { 0 }).sum()
        };
        let mut sorted = SENTENCES.to_vec();
        sorted.sort_by_key(|pattern| std::cmp::Reverse(letters(pattern)));
        sorted
    })
}

/// A part may be a number, a sentence that is known itself, or a name.
fn part_in_words(part: &str, whole: &str) -> String {
    let decimals = part.split_once('.').filter(|(whole, fraction)| {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits(whole.trim_start_matches('-')) && digits(fraction)
    });
    match (decimals, part.parse::<f64>()) {
        (Some((_, fraction)), Ok(number)) => decimal(number, fraction.len()),
        _ if part.len() < whole.len() => known(part),
        _ => part.to_owned(),
    }
}

/// The parts of `text` where it is made by `pattern`. A part ends where the words behind it first come.
fn parts_of<'a>(pattern: &'static str, text: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
    let (mut rest, mut parts, mut open) = (text, Vec::new(), None);
    for piece in pieces(pattern) {
        match (piece, open) {
            (Piece::Text(words), None) => rest = rest.strip_prefix(words)?,
            (Piece::Text(words), Some(name)) => {
                let (part, after) = rest.split_once(words)?;
                parts.push((name, part));
                (rest, open) = (after, None);
            }
            (Piece::Part(name), _) => open = Some(name),
        }
    }
    match open {
        Some(name) => parts.push((name, rest)),
        None if rest.is_empty() => {}
        None => return None,
    }
    // An empty part means that the text is made otherwise.
    parts.iter().all(|(_, part)| !part.is_empty()).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::super::set_current;
    use super::*;

    #[test]
    fn sentences_are_found_by_their_words_and_their_parts_translated_too() {
        set_current(Language::German);
        assert_eq!(
            known("the file cannot be read: the file is empty"),
            "die Datei kann nicht gelesen werden: die Datei ist leer"
        );
        assert_eq!(known("a library's own words"), "a library's own words");
        assert_eq!(known("the file cannot be read: "), "the file cannot be read: ", "nothing stands for a part");
        assert_eq!(known(""), "");
        set_current(Language::English);
        assert_eq!(known("the file is empty"), "the file is empty");
    }

    #[test]
    fn what_rooms_say_in_earnest_is_known_in_every_language() {
        use geometry::Size;
        use outcome::{BackendError, DecodeError, EncodeError, LibraryError};
        use recipe::{BackendKind, OutputFormat};
        let io = || std::io::Error::other("os words");
        let path = || std::path::PathBuf::from("/some/where.onnx");
        let limit = 40_000_000;
        let said: Vec<String> = vec![
            DecodeError::Unreadable(io()).to_string(),
            DecodeError::Empty.to_string(),
            DecodeError::NotAFile.to_string(),
            DecodeError::UnknownFormat { found: None }.to_string(),
            DecodeError::TooManyPixels { size: Size::new(9000, 9000), limit }.to_string(),
            DecodeError::TooMuchMemory { bytes: 90_000_000, limit }.to_string(),
            DecodeError::FileTooLarge { bytes: 90_000_000, limit }.to_string(),
            DecodeError::Broken { format: "PNG", reason: "a library's words".to_owned() }.to_string(),
            DecodeError::Unsupported { format: "TIFF", reason: "a library's words".to_owned() }.to_string(),
            EncodeError::TooLarge { format: OutputFormat::Png, kilobytes_needed: 1200, limit: 500 }.to_string(),
            LibraryError::NotFound.to_string(),
            LibraryError::NotThere { path: path() }.to_string(),
            LibraryError::OtherLibrary { path: path() }.to_string(),
            LibraryError::RestartToApply { path: path(), loaded: "/other".into() }.to_string(),
            BackendError::NotIncluded { kind: BackendKind::Rten }.to_string(),
            BackendError::NotAModel { path: path() }.to_string(),
            BackendError::Run { kind: BackendKind::Rten, reason: "its words".to_owned() }.to_string(),
        ];
        for language in Language::ALL.into_iter().filter(|language| *language != Language::English) {
            set_current(language);
            for text in &said {
                let told = known(text);
                assert_ne!(told, *text, "{language:?}");
                assert!(!told.contains('{'), "{language:?}: {told}");
            }
        }
        set_current(Language::English);
    }
}
