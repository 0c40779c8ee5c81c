//! At the right: what was measured of the face whose crop is shown, and how it was found.

use egui::{Grid, RichText, Ui};

use geometry::{Face, estimate_head};
use plan::{Facing, Light, Sharpness, is_burnt_out, is_dark, is_soft};

use super::super::language::{count, decimal, say, tr};
use super::super::state::{AppState, Photo};
use super::super::theme::{palette, space};
use super::super::widgets::section;
use super::super::words;

/// A measure: its name, words and numbers, and whether it speaks against the photo.
type Fact = (&'static str, String, bool);

pub(super) fn face_ui(ui: &mut Ui, state: &AppState) {
    let Some(photo) = state.current().filter(|photo| photo.detection.is_some()) else { return };
    section(ui, tr("This face"), false, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        Grid::new("facts").num_columns(2).spacing([space::M, 2.0]).min_col_width(64.0).show(ui, |ui| {
            for (name, text, against) in facts(state, photo) {
                ui.label(RichText::new(name).weak().small());
                let color = if against { palette(ui).warning } else { ui.visuals().text_color() };
                let text = if against { format!("! {text}") } else { text };
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
    facts.extend(passes(photo).map(|text| (tr("Photo"), text, false)));
    facts
}

fn of_face(photo: &Photo, index: usize, face: &Face) -> Vec<Fact> {
    let estimate = estimate_head(face);
    let head = estimate.head;
    let (face_px, head_px) = (decimal(face.bbox.height, 0), decimal(head.height(), 0));
    let size = match face.head {
        Some(_) => say!("face {face} px, head {head} px, set by hand", face = face_px, head = head_px),
        None => say!("face {face} px, head {head} px", face = face_px, head = head_px),
    };
    let pose = say!(
        "{facing}, tilted {degrees}°",
        facing = words::facing(Facing::of(estimate.yaw)),
        degrees = decimal(head.roll, 0)
    );
    let mut facts =
        vec![(tr("Score"), decimal(face.score, 2), false), (tr("Size"), size, false), (tr("Pose"), pose, false)];
    if let Some(measures) = &face.measures {
        facts.push(match measures.sharpness {
            Some(sharpness) => {
                (tr("Sharpness"), measured(words::sharpness(Sharpness::of(sharpness)), sharpness), is_soft(sharpness))
            }
            None => (tr("Sharpness"), tr("too few pixels to tell").to_owned(), false),
        });
        let against = is_dark(measures) || is_burnt_out(measures);
        facts.push((tr("Light"), measured(words::light(Light::of(measures)), measures.lightness), against));
    }
    let look = photo.detection.as_ref().and_then(|found| found.passes.get(*found.found_by.get(index)?));
    facts.extend(look.map(|look| (tr("Found in"), words::look(look), false)));
    facts
}

fn measured(words: &str, measure: f32) -> String {
    format!("{words} ({})", decimal(measure, 2))
}

/// `3 looks, 212 ms`; `None` where the looks were not told.
pub(super) fn passes(photo: &Photo) -> Option<String> {
    let found = photo.detection.as_ref().filter(|found| !found.passes.is_empty())?;
    let whole_ms = found.preprocess_ms + found.inference_ms + found.postprocess_ms;
    Some(count!(found.passes.len(), "{n} look, {time}", "{n} looks, {time}", time = words::ms(whole_ms)))
}
