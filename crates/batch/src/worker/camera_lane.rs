//! The camera lane: sends the newest frame of an open camera, as long as the window draws them.

use std::sync::mpsc::Receiver;
use std::thread::sleep;
use std::time::{Duration, Instant};

use cancel::CancelToken;
use outcome::{Channels, PictureFormat};
use picture::{Picture, PictureInfo, Pixels, decode_bytes};
use recipe::DecodeLimits;
use webcam::{CameraError, Cameras, Frame, FrameSource};

use super::lane::answer_each;
use super::outbox::Outbox;
use super::pending::Queued;
use super::{CameraEnd, CameraFrame, CameraRequest, Event};

/// How long the lane waits for a frame before it checks whether it was cancelled.
const FRAME_WAIT: Duration = Duration::from_millis(100);

/// How often the lane checks whether the last frame was drawn.
const SHOWN_INTERVAL: Duration = Duration::from_millis(4);

/// A camera whose last frame has not been drawn for this time is freed.
const MAX_UNSEEN: Duration = Duration::from_secs(2);

/// A camera that sends no usable frame for this time has failed. Some need seconds for the first one.
const MAX_SILENCE: Duration = Duration::from_secs(6);

/// Answers requests until the lane is closed.
pub(super) fn run(inbox: &Receiver<Queued<CameraRequest>>, outbox: &Outbox, mut cameras: Box<dyn Cameras>) {
    answer_each(inbox, outbox, |id, request, cancel| {
        let mut send = |event| outbox.send(id, event);
        let end = watch(&mut *cameras, request.camera.as_deref(), cancel, &mut send);
        let end = end.unwrap_or_else(CameraEnd::Failed);
        tracing::info!(?end, "camera closed");
        Event::CameraClosed(end)
    });
}

/// Sends the frames of the camera with the id `wanted`, or else of the first one. Sends no frame before the last one was drawn.
fn watch(
    cameras: &mut dyn Cameras,
    wanted: Option<&str>,
    cancel: &CancelToken,
    send: &mut dyn FnMut(Event),
) -> Result<CameraEnd, CameraError> {
    if cancel.is_cancelled() {
        return Ok(CameraEnd::Closed);
    }
    let listed = cameras.list()?;
    let chosen = listed.iter().find(|camera| wanted == Some(&camera.id)).or(listed.first());
    let camera = chosen.cloned().ok_or(CameraError::NoCamera)?;
    let mut source = cameras.open(&camera.id)?;
    tracing::info!(camera = camera.name, "camera opened");
    send(Event::CameraOpened { cameras: listed, opened: camera.id });
    while let Some(frame) = next_frame(&mut *source, cancel)? {
        send(Event::CameraFrame(frame.clone()));
        let sent = Instant::now();
        while !frame.is_shown() && !cancel.is_cancelled() {
            if sent.elapsed() >= MAX_UNSEEN {
                return Ok(CameraEnd::Unseen);
            }
            sleep(SHOWN_INTERVAL);
        }
    }
    Ok(CameraEnd::Closed)
}

/// Waits for the next usable frame; `None` once cancelled.
fn next_frame(source: &mut dyn FrameSource, cancel: &CancelToken) -> Result<Option<CameraFrame>, CameraError> {
    let start = Instant::now();
    while !cancel.is_cancelled() {
        if let Some(frame) = source.next_frame(FRAME_WAIT)?.and_then(picture) {
            return Ok(Some(CameraFrame::new(frame).map_err(|error| CameraError::Other(error.to_string()))?));
        }
        if start.elapsed() >= MAX_SILENCE {
            return Err(CameraError::Silent);
        }
    }
    Ok(None)
}

/// The pixels of a frame; `None` if it is damaged, as single frames may be.
fn picture(frame: Frame) -> Option<Picture> {
    match frame {
        Frame::Jpeg(bytes) => {
            let decoded = decode_bytes(&bytes, &DecodeLimits::default()).ok()?;
            decoded.info.damage.is_none().then_some(decoded)
        }
        Frame::Rgb { size, samples } => {
            let pixels = Pixels::from_u8(size, Channels::Rgb, samples)?;
            let info = PictureInfo::plain(size, PictureFormat::Png, pixels.layout());
            Some(Picture::whole(info, pixels))
        }
    }
}
