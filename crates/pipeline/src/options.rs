//! What is asked of one photo, and what it needs for that.

use std::path::Path;

use faces::Detector;
use naming::PhotoName;
use outcome::{Detection, RuntimeInUse, StageTimes};
use picture::Picture;
use recipe::{DecodeLimits, Depth, DetectSpec, FaceChoice, Recipe};

/// A photo's file and how it is looked at.
#[derive(Clone, Copy, Debug)]
pub struct PhotoSource<'a> {
    /// The file.
    pub path: &'a Path,
    /// How large it may be.
    pub limits: &'a DecodeLimits,
    /// How faces are found.
    pub detect: &'a DetectSpec,
}

/// Called with the number of bytes that are about to be decoded, so that what is kept for later makes room for them.
pub type ReserveMemory<'a> = &'a mut dyn FnMut(u64);

/// The detector in use and what it runs on.
pub struct DetectorHandle<'a> {
    /// The detector.
    pub detector: &'a mut dyn Detector,
    /// What was asked for and what runs.
    pub runtime: &'a RuntimeInUse,
}

/// What looking at a photo gives.
#[derive(Debug)]
pub struct Examined {
    /// The upright picture.
    pub picture: Picture,
    /// Its faces; `None` if there was no detector.
    pub detection: Option<Detection>,
    /// Time spent in each stage.
    pub stages: StageTimes,
}

/// What is made of a photo.
#[derive(Clone, Copy, Debug)]
pub struct ExportOptions<'a> {
    /// Which faces.
    pub faces: &'a FaceChoice,
    /// How far to go.
    pub depth: Depth,
    /// How it becomes crops.
    pub recipe: &'a Recipe,
    /// What is known of its crops' names beforehand.
    pub name: &'a PhotoName,
}
