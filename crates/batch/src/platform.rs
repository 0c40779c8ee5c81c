//! Where things are kept on this system, and what is written down while the program runs.

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

pub use console::{join_console, leave_console, show_where_unheard};
pub use ending::{Work, begin_work, end_at_once};
pub use memory::keep_freed_memory;
pub(crate) use memory::return_freed_memory;
pub use session::{EndedSession, begin_session, end_session, ended_sessions};
pub use trace::TraceCheck;
use trace::TraceLayer;

/// Name of the environment variable that puts every folder below one: for portable use and for tests.
pub const HOME_VARIABLE: &str = "IRON_CROPPER_HOME";

/// What panics are logged as that end a photo and not the program.
const CAUGHT: &str = "batch::caught";

/// The crates of this program, as they are named in the log.
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

/// Lets what our crates say through from `own` up, and what others say from `others` up.
fn filter(others: LevelFilter, own: LevelFilter) -> Targets {
    Targets::new().with_default(others).with_targets(OWN_CRATES.map(|name| (name, own)))
}

/// A log file is closed and kept as `.1` when it has grown to this many bytes.
const MAX_LOG_BYTES: u64 = 4 << 20;

/// The person's folders for this program; none of them need exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    /// The settings file.
    pub config_file: PathBuf,
    /// The folder of log files.
    pub log_dir: PathBuf,
    /// The folder of things that can be made again.
    pub cache_dir: PathBuf,
    /// The folder of lists that are kept in case the program ends without closing.
    pub autosave_dir: PathBuf,
    /// The folder of marks that a window is open.
    pub session_dir: PathBuf,
    /// The folder of what was fetched for the program and cannot be made here, such as ONNX Runtime's library.
    pub data_dir: PathBuf,
}

impl Folders {
    /// The folders this system keeps such things in, or those below [`HOME_VARIABLE`]. `None` where the person has no
    /// home folder: then nothing is kept.
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

    /// The folder that pasted pictures are written to, among the person's pictures; below [`HOME_VARIABLE`] where that is
    /// set.
    pub fn pasted_dir() -> Option<PathBuf> {
        if std::env::var_os(HOME_VARIABLE).is_some_and(|home| !home.is_empty()) {
            return Some(Self::find()?.data_dir.join("Pasted"));
        }
        let pictures = directories::UserDirs::new().and_then(|dirs| dirs.picture_dir().map(Path::to_owned));
        let folder = pictures.map(|pictures| pictures.join("Iron Cropper"));
        Some(folder.or_else(|| Some(Self::find()?.data_dir))?.join("Pasted"))
    }

    /// Everything below `home`.
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

    /// The log file of the window that was opened before this one.
    pub fn log_before(&self) -> PathBuf {
        kept_log(&self.log_file())
    }
}

/// Starts writing down what happens, and panics with the file being handled.
///
/// Standard error gets panics alone, and not those that end a photo only; with `verbosity` 1 also the steps and their times, with 2 and more the details, each
/// stage of each photo among them. A log file, where one is given, gets the steps at least; the one of the last start is
/// kept beside it as `.1`. A log file that cannot be made is warned of. `trace`, where it is given, gets every span of the
/// program in Chrome's trace format; the answer tells at the end whether it could be written. Only the first call of a
/// process does anything.
#[must_use = "a trace that could not be written is told"]
pub fn init_logging(verbosity: u8, log_file: Option<PathBuf>, trace: Option<File>) -> TraceCheck {
    let level = |verbosity: u8| match verbosity {
        0 => Targets::new().with_target("batch::platform", LevelFilter::WARN),
        1 => filter(LevelFilter::WARN, LevelFilter::INFO),
        2 => filter(LevelFilter::INFO, LevelFilter::DEBUG),
        _ => filter(LevelFilter::DEBUG, LevelFilter::TRACE),
    };
    // A span's end carries the time spent in it.
    let ends = FmtSpan::CLOSE;
    let (log, trouble) = match log_file.map(LogFile::start) {
        Some(Ok(log)) => (Some(log), None),
        Some(Err(trouble)) => (None, Some(trouble)),
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
    if let Some(trouble) = trouble {
        tracing::warn!(error = %trouble, "there will be no log file");
    }
    check
}

/// A file of bounded length: what is full is kept as `.1` and a new one begun.
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
        Ok(Self { file: fresh(&path)?, path, written: 0 })
    }
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.written >= MAX_LOG_BYTES {
            self.file = fresh(&self.path)?;
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

/// An empty file at `path`, the one that was there kept as `.1`.
fn fresh(path: &Path) -> io::Result<File> {
    let kept = kept_log(path);
    // Where it cannot be kept the log is still worth more than its past.
    let _ = fs::rename(path, kept);
    File::create(path)
}

/// Where a log that is full, or of the start before, is kept.
fn kept_log(path: &Path) -> PathBuf {
    let mut kept = path.as_os_str().to_owned();
    kept.push(".1");
    PathBuf::from(kept)
}

thread_local! {
    static HANDLED: RefCell<Option<PathBuf>> = const { RefCell::new(None) };
}

/// Says, until dropped, which file this thread is at.
#[derive(Debug)]
#[must_use = "the file counts as handled only until this is dropped"]
pub struct ProcessingGuard {
    path: PathBuf,
    before: Option<PathBuf>,
}

/// Notes that this thread is at `path` from now on, so that a panic can name it, and the next start where not even that was
/// possible.
pub fn handling(path: &Path) -> ProcessingGuard {
    session::take_up(path);
    ProcessingGuard { path: path.to_owned(), before: HANDLED.with(|handled| handled.replace(Some(path.to_owned()))) }
}

impl Drop for ProcessingGuard {
    fn drop(&mut self) {
        session::lay_down(&self.path);
        let before = self.before.take();
        HANDLED.with(|handled| *handled.borrow_mut() = before);
    }
}

/// The file this thread is at.
pub fn handled_file() -> Option<PathBuf> {
    HANDLED.try_with(|handled| handled.try_borrow().ok().and_then(|path| path.clone())).ok().flatten()
}

fn log_panics() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let message = info.payload_as_str().unwrap_or("no message");
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let thread = std::thread::current();
        let thread = thread.name().unwrap_or("unnamed");
        match handled_file() {
            // Whoever handles a photo catches it and tells of it as the photo's failure: here it is for the log.
            Some(file) => tracing::error!(target: CAUGHT, ?file, thread, place, "panic: {message}"),
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
    fn the_file_at_hand_is_that_of_the_innermost_guard() {
        assert_eq!(handled_file(), None);
        let outer = handling(Path::new("outer.jpg"));
        {
            let _inner = handling(Path::new("inner.jpg"));
            assert_eq!(handled_file(), Some("inner.jpg".into()));
        }
        assert_eq!(handled_file(), Some("outer.jpg".into()));
        drop(outer);
        assert_eq!(handled_file(), None);
    }

    #[test]
    fn a_panic_lets_go_of_its_file() {
        let panicked = std::panic::catch_unwind(|| {
            let _guard = handling(Path::new("bad.jpg"));
            panic!("expected by this test");
        });
        assert!(panicked.is_err());
        assert_eq!(handled_file(), None);
    }

    #[test]
    fn a_full_log_is_kept_and_a_new_one_begun() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("logs/iron-cropper.log");
        let kept = folder.path().join("logs/iron-cropper.log.1");
        let mut log = LogFile::start(path.clone()).expect("made");
        log.write_all(b"first start").expect("written");
        drop(log);
        let mut log = LogFile::start(path.clone()).expect("made");
        assert_eq!(fs::read(&kept).expect("there"), b"first start");
        log.written = MAX_LOG_BYTES;
        log.write_all(b"after it was full").expect("written");
        assert_eq!(fs::read(&path).expect("there"), b"after it was full");
        assert_eq!(fs::read(&kept).expect("there"), b"");
    }

    #[test]
    fn everything_lies_below_one_folder_when_asked() {
        let folders = Folders::below(Path::new("/portable"));
        for path in
            [&folders.config_file, &folders.log_before(), &folders.cache_dir, &folders.session_dir, &folders.data_dir]
        {
            assert!(path.starts_with("/portable"), "{path:?}");
        }
    }
}
