//! The system's file dialogs, on a thread of their own.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use batch::project::EXTENSION;
use batch::worker::{NAME_LIST_EXTENSIONS, Wake, spawn_named};
use import::{PICTURE_EXTENSIONS, PathKind};
use recipe::RuntimeLibrary;

use super::language::{current, mark, say, set_current, tr};

/// The purpose of a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickerKind {
    /// Photos to add.
    Files,
    /// A folder of photos to add.
    Folder,
    /// A name list.
    NameList,
    OutputFolder,
    /// A model file.
    Model,
    /// The library of runtimes.
    Library(RuntimeLibrary),
    /// The CSV file for a comparison.
    SaveCsv,
    /// The JSON Lines file for a comparison.
    SaveJson,
    /// The file for a report on an export; the extension selects the format.
    SaveReport,
    /// A file of presets to import.
    ImportPresets,
    /// The file for exported presets.
    ExportPresets,
    OpenProject,
    /// The file for a project.
    SaveProject,
    /// A folder to search for missing photos.
    FindMissing,
    /// A folder to watch for new photos.
    WatchFolder,
}

/// Texts of a dialog, and of the page that replaces it if there is none. English; translated when shown, by `tr`.
pub(crate) struct About {
    pub title: &'static str,
    /// Label of the button that confirms a typed path.
    pub take: &'static str,
    pub want: PathKind,
    /// For files to be written: the extension.
    pub extension: Option<&'static str>,
}

impl PickerKind {
    pub(crate) const fn about(self) -> About {
        let (title, take, want, extension) = match self {
            Self::Files => (mark("Add photos"), mark("Add"), PathKind::Files(&ADDED_EXTENSIONS), None),
            Self::Folder => (mark("Add a folder"), mark("Add"), PathKind::Folders, None),
            Self::NameList => {
                (mark("Choose a name list"), mark("Choose"), PathKind::Files(&NAME_LIST_EXTENSIONS), None)
            }
            Self::OutputFolder => (mark("Choose output folder"), mark("Choose"), PathKind::Folders, None),
            Self::Model => (mark("Choose a YuNet model"), mark("Choose"), PathKind::Files(&["onnx"]), None),
            Self::Library(_) => (mark("Choose a library"), mark("Choose"), PathKind::Files(&[]), None),
            Self::SaveCsv => (mark("Save comparison"), mark("Save"), PathKind::Files(&["csv"]), Some("csv")),
            Self::SaveJson => (mark("Save comparison"), mark("Save"), PathKind::Files(&["jsonl"]), Some("jsonl")),
            Self::SaveReport => (mark("Save report"), mark("Save"), PathKind::Files(&REPORTS), Some(REPORTS[0])),
            Self::ImportPresets => (mark("Choose a preset file"), mark("Import"), PathKind::Files(&["toml"]), None),
            Self::ExportPresets => (mark("Export presets"), mark("Export"), PathKind::Files(&["toml"]), Some("toml")),
            Self::OpenProject => (mark("Open project"), mark("Open"), PathKind::Files(&[EXTENSION]), None),
            Self::SaveProject => (mark("Save project"), mark("Save"), PathKind::Files(&[EXTENSION]), Some(EXTENSION)),
            Self::FindMissing => (mark("Find missing photos in a folder"), mark("Search"), PathKind::Folders, None),
            Self::WatchFolder => (mark("Watch a folder for new photos"), mark("Watch"), PathKind::Folders, None),
        };
        About { title, take, want, extension }
    }
}

/// Extensions of the files that can be added: photos, and a name list with them.
const ADDED_EXTENSIONS: [&str; PICTURE_EXTENSIONS.len() + NAME_LIST_EXTENSIONS.len()] = {
    let mut all = [""; PICTURE_EXTENSIONS.len() + NAME_LIST_EXTENSIONS.len()];
    let (pictures, lists) = all.split_at_mut(PICTURE_EXTENSIONS.len());
    pictures.copy_from_slice(&PICTURE_EXTENSIONS);
    lists.copy_from_slice(&NAME_LIST_EXTENSIONS);
    all
};

/// Extensions of reports; the first is the default.
pub(crate) const REPORTS: [&str; 3] = ["html", "csv", "json"];

/// The answer of a dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// The purpose of the dialog.
    pub kind: PickerKind,
    /// The picked paths; empty if the dialog was cancelled.
    pub paths: Vec<PathBuf>,
    /// The reason for a missing answer, as a whole sentence; unlike a cancelled dialog.
    pub problem: Option<String>,
}

/// Why no dialog was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoDialog {
    /// Another one is open.
    Busy,
    /// No dialog is available; holds the reason as a whole sentence.
    Missing(String),
}

/// Opens file dialogs without blocking. [`SystemPicker`] is the real one; tests use a scripted one.
pub trait FilePicker {
    /// Opens a dialog.
    ///
    /// # Errors
    /// The dialog could not be opened.
    fn open(&mut self, kind: PickerKind) -> Result<(), NoDialog>;

    /// Returns the answer of the open dialog once it has arrived. `focused` is whether the window has the keyboard focus,
    /// which a visible dialog takes away.
    fn try_recv(&mut self, focused: bool) -> Option<Picked>;

    /// Stops waiting for the open dialog, so that another one can be opened; its answer is still used if it arrives.
    fn leave(&mut self) {}

    /// Time left until a dialog that does not appear times out; `None` if none is pending.
    fn timeout_left(&self) -> Option<Duration> {
        None
    }
}

type ShowDialog = Arc<dyn Fn(PickerKind) -> Vec<PathBuf> + Send + Sync>;

/// The dialogs of the operating system.
pub struct SystemPicker {
    wake: Wake,
    show: ShowDialog,
    open: Option<Open>,
    /// Dialogs that are not waited for: they timed out, or the user went on without them.
    late: Vec<Open>,
    timeout: Duration,
}

/// A requested dialog.
struct Open {
    kind: PickerKind,
    answer: Receiver<Vec<PathBuf>>,
    since: Instant,
    /// True once the window has lost the focus: the dialog has appeared, and the timeout no longer applies.
    shown: bool,
}

impl SystemPicker {
    /// Creates a picker that calls `wake` when an answer has arrived. Its dialogs stay in front of `window`, except those of
    /// zenity, which has no parent windows.
    pub fn new(window: &eframe::CreationContext<'_>, wake: Wake) -> Self {
        let dialog = rfd::FileDialog::new().set_parent(window);
        Self::with(Arc::new(move |kind| show(kind, dialog.clone())), wake)
    }

    fn with(show: ShowDialog, wake: Wake) -> Self {
        Self { wake, show, open: None, late: Vec::new(), timeout: DIALOG_TIMEOUT }
    }
}

const NO_DIALOG: &str = mark("No file dialog is available.");
const NO_ANSWER: &str = mark("The file dialog did not open.");

/// On Linux, another process shows dialogs, which may be missing or hang: the desktop portal is started on its first use,
/// for which D-Bus allows 25 seconds.
const DIALOG_TIMEOUT: Duration = Duration::from_secs(30);

/// An empty answer within this time cannot be a user's cancel: no dialog was shown.
const MIN_ANSWER_TIME: Duration = Duration::from_millis(300);

impl FilePicker for SystemPicker {
    fn open(&mut self, kind: PickerKind) -> Result<(), NoDialog> {
        if self.open.is_some() {
            return Err(NoDialog::Busy);
        }
        if !dialog_could_open() {
            return Err(NoDialog::Missing(tr(NO_DIALOG).to_owned()));
        }
        let (sender, answer) = channel();
        let (wake, show, language) = (self.wake.clone(), Arc::clone(&self.show), current());
        spawn_named("file-dialog", move || {
            // Threads start with English.
            set_current(language);
            // The window may be closed by the time the dialog is answered.
            let _ = sender.send(show(kind));
            wake();
        })
        .map_err(|error| {
            NoDialog::Missing(say!("Could not start the file dialog: {reason}.", reason = error.to_string()))
        })?;
        self.open = Some(Open { kind, answer, since: Instant::now(), shown: false });
        Ok(())
    }

    fn try_recv(&mut self, focused: bool) -> Option<Picked> {
        if let Some(picked) = self.late_answer() {
            return Some(picked);
        }
        let open = self.open.as_mut()?;
        open.shown |= !focused;
        let (kind, waited) = (open.kind, open.since.elapsed());
        let failed = |problem| Some(Picked { kind, paths: Vec::new(), problem: Some(tr(problem).to_owned()) });
        match open.answer.try_recv() {
            Ok(paths) => {
                let not_shown = paths.is_empty() && (!open.shown || waited < MIN_ANSWER_TIME);
                self.open = None;
                if MAY_BE_MISSING && not_shown {
                    failed(NO_DIALOG)
                } else {
                    Some(Picked { kind, paths, problem: None })
                }
            }
            Err(TryRecvError::Empty) if MAY_BE_MISSING && !open.shown && waited >= self.timeout => {
                self.late.extend(self.open.take());
                failed(NO_ANSWER)
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                self.open = None;
                failed(mark("The file dialog failed."))
            }
        }
    }

    fn leave(&mut self) {
        self.late.extend(self.open.take());
    }

    fn timeout_left(&self) -> Option<Duration> {
        let open = self.open.as_ref().filter(|open| MAY_BE_MISSING && !open.shown)?;
        Some(self.timeout.saturating_sub(open.since.elapsed()))
    }
}

impl SystemPicker {
    /// The answer of a dialog that is not waited for.
    fn late_answer(&mut self) -> Option<Picked> {
        let mut picked = None;
        self.late.retain(|open| match open.answer.try_recv() {
            Ok(paths) if !paths.is_empty() && picked.is_none() => {
                picked = Some(Picked { kind: open.kind, paths, problem: None });
                false
            }
            Err(TryRecvError::Empty) => true,
            _ => false,
        });
        picked
    }
}

/// Elsewhere, dialogs are part of the system.
const MAY_BE_MISSING: bool = cfg!(target_os = "linux");

/// Shows `dialog` for this purpose and waits for the answer.
fn show(kind: PickerKind, dialog: rfd::FileDialog) -> Vec<PathBuf> {
    let about = kind.about();
    let dialog = dialog.set_title(tr(about.title));
    let one = |path: Option<PathBuf>| path.into_iter().collect();
    match kind {
        PickerKind::Files => dialog
            .add_filter(tr("Photos and name lists"), &ADDED_EXTENSIONS)
            .add_filter(tr("All files"), &["*"])
            .pick_files()
            .unwrap_or_default(),
        PickerKind::Folder => one(dialog.pick_folder()),
        PickerKind::NameList => one(dialog.add_filter(tr("Name lists"), &NAME_LIST_EXTENSIONS).pick_file()),
        PickerKind::OutputFolder => one(dialog.pick_folder()),
        PickerKind::Model => one(dialog.add_filter("ONNX", &["onnx"]).pick_file()),
        PickerKind::Library(_) => one(dialog.pick_file()),
        PickerKind::SaveCsv => one(save(dialog, "comparison", "csv")),
        PickerKind::SaveJson => one(save(dialog, "comparison", "jsonl")),
        PickerKind::SaveReport => {
            let filters = [("HTML", &REPORTS[..1]), ("CSV", &REPORTS[1..2]), ("JSON", &REPORTS[2..])];
            let dialog = filters.into_iter().fold(dialog, |dialog, (name, ending)| dialog.add_filter(name, ending));
            one(dialog.set_file_name("report.html").save_file())
        }
        PickerKind::ImportPresets => one(dialog.add_filter("TOML", &["toml"]).pick_file()),
        PickerKind::ExportPresets => one(save(dialog, "presets", "toml")),
        PickerKind::OpenProject => one(dialog.add_filter(tr("Projects"), &[EXTENSION]).pick_file()),
        PickerKind::SaveProject => one(save(dialog, "photos", EXTENSION)),
        PickerKind::FindMissing | PickerKind::WatchFolder => one(dialog.pick_folder()),
    }
}

fn save(dialog: rfd::FileDialog, name: &str, extension: &str) -> Option<PathBuf> {
    let dialog = dialog.set_file_name(format!("{name}.{extension}"));
    dialog.add_filter(extension.to_uppercase(), &[extension]).save_file()
}

/// On Linux, a dialog needs a desktop portal, reached over the session bus, or zenity.
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::sync::mpsc::Sender;

    use super::*;

    /// A picker whose dialogs are answered through the sender, once each.
    fn scripted(timeout: Duration) -> (SystemPicker, Sender<Vec<PathBuf>>) {
        let (sender, receiver) = channel();
        let receiver = std::sync::Mutex::new(receiver);
        let show: ShowDialog = Arc::new(move |_| receiver.lock().expect("not poisoned").recv().unwrap_or_default());
        (SystemPicker { timeout, ..SystemPicker::with(show, Arc::new(|| {})) }, sender)
    }

    /// Same as `open`, without checking whether this machine has dialogs.
    fn open(picker: &mut SystemPicker) {
        let (sender, answer) = channel();
        let show = Arc::clone(&picker.show);
        spawn_named("file-dialog", move || drop(sender.send(show(PickerKind::Model)))).expect("started");
        picker.open = Some(Open { kind: PickerKind::Model, answer, since: Instant::now(), shown: false });
    }

    fn wait(picker: &mut SystemPicker, focused: bool) -> Picked {
        let until = Instant::now() + Duration::from_secs(5);
        loop {
            if let Some(picked) = picker.try_recv(focused) {
                return picked;
            }
            assert!(Instant::now() < until, "no answer");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_dialog_that_times_out_is_not_cancelled() {
        let (mut picker, answers) = scripted(Duration::from_millis(20));
        open(&mut picker);
        assert_eq!(picker.open(PickerKind::Files), Err(NoDialog::Busy));
        assert_eq!(wait(&mut picker, true).problem.as_deref(), Some(NO_ANSWER));
        assert!(picker.open.is_none() && picker.timeout_left().is_none(), "another may be opened");

        answers.send(vec!["/late".into()]).expect("awaited");
        let late = wait(&mut picker, true);
        assert_eq!((late.paths, late.problem), (vec![PathBuf::from("/late")], None), "a late answer is used");
    }

    #[test]
    fn a_dialog_that_was_left_may_still_be_answered() {
        let (mut picker, answers) = scripted(Duration::from_secs(60));
        open(&mut picker);
        picker.leave();
        assert!(picker.open.is_none(), "another may be opened");
        answers.send(vec!["/late".into()]).expect("awaited");
        assert_eq!(wait(&mut picker, true).paths, [PathBuf::from("/late")]);
    }

    #[test]
    fn a_visible_dialog_does_not_time_out() {
        let (mut picker, answers) = scripted(Duration::ZERO);
        open(&mut picker);
        assert_eq!(picker.try_recv(false), None, "the dialog has the focus");
        picker.open.as_mut().expect("open").since -= Duration::from_secs(3600);
        assert_eq!(picker.try_recv(true), None);
        assert_eq!(picker.timeout_left(), None);
        answers.send(Vec::new()).expect("awaited");
        assert_eq!(wait(&mut picker, true), Picked { kind: PickerKind::Model, paths: Vec::new(), problem: None });
    }

    #[test]
    fn an_empty_answer_without_a_visible_dialog_is_reported() {
        let (mut picker, answers) = scripted(Duration::from_secs(60));
        open(&mut picker);
        assert!(picker.timeout_left().is_some());
        answers.send(Vec::new()).expect("awaited");
        assert_eq!(wait(&mut picker, true).problem.as_deref(), Some(NO_DIALOG));
    }
}
