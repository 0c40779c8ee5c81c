//! From YuNet's twelve outputs to faces in the model's input space.

use geometry::{Face, Point, Rect, Size};
use inference::Outputs;
use outcome::{DetectError, OutputInfo};

/// Pixels between neighbouring cells of the three levels.
const STRIDES: [u32; 3] = [8, 16, 32];
/// The four heads of each level and the numbers a cell has in each.
const HEADS: [(&str, usize); 4] = [("cls", 1), ("obj", 1), ("bbox", 4), ("kps", 10)];

/// Checks that a loaded model has YuNet's outputs for an input of `input` pixels.
///
/// # Errors
/// The first output that is missing or of another shape, in words.
pub(super) fn check_layout(outputs: &[OutputInfo], input: Size) -> Result<(), String> {
    for stride in STRIDES {
        for (head, width) in HEADS {
            let name = format!("{head}_{stride}");
            let Some(output) = outputs.iter().find(|output| output.name == name) else {
                let there: Vec<&str> = outputs.iter().take(4).map(|output| output.name.as_str()).collect();
                return Err(format!("it has no output {name} among its {} ({} ..)", outputs.len(), there.join(", ")));
            };
            let wanted = [1, cells(stride, input), width];
            if let Some(shape) = &output.shape
                && shape[..] != wanted
            {
                return Err(format!("its output {name} is shaped {shape:?} where {wanted:?} is expected"));
            }
        }
    }
    Ok(())
}

fn cells(stride: u32, input: Size) -> usize {
    (input.width / stride) as usize * (input.height / stride) as usize
}

/// Reads every cell that scores at least `score_threshold` as a face in pixels of the model's input.
///
/// The score is the square root of class score times objectness, both clamped to 0..1; boxes are centre and logarithmic
/// size, points are offsets, all in strides from the cell: as OpenCV's FaceDetectorYN reads them. Cells that hold no
/// finite numbers are passed over.
///
/// # Errors
/// An output is missing or has another number of values than `input` calls for.
pub fn decode_outputs(outputs: &Outputs, input: Size, score_threshold: f32) -> Result<Vec<Face>, DetectError> {
    let mut faces = Vec::new();
    for stride in STRIDES {
        let columns = (input.width / stride) as usize;
        let [cls, obj, bbox, kps] = {
            let mut levels = [[].as_slice(); 4];
            for (level, (head, width)) in levels.iter_mut().zip(HEADS) {
                *level = values(outputs, head, stride, cells(stride, input) * width)?;
            }
            levels
        };
        let postprocess = cls.iter().zip(obj).zip(bbox.chunks_exact(4).zip(kps.chunks_exact(10)));
        for (cell, ((cls, obj), (bbox, kps))) in postprocess.enumerate() {
            let score = (cls.clamp(0.0, 1.0) * obj.clamp(0.0, 1.0)).sqrt();
            // Also false where the score is not a number.
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

fn values<'o>(outputs: &'o Outputs, head: &str, stride: u32, count: usize) -> Result<&'o [f32], DetectError> {
    let name = format!("{head}_{stride}");
    let wrong = |reason: String| DetectError::NotYunet { model: "the model".to_owned(), reason };
    let output = outputs.get(&name).ok_or_else(|| wrong(format!("the run gave no output {name}")))?;
    if output.values.len() != count {
        return Err(wrong(format!("its output {name} has {} values where {count} are expected", output.values.len())));
    }
    Ok(&output.values)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUT: Size = Size::new(64, 32);

    /// Outputs with nothing in any cell but the one at `cell` of stride 16.
    fn outputs(cell: usize, cls: f32, obj: f32, bbox: [f32; 4], kps: [f32; 10]) -> Outputs {
        let mut outputs = Outputs::new();
        let mut index = 0;
        for stride in STRIDES {
            for (head, width) in HEADS {
                let count = cells(stride, INPUT);
                let mut values = vec![0.0; count * width];
                if stride == 16 {
                    let here: &[f32] = match head {
                        "cls" => &[cls],
                        "obj" => &[obj],
                        "bbox" => &bbox,
                        _ => &kps,
                    };
                    values[cell * width..][..width].copy_from_slice(here);
                }
                outputs.set(index, &format!("{head}_{stride}"), &[1, count, width], values);
                index += 1;
            }
        }
        outputs
    }

    #[test]
    fn a_cell_is_read_in_strides_from_its_corner() {
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
    fn scores_are_clamped_and_the_floor_acts() {
        let read = |cls, obj| decode_outputs(&outputs(0, cls, obj, [0.0; 4], [0.0; 10]), INPUT, 0.5).expect("read");
        assert_eq!(read(1.7, 2.0)[0].score, 1.0);
        assert!(read(0.2, 0.2).is_empty());
        assert!(read(-1.0, -1.0).is_empty(), "two negative scores do not make a positive one");
    }

    #[test]
    fn numbers_that_are_none_give_no_face_and_no_panic() {
        let read = |cls, bbox, kps| decode_outputs(&outputs(0, cls, 1.0, bbox, kps), INPUT, 0.3).expect("read");
        assert!(read(f32::NAN, [0.0; 4], [0.0; 10]).is_empty());
        assert!(read(1.0, [f32::NAN; 4], [0.0; 10]).is_empty());
        assert!(read(1.0, [0.0, 0.0, 1000.0, 0.0], [0.0; 10]).is_empty(), "an infinite box");
        assert!(read(1.0, [0.0; 4], [f32::INFINITY; 10]).is_empty());
    }

    #[test]
    fn another_layout_is_distinguished() {
        let wrong = decode_outputs(&Outputs::new(), INPUT, 0.3);
        assert!(matches!(wrong, Err(DetectError::NotYunet { .. })));
        let info = |name: &str, shape: &[usize]| OutputInfo { name: name.to_owned(), shape: Some(shape.to_vec()) };
        let right: Vec<OutputInfo> = STRIDES
            .iter()
            .flat_map(|&stride| {
                HEADS.map(|(head, width)| info(&format!("{head}_{stride}"), &[1, cells(stride, INPUT), width]))
            })
            .collect();
        assert_eq!(check_layout(&right, INPUT), Ok(()));
        assert!(check_layout(&right[1..], INPUT).is_err_and(|reason| reason.contains("cls_8")));
        assert!(check_layout(&right, Size::new(96, 32)).is_err_and(|reason| reason.contains("is expected")));
        assert!(check_layout(&[info("softmax", &[1, 1000])], INPUT).is_err_and(|reason| reason.contains("softmax")));
    }
}
