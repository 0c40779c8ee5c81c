//! Reading the cards that photos show.

use std::time::Instant;

use batch::worker::{ItemId, RequestId, ThumbnailsRequest};
use outcome::{CardCode, StageError};

use super::super::command::Effect;
use super::super::language::tr;
use super::super::state::{AppState, CardReading, ExportScope, NoticeKind, Pending};
use super::export;

/// Requests the cards of the next photos, or cancels the request if cards are not read any more. Starts the export that
/// waited if nothing is left to read.
pub(super) fn read_next(state: &mut AppState, now: Instant, effects: &mut Vec<Effect>) {
    state.cards.looked_for = Some(state.cards_key());
    let is_on = state.settings.names.cards && state.worker_alive;
    let pending = state.pending.iter().find(|(_, pending)| **pending == Pending::Cards).map(|(id, _)| *id);
    match pending {
        Some(_) if is_on => return,
        Some(id) => cancel(state, id, effects),
        None => {}
    }
    let photos = if is_on { state.next_cards() } else { Vec::new() };
    if photos.is_empty() {
        if let Some((scope, resume)) = state.cards.waiting_export.take().filter(|_| state.worker_alive) {
            export::start(state, scope, resume, now, effects);
        }
        return;
    }
    (state.cards.requested, state.cards.cancelled) = (photos.iter().map(|photo| photo.item).collect(), false);
    effects.push(Effect::send(ThumbnailsRequest::ReadCards { photos }));
}

fn cancel(state: &mut AppState, id: RequestId, effects: &mut Vec<Effect>) {
    if !std::mem::replace(&mut state.cards.cancelled, true) {
        effects.push(Effect::Cancel(id));
    }
}

/// Stores the codes in a photo.
pub(crate) fn handle_card(state: &mut AppState, item: ItemId, codes: Result<Vec<CardCode>, StageError>) {
    let reading = match codes {
        Ok(codes) => CardReading::Codes(codes),
        Err(error) => {
            tracing::debug!(item = item.0, %error, "no card was read");
            CardReading::Failed
        }
    };
    set_reading(state, item, reading);
}

/// The request has ended. Photos that it left out are not requested again, unless it was cancelled.
pub(crate) fn handle_cards_end(state: &mut AppState) {
    let requested = std::mem::take(&mut state.cards.requested);
    for item in requested {
        let Some(photo) = state.list.library.get(item) else { continue };
        if photo.card_text().is_some() {
            state.cards.readings += 1;
        } else if photo.card == CardReading::Unread && !state.cards.cancelled {
            set_reading(state, item, CardReading::Failed);
        }
    }
    (state.cards.cancelled, state.cards.looked_for) = (false, None);
}

fn set_reading(state: &mut AppState, item: ItemId, reading: CardReading) {
    if let Some(photo) = state.list.library.get_mut(item) {
        photo.card = reading;
    }
}

/// True once all cards were read. Otherwise the export starts when they are.
pub(super) fn are_read(state: &mut AppState, scope: ExportScope, resume: bool) -> bool {
    if !state.has_unread_cards() {
        return true;
    }
    if state.cards.waiting_export.replace((scope, resume)).is_none() {
        state.dialogs.notices.add(NoticeKind::Info, tr("The export starts once all cards have been read."));
    }
    false
}

/// Replaces the text of the card that a photo shows; empty for no card. What was read is no correction.
pub(super) fn correct(state: &mut AppState, item: ItemId, text: &str) {
    state.names.editing = None;
    let Some(photo) = state.list.library.get_mut(item) else { return };
    let text = text.trim();
    let read = photo.card.code().map(|code| code.text.as_str());
    let is_read = photo.card != CardReading::Unread && read.unwrap_or_default() == text;
    let card = (!is_read).then(|| text.to_owned());
    photo.edit(|edits| edits.card = card);
}
