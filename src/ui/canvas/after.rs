//! The crop beside the photo, as it will be written, at any zoom.

use egui::{Align2, Id, Rect, Role, Sense, Stroke, StrokeKind, TextStyle, TextureId, Ui, UiBuilder, Vec2, WidgetInfo};

use geometry::{Rect as PictureRect, Size};
use outcome::DisplayCopy;
use plan::PlannedCrop;
use recipe::{RenderSpec, Shape};

use super::super::command::{Command, Commands};
use super::super::language::{say, tr};
use super::super::state::{AppState, PREVIEW_SIDE, Photo, TileKey};
use super::super::textures::{TextureKey, Textures};
use super::super::theme::{UNTINTED, palette, screen_color};
use super::super::widgets::leave_keys;
use super::pan::{Pane, pan_ui, pan_with_space_ui};
use super::placement::Placement;
use super::{current_pixels, paint_checkerboard, paint_crop, placement, unit_rect};

/// Id under which egui stores the pane size of the last pass.
const SIZE_ID: &str = "after-size";

/// Maximum longer side requested, in pixels: a texture of 64 MB.
const MAX_SIDE: u32 = 4096;

/// Draws the previewed crop into the available space.
pub(crate) fn after_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    let space = ui.available_rect_before_wrap();
    ui.painter().rect_filled(space, 0.0, palette(ui).canvas);
    ui.data_mut(|data| data.insert_temp(Id::unique(SIZE_ID), space.size()));
    let response = ui.allocate_rect(space, Sense::click_and_drag());
    leave_keys(&response);
    let Some((index, crop)) = state.shown_crop() else {
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, tr("No crop")));
        let (font, color) = (TextStyle::Body.resolve(ui.style()), ui.visuals().weak_text_color());
        ui.painter().text(space.center(), Align2::CENTER_CENTER, tr("No face to crop"), font, color);
        return;
    };
    let output = crop.output;
    response.widget_info(|| {
        let text = say!("After: crop {number}, {size} pixels", number = index + 1, size = output);
        WidgetInfo::labeled(Role::Image, true, text)
    });
    let ui = &mut ui.new_child(UiBuilder::new().max_rect(space));
    ui.shrink_clip_rect(space);
    let pane = Pane { space, view: state.canvas.tools.after_view, picture: output, set: Command::SetAfterView };
    pan_ui(ui, &response, &pane, commands);
    let placement = Placement::new(space, ui.pixels_per_point(), state.canvas.tools.after_view, output);
    let whole = PictureRect::new(0.0, 0.0, output.width as f32, output.height as f32);
    let target = placement.rect(whole);
    paint_exact(ui, state, &crop, target, textures);
    pan_with_space_ui(ui, &pane, commands);
    let wanted = wanted_side(output, placement.scale() * ui.pixels_per_point());
    if wanted != state.canvas.tools.preview_side {
        commands.push(Command::SetPreviewSide(wanted));
    }
}

/// Scale of the crop in the last pass, in screen pixels per crop pixel.
pub(crate) fn after_scale(ui: &Ui, state: &AppState) -> Option<f32> {
    let (_, crop) = state.shown_crop()?;
    let space: Vec2 = ui.data(|data| data.get_temp(Id::unique(SIZE_ID)))?;
    let space = placement::usable(space) * ui.pixels_per_point();
    Some(state.canvas.tools.after_view.resolve(crop.output, space.x, space.y).0)
}

/// Longer side, in pixels, of a rendering that is sharp at `scale` screen pixels per crop pixel. Rounded to steps, so that
/// zooming causes few requests.
fn wanted_side(output: Size, scale: f32) -> u32 {
    let shown = (output.long_side() as f32 * scale).ceil() as u32;
    let max = output.long_side().min(MAX_SIDE);
    let mut side = PREVIEW_SIDE;
    while side < shown {
        side *= 2;
    }
    // Close to full size, the full size is requested: at 100 % pixels map one to one.
    if side >= max || shown >= max { max.max(PREVIEW_SIDE) } else { side }
}

/// Paints the worker's rendering of the active output if it shows this crop, or one that stands in for it, else the same part
/// of the canvas's pixels.
pub(crate) fn paint_exact(ui: &Ui, state: &AppState, crop: &PlannedCrop, target: Rect, textures: &mut Textures) {
    let output = state.active_output();
    let exact = rendered(state, crop).map(|image| (TextureKey::Preview, image));
    paint(ui, state, (output, crop), exact, target, textures);
}

/// Paints the small preview of an output in the same way.
pub(crate) fn paint_small(
    ui: &Ui,
    state: &AppState,
    (output, crop): (usize, &PlannedCrop),
    target: Rect,
    textures: &mut Textures,
) {
    let of_active = || rendered(state, crop).filter(|_| output == state.active_output());
    let small = || Some((TextureKey::SmallPreview(output), state.small_preview(output)?));
    let exact = of_active().map(|image| (TextureKey::Preview, image)).or_else(small);
    paint(ui, state, (output, crop), exact, target, textures);
}

/// The rendering of the active output, if it shows this crop or one that stands in for it.
fn rendered<'a>(state: &'a AppState, crop: &PlannedCrop) -> Option<&'a DisplayCopy> {
    let (key, image) = state.canvas.preview.rendered.as_ref()?;
    let render = state.render_spec_of(state.active_output());
    let is_alike = key.render == render || (stands_in(&key.render, &render) && state.preview_failure().is_none());
    (Some(key.item) == state.list.library.current && key.crop == *crop && is_alike).then_some(image)
}

/// Paints a crop of any photo of the list: the worker's rendering, else the same part of the pixels at hand.
pub(crate) fn paint_tile(
    ui: &Ui,
    state: &AppState,
    photo: &Photo,
    key: &TileKey,
    target: Rect,
    textures: &mut Textures,
) {
    let place = TextureKey::Tile(key.item, key.crop.face_index);
    let exact = state.list.tiles.get(key);
    let exact = exact.and_then(|image| textures.gradually(ui.ctx(), place, image)).map(Pixels::Rendered);
    let mut of_photo = || {
        let texture = match current_pixels(state).filter(|_| state.list.library.current == Some(photo.id)) {
            Some((key, copy)) => textures.get(ui.ctx(), key, copy),
            None => textures.gradually(ui.ctx(), TextureKey::Thumbnail(photo.id), photo.thumbnail()?)?,
        };
        Some(Pixels::Photo(texture, photo.info.as_ref()?.size))
    };
    let pixels = exact.or_else(&mut of_photo);
    paint_pixels(ui, (state.active_output(), &key.crop, &key.render), pixels, state, target);
}

fn paint(
    ui: &Ui,
    state: &AppState,
    (output, crop): (usize, &PlannedCrop),
    exact: Option<(TextureKey, &DisplayCopy)>,
    target: Rect,
    textures: &mut Textures,
) {
    let pixels = match exact {
        Some((key, image)) => Some(Pixels::Rendered(textures.get(ui.ctx(), key, image))),
        None => current_pixels(state).and_then(|(key, copy)| {
            let size = state.current()?.info.as_ref()?.size;
            Some(Pixels::Photo(textures.get(ui.ctx(), key, copy), size))
        }),
    };
    paint_pixels(ui, (output, crop, &state.render_spec_of(output)), pixels, state, target);
}

/// What a crop is painted from.
#[derive(Clone, Copy)]
enum Pixels {
    Rendered(TextureId),
    /// The whole photo, with its size in pixels.
    Photo(TextureId, Size),
}

fn paint_pixels(
    ui: &Ui,
    (output, crop, render): (usize, &PlannedCrop, &RenderSpec),
    pixels: Option<Pixels>,
    state: &AppState,
    target: Rect,
) {
    let finish = render.finish;
    let fills = finish.fill_outside || !state.encode_of(output).format.has_alpha();
    if finish.shape != Shape::Rectangle || finish.soft_edge > 0.0 || matches!(pixels, Some(Pixels::Rendered(_))) {
        if fills {
            ui.painter().rect_filled(target, 0.0, screen_color(render.fill));
        } else {
            paint_checkerboard(ui.painter(), target.intersect(ui.clip_rect()), palette(ui).checkerboard);
        }
    }
    match pixels {
        Some(Pixels::Rendered(texture)) => _ = ui.painter().image(texture, target, unit_rect(), UNTINTED),
        Some(Pixels::Photo(texture, size)) => paint_crop(ui.painter(), target, texture, size, crop, render),
        None => {}
    }
    let line = ui.visuals().widgets.noninteractive.bg_stroke.color;
    ui.painter().rect_stroke(target, 0.0, Stroke::new(1.0, line), StrokeKind::Outside);
}

/// True if a rendering as specified by `old` is closer to `new` than the photo itself: the background is replaced in
/// both. The photo's own would appear for a moment with each change.
fn stands_in(old: &RenderSpec, new: &RenderSpec) -> bool {
    [old, new].iter().all(|spec| spec.finish.background.is_replaced())
}

#[cfg(test)]
mod tests {
    use recipe::{Background, Color, CropSpec, FinishSpec};

    use super::*;

    #[test]
    fn a_new_background_stays_while_the_next_rendering_is_awaited() {
        let of = |background| CropSpec::default().render_spec(FinishSpec { background, ..FinishSpec::default() });
        let [keep, white, clear] =
            [Background::Keep, Background::Plain { color: Color::WHITE }, Background::Transparent].map(of);
        assert!(stands_in(&white, &clear));
        for (old, new) in [(keep, white), (white, keep), (keep, keep)] {
            assert!(!stands_in(&old, &new), "{old:?} {new:?}");
        }
    }

    #[test]
    fn the_requested_size_matches_the_display() {
        let output = Size::new(2000, 2600);
        assert_eq!(wanted_side(output, 0.2), 640);
        assert_eq!(wanted_side(output, 0.3), 1280);
        assert_eq!(wanted_side(output, 1.0), 2600, "every pixel at 100 %");
        assert_eq!(wanted_side(output, 9.0), 2600, "no more than the output has");
        assert_eq!(wanted_side(Size::new(9000, 9000), 1.0), MAX_SIDE);
        assert_eq!(wanted_side(Size::new(100, 100), 4.0), PREVIEW_SIDE);
    }
}
