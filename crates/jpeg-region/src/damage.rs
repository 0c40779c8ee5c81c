//! Reports of damaged JPEG files.

use std::fmt;

use libjpeg_turbo_rs::DecodeWarning;

use crate::entropy_coded::restart_markers;
use crate::integrity::Integrity;
use crate::marker::SOF2;
use crate::structure::Structure;
use crate::substream::Substream;

/// The missing part of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Missing rows of pixels at the bottom of the image.
    pub missing_rows: u32,
    /// Height of the image in rows.
    pub rows: u32,
    /// The cause.
    pub cause: DamageCause,
}

/// The cause of missing image data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamageCause {
    /// The file ends before the data of the last row.
    Truncated,
    /// The file ends within a refinement scan.
    RefinementTruncated,
    /// The file ends after the data of the last row, without EOI.
    EoiMissing,
    /// The end of the file is missing; the affected rows are unknown.
    EndMissing,
    /// The entropy-coded data is corrupt.
    Corrupt,
    /// The entropy-coded data is corrupt, or a part in the middle of the file is missing.
    CorruptOrTruncated,
    /// The data of a refinement scan or of a component is corrupt or missing.
    RefinementLost,
}

impl fmt::Display for DamageCause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Truncated => "the file is truncated",
            Self::RefinementTruncated => "the file is truncated: the end, with fine detail or colour, is missing",
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

/// Damage according to the integrity check, without a count of missing rows.
pub(crate) fn of_integrity(integrity: Integrity, structure: &Structure) -> Option<Damage> {
    match integrity {
        _ if !structure.is_complete => Some(Damage::new(structure, 0, DamageCause::EndMissing)),
        Integrity::Intact | Integrity::Unknown => None,
        Integrity::ScanMissing => Some(Damage::new(structure, 0, DamageCause::RefinementLost)),
        Integrity::Corrupt => Some(Damage::new(structure, 0, DamageCause::Corrupt)),
    }
}

/// Number of extra lines to declare to libjpeg-turbo-rs beyond the image height. With one more MCU row it reports where
/// the data ends: immediately after the last MCU in an intact file, elsewhere in a corrupt one. 0 if this check is not
/// possible.
pub(crate) fn extra_lines(structure: &Structure) -> u32 {
    if structure.is_single_scan() { one_more_row(structure) } else { 0 }
}

/// The same for a file that contains only the first scan of a progressive one.
pub(crate) fn extra_lines_first_scan(structure: &Structure) -> u32 {
    one_more_row(structure)
}

fn one_more_row(structure: &Structure) -> u32 {
    let height = structure.frame.height;
    // Lines are padded to whole MCUs; the next MCU row starts after the padding.
    let mcu = FirstScan::new(structure).mcu_height;
    height.next_multiple_of(mcu) - height + mcu
}

/// True if the first of several scans can be checked alone: it holds a coarse image that later scans refine.
pub(crate) fn has_first_pass(structure: &Structure) -> bool {
    structure.frame.sof == SOF2 && structure.scans.len() > 1
}

/// Damage of the first scan of a progressive file, from the decoder's warnings about `substream`, which contains no
/// other scan; `warnings` is `None` if it cannot be decoded.
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
    let ended = ended.unwrap_or(if substream.has_extra_lines { u64::MAX } else { scan.mcus });
    if ended < scan.mcus {
        damage(scan.rows_missing(scan.last_read(bytes, structure, ended)), DamageCause::CorruptOrTruncated)
    } else if ended > scan.mcus {
        damage(0, DamageCause::Corrupt)
    } else {
        None
    }
}

/// Damage of a file that failed the integrity check, from the decoder's warnings about `substream`.
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
    let ended = ended.unwrap_or(if substream.has_extra_lines { u64::MAX } else { scan.mcus });
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

/// The MCU layout of the first scan. MCUs are single blocks if it has one component (T.81 section A.2).
struct FirstScan {
    /// Height of the image in pixels.
    height: u32,
    /// MCUs per row.
    across: u32,
    /// Height of an MCU in pixels.
    mcu_height: u32,
    /// Total number of MCUs.
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

    /// The first MCU without data, and whether an earlier one was corrupt.
    fn end_of_data(&self, warnings: &[DecodeWarning], substream: &Substream<'_>) -> (Option<u64>, bool) {
        let mut ended: Option<u64> = None;
        let mut is_corrupt = false;
        for warning in warnings {
            let at = match warning {
                DecodeWarning::TruncatedData { decoded_mcus, .. } => *decoded_mcus as u64,
                // Past the end of the image, padding bits are read as a code, which need not be valid.
                DecodeWarning::HuffmanError { mcu_x, mcu_y, .. } => {
                    let at = *mcu_y as u64 * u64::from(self.across) + *mcu_x as u64;
                    if !substream.has_extra_lines || at < self.mcus {
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

    /// Missing rows of the image if the data ends after `ended` MCUs; a partial MCU row counts as missing.
    fn rows_missing(&self, ended: u64) -> u32 {
        let read = ended / u64::from(self.across.max(1)) * u64::from(self.mcu_height);
        self.height.saturating_sub(u32::try_from(read).unwrap_or(u32::MAX))
    }

    /// Number of MCUs up to the last decoded one in a file with EOI, if data first ran out at `ended`: restart markers
    /// let decoding continue after corrupt data.
    fn last_read(&self, bytes: &[u8], structure: &Structure, ended: u64) -> u64 {
        let interval = u64::from(structure.restart_interval);
        let scan = structure.scans.first().map(|scan| scan.data.clone());
        let (Some(scan), 1..) = (scan, interval) else { return ended };
        let started = restart_markers(bytes, scan).count() as u64;
        // The last restart interval with data may end anywhere.
        if started + 1 >= self.mcus.div_ceil(interval) { self.mcus } else { ended.max(started * interval) }
    }
}
