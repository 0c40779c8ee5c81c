//! Workspace rules that cargo cannot express: which files name an engine, where egui and clap are used, which modules print
//! or start threads.
//!
//! Dependencies between crates are in the manifests.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Libraries that may be named in certain files only, with these files.
const ALLOWED_FILES: &[(&[&str], &[&str])] = &[
    (&["tract_onnx", "tract_linalg"], &["crates/engines/src/tract.rs"]),
    (&["rten"], &["crates/engines/src/rten.rs"]),
    (&["ort"], &["crates/engines/src/ort.rs", "crates/engines/src/ort_providers.rs"]),
    (&["egui", "eframe", "egui_plot", "rfd", "egui_system_font_provider", "sys_locale"], &["src/ui.rs", "src/ui/"]),
    (&["clap", "clap_complete", "clap_mangen", "indicatif"], &["src/cli.rs", "src/cli/"]),
    (&["ctrlc"], &["src/cli.rs", "src/cli/", "src/ui/end_request.rs"]),
    (&["anyhow"], &["src/cli.rs", "src/cli/", "src/main.rs"]),
    (&["crate::ui"], &["src/ui.rs", "src/ui/"]),
    (&["crate::cli"], &["src/cli.rs", "src/cli/"]),
];

struct Source {
    /// Relative to the repository, with slashes.
    path: String,
    /// Without its tests.
    text: String,
}

impl Source {
    fn code(&self) -> String {
        self.text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(below: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![root().join(below)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("readable") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).expect("below").to_string_lossy().replace('\\', "/")
}

/// The sources of the program: without tests, benches and examples.
fn sources() -> Vec<Source> {
    let source = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("text");
        let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
        Source { path: name(&path), text: text[..end].to_owned() }
    };
    let is_test = |source: &Source| {
        source.path.ends_with("tests.rs")
            || ["/tests/", "/benches/", "/examples/", "/test-support/"].iter().any(|part| source.path.contains(part))
    };
    let files = ["src", "crates"].iter().flat_map(|below| rust_files(below));
    files.map(source).filter(|source| !is_test(source)).collect()
}

#[test]
fn libraries_are_used_in_their_modules_only() {
    for source in sources() {
        let code = source.code();
        for (names, allowed) in ALLOWED_FILES {
            let is_allowed = allowed.iter().any(|place| source.path.starts_with(place));
            // `report::` is not a path of `ort`.
            let is_whole = |at: usize| {
                !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') && !code[..at].ends_with("crate::")
            };
            let path_of = |name: &&&str| code.match_indices(&format!("{name}::")).any(|(at, _)| is_whole(at));
            let named: Vec<&&str> = names.iter().filter(path_of).collect();
            assert!(is_allowed || named.is_empty(), "{} names {named:?}, which belong in {allowed:?}", source.path);
        }
    }
}

#[test]
fn stdout_and_threads_are_used_in_one_module_each() {
    for source in sources() {
        let code = source.code();
        let prints = ["stdout()", "println!(", "print!("].iter().any(|word| code.contains(word));
        // The other one prints nothing: it checks whether standard output is open.
        let may_print =
            ["src/cli/print.rs", "crates/batch/src/latency/process_snapshot.rs"].contains(&source.path.as_str());
        assert!(!prints || may_print, "{} prints", source.path);
        let makes_threads =
            ["thread::Builder", "thread::spawn(", "thread::scope("].iter().any(|word| code.contains(word))
                || code.contains("use std::thread::{Builder");
        // The other one divides a run among the threads that its caller allows, and waits for them.
        let may_make_threads =
            ["crates/batch/src/worker/thread.rs", "crates/engine-builtin/src/run.rs"].contains(&source.path.as_str());
        assert!(!makes_threads || may_make_threads, "{} creates threads", source.path);
    }
}

#[test]
fn unsafe_code_is_listed_on_the_security_page() {
    let is_unsafe = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("text");
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        code.into_iter()
            .any(|line| ["{", "fn ", "extern ", "impl "].iter().any(|what| line.contains(&format!("unsafe {what}"))))
    };
    let files = ["src", "crates", "installer", "benches"].iter().flat_map(|below| rust_files(below)).filter(is_unsafe);
    let found: BTreeSet<String> = files.map(|path| name(&path)).collect();
    let page = fs::read_to_string(root().join("docs/SECURITY.md")).expect("text");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(found, rows.map(str::to_owned).collect());
}

#[test]
fn every_file_has_a_module_comment_and_a_specific_name() {
    let vague = ["utils", "util", "helpers", "common", "types", "misc", "core", "manager"];
    for file in ["src", "crates", "tests", "benches"].iter().flat_map(|below| rust_files(below)) {
        let text = fs::read_to_string(&file).expect("text");
        assert!(text.starts_with("//! "), "{}: no module comment", file.display());
        for part in file.strip_prefix(root()).expect("below").iter() {
            let name = part.to_string_lossy();
            assert!(!vague.contains(&name.trim_end_matches(".rs")), "{}: a vague name", file.display());
        }
    }
}

#[test]
fn no_file_is_too_long() {
    for source in sources() {
        let lines = source.text.lines().count();
        assert!(lines <= 400, "{} has {lines} lines without its tests; aim for 300", source.path);
    }
}
