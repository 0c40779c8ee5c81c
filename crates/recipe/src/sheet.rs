//! Print sheets: copies of a crop on paper.

mod layout;

use serde::{Deserialize, Serialize};

pub use layout::SheetLayout;

use geometry::Size;

use crate::CropSpec;
use crate::spec_error::{Quantity, SpecError, Unit, in_range};

/// A print sheet with copies of a crop.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SheetSpec {
    pub paper: Paper,
    /// Number of copies; `None` for as many as fit.
    pub copies: Option<u32>,
    /// Margin along each edge of the paper in millimetres, 0 to 50; `None` for [`Paper::margin_mm`].
    pub margin_mm: Option<f32>,
    /// Gap between copies in millimetres, 0 to 50.
    pub gap_mm: f32,
    /// True if cut marks are drawn at the corners of the copies.
    pub cut_marks: bool,
    pub format: SheetFormat,
}

/// A paper size.
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

/// The file format of a sheet.
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

/// Why a sheet cannot be laid out, with a remedy.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SheetError {
    /// A length is outside its range.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The crops keep the photo's own pixels, so that each has another size.
    #[error("crops in the photo's own pixels have different sizes and give no print sheet; choose a size")]
    OriginalSize,
    /// The number of copies is 0.
    #[error("a sheet cannot have 0 copies; give at least 1, or as many as fit")]
    NoCopies,
    /// The resolution is 0, so pixels have no printed size.
    #[error("a resolution of 0 dpi gives no size on paper; give at least 1 dpi")]
    NoResolution,
    /// Not even one copy fits.
    #[error(
        "the crop is {} at {dpi} dpi and does not fit on {} ({}) with a margin of {margin_mm} mm; choose larger paper, a higher resolution or a smaller crop",
        in_mm(*crop, *dpi), paper.name(), paper.mm_name()
    )]
    NoneFits {
        /// The crop's size in pixels.
        crop: Size,
        /// Resolution in dots per inch.
        dpi: u16,
        paper: Paper,
        /// The margin in millimetres.
        margin_mm: f32,
    },
    /// More copies are requested than fit.
    #[error("{copies} copies do not fit on {}; {fits} {}", paper.name(), if *fits == 1 { "does" } else { "do" })]
    TooMany {
        /// Requested copies.
        copies: u32,
        /// Copies that fit.
        fits: u32,
        paper: Paper,
    },
    /// A raster sheet would be too large for memory and for other programs.
    #[error(
        "{} at {dpi} dpi has {sheet} pixels, more than {} along a side; choose PDF or a lower resolution",
        paper.name(), SheetSpec::MAX_SIDE
    )]
    TooLarge {
        paper: Paper,
        /// Resolution in dots per inch.
        dpi: u16,
        /// The sheet's size in pixels.
        sheet: Size,
    },
}

impl SheetSpec {
    /// Maximum copies on a sheet, even if more fit: copies of 5 mm on A4 are fewer.
    pub const MAX_COPIES: u32 = 2_000;
    /// Maximum margin and gap in millimetres.
    pub const MAX_MM: f32 = 50.0;
    /// Maximum side of a raster sheet, as for crops: A4 reaches it at 855 dpi. A PDF has no such limit.
    pub const MAX_SIDE: u32 = CropSpec::MAX_SIDE;
    /// Default gap in millimetres: eight copies of 35 x 45 mm fit on 10 x 15 cm with its margin, up to a gap of less
    /// than 1.3 mm.
    pub const GAP_MM: f32 = 1.0;

    /// The effective margin in millimetres.
    pub fn margin(&self) -> f32 {
        self.margin_mm.unwrap_or_else(|| self.paper.margin_mm())
    }

    /// Checks every value by itself; [`SheetSpec::layout`] checks whether the copies fit.
    ///
    /// # Errors
    /// The first invalid value.
    pub fn check(&self) -> Result<(), SheetError> {
        in_range(Quantity::Margin, self.margin(), 0.0, Self::MAX_MM, Unit::Mm)?;
        in_range(Quantity::Gap, self.gap_mm, 0.0, Self::MAX_MM, Unit::Mm)?;
        if self.copies == Some(0) { Err(SheetError::NoCopies) } else { Ok(()) }
    }
}

impl Default for SheetSpec {
    fn default() -> Self {
        Self {
            paper: Paper::Photo10x15,
            copies: None,
            margin_mm: None,
            gap_mm: Self::GAP_MM,
            cut_marks: true,
            format: SheetFormat::Pdf,
        }
    }
}

impl Paper {
    /// Every paper, in display order.
    pub const ALL: [Self; 3] = [Self::Photo10x15, Self::Photo4x6, Self::A4];

    /// The displayed name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Photo10x15 => "10 x 15 cm",
            Self::Photo4x6 => "4 x 6 in",
            Self::A4 => "A4",
        }
    }

    /// The id on the command line and in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Photo10x15 => "10x15",
            Self::Photo4x6 => "4x6",
            Self::A4 => "a4",
        }
    }

    /// Shorter and longer side in millimetres.
    pub const fn mm(self) -> [f64; 2] {
        match self {
            Self::Photo10x15 => [100.0, 150.0],
            Self::Photo4x6 => [101.6, 152.4],
            Self::A4 => [210.0, 297.0],
        }
    }

    /// Default margin in millimetres.
    ///
    /// Photo printers leave 3 mm unless borderless printing is on (Epson's data sheets). Office printers leave more: 4
    /// mm (Konica Minolta), about 5 (laser printers of HP), 6.7 at the lower edge (HP OfficeJet); 8 exceeds all of
    /// these, with some tolerance for paper that is fed in at an angle.
    pub const fn margin_mm(self) -> f32 {
        match self {
            Self::Photo10x15 | Self::Photo4x6 => 3.0,
            Self::A4 => 8.0,
        }
    }

    fn mm_name(self) -> String {
        let [short, long] = self.mm();
        format!("{short} x {long} mm")
    }
}

impl SheetFormat {
    /// Every format, in display order.
    pub const ALL: [Self; 3] = [Self::Pdf, Self::Jpeg, Self::Png];

    /// The displayed name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pdf => "PDF",
            Self::Jpeg => "JPEG",
            Self::Png => "PNG",
        }
    }

    /// The file name extension, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Jpeg => "jpg",
            Self::Png => "png",
        }
    }
}

/// Printed width and height in millimetres of a size in pixels.
pub fn printed_mm(size: Size, dpi: u16) -> [f64; 2] {
    [size.width, size.height].map(|pixels| f64::from(pixels) * 25.4 / f64::from(dpi.max(1)))
}

/// The printed size as text.
fn in_mm(size: Size, dpi: u16) -> String {
    let [width, height] = printed_mm(size, dpi);
    format!("{width:.1} x {height:.1} mm")
}

#[cfg(test)]
mod tests;
