//! The built-in presets, by id. The English texts are those of `recipe`.

use recipe::{Preset, PresetGroup, built_in_presets};

use super::super::language::{Language, current, mark, say, tr};

/// A preset's name; custom ones are not translated.
pub(crate) fn preset_name(preset: &Preset) -> String {
    if preset.group == PresetGroup::Custom {
        return preset.name.clone();
    }
    let id = preset.id.as_str();
    let known = portrait(id).or_else(|| profile(id)).or_else(|| document(id)).or_else(|| organisation(id));
    known.unwrap_or_else(|| preset.name.clone())
}

/// The name of a document from its rules; custom ones are not translated.
pub(crate) fn document_name(name: &str) -> String {
    let built_in = built_in_presets().iter().find(|preset| preset.name == name);
    built_in.map_or_else(|| name.to_owned(), preset_name)
}

/// Description of a preset; may be empty.
pub(crate) fn about_preset(preset: &Preset) -> String {
    let id = preset.id.as_str();
    let known = || about_portrait(id).or_else(|| about_profile(id)).or_else(|| about_size(id));
    match known()
        .or_else(|| about_directory(id))
        .or_else(|| about_badge(id))
        .or_else(|| about_document(id))
        .or_else(|| about_other_document(id))
        .filter(|_| preset.group != PresetGroup::Custom)
    {
        Some(sentences) => sentences.join(if current() == Language::Japanese { "" } else { " " }),
        None => preset.description.clone(),
    }
}

/// Backgrounds of the built-in documents.
const BACKGROUNDS: [&str; 7] = [
    mark("white"),
    mark("white or off-white"),
    mark("white, blue or red"),
    mark("plain"),
    mark("plain and light"),
    mark("plain and light, not white"),
    mark("cream or light grey"),
];

/// The background of a document; custom texts are not translated.
pub(crate) fn background(message: &str) -> String {
    BACKGROUNDS
        .into_iter()
        .find(|known| *known == message)
        .map_or_else(|| message.to_owned(), |known| tr(known).to_owned())
}

fn portrait(id: &str) -> Option<String> {
    Some(match id {
        "headshot" => tr("Headshot 4:5").to_owned(),
        "portrait-2x3" => tr("Portrait 2:3").to_owned(),
        _ => return None,
    })
}

/// Profile pictures. Names of services are not translated.
fn profile(id: &str) -> Option<String> {
    Some(match id {
        "avatar" => tr("Square avatar").to_owned(),
        _ => return None,
    })
}

/// Documents, by country.
fn document(id: &str) -> Option<String> {
    Some(match id {
        "document-35x45" => say!("ICAO portrait {size} mm", size = "35 x 45"),
        "us-passport" => say!("US passport or visa 2 x 2 in ({size} mm)", size = "51 x 51"),
        "us-diversity-visa" => say!("US Diversity Visa {size}", size = "600 x 600"),
        "uk-passport" => tr("UK passport, printed").to_owned(),
        "uk-passport-digital" => tr("UK passport, digital").to_owned(),
        "schengen-35x45" => say!("Germany / Schengen {size} mm", size = "35 x 45"),
        "canada-passport" => say!("Canada passport {size} mm", size = "50 x 70"),
        "canada-temporary-resident" => say!("Canada temporary resident {size} mm", size = "35 x 45"),
        "australia-passport" => say!("Australia passport {size} mm", size = "35 x 45"),
        "china-visa" => say!("China visa {size} mm", size = "33 x 48"),
        "japan-passport" => say!("Japan passport {size} mm", size = "35 x 45"),
        "india-passport" => say!("India passport (missions) {size}", size = "630 x 810"),
        "india-exam" => say!("India exam forms (SSC, UPSC) {size}", size = "200 x 230"),
        "nz-passport-digital" => tr("New Zealand passport, digital 3:4").to_owned(),
        "finland-passport" => say!("Finland {size} mm", size = "36 x 47"),
        "china-1-inch" => say!("China 1 inch ({size})", size = "295 x 413"),
        "china-small-1-inch" => say!("China small 1 inch ({size})", size = "260 x 378"),
        "china-large-1-inch" => say!("China large 1 inch ({size})", size = "390 x 567"),
        "china-2-inch" => say!("China 2 inch ({size})", size = "413 x 626"),
        "china-small-2-inch" => say!("China small 2 inch ({size})", size = "413 x 531"),
        "china-social-security" => say!("China social security card ({size})", size = "358 x 441"),
        "china-graduate-exam" => say!("China graduate exam ({size})", size = "531 x 709"),
        "china-english-exam" => say!("China English exam ({size})", size = "144 x 192"),
        "korea-visa" => say!("Korea visa ({size})", size = "413 x 531"),
        "japan-visa" => say!("Japan visa ({size})", size = "295 x 413"),
        _ => return None,
    })
}

/// Directories, HR systems, yearbooks and badges. Names of products are not translated.
fn organisation(id: &str) -> Option<String> {
    Some(match id {
        "microsoft-365" => say!("Microsoft 365 and Entra {size}", size = "648 x 648"),
        "hr-system" => say!("HR system {size}", size = "256 x 256"),
        "yearbook-5x7" => tr("Yearbook 5 x 7 in").to_owned(),
        "pspa-yearbook" => say!("PSPA yearbook {size}", size = "640 x 800"),
        "badge-25x30" => say!("Badge photo {size} mm", size = "25 x 30"),
        "badge-25x32" => tr("Badge photo 1 x 1.25 in").to_owned(),
        "badge-25x38" => tr("Badge photo 1 x 1.5 in").to_owned(),
        _ => return None,
    })
}

/// Descriptions of portraits, sentence by sentence.
fn about_portrait(id: &str) -> Option<Vec<String>> {
    Some(match id {
        "headshot" => {
            vec![tr("Portrait for a team page or a yearbook: head and shoulders, eyes on the upper third.").to_owned()]
        }
        "portrait-2x3" => {
            vec![tr("Half-length portrait in the aspect ratio of most cameras and of 4 x 6 inch prints.").to_owned()]
        }
        _ => return None,
    })
}

/// Descriptions of profile pictures.
fn about_profile(id: &str) -> Option<Vec<String>> {
    Some(match id {
        "avatar" => {
            vec![tr("Profile picture that also works when shown as a circle: the head is centred.").to_owned()]
        }
        "linkedin" => vec![
            tr("Shown as a circle.").to_owned(),
            tr("Up to 7680 x 4320 pixels and 8 MB are accepted; sources disagree on a minimum of 200 pixels.")
                .to_owned(),
        ],
        "slack" => vec![tr("Square, 512 to 1024 pixels; other shapes are padded with bars.").to_owned()],
        "github" => {
            vec![tr("About 500 x 500 pixels; below 1 MB and 3000 x 3000 pixels, as PNG, JPEG or GIF.").to_owned()]
        }
        "gravatar" => vec![tr("Square; sizes from 1 to 2048 pixels can be requested.").to_owned()],
        "instagram" | "x" | "whatsapp" | "youtube" | "zoom" => {
            vec![tr("A common size according to one blog, not to the service itself.").to_owned()]
        }
        _ => return None,
    })
}

/// Descriptions of directories and HR systems.
fn about_directory(id: &str) -> Option<Vec<String>> {
    Some(match id {
        "microsoft-365" => vec![
            tr("The largest size stored; 504, 432, 360, 240, 120, 96, 64 and 48 pixels are derived from it.")
                .to_owned(),
            tr("Shown as a circle in most places.").to_owned(),
            tr("For accounts without a mailbox, the directory rejects files above 100 kB.").to_owned(),
            tr("Microsoft Graph takes JPEG only.").to_owned(),
        ],
        "active-directory" => vec![
            tr("For the attribute thumbnailPhoto of an on-premises directory, as Outlook shows it: JPEG; 96 x 96 pixels are recommended.").to_owned(),
            tr("Exchange rejects files above 10 kB; the attribute itself holds up to 100 kB.").to_owned(),
        ],
        "google-workspace" => vec![
            tr("JPEG or PNG of any size, at most 5 MB.").to_owned(),
            tr("The Directory API reduces photos to 96 x 96 pixels.").to_owned(),
            tr("The size is this program's choice.").to_owned(),
        ],
        "sap-successfactors" => vec![
            tr("JPEG of at most 2 MB; 180 x 240 pixels and 100 kB are recommended.").to_owned(),
            tr("File names must not contain spaces.").to_owned(),
        ],
        "bamboohr" => vec![
            tr("Square, at least 150 x 150 pixels, at most 20 MB.").to_owned(),
            tr("340 x 340 pixels is the largest copy that BambooHR makes.").to_owned(),
        ],
        "ukg" => vec![tr("JPEG or PNG below 1 MB; 100 x 100 pixels are recommended.").to_owned()],
        "workday" => vec![
            tr("Shown as a circle.").to_owned(),
            tr("A university advises square photos of about 200 x 200 pixels.").to_owned(),
        ],
        "hr-system" => vec![
            tr("For systems that are not listed.").to_owned(),
            tr("People HR asks for about 256 x 256 pixels, Synergita for at most 512 kB, SAP SuccessFactors for JPEG: this program combines them.").to_owned(),
        ],
        _ => return None,
    })
}

/// Descriptions of yearbooks and badges.
fn about_badge(id: &str) -> Option<Vec<String>> {
    let card = || tr("For a card of 85.6 x 54 mm (CR80) printed at 300 dpi.").to_owned();
    let eye_line = || tr("No source gives an eye line: it is this program's choice.").to_owned();
    Some(match id {
        "yearbook-5x7" => vec![tr("Print of 5 x 7 inches (127 x 177.8 mm) with head and shoulders.").to_owned()],
        "pspa-yearbook" => vec![
            tr("For yearbook software that reads the format of the Professional School Photographers Association: JPEG of at least 640 x 800 pixels at 300 dpi.").to_owned(),
            tr("Some programs accept only letters and digits in file names.").to_owned(),
            no_source(),
        ],
        "badge-25x30" => vec![
            card(),
            tr("The most common size according to a maker of card software, which asks for a head of 70 to 80 % and at most 5 MB.").to_owned(),
            eye_line(),
        ],
        "badge-25x32" => vec![
            card(),
            tr("The usual size according to a badge service, which asks for a face of 75 %.").to_owned(),
            eye_line(),
        ],
        "badge-25x38" => vec![
            card(),
            tr("A seller of card printers uses this size as its example, with at most 1 MB.").to_owned(),
            no_source(),
        ],
        _ => return None,
    })
}

/// Descriptions of documents of the first countries in the list.
fn about_document(id: &str) -> Option<Vec<String>> {
    Some(match id {
        "document-35x45" => vec![
            tr("Generic travel document: head 70 to 80 % of the height.").to_owned(),
            tr("Sources put the eye line at 50 to 70 % or at 50 to 60 %; the crop aims for the range where both agree.").to_owned(),
            tr("At least 90 pixels between the eyes.").to_owned(),
            tr("Check the issuing authority's rules.").to_owned(),
        ],
        "us-passport" => vec![
            tr("Head 25 to 35 mm (50 to 69 %), eye line 28 to 35 mm above the bottom edge (56 to 69 %).").to_owned(),
            tr("Files: square, 600 to 1200 pixels, JPEG in sRGB, at most 240 kB, compressed at most 20:1.").to_owned(),
            unaltered(),
            tr("Sources disagree on a natural smile, so the mouth is not checked.").to_owned(),
        ],
        "us-diversity-visa" => vec![
            tr("Exactly 600 x 600 pixels and at most 240 kB; head and eye line as for the US passport.").to_owned(),
            unaltered(),
            tr("Sources disagree on the background: light, or white to off-white.").to_owned(),
        ],
        "uk-passport" => vec![
            say!("Head {min} to {max} mm of {height} mm.", min = "29", max = "34", height = "45"),
            tr("No source gives an eye line or a resolution; both are chosen by this program.").to_owned(),
            unaltered(),
        ],
        "uk-passport-digital" => vec![
            tr("Aspect ratio 3.5:4.5, at least 600 x 750 pixels, 50 kB to 10 MB.").to_owned(),
            tr("No source gives a head height for files: this program uses that of the printed photo.").to_owned(),
            unaltered(),
        ],
        "schengen-35x45" => vec![
            tr("Head 32 to 36 mm (70 to 80 %), rejected outside 27 to 40 mm; children aged 6 to 9: 50 to 80 %.").to_owned(),
            tr("Eye line 22 to 32 mm above the bottom edge: the crop aims below the middle of this range, to leave space above the crown.").to_owned(),
            tr("Print with at least 600 dpi.").to_owned(),
        ],
        _ => return None,
    })
}

/// Descriptions of documents of the other countries.
fn about_other_document(id: &str) -> Option<Vec<String>> {
    Some(match id {
        "canada-passport" => vec![
            say!("Head {min} to {max} mm of {height} mm.", min = "31", max = "36", height = "70"),
            tr("No source gives an eye line or a resolution; both are chosen by this program.").to_owned(),
            unaltered(),
        ],
        "canada-temporary-resident" => vec![
            tr("At least 35 x 45 mm and 420 x 540 pixels, which corresponds to 305 dpi.").to_owned(),
            no_source(),
            unaltered(),
        ],
        "australia-passport" => vec![
            tr("Width 35 to 40 mm, height 45 to 50 mm, head 32 to 36 mm.").to_owned(),
            tr("No source gives an eye line or a resolution; both are chosen by this program.").to_owned(),
            tr("No editing is allowed.").to_owned(),
        ],
        "china-visa" => vec![
            tr("Head 28 to 33 mm high and 15 to 22 mm wide, with 3 to 5 mm above it.").to_owned(),
            tr("Files: 354 to 420 x 472 to 560 pixels (met at 290 dpi), JPEG of 40 to 120 kB.").to_owned(),
            tr("Some sources give other limits for width and height.").to_owned(),
            tr("The head may be 20 degrees to the left or right, which may mean turned or tilted: both are checked.").to_owned(),
        ],
        "japan-passport" => vec![
            tr("Head 32 to 36 mm, with 2 to 6 mm above it.").to_owned(),
            tr("The resolution is chosen by this program.").to_owned(),
        ],
        "india-passport" => vec![
            tr("For missions from September 2025 on: 630 x 810 pixels, head 80 to 85 %, JPEG.").to_owned(),
            tr("No source gives the space above the head: it is this program's choice.").to_owned(),
            unaltered(),
            tr("Photos must meet ICAO's standards, so its limits of the pose apply.").to_owned(),
        ],
        "nz-passport-digital" => vec![
            tr("Shape 3:4, 900 x 1200 to 4500 x 6000 pixels, JPEG of at most 10 MB; versions of the page disagree on the minimum file size, 250 or 500 kB.").to_owned(),
            tr("One service puts the head including hair at about 75 %; this program's choice of 70 % up to the crown leaves space for the hair.").to_owned(),
            unaltered(),
        ],
        _ => return None,
    })
}

/// Descriptions of documents of which little more than the size is known.
fn about_size(id: &str) -> Option<Vec<String>> {
    Some(match id {
        "india-exam" => vec![tr("200 x 230 pixels and 20 to 50 kB.").to_owned(), no_source()],
        "finland-passport" => {
            vec![tr("36 x 47 mm and 500 x 653 pixels, which corresponds to 353 dpi.").to_owned(), no_source()]
        }
        "china-1-inch" => at_300_dpi("295 x 413", "25 x 35"),
        "china-small-1-inch" => at_300_dpi("260 x 378", "22 x 32"),
        "china-large-1-inch" => at_300_dpi("390 x 567", "33 x 48"),
        "china-2-inch" => at_300_dpi("413 x 626", "35 x 53"),
        "china-small-2-inch" => at_300_dpi("413 x 531", "35 x 45"),
        "china-social-security" => of_pixels("358 x 441"),
        "china-graduate-exam" => of_pixels("531 x 709"),
        "china-english-exam" => of_pixels("144 x 192"),
        "korea-visa" => printed_at_300_dpi("413 x 531", "35 x 45"),
        "japan-visa" => printed_at_300_dpi("295 x 413", "25 x 35"),
        _ => return None,
    })
}

fn at_300_dpi(size: &str, mm: &str) -> Vec<String> {
    vec![say!("{size} pixels at {dpi} dpi ({mm} mm).", size = size, dpi = "300", mm = mm), no_source()]
}

fn printed_at_300_dpi(size: &str, mm: &str) -> Vec<String> {
    vec![say!("{size} pixels ({mm} mm at {dpi} dpi).", size = size, mm = mm, dpi = "300"), no_source()]
}

fn of_pixels(size: &str) -> Vec<String> {
    vec![say!("{size} pixels.", size = size), no_source()]
}

fn no_source() -> String {
    tr("No source gives a head height or an eye line; both are chosen by this program.").to_owned()
}

fn unaltered() -> String {
    tr("Altered photos are rejected.").to_owned()
}

#[cfg(test)]
mod tests {
    use recipe::built_in_presets;

    use super::super::super::language::set_current;
    use super::*;

    #[test]
    fn every_text_of_the_built_in_presets_is_translated() {
        let backgrounds: Vec<&str> =
            built_in_presets().iter().filter_map(|preset| preset.rules.as_ref()?.background.as_deref()).collect();
        let texts = || built_in_presets().iter().map(|preset| (preset_name(preset), about_preset(preset)));
        let in_english: Vec<(String, String)> = texts().collect();
        for (preset, (name, about)) in built_in_presets().iter().zip(&in_english) {
            assert_eq!((name, about), (&preset.name, &preset.description));
        }
        set_current(Language::Japanese);
        let kept: Vec<&str> = backgrounds.iter().copied().filter(|color| background(color) == *color).collect();
        let in_japanese: Vec<(String, String)> = texts().collect();
        set_current(Language::English);
        assert!(kept.is_empty(), "{kept:?}");
        for ((preset, english), japanese) in built_in_presets().iter().zip(&in_english).zip(&in_japanese) {
            // Names of services are not translated.
            let is_service = matches!(preset.group, PresetGroup::Profile | PresetGroup::Directory);
            assert!(is_service || english.0 != japanese.0, "{}", preset.id);
            assert_ne!(english.1, japanese.1, "{}", preset.id);
        }
    }

    #[test]
    fn custom_texts_are_not_translated() {
        let own = Preset {
            group: PresetGroup::Custom,
            name: "white".to_owned(),
            description: "No editing is allowed.".to_owned(),
            ..built_in_presets()[0].clone()
        };
        set_current(Language::German);
        assert_eq!((preset_name(&own), about_preset(&own)), ("white".to_owned(), "No editing is allowed.".to_owned()));
        set_current(Language::English);
    }
}
