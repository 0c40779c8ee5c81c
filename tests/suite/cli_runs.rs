//! Resumed runs on the command line: which files they may replace and remove.

use std::fs;
use std::path::Path;

use serde_json::json;

#[cfg(unix)]
use crate::support::run_in_time;
use crate::support::{Run, crop, folder, names, program, put_portrait, put_ramp, run, tree};

/// Runs the program in `place`, so that relative paths can be given.
fn run_in(place: &Path, arguments: &[&str]) -> Run {
    let home = folder();
    let mut command = program(home.path());
    Run::of(&command.current_dir(place).args(arguments).output().expect("the program starts"))
}

const SMALL: [&str; 2] = ["--size", "40x50px"];

#[test]
fn a_resumed_run_keeps_its_files_for_any_spelling_of_the_folder() {
    for output in ["out", "./out", "in/../out"] {
        let place = folder();
        fs::create_dir(place.path().join("in")).expect("created");
        for name in ["in/a.png", "in/b.png"] {
            put_portrait(place.path(), name);
        }
        let out = place.path().join("out");
        let given = ["crop", "in", "-o", output, "--resume"];
        let run = |more: &[&str]| run_in(place.path(), &[&given[..], more].concat()).expect(0);
        run(&SMALL);
        let first = fs::read(out.join("a.jpg")).expect("written");
        // Other settings: both are cropped again, with the same names.
        run(&["--size", "60x75px"]);
        assert_eq!(names(&out), ["a.jpg", "b.jpg"], "{output}");
        assert_ne!(fs::read(out.join("a.jpg")).expect("written"), first, "{output}: cropped again");
        // Nothing has changed: nothing is done.
        let result = run(&["--size", "60x75px", "--json"]);
        assert!(result.lines().iter().all(|line| line["outcome"] == "already_done"), "{output}: {}", result.stdout);
        // Another format: the previous crops are removed.
        run(&["--size", "60x75px", "--format", "png"]);
        assert_eq!(names(&out), ["a.png", "b.png"], "{output}");
    }
}

#[test]
fn a_foreign_journal_removes_nothing_outside_its_folder() {
    let place = folder();
    let [photos, out] = ["in", "out"].map(|name| place.path().join(name));
    fs::create_dir(&photos).expect("created");
    put_portrait(&photos, "a.png");
    put_ramp(&photos.join("b.png"), 30, 30);
    fs::write(place.path().join("precious.txt"), "precious").expect("created");
    crop(&[&photos], &out, &SMALL).expect(1);
    let journal = out.join(".iron-cropper/journal-1.jsonl");
    let mut lines = fs::read_to_string(&journal).expect("exists");
    let absolute = photos.join("b.png");
    let targets = ["../precious.txt", "../in/b.png", absolute.to_str().expect("text"), "sub/../../precious.txt"];
    for target in targets {
        let bytes =
            fs::read(out.join(target)).or_else(|_| fs::read(place.path().join("precious.txt"))).expect("exists");
        let (input, sha256) = (photos.join("a.png"), batch::journal::digest(&bytes));
        let line = json!({ "kind": "writing", "input": input, "path": target, "bytes": bytes.len(), "sha256": sha256 });
        lines.push_str(&format!("{line}\n"));
    }
    fs::write(&journal, lines).expect("written");
    let before = tree(&photos);
    crop(&[&photos], &out, &["--resume", "--size", "60x75px"]).expect(1);
    assert_eq!(tree(&photos), before);
    assert!(place.path().join("precious.txt").is_file());
}

#[test]
fn a_crop_that_is_now_an_input_is_kept() {
    let photos = folder();
    put_portrait(photos.path(), "a.png");
    let flags = ["--format", "png", "--size", "400x500px", "--resume"];
    crop(&[photos.path()], photos.path(), &flags).expect(0);
    let first = fs::read(photos.path().join("a (2).png")).expect("beside its photo");
    // Now both are inputs; with other settings neither may be replaced.
    crop(&[photos.path()], photos.path(), &["--format", "png", "--size", "80x100px", "--resume"]).expect(0);
    assert_eq!(fs::read(photos.path().join("a (2).png")).expect("still exists"), first);
}

#[test]
fn a_report_replaces_reports_only() {
    let place = folder();
    put_portrait(place.path(), "a.png");
    let photo = place.path().join("a.png");
    for (ending, foreign) in [("html", "<!doctype html>\n<p>mine"), ("csv", "file,name\na.png,Anna\n"), ("json", "{}")]
    {
        let report = place.path().join(format!("report.{ending}"));
        fs::write(&report, foreign).expect("created");
        let flags = ["--report", report.to_str().expect("text")];
        let refused = crop(&[&photo], &place.path().join("out"), &flags).expect(2);
        assert!(refused.stderr.contains("is not an Iron Cropper report"), "{}", refused.stderr);
        assert_eq!(fs::read_to_string(&report).expect("exists"), foreign);
        assert!(!place.path().join("out").exists(), "nothing was begun");
        fs::remove_file(&report).expect("removed");
        let out = folder();
        for _ in 0..2 {
            crop(&[&photo], out.path(), &[&flags[..], &["--resume"]].concat()).expect(0);
        }
        assert!(fs::metadata(&report).expect("exists").len() > 100);
    }
    let journal = place.path().join("a.json");
    fs::write(&journal, "{}").expect("created");
    let journal = journal.to_string_lossy();
    run(["report", &journal, "-o", &journal]).expect(2);
    assert_eq!(fs::read_to_string(&*journal).expect("exists"), "{}");
}

#[test]
fn every_shard_has_a_journal_and_an_empty_one_is_reported() {
    let photos = folder();
    for name in ["a.png", "b.png", "c.png"] {
        put_ramp(&photos.path().join(name), 20, 20);
    }
    let out = folder();
    let mut result = Vec::new();
    for part in 1..=9 {
        let shard = format!("{part}/9");
        let run = crop(&[photos.path()], out.path(), &["--shard", &shard]);
        let journal = out.path().join(format!(".iron-cropper/journal-{part}of9-1.jsonl"));
        let is_empty = run.stderr.contains("contains no photos");
        assert_eq!((journal.is_file(), run.code), (!is_empty, Some(i32::from(!is_empty))), "{shard}: {}", run.stderr);
        result.push(is_empty);
    }
    assert!(result.iter().any(|is_empty| *is_empty) && result.iter().any(|is_empty| !is_empty));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_rejected_as_name_list_or_journal() {
    let place = folder();
    let photo = put_portrait(place.path(), "a.png");
    let [pipe, out] = ["pipe", "out"].map(|name| place.path().join(name));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    let [crop, report, to, names, photo, pipe, out] = [
        "crop".as_ref(),
        "report".as_ref(),
        "-o".as_ref(),
        "--names".as_ref(),
        photo.as_os_str(),
        pipe.as_os_str(),
        out.as_os_str(),
    ];
    for special in [pipe, "/dev/zero".as_ref()] {
        for arguments in [&[crop, photo, to, out, names, special][..], &[report, special]] {
            let refused = run_in_time(arguments).expect(2).stderr;
            assert!(refused.contains("it is not a file") && refused.contains(&*special.to_string_lossy()), "{refused}");
            assert_eq!(refused.lines().count(), 1, "{refused}");
        }
    }
}

#[test]
fn invalid_combinations_are_rejected_before_the_run() {
    let place = folder();
    let photo = put_portrait(place.path(), "a.png");
    let out = place.path().join("out");
    let refused = crop(&[&photo], &out, &["--name", "{column:class}-{stem}"]).expect(2);
    assert!(refused.stderr.contains("--names"), "{}", refused.stderr);
    let photo = photo.to_string_lossy();
    let refused = run(["crop", &photo, "-o", "-", "--report", "r.html"]).expect(2);
    assert!(refused.stderr.contains("writes no journal"), "{}", refused.stderr);
    // A number without a matching file is not the program's own.
    fs::create_dir_all(out.join(".iron-cropper")).expect("created");
    fs::write(out.join(".iron-cropper/journal-4294967295.jsonl"), "").expect("created");
    run(["crop", &photo, "-o", &out.to_string_lossy(), "--shard", "1/1"]).expect(0);
    assert!(
        out.join(".iron-cropper/journal-1.jsonl").is_file() || out.join(".iron-cropper/journal-1of1-1.jsonl").is_file()
    );
    #[cfg(unix)]
    {
        let pipe = place.path().join("pipe");
        std::process::Command::new("mkfifo").arg(&pipe).status().expect("created");
        let flags = ["--resume", "--journal", pipe.to_str().expect("text")];
        let refused = crop(&[Path::new(&*photo)], &out, &flags);
        assert!(refused.stderr.contains("not a file"), "{}", refused.stderr);
    }
}
