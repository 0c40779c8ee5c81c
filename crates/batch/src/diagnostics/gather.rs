//! Gathering everything.

use std::path::PathBuf;

use serde::Serialize;

use engines::LibrarySearch;
use outcome::RuntimeReport;
use recipe::RuntimeOptions;

use super::private::Private;
use super::{
    CropTrial, DisplayFacts, FolderFacts, LoggedError, MachineFacts, SettingsFacts, choices, folders, log, machine,
    trial,
};
use crate::latency::{AutoChoice, choose, try_runtimes};
use crate::platform::Folders;
use crate::settings::Settings;

/// Raised when a field changes its meaning or goes away; new fields do not raise it.
const SCHEMA: u32 = 1;

/// What is looked at.
#[derive(Clone, Debug, Default)]
pub struct DiagnosisSpec {
    /// The model file that runtimes are tried with; `None` for the bundled one.
    pub model: Option<PathBuf>,
    /// How their sessions are opened.
    pub options: RuntimeOptions,
    /// The settings in use; `None` for those in the file.
    pub settings: Option<Settings>,
    /// What the window knows; `None` without one.
    pub window: Option<WindowFacts>,
    /// True to try every runtime again, whatever was found before.
    pub afresh: bool,
    /// True if this program has a window.
    pub has_window: bool,
}

/// What the window knows of itself.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct WindowFacts {
    /// The runtime asked for.
    pub asked: String,
    /// The runtime in use, its version and device, and how long it took to open; or why there is none.
    pub in_use: String,
    /// Why Auto took it.
    pub why: Option<String>,
    /// What draws: the graphics interface, the card's maker, its name and the driver's version.
    pub renderer: Option<String>,
    /// Pixels of a point that the system asks for.
    pub scale: Option<f32>,
    /// How many times its usual size everything is.
    pub text_scale: f32,
    /// Width and height of the monitor, in points.
    pub monitor: Option<[f32; 2]>,
    /// Width and height of the window's inside, in points.
    pub inside: Option<[f32; 2]>,
    /// The language of the window.
    pub language: String,
}

/// What is known of this program and machine. Texts hold the home folder as `~`, and neither photos nor names.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diagnosis {
    /// The layout of the fields.
    pub schema: u32,
    /// The program's version.
    pub version: &'static str,
    /// What was built in.
    pub features: Vec<&'static str>,
    /// True for a build that is not optimised.
    pub debug_build: bool,
    /// The machine.
    pub machine: MachineFacts,
    /// Its display, as far as it is known without a window.
    pub display: DisplayFacts,
    /// The window, where there is one.
    pub window: Option<WindowFacts>,
    /// Whether the runtimes were tried with a model of the person's own.
    pub own_model: bool,
    /// Every runtime.
    pub runtimes: Vec<RuntimeFacts>,
    /// The one that Auto takes.
    pub auto: Option<&'static str>,
    /// Why.
    pub auto_why: Option<String>,
    /// ONNX Runtime's library.
    pub library: LibraryFacts,
    /// The program's folders.
    pub folders: Vec<FolderFacts>,
    /// The settings.
    pub settings: SettingsFacts,
    /// The last errors of the window's log, oldest first.
    pub errors: Vec<LoggedError>,
    /// Whether a photo can be cropped.
    pub crop: CropTrial,
}

/// One runtime; times in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuntimeFacts {
    /// Its name.
    pub name: &'static str,
    /// `ready`, `missing`, `failed` or `unsupported`.
    pub state: &'static str,
    /// Why it is not ready.
    pub reason: Option<String>,
    /// The engine's own version.
    pub version: Option<String>,
    /// Where it computes.
    pub device: Option<String>,
    /// To load library and model in a fresh process.
    pub load_ms: Option<f64>,
    /// The first run.
    pub first_ms: Option<f64>,
    /// A run after the first ones.
    pub warm_ms: Option<f64>,
    /// Whether it finds on a built-in picture what tract finds.
    pub agrees: Option<bool>,
}

/// The search for ONNX Runtime's library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LibraryFacts {
    /// The one found.
    pub found: Option<String>,
    /// Why there is none.
    pub problem: Option<String>,
    /// Each place that was looked at, and what was there.
    pub places: Vec<String>,
}

/// Looks at everything; takes as long as trying the runtimes where that was not done before, and a second or two otherwise.
pub fn gather(spec: &DiagnosisSpec) -> Diagnosis {
    let folders = Folders::find();
    let private = Private::of_this_process();
    let table = try_runtimes(spec.model.as_deref(), &spec.options, folders.as_ref(), spec.afresh);
    let auto = choose(&table);
    Diagnosis {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        features: features(spec.has_window),
        debug_build: cfg!(debug_assertions),
        machine: machine::machine(),
        display: machine::display(),
        window: spec.window.clone().map(|window| without_names(window, &private)),
        own_model: spec.model.is_some(),
        runtimes: table.reports.iter().map(|report| runtime(report, &private)).collect(),
        auto: auto.as_ref().map(|auto| auto.kind.id()),
        auto_why: auto.map(|AutoChoice { why, .. }| private.tilde(&why.to_string())),
        library: library(&table.search, &private),
        folders: folders::look(folders.as_ref(), &private),
        settings: choices::look(spec.settings.as_ref(), folders.as_ref(), &private),
        errors: folders
            .map_or_else(Vec::new, |folders| log::last_errors(&[folders.log_before(), folders.log_file()], &private)),
        crop: trial::crop(&table, &spec.options, &private),
    }
}

fn features(has_window: bool) -> Vec<&'static str> {
    let all = [
        ("window", has_window),
        ("tract", cfg!(feature = "tract")),
        ("rten", cfg!(feature = "rten")),
        ("ort", cfg!(feature = "ort")),
        ("candle", cfg!(feature = "candle")),
        ("burn", cfg!(feature = "burn")),
    ];
    all.into_iter().filter_map(|(name, is_included)| is_included.then_some(name)).collect()
}

fn runtime(report: &RuntimeReport, private: &Private) -> RuntimeFacts {
    let rounded = |ms: f64| (ms * 1e3).round() / 1e3;
    RuntimeFacts {
        name: report.kind.id(),
        state: report.state.id(),
        reason: report.fault.as_ref().map(|fault| private.tilde(&fault.to_string())),
        version: report.version.clone(),
        device: report.device.clone(),
        load_ms: report.load_ms.map(rounded),
        first_ms: report.first_ms.map(rounded),
        warm_ms: report.warm_ms.map(rounded),
        agrees: report.agrees,
    }
}

fn library(search: &LibrarySearch, private: &Private) -> LibraryFacts {
    let place = |step: &engines::SearchStep| {
        let path = step.path.as_ref().map(|path| format!(" {}", path.display())).unwrap_or_default();
        private.tilde(&format!("{}{path}: {}", step.place, step.found))
    };
    LibraryFacts {
        found: search.library.as_ref().map(|path| private.tilde(&path.to_string_lossy())),
        problem: search.problem.as_ref().map(|problem| private.tilde(&problem.to_string())),
        places: search.steps.iter().map(place).collect(),
    }
}

fn without_names(window: WindowFacts, private: &Private) -> WindowFacts {
    WindowFacts { in_use: private.tilde(&window.in_use), why: window.why.map(|why| private.tilde(&why)), ..window }
}
