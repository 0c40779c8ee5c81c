//! AVIF encoder.

use ravif::{Encoder, Img, RGB8, RGBA8};

use geometry::Size;
use outcome::Channels;

use super::{Content, avif_profile};

/// Encodes 8-bit colour; `speed` is 1 to 10.
pub(super) fn encode(content: &Content<'_>, speed: u8, quality: u8) -> Result<Vec<u8>, String> {
    let Size { width, height } = content.pixels.size();
    let (width, height) = (width as usize, height as usize);
    let samples = content.pixels.as_u8().ok_or("16 bits were not made 8")?;
    let quality = f32::from(quality);
    let mut encoder = Encoder::new()
        .with_quality(quality)
        // Artefacts are visible at cut-out edges before they are on faces.
        .with_alpha_quality((quality + 100.0) / 2.0)
        .with_speed(speed);
    if let Some(exif) = content.embedded.exif {
        encoder = encoder.with_exif(exif);
    }
    let encoded = match content.pixels.channels() {
        Channels::Rgb => {
            let pixels: Vec<_> = samples.chunks_exact(3).map(|p| RGB8::new(p[0], p[1], p[2])).collect();
            encoder.encode_rgb(Img::new(&pixels, width, height))
        }
        Channels::Rgba => {
            let pixels: Vec<_> = samples.chunks_exact(4).map(|p| RGBA8::new(p[0], p[1], p[2], p[3])).collect();
            encoder.encode_rgba(Img::new(&pixels, width, height))
        }
        Channels::L | Channels::La => return Err("grey was not made colour".to_owned()),
    };
    let file = encoded.map_err(|error| error.to_string())?.avif_file;
    let Some(profile) = content.profile else { return Ok(file) };
    avif_profile::with_profile(file, profile).ok_or_else(|| "the colour profile cannot be stored".to_owned())
}
