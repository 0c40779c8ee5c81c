//! Requests for renderings of the photo on the canvas.

use batch::worker::SessionRequest;

use super::super::command::Effect;
use super::super::state::{AppState, Detail, PreviewKey, TileKey};

/// Requests the rendering of a crop.
pub(super) fn render_preview(state: &AppState, key: PreviewKey, effects: &mut Vec<Effect>) {
    let Some(photo) = state.list.library.get(key.item) else { return };
    effects.push(Effect::send(SessionRequest::RenderPreview {
        photo: state.photo_ref(photo),
        generation: key.generation,
        crop: key.crop,
        render: key.render,
        max_side: key.side,
    }));
}

/// Requests renderings of crops of photos in the list.
pub(super) fn render_tiles(state: &AppState, keys: &[TileKey], effects: &mut Vec<Effect>) {
    for key in keys {
        let Some(photo) = state.list.library.get(key.item) else { continue };
        effects.push(Effect::send(SessionRequest::RenderTile {
            photo: state.photo_ref(photo),
            crop: key.crop,
            render: key.render,
            max_side: key.side,
        }));
    }
}

/// Requests a part of the photo in more detail.
pub(super) fn render_detail(state: &AppState, detail: Detail, effects: &mut Vec<Effect>) {
    let Some(photo) = state.list.library.get(detail.item) else { return };
    let (photo, generation) = (state.photo_ref(photo), state.canvas.generation);
    effects.push(Effect::send(SessionRequest::RenderDetail {
        photo,
        generation,
        part: detail.part,
        size: detail.size,
    }));
}
