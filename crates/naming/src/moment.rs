//! The date and time a photo was taken, and its format in a name.

use std::fmt::Write;

/// A date and time of the camera's clock, without time zone: cameras rarely store one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    year: u16,
    month: u8,
    day: u8,
    hour: u8,
    minute: u8,
    second: u8,
}

/// The conversion specifiers allowed after `%`.
pub(super) const CODES: &str = "YymdHMS%";

pub(super) const DEFAULT_FORMAT: &str = "%Y-%m-%d";

impl Moment {
    /// Parses EXIF's format, `2024:05:17 10:20:30`; other separators are accepted and the time may be missing. `None` for
    /// the zeros and blanks of a camera whose clock was never set, and for dates that do not exist.
    pub fn from_exif(text: &str) -> Option<Self> {
        let numbers: Vec<u16> = text
            .split(|c: char| !c.is_ascii_digit())
            .filter(|part| !part.is_empty())
            .map(str::parse::<u16>)
            .collect::<Result<_, _>>()
            .ok()?;
        let [year, month, day, ref time @ ..] = numbers[..] else { return None };
        let at = |index: usize| time.get(index).copied().unwrap_or(0);
        let small = |number: u16| u8::try_from(number).ok();
        let moment = Self {
            year,
            month: small(month)?,
            day: small(day)?,
            hour: small(at(0))?,
            minute: small(at(1))?,
            second: small(at(2))?,
        };
        moment.exists().then_some(moment)
    }

    fn exists(&self) -> bool {
        let leap = self.year.is_multiple_of(4) && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        let days = match self.month {
            4 | 6 | 9 | 11 => 30,
            2 => 28 + u8::from(leap),
            1..=12 => 31,
            _ => return false,
        };
        // 60 is a leap second.
        (1..=9999).contains(&self.year)
            && (1..=days).contains(&self.day)
            && self.hour < 24
            && self.minute < 60
            && self.second <= 60
    }

    /// Formats the moment with `format`, which has been validated: specifiers other than [`CODES`] are copied.
    pub(super) fn written(&self, format: &str) -> String {
        let mut text = String::new();
        let mut rest = format.chars();
        while let Some(c) = rest.next() {
            // Writing to a string cannot fail.
            let _ = match (c, if c == '%' { rest.next() } else { None }) {
                ('%', Some('Y')) => write!(text, "{:04}", self.year),
                ('%', Some('y')) => write!(text, "{:02}", self.year % 100),
                ('%', Some('m')) => write!(text, "{:02}", self.month),
                ('%', Some('d')) => write!(text, "{:02}", self.day),
                ('%', Some('H')) => write!(text, "{:02}", self.hour),
                ('%', Some('M')) => write!(text, "{:02}", self.minute),
                ('%', Some('S')) => write!(text, "{:02}", self.second),
                ('%', Some(other)) => write!(text, "{other}"),
                (other, _) => write!(text, "{other}"),
            };
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exif_dates_are_parsed_and_formatted() {
        let moment = Moment::from_exif("2024:05:07 10:20:03\0").expect("a date");
        assert_eq!(moment.written(DEFAULT_FORMAT), "2024-05-07");
        assert_eq!(moment.written("%y%m%d_%H.%M.%S 100%%"), "240507_10.20.03 100%");
        let day = Moment::from_exif("2024-02-29").expect("a leap day");
        assert_eq!(day.written("%d.%m.%Y %H"), "29.02.2024 00");
        assert!(Moment::from_exif("2000:02:29 23:59:60").is_some());
    }

    #[test]
    fn invalid_dates_are_none() {
        for wrong in [
            "",
            "0000:00:00 00:00:00",
            "    :  :     :  :  ",
            "2024:13:01 00:00:00",
            "2023:02:29 00:00:00",
            "1900:02:29",
            "2024:04:31",
            "2024:05:07 24:00:00",
            "yesterday",
            "2024",
            "99999:01:01",
            "12345678901234567890:1:1",
        ] {
            assert_eq!(Moment::from_exif(wrong), None, "{wrong}");
        }
    }
}
