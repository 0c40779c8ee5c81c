//! Sizes a batch: worker threads, threads per session, sessions and memory budget.

use faces::SESSION_CACHE_BYTES;
use recipe::{FaceChoice, Thoroughness};

use crate::worker::sessions::Opened;
use crate::worker::{ExportItem, ExportJob};

/// Maximum number of worker threads.
const MAX_WORKERS: usize = 256;

/// Memory per photo of a batch before it is decoded, in bytes: its path, settings and names.
pub(super) const ITEM_BYTES: u64 = 700;

/// The memory budget for pixels in bytes: the budget minus the memory of the list itself and of the additional sessions that
/// `detectors` keep for larger passes, but at least a quarter.
pub(super) fn budget_for_pixels(items: &[ExportItem], detectors: usize) -> u64 {
    let budget = items.iter().map(|item| item.photo.limits.memory_budget).max().unwrap_or(0);
    let has_larger_passes = items.iter().any(|item| item.photo.detect.thoroughness != Thoroughness::Fast);
    let sessions = if has_larger_passes { detectors as u64 * SESSION_CACHE_BYTES } else { 0 };
    budget.saturating_sub(items.len() as u64 * ITEM_BYTES + sessions).max(budget / 4)
}

/// The size of a batch's worker pool.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct WorkerPool {
    pub(super) workers: usize,
    /// Threads per inference session.
    pub(super) threads: usize,
    /// True if each worker thread has its own session.
    pub(super) own_sessions: bool,
}

impl WorkerPool {
    /// Chooses the sizes so that worker threads times session threads use all cores, without oversubscription.
    pub(super) fn of(spec: &ExportJob, opened: Option<&Opened>, cores: usize) -> Self {
        let needs_detection = |item: &ExportItem| !matches!(item.faces, FaceChoice::Manual(_));
        let any_detection = spec.items.iter().any(needs_detection);
        let may_have_own = any_detection && opened.is_some_and(Opened::supports_parallel_sessions);
        let requested = opened.map_or(0, |opened| opened.options().options.threads).min(cores);
        let max = match spec.workers {
            0 if may_have_own => cores / requested.max(1),
            0 => cores,
            workers => workers,
        };
        let workers = max.min(spec.items.len()).clamp(1, MAX_WORKERS);
        let threads = if requested > 0 { requested } else { (cores / workers).max(1) };
        Self { workers, threads, own_sessions: may_have_own && workers > 1 }
    }
}
