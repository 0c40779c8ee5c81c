//! YuNet on any session.

use std::time::Instant;

use super::heads::{check_layout, decode_heads};
use super::pack::pack_view;
use super::planner::{Step, Subject};
use super::suppress::{Candidate, merge};
use super::tiles::long_side_for;
use super::view::View;
use super::{DetectError, DetectSpec, Detection, Detector, Look, Packed, suppress_overlaps};
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
        self.run(picture, &[whole], spec, &mut sight)?;
        let mut taken = Vec::new();
        let mut closer = None;
        while let Some(step) = subject.next_step(&taken, &sight.faces(spec)) {
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
        Ok(Detection { closer, ..sight.into_detection(spec) })
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
        Ok(sight.into_detection(spec))
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
            let faces = sound.map(|face| view.to_picture(&face)).filter(|face| may_be_in(face, size));
            sight.candidates.extend(faces.map(|face| Candidate { face, look, scale }));
        }
        sight.heads_ms += clock.lap_ms();
        Ok(())
    }
}

/// What was seen so far.
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
    fn faces(&self, spec: &DetectSpec) -> Vec<Face> {
        merge(self.candidates.clone(), spec.max_overlap).into_iter().map(|candidate| candidate.face).collect()
    }

    fn into_detection(self, spec: &DetectSpec) -> Detection {
        let Self { candidates, looks, fit_ms, run_ms, heads_ms } = self;
        let (faces, found_by) =
            merge(candidates, spec.max_overlap).into_iter().map(|kept| (kept.face, kept.look)).unzip();
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
/// beyond the view; its score lowered where an inner edge cuts it off, so that it gives way to one that is seen whole.
fn weighed(face: &Face, view: &View, size: Size) -> Option<Face> {
    let seen = view.share_seen(face.bbox, size);
    let large_enough = face.bbox.width.max(face.bbox.height) >= SMALLEST;
    let score = if seen < WHOLE { CUT_WEIGHT * face.score } else { face.score };
    (large_enough && seen >= LEAST_SEEN).then_some(Face { score, ..*face })
}

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
    use super::*;
    use crate::backend::{BackendKind, ModelBytes, SessionOptions, open_session};
    use crate::decode::{Channels, PictureFormat, PictureInfo, PixelLayout, Pixels};

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
