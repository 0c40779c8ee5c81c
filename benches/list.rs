//! Benchmarks the window with a list of 10,000 photos: the program's own time for a frame, that is logic, layout and
//! tessellation, without drawing: `cargo bench --bench list`.
//!
//! The worker is scripted: every photo has faces at once, and thumbnails on request. List and grid are scrolled from
//! end to end with the mouse wheel, photos are selected one after the other, and pages are scrolled.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::Write;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use eframe::App;
use egui::{Context, Event as Input, Key, Modifiers, MouseWheelUnit, RawInput, TouchPhase, pos2, vec2};

use batch::settings::{ListSort, Settings};
use batch::worker::{Event, FilesRequest, Reply, Request, RequestId, SessionRequest, ThumbnailsRequest, WorkerPort};
use geometry::{Face, Point, Rect, Size};
use iron_cropper::ui::{FilePicker, IronCropperApp, NoDialog, Picked, PickerKind, WindowOptions};
use outcome::{Detection, DisplayCopy, PhotoInfo, PictureFormat, PixelLayout, RuntimeInUse, SessionInfo, StageTimes};
use recipe::BackendKind;

/// Number of photos in the list.
const PHOTOS: usize = 10_000;
/// Size of the window in points.
const WINDOW: [f32; 2] = [1440.0, 900.0];
/// Number of frames in each run.
const FRAMES: usize = 600;
/// Time limits for a frame in milliseconds: median, and 99th percentile.
const LIMITS: (f64, f64) = (8.0, 16.0);
const PICTURE: Size = Size::new(3000, 2000);

fn main() {
    let mut out = std::io::stdout().lock();
    let profile = if cfg!(debug_assertions) { "dev profile: for the trend alone" } else { "release profile" };
    let _ = writeln!(out, "{PHOTOS} photos, {} x {} points, {profile}", WINDOW[0], WINDOW[1]);
    let _ = writeln!(out, "{:<44}{:>9}{:>9}{:>9}", "frames of logic, layout, tessellation", "median", "p99", "max");
    let mut all_within = true;
    for grid in [false, true] {
        let shape = if grid { "grid" } else { "list" };
        for sort in [ListSort::Added, ListSort::Worst] {
            let mut bench = Bench::open(grid, sort);
            let order = if sort == ListSort::Added { "as added" } else { "worst first" };
            for (name, run) in RUNS {
                let times = run(&mut bench);
                all_within &= report(&mut out, &format!("{shape}, {order}: {name}"), times);
            }
        }
    }
    let verdict = if all_within { "within" } else { "NOT within" };
    let _ = writeln!(out, "{verdict} {} ms at the median and {} ms at p99", LIMITS.0, LIMITS.1);
}

type Run = fn(&mut Bench) -> Vec<f64>;

const RUNS: [(&str, Run); 4] = [
    ("scrolled by the wheel", |bench| {
        bench.frames(|frame| vec![wheel(if frame < FRAMES / 2 { -900.0 } else { 900.0 })])
    }),
    ("stepped through", |bench| bench.frames(|frame| if frame % 2 == 0 { press(Key::ArrowDown) } else { Vec::new() })),
    ("a page a frame", |bench| bench.frames(|_| press(Key::PageDown))),
    ("nothing done", |bench| bench.frames(|_| Vec::new())),
];

fn report(out: &mut impl Write, name: &str, mut times: Vec<f64>) -> bool {
    times.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let (median, p99) = (at(0.5), at(0.99));
    let _ = writeln!(out, "{name:<44}{median:>6.2} ms{p99:>6.2} ms{:>6.2} ms", at(1.0));
    median < LIMITS.0 && p99 < LIMITS.1
}

fn wheel(points: f32) -> Input {
    let modifiers = Modifiers::NONE;
    Input::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: vec2(0.0, points),
        phase: TouchPhase::Move,
        modifiers,
        source: egui::MouseWheelSource::Wheel,
    }
}

fn press(key: Key) -> Vec<Input> {
    let event = |pressed| Input::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE };
    vec![event(true), event(false)]
}

/// The window with a worker that replies immediately.
struct Bench {
    ctx: Context,
    app: IronCropperApp,
    script: Rc<Script>,
    frame: eframe::Frame,
    time: f64,
}

impl Bench {
    fn open(grid: bool, sort: ListSort) -> Self {
        let ctx = Context::default();
        let script = Rc::new(Script::default());
        let mut settings = Settings::default();
        (settings.window.grid, settings.window.sort) = (grid, sort);
        let paths = vec![PathBuf::from("/photos")];
        let options = WindowOptions { settings, paths, ..WindowOptions::default() };
        let app = IronCropperApp::new(&ctx, Box::new(Port(script.clone())), Box::new(NoPicker), options);
        let frame = eframe::Frame::_new_kittest();
        let mut bench = Self { ctx, app, script, frame, time: 0.0 };
        // Until all events are handled and all photos reviewed.
        for _ in 0..200 {
            bench.step(vec![Input::PointerMoved(pos2(120.0, 450.0))]);
        }
        bench
    }

    fn frames(&mut self, mut input: impl FnMut(usize) -> Vec<Input>) -> Vec<f64> {
        (0..FRAMES).map(|frame| self.step(input(frame))).collect()
    }

    /// Runs one frame and returns its milliseconds.
    fn step(&mut self, events: Vec<Input>) -> f64 {
        self.script.answer();
        self.time += 1.0 / 60.0;
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, WINDOW.into());
        let input = RawInput { screen_rect: Some(screen), time: Some(self.time), events, ..RawInput::default() };
        let begin = Instant::now();
        let mut output = self.ctx.run_ui(input, |ui| {
            self.app.logic(ui.ctx(), &mut self.frame);
            self.app.ui(ui, &mut self.frame);
        });
        let shapes = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        let took = begin.elapsed().as_secs_f64() * 1000.0;
        drop(std::hint::black_box(shapes));
        // There is no GPU to upload textures to.
        output.textures_delta.clear();
        took
    }
}

#[derive(Default)]
struct Script {
    last: RefCell<u64>,
    requests: RefCell<VecDeque<(RequestId, Request)>>,
    replies: RefCell<VecDeque<Reply>>,
}

impl Script {
    /// Replies to the requests so far.
    fn answer(&self) {
        let requests: Vec<(RequestId, Request)> = self.requests.borrow_mut().drain(..).collect();
        let mut replies = self.replies.borrow_mut();
        for (id, request) in requests {
            replies.extend(answers(request).into_iter().map(|event| Reply { id, event }));
        }
    }
}

fn answers(request: Request) -> Vec<Event> {
    let stages = StageTimes::default();
    match request {
        Request::Session(SessionRequest::OpenRuntime { choice, .. }) => {
            vec![Event::RuntimeReady { runtime: runtime(choice), load_ms: 1.0 }]
        }
        Request::Files(FilesRequest::Import { .. }) => {
            let paths = (0..PHOTOS).map(|number| PathBuf::from(format!("/photos/IMG_{number:05}.jpg"))).collect();
            vec![Event::ImportFound { paths }, Event::ImportFinished { found: PHOTOS, ignored: 0 }]
        }
        Request::Session(SessionRequest::IndexPhoto { photo, thumbnail_side }) => {
            let detection = detection(photo.item.0);
            vec![Event::PhotoIndexed {
                item: photo.item,
                thumbnail: copy(thumbnail_side),
                info: info(),
                detection,
                stages,
            }]
        }
        Request::Session(SessionRequest::OpenPhoto { photo, generation }) => {
            let (display, detection) = (copy(1500), detection(photo.item.0));
            let item = photo.item;
            vec![Event::PhotoOpened { item, generation, display, info: info(), detection, stages, secondary: None }]
        }
        Request::Thumbnails(ThumbnailsRequest::FindThumbnail { photo, side }) => {
            vec![Event::ThumbnailFound { item: photo.item, thumbnail: Some(copy(side)) }]
        }
        Request::Session(SessionRequest::RenderPreview { photo, generation, crop, .. }) => {
            vec![Event::PreviewRendered { item: photo.item, generation, crop, image: copy(400) }]
        }
        _ => Vec::new(),
    }
}

fn runtime(requested: recipe::RuntimeChoice) -> RuntimeInUse {
    let actual = SessionInfo {
        kind: BackendKind::Tract,
        version: "0".to_owned(),
        device: "CPU".to_owned(),
        input: Size::new(640, 640),
        outputs: Vec::new(),
    };
    RuntimeInUse { requested, actual, why: None }
}

fn info() -> PhotoInfo {
    PhotoInfo::plain(PICTURE, PictureFormat::Jpeg, PixelLayout::RGB8)
}

fn copy(side: u32) -> DisplayCopy {
    let size = PICTURE.fit_within(side);
    DisplayCopy { size, rgba: vec![255; size.pixels() as usize * 4].into() }
}

/// Zero to three faces; some with a low score.
fn detection(item: u64) -> Option<Arc<Detection>> {
    let count = [1, 1, 1, 0, 2, 1, 3, 1][item as usize % 8];
    let faces = (0..count).map(|number| {
        let (x, y) = (300.0 + 800.0 * number as f32, 400.0 + (item % 90) as f32);
        let points = [(150.0, 210.0), (330.0, 210.0), (240.0, 330.0), (165.0, 450.0), (315.0, 450.0)];
        let landmarks = points.map(|(dx, dy)| Point::new(x + dx, y + dy));
        Face::new(Rect::new(x, y, 480.0, 600.0), landmarks, if item.is_multiple_of(11) { 0.7 } else { 0.93 })
    });
    Some(Arc::new(Detection { faces: faces.collect(), ..Detection::default() }))
}

struct Port(Rc<Script>);

impl WorkerPort for Port {
    fn send(&self, request: Request) -> RequestId {
        let mut last = self.0.last.borrow_mut();
        *last += 1;
        self.0.requests.borrow_mut().push_back((RequestId(*last), request));
        RequestId(*last)
    }

    fn try_recv(&self) -> Option<Reply> {
        self.0.replies.borrow_mut().pop_front()
    }

    fn cancel(&self, id: RequestId) {
        let mut requests = self.0.requests.borrow_mut();
        if let Some(place) = requests.iter().position(|(other, _)| *other == id) {
            let _ = requests.remove(place);
            self.0.replies.borrow_mut().push_back(Reply { id, event: Event::Superseded });
        }
    }

    fn pause(&self, _: RequestId, _: bool) {}

    fn is_alive(&self) -> bool {
        true
    }
}

struct NoPicker;

impl FilePicker for NoPicker {
    fn open(&mut self, _: PickerKind) -> Result<(), NoDialog> {
        Ok(())
    }

    fn try_recv(&mut self, _focused: bool) -> Option<Picked> {
        None
    }
}
