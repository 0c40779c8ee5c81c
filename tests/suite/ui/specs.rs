//! Presets, document rules, finish, detection passes and sheets.

use egui_kittest::kittest::{NodeT, Queryable};

use batch::settings::Settings;
use batch::worker::{Event, ExportJob, FilesRequest, Request, SessionRequest};
use iron_cropper::ui::{PickerKind, WindowOptions};
use recipe::{
    CropSpec, FinishSpec, OutputFormat, Paper, Preset, PresetGroup, PresetSize, Recipe, Shape, SheetFormat,
    Thoroughness, find_preset, presets_from_toml, presets_to_toml,
};

use super::script::{Window, two_faces};
use super::with_output_folder;

/// The document that the tests choose.
const DOCUMENT: &str = "us-passport";

/// High enough for every section to be visible.
const TALL: [f32; 2] = [1280.0, 2200.0];

impl Window {
    /// Expands a section and waits until it is open.
    #[track_caller]
    pub(super) fn unfold(&mut self, section: &str) {
        self.click(section);
        self.steps(20);
    }

    /// Picks a preset by its id.
    #[track_caller]
    fn choose_preset(&mut self, id: &str) {
        let name = find_preset(id).expect("a preset").name.clone();
        self.pick_preset(&name);
    }

    /// Picks a preset by its name. The list scrolls: the entry may be out of view, and a click from elsewhere than the
    /// pointer leaves the list open.
    #[track_caller]
    fn pick_preset(&mut self, name: &str) {
        self.harness.get_by_role_and_label(egui::Role::ComboBox, "Preset").click();
        self.steps(3);
        self.harness.get_by_role_and_label(egui::Role::ListBoxOption, name).click_accesskit();
        self.steps(3);
        self.harness.key_press(egui::Key::Escape);
        self.steps(3);
    }

    /// Picks an entry of the presets menu.
    #[track_caller]
    fn preset_menu(&mut self, entry: &str) {
        self.click("Manage presets");
        self.harness.get_by_label(entry).click();
        self.steps(4);
    }

    /// The presets in the settings that were saved last.
    #[track_caller]
    fn saved_presets(&mut self) -> Vec<Preset> {
        self.steps(8);
        let sent = self.sent();
        let saved = sent.into_iter().rev().find_map(|(_, request)| match request {
            Request::Files(FilesRequest::SaveSettings(settings)) => Some(settings.presets),
            _ => None,
        });
        saved.expect("the settings were saved")
    }

    fn exported(&mut self) -> ExportJob {
        let job = self.exported_job();
        ExportJob::clone(&job)
    }
}

fn open(settings: Settings) -> Window {
    let settings = Settings { output_folder: with_output_folder().settings.output_folder, ..settings };
    let mut window = Window::open_with(WindowOptions { settings, ..WindowOptions::default() }, TALL, 1.0);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window
}

#[test]
fn a_preset_sets_framing_rules_and_file_options() {
    let mut window = open(Settings::default());
    window.choose("Format", "PNG");
    window.choose_preset(DOCUMENT);
    let job = window.exported();
    let preset = find_preset(DOCUMENT).expect("exists");
    assert!(preset.matches(&job.recipe.crop) && job.recipe.crop.rules.is_some());
    let hints = preset.file_hints();
    assert_eq!((Some(job.recipe.encode.dpi), job.recipe.encode.max_kilobytes), (hints.dpi, hints.max_kilobytes));
    assert_eq!(job.recipe.encode.format, OutputFormat::Jpeg);
    assert!(window.shows("Requires: background white") && !window.shows("Source: "));
    window.harness.get_by_role_and_label(egui::Role::ComboBox, "Preset").hover();
    window.steps(12);
    assert!(window.shows("Source: bg.usembassy.gov"), "in the tooltip");
    window.harness.get_by_role_and_label(egui::Role::Slider, "Head height").hover();
    window.steps(12);

    window.choose_preset("headshot");
    let job = window.exported();
    assert_eq!(
        (job.recipe.crop.rules, job.recipe.encode.max_kilobytes),
        (None, None),
        "the limit is removed with its rules"
    );
    assert!(!window.shows("Source: "));
    window.choose_preset("document-35x45");
    let requires = "Requires: background plain and light, without shadows, lightness 70 to 100 %; mouth closed, looking \
                    at the camera; head turned by at most 5, raised or lowered by at most 5, tilted by at most 8 degrees";
    assert!(window.shows(requires));
}

#[test]
fn the_rules_of_a_directory_concern_the_file_only() {
    let mut window = open(Settings::default());
    window.choose("Format", "PNG");
    window.choose_preset("active-directory");
    let job = window.exported();
    assert_eq!((job.recipe.encode.format, job.recipe.encode.max_kilobytes), (OutputFormat::Jpeg, Some(10)));
    assert!(window.shows("Requires: file size at most 10 kB; JPEG") && !window.shows("Unofficial"));
    assert!(!window.shows("document") && !window.shows("issuing authority"));
    window.choose_preset("pspa-yearbook");
    let encode = window.exported().recipe.encode;
    assert_eq!((encode.max_kilobytes, encode.dpi), (None, 300), "the limit of the directory is removed");
    assert!(window.shows("Requires: JPEG; resolution 300 dpi") && window.shows("Unofficial: check the rules"));
}

#[test]
fn a_preset_of_a_single_photo_sets_its_file() {
    let mut window = open(Settings::default());
    window.choose("Format", "PNG");
    window.click("Customise this photo");
    window.choose_preset("active-directory");
    let job = window.exported();
    assert_eq!((job.recipe.encode.format, job.recipe.encode.max_kilobytes), (OutputFormat::Png, None));
    let own = job.items[0].recipe.as_ref().expect("custom settings").encode;
    assert_eq!((own.format, own.max_kilobytes), (OutputFormat::Jpeg, Some(10)));
}

#[test]
fn a_long_preset_name_pushes_nothing_out_of_the_window() {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.choose_preset(DOCUMENT);
    for label in ["Manage presets", "Height in pixels"] {
        let rect = window.harness.get_by_label(label).rect();
        assert!(rect.right() < 1280.0 - 8.0 && rect.width() > 20.0, "{label} at {rect:?}");
    }
}

#[test]
fn unofficial_sources_are_marked() {
    let mut window = open(Settings::default());
    window.choose_preset("uk-passport");
    assert!(window.shows("Unofficial: check the rules"));
    window.choose_preset(DOCUMENT);
    assert_eq!(window.shows("Unofficial"), find_preset(DOCUMENT).expect("exists").check_before_use);
}

#[test]
fn the_preview_reports_whether_the_rules_are_met() {
    let mut window = open(Settings::default());
    window.choose_preset(DOCUMENT);
    assert!(window.has("The frame meets the rules"), "never approved");
    window.slide("Head height", 85.0);
    assert!(!window.has("The frame meets the rules"));
    assert!(window.shows("To review: head 8") && window.shows(" %, allowed 50 to 69 %"));
}

#[test]
fn the_finish_is_disabled_for_documents_against_alterations() {
    let finish = FinishSpec { shape: Shape::Ellipse, ..FinishSpec::default() };
    let mut window = open(Settings { recipe: Recipe { finish, ..Recipe::default() }, ..Settings::default() });
    window.unfold("Finish");
    window.slide("Exposure", 0.5);
    let job = window.exported();
    assert_eq!((job.recipe.finish.shape, job.recipe.finish.adjust.exposure), (Shape::Ellipse, 0.5));
    window.choose_preset(DOCUMENT);
    assert!(window.shows("does not allow altered photos"));
    let slider = window.harness.get_by_role_and_label(egui::Role::Slider, "Exposure");
    assert!(slider.accesskit_node().is_disabled());
    assert_eq!(window.exported().recipe.finish, FinishSpec::default());
}

#[test]
fn other_passes_restart_detection_for_all_photos() {
    let mut window = open(Settings::default());
    window.drop_files(&["/photos/ben.jpg"]);
    let (import, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    window.answer(import, Event::ImportFound { paths: vec!["/photos/ben.jpg".into()] });
    let (waiting, ()) =
        window.sent_one(|request| matches!(request, Request::Session(SessionRequest::IndexPhoto { .. })).then_some(()));
    window.choose("Detection", "Thorough");
    assert_eq!(*window.script.cancelled.borrow(), [waiting]);
    let sent = window.sent();
    let passes: Vec<(bool, Thoroughness)> = sent
        .iter()
        .filter_map(|(_, request)| match request {
            Request::Session(SessionRequest::IndexPhoto { photo, .. }) => Some((false, photo.detect.thoroughness)),
            Request::Session(SessionRequest::OpenPhoto { photo, .. }) => Some((true, photo.detect.thoroughness)),
            _ => None,
        })
        .collect();
    let wanted = Thoroughness::Thorough;
    assert_eq!(passes, [(true, wanted), (false, wanted), (false, wanted)]);
    window.answer(waiting, Event::Superseded);
    assert!(window.has("ben.jpg, waiting") && window.shows("Finding faces"), "another detection is pending");
}

#[test]
fn a_custom_preset_can_be_saved_renamed_copied_and_deleted() {
    let mut window = open(Settings::default());
    window.slide("Head height", 61.0);
    window.preset_menu("Save as preset…");
    window.harness.get_by_label("Name of the preset").type_text("Club card");
    window.steps(2);
    window.click("Save");
    let presets = window.saved_presets();
    let [card] = &presets[..] else { panic!("one preset: {presets:?}") };
    assert_eq!((card.id.as_str(), card.name.as_str(), card.group), ("club-card", "Club card", PresetGroup::Custom));
    assert!((card.head_height - 0.61).abs() < 1e-3 && matches!(card.size, PresetSize::Pixels { .. }));

    window.preset_menu("Duplicate");
    let names: Vec<String> = window.saved_presets().into_iter().map(|preset| preset.name).collect();
    assert_eq!(names, ["Club card", "Club card copy"]);
    window.preset_menu("Delete");
    assert_eq!(window.saved_presets().len(), 1, "the copy, which was chosen last");

    window.choose_preset("avatar");
    window.pick_preset("Club card");
    window.preset_menu("Rename…");
    window.harness.get_by_label("Name of the preset").type_text(" 2");
    window.steps(2);
    window.click("Save");
    let presets = window.saved_presets();
    assert_eq!(presets.len(), 1);
    assert!(presets[0].id == "club-card" && presets[0].name.contains('2'), "{presets:?}");
    let job = window.exported();
    assert!((job.recipe.crop.head_height - 0.61).abs() < 1e-3);
}

#[test]
fn presets_can_be_exported_and_imported() {
    let mut window = open(Settings::default());
    window.preset_menu("Export this preset…");
    assert_eq!(*window.dialog.opened.borrow(), [PickerKind::ExportPresets]);
    window.pick(PickerKind::ExportPresets, vec!["/out/mine".into()]);
    let (id, (path, text)) = window.sent_one(|request| match request {
        Request::Files(FilesRequest::SaveText { path, text, .. }) => Some((path.clone(), text.clone())),
        _ => None,
    });
    assert_eq!(path, std::path::Path::new("/out/mine.toml"));
    let written = presets_from_toml(&text).expect("readable");
    assert!(written.len() == 1 && written[0].matches(&CropSpec::default()));
    window.answer(id, Event::TextSaved(Ok(())));
    assert!(window.has("Presets saved."));

    let card = Preset { id: "card".to_owned(), name: "Card".to_owned(), head_height: 0.33, ..written[0].clone() };
    window.preset_menu("Import presets…");
    window.pick(PickerKind::ImportPresets, vec!["/in/theirs.toml".into()]);
    let (id, path) = window.sent_one(|request| match request {
        Request::Files(FilesRequest::LoadText { path, .. }) => Some(path.clone()),
        _ => None,
    });
    assert_eq!(path, std::path::Path::new("/in/theirs.toml"));
    window.answer(id, Event::TextLoaded(Ok(presets_to_toml(&[card]))));
    assert!(window.has("1 preset imported: Card"));
    window.pick_preset("Card");
    assert!((window.exported().recipe.crop.head_height - 0.33).abs() < 1e-6);

    window.preset_menu("Import presets…");
    window.pick(PickerKind::ImportPresets, vec!["/in/broken.toml".into()]);
    let (id, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::LoadText { .. })).then_some(()));
    window.answer(id, Event::TextLoaded(Ok("preset = 3".to_owned())));
    assert!(window.shows("No presets were imported: "));
}

#[test]
fn a_print_sheet_is_exported_and_shows_its_layout() {
    let mut window = open(Settings::default());
    window.choose_preset("document-35x45");
    window.unfold("Print sheet");
    assert_eq!(window.exported().recipe.sheet, None);
    window.choose("Paper", "10 x 15 cm");
    assert!(window.shows("8 copies on a sheet of 10 x 15 cm"));
    window.choose("Sheet format", "PNG");
    window.click("as many as fit");
    let sheet = window.exported().recipe.sheet.expect("a sheet");
    assert_eq!((sheet.paper, sheet.copies, sheet.format), (Paper::Photo10x15, Some(4), SheetFormat::Png));
}

#[test]
fn rare_framing_options_reach_the_export() {
    let mut window = open(Settings::default());
    window.unfold("Alignment and edges");
    window.slide("Shift", 10.0);
    window.click("Level the eyes");
    window.choose("Beyond the edge", "Fill with colour");
    window.slide("Maximum fill", 25.0);
    window.choose("Position by", "Headroom");
    window.click("Keep hair");
    let crop = window.exported().recipe.crop;
    assert!((crop.shift_right - 0.1).abs() < 1e-3 && !crop.keep_hair && (crop.max_padding - 0.25).abs() < 1e-3);
    assert_ne!(crop.level, CropSpec::default().level);
    window.click("at least");
    assert_eq!(window.exported().recipe.crop.expected.min, Some(1));
}
