//! A scripted worker and file dialog, and the window using them.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

use batch::latency::RuntimeTable;
use batch::worker::{
    Event, FilesRequest, ItemId, ProbesRequest, Reply, Request, RequestId, SecondaryDetection, SessionRequest,
    ThumbnailsRequest, WorkerPort,
};
use cancel::Generation;
use geometry::{Face, Point, Rect, Size};
use iron_cropper::ui::{FilePicker, IronCropperApp, NoDialog, Picked, PickerKind, WindowOptions};
use outcome::{
    AutoReason, Detection, DisplayCopy, PhotoInfo, PictureFormat, PixelLayout, RuntimeFault, RuntimeInUse,
    RuntimeReport, RuntimeState, SessionInfo, Stage, StageTimes,
};
use recipe::{BackendKind, RuntimeChoice};

/// Size of every scripted photo.
pub(super) const PHOTO: Size = Size::new(1000, 800);

/// Records requests and sends scripted answers.
#[derive(Default)]
pub(super) struct Script {
    sent: RefCell<Vec<(RequestId, Request)>>,
    pub(super) cancelled: RefCell<Vec<RequestId>>,
    pub(super) paused: RefCell<Vec<(RequestId, bool)>>,
    replies: RefCell<VecDeque<Reply>>,
    pub(super) dead: Cell<bool>,
}

struct ScriptedWorker(Rc<Script>);

impl WorkerPort for ScriptedWorker {
    fn send(&self, request: Request) -> RequestId {
        let mut sent = self.0.sent.borrow_mut();
        let id = RequestId(sent.len() as u64 + 1);
        sent.push((id, request));
        id
    }

    fn try_recv(&self) -> Option<Reply> {
        self.0.replies.borrow_mut().pop_front()
    }

    fn pause(&self, id: RequestId, paused: bool) {
        self.0.paused.borrow_mut().push((id, paused));
    }

    fn cancel(&self, id: RequestId) {
        self.0.cancelled.borrow_mut().push(id);
    }

    fn is_alive(&self) -> bool {
        !self.0.dead.get()
    }
}

/// The end of an export.
pub(super) fn finished(cancelled: bool, done: usize, total: usize) -> Event {
    Event::ExportFinished { cancelled, done, total, stopped: None, notes: Arc::default(), journal: None }
}

/// A file dialog that is answered by the test.
#[derive(Default)]
pub(super) struct Dialog {
    pub(super) opened: RefCell<Vec<PickerKind>>,
    answers: RefCell<VecDeque<Picked>>,
    pub(super) missing: Cell<bool>,
    pub(super) busy: Cell<bool>,
}

struct ScriptedPicker(Rc<Dialog>);

impl FilePicker for ScriptedPicker {
    fn open(&mut self, kind: PickerKind) -> Result<(), NoDialog> {
        if self.0.busy.get() {
            return Err(NoDialog::Busy);
        }
        self.0.opened.borrow_mut().push(kind);
        let missing = || NoDialog::Missing("No file dialog is available.".to_owned());
        if self.0.missing.get() { Err(missing()) } else { Ok(()) }
    }

    fn try_recv(&mut self, _focused: bool) -> Option<Picked> {
        self.0.answers.borrow_mut().pop_front()
    }
}

#[derive(Debug)]
pub(super) struct Dropped(pub(super) PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        Err("the window never reads files".to_owned())
    }
}

/// The window using a script.
pub(super) struct Window {
    pub(super) harness: Harness<'static, IronCropperApp>,
    pub(super) script: Rc<Script>,
    pub(super) dialog: Rc<Dialog>,
    seen: usize,
}

impl Window {
    /// A window whose runtime is open.
    pub(super) fn open() -> Self {
        let mut window = Self::open_with(WindowOptions::default(), [1280.0, 800.0], 1.0);
        window.runtime_ready();
        window
    }

    pub(super) fn open_with(options: WindowOptions, size: [f32; 2], pixels_per_point: f32) -> Self {
        let (script, dialog) = (Rc::<Script>::default(), Rc::<Dialog>::default());
        let (worker, picker) = (ScriptedWorker(script.clone()), ScriptedPicker(dialog.clone()));
        let harness = Harness::builder()
            .with_size(size)
            .with_pixels_per_point(pixels_per_point)
            .with_max_steps(24)
            .allow_missing_glyphs()
            .build_eframe(|cc| IronCropperApp::new(&cc.egui_ctx, Box::new(worker), Box::new(picker), options));
        Self { harness, script, dialog, seen: 0 }
    }

    /// The requests sent since the last call.
    pub(super) fn sent(&mut self) -> Vec<(RequestId, Request)> {
        let sent = self.script.sent.borrow();
        let new = sent[self.seen..].to_vec();
        self.seen = sent.len();
        new
    }

    /// Every request ever sent, in order.
    pub(super) fn all_sent(&self) -> Vec<Request> {
        self.script.sent.borrow().iter().map(|(_, request)| request.clone()).collect()
    }

    /// The first request sent since the last call for which `pick` returns a value; the others are ignored.
    #[track_caller]
    pub(super) fn sent_one<T>(&mut self, pick: impl Fn(&Request) -> Option<T>) -> (RequestId, T) {
        let sent = self.sent();
        let found = sent.iter().find_map(|(id, request)| Some((*id, pick(request)?)));
        found.unwrap_or_else(|| panic!("not among the requests: {sent:?}"))
    }

    pub(super) fn answer(&mut self, id: RequestId, event: Event) {
        self.script.replies.borrow_mut().push_back(Reply { id, event });
        self.steps(2);
    }

    /// Queues an answer without taking a step.
    pub(super) fn script_reply(&mut self, id: RequestId, event: Event) {
        self.script.replies.borrow_mut().push_back(Reply { id, event });
    }

    pub(super) fn steps(&mut self, count: usize) {
        self.harness.run_steps(count);
    }

    /// True if some widget has exactly this accessible name.
    pub(super) fn has(&self, label: &str) -> bool {
        self.harness.query_all_by_label(label).next().is_some()
    }

    /// True if some widget's accessible name contains this text.
    pub(super) fn shows(&self, text: &str) -> bool {
        self.harness.query_all_by_label_contains(text).next().is_some()
    }

    /// True if the accessible description of some widget contains this text.
    pub(super) fn describes(&self, text: &str) -> bool {
        let mut nodes = self.harness.root().children_recursive();
        nodes.any(|node| node.accesskit_node().description().is_some_and(|about| about.contains(text)))
    }

    #[track_caller]
    pub(super) fn click(&mut self, label: &str) {
        let is_counted = self.harness.query_all_by_label(label).next().is_none();
        if is_counted {
            // "Export all (12)": a name with a number after it.
            self.harness.get_by_label_contains(&format!("{label} (")).click();
        } else {
            self.harness.get_by_label(label).click();
        }
        self.steps(3);
    }

    #[track_caller]
    pub(super) fn slide(&mut self, label: &str, value: f64) {
        self.harness.get_by_role_and_label(egui::Role::Slider, label).set_value_accesskit(value);
        self.steps(2);
    }

    pub(super) fn drop_files(&mut self, paths: &[&str]) {
        for path in paths {
            self.harness.input_mut().dropped_files.push(Arc::new(Dropped(PathBuf::from(path))));
        }
        self.steps(2);
    }

    pub(super) fn pick(&mut self, kind: PickerKind, paths: Vec<PathBuf>) {
        self.dialog.answers.borrow_mut().push_back(Picked { kind, paths, problem: None });
        self.steps(3);
    }

    /// The requested dialog does not appear.
    pub(super) fn pick_nothing(&mut self, kind: PickerKind, problem: &str) {
        let picked = Picked { kind, paths: Vec::new(), problem: Some(problem.to_owned()) };
        self.dialog.answers.borrow_mut().push_back(picked);
        self.steps(3);
    }

    /// Presses a key with Ctrl, or the command key on macOS.
    pub(super) fn ctrl(&mut self, key: egui::Key) {
        self.harness.key_press_modifiers(egui::Modifiers::COMMAND, key);
        self.steps(3);
    }

    /// Presses a key with Ctrl and Shift.
    pub(super) fn ctrl_shift(&mut self, key: egui::Key) {
        self.harness.key_press_modifiers(egui::Modifiers::COMMAND | egui::Modifiers::SHIFT, key);
        self.steps(3);
    }

    pub(super) fn press(&mut self, key: egui::Key) {
        self.press_with(egui::Modifiers::NONE, key);
    }

    pub(super) fn press_with(&mut self, modifiers: egui::Modifiers, key: egui::Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.steps(4);
    }

    /// Types into the focused widget.
    pub(super) fn type_text(&mut self, text: &str) {
        self.harness.event(egui::Event::Text(text.to_owned()));
        self.steps(3);
    }

    #[track_caller]
    pub(super) fn runtime_ready(&mut self) {
        let (id, requested) = self.sent_one(|request| match request {
            Request::Session(SessionRequest::OpenRuntime { choice, .. }) => Some(*choice),
            _ => None,
        });
        self.answer(id, Event::RuntimeReady { runtime: runtime(requested), load_ms: 12.0 });
    }

    /// Answers the probe of all runtimes.
    #[track_caller]
    pub(super) fn probes_finished(&mut self, known: &[RuntimeReport]) {
        let (id, ()) = self
            .sent_one(|request| matches!(request, Request::Probes(ProbesRequest::TryRuntimes { .. })).then_some(()));
        self.answer(id, Event::RuntimesTried(probed(known)));
    }

    /// Opens the list of runtimes.
    #[track_caller]
    pub(super) fn open_runtimes(&mut self) {
        self.harness.get_by_role_and_label(egui::Role::ComboBox, "Runtime").click();
        self.steps(3);
    }

    /// The text of the closed list of runtimes.
    #[track_caller]
    pub(super) fn runtime_shown(&self) -> String {
        self.harness.get_by_role_and_label(egui::Role::ComboBox, "Runtime").value().unwrap_or_default()
    }

    /// Clicks `label` and returns the text copied to the clipboard.
    #[track_caller]
    pub(super) fn click_to_copy(&mut self, label: &str) -> Option<String> {
        self.harness.get_by_label(label).click();
        self.copied()
    }

    /// The text copied to the clipboard in the next passes.
    pub(super) fn copied(&mut self) -> Option<String> {
        let mut copied = None;
        for _ in 0..4 {
            self.harness.step();
            for command in &self.harness.output().platform_output.commands {
                if let egui::OutputCommand::CopyText(text) = command {
                    copied = Some(text.clone());
                }
            }
        }
        copied
    }

    /// Drops `paths`, scripts the import, and answers every detection request and the open photo with `faces`.
    pub(super) fn add(&mut self, paths: &[&str], faces: &[Face]) {
        self.drop_files(paths);
        let (import, ()) =
            self.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        let found = paths.len();
        self.answer(import, Event::ImportFound { paths });
        self.answer(import, Event::ImportFinished { found, ignored: 0 });
        self.answer_detection(faces);
    }

    /// Answers requests for photos with `faces`.
    pub(super) fn answer_detection(&mut self, faces: &[Face]) {
        for (id, request) in self.sent() {
            match request {
                Request::Session(SessionRequest::IndexPhoto { photo, .. }) => {
                    self.answer(id, photo_indexed(photo.item, faces));
                }
                Request::Thumbnails(ThumbnailsRequest::FindThumbnail { photo, .. }) => {
                    self.answer(id, Event::ThumbnailFound { item: photo.item, thumbnail: None });
                }
                Request::Session(SessionRequest::OpenPhoto { photo, generation }) => {
                    self.answer(id, photo_opened(photo.item, generation, faces));
                }
                _ => {}
            }
        }
    }
}

pub(super) fn runtime(requested: RuntimeChoice) -> RuntimeInUse {
    let actual = SessionInfo {
        kind: BackendKind::Tract,
        version: "0.0.1".to_owned(),
        device: "CPU".to_owned(),
        input: Size::new(640, 640),
        outputs: Vec::new(),
    };
    let why = (requested == RuntimeChoice::Auto).then(|| AutoReason {
        times: vec![(BackendKind::Tract, 40.0), (BackendKind::Rten, 60.0)],
        ..AutoReason::default()
    });
    RuntimeInUse { requested, actual, why }
}

/// A face at `x` and `y`, 160 by 200 pixels.
pub(super) fn face(x: f32, y: f32, score: f32) -> Face {
    let points = [(50.0, 70.0), (110.0, 70.0), (80.0, 110.0), (55.0, 150.0), (105.0, 150.0)];
    let landmarks = points.map(|(dx, dy)| Point::new(x + dx, y + dy));
    Face::new(Rect::new(x, y, 160.0, 200.0), landmarks, score)
}

/// Two faces: 0.93 on the left, 0.70 on the right.
pub(super) fn two_faces() -> [Face; 2] {
    [face(120.0, 200.0, 0.93), face(660.0, 240.0, 0.70)]
}

fn copy(side: u32) -> DisplayCopy {
    let size = PHOTO.fit_within(side);
    DisplayCopy { size, rgba: vec![128; size.pixels() as usize * 4].into() }
}

fn info() -> PhotoInfo {
    PhotoInfo::plain(PHOTO, PictureFormat::Jpeg, PixelLayout::RGB8)
}

fn detection(faces: &[Face]) -> Option<Arc<Detection>> {
    Some(Arc::new(Detection { faces: faces.to_vec(), ..Detection::default() }))
}

pub(super) fn photo_indexed(item: ItemId, faces: &[Face]) -> Event {
    let (thumbnail, info, detection) = (copy(96), info(), detection(faces));
    Event::PhotoIndexed { item, thumbnail, info, detection, stages: StageTimes::default() }
}

pub(super) fn photo_opened(item: ItemId, generation: Generation, faces: &[Face]) -> Event {
    opened_with_secondary(item, generation, faces, None)
}

/// A pass of 4 + 78 + 1 ms.
pub(super) fn opened_with_secondary(
    item: ItemId,
    generation: Generation,
    faces: &[Face],
    secondary: Option<SecondaryDetection>,
) -> Event {
    let (display, info, detection) = (copy(500), info(), detection(faces));
    let mut stages = StageTimes::default();
    for (stage, stage_ms) in
        [(Stage::Decode, 12.0), (Stage::Preprocess, 4.0), (Stage::Inference, 78.0), (Stage::Postprocess, 1.0)]
    {
        stages.add(stage, stage_ms);
    }
    Event::PhotoOpened { item, generation, display, info, detection, stages, secondary }
}

/// A runtime that is ready and takes `warm_ms`.
pub(super) fn ready(kind: BackendKind, warm_ms: f64) -> RuntimeReport {
    RuntimeReport {
        version: Some("1.2.3".to_owned()),
        device: Some("CPU".to_owned()),
        load_ms: Some(120.0),
        warm_ms: Some(warm_ms),
        agrees: Some(true),
        ..RuntimeReport::new(kind, RuntimeState::Ready, None)
    }
}

/// The probe results: those in `known`, and the others without a library.
pub(super) fn probed(known: &[RuntimeReport]) -> RuntimeTable {
    let missing = |kind| {
        RuntimeReport::new(kind, RuntimeState::Missing, Some(RuntimeFault::Other("no library was found".to_owned())))
    };
    let report = |kind| known.iter().find(|report| report.kind == kind).cloned().unwrap_or_else(|| missing(kind));
    let reports = engines::offered_runtimes().into_iter().map(report).collect();
    RuntimeTable { reports, searches: Vec::new() }
}
