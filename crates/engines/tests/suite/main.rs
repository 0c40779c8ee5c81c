//! Every engine of this build, and the search for ONNX Runtime's library.

mod engines;
mod library;
#[cfg(all(unix, feature = "ort"))]
mod library_stubs;
