//! Notifications of the desktop at the end of long work; the window shows them only if the user has turned them on.

use super::super::command::Effect;
use super::super::language::tr;
use super::super::messages;
use super::super::notification::MIN_SECONDS;
use super::super::state::{AppState, BatchEnd};

/// Notifies the end of an export, unless it was short or the user has cancelled it.
pub(crate) fn notify_export(state: &AppState, effects: &mut Vec<Effect>) {
    let Some(batch) = &state.export.batch else { return };
    if let Some(end) = batch.end
        && end != BatchEnd::Cancelled
        && batch.elapsed_s >= MIN_SECONDS
    {
        let (title, text) = (messages::export_end(end).to_owned(), messages::export_counts(batch.counts));
        effects.push(Effect::Notify { title, text });
    }
}

/// Notifies the end of a comparison.
pub(crate) fn notify_comparison(cancelled: bool, effects: &mut Vec<Effect>) {
    if !cancelled {
        let (title, text) = (tr("Comparison finished").to_owned(), tr("The results are in the window.").to_owned());
        effects.push(Effect::Notify { title, text });
    }
}
