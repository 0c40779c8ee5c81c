//! TIFF encoder.

use std::io::Cursor;

use tiff::encoder::colortype::{ColorType, Gray8, Gray16, RGB8, RGB16, RGBA8, RGBA16};
use tiff::encoder::{DeflateLevel, DirectoryEncoder, Rational, TiffEncoder, TiffKindStandard, TiffValue};
use tiff::tags::{ExtraSamples, PhotometricInterpretation, Predictor, ResolutionUnit, SampleFormat, Tag, Type};
use tiff::{Directory, TiffResult};

use geometry::Size;
use outcome::Channels;
use recipe::Compression;

use super::tiff_exif::{Field, Fields};
use super::{Content, tiff_exif};
use crate::Samples;

const XMP: Tag = Tag::Unknown(700);
const IPTC: Tag = Tag::Unknown(33_723);
const INTEROPERABILITY: Tag = Tag::Unknown(0xA005);

type Writer<'a> = TiffEncoder<&'a mut Cursor<Vec<u8>>, TiffKindStandard>;

/// Encodes pixels of every layout.
pub(super) fn encode(content: &Content<'_>, compression: Compression) -> Result<Vec<u8>, String> {
    let mut file = Cursor::new(Vec::new());
    let written = match (content.pixels.samples(), content.pixels.channels()) {
        (Samples::U8(samples), Channels::L) => write::<Gray8>(content, samples, compression, &mut file),
        (Samples::U8(samples), Channels::La) => write::<GrayAlpha8>(content, samples, compression, &mut file),
        (Samples::U8(samples), Channels::Rgb) => write::<RGB8>(content, samples, compression, &mut file),
        (Samples::U8(samples), Channels::Rgba) => write::<RGBA8>(content, samples, compression, &mut file),
        (Samples::U16(samples), Channels::L) => write::<Gray16>(content, samples, compression, &mut file),
        (Samples::U16(samples), Channels::La) => write::<GrayAlpha16>(content, samples, compression, &mut file),
        (Samples::U16(samples), Channels::Rgb) => write::<RGB16>(content, samples, compression, &mut file),
        (Samples::U16(samples), Channels::Rgba) => write::<RGBA16>(content, samples, compression, &mut file),
    };
    written.map_err(|error| error.to_string())?;
    Ok(file.into_inner())
}

fn write<C: ColorType>(
    content: &Content<'_>,
    samples: &[C::Inner],
    compression: Compression,
    file: &mut Cursor<Vec<u8>>,
) -> TiffResult<()>
where
    [C::Inner]: TiffValue,
{
    let compression = match compression {
        Compression::Fast => tiff::encoder::Compression::Lzw,
        Compression::Balanced => tiff::encoder::Compression::Deflate(DeflateLevel::Balanced),
        Compression::Small => tiff::encoder::Compression::Deflate(DeflateLevel::Best),
    };
    let mut tiff: Writer<'_> =
        TiffEncoder::new(file)?.with_compression(compression).with_predictor(Predictor::Horizontal);
    let fields = content.embedded.exif.and_then(tiff_exif::read).unwrap_or_default();
    let (exif, gps) = write_sub_directories(&mut tiff, &fields)?;
    let Size { width, height } = content.pixels.size();
    let mut image = tiff.new_image::<C>(width, height)?;
    image.resolution(ResolutionUnit::Inch, Rational { n: u32::from(content.dpi), d: 1 });
    let directory = image.encoder();
    write_fields(directory, &fields.main)?;
    directory.write_tag(Tag::Orientation, 1_u16)?;
    if content.pixels.channels().has_alpha() {
        directory.write_tag(Tag::ExtraSamples, ExtraSamples::UnassociatedAlpha.to_u16())?;
    }
    for (tag, offset) in [(Tag::ExifDirectory, exif), (Tag::GpsDirectory, gps)] {
        if let Some(offset) = offset {
            directory.write_tag(tag, offset)?;
        }
    }
    for (tag, kind, block) in [
        (Tag::IccProfile, Type::UNDEFINED, content.profile),
        (XMP, Type::BYTE, content.embedded.xmp),
        (IPTC, Type::BYTE, content.embedded.iptc),
    ] {
        if let Some(bytes) = block {
            write_bytes(directory, tag, kind, bytes)?;
        }
    }
    image.write_data(samples)
}

/// Writes the EXIF and GPS directories; returns their offsets.
fn write_sub_directories(tiff: &mut Writer<'_>, fields: &Fields) -> TiffResult<(Option<u32>, Option<u32>)> {
    let interoperability = write_directory(tiff, &fields.interoperability, None)?;
    let exif = write_directory(tiff, &fields.exif, interoperability)?;
    Ok((exif, write_directory(tiff, &fields.gps, None)?))
}

fn write_directory(tiff: &mut Writer<'_>, fields: &[Field], inner: Option<u32>) -> TiffResult<Option<u32>> {
    if fields.is_empty() && inner.is_none() {
        return Ok(None);
    }
    let mut directory = tiff.extra_directory()?;
    write_fields(&mut directory, fields)?;
    if let Some(inner) = inner {
        directory.write_tag(INTEROPERABILITY, inner)?;
    }
    Ok(Some(directory.finish_with_offsets()?.offset))
}

type Directories<'a, 'b> = DirectoryEncoder<'a, &'b mut Cursor<Vec<u8>>, TiffKindStandard>;

fn write_fields(directory: &mut Directories<'_, '_>, fields: &[Field]) -> TiffResult<()> {
    fields.iter().try_for_each(|field| write_bytes(directory, field.tag, field.kind, &field.bytes))
}

fn write_bytes(directory: &mut Directories<'_, '_>, tag: Tag, kind: Type, bytes: &[u8]) -> TiffResult<()> {
    let entry = directory.write_entry_bytes(kind, bytes)?;
    directory.extend_from(&Directory::from_iter([(tag, entry)]));
    Ok(())
}

/// Grey and alpha, 8 bits.
struct GrayAlpha8;

/// Grey and alpha, 16 bits.
struct GrayAlpha16;

impl ColorType for GrayAlpha8 {
    type Inner = u8;
    const TIFF_VALUE: PhotometricInterpretation = PhotometricInterpretation::BlackIsZero;
    const BITS_PER_SAMPLE: &'static [u16] = &[8; 2];
    const SAMPLE_FORMAT: &'static [SampleFormat] = &[SampleFormat::Uint; 2];

    fn horizontal_predict(row: &[u8], result: &mut Vec<u8>) {
        result.extend(row.iter().take(2));
        result.extend(row.iter().skip(2).zip(row).map(|(sample, left)| sample.wrapping_sub(*left)));
    }
}

impl ColorType for GrayAlpha16 {
    type Inner = u16;
    const TIFF_VALUE: PhotometricInterpretation = PhotometricInterpretation::BlackIsZero;
    const BITS_PER_SAMPLE: &'static [u16] = &[16; 2];
    const SAMPLE_FORMAT: &'static [SampleFormat] = &[SampleFormat::Uint; 2];

    fn horizontal_predict(row: &[u16], result: &mut Vec<u16>) {
        result.extend(row.iter().take(2));
        result.extend(row.iter().skip(2).zip(row).map(|(sample, left)| sample.wrapping_sub(*left)));
    }
}
