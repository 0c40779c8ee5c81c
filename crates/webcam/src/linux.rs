//! Cameras on Linux: Video4Linux2, called directly, without libv4l.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

use geometry::Size;
use linuxvideo::format::{FrameSizes, PixFormat, PixelFormat};
use linuxvideo::stream::ReadStream;
use linuxvideo::{BufType, CapabilityFlags, Device};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::huffman::with_tables;
use crate::packed::{Layout, to_rgb};
use crate::{Camera, CameraError, Cameras, Frame, FrameSource};

/// Supported formats with their four-character codes, the preferred one of equal sizes first: JPEG has the highest frame rate.
const FORMATS: [([u8; 4], Format); 6] = [
    (*b"MJPG", Format::Jpeg),
    (*b"JPEG", Format::Jpeg),
    (*b"NV12", Format::Packed(Layout::Nv12)),
    (*b"YUYV", Format::Packed(Layout::Yuyv)),
    (*b"RGB3", Format::Packed(Layout::Rgb)),
    (*b"BGR3", Format::Packed(Layout::Bgr)),
];

#[derive(Clone, Copy)]
enum Format {
    Jpeg,
    Packed(Layout),
}

pub(crate) struct LinuxCameras;

impl Cameras for LinuxCameras {
    fn list(&mut self) -> Result<Vec<Camera>, CameraError> {
        let mut numbers: Vec<u32> = match fs::read_dir("/dev") {
            Ok(entries) => entries.filter_map(|entry| number(entry.ok()?.file_name().to_str()?)).collect(),
            Err(error) => return Err(camera_error(&error)),
        };
        numbers.sort_unstable();
        let (mut cameras, mut is_refused) = (Vec::new(), false);
        for number in numbers {
            let id = format!("/dev/video{number}");
            match can_capture(&id) {
                Ok(true) => cameras.push(Camera { name: name(number).unwrap_or_else(|| id.clone()), id }),
                Ok(false) => {}
                Err(error) => is_refused |= error.kind() == ErrorKind::PermissionDenied,
            }
        }
        if cameras.is_empty() && is_refused { Err(CameraError::NotPermitted) } else { Ok(cameras) }
    }

    fn open(&mut self, id: &str) -> Result<Box<dyn FrameSource>, CameraError> {
        let failed = |error: io::Error| camera_error(&error);
        let device = Device::open(Path::new(id)).map_err(failed)?;
        let wanted = largest_format(&device).ok_or(CameraError::NoFormat)?;
        let device = device.video_capture(wanted).map_err(failed)?;
        let applied = device.format();
        let (_, format) = supported(applied.pixel_format()).ok_or(CameraError::NoFormat)?;
        let size = Size::new(applied.width(), applied.height());
        let stride = applied.bytes_per_line() as usize;
        let stream = device.into_stream().map_err(failed)?;
        Ok(Box::new(LinuxCamera { stream, format, size, stride }))
    }
}

/// The number of a device named `video0`.
fn number(name: &str) -> Option<u32> {
    name.strip_prefix("video")?.parse().ok()
}

/// The camera's name, from the kernel.
fn name(number: u32) -> Option<String> {
    let name = fs::read(format!("/sys/class/video4linux/video{number}/name")).ok()?;
    let name = String::from_utf8_lossy(&name).trim().to_owned();
    Some(name).filter(|name| !name.is_empty())
}

/// False for devices that only deliver metadata or play video. Cameras have one of the former as well.
fn can_capture(id: &str) -> io::Result<bool> {
    let flags = Device::open(Path::new(id))?.capabilities()?.device_capabilities();
    Ok(flags.contains(CapabilityFlags::VIDEO_CAPTURE) && flags.contains(CapabilityFlags::STREAMING))
}

/// A format's rank among the supported ones, the best first.
fn supported(format: PixelFormat) -> Option<(usize, Format)> {
    FORMATS
        .iter()
        .enumerate()
        .find(|(_, (code, _))| *code == format.as_fourcc())
        .map(|(rank, (_, format))| (rank, *format))
}

/// The largest size that the camera offers in a supported format.
fn largest_format(device: &Device) -> Option<PixFormat> {
    let offered = device.formats(BufType::VIDEO_CAPTURE).map_while(Result::ok);
    let sized = offered.filter_map(|offered| {
        let format = offered.pixel_format();
        let (rank, _) = supported(format)?;
        let (width, height) = largest_size(&device.frame_sizes(format).ok()?)?;
        Some((u64::from(width) * u64::from(height), std::cmp::Reverse(rank), PixFormat::new(width, height, format)))
    });
    sized.max_by_key(|(pixels, rank, _)| (*pixels, *rank)).map(|(_, _, format)| format)
}

/// Width and height in pixels.
fn largest_size(sizes: &FrameSizes) -> Option<(u32, u32)> {
    match sizes {
        FrameSizes::Discrete(sizes) => {
            let sizes = sizes.iter().map(|size| (size.width(), size.height()));
            sizes.max_by_key(|(width, height)| u64::from(*width) * u64::from(*height))
        }
        FrameSizes::Stepwise(sizes) | FrameSizes::Continuous(sizes) => Some((sizes.max_width(), sizes.max_height())),
    }
}

struct LinuxCamera {
    stream: ReadStream,
    format: Format,
    size: Size,
    /// Bytes of a row, for uncompressed formats.
    stride: usize,
}

impl FrameSource for LinuxCamera {
    fn next_frame(&mut self, wait: Duration) -> Result<Option<Frame>, CameraError> {
        let failed = |error: io::Error| camera_error(&error);
        if self.stream.will_block().map_err(failed)? && !self.wait(wait)? {
            return Ok(None);
        }
        let mut newest = None;
        loop {
            // A frame marked as damaged has no bytes worth showing.
            let read = self.stream.dequeue(|view| Ok((!view.is_error()).then(|| view.to_vec()))).map_err(failed)?;
            newest = read.or(newest);
            if self.stream.will_block().map_err(failed)? {
                break;
            }
        }
        Ok(newest.and_then(|bytes| match self.format {
            Format::Jpeg => Some(Frame::Jpeg(with_tables(bytes))),
            Format::Packed(layout) => {
                let samples = to_rgb(layout, self.size, self.stride, &bytes)?;
                Some(Frame::Rgb { size: self.size, samples })
            }
        }))
    }
}

impl LinuxCamera {
    /// Waits for a frame; false if none arrives.
    fn wait(&self, wait: Duration) -> Result<bool, CameraError> {
        let timeout = Timespec::try_from(wait).ok();
        let mut polled = [PollFd::new(&self.stream, PollFlags::IN)];
        match poll(&mut polled, timeout.as_ref()) {
            Ok(ready) => Ok(ready > 0),
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(camera_error(&error.into())),
        }
    }
}

fn camera_error(error: &io::Error) -> CameraError {
    match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::ACCESS | Errno::PERM) => CameraError::NotPermitted,
        Some(Errno::BUSY) => CameraError::InUse,
        Some(Errno::NODEV | Errno::NXIO | Errno::NOENT) => CameraError::Disconnected,
        _ => CameraError::Other(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_kernel_are_told_apart() {
        let error = |number: Errno| camera_error(&io::Error::from(number));
        assert_eq!(error(Errno::ACCESS), CameraError::NotPermitted);
        assert_eq!(error(Errno::BUSY), CameraError::InUse);
        assert_eq!(error(Errno::NODEV), CameraError::Disconnected);
        assert!(matches!(error(Errno::IO), CameraError::Other(text) if text.contains("error 5")));
    }

    #[test]
    fn a_file_that_is_no_camera_is_an_error() {
        assert_eq!(LinuxCameras.open("/dev/video4711").err(), Some(CameraError::Disconnected));
        assert!(matches!(LinuxCameras.open("/dev/null").err(), Some(CameraError::Other(_))));
    }

    #[test]
    fn devices_of_other_kinds_have_no_number() {
        assert_eq!(
            (number("video12"), number("video"), number("videos1"), number("vbi0")),
            (Some(12), None, None, None)
        );
    }
}
