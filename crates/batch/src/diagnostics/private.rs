//! Taking out of texts what is about the person: the home folder, the user's name in paths, names of files.

use std::path::PathBuf;

/// What is put where something was taken out.
pub(super) const LEFT_OUT: &str = "…";

/// What stands for the person in paths of this machine.
#[derive(Clone, Debug, Default)]
pub(super) struct Private {
    /// The home folder as it is written and as it is where links are followed, the longest first.
    homes: Vec<String>,
    /// The user's name.
    user: Option<String>,
}

impl Private {
    /// The person who runs this process.
    pub(super) fn of_this_process() -> Self {
        let home = directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned());
        let user = ["USER", "USERNAME", "LOGNAME"].into_iter().find_map(|name| std::env::var(name).ok());
        Self::new(home, user)
    }

    fn new(home: Option<PathBuf>, user: Option<String>) -> Self {
        let resolved = home.as_ref().and_then(|home| home.canonicalize().ok());
        let homes = home.into_iter().chain(resolved).map(|home| home.to_string_lossy().into_owned());
        // A root folder as home would put a mark before everything.
        let mut homes: Vec<String> = homes.filter(|home| home.len() > 1).collect();
        homes.sort_by_key(|home| std::cmp::Reverse(home.len()));
        homes.dedup();
        Self { homes, user: user.filter(|user| user.len() > 1) }
    }

    /// `text` with the home folder written as `~` and without the user's name in paths.
    pub(super) fn tilde(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for home in &self.homes {
            text = replace_whole(&text, home, "~");
        }
        if let Some(user) = &self.user {
            for separator in ['/', '\\'] {
                text = replace_whole(&text, &format!("{separator}{user}"), &format!("{separator}{LEFT_OUT}"));
            }
        }
        text
    }

    /// A text that was written for a log: nothing in quotes, nothing from the first path on, and nothing at all where a file
    /// is named without its folder, since a name may have spaces.
    pub(super) fn scrub(&self, text: &str) -> String {
        let text = without_quoted(text.lines().next().unwrap_or_default());
        let text = match path_at(&text) {
            Some(at) => format!("{}{LEFT_OUT}", &text[..at]),
            None => text,
        };
        if text.split_whitespace().any(names_a_file) { LEFT_OUT.to_owned() } else { self.tilde(&text) }
    }
}

/// Replaces `what` where it is a whole path or the beginning of one.
fn replace_whole(text: &str, what: &str, by: &str) -> String {
    let mut replaced = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(what) {
        let (before, after) = (&rest[..at], &rest[at + what.len()..]);
        let is_whole = after.chars().next().is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '.'));
        replaced.push_str(before);
        replaced.push_str(if is_whole { by } else { what });
        rest = after;
    }
    replaced + rest
}

/// `text` without what stands in double quotes; an open quote goes on to the end.
fn without_quoted(text: &str) -> String {
    let mut kept = String::new();
    for (index, part) in text.split('"').enumerate() {
        if index % 2 == 0 {
            kept.push_str(part);
        } else {
            kept.push_str(LEFT_OUT);
        }
    }
    kept
}

/// Where the first absolute path of `text` begins.
fn path_at(text: &str) -> Option<usize> {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        let begins = before.is_whitespace() || matches!(before, '(' | '[' | '\'' | '`' | '=' | ':' | '<' | '“');
        let drive = c.is_ascii_alphabetic() && (rest[1..].starts_with(":\\") || rest[1..].starts_with(":/"));
        if begins && (c == '/' || rest.starts_with("~/") || rest.starts_with("\\\\") || drive) {
            return Some(at);
        }
        before = c;
    }
    None
}

/// True for `anna.jpg` and `in/anna.jpg`, not for `src/decode.rs:12` or `1.5`.
fn names_a_file(word: &str) -> bool {
    const OF_CODE: [&str; 2] = ["rs", "so"];
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let Some((stem, extension)) = word.rsplit_once('.') else { return false };
    let extension = extension.split(':').next().unwrap_or_default();
    let is_extension = (2..=9).contains(&extension.len()) && extension.chars().all(|c| c.is_ascii_alphanumeric());
    let has_letter = extension.chars().any(|c| c.is_ascii_alphabetic());
    !stem.is_empty() && is_extension && has_letter && !OF_CODE.contains(&extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zoe() -> Private {
        Private::new(Some("/home/zoe".into()), Some("zoe".to_owned()))
    }

    #[test]
    fn home_and_user_are_not_reported() {
        for (text, reported) in [
            ("/home/zoe/.cache/iron-cropper", "~/.cache/iron-cropper"),
            ("made /home/zoe", "made ~"),
            ("/home/zoela/x", "/home/zoela/x"),
            ("/run/media/zoe/DISK/lib.so", "/run/media/…/DISK/lib.so"),
            ("/usr/lib/x.so", "/usr/lib/x.so"),
        ] {
            assert_eq!(zoe().tilde(text), reported);
        }
        assert_eq!(Private::new(Some("/".into()), None).tilde("/usr"), "/usr");
    }

    #[test]
    fn a_log_line_loses_whatever_may_be_a_name() {
        for (text, reported) in [
            ("index out of bounds: the len is 3", "index out of bounds: the len is 3"),
            ("called `Option::unwrap()` on a `None` value", "called `Option::unwrap()` on a `None` value"),
            ("no file \"Zoë Müller.jpg\" there", "no file … there"),
            ("cannot read /home/zoe/Zoë Müller.jpg: denied", "cannot read …"),
            ("cannot read C:\\Users\\Zoë\\a.jpg", "cannot read …"),
            ("cannot read Zoë Müller.jpg", "…"),
            ("it ended at (in/anna.jpeg)", "…"),
            ("takes 1.5 s", "takes 1.5 s"),
            ("first line\n/home/zoe", "first line"),
            ("an open \"quote Zoë", "an open …"),
        ] {
            assert_eq!(zoe().scrub(text), reported, "{text}");
        }
    }
}
