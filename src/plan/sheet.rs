//! How copies of a crop lie on a sheet to print.

use serde::{Deserialize, Serialize};

/// A sheet of copies of a crop.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SheetSpec {
    /// The paper.
    pub paper: Paper,
    /// Copies on it; `None` for as many as fit.
    pub copies: Option<u32>,
    /// The file it is written as.
    pub format: SheetFormat,
}

/// A size of paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Paper {
    /// Photo paper of 10 x 15 cm.
    Photo10x15,
    /// Photo paper of 4 x 6 inches.
    Photo4x6,
    /// A4, 210 x 297 mm (ISO 216).
    A4,
}

/// The file a sheet is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SheetFormat {
    /// A PDF of the paper's exact size.
    Pdf,
    /// JPEG with the resolution in its header.
    Jpeg,
    /// PNG with the resolution in its header.
    Png,
}

impl Default for SheetSpec {
    fn default() -> Self {
        Self { paper: Paper::Photo10x15, copies: None, format: SheetFormat::Pdf }
    }
}
