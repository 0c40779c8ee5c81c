//! A frame of a camera on its way from the camera lane to the screen, the detector and a file.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use geometry::Size;
use outcome::{DecodeError, DisplayCopy};
use picture::{Picture, display_copy};

/// Longer side of the copy for the screen, in pixels. A new one is made for every frame.
const DISPLAY_SIDE: u32 = 1280;

/// A frame of a camera, at full size and as a copy for the screen. Cloning it copies no pixels.
#[derive(Clone)]
pub struct CameraFrame {
    picture: Arc<Picture>,
    display: DisplayCopy,
    is_shown: Arc<AtomicBool>,
}

impl CameraFrame {
    /// Makes the copy for the screen.
    ///
    /// # Errors
    /// Resizing failed.
    pub fn new(picture: Picture) -> Result<Self, DecodeError> {
        let display = display_copy(&picture, DISPLAY_SIDE)?;
        Ok(Self { picture: Arc::new(picture), display, is_shown: Arc::default() })
    }

    /// Its full size in pixels, which is that of the photo made from it.
    pub fn size(&self) -> Size {
        self.picture.size()
    }

    /// The copy for the screen, with a longer side of at most 1280 pixels.
    pub fn display(&self) -> &DisplayCopy {
        &self.display
    }

    /// Records that the frame was drawn. The camera lane sends the next frame only then, and frees the camera if that takes
    /// seconds: nobody sees a minimised or covered window.
    pub fn note_shown(&self) {
        self.is_shown.store(true, Ordering::Relaxed);
    }

    /// True once the frame was drawn.
    pub fn is_shown(&self) -> bool {
        self.is_shown.load(Ordering::Relaxed)
    }

    /// All pixels.
    pub(super) fn picture(&self) -> &Picture {
        &self.picture
    }
}

impl fmt::Debug for CameraFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CameraFrame({})", self.size())
    }
}
