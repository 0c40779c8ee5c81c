//! Trying every runtime: does it open, does it agree, how long does it take.

use std::path::Path;
use std::time::{Duration, Instant};

use engines::{LibrarySearch, offered_runtimes};
use inference::onnx::ModelSummary;
use inference::{ModelBytes, Outputs};
use outcome::{RuntimeFault, RuntimeReport, RuntimeState};
use recipe::{BackendKind, Provider, RuntimeOptions};

use super::agreement::{Closeness, agree, max_difference};
use super::cache::CacheKey;
use super::child::{Ask, Subject};
use super::{LIBRARY_LIMIT, MODEL_INPUT, TRY_LIMIT, cache, outputs_file};
use crate::platform::Folders;

/// Runs after the first whose median counts.
const WARM_RUNS: u32 = 7;
/// The same of candle, each of whose runs takes half a second: the library's turn, and its limit, come after it.
const SLOW_WARM_RUNS: u32 = 2;
/// When a library that hangs is given up, from the trial's start, however long the runtimes before it took, so that it
/// is told of within ten seconds ..
const GIVE_UP_AFTER: Duration = Duration::from_secs(9);
/// .. but not before it had this long.
const MIN_LIMIT: Duration = Duration::from_secs(4);

/// Every runtime as it was tried, and where the library was looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct RuntimeTable {
    /// One report a runtime, in the order they are offered.
    pub reports: Vec<RuntimeReport>,
    /// The search for ONNX Runtime's library.
    pub search: LibrarySearch,
}

/// Tries every runtime that can exist on this system, each in a process of its own, with `model` (`None` for the bundled
/// one). What was found under the same conditions before is taken from the cache folder unless `afresh`.
///
/// The library is tried with its processor first: where that fails, its other providers are not tried and share the
/// reason. Outputs on the probe picture are compared with tract's; where tract is not part of the program, with those of
/// the first runtime that works.
pub fn try_runtimes(
    model: Option<&Path>,
    options: &RuntimeOptions,
    folders: Option<&Folders>,
    afresh: bool,
) -> RuntimeTable {
    let subject = Subject::new(model, options, folders);
    try_subject(&subject, model, options, folders, afresh)
}

/// [`try_runtimes`] for a library already looked for.
pub(super) fn try_subject(
    subject: &Subject,
    model: Option<&Path>,
    options: &RuntimeOptions,
    folders: Option<&Folders>,
    afresh: bool,
) -> RuntimeTable {
    let search = subject.search.clone();
    let bytes = match ModelBytes::read_or_bundled(model) {
        Ok(bytes) => bytes,
        Err(error) => {
            let fault = Some(RuntimeFault::of(&error));
            let failed = |kind| RuntimeReport::new(kind, RuntimeState::Failed, fault.clone());
            return RuntimeTable { reports: offered_runtimes().into_iter().map(failed).collect(), search };
        }
    };
    let key = CacheKey::new(&bytes, options, &search);
    let cache_dir = folders.map(|folders| folders.cache_dir.as_path());
    if !afresh && let Some(reports) = cache_dir.and_then(|folder| cache::load_table(folder, &key)) {
        return RuntimeTable { reports, search };
    }
    let reports = Trial::new(subject, is_quantised_model(&bytes)).run();
    if let Some(folder) = cache_dir
        && let Err(error) = cache::store_table(folder, key, reports.clone())
    {
        tracing::warn!(folder = %folder.display(), %error, "what runtimes took cannot be kept");
    }
    RuntimeTable { reports, search }
}

/// Whether each runtime that needs no library, and ONNX Runtime's processor, loads `model`, or why not.
pub fn try_loading(
    model: Option<&Path>,
    options: &RuntimeOptions,
    folders: Option<&Folders>,
) -> Vec<(BackendKind, Result<(), RuntimeFault>)> {
    let subject = Subject::new(model, options, folders);
    let load = |kind| {
        let report = subject.measure(kind, Ask { warm_runs: None, outputs: None, limit: LIBRARY_LIMIT });
        let is_ready = report.state == RuntimeState::Ready;
        (kind, if is_ready { Ok(()) } else { Err(report.fault.unwrap_or(RuntimeFault::Unknown)) })
    };
    let is_asked = |kind: &BackendKind| !matches!(kind, BackendKind::Ort(provider) if *provider != Provider::Cpu);
    offered_runtimes().into_iter().filter(is_asked).map(load).collect()
}

/// True where the model computes in whole numbers: such outputs are judged by the faces alone, since engines round
/// differently.
pub(super) fn is_quantised_model(model: &ModelBytes) -> bool {
    ModelSummary::read(model.as_bytes()).is_ok_and(|summary| is_quantised(&summary))
}

/// True where a model has operators that quantise: what `--precision int8` means.
pub fn is_quantised(summary: &ModelSummary) -> bool {
    const QUANTISING: [&str; 5] =
        ["QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "QLinearConv", "ConvInteger"];
    summary.operators.iter().any(|(operator, _)| QUANTISING.contains(&operator.as_str()))
}

struct Trial<'a> {
    subject: &'a Subject,
    is_quantised: bool,
    start: Instant,
    reference: Option<Outputs>,
}

impl<'a> Trial<'a> {
    fn new(subject: &'a Subject, is_quantised: bool) -> Self {
        Self { subject, is_quantised, start: Instant::now(), reference: None }
    }

    fn run(mut self) -> Vec<RuntimeReport> {
        if let Some(folder) = self.subject.cache_dir() {
            outputs_file::clear_abandoned(folder);
        }
        let mut reports: Vec<RuntimeReport> = Vec::new();
        let mut library_fault: Option<RuntimeReport> = None;
        for kind in offered_runtimes() {
            let report = match (&library_fault, kind) {
                (Some(fault), BackendKind::Ort(_)) => RuntimeReport { kind, ..fault.clone() },
                _ => self.try_one(kind),
            };
            if kind == BackendKind::Ort(Provider::Cpu) && report.state != RuntimeState::Ready {
                // The reason is that of the library, or of the model in it: the other providers stand on both.
                library_fault = Some(report.clone());
            }
            tracing::info!(
                runtime = kind.id(),
                state = report.state.id(),
                warm_ms = report.warm_ms,
                agrees = report.agrees,
                reason = report.fault.as_ref().map(tracing::field::display),
                "runtime tried"
            );
            reports.push(report);
        }
        reports
    }

    fn try_one(&mut self, kind: BackendKind) -> RuntimeReport {
        // The file is this runtime's alone, and gone after it.
        let outputs = match outputs_file::place(self.subject.cache_dir()) {
            Ok(path) => path,
            Err(error) => {
                let fault = RuntimeFault::Other(format!("no temporary file can be made: {error}"));
                return RuntimeReport::new(kind, RuntimeState::Failed, Some(fault));
            }
        };
        let warm_runs = if kind == BackendKind::Candle { SLOW_WARM_RUNS } else { WARM_RUNS };
        let ask = Ask { warm_runs: Some(warm_runs), outputs: Some(&outputs), limit: self.limit(kind) };
        let mut report = self.subject.measure(kind, ask);
        if report.state == RuntimeState::Ready {
            match outputs_file::read(&outputs) {
                Ok(outputs) => self.judge(&mut report, &outputs),
                Err(error) => {
                    let fault = RuntimeFault::Other(format!("its outputs are lost: {error}"));
                    (report.state, report.fault) = (RuntimeState::Failed, Some(fault));
                }
            }
        }
        report
    }

    fn limit(&self, kind: BackendKind) -> Duration {
        if kind == BackendKind::Ort(Provider::Cpu) {
            let left = GIVE_UP_AFTER.saturating_sub(self.start.elapsed());
            left.clamp(MIN_LIMIT, LIBRARY_LIMIT)
        } else {
            TRY_LIMIT
        }
    }

    /// Compares with the reference; the first runtime that works becomes it.
    fn judge(&mut self, report: &mut RuntimeReport, outputs: &Outputs) {
        let reference = self.reference.get_or_insert_with(|| outputs.clone());
        let closeness = closeness(report.kind, self.is_quantised);
        report.agrees = Some(agree(closeness, outputs, reference, MODEL_INPUT));
        report.max_difference = max_difference(outputs, reference).filter(|difference| difference.is_finite());
    }
}

fn closeness(kind: BackendKind, is_quantised: bool) -> Closeness {
    match kind {
        _ if is_quantised => Closeness::Faces,
        BackendKind::Ort(provider) if provider.may_reduce_precision() => Closeness::Faces,
        _ => Closeness::Numbers,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::latency::agreement::tests::outputs;

    /// A table of these reports, without a library.
    pub(crate) fn table(reports: Vec<RuntimeReport>) -> RuntimeTable {
        RuntimeTable { reports, search: LibrarySearch::default() }
    }

    #[test]
    fn precision_is_judged_by_provider_and_model() {
        let cuda = BackendKind::Ort(Provider::Cuda);
        assert_eq!(closeness(BackendKind::Rten, false), Closeness::Numbers);
        assert_eq!(closeness(BackendKind::Rten, true), Closeness::Faces);
        assert_eq!(closeness(BackendKind::Ort(Provider::Cpu), false), Closeness::Numbers);
        assert_eq!(closeness(cuda, false), Closeness::Faces);
        assert!(!is_quantised_model(&ModelBytes::bundled()));
    }

    #[test]
    fn the_first_that_works_is_the_reference_and_others_are_judged_by_it() {
        let subject = Subject::without_library(None, &RuntimeOptions::default(), None);
        let mut trial = Trial::new(&subject, false);
        let mut judged = |kind, outputs: Outputs| {
            let mut report = RuntimeReport::new(kind, RuntimeState::Ready, None);
            trial.judge(&mut report, &outputs);
            (report.agrees, report.max_difference)
        };
        assert_eq!(judged(BackendKind::Tract, outputs(2, 0.9, 0.0)), (Some(true), Some(0.0)));
        let (agrees, difference) = judged(BackendKind::Rten, outputs(2, 0.7, 0.0));
        assert!(agrees == Some(false) && difference.is_some_and(|difference| (difference - 0.2).abs() < 1e-6));
        assert_eq!(judged(BackendKind::Rten, outputs(2, f32::NAN, 0.0)), (Some(false), None));
    }

    #[test]
    fn a_hanging_library_leaves_time_to_say_so() {
        let subject = Subject::without_library(None, &RuntimeOptions::default(), None);
        let mut trial = Trial::new(&subject, false);
        let cpu = BackendKind::Ort(Provider::Cpu);
        assert!(trial.limit(cpu) <= LIBRARY_LIMIT && trial.limit(BackendKind::Tract) == TRY_LIMIT);
        trial.start = Instant::now().checked_sub(Duration::from_secs(60)).expect("a minute ago");
        assert_eq!(trial.limit(cpu), MIN_LIMIT);
    }
}
