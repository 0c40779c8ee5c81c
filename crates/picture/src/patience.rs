//! How long reading a photo may take, and whether anybody still waits for it.
//!
//! What is known of that belongs to the thread that reads, so that a decoder's source of bytes can ask in the middle of its
//! work. A decoder that never asks for bytes runs in a process of its own (see [`apart`](super::isolated)).

use std::cell::RefCell;
use std::io;
use std::time::{Duration, Instant};

use cancel::CancelToken;
use outcome::DecodeError;
use recipe::DecodeLimits;

/// Bytes that a source hands out between two looks at the clock.
const LOOK_EVERY: usize = 1 << 16;

struct Watch {
    cancel: CancelToken,
    limit: Duration,
    /// Time of the readings that have ended.
    used: Duration,
    /// When the reading under way has begun.
    since: Option<Instant>,
    ended: Option<End>,
}

/// Why a reading was ended.
#[derive(Clone, Copy, Debug)]
enum End {
    TookTooLong(Duration),
    Cancelled,
}

thread_local! {
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

impl Watch {
    fn new(limits: &DecodeLimits, cancel: &CancelToken) -> Self {
        let limit = Duration::from_secs(limits.max_seconds);
        Self { cancel: cancel.clone(), limit, used: Duration::ZERO, since: None, ended: None }
    }

    fn end(&mut self) -> Option<End> {
        if self.ended.is_none() {
            let used = self.used + self.since.map_or(Duration::ZERO, |since| since.elapsed());
            self.ended = if self.cancel.is_cancelled() {
                Some(End::Cancelled)
            } else {
                (used > self.limit).then_some(End::TookTooLong(self.limit))
            };
        }
        self.ended
    }
}

impl From<End> for DecodeError {
    fn from(end: End) -> Self {
        match end {
            End::TookTooLong(limit) => Self::TookTooLong { seconds: limit.as_secs() },
            End::Cancelled => Self::Cancelled,
        }
    }
}

/// One photo being read by this thread, until this is dropped.
#[must_use = "the limit counts only until this is dropped"]
pub struct Reading {
    before: Option<Watch>,
}

/// Everything this thread reads from now on belongs to one photo: all its readings together may take as long as `limits`
/// allow, and they end soon after `cancel` is cancelled.
pub fn begin_reading(limits: &DecodeLimits, cancel: &CancelToken) -> Reading {
    Reading { before: WATCH.with(|watch| watch.replace(Some(Watch::new(limits, cancel)))) }
}

impl Drop for Reading {
    fn drop(&mut self) {
        let before = self.before.take();
        // A thread that is ending has no watch any more.
        let _ = WATCH.try_with(|watch| *watch.borrow_mut() = before);
    }
}

/// Runs one reading with the clock on. Where the reading was ended, that is the error, whatever the decoder made of it.
pub(super) fn timed<T>(limits: &DecodeLimits, work: impl FnOnce() -> Result<T, DecodeError>) -> Result<T, DecodeError> {
    /// Stops the clock, also when a decoder panics.
    struct Clock;
    impl Drop for Clock {
        fn drop(&mut self) {
            with(|watch| watch.used += watch.since.take().map_or(Duration::ZERO, |since| since.elapsed()));
        }
    }
    if with(|_| ()).is_none() {
        let _alone = begin_reading(limits, &CancelToken::new());
        return timed(limits, work);
    }
    // A reading within a reading is a part of it.
    if with(|watch| watch.since.is_some()) == Some(true) {
        return work();
    }
    with(|watch| watch.since = Some(Instant::now()));
    let clock = Clock;
    let result = look().and_then(|()| work());
    drop(clock);
    match with(|watch| watch.ended).flatten() {
        Some(end) => Err(end.into()),
        None => result,
    }
}

/// An error once the time is up or nobody waits any more.
pub(super) fn look() -> Result<(), DecodeError> {
    match with(Watch::end).flatten() {
        Some(end) => Err(end.into()),
        None => Ok(()),
    }
}

/// For sources of bytes: [looks](look) once for every 64 KiB. `at` is the place in the bytes, `next` where the next look is.
pub(super) fn look_at(at: usize, next: &mut usize) -> io::Result<()> {
    if at < *next {
        return Ok(());
    }
    *next = at.saturating_add(LOOK_EVERY);
    look().map_err(io::Error::other)
}

fn with<T>(ask: impl FnOnce(&mut Watch) -> T) -> Option<T> {
    WATCH.try_with(|watch| watch.borrow_mut().as_mut().map(ask)).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(seconds: u64) -> DecodeLimits {
        DecodeLimits { max_seconds: seconds, ..DecodeLimits::default() }
    }

    #[test]
    fn a_reading_that_is_over_time_fails_whatever_its_decoder_says() {
        let limits = limits(0);
        let reported = timed(&limits, || {
            std::thread::sleep(Duration::from_millis(2));
            let _ = look();
            Ok("grey rows in place of what was not read")
        });
        assert!(matches!(reported, Err(DecodeError::TookTooLong { seconds: 0 })), "{reported:?}");
    }

    #[test]
    fn readings_of_one_photo_add_up_and_the_next_photo_starts_anew() {
        let limits = limits(0);
        let cancel = CancelToken::new();
        let first = begin_reading(&limits, &cancel);
        let read = || {
            timed(&limits, || {
                std::thread::sleep(Duration::from_millis(2));
                Ok(())
            })
        };
        let _ = read();
        assert!(matches!(read(), Err(DecodeError::TookTooLong { .. })));
        drop(first);
        assert!(look().is_ok(), "nothing is read");
        let _second = begin_reading(&DecodeLimits::default(), &cancel);
        assert!(read().is_ok());
        cancel.cancel();
        assert!(matches!(read(), Err(DecodeError::Cancelled)));
    }

    #[test]
    fn a_source_of_bytes_ends_with_the_reading() {
        let cancel = CancelToken::new();
        let _reading = begin_reading(&DecodeLimits::default(), &cancel);
        let mut next = 0;
        assert!(look_at(0, &mut next).is_ok());
        cancel.cancel();
        assert!(look_at(LOOK_EVERY - 1, &mut next).is_ok(), "not looked at");
        assert!(look_at(LOOK_EVERY, &mut next).is_err());
    }
}
