//! The settings that are part of the work, and so go into a project, told from those of the person and the machine.

use super::Settings;

impl Settings {
    /// The names of the settings that are no part of the work.
    pub const NOT_WORK: [&str; 7] =
        ["runtime", "runtime_options", "model", "presets", "recent", "quarantined", "window"];

    /// These settings with those of `work` that are part of the work. A new setting has to be put on one side here.
    #[must_use]
    pub fn with_work_of(&self, work: &Self) -> Self {
        let Self {
            runtime: _,
            runtime_options: _,
            model: _,
            output_folder,
            on_conflict,
            recipe,
            presets: _,
            detect,
            limits,
            recent: _,
            quarantined: _,
            window: _,
        } = work.clone();
        Self {
            runtime: self.runtime,
            runtime_options: self.runtime_options.clone(),
            model: self.model.clone(),
            output_folder,
            on_conflict,
            recipe,
            presets: self.presets.clone(),
            detect,
            limits,
            recent: self.recent.clone(),
            quarantined: self.quarantined.clone(),
            window: self.window,
        }
    }

    /// Replaces every number that cannot be worked with by its default.
    pub fn repair(&mut self) {
        *self = std::mem::take(self).within_range();
    }
}

#[cfg(test)]
mod tests {
    use recipe::Recipe;

    use super::*;
    use crate::settings::{Recent, ThemeChoice};

    #[test]
    fn the_names_that_are_no_work_are_those_that_are_not_taken_over() {
        let mut other = Settings { model: Some("/m.onnx".into()), ..Settings::default() };
        other.recipe.include_damaged = true;
        other.runtime = "tract".parse().expect("known");
        other.runtime_options.threads = 3;
        other.presets = recipe::built_in_presets()[..1].to_vec();
        other.window.theme = ThemeChoice::Dark;
        other.recent = Recent { folders: vec!["/a".into()], projects: Vec::new() };
        other.quarantined = vec!["/a.jpg".into()];
        let taken = Settings::default().with_work_of(&other);
        assert_eq!(
            taken,
            Settings { recipe: Recipe { include_damaged: true, ..Recipe::default() }, ..Settings::default() }
        );
        let mut table = toml::Table::try_from(&other).expect("a form");
        for key in Settings::NOT_WORK {
            assert!(table.remove(key).is_some(), "{key}");
        }
        let rest: Settings = table.try_into().expect("understood");
        assert_eq!(rest, taken);
    }
}
