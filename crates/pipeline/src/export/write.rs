//! The last step: renders the named crops, encodes and writes them.

use std::path::Path;

use faces::Detector;
use naming::OutputName;
use outcome::{CropReport, EncodeError, OutcomeKind, PairedFault, PersonMask, Stage, StageError};
use picture::{Crop, DecodeRequest, PhotoFile, Picture, encode_crop};
use plan::{PlannedCrop, Warning, WarningKind, check_file};
use recipe::{Depth, OutputFormat, Variant};
use render::render_crop;

use super::paired::PairedFile;
use super::{Export, Named, Stop};
use crate::claimed_file::write_claimed;
use crate::claims::Claimed;
use crate::name_book::Claim;
use crate::outputs::{Output, OutputCrop};

impl Export<'_> {
    /// Renders and writes the named crops, each with its sheet.
    pub(super) fn write(
        &mut self,
        file: &PhotoFile,
        named: Named,
        outputs: &[Output],
        paired: &[PairedFile],
    ) -> Result<OutcomeKind, Stop> {
        let Named { crops, mut source, request } = named;
        let mut skipped = 0;
        // The paired file that `source` was decoded from.
        let mut decoded = None;
        for (OutputCrop { output, planned }, claimed) in crops {
            let Output { spec, index, paired: pair, .. } = &outputs[output];
            if self.cancel.is_cancelled() {
                return Err(Stop::Cancelled);
            }
            if decoded != *pair {
                (source, decoded) = (None, *pair);
            }
            let pair = pair.map(|pair| &paired[pair]);
            let Claimed { name, crop: claim, sheet } = claimed;
            let claim = claim.map_err(StageError::from)?;
            let (Claim::Write { path: target, .. } | Claim::Skip { path: target }) = claim.clone();
            let mut report = CropReport {
                output: *index,
                paired: pair.map(|pair| pair.path.clone()),
                planned,
                target: Some(target),
                written: None,
                sheet: None,
                notes: Vec::new(),
            };
            match claim {
                Claim::Skip { .. } => skipped += 1,
                Claim::Write { .. } if self.options.depth == Depth::Plan => {
                    if let Some(Err(taken)) = sheet {
                        self.failure.get_or_insert(taken.into());
                    }
                }
                Claim::Write { path, replace } => {
                    let picture = match (pair, source.take()) {
                        (None, decoded) => self.source_picture(file, decoded, &request)?,
                        (Some(_), Some(decoded)) => decoded,
                        (Some(pair), None) => match self.paired_picture(pair) {
                            Ok(picture) => picture,
                            Err(fault) => {
                                let failure = StageError::Paired { path: pair.path.clone(), fault };
                                self.failure.get_or_insert(failure);
                                self.report.crops.push(report);
                                continue;
                            }
                        },
                    };
                    let render = spec.crop.render_spec(spec.finish);
                    let mask = match self.mask(&picture, &planned, spec) {
                        // The other faces may have one.
                        Err(error @ StageError::Background(_)) => {
                            self.failure.get_or_insert(error);
                            source = Some(picture);
                            self.report.crops.push(report);
                            continue;
                        }
                        mask => mask?,
                    };
                    let work = || render_crop(&picture, &planned, &render, mask.as_ref());
                    let crop = self.runner.run_stage(Stage::Render, work)?;
                    source = Some(picture);
                    self.write_crop(&crop, (&path, replace), (&name, spec), &mut report)?;
                    // A crop written under another name than the one claimed gets a sheet named after it.
                    let sheet = sheet.filter(|_| report.written.as_deref() == Some(&*path));
                    if let Err(error) = self.write_sheet(&crop, &outputs[output], sheet, &mut report) {
                        self.failure.get_or_insert(error);
                    }
                }
            }
            self.report.crops.push(report);
        }
        if let Some(failure) = self.failure.take() {
            return Err(failure.into());
        }
        let all_skipped = skipped == self.report.crops.len();
        Ok(if all_skipped { OutcomeKind::Skipped } else { OutcomeKind::Cropped })
    }

    /// The person mask of a crop whose background is replaced.
    fn mask(
        &mut self,
        picture: &Picture,
        planned: &PlannedCrop,
        spec: &Variant,
    ) -> Result<Option<PersonMask>, StageError> {
        if !spec.finish.background.is_replaced() {
            return Ok(None);
        }
        let detector = self.detector.as_mut().map(|handle| &mut *handle.detector as &mut dyn Detector);
        self.runner.crop_mask(picture, planned, detector).map(Some)
    }

    /// The image to crop from: the one decoded already, or decoded now.
    fn source_picture(
        &mut self,
        file: &PhotoFile,
        decoded: Option<Picture>,
        request: &DecodeRequest,
    ) -> Result<Picture, Stop> {
        let picture = match decoded {
            Some(picture) => picture,
            None => self.runner.decode(file, request, &mut |bytes| self.context.reserve_memory(bytes))?,
        };
        self.report.damage = self.report.damage.take().or_else(|| picture.info.damage.clone());
        self.refuse_damage()?;
        Ok(picture)
    }

    fn paired_picture(&mut self, pair: &PairedFile) -> Result<Picture, PairedFault> {
        let picture = self.runner.decode(&pair.file, &pair.request, &mut |bytes| self.context.reserve_memory(bytes));
        let picture = picture.map_err(|error| PairedFault::Failed(Box::new(error)))?;
        let is_refused = picture.info.damage.is_some() && !self.options.recipe.include_damaged;
        if is_refused { Err(PairedFault::Damaged) } else { Ok(picture) }
    }

    fn write_crop(
        &mut self,
        crop: &Crop,
        (path, replace): (&Path, bool),
        (name, spec): (&OutputName, &Variant),
        report: &mut CropReport,
    ) -> Result<(), StageError> {
        let (context, source) = (&mut *self.context, self.source.path);
        let mut faults = Vec::new();
        report.written = self.runner.run_stage(Stage::Encode, || {
            let encoded = encode_crop(crop, &spec.encode, spec.crop.fill)?;
            report.notes = encoded.notes;
            let is_jpeg = spec.encode.format == OutputFormat::Jpeg;
            let rules = spec.crop.rules.as_ref();
            faults = rules.map_or_else(Vec::new, |rules| check_file(rules, encoded.bytes.len(), is_jpeg));
            write_claimed(&encoded.bytes, path.to_owned(), replace, context, |path, names| {
                names.claim_again(path, source, name, spec.encode.format.extension())
            })
        })?;
        let index = self.report.crops.len();
        let faults = faults.into_iter().map(WarningKind::File);
        self.report.warnings.extend(faults.map(|kind| Warning { crop: Some(index), kind }));
        Ok(())
    }

    fn write_sheet(
        &mut self,
        crop: &Crop,
        output: &Output,
        claim: Option<Result<Claim, EncodeError>>,
        report: &mut CropReport,
    ) -> Result<(), StageError> {
        let (Some(sheets), Some(written)) = (&output.sheets, report.written.clone()) else { return Ok(()) };
        let (context, source) = (&mut *self.context, self.source.path);
        let work = || sheets.write(crop, (&written, claim), source, context, &mut report.notes);
        report.sheet = self.runner.run_stage(Stage::Encode, work)?;
        Ok(())
    }
}
