//! Names on the command line: templates, lists, folders, lists of paths, pipes, completions.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;

use picture::decode_file;
use recipe::DecodeLimits;

use crate::support::{Run, crop, folder, names, portrait, program, put_portrait, put_ramp, run};

/// Runs the program with `input` on standard input; returns its standard output as bytes.
fn piped(arguments: &[&str], input: &[u8], home: &Path) -> (Option<i32>, Vec<u8>, String) {
    let mut command = program(home);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    // The program may have rejected its arguments and exited.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    (output.status.code(), output.stdout, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn list_template_and_mirrored_folders_determine_the_names() {
    let photos = folder();
    for name in ["3a/IMG_1.png", "3b/IMG_1.png", "3b/IMG_2.PNG"] {
        put_portrait(photos.path(), name);
    }
    let list = photos.path().join("list.csv");
    fs::write(&list, "photo;name;class\n3a/img_1.png;Zoë;3a\n3b\\IMG_1;CON;3b\nIMG_2;../x;3b\n").expect("created");
    let list = list.to_string_lossy();
    let out = folder();
    let name = "{column:class}/{index:2} {name} {size}";
    crop(&[photos.path()], out.path(), &["--names", &list, "--name", name, "--size", "80x100px"]).expect(0);
    assert_eq!(names(out.path()), ["3a/01 Zoë 80x100.jpg", "3b/02 CON 80x100.jpg", "3b/03 .._x 80x100.jpg"]);

    let out = folder();
    crop(&[photos.path()], out.path(), &["--names", &list, "--folders", "mirror"]).expect(0);
    assert_eq!(names(out.path()), ["3a/Zoë.jpg", "3b/.._x.jpg", "3b/_CON.jpg"]);

    let result = crop(&[photos.path()], out.path(), &["--names", &list, "--dry-run"]).expect(0);
    assert_eq!(result.lines()[0]["crops"][0]["target"], out.path().join("Zoë.jpg").to_string_lossy().as_ref());
}

#[test]
fn mismatches_are_listed_and_change_the_exit_code() {
    let photos = folder();
    put_ramp(&photos.path().join("a.png"), 20, 20);
    put_ramp(&photos.path().join("b.png"), 20, 20);
    let list = photos.path().join("list.csv");
    fs::write(&list, "file,name\na.png,Anna\nx.png,Xaver\n").expect("created");
    let (all, list) = (photos.path().to_string_lossy(), list.to_string_lossy());
    let out = photos.path().join("out").to_string_lossy().into_owned();
    let given = ["crop", &all, "-o", &out, "--names", &list];
    let result = run(given.iter().chain(&["--names-preview"])).expect(1);
    for expected in ["a.png -> Anna (row 2)", "b.png -> b: no row", "row 3 (x.png): no photo", "2 photos, 1 matched"] {
        assert!(result.stdout.contains(expected), "{expected}\n{}", result.stdout);
    }
    let result = run(given.iter().chain(&["--names-preview", "--json"])).expect(1);
    assert_eq!(result.lines().iter().filter(|line| line["state"] == "no_photo").count(), 1);
    let result = run(given.iter().chain(&["--names-missing", "fail"])).expect(2);
    assert!(result.stdout.is_empty() && result.stderr.contains("b.png"), "{}", result.stderr);
    let result = run(given[..4].iter().chain(&["--name", "same", "--on-conflict", "fail"])).expect(2);
    assert!(result.stderr.contains("nothing was written") && !Path::new(&out).exists(), "{}", result.stderr);
}

#[test]
fn numbers_without_leading_zeros_and_foreign_paths_are_matched() {
    let photos = folder();
    put_portrait(photos.path(), "0001.png");
    put_portrait(photos.path(), "IMG_2.png");
    let list = photos.path().join("list.csv");
    fs::write(&list, "file,name\n1,Anna\n\"C:\\Photos\\Day 1\\IMG_2.PNG \",Ben\n").expect("created");
    let flags = ["--names", &list.to_string_lossy(), "--size", "80x100px"];
    let out = folder();
    let result = crop(&[photos.path()], out.path(), &flags).expect(0);
    assert_eq!(names(out.path()), ["Anna.jpg", "Ben.jpg"]);
    for expected in ["1 of its rows match a photo by number alone", "1 of its rows contain a path that does not exist"]
    {
        assert!(result.stderr.contains(expected), "{expected}\n{}", result.stderr);
    }
    let result = crop(&[photos.path()], out.path(), &[&flags[..], &["--names-preview"]].concat()).expect(0);
    let by = |at: usize| result.lines()[at]["matched_by"].as_str().map(ToOwned::to_owned);
    assert_eq!([by(0), by(1)].map(Option::unwrap_or_default), ["number", "last_part"]);
}

#[test]
fn the_sheet_of_a_workbook_is_found_or_chosen() {
    let photos = folder();
    // The content decides about the format.
    put_portrait(photos.path(), "IMG_0001.jpg");
    let list = test_support::root().join("crates/naming/src/name_list/workbook/xls/roster.xls");
    let list = list.to_string_lossy();
    let named = |more: &[&str]| {
        let out = folder();
        let flags = ["--names", &list, "--name", "{column:number} {name}", "--size", "80x100px"];
        let result = crop(&[photos.path()], out.path(), &[&flags[..], more].concat());
        (result, names(out.path()))
    };
    let (result, written) = named(&[]);
    assert_eq!(written, ["00007 Zoë Müller.jpg"]);
    let result = result.expect(0);
    assert!(result.stderr.contains("the list is sheet 'Pupils' of ") && result.stderr.contains("roster.xls, 2 of 2"));
    let (result, written) = named(&["--names-sheet", "2"]);
    assert_eq!(written, ["00007 Zoë Müller.jpg"]);
    assert!(!result.expect(0).stderr.contains("the list is sheet"));
    for (sheet, reason) in [("notes", "only one row"), ("3", "there is no sheet '3'; the sheets are 'Notes', 'Pupils'")]
    {
        let (result, written) = named(&["--names-sheet", sheet]);
        assert!(written.is_empty() && result.expect(2).stderr.contains(reason), "{sheet}");
    }
}

#[test]
fn names_in_plain_ascii_stay_apart() {
    let photos = folder();
    put_portrait(photos.path(), "3a/Zoë.png");
    put_portrait(photos.path(), "3ä/Zoe.png");
    let out = folder();
    let flags = ["--name-characters", "ascii", "--size", "80x100px"];
    let result = crop(&[photos.path()], out.path(), &flags).expect(0);
    assert_eq!(names(out.path()), ["Zoe.jpg", "Zoe_2.jpg"]);
    assert!(result.stderr.contains("several photos have the same name"), "{}", result.stderr);
    let out = folder();
    crop(&[photos.path()], out.path(), &[&flags[..], &["--name", "{folder}/{stem} & {index}"]].concat()).expect(0);
    assert_eq!(names(out.path()), ["3a/Zoe_1.jpg", "3a/Zoe_2.jpg"]);
}

#[test]
fn rows_without_a_name_are_reported() {
    let photos = folder();
    put_portrait(photos.path(), "a.png");
    put_portrait(photos.path(), "b.png");
    let list = photos.path().join("list.csv");
    fs::write(&list, "file,last,first\na.png,,\nb.png,Meier,\n").expect("created");
    let out = folder();
    let flags = ["--names", &list.to_string_lossy(), "--name", "{column:last}_{column:first}", "--size", "80x100px"];
    let result = crop(&[photos.path()], out.path(), &flags).expect(0);
    assert_eq!(names(out.path()), ["Meier_.jpg", "a.jpg"]);
    assert!(
        result.stderr.contains("1 of 2 photos have a row without a name and keep their own: "),
        "{}",
        result.stderr
    );
}

#[test]
fn untrusted_text_cannot_control_the_terminal() {
    let photos = folder();
    put_ramp(&photos.path().join("a\u{1b}[2J\u{202e}.png"), 20, 20);
    let list = |text: &str| {
        let path = photos.path().join("list.csv");
        fs::write(&path, text).expect("created");
        path.to_string_lossy().into_owned()
    };
    let escape = "\u{1b}]0;owned\u{7}\u{9b}31m";
    let named = |text: String, more: &[&str]| {
        let file = list(&text);
        crop(&[photos.path()], photos.path(), &[&["--names", &file][..], more].concat())
    };
    let result = [
        named(format!("file{escape},x,y\nno.png,1,2\n"), &["--names-preview"]),
        named(format!("file,name{escape}\nno{escape}.png,Anna\n"), &[]),
        named(format!("file,name,preset\na\u{1b}[2J\u{202e}.png,Anna,{escape}\n"), &[]),
        named(format!("x{escape},y\n1,2\n"), &[]),
        named("file,name\na,b\n".to_owned(), &["--name", &format!("{{column:{escape}}}")]),
        run(["crop", "x", "-o", escape, "--preset", escape]),
        run(["crop", escape, "-o", escape]),
        run(["presets", "show", &format!("{escape}.toml")]),
        run(["crop", &format!("{escape}.ironcrop")]),
        run(["report", escape]),
    ];
    for (at, result) in result.iter().enumerate() {
        let is_unsafe = |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || c == '\u{202e}';
        assert!(!result.stdout.contains(is_unsafe) && !result.stderr.contains(is_unsafe), "{at}: {result:?}");
        assert!(result.stdout.contains("\\u001b") || result.stderr.contains("\\u001b"), "{at}: {result:?}");
    }
}

#[test]
fn a_preset_in_the_list_applies_to_its_photo_only() {
    let photos = folder();
    put_portrait(photos.path(), "a.png");
    put_portrait(photos.path(), "b.png");
    let list = photos.path().join("list.csv");
    fs::write(&list, "file,name,preset\na.png,Anna,us-passport\nb.png,Ben,\n").expect("created");
    let out = folder();
    let flags = ["--names", &list.to_string_lossy(), "--name", "{name} {preset} {size}"];
    let result = crop(&[photos.path()], out.path(), &flags).expect(0);
    assert_eq!(names(out.path()), ["Anna us-passport 600x600.jpg", "Ben headshot 800x1000.jpg"]);
    let has_rules =
        |at: usize| result.lines()[at]["crops"][0]["rules"].as_array().is_some_and(|rules| !rules.is_empty());
    assert!(has_rules(0) && !has_rules(1));
}

#[test]
fn a_missing_photo_in_a_list_does_not_stop_the_run() {
    let photos = folder();
    put_portrait(photos.path(), "sub/a.png");
    let out = photos.path().join("out");
    for (list, what) in [("sub/a.png\r\nmissing.png\r\n", "lines"), ("sub/a.png\0missing.png\0", "zero bytes")] {
        let mut command = program(photos.path());
        command.current_dir(photos.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.args(["crop", "--files-from", "-", "--folders", "mirror", "--on-conflict", "overwrite", "-o", "out"]);
        let mut child = command.spawn().expect("starts");
        child.stdin.take().expect("piped").write_all(list.as_bytes()).expect("written");
        let result = Run::of(&child.wait_with_output().expect("ends")).expect(1);
        assert!(result.stdout.contains("missing.png: failed: there is no such file"), "{what}: {}", result.stdout);
        assert_eq!(names(&out), ["sub/a.jpg"], "{what}");
    }
}

#[test]
fn a_pipe_carries_one_image_and_nothing_else() {
    let home = folder();
    let photo = fs::read(portrait()).expect("exists");
    let (code, crop, result) =
        piped(&["crop", "-", "-o", "-", "--format", "png", "--size", "80x100px"], &photo, home.path());
    assert_eq!((code, result.as_str()), (Some(0), ""));
    let path = home.path().join("crop");
    fs::write(&path, crop).expect("written");
    let size = decode_file(&path, &DecodeLimits::default()).expect("a picture").info.size;
    assert_eq!((size.width, size.height), (80, 100));

    let (code, out, result) = piped(&["crop", "-", "-o", "-"], b"no picture", home.path());
    assert!(code == Some(1) && out.is_empty() && result.starts_with("-: failed: "), "{result}");
    let (code, out, result) = piped(&["crop", "-", "-o", "-"], b"", home.path());
    assert!(code == Some(1) && out.is_empty() && result.contains("empty"), "{result}");
    let (code, out, result) = piped(&["crop", "-", "-o", "-", "--max-file-mb", "1"], &vec![7; 1_000_001], home.path());
    assert!(code == Some(2) && out.is_empty() && result.contains("larger than 1000000 bytes"), "{result}");
    for wrong in [
        &["crop", "-", "a.jpg", "-o", "-"][..],
        &["crop", "-", "-o", "-", "--json"],
        &["crop", "-", "-o", "-", "--sheet", "a4"],
    ] {
        assert_eq!(piped(wrong, &photo, home.path()).0, Some(2), "{wrong:?}");
    }
}

#[test]
fn a_closed_pipe_does_not_panic() {
    let home = folder();
    for arguments in [&["crop", "-o", "-"][..], &["completions", "zsh"], &["man"], &["presets"]] {
        let mut command = program(home.path());
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        if arguments[0] == "crop" {
            command.arg(portrait());
        }
        let mut child = command.spawn().expect("starts");
        drop(child.stdout.take());
        let mut result = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut result).expect("text");
        let code = child.wait().expect("ends").code();
        assert!(matches!(code, Some(0 | 1)) && !result.contains("panic"), "{arguments:?}: {code:?} {result}");
    }
}

#[cfg(unix)]
#[test]
fn non_utf8_names_are_preserved() {
    use std::os::unix::ffi::OsStrExt;
    let photos = folder();
    let name = std::ffi::OsStr::from_bytes(b"a\xff\xfe.png");
    if fs::copy(portrait(), photos.path().join(name)).is_err() {
        // Some file systems accept text only.
        return;
    }
    let out = folder();
    crop(&[photos.path()], out.path(), &["--name", "{stem}_{index}", "--size", "80x100px"]).expect(0);
    let written = fs::read_dir(out.path()).expect("exists").next().expect("a crop").expect("an entry").file_name();
    assert_eq!(written.as_bytes(), b"a\xff\xfe_1.jpg");
}

#[test]
fn the_capture_date_can_be_part_of_a_name() {
    let photos = folder();
    put_portrait(photos.path(), "a.png");
    let out = folder();
    crop(&[photos.path()], out.path(), &["--name", "{date:%Y|no year} {stem} {score}"]).expect(0);
    let name = names(out.path()).remove(0);
    assert!(name.starts_with("no year a ") && name.ends_with("3.jpg"), "{name}");
}

#[test]
fn completions_and_manual_pages_are_generated() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(run(["completions", shell]).expect(0).stdout.contains("names-output"), "{shell}");
    }
    run(["completions", "tcsh"]).expect(2);
    let to = folder();
    run(["man", "--to", &to.path().to_string_lossy()]).expect(0);
    assert!(names(to.path()).contains(&"iron-cropper-crop.1".to_owned()));
    assert!(run(["man"]).expect(0).stdout.contains(".TH iron-cropper"));
}
