//! `iron-cropper completions`: what a shell needs to complete the arguments, made from their definition.

use clap::{Command, CommandFactory};
use clap_complete::Shell;

use super::args::Arguments;
use super::completions_args::CompletionsArgs;
use super::{Exit, print};

/// What is typed to run the program.
const PROGRAM: &str = "iron-cropper";

/// Prints the script.
pub(super) fn run(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    // What is printed to a pipe that closes is no failure.
    let _ = print::bytes(script(args.shell)?.as_bytes())?;
    Ok(Exit::Done)
}

fn script(shell: Shell) -> anyhow::Result<String> {
    let mut command = shown(&Arguments::command());
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, PROGRAM, &mut script);
    let script = String::from_utf8(script)?;
    // A fault of clap_complete 4.6: in bash the states of a program with a hyphen in its name are set under one
    // name and looked for under another, so that nothing is completed after a subcommand.
    Ok(script.replace(&PROGRAM.replace('-', "__subcmd__"), &PROGRAM.replace('-', "__")))
}

/// `command` without the subcommands that are hidden, which would be completed all the same.
pub(super) fn shown(command: &Command) -> Command {
    let visible = command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set());
    let about = command.get_about().cloned().unwrap_or_default();
    let long_about = command.get_long_about().cloned().unwrap_or_else(|| about.clone());
    let after_help = command.get_after_help().cloned().unwrap_or_default();
    Command::new(PROGRAM)
        .about(about)
        .long_about(long_about)
        .after_help(after_help)
        .version(env!("CARGO_PKG_VERSION"))
        .args(command.get_arguments().cloned())
        .subcommands(visible.cloned())
}

#[cfg(test)]
mod tests {
    use batch::latency::MEASURE_SUBCOMMAND;

    use super::*;

    #[test]
    fn every_shell_knows_the_subcommands_and_flags_but_not_what_is_hidden() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let script = script(shell).expect("text");
            for word in ["crop", "completions", "on-conflict", "names-output"] {
                assert!(script.contains(word), "{shell}: {word}");
            }
            assert!(!script.contains(MEASURE_SUBCOMMAND), "{shell}");
        }
    }

    #[test]
    fn in_bash_each_state_that_is_set_is_looked_for() {
        let script = script(Shell::Bash).expect("text");
        let states: Vec<&str> =
            script.lines().filter_map(|line| line.trim().strip_prefix("cmd=\"")?.strip_suffix('"')).collect();
        assert!(states.len() > 8, "{states:?}");
        for state in states.iter().filter(|state| !state.is_empty()) {
            assert!(script.lines().any(|line| line.trim().strip_suffix(')') == Some(*state)), "{state}");
        }
    }
}
