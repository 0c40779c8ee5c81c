//! The keyboard focus: areas of the window that F6 visits, the photos as one Tab stop, the ring around the focused control,
//! scrolling to it, and the way back after a menu or page.

use egui::accesskit::{Action, ActionRequest, NodeId, TreeId};
use egui::{
    Context, Event, EventFilter, Id, LayerId, Order, Plugin, RawInput, Rect, Response, Role, Sense, Stroke, StrokeKind,
    Ui, UiBuilder, WidgetInfo, WidgetRect,
};

use super::super::theme::{CORNER, palette_of};

/// An area of the window, in the order in which F6 visits them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Area {
    Menu,
    List,
    Photo,
    Settings,
    Export,
    Status,
}

/// What egui stores between passes.
#[derive(Clone, Debug, Default)]
struct Areas {
    /// Those of the last whole pass, and of this one so far.
    shown: Vec<Area>,
    drawn: Vec<Area>,
    /// The one with the focus, or the last that had it.
    current: Option<Area>,
    /// The one to move the focus to.
    wanted: Option<Area>,
    /// The widget in it that shall get the focus, if not its first.
    landing: Option<Id>,
    /// The widget that leaves all keys to the shortcuts, of those that have the focus or had it last.
    without_keys: Option<Id>,
    /// The bounds of the current row of the photos, if it is in sight.
    row: Option<Rect>,
}

fn areas<R>(ctx: &Context, change: impl FnOnce(&mut Areas) -> R) -> R {
    ctx.data_mut(|data| change(data.get_temp_mut_or_default::<Areas>(Id::unique("focus-areas"))))
}

/// Moves the focus to the next area, or to the previous one.
pub(crate) fn move_to_area(ctx: &Context, forward: bool) {
    areas(ctx, |areas| areas.wanted = neighbour(&areas.shown, areas.current, forward));
    ctx.request_repaint();
}

/// The area after `current`, or before it, of those that are shown.
fn neighbour(shown: &[Area], current: Option<Area>, forward: bool) -> Option<Area> {
    let mut ordered = shown.to_vec();
    ordered.sort_unstable();
    let next = |area: &&Area| current.is_none_or(|current| **area > current);
    let previous = |area: &&Area| current.is_some_and(|current| **area < current);
    match forward {
        true => ordered.iter().find(next).or(ordered.first()).copied(),
        false => ordered.iter().rev().find(previous).or(ordered.last()).copied(),
    }
}

/// Draws an area of the window into its panel; `name` is its accessible name.
pub(crate) fn area<R>(ui: &mut Ui, area: Area, name: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
        node.set_role(Role::Region);
        node.set_label(name);
    });
    let before = widget_count(ui);
    let result = add(ui);
    let ctx = ui.ctx();
    let Some(first) = stop_since(ctx, ui.layer_id(), before) else { return result };
    let place = ctx
        .memory(egui::Memory::focused)
        .and_then(|focused| ctx.viewport(|viewport| viewport.this_pass.widgets.order(focused)));
    let holds_focus = place.is_some_and(|(layer, index)| layer == ui.layer_id() && index >= before);
    let target = areas(ctx, |areas| {
        areas.drawn.push(area);
        let is_wanted = areas.wanted == Some(area);
        if holds_focus || is_wanted {
            areas.current = Some(area);
        }
        is_wanted.then(|| {
            areas.wanted = None;
            areas.landing.take().unwrap_or(first)
        })
    });
    if let Some(target) = target {
        ctx.memory_mut(|memory| memory.request_focus(target));
        ctx.request_repaint();
    }
    result
}

/// Draws the part of an area that F6 moves to, rather than to the area's first control.
pub(crate) fn landing<R>(ui: &mut Ui, area: Area, add: impl FnOnce(&mut Ui) -> R) -> R {
    let before = widget_count(ui);
    let result = add(ui);
    if areas(ui.ctx(), |areas| areas.wanted == Some(area)) {
        let first = stop_since(ui.ctx(), ui.layer_id(), before);
        areas(ui.ctx(), |areas| areas.landing = first);
    }
    result
}

/// Number of widgets drawn in this pass on the layer of `ui`.
pub(super) fn widget_count(ui: &Ui) -> usize {
    ui.ctx().viewport(|viewport| viewport.this_pass.widgets.get_layer(ui.layer_id()).count())
}

/// The first control that can have the focus, of a layer's widgets from an index on.
pub(super) fn stop_since(ctx: &Context, layer: LayerId, index: usize) -> Option<Id> {
    let is_stop = |widget: &&WidgetRect| {
        widget.enabled && widget.visible && widget.sense.is_focusable() && widget.rect.is_positive()
    };
    ctx.viewport(|viewport| {
        viewport.this_pass.widgets.get_layer(layer).skip(index).find(is_stop).map(|widget| widget.id)
    })
}

fn photos_id() -> Id {
    Id::unique("photos")
}

/// Draws photos that are one Tab stop together, however they are arranged; their rows call [`photo_row`]. Within them, the
/// keys act as if nothing had the focus: arrows, Home, End and the like move through the list.
pub(crate) fn photos<R>(ui: &mut Ui, name: &str, count: usize, add: impl FnOnce(&mut Ui) -> R) -> R {
    if count == 0 {
        return add(ui);
    }
    let rect = ui.available_rect_before_wrap();
    let response = ui.interact(rect, photos_id(), Sense::focusable_noninteractive());
    response.widget_info(|| WidgetInfo::labeled(Role::ListBox, true, name));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_size_of_set(count);
        node.set_multiselectable();
    });
    leave_keys(&response);
    areas(ui.ctx(), |areas| {
        areas.row = None;
        if areas.wanted == Some(Area::List) {
            areas.landing = Some(response.id);
        }
    });
    ui.scope_builder(UiBuilder::new().accessibility_parent(response.id), add).inner
}

/// A photo within [`photos`]: an option of the list, at index `place`; `about` describes it.
pub(crate) fn photo_row(response: &Response, place: Option<usize>, selected: bool, current: bool, about: &str) {
    let ctx = &response.ctx;
    let is_told = ctx.accesskit_node_builder(response.id, |node| {
        node.set_role(Role::ListBoxOption);
        node.clear_toggled();
        node.set_selected(selected);
        if let Some(place) = place {
            node.set_position_in_set(place);
        }
        if !about.is_empty() {
            node.set_description(about);
        }
    });
    if !current {
        return;
    }
    areas(ctx, |areas| areas.row = Some(response.interact_rect));
    if is_told.is_some() {
        ctx.accesskit_node_builder(photos_id(), |node| node.set_active_descendant(response.id.accesskit_id()));
    }
}

/// What a click on a photo senses. It cannot have the focus: the list has it.
pub(crate) const PHOTO_SENSE: Sense = Sense::CLICK;

/// Leaves all keys but Tab to the shortcuts while this has the focus.
pub(crate) fn leave_keys(response: &Response) {
    if response.has_focus() {
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        response.ctx.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        areas(&response.ctx, |areas| areas.without_keys = Some(response.id));
    }
}

/// True if something has the focus that may handle keys itself.
pub(crate) fn control_has_focus(ctx: &Context) -> bool {
    let without_keys = areas(ctx, |areas| areas.without_keys);
    ctx.memory(egui::Memory::focused).is_some_and(|focused| Some(focused) != without_keys)
}

/// An egui plugin: draws the ring around the focused control, scrolls to it, and gives the focus back when the menu or
/// page with it closes.
#[derive(Default)]
pub(crate) struct Focus {
    /// The widget that had the focus, and its layer.
    last: Option<(Id, LayerId)>,
    /// The control that had the focus before it entered a layer.
    before: Vec<(LayerId, Id)>,
    /// The page that was given the focus. egui keeps the focus within it.
    page: Option<LayerId>,
    /// The control to scroll to in the next pass.
    hidden: Option<NodeId>,
}

impl Focus {
    /// Gives the focus to the first control of a page that has opened, unless the page gave it to another.
    fn enter_page(&mut self, ctx: &Context) {
        let page = ctx.memory(egui::Memory::top_modal_layer);
        self.page = self.page.filter(|known| Some(*known) == page);
        let Some(page) = page.filter(|_| self.page.is_none()) else { return };
        let layer_of = |id| ctx.viewport(|viewport| viewport.this_pass.widgets.get(id).map(|widget| widget.layer_id));
        let is_inside = ctx.memory(egui::Memory::focused).and_then(layer_of) == Some(page);
        // In its first pass, egui measures a page and shows nothing of it.
        let first = stop_since(ctx, page, 0);
        if is_inside || first.is_some() {
            self.page = Some(page);
        }
        if let Some(first) = first.filter(|_| !is_inside) {
            ctx.memory_mut(|memory| memory.request_focus(first));
            ctx.request_repaint();
        }
    }

    /// Records into which layer the focus went, and returns it from a layer that has closed.
    fn follow(&mut self, ctx: &Context) {
        let of = |id: Id| ctx.viewport(|viewport| viewport.this_pass.widgets.get(id).copied());
        let Some(widget) = ctx.memory(egui::Memory::focused).and_then(of) else { return self.give_back(ctx) };
        let now = (widget.id, widget.layer_id);
        if let Some((last, layer)) = self.last
            && layer != widget.layer_id
        {
            // Back in a layer: those above it are left.
            let known = self.before.iter().position(|(entered, _)| *entered == widget.layer_id);
            match known {
                Some(place) => self.before.truncate(place + 1),
                None if widget.layer_id.order == Order::Background => self.before.clear(),
                None => self.before.push((widget.layer_id, last)),
            }
        }
        if self.last.map(|(last, _)| last) != Some(widget.id) && is_cut(&widget) {
            self.hidden = Some(widget.id.accesskit_id());
            ctx.request_repaint();
        }
        self.last = Some(now);
    }

    fn give_back(&mut self, ctx: &Context) {
        let Some((_, layer)) = self.last else { return };
        let is_drawn = |layer| ctx.viewport(|viewport| viewport.this_pass.widgets.get_layer(layer).next().is_some());
        if layer.order == Order::Background {
            // Esc or a click took it: no page that opens later gives it back.
            self.last = None;
        }
        if layer.order == Order::Background || is_drawn(layer) {
            return;
        }
        self.last = None;
        while let Some((entered, before)) = self.before.pop() {
            let is_there = ctx.viewport(|viewport| viewport.this_pass.widgets.contains(before));
            if entered == layer || is_there {
                ctx.memory_mut(|memory| memory.request_focus(before));
                ctx.request_repaint();
                return;
            }
        }
    }
}

/// True if less than the whole widget is in sight, because it is scrolled away.
fn is_cut(widget: &WidgetRect) -> bool {
    let (whole, seen) = (widget.rect.size(), widget.interact_rect.size());
    seen.x < whole.x - 1.0 || seen.y < whole.y - 1.0
}

impl Plugin for Focus {
    fn debug_name(&self) -> &'static str {
        "keyboard-focus"
    }

    fn input_hook(&mut self, _ctx: &Context, input: &mut RawInput) {
        // egui scrolls to a widget if a screen reader asks for it.
        if let Some(target_node) = self.hidden.take() {
            let (action, target_tree) = (Action::ScrollIntoView, TreeId::ROOT);
            input.events.push(Event::AccessKitActionRequest(ActionRequest {
                action,
                target_tree,
                target_node,
                data: None,
            }));
        }
    }

    fn on_end_pass(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx();
        areas(ctx, |areas| areas.shown = std::mem::take(&mut areas.drawn));
        self.enter_page(ctx);
        self.follow(ctx);
        ring_ui(ctx);
    }
}

/// The line around the focused control, with a line of the background's colour around it, so that it is visible on a photo.
fn ring_ui(ctx: &Context) {
    let Some(focused) = ctx.memory(egui::Memory::focused) else { return };
    let Some(widget) = ctx.viewport(|viewport| viewport.this_pass.widgets.get(focused).copied()) else { return };
    let row = areas(ctx, |areas| areas.row).filter(|_| focused == photos_id());
    let rect = row.unwrap_or(widget.interact_rect);
    if !rect.is_positive() {
        return;
    }
    let visuals = &ctx.global_style().visuals;
    let window = ctx.content_rect();
    let painter = ctx.layer_painter(widget.layer_id).with_clip_rect(window);
    // Within the window: a control at its border has no room around it.
    let rect = rect.intersect(window.shrink(3.0));
    let (line, around) = (Stroke::new(2.0, palette_of(visuals).focus), Stroke::new(1.0, visuals.panel_fill));
    painter.rect_stroke(rect, f32::from(CORNER), line, StrokeKind::Outside);
    painter.rect_stroke(rect.expand(2.0), f32::from(CORNER) + 2.0, around, StrokeKind::Outside);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f6_visits_the_areas_that_are_shown_in_their_order() {
        let shown = [Area::Status, Area::Menu, Area::List, Area::Photo];
        let walk = |forward: bool| {
            let mut at = None;
            let mut visited = Vec::new();
            for _ in 0..5 {
                at = neighbour(&shown, at, forward);
                visited.extend(at);
            }
            visited
        };
        assert_eq!(walk(true), [Area::Menu, Area::List, Area::Photo, Area::Status, Area::Menu]);
        assert_eq!(walk(false), [Area::Status, Area::Photo, Area::List, Area::Menu, Area::Status]);
        assert_eq!(neighbour(&[], Some(Area::List), true), None);
        assert_eq!(neighbour(&shown, Some(Area::Settings), true), Some(Area::Status), "a hidden area had the focus");
    }
}
