//! The window. The only module that uses egui.
//!
//! Data flow, in each pass of the egui event loop:
//!
//! 1. Input: `panels` and `canvas` draw the state and push `Command`s. So do keys, drops and pastes (`input`), menus
//!    (`actions`), the command palette (`find`), file dialogs (`dialogs`) and the debounced values in `app`. Drawing never
//!    changes the state.
//! 2. Command: a change that the user requests, as plain data (`command`).
//! 3. Apply: `apply::apply` runs each command. It changes `AppState`, records an undo step, and returns `Effect`s.
//! 4. Effects: `app` runs them: it sends a request to the worker, cancels or pauses one, opens a dialog, or copies text.
//! 5. Worker: `batch::worker` runs requests on its own threads, answers them with events, and wakes the event loop.
//! 6. Event: `handle_event::handle_event` applies each event to `AppState`, and may return further effects.
//!
//! Only `apply` and `handle_event` change the state, apart from a few notices that `app` adds. Read `state` first, then
//! `command`, `apply`, `handle_event` and `app`. `language` and `messages` contain translation and wording; `run` opens
//! the window.

mod actions;
mod app;
mod apply;
mod auto_dismiss;
mod canvas;
mod command;
mod debounce;
mod decide;
mod diagnostics;
mod dialogs;
#[cfg(target_os = "linux")]
mod display_server;
mod end_request;
mod event_order;
mod file_manager;
mod find;
mod handle_event;
mod input;
mod language;
mod messages;
mod notification;
mod opened;
mod panels;
mod run;
mod settings_index;
mod state;
mod textures;
mod theme;
mod widgets;
mod wishes;

pub use app::IronCropperApp;
pub use dialogs::{FilePicker, NoDialog, Picked, PickerKind, SystemPicker};
pub use end_request::EndRequest;
pub use file_manager::{ShowInFolder, show_in_system_folder};
pub use language::{FontFallback, Language, of_system};
pub use notification::{Notify, notify_desktop};
pub use opened::OpenedFiles;
pub use run::{SessionOverrides, WindowError, WindowOptions, run};
pub use wishes::{SystemWishes, Wishes};
