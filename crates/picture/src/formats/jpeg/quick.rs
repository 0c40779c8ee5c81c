//! Reading plain files quickly: reduced pictures from the low frequencies, and parts without what lies around them.
//!
//! Most of the time that a JPEG takes goes into its entropy-coded data, which has to be read from the start. One pass steps through it with
//! less work than decoding is, gives the reduced picture on the way and notes where each stretch of MCUs lies; a part is then decoded
//! by itself. Only what is sound to the last bit is read here, so that nothing is said of damage.

use std::sync::{Arc, OnceLock};

use geometry::Size;
use outcome::Channels;
use recipe::DecodeLimits;

use super::coding::{Coding, Tables};
use super::excerpt::excerpt;
use super::first_reader;
use super::part::Part;
use super::reduced::Planes;
use super::scan::{STRIDE, Scan};
use super::structure::Structure;
use super::walk::{Walked, walk};
use crate::Pixels;
use crate::formats::Decoded;
use crate::want::StoredWant;

/// Parts of at least this share of the picture are decoded with all of it, which then takes less.
const WORTHLESS_SHARE: f64 = 0.7;

/// What is known of a file's data once it has been read through.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept(OnceLock<Seen>);

#[derive(Clone, Debug)]
enum Seen {
    /// The file is plain and sound.
    Plain(Arc<Known>),
    /// It is not read here.
    Other(Walked),
}

#[derive(Debug)]
struct Known {
    coding: Coding,
    tables: Tables,
    scan: Scan,
}

impl Kept {
    /// What the file's data turns out to be. Reads it, unless that was done before; a file without its end is not read.
    pub(super) fn walked(&self, bytes: &[u8], structure: &Structure) -> Walked {
        match self.seen(bytes, structure, |coding, tables| Scan::read(bytes, coding, tables, None)) {
            Seen::Plain(_) => Walked::Sound,
            Seen::Other(walked) => *walked,
        }
    }

    fn known(&self, bytes: &[u8], structure: &Structure) -> Option<&Known> {
        self.walked(bytes, structure);
        match self.0.get()? {
            Seen::Plain(known) => Some(known),
            Seen::Other(_) => None,
        }
    }

    fn seen(&self, bytes: &[u8], structure: &Structure, read: impl FnOnce(&Coding, &Tables) -> Option<Scan>) -> &Seen {
        let plain = || {
            let coding = Coding::read(bytes, structure)?;
            let tables = Tables::new(&coding)?;
            let scan = read(&coding, &tables)?;
            Some(Seen::Plain(Arc::new(Known { coding, tables, scan })))
        };
        let other = || if structure.is_complete { walk(bytes, structure, usize::MAX) } else { Walked::Unknown };
        self.0.get_or_init(|| plain().unwrap_or_else(|| Seen::Other(other())))
    }
}

/// Decodes what is wanted; `None` where the file is not plain and sound, or all of it is wanted.
pub(super) fn read(
    bytes: &[u8],
    structure: &Structure,
    want: StoredWant,
    limits: &DecodeLimits,
    kept: &Kept,
) -> Option<Decoded> {
    let frame = &structure.frame;
    let part = Part::serving(want, frame.size, frame.mcu());
    if part.reduction >= 4 {
        return reduced(bytes, structure, &part, kept);
    }
    if part.size().pixels() as f64 * f64::from(part.reduction).powi(2) > WORTHLESS_SHARE * frame.size.pixels() as f64 {
        return None;
    }
    let Known { coding, tables, scan } = kept.known(bytes, structure)?;
    let part = part.with_columns(frame.mcu().width * STRIDE as u32, frame.size);
    let mcus = |from: u32, to: u32, side: u32| (from / side) as usize..to.div_ceil(side) as usize;
    let columns = mcus(part.left, part.right, frame.mcu().width);
    let rows = mcus(part.top, part.bottom, frame.mcu().height);
    let size = Size::new(part.right - part.left, part.bottom - part.top);
    let file = excerpt(bytes, coding, tables, scan, columns, rows, size)?;
    first_reader::read_excerpt(&file, structure, &part, limits)
}

/// A picture at 1/4 or 1/8.
fn reduced(bytes: &[u8], structure: &Structure, part: &Part, kept: &Kept) -> Option<Decoded> {
    let read = |coding: &Coding, tables: &Tables| {
        let mut planes = Planes::new(coding, part.reduction)?;
        let scan = Scan::read(bytes, coding, tables, Some(&mut planes))?;
        Some((scan, planes))
    };
    let mut fresh = None;
    kept.seen(bytes, structure, |coding, tables| {
        let (scan, planes) = read(coding, tables)?;
        fresh = Some(planes);
        Some(scan)
    });
    let Known { coding, tables, .. } = kept.known(bytes, structure)?;
    let planes = match fresh {
        Some(planes) => planes,
        None => read(coding, tables)?.1,
    };
    let channels = if coding.components.len() == 1 { Channels::L } else { Channels::Rgb };
    let pixels = Pixels::from_u8(part.size(), channels, planes.pixels(part))?;
    Some(Decoded { pixels, corner: (part.left, part.top), reduction: part.reduction, damage: None, icc_profile: None })
}
