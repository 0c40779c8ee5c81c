//! Arguments for the print sheet.

use clap::Args;

use recipe::{Paper, SheetFormat, SheetSpec};

use super::numbers::{one_of, whole_from};

/// A sheet of copies of each crop, to print.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Print sheet")]
pub struct SheetArgs {
    /// Write a print sheet with copies of each crop and cut marks next to it, on 10x15 cm, 4x6 in or A4 paper
    #[arg(long, value_name = "PAPER", value_parser = one_of(&[
        ("10x15", Paper::Photo10x15), ("4x6", Paper::Photo4x6), ("a4", Paper::A4),
    ]))]
    pub sheet: Option<Paper>,

    /// Copies on the sheet [default: as many as fit]
    #[arg(long, value_name = "N", value_parser = whole_from::<u32>(1, u32::MAX.into()), requires = "sheet", allow_negative_numbers = true)]
    pub sheet_copies: Option<u32>,

    /// Margin of the paper in millimetres, 0 to 50 [default: 3, on A4 8]
    #[arg(long, value_name = "MM", value_parser = parse_millimetres, requires = "sheet", allow_negative_numbers = true)]
    pub sheet_margin: Option<f32>,

    /// Gap between copies in millimetres, 0 to 50 [default: 1]
    #[arg(long, value_name = "MM", value_parser = parse_millimetres, requires = "sheet", allow_negative_numbers = true)]
    pub sheet_gap: Option<f32>,

    /// Print no cut marks
    #[arg(long, requires = "sheet")]
    pub no_cut_marks: bool,

    /// File format of the sheet [default: pdf]
    #[arg(long, value_parser = one_of(&[
        ("pdf", SheetFormat::Pdf), ("jpeg", SheetFormat::Jpeg), ("png", SheetFormat::Png),
    ]), requires = "sheet")]
    pub sheet_format: Option<SheetFormat>,
}

impl SheetArgs {
    /// The requested sheet; `None` without --sheet.
    pub(super) fn spec(&self) -> Option<SheetSpec> {
        let base = SheetSpec::default();
        let paper = self.sheet?;
        Some(SheetSpec {
            paper,
            copies: self.sheet_copies,
            margin_mm: self.sheet_margin,
            gap_mm: self.sheet_gap.unwrap_or(base.gap_mm),
            cut_marks: !self.no_cut_marks,
            format: self.sheet_format.unwrap_or(base.format),
        })
    }
}

/// Millimetres; their range is checked with the rest of the sheet.
fn parse_millimetres(text: &str) -> Result<f32, String> {
    let number = text.strip_suffix("mm").unwrap_or(text).trim();
    number.parse().map_err(|_| format!("'{text}' is not a length; write millimetres, for example 3"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Arguments, Command};

    fn sheet(extra: &str) -> Result<Option<SheetSpec>, clap::Error> {
        let given = ["iron-cropper", "crop", "photos", "-o", "out"].into_iter().chain(extra.split_whitespace());
        match Arguments::read(given)?.command {
            Some(Command::Crop(args)) => Ok(args.sheet.spec()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn flags_define_the_sheet() {
        let given = "--sheet a4 --sheet-copies 6 --sheet-margin 5 --sheet-gap 2.5mm --no-cut-marks --sheet-format png";
        let expected = SheetSpec {
            paper: Paper::A4,
            copies: Some(6),
            margin_mm: Some(5.0),
            gap_mm: 2.5,
            cut_marks: false,
            format: SheetFormat::Png,
        };
        assert_eq!(sheet(given).expect("valid"), Some(expected));
        let expected = SheetSpec { paper: Paper::Photo4x6, ..SheetSpec::default() };
        assert_eq!(sheet("--sheet 4x6").expect("valid"), Some(expected));
        assert_eq!(sheet("").expect("valid"), None);
    }

    #[test]
    fn invalid_sheets_are_rejected() {
        for wrong in [
            "--sheet letter",
            "--sheet-copies 2",
            "--sheet-format pdf",
            "--sheet-margin 3",
            "--sheet-gap 1",
            "--no-cut-marks",
            "--sheet a4 --sheet-copies 0",
            "--sheet a4 --sheet-gap wide",
        ] {
            assert_eq!(sheet(wrong).expect_err("refused").exit_code(), 2, "{wrong}");
        }
    }
}
