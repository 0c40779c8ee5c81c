//! What is missing of a JPEG file.

use std::fmt;

use libjpeg_turbo_rs::DecodeWarning;

use crate::entropy_coded::restart_markers;
use crate::integrity::Integrity;
use crate::marker::SOF2;
use crate::structure::Structure;
use crate::substream::Substream;

/// What is missing of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Rows of pixels at the bottom of the picture that are not there.
    pub missing_rows: u32,
    /// Rows of the picture.
    pub rows: u32,
    /// Why.
    pub cause: DamageCause,
}

/// Why a picture is not all there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamageCause {
    /// The file ends before the data of its last row.
    Truncated,
    /// The file ends within a scan that refines earlier ones.
    RefinementTruncated,
    /// The file ends behind the data of its last row, without EOI.
    EoiMissing,
    /// The file lacks its end; which rows go with it is not known.
    EndMissing,
    /// The entropy-coded data is not as it was written.
    Corrupt,
    /// The entropy-coded data is not as it was written, or lacks a part in the middle of the file.
    CorruptOrTruncated,
    /// The data of a scan that refines earlier ones, or of a component, is not as it was written or not there.
    RefinementLost,
}

impl fmt::Display for DamageCause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Truncated => "the file is cut",
            Self::RefinementTruncated => "the file is cut: the end, with fine detail or colour, is missing",
            Self::EoiMissing => "the end marker is missing",
            Self::EndMissing => "the end of the file is missing",
            Self::Corrupt => "the data is corrupt",
            Self::CorruptOrTruncated => "the data is corrupt or cut",
            Self::RefinementLost => "the data is corrupt: fine detail or colour is missing",
        })
    }
}

impl Damage {
    pub(crate) fn new(structure: &Structure, missing_rows: u32, cause: DamageCause) -> Self {
        Self { missing_rows, rows: structure.frame.height, cause }
    }
}

/// What is wrong with a file by what its data turned out to be; rows are not counted.
pub(crate) fn of_integrity(integrity: Integrity, structure: &Structure) -> Option<Damage> {
    match integrity {
        _ if !structure.is_complete => Some(Damage::new(structure, 0, DamageCause::EndMissing)),
        Integrity::Intact | Integrity::Unknown => None,
        Integrity::ScanMissing => Some(Damage::new(structure, 0, DamageCause::RefinementLost)),
        Integrity::Corrupt => Some(Damage::new(structure, 0, DamageCause::Corrupt)),
    }
}

/// Lines to be promised to libjpeg-turbo-rs beyond those that the picture has: asked for one row of MCUs more, it reports where the
/// data ends, which is right behind the last MCU in an intact file and not in one whose data is corrupt. 0 if that reveals nothing.
pub(crate) fn lines_beyond(structure: &Structure) -> u32 {
    if structure.is_single_scan() { one_more_row(structure) } else { 0 }
}

/// The same for a file that holds the first scan of a progressive one alone.
pub(crate) fn lines_beyond_first_scan(structure: &Structure) -> u32 {
    one_more_row(structure)
}

fn one_more_row(structure: &Structure) -> u32 {
    let height = structure.frame.height;
    // The picture's lines are filled up to whole MCUs, the next row of MCUs starts behind them.
    let mcu = FirstScan::new(structure).mcu_height;
    height.next_multiple_of(mcu) - height + mcu
}

/// True if the first of several scans can be judged by itself: the coarse picture that later scans refine.
pub(crate) fn has_first_pass(structure: &Structure) -> bool {
    structure.frame.sof == SOF2 && structure.scans.len() > 1
}

/// What is wrong with the first scan of a progressive file, by the decoder's warnings about `substream`, which has no other; `None` for
/// the warnings if it cannot read that.
pub(crate) fn of_first_scan(
    bytes: &[u8],
    structure: &Structure,
    warnings: Option<&[DecodeWarning]>,
    substream: &Substream<'_>,
) -> Option<Damage> {
    let damage = |missing_rows, cause| Some(Damage::new(structure, missing_rows, cause));
    let Some(warnings) = warnings else { return damage(0, DamageCause::Corrupt) };
    let scan = FirstScan::new(structure);
    let ended = warnings.iter().find_map(|warning| match warning {
        DecodeWarning::TruncatedData { decoded_mcus, .. } => Some(*decoded_mcus as u64),
        _ => None,
    });
    let ended = ended.unwrap_or(if substream.is_beyond { u64::MAX } else { scan.mcus });
    if ended < scan.mcus {
        damage(scan.rows_missing(scan.last_read(bytes, structure, ended)), DamageCause::CorruptOrTruncated)
    } else if ended > scan.mcus {
        damage(0, DamageCause::Corrupt)
    } else {
        None
    }
}

/// What is wrong with a file that was not found intact, by the decoder's warnings about `substream`.
pub(crate) fn of_warnings(
    bytes: &[u8],
    structure: &Structure,
    warnings: &[DecodeWarning],
    substream: &Substream<'_>,
) -> Option<Damage> {
    let damage = |missing_rows, cause| Some(Damage::new(structure, missing_rows, cause));
    let scan = FirstScan::new(structure);
    let (ended, is_corrupt) = scan.end_of_data(warnings, substream);
    if !structure.is_single_scan() {
        return match (structure.is_complete, ended) {
            (true, None) if !is_corrupt => None,
            (true, _) => damage(0, DamageCause::Corrupt),
            (false, Some(ended)) if structure.scans.len() == 1 => {
                damage(scan.rows_missing(ended), DamageCause::Truncated)
            }
            (false, _) => damage(0, DamageCause::RefinementTruncated),
        };
    }
    if substream.height < structure.frame.height {
        return if ended.is_some() || is_corrupt { damage(0, DamageCause::Corrupt) } else { None };
    }
    let ended = ended.unwrap_or(if substream.is_beyond { u64::MAX } else { scan.mcus });
    match (structure.is_complete, ended < scan.mcus) {
        (false, true) => damage(scan.rows_missing(ended), DamageCause::Truncated),
        (false, false) => damage(0, DamageCause::EoiMissing),
        (true, true) => {
            damage(scan.rows_missing(scan.last_read(bytes, structure, ended)), DamageCause::CorruptOrTruncated)
        }
        (true, false) if is_corrupt || ended > scan.mcus => damage(0, DamageCause::Corrupt),
        (true, false) => None,
    }
}

/// How the first scan is made up of MCUs, which are single blocks if it has one component (T.81 section A.2).
struct FirstScan {
    /// Rows of pixels of the picture.
    height: u32,
    /// MCUs in a row.
    across: u32,
    /// Rows of pixels in an MCU.
    mcu_height: u32,
    /// MCUs in all.
    mcus: u64,
}

impl FirstScan {
    fn new(structure: &Structure) -> Self {
        let frame = &structure.frame;
        let mcu = frame.mcu();
        let only = structure.scans.first().and_then(|scan| scan.only_component);
        let only = only.and_then(|id| frame.components.iter().find(|part| part.id == id));
        let (across, mcu_height) = match only {
            None => (frame.width.div_ceil(mcu.0), mcu.1),
            Some(component) => {
                let (across, down) = component.sampling;
                let samples = (frame.width * u32::from(across)).div_ceil(mcu.0 / 8);
                (samples.div_ceil(8).max(1), mcu.1 / u32::from(down.max(1)))
            }
        };
        let mcus = u64::from(across) * u64::from(frame.height.div_ceil(mcu_height));
        Self { height: frame.height, across, mcu_height, mcus }
    }

    /// The first MCU that data was missing for, and whether any was corrupt before.
    fn end_of_data(&self, warnings: &[DecodeWarning], substream: &Substream<'_>) -> (Option<u64>, bool) {
        let mut ended: Option<u64> = None;
        let mut is_corrupt = false;
        for warning in warnings {
            let at = match warning {
                DecodeWarning::TruncatedData { decoded_mcus, .. } => *decoded_mcus as u64,
                // Beyond the picture, padding bits are read as a code, which need not be one.
                DecodeWarning::HuffmanError { mcu_x, mcu_y, .. } => {
                    let at = *mcu_y as u64 * u64::from(self.across) + *mcu_x as u64;
                    if !substream.is_beyond || at < self.mcus {
                        is_corrupt = true;
                        continue;
                    }
                    at
                }
                _ => continue,
            };
            ended = Some(ended.map_or(at, |ended| ended.min(at)));
        }
        (ended, is_corrupt)
    }

    /// Rows of the picture that are not read if `ended` MCUs were; a row of MCUs that is not whole is not read.
    fn rows_missing(&self, ended: u64) -> u32 {
        let read = ended / u64::from(self.across.max(1)) * u64::from(self.mcu_height);
        self.height.saturating_sub(u32::try_from(read).unwrap_or(u32::MAX))
    }

    /// MCUs up to the last that was read in a file that has EOI, if the first lack of data was at `ended`: restart markers let
    /// reading go on behind corrupt data.
    fn last_read(&self, bytes: &[u8], structure: &Structure, ended: u64) -> u64 {
        let interval = u64::from(structure.restart_interval);
        let scan = structure.scans.first().map(|scan| scan.data.clone());
        let (Some(scan), 1..) = (scan, interval) else { return ended };
        let started = restart_markers(bytes, scan).count() as u64;
        // In the last interval that the data reaches, it may end anywhere.
        if started + 1 >= self.mcus.div_ceil(interval) { self.mcus } else { ended.max(started * interval) }
    }
}
