//! Pending requests.

use batch::worker::{FilesRequest, ItemId, ProbesRequest, Request, SessionRequest, ThumbnailsRequest};
use cancel::Generation;

use super::{PreviewKey, TileKey};

/// Subject of a request without its final event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pending {
    Runtime,
    Secondary,
    Trial,
    Compare,
    Describe,
    Diagnose,
    Import,
    Watch,
    Paste,
    /// A photo taken with the camera.
    Shot,
    Camera,
    SearchFrame,
    Project,
    IndexPhoto(ItemId),
    Thumbnail(ItemId),
    Cards,
    OpenPhoto(Generation),
    RenderDetail(Generation),
    Preview(PreviewKey),
    Tile(TileKey),
    Export,
    Save,
    SaveText,
    Report,
    FindRun,
    LoadPresets,
    CompletePath,
    Names,
    FindRows,
}

impl Pending {
    pub(super) fn of(request: &Request) -> Self {
        match request {
            Request::Session(request) => Self::of_session(request),
            Request::Files(request) => Self::of_files(request),
            Request::Probes(ProbesRequest::TryRuntimes { .. }) => Self::Trial,
            Request::Probes(ProbesRequest::DescribeModel { .. }) => Self::Describe,
            Request::Probes(ProbesRequest::Diagnose(_)) => Self::Diagnose,
            Request::Thumbnails(ThumbnailsRequest::FindThumbnail { photo, .. }) => Self::Thumbnail(photo.item),
            Request::Thumbnails(ThumbnailsRequest::ReadCards { .. }) => Self::Cards,
            Request::Camera(_) => Self::Camera,
        }
    }

    fn of_session(request: &SessionRequest) -> Self {
        match request {
            SessionRequest::OpenRuntime { .. } => Self::Runtime,
            SessionRequest::OpenSecondary { .. } => Self::Secondary,
            SessionRequest::OpenPhoto { generation, .. } => Self::OpenPhoto(*generation),
            SessionRequest::RenderDetail { generation, .. } => Self::RenderDetail(*generation),
            SessionRequest::RenderPreview { photo, generation, crop, render, max_side } => Self::Preview(PreviewKey {
                item: photo.item,
                generation: *generation,
                crop: *crop,
                render: *render,
                side: *max_side,
            }),
            SessionRequest::RenderTile { photo, crop, render, max_side } => {
                Self::Tile(TileKey { item: photo.item, crop: *crop, render: *render, side: *max_side })
            }
            SessionRequest::IndexPhoto { photo, .. } => Self::IndexPhoto(photo.item),
            SessionRequest::SearchFrame { .. } => Self::SearchFrame,
            SessionRequest::Export(_) => Self::Export,
            SessionRequest::Compare(_) => Self::Compare,
        }
    }

    fn of_files(request: &FilesRequest) -> Self {
        match request {
            FilesRequest::Import { .. } => Self::Import,
            FilesRequest::Watch(_) => Self::Watch,
            FilesRequest::WritePasted(_) => Self::Paste,
            FilesRequest::WriteShot(_) => Self::Shot,
            FilesRequest::Project(_) => Self::Project,
            FilesRequest::FindRun(_) => Self::FindRun,
            FilesRequest::WriteReport { .. } => Self::Report,
            FilesRequest::SaveSettings(_) => Self::Save,
            FilesRequest::SaveText { .. } => Self::SaveText,
            FilesRequest::LoadText { .. } => Self::LoadPresets,
            FilesRequest::CompletePath(_) => Self::CompletePath,
            FilesRequest::NamePhotos { .. } => Self::Names,
            FilesRequest::FindRows { .. } => Self::FindRows,
        }
    }

    /// True if only the latest such request counts.
    pub(super) const fn latest_counts(self) -> bool {
        matches!(
            self,
            Self::Runtime
                | Self::Secondary
                | Self::Trial
                | Self::Describe
                | Self::Diagnose
                | Self::FindRun
                | Self::Names
        )
    }
}
