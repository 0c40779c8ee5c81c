//! An AV1 image decoder on rav1d. It has dav1d's C interface only: all unsafe code of AVIF decoding is here.

#![expect(unsafe_code, reason = "rav1d has no other interface than dav1d's C functions")]

use std::mem::MaybeUninit;
use std::ptr::NonNull;

use rav1d::include::dav1d::data::Dav1dData;
use rav1d::include::dav1d::dav1d::{Dav1dContext, Dav1dSettings};
use rav1d::include::dav1d::headers::{DAV1D_PIXEL_LAYOUT_I400, DAV1D_PIXEL_LAYOUT_I420, DAV1D_PIXEL_LAYOUT_I422};
use rav1d::include::dav1d::picture::Dav1dPicture;
use rav1d::src::lib::{
    dav1d_close, dav1d_data_create, dav1d_data_unref, dav1d_default_settings, dav1d_get_picture, dav1d_open,
    dav1d_picture_unref, dav1d_send_data,
};

use geometry::Size;

use super::coding::{Coding, Subsampling};

/// The result if rav1d needs more data or has no image yet: the system's EAGAIN, negated.
const NEGATED_EAGAIN: i32 = if cfg!(any(target_os = "macos", target_os = "ios")) { -35 } else { -11 };

/// A decoded image in the decoder's memory.
pub(super) struct Frame {
    picture: Dav1dPicture,
    size: Size,
    depth: u32,
    subsampling: Subsampling,
}

/// One row of one plane.
pub(super) enum Row<'a> {
    U8(&'a [u8]),
    U16(&'a [u16]),
}

impl Frame {
    /// Decodes the first image of `data`, with at most `max_pixels` pixels; the error is a message.
    pub(super) fn decode(data: &[u8], max_pixels: u32) -> Result<Self, String> {
        let decoder = Decoder::open(max_pixels)?;
        let mut input = Input::new(data)?;
        loop {
            let before = input.0.sz;
            if before > 0 {
                decoder.send_data(&mut input)?;
            }
            if let Some(frame) = decoder.picture()? {
                return Ok(frame);
            }
            if input.0.sz == before {
                return Err("its data contains no image".to_owned());
            }
        }
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    /// Bits per sample: 8, 10 or 12.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    pub(super) fn subsampling(&self) -> Subsampling {
        self.subsampling
    }

    /// The coding according to the data itself.
    pub(super) fn coding(&self) -> Option<Coding> {
        // SAFETY: the header belongs to the image, which lives as long as `self`.
        let header = unsafe { self.picture.seq_hdr?.as_ref() };
        let code = |value: u32| u8::try_from(value).unwrap_or(2);
        Some(Coding {
            primaries: code(header.pri),
            transfer: code(header.trc),
            matrix: code(header.mtrx),
            full_range: header.color_range != 0,
        })
    }

    /// Row `y` of a plane: 0 for luma, 1 and 2 for chroma. `None` if the image has no such plane or row.
    pub(super) fn row(&self, plane: usize, y: u32) -> Option<Row<'_>> {
        let size = self.subsampling.plane_size(plane, self.size)?;
        if y >= size.height {
            return None;
        }
        let start = (*self.picture.data.get(plane)?)?.cast::<u8>();
        let stride = self.picture.stride[usize::from(plane > 0)];
        let width = size.width as usize;
        let offset = stride.checked_mul(y as isize)?;
        // SAFETY: for each plane of its layout, rav1d allocates at least `height` rows of `width` samples at intervals
        // of `stride` bytes; `y` and `width` are within them. They are initialised, are not written any more, and live
        // as long as the image. Rows of images with more than 8 bits are aligned for 16-bit samples.
        unsafe {
            let row = start.offset(offset);
            Some(if self.depth == 8 {
                Row::U8(std::slice::from_raw_parts(row.as_ptr(), width))
            } else {
                Row::U16(std::slice::from_raw_parts(row.cast::<u16>().as_ptr(), width))
            })
        }
    }

    /// Wraps an image of the decoder.
    fn new(picture: Dav1dPicture) -> Result<Self, String> {
        let parameters = &picture.p;
        let subsampling = match parameters.layout {
            DAV1D_PIXEL_LAYOUT_I400 => Subsampling::Grey,
            DAV1D_PIXEL_LAYOUT_I420 => Subsampling::Both,
            DAV1D_PIXEL_LAYOUT_I422 => Subsampling::Across,
            _ => Subsampling::None,
        };
        let side = |length: i32| u32::try_from(length).unwrap_or(0);
        let size = Size::new(side(parameters.w), side(parameters.h));
        let depth = side(parameters.bpc);
        let frame = Self { size, depth, subsampling, picture };
        if matches!(depth, 8 | 10 | 12) { Ok(frame) } else { Err(format!("it has {depth} bits per sample")) }
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        // SAFETY: the image came from `dav1d_get_picture` and is released once.
        unsafe { dav1d_picture_unref(Some(NonNull::from(&mut self.picture))) };
    }
}

/// An open decoder.
struct Decoder(Option<Dav1dContext>);

impl Decoder {
    fn open(max_pixels: u32) -> Result<Self, String> {
        let mut settings = MaybeUninit::<Dav1dSettings>::uninit();
        let mut place = NonNull::from(&mut settings).cast::<Dav1dSettings>();
        // SAFETY: the call fills all of `settings`, which is valid to write to.
        let settings = unsafe {
            dav1d_default_settings(place);
            place.as_mut()
        };
        // One thread, the caller's: after a panic in one of the decoder's own threads the caller would wait forever.
        settings.n_threads = 1;
        settings.max_frame_delay = 1;
        settings.all_layers = 0;
        settings.frame_size_limit = max_pixels;
        let mut decoder = Self(None);
        // SAFETY: both pointers are valid, and the settings are initialised.
        let result = unsafe { dav1d_open(Some(NonNull::from(&mut decoder.0)), Some(NonNull::from(settings))) };
        if result.0 == 0 { Ok(decoder) } else { Err(format!("the decoder does not start (error {})", -result.0)) }
    }

    /// Passes data to the decoder; it may consume only a part.
    fn send_data(&self, input: &mut Input) -> Result<(), String> {
        // SAFETY: the decoder is open and the input valid; unconsumed data stays owned by `input`.
        let result = unsafe { dav1d_send_data(self.0, Some(NonNull::from(&mut input.0))) };
        check_result(result.0).map(|_| ())
    }

    fn picture(&self) -> Result<Option<Frame>, String> {
        let mut picture = Dav1dPicture::default();
        // SAFETY: the decoder is open and the output pointer valid.
        let result = unsafe { dav1d_get_picture(self.0, Some(NonNull::from(&mut picture))) };
        if !check_result(result.0)? {
            return Ok(None);
        }
        Frame::new(picture).map(Some)
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: the decoder came from `dav1d_open` and is closed once; a null context is permitted.
        unsafe { dav1d_close(Some(NonNull::from(&mut self.0))) };
    }
}

/// Data for the decoder.
struct Input(Dav1dData);

impl Input {
    fn new(data: &[u8]) -> Result<Self, String> {
        if data.is_empty() {
            return Err("its data is empty".to_owned());
        }
        let mut input = Self(Dav1dData::default());
        // SAFETY: the pointer is valid. The call returns memory of the requested length, or null.
        unsafe {
            let place = dav1d_data_create(Some(NonNull::from(&mut input.0)), data.len());
            if place.is_null() {
                return Err("there is not enough memory".to_owned());
            }
            std::ptr::copy_nonoverlapping(data.as_ptr(), place, data.len());
        }
        Ok(input)
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        // SAFETY: the data came from `dav1d_data_create`; consumed data is no longer referenced by it.
        unsafe { dav1d_data_unref(Some(NonNull::from(&mut self.0))) };
    }
}

/// True for success, false for "again"; other results become an error message.
fn check_result(result: i32) -> Result<bool, String> {
    match result {
        0 => Ok(true),
        NEGATED_EAGAIN => Ok(false),
        other => Err(format!("its data cannot be decoded (AV1 decoder error {})", -i64::from(other))),
    }
}
