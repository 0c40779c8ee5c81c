//! Print sheets written beside crops, from the photo on disk to the report.

use std::fs;

use cancel::CancelToken;
use geometry::{Face, Point, Rect, Size};
use naming::PhotoName;
use outcome::{ItemReport, OutcomeKind, StageError};
use recipe::{
    CropSpec, DecodeLimits, Depth, DetectSpec, FaceChoice, OnConflict, OutputFormat, OutputSpec, Paper, Recipe,
    SheetSpec,
};

use super::*;
use crate::{ExportOptions, NameBook, PhotoSource, SequentialContext, export_item};

/// A folder with a photo of two faces, `anna.png`, and the settings for its export.
struct Fixture {
    folder: tempfile::TempDir,
    faces: FaceChoice,
    encode: EncodeSpec,
    on_conflict: OnConflict,
    depth: Depth,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("folder");
        let photo = image::RgbImage::from_fn(400, 300, |x, y| image::Rgb([x as u8, y as u8, (x ^ y) as u8]));
        photo.save(folder.path().join("anna.png")).expect("written");
        let face = |x: f32| {
            let at = |right: f32, down: f32| Point::new(x + right, 120.0 + down);
            let points = [at(12.0, 20.0), at(28.0, 20.0), at(20.0, 30.0), at(14.0, 38.0), at(26.0, 38.0)];
            Face::new(Rect::new(x, 120.0, 40.0, 50.0), points, 0.9)
        };
        let encode = EncodeSpec { format: OutputFormat::Png, dpi: 25, ..EncodeSpec::default() };
        let faces = FaceChoice::Manual(vec![face(80.0), face(250.0)]);
        Self { folder, faces, encode, on_conflict: OnConflict::Suffix, depth: Depth::Write }
    }

    fn photo(&self) -> PathBuf {
        self.folder.path().join("anna.png")
    }

    fn out(&self, name: &str) -> PathBuf {
        self.folder.path().join("out").join(name)
    }

    fn run(&self, sheet: SheetSpec) -> ItemReport {
        let photo = self.photo();
        let recipe = Recipe {
            crop: CropSpec { output: Size::new(30, 40), rules: None, ..CropSpec::default() },
            encode: self.encode,
            sheet: Some(sheet),
            ..Recipe::default()
        };
        let options =
            ExportOptions { faces: &self.faces, depth: self.depth, recipe: &recipe, name: &PhotoName::default() };
        let output = OutputSpec { folder: self.folder.path().join("out"), on_conflict: self.on_conflict };
        let mut names = NameBook::new(output, std::slice::from_ref(&photo));
        let (limits, detect) = (DecodeLimits::default(), DetectSpec::default());
        let source = PhotoSource { path: &photo, limits: &limits, detect: &detect };
        export_item(source, options, None, &mut SequentialContext::new(&mut names, &mut |_| ()), &CancelToken::new())
            .expect("not cancelled")
    }

    fn files(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.folder.path().join("out")) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

fn small(format: SheetFormat) -> SheetSpec {
    SheetSpec { paper: Paper::Photo4x6, copies: Some(4), format, ..SheetSpec::default() }
}

#[test]
fn every_crop_gets_a_sheet_named_after_it() {
    let fixture = Fixture::new();
    let report = fixture.run(small(SheetFormat::Png));
    assert!(report.error.is_none() && report.outcome == OutcomeKind::Cropped, "{:?}", report.error);
    let names = ["anna_face1.png", "anna_face1_sheet.png", "anna_face2.png", "anna_face2_sheet.png"];
    assert_eq!(fixture.files(), names);
    let layout = small(SheetFormat::Png).layout(Size::new(30, 40), 25).expect("fits");
    for crop in &report.crops {
        let sheet = crop.sheet.as_ref().expect("a sheet");
        let stem = crop.written.as_ref().expect("written").file_stem().expect("a name").to_string_lossy().into_owned();
        assert_eq!(sheet, &fixture.out(&format!("{stem}_sheet.png")));
        let read = |path: &Path| {
            let bytes = fs::read(path).expect("reads");
            image::load_from_memory(&bytes).expect("decodes").to_rgb8()
        };
        let (sheet, crop) = (read(sheet), read(crop.written.as_ref().expect("written")));
        assert_eq!(sheet.dimensions(), (100, 150));
        for place in layout.copies() {
            let copy = image::imageops::crop_imm(&sheet, place.x as u32, place.y as u32, place.width, place.height);
            assert!(copy.to_image() == crop, "bit for bit");
        }
    }
}

#[test]
fn a_sheet_that_does_not_fit_is_reported_before_anything_is_written() {
    for depth in [Depth::Plan, Depth::Write] {
        let fixture = Fixture { depth, ..Fixture::new() };
        let report = fixture.run(SheetSpec { copies: Some(100), ..small(SheetFormat::Pdf) });
        assert_eq!((report.outcome, report.crops.len()), (OutcomeKind::Failed, 0));
        assert!(matches!(report.error, Some(StageError::Sheet(SheetError::TooMany { copies: 100, .. }))));
        assert!(fixture.files().is_empty());
    }
    let fixture = Fixture { depth: Depth::Detect, ..Fixture::new() };
    assert!(fixture.run(SheetSpec { copies: Some(100), ..small(SheetFormat::Pdf) }).error.is_none());
}

#[test]
fn a_dry_run_writes_no_sheet_but_reports_a_name_conflict() {
    let fixture = Fixture { depth: Depth::Plan, on_conflict: OnConflict::Fail, ..Fixture::new() };
    let report = fixture.run(small(SheetFormat::Jpeg));
    assert!(report.error.is_none() && report.crops.iter().all(|crop| crop.sheet.is_none() && crop.written.is_none()));
    assert!(fixture.files().is_empty());
    fs::create_dir(fixture.out("")).expect("created");
    fs::write(fixture.out("anna_face2_sheet.jpg"), "theirs").expect("written");
    let report = fixture.run(small(SheetFormat::Jpeg));
    assert!(
        matches!(&report.error, Some(StageError::Encode(EncodeError::FileExists { path })) if path.ends_with("anna_face2_sheet.jpg"))
    );
    assert_eq!(report.crops.len(), 2);
}

#[test]
fn a_failed_sheet_is_reported_and_all_crops_are_written() {
    let fixture = Fixture { on_conflict: OnConflict::Fail, ..Fixture::new() };
    fs::create_dir(fixture.out("")).expect("created");
    fs::write(fixture.out("anna_face1_sheet.pdf"), "theirs").expect("written");
    let report = fixture.run(small(SheetFormat::Pdf));
    assert_eq!(report.outcome, OutcomeKind::Failed);
    assert!(
        matches!(&report.error, Some(StageError::Encode(EncodeError::FileExists { path })) if path.ends_with("anna_face1_sheet.pdf"))
    );
    assert_eq!(fs::read(fixture.out("anna_face1_sheet.pdf")).expect("exists"), b"theirs");
    assert!(report.crops.iter().all(|crop| crop.written.is_some()), "both crops are there");
    assert_eq!(report.crops.iter().map(|crop| crop.sheet.is_some()).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn sheets_follow_the_conflict_policy() {
    for (on_conflict, expected, kept, noted) in [
        (OnConflict::Suffix, Some("anna_face1_sheet (2).pdf"), true, false),
        (OnConflict::Skip, None, true, true),
        (OnConflict::Overwrite, Some("anna_face1_sheet.pdf"), false, false),
    ] {
        let fixture = Fixture { on_conflict, ..Fixture::new() };
        fs::create_dir(fixture.out("")).expect("created");
        fs::write(fixture.out("anna_face1_sheet.pdf"), "theirs").expect("written");
        let report = fixture.run(small(SheetFormat::Pdf));
        assert!(report.error.is_none(), "{:?}", report.error);
        assert_eq!(report.crops[0].sheet, expected.map(|name| fixture.out(name)), "{on_conflict:?}");
        assert_eq!(fs::read(fixture.out("anna_face1_sheet.pdf")).expect("exists") == b"theirs", kept);
        assert_eq!(report.crops[0].notes.contains(&CropNote::SheetExists), noted);
    }
}

#[test]
fn a_photo_is_never_replaced_by_a_sheet() {
    let fixture = Fixture { on_conflict: OnConflict::Overwrite, ..Fixture::new() };
    fs::create_dir(fixture.out("")).expect("created");
    // The photo itself has the name of the first crop's sheet.
    fs::hard_link(fixture.photo(), fixture.out("anna_face1_sheet.png")).expect("linked");
    let before = fs::read(fixture.photo()).expect("exists");
    let report = fixture.run(small(SheetFormat::Png));
    assert!(
        matches!(report.error, Some(StageError::Encode(EncodeError::WouldReplaceSource { .. }))),
        "{:?}",
        report.error
    );
    assert_eq!(fs::read(fixture.photo()).expect("exists"), before);
}

#[test]
fn a_skipped_crop_gets_no_sheet() {
    let fixture = Fixture { on_conflict: OnConflict::Skip, ..Fixture::new() };
    fs::create_dir(fixture.out("")).expect("created");
    fs::write(fixture.out("anna_face1.png"), "theirs").expect("written");
    let report = fixture.run(small(SheetFormat::Pdf));
    assert_eq!(fixture.files(), ["anna_face1.png", "anna_face2.png", "anna_face2_sheet.pdf"]);
    assert!(report.crops[0].sheet.is_none() && report.crops[0].notes.is_empty());
}
