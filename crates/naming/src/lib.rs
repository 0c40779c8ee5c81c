//! What crops are called: templates, what of a name is safe everywhere, and names planned before the first is written.
//!
//! Pure text. What is on the disk is looked at where files are written.

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
