//! Search for the command palette: actions, settings, presets and photos, best match first.

use batch::worker::ItemId;

use super::actions::Action;
use super::command::Command;
use super::language::{say, tr};
use super::settings_index::SETTINGS;
use super::state::{AppState, SelectHow};
use super::{actions, messages};

/// Maximum number of photos listed.
const MAX_PHOTOS: usize = 50;

/// A search result.
#[derive(Clone)]
pub(crate) struct Found {
    pub name: String,
    /// Its menu or its type: "File", "Photo".
    pub about: &'static str,
    /// For actions: the action, for its shortcut and toggle state.
    pub action: Option<&'static Action>,
    /// The command it sends; `None` if disabled.
    pub command: Option<Command>,
}

/// Results for `query`, sorted by enabled first, then by match, then actions in menu order before presets, settings and
/// photos. An empty query returns every action and preset.
pub(crate) fn find(state: &AppState, query: &str) -> Vec<Found> {
    let query = query.trim().to_lowercase();
    let mut ranked: Vec<(bool, Rank, Found)> = Vec::new();
    let mut offer = |found: Found, haystack: &str| {
        if let Some(rank) = rank(haystack, &query) {
            ranked.push((found.command.is_none(), rank, found));
        }
    };
    for action in actions::all().filter(|action| (action.is_offered)(state)) {
        let detail = action.detail.and_then(|detail| detail(state));
        let name = messages::action(action.name, detail);
        // The English name matches in other languages too.
        let also = if name == action.name { "" } else { action.name };
        let menu = tr(action.menu.name());
        let haystack = format!("{name} {menu} {also}").to_lowercase();
        let command = (action.command)(state);
        offer(Found { name, about: menu, action: Some(action), command }, &haystack);
    }
    for preset in state.presets() {
        let name = say!("Preset: {preset}", preset = messages::preset_name(preset));
        let haystack = name.to_lowercase();
        let command = Some(Command::ChoosePreset(preset.id.clone()));
        offer(Found { name, about: tr("Preset"), action: None, command }, &haystack);
    }
    for setting in SETTINGS.iter().filter(|_| !query.is_empty()) {
        let (name, section) = (tr(setting.label), tr(setting.section));
        let also: Vec<&str> = setting.also.iter().map(|text| tr(text)).collect();
        let haystack = format!("{name} {} {section} {}", also.join(" "), setting.label).to_lowercase();
        // The settings are hidden while runtimes are compared.
        let command = (!state.runtime.compare.shown).then_some(Command::ShowSetting(setting));
        offer(Found { name: name.to_owned(), about: section, action: None, command }, &haystack);
    }
    for (id, name) in photos(state, &query) {
        let command = Some(Command::Select(id, SelectHow::Only));
        offer(Found { name: name.to_owned(), about: tr("Photo"), action: None, command }, &name.to_lowercase());
    }
    ranked.sort_by_key(|(cannot, rank, _)| (*cannot, *rank));
    ranked.into_iter().map(|(_, _, found)| found).collect()
}

fn photos<'a>(state: &'a AppState, query: &'a str) -> impl Iterator<Item = (ItemId, &'a str)> {
    let candidates = if query.is_empty() { &[] } else { state.list.library.photos() };
    let alike = candidates.iter().filter(|photo| is_in(query, &photo.name));
    alike.take(MAX_PHOTOS).map(|photo| (photo.id, photo.name.as_str()))
}

fn is_in(query: &str, name: &str) -> bool {
    let name = name.to_lowercase();
    query.split_whitespace().all(|word| name.contains(word))
}

/// Quality of a match; lower is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The name starts with the query.
    Begins,
    /// Each word of the query starts a word of the name.
    Words,
    /// Each word of the query occurs in the name.
    Within,
    /// The query abbreviates words of the name: "exal" for "Export all".
    Abbreviation,
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
    let words: Vec<&str> = haystack.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    abbreviates(query, &words).then_some(Rank::Abbreviation)
}

/// True if `query` consists of the beginnings of some of the words, in their order.
fn abbreviates(query: &str, words: &[&str]) -> bool {
    let Some((word, others)) = words.split_first() else { return query.is_empty() };
    let beginnings = query.char_indices().map(|(at, letter)| at + letter.len_utf8());
    abbreviates(query, others)
        || beginnings
            .take_while(|end| word.starts_with(&query[..*end]))
            .any(|end| abbreviates(query[end..].trim_start(), others))
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
        let ranks = ["add fi", "files add", "dd", "adfi", "afls"].map(|query| rank("add files… file", query));
        let expected = [Some(Rank::Begins), Some(Rank::Words), Some(Rank::Within), Some(Rank::Abbreviation), None];
        assert_eq!(ranks, expected);
        assert_eq!(rank("turn the frame left by half a degree faces", "names"), None, "scattered letters");
        assert_eq!(names("folder")[0], "Add folder…", "the start of a word");
    }

    #[test]
    fn enabled_results_come_before_disabled_ones() {
        let all = find(&AppState::new(Settings::default()), "");
        let first_off = all.iter().position(|found| found.command.is_none()).expect("exporting needs photos");
        assert!(all[first_off..].iter().all(|found| found.command.is_none()));
        assert!(all.len() >= actions::all().count(), "every action is found");
    }

    #[test]
    fn settings_are_found_by_their_name_and_by_the_words_of_their_control() {
        assert_eq!(names("head height")[0], "Head height");
        assert_eq!(names("eye line")[0], "Position by");
        assert_eq!(names("faces to c")[0], "Faces to crop");
        assert!(names("").iter().all(|name| name != "Head height"), "not in the list of actions");
        let mut state = AppState::new(Settings::default());
        state.runtime.compare.shown = true;
        let hidden = find(&state, "head height").into_iter().find(|found| found.name == "Head height").expect("found");
        assert!(hidden.command.is_none(), "the panel is hidden");
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
        assert_eq!(find(&state, "anna_7")[0].name, "Anna_7.jpg");
    }
}
