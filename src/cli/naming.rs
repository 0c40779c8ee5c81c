//! Names of photos before they are decoded: their folders and their rows in a list.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};

use geometry::Size;
use import::Roots;
use naming::name_list::{NameList, NameMatch};
use naming::{
    Characters, ListSpec, NameTemplate, NamedPhotos, NamesSpec, PhotoEntry, PhotoName, PlannedPhoto, Roster,
    find_clashes, name_photos,
};
use recipe::{AssignedRow, OnConflict, Recipe};

use super::naming_args::{Missing, NamingArgs};
use super::preset_arg::PresetArg;
use super::{names_report, print};

/// Maximum number of names in a message; the rest is counted.
pub(super) const MAX_NAMED: usize = 5;

/// How photos are named.
pub(super) struct Naming<'a> {
    pub(super) args: &'a NamingArgs,
    pub(super) spec: NamesSpec,
    /// The template of `spec`.
    pub(super) template: NameTemplate,
    /// Name of the default preset, for photos without a preset in the list.
    pub(super) preset: String,
    /// Crop size of that preset.
    pub(super) size: Size,
    /// Resolves another preset.
    pub(super) recipe_of: &'a dyn Fn(&PresetArg) -> anyhow::Result<Recipe>,
    pub(super) on_conflict: OnConflict,
}

/// The user's correction of a photo's name in a project.
#[derive(Clone, Debug, Default)]
pub(super) struct Correction {
    /// The typed name.
    pub(super) name: Option<String>,
    /// The assigned row of the list.
    pub(super) row: Option<AssignedRow>,
    /// The text of the card that it shows; empty for no card.
    pub(super) card: Option<String>,
}

/// Corrections by the path of the photo.
pub(super) type Corrections = HashMap<PathBuf, Correction>;

/// The texts of cards.
#[derive(Debug, Default)]
pub(super) struct Cards {
    /// By the path of the photo that shows it.
    pub(super) shown: HashMap<PathBuf, String>,
    /// The last card of the excluded photos before a photo, by the path of that photo.
    pub(super) before: HashMap<PathBuf, String>,
}

/// The given paths, followed by those of a list of paths.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) roots: &'a [PathBuf],
    /// Index of the first path from a list.
    pub(super) listed_from: usize,
    pub(super) corrections: &'a Corrections,
    pub(super) cards: &'a Cards,
}

/// A photo with the data for the names of its crops.
pub(super) struct NamedPhoto {
    pub(super) path: PathBuf,
    pub(super) name: PhotoName,
    pub(super) recipe: Option<Arc<Recipe>>,
    /// The text of the card that it shows.
    pub(super) card: Option<String>,
}

/// The name list, and its match with the photos by file name.
pub(super) struct Listed {
    pub(super) file: PathBuf,
    /// The names of all sheets.
    pub(super) sheets: Vec<String>,
    /// True if the user requested the sheet in use.
    pub(super) is_requested: bool,
    pub(super) roster: Roster,
}

/// The photos with their names, and their match with the list.
pub(super) struct Outcome {
    pub(super) photos: Vec<NamedPhoto>,
    pub(super) found: NameMatch,
    /// Warnings about photos whose crops would have the same name.
    pub(super) clashes: Vec<String>,
}

impl Outcome {
    /// The outcome if nothing is written.
    pub(super) fn unnamed(photos: Vec<PathBuf>) -> Self {
        let unnamed = |path| NamedPhoto { path, name: PhotoName::default(), recipe: None, card: None };
        let photos = photos.into_iter().map(unnamed).collect();
        Self { photos, found: NameMatch::default(), clashes: Vec::new() }
    }

    /// True if each photo has a row and each row a photo; also if there is no list.
    pub(super) fn is_complete(&self) -> bool {
        self.found.is_complete()
    }
}

impl Naming<'_> {
    /// Assigns names as far as possible before decoding, and prints warnings to standard error.
    ///
    /// # Errors
    /// The list cannot be used, lacks data or an assigned row, or names a preset that does not exist; a photo is not in it
    /// and the policy is to fail; or two photos would have the same name and the policy is to fail.
    pub(super) fn name(&self, photos: Vec<PathBuf>, named: Named<'_>) -> anyhow::Result<Outcome> {
        let listed = self.listed(&photos)?;
        let names = self.named(&photos, named, listed.as_ref())?;
        if let Some(listed) = &listed {
            if !names.unresolved.is_empty() {
                let (count, total, file) = (names.unresolved.len(), photos.len(), print::path(&listed.file));
                let photos: Vec<String> = names.unresolved.iter().map(|at| print::path(&photos[*at])).collect();
                let photos = first_few(&photos, "photos");
                bail!(
                    "{count} of {total} photos were assigned rows that are not in {file}; assign them again: {photos}"
                );
            }
            let missing = names.unlisted();
            if self.missing() == Missing::Fail && !missing.is_empty() {
                let (count, total, file) = (missing.len(), photos.len(), print::path(&listed.file));
                let missing: Vec<String> = missing.iter().map(|at| print::path(&photos[*at])).collect();
                bail!("{count} of {total} photos have no matching row in {file}: {}", first_few(&missing, "photos"));
            }
            names_report::print(listed, &names, &photos, self.missing(), &self.template);
        }
        let outcome = self.outcome(photos, names, listed.as_ref(), named.cards)?;
        if !outcome.clashes.is_empty() {
            let names = first_few(&outcome.clashes, "names");
            if self.on_conflict == OnConflict::Fail {
                bail!("several photos would have the same name; nothing was written: {names}");
            }
            print::note(&format!("note: several photos have the same name; a number is added to later ones: {names}"));
        }
        Ok(outcome)
    }

    /// Names the photos.
    ///
    /// # Errors
    /// The list has no photo column, and nothing else names a photo.
    pub(super) fn named(
        &self,
        photos: &[PathBuf],
        named: Named<'_>,
        listed: Option<&Listed>,
    ) -> anyhow::Result<NamedPhotos> {
        let roots = Roots::of(named.roots);
        let entry = |path: &PathBuf| {
            let correction = named.corrections.get(path);
            PhotoEntry {
                folder: self.spec.folders.of(path, &roots, named.listed_from),
                name: correction.and_then(|correction| correction.name.as_deref()),
                row: correction.and_then(|correction| correction.row.as_ref()),
                card: named.cards.shown.get(path).or_else(|| named.cards.before.get(path)).map(String::as_str),
            }
        };
        let entries: Vec<PhotoEntry<'_>> = photos.iter().map(entry).collect();
        let names = name_photos(&self.spec, listed.map(|listed| &listed.roster), &entries);
        if let Some(listed) = listed.filter(|_| !photos.is_empty() && names.unlisted().len() == photos.len()) {
            listed.roster.photo_column().with_context(|| about(&listed.file))?;
        }
        Ok(names)
    }

    /// Adds presets and clashes, without printing.
    pub(super) fn outcome(
        &self,
        photos: Vec<PathBuf>,
        names: NamedPhotos,
        listed: Option<&Listed>,
        cards: &Cards,
    ) -> anyhow::Result<Outcome> {
        let presets = listed.map(|listed| self.presets(listed, &names)).transpose()?.unwrap_or_default();
        let mut outcome = Outcome { photos: Vec::new(), found: names.found, clashes: Vec::new() };
        for (path, photo) in photos.into_iter().zip(names.photos).filter(|(_, photo)| !photo.is_skipped) {
            let (preset, recipe) = match photo.preset.as_ref().and_then(|cell| presets.get(cell)) {
                Some((preset, recipe)) => (preset.clone(), Some(Arc::clone(recipe))),
                None => (self.preset.clone(), None),
            };
            let card = cards.shown.get(&path).cloned();
            outcome.photos.push(NamedPhoto { path, name: PhotoName { preset, ..photo.name }, recipe, card });
        }
        outcome.clashes = self.clashes(&outcome.photos);
        Ok(outcome)
    }

    /// Reads the list, if there is one, and matches it with the photos.
    pub(super) fn listed(&self, photos: &[PathBuf]) -> anyhow::Result<Option<Listed>> {
        let Some(spec) = &self.spec.list else { return Ok(None) };
        let listed = self.matched(spec, photos);
        listed.map(Some).with_context(|| about(&spec.file))
    }

    fn matched(&self, spec: &ListSpec, photos: &[PathBuf]) -> anyhow::Result<Listed> {
        let list = NameList::read(&spec.file, spec.sheet.as_deref())?;
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let roster = Roster::of(&list, spec, &photos.iter().map(absolute).collect::<Vec<_>>())?;
        roster.check(&self.template)?;
        Ok(Listed { file: spec.file.clone(), sheets: list.sheets, is_requested: spec.sheet.is_some(), roster })
    }

    fn missing(&self) -> Missing {
        self.spec.list.as_ref().map(|list| list.missing).unwrap_or_default()
    }

    /// The resolved presets of the list, by the text in the list. Rows without a photo are reported and otherwise ignored.
    fn presets(&self, listed: &Listed, names: &NamedPhotos) -> anyhow::Result<BTreeMap<String, (String, Arc<Recipe>)>> {
        let mut presets = BTreeMap::new();
        for photo in &names.photos {
            let (Some(row), Some(cell)) = (photo.row, &photo.preset) else { continue };
            if presets.contains_key(cell) {
                continue;
            }
            let (line, file) = (listed.roster.table.rows[row].line, print::path(&listed.file));
            let about = || format!("row {line} of the name list {file}, preset '{}'", print::inline(cell));
            let preset = PresetArg::read(cell)
                .with_context(|| format!("{}: unknown preset; `iron-cropper presets` lists the presets", about()))?;
            let recipe = (self.recipe_of)(&preset).with_context(about)?;
            presets.insert(cell.clone(), (preset.to_string(), Arc::new(recipe)));
        }
        Ok(presets)
    }

    /// Names shared by several photos. Photos that keep their own file names are left to the conflict policy, and so are
    /// photos of cards, most of which give no crop.
    fn clashes(&self, photos: &[NamedPhoto]) -> Vec<String> {
        let keeps_own = self.spec.template.is_empty() && self.spec.characters == Characters::Portable;
        if keeps_own && photos.iter().all(|photo| photo.name.listed.is_none()) {
            return Vec::new();
        }
        let photos: Vec<&NamedPhoto> = photos.iter().filter(|photo| photo.card.is_none()).collect();
        let planned: Vec<PlannedPhoto<'_>> = photos
            .iter()
            .map(|NamedPhoto { path, name, recipe, .. }| {
                let size = recipe.as_ref().map_or(self.size, |recipe| recipe.crop.output);
                PlannedPhoto { source: path, name, size }
            })
            .collect();
        let as_text = |clash: naming::Clash| {
            let paths: Vec<String> = clash.photos.iter().map(|at| print::path(&photos[*at].path)).collect();
            format!("{} of {}", print::path(&clash.name), first_few(&paths, "photos"))
        };
        find_clashes(&self.template, &planned).into_iter().map(as_text).collect()
    }
}

fn about(list: &Path) -> String {
    format!("the name list {}", print::path(list))
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
