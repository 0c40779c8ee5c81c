//! Memory for rows of pixels.

use std::ops::{Deref, DerefMut};

/// Bytes of a cache line: a vector that crosses two takes twice as long to load.
const LINE: usize = 64;

/// Floats that begin at a cache line.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    values: Vec<f32>,
    start: usize,
    len: usize,
}

impl Buffer {
    pub(crate) fn zeros(len: usize) -> Self {
        let spare = LINE / size_of::<f32>();
        let values = vec![0.0; len + spare];
        let start = values.as_ptr().align_offset(LINE).min(spare);
        Self { values, start, len }
    }
}

impl From<&[f32]> for Buffer {
    fn from(values: &[f32]) -> Self {
        let mut buffer = Self::zeros(values.len());
        buffer.copy_from_slice(values);
        buffer
    }
}

impl Deref for Buffer {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.values[self.start..][..self.len]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.values[self.start..][..self.len]
    }
}
