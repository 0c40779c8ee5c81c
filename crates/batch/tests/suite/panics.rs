//! Output of panics on standard error.

use std::panic::catch_unwind;
use std::path::Path;
use std::process::Command;

use batch::platform;

#[test]
#[ignore = "run as a child by the test below"]
fn panics_with_a_photo_and_without_one() {
    let _check = platform::init_logging(0, None, None);
    let caught = catch_unwind(|| {
        let _processing = platform::processing(Path::new("bad.jpg"));
        panic!("on a photo");
    });
    assert!(caught.is_err());
    assert!(catch_unwind(|| panic!("of the program")).is_err());
}

#[test]
fn a_panic_reported_as_a_photos_failure_is_not_printed() {
    let this = std::env::current_exe().expect("known");
    let only = ["panics::panics_with_a_photo_and_without_one", "--exact", "--ignored", "--nocapture"];
    let output = Command::new(this).args(only).env_remove("RUST_BACKTRACE").output().expect("starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert!(stderr.contains("of the program") && !stderr.contains("on a photo"), "{stderr}");
}
