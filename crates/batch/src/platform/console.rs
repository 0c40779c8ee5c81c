//! The console of a GUI program: on Windows it has none of its own and attaches to the parent's console.
//!
//! On other systems the functions here do nothing.

#![cfg_attr(
    windows,
    expect(unsafe_code, reason = "consoles and message boxes are functions of the system's libraries")
)]

/// Attaches to the console of the parent process, so that output appears there. Streams redirected to a file or another
/// program are kept; without such a console nothing happens.
pub fn join_console() {
    #[cfg(windows)]
    windows::join();
}

/// Detaches from the console, so that an open window is not closed with the shell or by its Ctrl+C.
pub fn leave_console() {
    #[cfg(windows)]
    windows::leave();
}

/// Shows `text` in a message box if standard error is not connected, so that a GUI program that cannot open its window does
/// not exit silently. On other systems nothing is shown, since standard error is available.
pub fn show_error_box(text: &str) {
    #[cfg(windows)]
    windows::show(text);
    #[cfg(not(windows))]
    let _ = text;
}

#[cfg(windows)]
mod windows {
    use std::ffi::c_void;
    use std::fs::OpenOptions;
    use std::os::windows::io::IntoRawHandle;
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicBool, Ordering};

    type Handle = *mut c_void;

    const ATTACH_PARENT_PROCESS: u32 = u32::MAX;
    const FILE_TYPE_UNKNOWN: u32 = 0;
    const MB_ICONERROR: u32 = 0x10;
    /// Standard error: -12.
    const ERROR: u32 = u32::MAX - 11;
    /// Standard output, -11, and standard error.
    const OUTPUTS: [u32; 2] = [u32::MAX - 10, ERROR];
    /// Standard input: -10.
    const INPUT: u32 = u32::MAX - 9;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn AttachConsole(process: u32) -> i32;
        fn FreeConsole() -> i32;
        fn GetConsoleMode(console: Handle, mode: *mut u32) -> i32;
        fn GetFileType(file: Handle) -> u32;
        fn GetStdHandle(which: u32) -> Handle;
        fn SetStdHandle(which: u32, handle: Handle) -> i32;
    }

    #[link(name = "user32")]
    unsafe extern "system" {
        fn MessageBoxW(owner: Handle, text: *const u16, caption: *const u16, kind: u32) -> i32;
    }

    /// True while attached to the parent's console: a console created by the system is not detached.
    static JOINED: AtomicBool = AtomicBool::new(false);

    pub(super) fn join() {
        let before = OUTPUTS.map(usable);
        let input = usable(INPUT);
        // SAFETY: the call has a plain argument and accesses no memory of this program.
        if unsafe { AttachConsole(ATTACH_PARENT_PROCESS) } == 0 {
            return;
        }
        JOINED.store(true, Ordering::Relaxed);
        // Attaching may redirect every stream to the console; restore redirected streams.
        for (which, stream) in OUTPUTS.into_iter().zip(before) {
            if let Some(stream) = stream.or_else(console_output) {
                set(which, stream);
            }
        }
        if let Some(input) = input {
            set(INPUT, input);
        }
    }

    pub(super) fn leave() {
        if !JOINED.swap(false, Ordering::Relaxed) {
            return;
        }
        let consoles = OUTPUTS.map(|which| usable(which).is_some_and(is_console));
        // SAFETY: the call has no arguments.
        unsafe { FreeConsole() };
        for (which, _) in OUTPUTS.into_iter().zip(consoles).filter(|(_, is_console)| *is_console) {
            set(which, null_mut());
        }
    }

    pub(super) fn show(text: &str) {
        if usable(ERROR).is_some() {
            return;
        }
        let wide = |text: &str| text.encode_utf16().filter(|unit| *unit != 0).chain([0]).collect::<Vec<u16>>();
        let (text, caption) = (wide(text), wide("Iron Cropper"));
        // SAFETY: both texts end with a zero and live until the box is closed; no window owns it.
        unsafe { MessageBoxW(null_mut(), text.as_ptr(), caption.as_ptr(), MB_ICONERROR) };
    }

    fn is_console(stream: Handle) -> bool {
        let mut mode = 0;
        // SAFETY: `mode` outlives the call; for a handle that is not a console, the call returns 0.
        unsafe { GetConsoleMode(stream, &raw mut mode) != 0 }
    }

    /// The handle of a stream; `None` if it is not connected.
    fn usable(which: u32) -> Option<Handle> {
        // SAFETY: both calls have plain arguments and results; an invalid handle has the type "unknown".
        let (handle, kind) = unsafe {
            let handle = GetStdHandle(which);
            (handle, GetFileType(handle))
        };
        (!handle.is_null() && kind != FILE_TYPE_UNKNOWN).then_some(handle)
    }

    /// The console's output handle, which is never closed.
    fn console_output() -> Option<Handle> {
        // Read access is needed to query the capabilities of the terminal.
        let console = OpenOptions::new().read(true).write(true).open("CONOUT$").ok()?;
        Some(console.into_raw_handle())
    }

    fn set(which: u32, stream: Handle) {
        // SAFETY: `stream` is null, or an open handle that is never closed.
        unsafe { SetStdHandle(which, stream) };
    }
}
