//! Thread creation.

use std::io;
use std::thread::{self, Builder, JoinHandle};

/// Runs `work` on this thread and on as many others as needed for `threads` in all, and waits for all of them.
pub(super) fn run_on(threads: usize, work: impl Fn() + Sync) {
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(&work);
        }
        work();
    });
}

/// Starts a thread named `iron-{name}`; all threads are created here.
///
/// # Errors
/// Fails if the system cannot start another thread.
pub fn spawn_named<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    Builder::new().name(format!("iron-{name}")).spawn(work)
}
