//! The background in the window: choice, preview, undo, overrides, projects.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT, Queryable};

use batch::settings::Settings;
use batch::worker::{Event, FilesRequest, ProjectTask, Request, SessionRequest};
use iron_cropper::ui::{PickerKind, WindowOptions};
use outcome::{BackgroundFault, StageError};
use recipe::{Background, Color, FinishSpec, Recipe, RenderSpec, Shape, find_preset};

use super::script::{Window, two_faces};
use super::with_output_folder;

/// High enough for every section to be visible.
const TALL: [f32; 2] = [1280.0, 2200.0];

const WHITE: Background = Background::Plain { color: Color::WHITE };

/// The reason of a preview without a person.
const NOBODY: &str =
    "The background cannot be replaced: no person was recognised in the crop; keep the photo's background";

impl Window {
    fn background(&mut self) -> Background {
        self.exported_job().recipe.finish.background
    }

    fn shown_background(&self) -> String {
        self.harness.get_by_role_and_label(Role::ComboBox, "Background").value().unwrap_or_default()
    }

    /// The last requested preview.
    #[track_caller]
    fn requested_preview(&mut self) -> (batch::worker::RequestId, batch::worker::ItemId, RenderSpec) {
        self.steps(8);
        let sent = self.sent().into_iter().rev();
        let mut previews = sent.filter_map(|(id, request)| match request {
            Request::Session(SessionRequest::RenderPreview { photo, render, .. }) => Some((id, photo.item, render)),
            _ => None,
        });
        previews.next().expect("a preview")
    }
}

fn open(finish: FinishSpec) -> Window {
    let settings = Settings { recipe: Recipe { finish, ..Recipe::default() }, ..with_output_folder().settings };
    let mut window = Window::open_with(WindowOptions { settings, ..WindowOptions::default() }, TALL, 1.0);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg"], &two_faces());
    window.click("Finish");
    window.steps(20);
    window
}

#[test]
fn each_background_reaches_preview_and_export() {
    let mut window = open(FinishSpec::default());
    assert_eq!((window.shown_background().as_str(), window.background()), ("Keep", Background::Keep));
    assert!(!window.has("Background colour"));
    let plain = |rgb| Background::Plain { color: Color { rgb } };
    for (name, expected) in [
        ("White", WHITE),
        ("Light grey", plain([217; 3])),
        ("Blue", plain([98, 139, 206])),
        ("Other colour", plain([255, 253, 208])),
        ("Transparent", Background::Transparent),
        ("Keep", Background::Keep),
    ] {
        window.sent();
        window.choose("Background", name);
        let (_, _, render) = window.requested_preview();
        assert_eq!((render.finish.background, window.background()), (expected, expected), "{name}");
        assert_eq!(window.shown_background(), name);
        assert_eq!(window.has("Background colour"), matches!(expected, Background::Plain { .. }), "{name}");
    }
}

#[test]
fn formats_without_transparency_are_mentioned() {
    let mut window = open(FinishSpec { background: Background::Transparent, ..FinishSpec::default() });
    assert!(window.has("JPEG stores no transparency: the background gets the fill colour"));
    window.choose("Format", "PNG");
    assert!(!window.shows("stores no transparency"));
}

#[test]
fn another_color_is_kept_and_the_choice_works_by_keyboard() {
    let other = Background::Plain { color: Color { rgb: [1, 2, 3] } };
    let mut window = open(FinishSpec { background: other, ..FinishSpec::default() });
    assert_eq!(window.shown_background(), "Other colour");
    window.harness.get_by_role_and_label(Role::ComboBox, "Background").focus();
    window.steps(2);
    window.press(Key::Enter);
    assert!(window.has("Light grey"));
    window.harness.get_by_role_and_label(Role::ListBoxOption, "Other colour").focus();
    window.press(Key::Enter);
    assert_eq!(window.background(), other, "the chosen colour, not the initial one");
    window.harness.get_by_role_and_label(Role::ComboBox, "Background").focus();
    window.press(Key::Enter);
    window.harness.get_by_role_and_label(Role::ListBoxOption, "White").focus();
    window.press(Key::Enter);
    assert_eq!(window.background(), WHITE);
    let button = window.harness.get_by_label("Background colour");
    assert!(button.accesskit_node().data().supports_action(egui::accesskit::Action::Focus));
}

#[test]
fn it_is_disabled_for_documents_against_alterations() {
    let mut window = open(FinishSpec { background: WHITE, ..FinishSpec::default() });
    assert_eq!(window.background(), WHITE);
    let name = find_preset("us-passport").expect("a preset").name.clone();
    window.harness.get_by_role_and_label(Role::ComboBox, "Preset").click();
    window.steps(3);
    window.harness.get_by_role_and_label(Role::ListBoxOption, &name).click_accesskit();
    window.steps(3);
    window.press(Key::Escape);
    assert!(window.shows("does not allow altered photos"));
    let choice = window.harness.get_by_role_and_label(Role::ComboBox, "Background");
    assert!(choice.accesskit_node().is_disabled());
    assert_eq!((window.shown_background().as_str(), window.background()), ("Keep", Background::Keep));
}

#[test]
fn a_background_is_undone_and_redone() {
    let mut window = open(FinishSpec { shape: Shape::Ellipse, ..FinishSpec::default() });
    window.choose("Background", "White");
    window.press_with(Modifiers::COMMAND, Key::Z);
    let undone = window.exported_job().recipe.finish;
    assert_eq!((undone.shape, undone.background), (Shape::Ellipse, Background::Keep));
    window.press_with(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(window.background(), WHITE);
}

#[test]
fn custom_settings_and_projects_keep_their_own_background() {
    let mut window = open(FinishSpec { background: Background::Transparent, ..FinishSpec::default() });
    window.click("Customise this photo");
    window.choose("Background", "White");
    let (_, _, render) = window.requested_preview();
    assert_eq!(render.finish.background, WHITE);
    let job = window.exported_job();
    let own: Vec<_> = job.items.iter().map(|item| item.recipe.as_ref().map(|own| own.finish.background)).collect();
    assert_eq!((job.recipe.finish.background, own), (Background::Transparent, vec![Some(WHITE), None]));

    window.press_with(Modifiers::COMMAND, Key::S);
    window.pick(PickerKind::SaveProject, vec!["/work/school".into()]);
    let (_, project) = window.sent_one(|request| match request {
        Request::Files(FilesRequest::Project(ProjectTask::Save(_, project))) => Some(project.clone()),
        _ => None,
    });
    assert_eq!(project.settings.recipe.finish.background, Background::Transparent);
    let own = project.photos[0].edits.overrides.as_ref().expect("custom settings");
    assert_eq!((own.finish.background, project.photos[1].edits.overrides.is_some()), (WHITE, false));
}

#[test]
fn the_preview_shows_why_the_background_was_not_replaced() {
    let mut window = open(FinishSpec::default());
    window.sent();
    window.choose("Background", "White");
    let (id, item, _) = window.requested_preview();
    assert!(!window.shows("cannot be replaced"));
    window.answer(id, Event::Failed { item: Some(item), error: BackgroundFault::NoPerson.into() });
    assert!(window.has(NOBODY));

    window.choose("Background", "Blue");
    assert!(!window.has(NOBODY), "it belongs to another preview");
    let (id, item, _) = window.requested_preview();
    let error = StageError::NoRuntime(outcome::NoRuntime::NotOpened);
    window.answer(id, Event::Failed { item: Some(item), error });
    assert!(window.shows("No runtime is open"));
    window.choose("Background", "Keep");
    assert!(!window.shows("No runtime is open"));
}
