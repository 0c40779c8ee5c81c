//! What a person can ask of the window.

use std::path::PathBuf;

use super::dialogs::PickerKind;
use super::state::{CanvasView, ExportScope, Page, PreviewKey, SelectHow};
use crate::backend::RuntimeChoice;
use crate::encode::{EncodeSpec, OnConflict};
use crate::plan::CropSpec;
use crate::settings::{ThemeChoice, WindowSettings};
use crate::worker::ItemId;

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
    /// Select the photo so many places further down; negative is up.
    SelectBy(isize),
    SelectAll,
    /// Take the selected photos off the list; the files stay.
    RemoveSelected,
    /// Crop the face of the photo on the canvas, or no longer.
    ToggleFace(usize),
    /// Let the spec choose the faces of the photo on the canvas again.
    ResetFaces,
    SetView(CanvasView),
    SetCrop(CropSpec),
    SetEncode(EncodeSpec),
    SetOnConflict(OnConflict),
    /// `None` where the field was emptied.
    SetOutputFolder(Option<PathBuf>),
    SetTheme(ThemeChoice),
    SetShowFaces(bool),
    /// The window was resized.
    SetWindow(WindowSettings),
    ChooseRuntime(RuntimeChoice),
    /// Show this one of the photo's crops in the preview.
    ShowCrop(usize),
    /// Have the worker render the preview; sent once the plan stands still.
    RenderPreview(PreviewKey),
    /// Write the settings file; sent once the settings stand still.
    SaveSettings,
    Export(ExportScope),
    CancelExport,
    CloseExport,
    /// Show a message.
    Tell(&'static str),
    DismissNotice(u64),
    OpenPage(Page),
    ClosePage,
    Quit,
}

/// What follows from a command or an answer outside the state.
#[derive(Debug)]
pub(crate) enum Effect {
    Send(crate::worker::Request),
    Cancel(crate::worker::RequestId),
    Pick(PickerKind),
    Quit,
}
