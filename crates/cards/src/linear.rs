//! Reads Code 128 and Code 39 along lines across their bars.
//!
//! A Code 128 counts if at least two lines have the same text; it has a check digit. A Code 39 has none, so three lines and
//! three characters are demanded. If lines have different texts, the most frequent one counts.

use geometry::Rect;
use outcome::CodeKind;
use rxing::common::BitArray;
use rxing::oned::{Code39Reader, Code128Reader, OneDReader};
use rxing::{BarcodeFormat, DecodeHints};

use crate::bars::{BLUR, Bars};
use crate::luma::Luma;
use crate::text::cleaned;
use crate::{Found, around};

/// Lines across the bars.
const LINES: usize = 15;
/// The share of the bars' length that the lines cover.
const COVERED: f32 = 0.9;
/// Levels per pixel of a line, so that the widths of narrow bars are precise.
const LEVELS_PER_PIXEL: usize = 4;
/// Minimum difference of the grey levels of a line.
const MIN_CONTRAST: f32 = 12.0;
/// Minimum share of that difference near a bar.
const MIN_LOCAL_CONTRAST: f32 = 0.25;
/// Levels of a line that share a threshold.
const BLOCK: usize = 16;

/// The code of `bars`; none or one.
pub(crate) fn read(luma: &Luma, bars: &Bars) -> Vec<Found> {
    // Texts with the number of lines that have them.
    let mut readings: Vec<(CodeKind, String, usize)> = Vec::new();
    for line in 0..LINES {
        let side = ((line as f32 + 0.5) / LINES as f32 * 2.0 - 1.0) * COVERED * bars.half_height;
        for (kind, text) in read_line(&levels(luma, bars, side), bars) {
            match readings.iter_mut().find(|reading| (reading.0, &reading.1) == (kind, &text)) {
                Some(reading) => reading.2 += 1,
                None => readings.push((kind, text, 1)),
            }
        }
    }
    let best = readings.into_iter().max_by_key(|reading| reading.2);
    let proven = best.filter(|(kind, text, lines)| match kind {
        CodeKind::Code39 => *lines >= 3 && text.len() >= 3,
        _ => *lines >= 2,
    });
    let found = proven.and_then(|(kind, text, _)| Some(Found { kind, text: cleaned(&text), region: region_of(bars)? }));
    found.filter(|found| !found.text.is_empty()).into_iter().collect()
}

fn region_of(bars: &Bars) -> Option<Rect> {
    let (length, height) = (bars.half_length - BLUR, bars.half_height - BLUR);
    let corners = [(-length, -height), (length, -height), (length, height), (-length, height)];
    around(corners.map(|(along, side)| bars.point(along, side)))
}

/// The texts of one line, each once: in both directions, without and with sharpened levels.
fn read_line(levels: &[f32], bars: &Bars) -> Vec<(CodeKind, String)> {
    let hints = DecodeHints::default();
    let mut texts = Vec::new();
    for row in [row_of(levels, bars), row_of(&sharpened(levels), bars)] {
        let Some(mut row) = row else { continue };
        for _ in 0..2 {
            let codes = [Code128Reader.decode_row(0, &row, &hints), Code39Reader::new().decode_row(0, &row, &hints)];
            for code in codes.into_iter().flatten() {
                let kind = match code.getBarcodeFormat() {
                    BarcodeFormat::CODE_39 => CodeKind::Code39,
                    _ => CodeKind::Code128,
                };
                let text = (kind, code.getText().to_owned());
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            row.reverse();
        }
    }
    texts
}

/// The grey levels along the line at `side` of the middle, with a margin for the quiet zones. Each is the mean of three points
/// along a bar.
fn levels(luma: &Luma, bars: &Bars, side: f32) -> Vec<f32> {
    let end = bars.half_length + (0.25 * bars.half_length).max(16.0);
    let step = 2.0 / LEVELS_PER_PIXEL as f32;
    let sampled: Vec<f32> = (0..(2.0 * end / step) as usize)
        .map(|index| {
            let along = index as f32 * step - end;
            [-1.0, 0.0, 1.0].map(|aside| luma.sample(bars.point(along, side + aside))).iter().sum::<f32>() / 3.0
        })
        .collect();
    sampled.windows(2).flat_map(|pair| [pair[0], (pair[0] + pair[1]) / 2.0]).collect()
}

fn sharpened(levels: &[f32]) -> Vec<f32> {
    let reach = LEVELS_PER_PIXEL * 5 / 4;
    let last = levels.len().saturating_sub(1);
    let sharpened = |(index, level): (usize, &f32)| {
        let sides = levels[index.saturating_sub(reach)] + levels[(index + reach).min(last)];
        2.0 * level - sides / 2.0
    };
    levels.iter().enumerate().map(sharpened).collect()
}

/// Black where the level is below the middle of the levels nearby; `None` if the line has no contrast.
fn row_of(levels: &[f32], bars: &Bars) -> Option<BitArray> {
    let blocks: Vec<(f32, f32)> = levels.chunks(BLOCK).map(extremes).collect();
    let contrast = |(low, high): (f32, f32)| high - low;
    let whole = contrast(extremes(levels));
    if whole < MIN_CONTRAST {
        return None;
    }
    let reach = ((bars.half_length / 2.5) as usize * LEVELS_PER_PIXEL / BLOCK).clamp(2, 24);
    let mut row = BitArray::with_size(levels.len());
    for (block, part) in levels.chunks(BLOCK).enumerate() {
        let near = &blocks[block.saturating_sub(reach)..(block + reach + 1).min(blocks.len())];
        let near = near.iter().fold((f32::MAX, f32::MIN), |all, block| (all.0.min(block.0), all.1.max(block.1)));
        if contrast(near) < MIN_LOCAL_CONTRAST * whole {
            continue;
        }
        let middle = (near.0 + near.1) / 2.0;
        for index in part.iter().enumerate().filter(|(_, level)| **level < middle).map(|(index, _)| index) {
            row.set(block * BLOCK + index);
        }
    }
    Some(row)
}

/// The lowest and the highest level.
fn extremes(levels: &[f32]) -> (f32, f32) {
    levels.iter().fold((f32::MAX, f32::MIN), |(low, high), &level| (low.min(level), high.max(level)))
}
