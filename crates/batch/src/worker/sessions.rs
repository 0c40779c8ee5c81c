//! Open detectors: who has which, and opening them again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use faces::Detector;
use outcome::{DetectError, Detection, OpenError, RuntimeInUse, SessionInfo};
use picture::Picture;
use pipeline::{DetectorHandle, panic_message};
use recipe::{BackendKind, DetectSpec, Provider, RuntimeChoice};

use super::{OpenDetector, OpenRequest};
use crate::latency::OpenedRuntime;

/// How long a batch's look gives way before it tries again: a fraction of any engine's run.
const GIVE_WAY: Duration = Duration::from_micros(200);

/// What opens detectors; one at a time.
#[derive(Clone)]
pub(super) struct Opener(Arc<Mutex<OpenDetector>>);

impl Opener {
    pub(super) fn new(open: OpenDetector) -> Self {
        Self(Arc::new(Mutex::new(open)))
    }

    /// Opens what `order` says; a panic of the engine is its failure.
    pub(super) fn open(&self, options: &OpenRequest) -> Result<OpenedRuntime, OpenError> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        catch_unwind(AssertUnwindSafe(|| open(options)))
            .unwrap_or_else(|panic| Err(OpenError::Panicked { message: panic_message(&*panic) }))
    }
}

/// A detector that one or more threads look through, one at a time.
#[derive(Clone)]
struct DetectorSlot {
    detector: Arc<Mutex<Box<dyn Detector>>>,
    info: SessionInfo,
    long_side: u32,
    /// Looks that a person waits for, under way or about to be.
    urgent: Arc<AtomicUsize>,
    is_urgent: bool,
}

impl DetectorSlot {
    fn new(detector: Box<dyn Detector>) -> Self {
        let (info, long_side) = (detector.info().clone(), detector.long_side());
        Self { detector: Arc::new(Mutex::new(detector)), info, long_side, urgent: Arc::default(), is_urgent: true }
    }

    /// Looks, a person's looks ahead of a batch's.
    fn look<T>(&self, look: impl FnOnce(&mut dyn Detector) -> T) -> T {
        let _urgent = self.is_urgent.then(|| Urgent::new(&self.urgent));
        while !self.is_urgent && self.urgent.load(Ordering::Acquire) > 0 {
            std::thread::sleep(GIVE_WAY);
        }
        look(&mut **self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Box<dyn Detector>> {
        self.detector.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts an urgent look until it is over, whatever its end.
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
        self.look(|detector| detector.detect(picture, spec))
    }

    fn refine(&mut self, picture: &Picture, spec: &DetectSpec, first: Detection) -> Result<Detection, DetectError> {
        self.look(|detector| detector.refine(picture, spec, first))
    }
}

/// An open detector, what it runs on, and how to open it again. Clones look through the same one.
#[derive(Clone)]
pub(super) struct Opened {
    sight: DetectorSlot,
    pub(super) runtime: RuntimeInUse,
    options: OpenRequest,
}

impl Opened {
    pub(super) fn open(opener: &Opener, options: OpenRequest) -> Result<Self, OpenError> {
        let OpenedRuntime { detector, why } = opener.open(&options)?;
        let sight = DetectorSlot::new(detector);
        let runtime = RuntimeInUse { requested: options.choice, actual: sight.info.clone(), why };
        Ok(Self { sight, runtime, options })
    }

    /// The same detector, for looks that give way to those a person waits for.
    pub(super) fn for_workers(mut self) -> Self {
        self.sight.is_urgent = false;
        self
    }

    /// A detector of its own on the same runtime, whose runs take `threads`. What was tried before is not tried again.
    pub(super) fn another(&self, opener: &Opener, threads: usize) -> Result<Self, OpenError> {
        let mut options =
            OpenRequest { choice: RuntimeChoice::Named(self.kind()), is_tried: true, ..self.options.clone() };
        options.options.threads = threads;
        let another = Self::open(opener, options)?;
        let actual = another.sight.info.clone();
        Ok(Self { runtime: RuntimeInUse { actual, ..self.runtime.clone() }, ..another })
    }

    /// After a panic inside the engine its buffers cannot be trusted: opens the same runtime again, for everybody who looks
    /// through it.
    pub(super) fn recover(&self, opener: &Opener) -> Result<(), OpenError> {
        let opened = opener.open(&self.options)?;
        *self.sight.lock() = opened.detector;
        Ok(())
    }

    /// True where runs of several sessions do not stand in each other's way: on processors, not on one graphics card.
    pub(super) fn may_have_others(&self) -> bool {
        matches!(self.kind(), BackendKind::Tract | BackendKind::Rten | BackendKind::Ort(Provider::Cpu))
    }

    /// Threads that its runs take; 0 where the engine takes as many as there are.
    pub(super) fn threads(&self) -> usize {
        match (self.kind(), self.options.options.threads) {
            // It has no more than it is told to have.
            (BackendKind::Tract, 0) => 1,
            (_, threads) => threads,
        }
    }

    /// What it was opened with.
    pub(super) fn options(&self) -> &OpenRequest {
        &self.options
    }

    pub(super) fn detector(&mut self) -> DetectorHandle<'_> {
        DetectorHandle { detector: &mut self.sight, runtime: &self.runtime }
    }

    fn kind(&self) -> BackendKind {
        self.sight.info.kind
    }
}
