//! Batches with several worker threads, killed and resumed.

mod packages;

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use cancel::PauseToken;
use faces::{Detector, SESSION_CACHE_BYTES};
use geometry::{Face, Point, Rect, Size};
use naming::{NameTemplate, PhotoName};
use outcome::{DetectError, Detection, SessionInfo};
use picture::Picture;
use recipe::{
    BackendKind, CropSpec, DecodeLimits, Depth, DetectSpec, EncodeSpec, FaceChoice, OnConflict, OutputFormat,
    OutputSpec, PackageSpec, Recipe, RuntimeChoice, RuntimeOptions, Select, Thoroughness, Variant,
};

use super::pool::ITEM_BYTES;
use super::*;
use crate::journal::{History, JournalPlace, find_latest, read_history};
use crate::latency::OpenedRuntime;
use crate::worker::faults::RunNote;
use crate::worker::{ItemId, JournalSpec, OpenRequest, PhotoRef};

fn face(x: f32) -> Face {
    Face::new(Rect::new(x, 20.0, 16.0, 20.0), [Point::new(x + 8.0, 30.0); 5], 0.9)
}

/// A detector whose result depends on the image width: 66 panics, odd widths have no face, widths above 100 two; wider is
/// slower.
struct ScriptedDetector(SessionInfo);

impl Detector for ScriptedDetector {
    fn info(&self) -> &SessionInfo {
        &self.0
    }

    fn long_side(&self) -> u32 {
        640
    }

    fn detect(&mut self, picture: &Picture, _: &DetectSpec) -> Result<Detection, DetectError> {
        let width = picture.size().width;
        assert_ne!(width, 66, "a scripted fault");
        std::thread::sleep(Duration::from_micros(u64::from(width % 7) * 300));
        let faces = match width {
            width if width % 2 == 1 => Vec::new(),
            100.. => vec![face(20.0), face(70.0)],
            _ => vec![face(20.0)],
        };
        Ok(Detection { faces, ..Detection::default() })
    }
}

fn opener() -> Opener {
    Opener::new(Box::new(|_: &OpenRequest| {
        let (version, device) = ("scripted".to_owned(), "CPU".to_owned());
        let info =
            SessionInfo { kind: BackendKind::Tract, version, device, input: Size::new(640, 640), outputs: Vec::new() };
        Ok(OpenedRuntime { detector: Box::new(ScriptedDetector(info)), why: None })
    }))
}

/// A folder of photos and the settings for their crops.
struct Fixture {
    folder: tempfile::TempDir,
    photos: Vec<PathBuf>,
    workers: usize,
    on_conflict: OnConflict,
    encode: EncodeSpec,
    journal: Option<JournalSpec>,
    template: NameTemplate,
    budget: u64,
    package: PackageSpec,
    variants: Vec<Variant>,
    /// The name of each photo; empty for their own names.
    names: Vec<PhotoName>,
    /// Number of finished photos after which the run is cancelled.
    cancel_after: Option<usize>,
}

/// The events of a run.
#[derive(Debug)]
struct RunResult {
    items: Vec<(u64, OutcomeKind, Option<String>)>,
    end: Event,
}

impl RunResult {
    fn stopped(&self) -> Option<String> {
        let Event::ExportFinished { stopped, .. } = &self.end else { panic!("{:?}", self.end) };
        stopped.as_ref().map(ToString::to_string)
    }

    fn outcomes(&self) -> Vec<OutcomeKind> {
        self.items.iter().map(|(_, outcome, _)| *outcome).collect()
    }
}

impl Fixture {
    fn new(photos: &[(&str, u32)]) -> Self {
        let folder = tempfile::tempdir().expect("folder");
        let at = |(name, width): &(&str, u32)| {
            let path = folder.path().join("in").join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("created");
            match width {
                0 => fs::write(&path, "no picture").expect("written"),
                // Noise seeded by name, so that no two crops are equal.
                width => image::RgbImage::from_fn(*width, 60, |x, y| {
                    let seed = name.bytes().map(u32::from).sum::<u32>() + x * 7 + y * 13;
                    image::Rgb([seed as u8, (seed >> 2) as u8, (x * y) as u8])
                })
                .save(&path)
                .expect("saved"),
            }
            path
        };
        let photos = photos.iter().map(at).collect();
        let encode = EncodeSpec { format: OutputFormat::Png, ..EncodeSpec::default() };
        let (on_conflict, budget) = (OnConflict::Suffix, 1 << 30);
        let template = NameTemplate::default();
        let (package, variants, names, cancel_after) = (PackageSpec::default(), Vec::new(), Vec::new(), None);
        Self {
            folder,
            photos,
            workers: 3,
            on_conflict,
            encode,
            journal: None,
            template,
            budget,
            package,
            variants,
            names,
            cancel_after,
        }
    }

    /// Photos with clashing names, failing photos, two faces and no face.
    fn mixed() -> Self {
        let mut photos = vec![("a/anna.png", 80), ("b/anna.png", 70), ("c/ben.png", 0), ("c/anna.png", 120)];
        photos.extend([
            ("d/ben.jpg", 84),
            ("d/carl.png", 71),
            ("e/anna.png", 66),
            ("e/ben.png", 78),
            ("f/anna.png", 102),
        ]);
        Self::new(&photos)
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn job(&self) -> ExportJob {
        let limits = DecodeLimits { memory_budget: self.budget, ..DecodeLimits::default() };
        let photo = |(item, path): (u64, &PathBuf)| PhotoRef {
            item: ItemId(item),
            path: path.clone(),
            limits,
            detect: DetectSpec::default(),
        };
        let item = |(place, path): (u64, &PathBuf)| ExportItem {
            card: None,
            photo: photo((place, path)),
            faces: FaceChoice::BySpec,
            name: match self.names.get(place as usize) {
                Some(name) => name.clone(),
                None => PhotoName { place: place as usize + 1, ..PhotoName::default() },
            },
            recipe: None,
        };
        let items = (0..).zip(&self.photos).map(item);
        ExportJob {
            items: items.collect(),
            depth: Depth::Write,
            recipe: Recipe {
                crop: CropSpec { output: Size::new(16, 20), select: Select::All, ..CropSpec::default() },
                encode: self.encode,
                package: self.package,
                variants: self.variants.clone(),
                ..Recipe::default()
            },
            output: OutputSpec { folder: self.out(), on_conflict: self.on_conflict },
            template: self.template.clone(),
            originals: Vec::new(),
            ignored: Vec::new(),
            workers: self.workers,
            journal: self.journal.clone(),
        }
    }

    fn run(&self) -> RunResult {
        self.run_with(Steps::default(), |_| ())
    }

    /// Calls `watch` with the number of finished photos on the worker thread that finished the last of them.
    fn run_with(&self, steps: Steps, watch: impl Fn(usize) + Send + Sync + 'static) -> RunResult {
        self.run_steps(self.job(), steps, watch)
    }

    fn run_job(&self, job: ExportJob) -> RunResult {
        self.run_steps(job, Steps::default(), |_| ())
    }

    fn run_steps(&self, job: ExportJob, steps: Steps, watch: impl Fn(usize) + Send + Sync + 'static) -> RunResult {
        let (sender, replies) = channel();
        let sent = AtomicUsize::new(0);
        let (cancel, cancel_after) = (CancelToken::new(), self.cancel_after);
        let cancelled = cancel.clone();
        let wake = Arc::new(move || {
            let done = sent.fetch_add(1, Ordering::Relaxed) + 1;
            watch(done);
            if Some(done) == cancel_after {
                cancelled.cancel();
            }
        });
        let (mailbox, outbox) = (Arc::default(), Outbox::new(sender, wake, Arc::default()));
        let options = OpenRequest {
            choice: RuntimeChoice::Auto,
            model: None,
            options: RuntimeOptions::default(),
            is_tried: false,
            at_once: false,
        };
        let opener = opener();
        let opened = Opened::open(&opener, options).map_err(|error| NoRuntime::Failed(Arc::new(error)));
        let spec = Arc::new(job);
        let pause = PauseToken::default();
        let batch = Batch::begin(
            RequestControl { id: RequestId(1), cancel, pause },
            spec,
            BatchResources { opened, opener, outbox, mailbox, steps },
        );
        let shared = Arc::clone(&batch.shared);
        let mut items = Vec::new();
        let mut take = |reply: crate::worker::Reply| {
            let Event::ExportProgress { item, done, report, .. } = reply.event else { panic!("{:?}", reply.event) };
            assert_eq!(done, items.len() + 1);
            items.push((item.0, report.outcome, report.error.as_ref().map(ToString::to_string)));
        };
        while batch.workers.iter().any(|worker| !worker.is_finished()) {
            if let Ok(reply) = replies.recv_timeout(Duration::from_millis(2)) {
                take(reply);
            }
        }
        replies.try_iter().for_each(&mut take);
        assert!(shared.scheduler.peak_used() <= self.budget);
        drop(shared);
        RunResult { items, end: batch.finish() }
    }

    fn with_journal(mut self, resume: bool) -> Self {
        self.journal = Some(JournalSpec { place: JournalPlace::Beside { shard: None }, resume });
        self
    }

    fn history(&self) -> History {
        read_history(&find_latest(&self.out(), None).expect("a journal")).expect("reads")
    }

    /// All files in the output folder except journals.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        for entry in walkdir::WalkDir::new(self.out()).into_iter().flatten() {
            let inside = entry.path().strip_prefix(self.out()).expect("inside").to_string_lossy().into_owned();
            if entry.file_type().is_file() && !inside.starts_with(".iron-cropper/") {
                files.insert(inside, fs::read(entry.path()).expect("reads"));
            }
        }
        files
    }

    fn clear(&self) {
        let _ = fs::remove_dir_all(self.out());
    }
}

#[test]
fn several_workers_give_the_same_results_in_the_same_order_as_one() {
    for policy in OnConflict::ALL {
        let mut fixture = Fixture::mixed();
        fixture.on_conflict = policy;
        // An existing file.
        let prepare = |fixture: &Fixture| {
            fixture.clear();
            fs::create_dir_all(fixture.out()).expect("created");
            fs::write(fixture.out().join("ben.png"), "another's").expect("written");
        };
        fixture.workers = 1;
        prepare(&fixture);
        let one = fixture.run();
        let expected = fixture.files();
        assert_eq!(one.items.iter().map(|(item, ..)| *item).collect::<Vec<_>>(), (0..9).collect::<Vec<_>>());
        if policy == OnConflict::Suffix {
            let names: Vec<&str> = expected.keys().map(String::as_str).collect();
            let wanted = [
                "anna (2).png",
                "anna.png",
                "anna_face1 (2).png",
                "anna_face1.png",
                "anna_face2 (2).png",
                "anna_face2.png",
                "ben (2).png",
                "ben (3).png",
                "ben.png",
            ];
            assert_eq!(names, wanted);
        }
        for workers in [2, 3, 8] {
            for budget in [60_000, 1 << 30] {
                (fixture.workers, fixture.budget) = (workers, budget);
                prepare(&fixture);
                let result = fixture.run();
                assert_eq!(result.items, one.items, "{policy:?}, {workers} workers");
                assert!(fixture.files() == expected, "{policy:?}, {workers} workers: {:?}", fixture.files().keys());
            }
        }
    }
}

#[test]
fn the_journal_lists_every_photo_and_file() {
    let fixture = Fixture::mixed().with_journal(false);
    let result = fixture.run();
    let history = fixture.history();
    assert_eq!(history.photos.len(), 9);
    let end = history.end.as_ref().expect("it ended");
    assert!(end.is_complete() && !end.cancelled, "{end:?}");
    let files = fixture.files();
    let mut noted = 0;
    for entry in history.photos.values() {
        assert_eq!(entry.outcome, result.items[entry.index].1.id());
        assert_eq!(entry.reason, result.items[entry.index].2);
        for file in entry.files() {
            let content = &files[&file.path.to_path().expect("a path").to_string_lossy().into_owned()];
            assert_eq!((file.bytes, &file.sha256), (content.len() as u64, &crate::journal::digest(content)));
            noted += 1;
        }
    }
    assert_eq!(noted, files.len());
    assert!(history.photos.values().all(|entry| entry.input.is_some() && entry.settings.len() == 64));
}

#[test]
fn a_run_killed_at_any_step_is_resumed_to_the_same_result() {
    let photos = [("a/anna.png", 80), ("b/anna.png", 120), ("c/ben.png", 0), ("d/anna.png", 70), ("e/carl.png", 71)];
    for policy in [OnConflict::Suffix, OnConflict::Fail] {
        let mut fixture = Fixture::new(&photos).with_journal(false);
        fixture.on_conflict = policy;
        fixture.workers = 2;
        let all = 1000;
        let steps = Steps::ending_after(all);
        let whole = fixture.run_with(steps.clone(), |_| ());
        let expected = fixture.files();
        let taken = steps.taken(all);
        assert!(taken > 15, "{taken} steps");
        for kill_at in 0..taken {
            fixture.clear();
            fixture.journal.as_mut().expect("one").resume = true;
            fixture.run_with(Steps::ending_after(kill_at), |_| ());
            for (name, content) in fixture.files() {
                let whole = expected.get(&name).is_some_and(|expected| *expected == content);
                assert!(whole || name.starts_with(".iron-cropper-"), "partial file {name} after {kill_at} steps");
            }
            // Killed once more while it is resumed.
            fixture.run_with(Steps::ending_after(kill_at / 2), |_| ());
            let result = fixture.run();
            assert!(fixture.files() == expected, "{policy:?} after {kill_at} steps: {:?}", fixture.files().keys());
            assert_eq!(result.items.len(), 5);
            for ((_, outcome, _), (_, expected, _)) in result.items.iter().zip(&whole.items) {
                assert!(
                    outcome == expected || (*outcome, *expected) == (OutcomeKind::AlreadyDone, OutcomeKind::Cropped)
                );
            }
            assert!(fixture.history().end.expect("it ended").is_complete());
        }
    }
}

#[test]
fn a_longer_list_is_processed_again_only_if_names_depend_on_the_position() {
    for (template, before) in [("{name}", OutcomeKind::AlreadyDone), ("{name} {index}", OutcomeKind::Cropped)] {
        let mut fixture = Fixture::new(&[("a.png", 80), ("b.png", 70), ("c.png", 84)]).with_journal(true);
        fixture.template = template.parse().expect("valid");
        let first = fixture.photos.remove(0);
        fixture.run();
        fixture.photos.insert(0, first);
        assert_eq!(fixture.run().outcomes(), [OutcomeKind::Cropped, before, before], "{template}");
        assert_eq!(fixture.files().len(), 3, "{:?}", fixture.files().keys());
        let places: BTreeMap<usize, String> =
            fixture.history().photos.values().map(|entry| (entry.index, entry.outcome.clone())).collect();
        let kept = if before == OutcomeKind::AlreadyDone { vec![0, 1] } else { vec![0, 1, 2] };
        assert_eq!(places.into_keys().collect::<Vec<_>>(), kept, "finished photos keep their entries");
    }
}

#[test]
fn finished_photos_are_skipped_and_changed_ones_are_not() {
    let mut fixture = Fixture::mixed().with_journal(true);
    fixture.run();
    let expected = fixture.files();
    let again = fixture.run();
    use OutcomeKind::{AlreadyDone, Cropped, Failed, NoFace};
    let done = [AlreadyDone, AlreadyDone, Failed, AlreadyDone, AlreadyDone, NoFace, Failed, AlreadyDone, AlreadyDone];
    assert_eq!(again.outcomes(), done);
    assert!(fixture.files() == expected);
    // A missing crop, a truncated one, and a changed photo.
    fs::remove_file(fixture.out().join("anna.png")).expect("removed");
    fs::write(fixture.out().join("carl.png"), "the user's file").expect("written");
    fs::write(fixture.out().join("anna (2).png"), "cut").expect("written");
    let bytes = fs::read(&fixture.photos[4]).expect("exists");
    fs::write(&fixture.photos[4], [&bytes[..], b"\0"].concat()).expect("changed");
    let result = fixture.run();
    let done = [Cropped, Cropped, Failed, AlreadyDone, Cropped, NoFace, Failed, AlreadyDone, AlreadyDone];
    assert_eq!(result.outcomes(), done);
    // The user's own file is kept, and the crop gets another name.
    let files = fixture.files();
    assert_eq!(files["anna (2).png"], b"cut");
    assert_eq!((&files["anna.png"], &files["anna (3).png"]), (&expected["anna.png"], &expected["anna (2).png"]));
    // Other settings: everything is processed again and no old crop is left, but the user's files are kept.
    fixture.encode.format = OutputFormat::Jpeg;
    fixture.run();
    let files = fixture.files();
    let left: Vec<&String> = files.keys().filter(|name| !name.ends_with(".jpg")).collect();
    assert_eq!(left, ["anna (2).png", "carl.png"]);
    assert_eq!(files.len(), 2 + expected.len());
}

#[test]
fn without_resume_no_file_of_a_previous_run_is_touched() {
    let fixture = Fixture::new(&[("a.png", 80), ("b.png", 80)]).with_journal(false);
    fixture.run();
    let before = fixture.files();
    fixture.run();
    let after = fixture.files();
    assert_eq!(after.len(), 2 * before.len());
    assert!(before.iter().all(|(name, content)| after[name] == *content));
    assert!(find_latest(&fixture.out(), None).expect("exists").ends_with("journal-2.jsonl"));
}

#[test]
fn a_full_disk_stops_the_run_with_a_reason_and_keeps_complete_files() {
    let photos: Vec<(String, u32)> = (0..40).map(|number| (format!("{number:02}.png"), 80)).collect();
    let photos: Vec<(&str, u32)> = photos.iter().map(|(name, width)| (name.as_str(), *width)).collect();
    let mut fixture = Fixture::new(&photos).with_journal(true);
    fixture.workers = 2;
    let result = fixture.run_with(Steps::failing_after(30, ErrorKind::StorageFull), |_| ());
    let reason = result.stopped().expect("a reason");
    assert!(reason.contains("the disk is full") || reason.contains("the journal"), "{reason}");
    assert!(result.items.len() < 20, "{} photos were started", result.items.len());
    assert!(result.items.iter().any(|(_, outcome, why)| *outcome == OutcomeKind::Failed && why.is_some()));
    assert!(fixture.files().keys().all(|name| !name.starts_with('.')), "{:?}", fixture.files().keys());
    // With free space again the rest follows.
    let result = fixture.run();
    assert_eq!((result.items.len(), fixture.files().len(), result.stopped()), (40, 40, None));
}

#[test]
fn a_missing_folder_or_photo_fails_alone() {
    let photos: Vec<(String, u32)> = (0..20).map(|number| (format!("{number:02}.png"), 80)).collect();
    let photos: Vec<(&str, u32)> = photos.iter().map(|(name, width)| (name.as_str(), *width)).collect();
    let mut fixture = Fixture::new(&photos);
    fixture.workers = 2;
    fs::remove_file(&fixture.photos[3]).expect("removed");
    let result = fixture.run();
    assert!(
        result.items[3].2.as_deref().is_some_and(|why| why.contains("cannot be read") || why.contains("No such")),
        "{:?}",
        result.items[3]
    );
    assert_eq!(result.outcomes().iter().filter(|outcome| **outcome == OutcomeKind::Cropped).count(), 19);
    fixture.clear();
    let out = fixture.out();
    let gone = move |done: usize| {
        if done == 4 {
            // Atomically: another thread may be writing into it.
            fs::rename(&out, out.with_extension("gone")).expect("moved away");
        }
    };
    let result = fixture.run_with(Steps::default(), gone);
    let (_, outcome, why) = result.items.last().expect("the last");
    assert_eq!((*outcome, result.items.len(), result.stopped()), (OutcomeKind::Failed, 20, None));
    assert!(why.as_deref().is_some_and(|why| why.contains("disappeared during the run")), "{why:?}");
    assert!(!fixture.out().exists(), "the folder is not created again");
}

#[test]
fn a_missing_journal_is_a_note_and_an_error_if_it_was_requested() {
    let mut fixture = Fixture::new(&[("a.png", 80), ("b.png", 80)]).with_journal(false);
    // A file in place of the journal folder.
    fs::create_dir_all(fixture.out()).expect("created");
    fs::write(fixture.out().join(".iron-cropper"), "").expect("created");
    let result = fixture.run();
    let Event::ExportFinished { notes, journal: None, done: 2, .. } = &result.end else { panic!("{result:?}") };
    assert!(matches!(&notes[0], RunNote::NoJournal(_)), "{notes:?}");
    fixture.journal =
        Some(JournalSpec { place: JournalPlace::File(fixture.out().join(".iron-cropper/j")), resume: false });
    let result = fixture.run();
    assert!(result.items.is_empty() && result.stopped().expect("a reason").contains("cannot be created"), "{result:?}");
}

#[test]
fn a_very_long_list_leaves_less_memory_for_pixels() {
    let mut item = Fixture::mixed().job().items[0].clone();
    item.photo.limits.memory_budget = 100 * ITEM_BYTES;
    let of = |photos: usize| budget_for_pixels(&vec![item.clone(); photos], 0) / ITEM_BYTES;
    assert_eq!([0, 1, 60, 90, 200].map(of), [0, 99, 40, 25, 25]);
}

#[test]
fn sessions_for_larger_passes_leave_less_memory_for_pixels() {
    let mut item = Fixture::mixed().job().items[0].clone();
    let budget = 10 * SESSION_CACHE_BYTES;
    item.photo.limits.memory_budget = budget;
    let left = |item: &ExportItem| budget_for_pixels(std::slice::from_ref(item), 2);
    assert_eq!(left(&item), budget - 2 * SESSION_CACHE_BYTES - ITEM_BYTES);
    item.photo.detect.thoroughness = Thoroughness::Fast;
    assert_eq!(left(&item), budget - ITEM_BYTES);
}

#[test]
fn workers_and_their_engines_use_all_cores_without_oversubscription() {
    let fixture = Fixture::mixed();
    let opened = |threads: usize| {
        let options = RuntimeOptions { threads, ..RuntimeOptions::default() };
        let options =
            OpenRequest { choice: RuntimeChoice::Auto, model: None, options, is_tried: false, at_once: false };
        Opened::open(&opener(), options).expect("opens")
    };
    let pool = |workers: usize, threads: usize, cores: usize| {
        let job = ExportJob { workers, ..fixture.job() };
        let WorkerPool { workers, threads, own_sessions } = WorkerPool::of(&job, Some(&opened(threads)), cores);
        (workers, threads, own_sessions)
    };
    assert_eq!(pool(0, 0, 4), (4, 1, true));
    assert_eq!(pool(0, 2, 8), (4, 2, true));
    assert_eq!(pool(2, 0, 8), (2, 4, true));
    assert_eq!(pool(0, 0, 64), (9, 7, true), "no more workers than photos");
    assert_eq!(pool(0, 8, 4), (1, 4, false));
    assert_eq!(pool(1, 0, 4), (1, 4, false));
    let manual = ExportItem { faces: FaceChoice::Manual(Vec::new()), ..fixture.job().items[0].clone() };
    let job = ExportJob { workers: 0, items: vec![manual; 8], ..fixture.job() };
    assert_eq!(WorkerPool::of(&job, None, 4), WorkerPool { workers: 4, threads: 1, own_sessions: false });
}

#[test]
fn the_fingerprint_of_a_run_depends_on_the_face_models() {
    let fixture = Fixture::mixed();
    let folder = tempfile::tempdir().expect("folder");
    let opened = |face_models: Option<PathBuf>| {
        let options = RuntimeOptions { face_models, ..RuntimeOptions::default() };
        let options =
            OpenRequest { choice: RuntimeChoice::Auto, model: None, options, is_tried: false, at_once: false };
        Opened::open(&opener(), options).expect("opens")
    };
    let of = |face_models| fingerprint::of_job(&fixture.job(), Some(&opened(face_models)));
    let bundled = of(None);
    assert_eq!(bundled, of(None));
    let missing = of(Some(folder.path().to_owned()));
    fs::write(folder.path().join("person.onnx"), "one").expect("written");
    let one = of(Some(folder.path().to_owned()));
    fs::write(folder.path().join("person.onnx"), "two").expect("written");
    let two = of(Some(folder.path().to_owned()));
    let all = [&bundled, &missing, &one, &two];
    assert!((0..4).all(|index| !all[..index].contains(&all[index])), "{all:?}");
}
