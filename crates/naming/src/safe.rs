//! File names that are valid on every system: length, characters and reserved device names.

use std::ffi::{OsStr, OsString};

/// Maximum length of a file name in bytes of UTF-8, on common file systems.
pub const MAX_NAME_BYTES: usize = 255;

/// True for characters that Windows does not allow in a name, including path separators.
pub(super) fn is_forbidden(c: char) -> bool {
    c.is_control() || matches!(c, '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*')
}

/// Replaces everything in `name` (a folder name, or a file name without extension) that Windows does not allow or silently
/// drops by `_`. Invalid UTF-8 is kept.
pub fn portable(name: &OsStr) -> OsString {
    let mut safe = replaced(name);
    let bytes = safe.as_encoded_bytes();
    if bytes.ends_with(b".") || bytes.ends_with(b" ") {
        safe = shortened(&safe, safe.len() - 1);
        safe.push("_");
    }
    if is_device(&safe.to_string_lossy()) {
        let mut longer = OsString::from("_");
        longer.push(&safe);
        return longer;
    }
    safe
}

fn is_device(name: &str) -> bool {
    const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
    let device = name.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let numbered = |port: &str| {
        // Windows treats the three superscript digits of Latin-1 as digits here.
        let digit = |c: char| c.is_ascii_digit() || matches!(c, '¹' | '²' | '³');
        device.strip_prefix(port).is_some_and(|rest| rest.chars().count() == 1 && rest.chars().all(digit))
    };
    DEVICES.contains(&device.as_str()) || numbered("COM") || numbered("LPT")
}

fn safe_text(text: &str) -> String {
    text.chars().map(|c| if is_forbidden(c) { '_' } else { c }).collect()
}

#[cfg(unix)]
fn replaced(name: &OsStr) -> OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let mut bytes = Vec::new();
    for chunk in name.as_bytes().utf8_chunks() {
        bytes.extend(safe_text(chunk.valid()).into_bytes());
        bytes.extend(chunk.invalid());
    }
    OsString::from_vec(bytes)
}

#[cfg(not(unix))]
fn replaced(name: &OsStr) -> OsString {
    safe_text(&name.to_string_lossy()).into()
}

/// Truncates `name` to `max_bytes` at a character boundary.
#[cfg(unix)]
pub fn shortened(name: &OsStr, max_bytes: usize) -> OsString {
    use std::os::unix::ffi::OsStrExt;
    let bytes = name.as_bytes();
    if bytes.len() <= max_bytes {
        return name.to_owned();
    }
    let mut end = 0;
    'chunks: for chunk in bytes.utf8_chunks() {
        let lengths = chunk.valid().chars().map(char::len_utf8).chain(chunk.invalid().iter().map(|_| 1));
        for length in lengths {
            if end + length > max_bytes {
                break 'chunks;
            }
            end += length;
        }
    }
    OsStr::from_bytes(&bytes[..end]).to_owned()
}

/// Truncates `name` to `max_bytes` at a character boundary.
#[cfg(not(unix))]
pub fn shortened(name: &OsStr, max_bytes: usize) -> OsString {
    if name.len() <= max_bytes {
        return name.to_owned();
    }
    let text = name.to_string_lossy();
    text[..text.floor_char_boundary(max_bytes)].into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_windows_rejects_or_changes_are_made_portable() {
        for (name, safe) in [
            ("plain name", "plain name"),
            ("-dash", "-dash"),
            ("dot.", "dot_"),
            ("space ", "space_"),
            ("..", "._"),
            ("a:b?\n", "a_b__"),
            ("a/b\\c", "a_b_c"),
            ("con", "_con"),
            ("Nul.2024", "_Nul.2024"),
            ("conin$", "_conin$"),
            ("COM7", "_COM7"),
            ("LPT¹", "_LPT¹"),
            ("COM77", "COM77"),
            ("console", "console"),
            ("王小明 👩", "王小明 👩"),
            ("", ""),
        ] {
            assert_eq!(portable(OsStr::new(name)), safe, "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn invalid_utf8_is_kept() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(portable(OsStr::from_bytes(b"a\xff:\xfeb.")).as_bytes(), b"a\xff_\xfeb_");
        assert_eq!(shortened(OsStr::from_bytes(b"\xff\xffa\xc3\xa4"), 4).as_bytes(), b"\xff\xffa");
    }
}
