//! What rows and tiles have in common: signs, thumbnail, clicks and the menu of a photo.

use egui::{Align2, Rect, Response, RichText, Role, Sense, Ui, Vec2, WidgetInfo, pos2};

use batch::worker::ItemId;
use plan::{Reason, Severity};

use super::super::super::canvas::unit_rect;
use super::super::super::command::{Command, Commands};
use super::super::super::language::{say, tr};
use super::super::super::state::{AppState, Mark, Photo, RuntimeStatus, SelectHow};
use super::super::super::textures::Textures;
use super::super::super::theme::{CORNER, UNTINTED, body, palette, space};
use super::super::super::widgets::{Sign, paint_sign};
use super::super::super::{decide, words};

/// Points of a sign's side.
pub(super) const SIGN: f32 = 18.0;

/// A photo as it is about to be drawn.
pub(super) struct Item<'a> {
    pub photo: &'a Photo,
    pub runtime: &'a RuntimeStatus,
    pub status: String,
    pub selected: bool,
    pub response: Response,
}

/// Takes `size` for a photo; `None` where it is out of sight.
pub(super) fn item<'a>(ui: &mut Ui, state: &'a AppState, photo: &'a Photo, size: Vec2) -> Option<Item<'a>> {
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    if !ui.is_rect_visible(rect) {
        return None;
    }
    let selected = state.list.library.is_selected(photo.id);
    let status = words::status(photo, &state.settings.recipe.crop, &state.runtime.status);
    response.widget_info(|| {
        WidgetInfo::selected(Role::ListBoxOption, true, selected, words::listed(&[photo.name.clone(), status.clone()]))
    });
    Some(Item { photo, runtime: &state.runtime.status, status, selected, response })
}

impl Item<'_> {
    /// Clicks, the menu and the tooltip; to be called once it is drawn.
    pub(super) fn interact(self, ui: &Ui, state: &AppState, commands: &mut Commands) {
        let Self { photo, runtime, status, selected, response } = self;
        if response.clicked() {
            commands.push(Command::Select(photo.id, select_how(ui)));
        }
        if response.secondary_clicked() && !selected {
            commands.push(Command::Select(photo.id, SelectHow::Only));
        }
        response.context_menu(|ui| menu_ui(ui, state, photo.id, commands));
        response.on_hover_ui(|ui| {
            ui.set_max_width(420.0);
            ui.label(photo.path.display().to_string());
            ui.label(RichText::new(&status).weak());
            reasons_ui(ui, photo, runtime);
        });
    }

    /// Behind the photo: whether it is selected, on the canvas, under the pointer, in the keyboard's hand.
    pub(super) fn paint_background(&self, ui: &Ui, state: &AppState) {
        let (rect, palette) = (self.response.rect, palette(ui));
        if self.selected {
            ui.painter().rect_filled(rect, CORNER, ui.visuals().selection.bg_fill);
        } else if self.response.hovered() {
            ui.painter().rect_filled(rect, CORNER, palette.row_hovered);
        }
        if state.list.library.current == Some(self.photo.id) {
            let length = rect.height() - 2.0 * space::S;
            let mark = Rect::from_min_size(rect.left_top() + egui::vec2(0.0, space::S), egui::vec2(3.0, length));
            ui.painter().rect_filled(mark, 1.5, palette.accent);
        }
        if self.response.has_focus() {
            let stroke = egui::Stroke::new(1.5, palette.accent);
            ui.painter().rect_stroke(rect, CORNER, stroke, egui::StrokeKind::Inside);
        }
    }

    /// The thumbnail in the middle of `room`; until there is one, the place for it.
    pub(super) fn paint_thumbnail(&self, ui: &Ui, space: Rect, textures: &mut Textures) {
        let photo = self.photo;
        let texture = photo.thumbnail().and_then(|copy| {
            let texture = textures.thumbnail(ui.ctx(), photo.id, copy)?;
            Some((texture, egui::vec2(copy.size.width as f32, copy.size.height as f32)))
        });
        let Some((texture, size)) = texture else {
            ui.painter().rect_filled(space, CORNER, palette(ui).canvas);
            if photo.failure.is_some() {
                ui.painter().text(space.center(), Align2::CENTER_CENTER, "!", body(), palette(ui).error);
            }
            return;
        };
        let scale = (space.width() / size.x.max(1.0)).min(space.height() / size.y.max(1.0));
        let rect = Rect::from_center_size(space.center(), size * scale);
        let tint = if photo.is_excluded() { UNTINTED.gamma_multiply(0.4) } else { UNTINTED };
        ui.painter().add(egui::epaint::RectShape::filled(rect, 3.0, tint).with_texture(texture, unit_rect()));
    }

    /// The sign for how the photo stands: left out, accepted, needs a look; `None` where all is well.
    pub(super) fn state_sign(&self) -> Option<(Sign, String)> {
        let (photo, name) = (self.photo, &self.photo.name);
        let edits = photo.edits();
        if photo.is_excluded() {
            return Some((Sign::Excluded, say!("{photo} is left out", photo = name)));
        }
        if photo.marks().has(Mark::NeedsReview) {
            let reviewed_warnings = if edits.accepted { &edits.reviewed_warnings[..] } else { &[] };
            let reported = |reason: &Reason| words::reason(&reason.kind, photo, self.runtime);
            let reasons: Vec<String> = photo.review().unseen(reviewed_warnings).map(reported).collect();
            let is_missing = photo.review().worst() == Some(Severity::Missing);
            let sign = if is_missing { Sign::Missing } else { Sign::NeedsReview };
            return Some((
                sign,
                say!("{photo} needs a look: {reasons}", photo = name, reasons = reasons.join(tr("; "))),
            ));
        }
        edits.accepted.then(|| (Sign::Accepted, say!("{photo} was accepted", photo = name)))
    }

    /// The signs for what was set by hand.
    pub(super) fn edit_signs(&self) -> impl Iterator<Item = (Sign, String)> {
        let (name, edits) = (&self.photo.name, self.photo.edits());
        let own = edits
            .overrides
            .is_some()
            .then(|| (Sign::OwnSettings, say!("{photo} has settings of its own", photo = name)));
        let edited = edits.touches_faces().then(|| (Sign::Edited, say!("{photo} was edited by hand", photo = name)));
        own.into_iter().chain(edited)
    }

    /// The same photo where it is drawn on the panel's own colour, selected or not.
    pub(super) fn on_panel(&self) -> Self {
        Self {
            photo: self.photo,
            runtime: self.runtime,
            status: String::new(),
            selected: false,
            response: self.response.clone(),
        }
    }

    /// A sign with its name.
    pub(super) fn sign_ui(&self, ui: &Ui, at: egui::Pos2, (sign, name): (Sign, String)) {
        let place = Rect::from_center_size(at, Vec2::splat(SIGN));
        let response = ui.interact(place, ui.scope_id().with((sign, self.photo.id.0)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
        let colors = palette(ui);
        let plain = if self.selected { ui.visuals().selection.stroke.color } else { ui.visuals().weak_text_color() };
        let color = match sign {
            Sign::Missing => colors.error,
            Sign::NeedsReview => colors.warning,
            Sign::Accepted => colors.ok,
            Sign::Excluded | Sign::Edited | Sign::OwnSettings => plain,
        };
        paint_sign(ui.painter(), place.center(), sign, color);
        let (photo, runtime) = (self.photo, self.runtime);
        response.on_hover_ui(|ui| {
            ui.set_max_width(420.0);
            match sign {
                Sign::Missing | Sign::NeedsReview | Sign::Accepted => reasons_ui(ui, photo, runtime),
                Sign::Excluded | Sign::Edited | Sign::OwnSettings => _ = ui.label(&name),
            }
        });
    }
}

/// Every reason to look at a photo, in words.
fn reasons_ui(ui: &mut Ui, photo: &Photo, runtime: &RuntimeStatus) {
    let edits = photo.edits();
    let head = match () {
        () if photo.is_excluded() => return,
        () if photo.marks().has(Mark::NeedsReview) => tr("Needs a look"),
        () if edits.accepted => tr("Accepted"),
        () if photo.review().reasons.is_empty() => return,
        () => tr("Worth knowing"),
    };
    ui.label(RichText::new(head).strong());
    for reason in &photo.review().reasons {
        ui.label(words::capitalized(&words::reason(&reason.kind, photo, runtime)));
    }
}

fn select_how(ui: &Ui) -> SelectHow {
    let modifiers = ui.input(|input| input.modifiers);
    match (modifiers.command, modifiers.shift) {
        (true, _) => SelectHow::Toggle,
        (false, true) => SelectHow::Range,
        (false, false) => SelectHow::Only,
    }
}

/// What can be done with a photo, or with all that are selected where it is one of them.
fn menu_ui(ui: &mut Ui, state: &AppState, item: ItemId, commands: &mut Commands) {
    let items = if state.list.library.is_selected(item) { state.list.library.selected_ids() } else { vec![item] };
    let items = &items[..];
    let excluded = decide::are_excluded(state, items);
    let mut entry = |ui: &mut Ui, text: &str, command: Option<Command>| {
        if ui.add_enabled(command.is_some(), egui::Button::new(text)).clicked() {
            commands.extend(command);
            ui.close();
        }
    };
    entry(ui, tr("Accept"), Some(Command::SetAccepted(items.to_vec(), true)));
    entry(ui, tr("No longer accept"), decide::no_longer_accept(state, items));
    entry(ui, if excluded { tr("Take in again") } else { tr("Leave out") }, decide::leave_out(state, items));
    ui.separator();
    entry(ui, tr("Settings of its own"), decide::own_settings(state, items));
    entry(ui, tr("Apply the shown photo's settings"), decide::same_settings(state, items));
    entry(ui, tr("Back to the settings of the list"), decide::list_settings(state, items));
    ui.separator();
    entry(ui, tr("Reset to automatic"), decide::reset(state, items));
    entry(ui, tr("Copy path"), Some(Command::CopyPaths(items.to_vec())));
    entry(ui, tr("Remove from list"), Some(Command::RemoveSelected));
}

/// The middle of the sign at `place` from the right of a line that ends at `right`.
pub(super) fn sign_at(right: f32, place: usize, y: f32) -> egui::Pos2 {
    pos2(right - (place as f32 + 0.5) * SIGN, y)
}
