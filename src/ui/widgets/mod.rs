//! Small pieces that panels are made of.

mod buttons;
mod elide;
mod rows;

pub(crate) use buttons::{ICON, Icon, icon_button, primary_button, wide_button};
pub(crate) use elide::elide_middle;
pub(crate) use rows::{choice, field, heading, labelled, percent_slider, slider, tag};
