//! Paths in JSON.

use std::path::{Component, Path, PathBuf};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};

/// A path in a journal: text if it is valid Unicode, otherwise its bytes in hexadecimal, so that every path round-trips.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StoredPath {
    /// A path that is valid Unicode.
    Text(String),
    /// Any other path.
    Bytes {
        /// Its bytes in hexadecimal.
        hex: String,
    },
}

impl StoredPath {
    /// Stores `path` unchanged.
    pub fn of(path: &Path) -> Self {
        path.to_str().map_or_else(
            || Self::Bytes { hex: HEXLOWER.encode(path.as_os_str().as_encoded_bytes()) },
            |text| Self::Text(text.to_owned()),
        )
    }

    /// Stores `path` relative to `folder` if it is inside, with `/` as separator, so that it is valid on every system.
    pub fn inside(path: &Path, folder: &Path) -> Self {
        match path.strip_prefix(folder) {
            Ok(inside) if cfg!(windows) => Self::of(Path::new(&inside.to_string_lossy().replace('\\', "/"))),
            Ok(inside) => Self::of(inside),
            Err(_) => Self::of(path),
        }
    }

    /// The path; `None` if the bytes are not a valid path on this system.
    pub fn to_path(&self) -> Option<PathBuf> {
        match self {
            Self::Text(text) => Some(PathBuf::from(text)),
            Self::Bytes { hex } => from_bytes(HEXLOWER.decode(hex.as_bytes()).ok()?),
        }
    }

    /// The path relative to `folder`; `None` if it is outside. A journal is untrusted input.
    pub fn below(&self, folder: &Path) -> Option<PathBuf> {
        let path = self.to_path()?;
        let mut parts = path.components();
        let stays = path.components().next().is_some() && parts.all(|part| matches!(part, Component::Normal(_)));
        stays.then(|| folder.join(path))
    }
}

#[cfg(unix)]
fn from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn from_bytes(_bytes: Vec<u8>) -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_round_trips() {
        let mut paths = vec![PathBuf::from("in/Zoë 王.jpg"), PathBuf::from("a\n\"b\".jpg")];
        paths.extend(from_bytes(b"caf\xe9 \xff.jpg".to_vec()));
        for path in paths {
            let json = serde_json::to_string(&StoredPath::of(&path)).expect("writes");
            assert!(!json.contains('\n'));
            let read: StoredPath = serde_json::from_str(&json).expect("reads");
            assert_eq!(read.to_path(), Some(path));
        }
    }

    #[test]
    fn paths_inside_the_folder_move_with_it() {
        let stored = StoredPath::inside(Path::new("/out/a/b.jpg"), Path::new("/out"));
        assert_eq!(stored, StoredPath::Text("a/b.jpg".to_owned()));
        assert_eq!(stored.below(Path::new("/elsewhere")), Some(PathBuf::from("/elsewhere/a/b.jpg")));
        let outside = StoredPath::inside(Path::new("/other/b.jpg"), Path::new("/out"));
        assert_eq!(outside.below(Path::new("/elsewhere")), None);
        for path in ["../b.jpg", "a/../../b.jpg", "/b.jpg", "", "./b.jpg"] {
            assert_eq!(StoredPath::Text(path.to_owned()).below(Path::new("/out")), None, "{path}");
        }
    }
}
