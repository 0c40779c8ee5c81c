//! Paints the photo, the frames, and crops.

use egui::{Color32, Mesh, Painter, Rect, Shape, Stroke, StrokeKind, TextureId, Ui, pos2};

use super::super::theme::{UNTINTED, palette, screen_color};
use super::place::{Placement, outside};
use crate::geometry::{PixelRect, Size};
use crate::plan::{Color, CropPlan};

/// The photo, what the frames reach of beyond it, and a veil over what is not cropped.
///
/// `detail` is a sharper copy of a part, in picture pixels, painted over the whole.
pub(super) fn paint_photo(
    ui: &Ui,
    placement: &Placement,
    texture: TextureId,
    detail: Option<(PixelRect, TextureId)>,
    plan: &CropPlan,
    fill: Color,
) {
    let painter = ui.painter();
    let frames: Vec<Rect> = plan.crops.iter().map(|crop| placement.frame(crop.frame)).collect();
    // Under pictures with transparency lies the same colour as under their crops.
    paint_rects(painter, frames.iter().copied().chain([placement.photo]), screen_color(fill));
    paint_texture(painter, texture, placement.photo, unit_rect());
    if let Some((part, texture)) = detail {
        paint_texture(painter, texture, placement.frame(part), unit_rect());
    }
    if !frames.is_empty() {
        paint_rects(painter, outside(placement.photo, &frames), palette(ui).dim);
    }
}

/// Rectangles with hard edges, so that neighbours leave no seam.
fn paint_rects(painter: &Painter, rects: impl IntoIterator<Item = Rect>, color: Color32) {
    let mut mesh = Mesh::default();
    for rect in rects {
        mesh.add_colored_rect(rect, color);
    }
    painter.add(Shape::mesh(mesh));
}

/// The part `uv` of a texture, with the same hard edges.
fn paint_texture(painter: &Painter, texture: TextureId, target: Rect, uv: Rect) {
    let mut mesh = Mesh::with_texture(texture);
    mesh.add_rect_with_uv(target, uv, UNTINTED);
    painter.add(Shape::mesh(mesh));
}

/// The frames' lines; the one the preview shows is the strongest and lies on top.
pub(super) fn paint_frames(ui: &Ui, placement: &Placement, plan: &CropPlan, previewed: usize) {
    let palette = palette(ui);
    let previewed = previewed.min(plan.crops.len().saturating_sub(1));
    let (before, after) = plan.crops.split_at(previewed);
    let (shown, after) = after.split_at(after.len().min(1));
    let others = before.iter().chain(after).map(|crop| (crop, 1.0));
    for (crop, width) in others.chain(shown.iter().map(|crop| (crop, 2.5))) {
        let frame = placement.frame(crop.frame);
        ui.painter().rect_stroke(frame, 1.0, Stroke::new(width + 2.0, palette.halo), StrokeKind::Middle);
        ui.painter().rect_stroke(frame, 1.0, Stroke::new(width, palette.on_tag), StrokeKind::Middle);
    }
}

/// Paints what `frame` shows of a picture of `picture` pixels into `target`, with `fill` where it reaches beyond.
pub(crate) fn paint_crop(
    painter: &Painter,
    target: Rect,
    texture: TextureId,
    picture: Size,
    frame: PixelRect,
    fill: Color,
) {
    paint_rects(painter, [target], screen_color(fill));
    let Some(seen) = frame.clipped_to(picture) else { return };
    let across = |x: f32, from: f32, width: f32| (x - from) / width;
    let (seen, frame) = (seen.to_rect(), frame.to_rect());
    let in_target = |x: f32, y: f32| {
        target.lerp_inside(egui::vec2(across(x, frame.x, frame.width), across(y, frame.y, frame.height)))
    };
    let in_texture = |x: f32, y: f32| pos2(x / picture.width as f32, y / picture.height as f32);
    let place = Rect::from_min_max(in_target(seen.x, seen.y), in_target(seen.right(), seen.bottom()));
    let uv = Rect::from_min_max(in_texture(seen.x, seen.y), in_texture(seen.right(), seen.bottom()));
    paint_texture(painter, texture, place, uv);
}

/// The whole of a texture.
pub(crate) fn unit_rect() -> Rect {
    Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0))
}
