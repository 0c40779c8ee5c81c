//! Locations and names of journals, and shards.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{fmt, fs};

use sha2::{Digest, Sha256};

/// The folder of journals in an output folder. It is hidden, so that folder walks skip it.
const FOLDER: &str = ".iron-cropper";

/// Larger numbers in file names are ignored, so that the next number never overflows.
const MAX_NUMBER: u32 = 1_000_000_000;

/// The location of a run's journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JournalPlace {
    /// In the output folder, under the next number.
    Beside {
        /// The shard of the run; each shard has its own journals.
        shard: Option<Shard>,
    },
    /// At this path.
    File(PathBuf),
}

/// A part of the photos, for one of several machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the shard, from 1.
    pub number: u32,
    /// Number of shards.
    pub count: u32,
}

impl Shard {
    /// True if the photo at `path`, relative to its root folder, belongs to this shard.
    ///
    /// Depends only on the text of the path with `/` as separator, so it is the same on every machine and does not depend
    /// on the mount point or on other photos.
    pub fn holds(self, path: &Path) -> bool {
        let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        let hash = Sha256::digest(parts.join("/").as_bytes());
        let start = hash.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        start % u64::from(self.count.max(1)) == u64::from(self.number.saturating_sub(1))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || format!("'{text}' is not a shard; write K/N with K from 1 to N, for example 2/8");
        let (number, count) = text.split_once('/').ok_or_else(wrong)?;
        let whole = |text: &str| text.trim().parse::<u32>().ok().filter(|number| *number > 0);
        let (number, count) = whole(number).zip(whole(count)).ok_or_else(wrong)?;
        if number > count { Err(wrong()) } else { Ok(Self { number, count }) }
    }
}

impl JournalPlace {
    /// The folder of the numbered journals of the output folder `output`, and the prefix of their names.
    fn series(output: &Path, shard: Option<Shard>) -> (PathBuf, String) {
        let part = shard.map_or_else(String::new, |shard| format!("{}of{}-", shard.number, shard.count));
        (output.join(FOLDER), format!("journal-{part}"))
    }
}

/// The latest journal in the output folder, of the whole run or of a shard.
pub fn find_latest(output: &Path, shard: Option<Shard>) -> Option<PathBuf> {
    let (folder, start) = JournalPlace::series(output, shard);
    let latest = numbers(&folder, &start).max()?;
    Some(folder.join(format!("{start}{latest}.jsonl")))
}

/// All journals in the output folder, of the whole run or of a shard, most recent first.
pub fn find_all(output: &Path, shard: Option<Shard>) -> Vec<PathBuf> {
    let (folder, start) = JournalPlace::series(output, shard);
    let mut found: Vec<u32> = numbers(&folder, &start).collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    found.into_iter().map(|number| folder.join(format!("{start}{number}.jsonl"))).collect()
}

/// The journals in the output folder, of the whole run and of all shards, in no particular order.
pub(crate) fn find_of_all_shards(output: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(output.join(FOLDER)).into_iter().flatten().flatten();
    let is_journal = |name: &str| name.starts_with("journal-") && name.ends_with(".jsonl");
    entries.filter(|entry| entry.file_name().to_str().is_some_and(is_journal)).map(|entry| entry.path()).collect()
}

/// The path for the next journal.
pub(super) fn next_path(output: &Path, shard: Option<Shard>) -> PathBuf {
    let (folder, start) = JournalPlace::series(output, shard);
    let next = numbers(&folder, &start).max().unwrap_or(0).saturating_add(1);
    folder.join(format!("{start}{next}.jsonl"))
}

fn numbers(folder: &Path, start: &str) -> impl Iterator<Item = u32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(move |entry| {
        let name = entry.file_name().into_string().ok()?;
        let number = name.strip_prefix(start)?.strip_suffix(".jsonl")?.parse().ok();
        number.filter(|number| *number < MAX_NUMBER)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_disjoint_and_cover_all_photos() {
        let paths: Vec<PathBuf> = (0..1000).map(|number| format!("class {}/{number}.jpg", number % 7).into()).collect();
        for count in [1, 2, 8] {
            let mut sizes = Vec::new();
            for number in 1..=count {
                sizes.push(paths.iter().filter(|path| Shard { number, count }.holds(path)).count());
            }
            assert_eq!(sizes.iter().sum::<usize>(), 1000);
            let fair = 1000 / count as usize;
            assert!(sizes.iter().all(|size| size.abs_diff(fair) < fair / 4 + 1), "{sizes:?}");
        }
        // Independently computed: the first eight bytes of SHA-256, modulo N.
        assert!(
            Shard { number: 1, count: 3 }.holds(Path::new("a/b.jpg")) == 0x4a51_6362_46e7_c418_u64.is_multiple_of(3)
        );
    }

    #[test]
    fn shards_are_written_as_fractions() {
        assert_eq!("2/8".parse(), Ok(Shard { number: 2, count: 8 }));
        assert_eq!(Shard { number: 2, count: 8 }.to_string(), "2/8");
        for wrong in ["", "2", "0/8", "9/8", "a/b", "-1/2", "1/0", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn journals_are_numbered_separately_for_each_shard() {
        let out = tempfile::tempdir().expect("folder");
        let part = Some(Shard { number: 2, count: 8 });
        assert_eq!(find_latest(out.path(), None), None);
        let folder = out.path().join(FOLDER);
        fs::create_dir(&folder).expect("created");
        for name in ["journal-2.jsonl", "journal-10.jsonl", "journal-2of8-3.jsonl", "journal-x.jsonl", "notes"] {
            fs::write(folder.join(name), "").expect("created");
        }
        assert_eq!(find_latest(out.path(), None), Some(folder.join("journal-10.jsonl")));
        assert_eq!(next_path(out.path(), None), folder.join("journal-11.jsonl"));
        assert_eq!(find_all(out.path(), None), [10, 2].map(|number| folder.join(format!("journal-{number}.jsonl"))));
        assert_eq!(find_latest(out.path(), part), Some(folder.join("journal-2of8-3.jsonl")));
        assert_eq!(find_of_all_shards(out.path()).len(), 4);
        assert_eq!(next_path(out.path(), Some(Shard { number: 1, count: 8 })), folder.join("journal-1of8-1.jsonl"));
    }
}
