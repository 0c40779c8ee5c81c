//! Detects the root of the system disk, which is hardly ever meant as a photo folder.

use std::path::{Component, Path};

/// True for the root of the system disk in any spelling: `/`, `/home/..`, on Windows the drive with Windows. Other disks,
/// such as a camera's memory card, may have photos at their root.
pub fn is_whole_disk(path: &Path) -> bool {
    let mut below = 0_usize;
    let mut has_root = false;
    for part in path.components() {
        match part {
            Component::Prefix(prefix) if !is_system_drive(&prefix) => return false,
            Component::Prefix(_) | Component::CurDir => {}
            Component::RootDir => has_root = true,
            Component::ParentDir => below = below.saturating_sub(1),
            Component::Normal(_) => below += 1,
        }
    }
    has_root && below == 0
}

fn is_system_drive(prefix: &std::path::PrefixComponent<'_>) -> bool {
    use std::path::Prefix::{Disk, VerbatimDisk};
    let (Disk(letter) | VerbatimDisk(letter)) = prefix.kind() else { return false };
    let system = std::env::var_os("SystemDrive").and_then(|drive| drive.as_encoded_bytes().first().copied());
    letter.eq_ignore_ascii_case(&system.unwrap_or(b'C'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_root_is_detected_in_every_spelling() {
        for root in ["/", "//", "/.", "/..", "/home/..", "/home/anna/../../..", "/a/./../"] {
            assert!(is_whole_disk(Path::new(root)), "{root}");
        }
        for folder in ["/home", "/home/anna", "/media/card", "/../home", "/a/../b", "", ".", "..", "../../.."] {
            assert!(!is_whole_disk(Path::new(folder)), "{folder}");
        }
    }

    #[cfg(windows)]
    #[test]
    fn the_system_drive_is_detected_and_other_drives_are_not() {
        let system = std::env::var("SystemDrive").unwrap_or_else(|_| "C:".to_owned());
        for root in [format!("{system}\\"), format!("{system}\\Users\\.."), format!("\\\\?\\{system}\\")] {
            assert!(is_whole_disk(Path::new(&root)), "{root}");
        }
        for folder in [format!("{system}\\Users"), "Q:\\".to_owned(), "\\\\server\\photos\\".to_owned()] {
            assert!(!is_whole_disk(Path::new(&folder)), "{folder}");
        }
    }
}
