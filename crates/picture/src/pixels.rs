//! Pixels in memory: grey or colour, with or without alpha, 8 or 16 bits per sample.

use geometry::Size;
use outcome::{Channels, PixelLayout};

/// The samples of an image, 8 or 16 bits each.
#[derive(Clone, PartialEq, Eq)]
pub enum Samples {
    /// 0 to 255.
    U8(Vec<u8>),
    /// 0 to 65,535.
    U16(Vec<u16>),
}

/// Rows from top to bottom without padding, pixels from left to right.
#[derive(Clone, PartialEq, Eq)]
pub struct Pixels {
    size: Size,
    channels: Channels,
    samples: Samples,
}

impl Pixels {
    /// `None` if `samples` are not width x height x channels.
    pub fn new(size: Size, channels: Channels, samples: Samples) -> Option<Self> {
        let count = match &samples {
            Samples::U8(samples) => samples.len(),
            Samples::U16(samples) => samples.len(),
        };
        let expected = size.pixels().checked_mul(channels.count() as u64)?;
        (count as u64 == expected).then_some(Self { size, channels, samples })
    }

    /// Like [`Pixels::new`], for 8-bit samples.
    pub fn from_u8(size: Size, channels: Channels, samples: Vec<u8>) -> Option<Self> {
        Self::new(size, channels, Samples::U8(samples))
    }

    /// Like [`Pixels::new`], for 16-bit samples.
    pub fn from_u16(size: Size, channels: Channels, samples: Vec<u16>) -> Option<Self> {
        Self::new(size, channels, Samples::U16(samples))
    }

    /// Width and height in pixels.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The channels of a pixel.
    pub fn channels(&self) -> Channels {
        self.channels
    }

    /// Channels and bit depth.
    pub fn layout(&self) -> PixelLayout {
        PixelLayout { channels: self.channels, deep: matches!(self.samples, Samples::U16(_)) }
    }

    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// Mutable access to the samples.
    pub fn samples_mut(&mut self) -> SamplesMut<'_> {
        match &mut self.samples {
            Samples::U8(samples) => SamplesMut::U8(samples),
            Samples::U16(samples) => SamplesMut::U16(samples),
        }
    }

    /// Converts into the samples.
    pub fn into_samples(self) -> Samples {
        self.samples
    }

    /// The samples, if they have 8 bits.
    pub fn as_u8(&self) -> Option<&[u8]> {
        match &self.samples {
            Samples::U8(samples) => Some(samples),
            Samples::U16(_) => None,
        }
    }

    /// The samples, if they have 16 bits.
    pub fn as_u16(&self) -> Option<&[u16]> {
        match &self.samples {
            Samples::U8(_) => None,
            Samples::U16(samples) => Some(samples),
        }
    }

    /// Memory in bytes.
    pub fn byte_size(&self) -> usize {
        self.size.pixels() as usize * self.layout().bytes()
    }

    /// Converts to 8 bits per sample; 16-bit samples are rounded.
    #[must_use]
    pub fn into_8_bits(self) -> Self {
        match self.samples {
            Samples::U8(_) => self,
            Samples::U16(samples) => {
                let samples = samples.into_iter().map(to_8_bits).collect();
                Self { samples: Samples::U8(samples), ..self }
            }
        }
    }

    /// Makes fully transparent pixels black, which removes hidden colours.
    pub fn clear_hidden_colour(&mut self) {
        if !self.channels.has_alpha() {
            return;
        }
        let count = self.channels.count();
        match &mut self.samples {
            Samples::U8(samples) => clear(samples, count),
            Samples::U16(samples) => clear(samples, count),
        }
    }

    /// Converts to `channels`: grey becomes equal red, green and blue, missing alpha becomes opaque. Colour never
    /// becomes grey and alpha is never dropped; if that would be necessary, the pixels are returned unchanged.
    #[must_use]
    pub fn into_channels(self, channels: Channels) -> Self {
        let grows = self.channels.count() < channels.count();
        if !grows
            || (self.channels.has_alpha() && !channels.has_alpha())
            || (!self.channels.is_grey() && channels.is_grey())
        {
            return self;
        }
        let samples = match &self.samples {
            Samples::U8(samples) => Samples::U8(widen(samples, self.channels, channels, u8::MAX)),
            Samples::U16(samples) => Samples::U16(widen(samples, self.channels, channels, u16::MAX)),
        };
        Self { size: self.size, channels, samples }
    }
}

impl std::fmt::Debug for Pixels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pixels({}, {:?})", self.size, self.layout())
    }
}

/// Mutable samples of either depth; their number is fixed.
#[derive(Debug)]
pub enum SamplesMut<'a> {
    /// 0 to 255.
    U8(&'a mut [u8]),
    /// 0 to 65,535.
    U16(&'a mut [u16]),
}

/// Converts 0 to 65,535 to 0 to 255, rounded.
fn to_8_bits(sample: u16) -> u8 {
    ((u32::from(sample) + 128) / 257) as u8
}

fn clear<T: Copy + Default + PartialEq>(samples: &mut [T], count: usize) {
    for pixel in samples.chunks_exact_mut(count).filter(|pixel| pixel[count - 1] == T::default()) {
        pixel.fill(T::default());
    }
}

fn widen<T: Copy>(samples: &[T], from: Channels, to: Channels, opaque: T) -> Vec<T> {
    let mut wide = Vec::with_capacity(samples.len() / from.count() * to.count());
    for pixel in samples.chunks_exact(from.count()) {
        if from.is_grey() && !to.is_grey() {
            wide.extend_from_slice(&[pixel[0]; 3]);
        } else {
            wide.extend_from_slice(&pixel[..from.without_alpha().count()]);
        }
        if to.has_alpha() {
            wide.push(if from.has_alpha() { pixel[from.count() - 1] } else { opaque });
        }
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_count_must_match_the_size() {
        assert!(Pixels::from_u8(Size::new(2, 2), Channels::Rgb, vec![0; 12]).is_some());
        assert!(Pixels::from_u8(Size::new(2, 2), Channels::Rgb, vec![0; 11]).is_none());
        assert!(Pixels::from_u16(Size::new(u32::MAX, u32::MAX), Channels::Rgba, Vec::new()).is_none());
    }

    #[test]
    fn sixteen_bits_are_rounded_to_eight() {
        for (deep, shallow) in [(0, 0), (128, 0), (129, 1), (257, 1), (65_535, 255), (65_407, 255), (65_406, 254)] {
            assert_eq!(to_8_bits(deep), shallow, "{deep}");
        }
    }

    #[test]
    fn channel_conversion_is_never_lossy() {
        let size = Size::new(1, 1);
        let grey = Pixels::from_u8(size, Channels::L, vec![7]).expect("fits");
        assert_eq!(grey.clone().into_channels(Channels::Rgba).as_u8(), Some(&[7, 7, 7, 255][..]));
        assert_eq!(grey.into_channels(Channels::La).as_u8(), Some(&[7, 255][..]));
        let clear = Pixels::from_u16(size, Channels::La, vec![9, 3]).expect("fits");
        assert_eq!(clear.clone().into_channels(Channels::Rgba).as_u16(), Some(&[9, 9, 9, 3][..]));
        assert_eq!(clear.clone().into_channels(Channels::Rgb), clear);
    }
}
