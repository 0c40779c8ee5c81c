//! Libraries that are missing, another one, too old, hanging or crashing: each is told apart, and takes only the child
//! process with it. The stubs are made by this machine's C compiler.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use engines::open_session;
use engines::probe::{ChildError, run_child};
use geometry::Size;
use inference::{ModelBytes, SessionOptions};
use outcome::{BadEnd, TELEMETRY_VARIABLE};
use recipe::{BackendKind, Provider};
use test_support::folder;
use test_support::library_stubs::{NAME, NO_COMPILER, stub};

/// Tries `library` in a child: this same test program, with only [`opens_what_stub_library_names`] in it.
fn tried(library: &Path, limit: Duration) -> Result<String, ChildError> {
    tried_with(library, limit, "1")
}

/// [`tried`], with the variable that switches reports off set to `reports_off`.
fn tried_with(library: &Path, limit: Duration, reports_off: &str) -> Result<String, ChildError> {
    let mut stub = OsString::from("STUB_LIBRARY=");
    stub.push(library);
    let reports = OsString::from(format!("{TELEMETRY_VARIABLE}={reports_off}"));
    let this = std::env::current_exe().expect("known").into_os_string();
    let only =
        ["library_stubs::opens_what_stub_library_names", "--exact", "--ignored", "--nocapture"].map(OsString::from);
    let arguments: Vec<OsString> = [reports, stub, this].into_iter().chain(only).collect();
    let answer = run_child(Path::new("/usr/bin/env"), &arguments, limit)?;
    Ok(answer.lines().find_map(|line| line.strip_prefix("answer: ")).unwrap_or_default().to_owned())
}

#[test]
#[ignore = "run as a child by the tests below"]
fn opens_what_stub_library_names() {
    let mut options = SessionOptions::new(Size::new(64, 64));
    options.runtime.library = std::env::var_os("STUB_LIBRARY").map(PathBuf::from);
    let opened = open_session(BackendKind::Ort(Provider::Cpu), &ModelBytes::bundled(), &options);
    println!("\nanswer: {}", opened.map_or_else(|error| error.to_string(), |session| session.info().version.clone()));
}

#[test]
fn libraries_that_are_not_onnx_runtime_are_distinguished() {
    let folder = folder();
    let limit = Duration::from_secs(30);
    let text = folder.path().join(NAME);
    fs::write(&text, "this is a text file").expect("written");
    let answer = tried(&text, limit).expect("no crash");
    assert!(answer.contains("cannot be loaded: ") && answer.contains(NAME), "{answer}");
    let missing = tried(&folder.path().join("missing"), limit).expect("no crash");
    assert!(missing.contains("holds no ONNX Runtime library"), "{missing}");
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).expect("made");
    let empty = tried(&empty, limit).expect("no crash");
    assert!(empty.contains("holds no ONNX Runtime library"), "{empty}");
    for (name, words) in [
        ("other", vec!["is not an ONNX Runtime library"]),
        ("null", vec!["is not an ONNX Runtime library"]),
        ("old", vec!["is ONNX Runtime 1.10.0", "1.17 or newer is needed"]),
    ] {
        let Some(library) = stub(folder.path(), name) else { return println!("{NO_COMPILER}") };
        let answer = tried(&library, limit).expect("no crash");
        for word in words {
            assert!(answer.contains(word) && answer.contains(name), "{name}: {answer}");
        }
    }
}

/// Whatever calls the engine: it loads no library that may report on its use.
#[test]
fn nothing_is_loaded_while_reports_are_on() {
    let folder = folder();
    let Some(crashes) = stub(folder.path(), "crashes") else { return println!("{NO_COMPILER}") };
    for on in ["", "0"] {
        let answer = tried_with(&crashes, Duration::from_secs(30), on).expect("it is not loaded, so it cannot crash");
        assert!(answer.contains("may send reports; set ORT_DISABLE_TELEMETRY=1"), "{answer}");
    }
}

#[test]
fn a_library_that_hangs_or_crashes_takes_only_the_child_with_it() {
    let folder = folder();
    let Some(hangs) = stub(folder.path(), "hangs") else { return println!("{NO_COMPILER}") };
    let start = Instant::now();
    let limit = Duration::from_secs(1);
    assert_eq!(tried(&hangs, limit), Err(BadEnd::Slow { limit }.into()));
    assert!(start.elapsed() < Duration::from_secs(8));
    let Some(crashes) = stub(folder.path(), "crashes") else { return println!("{NO_COMPILER}") };
    let crashed = tried(&crashes, Duration::from_secs(30));
    assert!(matches!(&crashed, Err(ChildError::BadEnd(BadEnd::Crash { how, .. })) if how == "signal 6"), "{crashed:?}");
}
