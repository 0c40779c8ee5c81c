//! Numbers in JSON, rounded to their significant digits.

use geometry::Point;

/// A position in pixels, x and y.
pub(super) fn point(at: Point) -> [f64; 2] {
    [at.x, at.y].map(pixels)
}

/// Pixels, rounded to a hundredth.
pub(super) fn pixels(length: f32) -> f64 {
    rounded(length.into(), 1e2)
}

/// Degrees, rounded to a hundredth.
pub(super) fn degrees(angle: f32) -> f64 {
    rounded(angle.into(), 1e2)
}

/// A share as a percentage, rounded to a hundredth.
pub(super) fn percent(share: f32) -> f64 {
    rounded(f64::from(share) * 100.0, 1e2)
}

/// A plain number, rounded to four decimals.
pub(super) fn ratio(number: f32) -> f64 {
    rounded(number.into(), 1e4)
}

/// Rounds `value` to a multiple of 1 / `steps`. Never -0.
pub(super) fn rounded(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps + 0.0
}
