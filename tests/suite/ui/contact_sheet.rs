//! The contact sheet: crops in the grid, as they will be written.

use std::collections::HashSet;
use std::path::PathBuf;

use egui::{Key, Role};
use egui_kittest::kittest::Queryable;

use batch::settings::Settings;
use batch::worker::{Event, FilesRequest, ItemId, Request, RequestId, SessionRequest};
use iron_cropper::ui::WindowOptions;
use outcome::{DecodeError, DisplayCopy, StageError};
use plan::PlannedCrop;
use recipe::Select;

use super::script::{Window, face, two_faces};

/// A requested rendering of a crop.
struct Tile {
    id: RequestId,
    item: ItemId,
    path: PathBuf,
    crop: PlannedCrop,
    side: u32,
}

fn tiles(window: &mut Window) -> Vec<Tile> {
    let sent = window.sent().into_iter();
    sent.filter_map(|(id, request)| match request {
        Request::Session(SessionRequest::RenderTile { photo, crop, max_side, .. }) => {
            Some(Tile { id, item: photo.item, path: photo.path, crop, side: max_side })
        }
        _ => None,
    })
    .collect()
}

fn rendered(tile: &Tile) -> Event {
    let size = tile.crop.output.fit_within(tile.side);
    Event::TileRendered {
        item: tile.item,
        image: DisplayCopy { size, rgba: vec![90; size.pixels() as usize * 4].into() },
    }
}

/// Answers requests for crops until there are none; returns all of them.
fn answer_all(window: &mut Window) -> Vec<Tile> {
    let mut all = Vec::new();
    loop {
        let new = tiles(window);
        if new.is_empty() {
            return all;
        }
        for tile in &new {
            window.answer(tile.id, rendered(tile));
        }
        all.extend(new);
        window.steps(2);
    }
}

/// The contact sheet of photos with one face.
fn open(photos: usize) -> Window {
    let settings = Settings { output_folder: Some("/out".into()), ..Settings::default() };
    let mut window = Window::open_with(WindowOptions { settings, ..WindowOptions::default() }, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    let paths: Vec<String> = (0..photos).map(|number| format!("/photos/{number}.jpg")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    window.add(&paths, &[face(400.0, 250.0, 0.93)]);
    window.ctrl(Key::G);
    window
}

fn cells(window: &Window) -> Vec<egui::Rect> {
    window.harness.query_all_by_role(Role::ListBoxOption).map(|cell| cell.rect()).collect()
}

#[test]
fn crops_are_rendered_a_few_at_a_time_and_only_while_visible() {
    let mut window = open(120);
    let first = tiles(&mut window);
    assert!((1..=12).contains(&first.len()), "{}", first.len());
    window.steps(6);
    assert!(tiles(&mut window).is_empty(), "no more until these are answered");
    window.press(Key::End);
    let cancelled = window.script.cancelled.borrow().clone();
    assert!(first.iter().all(|tile| cancelled.contains(&tile.id)), "out of sight");
    for tile in &first {
        window.answer(tile.id, Event::Superseded);
    }
    let visible = cells(&window).len();
    let all = answer_all(&mut window);
    assert!(all.iter().any(|tile| tile.path.ends_with("119.jpg")));
    assert!(all.len() <= visible && !all.iter().any(|tile| tile.path.ends_with("0.jpg") && tile.item == first[0].item));
    window.steps(4);
    assert!(tiles(&mut window).is_empty());
}

#[test]
fn an_edit_or_a_setting_renders_the_crop_again_and_scrolling_back_does_not() {
    let mut window = open(60);
    let first = answer_all(&mut window);
    window.press(Key::End);
    answer_all(&mut window);
    window.press(Key::Home);
    assert!(answer_all(&mut window).is_empty(), "kept");
    window.slide("Head height", 40.0);
    let again = answer_all(&mut window);
    let items = |tiles: &[Tile]| tiles.iter().map(|tile| tile.item).collect::<HashSet<_>>();
    assert_eq!(items(&again), items(&first), "every visible one");
    assert_ne!(again[0].crop.frame, first[0].crop.frame);
    // The frame of the photo on the canvas, by hand.
    window.harness.get_by_label_contains("Frame").focus();
    window.press(Key::ArrowLeft);
    let moved = answer_all(&mut window);
    assert_eq!(items(&moved).len(), 1, "only the edited photo");
}

#[test]
fn each_crop_of_a_photo_is_shown_and_a_click_selects_it() {
    let mut settings = Settings::default();
    settings.recipe.crop.select = Select::All;
    let mut window = Window::open_with(WindowOptions { settings, ..WindowOptions::default() }, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    window.add(&["/photos/both.jpg"], &two_faces());
    window.sent();
    window.ctrl(Key::G);
    let faces: HashSet<usize> = answer_all(&mut window).iter().map(|tile| tile.crop.face_index).collect();
    assert_eq!(faces, HashSet::from([0, 1]));
    assert!(window.has("1 of 2"));
    let cell = cells(&window)[0];
    let right = egui::pos2(cell.right() - cell.width() / 4.0, cell.top() + cell.height() / 3.0);
    window.harness.drag_at(right);
    window.harness.drop_at(right);
    window.steps(3);
    assert!(window.has("2 of 2"), "the crop that was clicked");
}

#[test]
fn a_crop_that_cannot_be_rendered_is_not_asked_for_again() {
    let mut window = open(1);
    let asked = tiles(&mut window);
    assert_eq!(asked.len(), 1);
    window.answer(asked[0].id, Event::Failed { item: None, error: StageError::Decode(DecodeError::Empty) });
    window.steps(6);
    assert!(tiles(&mut window).is_empty());
    window.harness.run();
    let output = &window.harness.output().viewport_output[&egui::ViewportId::ROOT];
    assert_eq!(output.repaint_delay, std::time::Duration::MAX, "an idle sheet does not repaint");
}

#[test]
fn the_size_of_the_crops_changes_by_slider_or_wheel_and_is_saved() {
    let mut window = open(40);
    let first = answer_all(&mut window);
    let before = cells(&window)[0].width();
    let over = cells(&window)[0].center();
    window.harness.event(egui::Event::PointerMoved(over));
    window.harness.event(egui::Event::Zoom(2.0));
    window.steps(4);
    let zoomed = cells(&window)[0].width();
    assert!(zoomed > 1.4 * before, "{before} {zoomed}");
    let larger = answer_all(&mut window);
    assert!(larger.iter().map(|tile| tile.side).max() > first.iter().map(|tile| tile.side).max(), "sharp again");
    window.slide("Crop size", 88.0);
    assert!(cells(&window)[0].width() < before);
    assert!(answer_all(&mut window).iter().all(|tile| tile.side <= first[0].side), "new ones only");
    window.steps(6);
    let saved = window.all_sent().into_iter().rev().find_map(|request| match request {
        Request::Files(FilesRequest::SaveSettings(settings)) => Some(settings.window),
        _ => None,
    });
    assert!(saved.is_some_and(|window| window.cell == 88.0 && window.grid), "{saved:?}");
}

#[test]
fn the_sheet_can_be_widened_to_more_than_half_of_the_window_and_keeps_its_width() {
    let mut window = open(40);
    window.harness.set_size(egui::vec2(1440.0, 900.0));
    window.steps(2);
    let border = window.harness.get_by_label("Hide list").rect().right() + 8.0;
    let at = |x: f32| egui::pos2(x, 500.0);
    window.harness.hover_at(at(border));
    window.steps(2);
    window.harness.drag_at(at(border));
    window.steps(2);
    window.harness.hover_at(at(800.0));
    window.steps(2);
    window.harness.drop_at(at(800.0));
    window.steps(8);
    let right = window.harness.get_by_label("Hide list").rect().right();
    assert!(right > 720.0, "{right}");
    let saved = window.all_sent().into_iter().rev().find_map(|request| match request {
        Request::Files(FilesRequest::SaveSettings(settings)) => Some(*settings),
        _ => None,
    });
    let settings = saved.expect("saved");
    assert!((settings.window.grid_width - 800.0).abs() < 12.0, "{}", settings.window.grid_width);
    let options = WindowOptions { settings, ..WindowOptions::default() };
    let mut next = Window::open_with(options, [1440.0, 900.0], 1.0);
    next.runtime_ready();
    next.add(&["/photos/anna.jpg"], &two_faces());
    let again = next.harness.get_by_label("Hide list").rect().right();
    assert!((again - right).abs() < 2.0, "{again} {right}");
}

#[test]
fn crops_of_the_sheet_are_not_rendered_for_the_list() {
    let mut window = open(5);
    window.ctrl(Key::G);
    window.sent();
    window.slide("Head height", 40.0);
    window.steps(4);
    assert!(tiles(&mut window).is_empty());
}
