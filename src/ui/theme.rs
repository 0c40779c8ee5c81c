//! All colours, distances and type sizes of the window.

use std::sync::Arc;

use egui::style::{HandleShape, ScrollAnimation, ScrollStyle, Selection, WidgetVisuals, Widgets};
use egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle, Theme,
    ThemePreference, Ui, Visuals, vec2,
};

use batch::settings::ThemeChoice;
use recipe::Color;

use super::language::formatter;

/// Spacing scale, in points.
pub(crate) mod space {
    pub(crate) const XS: f32 = 4.0;
    pub(crate) const S: f32 = 8.0;
    pub(crate) const M: f32 = 12.0;
    pub(crate) const L: f32 = 16.0;
}

/// Height of a row with a control, in points.
pub(crate) const ROW: f32 = 26.0;

/// Radius of rounded corners, in points.
pub(crate) const CORNER: u8 = 5;

/// Colours that egui's own style does not cover.
pub(crate) struct Palette {
    /// Selection: frames, included faces, progress.
    pub accent: Color32,
    /// Fill of the primary button, and its text.
    pub primary: Color32,
    pub primary_hovered: Color32,
    pub on_primary: Color32,
    pub ok: Color32,
    pub warning: Color32,
    pub error: Color32,
    /// Behind the photo.
    pub canvas: Color32,
    /// Over everything outside the crop frames.
    pub dim: Color32,
    /// On a photo: faces that are cropped, and those that are not.
    pub face_chosen: Color32,
    pub face: Color32,
    /// Head lines on a photo.
    pub head: Color32,
    /// On a crop: the allowed range of a rule that is not met.
    pub range_missed: Color32,
    /// The two greys behind transparent pixels.
    pub checkerboard: [Color32; 2],
    /// Behind small text on a photo, and that text.
    pub tag: Color32,
    pub on_tag: Color32,
    /// Below lines on a photo, for contrast on any colour.
    pub halo: Color32,
    /// The stages of a run, in order: preprocess, inference, postprocess, landmarks, mask.
    pub stages: [Color32; 5],
    pub row_hovered: Color32,
    /// Over the whole window while files are dragged over it.
    pub drop_veil: Color32,
    /// Over the window while the command palette is open.
    pub veil: Color32,
}

const LIGHT: Palette = Palette {
    accent: Color32::from_rgb(15, 118, 110),
    primary: Color32::from_rgb(15, 118, 110),
    primary_hovered: Color32::from_rgb(12, 99, 92),
    on_primary: Color32::WHITE,
    ok: Color32::from_rgb(24, 110, 48),
    warning: Color32::from_rgb(133, 77, 0),
    error: Color32::from_rgb(176, 33, 24),
    canvas: Color32::from_rgb(228, 230, 232),
    dim: Color32::from_rgba_premultiplied(0, 0, 0, 115),
    face_chosen: Color32::from_rgb(56, 200, 181),
    face: Color32::from_rgb(240, 242, 244),
    head: Color32::from_rgb(255, 206, 92),
    range_missed: Color32::from_rgb(255, 138, 76),
    checkerboard: [Color32::from_gray(242), Color32::from_gray(208)],
    tag: Color32::from_rgba_premultiplied(14, 16, 18, 200),
    on_tag: Color32::WHITE,
    halo: Color32::from_rgba_premultiplied(0, 0, 0, 170),
    stages: [
        Color32::from_rgb(173, 105, 0),
        Color32::from_rgb(15, 118, 110),
        Color32::from_rgb(112, 82, 173),
        Color32::from_rgb(190, 48, 90),
        Color32::from_rgb(37, 99, 180),
    ],
    row_hovered: Color32::from_rgb(236, 238, 240),
    drop_veil: Color32::from_rgba_premultiplied(225, 228, 230, 230),
    veil: Color32::from_rgba_premultiplied(0, 0, 0, 70),
};

const DARK: Palette = Palette {
    accent: Color32::from_rgb(56, 189, 172),
    primary: Color32::from_rgb(15, 118, 110),
    primary_hovered: Color32::from_rgb(17, 127, 118),
    on_primary: Color32::WHITE,
    ok: Color32::from_rgb(118, 207, 143),
    warning: Color32::from_rgb(240, 184, 96),
    error: Color32::from_rgb(255, 142, 132),
    canvas: Color32::from_rgb(21, 23, 25),
    dim: Color32::from_rgba_premultiplied(0, 0, 0, 130),
    face_chosen: Color32::from_rgb(56, 200, 181),
    face: Color32::from_rgb(240, 242, 244),
    head: Color32::from_rgb(255, 206, 92),
    range_missed: Color32::from_rgb(255, 138, 76),
    checkerboard: [Color32::from_gray(76), Color32::from_gray(54)],
    tag: Color32::from_rgba_premultiplied(14, 16, 18, 200),
    on_tag: Color32::WHITE,
    halo: Color32::from_rgba_premultiplied(0, 0, 0, 170),
    stages: [
        Color32::from_rgb(240, 184, 96),
        Color32::from_rgb(56, 189, 172),
        Color32::from_rgb(176, 150, 235),
        Color32::from_rgb(240, 130, 160),
        Color32::from_rgb(110, 170, 240),
    ],
    row_hovered: Color32::from_rgb(42, 46, 50),
    drop_veil: Color32::from_rgba_premultiplied(18, 20, 22, 225),
    veil: Color32::from_rgba_premultiplied(0, 0, 0, 130),
};

/// The colours of the current theme.
pub(crate) fn palette(ui: &Ui) -> &'static Palette {
    palette_of(ui.visuals())
}

/// The colours that go with `visuals`.
pub(crate) fn palette_of(visuals: &Visuals) -> &'static Palette {
    if visuals.dark_mode { &DARK } else { &LIGHT }
}

/// A spec's colour as an egui colour.
pub(crate) fn screen_color(color: Color) -> Color32 {
    let [red, green, blue] = color.rgb;
    Color32::from_rgb(red, green, blue)
}

/// Tint that leaves a texture unchanged.
pub(crate) const UNTINTED: Color32 = Color32::WHITE;

pub(crate) fn small() -> FontId {
    FontId::new(12.0, FontFamily::Proportional)
}

pub(crate) fn body() -> FontId {
    FontId::new(14.0, FontFamily::Proportional)
}

/// Installs both themes in the context.
pub(crate) fn install(ctx: &Context) {
    ctx.set_style_of(Theme::Light, Arc::new(style(light_visuals())));
    ctx.set_style_of(Theme::Dark, Arc::new(style(dark_visuals())));
}

/// Turns animations on or off.
pub(crate) fn set_motion(ctx: &Context, motion: bool) {
    let defaults = Style::default();
    ctx.all_styles_mut(|style| {
        style.animation_time = if motion { defaults.animation_time } else { 0.0 };
        style.scroll_animation = if motion { defaults.scroll_animation } else { ScrollAnimation::none() };
    });
}

/// egui's value for a choice of theme.
pub(crate) fn preference(choice: ThemeChoice) -> ThemePreference {
    match choice {
        ThemeChoice::System => ThemePreference::System,
        ThemeChoice::Light => ThemePreference::Light,
        ThemeChoice::Dark => ThemePreference::Dark,
    }
}

fn style(visuals: Visuals) -> Style {
    let mut style = Style { visuals, ..Style::default() };
    style.text_styles = [
        (TextStyle::Small, small()),
        (TextStyle::Body, body()),
        (TextStyle::Button, body()),
        (TextStyle::Heading, FontId::new(18.0, FontFamily::Proportional)),
        (TextStyle::Monospace, FontId::new(13.0, FontFamily::Monospace)),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(space::S, space::S);
    spacing.button_padding = vec2(space::M, space::XS);
    spacing.interact_size = vec2(40.0, ROW);
    spacing.menu_margin = Margin::same(space::XS as i8);
    spacing.window_margin = Margin::same(space::L as i8);
    spacing.slider_rail_height = 4.0;
    spacing.combo_height = 320.0;
    spacing.icon_width = 14.0;
    spacing.scroll = ScrollStyle { bar_width: 8.0, floating_allocated_width: space::S, ..ScrollStyle::floating() };
    style.interaction.selectable_labels = false;
    style.number_formatter = formatter();
    style
}

/// The shades of one theme.
struct Shades {
    panel: Color32,
    raised: Color32,
    field: Color32,
    button: Color32,
    hovered: Color32,
    pressed: Color32,
    line: Color32,
    strong_line: Color32,
    text: Color32,
    weak: Color32,
    selected: Color32,
    on_selected: Color32,
}

fn light_visuals() -> Visuals {
    let shades = Shades {
        panel: Color32::from_rgb(247, 248, 249),
        raised: Color32::WHITE,
        field: Color32::WHITE,
        button: Color32::from_rgb(233, 235, 238),
        hovered: Color32::from_rgb(224, 227, 230),
        pressed: Color32::from_rgb(212, 216, 220),
        line: Color32::from_rgb(216, 219, 223),
        strong_line: Color32::from_rgb(126, 132, 139),
        text: Color32::from_rgb(28, 32, 36),
        weak: Color32::from_rgb(86, 94, 102),
        selected: Color32::from_rgb(203, 231, 227),
        on_selected: Color32::from_rgb(8, 56, 52),
    };
    visuals(Visuals::light(), &shades, &LIGHT, 30)
}

fn dark_visuals() -> Visuals {
    let shades = Shades {
        panel: Color32::from_rgb(31, 33, 36),
        raised: Color32::from_rgb(40, 43, 47),
        field: Color32::from_rgb(24, 26, 28),
        button: Color32::from_rgb(50, 54, 59),
        hovered: Color32::from_rgb(60, 65, 71),
        pressed: Color32::from_rgb(70, 76, 83),
        line: Color32::from_rgb(55, 59, 64),
        strong_line: Color32::from_rgb(114, 121, 129),
        text: Color32::from_rgb(228, 231, 234),
        weak: Color32::from_rgb(163, 171, 180),
        selected: Color32::from_rgb(20, 66, 62),
        on_selected: Color32::from_rgb(226, 247, 244),
    };
    visuals(Visuals::dark(), &shades, &DARK, 120)
}

fn visuals(base: Visuals, shades: &Shades, palette: &Palette, shadow: u8) -> Visuals {
    let corner_radius = CornerRadius::same(CORNER);
    let widget = |fill: Color32, line: Color32, text_width: f32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, line),
        corner_radius,
        fg_stroke: Stroke::new(text_width, shades.text),
        expansion: 0.0,
    };
    let shadow = Shadow { offset: [0, 4], blur: 16, spread: 0, color: Color32::from_black_alpha(shadow) };
    Visuals {
        widgets: Widgets {
            noninteractive: widget(shades.panel, shades.line, 1.0),
            inactive: widget(shades.button, Color32::TRANSPARENT, 1.0),
            hovered: widget(shades.hovered, Color32::TRANSPARENT, 1.0),
            active: widget(shades.pressed, Color32::TRANSPARENT, 1.0),
            open: widget(shades.hovered, Color32::TRANSPARENT, 1.0),
        },
        selection: Selection { bg_fill: shades.selected, stroke: Stroke::new(1.0, shades.on_selected) },
        weak_text_color: Some(shades.weak),
        hyperlink_color: palette.accent,
        faint_bg_color: palette.row_hovered,
        extreme_bg_color: shades.field,
        text_edit_bg_color: Some(shades.field),
        code_bg_color: shades.button,
        warn_fg_color: palette.warning,
        error_fg_color: palette.error,
        window_fill: shades.raised,
        window_stroke: Stroke::new(1.0, shades.line),
        window_corner_radius: CornerRadius::same(8),
        menu_corner_radius: CornerRadius::same(6),
        window_shadow: shadow,
        popup_shadow: shadow,
        panel_fill: shades.panel,
        slider_trailing_fill: true,
        handle_shape: HandleShape::Circle,
        ..base
    }
    .with_lines(shades.strong_line, palette.accent)
}

/// Outlines of fields, for contrast with their background, and of the focused control.
trait Lines {
    fn with_lines(self, line: Color32, focus: Color32) -> Self;
}

impl Lines for Visuals {
    fn with_lines(mut self, line: Color32, focus: Color32) -> Self {
        self.widgets.hovered.bg_stroke = Stroke::new(1.0, line);
        // Also that of the focused control.
        self.widgets.active.bg_stroke = Stroke::new(1.5, focus);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast ratio by WCAG 2.
    fn contrast(a: Color32, b: Color32) -> f32 {
        let luminance = |color: Color32| {
            let linear = |value: u8| {
                let share = f32::from(value) / 255.0;
                if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
        };
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// A translucent colour composited over another.
    fn over(top: Color32, below: Color32) -> Color32 {
        below.blend(top)
    }

    #[track_caller]
    fn reads(what: &str, color: Color32, behind: Color32, min: f32) {
        let found = contrast(color, behind);
        assert!(found >= min, "{what}: {color:?} on {behind:?} has a contrast of {found:.2}, less than {min}");
    }

    #[test]
    fn text_has_enough_contrast() {
        for visuals in [light_visuals(), dark_visuals()] {
            let palette = palette_of(&visuals);
            let fields = visuals.text_edit_bg_color.expect("set");
            for behind in [visuals.panel_fill, visuals.window_fill, palette.row_hovered, fields] {
                reads("text", visuals.text_color(), behind, 4.5);
                reads("weak text", visuals.weak_text_color(), behind, 4.5);
                for (what, color) in [("error", palette.error), ("warning", palette.warning), ("ok", palette.ok)] {
                    reads(what, color, behind, 4.5);
                }
                reads("links", palette.accent, behind, 4.5);
            }
            reads("text on the canvas", visuals.text_color(), palette.canvas, 4.5);
            reads("weak text on the canvas", visuals.weak_text_color(), palette.canvas, 4.5);
            reads("text of a chosen row", visuals.selection.stroke.color, visuals.selection.bg_fill, 4.5);
            reads("an error in a chosen row", palette.error, visuals.selection.bg_fill, 4.5);
            for fill in [palette.primary, palette.primary_hovered] {
                reads("the primary button", palette.on_primary, fill, 4.5);
            }
            for button in [visuals.widgets.inactive, visuals.widgets.hovered, visuals.widgets.active] {
                reads("a button", button.fg_stroke.color, button.bg_fill, 4.5);
            }
            for photo in [Color32::WHITE, Color32::BLACK, Color32::GRAY] {
                reads("a tag on a photo", palette.on_tag, over(palette.tag, photo), 4.5);
            }
            reads("the words while files hover", visuals.strong_text_color(), visuals.window_fill, 4.5);
        }
    }

    #[test]
    fn drawn_elements_have_enough_contrast() {
        for visuals in [light_visuals(), dark_visuals()] {
            let palette = palette_of(&visuals);
            for behind in [visuals.panel_fill, visuals.window_fill] {
                palette.stages.into_iter().for_each(|stage| reads("a stage", stage, behind, 3.0));
                reads("the accent", palette.accent, behind, 3.0);
                reads("the line around a field", visuals.widgets.hovered.bg_stroke.color, behind, 3.0);
                reads("the line around the focus", visuals.widgets.active.bg_stroke.color, behind, 3.0);
            }
            reads("the sign of a chosen row", palette.warning, visuals.selection.bg_fill, 3.0);
            reads("the mark of a chosen row", palette.accent, visuals.selection.bg_fill, 3.0);
            for photo in [Color32::WHITE, Color32::BLACK, Color32::GRAY] {
                let halo = over(palette.halo, photo);
                let lines = [palette.face_chosen, palette.face, palette.head, palette.range_missed];
                lines.into_iter().for_each(|line| reads("a line on its halo", line, halo, 3.0));
            }
        }
    }
}
