//! The search for the libraries of runtimes: the documented places in order, each with its result.
//!
//! Files are only inspected, never loaded. Every result is an absolute path: with a bare name the system would choose,
//! and Windows has an old `onnxruntime.dll` of its own.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use outcome::LibraryError;
use recipe::RuntimeLibrary;

use super::probe::run_child;

/// The environment variables for the path of `library`, in search order.
pub const fn library_variables(library: RuntimeLibrary) -> &'static [&'static str] {
    match library {
        RuntimeLibrary::OnnxRuntime => &["ORT_DYLIB_PATH", "ONNXRUNTIME_DIR", "ONNXRUNTIME_LIB_DIR"],
        RuntimeLibrary::LiteRt => &["LITERT_LIBRARY"],
    }
}

/// Its folder in the program's folder and in the user's data folder.
const fn folder_name(library: RuntimeLibrary) -> &'static str {
    match library {
        RuntimeLibrary::OnnxRuntime => "onnxruntime",
        RuntimeLibrary::LiteRt => "litert",
    }
}

/// Time limit of `pkg-config`.
const PKG_CONFIG_LIMIT: Duration = Duration::from_secs(3);

/// The inputs of the search; [`of_this_process`](Self::of_this_process) fills in those known to the process.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LibraryHints {
    /// The library that is searched.
    pub library: RuntimeLibrary,
    /// The file or folder given by the library's option, or else in the settings.
    pub configured: Option<PathBuf>,
    /// The variables of [`library_variables`] that are set.
    pub variables: BTreeMap<String, OsString>,
    /// The program's folder.
    pub exe_dir: Option<PathBuf>,
    /// The user's data folder; the library is searched in its subfolder.
    pub data_dir: Option<PathBuf>,
    /// The system's library folders.
    pub system_dirs: Vec<PathBuf>,
    /// The `pkg-config` program, which knows ONNX Runtime; run last and only if nothing was found before.
    pub pkg_config: Option<PathBuf>,
}

impl LibraryHints {
    /// The environment, program folder and system folders of this process, and the user's data folder.
    pub fn of_this_process(library: RuntimeLibrary, data_dir: Option<PathBuf>) -> Self {
        let variable =
            |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(|value| (name.to_owned(), value));
        let exe = std::env::current_exe().and_then(std::fs::canonicalize).ok().map(without_verbatim);
        Self {
            library,
            variables: library_variables(library).iter().copied().filter_map(variable).collect(),
            exe_dir: exe.as_deref().and_then(Path::parent).map(Path::to_owned),
            data_dir,
            system_dirs: system_dirs(library),
            pkg_config: (library == RuntimeLibrary::OnnxRuntime).then(|| on_search_path("pkg-config")).flatten(),
            ..Self::default()
        }
    }
}

/// The result of searching one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A library, by its absolute path.
    Library(PathBuf),
    /// No library, although the place is configured.
    Nothing,
    /// The place is not configured.
    Unset,
    /// Not searched: a library was found before.
    Passed,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Library(path) => write!(f, "found {}", path.display()),
            Self::Nothing => f.write_str("not found"),
            Self::Unset => f.write_str("not set"),
            Self::Passed => f.write_str("not checked"),
        }
    }
}

/// A place in which the library is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The library's option, or the settings.
    Configured,
    /// An environment variable, by its name.
    Variable(&'static str),
    /// The program's folder.
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
    /// The displayed name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Configured => "option or setting",
            Self::Variable(name) => name,
            Self::Program => "next to the program",
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

/// One searched place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchStep {
    pub place: Place,
    /// The searched file or folder.
    pub path: Option<PathBuf>,
    pub found: Found,
}

/// The result of the search: every place in order, and the library to use.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LibrarySearch {
    /// The library that was searched.
    pub name: RuntimeLibrary,
    /// The places in search order.
    pub steps: Vec<SearchStep>,
    /// The library to use, from the first place that has one.
    pub library: Option<PathBuf>,
    /// Why there is no usable library. If the option or the setting is given, its path must have a library.
    pub problem: Option<LibraryError>,
}

impl LibrarySearch {
    /// The library to use.
    ///
    /// # Errors
    /// No library was found, or the path of the option or the setting has none.
    pub fn require(&self) -> Result<&Path, LibraryError> {
        self.library
            .as_deref()
            .ok_or_else(|| self.problem.clone().unwrap_or(LibraryError::NotFound { library: self.name }))
    }

    /// Searches `path`, which is `None` if `place` is not configured.
    fn search(&mut self, place: Place, path: Option<PathBuf>) -> bool {
        let library = path.as_deref().and_then(|path| library_at(self.name, path));
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
        let is_found = matches!(found, Found::Library(_));
        self.steps.push(SearchStep { place, path, found });
        is_found
    }

    /// Searches the configured place: if it has no library, no other place is used.
    fn search_configured(&mut self, path: Option<&Path>) {
        let is_found = self.search(Place::Configured, path.map(Path::to_owned));
        if let Some(path) = path
            && !is_found
            && self.library.is_none()
        {
            let library = self.name;
            self.problem.get_or_insert_with(|| LibraryError::NotThere { library, path: path.to_owned() });
        }
    }
}

/// Searches the documented places for the library, in this order:
///
/// 1. `--onnxruntime FILE_OR_DIR` or `--litert FILE_OR_DIR`, or else the setting
/// 2. the [variables](library_variables)
/// 3. the program's folder, its subfolder `onnxruntime` or `litert`, and an app bundle's `Frameworks`
/// 4. `onnxruntime` or `litert` in the user's data folder, the target of `installer/onnxruntime/fetch.py`
/// 5. the system's library folders, and the `libdir` of `libonnxruntime` in `pkg-config`; never on Windows
///
/// The first place with a library is used. If the path of the option or the setting has none, that is an error; a
/// variable without one is skipped and reported in its step.
pub fn find_library(hints: &LibraryHints) -> LibrarySearch {
    let (name, folder) = (hints.library, folder_name(hints.library));
    let mut search = LibrarySearch { name, ..LibrarySearch::default() };
    search.search_configured(hints.configured.as_deref());
    for variable in library_variables(name) {
        search.search(Place::Variable(variable), hints.variables.get(*variable).map(PathBuf::from));
    }
    if let Some(dir) = &hints.exe_dir {
        search.search(Place::Program, Some(dir.clone()));
        search.search(Place::Program, Some(dir.join(folder)));
        if cfg!(target_os = "macos") {
            search.search(Place::Bundle, Some(dir.join("../Frameworks")));
        }
    }
    search.search(Place::Data, hints.data_dir.as_ref().map(|dir| dir.join(folder)));
    for dir in &hints.system_dirs {
        search.search(Place::System, Some(dir.clone()));
    }
    if let Some(program) = &hints.pkg_config {
        if search.library.is_none() && search.problem.is_none() {
            search.search(Place::PkgConfig, query_pkg_config(program));
        } else {
            search.steps.push(SearchStep { place: Place::PkgConfig, path: None, found: Found::Passed });
        }
    }
    if search.library.is_none() {
        search.problem.get_or_insert(LibraryError::NotFound { library: name });
    }
    search
}

/// The absolute path of `library`, whose file or folder is in `options`.
///
/// # Errors
/// There is no path, or no library at it.
#[cfg(any(feature = "ort", feature = "litert"))]
pub(super) fn library_of(options: &recipe::RuntimeOptions, library: RuntimeLibrary) -> Result<PathBuf, LibraryError> {
    let path = options.path_of(library).ok_or(LibraryError::NotFound { library })?;
    library_at(library, path).ok_or_else(|| LibraryError::NotThere { library, path: path.to_owned() })
}

/// The library at `path`: the file itself, or the newest one in the folder, its `lib`, or the folder of a Python wheel.
fn library_at(library: RuntimeLibrary, path: &Path) -> Option<PathBuf> {
    let path = path.canonicalize().ok()?;
    if path.is_file() {
        return Some(without_verbatim(path));
    }
    let folders: &[&str] = match library {
        RuntimeLibrary::OnnxRuntime => &["", "lib", "capi", "onnxruntime/capi"],
        RuntimeLibrary::LiteRt => &["", "lib", "ai_edge_litert"],
    };
    let find = |folder: PathBuf| match library {
        RuntimeLibrary::OnnxRuntime => newest_in(&folder),
        // There is one name, without a version.
        RuntimeLibrary::LiteRt => folder.join(LITERT_NAME).canonicalize().ok().filter(|path| path.is_file()),
    };
    folders.iter().find_map(|below| find(path.join(below))).map(without_verbatim)
}

/// The file name of LiteRT's library on this system.
const LITERT_NAME: &str = if cfg!(windows) {
    "libLiteRt.dll"
} else if cfg!(target_os = "macos") {
    "libLiteRt.dylib"
} else {
    "libLiteRt.so"
};

/// The newest ONNX Runtime library in a folder; links are resolved first, so that `libonnxruntime.so` has the version of its target.
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

/// The version in the file name of an ONNX Runtime library, empty if there is none; `None` for other names.
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

/// Removes the prefix of `\\?\C:\..`, the result of `canonicalize` on Windows, which some loaders reject.
fn without_verbatim(path: PathBuf) -> PathBuf {
    let text = path.to_str().unwrap_or_default();
    match text.strip_prefix(r"\\?\") {
        Some(plain) if !plain.starts_with("UNC") => PathBuf::from(plain),
        _ => path,
    }
}

/// The folders of the system's loader in which a library may be installed; none on Windows, whose own
/// `onnxruntime.dll` is too old.
fn system_dirs(library: RuntimeLibrary) -> Vec<PathBuf> {
    let dirs: &[&str] = if cfg!(target_os = "macos") {
        &["/opt/homebrew/lib", "/usr/local/lib", "/opt/local/lib"]
    } else if cfg!(target_os = "linux") {
        &["/usr/local/lib", "/usr/lib", "/usr/lib64"]
    } else {
        &[]
    };
    let own = cfg!(target_os = "linux") && library == RuntimeLibrary::OnnxRuntime;
    let own = own.then(|| PathBuf::from("/opt/onnxruntime/lib"));
    let multiarch = cfg!(target_os = "linux").then(|| format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH));
    dirs.iter().map(PathBuf::from).chain(own).chain(multiarch.map(PathBuf::from)).collect()
}

fn on_search_path(program: &str) -> Option<PathBuf> {
    if cfg!(windows) {
        return None;
    }
    let dirs = std::env::var_os("PATH")?;
    std::env::split_paths(&dirs).map(|dir| dir.join(program)).find(|path| path.is_absolute() && path.is_file())
}

fn query_pkg_config(program: &Path) -> Option<PathBuf> {
    let question = ["--variable=libdir", "libonnxruntime"].map(OsString::from);
    let answer = run_child(program, &question, PKG_CONFIG_LIMIT).ok()?;
    let dir = PathBuf::from(answer.trim());
    dir.is_absolute().then_some(dir)
}
