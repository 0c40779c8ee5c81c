//! Projects on the command line, compared with the window.

use std::path::Path;

use batch::project::{Project, ProjectPhoto};
use geometry::{Rect, Size};
use recipe::{OutputFormat, OutputPlace, Overrides, PhotoEdits, Select, Variant, find_preset};

use crate::support::{folder, names, put_portrait, read_picture, run};

/// A project in `folder` with three portraits: one with the shared settings, one with a custom size, one excluded.
fn put_project(folder: &Path) -> std::path::PathBuf {
    let photo = |name: &str, edits: PhotoEdits| {
        let path = put_portrait(&folder.join("photos"), name);
        ProjectPhoto { path, edits, ..ProjectPhoto::default() }
    };
    let mut own = Overrides::default();
    own.crop.output = Size::new(60, 80);
    let mut project = Project::default();
    project.settings.recipe.crop.output = Size::new(100, 120);
    project.settings.recipe.encode.format = OutputFormat::Png;
    project.settings.output_folder = Some(folder.join("crops"));
    project.photos = vec![
        photo("list.png", PhotoEdits::default()),
        photo("own.png", PhotoEdits { overrides: Some(Box::new(own)), ..PhotoEdits::default() }),
        photo("out.png", PhotoEdits { excluded: true, ..PhotoEdits::default() }),
        photo("none.png", PhotoEdits { chosen: Some(Vec::new()), ..PhotoEdits::default() }),
    ];
    let path = folder.join("school.ironcrop");
    project.write(&path).expect("written");
    path
}

fn sizes(folder: &Path) -> Vec<(String, (u32, u32))> {
    let size = |name: &String| {
        let picture = read_picture(folder.join(name));
        (picture.width(), picture.height())
    };
    names(folder).iter().map(|name| (name.clone(), size(name))).collect()
}

#[test]
fn a_project_is_cropped_with_its_edits_into_its_folder() {
    let folder = folder();
    let project = put_project(folder.path());
    let result = run(["crop".as_ref(), project.as_os_str(), "--json".as_ref()]).expect(0);
    let outcomes = result.outcomes();
    assert_eq!(outcomes.len(), 3, "excluded photos are not cropped: {outcomes:?}");
    assert_eq!((outcomes["list.png"].as_str(), outcomes["none.png"].as_str()), ("cropped", "excluded"));
    let written: Vec<(u32, u32)> = sizes(&folder.path().join("crops")).into_iter().map(|(_, size)| size).collect();
    assert_eq!(written, [(100, 120), (60, 80)]);
}

#[test]
fn the_file_of_a_photo_with_its_own_preset_meets_the_rules_of_its_receiver() {
    let folder = folder();
    let path = put_portrait(&folder.path().join("photos"), "own.png");
    let own = Overrides { crop: find_preset("active-directory").expect("exists").spec(), ..Overrides::default() };
    let edits = PhotoEdits { overrides: Some(Box::new(own)), ..PhotoEdits::default() };
    let mut project = Project::default();
    project.settings.recipe.encode.format = OutputFormat::Png;
    project.photos = vec![ProjectPhoto { path, edits, ..ProjectPhoto::default() }];
    let path = folder.path().join("staff.ironcrop");
    project.write(&path).expect("written");
    let out = folder.path().join("out");
    let crop = ["crop".as_ref(), path.as_os_str(), "-o".as_ref(), out.as_os_str()];
    run(crop).expect(0);
    assert_eq!(names(&out), ["own.jpg"], "not PNG");
    assert!(std::fs::metadata(out.join("own.jpg")).expect("exists").len() <= 10_000);
    let result = run(crop.iter().chain(&["--format".as_ref(), "tiff".as_ref()])).expect(0);
    let note = "--format TIFF does not apply to 1 photo whose own preset requires JPEG";
    assert!(result.stderr.contains(note), "{}", result.stderr);
}

#[test]
fn the_folders_of_a_project_are_mirrored_and_its_variants_written() {
    let folder = folder();
    let photos = folder.path().join("photos");
    let path = put_portrait(&photos.join("3b"), "anna.png");
    let mut project = Project { roots: vec![photos], ..Project::default() };
    project.settings.output_folder = Some(folder.path().join("crops"));
    project.settings.names.folders = naming::Folders::Mirror;
    let place = OutputPlace { folder: "small".to_owned(), ..OutputPlace::default() };
    project.settings.recipe.variants = vec![Variant { place, ..Variant::default() }];
    project.photos = vec![ProjectPhoto { path, ..ProjectPhoto::default() }];
    let file = folder.path().join("school.ironcrop");
    project.write(&file).expect("written");
    run(["crop".as_ref(), file.as_os_str()]).expect(0);
    for crop in ["crops/3b/anna.jpg", "crops/small/3b/anna.jpg"] {
        assert!(folder.path().join(crop).is_file(), "{crop}");
    }
    // Without added folders, as in the window: below the folder that contains all photos.
    project.roots.clear();
    let path = put_portrait(&folder.path().join("photos/4a"), "ben.png");
    project.photos.push(ProjectPhoto { path, ..ProjectPhoto::default() });
    project.settings.output_folder = Some(folder.path().join("more"));
    project.write(&file).expect("written");
    run(["crop".as_ref(), file.as_os_str()]).expect(0);
    assert!(folder.path().join("more/3b/anna.jpg").is_file() && folder.path().join("more/4a/ben.jpg").is_file());
}

#[test]
fn a_photo_without_chosen_faces_is_excluded_not_failed() {
    let folder = folder();
    let project = put_project(folder.path());
    let report = folder.path().join("report.json");
    let given = ["crop".as_ref(), project.as_os_str(), "--report".as_ref(), report.as_os_str()];
    let result = run(given).expect(0);
    for words in ["none.png: excluded, no faces selected", "3 inputs: 2 cropped, 1 excluded"] {
        assert!(result.stdout.contains(words), "{words}: {}", result.stdout);
    }
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&report).expect("written")).expect("JSON");
    assert_eq!(report["summary"]["outcomes"], serde_json::json!({ "cropped": 2, "excluded": 1 }));
    let row = report["photos"].as_array().expect("a list").iter().find(|row| row["outcome"] == "excluded");
    assert_eq!(row.expect("reported")["needs_review"], serde_json::json!([]));
    let journal = folder.path().join("crops/.iron-cropper/journal-1.jsonl");
    assert!(run(["report".as_ref(), journal.as_os_str()]).expect(0).stdout.contains("2 cropped, 1 excluded"));
    let again = run(["crop".as_ref(), project.as_os_str(), "--resume".as_ref(), "--json".as_ref()]).expect(0);
    assert_eq!(again.outcomes()["none.png"], "excluded");
}

#[test]
fn flags_override_the_shared_settings() {
    let folder = folder();
    let project = put_project(folder.path());
    let out = folder.path().join("elsewhere");
    run(["crop".as_ref(), project.as_os_str(), "-o".as_ref(), out.as_os_str(), "--width".as_ref(), "50".as_ref()])
        .expect(0);
    let written: Vec<(u32, u32)> = sizes(&out).into_iter().map(|(_, size)| size).collect();
    assert_eq!(written, [(50, 60), (60, 80)], "the shared aspect ratio; overrides are kept");
    assert!(!folder.path().join("crops").exists());
    let out = folder.path().join("preset");
    let flags = ["--preset", "avatar", "--format", "jpeg"].map(std::ffi::OsStr::new);
    run(["crop".as_ref(), project.as_os_str(), "-o".as_ref(), out.as_os_str()].into_iter().chain(flags)).expect(0);
    assert!(sizes(&out).iter().all(|(name, _)| name.ends_with(".jpg")));
    assert_eq!(sizes(&out)[0].1, (512, 512));
}

#[test]
fn invalid_projects_are_rejected_with_a_message() {
    let folder = folder();
    let project = put_project(folder.path());
    let photo = put_portrait(folder.path(), "a.png");
    let result =
        run(["crop".as_ref(), project.as_os_str(), photo.as_os_str(), "-o".as_ref(), "out".as_ref()]).expect(2);
    assert!(result.stderr.contains("a project cannot be combined"), "{}", result.stderr);
    let result = run(["crop".as_ref(), photo.as_os_str()]).expect(2);
    assert!(result.stderr.contains("--output DIR"), "{}", result.stderr);
    let broken = folder.path().join("broken.ironcrop");
    std::fs::write(&broken, "version = 9").expect("written");
    let result = run(["crop".as_ref(), broken.as_os_str(), "-o".as_ref(), "out".as_ref()]).expect(2);
    assert!(result.stderr.contains("a newer Iron Cropper"), "{}", result.stderr);
}

#[test]
fn a_manual_choice_overrides_the_spec() {
    let folder = folder();
    let project = put_project(folder.path());
    let mut opened = Project::read(&project).expect("read").project;
    opened.settings.recipe.crop.select = Select::Largest;
    // No face is at this box: a choice whose face is missing is still a choice.
    opened.photos[0].edits.chosen = Some(vec![Rect::new(1.0, 1.0, 9.0, 9.0)]);
    opened.photos.truncate(1);
    opened.write(&project).expect("written");
    let result = run(["crop".as_ref(), project.as_os_str(), "--json".as_ref()]).expect(1);
    assert_eq!(result.outcomes()["list.png"], "no_face");
}

#[test]
fn corrected_cards_name_the_photos_after_them() {
    let folder = folder();
    let photo = |name: &str, edits: PhotoEdits| {
        let path = put_portrait(&folder.path().join("photos"), name);
        ProjectPhoto { path, edits, ..ProjectPhoto::default() }
    };
    let card = |text: &str, excluded| PhotoEdits { card: Some(text.to_owned()), excluded, ..PhotoEdits::default() };
    let mut project = Project::default();
    project.settings.recipe.crop.output = Size::new(80, 100);
    project.settings.output_folder = Some(folder.path().join("crops"));
    project.settings.names.cards = true;
    project.photos = vec![
        photo("a.png", card("00007", false)),
        photo("b.png", PhotoEdits::default()),
        photo("c.png", card("00014", true)),
        photo("d.png", card(" ", false)),
    ];
    let path = folder.path().join("school.ironcrop");
    project.write(&path).expect("written");
    let result = run(["crop".as_ref(), path.as_os_str()]).expect(0);
    assert_eq!(names(&folder.path().join("crops")), ["00007 (2).jpg", "00007.jpg", "00014.jpg"], "{}", result.stderr);
    assert!(result.stderr.contains("2 of 4 photos show a card"), "{}", result.stderr);
}
