//! Open detectors: who has which, and opening them again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{OpenDetector, OpenError, OpenOrder};
use crate::backend::{BackendKind, Provider, RuntimeChoice, RuntimeInUse, SessionInfo};
use crate::decode::Picture;
use crate::detect::{DetectError, DetectSpec, Detection, Detector};
use crate::latency::OpenedRuntime;
use crate::pipeline::{Eyes, panic_message};

/// What opens detectors; one at a time.
#[derive(Clone)]
pub(super) struct Opener(Arc<Mutex<OpenDetector>>);

impl Opener {
    pub(super) fn new(open: OpenDetector) -> Self {
        Self(Arc::new(Mutex::new(open)))
    }

    /// Opens what `order` says; a panic of the engine is its failure.
    pub(super) fn open(&self, order: &OpenOrder) -> Result<OpenedRuntime, OpenError> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        catch_unwind(AssertUnwindSafe(|| open(order)))
            .unwrap_or_else(|panic| Err(OpenError::Panicked { message: panic_message(&*panic) }))
    }
}

/// A detector that one or more threads look through, one at a time.
#[derive(Clone)]
struct Sight {
    detector: Arc<Mutex<Box<dyn Detector>>>,
    info: SessionInfo,
    long_side: u32,
}

impl Sight {
    fn new(detector: Box<dyn Detector>) -> Self {
        let (info, long_side) = (detector.info().clone(), detector.long_side());
        Self { detector: Arc::new(Mutex::new(detector)), info, long_side }
    }

    fn lock(&self) -> MutexGuard<'_, Box<dyn Detector>> {
        self.detector.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Detector for Sight {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn long_side(&self) -> u32 {
        self.long_side
    }

    fn detect(&mut self, picture: &Picture, spec: &DetectSpec) -> Result<Detection, DetectError> {
        self.lock().detect(picture, spec)
    }

    fn look_closer(
        &mut self,
        picture: &Picture,
        spec: &DetectSpec,
        first: Detection,
    ) -> Result<Detection, DetectError> {
        self.lock().look_closer(picture, spec, first)
    }
}

/// An open detector, what it runs on, and how to open it again. Clones look through the same one.
#[derive(Clone)]
pub(super) struct Opened {
    sight: Sight,
    pub(super) runtime: RuntimeInUse,
    order: OpenOrder,
}

impl Opened {
    pub(super) fn open(opener: &Opener, order: OpenOrder) -> Result<Self, OpenError> {
        let OpenedRuntime { detector, why } = opener.open(&order)?;
        let sight = Sight::new(detector);
        let runtime = RuntimeInUse { requested: order.choice, actual: sight.info.clone(), why };
        Ok(Self { sight, runtime, order })
    }

    /// A detector of its own on the same runtime, whose runs take `threads`. What was tried before is not tried again.
    pub(super) fn another(&self, opener: &Opener, threads: usize) -> Result<Self, OpenError> {
        let mut order = OpenOrder { choice: RuntimeChoice::Named(self.kind()), is_tried: true, ..self.order.clone() };
        order.options.threads = threads;
        let another = Self::open(opener, order)?;
        let actual = another.sight.info.clone();
        Ok(Self { runtime: RuntimeInUse { actual, ..self.runtime.clone() }, ..another })
    }

    /// After a panic inside the engine its buffers cannot be trusted: opens the same runtime again, for everybody who looks
    /// through it.
    pub(super) fn mend(&self, opener: &Opener) -> Result<(), OpenError> {
        let opened = opener.open(&self.order)?;
        *self.sight.lock() = opened.detector;
        Ok(())
    }

    /// True where runs of several sessions do not stand in each other's way: on processors, not on one graphics card.
    pub(super) fn may_have_others(&self) -> bool {
        matches!(self.kind(), BackendKind::Tract | BackendKind::Rten | BackendKind::Ort(Provider::Cpu))
    }

    /// Threads that its runs take; 0 where the engine takes as many as there are.
    pub(super) fn threads(&self) -> usize {
        match (self.kind(), self.order.options.threads) {
            // It has no more than it is told to have.
            (BackendKind::Tract, 0) => 1,
            (_, threads) => threads,
        }
    }

    /// What it was opened with.
    pub(super) fn order(&self) -> &OpenOrder {
        &self.order
    }

    pub(super) fn eyes(&mut self) -> Eyes<'_> {
        Eyes { detector: &mut self.sight, runtime: &self.runtime }
    }

    fn kind(&self) -> BackendKind {
        self.sight.info.kind
    }
}
