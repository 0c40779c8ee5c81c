//! The window: egui lives here and nowhere else.
//!
//! In reading order: `state` is what the window knows, `command` what a person can ask of it, `actions` what menus and keys
//! offer of that. `apply` turns commands
//! and `absorb` turns the worker's answers into changes of the state; nothing else changes it. `panels` and `canvas`
//! draw the state and collect commands. `language` is what they speak, `app` ties these to eframe, `run` opens the window.

mod actions;
mod app;
mod apply;
mod canvas;
mod command;
mod debounce;
mod decide;
mod diagnostics;
mod dialogs;
mod fade;
mod find;
mod handle_event;
mod input;
mod language;
mod opened;
mod panels;
mod run;
mod state;
mod textures;
mod theme;
mod widgets;
mod words;

pub use app::IronCropperApp;
pub use dialogs::{FilePicker, NoDialog, Picked, PickerKind, SystemPicker};
pub use language::{Language, Letters, of_system};
pub use opened::OpenedFiles;
pub use run::{SessionOverrides, WindowError, WindowOptions, run};
