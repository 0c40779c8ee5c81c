//! The window in other languages.

use egui::Role;
use egui_kittest::kittest::Queryable;

use batch::settings::{LanguageChoice, Settings};
use batch::worker::{Event, FilesRequest, Request, SessionRequest};
use iron_cropper::ui::{FontFallback, Language, WindowOptions};

use super::script::{Window, two_faces};

fn open(choice: LanguageChoice, system: Option<Language>) -> Window {
    let mut settings = Settings::default();
    settings.window.language = choice;
    let options = WindowOptions { settings, system_language: system, ..WindowOptions::default() };
    let mut window = Window::open_with(options, [1280.0, 1000.0], 1.0);
    window.steps(2);
    window
}

#[test]
fn the_language_comes_from_the_settings_or_the_system() {
    let german = open(LanguageChoice::German, Some(Language::French));
    assert!(german.has("Alle exportieren") && german.has("Kopfhöhe") && !german.has("Export all"));
    drop(german);
    let french = open(LanguageChoice::System, Some(Language::French));
    assert!(french.has("Tout exporter"));
    drop(french);
    let japanese = open(LanguageChoice::System, Some(Language::Japanese));
    assert!(japanese.has("すべて書き出す") && japanese.has("頭部の高さ"));
    drop(japanese);
    let english = open(LanguageChoice::System, None);
    assert!(english.has("Export all"));
    drop(english);
    let spanish = open(LanguageChoice::Spanish, None);
    assert!(spanish.has("Exportar todo"));
}

#[test]
fn the_menu_switches_the_language_and_saves_it() {
    let mut window = open(LanguageChoice::English, None);
    window.sent();
    window.ctrl(egui::Key::K);
    window.type_text("Deutsch");
    window.press(egui::Key::Enter);
    assert!(window.has("Alle exportieren") && window.has("Vorlage"));
    window.steps(80);
    let (_, saved) = window.sent_one(|request| match request {
        Request::Files(FilesRequest::SaveSettings(settings)) => Some(settings.window.language),
        _ => None,
    });
    assert_eq!(saved, LanguageChoice::German);
}

#[test]
fn numbers_and_counts_follow_the_language() {
    let mut window = open(LanguageChoice::German, None);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg"], &two_faces());
    assert!(window.has("anna.jpg, 2 Gesichter"));
    let score = window.harness.get_by_role_and_label(Role::SpinButton, "Mindestwert");
    let shown = score.value().unwrap_or_default();
    assert!(shown.contains(','), "{shown}");
    window.slide("Mindestwert", 0.95);
    assert!(window.has("anna.jpg, kein Gesicht"));
}

#[test]
fn worker_messages_are_translated_and_library_messages_quoted() {
    let mut window = open(LanguageChoice::German, None);
    window.drop_files(&["/photos/gone.jpg"]);
    let (import, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    window.answer(import, Event::ImportFound { paths: vec!["/photos/gone.jpg".into()] });
    let index_photo = window
        .sent()
        .into_iter()
        .find(|(_, request)| matches!(request, Request::Session(SessionRequest::IndexPhoto { .. })));
    let denied = outcome::DecodeError::Unreadable(std::io::Error::other("permission denied"));
    let (id, _) = index_photo.expect("an index request");
    window.answer(id, Event::Failed { item: None, error: denied.into() });
    assert!(window.shows("gone.jpg, fehlgeschlagen: die Datei kann nicht gelesen werden: permission denied"));
}

#[test]
fn without_a_japanese_font_the_window_warns_and_stays_english() {
    let mut settings = Settings::default();
    settings.window.language = LanguageChoice::Japanese;
    let options = WindowOptions { settings, font_fallback: FontFallback::Missing, ..WindowOptions::default() };
    let mut window = Window::open_with(options, [1280.0, 800.0], 1.0);
    window.steps(2);
    assert!(window.has("Export all") && window.shows("No Japanese font is installed"));
}
