//! Reusable widgets.

mod buttons;
mod elide;
mod icons;
mod rows;
mod spinner;
mod status_icons;
mod table;

pub(crate) use buttons::{ICON_BUTTON, icon_button, primary_button, wide_button};
pub(crate) use elide::elide_middle;
pub(crate) use icons::{Icon, icon_size, paint_icon};
pub(crate) use rows::{
    choice, color_button, failed, field, field_line, heading, labelled, note, number, percent_slider, section, signed,
    slider, tag, tick, warned, warning_icon,
};
pub(crate) use spinner::spinner;
pub(crate) use status_icons::{StatusIcon, paint_status_icon};
pub(crate) use table::{Cell, Column, column_rect, table_head, table_row};
