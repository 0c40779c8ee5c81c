//! The outputs of the recipe, and the active one: the panels show and edit it, and canvas and preview show its crops.

use geometry::Size;
use plan::{CropPlan, PlannedCrop};
use recipe::{
    CropSpec, EncodeSpec, FinishSpec, OutputPlace, PackageSpec, Preset, Recipe, RenderSpec, SheetSpec, Variant,
};

use super::{AppState, Photo};

/// The framing of every output: the shared one of the recipe's own output, then those of the variants. At least one.
#[derive(Clone, Debug)]
pub(crate) struct Framings<'a>(Vec<&'a CropSpec>);

impl<'a> Framings<'a> {
    pub(crate) fn new(own: &'a CropSpec, variants: impl IntoIterator<Item = &'a CropSpec>) -> Self {
        Self(std::iter::once(own).chain(variants).collect())
    }

    pub(crate) fn of(recipe: &'a Recipe) -> Self {
        Self::new(&recipe.crop, recipe.variants.iter().map(|variant| &variant.crop))
    }

    /// That of the recipe's own output, which also selects the faces of every output.
    pub(crate) fn own(&self) -> &'a CropSpec {
        self.0[0]
    }

    /// That of the output with this index; the last one if there are fewer.
    pub(crate) fn get(&self, output: usize) -> &'a CropSpec {
        self.0[output.min(self.0.len() - 1)]
    }

    pub(crate) fn variants(&self) -> &[&'a CropSpec] {
        &self.0[1..]
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// The settings of one output, to be changed.
pub(crate) struct OutputMut<'a> {
    pub crop: &'a mut CropSpec,
    pub finish: &'a mut FinishSpec,
    pub encode: &'a mut EncodeSpec,
    pub sheet: &'a mut Option<SheetSpec>,
    pub place: &'a mut OutputPlace,
    pub package: &'a mut PackageSpec,
}

impl AppState {
    /// Index of the active output, 0 for the recipe's own.
    pub(crate) fn active_output(&self) -> usize {
        self.export.active_output.min(self.settings.recipe.variants.len())
    }

    /// Number of outputs.
    pub(crate) fn output_count(&self) -> usize {
        self.settings.recipe.variants.len() + 1
    }

    fn variant(&self, output: usize) -> Option<&Variant> {
        self.settings.recipe.variants.get(output.checked_sub(1)?)
    }

    /// The active output, if it is a variant.
    pub(crate) fn active_variant(&self) -> Option<&Variant> {
        self.variant(self.active_output())
    }

    pub(crate) fn framings(&self) -> Framings<'_> {
        Framings::of(&self.settings.recipe)
    }

    /// Framing and face selection of the recipe's own output for the photo on the canvas: from its overrides, else from the
    /// shared settings. Every output has this face selection.
    pub(crate) fn own_crop_spec(&self) -> &CropSpec {
        let shared = &self.settings.recipe.crop;
        self.current().map_or(shared, |photo| photo.crop(shared))
    }

    /// Framing of an output for the photo on the canvas. Only the recipe's own output has overrides.
    fn framing_of(&self, output: usize) -> &CropSpec {
        self.variant(output).map_or_else(|| self.own_crop_spec(), |variant| &variant.crop)
    }

    /// Framing of the active output for the photo on the canvas.
    pub(crate) fn crop_spec(&self) -> &CropSpec {
        self.framing_of(self.active_output())
    }

    /// Shape and adjustments of an output's crops of the photo on the canvas.
    fn finish_of(&self, output: usize) -> FinishSpec {
        let shared = self.settings.recipe.finish;
        let own = || self.current().map_or(shared, |photo| photo.finish(shared));
        self.variant(output).map_or_else(own, |variant| variant.finish)
    }

    /// Shape and adjustments of the active output's crops of the photo on the canvas.
    pub(crate) fn finish(&self) -> FinishSpec {
        self.finish_of(self.active_output())
    }

    /// Everything needed to render an output's crops of the photo on the canvas.
    pub(crate) fn render_spec_of(&self, output: usize) -> RenderSpec {
        self.framing_of(output).render_spec(self.finish_of(output))
    }

    pub(crate) fn encode_of(&self, output: usize) -> EncodeSpec {
        self.variant(output).map_or(self.settings.recipe.encode, |variant| variant.encode)
    }

    /// The encoder settings of the active output.
    pub(crate) fn encode(&self) -> EncodeSpec {
        self.encode_of(self.active_output())
    }

    /// The print sheet of the active output.
    pub(crate) fn sheet(&self) -> Option<SheetSpec> {
        self.active_variant().map_or(self.settings.recipe.sheet, |variant| variant.sheet)
    }

    /// Where an output is written.
    pub(crate) fn place_of(&self, output: usize) -> &OutputPlace {
        self.variant(output).map_or(&self.settings.recipe.place, |variant| &variant.place)
    }

    /// What is written beside the crops of the active output.
    pub(crate) fn package(&self) -> PackageSpec {
        self.active_variant().map_or(self.settings.recipe.package, |variant| variant.package)
    }

    /// The active output, to be changed. Overrides of photos are not part of it.
    pub(crate) fn output_mut(&mut self) -> OutputMut<'_> {
        let output = self.active_output();
        let Recipe { crop, finish, encode, sheet, place, package, variants, .. } = &mut self.settings.recipe;
        match output.checked_sub(1).and_then(|variant| variants.get_mut(variant)) {
            Some(Variant { crop, finish, encode, sheet, place, package, .. }) => {
                OutputMut { crop, finish, encode, sheet, place, package }
            }
            None => OutputMut { crop, finish, encode, sheet, place, package },
        }
    }

    /// An output's crops of the photo on the canvas; empty until its faces are known.
    pub(crate) fn plan_of(&self, output: usize) -> CropPlan {
        self.current().map(|photo| photo.plan(&self.framings(), output)).unwrap_or_default()
    }

    /// The crops of the active output.
    pub(crate) fn current_plan(&self) -> CropPlan {
        self.plan_of(self.active_output())
    }

    /// An output's crop of the previewed face.
    pub(crate) fn crop_of(&self, output: usize) -> Option<PlannedCrop> {
        let (_, shown) = self.shown_crop()?;
        if output == self.active_output() {
            return Some(shown);
        }
        self.plan_of(output).crops.into_iter().find(|crop| crop.face_index == shown.face_index)
    }

    /// Id of the preset that the active output was last set to; several presets may match its framing.
    fn chosen_preset(&self) -> Option<&String> {
        let of_photo = || self.current().and_then(Photo::overrides);
        match self.active_variant() {
            Some(variant) => variant.preset.as_ref(),
            None => of_photo().map_or(self.export.preset.as_ref(), |own| own.preset.as_ref()),
        }
    }

    /// Records the preset of the active output.
    pub(crate) fn set_chosen_preset(&mut self, id: String) {
        let output = self.active_output();
        match output.checked_sub(1).and_then(|variant| self.settings.recipe.variants.get_mut(variant)) {
            Some(variant) => variant.preset = Some(id),
            None => self.export.preset = Some(id),
        }
    }

    /// The preset of the active output's framing: the one chosen last, else the first match; `None` if the framing was
    /// changed.
    pub(crate) fn current_preset(&self) -> Option<&Preset> {
        self.preset_of(self.crop_spec(), self.chosen_preset())
    }

    /// The preset of an output's shared framing.
    pub(crate) fn shared_preset_of(&self, output: usize) -> Option<&Preset> {
        match self.variant(output) {
            Some(variant) => self.preset_of(&variant.crop, variant.preset.as_ref()),
            None => self.preset_of(&self.settings.recipe.crop, self.export.preset.as_ref()),
        }
    }

    fn preset_of(&self, framing: &CropSpec, chosen: Option<&String>) -> Option<&Preset> {
        let alike = |preset: &&Preset| preset.matches(framing);
        let chosen = self.presets().find(|preset| Some(&preset.id) == chosen);
        chosen.filter(alike).or_else(|| self.presets().find(alike))
    }

    /// Size of an output's crops in the shared settings; `None` if they keep the photo's pixels.
    pub(crate) fn shared_size_of(&self, output: usize) -> Option<Size> {
        let framing = self.framings().get(output);
        (!framing.original_size).then_some(framing.output)
    }
}

/// Index of an output in which two recipes differ: `active`, or else the first.
pub(crate) fn changed_output(old: &Recipe, new: &Recipe, active: usize) -> Option<usize> {
    let [old, new] = [old, new].map(|recipe| recipe.outputs().collect::<Vec<Variant>>());
    let differs = |output: &usize| old.get(*output) != new.get(*output);
    Some(active).filter(differs).or_else(|| (0..old.len().max(new.len())).find(differs))
}
