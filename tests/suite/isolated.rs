//! Photos decoded in child processes: decoders that hang or crash, interrupts, parents that have exited.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use picture::decode_file;
use picture::isolated::READ_SUBCOMMAND;
use recipe::DecodeLimits;

use crate::support::{Run, crop, folder, portrait, program, put_portrait, read_picture, run, text};

const NO_COMPILER: &str = "decoders that hang or crash are not tried: this machine has no C compiler called cc";

/// Code that a library in place of libheif runs when loaded.
const HANGS: &str = "#include <unistd.h>\n__attribute__((constructor)) static void hang(void) { sleep(60); }";
const CRASHES: &str = "#include <stdlib.h>\n__attribute__((constructor)) static void crash(void) { abort(); }";

/// A minimal HEIC header.
const HEIC: &[u8] = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x08mdat";

/// A folder with a HEIC file and a portrait, and a library in place of libheif.
struct Fixture {
    folder: TempDir,
    library: PathBuf,
}

impl Fixture {
    /// `None` if this machine has no C compiler.
    fn new(code: &str) -> Option<Self> {
        let folder = folder();
        let (source, library) = (folder.path().join("stub.c"), folder.path().join("stub.so"));
        fs::write(&source, code).expect("written");
        let made = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status().ok()?;
        assert!(made.success(), "cc fails");
        let photos = folder.path().join("photos");
        put_portrait(&photos, "b.png");
        fs::write(photos.join("a.heic"), HEIC).expect("written");
        Some(Self { folder, library })
    }

    fn command(&self, flags: &[&str]) -> Command {
        let mut command = program(&self.folder.path().join("home"));
        command.arg("detect").arg(self.folder.path().join("photos")).arg("--json").args(flags);
        command.env("IRON_CROPPER_LIBHEIF", &self.library);
        command
    }

    /// Starts the program with a very long timeout for the HEIC file.
    #[cfg(target_os = "linux")]
    fn start(&self) -> Child {
        let mut command = self.command(&["--max-seconds", "3600"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
    }
}

/// Waits for the child of `parent` that decodes the HEIC file.
#[cfg(target_os = "linux")]
fn reader_of(parent: &Child) -> u32 {
    let mark = format!("\"parent\":{}", parent.id());
    for _ in 0..1200 {
        if let Some(reader) = readers().into_iter().find(|(_, arguments)| arguments.contains(&mark)) {
            return reader.0;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("no reader is started");
}

/// The processes that decode photos, with their arguments.
#[cfg(target_os = "linux")]
fn readers() -> Vec<(u32, String)> {
    let mut readers = Vec::new();
    for entry in fs::read_dir("/proc").expect("Linux").flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let arguments = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let arguments = String::from_utf8_lossy(&arguments).into_owned();
        if arguments.contains(READ_SUBCOMMAND) {
            readers.push((id, arguments));
        }
    }
    readers
}

#[cfg(target_os = "linux")]
fn wait_until_gone(reader: u32) {
    for _ in 0..400 {
        if readers().iter().all(|(id, _)| *id != reader) {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the reader is still running");
}

#[test]
fn a_decoder_that_hangs_or_crashes_fails_one_photo_only() {
    let cases: [(&str, &[&str], &str); 2] = [
        (HANGS, &["--max-seconds", "1"], "reading the file was stopped after 1 s"),
        (CRASHES, &[], "the HEIC decoder failed (it crashed with signal 6)"),
    ];
    for (code, flags, message) in cases {
        let Some(bench) = Fixture::new(code) else { return println!("{NO_COMPILER}") };
        let output = bench.command(flags).output().expect("the program starts");
        let run = Run::of(&output).expect(1);
        let lines = run.lines();
        assert_eq!((text(&lines[0]["outcome"]), text(&lines[1]["outcome"])), ("failed".into(), "detected".into()));
        assert!(text(&lines[0]["error"]).starts_with(message), "{}", lines[0]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_does_not_wait_for_a_decoder() {
    let Some(bench) = Fixture::new(HANGS) else { return println!("{NO_COMPILER}") };
    let parent = bench.start();
    let reader = reader_of(&parent);
    let sent = Command::new("kill").args(["-TERM", &parent.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    // The library would have slept for a minute, and the photo would have been reported then.
    let run = Run::of(&parent.wait_with_output().expect("ends")).expect(1);
    assert!(!run.stdout.contains("a.heic"), "{}", run.stdout);
    assert!(run.stderr.contains("stopped: interrupted"), "{}", run.stderr);
    wait_until_gone(reader);
}

#[cfg(target_os = "linux")]
#[test]
fn a_reader_ends_when_its_parent_is_killed() {
    let Some(bench) = Fixture::new(HANGS) else { return println!("{NO_COMPILER}") };
    let mut parent = bench.start();
    let reader = reader_of(&parent);
    parent.kill().expect("ours");
    parent.wait().expect("ours");
    wait_until_gone(reader);
}

#[test]
fn child_processes_decode_the_same_pixels() {
    let folder = folder();
    crop(&[&portrait()], folder.path(), &["--format", "avif", "--avif-speed", "10", "--size", "400x400px"]).expect(0);
    let avif = folder.path().join("astronaut.avif");
    let here = decode_file(&avif, &DecodeLimits::default()).expect("decodes");
    let png = folder.path().join("here.png");
    let samples = here.pixels.as_u16().expect("the encoder's ten bits").to_vec();
    let size = here.size();
    let buffer: image::ImageBuffer<image::Rgb<u16>, _> =
        image::ImageBuffer::from_raw(size.width, size.height, samples).expect("fits");
    buffer.save(&png).expect("written");
    let crop_of = |path: &Path| {
        let out = path.with_extension("out");
        let written = crop(&[path], &out, &["--format", "png", "--metadata", "strip"]).expect(0).written();
        read_picture(&written[0])
    };
    assert!(crop_of(&avif) == crop_of(&png));
    // Headers of JPEG XL are decoded in the child process too.
    for name in ["lossy.jxl", "alpha.jxl", "turned.jxl", "p3.jxl", "grey-16.jxl"] {
        let jxl = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures").join(name);
        let here = decode_file(&jxl, &DecodeLimits::default()).expect("decodes").size();
        let line = run(["detect".as_ref(), jxl.as_os_str(), "--json".as_ref()]).lines().remove(0);
        assert_eq!((&line["width"], &line["height"]), (&here.width.into(), &here.height.into()), "{name}");
        assert_eq!(line["outcome"], "no_face", "{name}");
    }
}
