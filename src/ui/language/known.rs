//! Sentences that were made elsewhere: the rooms below the window and the command line speak English, in errors above all.
//!
//! They come as finished text. Where that is one of ours, listed in [`SENTENCES`] or a text of the built-in presets, its parts are found again by the words
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
