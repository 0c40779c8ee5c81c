//! Completion of a path while it is typed.

use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use cancel::CancelToken;

use super::natural_cmp;

/// Maximum number of suggestions.
const MAX: usize = 40;

/// Maximum number of folder entries that are read.
const MAX_READ: usize = 20_000;

/// A partly typed path and the kind of entries to suggest.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PathQuery {
    /// The text so far; `~/` stands for the home folder.
    pub typed: String,
    /// The entries to suggest besides folders.
    pub want: PathKind,
}

/// The entries to suggest besides folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PathKind {
    /// None.
    #[default]
    Folders,
    /// Files with one of these extensions, in lower case; all files if the list is empty.
    Files(&'static [&'static str]),
}

/// The completions of a partly typed path.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PathCompletions {
    /// The text they complete.
    pub typed: String,
    /// Folders first, each in natural order.
    pub entries: Vec<PathEntry>,
    /// Number of further matches.
    pub more: usize,
}

/// One completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathEntry {
    /// The complete text that replaces the typed text; a folder's ends with a separator.
    pub text: String,
    /// Its last component.
    pub name: String,
    /// True for a folder.
    pub is_folder: bool,
}

/// Lists the entries of the query's folder whose names start with its last component, ignoring case. Hidden entries are
/// suggested once their dot is typed. Unreadable entries and names that are not valid Unicode are skipped.
pub fn complete_path(query: &PathQuery, cancel: &CancelToken) -> PathCompletions {
    complete_below(query, std::env::home_dir().as_deref(), cancel)
}

fn complete_below(query: &PathQuery, home: Option<&Path>, cancel: &CancelToken) -> PathCompletions {
    let mut found = PathCompletions { typed: query.typed.clone(), ..PathCompletions::default() };
    let Some((start, prefix)) = split(&query.typed) else { return found };
    let folder = match (start.strip_prefix('~'), home) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches(is_separator)),
        _ => PathBuf::from(start),
    };
    let Ok(entries) = fs::read_dir(&folder).map(|entries| entries.take(MAX_READ)) else { return found };
    if !folder.is_absolute() {
        return found;
    }
    let lower = prefix.to_lowercase();
    for entry in entries {
        if cancel.is_cancelled() {
            return found;
        }
        let Some((entry, name)) =
            entry.ok().and_then(|entry| Some((entry.path(), entry.file_name().into_string().ok()?)))
        else {
            continue;
        };
        if !name.to_lowercase().starts_with(&lower) || (name.starts_with('.') && !prefix.starts_with('.')) {
            continue;
        }
        // Follows links: a link may point to a folder.
        let is_folder = fs::metadata(&entry).is_ok_and(|metadata| metadata.is_dir());
        if !is_folder && !is_matching(&name, query.want) {
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

/// The folder including its trailing separator, and the text after it.
fn split(typed: &str) -> Option<(&str, &str)> {
    let at = typed.rfind(is_separator)?;
    typed.split_at_checked(at + 1)
}

/// Windows accepts both separators.
fn is_separator(c: char) -> bool {
    c == '/' || c == MAIN_SEPARATOR
}

fn is_matching(name: &str, want: PathKind) -> bool {
    let PathKind::Files(extensions) = want else { return false };
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    extensions.is_empty() || extensions.iter().any(|other| extension.eq_ignore_ascii_case(other))
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
        let folder = tempfile::tempdir().expect("created");
        let home = folder.path();
        for name in ["Photos 2", "Photos 10", ".hidden"] {
            fs::create_dir(home.join(name)).expect("created");
        }
        for name in ["photo.JPG", "写真.jpg", "phone.txt"] {
            fs::write(home.join(name), "").expect("written");
        }
        let at = |prefix: &str| format!("{}{MAIN_SEPARATOR}{prefix}", home.display());
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
    fn suggestions_for_a_large_folder_are_limited() {
        let folder = tempfile::tempdir().expect("created");
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
