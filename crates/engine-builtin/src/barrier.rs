//! A barrier between the steps of a run.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{panicking, yield_now};

/// Turns of a waiting loop before it leaves the processor to others: about 20 microseconds.
const TURNS: usize = 1000;

/// Lets threads continue once all of them have arrived. A step takes some tens of microseconds, less than the system needs to
/// wake a thread, as [`std::sync::Barrier`] does.
#[derive(Debug)]
pub(crate) struct Barrier {
    threads: usize,
    arrived: AtomicUsize,
    /// Number of times that all have arrived.
    round: AtomicUsize,
    /// True if a thread will never arrive.
    is_broken: AtomicBool,
}

impl Barrier {
    pub(crate) const fn new(threads: usize) -> Self {
        let (arrived, round) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { threads, arrived, round, is_broken: AtomicBool::new(false) }
    }

    /// Waits for the other threads; false if one of them panicked.
    pub(crate) fn wait(&self) -> bool {
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Release);
            self.round.store(round.wrapping_add(1), Ordering::Release);
        }
        let mut turns = 0;
        while self.round.load(Ordering::Acquire) == round && !self.is_broken.load(Ordering::Acquire) {
            if turns < TURNS {
                turns += 1;
                spin_loop();
            } else {
                yield_now();
            }
        }
        !self.is_broken.load(Ordering::Acquire)
    }
}

/// Breaks a barrier if the thread that has it panics, so that the others do not wait for it.
pub(crate) struct Guard<'a>(pub &'a Barrier);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if panicking() {
            self.0.is_broken.store(true, Ordering::Release);
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
