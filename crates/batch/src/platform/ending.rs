//! Detects an exit of the process that the program did not request.
//!
//! A loaded library can call `exit(0)`, which would look like success to a script although the work is unfinished.

#![expect(unsafe_code, reason = "exit handlers are registered with the C library")]

use std::ffi::c_int;
use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::end_session;

/// The exit code if a library ended the process: "nothing could be done".
const ENDED_BY_LIBRARY: c_int = 2;

/// The exit code if the display was closed.
const DISPLAY_CLOSED: c_int = 1;

static WORKING: AtomicBool = AtomicBool::new(false);

static DISPLAY_IS_LOST: OnceLock<fn() -> bool> = OnceLock::new();

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
    // SAFETY: the function reads statics, removes a file, writes to standard error, and never unwinds.
    // If it cannot be registered, only this check is missing.
    let _ = unsafe { atexit(at_exit) };
    Work(())
}

impl Drop for Work {
    fn drop(&mut self) {
        WORKING.store(false, Ordering::SeqCst);
    }
}

/// Registers a check whether the display of the window has gone: X11's library calls `exit` then, as at a log-out. That is a
/// regular end and no crash.
pub fn set_display_check(is_lost: fn() -> bool) {
    let _ = DISPLAY_IS_LOST.set(is_lost);
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

/// Exits immediately without exit handlers, which may wait for a thread that hangs.
pub fn end_hung(code: i32) -> ! {
    // SAFETY: the call has a plain argument and does not return.
    unsafe { _exit(code) }
}

extern "C" fn at_exit() {
    if !WORKING.load(Ordering::SeqCst) {
        return;
    }
    if DISPLAY_IS_LOST.get().is_some_and(|is_lost| is_lost()) {
        end_session();
        // SAFETY: the call has a plain argument and does not return.
        unsafe { _exit(DISPLAY_CLOSED) }
    } else {
        let message = "error: a loaded library ended the program before its work was done; use --runtime tract, or another version of the library\n";
        // If standard error is not connected, the exit code still reports it.
        let _ = io::stderr().write_all(message.as_bytes());
        // SAFETY: the call has a plain argument and does not return.
        unsafe { _exit(ENDED_BY_LIBRARY) }
    }
}
