//! What was done, to be undone and done again: across photos, without a limit that a person would meet.

use std::time::{Duration, Instant};

use batch::settings::Settings;
use batch::worker::{ItemId, RequestId};
use recipe::PhotoEdits;

use super::Photo;

/// Steps that are kept; the oldest go first.
const MAX_STEPS: usize = 10_000;

/// The same thing done again within this time is the same step: a drag, a slider, keys held down.
const SAME_GESTURE: Duration = Duration::from_millis(1200);

/// Steps done and undone.
#[derive(Default)]
pub(crate) struct History {
    done: Vec<Step>,
    undone: Vec<Step>,
    /// The state before the first step.
    begin: u64,
    /// The last number that a state was given.
    last: u64,
}

/// One thing a person did.
pub(crate) struct Step {
    /// What, as the menu names it: "set a head".
    pub name: &'static str,
    gesture: Gesture,
    at: Instant,
    pub change: Change,
    /// The state it leads to.
    state: u64,
}

/// What was done, without the value it was given: repeated within a moment it is one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gesture {
    /// Always a step of its own.
    Once,
    /// A setting.
    Setting(&'static str),
    /// Something of one face of one photo.
    Face(&'static str, ItemId, usize),
    /// What one import brings.
    Import(RequestId),
}

/// What a step changed.
pub(crate) enum Change {
    /// Settings and decisions about photos: those before and those after.
    Values { before: Box<Values>, after: Box<Values> },
    /// Photos came to the list or went off it.
    List(ListChange),
}

/// What a step may change beside the list.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Values {
    /// `None` where the step leaves the settings.
    pub settings: Option<(Settings, Option<String>)>,
    pub photos: Vec<(ItemId, PhotoEdits)>,
}

/// Where the photos of a step are now: undoing and doing again both turn it over.
pub(crate) enum ListChange {
    /// In the list.
    In(Vec<ItemId>),
    /// Off the list, each with the place it had.
    Out(Vec<(usize, Photo)>),
}

impl Step {
    pub(crate) fn new(name: &'static str, gesture: Gesture, at: Instant, change: Change) -> Self {
        Self { name, gesture, at, change, state: 0 }
    }
}

impl History {
    /// The name of what would be undone.
    pub(crate) fn undo_name(&self) -> Option<&'static str> {
        self.done.last().map(|step| step.name)
    }

    /// The name of what would be done again.
    pub(crate) fn redo_name(&self) -> Option<&'static str> {
        self.undone.last().map(|step| step.name)
    }

    /// Adds a step, or lengthens the last one where this is the same gesture. What was undone is gone.
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
                    (Change::List(ListChange::In(ids)), Change::List(ListChange::In(more))) => return ids.extend(more),
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

    /// Keeps a step that was undone. What comes next is a step of its own.
    pub(crate) fn was_undone(&mut self, step: Step) {
        self.undone.push(Step { gesture: Gesture::Once, ..step });
        if let Some(last) = self.done.last_mut() {
            last.gesture = Gesture::Once;
        }
    }

    /// Keeps a step that was done again.
    pub(crate) fn was_redone(&mut self, step: Step) {
        self.done.push(Step { gesture: Gesture::Once, ..step });
    }

    /// The number of the present state: it changes with every step, and comes back where a step is undone.
    pub(crate) fn state(&self) -> u64 {
        self.done.last().map_or(self.begin, |step| step.state)
    }

    /// Forgets everything: another list was opened.
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
        Step::new("leave out", gesture, at, Change::Values { before: values(false), after: values(excluded) })
    }

    #[test]
    fn a_gesture_is_one_step_until_the_hand_rests() {
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
    fn a_state_has_a_number_of_its_own_and_comes_back_with_it() {
        let (mut history, start) = (History::default(), Instant::now());
        let empty = history.state();
        let gesture = Gesture::Setting("crop");
        history.add(step(gesture, start, true));
        let first = history.state();
        history.add(step(gesture, start, false));
        let second = history.state();
        assert!(empty != first && first != second, "one step, yet another state");
        let undone = history.take_done().expect("a step");
        history.was_undone(undone);
        assert_eq!(history.state(), empty);
        let again = history.take_undone().expect("a step");
        history.was_redone(again);
        assert_eq!(history.state(), second);
        history.clear();
        assert!(![empty, first, second].contains(&history.state()), "another list");
    }

    #[test]
    fn what_was_undone_can_be_done_again_until_something_else_is_done() {
        let (mut history, start) = (History::default(), Instant::now());
        let gesture = Gesture::Setting("crop");
        history.add(step(gesture, start, true));
        let undone = history.take_done().expect("a step");
        history.was_undone(undone);
        assert_eq!((history.undo_name(), history.redo_name()), (None, Some("leave out")));
        let again = history.take_undone().expect("a step");
        history.was_redone(again);
        history.add(step(gesture, start, true));
        assert_eq!(history.done.len(), 2, "a gesture does not go on after doing again");
        let undone = history.take_done().expect("a step");
        history.was_undone(undone);
        history.add(step(Gesture::Once, start, true));
        assert_eq!(history.redo_name(), None);
    }
}
