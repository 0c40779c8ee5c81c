//! ONNX Runtime, through its shared library: loaded once, from an absolute path.
//!
//! No call into the crate `ort` may precede [`load_library`]: the crate would load a library by a bare name, and panic
//! if there is none.

use std::fs;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ndarray::ArrayView4;
use ort::environment::Environment;
use ort::ep::{self, ExecutionProvider, ExecutionProviderDispatch};
use ort::session::builder::{GraphOptimizationLevel, SessionBuilder};
use ort::value::TensorRef;

use inference::onnx::{ModelSummary, ValueSummary, free_input_size};
use inference::{Backend, ModelBytes, Outputs, Session, SessionOptions, input_values};
use outcome::{BackendError, LibraryError, OutputInfo, SessionInfo};
use recipe::{BackendKind, Optimization, Provider, RuntimeLibrary};

use super::locate::{library_of, version_in_name};
use super::ort_message::bare_message;
use super::{compile_cache, devices};

pub(super) static ORT: Ort = Ort;

pub(super) struct Ort;

impl Backend for Ort {
    fn open(
        &self,
        kind: BackendKind,
        model: &ModelBytes,
        options: &SessionOptions,
    ) -> Result<Box<dyn Session>, BackendError> {
        let BackendKind::Ort(provider) = kind else { return Err(BackendError::NotIncluded { kind }) };
        let path = library_of(&options.runtime, RuntimeLibrary::OnnxRuntime)?;
        let (environment, version) = load_library(&path)?;
        let load = |reason| BackendError::Load { kind, model: model.name.clone(), reason };
        let load_error = |reason: String| load(bare_message(&reason).into());
        let chosen = devices::chosen(provider, &options.runtime.device);
        let device = chosen.as_ref().copied().unwrap_or_default();
        let opening = Opening { kind, provider, device, model, options, environment, version, path };
        let freed = free_input_size(model.as_bytes()).map_err(|error| load(error.into()))?;
        let (session, share) = match provider {
            Provider::Cpu => (opening.on_cpu(&freed).map_err(|error| load_error(error.to_string()))?, ""),
            _ => opening.on_provider(&freed, chosen)?,
        };
        if session.inputs().len() != 1 {
            return Err(load_error(format!("it has {} inputs; one is expected", session.inputs().len())));
        }
        Ok(Box::new(OrtSession {
            info: SessionInfo {
                kind,
                version: opening.version,
                device: devices::name(provider, device, &devices::list(provider)) + share,
                input: options.input,
                outputs: session.outputs().iter().map(output_info).collect(),
            },
            shape: [1, 3, options.input.height as usize, options.input.width as usize],
            session,
            output_shape: Vec::new(),
        }))
    }
}

/// The library loaded into this process.
pub(super) struct Library {
    path: PathBuf,
    /// The environment and the library's version; `None` if the library was loaded but its environment could not be
    /// created.
    started: Option<(Environment, String)>,
}

pub(super) static LIBRARY: Mutex<Option<Library>> = Mutex::new(None);

/// DirectML does not support two concurrent runs.
static DIRECTML: Mutex<()> = Mutex::new(());

/// Loads the library at `path`, unless it is loaded already; returns its environment and version.
fn load_library(path: &Path) -> Result<(Environment, String), LibraryError> {
    let mut library = LIBRARY.lock().unwrap_or_else(PoisonError::into_inner);
    let refused = || LibraryError::Unloadable { path: path.to_owned(), reason: "it does not start".to_owned() };
    if let Some(library) = &*library {
        if library.path != path {
            return Err(LibraryError::RestartToApply { path: path.to_owned(), loaded: library.path.clone() });
        }
        return library.started.clone().ok_or_else(refused);
    }
    super::telemetry::check_is_off()?;
    // The crate panics on unknown libraries; such a library is not ONNX Runtime.
    let other = || LibraryError::OtherLibrary { path: path.to_owned() };
    let builder =
        catch_unwind(|| ort::init_from(path)).map_err(|_| other())?.map_err(|error| load_error(path, &error))?;
    // From here on the process is bound to this library, even if its environment cannot be created.
    let library = library.insert(Library { path: path.to_owned(), started: None });
    let started = catch_unwind(AssertUnwindSafe(|| {
        let logger = Arc::new(|_: ort::logging::LogLevel, _: &str, _: &str, place: &str, message: &str| {
            tracing::debug!(target: "onnxruntime", place, "{message}");
        });
        let environment = builder.with_name("iron-cropper").with_telemetry(false).with_logger(logger).build()?;
        environment.set_log_level(ort::logging::LogLevel::Warning);
        Ok::<_, ort::Error>(environment)
    }));
    let environment = started.map_err(|_| other())?.map_err(|error| LibraryError::Unloadable {
        path: path.to_owned(),
        reason: bare_message(&error.to_string()),
    })?;
    Ok(library.started.insert((environment, version(path))).clone())
}

/// The version of the loaded library at `path`. The API reports only the minor number; the patch number is taken from
/// the file name if that has the same minor number.
fn version(path: &Path) -> String {
    let minor = ort::util::probe(path).unwrap_or_default();
    let numbers = path.file_name().and_then(|name| name.to_str()).and_then(version_in_name).unwrap_or_default();
    match numbers[..] {
        [1, named, patch] if named == minor => format!("1.{minor}.{patch}"),
        _ => format!("1.{minor}"),
    }
}

fn load_error(path: &Path, error: &ort::LoadDynamicError) -> LibraryError {
    let path = path.to_owned();
    match error {
        ort::LoadDynamicError::Dlopen { error, .. } => {
            // The system's message is one level deeper.
            let reason = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
            LibraryError::Unloadable { path, reason: bare_message(&reason) }
        }
        ort::LoadDynamicError::BadVersion { version_str, .. } => {
            let needed = format!("1.{}", ort::MINOR_VERSION);
            LibraryError::TooOld { path, found: version_str.clone(), needed }
        }
        ort::LoadDynamicError::MissingApi { .. } | ort::LoadDynamicError::InvalidVersionString => {
            LibraryError::OtherLibrary { path }
        }
    }
}

/// A session that is being opened.
struct Opening<'a> {
    kind: BackendKind,
    provider: Provider,
    /// The number of the device.
    device: u32,
    model: &'a ModelBytes,
    options: &'a SessionOptions,
    environment: Environment,
    version: String,
    path: PathBuf,
}

impl Opening<'_> {
    /// Options of every session: one input size, so that all inner shapes are known; no spinning threads.
    fn builder(&self, level: GraphOptimizationLevel) -> ort::Result<SessionBuilder> {
        let (input, threads) = (self.options.input, self.options.runtime.threads);
        Ok(ort::session::Session::builder(&self.environment)?
            .with_optimization_level(level)?
            .with_dimension_override("height", i64::from(input.height))?
            .with_dimension_override("width", i64::from(input.width))?
            .with_parallel_execution(false)?
            .with_intra_threads(if self.provider == Provider::Xnnpack { 1 } else { threads })?
            .with_intra_op_spinning(false)?)
    }

    fn level(&self) -> GraphOptimizationLevel {
        match self.options.runtime.optimization {
            Optimization::Off => GraphOptimizationLevel::Disable,
            Optimization::Basic => GraphOptimizationLevel::Level1,
            Optimization::Extended => GraphOptimizationLevel::Level2,
            Optimization::All => GraphOptimizationLevel::All,
        }
    }

    /// Opens a session on the CPU, from the cached optimised graph if there is one.
    fn on_cpu(&self, model: &[u8]) -> ort::Result<ort::session::Session> {
        let plain = || self.builder(self.level())?.commit_from_memory(model);
        let Some(kept) = self.optimized_path() else { return plain() };
        if let Ok(bytes) = fs::read(&kept) {
            let again = self.builder(GraphOptimizationLevel::Disable)?.commit_from_memory(&bytes);
            if again.as_ref().is_ok_and(|session| matches_model(session, model)) {
                return again;
            }
            tracing::debug!(file = %kept.display(), "the optimised graph cannot be used; it is created again");
            let _ = fs::remove_file(&kept);
        }
        // Two processes may start at once: each writes its own file, and the last rename wins.
        let unfinished = kept.with_extension(format!("{}.tmp", std::process::id()));
        let session = self.builder(self.level())?.with_optimized_model_path(&unfinished)?.commit_from_memory(model);
        let renamed = fs::rename(&unfinished, &kept);
        if session.is_ok() && renamed.is_ok() {
            return session;
        }
        let _ = fs::remove_file(&unfinished);
        // The reason that the graph could not be written may have prevented the session from opening.
        session.or_else(|_| plain())
    }

    /// The path of the cached optimised graph; `None` without a cache.
    fn optimized_path(&self) -> Option<PathBuf> {
        if self.options.runtime.optimization == Optimization::Off {
            return None;
        }
        let dir = self.options.cache_dir.as_ref()?.join("ort");
        compile_cache::trim(&dir, compile_cache::MAX_CACHE_BYTES).ok()?;
        let key = (self.options.input, self.options.runtime.optimization);
        Some(dir.join(format!("{}.onnx", compile_cache::key(self.model, &self.version, &key))))
    }

    /// The provider's cache folder for this model.
    fn cache_dir(&self) -> Option<PathBuf> {
        let dir = self.options.cache_dir.as_ref()?.join(devices::cache_folder(self.provider, self.device)?);
        Some(dir.join(compile_cache::key(self.model, &self.version, &(self.options.input, self.device))))
    }

    /// Creates that folder and trims its siblings.
    fn create_cache_dir(&self) -> Option<String> {
        compile_cache::make_folder(&self.cache_dir()?)
    }

    /// Opens a session on an execution provider, without fallback to the CPU; also returns a remark on its share of the
    /// graph. If the library has the provider, an error in `chosen` is returned.
    fn on_provider(
        &self,
        model: &[u8],
        chosen: Result<u32, String>,
    ) -> Result<(ort::session::Session, &'static str), BackendError> {
        let kind = self.kind;
        let provider_error = |error: ort::Error| {
            if let Some(dir) = self.cache_dir() {
                compile_cache::remove_if_empty(&dir);
            }
            BackendError::Provider { kind, reason: self.with_available_devices(&bare_message(&error.to_string())) }
        };
        let dispatch = self.dispatch().map_err(provider_error)?.ok_or(BackendError::NotInLibrary { kind })?;
        chosen.map_err(|reason| BackendError::Provider { kind, reason })?;
        let open = |whole_graph: bool| {
            let mut builder = self.builder(self.level())?;
            if self.provider == Provider::DirectMl {
                builder = builder.with_memory_pattern(false)?;
            }
            if whole_graph {
                builder = builder.with_disable_cpu_fallback()?;
            }
            builder.with_execution_providers([dispatch.clone()])?.commit_from_memory(model)
        };
        let _guard = (self.provider == Provider::DirectMl).then(lock_directml);
        let opened = match self.provider {
            // These run on the CPU anyway: unsupported operators use the engine's own kernels.
            Provider::Xnnpack | Provider::OneDnn => open(false).map(|session| (session, "")),
            // CoreML may leave operators to the CPU, which is then reported; every other provider must run the whole
            // graph.
            Provider::CoreMl => open(true)
                .map(|session| (session, ""))
                .or_else(|_| open(false).map(|session| (session, ", CPU for unsupported operators"))),
            _ => open(true).map(|session| (session, "")),
        };
        opened.map_err(provider_error)
    }

    /// The engine's message; for OpenVINO with the available devices, found by registering each.
    fn with_available_devices(&self, message: &str) -> String {
        if self.provider != Provider::OpenVino {
            return message.to_owned();
        }
        let registers = |device: &u32| {
            let provider =
                ep::OpenVINO::default().with_device_type(devices::openvino(*device)).build().error_on_failure();
            self.builder(self.level()).is_ok_and(|builder| builder.with_execution_providers([provider]).is_ok())
        };
        let available: Vec<u32> = devices::OPENVINO.filter(registers).collect();
        devices::openvino_error(self.device, message, &available)
    }

    /// The provider with its options; `None` if the library does not include it.
    fn dispatch(&self) -> ort::Result<Option<ExecutionProviderDispatch>> {
        let device = self.device;
        let signed = i32::try_from(device).unwrap_or(i32::MAX);
        let threads = NonZeroUsize::new(self.options.runtime.threads);
        match self.provider {
            Provider::Cpu => in_library(ep::CPU::default().with_arena_allocator(true)),
            Provider::DirectMl => in_library(ep::DirectML::default().with_device_id(signed)),
            Provider::CoreMl => {
                let coreml = ep::CoreML::default()
                    .with_static_input_shapes(true)
                    .with_model_format(ep::coreml::ModelFormat::MLProgram);
                in_library_with(coreml, |it| with(it, self.create_cache_dir(), ep::CoreML::with_model_cache_dir))
            }
            Provider::Cuda => in_library(ep::CUDA::default().with_device_id(signed)),
            Provider::TensorRt => {
                let tensorrt = ep::TensorRT::default().with_device_id(signed);
                in_library_with(tensorrt, |it| {
                    with(it, self.create_cache_dir(), |tensorrt, dir| {
                        let engines = tensorrt.with_engine_cache(true).with_engine_cache_path(dir.clone());
                        engines.with_timing_cache(true).with_timing_cache_path(dir)
                    })
                })
            }
            Provider::NvTensorRtRtx => {
                let nvrtx = ep::NVRTX::default().with_device_id(device);
                in_library_with(nvrtx, |it| with(it, self.create_cache_dir(), ep::NVRTX::with_runtime_cache_path))
            }
            Provider::MiGraphX => in_library(ep::MIGraphX::default().with_device_id(signed)),
            Provider::OpenVino => {
                let openvino = ep::OpenVINO::default().with_device_type(devices::openvino(device));
                let openvino = with(openvino, threads.map(NonZeroUsize::get), ep::OpenVINO::with_num_threads);
                in_library_with(openvino, |it| with(it, self.create_cache_dir(), ep::OpenVINO::with_cache_dir))
            }
            Provider::WebGpu => in_library(ep::WebGPU::default()),
            Provider::Qnn => {
                // An absolute path: a bare name would be searched by the system.
                let htp = self.path.with_file_name(if cfg!(windows) { "QnnHtp.dll" } else { "libQnnHtp.so" });
                in_library(ep::QNN::default().with_backend_path(htp.display()).with_htp_fp16_precision(true))
            }
            Provider::Xnnpack => {
                in_library(with(ep::XNNPACK::default(), threads, ep::XNNPACK::with_intra_op_num_threads))
            }
            Provider::OneDnn => in_library(ep::OneDNN::default()),
        }
    }
}

/// True if a session opened from a cached graph has the inputs and outputs of `model`; the file may be of another one.
fn matches_model(session: &ort::session::Session, model: &[u8]) -> bool {
    let Ok(summary) = ModelSummary::read(model) else { return false };
    let names = |outlets: &[ort::value::Outlet]| outlets.iter().map(|o| o.name().to_owned()).collect::<Vec<_>>();
    let value_names = |values: &[ValueSummary]| values.iter().map(|value| value.name.clone()).collect::<Vec<_>>();
    names(session.inputs()) == value_names(&summary.inputs) && names(session.outputs()) == value_names(&summary.outputs)
}

/// The provider, set to fail if it cannot be registered; `None` if the library was built without it.
fn in_library<E>(provider: E) -> ort::Result<Option<ExecutionProviderDispatch>>
where
    E: ExecutionProvider + Into<ExecutionProviderDispatch>,
{
    in_library_with(provider, |provider| provider)
}

/// Like [`in_library`], with options that are created only if the library has the provider.
fn in_library_with<E>(provider: E, complete: impl FnOnce(E) -> E) -> ort::Result<Option<ExecutionProviderDispatch>>
where
    E: ExecutionProvider + Into<ExecutionProviderDispatch>,
{
    Ok(E::is_available()?.then(|| complete(provider).into().error_on_failure()))
}

/// Applies an optional setting.
fn with<E, V>(provider: E, value: Option<V>, set: impl FnOnce(E, V) -> E) -> E {
    match value {
        Some(value) => set(provider, value),
        None => provider,
    }
}

fn output_info(output: &ort::value::Outlet) -> OutputInfo {
    let dims = output.dtype().tensor_shape();
    let shape = dims.and_then(|dims| dims.iter().map(|dim| usize::try_from(*dim).ok()).collect());
    OutputInfo { name: output.name().to_owned(), shape }
}

struct OrtSession {
    info: SessionInfo,
    shape: [usize; 4],
    session: ort::session::Session,
    output_shape: Vec<usize>,
}

impl Session for OrtSession {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn run(&mut self, input: ArrayView4<'_, f32>, outputs: &mut Outputs) -> Result<(), BackendError> {
        let values = input_values(&input, self.shape)?;
        let kind = self.info.kind;
        let run_error = |error: ort::Error| BackendError::Run { kind, reason: bare_message(&error.to_string()) };
        let tensor = TensorRef::from_array_view((self.shape, &*values)).map_err(run_error)?;
        let _guard = (kind == BackendKind::Ort(Provider::DirectMl)).then(lock_directml);
        let results = self.session.run(ort::inputs![tensor]).map_err(run_error)?;
        for (index, (info, result)) in self.info.outputs.iter().zip(results.values()).enumerate() {
            let (shape, values) = result.try_extract_tensor::<f32>().map_err(run_error)?;
            self.output_shape.clear();
            self.output_shape.extend(shape.iter().map(|dim| usize::try_from(*dim).unwrap_or_default()));
            outputs.set(index, &info.name, &self.output_shape, values.iter().copied());
        }
        Ok(())
    }
}

fn lock_directml() -> MutexGuard<'static, ()> {
    DIRECTML.lock().unwrap_or_else(PoisonError::into_inner)
}
