//! Paths in a project file: relative to the project's folder if both share a folder, with `/` on every system.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// A path as stored in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum StoredPath {
    /// A path that is valid Unicode.
    Text(String),
    /// Any other path, with special characters escaped: `%FF` for a byte, `%uD800` for a UTF-16 unit on Windows.
    Escaped(String),
}

/// The stored form of `path` in a project in `folder`. Both are absolute.
pub(super) fn written(path: &Path, folder: &Path) -> StoredPath {
    let path = from_folder(path, folder).unwrap_or_else(|| path.to_owned());
    match path.to_str() {
        Some(text) => StoredPath::Text(with_slashes(text)),
        None => StoredPath::Escaped(escaped(path.as_os_str())),
    }
}

/// The path that `written` refers to in a project in `folder`.
pub(super) fn read(written: &StoredPath, folder: &Path) -> PathBuf {
    let path = match written {
        StoredPath::Text(text) => PathBuf::from(text),
        StoredPath::Escaped(text) => unescaped(text),
    };
    without_dots(&folder.join(path))
}

/// `path` relative to `folder`, with `..` if they share more than the root.
fn from_folder(path: &Path, folder: &Path) -> Option<PathBuf> {
    let (path, folder) = (without_dots(path), without_dots(folder));
    let shared = path.components().zip(folder.components()).take_while(|(a, b)| a == b);
    let (count, shares_a_folder) =
        shared.fold((0, false), |(count, named), (part, _)| (count + 1, named || matches!(part, Component::Normal(_))));
    if !shares_a_folder {
        return path.strip_prefix(&folder).ok().map(Path::to_owned);
    }
    let up = folder.components().skip(count).map(|_| Component::ParentDir);
    Some(up.chain(path.components().skip(count)).collect())
}

/// Removes `.` and `..` lexically, without resolving links, on writing as on reading.
pub(super) fn without_dots(path: &Path) -> PathBuf {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(parts.last(), Some(Component::Normal(_))) => _ = parts.pop(),
            Component::ParentDir if matches!(parts.last(), Some(Component::RootDir)) => {}
            part => parts.push(part),
        }
    }
    parts.into_iter().collect()
}

fn with_slashes(text: &str) -> String {
    // A verbatim path on Windows does not allow `/`.
    if cfg!(windows) && !text.starts_with(r"\\?\") { text.replace('\\', "/") } else { text.to_owned() }
}

/// True for characters that are not escaped.
fn is_plain(c: u32) -> bool {
    char::from_u32(c).is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | ' ' | ':'))
}

#[cfg(unix)]
fn escaped(path: &OsStr) -> String {
    use std::os::unix::ffi::OsStrExt;
    let one = |&byte: &u8| if is_plain(byte.into()) { char::from(byte).into() } else { format!("%{byte:02X}") };
    path.as_bytes().iter().map(one).collect()
}

#[cfg(not(unix))]
fn escaped(path: &OsStr) -> String {
    use std::os::windows::ffi::OsStrExt;
    let one = |unit: u16| match char::from_u32(unit.into()).filter(|c| is_plain((*c).into())) {
        Some(c) => c.to_string(),
        None if unit == u16::from(b'\\') => "/".to_owned(),
        None => format!("%u{unit:04X}"),
    };
    path.encode_wide().map(one).collect()
}

/// Splits an escaped path into text and the numbers between it.
fn parts(text: &str) -> Vec<(&str, Option<u16>)> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once('%') {
        let (digits, skip) = if after.starts_with('u') { (after.get(1..5), 5) } else { (after.get(..2), 2) };
        match digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            Some(number) => {
                parts.push((before, Some(number)));
                rest = &after[skip..];
            }
            None => {
                parts.push((&rest[..=before.len()], None));
                rest = after;
            }
        }
    }
    parts.push((rest, None));
    parts
}

#[cfg(unix)]
fn unescaped(text: &str) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    let mut bytes = Vec::new();
    for (plain, number) in parts(text) {
        bytes.extend_from_slice(plain.as_bytes());
        match number.map(u8::try_from) {
            Some(Ok(byte)) => bytes.push(byte),
            Some(Err(_)) => bytes.extend_from_slice("\u{fffd}".as_bytes()),
            None => {}
        }
    }
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn unescaped(text: &str) -> PathBuf {
    use std::os::windows::ffi::OsStringExt;
    let mut units = Vec::new();
    for (plain, number) in parts(text) {
        units.extend(plain.encode_utf16());
        units.extend(number);
    }
    std::ffi::OsString::from_wide(&units).into()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn text(path: &str, folder: &str) -> String {
        match written(Path::new(path), Path::new(folder)) {
            StoredPath::Text(text) => text,
            StoredPath::Escaped(text) => panic!("{text}"),
        }
    }

    #[test]
    fn paths_are_relative_to_the_projects_folder_if_they_share_one() {
        for (path, folder, expected) in [
            ("/home/anna/school/a.jpg", "/home/anna/school", "a.jpg"),
            ("/home/anna/school/day 1/a.jpg", "/home/anna/school", "day 1/a.jpg"),
            ("/home/anna/photos/a.jpg", "/home/anna/projects", "../photos/a.jpg"),
            ("/home/anna/./x/../a.jpg", "/home/anna/projects/", "../a.jpg"),
            ("/media/card/a.jpg", "/home/anna", "/media/card/a.jpg"),
            ("/a.jpg", "/", "a.jpg"),
            ("/back\\slash.jpg", "/", "back\\slash.jpg"),
        ] {
            let written = text(path, folder);
            assert_eq!(written, expected);
            let folder = Path::new(folder);
            assert_eq!(read(&StoredPath::Text(written), folder), without_dots(Path::new(path)), "{path} comes back");
        }
    }

    #[test]
    fn invalid_utf8_names_round_trip() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(OsStr::from_bytes(b"/p/a%\xff\xfe \xc3\xa9.jpg"));
        let written = written(path, Path::new("/p"));
        assert_eq!(written, StoredPath::Escaped("a%25%FF%FE %C3%A9.jpg".to_owned()));
        assert_eq!(read(&written, Path::new("/p")), path);
        for odd in ["%", "%u", "%u12", "%zz", "a%uD800b", "é%é", "%u%41"] {
            read(&StoredPath::Escaped(odd.to_owned()), Path::new("/p"));
        }
    }

    #[test]
    fn parent_components_never_lead_above_the_root() {
        assert_eq!(read(&StoredPath::Text("../../../../x".to_owned()), Path::new("/a/b")), Path::new("/x"));
    }
}
