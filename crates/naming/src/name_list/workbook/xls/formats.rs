//! Number formats of an old Excel workbook.

use std::collections::HashMap;

use calamine::{ExcelDateTime, ExcelDateTimeType};

use super::super::date;
use crate::name_list::number_format;

/// The number formats of cell styles.
#[derive(Default)]
pub(super) struct Formats {
    /// The formats of the workbook by number.
    codes: HashMap<u16, String>,
    /// The number of the format of each cell style.
    styles: Vec<u16>,
    /// True if days are counted from 1904.
    pub(super) is_1904: bool,
}

impl Formats {
    pub(super) fn add_format(&mut self, number: u16, code: String) {
        self.codes.insert(number, code);
    }

    pub(super) fn add_style(&mut self, format: u16) {
        self.styles.push(format);
    }

    /// The text of a number in a cell of this style, as for .xlsx.
    pub(super) fn shown(&self, number: f64, style: u16) -> String {
        let format = self.styles.get(usize::from(style)).copied().unwrap_or_default();
        let code = self.codes.get(&format).map_or_else(|| built_in(format), String::as_str);
        if is_date(code) {
            return date(&ExcelDateTime::new(number, ExcelDateTimeType::DateTime, self.is_1904));
        }
        // The shortest text that parses to the same number: 7 for 7.0.
        number_format::shown(number, code).unwrap_or_else(|| number.to_string())
    }
}

/// The code of a format that is not in the workbook; dates and times alike, since they are not applied literally.
fn built_in(format: u16) -> &'static str {
    match format {
        1 => "0",
        2 => "0.00",
        14..=22 | 27..=36 | 45 | 47 | 50..=58 => "yyyy-mm-dd",
        _ => "General",
    }
}

/// True if a format shows a date or time of day: letters for them outside of quotes and brackets.
fn is_date(code: &str) -> bool {
    if code.eq_ignore_ascii_case("general") {
        return false;
    }
    let mut rest = code.chars();
    while let Some(c) = rest.next() {
        match c.to_ascii_lowercase() {
            'd' | 'm' | 'y' | 'h' | 's' => return true,
            '"' => while rest.next().is_some_and(|c| c != '"') {},
            '[' => while rest.next().is_some_and(|c| c != ']') {},
            '\\' | '_' | '*' => {
                rest.next();
            }
            // The first section decides.
            ';' => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_distinguished_from_numbers() {
        for code in ["yyyy-mm-dd", "d.m.yy", "h:mm AM/PM", "[$-409]mmmm d, yyyy;@", "\"on \"D"] {
            assert!(is_date(code), "{code}");
        }
        for code in ["General", "00000", "\"days \"0", "[Red]0", "\\d0", "0_s", "0.00E+00", "#,##0;[h]:mm", ""] {
            assert!(!is_date(code), "{code}");
        }
    }

    #[test]
    fn numbers_are_shown_by_the_format_of_their_style() {
        let mut formats = Formats::default();
        formats.add_format(164, "00000".to_owned());
        [0, 1, 14, 164].into_iter().for_each(|format| formats.add_style(format));
        for (number, style, text) in [
            (7.0, 0, "7"),
            (2.5, 0, "2.5"),
            (2.5, 1, "3"),
            (45_429.0, 2, "2024-05-17"),
            (7.0, 3, "00007"),
            (7.0, 9, "7"),
        ] {
            assert_eq!(formats.shown(number, style), text);
        }
        formats.is_1904 = true;
        assert_eq!(formats.shown(43_967.0, 2), "2024-05-17");
    }
}
