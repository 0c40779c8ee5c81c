//! The worker with cameras that a test controls: no camera is needed.

use std::sync::Arc;
use std::time::Duration;

use image::{Rgb, RgbImage};

use batch::latency::open_chosen;
use batch::worker::{
    CameraEnd, CameraError, CameraFrame, CameraRequest, Event, OpenRequest, Reply, RequestId, WorkerHandle, WorkerPort,
};
use geometry::Size;
use webcam::Frame;

use crate::support::FakeCameras;

/// Timeout for an event.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Time in which no event must arrive.
const QUIET: Duration = Duration::from_millis(300);

/// A picture of one colour.
fn plain(size: Size, color: [u8; 3]) -> RgbImage {
    RgbImage::from_pixel(size.width, size.height, Rgb(color))
}

fn worker(cameras: &FakeCameras) -> WorkerHandle {
    let open = |request: &OpenRequest| open_chosen(request.choice, request.model.as_deref(), &request.options, None);
    let cameras = Box::new(cameras.clone());
    WorkerHandle::spawn_with_cameras(Box::new(open), None, Some(cameras), Arc::new(|| {})).expect("starts")
}

#[track_caller]
fn next(worker: &WorkerHandle) -> Event {
    worker.recv_for(TIMEOUT).expect("an event").event
}

#[track_caller]
fn next_frame(worker: &WorkerHandle) -> CameraFrame {
    let Event::CameraFrame(frame) = next(worker) else { panic!("no frame") };
    frame
}

#[track_caller]
fn end(worker: &WorkerHandle) -> CameraEnd {
    let Event::CameraClosed(end) = next(worker) else { panic!("not closed") };
    end
}

/// Opens a camera and returns the request.
#[track_caller]
fn open(worker: &WorkerHandle, camera: Option<&str>, expected: &str) -> RequestId {
    let id = worker.send(CameraRequest { camera: camera.map(str::to_owned) }.into());
    let Event::CameraOpened { opened, .. } = next(worker) else { panic!("not opened") };
    assert_eq!(opened, expected);
    id
}

#[test]
fn each_frame_is_the_newest_at_full_size_and_follows_the_last_one_shown() {
    let cameras = FakeCameras::connected(&["Front", "Back"]);
    let size = Size::new(2560, 1440);
    cameras.show_picture(&plain(size, [200, 0, 0]));
    let worker = worker(&cameras);
    let id = open(&worker, None, "Front");
    let first = next_frame(&worker);
    assert_eq!((first.size(), first.display().size), (size, Size::new(1280, 720)));
    assert_eq!(first.display().rgba[..4], [200, 0, 0, 255]);
    assert!(worker.recv_for(QUIET).is_none(), "the first frame was not shown yet");

    cameras.show_picture(&plain(size, [0, 0, 200]));
    first.note_shown();
    assert_eq!(next_frame(&worker).display().rgba[..4], [0, 0, 200, 255], "older frames were dropped");

    assert_eq!(cameras.open().as_deref(), Some("Front"));
    worker.cancel(id);
    assert_eq!(end(&worker), CameraEnd::Closed);
    assert_eq!(cameras.open(), None, "the camera is free");
    assert!(worker.recv_for(QUIET).is_none());
}

#[test]
fn a_camera_whose_pictures_are_not_shown_is_freed() {
    let cameras = FakeCameras::connected(&["Front"]);
    cameras.show_picture(&plain(Size::new(64, 48), [9, 9, 9]));
    let worker = worker(&cameras);
    open(&worker, None, "Front");
    next_frame(&worker);
    assert_eq!(end(&worker), CameraEnd::Unseen);
    assert_eq!(cameras.open(), None);
}

#[test]
fn the_chosen_camera_is_opened_or_else_the_first() {
    let cameras = FakeCameras::connected(&["Front", "Back"]);
    let worker = worker(&cameras);
    let first = open(&worker, Some("Back"), "Back");
    worker.cancel(first);
    assert_eq!(end(&worker), CameraEnd::Closed);
    cameras.connect(&["Front"]);
    open(&worker, Some("Back"), "Front");
}

#[test]
fn a_camera_that_cannot_be_used_says_why_and_can_be_opened_later() {
    let cameras = FakeCameras::default();
    let worker = worker(&cameras);
    let request = || worker.send(CameraRequest::default().into());
    request();
    assert_eq!(end(&worker), CameraEnd::Failed(CameraError::NoCamera));
    cameras.connect(&["Front"]);
    for error in [CameraError::NotPermitted, CameraError::InUse] {
        cameras.fail(Some(error.clone()));
        request();
        assert_eq!(end(&worker), CameraEnd::Failed(error));
    }
    cameras.fail(None);
    cameras.show_picture(&plain(Size::new(64, 48), [9, 9, 9]));
    open(&worker, None, "Front");
    let frame = next_frame(&worker);
    cameras.fail(Some(CameraError::Disconnected));
    frame.note_shown();
    assert_eq!(end(&worker), CameraEnd::Failed(CameraError::Disconnected), "while it was open");
    assert_eq!(cameras.open(), None);
}

#[test]
fn a_camera_without_pictures_is_reported() {
    let cameras = FakeCameras::connected(&["Front"]);
    let worker = worker(&cameras);
    open(&worker, None, "Front");
    assert_eq!(end(&worker), CameraEnd::Failed(CameraError::Silent));
}

/// A JPEG of 320 x 240 pixels of one colour.
fn jpeg(color: [u8; 3]) -> Vec<u8> {
    let mut jpeg = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut jpeg, 95);
    plain(Size::new(320, 240), color).write_with_encoder(encoder).expect("encodes");
    jpeg
}

/// A frame of that size and colour.
#[track_caller]
fn assert_shows(frame: &CameraFrame, color: [u8; 3]) {
    assert_eq!(frame.size(), Size::new(320, 240));
    let shown = &frame.display().rgba[..3];
    assert!(shown.iter().zip(color).all(|(a, b)| a.abs_diff(b) <= 4), "{shown:?}");
}

#[test]
fn damaged_frames_are_skipped() {
    let jpeg = jpeg([30, 90, 150]);
    let cameras = FakeCameras::connected(&["Front"]);
    cameras.show(Frame::Jpeg(jpeg[..jpeg.len() / 2].to_vec()));
    let worker = worker(&cameras);
    open(&worker, None, "Front");
    assert!(worker.recv_for(QUIET).is_none() && cameras.delivered() > 0);
    cameras.show(Frame::Jpeg(jpeg));
    assert_shows(&next_frame(&worker), [30, 90, 150]);
}

#[test]
fn a_worker_without_cameras_answers_that_there_are_none() {
    let open = |_: &OpenRequest| unreachable!("no runtime is requested");
    let worker = WorkerHandle::spawn_with(Box::new(open), None, Arc::new(|| {})).expect("starts");
    let id = worker.send(CameraRequest::default().into());
    let Reply { id: answered, event } = worker.recv_for(TIMEOUT).expect("an answer");
    assert!(answered == id && matches!(event, Event::CameraClosed(CameraEnd::Failed(CameraError::NoCamera))));
}
