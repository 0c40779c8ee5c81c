//! Small pieces that panels are made of.

mod busy;
mod buttons;
mod elide;
mod rows;
mod signs;
mod table;

pub(crate) use busy::busy;
pub(crate) use buttons::{ICON, Icon, icon_button, primary_button, wide_button};
pub(crate) use elide::elide_middle;
pub(crate) use rows::{
    choice, field, heading, labelled, note, number, percent_slider, section, slider, tag, tick, warned, warning_sign,
};
pub(crate) use signs::{Sign, paint_sign};
pub(crate) use table::{Cell, Column, column_rect, table_head, table_row};
