//! Charts of the measurements: the time of each stage, and every measured run.

use egui::{Align2, Color32, Rect, RichText, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};
use egui_plot::{GridMark, HoverPosition, Line, Plot, PlotPoints, Points};

use batch::latency::{CompareRow, Sample};
use outcome::Stage;

use super::super::super::language::{count, decimal, mark, say, tr};
use super::super::super::messages;
use super::super::super::theme::{palette, small, space};

/// Height of a runtime's bar with its label, in points.
const BAR_ROW: f32 = 44.0;

/// Height of a bar, in points.
const BAR: f32 = 10.0;

/// Height of a runtime's strip, in points.
const STRIP: f32 = 44.0;

/// Height of the axis below the strips, in points.
const AXIS: f32 = 24.0;

/// Offset of a runtime's dots from the middle of its strip, in strips.
const DOTS_OFFSET: f64 = -0.2;

/// The stages of the work of a photo, in order, each with its parts in the pipeline.
const STAGES: [(&str, &[Stage]); 5] = [
    (mark("decode"), &[Stage::Decode]),
    (mark("detection"), &[Stage::Preprocess, Stage::Inference, Stage::Postprocess]),
    (mark("landmarks"), &[Stage::Landmarks]),
    (mark("mask"), &[Stage::Mask]),
    (mark("crop"), &[Stage::Plan, Stage::Render, Stage::Encode]),
];

/// Medians of the stages, in milliseconds; `None` for a stage without measurements.
type StageMedians = [Option<f64>; STAGES.len()];

/// Draws both charts: side by side from a width of `wide` points.
pub(super) fn charts_ui(ui: &mut Ui, rows: &[&CompareRow], wide: f32) {
    if ui.available_width() >= wide {
        ui.spacing_mut().item_spacing.x = 2.0 * space::L;
        ui.columns_const(|[left, right]: &mut [Ui; 2]| {
            left.spacing_mut().item_spacing.x = space::S;
            right.spacing_mut().item_spacing.x = space::S;
            bars_ui(left, rows);
            strips_ui(right, rows);
        });
    } else {
        bars_ui(ui, rows);
        ui.add_space(space::S);
        strips_ui(ui, rows);
    }
}

/// Stacked medians of the stages.
fn bars_ui(ui: &mut Ui, rows: &[&CompareRow]) {
    let stages: Vec<StageMedians> = rows.iter().map(|row| medians(row)).collect();
    let longest = stages.iter().map(|stages| stages.iter().flatten().sum::<f64>()).fold(f64::MIN_POSITIVE, f64::max);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(tr("Time per stage")).strong());
        for ((name, _), color) in STAGES.iter().zip(palette(ui).stages) {
            key_ui(ui, tr(name), color);
        }
    });
    ui.spacing_mut().item_spacing.y = 0.0;
    for (row, stages) in rows.iter().zip(stages) {
        bar_ui(ui, row, stages, longest);
    }
    ui.spacing_mut().item_spacing.y = space::XS;
}

/// A stage's colour and name, as one widget that is not divided at the end of a line.
fn key_ui(ui: &mut Ui, name: &str, color: Color32) {
    let text = ui.painter().layout_no_wrap(name.to_owned(), small(), ui.visuals().weak_text_color());
    let (rect, response) = ui.allocate_exact_size(vec2(BAR + space::XS + text.size().x, text.size().y), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, name));
    let square = Rect::from_center_size(rect.left_center() + vec2(BAR / 2.0, 0.0), vec2(BAR, BAR));
    ui.painter().rect_filled(square, 2.0, color);
    ui.painter().galley(rect.min + vec2(BAR + space::XS, 0.0), text, color);
}

fn bar_ui(ui: &mut Ui, row: &CompareRow, stages: StageMedians, longest: f64) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), BAR_ROW), Sense::hover());
    let measured = || STAGES.iter().zip(stages).filter_map(|((name, _), stage_ms)| Some((*name, stage_ms?)));
    let parts: Vec<String> =
        measured().map(|(name, stage_ms)| format!("{} {}", tr(name), messages::ms(stage_ms))).collect();
    let parts = parts.join(" + ");
    let sentence = say!("Median of each stage, {runtime}: {times}", runtime = row.kind, times = parts);
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &sentence));
    let (strong, weak) = (ui.visuals().text_color(), ui.visuals().weak_text_color());
    let line = rect.top() + 12.0;
    let title = ui.painter().text(pos2(rect.left(), line), Align2::LEFT_CENTER, row.kind.title(), small(), strong);
    let mut text = ui.painter().layout_no_wrap(parts, small(), weak);
    if text.size().x > rect.right() - title.right() - space::S {
        // The colours name the stages.
        let numbers: Vec<String> = measured().map(|(_, stage_ms)| messages::ms(stage_ms)).collect();
        text = ui.painter().layout_no_wrap(numbers.join(" + "), small(), weak);
    }
    ui.painter().galley(pos2(rect.right() - text.size().x, line - text.size().y / 2.0), text, weak);
    let mut left = rect.left();
    for (stage_ms, color) in stages.into_iter().zip(palette(ui).stages) {
        let width = (stage_ms.unwrap_or_default() / longest) as f32 * rect.width();
        let bar = Rect::from_min_size(pos2(left, rect.top() + 22.0), vec2(width, BAR));
        ui.painter().rect_filled(bar, 0.0, color);
        left += width;
    }
    response.on_hover_text(sentence);
}

fn medians(row: &CompareRow) -> StageMedians {
    STAGES.map(|(_, parts)| {
        let measured = |sample: &Sample| {
            let parts: Vec<f64> = parts.iter().filter_map(|part| sample.stages.get(*part)).collect();
            (!parts.is_empty()).then(|| parts.into_iter().sum())
        };
        row.median_of(measured)
    })
}

/// Every measured run as a dot over its time, one strip per runtime.
fn strips_ui(ui: &mut Ui, rows: &[&CompareRow]) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(tr("Every run")).strong());
        ui.label(RichText::new(tr("ms; the line is the median")).weak().small());
    });
    let count = rows.len();
    // The first runtime is on top.
    let height_of = |index: usize| (count - 1 - index) as f64;
    let (dot, line) = (palette(ui).accent, ui.visuals().text_color());
    let longest = rows.iter().flat_map(|row| &row.samples).map(|sample| sample.photo_ms).fold(0.0, f64::max);
    let plot = Plot::new("runs")
        .height(count as f32 * STRIP + AXIS)
        .sense(Sense::hover())
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .allow_axis_zoom_drag(false)
        .show_background(false)
        .show_crosshair(false)
        .show_grid([true, false])
        .show_axes([true, false])
        .x_grid_spacer(move |_| marks(longest))
        .grid_color(ui.visuals().widgets.noninteractive.bg_stroke.color)
        .set_margin_fraction(vec2(0.0, 0.0))
        .default_x_bounds(0.0, longest * 1.04)
        .default_y_bounds(-0.6, count as f64 - 0.4)
        .auto_bounds([false, false])
        .x_axis_formatter(|mark: GridMark, _| decimal(mark.value, usize::from(mark.step_size < 1.0)))
        .label_formatter(|hover: &HoverPosition<'_>| match hover {
            HoverPosition::NearDataPoint { plot_name, position, .. } => {
                Some(format!("{plot_name}: {}", messages::ms(position.x)))
            }
            HoverPosition::Elsewhere { .. } => None,
        });
    let shown = plot.show(ui, |plot| {
        plot.set_plot_bounds_x(0.0..=longest * 1.04);
        plot.set_plot_bounds_y(-0.6..=count as f64 - 0.4);
        for (index, row) in rows.iter().enumerate() {
            let y = height_of(index);
            let dots: PlotPoints<'_> =
                row.samples.iter().enumerate().map(|(at, sample)| [sample.photo_ms, y + beside(at)]).collect();
            plot.points(Points::new(row.kind.title(), dots).radius(2.5).color(dot));
            if let Some(figures) = row.photo() {
                let ends = vec![[figures.median, y - 0.46], [figures.median, y + 0.06]];
                plot.line(
                    Line::new(say!("{runtime}, median", runtime = row.kind), ends).stroke(Stroke::new(1.5, line)),
                );
            }
        }
    });
    let spoken: Vec<String> = rows
        .iter()
        .filter_map(|row| {
            let figures = row.photo()?;
            Some(count!(
                figures.count,
                "{runtime}: {n} run, min {min}, median {median}",
                "{runtime}: {n} runs, min {min}, median {median}",
                runtime = row.kind,
                min = messages::ms(figures.min),
                median = messages::ms(figures.median)
            ))
        })
        .collect();
    let name = say!("Strip plot of every run. {figures}", figures = spoken.join(". "));
    shown.response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    // The names are inside the plot, above the dots, so that they need no column.
    let color = ui.visuals().weak_text_color();
    for (index, row) in rows.iter().enumerate() {
        let top = shown.transform.position_from_point(&egui_plot::PlotPoint::new(0.0, height_of(index) + 0.5));
        let at = top + vec2(space::XS, 1.0);
        ui.painter().text(at, Align2::LEFT_TOP, row.kind.title(), small(), color);
    }
}

/// At most eight grid lines, at round numbers of milliseconds.
fn marks(longest: f64) -> Vec<GridMark> {
    let rough = (longest / 8.0).max(1e-3);
    let power = 10_f64.powf(rough.log10().floor());
    let step_size = [1.0, 2.0, 5.0, 10.0].map(|step| step * power).into_iter().find(|step| *step >= rough);
    let step_size = step_size.unwrap_or(rough);
    let values = (0..=8).map(|index| f64::from(index) * step_size).take_while(|value| *value <= longest);
    values.map(|value| GridMark { value, step_size }).collect()
}

/// Deterministic vertical offset that separates overlapping dots.
fn beside(index: usize) -> f64 {
    const STEPS: [f64; 5] = [0.0, 0.14, -0.14, 0.07, -0.07];
    STEPS[index % STEPS.len()] + DOTS_OFFSET
}
