//! Valid and invalid templates.

use super::*;

fn fault(text: &str) -> (usize, TemplateFault) {
    let error = text.parse::<NameTemplate>().expect_err(text);
    assert_eq!(error.template, text);
    (error.at, error.fault)
}

#[test]
fn a_template_round_trips() {
    for text in ["{name}", "{stem}_{index:4}", "{column:class}/{{x}} {date:%Y-%m-%d|none}", "a b/c.d"] {
        let template: NameTemplate = text.parse().expect(text);
        assert_eq!(template.to_string(), text);
        let toml = serde_json::to_string(&template).expect("text");
        assert_eq!(serde_json::from_str::<NameTemplate>(&toml).expect("read back"), template);
    }
    assert!(serde_json::from_str::<NameTemplate>("\"{stm}\"").is_err());
    assert_eq!("{name}".parse(), Ok(NameTemplate::default()));
    assert!(NameTemplate::default().is_default() && !"{stem}".parse::<NameTemplate>().expect("valid").is_default());
}

#[test]
fn a_template_reports_the_facts_it_uses() {
    let template = |text: &str| text.parse::<NameTemplate>().expect("valid");
    assert!(template("{stem}_{face:2}").has_face() && !template("{stem}").has_face());
    assert!(template("{date}").depends_on_pixels() && template("{quality}").depends_on_pixels());
    assert!(!template("{index}{size}{preset}{folder}").depends_on_pixels());
    assert!(template("a/{index:4}").uses_place() && !template("{face}{name}").uses_place());
    assert_eq!(template("{column:Class}/{column: id |x}").columns().collect::<Vec<_>>(), ["Class", "id"]);
    assert!(NameTemplate::default().uses_name() && !template("{stem}").uses_name());
}

#[test]
fn errors_have_a_position() {
    use TemplateFault::{
        Absolute, DateCode, Digits, Empty, EmptyFolder, Forbidden, LeadsOut, NeverMissing, NoColumn, TakesNothing,
        Unclosed, UnknownField, Unopened,
    };
    for (text, at, expected) in [
        ("", 0, Empty),
        ("  ", 0, Empty),
        ("ä{stem", 1, Unclosed),
        ("{", 0, Unclosed),
        ("a}b", 1, Unopened),
        ("a_{stm}", 3, UnknownField { name: "stm".to_owned() }),
        ("{}", 1, UnknownField { name: String::new() }),
        ("{stem:3}", 6, TakesNothing { field: "stem" }),
        ("{stem|x}", 6, NeverMissing { field: "stem" }),
        ("{index|x}", 7, NeverMissing { field: "index" }),
        ("{index:0}", 7, Digits { given: "0".to_owned() }),
        ("{index:10}", 7, Digits { given: "10".to_owned() }),
        ("{date:%Q}", 6, DateCode { code: Some('Q') }),
        ("{date:%Y%}", 8, DateCode { code: None }),
        ("{date:%H:%M}", 8, Forbidden { character: ':' }),
        ("{date:%Y/%m}", 8, Forbidden { character: '/' }),
        ("{date|a*}", 7, Forbidden { character: '*' }),
        ("{column}", 7, NoColumn),
        ("{column: }", 7, NoColumn),
        ("a?b", 1, Forbidden { character: '?' }),
        ("a\\b", 1, Forbidden { character: '\\' }),
        ("a\nb", 1, Forbidden { character: '\n' }),
        ("/a", 0, Absolute),
        ("\\a", 0, Absolute),
        ("c:a", 0, Absolute),
        ("../a", 0, LeadsOut),
        ("a/../b", 2, LeadsOut),
        ("a/.", 2, LeadsOut),
        (". ./a", 0, LeadsOut),
        ("a//b", 2, EmptyFolder),
        ("a/", 2, EmptyFolder),
    ] {
        assert_eq!(fault(text), (at, expected), "{text}");
    }
}

#[test]
fn error_messages_list_the_allowed_values() {
    let message = "{stm}".parse::<NameTemplate>().expect_err("no such field").to_string();
    assert!(message.starts_with("'{stm}', character 2: there is no field {stm}; the fields are {stem}, "), "{message}");
    assert!(message.contains("{column:NAME}"), "{message}");
    let message = "{date:%Q}".parse::<NameTemplate>().expect_err("no such code").to_string();
    assert!(message.ends_with("the codes are %Y %y %m %d %H %M %S %%"), "{message}");
}
