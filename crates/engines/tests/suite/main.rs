//! Checks of every engine of this build, and of the search for the ONNX Runtime library.

mod engines;
mod library;
#[cfg(all(unix, feature = "ort"))]
mod library_stubs;
