//! Path lists, and an image from standard input.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Maximum size of a path list: ample for a million paths.
const MAX_LIST_BYTES: u64 = 256_000_000;

/// Number of paths that are checked to detect a file that is no path list.
const CHECKED_PATHS: usize = 10;

/// Reads a path list: one path per line, or separated by NUL bytes if there are any (`find -print0`). Invalid UTF-8 is kept
/// on Unix; empty lines are skipped.
///
/// # Errors
/// Fails if the list cannot be read, is larger than 256 MB, or is no list of paths.
pub fn read_path_list(from: impl Read) -> io::Result<Vec<PathBuf>> {
    let mut bytes = Vec::new();
    from.take(MAX_LIST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_LIST_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 256 MB"));
    }
    let paths = parse_path_list(&bytes);
    // A binary file yields paths with control characters that do not exist.
    let is_odd = |path: &PathBuf| {
        path.to_string_lossy().contains(|c: char| c.is_control() && !c.is_ascii_whitespace()) && !path.exists()
    };
    if paths.iter().take(CHECKED_PATHS).any(is_odd) && !paths.iter().take(CHECKED_PATHS).any(|path| path.exists()) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is not a list of paths; write one path per line"));
    }
    Ok(paths)
}

fn parse_path_list(bytes: &[u8]) -> Vec<PathBuf> {
    // PowerShell writes UTF-16 with a byte order mark.
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        parse_path_list(String::from_utf16_lossy(&units).as_bytes())
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => return utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => return utf16(rest, u16::from_be_bytes),
        _ => {}
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let entries: Vec<&[u8]> = if bytes.contains(&0) {
        bytes.split(|byte| *byte == 0).collect()
    } else {
        bytes.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect()
    };
    entries.into_iter().filter(|entry| !entry.is_empty()).map(to_path).collect()
}

#[cfg(unix)]
fn to_path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn to_path(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// An image read from a stream into a temporary file, which is deleted on drop: memory use stays bounded, and the file goes
/// through the same pipeline as any other.
#[derive(Debug)]
pub struct Spooled {
    folder: TempDir,
    photo: PathBuf,
}

impl Spooled {
    /// The file's name, and so the stem of its crops.
    const NAME: &str = "stdin";

    /// A temporary folder without an image, for output that is passed on.
    ///
    /// # Errors
    /// Fails if the system's temporary folder is not writable.
    pub fn empty() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("iron-cropper-").tempdir()?;
        let photo = folder.path().join(Self::NAME);
        Ok(Self { folder, photo })
    }

    /// Reads `from` to its end into a temporary file.
    ///
    /// # Errors
    /// Fails if it cannot be read or stored, or has more than `max_bytes`.
    pub fn read(from: impl Read, max_bytes: u64) -> io::Result<Self> {
        let spooled = Self::empty()?;
        let mut file = File::create_new(&spooled.photo)?;
        let bytes = io::copy(&mut from.take(max_bytes.saturating_add(1)), &mut file)?;
        if bytes > max_bytes {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {max_bytes} bytes")));
        }
        file.flush()?;
        Ok(spooled)
    }

    /// Path of the temporary file.
    pub fn photo(&self) -> &Path {
        &self.photo
    }

    /// The temporary folder, deleted on drop.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(bytes: &[u8]) -> Vec<String> {
        let paths = read_path_list(bytes).expect("read");
        paths.iter().map(|path| path.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn paths_are_separated_by_lines_or_nul_bytes() {
        assert_eq!(parsed(b"a.jpg\nsub/b c.jpg\r\n\n d.jpg"), ["a.jpg", "sub/b c.jpg", " d.jpg"]);
        assert_eq!(parsed(b"a\nb.jpg\0c.jpg\r\0\0"), ["a\nb.jpg", "c.jpg\r"]);
        assert_eq!(parsed(b"\xef\xbb\xbfa.jpg\n"), ["a.jpg"]);
        let utf16: Vec<u8> = "\u{feff}zoë.jpg\r\nb.jpg".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(parsed(&utf16), ["zoë.jpg", "b.jpg"]);
        assert_eq!(parsed(b""), Vec::<String>::new());
    }

    #[cfg(unix)]
    #[test]
    fn invalid_utf8_is_kept() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(read_path_list(&b"a\xff.jpg\n"[..]).expect("read")[0].as_os_str().as_bytes(), b"a\xff.jpg");
    }

    #[test]
    fn a_binary_file_is_rejected() {
        for bytes in
            [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01", b"PK\x03\x04\x14\0"]
        {
            let refused = read_path_list(bytes).expect_err("refused").to_string();
            assert!(refused.contains("not a list of paths"), "{refused}");
        }
    }

    #[test]
    fn a_spooled_stream_is_size_limited_and_deleted_on_drop() {
        let spooled = Spooled::read(&b"pixels"[..], 6).expect("kept");
        let photo = spooled.photo().to_owned();
        assert_eq!(std::fs::read(&photo).expect("exists"), b"pixels");
        drop(spooled);
        assert!(!photo.exists());
        let refused = Spooled::read(&b"pixels"[..], 5).expect_err("too long");
        assert!(refused.to_string().contains("larger than 5 bytes"), "{refused}");
    }
}
