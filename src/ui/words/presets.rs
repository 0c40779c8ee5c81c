//! The built-in presets in the window's language: `plan` has their names and what there is to know of them in English.

use recipe::{Preset, PresetGroup};

use super::super::language::{Language, current, known, mark};

/// A preset's name: a person's own is as they wrote it.
pub(crate) fn preset_name(preset: &Preset) -> String {
    if preset.group == PresetGroup::Own { preset.name.clone() } else { known(&preset.name) }
}

/// What there is to know of a preset; empty where nothing is.
pub(crate) fn about_preset(preset: &Preset) -> String {
    if preset.group == PresetGroup::Own {
        return preset.about.clone();
    }
    let between = if current() == Language::Japanese { "" } else { " " };
    sentences(&preset.about).map(known).collect::<Vec<_>>().join(between)
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.find(". ").map_or(rest.len(), |at| at + 1);
        let (sentence, after) = rest.split_at(end);
        rest = after.trim_start();
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// Names, colours of backgrounds and sentences of the built-in presets. Sizes are parts, so that many share a sentence.
pub(crate) const OF_PRESETS: &[&str] = &[
    mark("Headshot 4:5"),
    mark("Square avatar"),
    mark("Yearbook 5 x 7 in"),
    mark("Portrait 2:3"),
    mark("ICAO portrait {size} mm"),
    mark("US passport or visa 2 x 2 in ({size} mm)"),
    mark("US Diversity Visa {size}"),
    mark("UK passport, printed"),
    mark("UK passport, digital"),
    mark("Germany / Schengen {size} mm"),
    mark("Canada passport {size} mm"),
    mark("Canada temporary resident {size} mm"),
    mark("Australia passport {size} mm"),
    mark("China visa {size} mm"),
    mark("Japan passport {size} mm"),
    mark("India passport (missions) {size}"),
    mark("India exam forms (SSC, UPSC) {size}"),
    mark("New Zealand passport, digital 3:4"),
    mark("Finland {size} mm"),
    mark("China 1 inch ({size})"),
    mark("China small 1 inch ({size})"),
    mark("China large 1 inch ({size})"),
    mark("China 2 inch ({size})"),
    mark("China small 2 inch ({size})"),
    mark("China social security card ({size})"),
    mark("China graduate exam ({size})"),
    mark("China English exam ({size})"),
    mark("Korea visa ({size})"),
    mark("Japan visa ({size})"),
    mark("Microsoft 365, Teams and Exchange {size}"),
    mark("white"),
    mark("white or off-white"),
    mark("white, blue or red"),
    mark("plain and light"),
    mark("plain and light, not white"),
    mark("cream or light grey"),
    mark("Portrait for a team page or a yearbook: head and shoulders, eyes on the upper third."),
    mark("Profile picture that still works when shown as a circle: the head in the middle."),
    mark("Print of 5 x 7 inches (127 x 177.8 mm) with head and shoulders."),
    mark("Upright portrait in the shape of most cameras' photos and of 4 x 6 inch prints: half of the body has room."),
    mark("Generic travel document: head 70 to 80 % of the height."),
    mark("Sources put the eye line at 50 to 70 % or at 50 to 60 %; the crop aims where both agree."),
    mark("At least 90 pixels between the eyes."),
    mark("Read the issuing office's own rules."),
    mark("Head 25 to 35 mm (50 to 69 %), eye line 28 to 35 mm above the bottom edge (56 to 69 %)."),
    mark("Files: square, 600 to 1200 pixels, JPEG in sRGB, at most 240 kB, compressed at most 20:1."),
    mark("Altered photos are refused."),
    mark("Exactly 600 x 600 pixels and at most 240 kB; head and eye line as for the US passport."),
    mark("Head {least} to {most} mm of {height} mm."),
    mark("No source gives an eye line or a resolution: both are this program's choice."),
    mark("Shape 3.5:4.5, at least 600 x 750 pixels, 50 kB to 10 MB."),
    mark("No source gives a head height for files: this program's choice is that of the print."),
    mark("Head 32 to 36 mm (70 to 80 %), refused outside 27 to 40 mm; children of 6 to 9 years 50 to 80 %."),
    mark(
        "Eye line 22 to 32 mm above the bottom edge: the crop aims below the middle of that, to leave room above the crown.",
    ),
    mark("To be printed with at least 600 dpi."),
    mark("At least 35 x 45 mm and 420 x 540 pixels, which is what 305 dpi give."),
    mark("No source gives a head height or an eye line: both are this program's choice."),
    mark("Width 35 to 40 mm, height 45 to 50 mm, head 32 to 36 mm."),
    mark("No editing is allowed."),
    mark("Head 28 to 33 mm high and 15 to 22 mm wide, 3 to 5 mm above it."),
    mark("Files: 354 to 420 x 472 to 560 pixels, which 290 dpi meet, JPEG of 40 to 120 kB."),
    mark("Sources give other bounds for width and height too."),
    mark("Head 32 to 36 mm, 2 to 6 mm above it."),
    mark("The resolution is this program's choice."),
    mark("For missions from September 2025 on: 630 x 810 pixels, head 80 to 85 %, JPEG."),
    mark("No source gives the room above the head: it is this program's choice."),
    mark("200 x 230 pixels and 20 to 50 kB."),
    mark(
        "Shape 3:4, 900 x 1200 to 4500 x 6000 pixels, JPEG of at most 10 MB; versions of the page differ on the smallest file, 250 or 500 kB.",
    ),
    mark(
        "One service puts the head with its hair at about 75 %; this program's choice of 70 % up to the crown leaves room for the hair.",
    ),
    mark("36 x 47 mm and 500 x 653 pixels, which is what 353 dpi give."),
    mark("{size} pixels at {dpi} dpi, which are {mm} mm."),
    mark("{size} pixels, which are {mm} mm at {dpi} dpi."),
    mark("{size} pixels."),
    mark("Shown as a circle."),
    mark("Up to 7680 x 4320 pixels and 8 MB are taken; pages disagree on a least of 200 pixels."),
    mark("Square, 512 to 1024 pixels; other shapes get bars."),
    mark("The largest size kept; 504, 432, 360, 240, 120, 96, 64 and 48 pixels are made of it."),
    mark("Shown as a circle in most places."),
    mark("The directory of accounts without a mailbox refuses files above 100 kB."),
    mark("About 500 x 500 pixels; below 1 MB and 3000 x 3000 pixels, as PNG, JPEG or GIF."),
    mark("Square; sizes of 1 to 2048 pixels can be asked for."),
    mark("A common size, from one blog; not the service's own word."),
];

#[cfg(test)]
mod tests {
    use recipe::built_in_presets;

    use super::super::super::language::set_current;
    use super::*;

    #[test]
    fn every_sentence_of_the_built_in_presets_is_known() {
        set_current(Language::Japanese);
        let mut missing = Vec::new();
        for preset in built_in_presets() {
            let background = preset.rules.as_ref().and_then(|rules| rules.background.as_deref());
            missing.extend(sentences(&preset.about).chain(background).filter(|text| known(text) == *text));
            // Services are called by their names everywhere.
            if preset.group != PresetGroup::Profile && known(&preset.name) == preset.name {
                missing.push(&preset.name);
            }
        }
        set_current(Language::English);
        assert!(missing.is_empty(), "{missing:?}");
        for preset in built_in_presets() {
            assert_eq!((preset_name(preset), about_preset(preset)), (preset.name.clone(), preset.about.clone()));
        }
    }

    #[test]
    fn a_persons_own_words_stay_as_they_are() {
        let own = Preset {
            group: PresetGroup::Own,
            name: "white".to_owned(),
            about: "No editing is allowed.".to_owned(),
            ..built_in_presets()[0].clone()
        };
        set_current(Language::German);
        assert_eq!((preset_name(&own), about_preset(&own)), ("white".to_owned(), "No editing is allowed.".to_owned()));
        set_current(Language::English);
    }
}
