//! Expansion of templates.

use super::*;

const FACTS: CropFacts = CropFacts {
    number: 2,
    several: false,
    size: Size { width: 800, height: 1000 },
    score: 0.934,
    quality: 0.5,
    taken: None,
};

fn photo() -> PhotoName {
    PhotoName {
        place: 12,
        folder: PathBuf::new(),
        listed: Some("Anna Müller".to_owned()),
        is_typed: false,
        columns: [("Class".to_owned(), "3b".to_owned()), ("Path".to_owned(), "../x/y".to_owned())].into(),
        preset: "headshot".to_owned(),
    }
}

fn named(template: &str, source: &str, photo: &PhotoName, facts: &CropFacts) -> String {
    let OutputName { folder, stem } =
        template.parse::<NameTemplate>().expect(template).name(Path::new(source), photo, facts);
    folder.join(stem).to_string_lossy().replace('\\', "/")
}

#[test]
fn each_field_expands_to_its_value() {
    let taken = Moment::from_exif("2024:05:17 10:20:30");
    let facts = CropFacts { taken, ..FACTS };
    for (template, expected) in [
        ("{stem}", "IMG_1"),
        ("{name}", "Anna Müller"),
        ("{folder}-{stem}", "in-IMG_1"),
        ("{index}", "12"),
        ("{index:4}", "0012"),
        ("{index:1}", "12"),
        ("{face}", "2"),
        ("{stem}_{face:3}", "IMG_1_002"),
        ("{preset}", "headshot"),
        ("{size}", "800x1000"),
        ("{width}w {height}h", "800w 1000h"),
        ("{date}", "2024-05-17"),
        ("{date:%Y%m%d-%H%M%S}", "20240517-102030"),
        ("{score}_{quality}", "93_50"),
        ("{column:class}/{name}", "3b/Anna Müller"),
        ("{column:CLASS}{column:none|-}", "3b-"),
        ("{{{stem}}}", "{IMG_1}"),
    ] {
        assert_eq!(named(template, "/photos/in/IMG_1.JPG", &photo(), &facts), expected, "{template}");
    }
    assert_eq!(named("{date}_{date:%Y|no year}", "a.jpg", &photo(), &FACTS), "undated_no year");
}

#[test]
fn several_crops_are_numbered_unless_the_template_does() {
    let several = CropFacts { several: true, ..FACTS };
    let own = PhotoName::default();
    for (template, one, of_several) in [
        ("{name}", "a", "a_face2"),
        ("{stem}-x", "a-x", "a-x_face2"),
        ("{face}_{stem}", "2_a", "2_a"),
        ("{face}/{stem}", "2/a", "2/a"),
    ] {
        assert_eq!(named(template, "a.jpg", &own, &FACTS), one);
        assert_eq!(named(template, "a.jpg", &own, &several), of_several);
    }
}

#[test]
fn no_value_escapes_its_folder() {
    for (template, source, expected) in [
        ("{column:path}/{stem}", "a.jpg", ".._x_y/a"),
        ("{column:path}", "a.jpg", ".._x_y"),
        ("x{column:none}/{stem}", "a.jpg", "x/a"),
        ("{column:none}/{stem}", "a.jpg", "a"),
        ("{column:none}", "a.jpg", "a"),
        (" {column:none} /Class {column:none}/{stem} {column:none}", "a.jpg", "Class/a"),
        ("{column:none} ", "a.jpg", "a"),
    ] {
        assert_eq!(named(template, source, &photo(), &FACTS), expected, "{template}");
    }
    let dots = PhotoName { listed: Some("..".to_owned()), ..photo() };
    assert_eq!(named("{name}/{name}", "a.jpg", &dots, &FACTS), "._/._");
    let device = PhotoName { listed: Some("NUL".to_owned()), folder: "sub".into(), ..photo() };
    assert_eq!(named("{name}", "a.jpg", &device, &FACTS), "sub/_NUL");
}

#[test]
fn names_in_plain_ascii_keep_their_folders() {
    let ascii = |template: &str, source: &str, photo: &PhotoName, several| {
        let template = template.parse::<NameTemplate>().expect(template).with_characters(Characters::Ascii);
        let OutputName { folder, stem } = template.name(Path::new(source), photo, &CropFacts { several, ..FACTS });
        folder.join(stem).to_string_lossy().replace('\\', "/")
    };
    let own = PhotoName { folder: "Klasse 3b/Grüße".into(), ..PhotoName::default() };
    for (template, source, photo, name) in [
        ("{name}", "Zoë (1).jpg", &own, "Klasse_3b/Grusse/Zoe_1_face2"),
        ("Jahrgang ä/{name}.{index}", "a.jpg", &photo(), "Jahrgang_a/Anna_Muller_12_face2"),
        ("{column:path}/{stem}", "CÖN.jpg", &photo(), "x_y/CON_face2"),
        ("{name}", "王.jpg", &PhotoName::default(), "Wang_face2"),
    ] {
        assert_eq!(ascii(template, source, photo, true), name);
    }
    // Transliteration must not make a device name, and a name may become longer.
    assert_eq!(ascii("{name}", "CÖN.jpg", &PhotoName::default(), false), "_CON");
    let long = PhotoName { listed: Some("ß王".repeat(60)), ..photo() };
    let name = ascii("{name}_{index:4}", "a.jpg", &long, false);
    assert!(name.ends_with("_0012") && name.len() <= MAX_NAME_BYTES - RESERVED_BYTES && name.len() > 220, "{name}");
}

#[test]
fn a_name_without_any_value_is_the_photos_own() {
    let empty = PhotoName { columns: vec![("Last".to_owned(), " ".to_owned())], ..PhotoName::default() };
    for (template, name, lacks) in [
        ("{column:last}_{column:first}", "a", true),
        ("IMG_{column:last}", "a", true),
        ("x/{column:last} ", "x/a", true),
        ("{column:last|none}_{column:first}", "none_", false),
        ("{column:last}_{index}", "_0", false),
        ("{name}", "a", true),
        ("team {name}", "team a", true),
        ("{stem}", "a", false),
        ("plain", "plain", false),
    ] {
        assert_eq!(named(template, "a.jpg", &empty, &FACTS), name, "{template}");
        assert_eq!(template.parse::<NameTemplate>().expect("valid").lacks_values(&empty), lacks, "{template}");
    }
    let typed = PhotoName { listed: Some("Anna".to_owned()), is_typed: true, ..empty };
    assert_eq!(named("IMG_{column:last}", "a.jpg", &typed, &FACTS), "Anna");
    assert!(!"IMG_{column:last}".parse::<NameTemplate>().expect("valid").lacks_values(&typed));
}

#[test]
fn a_long_name_is_shortened_and_keeps_its_number() {
    let long = PhotoName { listed: Some("ä".repeat(200)), ..photo() };
    for template in ["{name}_{index:4}", "{index:4}_{name}", "{name}{stem}_{index:4}"] {
        let name = named(template, "b.jpg", &long, &FACTS);
        assert!(name.contains("0012") && name.len() <= MAX_NAME_BYTES - RESERVED_BYTES && name.len() > 230, "{name}");
        assert!(!name.contains('\u{fffd}'));
    }
    let template = format!("{}/{{name}}_{}", "x".repeat(300), "y".repeat(300));
    let name = named(&template, "b.jpg", &long, &FACTS);
    let (folder, file) = name.split_once('/').expect("a folder");
    assert_eq!((folder.len(), file.len()), (MAX_NAME_BYTES, MAX_NAME_BYTES - RESERVED_BYTES));
}

#[cfg(unix)]
#[test]
fn invalid_utf8_is_kept() {
    use std::os::unix::ffi::OsStrExt;
    let source = Path::new(OsStr::from_bytes(b"in\xfe/a\xff:b.jpg"));
    let name =
        |template: &str| template.parse::<NameTemplate>().expect("valid").name(source, &PhotoName::default(), &FACTS);
    assert_eq!(name("{name}").stem.as_bytes(), b"a\xff:b");
    let both = name("{folder}/{stem}_1");
    assert_eq!((both.folder.as_os_str().as_bytes(), both.stem.as_bytes()), (&b"in\xfe"[..], &b"a\xff_b_1"[..]));
}
