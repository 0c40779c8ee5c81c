//! What is missing of a JPEG file.

use libjpeg_turbo_rs::DecodeWarning;

use outcome::Damage;

use super::part::Cut;
use super::structure::{Structure, restarts};
use super::walk::Walked;

/// Rows to be promised to the reader beyond those that the picture has: asked for one row of MCUs more, it reports where the
/// data ends, which is right behind the last MCU in a sound file and not in one whose data is corrupt. 0 where that says nothing.
pub(super) fn rows_beyond(structure: &Structure) -> u32 {
    if is_one_pass(structure) { one_more_row(structure) } else { 0 }
}

/// The same for a file that holds the first scan of a progressive one alone.
pub(super) fn rows_beyond_first_scan(structure: &Structure) -> u32 {
    one_more_row(structure)
}

fn one_more_row(structure: &Structure) -> u32 {
    let height = structure.frame.size.height;
    // The picture's rows are filled up to whole MCUs, the next row of MCUs starts behind them.
    let mcu = unit(structure).rows;
    height.next_multiple_of(mcu) - height + mcu
}

/// True where the first of several scans can be judged by itself: the coarse picture that later scans refine.
pub(super) fn has_first_pass(structure: &Structure) -> bool {
    structure.frame.kind == 0xc2 && structure.scans.len() > 1
}

/// What is wrong with the first scan of a progressive file, by what the reader said of `cut`, which has no other; `None` for
/// its words where it cannot read that.
pub(super) fn of_first_scan(
    bytes: &[u8],
    structure: &Structure,
    warnings: Option<&[DecodeWarning]>,
    cut: &Cut,
) -> Option<Damage> {
    let rows = structure.frame.size.height;
    let damage = |missing_rows, reason: &str| Some(Damage { missing_rows, rows, reason: reason.to_owned() });
    let Some(warnings) = warnings else { return damage(0, "the data is corrupt") };
    let needed = needed(structure);
    let ended = warnings.iter().find_map(|warning| match warning {
        DecodeWarning::TruncatedData { decoded_mcus, .. } => Some(*decoded_mcus as u64),
        _ => None,
    });
    let ended = ended.unwrap_or(if cut.is_beyond { u64::MAX } else { needed });
    if ended < needed {
        damage(missing(structure, last_read(bytes, structure, ended)), "the data is corrupt or cut")
    } else if ended > needed {
        damage(0, "the data is corrupt")
    } else {
        None
    }
}

/// What is wrong with a file that was not found sound, by what the reader said of `cut`.
pub(super) fn of(bytes: &[u8], structure: &Structure, warnings: &[DecodeWarning], cut: &Cut) -> Option<Damage> {
    let rows = structure.frame.size.height;
    let damage = |missing_rows, reason: &str| Some(Damage { missing_rows, rows, reason: reason.to_owned() });
    let unit = unit(structure);
    let needed = needed(structure);
    let mut ended = None;
    let mut is_corrupt = false;
    for warning in warnings {
        match warning {
            DecodeWarning::TruncatedData { decoded_mcus, .. } => {
                let at = *decoded_mcus as u64;
                ended = Some(ended.map_or(at, |ended: u64| ended.min(at)));
            }
            // Beyond the picture, the bits that fill up the last byte are read as a code, which need not be one.
            DecodeWarning::HuffmanError { mcu_x, mcu_y, .. } => {
                let at = *mcu_y as u64 * u64::from(unit.across) + *mcu_x as u64;
                if cut.is_beyond && at >= needed {
                    ended = Some(ended.map_or(at, |ended: u64| ended.min(at)));
                } else {
                    is_corrupt = true;
                }
            }
            _ => {}
        }
    }
    if !is_one_pass(structure) {
        return match (structure.is_complete, ended) {
            (true, None) if !is_corrupt => None,
            (true, _) => damage(0, "the data is corrupt"),
            (false, Some(ended)) if structure.scans.len() == 1 => damage(missing(structure, ended), "the file is cut"),
            (false, _) => damage(0, "the file is cut: the end, with fine detail or colour, is missing"),
        };
    }
    if cut.height < rows {
        return if ended.is_some() || is_corrupt { damage(0, "the data is corrupt") } else { None };
    }
    let ended = ended.unwrap_or(if cut.is_beyond { u64::MAX } else { needed });
    match (structure.is_complete, ended < needed) {
        (false, true) => damage(missing(structure, ended), "the file is cut"),
        (false, false) => damage(0, "the end marker is missing"),
        (true, true) => damage(missing(structure, last_read(bytes, structure, ended)), "the data is corrupt or cut"),
        (true, false) if is_corrupt || ended > needed => damage(0, "the data is corrupt"),
        (true, false) => None,
    }
}

/// What is wrong with a file that has its end, by what its data turned out to be.
pub(super) fn of_walked(walked: Walked, structure: &Structure) -> Option<Damage> {
    match walked {
        Walked::Sound | Walked::Unknown => None,
        Walked::Incomplete => Some(without_detail(structure)),
        Walked::Broken => {
            let reason = "the data is corrupt".to_owned();
            Some(Damage { missing_rows: 0, rows: structure.frame.size.height, reason })
        }
    }
}

/// What is wrong with a file of several scans of which later ones are gone or could not be read.
pub(super) fn without_detail(structure: &Structure) -> Damage {
    let reason = "the data is corrupt: fine detail or colour is missing".to_owned();
    Damage { missing_rows: 0, rows: structure.frame.size.height, reason }
}

/// True where all of the picture is in one Huffman-coded scan.
fn is_one_pass(structure: &Structure) -> bool {
    structure.frame.is_sequential() && structure.scans.len() == 1
}

/// What the reader counts: MCUs, or blocks where a scan has one component (T.81 section A.2).
struct Unit {
    /// Of them in a row of the first scan.
    across: u32,
    /// Rows of pixels in one.
    rows: u32,
}

fn unit(structure: &Structure) -> Unit {
    let frame = &structure.frame;
    let mcu = frame.mcu();
    let alone = structure.scan_component_alone.and_then(|id| frame.components.iter().find(|part| part[0] == id));
    let Some(&[_, across, down]) = alone else {
        return Unit { across: frame.size.width.div_ceil(mcu.width), rows: mcu.height };
    };
    let samples = (frame.size.width * u32::from(across)).div_ceil(mcu.width / 8);
    Unit { across: samples.div_ceil(8).max(1), rows: mcu.height / u32::from(down.max(1)) }
}

/// MCUs, or blocks, of the first scan.
fn needed(structure: &Structure) -> u64 {
    let unit = unit(structure);
    u64::from(unit.across) * u64::from(structure.frame.size.height.div_ceil(unit.rows))
}

/// Rows of the picture that are not read where `ended` MCUs were; a row of MCUs that is not whole is not read.
fn missing(structure: &Structure, ended: u64) -> u32 {
    let unit = unit(structure);
    let read = ended / u64::from(unit.across.max(1)) * u64::from(unit.rows);
    structure.frame.size.height.saturating_sub(u32::try_from(read).unwrap_or(u32::MAX))
}

/// MCUs up to the last that was read in a file that has its end marker, where the first lack of data was at `ended`: restart
/// markers let reading go on behind corrupt data.
fn last_read(bytes: &[u8], structure: &Structure, ended: u64) -> u64 {
    let interval = u64::from(structure.restart_interval);
    let scan = structure.scans.first().map(|scan| scan.data.clone());
    let (Some(scan), 1..) = (scan, interval) else { return ended };
    let needed = needed(structure);
    let started = restarts(bytes, scan).count() as u64;
    // In the last interval that the data reaches, it may end anywhere.
    if started + 1 >= needed.div_ceil(interval) { needed } else { ended.max(started * interval) }
}
