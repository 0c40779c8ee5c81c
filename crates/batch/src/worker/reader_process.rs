//! What a child process does that reads one photo: it reads, answers and ends, in time and not after its parent.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use picture::isolated::ReadRequest;

use super::spawn_named;

/// How often the child looks whether somebody waits for it.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How much longer than its parent waits a child may live, where the system does not tell that the parent is gone.
const GRACE: Duration = Duration::from_secs(5);

/// Says which program runs as a child, to try runtimes and to read some photos: this program again. Where it is not said, runtimes
/// are not tried and all photos are read in this process.
pub fn set_child_program(program: PathBuf) {
    engines::probe::set_program(program.clone());
    picture::isolated::set_reader(program);
}

/// Reads a photo if the arguments of this process ask for it as a child: `None` if they do not. The exit code says whether there is an
/// answer.
pub fn serve_read_request() -> Option<ExitCode> {
    ReadRequest::of_arguments(std::env::args_os()).map(|request| read(&request))
}

fn read(request: &ReadRequest) -> ExitCode {
    let limit = Duration::from_secs(request.max_seconds()).saturating_add(GRACE);
    let watched = request.clone();
    let (ready, is_ready) = channel();
    let watchdog = spawn_named("watchdog", move || watch(&watched, limit, &ready));
    // A thread that starts while a library is being loaded waits until that is done.
    let _ = is_ready.recv();
    match watchdog.and_then(|_| request.serve()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Ends the process where nobody waits for its answer. An orderly end would wait for a library that is being loaded.
fn watch(request: &ReadRequest, limit: Duration, ready: &Sender<()>) {
    let start = Instant::now();
    let _ = ready.send(());
    while !request.is_orphan() && start.elapsed() < limit {
        std::thread::sleep(LOOK_EVERY);
    }
    std::process::abort();
}
