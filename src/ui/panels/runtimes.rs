//! The runtimes page: state of each runtime, session options, and search paths of the libraries.

use std::path::PathBuf;

use egui::{Align, Atom, Button, ComboBox, DragValue, Id, Label, Rect, RichText, ScrollArea, Ui, UiBuilder};

use batch::latency::{Found, offered_runtimes};
use outcome::{FaceModelFault, RuntimeFault, RuntimeReport, RuntimeState};
use recipe::{BackendKind, DeviceChoice, Optimization, RuntimeChoice, RuntimeLibrary, RuntimeOptions};

use super::super::command::{Command, Commands};
use super::super::dialogs::PickerKind;
use super::super::language::{decimal, parse_number, say, tr};
use super::super::messages;
use super::super::state::{AppState, Copied, RuntimeGroup, RuntimeStatus};
use super::super::theme::{palette, space};
use super::super::widgets::{
    Cell, Column, ICON_BUTTON, Icon, choice, column_rect, heading, icon_button, labelled, option, signed, spinner,
    table_head, table_row, warned,
};
use super::page_height::scroll_height;
use super::paths::PathField;

/// Width of the page, in points.
const WIDTH: f32 = 720.0;

/// Width of the column with options, in points.
const OPTIONS: f32 = 420.0;

/// The columns of the table.
fn columns() -> [Column; 8] {
    let column = |title, about, width, align| Column { title, about, width, align };
    [
        column(tr("Runtime"), "", 206.0, Align::Min),
        column(tr("State"), "", 144.0, Align::Min),
        column(tr("Version"), tr("Engine version"), 66.0, Align::Min),
        column(tr("Device"), tr("Device used for inference"), 60.0, Align::Min),
        column(tr("Load"), tr("Time to load the library and the model in a new process, in ms"), 54.0, Align::Max),
        column(tr("Photo"), tr("Time of a photo with one face after warm-up, in ms"), 54.0, Align::Max),
        column(tr("Matches"), tr("Finds the same faces as tract in a built-in image"), 58.0, Align::Max),
        column("", "", 72.0, Align::Max),
    ]
}

pub(super) fn runtimes_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.set_width(WIDTH);
    ScrollArea::vertical().max_height(scroll_height(ui)).show(ui, |ui| {
        ui.set_width(WIDTH);
        ui.spacing_mut().item_spacing.y = space::XS;
        in_use_ui(ui, &state.runtime, commands);
        list_ui(ui, state, commands);
        options_ui(ui, state, commands);
    });
    ui.separator();
    ui.horizontal(|ui| {
        let text = if state.runtime.known.checking { tr("Checking…") } else { tr("Check again") };
        if ui.add_enabled(!state.runtime.known.checking, Button::new(text)).clicked() {
            commands.push(Command::CheckRuntimes);
        }
        if ui.add_enabled(!state.diagnosing(), Button::new(tr("Copy diagnostics"))).clicked() {
            commands.push(Command::CopyDiagnostics);
        }
        if state.dialogs.copied == Some(Copied::Diagnostics) {
            ui.label(RichText::new(tr("Copied")).small().color(palette(ui).ok));
        }
        if state.runtime.known.checking || state.diagnosing() {
            spinner(ui, 14.0);
        }
    });
}

/// The runtime in use, or why there is none.
fn in_use_ui(ui: &mut Ui, runtime: &RuntimeGroup, commands: &mut Commands) {
    match &runtime.status {
        RuntimeStatus::Opening { .. } => {
            _ = ui.label(say!("Opening {runtime}…", runtime = messages::choice_name(runtime.choice)));
        }
        RuntimeStatus::Ready { runtime, .. } => {
            let actual = &runtime.actual;
            ui.label(say!(
                "Requested: {asked}. In use: {runtime} {version}, {device}.",
                asked = messages::choice_name(runtime.requested),
                runtime = actual.kind,
                version = actual.version,
                device = actual.device
            ));
            if let Some(why) = runtime.why.as_ref().map(messages::auto_why) {
                ui.add(Label::new(RichText::new(&why).weak().small()).truncate()).on_hover_text(why);
            }
        }
        RuntimeStatus::Failed { requested, error } => {
            let name = messages::choice_name(*requested);
            let reason = messages::no_runtime(error);
            let text = if reason.starts_with(name) { reason } else { format!("{name}: {reason}") };
            let color = palette(ui).error;
            signed(ui, Icon::Error, color, RichText::new(text));
            if *requested != RuntimeChoice::Auto && ui.button(tr("Use Auto")).clicked() {
                commands.push(Command::ChooseRuntime(RuntimeChoice::Auto));
            }
        }
    }
}

fn list_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let columns = columns();
    table_head(ui, "runtimes", &columns);
    // A shared reason is written out once; the hover text lists missing parts of the library.
    let mut shown: Option<&RuntimeFault> = None;
    for kind in offered_runtimes() {
        let report = state.runtime.known.report(kind);
        row_ui(ui, state, &columns, kind, report, commands);
        let reported_here =
            |report: &&RuntimeReport| report.state != RuntimeState::Unsupported || report.library.is_none();
        let fault = report.filter(reported_here).and_then(|report| report.fault.as_ref());
        if let Some(fault) = fault.filter(|fault| shown != Some(*fault)) {
            shown = Some(fault);
            reason_ui(ui, &messages::runtime_fault(fault));
        }
        let ready = report.filter(|report| report.state == RuntimeState::Ready);
        let without: Vec<FaceModelFault> = ready.into_iter().flat_map(RuntimeReport::model_faults).collect();
        if !without.is_empty() {
            reason_ui(ui, &messages::without_models(&without));
        }
    }
    ui.spacing_mut().item_spacing.y = space::XS;
}

fn row_ui(
    ui: &mut Ui,
    state: &AppState,
    columns: &[Column],
    kind: BackendKind,
    report: Option<&RuntimeReport>,
    commands: &mut Commands,
) {
    let color = match report.map(|report| report.state) {
        Some(RuntimeState::Ready) => Some(palette(ui).ok),
        Some(RuntimeState::Failed) => Some(palette(ui).error),
        _ => Some(ui.visuals().weak_text_color()),
    };
    let number = |value: Option<f64>| value.map(|value| decimal(value, 0)).unwrap_or_default();
    let text = |pick: fn(&RuntimeReport) -> Option<&String>| report.and_then(pick).cloned().unwrap_or_default();
    let agrees = report.and_then(|report| report.agrees).map(|agrees| if agrees { tr("yes") } else { tr("no") });
    let cells = [
        Cell::from(kind.title().to_owned()),
        Cell { text: messages::readiness(report).to_owned(), color, wider_by: 0 },
        Cell::from(text(|report| report.version.as_ref())),
        Cell::from(text(|report| report.device.as_ref())),
        Cell::from(number(report.and_then(|report| report.load_ms))),
        Cell::from(report.and_then(RuntimeReport::photo_ms).map(|ms| decimal(ms, 1)).unwrap_or_default()),
        Cell::from(agrees.unwrap_or_default().to_owned()),
    ];
    let full = messages::full_description(kind, report);
    let response = table_row(ui, columns, &cells, &full);
    let button = column_rect(response.rect, columns, columns.len() - 1);
    response.on_hover_text(full);
    if state.runtime.known.is_ready(kind) {
        secondary_ui(ui, &state.runtime, kind, button, commands);
    }
}

fn reason_ui(ui: &mut Ui, reason: &str) {
    ui.horizontal(|ui| {
        ui.add_space(space::M);
        ui.add(Label::new(RichText::new(messages::cause(reason)).weak().small()).truncate()).on_hover_text(reason);
    });
}

/// Opens or closes a secondary runtime. Disabled for the runtime in use.
pub(super) fn secondary_ui(
    ui: &mut Ui,
    runtime: &RuntimeGroup,
    kind: BackendKind,
    place: Rect,
    commands: &mut Commands,
) {
    let secondary = runtime.secondary.kind() == Some(kind);
    let in_use = runtime.in_use() == Some(kind);
    let (text, name) = match secondary {
        true => (tr("Stop"), say!("Stop comparing with {runtime}", runtime = kind)),
        false => (tr("Compare"), say!("Compare with {runtime}", runtime = kind)),
    };
    let place = place.shrink2(egui::vec2(space::XS, 2.0));
    let button = Button::new((Atom::grow(), RichText::new(text).small(), Atom::grow())).gap(0.0);
    // A child region, since the row was drawn already.
    let ui = &mut ui.new_child(UiBuilder::new().max_rect(place).id_salt((kind.id(), "secondary")));
    ui.spacing_mut().button_padding = egui::vec2(space::XS, 0.0);
    ui.spacing_mut().interact_size.y = place.height();
    let button = button.min_size(place.size());
    let response = ui.add_enabled(secondary || !in_use, button).accessible_name(name);
    let response = response
        .on_hover_text(tr("Shows its time per photo in the status bar, next to the runtime in use"))
        .on_disabled_hover_text(tr("This runtime is in use"));
    if response.clicked() {
        commands.push(Command::SetSecondary((!secondary).then_some(kind)));
    }
}

fn options_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let old = &state.runtime.options;
    let mut options = old.clone();
    ui.add_space(space::S);
    heading(ui, tr("Runtime options"));
    ui.scope(|ui| {
        ui.set_max_width(OPTIONS);
        number_ui(ui, tr("Threads"), tr("Threads per run; 0 lets the engine choose"), &mut options.threads, 256);
        let levels = [Optimization::All, Optimization::Extended, Optimization::Basic, Optimization::Off];
        let levels = levels.map(|level| (level, messages::optimization(level), None));
        let current = options.optimization;
        if let Some(level) = choice(ui, tr("Optimisation"), Some(current), messages::optimization(current), levels) {
            options.optimization = level;
        }
        device_ui(ui, &state.runtime, &mut options.device);
    });
    for library in RuntimeLibrary::ALL {
        ui.add_space(space::S);
        heading(ui, &messages::library_title(library));
        library_ui(ui, state, library, &mut options, commands);
        search_ui(ui, &state.runtime, library);
    }
    if options != *old {
        commands.push(Command::SetRuntimeOptions(options));
    }
}

/// The device: a list if the devices of the runtime are known, else their number. Without a runtime that chooses a device
/// there is nothing to show.
fn device_ui(ui: &mut Ui, runtime: &RuntimeGroup, device: &mut DeviceChoice) {
    let mut choosing = offered_runtimes().into_iter().filter(|kind| kind.chooses_device());
    if choosing.next().is_none() {
        return;
    }
    if let Some((kind, devices)) = runtime.listed_devices() {
        labelled(ui, tr("Device"), |ui| {
            let about =
                say!("The graphics card for {runtime}; other runtimes may number them differently", runtime = kind);
            let list = ComboBox::from_id_salt("device").selected_text(messages::device(device, devices));
            let list = list.width(ui.available_width()).truncate().show_ui(ui, |ui| {
                for known in devices {
                    let this = DeviceChoice::Number(known.number);
                    let response = option(ui, *device == this, known.to_string());
                    if response.clicked() {
                        *device = this;
                        ui.close();
                    }
                }
            });
            list.response.accessible_name(tr("Device")).on_hover_text(about);
        });
        return;
    }
    let (mut number, about) = match device {
        DeviceChoice::Number(number) => (*number, tr("Index of the graphics card, starting at 0").to_owned()),
        DeviceChoice::Named(name) => (0, name.clone()),
    };
    let old = number;
    number_ui(ui, tr("Device"), &about, &mut number, DeviceChoice::MAX_NUMBER);
    if number != old {
        *device = DeviceChoice::Number(number);
    }
}

fn number_ui<N: egui::emath::Numeric>(ui: &mut Ui, label: &str, about: &str, value: &mut N, max: u32) {
    labelled(ui, label, |ui| {
        let range = N::from_f64(0.0)..=N::from_f64(f64::from(max));
        let field = ui.add(DragValue::new(value).range(range).custom_parser(parse_number));
        field.accessible_name(label).on_hover_text(about);
        ui.add(Label::new(RichText::new(about).weak().small()).truncate());
    });
}

/// Applies a typed path once the field loses the focus.
fn library_ui(
    ui: &mut Ui,
    state: &AppState,
    library: RuntimeLibrary,
    options: &mut RuntimeOptions,
    commands: &mut Commands,
) {
    let id = Id::unique("library-path").with(library.title());
    let picker = PickerKind::Library(library);
    let set = options.path_of(library).map(|path| path.display().to_string()).unwrap_or_default();
    labelled(ui, tr("File or folder"), |ui| {
        let mut text: String = ui.data_mut(|data| data.get_temp(id)).unwrap_or_else(|| set.clone());
        let width = ui.available_width() - ICON_BUTTON - 3.0 * space::S;
        let field = PathField {
            id: id.with("edit"),
            name: &messages::library_title(library),
            hint: tr("Searched for in the locations below"),
            want: picker.about().want,
            width,
            line: None,
        };
        let (response, _) = field.show(ui, state, &mut text, commands);
        if response.lost_focus() {
            ui.data_mut(|data| data.remove::<String>(id));
            let text = text.trim();
            if text != set {
                *options.path_of_mut(library) = (!text.is_empty()).then(|| PathBuf::from(text));
            }
        } else if response.has_focus() {
            ui.data_mut(|data| data.insert_temp(id, text));
        }
        if icon_button(ui, true, Icon::Folder, &say!("Browse for {library}…", library = library.title())).clicked() {
            commands.push(Command::Pick(picker));
        }
    });
}

/// The search paths of a library, in order of precedence. Above them, why none was found, or why the one found is not used.
fn search_ui(ui: &mut Ui, runtime: &RuntimeGroup, library: RuntimeLibrary) {
    let Some(table) = &runtime.known.table else { return };
    let Some(search) = table.searches.iter().find(|search| search.name == library) else { return };
    let fault = |report: &RuntimeReport| match &report.fault {
        Some(RuntimeFault::Library { error, .. }) if report.kind.library() == Some(library) => Some(error.clone()),
        _ => None,
    };
    if let Some(problem) = &search.problem.clone().or_else(|| table.reports.iter().find_map(fault)) {
        warned(ui, messages::library_error(problem));
    }
    for step in &search.steps {
        let path = step.path.as_ref().map(|path| format!(" {}", path.display())).unwrap_or_default();
        let text = format!("{}{path}: {}", messages::place(step.place), messages::found(&step.found));
        let text = match step.found {
            Found::Library(_) => RichText::new(text).small(),
            _ => RichText::new(text).weak().small(),
        };
        ui.add(Label::new(text).wrap());
    }
}
