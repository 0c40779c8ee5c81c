//! Lists of paths, and a picture that comes in on standard input.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Most bytes of a list of paths: a million of them with room to spare.
const MAX_LIST_BYTES: u64 = 256_000_000;

/// Paths by which a list is told from another file.
const LOOKED_AT: usize = 10;

/// The paths of a list, one a line, or parted by zero bytes where there is one (`find -print0`). Bytes that are no text are
/// kept; empty lines are passed over.
///
/// # Errors
/// It cannot be read, or is longer than any list of photos.
pub fn read_path_list(from: impl Read) -> io::Result<Vec<PathBuf>> {
    let mut bytes = Vec::new();
    from.take(MAX_LIST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_LIST_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is longer than 256 MB"));
    }
    let paths = parse_path_list(&bytes);
    // A picture or another file that is no text comes to pieces that no path is like, and that are not there.
    let is_odd = |path: &PathBuf| {
        path.to_string_lossy().contains(|c: char| c.is_control() && !c.is_ascii_whitespace()) && !path.exists()
    };
    if paths.iter().take(LOOKED_AT).any(is_odd) && !paths.iter().take(LOOKED_AT).any(|path| path.exists()) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is no list of paths; write one path a line"));
    }
    Ok(paths)
}

fn parse_path_list(bytes: &[u8]) -> Vec<PathBuf> {
    // PowerShell writes UTF-16 with a mark; bytes with that mark are no list in another encoding.
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

/// A picture that was read from a stream, in a file of its own until this is dropped: memory stays bounded, and the file goes
/// down the same corridor as any other.
#[derive(Debug)]
pub struct Spooled {
    folder: TempDir,
    photo: PathBuf,
}

impl Spooled {
    /// What the file is called, and a crop of it after it.
    const NAME: &str = "stdin";

    /// A folder without a picture, for what is to be passed on.
    ///
    /// # Errors
    /// The system's folder for passing files cannot be written to.
    pub fn empty() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("iron-cropper-").tempdir()?;
        let photo = folder.path().join(Self::NAME);
        Ok(Self { folder, photo })
    }

    /// Reads `from` to its end.
    ///
    /// # Errors
    /// It cannot be read or kept, or has more than `max_bytes`.
    pub fn read(from: impl Read, max_bytes: u64) -> io::Result<Self> {
        let spooled = Self::empty()?;
        let mut file = File::create_new(&spooled.photo)?;
        let bytes = io::copy(&mut from.take(max_bytes.saturating_add(1)), &mut file)?;
        if bytes > max_bytes {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {max_bytes} bytes")));
        }
        file.flush()?;
        Ok(spooled)
    }

    /// The file.
    pub fn photo(&self) -> &Path {
        &self.photo
    }

    /// A folder that goes away with this.
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
    fn lines_and_zero_bytes_both_part_paths() {
        assert_eq!(parsed(b"a.jpg\nsub/b c.jpg\r\n\n d.jpg"), ["a.jpg", "sub/b c.jpg", " d.jpg"]);
        assert_eq!(parsed(b"a\nb.jpg\0c.jpg\r\0\0"), ["a\nb.jpg", "c.jpg\r"]);
        assert_eq!(parsed(b"\xef\xbb\xbfa.jpg\n"), ["a.jpg"]);
        let utf16: Vec<u8> = "\u{feff}zoë.jpg\r\nb.jpg".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(parsed(&utf16), ["zoë.jpg", "b.jpg"]);
        assert_eq!(parsed(b""), Vec::<String>::new());
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_are_kept() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(read_path_list(&b"a\xff.jpg\n"[..]).expect("read")[0].as_os_str().as_bytes(), b"a\xff.jpg");
    }

    #[test]
    fn another_file_is_no_list_of_paths() {
        for bytes in
            [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01", b"PK\x03\x04\x14\0"]
        {
            let refused = read_path_list(bytes).expect_err("refused").to_string();
            assert!(refused.contains("no list of paths"), "{refused}");
        }
    }

    #[test]
    fn a_stream_is_kept_within_its_limit_and_goes_away() {
        let spooled = Spooled::read(&b"pixels"[..], 6).expect("kept");
        let photo = spooled.photo().to_owned();
        assert_eq!(std::fs::read(&photo).expect("there"), b"pixels");
        drop(spooled);
        assert!(!photo.exists());
        let refused = Spooled::read(&b"pixels"[..], 5).expect_err("too long");
        assert!(refused.to_string().contains("more than 5 bytes"), "{refused}");
    }
}
