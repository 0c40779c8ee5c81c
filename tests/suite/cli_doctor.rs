//! `doctor`: diagnostics without personal data.

use std::fs;

use batch::settings::Settings;
use recipe::Recipe;

use crate::support::{Run, folder, program, run, text};

#[test]
fn diagnostics_include_a_test_crop() {
    let result = run(["doctor", "--json"]).expect(0);
    let lines = result.lines();
    assert_eq!(lines.len(), 1, "{}", result.stdout);
    let diagnosis = &lines[0];
    let mut fields: Vec<&str> = diagnosis.as_object().expect("an object").keys().map(String::as_str).collect();
    fields.sort_unstable();
    let documented = [
        "auto",
        "auto_why",
        "crop",
        "debug_build",
        "display",
        "errors",
        "features",
        "folders",
        "library",
        "litert",
        "machine",
        "own_face_models",
        "own_model",
        "runtimes",
        "schema",
        "settings",
        "version",
        "window",
    ];
    assert_eq!(fields, documented);
    assert_eq!(
        (&diagnosis["version"], &diagnosis["crop"]["cropped"]),
        (&env!("CARGO_PKG_VERSION").into(), &true.into())
    );
    assert_eq!(diagnosis["crop"]["faces"], 1);
    assert!(diagnosis["machine"]["threads"].as_u64().is_some_and(|threads| threads > 0));
    for facts in diagnosis["runtimes"].as_array().expect("a list") {
        assert!(facts["state"] == "ready" || facts["reason"].is_string(), "{facts}");
    }
    assert!(diagnosis["folders"].as_array().is_some_and(|folders| folders.len() > 5));
}

#[test]
fn diagnostics_contain_no_personal_data() {
    let home = folder();
    let settings = Settings {
        output_folder: Some("/photos/Zoe Secret".into()),
        recipe: Recipe { include_damaged: true, ..Recipe::default() },
        quarantined: vec!["/photos/Zoe Secret/a.jpg".into()],
        ..Settings::default()
    };
    let state = home.path().join("state");
    settings.save(&state.join("settings.toml")).expect("saved");
    fs::create_dir_all(state.join("logs")).expect("created");
    fs::write(
        state.join("logs/iron-cropper.log"),
        "2026-01-31T10:20:30.1Z ERROR batch::platform: panic: cannot open \"Zoe Secret.jpg\" \
         file=Some(\"/photos/Zoe Secret/a.jpg\") thread=\"worker\" place=\"src/decode/mod.rs:1:2\"\n",
    )
    .expect("written");
    let mut command = program(&state);
    command.env("HOME", home.path()).env("USERPROFILE", home.path()).env("USER", "secretuser").arg("doctor");
    let result = Run::of(&command.output().expect("the program starts")).expect(0);
    for expected in [
        "include_damaged = true",
        "output_folder = set",
        "quarantined = 1 entry",
        "2026-01-31T10:20:30.1Z panic: cannot open …, thread worker, at src/decode/mod.rs:1:2",
        "A photo can be cropped: ",
        "can be written",
    ] {
        assert!(result.stdout.contains(expected), "{expected} is not in\n{}", result.stdout);
    }
    let home = home.path().to_string_lossy().into_owned();
    for secret in ["Zoe", "Secret", "secretuser"] {
        assert!(!result.stdout.contains(secret), "{secret} is in\n{}", result.stdout);
    }
    if cfg!(unix) {
        assert!(!result.stdout.contains(&home) && result.stdout.contains(": ~/state"), "{}", result.stdout);
    }
}

#[test]
fn without_a_runtime_the_exit_code_is_a_failure() {
    let home = folder();
    let model = home.path().join("words.onnx");
    fs::write(&model, "no model").expect("written");
    let mut command = program(home.path());
    command.args(["doctor", "--json", "--model"]).arg(&model);
    let result = Run::of(&command.output().expect("the program starts")).expect(1);
    let diagnosis = &result.lines()[0];
    assert_eq!((&diagnosis["crop"]["cropped"], &diagnosis["own_model"]), (&false.into(), &true.into()));
    assert_eq!(text(&diagnosis["crop"]["reasons"][0]), "no runtime works here");
}
