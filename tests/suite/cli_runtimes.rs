//! `runtimes`, `compare` and `model`, and `crop` with unusable libraries.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use inference::ModelBytes;
use inference::onnx::free_input_size;
use recipe::ModelKind;

use crate::support::{Run, folder, names, portrait, program, real_library, real_litert, run, text};

/// Runs the program in `home` with `variables` set and no runtime chosen.
fn run_with(home: &Path, variables: &[(&str, &Path)], arguments: &[&str]) -> Run {
    let mut command = program(home);
    command.env_remove("IRON_CROPPER_RUNTIME").args(arguments);
    for (name, value) in variables {
        command.env(name, value);
    }
    Run::of(&command.output().expect("the program starts"))
}

/// The lines of `runtimes --json` by runtime.
fn by_name(result: &Run) -> BTreeMap<String, Value> {
    result.lines().into_iter().map(|line| (text(&line["name"]), line)).collect()
}

/// The lines of ONNX Runtime, from `compare --json` or `runtimes --json`.
fn of_library(lines: &BTreeMap<String, Value>) -> impl Iterator<Item = &Value> {
    lines.iter().filter(|(name, _)| name.starts_with("ort:")).map(|(_, line)| line)
}

#[test]
fn every_runtime_is_listed_with_its_status() {
    let home = folder();
    let result = run_with(home.path(), &[], &["runtimes", "--json"]).expect(0);
    let lines = by_name(&result);
    for line in lines.values() {
        let mut fields: Vec<&String> = line.as_object().expect("an object").keys().collect();
        fields.sort();
        let documented = [
            "agrees", "auto", "device", "devices", "library", "load_ms", "models", "name", "photo_ms", "reason",
            "schema", "state", "version", "warm_ms",
        ];
        assert_eq!(fields, documented);
    }
    let on_request = [("candle", cfg!(feature = "candle")), ("burn", cfg!(feature = "burn"))];
    for (name, included) in on_request {
        assert_eq!(lines.contains_key(name), included, "{name}");
    }
    let always = [("tract", cfg!(feature = "tract")), ("rten", cfg!(feature = "rten"))];
    for (name, included) in always.into_iter().chain(on_request.into_iter().filter(|(_, included)| *included)) {
        let line = &lines[name];
        assert_eq!(line["state"], if included { "ready" } else { "unsupported" }, "{line}");
        assert_eq!(line["agrees"].as_bool(), included.then_some(true), "{line}");
        let models: Vec<&Value> =
            line["models"].as_array().expect("a list").iter().map(|model| &model["name"]).collect();
        assert_eq!(models.len(), if included { 3 } else { 0 }, "{line}");
        for time in ["load_ms", "warm_ms", "photo_ms"] {
            assert_eq!(line[time].as_f64().is_some_and(|ms| ms > 0.0), included, "{line}");
        }
    }
    let missing = if cfg!(feature = "ort") { "missing" } else { "unsupported" };
    for line in of_library(&lines) {
        assert_eq!(line["state"], missing, "{line}");
        assert!(line["reason"].as_str().is_some_and(|reason| reason.len() > 20), "{line}");
    }
    assert!(lines.contains_key("ort:cpu") && lines.contains_key("ort:webgpu"));
    assert_eq!(lines.values().filter(|line| line["auto"] == true).count(), 1);

    let output = run_with(home.path(), &[], &["runtimes", "-v"]).expect(0);
    for expected in ["tract", "ort:cpu", "auto selects ", " ms", "ORT_DYLIB_PATH: not set", "data folder"] {
        assert!(output.stdout.contains(expected), "{expected}: {}", output.stdout);
    }
    assert_eq!(names(&home.path().join("cache")), ["runtimes.json"]);
}

/// The problem with a library named by a variable is reported, and cropping still works.
#[track_caller]
fn assert_reported(library: &Path, messages: &[&str]) {
    let home = folder();
    let variables = [("ORT_DYLIB_PATH", library)];
    let start = Instant::now();
    let result = run_with(home.path(), &variables, &["runtimes", "--json"]).expect(0);
    let took = start.elapsed();
    let lines = by_name(&result);
    let tract = if cfg!(feature = "tract") { "ready" } else { "unsupported" };
    assert_eq!(lines["tract"]["state"], tract);
    for line in of_library(&lines) {
        assert_ne!(line["state"], "ready", "{line}");
        let reason = text(&line["reason"]);
        for word in messages.iter().filter(|_| cfg!(feature = "ort")) {
            assert!(reason.contains(word), "{word}: {reason}");
        }
    }
    let out = home.path().join("out");
    let photo = portrait();
    let out_text = out.to_str().expect("text");
    let crop = ["crop", photo.to_str().expect("text"), "-o", out_text, "--runtime", "auto", "--json"];
    let result = run_with(home.path(), &variables, &crop).expect(0);
    let runtime = &result.lines()[0]["runtime"];
    assert!(runtime["requested"] == "auto" && !text(&runtime["actual"]).starts_with("ort"), "{runtime}");
    assert_eq!(names(&out), ["astronaut.jpg"]);
    if took > Duration::from_secs(5) {
        return; // A library that hangs is not waited for twice.
    }
    let named = ["crop", photo.to_str().expect("text"), "-o", out_text, "--runtime", "ort"];
    let refused = run_with(home.path(), &variables, &named).expect(2);
    assert!(refused.stderr.contains("(ort:cpu) cannot be used"), "{}", refused.stderr);
}

#[test]
fn a_text_file_in_place_of_the_library_is_reported() {
    let folder = folder();
    let text = folder.path().join("libonnxruntime.so");
    std::fs::write(&text, "this is no library").expect("written");
    assert_reported(&text, &["libonnxruntime.so", "cannot be loaded"]);
}

#[test]
fn a_path_without_a_library_is_reported() {
    let folder = folder();
    let missing = folder.path().join("missing.so");
    assert_reported(&missing, &["ORT_DYLIB_PATH", "missing.so", "not found"]);
    assert_reported(folder.path(), &["ORT_DYLIB_PATH", "not found"]);
}

#[test]
#[cfg(all(unix, feature = "ort"))]
fn old_or_broken_libraries_are_reported() {
    let folder = folder();
    for (name, messages) in [
        ("old", &["1.10.0", "or newer is needed"][..]),
        ("other", &["is not an ONNX Runtime library"]),
        ("crashes", &["crashes", "the test process crashed"]),
        ("hangs", &["hangs", "took longer than"]),
    ] {
        let Some(library) = test_support::library_stubs::stub(folder.path(), name) else { return };
        assert_reported(&library, messages);
    }
}

#[test]
fn a_graphics_card_that_no_runtime_has_is_an_error() {
    let home = folder();
    let out = home.path().join("out");
    let photo = portrait();
    let crop = ["crop", photo.to_str().expect("text"), "-o", out.to_str().expect("text")];
    for (more, message) in [
        (
            &["--device", "rtx 4070"][..],
            "no usable runtime has a device with 'rtx 4070' in its name: no devices were found",
        ),
        (&["--device", "4070", "--runtime", "tract"], "tract has no choice of devices; leave out '4070'"),
        (&["--device", "-1"], "'-1' is not a device; give its number, from 0, or a part of its name"),
    ] {
        let result = run_with(home.path(), &[], &[&crop[..], more].concat()).expect(2);
        assert!(result.stderr.contains(message), "{message}: {}", result.stderr);
    }
    assert!(!out.exists());
}

#[test]
#[cfg(feature = "ort")]
fn the_real_library_is_used() {
    let Some(library) = real_library() else { return };
    let home = folder();
    let path = library.to_str().expect("text");
    let result = run_with(home.path(), &[], &["runtimes", "--json", "--onnxruntime", path]).expect(0);
    let cpu = &by_name(&result)["ort:cpu"];
    assert_eq!((&cpu["state"], &cpu["agrees"], &cpu["reason"]), (&"ready".into(), &true.into(), &Value::Null));
    assert!(cpu["version"].is_string() && cpu["library"].is_string() && cpu["warm_ms"].is_number(), "{cpu}");
    let photo = portrait();
    let detect = ["detect", photo.to_str().expect("text"), "--json", "--onnxruntime", path, "--runtime"];
    for runtime in ["ort", "auto"] {
        let result = run_with(home.path(), &[], &[&detect[..], &[runtime]].concat()).expect(0);
        let actual = text(&result.lines()[0]["runtime"]["actual"]);
        assert!(actual == "ort:cpu" || runtime == "auto", "{actual}");
    }
}

#[test]
#[cfg(feature = "litert")]
fn the_real_litert_library_is_used() {
    let Some(library) = real_litert() else { return };
    let home = folder();
    let path = library.to_str().expect("text");
    let result = run_with(home.path(), &[], &["runtimes", "--json", "--litert", path]).expect(0);
    let litert = &by_name(&result)["litert"];
    assert_eq!(
        (&litert["state"], &litert["agrees"], &litert["version"]),
        (&"ready".into(), &true.into(), &"2.3.0".into())
    );
    let models = litert["models"].as_array().expect("a list");
    assert!(models.len() == 3 && models.iter().all(|model| model["warm_ms"].is_number()), "{litert}");
    let photo = portrait();
    let detect = ["detect", photo.to_str().expect("text"), "--json", "--runtime", "litert"];
    // By the option, and from the folder that the variable names.
    for (variables, more) in [(vec![], vec!["--litert", path]), (vec![("LITERT_LIBRARY", library.as_path())], vec![])] {
        let result = run_with(home.path(), &variables, &[&detect[..], &more].concat()).expect(0);
        let line = &result.lines()[0];
        assert_eq!(
            (text(&line["runtime"]["actual"]).as_str(), line["faces"].as_array().map(Vec::len)),
            ("litert", Some(1))
        );
    }
    let model = home.path().join("other.onnx");
    let bytes = free_input_size(ModelBytes::bundled().as_bytes()).expect("frees");
    std::fs::write(&model, bytes).expect("written");
    let other = ["--litert", path, "--model", model.to_str().expect("text")];
    let refused = run_with(home.path(), &[], &[&detect[..], &other].concat()).expect(2);
    assert!(
        refused.stderr.contains("it has the bundled models compiled in and cannot load others"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_litert_library_of_another_version_is_reported() {
    let home = folder();
    let other = home.path().join("libLiteRt.so");
    std::fs::write(&other, "another version").expect("written");
    let result = run_with(home.path(), &[("LITERT_LIBRARY", &other)], &["runtimes", "--json"]).expect(0);
    let reason = text(&by_name(&result)["litert"]["reason"]);
    let included = cfg!(feature = "litert");
    let expected = if included { "is not the library of LiteRT 2.3.0" } else { "not included in this build" };
    assert!(reason.contains(expected), "{reason}");
}

#[test]
#[cfg(all(feature = "tract", feature = "rten"))]
fn runtimes_are_compared_on_a_photo() {
    let home = folder();
    let photo = portrait();
    let mut arguments = vec!["compare", photo.to_str().expect("text"), "--warmup", "1", "--repeats", "3"];
    let library = real_library();
    if let Some(library) = &library {
        arguments.extend(["--onnxruntime", library.to_str().expect("text")]);
    }
    let result = run_with(home.path(), &[], &[&arguments[..], &["--json"]].concat()).expect(0);
    let rows: BTreeMap<String, Value> = result.lines().into_iter().map(|line| (text(&line["runtime"]), line)).collect();
    assert!(rows.contains_key("tract") && rows.contains_key("rten"));
    assert_eq!(rows.contains_key("ort:cpu"), library.is_some());
    for row in rows.values() {
        assert_eq!((&row["state"], &row["faces"], &row["samples"]), (&"ready".into(), &1.into(), &3.into()), "{row}");
        let stages = ["detect_ms", "landmarks_ms", "mask_ms"];
        let times = ["cold_ms", "first_ms", "cold_start_ms", "median_ms", "p95_ms", "min_ms", "throughput"];
        let of_photo = ["photo_ms", "photo_p95_ms", "times_fastest"];
        for number in times.into_iter().chain(stages).chain(of_photo) {
            assert!(row[number].as_f64().is_some_and(|number| number > 0.0), "{number}: {row}");
        }
        assert_eq!(row["agrees"], true, "{row}");
        assert!(text(&row["inputs"]).starts_with("640x"), "{row}");
        assert!(row["photo_ms"].as_f64() > row["detect_ms"].as_f64(), "a photo is more than its first pass: {row}");
    }
    let fastest: Vec<_> = rows.values().filter(|row| row["fastest"] == true).collect();
    assert!(fastest.len() == 1 && fastest[0]["times_fastest"] == 1.0, "{rows:?}");
    let photos: Vec<_> = result.lines().iter().map(|row| row["photo_ms"].as_f64()).collect();
    assert!(photos.is_sorted(), "the fastest is first: {photos:?}");
    assert_eq!(rows["tract"]["max_difference"], 0.0);

    let two = [&arguments[..], &["--runtimes", "rten,tract"]].concat();
    let csv = run_with(home.path(), &[], &[&two[..], &["--csv"]].concat()).expect(0).stdout;
    let mut starts: Vec<&str> = csv.lines().skip(1).map(|line| line.split(',').next().unwrap_or_default()).collect();
    starts.sort_unstable();
    assert_eq!(starts, ["rten", "tract"]);
    let markdown = run_with(home.path(), &[], &[&two[..], &["--markdown"]].concat()).expect(0).stdout;
    assert!(markdown.contains("| tract | "), "{markdown}");
    let output = run_with(home.path(), &[], &two).expect(0).stdout;
    assert!(output.lines().count() == 5 && output.contains("photo ms"), "{output}");
    assert!(output.contains(" is the fastest: ") && output.contains(" x "), "{output}");
}

#[test]
fn an_impossible_comparison_is_rejected_with_a_message() {
    let photo = portrait();
    let photo = photo.to_str().expect("text");
    for (arguments, reason) in [
        (&["compare", photo, "--precision", "int8"][..], "no quantised operators"),
        (&["compare", photo, "--runtimes", "auto"], "auto selects a runtime"),
        (&["compare", photo, "--model", "/no/such.onnx", "--precision", "fp32"], "/no/such.onnx"),
        (&["compare", "/no/such/folder"], "no photos found"),
        (&["model", "/no/such.onnx"], "/no/such.onnx"),
    ] {
        let result = run(arguments).expect(2);
        assert!(result.stderr.contains(reason) && result.stdout.is_empty(), "{arguments:?}: {}", result.stderr);
    }
    let failed = run(["compare", photo, "--runtimes", "ort:cpu", "--onnxruntime", "/no/such", "--json"]).expect(1);
    let row = &failed.lines()[0];
    assert!(row["state"] != "ready" && row["reason"].is_string() && row["median_ms"].is_null(), "{row}");
}

#[test]
fn the_model_is_summarised() {
    let result = run(["model", "--json"]).expect(0);
    let lines = result.lines();
    let kinds: Vec<String> = lines.iter().map(|line| text(&line["kind"])).collect();
    assert_eq!(kinds, ["detector", "landmarks", "eyelids", "person"]);
    for (line, side) in lines.iter().zip([640, 192, 64, 256]) {
        assert_eq!(line["input_size"], serde_json::json!([side, side]), "{line}");
        for entry in line["runtimes"].as_array().expect("a list") {
            let included = match entry["name"].as_str() {
                Some("tract") => cfg!(feature = "tract"),
                Some("rten") => cfg!(feature = "rten"),
                _ => continue,
            };
            assert_eq!(entry["loads"], included, "{line}");
        }
    }
    let model = &lines[0];
    assert_eq!((&model["ir_version"], &model["opsets"][0]["version"]), (&6.into(), &11.into()));
    assert_eq!((&model["operators"]["Conv"], &model["inputs"][0]["type"]), (&53.into(), &"float32".into()));
    assert_eq!(model["inputs"][0]["dims"], serde_json::json!([1, 3, 640, 640]));
    assert_eq!(model["outputs"].as_array().map(Vec::len), Some(12));
    assert_eq!(model["multiply_adds"].as_u64().map(|count| count / 1_000_000), Some(344));
    let loads: BTreeMap<String, &Value> =
        model["runtimes"].as_array().expect("a list").iter().map(|entry| (text(&entry["name"]), entry)).collect();
    assert_eq!(loads["tract"]["loads"], cfg!(feature = "tract"));
    assert_eq!(loads["rten"]["loads"], cfg!(feature = "rten"));
    for (name, included) in [("candle", cfg!(feature = "candle")), ("burn", cfg!(feature = "burn"))] {
        assert_eq!(loads.get(name).map(|entry| entry["loads"] == true), included.then_some(true), "{name}");
    }
    assert!(loads["ort:cpu"]["loads"] == true || loads["ort:cpu"]["reason"].is_string());
    let output = run(["model", "--input", "320x320"]).expect(0).stdout;
    assert!(output.contains("53 Conv") && output.contains("opset 11") && output.contains("320 x 320"), "{output}");
    for title in ["face detection", "face landmarks", "eyelids", "person mask"] {
        assert_eq!(output.matches(&format!("(bundled): {title}")).count(), 1, "{output}");
    }
}

#[test]
fn a_face_model_is_recognised_and_opened_at_its_own_size() {
    let folder = folder();
    let landmarks = folder.path().join("face_landmark.onnx");
    std::fs::write(&landmarks, ModelBytes::bundled_for(ModelKind::Landmarks).as_bytes()).expect("written");
    let result = run([OsStr::new("model"), landmarks.as_os_str()]).expect(0);
    let first = result.stdout.lines().next().unwrap_or_default();
    assert!(first.ends_with("face_landmark.onnx: face landmarks"), "{}", result.stdout);
    for (name, included) in [("tract", cfg!(feature = "tract")), ("rten", cfg!(feature = "rten"))] {
        assert_eq!(result.stdout.contains(&format!("{name} loads it")), included, "{}", result.stdout);
    }

    // In a folder in which the others are missing.
    let models = [OsStr::new("--face-models"), folder.path().as_os_str()];
    let result = run([&[OsStr::new("model"), OsStr::new("--json")], &models[..]].concat()).expect(1);
    let kinds: Vec<String> = result.lines().iter().map(|line| text(&line["kind"])).collect();
    assert_eq!(kinds, ["detector", "landmarks"]);
    assert!(result.stderr.contains("iris_landmark.onnx cannot be read"), "{}", result.stderr);
    for command in ["runtimes", "doctor"] {
        let result = run([&[OsStr::new(command)], &models[..]].concat()).expect(0);
        assert!(result.stdout.contains("without eyelids"), "{command}: {}", result.stdout);
        assert!(result.stdout.contains("iris_landmark.onnx cannot be read"), "{command}: {}", result.stdout);
    }
}

#[test]
fn a_file_that_is_not_a_model_is_reported_by_name() {
    let folder = folder();
    let notes = folder.path().join("notes.txt");
    std::fs::write(&notes, "these are no weights").expect("written");
    let result = run([OsStr::new("model"), notes.as_os_str()]).expect(2);
    assert!(result.stderr.contains("notes.txt: not an ONNX file"), "{}", result.stderr);
}

/// Every write to the file fails, as on a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_trace_that_cannot_be_written_is_reported_at_the_end() {
    let home = folder();
    let wanted = program(home.path());
    let mut command = std::process::Command::new("sh");
    command.args(["-c", r#"trap '' XFSZ; ulimit -f 0; exec "$0" "$@""#]).arg(wanted.get_program());
    for (name, value) in wanted.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.arg("detect").arg(portrait()).arg("--json").arg("--trace").arg(home.path().join("trace.json"));
    let result = Run::of(&command.output().expect("the shell starts")).expect(0);
    assert_eq!(result.lines().len(), 1, "{}", result.stdout);
    let warning = "warning: the trace could not be written completely: File too large";
    assert!(result.stderr.trim_end().lines().last().is_some_and(|line| line.starts_with(warning)), "{}", result.stderr);
}

#[test]
fn a_trace_never_overwrites_a_file() {
    let folder = folder();
    let photo = folder.path().join("photo.png");
    std::fs::copy(portrait(), &photo).expect("copied");
    let result = run([OsStr::new("detect"), photo.as_os_str(), OsStr::new("--trace"), photo.as_os_str()]).expect(2);
    assert!(result.stderr.contains("choose a new file"), "{}", result.stderr);
    assert!(std::fs::read(&photo).expect("exists") == std::fs::read(portrait()).expect("exists"));
}

#[test]
fn a_trace_contains_the_inference_runs() {
    let folder = folder();
    let trace = folder.path().join("trace.json");
    let photo = portrait();
    run([OsStr::new("detect"), photo.as_os_str(), OsStr::new("--trace"), trace.as_os_str()]).expect(0);
    let events: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(&trace).expect("exists")).expect("JSON");
    let inference = events.iter().find(|event| event["name"] == "inference" && event["ph"] == "B").expect("a span");
    let expected = serde_json::json!({"runtime": "tract", "provider": "cpu", "precision": "fp32"});
    assert_eq!(inference["args"], expected);
}
