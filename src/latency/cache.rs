//! What was measured before: kept in the cache folder, good only for the same program, model, library and machine.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::backend::{
    BackendKind, LibrarySearch, ModelBytes, RuntimeOptions, RuntimeReport, RuntimeState, is_included,
};

const FILE_NAME: &str = "runtimes.json";
/// Raised when the file's form changes; others are passed over.
const SCHEMA: u32 = 1;
/// How many sets of options and models are remembered.
const MOST_ENTRIES: usize = 8;

/// All that a measurement depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CacheKey {
    program: String,
    model_sha256: String,
    library: LibraryStamp,
    machine: Machine,
    options: RuntimeOptions,
}

/// Which library was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LibraryStamp {
    /// This one, with the bytes and the times of change (nanoseconds since 1970) of it and of the parts beside it that
    /// it loads by itself.
    File { path: PathBuf, parts: Vec<(String, u64, u64)> },
    /// None, in the search's words.
    None(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Machine {
    arch: String,
    os: String,
    processor: String,
    threads: usize,
}

#[derive(Debug, Serialize, Deserialize)]
struct CacheFile {
    schema: u32,
    entries: Vec<Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    key: CacheKey,
    /// True where every runtime was tried.
    whole: bool,
    reports: Vec<RuntimeReport>,
}

impl CacheKey {
    /// The key of what is measured with `model`, `options` and the library of `search` on this machine.
    pub(super) fn new(model: &ModelBytes, options: &RuntimeOptions, search: &LibrarySearch) -> Self {
        let digest = Sha256::digest(model.as_bytes());
        // A build with candle tries one runtime more: what a build without it kept is not the whole table.
        let more = if is_included(BackendKind::Candle) { "+candle" } else { "" };
        Self {
            program: format!("{}{more}", env!("CARGO_PKG_VERSION")),
            model_sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
            library: LibraryStamp::of(search),
            machine: Machine::this(),
            options: options.clone(),
        }
    }
}

impl LibraryStamp {
    fn of(search: &LibrarySearch) -> Self {
        let path = match search.require() {
            Ok(path) => path,
            Err(error) => return Self::None(error.to_string()),
        };
        let mut parts: Vec<(String, u64, u64)> = path
            .parent()
            .and_then(|folder| fs::read_dir(folder).ok())
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| part(&entry.file_name().to_string_lossy(), &entry.path()))
            .collect();
        parts.sort();
        Self::File { path: path.to_owned(), parts }
    }
}

/// A file that belongs to the library: ONNX Runtime's own, or OpenVINO's and its TBB.
fn part(name: &str, path: &Path) -> Option<(String, u64, u64)> {
    let stem = name.strip_prefix("lib").unwrap_or(name);
    if !["onnxruntime", "openvino", "tbb", "DirectML"].iter().any(|start| stem.starts_with(start)) {
        return None;
    }
    let metadata = fs::metadata(path).ok()?;
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Some((name.to_owned(), metadata.len(), u64::try_from(changed.as_nanos()).unwrap_or(u64::MAX)))
}

impl Machine {
    fn this() -> Self {
        Self {
            arch: std::env::consts::ARCH.to_owned(),
            os: std::env::consts::OS.to_owned(),
            processor: processor().unwrap_or_default(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// The processor's name as Linux or Windows tells it.
fn processor() -> Option<String> {
    let from_linux = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    from_linux.or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok())
}

/// Every runtime as it was tried under `key`; `None` where that was not done.
pub(super) fn load_table(folder: &Path, key: &CacheKey) -> Option<Vec<RuntimeReport>> {
    let entry = read(folder)?.entries.into_iter().find(|entry| entry.key == *key)?;
    entry.whole.then_some(entry.reports)
}

/// True where `kind` was found ready under `key`.
pub(super) fn is_known_good(folder: &Path, key: &CacheKey, kind: BackendKind) -> bool {
    let entries = read(folder).map(|file| file.entries).unwrap_or_default();
    let mut reports = entries.into_iter().filter(|entry| entry.key == *key).flat_map(|entry| entry.reports);
    reports.any(|report| report.kind == kind && report.state == RuntimeState::Ready)
}

/// Keeps what was found of every runtime.
///
/// # Errors
/// The folder cannot be made or written to.
pub(super) fn store_table(folder: &Path, key: CacheKey, reports: Vec<RuntimeReport>) -> io::Result<()> {
    store(folder, Entry { key, whole: true, reports })
}

/// Keeps what was found of one runtime, beside what is known already.
///
/// # Errors
/// The folder cannot be made or written to.
pub(super) fn store_report(folder: &Path, key: CacheKey, report: RuntimeReport) -> io::Result<()> {
    let entries = read(folder).map(|file| file.entries).unwrap_or_default();
    let known = entries.into_iter().find(|entry| entry.key == key);
    let mut entry = known.unwrap_or(Entry { key, whole: false, reports: Vec::new() });
    match entry.reports.iter_mut().find(|known| known.kind == report.kind) {
        // The judgement and the warm time of a whole trial stay.
        Some(known) if report.warm_ms.is_none() && known.state == report.state => return Ok(()),
        Some(known) => {
            // What was judged before holds no more: Auto tries them all again.
            *known = report;
            entry.whole = false;
        }
        None => entry.reports.push(report),
    }
    store(folder, entry)
}

/// Writes the file anew, whole or not at all, with `entry` in front.
fn store(folder: &Path, entry: Entry) -> io::Result<()> {
    let mut file = read(folder).unwrap_or(CacheFile { schema: SCHEMA, entries: Vec::new() });
    file.entries.retain(|known| known.key != entry.key);
    file.entries.insert(0, entry);
    file.entries.truncate(MOST_ENTRIES);
    fs::create_dir_all(folder)?;
    let mut written = tempfile::Builder::new().prefix(".runtimes-").tempfile_in(folder)?;
    written.write_all(serde_json::to_string_pretty(&file)?.as_bytes())?;
    written.persist(folder.join(FILE_NAME)).map_err(|error| error.error)?;
    Ok(())
}

/// The file; `None` where there is none, or it is broken or of another form.
fn read(folder: &Path) -> Option<CacheFile> {
    let text = fs::read_to_string(folder.join(FILE_NAME)).ok()?;
    let file: CacheFile = serde_json::from_str(&text).ok()?;
    (file.schema == SCHEMA).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{LibraryError, Provider};

    const CPU: BackendKind = BackendKind::Ort(Provider::Cpu);

    fn found(library: &Path) -> LibrarySearch {
        LibrarySearch { library: Some(library.to_owned()), ..LibrarySearch::default() }
    }

    fn none(problem: LibraryError) -> LibrarySearch {
        LibrarySearch { problem: Some(problem), ..LibrarySearch::default() }
    }

    fn report(kind: BackendKind, state: RuntimeState) -> RuntimeReport {
        RuntimeReport { warm_ms: Some(12.5), agrees: Some(true), ..RuntimeReport::new(kind, state, None) }
    }

    #[test]
    fn the_key_changes_with_all_that_a_measurement_depends_on() {
        let folder = tempfile::tempdir().expect("folder");
        let library = folder.path().join("libonnxruntime.so");
        fs::write(&library, "one").expect("written");
        let model = ModelBytes::bundled();
        let options = RuntimeOptions::default();
        let key = CacheKey::new(&model, &options, &found(&library));
        assert_eq!(key, CacheKey::new(&model, &options, &found(&library)));
        assert_eq!(key.model_sha256.len(), 64);
        let other = ModelBytes::from_bytes("other", b"bytes".as_slice());
        let threads = RuntimeOptions { threads: 1, ..RuntimeOptions::default() };
        let not_found = none(LibraryError::NotFound);
        let not_there = none(LibraryError::NotThere { path: "/x".into() });
        for different in [
            CacheKey::new(&other, &options, &found(&library)),
            CacheKey::new(&model, &threads, &found(&library)),
            CacheKey::new(&model, &options, &not_found),
            CacheKey::new(&model, &options, &not_there),
            CacheKey { program: "0.0.0".to_owned(), ..key.clone() },
            CacheKey { machine: Machine { threads: 4096, ..Machine::this() }, ..key.clone() },
        ] {
            assert_ne!(different, key);
        }
        fs::write(&library, "another").expect("written");
        assert_ne!(CacheKey::new(&model, &options, &found(&library)), key, "the library was replaced");
    }

    #[test]
    fn what_was_stored_comes_back_under_its_key_alone() {
        let folder = tempfile::tempdir().expect("folder");
        let cache = folder.path().join("cache/of/this");
        let options = |threads| RuntimeOptions { threads, ..RuntimeOptions::default() };
        let key = |threads| CacheKey::new(&ModelBytes::bundled(), &options(threads), &none(LibraryError::NotFound));
        assert_eq!(load_table(&cache, &key(0)), None);
        let reports = vec![report(BackendKind::Tract, RuntimeState::Ready), report(CPU, RuntimeState::Failed)];
        store_table(&cache, key(0), reports.clone()).expect("stored");
        assert_eq!(load_table(&cache, &key(0)), Some(reports));
        assert_eq!(load_table(&cache, &key(1)), None);
        assert!(is_known_good(&cache, &key(0), BackendKind::Tract) && !is_known_good(&cache, &key(0), CPU));
        for threads in 1..20 {
            store_table(&cache, key(threads), Vec::new()).expect("stored");
        }
        assert_eq!(load_table(&cache, &key(0)), None, "the oldest makes room");
        assert_eq!(load_table(&cache, &key(19)), Some(Vec::new()));
        assert_eq!(fs::read_dir(&cache).expect("there").count(), 1, "nothing is left lying");
    }

    #[test]
    fn one_runtime_is_remembered_without_a_whole_trial() {
        let folder = tempfile::tempdir().expect("folder");
        let cache = folder.path();
        let key = CacheKey::new(&ModelBytes::bundled(), &RuntimeOptions::default(), &none(LibraryError::NotFound));
        store_report(cache, key.clone(), report(CPU, RuntimeState::Failed)).expect("stored");
        assert!(!is_known_good(cache, &key, CPU));
        store_report(cache, key.clone(), report(CPU, RuntimeState::Ready)).expect("stored");
        assert!(is_known_good(cache, &key, CPU));
        assert_eq!(load_table(cache, &key), None, "the others are unknown");
        let whole = vec![report(BackendKind::Tract, RuntimeState::Ready), report(CPU, RuntimeState::Ready)];
        store_table(cache, key.clone(), whole.clone()).expect("stored");
        let loaded = RuntimeReport { warm_ms: None, agrees: None, ..report(CPU, RuntimeState::Ready) };
        store_report(cache, key.clone(), loaded).expect("stored");
        assert_eq!(load_table(cache, &key), Some(whole));
    }

    #[test]
    fn a_broken_file_and_one_of_another_form_are_as_good_as_none() {
        let folder = tempfile::tempdir().expect("folder");
        let key = CacheKey::new(&ModelBytes::bundled(), &RuntimeOptions::default(), &none(LibraryError::NotFound));
        let path = folder.path().join(FILE_NAME);
        for text in ["", "{", "[1]", "{\"schema\":0,\"entries\":[]}", "{\"schema\":1,\"entries\":[{\"key\":3}]}"] {
            fs::write(&path, text).expect("written");
            assert_eq!(load_table(folder.path(), &key), None, "{text}");
        }
        store_table(folder.path(), key.clone(), Vec::new()).expect("stored over it");
        assert_eq!(load_table(folder.path(), &key), Some(Vec::new()));
    }
}
