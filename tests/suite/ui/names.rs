//! Name lists and names in the window. Names are computed by the real code, from lists in files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use egui::{Event as Input, Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT, Queryable};

use batch::settings::Settings;
use batch::worker::{Event, ExportItem, ExportJob, FilesRequest, Namer, NamesQuery, ProjectTask, Request};
use iron_cropper::ui::{OpenedFiles, PickerKind, WindowOptions};
use naming::{Characters, Folders, Missing, NamesSpec};
use recipe::{AssignedRow, OnConflict, find_preset};

use super::export;
use super::script::{Window, finished, two_faces};

/// A class with leading zeros; row 4 has no photo.
const ROSTER: &str =
    "id,file,Name,Class\n00007,IMG_1.jpg,Anna Müller,3b\n00014,IMG_2.jpg,Ben Weber,3b\n00021,IMG_9.jpg,Cleo Wolf,4a\n";

const PHOTOS: [&str; 3] = ["/photos/IMG_1.jpg", "/photos/IMG_2.jpg", "/photos/IMG_3.jpg"];

/// A window with three photos, tall enough for all settings, and a folder for lists.
struct Class {
    window: Window,
    folder: tempfile::TempDir,
    namer: Namer,
}

fn named(request: &Request) -> Option<Arc<NamesQuery>> {
    if let Request::Files(FilesRequest::NamePhotos { query, .. }) = request { Some(Arc::clone(query)) } else { None }
}

impl Class {
    fn new() -> Self {
        Self::with(|_| {})
    }

    fn with(change: impl FnOnce(&mut Settings)) -> Self {
        let folder = tempfile::tempdir().expect("created");
        let mut settings = Settings { output_folder: Some(folder.path().join("crops")), ..Settings::default() };
        change(&mut settings);
        let options = WindowOptions { settings, ..WindowOptions::default() };
        let mut window = Window::open_with(options, [1280.0, 1800.0], 1.0);
        window.runtime_ready();
        window.add(&PHOTOS, &two_faces());
        Self { window, folder, namer: Namer::default() }
    }

    /// A window with the roster.
    fn with_roster() -> Self {
        let mut class = Self::new();
        class.drop_list("roster.csv", ROSTER);
        class
    }

    fn list(&self, name: &str, content: &str) -> String {
        let path = self.folder.path().join(name);
        fs::write(&path, content).expect("written");
        path.display().to_string()
    }

    fn drop_list(&mut self, name: &str, content: &str) {
        let path = self.list(name, content);
        self.window.drop_files(&[&path]);
        self.answer();
        // The settings for names open.
        self.window.steps(20);
    }

    /// Answers all requests for names and rows; returns the number of requests.
    fn answer(&mut self) -> usize {
        let mut answered = 0;
        loop {
            let mut events = Vec::new();
            for (id, request) in self.window.sent() {
                match request {
                    Request::Files(FilesRequest::NamePhotos { query, reread }) => {
                        events.push((id, Event::PhotosNamed(Box::new(self.namer.name(&query, reread)))));
                    }
                    Request::Files(FilesRequest::FindRows { roster, typed, max }) => {
                        let rows = roster.search(&typed, max);
                        events.push((id, Event::RowsFound { typed, rows }));
                    }
                    _ => {}
                }
            }
            if events.is_empty() {
                return answered;
            }
            for (id, event) in events {
                answered += 1;
                self.window.answer(id, event);
            }
            self.window.steps(2);
        }
    }

    /// The spec of the last request for names.
    #[track_caller]
    fn spec(&mut self) -> NamesSpec {
        self.answer();
        let last = self.window.all_sent().iter().filter_map(named).next_back();
        last.expect("names were requested").spec.clone()
    }

    /// Exports all photos, and returns the job once names have been computed.
    #[track_caller]
    fn export(&mut self) -> Arc<ExportJob> {
        self.window.click("Export all");
        self.answer_export().expect("an export")
    }

    /// Answers requests for names until an export begins.
    fn answer_export(&mut self) -> Option<Arc<ExportJob>> {
        let before = self.window.all_sent().iter().filter(|request| export(request).is_some()).count();
        self.answer();
        self.window.steps(2);
        let jobs: Vec<_> = self.window.all_sent().iter().filter_map(export).collect();
        let has_begun = jobs.len() > before.saturating_sub(1) && !jobs.is_empty();
        has_begun.then(|| jobs.last().cloned()).flatten()
    }

    /// Tries to export all photos; returns whether that was refused with these words.
    fn refuses(&mut self, words: &str) -> bool {
        self.window.click("Export all");
        self.answer();
        self.window.steps(2);
        !self.window.all_sent().iter().any(|request| export(request).is_some())
            && self.window.shows("Nothing was exported: ")
            && self.window.shows(words)
    }

    /// Opens the settings for names, which are closed without a list.
    fn open_names(&mut self) {
        self.window.click("Names");
        self.window.steps(20);
    }

    fn type_name(&mut self, text: &str) {
        self.window.press(Key::F2);
        self.window.type_text(text);
        self.answer();
    }

    fn rows(&self) -> Vec<String> {
        let rows = self.window.harness.query_all_by_role(Role::ListBoxOption);
        rows.filter_map(|row| row.accesskit_node().label()).collect()
    }
}

fn listed(item: &ExportItem) -> Option<&str> {
    item.name.listed.as_deref()
}

#[test]
fn a_list_dropped_with_photos_names_the_crops() {
    let mut class = Class::new();
    let list = class.list("roster.csv", ROSTER);
    class.window.drop_files(&["/photos/IMG_4.jpg", &list]);
    let sent = class.window.sent();
    let roots = sent.iter().find_map(|(_, request)| match request {
        Request::Files(FilesRequest::Import { roots }) => Some(roots.clone()),
        _ => None,
    });
    assert_eq!(roots, Some(vec![PathBuf::from("/photos/IMG_4.jpg")]), "the list is not a photo");
    assert!(class.window.shows("Crops are named from roster.csv"));
    let (request, query) = sent.iter().find_map(|(id, request)| Some((*id, named(request)?))).expect("names");
    assert_eq!(query.spec.list.as_ref().map(|list| list.file.clone()), Some(PathBuf::from(&list)));
    let names = class.namer.name(&query, false);
    class.window.answer(request, Event::PhotosNamed(Box::new(names)));
    class.window.steps(20);
    class.window.click("Reload");
    assert_eq!(class.answer(), 1, "the list is read again");
    let expected =
        ["IMG_1.jpg, Anna Müller.jpg, 2 faces", "IMG_2.jpg, Ben Weber.jpg, 2 faces", "IMG_3.jpg, IMG_3.jpg, 2 faces"];
    assert_eq!(class.rows(), expected);
    assert!(class.window.has("2 of 3 photos matched"));
    let job = class.export();
    assert_eq!(job.items.iter().map(listed).collect::<Vec<_>>(), [Some("Anna Müller"), Some("Ben Weber"), None]);
    assert!(job.originals.contains(&PathBuf::from(list)), "the list is never replaced");
}

#[test]
fn a_list_alone_starts_no_search_for_photos() {
    let mut class = Class::new();
    let list = class.list("roster.csv", ROSTER);
    class.window.sent();
    class.window.drop_files(&[&list]);
    let imports = class.window.sent();
    assert!(!imports.iter().any(|(_, request)| matches!(request, Request::Files(FilesRequest::Import { .. }))));
}

#[test]
fn of_several_lists_the_last_is_used_with_a_warning() {
    let mut class = Class::new();
    let (first, last) = (class.list("old.csv", ROSTER), class.list("new.xlsx", ROSTER));
    class.window.drop_files(&[&first, &last]);
    assert!(class.window.shows("Several name lists were added; only the last one is used: new.xlsx."));
    assert_eq!(class.spec().list.map(|list| list.file), Some(PathBuf::from(last)));
}

#[test]
fn a_list_can_be_pasted_typed_picked_or_given_at_the_start() {
    let file = |class: &mut Class| class.spec().list.map(|list| list.file);
    for way in 0..5 {
        let mut class = Class::new();
        let list = class.list("roster.tsv", &ROSTER.replace(',', "\t"));
        match way {
            0 => class.window.harness.event(Input::Paste(list.clone())),
            1 => {
                class.window.harness.get_by_role_and_label(Role::TextInput, "Path to add").focus();
                class.window.steps(2);
                class.window.type_text(&list);
                class.window.press(Key::Enter);
            }
            2 => {
                class.window.ctrl(Key::O);
                class.window.pick(PickerKind::Files, vec![PathBuf::from(&list)]);
            }
            3 => {
                class.open_names();
                class.window.click("Choose a name list…");
                assert_eq!(class.window.dialog.opened.borrow().last(), Some(&PickerKind::NameList));
                class.window.pick(PickerKind::NameList, vec![PathBuf::from(&list)]);
            }
            _ => {
                let opened = OpenedFiles::default();
                let paths = vec![PathBuf::from("/photos"), PathBuf::from(&list)];
                let options = WindowOptions { paths, opened, ..WindowOptions::default() };
                class.window = Window::open_with(options, [1280.0, 800.0], 1.0);
                class.window.runtime_ready();
            }
        }
        class.window.steps(3);
        assert_eq!(file(&mut class), Some(PathBuf::from(list)), "way {way}");
    }
}

#[test]
fn a_list_is_removed_and_restored_with_one_click_each() {
    let mut class = Class::with_roster();
    class.window.click("Remove the list");
    assert_eq!(class.rows()[0], "IMG_1.jpg, 2 faces", "photos keep their own names");
    class.window.ctrl(Key::Z);
    class.answer();
    assert_eq!(class.rows()[0], "IMG_1.jpg, Anna Müller.jpg, 2 faces");
    class.window.ctrl(Key::Z);
    class.answer();
    assert_eq!(class.rows()[0], "IMG_1.jpg, 2 faces", "adding it can be undone as well");
}

#[test]
fn columns_sheet_and_policy_are_chosen_from_the_list() {
    let mut class = Class::with_roster();
    assert_eq!(
        class.window.harness.get_by_role_and_label(Role::ComboBox, "Name column").value().as_deref(),
        Some("Automatic: Name")
    );
    class.window.choose("Name column", "id");
    assert_eq!(class.spec().list.and_then(|list| list.output).as_deref(), Some("id"));
    assert_eq!(class.rows()[0], "IMG_1.jpg, 00007.jpg, 2 faces");
    class.window.choose("Photo column", "Class");
    assert_eq!(class.spec().list.and_then(|list| list.source).as_deref(), Some("Class"));
    assert!(class.window.has("0 of 3 photos matched"));
    class.window.choose("Photo column", "Automatic");
    class.window.choose("Not in list", "Skip");
    assert_eq!(class.spec().list.map(|list| list.missing), Some(Missing::Skip));
    assert_eq!(class.rows()[2], "IMG_3.jpg, Not exported, 2 faces");
    let job = class.export();
    assert_eq!(job.items.len(), 2);
    // The list without columns of these names.
    class.drop_list("other.csv", "photo,name\nIMG_3.jpg,Dora\n");
    let list = class.spec().list.expect("a list");
    assert_eq!((list.output, list.missing), (None, Missing::Skip), "columns belong to a list, the policy does not");
}

#[test]
fn each_fact_about_names_filters_the_list() {
    let mut class = Class::with_roster();
    class.drop_list("loose.csv", "file,name\nC:\\Day 1\\IMG_1.jpg,Anna\nIMG_2.jpg,Anna\n");
    class.window.click("1 photo without a row");
    assert_eq!(class.rows(), ["IMG_3.jpg, IMG_3.jpg, 2 faces"]);
    class.window.click("1 photo without a row");
    assert_eq!(class.rows().len(), 3, "a second click shows all");
    class.window.click("1 loose match");
    assert_eq!(class.rows(), ["IMG_1.jpg, Anna.jpg, 2 faces"]);
    class.window.click("2 photos that share names");
    assert_eq!(class.rows().len(), 2);
    assert!(class.window.has("Same name 2") && class.window.has("Not in list 1"), "the chips above the list");
    assert!(class.window.describes("IMG_1.jpg: Several photos have this name"));
}

#[test]
fn a_hundred_thousand_rows_without_a_photo_are_shown_as_needed() {
    let mut class = Class::new();
    let mut list = String::from("file,name\nIMG_1.jpg,Anna\n");
    (0..100_000).for_each(|number| list.push_str(&format!("absent_{number}.jpg,Person {number}\n")));
    class.drop_list("all.csv", &list);
    class.window.click("100,000 rows without a photo");
    assert!(class.window.has("3, absent_0.jpg, Person 0") && !class.window.shows("absent_99999"));
    let shown = class.window.harness.query_all_by_label_contains("absent_").count();
    assert!((3..200).contains(&shown), "{shown} rows are drawn");
    class.window.press(Key::Escape);
    assert!(!class.window.shows("absent_0"));
}

#[test]
fn a_template_shows_its_error_and_a_live_example() {
    let mut class = Class::with_roster();
    class.window.harness.get_by_role_and_label(Role::TextInput, "Template of the file names").focus();
    class.window.steps(2);
    class.window.type_text("{column:Class}/{name}_{foo}");
    class.window.steps(2);
    assert!(class.window.shows("Character 24: there is no field “foo”"), "{:?}", class.rows());
    assert!(class.refuses("the template of the file names is invalid"));
    class.window.harness.get_by_role_and_label(Role::TextInput, "Template of the file names").focus();
    class.window.steps(2);
    for _ in 0..6 {
        class.window.press(Key::Backspace);
    }
    class.answer();
    assert!(class.window.has("Example: 3b/Anna Müller.jpg"), "the photo on the canvas");
    assert_eq!(class.rows()[1], "IMG_2.jpg, 3b/Ben Weber.jpg, 2 faces");
    let job = class.export();
    assert_eq!(job.template.to_string(), "{column:Class}/{name}");
}

#[test]
fn fields_and_columns_are_completed_and_inserted() {
    let mut class = Class::with_roster();
    class.window.harness.get_by_role_and_label(Role::TextInput, "Template of the file names").focus();
    class.window.steps(2);
    class.window.type_text("a_{cl");
    assert!(!class.window.shows("{column:Class}"), "no field begins with this");
    for _ in 0..2 {
        class.window.press(Key::Backspace);
    }
    class.window.type_text("column:c");
    class.window.steps(2);
    class.window.press(Key::Enter);
    assert_eq!(class.spec().template, "a_{column:Class}");
    class.window.click("Insert a field");
    class.window.click("{index:4}");
    assert_eq!(class.spec().template, "a_{column:Class}{index:4}");
}

#[test]
fn folders_and_characters_are_chosen() {
    let mut class = Class::with_roster();
    class.window.choose("Folders", "By Class");
    assert_eq!(class.spec().template, "{column:Class}/{name}");
    class.window.choose("Folders", "Like the photos");
    let spec = class.spec();
    assert_eq!((spec.template.as_str(), spec.folders), ("", Folders::Mirror));
    class.window.choose("Characters", "Plain ASCII");
    assert_eq!(class.spec().characters, Characters::Ascii);
    assert!(class.rows()[0].contains("Anna_M"), "{:?}", class.rows());
}

#[test]
fn folders_like_those_of_the_photos_begin_at_the_added_folder() {
    let mut class = Class::with(|settings| settings.names.folders = Folders::Mirror);
    class.window.drop_files(&["/school"]);
    let (import, ()) =
        class.window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    class.window.answer(import, Event::ImportFolder { path: "/school".into() });
    class.window.answer(import, Event::ImportFound { paths: vec!["/school/3b/x/a.jpg".into()] });
    class.answer();
    let job = class.export();
    let folders: Vec<&Path> = job.items.iter().map(|item| item.name.folder.as_path()).collect();
    assert_eq!(folders, ["", "", "", "3b/x"].map(Path::new));
    // A project stores the folder.
    class.window.press_with(Modifiers::COMMAND, Key::S);
    class.window.pick(PickerKind::SaveProject, vec!["/work/school".into()]);
    let (_, project) = class.window.sent_one(|request| match request {
        Request::Files(FilesRequest::Project(ProjectTask::Save(_, project) | ProjectTask::SaveOver(_, project))) => {
            Some(Arc::clone(project))
        }
        _ => None,
    });
    assert_eq!(project.roots, [PathBuf::from("/school")]);
    assert_eq!(project.settings.names.folders, Folders::Mirror);
}

#[test]
fn a_name_is_typed_in_the_list_with_the_keyboard_alone() {
    let mut class = Class::with_roster();
    class.type_name("Anna Berg");
    assert!(class.window.harness.get_by_role_and_label(Role::TextInput, "Name of the crops").is_focused());
    class.window.press(Key::Enter);
    class.answer();
    assert_eq!(class.rows()[0], "IMG_1.jpg, Anna Berg.jpg, 2 faces");
    assert!(class.window.has("1 named by hand"));
    // The keys move through the list again.
    class.window.press(Key::ArrowDown);
    assert!(class.window.shows("Photo IMG_2.jpg"));
    // Escape changes nothing, nor does Enter without a change.
    class.type_name("Nobody");
    class.window.press(Key::Escape);
    class.window.press(Key::F2);
    class.window.press(Key::Enter);
    class.answer();
    assert_eq!(class.rows()[1], "IMG_2.jpg, Ben Weber.jpg, 2 faces");
    let job = class.export();
    assert_eq!((listed(&job.items[0]), job.items[0].name.is_typed), (Some("Anna Berg"), true));
    assert!(!job.items[1].name.is_typed);
}

#[test]
fn a_typed_name_is_undone_and_removed() {
    let mut class = Class::with_roster();
    class.type_name("Anna Berg");
    class.window.press(Key::Enter);
    class.window.ctrl(Key::Z);
    class.answer();
    assert_eq!(class.rows()[0], "IMG_1.jpg, Anna Müller.jpg, 2 faces");
    class.window.ctrl_shift(Key::Z);
    class.answer();
    assert_eq!(class.rows()[0], "IMG_1.jpg, Anna Berg.jpg, 2 faces");
    class.window.press(Key::F2);
    class.window.press(Key::Delete);
    class.window.press(Key::Enter);
    class.answer();
    assert_eq!(class.rows()[0], "IMG_1.jpg, Anna Müller.jpg, 2 faces", "an empty text restores the list's name");
}

#[test]
fn a_few_letters_find_a_row_which_is_assigned() {
    let mut class = Class::with_roster();
    class.window.press(Key::End);
    class.type_name("cl");
    assert!(class.window.has("00021 · IMG_9.jpg · Cleo Wolf · 4a"));
    class.window.press(Key::ArrowDown);
    class.window.press(Key::Enter);
    class.answer();
    assert_eq!(class.rows()[2], "IMG_3.jpg, Cleo Wolf.jpg, 2 faces");
    assert!(class.window.has("3 of 3 photos matched") && !class.window.shows("rows without a photo"));
    let query = class.window.all_sent().iter().filter_map(named).next_back().expect("names");
    assert_eq!(query.photos[2].row, Some(AssignedRow { line: 4, text: "IMG_9.jpg".to_owned() }));
    // The arrow keys belong to the field: another photo was not opened.
    assert!(class.window.shows("Photo IMG_3.jpg"));
    class.type_name("ben");
    class.window.click("00014 · IMG_2.jpg · Ben Weber · 3b");
    class.answer();
    assert_eq!(class.rows()[2], "IMG_3.jpg, Ben Weber.jpg, 2 faces", "by a click");
}

#[test]
fn names_can_be_typed_without_a_list_and_in_the_grid() {
    let mut class = Class::new();
    class.window.ctrl(Key::G);
    class.type_name("Anna");
    class.window.press(Key::Enter);
    class.answer();
    assert_eq!(class.rows()[..2], ["IMG_1.jpg, Anna.jpg, 2 faces", "IMG_2.jpg, IMG_2.jpg, 2 faces"]);
    let job = class.export();
    assert_eq!(job.items.iter().map(listed).collect::<Vec<_>>(), [Some("Anna"), None, None]);
}

#[test]
fn the_field_closes_when_its_row_is_filtered_out_or_another_photo_is_clicked() {
    let mut class = Class::with_roster();
    let is_open =
        |class: &Class| class.window.harness.query_by_role_and_label(Role::TextInput, "Name of the crops").is_some();
    class.type_name("x");
    assert!(is_open(&class));
    class.window.click("IMG_2.jpg, Ben Weber.jpg, 2 faces");
    class.window.steps(3);
    assert!(!is_open(&class));
    assert_eq!(class.rows()[0], "IMG_1.jpg, Anna Müller.jpg, 2 faces", "what was typed may be a search");
}

#[test]
fn the_list_is_read_again_before_an_export() {
    let mut class = Class::with_roster();
    class.list("roster.csv", &ROSTER.replace("Anna Müller", "Anna Berg-Müller"));
    let job = class.export();
    assert_eq!(listed(&job.items[0]), Some("Anna Berg-Müller"));
}

#[test]
fn a_list_that_became_unusable_stops_the_export() {
    let mut class = Class::with_roster();
    class.window.choose("Name column", "Name");
    class.answer();
    class.list("roster.csv", &ROSTER.replace("Name", "Person"));
    assert!(class.refuses("there is no column “Name”"));
    let mut class = Class::with_roster();
    fs::remove_file(class.folder.path().join("roster.csv")).expect("removed");
    assert!(class.refuses("the name list roster.csv cannot be used: it cannot be read"));
    let mut class = Class::with_roster();
    class.list("roster.csv", "file,name\nx.jpg,Xaver\n");
    assert!(class.refuses("no row of the name list roster.csv matches a photo"));
}

#[test]
fn an_assigned_row_that_is_gone_stops_the_export() {
    let mut class = Class::with_roster();
    class.window.press(Key::End);
    class.type_name("cleo");
    class.window.press(Key::ArrowDown);
    class.window.press(Key::Enter);
    class.answer();
    class.list("roster.csv", &ROSTER.lines().take(3).collect::<Vec<_>>().join("\n"));
    assert!(class.refuses("the row assigned to IMG_3.jpg is no longer in the name list"));
}

#[test]
fn photos_that_are_not_in_the_list_stop_the_export_on_request() {
    let mut class = Class::with_roster();
    class.window.choose("Not in list", "Stop the export");
    class.answer();
    assert!(class.refuses("1 photo is not in the name list"));
    class.window.press(Key::End);
    class.window.press(Key::X);
    class.window.steps(3);
    assert_eq!(class.export().items.len(), 2, "an excluded photo does not matter");
}

#[test]
fn the_same_name_twice_is_reported_before_the_export() {
    let list = "file,name\nIMG_1.jpg,Anna\nIMG_2.jpg,ANNA\n";
    let mut class = Class::with(|settings| settings.on_conflict = OnConflict::Fail);
    class.drop_list("same.csv", list);
    assert!(class.window.has("2 photos that share names"));
    assert!(class.refuses("1 name is shared by several photos: “Anna”"));
    let mut class = Class::new();
    class.drop_list("same.csv", list);
    let job = class.export();
    assert_eq!(job.items.len(), 3);
    assert!(class.window.shows("1 name is shared by several photos: “Anna”. A number is added to the later ones."));
}

#[test]
fn a_preset_in_a_row_applies_to_preview_and_export() {
    let mut class = Class::new();
    class.drop_list("presets.csv", "file,name,preset\nIMG_1.jpg,Anna,avatar\nIMG_2.jpg,Ben,\n");
    let avatar = find_preset("avatar").expect("exists");
    let job = class.export();
    let recipes: Vec<_> = job.items.iter().map(|item| item.recipe.as_ref().map(|recipe| recipe.crop.output)).collect();
    assert_eq!(recipes, [Some(avatar.spec().output), None, None]);
    assert_eq!(job.items[0].name.preset, "avatar");
    class.window.steps(20);
    let preview = class.window.all_sent().iter().filter_map(super::preview).next_back();
    assert_eq!(preview.map(|crop| crop.output), Some(avatar.spec().output), "the preview equals the export");
}

#[test]
fn an_unknown_preset_stops_the_export_with_its_row() {
    let mut class = Class::new();
    class.drop_list("presets.csv", "file,name,preset\nIMG_1.jpg,Anna,avatar\nIMG_2.jpg,Ben,passprt\n");
    assert!(class.refuses("row 3 of the name list has the preset “passprt”, which does not exist"));
}

#[test]
fn settings_of_a_preset_in_a_row_become_custom_settings_once_changed() {
    let mut class = Class::new();
    class.drop_list("presets.csv", "file,name,preset\nIMG_1.jpg,Anna,avatar\n");
    class.window.slide("Head height", 44.0);
    class.answer();
    let job = class.export();
    let avatar = find_preset("avatar").expect("exists").spec();
    let crop = &job.items[0].recipe.as_ref().expect("custom settings").crop;
    assert_eq!((crop.output, crop.head_height), (avatar.output, 0.44));
    assert_eq!(job.recipe.crop, Settings::default().recipe.crop, "the shared settings are unchanged");
}

#[test]
fn a_new_list_of_photos_forgets_the_name_list() {
    let mut class = Class::with_roster();
    class.window.choose("Folders", "By Class");
    class.answer();
    class.window.ctrl(Key::N);
    class.window.add(&["/photos/IMG_1.jpg"], &two_faces());
    let spec = class.spec();
    assert_eq!((spec.list, spec.template.as_str()), (None, "{column:Class}/{name}"));
}

#[test]
fn edits_that_names_do_not_depend_on_request_no_names() {
    let mut class = Class::with_roster();
    class.window.slide("Head height", 50.0);
    class.window.click("Face 2, score 0.70, not included");
    class.window.steps(4);
    assert_eq!(class.answer(), 0);
    class.window.press(Key::X);
    assert_eq!(class.answer(), 1, "an excluded photo has no name");
}

#[test]
fn a_window_with_names_is_idle() {
    let mut class = Class::with_roster();
    class.window.steps(60);
    class.answer();
    class.window.steps(80);
    let output = &class.window.harness.output().viewport_output[&egui::ViewportId::ROOT];
    assert_eq!(output.repaint_delay, Duration::MAX);
}

#[test]
fn an_export_runs_once_if_the_button_is_pressed_twice() {
    let mut class = Class::with_roster();
    class.window.click("Export all");
    class.window.click("Export all");
    class.answer();
    let jobs = class.window.all_sent().iter().filter(|request| export(request).is_some()).count();
    assert_eq!(jobs, 1);
    let id = class.window.sent().iter().find_map(|(id, request)| export(request).map(|_| *id));
    id.into_iter().for_each(|id| class.window.answer(id, finished(false, 3, 3)));
}
