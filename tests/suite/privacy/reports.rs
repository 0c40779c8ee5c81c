//! Telemetry of libraries: a crop, a watch and a window with ONNX Runtime's official library run longer than it waits
//! before its first report (about 10 s). They send nothing, and write only the program's own files.
//!
//! The three run in parallel. Needs `strace`, the library named by IRON_CROPPER_TEST_ONNXRUNTIME and, for the window, Xvfb.

use std::fs::{self, File};
use std::io::{PipeReader, Read, Write, pipe};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use outcome::TELEMETRY_VARIABLE;

use super::is_network_call;
use crate::support::{folder, names, put_portrait, real_library, tree};

/// Longer than the library waits before it opens a connection.
const RUN_TIME: Duration = Duration::from_secs(16);
/// Timeout of every wait.
const DEADLINE: Duration = Duration::from_secs(120);

/// Makes the program write more than an almost full pipe takes; it blocks until the pipe is read.
const VERY_VERBOSE: &str = "-vvv";
/// Capacity of a pipe on Linux.
const PIPE: usize = 1 << 16;

/// The program's own folders below a home without `IRON_CROPPER_HOME`, and the shader cache of software OpenGL.
const OWN_FILES: [&str; 5] = [
    ".config/iron-cropper/",
    ".cache/iron-cropper/",
    ".local/state/iron-cropper/",
    ".local/share/iron-cropper/",
    ".cache/mesa_shader_cache",
];

/// A run of the program under `strace`, with its own home, temporary folder and working directory.
struct Traced {
    folder: TempDir,
    program: Child,
    /// Its standard error.
    stderr: PipeReader,
}

impl Traced {
    /// Starts it with no environment except the given variables: if a variable indicates a build service, the library
    /// disables telemetry itself. Telemetry is requested, but must not take effect.
    fn start(library: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Self {
        let folder = folder();
        let (stderr, mut writer) = pipe().expect("a pipe");
        if arguments.contains(&VERY_VERBOSE) {
            writer.write_all(&[b'\n'; PIPE - 4096]).expect("enough space");
        }
        for name in ["home", "tmp", "work"] {
            fs::create_dir(folder.path().join(name)).expect("created");
        }
        let file = |name: &str| File::create(folder.path().join(name)).expect("created");
        // Detached, `strace` is the grandchild, and the child is the program.
        let mut command = Command::new("strace");
        command.args(["-D", "-f", "-qq", "-e", "trace=network,execve", "-o"]).arg(folder.path().join("trace"));
        command.arg(env!("CARGO_BIN_EXE_iron-cropper")).args(arguments).current_dir(folder.path().join("work"));
        command.env_clear().envs(variables.iter().copied()).env("PATH", std::env::var_os("PATH").expect("set"));
        command.env("HOME", folder.path().join("home")).env("TMPDIR", folder.path().join("tmp"));
        command.env("ORT_DYLIB_PATH", library).env("IRON_CROPPER_RUNTIME", "ort").env(TELEMETRY_VARIABLE, "0");
        command.stdin(Stdio::null()).stdout(file("stdout")).stderr(writer);
        let program = command.spawn().expect("strace starts");
        Self { folder, program, stderr }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Waits until a file below its home contains `pattern`.
    #[track_caller]
    fn wait_for(&mut self, pattern: &str) {
        let start = Instant::now();
        let result = |traced: &Self| {
            let logs = tree(&traced.path("home")).into_values();
            let stdout = fs::read(traced.path("stdout")).expect("exists");
            logs.chain([stdout]).any(|text| String::from_utf8_lossy(&text).contains(pattern))
        };
        while !result(self) {
            assert!(start.elapsed() < DEADLINE, "{pattern}: not printed");
            self.is_alive();
            sleep(Duration::from_millis(100));
        }
    }

    #[track_caller]
    fn is_alive(&mut self) {
        if let Some(status) = self.program.try_wait().expect("ours") {
            panic!("it ended: {status}\n{}", self.stderr());
        }
    }

    fn stderr(&mut self) -> String {
        let mut text = String::new();
        let _ = self.stderr.read_to_string(&mut text);
        text
    }

    /// Ends it by a signal, or waits for its end, and checks its system calls and files.
    #[track_caller]
    fn check(mut self, name: &str, signal: Option<&str>, own: &[&str]) {
        self.is_alive();
        if let Some(signal) = signal {
            let sent = Command::new("kill").args([signal, &self.program.id().to_string()]).status();
            assert!(sent.expect("kill").success());
        }
        let result = self.stderr();
        let status = self.program.wait().expect("ended");
        assert!(status.success() || signal == Some("-KILL"), "{name}: {status}\n{result}");
        let trace = fs::read_to_string(self.path("trace")).expect("a trace");
        assert!(trace.contains("measure-runtime"), "{name}: the process that probes the library is traced too");
        let out: Vec<&str> = trace.lines().filter(|line| is_network_call(line)).collect();
        assert!(out.is_empty(), "{name} calls the network:\n{}", out.join("\n"));
        let home = names(&self.path("home"));
        let strange: Vec<&String> = home.iter().filter(|name| !own.iter().any(|own| name.starts_with(own))).collect();
        assert!(!home.is_empty() && strange.is_empty(), "{name} writes to the home folder: {strange:?}");
        assert_eq!(names(&self.path("work")), [""; 0], "{name} writes into its working folder");
        let temporary = names(&self.path("tmp"));
        assert!(signal == Some("-KILL") || temporary.is_empty(), "{name} leaves temporary files: {temporary:?}");
    }
}

impl Drop for Traced {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// A virtual display; `None` if there is no Xvfb.
struct Screen {
    server: Child,
    name: String,
}

impl Screen {
    fn start() -> Option<Self> {
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"]);
        let mut server = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let mut number = [0; 16];
        let length = server.stdout.as_mut().expect("piped").read(&mut number).expect("reported");
        let number = String::from_utf8_lossy(&number[..length]).trim().to_owned();
        Some(Self { server, name: format!(":{number}") })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn starts(program: &str) -> bool {
    Command::new(program).arg("-V").output().is_ok_and(|done| done.status.success())
}

#[test]
fn long_runs_with_the_official_library_send_and_write_nothing_extra() {
    let Some(library) = real_library().filter(|_| cfg!(feature = "ort") && starts("strace")) else {
        return eprintln!("skipped: no strace, or IRON_CROPPER_TEST_ONNXRUNTIME names no library");
    };
    let library = library.canonicalize().expect("exists");
    let photos = folder();
    let photo = |name: &str| put_portrait(photos.path(), name).to_string_lossy().into_owned();
    let out = |name: &str| photos.path().join(name).to_string_lossy().into_owned();
    let (first, second) = (photo("in/first.png"), photo("second.png"));

    let portable = photos.path().join("portable").to_string_lossy().into_owned();
    let several: Vec<String> = (0..4).map(|number| photo(&format!("crop/{number}.png"))).collect();
    let (crop_out, watch_out) = (out("cropped"), out("watched"));
    let mut arguments: Vec<&str> = vec!["crop", VERY_VERBOSE, "-o", &crop_out, "--no-journal"];
    arguments.extend(several.iter().map(String::as_str));
    let crop = Traced::start(&library, &[("IRON_CROPPER_HOME", &portable)], &arguments);
    fs::write(crop.path("home/untouched"), "").expect("written");

    let watched = out("in");
    let mut watch = Traced::start(&library, &[], &["watch", &watched, "-o", &watch_out, "--json"]);
    watch.wait_for("first.png");

    let screen = cfg!(feature = "window").then(Screen::start).flatten();
    let mut window = screen.as_ref().map(|screen| {
        let variables = [("DISPLAY", screen.name.as_str()), ("LIBGL_ALWAYS_SOFTWARE", "1")];
        Traced::start(&library, &variables, &[&first])
    });
    if let Some(window) = &mut window {
        window.wait_for("photo opened");
    }

    sleep(RUN_TIME / 2);
    fs::copy(&second, photos.path().join("in/second.png")).expect("copied");
    watch.wait_for("second.png");
    sleep(RUN_TIME / 2);

    crop.check("crop", None, &["untouched"]);
    assert_eq!(names(Path::new(&crop_out)).len(), several.len());
    watch.check("watch", Some("-INT"), &OWN_FILES);
    match window {
        Some(window) => window.check("window", Some("-KILL"), &OWN_FILES),
        None => eprintln!("skipped for the window: there is no Xvfb"),
    }
}
