//! The program: reads its arguments, opens the window or runs a subcommand, and ends with an exit code.

use std::process::ExitCode;

use iron_cropper::cli::{self, Arguments, Exit};
use iron_cropper::platform;

fn main() -> ExitCode {
    let arguments = match cli::parse() {
        Ok(arguments) => arguments,
        Err(exit) => return exit.into(),
    };
    let exit = match &arguments.command {
        Some(command) => {
            platform::init_logging(arguments.verbose, None);
            cli::run(command, arguments.verbose)
        }
        None => open_window(arguments).unwrap_or_else(|error| {
            cli::fail(&error);
            Exit::CouldNotRun
        }),
    };
    exit.into()
}

#[cfg(feature = "window")]
fn open_window(arguments: Arguments) -> anyhow::Result<Exit> {
    use iron_cropper::platform::Folders;
    use iron_cropper::settings::Settings;
    use iron_cropper::ui;

    let runtime = arguments.runtime.choice()?;
    let folders = Folders::find();
    platform::init_logging(arguments.verbose, folders.as_ref().map(Folders::log_file));
    let (settings, settings_notice) =
        folders.map_or_else(|| (Settings::default(), None), |folders| Settings::load(&folders.config_file));
    ui::run(ui::WindowOptions {
        settings,
        settings_notice: settings_notice.map(|notice| notice.text),
        paths: arguments.paths,
        runtime,
        model: arguments.runtime.model,
        samples: None,
    })?;
    Ok(Exit::Done)
}

#[cfg(not(feature = "window"))]
fn open_window(_arguments: Arguments) -> anyhow::Result<Exit> {
    anyhow::bail!("this build has no window; try iron-cropper crop --help")
}
