//! Undo and redo history: across photos, and long enough for any session.

use std::time::{Duration, Instant};

use batch::settings::Settings;
use batch::worker::{ItemId, RequestId};
use recipe::PhotoEdits;

use super::{Photo, Selection};

/// Maximum number of steps; the oldest are dropped.
const MAX_STEPS: usize = 10_000;

/// The same gesture repeated within this time is merged into one step: a drag, a slider, held keys.
const SAME_GESTURE: Duration = Duration::from_millis(1200);

#[derive(Default)]
pub(crate) struct History {
    done: Vec<Step>,
    undone: Vec<Step>,
    /// Number of the state before the first step.
    begin: u64,
    /// Highest state number used.
    last: u64,
}

/// An undoable step.
pub(crate) struct Step {
    /// Its name in the menu: "adjust a head".
    pub name: &'static str,
    gesture: Gesture,
    at: Instant,
    pub change: Change,
    /// Number of the state it leads to.
    state: u64,
}

/// Kind of change, without its value: repetitions within a short time are merged into one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gesture {
    /// Never merged.
    Once,
    /// A setting of the output with this index.
    Setting(&'static str, usize),
    /// An edit of one face of one photo.
    Face(&'static str, ItemId, usize),
    /// The photos of one import.
    Import(RequestId),
}

/// The data of a step.
pub(crate) enum Change {
    /// Settings and edits of photos.
    Values { before: Box<Values>, after: Box<Values> },
    /// Photos were added or removed; with the selection on the other side of the step.
    List(ListChange, Selection),
}

/// The data a step may change, apart from the list.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Values {
    /// `None` if the step does not change the settings.
    pub settings: Option<(Settings, Option<String>)>,
    pub photos: Vec<(ItemId, PhotoEdits)>,
}

/// The current place of the photos of a step; undo and redo toggle it.
pub(crate) enum ListChange {
    /// In the list.
    In(Vec<ItemId>),
    /// Removed, each with its former index.
    Out(Vec<(usize, Photo)>),
}

impl Step {
    pub(crate) fn new(name: &'static str, gesture: Gesture, at: Instant, change: Change) -> Self {
        Self { name, gesture, at, change, state: 0 }
    }
}

impl History {
    /// Name of the step that undo would revert.
    pub(crate) fn undo_name(&self) -> Option<&'static str> {
        self.done.last().map(|step| step.name)
    }

    /// Name of the step that redo would repeat.
    pub(crate) fn redo_name(&self) -> Option<&'static str> {
        self.undone.last().map(|step| step.name)
    }

    /// Adds a step, or merges it into the last one if the gesture is the same. Clears the redo stack.
    pub(crate) fn add(&mut self, mut step: Step) {
        self.undone.clear();
        self.last += 1;
        step.state = self.last;
        if let Some(last) = self.done.last_mut() {
            let goes_on = match step.gesture {
                Gesture::Once => false,
                Gesture::Import(_) => last.gesture == step.gesture,
                _ => last.gesture == step.gesture && step.at.saturating_duration_since(last.at) < SAME_GESTURE,
            };
            if goes_on {
                (last.at, last.state) = (step.at, step.state);
                match (&mut last.change, step.change) {
                    (Change::Values { after, .. }, Change::Values { after: newer, .. }) => return *after = newer,
                    (Change::List(ListChange::In(ids), _), Change::List(ListChange::In(more), _)) => {
                        return ids.extend(more);
                    }
                    (_, change) => {
                        let (name, gesture, at, state) = (step.name, step.gesture, step.at, step.state);
                        return self.done.push(Step { name, gesture, at, change, state });
                    }
                }
            }
        }
        self.done.push(step);
        if self.done.len() > MAX_STEPS {
            self.done.remove(0);
        }
    }

    pub(crate) fn take_done(&mut self) -> Option<Step> {
        self.done.pop()
    }

    pub(crate) fn take_undone(&mut self) -> Option<Step> {
        self.undone.pop()
    }

    /// Moves an undone step to the redo stack. The next step is not merged.
    pub(crate) fn push_undone(&mut self, step: Step) {
        self.undone.push(Step { gesture: Gesture::Once, ..step });
        if let Some(last) = self.done.last_mut() {
            last.gesture = Gesture::Once;
        }
    }

    /// Moves a redone step to the undo stack.
    pub(crate) fn push_redone(&mut self, step: Step) {
        self.done.push(Step { gesture: Gesture::Once, ..step });
    }

    /// Number of the current state: it changes with every step and is restored by undo.
    pub(crate) fn state(&self) -> u64 {
        self.done.last().map_or(self.begin, |step| step.state)
    }

    /// Clears the history: another list was opened.
    pub(crate) fn clear(&mut self) {
        let last = self.last + 1;
        *self = Self { begin: last, last, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(gesture: Gesture, at: Instant, excluded: bool) -> Step {
        let values = |excluded| {
            let edits = PhotoEdits { excluded, ..PhotoEdits::default() };
            Box::new(Values { settings: None, photos: vec![(ItemId(1), edits)] })
        };
        Step::new("exclude", gesture, at, Change::Values { before: values(false), after: values(excluded) })
    }

    #[test]
    fn a_gesture_is_one_step_until_a_pause() {
        let (mut history, start) = (History::default(), Instant::now());
        let gesture = Gesture::Face("head", ItemId(1), 0);
        history.add(step(gesture, start, false));
        history.add(step(gesture, start + Duration::from_millis(600), true));
        history.add(step(gesture, start + Duration::from_millis(1500), true));
        assert_eq!(history.done.len(), 1, "each within a moment of the last");
        let Change::Values { before, after } = &history.done[0].change else { panic!("values") };
        assert!(!before.photos[0].1.excluded && after.photos[0].1.excluded);
        history.add(step(gesture, start + Duration::from_secs(9), true));
        history.add(step(Gesture::Face("head", ItemId(1), 1), start + Duration::from_secs(9), true));
        history.add(step(Gesture::Once, start, true));
        history.add(step(Gesture::Once, start, true));
        assert_eq!(history.done.len(), 5);
    }

    #[test]
    fn each_state_has_a_number_that_undo_restores() {
        let (mut history, start) = (History::default(), Instant::now());
        let empty = history.state();
        let gesture = Gesture::Setting("crop", 0);
        history.add(step(gesture, start, true));
        let first = history.state();
        history.add(step(gesture, start, false));
        let second = history.state();
        assert!(empty != first && first != second, "one step, but a new state");
        let undone = history.take_done().expect("a step");
        history.push_undone(undone);
        assert_eq!(history.state(), empty);
        let again = history.take_undone().expect("a step");
        history.push_redone(again);
        assert_eq!(history.state(), second);
        history.clear();
        assert!(![empty, first, second].contains(&history.state()), "another list");
    }

    #[test]
    fn undone_steps_can_be_redone_until_the_next_edit() {
        let (mut history, start) = (History::default(), Instant::now());
        let gesture = Gesture::Setting("crop", 0);
        history.add(step(gesture, start, true));
        let undone = history.take_done().expect("a step");
        history.push_undone(undone);
        assert_eq!((history.undo_name(), history.redo_name()), (None, Some("exclude")));
        let again = history.take_undone().expect("a step");
        history.push_redone(again);
        history.add(step(gesture, start, true));
        assert_eq!(history.done.len(), 2, "a gesture does not continue after a redo");
        let undone = history.take_done().expect("a step");
        history.push_undone(undone);
        history.add(step(Gesture::Once, start, true));
        assert_eq!(history.redo_name(), None);
    }
}
