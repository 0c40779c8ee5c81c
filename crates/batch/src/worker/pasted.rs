//! Pasted images and frames of a camera: written as PNG files into the user's folders for them, then treated like any photo.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use outcome::{DisplayCopy, EncodeError, Moment};
use picture::{display_copy, display_png, write_new};

use super::CameraFrame;
use super::faults::PasteError;
use crate::platform::Folders;

/// Writes `picture`, which has premultiplied alpha, and returns its path.
pub(super) fn write(picture: &DisplayCopy) -> Result<PathBuf, PasteError> {
    write_as("Pasted", picture)
}

/// Writes a frame at its full size and returns its path.
pub(super) fn write_shot(frame: &CameraFrame) -> Result<PathBuf, PasteError> {
    let picture = display_copy(frame.picture(), frame.size().long_side());
    write_as("Camera", &picture.map_err(|error| PasteError::NoPicture(error.to_string()))?)
}

fn write_as(what: &str, picture: &DisplayCopy) -> Result<PathBuf, PasteError> {
    let folder = Folders::pictures_dir(what).ok_or(PasteError::NoFolder)?;
    write_into(&folder, what, picture, SystemTime::now())
}

fn write_into(folder: &Path, what: &str, picture: &DisplayCopy, now: SystemTime) -> Result<PathBuf, PasteError> {
    let png = display_png(picture).map_err(|error| PasteError::NoPicture(error.to_string()))?;
    let name = format!("{what} {}", moment(now));
    fs::create_dir_all(folder).map_err(|source| PasteError::Make { folder: folder.to_owned(), source })?;
    for number in 1..=999 {
        let name = if number == 1 { format!("{name}.png") } else { format!("{name} ({number}).png") };
        match write_new(&png, &folder.join(name), false) {
            Ok(written) => return Ok(written.path),
            Err(EncodeError::FileExists { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(PasteError::NamesTaken { folder: folder.to_owned() })
}

/// `2026-11-28 14-03-09`, in UTC: independent of the time zone and in chronological order.
fn moment(now: SystemTime) -> String {
    let Moment { year, month, day, hour, minute, second, .. } = Moment::utc(now);
    format!("{year:04}-{month:02}-{day:02} {hour:02}-{minute:02}-{second:02}")
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use geometry::Size;

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the pictures are small, and read back only to be compared")]
    fn a_pasted_image_is_written_as_a_png_named_by_time() {
        let folder = tempfile::tempdir().expect("created");
        let now = UNIX_EPOCH + Duration::from_secs(951_827_289);
        let size = Size::new(2, 1);
        let picture = DisplayCopy { size, rgba: vec![200, 10, 0, 255, 64, 32, 0, 128].into() };
        let into = folder.path().join("Pasted");
        let first = write_into(&into, "Pasted", &picture, now).expect("written");
        assert_eq!(first, into.join("Pasted 2000-02-29 12-28-09.png"));
        let second = write_into(&into, "Pasted", &picture, now).expect("written");
        assert_eq!(second, into.join("Pasted 2000-02-29 12-28-09 (2).png"));
        let read = image::open(&first).expect("a picture").to_rgba8();
        assert_eq!(read.into_raw(), [200, 10, 0, 255, 128, 64, 0, 128]);
        let opaque = DisplayCopy { size: Size::new(1, 1), rgba: vec![1, 2, 3, 255].into() };
        let third = write_into(&into, "Camera", &opaque, now + Duration::from_secs(86_400)).expect("written");
        assert!(third.ends_with("Camera 2000-03-01 12-28-09.png"), "{third:?}");
        assert_eq!(image::open(third).expect("a picture").color(), image::ColorType::Rgb8);
    }

    #[test]
    fn an_empty_image_is_rejected() {
        let folder = tempfile::tempdir().expect("created");
        let picture = DisplayCopy { size: Size::new(0, 9), rgba: Vec::new().into() };
        assert!(write_into(folder.path(), "Pasted", &picture, UNIX_EPOCH).is_err());
    }
}
