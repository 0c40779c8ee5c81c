//! Support for tests: sample photos, folders, and runs of the built program.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use engines::library_variables;
use recipe::RuntimeLibrary;

pub(crate) use test_support::{
    FakeCameras, folder, names, portrait, put_portrait, put_ramp, read_picture, real_library, real_litert, samples,
    shared, tree,
};

/// The built program with its own settings, logs and cache, on tract: under Auto every run would probe every runtime first.
/// No library is found unless a test names one.
pub(crate) fn program(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_iron-cropper"));
    command.env("IRON_CROPPER_HOME", home).env("IRON_CROPPER_RUNTIME", "tract");
    let variables = RuntimeLibrary::ALL.into_iter().flat_map(library_variables);
    for variable in variables.chain(&["RUST_BACKTRACE"]) {
        command.env_remove(variable);
    }
    command
}

/// Result of a run of the program.
#[derive(Debug)]
pub(crate) struct Run {
    /// The exit code; `None` if it was killed.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout.clone()).expect("text on standard output"),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Standard output as JSON lines; fails on anything else.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        self.stdout.lines().map(parse).collect()
    }

    /// The outcome of each input by its file name.
    pub(crate) fn outcomes(&self) -> BTreeMap<String, String> {
        let outcome = |line: &Value| (file_name(&line["path"]), text(&line["outcome"]));
        self.lines().iter().map(outcome).collect()
    }

    /// The files that were written, in order.
    pub(crate) fn written(&self) -> Vec<PathBuf> {
        let lines = self.lines();
        let crops = lines.iter().flat_map(|line| line["crops"].as_array().expect("a list").clone());
        crops.filter_map(|crop| crop["written"].as_str().map(PathBuf::from)).collect()
    }

    /// Fails the test unless the exit code is `code`.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "\n--- stdout\n{}\n--- stderr\n{}", self.stdout, self.stderr);
        self
    }
}

/// Runs the program with `arguments`.
pub(crate) fn run<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Run {
    let home = folder();
    Run::of(&program(home.path()).args(arguments).output().expect("the program starts"))
}

/// Runs the program with `arguments`; kills it and fails the test if it has not ended after a minute.
#[cfg(unix)]
pub(crate) fn run_in_time(arguments: &[&OsStr]) -> Run {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let home = folder();
    let mut command = program(home.path());
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let start = Instant::now();
    while child.try_wait().expect("ours").is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().expect("ours");
            panic!("no end within a minute: {arguments:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Run::of(&child.wait_with_output().expect("ended"))
}

/// Runs `crop` on `paths` into `output` with additional `flags`, and with `--json`.
pub(crate) fn crop(paths: &[&Path], output: &Path, flags: &[&str]) -> Run {
    let mut arguments: Vec<&OsStr> = vec!["crop".as_ref()];
    arguments.extend(paths.iter().map(|path| path.as_os_str()));
    arguments.extend(["-o".as_ref(), output.as_os_str(), "--json".as_ref()]);
    arguments.extend(flags.iter().map(OsStr::new));
    run(arguments)
}

/// The text of a JSON value.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

/// The file name at the end of a path in JSON.
pub(crate) fn file_name(value: &Value) -> String {
    Path::new(&text(value)).file_name().expect("a name").to_string_lossy().into_owned()
}
