//! Redacts personal data in texts: the home folder, the user name in paths, file names.

use std::path::{Path, PathBuf};

/// The replacement for redacted text.
pub(super) const REDACTED: &str = "…";

/// The personal parts of paths on this machine.
#[derive(Clone, Debug, Default)]
pub(super) struct Redactor {
    /// The home folder, as given and with links resolved, longest first.
    homes: Vec<String>,
    user: Option<String>,
    /// Paths that the user entered.
    entered: Vec<String>,
}

impl Redactor {
    /// For the user of this process.
    pub(super) fn of_this_process() -> Self {
        let home = directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned());
        let user = ["USER", "USERNAME", "LOGNAME"].into_iter().find_map(|name| std::env::var(name).ok());
        Self::new(home, user)
    }

    fn new(home: Option<PathBuf>, user: Option<String>) -> Self {
        let resolved = home.as_ref().and_then(|home| home.canonicalize().ok());
        let homes = home.into_iter().chain(resolved).map(|home| home.to_string_lossy().into_owned());
        // If the root were the home folder, every path would be replaced.
        let mut homes: Vec<String> = homes.filter(|home| home.len() > 1).collect();
        homes.sort_by_key(|home| std::cmp::Reverse(home.len()));
        homes.dedup();
        Self { homes, user: user.filter(|user| user.len() > 1), entered: Vec::new() }
    }

    /// Also removes these paths.
    pub(super) fn hiding<'a>(mut self, paths: impl IntoIterator<Item = &'a Path>) -> Self {
        self.entered.extend(paths.into_iter().map(|path| path.to_string_lossy().into_owned()));
        self
    }

    /// Replaces the home folder by `~` and removes the user name in paths.
    pub(super) fn redact_paths(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for path in &self.entered {
            text = replace_path(&text, path, REDACTED);
        }
        for home in &self.homes {
            text = replace_path(&text, home, "~");
        }
        if let Some(user) = &self.user {
            for separator in ['/', '\\'] {
                text = replace_path(&text, &format!("{separator}{user}"), &format!("{separator}{REDACTED}"));
            }
        }
        text
    }

    /// Redacts a log message: everything in quotes, everything from the first path on, and the whole text if it contains a
    /// file name without a folder, since a name may contain spaces.
    pub(super) fn redact(&self, text: &str) -> String {
        let text = without_quoted(text.lines().next().unwrap_or_default());
        let text = match path_at(&text) {
            Some(at) => format!("{}{REDACTED}", &text[..at]),
            None => text,
        };
        if text.split_whitespace().any(names_a_file) { REDACTED.to_owned() } else { self.redact_paths(&text) }
    }
}

/// Replaces `what` if it is a complete path or the start of one.
fn replace_path(text: &str, what: &str, by: &str) -> String {
    let mut replaced = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(what) {
        let (before, after) = (&rest[..at], &rest[at + what.len()..]);
        let is_complete = after.chars().next().is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '.'));
        replaced.push_str(before);
        replaced.push_str(if is_complete { by } else { what });
        rest = after;
    }
    replaced + rest
}

/// Redacts text in double quotes; an unclosed quote extends to the end.
fn without_quoted(text: &str) -> String {
    let mut kept = String::new();
    for (index, part) in text.split('"').enumerate() {
        if index % 2 == 0 {
            kept.push_str(part);
        } else {
            kept.push_str(REDACTED);
        }
    }
    kept
}

/// The offset of the first absolute path in `text`.
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

    fn zoe() -> Redactor {
        Redactor::new(Some("/home/zoe".into()), Some("zoe".to_owned()))
    }

    #[test]
    fn paths_that_the_user_entered_are_removed() {
        let redactor = Redactor::new(None, None).hiding([Path::new("/data/Anna Secret")]);
        let text = "the model file /data/Anna Secret/person.onnx cannot be read";
        assert_eq!(redactor.redact_paths(text), "the model file …/person.onnx cannot be read");
    }

    #[test]
    fn home_and_user_are_redacted() {
        for (text, expected) in [
            ("/home/zoe/.cache/iron-cropper", "~/.cache/iron-cropper"),
            ("made /home/zoe", "made ~"),
            ("/home/zoela/x", "/home/zoela/x"),
            ("/run/media/zoe/DISK/lib.so", "/run/media/…/DISK/lib.so"),
            ("/usr/lib/x.so", "/usr/lib/x.so"),
        ] {
            assert_eq!(zoe().redact_paths(text), expected);
        }
        assert_eq!(Redactor::new(Some("/".into()), None).redact_paths("/usr"), "/usr");
    }

    #[test]
    fn possible_names_in_log_lines_are_redacted() {
        for (text, expected) in [
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
            assert_eq!(zoe().redact(text), expected, "{text}");
        }
    }
}
