//! Batches with several hands, killed and taken up again.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::time::Duration;

use cancel::PauseToken;
use faces::{Detector, KEPT_SESSION_BYTES};
use geometry::{Face, Point, Rect, Size};
use naming::{NameTemplate, PhotoName};
use outcome::{DetectError, Detection, SessionInfo};
use picture::Picture;
use recipe::{
    BackendKind, CropSpec, DecodeLimits, Depth, DetectSpec, EncodeSpec, FaceChoice, OnConflict, OutputFormat,
    OutputSpec, Recipe, RuntimeChoice, RuntimeOptions, Select, Thoroughness,
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

/// What it does depends on the width: 66 panics, odd ones have no face, above 100 two; the wider, the slower.
struct Scripted(SessionInfo);

impl Detector for Scripted {
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
        Ok(OpenedRuntime { detector: Box::new(Scripted(info)), why: None })
    }))
}

/// A folder of photos, and how they are cropped.
struct Bench {
    folder: tempfile::TempDir,
    photos: Vec<PathBuf>,
    workers: usize,
    on_conflict: OnConflict,
    encode: EncodeSpec,
    journal: Option<JournalSpec>,
    template: NameTemplate,
    budget: u64,
}

/// What a run told.
#[derive(Debug)]
struct Told {
    items: Vec<(u64, OutcomeKind, Option<String>)>,
    end: Event,
}

impl Told {
    fn stopped(&self) -> Option<String> {
        let Event::ExportFinished { stopped, .. } = &self.end else { panic!("{:?}", self.end) };
        stopped.as_ref().map(ToString::to_string)
    }

    fn outcomes(&self) -> Vec<OutcomeKind> {
        self.items.iter().map(|(_, outcome, _)| *outcome).collect()
    }
}

impl Bench {
    fn new(photos: &[(&str, u32)]) -> Self {
        let folder = tempfile::tempdir().expect("folder");
        let at = |(name, width): &(&str, u32)| {
            let path = folder.path().join("in").join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            match width {
                0 => fs::write(&path, "no picture").expect("written"),
                // Noise by name, so that no two crops are alike.
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
        Self { folder, photos, workers: 3, on_conflict, encode, journal: None, template, budget }
    }

    /// Names that clash, photos that fail, two faces, none.
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
            photo: photo((place, path)),
            faces: FaceChoice::BySpec,
            name: PhotoName { place: place as usize + 1, ..PhotoName::default() },
            recipe: None,
        };
        let items = (0..).zip(&self.photos).map(item);
        ExportJob {
            items: items.collect(),
            depth: Depth::Write,
            recipe: Recipe {
                crop: CropSpec { output: Size::new(16, 20), select: Select::All, ..CropSpec::default() },
                encode: self.encode,
                ..Recipe::default()
            },
            output: OutputSpec { folder: self.out(), on_conflict: self.on_conflict },
            template: self.template.clone(),
            originals: Vec::new(),
            passed_over: Vec::new(),
            workers: self.workers,
            journal: self.journal.clone(),
        }
    }

    fn run(&self) -> Told {
        self.run_with(Steps::default(), |_| ())
    }

    fn run_with(&self, steps: Steps, watch: impl Fn(usize)) -> Told {
        let (sender, replies) = channel();
        let (mailbox, outbox) = (Arc::default(), Outbox::new(sender, Arc::new(|| ()), Arc::default()));
        let options = OpenRequest {
            choice: RuntimeChoice::Auto,
            model: None,
            options: RuntimeOptions::default(),
            is_tried: false,
        };
        let opener = opener();
        let opened = Opened::open(&opener, options).map_err(|error| NoRuntime::Failed(Arc::new(error)));
        let spec = Arc::new(self.job());
        let (cancel, pause) = (CancelToken::new(), PauseToken::default());
        let batch = Batch::begin(
            Ticket { id: RequestId(1), cancel, pause },
            spec,
            BatchResources { opened, opener, outbox, mailbox, steps },
        );
        let crew = Arc::clone(&batch.crew);
        let mut items = Vec::new();
        let mut take = |reply: crate::worker::Reply| {
            let Event::ExportProgress { item, done, report, .. } = reply.event else { panic!("{:?}", reply.event) };
            assert_eq!(done, items.len() + 1);
            items.push((item.0, report.outcome, report.error.as_ref().map(ToString::to_string)));
            watch(done);
        };
        while batch.workers.iter().any(|worker| !worker.is_finished()) {
            if let Ok(reply) = replies.recv_timeout(Duration::from_millis(2)) {
                take(reply);
            }
        }
        replies.try_iter().for_each(&mut take);
        assert!(crew.scheduler.most_used() <= self.budget);
        drop(crew);
        Told { items, end: batch.finish() }
    }

    fn with_journal(mut self, resume: bool) -> Self {
        self.journal = Some(JournalSpec { place: JournalPlace::Beside { shard: None }, resume });
        self
    }

    fn history(&self) -> History {
        read_history(&find_latest(&self.out(), None).expect("a journal")).expect("reads")
    }

    /// Everything in the output folder but journals.
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
fn several_hands_give_what_one_gives_in_the_same_order() {
    for policy in OnConflict::ALL {
        let mut bench = Bench::mixed();
        bench.on_conflict = policy;
        // A file that was there before.
        let prepare = |bench: &Bench| {
            bench.clear();
            fs::create_dir_all(bench.out()).expect("made");
            fs::write(bench.out().join("ben.png"), "another's").expect("written");
        };
        bench.workers = 1;
        prepare(&bench);
        let one = bench.run();
        let expected = bench.files();
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
                (bench.workers, bench.budget) = (workers, budget);
                prepare(&bench);
                let reported = bench.run();
                assert_eq!(reported.items, one.items, "{policy:?}, {workers} hands");
                assert!(bench.files() == expected, "{policy:?}, {workers} hands: {:?}", bench.files().keys());
            }
        }
    }
}

#[test]
fn the_journal_tells_of_every_photo_and_file() {
    let bench = Bench::mixed().with_journal(false);
    let reported = bench.run();
    let history = bench.history();
    assert_eq!(history.photos.len(), 9);
    let end = history.end.as_ref().expect("it ended");
    assert!(end.is_complete() && !end.cancelled, "{end:?}");
    let files = bench.files();
    let mut noted = 0;
    for entry in history.photos.values() {
        assert_eq!(entry.outcome, reported.items[entry.index].1.id());
        assert_eq!(entry.reason, reported.items[entry.index].2);
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
fn a_run_killed_anywhere_is_taken_up_to_what_it_would_have_come_to() {
    let photos = [("a/anna.png", 80), ("b/anna.png", 120), ("c/ben.png", 0), ("d/anna.png", 70), ("e/carl.png", 71)];
    for policy in [OnConflict::Suffix, OnConflict::Fail] {
        let mut bench = Bench::new(&photos).with_journal(false);
        bench.on_conflict = policy;
        bench.workers = 2;
        let all = 1000;
        let steps = Steps::ending_after(all);
        let whole = bench.run_with(steps.clone(), |_| ());
        let expected = bench.files();
        let taken = steps.taken(all);
        assert!(taken > 15, "{taken} steps");
        for kill_at in 0..taken {
            bench.clear();
            bench.journal.as_mut().expect("one").resume = true;
            bench.run_with(Steps::ending_after(kill_at), |_| ());
            for (name, content) in bench.files() {
                let whole = expected.get(&name).is_some_and(|expected| *expected == content);
                assert!(whole || name.starts_with(".iron-cropper-"), "half a file {name} after {kill_at} steps");
            }
            // Killed once more while it is taken up.
            bench.run_with(Steps::ending_after(kill_at / 2), |_| ());
            let reported = bench.run();
            assert!(bench.files() == expected, "{policy:?} after {kill_at} steps: {:?}", bench.files().keys());
            assert_eq!(reported.items.len(), 5);
            for ((_, outcome, _), (_, expected, _)) in reported.items.iter().zip(&whole.items) {
                assert!(
                    outcome == expected || (*outcome, *expected) == (OutcomeKind::AlreadyDone, OutcomeKind::Cropped)
                );
            }
            assert!(bench.history().end.expect("it ended").is_complete());
        }
    }
}

#[test]
fn a_list_that_has_grown_is_done_again_only_where_names_tell_the_place() {
    for (template, before) in [("{name}", OutcomeKind::AlreadyDone), ("{name} {index}", OutcomeKind::Cropped)] {
        let mut bench = Bench::new(&[("a.png", 80), ("b.png", 70), ("c.png", 84)]).with_journal(true);
        bench.template = template.parse().expect("sound");
        let first = bench.photos.remove(0);
        bench.run();
        bench.photos.insert(0, first);
        assert_eq!(bench.run().outcomes(), [OutcomeKind::Cropped, before, before], "{template}");
        assert_eq!(bench.files().len(), 3, "{:?}", bench.files().keys());
        let places: BTreeMap<usize, String> =
            bench.history().photos.values().map(|entry| (entry.index, entry.outcome.clone())).collect();
        let kept = if before == OutcomeKind::AlreadyDone { vec![0, 1] } else { vec![0, 1, 2] };
        assert_eq!(places.into_keys().collect::<Vec<_>>(), kept, "what is done keeps its line");
    }
}

#[test]
fn what_is_done_is_passed_over_and_what_has_changed_is_not() {
    let mut bench = Bench::mixed().with_journal(true);
    bench.run();
    let expected = bench.files();
    let again = bench.run();
    use OutcomeKind::{AlreadyDone, Cropped, Failed, NoFace};
    let done = [AlreadyDone, AlreadyDone, Failed, AlreadyDone, AlreadyDone, NoFace, Failed, AlreadyDone, AlreadyDone];
    assert_eq!(again.outcomes(), done);
    assert!(bench.files() == expected);
    // A crop that is gone, one that is cut, a photo that has changed.
    fs::remove_file(bench.out().join("anna.png")).expect("removed");
    fs::write(bench.out().join("carl.png"), "the person's own").expect("written");
    fs::write(bench.out().join("anna (2).png"), "cut").expect("written");
    let bytes = fs::read(&bench.photos[4]).expect("there");
    fs::write(&bench.photos[4], [&bytes[..], b"\0"].concat()).expect("changed");
    let reported = bench.run();
    let done = [Cropped, Cropped, Failed, AlreadyDone, Cropped, NoFace, Failed, AlreadyDone, AlreadyDone];
    assert_eq!(reported.outcomes(), done);
    // What the person has put there stays, and the crop goes beside it.
    let files = bench.files();
    assert_eq!(files["anna (2).png"], b"cut");
    assert_eq!((&files["anna.png"], &files["anna (3).png"]), (&expected["anna.png"], &expected["anna (2).png"]));
    // Other settings: all is done again and nothing of before is left over, but what is the person's.
    bench.encode.format = OutputFormat::Jpeg;
    bench.run();
    let files = bench.files();
    let left: Vec<&String> = files.keys().filter(|name| !name.ends_with(".jpg")).collect();
    assert_eq!(left, ["anna (2).png", "carl.png"]);
    assert_eq!(files.len(), 2 + expected.len());
}

#[test]
fn without_resume_nothing_of_a_run_before_is_touched() {
    let bench = Bench::new(&[("a.png", 80), ("b.png", 80)]).with_journal(false);
    bench.run();
    let before = bench.files();
    bench.run();
    let after = bench.files();
    assert_eq!(after.len(), 2 * before.len());
    assert!(before.iter().all(|(name, content)| after[name] == *content));
    assert!(find_latest(&bench.out(), None).expect("there").ends_with("journal-2.jsonl"));
}

#[test]
fn a_full_disk_stops_the_run_with_its_reason_and_keeps_what_is_whole() {
    let photos: Vec<(String, u32)> = (0..40).map(|number| (format!("{number:02}.png"), 80)).collect();
    let photos: Vec<(&str, u32)> = photos.iter().map(|(name, width)| (name.as_str(), *width)).collect();
    let mut bench = Bench::new(&photos).with_journal(true);
    bench.workers = 2;
    let reported = bench.run_with(Steps::failing_after(30, ErrorKind::StorageFull), |_| ());
    let reason = reported.stopped().expect("a reason");
    assert!(reason.contains("the disk is full") || reason.contains("the journal"), "{reason}");
    assert!(reported.items.len() < 20, "{} photos were still begun", reported.items.len());
    assert!(reported.items.iter().any(|(_, outcome, why)| *outcome == OutcomeKind::Failed && why.is_some()));
    assert!(bench.files().keys().all(|name| !name.starts_with('.')), "{:?}", bench.files().keys());
    // With room again the rest follows.
    let reported = bench.run();
    assert_eq!((reported.items.len(), bench.files().len(), reported.stopped()), (40, 40, None));
}

#[test]
fn a_folder_or_photo_that_goes_fails_alone() {
    let photos: Vec<(String, u32)> = (0..20).map(|number| (format!("{number:02}.png"), 80)).collect();
    let photos: Vec<(&str, u32)> = photos.iter().map(|(name, width)| (name.as_str(), *width)).collect();
    let mut bench = Bench::new(&photos);
    bench.workers = 2;
    fs::remove_file(&bench.photos[3]).expect("removed");
    let reported = bench.run();
    assert!(
        reported.items[3].2.as_deref().is_some_and(|why| why.contains("cannot be read") || why.contains("No such")),
        "{:?}",
        reported.items[3]
    );
    assert_eq!(reported.outcomes().iter().filter(|outcome| **outcome == OutcomeKind::Cropped).count(), 19);
    bench.clear();
    let gone = |done: usize| {
        if done == 4 {
            // In one step: the other thread may be writing into it.
            fs::rename(bench.out(), bench.out().with_extension("gone")).expect("moved away");
        }
    };
    let reported = bench.run_with(Steps::default(), gone);
    let (_, outcome, why) = reported.items.last().expect("the last");
    assert_eq!((*outcome, reported.items.len(), reported.stopped()), (OutcomeKind::Failed, 20, None));
    assert!(why.as_deref().is_some_and(|why| why.contains("is gone since the run began")), "{why:?}");
    assert!(!bench.out().exists(), "it is not made anew in its place");
}

#[test]
fn an_output_that_cannot_hold_a_journal_is_reported_and_one_that_was_asked_for_is_needed() {
    let mut bench = Bench::new(&[("a.png", 80), ("b.png", 80)]).with_journal(false);
    // A file where the journals' folder would be.
    fs::create_dir_all(bench.out()).expect("made");
    fs::write(bench.out().join(".iron-cropper"), "").expect("made");
    let reported = bench.run();
    let Event::ExportFinished { notes, journal: None, done: 2, .. } = &reported.end else { panic!("{reported:?}") };
    assert!(matches!(&notes[0], RunNote::NoJournal(_)), "{notes:?}");
    bench.journal = Some(JournalSpec { place: JournalPlace::File(bench.out().join(".iron-cropper/j")), resume: false });
    let reported = bench.run();
    assert!(
        reported.items.is_empty() && reported.stopped().expect("a reason").contains("cannot be made"),
        "{reported:?}"
    );
}

#[test]
fn a_very_long_list_leaves_less_memory_for_pixels() {
    let mut item = Bench::mixed().job().items[0].clone();
    item.photo.limits.memory_budget = 100 * ITEM_BYTES;
    let of = |photos: usize| budget_for_pixels(&vec![item.clone(); photos], 0) / ITEM_BYTES;
    assert_eq!([0, 1, 60, 90, 200].map(of), [0, 99, 40, 25, 25]);
}

#[test]
fn sessions_for_larger_passes_leave_less_memory_for_pixels() {
    let mut item = Bench::mixed().job().items[0].clone();
    let budget = 10 * KEPT_SESSION_BYTES;
    item.photo.limits.memory_budget = budget;
    let left = |item: &ExportItem| budget_for_pixels(std::slice::from_ref(item), 2);
    assert_eq!(left(&item), budget - 2 * KEPT_SESSION_BYTES - ITEM_BYTES);
    item.photo.detect.thoroughness = Thoroughness::Fast;
    assert_eq!(left(&item), budget - ITEM_BYTES);
}

#[test]
fn hands_and_their_engines_fill_the_cores_and_no_more() {
    let bench = Bench::mixed();
    let opened = |threads: usize| {
        let options = RuntimeOptions { threads, ..RuntimeOptions::default() };
        let options = OpenRequest { choice: RuntimeChoice::Auto, model: None, options, is_tried: false };
        Opened::open(&opener(), options).expect("opens")
    };
    let pool = |workers: usize, threads: usize, cores: usize| {
        let job = ExportJob { workers, ..bench.job() };
        let WorkerPool { workers, threads, own_sessions } = WorkerPool::of(&job, Some(&opened(threads)), cores);
        (workers, threads, own_sessions)
    };
    assert_eq!(pool(0, 0, 4), (4, 1, true));
    assert_eq!(pool(0, 2, 8), (4, 2, true));
    assert_eq!(pool(2, 0, 8), (2, 4, true));
    assert_eq!(pool(0, 0, 64), (9, 7, true), "no more hands than photos");
    assert_eq!(pool(0, 8, 4), (1, 4, false));
    assert_eq!(pool(1, 0, 4), (1, 4, false));
    let manual = ExportItem { faces: FaceChoice::Manual(Vec::new()), ..bench.job().items[0].clone() };
    let job = ExportJob { workers: 0, items: vec![manual; 8], ..bench.job() };
    assert_eq!(WorkerPool::of(&job, None, 4), WorkerPool { workers: 4, threads: 1, own_sessions: false });
}
