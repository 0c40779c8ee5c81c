//! Output files, damaged photos, and zooming in beyond the available copy.

use std::path::PathBuf;

use egui::Role;
use egui_kittest::kittest::Queryable;

use batch::settings::Settings;
use batch::worker::{Event, FilesRequest, Request, SessionRequest};
use geometry::{PixelRect, Size};
use iron_cropper::ui::{OpenedFiles, SessionOverrides, WindowOptions};
use outcome::{Damage, DecodeError, DisplayCopy, StageError};
use recipe::{ColorPolicy, DeviceChoice, MetadataPolicy, Optimization, OutputFormat, RuntimeOptions};

use super::script::{PHOTO, Window, photo_indexed, photo_opened, two_faces};
use super::{export, open_with_output_folder, with_output_folder};

impl Window {
    /// Opens a drop-down list and picks an entry.
    #[track_caller]
    pub(super) fn choose(&mut self, list: &str, entry: &str) {
        let lists = self.harness.query_all_by_role_and_label(Role::ComboBox, list);
        lists.last().expect("a list of this name").click();
        self.steps(3);
        self.harness.get_by_role_and_label(Role::ListBoxOption, entry).click();
        self.steps(3);
    }
}

#[test]
fn output_options_reach_the_export() {
    let mut window = Window::open_with(with_output_folder(), [1280.0, 1500.0], 1.0);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.choose("Format", "WebP");
    window.slide("Quality", 70.0);
    window.choose("Colour space", "sRGB");
    window.choose("Metadata", "Nothing");
    window.click("limit to");
    window.click("Export damaged photos");
    window.sent();
    window.click("Export all");
    let (_, job) = window.sent_one(export);
    assert_eq!((job.recipe.encode.format, job.recipe.encode.quality), (OutputFormat::WebP, 70));
    assert_eq!((job.recipe.encode.color, job.recipe.encode.metadata), (ColorPolicy::Srgb, MetadataPolicy::Strip));
    assert_eq!((job.recipe.encode.max_kilobytes, job.recipe.include_damaged), (Some(500), true));
}

#[test]
fn each_format_shows_only_its_options() {
    let mut window = Window::open_with(with_output_folder(), [1280.0, 1500.0], 1.0);
    for (format, shown, hidden) in [
        ("PNG", "Compression", "Quality"),
        ("WebP", "Lossless", "Progressive"),
        ("AVIF", "Speed", "Compression"),
        ("TIFF", "Compression", "Speed"),
        ("JPEG", "Progressive", "Lossless"),
    ] {
        if format != "JPEG" || !window.has("Progressive") {
            window.choose("Format", format);
        }
        assert!(window.has(shown) && !window.has(hidden), "{format}");
    }
    window.choose("Format", "WebP");
    assert!(window.has("Quality"));
    window.click("Lossless");
    assert!(!window.has("Quality") && window.has("Compression"), "without loss there is no quality");
}

#[test]
fn damage_is_reported_with_the_missing_part() {
    let mut window = open_with_output_folder();
    window.drop_files(&["/photos/cut.jpg"]);
    let (import, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    window.answer(import, Event::ImportFound { paths: vec!["/photos/cut.jpg".into()] });
    let damage = Damage { missing_rows: 400, rows: 1000, reason: "the file ends early".to_owned() };
    for (id, request) in window.sent() {
        let mut event = match request {
            Request::Session(SessionRequest::IndexPhoto { photo, .. }) => photo_indexed(photo.item, &two_faces()),
            Request::Session(SessionRequest::OpenPhoto { photo, generation }) => {
                photo_opened(photo.item, generation, &two_faces())
            }
            _ => continue,
        };
        if let Event::PhotoIndexed { info, .. } | Event::PhotoOpened { info, .. } = &mut event {
            info.damage = Some(damage.clone());
        }
        window.answer(id, event);
    }
    assert!(window.has("cut.jpg, 2 faces, damaged"));
    assert_eq!(damage.to_string(), "400 of 1000 rows are missing, the file ends early");
}

#[test]
fn new_limits_retry_rejected_photos() {
    let mut window = Window::open_with(with_output_folder(), [1280.0, 1500.0], 1.0);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.drop_files(&["/photos/huge.png"]);
    let (import, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    window.answer(import, Event::ImportFound { paths: vec!["/photos/huge.png".into()] });
    let (index_photo, item) = window.sent_one(|request| match request {
        Request::Session(SessionRequest::IndexPhoto { photo, .. }) => Some(photo.item),
        _ => None,
    });
    let error = StageError::Decode(DecodeError::TooManyPixels { size: Size::new(30_000, 30_000), limit: 250_000_000 });
    window.answer(index_photo, Event::Failed { item: Some(item), error });
    window.click("Limits");
    window.steps(20);
    let limit = window.harness.get_by_role_and_label(Role::SpinButton, "Maximum photo size in megapixels");
    limit.set_value_accesskit(1000.0);
    window.steps(40);
    let limits = window.sent().into_iter().filter_map(|(_, request)| match request {
        Request::Session(SessionRequest::IndexPhoto { photo, .. }) => Some((photo.item, photo.limits.max_pixels)),
        _ => None,
    });
    assert_eq!(limits.collect::<Vec<_>>(), [(item, 1_000_000_000)]);
}

fn detail_rendered(request: &Request) -> Option<(PixelRect, Size)> {
    if let Request::Session(SessionRequest::RenderDetail { part, size, .. }) = request {
        Some((*part, *size))
    } else {
        None
    }
}

#[test]
fn zooming_beyond_the_copy_requests_the_visible_detail() {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.steps(20);
    window.sent();
    // The available copy has half the photo's size.
    window.harness.key_press(egui::Key::Z);
    window.steps(20);
    let sent = window.sent();
    let requests: Vec<(PixelRect, Size)> = sent.iter().filter_map(|(_, request)| detail_rendered(request)).collect();
    let [(part, size)] = requests[..] else { panic!("one request after the delay: {sent:?}") };
    assert!(part.clipped_to(PHOTO) == Some(part) && part.size() == size, "{part:?} {size}");
    for (id, request) in sent {
        if let Request::Session(SessionRequest::RenderDetail { photo, generation, .. }) = request {
            let image = DisplayCopy { size, rgba: vec![200; size.pixels() as usize * 4].into() };
            window.answer(id, Event::DetailRendered { item: photo.item, generation, part, image });
        }
    }
    window.steps(20);
    assert!(!window.sent().iter().any(|(_, request)| detail_rendered(request).is_some()), "requested once");
}

#[test]
fn session_flags_do_not_change_the_settings() {
    let settings = Settings {
        runtime_options: RuntimeOptions { threads: 3, device: DeviceChoice::Number(1), ..RuntimeOptions::default() },
        ..Settings::default()
    };
    let session = SessionOverrides {
        threads: Some(2),
        optimization: Some(Optimization::Basic),
        library: Some("/lib/onnxruntime.so".into()),
        face_models: Some("/models".into()),
        ..SessionOverrides::default()
    };
    let options = WindowOptions { settings, session, ..WindowOptions::default() };
    let mut window = Window::open_with(options, [1280.0, 800.0], 1.0);
    let (_, opened) = window.sent_one(|request| match request {
        Request::Session(SessionRequest::OpenRuntime { options, .. }) => Some(options.clone()),
        _ => None,
    });
    assert_eq!((opened.threads, opened.optimization, opened.device), (2, Optimization::Basic, DeviceChoice::Number(1)));
    assert_eq!(opened.library, Some("/lib/onnxruntime.so".into()));
    assert_eq!(opened.face_models, Some("/models".into()));
    window.steps(40);
    let saved =
        window.sent().into_iter().any(|(_, request)| matches!(request, Request::Files(FilesRequest::SaveSettings(_))));
    assert!(!saved, "nothing of it is kept");
}

#[test]
fn files_opened_by_the_system_are_added() {
    let opened = OpenedFiles::default();
    let mut window =
        Window::open_with(WindowOptions { opened: opened.clone(), ..WindowOptions::default() }, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    window.sent();
    opened.add(["/photos/anna.jpg".into(), "/photos/class".into()]);
    window.steps(1);
    let (_, paths) = window.sent_one(|request| match request {
        Request::Files(FilesRequest::Import { roots }) => Some(roots.clone()),
        _ => None,
    });
    assert_eq!(paths, [PathBuf::from("/photos/anna.jpg"), PathBuf::from("/photos/class")]);
    window.steps(1);
    let again =
        window.sent().into_iter().any(|(_, request)| matches!(request, Request::Files(FilesRequest::Import { .. })));
    assert!(!again, "once");
}
