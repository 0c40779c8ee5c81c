//! The outputs of an export: the recipe's own and its variants.

use geometry::{Face, Size};
use naming::{MAX_NAME_BYTES, OutputName, portable, shortened};
use plan::{PlannedCrop, Warning, faces_of_output, plan_chosen, plan_in_order, review_crops};
use recipe::{FinishSpec, OutputFormat, OutputPlace, PairedPattern, Recipe, SheetError, Variant};

use crate::sheet::Sheets;

/// Bytes reserved at the end of a name for extension, number and face number.
const RESERVED_BYTES: usize = 24;

/// One output of a photo, or of a file paired with it.
pub(super) struct Output {
    pub(super) spec: Variant,
    /// `None` for no sheets.
    pub(super) sheets: Option<Sheets>,
    /// Index of the output in the recipe.
    pub(super) index: usize,
    /// Index of the paired file that its crops show instead of the photo.
    pub(super) paired: Option<usize>,
}

impl Output {
    /// The outputs of `recipe`, its own first.
    ///
    /// # Errors
    /// Fails if the copies of a print sheet do not fit on the paper.
    pub(super) fn all(recipe: &Recipe) -> Result<Vec<Self>, SheetError> {
        let output = |(index, spec)| Ok(Self { sheets: Sheets::of(&spec)?, spec, index, paired: None });
        recipe.outputs().enumerate().map(output).collect()
    }

    /// The same output for the paired file number `paired`: the same frames, but no changes of its colours. It keeps the
    /// format of the paired file if that can be written.
    pub(super) fn of_paired(&self, paired: usize, pattern: &PairedPattern) -> Self {
        let mut spec = Variant { sheet: None, ..self.spec.clone() };
        spec.finish = FinishSpec { shape: self.spec.finish.shape, ..FinishSpec::default() };
        spec.encode.format = OutputFormat::of_extension(pattern.extension()).unwrap_or(spec.encode.format);
        spec.encode.max_kilobytes = None;
        spec.crop.rules = None;
        spec.place.suffix.push_str(&pattern.suffix());
        Self { spec, sheets: None, index: self.index, paired: Some(paired) }
    }
}

/// A planned crop and the index of its output.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutputCrop {
    pub(super) output: usize,
    pub(super) planned: PlannedCrop,
}

/// Plans the crops of the faces at `chosen` for each output, output by output. `by_user` is true if the user has chosen the
/// faces, and so their order.
pub(super) fn plan_outputs(
    outputs: &[Output],
    faces: &[Face],
    (chosen, by_user): (&[usize], bool),
    size: Size,
) -> (Vec<OutputCrop>, Vec<Warning>) {
    let plan_faces = if by_user { plan_in_order } else { plan_chosen };
    let sizes: Vec<Size> = outputs.iter().map(|output| output.spec.crop.output).collect();
    let (mut crops, mut warnings): (Vec<OutputCrop>, Vec<Warning>) = (Vec::new(), Vec::new());
    for (index, Output { spec: Variant { crop, .. }, .. }) in outputs.iter().enumerate() {
        let faces = faces_of_output(faces, &sizes, index);
        let plan = plan_faces(&faces, chosen, size, crop);
        let found = review_crops(&faces, &plan, size, crop, by_user);
        let first = crops.len();
        crops.extend(plan.crops.into_iter().map(|planned| OutputCrop { output: index, planned }));
        for Warning { crop, kind } in found {
            let crop = crop.map(|crop| first + crop);
            // A warning about the photo or the face is given once.
            let is_known = |known: &Warning| known.kind == kind && face_of(&crops, known.crop) == face_of(&crops, crop);
            if index == 0 || !warnings.iter().any(is_known) {
                warnings.push(Warning { crop, kind });
            }
        }
    }
    (crops, warnings)
}

/// Index of the face of a crop.
fn face_of(crops: &[OutputCrop], crop: Option<usize>) -> Option<usize> {
    crop.and_then(|crop| crops.get(crop)).map(|crop| crop.planned.face_index)
}

/// `name` in the folder of `place` and with its suffix, valid on every system.
pub(super) fn name_in(place: &OutputPlace, name: OutputName) -> OutputName {
    if *place == OutputPlace::default() {
        return name;
    }
    let folder = place.levels().map(|level| portable(level.as_ref())).chain([name.folder.into_os_string()]).collect();
    let mut stem = name.stem;
    if !place.suffix.is_empty() {
        let suffix = shortened(place.suffix.as_ref(), MAX_NAME_BYTES / 2);
        stem = shortened(&stem, MAX_NAME_BYTES - RESERVED_BYTES - suffix.len());
        stem.push(suffix);
        stem = portable(&stem);
    }
    OutputName { folder, stem }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::Path;

    use super::*;

    #[test]
    fn an_output_has_its_folder_and_suffix() {
        let place = OutputPlace { folder: "print/CON".to_owned(), suffix: "_small".to_owned() };
        let name = OutputName { folder: "3b".into(), stem: "Anna".into() };
        let placed = name_in(&place, name.clone());
        assert_eq!((placed.folder.as_path(), placed.stem), (Path::new("print/_CON/3b"), OsString::from("Anna_small")));
        assert_eq!(name_in(&OutputPlace::default(), name.clone()), name);
        let long = OutputName { folder: "".into(), stem: "x".repeat(300).into() };
        let placed = name_in(&place, long);
        assert!(placed.stem.len() < 240 && placed.stem.to_string_lossy().ends_with("x_small"));
    }
}
