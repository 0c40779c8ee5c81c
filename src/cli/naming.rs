//! What is known of each photo's name before it is looked at: its place and folder, its row in a list.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};

use geometry::Size;
use import::{FoundIn, Roots, has_picture_extension};
use naming::name_list::{AskedColumns, Columns, Loosely, NameMatch, NameTable, find_columns, match_names};
use naming::{NameTemplate, PhotoName, PlannedPhoto, find_clashes};
use recipe::{OnConflict, Recipe};

use super::naming_args::{Folders, Missing, NamingArgs};
use super::preset_arg::PresetArg;
use super::print;

/// Most names in a note; the rest is counted.
const MAX_NAMED: usize = 5;

/// How photos are to be named.
pub(super) struct Naming<'a> {
    pub(super) args: &'a NamingArgs,
    /// The name of the preset of photos for which the list names none.
    pub(super) preset: String,
    /// The size of crops with that preset.
    pub(super) size: Size,
    /// What another preset comes to.
    pub(super) recipe_of: &'a dyn Fn(&PresetArg) -> anyhow::Result<Recipe>,
    pub(super) on_conflict: OnConflict,
}

/// The paths that were named, those of a list of paths behind the others.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) roots: &'a [PathBuf],
    /// Place of the first that comes from a list.
    pub(super) listed_from: usize,
}

/// A photo and what is known of its crops' names.
pub(super) struct NamedPhoto {
    pub(super) path: PathBuf,
    pub(super) name: PhotoName,
    pub(super) recipe: Option<Arc<Recipe>>,
}

/// What a list of names comes to for these photos.
pub(super) struct Listed {
    pub(super) table: NameTable,
    pub(super) columns: Columns,
    pub(super) found: NameMatch,
}

/// The photos with their names, and whether every one of them is in the list and the other way round.
pub(super) struct Outcome {
    pub(super) photos: Vec<NamedPhoto>,
    pub(super) is_whole: bool,
    /// Names that several photos would have, in words.
    pub(super) clashes: Vec<String>,
}

impl Outcome {
    /// The outcome where nothing is written.
    pub(super) fn unnamed(photos: Vec<PathBuf>) -> Self {
        let unnamed = |path| NamedPhoto { path, name: PhotoName::default(), recipe: None };
        Self { photos: photos.into_iter().map(unnamed).collect(), is_whole: true, clashes: Vec::new() }
    }
}

impl Naming<'_> {
    /// Gives each photo its name as far as that is known now, and says on standard error what a person should know.
    ///
    /// # Errors
    /// The list cannot be used, says too little, or names a preset that is not there; a photo is not in it and that is
    /// reason not to begin; or two photos would have one name and the policy is to fail.
    pub(super) fn name(&self, photos: Vec<PathBuf>, named: Named<'_>) -> anyhow::Result<Outcome> {
        let listed = self.args.names.as_deref().map(|file| self.listed(file, &photos)).transpose()?;
        if let (Some(listed), Some(file)) = (&listed, &self.args.names) {
            self.report(listed, file, &photos)?;
        }
        let outcome = self.outcome(photos, named, listed.as_ref())?;
        if !outcome.clashes.is_empty() {
            let names = and_more(&outcome.clashes, "names");
            if self.on_conflict == OnConflict::Fail {
                bail!("several photos would have one name, and nothing was written: {names}");
            }
            print::note(&format!("note: several photos have one name, and later ones get a number: {names}"));
        }
        Ok(outcome)
    }

    /// The same without a word.
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
            is_whole: listed.is_none_or(|listed| listed.found.is_whole()),
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
        let asked = AskedColumns {
            source: args.names_source.as_deref(),
            output: args.names_output.as_deref(),
            preset: args.names_preset.as_deref(),
        };
        let columns = find_columns(&table, asked, &photos).with_context(about)?;
        let template = self.template();
        for column in template.columns() {
            let known = table.headings.iter().any(|heading| NameTemplate::is_column(column, heading));
            if !known {
                bail!("--name asks for the column '{column}', and {} has {}", about(), quoted(&table.headings));
            }
        }
        let says_name = columns.output.is_some() && template.uses_name();
        if !says_name && columns.preset.is_none() && template.columns().next().is_none() {
            bail!(
                "{} says nothing that is used: name the column of the crops' names with --names-output, or ask for one in \
                 --name; there are {}",
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

    /// What each preset of the list comes to, by what is written there.
    fn presets(&self, listed: &Listed) -> anyhow::Result<BTreeMap<String, (String, Arc<Recipe>)>> {
        let mut presets = BTreeMap::new();
        let Some(column) = listed.columns.preset else { return Ok(presets) };
        // Rows without a photo are told of and do nothing.
        for row in listed.found.of_photo.iter().flatten() {
            let row = &listed.table.rows[*row];
            let cell = &row.cells[column];
            if cell.is_empty() || presets.contains_key(cell) {
                continue;
            }
            let file = self.args.names.as_deref().map(print::path).unwrap_or_default();
            let about = || format!("row {} of the name list {file}, preset '{}'", row.line, print::inline(cell));
            let preset = PresetArg::read(cell)
                .with_context(|| format!("{}: there is none; `iron-cropper presets` lists them", about()))?;
            let recipe = (self.recipe_of)(&preset).with_context(about)?;
            presets.insert(cell.clone(), (preset.to_string(), Arc::new(recipe)));
        }
        Ok(presets)
    }

    /// Names that several photos would have. Photos that are only called like themselves are left to the policy.
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
        let in_words = |clash: naming::Clash| {
            let paths: Vec<String> = clash.photos.iter().map(|at| print::path(&photos[*at].path)).collect();
            format!("{} of {}", print::path(&clash.name), and_more(&paths, "photos"))
        };
        find_clashes(&self.template(), &planned).into_iter().map(in_words).collect()
    }

    /// Says what does not match.
    fn report(&self, listed: &Listed, file: &Path, photos: &[PathBuf]) -> anyhow::Result<()> {
        let found = &listed.found;
        let missing: Vec<String> =
            (0..photos.len()).filter(|at| found.of_photo[*at].is_none()).map(|at| print::path(&photos[at])).collect();
        let file = print::path(file);
        if !missing.is_empty() {
            let (count, named) = (missing.len(), and_more(&missing, "photos"));
            let what = match self.args.names_missing.unwrap_or_default() {
                Missing::Fail => {
                    bail!("{count} of {} photos have no row of their own in {file}: {named}", photos.len())
                }
                Missing::Keep => "are cropped under their own names",
                Missing::Skip => "are left out",
            };
            print::note(&format!(
                "note: {count} of {} photos have no row of their own in {file} and {what}: {named}",
                photos.len()
            ));
        }
        let row = |row: usize| {
            let row = &listed.table.rows[row];
            format!("{} ({})", row.line, print::inline(&row.cells[listed.columns.source]))
        };
        let rows = |rows: Vec<usize>| -> Vec<String> { rows.into_iter().map(row).collect() };
        for (by, what) in [
            (Loosely::Number, "name a photo by their number alone, without the zeros before it"),
            (Loosely::LastPart, "hold a path that is not here and are matched by its last part"),
        ] {
            let matched = found.loosely.iter().filter(|(_, loosely)| *loosely == by);
            let matched = matched.filter_map(|(photo, _)| Some((found.of_photo[*photo]?, &photos[*photo])));
            let rows: Vec<String> =
                matched.map(|(at, photo)| format!("{} is {}", row(at), print::path(photo))).collect();
            if !rows.is_empty() {
                print::note(&format!("note: {} of its rows {what}: row {}", rows.len(), and_more(&rows, "rows")));
            }
        }
        for (photo, named_by) in found.photos_with_several_rows.iter().take(MAX_NAMED) {
            let rows = rows(named_by.clone());
            print::note(&format!(
                "note: {} is named by {} rows equally well, and none is taken: row {}",
                print::path(&photos[*photo]),
                rows.len(),
                and_more(&rows, "rows")
            ));
        }
        let several = rows(found.rows_with_several_photos.iter().map(|(row, _)| *row).collect());
        for (rows, what) in
            [(rows(found.rows_without_photo.clone()), "name no photo"), (several, "name several photos")]
        {
            if !rows.is_empty() {
                print::note(&format!("note: {} of its rows {what}: row {}", rows.len(), and_more(&rows, "rows")));
            }
        }
        if !found.is_whole() {
            print::note("note: --names-preview prints the whole match");
        }
        Ok(())
    }
}

/// The folder of a photo below what was named; of one from a list of paths, its own where that is relative.
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

/// A listed name without the extension of a picture: a crop gets its own.
fn without_extension(listed: &str) -> String {
    let path = Path::new(listed);
    let stem = path.file_stem().filter(|_| has_picture_extension(path)).and_then(|stem| stem.to_str());
    // A slash is a part of the name here, not of a path.
    stem.map_or(listed, |stem| &listed[..listed.rfind(stem).unwrap_or(0) + stem.len()]).to_owned()
}

fn quoted(headings: &[String]) -> String {
    headings.iter().map(|heading| format!("'{}'", print::inline(heading))).collect::<Vec<_>>().join(", ")
}

/// The first few of `names`, and how many more there are.
pub(super) fn and_more(names: &[String], what: &str) -> String {
    let shown = names[..names.len().min(MAX_NAMED)].join(", ");
    match names.len().saturating_sub(MAX_NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more {what}"),
    }
}

#[cfg(test)]
mod tests;
