//! Right panel: name list and folders of the crops, and the template of their names.

mod rows_page;
mod template;

use egui::{Align, CollapsingHeader, ComboBox, Id, Label, Layout, RichText, TextEdit, Ui};

use naming::name_list::NameListError;
use naming::{Characters, Folders, ListSpec, Missing, NamesSpec};

use super::super::command::{Command, Commands, NamesCommand};
use super::super::dialogs::PickerKind;
use super::super::language::{count, say, tr};
use super::super::state::{AppState, Filter, KnownNames, Mark, Marks, Page};
use super::super::theme::palette;
use super::super::widgets::{
    Icon, choice, elide_middle, failed, field_line, icon_button, labelled, note, opens_section, option, tick,
};
use super::super::{messages, theme};

pub(super) use rows_page::rows_without_photo_ui;
pub(super) use template::template_ui;

pub(super) fn names_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let opens = is_newly_set(ui, state.names.lists_set).then_some(true).or(opens_section(ui.ctx(), tr("Names")));
    CollapsingHeader::new(RichText::new(tr("Names")).strong()).open(opens).show_unindented(ui, |ui| {
        let mut spec = state.settings.names.clone();
        list_ui(ui, state, &mut spec, commands);
        labelled(ui, tr("Cards"), |ui| {
            let about =
                tr("Reads QR codes, Data Matrix, Code 128 and Code 39: a card names its photo and those after it");
            tick(ui, true, &mut spec.cards, tr("Read cards")).on_hover_text(about);
        });
        facts_ui(ui, state, commands);
        paired_ui(ui, state, commands);
        folders_ui(ui, headings(state), &mut spec);
        let characters = [Characters::Portable, Characters::Ascii];
        let options = characters.map(|characters| (characters, messages::characters(characters), None));
        let now = spec.characters;
        if let Some(picked) = choice(ui, tr("Characters"), Some(now), messages::characters(now), options) {
            spec.characters = picked;
        }
        if spec != state.settings.names {
            commands.push(Command::Names(NamesCommand::Set(spec)));
        }
    });
}

/// True once after a list was dropped or chosen.
fn is_newly_set(ui: &Ui, lists_set: u32) -> bool {
    let id = Id::unique("name-lists-set");
    let before = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<u32>(id), lists_set));
    before != lists_set
}

/// The list's file, sheet and columns.
fn list_ui(ui: &mut Ui, state: &AppState, spec: &mut NamesSpec, commands: &mut Commands) {
    labelled(ui, tr("Name list"), |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, true, Icon::Folder, tr("Choose a name list…")).clicked() {
                commands.push(Command::Pick(PickerKind::NameList));
            }
            let Some(list) = &spec.list else {
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(Label::new(RichText::new(tr("None")).weak()).truncate());
                });
                return;
            };
            let removed = icon_button(ui, true, Icon::Close, tr("Remove the list")).clicked();
            let name = list.file.file_name().unwrap_or(list.file.as_os_str()).to_string_lossy().into_owned();
            let shown = elide_middle(ui, &name, &theme::body(), ui.available_width());
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.label(shown).on_hover_text(list.file.display().to_string());
            });
            if removed {
                spec.list = None;
            }
        });
    });
    let Some(list) = &mut spec.list else { return };
    let used = state.names.known.as_ref().and_then(|known| known.list.as_ref());
    sheet_ui(ui, sheets(state), used.and_then(|used| Some(used.roster.as_ref()?.sheet)), list);
    let headings = headings(state);
    let cards = spec.cards.then(|| state.names.known.as_ref().and_then(|known| known.card_column));
    if !headings.is_empty() {
        let columns = state.names.roster().map(|roster| roster.columns);
        for (label, requested, detected) in [
            (tr("Photo column"), &mut list.source, columns.and_then(|columns| columns.source)),
            (tr("Name column"), &mut list.output, columns.and_then(|columns| columns.output)),
            (tr("Preset column"), &mut list.preset, columns.and_then(|columns| columns.preset)),
        ] {
            column_ui(ui, label, requested, detected, headings);
        }
        if let Some(detected) = cards {
            column_ui(ui, tr("Card column"), &mut list.card, detected, headings);
        }
    }
    let policies = [Missing::Keep, Missing::Skip, Missing::Fail];
    let options = policies.map(|missing| (missing, messages::missing_policy(missing), None));
    if let Some(missing) =
        choice(ui, tr("Not in list"), Some(list.missing), messages::missing_policy(list.missing), options)
    {
        list.missing = missing;
    }
    if let Some(fault) = used.and_then(|used| used.fault.as_ref()) {
        failed(ui, say!("The list cannot be used: {reason}", reason = messages::name_list_error(fault)));
    }
}

fn sheet_ui(ui: &mut Ui, sheets: &[String], detected: Option<usize>, list: &mut ListSpec) {
    if sheets.len() < 2 && list.sheet.is_none() {
        return;
    }
    let is_number = |sheet: &String| sheet.parse::<usize>().is_ok();
    // A number would be read as the position of another sheet.
    let key = |at: usize| if is_number(&sheets[at]) { (at + 1).to_string() } else { sheets[at].clone() };
    let keys: Vec<String> = (0..sheets.len()).map(key).collect();
    choice_of_texts(ui, tr("Sheet"), &mut list.sheet, detected, (sheets, &keys));
}

fn column_ui(ui: &mut Ui, label: &str, requested: &mut Option<String>, detected: Option<usize>, headings: &[String]) {
    // Of equal headings, all but the first are referred to by number.
    let key = |(at, heading): (usize, &String)| match headings.iter().position(|other| other == heading) {
        Some(first) if first < at => (at + 1).to_string(),
        _ => heading.clone(),
    };
    let keys: Vec<String> = headings.iter().enumerate().map(key).collect();
    choice_of_texts(ui, label, requested, detected, (headings, &keys));
}

/// A row with a drop-down list of texts with their keys, and of the automatic choice, which is `detected`.
fn choice_of_texts(
    ui: &mut Ui,
    label: &str,
    chosen: &mut Option<String>,
    detected: Option<usize>,
    (texts, keys): (&[String], &[String]),
) {
    let automatic = match detected.and_then(|detected| texts.get(detected)).filter(|_| chosen.is_none()) {
        Some(text) => say!("Automatic: {choice}", choice = text),
        None => tr("Automatic").to_owned(),
    };
    labelled(ui, label, |ui| {
        let width = ui.available_width();
        let shown = chosen.as_ref().map(|chosen| {
            let at = keys.iter().position(|key| key == chosen);
            at.map_or_else(|| chosen.clone(), |at| texts[at].clone())
        });
        let shown = shown.unwrap_or_else(|| automatic.clone());
        let mut picked = None;
        ComboBox::from_id_salt(label).selected_text(shown).width(width).truncate().show_ui(ui, |ui| {
            if option(ui, chosen.is_none(), automatic).clicked() {
                picked = Some(None);
                ui.close();
            }
            for (at, (text, key)) in texts.iter().zip(keys).enumerate() {
                let is_chosen = chosen.as_ref() == Some(key);
                if ui.push_id(at, |ui| option(ui, is_chosen, text)).inner.clicked() {
                    picked = Some(Some(key.clone()));
                    ui.close();
                }
            }
        });
        if let Some(picked) = picked {
            *chosen = picked;
        }
    });
}

/// What the names are like. Each fact filters the list.
fn facts_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    if state.names.known.is_none() {
        if state.computing_names() {
            note(ui, tr("Reading the names…"));
        }
        return;
    }
    if let Some(known) = state.names.known.as_ref().filter(|known| known.list.is_some()) {
        list_facts_ui(ui, known, commands);
    }
    for &mark in Mark::NAMES {
        let number = state.list.library.count(mark);
        if number > 0 && ui.link(fact(mark, number)).on_hover_text(tr(messages::about_mark(mark))).clicked() {
            let (filter, marks) = (state.list.library.filter(), Marks::default().with(mark));
            // A second click shows all photos.
            let marks = if filter.marks == marks { Marks::default() } else { marks };
            commands.push(Command::SetFilter(Filter { marks, text: None, ..filter.clone() }));
        }
    }
}

/// The match of list and photos.
fn list_facts_ui(ui: &mut Ui, known: &KnownNames, commands: &mut Commands) {
    ui.horizontal(|ui| {
        let matched = known.matched;
        let text = count!(
            known.photos,
            "{matched} of {n} photo matched",
            "{matched} of {n} photos matched",
            matched = matched
        );
        ui.label(text);
        if ui.link(tr("Reload")).on_hover_text(tr("Reads the list again")).clicked() {
            commands.push(Command::Names(NamesCommand::Reload));
        }
    });
    let unused = known.rows_without_photo.len();
    if unused > 0 && ui.link(count!(unused, "{n} row without a photo", "{n} rows without a photo")).clicked() {
        commands.push(Command::OpenPage(Page::RowsWithoutPhoto));
    }
}

fn fact(mark: Mark, number: usize) -> String {
    match mark {
        Mark::NoRow => count!(number, "{n} photo without a row", "{n} photos without a row"),
        Mark::LooseMatch => count!(number, "{n} loose match", "{n} loose matches"),
        Mark::SameName => count!(number, "{n} photo with the name of another", "{n} photos that share names"),
        Mark::Card => count!(number, "{n} card", "{n} cards"),
        Mark::UnlistedCard => count!(number, "{n} card not in the list", "{n} cards not in the list"),
        _ => count!(number, "{n} named by hand", "{n} named by hand"),
    }
}

/// The patterns of paired files, with their error below.
fn paired_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let (typed, used) = (&state.names.paired, &state.settings.recipe.paired);
    let error = typed.error(used);
    labelled(ui, tr("Paired files"), |ui| {
        let mut text = typed.text(used);
        let about = tr("Also crops the files of these names with the frames of their photos, such as {stem}_mask.png");
        let response = ui.scope(|ui| {
            field_line(ui, error.map(|_| palette(ui).error));
            let edit = TextEdit::singleline(&mut text).id(Id::unique("paired-files")).desired_width(f32::INFINITY);
            ui.add(edit).accessible_name(tr("Patterns of paired files")).on_hover_text(about)
        });
        if response.inner.changed() {
            commands.push(Command::Names(NamesCommand::SetPaired(text)));
        }
    });
    if let Some(error) = error {
        failed(ui, messages::capitalized(&messages::paired_pattern_error(error)));
    }
}

/// Where crops are written below the output folder.
fn folders_ui(ui: &mut Ui, headings: &[String], spec: &mut NamesSpec) {
    let column = template::folder_column(&spec.template).map(str::to_owned);
    let by = |column: &str| say!("By {column}", column = column);
    let shown = match (&column, spec.folders) {
        (Some(column), _) => by(column),
        (None, Folders::Flatten) => tr("Together").to_owned(),
        (None, Folders::Mirror) => tr("Like the photos").to_owned(),
    };
    labelled(ui, tr("Folders"), |ui| {
        let width = ui.available_width();
        ComboBox::from_id_salt("crop-folders").selected_text(shown).width(width).truncate().show_ui(ui, |ui| {
            let fixed = [(Folders::Flatten, tr("Together")), (Folders::Mirror, tr("Like the photos"))];
            for (folders, text) in fixed {
                if option(ui, column.is_none() && spec.folders == folders, text).clicked() {
                    spec.folders = folders;
                    spec.template = template::with_folder_column(&spec.template, None);
                    ui.close();
                }
            }
            for (at, heading) in headings.iter().enumerate().filter(|(_, heading)| template::may_be_column(heading)) {
                let is_chosen = column.as_deref() == Some(heading);
                if ui.push_id(at, |ui| option(ui, is_chosen, by(heading))).inner.clicked() {
                    spec.folders = Folders::Flatten;
                    spec.template = template::with_folder_column(&spec.template, Some(heading));
                    ui.close();
                }
            }
        });
    });
}

/// The columns of the list, also if it cannot be used.
fn headings(state: &AppState) -> &[String] {
    let list = state.names.known.as_ref().and_then(|known| known.list.as_ref());
    let of_roster = state.names.roster().map(|roster| &roster.table.headings[..]);
    let of_fault = || match list.and_then(|list| list.fault.as_ref())? {
        NameListError::NoColumn { headings, .. } | NameListError::NoSource { headings } => Some(&headings[..]),
        _ => None,
    };
    of_roster.or_else(of_fault).unwrap_or_default()
}

/// The sheets of the list, also if it cannot be used.
fn sheets(state: &AppState) -> &[String] {
    let list = state.names.known.as_ref().and_then(|known| known.list.as_ref());
    match list {
        Some(list) if !list.sheets.is_empty() => &list.sheets,
        Some(list) => match &list.fault {
            Some(NameListError::NoSheet { sheets, .. }) => sheets,
            _ => &[],
        },
        None => &[],
    }
}
