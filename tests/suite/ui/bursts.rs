//! Keeping the best photo of every burst.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;

use batch::worker::{Event, FilesRequest, Request, SessionRequest};
use geometry::{Face, FaceMeasures};
use outcome::Moment;

use super::open_with_output_folder;
use super::script::{Window, face, photo_indexed};

/// A portrait whose sharpness is a hundredth of the number in the photo's name.
fn portrait(name: &str) -> Face {
    let sharpness = name.parse().map(|number: f32| number / 100.0).expect("a number");
    let measures = FaceMeasures { sharpness: Some(sharpness), lightness: 0.5, underexposed: 0.0, overexposed: 0.0 };
    Face { measures: Some(measures), ..face(420.0, 280.0, 0.93) }
}

/// Photos taken one second after another, of which `last` is not yet detected.
fn open(names: &[&str], last: &str) -> Window {
    let mut window = open_with_output_folder();
    window.drop_files(&["/photos"]);
    let (import, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    let paths = names.iter().chain([&last]).map(|name| format!("/photos/{name}.jpg").into()).collect();
    window.answer(import, Event::ImportFound { paths });
    window.answer(import, Event::ImportFinished { found: names.len() + 1, ignored: 0 });
    for (id, request) in window.sent() {
        let Request::Session(SessionRequest::IndexPhoto { photo, .. }) = request else { continue };
        let stem = photo.path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let Some(second) = names.iter().position(|name| *name == stem) else { continue };
        let mut event = photo_indexed(photo.item, &[portrait(stem)]);
        if let Event::PhotoIndexed { info, .. } = &mut event {
            info.taken = Moment::from_exif(&format!("2024:05:17 10:20:{:02}", second + 30));
        }
        window.answer(id, event);
    }
    window
}

#[test]
fn the_palette_keeps_the_best_of_the_whole_list_until_it_is_undone() {
    let mut window = open(&["20", "90", "60"], "waiting");
    window.ctrl(Key::K);
    window.type_text("keep best");
    window.press(Key::Enter);
    assert!(window.has("2 photos excluded, 1 burst; 1 photo not yet detected"));
    assert!(
        window.describes("20.jpg is excluded")
            && window.describes("60.jpg is excluded")
            && window.has("Export all (2)")
    );
    let exported: Vec<String> =
        window.exported_job().items.iter().map(|item| item.photo.path.display().to_string()).collect();
    assert_eq!(exported, ["/photos/90.jpg", "/photos/waiting.jpg"], "as chosen for the export");
    window.press_with(Modifiers::COMMAND, Key::Z);
    assert!(window.has("Export all (4)") && !window.describes("is excluded"), "one step");
}

#[test]
fn the_context_menu_keeps_the_best_of_the_selected_photos() {
    let mut window = open(&["90", "20", "60"], "waiting");
    window.harness.get_by_label_contains("20.jpg, 1 face").click();
    window.steps(3);
    let open_menu = |window: &mut Window| {
        window.harness.get_by_label_contains("60.jpg, 1 face").click_secondary();
        window.steps(4);
    };
    window.press_with(Modifiers::SHIFT, Key::ArrowDown);
    open_menu(&mut window);
    window.click("Keep best shots");
    assert!(window.has("1 photo excluded, 1 burst") && window.describes("20.jpg is excluded"));
    assert!(window.has("Export all (3)"), "the best one is not selected");
}
