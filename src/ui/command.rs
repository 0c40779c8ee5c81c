//! The commands of the user interface, and the effects that follow from them.

use std::path::PathBuf;

use batch::settings::{DisplayChoice, Guides, LanguageChoice, ThemeChoice, WindowSettings};
use batch::worker::ItemId;
use geometry::{Head, ManualFrame};
use import::PathQuery;
use naming::NamesSpec;
use outcome::DisplayCopy;
use recipe::{
    AssignedRow, BackendKind, CropSpec, DecodeLimits, EncodeSpec, FinishSpec, OnConflict, OutputPlace, Overrides,
    PackageSpec, RuntimeChoice, RuntimeOptions, SheetSpec, Thoroughness,
};

use super::dialogs::PickerKind;
use super::settings_index::Setting;
use super::state::{
    CanvasView, Detail, ExportScope, Filter, Foldable, Navigation, Page, PreviewKey, SelectHow, Showing, TileKey,
};

/// Collected while the window is drawn, applied afterwards.
pub(crate) type Commands = Vec<Command>;

/// A change that the user requests.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    /// Adds files and folders to the list.
    Import(Vec<PathBuf>),
    /// Opens a file dialog.
    Pick(PickerKind),
    Select(ItemId, SelectHow),
    /// Selects the photo that navigation leads to; `true` extends the selection from the last click.
    SelectBy(Navigation, bool),
    /// Selects all visible rows.
    SelectAll,
    SetFilter(Filter),
    /// Records the visible rows of the list.
    NoteShowing(Showing),
    /// Opens the next photo to review; `true` for the previous one.
    NextToReview(bool),
    /// Accepts the selected photos and opens the next one to review.
    AcceptAndGoOn,
    CopyPaths(Vec<ItemId>),
    /// Shows a file or folder in the file manager.
    ShowInFolder(PathBuf),
    /// Removes the selected photos from the list; the files stay.
    RemoveSelected,
    /// Includes or excludes a face of the photo on the canvas.
    ToggleFace(usize),
    /// Sets the head of a face of the photo on the canvas.
    SetHead(usize, Head),
    /// Sets the frame of a face of the photo on the canvas; `None` resets it to follow the head.
    SetFrame(usize, Option<ManualFrame>),
    /// Adds a face with this head to the photo on the canvas.
    DrawFace(Head),
    /// Deletes a drawn face of the photo on the canvas.
    EraseFace(usize),
    /// Moves a crop in the crop order.
    MoveFace {
        from: usize,
        to: usize,
    },
    /// Resets the choice of faces, the heads and the frames of the photo on the canvas.
    ResetFaces,
    /// Discards all edits of these photos.
    ResetPhotos(Vec<ItemId>),
    /// Excludes the selected photos and opens the next one to review.
    ExcludeAndGoOn,
    /// Excludes these photos from exports, or includes them.
    SetExcluded(Vec<ItemId>, bool),
    /// Excludes all but the best photo of every burst among these.
    KeepBestShots(Vec<ItemId>),
    /// Accepts these photos despite their warnings, or undoes that.
    SetAccepted(Vec<ItemId>, bool),
    /// Sets overrides for these photos; `None` returns to the shared settings.
    SetOverrides(Vec<ItemId>, Option<Box<Overrides>>),
    Undo,
    Redo,
    SetView(CanvasView),
    /// Whether the next drag on the canvas draws a face.
    SetDrawing(bool),
    /// Whether resizing a frame may change its aspect ratio.
    SetFreeAspect(bool),
    /// Whether the crop is shown beside the photo.
    SetBeforeAfter(bool),
    /// View of that crop.
    SetAfterView(CanvasView),
    /// Longer side, in pixels, that the largest display of the crop can use.
    SetPreviewSide(u32),
    /// Whether the frame on the canvas receives the focus.
    FocusFrame(bool),
    /// Sets the framing of the active output; the same for the following three.
    SetCrop(CropSpec),
    SetFinish(FinishSpec),
    SetEncode(EncodeSpec),
    /// `None` for no sheet.
    SetSheet(Option<SheetSpec>),
    /// Sets the face selection, which is shared by all outputs; the framing of the spec is ignored.
    SetSelection(CropSpec),
    Outputs(OutputCommand),
    /// Sets the number of detection passes and restarts detection for all photos.
    SetThoroughness(Thoroughness),
    /// Applies the preset with this id.
    ChoosePreset(String),
    /// Saves the current framing as a preset of this name.
    SavePreset(String),
    DuplicatePreset(String),
    RenamePreset {
        id: String,
        name: String,
    },
    DeletePreset(String),
    /// Exports the presets with these ids to a file.
    ExportPresets(Vec<String>),
    SetOnConflict(OnConflict),
    /// `None` if the field was cleared.
    SetOutputFolder(Option<PathBuf>),
    SetTheme(ThemeChoice),
    SetLanguage(LanguageChoice),
    /// Folds a panel or opens it.
    Fold(Foldable, bool),
    /// Records whether the window has room for both side panels.
    NoteRoom(bool),
    SetShowFaces(bool),
    SetShowHeadLines(bool),
    SetGuides(Guides),
    /// Scale relative to the default size.
    SetTextScale(f32),
    /// Moves the keyboard focus to the next panel, or to the previous one.
    FocusPanel(bool),
    /// Moves it to a setting, and opens the panel and the section with it.
    ShowSetting(&'static Setting),
    /// Whether animations are off.
    SetReduceMotion(bool),
    /// Width of a cell of the contact sheet, in points.
    SetCell(f32),
    /// Width of the panel of the photos, in points.
    SetListWidth(f32),
    /// Width of the panel of the settings, in points.
    SetSettingsWidth(f32),
    /// The window was resized.
    SetWindow(WindowSettings),
    ChooseRuntime(RuntimeChoice),
    /// Opening the runtime is slow.
    NoteSlowOpening,
    /// Probes every runtime again.
    CheckRuntimes,
    /// Sets runtime options; they take effect after the debounce delay.
    SetRuntimeOptions(RuntimeOptions),
    /// `None` for the bundled model.
    SetModel(Option<PathBuf>),
    /// Reopens the runtime with other options or another model.
    ReopenRuntime,
    /// Runs a secondary runtime on each opened photo, for comparison; `None` for none.
    SetSecondary(Option<BackendKind>),
    /// Shows or hides the comparison of runtimes in place of the photo.
    ShowCompare(bool),
    Tick(BackendKind, bool),
    SetCompareRuns {
        warmup: u32,
        repeats: u32,
    },
    StartCompare,
    CancelCompare,
    /// Copies the comparison to the clipboard, as Markdown.
    CopyComparison,
    /// Gathers diagnostics for a bug report and copies them to the clipboard as plain text.
    CopyDiagnostics,
    /// Previews this crop of the photo.
    ShowCrop(usize),
    /// Requests a rendering of the preview; sent after the debounce delay.
    RenderPreview(PreviewKey),
    /// Requests renderings of crops for the contact sheet.
    RenderTiles(Vec<TileKey>),
    /// The detail a zoomed-in canvas can show; `None` if the available copy is sharp enough.
    SetDetail(Option<Detail>),
    /// Requests it from the worker; sent after the debounce delay.
    RenderDetail(Detail),
    /// Sets the limits on the size of photos.
    SetLimits(DecodeLimits),
    /// Retries the photos that could not be read; sent after the limits have changed and the debounce delay has passed.
    RetryFailed,
    /// Detect again with the person masks that the crops of these photos need.
    MeasureMasks(Vec<ItemId>),
    /// Whether damaged photos are exported.
    SetIncludeDamaged(bool),
    /// Writes the settings file; sent after the debounce delay.
    SaveSettings,
    Export(ExportScope),
    /// Confirms the project's requests and exports; `resume` continues the latest run.
    AgreeAndExport {
        scope: ExportScope,
        resume: bool,
    },
    CancelExport,
    /// Pauses the export before its next photo, or resumes it.
    PauseExport(bool),
    /// Resumes the export that ended early.
    ResumeExport,
    /// Searches the output folder for an interrupted export.
    FindUnfinished,
    /// Resumes that export or dismisses it.
    AnswerUnfinished {
        resume: bool,
    },
    CloseExport,
    ShowMessage(&'static str),
    DismissNotice(u64),
    OpenPage(Page),
    ClosePage,
    /// Shows or hides the command palette.
    ShowPalette(bool),
    /// Requests completions of a typed path.
    CompletePath(PathQuery),
    /// Applies a typed path in place of a dialog's answer.
    EnterPath(PickerKind, PathBuf),
    Project(ProjectCommand),
    Names(NamesCommand),
    Camera(CameraCommand),
    /// Stops waiting for the open file dialog.
    LeaveDialog,
    /// The display server for the next start.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "other systems have one display server"))]
    SetDisplay(DisplayChoice),
    /// Whether the end of long work is notified.
    SetNotify(bool),
    Quit,
}

impl Command {
    /// The same command extending the selection, if it navigates to another photo.
    pub(crate) fn extended(self) -> Self {
        match self {
            Self::SelectBy(navigate, _) => Self::SelectBy(navigate, true),
            other => other,
        }
    }
}

/// A command about the outputs of the recipe.
#[derive(Clone, Debug)]
pub(crate) enum OutputCommand {
    /// Shows and edits the output with this index.
    Activate(usize),
    /// Adds a copy of the active output; with an id, the preset is applied to it.
    Add(Option<String>),
    /// Removes the output with this index. If it is the first, the next one becomes the first.
    Remove(usize),
    /// Sets folder and name suffix of the active output.
    SetPlace(OutputPlace),
    SetPackage(PackageSpec),
}

/// A command about the names of the crops.
#[derive(Clone, Debug)]
pub(crate) enum NamesCommand {
    /// Sets template, folders, characters and name list.
    Set(NamesSpec),
    /// Uses the name list in this file.
    SetList(PathBuf),
    /// Reads the name list again.
    Reload,
    /// Computes the names again if they depend on something that has changed.
    Update,
    /// Starts typing the name of a photo; `None` to stop.
    Edit(Option<ItemId>),
    Name(ItemId, NameEdit),
    /// Starts typing the text of the card that a photo shows.
    EditCard(ItemId),
    /// Sets that text; empty for no card.
    Card(ItemId, String),
    /// Requests or cancels reading cards, as needed.
    ReadCards,
    /// Drops the export that waits for cards.
    CancelWaiting,
    /// Sets the patterns of paired files, separated by commas.
    SetPaired(String),
    /// Searches the rows of the list.
    Search(String),
}

/// A command about the camera.
#[derive(Clone, Debug)]
pub(crate) enum CameraCommand {
    /// Shows or hides the camera in place of the photo.
    Show(bool),
    /// Opens the camera, unless it is open.
    Open,
    /// Opens the camera with this id instead.
    Choose(String),
    /// Adds the last frame to the list, as a photo.
    Shoot,
}

/// The user's name for a photo.
#[derive(Clone, Debug)]
pub(crate) enum NameEdit {
    /// Takes the place of the name in the list.
    Typed(String),
    /// The row of the list.
    Row(AssignedRow),
    /// None: the photo is named by the list.
    Reset,
}

/// A command about the project or the sources of photos.
#[derive(Clone, Debug)]
pub(crate) enum ProjectCommand {
    /// Starts an empty list.
    New,
    Open(PathBuf),
    Save,
    SaveAs,
    /// Saves, then continues with the action that would have lost the changes.
    SaveAndLeave,
    /// Continues without saving.
    LeaveAnyway,
    /// Cancels the action.
    CancelLeaving,
    /// Autosaves the list for crash recovery; sent after the debounce delay.
    Autosave,
    /// Searches for lists of sessions that crashed.
    FindRecoverable,
    /// Opens the autosaved list in this file.
    Recover(PathBuf),
    /// Deletes it.
    DeleteRecoverable(PathBuf),
    /// Records that this window is open, and checks whether a previous one crashed.
    BeginSession,
    /// Keeps the quarantined photos closed and dismisses the message.
    DismissQuarantine,
    /// Lifts the quarantine of these photos and opens them.
    OpenAnyway(Vec<PathBuf>),
    /// Dismisses the message about missing photos.
    HideMissing,
    StopWatching,
    /// Prepares the end that the system requests: cancels the export and stores an unsaved list for the next start.
    EndForSystem,
    /// Adds an image from the clipboard, with premultiplied alpha.
    Paste(DisplayCopy),
}

/// A consequence of a command or an event outside the state.
#[derive(Debug)]
pub(crate) enum Effect {
    Send(batch::worker::Request),
    /// Requests diagnostics, after details of the screen have been added.
    Diagnose(Box<batch::diagnostics::DiagnosisSpec>),
    Cancel(batch::worker::RequestId),
    Pause(batch::worker::RequestId, bool),
    Pick(PickerKind),
    /// Stops waiting for the open file dialog.
    LeaveDialog,
    /// Notifies the user, unless the window has the focus or notifications are off.
    Notify {
        title: String,
        text: String,
    },
    /// Copies a text to the clipboard.
    Copy(String),
    /// Moves the keyboard focus to the next panel, or to the previous one.
    FocusPanel(bool),
    /// Moves it to a setting.
    ShowSetting(&'static Setting),
    /// Shows a file or folder in the file manager.
    ShowInFolder(PathBuf),
    Quit,
}

impl Effect {
    /// Sends a request of any lane to the worker.
    pub(crate) fn send(request: impl Into<batch::worker::Request>) -> Self {
        Self::Send(request.into())
    }
}
