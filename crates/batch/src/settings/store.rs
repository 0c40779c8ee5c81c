//! Reads and writes the settings file.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use recipe::{DecodeLimits, DetectSpec, EncodeSpec, FinishSpec, OutputPlace, Recipe, RuntimeOptions, Variant};

use super::{Settings, WindowSettings};

/// The format version of the file; raised when an older program would misread it.
const VERSION: i64 = 2;

/// Allowed width and height of the window at startup, in points.
const WINDOW_SIDES: std::ops::RangeInclusive<f32> = 320.0..=16_384.0;

/// A problem with the settings file, to be shown once. The defaults are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsNotice {
    /// The file cannot be read and was not moved.
    Unreadable { path: PathBuf, reason: String },
    /// The file cannot be parsed.
    Unusable {
        path: PathBuf,
        /// What is wrong with it.
        fault: SettingsFault,
        /// The path it was moved to, or why it could not be moved.
        kept: Result<PathBuf, String>,
    },
}

/// Why the settings cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsFault {
    /// Not valid UTF-8.
    #[error("it is not text")]
    NotText,
    /// Written by a newer program.
    #[error("its format version {version} is from a newer program")]
    Newer { version: String },
    /// Invalid TOML or an invalid value, with the parser's message.
    #[error("{0}")]
    Form(String),
}

/// Why settings cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PeekError {
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// The file cannot be parsed.
    #[error(transparent)]
    Unusable(#[from] SettingsFault),
}

impl fmt::Display for SettingsNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, reason } => {
                write!(f, "The settings file {} cannot be read ({reason}). Defaults are used.", path.display())
            }
            Self::Unusable { path, fault, kept } => {
                write!(f, "The settings file {} cannot be used: {fault}. ", path.display())?;
                match kept {
                    Ok(kept) => write!(f, "It was renamed to {}.", kept.display())?,
                    Err(reason) => write!(f, "It could not be renamed either ({reason}).")?,
                }
                f.write_str(" Defaults are used.")
            }
        }
    }
}

/// Maximum size of a settings file in bytes.
const MAX_SETTINGS_BYTES: u64 = 1 << 20;

/// Why the settings were not saved.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The system has no settings folder.
    #[error("this system has no settings folder")]
    NoFolder,
    /// The file or its folder cannot be written.
    #[error("the settings file {} cannot be written ({source})", path.display())]
    Write { path: PathBuf, source: io::Error },
    /// A setting cannot be represented in TOML.
    #[error("the settings cannot be serialised: {0}")]
    Serialize(#[from] toml::ser::Error),
}

impl Settings {
    /// Reads the settings at `path`.
    ///
    /// Always returns valid settings: defaults for a missing file, and the default for a number outside its range. A file
    /// that cannot be parsed is renamed to `settings.broken-1.toml` (or the next free number), and the defaults are used
    /// with a notice.
    pub fn load(path: &Path) -> (Self, Option<SettingsNotice>) {
        let fault = match read_small_file(path) {
            Ok(bytes) => match parse(&bytes) {
                Ok(settings) => return (settings.within_range(), None),
                Err(fault) => fault,
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => return (Self::default(), None),
            Err(error) => {
                let notice = SettingsNotice::Unreadable { path: path.to_owned(), reason: error.to_string() };
                return (Self::default(), Some(notice));
            }
        };
        let kept = move_aside(path).map_err(|error| error.to_string());
        (Self::default(), Some(SettingsNotice::Unusable { path: path.to_owned(), fault, kept }))
    }

    /// Reads the settings at `path` as [`load`](Self::load) does, without changing any file.
    ///
    /// # Errors
    /// Fails if the file cannot be read or parsed.
    pub fn peek(path: &Path) -> Result<Self, PeekError> {
        match read_small_file(path) {
            Ok(bytes) => Ok(parse(&bytes)?.within_range()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the settings to `path` atomically. Creates the folder if it is missing.
    ///
    /// A path that is not valid Unicode cannot be represented in TOML and is omitted, and so is the name list, which belongs
    /// to a project.
    ///
    /// # Errors
    /// Fails if the file or its folder cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), SettingsError> {
        let mut settings = self.clone();
        let options = &mut settings.runtime_options;
        for kept in [&mut settings.model, &mut settings.output_folder, &mut options.library, &mut options.litert] {
            kept.take_if(|path| path.to_str().is_none());
        }
        settings.names.list = None;
        settings.recent.repair();
        settings.quarantined.retain(|path| path.to_str().is_some());
        let text = format!(
            "# Iron Cropper settings. Unknown entries are ignored, missing ones have their defaults.\nversion = {VERSION}\n\n{}",
            toml::to_string(&settings)?
        );
        write_atomically(path, text.as_bytes()).map_err(|source| SettingsError::Write { path: path.to_owned(), source })
    }

    /// The same settings, with every number outside its range replaced by its default.
    pub(super) fn within_range(mut self) -> Self {
        let Self { recipe, detect, limits, window, runtime_options, recent, quarantined, .. } = &mut self;
        recent.repair();
        quarantined.truncate(Self::MAX_QUARANTINED);
        runtime_options.threads = runtime_options.threads.min(RuntimeOptions::MAX_THREADS);
        repair_outputs(recipe);
        let default = DetectSpec::default();
        if !(0.0..=1.0).contains(&detect.score_threshold) {
            detect.score_threshold = default.score_threshold;
        }
        if !(0.0..=1.0).contains(&detect.nms_threshold) {
            detect.nms_threshold = default.nms_threshold;
        }
        let default = DecodeLimits::default();
        if limits.max_pixels == 0 {
            limits.max_pixels = default.max_pixels;
        }
        if limits.max_file_bytes == 0 {
            limits.max_file_bytes = default.max_file_bytes;
        }
        if limits.max_seconds == 0 {
            limits.max_seconds = default.max_seconds;
        }
        let default = WindowSettings::default();
        if !WINDOW_SIDES.contains(&window.width) || !WINDOW_SIDES.contains(&window.height) {
            (window.width, window.height) = (default.width, default.height);
        }
        self
    }
}

/// Replaces every number outside its range by its default, and every place outside the output folder by a folder below it.
fn repair_outputs(recipe: &mut Recipe) {
    let Recipe { crop, finish, encode, place, variants, .. } = recipe;
    variants.truncate(Recipe::MAX_VARIANTS);
    let own = (&mut *crop, &mut *finish, &mut *encode, &mut *place);
    let of_variants = variants.iter_mut().map(|variant| {
        let Variant { crop, finish, encode, place, .. } = variant;
        (crop, finish, encode, place)
    });
    for (number, (crop, finish, encode, place)) in (1..).zip(std::iter::once(own).chain(of_variants)) {
        let default = EncodeSpec::default();
        if !EncodeSpec::QUALITY.contains(&encode.quality) {
            encode.quality = default.quality;
        }
        if !EncodeSpec::AVIF_SPEED.contains(&encode.avif_speed) {
            encode.avif_speed = default.avif_speed;
        }
        if !EncodeSpec::DPI.contains(&encode.dpi) {
            encode.dpi = default.dpi;
        }
        encode.max_kilobytes = encode.max_kilobytes.filter(|kilobytes| *kilobytes > 0);
        crop.repair();
        if finish.check(crop.rules.as_ref()).is_err() {
            *finish = FinishSpec::default();
        }
        if place.check().is_err() {
            *place = OutputPlace { folder: format!("output-{number}"), suffix: String::new() };
        }
    }
}

/// Reads a settings file. Pipes, which would block, and large files are rejected.
fn read_small_file(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() || metadata.len() > MAX_SETTINGS_BYTES {
        return Err(io::Error::other("it is not a settings file"));
    }
    fs::read(path)
}

fn parse(bytes: &[u8]) -> Result<Settings, SettingsFault> {
    let text = std::str::from_utf8(bytes).map_err(|_| SettingsFault::NotText)?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| single_line(&error))?;
    if let Some(version) = table.get("version")
        && version.as_integer().is_none_or(|version| version > VERSION)
    {
        return Err(SettingsFault::Newer { version: version.to_string() });
    }
    table.try_into().map_err(|error| single_line(&error))
}

fn single_line(error: &toml::de::Error) -> SettingsFault {
    SettingsFault::Form(error.message().split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Renames an unusable file to `settings.broken-1.toml` or the next free number.
fn move_aside(path: &Path) -> io::Result<PathBuf> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let free = (1..=999).map(|number| path.with_file_name(format!("{stem}.broken-{number}.toml")));
    let free = free.into_iter().find(|kept| fs::symlink_metadata(kept).is_err());
    let kept = free.ok_or(io::ErrorKind::AlreadyExists)?;
    fs::rename(path, &kept)?;
    Ok(kept)
}

fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // A settings file that is a link, for example to a dotfiles repository, stays a link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut part = tempfile::Builder::new().prefix(".settings-").tempfile_in(target.parent().unwrap_or(folder))?;
    part.write_all(bytes)?;
    part.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use geometry::Size;
    use recipe::{CropSpec, OnConflict, OutputFormat, Select, built_in_presets};

    use super::*;
    use crate::settings::ThemeChoice;

    fn load_text(text: &str) -> (Settings, Option<SettingsNotice>, tempfile::TempDir) {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("settings.toml");
        fs::write(&path, text).expect("created");
        let (settings, notice) = Settings::load(&path);
        (settings, notice, folder)
    }

    #[test]
    fn saved_settings_are_loaded_again() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("new/folder/settings.toml");
        let mut settings = Settings {
            runtime: "tract".parse().expect("known"),
            model: Some("/models/mine.onnx".into()),
            output_folder: Some("/out/Zoë".into()),
            on_conflict: OnConflict::Overwrite,
            ..Settings::default()
        };
        settings.recipe.encode = EncodeSpec { format: OutputFormat::WebP, quality: 71, ..EncodeSpec::default() };
        settings.recipe.crop.select = Select::All;
        settings.recipe.crop.output = Size::new(123, 456);
        settings.recipe.crop.head_height = 0.37;
        settings.window.theme = ThemeChoice::Dark;
        for preset in built_in_presets() {
            settings.recipe.crop.position = preset.position;
            settings.save(&path).expect("saved");
            assert_eq!(Settings::load(&path), (settings.clone(), None));
        }
        let text = fs::read_to_string(&path).expect("exists");
        assert!(text.contains("version = 2\n") && text.contains("quality = 71"), "{text}");
        assert_eq!(fs::read_dir(path.parent().expect("parent")).expect("readable").count(), 1);
    }

    #[test]
    fn a_missing_file_gives_no_notice() {
        let folder = tempfile::tempdir().expect("folder");
        assert_eq!(Settings::load(&folder.path().join("settings.toml")), (Settings::default(), None));
    }

    #[test]
    fn each_broken_file_is_moved_aside_and_reported_once() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("settings.toml");
        let contents: [&[u8]; 4] = [b"version = ", b"\xff\xfe", b"[encode]\nquality = 'high'", b"version = 3"];
        for (index, content) in contents.iter().enumerate() {
            fs::write(&path, content).expect("created");
            let (settings, notice) = Settings::load(&path);
            assert_eq!(settings, Settings::default());
            let kept = folder.path().join(format!("settings.broken-{}.toml", index + 1));
            let notice = notice.expect("a notice");
            assert!(matches!(&notice, SettingsNotice::Unusable { kept: Ok(path), .. } if *path == kept), "{notice}");
            let text = notice.to_string();
            assert!(text.contains("broken-") && !text.contains('\n'), "{text}");
            assert_eq!(fs::read(&kept).expect("exists"), *content);
            assert_eq!(Settings::load(&path), (Settings::default(), None), "reported once");
        }
    }

    #[test]
    fn an_unreadable_file_is_not_moved_and_is_reported() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("settings.toml");
        fs::create_dir(&path).expect("created");
        let (settings, notice) = Settings::load(&path);
        assert_eq!(settings, Settings::default());
        assert!(matches!(notice, Some(SettingsNotice::Unreadable { .. })));
        assert!(path.is_dir());
        assert!(matches!(Settings::default().save(&path), Err(SettingsError::Write { .. })));
    }

    #[test]
    fn unknown_entries_are_ignored_and_missing_ones_have_their_defaults() {
        let (settings, notice, _folder) = load_text("colour = 'red'\n[encode]\nquality = 50\n[window]\nopacity = 1\n");
        let expected = Settings {
            recipe: Recipe { encode: EncodeSpec { quality: 50, ..EncodeSpec::default() }, ..Recipe::default() },
            ..Settings::default()
        };
        assert_eq!((settings, notice), (expected, None));
    }

    #[test]
    fn numbers_out_of_range_are_replaced_individually() {
        let (settings, notice, _folder) = load_text(
            "[encode]\nformat = 'png'\nquality = 0\navif_speed = 99\ndpi = 0\nmax_kilobytes = 0\n[crop]\nhead_height = 7.0\nmin_score = nan\n\
             output = { width = 0, height = 5 }\nposition = { kind = 'headroom', share = 3.0 }\nselect = 'all'\n\
             [detect]\nscore_threshold = -1.0\nnms_threshold = inf\n[limits]\nmax_pixels = 0\nmax_file_bytes = 0\nmax_seconds = 0\n\
             [window]\nwidth = nan\nheight = 600.0\nmaximized = true\n",
        );
        let mut expected = Settings::default();
        expected.recipe.encode.format = OutputFormat::Png;
        expected.recipe.crop.select = Select::All;
        expected.window.maximized = true;
        assert_eq!((settings, notice), (expected, None));
    }

    #[test]
    fn variants_are_saved_and_their_values_out_of_range_are_replaced() {
        let (settings, notice, folder) = load_text(
            "[place]\nfolder = '/etc'\n[[variants]]\npreset = 'avatar'\n[variants.place]\nfolder = '../up'\nsuffix = '_x'\n\
             [variants.encode]\nquality = 0\nformat = 'png'\n[variants.crop]\nhead_height = 9.0\nmin_size = 7\n\
             [[variants]]\n[variants.place]\nfolder = 'small'\nsuffix = '_y'\n",
        );
        assert_eq!(notice, None);
        let place = |folder: &str, suffix: &str| OutputPlace { folder: folder.to_owned(), suffix: suffix.to_owned() };
        let recipe = &settings.recipe;
        assert_eq!(recipe.place, place("output-1", ""));
        let [avatar, small] = &recipe.variants[..] else { panic!("{:?}", recipe.variants) };
        assert_eq!((&avatar.place, &small.place), (&place("output-2", ""), &place("small", "_y")));
        let encode = EncodeSpec { format: OutputFormat::Png, ..EncodeSpec::default() };
        assert_eq!((avatar.preset.as_deref(), avatar.encode), (Some("avatar"), encode));
        assert_eq!((avatar.crop.head_height, avatar.crop.min_size), (CropSpec::default().head_height, 7));
        assert_eq!(recipe.check_outputs(), Ok(()));
        let path = folder.path().join("again.toml");
        settings.save(&path).expect("saved");
        assert_eq!(Settings::load(&path), (settings, None));
    }

    #[cfg(unix)]
    #[test]
    fn a_path_with_invalid_utf8_does_not_prevent_saving_the_rest() {
        use std::os::unix::ffi::OsStringExt;
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("settings.toml");
        let odd = PathBuf::from(std::ffi::OsString::from_vec(b"/out/\xff".to_vec()));
        let runtime_options =
            RuntimeOptions { library: Some(odd.clone()), litert: Some(odd.clone()), ..RuntimeOptions::default() };
        let settings = Settings {
            output_folder: Some(odd),
            on_conflict: OnConflict::Skip,
            runtime_options,
            ..Settings::default()
        };
        settings.save(&path).expect("saved");
        let expected = Settings { on_conflict: OnConflict::Skip, ..Settings::default() };
        assert_eq!(Settings::load(&path), (expected, None));
    }
}
