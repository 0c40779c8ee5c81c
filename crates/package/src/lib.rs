//! What is handed over with crops: an index, a zip file, contact sheets.
//!
//! - [`PackageCrop`] is a crop with the row of its photo in the list of names; a [`Package`] is all crops of a folder.
//! - [`csv_index`] and [`pspa_index`] list the crops row by row. [`write_zip`] copies crops and index into one file.
//! - [`write_contact_sheets`] shows every crop with its name, class by class, as a web page and a PDF. [`html`] has what any
//!   web page needs.
//!
//! The functions write into what they are given, and only read the crops. Which crops belong to a package, and where its
//! files are, is decided in the crate `batch`.

mod archive;
mod contact;
mod crop;
mod csv_index;
pub mod html;
mod html_sheet;
mod pdf_sheet;
mod person;
mod pspa;
mod thumbnail;

pub use archive::write_zip;
pub use contact::{SheetNotes, write_contact_sheets};
pub use crop::{Package, PackageCrop};
pub use csv_index::csv_index;
pub use pspa::{PspaNotes, pspa_index};
pub use thumbnail::{Thumbnail, thumbnail};
