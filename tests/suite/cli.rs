//! The command line: output, rejected arguments, exit codes.

use std::io::Read;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Run, crop, folder, names, portrait, program, put_portrait, put_ramp, run, samples, tree};

#[test]
fn the_samples_are_cropped_and_unchanged() {
    let out = folder();
    let before = tree(&samples());
    let target = out.path().join("made/by/the/program");
    let result = run([Path::new("crop"), &samples(), Path::new("-o"), &target]).expect(0);
    assert_eq!(names(&target), ["astronaut.jpg", "near_the_edge.jpg", "sideways.jpg", "three_prints.jpg"]);
    for file in tree(&target).values() {
        assert_eq!(image::guess_format(file).expect("known"), image::ImageFormat::Jpeg);
        let crop = image::load_from_memory(file).expect("decodes");
        assert_eq!((crop.width(), crop.height()), (800, 1000));
    }
    assert!(before == tree(&samples()), "a sample photo was changed");
    assert_eq!(result.stderr, "");
    let lines: Vec<&str> = result.stdout.lines().collect();
    assert_eq!(lines.len(), 5, "a line each and a summary: {lines:?}");
    assert!(lines[0].contains("astronaut.png: 1 face, written ") && lines[0].contains("astronaut.jpg"), "{}", lines[0]);
    assert!(lines[4].starts_with("4 inputs: 4 cropped; 4 files written to "), "{}", lines[4]);
}

#[test]
fn json_lines_have_the_documented_fields_only() {
    let out = folder();
    let result =
        crop(&[&samples()], out.path(), &["--select", "all", "--format", "png", "--runtime", "tract"]).expect(0);
    assert_eq!(result.stderr, "");
    let lines = result.lines();
    assert_eq!(lines.len(), 4);
    for line in &lines {
        let mut fields: Vec<&String> = line.as_object().expect("an object").keys().collect();
        fields.sort();
        let documented = [
            "card",
            "crops",
            "damage",
            "damaged",
            "error",
            "faces",
            "height",
            "model_faults",
            "needs_review",
            "note",
            "outcome",
            "passes",
            "path",
            "runtime",
            "schema",
            "stages_ms",
            "warnings",
            "width",
        ];
        assert_eq!(fields, documented);
        assert_eq!(
            (&line["schema"], &line["outcome"], &line["damaged"]),
            (&5.into(), &"cropped".into(), &false.into())
        );
        assert_eq!((&line["error"], &line["model_faults"]), (&Value::Null, &Value::Array(Vec::new())));
        assert_eq!(line["runtime"], serde_json::json!({"requested": "tract", "actual": "tract"}));
        let (width, height) = (line["width"].as_i64().expect("a number"), line["height"].as_i64().expect("a number"));
        let faces = line["faces"].as_array().expect("a list");
        let crops = line["crops"].as_array().expect("a list");
        assert!(!faces.is_empty() && faces.len() == crops.len());
        for face in faces {
            assert_eq!(numbers(&face["box"]).len(), 4);
            assert_eq!(numbers(&face["landmarks"]).len(), 10);
            assert!((0.6..=1.0).contains(&face["score"].as_f64().expect("a number")));
        }
        for crop in crops {
            let rect: Vec<i64> = crop["rect"].as_array().expect("a list").iter().filter_map(Value::as_i64).collect();
            let [x, y, w, h] = rect[..] else { panic!("four whole numbers: {rect:?}") };
            assert!(x >= 0 && y >= 0 && x + w <= width && y + h <= height, "{rect:?} in {width} x {height}");
            let file = std::fs::read(crop["written"].as_str().expect("a path")).expect("exists");
            assert_eq!(image::guess_format(&file).expect("known"), image::ImageFormat::Png);
        }
        let stages = line["stages_ms"].as_object().expect("an object");
        for stage in ["decode", "preprocess", "inference", "postprocess", "landmarks", "plan", "render", "encode"] {
            assert!(stages[stage].as_f64().is_some_and(|ms| ms >= 0.0), "{stage}: {stages:?}");
        }
    }
    let group = lines.iter().find(|line| line["path"].as_str().is_some_and(|path| path.ends_with("three_prints.jpg")));
    let rects: Vec<f64> =
        group.expect("reported")["crops"].as_array().expect("a list").iter().map(|c| numbers(&c["rect"])[0]).collect();
    assert!(rects.len() == 3 && rects.is_sorted(), "three crops from left to right: {rects:?}");
    let faces: Vec<String> = names(out.path()).into_iter().filter(|name| name.starts_with("three")).collect();
    assert_eq!(faces, ["three_prints_face1.png", "three_prints_face2.png", "three_prints_face3.png"]);
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().expect("a list").iter().map(|number| number.as_f64().expect("a number")).collect()
}

#[test]
fn crop_flags_take_effect() {
    let out = folder();
    let rect = |flags: &[&str]| {
        // The portrait's hair is near the edge.
        let flags = [flags, &["--keep-hair", "off"]].concat();
        let result = crop(&[&portrait()], out.path(), &flags).expect(0);
        let file = std::fs::read(&result.written()[0]).expect("exists");
        let size = image::load_from_memory(&file).expect("decodes");
        let [x, y, w, h] = numbers(&result.lines()[0]["crops"][0]["rect"])[..] else { panic!("four numbers") };
        ([x, y, w, h], (size.width(), size.height()))
    };
    let (middle, size) = rect(&["--preset", "avatar", "--position", "middle"]);
    assert_eq!(size, (512, 512));
    let (moved, _) = rect(&["--preset", "avatar", "--position", "middle", "--shift-right", "10"]);
    assert!((middle[0] - moved[0] - middle[2] * 0.10).abs() <= 1.0, "to the right: {middle:?} {moved:?}");
    let (up, _) = rect(&["--preset", "avatar", "--position", "eye-line=60"]);
    let (down, _) = rect(&["--preset", "avatar", "--position", "eye-line=50"]);
    assert!((up[1] - down[1] - up[3] * 0.10).abs() <= 1.5, "the frame is lower where eyes are higher: {up:?} {down:?}");
    let (wide, size) = rect(&["--width", "320", "--height", "200", "--head-height", "90"]);
    assert_eq!(size, (320, 200));
    let (wider, _) = rect(&["--width", "320", "--height", "200", "--head-height", "60"]);
    assert!((wide[2] / wide[3] - 1.6).abs() < 0.02, "{wide:?}");
    assert!((wider[3] / wide[3] - 1.5).abs() < 0.02, "{wide:?} {wider:?}");
    let (padded, _) = rect(&["--head-height", "15", "--edge", "pad", "--fill", "#00FF00", "--format", "png"]);
    assert!(padded[1] < 0.0 && padded[2] > 512.0, "{padded:?}");
    let file = out.path().join("astronaut.png");
    assert_eq!(pixel(&file, 1, 1), [0, 255, 0]);
}

/// One pixel of a written crop.
fn pixel(file: &Path, x: u32, y: u32) -> [u8; 3] {
    let file = std::fs::read(file).expect("exists");
    image::load_from_memory(&file).expect("decodes").to_rgb8().get_pixel(x, y).0
}

#[test]
fn lower_quality_gives_smaller_files() {
    let out = folder();
    let bytes = |quality: &str| {
        let result = crop(&[&portrait()], out.path(), &["--quality", quality]).expect(0);
        std::fs::metadata(&result.written()[0]).expect("exists").len()
    };
    assert!(bytes("1") < bytes("50") && bytes("50") < bytes("100"));
}

#[test]
fn a_dry_run_plans_and_writes_nothing() {
    let out = folder();
    let target = out.path().join("out");
    let result = crop(&[&portrait()], &target, &["--dry-run"]).expect(0);
    let line = &result.lines()[0];
    assert_eq!((&line["outcome"], &line["crops"][0]["written"]), (&"cropped".into(), &Value::Null));
    assert_eq!(numbers(&line["crops"][0]["rect"]).len(), 4);
    assert!(!target.exists());
    let output = run([Path::new("crop"), &portrait(), Path::new("-o"), &target, Path::new("--dry-run")]).expect(0);
    assert!(output.stdout.contains("would crop") && output.stdout.contains("nothing was written"), "{}", output.stdout);
}

#[test]
fn detect_reports_faces_and_writes_nothing() {
    let photos = folder();
    put_portrait(photos.path(), "a.png");
    put_ramp(&photos.path().join("b.png"), 200, 100);
    let before = tree(photos.path());
    let result = run([Path::new("detect"), photos.path(), Path::new("--json")]).expect(1);
    let lines = result.lines();
    assert_eq!([&lines[0]["outcome"], &lines[1]["outcome"]], ["detected", "no_face"]);
    assert!(
        lines[0]["crops"].as_array().is_some_and(Vec::is_empty)
            && lines[0]["faces"].as_array().is_some_and(|f| f.len() == 1)
    );
    assert_eq!((&lines[1]["width"], &lines[1]["height"]), (&200.into(), &100.into()));
    assert!(before == tree(photos.path()));
    let output = run([Path::new("detect"), &portrait()]).expect(0);
    assert!(output.stdout.contains("astronaut.png: 1 face (0.9"), "{}", output.stdout);
    let strict = run([Path::new("detect"), &portrait(), Path::new("--min-score"), Path::new("0.99")]).expect(1);
    assert!(strict.stdout.contains("no face"), "{}", strict.stdout);
}

#[test]
fn presets_are_listed_as_text_and_json() {
    let output = run(["presets"]).expect(0);
    let result = run(["presets", "--json"]).expect(0);
    let lines = result.lines();
    let ids: Vec<&str> = lines.iter().map(|line| line["id"].as_str().expect("text")).collect();
    assert_eq!(ids[0], "headshot");
    assert!(ids.iter().all(|id| output.stdout.lines().any(|line| line.trim() == *id)), "{ids:?}\n{}", output.stdout);
    let document = lines.iter().find(|line| line["mm"].is_array()).expect("a printed size");
    let (mm, dpi) = (numbers(&document["mm"]), document["dpi"].as_f64().expect("a number"));
    assert_eq!(document["width"].as_f64(), Some((mm[0] * dpi / 25.4).round()));
    assert!(output.stdout.contains(&format!("{} x {} mm", mm[0], mm[1])), "{}", output.stdout);
    let of = |id: &str| lines.iter().find(|line| line["id"] == id).expect("listed");
    assert_eq!((&of("headshot")["keep_hair"], &of("document-35x45")["keep_hair"]), (&true.into(), &false.into()));
    let rules = &of("document-35x45")["rules"];
    assert_eq!((&rules["backdrop"], numbers(&rules["background_lightness_pct"])), (&"light".into(), vec![70.0, 100.0]));
    assert_eq!(rules["pose_degrees"], serde_json::json!({"yaw": 5.0, "pitch": 5.0, "roll": 8.0}));
    assert_eq!(rules["neutral_expression"], true);
    let requires = "background plain and light, without shadows, lightness 70 to 100 %, mouth closed, looking at the \
                    camera, head turned by at most 5, raised or lowered by at most 5, tilted by at most 8 degrees";
    assert!(output.stdout.contains(requires), "{}", output.stdout);
    assert!(lines.iter().all(|line| line["head_height_pct"].as_f64().is_some_and(|pct| (5.0..=100.0).contains(&pct))));
}

#[test]
fn a_failed_input_does_not_stop_the_run_and_exits_with_1() {
    let photos = folder();
    let out = folder();
    put_portrait(photos.path(), "good.png");
    put_ramp(&photos.path().join("faceless.png"), 320, 320);
    std::fs::write(photos.path().join("text.jpg"), "not a picture").expect("created");
    std::fs::write(photos.path().join("empty.jpg"), "").expect("created");
    std::fs::write(photos.path().join("notes.txt"), "ignored").expect("created");
    std::fs::write(photos.path().join("new.heic"), b"\0\0\0\x18ftypheic\0\0\0\0mif1heic").expect("created");
    let cut = std::fs::read(portrait()).expect("exists");
    std::fs::write(photos.path().join("cut.png"), &cut[..40]).expect("created");
    let missing = photos.path().join("missing.jpg");
    let result = crop(&[photos.path(), &missing], out.path(), &[]).expect(1);
    let outcomes: Vec<(String, String)> = result.outcomes().into_iter().collect();
    let expected = [
        ("cut.png", "failed"),
        ("empty.jpg", "failed"),
        ("faceless.png", "no_face"),
        ("good.png", "cropped"),
        ("missing.jpg", "failed"),
        ("new.heic", "failed"),
        ("text.jpg", "failed"),
    ];
    assert_eq!(outcomes, expected.map(|(name, outcome)| (name.to_owned(), outcome.to_owned())));
    for line in result.lines() {
        let failed = line["outcome"] == "failed";
        assert_eq!(line["error"].as_str().is_some_and(|reason| reason.len() > 8), failed, "{line}");
    }
    assert_eq!(names(out.path()), ["good.jpg"]);
    let output = run([Path::new("crop"), photos.path(), &missing, Path::new("-o"), out.path()]).expect(1);
    assert!(
        output.stdout.contains("7 inputs: 1 cropped, 1 without a face, 5 failed; 1 file written"),
        "{}",
        output.stdout
    );
    assert!(output.stdout.contains("missing.jpg: failed: there is no such file or folder"), "{}", output.stdout);
    assert!(output.stderr.contains("--thoroughness thorough runs more"), "{}", output.stderr);
    let all = ["--thoroughness", "thorough", "--on-conflict", "skip"].map(Path::new);
    let [passes, thorough, conflict, skip] = all;
    let output = run([Path::new("crop"), photos.path(), Path::new("-o"), out.path(), passes, thorough, conflict, skip]);
    let output = output.expect(1);
    assert!(!output.stderr.contains("--thoroughness"), "unexpected hint: {}", output.stderr);
}

#[test]
fn fatal_errors_exit_with_2_and_print_nothing_to_stdout() {
    let out = folder();
    let empty = folder();
    let text = out.path().join("model.onnx");
    std::fs::write(&text, "this is no model").expect("created");
    let photo = portrait();
    let (photo, text, empty) =
        (photo.to_str().expect("text"), text.to_str().expect("text"), empty.path().to_str().expect("text"));
    let target = out.path().join("out");
    let target = target.to_str().expect("text");
    let no_library = if cfg!(feature = "ort") { "was not found" } else { "not included in this build" };
    for (arguments, reason) in [
        (&["crop", photo, "-o", target, "--runtime", "ort"][..], no_library),
        (&["detect", photo, "--runtime", "ort:webgpu", "--threads", "1"], no_library),
        (&["crop", photo, "-o", target, "--trace", "/no/such/trace.json"], "/no/such/trace.json"),
        (&["crop", photo, "-o", target, "--model", text], "model.onnx"),
        (&["crop", photo, "-o", target, "--model", "/no/such/model.onnx"], "/no/such/model.onnx"),
        (&["crop", empty, "-o", target], "no photos found"),
        (&["detect", empty, "--json"], "no photos found"),
        (&["crop", photo, "-o", target, "--quality", "0"], "from 1 to 100"),
        (&["crop", photo, "-o", target, "--quality", "101"], "from 1 to 100"),
        (&["crop", photo, "-o", target, "--width", "0"], "from 1 to 10000"),
        (&["crop", photo, "-o", target, "--height", "10001"], "from 1 to 10000"),
        (&["crop", photo, "-o", target, "--width", "-5"], "from 1 to 10000"),
        (&["crop", photo, "-o", target, "--min-score", "0,6"], "for example 0.6"),
        (&["crop", photo, "-o", target, "--head-height", "3"], "outside 5 to 100 %"),
        (&["crop", photo, "-o", target, "--min-score", "-0.1"], "minimum score of -0.1 is outside 0 to 1"),
        (&["crop", photo, "-o", target, "--preset", "mars"], "iron-cropper presets"),
        (&["crop", photo, "-o", target, "--fill", "white"], "#RRGGBB"),
        (&["crop", photo], "--output"),
        (&["crop", "-o", target], "PATH"),
        (&["detect"], "PATH"),
    ] {
        let result = run(arguments).expect(2);
        assert!(result.stderr.contains(reason), "{arguments:?}: {}", result.stderr);
        assert!(!result.stderr.contains("panicked"), "{}", result.stderr);
        assert_eq!(result.stdout, "", "{arguments:?}");
    }
    assert!(!Path::new(target).exists());
}

#[test]
fn a_flag_overrides_the_runtime_of_the_environment() {
    let home = folder();
    let run = |value: &str, flags: &[&str]| {
        let mut command = program(home.path());
        command.args(["detect", "--json"]).arg(portrait()).args(flags).env("IRON_CROPPER_RUNTIME", value);
        Run::of(&command.output().expect("starts"))
    };
    assert_eq!(run("tract", &[]).expect(0).lines()[0]["runtime"]["requested"], "tract");
    assert_eq!(run("", &[]).expect(0).lines()[0]["runtime"]["requested"], "auto");
    assert!(run("ort", &[]).expect(2).stderr.contains("(ort:cpu) cannot be used"));
    assert!(run("gpu", &[]).expect(2).stderr.contains("IRON_CROPPER_RUNTIME"));
    run("ort", &["--runtime", "tract"]).expect(0);
}

#[test]
fn the_windows_settings_are_ignored() {
    let home = folder();
    let settings = home.path().join("settings.toml");
    std::fs::write(
        &settings,
        "runtime = 'ort'\n[crop]\noutput = { width = 64, height = 64 }\n[encode]\nformat = 'png'\n",
    )
    .expect("created");
    let before = tree(home.path());
    let out = folder();
    let output = program(home.path()).arg("crop").arg(portrait()).arg("-o").arg(out.path()).output().expect("starts");
    Run::of(&output).expect(0);
    assert_eq!(names(out.path()), ["astronaut.jpg"]);
    assert!(before == tree(home.path()), "the command line wrote to the settings folder");
}

#[test]
fn a_closed_pipe_does_not_panic() {
    let home = folder();
    let out = folder();
    for arguments in [vec!["presets"], vec!["crop", "-o", out.path().to_str().expect("text"), "--json"]] {
        let mut command = program(home.path());
        command.args(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        if arguments[0] == "crop" {
            command.arg(samples());
        }
        let mut child = command.spawn().expect("starts");
        drop(child.stdout.take());
        let mut printed = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut printed).expect("text");
        let code = child.wait().expect("ends").code();
        assert!(printed.is_empty(), "{printed}");
        assert_eq!(code, Some(i32::from(arguments[0] == "crop")));
    }
    let left = names(out.path());
    assert!(left.iter().all(|name| !name.contains(".iron-cropper-")), "{left:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_stdout_is_reported_once_and_crops_are_written() {
    let (home, photos, place) = (folder(), folder(), folder());
    for name in ["a.png", "b.png"] {
        put_portrait(photos.path(), name);
    }
    let to_full = |arguments: &[&str]| {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("exists");
        let mut command = program(home.path());
        Run::of(&command.current_dir(place.path()).args(arguments).stdout(full).output().expect("starts"))
    };
    let photos = photos.path().to_str().expect("text");
    for flags in [&[][..], &["--json"]] {
        let result =
            to_full(&[&["crop", photos, "-o", "out", "--on-conflict", "overwrite"][..], flags].concat()).expect(1);
        assert_eq!(names(&place.path().join("out")), ["a.jpg", "b.jpg"]);
        assert!(result.stderr.starts_with("warning: standard output cannot be written"), "{}", result.stderr);
        assert_eq!(result.stderr.lines().count(), 1, "{}", result.stderr);
        std::fs::remove_file(place.path().join("out/b.jpg")).expect("written");
    }
    let journal = "out/.iron-cropper/journal-1.jsonl";
    to_full(&["report", journal, "-o", "report.html"]).expect(1);
    to_full(&["man", "--to", "pages"]).expect(1);
    assert!(place.path().join("report.html").is_file() && place.path().join("pages/iron-cropper-watch.1").is_file());
    // Commands whose only result is their output.
    let dry = ["crop", photos, "-o", "dry", "--dry-run"];
    for arguments in [&["presets"][..], &["detect", photos], &["report", journal], &dry] {
        let result = to_full(arguments).expect(2).stderr;
        assert!(
            result.starts_with("error: standard output cannot be written") && result.lines().count() == 1,
            "{result}"
        );
    }
}

#[test]
fn verbose_logs_go_to_stderr_only() {
    let out = folder();
    let quiet = crop(&[&portrait()], out.path(), &[]).expect(0);
    let loud = crop(&[&portrait()], out.path(), &["-vv"]).expect(0);
    assert_eq!(quiet.stderr, "");
    assert!(loud.stderr.contains("runtime"), "{}", loud.stderr);
    assert_eq!(loud.lines().len(), 1);
}
