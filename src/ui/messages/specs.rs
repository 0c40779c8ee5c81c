//! Errors in settings and presets. The English texts are those of `recipe`.

use recipe::{
    Alteration, CropSpec, EncodeSpec, EncodeSpecError, PresetError, PresetFault, PresetText, Quantity, SheetError,
    SheetSpec, SpecError, Unit,
};

use super::super::language::{decimal, say, tr};
use super::parts::plain;

/// An invalid number in framing or finish.
pub(crate) fn spec_error(error: &SpecError) -> String {
    match error {
        SpecError::Output { width, height } => say!(
            "the output size {width} x {height} has a side outside 1 to {max} pixels",
            width = width.to_string(),
            height = height.to_string(),
            max = CropSpec::MAX_SIDE
        ),
        SpecError::OutOfRange { what, value, min, max, unit } => say!(
            "{what} of {value}{unit} is outside {min} to {max}{unit}",
            what = quantity(*what),
            value = short(*value),
            min = short(*min),
            max = short(*max),
            unit = of_unit(*unit)
        ),
        SpecError::Expected { min, max } => {
            say!("the minimum number of faces ({min}) exceeds the maximum ({max})", min = *min, max = *max)
        }
        SpecError::Rule { what } => {
            say!("{what} in the rules of the preset can never be met", what = quantity(*what))
        }
        SpecError::Altered { what } => say!(
            "the rules for this document do not allow altered photos: {what} cannot be used",
            what = alteration(*what)
        ),
    }
}

fn short(number: f32) -> String {
    // Formatted as text first, so that 0.7 stays 0.7.
    number.to_string().parse().map_or_else(|_| number.to_string(), plain)
}

fn quantity(what: Quantity) -> &'static str {
    match what {
        Quantity::HeadHeight => tr("a head height"),
        Quantity::EyeLine => tr("an eye line"),
        Quantity::Headroom => tr("a headroom"),
        Quantity::Shift => tr("a shift"),
        Quantity::LevelLimit => tr("a levelling limit"),
        Quantity::Padding => tr("a padding"),
        Quantity::MinScore => tr("a minimum score"),
        Quantity::CornerRadius => tr("a corner radius"),
        Quantity::SoftEdge => tr("a soft edge"),
        Quantity::Exposure => tr("an exposure"),
        Quantity::Contrast => tr("a contrast"),
        Quantity::Sharpening => tr("a sharpening"),
        Quantity::Margin => tr("a margin"),
        Quantity::Gap => tr("a gap between copies"),
        Quantity::HeadRange => tr("the head range"),
        Quantity::EyeLineRange => tr("the eye-line range"),
        Quantity::HeadroomRange => tr("the headroom range"),
        Quantity::PoseLimit => tr("a limit of the head's rotation"),
        Quantity::FileSize => tr("the file size"),
        Quantity::PixelSize => tr("the size in pixels"),
        Quantity::PrintedSize => tr("the size in millimetres"),
        Quantity::Resolution => tr("the resolution"),
    }
}

/// The unit, with a leading space.
fn of_unit(unit: Unit) -> &'static str {
    match unit {
        Unit::None => "",
        Unit::Percent => tr(" %"),
        Unit::Mm => " mm",
        Unit::Degrees => tr(" degrees"),
        Unit::Stops => tr(" stops"),
    }
}

fn alteration(what: Alteration) -> &'static str {
    match what {
        Alteration::Fill => tr("filling beyond the photo's edge"),
        Alteration::Adjustment => tr("an adjustment of light or colour"),
        Alteration::Shape => tr("a shape or soft edge"),
        Alteration::Background => tr("a replaced background"),
    }
}

/// An invalid number in the output options.
pub(crate) fn encode_spec_error(error: &EncodeSpecError) -> String {
    match error {
        EncodeSpecError::Quality { quality } => say!(
            "a quality of {quality} is outside {min} to {max}",
            quality = *quality,
            min = *EncodeSpec::QUALITY.start(),
            max = *EncodeSpec::QUALITY.end()
        ),
        EncodeSpecError::AvifSpeed { speed } => say!(
            "an AVIF speed of {speed} is outside {min} to {max}",
            speed = *speed,
            min = *EncodeSpec::AVIF_SPEED.start(),
            max = *EncodeSpec::AVIF_SPEED.end()
        ),
        EncodeSpecError::Dpi { dpi } => say!(
            "a resolution of {dpi} dpi is outside {min} to {max}",
            dpi = dpi.to_string(),
            min = EncodeSpec::DPI.start().to_string(),
            max = EncodeSpec::DPI.end().to_string()
        ),
        EncodeSpecError::NoBytes => tr("a limit of 0 kB allows no file; give at least 1 kB, or no limit").to_owned(),
    }
}

/// An impossible sheet layout.
pub(crate) fn sheet_error(error: &SheetError) -> String {
    match error {
        SheetError::Spec(error) => spec_error(error),
        SheetError::OriginalSize => {
            tr("crops in the photo's own pixels have different sizes and give no print sheet; choose a size").to_owned()
        }
        SheetError::NoCopies => tr("a sheet cannot have 0 copies; give at least 1, or as many as fit").to_owned(),
        SheetError::NoResolution => tr("a resolution of 0 dpi gives no size on paper; give at least 1 dpi").to_owned(),
        SheetError::NoneFits { crop, dpi, paper, margin_mm } => {
            let [width, height] = recipe::printed_mm(*crop, *dpi).map(|side| decimal(side, 1));
            let [short_side, long_side] = paper.mm().map(plain);
            say!(
                "the crop is {size} at {dpi} dpi and does not fit on {paper} ({paper_mm}) with a margin of {margin} mm; choose larger paper, a higher resolution or a smaller crop",
                size = say!("{width} x {height} mm", width = width, height = height),
                dpi = dpi.to_string(),
                paper = paper.name(),
                paper_mm = say!("{width} x {height} mm", width = short_side, height = long_side),
                margin = short(*margin_mm)
            )
        }
        SheetError::TooMany { copies, fits: 1, paper } => say!(
            "{copies} copies do not fit on {paper}; {fits} does",
            copies = *copies,
            fits = 1_u32,
            paper = paper.name()
        ),
        SheetError::TooMany { copies, fits, paper } => {
            say!(
                "{copies} copies do not fit on {paper}; {fits} do",
                copies = *copies,
                fits = *fits,
                paper = paper.name()
            )
        }
        SheetError::TooLarge { paper, dpi, sheet } => say!(
            "{paper} at {dpi} dpi has {pixels} pixels, more than {max} along a side; choose PDF or a lower resolution",
            paper = paper.name(),
            dpi = dpi.to_string(),
            pixels = *sheet,
            max = SheetSpec::MAX_SIDE
        ),
    }
}

/// Why a preset file cannot be used.
pub(crate) fn preset_error(error: &PresetError) -> String {
    match error {
        PresetError::TooLarge { bytes, max } => {
            say!("the preset file is too large: {bytes} bytes, at most {max} are allowed", bytes = *bytes, max = *max)
        }
        PresetError::Form { message } => say!("it is not a preset file: {message}", message = message),
        PresetError::Empty => tr("it contains no preset; each preset begins with a line [[preset]]").to_owned(),
        PresetError::Twice { id } => say!("two of its presets have the id '{id}'", id = id),
        PresetError::Faulty { id, fault } => {
            say!("the preset '{id}' cannot be used: {fault}", id = id, fault = preset_fault(fault))
        }
    }
}

/// Why a preset is invalid.
pub(crate) fn preset_fault(fault: &PresetFault) -> String {
    match fault {
        PresetFault::Id => say!(
            "an id has 1 to {max} lower-case letters a to z, digits and hyphens, and begins and ends with a letter or a digit",
            max = recipe::MAX_PRESET_ID
        ),
        PresetFault::Words { what, min, max } => say!(
            "{what} must be {min} to {max} characters long, without line breaks or other control characters",
            what = preset_text(*what),
            min = *min,
            max = *max
        ),
        PresetFault::Print { width, height, dpi } => say!(
            "a printed size of {width} x {height} mm at {dpi} dpi cannot be used",
            width = plain(*width),
            height = plain(*height),
            dpi = dpi.to_string()
        ),
        PresetFault::Number(error) => spec_error(error),
    }
}

fn preset_text(what: PresetText) -> &'static str {
    match what {
        PresetText::Name => tr("the name"),
        PresetText::About => tr("the description"),
        PresetText::Source => tr("the source"),
        PresetText::Background => tr("the background"),
    }
}

#[cfg(test)]
mod tests {
    use geometry::Size;
    use recipe::Paper;

    use super::super::super::language::{Language, set_current};
    use super::*;

    #[test]
    fn english_spec_errors_match_the_command_line() {
        let out = |what, value, unit| SpecError::OutOfRange { what, value, min: 0.0, max: 0.5, unit };
        for error in [
            SpecError::Output { width: 0, height: 500 },
            out(Quantity::CornerRadius, 0.7, Unit::None),
            out(Quantity::Margin, 70.0, Unit::Mm),
            out(Quantity::LevelLimit, 270.5, Unit::Degrees),
            out(Quantity::PoseLimit, -5.0, Unit::Degrees),
            SpecError::Expected { min: 3, max: 2 },
            SpecError::Rule { what: Quantity::FileSize },
            SpecError::Altered { what: Alteration::Fill },
            SpecError::Altered { what: Alteration::Background },
        ] {
            assert_eq!(spec_error(&error).replace("10,000", "10000"), error.to_string());
        }
        let (paper, crop) = (Paper::A4, Size::new(413, 531));
        for error in [
            SheetError::NoneFits { crop, dpi: 300, paper, margin_mm: 3.5 },
            SheetError::TooMany { copies: 9, fits: 1, paper },
            SheetError::TooMany { copies: 9, fits: 8, paper },
        ] {
            assert_eq!(sheet_error(&error), error.to_string());
        }
        for error in
            [EncodeSpecError::Quality { quality: 0 }, EncodeSpecError::Dpi { dpi: 0 }, EncodeSpecError::NoBytes]
        {
            assert_eq!(encode_spec_error(&error), error.to_string());
        }
        let fault = PresetFault::Print { width: 35.5, height: 45.0, dpi: 0 };
        let error = PresetError::Faulty { id: "a".to_owned(), fault };
        assert_eq!(preset_error(&error), error.to_string());
    }

    #[test]
    fn spec_errors_are_translated_to_german() {
        set_current(Language::German);
        let message = PresetFault::Words { what: PresetText::Name, min: 1, max: 100 };
        let texts = [
            spec_error(&SpecError::OutOfRange {
                what: Quantity::CornerRadius,
                value: 0.7,
                min: 0.0,
                max: 0.5,
                unit: Unit::None,
            }),
            spec_error(&SpecError::Altered { what: Alteration::Shape }),
            sheet_error(&SheetError::TooMany { copies: 9, fits: 1, paper: Paper::A4 }),
            preset_error(&PresetError::Faulty { id: "a".to_owned(), fault: message }),
        ];
        set_current(Language::English);
        assert_eq!(texts[0], "ein Eckenradius von 0,7 liegt außerhalb von 0 bis 0,5");
        assert!(texts[1].contains("eine Form oder ein weicher Rand"), "{}", texts[1]);
        assert_eq!(texts[2], "9 Abzüge passen nicht auf A4; es passt 1");
        assert!(texts[3].contains("der Name muss 1 bis 100 Zeichen"), "{}", texts[3]);
    }
}
