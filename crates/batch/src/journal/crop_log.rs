//! The crops that the journals of an output folder record, for its indexes.
//!
//! Only what an index needs is read, line by line: a folder may hold many journals with ten thousands of photos.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::plain_file::check_is_file;
use super::{FORMAT, FileEntry, FileRole, HistoryError, RunEntry, StoredPath, WritingEntry};

/// The photos and package files of several journals.
#[derive(Debug, Default)]
pub(crate) struct CropLog {
    /// Every entry of a photo, oldest first.
    pub(crate) photos: Vec<LoggedPhoto>,
    /// The files written for packages, by their path relative to the output folder, with each content.
    pub(crate) packages: HashMap<StoredPath, Vec<FileEntry>>,
    /// Journals that cannot be read, and why.
    pub(crate) unreadable: Vec<(PathBuf, HistoryError)>,
    /// Number of runs so far.
    runs: usize,
}

/// An entry of a photo.
#[derive(Debug, Deserialize)]
pub(crate) struct LoggedPhoto {
    /// Number of the run or of the resumed part of one, in no particular order.
    #[serde(skip)]
    pub(crate) run: usize,
    pub(crate) index: usize,
    at_ms: u64,
    pub(crate) name: StoredPath,
    input: Option<LoggedInput>,
    pub(crate) outcome: String,
    #[serde(default)]
    pub(crate) row: Vec<(String, String)>,
    pub(crate) crops: Vec<LoggedCrop>,
}

#[derive(Debug, Deserialize)]
struct LoggedInput {
    path: StoredPath,
}

/// A crop of an entry.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct LoggedCrop {
    /// Width and height.
    pub(crate) output: [u32; 2],
    /// The folder of its output, with `/` between levels.
    #[serde(default)]
    pub(crate) folder: String,
    /// The file that it shows instead of the photo, if any.
    pub(crate) paired: Option<StoredPath>,
    #[serde(default)]
    pub(crate) preset: String,
    files: Vec<(FileRole, FileEntry)>,
}

impl LoggedPhoto {
    /// The absolute path of the photo, or its path as given if its file could not be read.
    pub(crate) fn key(&self) -> &StoredPath {
        self.input.as_ref().map_or(&self.name, |input| &input.path)
    }
}

impl LoggedCrop {
    /// The crop and its print sheet.
    pub(crate) fn files(&self) -> impl Iterator<Item = &FileEntry> {
        self.files.iter().map(|(_, file)| file)
    }

    /// The crop itself, without its print sheet.
    pub(crate) fn file(&self) -> Option<&FileEntry> {
        self.files.iter().find(|(role, _)| *role == FileRole::Crop).map(|(_, file)| file)
    }
}

impl CropLog {
    /// Reads `journals`, each once. Those that cannot be read are noted.
    pub(crate) fn read(journals: &BTreeSet<PathBuf>) -> Self {
        let mut log = Self::default();
        for path in journals {
            if let Err(error) = log.add(path) {
                log.unreadable.push((path.clone(), error));
            }
        }
        log.photos.sort_by_key(|photo| photo.at_ms);
        log
    }

    fn add(&mut self, path: &Path) -> Result<(), HistoryError> {
        check_is_file(path)?;
        let mut file = BufReader::new(File::open(path)?);
        let (mut line, mut output) = (Vec::new(), None);
        for number in 1.. {
            line.clear();
            file.read_until(b'\n', &mut line)?;
            // A last line without its end is being written, or was left by a killed process.
            let Some(line) = line.strip_suffix(b"\n") else { break };
            self.apply(line, number, &mut output)?;
        }
        Ok(())
    }

    /// Adds the entry in `line`; `output` is the output folder of the last run.
    fn apply(&mut self, line: &[u8], number: usize, output: &mut Option<StoredPath>) -> Result<(), HistoryError> {
        let wrong = |error| HistoryError::Line { number, error };
        let is = |kind: &[u8]| line.strip_prefix(br#"{"kind":""#).is_some_and(|rest| rest.starts_with(kind));
        if is(b"run\"") {
            let run: RunEntry = serde_json::from_slice(line).map_err(wrong)?;
            if run.format > FORMAT {
                return Err(HistoryError::Later { program: run.program });
            }
            self.runs += 1;
            *output = run.output;
        } else if number == 1 {
            return Err(HistoryError::NoHeader);
        } else if is(b"photo\"") {
            let photo: LoggedPhoto = serde_json::from_slice(line).map_err(wrong)?;
            self.photos.push(LoggedPhoto { run: self.runs, ..photo });
        } else if is(b"writing\"") && output.is_some() {
            let writing: WritingEntry = serde_json::from_slice(line).map_err(wrong)?;
            if Some(&writing.input) == output.as_ref() {
                self.packages.entry(writing.file.path.clone()).or_default().push(writing.file);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::digest;

    const RUN: &str = r#"{"kind":"run","format":2,"program":"0.1.0","run":"a","at_ms":1,"settings":"","runtime":{"requested":null,"actual":null},"output":"/out","shard":null,"photos":1,"resumed":false}"#;

    fn photo(name: &str, at_ms: u64) -> String {
        format!(
            r#"{{"kind":"photo","index":0,"at_ms":{at_ms},"name":"in/{name}","input":{{"path":"/in/{name}","bytes":1,"modified_ns":null,"ends_sha256":""}},"settings":"","outcome":"cropped","reason":null,"size":null,"faces":[],"crops":[{{"face":0,"frame":[0,0,1,1],"angle_deg":0.0,"output":[4,5],"files":[["sheet",{{"path":"s.pdf","bytes":1,"sha256":""}}],["crop",{{"path":"{name}","bytes":9,"sha256":""}}]]}}],"needs_review":[],"notes":[],"runtime":{{"requested":null,"actual":null}},"stages_ms":{{}}}}"#
        )
    }

    fn read(files: &[(&str, String)]) -> CropLog {
        let folder = tempfile::tempdir().expect("created");
        let paths = files.iter().map(|(name, text)| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("written");
            path
        });
        CropLog::read(&paths.collect())
    }

    #[test]
    fn entries_of_several_journals_are_in_the_order_of_time() {
        let sha256 = digest(b"list");
        let writing = |input: &str, path: &str| {
            format!(r#"{{"kind":"writing","input":"{input}","path":"{path}","bytes":4,"sha256":"{sha256}"}}"#)
        };
        let log = read(&[
            (
                "1",
                format!(
                    "{RUN}\n{}\n{}\n{}\n",
                    photo("c.jpg", 7),
                    writing("/in/c.jpg", "c.jpg"),
                    writing("/out", "index.csv")
                ),
            ),
            ("2", format!("{RUN}\n{}\n{RUN}\n{}\n{}", photo("b.jpg", 5), photo("a.jpg", 9), photo("torn.jpg", 9))),
        ]);
        let names: Vec<(&StoredPath, usize)> = log.photos.iter().map(|photo| (photo.key(), photo.run)).collect();
        let text = |name: &str| StoredPath::Text(format!("/in/{name}"));
        assert_eq!(names, [(&text("b.jpg"), 2), (&text("c.jpg"), 1), (&text("a.jpg"), 3)]);
        let crop = &log.photos[0].crops[0];
        assert_eq!((crop.folder.as_str(), crop.output, crop.file().map(|file| file.bytes)), ("", [4, 5], Some(9)));
        let own: Vec<_> = log.packages.iter().map(|(path, files)| (path.clone(), files.len())).collect();
        assert_eq!(own, [(StoredPath::Text("index.csv".to_owned()), 1)]);
        assert!(log.unreadable.is_empty(), "{:?}", log.unreadable);
    }

    #[test]
    fn journals_that_cannot_be_read_are_noted() {
        let later = RUN.replace("\"format\":2", "\"format\":99");
        let log = read(&[
            ("1", format!("{RUN}\n{{\"kind\":\"photo\"}}\n")),
            ("2", "notes\n".to_owned()),
            ("3", format!("{later}\n")),
            ("4", format!("{RUN}\n{}\n", photo("a.jpg", 1))),
            ("5", String::new()),
        ]);
        assert_eq!(log.photos.len(), 1);
        let reasons: Vec<String> = log.unreadable.iter().map(|(_, error)| error.to_string()).collect();
        assert!(reasons[0].starts_with("line 2: ") && reasons[1].contains("run record"), "{reasons:?}");
        assert!(reasons[2].contains("newer version") && reasons.len() == 3, "{reasons:?}");
    }
}
