//! Requests that are on their way.

use batch::worker::{ItemId, Request};
use cancel::Generation;

use super::PreviewKey;

/// What a request without its last answer was about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pending {
    Runtime,
    Companion,
    Trial,
    Compare,
    Describe,
    Diagnose,
    Import,
    Watch,
    Paste,
    Project,
    Survey(ItemId),
    Thumbnail(ItemId),
    Inspect(Generation),
    Magnify(Generation),
    Preview(PreviewKey),
    Export,
    Save,
    SaveText,
    Report,
    FindRun,
    LoadPresets,
    CompletePath,
}

impl Pending {
    pub(super) fn of(request: &Request) -> Self {
        match request {
            Request::OpenRuntime { .. } => Self::Runtime,
            Request::PinCompanion { .. } => Self::Companion,
            Request::TryRuntimes { .. } => Self::Trial,
            Request::Compare(_) => Self::Compare,
            Request::DescribeModel { .. } => Self::Describe,
            Request::Diagnose(_) => Self::Diagnose,
            Request::Import { .. } => Self::Import,
            Request::Watch(_) => Self::Watch,
            Request::WritePasted(_) => Self::Paste,
            Request::Project(_) => Self::Project,
            Request::Survey { photo, .. } => Self::Survey(photo.item),
            Request::FindThumbnail { photo, .. } => Self::Thumbnail(photo.item),
            Request::Magnify { generation, .. } => Self::Magnify(*generation),
            Request::Inspect { generation, .. } => Self::Inspect(*generation),
            Request::RenderPreview { photo, generation, crop, render, max_side } => Self::Preview(PreviewKey {
                item: photo.item,
                generation: *generation,
                crop: *crop,
                render: *render,
                side: *max_side,
            }),
            Request::Export(_) => Self::Export,
            Request::FindRun(_) => Self::FindRun,
            Request::SaveSettings(_) => Self::Save,
            Request::SaveText { .. } => Self::SaveText,
            Request::WriteReport { .. } => Self::Report,
            Request::LoadText { .. } => Self::LoadPresets,
            Request::CompletePath(_) => Self::CompletePath,
        }
    }

    /// True where only the answer to the latest such request counts.
    pub(super) const fn latest_counts(self) -> bool {
        matches!(self, Self::Runtime | Self::Companion | Self::Trial | Self::Describe | Self::Diagnose | Self::FindRun)
    }
}
