//! What a person can ask of the window.

use std::path::PathBuf;

use batch::settings::{Guides, LanguageChoice, ThemeChoice, WindowSettings};
use batch::worker::ItemId;
use geometry::{Head, ManualFrame};
use import::PathQuery;
use outcome::DisplayCopy;
use recipe::{
    BackendKind, CropSpec, DecodeLimits, EncodeSpec, FinishSpec, OnConflict, Overrides, RuntimeChoice, RuntimeOptions,
    SheetSpec, Thoroughness,
};

use super::dialogs::PickerKind;
use super::state::{CanvasView, Detail, ExportScope, Filter, Navigation, Page, PreviewKey, SelectHow, Showing};

/// Collected while the window is drawn, applied after.
pub(crate) type Commands = Vec<Command>;

/// One wish.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    /// Add files and folders to the list.
    Import(Vec<PathBuf>),
    /// Ask for paths with the system's dialog.
    Pick(PickerKind),
    Select(ItemId, SelectHow),
    /// Select the photo that is there; `true` for all from the last click to it.
    SelectBy(Navigation, bool),
    /// Every photo that is shown.
    SelectAll,
    /// Show these photos of the list.
    SetFilter(Filter),
    /// This is in sight of the list.
    NoteShowing(Showing),
    /// Show the next photo that needs a look; `true` for the one before.
    NextToReview(bool),
    /// Take the selected photos as they are, and go on to the next that needs a look.
    AcceptAndGoOn,
    /// Put the path of these photos on the clipboard.
    CopyPaths(Vec<ItemId>),
    /// Take the selected photos off the list; the files stay.
    RemoveSelected,
    /// Crop the face of the photo on the canvas, or no longer.
    ToggleFace(usize),
    /// Set the head of this face of the photo on the canvas.
    SetHead(usize, Head),
    /// Set the frame of this face of the photo on the canvas; `None` lets it follow the head again.
    SetFrame(usize, Option<ManualFrame>),
    /// Add a face to the photo on the canvas where this head is.
    DrawFace(Head),
    /// Take away this face of the photo on the canvas, which was drawn.
    EraseFace(usize),
    /// Have the crop at one place in the order come at another.
    MoveFace {
        from: usize,
        to: usize,
    },
    /// Let the spec choose the faces of the photo on the canvas again, and heads and frames be estimated.
    ResetFaces,
    /// Forget everything that was decided about these photos.
    ResetPhotos(Vec<ItemId>),
    /// Whether these photos are left out of exports.
    SetExcluded(Vec<ItemId>, bool),
    /// Whether these photos are taken as they are, whatever speaks against them.
    SetAccepted(Vec<ItemId>, bool),
    /// Specs of their own for these photos; `None` for those of the list.
    SetOverrides(Vec<ItemId>, Option<Box<Overrides>>),
    Undo,
    Redo,
    SetView(CanvasView),
    /// Whether the next drag on the canvas draws a face.
    SetDrawing(bool),
    /// Whether frames are pulled without keeping their aspect.
    SetFreeAspect(bool),
    /// Whether the crop is shown beside the photo.
    SetBeforeAfter(bool),
    /// What is seen of that crop.
    SetAfterView(CanvasView),
    /// Pixels of the longer side that the largest picture of the crop on the screen can use.
    WantPreviewSide(u32),
    /// Whether the frame on the canvas is to take the focus.
    FocusFrame(bool),
    SetCrop(CropSpec),
    SetFinish(FinishSpec),
    /// `None` for no sheet.
    SetSheet(Option<SheetSpec>),
    /// How many looks each photo is given; all are looked at again.
    SetThoroughness(Thoroughness),
    /// Take over the preset with this id.
    ChoosePreset(String),
    /// Keep the present framing as a preset of this name.
    SavePreset(String),
    DuplicatePreset(String),
    RenamePreset {
        id: String,
        name: String,
    },
    DeletePreset(String),
    /// Write the presets with these ids to a file.
    ExportPresets(Vec<String>),
    SetEncode(EncodeSpec),
    SetOnConflict(OnConflict),
    /// `None` where the field was emptied.
    SetOutputFolder(Option<PathBuf>),
    SetTheme(ThemeChoice),
    SetLanguage(LanguageChoice),
    SetShowFaces(bool),
    SetShowHeadLines(bool),
    SetGuides(Guides),
    /// How many times its usual size everything is.
    SetTextScale(f32),
    /// Whether things that need not move stand still.
    SetLessMotion(bool),
    /// The window was resized.
    SetWindow(WindowSettings),
    ChooseRuntime(RuntimeChoice),
    /// Opening the runtime takes long: say so.
    NoteSlowOpening,
    /// Try every runtime again.
    CheckRuntimes,
    /// How runtimes are opened; they are once this stands still.
    SetRuntimeOptions(RuntimeOptions),
    /// `None` for the bundled model.
    SetModel(Option<PathBuf>),
    /// Open the runtime anew, with other options or another model.
    ReopenRuntime,
    /// Show what this runtime takes for each photo as well; `None` shows none.
    Pin(Option<BackendKind>),
    /// Compare runtimes in the photo's place, or no longer.
    ShowCompare(bool),
    Tick(BackendKind, bool),
    SetCompareRuns {
        warmup: u32,
        repeats: u32,
    },
    StartCompare,
    CancelCompare,
    /// Put the comparison on the clipboard, as Markdown.
    CopyComparison,
    /// Find out what those who help need to know, and put it on the clipboard as plain text.
    CopyDiagnostics,
    /// Show this one of the photo's crops in the preview.
    ShowCrop(usize),
    /// Have the worker render the preview; sent once the plan stands still.
    RenderPreview(PreviewKey),
    /// What the zoomed-in canvas shows; `None` where the picture at hand is sharp enough.
    WantDetail(Option<Detail>),
    /// Have the worker decode it; sent once the view stands still.
    RenderDetail(Detail),
    /// How large photos may be.
    SetLimits(DecodeLimits),
    /// Look again at the photos that could not be read; sent once the limits stand still.
    RetryFailed,
    /// Whether damaged photos are exported.
    SetIncludeDamaged(bool),
    /// Write the settings file; sent once the settings stand still.
    SaveSettings,
    Export(ExportScope),
    /// Agree to what the project asks for, and export; `resume` takes up the latest run.
    AgreeAndExport {
        scope: ExportScope,
        resume: bool,
    },
    CancelExport,
    /// Begin no new photo of the export, or go on.
    PauseExport(bool),
    /// Take up the export that ended early.
    ResumeExport,
    /// Look for a run into the output folder that was broken off.
    FindUnfinished,
    /// Take that run up, or say no more of it.
    AnswerUnfinished {
        resume: bool,
    },
    CloseExport,
    /// Show a message.
    Tell(&'static str),
    DismissNotice(u64),
    OpenPage(Page),
    ClosePage,
    /// Show the field that finds actions, presets and photos by name, or no longer.
    ShowPalette(bool),
    /// List what a path that is being typed may become.
    CompletePath(PathQuery),
    /// Take a path that was typed in place of a dialog's answer.
    TakePath(PickerKind, PathBuf),
    Project(ProjectCommand),
    Quit,
}

impl Command {
    /// The same with what lies between selected as well, where it steps to another photo.
    pub(crate) fn extended(self) -> Self {
        match self {
            Self::SelectBy(navigate, _) => Self::SelectBy(navigate, true),
            other => other,
        }
    }
}

/// A wish about the project, or about where photos come from.
#[derive(Clone, Debug)]
pub(crate) enum ProjectCommand {
    /// Begin an empty list.
    New,
    Open(PathBuf),
    Save,
    SaveAs,
    /// Save, then do what would have lost the changes.
    SaveAndLeave,
    /// Do it without saving.
    LeaveAnyway,
    /// Do not do it.
    Stay,
    /// Keep the list in case the program ends without closing; sent once it stands still.
    Keep,
    /// Look for lists that were kept by programs that ended without closing.
    FindLost,
    /// Open the list that was kept in this file.
    Recover(PathBuf),
    /// Take it away.
    ForgetLost(PathBuf),
    /// Note that this window is open, and find out whether one before it ended without closing.
    BeginSession,
    /// Photos that are held back stay so; no longer tell of it.
    LeaveHeldBack,
    /// Open these photos, which were held back, after all.
    ReadAfterAll(Vec<PathBuf>),
    /// No longer name the photos that are missing.
    HideMissing,
    StopWatching,
    /// Add a picture from the clipboard, its colours multiplied by their alpha.
    Paste(DisplayCopy),
}

/// What follows from a command or an answer outside the state.
#[derive(Debug)]
pub(crate) enum Effect {
    Send(batch::worker::Request),
    /// Ask for a diagnosis, with what the frame knows added.
    Diagnose(Box<batch::diagnostics::DiagnosisSpec>),
    Cancel(batch::worker::RequestId),
    Pause(batch::worker::RequestId, bool),
    Pick(PickerKind),
    /// Put a text on the clipboard.
    Copy(String),
    Quit,
}

impl Effect {
    /// Send a request of any lane to the worker.
    pub(crate) fn send(request: impl Into<batch::worker::Request>) -> Self {
        Self::Send(request.into())
    }
}
