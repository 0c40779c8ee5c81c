//! Common parts of rows and tiles: icons, thumbnail, clicks and the context menu.

use egui::{Align2, Rect, RectAlign, Response, RichText, Role, Sense, Tooltip, Ui, Vec2, WidgetInfo, pos2};

use batch::worker::ItemId;
use naming::NamedBy;
use plan::{Reason, Severity};

use super::super::super::actions::{ABOUT_BEST_SHOTS, KEEP_BEST_SHOTS};
use super::super::super::canvas::unit_rect;
use super::super::super::command::{Command, Commands, NamesCommand};
use super::super::super::language::{say, tr};
use super::super::super::state::{AppState, Mark, Photo, RuntimeStatus, SelectHow};
use super::super::super::textures::{TextureKey, Textures};
use super::super::super::theme::{CORNER, UNTINTED, body, palette, space};
use super::super::super::widgets::{PHOTO_SENSE, StatusIcon, paint_status_icon, photo_row};
use super::super::super::{decide, messages};
use super::grid::TEXT;

/// Side of an icon, in points.
pub(super) const ICON_SIZE: f32 = 18.0;

/// A photo about to be drawn.
pub(super) struct Item<'a> {
    pub photo: &'a Photo,
    pub runtime: &'a RuntimeStatus,
    pub status: String,
    /// The name of its crops, unless it is its own.
    pub crop_name: Option<String>,
    pub selected: bool,
    pub response: Response,
}

/// Allocates `size` for a photo; `None` if it is not visible.
pub(super) fn item<'a>(ui: &mut Ui, state: &'a AppState, photo: &'a Photo, size: Vec2) -> Option<Item<'a>> {
    let (rect, response) = ui.allocate_exact_size(size, PHOTO_SENSE);
    if !ui.is_rect_visible(rect) {
        return None;
    }
    let selected = state.list.library.is_selected(photo.id);
    let status = messages::status(photo, &state.settings.recipe.crop, &state.runtime.status, state.card_of(photo));
    let naming = photo.naming.as_ref().filter(|_| !photo.is_excluded());
    let crop_name = naming.map(|naming| match naming.is_skipped {
        true => tr("Not exported").to_owned(),
        false => state.crop_name(photo, &naming.name),
    });
    response.widget_info(|| {
        let phrases = [Some(photo.name.clone()), crop_name.clone(), Some(status.clone())];
        let phrases: Vec<String> = phrases.into_iter().flatten().collect();
        WidgetInfo::selected(Role::ListBoxOption, true, selected, messages::listed(&phrases))
    });
    let item = Item { photo, runtime: &state.runtime.status, status, crop_name, selected, response };
    let is_current = state.list.library.current == Some(photo.id);
    photo_row(&item.response, state.list.library.row_of(photo.id), selected, is_current, &item.about());
    Some(item)
}

impl Item<'_> {
    /// Handles clicks, context menu and hover text; call this after drawing.
    pub(super) fn interact(self, ui: &Ui, state: &AppState, commands: &mut Commands) {
        let Self { photo, runtime, status, crop_name, selected, response } = self;
        let at = response.interact_pointer_pos();
        if response.double_clicked() && at.is_some_and(|at| names_place(&response).contains(at)) {
            commands.push(Command::Names(NamesCommand::Edit(Some(photo.id))));
        } else if response.clicked() {
            commands.push(Command::Select(photo.id, select_how(ui)));
        }
        if response.secondary_clicked() && !selected {
            commands.push(Command::Select(photo.id, SelectHow::Only));
        }
        response.context_menu(|ui| menu_ui(ui, state, photo.id, commands));
        tooltip(ui, &response, |ui| {
            ui.label(photo.path.display().to_string());
            if let Some(name) = crop_name {
                ui.label(say!("Crop: {name}", name = name));
            }
            let card = state
                .card_of(photo)
                .map(|text| messages::card(photo, text, state.names.roster().map(|roster| &**roster)));
            card.into_iter().flatten().for_each(|line| _ = ui.label(line));
            if state.card_of(photo).is_none() && photo.naming.as_ref().is_some_and(|naming| naming.by == NamedBy::Card)
            {
                ui.label(tr("Named by the card before it"));
            }
            ui.label(RichText::new(&status).weak());
            reasons_ui(ui, photo, runtime);
        });
    }

    /// Background for selected, current and hovered items.
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
    }

    /// The thumbnail in the middle of `space`, or a placeholder.
    pub(super) fn paint_thumbnail(&self, ui: &Ui, space: Rect, textures: &mut Textures) {
        let photo = self.photo;
        let texture = photo.thumbnail().and_then(|copy| {
            let texture = textures.gradually(ui.ctx(), TextureKey::Thumbnail(photo.id), copy)?;
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

    /// What the icons say, for screen readers.
    fn about(&self) -> String {
        let icons = self.status_icon().into_iter().chain(self.written_icon()).chain(self.edit_icons());
        icons.chain(self.name_icons()).map(|(_, text)| text).collect::<Vec<_>>().join(". ")
    }

    /// Icon for the photo's state: excluded, accepted, to review; `None` if there is nothing to report.
    pub(super) fn status_icon(&self) -> Option<(StatusIcon, String)> {
        let (photo, name) = (self.photo, &self.photo.name);
        let edits = photo.edits();
        if photo.is_paired() {
            return Some((
                StatusIcon::Excluded,
                say!("{photo} is cropped with the photo it is paired with", photo = name),
            ));
        }
        if photo.is_excluded() {
            return Some((StatusIcon::Excluded, say!("{photo} is excluded", photo = name)));
        }
        if photo.marks().has(Mark::NeedsReview) {
            let icon = if self.is_missing() { StatusIcon::Missing } else { StatusIcon::NeedsReview };
            return Some((icon, say!("{photo} needs review: {reasons}", photo = name, reasons = self.reasons())));
        }
        edits.accepted.then(|| (StatusIcon::Accepted, say!("{photo} was accepted", photo = name)))
    }

    /// True if a crop will be missing.
    pub(super) fn is_missing(&self) -> bool {
        self.photo.review().worst() == Some(Severity::Missing)
    }

    /// The warnings that were not accepted.
    pub(super) fn reasons(&self) -> String {
        let (photo, edits) = (self.photo, self.photo.edits());
        let reviewed_warnings = if edits.accepted { &edits.reviewed_warnings[..] } else { &[] };
        let text = |reason: &Reason| messages::reason(&reason.kind, photo, self.runtime);
        photo.review().unreviewed(reviewed_warnings).map(text).collect::<Vec<String>>().join(tr("; "))
    }

    /// Icon for a photo whose crops were written.
    pub(super) fn written_icon(&self) -> Option<(StatusIcon, String)> {
        let is_written = self.photo.marks().has(Mark::Written);
        is_written.then(|| (StatusIcon::Written, say!("{photo} was exported", photo = self.photo.name)))
    }

    /// Icons for manual edits.
    pub(super) fn edit_icons(&self) -> impl Iterator<Item = (StatusIcon, String)> {
        let (name, edits) = (&self.photo.name, self.photo.edits());
        let customized = edits
            .overrides
            .is_some()
            .then(|| (StatusIcon::Overrides, say!("{photo} has custom settings", photo = name)));
        let edited = edits.edits_faces().then(|| (StatusIcon::Edited, say!("{photo} was edited", photo = name)));
        customized.into_iter().chain(edited)
    }

    /// Icons for the facts about its name.
    pub(super) fn name_icons(&self) -> impl Iterator<Item = (StatusIcon, String)> {
        let (name, marks) = (&self.photo.name, self.photo.marks());
        let facts = [
            (Mark::SameName, StatusIcon::SameName),
            (Mark::NoRow, StatusIcon::NoRow),
            (Mark::LooseMatch, StatusIcon::LooseMatch),
            (Mark::NamedByHand, StatusIcon::NamedByHand),
            (Mark::UnlistedCard, StatusIcon::NoRow),
            (Mark::Card, StatusIcon::Card),
        ];
        facts.into_iter().filter(move |(mark, _)| marks.has(*mark)).map(move |(mark, icon)| {
            (icon, say!("{photo}: {fact}", photo = name, fact = tr(messages::about_mark(mark))))
        })
    }

    /// The same item, for drawing on the panel's background, selected or not.
    pub(super) fn on_panel(&self) -> Self {
        Self {
            photo: self.photo,
            runtime: self.runtime,
            status: String::new(),
            crop_name: None,
            selected: false,
            response: self.response.clone(),
        }
    }

    /// An icon with hover text.
    pub(super) fn icon_ui(&self, ui: &Ui, at: egui::Pos2, (icon, name): (StatusIcon, String)) {
        let place = Rect::from_center_size(at, Vec2::splat(ICON_SIZE));
        let response = ui.interact(place, ui.scope_id().with((icon, self.photo.id.0)), Sense::hover());
        let colors = palette(ui);
        let plain = if self.selected { ui.visuals().selection.stroke.color } else { ui.visuals().weak_text_color() };
        let color = match icon {
            StatusIcon::Missing => colors.error,
            StatusIcon::NeedsReview | StatusIcon::NoRow | StatusIcon::LooseMatch | StatusIcon::SameName => {
                colors.warning
            }
            StatusIcon::Accepted | StatusIcon::Written => colors.ok,
            StatusIcon::Excluded
            | StatusIcon::Edited
            | StatusIcon::Overrides
            | StatusIcon::NamedByHand
            | StatusIcon::Card => plain,
        };
        paint_status_icon(ui.painter(), place.center(), icon, color);
        let (photo, runtime) = (self.photo, self.runtime);
        tooltip(ui, &response, |ui| match icon {
            StatusIcon::Missing | StatusIcon::NeedsReview | StatusIcon::Accepted => reasons_ui(ui, photo, runtime),
            StatusIcon::Excluded
            | StatusIcon::Written
            | StatusIcon::Edited
            | StatusIcon::Overrides
            | StatusIcon::NoRow
            | StatusIcon::LooseMatch
            | StatusIcon::SameName
            | StatusIcon::NamedByHand
            | StatusIcon::Card => _ = ui.label(&name),
        });
    }
}

/// Shows hover text beside the panel, so that it does not cover the next photos.
fn tooltip(ui: &Ui, response: &Response, add: impl FnOnce(&mut Ui)) {
    let mut tooltip = Tooltip::for_enabled(response);
    let beside = Rect::from_x_y_ranges(ui.clip_rect().x_range(), response.rect.y_range());
    tooltip.popup = tooltip.popup.anchor(beside).align(RectAlign::RIGHT_START).gap(space::S);
    tooltip.show(|ui| {
        ui.set_max_width(420.0);
        add(ui);
    });
}

/// All warnings of a photo, as text.
fn reasons_ui(ui: &mut Ui, photo: &Photo, runtime: &RuntimeStatus) {
    let edits = photo.edits();
    let head = match () {
        () if photo.is_excluded() => return,
        () if photo.marks().has(Mark::NeedsReview) => tr("To review"),
        () if edits.accepted => tr("Accepted"),
        () if photo.review().reasons.is_empty() => return,
        () => tr("Notes"),
    };
    ui.label(RichText::new(head).strong());
    for reason in &photo.review().reasons {
        ui.label(messages::capitalized(&messages::reason(&reason.kind, photo, runtime)));
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

/// Context menu for a photo, or for all selected ones if it is among them.
fn menu_ui(ui: &mut Ui, state: &AppState, item: ItemId, commands: &mut Commands) {
    let items = if state.list.library.is_selected(item) { state.list.library.selected_ids() } else { vec![item] };
    let items = &items[..];
    let excluded = decide::are_excluded(state, items);
    let mut entry = |ui: &mut Ui, text: &str, command: Option<Command>| {
        let response = ui.add_enabled(command.is_some(), egui::Button::new(text));
        if response.clicked() {
            commands.extend(command);
            ui.close();
        }
        response
    };
    entry(ui, tr("Accept"), Some(Command::SetAccepted(items.to_vec(), true)));
    entry(ui, tr("Undo accept"), decide::undo_accept(state, items));
    entry(ui, if excluded { tr("Include again") } else { tr("Exclude") }, decide::toggle_excluded(state, items));
    entry(ui, tr(KEEP_BEST_SHOTS), decide::keep_best_shots(items.to_vec())).on_hover_text(tr(ABOUT_BEST_SHOTS));
    entry(ui, tr("Edit name"), Some(Command::Names(NamesCommand::Edit(Some(item)))));
    if state.settings.names.cards {
        let about = tr("Corrects the text of the card; empty for no card");
        let command = Command::Names(NamesCommand::EditCard(item));
        entry(ui, tr("Correct card…"), Some(command)).on_hover_text(about);
    }
    ui.separator();
    entry(ui, tr("Use custom settings"), decide::customize(state, items));
    entry(ui, tr("Apply current settings"), decide::copy_overrides(state, items));
    entry(ui, tr("Use shared settings"), decide::use_shared_settings(state, items));
    ui.separator();
    entry(ui, tr("Reset to automatic"), decide::reset(state, items));
    entry(ui, tr("Show in folder"), decide::show_in_folder(state, item));
    entry(ui, tr("Copy path"), Some(Command::CopyPaths(items.to_vec())));
    entry(ui, tr("Remove from list"), Some(Command::RemoveSelected));
}

/// Where a double click edits the name: beside the thumbnail of a row, below that of a tile.
fn names_place(response: &Response) -> Rect {
    let rect = response.rect;
    let is_row = rect.width() > 2.0 * rect.height();
    if is_row { rect.with_min_x(rect.left() + rect.height()) } else { rect.with_min_y(rect.bottom() - TEXT) }
}

/// Centre of the icon at index `place`, counted from `right` to the left.
pub(super) fn icon_at(right: f32, place: usize, y: f32) -> egui::Pos2 {
    pos2(right - (place as f32 + 0.5) * ICON_SIZE, y)
}
