//! Reads the cards that photos show, several photos at a time.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

use cancel::CancelToken;
use outcome::{CardCode, StageError};
use pipeline::read_cards;

use super::thread::run_on;
use super::{ItemId, PhotoRef};
use crate::platform;

/// Calls `report` with the codes in each photo, in any order; photos are left out once cancelled.
pub(super) fn read_all(
    photos: &[PhotoRef],
    cancel: &CancelToken,
    report: &(dyn Fn(ItemId, Result<Vec<CardCode>, StageError>) + Sync),
) {
    let queue = Mutex::new(photos.iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(photo) = next().filter(|_| !cancel.is_cancelled()) {
            let _processing = platform::processing(&photo.path);
            match read_cards(photo.source(), &mut |_| (), cancel) {
                Ok(None) => return,
                Ok(Some(codes)) => report(photo.item, Ok(codes)),
                Err(error) => report(photo.item, Err(error)),
            }
        }
    };
    let threads = available_parallelism().map_or(1, NonZeroUsize::get).min(photos.len());
    run_on(threads, work);
}
