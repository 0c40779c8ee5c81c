//! Rendered crops of the visible photos of the contact sheet.

use std::collections::{HashMap, HashSet};

use ::batch::worker::{ItemId, RequestId};
use outcome::DisplayCopy;
use plan::{CropPlan, PlannedCrop};
use recipe::{Recipe, RenderSpec};

use super::{AppState, Photo};

/// Maximum bytes of rendered crops in memory; beyond it, those that are not visible are dropped, the oldest first. About 250
/// of 224 x 280 pixels.
const MAX_BYTES: usize = 64 << 20;

/// Maximum number of requests at a time: enough to keep the worker busy, few enough to follow the settings.
const AT_ONCE: usize = 12;

/// Maximum number of crops shown of a photo.
pub(crate) const CROPS_SHOWN: usize = 9;

/// Content of a rendered crop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TileKey {
    pub item: ItemId,
    pub crop: PlannedCrop,
    pub render: RenderSpec,
    /// Maximum longer side, in pixels.
    pub side: u32,
}

impl TileKey {
    /// A photo has one crop of each face.
    const fn place(&self) -> (ItemId, usize) {
        (self.item, self.crop.face_index)
    }

    fn shows_same(&self, other: &Self) -> bool {
        self.crop == other.crop && self.render == other.render
    }
}

struct Tile {
    key: TileKey,
    /// `None` if it could not be rendered.
    image: Option<DisplayCopy>,
    /// Value of the counter when it was stored.
    stored: u64,
}

/// The latest rendering of each crop, and the pending requests.
#[derive(Default)]
pub(crate) struct Tiles {
    rendered: HashMap<(ItemId, usize), Tile>,
    pending: HashMap<(ItemId, usize), RequestId>,
    bytes: usize,
    stored: u64,
}

impl Tiles {
    /// The rendering of this crop, possibly smaller than requested.
    pub(crate) fn get(&self, key: &TileKey) -> Option<&DisplayCopy> {
        self.rendered.get(&key.place()).filter(|tile| tile.key.shows_same(key))?.image.as_ref()
    }

    /// True if the crop has to be rendered: it never was, or it has changed or is shown larger.
    pub(crate) fn lacks(&self, key: &TileKey) -> bool {
        let is_done = |tile: &Tile| tile.key.shows_same(key) && (tile.image.is_none() || tile.key.side >= key.side);
        !self.pending.contains_key(&key.place()) && !self.rendered.get(&key.place()).is_some_and(is_done)
    }

    /// Number of requests that may be sent.
    pub(crate) fn free(&self) -> usize {
        AT_ONCE.saturating_sub(self.pending.len())
    }

    pub(super) fn begin(&mut self, key: &TileKey, id: RequestId) {
        self.pending.insert(key.place(), id);
    }

    pub(super) fn end(&mut self, key: &TileKey, id: RequestId) {
        if self.pending.get(&key.place()) == Some(&id) {
            self.pending.remove(&key.place());
        }
    }

    /// The pending requests for photos that are not among `visible`.
    pub(crate) fn out_of_sight(&self, visible: &HashSet<ItemId>) -> Vec<RequestId> {
        self.pending.iter().filter(|((item, _), _)| !visible.contains(item)).map(|(_, id)| *id).collect()
    }

    /// Renders those again that could not be rendered, because the reason may be gone.
    pub(crate) fn retry(&mut self) {
        self.rendered.retain(|_, tile| tile.image.is_some());
    }

    /// Stores a rendering, or that there is none, and drops invisible ones if the limit is exceeded.
    pub(crate) fn store(&mut self, key: TileKey, image: Option<DisplayCopy>, visible: &[ItemId]) {
        let bytes = |tile: &Tile| tile.image.as_ref().map_or(0, |image| image.rgba.len());
        self.stored += 1;
        let tile = Tile { key, image, stored: self.stored };
        self.bytes += bytes(&tile);
        self.bytes -= self.rendered.insert(key.place(), tile).as_ref().map_or(0, bytes);
        if self.bytes <= MAX_BYTES {
            return;
        }
        let visible: HashSet<ItemId> = visible.iter().copied().collect();
        let mut others: Vec<(u64, (ItemId, usize))> = self
            .rendered
            .iter()
            .filter(|((item, _), _)| !visible.contains(item))
            .map(|(place, tile)| (tile.stored, *place))
            .collect();
        others.sort_unstable();
        for (_, place) in others {
            if self.bytes <= MAX_BYTES / 4 * 3 {
                break;
            }
            self.bytes -= self.rendered.remove(&place).as_ref().map_or(0, bytes);
        }
    }
}

/// What a cell of the contact sheet shows of a photo.
pub(crate) struct Sheet {
    pub plan: CropPlan,
    pub render: RenderSpec,
}

impl AppState {
    /// The crops of the active output of any photo of the list.
    pub(crate) fn sheet_of(&self, photo: &Photo) -> Sheet {
        let output = self.active_output();
        let plan = photo.plan(&self.framings(), output);
        let render = match self.active_variant() {
            Some(variant) => variant.crop.render_spec(variant.finish),
            None => {
                let Recipe { crop, finish, .. } = &self.settings.recipe;
                photo.crop(crop).render_spec(photo.finish(*finish))
            }
        };
        Sheet { plan, render }
    }
}

#[cfg(test)]
mod tests {
    use geometry::{PixelRect, Size};
    use recipe::{CropSpec, FinishSpec};

    use super::*;

    fn key(item: u64, x: i32) -> TileKey {
        let crop = PlannedCrop::upright(PixelRect::new(x, 0, 400, 500), Size::new(400, 500));
        let render = CropSpec::default().render_spec(FinishSpec::default());
        TileKey { item: ItemId(item), crop, render, side: 512 }
    }

    fn image() -> DisplayCopy {
        DisplayCopy { size: Size::new(512, 512), rgba: vec![0; 512 * 512 * 4].into() }
    }

    #[test]
    fn memory_is_limited_and_visible_crops_stay() {
        let mut tiles = Tiles::default();
        let visible = [ItemId(0), ItemId(1)];
        for item in 0..200 {
            tiles.store(key(item, 0), Some(image()), &visible);
            assert!(tiles.bytes <= MAX_BYTES, "{}", tiles.bytes);
        }
        assert!(tiles.get(&key(0, 0)).is_some() && tiles.get(&key(1, 0)).is_some(), "visible");
        assert!(tiles.get(&key(2, 0)).is_none() && tiles.get(&key(199, 0)).is_some(), "the oldest go first");
        let kept: usize = tiles.rendered.values().flat_map(|tile| &tile.image).map(|image| image.rgba.len()).sum();
        assert_eq!(kept, tiles.bytes);
    }

    #[test]
    fn a_crop_is_rendered_again_if_it_changes_grows_or_failed_with_another_runtime() {
        let mut tiles = Tiles::default();
        let crop = key(1, 0);
        tiles.begin(&crop, RequestId(7));
        assert!(!tiles.lacks(&crop), "pending");
        tiles.end(&crop, RequestId(7));
        tiles.store(crop, Some(image()), &[]);
        assert!(!tiles.lacks(&crop) && !tiles.lacks(&TileKey { side: 256, ..crop }));
        assert!(tiles.lacks(&TileKey { side: 1024, ..crop }) && tiles.get(&TileKey { side: 1024, ..crop }).is_some());
        assert!(tiles.lacks(&key(1, 9)) && tiles.get(&key(1, 9)).is_none(), "moved");
        tiles.store(crop, None, &[]);
        assert!(!tiles.lacks(&crop), "it would fail again");
        tiles.retry();
        assert!(tiles.lacks(&crop));
    }
}
