//! The child process that decodes one photo. A watchdog ends it on a timeout or when its parent has exited.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use picture::isolated::ReadRequest;

use super::spawn_named;

/// How often the watchdog checks whether the parent is alive.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// How long a child may outlive the parent's timeout, on systems that do not report the parent's exit.
const GRACE: Duration = Duration::from_secs(5);

/// Sets the executable for child processes, which test runtimes and decode some photos: normally this program. If it is not
/// set, runtimes are not tested and all photos are decoded in this process.
pub fn set_child_program(program: PathBuf) {
    engines::probe::set_program(program.clone());
    picture::isolated::set_decoder_program(program);
}

/// Decodes a photo if this process was started as a decoding child process; `None` otherwise. The exit code reports success.
pub fn serve_read_request() -> Option<ExitCode> {
    ReadRequest::from_arguments(std::env::args_os()).map(|request| read(&request))
}

fn read(request: &ReadRequest) -> ExitCode {
    let limit = Duration::from_secs(request.max_seconds()).saturating_add(GRACE);
    let watched = request.clone();
    let (ready, is_ready) = channel();
    let watchdog = spawn_named("watchdog", move || watch(&watched, limit, &ready));
    // Wait for the watchdog: a thread that starts while a library is being loaded blocks until that is done.
    let _ = is_ready.recv();
    match watchdog.and_then(|_| request.serve()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Aborts the process once its answer is no longer awaited. A regular exit would wait for a library that is being loaded.
fn watch(request: &ReadRequest, limit: Duration, ready: &Sender<()>) {
    let start = Instant::now();
    let _ = ready.send(());
    while !request.is_orphan() && start.elapsed() < limit {
        std::thread::sleep(CHECK_INTERVAL);
    }
    std::process::abort();
}
