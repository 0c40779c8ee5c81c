//! Panels that fold, and which side panels have room.

use super::AppState;

/// A panel that can be folded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Foldable {
    List,
    #[default]
    Settings,
    /// The preview above the settings.
    Preview,
}

impl AppState {
    /// True if the user has folded this panel.
    pub(crate) fn is_folded(&self, panel: Foldable) -> bool {
        let window = &self.settings.window;
        match panel {
            Foldable::List => window.fold_list,
            Foldable::Settings => window.fold_settings,
            Foldable::Preview => window.fold_preview,
        }
    }

    /// True if this side panel is open. In a narrow window, where only one has room, the one opened last is.
    pub(crate) fn shows_side(&self, panel: Foldable) -> bool {
        let other = if panel == Foldable::List { Foldable::Settings } else { Foldable::List };
        !self.is_folded(panel) && (self.has_room_for_sides || self.is_folded(other) || self.front_side == panel)
    }

    /// Folds a panel or opens it.
    pub(crate) fn fold(&mut self, panel: Foldable, folded: bool) {
        let window = &mut self.settings.window;
        *match panel {
            Foldable::List => &mut window.fold_list,
            Foldable::Settings => &mut window.fold_settings,
            Foldable::Preview => &mut window.fold_preview,
        } = folded;
        if panel != Foldable::Preview && !folded {
            self.front_side = panel;
        }
    }
}

#[cfg(test)]
mod tests {
    use ::batch::settings::Settings;

    use super::*;

    #[test]
    fn a_narrow_window_shows_the_side_panel_opened_last() {
        let mut state = AppState::new(Settings::default());
        let shown = |state: &mut AppState, room: bool| {
            state.has_room_for_sides = room;
            [Foldable::List, Foldable::Settings].map(|side| state.shows_side(side))
        };
        assert_eq!((shown(&mut state, true), shown(&mut state, false)), ([true, true], [false, true]));
        state.fold(Foldable::List, false);
        assert_eq!((shown(&mut state, true), shown(&mut state, false)), ([true, true], [true, false]));
        state.fold(Foldable::List, true);
        assert_eq!((shown(&mut state, true), shown(&mut state, false)), ([false, true], [false, true]));
        state.fold(Foldable::Settings, true);
        assert_eq!(shown(&mut state, false), [false, false]);
    }
}
