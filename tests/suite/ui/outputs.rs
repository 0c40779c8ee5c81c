//! Several outputs in the window: the list, the active output, previews, frames set by hand, export and undo.

use egui::{Key, Role, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use batch::project::{Opened, Project};
use batch::settings::Settings;
use batch::worker::{Event, FilesRequest, ItemId, ProjectEvent, ProjectTask, Request, RequestId, SessionRequest};
use geometry::Size;
use iron_cropper::ui::WindowOptions;
use outcome::{CropReport, DisplayCopy, ItemReport, OutcomeKind};
use plan::{PlannedCrop, faces_of_output, plan_chosen};
use recipe::{
    CropSpec, DocumentRules, EdgePolicy, EncodeSpec, FaceChoice, IndexFormat, Masks, OutputFormat, OutputPlace, Recipe,
    Select, SheetSpec, Variant, find_preset,
};

use super::script::{PHOTO, Window, face, two_faces};
use super::{export, open_with_output_folder, preview, progress, start_export, with_output_folder};

fn place(folder: &str) -> OutputPlace {
    OutputPlace { folder: folder.to_owned(), suffix: String::new() }
}

/// A variant in the folder of its name.
fn variant(folder: &str, crop: CropSpec) -> Variant {
    Variant { place: place(folder), crop, ..Variant::default() }
}

fn square() -> CropSpec {
    CropSpec { output: Size::new(96, 96), edge: EdgePolicy::Pad, ..CropSpec::default() }
}

fn own() -> CropSpec {
    CropSpec { output: Size::new(800, 1000), edge: EdgePolicy::Pad, ..CropSpec::default() }
}

fn open_with(recipe: Recipe) -> Window {
    let settings = Settings { recipe, ..with_output_folder().settings };
    let mut window = Window::open_with(WindowOptions { settings, ..WindowOptions::default() }, [1440.0, 2400.0], 1.0);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window
}

/// A window with a square second output.
fn open_with_square() -> Window {
    open_with(Recipe { crop: own(), variants: vec![variant("small", square())], ..Recipe::default() })
}

/// The crop and the maximum side of a preview.
fn rendering(request: &Request) -> Option<(PlannedCrop, u32)> {
    match request {
        Request::Session(SessionRequest::RenderPreview { crop, max_side, .. }) => Some((*crop, *max_side)),
        _ => None,
    }
}

impl Window {
    fn open_output(&mut self, number: usize) {
        self.harness.get_by_label_contains(&format!("Output {number}: ")).click();
        self.steps(3);
    }

    fn add_output(&mut self, what: &str) {
        self.harness.get_by_label("Add output").click();
        self.steps(3);
        self.harness.get_by_label(what).click();
        self.steps(4);
    }

    fn recipe(&mut self) -> Recipe {
        self.exported_job().recipe.clone()
    }

    #[track_caller]
    fn type_into(&mut self, field: &str, text: &str) {
        self.harness.get_by_role_and_label(Role::TextInput, field).focus();
        self.steps(2);
        self.ctrl(Key::A);
        self.type_text(text);
    }

    /// The crops of an output in an export of the first photo, as the pipeline plans them.
    #[track_caller]
    fn crop_exported(&mut self, output: usize) -> PlannedCrop {
        let job = self.exported_job();
        let outputs: Vec<Variant> = job.recipe.outputs().collect();
        let sizes: Vec<Size> = outputs.iter().map(|output| output.crop.output).collect();
        let faces = match &job.items[0].faces {
            FaceChoice::Manual(faces) => faces.clone(),
            _ => two_faces().to_vec(),
        };
        plan_chosen(&faces_of_output(&faces, &sizes, output), &[0], PHOTO, &outputs[output].crop).crops[0]
    }

    /// Answers the last preview that was requested; it superseded the others. Returns its crop and maximum side.
    #[track_caller]
    fn answer_preview(&mut self) -> (PlannedCrop, u32) {
        self.steps(4);
        let mut answered = None;
        for (id, request) in self.sent().into_iter().rev() {
            let Request::Session(SessionRequest::RenderPreview { photo, generation, crop, max_side, .. }) = request
            else {
                continue;
            };
            if answered.is_some() {
                self.answer(id, Event::Superseded);
                continue;
            }
            let size = crop.output.fit_within(max_side);
            let image = DisplayCopy { size, rgba: vec![90; size.pixels() as usize * 4].into() };
            self.answer(id, Event::PreviewRendered { item: photo.item, generation, crop, image });
            answered = Some((crop, max_side));
        }
        answered.expect("a preview was requested")
    }
}

#[test]
fn an_output_is_added_from_a_preset_and_edited() {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg"], &two_faces());
    assert!(window.has("Add output") && !window.shows("Output 1: ") && !window.has("Subfolder"));
    window.add_output("Square avatar");
    assert!(window.has("Output 1: Headshot 4:5, 800 x 1000, JPEG") && window.has("Output 2: avatar, 512 x 512, JPEG"));
    // It is the active one: the panels edit it.
    window.slide("Head height", 61.0);
    window.type_into("Name suffix", "_x");
    let recipe = window.recipe();
    let avatar = find_preset("avatar").expect("exists");
    let [added] = &recipe.variants[..] else { panic!("{:?}", recipe.variants) };
    assert_eq!((added.preset.as_deref(), added.crop.output), (Some("avatar"), avatar.spec().output));
    assert_eq!(added.place, OutputPlace { folder: "avatar".to_owned(), suffix: "_x".to_owned() });
    assert!((added.crop.head_height - 0.61).abs() < 1e-4 && recipe.crop == CropSpec::default());

    window.open_output(1);
    window.slide("Head height", 40.0);
    let recipe = window.recipe();
    assert!((recipe.crop.head_height - 0.4).abs() < 1e-4 && (recipe.variants[0].crop.head_height - 0.61).abs() < 1e-4);
    assert_eq!((recipe.place, recipe.variants[0].encode), (OutputPlace::default(), EncodeSpec::default()));
}

#[test]
fn a_copy_has_the_settings_of_the_active_output_and_a_folder_of_its_own() {
    let encode = EncodeSpec { format: OutputFormat::Png, dpi: 222, ..EncodeSpec::default() };
    let avatar = Variant { encode, ..variant("avatar", find_preset("avatar").expect("exists").spec()) };
    let mut window = open_with(Recipe { crop: own(), variants: vec![avatar], ..Recipe::default() });
    window.open_output(2);
    window.add_output("Same settings");
    let recipe = window.recipe();
    assert_eq!((recipe.variants.len(), &recipe.variants[1].place), (2, &place("avatar-2")));
    assert_eq!(recipe.variants[1].encode, encode);
    // A folder with the preset's name follows the preset, one with another name stays.
    window.add_output("Square avatar");
    assert!(window.shows("Output 4: avatar-3, 512 x 512"));
    window.choose("Preset", "GitHub 500 x 500");
    assert!(window.shows("Output 4: github"), "{:?}", window.recipe().variants[2].place);
}

#[test]
fn an_output_is_removed_and_the_change_undone() {
    let mut window = open_with_square();
    window.click("Remove output 1");
    let recipe = window.recipe();
    assert!(recipe.variants.is_empty(), "the second one became the first");
    assert_eq!((recipe.crop.output, recipe.place), (Size::new(96, 96), place("small")));
    assert!(window.has("Add output") && !window.shows("Output 1: "));
    window.ctrl(Key::Z);
    let recipe = window.recipe();
    assert_eq!((recipe.crop, recipe.variants[0].place.clone()), (own(), place("small")));

    window.add_output("Square avatar");
    window.ctrl(Key::Z);
    assert_eq!(window.recipe().variants.len(), 1);
    window.ctrl_shift(Key::Z);
    assert_eq!(window.recipe().variants.len(), 2);
}

#[test]
fn undo_shows_the_output_that_it_changes() {
    let mut window = open_with_square();
    window.open_output(2);
    window.slide("Head height", 71.0);
    window.open_output(1);
    window.slide("Head height", 33.0);
    window.ctrl(Key::Z);
    let row = |window: &Window, number: usize| {
        let label = format!("Output {number}: ");
        window.harness.get_by_label_contains(&label).accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
    };
    assert!(row(&window, 1) && !row(&window, 2));
    window.ctrl(Key::Z);
    assert!(row(&window, 2) && !row(&window, 1));
    assert_eq!(window.recipe().variants[0].crop, square());
}

#[test]
fn the_face_selection_is_shared() {
    let mut window = open_with_square();
    window.open_output(2);
    window.slide("Minimum score", 0.8);
    assert!(window.has("anna.jpg, 1 face"));
    let outputs: Vec<Variant> = window.recipe().outputs().collect();
    assert_eq!([outputs[0].crop.min_score, outputs[1].crop.min_score], [0.8; 2]);
}

#[test]
fn files_sheet_and_package_are_those_of_the_active_output() {
    let mut window = open_with_square();
    window.open_output(2);
    window.choose("Format", "PNG");
    window.click("Print sheet");
    window.choose("Paper", "10 x 15 cm");
    window.click("Package");
    window.click("Zip file");
    window.click("Web page");
    window.choose("Index", "PSPA");
    let recipe = window.recipe();
    let small = &recipe.variants[0];
    assert_eq!((small.encode.format, recipe.encode.format), (OutputFormat::Png, OutputFormat::Jpeg));
    assert_eq!((small.sheet, recipe.sheet), (Some(SheetSpec::default()), None));
    assert_eq!((small.package.index, small.package.zip), (Some(IndexFormat::Pspa), true));
    assert!(small.package.contact_html && !small.package.contact_pdf && recipe.package.is_none());
    window.open_output(1);
    window.click("PDF");
    let recipe = window.recipe();
    assert!(recipe.package.contact_pdf && !recipe.package.zip);
}

#[test]
fn custom_settings_are_those_of_the_first_output() {
    let mut window = open_with_square();
    window.click("Customise this photo");
    window.slide("Head height", 77.0);
    assert!(
        window.harness.get_by_label("Remove output 1").accesskit_node().is_disabled(),
        "they would not fit the next"
    );
    window.open_output(2);
    assert!(window.has("Shared settings"));
    assert!(window.harness.get_by_label("Customise this photo").accesskit_node().is_disabled());
    window.slide("Head height", 33.0);
    let job = window.exported_job();
    let own = job.items[0].recipe.as_ref().expect("custom settings");
    assert!((own.crop.head_height - 0.77).abs() < 1e-4 && (own.variants[0].crop.head_height - 0.33).abs() < 1e-4);
    assert_eq!(job.recipe.crop.head_height, CropSpec::default().head_height);
}

#[test]
fn a_frame_set_for_an_output_leaves_outputs_with_another_aspect_ratio() {
    let tall = CropSpec { output: Size::new(400, 500), ..own() };
    let variants = vec![variant("small", square()), variant("tall", tall)];
    let mut window = open_with(Recipe { crop: own(), variants, ..Recipe::default() });
    let [before_own, before_small] = [0, 1].map(|output| window.crop_exported(output));
    window.open_output(2);
    assert_eq!(window.previewed(), before_small, "the canvas shows its crop");
    assert!(window.harness.get_by_label("Free aspect ratio").accesskit_node().is_disabled());
    window.drag("Frame of face 1", vec2(40.0, 0.0));
    let dragged = window.previewed();
    assert!(dragged.frame.x > before_small.frame.x + 20);
    assert_eq!(window.crop_exported(1), dragged);
    assert_eq!(window.crop_exported(0), before_own, "4:5 follows the head");
    window.open_output(1);
    assert_eq!(window.previewed(), before_own);

    // One of the first output applies to the third, which has its aspect ratio.
    window.drag("Frame of face 1", vec2(-40.0, 0.0));
    let dragged = window.previewed();
    assert_eq!((window.crop_exported(0), window.crop_exported(2).frame), (dragged, dragged.frame));
    assert_eq!(window.crop_exported(1), before_small);
    window.open_output(2);
    assert!(window.harness.get_by_label("Reset frame").accesskit_node().is_disabled(), "it follows the head");
}

#[test]
fn a_head_set_by_hand_changes_every_output() {
    let mut window = open_with_square();
    let before = [0, 1].map(|output| window.crop_exported(output));
    window.open_output(2);
    window.drag("Chin of face 1", vec2(0.0, 20.0));
    let after = [0, 1].map(|output| window.crop_exported(output));
    assert!((0..2).all(|output| after[output].frame.height > before[output].frame.height + 10), "{before:?} {after:?}");
    assert_eq!(window.previewed(), after[1]);
}

#[test]
fn previews_of_all_outputs_are_rendered_one_by_one() {
    let crops = |side| CropSpec { output: Size::new(side, side), ..square() };
    let variants = vec![variant("a", crops(96)), variant("b", crops(200))];
    let mut window = open_with(Recipe { crop: own(), variants, ..Recipe::default() });
    let rendered = [window.answer_preview(), window.answer_preview(), window.answer_preview()];
    assert_eq!(rendered.map(|(crop, _)| crop.output.width), [800, 96, 200]);
    assert!(rendered[0].1 > rendered[1].1 && rendered[1].1 == rendered[2].1, "the active one is large: {rendered:?}");
    window.steps(6);
    assert!(!window.sent().iter().any(|(_, request)| rendering(request).is_some()), "nothing is left to do");

    window.harness.get_by_label("Preview of output 3: b").click();
    window.steps(6);
    assert!(window.shows("Preview of crop 1 of 1, 200 x 200 pixels"));
    let (crop, side) = window.answer_preview();
    assert_eq!((crop.output.width, side), (200, rendered[0].1));
    window.steps(6);
    assert!(!window.sent().iter().any(|(_, request)| rendering(request).is_some()), "the others are unchanged");

    // An edit of the head changes all of them.
    window.drag("Chin of face 1", vec2(0.0, 20.0));
    let widths = [window.answer_preview(), window.answer_preview(), window.answer_preview()];
    assert_eq!(widths.map(|(crop, _)| crop.output.width), [200, 800, 96]);
}

#[test]
fn a_preview_that_fails_is_not_requested_again() {
    let mut window = open_with_square();
    window.answer_preview();
    window.steps(4);
    let (id, _) = window.sent_one(rendering);
    let error = outcome::StageError::Decode(outcome::DecodeError::Empty);
    window.answer(id, Event::Failed { item: None, error });
    window.steps(6);
    assert!(!window.sent().iter().any(|(_, request)| rendering(request).is_some()));
    assert!(!window.shows("The file is empty"), "the shown crop was rendered");
}

#[test]
fn masks_are_measured_if_any_output_needs_them() {
    let masks = |variants: Vec<Variant>| {
        let crop = CropSpec { keep_hair: false, ..own() };
        let mut window = open_with(Recipe { crop, variants, ..Recipe::default() });
        let found = window.all_sent().iter().find_map(|request| match request {
            Request::Session(SessionRequest::OpenPhoto { photo, .. }) => Some(photo.detect.masks),
            _ => None,
        });
        window.steps(1);
        found.expect("opened")
    };
    assert_eq!(masks(Vec::new()), Masks::None);
    let needing = CropSpec { keep_hair: true, select: Select::Best, ..square() };
    assert_eq!(masks(vec![variant("a", needing)]), Masks::Selected(own().select), "of the faces that are cropped");
}

#[test]
fn a_rule_that_a_variant_does_not_meet_needs_review() {
    let open = |variants: Vec<Variant>| {
        let crop = CropSpec { output: Size::new(320, 400), ..own() };
        let settings = Settings { recipe: Recipe { crop, variants, ..Recipe::default() }, ..Settings::default() };
        let options = WindowOptions { settings, ..WindowOptions::default() };
        let mut window = Window::open_with(options, [1440.0, 900.0], 1.0);
        window.runtime_ready();
        window.add(&["/photos/anna.jpg"], &[face(420.0, 300.0, 0.93)]);
        window.steps(4);
        window
    };
    assert!(!open(Vec::new()).shows("To review 1"), "no warning");
    let rules = DocumentRules { mm: None, pixels: Some([600, 600]), ..find_rules() };
    let crop = CropSpec { rules: Some(rules), ..square() };
    let mut window = open(vec![variant("visa", crop)]);
    assert!(window.shows("To review 1"));
    assert!(!window.shows("To review: "), "the first output is shown");
    window.open_output(2);
    assert!(window.shows("To review: "), "the crop of the visa has another size");
}

fn find_rules() -> DocumentRules {
    find_preset("us-passport").and_then(|preset| preset.spec().rules).expect("has rules")
}

#[test]
fn outputs_that_would_collide_are_not_exported() {
    let mut window = open_with_square();
    window.open_output(2);
    window.type_into("Subfolder", "../up");
    assert!(window.shows("is not a path below the output folder"));
    window.sent();
    window.click("Export all");
    assert!(window.shows("Nothing was exported: the folder ../up"));
    window.type_into("Subfolder", "/");
    window.harness.key_press(Key::Backspace);
    window.steps(3);
    assert!(window.shows("Outputs 1 and 2 would write the same names"));
    window.click("Export all");
    assert!(!window.sent().iter().any(|(_, request)| export(request).is_some()));
    window.type_into("Name suffix", "_small");
    let recipe = window.recipe();
    assert_eq!(recipe.variants[0].place, OutputPlace { folder: String::new(), suffix: "_small".to_owned() });
}

#[test]
fn an_output_with_a_wrong_value_is_shown_and_nothing_is_exported() {
    let unaltered = CropSpec { rules: Some(find_rules()), ..square() };
    let variants = vec![variant("a", square()), variant("visa", unaltered)];
    let mut window = open_with(Recipe { crop: own(), variants, ..Recipe::default() });
    window.sent();
    window.click("Export all");
    assert!(window.shows("Nothing was exported: output 3: "));
    assert!(!window.sent().iter().any(|(_, request)| export(request).is_some()));
    let shown = window.harness.get_by_label_contains("Output 3: ");
    assert_eq!(shown.accesskit_node().toggled(), Some(egui::accesskit::Toggled::True));
}

#[test]
fn the_summary_counts_the_crops_of_all_outputs() {
    let mut window = open_with_square();
    window.open_output(2);
    let (id, items) = start_export(&mut window);
    let planned = plan_chosen(&two_faces(), &[0], PHOTO, &own()).crops[0];
    let folder = std::env::temp_dir().join("crops");
    let mut report = ItemReport::new("/photos/anna.jpg".into());
    report.outcome = OutcomeKind::Cropped;
    report.crops = [(0, "anna.jpg"), (1, "small/anna.jpg")]
        .map(|(output, name)| {
            let written = Some(folder.join(name));
            CropReport { output, planned, target: None, written, sheet: None, paired: None, notes: Vec::new() }
        })
        .into();
    finish(&mut window, id, items[0], report);
    assert!(window.shows("2 files written"));
    let small = std::path::Path::new("small").join("anna.jpg");
    assert!(window.shows(&format!("written: anna.jpg, {}", small.display())));
    let row = window.harness.get_all_by_role_and_label(Role::Link, "anna.jpg").last().expect("a row");
    row.click();
    window.steps(3);
    let first = window.harness.get_by_label_contains("Output 1: ").accesskit_node().toggled();
    assert_eq!(first, Some(egui::accesskit::Toggled::True));
}

fn finish(window: &mut Window, id: RequestId, item: ItemId, report: ItemReport) {
    window.answer(id, progress(item, 1, report));
    window.answer(id, super::finished(false, 1, 1));
}

#[test]
fn a_crop_in_original_size_keeps_the_pixels_of_the_photo() {
    let mut window = open_with_square();
    window.click("Original size");
    let recipe = window.recipe();
    assert!(recipe.crop.original_size && recipe.crop.output == own().output && !recipe.variants[0].crop.original_size);
    let crop = window.previewed();
    assert_eq!((crop.output.width, crop.output.height), (crop.frame.width, crop.frame.height));
    assert!(window.shows("Output 1: Headshot 4:5, Original size, JPEG"));
    window.click("Print sheet");
    window.choose("Paper", "A4");
    assert!(window.shows("different sizes and give no print sheet"));
    window.ctrl(Key::Z);
    window.ctrl(Key::Z);
    assert!(!window.recipe().crop.original_size);
}

#[test]
fn a_new_list_starts_with_its_first_output() {
    let mut window = open_with_square();
    window.open_output(2);
    let mut settings = Settings::default();
    settings.recipe.variants = vec![variant("a", square()), variant("b", square())];
    window.drop_files(&["/photos/school.ironcrop"]);
    let (id, ()) = window.sent_one(|request| {
        matches!(request, Request::Files(FilesRequest::Project(ProjectTask::Open(_)))).then_some(())
    });
    let project = Project { settings, ..Project::default() };
    let (settings_lost, output_outside) = (vec!["place".to_owned(), "variants".to_owned()], false);
    let opened = Opened { project, changed: 0, settings_lost, edits_lost: 0, output_outside };
    window.answer(id, Event::Project(ProjectEvent::Opened(Ok(Box::new(opened)))));
    assert!(window.shows("place, variants"), "repaired places are reported");
    assert!(window.shows("Output 3: b"));
    let first = window.harness.get_by_label_contains("Output 1: ").accesskit_node().toggled();
    assert_eq!(first, Some(egui::accesskit::Toggled::True));
}

#[test]
fn a_single_output_sends_no_small_previews() {
    let mut window = open_with(Recipe { crop: own(), ..Recipe::default() });
    window.answer_preview();
    window.steps(6);
    assert!(!window.sent().iter().any(|(_, request)| preview(request).is_some()));
    assert!(!window.shows("Preview of output"));
}
