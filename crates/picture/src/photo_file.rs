//! A photo's file in memory: header and decodes.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use geometry::{Orientation, PixelRect, Size};
use outcome::{DecodeError, PictureFormat};
use recipe::DecodeLimits;

use super::formats::{DecoderState, Header};
use super::request::StoredRequest;
use super::{
    DecodeRequest, Metadata, Picture, PictureInfo, Place, deadline, format, formats, isolated, memory, metadata, orient,
};

/// A photo's file in memory; its header was read and is within the limits.
#[derive(Clone, Debug)]
pub struct PhotoFile {
    bytes: Vec<u8>,
    format: PictureFormat,
    header: Header,
    /// Peak memory in bytes per decoded pixel.
    bytes_per_pixel: u64,
    orientation: Orientation,
    info: PictureInfo,
    limits: DecodeLimits,
    kept: DecoderState,
}

impl PhotoFile {
    /// Reads a file and its header.
    ///
    /// # Errors
    /// The file is missing, not a file, unreadable, larger than `limits` permit, or rejected by
    /// [`PhotoFile::from_bytes`].
    pub fn read(path: &Path, limits: &DecodeLimits) -> Result<Self, DecodeError> {
        let metadata = std::fs::metadata(path).map_err(DecodeError::Unreadable)?;
        if !metadata.is_file() {
            return Err(DecodeError::NotAFile);
        }
        if metadata.len() > limits.max_file_bytes {
            return Err(DecodeError::FileTooLarge { bytes: metadata.len(), limit: limits.max_file_bytes });
        }
        let _reservation = memory::reserve(metadata.len())?;
        Self::from_bytes(std::fs::read(path).map_err(DecodeError::Unreadable)?, limits)
    }

    /// Takes the bytes of a file; the format is detected from the content.
    ///
    /// # Errors
    /// The format is unknown, the header cannot be read, or it declares more pixels than `limits` permit.
    pub fn from_bytes(bytes: Vec<u8>, limits: &DecodeLimits) -> Result<Self, DecodeError> {
        if bytes.is_empty() {
            return Err(DecodeError::Empty);
        }
        deadline::timed(limits, || Self::open(bytes, limits))
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
        Ok(Self {
            bytes,
            format,
            header,
            bytes_per_pixel,
            orientation,
            info,
            limits: *limits,
            kept: DecoderState::default(),
        })
    }

    /// Information from the header. Damage is reported only after a decode.
    pub fn info(&self) -> &PictureInfo {
        &self.info
    }

    /// Upright size in pixels.
    pub fn size(&self) -> Size {
        self.info.size
    }

    /// True if a reduced or partial decode costs much less than a full one, so that decoding twice pays off.
    pub fn decodes_in_part(&self) -> bool {
        self.header.decodes_in_part
    }

    /// Estimated memory in bytes for decoding `request`; rotation to upright temporarily takes as much again.
    pub fn bytes_needed(&self, request: &DecodeRequest) -> u64 {
        let whole = self.info.size.pixels();
        let (part, reduction) = request.part_of(self.info.size);
        let reduced = |size: Size| size.pixels() / u64::from(reduction * reduction);
        let pixels = match reduction {
            _ if !self.header.decodes_in_part => whole,
            // The whole image, and the part cut out of it.
            4 | 8 => reduced(self.info.size) + reduced(part.size()),
            _ => reduced(part.size()),
        };
        let turned = if self.orientation == Orientation::Upright { 1 } else { 2 };
        // A partially decoded file has one more copy, as unstuffed data.
        let data = if self.header.decodes_in_part { self.bytes.len() as u64 } else { 0 };
        let pixel = self.bytes_per_pixel.max(self.header.layout.bytes() as u64 * turned);
        pixels.saturating_mul(pixel).saturating_add(data)
    }

    /// Decodes at least the request. The image is upright.
    ///
    /// # Errors
    /// The data is corrupt from the start, unsupported, needs too much memory, or takes too long. Data that is corrupt
    /// further on yields an image with [`PictureInfo::damage`].
    pub fn decode(&self, request: &DecodeRequest) -> Result<Picture, DecodeError> {
        // From a child process only the pixels arrive, which may need rotation.
        let held = self.header.stored.pixels().saturating_mul(2 * self.header.layout.bytes() as u64);
        let _reservation = memory::reserve(if self.is_isolated() { held } else { self.bytes_needed(request) })?;
        deadline::timed(&self.limits, || self.decode_timed(request))
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

/// Bytes at the start of a file that contain a camera's thumbnail.
const THUMBNAIL_PREFIX_BYTES: u64 = 256 << 10;

/// The thumbnail that a camera embedded in a JPEG, upright, if it shows the same as the photo. Reads only the start of
/// the file.
pub fn embedded_thumbnail(path: &Path) -> Option<Picture> {
    let file = std::fs::File::open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut start = Vec::new();
    file.take(THUMBNAIL_PREFIX_BYTES).read_to_end(&mut start).ok()?;
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
    // It has the orientation and colour space of the photo.
    picture.pixels = orient::upright(picture.pixels, photo.orientation);
    picture.info.size = picture.pixels.size();
    picture.info.icc_profile = photo.info.icc_profile;
    Some(picture)
}

/// Reads a file and decodes all its pixels.
///
/// # Errors
/// See [`PhotoFile::read`] and [`PhotoFile::decode`].
pub fn decode_file(path: &Path, limits: &DecodeLimits) -> Result<Picture, DecodeError> {
    PhotoFile::read(path, limits)?.decode(&DecodeRequest::Full)
}

/// Decodes all pixels of a file in memory.
///
/// # Errors
/// See [`PhotoFile::from_bytes`] and [`PhotoFile::decode`].
pub fn decode_bytes(bytes: &[u8], limits: &DecodeLimits) -> Result<Picture, DecodeError> {
    PhotoFile::from_bytes(bytes.to_vec(), limits)?.decode(&DecodeRequest::Full)
}

#[cfg(test)]
mod tests;
