//! The display server on Linux: X11, which is XWayland in a Wayland session, or Wayland itself.
//!
//! winit 0.30 does not report files dropped on Wayland, so X11 is preferred if it can be reached.

use std::fmt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use batch::settings::DisplayChoice;

/// Environment variable that overrides the setting: `auto`, `wayland` or `x11`.
pub(super) const VARIABLE: &str = "IRON_CROPPER_DISPLAY";

/// Its value in a process that replaces one for which XWayland could not be used.
pub(super) const FALLBACK: &str = "no-xwayland";

/// The display server that the window uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DisplayServer {
    X11,
    Wayland,
}

/// The display server and why it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DisplayUse {
    pub server: DisplayServer,
    /// True in a Wayland session: X11 is XWayland then, and Wayland is the fallback.
    pub in_wayland_session: bool,
    pub choice: DisplayChoice,
    /// True if XWayland was tried and could not be used.
    pub is_fallback: bool,
}

/// For example `X11 through XWayland (auto)`.
impl fmt::Display for DisplayUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let server = match (self.server, self.in_wayland_session) {
            (DisplayServer::X11, false) => "X11",
            (DisplayServer::X11, true) => "X11 through XWayland",
            (DisplayServer::Wayland, _) => "Wayland",
        };
        let fallback = if self.is_fallback { ", XWayland cannot be used" } else { "" };
        write!(f, "{server} ({}{fallback})", self.choice.id())
    }
}

/// What this session offers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Session {
    pub has_wayland: bool,
    pub has_x11: bool,
}

impl Session {
    /// The display servers of this process's environment. A local X11 server must accept a connection.
    pub(super) fn of_this_process() -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let display = std::env::var("DISPLAY").unwrap_or_default();
        Self {
            has_wayland: is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET"),
            has_x11: !display.is_empty() && answers(&display),
        }
    }
}

/// True if an X11 server listens at `display`, such as `:0`; displays of other machines are assumed to.
fn answers(display: &str) -> bool {
    let local = display.strip_prefix("unix:").or_else(|| display.strip_prefix(':'));
    let Some(number) = local.and_then(|rest| rest.split('.').next()) else { return true };
    UnixStream::connect(format!("/tmp/.X11-unix/X{number}")).is_ok()
}

/// How often, and with what pause, a display server that is ending is asked.
const ENDING: (u32, Duration) = (20, Duration::from_millis(50));

/// True if neither display server of this process's environment answers any more, as after a log-out. May take a second.
pub(super) fn is_lost() -> bool {
    let (times, pause) = ENDING;
    (0..times).any(|_| {
        let none_answers = !any_answers();
        if !none_answers {
            std::thread::sleep(pause);
        }
        none_answers
    })
}

fn any_answers() -> bool {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let wayland = variable("WAYLAND_DISPLAY")
        .map(|name| PathBuf::from(variable("XDG_RUNTIME_DIR").unwrap_or_default()).join(name))
        .is_some_and(|socket| UnixStream::connect(socket).is_ok());
    let x11 = std::env::var("DISPLAY").is_ok_and(|display| !display.is_empty() && answers(&display));
    wayland || x11
}

/// The display server for the choice of the settings, or that of the environment; `None` if the session offers neither, so that
/// winit reports it.
pub(super) fn choose(settings: DisplayChoice, variable: Option<&str>, session: Session) -> Option<DisplayUse> {
    let choice = variable.and_then(DisplayChoice::from_id).unwrap_or(settings);
    let is_fallback = variable == Some(FALLBACK) && session.has_wayland;
    let Session { has_wayland, has_x11 } = session;
    let server = match choice {
        _ if is_fallback => DisplayServer::Wayland,
        DisplayChoice::Wayland if has_wayland => DisplayServer::Wayland,
        _ if has_x11 => DisplayServer::X11,
        _ if has_wayland => DisplayServer::Wayland,
        _ => return None,
    };
    Some(DisplayUse { server, in_wayland_session: has_wayland, choice, is_fallback })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(choice: DisplayChoice, has_wayland: bool, has_x11: bool) -> Option<String> {
        choose(choice, None, Session { has_wayland, has_x11 }).map(|chosen| chosen.to_string())
    }

    #[test]
    fn xwayland_is_preferred_and_the_choice_is_reported() {
        let auto = DisplayChoice::Auto;
        assert_eq!(chosen(auto, true, true).as_deref(), Some("X11 through XWayland (auto)"));
        assert_eq!(chosen(auto, false, true).as_deref(), Some("X11 (auto)"));
        assert_eq!(chosen(auto, true, false).as_deref(), Some("Wayland (auto)"));
        assert_eq!(chosen(auto, false, false), None);
        assert_eq!(chosen(DisplayChoice::Wayland, true, true).as_deref(), Some("Wayland (wayland)"));
        assert_eq!(chosen(DisplayChoice::Wayland, false, true).as_deref(), Some("X11 (wayland)"), "there is no other");
        assert_eq!(chosen(DisplayChoice::X11, true, false).as_deref(), Some("Wayland (x11)"), "there is no other");
    }

    #[test]
    fn the_environment_overrides_the_settings() {
        let both = Session { has_wayland: true, has_x11: true };
        let chosen = |variable| choose(DisplayChoice::X11, Some(variable), both).map(|chosen| chosen.to_string());
        assert_eq!(chosen("wayland").as_deref(), Some("Wayland (wayland)"));
        assert_eq!(chosen("mir").as_deref(), Some("X11 through XWayland (x11)"));
        assert_eq!(chosen(FALLBACK).as_deref(), Some("Wayland (x11, XWayland cannot be used)"));
    }

    #[test]
    fn a_local_server_must_listen() {
        assert!(!answers(":4711"), "nobody listens there");
        assert!(!answers("unix:4711.0"));
        assert!(answers("elsewhere:0"), "not asked");
    }
}
