//! The entry point: header, regions and damage of a file.

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

/// Regions of at least this fraction of the image are decoded with the whole image, which is faster then.
const WHOLE_SHARE: f64 = 0.7;

/// The index of a file's entropy-coded data after its first pass. Clones share it.
///
/// It takes about as much memory as the file. It belongs to one file: used with another, it yields wrong images.
#[derive(Clone, Debug, Default)]
pub struct Index(Arc<OnceLock<ScanCache>>);

#[derive(Debug)]
enum ScanCache {
    /// The file has a single, intact scan.
    Indexed(Box<IndexedScan>),
    /// The file is not indexed.
    Other(Integrity),
}

/// A JPEG file with parsed segments.
#[derive(Debug)]
pub struct Jpeg<'a> {
    bytes: &'a [u8],
    structure: Structure,
    index: Index,
}

impl<'a> Jpeg<'a> {
    /// Parses the segments of a file and skips its entropy-coded data.
    ///
    /// # Errors
    ///
    /// [`Error::NoScan`] if `bytes` contain no frame header followed by a scan header. Unsupported files can be opened:
    /// see [`unsupported`](Self::unsupported).
    pub fn open(bytes: &'a [u8]) -> Result<Self, Error> {
        let structure = Structure::read(bytes).ok_or(Error::NoScan)?;
        Ok(Self { bytes, structure, index: Index::default() })
    }

    /// Reuses the index of an earlier `Jpeg` of the same file. New results are added to `index`.
    pub fn with_index(self, index: &Index) -> Self {
        Self { index: index.clone(), ..self }
    }

    /// The index of this file, for later use with [`with_index`](Self::with_index).
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The first frame header.
    pub fn frame(&self) -> &FrameHeader {
        &self.structure.frame
    }

    /// MCUs per restart interval in the first scan, 0 without restart markers.
    pub fn restart_interval(&self) -> u16 {
        self.structure.restart_interval
    }

    /// The colour transform of Adobe's APP14 marker before the first scan: 0 for none, 1 for YCbCr, 2 for YCCK.
    pub fn adobe_transform(&self) -> Option<u8> {
        self.structure.adobe_transform
    }

    /// Number of scans; counting stops after [`MAX_SCANS`](crate::MAX_SCANS).
    pub fn scan_count(&self) -> usize {
        self.structure.scans.len()
    }

    /// True if EOI follows the scans.
    pub fn is_complete(&self) -> bool {
        self.structure.is_complete
    }

    /// The marker segments in file order.
    pub fn segments(&self) -> Segments<'a> {
        Segments::new(self.bytes)
    }

    /// The reason why this file cannot be decoded; `None` if it is supported.
    pub fn unsupported(&self) -> Option<Unsupported> {
        Unsupported::of(&self.structure)
    }

    /// Decodes at least `region` of the image, at `scale` or larger. Parts of `region` outside the image are ignored.
    ///
    /// The first call indexes a file with a single Huffman-coded scan. Regions are then decoded from their own MCUs; an
    /// image at 1/4 or 1/8 is reconstructed from the lowest coefficients of each block. libjpeg-turbo-rs decodes other
    /// files and damaged ones.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`], and errors of libjpeg-turbo-rs.
    pub fn decode(&self, region: Region, scale: Scale) -> Result<Decoded, Error> {
        if let Some(unsupported) = self.unsupported() {
            return Err(Error::Unsupported(unsupported));
        }
        // libjpeg-turbo-rs is young and has its own vector code: a panic in it must not terminate the program.
        let decoded = catch_unwind(AssertUnwindSafe(|| match self.decode_indexed(region, scale) {
            Some(decoded) => Ok(decoded),
            None => decoder::decode_region(self.bytes, &self.structure, region, scale, self.integrity()),
        }));
        decoded.unwrap_or(Err(Error::DecoderPanicked))
    }

    /// Result of the integrity check of the entropy-coded data. The first call reads all of it.
    pub fn integrity(&self) -> Integrity {
        let index = |scan: &SingleScan, tables: &DerivedTables| ScanIndex::read(self.bytes, scan, tables, None);
        match self.scan_cache(index) {
            ScanCache::Indexed(_) => Integrity::Intact,
            ScanCache::Other(integrity) => *integrity,
        }
    }

    /// The damage of the image; `None` if there is none or if it cannot be detected. If the data is not intact, the
    /// image is decoded at 1/8 to count the missing rows.
    pub fn damage(&self) -> Option<Damage> {
        if self.unsupported().is_some_and(|unsupported| unsupported != Unsupported::UnevenSampling) {
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

    /// The damage without a decode: missing rows are not counted.
    pub fn damage_without_rows(&self) -> Option<Damage> {
        damage::of_integrity(self.integrity(), &self.structure)
    }

    /// The scan cache; calls `index` to fill it if it is empty.
    fn scan_cache(&self, index: impl FnOnce(&SingleScan, &DerivedTables) -> Option<ScanIndex>) -> &ScanCache {
        let indexed = || {
            let scan = SingleScan::read(self.bytes, &self.structure)?;
            let tables = DerivedTables::new(&scan.tables)?;
            let index = index(&scan, &tables)?;
            Some(ScanCache::Indexed(Box::new(IndexedScan { scan, tables, index })))
        };
        let other = || match self.is_complete() {
            true => integrity(self.bytes, &self.structure, usize::MAX),
            false => Integrity::Unknown,
        };
        self.index.0.get_or_init(|| indexed().unwrap_or_else(|| ScanCache::Other(other())))
    }

    fn indexed(&self) -> Option<&IndexedScan> {
        self.integrity();
        match self.index.0.get()? {
            ScanCache::Indexed(indexed) => Some(indexed),
            ScanCache::Other(_) => None,
        }
    }

    /// Decodes a region with the index; `None` if the file cannot be indexed, or if the region is most of the image.
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

    /// Decodes an image at 1/4 or 1/8.
    fn decode_reduced(&self, region: &McuRegion) -> Option<Decoded> {
        let read = |scan: &SingleScan, tables: &DerivedTables| {
            let mut planes = Planes::new(scan, region.scale)?;
            let index = ScanIndex::read(self.bytes, scan, tables, Some(&mut planes))?;
            Some((index, planes))
        };
        let mut fresh = None;
        self.scan_cache(|scan, tables| {
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
