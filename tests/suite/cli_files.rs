//! The command line and the file system: names, existing files, photos that must stay unchanged.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::support::{crop, folder, names, portrait, put_portrait, run, tree};

#[test]
fn a_second_run_follows_the_conflict_policy() {
    let photos = folder();
    put_portrait(photos.path(), "a.png");
    let out = folder();
    let again = |policy: &str, code: i32| crop(&[photos.path()], out.path(), &["--on-conflict", policy]).expect(code);
    again("fail", 0);
    let first = tree(out.path());
    assert_eq!(names(out.path()), ["a.jpg"]);

    let result = again("skip", 0);
    assert_eq!(result.outcomes()["a.png"], "skipped");
    assert!(result.written().is_empty() && first == tree(out.path()));

    let result = again("fail", 1);
    assert_eq!(result.outcomes()["a.png"], "failed");
    assert!(result.lines()[0]["error"].as_str().is_some_and(|reason| reason.contains("already exists")));
    assert!(first == tree(out.path()));

    again("suffix", 0);
    assert_eq!(names(out.path()), ["a (2).jpg", "a.jpg"]);

    fs::write(out.path().join("a.jpg"), "an older crop").expect("created");
    assert_eq!(again("overwrite", 0).written(), [out.path().join("a.jpg")]);
    assert!(tree(out.path())[Path::new("a.jpg")] == first[Path::new("a.jpg")]);
    assert_eq!(names(out.path()), ["a (2).jpg", "a.jpg"]);
}

#[test]
fn crops_with_the_same_name_are_all_kept() {
    let photos = folder();
    for name in ["x/a.jpg", "y/a.jpg", "y/A.JPG", "a.png"] {
        put_portrait(photos.path(), name);
    }
    for policy in ["suffix", "skip", "overwrite"] {
        let out = folder();
        let result = crop(&[photos.path()], out.path(), &["--on-conflict", policy]).expect(0);
        assert_eq!(names(out.path()).len(), 4, "{policy}: {:?}", names(out.path()));
        assert_eq!(result.written().len(), 4);
        if policy == "skip" {
            let again = crop(&[photos.path()], out.path(), &["--on-conflict", "skip"]).expect(0);
            assert!(again.outcomes().values().all(|outcome| outcome == "skipped"), "{:?}", again.outcomes());
            assert_eq!(names(out.path()).len(), 4);
        }
    }
}

#[test]
fn a_photo_is_never_replaced_when_the_output_is_its_own_folder() {
    for policy in ["suffix", "skip", "overwrite", "fail"] {
        let photos = folder();
        put_portrait(photos.path(), "a.jpg");
        put_portrait(photos.path(), "b.png");
        fs::hard_link(photos.path().join("a.jpg"), photos.path().join("b.jpg")).expect("linked");
        let before = tree(photos.path());
        let inputs = [photos.path().join("a.jpg"), photos.path().join("b.png")];
        let result = crop(&[&inputs[0], &inputs[1]], photos.path(), &["--on-conflict", policy]);
        let after = tree(photos.path());
        for (path, content) in &before {
            assert!(after[path] == *content, "{policy} changed {path:?}");
        }
        let (code, outcome, files) = match policy {
            "suffix" => (0, "cropped", 5),
            // The existing file is the photo, not a crop.
            _ => (1, "failed", 3),
        };
        let result = result.expect(code);
        assert!(result.outcomes().values().all(|result| result == outcome), "{policy}: {:?}", result.outcomes());
        assert_eq!(after.len(), files, "{policy}: {:?}", after.keys());
    }
}

#[cfg(unix)]
#[test]
fn a_photo_is_never_replaced_through_a_link() {
    use std::os::unix::fs::symlink;
    for hard in [true, false] {
        let photos = folder();
        let out = folder();
        let photo = put_portrait(photos.path(), "a.png");
        let other = put_portrait(photos.path(), "other.png");
        fs::write(&other, [fs::read(&other).expect("exists"), b"longer".to_vec()].concat()).expect("written");
        for target in [&photo, &other] {
            let link = out.path().join("a.jpg");
            let _ = fs::remove_file(&link);
            if hard { fs::hard_link(target, &link) } else { symlink(target, &link) }.expect("linked");
            let before = tree(photos.path());
            let result = crop(&[&photo, &other], out.path(), &["--on-conflict", "overwrite"]).expect(1);
            assert_eq!(result.outcomes()["a.png"], "failed");
            let lines = result.lines();
            assert!(
                lines[0]["error"].as_str().is_some_and(|reason| reason.contains("one of the source photos")),
                "{}",
                lines[0]
            );
            assert!(before == tree(photos.path()));
            assert!(fs::read(&link).expect("exists") == fs::read(target).expect("exists"));
        }
    }
}

#[test]
fn an_output_that_cannot_be_written_is_a_failure_with_a_reason() {
    let out = folder();
    let file = out.path().join("taken");
    fs::write(&file, "a file").expect("created");
    for target in [&file, &file.join("deeper")] {
        let result = crop(&[&portrait()], target, &[]).expect(1);
        let line = &result.lines()[0];
        assert_eq!(line["outcome"], "failed");
        assert!(line["error"].as_str().is_some_and(|reason| reason.contains("is a file")), "{line}");
        assert!(result.written().is_empty());
    }
    assert_eq!(fs::read(&file).expect("exists"), b"a file");
    fs::create_dir(out.path().join("astronaut.jpg")).expect("created");
    let result = crop(&[&portrait()], out.path(), &["--on-conflict", "overwrite"]).expect(1);
    assert_eq!(result.lines()[0]["outcome"], "failed");
    assert_eq!(names(out.path()), ["taken"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_write_leaves_no_partial_file() {
    use crate::support::{Run, program};
    let home = folder();
    let out = folder();
    // A limit of a few kilobytes per file: writing the crop fails halfway, as on a full disk.
    let mut command = std::process::Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$@\"";
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_iron-cropper"), "crop", "--json", "-o"]);
    command.arg(out.path()).arg(portrait());
    command.envs(program(home.path()).get_envs().filter_map(|(name, value)| Some((name, value?))));
    let result = Run::of(&command.output().expect("sh starts")).expect(1);
    let line = &result.lines()[0];
    assert_eq!(line["outcome"], "failed");
    assert!(line["error"].as_str().is_some_and(|reason| reason.contains("astronaut.jpg")), "{line}");
    assert_eq!(names(out.path()), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn hostile_names_are_cropped_and_escaped() {
    use std::os::unix::ffi::OsStrExt;
    let long = [b"x".repeat(251).as_slice(), b".png"].concat();
    let wide = ["\u{738b}".repeat(83).as_bytes(), b".png"].concat();
    let given: [&[u8]; 9] = [
        "Zo\u{eb} \u{738b}\u{5c0f}\u{660e} \u{1f469}\u{200d}\u{1f52c}.png".as_bytes(),
        b"not \xff\xfe text.png",
        b"two\nlines.png",
        b"-rf.png",
        b"trailing. .png",
        b"quote\"and'apostrophe.png",
        "\u{202e}gnp.turned.png".as_bytes(),
        &long,
        &wide,
    ];
    let photos = folder();
    let out = folder();
    for name in given {
        put_portrait(photos.path(), OsStr::from_bytes(name));
    }
    let result = crop(&[photos.path()], out.path(), &[]).expect(0);
    assert_eq!(result.lines().len(), given.len());
    let written = tree(out.path());
    for name in given {
        let expected = [&name[..name.len() - 3], b"jpg"].concat();
        assert!(
            written.contains_key(Path::new(OsStr::from_bytes(&expected))),
            "{expected:?} is missing: {:?}",
            written.keys()
        );
    }
    let again = crop(&[photos.path()], out.path(), &[]).expect(0);
    assert_eq!(again.written().len(), given.len(), "a suffix fits behind every name");
    assert!(tree(out.path()).keys().all(|name| name.as_os_str().len() <= 255));

    let printed = run([OsStr::new("crop"), photos.path().as_os_str(), "-o".as_ref(), out.path().as_os_str()]).expect(0);
    assert_eq!(printed.stdout.lines().count(), given.len() + 1);
    assert!(printed.stdout.contains("two\\nlines.png") && !printed.stdout.contains('\u{202e}'));
}

#[test]
fn a_photo_with_the_name_of_a_flag_follows_two_dashes() {
    let photos = folder();
    put_portrait(photos.path(), "-v");
    let out = folder();
    let mut command = crate::support::program(photos.path());
    command.current_dir(photos.path()).arg("crop").arg("-o").arg(out.path()).args(["--", "-v"]);
    crate::support::Run::of(&command.output().expect("starts")).expect(0);
    assert_eq!(names(out.path()), ["-v.jpg"]);
}

#[cfg(unix)]
#[test]
fn a_cyclic_link_is_a_note_not_an_error() {
    let photos = folder();
    put_portrait(photos.path(), "deep/a.png");
    std::os::unix::fs::symlink(photos.path(), photos.path().join("deep/back")).expect("linked");
    let out = folder();
    let result = crop(&[photos.path()], out.path(), &[]).expect(0);
    assert_eq!(result.lines().len(), 1);
    assert!(result.stderr.contains("deep/back") && result.stderr.contains("leads back"), "{}", result.stderr);
}

#[test]
fn crops_of_an_earlier_run_are_not_cropped_again() {
    let photos = folder();
    put_portrait(photos.path(), "a.png");
    let out = photos.path().join("crops");
    for policy in ["fail", "skip"] {
        let result = crop(&[photos.path()], &out, &["--on-conflict", policy]).expect(0);
        assert_eq!(result.lines().len(), 1, "{policy}");
        assert_eq!(result.stderr.contains("output folder"), policy == "skip", "{}", result.stderr);
    }
    assert_eq!(names(photos.path()), ["a.png", "crops/a.jpg"]);
    // If given explicitly, or if the photos themselves are in it, the folder is searched like any other.
    assert_eq!(crop(&[photos.path(), &out], &out, &[]).expect(0).lines().len(), 2);
}

#[test]
fn a_photo_given_twice_is_cropped_once() {
    let photos = folder();
    let photo = put_portrait(photos.path(), "a.png");
    let out = folder();
    let result = crop(&[&photo, photos.path(), &photo], out.path(), &[]).expect(0);
    assert_eq!((result.lines().len(), names(out.path())), (1, vec!["a.jpg".to_owned()]));
}

#[cfg(unix)]
#[test]
fn special_files_do_not_block() {
    let photos = folder();
    put_portrait(photos.path(), "a.png");
    let pipe = photos.path().join("pipe.jpg");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    let out = folder();
    let result = crop(&[photos.path(), &pipe], out.path(), &["--on-conflict", "overwrite"]).expect(1);
    assert_eq!(result.outcomes()["pipe.jpg"], "failed");
    assert_eq!(result.outcomes()["a.png"], "cropped");
    // A pipe in place of a crop is not opened either.
    let target = out.path().join("a.jpg");
    fs::remove_file(&target).expect("removed");
    fs::rename(&pipe, &target).expect("moved");
    let result = crop(&[photos.path()], out.path(), &["--on-conflict", "overwrite"]).expect(0);
    assert!(result.written() == [target.clone()] && fs::metadata(&target).expect("exists").is_file());
}

#[test]
fn originals_inside_the_output_folder_are_not_replaced() {
    let photos = folder();
    put_portrait(photos.path(), "a.png");
    let out = photos.path().join("best");
    fs::create_dir(&out).expect("created");
    fs::write(out.join("a.jpg"), "perhaps an original").expect("created");
    let result = crop(&[photos.path()], &out, &["--on-conflict", "overwrite"]).expect(1);
    assert!(result.lines()[0]["error"].as_str().is_some_and(|reason| reason.contains("neither replaced")));
    assert_eq!(fs::read(out.join("a.jpg")).expect("exists"), b"perhaps an original");
    // Resuming an earlier run still works.
    let result = crop(&[photos.path()], &out, &["--on-conflict", "skip"]).expect(0);
    assert_eq!(result.outcomes()["a.png"], "skipped");
}
