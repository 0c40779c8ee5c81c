//! Names of crops: reads the name list and matches it with the photos, off the front end's thread.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use geometry::Size;
use import::{Roots, common_folder};
use naming::name_list::{NameList, NameListError};
use naming::{
    Clash, ListSpec, NameTemplate, NamedPhotos, NamesSpec, PhotoEntry, PlannedPhoto, Roster, find_clashes, fold_text,
    name_photos,
};
use recipe::{AssignedRow, Preset, built_in_presets};

use super::projects::{FileState, file_state};

/// Extensions of name lists, in lower case.
pub const NAME_LIST_EXTENSIONS: [&str; 6] = ["csv", "tsv", "xlsx", "xlsm", "xls", "ods"];

/// True if the name is that of a name list.
pub fn is_name_list(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    NAME_LIST_EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Photos to be named, with all settings that names depend on.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct NamesQuery {
    pub spec: NamesSpec,
    /// The photos to be exported, in list order.
    pub photos: Vec<PhotoToName>,
    /// The folders that were added, whose subfolders [`naming::Folders::Mirror`] recreates. If empty, the innermost folder
    /// that contains all photos is used.
    pub roots: Vec<PathBuf>,
    /// Presets that rows may refer to, in addition to the built-in ones.
    pub presets: Vec<Preset>,
}

/// A photo and what its name depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct PhotoToName {
    pub path: PathBuf,
    /// The name typed by the user.
    pub name: Option<String>,
    /// The row assigned by the user.
    pub row: Option<AssignedRow>,
    /// The text of a card that the photo shows.
    pub card: Option<String>,
    /// The id of the preset it is cropped with, unless its row has a preset.
    pub preset: String,
    /// The size of its crops in pixels.
    pub size: Size,
    /// True if it has settings of its own, so that a preset in its row is not used.
    pub has_own_settings: bool,
}

/// The names of the photos of a [`NamesQuery`].
#[derive(Debug, Default)]
pub struct Names {
    /// The name list; `None` if the query has none.
    pub list: Option<UsedList>,
    /// The names, with the ids of the presets that are used.
    pub named: NamedPhotos,
    /// Photos whose crops would have the same name, as indices of the query's photos.
    pub clashes: Vec<Clash>,
    /// Rows of photos whose preset does not exist.
    pub unknown_presets: Vec<UnknownPreset>,
}

/// A name list in use.
#[derive(Debug, Default)]
pub struct UsedList {
    /// The names of the sheets of a workbook; empty for a text file, or if it cannot be read.
    pub sheets: Vec<String>,
    /// The table matched with the photos; `None` if the list or a column of it cannot be used.
    pub roster: Option<Arc<Roster>>,
    /// Why the list cannot be used for an export.
    pub fault: Option<NameListError>,
}

/// A row with a preset that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPreset {
    /// The row's line number in the file, or its row number in the sheet, from 1.
    pub line: usize,
    /// The text of the cell.
    pub text: String,
}

/// Names photos. The list that was read last and its match with photos are cached.
#[derive(Debug, Default)]
pub struct Namer {
    list: Option<CachedList>,
    roster: Option<CachedRoster>,
}

#[derive(Debug)]
struct CachedList {
    file: PathBuf,
    sheet: Option<String>,
    /// State of the file when it was read.
    state: FileState,
    list: Arc<NameList>,
}

#[derive(Debug)]
struct CachedRoster {
    list: Arc<NameList>,
    spec: ListSpec,
    photos: Vec<PathBuf>,
    roster: Arc<Roster>,
}

impl Namer {
    /// Names the photos. The list is read if its file has changed since it was read last, or in any case if `reread` is set.
    pub fn name(&mut self, query: &NamesQuery, reread: bool) -> Names {
        let absolute = |photo: &PhotoToName| std::path::absolute(&photo.path).unwrap_or_else(|_| photo.path.clone());
        let paths: Vec<PathBuf> = query.photos.iter().map(absolute).collect();
        let template = query.spec.template().ok();
        let list = query.spec.list.as_ref().map(|spec| self.used_list(spec, &paths, template.as_ref(), reread));
        let roster = list.as_ref().and_then(|list| list.roster.as_deref());
        let common = if query.roots.is_empty() { common_folder(&paths).into_iter().collect() } else { Vec::new() };
        let roots = Roots::of(if query.roots.is_empty() { &common } else { &query.roots });
        let entries = query.photos.iter().zip(&paths).map(|(photo, path)| PhotoEntry {
            // No path is from a list of paths.
            folder: query.spec.folders.of(path, &roots, usize::MAX),
            name: photo.name.as_deref(),
            row: photo.row.as_ref(),
            card: photo.card.as_deref(),
        });
        let mut named = name_photos(&query.spec, roster, &entries.collect::<Vec<_>>());
        let (sizes, unknown_presets) = set_presets(&mut named, query, roster);
        let clashes = template.map_or_else(Vec::new, |template| clashes(&template, &named, &paths, &sizes));
        Names { list, named, clashes, unknown_presets }
    }

    fn used_list(
        &mut self,
        spec: &ListSpec,
        photos: &[PathBuf],
        template: Option<&NameTemplate>,
        reread: bool,
    ) -> UsedList {
        let list = match self.read(spec, reread) {
            Ok(list) => list,
            Err(fault) => return UsedList { fault: Some(fault), ..UsedList::default() },
        };
        let sheets = list.sheets.clone();
        match self.matched(list, spec, photos) {
            Ok(roster) => {
                let fault = template.and_then(|template| roster.check(template).err());
                UsedList { sheets, roster: Some(roster), fault }
            }
            Err(fault) => UsedList { sheets, roster: None, fault: Some(fault) },
        }
    }

    fn read(&mut self, spec: &ListSpec, reread: bool) -> Result<Arc<NameList>, NameListError> {
        let state = file_state(&spec.file);
        let is_current =
            |cached: &&CachedList| cached.file == spec.file && cached.sheet == spec.sheet && cached.state == state;
        if let Some(cached) = self.list.as_ref().filter(is_current).filter(|_| !reread && state.is_some()) {
            return Ok(Arc::clone(&cached.list));
        }
        // Before the new list needs memory.
        (self.list, self.roster) = (None, None);
        let list = Arc::new(NameList::read(&spec.file, spec.sheet.as_deref())?);
        let (file, sheet) = (spec.file.clone(), spec.sheet.clone());
        self.list = Some(CachedList { file, sheet, state, list: Arc::clone(&list) });
        Ok(list)
    }

    fn matched(
        &mut self,
        list: Arc<NameList>,
        spec: &ListSpec,
        photos: &[PathBuf],
    ) -> Result<Arc<Roster>, NameListError> {
        let is_current = |cached: &&CachedRoster| {
            Arc::ptr_eq(&cached.list, &list) && cached.spec == *spec && cached.photos == photos
        };
        if let Some(cached) = self.roster.as_ref().filter(is_current) {
            return Ok(Arc::clone(&cached.roster));
        }
        self.roster = None;
        let roster = Arc::new(Roster::of(&list, spec, photos)?);
        let (spec, photos) = (spec.clone(), photos.to_vec());
        self.roster = Some(CachedRoster { list, spec, photos, roster: Arc::clone(&roster) });
        Ok(roster)
    }
}

/// Sets the presets of all photos, and returns the sizes of their crops and the presets that do not exist.
fn set_presets(
    named: &mut NamedPhotos,
    query: &NamesQuery,
    roster: Option<&Roster>,
) -> (Vec<Size>, Vec<UnknownPreset>) {
    let mut unknown: Vec<UnknownPreset> = Vec::new();
    let mut sizes = Vec::new();
    for (photo, own) in named.photos.iter_mut().zip(&query.photos) {
        let cell = photo.preset.take().filter(|_| !own.has_own_settings && !photo.is_skipped);
        let preset = cell.as_ref().and_then(|cell| find_preset(cell, &query.presets));
        if let (Some(text), None, Some(row)) = (cell, preset, photo.row) {
            let line = roster.and_then(|roster| roster.table.rows.get(row)).map_or(0, |row| row.line);
            unknown.push(UnknownPreset { line, text });
        }
        photo.preset = preset.map(|preset| preset.id.clone());
        photo.name.preset = photo.preset.clone().unwrap_or_else(|| own.preset.clone());
        sizes.push(preset.map_or(own.size, |preset| preset.spec().output));
    }
    (sizes, unknown)
}

/// The preset that a cell refers to: by id, or by name in any case.
fn find_preset<'a>(cell: &str, custom: &'a [Preset]) -> Option<&'a Preset> {
    let all = || built_in_presets().iter().chain(custom);
    let wanted = fold_text(cell.trim());
    all().find(|preset| preset.id == cell.trim()).or_else(|| all().find(|preset| fold_text(&preset.name) == wanted))
}

/// Photos whose crops would have the same name, except for those that are skipped.
fn clashes(template: &NameTemplate, named: &NamedPhotos, paths: &[PathBuf], sizes: &[Size]) -> Vec<Clash> {
    let kept: Vec<usize> = (0..named.photos.len()).filter(|at| !named.photos[*at].is_skipped).collect();
    let planned =
        kept.iter().map(|&at| PlannedPhoto { source: &paths[at], name: &named.photos[at].name, size: sizes[at] });
    let found = find_clashes(template, &planned.collect::<Vec<_>>());
    let with_places = |clash: Clash| Clash { photos: clash.photos.iter().map(|at| kept[*at]).collect(), ..clash };
    found.into_iter().map(with_places).collect()
}

#[cfg(test)]
mod tests;
