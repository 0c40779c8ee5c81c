//! Splits the input of a pass where its order matters.
//!
//! egui finds the widget under the pointer once a pass, at the last position, and a key acts on what the pass shows. On a slow
//! machine a pass receives several events at once: a press after a movement, a movement after a press, a key after a click. Then
//! the later events are kept for the next pass, which follows immediately.

use egui::{Context, Event, Key, Plugin, Pos2, RawInput, Ui};

use super::widgets::control_has_focus;

/// Movement within a pass up to which a press or release counts as being at the same position, in points.
const SAME_POSITION: f32 = 1.0;

/// Keeps the events for later passes. An egui plugin.
#[derive(Default)]
pub(crate) struct EventOrder {
    kept: Vec<Event>,
}

impl EventOrder {
    /// Keeps these events for the next pass, before those kept already.
    pub(crate) fn keep(&mut self, mut events: Vec<Event>) {
        events.append(&mut self.kept);
        self.kept = events;
    }
}

impl Plugin for EventOrder {
    fn debug_name(&self) -> &'static str {
        "event-order"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        let mut events = std::mem::take(&mut self.kept);
        events.append(&mut input.events);
        let now = Now {
            pointer: ctx.input(|input| input.pointer.latest_pos()),
            typing: ctx.text_edit_focused(),
            focused: control_has_focus(ctx),
        };
        self.kept = events.split_off(pass_end(&events, &now));
        input.events = events;
    }

    fn on_end_pass(&mut self, ui: &mut Ui) {
        if !self.kept.is_empty() {
            ui.ctx().request_repaint();
        }
    }
}

/// The state before a pass.
#[derive(Default)]
struct Now {
    pointer: Option<Pos2>,
    /// Whether a text field has the focus.
    typing: bool,
    /// Whether any control has the focus.
    focused: bool,
}

/// Number of events that one pass can handle.
fn pass_end(events: &[Event], now: &Now) -> usize {
    let is_same = |one: Pos2, other: Pos2| one.distance(other) <= SAME_POSITION;
    let mut pressed_at: Option<Pos2> = None;
    let (mut moved, mut typed) = (false, false);
    for (index, event) in events.iter().enumerate() {
        match event {
            Event::PointerMoved(to) => {
                if pressed_at.is_some_and(|at| !is_same(at, *to)) {
                    return index;
                }
                moved = true;
            }
            Event::PointerButton { pos, .. } => {
                let is_new = moved && now.pointer.is_none_or(|known| !is_same(known, *pos));
                if typed || is_new || pressed_at.is_some_and(|at| !is_same(at, *pos)) {
                    return index;
                }
                pressed_at = Some(*pos);
            }
            Event::Key { pressed: true, .. }
            | Event::Text(_)
            | Event::Paste(_)
            | Event::PasteImage(_)
            | Event::Copy
            | Event::Cut
            | Event::Ime(_)
            | Event::ModifiersChanged(_)
                if pressed_at.is_some() =>
            {
                return index;
            }
            Event::Key { key, pressed: true, .. } => {
                typed = true;
                if moves_focus(*key, now) {
                    return index + 1;
                }
            }
            _ => {}
        }
    }
    events.len()
}

/// True for keys that may move the focus or press the focused control: egui handles one of them a pass.
fn moves_focus(key: Key, now: &Now) -> bool {
    match key {
        Key::Tab | Key::Escape => true,
        Key::Enter => now.focused,
        Key::Space => now.focused && !now.typing,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use egui::{Modifiers, PointerButton, pos2};

    use super::*;

    const HERE: Pos2 = pos2(100.0, 50.0);
    const THERE: Pos2 = pos2(140.0, 50.0);

    fn button(pos: Pos2, pressed: bool) -> Event {
        Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
    }

    fn key(key: Key) -> Event {
        Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE }
    }

    /// The numbers of events of the passes that handle `events`.
    fn passes(mut events: Vec<Event>, mut now: Now) -> Vec<usize> {
        let mut lengths = Vec::new();
        while !events.is_empty() {
            let end = pass_end(&events, &now);
            assert!(end > 0, "no pass would ever handle {:?}", events[0]);
            for event in events.drain(..end) {
                if let Event::PointerMoved(to) = event {
                    now.pointer = Some(to);
                }
            }
            lengths.push(end);
        }
        lengths
    }

    fn at_rest() -> Now {
        Now { pointer: Some(HERE), ..Now::default() }
    }

    #[test]
    fn a_press_follows_a_pass_that_knows_its_position() {
        let moved = vec![Event::PointerMoved(THERE), button(THERE, true), button(THERE, false)];
        assert_eq!(passes(moved, at_rest()), [1, 2]);
        let touched = vec![button(THERE, true), button(THERE, false)];
        assert_eq!(passes(touched, Now::default()), [2], "a touch has no position before");
    }

    #[test]
    fn a_drag_begins_where_it_was_pressed_and_ends_where_it_was_released() {
        let drag = vec![button(HERE, true), Event::PointerMoved(THERE), button(THERE, false)];
        assert_eq!(passes(drag, at_rest()), [1, 1, 1]);
    }

    #[test]
    fn a_click_that_trembles_is_one_pass() {
        let near = HERE + egui::vec2(0.5, 0.0);
        let click = vec![button(HERE, true), Event::PointerMoved(near), button(near, false)];
        assert_eq!(passes(click, at_rest()), [3]);
    }

    #[test]
    fn clicks_and_keys_act_in_the_order_they_came() {
        let click = || vec![button(HERE, true), button(HERE, false)];
        assert_eq!(passes([click(), vec![key(Key::X)]].concat(), at_rest()), [2, 1]);
        assert_eq!(passes([vec![key(Key::N)], click()].concat(), at_rest()), [1, 2]);
        let ctrl = |modifiers| vec![Event::ModifiersChanged(modifiers)];
        let with_ctrl = [ctrl(Modifiers::CTRL), click(), ctrl(Modifiers::NONE)].concat();
        assert_eq!(passes(with_ctrl, at_rest()), [3, 1], "Ctrl is held during the click");
    }

    #[test]
    fn keys_that_move_the_focus_end_a_pass() {
        let keys = || vec![key(Key::Tab), key(Key::Tab), key(Key::Space), key(Key::Space), key(Key::N)];
        assert_eq!(passes(keys(), at_rest()), [1, 1, 3]);
        assert_eq!(passes(keys(), Now { focused: true, ..at_rest() }), [1, 1, 1, 1, 1]);
        assert_eq!(passes(keys(), Now { focused: true, typing: true, ..at_rest() }), [1, 1, 3]);
    }
}
