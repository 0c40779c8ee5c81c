//! Undo and redo: edits, settings, the list.

use egui::{Key, Modifiers};

use batch::worker::{Request, SessionRequest};
use recipe::FaceChoice;

use super::script::{Window, two_faces};
use super::{export, is_detection, open_with_output_folder};

impl Window {
    fn undo(&mut self) {
        self.harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        self.steps(2);
    }

    fn redo(&mut self) {
        self.harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
        self.steps(2);
    }

    #[track_caller]
    fn exported_faces(&mut self) -> Vec<FaceChoice> {
        let job = self.exported_job();
        job.items.iter().map(|item| item.faces.clone()).collect()
    }
}

fn open_with_photos() -> Window {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg"], &two_faces());
    window
}

#[test]
fn a_choice_of_faces_can_be_undone_and_redone() {
    let mut window = open_with_photos();
    window.click("Face 2, score 0.70, not included");
    window.click("Face 1, score 0.93, included");
    window.undo();
    assert!(window.has("Face 1, score 0.93, included") && window.has("Face 2, score 0.70, included"));
    window.undo();
    assert_eq!(window.exported_faces(), [FaceChoice::BySpec, FaceChoice::BySpec]);
    window.redo();
    window.redo();
    assert_eq!(window.exported_faces()[0], FaceChoice::Manual(vec![two_faces()[1]]));
    window.redo();
    assert_eq!(window.exported_faces()[0], FaceChoice::Manual(vec![two_faces()[1]]), "nothing is left to do again");
}

#[test]
fn undo_opens_the_affected_photo() {
    let mut window = open_with_photos();
    window.click("Face 2, score 0.70, not included");
    window.harness.key_press(Key::ArrowDown);
    window.steps(2);
    window.answer_detection(&two_faces());
    assert!(window.shows("Photo ben.jpg"));
    window.undo();
    assert!(window.shows("Photo anna.jpg"));
}

#[test]
fn settings_are_undone_by_gesture() {
    let mut window = open_with_photos();
    window.slide("Head height", 50.0);
    window.slide("Head height", 55.0);
    window.undo();
    window.sent();
    window.click("Export all");
    let (_, job) = window.sent_one(export);
    assert_eq!(job.recipe.crop, recipe::CropSpec::default());
}

#[test]
fn removed_photos_are_restored_with_edits_and_positions() {
    let mut window = open_with_photos();
    window.click("Face 2, score 0.70, not included");
    window.harness.key_press(Key::Delete);
    window.steps(2);
    assert!(!window.shows("anna.jpg"));
    window.undo();
    assert!(window.has("anna.jpg, 2 faces, 2 selected") && window.has("ben.jpg, 2 faces"));
    assert!(matches!(window.exported_faces()[..], [FaceChoice::Manual(_), FaceChoice::BySpec]));
    window.redo();
    assert!(!window.shows("anna.jpg") && window.has("ben.jpg, 2 faces"));
}

#[test]
fn undone_imports_are_redone_without_new_detection() {
    let mut window = open_with_photos();
    window.undo();
    assert!(window.has("Drop photos or folders here"), "the list is empty again");
    window.sent();
    window.redo();
    assert!(window.has("anna.jpg, 2 faces") && window.has("ben.jpg, 2 faces"));
    let passes = window.sent().into_iter().filter(|(_, request)| is_detection(request)).collect::<Vec<_>>();
    assert!(
        passes.iter().all(|(_, request)| matches!(request, Request::Session(SessionRequest::OpenPhoto { .. }))),
        "the canvas alone"
    );
}

#[test]
fn undoing_an_import_says_so_and_redo_selects_what_was_selected() {
    let mut window = open_with_photos();
    window.harness.key_press(Key::ArrowDown);
    window.steps(2);
    window.undo();
    assert!(window.has("2 photos removed from the list."));
    window.click("Redo");
    assert!(window.has("2 photos are back in the list."));
    assert!(window.shows("Photo ben.jpg"), "the photo that was selected");
    window.harness.key_press(Key::X);
    window.steps(3);
    assert!(window.shows("ben.jpg, 2 faces, excluded") && !window.shows("anna.jpg, 2 faces, excluded"));
}

#[test]
fn an_action_on_several_photos_reports_their_number_and_can_be_undone() {
    let mut window = open_with_photos();
    window.ctrl(Key::A);
    window.click("Photo");
    assert!(window.has("Exclude: 2 photos X"));
    window.click("Exclude: 2 photos X");
    assert!(window.has("2 photos excluded"));
    window.click("Undo");
    assert!(!window.shows("faces, excluded") && !window.has("2 photos excluded"));

    window.ctrl(Key::A);
    window.press(Key::Delete);
    assert!(window.has("2 photos removed from the list."));
    window.press(Key::Escape);
    window.click("Undo");
    assert!(window.has("anna.jpg, 2 faces") && window.has("ben.jpg, 2 faces"));
}

#[test]
fn the_message_about_a_step_goes_with_the_step() {
    let mut window = open_with_photos();
    window.ctrl(Key::A);
    window.press(Key::X);
    assert!(window.has("2 photos excluded") && window.has("Undo"));
    window.slide("Head height", 50.0);
    assert!(!window.has("2 photos excluded") && !window.has("Undo"), "it would undo another step");

    window.ctrl(Key::A);
    window.press(Key::A);
    assert!(window.has("2 photos accepted"));
    window.undo();
    assert!(!window.has("2 photos accepted"));
}
