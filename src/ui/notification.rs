//! Notifications of the desktop about the end of long work, for users who turn them on.

use batch::worker::spawn_named;

/// Seconds of work from which its end is notified.
pub(crate) const MIN_SECONDS: f64 = 10.0;

/// Shows a notification with a title and a text, and returns an error message if the desktop cannot; may block.
pub type Notify = fn(title: &str, text: &str) -> Result<(), String>;

/// Shows a notification of the desktop: through the session bus on Linux, by the system elsewhere.
///
/// # Errors
/// The desktop has no notifications.
#[cfg(not(any(target_os = "windows", target_os = "macos")))]
pub fn notify_desktop(title: &str, text: &str) -> Result<(), String> {
    use std::collections::HashMap;

    use zbus::zvariant::Value;

    const NOTIFICATIONS: &str = "org.freedesktop.Notifications";
    /// The text may contain markup.
    fn plain(text: &str) -> String {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
    }
    // New, by this program and icon, without buttons and hints, for as long as the desktop shows notifications.
    let (actions, hints) = (Vec::<&str>::new(), HashMap::<&str, Value<'_>>::new());
    let content = ("Iron Cropper", 0_u32, "iron-cropper", title, plain(text), actions, hints, -1_i32);
    let path = "/org/freedesktop/Notifications";
    let shown = zbus::blocking::Connection::session()
        .and_then(|bus| bus.call_method(Some(NOTIFICATIONS), path, Some(NOTIFICATIONS), "Notify", &content));
    shown.map(drop).map_err(|error| error.to_string())
}

/// The same by the system.
///
/// # Errors
/// The system shows no notifications.
#[cfg(any(target_os = "windows", target_os = "macos"))]
pub fn notify_desktop(title: &str, text: &str) -> Result<(), String> {
    let mut notification = notify_rust::Notification::new();
    notification.appname("Iron Cropper").summary(title).body(text);
    notification.show().map(drop).map_err(|error| error.to_string())
}

/// Shows a notification without blocking. A failure is only logged: the window shows the same text.
pub(crate) fn notify_in_background(notify: Notify, title: String, text: String) {
    let shown = spawn_named("notification", move || {
        if let Err(reason) = notify(&title, &text) {
            tracing::warn!(reason, "the desktop shows no notification");
        }
    });
    if let Err(error) = shown {
        tracing::warn!(%error, "the desktop shows no notification");
    }
}
