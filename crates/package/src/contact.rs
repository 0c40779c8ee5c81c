//! Contact sheets: every crop with its name, class by class.

use std::collections::HashMap;
use std::io::{self, Write};

use cancel::CancelToken;

use crate::html_sheet::HtmlSheet;
use crate::pdf_sheet::PdfSheet;
use crate::person::{class_of, name_of};
use crate::{Package, PackageCrop, thumbnail};

/// Longer side of a picture in pixels: about 200 per inch in print.
const SIDE: u32 = 288;

/// The crops of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Class<'a> {
    /// Its name; empty for crops without a class.
    pub(crate) name: &'a str,
    pub(crate) crops: Vec<&'a PackageCrop>,
}

/// The text below a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caption {
    pub(crate) name: String,
    /// The file name, if it says more than the name.
    pub(crate) file: Option<String>,
}

impl Caption {
    fn of(crop: &PackageCrop) -> Self {
        let name = name_of(crop);
        let file = (crop.stem() != name).then(|| crop.folder_and_name().1.to_owned());
        Self { name, file }
    }
}

/// What a contact sheet lacks.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SheetNotes {
    /// Number of crops that could not be read, which are listed without a picture.
    pub without_picture: usize,
    /// Names with characters that no font has: in the PDF, `?` stands for them.
    pub undrawn: Vec<String>,
}

/// Writes the contact sheets of `package`: a web page to `html`, and a PDF, which is returned as bytes if `pdf` is true.
///
/// The pictures of both are made once and held one at a time, except for the bytes of the PDF: about 15 kB for each crop.
///
/// # Errors
/// `html` cannot be written, or the work was cancelled.
pub fn write_contact_sheets(
    package: &Package,
    html: Option<&mut dyn Write>,
    pdf: bool,
    cancel: &CancelToken,
) -> io::Result<(Option<Vec<u8>>, SheetNotes)> {
    let mut notes = SheetNotes::default();
    let mut html = html.map(|out| HtmlSheet::begin(out, &package.title)).transpose()?;
    let mut pdf = pdf.then(|| PdfSheet::new(package));
    for class in classes(package) {
        if let Some(html) = &mut html {
            html.class(class.name, class.crops.len())?;
        }
        if let Some(pdf) = &mut pdf {
            pdf.class(class.name, class.crops.len());
        }
        for crop in class.crops {
            if cancel.is_cancelled() {
                return Err(io::Error::other("cancelled"));
            }
            let picture = thumbnail(&crop.path, SIDE);
            notes.without_picture += usize::from(picture.is_none());
            let caption = Caption::of(crop);
            if let Some(html) = &mut html {
                html.crop(crop, &caption, picture.as_ref())?;
            }
            if let Some(pdf) = &mut pdf {
                pdf.crop(&caption, picture.as_ref());
            }
        }
    }
    html.map(HtmlSheet::finish).transpose()?;
    let pdf = pdf.map(|pdf| {
        let (bytes, undrawn) = pdf.finish();
        notes.undrawn = undrawn;
        bytes
    });
    Ok((pdf, notes))
}

/// The crops by class, without those of paired files: classes and crops in the order of the index.
pub(crate) fn classes(package: &Package) -> Vec<Class<'_>> {
    let mut classes: Vec<Class<'_>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for crop in package.crops.iter().filter(|crop| !crop.is_paired) {
        let name = class_of(crop);
        let at = *known.entry(name).or_insert_with(|| {
            classes.push(Class { name, crops: Vec::new() });
            classes.len() - 1
        });
        classes[at].crops.push(crop);
    }
    classes
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::crop::test_crop;

    pub(crate) fn saved(folder: &Path, file: &str, row: &[(&str, &str)], size: [u32; 2]) -> PackageCrop {
        let path = folder.join(file.replace('/', "_"));
        let picture = image::RgbImage::from_fn(size[0], size[1], |x, y| image::Rgb([x as u8, y as u8, 90]));
        picture.save(&path).expect("saved");
        PackageCrop { path, size, ..test_crop(file, row) }
    }

    #[test]
    fn crops_are_grouped_by_class_in_the_order_of_the_index() {
        let crops = vec![
            test_crop("b/1.jpg", &[("Class", "3b")]),
            test_crop("a/2.jpg", &[]),
            test_crop("x/3.jpg", &[("Class", "3b")]),
            PackageCrop { is_paired: true, ..test_crop("mask.jpg", &[]) },
            test_crop("4.jpg", &[]),
        ];
        let package = Package { crops, ..Package::default() };
        let groups: Vec<(&str, Vec<&str>)> = classes(&package)
            .iter()
            .map(|class| (class.name, class.crops.iter().map(|crop| crop.file.as_str()).collect()))
            .collect();
        assert_eq!(groups, [("3b", vec!["b/1.jpg", "x/3.jpg"]), ("a", vec!["a/2.jpg"]), ("", vec!["4.jpg"])]);
    }

    #[test]
    fn the_page_shows_every_crop_with_its_name_and_links_to_it() {
        let folder = tempfile::tempdir().expect("created");
        let mut crops = vec![
            saved(folder.path(), "3b/00007.png", &[("Name", "<Zoë> & Co"), ("Class", "3 <b>")], [40, 50]),
            saved(folder.path(), "Ben Ott.png", &[], [600, 300]),
        ];
        crops.push(PackageCrop { path: "missing".into(), ..test_crop("gone.jpg", &[]) });
        let package = Package { title: "Out & in".to_owned(), crops };
        let mut page = Vec::new();
        let (pdf, notes) =
            write_contact_sheets(&package, Some(&mut page), false, &CancelToken::new()).expect("written");
        assert_eq!((pdf, notes), (None, SheetNotes { without_picture: 1, undrawn: Vec::new() }));
        let page = String::from_utf8(page).expect("text");
        assert!(page.contains("<title>Out &amp; in</title>"), "{page}");
        assert!(page.contains("<h2 dir=\"auto\">3 &lt;b&gt; (1)</h2>"), "{page}");
        assert!(page.contains("<a href=\"./3b/00007.png\"><img src=\"data:image/jpeg;base64,/9j/"), "{page}");
        assert!(page.contains("width=\"40\" height=\"50\"") && page.contains("width=\"288\" height=\"144\""), "{page}");
        assert!(page.contains("&lt;Zoë&gt; &amp; Co<small dir=\"auto\">00007.png</small>"), "{page}");
        assert!(page.contains("\">Ben Ott</figcaption>"), "the file name says nothing more: {page}");
        assert!(page.contains("<a href=\"./gone.jpg\">gone.jpg</a>"), "{page}");
        assert_eq!(page.matches("<main>").count(), page.matches("</main>").count());
    }

    #[test]
    fn cancelling_ends_the_work() {
        let package = Package { crops: vec![test_crop("a.jpg", &[])], ..Package::default() };
        let cancel = CancelToken::new();
        cancel.cancel();
        assert!(write_contact_sheets(&package, None, true, &cancel).is_err());
    }
}
