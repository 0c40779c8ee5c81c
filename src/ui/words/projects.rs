//! What is said of projects and lists that were kept.

use super::*;

/// What to tell of a project that was opened.
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
            "Some settings of the project could not be understood and are as usual: {names}.",
            names = listed(settings_lost)
        ));
    }
    match edits_lost {
        0 => {}
        1 => {
            let text = tr("What was decided about one photo could not be understood and was left out.");
            texts.push(text.to_owned());
        }
        _ => texts.push(count!(
            edits_lost,
            "What was decided about {n} photo could not be understood and was left out.",
            "What was decided about {n} photos could not be understood and was left out."
        )),
    }
    texts
}

/// An export that was broken off before the window was opened.
pub(crate) fn unfinished(run: &UnfinishedRun) -> String {
    let UnfinishedRun { folder, done, total } = run;
    let folder = folder.display().to_string();
    count!(
        *done,
        "An export into {folder} was broken off: {n} photo of {total} is done. Resume makes the others.",
        "An export into {folder} was broken off: {n} photos of {total} are done. Resume makes the others.",
        folder = folder,
        total = *total
    )
}

/// A list that can be recovered.
pub(crate) fn lost_list(lost: &LostList) -> String {
    let age = age(lost.age_s);
    match &lost.state_of {
        Some(path) => {
            let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
            count!(
                lost.photos,
                "Iron Cropper ended without closing. Changes in “{name}” ({n} photo) were kept {age}.",
                "Iron Cropper ended without closing. Changes in “{name}” ({n} photos) were kept {age}.",
                name = name,
                age = age
            )
        }
        None => count!(
            lost.photos,
            "Iron Cropper ended without closing. A list of {n} photo was kept {age}.",
            "Iron Cropper ended without closing. A list of {n} photos was kept {age}.",
            age = age
        ),
    }
}

/// A window that ended without closing: what it was reading, the list it kept where there is one, and its log.
pub(crate) fn ended_before(ended: &EndedBefore, list: Option<&LostList>) -> String {
    let first =
        list.map_or_else(|| say!("Iron Cropper ended without closing {age}.", age = age(ended.age_s)), lost_list);
    let names: Vec<String> = ended
        .files
        .iter()
        .map(|file| file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned())
        .take(NAMED_FILES)
        .collect();
    let files = match ended.files.len() {
        0 => None,
        1 => Some(say!("It was reading {name}, which is left out until you say otherwise.", name = names[0])),
        count => Some(count!(
            count,
            "It was reading {n} photo, which is left out until you say otherwise: {names}.",
            "It was reading {n} photos, which are left out until you say otherwise: {names}.",
            names = listed(&names)
        )),
    };
    let log = ended.log.as_ref().map(|log| say!("The log: {path}", path = log.display().to_string()));
    [Some(first), files, log].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Names of files that are told after a crash.
const NAMED_FILES: usize = 3;

/// How long ago something was, roughly.
fn age(seconds: u64) -> String {
    let of = |unit: u64| usize::try_from(seconds / unit).unwrap_or(usize::MAX);
    match seconds {
        0..120 => tr("a moment ago").to_owned(),
        120..7200 => count!(of(60), "{n} minute ago", "{n} minutes ago"),
        7200..172_800 => count!(of(3600), "{n} hour ago", "{n} hours ago"),
        _ => count!(of(86_400), "{n} day ago", "{n} days ago"),
    }
}

/// Photos of a project whose files are not there; `names` are the first of them.
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

/// What became of a search for missing photos.
pub(crate) fn found_again(found: usize, wanted: usize) -> String {
    if found == 0 {
        return tr("None of the missing photos is below that folder: the name and the length have to be the same.")
            .to_owned();
    }
    if found >= wanted {
        return tr("All missing photos were found.").to_owned();
    }
    say!("{found} of {wanted} missing photos were found.", found = found, wanted = wanted)
}
