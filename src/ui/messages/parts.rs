//! Parts of sentences: numbers, lists, paths, runtimes.

use std::path::Path;

use outcome::Device;
use recipe::{DeviceChoice, RuntimeChoice};

use super::super::language::{decimal, say, tr};

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

/// The chosen device, by its name if `devices` has it.
pub(crate) fn device(choice: &DeviceChoice, devices: &[Device]) -> String {
    let number = match choice {
        DeviceChoice::Named(name) => return name.clone(),
        DeviceChoice::Number(number) => *number,
    };
    let known = devices.iter().find(|known| known.number == number);
    known.map_or_else(|| say!("{number}: not found", number = number), ToString::to_string)
}

/// A path within a sentence.
pub(super) fn shown(path: &Path) -> String {
    path.display().to_string()
}
