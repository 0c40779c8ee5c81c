//! Entry point: parses the arguments, opens the window or runs a subcommand, and returns an exit code.

// A GUI program on Windows opens no console. `platform::join_console` attaches to that of the parent process.
#![cfg_attr(all(windows, feature = "window"), windows_subsystem = "windows")]

use std::fs::File;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;

use batch::platform::TraceCheck;
use batch::{platform, worker};
use iron_cropper::cli;
use iron_cropper::cli::{Arguments, Exit};
use outcome::TELEMETRY_VARIABLE;

fn main() -> ExitCode {
    switch_off_telemetry();
    if let Some(exit) = worker::serve_read_request() {
        return exit;
    }
    platform::keep_freed_memory();
    platform::join_console();
    let arguments = match cli::parse() {
        Ok(arguments) => arguments,
        Err(exit) => return exit.into(),
    };
    // Runtimes are probed, and some photos decoded, in child processes of the same executable. If its path is unknown,
    // runtimes are not probed and photos are decoded in this process.
    if let Ok(program) = std::env::current_exe() {
        worker::set_child_program(program);
    }
    let exit = run(arguments).unwrap_or_else(|error| {
        cli::fail(&error);
        Exit::CouldNotRun
    });
    exit.into()
}

/// Disables the telemetry of ONNX Runtime's official builds, in this process and its children, regardless of the variable's
/// value. The library reads the variable when it is loaded: with `getenv` on Linux and macOS, from the process environment
/// on Windows.
#[expect(unsafe_code, reason = "on Unix, no other thread may use the environment while it is changed")]
fn switch_off_telemetry() {
    // SAFETY: `main` calls this first, before any other thread exists.
    unsafe { std::env::set_var(TELEMETRY_VARIABLE, "1") };
}

fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    // On macOS, the system itself calls `exit` when a GUI program is quit.
    let _work = (arguments.command.is_some() || !cfg!(target_os = "macos")).then(platform::begin_work);
    let trace = arguments.trace.as_deref().map(make_trace).transpose()?;
    match &arguments.command {
        Some(command) => {
            let check = platform::init_logging(arguments.verbose, None, trace);
            let exit = cli::run(command, arguments.verbose);
            warn_about_trace(&check);
            Ok(exit)
        }
        None => open_window(arguments, trace),
    }
}

/// Warns at the end if the trace is incomplete.
fn warn_about_trace(check: &TraceCheck) {
    if let Some(trouble) = check.error() {
        cli::warn(&format!("the trace could not be written completely: {trouble}"));
    }
}

fn make_trace(path: &Path) -> anyhow::Result<File> {
    // Never overwrites a file: if the flag's value is forgotten, the next argument would be a photo.
    File::create_new(path)
        .with_context(|| format!("the trace file {} cannot be created; choose a new file", path.display()))
}

#[cfg(feature = "window")]
fn open_window(arguments: Arguments, trace: Option<File>) -> anyhow::Result<Exit> {
    use batch::platform::Folders;
    use batch::settings::Settings;
    use iron_cropper::ui;

    let runtime = arguments.runtime.choice()?;
    let folders = Folders::find();
    let check = platform::init_logging(arguments.verbose, folders.as_ref().map(Folders::log_file), trace);
    let (settings, settings_notice) =
        folders.map_or_else(|| (Settings::default(), None), |folders| Settings::load(&folders.config_file));
    // With -v, log output goes to the console the program was started from.
    if arguments.verbose == 0 {
        platform::leave_console();
    }
    let shown = ui::run(ui::WindowOptions {
        settings,
        settings_notice,
        paths: arguments.paths,
        opened: ui::OpenedFiles::default(),
        wishes: ui::SystemWishes::default(),
        runtime,
        model: arguments.runtime.model,
        session: ui::SessionOverrides {
            threads: arguments.session.threads,
            optimization: arguments.session.optimization,
            device: arguments.session.device,
            library: arguments.session.onnxruntime,
            litert: arguments.session.litert,
            face_models: arguments.session.face_models,
        },
        samples: None,
        system_language: None,
        font_fallback: ui::FontFallback::System,
        without_drops: false,
        renderer: None,
        display: None,
        cameras: cfg!(feature = "webcam"),
        ending: ui::EndRequest::default(),
        notify: ui::notify_desktop,
        show_in_folder: ui::show_in_system_folder,
    });
    if shown.is_err() || check.error().is_some() {
        platform::join_console();
    }
    warn_about_trace(&check);
    match shown {
        // The system took the display away: the list is kept, and the next start does not report a crash.
        Err(error) if error.is_display_lost => {
            platform::end_session();
            anyhow::bail!("the display was closed: {}", error.reason);
        }
        Err(error) => {
            platform::show_error_box(&error.to_string());
            return Err(error.into());
        }
        Ok(()) => {}
    }
    // The window was closed normally. After a crash the session's mark stays, and the next start reports it.
    platform::end_session();
    Ok(Exit::Done)
}

#[cfg(not(feature = "window"))]
fn open_window(_arguments: Arguments, _trace: Option<File>) -> anyhow::Result<Exit> {
    anyhow::bail!("this build has no window; try iron-cropper crop --help")
}
