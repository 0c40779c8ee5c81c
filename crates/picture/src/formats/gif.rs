//! GIF: the first frame, composited on the logical screen.
//!
//! The blocks are parsed here to find that frame; the decoder then receives a file with it alone, as large as the
//! frame, so that frame and screen are in memory only once.

use std::io::Cursor;

use image::ImageDecoder;
use image::codecs::gif::GifDecoder;

use geometry::Size;
use outcome::{Channels, DecodeError, PixelLayout};
use recipe::DecodeLimits;

use super::parts::{FIRST_FRAME, TRUNCATED, broken, decoder_message};
use super::source::Source;
use super::{Decoded, Header, describes};
use crate::Pixels;
use crate::request::StoredRequest;

const NAME: &str = "GIF";

pub(super) fn header(bytes: &[u8], _limits: &DecodeLimits) -> Result<Header, DecodeError> {
    let file = parse(bytes)?;
    let frame = &file.frame;
    if frame.size.pixels() > file.screen.pixels() {
        let reason =
            format!("it needs too much memory: its first frame has {}, its screen {}", frame.size, file.screen);
        return Err(broken(NAME, reason));
    }
    let channels = if frame.fills(file.screen) && !frame.is_transparent { Channels::Rgb } else { Channels::Rgba };
    let profile = icc_profile(bytes).filter(|profile| describes(profile, channels));
    Ok(Header {
        stored: file.screen,
        orientation: None,
        layout: PixelLayout { channels, deep: false },
        icc_profile: profile.map(Into::into),
        decodes_in_part: false,
        note: file.is_animated.then_some(FIRST_FRAME),
    })
}

pub(super) fn pixels(
    bytes: &[u8],
    header: &Header,
    _request: StoredRequest,
    _limits: &DecodeLimits,
) -> Result<Decoded, DecodeError> {
    let file = parse(bytes)?;
    let alone = file.first_frame_alone(bytes);
    let mut samples = vec![0; file.frame.size.pixels() as usize * 4];
    read(&alone, &mut samples)
        .map_err(|reason| broken(NAME, if file.frame.is_cut { TRUNCATED.to_owned() } else { reason }))?;
    let channels = header.layout.channels;
    let samples = if channels.has_alpha() { file.on_screen(samples) } else { without_alpha(samples) };
    let pixels = Pixels::from_u8(header.stored, channels, samples);
    let pixels = pixels.ok_or_else(|| broken(NAME, "the number of samples is wrong"))?;
    Ok(Decoded::whole(pixels))
}

/// Peak memory in bytes per pixel: the frame is decoded with alpha, and if it does not fill the screen, the screen is
/// allocated too.
pub(super) fn bytes_per_pixel(bytes: &[u8]) -> u64 {
    let fills = parse(bytes).is_ok_and(|file| file.frame.fills(file.screen));
    if fills { 4 } else { 8 }
}

/// Removes every fourth sample, in place.
fn without_alpha(mut samples: Vec<u8>) -> Vec<u8> {
    let pixels = samples.len() / 4;
    for pixel in 0..pixels {
        samples.copy_within(pixel * 4..pixel * 4 + 3, pixel * 3);
    }
    samples.truncate(pixels * 3);
    samples.shrink_to_fit();
    samples
}

fn icc_profile(bytes: &[u8]) -> Option<Vec<u8>> {
    GifDecoder::new(Cursor::new(bytes)).ok()?.icc_profile().ok().flatten()
}

fn read(alone: &[u8], samples: &mut [u8]) -> Result<(), String> {
    let decoder = GifDecoder::new(Source::new(alone)).map_err(|error| decoder_message(&error))?;
    if decoder.total_bytes() != samples.len() as u64 {
        return Err("the size of its first frame does not match its header".to_owned());
    }
    decoder.read_image(samples).map_err(|error| decoder_message(&error))
}

/// The structure of a file up to its second frame.
struct File {
    screen: Size,
    /// Bytes of the header with the global colour table.
    head: usize,
    frame: Frame,
    is_animated: bool,
}

struct Frame {
    left: u32,
    top: u32,
    size: Size,
    is_transparent: bool,
    /// Offset of its graphic control extension.
    control: Option<usize>,
    /// Offset of its descriptor, and the end of its data.
    start: usize,
    end: usize,
    is_cut: bool,
}

impl Frame {
    fn fills(&self, screen: Size) -> bool {
        (self.left, self.top) == (0, 0) && self.size == screen
    }
}

fn parse(bytes: &[u8]) -> Result<File, DecodeError> {
    let cut = || broken(NAME, "the file ends before its first image");
    let short = |at: usize| bytes.get(at..at + 2).map(|two| u32::from(u16::from_le_bytes([two[0], two[1]])));
    let table = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let screen = Size::new(short(6).ok_or_else(cut)?, short(8).ok_or_else(cut)?);
    let head = 13 + table(*bytes.get(10).ok_or_else(cut)?);
    let (mut at, mut control, mut first) = (head, None, None::<Frame>);
    loop {
        match bytes.get(at) {
            Some(0x21) => {
                if bytes.get(at + 1) == Some(&0xf9) && bytes.get(at + 2) == Some(&4) {
                    control = Some(at);
                }
                at = blocks_end(bytes, at + 2).0;
            }
            Some(0x2c) => {
                if let Some(frame) = first {
                    return Ok(File { screen, head, frame, is_animated: true });
                }
                let flags = *bytes.get(at + 9).ok_or_else(cut)?;
                let place = |offset: usize| short(at + offset).ok_or_else(cut);
                let (end, is_cut) = blocks_end(bytes, at + 10 + table(flags) + 1);
                first = Some(Frame {
                    left: place(1)?,
                    top: place(3)?,
                    size: Size::new(place(5)?, place(7)?),
                    is_transparent: control.is_some_and(|at| bytes.get(at + 3).is_some_and(|flags| flags & 1 == 1)),
                    control,
                    start: at,
                    end,
                    is_cut,
                });
                at = end;
            }
            _ => break,
        }
    }
    let frame = first.ok_or_else(cut)?;
    if frame.size.pixels() == 0 {
        return Err(broken(NAME, "its first frame has no pixels"));
    }
    Ok(File { screen, head, frame, is_animated: false })
}

/// The end of the chain of data blocks at `at`, and whether it is truncated.
fn blocks_end(bytes: &[u8], mut at: usize) -> (usize, bool) {
    loop {
        match bytes.get(at) {
            Some(0) => return (at + 1, false),
            Some(length) => at += 1 + usize::from(*length),
            None => return (bytes.len(), true),
        }
    }
}

impl File {
    /// A file with the first frame alone, with a screen of the same size.
    fn first_frame_alone(&self, bytes: &[u8]) -> Vec<u8> {
        let Frame { start, end, control, .. } = self.frame;
        let part = |from: usize, to: usize| bytes.get(from..to.min(bytes.len())).unwrap_or_default();
        let mut alone = part(0, self.head).to_vec();
        if let Some(screen) = alone.get_mut(6..10) {
            screen.copy_from_slice(part(start + 5, start + 9));
        }
        if let Some(at) = control {
            alone.extend_from_slice(part(at, at + 8));
        }
        let descriptor = alone.len();
        alone.extend_from_slice(part(start, end));
        if let Some(corner) = alone.get_mut(descriptor + 1..descriptor + 5) {
            corner.fill(0);
        }
        if !self.frame.is_cut {
            alone.push(0x3b);
        }
        alone
    }

    /// The frame's samples on a transparent screen, clipped to it.
    fn on_screen(&self, samples: Vec<u8>) -> Vec<u8> {
        if self.frame.fills(self.screen) {
            return samples;
        }
        let Frame { left, top, size, .. } = self.frame;
        let mut screen = vec![0; self.screen.pixels() as usize * 4];
        let width = size.width.min(self.screen.width.saturating_sub(left)) as usize * 4;
        let rows = screen.chunks_exact_mut((self.screen.width as usize * 4).max(1)).skip(top as usize);
        for (row, line) in rows.zip(samples.chunks_exact(size.width as usize * 4)) {
            if let Some(target) = row.get_mut(left as usize * 4..left as usize * 4 + width) {
                target.copy_from_slice(&line[..width]);
            }
        }
        screen
    }
}

#[cfg(test)]
mod tests;
