//! Tests of sheets: bit-exact copies, and the structure of a PDF.

use recipe::{Paper, SheetFormat, SheetLayout, SheetSpec};

use super::*;
use crate::encode_sheet;

fn layout(format: SheetFormat) -> SheetLayout {
    let spec = SheetSpec { paper: Paper::Photo10x15, copies: Some(5), format, ..SheetSpec::default() };
    spec.layout(SIZE, 25).expect("fits")
}

fn sheet_of(crop: &Crop, format: SheetFormat, spec: &EncodeSpec) -> Encoded {
    encode_sheet(crop, &layout(format), format, spec).expect("encodes")
}

/// The text of a PDF, with binary data as replacement characters.
fn text(pdf: &[u8]) -> String {
    String::from_utf8_lossy(pdf).into_owned()
}

/// The stream data of object `number`, and its dictionary.
fn stream(pdf: &[u8], number: u8) -> (String, Vec<u8>) {
    let find = |from: usize, word: &[u8]| {
        from + pdf[from..].windows(word.len()).position(|window| window == word).expect("exists")
    };
    let start = find(0, format!("\n{number} 0 obj").as_bytes());
    let data = find(start, b"stream\n");
    let dictionary = text(&pdf[start..data]);
    let length = dictionary.split("/Length ").nth(1).expect("a length");
    let length: usize = length.split(|c: char| !c.is_ascii_digit()).next().expect("digits").parse().expect("a number");
    (dictionary, pdf[data + 7..data + 7 + length].to_vec())
}

/// Operands of each `operator` in a page's content.
fn operands(drawing: &[u8], operator: &str) -> Vec<Vec<f64>> {
    let lines = text(drawing);
    let lines = lines.lines().filter_map(|line| line.strip_suffix(&format!(" {operator}")));
    lines.map(|line| line.split(' ').map(|number| number.parse().expect("a number")).collect()).collect()
}

#[test]
fn png_sheet_is_bit_exact_without_metadata() {
    for (channels, deep) in [(Channels::Rgb, false), (Channels::Rgb, true), (Channels::L, true)] {
        let mut crop = slope(channels, deep);
        crop.metadata = Arc::new(crate::Metadata { xmp: Some(b"<x/>"[..].into()), ..Default::default() });
        if !channels.is_grey() {
            crop.icc_profile = Some(display_p3());
        }
        let spec =
            EncodeSpec { metadata: recipe::MetadataPolicy::All, max_kilobytes: Some(1), ..spec(OutputFormat::Jpeg) };
        let file = sheet_of(&crop, SheetFormat::Png, &spec);
        assert!(file.notes.is_empty(), "{:?}", file.notes);
        assert_eq!(profile_of(&file.bytes).as_deref(), crop.icc_profile.as_deref());
        assert_eq!(png_chunk(&file.bytes, *b"pHYs").expect("a resolution")[..4], 984_u32.to_be_bytes());
        assert!(png_chunk(&file.bytes, *b"eXIf").is_none() && png_chunk(&file.bytes, *b"iTXt").is_none());
        let sheet = read(&file.bytes).into_rgb16();
        let whole = read(&encode(&crop, &super::spec(OutputFormat::Png)).bytes).into_rgb16();
        for place in layout(SheetFormat::Png).copies() {
            let copy = image::imageops::crop_imm(&sheet, place.x as u32, place.y as u32, place.width, place.height);
            assert!(copy.to_image() == whole, "{channels:?} {deep}");
        }
    }
}

#[test]
fn jpeg_sheet_has_resolution_and_shows_paper_under_transparency() {
    let file = sheet_of(&flat(Channels::Rgba, &[200, 0, 0, 0]), SheetFormat::Jpeg, &spec(OutputFormat::Png));
    assert!(segments(&file.bytes).iter().all(|(marker, _)| ![0xE1, 0xED].contains(marker)), "no metadata");
    let (_, header) = segments(&file.bytes).into_iter().next().expect("JFIF");
    assert_eq!(header[7..12], [1, 0, 25, 0, 25], "25 dots an inch");
    let sheet = read(&file.bytes).into_rgb8();
    assert_eq!(sheet.dimensions(), (layout(SheetFormat::Jpeg).size().width, layout(SheetFormat::Jpeg).size().height));
    let place = layout(SheetFormat::Jpeg).copies()[2];
    assert!(sheet.get_pixel(place.x as u32 + 20, place.y as u32 + 12).0.iter().all(|sample| *sample > 250));
}

#[test]
fn pdf_has_one_page_with_one_image_at_its_true_size() {
    let crop = slope(Channels::Rgb, false);
    let layout = layout(SheetFormat::Pdf);
    let pdf = sheet_of(&crop, SheetFormat::Pdf, &spec(OutputFormat::Jpeg)).bytes;
    let content = text(&pdf);
    // 10 x 15 cm, 72 points per 25.4 mm.
    let [width, height] = layout.size_mm().map(|mm| mm * 72.0 / 25.4);
    let page = content.split("/MediaBox [0 0 ").nth(1).expect("a page").split(']').next().expect("closed");
    let page: Vec<f64> = page.split(' ').map(|number| number.parse().expect("a number")).collect();
    assert!((page[0] - width).abs() < 1e-3 && (page[1] - height).abs() < 1e-3, "{page:?}");
    assert_eq!(content.matches("/Subtype /Image").count(), 1);
    assert!(content.contains("/PrintScaling /None"));
    let (_, drawing) = stream(&pdf, 4);
    let places = operands(&drawing, "cm");
    assert_eq!((places.len(), text(&drawing).matches("/Crop Do").count()), (5, 5));
    for (place, copy) in places.iter().zip(layout.copies()) {
        let points = |pixels: i64| pixels as f64 * 72.0 / 25.0;
        let bottom = height - points(i64::from(copy.y) + i64::from(copy.height));
        let wanted = [points(40), 0.0, 0.0, points(24), points(copy.x.into()), bottom];
        assert!(place.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-3), "{place:?} {wanted:?}");
    }
    assert_eq!(operands(&drawing, "re").len(), layout.marks().len());
    for secret in ["Date", "/Producer", "/Title", "/Author", "/ID"] {
        assert!(!content.contains(secret), "{secret}");
    }
    assert_eq!(pdf, sheet_of(&crop, SheetFormat::Pdf, &spec(OutputFormat::Jpeg)).bytes, "the same again");
}

#[test]
fn pdf_image_is_a_jpeg_or_lossless() {
    for channels in [Channels::Rgb, Channels::L] {
        let crop = slope(channels, false);
        let (dictionary, data) = stream(&sheet_of(&crop, SheetFormat::Pdf, &spec(OutputFormat::Jpeg)).bytes, 5);
        assert!(dictionary.contains("/Filter /DCTDecode"), "{dictionary}");
        assert_eq!(read(&data).color().has_color(), !channels.is_grey());
        let (dictionary, data) = stream(&sheet_of(&crop, SheetFormat::Pdf, &spec(OutputFormat::Png)).bytes, 5);
        assert!(dictionary.contains("/Filter /FlateDecode") && dictionary.contains("/Predictor 15"), "{dictionary}");
        // Rebuilds a PNG with the same compressed data: header, data and end.
        let mut file = Vec::new();
        let mut header = ::png::Encoder::new(&mut file, SIZE.width, SIZE.height);
        header.set_color(if channels.is_grey() { ::png::ColorType::Grayscale } else { ::png::ColorType::Rgb });
        let mut writer = header.write_header().expect("writes");
        writer.write_chunk(::png::chunk::IDAT, &data).expect("writes");
        drop(writer);
        assert_eq!(read(&file).as_bytes(), crop.pixels.as_u8().expect("8 bits"));
    }
}

#[test]
fn pdf_has_a_colour_profile() {
    for (channels, profile, name) in [
        (Channels::Rgb, Some(display_p3()), "P3"),
        (Channels::Rgb, None, "sRGB"),
        (Channels::L, Some(grey_gamma(1.8)), "gamma 1.8"),
        (Channels::L, None, "the curve of sRGB"),
    ] {
        let crop = Crop { icc_profile: profile.clone(), ..slope(channels, false) };
        let pdf = sheet_of(&crop, SheetFormat::Pdf, &spec(OutputFormat::Jpeg)).bytes;
        assert!(stream(&pdf, 5).0.contains("/ColorSpace [/ICCBased 6 0 R]"), "{name}");
        let (dictionary, data) = stream(&pdf, 6);
        assert!(dictionary.contains(&format!("/N {}", channels.count())), "{name}: {dictionary}");
        match profile {
            Some(profile) => assert_eq!(data, *profile, "{name}"),
            None => {
                // It is the identity if no conversion is needed, and has the fixed date of all generated profiles.
                assert_eq!(crate::to_srgb(crop.pixels.clone(), Some(&data)), crop.pixels, "{name}");
                ColorProfile::new_from_slice(&data).expect("a profile");
                assert_eq!(data[24..26], 2025_u16.to_be_bytes(), "{name}");
            }
        }
    }
    let crop = Crop { icc_profile: Some(display_p3()), ..slope(Channels::Rgb, false) };
    let srgb = EncodeSpec { color: ColorPolicy::Srgb, ..spec(OutputFormat::Jpeg) };
    assert_ne!(stream(&sheet_of(&crop, SheetFormat::Pdf, &srgb).bytes, 6).1, *display_p3());
}

#[test]
fn pdf_has_eight_bits_and_no_alpha() {
    let file = sheet_of(&slope(Channels::Rgba, true), SheetFormat::Pdf, &spec(OutputFormat::Png));
    assert_eq!(messages(&file.notes), ["16 bits reduced to 8"]);
    let (dictionary, _) = stream(&file.bytes, 5);
    assert!(dictionary.contains("/BitsPerComponent 8") && dictionary.contains("/Colors 3"), "{dictionary}");
    assert!(!dictionary.contains("SMask"));
}

#[test]
fn sheet_layout_of_another_size_is_rejected() {
    let other = SheetSpec::default().layout(Size::new(41, 24), 25).expect("fits");
    for format in SheetFormat::ALL {
        let refused = encode_sheet(&slope(Channels::L, false), &other, format, &spec(OutputFormat::Jpeg));
        let message = refused.expect_err("refused").to_string();
        assert!(message.contains(format.name()) && message.contains("41 x 24"), "{message}");
    }
}
