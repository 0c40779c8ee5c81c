//! Outlines other than a plain rectangle.

use geometry::Size;
use outcome::Channels;
use picture::Pixels;
use recipe::{FinishSpec, Shape};

use super::sample::{Sample, Work, work_on};

/// How much of each pixel of a crop lies inside its outline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline {
    half_width: f32,
    half_height: f32,
    form: Form,
    /// Pixels of the soft edge; 0 for none.
    soft: f32,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    /// A rectangle with corners of so many pixels' radius.
    Rounded(f32),
    Ellipse,
}

impl Outline {
    /// The outline that `finish` asks for of a crop of `size`; `None` for all of it.
    pub(super) fn of(finish: &FinishSpec, size: Size) -> Option<Self> {
        let short = size.short_side() as f32;
        let finite = |share: f32, max: f32| if share.is_finite() { share.clamp(0.0, max) } else { 0.0 };
        let soft = finite(finish.soft_edge, FinishSpec::MAX_SOFT_EDGE) * short;
        let form = match finish.shape {
            Shape::Rectangle => Form::Rounded(0.0),
            Shape::Rounded { radius } => Form::Rounded(finite(radius, 0.5) * short),
            Shape::Ellipse => Form::Ellipse,
        };
        let whole = matches!(form, Form::Rounded(radius) if radius <= 0.0) && soft <= 0.0;
        let (half_width, half_height) = (size.width as f32 / 2.0, size.height as f32 / 2.0);
        (!whole && short > 0.0).then_some(Self { half_width, half_height, form, soft })
    }

    /// The share, 0 to 1, of the pixel at `x` and `y` that shows.
    pub(super) fn share(&self, x: u32, y: u32) -> f32 {
        let (x, y) = (x as f32 + 0.5 - self.half_width, y as f32 + 0.5 - self.half_height);
        let inside = match self.form {
            Form::Rounded(radius) => self.inside_rounded(x.abs(), y.abs(), radius),
            Form::Ellipse => self.inside_ellipse(x, y),
        };
        let sharp = (inside + 0.5).clamp(0.0, 1.0);
        if self.soft <= 1.0 {
            return sharp;
        }
        let along = (inside / self.soft).clamp(0.0, 1.0);
        // No corner at either end of the slope.
        along * along * (3.0 - 2.0 * along)
    }

    /// Pixels from the outline inwards; negative outside.
    fn inside_rounded(&self, x: f32, y: f32, radius: f32) -> f32 {
        let (over_x, over_y) = (x - (self.half_width - radius), y - (self.half_height - radius));
        radius - over_x.max(0.0).hypot(over_y.max(0.0)) - over_x.max(over_y).min(0.0)
    }

    /// The same, close to the outline and along the axes; elsewhere by how fast the ellipse's own measure grows there.
    fn inside_ellipse(&self, x: f32, y: f32) -> f32 {
        let (across, down) = (x / self.half_width, y / self.half_height);
        let radius = across.hypot(down);
        if radius < 1e-6 {
            return self.half_width.min(self.half_height);
        }
        let slope = (across / self.half_width).hypot(down / self.half_height) / radius;
        (1.0 - radius) / slope
    }
}

/// `pixels` with alpha that leaves what lies inside `outline`. What no longer shows is black.
pub(super) fn cut_out(pixels: Pixels, outline: &Outline) -> Pixels {
    let with_alpha = match pixels.channels() {
        Channels::L | Channels::La => Channels::La,
        Channels::Rgb | Channels::Rgba => Channels::Rgba,
    };
    let mut pixels = pixels.into_channels(with_alpha);
    let width = pixels.size().width as usize;
    work_on(&mut pixels, CutOut { outline, width });
    pixels.clear_hidden_colour();
    pixels
}

struct CutOut<'a> {
    outline: &'a Outline,
    width: usize,
}

impl Work for CutOut<'_> {
    type Gives = ();

    fn on<T: Sample>(self, samples: &mut [T], channels: Channels) {
        let count = channels.count();
        for (y, row) in (0..).zip(samples.chunks_exact_mut(self.width * count)) {
            for (x, pixel) in (0..).zip(row.chunks_exact_mut(count)) {
                if let Some(alpha) = pixel.last_mut() {
                    *alpha = T::from_share(alpha.to_share() * self.outline.share(x, y));
                }
            }
        }
    }
}
