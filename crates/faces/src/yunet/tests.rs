//! Sequences of passes on scripted engines.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use ndarray::ArrayView4;

use geometry::{Rect, Size};
use outcome::{BackendError, Channels, OutputInfo, PictureFormat, PixelLayout};
use picture::{PictureInfo, Pixels, Place};

use super::*;

/// A face that the scripted engine detects: its center and height in input pixels, and its score.
#[derive(Clone, Copy)]
struct FakeFace {
    at: (f32, f32),
    height: f32,
    score: f32,
}

/// The detections of each run in order; none once the script has ended.
type Script = Arc<Mutex<VecDeque<Vec<FakeFace>>>>;

/// An engine that returns the detections of a script and records the input size of each run.
struct Scripted {
    info: SessionInfo,
    script: Script,
    runs: Arc<Mutex<Vec<Size>>>,
    /// Values of every cell without a scripted face: class, objectness, box, landmarks.
    cell: [f32; 16],
}

impl Session for Scripted {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn run(&mut self, input: ArrayView4<'_, f32>, outputs: &mut Outputs) -> Result<(), BackendError> {
        let (_, _, height, width) = input.dim();
        self.runs.lock().expect("not poisoned").push(Size::new(width as u32, height as u32));
        let detections = self.script.lock().expect("not poisoned").pop_front().unwrap_or_default();
        let mut index = 0;
        for stride in [8, 16, 32] {
            let (columns, rows) = (width / stride, height / stride);
            for (head, from, count) in [("cls", 0, 1), ("obj", 1, 1), ("bbox", 2, 4), ("kps", 6, 10)] {
                let mut values = self.cell[from..from + count].repeat(columns * rows);
                for face in detections.iter().filter(|_| stride == 8) {
                    let (column, row) = ((face.at.0 / 8.0).floor(), (face.at.1 / 8.0).floor());
                    let (x, y, size) = (face.at.0 / 8.0 - column, face.at.1 / 8.0 - row, face.height / 8.0);
                    let points = [(-0.2, -0.1), (0.2, -0.1), (0.0, 0.1), (-0.15, 0.3), (0.15, 0.3)];
                    let answer = match head {
                        "cls" | "obj" => vec![face.score],
                        "bbox" => vec![x, y, (0.8 * size).ln(), size.ln()],
                        _ => points.iter().flat_map(|(dx, dy)| [x + size * dx, y + size * dy]).collect(),
                    };
                    values[(row as usize * columns + column as usize) * count..][..count].copy_from_slice(&answer);
                }
                outputs.set(index, &format!("{head}_{stride}"), &[1, columns * rows, count], values);
                index += 1;
            }
        }
        Ok(())
    }
}

/// A detector on a scripted engine with a main input of `main` pixels that accepts inputs up to `max_side`; also returns
/// the recorded input sizes.
fn detector_of(
    script: Vec<Vec<FakeFace>>,
    cell: [f32; 16],
    main: Size,
    max_side: u32,
) -> (YunetDetector, Arc<Mutex<Vec<Size>>>) {
    let (script, runs) = (Arc::new(Mutex::new(VecDeque::from(script))), Arc::default());
    let recorded = Arc::clone(&runs);
    let open = move |input: Size| {
        let outputs = [8, 16, 32].into_iter().flat_map(|stride| {
            ["cls", "obj", "bbox", "kps"].map(|head| OutputInfo { name: format!("{head}_{stride}"), shape: None })
        });
        if input.long_side() > max_side {
            return Err(BackendError::NotIncluded { kind: BackendKind::Tract });
        }
        let info = SessionInfo {
            kind: BackendKind::Tract,
            version: String::new(),
            device: "CPU".to_owned(),
            input,
            outputs: outputs.collect(),
        };
        let session = Scripted { info, script: Arc::clone(&script), runs: Arc::clone(&recorded), cell };
        Ok(Box::new(session) as Box<dyn Session>)
    };
    let main = open(main).expect("opens");
    (YunetDetector::new(main, "scripted", Box::new(open), no_models()).expect("YuNet"), runs)
}

const MAIN: Size = Size::new(640, 640);

fn scripted(script: Vec<Vec<FakeFace>>) -> (YunetDetector, Arc<Mutex<Vec<Size>>>) {
    detector_of(script, [0.0; 16], MAIN, u32::MAX)
}

fn spec(thoroughness: Thoroughness) -> DetectSpec {
    DetectSpec { thoroughness, ..DetectSpec::default() }
}

fn passes(found: &Detection) -> Vec<(PassScale, u16)> {
    found.passes.iter().map(|pass| (pass.kind, pass.rotation)).collect()
}

/// Faces in a photo of 600 x 400 pixels, which the standard pass does not resize.
const CLEAR: FakeFace = FakeFace { at: (300.0, 200.0), height: 100.0, score: 0.93 };
const SMALL: FakeFace = FakeFace { at: (60.0, 60.0), height: 30.0, score: 0.5 };

/// A photo of 600 x 400 pixels, decoded at 1 / `reduction` of its size.
fn photo(reduction: u32) -> Picture {
    let (size, decoded) = (Size::new(600, 400), Size::new(600 / reduction, 400 / reduction));
    let pixels = Pixels::from_u8(decoded, Channels::Rgb, vec![90; decoded.pixels() as usize * 3]).expect("fits");
    let info = PictureInfo::plain(size, PictureFormat::Jpeg, PixelLayout::RGB8);
    Picture { info, pixels, place: Place { x: 0, y: 0, reduction } }
}

/// Models that cannot be opened.
fn no_models() -> FaceModels {
    FaceModels::new(Box::new(|_| Err(BackendError::NotIncluded { kind: BackendKind::Tract })))
}

#[test]
fn a_clear_portrait_needs_one_pass_and_fast_always_runs_one() {
    let (mut detector, runs) = scripted(vec![vec![CLEAR, FakeFace { score: 0.35, ..SMALL }]]);
    let found = detector.detect(&photo(1), &spec(Thoroughness::Balanced)).expect("searched");
    assert_eq!((found.faces.len(), runs.lock().expect("not poisoned").len()), (2, 1));
    assert_eq!(found.passes[0].input, Size::new(640, 448));

    let tiny = FakeFace { height: 9.0, ..SMALL };
    let (mut detector, runs) = scripted(vec![vec![SMALL, FakeFace { at: (500.0, 60.0), ..tiny }]]);
    let found = detector.detect(&photo(1), &spec(Thoroughness::Fast)).expect("searched");
    assert_eq!(runs.lock().expect("not poisoned").len(), 1);
    assert_eq!(found.faces.iter().map(|face| face.score).collect::<Vec<_>>(), [0.5, 0.5], "the network's own scores");
}

#[test]
fn a_small_box_requires_a_larger_pass_with_the_photos_aspect_ratio() {
    // The face at 2.667 times the size, and one that is only detected there.
    let larger = vec![
        FakeFace { at: (800.0, 533.0), height: 267.0, ..CLEAR },
        FakeFace { at: (160.0, 160.0), height: 80.0, score: 0.88 },
    ];
    let (mut detector, runs) = scripted(vec![vec![CLEAR, SMALL], larger]);
    let found = detector.detect(&photo(1), &spec(Thoroughness::Balanced)).expect("searched");
    assert_eq!(passes(&found)[..2], [(PassScale::Standard, 0), (PassScale::Larger, 0)]);
    assert_eq!(runs.lock().expect("not poisoned")[1], Size::new(1600, 1088));
    assert_eq!(found.faces.len(), 2);
    assert!(found.faces[1].bbox.center().distance(geometry::Point::new(60.0, 60.0)) < 1.0);
    assert_eq!(found.found_by[1], 1);
}

#[test]
fn a_photo_without_a_clear_face_is_searched_at_other_rotations() {
    use PassScale::{Larger, Smaller, Standard};
    let (mut detector, _) = scripted(vec![]);
    let found = detector.detect(&photo(1), &spec(Thoroughness::Balanced)).expect("searched");
    let balanced = [(Standard, 0), (Larger, 0), (Smaller, 0), (Standard, 90), (Standard, 270), (Standard, 180)];
    assert_eq!(passes(&found), balanced);
    let found = detector.detect(&photo(1), &spec(Thoroughness::Thorough)).expect("searched");
    assert_eq!(passes(&found)[..6], balanced);
    let diagonal = [(Standard, 45), (Standard, 315), (Standard, 135), (Standard, 225)];
    assert_eq!(passes(&found)[6..], [&diagonal[..], &[(Larger, 90), (Larger, 270), (Larger, 180)]].concat());

    // A sideways group: all rotations are searched, and the one with faces again at the larger scale.
    let mut script = vec![Vec::new(); 7];
    script[3] = vec![FakeFace { at: (200.0, 300.0), height: 30.0, score: 0.9 }];
    let (mut detector, _) = scripted(script);
    let found = detector.detect(&photo(1), &spec(Thoroughness::Balanced)).expect("searched");
    assert_eq!(passes(&found), [&balanced[..], &[(Larger, 90)]].concat());
    assert_eq!((found.faces.len(), found.found_by[0]), (1, 3));
}

#[test]
fn a_rejected_input_size_falls_back_to_the_next_and_is_reported() {
    let (mut detector, runs) = detector_of(vec![vec![CLEAR, SMALL]], [0.0; 16], MAIN, 1300);
    let found = detector.detect(&photo(1), &spec(Thoroughness::Balanced)).expect("searched");
    assert_eq!(runs.lock().expect("not poisoned")[1], Size::new(1280, 864));
    let larger = found.passes[1];
    assert_eq!((larger.input, larger.rejected), (Size::new(1280, 864), Some(Size::new(1600, 1088))));
    assert_eq!(found.passes[0].rejected, None);

    let (mut detector, runs) = detector_of(vec![vec![CLEAR, SMALL]], [0.0; 16], MAIN, 640);
    detector.detect(&photo(1), &spec(Thoroughness::Thorough)).expect("searched");
    assert!(
        runs.lock().expect("not poisoned").iter().all(|input| input.long_side() <= 640),
        "the main input is the fallback"
    );
}

#[test]
fn more_pixels_are_requested_only_if_they_are_missing() {
    for thoroughness in [Thoroughness::Balanced, Thoroughness::Thorough] {
        let (mut detector, _) = scripted(vec![]);
        let first = detector.detect(&photo(8), &spec(thoroughness)).expect("searched");
        assert_eq!((first.next_long_side, passes(&first).len()), (Some(600), 1));
        let both = detector.refine(&photo(1), &spec(thoroughness), first).expect("searched");
        let at_once = detector.detect(&photo(1), &spec(thoroughness)).expect("searched");
        assert_eq!((both.next_long_side, at_once.next_long_side), (None, None));
        assert_eq!(passes(&both), passes(&at_once), "the same passes, whether decoded once or twice");
    }
    let (mut detector, _) = scripted(vec![]);
    let one = detector.detect(&photo(8), &spec(Thoroughness::Fast)).expect("searched");
    assert_eq!((one.passes.len(), one.next_long_side), (1, None));
}

#[test]
fn a_low_score_threshold_is_limited() {
    // Every cell scores 0.05 and would be a face.
    let mut cell = [0.05, 0.05, 0.5, 0.5, 0.7, 0.7, 0.2, 0.3, 0.7, 0.3, 0.5, 0.5, 0.3, 0.7, 0.6, 0.7];
    let lowest = DetectSpec { score_threshold: 0.0, ..spec(Thoroughness::Fast) };
    let (mut detector, _) = detector_of(vec![], cell, Size::new(64, 64), u32::MAX);
    assert!(detector.detect(&photo(1), &lowest).expect("searched").faces.is_empty());
    (cell[0], cell[1]) = (0.12, 0.12);
    let (mut detector, _) = detector_of(vec![], cell, Size::new(64, 64), u32::MAX);
    assert!(!detector.detect(&photo(1), &lowest).expect("searched").faces.is_empty());
}

#[test]
fn every_face_has_its_pass_and_odd_outputs_never_panic() {
    let sound = [1.0, 1.0, 0.5, 0.5, 0.7, 0.7, 0.2, 0.3, 0.7, 0.3, 0.5, 0.5, 0.3, 0.7, 0.6, 0.7];
    let with = |at: usize, value: f32| {
        let mut cell = sound;
        cell[at] = value;
        cell
    };
    let cells = [
        sound,
        with(0, f32::NAN),
        with(2, f32::INFINITY),
        with(2, 1e30),
        with(3, -1e9),
        with(4, 80.0),
        with(5, -200.0),
        with(4, 12.0),
        with(6, f32::NAN),
        with(7, 1e30),
        // Eyes swapped: kept as the engine returns it.
        { [1.0, 1.0, 0.5, 0.5, 0.7, 0.7, 0.7, 0.3, 0.2, 0.3, 0.5, 0.5, 0.6, 0.7, 0.3, 0.7] },
    ];
    let all = Rect::new(0.0, 0.0, 600.0, 400.0);
    for (index, cell) in cells.into_iter().enumerate() {
        for thoroughness in Thoroughness::ALL {
            let spec = DetectSpec { thoroughness, ..DetectSpec::default() };
            let (mut detector, _) = detector_of(vec![], cell, Size::new(64, 64), u32::MAX);
            let found = detector.detect(&photo(1), &spec).expect("detects");
            assert_eq!(found.faces.len(), found.found_by.len());
            assert!(found.found_by.iter().all(|&pass| pass < found.passes.len()), "{index}");
            assert!(found.faces.iter().all(|face| face.is_usable() && face.bbox.overlap(all) > 0.0), "{index}");
            assert_eq!(found.faces.is_empty(), !matches!(index, 0 | 9 | 10), "{index}: {}", found.faces.len());
        }
    }
}

#[test]
fn an_image_too_small_for_a_face_has_none() {
    let (mut detector, runs) = scripted(vec![]);
    for size in [Size::new(1, 1), Size::new(31, 400), Size::new(150, 1)] {
        let samples = vec![90; size.pixels() as usize * 3];
        let pixels = Pixels::from_u8(size, Channels::Rgb, samples).expect("fits");
        let picture = Picture::whole(PictureInfo::plain(size, PictureFormat::Png, PixelLayout::RGB8), pixels);
        assert!(detector.detect(&picture, &DetectSpec::default()).expect("searched").faces.is_empty(), "{size}");
    }
    assert!(runs.lock().expect("not poisoned").is_empty());
}
