//! What a person asks for, as plain data.
//!
//! Everything that a crop depends on and a person may choose is a type of this crate: how faces are looked for
//! ([`DetectSpec`]), which of them are cropped and where the head stands ([`CropSpec`]), shape and adjustments
//! ([`FinishSpec`]), the file ([`EncodeSpec`]), the sheet to print ([`SheetSpec`]), and what was decided about single photos
//! ([`PhotoEdits`]). [`BackendKind`] and [`RuntimeOptions`] say on what the network runs; [`DecodeLimits`] says how large a photo may be.
//!
//! The types know their limits and nothing else: `check` says why a value cannot be worked with, before any work begins. There are no
//! pixels, files or threads here, so that the window and the command line show and change these types without what works with
//! them. The crates above do the work and take their part of it by reference.
//!
//! Presets are specs with a name and a source. The built-in ones are one TOML file, in the form of those a person makes.
//!
//! Shares are of the crop's height unless a name says otherwise; sizes are in pixels, limits of files in kilobytes of 1000 bytes.

mod built_in;
mod color;
mod detection;
mod edits;
mod encode;
mod finish;
mod limits;
mod own_preset;
mod preset_file;
mod presets;
mod provider;
mod request;
mod rules;
mod runtime;
mod sheet;
mod spec;
mod spec_error;
mod whole;

pub use built_in::{built_in_presets, find_preset};
pub use color::{Color, ColorError};
pub use detection::{DetectSpec, Thoroughness};
pub use edits::{EditedFaces, FaceFrame, FaceHead, Overrides, PhotoEdits};
pub use encode::{
    ColorPolicy, Compression, EncodeSpec, EncodeSpecError, MetadataPolicy, OnConflict, OutputFormat, OutputSpec,
    Subsampling, has_written_extension,
};
pub use finish::{Adjust, FinishSpec, RenderSpec, Shape};
pub use limits::DecodeLimits;
pub use preset_file::{
    MAX_PRESET_FILE_BYTES, MAX_PRESET_ID, PresetError, PresetFault, PresetText, presets_from_toml, presets_to_toml,
    unused_id,
};
pub use presets::{FileHints, Preset, PresetGroup, PresetSize};
pub use provider::Provider;
pub use request::{Depth, FaceChoice};
pub use rules::{AllowedRange, DocumentRules};
pub use runtime::{BackendKind, Optimization, RuntimeChoice, RuntimeChoiceError, RuntimeOptions};
pub use sheet::{Paper, SheetError, SheetFormat, SheetLayout, SheetSpec, printed_mm};
pub use spec::{CropSpec, EdgePolicy, Expected, Position, Select};
pub use spec_error::{Alteration, Quantity, SpecError, Unit};
pub use whole::Recipe;
