//! Journals that are written, truncated and read again.

use std::fs;
use std::path::PathBuf;

use super::*;
use crate::journal::{InputStamp, Journal, JournalError, JournalPlace, RuntimeEntry, WritingEntry, digest};

fn run(name: &str) -> Entry {
    Entry::Run(RunEntry { format: FORMAT, run: name.to_owned(), at_ms: 1000, photos: 2, ..RunEntry::default() })
}

fn file(name: &str) -> FileEntry {
    FileEntry { path: StoredPath::Text(name.to_owned()), bytes: 3, sha256: digest(b"abc") }
}

fn photo(name: &str, outcome: &str) -> Entry {
    let path = StoredPath::Text(name.to_owned());
    let input = InputStamp { path: path.clone(), bytes: 9, modified_ns: Some(7), ends_sha256: String::new() };
    Entry::Photo(Box::new(PhotoEntry {
        index: 0,
        at_ms: 3500,
        name: path,
        input: Some(input),
        settings: "s".to_owned(),
        outcome: outcome.to_owned(),
        reason: None,
        size: Some([3, 4]),
        faces: vec![[1.0, 2.0, 3.0, 4.0, 0.5]],
        crops: Vec::new(),
        row: Vec::new(),
        needs_review: Vec::new(),
        notes: Vec::new(),
        runtime: RuntimeEntry::default(),
        stages_ms: [("decode".to_owned(), 1.5)].into(),
    }))
}

fn place(folder: &tempfile::TempDir) -> (JournalPlace, PathBuf) {
    let path = folder.path().join("j.jsonl");
    (JournalPlace::File(path.clone()), path)
}

#[test]
fn complete_entries_are_read_and_a_torn_last_line_is_ignored() {
    let folder = tempfile::tempdir().expect("folder");
    let (place, path) = place(&folder);
    let (journal, nothing) = Journal::open(&place, folder.path(), true).expect("created");
    assert!(nothing.runs.is_empty());
    let writing = Entry::Writing(WritingEntry { input: StoredPath::Text("/a".to_owned()), file: file("a.jpg") });
    let entries = [run("r1"), writing, photo("/a", "failed"), photo("/a", "cropped"), photo("/b", "no_face")];
    let mut ends = vec![0];
    for entry in &entries {
        ends.push(journal.add(entry).expect("added"));
    }
    drop(journal);
    let bytes = fs::read(&path).expect("exists");
    assert_eq!(bytes.len() as u64, ends[5]);
    for cut in 0..=bytes.len() {
        fs::write(&path, &bytes[..cut]).expect("cut");
        let whole = ends.iter().rposition(|end| *end <= cut as u64).expect("the start is");
        let (journal, history) = Journal::open(&place, folder.path(), true).expect("resumed");
        let seen = history.runs.len() + history.writings.len() + history.photos.len();
        assert_eq!(seen, [0, 1, 2, 3, 3, 4][whole], "cut at {cut}");
        // The next entry starts on a new line.
        let next = if whole == 0 { run("r2") } else { photo("/c", "cropped") };
        journal.add(&next).expect("added");
        drop(journal);
        let again = read_history(&path).expect("reads");
        assert_eq!(again.runs.len() + again.writings.len() + again.photos.len(), seen + 1, "cut at {cut}");
    }
    let outcome = |history: &History| history.photos[&StoredPath::Text("/a".to_owned())].outcome.clone();
    fs::write(&path, &bytes).expect("written");
    let history = read_history(&path).expect("reads");
    assert_eq!((outcome(&history).as_str(), history.took_ms, history.end), ("cropped", 2500, None));
}

#[test]
fn zeros_from_a_power_failure_are_ignored_and_other_files_rejected() {
    let folder = tempfile::tempdir().expect("folder");
    let (place, path) = place(&folder);
    let (journal, _) = Journal::open(&place, folder.path(), false).expect("created");
    journal.add(&run("r1")).expect("added");
    drop(journal);
    let line = fs::read(&path).expect("exists");
    for after in [&b"\0\0\0\0"[..], b"\0\0\n", b"\0\n\0\0\n\0"] {
        fs::write(&path, [&line[..], after].concat()).expect("written");
        let (_, history) = Journal::open(&place, folder.path(), true).expect("resumed");
        assert_eq!(history.runs.len(), 1, "{after:?}");
        assert_eq!(fs::read(&path).expect("exists"), line);
    }
    for wrong in [
        "no journal\n",
        "{\"kind\":\"writing\"}\n",
        "{\"kind\":\"end\",\"at_ms\":1,\"done\":1,\"photos\":1,\"cancelled\":false,\"stopped\":null}\n",
    ] {
        fs::write(&path, wrong).expect("written");
        let refused = Journal::open(&place, folder.path(), true);
        assert!(matches!(refused, Err(JournalError::NotAJournal { .. })), "{wrong}");
        assert_eq!(fs::read_to_string(&path).expect("exists"), wrong, "the file is unchanged");
    }
    let later = Entry::Run(RunEntry { format: FORMAT + 1, ..RunEntry::default() });
    fs::write(&path, serde_json::to_string(&later).expect("json") + "\n").expect("written");
    assert!(matches!(Journal::open(&place, folder.path(), true), Err(JournalError::NotAJournal { .. })));
}

#[test]
fn another_file_among_the_journals_is_ignored_and_kept() {
    let folder = tempfile::tempdir().expect("folder");
    let beside = JournalPlace::Beside { shard: None };
    let (first, _) = Journal::open(&beside, folder.path(), true).expect("created");
    let path = first.path().to_owned();
    drop(first);
    for foreign in [&b"\0\0\0\0"[..], b"a note", br#"{"kind":"run","km":5}"#] {
        fs::write(&path, foreign).expect("written");
        let (next, history) = Journal::open(&beside, folder.path(), true).expect("begun");
        let path_of_next = next.path().to_owned();
        drop(next);
        assert!(path_of_next.ends_with("journal-2.jsonl") && history.runs.is_empty(), "{path_of_next:?}");
        assert_eq!(fs::read(&path).expect("exists"), foreign);
        assert!(!is_journal(&path) && read_history(&path).is_err());
        fs::remove_file(path_of_next).expect("removed");
    }
}

#[test]
fn a_journal_is_never_overwritten_nor_used_by_two_runs() {
    let folder = tempfile::tempdir().expect("folder");
    let (place, path) = place(&folder);
    let (journal, _) = Journal::open(&place, folder.path(), false).expect("created");
    assert!(matches!(Journal::open(&place, folder.path(), true), Err(JournalError::InUse { .. })));
    drop(journal);
    assert!(matches!(Journal::open(&place, folder.path(), false), Err(JournalError::Exists { .. })));
    let beside = JournalPlace::Beside { shard: None };
    let (first, _) = Journal::open(&beside, folder.path(), false).expect("created");
    let (second, _) = Journal::open(&beside, folder.path(), false).expect("created");
    assert_ne!(first.path(), second.path());
    assert!(path.exists());
}
