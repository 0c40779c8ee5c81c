//! Round trips of projects, with files moved, changed or damaged in between.

use std::fs;
use std::path::{Path, PathBuf};

use cancel::CancelToken;
use geometry::{Head, ManualFrame, Point, Rect, Size};
use naming::ListSpec;
use recipe::{Overrides, Recipe, SheetSpec};

use super::*;

fn head(x: f32) -> Head {
    Head { eyes: Point::new(x, 30.3), eyes_to_crown: 30.0, eyes_to_chin: 31.0, roll: -4.1 }
}

fn edits() -> PhotoEdits {
    let (face, other) = (Rect::new(10.1, 20.0, 40.0, 50.0), Rect::new(300.0, 20.0, 40.0, 50.0));
    let mut edits = PhotoEdits { excluded: true, chosen: Some(vec![other, face]), ..PhotoEdits::default() };
    edits.set_head(face, Some(head(30.7)));
    edits.set_frame(other, Some(ManualFrame { center: Point::new(1.0, 2.0), width: 30.0, height: 40.0, angle: 12.5 }));
    edits.draw(head(600.0), vec![face]);
    let mut own = Overrides { preset: Some("avatar".to_owned()), ..Overrides::default() };
    own.crop.output = Size::new(90, 100);
    edits.overrides = Some(Box::new(own));
    edits
}

fn photo(path: &Path) -> ProjectPhoto {
    ProjectPhoto { path: path.to_owned(), ..ProjectPhoto::default() }
}

/// A folder with two photos and a project with many edits.
fn sample() -> (tempfile::TempDir, PathBuf, Project) {
    let folder = tempfile::tempdir().expect("created");
    let root = fs::canonicalize(folder.path()).expect("exists");
    fs::create_dir_all(root.join("work/photos")).expect("created");
    fs::write(root.join("work/list.xlsx"), "a list").expect("written");
    let mut project = Project { preset: Some("passport".to_owned()), ..Project::default() };
    project.settings.recipe.crop.head_height = 0.37;
    project.settings.recipe.sheet = Some(SheetSpec::default());
    project.settings.output_folder = Some(root.join("work/out"));
    project.settings.names.template = "{column:Class}/{name}".to_owned();
    let sheet = Some("Day 2".to_owned());
    project.settings.names.list = Some(ListSpec { file: root.join("work/list.xlsx"), sheet, ..ListSpec::default() });
    project.roots = vec![root.join("work/photos")];
    for name in ["b ü.jpg", "a.jpg"] {
        let path = root.join("work/photos").join(name);
        fs::write(&path, name).expect("written");
        project.photos.push(photo(&path));
    }
    project.photos[1].edits = edits();
    project.mark_photos();
    (folder, root.join("work/school.ironcrop"), project)
}

#[test]
fn a_project_round_trips_as_readable_text() {
    let (_folder, path, project) = sample();
    project.write(&path).expect("written");
    let opened = Project::read(&path).expect("read");
    assert_eq!(opened, Opened { project, changed: 0, settings_lost: Vec::new(), edits_lost: 0, output_outside: false });
    let text = fs::read_to_string(&path).expect("exists");
    for line in [
        "version = 2",
        "preset = \"passport\"",
        "crop.head_height = 0.37",
        "output_folder = \"out\"",
        "names.list.file = \"list.xlsx\"",
        "names.list.sheet = \"Day 2\"",
        "roots = [\"photos\"]",
        "path = \"photos/b ü.jpg\"",
        "edits.excluded = true",
        "edits.overrides.crop.output.width = 90",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}: {text}");
    }
    for excluded in ["window", "runtime", "recent"] {
        assert!(!text.contains(excluded), "{text}");
    }
    assert!(text.find("b ü.jpg") < text.find("a.jpg\""), "list order");
}

#[test]
fn a_project_can_be_moved_with_or_without_its_photos() {
    let (folder, path, project) = sample();
    project.write(&path).expect("written");
    let alone = folder.path().join("elsewhere/deep/school.ironcrop");
    fs::create_dir_all(alone.parent().expect("a parent")).expect("created");
    fs::copy(&path, &alone).expect("copied");
    let opened = Project::read(&alone).expect("read").project;
    assert_eq!(opened.photos, project.photos, "the photos were not moved");
    let list = |project: &Project| project.settings.names.list.as_ref().map(|list| list.file.clone());
    assert_eq!(list(&opened), list(&project), "nor was the list");
    let moved = path.parent().expect("a parent").with_file_name("moved");
    fs::rename(path.parent().expect("a parent"), &moved).expect("moved");
    let opened = Project::read(&moved.join("school.ironcrop")).expect("read").project;
    assert!(opened.photos.iter().all(|photo| !photo.missing && photo.path.starts_with(&moved)), "{opened:?}");
    assert_eq!(opened.settings.output_folder, Some(moved.join("out")));
    assert_eq!((list(&opened), opened.roots), (Some(moved.join("list.xlsx")), vec![moved.join("photos")]));
}

#[test]
fn missing_and_changed_photos_are_kept_and_reported() {
    let (_folder, path, project) = sample();
    project.write(&path).expect("written");
    fs::remove_file(&project.photos[0].path).expect("removed");
    fs::write(&project.photos[1].path, "something longer").expect("written");
    let opened = Project::read(&path).expect("read");
    assert_eq!(opened.project.photos.iter().map(|photo| photo.missing).collect::<Vec<_>>(), [true, false]);
    assert_eq!((opened.project.photos.len(), opened.changed), (2, 1));
    assert_eq!(opened.project.photos[0].mark, project.photos[0].mark, "kept for the search");
    let mut again = opened.project;
    again.mark_photos();
    assert_eq!(again.photos[0].mark, project.photos[0].mark);
}

#[test]
fn the_previous_version_is_kept_and_never_replaced_by_a_broken_one() {
    let (_folder, path, mut project) = sample();
    project.write(&path).expect("written");
    assert!(!backup_path(&path).exists());
    project.photos.pop();
    project.write(&path).expect("written");
    assert_eq!(Project::read(&backup_path(&path)).expect("read").project.photos.len(), 2);
    fs::write(&path, "version = ").expect("written");
    project.photos.clear();
    project.write(&path).expect("written");
    assert_eq!(Project::read(&backup_path(&path)).expect("read").project.photos.len(), 2, "the last valid version");
    assert_eq!(Project::read(&path).expect("read").project.photos.len(), 0);
    let names: Vec<_> = fs::read_dir(path.parent().expect("parent")).expect("readable").flatten().collect();
    assert_eq!(names.len(), 4, "photos, list, project and backup: {names:?}");
}

#[test]
fn a_failed_write_leaves_the_existing_file() {
    let (_folder, path, project) = sample();
    fs::create_dir(&path).expect("created");
    assert!(matches!(project.write(&path), Err(ProjectError::Write { .. })));
    assert_eq!(
        fs::read_dir(path.parent().expect("parent")).expect("readable").count(),
        3,
        "photos, list and folder, no temporary file"
    );
}

fn read_text(text: &str) -> Result<Opened, ProjectError> {
    let folder = tempfile::tempdir().expect("created");
    let path = folder.path().join("a.ironcrop");
    fs::write(&path, text).expect("written");
    Project::read(&path)
}

#[test]
fn files_that_are_no_project_are_rejected_with_a_reason() {
    for (text, words) in [
        ("version = 3", "a newer Iron Cropper (format 3)"),
        ("", "format version is missing"),
        ("version = 0", "format version is missing"),
        ("version = 'one'", "format version is missing"),
        ("{\"version\": 1}", "is not a project, or is damaged"),
        ("version = 1\nphotos = 3", "its photos are not a list"),
        ("version = 1\nsettings = 3", "its settings are not a table"),
        ("version = 1\n[[photos]]\nbytes = 3", "photo 1 has no path"),
        ("version = 1\n[[photos]]\npath = ''", "photo 1 has no path"),
        ("version = 1\n[[photos]]\npath = 3", "photo 1: invalid type"),
        ("version = 1\n\n[[photos]]\npath = 'a", "line 4: "),
    ] {
        let refused = read_text(text).expect_err(text).to_string();
        assert!(refused.contains(words), "{text}: {refused}");
    }
    let folder = tempfile::tempdir().expect("created");
    assert!(matches!(Project::read(folder.path()), Err(ProjectError::Read { .. })), "a folder");
    fs::write(folder.path().join("x.ironcrop"), [0xff, 0xfe, 0x00]).expect("written");
    assert!(matches!(Project::read(&folder.path().join("x.ironcrop")), Err(ProjectError::NotUnderstood { .. })));
}

#[test]
fn invalid_numbers_and_unknown_entries_are_tolerated() {
    let opened = read_text(
        "version = 1\nbrand_new = 'ignored'\n[settings]\ncrop.head_height = nan\ncrop.output = { width = 0, height = 5 }\n\
         encode.format = 'of-the-future'\nlimits.max_pixels = 0\ninclude_damaged = true\nwindow.width = 3.0\n\
         [[photos]]\npath = 'a.jpg'\nbytes = -3\nmodified = 'yesterday'\nedits.left_out = true\nedits.unknown = 1\n\
         edits.drawn = [{ eyes = { x = inf, y = nan }, eyes_to_crown = 1e30, eyes_to_chin = -1.0, roll = 4.0 }]\n\
         edits.overrides.crop.head_height = 1e30\n\
         [[photos]]\npath = 'b.jpg'\nedits.chosen = 'everyone'\n",
    )
    .expect("read");
    let defaults = Settings::default();
    let expected = Settings { recipe: Recipe { include_damaged: true, ..defaults.recipe.clone() }, ..defaults.clone() };
    assert_eq!(opened.project.settings, expected);
    assert_eq!(
        (opened.settings_lost, opened.edits_lost),
        (["encode", "crop", "limits"].map(str::to_owned).to_vec(), 1)
    );
    let [a, b] = &opened.project.photos[..] else { panic!("two") };
    assert!(a.missing && a.mark.is_none() && a.edits.excluded);
    assert!(a.edits.applied_to(&[]).faces.is_empty(), "no such head");
    assert_eq!(a.edits.overrides.as_ref().expect("its own").crop.head_height, defaults.recipe.crop.head_height);
    assert_eq!(b.edits, PhotoEdits::default());
}

#[test]
fn outputs_outside_the_output_folder_are_moved_into_it_and_reported() {
    let opened = read_text(
        "version = 1\nphotos = []\n[settings]\nplace.folder = '..'\n\
         variants = [{ place = { folder = 'a/../../b' } }, { place = { folder = 'c', suffix = '/etc/d' } }, { place = { folder = 'ok' } }]\n",
    )
    .expect("read");
    let recipe = &opened.project.settings.recipe;
    let folders: Vec<String> = recipe.outputs().map(|output| output.place.folder).collect();
    assert_eq!(folders, ["output-1", "output-2", "output-3", "ok"]);
    assert_eq!(recipe.check_outputs(), Ok(()));
    assert_eq!(opened.settings_lost, ["place", "variants"]);
    let unknown = read_text("version = 1\nphotos = []\n[settings]\nvariants = [{ encode = { format = 'new' } }]\n");
    assert_eq!(unknown.expect("read").settings_lost, ["variants"], "a value of a newer program");
}

#[cfg(unix)]
#[test]
fn invalid_utf8_names_and_relative_paths_round_trip() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().expect("created");
    let name = std::ffi::OsStr::from_bytes(b"\xff%.jpg");
    let photos = vec![photo(&folder.path().join(name)), photo(Path::new("Cargo.toml"))];
    let project = Project { photos, ..Project::default() };
    let path = folder.path().join("a.ironcrop");
    project.write(&path).expect("written");
    let read = Project::read(&path).expect("read").project;
    assert_eq!(read.photos[0].path, folder.path().join(name));
    assert_eq!(read.photos[1].path, std::env::current_dir().expect("exists").join("Cargo.toml"));
}

#[test]
fn photos_are_found_once_each_by_name_and_length() {
    let folder = tempfile::tempdir().expect("created");
    let put = |path: &str, content: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("parent")).expect("created");
        fs::write(&path, content).expect("written");
        path
    };
    let (day_1, day_2) = (put("x/day 1/a.jpg", "first"), put("x/day 2/A.JPG", "other"));
    put("x/b.jpg", "of another length");
    let mark = |bytes| Some(FileMark { bytes, modified: None });
    let wanted = |path: &str, mark| MissingPhoto { path: path.into(), mark };
    let all = [
        wanted("/old/day 2/A.JPG", mark(5)),
        wanted("/old/day 1/a.jpg", mark(5)),
        wanted("/old/b.jpg", mark(3)),
        wanted("/old/c.jpg", None),
        wanted("/old/third/a.jpg", mark(5)),
    ];
    let found = find_photos(folder.path(), &all, &CancelToken::new());
    assert_eq!(found, [Some(day_2), Some(day_1), None, None, None]);
}

#[test]
fn projects_are_recognised_by_their_names() {
    for (name, is) in
        [("a.ironcrop", true), ("a.IRONCROP", true), ("a.ironcrop~", true), ("a.jpg", false), ("ironcrop", false)]
    {
        assert_eq!(is_project(Path::new(name)), is, "{name}");
    }
}

#[test]
fn a_long_list_is_written_and_read_quickly() {
    let (folder, path, mut project) = sample();
    let names = (0..2000).map(|number| photo(&folder.path().join(format!("{number}.jpg"))));
    project.photos.extend(names.map(|photo| ProjectPhoto { edits: edits(), ..photo }));
    project.write(&path).expect("written");
    assert_eq!(Project::read(&path).expect("read").project.photos.len(), 2002);
}
