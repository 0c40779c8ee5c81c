//! Libraries that are missing, unknown, too old, hanging or crashing: each gets its own error and affects only the
//! child process. The stubs are made by this machine's C compiler.

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

/// Probes `library` in a child process: this test program, with only [`opens_the_stub_library`].
fn probed(library: &Path, limit: Duration) -> Result<String, ChildError> {
    probed_with(library, limit, "1")
}

/// Like [`probed`], with the variable that disables telemetry set to `telemetry_off`.
fn probed_with(library: &Path, limit: Duration, telemetry_off: &str) -> Result<String, ChildError> {
    let mut stub = OsString::from("STUB_LIBRARY=");
    stub.push(library);
    let telemetry = OsString::from(format!("{TELEMETRY_VARIABLE}={telemetry_off}"));
    let this = std::env::current_exe().expect("known").into_os_string();
    let only = ["library_stubs::opens_the_stub_library", "--exact", "--ignored", "--nocapture"].map(OsString::from);
    let arguments: Vec<OsString> = [telemetry, stub, this].into_iter().chain(only).collect();
    let answer = run_child(Path::new("/usr/bin/env"), &arguments, limit)?;
    Ok(answer.lines().find_map(|line| line.strip_prefix("answer: ")).unwrap_or_default().to_owned())
}

#[test]
#[ignore = "run as a child by the tests below"]
fn opens_the_stub_library() {
    let mut options = SessionOptions::new(Size::new(64, 64));
    options.runtime.library = std::env::var_os("STUB_LIBRARY").map(PathBuf::from);
    let opened = open_session(BackendKind::Ort(Provider::Cpu), &ModelBytes::bundled(), &options);
    println!("\nanswer: {}", opened.map_or_else(|error| error.to_string(), |session| session.info().version.clone()));
}

#[test]
fn libraries_that_are_not_onnx_runtime_get_their_own_errors() {
    let folder = folder();
    let limit = Duration::from_secs(30);
    let text = folder.path().join(NAME);
    fs::write(&text, "this is a text file").expect("written");
    let answer = probed(&text, limit).expect("no crash");
    assert!(answer.contains("cannot be loaded: ") && answer.contains(NAME), "{answer}");
    let missing = probed(&folder.path().join("missing"), limit).expect("no crash");
    assert!(missing.contains("contains no ONNX Runtime library"), "{missing}");
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).expect("created");
    let empty = probed(&empty, limit).expect("no crash");
    assert!(empty.contains("contains no ONNX Runtime library"), "{empty}");
    for (name, words) in [
        ("other", vec!["is not an ONNX Runtime library"]),
        ("null", vec!["is not an ONNX Runtime library"]),
        ("old", vec!["is ONNX Runtime 1.10.0", "1.17 or newer is needed"]),
    ] {
        let Some(library) = stub(folder.path(), name) else { return println!("{NO_COMPILER}") };
        let answer = probed(&library, limit).expect("no crash");
        for word in words {
            assert!(answer.contains(word) && answer.contains(name), "{name}: {answer}");
        }
    }
}

/// No library that may send telemetry is loaded by any caller.
#[test]
fn nothing_is_loaded_while_telemetry_is_enabled() {
    let folder = folder();
    let Some(crashes) = stub(folder.path(), "crashes") else { return println!("{NO_COMPILER}") };
    for on in ["", "0"] {
        let answer = probed_with(&crashes, Duration::from_secs(30), on).expect("it is not loaded, so it cannot crash");
        assert!(answer.contains("could send telemetry; set ORT_DISABLE_TELEMETRY=1"), "{answer}");
    }
}

#[test]
fn a_library_that_hangs_or_crashes_affects_only_the_child() {
    let folder = folder();
    let Some(hangs) = stub(folder.path(), "hangs") else { return println!("{NO_COMPILER}") };
    let start = Instant::now();
    let limit = Duration::from_secs(1);
    assert_eq!(probed(&hangs, limit), Err(BadEnd::Slow { limit }.into()));
    assert!(start.elapsed() < Duration::from_secs(8));
    let Some(crashes) = stub(folder.path(), "crashes") else { return println!("{NO_COMPILER}") };
    let crashed = probed(&crashes, Duration::from_secs(30));
    assert!(matches!(&crashed, Err(ChildError::BadEnd(BadEnd::Crash { how, .. })) if how == "signal 6"), "{crashed:?}");
}
