//! Reading a file: its header, parts of its picture, and what is wrong with it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use crate::damage;
use crate::damage::Damage;
use crate::decoded::{Decoded, SampleFormat};
use crate::decoder;
use crate::error::{Error, Unsupported};
use crate::frame::FrameHeader;
use crate::index::{STRIDE, ScanIndex};
use crate::integrity::{Integrity, integrity};
use crate::lossless_crop::{IndexedScan, lossless_crop};
use crate::reduced::Planes;
use crate::region::{McuRegion, Region, Scale};
use crate::segments::Segments;
use crate::single_scan::{DerivedTables, SingleScan};
use crate::structure::Structure;

/// Parts of at least this share of the picture are decoded with all of it, which then takes less time.
const WHOLE_SHARE: f64 = 0.7;

/// What is known of a file's entropy-coded data once it has been read through. Clones share it.
///
/// It takes about as much memory as the file. It belongs to one file: with another it leads to wrong pictures.
#[derive(Clone, Debug, Default)]
pub struct Index(Arc<OnceLock<Known>>);

#[derive(Debug)]
enum Known {
    /// The file is of a single scan, which is intact.
    Indexed(Box<IndexedScan>),
    /// It is not indexed.
    Other(Integrity),
}

/// A JPEG file whose segments have been read.
#[derive(Debug)]
pub struct Jpeg<'a> {
    bytes: &'a [u8],
    structure: Structure,
    index: Index,
}

impl<'a> Jpeg<'a> {
    /// Reads the segments of a file and steps over its entropy-coded data.
    ///
    /// # Errors
    ///
    /// [`Error::NoScan`] if `bytes` hold no frame header followed by a scan header. Files of kinds that are not read can be opened: see
    /// [`unsupported`](Self::unsupported).
    pub fn open(bytes: &'a [u8]) -> Result<Self, Error> {
        let structure = Structure::read(bytes).ok_or(Error::NoScan)?;
        Ok(Self { bytes, structure, index: Index::default() })
    }

    /// The same file with what was found out about it before. What is found out from now on goes into `index` too.
    pub fn with_index(self, index: &Index) -> Self {
        Self { index: index.clone(), ..self }
    }

    /// The index of this file, to be kept for [`with_index`](Self::with_index).
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The first frame header.
    pub fn frame(&self) -> &FrameHeader {
        &self.structure.frame
    }

    /// MCUs in a restart interval of the first scan, 0 without restart markers.
    pub fn restart_interval(&self) -> u16 {
        self.structure.restart_interval
    }

    /// The colour transform in Adobe's APP14 marker before the first scan: 0 for none, 1 for YCbCr, 2 for YCCK.
    pub fn adobe_transform(&self) -> Option<u8> {
        self.structure.adobe_transform
    }

    /// How many scans there are; reading stops behind [`MAX_SCANS`](crate::MAX_SCANS).
    pub fn scan_count(&self) -> usize {
        self.structure.scans.len()
    }

    /// True if EOI is met behind the scans.
    pub fn is_complete(&self) -> bool {
        self.structure.is_complete
    }

    /// The marker segments in order.
    pub fn segments(&self) -> Segments<'a> {
        Segments::new(self.bytes)
    }

    /// Why no part of this file can be decoded.
    pub fn unsupported(&self) -> Option<Unsupported> {
        Unsupported::of(&self.structure)
    }

    /// Decodes `region` of the picture, or more, at `scale`, or larger. All of it lies in the picture; what of `region` does not is
    /// left out.
    ///
    /// A file of a single Huffman-coded scan is indexed by the first call. Regions are then decoded alone, from their MCUs. A picture at
    /// 1/4 or 1/8 comes from the lowest coefficients of each block. Other files, and damaged ones, are decoded by libjpeg-turbo-rs.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`], and what libjpeg-turbo-rs says of a file that it cannot read.
    pub fn decode(&self, region: Region, scale: Scale) -> Result<Decoded, Error> {
        if let Some(unsupported) = self.unsupported() {
            return Err(Error::Unsupported(unsupported));
        }
        // libjpeg-turbo-rs is young and has vector code of its own: a panic in it must not end the program.
        let decoded = catch_unwind(AssertUnwindSafe(|| match self.decode_indexed(region, scale) {
            Some(decoded) => Ok(decoded),
            None => decoder::decode_region(self.bytes, &self.structure, region, scale, self.integrity()),
        }));
        decoded.unwrap_or(Err(Error::DecoderPanicked))
    }

    /// Whether the entropy-coded data is as it was written. Reads through it if that was not done before.
    pub fn integrity(&self) -> Integrity {
        let index = |scan: &SingleScan, tables: &DerivedTables| ScanIndex::read(self.bytes, scan, tables, None);
        match self.known(index) {
            Known::Indexed(_) => Integrity::Intact,
            Known::Other(integrity) => *integrity,
        }
    }

    /// What is missing of the picture. If the data is not intact, it is decoded at 1/8 to count the missing rows. `None` also for
    /// files of which nothing can be known.
    pub fn damage(&self) -> Option<Damage> {
        if self.unsupported().is_some_and(|unsupported| unsupported != Unsupported::UnevenInks) {
            return None;
        }
        let integrity = self.integrity();
        if integrity == Integrity::Intact {
            return None;
        }
        let damage = catch_unwind(AssertUnwindSafe(|| decoder::damage_at_eighth(self.bytes, &self.structure)));
        let is_complete = self.is_complete();
        damage.ok().flatten().or_else(|| damage::of_integrity(integrity, &self.structure).filter(|_| is_complete))
    }

    /// The same without decoding anything: missing rows are not counted.
    pub fn damage_without_rows(&self) -> Option<Damage> {
        damage::of_integrity(self.integrity(), &self.structure)
    }

    /// What is known of the data; `index` is called if nothing is.
    fn known(&self, index: impl FnOnce(&SingleScan, &DerivedTables) -> Option<ScanIndex>) -> &Known {
        let indexed = || {
            let scan = SingleScan::read(self.bytes, &self.structure)?;
            let tables = DerivedTables::new(&scan.tables)?;
            let index = index(&scan, &tables)?;
            Some(Known::Indexed(Box::new(IndexedScan { scan, tables, index })))
        };
        let other = || match self.is_complete() {
            true => integrity(self.bytes, &self.structure, usize::MAX),
            false => Integrity::Unknown,
        };
        self.index.0.get_or_init(|| indexed().unwrap_or_else(|| Known::Other(other())))
    }

    fn indexed(&self) -> Option<&IndexedScan> {
        self.integrity();
        match self.index.0.get()? {
            Known::Indexed(indexed) => Some(indexed),
            Known::Other(_) => None,
        }
    }

    /// Decodes a region by the index; `None` if the file cannot be indexed, or most of it is wanted.
    pub(crate) fn decode_indexed(&self, region: Region, scale: Scale) -> Option<Decoded> {
        let frame = self.frame();
        let (size, mcu) = (frame.size(), frame.mcu());
        let region = McuRegion::around(region, scale, size, mcu);
        if scale >= Scale::Quarter {
            return self.decode_reduced(&region);
        }
        let (width, height) = region.output_size();
        let pixels = u64::from(width) * u64::from(height) * u64::from(scale.reduction()).pow(2);
        if pixels as f64 > WHOLE_SHARE * frame.pixels() as f64 {
            return None;
        }
        let indexed = self.indexed()?;
        let region = region.with_columns(mcu.0 * STRIDE as u32, size.0);
        let mcus = |from: u32, to: u32, side: u32| (from / side) as usize..to.div_ceil(side) as usize;
        let columns = mcus(region.left, region.right, mcu.0);
        let rows = mcus(region.top, region.bottom, mcu.1);
        let size = (region.right - region.left, region.bottom - region.top);
        let file = lossless_crop(self.bytes, indexed, columns, rows, size)?;
        decoder::decode_crop(&file, &self.structure, &region)
    }

    /// A picture at 1/4 or 1/8.
    fn decode_reduced(&self, region: &McuRegion) -> Option<Decoded> {
        let read = |scan: &SingleScan, tables: &DerivedTables| {
            let mut planes = Planes::new(scan, region.scale)?;
            let index = ScanIndex::read(self.bytes, scan, tables, Some(&mut planes))?;
            Some((index, planes))
        };
        let mut fresh = None;
        self.known(|scan, tables| {
            let (index, planes) = read(scan, tables)?;
            fresh = Some(planes);
            Some(index)
        });
        let IndexedScan { scan, tables, .. } = self.indexed()?;
        let planes = match fresh {
            Some(planes) => planes,
            None => read(scan, tables)?.1,
        };
        let format = if scan.components.len() == 1 { SampleFormat::Grey } else { SampleFormat::Rgb };
        Some(Decoded::new(region, format, planes.samples(region), None))
    }
}
