//! Texts about names of crops and name lists. The English error texts are those of the crate `naming`, for the window.

use naming::name_list::{MAX_LIST_BYTES, NameListError, Row};
use naming::{Characters, Missing, NamedBy, Roster, TemplateError, TemplateFault};
use recipe::PairedPatternError;

use super::super::language::{say, tr, tr_in};
use super::super::state::{CardReading, Photo};
use super::listed;

/// Maximum number of cells shown of a row.
const MAX_CELLS: usize = 5;

/// Why a name list cannot be used.
pub(crate) fn name_list_error(error: &NameListError) -> String {
    match error {
        NameListError::Unreadable(source) => say!("it cannot be read: {reason}", reason = source.to_string()),
        NameListError::TooLarge => say!(
            "it is larger than {megabytes} MB; save only the columns that are needed",
            megabytes = MAX_LIST_BYTES / 1_000_000
        ),
        NameListError::UnpacksTooLarge => {
            tr("it is too large when unpacked; save only the sheet and the columns that are needed").to_owned()
        }
        NameListError::TooManyCells => {
            tr("it has too many rows, columns or cells; save only the columns that are needed").to_owned()
        }
        NameListError::NotText => {
            tr("it is neither a text table nor a workbook; save the list as .csv, .tsv, .xlsx or .ods").to_owned()
        }
        NameListError::Empty => tr("it is empty; a list needs a row for each photo").to_owned(),
        NameListError::OnlyHeadings => {
            tr("it has only one row, which was read as the headings; add a row for each photo below it").to_owned()
        }
        NameListError::Workbook { reason } => {
            say!("the workbook cannot be read ({reason}); save it as .xlsx or .csv again", reason = reason)
        }
        NameListError::Password => tr("the workbook has a password; save it without a password or as .csv").to_owned(),
        NameListError::NoSheet { asked, sheets } if sheets.is_empty() => {
            say!("there is no sheet “{sheet}”: it is a text table, which has no sheets", sheet = asked)
        }
        NameListError::NoSheet { asked, sheets } => {
            say!("there is no sheet “{sheet}”; the sheets are {sheets}", sheet = asked, sheets = listed(sheets))
        }
        NameListError::NoColumn { asked, headings } => {
            say!("there is no column “{column}”; the columns are {columns}", column = asked, columns = listed(headings))
        }
        NameListError::NoSource { headings } => say!(
            "no column matches the photos or has a heading for file names; choose the photo column: {columns}",
            columns = listed(headings)
        ),
        NameListError::TemplateColumn { column, headings } => say!(
            "the template uses the column “{column}”, but the columns are {columns}",
            column = column,
            columns = listed(headings)
        ),
        NameListError::NothingUsed { headings } => say!(
            "none of its columns is used; choose the name column, or use a column in the template: {columns}",
            columns = listed(headings)
        ),
    }
}

/// An error in a template, with its position.
pub(crate) fn template_error(error: &TemplateError) -> String {
    say!("character {place}: {reason}", place = error.at + 1, reason = template_fault(&error.fault))
}

fn template_fault(fault: &TemplateFault) -> String {
    match fault {
        TemplateFault::Empty => tr("it is empty; write for example {stem}").to_owned(),
        TemplateFault::Unclosed => tr("this { is never closed; write {{ for a literal brace").to_owned(),
        TemplateFault::Unopened => tr("this } closes nothing; write }} for a literal brace").to_owned(),
        TemplateFault::UnknownField { name } => say!("there is no field “{field}”", field = name),
        TemplateFault::TakesNothing { field } => {
            say!("the field “{field}” takes no format after a colon", field = *field)
        }
        TemplateFault::NeverMissing { field } => {
            say!("the field “{field}” always has a value and takes no default", field = *field)
        }
        TemplateFault::Digits { given } => {
            say!("“{text}” is not a number of digits; write 1 to 9", text = given)
        }
        TemplateFault::DateCode { code } => {
            let code = code.map_or_else(|| "%".to_owned(), |code| format!("%{code}"));
            say!("there is no date code {code}", code = code)
        }
        TemplateFault::NoColumn => tr("the column is missing; write for example {column:class}").to_owned(),
        TemplateFault::Forbidden { character: '\\' } => {
            tr("a file name cannot contain \\ on every system; separate folders with /").to_owned()
        }
        TemplateFault::Forbidden { character: '/' } => {
            tr("write the / between folders outside the braces: {date:%Y}/{date:%m}").to_owned()
        }
        TemplateFault::Forbidden { character } => say!(
            "a file name cannot contain {character} on every system",
            character = character.escape_default().to_string()
        ),
        TemplateFault::EmptyFolder => tr("a folder or file has no name; write one / between two names").to_owned(),
        TemplateFault::Absolute => {
            tr("it starts at the root of the disk; folders are relative to the output folder").to_owned()
        }
        TemplateFault::LeadsOut => {
            tr("it leads out of the output folder; a name cannot consist of dots alone").to_owned()
        }
    }
}

/// Why a text is no pattern of paired files.
pub(crate) fn paired_pattern_error(error: &PairedPatternError) -> String {
    say!(
        "“{text}” is not a pattern of paired files: write a relative path whose file name contains {field} once and has an extension, such as {example}",
        text = error.text,
        field = "{stem}",
        example = "{stem}_mask.png"
    )
}

/// The card that a photo shows, in lines: its kind, its row of the name list, and the other codes in the photo. `text` is
/// the one that counts.
pub(crate) fn card(photo: &Photo, text: &str, roster: Option<&Roster>) -> Vec<String> {
    let read = photo.card.code().filter(|code| code.text.trim() == text);
    let kind = read.map_or_else(|| tr("Card, corrected").to_owned(), |code| code.kind.name().to_owned());
    let mut lines = vec![format!("{kind}: {text}")];
    if let (Some(naming), Some(roster)) = (photo.naming.as_ref().filter(|naming| naming.by == NamedBy::Card), roster) {
        let row = naming.row.and_then(|row| roster.table.rows.get(row));
        lines.push(row.map_or_else(
            || tr("Not in the name list").to_owned(),
            |row| say!("Row {line}: {cells}", line = row.line, cells = row_summary(row)),
        ));
    }
    if let CardReading::Codes(codes) = &photo.card {
        let others = codes.iter().filter(|code| code.text.trim() != text);
        lines.extend(others.map(|code| format!("{}: {}", code.kind.name(), code.text)));
    }
    lines
}

/// The first cells of a row: `00007 · Anna Müller · 3b`.
pub(crate) fn row_summary(row: &Row) -> String {
    let cells: Vec<&str> =
        row.cells.iter().map(String::as_str).filter(|cell| !cell.is_empty()).take(MAX_CELLS).collect();
    cells.join(" · ")
}

/// What happens to photos that are not in the list.
pub(crate) fn missing_policy(missing: Missing) -> &'static str {
    match missing {
        Missing::Keep => tr("Own name"),
        Missing::Skip => tr("Skip"),
        Missing::Fail => tr("Stop the export"),
    }
}

/// The characters of names.
pub(crate) fn characters(characters: Characters) -> &'static str {
    match characters {
        Characters::Portable => tr_in("characters", "All"),
        Characters::Ascii => tr("Plain ASCII"),
    }
}

/// Description of a field of a template; `None` for a column of the list.
pub(crate) fn about_field(field: &str) -> Option<&'static str> {
    Some(match field {
        "{name}" => tr("Name in the list, or else the photo's"),
        "{stem}" => tr("The photo's file name"),
        "{folder}" => tr("The photo's folder"),
        "{index:4}" => tr("Position in the list"),
        "{face}" => tr("Number of the crop"),
        "{preset}" => tr("Preset"),
        "{size}" => tr("Width and height"),
        "{date:%Y-%m-%d}" => tr("Date taken"),
        _ => return None,
    })
}
