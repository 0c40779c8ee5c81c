//! The system's request to end: SIGTERM, SIGHUP, log-out. It is a normal end: nothing is asked, the running export is cancelled,
//! and an unsaved list is stored for the next start.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use batch::platform::end_hung;
use batch::worker::Wake;

/// How long the window waits for the cancelled export and for the list to be stored.
const TIME_TO_END: Duration = Duration::from_secs(5);

/// How long the system's request waits for a window that does not respond, before the process exits at once.
const TIME_TO_RESPOND: Duration = Duration::from_secs(12);

/// Exit code of a program that SIGTERM has ended, as shells define it.
const TERMINATED: i32 = 128 + 15;

/// Whether the system has asked the window to end; clones share it.
#[derive(Clone, Default)]
pub struct EndRequest(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    requested: bool,
    wake: Option<Wake>,
}

impl EndRequest {
    /// Asks the window to end; it starts to do so in its next pass.
    pub fn request(&self) {
        let mut waiting = self.lock();
        waiting.requested = true;
        if let Some(wake) = waiting.wake.clone() {
            drop(waiting);
            wake();
        }
    }

    /// Sets a function to be called when the end is requested.
    pub(super) fn wake_with(&self, wake: Wake) {
        self.lock().wake = Some(wake);
    }

    /// Requests the end whenever the system asks for it: on Unix by SIGTERM, SIGHUP or SIGINT.
    pub(super) fn listen(&self) {
        let this = self.clone();
        let listening = ctrlc::set_handler(move || {
            this.request();
            // If the window responds, the process ends within this time.
            std::thread::sleep(TIME_TO_RESPOND);
            end_hung(TERMINATED);
        });
        if let Err(error) = listening {
            tracing::warn!(%error, "the system's request to end will look like a crash");
        }
    }

    fn is_requested(&self) -> bool {
        self.lock().requested
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for EndRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EndRequest").field(&self.is_requested()).finish()
    }
}

/// What the window does next about the system's request to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Nothing was requested.
    No,
    /// Cancel the export, store the list.
    Begin,
    /// Check again after this time.
    Wait(Duration),
    /// Close the window.
    Close,
}

/// The end of a window, from the system's request on.
pub(super) struct WindowEnd {
    request: EndRequest,
    until: Option<Instant>,
}

impl WindowEnd {
    pub(super) fn new(request: EndRequest) -> Self {
        Self { request, until: None }
    }

    /// The next step; `is_ready` is whether nothing has to be waited for any more.
    pub(super) fn next_step(&mut self, is_ready: bool, now: Instant) -> Ending {
        match self.until {
            None if !self.request.is_requested() => Ending::No,
            None => {
                self.until = Some(now + TIME_TO_END);
                Ending::Begin
            }
            Some(until) if is_ready || now >= until => Ending::Close,
            Some(until) => Ending::Wait(until - now),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_waits_for_its_work_for_a_limited_time() {
        let request = EndRequest::default();
        let mut end = WindowEnd::new(request.clone());
        let now = Instant::now();
        assert_eq!(end.next_step(true, now), Ending::No);
        request.request();
        assert_eq!(end.next_step(true, now), Ending::Begin, "there may be work that has not begun");
        assert_eq!(end.next_step(false, now), Ending::Wait(TIME_TO_END));
        assert_eq!(end.next_step(true, now), Ending::Close);
        assert_eq!(end.next_step(false, now + TIME_TO_END), Ending::Close);
    }
}
