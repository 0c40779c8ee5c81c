//! How many threads a batch has, with what sessions and memory.

use faces::KEPT_SESSION_BYTES;
use recipe::{FaceChoice, Thoroughness};

use crate::worker::sessions::Opened;
use crate::worker::{ExportItem, ExportJob};

/// Threads of a batch at most.
const MAX_WORKERS: usize = 256;

/// Bytes that a photo of a batch takes before it is read: its path and what is known of it and of its names.
pub(super) const ITEM_BYTES: u64 = 700;

/// Memory for pixels: a list so long that it takes much of the memory itself leaves less, and so do the sessions that
/// `detectors` keep for larger passes; a quarter is left in any case.
pub(super) fn budget_for_pixels(items: &[ExportItem], detectors: usize) -> u64 {
    let budget = items.iter().map(|item| item.photo.limits.memory_budget).max().unwrap_or(0);
    let has_larger_passes = items.iter().any(|item| item.photo.detect.thoroughness != Thoroughness::Fast);
    let sessions = if has_larger_passes { detectors as u64 * KEPT_SESSION_BYTES } else { 0 };
    budget.saturating_sub(items.len() as u64 * ITEM_BYTES + sessions).max(budget / 4)
}

/// How many work, and with what.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct WorkerPool {
    pub(super) workers: usize,
    /// Threads of an engine's run.
    pub(super) threads: usize,
    /// True if each has a session of its own.
    pub(super) own_sessions: bool,
}

impl WorkerPool {
    /// Hands and threads of their engines together fill the cores, and no more.
    pub(super) fn of(spec: &ExportJob, opened: Option<&Opened>, cores: usize) -> Self {
        let detection_queue = |item: &ExportItem| !matches!(item.faces, FaceChoice::Manual(_));
        let detection_queue = spec.items.iter().any(detection_queue);
        let may_have_own = detection_queue && opened.is_some_and(Opened::may_have_others);
        let asked = opened.map_or(0, |opened| opened.options().options.threads).min(cores);
        let max = match spec.workers {
            0 if may_have_own => cores / asked.max(1),
            0 => cores,
            workers => workers,
        };
        let workers = max.min(spec.items.len()).clamp(1, MAX_WORKERS);
        let threads = if asked > 0 { asked } else { (cores / workers).max(1) };
        Self { workers, threads, own_sessions: may_have_own && workers > 1 }
    }
}
