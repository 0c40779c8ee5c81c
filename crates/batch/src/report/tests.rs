//! Reports from constructed journals.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::journal::{
    CropEntry, EndEntry, Entry, FileEntry, FileRole, InputStamp, Journal, JournalPlace, PhotoEntry, RunEntry,
    RuntimeEntry, StoredPath, digest,
};

fn photo(index: usize, name: &str, outcome: &str, crop: Option<&str>) -> Entry {
    let path = StoredPath::of(Path::new(name));
    let file = |name: &str| FileEntry { path: StoredPath::of(Path::new(name)), bytes: 1000, sha256: digest(b"") };
    let crops = crop.map(|name| CropEntry {
        face: 0,
        frame: [0, 0, 4, 5],
        angle_deg: 0.0,
        output: [4, 5],
        folder: String::new(),
        paired: None,
        preset: String::new(),
        files: vec![(FileRole::Crop, file(name))],
    });
    Entry::Photo(Box::new(PhotoEntry {
        index,
        at_ms: 3000,
        name: path.clone(),
        input: Some(InputStamp { path, bytes: 1, modified_ns: None, ends_sha256: String::new() }),
        settings: String::new(),
        outcome: outcome.to_owned(),
        reason: (outcome == "failed").then(|| "cut, \"short\"".to_owned()),
        size: Some([40, 50]),
        faces: vec![[0.0; 5]],
        crops: crops.into_iter().collect(),
        row: Vec::new(),
        needs_review: if name.contains("turned") { vec!["the eyes are <closed>".to_owned()] } else { Vec::new() },
        notes: Vec::new(),
        runtime: RuntimeEntry { requested: Some("auto".to_owned()), actual: Some("tract".to_owned()) },
        stages_ms: [("decode".to_owned(), 20.0), ("inference".to_owned(), 10.0)].into(),
    }))
}

fn journal(folder: &Path, name: &str, photos: usize, entries: &[Entry], ended: bool) -> PathBuf {
    let path = folder.join(name);
    let (journal, _) = Journal::open(&JournalPlace::File(path.clone()), folder, false).expect("created");
    let output = Some(StoredPath::of(folder));
    journal
        .add(&Entry::Run(RunEntry { format: 1, at_ms: 1000, photos, output, ..RunEntry::default() }))
        .expect("added");
    entries.iter().for_each(|entry| assert!(journal.add(entry).expect("added") > 0));
    if ended {
        let end = EndEntry { at_ms: 3000, done: entries.len(), photos, cancelled: false, stopped: None };
        journal.add(&Entry::End(end)).expect("added");
    }
    path
}

/// Two shards of a run, the second of which was killed.
fn parts(folder: &Path) -> Vec<PathBuf> {
    image::GrayImage::from_pixel(4, 5, image::Luma([99])).save(folder.join("anna.jpg")).expect("saved");
    let first = [photo(0, "/in/anna.jpg", "cropped", Some("anna.jpg")), photo(1, "/in/=ben.jpg", "failed", None)];
    let second =
        [photo(0, "/in/<b>carl.jpg", "no_face", None), photo(1, "/in/turned.jpg", "cropped", Some("gone.jpg"))];
    vec![journal(folder, "1.jsonl", 2, &first, true), journal(folder, "2.jsonl", 3, &second, false)]
}

#[test]
fn shards_are_merged_and_photos_to_review_come_first() {
    let folder = tempfile::tempdir().expect("folder");
    let report = gather(&parts(folder.path())).expect("gathered");
    let summary = &report.summary;
    assert_eq!((summary.photos, summary.done, summary.files, summary.bytes), (5, 4, 2, 2000));
    assert_eq!((summary.outcomes["cropped"], summary.outcomes["failed"], summary.need_review), (2, 1, 1));
    assert_eq!((summary.took_s, summary.photos_per_s), (2.0, Some(2.0)));
    assert_eq!((summary.stages["decode"].mean_ms, summary.stages["decode"].photos), (20.0, 4));
    assert_eq!(summary.runtimes["tract"], 4);
    assert!(summary.ended_early.len() == 1 && summary.ended_early[0].contains("2.jsonl: the run was killed"));
    let options: Vec<&str> = report.photos.iter().map(|row| row.path.rsplit('/').next().unwrap_or_default()).collect();
    assert_eq!(options, ["=ben.jpg", "<b>carl.jpg", "turned.jpg", "anna.jpg"]);
    // The same journal given twice counts once.
    let again = gather(&[folder.path().join("1.jsonl"), folder.path().join("1.jsonl")]).expect("gathered");
    assert_eq!((again.photos.len(), again.summary.photos, again.summary.stages["decode"].photos), (2, 2, 2));
}

#[test]
fn a_journal_of_many_small_runs_counts_all_photos() {
    let folder = tempfile::tempdir().expect("folder");
    let path = journal(folder.path(), "watch.jsonl", 1, &[photo(0, "/in/a.jpg", "cropped", None)], true);
    let (journal, _) = Journal::open(&JournalPlace::File(path.clone()), folder.path(), true).expect("opened");
    let run = RunEntry { format: 1, at_ms: 9000, photos: 1, resumed: true, ..RunEntry::default() };
    let end = EndEntry { at_ms: 9500, done: 1, photos: 1, cancelled: false, stopped: None };
    for entry in [Entry::Run(run), photo(1, "/in/b.jpg", "cropped", None), Entry::End(end)] {
        journal.add(&entry).expect("added");
    }
    let summary = gather(&[path]).expect("gathered").summary;
    assert_eq!((summary.photos, summary.done, summary.ended_early.len()), (2, 2, 0));
}

#[test]
fn the_page_has_thumbnails_and_links_and_escapes_markup() {
    let folder = tempfile::tempdir().expect("folder");
    let (journals, path) = (parts(folder.path()), folder.path().join("report.html"));
    write_report(&journals, Some(&path)).expect("written");
    let page = fs::read_to_string(&path).expect("exists");
    assert!(page.contains("<a href=\"./anna.jpg\"><img src=\"data:image/jpeg;base64,/9j/"), "{page}");
    assert!(page.contains("<a href=\"./gone.jpg\">gone.jpg</a>"), "a missing crop is still listed");
    assert!(page.contains("&lt;b&gt;carl.jpg") && page.contains("the eyes are &lt;closed&gt;"));
    assert!(!page.contains("<b>") && !page.contains("http://") && !page.contains("<script"));
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is missing"));
    assert!(at("To review (3)") < at("=ben.jpg") && at("turned.jpg") < at("Others (1)"));
}

#[test]
fn csv_cells_escape_commas_quotes_and_formulas() {
    let folder = tempfile::tempdir().expect("folder");
    let first = [photo(0, "=1+1", "failed", None), photo(1, "a,\"b\".jpg", "cropped", Some("-x.jpg"))];
    let (journal, path) = (journal(folder.path(), "j", 2, &first, true), folder.path().join("report.CSV"));
    write_report(std::slice::from_ref(&journal), Some(&path)).expect("written");
    let table = fs::read_to_string(&path).expect("exists");
    let lines: Vec<&str> = table.split("\r\n").collect();
    assert_eq!(lines[1], "'=1+1,failed,\"cut, \"\"short\"\"\",,,40,50,1,,0,tract,30");
    assert!(lines[2].starts_with("\"a,\"\"b\"\".jpg\",cropped,,"), "{table}");
    assert_eq!((lines.len(), lines[3]), (4, ""));
}

#[test]
fn json_reports_have_the_same_data_and_invalid_paths_are_rejected() {
    let folder = tempfile::tempdir().expect("folder");
    let (journals, path) = (parts(folder.path()), folder.path().join("report.json"));
    write_report(&journals, Some(&path)).expect("written");
    let json: serde_json::Value = serde_json::from_slice(&fs::read(&path).expect("exists")).expect("JSON");
    assert_eq!((json["schema"].as_u64(), json["photos"].as_array().map(Vec::len)), (Some(2), Some(4)));
    assert_eq!(json["summary"]["outcomes"]["no_face"], 1);
    assert!(matches!(write_report(&journals, Some(Path::new("report.pdf"))), Err(ReportError::Format { .. })));
    let missing = write_report(&[folder.path().join("none")], None).expect_err("refused").to_string();
    assert!(missing.contains("none cannot be read"), "{missing}");
}

#[test]
fn a_journal_without_a_run_is_rejected_with_its_path() {
    let folder = tempfile::tempdir().expect("created");
    let path = folder.path().join("empty.jsonl");
    fs::write(&path, "").expect("written");
    let refused = gather(std::slice::from_ref(&path)).expect_err("refused").to_string();
    assert!(refused.contains("empty.jsonl") && refused.contains("it contains no run"), "{refused}");
}
