//! Progress and summary of an export, above the status bar until the summary is closed.

use egui::{Align, Button, Label, Layout, RichText, ScrollArea, Sense, Ui};

use outcome::OutcomeKind;

use super::super::command::{Command, Commands, OutputCommand};
use super::super::dialogs::PickerKind;
use super::super::language::{count, decimal, say, tr};
use super::super::messages;
use super::super::state::{Batch, BatchEnd, BatchLine, SelectHow};
use super::super::theme::{palette, small};
use super::super::widgets::{Icon, elide_middle, icon_size, paint_icon, progress_bar, signed};

/// Height of the summary's list, in points.
const LIST_HEIGHT: f32 = 132.0;

/// Minimum height of the window for the list, in points: in a lower one it would hide the settings. The report has it, too.
const MIN_WINDOW: f32 = 480.0;

/// Minimum width for title and buttons of the summary in one row, in points.
const MIN_ROW: f32 = 900.0;

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
        let progress = match (batch.cancelling, batch.paused_at) {
            (true, _) => say!("Stopping: {done} of {total}", done = done, total = total),
            (false, Some(_)) => say!("Paused at {done} of {total}", done = done, total = total),
            (false, None) => say!("Exporting {done} of {total}", done = done, total = total),
        };
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
            let width = ui.available_width();
            progress_bar(ui, width, (done, total), &progress);
        });
    });
    ui.label(RichText::new(format!("{} · {}", pace(batch), messages::export_counts(batch.counts))).weak().small());
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

fn summary_ui(ui: &mut Ui, batch: &Batch, end: BatchEnd, commands: &mut Commands) {
    if ui.available_width() < MIN_ROW {
        ui.horizontal_wrapped(|ui| title_ui(ui, batch, end));
        ui.horizontal_wrapped(|ui| buttons_ui(ui, buttons(batch), commands));
    } else {
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                buttons_ui(ui, buttons(batch).into_iter().rev(), commands);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    title_ui(ui, batch, end);
                    let folder = batch.folder.display().to_string();
                    let text = elide_middle(ui, &say!("in {folder}", folder = folder), &small(), ui.available_width());
                    ui.label(RichText::new(text).weak().small()).on_hover_text(folder);
                });
            });
        });
    }
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
    if ui.ctx().content_rect().height() < MIN_WINDOW {
        return;
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

/// How the export ended, and its numbers.
fn title_ui(ui: &mut Ui, batch: &Batch, end: BatchEnd) {
    end_icon_ui(ui, batch, end);
    ui.label(RichText::new(messages::export_end(end)).strong());
    let counts = messages::export_counts(batch.counts);
    ui.add(Label::new(RichText::new(&counts).weak()).truncate()).on_hover_text(counts);
}

/// Text, tooltip and command of each button of the summary.
fn buttons(batch: &Batch) -> Vec<(&'static str, &'static str, Command)> {
    let mut buttons = vec![(tr("Show in folder"), "", Command::ShowInFolder(batch.folder.clone()))];
    if batch.can_resume() {
        let about = tr("Continues the export; finished, unchanged photos are skipped");
        buttons.push((tr("Resume"), about, Command::ResumeExport));
    }
    if batch.journal.is_some() {
        let about = tr("Format by extension: HTML, CSV or JSON");
        buttons.push((tr("Save report…"), about, Command::Pick(PickerKind::SaveReport)));
    }
    buttons.push((tr("Close"), "", Command::CloseExport));
    buttons
}

fn buttons_ui(
    ui: &mut Ui,
    buttons: impl IntoIterator<Item = (&'static str, &'static str, Command)>,
    commands: &mut Commands,
) {
    for (text, about, command) in buttons {
        let response = ui.button(text);
        let response = if about.is_empty() { response } else { response.on_hover_text(about) };
        if response.clicked() {
            commands.push(command);
        }
    }
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
                commands.push(Command::SetBeforeAfter(true));
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
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(file) = &line.file
                && ui.link(RichText::new(tr("Show in folder")).small()).clicked()
            {
                commands.push(Command::ShowInFolder(file.clone()));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(RichText::new(text).small().color(color)).truncate());
            });
        });
    });
}
