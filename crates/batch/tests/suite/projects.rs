//! Projects and watched folders with the real files lane.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use batch::project::{Project, ProjectPhoto};
use batch::worker::{Event, FilesRequest, ProjectEvent, ProjectTask, Reply, WatchProblem, WorkerHandle, WorkerPort};
use geometry::{Head, ManualFrame, Point, Rect};
use import::WatchSpec;
use recipe::{AssignedRow, PhotoEdits, SheetSpec, Variant};
use test_support::{folder, put_portrait};

fn worker() -> WorkerHandle {
    WorkerHandle::spawn_with(Box::new(|_| unreachable!("no runtime is requested")), None, Arc::new(|| {}))
        .expect("starts")
}

fn next(worker: &WorkerHandle) -> Event {
    let start = Instant::now();
    loop {
        if let Some(Reply { event, .. }) = worker.try_recv() {
            return event;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "no answer");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_project_is_saved_and_opened_and_missing_photos_are_found() {
    let folder = folder();
    let photo = put_portrait(folder.path(), "a.png");
    let path = folder.path().join("school.ironcrop");
    let photos = vec![ProjectPhoto { path: photo.clone(), ..ProjectPhoto::default() }];
    let project = Arc::new(Project { photos, ..Project::default() });
    let worker = worker();
    worker.send(FilesRequest::Project(ProjectTask::Save(path.clone(), project)).into());
    assert!(matches!(next(&worker), Event::Project(ProjectEvent::Saved(Ok(())))));
    fs::create_dir(folder.path().join("moved")).expect("created");
    fs::rename(&photo, folder.path().join("moved/a.png")).expect("moved");
    worker.send(FilesRequest::Project(ProjectTask::Open(path)).into());
    let Event::Project(ProjectEvent::Opened(Ok(opened))) = next(&worker) else { panic!("not opened") };
    let photo = &opened.project.photos[0];
    assert!(photo.missing && photo.mark.is_some(), "its mark was stored on saving");
    let missing = batch::project::MissingPhoto { path: photo.path.clone(), mark: photo.mark };
    let item = batch::worker::ItemId(7);
    worker.send(
        FilesRequest::Project(ProjectTask::FindPhotos {
            folder: folder.path().to_owned(),
            wanted: vec![(item, missing)],
        })
        .into(),
    );
    let Event::Project(ProjectEvent::Found(found)) = next(&worker) else { panic!("not found") };
    assert_eq!(found, [(item, folder.path().join("moved/a.png"))]);
}

/// The keys in a project's file, including those of nested tables.
fn entries(path: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(path).expect("written");
    let whole: toml::Table = text.parse().expect("TOML");
    let photos = whole["photos"].as_array().expect("a list").iter().filter_map(toml::Value::as_table);
    let edits = photos.clone().filter_map(|photo| photo.get("edits")?.as_table());
    let settings = whole["settings"].as_table().into_iter();
    [&whole].into_iter().chain(settings).chain(photos).chain(edits).flat_map(toml::Table::keys).cloned().collect()
}

#[test]
fn every_entry_of_the_file_is_documented() {
    let folder = folder();
    let photo = put_portrait(folder.path(), "a.png");
    let (face, head) = (Rect::new(10.0, 20.0, 40.0, 50.0), |x| Head {
        eyes: Point::new(x, 30.0),
        eyes_to_crown: 30.0,
        eyes_to_chin: 31.0,
        roll: 4.0,
    });
    let mut edits = PhotoEdits {
        excluded: true,
        accepted: true,
        reviewed_warnings: vec!["blurred".to_owned()],
        ..Default::default()
    };
    edits.set_head(face, Some(head(30.0)));
    edits.set_frame(face, Some(ManualFrame { center: face.center(), width: 30.0, height: 40.0, angle: 0.0 }));
    edits.draw(head(600.0), vec![face]);
    edits.overrides = Some(Box::default());
    edits.name = Some("Anna".to_owned());
    edits.row = Some(AssignedRow { line: 7, text: "IMG_7".to_owned() });
    let photo = ProjectPhoto { path: photo, edits, ..ProjectPhoto::default() };
    let state_of = Some(folder.path().join("school.ironcrop"));
    let mut project = Project { preset: Some("avatar".to_owned()), state_of, ..Project::default() };
    project.settings.output_folder = Some(folder.path().to_owned());
    project.settings.recipe.sheet = Some(SheetSpec::default());
    project.settings.recipe.place.suffix = "_x".to_owned();
    project.settings.recipe.package.zip = true;
    project.settings.recipe.variants = vec![Variant::default()];
    project.roots = vec![folder.path().to_owned()];
    project.photos.push(photo);
    project.mark_photos();
    let path = folder.path().join("kept.ironcrop");
    project.write(&path).expect("written");
    let mut written = entries(&path);
    // All kinds of edits are present here: a new one has to be added above.
    let PhotoEdits {
        excluded: _,
        accepted: _,
        reviewed_warnings: _,
        chosen: _,
        heads: _,
        frames: _,
        drawn: _,
        overrides: _,
        name: _,
        row: _,
        card: _,
    } = &project.photos[0].edits;
    for name in [
        "state_of",
        "roots",
        "names",
        "place",
        "package",
        "variants",
        "bytes",
        "modified",
        "excluded",
        "accepted",
        "reviewed_warnings",
        "chosen",
        "heads",
        "frames",
        "drawn",
        "row",
    ] {
        assert!(written.contains(name), "{name} was not written: {written:?}");
    }
    // Names that are not valid Unicode, which not every file system supports.
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStrExt;
        let strange = folder.path().join(std::ffi::OsStr::from_bytes(b"a\xff"));
        fs::create_dir(&strange).expect("created");
        project.state_of = Some(strange.join("a.ironcrop"));
        project.photos[0].path = strange.join(std::ffi::OsStr::from_bytes(b"\xfe.png"));
        let path = strange.join("kept.ironcrop");
        project.write(&path).expect("written");
        written.extend(entries(&path));
        assert!(["escaped_path", "escaped_saved_in", "escaped_state_of"].iter().all(|name| written.contains(*name)));
    }
    let page = test_support::root().join("docs/user/projects.md");
    let page = fs::read_to_string(page).expect("text");
    let table: String = page.lines().filter(|line| line.starts_with("| `")).collect();
    let missing: Vec<&String> = written.iter().filter(|name| !table.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "docs/user/projects.md lacks {missing:?}");
}

#[test]
fn a_watch_does_not_block_other_requests() {
    let folder = folder();
    let worker = worker();
    worker.send(FilesRequest::Watch(WatchSpec::new_photos(folder.path().to_owned())).into());
    worker.send(FilesRequest::LoadText { path: PathBuf::from("no such file"), max_bytes: 1 }.into());
    assert!(matches!(next(&worker), Event::TextLoaded(Err(_))), "other requests are not blocked");
    worker.send(FilesRequest::Watch(WatchSpec::new_photos(folder.path().join("none"))).into());
    assert!(matches!(next(&worker), Event::WatchEnded { problem: Some(WatchProblem::Gone { .. }) }));
    let start = Instant::now();
    drop(worker);
    assert!(start.elapsed() < Duration::from_millis(900), "the end is not blocked");
}
