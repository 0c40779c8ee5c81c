//! Every request of every lane ends with exactly one terminal event.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use batch::diagnostics::DiagnosisSpec;
use batch::latency::CompareSpec;
use batch::platform::HOME_VARIABLE;
use batch::worker::{
    CameraEnd, CameraError, CameraFrame, CameraRequest, Event, ExportItem, ExportJob, FilesRequest, ItemId,
    JournalPlace, PhotoRef, ProbesRequest, ProjectTask, Reply, Request, RequestId, RunQuery, RunsOf, SessionRequest,
    ThumbnailsRequest, WorkerHandle, WorkerPort,
};
use cancel::Generation;
use geometry::{PixelRect, Size};
use import::{PathKind, PathQuery, WatchSpec};
use naming::name_list::{Columns, NameMatch, NameTable};
use naming::{NameTemplate, PhotoName, Roster};
use outcome::{DisplayCopy, OpenError};
use plan::PlannedCrop;
use recipe::{
    BackendKind, CropSpec, DecodeLimits, Depth, DetectSpec, FaceChoice, FinishSpec, OnConflict, OutputSpec, Recipe,
    RuntimeChoice, RuntimeOptions,
};
use test_support::{FakeCameras, folder, portrait, put_portrait};

/// Timeout for a reply.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The crop of the preview.
const CROP: PlannedCrop = PlannedCrop::upright(PixelRect::new(0, 0, 40, 50), Size::new(40, 50));

/// One request of each kind about the photos and files in `folder`. No runtime can be opened, and there is no model, so
/// that none of them takes long.
fn requests(folder: &Path) -> Vec<Request> {
    let none = || folder.join("none");
    let (model, options) = (Some(none()), RuntimeOptions::default());
    let photo = || PhotoRef {
        item: ItemId(1),
        path: folder.join("a.png"),
        limits: DecodeLimits::default(),
        detect: DetectSpec::default(),
    };
    let (generation, render) = (Generation(1), CropSpec::default().render_spec(FinishSpec::default()));
    let (part, size) = (PixelRect::new(0, 0, 8, 8), Size::new(8, 8));
    let compare = CompareSpec {
        photos: vec![folder.join("a.png")],
        runtimes: vec![BackendKind::Tract],
        warmup: 1,
        repeats: 1,
        options: options.clone(),
        model: model.clone(),
        detect: DetectSpec::default(),
        limits: DecodeLimits::default(),
        recipe: Recipe::default(),
    };
    let frame = || {
        let picture = picture::decode_file(&portrait(), &DecodeLimits::default()).expect("decodes");
        CameraFrame::new(picture).expect("fits")
    };
    let diagnosis = DiagnosisSpec { model: model.clone(), ..DiagnosisSpec::default() };
    let picture = DisplayCopy { size: Size::new(1, 1), rgba: vec![1, 2, 3, 255].into() };
    let of = RunsOf::Folders(vec![folder.to_owned()]);
    let run = RunQuery { output: folder.join("out"), place: JournalPlace::Beside { shard: None }, of };
    let typed = folder.join("a").display().to_string();
    let (text, replace) = ("a text".to_owned(), false);
    let table = NameTable { headings: vec!["name".to_owned()], rows: Vec::new() };
    let roster = Roster { table: Arc::new(table), sheet: 0, columns: Columns::default(), found: NameMatch::default() };
    let roster = Arc::new(roster);
    vec![
        SessionRequest::OpenRuntime {
            choice: RuntimeChoice::Auto,
            model: model.clone(),
            options: options.clone(),
            at_once: false,
        }
        .into(),
        SessionRequest::OpenSecondary { runtime: None, model: model.clone(), options: options.clone() }.into(),
        SessionRequest::OpenPhoto { photo: photo(), generation }.into(),
        SessionRequest::RenderDetail { photo: photo(), generation, part, size }.into(),
        SessionRequest::RenderPreview { photo: photo(), generation, crop: CROP, render, max_side: 20 }.into(),
        SessionRequest::RenderTile { photo: photo(), crop: CROP, render, max_side: 20 }.into(),
        SessionRequest::IndexPhoto { photo: photo(), thumbnail_side: 32 }.into(),
        SessionRequest::SearchFrame { frame: frame(), detect: DetectSpec::default() }.into(),
        SessionRequest::Export(Arc::new(job(photo(), folder.join("out")))).into(),
        SessionRequest::Compare(Arc::new(compare)).into(),
        FilesRequest::Import { roots: vec![folder.to_owned(), none()] }.into(),
        FilesRequest::Watch(WatchSpec::new_photos(none())).into(),
        FilesRequest::WritePasted(picture).into(),
        FilesRequest::WriteShot(frame()).into(),
        FilesRequest::Project(ProjectTask::Open(none())).into(),
        FilesRequest::FindRun(run).into(),
        FilesRequest::WriteReport { journals: vec![none()], output: None }.into(),
        FilesRequest::SaveSettings(Box::default()).into(),
        FilesRequest::SaveText { path: folder.join("text"), text, replace }.into(),
        FilesRequest::LoadText { path: folder.join("text"), max_bytes: 9 }.into(),
        FilesRequest::CompletePath(PathQuery { typed, want: PathKind::Files(&["png"]) }).into(),
        FilesRequest::NamePhotos { query: Arc::default(), reread: false }.into(),
        FilesRequest::FindRows { roster, typed: "a".to_owned(), max: 9 }.into(),
        ProbesRequest::TryRuntimes { model: model.clone(), options: options.clone(), afresh: true }.into(),
        ProbesRequest::DescribeModel { model, face_models: false, options }.into(),
        ProbesRequest::Diagnose(Box::new(diagnosis)).into(),
        ThumbnailsRequest::FindThumbnail { photo: photo(), side: 32 }.into(),
        ThumbnailsRequest::ReadCards { photos: vec![photo()] }.into(),
        CameraRequest { camera: None }.into(),
    ]
}

fn job(photo: PhotoRef, folder: PathBuf) -> ExportJob {
    ExportJob {
        items: vec![ExportItem {
            photo,
            faces: FaceChoice::BySpec,
            name: PhotoName::default(),
            recipe: None,
            card: None,
        }],
        depth: Depth::Write,
        recipe: Recipe::default(),
        output: OutputSpec { folder, on_conflict: OnConflict::Suffix },
        template: NameTemplate::default(),
        originals: Vec::new(),
        ignored: Vec::new(),
        workers: 1,
        journal: None,
    }
}

/// True if `event` is a terminal event of a request that was not cancelled. A new request has to be added here and to
/// [`requests`].
fn is_answer(request: &Request, event: &Event) -> bool {
    match request {
        Request::Session(request) => is_session_answer(request, event),
        Request::Files(request) => is_files_answer(request, event),
        Request::Probes(ProbesRequest::TryRuntimes { .. }) => matches!(event, Event::RuntimesTried(_)),
        Request::Probes(ProbesRequest::DescribeModel { .. }) => {
            matches!(event, Event::ModelDescribed(pages) if pages.len() == 1 && pages[0].is_err())
        }
        Request::Probes(ProbesRequest::Diagnose(_)) => matches!(event, Event::Diagnosed(_)),
        Request::Thumbnails(ThumbnailsRequest::FindThumbnail { .. }) => matches!(event, Event::ThumbnailFound { .. }),
        Request::Thumbnails(ThumbnailsRequest::ReadCards { .. }) => matches!(event, Event::CardsRead),
        Request::Camera(_) => matches!(event, Event::CameraClosed(CameraEnd::Failed(CameraError::NoCamera))),
    }
}

fn is_session_answer(request: &SessionRequest, event: &Event) -> bool {
    match request {
        SessionRequest::OpenRuntime { .. } => matches!(event, Event::RuntimeFailed { .. }),
        SessionRequest::OpenSecondary { .. } => matches!(event, Event::SecondaryReady { runtime: None }),
        SessionRequest::OpenPhoto { .. } => matches!(event, Event::PhotoOpened { detection: None, .. }),
        SessionRequest::RenderDetail { .. } => matches!(event, Event::DetailRendered { .. }),
        SessionRequest::RenderPreview { .. } => matches!(event, Event::PreviewRendered { .. }),
        SessionRequest::RenderTile { .. } => matches!(event, Event::TileRendered { .. }),
        SessionRequest::IndexPhoto { .. } => matches!(event, Event::PhotoIndexed { detection: None, .. }),
        SessionRequest::SearchFrame { .. } => matches!(event, Event::FrameSearched(None)),
        SessionRequest::Export(_) => matches!(event, Event::ExportFinished { done: 1, cancelled: false, .. }),
        SessionRequest::Compare(_) => matches!(event, Event::CompareFinished { cancelled: false, .. }),
    }
}

fn is_files_answer(request: &FilesRequest, event: &Event) -> bool {
    match request {
        FilesRequest::Import { .. } => matches!(event, Event::ImportFinished { .. }),
        FilesRequest::Watch(_) => matches!(event, Event::WatchEnded { problem: Some(_) }),
        FilesRequest::WritePasted(_) | FilesRequest::WriteShot(_) => matches!(event, Event::PastedWritten(Ok(_))),
        FilesRequest::Project(_) => matches!(event, Event::Project(_)),
        FilesRequest::FindRun(_) => matches!(event, Event::RunFound(None)),
        FilesRequest::WriteReport { .. } => matches!(event, Event::ReportWritten(Err(_))),
        FilesRequest::SaveSettings(_) => matches!(event, Event::SettingsSaved(Ok(()))),
        FilesRequest::SaveText { .. } => matches!(event, Event::TextSaved(Ok(()))),
        FilesRequest::LoadText { .. } => matches!(event, Event::TextLoaded(Ok(_))),
        FilesRequest::CompletePath(_) => matches!(event, Event::PathCompleted(_)),
        FilesRequest::NamePhotos { .. } => matches!(event, Event::PhotosNamed(_)),
        FilesRequest::FindRows { .. } => matches!(event, Event::RowsFound { .. }),
    }
}

fn worker() -> WorkerHandle {
    let not_included = || OpenError::Panicked { message: "scripted".to_owned() };
    let (open, cameras) = (Box::new(move |_: &_| Err(not_included())), Box::new(FakeCameras::default()));
    WorkerHandle::spawn_with_cameras(open, None, Some(cameras), Arc::new(|| {})).expect("starts")
}

/// One more request for each lane, handled after all earlier ones.
fn last_of_each_lane(worker: &WorkerHandle, folder: &Path) -> Vec<RequestId> {
    let is_last = |request: &Request| match request {
        Request::Session(request) => matches!(request, SessionRequest::IndexPhoto { .. }),
        Request::Files(request) => matches!(request, FilesRequest::LoadText { .. }),
        Request::Probes(request) => matches!(request, ProbesRequest::DescribeModel { .. }),
        Request::Thumbnails(request) => matches!(request, ThumbnailsRequest::FindThumbnail { .. }),
        Request::Camera(_) => true,
    };
    requests(folder).into_iter().filter(is_last).map(|request| worker.send(request)).collect()
}

/// The terminal event of each of `ids`. Fails if there is a second one, or anything after it.
fn wait_for(worker: &WorkerHandle, ids: &[RequestId]) -> HashMap<RequestId, Event> {
    let mut ended = HashMap::new();
    while ids.iter().any(|id| !ended.contains_key(id)) {
        let Reply { id, event } = worker.recv_for(TIMEOUT).expect("every request ends");
        assert!(!ended.contains_key(&id), "{event:?} comes after the end of {id:?}");
        if event.is_terminal() {
            ended.insert(id, event);
        }
    }
    ended
}

#[test]
#[ignore = "run as a child by the test below, with folders of its own"]
fn each_kind_is_sent_once() {
    assert!(std::env::var_os(HOME_VARIABLE).is_some(), "settings are written");
    for cancelled in [false, true] {
        let (folder, worker) = (folder(), worker());
        put_portrait(folder.path(), "a.png");
        let sent: Vec<(RequestId, Request)> =
            requests(folder.path()).into_iter().map(|request| (worker.send(request.clone()), request)).collect();
        if cancelled {
            sent.iter().for_each(|(id, _)| worker.cancel(*id));
        }
        let mut ids: Vec<RequestId> = sent.iter().map(|(id, _)| *id).collect();
        ids.extend(last_of_each_lane(&worker, folder.path()));
        let ended = wait_for(&worker, &ids);
        for (id, request) in &sent {
            assert!(cancelled || is_answer(request, &ended[id]), "{request:?} ends with {:?}", ended[id]);
        }
    }
}

#[test]
fn every_request_of_every_lane_ends_with_exactly_one_terminal_event() {
    let home = folder();
    let this = std::env::current_exe().expect("known");
    let only = ["lanes::each_kind_is_sent_once", "--exact", "--ignored"];
    let output = Command::new(this).args(only).env(HOME_VARIABLE, home.path()).output().expect("starts");
    let output_text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && output_text.contains("1 passed"), "{output_text}");
}
