//! Corrupt files of every format, with a fixed seed: each yields an image or an error, quickly and within the memory
//! limit.
//!
//! They are decoded in a child process with limited memory if the system supports it: an allocation of a corrupt length
//! ends the process, and with it the test.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::time::{Duration, Instant};

use geometry::{PixelRect, Size};
use outcome::PictureFormat;
use picture::{DecodeRequest, PhotoFile};
use recipe::DecodeLimits;

use crate::pictures::seeds;

/// The environment variable with the number of mutations per seed.
const ROUNDS: &str = "IRON_CROPPER_CORRUPTION";

/// The environment variable that marks the child process.
const CHILD: &str = "IRON_CROPPER_CORRUPTION_CHILD";

/// Default number of mutations per seed.
const DEFAULT_ROUNDS: u64 = 30;

/// Maximum time per file, for a dev build on a busy machine.
const MAX_TIME: Duration = Duration::from_secs(10);

/// Small limits, to detect code that ignores them.
const LIMITS: DecodeLimits =
    DecodeLimits { max_pixels: 4_000_000, max_file_bytes: 1 << 20, memory_budget: 64 << 20, max_seconds: 60 };

/// Address space of the process in KiB: the program, its thread stacks, and several times the limits.
const MEMORY_KIB: u64 = 1_500_000;

#[test]
fn corrupt_files_decode_or_fail_within_limits() {
    let program = std::env::current_exe().expect("this program");
    let mut command = if cfg!(target_os = "linux") {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("ulimit -v {MEMORY_KIB}; exec \"$0\" \"$@\"")).arg(program);
        shell
    } else {
        Command::new(program)
    };
    let name = format!("{}::decode_in_this_process", module_path!().split_once("::").expect("in a module").1);
    let output = command.args([name.as_str(), "--exact", "--ignored", "--nocapture"]).env(CHILD, "1").output();
    let output = output.expect("starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && stdout.contains("corrupt files:"),
        "{}\n{stdout}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Results of the mutated files.
#[derive(Default)]
struct Tally {
    pictures: usize,
    errors: usize,
    faults: Vec<String>,
    slowest: Duration,
}

#[test]
#[ignore = "run by the test above in a separate process"]
fn decode_in_this_process() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let rounds = std::env::var(ROUNDS).ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(DEFAULT_ROUNDS);
    let seeds = seeds();
    let mut tally = Tally::default();
    // Every failure is reported with its location below; panic messages in between would be noise.
    std::panic::set_hook(Box::new(|_| {}));
    for (index, (format, seed)) in seeds.iter().enumerate() {
        let other = &seeds[(index + 1) % seeds.len()].1;
        for round in 0..rounds {
            let mut random = Random::new(index as u64 * 1_000_003 + round);
            let bytes = mutated(seed, other, &mut random);
            // The file remains for debugging if this process ends early.
            let note = std::env::temp_dir().join(format!("iron-cropper-corrupt-{}", std::process::id()));
            if rounds > DEFAULT_ROUNDS {
                let _ = std::fs::write(&note, &bytes);
            }
            decode_all_ways(&format!("{} (seed {index}, round {round})", format.name()), bytes, &mut tally);
            if rounds > DEFAULT_ROUNDS {
                let _ = std::fs::remove_file(&note);
            }
        }
    }
    let _ = std::panic::take_hook();
    let Tally { pictures, errors, faults, slowest } = tally;
    let summary = format!("corrupt files: {pictures} pictures, {errors} errors, slowest {} ms", slowest.as_millis());
    let _ = writeln!(std::io::stdout(), "{summary}");
    assert!(faults.is_empty(), "{}\n{summary}", faults.join("\n"));
    assert!(pictures > seeds.len() && errors > seeds.len(), "{summary}");
}

/// Decodes a file in every way that the program does.
fn decode_all_ways(name: &str, bytes: Vec<u8>, tally: &mut Tally) {
    let started = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let file = PhotoFile::from_bytes(bytes, &LIMITS).map_err(|error| error.to_string())?;
        let size = file.size();
        let frame = PixelRect::new(size.width as i32 / 3, size.height as i32 / 3, size.width / 2, size.height / 2);
        let mut problem = None;
        for request in
            [DecodeRequest::Full, DecodeRequest::LongSide(8), DecodeRequest::Frames(vec![(frame, Size::new(8, 8))])]
        {
            match file.decode(&request) {
                Ok(picture) if picture.pixels.size().pixels() > LIMITS.max_pixels => {
                    return Ok(Some(format!("{} pixels", picture.pixels.size())));
                }
                Ok(_) => {}
                Err(error) => problem = Some(error.to_string()),
            }
        }
        problem.map_or(Ok(None), Err)
    }));
    let took = started.elapsed();
    tally.slowest = tally.slowest.max(took);
    match outcome {
        Ok(Ok(None)) => tally.pictures += 1,
        Ok(Ok(Some(fault))) => tally.faults.push(format!("{name}: {fault}")),
        Ok(Err(_)) => tally.errors += 1,
        Err(panic) => {
            let message = panic.downcast_ref::<String>().map(String::as_str);
            let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            tally.faults.push(format!("{name}: a panic: {message}"));
        }
    }
    if took > MAX_TIME {
        tally.faults.push(format!("{name}: {} ms", took.as_millis()));
    }
}

/// A deterministic pseudorandom generator (xorshift).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        random.below(2);
        random
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % limit.max(1) as u64) as usize
    }
}

/// `seed` with bytes changed, truncated, inserted or removed, lengths set to extremes, or half of `other` appended.
fn mutated(seed: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        // Mostly in the first part, which contains the headers.
        let reach = if random.below(3) > 0 { bytes.len().min(400) } else { bytes.len() };
        let at = random.below(reach);
        match random.below(9) {
            0 => bytes.truncate(at.max(4)),
            1 => {
                let run = vec![[0, 0xff, 0x41][random.below(3)]; 1 + random.below(300)];
                bytes.splice(at..at, run);
            }
            2 => {
                let end = (at + 1 + random.below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            3 => {
                let extremes: [&[u8]; 6] =
                    [&[0xff; 4], &[0; 4], &[0x7f, 0xff, 0xff, 0xff], &[0, 0, 0, 0x80], &[0xff, 0xff], &[0, 0]];
                let extreme = extremes[random.below(6)];
                let end = (at + extreme.len()).min(bytes.len());
                bytes.splice(at..end, extreme.iter().copied());
            }
            4 if random.below(3) == 0 => {
                bytes.truncate(bytes.len() / 2);
                bytes.extend_from_slice(&other[other.len() / 2..]);
            }
            5 => {
                let from = random.below(bytes.len());
                let part = bytes[from..(from + 1 + random.below(60)).min(bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
            6 => bytes[at] = random.below(256) as u8,
            7 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
            _ => bytes[at] ^= 1 << random.below(8),
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
    bytes
}

/// Every format is among the seeds; HEIC counts as an error if its library is missing.
#[test]
fn every_format_is_corrupted() {
    let formats: std::collections::HashSet<PictureFormat> = seeds().iter().map(|(format, _)| *format).collect();
    assert_eq!(formats.len(), 14);
}
