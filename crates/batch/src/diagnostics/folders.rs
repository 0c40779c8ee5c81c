//! The program's folders, and whether they are writable.

use std::path::Path;
use std::{fs, io};

use serde::Serialize;

use super::redact::Redactor;
use crate::platform::Folders;

/// One of the program's folders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FolderFacts {
    /// Its purpose.
    pub name: &'static str,
    /// Its path, with the home folder as `~`.
    pub path: String,
    pub exists: bool,
    /// Why it is not writable or cannot be created; `None` if it can be used.
    pub problem: Option<String>,
}

/// Checks every folder by writing and removing an empty file.
pub(super) fn collect(folders: Option<&Folders>, redactor: &Redactor) -> Vec<FolderFacts> {
    let mut all = Vec::new();
    if let Some(folders) = folders {
        let config = folders.config_file.parent().unwrap_or(Path::new("."));
        all.extend([
            ("settings", config),
            ("log", &folders.log_dir),
            ("recovery lists", &folders.autosave_dir),
            ("sessions", &folders.session_dir),
            ("cache", &folders.cache_dir),
            ("data", &folders.data_dir),
        ]);
    }
    let temporary = std::env::temp_dir();
    all.push(("temporary files", &temporary));
    all.into_iter().map(|(name, path)| facts(name, path, redactor)).collect()
}

fn facts(name: &'static str, path: &Path, redactor: &Redactor) -> FolderFacts {
    // A missing folder can be created if its nearest existing ancestor is writable.
    let nearest = path.ancestors().find(|folder| fs::symlink_metadata(folder).is_ok()).unwrap_or(path);
    let problem = match fs::metadata(nearest) {
        Ok(there) if there.is_dir() => try_to_write(nearest).err().map(|error| error.to_string()),
        Ok(_) => Some(format!("{} is not a folder", nearest.display())),
        Err(error) => Some(error.to_string()),
    };
    FolderFacts {
        name,
        path: redactor.redact_paths(&path.to_string_lossy()),
        exists: path.is_dir(),
        problem: problem.map(|problem| redactor.redact_paths(&problem)),
    }
}

fn try_to_write(folder: &Path) -> io::Result<()> {
    let file = tempfile::Builder::new().prefix(".iron-cropper-").tempfile_in(folder)?;
    file.close()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_folder_exists_or_can_be_created_or_has_a_reason() {
        let home = tempfile::tempdir().expect("created");
        fs::write(home.path().join("cache"), "a file in the way").expect("written");
        fs::create_dir(home.path().join("logs")).expect("created");
        let facts = collect(Some(&Folders::below(home.path())), &Redactor::default());
        let of = |name: &str| facts.iter().find(|folder| folder.name == name).expect("listed");
        assert!(of("log").exists && of("log").problem.is_none());
        assert!(!of("data").exists && of("data").problem.is_none());
        assert!(of("cache").problem.as_deref().is_some_and(|problem| problem.ends_with("is not a folder")));
        assert!(of("temporary files").exists);
        let left: Vec<_> = fs::read_dir(home.path().join("logs")).expect("readable").collect();
        assert!(left.is_empty() && !home.path().join("data").exists(), "nothing is left behind or made");
    }
}
