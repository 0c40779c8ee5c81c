//! Several outputs of one photo, crops in the photo's own pixels, and paired files.

use std::fs;
use std::path::{Path, PathBuf};

use cancel::CancelToken;
use geometry::{Face, ManualFrame, Point, Rect, Size};
use image::{GrayImage, Luma, Rgb, RgbImage};
use naming::{NameTemplate, PhotoName};
use outcome::{ItemReport, OutcomeKind, PairedFault, StageError};
use pipeline::{ExportOptions, NameBook, PhotoSource, SequentialContext, export_item};
use recipe::{
    CropSpec, DecodeLimits, Depth, DetectSpec, EncodeSpec, FaceChoice, OnConflict, OutputFormat, OutputPlace,
    OutputSpec, Recipe, Select, Variant,
};
use test_support::{folder, read_picture};

const PHOTO: Size = Size::new(400, 300);

fn color(x: u32, y: u32) -> Rgb<u8> {
    Rgb([(x % 256) as u8, (y % 256) as u8, ((x * 7) ^ (y * 3)) as u8])
}

fn face(x: f32) -> Face {
    let at = |right: f32, down: f32| Point::new(x + right, 120.0 + down);
    let points = [at(12.0, 20.0), at(28.0, 20.0), at(20.0, 30.0), at(14.0, 38.0), at(26.0, 38.0)];
    Face::new(Rect::new(x, 120.0, 40.0, 50.0), points, 0.9)
}

fn png() -> EncodeSpec {
    EncodeSpec { format: OutputFormat::Png, ..EncodeSpec::default() }
}

fn crop(width: u32, height: u32) -> CropSpec {
    CropSpec { output: Size::new(width, height), select: Select::All, ..CropSpec::default() }
}

fn variant(folder: &str, suffix: &str, crop: CropSpec) -> Variant {
    let place = OutputPlace { folder: folder.to_owned(), suffix: suffix.to_owned() };
    Variant { preset: Some("badge".to_owned()), place, crop, encode: png(), ..Variant::default() }
}

struct Fixture {
    folder: tempfile::TempDir,
    faces: Vec<Face>,
    template: &'static str,
    depth: Depth,
}

impl Fixture {
    fn new() -> Self {
        let folder = folder();
        RgbImage::from_fn(PHOTO.width, PHOTO.height, color).save(folder.path().join("anna.png")).expect("written");
        Self { folder, faces: vec![face(180.0)], template: "{name}", depth: Depth::Write }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, recipe: &Recipe) -> ItemReport {
        let photo = self.path("anna.png");
        let name = PhotoName { place: 1, preset: "headshot".to_owned(), ..PhotoName::default() };
        let faces = FaceChoice::Manual(self.faces.clone());
        let options = ExportOptions { faces: &faces, depth: self.depth, recipe, name: &name };
        let output = OutputSpec { folder: self.path("out"), on_conflict: OnConflict::Suffix };
        let template: NameTemplate = self.template.parse().expect("valid");
        let mut names = NameBook::new(output, std::slice::from_ref(&photo)).with_template(template);
        let (limits, detect) = (DecodeLimits::default(), DetectSpec::default());
        let source = PhotoSource { path: &photo, limits: &limits, detect: &detect };
        let mut reserve = |_| ();
        let mut context = SequentialContext::new(&mut names, &mut reserve);
        export_item(source, options, None, &mut context, &CancelToken::new()).expect("not cancelled")
    }

    /// Written files, relative to the output folder, in the order of the report.
    fn written(&self, report: &ItemReport) -> Vec<String> {
        let out = self.path("out");
        let below = |path: &Path| path.strip_prefix(&out).expect("inside").to_string_lossy().replace('\\', "/");
        report.crops.iter().filter_map(|crop| crop.written.as_deref()).map(below).collect()
    }
}

fn size_of(path: &Path) -> Size {
    let (width, height) = image::image_dimensions(path).expect("an image");
    Size::new(width, height)
}

#[test]
fn each_output_has_its_size_format_folder_and_name() {
    let fixture = Fixture { faces: vec![face(60.0), face(240.0)], template: "{stem}_{preset}", ..Fixture::new() };
    let small = Variant { encode: EncodeSpec::default(), ..variant("small/round", "", crop(48, 48)) };
    let variants = vec![small, variant("", "_wide", crop(60, 40))];
    let report = fixture.run(&Recipe { crop: crop(40, 50), encode: png(), variants, ..Recipe::default() });
    assert_eq!(report.outcome, OutcomeKind::Cropped, "{:?}", report.error);
    let expected = [
        "anna_headshot_face1.png",
        "anna_headshot_face2.png",
        "small/round/anna_badge_face1.jpg",
        "small/round/anna_badge_face2.jpg",
        "anna_badge_face1_wide.png",
        "anna_badge_face2_wide.png",
    ];
    assert_eq!(fixture.written(&report), expected);
    let sizes = report.crops.iter().map(|crop| size_of(crop.written.as_deref().expect("written")));
    let sides = [(40, 50), (40, 50), (48, 48), (48, 48), (60, 40), (60, 40)];
    assert!(sizes.eq(sides.map(|(width, height)| Size::new(width, height))));
    assert_eq!(report.crops.iter().map(|crop| crop.output).collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2]);
}

#[test]
fn a_frame_set_by_hand_applies_to_outputs_of_its_aspect_ratio() {
    let mut by_hand = face(180.0);
    by_hand.frame = Some(ManualFrame { center: Point::new(100.0, 100.0), width: 80.0, height: 100.0, angle: 0.0 });
    let fixture = Fixture { faces: vec![by_hand], depth: Depth::Plan, ..Fixture::new() };
    let variants = vec![variant("large", "", crop(80, 100)), variant("square", "", crop(50, 50))];
    let report = fixture.run(&Recipe { crop: crop(40, 50), variants, ..Recipe::default() });
    let frames: Vec<_> = report.crops.iter().map(|crop| crop.planned.frame.to_rect().center()).collect();
    assert_eq!(frames[..2], [Point::new(100.0, 100.0); 2]);
    assert!(frames[2].x > 180.0, "the square crop follows the head: {:?}", frames[2]);
    assert_eq!(report.crops[2].planned.output, Size::new(50, 50));
    assert!(!fixture.path("out").exists(), "a plan writes nothing");
}

#[test]
fn warnings_of_variants_refer_to_their_crops_and_are_not_repeated() {
    let fixture = Fixture::new();
    let variants = vec![variant("large", "", crop(1600, 2000))];
    let report = fixture.run(&Recipe { crop: crop(40, 50), encode: png(), variants, ..Recipe::default() });
    let of_kind = |id: &str| report.warnings.iter().filter(|warning| warning.kind.id() == id).collect::<Vec<_>>();
    let enlarged = of_kind("enlarged");
    assert_eq!(enlarged.iter().map(|warning| warning.crop).collect::<Vec<_>>(), [Some(1)], "{:?}", report.warnings);
    let kinds: Vec<_> = report.warnings.iter().map(|warning| warning.kind.id()).collect();
    let unique: std::collections::BTreeSet<_> = kinds.iter().collect();
    assert_eq!(kinds.len(), unique.len(), "{kinds:?}");
}

#[test]
fn crops_in_original_size_have_the_pixels_of_the_photo() {
    let fixture = Fixture::new();
    let framing = CropSpec { original_size: true, level: false, ..crop(40, 50) };
    let report = fixture.run(&Recipe { crop: framing, encode: png(), ..Recipe::default() });
    let planned = report.crops[0].planned;
    let written = read_picture(report.crops[0].written.as_deref().expect("written")).to_rgb8();
    assert_eq!(written.dimensions(), (planned.frame.width, planned.frame.height));
    let (left, top) = (planned.frame.x as u32, planned.frame.y as u32);
    for (x, y, pixel) in written.enumerate_pixels() {
        assert_eq!(*pixel, color(left + x, top + y), "{x}, {y}");
    }
    // A frame rotated by the user keeps its size, and is resampled.
    let mut turned = face(180.0);
    turned.frame = Some(ManualFrame { center: Point::new(200.0, 150.0), width: 80.0, height: 100.0, angle: 7.0 });
    let fixture = Fixture { faces: vec![turned], ..Fixture::new() };
    let framing = CropSpec { original_size: true, ..crop(40, 50) };
    let report = fixture.run(&Recipe { crop: framing, encode: png(), ..Recipe::default() });
    assert_eq!(size_of(report.crops[0].written.as_deref().expect("written")), Size::new(80, 100));
}

#[test]
fn a_print_sheet_of_crops_in_original_size_is_refused() {
    let fixture = Fixture::new();
    let framing = CropSpec { original_size: true, ..crop(40, 50) };
    let report = fixture.run(&Recipe { crop: framing, sheet: Some(Default::default()), ..Recipe::default() });
    assert!(matches!(report.error, Some(StageError::Sheet(recipe::SheetError::OriginalSize))), "{:?}", report.error);
}

/// A mask of `size` whose lightness is the column of the photo, scaled.
fn write_mask(path: &Path, size: Size) {
    let column = |x: u32| (x * PHOTO.width / size.width * 255 / PHOTO.width) as u8;
    GrayImage::from_fn(size.width, size.height, |x, _| Luma([column(x)])).save(path).expect("written");
}

#[test]
fn a_paired_file_is_cropped_with_the_frame_of_its_photo() {
    for scale in [1, 2] {
        let fixture = Fixture::new();
        write_mask(&fixture.path("anna_mask.png"), Size::new(PHOTO.width * scale, PHOTO.height * scale));
        let patterns = ["{stem}_mask.png", "{stem}_absent.png"];
        let paired = patterns.map(|pattern| pattern.parse().expect("valid")).to_vec();
        let variants = vec![variant("small", "", crop(20, 25))];
        let recipe = Recipe { crop: crop(40, 50), paired, variants, ..Recipe::default() };
        let report = fixture.run(&recipe);
        let expected = ["anna.jpg", "small/anna.png", "anna_mask.png", "small/anna_mask.png"];
        assert_eq!(fixture.written(&report), expected, "{:?}", report.error);
        let mask = read_picture(fixture.path("out/anna_mask.png")).to_luma8();
        assert_eq!(mask.dimensions(), (40, 50));
        let center = report.crops[0].planned.frame.to_rect().center().x;
        let found = f32::from(mask.get_pixel(20, 25).0[0]) / 255.0 * PHOTO.width as f32;
        assert!((found - center).abs() < 4.0, "{found} {center}");
        assert_eq!(report.crops[2].paired.as_deref(), Some(&*fixture.path("anna_mask.png")));
        assert_eq!(report.crops[0].paired, None);
    }
}

#[test]
fn a_paired_file_that_cannot_be_used_is_named_and_leaves_the_crops() {
    let fixture = Fixture::new();
    write_mask(&fixture.path("anna_mask.png"), Size::new(300, 300));
    fs::write(fixture.path("anna_cut.png"), "no image").expect("written");
    let run = |pattern: &str| {
        let paired = vec![pattern.parse().expect("valid")];
        fixture.run(&Recipe { crop: crop(40, 50), encode: png(), paired, ..Recipe::default() })
    };
    let report = run("{stem}_mask.png");
    assert!(
        matches!(report.error, Some(StageError::Paired { fault: PairedFault::AspectRatio { .. }, .. })),
        "{:?}",
        report.error
    );
    assert_eq!(fixture.written(&report), ["anna.png"]);
    let report = run("{stem}_cut.png");
    let message = report.error.as_ref().map(ToString::to_string).unwrap_or_default();
    assert!(message.contains("the paired file") && message.contains("anna_cut.png"), "{message}");
    assert_eq!(fixture.written(&report), ["anna (2).png"]);
}
