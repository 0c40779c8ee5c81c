//! The date and time a photo was taken, in a name.

use std::fmt::Write;

use outcome::Moment;

/// The conversion specifiers allowed after `%`.
pub(super) const CODES: &str = "YymdHMS%";

pub(super) const DEFAULT_FORMAT: &str = "%Y-%m-%d";

/// Formats the moment with `format`, which has been validated: specifiers other than [`CODES`] are copied.
pub(super) fn written(moment: &Moment, format: &str) -> String {
    let mut text = String::new();
    let mut rest = format.chars();
    while let Some(c) = rest.next() {
        // Writing to a string cannot fail.
        let _ = match (c, if c == '%' { rest.next() } else { None }) {
            ('%', Some('Y')) => write!(text, "{:04}", moment.year),
            ('%', Some('y')) => write!(text, "{:02}", moment.year % 100),
            ('%', Some('m')) => write!(text, "{:02}", moment.month),
            ('%', Some('d')) => write!(text, "{:02}", moment.day),
            ('%', Some('H')) => write!(text, "{:02}", moment.hour),
            ('%', Some('M')) => write!(text, "{:02}", moment.minute),
            ('%', Some('S')) => write!(text, "{:02}", moment.second),
            ('%', Some(other)) => write!(text, "{other}"),
            (other, _) => write!(text, "{other}"),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exif_dates_are_formatted() {
        let moment = Moment::from_exif("2024:05:07 10:20:03\0").expect("a date");
        assert_eq!(written(&moment, DEFAULT_FORMAT), "2024-05-07");
        assert_eq!(written(&moment, "%y%m%d_%H.%M.%S 100%%"), "240507_10.20.03 100%");
        let day = Moment::from_exif("2024-02-29").expect("a leap day");
        assert_eq!(written(&day, "%d.%m.%Y %H"), "29.02.2024 00");
    }
}
