//! Sheets with manually computed layouts, and properties of all layouts.

use geometry::PixelRect;

use super::*;

/// 35 x 45 mm at 300 dpi.
const PASSPORT: Size = Size::new(413, 531);
/// 51 x 51 mm at 300 dpi.
const SQUARE: Size = Size::new(602, 602);

fn on(paper: Paper) -> SheetSpec {
    SheetSpec { paper, ..SheetSpec::default() }
}

fn layout_of(spec: SheetSpec, crop: Size) -> SheetLayout {
    spec.layout(crop, 300).expect("fits")
}

fn ends(rect: &PixelRect) -> [i64; 4] {
    let (x, y) = (i64::from(rect.x), i64::from(rect.y));
    [x, y, x + i64::from(rect.width), y + i64::from(rect.height)]
}

fn overlap(a: &PixelRect, b: &PixelRect) -> bool {
    let ([left, top, right, bottom], [from, above, to, below]) = (ends(a), ends(b));
    left < to && from < right && top < below && above < bottom
}

#[test]
fn eight_passport_photos_fit_on_a_postcard() {
    let layout = layout_of(on(Paper::Photo10x15), PASSPORT);
    // 150 x 100 mm in landscape orientation: in portrait orientation 2 x 3 would fit.
    assert_eq!((layout.size(), layout.size_mm()), (Size::new(1772, 1181), [150.0, 100.0]));
    assert_eq!((layout.copies().len(), layout.fits(), layout.dpi()), (8, 8, 300));
    // A gap of 1 mm is 12 pixels: 4 x 413 + 3 x 12 = 1688 and 2 x 531 + 12 = 1074.
    let (left, top) = ((1772 - 1688) / 2, (1181 - 1074) / 2);
    assert_eq!(layout.copies()[0], PixelRect::new(left, top, 413, 531));
    assert_eq!(layout.copies()[3], PixelRect::new(left + 3 * 425, top, 413, 531));
    assert_eq!(layout.copies()[7], PixelRect::new(left + 3 * 425, top + 543, 413, 531));
}

#[test]
fn four_by_six_inches_fit_two_squares_and_six_without_a_margin() {
    let layout = layout_of(on(Paper::Photo4x6), SQUARE);
    assert_eq!((layout.size(), layout.copies().len()), (Size::new(1200, 1800), 2));
    // 1800 minus twice 602 and a gap of 12.
    assert_eq!(layout.copies()[1], PixelRect::new(299, 292 + 614, 602, 602));
    // Exactly two inches, edge to edge.
    let bare = SheetSpec { margin_mm: Some(0.0), gap_mm: 0.0, ..on(Paper::Photo4x6) };
    let layout = layout_of(bare, Size::new(600, 600));
    assert_eq!(layout.copies().len(), 6);
    assert!(layout.marks().is_empty(), "there is no space for them: {:?}", layout.marks());
}

#[test]
fn a4_in_portrait_orientation_fits_thirty_passport_photos() {
    let layout = layout_of(on(Paper::A4), PASSPORT);
    assert_eq!((layout.size(), layout.size_mm()), (Size::new(2480, 3508), [210.0, 297.0]));
    assert_eq!(layout.copies().len(), 30);
    let margin = 94;
    assert!(layout.copies().iter().map(ends).all(|[left, top, right, bottom]| {
        left >= margin && top >= margin && right <= 2480 - margin && bottom <= 3508 - margin
    }));
}

#[test]
fn fewer_copies_form_even_rows_in_the_middle() {
    let places = |copies| {
        let layout = layout_of(SheetSpec { copies: Some(copies), ..on(Paper::Photo10x15) }, PASSPORT);
        assert_eq!(layout.copies().len(), copies as usize);
        layout.copies().iter().map(|copy| (copy.x, copy.y)).collect::<Vec<_>>()
    };
    assert_eq!(places(1), [((1772 - 413) / 2, (1181 - 531) / 2)]);
    let three = (1772 - (3 * 425 - 12)) / 2;
    assert_eq!(places(5), [(three, 53), (three + 425, 53), (three + 850, 53), (three, 596), (three + 425, 596)]);
}

#[test]
fn marks_and_copies_never_overlap_or_leave_the_paper() {
    let mut tried = 0;
    for paper in Paper::ALL {
        for (margin_mm, gap_mm) in [(None, 1.0), (Some(0.0), 0.0), (Some(0.0), 0.05), (Some(10.0), 7.0)] {
            for (crop, dpi) in [(PASSPORT, 300), (SQUARE, 300), (Size::new(827, 1063), 600), (Size::new(30, 40), 25)] {
                for copies in [None, Some(1), Some(2)] {
                    let spec = SheetSpec { margin_mm, gap_mm, copies, ..on(paper) };
                    let Ok(layout) = spec.layout(crop, dpi) else { continue };
                    tried += 1;
                    let paper = layout.size();
                    let whole = PixelRect::new(0, 0, paper.width, paper.height);
                    let all = layout.copies().iter().chain(layout.marks());
                    assert!(all.clone().all(|rect| rect.clipped_to(paper) == Some(*rect)), "{spec:?} beyond {whole:?}");
                    for (index, copy) in layout.copies().iter().enumerate() {
                        let others = layout.copies()[index + 1..].iter().chain(layout.marks());
                        assert!(others.clone().all(|other| !overlap(copy, other)), "{spec:?} of {crop} at {dpi} dpi");
                    }
                }
            }
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn each_corner_has_a_mark_on_either_side() {
    let layout = layout_of(on(Paper::Photo10x15), PASSPORT);
    let starts_at = |x: i64, y: i64| {
        let touching = |mark: &&PixelRect| {
            let [left, top, right, bottom] = ends(mark);
            (x == left || x == right) && (y == top || y == bottom)
        };
        let marks: Vec<_> = layout.marks().iter().filter(touching).collect();
        marks.iter().any(|mark| mark.width > mark.height) && marks.iter().any(|mark| mark.height > mark.width)
    };
    for [left, top, right, bottom] in layout.copies().iter().map(ends) {
        for (x, y) in [(left, top), (right, top), (left, bottom), (right, bottom)] {
            assert!(starts_at(x, y), "{x} {y}");
        }
    }
    // Between two rows of four there are eight vertical marks of the gap's length; 3 mm are 35 pixels.
    let [_, _, _, row_end] = ends(&layout.copies()[0]);
    let between = layout.marks().iter().filter(|mark| i64::from(mark.y) == row_end && mark.height == 12);
    assert_eq!(between.filter(|mark| mark.width == 1).count(), 8);
    let above = layout.marks().iter().filter(|mark| mark.y + mark.height as i32 == 53 && mark.height == 35);
    assert_eq!(above.count(), 8);
    assert!(layout_of(SheetSpec { cut_marks: false, ..on(Paper::A4) }, PASSPORT).marks().is_empty());
}

#[test]
fn impossible_layouts_are_rejected_with_a_message() {
    let rejected = |spec: SheetSpec, crop, dpi| spec.layout(crop, dpi).expect_err("refused").to_string();
    let postcard = on(Paper::Photo10x15);
    assert_eq!(
        rejected(SheetSpec { copies: Some(12), ..postcard }, PASSPORT, 300),
        "12 copies do not fit on 10 x 15 cm; 8 do"
    );
    assert_eq!(
        rejected(SheetSpec { copies: Some(2), ..postcard }, Size::new(1100, 1500), 300),
        "2 copies do not fit on 10 x 15 cm; 1 does"
    );
    assert_eq!(
        rejected(postcard, Size::new(1200, 1500), 300),
        "the crop is 101.6 x 127.0 mm at 300 dpi and does not fit on 10 x 15 cm (100 x 150 mm) with a margin of 3 mm; \
         choose larger paper, a higher resolution or a smaller crop"
    );
    assert!(rejected(SheetSpec { copies: Some(0), ..postcard }, PASSPORT, 300).contains("0 copies"));
    assert!(rejected(postcard, PASSPORT, 0).contains("0 dpi"));
    assert!(rejected(postcard, PASSPORT, 1).contains("does not fit"));
    assert!(rejected(postcard, Size::new(0, 5), 300).contains("does not fit"));
    assert!(
        rejected(SheetSpec { margin_mm: Some(f32::NAN), ..postcard }, PASSPORT, 300).contains("a margin of NaN mm")
    );
    assert!(rejected(SheetSpec { gap_mm: -1.0, ..postcard }, PASSPORT, 300).contains("a gap between copies of -1 mm"));
    assert!(rejected(SheetSpec { margin_mm: Some(50.0), ..postcard }, PASSPORT, 300).contains("margin of 50 mm"));
}

#[test]
fn raster_sheets_have_a_size_limit_and_pdfs_do_not() {
    let sharp = |format, dpi| SheetSpec { format, ..on(Paper::A4) }.layout(Size::new(3000, 4000), dpi);
    for format in [SheetFormat::Png, SheetFormat::Jpeg] {
        assert!(sharp(format, 855).is_ok());
        let message = sharp(format, 856).expect_err("too large").to_string();
        assert!(message.starts_with("A4 at 856 dpi has 7077 x 10009 pixels") && message.contains("PDF"), "{message}");
    }
    assert!(sharp(SheetFormat::Pdf, 10_000).is_ok());
    let dots = on(Paper::A4).layout(Size::new(1, 1), 10_000).expect("fits");
    assert_eq!(dots.copies().len(), SheetSpec::MAX_COPIES as usize);
    assert!(on(Paper::A4).layout(Size::new(u32::MAX, u32::MAX), u16::MAX).is_err());
}

#[test]
fn an_older_spec_gets_the_defaults() {
    let spec: SheetSpec = toml::from_str("paper = \"a4\"\nformat = \"png\"").expect("reads");
    assert_eq!(spec, SheetSpec { format: SheetFormat::Png, ..on(Paper::A4) });
    assert!(spec.cut_marks && spec.gap_mm == 1.0 && spec.margin() == 8.0);
}
