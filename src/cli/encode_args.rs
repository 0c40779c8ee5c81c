//! Arguments for the output format, and for limits on the size of photos.

use clap::Args;

use recipe::{ColorPolicy, Compression, DecodeLimits, EncodeSpec, MetadataPolicy, OutputFormat, Subsampling};

use super::numbers::{one_of, whole_from};

/// Output format of the crops.
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

    /// JPEG: chroma subsampling, one colour sample per pixel or per four pixels [default: 4:2:0]
    #[arg(long, value_parser = one_of(&[("4:4:4", Subsampling::Full), ("4:2:0", Subsampling::Half)]))]
    pub subsampling: Option<Subsampling>,

    /// JPEG: progressive; slightly smaller, slower to write
    #[arg(long)]
    pub progressive: bool,

    /// WebP: lossless
    #[arg(long)]
    pub lossless: bool,

    /// PNG, TIFF and lossless WebP: compression level [default: fast]
    #[arg(long, value_parser = one_of(&[
        ("fast", Compression::Fast), ("balanced", Compression::Balanced), ("small", Compression::Small),
    ]))]
    pub compression: Option<Compression>,

    /// AVIF: encoding speed, 1 (slow, small) to 10 (fast) [default: 9]
    #[arg(long, value_name = "N", value_parser = whole_from::<u8>(1, 10), allow_negative_numbers = true)]
    pub avif_speed: Option<u8>,

    /// Maximum file size in kilobytes (1,000 bytes); the quality is lowered until it fits [default: the preset's, or none]
    #[arg(long, value_name = "N", value_parser = whole_from::<u32>(1, u32::MAX.into()), allow_negative_numbers = true)]
    pub max_kb: Option<u32>,

    /// Resolution in dots per inch, written into the file; printed sizes follow it [default: the preset's, or 300]
    #[arg(long, value_name = "N", value_parser = parse_dpi, allow_negative_numbers = true)]
    pub dpi: Option<u16>,

    /// Keep the photo's colours and profile, or convert to sRGB [default: keep]
    #[arg(long, value_parser = one_of(&[("keep", ColorPolicy::Keep), ("srgb", ColorPolicy::Srgb)]))]
    pub color: Option<ColorPolicy>,

    /// Metadata to copy from the photo: safe keeps dates, camera, author and copyright but no location or serial numbers
    /// [default: safe]
    #[arg(long, value_parser = one_of(&[
        ("safe", MetadataPolicy::Safe), ("all", MetadataPolicy::All), ("strip", MetadataPolicy::Strip),
    ]))]
    pub metadata: Option<MetadataPolicy>,
}

impl EncodeArgs {
    /// The flags, with `base` for missing ones.
    pub(super) fn over(&self, base: &EncodeSpec) -> EncodeSpec {
        EncodeSpec {
            format: self.format.unwrap_or(base.format),
            quality: self.quality.unwrap_or(base.quality),
            subsampling: self.subsampling.unwrap_or(base.subsampling),
            progressive: self.progressive || base.progressive,
            lossless: self.lossless || base.lossless,
            compression: self.compression.unwrap_or(base.compression),
            avif_speed: self.avif_speed.unwrap_or(base.avif_speed),
            max_kilobytes: self.max_kb.or(base.max_kilobytes),
            dpi: self.dpi.unwrap_or(base.dpi),
            color: self.color.unwrap_or(base.color),
            metadata: self.metadata.unwrap_or(base.metadata),
        }
    }

    /// Notes about flags that have no effect on the format of `spec`.
    pub(super) fn ignored(&self, spec: &EncodeSpec) -> Vec<String> {
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
        let idle = flags.iter().filter(|(_, given, applies)| *given && !applies);
        let name = if is(OutputFormat::WebP) && spec.lossless { "lossless WebP" } else { spec.format.name() };
        idle.map(|(flag, ..)| format!("note: {flag} is ignored: it has no effect on {name}")).collect()
    }
}

/// Limits on the size of photos and the time to read one.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Maximum size of a photo in megapixels [default: 250]
    #[arg(long, value_name = "N", value_parser = whole_from::<u32>(1, 100_000), allow_negative_numbers = true)]
    pub max_megapixels: Option<u32>,

    /// Maximum size of a photo's file in megabytes (1,000,000 bytes) [default: 1073]
    #[arg(long, value_name = "N", value_parser = whole_from::<u32>(1, 1_000_000), allow_negative_numbers = true)]
    pub max_file_mb: Option<u32>,

    /// Maximum memory for pixels in megabytes, for one photo and for all photos at a time [default: 1073]
    #[arg(long, value_name = "N", value_parser = whole_from::<u32>(1, 1_000_000), allow_negative_numbers = true)]
    pub memory_mb: Option<u32>,

    /// Maximum time to read a photo in seconds; a photo that takes longer fails [default: 60]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=86_400), allow_negative_numbers = true)]
    pub max_seconds: Option<u32>,
}

impl LimitArgs {
    /// The flags, with defaults for missing ones.
    pub(super) fn limits(self) -> DecodeLimits {
        self.over(DecodeLimits::default())
    }

    /// The flags, with `base` for missing ones.
    pub(super) fn over(self, base: DecodeLimits) -> DecodeLimits {
        let millions = |given: Option<u32>, base: u64| given.map_or(base, |given| u64::from(given) * 1_000_000);
        DecodeLimits {
            max_pixels: millions(self.max_megapixels, base.max_pixels),
            max_file_bytes: millions(self.max_file_mb, base.max_file_bytes),
            memory_budget: millions(self.memory_mb, base.memory_budget),
            max_seconds: self.max_seconds.map_or(base.max_seconds, u64::from),
        }
    }
}

fn parse_dpi(text: &str) -> Result<u16, String> {
    let range = EncodeSpec::DPI;
    let dpi = text.parse().ok().filter(|dpi| range.contains(dpi));
    dpi.ok_or_else(|| format!("write a whole number of dots per inch from {} to {}", range.start(), range.end()))
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
    fn each_flag_is_parsed() {
        let given = "--format tiff --quality 7 --subsampling 4:4:4 --progressive --lossless --compression small \
                     --avif-speed 3 --max-kb 240 --dpi 600 --color srgb --metadata strip \
                     --max-megapixels 100 --max-file-mb 2 --memory-mb 3 --max-seconds 4";
        let (encode, limits) = args(&given.split_whitespace().collect::<Vec<_>>()).expect("valid");
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
        let (encode, limits) = args(&[]).expect("valid");
        assert_eq!(
            (encode.over(&EncodeSpec::default()), limits.limits()),
            (EncodeSpec::default(), DecodeLimits::default())
        );
    }

    #[test]
    fn flags_without_effect_on_the_format_are_reported() {
        let notes = |given: &[&str]| {
            let encode = args(given).expect("valid").0;
            encode.ignored(&encode.over(&EncodeSpec::default()))
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
    fn numbers_out_of_range_are_rejected() {
        for wrong in
            [["--dpi", "0"], ["--dpi", "20000"], ["--max-kb", "0"], ["--avif-speed", "11"], ["--memory-mb", "-1"]]
        {
            assert_eq!(args(&wrong).expect_err("refused").exit_code(), 2, "{wrong:?}");
        }
    }
}
