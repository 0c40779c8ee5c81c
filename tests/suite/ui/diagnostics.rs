//! Copying diagnostics for a bug report.

use batch::diagnostics::{
    CropTrial, Diagnosis, DiagnosisSpec, DisplayFacts, LibraryFacts, LoggedError, MachineFacts, ModelFacts,
    RuntimeFacts, SettingsFacts, WindowFacts,
};
use batch::settings::Settings;
use batch::worker::{Event, ProbesRequest, Request};
use iron_cropper::ui::WindowOptions;
use recipe::Recipe;

use super::script::Window;

pub(super) fn diagnosing(request: &Request) -> Option<DiagnosisSpec> {
    if let Request::Probes(ProbesRequest::Diagnose(spec)) = request { Some((**spec).clone()) } else { None }
}

/// Example of a worker's diagnostics.
pub(super) fn diagnosis() -> Diagnosis {
    let (asked, in_use) = ("auto".to_owned(), "tract 0.0.1 on CPU, ready after 12 ms".to_owned());
    Diagnosis {
        schema: 1,
        version: "0.0.1",
        features: vec!["window", "tract"],
        debug_build: false,
        machine: MachineFacts {
            os: "linux",
            arch: "x86_64",
            version: Some("Debian 13".to_owned()),
            kernel: Some("6.1".to_owned()),
            processor: Some("Fast CPU".to_owned()),
            threads: 2,
            memory_mb: Some(8000),
            free_mb: Some(3000),
        },
        display: DisplayFacts {
            session: Some("wayland".to_owned()),
            desktop: None,
            x11: true,
            wayland: true,
            devices: vec!["card0: amdgpu".to_owned()],
            variables: Vec::new(),
        },
        window: Some(WindowFacts { asked, in_use, scale: Some(1.5), ..WindowFacts::default() }),
        own_model: false,
        own_face_models: true,
        runtimes: vec![RuntimeFacts {
            name: "tract",
            state: "ready",
            reason: None,
            version: Some("1.2.3".to_owned()),
            device: Some("CPU".to_owned()),
            devices: vec![outcome::Device { number: 1, name: "T400".to_owned() }],
            load_ms: Some(120.0),
            first_ms: None,
            warm_ms: Some(83.4),
            photo_ms: Some(97.1),
            models: vec![
                ModelFacts { name: "landmarks", warm_ms: Some(6.0), reason: None },
                ModelFacts { name: "person", warm_ms: None, reason: Some("it has another layout".to_owned()) },
            ],
            agrees: Some(true),
        }],
        auto: Some("tract"),
        auto_why: Some("tract 83.4 ms".to_owned()),
        library: LibraryFacts {
            found: None,
            problem: Some("the library was not found".to_owned()),
            places: vec!["ORT_DYLIB_PATH: not set".to_owned()],
        },
        litert: LibraryFacts { found: Some("/lib/libLiteRt.so".to_owned()), problem: None, places: Vec::new() },
        folders: Vec::new(),
        settings: SettingsFacts { changed: vec![("window.theme".to_owned(), "dark".to_owned())], problem: None },
        errors: vec![LoggedError { time: "2026-01-31T10:20:30Z".to_owned(), text: "panic: bad".to_owned() }],
        crop: CropTrial {
            runtime: Some("tract"),
            cropped: true,
            faces: Some(1),
            took_ms: Some(812.0),
            reasons: Vec::new(),
        },
    }
}

#[test]
fn copying_diagnostics_is_confirmed() {
    let settings = Settings { recipe: Recipe { include_damaged: true, ..Recipe::default() }, ..Settings::default() };
    let renderer = Some("OpenGL, a card".to_owned());
    let options = WindowOptions { settings, renderer, ..WindowOptions::default() };
    let mut window = Window::open_with(options, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    window.click("Help");
    window.click("Copy diagnostics");
    let (id, spec) = window.sent_one(diagnosing);
    let facts = spec.window.expect("facts about the window");
    assert_eq!((facts.asked.as_str(), facts.renderer.as_deref()), ("auto", Some("OpenGL, a card")));
    assert!(facts.in_use.starts_with("tract 0.0.1 on CPU, ready after "), "{}", facts.in_use);
    assert_eq!(facts.why.as_deref(), Some("tract 40.0 ms; rten 60.0 ms"));
    assert_eq!((facts.text_scale, facts.language.as_str()), (1.0, "en"));
    assert!(spec.settings.is_some_and(|settings| settings.recipe.include_damaged) && !spec.afresh);
    assert!(window.has("Collecting diagnostics"), "it takes a while");

    window.script_reply(id, Event::Diagnosed(Box::new(diagnosis())));
    let text = window.copied().expect("on the clipboard");
    for line in [
        "Iron Cropper 0.0.1 (window, tract)",
        "System: linux x86_64: Debian 13, kernel 6.1",
        "Processor: Fast CPU, 2 threads",
        "Memory: 8000 MB, 3000 MB free",
        "Display: session wayland, Wayland, X11",
        "Requested: auto",
        "In use: tract 0.0.1 on CPU, ready after 12 ms",
        "  tract: ready, version 1.2.3, device CPU, load 120 ms, warm run 83 ms, photo 97 ms, agrees yes",
        "    without person: it has another layout",
        "  devices of tract: 1: T400",
        "Runtimes, tested with a custom model:",
        "  auto selects tract: tract 83.4 ms",
        "ONNX Runtime library: the library was not found",
        "LiteRT library: /lib/libLiteRt.so",
        "  ORT_DYLIB_PATH: not set",
        "  window.theme = dark",
        "  2026-01-31T10:20:30Z panic: bad",
        "A photo can be cropped: tract found 1 face in the built-in image and a crop was written in 812 ms.",
    ] {
        assert!(text.lines().any(|printed| printed == line), "{line} is not in\n{text}");
    }
    assert!(window.has("Diagnostics copied to the clipboard. Review them before you share them."));
    assert!(!window.has("Collecting diagnostics"));
}

#[test]
fn a_failed_test_crop_is_reported_with_the_reason() {
    let mut found = diagnosis();
    found.crop = CropTrial { cropped: false, reasons: vec!["tract: it crashed".to_owned()], ..found.crop };
    assert!(found.to_string().ends_with("A photo CANNOT be cropped (tract: it crashed).\n"), "{found}");
}
