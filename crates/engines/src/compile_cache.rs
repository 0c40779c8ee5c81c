//! The disk cache of graphs compiled by engines: cache keys, and a limit on its size.

use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fmt, fs, io};

use sha2::{Digest, Sha256};

use inference::ModelBytes;

/// Maximum bytes of one engine's cache.
pub(super) const MAX_CACHE_BYTES: u64 = 512 << 20;

/// Cache key of a graph compiled from `model` by a library of version `version`. `options` has everything else that
/// matters, so that another model, library, machine or option has another key.
pub(super) fn key(model: &ModelBytes, version: &str, options: &dyn fmt::Debug) -> String {
    let rest = format!("{options:?} {} {}", std::env::consts::ARCH, processor());
    format!("{}-{version}-{}", digest(model.as_bytes(), 16), digest(rest.as_bytes(), 8))
}

/// Creates `dir` and removes its oldest entries until its size is below `limit` bytes.
///
/// # Errors
/// The folder cannot be created or read.
pub(super) fn trim(dir: &Path, limit: u64) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    let mut kept: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let (size, written) = size_and_age(&path);
        kept.push((written, size, path));
    }
    kept.sort();
    let mut total: u64 = kept.iter().map(|(_, size, _)| size).sum();
    for (_, size, path) in kept {
        if total <= limit {
            break;
        }
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        if removed.is_ok() {
            total -= size;
        }
    }
    Ok(())
}

/// Creates the cache folder `dir` of one provider, trims its siblings, and returns its path as text; `None` on failure.
pub(super) fn make_folder(dir: &Path) -> Option<String> {
    trim(dir.parent()?, MAX_CACHE_BYTES).ok()?;
    fs::create_dir_all(dir).ok()?;
    dir.to_str().map(str::to_owned)
}

/// Removes the folder `dir` and its parent if they are empty.
pub(super) fn remove_if_empty(dir: &Path) {
    for dir in dir.ancestors().take(2) {
        // Fails if the folder is not empty or does not exist, as intended.
        let _ = fs::remove_dir(dir);
    }
}

/// The bytes in `path`, and the last modification of the newest file.
fn size_and_age(path: &Path) -> (u64, SystemTime) {
    let mut open = vec![path.to_owned()];
    let (mut size, mut written) = (0, SystemTime::UNIX_EPOCH);
    while let Some(path) = open.pop() {
        let Ok(about) = fs::symlink_metadata(&path) else { continue };
        if about.is_dir() {
            open.extend(fs::read_dir(&path).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path()));
        } else {
            size += about.len();
            written = written.max(about.modified().unwrap_or(SystemTime::UNIX_EPOCH));
        }
    }
    (size, written)
}

/// The first `length` hexadecimal digits of the SHA-256 hash.
fn digest(bytes: &[u8], length: usize) -> String {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    hex[..length].to_owned()
}

/// The vector instructions of this CPU: compiled graphs are laid out for them.
fn processor() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            return "avx512";
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            return "avx2";
        }
    }
    "plain"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cache_keys_depend_on_model_library_and_options() {
        let (one, other) = (ModelBytes::from_bytes("a", vec![1]), ModelBytes::from_bytes("a", vec![2]));
        let names = [
            key(&one, "1.32.0", &(640, 640)),
            key(&other, "1.32.0", &(640, 640)),
            key(&one, "1.30.0", &(640, 640)),
            key(&one, "1.32.0", &(640, 320)),
        ];
        for (index, name) in names.iter().enumerate() {
            assert!(!names[..index].contains(name), "{name}");
        }
        assert_eq!(names[0], key(&ModelBytes::from_bytes("b", vec![1]), "1.32.0", &(640, 640)));
    }

    #[test]
    fn the_oldest_entry_is_removed_first_and_folders_as_a_whole() {
        let dir = tempfile::tempdir().expect("created");
        let old = dir.path().join("old");
        fs::create_dir(&old).expect("created");
        fs::write(old.join("part"), vec![0; 600]).expect("written");
        let long_ago = SystemTime::now() - std::time::Duration::from_secs(3600);
        fs::File::options()
            .write(true)
            .open(old.join("part"))
            .and_then(|file| file.set_modified(long_ago))
            .expect("dated");
        fs::write(dir.path().join("new"), vec![0; 600]).expect("written");
        trim(dir.path(), 1200).expect("reads");
        assert!(old.exists());
        trim(dir.path(), 1000).expect("reads");
        assert!(!old.exists() && dir.path().join("new").exists());
    }

    #[test]
    fn empty_folders_are_removed_and_used_ones_kept() {
        let cache = tempfile::tempdir().expect("created");
        let [one, other] = ["one", "other"].map(|name| cache.path().join("tensorrt").join(name));
        for dir in [&one, &other] {
            assert_eq!(make_folder(dir).as_deref(), dir.to_str());
        }
        fs::write(other.join("engine"), "compiled").expect("written");
        remove_if_empty(&one);
        remove_if_empty(&other);
        assert!(!one.exists() && other.join("engine").exists());
        fs::remove_file(other.join("engine")).expect("removed");
        remove_if_empty(&other);
        assert_eq!(fs::read_dir(cache.path()).expect("exists").count(), 0);
    }
}
