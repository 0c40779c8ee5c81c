//! An end of the program that is not its own.
//!
//! A library that is loaded into the program can call `exit(0)`. To a script that would look like success, with the work undone.

#![expect(unsafe_code, reason = "what runs at a process's end is registered with the C library")]

use std::ffi::c_int;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// What the program ends with where a library ended it: "nothing could be done".
const ENDED_BY_LIBRARY: c_int = 2;

static AT_WORK: AtomicBool = AtomicBool::new(false);

unsafe extern "C" {
    fn atexit(at_exit: extern "C" fn()) -> c_int;
    fn _exit(code: c_int) -> !;
}

/// The program is at work until this is dropped.
#[derive(Debug)]
#[must_use = "the work ends when this is dropped"]
pub struct Work(());

/// From now on, a call of `exit` that the program did not make ends it with an error, whatever code it was made with. For one
/// caller: `main`.
pub fn begin_work() -> Work {
    AT_WORK.store(true, Ordering::SeqCst);
    // SAFETY: the function only looks at a static, writes to standard error, and never unwinds.
    // Without room for it the program still works, and only this check is missing.
    let _ = unsafe { atexit(at_exit) };
    Work(())
}

impl Drop for Work {
    fn drop(&mut self) {
        AT_WORK.store(false, Ordering::SeqCst);
    }
}

/// Ends the program at once, where the person asked for that.
#[expect(clippy::disallowed_methods, reason = "asked twice, nothing is waited for; --resume clears what is left")]
pub fn end_at_once(code: i32) -> ! {
    AT_WORK.store(false, Ordering::SeqCst);
    std::process::exit(code)
}

extern "C" fn at_exit() {
    if AT_WORK.load(Ordering::SeqCst) {
        let reported = "error: a library that the program had loaded ended it before its work was done; \
                    use --runtime tract, or another version of the library\n";
        // Where nobody hears it, the exit code tells it.
        let _ = io::stderr().write_all(reported.as_bytes());
        // SAFETY: it takes a number and does not return.
        unsafe { _exit(ENDED_BY_LIBRARY) }
    }
}
