//! The program's folders, and whether it can write into them.

use std::path::Path;
use std::{fs, io};

use serde::Serialize;

use super::private::Private;
use crate::platform::Folders;

/// One of the program's folders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FolderFacts {
    /// What it is for.
    pub name: &'static str,
    /// Where it is, the home folder as `~`.
    pub path: String,
    /// True where it is there.
    pub exists: bool,
    /// Why nothing can be written into it, or it not be made; `None` where both can be.
    pub problem: Option<String>,
}

/// Looks at every folder, and writes and removes an empty file in each.
pub(super) fn look(folders: Option<&Folders>, private: &Private) -> Vec<FolderFacts> {
    let mut all = Vec::new();
    if let Some(folders) = folders {
        let config = folders.config_file.parent().unwrap_or(Path::new("."));
        all.extend([
            ("settings", config),
            ("log", &folders.log_dir),
            ("lists kept", &folders.autosave_dir),
            ("sessions", &folders.session_dir),
            ("cache", &folders.cache_dir),
            ("data", &folders.data_dir),
        ]);
    }
    let temporary = std::env::temp_dir();
    all.push(("temporary files", &temporary));
    all.into_iter().map(|(name, path)| facts(name, path, private)).collect()
}

fn facts(name: &'static str, path: &Path, private: &Private) -> FolderFacts {
    // What is not there yet can be made where the nearest folder above it can be written into.
    let nearest = path.ancestors().find(|folder| fs::symlink_metadata(folder).is_ok()).unwrap_or(path);
    let problem = match fs::metadata(nearest) {
        Ok(there) if there.is_dir() => try_to_write(nearest).err().map(|error| error.to_string()),
        Ok(_) => Some(format!("{} is not a folder", nearest.display())),
        Err(error) => Some(error.to_string()),
    };
    FolderFacts {
        name,
        path: private.tilde(&path.to_string_lossy()),
        exists: path.is_dir(),
        problem: problem.map(|problem| private.tilde(&problem)),
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
    fn a_folder_is_there_or_can_be_made_or_says_why_not() {
        let home = tempfile::tempdir().expect("made");
        fs::write(home.path().join("cache"), "a file in the way").expect("written");
        fs::create_dir(home.path().join("logs")).expect("made");
        let reported = look(Some(&Folders::below(home.path())), &Private::default());
        let of = |name: &str| reported.iter().find(|facts| facts.name == name).expect("told");
        assert!(of("log").exists && of("log").problem.is_none());
        assert!(!of("data").exists && of("data").problem.is_none());
        assert!(of("cache").problem.as_deref().is_some_and(|problem| problem.ends_with("is not a folder")));
        assert!(of("temporary files").exists);
        let left: Vec<_> = fs::read_dir(home.path().join("logs")).expect("readable").collect();
        assert!(left.is_empty() && !home.path().join("data").exists(), "nothing is left behind or made");
    }
}
