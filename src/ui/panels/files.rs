//! At the right: what a crop's file is like, and how large photos may be.

use egui::{CollapsingHeader, Ui};

use super::super::command::{Command, Commands};
use super::super::state::AppState;
use super::super::widgets::{choice, labelled, number, slider, tick};
use crate::decode::DecodeLimits;
use crate::encode::{ColorPolicy, Compression, EncodeSpec, MetadataPolicy, OutputFormat, Subsampling};

/// The limit a person starts from, in kilobytes: what many application forms ask for.
const USUAL_LIMIT_KB: u32 = 500;

pub(super) fn files_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let mut spec = state.settings.encode;
    let formats = OutputFormat::ALL.map(|format| (format, format.name(), Some(about_format(format))));
    if let Some(format) = choice(ui, "Format", Some(spec.format), spec.format.name(), formats) {
        spec.format = format;
    }
    format_ui(ui, &mut spec);
    limit_ui(ui, &mut spec);
    labelled(ui, "Resolution", |ui| {
        let about = "Written into the file; the number of pixels stays the same";
        number(ui, &mut spec.dpi, EncodeSpec::DPI, " dpi", "Resolution in dots per inch", about);
    });
    let colors =
        [ColorPolicy::Keep, ColorPolicy::Srgb].map(|color| (color, color_policy(color), Some(about_color(color))));
    if let Some(color) = choice(ui, "Colours", Some(spec.color), color_policy(spec.color), colors) {
        spec.color = color;
    }
    let policies = [MetadataPolicy::Safe, MetadataPolicy::All, MetadataPolicy::Strip]
        .map(|policy| (policy, metadata_policy(policy), Some(about_metadata(policy))));
    if let Some(policy) = choice(ui, "Metadata", Some(spec.metadata), metadata_policy(spec.metadata), policies) {
        spec.metadata = policy;
    }
    if spec != state.settings.encode {
        commands.push(Command::SetEncode(spec));
    }
    let mut include = state.settings.include_damaged;
    let about = "Photos of which a part is missing are left out of an export otherwise";
    if tick(ui, true, &mut include, "Export damaged photos too").on_hover_text(about).changed() {
        commands.push(Command::SetIncludeDamaged(include));
    }
    CollapsingHeader::new("Limits").show(ui, |ui| limits_ui(ui, state.settings.limits, commands));
}

/// What only some formats have.
fn format_ui(ui: &mut Ui, spec: &mut EncodeSpec) {
    if spec.is_lossy()
        && let Some(quality) = slider(ui, "Quality", f32::from(spec.quality), 1.0..=100.0, 0, "")
    {
        spec.quality = quality.round() as u8;
    }
    match spec.format {
        OutputFormat::Jpeg => {
            let kinds = Subsampling::ALL.map(|kind| (kind, subsampling(kind), None));
            if let Some(kind) =
                choice(ui, "Colour detail", Some(spec.subsampling), subsampling(spec.subsampling), kinds)
            {
                spec.subsampling = kind;
            }
            let about = "Appears coarse first; a little smaller, slower";
            tick(ui, true, &mut spec.progressive, "Progressive").on_hover_text(about);
        }
        OutputFormat::WebP => _ = tick(ui, true, &mut spec.lossless, "Lossless"),
        OutputFormat::Avif => {
            if let Some(speed) = slider(ui, "Speed", f32::from(spec.avif_speed), 1.0..=10.0, 0, "") {
                spec.avif_speed = speed.round() as u8;
            }
        }
        OutputFormat::Png | OutputFormat::Tiff => {}
    }
    if !spec.is_lossy() {
        let levels = Compression::ALL.map(|level| (level, compression(level), None));
        let name = compression(spec.compression);
        if let Some(level) = choice(ui, "Compression", Some(spec.compression), name, levels) {
            spec.compression = level;
        }
    }
}

fn limit_ui(ui: &mut Ui, spec: &mut EncodeSpec) {
    labelled(ui, "File size", |ui| {
        let mut limited = spec.max_kilobytes.is_some();
        let about = "The quality is lowered until the file is small enough";
        if tick(ui, true, &mut limited, "at most").on_hover_text(about).changed() {
            spec.max_kilobytes = limited.then_some(USUAL_LIMIT_KB);
        }
        if let Some(limit) = &mut spec.max_kilobytes {
            number(ui, limit, 1..=1_000_000, " kB", "Most kilobytes of a file", "1 kB is 1,000 bytes");
        }
    });
}

fn limits_ui(ui: &mut Ui, old: DecodeLimits, commands: &mut Commands) {
    let mut limits = old;
    let rows = [
        ("Photo", &mut limits.max_pixels, " megapixels", "Most megapixels of a photo"),
        ("File", &mut limits.max_file_bytes, " MB", "Most megabytes of a photo's file"),
        ("Memory", &mut limits.memory_budget, " MB", "Most megabytes of pixels in memory"),
    ];
    for (label, value, suffix, about) in rows {
        labelled(ui, label, |ui| {
            let mut millions = *value / 1_000_000;
            if number(ui, &mut millions, 1..=1_000_000, suffix, about, about) {
                *value = millions * 1_000_000;
            }
        });
    }
    if limits != old {
        commands.push(Command::SetLimits(limits));
    }
}

/// What a file format is good for.
const fn about_format(format: OutputFormat) -> &'static str {
    match format {
        OutputFormat::Jpeg => "Opens everywhere; no transparency",
        OutputFormat::Png => "Without loss; keeps 16 bits and transparency",
        OutputFormat::WebP => "Smaller than JPEG, for the web; keeps transparency",
        OutputFormat::Avif => "The smallest; slow to write, not read everywhere",
        OutputFormat::Tiff => "Without loss, for print; keeps 16 bits and transparency",
    }
}

const fn subsampling(kind: Subsampling) -> &'static str {
    match kind {
        Subsampling::Half => "Usual (4:2:0)",
        Subsampling::Full => "Full (4:4:4)",
    }
}

const fn compression(level: Compression) -> &'static str {
    match level {
        Compression::Fast => "Fast",
        Compression::Balanced => "Balanced",
        Compression::Small => "Small, slow",
    }
}

const fn color_policy(policy: ColorPolicy) -> &'static str {
    match policy {
        ColorPolicy::Keep => "As in the photo",
        ColorPolicy::Srgb => "sRGB",
    }
}

const fn about_color(policy: ColorPolicy) -> &'static str {
    match policy {
        ColorPolicy::Keep => "The photo's own numbers, with its colour profile",
        ColorPolicy::Srgb => "Converted, for programs that know no profiles",
    }
}

const fn metadata_policy(policy: MetadataPolicy) -> &'static str {
    match policy {
        MetadataPolicy::Safe => "What is safe",
        MetadataPolicy::All => "Everything",
        MetadataPolicy::Strip => "Nothing",
    }
}

const fn about_metadata(policy: MetadataPolicy) -> &'static str {
    match policy {
        MetadataPolicy::Safe => "Dates, camera, author and copyright; no place, no serial numbers",
        MetadataPolicy::All => "Also places, serial numbers and descriptions",
        MetadataPolicy::Strip => "Only resolution and colour profile",
    }
}
