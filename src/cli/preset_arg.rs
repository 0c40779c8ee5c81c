//! Value of `--preset` and `presets show`: the name of a built-in preset, or a preset file.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use clap::builder::{PossibleValuesParser, StyledStr, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command};

use batch::worker::{Event, FilesRequest, WorkerHandle};
use recipe::{MAX_PRESET_FILE_BYTES, Preset, built_in_presets, find_preset, presets_from_toml};

use super::ask::ask;
use super::print;

/// A requested preset.
#[derive(Clone, Debug, PartialEq)]
pub enum PresetArg {
    BuiltIn(&'static Preset),
    /// A preset from a file, as printed by `presets show`.
    File {
        path: PathBuf,
        /// Id of the preset; `None` for the only one.
        id: Option<String>,
    },
}

/// Maximum number of suggestions for a misspelt name.
const MAX_SUGGESTIONS: usize = 5;

impl PresetArg {
    /// Parses the name of a built-in preset or a path; `None` if it is neither.
    pub(super) fn read(text: &str) -> Option<Self> {
        find_preset(text).map(Self::BuiltIn).or_else(|| as_file(OsStr::new(text)))
    }

    /// The preset, read from its file if it is in one.
    ///
    /// # Errors
    /// The file cannot be read, contains no presets, or not the requested one.
    pub(super) fn resolve(&self) -> anyhow::Result<Cow<'static, Preset>> {
        match self {
            Self::BuiltIn(preset) => Ok(Cow::Borrowed(preset)),
            Self::File { path, id } => {
                let shown = print::path(path);
                let text = read_text(path)?;
                let presets =
                    presets_from_toml(&text).with_context(|| format!("the preset file {shown} cannot be used"))?;
                choose(presets, id.as_deref(), &shown).map(Cow::Owned)
            }
        }
    }
}

impl fmt::Display for PresetArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(preset) => f.write_str(&preset.id),
            Self::File { path, id } => {
                f.write_str(&print::path(path))?;
                id.as_ref().map_or(Ok(()), |id| write!(f, "#{id}"))
            }
        }
    }
}

/// Front ends open no files: the worker's files lane reads it.
fn read_text(path: &Path) -> anyhow::Result<String> {
    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let request = FilesRequest::LoadText { path: path.to_owned(), max_bytes: MAX_PRESET_FILE_BYTES };
    ask(&worker, request, |event| match event {
        Event::TextLoaded(text) => text.map(Some).map_err(|error| anyhow!(error.to_string())),
        _ => Ok(None),
    })
}

fn choose(presets: Vec<Preset>, id: Option<&str>, file: &str) -> anyhow::Result<Preset> {
    let ids: Vec<&str> = presets.iter().map(|preset| preset.id.as_str()).collect();
    let at = match (id, ids.len()) {
        (Some(id), _) => ids.iter().position(|known| *known == id),
        (None, 1) => Some(0),
        (None, _) => {
            bail!("{file} contains several presets ({}); choose one, for example {file}#{}", ids.join(", "), ids[0])
        }
    };
    let Some(at) = at else {
        bail!("{file} contains no preset called {}, only {}", id.unwrap_or_default(), ids.join(", "));
    };
    presets.into_iter().nth(at).context("the preset is gone")
}

/// Parses a [`PresetArg`]: anything that ends in `.toml` or contains a path separator is a file, everything else a name.
#[derive(Clone)]
pub(super) struct PresetParser;

impl TypedValueParser for PresetParser {
    type Value = PresetArg;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<PresetArg, clap::Error> {
        if let Some(preset) = value.to_str().and_then(find_preset) {
            return Ok(PresetArg::BuiltIn(preset));
        }
        if let Some(file) = as_file(value) {
            return Ok(file);
        }
        let names = PossibleValuesParser::new(built_in_presets().iter().map(|preset| preset.id.as_str()));
        let Err(mut error) = names.parse_ref(command, arg, value) else {
            return Err(command.clone().error(clap::error::ErrorKind::InvalidValue, "there is no such preset"));
        };
        // Similar names help more than the full list.
        error.remove(ContextKind::ValidValue);
        let mut near = similar_names(&value.to_string_lossy());
        if let Some(ContextValue::String(nearest)) = error.remove(ContextKind::SuggestedValue)
            && !near.contains(&nearest)
        {
            near.insert(0, nearest);
        }
        near.truncate(MAX_SUGGESTIONS);
        let tips = match near.is_empty() {
            true => ["`iron-cropper presets` lists the presets; a preset file ends in .toml".to_owned()],
            false => [format!("similar presets: {}; `iron-cropper presets` lists all of them", near.join(", "))],
        };
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips.map(StyledStr::from).to_vec()));
        Err(error)
    }
}

fn as_file(value: &OsStr) -> Option<PresetArg> {
    let path = Path::new(value);
    if let Some((file, id)) = value.to_str().and_then(|text| text.rsplit_once(".toml#")) {
        return Some(PresetArg::File { path: format!("{file}.toml").into(), id: Some(id.to_owned()) });
    }
    let is_toml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    let has_folder = path.components().count() > 1;
    (is_toml || has_folder).then(|| PresetArg::File { path: path.to_owned(), id: None })
}

/// Names that share a word, or the beginning of one, with `given`; best matches first.
fn similar_names(given: &str) -> Vec<String> {
    let given = given.to_lowercase();
    let parts: Vec<&str> = given.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1).collect();
    let has = |id: &str, word: &str| id.split('-').any(|part| part.starts_with(word) || word == format!("{part}s"));
    let shared = |id: &str| parts.iter().filter(|word| has(id, word)).count();
    let mut near: Vec<(usize, &str)> =
        built_in_presets().iter().map(|preset| (shared(&preset.id), preset.id.as_str())).collect();
    near.retain(|(shared, _)| *shared > 0);
    near.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    near.into_iter().map(|(_, id)| id.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(given: &str) -> Result<PresetArg, String> {
        let command = Command::new("test").arg(Arg::new("preset").long("preset").value_parser(PresetParser));
        let matches = command.try_get_matches_from(["test", "--preset", given]).map_err(|error| error.to_string())?;
        Ok(matches.get_one::<PresetArg>("preset").expect("given").clone())
    }

    #[test]
    fn toml_extensions_and_paths_mean_files() {
        assert_eq!(read("avatar"), Ok(PresetArg::BuiltIn(find_preset("avatar").expect("exists"))));
        for (given, file, id) in [
            ("mine.toml", "mine.toml", None),
            ("MINE.TOML", "MINE.TOML", None),
            ("./avatar", "./avatar", None),
            ("a.toml/b.toml#badge", "a.toml/b.toml", Some("badge".to_owned())),
        ] {
            assert_eq!(read(given), Ok(PresetArg::File { path: file.into(), id }), "{given}");
        }
        assert_eq!(read("a/b.toml#badge").expect("a file").to_string(), "a/b.toml#badge");
    }

    #[test]
    fn a_misspelt_name_gets_a_few_suggestions() {
        for (given, near) in [("headshots", "headshot"), ("hedshot", "headshot"), ("Avatar round", "avatar")] {
            let refused = read(given).expect_err("refused");
            assert!(refused.contains(&format!("similar presets: {near}")), "{given}: {refused}");
        }
        let refused = read("mars").expect_err("refused");
        assert!(refused.contains("`iron-cropper presets` lists") && !refused.contains("headshot"), "{refused}");
    }

    #[test]
    fn a_file_with_several_presets_needs_an_id() {
        let presets = || built_in_presets()[..2].to_vec();
        let ids = [presets()[0].id.clone(), presets()[1].id.clone()];
        let chosen = |id| choose(presets(), id, "a.toml").map(|preset| preset.id).map_err(|error| error.to_string());
        assert_eq!(chosen(Some(ids[1].as_str())), Ok(ids[1].clone()));
        assert!(
            chosen(None).is_err_and(|error| error.contains(&format!("a.toml#{}", ids[0])) && error.contains(&ids[1]))
        );
        assert!(chosen(Some("c")).is_err_and(|error| error.contains("no preset called c")));
        assert_eq!(choose(presets()[..1].to_vec(), None, "a.toml").expect("one").id, ids[0]);
    }

    #[test]
    fn an_oversized_file_is_not_read_completely() {
        let folder = tempfile::tempdir().expect("created");
        let path = folder.path().join("large.toml");
        std::fs::write(&path, vec![b' '; MAX_PRESET_FILE_BYTES as usize + 10]).expect("written");
        assert!(read_text(&path).is_err());
        std::fs::write(&path, [0xFF, 0xFE]).expect("written");
        assert!(read_text(&path).is_err());
    }
}
