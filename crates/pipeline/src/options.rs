//! The input of the pipeline: photo source, detector and export options.

use std::path::Path;

use faces::Detector;
use naming::PhotoName;
use outcome::{Detection, RuntimeInUse, StageTimes};
use picture::Picture;
use recipe::{DecodeLimits, Depth, DetectSpec, FaceChoice, Recipe};

/// A photo's file and the settings for decoding and detection.
#[derive(Clone, Copy, Debug)]
pub struct PhotoSource<'a> {
    /// Path of the photo's file.
    pub path: &'a Path,
    /// Limits on the file's size and pixel count.
    pub limits: &'a DecodeLimits,
    pub detect: &'a DetectSpec,
}

/// Called with the number of bytes about to be decoded, so that caches can be trimmed or other photos waited for.
pub type ReserveMemory<'a> = &'a mut dyn FnMut(u64);

/// The detector in use and its runtime.
pub struct DetectorHandle<'a> {
    pub detector: &'a mut dyn Detector,
    /// The requested and the actual runtime.
    pub runtime: &'a RuntimeInUse,
}

/// The result of [`examine`](crate::examine).
#[derive(Debug)]
pub struct Examined {
    /// The decoded image, upright.
    pub picture: Picture,
    /// The detected faces; `None` if there was no detector.
    pub detection: Option<Detection>,
    /// Time spent in each stage.
    pub stages: StageTimes,
}

/// How a photo is exported.
#[derive(Clone, Copy, Debug)]
pub struct ExportOptions<'a> {
    /// Which faces are cropped.
    pub faces: &'a FaceChoice,
    /// The last step to run.
    pub depth: Depth,
    /// Crop, finish, encoding and sheet settings.
    pub recipe: &'a Recipe,
    /// The values for the name template that are known before decoding.
    pub name: &'a PhotoName,
}
