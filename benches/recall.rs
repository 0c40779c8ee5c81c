//! How many faces are found, by size, roll and look, in photos made here: `cargo bench --bench recall`.
//!
//! Faces are those of the bundled portrait and, where `IRON_CROPPER_PORTRAITS` names a folder, of the portraits in it.
//! Photos without a face are textures made here and, where `IRON_CROPPER_NEGATIVES` names a folder, the photos in it. Every
//! run makes the same photos of the same files. Faces are looked for by tract, or much quicker by ONNX Runtime where
//! `IRON_CROPPER_TEST_ONNXRUNTIME` names its library.

mod composite;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use composite::{Canvas, Ground, Portrait, Random, Truth};
use iron_cropper::backend::{BackendKind, ModelBytes, Provider, SessionOptions, open_session};
use iron_cropper::decode::{DecodeLimits, Picture, decode_bytes, decode_file};
use iron_cropper::detect::{DetectSpec, Detection, Detector, LookKind, Thoroughness, YunetDetector};
use iron_cropper::geometry::{Point, Rect, Size};
use iron_cropper::latency::MODEL_INPUT;

const PORTRAIT: &[u8] = include_bytes!("../assets/samples/astronaut.png");
/// Faces from this score on count, as in the program's default.
const MIN_SCORE: f32 = 0.6;
/// A photo without more pixels than the first look takes, and one with four times as many.
const PHOTOS: [Size; 2] = [Size::new(640, 480), Size::new(1280, 960)];
/// Heights of faces as shares of the photo's longer side; the last is 0.95 of the photo's height.
const SHARES: [f32; 7] = [0.022, 0.03, 0.045, 0.07, 0.15, 0.4, 0.7125];
/// Rolls in degrees, clockwise or not: from, to, and how the column is called.
const ROLLS: [(f32, f32, &str); 5] = [
    (0.0, 15.0, "0 to 15"),
    (15.0, 45.0, "15 to 45"),
    (45.0, 90.0, "45 to 90"),
    (90.0, 135.0, "90 to 135"),
    (135.0, 180.0, "135 to 180"),
];
/// Photos for each size and roll: at least this many, and one of each portrait up to the second number.
const REPEATS: (usize, usize) = (3, 7);
/// Textures without a face.
const TEXTURES: usize = 12;

/// What the looks gave, counted.
#[derive(Default)]
struct Tally {
    photos: usize,
    found: usize,
    doubled: usize,
    wrong_faces: usize,
    /// Found, with eyes that say another roll by more than 45 degrees.
    wrong_roll: usize,
    /// Degrees by which the eyes of those found are off the true roll.
    roll_errors: Vec<f32>,
    looks: usize,
    by_look: BTreeMap<&'static str, usize>,
}

impl Tally {
    fn count(&mut self, detection: &Detection, truth: Option<&Truth>) {
        self.photos += 1;
        self.looks += detection.looks.len();
        let faces = detection.faces.iter().zip(&detection.found_by).filter(|(face, _)| face.score >= MIN_SCORE);
        let (right, wrong): (Vec<_>, Vec<_>) =
            faces.partition(|(face, _)| truth.is_some_and(|truth| truth.is_met_by(face)));
        self.wrong_faces += wrong.len();
        self.doubled += right.len().saturating_sub(1);
        let Some(((face, look), truth)) = right.first().zip(truth) else { return };
        self.found += 1;
        let roll_error = truth.roll_error(face);
        self.wrong_roll += usize::from(roll_error > 45.0);
        self.roll_errors.push(roll_error);
        let kind = detection.looks.get(**look).map_or("", |look| look.kind.id());
        *self.by_look.entry(kind).or_default() += 1;
    }

    /// The roll's error in degrees that half of those found stay below, and the one that nine of ten do.
    fn roll_error(&self) -> String {
        let mut errors = self.roll_errors.clone();
        errors.sort_by(f32::total_cmp);
        let at = |share: f32| errors.get((errors.len() as f32 * share) as usize).copied().unwrap_or_default();
        format!("{:.0} / {:.0}", at(0.5), at(0.9))
    }

    fn percent(&self) -> String {
        format!("{:.0}", 100.0 * self.found as f64 / self.photos.max(1) as f64)
    }
}

fn main() -> std::io::Result<()> {
    let mut detector = detector();
    let portraits = portraits(&mut detector);
    let mut out = std::io::stdout().lock();
    writeln!(out, "Portraits: {}.", portraits.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", "))?;
    let mut totals: Vec<Tally> = Thoroughness::ALL.iter().map(|_| Tally::default()).collect();
    for size in PHOTOS {
        recall(&mut out, &mut detector, &portraits, size, &mut totals)?;
    }
    writeln!(
        out,
        "\n| | found | doubled | false faces | roll off by over 45 | roll off by, half / nine of ten | looks a photo | found by |\n|---|---|---|---|---|---|---|---|"
    )?;
    for (thoroughness, total) in Thoroughness::ALL.iter().zip(&totals) {
        let Tally { photos, found, doubled, wrong_faces, wrong_roll, looks, by_look, .. } = total;
        let kinds = [LookKind::Whole, LookKind::Smaller, LookKind::Tile, LookKind::Turned].map(LookKind::id);
        let by: Vec<String> =
            kinds.iter().map(|kind| format!("{kind} {}", by_look.get(kind).copied().unwrap_or(0))).collect();
        let each = *looks as f64 / (*photos).max(1) as f64;
        writeln!(
            out,
            "| {thoroughness} | {found} of {photos} | {doubled} | {wrong_faces} | {wrong_roll} | {} | {each:.1} | {} |",
            total.roll_error(),
            by.join(", ")
        )?;
    }
    negatives(&mut out, &mut detector)
}

/// One table: rows by size of the face, columns by its roll, in each the three percentages.
fn recall(
    out: &mut impl Write,
    detector: &mut YunetDetector,
    portraits: &[Portrait],
    size: Size,
    totals: &mut [Tally],
) -> std::io::Result<()> {
    let columns: Vec<&str> = ROLLS.iter().map(|(.., name)| *name).collect();
    writeln!(out, "\nFound in photos of {size} pixels, in percent, fast / balanced / thorough, by degrees of roll:\n")?;
    writeln!(out, "| face height, px (share of the long side) | {} |", columns.join(" | "))?;
    writeln!(out, "|---|{}", "---|".repeat(columns.len()))?;
    let mut random = Random::new(u64::from(size.width));
    for share in SHARES {
        let height = share * size.long_side() as f32;
        write!(out, "| {height:.0} ({:.1} %) |", share * 100.0)?;
        for (from, to, _) in ROLLS {
            let mut cell: Vec<Tally> = Thoroughness::ALL.iter().map(|_| Tally::default()).collect();
            for index in 0..portraits.len().clamp(REPEATS.0, REPEATS.1) {
                let portrait = &portraits[index % portraits.len()];
                let ground = Ground::ALL[index % Ground::ALL.len()];
                let (picture, truth) = photo(portrait, size, ground, height, (from, to), &mut random);
                for ((own, total), thoroughness) in cell.iter_mut().zip(totals.iter_mut()).zip(Thoroughness::ALL) {
                    let found = look(detector, &picture, thoroughness);
                    own.count(&found, Some(&truth));
                    total.count(&found, Some(&truth));
                }
            }
            let percents: Vec<String> = cell.iter().map(Tally::percent).collect();
            write!(out, " {} |", percents.join(" / "))?;
        }
        writeln!(out)?;
        out.flush()?;
    }
    Ok(())
}

/// A photo with one face, all of it inside where the photo is large enough.
fn photo(
    portrait: &Portrait,
    size: Size,
    ground: Ground,
    height: f32,
    roll: (f32, f32),
    random: &mut Random,
) -> (Picture, Truth) {
    let mut canvas = Canvas::new(size, ground, random);
    let roll = random.between(roll.0, roll.1) * if random.unit() < 0.5 { -1.0 } else { 1.0 };
    let beside = 0.62 * height;
    let mut place = |length: u32| {
        let length = length as f32;
        if length <= 2.0 * beside { length / 2.0 } else { random.between(beside, length - beside) }
    };
    let center = Point::new(place(size.width), place(size.height));
    let truth = canvas.put(portrait, center, height, roll);
    (canvas.into_picture(), truth)
}

fn negatives(out: &mut impl Write, detector: &mut YunetDetector) -> std::io::Result<()> {
    let folder = std::env::var_os("IRON_CROPPER_NEGATIVES").map(PathBuf::from);
    let files = folder.map(|folder| files_in(&folder)).unwrap_or_default();
    let limits = DecodeLimits::default();
    let from_files = files.iter().filter_map(|path| Some((name_of(path), decode_file(path, &limits).ok()?)));
    let mut random = Random::new(99);
    let textures = (0..TEXTURES).map(|index| {
        let size = [Size::new(640, 480), Size::new(1280, 960)][index % 2];
        (format!("texture {index}"), Canvas::new(size, Ground::Texture, &mut random).into_picture())
    });
    writeln!(out, "\nFaces in photos that have none:\n")?;
    let mut tallies: Vec<Tally> = Thoroughness::ALL.iter().map(|_| Tally::default()).collect();
    let mut photos = [0; Thoroughness::ALL.len()];
    for (name, picture) in textures.chain(from_files) {
        for ((tally, photos), thoroughness) in tallies.iter_mut().zip(&mut photos).zip(Thoroughness::ALL) {
            let found = look(detector, &picture, thoroughness);
            tally.count(&found, None);
            for face in found.faces.iter().filter(|face| face.score >= MIN_SCORE) {
                let Rect { x, y, width, height } = face.bbox;
                let score = face.score;
                writeln!(out, "- {thoroughness}, {name}: {score:.3} at {x:.0} {y:.0}, {width:.0} x {height:.0}")?;
            }
            *photos += usize::from(found.faces.iter().any(|face| face.score >= MIN_SCORE));
        }
    }
    writeln!(out, "\nPhotos without a face: {TEXTURES} textures made here and {} files.\n", files.len())?;
    writeln!(out, "| | photos | with a false face | false faces | looks a photo |\n|---|---|---|---|---|")?;
    for ((thoroughness, tally), photos) in Thoroughness::ALL.iter().zip(&tallies).zip(photos) {
        let looks = tally.looks as f64 / tally.photos.max(1) as f64;
        writeln!(out, "| {thoroughness} | {} | {photos} | {} | {looks:.1} |", tally.photos, tally.wrong_faces)?;
    }
    Ok(())
}

fn look(detector: &mut YunetDetector, picture: &Picture, thoroughness: Thoroughness) -> Detection {
    let spec = DetectSpec { thoroughness, ..DetectSpec::default() };
    detector.detect(picture, &spec).expect("looks")
}

fn detector() -> YunetDetector {
    let library = std::env::var_os("IRON_CROPPER_TEST_ONNXRUNTIME").filter(|path| !path.is_empty()).map(PathBuf::from);
    let kind = if library.is_some() { BackendKind::Ort(Provider::Cpu) } else { BackendKind::Tract };
    let mut options = SessionOptions::new(MODEL_INPUT);
    options.runtime.library = library;
    let session = open_session(kind, &ModelBytes::bundled(), &options).expect("opens");
    YunetDetector::new(session, "bundled").expect("is YuNet")
}

/// The bundled portrait and those of the folder that have one clear face.
fn portraits(detector: &mut YunetDetector) -> Vec<Portrait> {
    let limits = DecodeLimits::default();
    let bundled = decode_bytes(PORTRAIT, &limits).expect("decodes");
    let folder = std::env::var_os("IRON_CROPPER_PORTRAITS").map(PathBuf::from);
    let files = folder.map(|folder| files_in(&folder)).unwrap_or_default();
    let others = files.iter().filter_map(|path| Some((name_of(path), decode_file(path, &limits).ok()?)));
    std::iter::once(("astronaut.png".to_owned(), bundled))
        .chain(others.filter(|(name, _)| name != "astronaut.png"))
        .filter_map(|(name, picture)| {
            let face = *look(detector, &picture, Thoroughness::Fast).faces.first()?;
            (face.score >= 0.8).then(|| Portrait::new(name, &picture, face))
        })
        .collect()
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The files of a folder by name.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}
