//! The JSON lines of `--json`. Their form is versioned by `schema` and described in `docs/cli.md`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::report;
use crate::backend::RuntimeChoice;
use crate::geometry::Face;
use crate::pipeline::{CropReport, ItemReport, OutcomeKind};
use crate::plan::{Position, Preset};

/// Raised when a field changes its meaning or goes away; new fields do not raise it.
const SCHEMA: u32 = 1;

/// One input.
#[derive(Serialize)]
struct InputLine<'a> {
    schema: u32,
    path: String,
    outcome: &'static str,
    width: Option<u32>,
    height: Option<u32>,
    faces: Vec<FaceEntry>,
    crops: Vec<CropEntry>,
    stages_ms: BTreeMap<&'static str, f64>,
    runtime: RuntimeEntry<'a>,
    note: Option<&'a str>,
    damaged: bool,
    damage: Option<DamageEntry<'a>>,
    error: Option<String>,
}

#[derive(Serialize)]
struct FaceEntry {
    #[serde(rename = "box")]
    bbox: [f64; 4],
    landmarks: [f64; 10],
    score: f64,
}

#[derive(Serialize)]
struct CropEntry {
    rect: [i64; 4],
    written: Option<String>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct DamageEntry<'a> {
    missing_rows: u32,
    rows: u32,
    reason: &'a str,
}

#[derive(Serialize)]
struct RuntimeEntry<'a> {
    requested: &'a str,
    actual: Option<&'a str>,
}

/// The line of an input that went down the corridor.
pub(super) fn item_line(item: &ItemReport, requested: RuntimeChoice) -> serde_json::Result<String> {
    let runtime = item.runtime.as_ref();
    serde_json::to_string(&InputLine {
        schema: SCHEMA,
        path: text(&item.path),
        outcome: item.outcome.id(),
        width: item.size.map(|size| size.width),
        height: item.size.map(|size| size.height),
        faces: item.faces.iter().map(face_entry).collect(),
        crops: item.crops.iter().map(crop_entry).collect(),
        stages_ms: item.stages.iter().map(|(stage, ms)| (stage.id(), rounded(ms, 1e3))).collect(),
        runtime: RuntimeEntry {
            requested: runtime.map_or(requested, |runtime| runtime.requested).id(),
            actual: runtime.map(|runtime| runtime.actual.kind.id()),
        },
        note: item.note,
        damaged: item.damage.is_some(),
        damage: item.damage.as_ref().map(|damage| DamageEntry {
            missing_rows: damage.missing_rows,
            rows: damage.rows,
            reason: &damage.reason,
        }),
        error: item.error.as_ref().map(|error| report::reason(error)),
    })
}

/// The line of a path that could not be walked.
pub(super) fn problem_line(path: &Path, reason: &str, requested: RuntimeChoice) -> serde_json::Result<String> {
    serde_json::to_string(&InputLine {
        schema: SCHEMA,
        path: text(path),
        outcome: OutcomeKind::Failed.id(),
        width: None,
        height: None,
        faces: Vec::new(),
        crops: Vec::new(),
        stages_ms: BTreeMap::new(),
        runtime: RuntimeEntry { requested: requested.id(), actual: None },
        note: None,
        damaged: false,
        damage: None,
        error: Some(reason.to_owned()),
    })
}

/// The line of a preset.
pub(super) fn preset_line(preset: &Preset) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct PresetLine<'a> {
        schema: u32,
        id: &'a str,
        name: &'a str,
        about: &'a str,
        width: u32,
        height: u32,
        head_height_pct: f64,
        position: String,
    }
    let position = match preset.position {
        Position::Middle => "middle".to_owned(),
        Position::EyeLine { from_bottom } => format!("eye-line={}", percent(from_bottom)),
        Position::Headroom { share } => format!("headroom={}", percent(share)),
    };
    serde_json::to_string(&PresetLine {
        schema: SCHEMA,
        id: &preset.id,
        name: &preset.name,
        about: &preset.about,
        width: preset.size.in_pixels().width,
        height: preset.size.in_pixels().height,
        head_height_pct: percent(preset.head_height),
        position,
    })
}

fn face_entry(face: &Face) -> FaceEntry {
    let pixels = |value: f32| rounded(f64::from(value), 1e2);
    let mut landmarks = [0.0; 10];
    for (pair, point) in landmarks.chunks_exact_mut(2).zip(&face.landmarks) {
        pair.copy_from_slice(&[pixels(point.x), pixels(point.y)]);
    }
    FaceEntry {
        bbox: [face.bbox.x, face.bbox.y, face.bbox.width, face.bbox.height].map(pixels),
        landmarks,
        score: rounded(f64::from(face.score), 1e4),
    }
}

fn crop_entry(crop: &CropReport) -> CropEntry {
    let frame = crop.planned.frame;
    CropEntry {
        rect: [frame.x.into(), frame.y.into(), frame.width.into(), frame.height.into()],
        written: crop.written.as_deref().map(text),
        notes: crop.notes.clone(),
    }
}

/// JSON holds text only: bytes that are none become marks.
fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn percent(share: f32) -> f64 {
    rounded(f64::from(share) * 100.0, 1e2)
}

fn rounded(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps
}
