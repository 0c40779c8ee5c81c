//! The command line: arguments as data, one file per subcommand, and the same worker as the window.
//!
//! Only `print` writes to standard output. The result of a run is an [`Exit`].

mod args;
mod ask;
mod batch;
mod cards;
mod causes;
mod columns;
mod compare;
mod completions;
mod completions_args;
mod crop;
mod crop_args;
mod detect;
mod doctor;
mod encode_args;
mod exit;
mod face_args;
mod face_json;
mod finish_args;
mod framing_args;
mod inputs;
mod json;
mod json_numbers;
mod man;
mod man_args;
mod model;
mod model_note;
mod names_preview;
mod names_report;
mod naming;
mod naming_args;
mod numbers;
mod package_args;
mod pipe;
mod preset_arg;
mod preset_json;
mod presets;
mod print;
mod project_arg;
mod report;
mod report_file;
mod run_args;
mod runtime_args;
mod runtimes;
mod sheet_args;
mod variants;
mod warning_list;
mod watch;
mod watch_args;

pub use args::{Arguments, Command, PresetsArgs, PresetsCommand};
pub use completions_args::CompletionsArgs;
pub use crop_args::{CropArgs, DetectArgs, InputArgs};
pub use doctor::DoctorArgs;
pub use encode_args::{EncodeArgs, LimitArgs};
pub use exit::Exit;
pub use face_args::{FindArgs, SelectArgs};
pub use finish_args::FinishArgs;
pub use framing_args::{FramingArgs, RequestedSize};
pub use man_args::ManArgs;
pub use naming_args::{Characters, Folders, Missing, NamingArgs};
pub use package_args::{PackageArgs, SheetKind};
pub use preset_arg::PresetArg;
pub use run_args::{ReportArgs, RunArgs};
pub use runtime_args::{
    CompareArgs, MeasureArgs, ModelArgs, Precision, RUNTIME_VARIABLE, RuntimeArgs, RuntimesArgs, SessionArgs, TrialArgs,
};
pub use sheet_args::SheetArgs;
pub use watch_args::WatchArgs;

/// Parses the program's arguments.
///
/// # Errors
/// They are invalid, or help was requested. The message has been printed; the exit code is returned.
pub fn parse() -> Result<Arguments, Exit> {
    Arguments::read(std::env::args_os()).map_err(|answer| {
        print::clap(&answer);
        if answer.use_stderr() { Exit::CouldNotRun } else { Exit::Done }
    })
}

/// Runs a subcommand.
pub fn run(command: &Command, verbose: u8) -> Exit {
    let end = match command {
        Command::Crop(args) => crop::run(args, verbose),
        Command::Watch(args) => watch::run(args, verbose),
        Command::Detect(args) => detect::run(args, verbose),
        Command::Presets(args) => presets::run(args),
        Command::Report(args) => report_file::run(args),
        Command::Runtimes(args) => runtimes::run(args, verbose),
        Command::Compare(args) => compare::run(args, verbose),
        Command::Doctor(args) => doctor::run(args),
        Command::Model(args) => model::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
        Command::Measure(args) => runtimes::run_measure(args),
    };
    end.unwrap_or_else(|error| {
        fail(&error);
        Exit::CouldNotRun
    })
}

/// Prints a warning to standard error.
pub fn warn(text: &str) {
    print::note(&format!("warning: {text}"));
}

/// Prints the error that prevents the program from running to standard error.
pub fn fail(error: &anyhow::Error) {
    print::note(&format!("error: {}", causes::with_causes(error.as_ref())));
}
