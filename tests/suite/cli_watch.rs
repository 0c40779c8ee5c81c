//! `watch` on folders that change, with the real program.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use batch::worker::spawn_named;

use crate::support::{
    Run, crop, file_name, folder, names, portrait, program, put_portrait, put_ramp, read_picture, run, text, tree,
};

/// Longer than any operation takes.
const DEADLINE: Duration = Duration::from_secs(90);

/// Stability delay of a photo in these tests, in seconds.
const STABLE_S: f32 = 0.3;

/// A running watch.
struct Watching {
    child: Child,
    lines: [Receiver<String>; 2],
    readers: Vec<JoinHandle<()>>,
    result: [Vec<String>; 2],
    _home: TempDir,
}

/// An output stream.
#[derive(Clone, Copy)]
enum Stream {
    Out,
    Err,
}

fn lines(name: &str, stream: impl Read + Send + 'static) -> (Receiver<String>, JoinHandle<()>) {
    let (sender, lines) = channel();
    let reader = spawn_named(name, move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    (lines, reader.expect("started"))
}

impl Watching {
    fn start(photos: &Path, out: &Path, flags: &[&str]) -> Self {
        Self::start_with_delay(photos, out, STABLE_S, flags)
    }

    fn start_with_delay(photos: &Path, out: &Path, delay_s: f32, flags: &[&str]) -> Self {
        let home = folder();
        let mut command = program(home.path());
        command.arg("watch").arg(photos).arg("-o").arg(out).args(["--every", "0.2", "--settle", &delay_s.to_string()]);
        command.args(flags).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let (out, out_reader) = lines("stdout", child.stdout.take().expect("piped"));
        let (err, err_reader) = lines("stderr", child.stderr.take().expect("piped"));
        let readers = vec![out_reader, err_reader];
        let mut watching = Self { child, lines: [out, err], readers, result: Default::default(), _home: home };
        watching.until(Stream::Err, "watching ");
        watching
    }

    /// Waits for a line that contains `text`, and returns it.
    #[track_caller]
    fn until(&mut self, stream: Stream, text: &str) -> String {
        let start = Instant::now();
        loop {
            let line = self.lines[stream as usize].recv_timeout(DEADLINE.saturating_sub(start.elapsed()));
            let Ok(line) = line else { panic!("no line contains {text}\n{:?}", self.result) };
            self.result[stream as usize].push(line.clone());
            if line.contains(text) {
                return line;
            }
        }
    }

    /// Waits for the JSON line of the photo `name`.
    #[track_caller]
    fn photo(&mut self, name: &str) -> Value {
        let line = self.until(Stream::Out, name);
        let line: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(file_name(&line["path"]), name);
        line
    }

    /// Interrupts it like Ctrl-C.
    fn interrupt(mut self) -> Run {
        let killed = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(killed.expect("kill").success());
        self.ended()
    }

    fn ended(&mut self) -> Run {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("waiting") {
                break status;
            }
            assert!(start.elapsed() < DEADLINE, "it does not end: {:?}", self.result);
            std::thread::sleep(Duration::from_millis(10));
        };
        self.readers.drain(..).for_each(|reader| reader.join().expect("read"));
        for (result, lines) in self.result.iter_mut().zip(&self.lines) {
            result.extend(lines.try_iter());
        }
        let [stdout, stderr] =
            self.result.each_ref().map(|lines| lines.iter().map(|line| format!("{line}\n")).collect());
        Run { code: status.code(), stdout, stderr }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_slowly_written_photo_is_cropped_once_and_completely() {
    let (photos, apart) = (folder(), folder());
    let whole = fs::read(portrait()).expect("exists");
    let expected = crop(&[&portrait()], apart.path(), &[]).expect(0).written().remove(0);
    // The output folder is inside the watched one, and is not watched.
    let out = photos.path().join("crops");
    let delay_s = 2.0;
    let mut watching = Watching::start_with_delay(photos.path(), &out, delay_s, &["--json"]);
    let path = photos.path().join("class/slow.png");
    fs::create_dir(photos.path().join("class")).expect("created");
    for name in ["left.png.part", "left.png.tmp", "left.png.crdownload", ".left.png"] {
        fs::copy(portrait(), photos.path().join(name)).expect("copied");
    }
    fs::write(&path, &whole[..whole.len() / 2]).expect("written");
    let written = Instant::now();
    std::thread::sleep(Duration::from_millis(400));
    fs::write(&path, &whole).expect("written");
    let was_fast = written.elapsed() < Duration::from_secs_f32(delay_s / 2.0);
    let line = watching.photo("slow.png");
    // If the machine stalled meanwhile, the file was considered complete; it is cropped again later.
    let line = if line["outcome"] == "damaged" && !was_fast { watching.photo("slow.png") } else { line };
    assert_eq!(text(&line["outcome"]), "cropped", "{line}");
    assert!(fs::read(out.join("slow.jpg")).expect("exists") == fs::read(&expected).expect("exists"));
    // A crop in the nested folder would have been reported before this one.
    put_portrait(photos.path(), "after.png");
    watching.photo("after.png");
    let result = watching.interrupt().expect(0);
    let outcomes: Vec<String> = result.lines().iter().map(|line| file_name(&line["path"])).collect();
    assert!(!was_fast || outcomes == ["slow.png", "after.png"], "{outcomes:?}");
    assert_eq!(names(&out), ["after.jpg", "slow.jpg"]);
}

#[test]
fn originals_in_the_output_folder_stay_and_own_crops_are_replaced() {
    let photos = folder();
    let out = photos.path().join("best");
    let original = put_portrait(&out, "b.jpg");
    let kept = fs::read(&original).expect("exists");
    ["a.png", "b.png"].iter().for_each(|name| drop(put_portrait(photos.path(), name)));
    // After a restart, earlier crops look like originals; the journal identifies them.
    for (size, side) in [("40x50px", 40), ("20x25px", 20)] {
        let flags = ["--json", "--on-conflict", "overwrite", "--size", size];
        let mut watching = Watching::start(photos.path(), &out, &flags);
        assert_eq!(watching.photo("a.png")["outcome"], "cropped", "{size}");
        assert_eq!(watching.photo("b.png")["outcome"], "failed", "{size}");
        watching.interrupt().expect(1);
        assert_eq!(names(&out), ["a.jpg", "b.jpg"], "{size}");
        assert_eq!(read_picture(out.join("a.jpg")).width(), side);
        assert!(fs::read(&original).expect("exists") == kept, "{size}");
    }
}

#[test]
fn finished_photos_are_skipped_after_a_restart() {
    let (photos, out) = (folder(), folder());
    put_portrait(photos.path(), "b.png");
    let flags = ["--json", "--name", "{index:2} {stem}"];
    let mut watching = Watching::start(photos.path(), out.path(), &flags);
    assert_eq!(watching.photo("b.png")["outcome"], "cropped");
    put_portrait(photos.path(), "c.png");
    assert_eq!(watching.photo("c.png")["outcome"], "cropped");
    watching.interrupt().expect(0);
    let before = tree(out.path());
    assert_eq!(names(out.path()), ["01 b.jpg", "02 c.jpg"]);

    // Added while nothing watches, and sorted before the others in the folder.
    put_portrait(photos.path(), "a.png");
    let mut watching = Watching::start(photos.path(), out.path(), &flags);
    assert_eq!(watching.photo("a.png")["outcome"], "cropped");
    watching.photo("c.png");
    let result = watching.interrupt().expect(0);
    assert_eq!(result.outcomes()["b.png"], "already_done");
    assert_eq!(result.outcomes()["c.png"], "already_done");
    assert_eq!(names(out.path()), ["01 b.jpg", "02 c.jpg", "03 a.jpg"]);
    assert!(before.iter().all(|(path, content)| tree(out.path())[path] == *content));
}

#[test]
fn watch_and_crop_skip_each_others_finished_photos() {
    let (photos, out) = (folder(), folder());
    ["a.png", "b.png"].iter().for_each(|name| drop(put_portrait(photos.path(), name)));
    crop(&[photos.path()], out.path(), &[]).expect(0);
    // A run on another folder in between.
    let other = folder();
    ["x.png", "y.png"].iter().for_each(|name| drop(put_portrait(other.path(), name)));
    crop(&[other.path()], out.path(), &[]).expect(0);
    let mut watching = Watching::start(photos.path(), out.path(), &["--json"]);
    watching.photo("a.png");
    assert_eq!(watching.photo("b.png")["outcome"], "already_done");
    put_portrait(photos.path(), "c.png");
    watching.photo("c.png");
    watching.interrupt().expect(0);
    assert_eq!(names(out.path()), ["a.jpg", "b.jpg", "c.jpg", "x.jpg", "y.jpg"]);
    let journal = out.path().join(".iron-cropper/journal-1.jsonl");
    // A named journal is continued although it belongs to other folders.
    let named = ["--json", "--journal", journal.to_str().expect("text")];
    let mut watching = Watching::start(other.path(), &out.path().join("more"), &named);
    watching.photo("x.png");
    assert_eq!(watching.photo("y.png")["outcome"], "cropped");
    watching.interrupt().expect(0);
    let flags = ["--resume", "--journal", journal.to_str().expect("text")];
    let result = crop(&[photos.path()], out.path(), &flags).expect(0);
    assert!(result.outcomes().values().all(|outcome| outcome == "already_done"), "{:?}", result.outcomes());
}

#[test]
fn watch_ends_with_summary_report_and_exit_code() {
    let (photos, out) = (folder(), folder());
    let whole = fs::read(portrait()).expect("exists");
    fs::write(photos.path().join("cut.png"), &whole[..whole.len() * 2 / 3]).expect("written");
    put_portrait(photos.path(), "whole.png");
    let report = out.path().join("report.csv");
    let flags = ["--report", report.to_str().expect("text")];
    let mut watching = Watching::start(photos.path(), out.path(), &flags);
    watching.until(Stream::Out, "cut.png: damaged, not cropped");
    watching.until(Stream::Out, "whole.png: 1 face, written");
    let result = watching.interrupt().expect(1);
    let summary = result.stdout.lines().last().expect("a summary");
    assert!(summary.starts_with("2 inputs: 1 cropped, 1 damaged, skipped; 1 file written to"), "{summary}");
    assert!(
        result.stderr.contains("stopping") && !result.stderr.contains("not cropped; the next"),
        "{}",
        result.stderr
    );

    // A truncated photo is retried once it changes, and counts once.
    put_ramp(&photos.path().join("ramp.png"), 90, 80);
    let mut watching = Watching::start(photos.path(), out.path(), &flags);
    watching.until(Stream::Out, "ramp.png: no face");
    fs::write(photos.path().join("cut.png"), &whole).expect("written");
    watching.until(Stream::Out, "cut.png: 1 face, written");
    fs::remove_file(photos.path().join("ramp.png")).expect("removed");
    put_portrait(photos.path(), "ramp.png");
    watching.until(Stream::Out, "ramp.png: 1 face, written");
    let result = watching.interrupt().expect(0);
    let summary = result.stdout.lines().last().expect("a summary");
    assert!(summary.starts_with("3 inputs: 2 cropped, 1 already done; 2 files written to"), "{summary}");
    let table = fs::read_to_string(&report).expect("a report");
    assert_eq!(table.lines().filter(|line| line.contains(",cropped,")).count(), 3, "{table}");
}

#[test]
fn missing_folders_are_reported_once_and_awaited() {
    let (place, apart) = (folder(), folder());
    let [photos, out] = ["camera", "crops"].map(|name| place.path().join(name));
    fs::create_dir(&photos).expect("created");
    put_portrait(&photos, "a.png");
    let mut watching = Watching::start(&photos, &out, &["--json"]);
    watching.photo("a.png");
    fs::rename(&photos, apart.path().join("camera")).expect("moved");
    watching.until(Stream::Err, "camera no longer exists; waiting for it");
    fs::rename(&out, apart.path().join("crops")).expect("moved");
    put_portrait(&apart.path().join("camera"), "b.png");
    fs::rename(apart.path().join("camera"), &photos).expect("back");
    watching.until(Stream::Err, "camera is available again");
    watching.until(Stream::Err, "crops is missing; waiting for it");
    assert!(!out.exists(), "the folder is not created again");
    fs::rename(apart.path().join("crops"), &out).expect("back");
    assert_eq!(watching.photo("b.png")["outcome"], "cropped");
    let result = watching.interrupt().expect(0);
    assert_eq!(result.stderr.matches("waiting for it").count(), 2, "{}", result.stderr);
    assert_eq!((result.lines().len(), names(&out)), (2, vec!["a.jpg".to_owned(), "b.jpg".to_owned()]));
}

#[test]
fn invalid_folders_are_rejected() {
    let photos = folder();
    let photo = put_portrait(photos.path(), "in/a.png");
    let inside = photos.path().join("in");
    let (at, photo) = (photos.path().to_str().expect("text"), photo.to_str().expect("text"));
    let inside = inside.to_str().expect("text");
    for (arguments, message) in [
        (vec![inside, "-o", inside], "crops would be written to"),
        (vec![inside, "-o", at], "crops would be written to"),
        (vec![photo, "-o", at], "is not a folder"),
        (vec!["-", "-o", at], "is not a folder"),
        (vec![inside, "-o", "-"], "-o - is only for crop"),
        (vec![inside], "--output <DIR>"),
        (vec!["-o", "out"], "<FOLDER>"),
        (vec![inside, "-o", "out", "--dry-run"], "--dry-run is for crop: watch always writes"),
        (vec![inside, "-o", "out", "--names", "no such list.csv"], "no such list.csv"),
    ] {
        let result = run(["watch"].into_iter().chain(arguments.iter().copied())).expect(2);
        assert!(result.stderr.contains(message), "{arguments:?}: {}", result.stderr);
    }
    assert_eq!(names(photos.path()), ["in/a.png"]);
}
