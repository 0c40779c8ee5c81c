//! Undoing and doing again: decisions, settings, the list.

use egui::{Key, Modifiers};

use batch::worker::{Request, SessionRequest};
use recipe::FaceChoice;

use super::script::{Window, two_faces};
use super::{export, is_look, open_with_output_folder};

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
fn a_choice_of_faces_is_undone_and_done_again_and_the_export_follows() {
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
fn undoing_brings_the_photo_it_is_about_to_the_canvas() {
    let mut window = open_with_photos();
    window.click("Face 2, score 0.70, not included");
    window.harness.key_press(Key::ArrowDown);
    window.steps(2);
    window.answer_looks(&two_faces());
    assert!(window.shows("Photo ben.jpg"));
    window.undo();
    assert!(window.shows("Photo anna.jpg"));
}

#[test]
fn settings_are_undone_a_gesture_at_a_time() {
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
fn photos_come_back_to_their_places_with_what_was_decided() {
    let mut window = open_with_photos();
    window.click("Face 2, score 0.70, not included");
    window.harness.key_press(Key::Delete);
    window.steps(2);
    assert!(!window.shows("anna.jpg"));
    window.undo();
    assert!(window.has("anna.jpg, 2 faces, 2 chosen") && window.has("ben.jpg, 2 faces"));
    assert!(matches!(window.exported_faces()[..], [FaceChoice::Manual(_), FaceChoice::BySpec]));
    window.redo();
    assert!(!window.shows("anna.jpg") && window.has("ben.jpg, 2 faces"));
}

#[test]
fn photos_that_were_added_go_again_and_come_back_without_a_new_look() {
    let mut window = open_with_photos();
    window.undo();
    assert!(window.has("Drop photos or folders here"), "the list is empty again");
    window.sent();
    window.redo();
    assert!(window.has("anna.jpg, 2 faces") && window.has("ben.jpg, 2 faces"));
    let passes = window.sent().into_iter().filter(|(_, request)| is_look(request)).collect::<Vec<_>>();
    assert!(
        passes.iter().all(|(_, request)| matches!(request, Request::Session(SessionRequest::OpenPhoto { .. }))),
        "the canvas alone"
    );
}
