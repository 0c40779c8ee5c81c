//! Arguments for detection and for the choice of faces.

use clap::Args;

use recipe::{CropSpec, DetectSpec, Expected, Select, Thoroughness};

use super::numbers::one_of;

/// Detection settings and the minimum score and size of a face.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Which faces")]
pub struct FindArgs {
    /// Detection passes per photo: one; more if the first is uncertain; all that may find a face [default: balanced]
    #[arg(long, value_parser = one_of(&[
        ("fast", Thoroughness::Fast), ("balanced", Thoroughness::Balanced), ("thorough", Thoroughness::Thorough),
    ]))]
    pub thoroughness: Option<Thoroughness>,

    /// Minimum score of a face, 0 to 1 [default: 0.6]
    #[arg(long, value_name = "X", value_parser = parse_score, allow_negative_numbers = true)]
    pub min_score: Option<f32>,

    /// Minimum height of a face in pixels of the photo, from about brow to chin [default: 0]
    #[arg(long, value_name = "PX", value_parser = parse_min_size, allow_negative_numbers = true)]
    pub min_size: Option<u32>,
}

/// Which faces are cropped.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Which faces")]
pub struct SelectArgs {
    /// Faces to crop in each photo; with all, they are numbered from left to right [default: largest]
    #[arg(long, value_parser = one_of(&[
        ("largest", Select::Largest), ("best", Select::Best), ("central", Select::Central), ("all", Select::All),
    ]))]
    pub select: Option<Select>,

    /// Number of faces expected in a photo: 1, 2..5, 2.. or ..5; other photos should be reviewed
    #[arg(long, value_name = "N|MIN..MAX", value_parser = parse_expected, allow_negative_numbers = true)]
    pub expect: Option<Expected>,
}

impl FindArgs {
    /// Applies the flags to `spec`.
    pub(super) fn apply_to(self, spec: &mut CropSpec) {
        spec.min_score = self.min_score.unwrap_or(spec.min_score);
        spec.min_size = self.min_size.unwrap_or(spec.min_size);
    }

    /// The detection settings for a plan that ignores faces below `min_score`.
    pub(super) fn detect_spec(self, min_score: f32) -> DetectSpec {
        let base = DetectSpec::default();
        DetectSpec {
            score_threshold: base.score_threshold.min(min_score),
            thoroughness: self.thoroughness.unwrap_or(base.thoroughness),
            ..base
        }
    }
}

impl SelectArgs {
    /// Applies the flags to `spec`.
    pub(super) fn apply_to(self, spec: &mut CropSpec) {
        spec.select = self.select.unwrap_or(spec.select);
        spec.expected = self.expect.unwrap_or(spec.expected);
    }
}

/// Parses a score. Its range is checked with the rest of the spec.
fn parse_score(text: &str) -> Result<f32, String> {
    text.parse().map_err(|_| format!("'{text}' is not a score; write a number from 0 to 1, for example 0.6"))
}

fn parse_min_size(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("'{text}' is not a height; write a whole number of pixels, for example 60"))
}

/// Parses `3`, `2..5`, `2..` or `..5`. The order of the bounds is checked with the rest of the spec.
fn parse_expected(text: &str) -> Result<Expected, String> {
    let wrong = || format!("'{text}' is not a number of faces; write 1, 2..5, 2.. or ..5");
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
    let bound = |text: &str| if text.trim().is_empty() { Ok(None) } else { number(text).map(Some) };
    match text.split_once("..") {
        None => number(text).map(|count| Expected { min: Some(count), max: Some(count) }),
        Some((min, max)) => match (bound(min)?, bound(max)?) {
            (None, None) => Err(wrong()),
            (min, max) => Ok(Expected { min, max }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_faces_are_a_number_or_a_range() {
        for (text, min, max) in
            [("1", Some(1), Some(1)), ("2..5", Some(2), Some(5)), ("2 ..", Some(2), None), ("..5", None, Some(5))]
        {
            assert_eq!(parse_expected(text), Ok(Expected { min, max }), "{text}");
        }
        for wrong in ["", "..", "two", "-1", "1-3", "1..x"] {
            assert!(parse_expected(wrong).is_err_and(|message| message.contains("2..5")), "{wrong}");
        }
    }

    #[test]
    fn the_score_threshold_is_at_most_the_min_score() {
        let base = DetectSpec::default();
        assert_eq!(FindArgs::default().detect_spec(0.6), base);
        let args = FindArgs { thoroughness: Some(Thoroughness::Thorough), ..FindArgs::default() };
        let expected = DetectSpec { score_threshold: 0.2, thoroughness: Thoroughness::Thorough, ..base };
        assert_eq!(args.detect_spec(0.2), expected);
    }
}
