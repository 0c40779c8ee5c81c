//! Measures a runtime in a child process, so that a crash or hang does not affect this process.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::Duration;

use engines::probe::{ChildError, run_child};
use engines::{Found, LibraryHints, LibrarySearch, Place, find_library, is_included, probe};
use geometry::Size;
use inference::SessionOptions;
use outcome::{LibraryError, RuntimeFault, RuntimeReport, RuntimeState};
use recipe::{BackendKind, RuntimeLibrary, RuntimeOptions};

use super::{MODEL_INPUT, MeasureRequest, measure};
use crate::platform::Folders;

/// Options for a measurement.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeasureOptions<'a> {
    /// Number of runs after the first; `None` to only load the model.
    pub(super) warm_runs: Option<u32>,
    /// File for its outputs.
    pub(super) outputs: Option<&'a Path>,
    /// Timeout for the whole measurement.
    pub(super) limit: Duration,
}

/// A model, options and libraries to measure runtimes with.
#[derive(Clone, Debug)]
pub(super) struct MeasureSetup {
    model: Option<PathBuf>,
    /// As requested: the libraries may be folders, or none.
    options: RuntimeOptions,
    cache_dir: Option<PathBuf>,
    input: Size,
    detector_only: bool,
    pub(super) searches: Vec<LibrarySearch>,
}

impl MeasureSetup {
    /// Searches for every library.
    pub(super) fn new(model: Option<&Path>, options: &RuntimeOptions, folders: Option<&Folders>) -> Self {
        let data_dir = folders.map(|folders| &folders.data_dir);
        let search = |library| {
            let configured = options.path_of(library).map(Path::to_owned);
            find_library(&LibraryHints { configured, ..LibraryHints::of_this_process(library, data_dir.cloned()) })
        };
        let searches = RuntimeLibrary::ALL.into_iter().map(search).collect();
        Self { searches, ..Self::without_library(model, options, folders) }
    }

    /// For runtimes that need no library: nothing is searched.
    pub(super) fn without_library(model: Option<&Path>, options: &RuntimeOptions, folders: Option<&Folders>) -> Self {
        Self {
            model: model.map(Path::to_owned),
            options: options.clone(),
            cache_dir: folders.map(|folders| folders.cache_dir.clone()),
            input: MODEL_INPUT,
            detector_only: false,
            searches: Vec::new(),
        }
    }

    /// With an input of `input` pixels for the model file.
    pub(super) fn with_input(self, input: Size) -> Self {
        Self { input, ..self }
    }

    /// Without the models that describe faces.
    pub(super) fn detector_only(self) -> Self {
        Self { detector_only: true, ..self }
    }

    pub(super) fn cache_dir(&self) -> Option<&Path> {
        self.cache_dir.as_deref()
    }

    /// The options for opening a session of `kind`, with the absolute path of its library and of no other.
    ///
    /// # Errors
    /// Fails if `kind` needs a library and it was not found.
    pub(super) fn session_options(&self, kind: BackendKind) -> Result<SessionOptions, LibraryError> {
        let mut runtime = RuntimeOptions { library: None, litert: None, ..self.options.clone() };
        if let Some(library) = kind.library() {
            let search = self.search_of(library).ok_or(LibraryError::NotFound { library })?;
            *runtime.path_of_mut(library) = Some(search.require()?.to_owned());
        }
        Ok(SessionOptions { input: self.input, runtime, cache_dir: self.cache_dir.clone() })
    }

    fn search_of(&self, library: RuntimeLibrary) -> Option<&LibrarySearch> {
        self.searches.iter().find(|search| search.name == library)
    }

    /// Measures `kind`. If no executable for child processes is set, built-in runtimes are measured in this process;
    /// those of a library never are.
    pub(super) fn measure(&self, kind: BackendKind, measure_options: MeasureOptions<'_>) -> RuntimeReport {
        let without = |state, fault| RuntimeReport::new(kind, state, Some(fault));
        if !is_included(kind) {
            return without(RuntimeState::Unsupported, RuntimeFault::NotIncluded);
        }
        let options = match self.session_options(kind) {
            Ok(options) => options,
            Err(error) => {
                let search = kind.library().and_then(|library| self.search_of(library));
                return without(RuntimeState::Missing, missing(error, search));
            }
        };
        let library = kind.library().and_then(|library| options.runtime.path_of(library)).map(Path::to_owned);
        let request = MeasureRequest {
            kind,
            model: self.model.clone(),
            options: options.runtime,
            input: options.input,
            cache_dir: options.cache_dir,
            load_only: measure_options.warm_runs.is_none(),
            detector_only: self.detector_only,
            runs: measure_options.warm_runs.unwrap_or_default(),
            outputs: measure_options.outputs.map(Path::to_owned),
            mark: random_marker(),
        };
        let Some(program) = probe::program() else {
            return if library.is_none() {
                RuntimeReport { peak_memory_mb: None, ..measure(&request) }
            } else {
                let message = "it cannot be tested first: no program is set for the test process".to_owned();
                without(RuntimeState::Failed, RuntimeFault::Other(message))
            };
        };
        let report = match run_child(program, &request.arguments(), measure_options.limit) {
            Ok(answer) => read_answer(&request, &answer).unwrap_or_else(|| {
                let message = "the test process ended without an answer".to_owned();
                without(RuntimeState::Failed, RuntimeFault::Other(message))
            }),
            Err(error) => failed_child(kind, library.as_deref(), &error),
        };
        RuntimeReport { library: report.library.or(library), ..report }
    }
}

/// Finds the report in a child's standard output: the line that begins with the request's marker. A library that prints a
/// report itself and exits successfully does not know the marker.
fn read_answer(request: &MeasureRequest, answer: &str) -> Option<RuntimeReport> {
    let line = answer.lines().rev().find_map(|line| line.strip_prefix(&request.mark))?;
    let report: RuntimeReport = serde_json::from_str(line).ok()?;
    (report.kind == request.kind).then_some(report)
}

/// An unpredictable marker: the keys of a hash map's hasher are random.
fn random_marker() -> String {
    format!("{:016x}:", RandomState::new().build_hasher().finish())
}

/// The report for a child that failed.
fn failed_child(kind: BackendKind, library: Option<&Path>, error: &ChildError) -> RuntimeReport {
    let end = match error {
        ChildError::CannotStart { .. } => None,
        ChildError::BadEnd(end) => Some(end.clone()),
    };
    let fault = match (library, end) {
        (Some(path), Some(what)) => {
            let error = LibraryError::Unsafe { path: path.to_owned(), what };
            RuntimeFault::Library { error, named: Vec::new() }
        }
        (None, Some(end)) => RuntimeFault::BadEnd(end),
        (_, None) => RuntimeFault::Other(error.to_string()),
    };
    RuntimeReport::new(kind, RuntimeState::Failed, Some(fault))
}

/// Why there is no library, with the environment variables that refer to a location without one.
fn missing(error: LibraryError, search: Option<&LibrarySearch>) -> RuntimeFault {
    let empty = search.into_iter().flat_map(|search| &search.steps).filter(|step| step.found == Found::Nothing);
    let named = empty.filter_map(|step| match step.place {
        Place::Variable(name) => Some((name.to_owned(), step.path.clone()?)),
        _ => None,
    });
    RuntimeFault::Library { error, named: named.collect() }
}

#[cfg(test)]
mod tests {
    use engines::SearchStep;
    use outcome::BadEnd;
    use recipe::Provider;

    use super::*;

    const CPU: BackendKind = BackendKind::Ort(Provider::Cpu);

    #[test]
    fn only_an_answer_with_the_marker_of_the_request_counts() {
        let report = RuntimeReport::new(CPU, RuntimeState::Ready, None);
        let line = serde_json::to_string(&report).expect("JSON");
        let request = |kind| MeasureRequest {
            kind,
            model: None,
            options: RuntimeOptions::default(),
            input: MODEL_INPUT,
            cache_dir: None,
            load_only: true,
            detector_only: false,
            runs: 0,
            outputs: None,
            mark: "5eed:".to_owned(),
        };
        let chatter = format!("a library's greeting\n5eed:{line}\na library's farewell\n");
        assert_eq!(read_answer(&request(CPU), &chatter), Some(report));
        assert_eq!(read_answer(&request(BackendKind::Tract), &chatter), None);
        for nothing in ["", "{}", "message", "5eed:", "5eed:{}", &line, &format!("0123:{line}")] {
            assert_eq!(read_answer(&request(CPU), nothing), None, "{nothing}");
        }
        assert_ne!(random_marker(), random_marker());
    }

    #[test]
    fn a_report_of_an_earlier_build_has_no_models() {
        let report = RuntimeReport::new(CPU, RuntimeState::Ready, None);
        let mut json = serde_json::to_value(&report).expect("JSON");
        json.as_object_mut().expect("an object").remove("models");
        assert_eq!(serde_json::from_value::<RuntimeReport>(json).expect("a report"), report);
    }

    #[test]
    fn a_hang_is_attributed_to_the_library_if_there_is_one() {
        let hang = ChildError::BadEnd(BadEnd::Slow { limit: Duration::from_secs(8) });
        let with = failed_child(CPU, Some(Path::new("/lib/x.so")), &hang);
        let reason = with.fault.expect("a reason").to_string();
        assert!(reason.contains("/lib/x.so: the test process took longer than 8 s"), "{reason}");
        let without = failed_child(BackendKind::Rten, None, &hang).fault.expect("a reason").to_string();
        assert!(without.starts_with("the test process"), "{without}");
    }

    #[test]
    fn a_variable_that_refers_to_nothing_is_reported() {
        let step = |place, path: &str, found| SearchStep { place, path: Some(path.into()), found };
        let steps = vec![
            step(Place::Variable("ORT_DYLIB_PATH"), "/no/such", Found::Nothing),
            step(Place::Data, "/home/x", Found::Nothing),
        ];
        let search = LibrarySearch { steps, ..LibrarySearch::default() };
        let reason =
            missing(LibraryError::NotFound { library: RuntimeLibrary::OnnxRuntime }, Some(&search)).to_string();
        assert!(reason.contains("ORT_DYLIB_PATH points to /no/such") && !reason.contains("/home/x"), "{reason}");
    }
}
