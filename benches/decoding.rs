//! What decoding alone costs for the photos of a run: `cargo bench --bench decoding -- JOURNAL THREADS`.
//!
//! Each photo that the journal tells of is read and decoded as far as the run needed it, once for the face detector and once
//! around its crops, and nothing else is done. A run cannot be quicker than that; how near it comes is what
//! `benches/race.py` asks. Prints seconds.

#![expect(clippy::print_stdout, reason = "figures are what it is for")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use iron_cropper::decode::{DecodeLimits, PhotoFile, Want};
use iron_cropper::geometry::{PixelRect, Size};
use iron_cropper::journal::{PhotoEntry, read_history};

/// The longer side that the face detector looks at.
const SIDE: u32 = 640;

/// Pixels of the photo around the frame of each crop, and the crop's size.
fn frames(photo: &PhotoEntry) -> Vec<(PixelRect, Size)> {
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

fn main() {
    // As the program does.
    iron_cropper::platform::keep_freed_memory();
    // `cargo bench` adds an argument of its own.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let [journal, threads] = &arguments[..] else {
        println!("nothing to do: name a journal and a number of threads");
        return;
    };
    let threads: usize = threads.parse().expect("a number of threads");
    let history = read_history(journal.as_ref()).expect("a journal");
    let photos: Vec<(PathBuf, Vec<(PixelRect, Size)>)> = history
        .photos
        .values()
        .filter_map(|photo| Some((photo.name.to_path()?, frames(photo))))
        .filter(|(_, frames)| !frames.is_empty())
        .collect();
    let limits = DecodeLimits::default();
    let next = AtomicUsize::new(0);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((path, frames)) = photos.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let file = PhotoFile::read(path, &limits).expect("a photo");
                    std::hint::black_box(file.decode(&Want::LongSide(SIDE)).expect("decodes"));
                    std::hint::black_box(file.decode(&Want::Frames(frames.clone())).expect("decodes"));
                }
            });
        }
    });
    println!("{} photos, {:.3} s", photos.len(), begun.elapsed().as_secs_f64());
}
