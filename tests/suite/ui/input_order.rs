//! Several events in one frame, as on a slow machine: each is handled once, in its order.

use egui::{Event as Input, Key, Modifiers, PointerButton, Pos2, Role, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use super::open_with_output_folder;
use super::script::{Window, two_faces};

fn key(key: Key) -> Input {
    Input::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE }
}

fn click(at: Pos2) -> [Input; 3] {
    let button =
        |pressed| Input::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE };
    [Input::PointerMoved(at), button(true), button(false)]
}

impl Window {
    /// Hands all events to the next frame, then draws some more frames.
    fn in_one_frame(&mut self, events: impl IntoIterator<Item = Input>) {
        self.harness.input_mut().events.extend(events);
        self.steps(8);
    }

    #[track_caller]
    fn row_middle(&self, name: &str) -> Pos2 {
        let rows = self.harness.query_all_by_role(Role::ListBoxOption);
        let mut of_name = rows.filter(|row| row.accesskit_node().label().is_some_and(|label| label.starts_with(name)));
        of_name.next().unwrap_or_else(|| panic!("no row {name}")).rect().center()
    }
}

fn open_with(names: &[&str]) -> Window {
    let mut window = open_with_output_folder();
    window.add_by_name(names);
    window
}

#[test]
fn a_key_applies_to_the_photo_that_the_key_before_it_opened() {
    let mut window = open_with(&["good-1.jpg", "none-1.jpg", "good-2.jpg"]);
    window.in_one_frame([key(Key::N), key(Key::X)]);
    assert!(window.shows("none-1.jpg, no face, excluded"), "the next to review");
    assert!(!window.shows("good-1.jpg, 1 face, excluded"));
}

#[test]
fn every_press_of_a_frame_counts() {
    let names: Vec<String> = (0..12).map(|number| format!("good-{number}.jpg")).collect();
    let mut window = open_with(&names.iter().map(String::as_str).collect::<Vec<_>>());
    window.in_one_frame([Key::ArrowDown; 10].map(key));
    assert_eq!(window.on_canvas(), "good-10.jpg");
    window.in_one_frame([key(Key::Home), key(Key::ArrowDown), key(Key::ArrowDown), key(Key::ArrowUp)]);
    assert_eq!(window.on_canvas(), "good-1.jpg");
}

#[test]
fn a_key_after_a_click_applies_to_the_clicked_photo() {
    let mut window = open_with(&["good-1.jpg", "good-2.jpg", "good-3.jpg"]);
    let third = window.row_middle("good-3.jpg");
    window.in_one_frame(click(third).into_iter().chain([key(Key::X)]));
    assert!(window.shows("good-3.jpg, 1 face, excluded") && !window.shows("good-1.jpg, 1 face, excluded"));
}

#[test]
fn a_click_after_a_movement_hits_what_is_under_it() {
    let mut window = open_with(&["good-1.jpg", "good-2.jpg", "good-3.jpg"]);
    let (second, third) = (window.row_middle("good-2.jpg"), window.row_middle("good-3.jpg"));
    window.in_one_frame(click(third).into_iter().chain([Input::PointerMoved(second)]));
    assert_eq!(window.on_canvas(), "good-3.jpg");
    window.in_one_frame(click(second).into_iter().chain(click(third)));
    assert_eq!(window.on_canvas(), "good-3.jpg", "two clicks, the last one counts");
}

#[test]
fn text_typed_after_a_key_that_opens_a_field_goes_into_the_field() {
    let mut window = open_with(&["good-1.jpg", "good-2.jpg"]);
    let text = |text: &str| Input::Text(text.to_owned());
    window.in_one_frame([key(Key::F2), key(Key::X), text("x"), key(Key::A), text("a")]);
    let field = window.harness.query_all_by_role(Role::TextInput).find_map(|field| {
        let node = field.accesskit_node();
        node.value().filter(|value| value.contains("xa"))
    });
    assert!(field.is_some(), "typed into the name");
    assert!(!window.shows("excluded") && !window.shows("accepted"), "no shortcut");
}

#[test]
fn the_wheel_after_a_key_that_opens_a_page_turns_once() {
    let zoom = |with_key: bool| {
        let mut window = open_with_output_folder();
        window.add(&["/photos/anna.jpg"], &two_faces());
        let middle = window.middle("Face 1, score 0.93, included");
        window.in_one_frame([Input::PointerMoved(middle)]);
        let wheel = Input::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, 60.0),
            phase: egui::TouchPhase::Move,
            modifiers: Modifiers::NONE,
            source: egui::MouseWheelSource::Wheel,
        };
        // Show faces off and on again: a command that might open something.
        let keys = if with_key { vec![key(Key::B), wheel, key(Key::B)] } else { vec![wheel] };
        window.in_one_frame(keys);
        window.steps(20);
        window.middle("Face 1, score 0.93, included") - window.middle("Face 2, score 0.70, not included")
    };
    assert!((zoom(true) - zoom(false)).length() < 0.5, "{} {}", zoom(true), zoom(false));
}

#[test]
fn a_drag_that_begins_on_the_border_of_the_frame_moves_the_frame() {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg"], &two_faces());
    let corner = |name: &str| window.middle(&format!("{name} corner of the frame"));
    // A point of the border that is not where the frame can be focused.
    let from = corner("Bottom left").lerp(corner("Bottom right"), 0.3);
    window.in_one_frame([Input::PointerMoved(from - vec2(0.0, 60.0))]);
    let before = window.frame_value();
    let [moved, pressed, released] = click(from);
    let to = from + vec2(40.0, 30.0);
    let Input::PointerButton { button, pressed: up, modifiers, .. } = released else { panic!("a release") };
    let released = Input::PointerButton { pos: to, button, pressed: up, modifiers };
    window.in_one_frame([moved, pressed, Input::PointerMoved(to), released]);
    assert_ne!(window.frame_value(), before);
}
