//! Photos to files, without worker threads.

mod encode;
mod presets;
