//! Reusable widgets.

mod buttons;
mod elide;
mod focus;
mod icons;
mod progress;
mod rows;
mod seek;
mod semantics;
mod spinner;
mod status_icons;
mod table;

pub(crate) use buttons::{ICON_BUTTON, icon_button, mark_chosen, option, primary_button, toggle_button, wide_button};
pub(crate) use elide::elide_middle;
pub(crate) use focus::{
    Area, Focus, PHOTO_SENSE, area, control_has_focus, landing, leave_keys, move_to_area, photo_row, photos,
};
pub(crate) use icons::{Icon, icon_size, paint_icon};
pub(crate) use progress::progress_bar;
pub(crate) use rows::{
    choice, color_button, failed, field, field_line, fold_title, heading, labelled, note, number, percent_slider,
    radio, section, signed, slider, tag, tick, warned, warning_icon,
};
pub(crate) use seek::{opens_section, seek_setting};
pub(crate) use semantics::{Semantics, menu_button, name_window, toggle};
pub(crate) use spinner::spinner;
pub(crate) use status_icons::{StatusIcon, paint_status_icon};
pub(crate) use table::{Cell, Column, column_rect, table_head, table_row};
