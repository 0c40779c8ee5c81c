//! Rows and photos that belong together, and those that do not.

use super::*;

fn matched(sources: &[&str], photos: &[&str]) -> NameMatch {
    match_names(sources, &photos.iter().map(PathBuf::from).collect::<Vec<_>>())
}

#[test]
fn a_row_names_a_photo_with_or_without_extension_in_any_case_and_form() {
    let photos = ["/in/IMG_1.JPG", "/in/img_2.png", "/in/Zoe\u{308}.jpg", "/in/a.b.jpg", "/in/7.jpg"];
    let found = matched(&["img_1.jpg", "IMG_2", "ZOË", "a.b", " 7 "], &photos);
    assert_eq!(found.of_photo, [Some(0), Some(1), Some(2), Some(3), Some(4)]);
    assert!(found.is_whole() && found.matched() == 5);
}

#[test]
fn what_has_no_partner_is_named() {
    let found = matched(&["a.jpg", "x.jpg", "", "a"], &["/in/a.jpg", "/in/b.jpg"]);
    assert_eq!(found.of_photo, [Some(0), None]);
    assert_eq!(found.photos_without_row, [1]);
    // The last row is less exact than the first.
    assert_eq!(found.rows_without_photo, [1, 2, 3]);
    assert!(!found.is_whole());
}

#[test]
fn folders_tell_photos_of_one_name_apart() {
    let photos = ["/s/3a/1.jpg", "/s/3b/1.jpg", "/t/3b/1.jpg"];
    let found = matched(&["3a/1.jpg", "s\\3B\\1.jpg", "/t/3b/1"], &photos);
    assert_eq!(found.of_photo, [Some(0), Some(1), Some(2)]);
    assert!(found.is_whole());
    let found = matched(&["3b/1.jpg"], &photos);
    assert_eq!(found.rows_with_several_photos, [(0, vec![1, 2])]);
    assert_eq!((found.of_photo, found.photos_without_row), (vec![None; 3], vec![0]));
    assert_eq!(matched(&["b/1.jpg"], &photos).rows_without_photo, [0], "folders count whole");
    assert_eq!(matched(&["c:\\s\\3a\\1.jpg"], &photos).of_photo[0], Some(0));
}

#[test]
fn the_more_exact_row_takes_its_photo_from_the_others() {
    let found = matched(&["1.jpg", "3b/1.jpg"], &["/s/3a/1.jpg", "/s/3b/1.jpg"]);
    assert_eq!(found.of_photo, [Some(0), Some(1)]);
    assert!(found.is_whole());
    let found = matched(&["1", "1.jpg"], &["/s/1.png", "/s/1.jpg"]);
    assert_eq!(found.of_photo, [Some(0), Some(1)]);
}

#[test]
fn rows_that_name_one_photo_equally_well_are_told_and_not_taken() {
    let found = matched(&["a.jpg", "A.JPG", "b.jpg"], &["/in/a.jpg", "/in/b.jpg"]);
    assert_eq!(found.photos_with_several_rows, [(0, vec![0, 1])]);
    assert_eq!((found.of_photo, found.photos_without_row), (vec![None, Some(2)], vec![]));
}

#[cfg(unix)]
#[test]
fn photos_whose_names_are_no_text_match_nothing_and_harm_nothing() {
    use std::os::unix::ffi::OsStrExt;
    let photo = PathBuf::from(std::ffi::OsStr::from_bytes(b"/in/a\xff.jpg"));
    let found = match_names(&["a.jpg"], &[photo, PathBuf::from("/")]);
    assert_eq!((found.rows_without_photo, found.photos_without_row), (vec![0], vec![0, 1]));
}

#[test]
fn long_lists_take_no_time() {
    let photos: Vec<PathBuf> = (0..5_000).map(|n| PathBuf::from(format!("/in/{}/IMG_{n}.jpg", n % 10))).collect();
    let sources: Vec<String> = (0..5_000).rev().map(|n| format!("img_{n}")).collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let start = std::time::Instant::now();
    assert!(match_names(&sources, &photos).is_whole());
    assert!(start.elapsed().as_secs_f32() < 10.0, "{:?}", start.elapsed());
}
