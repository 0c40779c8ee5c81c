//! Photos to files, without worker threads.

mod encode;
mod outputs;
mod presets;
