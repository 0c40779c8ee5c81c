//! Cameras on Windows (Media Foundation) and macOS (AVFoundation).

use std::time::Duration;

use cameras::{Device, Error, FormatDescriptor, PixelFormat, StreamConfig};
use geometry::Size;

use crate::{Camera, CameraError, Cameras, Frame, FrameSource};

/// Maximum frame rate that is asked for.
const MAX_RATE: f64 = 30.0;

pub(crate) struct DesktopCameras;

impl Cameras for DesktopCameras {
    fn list(&mut self) -> Result<Vec<Camera>, CameraError> {
        let devices = cameras::devices().map_err(camera_error)?;
        Ok(devices.into_iter().map(|Device { id, name, .. }| Camera { id: id.0, name }).collect())
    }

    fn open(&mut self, id: &str) -> Result<Box<dyn FrameSource>, CameraError> {
        let devices = cameras::devices().map_err(camera_error)?;
        let device = devices.into_iter().find(|device| device.id.0 == id).ok_or(CameraError::Disconnected)?;
        let formats = cameras::probe(&device).map_err(camera_error)?.formats;
        let largest = formats.into_iter().max_by_key(|format| (pixels(format), rank(format)));
        let FormatDescriptor { resolution, framerate_range, pixel_format, .. } =
            largest.ok_or(CameraError::NoFormat)?;
        let framerate = framerate_range.max.clamp(1.0, MAX_RATE) as u32;
        let config = StreamConfig { resolution, framerate, pixel_format };
        Ok(Box::new(DesktopCamera(cameras::open(&device, config).map_err(camera_error)?)))
    }
}

fn pixels(format: &FormatDescriptor) -> u64 {
    u64::from(format.resolution.width) * u64::from(format.resolution.height)
}

/// Orders formats of equal size: first by frame rate, then uncompressed before compressed ones.
fn rank(format: &FormatDescriptor) -> (u32, bool) {
    (format.framerate_range.max.clamp(0.0, MAX_RATE) as u32, format.pixel_format != PixelFormat::Mjpeg)
}

struct DesktopCamera(cameras::Camera);

impl FrameSource for DesktopCamera {
    fn next_frame(&mut self, wait: Duration) -> Result<Option<Frame>, CameraError> {
        let mut newest = None;
        while let Some(frame) = cameras::try_next_frame(&self.0) {
            newest = Some(frame.map_err(camera_error)?);
        }
        let frame = match newest {
            Some(frame) => frame,
            None => match cameras::next_frame(&self.0, wait) {
                Ok(frame) => frame,
                Err(Error::Timeout) => return Ok(None),
                Err(error) => return Err(camera_error(error)),
            },
        };
        let size = Size::new(frame.width, frame.height);
        // A damaged frame is skipped.
        let samples = cameras::to_rgb8(&frame).ok().filter(|samples| samples.len() as u64 == size.pixels() * 3);
        Ok(samples.map(|samples| Frame::Rgb { size, samples }))
    }
}

fn camera_error(error: Error) -> CameraError {
    match error {
        Error::PermissionDenied => CameraError::NotPermitted,
        Error::DeviceInUse => CameraError::InUse,
        Error::DeviceNotFound(_) | Error::StreamEnded => CameraError::Disconnected,
        Error::FormatNotSupported => CameraError::NoFormat,
        Error::Backend { message, .. } if is_refusal(&message) => CameraError::NotPermitted,
        Error::Backend { message, .. } => CameraError::Other(message),
        error => CameraError::Other(error.to_string()),
    }
}

/// True for the text of Windows' error for missing permission, which is in the user's language.
fn is_refusal(message: &str) -> bool {
    const ACCESS_DENIED: i32 = 5;
    let text = std::io::Error::from_raw_os_error(ACCESS_DENIED).to_string();
    cfg!(windows) && !message.is_empty() && text.starts_with(message.trim_end())
}
