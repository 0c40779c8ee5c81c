//! `iron-cropper.com`: console wrapper for the GUI program, because shells on Windows do not wait for GUI programs.
//!
//! The wrapper has the same name, and `.com` takes precedence over `.exe`: the shell starts the wrapper, which starts
//! `iron-cropper.exe` in the same folder with the same arguments and streams, waits, and returns its exit code. Build:
//!
//!     rustc --edition 2024 -O installer/windows/console.rs -o iron-cropper.com

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    // The program handles Ctrl+C itself; it receives it too.
    pass_over_interrupts();
    let ended = std::env::current_exe()
        .map(|own| own.with_extension("exe"))
        .and_then(|program| Command::new(program).args(std::env::args_os().skip(1)).status());
    match ended {
        // Crashes have codes such as 0xc0000005, of which a shell may get only the lowest byte; it must not be 0.
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
    // SAFETY: the handler is a static function that accesses no data.
    unsafe {
        SetConsoleCtrlHandler(Some(handled), 1);
    }
}

#[cfg(not(windows))]
fn pass_over_interrupts() {}
