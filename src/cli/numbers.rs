//! Parsers for numbers and keywords in flags.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A parser for one of several keywords.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    keywords: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(keywords.iter().map(|(word, _)| *word)).try_map(move |given| {
        keywords.iter().find(|(word, _)| *word == given).map(|(_, value)| *value).ok_or("there is no such value")
    })
}

/// Parses `40` or `40%` as 0.4. The range is checked with the rest of the spec.
pub(super) fn parse_share(text: &str) -> Result<f32, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim();
    let percent: f32 = number.parse().map_err(|_| format!("'{text}' is not a percentage; write it as 40"))?;
    Ok(percent / 100.0)
}

/// A parser for percentages from `min` to `max`, as shares.
pub(super) fn share_from(min: i16, max: i16) -> impl Fn(&str) -> Result<f32, String> + Clone + Send + Sync + 'static {
    move |text| {
        let share = parse_share(text)?;
        let range = f32::from(min) / 100.0..=f32::from(max) / 100.0;
        if range.contains(&share) { Ok(share) } else { Err(format!("write a percentage from {min} to {max}")) }
    }
}

/// A parser for whole numbers from `min` to `max`.
pub(super) fn whole_from<T: TryFrom<u64>>(
    min: u64,
    max: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.trim().parse().ok().filter(|number| (min..=max).contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("write a whole number from {min} to {max}"))
    }
}

/// Degrees, with or without the degree sign. The range is checked with the rest of the spec.
pub(super) fn parse_degrees(text: &str) -> Result<f32, String> {
    let number = text.strip_suffix('°').unwrap_or(text).trim();
    number.parse().map_err(|_| format!("'{text}' is not an angle; write degrees, for example 20"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_have_a_range_and_an_optional_sign() {
        let soft = share_from(0, 25);
        assert_eq!((soft("25%"), soft("0"), parse_share("37.5 %")), (Ok(0.25), Ok(0.0), Ok(0.375)));
        for wrong in ["26", "-1", "nan", "inf"] {
            assert_eq!(soft(wrong), Err("write a percentage from 0 to 25".to_owned()), "{wrong}");
        }
        assert!(soft("soft").is_err_and(|message| message.contains("write it as 40")));
    }

    #[test]
    fn whole_numbers_out_of_range_are_rejected_with_the_range() {
        let quality = whole_from::<u8>(1, 100);
        assert_eq!((quality("1"), quality("100")), (Ok(1), Ok(100)));
        for wrong in ["0", "101", "-1", "1.5", "x", "", "99999999999999999999999"] {
            assert_eq!(quality(wrong), Err("write a whole number from 1 to 100".to_owned()), "{wrong}");
        }
    }

    #[test]
    fn degrees_have_an_optional_sign() {
        assert_eq!((parse_degrees("20°"), parse_degrees("7.5")), (Ok(20.0), Ok(7.5)));
        assert!(parse_degrees("steep").is_err());
    }
}
