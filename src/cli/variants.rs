//! `--variant`: several outputs of one run.

use std::str::FromStr;

use recipe::{OutputPlace, Variant};

use super::preset_arg::PresetArg;

/// One output: a preset, and the folder of its crops.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantArg {
    pub(super) preset: PresetArg,
    /// Below the output folder.
    pub(super) folder: String,
}

impl FromStr for VariantArg {
    type Err = String;

    /// Parses `PRESET` or `PRESET:FOLDER`; without a folder, it is named after the preset.
    fn from_str(text: &str) -> Result<Self, String> {
        let is_drive = |before: &str, after: &str| before.len() == 1 && after.starts_with(['\\', '/']);
        let parts = text.rsplit_once(':').filter(|(before, after)| !is_drive(before, after));
        let (preset, folder) = parts.map_or((text, None), |(preset, folder)| (preset, Some(folder)));
        let unknown = || format!("there is no preset '{preset}'; `iron-cropper presets` lists the presets");
        let preset = PresetArg::read(preset).ok_or_else(unknown)?;
        let folder = folder.map_or_else(|| folder_of(&preset), str::to_owned);
        let variant = Self { preset, folder };
        variant.place().check().map_err(|error| error.to_string())?;
        Ok(variant)
    }
}

/// The default folder of a preset: its id, or the name of its file.
fn folder_of(preset: &PresetArg) -> String {
    match preset {
        PresetArg::BuiltIn(preset) => preset.id.clone(),
        PresetArg::File { id: Some(id), .. } => id.clone(),
        PresetArg::File { path, id: None } => {
            let path = path.to_string_lossy();
            let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
            name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
        }
    }
}

impl VariantArg {
    /// Where its crops are written.
    pub(super) fn place(&self) -> OutputPlace {
        OutputPlace { folder: self.folder.clone(), suffix: String::new() }
    }
}

/// The name of a crop's output in reports; `None` for the output folder itself.
pub(super) fn label(outputs: &[Variant], output: usize) -> Option<&str> {
    outputs.get(output).map(Variant::label).filter(|label| !label.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_is_a_preset_with_a_folder() {
        let read = |text: &str| text.parse::<VariantArg>().map(|variant| (variant.preset.to_string(), variant.folder));
        let pair = |preset: &str, folder: &str| Ok((preset.to_owned(), folder.to_owned()));
        assert_eq!(read("avatar"), pair("avatar", "avatar"));
        assert_eq!(read("avatar:small/round"), pair("avatar", "small/round"));
        assert_eq!(read("avatar:"), pair("avatar", ""));
        assert_eq!(read("mine.toml"), pair("mine.toml", "mine"));
        assert_eq!(read("mine.toml#badge"), pair("mine.toml#badge", "badge"));
        assert_eq!(read(r"C:\presets\mine.toml:x").map(|(_, folder)| folder), Ok("x".to_owned()));
        assert!(read(r"C:\presets\mine.toml").is_ok());
        assert!(read("nobody:x").is_err_and(|error| error.contains("no preset 'nobody'")));
        assert!(read("avatar:../x").is_err_and(|error| error.contains("not a path below the output folder")));
    }
}
