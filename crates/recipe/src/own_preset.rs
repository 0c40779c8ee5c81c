//! Presets of one's own: made of a spec, copied, renamed, taken in from a file.

use geometry::Size;

use crate::preset_file::unused_id;
use crate::{CropSpec, DocumentRules, Preset, PresetGroup, PresetSize, built_in_presets};

impl Preset {
    /// A preset of one's own called `name` with the size, framing and rules of `spec`; a printed size where there are `dpi`.
    ///
    /// Its id is free among the built-in presets only: give it one of [`unused_id`] where there are others. Check it before
    /// it is kept.
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
            level: spec.level,
            rules: spec.rules.as_ref().map(bare),
        }
    }

    /// A copy of one's own, named after this one, with an id and a name that are free among `taken`.
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

    /// The preset as one of one's own, as after an import: under another id where a built-in preset or one of `taken` has
    /// its own.
    #[must_use]
    pub fn adopted(self, taken: &[Self]) -> Self {
        let is_taken = taken.iter().chain(built_in_presets()).any(|preset| preset.id == self.id);
        let id = if is_taken { unused_id(&self.id, taken) } else { self.id };
        Self { id, group: PresetGroup::Custom, ..self }
    }

    /// The same preset under another name. Its id stays, so that what refers to it still finds it.
    #[must_use]
    pub fn renamed(&self, name: &str) -> Self {
        Self { name: name.trim().to_owned(), ..self.clone() }
    }
}

/// Millimetres of `pixels` at `dpi`, as round as they can be while they still give these pixels.
fn millimetres(pixels: u32, dpi: u16) -> f64 {
    let exact = f64::from(pixels) * 25.4 / f64::from(dpi);
    let rounded = [1.0, 10.0, 100.0].map(|parts| (exact * parts).round() / parts);
    let gives_them = |mm: &f64| *mm > 0.0 && (mm * f64::from(dpi) / 25.4).round() == f64::from(pixels);
    rounded.into_iter().find(gives_them).unwrap_or(exact)
}
