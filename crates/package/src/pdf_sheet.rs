//! Contact sheets as a PDF.
//!
//! Pages are as wide as A4 and as high as US Letter, so that they fit both without scaling. A class is kept on one page if it
//! fits on one. Names in Western European languages are set in Helvetica, which every viewer has; for others, the used glyphs
//! of a font of this system are embedded.

mod embed;
mod helvetica;
mod system_fonts;
mod typesetter;

use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, TextStr};

use self::embed::{compressed, embed};
use self::typesetter::{HELVETICA, Line, Typesetter, resource_name};
use crate::contact::Caption;
use crate::{Package, Thumbnail};

// All lengths are in points, 72 per inch.
const PAGE: [f32; 2] = [595.28, 792.0];
const MARGIN: f32 = 28.0;
const COLUMNS: usize = 6;
const COLUMN_GAP: f32 = 8.0;
const ROW_GAP: f32 = 5.0;
const CELL: f32 = (PAGE[0] - 2.0 * MARGIN - (COLUMNS - 1) as f32 * COLUMN_GAP) / COLUMNS as f32;
const NAME_SIZE: f32 = 7.5;
/// Sizes of a name, until it fits.
const NAME_SIZES: [f32; 3] = [NAME_SIZE, 6.5, 5.5];
const NAME_LINES: usize = 2;
const NAME_LEADING: f32 = 8.75;
const FILE_SIZE: f32 = 5.5;
/// Height of the text below a picture.
const TEXT: f32 = 2.0 + NAME_LINES as f32 * NAME_LEADING + FILE_SIZE + 1.5;
const HEADING_SIZE: f32 = 12.0;
/// Height of the name of a class.
const HEADING: f32 = HEADING_SIZE + 8.0;
const FOOTER_SIZE: f32 = 7.0;
/// Height of title and page number.
const FOOTER: f32 = FOOTER_SIZE + 4.0;
const BOTTOM: f32 = MARGIN + FOOTER;
const TOP: f32 = PAGE[1] - MARGIN;

/// Maximum number of names with missing characters that are returned.
const MAX_UNDRAWN: usize = 5;

/// Grey of file names and page numbers, 0 black to 1 white.
const GREY: f32 = 0.4;

/// Builds a contact sheet as a PDF, crop by crop.
pub(crate) struct PdfSheet {
    pdf: Pdf,
    next: Ref,
    typesetter: Typesetter,
    title: String,
    /// Height of a picture.
    picture: f32,
    pages: Vec<Page>,
    /// Lower edge of what is drawn on the last page.
    y: f32,
    /// The next column of the current row; [`COLUMNS`] if a new row begins.
    column: usize,
    class: Line,
    /// The first names with characters that no font has.
    undrawn: Vec<String>,
}

struct Page {
    content: Content,
    images: Vec<Ref>,
}

impl PdfSheet {
    pub(crate) fn new(package: &Package) -> Self {
        let ratios = package.crops.iter().map(|crop| crop.size[1] as f32 / crop.size[0].max(1) as f32);
        let ratio = ratios.fold(0.5_f32, f32::max).min(1.5);
        Self {
            pdf: Pdf::new(),
            next: Ref::new(1),
            typesetter: Typesetter::default(),
            title: package.title.clone(),
            picture: CELL * ratio,
            pages: Vec::new(),
            y: 0.0,
            column: COLUMNS,
            class: Line::default(),
            undrawn: Vec::new(),
        }
    }

    fn row(&self) -> f32 {
        self.picture + TEXT + ROW_GAP
    }

    /// Begins a class of `crops` crops; an empty name gets no heading.
    pub(crate) fn class(&mut self, class: &str, crops: usize) {
        let heading = if class.is_empty() { String::new() } else { format!("{class} ({crops})") };
        let (mut lines, _) = self.typesetter.fitted(&heading, PAGE[0] - 2.0 * MARGIN, 1, &[HEADING_SIZE]);
        self.class = lines.pop().unwrap_or_default();
        self.column = COLUMNS;
        let whole = self.heading() + crops.div_ceil(COLUMNS) as f32 * self.row();
        let fits_a_page = whole <= TOP - BOTTOM;
        let needed = if fits_a_page { whole } else { self.heading() + self.row() };
        if self.pages.is_empty() || self.y - needed < BOTTOM {
            self.begin_page();
        } else {
            self.draw_heading();
        }
    }

    /// Height of the heading of this class.
    fn heading(&self) -> f32 {
        if self.class.width > 0.0 { HEADING } else { 0.0 }
    }

    fn begin_page(&mut self) {
        self.pages.push(Page { content: Content::new(), images: Vec::new() });
        self.y = TOP;
        self.draw_heading();
    }

    fn draw_heading(&mut self) {
        if let Some(page) = self.pages.last_mut().filter(|_| self.class.width > 0.0) {
            page.content.set_fill_gray(0.0);
            self.class.draw(&mut page.content, HEADING_SIZE, MARGIN, self.y - HEADING_SIZE);
            self.y -= HEADING;
        }
    }

    /// Adds a crop to the class; without a picture, a frame is drawn in its place.
    pub(crate) fn crop(&mut self, caption: &Caption, picture: Option<&Thumbnail>) {
        if self.column == COLUMNS {
            if self.pages.is_empty() || self.y - self.row() < BOTTOM - 0.01 {
                self.begin_page();
            }
            self.column = 0;
            self.y -= self.row();
        }
        let left = MARGIN + self.column as f32 * (CELL + COLUMN_GAP);
        self.column += 1;
        let bottom = self.y + ROW_GAP + TEXT;
        let image = picture.map(|picture| self.image(picture));
        let (names, name_size) = self.typesetter.fitted(&caption.name, CELL, NAME_LINES, &NAME_SIZES);
        let file = caption.file.as_deref().map(|file| self.typesetter.fitted(file, CELL, 1, &[FILE_SIZE]).0);
        if std::mem::take(&mut self.typesetter.has_replaced)
            && self.undrawn.len() < MAX_UNDRAWN
            && !self.undrawn.contains(&caption.name)
        {
            self.undrawn.push(caption.name.clone());
        }
        let Some(page) = self.pages.last_mut() else { return };
        match (image, picture) {
            (Some(image), Some(Thumbnail { size, .. })) => {
                let (width, height) = (size.width.max(1) as f32, size.height.max(1) as f32);
                let scale = (CELL / width).min(self.picture / height);
                let (width, height) = (width * scale, height * scale);
                let place = [width, 0.0, 0.0, height, left + (CELL - width) / 2.0, bottom];
                let name = image_name(image);
                page.content.save_state().transform(place).x_object(Name(name.as_bytes())).restore_state();
                page.images.push(image);
            }
            _ => {
                page.content.set_stroke_gray(GREY).set_line_width(0.5);
                page.content.rect(left, bottom, CELL, self.picture).stroke();
            }
        }
        let mut y = bottom - 2.0 - NAME_SIZE;
        page.content.set_fill_gray(0.0);
        for line in &names {
            line.draw(&mut page.content, name_size, left + (CELL - line.width * name_size) / 2.0, y);
            y -= NAME_LEADING;
        }
        page.content.set_fill_gray(GREY);
        for line in file.iter().flatten() {
            line.draw(&mut page.content, FILE_SIZE, left + (CELL - line.width * FILE_SIZE) / 2.0, y + 2.0);
        }
    }

    fn image(&mut self, picture: &Thumbnail) -> Ref {
        let id = self.next.bump();
        let mut image = self.pdf.image_xobject(id, &picture.bytes);
        image.width(picture.size.width as i32).height(picture.size.height as i32).bits_per_component(8);
        image.color_space().device_rgb();
        image.filter(Filter::DctDecode);
        id
    }

    /// The file, and the first names with characters that no font has.
    ///
    /// It contains no date, so that the same crops always yield the same bytes.
    pub(crate) fn finish(mut self) -> (Vec<u8>, Vec<String>) {
        if self.pages.is_empty() {
            self.begin_page();
        }
        let (mut lines, _) = self.typesetter.fitted(&self.title, (PAGE[0] - 2.0 * MARGIN) * 0.8, 1, &[FOOTER_SIZE]);
        let title = lines.pop().unwrap_or_default();
        let count = self.pages.len();
        let (pdf, next) = (&mut self.pdf, &mut self.next);
        let [catalog, tree, helvetica] = [next.bump(), next.bump(), next.bump()];
        let ids: Vec<(Ref, Ref)> = (0..count).map(|_| (next.bump(), next.bump())).collect();
        let mut fonts = vec![(HELVETICA.0.to_vec(), helvetica)];
        pdf.type1_font(helvetica).base_font(Name(b"Helvetica")).encoding_predefined(Name(b"WinAnsiEncoding"));
        for (number, (font, used)) in self.typesetter.used.iter().enumerate() {
            let id = next.bump();
            embed(pdf, id, &mut || next.bump(), (number, self.typesetter.fonts.get(*font)), used);
            fonts.push((resource_name(*font).into_bytes(), id));
        }
        pdf.catalog(catalog).pages(tree);
        let info = next.bump();
        pdf.document_info(info).title(TextStr(&self.title)).creator(TextStr("Iron Cropper"));
        pdf.pages(tree).kids(ids.iter().map(|(page, _)| *page)).count(count as i32);
        for (number, (Page { mut content, images }, (id, content_id))) in (1..).zip(self.pages.into_iter().zip(ids)) {
            content.set_fill_gray(GREY);
            title.draw(&mut content, FOOTER_SIZE, MARGIN, MARGIN);
            let number = self.typesetter.line(&format!("{number} / {count}"));
            number.draw(&mut content, FOOTER_SIZE, PAGE[0] - MARGIN - number.width * FOOTER_SIZE, MARGIN);
            let packed = compressed(&content.finish());
            pdf.stream(content_id, &packed).filter(Filter::FlateDecode);
            let mut page = pdf.page(id);
            page.parent(tree).media_box(Rect::new(0.0, 0.0, PAGE[0], PAGE[1])).contents(content_id);
            let mut resources = page.resources();
            let mut listed = resources.x_objects();
            images.iter().for_each(|image| _ = listed.pair(Name(image_name(*image).as_bytes()), *image));
            listed.finish();
            let mut listed = resources.fonts();
            fonts.iter().for_each(|(name, id)| _ = listed.pair(Name(name), *id));
            listed.finish();
        }
        (self.pdf.finish(), self.undrawn)
    }
}

fn image_name(image: Ref) -> String {
    format!("I{}", image.get())
}

#[cfg(test)]
mod tests;
