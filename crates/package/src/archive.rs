//! Zip files.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::time::SystemTime;

use cancel::CancelToken;
use outcome::Moment;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::{Package, PackageCrop};

/// From this length on, an entry needs the larger fields of ZIP64.
const ZIP64_BYTES: u64 = u32::MAX as u64;

/// Bytes copied at a time.
const PART_BYTES: usize = 256 << 10;

/// Writes a zip file with the index, given as name and content, and every crop under its path relative to the index.
///
/// Crops are stored as they are, since image files cannot be compressed further, and copied in parts. ZIP64 is used only if
/// a size or a count needs it.
///
/// # Errors
/// A crop cannot be read, `out` cannot be written, or the work was cancelled.
pub fn write_zip(
    package: &Package,
    index: Option<(&str, &[u8])>,
    out: impl Write + Seek,
    cancel: &CancelToken,
) -> io::Result<()> {
    let mut zip = ZipWriter::new(out);
    if let Some((name, content)) = index {
        zip.start_file(name, options(SystemTime::now(), 0)).map_err(failed)?;
        zip.write_all(content)?;
    }
    let mut part = vec![0; PART_BYTES];
    for crop in &package.crops {
        let copied = copy(crop, &mut zip, &mut part, cancel);
        copied.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", crop.path.display())))?;
    }
    zip.finish().map_err(failed)?;
    Ok(())
}

fn copy(
    crop: &PackageCrop,
    zip: &mut ZipWriter<impl Write + Seek>,
    part: &mut [u8],
    cancel: &CancelToken,
) -> io::Result<()> {
    let mut file = File::open(&crop.path)?;
    let metadata = file.metadata()?;
    let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    zip.start_file(&crop.file, options(modified, metadata.len())).map_err(failed)?;
    loop {
        if cancel.is_cancelled() {
            return Err(io::Error::other("cancelled"));
        }
        match file.read(part)? {
            0 => return Ok(()),
            read => zip.write_all(&part[..read])?,
        }
    }
}

/// Stored, with the time in UTC: zip files have no time zone.
fn options(modified: SystemTime, bytes: u64) -> SimpleFileOptions {
    let Moment { year, month, day, hour, minute, second, .. } = Moment::utc(modified);
    let modified = DateTime::from_date_and_time(year, month, day, hour, minute, second).unwrap_or_default();
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(modified)
        .large_file(bytes >= ZIP64_BYTES)
}

fn failed(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Cursor;

    use zip::ZipArchive;

    use super::*;
    use crate::crop::test_crop;

    fn package(folder: &std::path::Path, files: &[&str]) -> Package {
        let crop = |file: &&str| {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("created");
            fs::write(&path, file.repeat(9)).expect("written");
            PackageCrop { path, ..test_crop(file, &[]) }
        };
        Package { title: "Crops".to_owned(), crops: files.iter().map(crop).collect() }
    }

    #[test]
    fn a_zip_holds_the_index_and_every_crop_uncompressed() {
        let folder = tempfile::tempdir().expect("created");
        let package = package(folder.path(), &["3b/Zoë 王.jpg", "a.png"]);
        let mut out = Cursor::new(Vec::new());
        write_zip(&package, Some(("index.csv", b"list")), &mut out, &CancelToken::new()).expect("written");
        let bytes = out.into_inner();
        let has = |signature: &[u8]| bytes.windows(4).any(|window| window == signature);
        assert!(!has(b"PK\x06\x06"), "no ZIP64 without need");
        assert!(!has(b"PK\x07\x08"), "sizes are at the start of each entry");
        let mut zip = ZipArchive::new(Cursor::new(bytes)).expect("a zip");
        let mut entries = Vec::new();
        for at in 0..zip.len() {
            let mut entry = zip.by_index(at).expect("an entry");
            assert_eq!(entry.compression(), CompressionMethod::Stored);
            assert!(entry.last_modified().is_some_and(|time| time.year() >= 2024), "{:?}", entry.last_modified());
            let mut content = String::new();
            entry.read_to_string(&mut content).expect("text");
            let name = entry.name().expect("Unicode").into_owned();
            entries.push((name, content));
        }
        let wanted = [
            ("index.csv", "list".to_owned()),
            ("3b/Zoë 王.jpg", "3b/Zoë 王.jpg".repeat(9)),
            ("a.png", "a.png".repeat(9)),
        ];
        assert_eq!(entries, wanted.map(|(name, content)| (name.to_owned(), content)));
    }

    #[test]
    fn a_missing_crop_is_named_and_a_cancelled_zip_is_an_error() {
        let folder = tempfile::tempdir().expect("created");
        let package = package(folder.path(), &["a.png", "b.png"]);
        let cancelled = CancelToken::new();
        cancelled.cancel();
        assert!(write_zip(&package, None, Cursor::new(Vec::new()), &cancelled).is_err());
        fs::remove_file(folder.path().join("b.png")).expect("removed");
        let error = write_zip(&package, None, Cursor::new(Vec::new()), &CancelToken::new()).expect_err("gone");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(error.to_string().contains("b.png"), "{error}");
    }
}
