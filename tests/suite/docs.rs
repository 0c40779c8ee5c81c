//! Checks the documentation: options, command lines and links. `docs_commands` runs the command lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Arg, Command, CommandFactory};

use iron_cropper::cli::Arguments;

/// The documents by their paths relative to the repository.
fn documents() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open = vec![root.to_owned()];
    let mut documents = BTreeMap::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("readable").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let is_ours = !["target", ".git", "out"].iter().any(|other| name == *other);
            if path.is_dir() && is_ours {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let name = path.strip_prefix(root).expect("below").to_string_lossy().replace('\\', "/");
                documents.insert(name, fs::read_to_string(&path).expect("text"));
            }
        }
    }
    documents
}

/// Every visible subcommand by name; the program itself under "".
fn commands() -> Vec<(String, Command)> {
    fn add(name: &str, command: &Command, all: &mut Vec<(String, Command)>) {
        all.push((name.to_owned(), command.clone()));
        for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set() && inner.get_name() != "help") {
            add(format!("{name} {}", inner.get_name()).trim(), inner, all);
        }
    }
    let mut all = Vec::new();
    add("", &Arguments::command(), &mut all);
    all
}

fn long(arg: &Arg) -> Option<String> {
    arg.get_long().map(|name| format!("--{name}"))
}

fn options_in(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("--") {
        let is_start = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
        let name: String = text[at + 2..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        if is_start && name.starts_with(|c: char| c.is_ascii_lowercase()) && name.len() > 1 {
            found.insert(format!("--{name}"));
        }
    }
    found
}

/// The part of a document below a heading, up to the next heading of the same level.
fn section<'a>(text: &'a str, heading: &str) -> Option<&'a str> {
    let start = text.find(&format!("\n{heading}\n"))? + 1;
    let rank = heading.split(' ').next().expect("marks");
    let rest = &text[start + heading.len()..];
    let end = rest.find(&format!("\n{rank} ")).unwrap_or(rest.len());
    Some(&rest[..end])
}

#[test]
fn the_command_line_page_lists_exactly_the_options() {
    let page = &documents()["docs/user/cli.md"];
    let everywhere = options_in(page);
    let (mut real, mut faults) = (BTreeSet::from(["--help".to_owned(), "--version".to_owned()]), Vec::new());
    for (name, command) in commands() {
        let options: Vec<String> = command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(long).collect();
        // Options of a subcommand are in its section; those shared with crop may be there only.
        let own = section(page, &format!("## `{name}`")).map(options_in);
        let shared = section(page, "## Options of `crop`").into_iter();
        let shared = shared.chain(section(page, "## Options of `crop` and `detect`"));
        let mut result: BTreeSet<String> = shared.flat_map(options_in).collect();
        result.extend(own.into_iter().flatten());
        for option in &options {
            if !result.contains(option) && !everywhere.contains(option) {
                faults.push(format!("{name} {option} is not documented"));
            }
        }
        real.extend(options);
        let is_documented = page.contains(&format!("iron-cropper {name} ")) || page.contains(&format!("`{name}"));
        if !is_documented {
            faults.push(format!("the subcommand {name} is not documented"));
        }
    }
    // Options of other programs in the examples.
    faults.extend(everywhere.difference(&real).map(|option| format!("there is no {option}")));
    assert!(faults.is_empty(), "docs/user/cli.md:\n{}", faults.join("\n"));
}

#[test]
fn option_values_are_documented_with_the_option() {
    let page = &documents()["docs/user/cli.md"];
    let mut faults = Vec::new();
    for (name, command) in commands().into_iter().filter(|(name, _)| !["", "completions"].contains(&name.as_str())) {
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            let Some(option) = long(arg) else { continue };
            let words: Vec<String> = arg
                .get_possible_values()
                .iter()
                .filter(|value| !value.is_hide_set() && arg.get_action().takes_values())
                .map(|value| value.get_name().to_owned())
                .collect();
            let result: String = page
                .lines()
                .filter(|line| line.starts_with('|') && options_in(line).contains(&option))
                .collect::<Vec<_>>()
                .join("\n");
            faults.extend(
                words
                    .iter()
                    .filter(|word| !result.contains(word.as_str()))
                    .map(|word| format!("{name} {option} {word}")),
            );
        }
    }
    assert!(faults.is_empty(), "docs/user/cli.md does not mention:\n{}", faults.join("\n"));
}

/// A command line of a document.
pub(crate) struct Line {
    /// The document and the line number.
    pub(crate) place: String,
    /// The arguments after the program's name.
    pub(crate) words: Vec<String>,
    /// File redirected to standard input.
    pub(crate) from: Option<String>,
    /// File that standard output is redirected to.
    pub(crate) to: Option<String>,
}

/// The command lines of code blocks that run the program.
fn command_lines(name: &str, text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut fenced = false;
    // Continued lines are joined; their indentation must not be taken for a comment.
    let mut parts = text.split("\\\n");
    let first = parts.next().unwrap_or_default().to_owned();
    let joined = parts.fold(first, |joined, part| joined + part.trim_start());
    for (number, line) in joined.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if !fenced && !line.starts_with("    ") {
            continue;
        }
        for part in without_remark(line.trim()).split([';', '|']) {
            let mut words = shell_words(part);
            let start = words.iter().position(|word| word == "iron-cropper");
            let run = words.windows(2).position(|two| two == ["cargo", "run"]);
            match (start, run) {
                // Only other programs' words may precede it: not a table, nor code of another language.
                (Some(at), _) if at == 0 || words[0] == "parallel" => _ = words.drain(..=at),
                (None, Some(0)) => {
                    words.drain(..2);
                    // cargo's own flags end before those of the program.
                    words.drain(..words.iter().position(|word| word == "--").map_or(words.len(), |at| at + 1));
                }
                _ => continue,
            }
            let place = format!("{name}:{}", number + 1);
            let behind = |sign: &str| words.iter().skip_while(|word| *word != sign).nth(1).cloned();
            let (from, to) = (behind("<"), behind(">"));
            let end = words.iter().position(|word| [">", ">>", "<", "2>", "&", "&&", ":::"].contains(&word.as_str()));
            words.truncate(end.unwrap_or(words.len()));
            lines.push(Line { place, words, from, to });
        }
    }
    lines
}

/// A line without its comment: after `#` or after three spaces.
fn without_remark(line: &str) -> &str {
    let line = line.split("   ").next().unwrap_or_default();
    line.split(" # ").next().unwrap_or_default().split("  (").next().unwrap_or_default()
}

/// Splits a line into words like a shell.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote, mut any) = (String::new(), None, false);
    for c in line.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => (quote, any) = (Some(c), true),
            (c, None) if c.is_whitespace() => {
                if any || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            (c, _) => word.push(c),
        }
    }
    if any || !word.is_empty() {
        words.push(word);
    }
    words
}

/// The words with placeholders replaced by real values.
pub(crate) fn filled_in(words: &[String]) -> Vec<String> {
    let mut filled = Vec::new();
    let mut in_brackets = false;
    for word in words {
        // Optional arguments are dropped.
        in_brackets |= word.starts_with('[');
        if in_brackets {
            in_brackets = !word.trim_end_matches('.').ends_with(']');
            continue;
        }
        let word = match word.trim_end_matches("...") {
            "PHOTO_OR_FOLDER" | "PATH" | "PHOTO" => "photo.jpg",
            "JOURNAL" => "journal.jsonl",
            "FOLDER" if word.ends_with("...") => "scans",
            "FOLDER" | "DIR" => "out",
            "NAME" => "headshot",
            "SHELL" => "bash",
            other => other,
        };
        filled.push(word.replace("{}/", "1/").replace("$SLURM_ARRAY_TASK_ID", "1"));
    }
    filled
}

/// The command lines of the README and of the pages in `docs`, in order.
pub(crate) fn all_lines() -> Vec<Line> {
    let documents = documents();
    let read = documents.iter().filter(|(name, _)| name.starts_with("docs/") || *name == "README.md");
    read.flat_map(|(name, text)| command_lines(name, text)).collect()
}

#[test]
fn every_documented_command_line_parses() {
    let lines = all_lines();
    assert!(lines.len() > 30, "only {} were found", lines.len());
    let mut faults = Vec::new();
    for Line { place, words, .. } in &lines {
        let given = std::iter::once("iron-cropper".to_owned()).chain(filled_in(words));
        if let Err(error) = Arguments::read(given)
            && error.use_stderr()
        {
            faults.push(format!("{place}: iron-cropper {}\n{error}", words.join(" ")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    text.lines().filter(|line| line.starts_with('#')).map(anchor).collect()
}

/// The link targets of a document, and the documents it names in code.
fn targets(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for (at, _) in text.match_indices("](") {
        let target = text[at + 2..].split(')').next().unwrap_or_default();
        targets.push(target.to_owned());
    }
    targets
}

#[test]
fn links_have_targets() {
    let documents = documents();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut faults = Vec::new();
    let mut count = 0;
    for (name, text) in &documents {
        let here = Path::new(name).parent().expect("a folder");
        for target in targets(text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            count += 1;
            let (path, fragment) = target.split_once('#').unwrap_or((&target, ""));
            let path = if path.is_empty() { PathBuf::from(name) } else { here.join(path) };
            if !root.join(&path).exists() {
                faults.push(format!("{name}: {target} is not there"));
                continue;
            }
            let Ok(text) = fs::read_to_string(root.join(&path)) else { continue };
            if !fragment.is_empty() && !anchors(&text).contains(fragment) {
                faults.push(format!("{name}: {target} has no such heading"));
            }
        }
        // `docs/user/cli.md` in code, as other pages name it.
        for (at, _) in text.match_indices("`docs/") {
            let path = text[at + 1..].split('`').next().unwrap_or_default();
            if path.ends_with(".md") && !root.join(path).exists() {
                faults.push(format!("{name}: {path} is not there"));
            }
        }
    }
    assert!(count > 40, "only {count} links were found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_readme_lists_every_page() {
    let documents = documents();
    let readme = &documents["README.md"];
    let missing: Vec<&String> =
        documents.keys().filter(|name| name.starts_with("docs/") && !readme.contains(&format!("]({name})"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_document_parsers_work() {
    let text = "# A\n\n    iron-cropper crop 'a b' -o out | other   says it\n    find . | iron-cropper detect - < x\nno iron-cropper\n\
                ```sh\ncargo run -- crop a  # remark\n```\n    print([\"iron-cropper\"])\n    parallel -j1 \\\n        iron-cropper crop b\n";
    let lines = command_lines("x", text);
    assert_eq!((lines[1].from.as_deref(), lines[1].to.as_deref()), (Some("x"), None));
    let lines: Vec<Vec<String>> = lines.into_iter().map(|line| line.words).collect();
    assert_eq!(lines, [vec!["crop", "a b", "-o", "out"], vec!["detect", "-"], vec!["crop", "a"], vec!["crop", "b"]]);
    let synopsis =
        ["crop", "PATH...", "-o", "DIR", "[OPTION...]", "[-o", "FILE]", "--shard", "{}/16"].map(str::to_owned);
    assert_eq!(filled_in(&synopsis), ["crop", "photo.jpg", "-o", "out", "--shard", "1/16"]);
    assert_eq!(anchor("## `crop` and \"detect\", both"), "crop-and-detect-both");
    let found: Vec<String> = options_in("| `--a-b`, --cd=1 x--no ---no | --").into_iter().collect();
    assert_eq!(found, ["--a-b", "--cd"]);
}
