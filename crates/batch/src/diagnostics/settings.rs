//! The settings that differ from the defaults, without text entered by the user.

use serde::Serialize;
use serde_json::Value;

use super::redact::Redactor;
use crate::platform::Folders;
use crate::settings::Settings;

/// Settings with personal values, such as paths.
const PERSONAL: [&str; 12] = [
    "model",
    "output_folder",
    "runtime_options.library",
    "runtime_options.litert",
    "runtime_options.face_models",
    "names.template",
    "names.list",
    "place.folder",
    "place.suffix",
    "presets",
    "recent",
    "quarantined",
];

/// The settings in diagnostics.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SettingsFacts {
    /// Settings that differ from the defaults, as name and value.
    pub changed: Vec<(String, String)>,
    /// Why the settings file cannot be read.
    pub problem: Option<String>,
}

/// The facts about `given`, or else about the settings file.
pub(super) fn collect(given: Option<&Settings>, folders: Option<&Folders>, redactor: &Redactor) -> SettingsFacts {
    let read = || folders.map_or_else(|| Ok(Settings::default()), |folders| Settings::peek(&folders.config_file));
    match given.cloned().map_or_else(read, Ok) {
        Ok(settings) => SettingsFacts { changed: changed(&settings), problem: None },
        Err(error) => SettingsFacts { changed: Vec::new(), problem: Some(redactor.redact(&error.to_string())) },
    }
}

fn changed(settings: &Settings) -> Vec<(String, String)> {
    let value = |settings: &Settings| serde_json::to_value(settings).unwrap_or(Value::Null);
    let mut changed = Vec::new();
    compare("", &value(settings), &value(&Settings::default()), &mut changed);
    changed
}

/// Adds all differences; tables are compared recursively, other values as a whole.
fn compare(name: &str, value: &Value, default: &Value, changed: &mut Vec<(String, String)>) {
    if value == default {
        return;
    }
    if PERSONAL.contains(&name) {
        changed.push((name.to_owned(), counted(value)));
        return;
    }
    let Value::Object(table) = value else {
        changed.push((name.to_owned(), redacted(value)));
        return;
    };
    for (key, value) in table {
        let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
        compare(&name, value, default.get(key).unwrap_or(&Value::Null), changed);
    }
}

/// The number of values, without the values.
fn counted(value: &Value) -> String {
    match value {
        Value::Null => "not set".to_owned(),
        Value::Array(list) => entries(list.len()),
        Value::Object(table) => entries(table.values().filter_map(Value::as_array).map(Vec::len).sum()),
        _ => "set".to_owned(),
    }
}

fn entries(count: usize) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") }
}

/// Numbers, booleans and predefined identifiers; for text that may be entered by the user, only whether it is set.
fn redacted(value: &Value) -> String {
    let is_identifier = |text: &str| {
        text.len() <= 32 && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_:#".contains(c))
    };
    match value {
        Value::Null => "not set".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) if is_identifier(text) => text.clone(),
        Value::Array(list) if list.iter().all(Value::is_number) => value.to_string(),
        other => counted(other),
    }
}

#[cfg(test)]
mod tests {
    use naming::ListSpec;
    use recipe::{Recipe, built_in_presets};

    use super::*;
    use crate::settings::{Place, Recent, ThemeChoice};

    #[test]
    fn changed_settings_are_reported_without_personal_values() {
        let mut settings =
            Settings { recipe: Recipe { include_damaged: true, ..Recipe::default() }, ..Settings::default() };
        assert_eq!(changed(&Settings::default()), []);
        settings.model = Some("/home/zoe/zoe.onnx".into());
        settings.output_folder = Some("zoe".into());
        settings.runtime_options.library = Some("zoe".into());
        settings.runtime_options.litert = Some("zoe".into());
        settings.runtime_options.face_models = Some("zoe".into());
        settings.runtime_options.threads = 3;
        settings.quarantined = vec!["/home/zoe/a.jpg".into()];
        settings.recent = Recent {
            folders: vec!["/zoe".into()],
            projects: vec!["/zoe.ironcrop".into()],
            places: vec![Place { project: "/zoe.ironcrop".into(), photo: "/zoe/zoe.jpg".into() }],
        };
        settings.names.template = "zoe".to_owned();
        settings.names.list = Some(ListSpec { file: "zoe.csv".into(), ..ListSpec::default() });
        settings.presets = built_in_presets()[..1].to_vec();
        settings.presets[0].name = "zoe".to_owned();
        settings.window.theme = ThemeChoice::Dark;
        let changes = changed(&settings);
        let of = |name: &str| changes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        assert_eq!(of("include_damaged"), Some("true"));
        assert_eq!(of("runtime_options.threads"), Some("3"));
        assert_eq!(of("window.theme"), Some("dark"));
        assert_eq!((of("model"), of("recent")), (Some("set"), Some("3 entries")));
        assert_eq!(of("names.template"), Some("set"));
        assert_eq!((of("presets"), of("quarantined")), (Some("1 entry"), Some("1 entry")));
        assert!(!format!("{changes:?}").contains("zoe"), "{changes:?}");
    }
}
