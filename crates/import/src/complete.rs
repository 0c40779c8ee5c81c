//! What a path that is being typed may become.

use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use cancel::CancelToken;

use super::natural_cmp;

/// Most entries that are offered.
const MAX: usize = 40;

/// Most entries of a folder that are looked at: a person types on in a larger one.
const MAX_READ: usize = 20_000;

/// A path that is being typed, and what is wanted of it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PathQuery {
    /// As far as it was typed; `~/` stands for the home folder.
    pub typed: String,
    /// What is offered beside folders.
    pub want: PathKind,
}

/// What is offered beside folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PathKind {
    /// Nothing.
    #[default]
    Folders,
    /// Files with one of these extensions, in lower case; all files where there are none.
    Files(&'static [&'static str]),
}

/// What a path may become.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PathCompletions {
    /// What was typed.
    pub typed: String,
    /// Folders first, each in natural order.
    pub entries: Vec<PathEntry>,
    /// Entries beyond those.
    pub more: usize,
}

/// One path that may be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathEntry {
    /// The whole text that takes the place of what was typed; a folder's ends with a separator.
    pub text: String,
    /// Its last part alone.
    pub name: String,
    /// True for folders.
    pub is_folder: bool,
}

/// Looks into the folder that `query` names and gives the entries that begin as its last part does, in any case. Hidden
/// entries are offered once their dot is typed. What cannot be read, and names that are no Unicode, are passed over.
pub fn complete_path(query: &PathQuery, cancel: &CancelToken) -> PathCompletions {
    complete_below(query, std::env::home_dir().as_deref(), cancel)
}

fn complete_below(query: &PathQuery, home: Option<&Path>, cancel: &CancelToken) -> PathCompletions {
    let mut found = PathCompletions { typed: query.typed.clone(), ..PathCompletions::default() };
    let Some((start, begun)) = split(&query.typed) else { return found };
    let folder = match (start.strip_prefix('~'), home) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches(is_separator)),
        _ => PathBuf::from(start),
    };
    let Ok(entries) = fs::read_dir(&folder).map(|entries| entries.take(MAX_READ)) else { return found };
    if !folder.is_absolute() {
        return found;
    }
    let lower = begun.to_lowercase();
    for entry in entries {
        if cancel.is_cancelled() {
            return found;
        }
        let Some((entry, name)) =
            entry.ok().and_then(|entry| Some((entry.path(), entry.file_name().into_string().ok()?)))
        else {
            continue;
        };
        if !name.to_lowercase().starts_with(&lower) || (name.starts_with('.') && !begun.starts_with('.')) {
            continue;
        }
        // Behind a link there may be a folder.
        let is_folder = fs::metadata(&entry).is_ok_and(|about| about.is_dir());
        if !is_folder && !is_wanted(&name, query.want) {
            continue;
        }
        let end = if is_folder { MAIN_SEPARATOR.to_string() } else { String::new() };
        found.entries.push(PathEntry { text: format!("{start}{name}{end}"), name, is_folder });
    }
    found
        .entries
        .sort_by(|a, b| b.is_folder.cmp(&a.is_folder).then_with(|| natural_cmp(a.name.as_ref(), b.name.as_ref())));
    found.more = found.entries.len().saturating_sub(MAX);
    found.entries.truncate(MAX);
    found
}

/// The folder with the separator at its end, and what was typed after it.
fn split(typed: &str) -> Option<(&str, &str)> {
    let at = typed.rfind(is_separator)?;
    typed.split_at_checked(at + 1)
}

/// Windows takes both.
fn is_separator(c: char) -> bool {
    c == '/' || c == MAIN_SEPARATOR
}

fn is_wanted(name: &str, want: PathKind) -> bool {
    let PathKind::Files(extensions) = want else { return false };
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    extensions.is_empty() || extensions.iter().any(|wanted| extension.eq_ignore_ascii_case(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(typed: String, want: PathKind, home: &Path) -> Vec<String> {
        let found = complete_below(&PathQuery { typed, want }, Some(home), &CancelToken::new());
        found.entries.into_iter().map(|entry| entry.text).collect()
    }

    #[test]
    fn a_path_is_completed_from_its_folder() {
        let folder = tempfile::tempdir().expect("made");
        let home = folder.path();
        for name in ["Photos 2", "Photos 10", ".hidden"] {
            fs::create_dir(home.join(name)).expect("made");
        }
        for name in ["photo.JPG", "写真.jpg", "phone.txt"] {
            fs::write(home.join(name), "").expect("written");
        }
        let at = |begun: &str| format!("{}{MAIN_SEPARATOR}{begun}", home.display());
        let folder = |name: &str| format!("{}{MAIN_SEPARATOR}", at(name));
        let pictures = PathKind::Files(&["jpg"]);
        assert_eq!(names(at("pho"), PathKind::Folders, home), [folder("Photos 2"), folder("Photos 10")]);
        assert_eq!(names(at("pho"), pictures, home), [folder("Photos 2"), folder("Photos 10"), at("photo.JPG")]);
        assert_eq!(names(at("写"), pictures, home), [at("写真.jpg")]);
        assert_eq!(names(at("phone"), PathKind::Files(&[]), home), [at("phone.txt")]);
        assert_eq!(names(at(".h"), PathKind::Folders, home), [folder(".hidden")]);
        assert_eq!(names("~/photo.".to_owned(), pictures, home), ["~/photo.JPG"]);
        assert!(names(at("none"), pictures, home).is_empty());
        for typed in ["", "photo", "/no/such/folder/x", "relative/x", "~"] {
            assert!(names(typed.to_owned(), pictures, home).is_empty(), "{typed}");
        }
    }

    #[test]
    fn of_a_large_folder_a_part_is_offered() {
        let folder = tempfile::tempdir().expect("made");
        for number in 0..MAX + 3 {
            fs::write(folder.path().join(format!("{number}.jpg")), "").expect("written");
        }
        let typed = format!("{}{MAIN_SEPARATOR}", folder.path().display());
        let query = PathQuery { typed, want: PathKind::Files(&["jpg"]) };
        let found = complete_path(&query, &CancelToken::new());
        assert_eq!((found.entries.len(), found.more), (MAX, 3));
        assert_eq!(found.entries[2].name, "2.jpg", "numbers in their order");
    }
}
