//! Messages about projects and autosaved lists.

use super::*;

/// Message after a project was opened.
pub(crate) fn opened(changed: usize, settings_lost: &[String], edits_lost: usize) -> Vec<String> {
    let mut texts = Vec::new();
    match changed {
        0 => {}
        1 => texts.push(tr("One photo has changed since the project was saved. Check its crop.").to_owned()),
        _ => texts.push(count!(
            changed,
            "{n} photo has changed since the project was saved. Check its crop.",
            "{n} photos have changed since the project was saved. Check their crops."
        )),
    }
    if !settings_lost.is_empty() {
        texts.push(say!(
            "Some project settings could not be read and use their defaults: {names}.",
            names = listed(settings_lost)
        ));
    }
    match edits_lost {
        0 => {}
        1 => {
            let text = tr("The edits to one photo could not be read and were skipped.");
            texts.push(text.to_owned());
        }
        _ => texts.push(count!(
            edits_lost,
            "The edits to {n} photo could not be read and were skipped.",
            "The edits to {n} photos could not be read and were skipped."
        )),
    }
    texts
}

/// An export that was interrupted before the window was opened.
pub(crate) fn unfinished(run: &UnfinishedRun) -> String {
    let UnfinishedRun { folder, done, total } = run;
    let folder = folder.display().to_string();
    count!(
        *done,
        "The export to {folder} was interrupted: {n} photo of {total} is done. Resume continues it.",
        "The export to {folder} was interrupted: {n} photos of {total} are done. Resume continues it.",
        folder = folder,
        total = *total
    )
}

/// A list that was not saved when the window ended.
pub(crate) fn recoverable_list(list: &RecoverableList) -> String {
    let age = age(list.age_s);
    match &list.state_of {
        Some(path) => {
            let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
            count!(
                list.photos,
                "Changes in “{name}” ({n} photo) were not saved. They were backed up {age}.",
                "Changes in “{name}” ({n} photos) were not saved. They were backed up {age}.",
                name = name,
                age = age
            )
        }
        None => count!(
            list.photos,
            "A list of {n} photo was not saved. It was backed up {age}.",
            "A list of {n} photos was not saved. It was backed up {age}.",
            age = age
        ),
    }
}

/// A crashed session: the files it was reading, its autosaved list if there is one, and its log.
pub(crate) fn crash_report(crashed: &CrashedSessions, list: Option<&RecoverableList>) -> String {
    let first = match list {
        // It tells when.
        Some(_) => tr("Iron Cropper ended unexpectedly.").to_owned(),
        None => say!("Iron Cropper ended unexpectedly {age}.", age = age(crashed.age_s)),
    };
    let names: Vec<String> = crashed
        .files
        .iter()
        .map(|file| file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned())
        .take(MAX_FILES)
        .collect();
    let files = match crashed.files.len() {
        0 => None,
        1 => Some(say!("It was reading {name}, which is quarantined until you choose to open it.", name = names[0])),
        count => Some(count!(
            count,
            "It was reading {n} photo, which is quarantined until you choose to open it: {names}.",
            "It was reading {n} photos, which are quarantined until you choose to open them: {names}.",
            names = listed(&names)
        )),
    };
    let log = crashed.log.as_ref().map(|log| say!("Log: {path}", path = log.display().to_string()));
    [Some(first), list.map(recoverable_list), files, log].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Maximum number of file names listed after a crash.
const MAX_FILES: usize = 3;

/// Approximate time since something happened.
fn age(seconds: u64) -> String {
    let of = |unit: u64| usize::try_from(seconds / unit).unwrap_or(usize::MAX);
    match seconds {
        0..120 => tr("a moment ago").to_owned(),
        120..7200 => count!(of(60), "{n} minute ago", "{n} minutes ago"),
        7200..172_800 => count!(of(3600), "{n} hour ago", "{n} hours ago"),
        _ => count!(of(86_400), "{n} day ago", "{n} days ago"),
    }
}

/// Missing photos of a project; `names` are the first of them.
pub(crate) fn missing(names: &[&str], count: usize) -> String {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let listed = listed(&names);
    match count.saturating_sub(names.len()) {
        0 if count == 1 => say!("The file of one photo is missing: {names}.", names = listed),
        0 => count!(
            count,
            "The file of {n} photo is missing: {names}.",
            "The files of {n} photos are missing: {names}.",
            names = listed
        ),
        more => count!(
            count,
            "The file of {n} photo is missing: {names} and {more} more.",
            "The files of {n} photos are missing: {names} and {more} more.",
            names = listed,
            more = more
        ),
    }
}

/// Result of a search for missing photos.
pub(crate) fn found_again(found: usize, wanted: usize) -> String {
    if found == 0 {
        return tr("None of the missing photos is in that folder or its subfolders: name and file size must match.")
            .to_owned();
    }
    if found >= wanted {
        return tr("All missing photos were found.").to_owned();
    }
    say!("{found} of {wanted} missing photos were found.", found = found, wanted = wanted)
}
