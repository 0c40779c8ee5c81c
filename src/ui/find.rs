//! What the palette finds for a few typed letters: actions, presets and photos, the likeliest first.

use batch::worker::ItemId;

use super::actions::Action;
use super::command::Command;
use super::language::{say, tr};
use super::state::{AppState, SelectHow};
use super::{actions, words};

/// Most photos that are listed.
const MAX_PHOTOS: usize = 50;

/// One thing that was found.
#[derive(Clone)]
pub(crate) struct Found {
    pub name: String,
    /// Where else it is, or what it is: "File", "Photo".
    pub about: &'static str,
    /// For actions: which one, for its keys and whether it is on.
    pub action: Option<&'static Action>,
    /// What it does; `None` where that cannot be done now.
    pub command: Option<Command>,
}

/// What `query` finds: what can be done now before what cannot, then the better match, then the order of the menus. An
/// empty query finds every action and preset.
pub(crate) fn find(state: &AppState, query: &str) -> Vec<Found> {
    let query = query.trim().to_lowercase();
    let mut ranked: Vec<(bool, Rank, Found)> = Vec::new();
    let mut offer = |found: Found, haystack: &str| {
        if let Some(rank) = rank(haystack, &query) {
            ranked.push((found.command.is_none(), rank, found));
        }
    };
    for action in actions::all() {
        let detail = action.detail.and_then(|detail| detail(state));
        let name = words::action(action.name, detail);
        // Who knows the English name finds it by that as well.
        let also = if name == action.name { "" } else { action.name };
        let menu = tr(action.menu.name());
        let haystack = format!("{name} {menu} {also}").to_lowercase();
        let command = (action.command)(state);
        offer(Found { name, about: menu, action: Some(action), command }, &haystack);
    }
    for preset in state.presets() {
        let name = say!("Preset: {preset}", preset = words::preset_name(preset));
        let haystack = name.to_lowercase();
        let command = Some(Command::ChoosePreset(preset.id.clone()));
        offer(Found { name, about: tr("Preset"), action: None, command }, &haystack);
    }
    ranked.sort_by_key(|(cannot, rank, _)| (*cannot, *rank));
    let mut found: Vec<Found> = ranked.into_iter().map(|(_, _, found)| found).collect();
    found.extend(photos(state, &query).map(|(id, name)| Found {
        name: name.to_owned(),
        about: tr("Photo"),
        action: None,
        command: Some(Command::Select(id, SelectHow::Only)),
    }));
    found
}

fn photos<'a>(state: &'a AppState, query: &'a str) -> impl Iterator<Item = (ItemId, &'a str)> {
    let asked = if query.is_empty() { &[] } else { state.list.library.photos() };
    let alike = asked.iter().filter(|photo| is_in(query, &photo.name));
    alike.take(MAX_PHOTOS).map(|photo| (photo.id, photo.name.as_str()))
}

fn is_in(query: &str, name: &str) -> bool {
    let name = name.to_lowercase();
    query.split_whitespace().all(|word| name.contains(word))
}

/// How well something matches; the lesser the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// It begins with what was typed.
    Begins,
    /// Each word that was typed begins one of its words.
    Words,
    /// Each word that was typed is somewhere in it.
    Within,
    /// The letters that were typed are in it, in their order.
    Letters,
}

/// Both in lower case.
fn rank(haystack: &str, query: &str) -> Option<Rank> {
    if haystack.starts_with(query) {
        return Some(Rank::Begins);
    }
    let begins_word = |word: &str| haystack.split(|c: char| !c.is_alphanumeric()).any(|part| part.starts_with(word));
    if query.split_whitespace().all(begins_word) {
        return Some(Rank::Words);
    }
    if query.split_whitespace().all(|word| haystack.contains(word)) {
        return Some(Rank::Within);
    }
    let mut letters = haystack.chars();
    let all_there = query.chars().filter(|c| !c.is_whitespace()).all(|wanted| letters.any(|letter| letter == wanted));
    all_there.then_some(Rank::Letters)
}

#[cfg(test)]
mod tests {
    use batch::settings::Settings;

    use super::*;

    fn names(query: &str) -> Vec<String> {
        find(&AppState::new(Settings::default()), query).into_iter().map(|found| found.name).collect()
    }

    #[test]
    fn the_better_match_comes_first() {
        let ranks = ["add fi", "files add", "dd", "afls", "xyz"].map(|query| rank("add files… file", query));
        let expected = [Some(Rank::Begins), Some(Rank::Words), Some(Rank::Within), Some(Rank::Letters), None];
        assert_eq!(ranks, expected);
        assert_eq!(names("folder")[0], "Add folder…", "what begins a word");
    }

    #[test]
    fn what_can_be_done_comes_before_what_cannot() {
        let all = find(&AppState::new(Settings::default()), "");
        let first_off = all.iter().position(|found| found.command.is_none()).expect("exporting needs photos");
        assert!(all[first_off..].iter().all(|found| found.command.is_none()));
        assert!(all.len() >= actions::all().count(), "every action is found");
    }

    #[test]
    fn presets_and_photos_are_found_by_name() {
        let mut state = AppState::new(Settings::default());
        let preset = state.presets().next().expect("a preset").name.clone();
        assert_eq!(find(&state, &format!("preset: {preset}"))[0].name, format!("Preset: {preset}"));
        for number in 0..60 {
            state.list.library.add(std::path::Path::new(&format!("/photos/Anna_{number}.jpg")));
        }
        let photos =
            |query: &str| find(&state, query).into_iter().filter(|found| found.name.starts_with("Anna_")).count();
        assert_eq!((photos("anna"), photos("anna 5"), photos("")), (50, 15, 0));
    }
}
