//! Making threads.

use std::io;
use std::thread::{Builder, JoinHandle};

/// Starts a thread called `name`: the one place where threads are made.
///
/// # Errors
/// The system has no room for another thread.
pub fn spawn_named<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    Builder::new().name(format!("iron-{name}")).spawn(work)
}
