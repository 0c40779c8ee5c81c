//! Open detectors: sharing them between threads, and opening them again after a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use faces::Detector;
use geometry::{Face, RotatedSquare};
use outcome::{DetectError, Detection, FaceModelFault, OpenError, PersonMask, RuntimeInUse, SessionInfo};
use picture::Picture;
use pipeline::{DetectorHandle, panic_message};
use recipe::{BackendKind, DetectSpec, Provider, RuntimeChoice};

use super::{OpenDetector, OpenRequest};
use crate::latency::OpenedRuntime;

/// How long a batch waits for urgent detections before it checks again: a fraction of any engine's inference time.
const BACKOFF: Duration = Duration::from_micros(200);

/// Opens detectors, one at a time.
#[derive(Clone)]
pub(super) struct Opener(Arc<Mutex<OpenDetector>>);

impl Opener {
    pub(super) fn new(open: OpenDetector) -> Self {
        Self(Arc::new(Mutex::new(open)))
    }

    /// Opens the requested runtime; a panic of the engine is returned as an error.
    pub(super) fn open(&self, options: &OpenRequest) -> Result<OpenedRuntime, OpenError> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        catch_unwind(AssertUnwindSafe(|| open(options)))
            .unwrap_or_else(|panic| Err(OpenError::Panicked { message: panic_message(&*panic) }))
    }
}

/// A detector shared by one or more threads, used by one at a time.
#[derive(Clone)]
struct DetectorSlot {
    detector: Arc<Mutex<Box<dyn Detector>>>,
    info: SessionInfo,
    long_side: u32,
    /// Number of urgent detections (the user waits for them) running or about to start.
    urgent: Arc<AtomicUsize>,
    is_urgent: bool,
}

impl DetectorSlot {
    fn new(detector: Box<dyn Detector>) -> Self {
        let (info, long_side) = (detector.info().clone(), detector.long_side());
        Self { detector: Arc::new(Mutex::new(detector)), info, long_side, urgent: Arc::default(), is_urgent: true }
    }

    /// Runs `work` with exclusive access to the detector; urgent work takes precedence over a batch's.
    fn with_detector<T>(&self, work: impl FnOnce(&mut dyn Detector) -> T) -> T {
        let _urgent = self.is_urgent.then(|| Urgent::new(&self.urgent));
        while !self.is_urgent && self.urgent.load(Ordering::Acquire) > 0 {
            std::thread::sleep(BACKOFF);
        }
        work(&mut **self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Box<dyn Detector>> {
        self.detector.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts an urgent detection until dropped, also on a panic.
struct Urgent<'a>(&'a AtomicUsize);

impl<'a> Urgent<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(count)
    }
}

impl Drop for Urgent<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Detector for DetectorSlot {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn long_side(&self) -> u32 {
        self.long_side
    }

    fn detect(&mut self, picture: &Picture, spec: &DetectSpec) -> Result<Detection, DetectError> {
        self.with_detector(|detector| detector.detect(picture, spec))
    }

    fn refine(&mut self, picture: &Picture, spec: &DetectSpec, first: Detection) -> Result<Detection, DetectError> {
        self.with_detector(|detector| detector.refine(picture, spec, first))
    }

    fn measure_landmarks(&mut self, picture: &Picture, faces: &mut [Face]) -> Result<(), FaceModelFault> {
        self.with_detector(|detector| detector.measure_landmarks(picture, faces))
    }

    fn measure_masks(
        &mut self,
        picture: &Picture,
        faces: &mut [Face],
        which: &[usize],
        with_background: bool,
    ) -> Result<(), FaceModelFault> {
        self.with_detector(|detector| detector.measure_masks(picture, faces, which, with_background))
    }

    fn person_mask(&mut self, picture: &Picture, square: &RotatedSquare) -> Result<Option<PersonMask>, FaceModelFault> {
        self.with_detector(|detector| detector.person_mask(picture, square))
    }
}

/// An open detector with its runtime and the request to open it again. Clones share the detector.
#[derive(Clone)]
pub(super) struct Opened {
    slot: DetectorSlot,
    pub(super) runtime: RuntimeInUse,
    options: OpenRequest,
}

impl Opened {
    pub(super) fn open(opener: &Opener, options: OpenRequest) -> Result<Self, OpenError> {
        let OpenedRuntime { detector, why } = opener.open(&options)?;
        let slot = DetectorSlot::new(detector);
        let runtime = RuntimeInUse { requested: options.choice, actual: slot.info.clone(), why };
        Ok(Self { slot, runtime, options })
    }

    /// The same detector, for detections that yield to urgent ones.
    pub(super) fn for_workers(mut self) -> Self {
        self.slot.is_urgent = false;
        self
    }

    /// Opens another session on the same runtime with `threads` threads. The runtime is not tested again.
    pub(super) fn open_another(&self, opener: &Opener, threads: usize) -> Result<Self, OpenError> {
        let mut options =
            OpenRequest { choice: RuntimeChoice::Named(self.kind()), is_tried: true, ..self.options.clone() };
        options.options.threads = threads;
        let another = Self::open(opener, options)?;
        let actual = another.slot.info.clone();
        Ok(Self { runtime: RuntimeInUse { actual, ..self.runtime.clone() }, ..another })
    }

    /// Opens the same runtime again for all clones, since the buffers are in an unknown state after a panic inside the
    /// engine.
    pub(super) fn recover(&self, opener: &Opener) -> Result<(), OpenError> {
        let opened = opener.open(&self.options)?;
        *self.slot.lock() = opened.detector;
        Ok(())
    }

    /// True if several sessions can run in parallel without competing for one device: on CPUs, not on a GPU.
    pub(super) fn supports_parallel_sessions(&self) -> bool {
        use BackendKind::{Builtin, Ort, Rten, Tract};
        matches!(self.kind(), Builtin | Tract | Rten | Ort(Provider::Cpu))
    }

    /// Threads per inference; 0 if the engine uses all cores.
    pub(super) fn threads(&self) -> usize {
        match (self.kind(), self.options.options.threads) {
            // tract uses a single thread unless configured otherwise.
            (BackendKind::Tract, 0) => 1,
            (_, threads) => threads,
        }
    }

    /// The request it was opened with.
    pub(super) fn options(&self) -> &OpenRequest {
        &self.options
    }

    pub(super) fn detector(&mut self) -> DetectorHandle<'_> {
        DetectorHandle { detector: &mut self.slot, runtime: &self.runtime }
    }

    fn kind(&self) -> BackendKind {
        self.slot.info.kind
    }
}
