//! Natural order of file names: `photo2` before `photo10`, `b` after `A`.

use std::cmp::Ordering;
use std::ffi::OsStr;

/// Compares two names case-insensitively, with runs of digits compared as numbers; a total order.
pub fn natural_cmp(a: &OsStr, b: &OsStr) -> Ordering {
    let (text_a, text_b) = (a.to_string_lossy(), b.to_string_lossy());
    Parts(&text_a).cmp(Parts(&text_b)).then_with(|| a.cmp(b))
}

/// Iterates over a name's letters and numbers.
struct Parts<'a>(&'a str);

#[derive(PartialEq, Eq)]
enum Part<'a> {
    /// The digits of a number without leading zeros.
    Number(&'a str),
    /// Any other character.
    Letter(char),
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        let first = self.0.chars().next()?;
        if first.is_ascii_digit() {
            let end = self.0.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(self.0.len());
            let (digits, rest) = self.0.split_at(end);
            self.0 = rest;
            return Some(Part::Number(digits.trim_start_matches('0')));
        }
        self.0 = &self.0[first.len_utf8()..];
        Some(Part::Letter(first.to_lowercase().next().unwrap_or(first)))
    }
}

impl Ord for Part<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.len().cmp(&b.len()).then_with(|| a.cmp(b)),
            (Self::Letter(a), Self::Letter(b)) => a.cmp(b),
            // No letter is a digit, so every letter sorts before or after all numbers.
            (Self::Number(_), Self::Letter(letter)) => '0'.cmp(letter),
            (Self::Letter(letter), Self::Number(_)) => letter.cmp(&'0'),
        }
    }
}

impl PartialOrd for Part<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::natural_cmp;

    #[test]
    fn digits_are_compared_as_numbers_and_case_is_ignored() {
        let expected = [
            "10.jpg",
            "a 1.jpg",
            "A2.jpg",
            "a2b.jpg",
            "a10.jpg",
            "a99999999999999999999999.jpg",
            "ab.jpg",
            "B.jpg",
            "é.jpg",
        ];
        let mut names = expected;
        names.reverse();
        names.sort_by(|a, b| natural_cmp(OsStr::new(a), OsStr::new(b)));
        assert_eq!(names, expected);
    }

    #[test]
    fn the_order_is_total() {
        let names =
            ["", "0", "00", "007", "7", "a", "A", "a0", "a00", "a/", "a:", "é", "É", "İ", "i", "1a", "1A", "🙂"];
        for a in names {
            for b in names {
                let compare = |a: &str, b: &str| natural_cmp(OsStr::new(a), OsStr::new(b));
                assert_eq!(compare(a, b), compare(b, a).reverse(), "{a} {b}");
                assert_eq!(compare(a, b).is_eq(), a == b, "{a} {b}");
                for c in names {
                    assert!(!(compare(a, b).is_lt() && compare(b, c).is_lt()) || compare(a, c).is_lt(), "{a} {b} {c}");
                }
            }
        }
    }
}
