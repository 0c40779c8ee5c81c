//! The scheduler of a batch: assigns photos to worker threads, orders the claiming of names, and enforces the memory budget.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cancel::{CancelToken, PauseToken};
use pipeline::Admission;

use super::faults::StopReason;

/// How often a waiting thread checks for cancel and resume.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Photos per thread that may be started ahead of the first photo not yet reported.
const LOOKAHEAD: usize = 4;

/// Shared by the worker threads of a batch.
///
/// Freedom from deadlock: a photo waits for memory only while it holds none, and while it waits for its turn it releases
/// its memory if an earlier photo waits for memory. So the first photo in progress can always proceed, and then all others.
pub(super) struct BatchScheduler {
    state: Mutex<State>,
    changed: Condvar,
    photos: usize,
    lookahead: usize,
    budget: u64,
    cancel: CancelToken,
    pause: PauseToken,
}

#[derive(Default)]
struct State {
    /// The next photo to start.
    next: usize,
    /// All photos before this index have been reported.
    reported: usize,
    /// The photo whose turn it is to claim names.
    turn: usize,
    /// Later photos that will not claim names any more.
    passed: BTreeSet<usize>,
    /// Reserved bytes by photo; `used` is their sum.
    reserved: HashMap<usize, u64>,
    used: u64,
    peak_used: u64,
    /// Bytes that photos wait for.
    requested: BTreeMap<usize, u64>,
    /// Why no new photo is started.
    stopped: Option<Arc<StopReason>>,
}

impl BatchScheduler {
    pub(super) fn new(photos: usize, workers: usize, budget: u64, cancel: CancelToken, pause: PauseToken) -> Self {
        let lookahead = workers.max(1) * LOOKAHEAD;
        Self { state: Mutex::default(), changed: Condvar::new(), photos, lookahead, budget, cancel, pause }
    }

    /// The next photo to start; waits while the batch is paused or the lookahead is used up. `None` if there is none.
    pub(super) fn next(&self) -> Option<usize> {
        let mut state = self.lock();
        loop {
            if state.next == self.photos || state.stopped.is_some() || self.cancel.is_cancelled() {
                return None;
            }
            if !self.pause.is_paused() && state.next < state.reported + self.lookahead {
                state.next += 1;
                return Some(state.next - 1);
            }
            state = self.wait(state);
        }
    }

    /// Waits until `bytes` can be reserved for `photo`, replacing its previous reservation. A photo that exceeds the whole
    /// budget is admitted when no other memory is reserved.
    pub(super) fn reserve_memory(&self, photo: usize, bytes: u64) {
        let mut state = self.lock();
        state.release(photo);
        if bytes > 0 {
            state.requested.insert(photo, bytes);
            // Threads that wait for their turn check whether they have to release memory.
            self.changed.notify_all();
            while !(state.is_first_in_line(photo) && state.fits(bytes, self.budget)) {
                state = self.wait(state);
            }
            state.requested.remove(&photo);
            state.reserved.insert(photo, bytes);
            state.used += bytes;
            state.peak_used = state.peak_used.max(state.used);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Waits for the turn of `photo`, which lasts until [`pass_turn`](Self::pass_turn).
    pub(super) fn wait_for_turn(&self, photo: usize, holds_picture: bool) -> Admission {
        let mut state = self.lock();
        loop {
            if self.cancel.is_cancelled() {
                return Admission::Cancelled;
            }
            if state.turn == photo {
                return Admission::Claimed;
            }
            let first_request = state.requested.first_key_value();
            if holds_picture
                && first_request.is_some_and(|(waiting, bytes)| *waiting < photo && !state.fits(*bytes, self.budget))
            {
                return Admission::Release;
            }
            state = self.wait(state);
        }
    }

    /// Ends the turn of `photo`: it will not claim names any more.
    pub(super) fn pass_turn(&self, photo: usize) {
        let mut guard = self.lock();
        let state = &mut *guard;
        if photo >= state.turn {
            state.passed.insert(photo);
        }
        while state.passed.remove(&state.turn) {
            state.turn += 1;
        }
        drop(guard);
        self.changed.notify_all();
    }

    /// Releases the memory and the turn of `photo`.
    pub(super) fn finish(&self, photo: usize) {
        self.lock().release(photo);
        self.pass_turn(photo);
    }

    /// Records that all photos before this index have been reported.
    pub(super) fn reported(&self, before: usize) {
        self.lock().reported = before;
        self.changed.notify_all();
    }

    /// Stops starting new photos; the first reason is kept.
    pub(super) fn stop(&self, reason: StopReason) {
        self.lock().stopped.get_or_insert_with(|| Arc::new(reason));
        self.changed.notify_all();
    }

    /// Why no new photo is started.
    pub(super) fn stopped(&self) -> Option<Arc<StopReason>> {
        self.lock().stopped.clone()
    }

    /// Peak of the reserved bytes.
    pub(super) fn peak_used(&self) -> u64 {
        self.lock().peak_used
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait_timeout(state, POLL_INTERVAL).unwrap_or_else(PoisonError::into_inner).0
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn release(&mut self, photo: usize) {
        self.used -= self.reserved.remove(&photo).unwrap_or(0);
    }

    fn fits(&self, bytes: u64, budget: u64) -> bool {
        self.used == 0 || self.used.saturating_add(bytes) <= budget
    }

    fn is_first_in_line(&self, photo: usize) -> bool {
        self.requested.first_key_value().is_some_and(|(first, _)| *first == photo)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;

    use super::*;

    fn scheduler(photos: usize, workers: usize, budget: u64) -> BatchScheduler {
        BatchScheduler::new(photos, workers, budget, CancelToken::new(), PauseToken::default())
    }

    /// Processes every photo as the pipeline does (reserve, turn, reserve, finish) and returns the order of turns.
    fn run_photos(
        scheduler: &BatchScheduler,
        workers: usize,
        sizes: &[u64],
        fails: impl Fn(usize) -> bool + Sync,
    ) -> Vec<usize> {
        let (turns, reported, in_use) = (Mutex::new(Vec::new()), Mutex::new(BTreeSet::new()), AtomicU64::new(0));
        let hold = |bytes: u64| {
            let now = in_use.fetch_add(bytes, Ordering::SeqCst) + bytes;
            assert!(now <= scheduler.budget || now == bytes, "{now} bytes in use");
        };
        let release = |bytes: u64| in_use.fetch_sub(bytes, Ordering::SeqCst);
        thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some(photo) = scheduler.next() {
                        let bytes = sizes[photo];
                        scheduler.reserve_memory(photo, bytes);
                        hold(bytes);
                        thread::yield_now();
                        let mut held = bytes;
                        if !fails(photo) {
                            while scheduler.wait_for_turn(photo, held > 0) == Admission::Release {
                                release(std::mem::take(&mut held));
                                scheduler.reserve_memory(photo, 0);
                            }
                            turns.lock().expect("not poisoned").push(photo);
                            scheduler.pass_turn(photo);
                        }
                        // The second decode is larger, after the first image was dropped.
                        release(held);
                        scheduler.reserve_memory(photo, bytes * 2);
                        hold(bytes * 2);
                        thread::yield_now();
                        release(bytes * 2);
                        scheduler.finish(photo);
                        let mut reported = reported.lock().expect("not poisoned");
                        reported.insert(photo);
                        scheduler.reported((0..).find(|photo| !reported.contains(photo)).expect("an unreported photo"));
                    }
                });
            }
        });
        turns.into_inner().expect("valid")
    }

    #[test]
    fn turns_are_in_list_order_and_memory_stays_within_the_budget() {
        let sizes: Vec<u64> = (0..300).map(|photo| [10, 90, 1, 40, 130, 70, 5][photo % 7]).collect();
        for workers in [1, 2, 3, 8] {
            for budget in [1, 100, 260, 1000] {
                let scheduler = scheduler(sizes.len(), workers, budget);
                let turns = run_photos(&scheduler, workers, &sizes, |photo| photo % 5 == 3);
                let expected: Vec<usize> = (0..300).filter(|photo| photo % 5 != 3).collect();
                assert_eq!(turns, expected, "{workers} workers, {budget} bytes");
                // A single photo may take up to 260 bytes.
                assert!(scheduler.peak_used() <= budget.max(260), "{} of {budget}", scheduler.peak_used());
                assert_eq!(scheduler.lock().used, 0);
            }
        }
    }

    #[test]
    fn a_photo_waiting_for_its_turn_releases_memory_for_an_earlier_one() {
        let scheduler = scheduler(2, 2, 100);
        assert_eq!((scheduler.next(), scheduler.next()), (Some(0), Some(1)));
        scheduler.reserve_memory(1, 80);
        thread::scope(|scope| {
            let first = scope.spawn(|| scheduler.reserve_memory(0, 60));
            assert_eq!(scheduler.wait_for_turn(1, true), Admission::Release);
            scheduler.reserve_memory(1, 0);
            first.join().expect("no panic");
        });
        // Without memory to release, or with enough for both, it only waits.
        scheduler.finish(0);
        assert_eq!(scheduler.wait_for_turn(1, true), Admission::Claimed);
    }

    #[test]
    fn no_photo_is_started_beyond_the_lookahead_while_paused_or_after_a_stop() {
        let pause = PauseToken::default();
        let scheduler = BatchScheduler::new(50, 1, 1, CancelToken::new(), pause.clone());
        for photo in 0..LOOKAHEAD {
            assert_eq!(scheduler.next(), Some(photo));
        }
        thread::scope(|scope| {
            let next = scope.spawn(|| scheduler.next());
            thread::sleep(Duration::from_millis(20));
            assert!(!next.is_finished(), "too far ahead");
            pause.set(true);
            scheduler.reported(1);
            thread::sleep(Duration::from_millis(70));
            assert!(!next.is_finished(), "the batch is paused");
            pause.set(false);
            assert_eq!(next.join().expect("no panic"), Some(LOOKAHEAD));
        });
        scheduler.reported(LOOKAHEAD);
        scheduler.stop(StopReason::DiskFull { path: "a.jpg".into(), reason: "no space".to_owned() });
        scheduler.stop(StopReason::Journal { path: "a.jsonl".into(), reason: "another".to_owned() });
        assert_eq!(scheduler.next(), None);
        assert!(
            matches!(scheduler.stopped().as_deref(), Some(StopReason::DiskFull { .. })),
            "the first reason is kept"
        );
    }

    #[test]
    fn cancelling_ends_every_wait_for_a_turn() {
        let cancel = CancelToken::new();
        let scheduler = BatchScheduler::new(9, 2, 1, cancel.clone(), PauseToken::default());
        thread::scope(|scope| {
            let waits = scope.spawn(|| scheduler.wait_for_turn(3, false));
            cancel.cancel();
            assert_eq!(waits.join().expect("ends"), Admission::Cancelled);
        });
        assert_eq!(scheduler.next(), None);
    }
}
