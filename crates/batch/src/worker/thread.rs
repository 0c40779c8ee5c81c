//! Thread creation.

use std::io;
use std::thread::{Builder, JoinHandle};

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
