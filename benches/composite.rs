//! Synthetic photos: faces of known size, roll and place, composed from portraits; and photos without faces.

use geometry::{Face, Point, Rect, Size};
use outcome::{Channels, PictureFormat};
use picture::{Filter, Picture, PictureInfo, Pixels, SourceBox, resize, to_srgb};

/// A pseudo-random number generator with the same numbers in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number from 0 to below 1.
    pub(crate) fn unit(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }
}

/// A portrait with one upright face.
pub(crate) struct Portrait {
    pub(crate) name: String,
    pixels: Pixels,
    face: Face,
}

impl Portrait {
    /// A portrait from the pixels of `picture`, in which `face` was detected.
    pub(crate) fn new(name: String, picture: &Picture, face: Face) -> Self {
        let pixels = to_srgb(picture.pixels.clone(), picture.info.icc_profile.as_deref());
        Self { name, pixels: pixels.into_8_bits().into_channels(Channels::Rgb), face }
    }
}

/// The background of the faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Background {
    Plain,
    Gradient,
    Texture,
}

impl Background {
    pub(crate) const ALL: [Self; 3] = [Self::Plain, Self::Gradient, Self::Texture];
}

/// Ground truth of a face.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Truth {
    /// Height of the detector's box, brow to chin, in pixels.
    height: f32,
    landmarks: [Point; 5],
}

impl Truth {
    /// True if `face` matches: its landmark center and its size are close.
    pub(crate) fn matches(&self, face: &Face) -> bool {
        let ratio = face.bbox.width.max(face.bbox.height) / self.height;
        middle(&face.landmarks).distance(middle(&self.landmarks)) < 0.25 * self.height && (0.6..1.7).contains(&ratio)
    }

    /// Difference between the roll of `face`, by its eyes, and the true roll in degrees.
    pub(crate) fn roll_error(&self, face: &Face) -> f32 {
        let roll = |eyes: &[Point; 5]| (eyes[1].y - eyes[0].y).atan2(eyes[1].x - eyes[0].x).to_degrees();
        let off = (roll(&face.landmarks) - roll(&self.landmarks)).rem_euclid(360.0);
        off.min(360.0 - off)
    }
}

fn middle(points: &[Point; 5]) -> Point {
    let sum = points.iter().fold(Point::default(), |sum, point| Point::new(sum.x + point.x, sum.y + point.y));
    Point::new(sum.x / 5.0, sum.y / 5.0)
}

/// A photo being composed.
pub(crate) struct Canvas {
    size: Size,
    samples: Vec<u8>,
}

impl Canvas {
    /// A photo of background only.
    pub(crate) fn new(size: Size, background: Background, random: &mut Random) -> Self {
        let mut pick = || [(); 3].map(|()| random.between(30.0, 225.0));
        let (from, to) = (pick(), pick());
        let (cell, seed) = (random.between(4.0, 60.0), (random.unit() * 1e6) as u32);
        let mut samples = Vec::with_capacity(size.pixels() as usize * 3);
        for y in 0..size.height {
            for x in 0..size.width {
                let share = match background {
                    Background::Plain => 0.0,
                    Background::Gradient => (x + y) as f32 / (size.width + size.height) as f32,
                    Background::Texture => {
                        let at = |scale: f32| noise(x as f32 / scale, y as f32 / scale, seed);
                        0.6 * at(cell) + 0.3 * at(cell / 3.0) + 0.1 * at(1.0)
                    }
                };
                samples.extend((0..3).map(|i| (from[i] + (to[i] - from[i]) * share) as u8));
            }
        }
        Self { size, samples }
    }

    /// Draws the head of `portrait` with a face of `height` pixels from brow to chin, its middle at `center`, rotated
    /// clockwise by `roll` degrees. Its edge blends into the background.
    pub(crate) fn put(&mut self, portrait: &Portrait, center: Point, height: f32, roll: f32) -> Truth {
        let scale = height / portrait.face.bbox.height;
        let size = portrait.pixels.size();
        let scaled = |length: u32| ((length as f32 * scale).round() as u32).max(1);
        let to = Size::new(scaled(size.width), scaled(size.height));
        let head = resize(&portrait.pixels, SourceBox::whole(size), to, Filter::Lanczos3).expect("resizes");
        let samples = head.as_u8().expect("8 bits");
        let (ratio_x, ratio_y) = (to.width as f32 / size.width as f32, to.height as f32 / size.height as f32);
        let in_head = |point: Point| Point::new(point.x * ratio_x, point.y * ratio_y);
        let middle = in_head(portrait.face.bbox.center());
        let (sin, cos) = roll.to_radians().sin_cos();
        let (solid, edge) = (0.8 * height, 1.1 * height);
        let reach = Rect::new(center.x - edge, center.y - edge, 2.0 * edge, 2.0 * edge);
        let columns = reach.x.max(0.0) as u32..(reach.right().max(0.0) as u32 + 1).min(self.size.width);
        let rows = reach.y.max(0.0) as u32..(reach.bottom().max(0.0) as u32 + 1).min(self.size.height);
        for y in rows {
            for x in columns.clone() {
                let (dx, dy) = (x as f32 + 0.5 - center.x, y as f32 + 0.5 - center.y);
                let share = ((edge - dx.hypot(dy)) / (edge - solid)).clamp(0.0, 1.0);
                let (from_x, from_y) = (middle.x + cos * dx + sin * dy - 0.5, middle.y - sin * dx + cos * dy - 0.5);
                // The portrait's own edge is blended as well: photos have no straight edges beside a face.
                let beside =
                    from_x.min(from_y).min(to.width as f32 - 1.0 - from_x).min(to.height as f32 - 1.0 - from_y);
                let share = share * (beside / (0.1 * height).max(1.0)).clamp(0.0, 1.0);
                if share <= 0.0 {
                    continue;
                }
                let at = (y as usize * self.size.width as usize + x as usize) * 3;
                for channel in 0..3 {
                    let value = bilinear(samples, to, from_x, from_y, channel);
                    let under = &mut self.samples[at + channel];
                    *under = (f32::from(*under) * (1.0 - share) + value * share).round() as u8;
                }
            }
        }
        let landmarks = portrait.face.landmarks.map(|point| {
            let point = in_head(point);
            let (dx, dy) = (point.x - middle.x, point.y - middle.y);
            Point::new(center.x + cos * dx - sin * dy, center.y + sin * dx + cos * dy)
        });
        Truth { height, landmarks }
    }

    /// The photo.
    pub(crate) fn into_picture(self) -> Picture {
        let pixels = Pixels::from_u8(self.size, Channels::Rgb, self.samples).expect("fits");
        Picture::whole(PictureInfo::plain(self.size, PictureFormat::Png, pixels.layout()), pixels)
    }
}

fn bilinear(samples: &[u8], size: Size, x: f32, y: f32, channel: usize) -> f32 {
    let (left, top) = (x.floor().max(0.0), y.floor().max(0.0));
    let (along, down) = ((x - left).clamp(0.0, 1.0), (y - top).clamp(0.0, 1.0));
    let at = |column: f32, row: f32| {
        let (column, row) = ((column as u32).min(size.width - 1), (row as u32).min(size.height - 1));
        f32::from(samples[(row as usize * size.width as usize + column as usize) * 3 + channel])
    };
    let upper = at(left, top) * (1.0 - along) + at(left + 1.0, top) * along;
    let lower = at(left, top + 1.0) * (1.0 - along) + at(left + 1.0, top + 1.0) * along;
    upper * (1.0 - down) + lower * down
}

/// Smooth noise, 0 to 1.
fn noise(x: f32, y: f32, seed: u32) -> f32 {
    let (left, top) = (x.floor(), y.floor());
    let ease = |t: f32| t * t * (3.0 - 2.0 * t);
    let (along, down) = (ease(x - left), ease(y - top));
    let at = |dx: u32, dy: u32| {
        let mut hash =
            (left as u32 + dx).wrapping_mul(0x85eb_ca6b) ^ (top as u32 + dy).wrapping_mul(0xc2b2_ae35) ^ seed;
        hash = (hash ^ (hash >> 15)).wrapping_mul(0x2c1b_3c6d);
        hash = (hash ^ (hash >> 12)).wrapping_mul(0x297a_2d39);
        (hash >> 8) as f32 / (1 << 24) as f32
    };
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
    mix(mix(at(0, 0), at(1, 0), along), mix(at(0, 1), at(1, 1), along), down)
}
