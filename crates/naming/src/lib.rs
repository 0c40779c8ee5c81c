//! File names of crops, from a template or from a list with a name for each photo.
//!
//! - A [`NameTemplate`] is text with fields, such as `{name}_{index:4}`; [`NameTemplate::name`] expands it with the facts
//!   about a photo ([`PhotoName`]) and a crop ([`CropFacts`]). Field values never contain path separators and are made
//!   valid on every system ([`portable`], [`shortened`]). Errors in a template are [`TemplateError`]s with their position.
//! - [`find_clashes`] finds photos whose crops would get the same name, before anything is written; [`fold`] maps names
//!   that are equal on a case-insensitive file system to the same text.
//! - [`name_list`] reads tables (CSV, TSV, XLSX, XLS, ODS), detects the columns, and matches rows to photos by name. A
//!   [`Roster`] is a list matched with photos; [`name_photos`] combines it with cards and the user's corrections.
//! - [`NamesSpec`] holds all settings as plain data.
//!
//! Except for reading a list, this crate does no I/O. Existing files are checked when names are claimed, in the crate
//! `pipeline`.

mod ascii;
mod cards;
mod clash;
mod expand;
mod fault;
mod field;
mod fold;
mod moment;
pub mod name_list;
mod photos;
mod roster;
mod safe;
mod spec;
mod template;

pub use clash::{Clash, PlannedPhoto, find_clashes};
pub use expand::{CropFacts, OutputName, PhotoName, output_stem};
pub use fault::{TemplateError, TemplateFault};
pub use fold::{fold, fold_text};
pub use photos::{NamedBy, NamedPhoto, NamedPhotos, PhotoEntry, name_photos};
pub use roster::Roster;
pub use safe::{MAX_NAME_BYTES, portable, shortened};
pub use spec::{Characters, Folders, ListSpec, Missing, NamesSpec};
pub use template::NameTemplate;
