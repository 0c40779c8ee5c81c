//! Separates the settings that are stored in a project from those of the user and the machine.

use super::Settings;

impl Settings {
    /// The names of the settings that are not stored in a project.
    pub const NOT_IN_PROJECT: [&str; 7] =
        ["runtime", "runtime_options", "model", "presets", "recent", "quarantined", "window"];

    /// These settings, with the project settings taken from `project`. A new setting must be assigned to one side here.
    #[must_use]
    pub fn with_project_settings_of(&self, project: &Self) -> Self {
        let Self {
            runtime: _,
            runtime_options: _,
            model: _,
            output_folder,
            on_conflict,
            recipe,
            names,
            presets: _,
            detect,
            limits,
            recent: _,
            quarantined: _,
            window: _,
        } = project.clone();
        Self {
            runtime: self.runtime,
            runtime_options: self.runtime_options.clone(),
            model: self.model.clone(),
            output_folder,
            on_conflict,
            recipe,
            names,
            presets: self.presets.clone(),
            detect,
            limits,
            recent: self.recent.clone(),
            quarantined: self.quarantined.clone(),
            window: self.window,
        }
    }

    /// Replaces every number outside its range by its default.
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
    fn the_listed_names_are_the_settings_that_are_not_taken_over() {
        let mut other = Settings { model: Some("/m.onnx".into()), ..Settings::default() };
        other.recipe.include_damaged = true;
        other.runtime = "tract".parse().expect("known");
        other.runtime_options.threads = 3;
        other.presets = recipe::built_in_presets()[..1].to_vec();
        other.window.theme = ThemeChoice::Dark;
        other.recent = Recent { folders: vec!["/a".into()], ..Recent::default() };
        other.quarantined = vec!["/a.jpg".into()];
        let taken = Settings::default().with_project_settings_of(&other);
        assert_eq!(
            taken,
            Settings { recipe: Recipe { include_damaged: true, ..Recipe::default() }, ..Settings::default() }
        );
        let mut table = toml::Table::try_from(&other).expect("a form");
        for key in Settings::NOT_IN_PROJECT {
            assert!(table.remove(key).is_some(), "{key}");
        }
        let rest: Settings = table.try_into().expect("understood");
        assert_eq!(rest, taken);
    }
}
