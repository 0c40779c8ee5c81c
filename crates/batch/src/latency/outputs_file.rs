//! The file format in which a child process passes the outputs of a run to its parent.
//!
//! Little-endian: the magic number, the number of outputs, then for each output the length of its name, its name and the
//! number of its values (lengths and counts in 32 bits), then all values as 32-bit floats in the same order.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use tempfile::TempPath;

use inference::Outputs;

const MAGIC: &[u8; 8] = b"IRONOUT1";
/// More outputs than any detector has; a larger number means a broken file.
const MAX_OUTPUTS: u32 = 1024;
/// Maximum size of a file in bytes: 64 million values.
const MAX_BYTES: u64 = 256 << 20;
/// Prefix of the file names.
const PREFIX: &str = ".outputs-";
/// Longer than any test: an older file was left behind by a killed process.
const ABANDONED_AFTER: Duration = Duration::from_secs(60 * 60);

/// Creates a file for the outputs of one runtime, removed on drop: in the cache folder, where [`clear_abandoned`] finds
/// files left by killed processes, or in the system's temporary folder if there is no cache folder.
pub(super) fn create(cache_dir: Option<&Path>) -> io::Result<TempPath> {
    let kept = cache_dir.and_then(|folder| {
        fs::create_dir_all(folder).ok()?;
        tempfile::Builder::new().prefix(PREFIX).tempfile_in(folder).ok()
    });
    let file = match kept {
        Some(file) => file,
        None => tempfile::Builder::new().prefix("iron-cropper-outputs-").tempfile()?,
    };
    Ok(file.into_temp_path())
}

/// Removes files that killed processes have left in the cache folder.
pub(super) fn clear_abandoned(cache_dir: &Path) {
    let now = SystemTime::now();
    for entry in fs::read_dir(cache_dir).into_iter().flatten().flatten() {
        let age = || now.duration_since(entry.metadata().ok()?.modified().ok()?).ok();
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if is_ours && age().is_some_and(|age| age > ABANDONED_AFTER) {
            // A file that cannot be removed now is found again next time.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes `outputs` to a file at `path`.
pub(super) fn write(path: &Path, outputs: &Outputs) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(MAGIC)?;
    file.write_all(&length(outputs.iter().count())?)?;
    for output in outputs.iter() {
        file.write_all(&length(output.name.len())?)?;
        file.write_all(output.name.as_bytes())?;
        file.write_all(&length(output.values.len())?)?;
    }
    for output in outputs.iter() {
        for value in &output.values {
            file.write_all(&value.to_le_bytes())?;
        }
    }
    file.flush()
}

/// Reads a file written by [`write`]; shapes are not stored.
pub(super) fn read(path: &Path) -> io::Result<Outputs> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
    parse(&bytes).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the output file is corrupt"))
}

fn parse(bytes: &[u8]) -> Option<Outputs> {
    let mut rest = bytes.strip_prefix(MAGIC)?;
    let count = number(&mut rest)?;
    let mut headers = Vec::new();
    for _ in 0..(count <= MAX_OUTPUTS).then_some(count)? {
        let name_length = number(&mut rest)? as usize;
        let name = String::from_utf8(take(&mut rest, name_length)?.to_vec()).ok()?;
        headers.push((name, number(&mut rest)? as usize));
    }
    let mut outputs = Outputs::new();
    for (index, (name, length)) in headers.into_iter().enumerate() {
        let (values, _) = take(&mut rest, length.checked_mul(4)?)?.as_chunks::<4>();
        outputs.set(index, &name, &[length], values.iter().map(|value| f32::from_le_bytes(*value)));
    }
    rest.is_empty().then_some(outputs)
}

fn take<'b>(rest: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (taken, left) = rest.split_at_checked(length)?;
    *rest = left;
    Some(taken)
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(*take(rest, 4)?.first_chunk()?))
}

fn length(length: usize) -> io::Result<[u8; 4]> {
    let length = u32::try_from(length).map_err(|_| io::Error::other("an output is too long"))?;
    Ok(length.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_round_trip_and_every_truncation_is_an_error() {
        let mut outputs = Outputs::new();
        outputs.set(0, "cls_8", &[1, 3, 1], [0.5, -1.0, f32::MAX]);
        outputs.set(1, "größe", &[0], []);
        outputs.set(2, "kps", &[1], [7.25]);
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("outputs");
        write(&path, &outputs).expect("written");
        let back = read(&path).expect("read");
        for (output, wanted) in back.iter().zip(outputs.iter()) {
            assert_eq!((&output.name, &output.values), (&wanted.name, &wanted.values));
        }
        assert_eq!(back.iter().count(), 3);
        let bytes = fs::read(&path).expect("exists");
        assert!((0..bytes.len()).all(|cut| parse(&bytes[..cut]).is_none()));
        assert!(parse(&[bytes.as_slice(), b"more"].concat()).is_none());
    }

    #[test]
    fn files_of_killed_processes_are_removed_and_files_in_use_are_not() {
        let folder = tempfile::tempdir().expect("folder");
        let cache = folder.path().join("cache");
        let [killed, in_use] = [(); 2].map(|()| create(Some(&cache)).expect("created"));
        assert!(killed.starts_with(&cache), "{}", killed.display());
        let long_ago = SystemTime::now() - ABANDONED_AFTER * 2;
        let set_back =
            |path: &Path| File::options().write(true).open(path).and_then(|file| file.set_modified(long_ago));
        set_back(&killed).expect("dated");
        let other = cache.join("runtimes.json");
        fs::write(&other, "{}").and_then(|()| set_back(&other)).expect("written");
        clear_abandoned(&cache);
        assert!(!killed.exists() && in_use.exists() && other.exists());
        drop(in_use);
        assert_eq!(fs::read_dir(&cache).expect("exists").count(), 1, "a regular end leaves no file");
    }

    #[test]
    fn without_a_cache_the_temporary_folder_is_used() {
        let folder = tempfile::tempdir().expect("folder");
        let no_folder = folder.path().join("file");
        fs::write(&no_folder, "").expect("written");
        for cache in [None, Some(no_folder.as_path())] {
            assert!(create(cache).expect("created").starts_with(std::env::temp_dir()));
        }
    }
}
