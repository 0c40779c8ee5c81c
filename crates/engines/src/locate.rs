//! Where ONNX Runtime's library is: the documented places, in order, each with what was found there.
//!
//! Files are only looked at, never loaded. Every answer is an absolute path: a bare name would let the system choose, and
//! Windows keeps an old `onnxruntime.dll` of its own.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use outcome::LibraryError;
use recipe::RuntimeOptions;

use super::probe::run_child;

/// The environment variables that may name the library, in the order they are asked.
pub const LIBRARY_VARIABLES: [&str; 3] = ["ORT_DYLIB_PATH", "ONNXRUNTIME_DIR", "ONNXRUNTIME_LIB_DIR"];

/// How long `pkg-config` may take.
const PKG_CONFIG_LIMIT: Duration = Duration::from_secs(3);

/// What the search starts from; [`of_this_process`](Self::of_this_process) fills in what the process itself knows.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LibraryHints {
    /// The file or folder named by `--onnxruntime`.
    pub flag: Option<PathBuf>,
    /// The file or folder named in the settings.
    pub setting: Option<PathBuf>,
    /// The environment: those of [`LIBRARY_VARIABLES`] that are set.
    pub variables: BTreeMap<String, OsString>,
    /// The folder the program is in.
    pub exe_dir: Option<PathBuf>,
    /// The user's data folder; the library is looked for in `onnxruntime` below it.
    pub data_dir: Option<PathBuf>,
    /// Library folders of the system.
    pub system_dirs: Vec<PathBuf>,
    /// The `pkg-config` program, asked last and only where nothing was found before.
    pub pkg_config: Option<PathBuf>,
}

impl LibraryHints {
    /// The environment, program folder and system folders of this process, with the user's data folder.
    pub fn of_this_process(data_dir: Option<PathBuf>) -> Self {
        let variable =
            |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(|value| (name.to_owned(), value));
        let exe = std::env::current_exe().and_then(std::fs::canonicalize).ok().map(without_verbatim);
        Self {
            variables: LIBRARY_VARIABLES.into_iter().filter_map(variable).collect(),
            exe_dir: exe.as_deref().and_then(Path::parent).map(Path::to_owned),
            data_dir,
            system_dirs: system_dirs(),
            pkg_config: on_search_path("pkg-config"),
            ..Self::default()
        }
    }
}

/// What one place held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A library, by its absolute path.
    Library(PathBuf),
    /// Nothing, though the place was named.
    Nothing,
    /// The place was not named.
    Unset,
    /// A library was found before.
    Passed,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Library(path) => write!(f, "found {}", path.display()),
            Self::Nothing => f.write_str("nothing there"),
            Self::Unset => f.write_str("not set"),
            Self::Passed => f.write_str("not asked"),
        }
    }
}

/// What names a place where the library may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The flag `--onnxruntime`.
    Flag,
    /// The setting.
    Setting,
    /// A variable of the environment, by its name.
    Variable(&'static str),
    /// The program's own folder.
    Program,
    /// The folder `Frameworks` of an app bundle.
    Bundle,
    /// The user's data folder.
    Data,
    /// The system's library folders.
    System,
    /// The program `pkg-config`.
    PkgConfig,
}

impl Place {
    /// The name shown to people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flag => "--onnxruntime",
            Self::Setting => "setting",
            Self::Variable(name) => name,
            Self::Program => "beside the program",
            Self::Bundle => "app bundle",
            Self::Data => "data folder",
            Self::System => "system",
            Self::PkgConfig => "pkg-config",
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One place that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchStep {
    /// What named it.
    pub place: Place,
    /// The file or folder looked at.
    pub path: Option<PathBuf>,
    /// What was there.
    pub found: Found,
}

/// A search for the library: every place in order, and which library serves.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LibrarySearch {
    /// The places, in the order they count.
    pub steps: Vec<SearchStep>,
    /// The library to use: that of the first place that has one.
    pub library: Option<PathBuf>,
    /// Why there is none, or why none may be used: what flag or setting name explicitly must be there.
    pub problem: Option<LibraryError>,
}

impl LibrarySearch {
    /// The library to use.
    ///
    /// # Errors
    /// There is none, or flag or setting name a place without one.
    pub fn require(&self) -> Result<&Path, LibraryError> {
        self.library.as_deref().ok_or_else(|| self.problem.clone().unwrap_or(LibraryError::NotFound))
    }

    /// Looks at `path`, which is `None` where `place` does not name one.
    fn look(&mut self, place: Place, path: Option<PathBuf>) -> bool {
        let library = path.as_deref().and_then(library_at);
        let found = match (&path, library) {
            (None, _) => Found::Unset,
            (Some(_), None) => Found::Nothing,
            (Some(_), Some(library)) => {
                if self.problem.is_none() && self.library.is_none() {
                    self.library = Some(library.clone());
                }
                Found::Library(library)
            }
        };
        let is_there = matches!(found, Found::Library(_));
        self.steps.push(SearchStep { place, path, found });
        is_there
    }

    /// Looks at a place a person named: if it is empty, no other may stand in for it.
    fn look_at_named(&mut self, place: Place, path: Option<&Path>) {
        let is_there = self.look(place, path.map(Path::to_owned));
        if let Some(path) = path
            && !is_there
            && self.library.is_none()
        {
            self.problem.get_or_insert_with(|| LibraryError::NotThere { path: path.to_owned() });
        }
    }
}

/// Looks for the library in every documented place, in this order:
///
/// 1. `--onnxruntime FILE_OR_DIR`: what is said for one run goes before what is kept
/// 2. the setting
/// 3. `ORT_DYLIB_PATH`, `ONNXRUNTIME_DIR`, `ONNXRUNTIME_LIB_DIR`
/// 4. beside the program: its folder, `onnxruntime` in it, and an app bundle's `Frameworks`
/// 5. `onnxruntime` in the user's data folder, where `installer/onnxruntime/fetch.py` puts it
/// 6. the system's library folders, and what `pkg-config` says of `libonnxruntime`; never on Windows
///
/// The first place that has one decides. A flag or setting that names a place without one is an error, not passed over;
/// a variable that does is passed over, and its step says so.
pub fn find_library(hints: &LibraryHints) -> LibrarySearch {
    let mut search = LibrarySearch::default();
    search.look_at_named(Place::Flag, hints.flag.as_deref());
    search.look_at_named(Place::Setting, hints.setting.as_deref());
    for name in LIBRARY_VARIABLES {
        search.look(Place::Variable(name), hints.variables.get(name).map(PathBuf::from));
    }
    if let Some(dir) = &hints.exe_dir {
        search.look(Place::Program, Some(dir.clone()));
        search.look(Place::Program, Some(dir.join("onnxruntime")));
        if cfg!(target_os = "macos") {
            search.look(Place::Bundle, Some(dir.join("../Frameworks")));
        }
    }
    search.look(Place::Data, hints.data_dir.as_ref().map(|dir| dir.join("onnxruntime")));
    for dir in &hints.system_dirs {
        search.look(Place::System, Some(dir.clone()));
    }
    if let Some(program) = &hints.pkg_config {
        if search.library.is_none() && search.problem.is_none() {
            search.look(Place::PkgConfig, ask_pkg_config(program));
        } else {
            search.steps.push(SearchStep { place: Place::PkgConfig, path: None, found: Found::Passed });
        }
    }
    if search.library.is_none() {
        search.problem.get_or_insert(LibraryError::NotFound);
    }
    search
}

/// The options with `library` set to the absolute path of the file to load; `options.library` is the setting.
///
/// # Errors
/// There is no library, or flag or setting name a place without one.
pub fn resolve_library(options: &RuntimeOptions, hints: &LibraryHints) -> Result<RuntimeOptions, LibraryError> {
    let setting = options.library.clone().or_else(|| hints.setting.clone());
    let search = find_library(&LibraryHints { setting, ..hints.clone() });
    Ok(RuntimeOptions { library: Some(search.require()?.to_owned()), ..options.clone() })
}

/// The library that is `path`, or the newest of those in the folder `path`, `lib` in it, or a wheel's `capi` in it.
pub(super) fn library_at(path: &Path) -> Option<PathBuf> {
    let path = path.canonicalize().ok()?;
    if path.is_file() {
        return Some(without_verbatim(path));
    }
    let folders = ["", "lib", "capi", "onnxruntime/capi"];
    folders.iter().find_map(|below| newest_in(&path.join(below))).map(without_verbatim)
}

/// The newest library in one folder; links are followed first, so that `libonnxruntime.so` counts by what it points at.
fn newest_in(dir: &Path) -> Option<PathBuf> {
    let names = std::fs::read_dir(dir).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let libraries = names
        .filter(|path| path.file_name().and_then(|name| name.to_str()).and_then(version_in_name).is_some())
        .filter_map(|path| path.canonicalize().ok())
        .filter(|path| path.is_file());
    libraries.max_by_key(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        (version_in_name(name).unwrap_or_default(), path.clone())
    })
}

/// The version in the name of an ONNX Runtime library, empty where the name has none; `None` for other names.
pub(super) fn version_in_name(name: &str) -> Option<Vec<u32>> {
    let version = if cfg!(windows) {
        name.eq_ignore_ascii_case("onnxruntime.dll").then_some("")
    } else if cfg!(target_os = "macos") {
        name.strip_prefix("libonnxruntime").and_then(|rest| rest.strip_suffix(".dylib"))
    } else {
        name.strip_prefix("libonnxruntime.so")
    }?;
    match version.strip_prefix('.') {
        Some(numbers) => numbers.split('.').map(|number| number.parse().ok()).collect(),
        None => version.is_empty().then(Vec::new),
    }
}

/// Windows' `canonicalize` answers `\\?\C:\..`, which some loaders refuse and nobody wants to read.
fn without_verbatim(path: PathBuf) -> PathBuf {
    let text = path.to_str().unwrap_or_default();
    match text.strip_prefix(r"\\?\") {
        Some(plain) if !plain.starts_with("UNC") => PathBuf::from(plain),
        _ => path,
    }
}

/// The folders the system's loader knows, as far as ONNX Runtime may be installed there; none on Windows, whose own
/// `onnxruntime.dll` is too old.
fn system_dirs() -> Vec<PathBuf> {
    let dirs: &[&str] = if cfg!(target_os = "macos") {
        &["/opt/homebrew/lib", "/usr/local/lib", "/opt/local/lib"]
    } else if cfg!(target_os = "linux") {
        &["/usr/local/lib", "/usr/lib", "/usr/lib64", "/opt/onnxruntime/lib"]
    } else {
        &[]
    };
    let multiarch = cfg!(target_os = "linux").then(|| format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH));
    dirs.iter().map(PathBuf::from).chain(multiarch.map(PathBuf::from)).collect()
}

fn on_search_path(program: &str) -> Option<PathBuf> {
    if cfg!(windows) {
        return None;
    }
    let dirs = std::env::var_os("PATH")?;
    std::env::split_paths(&dirs).map(|dir| dir.join(program)).find(|path| path.is_absolute() && path.is_file())
}

fn ask_pkg_config(program: &Path) -> Option<PathBuf> {
    let question = ["--variable=libdir", "libonnxruntime"].map(OsString::from);
    let answer = run_child(program, &question, PKG_CONFIG_LIMIT).ok()?;
    let dir = PathBuf::from(answer.trim());
    dir.is_absolute().then_some(dir)
}
