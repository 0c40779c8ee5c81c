//! The lines of a journal.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};

use super::StoredPath;

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Entry {
    /// A run begins, or goes on.
    Run(RunEntry),
    /// A file is about to get its name.
    Writing(WritingEntry),
    /// A photo is done: its files are on the disk.
    Photo(Box<PhotoEntry>),
    /// A run has ended by itself.
    End(EndEntry),
}

/// A run begins, or goes on after it was broken off.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct RunEntry {
    /// [`FORMAT`](super::FORMAT).
    pub format: u32,
    /// Version of the program.
    pub program: String,
    /// The run's name, part of the passing names of its files.
    pub run: String,
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// A hash of all that shapes the output and is the same for every photo.
    pub settings: String,
    /// The runtime.
    pub runtime: RuntimeEntry,
    /// The folder crops go to, absolute.
    pub output: Option<StoredPath>,
    /// Which part of the photos, such as `2/8`; `None` for all.
    pub shard: Option<String>,
    /// Photos of the run.
    pub photos: usize,
    /// True where it takes up what earlier lines tell of.
    pub resumed: bool,
}

/// What was asked for and what ran.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RuntimeEntry {
    /// What was asked for.
    pub requested: Option<String>,
    /// What ran; `None` where none was needed.
    pub actual: Option<String>,
}

/// A file is about to get its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WritingEntry {
    /// The photo it is made of, absolute.
    pub input: StoredPath,
    /// The file.
    #[serde(flatten)]
    pub file: FileEntry,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its path from the output folder on.
    pub path: StoredPath,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
}

/// What a file of a crop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileRole {
    /// The crop.
    Crop,
    /// The sheet to print of it.
    Sheet,
}

/// A photo's file as it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputStamp {
    /// The file, absolute.
    pub path: StoredPath,
    /// Its length.
    pub bytes: u64,
    /// Its time of change in nanoseconds since 1970; `None` where the system keeps none.
    pub modified_ns: Option<u64>,
    /// SHA-256 of its first and last 16 KiB, in hexadecimal.
    pub ends_sha256: String,
}

/// What became of a photo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhotoEntry {
    /// Its place in the list of the run, counted from 0.
    pub index: usize,
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// Its path as it was given.
    pub name: StoredPath,
    /// Its file; `None` where it could not be looked at.
    pub input: Option<InputStamp>,
    /// A hash of all that shapes its output.
    pub settings: String,
    /// The name of its outcome.
    #[serde(deserialize_with = "outcome")]
    pub outcome: String,
    /// Why it failed, or what is missing of it.
    pub reason: Option<String>,
    /// Upright width and height.
    pub size: Option<[u32; 2]>,
    /// Faces that count, as left, top, width, height and score.
    pub faces: Vec<[f64; 5]>,
    /// Crops, in order.
    pub crops: Vec<CropEntry>,
    /// What a person should have a look at, in words.
    #[serde(alias = "needs_look")]
    pub needs_review: Vec<String>,
    /// What else a person should know.
    pub notes: Vec<String>,
    /// The runtime.
    pub runtime: RuntimeEntry,
    /// Milliseconds spent in each stage.
    #[serde(deserialize_with = "stages")]
    pub stages_ms: BTreeMap<String, f64>,
}

/// The name of an outcome; those of journals of the first format become today's.
fn outcome<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let name = String::deserialize(from)?;
    Ok(match &*name {
        "left_out" => "excluded".to_owned(),
        "done_before" => "already_done".to_owned(),
        _ => name,
    })
}

/// Milliseconds by stage; the names of journals of the first format become today's.
fn stages<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, f64>, D::Error> {
    let today = |(stage, ms): (String, f64)| match &*stage {
        "fit" => ("preprocess".to_owned(), ms),
        "run" => ("inference".to_owned(), ms),
        "heads" => ("postprocess".to_owned(), ms),
        _ => (stage, ms),
    };
    Ok(BTreeMap::<String, f64>::deserialize(from)?.into_iter().map(today).collect())
}

/// A crop of a photo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CropEntry {
    /// Index of its face.
    pub face: usize,
    /// Left, top, width and height of its frame, in pixels of the upright picture.
    pub frame: [i64; 4],
    /// Degrees that the frame is turned clockwise.
    pub angle_deg: f64,
    /// Width and height of the crop.
    pub output: [u32; 2],
    /// Its files.
    pub files: Vec<(FileRole, FileEntry)>,
}

/// A run has ended by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndEntry {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// Photos done.
    pub done: usize,
    /// Photos of the run.
    pub photos: usize,
    /// True where a person ended it early.
    pub cancelled: bool,
    /// Why it ended early by itself.
    pub stopped: Option<String>,
}

/// Bytes at each end of a photo that tell whether it is still the same.
const END_BYTES: u64 = 16 << 10;

impl InputStamp {
    /// The stamp of the file at `path`.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let bytes = metadata.len();
        let modified = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let mut file = File::open(path)?;
        let mut ends = Vec::new();
        file.by_ref().take(END_BYTES).read_to_end(&mut ends)?;
        if bytes > END_BYTES {
            file.seek(SeekFrom::Start(bytes.saturating_sub(END_BYTES).max(END_BYTES)))?;
            file.take(END_BYTES).read_to_end(&mut ends)?;
        }
        Ok(Self {
            path: StoredPath::of(&std::path::absolute(path)?),
            bytes,
            modified_ns: modified.and_then(|since| u64::try_from(since.as_nanos()).ok()),
            ends_sha256: digest(&ends),
        })
    }
}

impl PhotoEntry {
    /// The files of all its crops.
    pub fn files(&self) -> impl Iterator<Item = &FileEntry> {
        self.crops.iter().flat_map(|crop| crop.files.iter().map(|(_, file)| file))
    }
}

impl EndEntry {
    /// True where every photo was done.
    pub fn is_complete(&self) -> bool {
        self.done == self.photos && self.stopped.is_none()
    }
}

/// SHA-256 of `bytes` in hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// SHA-256 of a file's content in hexadecimal.
///
/// # Errors
/// It cannot be read.
pub fn file_digest(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut file = File::open(path)?;
    let mut part = vec![0; 256 << 10];
    loop {
        match file.read(&mut part)? {
            0 => return Ok(HEXLOWER.encode(&hash.finalize())),
            read => hash.update(&part[..read]),
        }
    }
}

/// Now, in milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
