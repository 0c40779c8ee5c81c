//! YuNet on any session.

use std::time::Instant;

use super::heads::{check_layout, decode_heads};
use super::pack::pack_view;
use super::planner::{Step, Subject};
use super::suppress::{Candidate, merge};
use super::tiles::long_side_for;
use super::view::View;
use super::{DetectError, DetectSpec, Detection, Detector, Look, LookKind, Packed, suppress_overlaps};
use crate::backend::{Outputs, Session, SessionInfo};
use crate::decode::Picture;
use crate::geometry::{Face, Rect, Size};

/// A picture with a shorter side than this many pixels is not looked at: the network answers noise on it.
const MIN_SIDE: u32 = 32;

/// A face detector: YuNet in a session, with the buffers of its runs.
pub struct YunetDetector {
    session: Box<dyn Session>,
    packed: Packed,
    outputs: Outputs,
}

impl YunetDetector {
    /// Takes a session whose model, called `model` in messages, must be laid out as YuNet is.
    ///
    /// # Errors
    /// The model has other outputs.
    pub fn new(session: Box<dyn Session>, model: &str) -> Result<Self, DetectError> {
        let input = session.info().input;
        check_layout(&session.info().outputs, input)
            .map_err(|reason| DetectError::NotYunet { model: model.to_owned(), reason })?;
        Ok(Self { session, packed: Packed::new(input), outputs: Outputs::new() })
    }

    /// What the engine said in the last look; empty before the first.
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }
}

impl Detector for YunetDetector {
    fn info(&self) -> &SessionInfo {
        self.session.info()
    }

    fn long_side(&self) -> u32 {
        self.session.info().input.long_side()
    }

    fn detect(&mut self, picture: &Picture, spec: &DetectSpec) -> Result<Detection, DetectError> {
        let subject = self.subject(picture, spec);
        let whole = View::whole(subject.photo, subject.input);
        let Some(whole) = whole.filter(|_| subject.photo.short_side() >= MIN_SIDE) else {
            return Ok(Detection::default());
        };
        let mut sight = Sight::default();
        self.run_all(picture, &[vec![whole]], spec, &mut sight)?;
        let mut taken = Vec::new();
        let mut closer = None;
        while let Some(step) = subject.next_step(&taken, &sight.faces()) {
            taken.push(step);
            let runs = subject.runs(step);
            if step == Step::Tiles {
                let tiles: Vec<View> = runs.iter().flatten().copied().collect();
                closer = Some(long_side_for(&tiles, subject.photo)).filter(|&side| !has(picture, side));
                if closer.is_some() {
                    break;
                }
            }
            self.run_all(picture, &runs, spec, &mut sight)?;
        }
        Ok(Detection { closer, ..sight.into_detection() })
    }

    fn look_closer(
        &mut self,
        picture: &Picture,
        spec: &DetectSpec,
        first: Detection,
    ) -> Result<Detection, DetectError> {
        if first.closer.is_none() {
            return Ok(first);
        }
        let subject = self.subject(picture, spec);
        let mut sight = Sight::of(first);
        self.run_all(picture, &subject.runs(Step::Tiles), spec, &mut sight)?;
        Ok(sight.into_detection())
    }
}

impl YunetDetector {
    fn subject(&self, picture: &Picture, spec: &DetectSpec) -> Subject {
        let input = self.session.info().input;
        Subject { photo: picture.size(), input, thoroughness: spec.thoroughness }
    }

    /// Takes runs one after the other, then merges what was seen so far.
    fn run_all(
        &mut self,
        picture: &Picture,
        runs: &[Vec<View>],
        spec: &DetectSpec,
        sight: &mut Sight,
    ) -> Result<(), DetectError> {
        runs.iter().try_for_each(|views| self.run(picture, views, spec, sight))?;
        sight.candidates = merge(std::mem::take(&mut sight.candidates), spec.max_overlap);
        Ok(())
    }

    /// One run of the engine on an input that holds `views`.
    fn run(
        &mut self,
        picture: &Picture,
        views: &[View],
        spec: &DetectSpec,
        sight: &mut Sight,
    ) -> Result<(), DetectError> {
        let input = self.session.info().input;
        let mut clock = Clock(Instant::now());
        self.packed.clear();
        for view in views {
            pack_view(picture, view, &mut self.packed)?;
        }
        sight.fit_ms += clock.lap_ms();
        self.session.run(self.packed.view(), &mut self.outputs)?;
        let run_ms = clock.lap_ms();
        sight.run_ms += run_ms;
        let seen = suppress_overlaps(decode_heads(&self.outputs, input, spec.score_floor)?, spec.max_overlap);
        for view in views {
            let own: Vec<&Face> = seen.iter().filter(|face| view.shows(face.bbox.center())).collect();
            sight.looks.push(Look {
                kind: view.kind,
                part: view.part_rect(),
                turned: view.turned,
                scale: view.scale(),
                candidates: own.len(),
                run_ms: run_ms / views.len().max(1) as f64,
            });
            let (look, scale, size) = (sight.looks.len() - 1, view.scale(), picture.size());
            let sound = own.into_iter().filter_map(|face| weighed(face, view, size));
            let faces = sound.map(|face| view.in_picture(&face)).filter(|face| may_be_in(face, size));
            sight.candidates.extend(faces.map(|face| Candidate { face, look, scale }));
        }
        sight.heads_ms += clock.lap_ms();
        Ok(())
    }
}

/// What was seen so far; merged after each step.
#[derive(Default)]
struct Sight {
    candidates: Vec<Candidate>,
    looks: Vec<Look>,
    fit_ms: f64,
    run_ms: f64,
    heads_ms: f64,
}

impl Sight {
    /// What an earlier call has seen.
    fn of(first: Detection) -> Self {
        let Detection { faces, found_by, looks, fit_ms, run_ms, heads_ms, .. } = first;
        let scale = |look: usize| looks.get(look).map_or(0.0, |look: &Look| look.scale);
        let found_by = found_by.into_iter().chain(std::iter::repeat(0));
        let candidates =
            faces.into_iter().zip(found_by).map(|(face, look)| Candidate { face, look, scale: scale(look) }).collect();
        Self { candidates, looks, fit_ms, run_ms, heads_ms }
    }

    /// The faces so far.
    fn faces(&self) -> Vec<Face> {
        self.candidates.iter().map(|candidate| candidate.face).collect()
    }

    fn into_detection(self) -> Detection {
        let Self { candidates, looks, fit_ms, run_ms, heads_ms } = self;
        let (faces, found_by) = candidates.into_iter().map(|kept| (kept.face, kept.look)).unzip();
        Detection { faces, found_by, looks, closer: None, fit_ms, run_ms, heads_ms }
    }
}

/// True where `picture` is at hand with at least `long_side` pixels along its longer side, or with all it has.
fn has(picture: &Picture, long_side: u32) -> bool {
    picture.place.reduction <= 1 || picture.pixels.size().long_side() >= long_side
}

/// True where a face has a box that a picture of `size` can hold a part of.
fn may_be_in(face: &Face, size: Size) -> bool {
    let all = Rect::new(0.0, 0.0, size.width as f32, size.height as f32);
    let most = LARGEST * size.long_side() as f32;
    face.is_usable() && face.bbox.overlap(all) > 0.0 && face.bbox.width.max(face.bbox.height) <= most
}

/// A face of the input as `view` can vouch for it: passed over where it is too small for the network to know, or mostly
/// beyond the view; its score lowered where a further look alone is not to be trusted, or where an inner edge cuts the face
/// off, so that it gives way to one that is seen whole.
fn weighed(face: &Face, view: &View, size: Size) -> Option<Face> {
    let seen = view.share_seen(face.bbox, size);
    let side = face.bbox.width.max(face.bbox.height);
    let score = match view.kind {
        LookKind::Whole => face.score,
        LookKind::Tile if side < SMALL_IN_TILE => small_in_tile(face.score),
        _ if side < SURE_FROM => face.score,
        _ => in_further_look(face.score),
    };
    let score = if seen < WHOLE { CUT_WEIGHT * score } else { score };
    (side >= SMALLEST && seen >= LEAST_SEEN).then_some(Face { score, ..*face })
}

/// What a score of a further look is worth. A face that such a look is for shows there upright and of a size the network
/// knows, and scores above 0.82; what scores less is mostly a texture, of which every look more finds some.
fn in_further_look(score: f32) -> f32 {
    match score {
        score if score >= 0.9 => score,
        score if score >= 0.82 => 0.6 + (score - 0.82) * (0.3 / 0.08),
        score if score >= 0.3 => 0.3 + (score - 0.3) * (0.3 / 0.52),
        score => score,
    }
}

/// What the score of a small face in a tile is worth: faces of 14 to 20 pixels score 0.5 to 0.85 by where they lie against
/// the network's cells, textures of that size below 0.5.
fn small_in_tile(score: f32) -> f32 {
    match score {
        score if score >= 0.9 => score,
        score if score >= 0.5 => 0.6 + (score - 0.5) * (0.3 / 0.4),
        score if score >= 0.3 => 0.3 + (score - 0.3) * (0.3 / 0.2),
        score => score,
    }
}

/// Boxes with sides below this many pixels of the input are those of small faces.
const SMALL_IN_TILE: f32 = 24.0;
/// Sides of a box in pixels of the input from which on the network is sure of a face.
const SURE_FROM: f32 = 40.0;
/// Boxes below this many pixels of the input are passed over: they are noise.
const SMALLEST: f32 = 12.0;
/// From this share of its box on a face counts as seen whole.
const WHOLE: f32 = 0.98;
/// The share of its box that must be seen of a face.
const LEAST_SEEN: f32 = 0.6;
/// What the score of a face that is not seen whole is multiplied by.
const CUT_WEIGHT: f32 = 0.9;

/// A box with a side above this many long sides of the picture is no face's.
const LARGEST: f32 = 2.0;

struct Clock(Instant);

impl Clock {
    /// Milliseconds since the clock was made or last read.
    fn lap_ms(&mut self) -> f64 {
        let now = Instant::now();
        let lap = now.duration_since(self.0);
        self.0 = now;
        lap.as_secs_f64() * 1e3
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use ndarray::ArrayView4;

    use super::*;
    use crate::backend::{BackendError, BackendKind, ModelBytes, OutputInfo, SessionOptions, open_session};
    use crate::decode::{Channels, PictureFormat, PictureInfo, PixelLayout, Pixels, Place};
    use crate::detect::Thoroughness;
    use crate::geometry::Point;

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

    /// A photo of 600 x 400 pixels of which every `reduction`th is at hand.
    fn photo(reduction: u32) -> Picture {
        let (size, here) = (Size::new(600, 400), Size::new(600 / reduction, 400 / reduction));
        let pixels = Pixels::from_u8(here, Channels::Rgb, vec![90; here.pixels() as usize * 3]).expect("fits");
        let info = PictureInfo::plain(size, PictureFormat::Jpeg, PixelLayout::RGB8);
        Picture { info, pixels, place: Place { x: 0, y: 0, reduction } }
    }

    #[test]
    fn more_pixels_are_asked_for_only_where_they_are_missing_and_twelve_runs_are_the_most() {
        let spec = DetectSpec { thoroughness: Thoroughness::Thorough, ..DetectSpec::default() };
        let (mut detector, runs) = scripted([0.0; 16]);
        let first = detector.detect(&photo(8), &spec).expect("looks");
        let wanted = first.closer.expect("tiles need more pixels");
        assert!(wanted > 64 && wanted <= 600, "{wanted}");
        assert!(first.looks.iter().all(|look| look.kind != LookKind::Tile));
        let both = detector.look_closer(&photo(2), &spec, first).expect("looks");
        assert_eq!(both.closer, None);
        let counted = runs.swap(0, Ordering::Relaxed);
        assert!(counted <= 12, "{counted} runs");

        let at_once = detector.detect(&photo(1), &spec).expect("looks");
        assert_eq!((at_once.closer, at_once.looks.len()), (None, both.looks.len()));
        assert_eq!(runs.load(Ordering::Relaxed), counted);
        let kinds = |looks: &[Look]| looks.iter().map(|look| (look.kind, look.turned)).collect::<Vec<_>>();
        assert_eq!(kinds(&at_once.looks), kinds(&both.looks), "the same looks whichever way the pixels came");
        assert!(kinds(&both.looks).contains(&(LookKind::Tile, 0)));

        let fast = DetectSpec { thoroughness: Thoroughness::Fast, ..spec };
        let one = detector.detect(&photo(8), &fast).expect("looks");
        assert_eq!((one.looks.len(), one.closer), (1, None));
    }

    #[test]
    fn a_further_look_is_believed_where_it_is_sure_and_never_reorders_its_faces() {
        let steps: Vec<f32> = (0..=100).map(|step| in_further_look(step as f32 / 100.0)).collect();
        assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
        let small: Vec<f32> = (0..=100).map(|step| small_in_tile(step as f32 / 100.0)).collect();
        assert!(small.windows(2).all(|pair| pair[0] < pair[1]), "{small:?}");
        assert!(small_in_tile(0.55) > 0.6 && small_in_tile(0.45) < 0.6 && small_in_tile(0.95) == 0.95);
        assert_eq!((in_further_look(0.93), in_further_look(1.0)), (0.93, 1.0));
        assert!((in_further_look(0.82) - 0.6).abs() < 1e-6 && (in_further_look(0.3) - 0.3).abs() < 1e-6);
        assert!(in_further_look(0.75) < 0.6);

        let view = View::turned(Size::new(600, 600), Size::new(640, 640), 90).expect("a view");
        let face = |side: f32| Face::new(Rect::new(100.0, 100.0, side, side), [Point::default(); 5], 0.75);
        let weigh = |view: &View, side: f32| weighed(&face(side), view, Size::new(600, 600)).map(|face| face.score);
        assert_eq!(weigh(&view, 11.0), None, "noise");
        assert_eq!(weigh(&view, 30.0), Some(0.75), "small faces score less");
        assert!(weigh(&view, 90.0).is_some_and(|score| score < 0.6));
        assert_eq!(
            weigh(&View { kind: LookKind::Whole, ..view }, 90.0),
            Some(0.75),
            "the first look says what it says"
        );
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
}
