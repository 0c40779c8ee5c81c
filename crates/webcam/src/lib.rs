//! The cameras connected to this computer: their names, and their newest frames.
//!
//! [`Cameras`] lists and opens cameras, and a [`FrameSource`] delivers the frames of an open one; dropping it frees the camera.
//! [`system_cameras`] is the real implementation, behind the feature `system`: `linux.rs` uses the kernel's interface (V4L2)
//! without a C library, `desktop.rs` uses Media Foundation on Windows and AVFoundation on macOS. Tests implement the traits
//! themselves. This crate decodes no JPEG, detects nothing and stores nothing.

#[cfg(all(feature = "system", any(target_os = "windows", target_os = "macos")))]
mod desktop;
#[cfg(any(test, all(feature = "system", target_os = "linux")))]
mod huffman;
#[cfg(all(feature = "system", target_os = "linux"))]
mod linux;
#[cfg(any(test, all(feature = "system", target_os = "linux")))]
mod packed;

use std::time::Duration;

use geometry::Size;

/// A camera of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Camera {
    /// Identifies it to [`Cameras::open`], for as long as it is connected.
    pub id: String,
    /// Its name, as the system shows it.
    pub name: String,
}

/// Why a camera delivers no frames.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CameraError {
    /// No camera is connected.
    #[error("no camera was found")]
    NoCamera,
    /// The system does not let this program use the camera.
    #[error("the system does not permit access to the camera")]
    NotPermitted,
    /// Another program uses it.
    #[error("another program uses the camera")]
    InUse,
    /// It was disconnected.
    #[error("the camera was disconnected")]
    Disconnected,
    /// It is open, but no frame arrives.
    #[error("the camera sends no pictures")]
    Silent,
    /// It offers no format that can be read.
    #[error("the camera offers no supported picture format")]
    NoFormat,
    /// Another error of the system.
    #[error("{0}")]
    Other(String),
}

/// A frame at the camera's full size.
#[derive(Clone, PartialEq, Eq)]
pub enum Frame {
    /// A complete JPEG file.
    Jpeg(Vec<u8>),
    /// sRGB: three bytes a pixel, rows from top to bottom without padding.
    Rgb { size: Size, samples: Vec<u8> },
}

/// Lists and opens cameras.
pub trait Cameras: Send {
    /// The connected cameras, in a stable order. On macOS, the system may first ask for permission.
    ///
    /// # Errors
    /// Fails if the system does not permit access or cannot list them. An empty list is no error.
    fn list(&mut self) -> Result<Vec<Camera>, CameraError>;

    /// Opens a camera at its largest size and starts it. On macOS, the system first asks for permission.
    ///
    /// # Errors
    /// Fails if the camera is gone, in use, not permitted, or has no supported format.
    fn open(&mut self, id: &str) -> Result<Box<dyn FrameSource>, CameraError>;
}

/// An open camera.
pub trait FrameSource {
    /// The newest frame not returned before; older ones are dropped. Waits for at most `wait`; `None` if none arrives.
    ///
    /// # Errors
    /// Fails if the camera was disconnected or has failed. It delivers no more frames then.
    fn next_frame(&mut self, wait: Duration) -> Result<Option<Frame>, CameraError>;
}

/// The cameras of this computer; `None` in a program built without the feature `system`.
pub fn system_cameras() -> Option<Box<dyn Cameras>> {
    #[cfg(all(feature = "system", target_os = "linux"))]
    return Some(Box::new(linux::LinuxCameras));
    #[cfg(all(feature = "system", any(target_os = "windows", target_os = "macos")))]
    return Some(Box::new(desktop::DesktopCameras));
    #[cfg(not(all(feature = "system", any(target_os = "linux", target_os = "windows", target_os = "macos"))))]
    None
}
