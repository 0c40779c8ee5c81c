//! Every error on a photo, in English as on the command line and in German.

use geometry::Size;
use outcome::DetectError;
use recipe::{BackendKind, OutputFormat, SheetFormat};

use super::super::super::language::{Language, set_current};
use super::*;

fn io() -> io::Error {
    io::Error::other("a reason")
}

fn decode_errors() -> Vec<DecodeError> {
    let message = || "a reason".to_owned();
    let needs = |problem| DecodeError::NeedsLibrary { format: "HEIC", library: "libheif", problem };
    vec![
        DecodeError::Unreadable(io()),
        DecodeError::Empty,
        DecodeError::NotAFile,
        DecodeError::UnknownFormat { found: None },
        DecodeError::TooManyPixels { size: Size::new(9000, 9000), limit: 40_000_000 },
        DecodeError::TooMuchMemory { bytes: 90_000_000, limit: 40_000_000 },
        DecodeError::FileTooLarge { bytes: 900, limit: 400 },
        DecodeError::TookTooLong { seconds: 20 },
        DecodeError::Cancelled,
        DecodeError::NoMemory { bytes: 90_000_000 },
        DecodeError::DecoderFailed { format: "AVIF", how: message() },
        DecodeError::Broken { format: "PNG", reason: message() },
        needs(LibraryProblem::NotInstalled),
        needs(LibraryProblem::NotAt { path: "/lib/x.so".into() }),
        needs(LibraryProblem::Unloadable { path: "/lib/x.so".into(), reason: message() }),
        needs(LibraryProblem::Unfit("is too old (version 1.6, 1.10 is needed)".to_owned())),
        needs(LibraryProblem::NoDecoder { reason: message() }),
        DecodeError::Unsupported { format: "TIFF", reason: message() },
    ]
}

fn encode_errors() -> Vec<EncodeError> {
    let (path, source) = (|| std::path::PathBuf::from("/out/a.jpg"), io);
    let reason = || "a reason".to_owned();
    vec![
        EncodeError::NoFolder { path: path(), source: source() },
        EncodeError::FolderGone { path: path() },
        EncodeError::Journal { path: path(), source: source() },
        EncodeError::FolderIsFile { path: path(), source: source() },
        EncodeError::DiskFull { path: path(), source: source() },
        EncodeError::ReadOnly { path: path(), source: source() },
        EncodeError::NoPermission { path: path(), source: source() },
        EncodeError::Write { path: path(), source: source() },
        EncodeError::FileExists { path: path() },
        EncodeError::WouldReplaceSource { path: path() },
        EncodeError::Encoder { format: OutputFormat::Png, reason: reason() },
        EncodeError::Sheet { format: SheetFormat::Pdf, reason: reason() },
        EncodeError::TooLarge { format: OutputFormat::Png, kilobytes_needed: 700, limit: 500 },
    ]
}

fn all() -> Vec<StageError> {
    let decoded = decode_errors().into_iter().map(StageError::Decode);
    let encoded = encode_errors().into_iter().map(StageError::Encode);
    let others = [
        StageError::Detect(DetectError::NotYunet { model: "m".to_owned(), reason: "a reason".to_owned() }),
        StageError::Detect(DetectError::Resize { reason: "a reason".to_owned() }),
        StageError::Detect(outcome::BackendError::NotIncluded { kind: BackendKind::Rten }.into()),
        StageError::Render(RenderError::OutsidePicture {
            frame: geometry::PixelRect::new(1, 2, 3, 4),
            picture: Size::new(9, 9),
        }),
        StageError::Render(RenderError::Resize { reason: "a reason".to_owned() }),
        StageError::Background(BackgroundFault::NoPerson),
        StageError::Background(BackgroundFault::Model(outcome::RuntimeFault::NotIncluded)),
        StageError::NoRuntime(NoRuntime::NotChosen),
        StageError::NoRuntime(NoRuntime::NotOpened),
        StageError::Panicked { stage: outcome::Stage::Plan, message: "a reason".to_owned() },
    ];
    decoded.chain(encoded).chain(others).collect()
}

#[test]
fn english_texts_match_the_command_line() {
    for error in all() {
        assert_eq!(stage_error(&error), error.to_string());
    }
}

#[test]
fn every_photo_error_is_translated() {
    for language in Language::ALL.into_iter().filter(|language| *language != Language::English) {
        set_current(language);
        for error in all() {
            let text = stage_error(&error);
            assert_ne!(text, error.to_string(), "{language:?}");
            // A frame contains braces itself.
            let has_open_part = text.split('{').skip(1).any(|rest| rest.starts_with(char::is_alphabetic));
            assert!(!has_open_part, "{language:?}: {text}");
        }
    }
    set_current(Language::German);
    assert_eq!(decode_error(&DecodeError::Unreadable(io())), "die Datei kann nicht gelesen werden: a reason");
    set_current(Language::English);
}

#[test]
fn notes_and_damage_are_translated_to_german() {
    let notes = [
        CropNote::EightBits,
        CropNote::Quality { asked: 95, taken: 60, limit: 50 },
        CropNote::ExifPart,
        CropNote::SheetExists,
        CropNote::OnSheet(Box::new(CropNote::EightBits)),
    ];
    for note in &notes {
        assert_eq!(crop_note(note), note.to_string());
    }
    let cut = Damage { missing_rows: 3, rows: 20, reason: "the end is missing".to_owned() };
    assert_eq!(damage(&cut), cut.to_string());
    set_current(Language::German);
    for note in &notes {
        assert_ne!(crop_note(note), note.to_string());
    }
    let (other, text) = (crop_note(&CropNote::Other("a reason".to_owned())), damage(&cut));
    let raw = picture_note(PictureNote::RawPreview);
    set_current(Language::English);
    assert_eq!(other, "a reason");
    assert!(text.starts_with("3 von 20 Zeilen fehlen"), "{text}");
    assert_ne!(raw, PictureNote::RawPreview.to_string());
}
