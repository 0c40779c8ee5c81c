//! The measurements of each runtime, updated live.

use egui::{Align, Button, Label, Layout, RichText, Ui};

use batch::latency::{CompareRow, difference};
use outcome::RuntimeState;
use recipe::BackendKind;

use super::super::super::command::{Command, Commands};
use super::super::super::dialogs::PickerKind;
use super::super::super::language::{count, decimal, mark, say, tr};
use super::super::super::messages;
use super::super::super::state::{AppState, CompareEnd, CompareRun, Copied};
use super::super::super::theme::{palette, space};
use super::super::super::widgets::{Cell, Column, Icon, column_rect, signed, table_head, table_row};
use super::super::runtimes::secondary_ui;

/// Width of the button's column, in points.
const BUTTON: f32 = 72.0;

/// Minimum width of a runtime's name, in points; the hover text has the full name.
const NAME: f32 = 134.0;

/// Width, in points, from which the version is shown after the name.
const NAME_AND_VERSION: f32 = 210.0;

/// Maximum number of measured photos in the hover text.
const LISTED: usize = 20;

/// Number of columns with numbers.
const FIGURES: usize = 9;

/// Titles of the columns, each with its explanation.
const TITLES: [(&str, &str); FIGURES] = [
    (mark("Cold\nload"), mark("Time to load the library and the model in a new process, in ms")),
    (mark("First\nrun"), mark("Time of the first run in a new process, in ms")),
    (mark("Median"), mark("Median time of a run (detection, landmarks and mask), in ms")),
    (mark("p95"), mark("95th percentile of the run times, in ms")),
    (mark("Min"), mark("Shortest run, in ms")),
    (mark("Runs/s"), mark("Runs per second in one session")),
    (mark("Peak\nMB"), mark("Peak memory growth of a new process")),
    (mark("Faces"), mark("Faces found in all photos with a score of 0.6 or higher")),
    (
        mark("Max\ndiff"),
        mark("Largest output difference from tract, or from the first runtime if tract is not compared"),
    ),
];

pub(super) fn results_ui(ui: &mut Ui, state: &AppState, run: &CompareRun, commands: &mut Commands) {
    ui.add_space(space::S);
    head_ui(ui, state, run, commands);
    let columns = columns(ui.available_width());
    ui.spacing_mut().item_spacing.y = 0.0;
    table_head(ui, "compare", &columns);
    let fastest = fastest(&run.table.rows);
    for (index, &kind) in run.spec.runtimes.iter().enumerate() {
        match run.table.rows.get(index) {
            Some(row) => row_ui(ui, state, &columns, row, Some(kind) == fastest, commands),
            None => {
                let what = if run.end.is_some() { tr("not run") } else { tr("waiting") };
                let color = Some(ui.visuals().weak_text_color());
                let cells =
                    [Cell::from(kind.title().to_owned()), Cell { text: what.to_owned(), color, wider_by: FIGURES - 1 }];
                table_row(ui, &columns, &cells, &format!("{kind}: {what}"));
            }
        }
    }
    ui.spacing_mut().item_spacing.y = space::XS;
    for row in run.table.rows.iter().filter(|row| row.state == RuntimeState::Ready && !row.model_faults.is_empty()) {
        let text = format!("{}: {}", row.kind, messages::without_models(&row.model_faults));
        let color = palette(ui).warning;
        signed(ui, Icon::Warning, color, RichText::new(text).small());
    }
    for (path, error) in &run.table.problems {
        let text = format!("{}: {}", path.display(), messages::decode_error(error));
        ui.add(Label::new(RichText::new(text).small().color(palette(ui).error)).wrap());
    }
}

fn head_ui(ui: &mut Ui, state: &AppState, run: &CompareRun, commands: &mut Commands) {
    ui.horizontal(|ui| {
        let (text, color) = match &run.end {
            None => (tr("Comparing").to_owned(), None),
            Some(CompareEnd::Completed) => (tr("Finished").to_owned(), None),
            Some(CompareEnd::Cancelled) => (tr("Cancelled").to_owned(), Some(palette(ui).warning)),
            Some(CompareEnd::Broken(error)) => {
                let reason = messages::stage_error(error);
                (say!("Interrupted: {reason}", reason = reason), Some(palette(ui).error))
            }
        };
        let mut text = RichText::new(text).strong();
        if let Some(color) = color {
            text = text.color(color);
        }
        ui.label(text);
        let photos = match &run.spec.photos[..] {
            [photo] => photo.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            photos => count!(photos.len(), "{n} photo", "{n} photos"),
        };
        let about = say!(
            "on {photos}, {warmup} + {repeats} runs, times in ms",
            photos = photos,
            warmup = run.spec.warmup,
            repeats = run.spec.repeats
        );
        let paths: Vec<String> = run.spec.photos.iter().take(LISTED).map(|path| path.display().to_string()).collect();
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let done = state.runtime.compare.result().is_some();
            for (text, command) in [
                (tr("Save JSON…"), Command::Pick(PickerKind::SaveJson)),
                (tr("Save CSV…"), Command::Pick(PickerKind::SaveCsv)),
                (tr("Copy as Markdown"), Command::CopyComparison),
            ] {
                if ui.add_enabled(done, Button::new(text)).clicked() {
                    commands.push(command);
                }
            }
            if state.dialogs.copied == Some(Copied::Comparison) {
                ui.label(RichText::new(tr("Copied")).small().color(palette(ui).ok));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let label = ui.add(Label::new(RichText::new(about).small()).truncate());
                label.on_hover_text(paths.join("\n"));
            });
        });
    });
}

fn columns(width: f32) -> Vec<Column> {
    let figure = ((width - NAME - BUTTON) / FIGURES as f32).clamp(44.0, 96.0);
    let name = (width - BUTTON - figure * FIGURES as f32).max(100.0);
    let mut columns = vec![Column { title: tr("Runtime"), about: "", width: name, align: Align::Min }];
    columns.extend(TITLES.map(|(title, about)| Column {
        title: tr(title),
        about: tr(about),
        width: figure,
        align: Align::Max,
    }));
    columns.push(Column { title: "", about: "", width: BUTTON, align: Align::Max });
    columns
}

/// The runtime with the lowest median, if there are at least two to compare.
fn fastest(rows: &[CompareRow]) -> Option<BackendKind> {
    let mut medians: Vec<(f64, BackendKind)> =
        rows.iter().filter_map(|row| Some((row.statistics()?.median, row.kind))).collect();
    medians.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    if medians.len() > 1 { medians.first().map(|(_, kind)| *kind) } else { None }
}

fn row_ui(ui: &mut Ui, state: &AppState, columns: &[Column], row: &CompareRow, fastest: bool, commands: &mut Commands) {
    let name = match &row.version {
        Some(version) => format!("{} {version}", row.kind),
        None => row.kind.title().to_owned(),
    };
    let figures = figures(row);
    let failed = row.state != RuntimeState::Ready;
    let why = failed.then(|| why(row));
    let mut sentence = why.as_ref().map_or_else(|| format!("{}:", row.kind), |why| format!("{}: {why}", row.kind));
    if !failed || !row.samples.is_empty() {
        for ((title, _), figure) in TITLES.iter().zip(&figures).filter(|(_, figure)| !figure.is_empty()) {
            sentence.push_str(&format!(" {} {figure},", tr(title).to_lowercase().replace('\n', " ")));
        }
    }
    let sentence = sentence.trim_end_matches(',');
    let roomy = columns[0].width >= NAME_AND_VERSION;
    let mut cells = vec![Cell::from(if roomy { name.clone() } else { row.kind.title().to_owned() })];
    if let Some(text) = why {
        cells.push(Cell { text, color: Some(palette(ui).error), wider_by: FIGURES });
    } else {
        cells.extend(figures.into_iter().map(Cell::from));
        if fastest {
            // Marked by a tick as well as by colour.
            cells[3].text.insert_str(0, "✔ ");
            cells[3].color = Some(palette(ui).ok);
        }
    }
    let response = table_row(ui, columns, &cells, sentence);
    let button = column_rect(response.rect, columns, FIGURES + 1);
    let about = match (failed, fastest) {
        (true, _) => sentence.to_owned(),
        (false, true) => say!("{runtime}, fastest", runtime = name),
        (false, false) => name,
    };
    response.on_hover_text(about);
    if !failed {
        secondary_ui(ui, &state.runtime, row.kind, button, commands);
    }
}

/// Why a runtime has no results, or incomplete ones.
fn why(row: &CompareRow) -> String {
    let state = match row.state {
        RuntimeState::Ready => tr("ready"),
        RuntimeState::Missing => tr("missing"),
        RuntimeState::Unsupported => tr("unsupported"),
        RuntimeState::Failed => tr("failed"),
    };
    let reason = row.fault.as_ref().map_or_else(|| tr("no reason given").to_owned(), messages::runtime_fault);
    format!("{state}: {reason}")
}

fn figures(row: &CompareRow) -> [String; FIGURES] {
    let number = |value: Option<f64>| match value {
        None => String::new(),
        Some(value) => decimal(value, usize::from(value < 100.0)),
    };
    let statistics = row.statistics();
    [
        number(row.cold_ms),
        number(row.first_ms),
        number(statistics.map(|statistics| statistics.median)),
        number(statistics.map(|statistics| statistics.p95)),
        number(statistics.map(|statistics| statistics.min)),
        number(statistics.map(|statistics| statistics.per_second())),
        number(row.peak_memory_mb),
        row.faces.map(|faces| faces.to_string()).unwrap_or_default(),
        row.max_difference.map(difference).unwrap_or_default(),
    ]
}
