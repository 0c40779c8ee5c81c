//! Rows and photos that match, and those that do not.

use super::*;

fn matched(sources: &[&str], photos: &[&str]) -> NameMatch {
    match_names(sources, &PhotoIndex::of(&photos.iter().map(PathBuf::from).collect::<Vec<_>>()))
}

#[test]
fn a_row_matches_a_photo_in_any_case_with_or_without_extension() {
    let photos = ["/in/IMG_1.JPG", "/in/img_2.png", "/in/Zoe\u{308}.jpg", "/in/a.b.jpg", "/in/7.jpg"];
    let found = matched(&["img_1.jpg", "IMG_2", "ZOË", "a.b", " 7 "], &photos);
    assert_eq!(found.of_photo, [Some(0), Some(1), Some(2), Some(3), Some(4)]);
    assert!(found.is_complete() && found.matched() == 5);
}

#[test]
fn photos_and_rows_without_a_match_are_reported() {
    let found = matched(&["a.jpg", "x.jpg", "", "a"], &["/in/a.jpg", "/in/b.jpg"]);
    assert_eq!(found.of_photo, [Some(0), None]);
    assert_eq!(found.photos_without_row, [1]);
    // The last row is less exact than the first.
    assert_eq!(found.rows_without_photo, [1, 2, 3]);
    assert!(!found.is_complete());
}

#[test]
fn folders_distinguish_photos_with_one_name() {
    let photos = ["/s/3a/1.jpg", "/s/3b/1.jpg", "/t/3b/1.jpg"];
    let found = matched(&["3a/1.jpg", "s\\3B\\1.jpg", "/t/3b/1"], &photos);
    assert_eq!(found.of_photo, [Some(0), Some(1), Some(2)]);
    assert!(found.is_complete());
    let found = matched(&["3b/1.jpg"], &photos);
    assert_eq!(found.rows_with_several_photos, [(0, vec![1, 2])]);
    assert_eq!((found.of_photo, found.photos_without_row), (vec![None; 3], vec![0]));
    assert_eq!(matched(&["b/1.jpg"], &photos).rows_without_photo, [0], "folders count whole");
    assert_eq!(matched(&["c:\\s\\3a\\1.jpg"], &photos).of_photo[0], Some(0));
}

#[test]
fn the_most_exact_row_wins() {
    let found = matched(&["1.jpg", "3b/1.jpg"], &["/s/3a/1.jpg", "/s/3b/1.jpg"]);
    assert_eq!(found.of_photo, [Some(0), Some(1)]);
    assert!(found.is_complete());
    let found = matched(&["1", "1.jpg"], &["/s/1.png", "/s/1.jpg"]);
    assert_eq!(found.of_photo, [Some(0), Some(1)]);
}

#[test]
fn rows_that_match_one_photo_equally_well_are_reported_and_not_used() {
    let found = matched(&["a.jpg", "A.JPG", "b.jpg"], &["/in/a.jpg", "/in/b.jpg"]);
    assert_eq!(found.photos_with_several_rows, [(0, vec![0, 1])]);
    assert_eq!((found.of_photo, found.photos_without_row), (vec![None, Some(2)], vec![]));
}

#[test]
fn a_number_matches_by_value_if_nothing_matches_exactly() {
    let found = matched(&["1", "2.jpg", "0003", "0"], &["/in/0001.jpg", "/in/0002.jpg", "/in/3.jpg", "/in/000.jpg"]);
    assert_eq!(found.of_photo, [Some(0), Some(1), Some(2), Some(3)]);
    assert_eq!(found.inexact, [0, 1, 2, 3].map(|photo| (photo, InexactMatch::Number)));
    assert!(found.is_complete());
    // An exact match wins over a match by value.
    let found = matched(&["1"], &["/in/1.jpg", "/in/01.jpg"]);
    assert_eq!((found.of_photo, found.inexact), (vec![Some(0), None], vec![]));
    let found = matched(&["1", "01"], &["/in/01.jpg"]);
    assert_eq!((found.of_photo, found.rows_without_photo, found.inexact), (vec![Some(1)], vec![0], vec![]));
    // Ambiguous matches are not used.
    let found = matched(&["1"], &["/in/01.jpg", "/in/001.jpg"]);
    assert_eq!((found.matched(), found.rows_with_several_photos), (0, vec![(0, vec![0, 1])]));
    let found = matched(&["1", "001"], &["/in/01.jpg"]);
    assert_eq!((found.matched(), found.photos_with_several_rows), (0, vec![(0, vec![0, 1])]));
    // Only names that are numbers match by value, and the extension must agree.
    let found = matched(&["IMG_1", "1.png", "a/1", "10"], &["/in/IMG_01.jpg", "/in/01.jpg", "/in/100"]);
    assert_eq!(found.rows_without_photo, [0, 1, 2, 3]);
    let found = matched(&["7"], &["/in/007"]);
    assert_eq!(found.of_photo, [Some(0)]);
}

#[test]
fn a_path_of_another_computer_matches_by_its_file_name() {
    let photos = ["/in/IMG_0001.JPG", "/in/Day 2/IMG_0002.JPG"];
    let found = matched(&["C:\\Photos\\Day 1\\IMG_0001.JPG ", "/Volumes/Card/Day 2/img_0002"], &photos);
    assert_eq!(found.of_photo, [Some(0), Some(1)]);
    assert_eq!(found.inexact, [(0, InexactMatch::LastPart), (1, InexactMatch::LastPart)]);
    assert!(found.is_complete());
    let found = matched(&["\\\\server\\photos\\IMG_0001.JPG", "D:\\IMG_0002"], &photos);
    assert_eq!(found.matched(), 2);
    // Agreeing folders distinguish photos with one name.
    let days = ["/in/Day 1/1.jpg", "/in/Day 2/1.jpg"];
    let found = matched(&["C:\\Photos\\Day 2\\1.jpg", "C:\\Photos\\Day 1\\1.jpg"], &days);
    assert_eq!(found.of_photo, [Some(1), Some(0)]);
    let found = matched(&["C:\\Photos\\Day 2\\1.jpg", "C:\\Photos\\Day 1\\1.jpg"], &days[1..]);
    assert_eq!((found.of_photo, found.rows_without_photo), (vec![Some(0)], vec![1]));
    // Ambiguous matches are not used.
    let found = matched(&["C:\\Photos\\1.jpg"], &days);
    assert_eq!((found.matched(), found.rows_with_several_photos), (0, vec![(0, vec![0, 1])]));
    // A relative path must match the photo's folders.
    assert_eq!(matched(&["Day 1/1.jpg"], &days[1..]).rows_without_photo, [0]);
    // A matching name wins over a path of another computer.
    let found = matched(&["C:\\x\\IMG_0001.JPG", "IMG_0001.JPG"], &photos);
    assert_eq!((found.of_photo[0], found.rows_without_photo), (Some(1), vec![0]));
}

#[cfg(unix)]
#[test]
fn photos_with_invalid_utf8_names_match_nothing() {
    use std::os::unix::ffi::OsStrExt;
    let photo = PathBuf::from(std::ffi::OsStr::from_bytes(b"/in/a\xff.jpg"));
    let found = match_names(&["a.jpg"], &PhotoIndex::of(&[photo, PathBuf::from("/")]));
    assert_eq!((found.rows_without_photo, found.photos_without_row), (vec![0], vec![0, 1]));
}

#[test]
fn long_lists_are_matched_quickly() {
    let photos: Vec<PathBuf> = (0..5_000).map(|n| PathBuf::from(format!("/in/{}/IMG_{n}.jpg", n % 10))).collect();
    let sources: Vec<String> = (0..5_000).rev().map(|n| format!("img_{n}")).collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let start = std::time::Instant::now();
    assert!(match_names(&sources, &PhotoIndex::of(&photos)).is_complete());
    assert!(start.elapsed().as_secs_f32() < 10.0, "{:?}", start.elapsed());
}
