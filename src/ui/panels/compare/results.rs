//! The measurements of each runtime, updated live.

use egui::{Align, Button, Label, Layout, RichText, Ui};

use batch::latency::{CompareRow, ComparisonTable, difference};
use geometry::Size;
use outcome::RuntimeState;

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

/// Minimum width of a runtime's name, in points; the hover text has the full name. If there is room, it is [`NAME`].
const MIN_NAME: f32 = 100.0;
const NAME: f32 = 134.0;

/// Minimum width of a number and its title, in points.
const MIN_FIGURE: f32 = 54.0;

/// Width, in points, from which the buttons are in the line above the table.
const ONE_LINE: f32 = 640.0;

/// Width, in points, from which the version is shown after the name.
const NAME_AND_VERSION: f32 = 210.0;

/// Maximum number of measured photos in the hover text.
const LISTED: usize = 20;

/// Number of columns with numbers.
const FIGURES: usize = 8;

/// Titles of the columns, each with its explanation. Without room, the last ones are left out, and in the hover text.
const TITLES: [(&str, &str); FIGURES] = [
    (mark("Photo"), mark("Median time of a photo, from its file to its encoded crops, in ms; sorts the runtimes")),
    (mark("Times"), mark("This time divided by that of the fastest runtime")),
    (mark("First\npass"), mark("Median time of the first detection pass alone, in ms")),
    (
        mark("Cold\nstart"),
        mark("Time to load the library and the model and for the first run, in a new process, in ms"),
    ),
    (mark("Memory\nMB"), mark("Peak memory growth of a new process with all models, in MB")),
    (mark("p95"), mark("95th percentile of the times of a photo, in ms")),
    (mark("Faces"), mark("Faces found in all photos with a score of 0.6 or higher")),
    (
        mark("Max\ndiff"),
        mark("Largest output difference from tract, or from the first runtime if tract is not compared"),
    ),
];

pub(super) fn results_ui(ui: &mut Ui, state: &AppState, run: &CompareRun, commands: &mut Commands) {
    ui.add_space(space::S);
    // Once it has ended: before, the fastest may change with every run.
    if let Some(text) = run.end.as_ref().and_then(|_| messages::fastest_runtime(&run.table, state.runtime.in_use())) {
        ui.add(Label::new(RichText::new(text).strong()).wrap());
    }
    head_ui(ui, state, run, commands);
    let columns = columns(ui.available_width());
    ui.spacing_mut().item_spacing.y = 0.0;
    table_head(ui, "compare", &columns);
    for (kind, row) in run.rows() {
        match row {
            Some(row) => row_ui(ui, state, &columns, (&run.table, row), commands),
            None => {
                let what = if run.end.is_some() { tr("not run") } else { tr("waiting") };
                let color = Some(ui.visuals().weak_text_color());
                let what_cell = Cell { text: what.to_owned(), color, wider_by: columns.len() - 3 };
                let cells = [Cell::from(kind.title().to_owned()), what_cell];
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
    for row in run.table.rows.iter().filter(|row| row.agrees == Some(false)) {
        let text = say!("{runtime}: its results differ from tract's, so it is not ranked", runtime = row.kind);
        let color = palette(ui).warning;
        signed(ui, Icon::Warning, color, RichText::new(text).small());
    }
    inputs_ui(ui, &run.table);
    for (path, error) in &run.table.problems {
        let text = format!("{}: {}", path.display(), messages::decode_error(error));
        ui.add(Label::new(RichText::new(text).small().color(palette(ui).error)).wrap());
    }
}

/// The inputs of the first pass, if they are not the same for all runtimes.
fn inputs_ui(ui: &mut Ui, table: &ComparisonTable) {
    let mut groups: Vec<(&[Size], Vec<&str>)> = Vec::new();
    for row in table.rows.iter().filter(|row| !row.inputs.is_empty()) {
        match groups.iter_mut().find(|(inputs, _)| *inputs == row.inputs) {
            Some((_, names)) => names.push(row.kind.title()),
            None => groups.push((&row.inputs, vec![row.kind.title()])),
        }
    }
    if groups.len() > 1 {
        let group = |(inputs, names): (&[Size], Vec<&str>)| format!("{} ({})", listed(inputs), names.join("; "));
        let groups: Vec<String> = groups.into_iter().map(group).collect();
        let text = say!("First pass at {size}", size = groups.join(", "));
        ui.add(Label::new(RichText::new(text).weak().small()).wrap());
    }
}

fn listed(inputs: &[Size]) -> String {
    inputs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn head_ui(ui: &mut Ui, state: &AppState, run: &CompareRun, commands: &mut Commands) {
    let is_wide = ui.available_width() >= ONE_LINE;
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
        if is_wide {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                buttons_ui(ui, state, commands);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| about_ui(ui, run));
            });
        } else {
            about_ui(ui, run);
        }
    });
    if !is_wide {
        ui.horizontal_wrapped(|ui| buttons_ui(ui, state, commands));
    }
}

/// What was measured.
fn about_ui(ui: &mut Ui, run: &CompareRun) {
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
    ui.add(Label::new(RichText::new(about).small()).truncate()).on_hover_text(paths.join("\n"));
}

fn buttons_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
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
}

/// The name, as many numbers as fit, and the button.
fn columns(width: f32) -> Vec<Column> {
    let fitting = ((width - MIN_NAME - BUTTON) / MIN_FIGURE).max(1.0) as usize;
    let shown = &TITLES[..fitting.min(FIGURES)];
    let figure = ((width - NAME - BUTTON) / shown.len() as f32).clamp(MIN_FIGURE, 96.0);
    let name = (width - BUTTON - figure * shown.len() as f32).max(MIN_NAME);
    let mut columns = vec![Column { title: tr("Runtime"), about: "", width: name, align: Align::Min }];
    columns.extend(shown.iter().map(|(title, about)| Column {
        title: tr(title),
        about: tr(about),
        width: figure,
        align: Align::Max,
    }));
    columns.push(Column { title: "", about: "", width: BUTTON, align: Align::Max });
    columns
}

fn row_ui(
    ui: &mut Ui,
    state: &AppState,
    columns: &[Column],
    (table, row): (&ComparisonTable, &CompareRow),
    commands: &mut Commands,
) {
    let name = match &row.version {
        Some(version) => format!("{} {version}", row.kind),
        None => row.kind.title().to_owned(),
    };
    let (figures, shown) = (figures(table, row), columns.len() - 2);
    let fastest = table.fastest().is_some_and(|fastest| fastest.kind == row.kind);
    let failed = row.state != RuntimeState::Ready;
    let why = failed.then(|| why(row));
    let mut sentence = why.as_ref().map_or_else(|| format!("{}:", row.kind), |why| format!("{}: {why}", row.kind));
    if fastest {
        sentence.push_str(&format!(" {},", tr("fastest")));
    }
    let named: Vec<String> = TITLES.iter().zip(&figures).map(|((title, _), figure)| named(title, figure)).collect();
    if !failed || !row.samples.is_empty() {
        for text in named.iter().filter(|text| !text.is_empty()) {
            sentence.push_str(&format!(" {text},"));
        }
    }
    let sentence = sentence.trim_end_matches(',');
    let roomy = columns[0].width >= NAME_AND_VERSION;
    let mut cells = vec![Cell::from(if roomy { name.clone() } else { row.kind.title().to_owned() })];
    if let Some(text) = why {
        cells.push(Cell { text, color: Some(palette(ui).error), wider_by: shown });
    } else {
        cells.extend(figures.into_iter().take(shown).map(Cell::from));
        if fastest {
            // Marked by a tick as well as by colour.
            cells[1].text.insert_str(0, "✔ ");
            cells[1].color = Some(palette(ui).ok);
        }
    }
    let response = table_row(ui, columns, &cells, sentence);
    let button = column_rect(response.rect, columns, shown + 1);
    let mut about = match (failed, fastest) {
        (true, _) => sentence.to_owned(),
        (false, true) => say!("{runtime}, fastest", runtime = name),
        (false, false) => name,
    };
    if !row.inputs.is_empty() {
        about.push('\n');
        about.push_str(&say!("First pass at {size}", size = listed(&row.inputs)));
    }
    for text in named.iter().skip(shown).filter(|text| !text.is_empty()) {
        about.push_str(&format!("\n{text}"));
    }
    response.on_hover_text(about);
    if !failed {
        secondary_ui(ui, &state.runtime, row.kind, button, commands);
    }
}

/// A number after the title of its column, in one line; empty without a number.
fn named(title: &'static str, figure: &str) -> String {
    if figure.is_empty() { String::new() } else { format!("{} {figure}", tr(title).to_lowercase().replace('\n', " ")) }
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

fn figures(table: &ComparisonTable, row: &CompareRow) -> [String; FIGURES] {
    let number = |value: Option<f64>| match value {
        None => String::new(),
        Some(value) => decimal(value, usize::from(value < 100.0)),
    };
    let photo = row.photo();
    [
        number(photo.map(|photo| photo.median)),
        table.times_fastest(row).map(|times| format!("{} x", decimal(times, 1))).unwrap_or_default(),
        number(row.first_pass_ms()),
        number(row.cold_start_ms()),
        number(row.peak_memory_mb),
        number(photo.map(|photo| photo.p95)),
        row.faces.map(|faces| faces.to_string()).unwrap_or_default(),
        row.max_difference.map(difference).unwrap_or_default(),
    ]
}
