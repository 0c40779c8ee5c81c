//! Contact sheets as PDF, read as text: drawings are not compared.

use geometry::Size;

use super::*;
use crate::PackageCrop;
use crate::crop::test_crop;

fn sheet(classes: &[(&str, usize)], size: [u32; 2]) -> String {
    let crop = |_| PackageCrop { size, ..test_crop("a.jpg", &[]) };
    let crops = (0..classes.iter().map(|(_, count)| count).sum()).map(crop).collect();
    let mut pdf = PdfSheet::new(&Package { title: "Crops".to_owned(), crops });
    let picture = Thumbnail { bytes: b"JPEG".to_vec(), size: Size::new(size[0], size[1]) };
    for (class, count) in classes {
        pdf.class(class, *count);
        for number in 0..*count {
            let caption = Caption { name: format!("Name {number}"), file: Some("a.jpg".to_owned()) };
            pdf.crop(&caption, Some(&picture));
        }
    }
    let (bytes, undrawn) = pdf.finish();
    assert!(undrawn.is_empty());
    String::from_utf8_lossy(&bytes).into_owned()
}

fn pages(pdf: &str) -> usize {
    pdf.matches("/Type /Page\n").count()
}

#[test]
fn thirty_portraits_fit_on_a_page() {
    assert_eq!(pages(&sheet(&[("3b", 30)], [400, 500])), 1);
    assert_eq!(pages(&sheet(&[("3b", 31)], [400, 500])), 2);
    assert_eq!(pages(&sheet(&[("", 36)], [400, 400])), 1, "squares need less height");
    assert_eq!(pages(&sheet(&[], [400, 400])), 1, "a sheet without crops is a valid file");
}

#[test]
fn a_class_is_kept_on_one_page_if_it_fits() {
    assert_eq!(pages(&sheet(&[("a", 12), ("b", 12)], [400, 500])), 1);
    assert_eq!(pages(&sheet(&[("a", 18), ("b", 18)], [400, 500])), 2);
    // A class longer than a page begins on the same page.
    assert_eq!(pages(&sheet(&[("a", 6), ("b", 48)], [400, 500])), 2);
}

#[test]
fn every_picture_is_stored_once_and_named_on_its_page() {
    let pdf = sheet(&[("a", 40)], [400, 500]);
    assert_eq!(pdf.matches("/Subtype /Image").count(), 40);
    assert_eq!(pdf.matches("/DCTDecode").count(), 40);
    assert!(pdf.contains("/BaseFont /Helvetica") && pdf.contains("/Title (Crops)"));
}

#[test]
fn names_with_characters_that_no_font_has_are_returned() {
    let crop = test_crop("a.jpg", &[]);
    let mut pdf = PdfSheet::new(&Package { title: "Crops".to_owned(), crops: vec![crop] });
    pdf.class("", 2);
    for name in ["Anna \u{10fffd} with a name that is too long for two lines of the cell", "Ben"] {
        pdf.crop(&Caption { name: name.to_owned(), file: None }, None);
    }
    let (_, undrawn) = pdf.finish();
    assert_eq!(undrawn, ["Anna \u{10fffd} with a name that is too long for two lines of the cell"]);
}
