//! `iron-cropper man`: manual pages, generated from the argument definitions.

use std::sync::Arc;

use anyhow::{Context, anyhow};
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use batch::worker::{Event, FilesRequest, WorkerHandle};

use super::args::Arguments;
use super::ask::ask;
use super::completions::shown;
use super::man_args::ManArgs;
use super::print::LinePrinter;
use super::{Exit, print};

/// Prints or writes the pages.
pub(super) fn run(args: &ManArgs) -> anyhow::Result<Exit> {
    let pages = pages()?;
    let Some(folder) = &args.to else {
        let (_, page) = pages.first().context("there is no man page")?;
        let _ = print::bytes(page.as_bytes())?;
        return Ok(Exit::Done);
    };
    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let mut printer = LinePrinter::default();
    for (name, text) in pages {
        let path = folder.join(&name);
        let about = || format!("{} cannot be written", print::path(&path));
        let request = FilesRequest::SaveText { path: path.clone(), text, replace: true };
        let saved = ask(&worker, request, |event| match event {
            Event::TextSaved(saved) => saved.map(Some).map_err(|error| anyhow!(error.to_string())),
            _ => Ok(None),
        });
        saved.with_context(about)?;
        if printer.line(&print::path(&path)).is_closed() {
            return Ok(Exit::SomeFailed);
        }
    }
    Ok(if printer.has_failed() { Exit::SomeFailed } else { Exit::Done })
}

/// File name and text of each page, the program's own first.
fn pages() -> anyhow::Result<Vec<(String, String)>> {
    let mut command = shown(&Arguments::command());
    command.build();
    let mut pages = Vec::new();
    add_pages(&command, "", &mut pages)?;
    Ok(pages)
}

fn add_pages(command: &Command, above: &str, pages: &mut Vec<(String, String)>) -> anyhow::Result<()> {
    let name = if above.is_empty() { command.get_name().to_owned() } else { format!("{above}-{}", command.get_name()) };
    let mut text = Vec::new();
    Man::new(command.clone().display_name(name.clone())).render(&mut text)?;
    pages.push((format!("{name}.1"), String::from_utf8(text)?));
    for subcommand in command.get_subcommands().filter(|it| !it.is_hide_set() && it.get_name() != "help") {
        add_pages(subcommand, &name, pages)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_subcommand_has_a_page_with_its_flags() {
        let pages = pages().expect("rendered");
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names[0], "iron-cropper.1");
        for name in
            ["iron-cropper-crop.1", "iron-cropper-detect.1", "iron-cropper-presets-show.1", "iron-cropper-man.1"]
        {
            assert!(names.contains(&name), "{name} of {names:?}");
        }
        let page = |name: &str| pages.iter().find(|(known, _)| known == name).map_or("", |(_, text)| text);
        let crop = page("iron-cropper-crop.1");
        assert!(crop.starts_with(".ie") || crop.starts_with(".TH"), "{}", &crop[..60]);
        assert!(crop.contains("on\\-conflict") && crop.contains(".SH SYNOPSIS"));
        assert!(!names.iter().any(|name| name.contains("measure") || name.ends_with("-help.1")), "{names:?}");
    }
}
