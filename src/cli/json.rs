//! The JSON lines of `--json`. The format is versioned by `schema` and described in `docs/user/cli.md`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use geometry::{Face, estimate_head};
use outcome::{CropReport, FaceModelFault, ItemReport, OutcomeKind};
use plan::{PlannedCrop, RuleCheck, Warning, check_rules};
use recipe::{DocumentRules, RuntimeChoice, Variant};

use super::face_json::{FaceEntry, PassEntry};
use super::json_numbers::{degrees, percent, point, rounded};
use super::{causes, face_json, variants};

/// Raised if a field changes its meaning or is removed; new fields do not raise it. 2: crops may be rotated, so that `rect`
/// alone does not define them; presets are framed by the head. 4: see the changelog. 5: yaw is in degrees.
pub(super) const SCHEMA: u32 = 5;

#[derive(Serialize)]
struct InputLine<'a> {
    schema: u32,
    path: String,
    outcome: &'static str,
    width: Option<u32>,
    height: Option<u32>,
    faces: Vec<FaceEntry>,
    passes: Vec<PassEntry>,
    model_faults: Vec<ModelFaultEntry>,
    crops: Vec<CropEntry>,
    card: Option<&'a str>,
    needs_review: bool,
    warnings: Vec<WarningEntry>,
    stages_ms: BTreeMap<&'static str, f64>,
    runtime: RuntimeEntry<'a>,
    note: Option<String>,
    damaged: bool,
    damage: Option<DamageEntry<'a>>,
    error: Option<String>,
}

#[derive(Serialize)]
struct CropEntry {
    variant: Option<String>,
    paired: Option<String>,
    face: usize,
    rect: [i64; 4],
    angle_deg: f64,
    corners: [[f64; 2]; 4],
    output: [u32; 2],
    padding_pct: f64,
    target: Option<String>,
    written: Option<String>,
    sheet: Option<String>,
    rules: Vec<RuleEntry>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct RuleEntry {
    name: &'static str,
    measured_pct: Option<f64>,
    min_pct: Option<f64>,
    max_pct: Option<f64>,
    met: bool,
    message: String,
}

#[derive(Serialize)]
struct ModelFaultEntry {
    model: &'static str,
    reason: String,
}

#[derive(Serialize)]
struct WarningEntry {
    crop: Option<usize>,
    kind: &'static str,
    message: String,
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

/// The line of an input that was processed.
pub(super) fn item_line(
    item: &ItemReport,
    outputs: &[Variant],
    requested: RuntimeChoice,
) -> serde_json::Result<String> {
    let runtime = item.runtime.as_ref();
    serde_json::to_string(&InputLine {
        schema: SCHEMA,
        path: text(&item.path),
        outcome: item.outcome.id(),
        width: item.size.map(|size| size.width),
        height: item.size.map(|size| size.height),
        faces: face_json::faces(item),
        passes: face_json::passes(&item.passes),
        model_faults: item.model_faults.iter().map(model_fault_entry).collect(),
        crops: item.crops.iter().map(|crop| crop_entry(crop, item, outputs)).collect(),
        card: item.card.as_deref(),
        needs_review: !item.warnings.is_empty(),
        warnings: item.warnings.iter().map(warning_entry).collect(),
        stages_ms: item.stages.iter().map(|(stage, ms)| (stage.id(), rounded(ms, 1e3))).collect(),
        runtime: RuntimeEntry {
            requested: runtime.map_or(requested, |runtime| runtime.requested).id(),
            actual: runtime.map(|runtime| runtime.actual.kind.id()),
        },
        note: item.note.map(|note| note.to_string()),
        damaged: item.damage.is_some(),
        damage: item.damage.as_ref().map(|damage| DamageEntry {
            missing_rows: damage.missing_rows,
            rows: damage.rows,
            reason: &damage.reason,
        }),
        error: item.error.as_ref().map(|error| causes::reason(error)),
    })
}

/// The line of a path that could not be searched.
pub(super) fn problem_line(path: &Path, reason: &str, requested: RuntimeChoice) -> serde_json::Result<String> {
    serde_json::to_string(&InputLine {
        schema: SCHEMA,
        path: text(path),
        outcome: OutcomeKind::Failed.id(),
        width: None,
        height: None,
        faces: Vec::new(),
        passes: Vec::new(),
        model_faults: Vec::new(),
        crops: Vec::new(),
        card: None,
        needs_review: false,
        warnings: Vec::new(),
        stages_ms: BTreeMap::new(),
        runtime: RuntimeEntry { requested: requested.id(), actual: None },
        note: None,
        damaged: false,
        damage: None,
        error: Some(reason.to_owned()),
    })
}

fn crop_entry(crop: &CropReport, item: &ItemReport, outputs: &[Variant]) -> CropEntry {
    let planned = &crop.planned;
    let frame = planned.frame;
    let rules = outputs.get(crop.output).and_then(|output| output.crop.rules.as_ref());
    CropEntry {
        variant: variants::label(outputs, crop.output).map(str::to_owned),
        paired: crop.paired.as_deref().map(text),
        face: planned.face_index,
        rect: [frame.x.into(), frame.y.into(), frame.width.into(), frame.height.into()],
        angle_deg: degrees(planned.angle),
        corners: planned.corners().map(point),
        output: [planned.output.width, planned.output.height],
        padding_pct: percent(planned.padding_share),
        target: crop.target.as_deref().map(text),
        written: crop.written.as_deref().map(text),
        sheet: crop.sheet.as_deref().map(text),
        rules: rule_entries(planned, item.faces.get(planned.face_index), rules),
        notes: crop.notes.iter().map(ToString::to_string).collect(),
    }
}

fn rule_entries(planned: &PlannedCrop, face: Option<&Face>, rules: Option<&DocumentRules>) -> Vec<RuleEntry> {
    let Some((face, rules)) = face.zip(rules) else { return Vec::new() };
    let entry = |check: RuleCheck| RuleEntry {
        name: check.rule().id(),
        measured_pct: check.in_range().map(|found| percent(found.measured)),
        min_pct: check.in_range().map(|found| percent(found.range.min)),
        max_pct: check.in_range().map(|found| percent(found.range.max)),
        met: check.met,
        message: check.to_string(),
    };
    check_rules(planned, &estimate_head(face).head, rules).into_iter().map(entry).collect()
}

fn model_fault_entry(fault: &FaceModelFault) -> ModelFaultEntry {
    ModelFaultEntry { model: fault.model.id(), reason: fault.fault.to_string() }
}

fn warning_entry(warning: &Warning) -> WarningEntry {
    WarningEntry { crop: warning.crop, kind: warning.kind.id(), message: warning.kind.to_string() }
}

/// JSON contains text only: invalid bytes become replacement characters.
fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
