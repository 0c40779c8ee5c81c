//! Names in plain ASCII.

use deunicode::deunicode_with_tofu;

/// `text` with its letters transliterated; other characters beyond ASCII become spaces.
pub(super) fn with_plain_letters(text: &str) -> String {
    deunicode_with_tofu(text, " ")
}

/// `name` in A-Z, a-z, 0-9, `_` and `-`: letters are transliterated, everything else becomes `_`. Several `_` are merged, and
/// none is added at the ends. A name without any such character becomes `_`.
pub(super) fn transliterated(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut is_gap = false;
    for c in with_plain_letters(name).chars() {
        match c {
            'A'..='Z' | 'a'..='z' | '0'..='9' | '-' | '_' => {
                if is_gap && !plain.is_empty() && !plain.ends_with('_') && c != '_' {
                    plain.push('_');
                }
                if c != '_' || !plain.ends_with('_') {
                    plain.push(c);
                }
                is_gap = false;
            }
            _ => is_gap = true,
        }
    }
    if plain.is_empty() && !name.is_empty() { "_".to_owned() } else { plain }
}

#[cfg(test)]
mod tests {
    use super::transliterated;

    #[test]
    fn names_become_plain_ascii() {
        for (name, plain) in [
            ("Anna-Lena_7", "Anna-Lena_7"),
            ("Zoë Müller", "Zoe_Muller"),
            ("Zoe\u{308}", "Zoe"),
            ("Großmann, Jürgen", "Grossmann_Jurgen"),
            ("Łukasz O’Brien jr.", "Lukasz_O_Brien_jr"),
            ("D'Arcy", "D_Arcy"),
            ("Ægir Þór", "AEgir_Thor"),
            ("王小明", "Wang_Xiao_Ming"),
            ("Николай", "Nikolai"),
            ("_MG_1234", "_MG_1234"),
            ("a  -  b", "a_-_b"),
            ("a __ b_", "a_b_"),
            (" (Anna) ", "Anna"),
            ("\u{e000}\u{fffd}", "_"),
            ("a/b\\c", "a_b_c"),
            ("", ""),
        ] {
            assert_eq!(transliterated(name), plain, "{name}");
        }
    }
}
