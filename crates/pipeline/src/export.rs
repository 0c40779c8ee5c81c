//! The walk of one photo of a batch, from its file to its crops.

use std::path::PathBuf;

use cancel::CancelToken;
use naming::CropFacts;
use outcome::{CropReport, EncodeError, ItemReport, OutcomeKind, Stage, StageError};
use picture::{Want, encode_crop};
use plan::{
    Concern, ConcernKind, PlannedCrop, check_file, choose_faces, faces_that_count, plan_chosen, plan_in_order,
    review_crops,
};
use recipe::{Depth, EditedFaces, FaceChoice, OutputFormat};
use render::render_crop;

use super::claims::{Claimed, claim_names};
use super::corridor::{Eyes, Look, Order, Walk};
use super::crop_facts::crop_facts;
use super::sheet::Sheets;
use super::{Desk, Turn};
use crate::{Claim, NameBook};

impl Walk<'_> {
    pub(super) fn export(
        &mut self,
        look: Look<'_>,
        order: Order<'_>,
        eyes: Option<Eyes<'_>>,
        desk: &mut dyn Desk,
        cancel: &CancelToken,
        report: &mut ItemReport,
    ) -> Result<Option<OutcomeKind>, StageError> {
        let sheets = Sheets::of(&order)?;
        let file = self.open(look)?;
        report.size = Some(file.size());
        report.note = file.info().note;
        if order.faces.chooses_none() {
            return Ok(Some(OutcomeKind::LeftOut));
        }
        // A reader that cannot leave anything out decodes once, for looking and cropping; others decode what each needs.
        let mut seen = None;
        let mut in_persons_order = matches!(order.faces, FaceChoice::ByHand(_));
        let chosen = match order.faces {
            FaceChoice::ByHand(faces) => {
                report.faces.clone_from(faces);
                (0..faces.len()).collect()
            }
            FaceChoice::BySpec | FaceChoice::Edited(_) => {
                let eyes = eyes.ok_or_else(|| StageError::NoRuntime { reason: "none has been chosen".to_owned() })?;
                report.runtime = Some(eyes.runtime.clone());
                let mut want = match order.depth {
                    Depth::Write if !file.decodes_in_part() => Want::Full,
                    _ => Want::LongSide(eyes.detector.long_side()),
                };
                let mut picture = self.decode(&file, &want, &mut |bytes| desk.make_room(bytes))?;
                report.damage.clone_from(&picture.info.damage);
                if cancel.is_cancelled() {
                    return Ok(None);
                }
                let mut found = self.look(&picture, look.detect, eyes.detector)?;
                if let Some(side) = found.closer {
                    // The first picture goes before the larger one comes: a photo never waits for room while it holds some.
                    drop(picture);
                    want = Want::LongSide(side);
                    picture = self.decode(&file, &want, &mut |bytes| desk.make_room(bytes))?;
                    if cancel.is_cancelled() {
                        return Ok(None);
                    }
                    report.damage = report.damage.take().or_else(|| picture.info.damage.clone());
                    found = self.look_closer(&picture, look.detect, eyes.detector, found)?;
                }
                self.measure(&picture, &mut found)?;
                seen = Some((picture, want));
                report.looks = found.looks;
                let edited = match order.faces {
                    FaceChoice::Edited(edits) => edits.applied_to(&found.faces),
                    _ => EditedFaces { faces: found.faces, ..EditedFaces::default() },
                };
                in_persons_order = edited.chosen.is_some();
                match edited.chosen {
                    // Whoever was chosen counts, however small, so all are kept.
                    Some(chosen) => {
                        (report.faces, report.found_by) = (edited.faces, found.found_by);
                        chosen
                    }
                    None => {
                        let counted = faces_that_count(&edited.faces, order.crop);
                        report.faces = counted.iter().map(|&index| edited.faces[index]).collect();
                        report.found_by =
                            counted.iter().filter_map(|&index| found.found_by.get(index).copied()).collect();
                        choose_faces(&report.faces, file.size(), order.crop)
                    }
                }
            }
        };
        if cancel.is_cancelled() {
            return Ok(None);
        }
        if order.depth == Depth::Detect {
            let found = if report.faces.is_empty() { OutcomeKind::NoFace } else { OutcomeKind::Detected };
            return Ok(Some(found));
        }
        let plan_faces = if in_persons_order { plan_in_order } else { plan_chosen };
        let plan = self
            .pass(Stage::Plan, || Ok::<_, StageError>(plan_faces(&report.faces, &chosen, file.size(), order.crop)))?;
        report.concerns = review_crops(&report.faces, &plan, file.size(), order.crop, in_persons_order);
        let crops = plan.crops;
        let left_out = |report: &ItemReport| report.damage.is_some() && !order.include_damaged;
        if left_out(report) {
            return Ok(Some(OutcomeKind::Damaged));
        }
        if crops.is_empty() {
            return Ok(Some(OutcomeKind::NoFace));
        }
        let mut want = Want::Frames(crops.iter().map(PlannedCrop::wanted_part).collect());
        let mut source = None;
        if let Some((picture, seen_with)) = seen.filter(|(picture, _)| picture.serves(&want)) {
            // Whether it can stay here must not show in the crops: otherwise it is decoded the same way again.
            (source, want) = (Some(picture), seen_with);
        }
        let several = crops.len() > 1;
        let facts: Vec<CropFacts> = (1..)
            .zip(&crops)
            .map(|(number, planned)| crop_facts(&file, &report.faces, planned, (number, several)))
            .collect();
        let mut claims = Vec::new();
        loop {
            let mut claim = |names: &mut _| claims = claim_names(&order, look.path, &facts, sheets.as_ref(), names);
            match desk.claim(source.is_some(), &mut claim) {
                Turn::Claimed => break,
                Turn::Cancelled => return Ok(None),
                Turn::LetGo => {
                    source = None;
                    desk.make_room(0);
                }
            }
        }
        let render = order.crop.render_spec(*order.finish);
        let mut skipped = 0;
        let mut sheet_failure = None;
        for (planned, claimed) in crops.into_iter().zip(claims) {
            if cancel.is_cancelled() {
                return Ok(None);
            }
            let Claimed { name, crop: claim, sheet: sheet_claim } = claimed;
            let claim = claim?;
            let target = match &claim {
                Claim::Write { path, .. } | Claim::Skip { path } => Some(path.clone()),
            };
            let (mut notes, mut sheet) = (Vec::new(), None);
            let written = match claim {
                Claim::Write { .. } if order.depth == Depth::Plan => {
                    let taken = sheet_claim.and_then(Result::err);
                    sheet_failure = sheet_failure.or(taken.map(StageError::from));
                    None
                }
                Claim::Write { path, replace } => {
                    let picture = match source.take() {
                        Some(picture) => picture,
                        None => self.decode(&file, &want, &mut |bytes| desk.make_room(bytes))?,
                    };
                    report.damage = report.damage.take().or_else(|| picture.info.damage.clone());
                    if left_out(report) {
                        return Ok(Some(OutcomeKind::Damaged));
                    }
                    let crop = self.pass(Stage::Render, || render_crop(&picture, &planned, &render))?;
                    source = Some(picture);
                    let mut faults = Vec::new();
                    let claimed_path = path.clone();
                    let written = self.pass(Stage::Encode, || {
                        let encoded = encode_crop(&crop, order.encode, order.crop.fill)?;
                        notes = encoded.notes;
                        let is_jpeg = order.encode.format == OutputFormat::Jpeg;
                        let rules = order.crop.rules.as_ref();
                        faults = rules.map_or_else(Vec::new, |rules| check_file(rules, encoded.bytes.len(), is_jpeg));
                        write_claimed(&encoded.bytes, path, replace, desk, |path, names| {
                            names.claim_again(path, look.path, &name, order.encode.format.extension())
                        })
                    })?;
                    let index = report.crops.len();
                    let faults = faults.into_iter().map(ConcernKind::Rule);
                    report.concerns.extend(faults.map(|kind| Concern { crop: Some(index), kind }));
                    if let (Some(sheets), Some(written)) = (&sheets, &written) {
                        // A crop that had to take another name than the one claimed has its sheet named after it.
                        let sheet_claim = sheet_claim.filter(|_| *written == claimed_path);
                        let done = self.pass(Stage::Encode, || {
                            sheets.write(&crop, (written, sheet_claim), look.path, desk, &mut notes)
                        });
                        sheet = done.unwrap_or_else(|error| {
                            sheet_failure.get_or_insert(error);
                            None
                        });
                    }
                    written
                }
                Claim::Skip { .. } => {
                    skipped += 1;
                    None
                }
            };
            report.crops.push(CropReport { planned, target, written, sheet, notes });
        }
        if let Some(failure) = sheet_failure {
            return Err(failure);
        }
        let all_skipped = skipped == report.crops.len();
        Ok(Some(if all_skipped { OutcomeKind::Skipped } else { OutcomeKind::Cropped }))
    }
}

/// Writes a file under the name it was given; where another program has taken that name since, under the next one that
/// `claim_again` gives, or not at all where that says skip.
pub(super) fn write_claimed(
    bytes: &[u8],
    mut path: PathBuf,
    mut replace: bool,
    desk: &mut dyn Desk,
    claim_again: impl Fn(PathBuf, &mut NameBook) -> Result<Claim, EncodeError>,
) -> Result<Option<PathBuf>, EncodeError> {
    loop {
        let taken = match desk.write(bytes, &path, replace) {
            Ok(written) => return Ok(Some(written.path)),
            Err(EncodeError::NameTaken { path: taken }) => taken,
            Err(error) => return Err(error),
        };
        let mut next = None;
        desk.names(&mut |names| next = Some(claim_again(taken.clone(), names)));
        match next.transpose()? {
            Some(Claim::Write { path: next, replace: replaces }) => (path, replace) = (next, replaces),
            Some(Claim::Skip { .. }) | None => return Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use recipe::{OnConflict, OutputSpec};

    use super::*;
    use crate::Alone;

    #[test]
    fn a_name_taken_meanwhile_gives_way_to_the_next_one_and_a_failure_does_not() {
        let folder = tempfile::tempdir().expect("made");
        let taken = folder.path().join("a.jpg");
        std::fs::write(&taken, "another program's").expect("written");
        let output = OutputSpec { folder: folder.path().to_owned(), on_conflict: OnConflict::Suffix };
        let mut names = NameBook::new(output, &[]);
        let mut room = |_| ();
        let mut desk = Alone::new(&mut names, &mut room);
        let next = |_, _: &mut NameBook| Ok(Claim::Write { path: folder.path().join("a (2).jpg"), replace: false });
        let written = write_claimed(b"crop", taken.clone(), false, &mut desk, next).expect("written");
        assert_eq!(written, Some(folder.path().join("a (2).jpg")));
        assert_eq!(std::fs::read(&taken).expect("there"), b"another program's");
        let skip = |_, _: &mut NameBook| Ok(Claim::Skip { path: taken.clone() });
        assert_eq!(write_claimed(b"crop", taken.clone(), false, &mut desk, skip).expect("no failure"), None);
        let refuse = |_, _: &mut NameBook| Err(EncodeError::NameTaken { path: taken.clone() });
        assert!(write_claimed(b"crop", taken.clone(), false, &mut desk, refuse).is_err());
    }
}
