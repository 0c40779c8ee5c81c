//! Memory admission for decoders: if the system has no memory left, the photo fails and not the program.

use std::hint::black_box;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use outcome::DecodeError;

use super::deadline;

/// Memory reserve for the rest of the work on a photo.
const MIN_FREE_BYTES: u64 = 64 << 20;

/// Retry interval for waiting decodes.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// Bytes reserved for decodes in progress.
static RESERVED: Mutex<u64> = Mutex::new(0);
static RELEASED: Condvar = Condvar::new();

/// Memory reserved for a decode, released on drop.
#[derive(Debug)]
#[must_use = "the reservation is released when this is dropped"]
pub(super) struct Reservation(u64);

/// Reserves `bytes` for a decode. Waits for other decodes if there is not enough memory for all.
///
/// # Errors
/// The system does not have that much memory, even for this decode alone.
pub(super) fn reserve(bytes: u64) -> Result<Reservation, DecodeError> {
    let mut reserved = RESERVED.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        // Reservations of other decodes may not be allocated yet.
        if is_available(bytes.saturating_add(*reserved).saturating_add(MIN_FREE_BYTES)) {
            *reserved += bytes;
            return Ok(Reservation(bytes));
        }
        if *reserved == 0 {
            return Err(DecodeError::NoMemory { bytes });
        }
        deadline::check()?;
        reserved = RELEASED.wait_timeout(reserved, RETRY_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        *RESERVED.lock().unwrap_or_else(PoisonError::into_inner) -= self.0;
        RELEASED.notify_all();
    }
}

/// Allocates `count` zero samples.
///
/// # Errors
/// The system does not have that much memory.
pub(super) fn zeroed<T: Copy + Default>(count: usize) -> Result<Vec<T>, DecodeError> {
    let mut samples = Vec::new();
    let bytes = (count as u64).saturating_mul(size_of::<T>() as u64);
    samples.try_reserve_exact(count).map_err(|_| DecodeError::NoMemory { bytes })?;
    samples.resize(count, T::default());
    Ok(samples)
}

/// True if the system can allocate `bytes`, which are freed untouched.
fn is_available(bytes: u64) -> bool {
    let mut probe = Vec::<u8>::new();
    let available = usize::try_from(bytes).is_ok_and(|bytes| probe.try_reserve_exact(bytes).is_ok());
    // The compiler may remove an allocation that is never used.
    black_box(&mut probe);
    available
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_reservations_fail_and_reservations_are_released() {
        let refused = reserve(u64::MAX / 4).expect_err("too much");
        assert!(matches!(refused, DecodeError::NoMemory { bytes } if bytes == u64::MAX / 4), "{refused}");
        assert!(zeroed::<u16>(usize::MAX / 8).is_err());
        let held = reserve(1 << 20).expect("enough memory");
        drop(held);
        assert!(reserve(1 << 20).is_ok());
    }
}
