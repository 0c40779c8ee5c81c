//! Originals that were named, found or listed are never replaced or removed: not by another shard, not after they were
//! excluded, not because a journal or a project requests it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use batch::journal::{Shard, digest};
use batch::project::{Project, ProjectPhoto};
use recipe::{OnConflict, PhotoEdits};

use crate::support::{Run, crop, folder, names, put_portrait, put_ramp, run, tree};

const POLICIES: [&str; 4] = ["suffix", "skip", "overwrite", "fail"];

fn cropped(arguments: &[&str]) -> Run {
    run(["crop"].iter().chain(arguments))
}

fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

/// Fails the test unless every file of `before` is unchanged.
#[track_caller]
fn expect_kept(before: &std::collections::BTreeMap<PathBuf, Vec<u8>>, folder: &Path, about: &str) {
    let after = tree(folder);
    for (path, content) in before {
        assert!(after.get(path) == Some(content), "{about}: {} was changed", path.display());
    }
}

/// A stem whose PNG is in shard 1 of 2 and whose JPEG is in shard 2.
fn split_stem() -> String {
    let holds = |number, name: String| Shard { number, count: 2 }.holds(Path::new(&name));
    let is_split = |stem: &String| holds(1, format!("{stem}.png")) && holds(2, format!("{stem}.jpg"));
    (0..1000).map(|number| format!("p{number}")).find(is_split).expect("one of many")
}

#[test]
fn a_shard_never_replaces_the_photos_of_another() {
    let stem = split_stem();
    for resume in [&[][..], &["--resume"]] {
        for policy in POLICIES {
            let photos = folder();
            for ending in ["png", "jpg"] {
                put_portrait(photos.path(), format!("{stem}.{ending}"));
            }
            let before = tree(photos.path());
            let place = text(photos.path());
            for shard in ["1/2", "2/2", "1/2"] {
                let flags = ["--on-conflict", policy, "--shard", shard, "--size", "40x50px"];
                cropped(&[&[place, "-o", place], &flags[..], resume].concat());
                expect_kept(&before, photos.path(), &format!("{policy}, part {shard}, {resume:?}"));
            }
        }
    }
}

#[test]
fn excluded_photos_are_never_replaced() {
    let place = folder();
    let photos = place.path().join("photos");
    let [png, jpg] = ["a.png", "a.jpg"].map(|name| put_portrait(&photos, name));
    let excluded = PhotoEdits { excluded: true, ..PhotoEdits::default() };
    let photos_of_project = vec![
        ProjectPhoto { path: png.clone(), ..ProjectPhoto::default() },
        ProjectPhoto { path: jpg.clone(), edits: excluded, ..ProjectPhoto::default() },
    ];
    let project = Project { photos: photos_of_project, ..Project::default() };
    let saved = place.path().join("school.ironcrop");
    project.write(&saved).expect("written");
    let list = place.path().join("names.csv");
    fs::write(&list, "file,name\na.png,a\n").expect("written");
    let before = tree(&photos);
    for policy in POLICIES {
        let flags = ["-o", text(&photos), "--on-conflict", policy, "--size", "40x50px"];
        for resume in [&[][..], &["--resume"]] {
            cropped(&[&[text(&saved)], &flags[..], resume].concat());
            expect_kept(&before, &photos, &format!("excluded from a project, {policy}"));
            let unmatched = ["--names", text(&list), "--names-missing", "skip"];
            cropped(&[&[text(&png), text(&jpg)], &flags[..], &unmatched, resume].concat());
            expect_kept(&before, &photos, &format!("without a row, {policy}"));
        }
    }
}

#[test]
fn a_file_that_is_not_a_journal_is_not_resumed() {
    let place = folder();
    let photo = put_portrait(place.path(), "a.png");
    let list = place.path().join("list.txt");
    fs::write(&list, text(&photo)).expect("written");
    let utf16: Vec<u8> = "\u{feff}a.png\r\nb.png".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let foreign: [(&str, &[u8]); 5] = [
        ("note.txt", b"a note without a newline"),
        ("list16.txt", &utf16),
        ("run.json", br#"{"kind":"run","km":5}"#),
        ("lines.jsonl", b"{\"kind\":\"end\"}\n{\"kind\":\"run\""),
        ("zeros", &[0; 300]),
    ];
    let out = place.path().join("out");
    let crop = |journal: &Path, more: &[&str]| {
        let given = ["-o", text(&out), "--resume", "--journal", text(journal), "--size", "40x50px"];
        let result = cropped(&[&given, more].concat()).expect(1);
        assert!(!out.exists(), "nothing was begun");
        result.stderr
    };
    for (name, content) in foreign {
        let file = place.path().join(name);
        fs::write(&file, content).expect("written");
        let result = crop(&file, &[text(&photo)]);
        assert!(result.contains("is not a journal that can be resumed") && result.contains(name), "{result}");
        assert_eq!(fs::read(&file).expect("exists"), content, "{name} is unchanged");
        let result = run(["report", text(&file)]).expect(2).stderr;
        assert!(result.contains("it does not begin with a run record"), "{result}");
    }
    // A photo or list of the run is protected even while it is empty and could become a journal.
    let empty = place.path().join("empty.jpg");
    fs::write(&empty, "").expect("written");
    let before = tree(place.path());
    for (journal, more) in [
        (&photo, &[text(&photo)][..]),
        (&empty, &[text(&photo), text(&empty)]),
        (&list, &["--files-from", text(&list)]),
    ] {
        let result = crop(journal, more);
        assert!(result.contains("is a photo or a list of this run") && result.contains(text(journal)), "{result}");
    }
    assert_eq!(tree(place.path()), before);
    // A report may replace an earlier report, but not the list of names.
    let report = place.path().join("report.csv");
    let flags = ["-o", text(&out), "--size", "40x50px", "--report", text(&report)];
    cropped(&[&[text(&photo)], &flags[..]].concat()).expect(0);
    let before = fs::read(&report).expect("written");
    let result = cropped(&[&[text(&photo)], &flags[..], &["--names", text(&report)]].concat()).expect(2).stderr;
    assert!(result.contains("it is a list of this run"), "{result}");
    assert_eq!(fs::read(&report).expect("exists"), before);
}

#[cfg(unix)]
#[test]
fn a_forged_journal_removes_only_crops_in_the_output_folder() {
    for policy in POLICIES {
        let place = folder();
        let [photos, out, elsewhere] = ["in", "out", "elsewhere"].map(|name| place.path().join(name));
        for made in [&photos, &out, &elsewhere] {
            fs::create_dir(made).expect("created");
        }
        put_portrait(&photos, "a.png");
        put_ramp(&photos.join("b.png"), 30, 30);
        std::os::unix::fs::symlink(&elsewhere, out.join("link")).expect("linked");
        for name in
            ["elsewhere/photo.jpg", "elsewhere/.iron-cropper-x-1", "out/notes.txt", "out/changed.jpg", "out/old.png"]
        {
            fs::write(place.path().join(name), name).expect("written");
        }
        crop(&[&photos], &out, &["--size", "40x50px"]).expect(1);
        let journal = out.join(".iron-cropper/journal-1.jsonl");
        let mut lines = fs::read_to_string(&journal).expect("exists");
        lines = lines.replacen("\"run\":\"", "\"run\":\"x\",\"was\":\"", 1);
        for target in ["link/photo.jpg", "notes.txt", "changed.jpg", "old.png"] {
            let bytes = fs::read(out.join(target)).expect("exists");
            let line = json!({
                "kind": "writing", "input": photos.join("a.png"), "path": target, "bytes": bytes.len(),
                "sha256": digest(&bytes)
            });
            lines.push_str(&format!("{line}\n"));
        }
        fs::write(&journal, lines).expect("written");
        fs::write(out.join("changed.jpg"), "retouched").expect("written");
        let flags = ["--resume", "--size", "60x75px", "--on-conflict", policy];
        let result = crop(&[&photos], &out, &flags).expect(1).stderr;
        assert!(result.contains("were not touched: "), "{result}");
        for name in ["link/photo.jpg", "notes.txt", "changed.jpg"] {
            assert!(result.contains(name) && out.join(name).is_file(), "{policy}: {name}: {result}");
        }
        assert_eq!(names(&elsewhere), [".iron-cropper-x-1", "photo.jpg"], "{policy}");
        // Of the files in the journal, only this one can be a crop of the run.
        assert!(!out.join("old.png").exists() && !result.contains("old.png"), "{policy}: {result}");
    }
}

#[test]
fn a_project_needs_flags_to_write_outside_its_folder_or_replace() {
    let place = folder();
    let theirs = place.path().join("theirs");
    let photo = put_portrait(&theirs, "a.png");
    let photos = vec![ProjectPhoto { path: photo, ..ProjectPhoto::default() }];
    let mut project = Project { photos, ..Project::default() };
    project.settings.on_conflict = OnConflict::Overwrite;
    let saved = theirs.join("school.ironcrop");
    let mine = place.path().join("mine");
    fs::create_dir(&mine).expect("created");
    fs::write(mine.join("a.jpg"), "mine").expect("written");
    let mut outside = vec![mine.clone(), theirs.join("../mine"), theirs.join("sub/../../mine/new")];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&mine, theirs.join("link")).expect("linked");
        outside.extend([theirs.join("link"), theirs.join("link/new")]);
    }
    for output in outside {
        project.settings.output_folder = Some(output.clone());
        project.write(&saved).expect("written");
        let result = cropped(&[text(&saved)]).expect(2).stderr;
        assert!(result.contains("outside the project's own folder") && result.contains("-o "), "{output:?}: {result}");
        assert_eq!(names(&mine), ["a.jpg"], "{output:?}");
    }
    let result = cropped(&[text(&saved), "-o", text(&mine)]).expect(0).stderr;
    assert!(result.contains("--on-conflict overwrite"), "{result}");
    assert_eq!(names(&mine), ["a (2).jpg", "a.jpg"]);
    assert_eq!(fs::read(mine.join("a.jpg")).expect("exists"), b"mine");
    cropped(&[text(&saved), "-o", text(&mine), "--on-conflict", "overwrite"]).expect(0);
    assert_ne!(fs::read(mine.join("a.jpg")).expect("exists"), b"mine", "an explicit flag");
    // A folder inside the project's own is accepted, as are its other policies.
    project.settings.output_folder = Some(theirs.join("crops"));
    project.settings.on_conflict = OnConflict::Fail;
    project.write(&saved).expect("written");
    cropped(&[text(&saved)]).expect(0);
    cropped(&[text(&saved)]).expect(1);
    assert_eq!(names(&theirs.join("crops")), ["a.jpg"]);
}
