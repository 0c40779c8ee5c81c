//! Memory is asked for before a decoder takes it: where the system has none left, the photo fails and not the program.

use std::hint::black_box;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use outcome::DecodeError;

use super::patience;

/// Bytes that must be left for the rest of the program's work on a photo.
const SLACK: u64 = 64 << 20;

/// How long a reading waits before it asks again.
const ASK_AGAIN: Duration = Duration::from_millis(50);

/// Bytes promised to readings that are under way.
static PROMISED: Mutex<u64> = Mutex::new(0);
static GIVEN_BACK: Condvar = Condvar::new();

/// Memory that a reading may take, until this is dropped.
#[derive(Debug)]
#[must_use = "the promise holds only until this is dropped"]
pub(super) struct Promise(u64);

/// Promises `bytes` to a reading. Waits for other readings where there is too little for all.
///
/// # Errors
/// The system does not have that much, even for this reading alone.
pub(super) fn promise(bytes: u64) -> Result<Promise, DecodeError> {
    let mut promised = PROMISED.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        // What others were promised may not be taken yet.
        if is_there(bytes.saturating_add(*promised).saturating_add(SLACK)) {
            *promised += bytes;
            return Ok(Promise(bytes));
        }
        if *promised == 0 {
            return Err(DecodeError::NoMemory { bytes });
        }
        patience::look()?;
        promised = GIVEN_BACK.wait_timeout(promised, ASK_AGAIN).unwrap_or_else(PoisonError::into_inner).0;
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        *PROMISED.lock().unwrap_or_else(PoisonError::into_inner) -= self.0;
        GIVEN_BACK.notify_all();
    }
}

/// Memory for `count` samples, all zero.
///
/// # Errors
/// The system does not have that much.
pub(super) fn zeroed<T: Copy + Default>(count: usize) -> Result<Vec<T>, DecodeError> {
    let mut samples = Vec::new();
    let bytes = (count as u64).saturating_mul(size_of::<T>() as u64);
    samples.try_reserve_exact(count).map_err(|_| DecodeError::NoMemory { bytes })?;
    samples.resize(count, T::default());
    Ok(samples)
}

/// True where the system gives that many bytes, which are given back untouched.
fn is_there(bytes: u64) -> bool {
    let mut room = Vec::<u8>::new();
    let given = usize::try_from(bytes).is_ok_and(|bytes| room.try_reserve_exact(bytes).is_ok());
    // Memory that nobody looks at may never be asked for.
    black_box(&mut room);
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_system_has_is_refused_and_promises_are_given_back() {
        let refused = promise(u64::MAX / 4).expect_err("too much");
        assert!(matches!(refused, DecodeError::NoMemory { bytes } if bytes == u64::MAX / 4), "{refused}");
        assert!(zeroed::<u16>(usize::MAX / 8).is_err());
        let held = promise(1 << 20).expect("there is that much");
        drop(held);
        assert!(promise(1 << 20).is_ok());
    }
}
