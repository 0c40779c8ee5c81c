//! The camera that is shown in place of the photo.

use std::path::PathBuf;
use std::sync::Arc;

use batch::worker::{Camera, CameraError, CameraFrame, ItemId, RequestId};
use outcome::{Detection, PhotoInfo, PictureFormat, PixelLayout};
use plan::{CropPlan, Warning, WarningKind};
use recipe::{CropSpec, DetectSpec};

use super::{AppState, Pending, Photo};

/// The open camera and its last frame.
pub(crate) struct CameraGroup {
    /// True if this program was built with cameras.
    pub offered: bool,
    /// True while the camera is shown.
    pub shown: bool,
    /// The request that sends the frames, while the camera is open or being opened.
    pub request: Option<RequestId>,
    /// All cameras, once one was opened.
    pub cameras: Vec<Camera>,
    /// Id of the opened camera, or of the one to open.
    pub chosen: Option<String>,
    pub frame: Option<CameraFrame>,
    /// Stands for the photo that the frame would become: its size and faces. It is not in the list.
    pub photo: Photo,
    pub failure: Option<CameraError>,
    /// Number of photos taken since the camera was shown.
    pub taken: usize,
}

impl Default for CameraGroup {
    fn default() -> Self {
        Self {
            offered: false,
            shown: false,
            request: None,
            cameras: Vec::new(),
            chosen: None,
            frame: None,
            photo: empty(),
            failure: None,
            taken: 0,
        }
    }
}

/// A photo without pixels and faces.
fn empty() -> Photo {
    Photo::new(ItemId(u64::MAX), PathBuf::new())
}

impl CameraGroup {
    /// Shows `frame`. The faces stay until those of a later frame are known.
    pub(crate) fn set_frame(&mut self, frame: CameraFrame) {
        let size = frame.size();
        if self.photo.info.as_ref().is_none_or(|info| info.size != size) {
            self.photo = empty();
            self.photo.info = Some(PhotoInfo::plain(size, PictureFormat::Png, PixelLayout::RGB8));
        }
        self.frame = Some(frame);
    }

    /// Sets the faces of a frame; `None` if no runtime is open.
    pub(crate) fn set_faces(&mut self, detection: Option<Arc<Detection>>) {
        match detection {
            Some(detection) => self.photo.set_detection(detection),
            None => self.photo.detection = None,
        }
    }

    /// Drops the frame and its faces. Nothing of the camera's pictures is left then.
    pub(crate) fn clear(&mut self) {
        (self.request, self.frame, self.photo) = (None, None, empty());
    }
}

impl AppState {
    /// How faces are detected in a frame: as in a photo without edits.
    pub(crate) fn frame_detection(&self) -> DetectSpec {
        DetectSpec { masks: self.camera.photo.masks(&self.framings()), ..self.settings.detect }
    }

    /// The active output's crops of the frame, as an export would make them of the photo.
    pub(crate) fn frame_plan(&self) -> CropPlan {
        self.camera.photo.plan(&self.framings(), self.active_output())
    }

    /// The first warning of those crops.
    pub(crate) fn frame_warning(&self) -> Option<Warning> {
        let (framings, output) = (self.framings(), self.active_output());
        let warnings = self.camera.photo.warnings(&framings, output);
        warnings.into_iter().find(|warning| !matches!(warning.kind, WarningKind::FewFaces { .. }))
    }

    /// The framing of those crops.
    pub(crate) fn frame_crop_spec(&self) -> CropSpec {
        self.framings().get(self.active_output()).clone()
    }

    /// True while faces are detected in a frame.
    pub(crate) fn searches_frame(&self) -> bool {
        self.pending.values().any(|pending| *pending == Pending::SearchFrame)
    }
}
