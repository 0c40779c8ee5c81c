//! Photos to files, without a worker.

mod encode;
mod presets;
