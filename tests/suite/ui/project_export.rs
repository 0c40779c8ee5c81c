//! An export by the window and one by the command line, from the project saved by the window, produce the same files.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use batch::latency::open_chosen;
use batch::settings::Settings;
use batch::worker::{
    FilesRequest, OpenRequest, ProbesRequest, ProjectTask, Reply, Request, RequestId, WorkerHandle, WorkerPort,
};
use iron_cropper::ui::{FilePicker, IronCropperApp, NoDialog, Picked, PickerKind, WindowOptions};

use crate::support::{folder, run, samples, tree};

/// The real worker, without access to the settings and lists of the user who runs the tests.
struct Port(WorkerHandle);

impl WorkerPort for Port {
    fn send(&self, request: Request) -> RequestId {
        use ProjectTask::{Autosave, BeginSession, DeleteAutosave, FindRecoverable};
        match request {
            Request::Files(FilesRequest::SaveSettings(_))
            | Request::Probes(ProbesRequest::TryRuntimes { .. })
            | Request::Files(FilesRequest::Project(BeginSession | FindRecoverable | DeleteAutosave | Autosave(_))) => {
                RequestId(u64::MAX)
            }
            request => self.0.send(request),
        }
    }

    fn try_recv(&self) -> Option<Reply> {
        self.0.try_recv()
    }

    fn cancel(&self, id: RequestId) {
        self.0.cancel(id);
    }

    fn pause(&self, id: RequestId, paused: bool) {
        self.0.pause(id, paused);
    }

    fn is_alive(&self) -> bool {
        self.0.is_alive()
    }
}

/// Answers every dialog with one path.
struct Picker {
    path: PathBuf,
    opened: Rc<RefCell<Vec<PickerKind>>>,
}

impl FilePicker for Picker {
    fn open(&mut self, kind: PickerKind) -> Result<(), NoDialog> {
        self.opened.borrow_mut().push(kind);
        Ok(())
    }

    fn try_recv(&mut self, _focused: bool) -> Option<Picked> {
        let kind = self.opened.borrow_mut().pop()?;
        Some(Picked { kind, paths: vec![self.path.clone()], problem: None })
    }
}

struct RealWindow(Harness<'static, IronCropperApp>);

impl RealWindow {
    fn open(photos: &[PathBuf], project: &Path, output: &Path) -> Self {
        let open =
            |request: &OpenRequest| open_chosen(request.choice, request.model.as_deref(), &request.options, None);
        let worker = WorkerHandle::spawn_with(Box::new(open), None, Arc::new(|| {})).expect("starts");
        let mut settings = Settings { output_folder: Some(output.to_owned()), ..Settings::default() };
        settings.recipe.crop.head_height = 0.5;
        let runtime = Some("tract".parse().expect("known"));
        let options = WindowOptions { settings, paths: photos.to_vec(), runtime, ..WindowOptions::default() };
        let picker = Picker { path: project.to_owned(), opened: Rc::default() };
        let harness = Harness::builder()
            .with_size([1280.0, 800.0])
            .allow_missing_glyphs()
            .build_eframe(|cc| IronCropperApp::new(&cc.egui_ctx, Box::new(Port(worker)), Box::new(picker), options));
        Self(harness)
    }

    #[track_caller]
    fn wait_for(&mut self, what: &str, mut is_there: impl FnMut(&Harness<'static, IronCropperApp>) -> bool) {
        let start = Instant::now();
        while !is_there(&self.0) {
            assert!(start.elapsed() < Duration::from_secs(60), "never came: {what}");
            std::thread::sleep(Duration::from_millis(5));
            self.0.step();
        }
    }

    #[track_caller]
    fn wait_for_label(&mut self, label: &str) {
        self.wait_for(label, |harness| harness.query_all_by_label_contains(label).next().is_some());
    }
}

#[test]
fn window_and_command_line_export_the_same_files() {
    let folder = folder();
    let photos: Vec<PathBuf> = ["astronaut.png", "three_prints.jpg"]
        .map(|name| {
            let path = folder.path().join(name);
            std::fs::copy(samples().join(name), &path).expect("copied");
            path
        })
        .to_vec();
    let (project, by_window) = (folder.path().join("school.ironcrop"), folder.path().join("window"));
    let mut window = RealWindow::open(&photos, &project, &by_window);
    window.wait_for_label("astronaut.png, 1 face");
    window.wait_for_label("three_prints.jpg, 3 faces");
    window.0.key_press(Key::ArrowDown);
    window.0.step();
    window.wait_for_label("Photo three_prints.jpg");
    window.wait_for_label("not included");
    // Includes another face, and excludes the largest.
    window.0.get_all_by_label_contains("not included").next().expect("exists").click();
    window.0.run_steps(2);
    window.wait_for_label("2 selected");
    window.0.key_press_modifiers(Modifiers::COMMAND, Key::S);
    window.wait_for("the project", |_| project.is_file());
    window.0.get_by_label_contains("Export all (").click();
    window.wait_for("crops", |_| by_window.is_dir() && tree(&by_window).len() == 3);
    window.wait_for_label("Close");
    let manual = folder.path().join("cli");
    run(["crop".as_ref(), project.as_os_str(), "-o".as_ref(), manual.as_os_str()]).expect(0);
    let (by_window, manual) = (tree(&by_window), tree(&manual));
    assert_eq!(by_window.keys().collect::<Vec<_>>(), manual.keys().collect::<Vec<_>>());
    assert!(by_window == manual, "the same bytes");
}
