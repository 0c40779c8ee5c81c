//! Brings a setting into view that was chosen by name: opens its section and gives its control the focus. The window then
//! scrolls to it.

use egui::{Context, Id, Ui};

use super::super::language::tr;
use super::super::settings_index::Setting;
use super::focus::{stop_since, widget_count};

/// Time, in seconds, after which a setting that is not shown is no longer sought.
const TIMEOUT: f64 = 2.0;

/// The setting, and the time until which it is sought.
type Sought = (&'static Setting, f64);

fn id() -> Id {
    Id::unique("sought-setting")
}

/// Seeks `setting` in the next passes.
pub(crate) fn seek_setting(ctx: &Context, setting: &'static Setting) {
    let until = ctx.input(|input| input.time) + TIMEOUT;
    ctx.data_mut(|data| data.insert_temp::<Option<Sought>>(id(), Some((setting, until))));
    ctx.request_repaint();
}

fn sought(ctx: &Context) -> Option<&'static Setting> {
    let (setting, until) = ctx.data(|data| data.get_temp::<Option<Sought>>(id())).flatten()?;
    (ctx.input(|input| input.time) < until).then_some(setting)
}

/// `Some(true)` if a setting in the section called `title` is sought.
pub(crate) fn opens_section(ctx: &Context, title: &str) -> Option<bool> {
    sought(ctx).is_some_and(|setting| tr(setting.section) == title).then_some(true)
}

/// Draws the row of a setting; its first control gets the focus if the setting is sought.
pub(super) fn row<R>(ui: &mut Ui, label: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    if sought(ui.ctx()).is_none_or(|setting| tr(setting.label) != label) {
        return add(ui);
    }
    let before = widget_count(ui);
    let result = add(ui);
    let ctx = ui.ctx();
    // egui gives no focus to widgets below a modal, and the palette counts as one for one more pass.
    let is_covered = ctx.memory(egui::Memory::top_modal_layer).is_some();
    if let Some(first) = stop_since(ctx, ui.layer_id(), before).filter(|_| !is_covered) {
        ctx.memory_mut(|memory| memory.request_focus(first));
        ctx.data_mut(|data| data.insert_temp(id(), None::<Sought>));
    }
    ctx.request_repaint();
    result
}
