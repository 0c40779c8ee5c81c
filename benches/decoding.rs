//! Benchmarks decoding alone for the photos of a run: `cargo bench --bench decoding -- JOURNAL THREADS [library]`.
//!
//! Each photo of the journal is read and decoded in the size that the run needed, once for detection and once around
//! its crops: by the program's decoder, or with `library` by libjpeg-turbo-rs. `benches/race.py` compares a run with
//! both. Prints seconds.
//!
//! The library decodes only JPEG photos, and frames are in stored pixels: the photos must have no EXIF rotation.

#![expect(clippy::print_stdout, reason = "it prints its results")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use libjpeg_turbo_rs::{Decoder, Image, ScalingFactor};

use batch::journal::{PhotoEntry, read_history};
use geometry::{PixelRect, Size};
use picture::{DecodeRequest, PhotoFile};
use recipe::DecodeLimits;

/// Length in pixels of the longer side in detection.
const SIDE: u32 = 640;

/// A part of the upright photo, and the size in which it is needed.
type Frame = (PixelRect, Size);

/// The source frame and the output size of each crop.
fn frames(photo: &PhotoEntry) -> Vec<Frame> {
    let frames = photo.crops.iter().filter_map(|crop| {
        let [x, y, width, height] = crop.frame;
        let frame = PixelRect {
            x: i32::try_from(x).ok()?,
            y: i32::try_from(y).ok()?,
            width: u32::try_from(width).ok()?,
            height: u32::try_from(height).ok()?,
        };
        let [width, height] = crop.output;
        Some((frame, Size::new(width, height)))
    });
    frames.collect()
}

/// Decodes a photo twice with the program's decoder.
fn program(path: &Path, frames: &[Frame]) {
    let file = PhotoFile::read(path, &DecodeLimits::default()).expect("a photo");
    black_box(file.decode(&DecodeRequest::LongSide(SIDE)).expect("decodes"));
    black_box(file.decode(&DecodeRequest::Frames(frames.to_vec())).expect("decodes"));
}

fn decoder(bytes: &[u8], reduction: u32) -> Decoder<'_> {
    let scale = ScalingFactor::try_new(1, reduction).expect("a supported one");
    Decoder::new(bytes).expect("a JPEG").with_scale(scale)
}

/// Decodes a photo twice with the library: in the size needed for detection, and the rows and columns of the frames.
fn library(path: &Path, frames: &[Frame]) {
    let mut bytes = std::fs::read(path).expect("a file");
    let largest_of = |ratio: u32| [8, 4, 2].into_iter().find(|reduction| *reduction <= ratio).unwrap_or(1);
    let header = decoder(&bytes, 1);
    let (across, down) = (u32::from(header.header().width), u32::from(header.header().height));
    let image: Image = decoder(&bytes, largest_of(across.max(down) / SIDE)).decode_image().expect("decodes");
    black_box(image);
    let reduction =
        frames.iter().map(|(frame, output)| largest_of(frame.width / output.width.max(1))).min().unwrap_or(8);
    let edge = |at: i64, end: u32| at.clamp(0, i64::from(end)) as u32;
    let (mut left, mut top, mut right, mut bottom) = (across, down, 0, 0);
    for (frame, _) in frames {
        let margin = i64::from(16 * reduction);
        left = left.min(edge(i64::from(frame.x) - margin, across));
        top = top.min(edge(i64::from(frame.y) - margin, down));
        right = right.max(edge(i64::from(frame.x) + i64::from(frame.width) + margin, across));
        bottom = bottom.max(edge(i64::from(frame.y) + i64::from(frame.height) + margin, down));
    }
    // The library reads every row promised by the header, so the header is changed to promise none below the frames.
    let rows = (bottom.div_ceil(16) * 16 + 16).min(down);
    let at = bytes.windows(4).position(|marker| marker == [0xff, 0xc0, 0, 17]).expect("a baseline JPEG") + 5;
    bytes[at..at + 2].copy_from_slice(&(rows as u16).to_be_bytes());
    let part = [left, top, right - left, bottom - top].map(|length| (length / reduction) as usize);
    let cut = decoder(&bytes, reduction).with_crop_region(part[0], part[1], part[2], part[3]);
    black_box(cut.decode_image().expect("decodes"));
}

fn main() {
    // As in the program.
    batch::platform::keep_freed_memory();
    // `cargo bench` adds an argument.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let (journal, threads, decode): (_, _, fn(&Path, &[Frame])) = match &arguments[..] {
        [journal, threads] => (journal, threads, program),
        [journal, threads, reader] if reader == "library" => (journal, threads, library),
        _ => {
            println!("nothing to do: name a journal and a number of threads");
            return;
        }
    };
    let threads: usize = threads.parse().expect("a number of threads");
    let history = read_history(journal.as_ref()).expect("a journal");
    let photos: Vec<(PathBuf, Vec<Frame>)> = history
        .photos
        .values()
        .filter_map(|photo| Some((photo.name.to_path()?, frames(photo))))
        .filter(|(_, frames)| !frames.is_empty())
        .collect();
    let next = AtomicUsize::new(0);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((path, frames)) = photos.get(next.fetch_add(1, Ordering::Relaxed)) {
                    decode(path, frames);
                }
            });
        }
    });
    println!("{} photos, {:.3} s", photos.len(), start.elapsed().as_secs_f64());
}
