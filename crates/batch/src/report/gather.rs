//! Merges journals into a report.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::ReportError;
use crate::journal::{FileRole, History, HistoryError, PhotoEntry, StoredPath, read_history};

/// A report on one or more runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The schema version; raised if a field changes its meaning or is removed.
    pub schema: u32,
    /// The totals.
    pub summary: Summary,
    /// All photos: those to review first, then in the order of the runs.
    pub photos: Vec<PhotoRow>,
}

/// The totals of a report.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Summary {
    /// The merged journals.
    pub journals: Vec<String>,
    /// Number of photos in the runs.
    pub photos: usize,
    /// Number of photos done, including failed ones.
    pub done: usize,
    /// Number of photos by outcome.
    pub outcomes: BTreeMap<String, usize>,
    /// Number of photos with warnings.
    pub need_review: usize,
    /// Number of files written.
    pub files: usize,
    /// Their total size in bytes.
    pub bytes: u64,
    /// Number of photos by runtime.
    pub runtimes: BTreeMap<String, usize>,
    /// Duration of the longest run in seconds.
    pub took_s: f64,
    /// Photos per second of all runs together.
    pub photos_per_s: Option<f64>,
    /// Time by stage.
    pub stages: BTreeMap<String, StageTotal>,
    /// Why runs ended early, including killed ones, as text.
    pub ended_early: Vec<String>,
}

/// The time of one stage.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize)]
pub struct StageTotal {
    pub photos: usize,
    /// Total seconds of all threads.
    pub total_s: f64,
    /// Milliseconds per photo.
    pub mean_ms: f64,
}

/// The result of one photo.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhotoRow {
    /// Its path as given.
    pub path: String,
    /// The id of its outcome.
    pub outcome: String,
    /// Why it failed, or the damage of its file.
    pub reason: Option<String>,
    /// The warnings to review.
    pub needs_review: Vec<String>,
    /// Other notes.
    pub notes: Vec<String>,
    /// Upright width and height.
    pub size: Option<[u32; 2]>,
    /// Number of faces that count.
    pub faces: usize,
    /// Files written.
    pub files: Vec<FileRow>,
    /// The runtime used.
    pub runtime: Option<String>,
    /// Total milliseconds of all stages.
    pub total_ms: f64,
}

/// A file written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FileRow {
    /// Its absolute path as text.
    pub path: String,
    /// Its absolute path.
    #[serde(skip)]
    pub at: PathBuf,
    /// True for a print sheet.
    pub sheet: bool,
    /// Its length in bytes.
    pub bytes: u64,
    /// SHA-256 of its content.
    pub sha256: String,
}

impl PhotoRow {
    /// The sort rank: failed, damaged, no face, with warnings, all others.
    pub(super) fn rank(&self) -> u8 {
        match self.outcome.as_str() {
            "failed" => 0,
            "damaged" => 1,
            "no_face" => 2,
            _ if !self.needs_review.is_empty() => 3,
            _ => 4,
        }
    }
}

/// Merges journals, each once. For a photo in several journals, the last one is used.
///
/// # Errors
/// Fails if a journal cannot be read.
pub fn gather(journals: &[PathBuf]) -> Result<Report, ReportError> {
    let mut summary = Summary::default();
    let mut photos: BTreeMap<(usize, usize, StoredPath), PhotoRow> = BTreeMap::new();
    let mut places: BTreeMap<StoredPath, (usize, usize, StoredPath)> = BTreeMap::new();
    let mut stages: BTreeMap<String, StageTotal> = BTreeMap::new();
    let mut seen = HashSet::new();
    for (number, path) in journals.iter().enumerate() {
        if !seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.clone())) {
            continue;
        }
        let failed = |source| ReportError::Journal { path: path.clone(), source };
        let history = read_history(path).map_err(failed)?;
        summary.journals.push(path.display().to_string());
        let Some(run) = history.runs.last() else {
            return Err(failed(HistoryError::Empty));
        };
        // A watched folder has a run for each group of photos, so the count of the last run may be too small.
        summary.photos += run.photos.max(history.photos.len());
        summary.took_s = summary.took_s.max(history.took_ms as f64 / 1e3);
        summary.ended_early.extend(early_end(path, &history));
        let output = run.output.as_ref().and_then(StoredPath::to_path).unwrap_or_default();
        for (key, entry) in &history.photos {
            for (stage, ms) in &entry.stages_ms {
                let total = stages.entry(stage.clone()).or_default();
                (total.photos, total.total_s) = (total.photos + 1, total.total_s + ms / 1e3);
            }
            let place = (number, entry.index, key.clone());
            if let Some(resume) = places.insert(key.clone(), place.clone()) {
                photos.remove(&resume);
            }
            photos.insert(place, row(entry, &output));
        }
    }
    let mut photos: Vec<PhotoRow> = photos.into_values().collect();
    photos.sort_by_key(PhotoRow::rank);
    for row in &photos {
        *summary.outcomes.entry(row.outcome.clone()).or_default() += 1;
        summary.need_review += usize::from(!row.needs_review.is_empty());
        summary.files += row.files.len();
        summary.bytes += row.files.iter().map(|file| file.bytes).sum::<u64>();
        if let Some(runtime) = &row.runtime {
            *summary.runtimes.entry(runtime.clone()).or_default() += 1;
        }
    }
    for total in stages.values_mut() {
        total.mean_ms = rounded(total.total_s * 1e3 / total.photos as f64);
        total.total_s = rounded(total.total_s);
    }
    summary.stages = stages;
    summary.done = photos.len();
    summary.photos_per_s = (summary.took_s > 0.0).then(|| rounded(summary.done as f64 / summary.took_s));
    Ok(Report { schema: 2, summary, photos })
}

fn early_end(path: &Path, history: &History) -> Option<String> {
    let name = path.display();
    match &history.end {
        None => Some(format!("{name}: the run was killed or has not finished yet")),
        Some(end) if end.is_complete() => None,
        Some(end) => {
            let why =
                end.stopped.as_deref().unwrap_or(if end.cancelled { "it was cancelled" } else { "it ended early" });
            Some(format!("{name}: {} of {} photos: {why}", end.done, end.photos))
        }
    }
}

fn row(entry: &PhotoEntry, output: &Path) -> PhotoRow {
    let files = entry.crops.iter().flat_map(|crop| &crop.files).filter_map(|(role, file)| {
        let at = file.path.below(output)?;
        let sheet = *role == FileRole::Sheet;
        Some(FileRow { path: text(&at), at, sheet, bytes: file.bytes, sha256: file.sha256.clone() })
    });
    PhotoRow {
        path: entry.name.to_path().map_or_else(String::new, |path| text(&path)),
        outcome: entry.outcome.clone(),
        reason: entry.reason.clone(),
        needs_review: entry.needs_review.clone(),
        notes: entry.notes.clone(),
        size: entry.size,
        faces: entry.faces.len(),
        files: files.collect(),
        runtime: entry.runtime.actual.clone(),
        total_ms: rounded(entry.stages_ms.values().sum()),
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Rounds to two decimals.
fn rounded(number: f64) -> f64 {
    (number * 1e2).round() / 1e2
}
