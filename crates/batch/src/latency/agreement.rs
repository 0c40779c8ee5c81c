//! Compares the outputs of two runtimes on one image.

use faces::{decode_outputs, non_max_suppression};
use geometry::{Face, Rect, Size};
use inference::Outputs;
use inference::onnx::ModelSummary;
use recipe::{DetectSpec, ModelKind};

/// Relative tolerance of the detector's full-precision outputs ..
const RELATIVE: f32 = 1e-3;
/// .. plus this absolute tolerance, in the units of the outputs.
const ABSOLUTE: f32 = 1e-4;
/// Tolerance of each side of a face box, in pixels of the model's input.
const BOX_PIXELS: f32 = 1.0;
/// Tolerance of a face's score.
const SCORE: f32 = 0.01;

/// The minimum score of a face, here and in comparisons.
pub(super) const FACE_SCORE: f32 = 0.6;

/// The outputs of the models that describe faces, and the units of their values.
const FACE_OUTPUTS: [(ModelKind, &str, Unit); 5] = [
    (ModelKind::Landmarks, "landmarks", Unit::Pixels),
    (ModelKind::Landmarks, "presence", Unit::Logit),
    (ModelKind::Eyelids, "eye", Unit::Pixels),
    (ModelKind::Eyelids, "iris", Unit::Pixels),
    (ModelKind::Person, "person", Unit::Share),
];

/// Outputs by which a detector is recognised.
const DETECTOR_OUTPUTS: [&str; 4] = ["cls_8", "obj_8", "bbox_8", "kps_8"];

/// The tolerance of a comparison of outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tolerance {
    /// Every number. Of the detector: `|a - b| <= 1e-4 + 1e-3 |b|`, where `b` is the reference. Of the models that describe
    /// faces, whose values have known units: [`Unit::rounding`].
    Numbers,
    /// For runtimes with reduced precision: of the detector only the faces, boxes within a pixel and scores within 0.01; of
    /// the models that describe faces [`Unit::reduced`].
    Faces,
}

/// The tolerances for the detector and for the models that describe faces, which may be quantised independently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tolerances {
    pub(super) detector: Tolerance,
    pub(super) face_models: Tolerance,
}

/// The unit of an output's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// Pixels of the model's input, also for the distance from the camera.
    Pixels,
    /// A logit; compared as the probability it stands for.
    Logit,
    /// 0 to 1.
    Share,
}

impl Unit {
    /// Maximum difference from rounding. Absolute, since a coordinate near 0 is as inexact as one near 192. Measured between
    /// tract, rten and ONNX Runtime: 1.3e-4 pixels, and 5e-5 of the mask.
    const fn rounding(self) -> f32 {
        match self {
            Self::Pixels => 0.05,
            Self::Logit | Self::Share => 0.005,
        }
    }

    /// Maximum difference of reduced precision.
    const fn reduced(self) -> f32 {
        match self {
            Self::Pixels => 1.0,
            Self::Logit => 0.05,
            Self::Share => 0.1,
        }
    }

    fn compared(self, value: f32) -> f32 {
        match self {
            Self::Pixels | Self::Share => value,
            Self::Logit => 1.0 / (1.0 + (-value).exp()),
        }
    }
}

/// The names of the outputs of a model that describes faces.
pub(super) fn face_outputs(model: ModelKind) -> impl Iterator<Item = &'static str> {
    FACE_OUTPUTS.into_iter().filter(move |(of, ..)| *of == model).map(|(_, name, _)| name)
}

/// What a model is for, by its outputs; `None` if unknown.
pub fn kind_of_model(summary: &ModelSummary) -> Option<ModelKind> {
    let has = |name: &str| summary.outputs.iter().any(|output| output.name == name);
    let of_faces = ModelKind::OF_FACES.into_iter().find(|kind| face_outputs(*kind).all(has));
    of_faces.or_else(|| DETECTOR_OUTPUTS.into_iter().all(has).then_some(ModelKind::Detector))
}

/// The largest difference of any number; `None` if the layouts differ, infinite if a value is not a number. Models that
/// describe faces count only if both sides have them.
pub(super) fn max_difference(outputs: &Outputs, reference: &Outputs) -> Option<f64> {
    let mut largest = 0.0_f64;
    let detector = pairs(outputs, reference)?;
    let face_models = FACE_OUTPUTS.into_iter().filter_map(|(_, name, _)| values(name, outputs, reference));
    for (value, wanted) in detector.chain(face_models.flat_map(zipped)) {
        let difference = f64::from((value - wanted).abs());
        largest = largest.max(if difference.is_nan() { f64::INFINITY } else { difference });
    }
    Some(largest)
}

/// True if `outputs` agree with the reference for a detector input of `input` pixels. If the reference has no face, only the
/// numbers of the detector are compared. A model that describes faces is compared if both sides could use it.
pub(super) fn agree(tolerances: Tolerances, outputs: &Outputs, reference: &Outputs, input: Size) -> bool {
    let numbers = pairs(outputs, reference).is_some_and(|mut pairs| {
        pairs.all(|(value, wanted)| (value - wanted).abs() <= ABSOLUTE + RELATIVE * wanted.abs())
    });
    let detector = numbers || (tolerances.detector == Tolerance::Faces && same_faces(outputs, reference, input));
    detector
        && FACE_OUTPUTS.into_iter().all(|(_, name, unit)| close_values(tolerances, (name, unit), outputs, reference))
}

fn close_values(tolerances: Tolerances, (name, unit): (&str, Unit), outputs: &Outputs, reference: &Outputs) -> bool {
    let Some((values, wanted)) = values(name, outputs, reference) else { return true };
    let limit = match tolerances.face_models {
        Tolerance::Numbers => unit.rounding(),
        Tolerance::Faces => unit.reduced(),
    };
    values.len() == wanted.len()
        && zipped((values, wanted)).all(|(value, wanted)| (unit.compared(value) - unit.compared(wanted)).abs() <= limit)
}

/// The values of an output on both sides; `None` if one of them lacks it.
fn values<'o>(name: &str, outputs: &'o Outputs, reference: &'o Outputs) -> Option<(&'o [f32], &'o [f32])> {
    Some((&outputs.get(name)?.values, &reference.get(name)?.values))
}

fn zipped<'o>((values, wanted): (&'o [f32], &'o [f32])) -> impl Iterator<Item = (f32, f32)> + use<'o> {
    values.iter().copied().zip(wanted.iter().copied())
}

fn same_faces(outputs: &Outputs, reference: &Outputs, input: Size) -> bool {
    // A face just above the minimum score may be just below it in the other outputs: it agrees if the scores are close.
    let (Some(all), Some(wanted)) = (faces(outputs, input), faces(reference, input)) else { return false };
    let sure = |faces: &[Face]| faces.iter().filter(|face| face.score >= FACE_SCORE).copied().collect::<Vec<_>>();
    let each_in =
        |some: Vec<Face>, others: &[Face]| some.iter().all(|face| others.iter().any(|other| close(face, other)));
    !sure(&wanted).is_empty() && each_in(sure(&wanted), &all) && each_in(sure(&all), &wanted)
}

fn faces(outputs: &Outputs, input: Size) -> Option<Vec<Face>> {
    let spec = DetectSpec::default();
    Some(non_max_suppression(decode_outputs(outputs, input, spec.score_threshold).ok()?, spec.nms_threshold))
}

fn close(a: &Face, b: &Face) -> bool {
    let sides = |rect: Rect| [rect.x, rect.y, rect.x + rect.width, rect.y + rect.height];
    let boxes = sides(a.bbox).into_iter().zip(sides(b.bbox)).all(|(a, b)| (a - b).abs() <= BOX_PIXELS);
    boxes && (a.score - b.score).abs() <= SCORE
}

/// Pairs each number of the detector with the reference's; `None` if an output is missing or has another length.
fn pairs<'o>(outputs: &'o Outputs, reference: &'o Outputs) -> Option<impl Iterator<Item = (f32, f32)> + use<'o>> {
    let is_of_detector = |name: &str| !FACE_OUTPUTS.iter().any(|(_, of_faces, _)| *of_faces == name);
    let mut both = Vec::new();
    for wanted in reference.iter().filter(|output| is_of_detector(&output.name)) {
        let output = outputs.get(&wanted.name).filter(|output| output.values.len() == wanted.values.len())?;
        both.push((output.values.as_slice(), wanted.values.as_slice()));
    }
    (!both.is_empty()).then(|| both.into_iter().flat_map(zipped))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const INPUT: Size = Size::new(64, 32);

    /// YuNet's outputs for an input of 64 x 32 pixels: a face of 16 pixels with the score `score` in the grid cell `cell`.
    pub(crate) fn outputs(cell: usize, score: f32, shift: f32) -> Outputs {
        let mut outputs = Outputs::new();
        let mut index = 0;
        for stride in [8, 16, 32] {
            let cells = (INPUT.width / stride * INPUT.height / stride) as usize;
            for (head, width) in [("cls", 1), ("obj", 1), ("bbox", 4), ("kps", 10)] {
                let mut values = vec![0.0; cells * width];
                if stride == 16 {
                    let here: &[f32] = match head {
                        "cls" => &[score],
                        "obj" => &[score],
                        "bbox" => &[0.5 + shift / 16.0, 0.5, 0.0, 0.0],
                        _ => &[0.5; 10],
                    };
                    values[cell * width..][..width].copy_from_slice(here);
                }
                outputs.set(index, &format!("{head}_{stride}"), &[1, cells, width], values);
                index += 1;
            }
        }
        outputs
    }

    fn agrees(tolerance: Tolerance, outputs: &Outputs, reference: &Outputs) -> bool {
        agree(Tolerances { detector: tolerance, face_models: tolerance }, outputs, reference, INPUT)
    }

    /// The outputs of every model, whose values at `index` differ by `off`.
    fn with_face_models(index: usize, off: [f32; 3]) -> Outputs {
        let mut all = outputs(2, 0.9, 0.0);
        let mut add = |name: &str, mut values: Vec<f32>, off: f32| {
            values[index] += off;
            let at = all.iter().count();
            all.set(at, name, &[values.len()], values);
        };
        let [pixels, logit, share] = off;
        for name in ["landmarks", "eye", "iris"] {
            add(name, vec![0.0, 96.0, 191.0], pixels);
        }
        add("presence", vec![-1.0, 0.0, 20.0], logit);
        add("person", vec![0.0, 0.5, 1.0], share);
        all
    }

    #[test]
    fn face_models_are_compared_in_their_units() {
        let reference = with_face_models(0, [0.0; 3]);
        for (off, full, reduced) in [
            ([0.0, 0.0, 0.0], true, true),
            // Rounding, also of a coordinate near 0.
            ([0.004, 0.001, 1e-4], true, true),
            ([0.2, 0.0, 0.0], false, true),
            ([1.2, 0.0, 0.0], false, false),
            ([0.0, 0.1, 0.0], false, true),
            ([0.0, 0.4, 0.0], false, false),
            ([0.0, 0.0, 0.05], false, true),
            ([0.0, 0.0, 0.15], false, false),
            ([f32::NAN, 0.0, 0.0], false, false),
        ] {
            let outputs = with_face_models(0, off);
            assert_eq!(agrees(Tolerance::Numbers, &outputs, &reference), full, "{off:?}");
            assert_eq!(agrees(Tolerance::Faces, &outputs, &reference), reduced, "{off:?}");
        }
        // A logit far from 0 may differ more: the probability is the same.
        assert!(agrees(Tolerance::Numbers, &with_face_models(2, [0.0, 5.0, 0.0]), &reference));
        let mixed = Tolerances { detector: Tolerance::Numbers, face_models: Tolerance::Faces };
        assert!(agree(mixed, &with_face_models(1, [0.5, 0.0, 0.0]), &reference, INPUT));
        let difference = max_difference(&with_face_models(1, [0.5, 0.0, 0.0]), &reference);
        assert_eq!(difference, Some(0.5));
    }

    #[test]
    fn a_model_that_one_side_cannot_use_is_not_compared() {
        let (all, detector) = (with_face_models(0, [0.0; 3]), outputs(2, 0.9, 0.0));
        for (outputs, reference) in [(&all, &detector), (&detector, &all)] {
            assert!(agrees(Tolerance::Numbers, outputs, reference));
            assert_eq!(max_difference(outputs, reference), Some(0.0));
        }
        let mut short = with_face_models(0, [0.0; 3]);
        let at = short.iter().position(|output| output.name == "eye").expect("exists");
        short.set(at, "eye", &[2], [0.0, 96.0]);
        assert!(!agrees(Tolerance::Faces, &short, &all), "it has another layout");
    }

    #[test]
    fn bundled_models_are_recognised() {
        for kind in ModelKind::ALL {
            let model = inference::ModelBytes::bundled_for(kind);
            let summary = ModelSummary::read(model.as_bytes()).expect("reads");
            assert_eq!(kind_of_model(&summary), Some(kind));
        }
        assert_eq!(kind_of_model(&ModelSummary::default()), None);
    }

    #[test]
    fn numbers_agree_within_a_thousandth() {
        let reference = outputs(2, 0.9, 0.0);
        let close = outputs(2, 0.9005, 0.0);
        let apart = outputs(2, 0.902, 0.0);
        assert!(agrees(Tolerance::Numbers, &reference, &reference) && agrees(Tolerance::Numbers, &close, &reference));
        assert!(!agrees(Tolerance::Numbers, &apart, &reference));
        assert!(agrees(Tolerance::Faces, &apart, &reference), "the faces are the same");
        let difference = max_difference(&apart, &reference).expect("equal");
        assert!((difference - 0.002).abs() < 1e-6, "{difference}");
    }

    #[test]
    fn faces_agree_within_a_pixel_and_a_score_of_a_hundredth() {
        let reference = outputs(2, 0.9, 0.0);
        for (outputs, close) in [
            (outputs(2, 0.9, 0.9), true),
            (outputs(2, 0.9, 1.2), false),
            (outputs(2, 0.909, 0.0), true),
            (outputs(2, 0.915, 0.0), false),
            (outputs(3, 0.9, 0.0), false),
            (outputs(2, 0.1, 0.0), false),
        ] {
            assert_eq!(agrees(Tolerance::Faces, &outputs, &reference), close, "{:?}", faces(&outputs, INPUT));
        }
        assert!(agrees(Tolerance::Faces, &outputs(2, 0.597, 0.0), &outputs(2, 0.602, 0.0)), "on either side of 0.6");
        assert!(!agrees(Tolerance::Faces, &outputs(2, 0.1, 3.0), &outputs(2, 0.2, 0.0)), "there is no face to compare");
    }

    #[test]
    fn other_layouts_and_nan_never_agree() {
        let reference = outputs(2, 0.9, 0.0);
        assert!(!agrees(Tolerance::Faces, &Outputs::new(), &reference));
        assert!(!agrees(Tolerance::Numbers, &reference, &Outputs::new()));
        assert_eq!(max_difference(&Outputs::new(), &reference), None);
        let broken = outputs(2, f32::NAN, 0.0);
        assert!(!agrees(Tolerance::Faces, &broken, &reference));
        assert_eq!(max_difference(&broken, &reference), Some(f64::INFINITY));
    }
}
