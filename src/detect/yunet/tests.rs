//! Looks on scripted engines.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::ArrayView4;

use super::*;
use crate::backend::{BackendError, BackendKind, ModelBytes, OutputInfo, SessionOptions, open_session};
use crate::decode::{Channels, PictureFormat, PictureInfo, PixelLayout, Pixels, Place};
use crate::detect::check::roll_of_eyes;
use crate::detect::planner::MOST_RUNS;

/// An engine that answers every run with the same values and counts the runs.
struct Scripted {
    info: SessionInfo,
    runs: Arc<AtomicUsize>,
    /// Values of a cell: class, objectness, box, points.
    cell: [f32; 16],
}

impl Session for Scripted {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn run(&mut self, input: ArrayView4<'_, f32>, outputs: &mut Outputs) -> Result<(), BackendError> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        let side = input.dim().2;
        let mut index = 0;
        for stride in [8, 16, 32] {
            let count = (side / stride) * (side / stride);
            for (head, from, width) in [("cls", 0, 1), ("obj", 1, 1), ("bbox", 2, 4), ("kps", 6, 10)] {
                let values = self.cell[from..from + width].repeat(count);
                outputs.set(index, &format!("{head}_{stride}"), &[1, count, width], values);
                index += 1;
            }
        }
        Ok(())
    }
}

fn scripted(cell: [f32; 16]) -> (YunetDetector, Arc<AtomicUsize>) {
    let input = Size::new(64, 64);
    let outputs = [8, 16, 32].into_iter().flat_map(|stride| {
        ["cls", "obj", "bbox", "kps"].map(|head| OutputInfo { name: format!("{head}_{stride}"), shape: None })
    });
    let info = SessionInfo {
        kind: BackendKind::Tract,
        version: String::new(),
        device: "CPU".to_owned(),
        input,
        outputs: outputs.collect(),
    };
    let runs = Arc::new(AtomicUsize::new(0));
    let session = Scripted { info, runs: Arc::clone(&runs), cell };
    (YunetDetector::new(Box::new(session), "scripted").expect("laid out as YuNet"), runs)
}

/// A face that an engine sees at a place of the input: its middle, its height, how it scores and how its eyes are turned.
#[derive(Clone, Copy)]
struct Seen {
    at: (f32, f32),
    height: f32,
    score: f32,
    roll: f32,
}

/// An engine that sees other faces in each run, and none once it has told all.
struct Told {
    info: SessionInfo,
    runs: std::vec::IntoIter<Vec<Seen>>,
    count: Arc<AtomicUsize>,
}

impl Session for Told {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn run(&mut self, _: ArrayView4<'_, f32>, outputs: &mut Outputs) -> Result<(), BackendError> {
        self.count.fetch_add(1, Ordering::Relaxed);
        let seen = self.runs.next().unwrap_or_default();
        let mut index = 0;
        for stride in [8, 16, 32] {
            let columns = 640 / stride;
            for (head, width) in [("cls", 1), ("obj", 1), ("bbox", 4), ("kps", 10)] {
                let mut values = vec![0.0; columns * columns * width];
                for face in seen.iter().filter(|_| stride == 8) {
                    let (column, row) = ((face.at.0 / 8.0).floor(), (face.at.1 / 8.0).floor());
                    let off = (face.at.0 / 8.0 - column, face.at.1 / 8.0 - row);
                    let size = face.height / 8.0;
                    let (sin, cos) = face.roll.to_radians().sin_cos();
                    let points = [(-0.2, -0.1), (0.2, -0.1), (0.0, 0.1), (-0.15, 0.3), (0.15, 0.3)];
                    let points =
                        points.map(|(x, y)| [off.0 + size * (x * cos - y * sin), off.1 + size * (x * sin + y * cos)]);
                    let answer: Vec<f32> = match head {
                        "cls" => vec![face.score],
                        "obj" => vec![face.score],
                        "bbox" => vec![off.0, off.1, (0.8 * size).ln(), size.ln()],
                        _ => points.into_iter().flatten().collect(),
                    };
                    let cell = row as usize * columns + column as usize;
                    values[cell * width..][..width].copy_from_slice(&answer);
                }
                outputs.set(index, &format!("{head}_{stride}"), &[1, columns * columns, width], values);
                index += 1;
            }
        }
        Ok(())
    }
}

fn told(runs: Vec<Vec<Seen>>) -> (YunetDetector, Arc<AtomicUsize>) {
    let info = SessionInfo { input: Size::new(640, 640), ..scripted([0.0; 16]).0.info().clone() };
    let count = Arc::new(AtomicUsize::new(0));
    let session = Told { info, runs: runs.into_iter(), count: Arc::clone(&count) };
    (YunetDetector::new(Box::new(session), "told").expect("laid out as YuNet"), count)
}

const BALANCED: DetectSpec = DetectSpec { score_floor: 0.3, max_overlap: 0.3, thoroughness: Thoroughness::Balanced };
/// A face at the first look, in a photo of 600 x 400 pixels that it sees as it is.
const DOUBTFUL: Seen = Seen { at: (300.0, 200.0), height: 100.0, score: 0.8, roll: 0.0 };

/// What a cell of a mosaic of three rows of three shows, by its number.
fn in_cell(number: usize, score: f32, roll: f32) -> Seen {
    let middle = |index: usize| 213.0 * index as f32 + 106.5;
    Seen { at: (middle(number % 3), middle(number / 3)), height: 110.0, score, roll }
}

fn kinds(found: &Detection) -> Vec<(LookKind, u16)> {
    found.looks.iter().map(|look| (look.kind, look.turned)).collect()
}

#[test]
fn a_face_on_its_head_that_was_read_as_upright_is_turned_by_its_mosaic() {
    // The quarters see nothing; of the levels the second is a half turn.
    let mosaic = vec![in_cell(0, 0.8, 0.0), in_cell(1, 0.94, 0.0), in_cell(2, 0.7, 0.0)];
    let (mut detector, runs) = told(vec![vec![DOUBTFUL], vec![], mosaic]);
    let found = detector.detect(&photo(1), &BALANCED).expect("looks");
    assert_eq!(runs.load(Ordering::Relaxed), 3);
    assert_eq!((found.faces.len(), found.looks[found.found_by[0]].kind), (1, LookKind::Whole));
    let face = found.faces[0];
    assert!((face.score - 0.94).abs() < 1e-3, "{}", face.score);
    assert!(roll_of_eyes(&face).abs() > 179.0, "{}", roll_of_eyes(&face));
    assert!(face.bbox.center().distance(Point::new(300.0, 200.0)) < 1.0, "{:?}", face.bbox);
    assert!((face.bbox.height - 100.0).abs() < 3.0, "{:?}", face.bbox);
    let last = found.looks[found.looks.len() - 1];
    assert_eq!((last.kind, last.candidates, found.looks.len()), (LookKind::Mosaic, 3, 6));
    assert!(last.part.width > 100.0 && last.part.right() <= 600.0, "{:?}", last.part);
    assert!(found.looks[..5].iter().all(|look| look.kind != LookKind::Mosaic));
}

#[test]
fn what_no_cell_confirms_loses_its_score_and_is_no_reason_to_stop_looking() {
    let (mut detector, runs) = told(vec![vec![DOUBTFUL], vec![], vec![in_cell(0, 0.7, 0.0)]]);
    let found = detector.detect(&photo(1), &BALANCED).expect("looks");
    assert_eq!(found.faces.len(), 1);
    let score = found.faces[0].score;
    assert!(score < 0.6 && score > 0.3, "{score}");
    assert!(
        kinds(&found).ends_with(&[
            (LookKind::Mosaic, 0),
            (LookKind::Turned, 90),
            (LookKind::Turned, 270),
            (LookKind::Turned, 180),
            (LookKind::Turned, 45),
            (LookKind::Turned, 315),
            (LookKind::Turned, 135),
            (LookKind::Turned, 225)
        ]),
        "{:?}",
        kinds(&found)
    );
    assert!(runs.load(Ordering::Relaxed) <= MOST_RUNS);

    let (mut detector, _) = told(vec![vec![DOUBTFUL], vec![], vec![]]);
    assert!(detector.detect(&photo(1), &BALANCED).expect("looks").faces.is_empty(), "seen in no cell");
}

#[test]
fn a_clear_portrait_takes_one_run_whatever_weak_hints_are_beside_it() {
    let clear = Seen { score: 0.93, ..DOUBTFUL };
    let hint = Seen { at: (60.0, 60.0), height: 40.0, score: 0.42, roll: 0.0 };
    let (mut detector, runs) = told(vec![vec![clear, hint]]);
    let found = detector.detect(&photo(1), &BALANCED).expect("looks");
    assert_eq!((found.faces.len(), runs.load(Ordering::Relaxed)), (2, 1));

    let fast = DetectSpec { thoroughness: Thoroughness::Fast, ..BALANCED };
    let (mut detector, runs) = told(vec![vec![DOUBTFUL]]);
    let found = detector.detect(&photo(1), &fast).expect("looks");
    assert_eq!((found.faces[0].score, runs.load(Ordering::Relaxed)), (DOUBTFUL.score, 1), "fast is one look");
}

#[test]
fn a_weak_hint_becomes_a_face_where_its_mosaic_shows_one() {
    let weak = Seen { score: 0.22, height: 30.0, ..DOUBTFUL };
    let spec = BALANCED;
    // Whole, quarters, three turned, four diagonal ones; then the mosaic.
    let mut runs = vec![Vec::new(); 10];
    runs[0] = vec![weak];
    let (mut detector, _) = told(runs.clone());
    assert!(detector.detect(&photo(1), &spec).expect("looks").faces.is_empty());
    runs[9] = vec![in_cell(2, 0.93, 0.0)];
    let (mut detector, _) = told(runs);
    let found = detector.detect(&photo(1), &spec).expect("looks");
    assert_eq!(found.faces.len(), 1, "{:?}", kinds(&found));
    assert!(found.faces[0].score > 0.9 && (roll_of_eyes(&found.faces[0]) - 90.0).abs() < 1.0);
}

/// A photo of 600 x 400 pixels of which every `reduction`th is at hand.
fn photo(reduction: u32) -> Picture {
    let (size, here) = (Size::new(600, 400), Size::new(600 / reduction, 400 / reduction));
    let pixels = Pixels::from_u8(here, Channels::Rgb, vec![90; here.pixels() as usize * 3]).expect("fits");
    let info = PictureInfo::plain(size, PictureFormat::Jpeg, PixelLayout::RGB8);
    Picture { info, pixels, place: Place { x: 0, y: 0, reduction } }
}

#[test]
fn more_pixels_are_asked_for_only_where_they_are_missing_and_runs_have_an_end() {
    for (thoroughness, most) in [(Thoroughness::Balanced, MOST_RUNS), (Thoroughness::Thorough, MOST_RUNS + 21)] {
        pixels_and_runs(thoroughness, most);
    }
}

fn pixels_and_runs(thoroughness: Thoroughness, most: usize) {
    let spec = DetectSpec { thoroughness, ..DetectSpec::default() };
    let (mut detector, runs) = scripted([0.0; 16]);
    let first = detector.detect(&photo(8), &spec).expect("looks");
    let wanted = first.closer.expect("tiles need more pixels");
    assert!(wanted > 64 && wanted <= 600, "{wanted}");
    assert!(first.looks.iter().all(|look| look.kind != LookKind::Tile));
    let both = detector.look_closer(&photo(2), &spec, first).expect("looks");
    assert_eq!(both.closer, None);
    let counted = runs.swap(0, Ordering::Relaxed);
    assert!(counted <= most, "{thoroughness}: {counted} runs");

    let at_once = detector.detect(&photo(1), &spec).expect("looks");
    assert_eq!((at_once.closer, at_once.looks.len()), (None, both.looks.len()));
    assert_eq!(runs.load(Ordering::Relaxed), counted);
    let kinds = |looks: &[Look]| looks.iter().map(|look| (look.kind, look.turned)).collect::<Vec<_>>();
    assert_eq!(kinds(&at_once.looks), kinds(&both.looks), "the same looks whichever way the pixels came");
    assert!(kinds(&both.looks).contains(&(LookKind::Tile, 0)));
    let turned = |degrees: u16| kinds(&both.looks).contains(&(LookKind::Tile, degrees));
    let thorough = thoroughness == Thoroughness::Thorough;
    assert_eq!([90, 180, 270].map(turned), [thorough; 3], "nothing was found");

    let fast = DetectSpec { thoroughness: Thoroughness::Fast, ..spec };
    let one = detector.detect(&photo(8), &fast).expect("looks");
    assert_eq!((one.looks.len(), one.closer), (1, None));
}

#[test]
fn every_face_names_its_look_and_foreign_numbers_never_panic() {
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
        // Eyes exchanged: kept as the engine says it.
        { [1.0, 1.0, 0.5, 0.5, 0.7, 0.7, 0.7, 0.3, 0.2, 0.3, 0.5, 0.5, 0.6, 0.7, 0.3, 0.7] },
    ];
    let all = Rect::new(0.0, 0.0, 600.0, 400.0);
    for (index, cell) in cells.into_iter().enumerate() {
        for thoroughness in Thoroughness::ALL {
            let spec = DetectSpec { thoroughness, ..DetectSpec::default() };
            let (mut detector, _) = scripted(cell);
            let found = detector.detect(&photo(1), &spec).expect("looks");
            assert_eq!(found.faces.len(), found.found_by.len());
            assert!(found.found_by.iter().all(|&look| look < found.looks.len()), "{index}");
            assert!(found.faces.iter().all(|face| face.is_usable() && face.bbox.overlap(all) > 0.0), "{index}");
            assert_eq!(found.faces.is_empty(), !matches!(index, 0 | 9 | 10), "{index}: {}", found.faces.len());
        }
    }
}

#[test]
fn a_picture_too_small_for_a_face_has_none() {
    let options = SessionOptions::new(Size::new(320, 320));
    let session = open_session(BackendKind::Tract, &ModelBytes::bundled(), &options).expect("opens");
    let mut detector = YunetDetector::new(session, "bundled").expect("YuNet");
    for size in [Size::new(1, 1), Size::new(31, 400), Size::new(150, 1)] {
        let samples = vec![90; size.pixels() as usize * 3];
        let pixels = Pixels::from_u8(size, Channels::Rgb, samples).expect("fits");
        let picture = Picture::whole(PictureInfo::plain(size, PictureFormat::Png, PixelLayout::RGB8), pixels);
        // The floor is zero: every cell the network was run on would be a face.
        let spec = DetectSpec { score_floor: 0.0, ..DetectSpec::default() };
        assert_eq!(detector.detect(&picture, &spec).expect("looks").faces.len(), 0, "{size}");
    }
}
