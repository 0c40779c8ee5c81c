//! The date and time a photo was taken.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// A date and time of the camera's clock, without time zone: cameras rarely store one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    pub year: u16,
    pub month: u8,
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
    /// 60 for a leap second.
    pub second: u8,
    /// 0 if unknown.
    pub millisecond: u16,
}

impl Moment {
    /// The moment `at` in UTC; the start of 1970 for earlier ones.
    pub fn utc(at: SystemTime) -> Self {
        let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
        let (mut days, left) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
        let mut year = 1970;
        while days >= days_of(year) && year < u16::MAX {
            (days, year) = (days - days_of(year), year + 1);
        }
        let mut month = 1;
        while days >= u64::from(days_of_month(year, month)) && month < 12 {
            (days, month) = (days - u64::from(days_of_month(year, month)), month + 1);
        }
        let small = |number: u64| u8::try_from(number).unwrap_or_default();
        let (day, hour, minute, second) =
            (small(days + 1), small(left / 3600), small(left / 60 % 60), small(left % 60));
        Self { year, month, day, hour, minute, second, millisecond: since.subsec_millis() as u16 }
    }

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
            millisecond: 0,
        };
        moment.exists().then_some(moment)
    }

    /// The same with the digits of the second's fraction, as in EXIF's SubSecTime; 0 for blanks and other text.
    #[must_use]
    pub fn with_fraction(self, digits: &str) -> Self {
        let digits = digits.trim_start().bytes().take_while(u8::is_ascii_digit).chain(std::iter::repeat(b'0'));
        let millisecond = digits.take(3).fold(0, |number, digit| number * 10 + u16::from(digit - b'0'));
        Self { millisecond, ..self }
    }

    /// Milliseconds of the camera's clock, from an origin that is the same for every photo; `None` if the time of day is
    /// unknown: software writes exactly midnight if only the day is known.
    pub fn clock_ms(&self) -> Option<i64> {
        let seconds = (i64::from(self.hour) * 60 + i64::from(self.minute)) * 60 + i64::from(self.second);
        let of_day = seconds * 1000 + i64::from(self.millisecond);
        (of_day > 0).then_some(self.day_number() * 86_400_000 + of_day)
    }

    /// Days of the Gregorian calendar.
    fn day_number(&self) -> i64 {
        let (month, day) = (i64::from(self.month), i64::from(self.day));
        // Years that begin in March, so that a leap day is the last one.
        let year = i64::from(self.year) - i64::from(month <= 2);
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day;
        year * 365 + year / 4 - year / 100 + year / 400 + of_year
    }

    fn exists(&self) -> bool {
        (1..=9999).contains(&self.year)
            && (1..=12).contains(&self.month)
            && (1..=days_of_month(self.year, self.month)).contains(&self.day)
            && self.hour < 24
            && self.minute < 60
            && self.second <= 60
    }
}

fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_of(year: u16) -> u64 {
    365 + u64::from(is_leap(year))
}

fn days_of_month(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u8::from(is_leap(year)),
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn system_times_become_dates_of_the_calendar() {
        // As GNU date prints them.
        for (seconds, date) in [
            (0, "1970:01:01 00:00:00"),
            (951_782_399, "2000:02:28 23:59:59"),
            (951_782_400, "2000:02:29 00:00:00"),
            (1_709_251_199, "2024:02:29 23:59:59"),
            (1_795_953_600, "2026:11:29 12:00:00"),
            (4_107_542_400, "2100:03:01 00:00:00"),
        ] {
            let moment = Moment::utc(UNIX_EPOCH + Duration::from_secs(seconds));
            assert_eq!(Some(moment), Moment::from_exif(date), "{seconds}");
        }
        assert_eq!(Moment::utc(UNIX_EPOCH - Duration::from_secs(9)).year, 1970);
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
        assert!(Moment::from_exif("2000:02:29 23:59:60").is_some());
    }

    #[test]
    fn fractions_are_digits_after_the_point() {
        let moment = Moment::from_exif("2024:05:07 10:20:03\0").expect("a date");
        for (digits, expected) in [("5", 500), ("07", 70), ("1239 \0", 123), ("  ", 0), ("", 0), ("-3", 0)] {
            assert_eq!(moment.with_fraction(digits).millisecond, expected, "{digits:?}");
        }
    }

    #[test]
    fn the_clock_runs_on_over_midnight_and_the_ends_of_months() {
        let ms = |text: &str| Moment::from_exif(text).and_then(|moment| moment.clock_ms()).expect(text);
        for (before, after) in [
            ("2024:05:07 10:20:03", "2024:05:07 10:20:05"),
            ("2024:05:07 23:59:59", "2024:05:08 00:00:01"),
            ("2024:02:28 23:59:59", "2024:02:29 00:00:01"),
            ("2024:02:29 23:59:59", "2024:03:01 00:00:01"),
            ("2023:02:28 23:59:59", "2023:03:01 00:00:01"),
            ("1900:02:28 23:59:59", "1900:03:01 00:00:01"),
            ("2000:02:29 23:59:59", "2000:03:01 00:00:01"),
            ("2023:12:31 23:59:59", "2024:01:01 00:00:01"),
            ("2024:04:30 23:59:59", "2024:05:01 00:00:01"),
            ("2024:08:31 23:59:59", "2024:09:01 00:00:01"),
        ] {
            assert_eq!(ms(after) - ms(before), 2000, "{before}");
        }
    }

    #[test]
    fn a_day_without_a_time_has_no_clock() {
        for text in ["2024:05:07", "2024:05:07 00:00:00"] {
            let day = Moment::from_exif(text).expect("a day");
            assert_eq!(day.clock_ms(), None);
            assert!(day.with_fraction("02").clock_ms().is_some(), "a time with a fraction was measured");
        }
    }
}
