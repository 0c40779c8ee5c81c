//! What was measured before: kept in the cache folder, good only for the same program, model, library and machine.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use engines::{LibrarySearch, is_included};
use inference::ModelBytes;
use outcome::{RuntimeReport, RuntimeState};
use recipe::{BackendKind, RuntimeOptions};

const FILE_NAME: &str = "runtimes.json";
/// Raised when the file's form changes; others are passed over.
const SCHEMA: u32 = 1;
/// How many sets of options and models are remembered.
const MAX_ENTRIES: usize = 8;
/// Most bytes of the file; eight sets of fourteen runtimes with long reasons take a tenth of it.
const MAX_BYTES: u64 = 1 << 20;
/// How many seconds a failure is believed. What the failure came from, a driver or a busy device, is not in the key.
const FAILURES_LAST: u64 = 24 * 60 * 60;

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
    /// When they were, in seconds since 1970.
    #[serde(default)]
    tried: u64,
    reports: Vec<RuntimeReport>,
}

impl CacheKey {
    /// The key of what is measured with `model`, `options` and the library of `search` on this machine.
    pub(super) fn new(model: &ModelBytes, options: &RuntimeOptions, search: &LibrarySearch) -> Self {
        let digest = Sha256::digest(model.as_bytes());
        // A build with candle or Burn tries one runtime more: what a build without it kept is not the whole table.
        let on_request = [BackendKind::Candle, BackendKind::Burn].into_iter().filter(|kind| is_included(*kind));
        let more: String = on_request.map(|kind| format!("+{}", kind.id())).collect();
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

impl Entry {
    /// True where all that is said still counts: every runtime was tried, and none failed longer than a day ago. What is
    /// missing or unsupported stays so until the key changes; a clock that went back makes no failure last.
    fn counts_at(&self, now: u64) -> bool {
        let is_fresh = now.checked_sub(self.tried).is_some_and(|age| age < FAILURES_LAST);
        self.whole && (is_fresh || self.reports.iter().all(|report| report.state != RuntimeState::Failed))
    }
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Every runtime as it was tried under `key`; `None` where that was not done, or some failed longer than a day ago.
pub(super) fn load_table(folder: &Path, key: &CacheKey) -> Option<Vec<RuntimeReport>> {
    let entry = read(folder)?.entries.into_iter().find(|entry| entry.key == *key)?;
    entry.counts_at(now()).then_some(entry.reports)
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
    store(folder, Entry { key, whole: true, tried: now(), reports })
}

/// Keeps what was found of one runtime, beside what is known already.
///
/// # Errors
/// The folder cannot be made or written to.
pub(super) fn store_report(folder: &Path, key: CacheKey, report: RuntimeReport) -> io::Result<()> {
    let entries = read(folder).map(|file| file.entries).unwrap_or_default();
    let known = entries.into_iter().find(|entry| entry.key == key);
    let mut entry = known.unwrap_or(Entry { key, whole: false, tried: now(), reports: Vec::new() });
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
    file.entries.truncate(MAX_ENTRIES);
    fs::create_dir_all(folder)?;
    let mut written = tempfile::Builder::new().prefix(".runtimes-").tempfile_in(folder)?;
    written.write_all(serde_json::to_string_pretty(&file)?.as_bytes())?;
    written.persist(folder.join(FILE_NAME)).map_err(|error| error.error)?;
    Ok(())
}

/// The file; `None` where there is none, or it is broken, of another form, or nothing that ends: a pipe would be waited for.
fn read(folder: &Path) -> Option<CacheFile> {
    let path = folder.join(FILE_NAME);
    let about = fs::metadata(&path).ok()?;
    if !about.is_file() || about.len() > MAX_BYTES {
        return None;
    }
    let mut text = String::new();
    fs::File::open(path).ok()?.take(MAX_BYTES).read_to_string(&mut text).ok()?;
    let file: CacheFile = serde_json::from_str(&text).ok()?;
    (file.schema == SCHEMA).then_some(file)
}

#[cfg(test)]
mod tests {
    use outcome::LibraryError;
    use recipe::Provider;

    use super::*;

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

    #[test]
    fn failures_count_for_a_day_and_all_else_for_good() {
        let key = CacheKey::new(&ModelBytes::bundled(), &RuntimeOptions::default(), &none(LibraryError::NotFound));
        let entry = |state| Entry {
            key: key.clone(),
            whole: true,
            tried: 1_000_000,
            reports: vec![report(BackendKind::Tract, RuntimeState::Ready), report(CPU, state)],
        };
        for (seconds, counts) in [(0, true), (FAILURES_LAST - 1, true), (FAILURES_LAST, false), (u64::MAX / 2, false)] {
            let now = 1_000_000 + seconds;
            assert_eq!(entry(RuntimeState::Failed).counts_at(now), counts, "{seconds}");
            for lasting in [RuntimeState::Ready, RuntimeState::Missing, RuntimeState::Unsupported] {
                assert!(entry(lasting).counts_at(now), "{lasting:?} after {seconds}");
            }
        }
        assert!(!entry(RuntimeState::Failed).counts_at(999_999), "the clock went back");

        // By way of the file: a failure of long ago is tried again, and still there to be written over.
        let folder = tempfile::tempdir().expect("folder");
        store(folder.path(), entry(RuntimeState::Failed)).expect("stored");
        assert_eq!(load_table(folder.path(), &key), None);
        assert!(is_known_good(folder.path(), &key, BackendKind::Tract));
        store(folder.path(), entry(RuntimeState::Missing)).expect("stored");
        assert!(load_table(folder.path(), &key).is_some());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_the_files_place_is_not_waited_for() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join(FILE_NAME);
        let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo runs");
        assert!(made.success());
        let (report, reported) = std::sync::mpsc::channel();
        let cache = folder.path().to_owned();
        std::thread::scope(|scope| {
            scope.spawn(move || report.send(read(&cache).is_none()));
            let answer = reported.recv_timeout(std::time::Duration::from_secs(5));
            if answer.is_err() {
                // Lets the reader go, so that the test ends.
                let _ = fs::File::options().read(true).write(true).open(&path);
            }
            assert_eq!(answer, Ok(true));
        });
        let key = CacheKey::new(&ModelBytes::bundled(), &RuntimeOptions::default(), &none(LibraryError::NotFound));
        store_table(folder.path(), key.clone(), Vec::new()).expect("stored in its place");
        assert_eq!(load_table(folder.path(), &key), Some(Vec::new()));
    }

    #[test]
    fn a_file_of_absurd_size_is_not_read() {
        let folder = tempfile::tempdir().expect("folder");
        let key = CacheKey::new(&ModelBytes::bundled(), &RuntimeOptions::default(), &none(LibraryError::NotFound));
        store_table(folder.path(), key.clone(), Vec::new()).expect("stored");
        // Blanks after the JSON change nothing but its size.
        let mut file = fs::File::options().append(true).open(folder.path().join(FILE_NAME)).expect("there");
        file.write_all(&vec![b' '; 2 << 20]).expect("written");
        assert_eq!(load_table(folder.path(), &key), None);
    }
}
