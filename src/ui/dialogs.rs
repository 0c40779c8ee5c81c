//! The system's file dialogs, on a thread of their own.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use batch::project::EXTENSION;
use batch::worker::{Wake, spawn_named};
use import::{PICTURE_EXTENSIONS, PathKind};

use super::language::{current, mark, say, set_current, tr};

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
    /// The file a report on an export is written to, in the format of its ending.
    SaveReport,
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

/// What a dialog asks for, in its own words and those of the field that takes its place. In English; shown by `tr`.
pub(crate) struct About {
    pub title: &'static str,
    /// On the button that takes the path typed.
    pub take: &'static str,
    pub want: PathKind,
    /// For files that are written: what their names end in.
    pub extension: Option<&'static str>,
}

impl PickerKind {
    pub(crate) const fn about(self) -> About {
        let (title, take, want, extension) = match self {
            Self::Files => (mark("Add photos"), mark("Add"), PathKind::Files(&PICTURE_EXTENSIONS), None),
            Self::Folder => (mark("Add a folder of photos"), mark("Add"), PathKind::Folders, None),
            Self::OutputFolder => (mark("Choose where crops go"), mark("Choose"), PathKind::Folders, None),
            Self::Model => (mark("Choose a YuNet model"), mark("Choose"), PathKind::Files(&["onnx"]), None),
            Self::Library => (mark("Choose the ONNX Runtime library"), mark("Choose"), PathKind::Files(&[]), None),
            Self::SaveCsv => (mark("Save the comparison"), mark("Save"), PathKind::Files(&["csv"]), Some("csv")),
            Self::SaveJson => (mark("Save the comparison"), mark("Save"), PathKind::Files(&["jsonl"]), Some("jsonl")),
            Self::SaveReport => (mark("Save the report"), mark("Save"), PathKind::Files(&REPORTS), Some(REPORTS[0])),
            Self::ImportPresets => (mark("Choose a file of presets"), mark("Import"), PathKind::Files(&["toml"]), None),
            Self::ExportPresets => (mark("Export presets"), mark("Export"), PathKind::Files(&["toml"]), Some("toml")),
            Self::OpenProject => (mark("Open a project"), mark("Open"), PathKind::Files(&[EXTENSION]), None),
            Self::SaveProject => {
                (mark("Save the project"), mark("Save"), PathKind::Files(&[EXTENSION]), Some(EXTENSION))
            }
            Self::FindMissing => {
                (mark("Look for missing photos below a folder"), mark("Look"), PathKind::Folders, None)
            }
            Self::WatchFolder => (mark("Watch a folder for new photos"), mark("Watch"), PathKind::Folders, None),
        };
        About { title, take, want, extension }
    }
}

/// What the names of reports end in; the first is the usual one.
pub(crate) const REPORTS: [&str; 3] = ["html", "csv", "json"];

/// A dialog's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// What was asked.
    pub kind: PickerKind,
    /// The paths picked; empty where the dialog was cancelled.
    pub paths: Vec<PathBuf>,
    /// Why there is no answer, as a whole sentence; that is not the same as a dialog that was cancelled.
    pub problem: Option<String>,
}

/// Why no dialog was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoDialog {
    /// One is open already.
    Busy,
    /// None can be shown here: why, as a whole sentence.
    Missing(String),
}

/// Opens file dialogs without ever blocking; [`SystemPicker`] is the real one, tests script their own.
pub trait FilePicker {
    /// Opens a dialog.
    ///
    /// # Errors
    /// Why none was opened.
    fn open(&mut self, kind: PickerKind) -> Result<(), NoDialog>;

    /// The answer of the dialog that was open, once it is there. `focused` says whether the window has the keyboard: a
    /// dialog that is shown takes it away.
    fn try_recv(&mut self, focused: bool) -> Option<Picked>;

    /// How long until a dialog that does not show up is given up; `None` where nothing is waited for.
    fn patience_left(&self) -> Option<Duration> {
        None
    }
}

type Ask = Arc<dyn Fn(PickerKind) -> Vec<PathBuf> + Send + Sync>;

/// The dialogs of the operating system.
pub struct SystemPicker {
    wake: Wake,
    ask: Ask,
    open: Option<Open>,
    /// Dialogs that were given up; they may show up after all.
    late: Vec<Open>,
    patience: Duration,
}

/// A dialog that was asked for.
struct Open {
    kind: PickerKind,
    answer: Receiver<Vec<PathBuf>>,
    since: Instant,
    /// True once the window has lost the keyboard since: the dialog is there, and may stay as long as a person likes.
    shown: bool,
}

impl SystemPicker {
    /// A picker that calls `wake` when an answer is there.
    pub fn new(wake: Wake) -> Self {
        Self { wake, ask: Arc::new(ask), open: None, late: Vec::new(), patience: PATIENCE }
    }
}

const NO_DIALOG: &str = mark("No file dialog is available here.");
const NO_ANSWER: &str = mark("The file dialog has not shown up.");

/// What shows dialogs on Linux is another process, which may be missing or hang: the desktop portal is started when it is
/// first asked, which D-Bus gives 25 seconds.
const PATIENCE: Duration = Duration::from_secs(30);

/// An empty answer that comes faster than a person can cancel means that no dialog was shown.
const FASTER_THAN_A_PERSON: Duration = Duration::from_millis(300);

impl FilePicker for SystemPicker {
    fn open(&mut self, kind: PickerKind) -> Result<(), NoDialog> {
        if self.open.is_some() {
            return Err(NoDialog::Busy);
        }
        if !dialog_could_open() {
            return Err(NoDialog::Missing(tr(NO_DIALOG).to_owned()));
        }
        let (sender, answer) = channel();
        let (wake, ask, language) = (self.wake.clone(), Arc::clone(&self.ask), current());
        spawn_named("file-dialog", move || {
            // A thread speaks English until it is told otherwise.
            set_current(language);
            // The window may be gone by the time the dialog is answered.
            let _ = sender.send(ask(kind));
            wake();
        })
        .map_err(|error| {
            NoDialog::Missing(say!("The file dialog could not be started: {reason}.", reason = error.to_string()))
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
        let reported = |problem| Some(Picked { kind, paths: Vec::new(), problem: Some(tr(problem).to_owned()) });
        match open.answer.try_recv() {
            Ok(paths) => {
                let never_there = paths.is_empty() && (!open.shown || waited < FASTER_THAN_A_PERSON);
                self.open = None;
                if MAY_BE_MISSING && never_there {
                    reported(NO_DIALOG)
                } else {
                    Some(Picked { kind, paths, problem: None })
                }
            }
            Err(TryRecvError::Empty) if MAY_BE_MISSING && !open.shown && waited >= self.patience => {
                self.late.extend(self.open.take());
                reported(NO_ANSWER)
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                self.open = None;
                reported(mark("The file dialog has failed."))
            }
        }
    }

    fn patience_left(&self) -> Option<Duration> {
        let open = self.open.as_ref().filter(|open| MAY_BE_MISSING && !open.shown)?;
        Some(self.patience.saturating_sub(open.since.elapsed()))
    }
}

impl SystemPicker {
    /// What was picked in a dialog that had been given up.
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

/// Elsewhere the dialogs are part of the system.
const MAY_BE_MISSING: bool = cfg!(target_os = "linux");

fn ask(kind: PickerKind) -> Vec<PathBuf> {
    let about = kind.about();
    let dialog = rfd::FileDialog::new().set_title(tr(about.title));
    let one = |path: Option<PathBuf>| path.into_iter().collect();
    match kind {
        PickerKind::Files => dialog
            .add_filter(tr("Photos"), &PICTURE_EXTENSIONS)
            .add_filter(tr("All files"), &["*"])
            .pick_files()
            .unwrap_or_default(),
        PickerKind::Folder => one(dialog.pick_folder()),
        PickerKind::OutputFolder => one(dialog.pick_folder()),
        PickerKind::Model => one(dialog.add_filter("ONNX", &["onnx"]).pick_file()),
        PickerKind::Library => one(dialog.pick_file()),
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::sync::mpsc::Sender;

    use super::*;

    /// A picker whose dialogs are answered through the sender, once each.
    fn scripted(patience: Duration) -> (SystemPicker, Sender<Vec<PathBuf>>) {
        let (sender, receiver) = channel();
        let receiver = std::sync::Mutex::new(receiver);
        let ask: Ask = Arc::new(move |_| receiver.lock().expect("whole").recv().unwrap_or_default());
        (SystemPicker { ask, patience, ..SystemPicker::new(Arc::new(|| {})) }, sender)
    }

    /// As `open`, without asking whether this machine has dialogs.
    fn open(picker: &mut SystemPicker) {
        let (sender, answer) = channel();
        let ask = Arc::clone(&picker.ask);
        spawn_named("file-dialog", move || drop(sender.send(ask(PickerKind::Model)))).expect("started");
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
    fn a_dialog_that_never_shows_up_is_no_cancelled_one() {
        let (mut picker, answers) = scripted(Duration::from_millis(20));
        open(&mut picker);
        assert_eq!(picker.open(PickerKind::Files), Err(NoDialog::Busy));
        assert_eq!(wait(&mut picker, true).problem.as_deref(), Some(NO_ANSWER));
        assert!(picker.open.is_none() && picker.patience_left().is_none(), "another may be opened");

        answers.send(vec!["/late".into()]).expect("awaited");
        let late = wait(&mut picker, true);
        assert_eq!((late.paths, late.problem), (vec![PathBuf::from("/late")], None), "what is picked after all counts");
    }

    #[test]
    fn a_dialog_in_sight_may_stay_and_be_cancelled() {
        let (mut picker, answers) = scripted(Duration::ZERO);
        open(&mut picker);
        assert_eq!(picker.try_recv(false), None, "the window has lost the keyboard to it");
        picker.open.as_mut().expect("open").since -= Duration::from_secs(3600);
        assert_eq!(picker.try_recv(true), None);
        assert_eq!(picker.patience_left(), None);
        answers.send(Vec::new()).expect("awaited");
        assert_eq!(wait(&mut picker, true), Picked { kind: PickerKind::Model, paths: Vec::new(), problem: None });
    }

    #[test]
    fn an_empty_answer_without_a_dialog_in_sight_is_reported() {
        let (mut picker, answers) = scripted(Duration::from_secs(60));
        open(&mut picker);
        assert!(picker.patience_left().is_some());
        answers.send(Vec::new()).expect("awaited");
        assert_eq!(wait(&mut picker, true).problem.as_deref(), Some(NO_DIALOG));
    }
}
