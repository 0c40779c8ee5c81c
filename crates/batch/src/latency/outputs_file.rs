//! A run's outputs in a file: how a child process hands them to its parent.
//!
//! Little-endian throughout: the mark, the number of outputs, then for each its name's length, its name and the number
//! of its values (lengths and numbers in 32 bits), then all values as 32-bit floats in the same order.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use tempfile::TempPath;

use inference::Outputs;

const MARK: &[u8; 8] = b"IRONOUT1";
/// More outputs than any detector has; a longer list is a broken file.
const MAX_OUTPUTS: u32 = 1024;
/// Most bytes of a file: 64 million values.
const MAX_BYTES: u64 = 256 << 20;
/// How the names of such files begin.
const PREFIX: &str = ".outputs-";
/// No runtime is tried that long: an older file was left behind by a process that was killed.
const ABANDONED_AFTER: Duration = Duration::from_secs(60 * 60);

/// A file for the outputs of one runtime, removed when it is dropped: in the cache folder, where [`clear_abandoned`]
/// finds what a killed process left, or with the system's temporary files where nothing is kept.
pub(super) fn place(cache_dir: Option<&Path>) -> io::Result<TempPath> {
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

/// Removes what processes that were killed left in the cache folder.
pub(super) fn clear_abandoned(cache_dir: &Path) {
    let now = SystemTime::now();
    for entry in fs::read_dir(cache_dir).into_iter().flatten().flatten() {
        let age = || now.duration_since(entry.metadata().ok()?.modified().ok()?).ok();
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if is_ours && age().is_some_and(|age| age > ABANDONED_AFTER) {
            // What cannot be removed now is found again the next time.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes `outputs` to a file at `path`.
pub(super) fn write(path: &Path, outputs: &Outputs) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(MARK)?;
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

/// Reads a file written by [`write`]; shapes are not kept.
pub(super) fn read(path: &Path) -> io::Result<Outputs> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
    parse(&bytes).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the file of outputs is broken"))
}

fn parse(bytes: &[u8]) -> Option<Outputs> {
    let mut rest = bytes.strip_prefix(MARK)?;
    let count = number(&mut rest)?;
    let mut heads = Vec::new();
    for _ in 0..(count <= MAX_OUTPUTS).then_some(count)? {
        let name_length = number(&mut rest)? as usize;
        let name = String::from_utf8(take(&mut rest, name_length)?.to_vec()).ok()?;
        heads.push((name, number(&mut rest)? as usize));
    }
    let mut outputs = Outputs::new();
    for (index, (name, length)) in heads.into_iter().enumerate() {
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
    fn outputs_come_back_and_every_cut_is_reported() {
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
        let bytes = fs::read(&path).expect("there");
        assert!((0..bytes.len()).all(|cut| parse(&bytes[..cut]).is_none()));
        assert!(parse(&[bytes.as_slice(), b"more"].concat()).is_none());
    }

    #[test]
    fn what_a_killed_process_left_is_cleared_and_what_is_in_use_is_not() {
        let folder = tempfile::tempdir().expect("folder");
        let cache = folder.path().join("cache");
        let [killed, at_work] = [(); 2].map(|()| place(Some(&cache)).expect("made"));
        assert!(killed.starts_with(&cache), "{}", killed.display());
        let long_ago = SystemTime::now() - ABANDONED_AFTER * 2;
        let set_back =
            |path: &Path| File::options().write(true).open(path).and_then(|file| file.set_modified(long_ago));
        set_back(&killed).expect("dated");
        let other = cache.join("runtimes.json");
        fs::write(&other, "{}").and_then(|()| set_back(&other)).expect("written");
        clear_abandoned(&cache);
        assert!(!killed.exists() && at_work.exists() && other.exists());
        drop(at_work);
        assert_eq!(fs::read_dir(&cache).expect("there").count(), 1, "one that is not killed leaves nothing");
    }

    #[test]
    fn without_a_cache_the_systems_folder_serves() {
        let folder = tempfile::tempdir().expect("folder");
        let no_folder = folder.path().join("file");
        fs::write(&no_folder, "").expect("written");
        for cache in [None, Some(no_folder.as_path())] {
            assert!(place(cache).expect("made").starts_with(std::env::temp_dir()));
        }
    }
}
