//! `--names-preview`: the match of list rows and photos.

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;

use naming::name_list::{InexactMatch, NameMatch};
use naming::{CropFacts, NamedBy};

use super::naming::{Listed, Named, Naming};
use super::{Exit, names_report, print};

/// Raised if a field changes its meaning or is removed; new fields do not raise it.
const SCHEMA: u32 = 1;

/// A photo, or a row without a photo. Rows are numbered as in the file.
#[derive(Serialize)]
struct Line {
    schema: u32,
    state: &'static str,
    /// What determined the row, or else the name.
    matched_by: Option<&'static str>,
    photos: Vec<String>,
    rows: Vec<usize>,
    source: Option<String>,
    name: Option<String>,
}

/// Prints the match. It succeeds if each photo has one row and each row one photo.
pub(super) fn run(naming: &Naming<'_>, photos: &[PathBuf], named: Named<'_>, json: bool) -> anyhow::Result<Exit> {
    let listed = naming.listed(photos)?.context("--names-preview needs --names")?;
    let names = naming.named(photos, named, Some(&listed))?;
    let by: Vec<NamedBy> = names.photos.iter().map(|photo| photo.by).collect();
    let outcome = naming.outcome(photos.to_vec(), names, Some(&listed), named.cards)?;
    if let Some(sheet) = names_report::sheet(&listed) {
        print::note(&format!("note: {sheet}"));
    }
    let mut names = vec![None; photos.len()];
    let template = &naming.template;
    if !template.depends_on_pixels() {
        for photo in &outcome.photos {
            let size = photo.recipe.as_ref().map_or(naming.size, |recipe| recipe.crop.output);
            let facts = CropFacts { number: 1, several: false, size, score: 0.0, quality: 0.0, taken: None };
            let name = template.name(&photo.path, &photo.name, &facts);
            names[photo.name.place - 1] = Some(print::path(&name.folder.join(name.stem)));
        }
    }
    let mut lines = lines(&listed, &outcome.found, photos, &by, &names)
        .into_iter()
        .map(|line| if json { Ok(serde_json::to_string(&line)?) } else { Ok(as_text(&line)) })
        .collect::<anyhow::Result<Vec<String>>>()?;
    if !json {
        lines.extend(outcome.clashes.iter().map(|clash| format!("one name for several photos: {clash}")));
        lines.push(summary(&listed, &outcome.found, photos.len()));
    }
    for line in lines {
        if print::line(&line)?.is_closed() {
            return Ok(Exit::SomeFailed);
        }
    }
    Ok(if outcome.is_complete() && outcome.clashes.is_empty() { Exit::Done } else { Exit::SomeFailed })
}

fn lines(
    listed: &Listed,
    found: &NameMatch,
    photos: &[PathBuf],
    by: &[NamedBy],
    names: &[Option<String>],
) -> Vec<Line> {
    let (table, columns) = (&listed.roster.table, listed.roster.columns);
    let number = |row: usize| table.rows[row].line;
    let source = |row: usize| Some(table.rows[row].cells[columns.source?].clone());
    let of_photo = |at: usize, state, rows: Vec<usize>| Line {
        schema: SCHEMA,
        state,
        matched_by: match by[at] {
            NamedBy::Nothing => None,
            NamedBy::FileName(None) => Some("name"),
            NamedBy::FileName(Some(InexactMatch::Number)) => Some("number"),
            NamedBy::FileName(Some(InexactMatch::LastPart)) => Some("last_part"),
            NamedBy::Card => Some("card"),
            NamedBy::Hand => Some("hand"),
        },
        photos: vec![photos[at].to_string_lossy().into_owned()],
        source: rows.first().copied().and_then(source),
        rows: rows.into_iter().map(number).collect(),
        name: names[at].clone(),
    };
    let several_rows = |at: usize| found.photos_with_several_rows.iter().find(|(photo, _)| *photo == at);
    let mut lines: Vec<Line> = (0..photos.len())
        .filter_map(|at| match (found.of_photo[at], several_rows(at)) {
            (Some(row), _) => Some(of_photo(at, "matched", vec![row])),
            (None, Some((_, rows))) => Some(of_photo(at, "several_rows", rows.clone())),
            (None, None) if by[at] != NamedBy::Nothing => Some(of_photo(at, "named", Vec::new())),
            (None, None) if found.photos_without_row.binary_search(&at).is_ok() => {
                Some(of_photo(at, "no_row", Vec::new()))
            }
            // Reported with another row that names the same photo.
            (None, None) => None,
        })
        .collect();
    let of_row = |row: usize, state, named: &[usize]| Line {
        schema: SCHEMA,
        state,
        matched_by: None,
        photos: named.iter().map(|at| photos[*at].to_string_lossy().into_owned()).collect(),
        rows: vec![number(row)],
        source: source(row),
        name: None,
    };
    lines.extend(found.rows_with_several_photos.iter().map(|(row, named)| of_row(*row, "several_photos", named)));
    lines.extend(found.rows_without_photo.iter().map(|row| of_row(*row, "no_photo", &[])));
    lines
}

fn as_text(line: &Line) -> String {
    let photos: Vec<String> = line.photos.iter().map(|photo| print::path(Path::new(photo))).collect();
    let (photos, source) = (photos.join(", "), print::inline(line.source.as_deref().unwrap_or_default()));
    let rows = line.rows.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
    let name = line.name.as_ref().map(|name| format!(" -> {name}")).unwrap_or_default();
    let by = match line.matched_by {
        Some("number") => ", by number",
        Some("last_part") => ", by the last part of the path",
        Some("card") => ", by card",
        Some("hand") => ", by hand",
        _ => "",
    };
    match line.state {
        "matched" => format!("{photos}{name} (row {rows}{by})"),
        "named" => format!("{photos}{name}: no row{by}"),
        "several_rows" => format!("{photos}{name}: several rows match ({rows}), none is used"),
        "no_row" => format!("{photos}{name}: no row"),
        "several_photos" => format!("row {rows} ({source}): several photos match, it is used for none: {photos}"),
        _ => format!("row {rows} ({source}): no photo"),
    }
}

fn summary(listed: &Listed, found: &NameMatch, photos: usize) -> String {
    let (table, columns) = (&listed.roster.table, listed.roster.columns);
    let heading = |at: usize| format!("'{}'", print::inline(&table.headings[at]));
    let describe = |what: &str, at: Option<usize>| at.map(|at| format!(", {what} {}", heading(at))).unwrap_or_default();
    format!(
        "{photos} photos, {} matched, {} without a row, {} with several; {} rows, {} without a photo, {} with several \
         ({}{}{}{})",
        found.matched(),
        photos - found.matched() - found.photos_with_several_rows.len(),
        found.photos_with_several_rows.len(),
        table.rows.len(),
        found.rows_without_photo.len(),
        found.rows_with_several_photos.len(),
        print::path(&listed.file),
        columns.source.map(|at| format!(": file names {}", heading(at))).unwrap_or_default(),
        describe("names", columns.output),
        describe("presets", columns.preset),
    )
}
