//! Memory of a run: no more than is reserved for a photo, and an error if the system has no more.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use picture::{DecodeRequest, PhotoFile};
use recipe::DecodeLimits;

use crate::support::{Run, folder, program, put_portrait, text};

/// Bytes that a run may use beyond the reservation for its photo.
const OVERHEAD: u64 = 32 << 20;

/// Peak resident memory of `detect` on `path`, in bytes. Polled until the run has ended: the value never decreases, and
/// detection continues after the photo was decoded.
fn peak(path: &Path) -> u64 {
    let home = folder();
    let mut command = program(home.path());
    command.args(["detect".as_ref(), path.as_os_str(), "--thoroughness".as_ref(), "fast".as_ref()]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut max = 0;
    while child.try_wait().expect("ours").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib: u64 = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0);
        max = max.max(kib * 1024);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    max
}

fn deep_png(path: &Path, side: u32) {
    let pixel = image::Rgba([30_000_u16, 20_000, 10_000, 65_535]);
    image::ImageBuffer::from_pixel(side, side, pixel).save(path).expect("written");
}

fn gif(path: &Path, side: u16) {
    let mut encoder = image::codecs::gif::GifEncoder::new_with_speed(fs::File::create(path).expect("created"), 30);
    let side = u32::from(side);
    let samples = vec![90; (side * side * 3) as usize];
    encoder.encode(&samples, side, side, image::ExtendedColorType::Rgb8).expect("encodes");
}

/// One strip of uncompressed 16-bit samples.
fn tiff(path: &Path, side: u32) {
    let mut encoder = tiff::encoder::TiffEncoder::new(fs::File::create(path).expect("created")).expect("encodes");
    let mut picture = encoder.new_image::<tiff::encoder::colortype::RGB16>(side, side).expect("encodes");
    picture.rows_per_strip(side).expect("encodes");
    picture.write_data(&vec![9_000; (side * side * 3) as usize]).expect("encodes");
}

#[test]
fn a_photo_uses_no_more_memory_than_reserved() {
    let folder = folder();
    let small = put_portrait(folder.path(), "small.png");
    let baseline = peak(&small);
    type Make = fn(&Path);
    let makes: [(&str, Make); 3] = [
        ("deep.png", |path| deep_png(path, 4000)),
        ("whole.gif", |path| gif(path, 5000)),
        ("strip.tif", |path| tiff(path, 4000)),
    ];
    for (name, make) in makes {
        let path = folder.path().join(name);
        make(&path);
        let file = PhotoFile::read(&path, &DecodeLimits::default()).expect("reads");
        let counted = file.bytes_needed(&DecodeRequest::Full) + fs::metadata(&path).expect("exists").len();
        let taken = peak(&path).saturating_sub(baseline);
        assert!(taken > counted / 4, "{name}: {taken} bytes, too few for a decode");
        assert!(taken <= counted + OVERHEAD, "{name}: {taken} bytes, counted {counted}");
    }
}

#[test]
fn a_photo_fails_if_memory_runs_out_and_the_run_continues() {
    let folder = folder();
    let home = folder.path().join("home");
    let photos = folder.path().join("photos");
    put_portrait(&photos, "b.png");
    deep_png(&photos.join("a.png"), 9000);
    let program = program(&home);
    // More than the program needs for the small photo, and less than for the large one.
    let mut shell = Command::new("sh");
    let script = "ulimit -v 900000; exec \"$0\" detect \"$1\" --json --threads 1 --thoroughness fast";
    shell.args(["-c", script]).arg(program.get_program()).arg(&photos);
    shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let run = Run::of(&shell.output().expect("a shell")).expect(1);
    let lines = run.lines();
    let error = text(&lines[0]["error"]);
    assert!(error.starts_with("not enough memory to read the file (more than 648 MB"), "{error}");
    assert_eq!(text(&lines[1]["outcome"]), "detected");
}
