//! Outlines other than the plain rectangle.

use geometry::Size;
use outcome::Channels;
use picture::Pixels;
use recipe::{FinishSpec, Shape};

use super::sample::{Sample, SampleOp, apply_to_samples};

/// Coverage of each crop pixel by the outline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline {
    half_width: f32,
    half_height: f32,
    form: Form,
    /// Width of the soft edge in pixels; 0 for a hard edge.
    soft: f32,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    /// A rectangle with this corner radius in pixels.
    Rounded(f32),
    Ellipse,
}

impl Outline {
    /// The outline in `finish` for a crop of `size`; `None` for the plain rectangle.
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

    /// Coverage of the pixel at `x`, `y` by the outline, 0 to 1.
    pub(super) fn share(&self, x: u32, y: u32) -> f32 {
        let (x, y) = (x as f32 + 0.5 - self.half_width, y as f32 + 0.5 - self.half_height);
        let inside = match self.form {
            Form::Rounded(radius) => self.distance_to_rounded(x.abs(), y.abs(), radius),
            Form::Ellipse => self.distance_to_ellipse(x, y),
        };
        let sharp = (inside + 0.5).clamp(0.0, 1.0);
        if self.soft <= 1.0 {
            return sharp;
        }
        let along = (inside / self.soft).clamp(0.0, 1.0);
        // Smoothstep: no kink at either end of the slope.
        along * along * (3.0 - 2.0 * along)
    }

    /// Signed distance in pixels from the outline: positive inside, negative outside.
    fn distance_to_rounded(&self, x: f32, y: f32, radius: f32) -> f32 {
        let (over_x, over_y) = (x - (self.half_width - radius), y - (self.half_height - radius));
        radius - over_x.max(0.0).hypot(over_y.max(0.0)) - over_x.max(over_y).min(0.0)
    }

    /// Signed distance in pixels, exact near the outline and along the axes; elsewhere approximated by the implicit
    /// function divided by its gradient.
    fn distance_to_ellipse(&self, x: f32, y: f32) -> f32 {
        let (across, down) = (x / self.half_width, y / self.half_height);
        let radius = across.hypot(down);
        if radius < 1e-6 {
            return self.half_width.min(self.half_height);
        }
        let slope = (across / self.half_width).hypot(down / self.half_height) / radius;
        (1.0 - radius) / slope
    }
}

/// Adds alpha to `pixels` that keeps the inside of `outline`. Fully transparent pixels become black.
pub(super) fn cut_out(pixels: Pixels, outline: &Outline) -> Pixels {
    let with_alpha = match pixels.channels() {
        Channels::L | Channels::La => Channels::La,
        Channels::Rgb | Channels::Rgba => Channels::Rgba,
    };
    let mut pixels = pixels.into_channels(with_alpha);
    let width = pixels.size().width as usize;
    apply_to_samples(&mut pixels, CutOut { outline, width });
    pixels.clear_hidden_colour();
    pixels
}

struct CutOut<'a> {
    outline: &'a Outline,
    width: usize,
}

impl SampleOp for CutOut<'_> {
    type Output = ();

    fn apply<T: Sample>(self, samples: &mut [T], channels: Channels) {
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
