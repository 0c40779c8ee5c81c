//! The worker's part of projects and watched folders, with the real clerk.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use iron_cropper::import::WatchSpec;
use iron_cropper::project::{Project, ProjectPhoto};
use iron_cropper::worker::{Event, ProjectErrand, ProjectEvent, Reply, Request, WorkerHandle, WorkerPort};

use crate::support::{folder, put_portrait};

fn clerk() -> WorkerHandle {
    WorkerHandle::spawn_with(Box::new(|_| unreachable!("no runtime is asked for")), None, Arc::new(|| {}))
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
fn the_clerk_saves_opens_and_finds_again() {
    let folder = folder();
    let photo = put_portrait(folder.path(), "a.png");
    let path = folder.path().join("school.ironcrop");
    let photos = vec![ProjectPhoto { path: photo.clone(), ..ProjectPhoto::default() }];
    let project = Arc::new(Project { photos, ..Project::default() });
    let worker = clerk();
    worker.send(Request::Project(ProjectErrand::Save(path.clone(), project)));
    assert!(matches!(next(&worker), Event::Project(ProjectEvent::Saved(Ok(())))));
    fs::create_dir(folder.path().join("moved")).expect("made");
    fs::rename(&photo, folder.path().join("moved/a.png")).expect("moved");
    worker.send(Request::Project(ProjectErrand::Open(path)));
    let Event::Project(ProjectEvent::Opened(Ok(opened))) = next(&worker) else { panic!("opened") };
    let photo = &opened.project.photos[0];
    assert!(photo.missing && photo.mark.is_some(), "what its file was like was noted when it was saved");
    let wanted = iron_cropper::project::Wanted { path: photo.path.clone(), mark: photo.mark };
    let item = iron_cropper::worker::ItemId(7);
    worker.send(Request::Project(ProjectErrand::FindPhotos {
        folder: folder.path().to_owned(),
        wanted: vec![(item, wanted)],
    }));
    let Event::Project(ProjectEvent::Found(found)) = next(&worker) else { panic!("found") };
    assert_eq!(found, [(item, folder.path().join("moved/a.png"))]);
}

#[test]
fn a_watch_holds_up_nobody() {
    let folder = folder();
    let worker = clerk();
    worker.send(Request::Watch(WatchSpec::coming(folder.path().to_owned())));
    worker.send(Request::LoadText { path: PathBuf::from("no such file"), most_bytes: 1 });
    assert!(matches!(next(&worker), Event::TextLoaded(Err(_))), "other errands are not held up");
    worker.send(Request::Watch(WatchSpec::coming(folder.path().join("none"))));
    assert!(matches!(next(&worker), Event::WatchEnded { reason: Some(words) } if words.contains("not there")));
    let start = Instant::now();
    drop(worker);
    assert!(start.elapsed() < Duration::from_millis(900), "nor the end");
}
