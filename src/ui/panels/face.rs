//! Right panel: measurements of the previewed face, and how it was detected.

use egui::{Grid, RichText, Ui};

use geometry::{Face, FaceMesh, HeadEstimate, MaskMeasures, estimate_head};
use plan::{EyeState, Light, PROFILE_YAW, Sharpness, eye_state, is_blurred, is_overexposed, is_underexposed};

use super::super::language::{decimal, say, tr};
use super::super::messages;
use super::super::state::{AppState, Photo};
use super::super::theme::{palette, space};
use super::super::widgets::section;

/// A measurement: its name, its value as text, and whether it is a warning.
type Fact = (&'static str, String, bool);

pub(super) fn face_ui(ui: &mut Ui, state: &AppState) {
    // Also while faces are being detected, so that what is below stays in its place.
    let Some(photo) = state.current() else { return };
    section(ui, tr("This face"), false, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        Grid::new("facts").num_columns(2).spacing([space::M, 2.0]).min_col_width(64.0).show(ui, |ui| {
            for (name, text, is_warning) in facts(state, photo) {
                ui.label(RichText::new(name).weak().small());
                let color = if is_warning { palette(ui).warning } else { ui.visuals().text_color() };
                let text = if is_warning { format!("! {text}") } else { text };
                ui.add(egui::Label::new(RichText::new(text).small().color(color)).wrap());
                ui.end_row();
            }
        });
    });
}

fn facts(state: &AppState, photo: &Photo) -> Vec<Fact> {
    let shown = state.shown_crop().map(|(_, crop)| crop.face_index);
    let face = shown.and_then(|index| Some((index, photo.faces().get(index)?)));
    let mut facts = face.map(|(index, face)| of_face(photo, index, face)).unwrap_or_default();
    let found = state.canvas.inspection.found.as_ref().or(photo.detection.as_ref());
    let text = found
        .and_then(|found| messages::passes(found, found.preprocess_ms + found.inference_ms + found.postprocess_ms));
    facts.extend(text.map(|text| (tr("Detection"), text, false)));
    facts
}

fn of_face(photo: &Photo, index: usize, face: &Face) -> Vec<Fact> {
    let estimate = estimate_head(face);
    let head = estimate.head;
    let (face_px, head_px) = (decimal(face.bbox.height, 0), decimal(head.height(), 0));
    let size = match face.head {
        Some(_) => say!("face {face} px, head {head} px (edited)", face = face_px, head = head_px),
        None => say!("face {face} px, head {head} px", face = face_px, head = head_px),
    };
    let mesh = face.mesh.filter(FaceMesh::is_sure);
    let pose = messages::pose(estimate.yaw, mesh.map(|mesh| mesh.pitch), head.roll);
    let mut facts =
        vec![(tr("Score"), decimal(face.score, 2), false), (tr("Size"), size, false), (tr("Pose"), pose, false)];
    if let Some(measures) = &face.measures {
        facts.push(match measures.sharpness {
            Some(sharpness) => (
                tr("Sharpness"),
                measured(messages::sharpness(Sharpness::of(sharpness)), sharpness),
                is_blurred(sharpness),
            ),
            None => (tr("Sharpness"), tr("too few pixels to measure").to_owned(), false),
        });
        let is_warning = is_underexposed(measures) || is_overexposed(measures);
        facts.push((tr("Light"), measured(messages::light(Light::of(measures)), measures.lightness), is_warning));
    }
    facts.extend(face.mesh.map(|_| eyes(face)));
    facts.extend(mesh.as_ref().and_then(mouth));
    facts.extend(face.mask.iter().flat_map(|mask| of_mask(mask, &estimate)));
    let pass = photo.detection.as_ref().and_then(|found| found.passes.get(*found.found_by.get(index)?));
    facts.extend(pass.map(|pass| (tr("Found in"), messages::pass(pass), false)));
    facts
}

fn eyes(face: &Face) -> Fact {
    let state = eye_state(face);
    let opening = match state {
        EyeState::Open => face.mesh.and_then(|mesh| {
            let [right, left] = mesh.eyes;
            Some(f32::midpoint(right.opening?, left.opening?))
        }),
        EyeState::Closed { opening } | EyeState::NearlyClosed { opening } | EyeState::OneClosed { opening } => {
            Some(opening)
        }
        EyeState::OneHidden { .. } | EyeState::Covered { .. } | EyeState::DarkGlasses { .. } | EyeState::Unknown => {
            None
        }
    };
    let label = messages::eyes(state);
    let text = opening.map_or_else(|| label.to_owned(), |opening| measured(label, opening));
    (tr("Eyes"), text, !matches!(state, EyeState::Open | EyeState::Unknown))
}

fn mouth(mesh: &FaceMesh) -> Option<Fact> {
    let opening = mesh.mouth_opening.filter(|_| mesh.yaw.abs() < PROFILE_YAW)?;
    Some((tr("Mouth"), say!("{share} % open", share = percent(opening)), false))
}

fn of_mask(mask: &MaskMeasures, estimate: &HeadEstimate) -> Vec<Fact> {
    let head = &estimate.head;
    let hair = match mask.hair.filter(|_| head.is_usable()) {
        Some(hair) => {
            let share = ((hair.above_eyes - head.eyes_to_crown) / head.height()).max(0.0);
            say!("{share} % above the crown", share = percent(share))
        }
        None => tr("top unknown").to_owned(),
    };
    let mut facts = vec![(tr("Hair"), hair, false)];
    facts.extend(mask.background.map(|background| {
        (tr("Background"), say!("lightness {share} %", share = percent(background.lightness)), false)
    }));
    facts
}

fn percent(share: f32) -> String {
    decimal((share * 100.0).round(), 0)
}

fn measured(label: &str, measure: f32) -> String {
    format!("{label} ({})", decimal(measure, 2))
}
