//! Measuring a runtime from outside: in a process of its own, where nothing it does can hurt this one.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::Duration;

use engines::probe::{ChildError, run_child};
use engines::{Found, LibraryHints, LibrarySearch, Place, find_library, is_included, probe};
use inference::SessionOptions;
use outcome::{LibraryError, RuntimeFault, RuntimeReport, RuntimeState};
use recipe::{BackendKind, RuntimeOptions};

use super::{MODEL_INPUT, MeasureRequest, measure};
use crate::platform::Folders;

/// What a child is asked for beside opening a session.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ask<'a> {
    /// Runs after the first; `None` only loads.
    pub(super) warm_runs: Option<u32>,
    /// Where its outputs go.
    pub(super) outputs: Option<&'a Path>,
    /// How long all of it may take.
    pub(super) limit: Duration,
}

/// A model, options and a library to measure runtimes with.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    model: Option<PathBuf>,
    /// As they were asked for: the library may be a folder, or none.
    options: RuntimeOptions,
    cache_dir: Option<PathBuf>,
    /// Where the library was looked for.
    pub(super) search: LibrarySearch,
}

impl Subject {
    /// Looks for the library at once.
    pub(super) fn new(model: Option<&Path>, options: &RuntimeOptions, folders: Option<&Folders>) -> Self {
        let of_process = LibraryHints::of_this_process(folders.map(|folders| folders.data_dir.clone()));
        let search = find_library(&LibraryHints { setting: options.library.clone(), ..of_process });
        Self {
            model: model.map(Path::to_owned),
            options: options.clone(),
            cache_dir: folders.map(|folders| folders.cache_dir.clone()),
            search,
        }
    }

    /// What a subject is that no library is needed for: nothing is searched.
    pub(super) fn without_library(model: Option<&Path>, options: &RuntimeOptions, folders: Option<&Folders>) -> Self {
        Self {
            model: model.map(Path::to_owned),
            options: options.clone(),
            cache_dir: folders.map(|folders| folders.cache_dir.clone()),
            search: LibrarySearch::default(),
        }
    }

    /// Where something may be kept.
    pub(super) fn cache_dir(&self) -> Option<&Path> {
        self.cache_dir.as_deref()
    }

    /// The options to open a session of `kind` with, the library named by its absolute path.
    ///
    /// # Errors
    /// `kind` needs the library, and there is none.
    pub(super) fn session_options(&self, kind: BackendKind) -> Result<SessionOptions, LibraryError> {
        let library = match kind {
            BackendKind::Ort(_) => Some(self.search.require()?.to_owned()),
            _ => None,
        };
        let runtime = RuntimeOptions { library, ..self.options.clone() };
        Ok(SessionOptions { input: MODEL_INPUT, runtime, cache_dir: self.cache_dir.clone() })
    }

    /// Measures `kind`. Runtimes that are part of this program are measured in this process where nobody has said which
    /// program a child is; ONNX Runtime never is.
    pub(super) fn measure(&self, kind: BackendKind, ask: Ask<'_>) -> RuntimeReport {
        let without = |state, fault| RuntimeReport::new(kind, state, Some(fault));
        if !is_included(kind) {
            return without(RuntimeState::Unsupported, RuntimeFault::NotIncluded);
        }
        let options = match self.session_options(kind) {
            Ok(options) => options,
            Err(error) => return without(RuntimeState::Missing, missing(error, &self.search)),
        };
        let library = options.runtime.library.clone();
        let request = MeasureRequest {
            kind,
            model: self.model.clone(),
            options: options.runtime,
            input: options.input,
            cache_dir: options.cache_dir,
            load_only: ask.warm_runs.is_none(),
            runs: ask.warm_runs.unwrap_or_default(),
            outputs: ask.outputs.map(Path::to_owned),
            mark: random_mark(),
        };
        let Some(program) = probe::program() else {
            return if library.is_none() {
                RuntimeReport { peak_memory_mb: None, ..measure(&request) }
            } else {
                let words = "it cannot be tried first: no program to try it in was named".to_owned();
                without(RuntimeState::Failed, RuntimeFault::Other(words))
            };
        };
        let report = match run_child(program, &request.arguments(), ask.limit) {
            Ok(answer) => read_answer(&request, &answer).unwrap_or_else(|| {
                let words = "the process that tried it ended without an answer".to_owned();
                without(RuntimeState::Failed, RuntimeFault::Other(words))
            }),
            Err(error) => broken(kind, library.as_deref(), &error),
        };
        RuntimeReport { library: report.library.or(library), ..report }
    }
}

/// The report in a child's standard output: on a line that begins with the mark of its order. What a library prints has no such
/// line, so that a library which prints a report and ends the process with success proves nothing.
fn read_answer(request: &MeasureRequest, answer: &str) -> Option<RuntimeReport> {
    let line = answer.lines().rev().find_map(|line| line.strip_prefix(&request.mark))?;
    let report: RuntimeReport = serde_json::from_str(line).ok()?;
    (report.kind == request.kind).then_some(report)
}

/// Digits that nobody can know beforehand: the keys of a hash map are random.
fn random_mark() -> String {
    format!("{:016x}:", RandomState::new().build_hasher().finish())
}

/// A child that ended badly.
fn broken(kind: BackendKind, library: Option<&Path>, error: &ChildError) -> RuntimeReport {
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

/// Why there is no library, with the variables that name a place without one.
fn missing(error: LibraryError, search: &LibrarySearch) -> RuntimeFault {
    let empty = search.steps.iter().filter(|step| step.found == Found::Nothing);
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
    fn only_an_answer_with_the_mark_of_the_order_counts() {
        let report = RuntimeReport::new(CPU, RuntimeState::Ready, None);
        let line = serde_json::to_string(&report).expect("JSON");
        let request = |kind| MeasureRequest {
            kind,
            model: None,
            options: RuntimeOptions::default(),
            input: MODEL_INPUT,
            cache_dir: None,
            load_only: true,
            runs: 0,
            outputs: None,
            mark: "5eed:".to_owned(),
        };
        let chatter = format!("a library's greeting\n5eed:{line}\na library's farewell\n");
        assert_eq!(read_answer(&request(CPU), &chatter), Some(report));
        assert_eq!(read_answer(&request(BackendKind::Tract), &chatter), None);
        for nothing in ["", "{}", "words", "5eed:", "5eed:{}", &line, &format!("0123:{line}")] {
            assert_eq!(read_answer(&request(CPU), nothing), None, "{nothing}");
        }
        assert_ne!(random_mark(), random_mark());
    }

    #[test]
    fn a_hang_is_the_librarys_where_there_is_one() {
        let hang = ChildError::BadEnd(BadEnd::Slow { limit: Duration::from_secs(8) });
        let with = broken(CPU, Some(Path::new("/lib/x.so")), &hang);
        let reason = with.fault.expect("a reason").to_string();
        assert!(reason.contains("/lib/x.so made the process that tried it take longer than 8 s"), "{reason}");
        let without = broken(BackendKind::Rten, None, &hang).fault.expect("a reason").to_string();
        assert!(without.starts_with("it made the process"), "{without}");
    }

    #[test]
    fn a_variable_that_names_nothing_is_reported() {
        let step = |place, path: &str, found| SearchStep { place, path: Some(path.into()), found };
        let steps = vec![
            step(Place::Variable("ORT_DYLIB_PATH"), "/no/such", Found::Nothing),
            step(Place::Data, "/home/x", Found::Nothing),
        ];
        let search = LibrarySearch { steps, ..LibrarySearch::default() };
        let reason = missing(LibraryError::NotFound, &search).to_string();
        assert!(reason.contains("ORT_DYLIB_PATH names /no/such") && !reason.contains("/home/x"), "{reason}");
    }
}
