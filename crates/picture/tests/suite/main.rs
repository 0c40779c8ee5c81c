//! Tests of the public API with files of every format, valid and corrupt.

mod corruption;
mod formats;
mod pictures;
