//! Walks real folders.

use std::path::PathBuf;

use cancel::CancelToken;
use import::{parse_pasted_paths, walk};
use test_support::{folder, put_portrait, samples};

fn walked(roots: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    walk(roots, &mut |paths| found.extend(paths), &mut |path, _| problems.push(path), &CancelToken::new());
    (found, problems)
}

#[test]
fn the_samples_are_found_in_order() {
    let (found, problems) = walked(&[samples()]);
    let names: Vec<_> = found.iter().map(|path| path.file_name().expect("a name").to_string_lossy()).collect();
    assert_eq!(names, ["astronaut.png", "near_the_edge.jpg", "sideways.jpg", "three_prints.jpg"]);
    assert!(problems.is_empty());
}

#[test]
fn a_pasted_list_of_uris_can_be_walked() {
    let photos = folder();
    let photo = put_portrait(photos.path(), "Zo\u{eb} 100%.png");
    let address = photo.to_str().expect("text").replace('%', "%25").replace(' ', "%20").replace('\u{eb}', "%C3%AB");
    let pasted = parse_pasted_paths(&format!("# from a file manager\r\nfile://{address}\r\n"));
    if cfg!(unix) {
        assert_eq!(walked(&pasted), (vec![photo], Vec::new()));
    }
}

#[cfg(unix)]
#[test]
fn an_unreadable_folder_is_reported_and_the_rest_walked() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;
    let photos = folder();
    let closed = photos.path().join("closed");
    fs::create_dir(&closed).expect("created");
    let after = put_portrait(photos.path(), "later/a.png");
    fs::set_permissions(&closed, Permissions::from_mode(0o000)).expect("closed");
    let is_superuser = fs::read_dir(&closed).is_ok();
    let (found, problems) = walked(&[photos.path().to_owned()]);
    fs::set_permissions(&closed, Permissions::from_mode(0o700)).expect("opened");
    assert_eq!(found, [after]);
    // The superuser is never denied access.
    assert_eq!(problems, if is_superuser { Vec::new() } else { vec![closed] });
}
