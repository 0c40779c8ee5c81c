//! Gathers the diagnostics.

use std::path::PathBuf;

use serde::Serialize;

use outcome::{Device, ModelReport, RuntimeReport};
use recipe::{RuntimeLibrary, RuntimeOptions};

use super::redact::Redactor;
use super::{
    CropTrial, DisplayFacts, FolderFacts, LoggedError, MachineFacts, SettingsFacts, folders, log, machine, settings,
    trial,
};
use crate::latency::{AutoChoice, RuntimeTable, choose, try_runtimes};
use crate::platform::Folders;
use crate::settings::Settings;

/// Raised if a field changes its meaning or is removed; not for new fields.
const SCHEMA: u32 = 1;

/// The options for gathering diagnostics.
#[derive(Clone, Debug, Default)]
pub struct DiagnosisSpec {
    /// The model file to test runtimes with; `None` for the bundled one.
    pub model: Option<PathBuf>,
    /// Options for their sessions.
    pub options: RuntimeOptions,
    /// The settings in use; `None` for those in the file.
    pub settings: Option<Settings>,
    /// Facts about the window; `None` without one.
    pub window: Option<WindowFacts>,
    /// True to ignore cached results of runtime tests.
    pub afresh: bool,
    /// True if this build includes the window.
    pub has_window: bool,
}

#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct WindowFacts {
    /// The requested runtime.
    pub asked: String,
    /// The runtime in use with version, device and load time; or why there is none.
    pub in_use: String,
    /// Why Auto chose it.
    pub why: Option<String>,
    /// The renderer: graphics API, vendor and name of the card, and driver version.
    pub renderer: Option<String>,
    /// The display server, on Linux, and the choice that led to it.
    pub display: Option<String>,
    /// Pixels per point requested by the system.
    pub scale: Option<f32>,
    /// Scale of text and all other elements; 1 is the default size.
    pub text_scale: f32,
    /// Width and height of the monitor, in points.
    pub monitor: Option<[f32; 2]>,
    /// Width and height of the window's content area, in points.
    pub inside: Option<[f32; 2]>,
    /// The language of the window.
    pub language: String,
}

/// Diagnostics of the program and the machine. Texts contain the home folder as `~`, and no photos and no user names.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diagnosis {
    pub schema: u32,
    /// The program's version.
    pub version: &'static str,
    /// Enabled features of the build.
    pub features: Vec<&'static str>,
    /// True for an unoptimised build.
    pub debug_build: bool,
    pub machine: MachineFacts,
    /// The display, as far as known without a window.
    pub display: DisplayFacts,
    /// The window, if there is one.
    pub window: Option<WindowFacts>,
    /// True if the runtimes were tested with a custom detector.
    pub own_model: bool,
    /// True if they were tested with custom models of faces.
    pub own_face_models: bool,
    pub runtimes: Vec<RuntimeFacts>,
    /// The runtime that Auto chooses.
    pub auto: Option<&'static str>,
    /// Why Auto chooses it.
    pub auto_why: Option<String>,
    /// ONNX Runtime's library.
    pub library: LibraryFacts,
    /// LiteRT's library.
    pub litert: LibraryFacts,
    pub folders: Vec<FolderFacts>,
    pub settings: SettingsFacts,
    /// The last errors of the window's log, oldest first.
    pub errors: Vec<LoggedError>,
    /// The result of a test crop.
    pub crop: CropTrial,
}

/// One runtime; times in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuntimeFacts {
    /// Its id.
    pub name: &'static str,
    /// `ready`, `missing`, `failed` or `unsupported`.
    pub state: &'static str,
    /// Why it is not ready.
    pub reason: Option<String>,
    /// The engine's own version.
    pub version: Option<String>,
    /// The device it runs on.
    pub device: Option<String>,
    /// The devices it can run on, with its own numbers; empty if it chooses one itself or they are unknown.
    pub devices: Vec<Device>,
    /// Time to load library and model in a new process.
    pub load_ms: Option<f64>,
    /// Time of the first run.
    pub first_ms: Option<f64>,
    /// Median time of later runs of the detector.
    pub warm_ms: Option<f64>,
    /// Time of the whole work of a photo with one face.
    pub photo_ms: Option<f64>,
    /// The models that describe faces.
    pub models: Vec<ModelFacts>,
    /// Whether its result on a built-in image agrees with tract's.
    pub agrees: Option<bool>,
}

/// A model that describes faces, on one runtime.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelFacts {
    /// Its id.
    pub name: &'static str,
    /// Median time of a run, in milliseconds.
    pub warm_ms: Option<f64>,
    /// Why it cannot be used.
    pub reason: Option<String>,
}

/// The search for a library.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LibraryFacts {
    /// Path of the library found.
    pub found: Option<String>,
    /// Why none was found.
    pub problem: Option<String>,
    /// The locations searched, with results.
    pub places: Vec<String>,
}

/// Gathers the diagnostics; takes as long as testing the runtimes if the results are not cached, and a second or two
/// otherwise.
pub fn gather(spec: &DiagnosisSpec) -> Diagnosis {
    let folders = Folders::find();
    let entered = [spec.model.as_deref(), spec.options.face_models.as_deref()];
    let redactor = Redactor::of_this_process().hiding(entered.into_iter().flatten());
    let table = try_runtimes(spec.model.as_deref(), &spec.options, folders.as_ref(), spec.afresh);
    let auto = choose(&table);
    Diagnosis {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        features: features(spec.has_window),
        debug_build: cfg!(debug_assertions),
        machine: machine::machine(),
        display: machine::display(),
        window: spec.window.clone().map(|window| without_names(window, &redactor)),
        own_model: spec.model.is_some(),
        own_face_models: spec.options.face_models.is_some(),
        runtimes: table.reports.iter().map(|report| runtime(report, &redactor)).collect(),
        auto: auto.as_ref().map(|auto| auto.kind.id()),
        auto_why: auto.map(|AutoChoice { why, .. }| redactor.redact_paths(&why.to_string())),
        library: library(RuntimeLibrary::OnnxRuntime, &table, &redactor),
        litert: library(RuntimeLibrary::LiteRt, &table, &redactor),
        folders: folders::collect(folders.as_ref(), &redactor),
        settings: settings::collect(spec.settings.as_ref(), folders.as_ref(), &redactor),
        errors: folders.map_or_else(Vec::new, |folders| {
            log::last_errors(&[folders.previous_log_file(), folders.log_file()], &redactor)
        }),
        crop: trial::crop(&table, &spec.options, &redactor),
    }
}

fn features(has_window: bool) -> Vec<&'static str> {
    let all = [
        ("window", has_window),
        ("tract", cfg!(feature = "tract")),
        ("rten", cfg!(feature = "rten")),
        ("ort", cfg!(feature = "ort")),
        ("litert", cfg!(feature = "litert")),
        ("candle", cfg!(feature = "candle")),
        ("burn", cfg!(feature = "burn")),
    ];
    all.into_iter().filter_map(|(name, is_included)| is_included.then_some(name)).collect()
}

fn runtime(report: &RuntimeReport, redactor: &Redactor) -> RuntimeFacts {
    let rounded = |ms: f64| (ms * 1e3).round() / 1e3;
    let model = |model: &ModelReport| ModelFacts {
        name: model.model.id(),
        warm_ms: model.warm_ms.map(rounded),
        reason: model.fault.as_ref().map(|fault| redactor.redact_paths(&fault.to_string())),
    };
    RuntimeFacts {
        name: report.kind.id(),
        state: report.state.id(),
        reason: report.fault.as_ref().map(|fault| redactor.redact_paths(&fault.to_string())),
        version: report.version.clone(),
        device: report.device.clone(),
        devices: report.devices.clone(),
        load_ms: report.load_ms.map(rounded),
        first_ms: report.first_ms.map(rounded),
        warm_ms: report.warm_ms.map(rounded),
        photo_ms: report.photo_ms().map(rounded),
        models: report.models.iter().map(model).collect(),
        agrees: report.agrees,
    }
}

fn library(library: RuntimeLibrary, table: &RuntimeTable, redactor: &Redactor) -> LibraryFacts {
    let Some(search) = table.searches.iter().find(|search| search.name == library) else {
        return LibraryFacts::default();
    };
    let place = |step: &engines::SearchStep| {
        let path = step.path.as_ref().map(|path| format!(" {}", path.display())).unwrap_or_default();
        redactor.redact_paths(&format!("{}{path}: {}", step.place, step.found))
    };
    LibraryFacts {
        found: search.library.as_ref().map(|path| redactor.redact_paths(&path.to_string_lossy())),
        problem: search.problem.as_ref().map(|problem| redactor.redact_paths(&problem.to_string())),
        places: search.steps.iter().map(place).collect(),
    }
}

fn without_names(window: WindowFacts, redactor: &Redactor) -> WindowFacts {
    WindowFacts {
        in_use: redactor.redact_paths(&window.in_use),
        why: window.why.map(|why| redactor.redact_paths(&why)),
        ..window
    }
}
