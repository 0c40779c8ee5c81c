//! Tests every runtime: whether it opens, whether it agrees with the reference, and how long it takes.

use std::path::Path;
use std::time::{Duration, Instant};

use engines::{LibrarySearch, offered_runtimes};
use inference::onnx::ModelSummary;
use inference::{ModelBytes, Outputs, file_name};
use outcome::{RuntimeFault, RuntimeReport, RuntimeState};
use recipe::{BackendKind, ModelKind, Provider, RuntimeOptions};

use super::agreement::{Tolerance, Tolerances, agree, max_difference};
use super::cache::CacheKey;
use super::child::{MeasureOptions, MeasureSetup};
use super::{LIBRARY_LIMIT, MODEL_INPUT, TRY_LIMIT, cache, outputs_file};
use crate::platform::Folders;

/// Number of runs after the first, whose median is reported.
const WARM_RUNS: u32 = 7;
/// The same for candle, whose runs take half a second each: the library is tested after it, within a common time limit.
const SLOW_WARM_RUNS: u32 = 2;
/// Time limit for a hanging library, from the start of the test of all runtimes, so that it is reported within ten
/// seconds ..
const LIBRARY_DEADLINE: Duration = Duration::from_secs(9);
/// .. but at least this time for the library itself.
const MIN_LIMIT: Duration = Duration::from_secs(4);

/// The test results of all runtimes, and the searches for their libraries.
#[derive(Clone, Debug, PartialEq)]
pub struct RuntimeTable {
    /// One report per runtime, in the order they are offered.
    pub reports: Vec<RuntimeReport>,
    /// The search for each library.
    pub searches: Vec<LibrarySearch>,
}

/// Tests every runtime available on this system in a child process, with `model` (`None` for the bundled one). Cached
/// results for the same conditions are used unless `afresh`.
///
/// ONNX Runtime's library is tested with its CPU provider first: if that fails, the other providers are not tested and get
/// the same reason. Outputs on the probe image are compared with tract's; if tract is not built in, with those of the first
/// runtime that works.
pub fn try_runtimes(
    model: Option<&Path>,
    options: &RuntimeOptions,
    folders: Option<&Folders>,
    afresh: bool,
) -> RuntimeTable {
    let setup = MeasureSetup::new(model, options, folders);
    try_with_setup(&setup, model, options, folders, afresh)
}

/// [`try_runtimes`] with a search that is already done.
pub(super) fn try_with_setup(
    setup: &MeasureSetup,
    model: Option<&Path>,
    options: &RuntimeOptions,
    folders: Option<&Folders>,
    afresh: bool,
) -> RuntimeTable {
    let searches = setup.searches.clone();
    let bytes = match ModelBytes::read_or_bundled(model) {
        Ok(bytes) => bytes,
        Err(error) => {
            let fault = Some(RuntimeFault::of(&error));
            let failed = |kind| RuntimeReport::new(kind, RuntimeState::Failed, fault.clone());
            return RuntimeTable { reports: offered_runtimes().into_iter().map(failed).collect(), searches };
        }
    };
    let key = CacheKey::new(&bytes, options, &searches);
    let cache_dir = folders.map(|folders| folders.cache_dir.as_path());
    if !afresh && let Some(reports) = cache_dir.and_then(|folder| cache::load_table(folder, &key)) {
        return RuntimeTable { reports, searches };
    }
    let reports = Trial::new(setup, Quantised::of(&bytes, options)).run();
    if let Some(folder) = cache_dir
        && let Err(error) = cache::store_table(folder, key, reports.clone())
    {
        tracing::warn!(folder = %folder.display(), %error, "the runtime timings cannot be stored");
    }
    RuntimeTable { reports, searches }
}

/// True if the model is quantised: its outputs are compared by faces only, since engines round differently.
pub(super) fn is_quantised_model(model: &ModelBytes) -> bool {
    ModelSummary::read(model.as_bytes()).is_ok_and(|summary| is_quantised(&summary))
}

/// True if a model has quantisation operators, as selected by `--precision int8`.
pub fn is_quantised(summary: &ModelSummary) -> bool {
    const QUANTISING: [&str; 5] =
        ["QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "QLinearConv", "ConvInteger"];
    summary.operators.iter().any(|(operator, _)| QUANTISING.contains(&operator.as_str()))
}

/// True if one of the user's own face models is quantised.
fn has_quantised_face_model(options: &RuntimeOptions) -> bool {
    let Some(folder) = &options.face_models else { return false };
    let model = |kind| ModelBytes::read(&folder.join(file_name(kind)));
    ModelKind::OF_FACES.into_iter().any(|kind| model(kind).is_ok_and(|model| is_quantised_model(&model)))
}

/// Which models are quantised.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quantised {
    detector: bool,
    face_models: bool,
}

impl Quantised {
    pub(super) fn of(model: &ModelBytes, options: &RuntimeOptions) -> Self {
        Self { detector: is_quantised_model(model), face_models: has_quantised_face_model(options) }
    }

    /// True if the outputs of `kind` on the probe image agree with those of the reference.
    pub(super) fn agree(self, kind: BackendKind, outputs: &Outputs, reference: &Outputs) -> bool {
        let Self { detector, face_models } = self;
        let tolerances = Tolerances { detector: tolerance(kind, detector), face_models: tolerance(kind, face_models) };
        agree(tolerances, outputs, reference, MODEL_INPUT)
    }
}

/// Measures `kind` with `warm_runs` runs after the first; returns its outputs on the probe image as well if it is ready.
pub(super) fn measure_with_outputs(
    setup: &MeasureSetup,
    kind: BackendKind,
    warm_runs: u32,
    limit: Duration,
) -> (RuntimeReport, Option<Outputs>) {
    let failed = |fault| (RuntimeState::Failed, Some(RuntimeFault::Other(fault)));
    // A separate file for each runtime, removed afterwards.
    let file = match outputs_file::create(setup.cache_dir()) {
        Ok(file) => file,
        Err(error) => {
            let (state, fault) = failed(format!("no temporary file can be created: {error}"));
            return (RuntimeReport::new(kind, state, fault), None);
        }
    };
    let options = MeasureOptions { warm_runs: Some(warm_runs), outputs: Some(&file), limit };
    let mut report = setup.measure(kind, options);
    if report.state != RuntimeState::Ready {
        return (report, None);
    }
    match outputs_file::read(&file) {
        Ok(outputs) => (report, Some(outputs)),
        Err(error) => {
            (report.state, report.fault) = failed(format!("its outputs cannot be read: {error}"));
            (report, None)
        }
    }
}

struct Trial<'a> {
    setup: &'a MeasureSetup,
    quantised: Quantised,
    start: Instant,
    reference: Option<Outputs>,
}

impl<'a> Trial<'a> {
    fn new(setup: &'a MeasureSetup, quantised: Quantised) -> Self {
        Self { setup, quantised, start: Instant::now(), reference: None }
    }

    fn run(mut self) -> Vec<RuntimeReport> {
        if let Some(folder) = self.setup.cache_dir() {
            outputs_file::clear_abandoned(folder);
        }
        let mut reports: Vec<RuntimeReport> = Vec::new();
        let mut library_fault: Option<RuntimeReport> = None;
        let mut in_library: Option<RuntimeReport> = None;
        for kind in offered_runtimes() {
            let report = match (&library_fault, kind) {
                (Some(fault), BackendKind::Ort(_)) => RuntimeReport { kind, ..fault.clone() },
                (None, BackendKind::Ort(_))
                    if let Some(report) = in_library.as_ref().and_then(|cpu| absent(cpu, kind)) =>
                {
                    report
                }
                _ => self.try_one(kind),
            };
            if kind == BackendKind::Ort(Provider::Cpu) {
                // If it failed, the cause is the library, or the model in it: the other providers depend on both.
                let cpu = if report.state == RuntimeState::Ready { &mut in_library } else { &mut library_fault };
                *cpu = Some(report.clone());
            }
            tracing::info!(
                runtime = kind.id(),
                state = report.state.id(),
                warm_ms = report.warm_ms,
                photo_ms = report.photo_ms(),
                agrees = report.agrees,
                reason = report.fault.as_ref().map(tracing::field::display),
                "runtime tested"
            );
            for without in report.model_faults() {
                tracing::warn!(runtime = kind.id(), model = without.model.id(), reason = %without.fault, "model not usable");
            }
            reports.push(report);
        }
        reports
    }

    fn try_one(&mut self, kind: BackendKind) -> RuntimeReport {
        let warm_runs = if kind == BackendKind::Candle { SLOW_WARM_RUNS } else { WARM_RUNS };
        let (mut report, outputs) = measure_with_outputs(self.setup, kind, warm_runs, self.limit(kind));
        if let Some(outputs) = outputs {
            self.compare_with_reference(&mut report, &outputs);
        }
        report
    }

    fn limit(&self, kind: BackendKind) -> Duration {
        if matches!(kind, BackendKind::Litert | BackendKind::Ort(Provider::Cpu)) {
            let left = LIBRARY_DEADLINE.saturating_sub(self.start.elapsed());
            left.clamp(MIN_LIMIT, LIBRARY_LIMIT)
        } else {
            TRY_LIMIT
        }
    }

    /// Compares with the reference; the first runtime that works becomes the reference.
    fn compare_with_reference(&mut self, report: &mut RuntimeReport, outputs: &Outputs) {
        let reference = self.reference.get_or_insert_with(|| outputs.clone());
        report.agrees = Some(self.quantised.agree(report.kind, outputs, reference));
        report.max_difference = max_difference(outputs, reference).filter(|difference| difference.is_finite());
    }
}

/// The report on a provider that the library lacks by its own list, which the test of the CPU provider has read; `None` if it
/// has the provider or there is no list.
fn absent(cpu: &RuntimeReport, kind: BackendKind) -> Option<RuntimeReport> {
    if cpu.in_library.as_ref()?.contains(&kind) {
        return None;
    }
    let absent = RuntimeReport::new(kind, RuntimeState::Unsupported, Some(RuntimeFault::NotInLibrary));
    Some(RuntimeReport { library: cpu.library.clone(), ..absent })
}

fn tolerance(kind: BackendKind, is_quantised: bool) -> Tolerance {
    match kind {
        _ if is_quantised => Tolerance::Faces,
        BackendKind::Ort(provider) if provider.may_reduce_precision() => Tolerance::Faces,
        _ => Tolerance::Numbers,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::latency::agreement::tests::outputs;

    /// A table with these reports, without a library.
    pub(crate) fn table(reports: Vec<RuntimeReport>) -> RuntimeTable {
        RuntimeTable { reports, searches: Vec::new() }
    }

    #[test]
    fn the_tolerance_depends_on_provider_and_model() {
        let cuda = BackendKind::Ort(Provider::Cuda);
        assert_eq!(tolerance(BackendKind::Rten, false), Tolerance::Numbers);
        assert_eq!(tolerance(BackendKind::Rten, true), Tolerance::Faces);
        assert_eq!(tolerance(BackendKind::Ort(Provider::Cpu), false), Tolerance::Numbers);
        assert_eq!(tolerance(cuda, false), Tolerance::Faces);
        assert!(!is_quantised_model(&ModelBytes::bundled()));
    }

    #[test]
    fn the_first_working_runtime_is_the_reference_for_the_others() {
        let setup = MeasureSetup::without_library(None, &RuntimeOptions::default(), None);
        let mut trial = Trial::new(&setup, Quantised::default());
        let mut judged = |kind, outputs: Outputs| {
            let mut report = RuntimeReport::new(kind, RuntimeState::Ready, None);
            trial.compare_with_reference(&mut report, &outputs);
            (report.agrees, report.max_difference)
        };
        assert_eq!(judged(BackendKind::Tract, outputs(2, 0.9, 0.0)), (Some(true), Some(0.0)));
        let (agrees, difference) = judged(BackendKind::Rten, outputs(2, 0.7, 0.0));
        assert!(agrees == Some(false) && difference.is_some_and(|difference| (difference - 0.2).abs() < 1e-6));
        assert_eq!(judged(BackendKind::Rten, outputs(2, f32::NAN, 0.0)), (Some(false), None));
    }

    #[test]
    fn a_provider_that_the_library_lacks_is_reported_without_a_test() {
        let (cpu, cuda) = (BackendKind::Ort(Provider::Cpu), BackendKind::Ort(Provider::Cuda));
        let unknown = RuntimeReport {
            library: Some("/lib/libonnxruntime.so".into()),
            ..RuntimeReport::new(cpu, RuntimeState::Ready, None)
        };
        assert_eq!(absent(&unknown, cuda), None, "it may be there");
        let known = RuntimeReport { in_library: Some(vec![cpu]), ..unknown };
        assert_eq!(absent(&known, cpu), None);
        let report = absent(&known, cuda).expect("absent");
        assert_eq!(
            (report.kind, report.state, report.fault),
            (cuda, RuntimeState::Unsupported, Some(RuntimeFault::NotInLibrary))
        );
        assert_eq!(report.library, known.library);
    }

    #[test]
    fn a_hanging_library_is_reported_in_time() {
        let setup = MeasureSetup::without_library(None, &RuntimeOptions::default(), None);
        let mut trial = Trial::new(&setup, Quantised::default());
        let cpu = BackendKind::Ort(Provider::Cpu);
        assert!(trial.limit(cpu) <= LIBRARY_LIMIT && trial.limit(BackendKind::Tract) == TRY_LIMIT);
        trial.start = Instant::now().checked_sub(Duration::from_secs(60)).expect("a minute ago");
        assert_eq!(trial.limit(cpu), MIN_LIMIT);
    }

    #[test]
    fn face_models_of_the_user_may_be_quantised() {
        let folder = tempfile::tempdir().expect("folder");
        let options = RuntimeOptions { face_models: Some(folder.path().to_owned()), ..RuntimeOptions::default() };
        assert!(!has_quantised_face_model(&RuntimeOptions::default()) && !has_quantised_face_model(&options));
        // A graph with one node, `QLinearConv`: fields 7, 1 and 4 of the protocol buffer.
        let operator = b"QLinearConv";
        let mut node = vec![0x22, operator.len() as u8];
        node.extend_from_slice(operator);
        let mut graph = vec![0x0a, node.len() as u8];
        graph.extend(node);
        let mut model = vec![0x3a, graph.len() as u8];
        model.extend(graph);
        std::fs::write(folder.path().join(file_name(ModelKind::Person)), model).expect("written");
        assert!(has_quantised_face_model(&options));
    }
}
