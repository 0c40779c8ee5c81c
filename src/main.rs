//! The program: reads its arguments, opens the window or runs a subcommand, and ends with an exit code.

// A windowed program on Windows: no console opens with it. `platform::join_console` gives it the one it was started from.
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
    // Runtimes are tried, and some photos read, in a process of their own: this program again. Where its path is unknown,
    // runtimes are not tried and photos are read here.
    if let Ok(program) = std::env::current_exe() {
        worker::set_child_program(program);
    }
    let exit = run(arguments).unwrap_or_else(|error| {
        cli::fail(&error);
        Exit::CouldNotRun
    });
    exit.into()
}

/// Switches the reports of ONNX Runtime's official builds off, in this process and in those it starts, whatever the variable was.
/// The library reads the variable when it starts: with `getenv` on Linux and macOS, from the process itself on Windows.
#[expect(unsafe_code, reason = "on Unix, no other thread may use the environment while it is changed")]
fn switch_off_telemetry() {
    // SAFETY: `main` calls this first, so that there is no other thread yet.
    unsafe { std::env::set_var(TELEMETRY_VARIABLE, "1") };
}

fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    // On macOS, the system itself calls `exit` where a person quits a windowed program.
    let _work = (arguments.command.is_some() || !cfg!(target_os = "macos")).then(platform::begin_work);
    let trace = arguments.trace.as_deref().map(make_trace).transpose()?;
    match &arguments.command {
        Some(command) => {
            let check = platform::init_logging(arguments.verbose, None, trace);
            let exit = cli::run(command, arguments.verbose);
            tell_of_trace(&check);
            Ok(exit)
        }
        None => open_window(arguments, trace),
    }
}

/// Says at the end where the trace is not what was asked for; what was done stands.
fn tell_of_trace(check: &TraceCheck) {
    if let Some(trouble) = check.trouble() {
        cli::warn(&format!("the trace could not be written whole: {trouble}"));
    }
}

fn make_trace(path: &Path) -> anyhow::Result<File> {
    // Never over a file that is there: a forgotten value would make a photo of it.
    File::create_new(path).with_context(|| format!("the trace file {} cannot be made; name a new file", path.display()))
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
    // Who asks to be told what happens reads it where the program was started.
    if arguments.verbose == 0 {
        platform::leave_console();
    }
    let shown = ui::run(ui::WindowOptions {
        settings,
        settings_notice,
        paths: arguments.paths,
        opened: ui::OpenedFiles::default(),
        runtime,
        model: arguments.runtime.model,
        session: ui::SessionOverrides {
            threads: arguments.session.threads,
            optimization: arguments.session.optimization,
            device: arguments.session.device,
            library: arguments.session.onnxruntime,
        },
        samples: None,
        system_language: None,
        letters: ui::Letters::System,
        without_drops: false,
        renderer: None,
    });
    if shown.is_err() || check.trouble().is_some() {
        platform::join_console();
    }
    tell_of_trace(&check);
    if let Err(error) = &shown {
        platform::show_where_unheard(&error.to_string());
    }
    shown?;
    // The window was closed. Otherwise its mark stays, and the next start says so.
    platform::end_session();
    Ok(Exit::Done)
}

#[cfg(not(feature = "window"))]
fn open_window(_arguments: Arguments, _trace: Option<File>) -> anyhow::Result<Exit> {
    anyhow::bail!("this build has no window; try iron-cropper crop --help")
}
