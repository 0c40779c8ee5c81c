//! Detects an exit of the process that the program did not request.
//!
//! A loaded library can call `exit(0)`, which would look like success to a script although the work is unfinished.

#![expect(unsafe_code, reason = "exit handlers are registered with the C library")]

use std::ffi::c_int;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code if a library ended the process: "nothing could be done".
const ENDED_BY_LIBRARY: c_int = 2;

static WORKING: AtomicBool = AtomicBool::new(false);

unsafe extern "C" {
    fn atexit(at_exit: extern "C" fn()) -> c_int;
    fn _exit(code: c_int) -> !;
}

/// The program is working until this is dropped.
#[derive(Debug)]
#[must_use = "the work ends when this is dropped"]
pub struct Work(());

/// From now on, a call of `exit` by a library ends the process with an error, regardless of its code. To be called once, by
/// `main`.
pub fn begin_work() -> Work {
    WORKING.store(true, Ordering::SeqCst);
    // SAFETY: the function only reads a static, writes to standard error, and never unwinds.
    // If it cannot be registered, only this check is missing.
    let _ = unsafe { atexit(at_exit) };
    Work(())
}

impl Drop for Work {
    fn drop(&mut self) {
        WORKING.store(false, Ordering::SeqCst);
    }
}

/// Exits immediately, at the user's request.
#[expect(
    clippy::disallowed_methods,
    reason = "a second interrupt ends the process at once; --resume removes partial files"
)]
pub fn end_at_once(code: i32) -> ! {
    WORKING.store(false, Ordering::SeqCst);
    std::process::exit(code)
}

extern "C" fn at_exit() {
    if WORKING.load(Ordering::SeqCst) {
        let message = "error: a loaded library ended the program before its work was done; use --runtime tract, or another version of the library\n";
        // If standard error is not connected, the exit code still reports it.
        let _ = io::stderr().write_all(message.as_bytes());
        // SAFETY: the call has a plain argument and does not return.
        unsafe { _exit(ENDED_BY_LIBRARY) }
    }
}
