//! YuNet on any session.

use std::time::Instant;

use super::check::{Sighting, doubt_the_unshown, settle, trials};
use super::heads::{check_layout, decode_heads};
use super::mosaic::{Cell, Place, lay};
use super::pack::pack_view;
use super::planner::{Step, Subject};
use super::suppress::{Candidate, merge};
use super::tiles::long_side_for;
use super::view::View;
use super::weigh::weighed;
use super::{DetectError, DetectSpec, Detection, Detector, Look, LookKind, Packed, Thoroughness, suppress_overlaps};
use crate::backend::{Outputs, Session, SessionInfo};
use crate::decode::Picture;
use crate::geometry::{Face, Point, Rect, Size};

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
        self.look_further(picture, spec, sight, true)
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
        self.look_further(picture, spec, Sight::of(first), false)
    }
}

impl YunetDetector {
    fn subject(&self, picture: &Picture, spec: &DetectSpec) -> Subject {
        let input = self.session.info().input;
        Subject { photo: picture.size(), input, thoroughness: spec.thoroughness }
    }

    /// Takes the looks that the plan asks for after those taken, then looks at doubtful faces again; where that leaves new
    /// doubts, further ones. Stops before tiles for which pixels are missing where it `may_ask` for them.
    fn look_further(
        &mut self,
        picture: &Picture,
        spec: &DetectSpec,
        mut sight: Sight,
        may_ask: bool,
    ) -> Result<Detection, DetectError> {
        let subject = self.subject(picture, spec);
        let mut taken = subject.taken(&sight.looks);
        loop {
            let Some(step) = subject.next_step(&taken, &sight.faces(), subject.spent(&sight.looks)) else {
                if self.check(picture, spec, &mut sight)? {
                    continue;
                }
                return Ok(sight.into_detection(spec.score_floor));
            };
            taken.push(step);
            let runs = subject.runs(step);
            if step == Step::Tiles && may_ask {
                let tiles: Vec<View> = runs.iter().flatten().copied().collect();
                let side = long_side_for(&tiles, subject.photo);
                if !has(picture, side) {
                    // Weak candidates are kept: the pixels to judge them by are still to come.
                    return Ok(Detection { closer: Some(side), ..sight.into_detection(0.0) });
                }
            }
            self.run_all(picture, &runs, spec, &mut sight)?;
        }
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

    /// Looks at doubtful faces again, all in one run. False where there are none, or no run is left for them.
    fn check(&mut self, picture: &Picture, spec: &DetectSpec, sight: &mut Sight) -> Result<bool, DetectError> {
        let subject = self.subject(picture, spec);
        let any_clear = subject.any_clear(&sight.faces());
        let trials = trials(&sight.candidates, |candidate| subject.is_doubtful(candidate, any_clear));
        let places: Vec<Place> = trials.iter().map(|trial| trial.place).collect();
        let cells = lay(&places, subject.input);
        if cells.is_empty() || subject.spent(&sight.looks) >= subject.most_runs(&subject.taken(&sight.looks)) {
            return Ok(false);
        }
        let mut clock = Clock(Instant::now());
        self.packed.clear();
        for cell in &cells {
            cell.fill(picture, &mut self.packed);
        }
        sight.fit_ms += clock.lap_ms();
        self.session.run(self.packed.view(), &mut self.outputs)?;
        let run_ms = clock.lap_ms();
        sight.run_ms += run_ms;
        let seen = suppress_overlaps(decode_heads(&self.outputs, subject.input, seek_floor(spec))?, spec.max_overlap);
        let sightings: Vec<Sighting> = trials
            .iter()
            .zip(&cells)
            .map(|(trial, cell)| Sighting {
                candidate: trial.candidate,
                level: trial.place.roll,
                face: cell.read(&seen).filter(|face| may_be_in(face, subject.photo)),
            })
            .collect();
        let parts = cells.iter().map(Cell::part).reduce(around).unwrap_or_default();
        sight.looks.push(Look {
            kind: LookKind::Mosaic,
            part: inside(parts, subject.photo),
            turned: 0,
            scale: cells.iter().map(Cell::scale).fold(0.0, f32::max),
            candidates: sightings.iter().filter(|sighting| sighting.face.is_some()).count(),
            run_ms,
        });
        settle(&mut sight.candidates, &sightings);
        doubt_the_unshown(&mut sight.candidates, |candidate| subject.is_doubtful(candidate, any_clear));
        sight.candidates = merge(std::mem::take(&mut sight.candidates), spec.max_overlap);
        sight.heads_ms += clock.lap_ms();
        Ok(true)
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
        let seen = suppress_overlaps(decode_heads(&self.outputs, input, seek_floor(spec))?, spec.max_overlap);
        for view in views {
            let own: Vec<&Face> = seen.iter().filter(|face| view.shows(face.bbox.center())).collect();
            sight.looks.push(Look {
                kind: view.kind,
                part: view.part_rect(),
                turned: view.turned,
                scale: view.scale(),
                candidates: own.iter().filter(|face| face.score >= spec.score_floor).count(),
                run_ms: run_ms / views.len().max(1) as f64,
            });
            let (look, scale, size) = (sight.looks.len() - 1, view.scale(), picture.size());
            let sound = own.into_iter().filter_map(|face| weighed(face, view, size));
            let faces = sound.map(|face| view.in_picture(&face)).filter(|face| may_be_in(face, size));
            sight.candidates.extend(faces.map(|face| Candidate { face, look, scale, check: None }));
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
        let candidates = faces
            .into_iter()
            .zip(found_by)
            .map(|(face, look)| Candidate { face, look, scale: scale(look), check: None })
            .collect();
        Self { candidates, looks, fit_ms, run_ms, heads_ms }
    }

    /// The faces so far.
    fn faces(&self) -> Vec<Face> {
        self.candidates.iter().map(|candidate| candidate.face).collect()
    }

    /// The faces from `score_floor` up.
    fn into_detection(self, score_floor: f32) -> Detection {
        let Self { candidates, looks, fit_ms, run_ms, heads_ms } = self;
        let over = candidates.into_iter().filter(|candidate| candidate.face.score >= score_floor);
        let (faces, found_by) = over.map(|kept| (kept.face, kept.look)).unzip();
        Detection { faces, found_by, looks, closer: None, fit_ms, run_ms, heads_ms }
    }
}

/// The score from which on candidates are kept: lower than asked for where a mosaic may tell that they are faces after all.
fn seek_floor(spec: &DetectSpec) -> f32 {
    match spec.thoroughness {
        Thoroughness::Fast => spec.score_floor,
        Thoroughness::Balanced | Thoroughness::Thorough => spec.score_floor.min(SEEK_FLOOR),
    }
}

fn around(a: Rect, b: Rect) -> Rect {
    Rect::from_corners(
        Point::new(a.x.min(b.x), a.y.min(b.y)),
        Point::new(a.right().max(b.right()), a.bottom().max(b.bottom())),
    )
}

fn inside(rect: Rect, size: Size) -> Rect {
    let (width, height) = (size.width as f32, size.height as f32);
    let within = |x: f32, y: f32| Point::new(x.clamp(0.0, width), y.clamp(0.0, height));
    Rect::from_corners(within(rect.x, rect.y), within(rect.right(), rect.bottom()))
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

/// The least score of a candidate for a mosaic: small faces that lie score as low.
const SEEK_FLOOR: f32 = 0.2;
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
mod tests;
