//! The cache of runtime tests, valid only for the same program, model, library, machine and options.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use engines::{LibrarySearch, is_included};
use inference::{ModelBytes, file_name};
use outcome::{RuntimeReport, RuntimeState};
use recipe::{BackendKind, ModelKind, RuntimeOptions};

const FILE_NAME: &str = "runtimes.json";
/// The format version; files with another version are ignored.
const SCHEMA: u32 = 4;
/// Maximum number of entries: combinations of options and models.
const MAX_ENTRIES: usize = 8;
/// Maximum size of the file in bytes; eight entries of fourteen runtimes with long reasons take a tenth of it.
const MAX_BYTES: u64 = 1 << 20;
/// How long a failure is cached, in seconds: its cause, such as a driver or a busy device, is not part of the key.
const FAILURE_TTL_S: u64 = 24 * 60 * 60;

/// Everything that a measurement depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CacheKey {
    program: String,
    model_sha256: String,
    /// Length and modification time (nanoseconds since 1970) of the files in the folder with the face models, `None` if
    /// unreadable; empty for the bundled ones.
    face_models: Vec<Option<(u64, u64)>>,
    libraries: Vec<LibraryStamp>,
    machine: Machine,
    options: RuntimeOptions,
}

/// The identity of a library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LibraryStamp {
    /// Its path, with the length and modification time (nanoseconds since 1970) of it and of the files beside it that it
    /// loads.
    File { path: PathBuf, parts: Vec<(String, u64, u64)> },
    /// No library, with the search's error message.
    None(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Machine {
    arch: String,
    os: String,
    processor: String,
    threads: usize,
    /// What the numbers of graphics cards depend on: [`graphics`].
    graphics: Vec<String>,
}

/// Environment variables that hide graphics cards or change their order.
const DEVICE_VARIABLES: [&str; 5] =
    ["CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"];

#[derive(Debug, Serialize, Deserialize)]
struct CacheFile {
    schema: u32,
    entries: Vec<Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    key: CacheKey,
    /// True if every runtime was tested.
    whole: bool,
    /// Time of the test, in seconds since 1970.
    #[serde(default)]
    tried: u64,
    reports: Vec<RuntimeReport>,
}

impl CacheKey {
    /// The key for measurements with `model`, `options` and the libraries of `searches` on this machine.
    pub(super) fn new(model: &ModelBytes, options: &RuntimeOptions, searches: &[LibrarySearch]) -> Self {
        let digest = Sha256::digest(model.as_bytes());
        // A build with candle or Burn tests more runtimes, so its table differs from that of other builds.
        let on_request = [BackendKind::Candle, BackendKind::Burn].into_iter().filter(|kind| is_included(*kind));
        let more: String = on_request.map(|kind| format!("+{}", kind.id())).collect();
        Self {
            program: format!("{}{more}", env!("CARGO_PKG_VERSION")),
            model_sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
            face_models: options.face_models.as_deref().map(face_model_stamps).unwrap_or_default(),
            libraries: searches.iter().map(LibraryStamp::of).collect(),
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

/// The stamp of a file that belongs to a library: ONNX Runtime's own, DirectML's, OpenVINO's and its TBB, or LiteRT's.
fn part(name: &str, path: &Path) -> Option<(String, u64, u64)> {
    let stem = name.strip_prefix("lib").unwrap_or(name);
    if !["onnxruntime", "openvino", "tbb", "DirectML", "LiteRt"].iter().any(|start| stem.starts_with(start)) {
        return None;
    }
    let (length, changed) = stamp(path)?;
    Some((name.to_owned(), length, changed))
}

fn face_model_stamps(folder: &Path) -> Vec<Option<(u64, u64)>> {
    ModelKind::OF_FACES.map(|kind| stamp(&folder.join(file_name(kind)))).to_vec()
}

/// Length and modification time (nanoseconds since 1970) of a file.
fn stamp(path: &Path) -> Option<(u64, u64)> {
    let metadata = fs::metadata(path).ok()?;
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Some((metadata.len(), u64::try_from(changed.as_nanos()).unwrap_or(u64::MAX)))
}

impl Machine {
    fn this() -> Self {
        Self {
            arch: std::env::consts::ARCH.to_owned(),
            os: std::env::consts::OS.to_owned(),
            processor: processor().unwrap_or_default(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            graphics: graphics(Path::new("/sys/bus/pci/devices"), |name| std::env::var_os(name)),
        }
    }
}

/// The graphics cards below `pci`, with address, vendor and device id (on Linux only), and the variables that hide or
/// reorder cards.
fn graphics(pci: &Path, variable: impl Fn(&str) -> Option<OsString>) -> Vec<String> {
    let card = |entry: fs::DirEntry| {
        let read = |name: &str| fs::read_to_string(entry.path().join(name)).ok().map(|text| text.trim().to_owned());
        // 0x03: display controller; 0x12: processing accelerator.
        let class = read("class")?;
        let is_card = class.starts_with("0x03") || class.starts_with("0x12");
        is_card.then(|| Some(format!("{} {}:{}", entry.file_name().display(), read("vendor")?, read("device")?)))?
    };
    let mut found: Vec<String> = fs::read_dir(pci).into_iter().flatten().flatten().filter_map(card).collect();
    found.sort();
    let set = |name: &str| Some(format!("{name}={}", variable(name)?.display()));
    found.extend(DEVICE_VARIABLES.into_iter().filter_map(set));
    found
}

/// The processor's name on Linux or Windows.
fn processor() -> Option<String> {
    let from_linux = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    from_linux.or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok())
}

impl Entry {
    /// True if the entry is valid: every runtime was tested, and failures are less than a day old. Missing and unsupported
    /// runtimes remain so until the key changes; if the clock was set back, failures expire.
    fn is_valid_at(&self, now: u64) -> bool {
        let is_fresh = now.checked_sub(self.tried).is_some_and(|age| age < FAILURE_TTL_S);
        self.whole && (is_fresh || self.reports.iter().all(|report| report.state != RuntimeState::Failed))
    }
}

/// The current time in seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The cached reports of all runtimes under `key`; `None` if there are none, or a failure has expired.
pub(super) fn load_table(folder: &Path, key: &CacheKey) -> Option<Vec<RuntimeReport>> {
    let entry = read(folder)?.entries.into_iter().find(|entry| entry.key == *key)?;
    entry.is_valid_at(now()).then_some(entry.reports)
}

/// True if `kind` is cached as ready under `key`.
pub(super) fn is_known_good(folder: &Path, key: &CacheKey, kind: BackendKind) -> bool {
    let entries = read(folder).map(|file| file.entries).unwrap_or_default();
    let mut reports = entries.into_iter().filter(|entry| entry.key == *key).flat_map(|entry| entry.reports);
    reports.any(|report| report.kind == kind && report.state == RuntimeState::Ready)
}

/// Stores the reports of all runtimes.
///
/// # Errors
/// Fails if the folder cannot be created or written to.
pub(super) fn store_table(folder: &Path, key: CacheKey, reports: Vec<RuntimeReport>) -> io::Result<()> {
    store(folder, Entry { key, whole: true, tried: now(), reports })
}

/// Stores the report of one runtime in addition to the cached ones.
///
/// # Errors
/// Fails if the folder cannot be created or written to.
pub(super) fn store_report(folder: &Path, key: CacheKey, report: RuntimeReport) -> io::Result<()> {
    let entries = read(folder).map(|file| file.entries).unwrap_or_default();
    let known = entries.into_iter().find(|entry| entry.key == key);
    let mut entry = known.unwrap_or(Entry { key, whole: false, tried: now(), reports: Vec::new() });
    match entry.reports.iter_mut().find(|known| known.kind == report.kind) {
        // Keep the agreement and the warm time of a complete test.
        Some(known) if report.warm_ms.is_none() && known.state == report.state => return Ok(()),
        Some(known) => {
            // The state has changed, so the whole table is outdated: Auto tests all runtimes again.
            *known = report;
            entry.whole = false;
        }
        None => entry.reports.push(report),
    }
    store(folder, entry)
}

/// Rewrites the file atomically, with `entry` first.
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

/// Reads the file; `None` if it is missing, damaged, too large, of another version, or not a regular file (a pipe would
/// block).
fn read(folder: &Path) -> Option<CacheFile> {
    let path = folder.join(FILE_NAME);
    let metadata = fs::metadata(&path).ok()?;
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
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
    use recipe::{Provider, RuntimeLibrary};

    use super::*;

    const ORT: RuntimeLibrary = RuntimeLibrary::OnnxRuntime;
    const CPU: BackendKind = BackendKind::Ort(Provider::Cpu);

    fn found(library: &Path) -> [LibrarySearch; 1] {
        [LibrarySearch { library: Some(library.to_owned()), ..LibrarySearch::default() }]
    }

    fn none(problem: LibraryError) -> [LibrarySearch; 1] {
        [LibrarySearch { problem: Some(problem), ..LibrarySearch::default() }]
    }

    fn report(kind: BackendKind, state: RuntimeState) -> RuntimeReport {
        RuntimeReport { warm_ms: Some(12.5), agrees: Some(true), ..RuntimeReport::new(kind, state, None) }
    }

    #[test]
    fn the_key_depends_on_everything_that_affects_a_measurement() {
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
        let not_found = none(LibraryError::NotFound { library: ORT });
        let missing = none(LibraryError::NotThere { library: ORT, path: "/x".into() });
        for different in [
            CacheKey::new(&other, &options, &found(&library)),
            CacheKey::new(&model, &threads, &found(&library)),
            CacheKey::new(&model, &options, &not_found),
            CacheKey::new(&model, &options, &missing),
            CacheKey { program: "0.0.0".to_owned(), ..key.clone() },
            CacheKey { machine: Machine { threads: 4096, ..Machine::this() }, ..key.clone() },
        ] {
            assert_ne!(different, key);
        }
        fs::write(&library, "another").expect("written");
        assert_ne!(CacheKey::new(&model, &options, &found(&library)), key, "the library was replaced");
    }

    #[test]
    fn the_key_depends_on_the_files_of_the_face_models() {
        let folder = tempfile::tempdir().expect("folder");
        let models = folder.path().to_owned();
        let options = RuntimeOptions { face_models: Some(models.clone()), ..RuntimeOptions::default() };
        let key = || CacheKey::new(&ModelBytes::bundled(), &options, &none(LibraryError::NotFound { library: ORT }));
        let missing = key();
        assert_eq!(missing, key());
        let mut keys = vec![missing];
        for kind in ModelKind::OF_FACES {
            fs::write(models.join(file_name(kind)), "one").expect("written");
            keys.push(key());
        }
        fs::write(models.join(file_name(ModelKind::Person)), "another").expect("written");
        keys.push(key());
        for (index, one) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(one), "{index}");
        }
    }

    #[test]
    fn the_key_depends_on_the_graphics_cards_and_the_variables_that_reorder_them() {
        let folder = tempfile::tempdir().expect("folder");
        let pci = folder.path().join("devices");
        assert_eq!(graphics(&pci, |_| None), [""; 0]);
        for (address, class) in
            [("0000:01:00.0", "0x030000"), ("0000:00:02.0", "0x038000"), ("0000:02:00.0", "0x010802")]
        {
            let device = pci.join(address);
            fs::create_dir_all(&device).expect("created");
            for (name, text) in [("class", class), ("vendor", "0x10de"), ("device", "0x2786")] {
                fs::write(device.join(name), format!("{text}\n")).expect("written");
            }
        }
        let cards = ["0000:00:02.0 0x10de:0x2786", "0000:01:00.0 0x10de:0x2786"];
        assert_eq!(graphics(&pci, |_| None), cards);
        let only = |name: &str| (name == "CUDA_VISIBLE_DEVICES").then(|| "1,0".into());
        assert_eq!(graphics(&pci, only), [&cards[..], &["CUDA_VISIBLE_DEVICES=1,0"]].concat());
    }

    #[test]
    fn an_entry_is_found_under_its_own_key_only() {
        let folder = tempfile::tempdir().expect("folder");
        let cache = folder.path().join("cache/of/this");
        let options = |threads| RuntimeOptions { threads, ..RuntimeOptions::default() };
        let key = |threads| {
            CacheKey::new(&ModelBytes::bundled(), &options(threads), &none(LibraryError::NotFound { library: ORT }))
        };
        assert_eq!(load_table(&cache, &key(0)), None);
        let reports = vec![report(BackendKind::Tract, RuntimeState::Ready), report(CPU, RuntimeState::Failed)];
        store_table(&cache, key(0), reports.clone()).expect("stored");
        assert_eq!(load_table(&cache, &key(0)), Some(reports));
        assert_eq!(load_table(&cache, &key(1)), None);
        assert!(is_known_good(&cache, &key(0), BackendKind::Tract) && !is_known_good(&cache, &key(0), CPU));
        for threads in 1..20 {
            store_table(&cache, key(threads), Vec::new()).expect("stored");
        }
        assert_eq!(load_table(&cache, &key(0)), None, "the oldest entry is evicted");
        assert_eq!(load_table(&cache, &key(19)), Some(Vec::new()));
        assert_eq!(fs::read_dir(&cache).expect("exists").count(), 1, "no temporary file is left");
    }

    #[test]
    fn a_single_runtime_is_cached_without_a_complete_test() {
        let folder = tempfile::tempdir().expect("folder");
        let cache = folder.path();
        let key = CacheKey::new(
            &ModelBytes::bundled(),
            &RuntimeOptions::default(),
            &none(LibraryError::NotFound { library: ORT }),
        );
        store_report(cache, key.clone(), report(CPU, RuntimeState::Failed)).expect("stored");
        assert!(!is_known_good(cache, &key, CPU));
        store_report(cache, key.clone(), report(CPU, RuntimeState::Ready)).expect("stored");
        assert!(is_known_good(cache, &key, CPU));
        assert_eq!(load_table(cache, &key), None, "the other runtimes were not tested");
        let whole = vec![report(BackendKind::Tract, RuntimeState::Ready), report(CPU, RuntimeState::Ready)];
        store_table(cache, key.clone(), whole.clone()).expect("stored");
        let loaded = RuntimeReport { warm_ms: None, agrees: None, ..report(CPU, RuntimeState::Ready) };
        store_report(cache, key.clone(), loaded).expect("stored");
        assert_eq!(load_table(cache, &key), Some(whole));
    }

    #[test]
    fn damaged_files_and_other_versions_are_ignored() {
        let folder = tempfile::tempdir().expect("folder");
        let key = CacheKey::new(
            &ModelBytes::bundled(),
            &RuntimeOptions::default(),
            &none(LibraryError::NotFound { library: ORT }),
        );
        let path = folder.path().join(FILE_NAME);
        for text in ["", "{", "[1]", "{\"schema\":0,\"entries\":[]}", "{\"schema\":2,\"entries\":[{\"key\":3}]}"] {
            fs::write(&path, text).expect("written");
            assert_eq!(load_table(folder.path(), &key), None, "{text}");
        }
        store_table(folder.path(), key.clone(), Vec::new()).expect("overwritten");
        assert_eq!(load_table(folder.path(), &key), Some(Vec::new()));
    }

    #[test]
    fn failures_expire_after_a_day_and_other_states_do_not() {
        let key = CacheKey::new(
            &ModelBytes::bundled(),
            &RuntimeOptions::default(),
            &none(LibraryError::NotFound { library: ORT }),
        );
        let entry = |state| Entry {
            key: key.clone(),
            whole: true,
            tried: 1_000_000,
            reports: vec![report(BackendKind::Tract, RuntimeState::Ready), report(CPU, state)],
        };
        for (seconds, counts) in [(0, true), (FAILURE_TTL_S - 1, true), (FAILURE_TTL_S, false), (u64::MAX / 2, false)] {
            let now = 1_000_000 + seconds;
            assert_eq!(entry(RuntimeState::Failed).is_valid_at(now), counts, "{seconds}");
            for lasting in [RuntimeState::Ready, RuntimeState::Missing, RuntimeState::Unsupported] {
                assert!(entry(lasting).is_valid_at(now), "{lasting:?} after {seconds}");
            }
        }
        assert!(!entry(RuntimeState::Failed).is_valid_at(999_999), "the clock was set back");

        // Through the file: an expired failure is tested again, and its entry can be replaced.
        let folder = tempfile::tempdir().expect("folder");
        store(folder.path(), entry(RuntimeState::Failed)).expect("stored");
        assert_eq!(load_table(folder.path(), &key), None);
        assert!(is_known_good(folder.path(), &key, BackendKind::Tract));
        store(folder.path(), entry(RuntimeState::Missing)).expect("stored");
        assert!(load_table(folder.path(), &key).is_some());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_place_of_the_file_does_not_block() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join(FILE_NAME);
        let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo runs");
        assert!(made.success());
        let (sender, receiver) = std::sync::mpsc::channel();
        let cache = folder.path().to_owned();
        std::thread::scope(|scope| {
            scope.spawn(move || sender.send(read(&cache).is_none()));
            let answer = receiver.recv_timeout(std::time::Duration::from_secs(5));
            if answer.is_err() {
                // Unblocks the reader, so that the test ends.
                let _ = fs::File::options().read(true).write(true).open(&path);
            }
            assert_eq!(answer, Ok(true));
        });
        let key = CacheKey::new(
            &ModelBytes::bundled(),
            &RuntimeOptions::default(),
            &none(LibraryError::NotFound { library: ORT }),
        );
        store_table(folder.path(), key.clone(), Vec::new()).expect("replaced");
        assert_eq!(load_table(folder.path(), &key), Some(Vec::new()));
    }

    #[test]
    fn an_oversized_file_is_not_read() {
        let folder = tempfile::tempdir().expect("folder");
        let key = CacheKey::new(
            &ModelBytes::bundled(),
            &RuntimeOptions::default(),
            &none(LibraryError::NotFound { library: ORT }),
        );
        store_table(folder.path(), key.clone(), Vec::new()).expect("stored");
        // Trailing blanks change only the size.
        let mut file = fs::File::options().append(true).open(folder.path().join(FILE_NAME)).expect("exists");
        file.write_all(&vec![b' '; 2 << 20]).expect("written");
        assert_eq!(load_table(folder.path(), &key), None);
    }
}
