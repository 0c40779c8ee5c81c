//! Codes on cards that photos show: QR code, Data Matrix, Code 128 and Code 39.
//!
//! [`read`] searches an image at several sizes, the smallest first (`luma`), and stops at the first size with a code. The
//! crate rxing does the decoding: `matrix` gives it whole images. rxing finds the linear codes only if they are nearly
//! level, so `bars` finds the parts of an image with many edges in one direction, whatever it is, and `linear` has rxing
//! decode lines across them.
//!
//! Photos are full of patterns, so a code counts only with the proof that `linear` and `matrix` demand. rxing may panic on
//! unusual pixels; the panic is caught and the part has no code.

mod bars;
mod linear;
mod luma;
mod matrix;
mod text;

use std::panic::{AssertUnwindSafe, catch_unwind};

use cancel::CancelToken;
use geometry::{Point, Rect};
use outcome::{CardCode, CodeKind};
use picture::{Picture, Place};

use luma::Luma;

/// A code in an image, in pixels of that image.
struct Found {
    kind: CodeKind,
    text: String,
    region: Rect,
}

/// The codes in the decoded part of `picture`, the largest first, each text once. `None` once cancelled.
///
/// Sizes with a longer side of at most `finer_than` pixels are skipped: 0 searches all. Sizes from [`LONG_SIDE_LIMIT`] are
/// skipped as well.
pub fn read(picture: &Picture, finer_than: u32, cancel: &CancelToken) -> Option<Vec<CardCode>> {
    for (luma, reduction) in luma::sizes(&picture.pixels, finer_than) {
        let found = search(&luma, cancel)?;
        if !found.is_empty() {
            return Some(found.into_iter().map(|found| upright(found, picture.place, reduction)).collect());
        }
    }
    (!cancel.is_cancelled()).then(Vec::new)
}

pub use luma::LONG_SIDE_LIMIT;

/// The codes in an image. `None` once cancelled.
fn search(luma: &Luma, cancel: &CancelToken) -> Option<Vec<Found>> {
    if cancel.is_cancelled() {
        return None;
    }
    let mut all = guarded(|| matrix::read(luma));
    let matrices: Vec<Rect> = all.iter().map(|found| found.region).collect();
    for bars in bars::find(luma) {
        if cancel.is_cancelled() {
            return None;
        }
        if !matrices.iter().any(|matrix| matrix.contains(bars.center)) {
            all.extend(guarded(|| linear::read(luma, &bars)));
        }
    }
    all.sort_by(|a, b| b.region.area().total_cmp(&a.region.area()));
    let mut unique: Vec<Found> = Vec::new();
    for found in all {
        if !unique.iter().any(|other| other.kind == found.kind && other.text == found.text) {
            unique.push(found);
        }
    }
    (!cancel.is_cancelled()).then_some(unique)
}

/// Runs `read`. A panic is logged and nothing is found.
fn guarded(read: impl FnOnce() -> Vec<Found>) -> Vec<Found> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        tracing::warn!("the search for codes panicked on a part of the image, which is taken to have none");
        Vec::new()
    })
}

/// `found`, from pixels of an image reduced by `reduction` to pixels of the whole upright image.
fn upright(found: Found, place: Place, reduction: u32) -> CardCode {
    let scale = (reduction * place.reduction) as f32;
    let Rect { x, y, width, height } = found.region;
    let region = Rect::new(place.x as f32 + x * scale, place.y as f32 + y * scale, width * scale, height * scale);
    CardCode { kind: found.kind, text: found.text, region }
}

/// The upright rectangle around `points`; `None` if there are none.
fn around(points: impl IntoIterator<Item = Point>) -> Option<Rect> {
    let corner = |point| Rect::from_corners(point, point);
    points.into_iter().map(corner).reduce(|a, b| {
        let least = Point::new(a.x.min(b.x), a.y.min(b.y));
        Rect::from_corners(least, Point::new(a.right().max(b.right()), a.bottom().max(b.bottom())))
    })
}

#[cfg(test)]
mod tests;
