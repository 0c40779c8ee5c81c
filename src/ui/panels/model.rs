//! The model page: metadata of the models in use, and which runtimes load them.

use egui::{Grid, Label, RichText, ScrollArea, Ui};

use batch::worker::ValueSummary;

use super::super::command::{Command, Commands};
use super::super::dialogs::PickerKind;
use super::super::language::{decimal, integer, say, tr};
use super::super::messages;
use super::super::state::{DescribedModel, RuntimeGroup};
use super::super::theme::{palette, space};
use super::super::widgets::{Icon, heading, signed, spinner};
use super::page_height::scroll_height;

/// Width of the page, in points.
const WIDTH: f32 = 560.0;

/// Height of a line, in points.
const LINE: f32 = 21.0;

/// Minimum width of a column, in points.
const COLUMN: f32 = 86.0;

pub(super) fn model_ui(ui: &mut Ui, runtime: &RuntimeGroup, commands: &mut Commands) {
    ui.set_width(WIDTH);
    ScrollArea::vertical().max_height(scroll_height(ui)).show(ui, |ui| {
        ui.set_width(WIDTH);
        ui.spacing_mut().item_spacing.y = space::XS;
        for (index, model) in runtime.model_view.described.iter().enumerate() {
            if index > 0 {
                ui.separator();
            }
            match model {
                Ok(model) => _ = ui.push_id(index, |ui| described_ui(ui, model)),
                Err(error) => {
                    if let Some(path) = runtime.model.as_ref().filter(|_| index == 0) {
                        ui.label(RichText::new(path.display().to_string()).strong());
                    }
                    let reason = messages::unavailable(error, messages::describe_error);
                    let text = RichText::new(say!("Could not read the model: {reason}", reason = reason));
                    let color = palette(ui).error;
                    signed(ui, Icon::Error, color, text);
                }
            }
        }
        if runtime.model_view.waiting {
            ui.horizontal(|ui| {
                spinner(ui, 14.0);
                ui.label(RichText::new(tr("Reading the model and testing the runtimes")).weak());
            });
        }
    });
    ui.separator();
    ui.horizontal(|ui| {
        if ui.button(tr("Use another model…")).on_hover_text(tr("A YuNet-compatible ONNX file")).clicked() {
            commands.push(Command::Pick(PickerKind::Model));
        }
        if ui.add_enabled(runtime.model.is_some(), egui::Button::new(tr("Use bundled model"))).clicked() {
            commands.push(Command::SetModel(None));
        }
    });
}

fn described_ui(ui: &mut Ui, model: &DescribedModel) {
    let summary = &model.page.summary;
    ui.add(Label::new(RichText::new(&model.page.name).strong()).wrap());
    let opsets: Vec<String> = summary
        .opsets
        .iter()
        .map(|(domain, version)| if domain.is_empty() { version.to_string() } else { format!("{domain} {version}") })
        .collect();
    let multiply_adds = match model.multiply_adds {
        Some(count) => {
            say!(
                "{millions} million at {size}",
                millions = decimal(count as f64 / 1e6, 1),
                size = model.page.input.to_string()
            )
        }
        None => tr("not stated").to_owned(),
    };
    let producer = if summary.producer.is_empty() { tr("unnamed") } else { &summary.producer };
    Grid::new("model").num_columns(2).spacing([space::L, 0.0]).min_row_height(LINE).show(ui, |ui| {
        for (what, value) in [
            (tr("Purpose"), model.page.kind.map_or(tr("unknown"), messages::model_title).to_owned()),
            (tr("Producer"), producer.to_owned()),
            (tr("IR version"), summary.ir_version.to_string()),
            (tr("Operator set"), opsets.join(", ")),
            (tr("Parameters"), integer(summary.parameters)),
            (tr("Multiply-adds"), multiply_adds),
        ] {
            ui.label(RichText::new(what).weak());
            ui.label(value);
            ui.end_row();
        }
    });
    ui.spacing_mut().interact_size.y = LINE;
    heading(ui, tr("Runtimes"));
    for (kind, loads) in &model.page.loads {
        match loads {
            Ok(()) => _ = ui.label(say!("{runtime} loads the model", runtime = *kind)),
            Err(fault) => {
                let reason = messages::runtime_fault(fault);
                let text = say!("{runtime} cannot load the model: {reason}", runtime = *kind, reason = reason);
                let color = palette(ui).warning;
                signed(ui, Icon::Warning, color, RichText::new(text));
            }
        }
    }
    heading(ui, tr("Operators"));
    let operators: Vec<String> = summary.operators.iter().map(|(name, count)| format!("{count} {name}")).collect();
    ui.add(Label::new(operators.join(",  ")).wrap());
    values_ui(ui, tr("Inputs"), &summary.inputs);
    values_ui(ui, tr("Outputs"), &summary.outputs);
}

fn values_ui(ui: &mut Ui, title: &str, values: &[ValueSummary]) {
    heading(ui, title);
    Grid::new(title).num_columns(3).spacing([space::L, 0.0]).min_row_height(LINE).min_col_width(COLUMN).show(
        ui,
        |ui| {
            for value in values {
                ui.label(&value.name);
                ui.label(RichText::new(&value.element).weak());
                ui.label(value.dims.join(" x "));
                ui.end_row();
            }
        },
    );
}
