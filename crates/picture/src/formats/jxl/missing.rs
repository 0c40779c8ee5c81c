//! What is missing of a JPEG XL file that ends too early.
//!
//! A frame is a coarse picture in large groups, eight times smaller where there is any, and passes of detail over groups of
//! about 256 x 256 pixels. A table at its start says where each lies, in any order.

use jxl_oxide::{Frame, JxlImage};

use outcome::{Channels, Damage};

use crate::{Pixels, Samples};

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

/// Counts the rows at the end that nothing was written to, where the file itself does not tell: the decoder leaves them black,
/// or transparent. Such rows that were read are taken for missing, which is the lesser mistake.
pub(super) fn count_blank_rows(damage: &mut Damage, image: &JxlImage, pixels: &Pixels) {
    if damage.reason != UNKNOWN || image.image_header().metadata.orientation != 1 {
        return;
    }
    let width = pixels.size().width as usize;
    let blank = match pixels.samples() {
        Samples::U8(samples) => blank_rows(samples, width, pixels.channels()),
        Samples::U16(samples) => blank_rows(samples, width, pixels.channels()),
    };
    damage.missing_rows = blank.min(damage.rows);
    damage.reason = if blank > 0 { CUT } else { COARSE }.to_owned();
}

fn blank_rows<T: Copy + Default + PartialEq>(samples: &[T], width: usize, channels: Channels) -> u32 {
    let (count, colours, zero) = (channels.count(), channels.without_alpha().count(), T::default());
    let is_blank = |row: &&[T]| {
        let is_clear = channels.has_alpha() && row.chunks_exact(count).all(|pixel| pixel.last() == Some(&zero));
        is_clear || row.chunks_exact(count).all(|pixel| pixel.iter().take(colours).all(|sample| *sample == zero))
    };
    samples.chunks_exact((width * count).max(1)).rev().take_while(is_blank).count() as u32
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
    // Alpha is not among what is coarse: without it, a row cannot be seen.
    let mut extra = frame.image_header().metadata.ec_info.iter();
    let has_alpha = extra.find(|channel| channel.is_alpha()).is_some();
    // The pass that has what is not made coarse.
    let pass = frame.pass_shifts().iter().find(|(_, shifts)| shifts.0 <= 0).map_or(0, |(pass, _)| *pass as usize);
    let groups = header.num_groups() as usize;
    let is_coarse_there = !has_alpha && sections.get(1..1 + large)?.iter().any(|section| section.size > 0);
    let (first, count, across, side) = if is_coarse_there {
        (1, large, header.lf_groups_per_row(), header.lf_group_dim())
    } else {
        (2 + large + pass * groups, groups, header.groups_per_row(), header.group_dim())
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

#[cfg(test)]
mod tests {
    use outcome::Channels;

    use super::blank_rows;

    #[test]
    fn black_and_transparent_rows_at_the_end_are_blank() {
        assert_eq!(blank_rows(&[1_u8, 9, 0, 9, 5, 0, 7, 0], 1, Channels::La), 3);
        assert_eq!(blank_rows(&[0_u16, 0, 0, 0, 1, 0, 0, 0, 0], 1, Channels::Rgb), 1);
        assert_eq!(blank_rows(&[0_u8, 0, 3], 1, Channels::L), 0);
    }
}
