//! The entries of a journal.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};

use super::StoredPath;

/// One line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Entry {
    /// A run is started or resumed.
    Run(RunEntry),
    /// A file is about to be written.
    Writing(WritingEntry),
    /// A photo is done, and its files are written.
    Photo(Box<PhotoEntry>),
    /// A run has ended regularly.
    End(EndEntry),
}

/// A run is started, or resumed after an interruption.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct RunEntry {
    /// Format version: [`FORMAT`](super::FORMAT).
    pub format: u32,
    /// Version of the program.
    pub program: String,
    /// The run's id, part of the temporary names of its files.
    pub run: String,
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// A hash of the inputs shared by all photos.
    pub settings: String,
    pub runtime: RuntimeEntry,
    /// The output folder, absolute.
    pub output: Option<StoredPath>,
    /// The shard, such as `2/8`; `None` for all photos.
    pub shard: Option<String>,
    /// Number of photos of the run.
    pub photos: usize,
    /// True if it resumes the run of earlier entries.
    pub resumed: bool,
}

/// The requested and the actual runtime.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RuntimeEntry {
    /// The requested runtime.
    pub requested: Option<String>,
    /// The actual runtime; `None` if none was needed.
    pub actual: Option<String>,
}

/// A file is about to be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WritingEntry {
    /// The source photo, absolute; for a file of a package, the output folder.
    pub input: StoredPath,
    #[serde(flatten)]
    pub file: FileEntry,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its path, relative to the output folder.
    pub path: StoredPath,
    /// Its length in bytes.
    pub bytes: u64,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
}

/// The kind of an output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileRole {
    Crop,
    /// The print sheet of a crop.
    Sheet,
}

/// The identity of a photo's file when it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputStamp {
    /// Its path, absolute.
    pub path: StoredPath,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its modification time in nanoseconds since 1970; `None` if the system has none.
    pub modified_ns: Option<u64>,
    /// SHA-256 of its first and last 16 KiB, in hexadecimal.
    pub ends_sha256: String,
}

/// The result of a photo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhotoEntry {
    /// Its index in the list of the run.
    pub index: usize,
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// Its path as given.
    pub name: StoredPath,
    /// The identity of its file; `None` if the file could not be read.
    pub input: Option<InputStamp>,
    /// A hash of everything that determines its output.
    pub settings: String,
    /// The id of its outcome.
    #[serde(deserialize_with = "outcome")]
    pub outcome: String,
    /// Why it failed, or the damage of its file.
    pub reason: Option<String>,
    /// Upright width and height.
    pub size: Option<[u32; 2]>,
    /// The faces that count, as left, top, width, height and score.
    pub faces: Vec<[f64; 5]>,
    /// Crops, in order.
    pub crops: Vec<CropEntry>,
    /// The cells of its row in the name list, each with its heading; recorded only if a package is written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub row: Vec<(String, String)>,
    /// The warnings to review, as text.
    #[serde(alias = "needs_look")]
    pub needs_review: Vec<String>,
    /// Other notes, as text.
    pub notes: Vec<String>,
    pub runtime: RuntimeEntry,
    /// Milliseconds spent in each stage.
    #[serde(deserialize_with = "stages")]
    pub stages_ms: BTreeMap<String, f64>,
}

/// Deserialises an outcome; the ids of format 1 are converted.
fn outcome<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let name = String::deserialize(from)?;
    Ok(match &*name {
        "left_out" => "excluded".to_owned(),
        "done_before" => "already_done".to_owned(),
        _ => name,
    })
}

/// Deserialises the stage times; the ids of format 1 are converted.
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
    /// Left, top, width and height of its frame, in pixels of the upright image.
    pub frame: [i64; 4],
    /// Clockwise rotation of the frame in degrees.
    pub angle_deg: f64,
    /// Width and height of the crop.
    pub output: [u32; 2],
    /// The folder of its output below the output folder, with `/` between levels.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub folder: String,
    /// The paired file that it shows instead of the photo, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paired: Option<StoredPath>,
    /// The id of its preset; recorded only if a package is written.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub preset: String,
    pub files: Vec<(FileRole, FileEntry)>,
}

/// A run has ended regularly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndEntry {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// Number of photos done.
    pub done: usize,
    /// Number of photos of the run.
    pub photos: usize,
    /// True if it was cancelled.
    pub cancelled: bool,
    /// Why it stopped early.
    pub stopped: Option<String>,
}

/// Bytes at each end of a photo that are hashed to detect changes.
const END_BYTES: u64 = 16 << 10;

impl InputStamp {
    /// Reads the stamp of the file at `path`.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
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
    /// True if every photo was done.
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
/// Fails if the file cannot be read.
pub fn file_digest(path: &Path) -> io::Result<String> {
    rest_digest(&mut File::open(path)?)
}

/// SHA-256 of what is left of a file, in hexadecimal.
///
/// # Errors
/// Fails if the file cannot be read.
pub(crate) fn rest_digest(file: &mut File) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut part = vec![0; 256 << 10];
    loop {
        match file.read(&mut part)? {
            0 => return Ok(HEXLOWER.encode(&hash.finalize())),
            read => hash.update(&part[..read]),
        }
    }
}

/// The current time in milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
