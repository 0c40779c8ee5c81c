//! A barrier between the steps of a run.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::panicking;

/// Turns of a waiting loop before the thread sleeps: about 50 microseconds.
const TURNS: usize = 2500;

/// Lets threads continue once all of them have arrived. A step takes some tens of microseconds, less than the system needs to
/// wake a thread, so a thread does not sleep at once, as with [`std::sync::Barrier`]. On a busy machine it must: the system then
/// prefers it when the others have arrived.
#[derive(Debug)]
pub(crate) struct Barrier {
    threads: usize,
    arrived: AtomicUsize,
    /// Number of times that all have arrived.
    round: AtomicUsize,
    /// True if a thread will never arrive.
    is_broken: AtomicBool,
    sleeping: Mutex<()>,
    changed: Condvar,
}

impl Barrier {
    pub(crate) const fn new(threads: usize) -> Self {
        Self {
            threads,
            arrived: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            is_broken: AtomicBool::new(false),
            sleeping: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    /// Waits for the other threads; false if one of them panicked.
    pub(crate) fn wait(&self) -> bool {
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Release);
            self.round.store(round.wrapping_add(1), Ordering::Release);
            self.wake();
        }
        let is_waiting = || self.round.load(Ordering::Acquire) == round && !self.is_broken.load(Ordering::Acquire);
        for _ in 0..TURNS {
            if !is_waiting() {
                break;
            }
            spin_loop();
        }
        if is_waiting() {
            let guard = self.sleeping.lock().unwrap_or_else(PoisonError::into_inner);
            drop(self.changed.wait_while(guard, |()| is_waiting()));
        }
        !self.is_broken.load(Ordering::Acquire)
    }

    /// Wakes the threads that sleep. The lock is taken so that none falls asleep between its last look and this call.
    fn wake(&self) {
        drop(self.sleeping.lock());
        self.changed.notify_all();
    }
}

/// Breaks a barrier if the thread that has it panics, so that the others do not wait for it.
pub(crate) struct Guard<'a>(pub &'a Barrier);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if panicking() {
            self.0.is_broken.store(true, Ordering::Release);
            self.0.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread::scope;

    use super::*;

    #[test]
    fn threads_wait_for_each_other_and_not_for_one_that_panicked() {
        let (barrier, steps) = (Barrier::new(3), AtomicUsize::new(0));
        scope(|threads| {
            for _ in 0..3 {
                threads.spawn(|| {
                    for round in 1..=500 {
                        steps.fetch_add(1, Ordering::Relaxed);
                        assert!(barrier.wait());
                        assert!(steps.load(Ordering::Relaxed) >= 3 * round);
                    }
                });
            }
        });
        assert_eq!(steps.into_inner(), 1500);

        let barrier = Barrier::new(2);
        scope(|threads| {
            let broken = threads.spawn(|| {
                let _guard = Guard(&barrier);
                panic!("a fault of this test");
            });
            assert!(!barrier.wait());
            assert!(broken.join().is_err());
        });
    }
}
