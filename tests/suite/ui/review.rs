//! Reviewing the list: warnings, filters, the next photo to review, accepting, excluding, overrides.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};

use batch::worker::{Event, FilesRequest, Request, RequestId, SessionRequest, ThumbnailsRequest};
use geometry::{Face, Point, Rect};
use iron_cropper::ui::WindowOptions;

use super::script::{Window, photo_indexed, photo_opened};
use super::{export, open_with_output_folder};

impl Window {
    /// Answers every detection request according to the photo's name.
    fn answer_by_name(&mut self) {
        for (id, request) in self.sent() {
            match request {
                Request::Session(SessionRequest::IndexPhoto { photo, .. }) => {
                    self.answer(id, photo_indexed(photo.item, &faces_of(&photo.path)));
                }
                Request::Session(SessionRequest::OpenPhoto { photo, generation }) => {
                    self.answer(id, photo_opened(photo.item, generation, &faces_of(&photo.path)));
                }
                Request::Thumbnails(ThumbnailsRequest::FindThumbnail { photo, .. }) => {
                    self.answer(id, Event::ThumbnailFound { item: photo.item, thumbnail: None });
                }
                _ => {}
            }
        }
    }

    #[track_caller]
    pub(super) fn add_by_name(&mut self, names: &[&str]) {
        let paths: Vec<PathBuf> = names.iter().map(|name| Path::new("/photos").join(name)).collect();
        self.drop_files(&["/photos"]);
        let (import, ()) =
            self.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
        let found = paths.len();
        self.answer(import, Event::ImportFound { paths });
        self.answer(import, Event::ImportFinished { found, ignored: 0 });
        self.answer_by_name();
        self.steps(2);
    }

    /// All accessible names, for failure messages.
    fn labels(&self) -> Vec<String> {
        self.harness.query_all_by_label_contains("").filter_map(|node| node.accesskit_node().label()).collect()
    }

    /// The visible names in the list, from the top.
    fn listed(&self) -> Vec<String> {
        let mut rows: Vec<(egui::Rect, String)> = self
            .harness
            .query_all_by_role(egui::Role::ListBoxOption)
            .filter_map(|row| Some((row.rect(), row.accesskit_node().label()?.split(", ").next()?.to_owned())))
            .collect();
        rows.sort_by(|(a, _), (b, _)| a.top().total_cmp(&b.top()).then(a.left().total_cmp(&b.left())));
        rows.into_iter().map(|(_, name)| name).collect()
    }

    /// The name of the photo on the canvas.
    pub(super) fn on_canvas(&self) -> String {
        let canvas = self.harness.get_by_label_contains("Photo ");
        let label = canvas.accesskit_node().label().unwrap_or_default();
        label.trim_start_matches("Photo ").split(',').next().unwrap_or_default().to_owned()
    }
}

fn faces_of(path: &Path) -> Vec<Face> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    match name.split(['-', '.']).next() {
        Some("none") => Vec::new(),
        Some("two") => vec![portrait(180.0, 0.93), portrait(580.0, 0.92)],
        Some("weak") => vec![portrait(380.0, 0.7)],
        _ => vec![portrait(380.0, 0.93)],
    }
}

/// A face large enough for the default preset, whose crop fits the scripted photo; its box begins at `x`.
pub(super) fn portrait(x: f32, score: f32) -> Face {
    let scaled = 1.45;
    let points = [(50.0, 70.0), (110.0, 70.0), (80.0, 110.0), (55.0, 150.0), (105.0, 150.0)];
    let landmarks = points.map(|(dx, dy)| Point::new(x + dx * scaled, 170.0 + dy * scaled));
    Face::new(Rect::new(x, 170.0, 160.0 * scaled, 200.0 * scaled), landmarks, score)
}

const MIXED: [&str; 6] = ["good-1.jpg", "none-1.jpg", "good-2.jpg", "two-1.jpg", "weak-1.jpg", "none-2.jpg"];

fn open_mixed() -> Window {
    let mut window = open_with_output_folder();
    window.add_by_name(&MIXED);
    window
}

#[test]
fn chips_count_and_filter_and_can_be_cleared() {
    let mut window = open_mixed();
    for chip in ["All 6", "To review 4", "No face 2", "Several faces 1", "Uncertain 1"] {
        assert!(window.has(chip), "{chip} in {:?}", window.labels());
    }
    assert!(!window.shows("Blurred or dark"), "no chip for absent marks");
    window.click("No face 2");
    assert_eq!(window.listed(), ["none-1.jpg", "none-2.jpg"]);
    assert!(window.shows("2 of 6 shown"));
    window.click("Several faces 1");
    assert_eq!(window.listed(), ["none-1.jpg", "two-1.jpg", "none-2.jpg"], "any of the reasons");
    window.click("All 6");
    assert_eq!(window.listed(), MIXED);
}

#[test]
fn the_row_shows_the_warnings() {
    let window = open_mixed();
    assert!(window.describes("none-1.jpg needs review: no face was found"));
    assert!(window.describes("weak-1.jpg needs review: possibly not a face: score 0.70 of 1"));
    assert!(window.describes("two-1.jpg needs review: one of 2 faces was selected"));
    assert!(!window.shows("good-1.jpg needs review"));
}

#[test]
fn a_key_opens_the_next_photo_to_review_and_wraps_around() {
    let mut window = open_mixed();
    let mut seen = Vec::new();
    for _ in 0..5 {
        window.press(Key::N);
        seen.push(window.on_canvas());
    }
    assert_eq!(seen, ["none-1.jpg", "two-1.jpg", "weak-1.jpg", "none-2.jpg", "none-1.jpg"]);
    window.press_with(Modifiers::SHIFT, Key::N);
    assert_eq!(window.on_canvas(), "none-2.jpg");
    // Regardless of the filter.
    window.click("Several faces 1");
    window.press(Key::N);
    assert_eq!(window.on_canvas(), "none-1.jpg");
}

#[test]
fn accepting_continues_until_nothing_is_left() {
    let mut window = open_mixed();
    window.press(Key::N);
    for left in [3, 2, 1] {
        window.press(Key::A);
        assert!(window.has(&format!("To review {left}")));
    }
    assert_eq!(window.on_canvas(), "none-2.jpg");
    window.press(Key::Enter);
    assert!(!window.shows("To review") && window.shows("No other photos to review."));
    assert!(window.has("none-1.jpg, no face, accepted") && window.describes("none-1.jpg was accepted"));
    assert!(window.has("No face 2"), "the reasons stay");
    window.press_with(Modifiers::COMMAND, Key::Z);
    assert!(window.has("To review 1"), "it can be undone");
    window.press_with(Modifiers::SHIFT, Key::A);
}

#[test]
fn excluding_continues_and_including_stays() {
    let mut window = open_mixed();
    window.press(Key::N);
    assert_eq!(window.on_canvas(), "none-1.jpg");
    window.press(Key::X);
    assert_eq!(window.on_canvas(), "two-1.jpg");
    assert!(window.has("To review 3") && window.describes("none-1.jpg is excluded"));
    window.press(Key::Home);
    window.press(Key::ArrowDown);
    window.press(Key::X);
    assert_eq!(window.on_canvas(), "none-1.jpg", "included again");
    assert!(window.has("To review 4") && !window.describes("none-1.jpg is excluded"));
}

#[test]
fn no_photo_is_both_accepted_and_excluded() {
    let mut window = open_mixed();
    window.press(Key::X);
    window.press(Key::Home);
    assert!(window.has("good-1.jpg, 1 face, excluded"));
    window.press(Key::A);
    assert!(window.has("good-1.jpg, 1 face, accepted"), "accepting includes it");
    window.press(Key::Home);
    window.press(Key::X);
    assert!(window.has("good-1.jpg, 1 face, excluded"), "excluding withdraws the acceptance");
}

#[test]
fn a_new_kind_of_warning_reopens_an_accepted_photo() {
    let mut window = open_mixed();
    window.harness.get_by_label_contains("two-1.jpg, 2 faces").click();
    window.steps(3);
    window.press(Key::A);
    assert!(window.has("two-1.jpg, 2 faces, accepted") && window.has("To review 3"));
    assert_eq!(window.on_canvas(), "weak-1.jpg", "the next one is opened");
    window.press(Key::A);
    window.harness.get_by_label_contains("weak-1.jpg, 1 face, accepted").click();
    window.steps(3);
    assert!(window.shows("Accepted: possibly not a face") && !window.shows("To review: possibly"));
    window.slide("Minimum score", 0.99);
    assert!(window.describes("two-1.jpg needs review: no face was found"));
    window.slide("Minimum score", 0.6);
    assert!(!window.shows("two-1.jpg needs review"));
}

#[test]
fn an_excluded_photo_stays_visible_until_deselected() {
    let mut window = open_mixed();
    window.click("No face 2");
    window.press(Key::Home);
    assert_eq!(window.on_canvas(), "none-1.jpg");
    window.harness.get_by_label("none-1.jpg, no face").click_secondary();
    window.steps(4);
    window.harness.get_all_by_label("Exclude").next_back().expect("in the menu").click();
    window.steps(4);
    assert!(window.has("No face 1") && window.describes("none-1.jpg is excluded"));
    assert_eq!(window.listed(), ["none-1.jpg", "none-2.jpg"], "the photo on the canvas stays listed");
    window.press(Key::ArrowDown);
    assert_eq!(window.listed(), ["none-2.jpg"]);
    window.sent();
    window.click("Export all");
    let (_, job) = window.sent_one(export);
    assert!(job.items.len() == 5 && job.items.iter().all(|item| !item.photo.path.ends_with("none-1.jpg")));
}

#[test]
fn select_all_selects_visible_photos_and_export_all_exports_everything() {
    let mut window = open_mixed();
    window.click("No face 2");
    window.press_with(Modifiers::COMMAND, Key::A);
    assert!(window.has("Export selected (2)") && window.has("Export all (6)"));
    assert!(window.shows("Export all includes 4 photos that are not shown."));
    window.sent();
    window.click("Export selected");
    let (_, job) = window.sent_one(export);
    let names: HashSet<&str> = job.items.iter().filter_map(|item| item.photo.path.file_name()?.to_str()).collect();
    assert_eq!(names, HashSet::from(["none-1.jpg", "none-2.jpg"]));
}

#[test]
fn the_list_sorts_by_warnings_and_finds_names() {
    let mut window = open_mixed();
    window.click("Sort and filter");
    window.click("Most warnings first");
    window.press(Key::Escape);
    let listed = window.listed();
    assert_eq!(listed[..2], ["none-1.jpg", "none-2.jpg"]);
    assert_eq!(HashSet::from(["good-1.jpg", "good-2.jpg"]), listed[4..].iter().map(String::as_str).collect());
    window.press_with(Modifiers::COMMAND, Key::F);
    let field = window.harness.get_by_role_and_label(egui::Role::TextInput, "Find by name");
    assert!(field.is_focused());
    field.type_text("WEAK");
    window.steps(4);
    assert_eq!(window.listed(), ["weak-1.jpg"]);
    window.harness.get_by_role_and_label(egui::Role::TextInput, "Find by name").type_text("er");
    window.steps(4);
    assert!(window.listed().is_empty() && window.shows("No photos match."));
    window.harness.get_by_label("Clear filters").click();
    window.steps(4);
    assert_eq!(window.listed().len(), 6);
}

fn many(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("good-{number}.jpg")).collect()
}

fn open_many(count: usize, size: [f32; 2], pixels_per_point: f32) -> Window {
    let mut window = Window::open_with(WindowOptions::default(), size, pixels_per_point);
    window.runtime_ready();
    let names = many(count);
    window.add_by_name(&names.iter().map(String::as_str).collect::<Vec<_>>());
    window
}

#[test]
fn the_list_is_scrolled_to_a_photo_chosen_by_name() {
    let mut window = open_many(200, [1280.0, 800.0], 1.0);
    for name in ["good-150.jpg", "good-30.jpg", "good-120.jpg"] {
        window.ctrl(Key::K);
        window.type_text(name);
        window.press(Key::Enter);
        window.steps(6);
        assert_eq!(window.on_canvas(), name);
        assert!(window.listed().contains(&name.to_owned()), "{name}: {:?}", window.listed());
    }
}

#[test]
fn arrow_keys_navigate_the_grid_and_shift_extends() {
    let mut window = open_many(60, [1280.0, 800.0], 1.0);
    window.press_with(Modifiers::COMMAND, Key::G);
    let columns = {
        let tops: Vec<f32> =
            window.harness.query_all_by_role(egui::Role::ListBoxOption).map(|tile| tile.rect().top()).collect();
        tops.iter().filter(|top| (**top - tops[0]).abs() < 1.0).count()
    };
    assert!(columns > 1, "side by side");
    window.press(Key::Home);
    window.press(Key::ArrowDown);
    assert_eq!(window.on_canvas(), format!("good-{columns}.jpg"));
    window.press(Key::ArrowRight);
    assert_eq!(window.on_canvas(), format!("good-{}.jpg", columns + 1));
    window.press(Key::ArrowUp);
    assert_eq!(window.on_canvas(), "good-1.jpg");
    window.press(Key::ArrowUp);
    assert_eq!(window.on_canvas(), "good-1.jpg", "up from the first row leads nowhere");
    window.press_with(Modifiers::SHIFT, Key::ArrowDown);
    assert!(window.shows(&format!("{} of 60 selected", columns + 1)));
    window.press(Key::End);
    assert_eq!(window.on_canvas(), "good-59.jpg");
    assert!(window.listed().contains(&"good-59.jpg".to_owned()), "it is scrolled to");
    window.press(Key::PageUp);
    let at: usize = window.on_canvas().trim_start_matches("good-").trim_end_matches(".jpg").parse().expect("a number");
    assert!(at <= 59 - columns, "{at}");
}

#[test]
fn the_grid_fits_its_panel_at_double_scale() {
    let mut window = open_many(30, [900.0, 600.0], 2.0);
    window.press_with(Modifiers::COMMAND, Key::G);
    let right = window.harness.get_by_label("Hide list").rect().right();
    for tile in window.harness.query_all_by_role(egui::Role::ListBoxOption) {
        assert!(tile.rect().right() <= right + 1.0 && tile.rect().left() >= 0.0, "{:?}", tile.rect());
    }
}

fn thumbnails(window: &mut Window) -> Vec<(RequestId, PathBuf)> {
    let opened = |(id, request)| match request {
        Request::Thumbnails(ThumbnailsRequest::FindThumbnail { photo, .. }) => Some((id, photo.path)),
        _ => None,
    };
    window.sent().into_iter().filter_map(opened).collect()
}

#[test]
fn thumbnails_are_requested_only_while_visible() {
    let mut window = Window::open();
    window.drop_files(&["/photos"]);
    let (import, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    let paths: Vec<PathBuf> = many(300).iter().map(|name| Path::new("/photos").join(name)).collect();
    window.answer(import, Event::ImportFound { paths });
    window.steps(3);
    let first = thumbnails(&mut window);
    assert!((5..40).contains(&first.len()), "{}", first.len());
    assert!(first.iter().any(|(_, path)| path.ends_with("good-0.jpg")));
    window.press(Key::End);
    window.steps(3);
    let last = thumbnails(&mut window);
    assert!(last.len() < 80 && last.iter().any(|(_, path)| path.ends_with("good-299.jpg")), "{}", last.len());
    let cancelled = window.script.cancelled.borrow();
    assert!(first.iter().all(|(id, _)| cancelled.contains(id)), "out of sight");
    assert!(!cancelled.contains(&last.last().expect("some").0));
}

#[test]
fn overrides_are_shown_copied_and_removed() {
    let mut window = open_mixed();
    assert!(window.has("Shared settings"));
    window.click("Customise this photo");
    assert!(window.has("Custom settings") && window.describes("good-1.jpg has custom settings"));
    window.slide("Head height", 45.0);
    window.sent();
    let own_heights = |window: &mut Window| -> Vec<Option<f32>> {
        let job = window.exported_job();
        job.items.iter().map(|item| item.recipe.as_ref().map(|own| own.crop.head_height)).collect()
    };
    let heights = own_heights(&mut window);
    assert!(heights[0].is_some_and(|height| (height - 0.45).abs() < 1e-4) && heights[1..].iter().all(Option::is_none));
    window.press_with(Modifiers::COMMAND, Key::A);
    assert_eq!(window.on_canvas(), "good-1.jpg");
    window.press_with(Modifiers::COMMAND | Modifiers::SHIFT, Key::I);
    let heights = own_heights(&mut window);
    assert!(heights.iter().all(|height| *height == heights[0]) && heights[0].is_some());
    window.press_with(Modifiers::COMMAND, Key::L);
    assert!(own_heights(&mut window).iter().all(Option::is_none) && window.has("Shared settings"));
}

#[test]
fn the_context_menu_of_a_row_applies_to_it() {
    let mut window = open_mixed();
    window.harness.get_by_label("two-1.jpg, 2 faces").click_secondary();
    window.steps(4);
    window.harness.get_all_by_label("Exclude").next_back().expect("in the menu").click();
    window.steps(4);
    assert!(window.has("two-1.jpg, 2 faces, excluded") && window.has("Export all (5)"));
    assert!(window.has("All 6") && window.has("To review 3"));
}
