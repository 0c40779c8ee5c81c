//! All colours, distances and type sizes of the window.

use egui::style::{HandleShape, ScrollAnimation, ScrollStyle, Selection, WidgetVisuals, Widgets};
use egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle, Theme,
    ThemePreference, Ui, Visuals, vec2,
};

use batch::settings::ThemeChoice;
use recipe::Color;

use super::language::formatter;
use super::wishes::Wishes;

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
    /// Around the control with the focus.
    pub focus: Color32,
    /// Around fields, check boxes and radio buttons.
    pub line: Color32,
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
    /// The stages of a photo, in order: decode, detection, landmarks, mask, crop.
    pub stages: [Color32; 5],
    pub row_hovered: Color32,
    /// Over the whole window while files are dragged over it.
    pub drop_veil: Color32,
    /// Over the window while the command palette is open.
    pub veil: Color32,
}

const LIGHT: Palette = Palette {
    accent: Color32::from_rgb(15, 118, 110),
    focus: Color32::from_rgb(0, 92, 197),
    line: Color32::from_rgb(126, 132, 139),
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
    focus: Color32::from_rgb(120, 180, 255),
    line: Color32::from_rgb(114, 121, 129),
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

/// High contrast: white and bright colours on black.
const HIGH: Palette = Palette {
    accent: Color32::from_rgb(64, 224, 255),
    focus: Color32::from_rgb(255, 226, 64),
    line: Color32::WHITE,
    primary: Color32::from_rgb(64, 224, 255),
    primary_hovered: Color32::from_rgb(160, 240, 255),
    on_primary: Color32::BLACK,
    ok: Color32::from_rgb(128, 255, 160),
    warning: Color32::from_rgb(255, 208, 96),
    error: Color32::from_rgb(255, 176, 168),
    canvas: Color32::BLACK,
    dim: Color32::from_rgba_premultiplied(0, 0, 0, 170),
    checkerboard: [Color32::from_gray(76), Color32::from_gray(30)],
    tag: Color32::BLACK,
    halo: Color32::from_rgba_premultiplied(0, 0, 0, 220),
    row_hovered: Color32::from_gray(48),
    drop_veil: Color32::from_rgba_premultiplied(0, 0, 0, 235),
    veil: Color32::from_rgba_premultiplied(0, 0, 0, 190),
    ..DARK
};

/// The colours of the current theme.
pub(crate) fn palette(ui: &Ui) -> &'static Palette {
    palette_of(ui.visuals())
}

/// The colours that go with `visuals`.
pub(crate) fn palette_of(visuals: &Visuals) -> &'static Palette {
    match visuals.dark_mode {
        true if visuals.panel_fill == HIGH.canvas => &HIGH,
        true => &DARK,
        false => &LIGHT,
    }
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

/// Applies the chosen theme, and turns animations on or off.
pub(crate) fn apply(ctx: &Context, choice: ThemeChoice, wishes: Wishes) {
    let (preference, high) = match choice {
        ThemeChoice::System => (ThemePreference::System, wishes.high_contrast),
        ThemeChoice::Light => (ThemePreference::Light, false),
        ThemeChoice::Dark => (ThemePreference::Dark, false),
        ThemeChoice::HighContrast => (ThemePreference::Dark, true),
    };
    let [light, dark] = if high { [high_visuals(), high_visuals()] } else { [light_visuals(), dark_visuals()] };
    for (theme, visuals) in [(Theme::Light, light), (Theme::Dark, dark)] {
        let mut style = style(visuals);
        if wishes.less_motion {
            (style.animation_time, style.scroll_animation) = (0.0, ScrollAnimation::none());
        }
        ctx.set_style_of(theme, style);
    }
    ctx.set_theme(preference);
}

/// Draws lines around check boxes, radio buttons and fields, which would otherwise be hard to see on some panels, and not to
/// be seen at all in egui's menus.
pub(crate) fn outline(visuals: &mut Visuals) {
    let line = Stroke::new(1.0, palette_of(visuals).line);
    let widgets = &mut visuals.widgets;
    for state in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
        state.bg_stroke = line;
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
    spacing.combo_height = 420.0;
    spacing.icon_width = 14.0;
    // The bars are always visible: they show that there is more.
    spacing.scroll = ScrollStyle {
        bar_width: 8.0,
        floating_width: 6.0,
        floating_allocated_width: space::S,
        dormant_handle_opacity: 0.5,
        ..ScrollStyle::floating()
    };
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
        text: Color32::from_rgb(228, 231, 234),
        weak: Color32::from_rgb(163, 171, 180),
        selected: Color32::from_rgb(20, 66, 62),
        on_selected: Color32::from_rgb(226, 247, 244),
    };
    visuals(Visuals::dark(), &shades, &DARK, 120)
}

fn high_visuals() -> Visuals {
    let shades = Shades {
        panel: HIGH.canvas,
        raised: Color32::BLACK,
        field: Color32::BLACK,
        button: Color32::from_gray(26),
        hovered: Color32::from_gray(60),
        pressed: Color32::from_gray(84),
        line: Color32::from_gray(150),
        text: Color32::WHITE,
        weak: Color32::from_gray(220),
        selected: Color32::from_rgb(0, 56, 104),
        on_selected: Color32::WHITE,
    };
    let mut visuals = visuals(Visuals::dark(), &shades, &HIGH, 255);
    visuals.widgets.inactive.bg_stroke = Stroke::new(1.0, HIGH.line);
    visuals
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
            hovered: widget(shades.hovered, palette.line, 1.0),
            // Also the focused control, which has a ring besides.
            active: widget(shades.pressed, palette.line, 1.0),
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

    /// The visuals of each theme, outside and inside a menu, with their name.
    fn all() -> impl Iterator<Item = (String, Visuals)> {
        [("light", light_visuals()), ("dark", dark_visuals()), ("high contrast", high_visuals())].into_iter().flat_map(
            |(name, visuals)| {
                let mut menu = style(visuals.clone());
                egui::containers::menu::menu_style(&mut menu);
                [(name.to_owned(), visuals), (format!("{name}, in a menu"), menu.visuals)]
            },
        )
    }

    #[test]
    fn text_has_enough_contrast() {
        for (theme, visuals) in all() {
            let palette = palette_of(&visuals);
            let min = if theme.starts_with("high") { 7.0 } else { 4.5 };
            let reads = |what: &str, color, behind| reads(&format!("{theme}: {what}"), color, behind, min);
            let fields = visuals.text_edit_bg_color.expect("set");
            for behind in [visuals.panel_fill, visuals.window_fill, palette.row_hovered, fields] {
                reads("text", visuals.text_color(), behind);
                reads("weak text", visuals.weak_text_color(), behind);
                for (what, color) in [("error", palette.error), ("warning", palette.warning), ("ok", palette.ok)] {
                    reads(what, color, behind);
                }
                reads("links", palette.accent, behind);
            }
            reads("text on the canvas", visuals.text_color(), palette.canvas);
            reads("weak text on the canvas", visuals.weak_text_color(), palette.canvas);
            reads("text of a chosen row", visuals.selection.stroke.color, visuals.selection.bg_fill);
            for photo in [Color32::WHITE, Color32::BLACK, Color32::GRAY] {
                reads("a tag on a photo", palette.on_tag, over(palette.tag, photo));
            }
            reads("the words while files hover", visuals.strong_text_color(), visuals.window_fill);
        }
    }

    #[test]
    fn text_of_controls_has_enough_contrast() {
        for (theme, visuals) in all() {
            let palette = palette_of(&visuals);
            let reads = |what: &str, color, behind| reads(&format!("{theme}: {what}"), color, behind, 4.5);
            reads("an error in a chosen row", palette.error, visuals.selection.bg_fill);
            for fill in [palette.primary, palette.primary_hovered] {
                reads("the primary button", palette.on_primary, fill);
            }
            let widgets = &visuals.widgets;
            for button in [widgets.inactive, widgets.hovered, widgets.active, widgets.open] {
                reads("a button", button.fg_stroke.color, over(button.weak_bg_fill, visuals.window_fill));
                reads("a tick", button.fg_stroke.color, over(button.bg_fill, visuals.window_fill));
            }
        }
    }

    #[test]
    fn drawn_elements_have_enough_contrast() {
        for (theme, mut visuals) in all() {
            outline(&mut visuals);
            let palette = palette_of(&visuals);
            let reads = |what: &str, color, behind| reads(&format!("{theme}: {what}"), color, behind, 3.0);
            for behind in [visuals.panel_fill, visuals.window_fill, palette.row_hovered] {
                palette.stages.into_iter().for_each(|stage| reads("a stage", stage, behind));
                reads("progress, or a slider's value", palette.accent, behind);
                reads("the line around the focus", palette.focus, behind);
                let widgets = &visuals.widgets;
                for state in [widgets.inactive, widgets.hovered, widgets.active] {
                    reads("a check box, a radio button or a field", state.bg_stroke.color, behind);
                    reads("a slider's handle", state.fg_stroke.color, behind);
                }
            }
            let row = visuals.selection.bg_fill;
            reads("the sign of a chosen row", palette.warning, row);
            reads("the mark of a chosen row", palette.accent, row);
            reads("the focus on a chosen row", palette.focus, row);
            reads("the focus and the line around it", palette.focus, visuals.panel_fill);
            for photo in [Color32::WHITE, Color32::BLACK, Color32::GRAY] {
                let halo = over(palette.halo, photo);
                let lines = [palette.face_chosen, palette.face, palette.head, palette.range_missed];
                lines.into_iter().for_each(|line| reads("a line on its halo", line, halo));
            }
        }
    }
}
