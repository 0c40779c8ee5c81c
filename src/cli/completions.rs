//! `iron-cropper completions`: completion scripts for shells, generated from the argument definitions.

use clap::{Command, CommandFactory};
use clap_complete::Shell;

use super::args::Arguments;
use super::completions_args::CompletionsArgs;
use super::{Exit, print};

/// Name of the executable.
const PROGRAM: &str = "iron-cropper";

/// Prints the script.
pub(super) fn run(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    // A pipe that closes is not an error.
    let _ = print::bytes(script(args.shell)?.as_bytes())?;
    Ok(Exit::Done)
}

fn script(shell: Shell) -> anyhow::Result<String> {
    let mut command = shown(&Arguments::command());
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, PROGRAM, &mut script);
    let script = String::from_utf8(script)?;
    // Bug in clap_complete 4.6: in bash, the states of a program with a hyphen in its name are set under one name and
    // looked up under another, so that nothing is completed after a subcommand.
    Ok(script.replace(&PROGRAM.replace('-', "__subcmd__"), &PROGRAM.replace('-', "__")))
}

/// `command` without hidden subcommands, which would otherwise be completed.
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
    fn completions_contain_visible_subcommands_and_flags_only() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let script = script(shell).expect("text");
            for word in ["crop", "completions", "on-conflict", "names-output"] {
                assert!(script.contains(word), "{shell}: {word}");
            }
            assert!(!script.contains(MEASURE_SUBCOMMAND), "{shell}");
        }
    }

    #[test]
    fn bash_states_are_set_and_looked_up_by_the_same_name() {
        let script = script(Shell::Bash).expect("text");
        let states: Vec<&str> =
            script.lines().filter_map(|line| line.trim().strip_prefix("cmd=\"")?.strip_suffix('"')).collect();
        assert!(states.len() > 8, "{states:?}");
        for state in states.iter().filter(|state| !state.is_empty()) {
            assert!(script.lines().any(|line| line.trim().strip_suffix(')') == Some(*state)), "{state}");
        }
    }
}
