//! The system's file dialogs, on a thread of their own.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use crate::project::EXTENSION;
use crate::worker::{Wake, spawn_named};

/// What a dialog asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickerKind {
    /// Photos to add.
    Files,
    /// A folder of photos to add.
    Folder,
    /// The folder crops are written to.
    OutputFolder,
    /// A model file.
    Model,
    /// ONNX Runtime's library.
    Library,
    /// The file a comparison is written to, as comma-separated values.
    SaveCsv,
    /// The file a comparison is written to, as JSON lines.
    SaveJson,
    /// A file of presets to read.
    ImportPresets,
    /// The file presets are written to.
    ExportPresets,
    /// A project to open.
    OpenProject,
    /// The file a project is written to.
    SaveProject,
    /// A folder in which missing photos are looked for.
    FindMissing,
    /// A folder to watch for photos that come.
    WatchFolder,
}

/// A dialog's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// What was asked.
    pub kind: PickerKind,
    /// The paths picked; empty where the dialog was cancelled.
    pub paths: Vec<PathBuf>,
    /// Why no dialog was shown, as a whole sentence.
    pub problem: Option<String>,
}

/// Opens file dialogs without ever blocking; [`SystemPicker`] is the real one, tests script their own.
pub trait FilePicker {
    /// Opens a dialog. While one is open already, nothing happens.
    ///
    /// # Errors
    /// Why no dialog can be shown here, as a whole sentence.
    fn open(&mut self, kind: PickerKind) -> Result<(), String>;

    /// The answer of the dialog that was open, once it is there.
    fn try_recv(&mut self) -> Option<Picked>;
}

/// The dialogs of the operating system.
pub struct SystemPicker {
    wake: Wake,
    open: Option<(PickerKind, Receiver<Vec<PathBuf>>, Instant)>,
}

impl SystemPicker {
    /// A picker that calls `wake` when an answer is there.
    pub fn new(wake: Wake) -> Self {
        Self { wake, open: None }
    }
}

const NO_DIALOG: &str = "No file dialog is available here.";

/// An empty answer that comes faster than a person can cancel means that no dialog was shown.
const FASTER_THAN_A_PERSON: Duration = Duration::from_millis(300);

impl FilePicker for SystemPicker {
    fn open(&mut self, kind: PickerKind) -> Result<(), String> {
        if self.open.is_some() {
            return Ok(());
        }
        if !dialog_could_open() {
            return Err(NO_DIALOG.to_owned());
        }
        let (sender, receiver) = channel();
        let wake = self.wake.clone();
        spawn_named("file-dialog", move || {
            // The window may be gone by the time the dialog is answered.
            let _ = sender.send(ask(kind));
            wake();
        })
        .map_err(|error| format!("The file dialog could not be started: {error}."))?;
        self.open = Some((kind, receiver, Instant::now()));
        Ok(())
    }

    fn try_recv(&mut self) -> Option<Picked> {
        let (kind, receiver, opened) = self.open.as_ref()?;
        let kind = *kind;
        let picked = match receiver.try_recv() {
            Ok(paths) => {
                let none_shown =
                    cfg!(target_os = "linux") && paths.is_empty() && opened.elapsed() < FASTER_THAN_A_PERSON;
                Picked { kind, paths, problem: none_shown.then(|| NO_DIALOG.to_owned()) }
            }
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => {
                Picked { kind, paths: Vec::new(), problem: Some("The file dialog has failed.".to_owned()) }
            }
        };
        self.open = None;
        Some(picked)
    }
}

fn ask(kind: PickerKind) -> Vec<PathBuf> {
    let dialog = rfd::FileDialog::new();
    let one = |path: Option<PathBuf>| path.into_iter().collect();
    match kind {
        PickerKind::Files => dialog
            .set_title("Add photos")
            .add_filter("Photos", &crate::import::PICTURE_EXTENSIONS)
            .add_filter("All files", &["*"])
            .pick_files()
            .unwrap_or_default(),
        PickerKind::Folder => one(dialog.set_title("Add a folder of photos").pick_folder()),
        PickerKind::OutputFolder => one(dialog.set_title("Choose where crops go").pick_folder()),
        PickerKind::Model => one(dialog.set_title("Choose a YuNet model").add_filter("ONNX", &["onnx"]).pick_file()),
        PickerKind::Library => one(dialog.set_title("Choose the ONNX Runtime library").pick_file()),
        PickerKind::SaveCsv => one(save(dialog, "Save the comparison", "comparison", "csv")),
        PickerKind::SaveJson => one(save(dialog, "Save the comparison", "comparison", "jsonl")),
        PickerKind::ImportPresets => {
            one(dialog.set_title("Choose a file of presets").add_filter("TOML", &["toml"]).pick_file())
        }
        PickerKind::ExportPresets => one(save(dialog, "Export presets", "presets", "toml")),
        PickerKind::OpenProject => {
            one(dialog.set_title("Open a project").add_filter("Projects", &[EXTENSION]).pick_file())
        }
        PickerKind::SaveProject => one(save(dialog, "Save the project", "photos", EXTENSION)),
        PickerKind::FindMissing => one(dialog.set_title("Look for missing photos below a folder").pick_folder()),
        PickerKind::WatchFolder => one(dialog.set_title("Watch a folder for new photos").pick_folder()),
    }
}

fn save(dialog: rfd::FileDialog, title: &str, name: &str, extension: &str) -> Option<PathBuf> {
    let dialog = dialog.set_title(title).set_file_name(format!("{name}.{extension}"));
    dialog.add_filter(extension.to_uppercase(), &[extension]).save_file()
}

/// On Linux a dialog needs a desktop portal, reached over the session bus, or zenity.
#[cfg(target_os = "linux")]
fn dialog_could_open() -> bool {
    let on_path = |program: &str| {
        std::env::var_os("PATH")
            .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).is_file()))
    };
    std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some() || on_path("zenity")
}

#[cfg(not(target_os = "linux"))]
fn dialog_could_open() -> bool {
    true
}
