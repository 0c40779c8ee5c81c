//! Where the photos of a batch meet: which is next, whose turn it is at the names, who has how much memory.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cancel::{CancelToken, PauseToken};
use pipeline::Turn;

use super::faults::StopReason;

/// How long a thread waits before it looks whether it was cancelled or may go on.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Photos begun ahead of the first that is not told of yet, for each thread.
const AHEAD: usize = 4;

/// Shared by the hands of a batch.
///
/// A photo waits for memory only while it has none, and gives back what it has where one before it waits for memory while it
/// waits for that one's names. So the first photo under way always comes on, and with it all others.
pub(super) struct Floor {
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
    told: usize,
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

impl Floor {
    pub(super) fn new(photos: usize, hands: usize, budget: u64, cancel: CancelToken, pause: PauseToken) -> Self {
        let ahead = hands.max(1) * AHEAD;
        Self { inside: Mutex::default(), changed: Condvar::new(), photos, ahead, budget, cancel, pause }
    }

    /// The photo to begin; waits while the batch rests or is far ahead. `None` where there is none.
    pub(super) fn next(&self) -> Option<usize> {
        let mut inside = self.lock();
        loop {
            if inside.next == self.photos || inside.stopped.is_some() || self.cancel.is_cancelled() {
                return None;
            }
            if !self.pause.is_paused() && inside.next < inside.told + self.ahead {
                inside.next += 1;
                return Some(inside.next - 1);
            }
            inside = self.wait(inside);
        }
    }

    /// Waits until `bytes` are free for `photo`, in place of those it had. A photo that needs more than there is at all comes
    /// alone.
    pub(super) fn make_room(&self, photo: usize, bytes: u64) {
        let mut inside = self.lock();
        inside.let_go(photo);
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
    pub(super) fn wait_for_turn(&self, photo: usize, holds_picture: bool) -> Turn {
        let mut inside = self.lock();
        loop {
            if self.cancel.is_cancelled() {
                return Turn::Cancelled;
            }
            if inside.turn == photo {
                return Turn::Claimed;
            }
            let first_ask = inside.asks.first_key_value();
            if holds_picture
                && first_ask.is_some_and(|(asking, bytes)| *asking < photo && !inside.fits(*bytes, self.budget))
            {
                return Turn::LetGo;
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
        self.lock().let_go(photo);
        self.pass(photo);
    }

    /// All photos before the one with this number were told of.
    pub(super) fn told(&self, before: usize) {
        self.lock().told = before;
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
    fn let_go(&mut self, photo: usize) {
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

    fn floor(photos: usize, hands: usize, budget: u64) -> Floor {
        Floor::new(photos, hands, budget, CancelToken::new(), PauseToken::default())
    }

    /// Walks every photo as the corridor does: room, turn, room, done. Gives the order of turns.
    fn walk(floor: &Floor, hands: usize, sizes: &[u64], fails: impl Fn(usize) -> bool + Sync) -> Vec<usize> {
        let (turns, told, in_use) = (Mutex::new(Vec::new()), Mutex::new(BTreeSet::new()), AtomicU64::new(0));
        let hold = |bytes: u64| {
            let now = in_use.fetch_add(bytes, Ordering::SeqCst) + bytes;
            assert!(now <= floor.budget || now == bytes, "{now} bytes in use");
        };
        let let_go = |bytes: u64| in_use.fetch_sub(bytes, Ordering::SeqCst);
        thread::scope(|scope| {
            for _ in 0..hands {
                scope.spawn(|| {
                    while let Some(photo) = floor.next() {
                        let bytes = sizes[photo];
                        floor.make_room(photo, bytes);
                        hold(bytes);
                        thread::yield_now();
                        let mut held = bytes;
                        if !fails(photo) {
                            while floor.wait_for_turn(photo, held > 0) == Turn::LetGo {
                                let_go(std::mem::take(&mut held));
                                floor.make_room(photo, 0);
                            }
                            turns.lock().expect("sound").push(photo);
                            floor.pass(photo);
                        }
                        // The second time it is decoded larger, after the first picture has gone.
                        let_go(held);
                        floor.make_room(photo, bytes * 2);
                        hold(bytes * 2);
                        thread::yield_now();
                        let_go(bytes * 2);
                        floor.leave(photo);
                        let mut told = told.lock().expect("sound");
                        told.insert(photo);
                        floor.told((0..).find(|photo| !told.contains(photo)).expect("one is not"));
                    }
                });
            }
        });
        turns.into_inner().expect("sound")
    }

    #[test]
    fn turns_follow_the_list_and_memory_stays_in_its_bounds_whatever_is_quicker() {
        let sizes: Vec<u64> = (0..300).map(|photo| [10, 90, 1, 40, 130, 70, 5][photo % 7]).collect();
        for hands in [1, 2, 3, 8] {
            for budget in [1, 100, 260, 1000] {
                let floor = floor(sizes.len(), hands, budget);
                let turns = walk(&floor, hands, &sizes, |photo| photo % 5 == 3);
                let expected: Vec<usize> = (0..300).filter(|photo| photo % 5 != 3).collect();
                assert_eq!(turns, expected, "{hands} hands, {budget} bytes");
                // A single photo may take up to 260.
                assert!(floor.most_used() <= budget.max(260), "{} of {budget}", floor.most_used());
                assert_eq!(floor.lock().used, 0);
            }
        }
    }

    #[test]
    fn who_waits_for_a_turn_lets_go_for_one_before_that_waits_for_memory() {
        let floor = floor(2, 2, 100);
        assert_eq!((floor.next(), floor.next()), (Some(0), Some(1)));
        floor.make_room(1, 80);
        thread::scope(|scope| {
            let first = scope.spawn(|| floor.make_room(0, 60));
            assert_eq!(floor.wait_for_turn(1, true), Turn::LetGo);
            floor.make_room(1, 0);
            first.join().expect("comes on");
        });
        // With nothing to let go of, or enough for both, it only waits.
        floor.leave(0);
        assert_eq!(floor.wait_for_turn(1, true), Turn::Claimed);
    }

    #[test]
    fn nothing_is_begun_far_ahead_nor_while_it_rests_nor_after_a_stop() {
        let pause = PauseToken::default();
        let floor = Floor::new(50, 1, 1, CancelToken::new(), pause.clone());
        for photo in 0..AHEAD {
            assert_eq!(floor.next(), Some(photo));
        }
        thread::scope(|scope| {
            let next = scope.spawn(|| floor.next());
            thread::sleep(Duration::from_millis(20));
            assert!(!next.is_finished(), "too far ahead");
            pause.set(true);
            floor.told(1);
            thread::sleep(Duration::from_millis(70));
            assert!(!next.is_finished(), "it rests");
            pause.set(false);
            assert_eq!(next.join().expect("goes on"), Some(AHEAD));
        });
        floor.told(AHEAD);
        floor.stop(StopReason::DiskFull { path: "a.jpg".into(), reason: "no room".to_owned() });
        floor.stop(StopReason::Journal { path: "a.jsonl".into(), reason: "another".to_owned() });
        assert_eq!(floor.next(), None);
        assert!(matches!(floor.stopped().as_deref(), Some(StopReason::DiskFull { .. })), "the first counts");
    }

    #[test]
    fn cancelling_ends_every_wait_for_a_turn() {
        let cancel = CancelToken::new();
        let floor = Floor::new(9, 2, 1, cancel.clone(), PauseToken::default());
        thread::scope(|scope| {
            let waits = scope.spawn(|| floor.wait_for_turn(3, false));
            cancel.cancel();
            assert_eq!(waits.join().expect("ends"), Turn::Cancelled);
        });
        assert_eq!(floor.next(), None);
    }
}
