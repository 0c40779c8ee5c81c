//! Arguments that say what a crop's file is like, and how large photos may be.

use clap::Args;

use recipe::{ColorPolicy, Compression, DecodeLimits, EncodeSpec, MetadataPolicy, OutputFormat, Subsampling};

use super::numbers::{one_of, whole_from};

/// What a crop's file is like.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Files written")]
pub struct EncodeArgs {
    /// File format of the crops [default: jpeg]
    #[arg(long, value_parser = one_of(&[
        ("jpeg", OutputFormat::Jpeg), ("png", OutputFormat::Png), ("webp", OutputFormat::WebP),
        ("avif", OutputFormat::Avif), ("tiff", OutputFormat::Tiff),
    ]))]
    pub format: Option<OutputFormat>,

    /// Quality of JPEG, WebP and AVIF, 1 to 100 [default: 92]
    #[arg(long, value_name = "N", value_parser = whole_from::<u8>(1, 100), allow_negative_numbers = true)]
    pub quality: Option<u8>,

    /// JPEG: a colour sample for every pixel, or one for four [default: 4:2:0]
    #[arg(long, value_parser = one_of(&[("4:4:4", Subsampling::Full), ("4:2:0", Subsampling::Half)]))]
    pub subsampling: Option<Subsampling>,

    /// JPEG: appears coarse first; a little smaller, slower
    #[arg(long)]
    pub progressive: bool,

    /// WebP: without loss
    #[arg(long)]
    pub lossless: bool,

    /// PNG, TIFF and lossless WebP: how hard they are pressed [default: fast]
    #[arg(long, value_parser = one_of(&[
        ("fast", Compression::Fast), ("balanced", Compression::Balanced), ("small", Compression::Small),
    ]))]
    pub compression: Option<Compression>,

    /// AVIF: 1 (slow, small) to 10 [default: 9]
    #[arg(long, value_name = "N", value_parser = whole_from::<u8>(1, 10), allow_negative_numbers = true)]
    pub avif_speed: Option<u8>,

    /// Most kilobytes (1,000 bytes) of a file: the quality is lowered until it fits [default: the document's, or none]
    #[arg(long, value_name = "N", value_parser = whole_from::<u32>(1, u32::MAX.into()), allow_negative_numbers = true)]
    pub max_kb: Option<u32>,

    /// Resolution in dots per inch, written into the file; printed sizes follow it [default: the preset's, or 300]
    #[arg(long, value_name = "N", value_parser = parse_dpi, allow_negative_numbers = true)]
    pub dpi: Option<u16>,

    /// The photo's own colours with its profile, or converted to sRGB [default: keep]
    #[arg(long, value_parser = one_of(&[("keep", ColorPolicy::Keep), ("srgb", ColorPolicy::Srgb)]))]
    pub color: Option<ColorPolicy>,

    /// What is kept of the photo's metadata: safe keeps dates, camera, author and copyright and drops places and serial
    /// numbers [default: safe]
    #[arg(long, value_parser = one_of(&[
        ("safe", MetadataPolicy::Safe), ("all", MetadataPolicy::All), ("strip", MetadataPolicy::Strip),
    ]))]
    pub metadata: Option<MetadataPolicy>,
}

impl EncodeArgs {
    /// What was given, over `usual`.
    pub(super) fn over(&self, usual: &EncodeSpec) -> EncodeSpec {
        EncodeSpec {
            format: self.format.unwrap_or(usual.format),
            quality: self.quality.unwrap_or(usual.quality),
            subsampling: self.subsampling.unwrap_or(usual.subsampling),
            progressive: self.progressive || usual.progressive,
            lossless: self.lossless || usual.lossless,
            compression: self.compression.unwrap_or(usual.compression),
            avif_speed: self.avif_speed.unwrap_or(usual.avif_speed),
            max_kilobytes: self.max_kb.or(usual.max_kilobytes),
            dpi: self.dpi.unwrap_or(usual.dpi),
            color: self.color.unwrap_or(usual.color),
            metadata: self.metadata.unwrap_or(usual.metadata),
        }
    }

    /// Flags that were given and mean nothing for the format of `spec`, in words.
    pub(super) fn passed_over(&self, spec: &EncodeSpec) -> Vec<String> {
        let is = |format| spec.format == format;
        let lossy = spec.is_lossy();
        let flags = [
            ("--quality", self.quality.is_some(), lossy),
            ("--subsampling", self.subsampling.is_some(), is(OutputFormat::Jpeg)),
            ("--progressive", self.progressive, is(OutputFormat::Jpeg)),
            ("--lossless", self.lossless, is(OutputFormat::WebP)),
            ("--compression", self.compression.is_some(), !lossy),
            ("--avif-speed", self.avif_speed.is_some(), is(OutputFormat::Avif)),
        ];
        let idle = flags.iter().filter(|(_, given, resources)| *given && !resources);
        let name = if is(OutputFormat::WebP) && spec.lossless { "lossless WebP" } else { spec.format.name() };
        idle.map(|(flag, ..)| format!("note: {flag} is passed over, since it means nothing for {name}")).collect()
    }
}

/// How large photos may be, and how long reading one may take.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Most megapixels of a photo [default: 250]
    #[arg(long, value_name = "N", value_parser = whole_from::<u32>(1, 100_000), allow_negative_numbers = true)]
    pub max_megapixels: Option<u32>,

    /// Most megabytes (1,000,000 bytes) of a photo's file [default: 1073]
    #[arg(long, value_name = "N", value_parser = whole_from::<u32>(1, 1_000_000), allow_negative_numbers = true)]
    pub max_file_mb: Option<u32>,

    /// Most megabytes of pixels in memory, of one photo and of all at a time [default: 1073]
    #[arg(long, value_name = "N", value_parser = whole_from::<u32>(1, 1_000_000), allow_negative_numbers = true)]
    pub memory_mb: Option<u32>,

    /// Most seconds that reading a photo may take; what takes longer fails [default: 60]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=86_400), allow_negative_numbers = true)]
    pub max_seconds: Option<u32>,
}

impl LimitArgs {
    /// The defaults with what was given.
    pub(super) fn limits(self) -> DecodeLimits {
        self.over(DecodeLimits::default())
    }

    /// What was given, over `usual`.
    pub(super) fn over(self, usual: DecodeLimits) -> DecodeLimits {
        let millions = |given: Option<u32>, usual: u64| given.map_or(usual, |given| u64::from(given) * 1_000_000);
        DecodeLimits {
            max_pixels: millions(self.max_megapixels, usual.max_pixels),
            max_file_bytes: millions(self.max_file_mb, usual.max_file_bytes),
            memory_budget: millions(self.memory_mb, usual.memory_budget),
            max_seconds: self.max_seconds.map_or(usual.max_seconds, u64::from),
        }
    }
}

/// A resolution in dots per inch.
fn parse_dpi(text: &str) -> Result<u16, String> {
    let range = EncodeSpec::DPI;
    let dpi = text.parse().ok().filter(|dpi| range.contains(dpi));
    dpi.ok_or_else(|| {
        format!("a resolution is a whole number of dots per inch from {} to {}", range.start(), range.end())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Arguments, Command};

    fn args(extra: &[&str]) -> Result<(EncodeArgs, LimitArgs), clap::Error> {
        let given = ["iron-cropper", "crop", "photos", "-o", "out"].iter().chain(extra);
        match Arguments::read(given)?.command {
            Some(Command::Crop(args)) => Ok((args.encode, args.input.limits)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_flag_is_understood() {
        let given = "--format tiff --quality 7 --subsampling 4:4:4 --progressive --lossless --compression small \
                     --avif-speed 3 --max-kb 240 --dpi 600 --color srgb --metadata strip \
                     --max-megapixels 100 --max-file-mb 2 --memory-mb 3 --max-seconds 4";
        let (encode, limits) = args(&given.split_whitespace().collect::<Vec<_>>()).expect("sound");
        let expected = EncodeSpec {
            format: OutputFormat::Tiff,
            quality: 7,
            subsampling: Subsampling::Full,
            progressive: true,
            lossless: true,
            compression: Compression::Small,
            avif_speed: 3,
            max_kilobytes: Some(240),
            dpi: 600,
            color: ColorPolicy::Srgb,
            metadata: MetadataPolicy::Strip,
        };
        assert_eq!(encode.over(&EncodeSpec::default()), expected);
        let expected = DecodeLimits {
            max_pixels: 100_000_000,
            max_file_bytes: 2_000_000,
            memory_budget: 3_000_000,
            max_seconds: 4,
        };
        assert_eq!(limits.limits(), expected);
        let (encode, limits) = args(&[]).expect("sound");
        assert_eq!(
            (encode.over(&EncodeSpec::default()), limits.limits()),
            (EncodeSpec::default(), DecodeLimits::default())
        );
    }

    #[test]
    fn what_means_nothing_for_the_format_is_named() {
        let notes = |given: &[&str]| {
            let encode = args(given).expect("sound").0;
            encode.passed_over(&encode.over(&EncodeSpec::default()))
        };
        assert!(notes(&["--quality", "5", "--progressive", "--subsampling", "4:4:4"]).is_empty());
        assert!(notes(&["--format", "webp", "--quality", "5"]).is_empty());
        assert_eq!(notes(&["--format", "webp", "--quality", "5", "--lossless"]).len(), 1);
        assert!(notes(&["--format", "webp", "--lossless", "--compression", "small"]).is_empty());
        assert_eq!(
            notes(&["--format", "png", "--quality", "5", "--avif-speed", "2", "--compression", "small"]).len(),
            2
        );
    }

    #[test]
    fn numbers_outside_their_range_are_refused() {
        for wrong in
            [["--dpi", "0"], ["--dpi", "20000"], ["--max-kb", "0"], ["--avif-speed", "11"], ["--memory-mb", "-1"]]
        {
            assert_eq!(args(&wrong).expect_err("refused").exit_code(), 2, "{wrong:?}");
        }
    }
}
