//! A photo's file in memory: its header read, its pixels decoded as they are wanted.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use geometry::{Orientation, PixelRect, Size};
use outcome::{DecodeError, PictureFormat};
use recipe::DecodeLimits;

use super::formats::{Header, Kept};
use super::request::StoredRequest;
use super::{
    DecodeRequest, Metadata, Picture, PictureInfo, Place, format, formats, isolated, memory, metadata, orient, patience,
};

/// A photo's file in memory, its header read and found to be within limits.
#[derive(Clone, Debug)]
pub struct PhotoFile {
    bytes: Vec<u8>,
    format: PictureFormat,
    header: Header,
    /// Bytes of memory that decoding a pixel takes at the peak.
    bytes_per_pixel: u64,
    orientation: Orientation,
    info: PictureInfo,
    limits: DecodeLimits,
    kept: Kept,
}

impl PhotoFile {
    /// Reads a file whole, and its header.
    ///
    /// # Errors
    /// It is missing, not a file, unreadable, larger than `limits` allow, or what [`PhotoFile::from_bytes`] refuses.
    pub fn read(path: &Path, limits: &DecodeLimits) -> Result<Self, DecodeError> {
        let metadata = std::fs::metadata(path).map_err(DecodeError::Unreadable)?;
        if !metadata.is_file() {
            return Err(DecodeError::NotAFile);
        }
        if metadata.len() > limits.max_file_bytes {
            return Err(DecodeError::FileTooLarge { bytes: metadata.len(), limit: limits.max_file_bytes });
        }
        let _promise = memory::promise(metadata.len())?;
        Self::from_bytes(std::fs::read(path).map_err(DecodeError::Unreadable)?, limits)
    }

    /// Takes a file's bytes; the format is told by content.
    ///
    /// # Errors
    /// No known format, a header that cannot be read, or one that says more pixels than `limits` allow.
    pub fn from_bytes(bytes: Vec<u8>, limits: &DecodeLimits) -> Result<Self, DecodeError> {
        if bytes.is_empty() {
            return Err(DecodeError::Empty);
        }
        patience::timed(limits, || Self::open(bytes, limits))
    }

    fn open(bytes: Vec<u8>, limits: &DecodeLimits) -> Result<Self, DecodeError> {
        let format = format::sniff(&bytes)?;
        let (header, bytes_per_pixel) = if isolated::is_possible() && formats::is_header_isolated(format) {
            isolated::read_header(format, &bytes, limits)?
        } else {
            let header = formats::read_header(format, &bytes, limits)?;
            let bytes_per_pixel = formats::bytes_per_pixel(format, &bytes, &header);
            (header, bytes_per_pixel)
        };
        check_pixels(format, &header, limits)?;
        check_memory(header.stored, bytes_per_pixel, limits)?;
        let metadata = metadata::read(format, &bytes);
        let orientation = header.orientation.unwrap_or_else(|| metadata.orientation());
        let info = PictureInfo {
            size: orientation.upright_size(header.stored),
            format,
            layout: header.layout,
            damage: None,
            icc_profile: header.icc_profile.clone(),
            metadata: Arc::new(metadata),
            note: header.note,
        };
        Ok(Self { bytes, format, header, bytes_per_pixel, orientation, info, limits: *limits, kept: Kept::default() })
    }

    /// What the header says. Damage shows only once pixels are decoded.
    pub fn info(&self) -> &PictureInfo {
        &self.info
    }

    /// Upright size in pixels.
    pub fn size(&self) -> Size {
        self.info.size
    }

    /// True where a reduced or partial picture costs much less than the whole, so that decoding twice pays.
    pub fn decodes_in_part(&self) -> bool {
        self.header.decodes_in_part
    }

    /// Bytes of memory that decoding `want` takes, about; turning the picture upright takes as much again for a moment.
    pub fn bytes_needed(&self, request: &DecodeRequest) -> u64 {
        let whole = self.info.size.pixels();
        let (part, reduction) = request.part_of(self.info.size);
        let reduced = |size: Size| size.pixels() / u64::from(reduction * reduction);
        let pixels = match reduction {
            _ if !self.header.decodes_in_part => whole,
            // All of the picture, and the part that is cut out of that.
            4 | 8 => reduced(self.info.size) + reduced(part.size()),
            _ => reduced(part.size()),
        };
        let turned = if self.orientation == Orientation::Upright { 1 } else { 2 };
        // A file that is read in part is held once more, as plain data.
        let data = if self.header.decodes_in_part { self.bytes.len() as u64 } else { 0 };
        let pixel = self.bytes_per_pixel.max(self.header.layout.bytes() as u64 * turned);
        pixels.saturating_mul(pixel).saturating_add(data)
    }

    /// Decodes what is wanted, or more. The picture comes out upright.
    ///
    /// # Errors
    /// The data is broken from the start, of a kind that is not read here, asks for too much memory, or takes too long. Data
    /// that is broken further on gives a picture with [`PictureInfo::damage`].
    pub fn decode(&self, request: &DecodeRequest) -> Result<Picture, DecodeError> {
        // Of a picture that is read in another process only the pixels come here, which may have to be turned.
        let held = self.header.stored.pixels().saturating_mul(2 * self.header.layout.bytes() as u64);
        let _promise = memory::promise(if self.is_isolated() { held } else { self.bytes_needed(request) })?;
        patience::timed(&self.limits, || self.decode_timed(request))
    }

    fn is_isolated(&self) -> bool {
        isolated::is_possible() && formats::is_isolated(self.format, &self.bytes, &self.header)
    }

    fn decode_timed(&self, request: &DecodeRequest) -> Result<Picture, DecodeError> {
        let header = &self.header;
        let (part, reduction) = request.part_of(self.info.size);
        let region = self.orientation.stored_part(part, header.stored);
        let request = StoredRequest { region, reduction };
        let decoded = if self.is_isolated() {
            isolated::read_pixels(self.format, &self.bytes, header, request, &self.limits)?
        } else {
            formats::read_pixels(self.format, &self.bytes, header, request, &self.limits, &self.kept)?
        };
        let Size { width, height } = decoded.pixels.size();
        let (x, y) = decoded.corner;
        let reach = PixelRect::new(x as i32, y as i32, width * decoded.reduction, height * decoded.reduction);
        let upright = self.orientation.upright_part(reach, header.stored);
        let place = Place { x: upright.x, y: upright.y, reduction: decoded.reduction };
        let mut info = PictureInfo { damage: decoded.damage, layout: decoded.pixels.layout(), ..self.info.clone() };
        if let Some(profile) = decoded.icc_profile {
            info.icc_profile = profile;
        }
        Ok(Picture { info, pixels: orient::upright(decoded.pixels, self.orientation), place })
    }
}

fn check_pixels(format: PictureFormat, header: &Header, limits: &DecodeLimits) -> Result<(), DecodeError> {
    let size = header.stored;
    if size.pixels() > limits.max_pixels {
        return Err(DecodeError::TooManyPixels { size, limit: limits.max_pixels });
    }
    if size.pixels() == 0 {
        return Err(DecodeError::Broken { format: format.name(), reason: "a side has no pixels".to_owned() });
    }
    Ok(())
}

fn check_memory(size: Size, bytes_per_pixel: u64, limits: &DecodeLimits) -> Result<(), DecodeError> {
    let bytes = size.pixels().saturating_mul(bytes_per_pixel);
    if bytes > limits.memory_budget {
        return Err(DecodeError::TooMuchMemory { bytes, limit: limits.memory_budget });
    }
    Ok(())
}

/// Bytes of a file's start in which a camera's thumbnail lies.
const THUMBNAIL_WITHIN: u64 = 256 << 10;

/// The small picture that a camera has put into a JPEG, upright, where it shows the same as the photo. Reads no more than the
/// start of the file.
pub fn embedded_thumbnail(path: &Path) -> Option<Picture> {
    let file = std::fs::File::open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut start = Vec::new();
    file.take(THUMBNAIL_WITHIN).read_to_end(&mut start).ok()?;
    if format::sniff(&start).ok()? != PictureFormat::Jpeg {
        return None;
    }
    let limits = DecodeLimits::default();
    let photo = PhotoFile::from_bytes(start, &limits).ok()?;
    let thumbnail = PhotoFile::from_bytes(photo.info.metadata.thumbnail()?.to_vec(), &limits).ok()?;
    if !Metadata::thumbnail_fits(thumbnail.header.stored, photo.header.stored) {
        return None;
    }
    let mut picture = thumbnail.decode(&DecodeRequest::Full).ok().filter(|picture| picture.info.damage.is_none())?;
    // It is stored as the photo is, and its numbers mean the same.
    picture.pixels = orient::upright(picture.pixels, photo.orientation);
    picture.info.size = picture.pixels.size();
    picture.info.icc_profile = photo.info.icc_profile;
    Some(picture)
}

/// Reads a file and decodes every pixel of it.
///
/// # Errors
/// See [`PhotoFile::read`] and [`PhotoFile::decode`].
pub fn decode_file(path: &Path, limits: &DecodeLimits) -> Result<Picture, DecodeError> {
    PhotoFile::read(path, limits)?.decode(&DecodeRequest::Full)
}

/// Decodes every pixel of a file's bytes.
///
/// # Errors
/// See [`PhotoFile::from_bytes`] and [`PhotoFile::decode`].
pub fn decode_bytes(bytes: &[u8], limits: &DecodeLimits) -> Result<Picture, DecodeError> {
    PhotoFile::from_bytes(bytes.to_vec(), limits)?.decode(&DecodeRequest::Full)
}

#[cfg(test)]
mod tests;
