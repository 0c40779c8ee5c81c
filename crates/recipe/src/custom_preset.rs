//! Custom presets: created from a spec, duplicated, renamed, imported.

use geometry::Size;

use crate::preset_file::unused_id;
use crate::{CropSpec, DocumentRules, Preset, PresetGroup, PresetSize, built_in_presets};

impl Preset {
    /// A custom preset called `name` with the size, framing and rules of `spec`; the size is a printed size if `dpi` is
    /// given.
    ///
    /// Its id is unique among the built-in presets only: replace it by one of [`unused_id`] if there are custom
    /// presets. Check the preset before it is saved.
    pub fn from_spec(name: &str, spec: &CropSpec, dpi: Option<u16>) -> Self {
        let Size { width, height } = spec.output;
        let printed = dpi
            .filter(|dpi| *dpi > 0)
            .map(|dpi| PresetSize::Print { mm: [width, height].map(|pixels| millimetres(pixels, dpi)), dpi });
        let bare = |rules: &DocumentRules| DocumentRules { name: None, pixels: None, mm: None, ..rules.clone() };
        Self {
            id: unused_id(name, &[]),
            name: name.trim().to_owned(),
            group: PresetGroup::Custom,
            description: String::new(),
            source: None,
            check_before_use: false,
            size: printed.unwrap_or(PresetSize::Pixels { pixels: [width, height] }),
            head_height: spec.head_height,
            position: spec.position,
            shift_right: spec.shift_right,
            keep_hair: Some(spec.keep_hair),
            level: spec.level,
            rules: spec.rules.as_ref().map(bare),
        }
    }

    /// A custom copy of this preset, with an id and a name that are unique among the built-in presets and `taken`.
    #[must_use]
    pub fn duplicate(&self, taken: &[Self]) -> Self {
        let base = self.name.trim();
        let names = (1_u32..).map(|number| match number {
            1 => format!("{base} copy"),
            _ => format!("{base} copy {number}"),
        });
        let is_free = |name: &String| taken.iter().chain(built_in_presets()).all(|preset| preset.name != *name);
        let name = names.into_iter().find(is_free).unwrap_or_else(|| base.to_owned());
        Self { id: unused_id(&name, taken), name, group: PresetGroup::Custom, ..self.clone() }
    }

    /// The preset as a custom one, for an import; it gets another id if a built-in preset or one of `taken` has the
    /// same one.
    #[must_use]
    pub fn imported(self, taken: &[Self]) -> Self {
        let is_taken = taken.iter().chain(built_in_presets()).any(|preset| preset.id == self.id);
        let id = if is_taken { unused_id(&self.id, taken) } else { self.id };
        Self { id, group: PresetGroup::Custom, ..self }
    }

    /// The same preset with another name. The id is kept, so that references remain valid.
    #[must_use]
    pub fn renamed(&self, name: &str) -> Self {
        Self { name: name.trim().to_owned(), ..self.clone() }
    }
}

/// Millimetres of `pixels` at `dpi`, rounded to the fewest digits that still give the same pixels.
fn millimetres(pixels: u32, dpi: u16) -> f64 {
    let exact = f64::from(pixels) * 25.4 / f64::from(dpi);
    let rounded = [1.0, 10.0, 100.0].map(|parts| (exact * parts).round() / parts);
    let is_exact = |mm: &f64| *mm > 0.0 && (mm * f64::from(dpi) / 25.4).round() == f64::from(pixels);
    rounded.into_iter().find(is_exact).unwrap_or(exact)
}
