//! Small files of every format: from other encoders, handmade, or stored in `tests/pictures`.

use std::fs;
use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, ImageEncoder, ImageFormat, RgbImage};

use outcome::PictureFormat;

/// The artist in the EXIF block of [`exif`].
pub(crate) const ARTIST: &str = "A person";

/// An XMP packet.
pub(crate) const XMP: &str = "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF \
     xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\" \
     xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:creator><rdf:Seq><rdf:li>A person</rdf:li></rdf:Seq></dc:creator>\
     </rdf:Description></rdf:RDF></x:xmpmeta>";

/// IPTC-IIM: a by-line.
pub(crate) const IPTC: &[u8] = b"\x1c\x02\x50\0\x08A person";

/// A colour of Display P3.
pub(crate) const P3_COLOUR: [u8; 3] = [200, 120, 60];

/// The same colour in sRGB, according to LittleCMS.
pub(crate) const P3_COLOUR_IN_SRGB: [u8; 3] = [213, 115, 42];

/// Profile and metadata of a file.
#[derive(Clone, Default)]
pub(crate) struct Extras {
    /// An EXIF block from its TIFF header on.
    pub(crate) exif: Option<Vec<u8>>,
    pub(crate) xmp: Option<&'static str>,
    pub(crate) iptc: Option<&'static [u8]>,
    pub(crate) profile: Option<Vec<u8>>,
}

/// An EXIF block with an artist and an orientation.
pub(crate) fn exif(orientation: u16) -> Vec<u8> {
    let artist = exif::Field {
        tag: exif::Tag::Artist,
        ifd_num: exif::In::PRIMARY,
        value: exif::Value::Ascii(vec![ARTIST.as_bytes().to_vec()]),
    };
    let turned = exif::Field {
        tag: exif::Tag::Orientation,
        ifd_num: exif::In::PRIMARY,
        value: exif::Value::Short(vec![orientation]),
    };
    let mut writer = exif::experimental::Writer::new();
    writer.push_field(&artist);
    writer.push_field(&turned);
    let mut block = Cursor::new(Vec::new());
    writer.write(&mut block, false).expect("writes");
    block.into_inner()
}

/// The profile of Display P3.
pub(crate) fn p3() -> Vec<u8> {
    moxcms::ColorProfile::new_display_p3().encode().expect("encodes")
}

/// A file of `tests/pictures`.
pub(crate) fn test_file(name: &str) -> Vec<u8> {
    let path = test_support::root().join("tests/pictures").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Part of a photo with a face.
#[expect(clippy::disallowed_methods, reason = "the images are small test data")]
pub(crate) fn photo(width: u32, height: u32) -> RgbImage {
    let face = image::load_from_memory(&test_file("face.png")).expect("decodes").to_rgb8();
    image::imageops::resize(&face, width, height, image::imageops::FilterType::CatmullRom)
}

/// Red, green, blue and white, from the top left to the bottom right.
pub(crate) fn quadrants(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| match (x < width / 2, y < height / 2) {
        (true, true) => image::Rgb([255, 0, 0]),
        (false, true) => image::Rgb([0, 255, 0]),
        (true, false) => image::Rgb([0, 0, 255]),
        (false, false) => image::Rgb([255, 255, 255]),
    })
}

/// An image of one colour.
pub(crate) fn plain(colour: [u8; 3]) -> DynamicImage {
    RgbImage::from_pixel(16, 16, image::Rgb(colour)).into()
}

/// `picture` with alpha from transparent at the top to opaque at the bottom.
pub(crate) fn with_alpha(picture: &RgbImage) -> DynamicImage {
    let max = picture.height() - 1;
    image::RgbaImage::from_fn(picture.width(), picture.height(), |x, y| {
        let image::Rgb([red, green, blue]) = *picture.get_pixel(x, y);
        image::Rgba([red, green, blue, (y * 255 / max) as u8])
    })
    .into()
}

/// A photo with true 16-bit samples, not 8-bit ones repeated.
pub(crate) fn deep_photo(width: u32, height: u32) -> DynamicImage {
    let mut photo = DynamicImage::from(photo(width, height)).to_rgb16();
    photo.iter_mut().zip(0_u16..).for_each(|(sample, index)| *sample ^= index % 200);
    photo.into()
}

/// `picture` as written by `image`, without metadata or profile.
pub(crate) fn written(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).expect("encodes");
    bytes.into_inner()
}

/// A baseline JPEG, grey or colour.
pub(crate) fn jpeg(picture: &DynamicImage, extras: &Extras) -> Vec<u8> {
    let mut bytes = Vec::new();
    picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, 95)).expect("encodes");
    let mut segments = Vec::new();
    let mut push = |marker: u8, parts: &[&[u8]]| {
        let content = parts.concat();
        segments.extend([0xff, marker]);
        segments.extend((content.len() as u16 + 2).to_be_bytes());
        segments.extend(content);
    };
    if let Some(exif) = &extras.exif {
        push(0xe1, &[b"Exif\0\0", exif]);
    }
    if let Some(xmp) = extras.xmp {
        push(0xe1, &[b"http://ns.adobe.com/xap/1.0/\0", xmp.as_bytes()]);
    }
    if let Some(iptc) = extras.iptc {
        let length = (iptc.len() as u32).to_be_bytes();
        push(0xed, &[b"Photoshop 3.0\08BIM\x04\x04\0\0", &length, iptc, &[0][..iptc.len() % 2]]);
    }
    if let Some(profile) = &extras.profile {
        push(0xe2, &[b"ICC_PROFILE\0\x01\x01", profile]);
    }
    bytes.splice(2..2, segments);
    bytes
}

/// A PNG of any layout.
pub(crate) fn png(picture: &DynamicImage, extras: &Extras) -> Vec<u8> {
    let mut info = png::Info::with_size(picture.width(), picture.height());
    let color = picture.color();
    info.color_type = match (color.has_color(), color.has_alpha()) {
        (false, false) => png::ColorType::Grayscale,
        (false, true) => png::ColorType::GrayscaleAlpha,
        (true, false) => png::ColorType::Rgb,
        (true, true) => png::ColorType::Rgba,
    };
    let deep = color.bytes_per_pixel() > color.channel_count();
    info.bit_depth = if deep { png::BitDepth::Sixteen } else { png::BitDepth::Eight };
    info.exif_metadata = extras.exif.clone().map(Into::into);
    info.icc_profile = extras.profile.clone().map(Into::into);
    info.utf8_text.extend(extras.xmp.map(|xmp| png::text_metadata::ITXtChunk::new("XML:com.adobe.xmp", xmp)));
    info.uncompressed_latin1_text.extend(extras.iptc.map(|iptc| {
        let digits: String = iptc.iter().map(|byte| format!("{byte:02x}")).collect();
        let text = format!("\niptc\n{:8}\n{digits}\n", iptc.len());
        png::text_metadata::TEXtChunk::new("Raw profile type iptc", text)
    }));
    let mut bytes = Vec::new();
    let mut writer = png::Encoder::with_info(&mut bytes, info).expect("begins").write_header().expect("writes");
    let mut samples = picture.as_bytes().to_vec();
    if deep {
        samples.as_chunks_mut::<2>().0.iter_mut().for_each(|pair| *pair = u16::from_ne_bytes(*pair).to_be_bytes());
    }
    writer.write_image_data(&samples).expect("writes");
    writer.finish().expect("ends");
    bytes
}

/// A lossless WebP, in the extended format if there is metadata or a profile.
pub(crate) fn webp(picture: &DynamicImage, extras: &Extras) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = WebPEncoder::new_lossless(&mut bytes);
    if let Some(profile) = &extras.profile {
        encoder.set_icc_profile(profile.clone()).expect("accepts it");
    }
    // Set as EXIF and XMP alike if there is either, so that the file has the extended header.
    if extras.exif.is_some() || extras.xmp.is_some() {
        encoder.set_exif_metadata(extras.exif.clone().unwrap_or_default()).expect("accepts it");
    }
    picture.write_with_encoder(encoder).expect("encodes");
    if let Some(xmp) = extras.xmp {
        bytes.extend(b"XMP ");
        bytes.extend((xmp.len() as u32).to_le_bytes());
        bytes.extend(xmp.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(2), 0);
        bytes[20] |= 0x04;
        let length = bytes.len() as u32 - 8;
        bytes[4..8].copy_from_slice(&length.to_le_bytes());
    }
    bytes
}

/// A TIFF of 8-bit colour or grey in strips of four rows after the directory, so that a truncated file loses the last
/// of them. It has the orientation and the artist as TIFF tags.
pub(crate) fn tiff(picture: &DynamicImage, extras: &Extras, orientation: u16) -> Vec<u8> {
    let samples = u16::from(picture.color().channel_count());
    let strips: Vec<&[u8]> = picture.as_bytes().chunks(picture.width() as usize * usize::from(samples) * 4).collect();
    let lengths: Vec<u8> = strips.iter().flat_map(|strip| long(strip.len())).collect();
    let mut fields = vec![
        (0x0100, LONG, long(picture.width() as usize).to_vec()),
        (0x0101, LONG, long(picture.height() as usize).to_vec()),
        (0x0102, SHORT, [8, 0].repeat(usize::from(samples))),
        (0x0103, SHORT, vec![1, 0]),
        (0x0106, SHORT, vec![if samples < 3 { 1 } else { 2 }, 0]),
        (0x0112, SHORT, orientation.to_le_bytes().to_vec()),
        (0x0115, SHORT, samples.to_le_bytes().to_vec()),
        (0x0116, LONG, long(4).to_vec()),
        (0x0117, LONG, lengths),
    ];
    if extras.exif.is_some() {
        fields.push((0x013b, ASCII, [ARTIST.as_bytes(), b"\0"].concat()));
    }
    if samples % 2 == 0 {
        fields.push((0x0152, SHORT, vec![2, 0]));
    }
    fields.extend(extras.xmp.map(|xmp| (0x02bc, BYTE, xmp.as_bytes().to_vec())));
    fields.extend(extras.iptc.map(|iptc| (0x83bb, UNDEFINED, iptc.to_vec())));
    fields.extend(extras.profile.clone().map(|profile| (0x8773, UNDEFINED, profile)));
    directory(fields, &strips)
}

const BYTE: u16 = 1;
const ASCII: u16 = 2;
const SHORT: u16 = 3;
const LONG: u16 = 4;
const UNDEFINED: u16 = 7;

fn long(value: usize) -> [u8; 4] {
    (value as u32).to_le_bytes()
}

/// A little-endian TIFF of one directory with these fields (tag, type, bytes), sorted by tag, and the offsets of the
/// strips.
fn directory(mut fields: Vec<(u16, u16, Vec<u8>)>, strips: &[&[u8]]) -> Vec<u8> {
    fields.push((0x0111, LONG, vec![0; strips.len() * 4]));
    fields.sort();
    let values = 8 + 2 + fields.len() * 12 + 4;
    let long_values = fields.iter().map(|field| field.2.len()).filter(|length| *length > 4);
    let mut strip_at = values + long_values.sum::<usize>();
    let places = strips.iter().flat_map(|strip| {
        strip_at += strip.len();
        long(strip_at - strip.len())
    });
    let places = places.collect();
    fields.iter_mut().filter(|field| field.0 == 0x0111).for_each(|field| field.2.clone_from(&places));
    let mut bytes = [&b"II*\0\x08\0\0\0"[..], &(fields.len() as u16).to_le_bytes()].concat();
    let mut behind = Vec::new();
    for (tag, kind, value) in fields {
        let size = match kind {
            SHORT => 2,
            LONG => 4,
            _ => 1,
        };
        bytes.extend([tag.to_le_bytes(), kind.to_le_bytes()].concat());
        bytes.extend(long(value.len() / size));
        if value.len() > 4 {
            bytes.extend(long(values + behind.len()));
            behind.extend(value);
        } else {
            bytes.extend([&value[..], &[0; 4][value.len()..]].concat());
        }
    }
    bytes.extend([&[0; 4][..], &behind, &strips.concat()].concat());
    bytes
}

/// An AVIF with red, green and blue of 8 bits, or of 10 if `deep`.
pub(crate) fn avif(picture: &RgbImage, deep: bool) -> Vec<u8> {
    let pixels: Vec<ravif::RGB8> = picture.pixels().map(|pixel| pixel.0.into()).collect();
    let pixels = ravif::Img::new(&pixels[..], picture.width() as usize, picture.height() as usize);
    let depth = if deep { ravif::BitDepth::Ten } else { ravif::BitDepth::Eight };
    let encoder = ravif::Encoder::new().with_quality(90.0).with_speed(10).with_bit_depth(depth);
    encoder.encode_rgb(pixels).expect("encodes").avif_file
}

/// A GIF with a profile, in the application extension of the ICC specification.
pub(crate) fn gif_with_profile(picture: &DynamicImage, profile: &[u8]) -> Vec<u8> {
    let mut bytes = written(picture, ImageFormat::Gif);
    let table = if bytes[10] & 0x80 == 0 { 0 } else { 3 << ((bytes[10] & 7) + 1) };
    let mut extension = b"\x21\xff\x0bICCRGBG1012".to_vec();
    for block in profile.chunks(255) {
        extension.push(block.len() as u8);
        extension.extend(block);
    }
    extension.push(0);
    bytes.splice(13 + table..13 + table, extension);
    bytes
}

/// A BMP with a header of version 5 and a profile at its end; 16 x 16 pixels of `colour`.
pub(crate) fn bmp_with_profile(colour: [u8; 3], profile: &[u8]) -> Vec<u8> {
    let [red, green, blue] = colour;
    let pixels = [blue, green, red].repeat(256);
    let mut bytes = [&b"BM"[..], &long(138 + 768 + profile.len()), &long(0), &long(138)].concat();
    let mut header = [long(124), long(16), long(16), [1, 0, 24, 0]].concat();
    header.resize(124, 0);
    header[56..60].copy_from_slice(b"DEBM");
    header[112..116].copy_from_slice(&long(124 + 768));
    header[116..120].copy_from_slice(&long(profile.len()));
    bytes.extend([&header[..], &pixels, profile].concat());
    bytes
}

/// A DNG with a JPEG preview, an orientation, an artist and an XMP packet.
pub(crate) fn raw(preview: &[u8], orientation: u16) -> Vec<u8> {
    let fields = vec![
        (0x0103, SHORT, vec![7, 0]),
        (0x0112, SHORT, orientation.to_le_bytes().to_vec()),
        (0x0117, LONG, long(preview.len()).to_vec()),
        (0x013b, ASCII, [ARTIST.as_bytes(), b"\0"].concat()),
        (0x02bc, BYTE, XMP.as_bytes().to_vec()),
        (0xc612, BYTE, vec![1, 4, 0, 0]),
    ];
    directory(fields, &[preview])
}

/// One or more files of every format, and several variants of the complex ones: the seeds of the mutations.
pub(crate) fn seeds() -> Vec<(PictureFormat, Vec<u8>)> {
    use PictureFormat as Format;
    let colour = photo(40, 30);
    let (picture, alpha) = (DynamicImage::from(colour.clone()), with_alpha(&colour));
    let (grey, deep) = (DynamicImage::from(picture.to_luma8()), deep_photo(40, 30));
    let rich = Extras { exif: Some(exif(6)), xmp: Some(XMP), iptc: Some(IPTC), profile: Some(p3()) };
    let mut progressive = libjpeg_turbo_rs::Encoder::new(&colour, 40, 30, libjpeg_turbo_rs::PixelFormat::Rgb);
    progressive = progressive.progressive(true);
    let mut seeds = vec![
        (Format::Jpeg, jpeg(&picture, &rich)),
        (Format::Jpeg, jpeg(&grey, &Extras::default())),
        (Format::Jpeg, progressive.encode().expect("encodes")),
        (Format::Png, png(&picture, &rich)),
        (Format::Png, png(&alpha, &Extras::default())),
        (Format::Png, png(&deep, &Extras::default())),
        (Format::WebP, webp(&alpha, &rich)),
        (Format::WebP, webp::Encoder::from_rgb(&colour, 40, 30).encode(80.0).to_vec()),
        (Format::Tiff, tiff(&picture, &rich, 6)),
        (Format::Tiff, written(&deep, ImageFormat::Tiff)),
        (Format::Gif, gif_with_profile(&alpha, &p3())),
        (Format::Bmp, bmp_with_profile(P3_COLOUR, &p3())),
        (Format::Bmp, written(&alpha, ImageFormat::Bmp)),
        (Format::Qoi, written(&alpha, ImageFormat::Qoi)),
        (Format::Pnm, written(&picture, ImageFormat::Pnm)),
        (Format::Pnm, written(&alpha, ImageFormat::Pnm)),
        (Format::Tga, written(&picture, ImageFormat::Tga)),
        (Format::Ico, written(&alpha, ImageFormat::Ico)),
        (Format::Raw, raw(&jpeg(&picture, &rich), 6)),
    ];
    for name in ["turned.avif", "premultiplied.avif", "animation.avif", "grey.avif"] {
        seeds.push((Format::Avif, test_file(name)));
    }
    for name in ["turned.heic", "alpha.heic", "10-bit.heic", "p3.heic"] {
        seeds.push((Format::Heic, test_file(name)));
    }
    for name in ["turned.jxl", "alpha.jxl", "lossy.jxl", "grey-16.jxl"] {
        seeds.push((Format::Jxl, test_file(name)));
    }
    seeds
}
