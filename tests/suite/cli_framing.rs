//! Framing, faces, finish, preset files and sheets on the command line: effect of flags on files and JSON.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{crop, folder, names, portrait, put_portrait, put_ramp, read_picture, run, samples};

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().expect("a list").iter().map(|number| number.as_f64().expect("a number")).collect()
}

/// The keys of an object, sorted.
fn fields(object: &Value) -> Vec<&str> {
    let mut fields: Vec<&str> = object.as_object().expect("an object").keys().map(String::as_str).collect();
    fields.sort_unstable();
    fields
}

#[test]
fn a_face_is_reported_with_its_head_and_detection_pass() {
    let photo = portrait();
    let result = run([Path::new("detect"), &photo, Path::new("--json")]).expect(0);
    let line = &result.lines()[0];
    let face = &line["faces"][0];
    let documented = [
        "background",
        "box",
        "doubt",
        "hair_confidence",
        "hair_top",
        "head",
        "labels",
        "landmarks",
        "lightness",
        "mesh",
        "overexposed_pct",
        "pass",
        "score",
        "sharpness",
        "size_px",
        "underexposed_pct",
        "yaw_deg",
    ];
    assert_eq!(fields(face), documented);
    let mesh = &face["mesh"];
    assert_eq!(fields(mesh), ["dark_glasses", "eyes", "gaze", "mouth_opening", "pitch_deg", "presence", "width_px"]);
    assert_eq!(fields(&mesh["eyes"][0]), ["contrast", "is_hidden", "opening"]);
    assert!(mesh["presence"].as_f64().is_some_and(|presence| presence > 0.9), "{mesh}");
    assert_eq!(face["size_px"], face["box"][3]);
    let head = &face["head"];
    assert_eq!(fields(head), ["chin", "crown", "eyes", "height_px", "roll_deg"]);
    let [crown, eyes, chin] = ["crown", "eyes", "chin"].map(|place| numbers(&head[place]));
    assert!(crown[1] < eyes[1] && eyes[1] < chin[1], "from top to bottom: {head}");
    let height = head["height_px"].as_f64().expect("a number");
    assert!((height - (chin[0] - crown[0]).hypot(chin[1] - crown[1])).abs() < 0.1, "{head}");
    assert!(head["roll_deg"].as_f64().expect("a number").abs() < 5.0 && face["doubt"].is_null(), "{face}");
    let yaw = face["yaw_deg"].as_f64().expect("a number");
    assert!((-25.0..=25.0).contains(&yaw), "{yaw}");
    assert!(face["labels"].as_array().is_some_and(|labels| !labels.is_empty()), "{face}");

    let passes = line["passes"].as_array().expect("a list");
    for pass in passes {
        assert_eq!(
            fields(pass),
            ["candidates", "inference_ms", "input", "kind", "rejected_input", "rotation_deg", "scale"]
        );
        assert_eq!(numbers(&pass["input"]), [640.0, 640.0]);
    }
    match face["pass"].as_u64() {
        Some(pass) => assert!((pass as usize) < passes.len(), "{line}"),
        None => assert!(passes.is_empty(), "{line}"),
    }
    assert_eq!((&line["needs_review"], line["warnings"].as_array().map(Vec::len)), (&false.into(), Some(0)));
}

#[test]
fn a_model_that_cannot_be_used_is_noted_once_and_with_every_photo() {
    let (models, photos) = (folder(), folder());
    for name in ["face_landmark.onnx", "iris_landmark.onnx", "person.onnx"] {
        let model = test_support::root().join("models").join(name);
        fs::copy(model, models.path().join(name)).expect("copied");
    }
    fs::write(models.path().join("face_landmark.onnx"), "not a model").expect("written");
    put_portrait(photos.path(), "a.png");
    put_portrait(photos.path(), "b.png");
    let flags = [Path::new("--face-models"), models.path(), Path::new("--json")];
    let result = run([Path::new("detect"), photos.path()].into_iter().chain(flags)).expect(0);
    let notes: Vec<&str> = result.stderr.lines().filter(|line| line.starts_with("note: ")).collect();
    let [note] = notes[..] else { panic!("one note: {}", result.stderr) };
    assert!(note.starts_with("note: the face landmark model cannot be used with "), "{note}");
    assert!(note.ends_with("; heads are estimated from five points"), "{note}");
    for line in result.lines() {
        let faults = line["model_faults"].as_array().expect("a list");
        assert_eq!((faults.len(), &faults[0]["model"]), (1, &"landmarks".into()), "{line}");
        assert!(faults[0]["reason"].is_string() && line["faces"][0]["mesh"].is_null(), "{line}");
        assert!(!line["faces"][0]["head"].is_null(), "{line}");
    }
}

#[test]
fn a_crop_is_reported_with_its_corners_and_its_padding() {
    let out = folder();
    let flags = ["--size", "200x250px", "--head-height", "20", "--edge", "pad"];
    let result = crop(&[&portrait()], out.path(), &flags).expect(0);
    let crop = &result.lines()[0]["crops"][0];
    let documented = [
        "angle_deg",
        "corners",
        "face",
        "notes",
        "output",
        "padding_pct",
        "paired",
        "rect",
        "rules",
        "sheet",
        "target",
        "variant",
        "written",
    ];
    let crop_fields = fields(crop);
    assert_eq!(crop_fields, documented);
    let [x, y, w, h] = numbers(&crop["rect"])[..] else { panic!("four numbers") };
    let corners: Vec<Vec<f64>> = crop["corners"].as_array().expect("a list").iter().map(numbers).collect();
    assert_eq!(corners, [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]);
    assert_eq!((&crop["angle_deg"], &crop["face"], &crop["sheet"]), (&0.0.into(), &0.into(), &Value::Null));
    assert_eq!(numbers(&crop["output"]), [200.0, 250.0]);
    let inside = |from: f64, length: f64| (from + length).min(512.0) - from.max(0.0);
    let outside = 100.0 - inside(x, w) * inside(y, h) / (w * h) * 100.0;
    let padding = crop["padding_pct"].as_f64().expect("a number");
    assert!(padding > 5.0 && (padding - outside).abs() < 0.1, "{padding} is not {outside}");
}

#[test]
fn faces_below_the_min_height_are_ignored() {
    let photo = portrait();
    let detect = |size: &str| run([Path::new("detect"), &photo, Path::new("--min-size"), Path::new(size)]);
    detect("100").expect(0);
    assert!(detect("130").expect(1).stdout.contains("no face"));
}

#[test]
fn a_preset_file_can_be_printed_edited_and_used() {
    let out = folder();
    let shown = run(["presets", "show", "avatar"]).expect(0).stdout;
    let mine = out.path().join("mine.toml");
    fs::write(&mine, shown.replace("512", "96").replace("\"avatar\"", "\"tiny\"")).expect("written");
    let from_file = |preset: &Path| {
        let flags = ["--preset", preset.to_str().expect("text"), "--dry-run"];
        crop(&[&portrait()], out.path(), &flags)
    };
    let result = from_file(&mine).expect(0);
    assert_eq!(numbers(&result.lines()[0]["crops"][0]["output"]), [96.0, 96.0]);
    let again = run(["presets", "show", mine.to_str().expect("text")]).expect(0).stdout;
    assert!(again.contains("tiny") && again.contains("96"), "{again}");

    let both = out.path().join("both.toml");
    fs::write(&both, format!("{shown}\n{again}")).expect("written");
    let refused = from_file(&both).expect(2).stderr;
    assert!(refused.contains("#avatar") && refused.contains("tiny"), "{refused}");
    let result = from_file(&out.path().join("both.toml#tiny")).expect(0);
    assert_eq!(numbers(&result.lines()[0]["crops"][0]["output"]), [96.0, 96.0]);
    assert!(from_file(&out.path().join("both.toml#huge")).expect(2).stderr.contains("no preset called huge"));

    fs::write(&both, "id = 'no list'").expect("written");
    for (file, message) in [(&both, "both.toml"), (&out.path().join("gone.toml"), "cannot be read")] {
        let result = from_file(file).expect(2);
        assert!(result.stdout.is_empty() && result.stderr.contains(message), "{}", result.stderr);
    }
}

#[test]
fn a_misspelt_preset_gets_suggestions() {
    let out = folder();
    for (given, near) in [("avatr", "avatar"), ("Document", "document-35x45"), ("mars", "iron-cropper presets")] {
        let result = crop(&[&portrait()], out.path(), &["--preset", given]).expect(2);
        assert!(result.stderr.contains(near), "{given}: {}", result.stderr);
        assert!(result.stderr.lines().count() < 10, "{}", result.stderr);
    }
}

#[test]
fn rules_against_alterations_reject_the_finish() {
    let out = folder();
    let strict = out.path().join("strict.toml");
    let shown = run(["presets", "show", "headshot"]).expect(0).stdout;
    fs::write(&strict, format!("{shown}\n[preset.rules]\nunaltered = true\nmax_kilobytes = 40\n")).expect("written");
    let strict = strict.to_str().expect("text");
    for wrong in [
        &["--exposure", "1"][..],
        &["--contrast", "5"],
        &["--white-balance"],
        &["--sharpen", "10"],
        &["--shape", "ellipse"],
        &["--soft-edge", "5"],
        &["--edge", "extend"],
    ] {
        let flags = [&["--preset", strict], wrong].concat();
        let result = crop(&[&portrait()], out.path(), &flags).expect(2);
        assert!(
            result.stderr.contains("--preset headshot") && result.stderr.contains("altered"),
            "{wrong:?}: {}",
            result.stderr
        );
        assert_eq!(result.stdout, "");
    }
    let result = crop(&[&portrait()], out.path(), &["--preset", strict]).expect(0);
    let bytes = |result: &crate::support::Run| fs::metadata(&result.written()[0]).expect("exists").len();
    assert!(bytes(&result) <= 40_000, "the document's limit: {}", bytes(&result));
    let result =
        crop(&[&portrait()], out.path(), &["--preset", strict, "--max-kb", "200", "--quality", "99"]).expect(0);
    assert!(bytes(&result) > 40_000, "a flag wins over the document: {}", bytes(&result));
}

#[test]
fn a_printed_size_sets_the_resolution_in_the_file() {
    let out = folder();
    let result = crop(&[&portrait()], out.path(), &["--size", "35x45mm", "--dpi", "600"]).expect(0);
    let file = fs::read(&result.written()[0]).expect("exists");
    let size = image::load_from_memory(&file).expect("decodes");
    assert_eq!((size.width(), size.height()), (827, 1063));
    let at = file.windows(5).position(|part| part == b"JFIF\0").expect("a JFIF header");
    assert_eq!(file[at + 7..at + 12], [1, 2, 88, 2, 88], "600 dots an inch, both ways");
}

#[test]
fn photos_to_review_are_reported_without_changing_the_exit_code() {
    let photos = folder();
    put_portrait(photos.path(), "a.png");
    fs::copy(samples().join("three_prints.jpg"), photos.path().join("b.jpg")).expect("copied");
    put_ramp(&photos.path().join("c.png"), 200, 100);
    let out = folder();
    let expect = |number: &str| crop(&[photos.path()], out.path(), &["--expect", number, "--dry-run"]).expect(1);
    for (number, needs) in [("1", [false, true, true]), ("2..", [true, false, true]), ("..3", [false, false, true])] {
        for (line, needs) in expect(number).lines().iter().zip(needs) {
            let kinds: Vec<&str> =
                line["warnings"].as_array().expect("a list").iter().filter_map(|c| c["kind"].as_str()).collect();
            let by_number = kinds.iter().any(|kind| ["few_faces", "many_faces"].contains(kind));
            assert_eq!(by_number, needs, "--expect {number}: {line}");
            assert!(!needs || line["needs_review"] == true, "{line}");
            for warning in line["warnings"].as_array().expect("a list") {
                assert_eq!(fields(warning), ["crop", "kind", "message"]);
            }
        }
    }
    let group = photos.path().join("b.jpg");
    let flags = ["--expect", "1", "--dry-run"].map(Path::new);
    let result = run([&[Path::new("crop"), &group, Path::new("-o"), out.path()][..], &flags].concat()).expect(0);
    assert!(result.stdout.contains("; to review: "), "{}", result.stdout);
    assert!(result.stdout.trim_end().ends_with("; 1 to review"), "{}", result.stdout);
}

#[test]
fn one_of_several_similar_faces_needs_review() {
    let out = folder();
    let one = read_picture(portrait()).to_rgb8();
    let mut two = image::RgbImage::new(one.width() * 2, one.height());
    for at in [0, one.width()] {
        image::imageops::replace(&mut two, &one, at.into(), 0);
    }
    let group = out.path().join("two.png");
    two.save(&group).expect("written");
    let kinds = |flags: &[&str]| -> Vec<String> {
        let result = crop(&[&group], out.path(), &[&["--dry-run"], flags].concat()).expect(0);
        let line = &result.lines()[0];
        assert_eq!(line["needs_review"], !line["warnings"].as_array().expect("a list").is_empty());
        let warnings = line["warnings"].as_array().expect("a list").iter();
        warnings.filter_map(|warning| warning["kind"].as_str().map(ToOwned::to_owned)).collect()
    };
    let one = "one_of_many".to_owned();
    assert!(kinds(&[]).contains(&one) && kinds(&["--select", "central"]).contains(&one));
    assert!(!kinds(&["--select", "all"]).contains(&one));
    let printed = run([Path::new("crop"), &group, Path::new("-o"), out.path(), Path::new("--dry-run")]).expect(0);
    assert!(
        printed.stdout.contains("one of 2 faces was selected, but another is about as large"),
        "{}",
        printed.stdout
    );
}

#[test]
fn the_size_limit_of_a_recipient_is_met() {
    let out = folder();
    let flags = ["--preset", "microsoft-365", "--quality", "100"];
    let result = crop(&[&portrait()], out.path(), &flags).expect(0);
    let bytes = fs::metadata(&result.written()[0]).expect("exists").len();
    assert!(bytes <= 100_000, "{bytes}");
    let notes = result.lines()[0]["crops"][0]["notes"].to_string();
    assert!(notes.contains("to stay within 100 kB"), "{notes}");
    // A flag with a higher limit is applied and reported.
    let result = crop(&[&portrait()], out.path(), &[&flags[..], &["--max-kb", "900"]].concat()).expect(0);
    assert!(result.stderr.contains("microsoft-365 allows at most 100 kB, but --max-kb is 900"), "{}", result.stderr);
    let result = crop(&[&portrait()], out.path(), &[&flags[..], &["--format", "tiff"]].concat()).expect(1);
    let error = result.lines()[0]["error"].to_string();
    assert!(error.contains("100 kB"), "{error}");
}

#[test]
fn limits_of_receivers_apply_from_lists_and_preset_files() {
    let photos = folder();
    let photo = put_portrait(photos.path(), "a.png");
    let limited = |flags: &[&str], limit: u64| {
        let out = folder();
        let result = crop(&[&photo], out.path(), &[flags, &["--quality", "100", "--subsampling", "4:4:4"]].concat());
        let result = result.expect(0);
        let written = result.written().remove(0);
        let bytes = fs::read(&written).expect("exists");
        assert!(bytes.starts_with(&[0xff, 0xd8]) && bytes.len() as u64 <= limit * 1000, "{limit}: {}", bytes.len());
        let notes = result.lines()[0]["crops"][0]["notes"].to_string();
        assert!(notes.contains(&format!("to stay within {limit} kB")), "{notes}");
    };
    let list = photos.path().join("list.csv");
    fs::write(&list, "file,preset\na.png,active-directory\n").expect("written");
    limited(&["--names", &list.to_string_lossy()], 10);
    let own = photos.path().join("own.toml");
    let rules = "[[preset]]\nid = \"own\"\nname = \"Own\"\nsize = { pixels = [200, 200] }\nhead_height = 0.6\n\
                 position = { kind = \"middle\" }\nrules = { max_kilobytes = 5, jpeg = true, dpi = 200 }\n";
    fs::write(&own, rules).expect("written");
    let preset = own.to_string_lossy();
    limited(&["--preset", &preset], 5);
    let result =
        crop(&[&photo], photos.path(), &["--preset", &preset, "--format", "png", "--dpi", "72", "--max-kb", "900"]);
    let result = result.expect(0);
    for note in
        ["own requires JPEG, but --format is PNG", "own requires 200 dpi, but --dpi is 72", "allows at most 5 kB"]
    {
        assert!(result.stderr.contains(note), "{note}: {}", result.stderr);
    }
    let warnings = result.lines()[0]["warnings"].to_string();
    assert!(warnings.contains("the file must be a JPEG for Own"), "{warnings}");
}

#[test]
fn a_sheet_is_written_next_to_its_crop() {
    let out = folder();
    let flags = ["--preset", "document-35x45", "--sheet", "10x15", "--sheet-copies", "4"];
    let result = crop(&[&portrait()], out.path(), &flags).expect(0);
    let sheet = result.lines()[0]["crops"][0]["sheet"].as_str().expect("a path").to_owned();
    assert!(fs::read(&sheet).expect("exists").starts_with(b"%PDF-"));
    assert_eq!(names(out.path()).len(), 2);
    let result = crop(&[&portrait()], out.path(), &[&flags[..4], &["--sheet-format", "png"]].concat()).expect(0);
    let sheet = result.lines()[0]["crops"][0]["sheet"].as_str().expect("a path").to_owned();
    let sheet = read_picture(sheet);
    let mut sides = [sheet.width(), sheet.height()];
    sides.sort_unstable();
    assert_eq!(sides, [1181, 1772], "10 x 15 cm at 300 dots an inch");
    let result = crop(&[&portrait()], out.path(), &[&flags[..4], &["--sheet-copies", "400"]].concat()).expect(2);
    assert!(result.stderr.contains("400 copies do not fit"), "{}", result.stderr);
}

#[test]
fn the_finish_is_applied_to_the_file() {
    let out = folder();
    let pixels = |flags: &[&str]| {
        let flags = [&["--size", "100x100px", "--format", "png"], flags].concat();
        let result = crop(&[&portrait()], out.path(), &flags).expect(0);
        read_picture(&result.written()[0]).to_rgba8()
    };
    let light = |picture: &image::RgbaImage| -> u64 { picture.pixels().map(|pixel| u64::from(pixel.0[1])).sum() };
    let plain = pixels(&[]);
    assert!(light(&pixels(&["--exposure", "1"])) > light(&plain));
    let round = pixels(&["--shape", "ellipse"]);
    assert_eq!((round.get_pixel(0, 0).0[3], round.get_pixel(50, 50).0[3]), (0, 255));
    let filled = pixels(&["--shape", "ellipse", "--fill-outside", "--fill", "#FF0000"]);
    assert_eq!(filled.get_pixel(0, 0).0, [255, 0, 0, 255]);
    for flags in [&["--contrast", "50"][..], &["--white-balance"], &["--sharpen", "100"], &["--soft-edge", "20"]] {
        assert!(pixels(flags) != plain, "{flags:?} changed nothing");
    }
}

#[test]
fn each_rule_of_a_document_is_reported() {
    let out = folder();
    let result = crop(&[&portrait()], out.path(), &["--preset", "us-passport", "--dry-run"]).expect(0);
    let rules = result.lines()[0]["crops"][0]["rules"].as_array().expect("a list").clone();
    let rule = |name: &str| rules.iter().find(|rule| rule["name"] == name).expect("checked");
    for entry in &rules {
        assert_eq!(fields(entry), ["max_pct", "measured_pct", "message", "met", "min_pct", "name"]);
    }
    let head = rule("head");
    let share = |field: &str| head[field].as_f64().expect("a number");
    assert!(share("min_pct") < share("max_pct") && share("measured_pct") > 0.0, "{head}");
    let inside = (share("min_pct")..=share("max_pct")).contains(&share("measured_pct"));
    assert_eq!(head["met"].as_bool(), Some(inside));
    assert!(head["message"].as_str().is_some_and(|message| message.contains("allowed")), "{head}");
    assert!(rule("size")["measured_pct"].is_null() && rule("size")["met"] == true, "{}", rule("size"));
    // Another size breaks a rule: a warning, not a failure.
    let flags = ["--preset", "us-passport", "--size", "200x300px", "--dry-run"];
    let result = crop(&[&portrait()], out.path(), &flags).expect(0);
    let line = &result.lines()[0];
    let size =
        line["crops"][0]["rules"].as_array().expect("a list").iter().find(|rule| rule["name"] == "size").cloned();
    assert_eq!(size.expect("checked")["met"], false);
    let result = crop(&[&portrait()], out.path(), &["--dry-run"]).expect(0);
    assert_eq!(result.lines()[0]["crops"][0]["rules"], Value::Array(Vec::new()));
}

#[test]
fn a_file_that_breaks_its_documents_rules_needs_review() {
    let out = folder();
    let result = crop(&[&portrait()], out.path(), &["--preset", "us-passport", "--max-kb", "5000", "--format", "png"]);
    let line = &result.expect(0).lines()[0];
    let messages: Vec<&str> =
        line["warnings"].as_array().expect("a list").iter().filter_map(|c| c["message"].as_str()).collect();
    assert!(messages.iter().any(|message| message.starts_with("the file must be a JPEG")), "{messages:?}");
    assert!(messages.iter().any(|message| message.contains("kB, must be at most 240 kB")), "{messages:?}");
}
