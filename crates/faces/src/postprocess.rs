//! Postprocessing: decodes YuNet's twelve output tensors into faces in input pixels.

use geometry::{Face, Point, Rect, Size};
use inference::Outputs;
use outcome::{DetectError, OutputInfo};

/// Strides of the three feature levels, in input pixels.
const STRIDES: [u32; 3] = [8, 16, 32];
/// The four outputs of each level and the number of values for each cell.
const OUTPUTS: [(&str, usize); 4] = [("cls", 1), ("obj", 1), ("bbox", 4), ("kps", 10)];

/// Checks that a loaded model has YuNet's outputs for an input of `input` pixels.
///
/// # Errors
/// The first output that is missing or has another shape, as a message.
pub(super) fn check_layout(outputs: &[OutputInfo], input: Size) -> Result<(), String> {
    for stride in STRIDES {
        for (output_name, width) in OUTPUTS {
            let name = format!("{output_name}_{stride}");
            let Some(output) = outputs.iter().find(|output| output.name == name) else {
                let names: Vec<&str> = outputs.iter().take(4).map(|output| output.name.as_str()).collect();
                return Err(format!("it has no output {name} among its {} ({} ..)", outputs.len(), names.join(", ")));
            };
            let expected = [1, cells(stride, input), width];
            if let Some(shape) = &output.shape
                && shape[..] != expected
            {
                return Err(format!("its output {name} has the shape {shape:?}; {expected:?} is expected"));
            }
        }
    }
    Ok(())
}

fn cells(stride: u32, input: Size) -> usize {
    (input.width / stride) as usize * (input.height / stride) as usize
}

/// Decodes every cell with a score of at least `score_threshold` into a face in input pixels.
///
/// As in OpenCV's FaceDetectorYN, the score is the square root of class score times objectness, both clamped to 0..1.
/// Boxes are center offset and log size, landmarks are offsets, all in strides relative to the cell. Cells with
/// non-finite numbers are skipped.
///
/// # Errors
/// An output is missing or does not have the number of values required by `input`.
pub fn decode_outputs(outputs: &Outputs, input: Size, score_threshold: f32) -> Result<Vec<Face>, DetectError> {
    let mut faces = Vec::new();
    for stride in STRIDES {
        let columns = (input.width / stride) as usize;
        let [cls, obj, bbox, kps] = {
            let mut levels = [[].as_slice(); 4];
            for (level, (output_name, width)) in levels.iter_mut().zip(OUTPUTS) {
                *level = values(outputs, output_name, stride, cells(stride, input) * width)?;
            }
            levels
        };
        let cells = cls.iter().zip(obj).zip(bbox.chunks_exact(4).zip(kps.chunks_exact(10)));
        for (cell, ((cls, obj), (bbox, kps))) in cells.enumerate() {
            let score = (cls.clamp(0.0, 1.0) * obj.clamp(0.0, 1.0)).sqrt();
            // Also false for NaN.
            if score >= score_threshold {
                let origin = Point::new((cell % columns) as f32, (cell / columns) as f32);
                let face = face_at(origin, stride as f32, bbox, kps, score);
                faces.extend(face.is_usable().then_some(face));
            }
        }
    }
    Ok(faces)
}

fn face_at(origin: Point, stride: f32, bbox: &[f32], kps: &[f32], score: f32) -> Face {
    let (width, height) = (bbox[2].exp() * stride, bbox[3].exp() * stride);
    let center = Point::new((origin.x + bbox[0]) * stride, (origin.y + bbox[1]) * stride);
    let point =
        |index: usize| Point::new((origin.x + kps[2 * index]) * stride, (origin.y + kps[2 * index + 1]) * stride);
    let bbox = Rect::new(center.x - width / 2.0, center.y - height / 2.0, width, height);
    Face::new(bbox, std::array::from_fn(point), score)
}

fn values<'o>(outputs: &'o Outputs, output_name: &str, stride: u32, count: usize) -> Result<&'o [f32], DetectError> {
    let name = format!("{output_name}_{stride}");
    let wrong = |reason: String| DetectError::NotYunet { model: "the model".to_owned(), reason };
    let output = outputs.get(&name).ok_or_else(|| wrong(format!("the run gave no output {name}")))?;
    if output.values.len() != count {
        return Err(wrong(format!("its output {name} has {} values; {count} are expected", output.values.len())));
    }
    Ok(&output.values)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUT: Size = Size::new(64, 32);

    /// Outputs of zeros, except for `cell` of stride 16.
    fn outputs(cell: usize, cls: f32, obj: f32, bbox: [f32; 4], kps: [f32; 10]) -> Outputs {
        let mut outputs = Outputs::new();
        let mut index = 0;
        for stride in STRIDES {
            for (output_name, width) in OUTPUTS {
                let count = cells(stride, INPUT);
                let mut values = vec![0.0; count * width];
                if stride == 16 {
                    let here: &[f32] = match output_name {
                        "cls" => &[cls],
                        "obj" => &[obj],
                        "bbox" => &bbox,
                        _ => &kps,
                    };
                    values[cell * width..][..width].copy_from_slice(here);
                }
                outputs.set(index, &format!("{output_name}_{stride}"), &[1, count, width], values);
                index += 1;
            }
        }
        outputs
    }

    #[test]
    fn boxes_and_landmarks_are_decoded_in_strides_relative_to_the_cell() {
        let kps = [0.0, 0.0, 0.5, 0.0, 0.25, 0.25, 0.0, 0.5, 0.5, 0.5];
        // Cell 5 of 4 columns: column 1, row 1.
        let faces =
            decode_outputs(&outputs(5, 0.81, 1.0, [0.5, 0.25, 0.0, 2.0_f32.ln()], kps), INPUT, 0.3).expect("read");
        assert_eq!(faces.len(), 1);
        let face = faces[0];
        assert!((face.score - 0.9).abs() < 1e-6);
        assert!((face.bbox.x - 16.0).abs() < 1e-4 && (face.bbox.y - 4.0).abs() < 1e-4, "{:?}", face.bbox);
        assert!((face.bbox.width - 16.0).abs() < 1e-4 && (face.bbox.height - 32.0).abs() < 1e-4);
        assert_eq!(face.landmarks[0], Point::new(16.0, 16.0));
        assert_eq!(face.landmarks[4], Point::new(24.0, 24.0));
    }

    #[test]
    fn scores_are_clamped_and_the_threshold_is_applied() {
        let read = |cls, obj| decode_outputs(&outputs(0, cls, obj, [0.0; 4], [0.0; 10]), INPUT, 0.5).expect("read");
        assert_eq!(read(1.7, 2.0)[0].score, 1.0);
        assert!(read(0.2, 0.2).is_empty());
        assert!(read(-1.0, -1.0).is_empty(), "two negative scores do not give a positive one");
    }

    #[test]
    fn non_finite_outputs_give_no_face() {
        let read = |cls, bbox, kps| decode_outputs(&outputs(0, cls, 1.0, bbox, kps), INPUT, 0.3).expect("read");
        assert!(read(f32::NAN, [0.0; 4], [0.0; 10]).is_empty());
        assert!(read(1.0, [f32::NAN; 4], [0.0; 10]).is_empty());
        assert!(read(1.0, [0.0, 0.0, 1000.0, 0.0], [0.0; 10]).is_empty(), "an infinite box");
        assert!(read(1.0, [0.0; 4], [f32::INFINITY; 10]).is_empty());
    }

    #[test]
    fn another_output_layout_is_rejected() {
        let wrong = decode_outputs(&Outputs::new(), INPUT, 0.3);
        assert!(matches!(wrong, Err(DetectError::NotYunet { .. })));
        let info = |name: &str, shape: &[usize]| OutputInfo { name: name.to_owned(), shape: Some(shape.to_vec()) };
        let right: Vec<OutputInfo> = STRIDES
            .iter()
            .flat_map(|&stride| {
                OUTPUTS.map(|(output_name, width)| {
                    info(&format!("{output_name}_{stride}"), &[1, cells(stride, INPUT), width])
                })
            })
            .collect();
        assert_eq!(check_layout(&right, INPUT), Ok(()));
        assert!(check_layout(&right[1..], INPUT).is_err_and(|reason| reason.contains("cls_8")));
        assert!(check_layout(&right, Size::new(96, 32)).is_err_and(|reason| reason.contains("is expected")));
        assert!(check_layout(&[info("softmax", &[1, 1000])], INPUT).is_err_and(|reason| reason.contains("softmax")));
    }
}
