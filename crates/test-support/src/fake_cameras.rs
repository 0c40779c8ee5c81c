//! Cameras without a device: they deliver the picture that a test sets.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::Duration;

use geometry::Size;
use webcam::{Camera, CameraError, Cameras, Frame, FrameSource};

/// Time between two frames.
const INTERVAL: Duration = Duration::from_millis(10);

/// Connected cameras; clones are the same ones.
#[derive(Clone, Default)]
pub struct FakeCameras(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    names: Vec<String>,
    frame: Option<Frame>,
    failure: Option<CameraError>,
    open: Option<String>,
    delivered: usize,
}

impl FakeCameras {
    /// Cameras with these names, which are also their ids. They are silent until [`show`](Self::show) is called.
    pub fn connected(names: &[&str]) -> Self {
        let cameras = Self::default();
        cameras.connect(names);
        cameras
    }

    /// Connects other cameras instead.
    pub fn connect(&self, names: &[&str]) {
        self.lock().names = names.iter().map(|&name| name.to_owned()).collect();
    }

    /// All of them deliver this frame.
    pub fn show(&self, frame: Frame) {
        self.lock().frame = Some(frame);
    }

    /// All of them deliver this picture.
    pub fn show_picture(&self, picture: &image::RgbImage) {
        let size = Size::new(picture.width(), picture.height());
        self.show(Frame::Rgb { size, samples: picture.as_raw().clone() });
    }

    /// Opening a camera fails, and so does the next frame of an open one; `None` to end that.
    pub fn fail(&self, error: Option<CameraError>) {
        self.lock().failure = error;
    }

    /// Id of the camera that is open: its light is on.
    pub fn open(&self) -> Option<String> {
        self.lock().open.clone()
    }

    /// Number of frames delivered so far.
    pub fn delivered(&self) -> usize {
        self.lock().delivered
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cameras for FakeCameras {
    fn list(&mut self) -> Result<Vec<Camera>, CameraError> {
        let camera = |name: &String| Camera { id: name.clone(), name: name.clone() };
        Ok(self.lock().names.iter().map(camera).collect())
    }

    fn open(&mut self, id: &str) -> Result<Box<dyn FrameSource>, CameraError> {
        let mut state = self.lock();
        if let Some(error) = state.failure.clone() {
            return Err(error);
        }
        assert!(state.open.is_none(), "two cameras are open");
        state.open = Some(id.to_owned());
        Ok(Box::new(FakeCamera(self.clone())))
    }
}

struct FakeCamera(FakeCameras);

impl FrameSource for FakeCamera {
    fn next_frame(&mut self, wait: Duration) -> Result<Option<Frame>, CameraError> {
        sleep(INTERVAL.min(wait));
        let mut state = self.0.lock();
        if let Some(error) = state.failure.clone() {
            return Err(error);
        }
        state.delivered += usize::from(state.frame.is_some());
        Ok(state.frame.clone())
    }
}

impl Drop for FakeCamera {
    fn drop(&mut self) {
        self.0.lock().open = None;
    }
}
