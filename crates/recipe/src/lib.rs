//! The user's settings for detection and cropping, as plain data with validation.
//!
//! - [`DetectSpec`]: detection passes and thresholds. [`RuntimeChoice`], [`BackendKind`], [`RuntimeOptions`]: the
//!   inference runtime.
//! - [`CropSpec`]: face selection and framing. [`DocumentRules`]: the rules of a document.
//! - [`FinishSpec`]: shape and adjustments. [`EncodeSpec`], [`OutputSpec`]: the written file. [`SheetSpec`]: the print
//!   sheet.
//! - [`Recipe`]: all of these settings for a photo; a [`Variant`] is one of several outputs. [`PhotoEdits`]: the user's edits of a single photo.
//! - [`DecodeLimits`]: limits on size, memory and time when a photo is read.
//! - [`Preset`]: a named set of settings with a source. The built-in presets are a TOML file in the same format as
//!   custom presets.
//!
//! The types validate themselves and do nothing else: `check` returns why a value is invalid, before any work begins.
//! Without pixels, files or threads here, the window and the command line can show and change these types without
//! depending on the crates that do the work; those take their part of the settings by reference.
//!
//! Shares are of the crop's height unless a name says otherwise; sizes are in pixels, file limits in kilobytes of 1000
//! bytes.

mod built_in;
mod color;
mod custom_preset;
mod detection;
mod device_choice;
mod edits;
mod encode;
mod finish;
mod limits;
mod model_kind;
mod package;
mod paired;
mod preset_file;
mod presets;
mod provider;
mod recipe;
mod request;
mod rules;
mod runtime;
mod sheet;
mod spec;
mod spec_error;
mod variant;

pub use built_in::{built_in_presets, find_preset};
pub use color::{Color, ColorError};
pub use detection::{DetectSpec, Masks, Thoroughness};
pub use device_choice::{DeviceChoice, DeviceChoiceError};
pub use edits::{AssignedRow, EditedFaces, FaceFrame, FaceHead, Overrides, PhotoEdits};
pub use encode::{
    ColorPolicy, Compression, EncodeSpec, EncodeSpecError, MetadataPolicy, OnConflict, OutputFormat, OutputSpec,
    Subsampling, has_output_extension,
};
pub use finish::{Adjust, Background, FinishSpec, RenderSpec, Shape};
pub use limits::DecodeLimits;
pub use model_kind::ModelKind;
pub use package::{IndexFormat, PackageSpec};
pub use paired::{PairedPattern, PairedPatternError, paired_among};
pub use preset_file::{
    MAX_PRESET_FILE_BYTES, MAX_PRESET_ID, PresetError, PresetFault, PresetText, presets_from_toml, presets_to_toml,
    unused_id,
};
pub use presets::{FileHints, Preset, PresetGroup, PresetSize};
pub use provider::Provider;
pub use recipe::Recipe;
pub use request::{Depth, FaceChoice};
pub use rules::{AllowedRange, Backdrop, DocumentRules, PoseLimits};
pub use runtime::{BackendKind, Optimization, RuntimeChoice, RuntimeChoiceError, RuntimeLibrary, RuntimeOptions};
pub use sheet::{Paper, SheetError, SheetFormat, SheetLayout, SheetSpec, printed_mm};
pub use spec::{CropSpec, EdgePolicy, Expected, Position, Select};
pub use spec_error::{Alteration, Quantity, SpecError, Unit};
pub use variant::{OutputPlace, Variant, VariantError};
