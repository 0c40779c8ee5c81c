//! Where the photos of a batch meet: which is next, whose turn it is at the names, who has how much memory.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cancel::{CancelToken, PauseToken};
use pipeline::Admission;

use super::faults::StopReason;

/// How long a thread waits before it looks whether it was cancelled or may go on.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Photos begun ahead of the first that is not told of yet, for each thread.
const AHEAD: usize = 4;

/// Shared by the hands of a batch.
///
/// A photo waits for memory only while it has none, and gives back what it has where one before it waits for memory while it
/// waits for that one's names. So the first photo under way always comes on, and with it all others.
pub(super) struct BatchScheduler {
    inside: Mutex<Inside>,
    changed: Condvar,
    photos: usize,
    ahead: usize,
    budget: u64,
    cancel: CancelToken,
    pause: PauseToken,
}

#[derive(Default)]
struct Inside {
    /// The photo to begin next.
    next: usize,
    /// Photos told of, all before the first that is not.
    reported: usize,
    /// The photo that may claim names.
    turn: usize,
    /// Photos after that one that will claim none any more.
    passed: BTreeSet<usize>,
    /// Bytes in use, by photo and together.
    rooms: HashMap<usize, u64>,
    used: u64,
    most_used: u64,
    /// Bytes that are waited for, by photo.
    asks: BTreeMap<usize, u64>,
    /// Why nothing new is begun.
    stopped: Option<Arc<StopReason>>,
}

impl BatchScheduler {
    pub(super) fn new(photos: usize, workers: usize, budget: u64, cancel: CancelToken, pause: PauseToken) -> Self {
        let ahead = workers.max(1) * AHEAD;
        Self { inside: Mutex::default(), changed: Condvar::new(), photos, ahead, budget, cancel, pause }
    }

    /// The photo to begin; waits while the batch rests or is far ahead. `None` where there is none.
    pub(super) fn next(&self) -> Option<usize> {
        let mut inside = self.lock();
        loop {
            if inside.next == self.photos || inside.stopped.is_some() || self.cancel.is_cancelled() {
                return None;
            }
            if !self.pause.is_paused() && inside.next < inside.reported + self.ahead {
                inside.next += 1;
                return Some(inside.next - 1);
            }
            inside = self.wait(inside);
        }
    }

    /// Waits until `bytes` are free for `photo`, in place of those it had. A photo that needs more than there is at all comes
    /// alone.
    pub(super) fn reserve_memory(&self, photo: usize, bytes: u64) {
        let mut inside = self.lock();
        inside.release(photo);
        if bytes > 0 {
            inside.asks.insert(photo, bytes);
            // Whoever waits for its turn looks whether it has to let go.
            self.changed.notify_all();
            while !(inside.is_first_to_ask(photo) && inside.fits(bytes, self.budget)) {
                inside = self.wait(inside);
            }
            inside.asks.remove(&photo);
            inside.rooms.insert(photo, bytes);
            inside.used += bytes;
            inside.most_used = inside.most_used.max(inside.used);
        }
        drop(inside);
        self.changed.notify_all();
    }

    /// Waits for the turn of `photo`, which it has until it is [passed](Self::pass).
    pub(super) fn wait_for_turn(&self, photo: usize, holds_picture: bool) -> Admission {
        let mut inside = self.lock();
        loop {
            if self.cancel.is_cancelled() {
                return Admission::Cancelled;
            }
            if inside.turn == photo {
                return Admission::Claimed;
            }
            let first_ask = inside.asks.first_key_value();
            if holds_picture
                && first_ask.is_some_and(|(asking, bytes)| *asking < photo && !inside.fits(*bytes, self.budget))
            {
                return Admission::Release;
            }
            inside = self.wait(inside);
        }
    }

    /// `photo` claims no names from here on.
    pub(super) fn pass(&self, photo: usize) {
        let mut guard = self.lock();
        let inside = &mut *guard;
        if photo >= inside.turn {
            inside.passed.insert(photo);
        }
        while inside.passed.remove(&inside.turn) {
            inside.turn += 1;
        }
        drop(guard);
        self.changed.notify_all();
    }

    /// `photo` is done: it needs neither memory nor names.
    pub(super) fn leave(&self, photo: usize) {
        self.lock().release(photo);
        self.pass(photo);
    }

    /// All photos before the one with this number were told of.
    pub(super) fn reported(&self, before: usize) {
        self.lock().reported = before;
        self.changed.notify_all();
    }

    /// Begins nothing new, for this reason; the first one counts.
    pub(super) fn stop(&self, reason: StopReason) {
        self.lock().stopped.get_or_insert_with(|| Arc::new(reason));
        self.changed.notify_all();
    }

    /// Why nothing new is begun.
    pub(super) fn stopped(&self) -> Option<Arc<StopReason>> {
        self.lock().stopped.clone()
    }

    /// Most bytes that were in use at a time.
    pub(super) fn most_used(&self) -> u64 {
        self.lock().most_used
    }

    fn wait<'a>(&self, inside: MutexGuard<'a, Inside>) -> MutexGuard<'a, Inside> {
        self.changed.wait_timeout(inside, LOOK_AGAIN).unwrap_or_else(PoisonError::into_inner).0
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inside {
    fn release(&mut self, photo: usize) {
        self.used -= self.rooms.remove(&photo).unwrap_or(0);
    }

    fn fits(&self, bytes: u64, budget: u64) -> bool {
        self.used == 0 || self.used.saturating_add(bytes) <= budget
    }

    fn is_first_to_ask(&self, photo: usize) -> bool {
        self.asks.first_key_value().is_some_and(|(first, _)| *first == photo)
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

    /// Walks every photo as the corridor does: room, turn, room, done. Gives the order of turns.
    fn walk(
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
                            turns.lock().expect("sound").push(photo);
                            scheduler.pass(photo);
                        }
                        // The second time it is decoded larger, after the first picture has gone.
                        release(held);
                        scheduler.reserve_memory(photo, bytes * 2);
                        hold(bytes * 2);
                        thread::yield_now();
                        release(bytes * 2);
                        scheduler.leave(photo);
                        let mut reported = reported.lock().expect("sound");
                        reported.insert(photo);
                        scheduler.reported((0..).find(|photo| !reported.contains(photo)).expect("one is not"));
                    }
                });
            }
        });
        turns.into_inner().expect("sound")
    }

    #[test]
    fn turns_follow_the_list_and_memory_stays_in_its_bounds_whatever_is_quicker() {
        let sizes: Vec<u64> = (0..300).map(|photo| [10, 90, 1, 40, 130, 70, 5][photo % 7]).collect();
        for workers in [1, 2, 3, 8] {
            for budget in [1, 100, 260, 1000] {
                let scheduler = scheduler(sizes.len(), workers, budget);
                let turns = walk(&scheduler, workers, &sizes, |photo| photo % 5 == 3);
                let expected: Vec<usize> = (0..300).filter(|photo| photo % 5 != 3).collect();
                assert_eq!(turns, expected, "{workers} hands, {budget} bytes");
                // A single photo may take up to 260.
                assert!(scheduler.most_used() <= budget.max(260), "{} of {budget}", scheduler.most_used());
                assert_eq!(scheduler.lock().used, 0);
            }
        }
    }

    #[test]
    fn who_waits_for_a_turn_lets_go_for_one_before_that_waits_for_memory() {
        let scheduler = scheduler(2, 2, 100);
        assert_eq!((scheduler.next(), scheduler.next()), (Some(0), Some(1)));
        scheduler.reserve_memory(1, 80);
        thread::scope(|scope| {
            let first = scope.spawn(|| scheduler.reserve_memory(0, 60));
            assert_eq!(scheduler.wait_for_turn(1, true), Admission::Release);
            scheduler.reserve_memory(1, 0);
            first.join().expect("comes on");
        });
        // With nothing to let go of, or enough for both, it only waits.
        scheduler.leave(0);
        assert_eq!(scheduler.wait_for_turn(1, true), Admission::Claimed);
    }

    #[test]
    fn nothing_is_begun_far_ahead_nor_while_it_rests_nor_after_a_stop() {
        let pause = PauseToken::default();
        let scheduler = BatchScheduler::new(50, 1, 1, CancelToken::new(), pause.clone());
        for photo in 0..AHEAD {
            assert_eq!(scheduler.next(), Some(photo));
        }
        thread::scope(|scope| {
            let next = scope.spawn(|| scheduler.next());
            thread::sleep(Duration::from_millis(20));
            assert!(!next.is_finished(), "too far ahead");
            pause.set(true);
            scheduler.reported(1);
            thread::sleep(Duration::from_millis(70));
            assert!(!next.is_finished(), "it rests");
            pause.set(false);
            assert_eq!(next.join().expect("goes on"), Some(AHEAD));
        });
        scheduler.reported(AHEAD);
        scheduler.stop(StopReason::DiskFull { path: "a.jpg".into(), reason: "no room".to_owned() });
        scheduler.stop(StopReason::Journal { path: "a.jsonl".into(), reason: "another".to_owned() });
        assert_eq!(scheduler.next(), None);
        assert!(matches!(scheduler.stopped().as_deref(), Some(StopReason::DiskFull { .. })), "the first counts");
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
