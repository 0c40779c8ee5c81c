//! Cards that name photos, and paired files, in the window.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT, Queryable};

use batch::project::ProjectPhoto;
use batch::settings::Settings;
use batch::worker::{
    Event, ExportJob, FilesRequest, Namer, NamesQuery, ProjectTask, Request, RequestId, ThumbnailsRequest,
};
use geometry::Rect;
use iron_cropper::ui::{PickerKind, WindowOptions};
use naming::NamesSpec;
use outcome::{CardCode, CodeKind, CropReport, DecodeError, ItemReport, OutcomeKind, StageError};
use plan::plan_chosen;

use super::script::{PHOTO, Window, finished, photo_indexed, two_faces};
use super::{export, progress};

const ROSTER: &str = "id,Name\n00007,Anna Müller\n00014,Ben Weber\n";

/// Two cards without a face, each before a portrait.
const PHOTOS: [&str; 4] = ["/photos/c1.jpg", "/photos/p1.jpg", "/photos/c2.jpg", "/photos/p2.jpg"];

/// A window whose worker reads the cards that a test gives.
struct Cards {
    window: Window,
    folder: tempfile::TempDir,
    namer: Namer,
    /// The text on the card in each photo of this name.
    texts: Vec<(&'static str, &'static str)>,
}

fn code(text: &str) -> CardCode {
    CardCode { kind: CodeKind::QrCode, text: text.to_owned(), region: Rect::new(10.0, 10.0, 90.0, 90.0) }
}

fn is_card(name: &str) -> bool {
    name.starts_with('c')
}

fn query(request: &Request) -> Option<Arc<NamesQuery>> {
    if let Request::Files(FilesRequest::NamePhotos { query, .. }) = request { Some(Arc::clone(query)) } else { None }
}

impl Cards {
    fn with(spec: NamesSpec) -> Self {
        let folder = tempfile::tempdir().expect("created");
        let output_folder = Some(folder.path().join("crops"));
        let settings = Settings { output_folder, names: spec, ..Settings::default() };
        let options = WindowOptions { settings, ..WindowOptions::default() };
        let mut window = Window::open_with(options, [1280.0, 1900.0], 1.0);
        window.runtime_ready();
        Self { window, folder, namer: Namer::default(), texts: vec![("c1.jpg", "00007"), ("c2.jpg", "00014")] }
    }

    /// A window that reads cards.
    fn on() -> Self {
        Self::with(NamesSpec { cards: true, ..NamesSpec::default() })
    }

    /// A window that has read the cards of [`PHOTOS`], with the roster.
    fn read() -> Self {
        let mut cards = Self::on();
        cards.drop_roster();
        cards.add(&PHOTOS);
        cards.answer();
        cards
    }

    fn drop_roster(&mut self) {
        let path = self.folder.path().join("roster.csv");
        fs::write(&path, ROSTER).expect("written");
        self.window.drop_files(&[&path.display().to_string()]);
        self.answer();
    }

    /// Adds photos: those of cards show no face, all others two.
    fn add(&mut self, paths: &[&str]) {
        self.window.sent();
        self.window.drop_files(paths);
        let (import, ()) = self
            .window
            .sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
        self.window.answer(import, Event::ImportFound { paths: paths.iter().map(PathBuf::from).collect() });
        let photos = self.window.all_sent().into_iter().zip(1..).filter_map(|(request, id)| match request {
            Request::Session(batch::worker::SessionRequest::IndexPhoto { photo, .. }) => Some((RequestId(id), photo)),
            _ => None,
        });
        for (id, photo) in photos.collect::<Vec<_>>() {
            let name = photo.path.file_name().expect("a name").to_string_lossy().into_owned();
            let faces = if is_card(&name) { Vec::new() } else { two_faces().to_vec() };
            self.window.answer(id, photo_indexed(photo.item, &faces));
        }
    }

    /// The requests for cards that were sent, with the names of their photos.
    fn requests(&self) -> Vec<(RequestId, Vec<String>)> {
        let sent = self.window.all_sent().into_iter().zip(1..);
        let requests = sent.filter_map(|(request, id)| match request {
            Request::Thumbnails(ThumbnailsRequest::ReadCards { photos }) => {
                let name = |photo: &batch::worker::PhotoRef| {
                    photo.path.file_name().map(|name| name.to_string_lossy().into_owned())
                };
                Some((RequestId(id), photos.iter().filter_map(name).collect()))
            }
            _ => None,
        });
        requests.collect()
    }

    /// Reads the cards of the latest request.
    #[track_caller]
    fn answer_cards(&mut self) {
        let sent: Vec<Request> = self.window.all_sent();
        let (at, photos) = sent
            .iter()
            .enumerate()
            .rev()
            .find_map(|(at, request)| match request {
                Request::Thumbnails(ThumbnailsRequest::ReadCards { photos }) => Some((at, photos.clone())),
                _ => None,
            })
            .expect("a request");
        let id = RequestId(at as u64 + 1);
        for photo in photos {
            let name = photo.path.file_name().expect("a name").to_string_lossy().into_owned();
            let text = self.texts.iter().find(|(of, _)| *of == name).map(|(_, text)| *text);
            let codes = Ok(text.into_iter().map(code).collect());
            self.window.answer(id, Event::CardRead { item: photo.item, codes });
        }
        self.window.answer(id, Event::CardsRead);
    }

    /// Answers all requests for cards and names.
    fn answer(&mut self) {
        let mut answered = 0;
        loop {
            self.window.steps(2);
            let sent = self.window.all_sent();
            if answered == sent.len() {
                return;
            }
            let new = std::mem::replace(&mut answered, sent.len());
            for (at, request) in sent.iter().enumerate().skip(new) {
                let id = RequestId(at as u64 + 1);
                match request {
                    Request::Files(FilesRequest::NamePhotos { query, reread }) => {
                        let names = self.namer.name(query, *reread);
                        self.window.answer(id, Event::PhotosNamed(Box::new(names)));
                    }
                    Request::Thumbnails(ThumbnailsRequest::ReadCards { .. }) => self.answer_cards(),
                    _ => {}
                }
            }
        }
    }

    /// Answers requests for names only.
    fn answer_names(&mut self) {
        self.window.steps(2);
        for (at, request) in self.window.all_sent().iter().enumerate() {
            if let Some(query) = query(request) {
                let names = self.namer.name(&query, false);
                self.window.answer(RequestId(at as u64 + 1), Event::PhotosNamed(Box::new(names)));
            }
        }
    }

    #[track_caller]
    fn export(&mut self) -> Arc<ExportJob> {
        self.window.click("Export all");
        self.answer();
        self.jobs().pop().expect("an export")
    }

    fn jobs(&self) -> Vec<Arc<ExportJob>> {
        self.window.all_sent().iter().filter_map(export).collect()
    }

    fn rows(&self) -> Vec<String> {
        let rows = self.window.harness.query_all_by_role(Role::ListBoxOption);
        rows.filter_map(|row| row.accesskit_node().label()).collect()
    }

    fn saved_photos(&mut self) -> Vec<ProjectPhoto> {
        self.window.ctrl(Key::S);
        self.window.pick(PickerKind::SaveProject, vec!["/work/school".into()]);
        let (_, project) = self.window.sent_one(|request| match request {
            Request::Files(FilesRequest::Project(
                ProjectTask::Save(_, project) | ProjectTask::SaveOver(_, project),
            )) => Some(Arc::clone(project)),
            _ => None,
        });
        project.photos.clone()
    }

    #[track_caller]
    fn correct(&mut self, row: &str, text: &str) {
        self.window.harness.get_by_label(row).click_secondary();
        self.window.steps(3);
        self.window.click("Correct card…");
        assert!(self.window.harness.get_by_role_and_label(Role::TextInput, "Text of the card").is_focused());
        if text.is_empty() {
            self.window.press(Key::Delete);
        } else {
            self.window.type_text(text);
        }
        self.window.press(Key::Enter);
        self.answer();
    }
}

#[test]
fn cards_are_read_only_if_that_is_switched_on() {
    let mut cards = Cards::with(NamesSpec::default());
    cards.add(&PHOTOS);
    assert!(cards.requests().is_empty());
    assert!(cards.rows()[0].contains("no face"));
    cards.window.click("Names");
    cards.window.steps(20);
    cards.window.click("Read cards");
    assert_eq!(cards.requests()[0].1, ["c1.jpg", "p1.jpg", "c2.jpg", "p2.jpg"]);
    assert!(cards.window.has("Reading cards 0 of 4"));
    cards.answer();
    assert!(!cards.window.shows("Reading cards"));
    assert_eq!(cards.requests().len(), 1, "once");
    assert_eq!(cards.rows()[0], "c1.jpg, 00007.jpg, Card: 00007");
    // Undo switches it off; what was read is kept.
    cards.window.ctrl(Key::Z);
    cards.answer();
    assert_eq!(cards.rows()[0], "c1.jpg, no face");
    cards.window.ctrl_shift(Key::Z);
    cards.answer();
    assert_eq!((cards.rows()[0].as_str(), cards.requests().len()), ("c1.jpg, 00007.jpg, Card: 00007", 1));
}

#[test]
fn cards_are_read_in_list_order_sixteen_photos_at_a_time() {
    let mut cards = Cards::on();
    let paths: Vec<String> = (1..=20).map(|number| format!("/photos/p{number:02}.jpg")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    cards.add(&paths);
    let requests = cards.requests();
    assert_eq!((requests.len(), requests[0].1.len()), (1, 16), "the next one after the answer");
    assert_eq!((requests[0].1[0].as_str(), requests[0].1[15].as_str()), ("p01.jpg", "p16.jpg"));
    cards.answer_cards();
    assert_eq!(cards.requests()[1].1, ["p17.jpg", "p18.jpg", "p19.jpg", "p20.jpg"]);
    assert!(cards.window.has("Reading cards 16 of 20"));
    cards.answer_cards();
    cards.add(&["/photos/c1.jpg"]);
    assert_eq!(cards.requests()[2].1, ["c1.jpg"], "photos that are added later");
}

#[test]
fn switching_off_cancels_and_forgets_nothing() {
    let mut cards = Cards::on();
    cards.add(&PHOTOS);
    let (id, _) = cards.requests()[0].clone();
    let items: Vec<_> = cards
        .window
        .all_sent()
        .iter()
        .find_map(|request| match request {
            Request::Thumbnails(ThumbnailsRequest::ReadCards { photos }) => {
                Some(photos.iter().map(|photo| photo.item).collect())
            }
            _ => None,
        })
        .expect("a request");
    cards.window.answer(id, Event::CardRead { item: items[0], codes: Ok(vec![code("00007")]) });
    cards.window.click("Names");
    cards.window.steps(20);
    cards.window.click("Read cards");
    assert_eq!(*cards.window.script.cancelled.borrow(), [id]);
    assert!(!cards.window.shows("Reading cards"));
    cards.window.answer(id, Event::CardsRead);
    assert_eq!(cards.requests().len(), 1);
    cards.window.click("Read cards");
    assert_eq!(cards.requests()[1].1, ["p1.jpg", "c2.jpg", "p2.jpg"], "only those left out");
}

#[test]
fn a_photo_whose_card_cannot_be_read_is_not_read_again_and_again() {
    let mut cards = Cards::on();
    cards.add(&PHOTOS[..2]);
    let (id, _) = cards.requests()[0].clone();
    cards.window.answer(id, Event::Failed { item: None, error: StageError::Decode(DecodeError::Empty) });
    cards.window.steps(4);
    assert_eq!(cards.requests().len(), 1);
    assert!(!cards.window.shows("Reading cards"));
}

#[test]
fn a_card_finds_the_row_of_its_photo_and_of_those_after_it() {
    let mut cards = Cards::read();
    let expected = [
        "c1.jpg, Anna Müller.jpg, Card: 00007",
        "p1.jpg, Anna Müller.jpg, 2 faces",
        "c2.jpg, Ben Weber.jpg, Card: 00014",
        "p2.jpg, Ben Weber.jpg, 2 faces",
    ];
    assert_eq!(cards.rows(), expected);
    assert_eq!(
        cards.window.harness.get_by_role_and_label(Role::ComboBox, "Card column").value().as_deref(),
        Some("Automatic: id")
    );
    assert!(!cards.window.shows("Same name"), "a card gives no crop");
    cards.window.harness.get_by_label(expected[2]).hover();
    cards.window.steps(30);
    assert!(cards.window.has("QR code: 00014") && cards.window.has("Row 3: 00014 · Ben Weber"));
    let job = cards.export();
    let items: Vec<_> = job.items.iter().map(|item| (item.card.as_deref(), item.name.listed.as_deref())).collect();
    let expected = [
        (Some("00007"), Some("Anna Müller")),
        (None, Some("Anna Müller")),
        (Some("00014"), Some("Ben Weber")),
        (None, Some("Ben Weber")),
    ];
    assert_eq!(items, expected);
    cards.window.choose("Card column", "Name");
    cards.answer();
    assert!(cards.window.has("2 cards not in the list"));
    assert_eq!(cards.rows()[3], "p2.jpg, 00014.jpg, 2 faces", "the text itself is the name");
}

#[test]
fn a_card_without_a_face_needs_no_review_and_is_no_photo_without_a_face() {
    let mut cards = Cards::on();
    cards.add(&["/photos/c1.jpg", "/photos/c9.jpg"]);
    cards.answer();
    assert!(cards.window.has("No face 1") && cards.window.has("To review 1"), "the one without a card");
    assert!(cards.window.describes("c9.jpg needs review") && !cards.window.describes("c1.jpg needs review"));
    cards.window.click("Names");
    cards.window.steps(20);
    cards.window.click("1 card");
    assert_eq!(cards.rows(), ["c1.jpg, 00007.jpg, Card: 00007"]);
    cards.window.click("1 card");
    let job = cards.export();
    let at = cards.window.all_sent().iter().position(|request| export(request).is_some()).expect("an export");
    let id = RequestId(at as u64 + 1);
    let mut report = ItemReport::new(PathBuf::from("/photos/c1.jpg"));
    (report.outcome, report.card) = (OutcomeKind::Card, Some("00007".to_owned()));
    cards.window.answer(id, progress(job.items[0].photo.item, 1, report));
    cards.window.answer(id, finished(false, 1, 1));
    assert!(cards.window.shows("0 without a face, 0 failed, 1 card") && cards.window.has("card: 00007"));
    assert_eq!(cards.rows()[0], "c1.jpg, 00007.jpg, Card: 00007", "neither skipped nor failed");
}

#[test]
fn a_wrong_reading_is_corrected_undone_and_saved() {
    let mut cards = Cards::read();
    cards.texts.clear();
    cards.correct("c2.jpg, Ben Weber.jpg, Card: 00014", "7");
    assert_eq!(cards.rows()[3], "p2.jpg, Anna Müller.jpg, 2 faces");
    assert_eq!(cards.rows()[2], "c2.jpg, Anna Müller.jpg, Card: 7");
    assert_eq!(cards.saved_photos()[2].edits.card.as_deref(), Some("7"));
    assert_eq!(cards.export().items[2].card.as_deref(), Some("7"));
    cards.window.ctrl(Key::Z);
    cards.answer();
    assert_eq!(cards.rows()[3], "p2.jpg, Ben Weber.jpg, 2 faces");
    // An empty text: it is no card.
    cards.correct("c2.jpg, Ben Weber.jpg, Card: 00014", "");
    assert_eq!(cards.rows()[2..], ["c2.jpg, Anna Müller.jpg, no face", "p2.jpg, Anna Müller.jpg, 2 faces"]);
    // What was read is no correction.
    cards.correct("c2.jpg, Anna Müller.jpg, no face", "00014");
    assert_eq!(cards.saved_photos()[2].edits.card, None);
    assert_eq!(cards.rows()[3], "p2.jpg, Ben Weber.jpg, 2 faces");
}

#[test]
fn a_card_that_is_excluded_still_names_the_photos_after_it() {
    let mut cards = Cards::read();
    cards.window.click("c2.jpg, Ben Weber.jpg, Card: 00014");
    cards.window.press(Key::X);
    cards.answer();
    let job = cards.export();
    let names: Vec<_> = job.items.iter().map(|item| item.name.listed.as_deref()).collect();
    assert_eq!(names, [Some("Anna Müller"), Some("Anna Müller"), Some("Ben Weber")]);
    assert_eq!(job.items[2].card, None, "the portrait itself shows no card");
}

#[test]
fn an_export_waits_for_the_cards() {
    let mut cards = Cards::on();
    cards.add(&PHOTOS);
    cards.window.click("Export all");
    assert!(cards.jobs().is_empty() && cards.window.has("The export starts once all cards have been read."));
    cards.answer();
    let jobs = cards.jobs();
    assert_eq!(jobs.len(), 1, "it starts by itself");
    assert_eq!(jobs[0].items[3].name.listed.as_deref(), Some("00014"));
}

#[test]
fn an_export_that_waits_for_cards_can_be_called_off() {
    let mut cards = Cards::on();
    cards.add(&PHOTOS);
    cards.window.click("Export all");
    cards.window.click("Do not export after the cards");
    cards.answer();
    assert!(cards.jobs().is_empty());
    assert_eq!(cards.export().items.len(), 4);
}

fn type_paired(cards: &mut Cards, text: &str) {
    cards.window.click("Names");
    cards.window.steps(20);
    cards.window.harness.get_by_role_and_label(Role::TextInput, "Patterns of paired files").focus();
    cards.window.steps(2);
    cards.window.type_text(text);
    cards.answer_names();
    cards.window.steps(3);
}

#[test]
fn paired_files_are_cropped_with_their_photos_only() {
    let mut cards = Cards::with(NamesSpec::default());
    cards.add(&["/photos/p1.jpg", "/photos/p1_mask.png", "/photos/other_mask.png"]);
    type_paired(&mut cards, "{stem}_mask.png, ../raw/{stem}.cr2");
    assert_eq!(cards.rows()[1], "p1_mask.png, 2 faces, paired file");
    assert!(cards.window.has("Export all (2)"));
    let job = cards.export();
    let patterns: Vec<String> = job.recipe.paired.iter().map(ToString::to_string).collect();
    assert_eq!(patterns, ["{stem}_mask.png", "../raw/{stem}.cr2"]);
    let names: Vec<_> = job.items.iter().map(|item| item.photo.path.display().to_string()).collect();
    assert_eq!(names, ["/photos/p1.jpg", "/photos/other_mask.png"]);
    assert!(job.originals.contains(&PathBuf::from("/photos/p1_mask.png")), "it is not replaced");
    // The crops of paired files are listed with the photo's.
    let at = cards.window.all_sent().iter().position(|request| export(request).is_some()).expect("an export");
    let mut report = ItemReport::new(PathBuf::from("/photos/p1.jpg"));
    report.outcome = OutcomeKind::Cropped;
    let planned = plan_chosen(&two_faces(), &[0], PHOTO, &job.recipe.crop).crops[0];
    for (file, paired) in [("p1.jpg", None), ("p1_mask.png", Some(PathBuf::from("/photos/p1_mask.png")))] {
        let written = Some(job.output.folder.join(file));
        report.crops.push(CropReport {
            output: 0,
            planned,
            target: None,
            written,
            sheet: None,
            paired,
            notes: Vec::new(),
        });
    }
    let id = RequestId(at as u64 + 1);
    cards.window.answer(id, progress(job.items[0].photo.item, 1, report));
    cards.window.answer(id, finished(false, 1, 2));
    assert!(cards.window.has("written: p1.jpg, p1_mask.png") && cards.window.shows("2 files written"));
    cards.window.press(Key::Escape);
    cards.window.ctrl(Key::Z);
    cards.window.steps(3);
    assert_eq!(cards.rows()[1], "p1_mask.png, 2 faces");
}

#[test]
fn an_invalid_pattern_is_reported_and_stops_the_export() {
    let mut cards = Cards::with(NamesSpec::default());
    cards.add(&["/photos/p1.jpg"]);
    type_paired(&mut cards, "{stem}_mask");
    let reason = "“{stem}_mask” is not a pattern of paired files";
    assert!(cards.window.shows(reason));
    cards.window.click("Export all");
    assert!(cards.jobs().is_empty() && cards.window.shows(&format!("Nothing was exported: {reason}")));
    cards.window.harness.get_by_role_and_label(Role::TextInput, "Patterns of paired files").focus();
    cards.window.steps(2);
    cards.window.type_text(".png");
    assert_eq!(cards.export().recipe.paired.len(), 1);
}
