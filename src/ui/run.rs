//! Opens the window, and reports what is missing if it cannot be opened.

use std::any::Any;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use batch::settings::{Settings, SettingsNotice};
use batch::worker::{Wake, WorkerHandle};
use recipe::{DeviceChoice, Optimization, RuntimeChoice, RuntimeOptions};

use super::diagnostics::renderer;
use super::end_request::EndRequest;
use super::notification::{Notify, notify_desktop};
use super::{
    FontFallback, IronCropperApp, Language, OpenedFiles, ShowInFolder, SystemPicker, SystemWishes, of_system,
    show_in_system_folder,
};

/// Minimum inner size of the window, in points: fits a screen of 1440 x 900 pixels at a scale of 200 %.
const MIN_SIZE: [f32; 2] = [720.0, 420.0];

/// Options the window is opened with.
#[derive(Clone, Debug)]
pub struct WindowOptions {
    /// The saved settings.
    pub settings: Settings,
    /// Message about the settings file, for example that it was damaged and renamed.
    pub settings_notice: Option<SettingsNotice>,
    /// Files and folders to import at the start.
    pub paths: Vec<PathBuf>,
    /// Receives files and folders later on; [`run`] connects it to the system.
    pub opened: OpenedFiles,
    /// What the system asks for, for accessibility; [`run`] reads it.
    pub wishes: SystemWishes,
    /// Runtime for this session; overrides the settings.
    pub runtime: Option<RuntimeChoice>,
    /// Model file for this session; overrides the settings.
    pub model: Option<PathBuf>,
    /// Runtime options for this session; override the settings.
    pub session: SessionOverrides,
    /// The folder of sample photos; if `None`, [`run`] searches for it.
    pub samples: Option<PathBuf>,
    /// The language used if the settings leave it to the system. If `None`, [`run`] asks the system; without [`run`] it is
    /// English.
    pub system_language: Option<Language>,
    /// Source of glyphs that egui's own fonts lack.
    pub font_fallback: FontFallback,
    /// True if files cannot be dropped on the window; set by [`run`].
    pub without_drops: bool,
    /// The renderer; set by [`run`].
    pub renderer: Option<String>,
    /// The display server; set by [`run`].
    pub display: Option<String>,
    /// True to offer the camera.
    pub cameras: bool,
    /// Shows a file in the file manager.
    pub show_in_folder: ShowInFolder,
    /// The system's request to end; [`run`] connects it to the system.
    pub ending: EndRequest,
    /// Shows a notification of the desktop.
    pub notify: Notify,
}

/// Defaults for tests, which set only the fields they need.
impl Default for WindowOptions {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            settings_notice: None,
            paths: Vec::new(),
            opened: OpenedFiles::default(),
            wishes: SystemWishes::default(),
            runtime: None,
            model: None,
            session: SessionOverrides::default(),
            samples: None,
            system_language: None,
            font_fallback: FontFallback::Boxes,
            without_drops: false,
            renderer: None,
            display: None,
            cameras: cfg!(feature = "webcam"),
            show_in_folder: show_in_system_folder,
            ending: EndRequest::default(),
            notify: notify_desktop,
        }
    }
}

/// Runtime options for one session; those that are `None` come from the settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionOverrides {
    /// Threads of one inference run; 0 leaves it to the runtime.
    pub threads: Option<usize>,
    /// Level of graph optimization.
    pub optimization: Option<Optimization>,
    /// The device, for runtimes that choose one.
    pub device: Option<DeviceChoice>,
    /// ONNX Runtime's library, or its folder.
    pub library: Option<PathBuf>,
    /// LiteRT's library, or its folder.
    pub litert: Option<PathBuf>,
    /// The folder with the models that describe faces.
    pub face_models: Option<PathBuf>,
}

impl SessionOverrides {
    /// `settings` with these overrides applied.
    pub fn over(self, settings: &RuntimeOptions) -> RuntimeOptions {
        RuntimeOptions {
            threads: self.threads.unwrap_or(settings.threads),
            optimization: self.optimization.unwrap_or(settings.optimization),
            library: self.library.or_else(|| settings.library.clone()),
            litert: self.litert.or_else(|| settings.litert.clone()),
            device: self.device.unwrap_or_else(|| settings.device.clone()),
            face_models: self.face_models.or_else(|| settings.face_models.clone()),
        }
    }
}

/// The window could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("the window cannot be opened: {reason}.\n{}", HELP)]
pub struct WindowError {
    /// The error of the graphics layer.
    pub reason: String,
    /// True if the window was open and its display has gone, as at a log-out: no crash.
    pub is_display_lost: bool,
}

#[cfg(target_os = "linux")]
const HELP: &str = "It needs a display and these packages on Debian and Ubuntu:\n  \
    sudo apt-get install libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0 libgl1 libegl1\n\
    The command line works without a display: iron-cropper crop --help";

#[cfg(not(target_os = "linux"))]
const HELP: &str = "It needs a display and a graphics driver. \
    The command line works without them: iron-cropper crop --help";

/// Opens the window and returns once it is closed.
///
/// # Errors
/// There is no display, or a library that the window needs is missing.
pub fn run(mut options: WindowOptions) -> Result<(), WindowError> {
    options.samples = options.samples.or_else(find_samples);
    options.system_language = options.system_language.or_else(|| Some(of_system()));
    options.ending.listen();
    #[cfg(target_os = "linux")]
    return open_on_linux(options);
    #[cfg(not(target_os = "linux"))]
    first_that_opens(RENDERERS, |renderer| open(options.clone(), native_options(&options.settings, renderer)))
}

/// Opens the window on the chosen display server. If XWayland cannot be used, this process is replaced by one that uses Wayland,
/// because winit creates only one event loop in a process.
#[cfg(target_os = "linux")]
fn open_on_linux(mut options: WindowOptions) -> Result<(), WindowError> {
    use batch::platform::set_display_check;

    use super::display_server::{DisplayServer, FALLBACK, Session, VARIABLE, choose, is_lost};
    let variable = std::env::var(VARIABLE).ok();
    let chosen = choose(options.settings.window.display, variable.as_deref(), Session::of_this_process());
    let is_wayland = chosen.is_some_and(|chosen| chosen.server == DisplayServer::Wayland);
    options.without_drops |= is_wayland;
    options.display = chosen.map(|chosen| chosen.to_string());
    tracing::info!(display = options.display, "display server");
    set_display_check(is_lost);
    let mut was_open = false;
    let opened = first_that_opens(RENDERERS, |renderer| {
        let mut native = native_options(&options.settings, renderer);
        if let Some(chosen) = chosen {
            native.event_loop_builder = Some(Box::new(move |builder| match chosen.server {
                DisplayServer::X11 => _ = winit::platform::x11::EventLoopBuilderExtX11::with_x11(builder),
                DisplayServer::Wayland => {
                    _ = winit::platform::wayland::EventLoopBuilderExtWayland::with_wayland(builder);
                }
            }));
        }
        let failure = open(options.clone(), native);
        was_open |= failure.as_ref().is_err_and(|failure| failure.was_open);
        match (&failure, chosen) {
            (Err(Failure { reason, was_open: false }), Some(chosen))
                if chosen.in_wayland_session && chosen.server == DisplayServer::X11 =>
            {
                tracing::warn!(reason, "XWayland cannot be used; trying Wayland");
                Err(restart_with(VARIABLE, FALLBACK))
            }
            _ => failure,
        }
    });
    opened.map_err(|error| WindowError { is_display_lost: was_open && is_lost(), ..error })
}

/// Replaces this process by the same program with an environment variable; returns only if that fails.
#[cfg(target_os = "linux")]
fn restart_with(variable: &str, value: &str) -> Failure {
    use std::os::unix::process::CommandExt;
    let error = match std::env::current_exe() {
        Ok(program) => {
            std::process::Command::new(program).args(std::env::args_os().skip(1)).env(variable, value).exec()
        }
        Err(error) => error,
    };
    Failure { reason: format!("Wayland cannot be tried: {error}"), was_open: false }
}

/// A window that could not be opened, or that ended with an error.
#[derive(Debug)]
struct Failure {
    reason: String,
    /// True if the window had been opened.
    was_open: bool,
}

/// Opens the window with the first of `renderers` that works. A window that had been opened is not opened again: the user's
/// work was in it, and an empty window would hide the crash.
fn first_that_opens<R: Copy + Display>(
    renderers: &[R],
    mut open: impl FnMut(R) -> Result<(), Failure>,
) -> Result<(), WindowError> {
    let mut reasons: Vec<String> = Vec::new();
    for &renderer in renderers {
        let Err(Failure { reason, was_open }) = open(renderer) else { return Ok(()) };
        tracing::warn!(%renderer, reason, was_open, "the window cannot be drawn");
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
        if was_open {
            break;
        }
    }
    Err(WindowError { reason: reasons.join("; "), is_display_lost: false })
}

fn open(
    mut options: WindowOptions,
    #[cfg_attr(
        not(target_os = "macos"),
        expect(unused_mut, reason = "on macOS, the event handler is installed before the window opens")
    )]
    mut native: eframe::NativeOptions,
) -> Result<(), Failure> {
    #[cfg(target_os = "macos")]
    {
        let opened = options.opened.clone();
        native.event_loop_builder = Some(Box::new(move |_| super::opened::listen(opened)));
    }
    let is_open = Arc::new(AtomicBool::new(false));
    let opening = Arc::clone(&is_open);
    // winit panics if libxkbcommon-x11 is missing.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        eframe::run_native(
            "Iron Cropper",
            native,
            Box::new(move |creation| {
                opening.store(true, Ordering::Relaxed);
                options.renderer = renderer(creation);
                let ctx = creation.egui_ctx.clone();
                let wake: Wake = {
                    let ctx = ctx.clone();
                    Arc::new(move || ctx.request_repaint())
                };
                let worker = WorkerHandle::spawn(wake.clone())?;
                options.opened.wake_with(wake.clone());
                options.wishes.follow(wake.clone());
                options.ending.wake_with(wake.clone());
                let picker = SystemPicker::new(creation, wake);
                Ok(Box::new(IronCropperApp::new(&ctx, Box::new(worker), Box::new(picker), options)))
            }),
        )
    }));
    let reason = match outcome {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) => error_text(&error),
        Err(panic) => plain(panic_text(panic.as_ref())),
    };
    Err(Failure { reason, was_open: is_open.load(Ordering::Relaxed) })
}

fn native_options(settings: &Settings, renderer: eframe::Renderer) -> eframe::NativeOptions {
    let window = settings.window;
    let side = |length: f32, min: f32| if length.is_finite() { length.clamp(min, 16_384.0) } else { min };
    let mut viewport = egui::ViewportBuilder::default()
        .with_title("Iron Cropper")
        .with_app_id("iron-cropper")
        .with_inner_size([side(window.width, MIN_SIZE[0]), side(window.height, MIN_SIZE[1])])
        .with_min_inner_size(MIN_SIZE)
        .with_maximized(window.maximized)
        .with_drag_and_drop(true);
    match eframe::icon_data::from_png_bytes(include_bytes!("../../assets/icon.png")) {
        Ok(icon) => viewport = viewport.with_icon(icon),
        Err(error) => tracing::warn!(%error, "the icon cannot be read"),
    }
    eframe::NativeOptions { viewport, renderer, ..eframe::NativeOptions::default() }
}

/// Renderers in order of preference. glow has the lowest requirements on Linux and is much faster without a graphics card;
/// elsewhere wgpu is the safer choice, and OpenGL is the fallback if a driver's Direct3D 12 cannot be used.
#[cfg(any(target_os = "windows", target_os = "macos"))]
const RENDERERS: &[eframe::Renderer] = &[eframe::Renderer::Wgpu, eframe::Renderer::Glow];

#[cfg(not(any(target_os = "windows", target_os = "macos")))]
const RENDERERS: &[eframe::Renderer] = &[eframe::Renderer::Glow];

fn error_text(error: &eframe::Error) -> String {
    match error {
        // Its own message lists the whole requested configuration.
        eframe::Error::NoGlutinConfigs(_, cause) => {
            plain(&format!("OpenGL has nothing to draw a window with ({cause})"))
        }
        error => plain(&error.to_string()),
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a part of the graphics layer panicked")
}

/// The error without its source location (`winit: os error at /…/mod.rs:765: reason.`).
fn plain(text: &str) -> String {
    let after_place = text.rsplit_once(".rs:").and_then(|(_, rest)| rest.split_once(": ")).map(|(_, reason)| reason);
    after_place.unwrap_or(text).trim().trim_end_matches('.').to_owned()
}

/// `assets/samples` beside the program or in its bundle, where the installers put it, or in the current folder.
fn find_samples() -> Option<PathBuf> {
    let beside = std::env::current_exe().ok().and_then(|program| program.parent().map(Path::to_owned));
    let here = std::env::current_dir().ok();
    // In a macOS application bundle, only code may be beside the program.
    let bundle = beside.as_ref().filter(|_| cfg!(target_os = "macos")).map(|folder| folder.join("../Resources"));
    let folders = [beside, bundle, here].into_iter().flatten();
    folders.map(|folder| folder.join("assets/samples")).find(|folder| folder.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_suggests_a_solution() {
        let text = WindowError { reason: "no display".to_owned(), is_display_lost: false }.to_string();
        assert!(text.contains("no display") && text.contains("iron-cropper crop"), "{text}");
        #[cfg(target_os = "linux")]
        assert!(text.contains("libxkbcommon-x11-0"), "{text}");
    }

    #[test]
    fn the_next_renderer_is_tried_unless_the_window_was_open() {
        let outcome = |was_open: bool, fails: &[&'static str]| {
            let mut tried = Vec::new();
            let opened = first_that_opens(&["wgpu", "glow"], |renderer| {
                tried.push(renderer);
                let reason = format!("{renderer} has lost its device");
                if fails.contains(&renderer) { Err(Failure { reason, was_open }) } else { Ok(()) }
            });
            (tried, opened.map_err(|error| error.reason))
        };
        assert_eq!(outcome(false, &[]), (vec!["wgpu"], Ok(())));
        assert_eq!(outcome(false, &["wgpu"]), (vec!["wgpu", "glow"], Ok(())));
        assert_eq!(outcome(true, &["wgpu"]), (vec!["wgpu"], Err("wgpu has lost its device".to_owned())));
        let both = "wgpu has lost its device; glow has lost its device".to_owned();
        assert_eq!(outcome(false, &["wgpu", "glow"]), (vec!["wgpu", "glow"], Err(both)));
    }

    #[test]
    fn the_source_location_is_removed() {
        let text = "winit EventLoopError: os error at /home/x/linux/mod.rs:765: no DISPLAY is set.";
        assert_eq!(plain(text), "no DISPLAY is set");
        assert_eq!(plain("libxkbcommon-x11.so: not found"), "libxkbcommon-x11.so: not found");
    }

    #[test]
    fn absurd_sizes_in_a_settings_file_are_clamped() {
        let mut settings = Settings::default();
        (settings.window.width, settings.window.height) = (f32::NAN, 1e9);
        let size = native_options(&settings, RENDERERS[0]).viewport.inner_size.expect("a size");
        assert_eq!((size.x, size.y), (MIN_SIZE[0], 16_384.0));
    }
}
