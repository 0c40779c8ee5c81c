//! Parts of sentences: numbers, lists, paths, runtimes.

use std::path::Path;

use recipe::RuntimeChoice;

use super::super::language::{decimal, tr};

/// Joins phrases.
pub(crate) fn listed(phrases: &[String]) -> String {
    phrases.join(tr(", "))
}

/// A number with as many decimals as it has.
pub(super) fn plain(number: f64) -> String {
    let text = number.to_string();
    decimal(number, text.split_once('.').map_or(0, |(_, fraction)| fraction.len()))
}

/// The chosen runtime.
pub(crate) fn choice_name(choice: RuntimeChoice) -> &'static str {
    match choice {
        RuntimeChoice::Auto => tr("Auto"),
        RuntimeChoice::Named(kind) => kind.title(),
    }
}

/// A path within a sentence.
pub(super) fn shown(path: &Path) -> String {
    path.display().to_string()
}
