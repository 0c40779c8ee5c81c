//! The program's folders on this system, logging and tracing, the console, process exit and crash detection.

mod console;
mod ending;
mod memory;
mod session;
mod trace;

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

pub use console::{join_console, leave_console, show_error_box};
pub use ending::{Work, begin_work, end_at_once, end_hung, set_display_check};
pub use memory::keep_freed_memory;
pub(crate) use memory::return_freed_memory;
pub use session::{CrashedSession, begin_session, crashed_sessions, end_session};
pub use trace::TraceCheck;
use trace::TraceLayer;

/// Name of the environment variable that places all folders below one: for portable use and for tests.
pub const HOME_VARIABLE: &str = "IRON_CROPPER_HOME";

/// The log target of panics that fail a photo and not the program.
const CAUGHT_TARGET: &str = "batch::caught";

/// The log targets of this program's crates.
pub(crate) const OWN_CRATES: [&str; 15] = [
    "batch",
    "engine_burn",
    "engine_candle",
    "engines",
    "faces",
    "geometry",
    "import",
    "inference",
    "iron_cropper",
    "naming",
    "outcome",
    "picture",
    "pipeline",
    "plan",
    "render",
];

/// A log filter with level `own` for this program's crates and level `others` for all others.
fn filter(others: LevelFilter, own: LevelFilter) -> Targets {
    Targets::new().with_default(others).with_targets(OWN_CRATES.map(|name| (name, own)))
}

/// A log file is rotated to `.1` when it reaches this size in bytes.
const MAX_LOG_BYTES: u64 = 4 << 20;

/// The user's folders for this program; they need not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    /// The settings file.
    pub config_file: PathBuf,
    /// The folder of log files.
    pub log_dir: PathBuf,
    /// The cache folder, whose content can be recreated.
    pub cache_dir: PathBuf,
    /// The folder of autosaved lists.
    pub autosave_dir: PathBuf,
    /// The folder of session markers.
    pub session_dir: PathBuf,
    /// The data folder, for files that cannot be recreated, such as ONNX Runtime's library.
    pub data_dir: PathBuf,
}

impl Folders {
    /// The system's standard folders, or those below [`HOME_VARIABLE`]. `None` if the user has no home folder; then nothing
    /// is stored.
    pub fn find() -> Option<Self> {
        if let Some(home) = std::env::var_os(HOME_VARIABLE).filter(|home| !home.is_empty()) {
            return Some(Self::below(Path::new(&home)));
        }
        let dirs = directories::ProjectDirs::from("", "", "iron-cropper")?;
        Some(Self {
            config_file: dirs.config_dir().join("settings.toml"),
            log_dir: dirs.state_dir().unwrap_or(dirs.data_local_dir()).join("logs"),
            autosave_dir: dirs.state_dir().unwrap_or(dirs.data_local_dir()).join("autosave"),
            session_dir: dirs.state_dir().unwrap_or(dirs.data_local_dir()).join("sessions"),
            cache_dir: dirs.cache_dir().to_owned(),
            data_dir: dirs.data_local_dir().to_owned(),
        })
    }

    /// A folder for pictures that the window writes as photos, inside the user's pictures folder, or below
    /// [`HOME_VARIABLE`] if that is set.
    pub fn pictures_dir(name: &str) -> Option<PathBuf> {
        if std::env::var_os(HOME_VARIABLE).is_some_and(|home| !home.is_empty()) {
            return Some(Self::find()?.data_dir.join(name));
        }
        let pictures = directories::UserDirs::new().and_then(|dirs| dirs.picture_dir().map(Path::to_owned));
        let folder = pictures.map(|pictures| pictures.join("Iron Cropper"));
        Some(folder.or_else(|| Some(Self::find()?.data_dir))?.join(name))
    }

    /// All folders below `home`.
    pub fn below(home: &Path) -> Self {
        Self {
            config_file: home.join("settings.toml"),
            log_dir: home.join("logs"),
            autosave_dir: home.join("autosave"),
            session_dir: home.join("sessions"),
            cache_dir: home.join("cache"),
            data_dir: home.join("data"),
        }
    }

    /// The log file of the window.
    pub fn log_file(&self) -> PathBuf {
        self.log_dir.join("iron-cropper.log")
    }

    /// The log file of the previously opened window.
    pub fn previous_log_file(&self) -> PathBuf {
        rotated_log(&self.log_file())
    }
}

/// Initialises logging, and logs panics with the file being processed.
///
/// Standard error gets only panics, except those that fail a single photo; with `verbosity` 1 also the steps with their
/// times, with 2 and more also details, including each stage of each photo. `log_file`, if given, gets at least the steps;
/// the log of the last start is rotated to `.1`. If the log file cannot be created, a warning is logged. `trace`, if given,
/// gets all spans of the program in Chrome's trace format; the returned check reports write errors. Only the first call in
/// a process has an effect.
#[must_use = "reports whether the trace was written completely"]
pub fn init_logging(verbosity: u8, log_file: Option<PathBuf>, trace: Option<File>) -> TraceCheck {
    let level = |verbosity: u8| match verbosity {
        0 => Targets::new().with_target("batch::platform", LevelFilter::WARN),
        1 => filter(LevelFilter::WARN, LevelFilter::INFO),
        2 => filter(LevelFilter::INFO, LevelFilter::DEBUG),
        _ => filter(LevelFilter::DEBUG, LevelFilter::TRACE),
    };
    // The event for a span's end includes its duration.
    let ends = FmtSpan::CLOSE;
    let (log, error) = match log_file.map(LogFile::start) {
        Some(Ok(log)) => (Some(log), None),
        Some(Err(error)) => (None, Some(error)),
        None => (None, None),
    };
    let to_stderr = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_span_events(ends.clone())
        .with_target(false)
        .with_filter(level(verbosity));
    let to_file = log.map(|log| {
        fmt::layer()
            .with_writer(Mutex::new(log))
            .with_ansi(false)
            .with_span_events(ends)
            .with_filter(level(verbosity.max(1)))
    });
    let trace = trace.map(TraceLayer::new);
    let check = trace.as_ref().map(TraceLayer::check).unwrap_or_default();
    let to_trace = trace.map(|layer| layer.with_filter(filter(LevelFilter::OFF, LevelFilter::TRACE)));
    if tracing_subscriber::registry().with(to_stderr).with(to_file).with(to_trace).try_init().is_err() {
        return TraceCheck::default();
    }
    log_panics();
    if let Some(error) = error {
        tracing::warn!(error = %error, "the log file cannot be written");
    }
    check
}

/// A log file with a maximum size, rotated to `.1`.
struct LogFile {
    path: PathBuf,
    file: File,
    written: u64,
}

impl LogFile {
    fn start(path: PathBuf) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        Ok(Self { file: rotate(&path)?, path, written: 0 })
    }
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.written >= MAX_LOG_BYTES {
            self.file = rotate(&self.path)?;
            self.written = 0;
        }
        let written = self.file.write(bytes)?;
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Renames the file at `path` to `.1` and creates an empty one.
fn rotate(path: &Path) -> io::Result<File> {
    let kept = rotated_log(path);
    // If renaming fails, the new log is still more useful than the old one.
    let _ = fs::rename(path, kept);
    File::create(path)
}

fn rotated_log(path: &Path) -> PathBuf {
    let mut kept = path.as_os_str().to_owned();
    kept.push(".1");
    PathBuf::from(kept)
}

thread_local! {
    static CURRENT_FILE: RefCell<Option<PathBuf>> = const { RefCell::new(None) };
}

/// Records, until dropped, the file this thread is processing.
#[derive(Debug)]
#[must_use = "the file counts as current only until this is dropped"]
pub struct ProcessingGuard {
    path: PathBuf,
    before: Option<PathBuf>,
}

/// Records that this thread is processing `path`, so that a panic, or the next start after a crash, can report the file.
pub fn processing(path: &Path) -> ProcessingGuard {
    session::add_file(path);
    ProcessingGuard {
        path: path.to_owned(),
        before: CURRENT_FILE.with(|current| current.replace(Some(path.to_owned()))),
    }
}

impl Drop for ProcessingGuard {
    fn drop(&mut self) {
        session::remove_file(&self.path);
        let before = self.before.take();
        CURRENT_FILE.with(|current| *current.borrow_mut() = before);
    }
}

/// The file this thread is processing.
pub fn current_file() -> Option<PathBuf> {
    CURRENT_FILE.try_with(|current| current.try_borrow().ok().and_then(|path| path.clone())).ok().flatten()
}

fn log_panics() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let message = info.payload_as_str().unwrap_or("no message");
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let thread = std::thread::current();
        let thread = thread.name().unwrap_or("unnamed");
        match current_file() {
            // The panic is caught by the caller and reported as the photo's failure; here it is only logged.
            Some(file) => tracing::error!(target: CAUGHT_TARGET, ?file, thread, place, "panic: {message}"),
            None => tracing::error!(thread, place, "panic: {message}"),
        }
        if std::env::var_os("RUST_BACKTRACE").is_some() {
            default(info);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_file_is_that_of_the_innermost_guard() {
        assert_eq!(current_file(), None);
        let outer = processing(Path::new("outer.jpg"));
        {
            let _inner = processing(Path::new("inner.jpg"));
            assert_eq!(current_file(), Some("inner.jpg".into()));
        }
        assert_eq!(current_file(), Some("outer.jpg".into()));
        drop(outer);
        assert_eq!(current_file(), None);
    }

    #[test]
    fn a_panic_releases_its_file() {
        let panicked = std::panic::catch_unwind(|| {
            let _guard = processing(Path::new("bad.jpg"));
            panic!("expected by this test");
        });
        assert!(panicked.is_err());
        assert_eq!(current_file(), None);
    }

    #[test]
    fn a_full_log_is_rotated() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("logs/iron-cropper.log");
        let kept = folder.path().join("logs/iron-cropper.log.1");
        let mut log = LogFile::start(path.clone()).expect("created");
        log.write_all(b"first start").expect("written");
        drop(log);
        let mut log = LogFile::start(path.clone()).expect("created");
        assert_eq!(fs::read(&kept).expect("exists"), b"first start");
        log.written = MAX_LOG_BYTES;
        log.write_all(b"after it was full").expect("written");
        assert_eq!(fs::read(&path).expect("exists"), b"after it was full");
        assert_eq!(fs::read(&kept).expect("exists"), b"");
    }

    #[test]
    fn all_folders_are_below_the_given_one() {
        let folders = Folders::below(Path::new("/portable"));
        for path in [
            &folders.config_file,
            &folders.previous_log_file(),
            &folders.cache_dir,
            &folders.session_dir,
            &folders.data_dir,
        ] {
            assert!(path.starts_with("/portable"), "{path:?}");
        }
    }
}
