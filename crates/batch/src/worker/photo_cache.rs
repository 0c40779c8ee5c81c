//! A folder of files about photos, one for each photo and settings, limited in size.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};

/// The folder. Each file is named by a hash of its photo's path, length and modification time, and of the settings.
#[derive(Clone, Debug)]
pub(super) struct PhotoCache {
    folder: PathBuf,
    /// End of the names of all files, so that no other file in the folder is ever removed.
    suffix: &'static str,
    /// Bytes that may be added before the folder is scanned again.
    free_bytes: u64,
    max_bytes: u64,
}

impl PhotoCache {
    /// The cache in `folder`, which need not exist, with files of at most `max_bytes` in total.
    pub(super) fn new(folder: PathBuf, suffix: &'static str, max_bytes: u64) -> Self {
        Self { folder, suffix, free_bytes: 0, max_bytes }
    }

    /// The file about `photo` and `settings`, which need not exist; `None` if the photo's metadata cannot be read.
    pub(super) fn path_for(&self, photo: &Path, settings: &str) -> Option<PathBuf> {
        let path = std::path::absolute(photo).ok()?;
        let stamp = format!("\0{} {settings}", stamp(photo)?);
        let mut digest = Sha256::new();
        digest.update(path.as_os_str().as_encoded_bytes());
        digest.update(stamp.as_bytes());
        let name = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        Some(self.folder.join(name + self.suffix))
    }

    /// Writes `bytes` to `path` atomically; only the user can read the file. A failure is only logged, since the content can
    /// be made again.
    pub(super) fn write(&mut self, path: &Path, bytes: &[u8]) {
        let length = bytes.len() as u64;
        if self.free_bytes < length {
            self.free_bytes = self.prune();
        }
        if let Err(error) = self.write_new(path, bytes) {
            tracing::debug!(%error, "a photo was not cached");
        }
        self.free_bytes = self.free_bytes.saturating_sub(length);
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let mut part = tempfile::Builder::new().prefix(".part-").tempfile_in(&self.folder)?;
        part.write_all(bytes)?;
        part.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    /// Removes the oldest files if the cache is nearly full; returns the bytes that may be added.
    fn prune(&self) -> u64 {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
            .filter(|entry| entry.file_name().to_string_lossy().ends_with(self.suffix))
            .filter_map(|entry| {
                let metadata = entry.metadata().ok()?;
                Some((metadata.modified().unwrap_or(UNIX_EPOCH), metadata.len(), entry.path()))
            })
            .collect();
        files.sort_unstable();
        let mut bytes: u64 = files.iter().map(|(_, length, _)| length).sum();
        if bytes > self.max_bytes * 9 / 10 {
            for (_, length, path) in files {
                if bytes <= self.max_bytes / 2 {
                    break;
                }
                if fs::remove_file(path).is_ok() {
                    bytes -= length;
                }
            }
        }
        self.max_bytes.saturating_sub(bytes)
    }
}

/// Length and modification time (nanoseconds since 1970) of a file, as text; `None` if they cannot be read.
pub(super) fn stamp(path: &Path) -> Option<String> {
    let metadata = fs::metadata(path).ok()?;
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    Some(format!("{} {}", metadata.len(), changed.unwrap_or_default().as_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_stays_within_its_limit_and_other_files_are_kept() {
        let folder = tempfile::tempdir().expect("created");
        let mut cache = PhotoCache::new(folder.path().join("cache"), ".thing", 6_000);
        let other = cache.folder.join("the user's file");
        fs::create_dir_all(&cache.folder).expect("created");
        fs::write(&other, vec![0; 9_000]).expect("written");
        let photo = folder.path().join("photo.jpg");
        fs::write(&photo, b"photo").expect("written");
        let path = |cache: &PhotoCache, number: usize| cache.path_for(&photo, &number.to_string()).expect("a photo");
        for number in 0..40 {
            let path = path(&cache, number);
            cache.write(&path, &[0; 400]);
        }
        let files = fs::read_dir(&cache.folder).expect("exists").flatten().filter(|entry| entry.path() != other);
        let lengths: Vec<u64> = files.map(|entry| entry.metadata().expect("exists").len()).collect();
        assert!(!lengths.is_empty() && lengths.iter().sum::<u64>() <= 6_000, "{lengths:?}");
        assert!(other.exists());
        assert!(path(&cache, 39).exists(), "the newest is kept");
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_can_read_the_files() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("created");
        let photo = folder.path().join("photo.jpg");
        fs::write(&photo, b"photo").expect("written");
        let mut cache = PhotoCache::new(folder.path().join("cache"), ".thing", 6_000);
        let path = cache.path_for(&photo, "").expect("a photo");
        cache.write(&path, b"faces");
        assert_eq!(fs::metadata(&path).expect("written").permissions().mode() & 0o077, 0);
    }
}
