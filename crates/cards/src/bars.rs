//! Finds parts of an image that look like the bars of a linear code: many edges, all in one direction.

use geometry::{Point, Size};

use crate::around;
use crate::luma::Luma;

/// Side of a cell in pixels.
const CELL: usize = 8;
/// Pixels by which a part reaches beyond the bars at each end: a cell is measured with its neighbours, and may be bars only in
/// part.
pub(crate) const BLUR: f32 = 1.5 * CELL as f32;
/// Minimum mean of the squared gradient of a cell's surroundings, in squared grey levels per pixel.
const MIN_ENERGY: f32 = 20.0;
/// Minimum share of the gradient that lies in one direction, 0 to 1.
const MIN_COHERENCE: f32 = 0.5;
/// Minimum cosine of twice the angle between neighbouring cells' directions.
const MIN_AGREEMENT: f32 = 0.75;
/// Minimum elongation of a part, 0 to 1, for its long axis to be the direction of reading: 0.6 is twice as long as high.
const MIN_ELONGATION: f32 = 0.6;
/// Minimum cosine of the angle between the long axis and the gradient.
const MIN_AXIS_AGREEMENT: f32 = 0.8;
/// Minimum cells of a part.
const MIN_CELLS: usize = 6;
/// Maximum number of parts, those with the strongest edges.
const MAX_PARTS: usize = 12;

/// A part of an image with bars, in pixels of the searched image.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bars {
    pub(crate) center: Point,
    /// Unit vector across the bars, though not always at a right angle: the direction in which a code is read.
    pub(crate) across: Point,
    /// Half of the extent across the bars.
    pub(crate) half_length: f32,
    /// Half of the extent along the bars.
    pub(crate) half_height: f32,
}

impl Bars {
    /// The point `along` pixels from the centre across the bars and `side` pixels along them.
    pub(crate) fn point(&self, along: f32, side: f32) -> Point {
        let Point { x, y } = self.across;
        Point::new(self.center.x + along * x - side * y, self.center.y + along * y + side * x)
    }
}

/// Sums of squared gradients: the structure tensor of a cell.
#[derive(Clone, Copy, Default)]
struct Tensor {
    xx: f32,
    yy: f32,
    xy: f32,
}

impl Tensor {
    fn energy(self) -> f32 {
        self.xx + self.yy
    }

    /// The gradient's direction as a vector at twice its angle, with the coherence as its length.
    fn doubled(self) -> Point {
        let energy = self.energy().max(f32::MIN_POSITIVE);
        Point::new((self.xx - self.yy) / energy, 2.0 * self.xy / energy)
    }
}

/// The parts with bars, those with the strongest edges first.
pub(crate) fn find(luma: &Luma) -> Vec<Bars> {
    let (columns, rows) = (luma.size.width as usize / CELL, luma.size.height as usize / CELL);
    if columns < 3 || rows < 3 {
        return Vec::new();
    }
    let cells = smoothed(&tensors(luma, columns, rows), columns, rows);
    let limit = MIN_ENERGY * (CELL * CELL * 9) as f32;
    let directions: Vec<Option<Point>> = cells
        .iter()
        .map(|cell| {
            let doubled = cell.doubled();
            (cell.energy() >= limit && doubled.x.hypot(doubled.y) >= MIN_COHERENCE).then_some(doubled)
        })
        .collect();
    let mut taken = vec![false; cells.len()];
    let mut parts: Vec<(f32, Bars)> = Vec::new();
    for start in 0..cells.len() {
        if taken[start] || directions[start].is_none() {
            continue;
        }
        let part = connected(start, &directions, &mut taken, Size::new(columns as u32, rows as u32));
        if part.len() >= MIN_CELLS {
            parts.push(measured(&part, &cells, columns));
        }
    }
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    parts.into_iter().take(MAX_PARTS).map(|(_, bars)| bars).collect()
}

/// The structure tensor of each cell.
fn tensors(luma: &Luma, columns: usize, rows: usize) -> Vec<Tensor> {
    let width = luma.size.width as usize;
    let mut cells = vec![Tensor::default(); columns * rows];
    // Every second row is enough.
    for y in (1..rows * CELL - 1).step_by(2) {
        let [above, here, below] = [y - 1, y, y + 1].map(|y| &luma.samples[y * width..(y + 1) * width]);
        for (column, cell) in cells[y / CELL * columns..][..columns].iter_mut().enumerate() {
            let first = (column * CELL).max(1);
            let end = ((column + 1) * CELL).min(width - 1);
            let (mut xx, mut yy, mut xy) = (0_i32, 0_i32, 0_i32);
            for x in first..end {
                let gx = i32::from(here[x + 1]) - i32::from(here[x - 1]);
                let gy = i32::from(below[x]) - i32::from(above[x]);
                xx += gx * gx;
                yy += gy * gy;
                xy += gx * gy;
            }
            // The gradient is half the difference, and each row stands for two.
            cell.xx += xx as f32 / 2.0;
            cell.yy += yy as f32 / 2.0;
            cell.xy += xy as f32 / 2.0;
        }
    }
    cells
}

/// Each cell with its eight neighbours.
fn smoothed(cells: &[Tensor], columns: usize, rows: usize) -> Vec<Tensor> {
    let mut all = Vec::with_capacity(cells.len());
    for row in 0..rows {
        for column in 0..columns {
            let mut sum = Tensor::default();
            for row in row.saturating_sub(1)..(row + 2).min(rows) {
                for cell in &cells[row * columns + column.saturating_sub(1)..row * columns + (column + 2).min(columns)]
                {
                    sum.xx += cell.xx;
                    sum.yy += cell.yy;
                    sum.xy += cell.xy;
                }
            }
            all.push(sum);
        }
    }
    all
}

/// The cells connected to `start` whose directions agree from neighbour to neighbour.
fn connected(start: usize, directions: &[Option<Point>], taken: &mut [bool], grid: Size) -> Vec<usize> {
    let (columns, rows) = (grid.width as usize, grid.height as usize);
    let mut part = vec![start];
    taken[start] = true;
    let mut next = 0;
    while let Some(&cell) = part.get(next) {
        next += 1;
        let Some(here) = directions[cell] else { continue };
        let (column, row) = (cell % columns, cell / columns);
        for y in row.saturating_sub(1)..(row + 2).min(rows) {
            for x in column.saturating_sub(1)..(column + 2).min(columns) {
                let other = y * columns + x;
                let Some(there) = directions[other].filter(|_| !taken[other]) else { continue };
                let dot = here.x * there.x + here.y * there.y;
                if dot >= MIN_AGREEMENT * here.x.hypot(here.y) * there.x.hypot(there.y) {
                    taken[other] = true;
                    part.push(other);
                }
            }
        }
    }
    part
}

/// The strength, direction and extent of a part.
fn measured(part: &[usize], cells: &[Tensor], columns: usize) -> (f32, Bars) {
    let mut sum = Tensor::default();
    for &cell in part {
        sum.xx += cells[cell].xx;
        sum.yy += cells[cell].yy;
        sum.xy += cells[cell].xy;
    }
    let middle = |index: usize| (index as f32 + 0.5) * CELL as f32;
    let centers: Vec<Point> =
        part.iter().map(|cell| Point::new(middle(cell % columns), middle(cell / columns))).collect();
    let doubled = sum.doubled();
    let angle = doubled.y.atan2(doubled.x) / 2.0;
    let gradient = Point::new(angle.cos(), angle.sin());
    let across = long_axis(&centers, gradient).unwrap_or(gradient);
    // The centres along both axes, from the image's corner.
    let turned =
        centers.iter().map(|&Point { x, y }| Point::new(x * across.x + y * across.y, y * across.x - x * across.y));
    let extent = around(turned).unwrap_or_default();
    let mut bars = Bars { center: Point::default(), across, half_length: 0.0, half_height: 0.0 };
    let Point { x: along, y: side } = extent.center();
    bars.center = bars.point(along, side);
    bars.half_length = (extent.width + CELL as f32) / 2.0;
    bars.half_height = (extent.height + CELL as f32) / 2.0;
    (sum.energy(), bars)
}

/// The direction in which `points` extend furthest, if they extend much further than across it and it is not too far from
/// `gradient`. Seen at an angle, the bars of a long code lean, and lines along the gradient would leave it.
fn long_axis(points: &[Point], gradient: Point) -> Option<Point> {
    let count = points.len() as f32;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.x / count, y + point.y / count));
    let mut spread = Tensor::default();
    for point in points {
        let (dx, dy) = (point.x - x, point.y - y);
        spread.xx += dx * dx;
        spread.yy += dy * dy;
        spread.xy += dx * dy;
    }
    let doubled = spread.doubled();
    let angle = doubled.y.atan2(doubled.x) / 2.0;
    let axis = Point::new(angle.cos(), angle.sin());
    let agreement = (axis.x * gradient.x + axis.y * gradient.y).abs();
    (doubled.x.hypot(doubled.y) >= MIN_ELONGATION && agreement >= MIN_AXIS_AGREEMENT).then_some(axis)
}
