//! Stored images, in bands of rows: each thread computes one band of an image, and reads the bands of all threads.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::buffer::Buffer;
use crate::plan::Place;

/// The bands of a stored image. No thread waits for a lock: a band is read only after the step that computes it.
#[derive(Debug)]
pub(crate) struct Bands {
    bands: Vec<RwLock<Buffer>>,
    /// Rows of a band; the last one may have fewer. Even, so that an image of half the height has the same bands.
    pub rows: usize,
}

impl Bands {
    /// Zeros, in up to `threads` bands.
    pub(crate) fn zeros(place: Place, threads: usize) -> Self {
        let height = place.shape.height;
        let rows = height.div_ceil(threads).next_multiple_of(2);
        let of_band = |first| RwLock::new(Buffer::zeros(rows.min(height - first) * place.row()));
        Self { bands: (0..height).step_by(rows).map(of_band).collect(), rows }
    }

    /// Band number `index` to be computed; `None` if there are fewer.
    pub(crate) fn band(&self, index: usize) -> Option<RwLockWriteGuard<'_, Buffer>> {
        self.bands.get(index).map(|band| band.write().unwrap_or_else(PoisonError::into_inner))
    }

    /// The whole image, which has the layout of `place`.
    pub(crate) fn read(&self, place: Place) -> Image<'_> {
        let bands = self.bands.iter().map(|band| band.read().unwrap_or_else(PoisonError::into_inner)).collect();
        Image { bands, rows: self.rows, place }
    }
}

/// A stored image.
pub(crate) struct Image<'a> {
    bands: Vec<RwLockReadGuard<'a, Buffer>>,
    rows: usize,
    pub place: Place,
}

impl Image<'_> {
    /// A row with its margins.
    pub(crate) fn row(&self, index: usize) -> &[f32] {
        &self.bands[index / self.rows][index % self.rows * self.place.row()..][..self.place.row()]
    }

    /// The pixels of a row.
    pub(crate) fn pixels(&self, index: usize) -> &[f32] {
        let pixel = self.place.pixel();
        &self.row(index)[self.place.margin * pixel..][..self.place.shape.width * pixel]
    }
}
