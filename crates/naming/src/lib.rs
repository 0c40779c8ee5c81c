//! What crops are called: by a template, or by a list that names each photo.
//!
//! A [`NameTemplate`] is text with fields (`{name}_{n}`); [`output_stem`] fills it in from what is known of a photo ([`PhotoName`]) and of
//! a crop ([`CropFacts`]). What a field comes to never leads into another folder, and is made safe on every system
//! ([`portable`], [`shortened`]). [`find_clashes`] finds names that would be given twice, before anything is written; [`fold`] says
//! which names are one on file systems that fold case.
//!
//! [`name_list`] reads tables (CSV, TSV, XLSX), finds out which column names the photo, and matches rows to photos by name.
//!
//! All of it is pure text. What is on the disk is looked at where names are claimed, in the crate `pipeline`.

mod clash;
mod expand;
mod fault;
mod field;
mod fold;
mod moment;
pub mod name_list;
mod safe;
mod template;

pub use clash::{Clash, PlannedPhoto, find_clashes};
pub use expand::{CropFacts, OutputName, PhotoName, output_stem};
pub use fault::{TemplateError, TemplateFault};
pub use fold::{fold, fold_text};
pub use moment::Moment;
pub use safe::{MAX_NAME_BYTES, portable, shortened};
pub use template::NameTemplate;
