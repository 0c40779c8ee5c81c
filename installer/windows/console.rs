//! `iron-cropper.com`: the command line of a windowed program, for shells that would not wait for one.
//!
//! A shell on Windows starts a windowed program and goes on at once. This small console program has the same name, and a
//! `.com` goes before an `.exe`: the shell starts it, it starts `iron-cropper.exe` beside it with the same arguments and
//! streams, waits, and ends with its exit code. Built by itself:
//!
//!     rustc --edition 2024 -O installer/windows/console.rs -o iron-cropper.com

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    // The program decides what Ctrl+C means; it gets the same one.
    pass_over_interrupts();
    let ended = std::env::current_exe()
        .map(|own| own.with_extension("exe"))
        .and_then(|program| Command::new(program).args(std::env::args_os().skip(1)).status());
    match ended {
        // Crashes are codes such as 0xc0000005, of which a shell gets the lowest byte; it must not be 0.
        Ok(status) => match status.code() {
            Some(0) => ExitCode::SUCCESS,
            Some(code) => u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from),
            None => ExitCode::FAILURE,
        },
        Err(error) => {
            eprintln!("iron-cropper.exe cannot be started: {error}");
            ExitCode::from(2)
        }
    }
}

#[cfg(windows)]
fn pass_over_interrupts() {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn SetConsoleCtrlHandler(handler: Option<extern "system" fn(u32) -> i32>, add: i32) -> i32;
    }
    extern "system" fn handled(event: u32) -> i32 {
        const CTRL_BREAK: u32 = 1;
        i32::from(event <= CTRL_BREAK)
    }
    // SAFETY: the handler is a function that lives as long as the program and touches nothing.
    unsafe {
        SetConsoleCtrlHandler(Some(handled), 1);
    }
}

#[cfg(not(windows))]
fn pass_over_interrupts() {}
