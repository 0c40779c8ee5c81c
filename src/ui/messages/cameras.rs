//! Texts about cameras.

use batch::worker::CameraError;

use super::super::language::{say, tr};

/// Why the camera shows no picture, and what to do.
pub(crate) fn camera_error(error: &CameraError) -> String {
    let text = match error {
        CameraError::NoCamera => tr("No camera was found. Connect one, then retry."),
        CameraError::NotPermitted => not_permitted(),
        CameraError::InUse => tr("Another program uses the camera. Close it, then retry."),
        CameraError::Disconnected => tr("The camera was disconnected. Connect it, then retry."),
        CameraError::Silent => tr("The camera sends no pictures. Connect it again, then retry."),
        CameraError::NoFormat => tr("The camera offers no supported picture format. Choose another camera."),
        CameraError::Other(reason) => return say!("The camera cannot be used: {reason}", reason = reason),
    };
    text.to_owned()
}

/// Where the system's permission is given.
fn not_permitted() -> &'static str {
    if cfg!(target_os = "macos") {
        tr(
            "macOS does not permit Iron Cropper to use the camera. Permit it in System Settings > Privacy & Security > Camera, then retry.",
        )
    } else if cfg!(windows) {
        tr(
            "Windows does not permit desktop apps to use the camera. Permit it in Settings > Privacy & security > Camera, then retry.",
        )
    } else {
        tr("You have no access to the camera. Add your user to the group “video”, log in again, then retry.")
    }
}
