//! The search for libraries, the child process that probes it, and the limit of one library for each
//! process.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::time::{Duration, Instant};

#[cfg(unix)]
use engines::probe::{ChildError, run_child};
use engines::{Found, LibraryHints, LibrarySearch, find_library, library_variables};
use outcome::{BadEnd, LibraryError};
use recipe::RuntimeLibrary;
use test_support::folder;
use test_support::library_stubs::NAME;

const ORT: RuntimeLibrary = RuntimeLibrary::OnnxRuntime;

/// Creates `dir` with a file that has the library's name.
fn put(dir: &Path) -> PathBuf {
    fs::create_dir_all(dir).expect("created");
    let file = dir.join(NAME);
    fs::write(&file, "").expect("written");
    file.canonicalize().expect("exists")
}

/// The displayed names of the places in order, and whether each has a library.
fn results(search: &LibrarySearch) -> Vec<(&str, bool)> {
    search.steps.iter().map(|step| (step.place.name(), matches!(step.found, Found::Library(_)))).collect()
}

#[test]
fn places_are_searched_in_the_documented_order_and_the_first_one_is_used() {
    let folder = folder();
    let place = |name: &str| folder.path().join(name);
    let at = |name: &str| put(&place(name));
    let mut libraries = vec![at("configured"), at("path"), at("dir/lib"), at("libdir"), at("exe")];
    libraries.extend([at("exe/onnxruntime"), at("data/onnxruntime"), at("system")]);
    let variables = [("ORT_DYLIB_PATH", "path"), ("ONNXRUNTIME_DIR", "dir"), ("ONNXRUNTIME_LIB_DIR", "libdir")];
    let mut hints = LibraryHints {
        library: ORT,
        configured: Some(place("configured")),
        variables: variables.map(|(name, dir)| (name.to_owned(), place(dir).into_os_string())).into(),
        exe_dir: Some(place("exe")),
        data_dir: Some(place("data")),
        system_dirs: vec![place("system")],
        pkg_config: None,
    };
    let search = find_library(&hints);
    let places: Vec<&str> =
        search.steps.iter().map(|step| step.place.name()).filter(|place| *place != "app bundle").collect();
    let first = ["option or setting", "ORT_DYLIB_PATH", "ONNXRUNTIME_DIR", "ONNXRUNTIME_LIB_DIR"];
    let further = ["next to the program", "next to the program", "data folder", "system"];
    assert_eq!(places, first.into_iter().chain(further).collect::<Vec<_>>());
    // The libraries are removed one by one, together with the option or setting that refers to the first.
    for library in &libraries {
        let search = find_library(&hints);
        assert_eq!(search.require(), Ok(library.as_path()));
        assert!(search.library.as_deref().is_some_and(Path::is_absolute));
        fs::remove_file(library).expect("removed");
        hints.configured = None;
    }
    let search = find_library(&hints);
    assert!(search.library.is_none() && results(&search).iter().all(|(_, found)| !found), "{:?}", results(&search));
    assert_eq!(search.require(), Err(LibraryError::NotFound { library: ORT }));
}

#[test]
fn litert_has_places_of_its_own_and_one_name() {
    let folder = folder();
    let place = |name: &str| folder.path().join(name);
    let name = match std::env::consts::OS {
        "windows" => "libLiteRt.dll",
        "macos" => "libLiteRt.dylib",
        _ => "libLiteRt.so",
    };
    let at = |dir: &str| {
        fs::create_dir_all(place(dir)).expect("created");
        // Another library, and a version that no build has.
        for other in [NAME, "libLiteRt.so.2"] {
            fs::write(place(dir).join(other), "").expect("written");
        }
        fs::write(place(dir).join(name), "").expect("written");
        place(dir).join(name).canonicalize().expect("exists")
    };
    let libraries = [at("variable"), at("exe/litert"), at("data/litert"), at("system")];
    let hints = LibraryHints {
        library: RuntimeLibrary::LiteRt,
        variables: [("LITERT_LIBRARY".to_owned(), place("variable").into_os_string())].into(),
        exe_dir: Some(place("exe")),
        data_dir: Some(place("data")),
        system_dirs: vec![place("system")],
        ..LibraryHints::default()
    };
    for library in &libraries {
        let search = find_library(&hints);
        assert_eq!((search.name, search.require()), (RuntimeLibrary::LiteRt, Ok(library.as_path())));
        fs::remove_file(library).expect("removed");
    }
    let search = find_library(&hints);
    assert_eq!(search.require(), Err(LibraryError::NotFound { library: RuntimeLibrary::LiteRt }));
    // In the folder of the wheel, as pip unpacks it.
    let wheel = at("site-packages/ai_edge_litert");
    let search = find_library(&LibraryHints { configured: Some(place("site-packages")), ..hints });
    assert_eq!(search.require(), Ok(wheel.as_path()));
}

#[test]
fn a_configured_place_without_a_library_is_an_error_without_fallback() {
    let folder = folder();
    let library = put(&folder.path().join("data/onnxruntime"));
    let hints = LibraryHints { data_dir: Some(folder.path().join("data")), ..LibraryHints::default() };
    assert_eq!(find_library(&hints).require(), Ok(library.as_path()));
    let missing = folder.path().join("missing");
    let search = find_library(&LibraryHints { configured: Some(missing.clone()), ..hints.clone() });
    assert_eq!(search.require(), Err(LibraryError::NotThere { library: ORT, path: missing.clone() }));
    assert!(results(&search).contains(&("data folder", true)), "the other places are still searched");
    // A variable without a library is skipped and reported.
    let variables = BTreeMap::from([(library_variables(ORT)[0].to_owned(), missing.clone().into_os_string())]);
    let search = find_library(&LibraryHints { variables, ..hints });
    assert_eq!(search.require(), Ok(library.as_path()));
    let step = search.steps.iter().find(|step| step.place.name() == library_variables(ORT)[0]).expect("listed");
    assert_eq!((step.path.as_deref(), &step.found), (Some(missing.as_path()), &Found::Nothing));
}

#[test]
#[cfg(target_os = "linux")]
fn the_newest_library_is_used_and_links_are_resolved() {
    let folder = folder();
    let dir = folder.path().canonicalize().expect("exists");
    for name in ["libonnxruntime.so.1.9.0", "libonnxruntime.so.1.24.1", "libonnxruntime.so.1.3.10"] {
        fs::write(dir.join(name), "").expect("written");
    }
    for other in ["libonnxruntime_providers_shared.so", "libonnxruntime.so.old", "libonnxruntime.so.2.txt"] {
        fs::write(dir.join(other), "").expect("written");
    }
    std::os::unix::fs::symlink("libonnxruntime.so.1.9.0", dir.join("libonnxruntime.so")).expect("linked");
    let find =
        |at: &Path| find_library(&LibraryHints { configured: Some(at.to_owned()), ..LibraryHints::default() }).library;
    assert_eq!(find(&dir), Some(dir.join("libonnxruntime.so.1.24.1")));
    assert_eq!(find(&dir.join("libonnxruntime.so")), Some(dir.join("libonnxruntime.so.1.9.0")));
}

#[test]
#[cfg(unix)]
fn pkg_config_is_run_last_and_with_a_time_limit() {
    let folder = folder();
    let library = put(&folder.path().join("lib"));
    let pkg_config = script(folder.path(), "pkg-config", &format!("echo {}", folder.path().join("lib").display()));
    let hints = LibraryHints { pkg_config: Some(pkg_config), ..LibraryHints::default() };
    assert_eq!(find_library(&hints).require(), Ok(library.as_path()));
    let other = put(&folder.path().join("other"));
    let search = find_library(&LibraryHints { system_dirs: vec![folder.path().join("other")], ..hints });
    assert_eq!(search.require(), Ok(other.as_path()));
    assert_eq!(search.steps.last().map(|step| &step.found), Some(&Found::Passed));
    let hangs = script(folder.path(), "hangs", "exec sleep 60");
    let start = Instant::now();
    let search = find_library(&LibraryHints { pkg_config: Some(hangs), ..LibraryHints::default() });
    assert_eq!(search.require(), Err(LibraryError::NotFound { library: ORT }));
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[cfg(unix)]
fn script(dir: &Path, name: &str, line: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = dir.join(name);
    fs::write(&path, format!("#!/bin/sh\n{line}\n")).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("made executable");
    path
}

#[cfg(unix)]
fn shell(line: &str, limit: Duration) -> Result<String, ChildError> {
    run_child(Path::new("/bin/sh"), &["-c".into(), line.into()], limit)
}

#[test]
#[cfg(unix)]
fn a_child_returns_output_crashes_or_is_terminated() {
    let long = Duration::from_secs(20);
    assert_eq!(shell("echo fine; echo noise >&2", long), Ok("fine\n".to_owned()));
    let much = shell("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2", long).expect("not blocked");
    assert_eq!(much.len(), 3_000_000);
    let crashed = |how: &str, line: Option<&str>| {
        Err(BadEnd::Crash { how: how.to_owned(), last_line: line.map(str::to_owned) }.into())
    };
    assert_eq!(shell("echo first >&2; echo last >&2; echo >&2; exit 3", long), crashed("exit code 3", Some("last")));
    let line = format!("\u{fffd}[31m{}", "x".repeat(295));
    assert_eq!(shell("printf '\\033[31m%9999s' | tr ' ' x >&2; exit 3", long), crashed("exit code 3", Some(&line)));
    assert_eq!(shell("kill -SEGV $$", long), crashed("signal 11", None));
    for stream in ["", ">&2"] {
        assert_eq!(shell(&format!("yes {stream}"), long), Err(BadEnd::Chatter { megabytes: 4 }.into()));
    }
    let start = Instant::now();
    let limit = Duration::from_millis(300);
    assert_eq!(shell("exec sleep 60", limit), Err(BadEnd::Slow { limit }.into()));
    assert!(start.elapsed() < Duration::from_secs(5));
    let nowhere = run_child(Path::new("/nowhere/at-all"), &[], long);
    assert!(matches!(nowhere, Err(ChildError::CannotStart { .. })), "{nowhere:?}");
    assert_eq!(shell("read line || echo no input", long), Ok("no input\n".to_owned()));
}

/// A process can load only one library; the error for another one has the remedy.
#[test]
#[cfg(feature = "ort")]
fn another_library_requires_a_restart() {
    use engines::open_session;
    use geometry::Size;
    use inference::{ModelBytes, SessionOptions};
    use outcome::BackendError;
    use recipe::{BackendKind, Provider};
    let Some(library) = crate::engines::library() else { return };
    let folder = folder();
    let other = put(folder.path());
    let open = |library: &Path| {
        let mut options = SessionOptions::new(Size::new(64, 64));
        options.runtime.library = Some(library.to_owned());
        open_session(BackendKind::Ort(Provider::Cpu), &ModelBytes::bundled(), &options)
    };
    open(&library).expect("opens");
    let refused = open(&other).err();
    let expected = LibraryError::RestartToApply { path: other.clone(), loaded: library.clone() };
    assert!(matches!(&refused, Some(BackendError::Library(error)) if *error == expected), "{refused:?}");
    open(&library).expect("opens");
}
