//! Projects in the window: saved, opened, closed with changes, recovered; watched folders; pasted images.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use eframe::App;
use egui::{Event as Input, Key, Modifiers, ViewportCommand, ViewportEvent, ViewportId};
use egui_kittest::kittest::Queryable;

use batch::project::{FileMark, Opened, Project, ProjectPhoto};
use batch::settings::{Recent, Settings};
use batch::worker::{
    Event, FilesRequest, ProjectEvent, ProjectFault, ProjectTask, RecoverableList, Request, RequestId, SessionRequest,
    WatchProblem,
};
use geometry::Size;
use import::WalkProblem;
use iron_cropper::ui::{PickerKind, WindowOptions};
use recipe::{FaceChoice, PhotoEdits, find_preset};

use super::script::{Window, two_faces};
use super::{export, is_detection, open_with_output_folder};

const FILE: &str = "/work/school.ironcrop";

fn task(request: &Request) -> Option<ProjectTask> {
    if let Request::Files(FilesRequest::Project(task)) = request { Some(task.clone()) } else { None }
}

fn saving(request: &Request) -> Option<(PathBuf, Arc<Project>)> {
    match task(request)? {
        ProjectTask::Save(path, project) | ProjectTask::SaveOver(path, project) => Some((path, project)),
        _ => None,
    }
}

fn opening(request: &Request) -> Option<PathBuf> {
    match task(request)? {
        ProjectTask::Open(path) => Some(path),
        _ => None,
    }
}

impl Window {
    /// Presses a key in the next pass.
    fn press_at_once(&mut self, modifiers: Modifiers, key: Key) {
        let (physical_key, pressed, repeat) = (None, true, false);
        self.harness.input_mut().events.push(Input::Key { key, physical_key, pressed, repeat, modifiers });
    }

    pub(super) fn project_event(&mut self, id: RequestId, event: ProjectEvent) {
        self.answer(id, Event::Project(event));
    }

    /// Saves the list, which has no file yet, as [`FILE`]; returns the written project.
    #[track_caller]
    fn save_new(&mut self) -> Arc<Project> {
        self.press_with(Modifiers::COMMAND, Key::S);
        assert_eq!(self.dialog.opened.borrow().last(), Some(&PickerKind::SaveProject));
        self.pick(PickerKind::SaveProject, vec!["/work/school".into()]);
        let (id, (path, project)) = self.sent_one(saving);
        assert_eq!(path, Path::new(FILE), "with its extension");
        self.project_event(id, ProjectEvent::Saved(Ok(())));
        project
    }

    /// The viewport commands within a number of steps.
    pub(super) fn window_commands(&mut self, steps: usize) -> Vec<ViewportCommand> {
        let mut commands = Vec::new();
        for _ in 0..steps {
            self.harness.step();
            commands.extend(self.harness.output().viewport_output[&ViewportId::ROOT].commands.clone());
        }
        commands
    }

    /// Presses Ctrl+Q; returns whether the window closes.
    fn quits(&mut self) -> bool {
        self.press_at_once(Modifiers::COMMAND, Key::Q);
        self.window_commands(4).contains(&ViewportCommand::Close)
    }

    #[track_caller]
    pub(super) fn open_project(&mut self, opened: Opened) {
        self.drop_files(&[FILE]);
        let (id, path) = self.sent_one(opening);
        assert_eq!(path, Path::new(FILE));
        self.project_event(id, ProjectEvent::Opened(Ok(Box::new(opened))));
    }
}

fn open_with_photos() -> Window {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg"], &two_faces());
    window
}

/// Two photos: for the first, its second face is chosen; the other is missing.
pub(super) fn opened() -> Opened {
    let edits = PhotoEdits { chosen: Some(vec![two_faces()[1].bbox]), ..PhotoEdits::default() };
    let anna = ProjectPhoto { path: "/photos/anna.jpg".into(), edits, ..ProjectPhoto::default() };
    let mark = Some(FileMark { bytes: 77, modified: None });
    let missing = ProjectPhoto { path: "/photos/ben.jpg".into(), mark, missing: true, ..ProjectPhoto::default() };
    let mut project = Project { photos: vec![anna, missing], ..Project::default() };
    project.settings.recipe.crop = find_preset("avatar").expect("exists").spec();
    Opened { project, changed: 0, settings_lost: Vec::new(), edits_lost: 0, output_outside: false }
}

#[test]
fn edits_are_saved_and_the_file_name_is_requested_once() {
    let mut window = open_with_photos();
    window.click("Face 2, score 0.70, not included");
    let project = window.save_new();
    let paths: Vec<&Path> = project.photos.iter().map(|photo| photo.path.as_path()).collect();
    assert_eq!(paths, [Path::new("/photos/anna.jpg"), Path::new("/photos/ben.jpg")]);
    assert_eq!(project.photos[0].edits.chosen, Some(two_faces().map(|face| face.bbox).to_vec()));
    assert_eq!(project.photos[1].edits, PhotoEdits::default());
    assert_eq!(project.settings.output_folder, Some(std::env::temp_dir().join("crops")));
    window.press_with(Modifiers::COMMAND, Key::S);
    let (_, (path, _)) = window.sent_one(saving);
    assert_eq!((path.as_path(), window.dialog.opened.borrow().len()), (Path::new(FILE), 1));
}

#[test]
fn a_path_can_be_typed_without_a_dialog() {
    let mut window = open_with_photos();
    window.dialog.missing.set(true);
    window.press_with(Modifiers::COMMAND, Key::S);
    assert!(window.shows("No file dialog is available. Type the path instead."));
    window.click("Save");
    let (_, (path, _)) = window.sent_one(saving);
    if cfg!(unix) {
        assert_eq!(path, Path::new("/photos/photos.ironcrop"), "beside the first photo");
    }
    assert!(!window.has("Path"), "the page is closed");
}

#[test]
fn the_title_shows_the_project_and_unsaved_changes() {
    let mut window = open_with_photos();
    window.press_with(Modifiers::COMMAND, Key::S);
    window.pick(PickerKind::SaveProject, vec![FILE.into()]);
    let (id, _) = window.sent_one(saving);
    let title = |commands: Vec<ViewportCommand>| {
        let titles = commands.into_iter().filter_map(|command| match command {
            ViewportCommand::Title(title) => Some(title),
            _ => None,
        });
        titles.last()
    };
    window.script_reply(id, Event::Project(ProjectEvent::Saved(Ok(()))));
    assert_eq!(title(window.window_commands(3)).as_deref(), Some("school — Iron Cropper"));
    window.harness.key_press(Key::ArrowDown);
    assert_eq!(title(window.window_commands(3)), None, "viewing changes nothing");
    window.answer_detection(&two_faces());
    window.slide("Head height", 50.0);
    window.press_at_once(Modifiers::COMMAND, Key::Z);
    assert_eq!(title(window.window_commands(3)).as_deref(), Some("school — Iron Cropper"), "undone, it is as saved");
    window.press_at_once(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(title(window.window_commands(3)).as_deref(), Some("• school — Iron Cropper"));
}

#[test]
fn closing_asks_only_if_work_would_be_lost() {
    let mut window = open_with_photos();
    assert!(window.quits(), "an unedited list");
    let mut window = open_with_photos();
    window.click("Face 2, score 0.70, not included");
    assert!(!window.quits());
    assert!(window.has("Your edits to these photos are not saved."));
    window.click("Cancel");
    assert!(!window.shows("is not saved"));
    // Also if the window is closed by its own button.
    let viewport = window.harness.input_mut().viewports.get_mut(&ViewportId::ROOT).expect("exists");
    viewport.events.push(ViewportEvent::Close);
    assert!(window.window_commands(3).contains(&ViewportCommand::CancelClose));
    assert!(window.has("Your edits to these photos are not saved."));
    window.sent();
    window.click("Save");
    window.pick(PickerKind::SaveProject, vec![FILE.into()]);
    let (id, _) = window.sent_one(saving);
    window.script_reply(id, Event::Project(ProjectEvent::Saved(Ok(()))));
    assert!(window.window_commands(3).contains(&ViewportCommand::Close), "saved, it closes");

    let mut window = open_with_photos();
    window.save_new();
    window.slide("Head height", 50.0);
    assert!(!window.quits());
    assert!(window.has("Changes in “school” are not saved."));
    window.harness.get_by_label("Discard changes").click();
    assert!(window.window_commands(3).contains(&ViewportCommand::Close));
}

#[test]
fn a_question_captures_the_keys_and_enter_answers_it() {
    let mut window = open_with_photos();
    window.click("Face 2, score 0.70, not included");
    assert!(!window.quits());
    let both = |window: &Window| window.shows("anna.jpg") && window.shows("ben.jpg");
    for key in [Key::Delete, Key::X, Key::N, Key::A] {
        window.press(key);
    }
    window.press_with(Modifiers::COMMAND, Key::Z);
    assert!(window.has("Your edits to these photos are not saved."), "the question ignores shortcuts");
    window.sent();
    window.press(Key::Enter);
    assert_eq!(window.dialog.opened.borrow().last(), Some(&PickerKind::SaveProject), "Save was pressed");
    assert!(both(&window) && !window.shows("accepted") && !window.shows("excluded"));
    // Pages without a question do not let keys through to the list either.
    window.press(Key::F1);
    window.press(Key::Delete);
    window.press(Key::X);
    window.press(Key::Escape);
    assert!(both(&window) && !window.shows("excluded"));
}

#[test]
fn a_failed_save_keeps_the_window_open() {
    let mut window = open_with_photos();
    window.save_new();
    window.slide("Head height", 50.0);
    window.quits();
    window.click("Save");
    let (id, _) = window.sent_one(saving);
    window.script_reply(id, Event::Project(ProjectEvent::Saved(Err(ProjectFault::WrittenSince { path: FILE.into() }))));
    assert!(!window.window_commands(3).contains(&ViewportCommand::Close));
    assert!(window.shows("was changed by another window or program"));
    assert!(!window.quits(), "still not saved");
}

#[test]
fn a_running_export_is_mentioned_before_the_window_closes() {
    let mut window = open_with_photos();
    window.click("Export all");
    assert!(!window.quits());
    assert!(window.shows("An export is running."));
    window.harness.get_by_label("Stop export and close").click();
    assert!(window.window_commands(3).contains(&ViewportCommand::Close));
}

#[test]
fn an_opened_project_restores_its_state() {
    let mut window = open_with_photos();
    window.open_project(opened());
    let photo_indexed: Vec<PathBuf> = window
        .sent()
        .into_iter()
        .filter_map(|(_, request)| {
            if let Request::Session(SessionRequest::IndexPhoto { photo, .. }) = request {
                Some(photo.path)
            } else {
                None
            }
        })
        .collect();
    assert_eq!(photo_indexed, [PathBuf::from("/photos/anna.jpg")], "missing photos are not opened");
    assert!(window.has("ben.jpg, missing"));
    assert!(window.has("The file of one photo is missing: ben.jpg."));
    window.press_with(Modifiers::COMMAND, Key::Z);
    assert!(window.has("ben.jpg, missing"), "the history of the previous list is gone");
    window.sent();
    window.click("Export all");
    let (_, job) = window.sent_one(export);
    assert_eq!(job.recipe.crop, find_preset("avatar").expect("exists").spec());
    let FaceChoice::Edited(edits) = &job.items[0].faces else { panic!("{:?}", job.items[0].faces) };
    assert_eq!(edits.chosen, Some(vec![two_faces()[1].bbox]));
}

#[test]
fn missing_photos_are_searched_and_opened() {
    let mut window = Window::open();
    window.open_project(opened());
    window.click("Locate…");
    assert_eq!(window.dialog.opened.borrow().last(), Some(&PickerKind::FindMissing));
    window.pick(PickerKind::FindMissing, vec!["/moved".into()]);
    let (id, (folder, wanted)) = window.sent_one(|request| match task(request)? {
        ProjectTask::FindPhotos { folder, wanted } => Some((folder, wanted)),
        _ => None,
    });
    assert_eq!((folder.as_path(), wanted.len()), (Path::new("/moved"), 1));
    assert_eq!(
        (wanted[0].1.path.as_path(), wanted[0].1.mark.map(|mark| mark.bytes)),
        (Path::new("/photos/ben.jpg"), Some(77))
    );
    window.project_event(id, ProjectEvent::Found(vec![(wanted[0].0, "/moved/ben.jpg".into())]));
    let (_, path) = window.sent_one(|request| match request {
        Request::Session(SessionRequest::IndexPhoto { photo, .. }) => Some(photo.path.clone()),
        _ => None,
    });
    assert_eq!(path, Path::new("/moved/ben.jpg"));
    assert!(window.has("All missing photos were found.") && !window.shows("missing: ben.jpg"));
    assert!(!window.quits(), "the file still has the old path");
}

#[test]
fn a_project_that_cannot_be_opened_keeps_the_list() {
    let mut window = open_with_photos();
    window.drop_files(&[FILE]);
    let (id, _) = window.sent_one(opening);
    window.project_event(id, ProjectEvent::Opened(Err(ProjectFault::WrittenSince { path: FILE.into() })));
    assert!(window.shows("by another window") && window.has("anna.jpg, 2 faces"));
}

#[test]
fn unsaved_lists_are_autosaved_and_removed_after_saving() {
    let mut window = open_with_photos();
    window.steps(12);
    let (_, kept) = window.sent_one(|request| match task(request)? {
        ProjectTask::Autosave(project) => Some(project),
        _ => None,
    });
    assert_eq!((kept.photos.len(), kept.state_of.as_deref()), (2, None));
    window.steps(12);
    assert!(window.sent().iter().all(|(_, request)| task(request).is_none()), "once");
    window.save_new();
    window.steps(12);
    window.sent_one(|request| matches!(task(request)?, ProjectTask::DeleteAutosave).then_some(()));
}

#[test]
fn an_autosaved_list_can_be_recovered() {
    let mut window = Window::open_with(WindowOptions::default(), [1280.0, 800.0], 1.0);
    let (id, ()) = window.sent_one(|request| matches!(task(request)?, ProjectTask::FindRecoverable).then_some(()));
    let lost = |name: &str| RecoverableList {
        path: Path::new("/state/autosave").join(name),
        state_of: Some(FILE.into()),
        photos: 2,
        age_s: 300,
    };
    window.project_event(id, ProjectEvent::Recoverable(vec![lost("2.ironcrop"), lost("1.ironcrop")]));
    assert!(window.shows("Changes in “school” (2 photos) were not saved. They were backed up 5 minutes ago."));
    assert!(!window.shows("ended unexpectedly"), "no crash is known");
    window.harness.get_all_by_label("Discard").nth(1).expect("two").click();
    window.steps(4);
    let (_, gone) = window.sent_one(|request| match task(request)? {
        ProjectTask::DeleteRecoverable(path) => Some(path),
        _ => None,
    });
    assert_eq!(gone, Path::new("/state/autosave/1.ironcrop"));
    window.click("Recover");
    let (id, path) = window.sent_one(|request| match task(request)? {
        ProjectTask::OpenRecoverable(path) => Some(path),
        _ => None,
    });
    assert_eq!(path, Path::new("/state/autosave/2.ironcrop"));
    let mut opened = opened();
    opened.project.state_of = Some(FILE.into());
    window.project_event(id, ProjectEvent::Opened(Ok(Box::new(opened))));
    assert!(window.has("ben.jpg, missing") && !window.shows("were backed up"));
    assert!(!window.quits() && window.has("Changes in “school” are not saved."), "it differs from the file");
    window.click("Save");
    let (_, (path, _)) = window.sent_one(saving);
    assert_eq!(path, Path::new(FILE));
}

#[test]
fn a_watched_folder_adds_photos_but_no_crops() {
    let output = std::env::temp_dir().join("camera/crops");
    let settings = Settings { output_folder: Some(output.clone()), ..Settings::default() };
    let mut window = Window::open_with(WindowOptions { settings, ..WindowOptions::default() }, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    window.click("File");
    window.click("Watch a folder…");
    let folder = std::env::temp_dir().join("camera");
    window.pick(PickerKind::WatchFolder, vec![folder.clone()]);
    let (id, watched) = window.sent_one(|request| match request {
        Request::Files(FilesRequest::Watch(spec)) => Some(spec.folder.clone()),
        _ => None,
    });
    assert_eq!(watched, folder);
    assert!(window.has("watching camera"));
    window.answer(id, Event::ImportFound { paths: vec![folder.join("1.jpg"), output.join("1_crop.jpg")] });
    assert!(
        window.shows("1.jpg, waiting") && !window.shows("1_crop.jpg") && window.has("watching camera, 1 new photo")
    );
    assert!(window.sent().iter().any(|(_, request)| is_detection(request)));
    window.answer(id, Event::ImportFound { paths: vec![folder.join("2.jpg")] });
    assert!(window.shows("Photo 2.jpg"), "the newest replaces the last on the canvas");
    window.harness.key_press(Key::ArrowUp);
    window.steps(2);
    window.answer(id, Event::ImportFound { paths: vec![folder.join("3.jpg")] });
    assert!(window.shows("Photo 1.jpg") && window.shows("3.jpg, waiting"), "another photo stays on the canvas");
    window.answer(id, Event::WatchEnded { problem: Some(WatchProblem::Gone { folder }) });
    assert!(
        window.shows("The folder is no longer watched: ")
            && window.shows("no longer exists.")
            && !window.shows("watching camera")
    );
}

#[test]
fn watching_can_be_stopped() {
    let mut window = Window::open();
    window.pick(PickerKind::WatchFolder, vec!["/camera".into()]);
    let (id, ()) = window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Watch(_))).then_some(()));
    window.click("File");
    window.click("Watch a folder…");
    assert_eq!(window.script.cancelled.borrow()[..], [id]);
    assert!(!window.shows("watching camera"));
    window.answer(id, Event::ImportFound { paths: vec!["/camera/late.jpg".into()] });
    assert!(!window.shows("late.jpg"));
}

#[test]
fn a_pasted_image_is_written_and_added() {
    let mut window = open_with_photos();
    let image = egui::ColorImage::filled([3, 2], egui::Color32::from_rgb(9, 8, 7));
    window.harness.input_mut().events.push(Input::PasteImage(Arc::new(image)));
    window.steps(2);
    let (id, picture) = window.sent_one(|request| match request {
        Request::Files(FilesRequest::WritePasted(picture)) => Some(picture.clone()),
        _ => None,
    });
    assert_eq!((picture.size, &picture.rgba[..4]), (Size::new(3, 2), &[9, 8, 7, 255][..]));
    window.answer(id, Event::PastedWritten(Ok("/pictures/Pasted 1.png".into())));
    assert!(window.has("Pasted 1.png, waiting") && window.shows("Photo Pasted 1.png"));
    window.harness.input_mut().events.push(Input::Paste("file:///photos/c%20d.jpg".to_owned()));
    window.steps(2);
    let (_, roots) = window.sent_one(|request| match request {
        Request::Files(FilesRequest::Import { roots }) => Some(roots.clone()),
        _ => None,
    });
    if cfg!(unix) {
        assert_eq!(roots, [PathBuf::from("/photos/c d.jpg")]);
    }
}

#[test]
fn recent_folders_are_listed_until_they_are_gone() {
    let recent = Recent { folders: vec!["/photos/june".into()], projects: vec![FILE.into()], ..Recent::default() };
    let settings = Settings { recent, ..Settings::default() };
    let mut window = Window::open_with(WindowOptions { settings, ..WindowOptions::default() }, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    window.click(FILE);
    window.sent_one(opening);
    let mut window = Window::open_with(
        WindowOptions {
            settings: Settings {
                recent: Recent { folders: vec!["/photos/june".into()], ..Recent::default() },
                ..Settings::default()
            },
            ..WindowOptions::default()
        },
        [1280.0, 800.0],
        1.0,
    );
    window.runtime_ready();
    window.click("/photos/june");
    let (id, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    window.answer(id, Event::ImportProblem { path: "/photos/june".into(), problem: WalkProblem::NotThere });
    window.answer(id, Event::ImportFinished { found: 0, ignored: 0 });
    assert!(window.shows("removed from the recent folders") && !window.has("/photos/june"));
    window.drop_files(&["/photos/july"]);
    let (id, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    window.answer(id, Event::ImportFolder { path: "/photos/july".into() });
    window.answer(id, Event::ImportFinished { found: 0, ignored: 0 });
    assert!(window.has("/photos/july"));
    window.steps(8);
    let (_, saved) = window.sent_one(|request| match request {
        Request::Files(FilesRequest::SaveSettings(settings)) => Some(settings.recent.clone()),
        _ => None,
    });
    assert_eq!(saved.folders, [PathBuf::from("/photos/july")]);
}

#[test]
fn the_empty_page_shows_alternatives_to_drops() {
    let options = WindowOptions { without_drops: true, ..WindowOptions::default() };
    let window = Window::open_with(options, [1280.0, 800.0], 1.0);
    assert!(window.has("Add photos or folders") && window.shows("Files cannot be dropped here on Wayland."));
    assert!(!window.shows("Drop photos"));
}

#[test]
fn the_samples_have_a_button_and_are_not_recent() {
    let samples = crate::support::samples();
    let options = WindowOptions { samples: Some(samples.clone()), ..WindowOptions::default() };
    let mut window = Window::open_with(options, [1280.0, 800.0], 1.0);
    window.click("Try sample photos");
    let (id, roots) = window.sent_one(|request| match request {
        Request::Files(FilesRequest::Import { roots }) => Some(roots.clone()),
        _ => None,
    });
    assert_eq!(roots, std::slice::from_ref(&samples));
    window.answer(id, Event::ImportFolder { path: samples });
    window.answer(id, Event::ImportFinished { found: 0, ignored: 0 });
    assert!(!window.shows("Recent"));
    let photos = std::fs::read_dir(crate::support::samples()).expect("exists").count();
    assert!(photos >= 3, "three sample photos at least");
}

#[test]
fn a_project_opens_at_the_photo_where_it_was_left() {
    let mut window = open_with_photos();
    window.save_new();
    window.press(Key::ArrowDown);
    assert!(window.shows("Photo ben.jpg"));
    window.harness.state_mut().on_exit(None);
    let settings = window.all_sent().into_iter().rev().find_map(|request| match request {
        Request::Files(FilesRequest::SaveSettings(settings)) => Some(*settings),
        _ => None,
    });
    let settings = settings.expect("saved");
    assert_eq!(settings.recent.photo_of(Path::new(FILE)), Some(Path::new("/photos/ben.jpg")));

    let mut window = Window::open_with(WindowOptions { settings, ..WindowOptions::default() }, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    let mut opened = opened();
    opened.project.photos.iter_mut().for_each(|photo| photo.missing = false);
    window.open_project(opened);
    let photo = window.all_sent().into_iter().rev().find_map(|request| match request {
        Request::Session(SessionRequest::OpenPhoto { photo, .. }) => Some(photo.path),
        _ => None,
    });
    assert_eq!(photo.as_deref(), Some(Path::new("/photos/ben.jpg")));
}
