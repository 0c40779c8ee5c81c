//! Paints the photo, the frames and crops.

use std::f32::consts::{FRAC_PI_2, TAU};

use egui::{Align2, Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, TextureId, Ui, Vec2, pos2, vec2};

use geometry::{PixelRect, Point, Size};
use plan::{CropPlan, PlannedCrop};
use recipe::{Color, RenderSpec, Shape as Outline};

use super::super::language::say;
use super::super::theme::{UNTINTED, palette, screen_color};
use super::super::widgets::tag;
use super::placement::{Placement, clip_convex, corners};

/// Number of corners of the polygon that approximates an ellipse: at a diameter of 400 points the error is less than a
/// third of a point.
const ELLIPSE_CORNERS: usize = 64;

/// Paints the photo, the fill colour in frames that extend beyond it, and a veil over the parts that are not cropped.
///
/// `detail` is a sharper copy of a part, in image pixels, painted on top.
pub(super) fn paint_photo(
    ui: &Ui,
    placement: &Placement,
    texture: TextureId,
    detail: Option<(PixelRect, TextureId)>,
    plan: &CropPlan,
    fill: Color,
) {
    let painter = ui.painter();
    let fill = screen_color(fill);
    let layers = || {
        let detail = detail.map(|(part, texture)| (placement.frame(part), texture));
        [Some((placement.photo, texture)), detail].into_iter().flatten()
    };
    // Behind transparent images, in the same colour as behind their crops.
    paint_polygon(painter, &corners(placement.photo), fill);
    for (place, texture) in layers() {
        paint_textured(painter, texture, &corners(place), |at| in_rect(place, at));
    }
    if plan.crops.is_empty() {
        return;
    }
    // The whole photo is dimmed, then the frames are painted again: they may be rotated and may overlap.
    paint_polygon(painter, &corners(placement.photo), palette(ui).dim);
    for crop in &plan.crops {
        let frame = placement.corners(crop);
        paint_polygon(painter, &frame, fill);
        for (place, texture) in layers() {
            paint_textured(painter, texture, &clip_convex(&frame, &corners(place)), |at| in_rect(place, at));
        }
    }
}

/// Position of `at` in `rect`, as shares of its width and height.
fn in_rect(rect: Rect, at: Pos2) -> Pos2 {
    pos2((at.x - rect.left()) / rect.width(), (at.y - rect.top()) / rect.height())
}

/// A convex polygon without anti-aliasing, so that there is no seam between neighbours.
fn paint_polygon(painter: &Painter, polygon: &[Pos2], color: Color32) {
    let mut mesh = Mesh::default();
    polygon.iter().for_each(|&at| mesh.colored_vertex(at, color));
    paint_fan(painter, mesh);
}

/// The same with a texture; `uv` maps a position to texture coordinates, as shares of width and height.
fn paint_textured(painter: &Painter, texture: TextureId, polygon: &[Pos2], uv: impl Fn(Pos2) -> Pos2) {
    let mut mesh = Mesh::with_texture(texture);
    let vertex = |&pos: &Pos2| egui::epaint::Vertex { pos, uv: uv(pos), color: UNTINTED };
    mesh.vertices.extend(polygon.iter().map(vertex));
    paint_fan(painter, mesh);
}

/// Fills the polygon of the mesh's vertices.
fn paint_fan(painter: &Painter, mut mesh: Mesh) {
    let count = mesh.vertices.len() as u32;
    if count < 3 {
        return;
    }
    (2..count).for_each(|corner| mesh.add_triangle(0, corner - 1, corner));
    painter.add(Shape::mesh(mesh));
}

/// The frames' lines; that of the previewed crop is the thickest and on top. If the user has reordered the crops, each
/// shows its position.
pub(super) fn paint_frames(ui: &Ui, placement: &Placement, plan: &CropPlan, previewed: usize, ordered: bool) {
    let palette = palette(ui);
    let previewed = previewed.min(plan.crops.len().saturating_sub(1));
    let mut places: Vec<usize> = (0..plan.crops.len()).collect();
    places.sort_by_key(|&place| place == previewed);
    for place in places {
        let (crop, width) = (&plan.crops[place], if place == previewed { 2.5 } else { 1.0 });
        let frame = placement.corners(crop).to_vec();
        ui.painter().add(Shape::closed_line(frame.clone(), Stroke::new(width + 2.0, palette.halo)));
        ui.painter().add(Shape::closed_line(frame.clone(), Stroke::new(width, palette.on_tag)));
        if crop.angle != 0.0 {
            paint_top_mark(ui.painter(), &frame, Stroke::new(width, palette.on_tag), palette.halo);
        }
        if ordered {
            let [top_left, top_right, .., bottom_left] = frame[..] else { continue };
            let inward = (top_right - top_left).normalized() - (bottom_left - top_left).normalized();
            let text = say!("Crop {number}", number = place + 1);
            tag(ui.painter(), palette, bottom_left + inward * 16.0, Align2::LEFT_BOTTOM, &text);
        }
    }
}

/// A notch in the side that becomes the top of a rotated crop.
fn paint_top_mark(painter: &Painter, frame: &[Pos2], stroke: Stroke, halo: Color32) {
    let [top_left, top_right, bottom_right, ..] = frame[..] else { return };
    let middle = top_left + (top_right - top_left) / 2.0;
    let down = (bottom_right - top_right).normalized() * 10.0;
    for stroke in [Stroke::new(stroke.width + 2.0, halo), stroke] {
        painter.line_segment([middle, middle + down], stroke);
    }
}

/// Paints the part of an image of size `picture` that `crop` shows into `target`, clipped to its shape, with the fill
/// colour where it extends beyond the image.
pub(crate) fn paint_crop(
    painter: &Painter,
    target: Rect,
    texture: TextureId,
    picture: Size,
    crop: &PlannedCrop,
    render: &RenderSpec,
) {
    let outline = outline(target, render.finish.shape);
    paint_polygon(painter, &outline, screen_color(render.fill));
    let image_from_crop = crop.image_from_crop();
    let Some(crop_from_image) = image_from_crop.inverse() else { return };
    let scale = vec2(target.width() / crop.output.width as f32, target.height() / crop.output.height as f32);
    let on_target = |point: Point| {
        let in_crop = crop_from_image.apply(point);
        target.min + vec2(in_crop.x, in_crop.y) * scale
    };
    let (width, height) = (picture.width as f32, picture.height as f32);
    let photo = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)].map(|(x, y)| on_target(Point::new(x, y)));
    let visible = clip_convex(&outline, &photo);
    paint_textured(painter, texture, &visible, |at| {
        let in_crop = (at - target.min) / scale;
        let in_picture = image_from_crop.apply(Point::new(in_crop.x, in_crop.y));
        pos2(in_picture.x / width, in_picture.y / height)
    });
}

/// The outline of a crop shown in `target`, as a clockwise polygon.
fn outline(target: Rect, shape: Outline) -> Vec<Pos2> {
    match shape {
        Outline::Rectangle => corners(target).to_vec(),
        Outline::Ellipse => {
            let at = |index: usize| Vec2::angled(TAU * index as f32 / ELLIPSE_CORNERS as f32) * target.size() / 2.0;
            (0..ELLIPSE_CORNERS).map(|index| target.center() + at(index)).collect()
        }
        Outline::Rounded { radius } => {
            let radius = radius.clamp(0.0, 0.5) * target.width().min(target.height());
            let inner = target.shrink(radius);
            let steps = ELLIPSE_CORNERS / 4;
            let around = |(corner, center): (usize, Pos2)| {
                // The first corner is the top left one: its arc begins at the left.
                let angle = move |step: usize| FRAC_PI_2 * (corner as f32 + 2.0 + step as f32 / steps as f32);
                (0..=steps).map(move |step| center + Vec2::angled(angle(step)) * radius)
            };
            corners(inner).into_iter().enumerate().flat_map(around).collect()
        }
    }
}

/// Checkerboard of two greys behind transparent pixels.
pub(crate) fn paint_checkerboard(painter: &Painter, target: Rect, [light, dark]: [Color32; 2]) {
    const SIDE: f32 = 8.0;
    paint_polygon(painter, &corners(target), light);
    let mut mesh = Mesh::default();
    let (across, down) = ((target.width() / SIDE).ceil() as usize, (target.height() / SIDE).ceil() as usize);
    for (row, column) in (0..down).flat_map(|row| (row % 2..across).step_by(2).map(move |column| (row, column))) {
        let min = target.min + vec2(column as f32, row as f32) * SIDE;
        mesh.add_colored_rect(Rect::from_min_size(min, Vec2::splat(SIDE)).intersect(target), dark);
    }
    painter.add(Shape::mesh(mesh));
}

/// Texture coordinates of a whole texture.
pub(crate) fn unit_rect() -> Rect {
    Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_stay_in_the_target_and_go_clockwise() {
        let target = Rect::from_min_size(pos2(10.0, 20.0), vec2(80.0, 100.0));
        for (shape, share) in [
            (Outline::Rectangle, 1.0),
            (Outline::Ellipse, 0.785),
            (Outline::Rounded { radius: 0.5 }, 0.828),
            (Outline::Rounded { radius: 0.1 }, 0.993),
        ] {
            let polygon = outline(target, shape);
            assert!(polygon.iter().all(|&at| target.expand(0.01).contains(at)), "{shape:?}");
            let cross = |(index, a): (usize, &Pos2)| {
                let b = polygon[(index + 1) % polygon.len()];
                a.x * b.y - b.x * a.y
            };
            let area = polygon.iter().enumerate().map(cross).sum::<f32>() / 2.0;
            assert!((area / target.area() - share).abs() < 0.01, "{shape:?}: {}", area / target.area());
        }
    }
}
