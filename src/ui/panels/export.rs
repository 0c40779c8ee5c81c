//! Progress and summary of an export, above the status bar until the summary is closed.

use egui::{Align, Button, Label, Layout, ProgressBar, RichText, ScrollArea, Sense, Ui};

use outcome::OutcomeKind;

use super::super::command::{Command, Commands, OutputCommand};
use super::super::dialogs::PickerKind;
use super::super::language::{count, decimal, say, tr};
use super::super::messages;
use super::super::state::{Batch, BatchEnd, BatchLine, Counts, SelectHow};
use super::super::theme::{palette, small, space};
use super::super::widgets::{Icon, elide_middle, icon_size, paint_icon, signed};

/// Height of the summary's list, in points.
const LIST_HEIGHT: f32 = 132.0;

/// Width of the column with names, in points.
const NAME_COLUMN: f32 = 240.0;

/// Height of a line, in points.
const LINE_HEIGHT: f32 = 20.0;

pub(super) fn export_ui(ui: &mut Ui, batch: &Batch, commands: &mut Commands) {
    match batch.end {
        None => running_ui(ui, batch, commands),
        Some(end) => summary_ui(ui, batch, end, commands),
    }
}

fn running_ui(ui: &mut Ui, batch: &Batch, commands: &mut Commands) {
    ui.horizontal(|ui| {
        let (done, total) = (batch.done, batch.total);
        let text = match (batch.cancelling, batch.paused_at) {
            (true, _) => say!("Stopping: {done} of {total}", done = done, total = total),
            (false, Some(_)) => say!("Paused at {done} of {total}", done = done, total = total),
            (false, None) => say!("Exporting {done} of {total}", done = done, total = total),
        };
        ui.label(RichText::new(text).strong());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.add_enabled(!batch.cancelling, Button::new(tr("Cancel"))).clicked() {
                commands.push(Command::CancelExport);
            }
            let paused = batch.paused_at.is_some();
            let (text, about) = match paused {
                true => (tr("Continue"), tr("Continue with the next photo")),
                false => (tr("Pause"), tr("Finishes the photos in progress and starts no new ones")),
            };
            if ui.add_enabled(!batch.cancelling, Button::new(text)).on_hover_text(about).clicked() {
                commands.push(Command::PauseExport(!paused));
            }
            ui.label(RichText::new(pace(batch)).weak());
            let bar = ProgressBar::new(batch.share()).fill(palette(ui).accent).desired_height(space::S);
            ui.add(bar.desired_width(ui.available_width()));
        });
    });
    ui.label(RichText::new(counts(batch.counts)).weak().small());
}

fn pace(batch: &Batch) -> String {
    if batch.paused_at.is_some() {
        return tr("paused").to_owned();
    }
    match (batch.rate(), batch.left_s()) {
        (Some(rate), Some(left)) => {
            say!("{rate} photos/s, {time_left}", rate = decimal(rate, 1), time_left = messages::time_left(left))
        }
        _ => tr("starting").to_owned(),
    }
}

fn counts(counts: Counts) -> String {
    let mut phrases = vec![
        count!(counts.files, "{n} file written", "{n} files written"),
        count!(counts.skipped, "{n} skipped", "{n} skipped"),
        count!(counts.no_face, "{n} without a face", "{n} without a face"),
        count!(counts.failed, "{n} failed", "{n} failed"),
    ];
    if counts.cards > 0 {
        phrases.push(count!(counts.cards, "{n} card", "{n} cards"));
    }
    if counts.excluded > 0 {
        phrases.push(count!(counts.excluded, "{n} excluded", "{n} excluded"));
    }
    if counts.damaged > 0 {
        phrases.push(count!(counts.damaged, "{n} damaged, skipped", "{n} damaged, skipped"));
    }
    if counts.before > 0 {
        phrases.push(count!(counts.before, "{n} already done", "{n} already done"));
    }
    messages::listed(&phrases)
}

fn summary_ui(ui: &mut Ui, batch: &Batch, end: BatchEnd, commands: &mut Commands) {
    ui.horizontal(|ui| {
        let what = match end {
            BatchEnd::Completed => tr("Export finished"),
            BatchEnd::Cancelled => tr("Export cancelled"),
            BatchEnd::Stopped => tr("Export stopped"),
            BatchEnd::Broken => tr("Export interrupted"),
        };
        end_icon_ui(ui, batch, end);
        ui.label(RichText::new(what).strong());
        ui.label(RichText::new(counts(batch.counts)).weak());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button(tr("Close")).clicked() {
                commands.push(Command::CloseExport);
            }
            let about = tr("Format by extension: HTML, CSV or JSON");
            if batch.journal.is_some() && ui.button(tr("Save report…")).on_hover_text(about).clicked() {
                commands.push(Command::Pick(PickerKind::SaveReport));
            }
            let about = tr("Continues the export; finished, unchanged photos are skipped");
            if batch.can_resume() && ui.button(tr("Resume")).on_hover_text(about).clicked() {
                commands.push(Command::ResumeExport);
            }
            let folder = batch.folder.display().to_string();
            let text = elide_middle(ui, &say!("in {folder}", folder = folder), &small(), ui.available_width());
            ui.label(RichText::new(text).weak().small()).on_hover_text(folder);
        });
    });
    let unreached = batch.total.saturating_sub(batch.done);
    if unreached > 0 {
        let text = count!(unreached, "{n} photo left", "{n} photos left");
        let color = palette(ui).warning;
        signed(ui, Icon::Warning, color, RichText::new(text));
    }
    if let Some(reason) = &batch.stopped {
        ui.label(RichText::new(messages::capitalized(&messages::stop_reason(reason))).color(palette(ui).error));
    }
    for note in &*batch.notes {
        ui.label(RichText::new(messages::capitalized(&messages::run_note(note))).weak().small());
    }
    let height = (batch.lines.len() as f32 * LINE_HEIGHT).clamp(LINE_HEIGHT, LIST_HEIGHT);
    ui.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink(false).show_rows(
        ui,
        LINE_HEIGHT,
        batch.lines.len(),
        |ui, rows| {
            for (row, line) in rows.clone().zip(&batch.lines[rows]) {
                ui.push_id(row, |ui| line_ui(ui, line, commands));
            }
        },
    );
}

/// Success or warning icon; the text beside it explains.
fn end_icon_ui(ui: &mut Ui, batch: &Batch, end: BatchEnd) {
    let palette = palette(ui);
    let has_failures = batch.counts.failed + batch.counts.no_face + batch.counts.damaged > 0;
    let (icon, color) = match (end, has_failures) {
        (BatchEnd::Completed, false) => (Icon::Done, palette.ok),
        (BatchEnd::Broken, _) => (Icon::Error, palette.error),
        _ => (Icon::Warning, palette.warning),
    };
    let (rect, _) = ui.allocate_exact_size(icon_size(), Sense::hover());
    paint_icon(ui.painter(), rect.center(), icon, color);
}

fn line_ui(ui: &mut Ui, line: &BatchLine, commands: &mut Commands) {
    ui.spacing_mut().interact_size.y = LINE_HEIGHT;
    ui.horizontal(|ui| {
        let column = NAME_COLUMN.min(ui.available_width() * 0.4);
        let left = ui.cursor().left();
        let name = elide_middle(ui, &line.name, &small(), column);
        if ui.link(RichText::new(name).small()).on_hover_text(tr("Show in list")).clicked() {
            commands.push(Command::Select(line.item, SelectHow::Only));
            if line.outcome == OutcomeKind::Cropped {
                commands.push(Command::Outputs(OutputCommand::Activate(0)));
            }
        }
        ui.add_space((left + column - ui.cursor().left()).max(0.0));
        let weak = ui.visuals().weak_text_color();
        let (text, color) = match line.outcome {
            OutcomeKind::Cropped | OutcomeKind::Detected => (say!("written: {files}", files = line.what), weak),
            OutcomeKind::AlreadyDone | OutcomeKind::Card | OutcomeKind::Excluded => (line.what.clone(), weak),
            OutcomeKind::NoFace | OutcomeKind::Damaged | OutcomeKind::Skipped => {
                (line.what.clone(), palette(ui).warning)
            }
            OutcomeKind::Failed => (say!("failed: {reason}", reason = line.what), palette(ui).error),
        };
        ui.add(Label::new(RichText::new(text).small().color(color)).truncate());
    });
}
