//! PDF encoder: one page of the paper's exact size with the crop stored once and drawn at every position.

use std::borrow::Cow;

use pdf_writer::types::Predictor;
use pdf_writer::{Content as Page, Filter, Finish, Name, Pdf, Rect, Ref, TextStr};

use recipe::{EncodeSpec, SheetLayout};

use super::{Content, jpeg, png};
use crate::{Crop, srgb_profile};

/// Points per inch: the unit of PDF.
const POINTS_PER_INCH: f64 = 72.0;

/// Millimetres per inch.
const MM_PER_INCH: f64 = 25.4;

/// The grey of cut marks, 0 black to 1 white.
const MARK_GREY: f32 = 0.5;

const CROP: Name<'_> = Name(b"Crop");

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const IMAGE: Ref = Ref::new(5);
const PROFILE: Ref = Ref::new(6);
const INFO: Ref = Ref::new(7);

/// Encodes 8-bit pixels without alpha.
///
/// The file contains neither date nor producer, so that the same crop always yields the same bytes, and asks viewers
/// not to scale it for printing. Its colours are tagged with a profile: without one a printer would assume its own.
pub(super) fn encode(crop: &Crop, layout: &SheetLayout, spec: &EncodeSpec, lossless: bool) -> Result<Vec<u8>, String> {
    let size = crop.size();
    if size != layout.copy_size() {
        return Err(format!(
            "the sheet is laid out for crops of {} pixels and this one has {size}",
            layout.copy_size()
        ));
    }
    let channels = crop.pixels.channels();
    let count = channels.count() as i32;
    let image = image_data(crop, spec, lossless)?;
    let mut pdf = Pdf::with_capacity(image.len() + 16 * 1024);

    let mut catalog = pdf.catalog(CATALOG);
    catalog.pages(PAGES);
    catalog.viewer_preferences().pair(Name(b"PrintScaling"), Name(b"None"));
    catalog.finish();
    pdf.document_info(INFO).creator(TextStr("Iron Cropper"));
    pdf.pages(PAGES).kids([PAGE]).count(1);

    let [width, height] = layout.size_mm().map(|mm| mm * POINTS_PER_INCH / MM_PER_INCH);
    let mut page = pdf.page(PAGE);
    page.parent(PAGES).media_box(Rect::new(0.0, 0.0, width as f32, height as f32)).contents(CONTENT);
    page.resources().x_objects().pair(CROP, IMAGE);
    page.finish();
    pdf.stream(CONTENT, &page_content(layout, height));

    let mut object = pdf.image_xobject(IMAGE, &image);
    object.width(size.width as i32).height(size.height as i32).bits_per_component(8);
    let profile = crop.icc_profile.as_deref().map(Cow::Borrowed);
    let profile = profile.or_else(|| srgb_profile(channels.is_grey()).map(Cow::Owned));
    match (&profile, channels.is_grey()) {
        (Some(_), _) => object.color_space().icc_based(PROFILE),
        (None, true) => object.color_space().device_gray(),
        (None, false) => object.color_space().device_rgb(),
    }
    if lossless {
        object.filter(Filter::FlateDecode);
        let mut rows = object.decode_parms();
        rows.predictor(Predictor::PngOptimum).colors(count).bits_per_component(8).columns(size.width as i32);
    } else {
        object.filter(Filter::DctDecode);
    }
    object.finish();
    if let Some(profile) = &profile {
        let mut object = pdf.icc_profile(PROFILE, profile);
        object.n(count);
        if channels.is_grey() { object.alternate().device_gray() } else { object.alternate().device_rgb() }
    }
    Ok(pdf.finish())
}

/// The page content: the crop at its positions, then the marks. The origin of PDF is the lower left corner.
fn page_content(layout: &SheetLayout, height: f64) -> Vec<u8> {
    let points = |pixels: f64| pixels * POINTS_PER_INCH / f64::from(layout.dpi());
    let rect = |x: i32, y: i32, across: u32, down: u32| {
        let (across, down) = (points(across.into()), points(down.into()));
        [points(x.into()), height - points(y.into()) - down, across, down].map(|length| length as f32)
    };
    let mut page = Page::new();
    for place in layout.copies() {
        let [x, y, across, down] = rect(place.x, place.y, place.width, place.height);
        page.save_state().transform([across, 0.0, 0.0, down, x, y]).x_object(CROP).restore_state();
    }
    page.set_fill_gray(MARK_GREY);
    for place in layout.marks() {
        let [x, y, across, down] = rect(place.x, place.y, place.width, place.height);
        page.rect(x, y, across, down);
    }
    page.fill_nonzero();
    page.finish().to_vec()
}

/// The crop as a PDF image: a JPEG, or without loss the compressed data of a PNG, which PDF supports too.
fn image_data(crop: &Crop, spec: &EncodeSpec, lossless: bool) -> Result<Vec<u8>, String> {
    let pixels = Cow::Borrowed(&crop.pixels);
    let bare = Content { pixels, profile: None, marked_srgb: false, embedded: Default::default(), dpi: spec.dpi };
    if !lossless {
        return jpeg::encode(&bare, spec.subsampling, false, spec.quality);
    }
    let file = png::encode(&bare, spec.compression)?;
    let file = img_parts::png::Png::from_bytes(file.into()).map_err(|error| error.to_string())?;
    Ok(file.chunks_by_type(*b"IDAT").flat_map(|chunk| chunk.contents().to_vec()).collect())
}
