//! Data for a photo's name that is available before decoding: its index, its folder, its row in a list.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};

use geometry::Size;
use import::{FoundIn, Roots, has_picture_extension};
use naming::name_list::{Columns, InexactMatch, NameMatch, NameTable, RequestedColumns, find_columns, match_names};
use naming::{NameTemplate, PhotoName, PlannedPhoto, find_clashes};
use recipe::{OnConflict, Recipe};

use super::naming_args::{Folders, Missing, NamingArgs};
use super::preset_arg::PresetArg;
use super::print;

/// Maximum number of names in a message; the rest is counted.
const MAX_NAMED: usize = 5;

/// How photos are named.
pub(super) struct Naming<'a> {
    pub(super) args: &'a NamingArgs,
    /// Name of the default preset, for photos without a preset in the list.
    pub(super) preset: String,
    /// Crop size of that preset.
    pub(super) size: Size,
    /// Resolves another preset.
    pub(super) recipe_of: &'a dyn Fn(&PresetArg) -> anyhow::Result<Recipe>,
    pub(super) on_conflict: OnConflict,
}

/// The given paths, followed by those of a list of paths.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) roots: &'a [PathBuf],
    /// Index of the first path from a list.
    pub(super) listed_from: usize,
}

/// A photo with the data for the names of its crops.
pub(super) struct NamedPhoto {
    pub(super) path: PathBuf,
    pub(super) name: PhotoName,
    pub(super) recipe: Option<Arc<Recipe>>,
}

/// The match of a name list and the photos.
pub(super) struct Listed {
    pub(super) table: NameTable,
    pub(super) columns: Columns,
    pub(super) found: NameMatch,
}

/// The photos with their names, and whether list and photos match completely.
pub(super) struct Outcome {
    pub(super) photos: Vec<NamedPhoto>,
    pub(super) is_complete: bool,
    /// Warnings about photos whose crops would have the same name.
    pub(super) clashes: Vec<String>,
}

impl Outcome {
    /// The outcome if nothing is written.
    pub(super) fn unnamed(photos: Vec<PathBuf>) -> Self {
        let unnamed = |path| NamedPhoto { path, name: PhotoName::default(), recipe: None };
        Self { photos: photos.into_iter().map(unnamed).collect(), is_complete: true, clashes: Vec::new() }
    }
}

impl Naming<'_> {
    /// Assigns names as far as possible before decoding, and prints warnings to standard error.
    ///
    /// # Errors
    /// The list cannot be used, lacks data, or names a preset that does not exist; a photo is not in it and the policy is
    /// to fail; or two photos would have the same name and the policy is to fail.
    pub(super) fn name(&self, photos: Vec<PathBuf>, named: Named<'_>) -> anyhow::Result<Outcome> {
        let listed = self.args.names.as_deref().map(|file| self.listed(file, &photos)).transpose()?;
        if let (Some(listed), Some(file)) = (&listed, &self.args.names) {
            self.report(listed, file, &photos)?;
        }
        let outcome = self.outcome(photos, named, listed.as_ref())?;
        if !outcome.clashes.is_empty() {
            let names = first_few(&outcome.clashes, "names");
            if self.on_conflict == OnConflict::Fail {
                bail!("several photos would have the same name; nothing was written: {names}");
            }
            print::note(&format!("note: several photos have the same name; a number is added to later ones: {names}"));
        }
        Ok(outcome)
    }

    /// The same without printing.
    pub(super) fn outcome(
        &self,
        photos: Vec<PathBuf>,
        named: Named<'_>,
        listed: Option<&Listed>,
    ) -> anyhow::Result<Outcome> {
        let presets = listed.map(|listed| self.presets(listed)).transpose()?.unwrap_or_default();
        let roots = Roots::of(named.roots);
        let skips = self.args.names_missing == Some(Missing::Skip);
        let mut outcome = Outcome {
            photos: Vec::new(),
            is_complete: listed.is_none_or(|listed| listed.found.is_complete()),
            clashes: Vec::new(),
        };
        for (index, path) in photos.into_iter().enumerate() {
            let row = listed.and_then(|listed| Some((listed, listed.found.of_photo[index]?)));
            if skips && row.is_none() && listed.is_some() {
                continue;
            }
            let folder = match self.args.folders.unwrap_or_default() {
                Folders::Flatten => PathBuf::new(),
                Folders::Mirror => mirrored(&path, &roots, named.listed_from),
            };
            let mut name = PhotoName { place: index + 1, folder, preset: self.preset.clone(), ..PhotoName::default() };
            let mut recipe = None;
            if let Some((Listed { table, columns, .. }, row)) = row {
                let cells = &table.rows[row].cells;
                name.listed = columns.output.map(|at| without_extension(&cells[at])).filter(|name| !name.is_empty());
                name.columns = table.headings.iter().cloned().zip(cells.iter().cloned()).collect();
                if let Some((preset, of_preset)) = columns.preset.and_then(|at| presets.get(&cells[at])) {
                    (name.preset, recipe) = (preset.clone(), Some(Arc::clone(of_preset)));
                }
            }
            outcome.photos.push(NamedPhoto { path, name, recipe });
        }
        outcome.clashes = self.clashes(&outcome.photos);
        Ok(outcome)
    }

    /// Reads the list and matches it with the photos.
    pub(super) fn listed(&self, file: &Path, photos: &[PathBuf]) -> anyhow::Result<Listed> {
        let about = || format!("the name list {}", print::path(file));
        let table = NameTable::read(file).with_context(about)?;
        let photos: Vec<PathBuf> =
            photos.iter().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone())).collect();
        let args = self.args;
        let requested = RequestedColumns {
            source: args.names_source.as_deref(),
            output: args.names_output.as_deref(),
            preset: args.names_preset.as_deref(),
        };
        let columns = find_columns(&table, requested, &photos).with_context(about)?;
        let template = self.template();
        for column in template.columns() {
            let known = table.headings.iter().any(|heading| NameTemplate::is_column(column, heading));
            if !known {
                bail!("--name uses the column '{column}', but {} has {}", about(), quoted(&table.headings));
            }
        }
        let uses_name = columns.output.is_some() && template.uses_name();
        if !uses_name && columns.preset.is_none() && template.columns().next().is_none() {
            bail!(
                "{} has no column that is used: set the column of the crops' names with --names-output, or use one in \
                 --name; the columns are {}",
                about(),
                quoted(&table.headings)
            );
        }
        let found = match_names(&table.column(columns.source), &photos);
        Ok(Listed { table, columns, found })
    }

    pub(super) fn template(&self) -> NameTemplate {
        self.args.name.clone().unwrap_or_default()
    }

    /// The resolved presets of the list, by the text in the list.
    fn presets(&self, listed: &Listed) -> anyhow::Result<BTreeMap<String, (String, Arc<Recipe>)>> {
        let mut presets = BTreeMap::new();
        let Some(column) = listed.columns.preset else { return Ok(presets) };
        // Rows without a photo are reported and otherwise ignored.
        for row in listed.found.of_photo.iter().flatten() {
            let row = &listed.table.rows[*row];
            let cell = &row.cells[column];
            if cell.is_empty() || presets.contains_key(cell) {
                continue;
            }
            let file = self.args.names.as_deref().map(print::path).unwrap_or_default();
            let about = || format!("row {} of the name list {file}, preset '{}'", row.line, print::inline(cell));
            let preset = PresetArg::read(cell)
                .with_context(|| format!("{}: unknown preset; `iron-cropper presets` lists the presets", about()))?;
            let recipe = (self.recipe_of)(&preset).with_context(about)?;
            presets.insert(cell.clone(), (preset.to_string(), Arc::new(recipe)));
        }
        Ok(presets)
    }

    /// Names shared by several photos. Photos that keep their own file names are left to the conflict policy.
    fn clashes(&self, photos: &[NamedPhoto]) -> Vec<String> {
        if self.args.name.is_none() && self.args.names.is_none() {
            return Vec::new();
        }
        let planned: Vec<PlannedPhoto<'_>> = photos
            .iter()
            .map(|NamedPhoto { path, name, recipe }| {
                let size = recipe.as_ref().map_or(self.size, |recipe| recipe.crop.output);
                PlannedPhoto { source: path, name, size }
            })
            .collect();
        let as_text = |clash: naming::Clash| {
            let paths: Vec<String> = clash.photos.iter().map(|at| print::path(&photos[*at].path)).collect();
            format!("{} of {}", print::path(&clash.name), first_few(&paths, "photos"))
        };
        find_clashes(&self.template(), &planned).into_iter().map(as_text).collect()
    }

    /// Reports mismatches.
    fn report(&self, listed: &Listed, file: &Path, photos: &[PathBuf]) -> anyhow::Result<()> {
        let found = &listed.found;
        let missing: Vec<String> =
            (0..photos.len()).filter(|at| found.of_photo[*at].is_none()).map(|at| print::path(&photos[at])).collect();
        let file = print::path(file);
        if !missing.is_empty() {
            let (count, named) = (missing.len(), first_few(&missing, "photos"));
            let what = match self.args.names_missing.unwrap_or_default() {
                Missing::Fail => {
                    bail!("{count} of {} photos have no matching row in {file}: {named}", photos.len())
                }
                Missing::Keep => "are cropped under their own names",
                Missing::Skip => "are skipped",
            };
            print::note(&format!(
                "note: {count} of {} photos have no matching row in {file} and {what}: {named}",
                photos.len()
            ));
        }
        let row = |row: usize| {
            let row = &listed.table.rows[row];
            format!("{} ({})", row.line, print::inline(&row.cells[listed.columns.source]))
        };
        let rows = |rows: Vec<usize>| -> Vec<String> { rows.into_iter().map(row).collect() };
        for (by, what) in [
            (InexactMatch::Number, "match a photo by number alone, without leading zeros"),
            (InexactMatch::LastPart, "contain a path that does not exist and are matched by its last part"),
        ] {
            let matched = found.inexact.iter().filter(|(_, inexact)| *inexact == by);
            let matched = matched.filter_map(|(photo, _)| Some((found.of_photo[*photo]?, &photos[*photo])));
            let rows: Vec<String> =
                matched.map(|(at, photo)| format!("{} is {}", row(at), print::path(photo))).collect();
            if !rows.is_empty() {
                print::note(&format!("note: {} of its rows {what}: row {}", rows.len(), first_few(&rows, "rows")));
            }
        }
        for (photo, named_by) in found.photos_with_several_rows.iter().take(MAX_NAMED) {
            let rows = rows(named_by.clone());
            print::note(&format!(
                "note: {} is matched by {} rows equally well, none is used: row {}",
                print::path(&photos[*photo]),
                rows.len(),
                first_few(&rows, "rows")
            ));
        }
        let several = rows(found.rows_with_several_photos.iter().map(|(row, _)| *row).collect());
        for (rows, what) in
            [(rows(found.rows_without_photo.clone()), "match no photo"), (several, "match several photos")]
        {
            if !rows.is_empty() {
                print::note(&format!("note: {} of its rows {what}: row {}", rows.len(), first_few(&rows, "rows")));
            }
        }
        if !found.is_complete() {
            print::note("note: --names-preview prints all matches");
        }
        Ok(())
    }
}

/// Folder of a photo relative to the given path; for a photo from a list of paths, its own folder if it is relative.
fn mirrored(photo: &Path, roots: &Roots<'_>, listed_from: usize) -> PathBuf {
    match roots.find(photo) {
        Some(FoundIn { root, below }) if root >= listed_from && photo.is_relative() => {
            let own = photo.parent().unwrap_or(Path::new(""));
            let own: PathBuf = own.components().filter(|part| *part != std::path::Component::CurDir).collect();
            let leads_down = own.components().all(|part| matches!(part, std::path::Component::Normal(_)));
            if leads_down { own } else { below }
        }
        Some(FoundIn { below, .. }) => below,
        None => PathBuf::new(),
    }
}

/// A listed name without an image file extension: crops have their own.
fn without_extension(listed: &str) -> String {
    let path = Path::new(listed);
    let stem = path.file_stem().filter(|_| has_picture_extension(path)).and_then(|stem| stem.to_str());
    // A slash is part of the name here, not a path separator.
    stem.map_or(listed, |stem| &listed[..listed.rfind(stem).unwrap_or(0) + stem.len()]).to_owned()
}

fn quoted(headings: &[String]) -> String {
    headings.iter().map(|heading| format!("'{}'", print::inline(heading))).collect::<Vec<_>>().join(", ")
}

/// The first few of `names`, and the number of the others.
pub(super) fn first_few(names: &[String], what: &str) -> String {
    let shown = names[..names.len().min(MAX_NAMED)].join(", ");
    match names.len().saturating_sub(MAX_NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more {what}"),
    }
}

#[cfg(test)]
mod tests;
