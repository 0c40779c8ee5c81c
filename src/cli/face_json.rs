//! Faces and detection passes in the JSON line of an input. The format is described in `docs/user/cli.md`.

use serde::Serialize;

use geometry::{EyeMeasures, Face, FaceMesh, HeadEstimate, Rect, estimate_head};
use outcome::{ItemReport, PassReport};
use plan::{Facing, Light, Sharpness, WarningKind};

use super::json_numbers::{degrees, percent, pixels, point, ratio, rounded};

#[derive(Serialize)]
pub(super) struct FaceEntry {
    #[serde(rename = "box")]
    bbox: [f64; 4],
    landmarks: [f64; 10],
    score: f64,
    size_px: f64,
    head: Option<HeadEntry>,
    yaw_deg: f64,
    doubt: Option<&'static str>,
    mesh: Option<MeshEntry>,
    sharpness: Option<f64>,
    lightness: Option<f64>,
    underexposed_pct: Option<f64>,
    overexposed_pct: Option<f64>,
    hair_top: Option<[f64; 2]>,
    hair_confidence: Option<f64>,
    background: Option<BackgroundEntry>,
    pass: Option<usize>,
    labels: Vec<&'static str>,
}

#[derive(Serialize)]
struct HeadEntry {
    crown: [f64; 2],
    eyes: [f64; 2],
    chin: [f64; 2],
    height_px: f64,
    roll_deg: f64,
}

/// Measurements on the landmarks of the face mesh.
#[derive(Serialize)]
struct MeshEntry {
    presence: f64,
    width_px: f64,
    pitch_deg: f64,
    mouth_opening: Option<f64>,
    gaze: Option<f64>,
    dark_glasses: bool,
    /// The person's right eye, then the left one.
    eyes: [EyeEntry; 2],
}

#[derive(Serialize)]
struct EyeEntry {
    opening: Option<f64>,
    contrast: Option<f64>,
    is_hidden: bool,
}

#[derive(Serialize)]
struct BackgroundEntry {
    lightness: f64,
    chroma: f64,
    unevenness: f64,
    shadow: f64,
}

#[derive(Serialize)]
pub(super) struct PassEntry {
    kind: &'static str,
    rotation_deg: u16,
    input: [u32; 2],
    rejected_input: Option<[u32; 2]>,
    scale: f64,
    candidates: usize,
    inference_ms: f64,
}

/// The faces of an input.
pub(super) fn faces(item: &ItemReport) -> Vec<FaceEntry> {
    let entry = |(index, face)| face_entry(face, item.found_by.get(index).copied());
    item.faces.iter().enumerate().map(entry).collect()
}

/// The detection passes of an input.
pub(super) fn passes(passes: &[PassReport]) -> Vec<PassEntry> {
    let entry = |pass: &PassReport| PassEntry {
        kind: pass.kind.id(),
        rotation_deg: pass.rotation,
        input: [pass.input.width, pass.input.height],
        rejected_input: pass.rejected.map(|input| [input.width, input.height]),
        scale: ratio(pass.scale),
        candidates: pass.candidates,
        inference_ms: rounded(pass.inference_ms, 1e3),
    };
    passes.iter().map(entry).collect()
}

fn face_entry(face: &Face, pass: Option<usize>) -> FaceEntry {
    let mut landmarks = [0.0; 10];
    for (pair, at) in landmarks.chunks_exact_mut(2).zip(&face.landmarks) {
        pair.copy_from_slice(&point(*at));
    }
    let HeadEstimate { head, yaw, doubt } = estimate_head(face);
    let usable = head.is_usable().then_some(head);
    let measures = face.measures.as_ref();
    FaceEntry {
        bbox: sides(face.bbox),
        landmarks,
        score: ratio(face.score),
        size_px: pixels(face.bbox.height),
        head: usable.map(|head| HeadEntry {
            crown: point(head.crown()),
            eyes: point(head.eyes),
            chin: point(head.chin()),
            height_px: pixels(head.height()),
            roll_deg: degrees(head.roll),
        }),
        yaw_deg: degrees(yaw),
        doubt: doubt.map(|doubt| WarningKind::Doubtful(doubt).id()),
        mesh: face.mesh.as_ref().map(mesh_entry),
        sharpness: measures.and_then(|measures| measures.sharpness).map(ratio),
        lightness: measures.map(|measures| ratio(measures.lightness)),
        underexposed_pct: measures.map(|measures| percent(measures.underexposed)),
        overexposed_pct: measures.map(|measures| percent(measures.overexposed)),
        hair_top: usable.zip(face.eyes_to_hair()).map(|(head, up)| point(head.above_eyes(up))),
        hair_confidence: face.mask.and_then(|mask| mask.hair).map(|hair| ratio(hair.confidence)),
        background: face.mask.and_then(|mask| mask.background).map(|background| BackgroundEntry {
            lightness: ratio(background.lightness),
            chroma: ratio(background.chroma),
            unevenness: ratio(background.unevenness),
            shadow: ratio(background.shadow),
        }),
        pass,
        labels: labels(face, yaw),
    }
}

fn mesh_entry(mesh: &FaceMesh) -> MeshEntry {
    let eye = |eye: &EyeMeasures| EyeEntry {
        opening: eye.opening.map(ratio),
        contrast: eye.contrast.map(ratio),
        is_hidden: eye.is_hidden,
    };
    MeshEntry {
        presence: ratio(mesh.presence),
        width_px: pixels(mesh.width),
        pitch_deg: degrees(mesh.pitch),
        mouth_opening: mesh.mouth_opening.map(ratio),
        gaze: mesh.gaze.map(ratio),
        dark_glasses: mesh.dark_glasses,
        eyes: mesh.eyes.each_ref().map(eye),
    }
}

/// Labels for measurements, such as "sharp", "well lit", "frontal".
fn labels(face: &Face, yaw: f32) -> Vec<&'static str> {
    let measures = face.measures.as_ref();
    let sharpness = measures.and_then(|measures| measures.sharpness).map(|measure| Sharpness::of(measure).id());
    let light = measures.map(|measures| Light::of(measures).id());
    sharpness.into_iter().chain(light).chain([Facing::of(yaw).id()]).collect()
}

fn sides(rect: Rect) -> [f64; 4] {
    [rect.x, rect.y, rect.width, rect.height].map(pixels)
}
