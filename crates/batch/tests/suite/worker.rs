//! Guarantees of the worker: one terminal event per request, latest wins, cancel within one photo, recovery from panics.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;

use batch::latency::OpenedRuntime;
use batch::worker::{
    Event, ExportItem, ExportJob, FilesRequest, ItemId, OpenRequest, PhotoRef, Reply, Request, RequestId,
    SessionRequest, ThumbnailsRequest, WorkerHandle, WorkerPort,
};
use cancel::Generation;
use faces::Detector;
use geometry::{Face, ManualFrame, Point, Rect, Size};
use import::{PathKind, PathQuery};
use naming::{NameTemplate, PhotoName};
use outcome::{BackendError, DetectError, Detection, OpenError, OutcomeKind, SessionInfo, Stage, StageError};
use picture::Picture;
use plan::{PlannedCrop, plan_in_order};
use recipe::{
    BackendKind, Color, CropSpec, DecodeLimits, Depth, DetectSpec, EdgePolicy, EncodeSpec, FaceChoice, FinishSpec,
    OnConflict, OutputFormat, OutputSpec, Recipe, RenderSpec, RuntimeChoice, RuntimeOptions,
};

fn face() -> Face {
    let bbox = Rect::new(20.0, 20.0, 20.0, 24.0);
    Face::new(bbox, [Point::new(30.0, 30.0); 5], 0.9)
}

/// A detector that finds one face in every image, panics on images 66 pixels wide, and waits at its gate if it has one.
struct ScriptedDetector {
    info: SessionInfo,
    gate: Option<Arc<Mutex<Receiver<()>>>>,
    begun: Arc<AtomicUsize>,
    runs: Arc<AtomicUsize>,
}

impl Detector for ScriptedDetector {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn long_side(&self) -> u32 {
        640
    }

    fn detect(&mut self, picture: &Picture, _: &DetectSpec) -> Result<Detection, DetectError> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        if let Some(gate) = &self.gate {
            gate.lock().expect("not poisoned").recv_timeout(Duration::from_secs(20)).expect("the test opens the gate");
        }
        self.runs.fetch_add(1, Ordering::SeqCst);
        assert_ne!(picture.size().width, 66, "a scripted fault");
        Ok(Detection { faces: vec![face()], ..Detection::default() })
    }
}

struct Fixture {
    worker: WorkerHandle,
    folder: TempDir,
    opened: Arc<AtomicUsize>,
    begun: Arc<AtomicUsize>,
    runs: Arc<AtomicUsize>,
    wakes: Arc<AtomicUsize>,
    gate: Sender<()>,
}

fn opening(choice: RuntimeChoice) -> Request {
    SessionRequest::OpenRuntime { choice, model: None, options: RuntimeOptions::default(), at_once: false }.into()
}

fn item(photo: &PhotoRef, faces: &FaceChoice) -> ExportItem {
    ExportItem { photo: photo.clone(), faces: faces.clone(), name: PhotoName::default(), recipe: None, card: None }
}

impl Fixture {
    /// A worker with a scripted detector, opened and ready; rten cannot be opened.
    fn new(gated: bool) -> Self {
        let fixture = Self::closed(gated);
        fixture.worker.send(opening(RuntimeChoice::Auto));
        assert!(matches!(fixture.next().event, Event::RuntimeReady { .. }));
        fixture
    }

    fn closed(gated: bool) -> Self {
        let (gate, inbox) = channel();
        let gate_inbox = gated.then(|| Arc::new(Mutex::new(inbox)));
        let [opened, begun, runs, wakes] = std::array::from_fn(|_| Arc::new(AtomicUsize::new(0)));
        let (open_count, begun_count) = (Arc::clone(&opened), Arc::clone(&begun));
        let (run_count, wake_count) = (Arc::clone(&runs), Arc::clone(&wakes));
        let open = move |options: &OpenRequest| -> Result<OpenedRuntime, OpenError> {
            if options.choice == RuntimeChoice::Named(BackendKind::Rten) {
                return Err(BackendError::NotIncluded { kind: BackendKind::Rten }.into());
            }
            open_count.fetch_add(1, Ordering::SeqCst);
            let info = SessionInfo {
                kind: BackendKind::Tract,
                version: "scripted".to_owned(),
                device: "CPU".to_owned(),
                input: Size::new(640, 640),
                outputs: Vec::new(),
            };
            let (gate, begun, runs) = (gate_inbox.clone(), Arc::clone(&begun_count), Arc::clone(&run_count));
            let detector = Box::new(ScriptedDetector { info, gate, begun, runs });
            Ok(OpenedRuntime { detector, why: None })
        };
        let wake = Arc::new(move || {
            wake_count.fetch_add(1, Ordering::SeqCst);
        });
        let folder = tempfile::tempdir().expect("created");
        let cache = folder.path().join("cache");
        let worker = WorkerHandle::spawn_with(Box::new(open), Some(&cache), wake).expect("starts");
        Self { worker, folder, opened, begun, runs, wakes, gate }
    }

    /// Waits until the first photo is at the gate.
    #[track_caller]
    fn wait_for_the_gate(&self) {
        for _ in 0..2000 {
            if self.begun.load(Ordering::SeqCst) > 0 {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("no photo reached the gate");
    }

    /// Writes a grey image of `width` x 60 pixels.
    fn photo(&self, item: u64, width: u32) -> PhotoRef {
        let path = self.folder.path().join(format!("{item}.png"));
        image::GrayImage::from_pixel(width, 60, image::Luma([99])).save(&path).expect("saved");
        let (limits, detect) = (DecodeLimits::default(), DetectSpec::default());
        PhotoRef { item: ItemId(item), path, limits, detect }
    }

    fn open_photo(&self, photo: &PhotoRef, generation: u64) -> RequestId {
        self.worker.send(SessionRequest::OpenPhoto { photo: photo.clone(), generation: Generation(generation) }.into())
    }

    fn export(&self, photos: &[PhotoRef], faces: &FaceChoice) -> RequestId {
        self.export_all(photos, faces, false)
    }

    fn export_all(&self, photos: &[PhotoRef], faces: &FaceChoice, include_damaged: bool) -> RequestId {
        self.export_with(photos, faces, include_damaged, EncodeSpec::default())
    }

    fn export_as(&self, photos: &[PhotoRef], faces: &FaceChoice, encode: EncodeSpec) -> RequestId {
        self.export_with(photos, faces, false, encode)
    }

    fn export_with(
        &self,
        photos: &[PhotoRef],
        faces: &FaceChoice,
        include_damaged: bool,
        encode: EncodeSpec,
    ) -> RequestId {
        let items = photos.iter().map(|photo| item(photo, faces)).collect();
        let mut job = self.job(items, 1);
        job.recipe = Recipe { include_damaged, encode, ..job.recipe };
        self.worker.send(SessionRequest::Export(Arc::new(job)).into())
    }

    fn send_batch(&self, items: Vec<ExportItem>, workers: usize) -> RequestId {
        self.worker.send(SessionRequest::Export(Arc::new(self.job(items, workers))).into())
    }

    fn job(&self, items: Vec<ExportItem>, workers: usize) -> ExportJob {
        ExportJob {
            items,
            depth: Depth::Write,
            recipe: Recipe { crop: CropSpec { output: Size::new(40, 50), ..CropSpec::default() }, ..Recipe::default() },
            output: OutputSpec { folder: self.out(), on_conflict: OnConflict::Suffix },
            template: NameTemplate::default(),
            originals: Vec::new(),
            ignored: Vec::new(),
            workers,
            journal: None,
        }
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn written(&self) -> usize {
        std::fs::read_dir(self.out()).map_or(0, Iterator::count)
    }

    fn next(&self) -> Reply {
        self.worker.recv().expect("the worker is alive")
    }

    /// Receives replies until all `ids` have their terminal event; fails on a second terminal event.
    fn wait_for(&self, ids: &[RequestId]) -> HashMap<RequestId, Event> {
        let mut ended = HashMap::new();
        while ids.iter().any(|id| !ended.contains_key(id)) {
            let Reply { id, event } = self.next();
            if event.is_terminal() {
                assert!(ended.insert(id, event).is_none(), "a second terminal event for {id:?}");
            }
        }
        ended
    }
}

#[test]
fn a_named_runtime_that_fails_leaves_none_open() {
    let fixture = Fixture::new(false);
    let choice = RuntimeChoice::Named(BackendKind::Rten);
    fixture.worker.send(opening(choice));
    assert!(matches!(fixture.next().event, Event::RuntimeFailed { requested, .. } if requested == choice));
    let photo = fixture.photo(1, 64);
    fixture.open_photo(&photo, 1);
    // The photo is still shown, but no other runtime was used.
    assert!(matches!(fixture.next().event, Event::PhotoOpened { detection: None, .. }));
    let id = fixture.export(&[photo], &FaceChoice::BySpec);
    let Event::ExportProgress { report, .. } = fixture.next().event else { panic!("no progress") };
    let reason = report.error.as_ref().expect("failed").to_string();
    assert!(reason.contains("rten is not included"), "{reason}");
    assert!(matches!(fixture.wait_for(&[id])[&id], Event::ExportFinished { cancelled: false, done: 1, .. }));
}

#[test]
fn the_latest_open_photo_request_wins_and_each_gets_one_answer() {
    let fixture = Fixture::new(true);
    let photos: Vec<PhotoRef> = (1..=4).map(|item| fixture.photo(item, 64)).collect();
    let first = fixture.open_photo(&photos[0], 1);
    // The first is running, and the next three wait.
    fixture.wait_for_the_gate();
    let rest: Vec<RequestId> = (1..4).map(|i| fixture.open_photo(&photos[i], 1 + i as u64)).collect();
    for _ in 0..2 {
        fixture.gate.send(()).expect("the detector waits");
    }
    let ended = fixture.wait_for(&[first, rest[0], rest[1], rest[2]]);
    assert!(matches!(ended[&first], Event::Superseded), "superseded while running: {:?}", ended[&first]);
    assert!(matches!(ended[&rest[0]], Event::Superseded));
    assert!(matches!(ended[&rest[1]], Event::Superseded));
    assert!(matches!(ended[&rest[2]], Event::PhotoOpened { item: ItemId(4), generation: Generation(4), .. }));
    assert_eq!(fixture.runs.load(Ordering::SeqCst), 2, "requests superseded while waiting are never run");
}

#[test]
fn an_engine_panic_fails_its_photo_and_the_runtime_is_opened_again() {
    let fixture = Fixture::new(false);
    let (bad, good) = (fixture.photo(1, 66), fixture.photo(2, 64));
    fixture.open_photo(&bad, 1);
    match fixture.next().event {
        Event::Failed { item: Some(ItemId(1)), error: StageError::Panicked { stage: Stage::Inference, message } } => {
            assert!(message.contains("a scripted fault"), "{message}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(fixture.opened.load(Ordering::SeqCst), 2);
    fixture.open_photo(&good, 2);
    assert!(matches!(fixture.next().event, Event::PhotoOpened { detection: Some(_), .. }));
    assert!(fixture.worker.is_alive());
    // In a batch the photo fails and the others are written.
    let id = fixture.export(&[bad, good.clone(), good], &FaceChoice::BySpec);
    assert!(matches!(fixture.wait_for(&[id])[&id], Event::ExportFinished { cancelled: false, done: 3, total: 3, .. }));
    assert_eq!(fixture.written(), 2);
}

#[test]
fn opening_a_photo_takes_precedence_over_the_next_photo_of_a_batch() {
    let fixture = Fixture::new(true);
    let photos: Vec<PhotoRef> = (1..=3).map(|item| fixture.photo(item, 64)).collect();
    let export = fixture.export(&photos, &FaceChoice::BySpec);
    fixture.wait_for_the_gate();
    let open_photo = fixture.open_photo(&photos[2], 1);
    std::thread::sleep(Duration::from_millis(500)); // The worker has received it.
    for _ in 0..4 {
        fixture.gate.send(()).expect("the detector waits");
    }
    let mut order = Vec::new();
    loop {
        match fixture.next() {
            Reply { id, event: Event::ExportProgress { done, .. } } if id == export => order.push(done.to_string()),
            Reply { id, event: Event::PhotoOpened { .. } } if id == open_photo => order.push("opened".to_owned()),
            Reply { event: Event::ExportFinished { .. }, .. } => break,
            other => panic!("{other:?}"),
        }
    }
    // The worker thread and the interactive request share one detector here: the first photo is reported when its file is
    // written, at about the time the opened photo is finished, and the second one after both.
    let at = |event: &str| order.iter().position(|other| other == event).expect("reported");
    assert!(at("opened") < at("2") && at("1") < at("2") && at("2") < at("3"), "{order:?}");
}

#[test]
fn a_batch_is_cancelled_within_one_photo() {
    let fixture = Fixture::new(true);
    let photos: Vec<PhotoRef> = (1..=50).map(|item| fixture.photo(item, 64)).collect();
    let export = fixture.export(&photos, &FaceChoice::BySpec);
    fixture.gate.send(()).expect("the detector waits");
    assert!(matches!(fixture.next().event, Event::ExportProgress { done: 1, total: 50, .. }));
    fixture.worker.cancel(export);
    fixture.gate.send(()).expect("the detector may already wait");
    let done = match fixture.wait_for(&[export]).remove(&export) {
        Some(Event::ExportFinished { cancelled: true, done, total: 50, .. }) => done,
        other => panic!("{other:?}"),
    };
    assert_eq!(done, fixture.written());
    assert!(done <= 2, "{done} photos were written");
    fixture.worker.cancel(export); // Already finished: ignored.
}

#[test]
fn a_request_cancelled_while_it_waits_is_never_started() {
    let fixture = Fixture::new(true);
    let photos: Vec<PhotoRef> = (1..=3).map(|item| fixture.photo(item, 64)).collect();
    let index_photo = |photo: &PhotoRef| {
        fixture.worker.send(SessionRequest::IndexPhoto { photo: photo.clone(), thumbnail_side: 32 }.into())
    };
    let ids: Vec<RequestId> = photos.iter().map(index_photo).collect();
    fixture.worker.cancel(ids[1]);
    for _ in 0..2 {
        fixture.gate.send(()).expect("the detector waits");
    }
    let ended = fixture.wait_for(&ids);
    assert!(matches!(ended[&ids[1]], Event::Superseded));
    for (index, item) in [(0, ItemId(1)), (2, ItemId(3))] {
        match &ended[&ids[index]] {
            Event::PhotoIndexed { item: photo_indexed, thumbnail, detection: Some(detection), .. } => {
                assert_eq!((*photo_indexed, thumbnail.size, detection.faces.len()), (item, Size::new(32, 30), 1));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn manually_chosen_faces_are_cropped_without_detection() {
    let fixture = Fixture::new(false);
    let photos = [fixture.photo(1, 64)];
    let mut other = face();
    other.bbox.x = 30.0;
    let id = fixture.export(&photos, &FaceChoice::Manual(vec![face(), other]));
    let Event::ExportProgress { report, .. } = fixture.next().event else { panic!("no progress") };
    assert_eq!((report.outcome, report.crops.len()), (OutcomeKind::Cropped, 2));
    assert_eq!((fixture.wait_for(&[id]).len(), fixture.written()), (1, 2));
    fixture.export(&photos, &FaceChoice::Manual(Vec::new()));
    let Event::ExportProgress { report, .. } = fixture.next().event else { panic!("no progress") };
    assert_eq!(report.outcome, OutcomeKind::Excluded);
    assert_eq!(fixture.runs.load(Ordering::SeqCst), 0);
}

#[test]
fn the_preview_shows_the_frame_and_is_scaled_for_the_screen() {
    let fixture = Fixture::new(false);
    let photo = fixture.photo(1, 64);
    let output = Size::new(400, 500);
    let crop = PlannedCrop::upright(geometry::PixelRect::new(40, 0, 48, 60), output);
    let fill = Color { rgb: [10, 20, 30] };
    let render = RenderSpec { edge: EdgePolicy::Pad, fill, finish: FinishSpec::default() };
    fixture
        .worker
        .send(SessionRequest::RenderPreview { photo, generation: Generation(7), crop, render, max_side: 100 }.into());
    match fixture.next().event {
        Event::PreviewRendered { generation: Generation(7), crop: shown, image, .. } => {
            assert_eq!((shown, image.size), (crop, Size::new(80, 100)));
            assert_eq!(image.rgba[..4], [99, 99, 99, 255]);
            assert_eq!(image.rgba[79 * 4..80 * 4], [10, 20, 30, 255]);
        }
        other => panic!("{other:?}"),
    }
}

/// A pattern in which all pixels differ.
fn varied(x: u32, y: u32) -> image::Rgb<u8> {
    image::Rgb([(x * 4) as u8, (y * 4) as u8, ((x * 7 + y * 13) % 251) as u8])
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the pictures are small, and read back only to be compared")]
fn a_manual_frame_is_written_as_previewed() {
    let fixture = Fixture::new(false);
    let photo = fixture.photo(1, 64);
    image::RgbImage::from_fn(64, 60, varied).save(&photo.path).expect("saved");
    for (angle, width) in [(0.0, 32.0), (13.0, 28.0), (13.0, 40.0)] {
        let frame = ManualFrame { center: Point::new(33.0, 28.0), width, height: 40.0, angle };
        let manual = Face { frame: Some(frame), ..face() };
        let spec = CropSpec { output: Size::new(40, 50), ..CropSpec::default() };
        let crop = plan_in_order(&[manual], &[0], Size::new(64, 60), &spec).crops[0];
        let render = spec.render_spec(FinishSpec::default());
        let preview = SessionRequest::RenderPreview {
            photo: photo.clone(),
            generation: Generation(1),
            crop,
            render,
            max_side: 50,
        }
        .into();
        fixture.worker.send(preview);
        let Event::PreviewRendered { image: shown, .. } = fixture.next().event else { panic!("no preview") };
        let encode = EncodeSpec { format: OutputFormat::Png, ..EncodeSpec::default() };
        let id = fixture.export_as(std::slice::from_ref(&photo), &FaceChoice::Manual(vec![manual]), encode);
        let Event::ExportProgress { report, .. } = fixture.next().event else { panic!("no progress") };
        fixture.wait_for(&[id]);
        let written = report.crops[0].written.as_ref().expect("written");
        let written = image::open(written).expect("a picture").to_rgba8();
        assert_eq!((shown.size.width, shown.size.height), written.dimensions(), "{crop:?}");
        assert_eq!(&shown.rgba[..], written.as_raw(), "{crop:?}");
    }
}

#[test]
fn a_region_is_shown_at_its_own_resolution() {
    let fixture = Fixture::new(false);
    let photo = fixture.photo(1, 64);
    // Left half black, right half white.
    let halves = image::GrayImage::from_fn(64, 60, |x, _| image::Luma([if x < 32 { 0 } else { 255 }]));
    halves.save(&photo.path).expect("saved");
    let part = geometry::PixelRect::new(28, 10, 8, 4);
    let render_detail =
        SessionRequest::RenderDetail { photo, generation: Generation(3), part, size: Size::new(8, 4) }.into();
    fixture.worker.send(render_detail);
    match fixture.next().event {
        Event::DetailRendered { generation: Generation(3), part: shown, image, .. } => {
            assert_eq!((shown, image.size), (part, Size::new(8, 4)));
            let row: Vec<u8> = image.rgba.chunks_exact(4).take(8).map(|pixel| pixel[0]).collect();
            assert_eq!(row, [0, 0, 0, 0, 255, 255, 255, 255]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_thumbnail_is_found_after_indexing() {
    let fixture = Fixture::new(false);
    let photo = fixture.photo(1, 64);
    let find = || {
        fixture.worker.send(ThumbnailsRequest::FindThumbnail { photo: photo.clone(), side: 32 }.into());
        match fixture.next().event {
            Event::ThumbnailFound { item: ItemId(1), thumbnail } => thumbnail.map(|thumbnail| thumbnail.size),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(find(), None);
    fixture.worker.send(SessionRequest::IndexPhoto { photo: photo.clone(), thumbnail_side: 32 }.into());
    assert!(matches!(fixture.next().event, Event::PhotoIndexed { .. }));
    assert_eq!(find(), Some(Size::new(32, 30)));
}

#[test]
fn a_damaged_photo_is_exported_only_on_request() {
    let fixture = Fixture::new(false);
    let mut photo = fixture.photo(1, 64);
    let noise = image::RgbImage::from_fn(256, 256, |x, y| image::Rgb([(x * y) as u8, (x ^ y) as u8, (x + y) as u8]));
    photo.path = fixture.folder.path().join("cut.jpg");
    noise.save(&photo.path).expect("saved");
    let bytes = std::fs::read(&photo.path).expect("exists");
    std::fs::write(&photo.path, &bytes[..bytes.len() / 2]).expect("written");
    let manual = FaceChoice::Manual(vec![face()]);
    for faces in [&FaceChoice::BySpec, &manual] {
        for (include, outcome) in [(false, OutcomeKind::Damaged), (true, OutcomeKind::Cropped)] {
            let before = fixture.written();
            let id = fixture.export_all(std::slice::from_ref(&photo), faces, include);
            let Event::ExportProgress { report, .. } = fixture.next().event else { panic!("no progress") };
            assert_eq!((report.outcome, report.damage.is_some()), (outcome, true), "{faces:?}");
            fixture.wait_for(&[id]);
            assert_eq!(fixture.written() - before, usize::from(include));
        }
    }
}

#[test]
fn every_reply_wakes_the_front_end() {
    let fixture = Fixture::new(false);
    let photo = fixture.photo(1, 64);
    fixture.open_photo(&photo, 1);
    fixture.next();
    // The wake call follows the reply with a short delay.
    for _ in 0..200 {
        if fixture.wakes.load(Ordering::SeqCst) == 2 {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{} wakes for 2 replies", fixture.wakes.load(Ordering::SeqCst));
}

#[test]
fn an_import_streams_photos_and_reports_problems() {
    let fixture = Fixture::closed(false);
    for item in 1..=3 {
        fixture.photo(item, 40);
    }
    std::fs::write(fixture.folder.path().join("notes.txt"), "words").expect("written");
    let roots = vec![fixture.folder.path().to_owned(), fixture.folder.path().join("missing.jpg")];
    let id = fixture.worker.send(FilesRequest::Import { roots }.into());
    let (mut found, mut problems, mut folders) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        match fixture.next() {
            Reply { event: Event::ImportFolder { path }, .. } => folders.push(path),
            Reply { event: Event::ImportFound { paths }, .. } => found.extend(paths),
            Reply { event: Event::ImportProblem { path, .. }, .. } => problems.push(path),
            Reply { id: ended, event: Event::ImportFinished { found: 3, ignored: 1 } } if ended == id => break,
            other => panic!("{other:?}"),
        }
    }
    let names: Vec<_> = found.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    assert_eq!(names, ["1.png", "2.png", "3.png"]);
    assert!(problems.len() == 1 && problems[0].ends_with("missing.jpg"));
    assert_eq!(folders, [fixture.folder.path()]);
}

#[test]
fn dropping_the_handle_ends_a_long_batch_quickly() {
    let fixture = Fixture::new(false);
    let photos: Vec<PhotoRef> = (1..=200).map(|item| fixture.photo(item, 64)).collect();
    fixture.export(&photos, &FaceChoice::BySpec);
    assert!(matches!(fixture.next().event, Event::ExportProgress { .. }));
    let Fixture { worker, folder, .. } = fixture;
    drop(worker);
    let written = || std::fs::read_dir(folder.path().join("out")).map_or(0, Iterator::count);
    let at_drop = written();
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(written(), at_drop, "no file is written after the drop");
    assert!(at_drop < 200, "the batch was stopped");
    let files = std::fs::read_dir(folder.path().join("out")).expect("read").flatten();
    assert!(
        files.into_iter().all(|entry| !entry.file_name().to_string_lossy().starts_with('.')),
        "a partial file is left"
    );
}

#[test]
fn a_path_is_completed_while_a_photo_is_processed() {
    // The answer does not wait for a photo: the gate stays closed.
    let fixture = Fixture::new(true);
    let photo = fixture.photo(1, 40);
    fixture.open_photo(&photo, 1);
    let typed = fixture.folder.path().join("1.p").display().to_string();
    let query = PathQuery { typed: typed.clone(), want: PathKind::Files(&["png"]) };
    let id = fixture.worker.send(FilesRequest::CompletePath(query).into());
    let Reply { id: answered, event: Event::PathCompleted(found) } = fixture.next() else { panic!("another answer") };
    assert_eq!((answered, found.typed), (id, typed));
    assert_eq!(found.entries.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(), ["1.png"]);
    fixture.gate.send(()).expect("opened");
}

#[test]
fn a_batch_does_not_block_interactive_requests() {
    let fixture = Fixture::new(true);
    let photos: Vec<PhotoRef> = (1..=6).map(|item| fixture.photo(item, 64)).collect();
    let items = photos.iter().map(|photo| item(photo, &FaceChoice::BySpec)).collect();
    let export = fixture.send_batch(items, 2);
    // A preview is rendered while photos of the batch wait at the gate and it is paused; then it continues where it was.
    fixture.wait_for_the_gate();
    fixture.worker.pause(export, true);
    let output = Size::new(40, 50);
    let crop = PlannedCrop::upright(geometry::PixelRect::new(0, 0, 48, 60), output);
    let render = RenderSpec { edge: EdgePolicy::Pad, fill: Color { rgb: [0; 3] }, finish: FinishSpec::default() };
    let request = SessionRequest::RenderPreview {
        photo: photos[0].clone(),
        generation: Generation(1),
        crop,
        render,
        max_side: 50,
    }
    .into();
    let preview = fixture.worker.send(request);
    let reply = fixture.next();
    assert!(reply.id == preview && matches!(reply.event, Event::PreviewRendered { .. }), "{reply:?}");
    fixture.worker.pause(export, false);
    (0..6).for_each(|_| fixture.gate.send(()).expect("the detectors wait"));
    let mut done = 0;
    loop {
        match fixture.next() {
            Reply { event: Event::ExportProgress { .. }, .. } => done += 1,
            Reply { event: Event::ExportFinished { cancelled: false, total: 6, .. }, .. } => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((done, fixture.written()), (6, 6));
}

#[test]
fn a_paused_batch_starts_no_photo_and_can_be_cancelled() {
    let fixture = Fixture::new(true);
    let photos: Vec<PhotoRef> = (1..=5).map(|item| fixture.photo(item, 64)).collect();
    let export = fixture.export(&photos, &FaceChoice::BySpec);
    fixture.wait_for_the_gate();
    fixture.worker.pause(export, true);
    // One permit each for the first two: the third cannot finish before it is released.
    for _ in 0..2 {
        fixture.gate.send(()).expect("the detector waits");
    }
    assert!(matches!(fixture.next().event, Event::ExportProgress { done: 1, .. }));
    std::thread::sleep(Duration::from_millis(150));
    assert!(fixture.worker.try_recv().is_none(), "the batch is paused");
    fixture.worker.pause(export, false);
    assert!(matches!(fixture.next().event, Event::ExportProgress { done: 2, .. }));
    fixture.worker.pause(export, true);
    fixture.worker.cancel(export);
    fixture.gate.send(()).expect("the detector waits");
    assert!(matches!(fixture.wait_for(&[export])[&export], Event::ExportFinished { cancelled: true, .. }));
}
