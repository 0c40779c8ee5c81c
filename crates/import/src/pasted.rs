//! Paths in pasted text.

use std::path::{Path, PathBuf};

/// Parses paths from pasted text, one per line, as copied from a file manager or a terminal.
///
/// Accepts absolute paths, quoted paths, `~/` for the home folder, and `file://` URIs (`text/uri-list`). Empty lines, lines
/// that start with `#` and all other text are skipped; relative paths too, since a window has no meaningful current folder.
/// Existence is checked by the walk, which reports why a path cannot be read.
pub fn parse_pasted_paths(text: &str) -> Vec<PathBuf> {
    let home = std::env::home_dir();
    text.lines().filter_map(|line| parse_line(line, home.as_deref())).collect()
}

fn parse_line(line: &str, home: Option<&Path>) -> Option<PathBuf> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') || line.contains('\0') {
        return None;
    }
    let line = without_quotes(line);
    let path = if let Some(uri) = strip_scheme(line) {
        path_of_uri(uri)?
    } else if let Some(below_home) = line.strip_prefix("~/") {
        home?.join(below_home)
    } else {
        PathBuf::from(line)
    };
    path.is_absolute().then_some(path)
}

fn without_quotes(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}

/// The text after `file:`, in any case.
fn strip_scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_at_checked("file:".len())?;
    (scheme.eq_ignore_ascii_case("file:") && rest.starts_with('/')).then_some(rest)
}

/// The path of a file URI without its scheme: `///a/b`, `//localhost/a/b` or `/a/b`.
fn path_of_uri(uri: &str) -> Option<PathBuf> {
    let path = match uri.strip_prefix("//") {
        None => uri,
        Some(with_host) => {
            let (host, path) = with_host.split_at(with_host.find('/')?);
            if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
                return on_other_host(host, path);
            }
            path
        }
    };
    let bytes = percent_decoded(path);
    if bytes.contains(&0) { None } else { path_from_bytes(bytes) }
}

/// A file on another host has a path (UNC) only on Windows.
fn on_other_host(host: &str, path: &str) -> Option<PathBuf> {
    if !cfg!(windows) {
        return None;
    }
    let path = String::from_utf8(percent_decoded(path)).ok()?.replace('/', "\\");
    Some(PathBuf::from(format!("\\\\{host}{path}")))
}

/// Decodes `%41` to `A`; a percent sign without two hex digits is kept.
fn percent_decoded(text: &str) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.first_chunk::<2>().filter(|_| byte == b'%').and_then(|&[high, low]| {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            Some((digit(high)? * 16 + digit(low)?) as u8)
        });
        decoded.push(digits.unwrap_or(byte));
        rest = if digits.is_some() { &after[2..] } else { after };
    }
    decoded
}

#[cfg(unix)]
fn path_from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path_from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    let text = String::from_utf8(bytes).ok()?;
    // `/C:/photos` starts with a drive.
    let drive = text.strip_prefix('/').filter(|rest| rest.as_bytes().get(1) == Some(&b':'));
    Some(PathBuf::from(drive.unwrap_or(&text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Vec<PathBuf> {
        text.lines().filter_map(|line| parse_line(line, Some(Path::new("/home/anna")))).collect()
    }

    #[cfg(unix)]
    #[test]
    fn every_form_of_a_path_is_parsed() {
        for (text, path) in [
            ("/photos/a.jpg", "/photos/a.jpg"),
            ("  /photos/with space.jpg \r", "/photos/with space.jpg"),
            ("\"/photos/quoted.jpg\"", "/photos/quoted.jpg"),
            ("'/photos/quoted.jpg'", "/photos/quoted.jpg"),
            ("~/a.jpg", "/home/anna/a.jpg"),
            ("file:///photos/a%20b%c3%a9.jpg", "/photos/a bé.jpg"),
            ("FILE:///photos/a.jpg", "/photos/a.jpg"),
            ("file://localhost/photos/a.jpg", "/photos/a.jpg"),
            ("file:/photos/a.jpg", "/photos/a.jpg"),
            ("file:///100%/50%2/%zz%", "/100%/50%2/%zz%"),
            ("/photos/100%25.jpg", "/photos/100%25.jpg"),
            ("\"", ""),
        ] {
            let expected: Vec<PathBuf> = if path.is_empty() { Vec::new() } else { vec![path.into()] };
            assert_eq!(parsed(text), expected, "{text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn invalid_utf8_is_kept() {
        use std::os::unix::ffi::OsStrExt;
        let paths = parsed("file:///a%ff%FEb.jpg");
        assert_eq!(paths[0].as_os_str().as_bytes(), b"/a\xff\xfeb.jpg");
    }

    #[test]
    fn other_text_is_skipped() {
        let text = "\n# a comment\ncopy\nhttps://example.org/a.jpg\nfile://other-host/a.jpg\nno/such/file.jpg\n\
                    file:///a%00b.jpg\nfile://\n\"\"\n''\nfile:\n~anna/x\n";
        if cfg!(unix) {
            assert_eq!(parsed(text), Vec::<PathBuf>::new());
        }
    }

    #[test]
    fn relative_paths_are_skipped_even_if_they_exist() {
        assert_eq!(parsed("Cargo.toml\nsrc\n.\n..\n../../..\n./src"), Vec::<PathBuf>::new());
    }

    #[test]
    fn a_list_keeps_its_order() {
        let list = format!("# list\r\n{0}/b.jpg\r\n\r\n{0}/a.jpg\r\n", env!("CARGO_MANIFEST_DIR"));
        let names: Vec<_> =
            parse_pasted_paths(&list).iter().map(|path| path.file_name().map(ToOwned::to_owned)).collect();
        assert_eq!(names, [Some("b.jpg".into()), Some("a.jpg".into())]);
    }
}
