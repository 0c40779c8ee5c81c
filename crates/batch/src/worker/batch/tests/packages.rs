//! Indexes, zip files and contact sheets agree with the crops, whatever happened to the run.

use std::io::Read;

use recipe::{IndexFormat, OutputPlace};

use super::*;
use crate::worker::PackageNote;

/// Only the index.
const INDEX: PackageSpec =
    PackageSpec { index: Some(IndexFormat::Csv), zip: false, contact_pdf: false, contact_html: false };

/// A name of the list, with its row.
fn listed(place: usize, name: &str, class: &str) -> PhotoName {
    let columns = [("Name", name), ("Class", class)].map(|(heading, cell)| (heading.to_owned(), cell.to_owned()));
    let (columns, preset) = (columns.into(), "yearbook".to_owned());
    PhotoName { place, listed: Some(name.to_owned()), columns, preset, ..PhotoName::default() }
}

/// Four photos with rows, of which the last one has no face.
fn school() -> Fixture {
    let photos = [("1.png", 80), ("2.png", 84), ("3.png", 78), ("4.png", 71)];
    let mut fixture = Fixture::new(&photos).with_journal(false);
    fixture.package = INDEX;
    let names = [("Anna", "3b"), ("Ben", "3a"), ("Zoë, Z.", "3b"), ("Nobody", "3c")];
    fixture.names = (1..).zip(names).map(|(place, (name, class))| listed(place, name, class)).collect();
    fixture
}

impl Fixture {
    /// The rows of the index `name`, without its headings. Every listed file exists.
    fn rows(&self, name: &str) -> Vec<Vec<String>> {
        let path = self.out().join(name);
        let text = fs::read_to_string(&path).expect("an index");
        let text = text.strip_prefix('\u{feff}').expect("a byte order mark");
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let file = reader.headers().expect("headings").iter().position(|heading| heading == "file").expect("a column");
        let rows = reader.records().map(|row| row.expect("a row").iter().map(str::to_owned).collect());
        let rows: Vec<Vec<String>> = rows.collect();
        for row in &rows {
            assert!(path.with_file_name(&row[file]).is_file(), "{row:?}");
        }
        rows
    }

    /// Name, file and photo of each row of `index.csv`.
    fn index(&self) -> Vec<[String; 3]> {
        self.rows("index.csv").into_iter().map(|row| [row[0].clone(), row[2].clone(), row[3].clone()]).collect()
    }

    /// The crops in the output folder.
    fn crops(&self) -> Vec<String> {
        self.files().into_keys().filter(|name| name.ends_with(".png")).collect()
    }
}

fn row(name: &str, file: &str, photo: &str) -> [String; 3] {
    [name, file, photo].map(str::to_owned)
}

fn notes(result: &RunResult) -> Vec<String> {
    let Event::ExportFinished { notes, .. } = &result.end else { panic!("{:?}", result.end) };
    notes.iter().map(ToString::to_string).collect()
}

#[test]
fn the_index_lists_every_crop_in_the_order_of_the_list() {
    let fixture = school();
    let result = fixture.run();
    assert_eq!(
        fixture.index(),
        [row("Anna", "Anna.png", "1.png"), row("Ben", "Ben.png", "2.png"), row("Zoë, Z.", "Zoë, Z_.png", "3.png")]
    );
    assert_eq!(fixture.rows("index.csv")[0], ["Anna", "3b", "Anna.png", "1.png", "yearbook"]);
    assert_eq!(fixture.crops().len(), 3);
    let notes = notes(&result);
    assert!(notes.len() == 1 && notes[0].ends_with("index.csv: 3 crops"), "{notes:?}");
    assert!(fixture.history().end.is_some_and(|end| end.is_complete()));
}

#[test]
fn after_a_cancelled_and_resumed_run_the_index_is_complete() {
    let mut fixture = school();
    fixture.workers = 1;
    fixture.package.zip = true;
    fixture.cancel_after = Some(1);
    let cancelled = fixture.run();
    assert!(cancelled.items.len() < 4);
    let listed: Vec<String> = fixture.index().into_iter().map(|[_, file, _]| file).collect();
    assert_eq!(listed, fixture.crops());
    assert!(!fixture.out().join("out.zip").exists());
    assert!(notes(&cancelled).iter().any(|note| note.contains("once the run is complete")));
    fixture.cancel_after = None;
    fixture.journal.as_mut().expect("one").resume = true;
    fixture.run();
    assert_eq!(fixture.index().len(), 3);
    assert!(fixture.out().join("out.zip").exists());
    assert!(!fixture.out().join("index (2).csv").exists(), "an own index is replaced");
}

#[test]
fn an_index_can_be_added_to_a_finished_run() {
    let mut fixture = school();
    fixture.package = PackageSpec::default();
    fixture.run();
    fixture.package = INDEX;
    fixture.journal.as_mut().expect("one").resume = true;
    let result = fixture.run();
    assert!(result.outcomes()[..3].iter().all(|outcome| *outcome == OutcomeKind::AlreadyDone), "{result:?}");
    assert_eq!(fixture.index()[2], row("Zoë, Z.", "Zoë, Z_.png", "3.png"));
}

#[test]
fn a_removed_crop_leaves_the_index_with_the_next_run() {
    let mut fixture = school();
    fixture.run();
    fs::remove_file(fixture.out().join("Ben.png")).expect("removed");
    // A second export of one photo.
    fixture.on_conflict = OnConflict::Overwrite;
    (fixture.photos, fixture.names) = (fixture.photos[2..3].to_vec(), fixture.names[2..3].to_vec());
    fixture.run();
    assert_eq!(fixture.index(), [row("Anna", "Anna.png", "1.png"), row("Zoë, Z.", "Zoë, Z_.png", "3.png")]);
}

#[test]
fn a_photo_exported_again_under_another_name_keeps_its_place() {
    let mut fixture = school();
    fixture.run();
    fixture.photos.truncate(1);
    fixture.names = vec![listed(1, "Anne", "3b")];
    fixture.run();
    assert_eq!(fixture.crops(), ["Anna.png", "Anne.png", "Ben.png", "Zoë, Z_.png"]);
    let names: Vec<String> = fixture.index().into_iter().map(|[name, file, _]| format!("{name} {file}")).collect();
    assert_eq!(names, ["Anne Anne.png", "Ben Ben.png", "Zoë, Z. Zoë, Z_.png"]);
}

#[test]
fn a_retake_replaces_the_first_photo_of_its_row() {
    let mut fixture = school();
    fixture.run();
    let retake = Fixture::new(&[("retake.png", 82)]);
    fixture.on_conflict = OnConflict::Overwrite;
    (fixture.photos, fixture.names) = (retake.photos.clone(), vec![listed(1, "Anna", "3b")]);
    fixture.run();
    let index = fixture.index();
    assert_eq!(index.len(), 3);
    assert!(index.contains(&row("Anna", "Anna.png", "retake.png")), "{index:?}");
}

#[test]
fn skipped_photos_keep_their_recorded_crops() {
    let mut fixture = school();
    fixture.run();
    fixture.on_conflict = OnConflict::Skip;
    let result = fixture.run();
    assert_eq!(result.outcomes()[0], OutcomeKind::Skipped);
    assert_eq!(fixture.index().len(), 3);
    fs::remove_dir_all(fixture.out().join(".iron-cropper")).expect("removed");
    fs::remove_file(fixture.out().join("index.csv")).expect("removed");
    let result = fixture.run();
    assert!(fixture.index().is_empty());
    assert!(notes(&result).iter().any(|note| note.ends_with("no journal records them: 3")), "{:?}", notes(&result));
}

#[test]
fn only_an_own_unchanged_index_is_replaced() {
    let mut fixture = school();
    fs::create_dir_all(fixture.out()).expect("created");
    fs::write(fixture.out().join("index.csv"), "mine").expect("written");
    let result = fixture.run();
    assert_eq!(fs::read_to_string(fixture.out().join("index.csv")).expect("exists"), "mine");
    assert_eq!(fixture.rows("index (2).csv").len(), 3);
    assert!(notes(&result).iter().any(|note| note.contains("was not written by this program")));
    fixture.on_conflict = OnConflict::Overwrite;
    fixture.run();
    assert!(!fixture.out().join("index (3).csv").exists(), "its own second one is replaced");
    // Edited by the user.
    let edited = fixture.out().join("index (2).csv");
    let text = fs::read_to_string(&edited).expect("exists") + "\r\n";
    fs::write(&edited, &text).expect("written");
    fixture.run();
    assert_eq!(fs::read_to_string(&edited).expect("exists"), text);
    assert_eq!(fixture.rows("index (3).csv").len(), 3);
    // An own index that is now the list of a run.
    let mut job = fixture.job();
    job.originals.push(fixture.out().join("index (3).csv"));
    let fixture = Fixture { names: fixture.names.clone(), ..fixture };
    let list = fs::read(fixture.out().join("index (3).csv")).expect("exists");
    fixture.run_job(job);
    assert_eq!(fs::read(fixture.out().join("index (3).csv")).expect("exists"), list);
    assert!(fixture.out().join("index (4).csv").exists());
}

#[test]
fn every_output_has_its_own_package() {
    let mut fixture = school();
    fixture.names[1].folder = "sub".into();
    let place = OutputPlace { folder: "web/CON".to_owned(), ..OutputPlace::default() };
    let crop = CropSpec { output: Size::new(8, 10), select: Select::All, ..CropSpec::default() };
    let package = PackageSpec { index: Some(IndexFormat::Pspa), ..INDEX };
    let (encode, preset) = (fixture.encode, Some("avatar".to_owned()));
    fixture.variants = vec![Variant { preset, place, crop, encode, package, ..Variant::default() }];
    fixture.run();
    assert_eq!(fixture.index()[1], row("Ben", "sub/Ben.png", "2.png"));
    let index = fs::read_to_string(fixture.out().join("web/_CON/index.txt")).expect("an index");
    let lines: Vec<&str> = index.split_terminator("\r\n").collect();
    assert_eq!(lines[2], "_CON\tsub\tBen.png\t3a\tBen\t\t3a\t\t\t\t\t\tOTHER");
    assert_eq!(lines.len(), 4);
    // Another run for the first output alone leaves the second index as it is.
    fixture.variants.clear();
    fixture.on_conflict = OnConflict::Overwrite;
    fixture.run();
    assert_eq!(fixture.index().len(), 3);
    assert_eq!(fs::read_to_string(fixture.out().join("web/_CON/index.txt")).expect("an index"), index);
}

#[test]
fn a_zip_holds_the_index_and_the_crops_it_lists() {
    let mut fixture = school();
    fixture.package = PackageSpec { zip: true, contact_pdf: true, contact_html: true, ..INDEX };
    let result = fixture.run();
    let notes = notes(&result);
    assert_eq!(notes.len(), 4, "{notes:?}");
    let mut zip = zip::ZipArchive::new(fs::File::open(fixture.out().join("out.zip")).expect("exists")).expect("a zip");
    let mut expected = fixture.files();
    expected.retain(|name, _| name.ends_with(".png") || name == "index.csv");
    let mut found = BTreeMap::new();
    for at in 0..zip.len() {
        let mut entry = zip.by_index(at).expect("an entry");
        let mut content = Vec::new();
        entry.read_to_end(&mut content).expect("reads");
        found.insert(entry.name().expect("Unicode").into_owned(), content);
    }
    assert!(found == expected, "{:?} {:?}", found.keys(), expected.keys());
    let page = fs::read_to_string(fixture.out().join("contact-sheet.html")).expect("a page");
    assert_eq!(page.matches("<img ").count(), 3);
    assert!(page.contains("<h2 dir=\"auto\">3b (2)</h2>"));
    assert!(fs::read(fixture.out().join("contact-sheet.pdf")).expect("a file").starts_with(b"%PDF-"));
    // All of them are replaced.
    fixture.on_conflict = OnConflict::Overwrite;
    let before = fixture.files().len();
    fixture.run();
    assert_eq!(fixture.files().len(), before);
}

#[test]
fn a_run_with_a_package_killed_at_any_step_is_resumed_to_the_same_result() {
    let mut fixture = school();
    fixture.package.zip = true;
    fixture.workers = 1;
    let all = 1000;
    let steps = Steps::ending_after(all);
    fixture.run_with(steps.clone(), |_| ());
    let index = fixture.index();
    let names: Vec<String> = fixture.files().into_keys().collect();
    for kill_at in 0..steps.taken(all) {
        fixture.clear();
        fixture.journal.as_mut().expect("one").resume = true;
        fixture.run_with(Steps::ending_after(kill_at), |_| ());
        fixture.run();
        assert_eq!(fixture.index(), index, "after {kill_at} steps");
        assert_eq!(fixture.files().into_keys().collect::<Vec<_>>(), names, "after {kill_at} steps");
    }
}

#[test]
fn an_index_that_cannot_be_written_is_a_failure() {
    let mut fixture = school();
    // Room for the crops, but not for the index.
    let all = 1000;
    let steps = Steps::ending_after(all);
    fixture.workers = 1;
    fixture.package = PackageSpec::default();
    fixture.run_with(steps.clone(), |_| ());
    let taken = steps.taken(all);
    fixture.clear();
    fixture.package = INDEX;
    let result = fixture.run_with(Steps::failing_after(taken - 2, ErrorKind::StorageFull), |_| ());
    let Event::ExportFinished { notes, .. } = &result.end else { panic!("{result:?}") };
    assert!(notes.iter().any(RunNote::is_failure), "{notes:?}");
    assert!(!fixture.out().join("index.csv").exists());
    // A folder in the journal's place.
    fixture.clear();
    fs::create_dir_all(fixture.out()).expect("created");
    fs::write(fixture.out().join(".iron-cropper"), "").expect("created");
    let result = fixture.run();
    assert!(result.items.is_empty() && result.stopped().is_some(), "{result:?}");
}

#[test]
fn changed_crops_are_listed_and_noted_and_files_elsewhere_never_are() {
    let mut fixture = school();
    fixture.run();
    fs::write(fixture.out().join("Anna.png"), "retouched").expect("written");
    let outside = fixture.folder.path().join("outside.png");
    fs::write(&outside, "secret").expect("written");
    // A journal from elsewhere, whose files lead out of the folder.
    let journal = find_latest(&fixture.out(), None).expect("a journal");
    let text = fs::read_to_string(&journal).expect("reads");
    let forged =
        text.replace("\"path\":\"Ben.png\"", "\"path\":\"../outside.png\"").replace("Zoë, Z_.png", "index.csv");
    fs::write(journal.with_file_name("journal-7.jsonl"), forged.replace("/in/", "/elsewhere/")).expect("written");
    (fixture.photos, fixture.names) = (fixture.photos[1..2].to_vec(), fixture.names[1..2].to_vec());
    fixture.on_conflict = OnConflict::Overwrite;
    let result = fixture.run();
    let files: Vec<String> = fixture.index().into_iter().map(|[_, file, _]| file).collect();
    assert!(files.iter().all(|file| !file.contains("outside") && file.ends_with(".png")), "{files:?}");
    let is_changed = |note: &RunNote| matches!(note, RunNote::Package(PackageNote::Changed { crops: 1 }));
    let Event::ExportFinished { notes, .. } = &result.end else { panic!("{result:?}") };
    assert!(notes.iter().any(is_changed), "{notes:?}");
}
