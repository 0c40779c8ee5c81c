//! Plural forms, placeholders and numbers of each language.

use super::*;

fn in_each<T>(ask: impl Fn() -> T) -> [T; 5] {
    let texts = Language::ALL.map(|language| {
        set_current(language);
        ask()
    });
    set_current(Language::English);
    texts
}

#[test]
fn missing_translations_fall_back_to_english() {
    let catalogue = Catalogue::read(
        "\"Known\" = \"Bekannt\"\n\"{n} photo\" = [\"{n} Foto\", \"{n} Fotos\"]\n[verb]\n\"Open\" = \"Öffnen\"",
    );
    let catalogue = catalogue.expect("a catalogue");
    assert_eq!((catalogue.plain("Known"), catalogue.plain("Unknown")), (Some("Bekannt"), None));
    assert_eq!((catalogue.form("{n} photo", 1), catalogue.form("{n} file", 1)), (Some("{n} Fotos"), None));
    assert_eq!((catalogue.within("verb", "Open"), catalogue.within("state", "Open")), (Some("Öffnen"), None));
    let unknown = in_each(|| (tr("Not in any catalogue: a test's own words"), count!(2, "{n} quux", "{n} quuxes")));
    for texts in unknown {
        assert_eq!(texts, ("Not in any catalogue: a test's own words", "2 quuxes".to_owned()));
    }
}

#[test]
fn every_catalogue_is_valid() {
    for language in Language::ALL.into_iter().filter(|language| *language != Language::English) {
        let catalogue = Catalogue::of(language).expect("a catalogue");
        assert!(catalogue.plain("Export all").is_some(), "{language:?} is empty or broken");
    }
}

#[test]
fn each_language_has_its_plural_rule() {
    let forms = |number| Language::ALL.map(|language| language.form(number));
    assert_eq!(forms(0), [1, 1, 0, 1, 0]);
    assert_eq!(forms(1), [0; 5]);
    assert_eq!(forms(2), [1, 1, 1, 1, 0]);
    let faces = in_each(|| count!(0, "{n} face", "{n} faces"));
    assert_eq!(faces, ["0 faces", "0 Gesichter", "0 visage", "0 caras", "顔 0 人"]);
}

#[test]
fn placeholders_are_filled_and_unknown_ones_stay() {
    assert_eq!(fill("{a} and {b}, {a}", &[("a", &1), ("b", &"two")]), "1 and two, 1");
    assert_eq!(fill("{unknown} {", &[("a", &1)]), "{unknown} {");
    assert!(fits("{a} of {b}", &["b", "a"]) && fits("none", &[]));
    assert!(!fits("{a} of {b}", &["a"]) && !fits("{a}", &["a", "b"]) && !fits("{ab}", &["a"]));
}

#[test]
fn numbers_are_formatted_for_the_language() {
    assert_eq!(in_each(|| integer(1234)), ["1,234", "1.234", "1\u{202f}234", "1234", "1,234"]);
    assert_eq!(
        in_each(|| integer(-1_234_567)),
        ["-1,234,567", "-1.234.567", "-1\u{202f}234\u{202f}567", "-1\u{202f}234\u{202f}567", "-1,234,567"]
    );
    assert_eq!(in_each(|| decimal(0.5, 2)), ["0.50", "0,50", "0,50", "0,50", "0.50"]);
    assert_eq!(in_each(|| decimal(12_345.678, 1))[1], "12.345,7");
    assert_eq!(
        (decimal(-0.0_f32, 0), decimal(f64::NAN, 1), decimal(f64::INFINITY, 0)),
        ("0".into(), "NaN".into(), "inf".into())
    );
    assert_eq!(in_each(|| formatter().format(0.25, 2..=2)), ["0.25", "0,25", "0,25", "0,25", "0.25"]);
}

#[test]
fn formatted_numbers_can_be_parsed() {
    for number in [0.25, -1234.5, 9_999.75, 7.0] {
        for parsed in in_each(|| (parse_number(&decimal(number, 2)), parse_number(&formatter().format(number, 0..=2))))
        {
            assert_eq!(parsed, (Some(number), Some(number)));
        }
    }
    assert_eq!(in_each(|| parse_number("0.75")), [Some(0.75); 5], "a point is understood everywhere");
    assert_eq!(in_each(|| parse_number("1,5")), [Some(15.0), Some(1.5), Some(1.5), Some(1.5), Some(15.0)]);
    assert_eq!(in_each(|| parse_number("１２"))[4], Some(12.0));
    assert_eq!(in_each(|| parse_number("− 3"))[0], Some(-3.0));
    for nonsense in ["", "abc", "1e999", "1.2.3,4,5", "NaN"] {
        assert_eq!(in_each(|| parse_number(nonsense))[0].filter(|number| !number.is_finite()), None);
    }
    assert_eq!((parse_number("NaN"), parse_number("inf"), parse_number("")), (None, None, None));
}
