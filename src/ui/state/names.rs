//! Names of the crops: the name list, the names computed last, and the name being typed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use batch::worker::{ItemId, Names, NamesQuery, PhotoToName, RequestId, UnknownPreset, UsedList};
use naming::{CropFacts, NameTemplate, NamedBy, NamedPhoto, NamesSpec, PhotoName, TemplateError};
use plan::portrait_quality;
use recipe::{PairedPattern, PairedPatternError, built_in_presets};

use super::outputs::Framings;
use super::{AppState, ExportScope, Pending, Photo};

#[derive(Default)]
pub(crate) struct NamesGroup {
    /// The folders that were added, for subfolders like those of the photos.
    pub roots: Vec<PathBuf>,
    /// The template of the settings, or the default one if it is invalid.
    pub template: NameTemplate,
    /// What is wrong with the template of the settings.
    pub template_error: Option<TemplateError>,
    /// What names were requested for last; `None` if photos keep their own names.
    pub requested: Option<RequestedNames>,
    /// The answer; `None` until it has arrived.
    pub known: Option<KnownNames>,
    /// The export that waits for names: its scope, and whether it continues the latest run.
    pub waiting_export: Option<(ExportScope, bool)>,
    /// True if the names were requested for the export that is about to start.
    pub are_for_export: bool,
    /// The photo whose name is being typed, or the text of its card.
    pub editing: Option<ItemId>,
    pub edits_card: bool,
    /// The patterns of paired files as typed.
    pub paired: TypedPatterns,
    pub search: RowSearch,
    /// Number of lists that were dropped or chosen, and of projects with settings for names: each one shows these settings.
    pub lists_set: u32,
    /// The state for which the names were updated last.
    pub updated_for: Option<NamesKey>,
}

/// The text of the field for paired files.
#[derive(Default)]
pub(crate) struct TypedPatterns {
    /// The text that was typed for `patterns`.
    text: String,
    /// The patterns of the recipe at the time.
    patterns: Vec<PairedPattern>,
    /// What is wrong with the text, in place of which `patterns` are used.
    error: Option<PairedPatternError>,
}

/// A request for names.
#[derive(PartialEq)]
pub(crate) struct RequestedNames {
    pub query: Arc<NamesQuery>,
    /// The ids of its photos.
    pub items: Vec<ItemId>,
}

/// The names of the photos, apart from those of single photos.
#[derive(Default)]
pub(crate) struct KnownNames {
    pub list: Option<UsedList>,
    /// The column in which the cards were found.
    pub card_column: Option<usize>,
    /// Number of photos, and of those with a row.
    pub photos: usize,
    pub matched: usize,
    /// Rows of the list without a photo.
    pub rows_without_photo: Vec<usize>,
    /// Names shared by several photos.
    pub clashes: Vec<(PathBuf, Vec<ItemId>)>,
    /// Photos whose assigned row is no longer in the list.
    pub unresolved: Vec<ItemId>,
    /// Rows of photos whose preset does not exist.
    pub unknown_presets: Vec<UnknownPreset>,
}

/// The search for rows of the list.
#[derive(Default)]
pub(crate) struct RowSearch {
    /// The latest request; other answers are ignored.
    pub request: Option<RequestId>,
    /// The text that was searched for last.
    pub typed: String,
    /// The rows found, best first.
    pub rows: Vec<usize>,
}

/// The name of a photo's crops.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PhotoNaming {
    pub name: PhotoName,
    /// What determined its row or name.
    pub by: NamedBy,
    /// Its row of the name list.
    pub row: Option<usize>,
    /// True if a list is used.
    pub uses_list: bool,
    /// True if a list is used, and the photo has neither a row nor a name.
    pub lacks_row: bool,
    /// True if another photo has the same name.
    pub clashes: bool,
    /// True if it is not exported, since it has no row.
    pub is_skipped: bool,
    /// The id of the preset in its row, if that is used.
    pub preset: Option<String>,
}

/// Changes whenever names may have to be computed again: the state of the history, of the list and of the cards, and the
/// numbers of custom presets and added folders.
pub(crate) type NamesKey = (u64, u64, u64, usize, usize);

impl KnownNames {
    /// Splits an answer into the facts about the list and the names of single photos. Photos of cards give no crops, so
    /// that their names clash with none.
    pub(crate) fn of(
        names: Names,
        items: &[ItemId],
        gives_crops: impl Fn(ItemId) -> bool,
    ) -> (Self, HashMap<ItemId, Box<PhotoNaming>>) {
        let Names { list, named, clashes, unknown_presets } = names;
        let uses_list = list.as_ref().is_some_and(|list| list.roster.is_some());
        let matched = named.photos.iter().filter(|photo| photo.row.is_some()).count();
        let mut of_items = HashMap::new();
        for (item, NamedPhoto { name, row, by, preset, is_skipped }) in items.iter().zip(named.photos) {
            let lacks_row = uses_list && by == NamedBy::Nothing;
            let naming = PhotoNaming { name, by, row, uses_list, lacks_row, clashes: false, is_skipped, preset };
            of_items.insert(*item, Box::new(naming));
        }
        let ids = |places: Vec<usize>| -> Vec<ItemId> {
            places.into_iter().filter_map(|place| items.get(place).copied()).collect()
        };
        let mut clashes: Vec<(PathBuf, Vec<ItemId>)> =
            clashes.into_iter().map(|clash| (clash.name, ids(clash.photos))).collect();
        for (_, items) in &mut clashes {
            items.retain(|item| gives_crops(*item));
        }
        clashes.retain(|(_, items)| items.len() > 1);
        for item in clashes.iter().flat_map(|(_, items)| items) {
            if let Some(naming) = of_items.get_mut(item) {
                naming.clashes = true;
            }
        }
        let mut rows_without_photo = named.found.rows_without_photo;
        rows_without_photo.extend(named.found.rows_with_several_photos.into_iter().map(|(row, _)| row));
        rows_without_photo.sort_unstable();
        let unresolved = ids(named.unresolved);
        let known = Self {
            list,
            card_column: named.card_column,
            photos: items.len(),
            matched,
            rows_without_photo,
            clashes,
            unresolved,
            unknown_presets,
        };
        (known, of_items)
    }
}

impl PhotoNaming {
    /// True if the photo is named by a card that is in no row of the list.
    pub(crate) fn has_unlisted_card(&self) -> bool {
        self.uses_list && self.by == NamedBy::Card && self.row.is_none()
    }
}

impl TypedPatterns {
    /// The text of the field; `used` are the patterns of the recipe.
    pub(crate) fn text(&self, used: &[PairedPattern]) -> String {
        match self.patterns == used {
            true => self.text.clone(),
            false => used.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        }
    }

    /// What is wrong with that text.
    pub(crate) fn error(&self, used: &[PairedPattern]) -> Option<&PairedPatternError> {
        self.error.as_ref().filter(|_| self.patterns == used)
    }

    /// Sets the text: patterns separated by commas. Changes `used` if all are valid.
    pub(crate) fn set(&mut self, text: String, used: &mut Vec<PairedPattern>) {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let parsed: Result<Vec<PairedPattern>, _> = parts.map(str::parse).collect();
        self.error = match parsed {
            Ok(mut patterns) => {
                let mut kept: Vec<PairedPattern> = Vec::new();
                patterns.retain(|pattern| {
                    let is_new = !kept.contains(pattern);
                    kept.push(pattern.clone());
                    is_new
                });
                *used = patterns;
                None
            }
            Err(error) => Some(error),
        };
        (self.text, self.patterns) = (text, used.clone());
    }
}

impl NamesGroup {
    /// Records a folder that was added.
    pub(crate) fn add_root(&mut self, folder: &Path) {
        if !self.roots.iter().any(|root| root == folder) {
            self.roots.push(folder.to_owned());
        }
    }

    /// The table of the list matched with the photos, if usable.
    pub(crate) fn roster(&self) -> Option<&Arc<naming::Roster>> {
        self.known.as_ref()?.list.as_ref()?.roster.as_ref()
    }
}

impl AppState {
    /// The current key for updating names.
    pub(crate) fn names_key(&self) -> NamesKey {
        let library = &self.list.library;
        (
            self.list.history.state(),
            library.changes(),
            self.cards.readings,
            self.settings.presets.len(),
            self.names.roots.len(),
        )
    }

    /// True if names may have to be computed again, and none are being computed.
    pub(crate) fn names_are_outdated(&self) -> bool {
        self.names.updated_for != Some(self.names_key()) && !self.computing_names()
    }

    /// True while names are computed.
    pub(crate) fn computing_names(&self) -> bool {
        self.pending.values().any(|pending| *pending == Pending::Names)
    }

    /// The query for the names of all photos that are exported; `None` if photos keep their own names.
    pub(crate) fn names_request(&self) -> Option<RequestedNames> {
        let photos = self.list.library.photos();
        let is_used =
            self.settings.names != NamesSpec::default() || photos.iter().any(|photo| photo.edits().edits_name());
        if !is_used {
            return None;
        }
        let crop = &self.settings.recipe.crop;
        let shared_preset = self.shared_preset();
        // A card that is excluded itself names the photos after it.
        let mut excluded_card = None;
        let (items, photos) = photos
            .iter()
            .filter_map(|photo| {
                let card = self.card_of(photo).or(excluded_card.take());
                if photo.is_excluded() {
                    excluded_card = card;
                    return None;
                }
                let edits = photo.edits();
                let own = edits.overrides.as_deref();
                let preset = own.map_or(Some(&shared_preset), |own| own.preset.as_ref()).cloned();
                let to_name = PhotoToName {
                    path: photo.path.clone(),
                    name: edits.name.clone(),
                    row: edits.row.clone(),
                    card: card.map(ToOwned::to_owned),
                    preset: preset.unwrap_or_default(),
                    size: own.map_or(crop.output, |own| own.crop.output),
                    has_own_settings: own.is_some(),
                };
                Some((photo.id, to_name))
            })
            .unzip();
        let query = NamesQuery {
            spec: self.settings.names.clone(),
            photos,
            roots: self.names.roots.clone(),
            presets: self.settings.presets.clone(),
        };
        Some(RequestedNames { query: Arc::new(query), items })
    }

    /// The id of the preset of the shared settings: the one chosen last, else the first.
    fn shared_preset(&self) -> String {
        self.export.preset.clone().unwrap_or_else(|| built_in_presets()[0].id.clone())
    }

    /// The name of a photo's first crop below the output folder, with its extension, as `3b/Anna.jpg`. `naming` is the
    /// name to use.
    pub(crate) fn crop_name(&self, photo: &Photo, name: &PhotoName) -> String {
        let (names, recipe) = (&self.names, &self.settings.recipe);
        let chosen = photo.chosen(&recipe.crop);
        let face = photo.order(&recipe.crop).first().and_then(|index| photo.faces().get(*index));
        let info = photo.info.as_ref();
        // Crops that keep the photo's pixels differ in size.
        let planned = photo.crop(&recipe.crop).original_size.then(|| photo.plan(&Framings::of(recipe), 0));
        let planned = planned.and_then(|plan| Some(plan.crops.first()?.output));
        let facts = CropFacts {
            number: 1,
            several: chosen.len() > 1,
            size: planned.unwrap_or(photo.crop(&recipe.crop).output),
            score: face.map_or(0.0, |face| face.score),
            quality: face.zip(info).map_or(0.0, |(face, info)| portrait_quality(face, info.size)),
            taken: info.and_then(|info| info.taken),
        };
        let found = names.template.name(&photo.path, name, &facts);
        let format = recipe.encode.for_own_framing(&recipe.crop, photo.crop(&recipe.crop)).format;
        let folders = found.folder.iter().map(|level| level.to_string_lossy());
        let levels: Vec<_> = folders.chain(std::iter::once(found.stem.to_string_lossy())).collect();
        format!("{}.{}", levels.join("/"), format.extension())
    }
}
