//! Compares the outputs of two runtimes on one image.

use faces::{decode_outputs, non_max_suppression};
use geometry::{Face, Rect, Size};
use inference::Outputs;
use recipe::DetectSpec;

/// Relative tolerance of full-precision outputs ..
const RELATIVE: f32 = 1e-3;
/// .. plus this absolute tolerance, in the units of the outputs.
const ABSOLUTE: f32 = 1e-4;
/// Tolerance of each side of a face box, in pixels of the model's input.
const BOX_PIXELS: f32 = 1.0;
/// Tolerance of a face's score.
const SCORE: f32 = 0.01;

/// The minimum score of a face, here and in comparisons.
pub(super) const FACE_SCORE: f32 = 0.6;

/// The tolerance of a comparison of outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tolerance {
    /// Every number: `|a - b| <= 1e-4 + 1e-3 |b|`, where `b` is the reference.
    Numbers,
    /// Only the faces, for runtimes with reduced precision: boxes within a pixel, scores within 0.01.
    Faces,
}

/// The largest difference of any number; `None` if the layouts differ, infinite if a value is not a number.
pub(super) fn max_difference(outputs: &Outputs, reference: &Outputs) -> Option<f64> {
    let mut largest = 0.0_f64;
    for (value, wanted) in pairs(outputs, reference)? {
        let difference = f64::from((value - wanted).abs());
        largest = largest.max(if difference.is_nan() { f64::INFINITY } else { difference });
    }
    Some(largest)
}

/// True if `outputs` agree with the reference for an input of `input` pixels. If the reference has no face, only the
/// numbers are compared.
pub(super) fn agree(tolerance: Tolerance, outputs: &Outputs, reference: &Outputs, input: Size) -> bool {
    let numbers = pairs(outputs, reference).is_some_and(|mut pairs| {
        pairs.all(|(value, wanted)| (value - wanted).abs() <= ABSOLUTE + RELATIVE * wanted.abs())
    });
    numbers || (tolerance == Tolerance::Faces && same_faces(outputs, reference, input))
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

/// Pairs each number with the reference's; `None` if an output is missing or has another length.
fn pairs<'o>(outputs: &'o Outputs, reference: &'o Outputs) -> Option<impl Iterator<Item = (f32, f32)> + use<'o>> {
    let mut both = Vec::new();
    for wanted in reference.iter() {
        let output = outputs.get(&wanted.name).filter(|output| output.values.len() == wanted.values.len())?;
        both.push((&output.values, &wanted.values));
    }
    let pairs = |(values, wanted): (&'o Vec<f32>, &'o Vec<f32>)| values.iter().copied().zip(wanted.iter().copied());
    (!both.is_empty()).then(|| both.into_iter().flat_map(pairs))
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
        agree(tolerance, outputs, reference, INPUT)
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
