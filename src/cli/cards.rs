//! `--cards`: reads the cards that photos show, before the photos are named.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;

use batch::worker::{Event, ItemId, PhotoRef, ThumbnailsRequest, WorkerHandle};
use recipe::{DecodeLimits, DetectSpec};

use super::ask::ask;
use super::naming::{Cards, Corrections};
use super::print;

/// The texts of the cards in `photos`, and in `excluded` ones, each of which is given with the photo that follows it. A
/// corrected photo is not read. A photo that cannot be read shows none; cropping it reports why.
///
/// # Errors
/// The worker has exited.
pub(super) fn read(
    (photos, excluded): (&[PathBuf], &[(PathBuf, PathBuf)]),
    corrections: &Corrections,
    limits: DecodeLimits,
) -> anyhow::Result<Cards> {
    let all = || photos.iter().chain(excluded.iter().map(|(photo, _)| photo)).map(PathBuf::as_path);
    let corrected = |path: &Path| corrections.get(path).and_then(|correction| correction.card.as_deref());
    let unread: Vec<&Path> = all().filter(|path| corrected(path).is_none()).collect();
    let mut texts = read_texts(&unread, limits)?;
    let typed = all().filter_map(|path| Some((path.to_owned(), corrected(path)?.trim().to_owned())));
    texts.extend(typed.filter(|(_, text)| !text.is_empty()));
    print::note(&format!("note: {} of {} photos show a card", texts.len(), all().count()));
    let before = excluded.iter().filter_map(|(photo, next)| Some((next.clone(), texts.remove(photo)?))).collect();
    Ok(Cards { shown: texts, before })
}

/// The text of the card in each photo that shows one. A worker of its own reads them: replies of another one to earlier
/// requests would be lost.
fn read_texts(photos: &[&Path], limits: DecodeLimits) -> anyhow::Result<HashMap<PathBuf, String>> {
    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let detect = DetectSpec::default();
    let photo = |(item, path): (ItemId, &&Path)| PhotoRef { item, path: path.to_path_buf(), limits, detect };
    let photos: Vec<PhotoRef> = (0..).map(ItemId).zip(photos).map(photo).collect();
    let mut texts = HashMap::new();
    let request = ThumbnailsRequest::ReadCards { photos: photos.clone() };
    ask(&worker, request, |event| {
        match event {
            Event::CardRead { item, codes: Ok(codes) } => {
                let photo = usize::try_from(item.0).ok().and_then(|at| photos.get(at));
                // The largest code is the card's; others may be on posters.
                if let (Some(photo), Some(code)) = (photo, codes.into_iter().next()) {
                    texts.insert(photo.path.clone(), code.text);
                }
            }
            Event::CardRead { item, codes: Err(error) } => tracing::debug!(item = item.0, %error, "no card was read"),
            Event::CardsRead => return Ok(Some(())),
            _ => {}
        }
        Ok(None)
    })?;
    Ok(texts)
}
