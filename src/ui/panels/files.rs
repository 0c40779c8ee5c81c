//! Right panel: output format, and limits on photos.

use batch::settings::Settings;
use egui::{CollapsingHeader, Ui};

use recipe::{ColorPolicy, Compression, DecodeLimits, EncodeSpec, MetadataPolicy, OutputFormat, Subsampling};

use super::super::command::{Command, Commands};
use super::super::language::tr;
use super::super::state::AppState;
use super::super::widgets::{choice, labelled, number, slider, tick};

/// Initial size limit, in kilobytes: common for application forms.
const DEFAULT_LIMIT_KB: u32 = 500;

/// The format of the active output.
pub(super) fn format_choice_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let spec = state.encode();
    let formats = OutputFormat::ALL.map(|format| (format, format.name(), Some(about_format(format))));
    if let Some(format) = choice(ui, tr("Format"), Some(spec.format), spec.format.name(), formats) {
        commands.push(Command::SetEncode(EncodeSpec { format, ..spec }));
    }
}

/// Options of the format, and what else is stored in the files.
pub(super) fn files_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let mut spec = state.encode();
    format_ui(ui, &mut spec);
    limit_ui(ui, &mut spec);
    labelled(ui, tr("Resolution"), |ui| {
        let about = tr("Stored in the file; the pixel count does not change");
        number(ui, &mut spec.dpi, EncodeSpec::DPI, tr(" dpi"), tr("Resolution in dots per inch"), about);
    });
    let colors =
        [ColorPolicy::Keep, ColorPolicy::Srgb].map(|color| (color, color_policy(color), Some(about_color(color))));
    if let Some(color) = choice(ui, tr("Colour space"), Some(spec.color), color_policy(spec.color), colors) {
        spec.color = color;
    }
    let policies = [MetadataPolicy::Safe, MetadataPolicy::All, MetadataPolicy::Strip]
        .map(|policy| (policy, metadata_policy(policy), Some(about_metadata(policy))));
    if let Some(policy) = choice(ui, tr("Metadata"), Some(spec.metadata), metadata_policy(spec.metadata), policies) {
        spec.metadata = policy;
    }
    if spec != state.encode() {
        commands.push(Command::SetEncode(spec));
    }
}

/// Options of the photos, which are shared by all outputs.
pub(super) fn photos_ui(ui: &mut Ui, settings: &Settings, commands: &mut Commands) {
    let mut include = settings.recipe.include_damaged;
    let about = tr("If off, photos with missing parts are not exported");
    labelled(ui, tr("Damaged photos"), |ui| {
        let ticked = tick(ui, true, &mut include, tr("Export")).accessible_name(tr("Export damaged photos"));
        if ticked.on_hover_text(about).changed() {
            commands.push(Command::SetIncludeDamaged(include));
        }
    });
    CollapsingHeader::new(tr("Limits")).show(ui, |ui| limits_ui(ui, settings.limits, commands));
}

/// Options that only some formats have.
fn format_ui(ui: &mut Ui, spec: &mut EncodeSpec) {
    if spec.is_lossy()
        && let Some(quality) = slider(ui, tr("Quality"), f32::from(spec.quality), 1.0..=100.0, 0, "")
    {
        spec.quality = quality.round() as u8;
    }
    match spec.format {
        OutputFormat::Jpeg => {
            let kinds = Subsampling::ALL.map(|kind| (kind, subsampling(kind), None));
            if let Some(kind) =
                choice(ui, tr("Colour detail"), Some(spec.subsampling), subsampling(spec.subsampling), kinds)
            {
                spec.subsampling = kind;
            }
            let about = tr("Displays in stages while loading; slightly smaller, slower");
            labelled(ui, "", |ui| tick(ui, true, &mut spec.progressive, tr("Progressive")).on_hover_text(about));
        }
        OutputFormat::WebP => _ = labelled(ui, "", |ui| tick(ui, true, &mut spec.lossless, tr("Lossless"))),
        OutputFormat::Avif => {
            if let Some(speed) = slider(ui, tr("Speed"), f32::from(spec.avif_speed), 1.0..=10.0, 0, "") {
                spec.avif_speed = speed.round() as u8;
            }
        }
        OutputFormat::Png | OutputFormat::Tiff => {}
    }
    if !spec.is_lossy() {
        let levels = Compression::ALL.map(|level| (level, compression(level), None));
        let name = compression(spec.compression);
        if let Some(level) = choice(ui, tr("Compression"), Some(spec.compression), name, levels) {
            spec.compression = level;
        }
    }
}

fn limit_ui(ui: &mut Ui, spec: &mut EncodeSpec) {
    labelled(ui, tr("File size"), |ui| {
        let mut limited = spec.max_kilobytes.is_some();
        let about = tr("Lowers the quality until the file is small enough");
        if tick(ui, true, &mut limited, tr("limit to")).on_hover_text(about).changed() {
            spec.max_kilobytes = limited.then_some(DEFAULT_LIMIT_KB);
        }
        if let Some(limit) = &mut spec.max_kilobytes {
            number(ui, limit, 1..=1_000_000, tr(" kB"), tr("Maximum file size in kB"), tr("1 kB is 1,000 bytes"));
        }
    });
}

fn limits_ui(ui: &mut Ui, old: DecodeLimits, commands: &mut Commands) {
    let mut limits = old;
    let rows = [
        (tr("Photo"), &mut limits.max_pixels, tr(" megapixels"), tr("Maximum photo size in megapixels")),
        (tr("File"), &mut limits.max_file_bytes, tr(" MB"), tr("Maximum photo file size in MB")),
        (tr("Memory"), &mut limits.memory_budget, tr(" MB"), tr("Maximum memory for pixels in MB")),
    ];
    for (label, value, suffix, about) in rows {
        labelled(ui, label, |ui| {
            let mut millions = *value / 1_000_000;
            if number(ui, &mut millions, 1..=1_000_000, suffix, about, about) {
                *value = millions * 1_000_000;
            }
        });
    }
    labelled(ui, tr("Time"), |ui| {
        let about = tr("Maximum time to read a photo in seconds");
        number(ui, &mut limits.max_seconds, 1..=86_400, tr(" s"), about, about);
    });
    if limits != old {
        commands.push(Command::SetLimits(limits));
    }
}

/// Description of a format.
fn about_format(format: OutputFormat) -> &'static str {
    match format {
        OutputFormat::Jpeg => tr("Opens everywhere; no transparency"),
        OutputFormat::Png => tr("Lossless; supports 16 bits and transparency"),
        OutputFormat::WebP => tr("Smaller than JPEG, for the web; supports transparency"),
        OutputFormat::Avif => tr("Smallest; slow to write, not supported everywhere"),
        OutputFormat::Tiff => tr("Lossless, for print; supports 16 bits and transparency"),
    }
}

fn subsampling(kind: Subsampling) -> &'static str {
    match kind {
        Subsampling::Half => tr("Standard (4:2:0)"),
        Subsampling::Full => tr("Full (4:4:4)"),
    }
}

fn compression(level: Compression) -> &'static str {
    match level {
        Compression::Fast => tr("Fast"),
        Compression::Balanced => tr("Balanced"),
        Compression::Small => tr("Small, slow"),
    }
}

fn color_policy(policy: ColorPolicy) -> &'static str {
    match policy {
        ColorPolicy::Keep => tr("Same as photo"),
        ColorPolicy::Srgb => "sRGB",
    }
}

fn about_color(policy: ColorPolicy) -> &'static str {
    match policy {
        ColorPolicy::Keep => tr("Keeps the photo's colour values and profile"),
        ColorPolicy::Srgb => tr("Converts to sRGB, for programs without colour management"),
    }
}

fn metadata_policy(policy: MetadataPolicy) -> &'static str {
    match policy {
        MetadataPolicy::Safe => tr("Safe"),
        MetadataPolicy::All => tr("Everything"),
        MetadataPolicy::Strip => tr("Nothing"),
    }
}

fn about_metadata(policy: MetadataPolicy) -> &'static str {
    match policy {
        MetadataPolicy::Safe => tr("Dates, camera, author and copyright; no location or serial numbers"),
        MetadataPolicy::All => tr("Also location, serial numbers and descriptions"),
        MetadataPolicy::Strip => tr("Only resolution and colour profile"),
    }
}
