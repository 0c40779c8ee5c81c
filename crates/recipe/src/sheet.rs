//! A sheet of copies of a crop to print: the paper, how many, how far apart, and the file.

mod layout;

use serde::{Deserialize, Serialize};

pub use layout::SheetLayout;

use geometry::Size;

use crate::CropSpec;
use crate::spec_error::{Quantity, SpecError, Unit, in_range};

/// A sheet of copies of a crop.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SheetSpec {
    /// The paper.
    pub paper: Paper,
    /// Copies on it; `None` for as many as fit.
    pub copies: Option<u32>,
    /// Millimetres along each edge of the paper, 0 to 50, that are kept free of copies; `None` for [`Paper::margin_mm`].
    pub margin_mm: Option<f32>,
    /// Millimetres between copies, 0 to 50.
    pub gap_mm: f32,
    /// True where thin lines at the corners of the copies show where to cut.
    pub cut_marks: bool,
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

/// Why copies cannot be laid on the paper, and what would help.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SheetError {
    /// A length is outside its range.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// No copies are asked for.
    #[error("a sheet of 0 copies has nothing on it; ask for 1 at least, or for as many as fit")]
    NoCopies,
    /// Without a resolution pixels have no size on paper.
    #[error("a resolution of 0 dpi gives a crop no size on paper; give at least 1 dpi")]
    NoResolution,
    /// Not even one copy fits.
    #[error(
        "the crop is {} at {dpi} dpi and does not fit on {} ({}) with a margin of {margin_mm} mm; choose larger paper, a higher resolution or a smaller crop",
        in_mm(*crop, *dpi), paper.name(), paper.mm_name()
    )]
    NoneFits {
        /// The crop's size in pixels.
        crop: Size,
        /// Pixels an inch.
        dpi: u16,
        /// The paper.
        paper: Paper,
        /// The margin in millimetres.
        margin_mm: f32,
    },
    /// More copies are asked for than fit.
    #[error("{copies} copies do not fit on {}; {fits} {}", paper.name(), if *fits == 1 { "does" } else { "do" })]
    TooMany {
        /// Copies asked for.
        copies: u32,
        /// Copies that fit.
        fits: u32,
        /// The paper.
        paper: Paper,
    },
    /// A sheet made of pixels would be too large to be held in memory and read elsewhere.
    #[error(
        "{} at {dpi} dpi has {sheet} pixels, more than {} along a side; choose PDF or a lower resolution",
        paper.name(), SheetSpec::MAX_SIDE
    )]
    TooLarge {
        /// The paper.
        paper: Paper,
        /// Pixels an inch.
        dpi: u16,
        /// The sheet's size in pixels.
        sheet: Size,
    },
}

impl SheetSpec {
    /// Copies on a sheet at most, whatever fits: stamps of 5 mm fill A4 with fewer.
    pub const MAX_COPIES: u32 = 2_000;
    /// The widest margin and gap, in millimetres.
    pub const MAX_MM: f32 = 50.0;
    /// The longest side of a sheet of pixels, that of crops: A4 reaches it at 855 dpi. A PDF has no such limit.
    pub const MAX_SIDE: u32 = CropSpec::MAX_SIDE;
    /// Millimetres between copies unless asked otherwise: eight of 35 x 45 mm fit on 10 x 15 cm inside its margin, which they
    /// no longer do from 1.3 mm on.
    pub const GAP_MM: f32 = 1.0;

    /// The margin that counts, in millimetres.
    pub fn margin(&self) -> f32 {
        self.margin_mm.unwrap_or_else(|| self.paper.margin_mm())
    }

    /// Checks every number by itself; whether the copies fit is for [`SheetSpec::layout`] to say.
    ///
    /// # Errors
    /// The first number that cannot be worked with.
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
    /// Every paper, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Photo10x15, Self::Photo4x6, Self::A4];

    /// The name shown to people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Photo10x15 => "10 x 15 cm",
            Self::Photo4x6 => "4 x 6 in",
            Self::A4 => "A4",
        }
    }

    /// The word for it on the command line and in JSON.
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

    /// Millimetres along each edge that are kept free unless asked otherwise.
    ///
    /// Photo printers that are not told to print to the edge leave 3 mm (Epson's data sheets). Office printers leave more:
    /// 4 mm (Konica Minolta), about 5 (laser printers of HP), 6.7 at the lower edge (HP OfficeJet); 8 is clear of them all
    /// with a little to spare for paper that is drawn in askew.
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
    /// Every format, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Pdf, Self::Jpeg, Self::Png];

    /// The name shown to people.
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

/// Millimetres on paper of a size in pixels: width and height.
pub fn printed_mm(size: Size, dpi: u16) -> [f64; 2] {
    [size.width, size.height].map(|pixels| f64::from(pixels) * 25.4 / f64::from(dpi.max(1)))
}

/// The same in words.
fn in_mm(size: Size, dpi: u16) -> String {
    let [width, height] = printed_mm(size, dpi);
    format!("{width:.1} x {height:.1} mm")
}

#[cfg(test)]
mod tests;
