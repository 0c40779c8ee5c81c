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
