//! The settings that differ from the defaults, without what a person has typed.

use serde::Serialize;
use serde_json::Value;

use super::private::Private;
use crate::platform::Folders;
use crate::settings::Settings;

/// Settings whose values are about the person or the person's files.
const PERSONAL: [&str; 6] = ["model", "output_folder", "runtime_options.library", "presets", "recent", "quarantined"];

/// The settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SettingsFacts {
    /// Those that differ from the defaults, by name.
    pub changed: Vec<(String, String)>,
    /// Why the file cannot be read.
    pub problem: Option<String>,
}

/// The settings given, else those of the file.
pub(super) fn look(given: Option<&Settings>, folders: Option<&Folders>, private: &Private) -> SettingsFacts {
    let read = || folders.map_or_else(|| Ok(Settings::default()), |folders| Settings::peek(&folders.config_file));
    match given.cloned().map_or_else(read, Ok) {
        Ok(settings) => SettingsFacts { changed: changed(&settings), problem: None },
        Err(error) => SettingsFacts { changed: Vec::new(), problem: Some(private.scrub(&error.to_string())) },
    }
}

fn changed(settings: &Settings) -> Vec<(String, String)> {
    let value = |settings: &Settings| serde_json::to_value(settings).unwrap_or(Value::Null);
    let mut changed = Vec::new();
    compare("", &value(settings), &value(&Settings::default()), &mut changed);
    changed
}

/// Adds what differs; tables are gone through, everything else is compared as a whole.
fn compare(name: &str, value: &Value, usual: &Value, changed: &mut Vec<(String, String)>) {
    if value == usual {
        return;
    }
    if PERSONAL.contains(&name) {
        changed.push((name.to_owned(), counted(value)));
        return;
    }
    let Value::Object(table) = value else {
        changed.push((name.to_owned(), reported(value)));
        return;
    };
    for (key, value) in table {
        let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
        compare(&name, value, usual.get(key).unwrap_or(&Value::Null), changed);
    }
}

/// How much is there, and not what.
fn counted(value: &Value) -> String {
    match value {
        Value::Null => "not set".to_owned(),
        Value::Array(list) => format!("{} of them", list.len()),
        Value::Object(table) => {
            let count: usize = table.values().filter_map(Value::as_array).map(Vec::len).sum();
            format!("{count} of them")
        }
        _ => "set".to_owned(),
    }
}

/// Numbers, switches and the program's own words; what may be a person's words is only said to be there.
fn reported(value: &Value) -> String {
    let is_own_word = |text: &str| {
        text.len() <= 32 && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_:#".contains(c))
    };
    match value {
        Value::Null => "not set".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) if is_own_word(text) => text.clone(),
        Value::Array(list) if list.iter().all(Value::is_number) => value.to_string(),
        other => counted(other),
    }
}

#[cfg(test)]
mod tests {
    use recipe::{Recipe, built_in_presets};

    use super::*;
    use crate::settings::{Recent, ThemeChoice};

    #[test]
    fn what_differs_is_reported_but_not_what_was_typed() {
        let mut settings =
            Settings { recipe: Recipe { include_damaged: true, ..Recipe::default() }, ..Settings::default() };
        assert_eq!(changed(&Settings::default()), []);
        settings.model = Some("/home/zoe/zoe.onnx".into());
        settings.output_folder = Some("zoe".into());
        settings.runtime_options.library = Some("zoe".into());
        settings.runtime_options.threads = 3;
        settings.quarantined = vec!["/home/zoe/a.jpg".into()];
        settings.recent = Recent { folders: vec!["/zoe".into()], projects: vec!["/zoe.ironcrop".into()] };
        settings.presets = built_in_presets()[..1].to_vec();
        settings.presets[0].name = "zoe".to_owned();
        settings.window.theme = ThemeChoice::Dark;
        let reported = changed(&settings);
        let of = |name: &str| reported.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        assert_eq!(of("include_damaged"), Some("true"));
        assert_eq!(of("runtime_options.threads"), Some("3"));
        assert_eq!(of("window.theme"), Some("dark"));
        assert_eq!((of("model"), of("recent")), (Some("set"), Some("2 of them")));
        assert_eq!((of("presets"), of("quarantined")), (Some("1 of them"), Some("1 of them")));
        assert!(!format!("{reported:?}").contains("zoe"), "{reported:?}");
    }
}
