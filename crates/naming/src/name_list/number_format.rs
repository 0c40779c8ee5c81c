//! Formats numbers as a spreadsheet cell shows them.

/// Larger numbers have digits that an `f64` cannot represent exactly.
const MAX_NUMBER: f64 = 1e15;

/// Maximum number of decimal places.
const MAX_DECIMALS: usize = 9;

/// A token of a number format.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// A digit placeholder: without a digit, `0` shows a zero, `?` a space and `#` nothing.
    Digit(char),
    Point,
    Literal(char),
}

/// Formats `number` with the number format `code`, for formats of digits and text: `00000`, `"A-"000`, `000-00-0000`, `0.00`.
///
/// `None` for other formats, such as thousands, percent, dates or conditions, and for numbers beyond exact precision: there
/// the plain number is the better name.
pub(super) fn shown(number: f64, code: &str) -> Option<String> {
    if !number.is_finite() || number.abs() >= MAX_NUMBER {
        return None;
    }
    let sections = sections(code)?;
    let (section, has_sign) = match &sections[..] {
        [_, negative, ..] if number < 0.0 => (negative, false),
        [_, _, zero, ..] if number == 0.0 => (zero, false),
        [first, ..] => (first, number < 0.0),
        [] => return None,
    };
    let point = section.iter().position(|token| *token == Token::Point).unwrap_or(section.len());
    let (whole, behind) = section.split_at(point);
    let places = |tokens: &[Token]| tokens.iter().filter(|token| matches!(token, Token::Digit(_))).count();
    let decimals = places(behind);
    if places(whole) == 0 || decimals > MAX_DECIMALS {
        return None;
    }
    // Rounds half away from zero, as spreadsheets do.
    let scaled = (number.abs() * 10_f64.powi(decimals as i32)).round();
    if scaled >= MAX_NUMBER {
        return None;
    }
    let digits = format!("{:0>width$}", scaled as u64, width = decimals + 1);
    let (integer, fraction) = digits.split_at(digits.len() - decimals);
    let sign = if has_sign && scaled > 0.0 { "-" } else { "" };
    Some(format!("{sign}{}{}", before_point(whole, integer), behind_point(behind, fraction)))
}

/// Fills the placeholders of `tokens` with the digits of `integer` from the right; the first placeholder takes all
/// remaining digits.
fn before_point(tokens: &[Token], integer: &str) -> String {
    let mut left: Vec<char> = if integer == "0" { Vec::new() } else { integer.chars().collect() };
    let first = tokens.iter().position(|token| matches!(token, Token::Digit(_)));
    let mut shown = Vec::new();
    for (at, token) in tokens.iter().enumerate().rev() {
        match token {
            Token::Literal(c) => shown.push(*c),
            Token::Digit(kind) => {
                shown.extend(left.pop().or(place_without_digit(*kind)));
                if Some(at) == first {
                    shown.extend(left.drain(..).rev());
                }
            }
            Token::Point => {}
        }
    }
    shown.into_iter().rev().collect()
}

/// The decimal point and the digits of `fraction`, without trailing zeros that the format drops.
fn behind_point(tokens: &[Token], fraction: &str) -> String {
    let last = fraction.trim_end_matches('0').len();
    let mut digits = fraction.chars().enumerate();
    let shown = tokens.iter().filter_map(|token| match token {
        Token::Point => Some('.'),
        Token::Literal(c) => Some(*c),
        Token::Digit(kind) => {
            let (at, digit) = digits.next()?;
            if at < last { Some(digit) } else { place_without_digit(*kind) }
        }
    });
    shown.collect()
}

fn place_without_digit(kind: char) -> Option<char> {
    match kind {
        '0' => Some('0'),
        '?' => Some(' '),
        _ => None,
    }
}

/// The sections of a format for positive numbers, negative numbers and zero; `None` if it has more than digits and text.
fn sections(code: &str) -> Option<Vec<Vec<Token>>> {
    let mut sections = vec![Vec::new()];
    let mut rest = code.chars();
    while let Some(c) = rest.next() {
        let section = sections.last_mut()?;
        match c {
            ';' => sections.push(Vec::new()),
            '0' | '#' | '?' => section.push(Token::Digit(c)),
            '.' if !section.contains(&Token::Point) => section.push(Token::Point),
            '"' => section.extend(rest.by_ref().take_while(|c| *c != '"').map(Token::Literal)),
            '\\' => section.push(Token::Literal(rest.next()?)),
            // A space as wide as the next character, which is not shown.
            '_' => {
                rest.next()?;
                section.push(Token::Literal(' '));
            }
            '[' => {
                let inside: String = rest.by_ref().take_while(|c| *c != ']').collect();
                section.extend(in_brackets(&inside)?);
            }
            ' ' | '-' | '+' | '(' | ')' | ':' | '$' | '\'' | '!' | '^' | '&' | '~' | '{' | '}' | '=' => {
                section.push(Token::Literal(c));
            }
            _ => return None,
        }
    }
    Some(sections)
}

/// The text shown for brackets: none for a colour such as `[Red]`, the currency for `[$€-407]` (currency and locale).
fn in_brackets(inside: &str) -> Option<Vec<Token>> {
    if let Some(currency) = inside.strip_prefix('$') {
        return Some(currency.split('-').next().unwrap_or_default().chars().map(Token::Literal).collect());
    }
    // `[h]`, `[m]` and `[s]` are elapsed times, and conditions contain other characters.
    let is_color = inside.len() > 2 && inside.chars().all(|c| c.is_ascii_alphanumeric());
    let is_time = |letter| inside.chars().all(|c| c.eq_ignore_ascii_case(&letter));
    (is_color && !['h', 'm', 's'].into_iter().any(is_time)).then(Vec::new)
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn numbers_are_formatted_as_in_a_spreadsheet() {
        for (number, code, expected) in [
            (7.0, "00000", "00007"),
            (14.0, "00000", "00014"),
            (1_234_567.0, "00000", "1234567"),
            (0.0, "0000", "0000"),
            (7.0, "0", "7"),
            (2.5, "0", "3"),
            (0.125, "0.00", "0.13"),
            (2.5, "0.00", "2.50"),
            (2.5, "0.0##", "2.5"),
            (7.0, "\"IMG_\"0000", "IMG_0007"),
            (7.0, "\\A-000\" x\"", "A-007 x"),
            (123_456_789.0, "000-00-0000", "123-45-6789"),
            (6_789.0, "000-00-0000", "000-00-6789"),
            (7.0, "[$-409]0000;[Red]-0000", "0007"),
            (-7.0, "0000", "-0007"),
            (-7.0, "0000;(0000)", "(0007)"),
            (0.0, "0000;-0000;\"none\"0", "none0"),
            (-0.2, "0", "0"),
            (7.0, "##00", "07"),
        ] {
            assert_eq!(shown(number, code).as_deref(), Some(expected), "{number} as {code}");
        }
    }

    #[test]
    fn formats_of_more_than_digits_and_text_are_not_applied() {
        for code in
            ["General", "#,##0", "0%", "0.00E+00", "# ?/?", "yyyy-mm-dd", "@", "", ";;;", "[<=9]0;00", "[h]:mm", "0\\"]
        {
            assert_eq!(shown(7.0, code), None, "{code}");
        }
        for number in [f64::NAN, f64::INFINITY, 1e15, -1e300] {
            assert_eq!(shown(number, "00000"), None, "{number}");
        }
        let long = format!("0.{}", "0".repeat(1_000_000));
        assert_eq!(shown(7.0, &long), None);
    }
}
