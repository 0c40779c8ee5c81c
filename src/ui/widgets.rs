//! Small pieces that panels are made of.

mod busy;
mod buttons;
mod elide;
mod icons;
mod rows;
mod signs;
mod table;

pub(crate) use busy::busy;
pub(crate) use buttons::{ICON, icon_button, primary_button, wide_button};
pub(crate) use elide::elide_middle;
pub(crate) use icons::{Icon, paint_icon, sign_size};
pub(crate) use rows::{
    choice, failed, field, field_line, heading, labelled, note, number, percent_slider, section, signed, slider, tag,
    tick, warned, warning_sign,
};
pub(crate) use signs::{Sign, paint_sign};
pub(crate) use table::{Cell, Column, column_rect, table_head, table_row};
