//! The outputs of a recipe.

use recipe::{IndexFormat, OutputPlace, VariantError};

use super::super::language::{say, tr};

/// Why the outputs of a recipe are not valid.
pub(crate) fn variant_error(error: &VariantError) -> String {
    match error {
        VariantError::Folder { folder } => {
            say!("the folder {folder} of an output is not a path below the output folder", folder = folder)
        }
        VariantError::Suffix { suffix } => {
            say!("the name suffix {suffix} of an output contains a path separator", suffix = suffix)
        }
        VariantError::SamePlace { first, second } => say!(
            "outputs {first} and {second} would write the same names: give one of them another folder or name suffix",
            first = *first,
            second = *second
        ),
        VariantError::TooMany { max } => say!("there are more than {max} outputs", max = *max),
    }
}

/// The name of an output: its folder, or else that of its preset, and its suffix.
pub(crate) fn output_name(place: &OutputPlace, preset: Option<String>) -> String {
    let of_preset = || preset.unwrap_or_else(|| tr("Custom").to_owned());
    let name = if place.folder.is_empty() { of_preset() } else { place.folder.clone() };
    if place.suffix.is_empty() { name } else { format!("{name} …{}", place.suffix) }
}

/// The format of the index; `None` for no index.
pub(crate) fn index_format(format: Option<IndexFormat>) -> &'static str {
    format.map_or_else(|| tr("Off"), IndexFormat::name)
}
