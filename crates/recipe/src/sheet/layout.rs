//! Layout of a print sheet: positions of copies and cut marks in whole pixels.

use geometry::{PixelRect, Size};

use super::{Paper, SheetError, SheetFormat, SheetSpec};

/// Maximum length of a cut mark in millimetres.
const MARK_LENGTH_MM: f32 = 3.0;

/// Width of a cut mark in millimetres: thin but visible.
const MARK_WIDTH_MM: f32 = 0.1;

/// The layout of a sheet: all copies and marks are on the paper, copies do not overlap, and no mark touches a copy's
/// pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetLayout {
    paper: Paper,
    dpi: u16,
    size: Size,
    copy_size: Size,
    fits: u32,
    copies: Vec<PixelRect>,
    marks: Vec<PixelRect>,
}

impl SheetSpec {
    /// Lays out copies of a crop of `crop` pixels at `dpi`.
    ///
    /// The paper is in portrait or landscape orientation, whichever fits more copies; the crops stay upright. The
    /// copies form a block in the middle of the paper: as few rows as possible, filled as evenly as possible, the last
    /// one from the left.
    ///
    /// # Errors
    /// A value of the spec is invalid, no copy or too few copies fit, or the sheet would have too many pixels.
    pub fn layout(&self, crop: Size, dpi: u16) -> Result<SheetLayout, SheetError> {
        self.check()?;
        if dpi == 0 {
            return Err(SheetError::NoResolution);
        }
        let paper = self.paper;
        let [short, long] = paper.mm().map(|mm| pixels(mm, dpi));
        let upright = Size::new(short, long);
        if self.format != SheetFormat::Pdf && long > Self::MAX_SIDE {
            return Err(SheetError::TooLarge { paper, dpi, sheet: upright });
        }
        let margin = pixels(self.margin().into(), dpi);
        let gap = pixels(self.gap_mm.into(), dpi);
        let (portrait, landscape) =
            (Grid::of(upright, crop, margin, gap), Grid::of(upright.transposed(), crop, margin, gap));
        let grid = if landscape.capacity() > portrait.capacity() { landscape } else { portrait };
        let fits = grid.capacity();
        if fits == 0 {
            return Err(SheetError::NoneFits { crop, dpi, paper, margin_mm: self.margin() });
        }
        let copies = self.copies.unwrap_or(fits);
        if copies > fits {
            return Err(SheetError::TooMany { copies, fits, paper });
        }
        let copies = grid.positions(copies, crop, gap);
        let marks = if self.cut_marks { marks(grid.sheet, &copies, gap, dpi) } else { Vec::new() };
        Ok(SheetLayout { paper, dpi, size: grid.sheet, copy_size: crop, fits, copies, marks })
    }
}

impl SheetLayout {
    pub fn paper(&self) -> Paper {
        self.paper
    }

    /// Resolution in dots per inch.
    pub fn dpi(&self) -> u16 {
        self.dpi
    }

    /// Size of the sheet in pixels, in its orientation.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Width and height of the sheet in millimetres, in its orientation.
    pub fn size_mm(&self) -> [f64; 2] {
        let [short, long] = self.paper.mm();
        if self.size.width > self.size.height { [long, short] } else { [short, long] }
    }

    /// Size of each copy in pixels.
    pub fn copy_size(&self) -> Size {
        self.copy_size
    }

    /// Maximum number of copies that fit.
    pub fn fits(&self) -> u32 {
        self.fits
    }

    /// The copies, row by row from the top left.
    pub fn copies(&self) -> &[PixelRect] {
        &self.copies
    }

    /// The cut marks: thin rectangles to be filled.
    pub fn marks(&self) -> &[PixelRect] {
        &self.marks
    }
}

/// The number of copies along the sides of a sheet.
struct Grid {
    sheet: Size,
    columns: u32,
    rows: u32,
}

impl Grid {
    fn of(sheet: Size, crop: Size, margin: u32, gap: u32) -> Self {
        let along = |paper: u32, side: u32| {
            let space = paper.saturating_sub(margin.saturating_mul(2));
            if side == 0 || side > space { 0 } else { (space - side) / (side + gap) + 1 }
        };
        Self { sheet, columns: along(sheet.width, crop.width), rows: along(sheet.height, crop.height) }
    }

    fn capacity(&self) -> u32 {
        self.columns.saturating_mul(self.rows).min(SheetSpec::MAX_COPIES)
    }

    /// The positions of `copies`, at most [`Grid::capacity`].
    fn positions(&self, copies: u32, crop: Size, gap: u32) -> Vec<PixelRect> {
        let rows = copies.div_ceil(self.columns);
        let columns = copies.div_ceil(rows);
        let start = |paper: u32, side: u32, count: u32| (paper - (count * (side + gap) - gap)) / 2;
        let left = start(self.sheet.width, crop.width, columns);
        let top = start(self.sheet.height, crop.height, rows);
        let place = |copy: u32| {
            let x = left + copy % columns * (crop.width + gap);
            let y = top + copy / columns * (crop.height + gap);
            PixelRect::new(x as i32, y as i32, crop.width, crop.height)
        };
        (0..copies).map(place).collect()
    }
}

/// Two cut marks at each corner of each copy, beside the cutting lines on their outer side.
///
/// Vertical marks are above or below a whole row of copies, horizontal ones to the left or right of a whole column; so
/// none touches a copy, however narrow the gaps are.
fn marks(sheet: Size, copies: &[PixelRect], gap: u32, dpi: u16) -> Vec<PixelRect> {
    let (length, width) = (pixels(MARK_LENGTH_MM.into(), dpi) as i32, pixels(MARK_WIDTH_MM.into(), dpi).max(1) as i32);
    let (gap, sheet) = (gap as i32, (sheet.width as i32, sheet.height as i32));
    let edges = |copy: &PixelRect| [copy.x, copy.y, copy.x + copy.width as i32, copy.y + copy.height as i32];
    let ends = copies.iter().map(edges);
    let Some([first_x, first_y, last_x, last_y]) =
        ends.reduce(|[a, b, c, d], [left, top, right, bottom]| [a.min(left), b.min(top), c.max(right), d.max(bottom)])
    else {
        return Vec::new();
    };
    let mut marks = Vec::with_capacity(copies.len() * 8);
    for [left, top, right, bottom] in copies.iter().map(edges) {
        let reach = |at_end: bool, to_paper: i32| if at_end { to_paper } else { gap }.min(length);
        let across =
            [(left - reach(left == first_x, left), left), (right, right + reach(right == last_x, sheet.0 - right))];
        let down =
            [(top - reach(top == first_y, top), top), (bottom, bottom + reach(bottom == last_y, sheet.1 - bottom))];
        let beside = |low: i32, high: i32, max: i32| [((low - width).max(0), low), (high, (high + width).min(max))];
        for rows in down {
            marks.extend(beside(left, right, sheet.0).map(|columns| (columns, rows)));
        }
        for columns in across {
            marks.extend(beside(top, bottom, sheet.1).map(|rows| (columns, rows)));
        }
    }
    marks.retain(|((left, right), (top, bottom))| left < right && top < bottom);
    // Neighbouring copies share the marks between them.
    marks.sort_unstable();
    marks.dedup();
    let rect = |((left, right), (top, bottom)): ((i32, i32), (i32, i32))| {
        PixelRect::new(left, top, (right - left) as u32, (bottom - top) as u32)
    };
    marks.into_iter().map(rect).collect()
}

/// Millimetres in whole pixels.
fn pixels(mm: f64, dpi: u16) -> u32 {
    (mm * f64::from(dpi) / 25.4).round() as u32
}
