//! What is missing of a JPEG XL file that ends too early.
//!
//! A frame is a coarse picture in large groups, eight times smaller where there is any, and passes of detail over groups of
//! about 256 x 256 pixels. A table at its start says where each lies, in any order.

use jxl_oxide::{Frame, JxlImage};

use crate::decode::{Damage, Pixels, Samples};

/// Where the end of a file is missing that no more can be said of.
const CUT: &str = "the end of the file is missing";

/// Said where every row is there, but not all of each.
const COARSE: &str = "the end of the file is missing, with fine detail or colour";

/// Said of a picture in one piece, whose rows come in no order that is known.
const UNKNOWN: &str = "the end of the file is missing; how many rows that is cannot be told";

/// The damage of `image`, of which no frame is whole.
pub(super) fn of_cut(image: &JxlImage) -> Damage {
    let rows = image.image_header().size.height;
    let with = |missing_rows: u32, reason: &str| Damage { missing_rows, rows, reason: reason.to_owned() };
    let Some(frame) = image.frame(image.num_loaded_frames()) else { return with(rows, CUT) };
    let header = frame.header();
    if !header.frame_type.is_normal_frame() {
        // A part of the picture that is kept apart and was to be used by a frame that never came.
        return with(0, UNKNOWN);
    }
    match missing(frame) {
        // A frame may be smaller than the picture, over one that is whole.
        Some(missing) if missing > 0 => with(missing.min(rows), CUT),
        Some(_) => with(0, COARSE),
        None => with(0, UNKNOWN),
    }
}

/// Counts the rows at the end that nothing was written to, where the file itself does not tell: the decoder leaves them black.
/// Black rows that were read are taken for missing, which is the lesser mistake.
pub(super) fn count_blank_rows(damage: &mut Damage, image: &JxlImage, pixels: &Pixels) {
    if damage.reason != UNKNOWN || image.image_header().metadata.orientation != 1 {
        return;
    }
    let channels = pixels.channels();
    let colours = channels.count() - usize::from(channels.has_alpha());
    let stride = pixels.size().width as usize * channels.count();
    let blank = match pixels.samples() {
        Samples::U8(samples) => blank_rows(samples, stride, channels.count(), colours),
        Samples::U16(samples) => blank_rows(samples, stride, channels.count(), colours),
    };
    if blank > 0 {
        damage.missing_rows = blank.min(damage.rows);
        damage.reason = CUT.to_owned();
    }
}

fn blank_rows<T: Copy + Default + PartialEq>(samples: &[T], stride: usize, channels: usize, colours: usize) -> u32 {
    let is_blank = |pixel: &[T]| pixel.iter().take(colours).all(|sample| *sample == T::default());
    let rows = samples.chunks_exact(stride.max(1)).rev();
    rows.take_while(|row| row.chunks_exact(channels).all(is_blank)).count() as u32
}

/// Rows of `frame` of which a part was not read even coarsely; `None` where that cannot be told.
fn missing(frame: &Frame) -> Option<u32> {
    let header = frame.header();
    if frame.toc().is_single_entry() {
        return None;
    }
    // In their usual order: what holds for all, large groups, tables, groups of the first pass, of the second and so on.
    let mut sections: Vec<_> = frame.toc().iter_bitstream_order().collect();
    sections.sort_by_key(|section| section.kind);
    let is_read = |index: usize| {
        sections.get(index).is_some_and(|section| {
            frame.data(section.kind).is_some_and(|data| data.len() as u64 >= u64::from(section.size))
        })
    };
    let large = header.num_lf_groups() as usize;
    let is_coarse_there = sections.get(1..1 + large)?.iter().any(|section| section.size > 0);
    let (first, count, across, side) = if is_coarse_there {
        (1, large, header.lf_groups_per_row(), header.lf_group_dim())
    } else {
        (2 + large, header.num_groups() as usize, header.groups_per_row(), header.group_dim())
    };
    let height = u64::from(header.color_sample_height());
    if !is_read(0) {
        return Some(header.height);
    }
    let unread = (0..count).filter(|&group| !is_read(first + group));
    let mut bands: Vec<u64> = unread.map(|group| group as u64 / u64::from(across.max(1))).collect();
    bands.dedup();
    let rows = |band: u64| height.saturating_sub(band * u64::from(side)).min(u64::from(side));
    let missing = bands.into_iter().map(rows).sum::<u64>() * u64::from(header.upsampling);
    Some(u32::try_from(missing).unwrap_or(u32::MAX).min(header.height))
}
