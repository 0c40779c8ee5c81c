//! Deadline and cancellation of a decode.
//!
//! The state is thread-local, so that a decoder's byte source can check it during the decode. Decoders that do not read
//! bytes regularly run in a child process (see [`isolated`](super::isolated)).

use std::cell::RefCell;
use std::io;
use std::time::{Duration, Instant};

use cancel::CancelToken;
use outcome::DecodeError;
use recipe::DecodeLimits;

/// Bytes that a source returns between two checks of the deadline.
const CHECK_INTERVAL: usize = 1 << 16;

struct Deadline {
    cancel: CancelToken,
    limit: Duration,
    /// Time of the completed decodes.
    used: Duration,
    /// Start of the current decode.
    since: Option<Instant>,
    ended: Option<StopReason>,
}

/// Why a decode was stopped.
#[derive(Clone, Copy, Debug)]
enum StopReason {
    TookTooLong(Duration),
    Cancelled,
}

thread_local! {
    static DEADLINE: RefCell<Option<Deadline>> = const { RefCell::new(None) };
}

impl Deadline {
    fn new(limits: &DecodeLimits, cancel: &CancelToken) -> Self {
        let limit = Duration::from_secs(limits.max_seconds);
        Self { cancel: cancel.clone(), limit, used: Duration::ZERO, since: None, ended: None }
    }

    fn end(&mut self) -> Option<StopReason> {
        if self.ended.is_none() {
            let used = self.used + self.since.map_or(Duration::ZERO, |since| since.elapsed());
            self.ended = if self.cancel.is_cancelled() {
                Some(StopReason::Cancelled)
            } else {
                (used > self.limit).then_some(StopReason::TookTooLong(self.limit))
            };
        }
        self.ended
    }
}

impl From<StopReason> for DecodeError {
    fn from(end: StopReason) -> Self {
        match end {
            StopReason::TookTooLong(limit) => Self::TookTooLong { seconds: limit.as_secs() },
            StopReason::Cancelled => Self::Cancelled,
        }
    }
}

/// A photo being decoded by this thread, until this is dropped.
#[must_use = "the limit counts only until this is dropped"]
pub struct DecodeScope {
    previous: Option<Deadline>,
}

/// Starts a photo on this thread: all its decodes together may take as long as `limits` permit, and they stop soon
/// after `cancel` is cancelled.
pub fn begin_decode(limits: &DecodeLimits, cancel: &CancelToken) -> DecodeScope {
    DecodeScope { previous: DEADLINE.with(|deadline| deadline.replace(Some(Deadline::new(limits, cancel)))) }
}

impl Drop for DecodeScope {
    fn drop(&mut self) {
        let previous = self.previous.take();
        // A thread that is exiting has no state any more.
        let _ = DEADLINE.try_with(|deadline| *deadline.borrow_mut() = previous);
    }
}

/// Runs one decode under the deadline. If it was stopped, that is the error, whatever the decoder returned.
pub(super) fn timed<T>(limits: &DecodeLimits, work: impl FnOnce() -> Result<T, DecodeError>) -> Result<T, DecodeError> {
    /// Stops the clock, also if a decoder panics.
    struct Clock;
    impl Drop for Clock {
        fn drop(&mut self) {
            with(|deadline| deadline.used += deadline.since.take().map_or(Duration::ZERO, |since| since.elapsed()));
        }
    }
    if with(|_| ()).is_none() {
        let _alone = begin_decode(limits, &CancelToken::new());
        return timed(limits, work);
    }
    // A nested decode is part of the outer one.
    if with(|deadline| deadline.since.is_some()) == Some(true) {
        return work();
    }
    with(|deadline| deadline.since = Some(Instant::now()));
    let clock = Clock;
    let result = check().and_then(|()| work());
    drop(clock);
    match with(|deadline| deadline.ended).flatten() {
        Some(end) => Err(end.into()),
        None => result,
    }
}

/// Returns an error if the time is up or the photo is cancelled.
pub(super) fn check() -> Result<(), DecodeError> {
    match with(Deadline::end).flatten() {
        Some(end) => Err(end.into()),
        None => Ok(()),
    }
}

/// For byte sources: [checks](check) once per 64 KiB. `at` is the position in the bytes, `next` the position of the
/// next check.
pub(super) fn check_at(at: usize, next: &mut usize) -> io::Result<()> {
    if at < *next {
        return Ok(());
    }
    *next = at.saturating_add(CHECK_INTERVAL);
    check().map_err(io::Error::other)
}

fn with<T>(access: impl FnOnce(&mut Deadline) -> T) -> Option<T> {
    DEADLINE.try_with(|deadline| deadline.borrow_mut().as_mut().map(access)).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(seconds: u64) -> DecodeLimits {
        DecodeLimits { max_seconds: seconds, ..DecodeLimits::default() }
    }

    #[test]
    fn expired_deadline_overrides_the_decoder_result() {
        let limits = limits(0);
        let result = timed(&limits, || {
            std::thread::sleep(Duration::from_millis(2));
            let _ = check();
            Ok("grey rows in place of what was not read")
        });
        assert!(matches!(result, Err(DecodeError::TookTooLong { seconds: 0 })), "{result:?}");
    }

    #[test]
    fn decodes_of_one_photo_share_a_deadline() {
        let limits = limits(0);
        let cancel = CancelToken::new();
        let first = begin_decode(&limits, &cancel);
        let read = || {
            timed(&limits, || {
                std::thread::sleep(Duration::from_millis(2));
                Ok(())
            })
        };
        let _ = read();
        assert!(matches!(read(), Err(DecodeError::TookTooLong { .. })));
        drop(first);
        assert!(check().is_ok(), "nothing is read");
        let _second = begin_decode(&DecodeLimits::default(), &cancel);
        assert!(read().is_ok());
        cancel.cancel();
        assert!(matches!(read(), Err(DecodeError::Cancelled)));
    }

    #[test]
    fn cancellation_stops_byte_sources() {
        let cancel = CancelToken::new();
        let _scope = begin_decode(&DecodeLimits::default(), &cancel);
        let mut next = 0;
        assert!(check_at(0, &mut next).is_ok());
        cancel.cancel();
        assert!(check_at(CHECK_INTERVAL - 1, &mut next).is_ok(), "not checked yet");
        assert!(check_at(CHECK_INTERVAL, &mut next).is_err());
    }
}
