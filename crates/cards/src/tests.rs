//! Tests of the search on painted cards. The codes were made by programs other than rxing: segno, ppf.datamatrix and
//! python-barcode.

use geometry::Size;
use outcome::{Channels, PictureFormat};
use picture::{PictureInfo, Pixels};

use super::*;

/// Rows of modules, the leftmost in the highest bit; black is set.
const QR_CODE: [u32; 21] = [
    0x1fce7f, 0x104541, 0x17425d, 0x175d5d, 0x174d5d, 0x105a41, 0x1fd57f, 0x001800, 0x0c4568, 0x152167, 0x09e998,
    0x16b98d, 0x05e2b0, 0x001ad0, 0x1fc935, 0x1045c9, 0x174b8a, 0x174858, 0x175b37, 0x105418, 0x1fcfe1,
];
const QR_CODE_TEXT: &str = "Núñez, Zoë";
const DATA_MATRIX: [u32; 12] = [0xaaa, 0x98b, 0xd0a, 0xec5, 0x840, 0xad5, 0x914, 0xb73, 0x9a4, 0xddd, 0x8e2, 0xfff];
/// Widths of bars and spaces in turn.
const CODE_128: &str = "2112142131131221321131411213221221141141311232213121312331112";
const CODE_39: &str = "13113131111131113311131111313111133131111113311131111311313131131111313113111131131131311";
const TEXT: &str = "S-04711";
/// Code 39 of the text AB.
const SHORT_CODE_39: &str = "131131311131111311311131131131131131311";

/// The modules of a code.
struct Code {
    columns: usize,
    black: Vec<bool>,
}

impl Code {
    fn matrix(rows: &[u32]) -> Self {
        let columns = rows.len();
        let black = rows.iter().flat_map(|row| (0..columns).rev().map(move |bit| row >> bit & 1 == 1)).collect();
        Self { columns, black }
    }

    /// A code of the height `rows`, in modules.
    fn linear(widths: &str, rows: usize) -> Self {
        let widths = widths.bytes().map(|width| usize::from(width - b'0'));
        let row: Vec<bool> = widths.enumerate().flat_map(|(index, width)| vec![index % 2 == 0; width]).collect();
        Self { columns: row.len(), black: row.repeat(rows) }
    }

    fn rows(&self) -> usize {
        self.black.len() / self.columns
    }

    fn is_black(&self, x: f32, y: f32) -> bool {
        let inside = x >= 0.0 && y >= 0.0 && (x as usize) < self.columns && (y as usize) < self.rows();
        inside && self.black[y as usize * self.columns + x as usize]
    }
}

/// Where a card is, and how it is seen.
#[derive(Clone, Copy)]
struct View {
    center: (f32, f32),
    /// Pixels of a module.
    module: f32,
    degrees: f32,
    /// The share by which the card is smaller at its right end than in the middle.
    tilt: f32,
}

const PLAIN: View = View { center: (320.0, 240.0), module: 3.0, degrees: 0.0, tilt: 0.0 };
/// Grey levels.
const INK: f32 = 30.0;
const PAPER: f32 = 235.0;

/// Paints a white card with `code` over `samples`.
fn paint(samples: &mut [u8], size: Size, code: &Code, view: View) {
    let (sin, cos) = view.degrees.to_radians().sin_cos();
    let (columns, rows) = (code.columns as f32, code.rows() as f32);
    let margin = 10.0;
    // The grey level of a point; `None` outside the card.
    let level = |x: f32, y: f32| {
        let (x, y) = (x - view.center.0, y - view.center.1);
        let (u, v) = ((x * cos + y * sin) / view.module, (y * cos - x * sin) / view.module);
        let depth = 1.0 - view.tilt * u / columns;
        let (u, v) = (u / depth + columns / 2.0, v / depth + rows / 2.0);
        let on_card = u > -margin && v > -margin && u < columns + margin && v < rows + margin;
        on_card.then(|| if code.is_black(u, v) { INK } else { PAPER })
    };
    for (index, sample) in samples.iter_mut().enumerate() {
        let (x, y) = ((index as u32 % size.width) as f32, (index as u32 / size.width) as f32);
        let points = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)];
        let levels = points.map(|(right, down)| level(x + right, y + down).unwrap_or(f32::from(*sample)));
        *sample = (levels.iter().sum::<f32>() / 4.0) as u8;
    }
}

/// Random numbers that are the same in every run.
struct Random(u32);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % end
    }
}

const SIZE: Size = Size::new(640, 480);

/// A room with soft light and some noise.
fn room() -> Vec<u8> {
    let mut random = Random(5);
    let level = |index: u32| 60 + (index % SIZE.width) / 8 + (index / SIZE.width) / 16;
    (0..SIZE.pixels() as u32).map(|index| (level(index) + random.below(9)) as u8).collect()
}

fn picture(size: Size, samples: Vec<u8>) -> Picture {
    let pixels = Pixels::from_u8(size, Channels::L, samples).expect("fits");
    Picture::whole(PictureInfo::plain(size, PictureFormat::Png, pixels.layout()), pixels)
}

fn read_all(picture: &Picture) -> Vec<CardCode> {
    read(picture, 0, &CancelToken::new()).expect("not cancelled")
}

/// What is read on a card with `code` in a room, in a share of its usual light.
fn read_card_in(light: f32, code: &Code, view: View) -> Vec<(CodeKind, String)> {
    let mut samples = room();
    paint(&mut samples, SIZE, code, view);
    samples.iter_mut().for_each(|sample| *sample = (f32::from(*sample) * light) as u8);
    read_all(&picture(SIZE, samples)).into_iter().map(|code| (code.kind, code.text)).collect()
}

fn read_card(code: &Code, view: View) -> Vec<(CodeKind, String)> {
    read_card_in(1.0, code, view)
}

fn every_kind() -> [(CodeKind, Code, &'static str); 4] {
    [
        (CodeKind::QrCode, Code::matrix(&QR_CODE), QR_CODE_TEXT),
        (CodeKind::DataMatrix, Code::matrix(&DATA_MATRIX), TEXT),
        (CodeKind::Code128, Code::linear(CODE_128, 30), TEXT),
        (CodeKind::Code39, Code::linear(CODE_39, 30), TEXT),
    ]
}

#[test]
fn every_kind_is_read_at_every_angle() {
    for (kind, code, text) in every_kind() {
        for degrees in [0.0, 33.0, 45.0, 90.0, 162.0, 180.0, 260.0] {
            let found = read_card(&code, View { degrees, ..PLAIN });
            assert_eq!(found, [(kind, text.to_owned())], "{degrees} degrees");
        }
    }
}

#[test]
fn small_codes_are_read() {
    for (kind, code, text) in every_kind() {
        let module = if matches!(kind, CodeKind::Code128 | CodeKind::Code39) { 1.6 } else { 2.4 };
        let found = read_card(&code, View { module, degrees: 8.0, ..PLAIN });
        assert_eq!(found, [(kind, text.to_owned())]);
    }
}

#[test]
fn a_dim_card_in_perspective_is_read() {
    for (kind, code, text) in every_kind() {
        let view = View { degrees: 25.0, tilt: 0.15, ..PLAIN };
        assert_eq!(read_card_in(0.2, &code, view), [(kind, text.to_owned())]);
    }
}

#[test]
fn a_code_that_fills_the_image_is_read() {
    for (kind, code, text) in every_kind() {
        let module = 600.0 / (code.columns + 8) as f32;
        let module = module.min(440.0 / (code.rows() + 8) as f32);
        assert_eq!(read_card(&code, View { module, ..PLAIN }), [(kind, text.to_owned())]);
    }
}

#[test]
fn images_without_a_code_have_none() {
    let mut random = Random(11);
    let size = Size::new(640, 400);
    let columns: Vec<u8> = (0..64).map(|_| (random.below(2) * 200) as u8).collect();
    type Pattern<'a> = (&'a str, &'a dyn Fn(u32, u32) -> u8);
    let patterns: [Pattern<'_>; 5] = [
        ("black", &|_, _| 0),
        ("bars of a random code", &|x, _| columns[(x / 4 % 64) as usize]),
        ("a fence", &|x, _| if x % 9 < 4 { 40 } else { 210 }),
        ("a chessboard", &|x, y| if (x / 8 + y / 8) % 2 == 0 { 40 } else { 210 }),
        ("finder patterns", &|x, y| {
            let edge = (x % 56 / 8).abs_diff(3).max((y % 56 / 8).abs_diff(3));
            if edge == 2 { 210 } else { 40 }
        }),
    ];
    for (name, level) in patterns {
        let samples = (0..size.pixels() as u32).map(|index| level(index % size.width, index / size.width)).collect();
        assert_eq!(read_all(&picture(size, samples)), [], "{name}");
    }
}

#[test]
fn a_code_39_of_two_characters_does_not_count() {
    let code = Code::linear(SHORT_CODE_39, 20);
    assert_eq!(read_card(&code, View { module: 5.0, ..PLAIN }), []);
}

#[test]
fn one_line_of_a_code_is_no_proof() {
    // The bars of a Code 128 of which only a stripe has the end.
    let mut code = Code::linear(CODE_128, 30);
    for row in (0..30).filter(|row| !(14..16).contains(row)) {
        code.black[row * 112 + 90..(row + 1) * 112].fill(true);
    }
    assert_eq!(read_card(&code, PLAIN), []);
}

#[test]
fn all_codes_of_a_card_are_read_and_the_largest_is_first() {
    let mut samples = room();
    paint(&mut samples, SIZE, &Code::linear(CODE_128, 30), View { center: (420.0, 120.0), ..PLAIN });
    for center in [(120.0, 340.0), (300.0, 360.0)] {
        paint(&mut samples, SIZE, &Code::matrix(&DATA_MATRIX), View { center, ..PLAIN });
    }
    paint(&mut samples, SIZE, &Code::matrix(&QR_CODE), View { center: (520.0, 360.0), ..PLAIN });
    let found: Vec<CodeKind> = read_all(&picture(SIZE, samples)).into_iter().map(|code| code.kind).collect();
    assert_eq!(found, [CodeKind::Code128, CodeKind::QrCode, CodeKind::DataMatrix], "each text once");
}

#[test]
fn the_region_is_in_pixels_of_the_whole_upright_image() {
    for (kind, code, _) in every_kind() {
        let mut samples = room();
        paint(&mut samples, SIZE, &code, PLAIN);
        let mut part = picture(SIZE, samples);
        part.info.size = Size::new(5000, 4000);
        part.place = Place { x: 1000, y: 200, reduction: 4 };
        let [found] = &read_all(&part)[..] else { panic!("{kind:?}: one code") };
        let (width, height) = (12.0 * code.columns as f32, 12.0 * code.rows() as f32);
        let (x, y) = (1000.0 + 4.0 * 320.0 - width / 2.0, 200.0 + 4.0 * 240.0 - height / 2.0);
        let overlap = found.region.iou(Rect::new(x, y, width, height));
        assert!(overlap > 0.6, "{kind:?}: {:?} is not at {x}, {y}", found.region);
    }
}

#[test]
fn searched_sizes_are_skipped() {
    let mut samples = room();
    paint(&mut samples, SIZE, &Code::matrix(&QR_CODE), PLAIN);
    let picture = picture(SIZE, samples);
    let read = |finer_than| read(&picture, finer_than, &CancelToken::new()).map(|found| found.len());
    assert_eq!((read(0), read(639), read(640)), (Some(1), Some(1), Some(0)));
}

#[test]
fn a_cancelled_search_has_no_result() {
    let cancel = CancelToken::new();
    cancel.cancel();
    assert_eq!(read(&picture(SIZE, room()), 0, &cancel), None);
    assert_eq!(read(&picture(Size::new(1, 1), vec![0]), 0, &cancel), None, "nor does one with nothing to search");
}

#[test]
fn junk_pixels_never_panic() {
    let mut random = Random(3);
    for round in 0..60 {
        let size = Size::new(1 + random.below(200), 1 + random.below(200));
        let block = 1 + round % 7;
        let width = size.width / block + 1;
        let levels: Vec<u8> = (0..width * (size.height / block + 1)).map(|_| random.below(256) as u8).collect();
        let level = |index: u32| levels[((index / size.width / block) * width + index % size.width / block) as usize];
        let samples = (0..size.pixels() as u32).map(level).collect();
        assert_eq!(read_all(&picture(size, samples)), [], "{size} in blocks of {block}");
    }
}

#[test]
fn a_panic_of_the_library_is_no_code() {
    assert!(guarded(|| panic!("expected by this test")).is_empty());
}
