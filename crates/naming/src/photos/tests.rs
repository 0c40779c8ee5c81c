//! Photos named by their files, by cards and by the user.

use std::sync::Arc;

use super::*;
use crate::name_list::{NameList, NameTable, SheetTable};
use crate::{Characters, CropFacts, ListSpec, NameTemplate};

const LIST: &str = "file,name,class,preset,code\n\
                    IMG_1.jpg,Anna.jpg,3a,,A-1\n\
                    IMG_2.jpg,Ben,3b,avatar,A-2\n\
                    IMG_3.jpg,,3b,,A-3\n\
                    other.jpg,Dora,3c,,7\n";

fn photos(count: usize) -> Vec<PathBuf> {
    (1..=count).map(|number| PathBuf::from(format!("/in/IMG_{number}.jpg"))).collect()
}

fn roster(text: &str, photos: &[PathBuf]) -> Roster {
    let table = Arc::new(NameTable::from_text(text).expect("a table"));
    let list = NameList { sheets: Vec::new(), tables: vec![SheetTable { sheet: 0, table }] };
    Roster::of(&list, &ListSpec::default(), photos).expect("columns")
}

fn named_with<'a>(spec: &NamesSpec, change: impl FnOnce(&mut [PhotoEntry<'a>])) -> NamedPhotos {
    let photos = photos(5);
    let mut entries = vec![PhotoEntry::default(); photos.len()];
    change(&mut entries);
    name_photos(spec, Some(&roster(LIST, &photos)), &entries)
}

fn listed(named: &NamedPhotos) -> Vec<Option<&str>> {
    named.photos.iter().map(|photo| photo.name.listed.as_deref()).collect()
}

fn assigned(line: usize, text: &str) -> AssignedRow {
    AssignedRow { line, text: text.to_owned() }
}

#[test]
fn photos_are_named_by_their_rows() {
    let named = named_with(&NamesSpec::default(), |photos| photos[1].folder = "sub".into());
    assert_eq!(listed(&named), [Some("Anna"), Some("Ben"), None, None, None]);
    assert_eq!(named.photos[1].preset.as_deref(), Some("avatar"));
    assert_eq!((named.photos[1].name.place, &*named.photos[1].name.folder), (2, Path::new("sub")));
    assert_eq!(named.photos[0].name.columns[2], ("class".to_owned(), "3a".to_owned()));
    assert_eq!((named.photos[0].row, named.photos[0].by), (Some(0), NamedBy::FileName(None)));
    assert_eq!((named.unlisted(), &named.found.rows_without_photo[..]), (vec![3, 4], &[3][..]));
    let template = NameTemplate::default();
    let nameless = |photo: &NamedPhoto| photo.row.is_some() && template.lacks_values(&photo.name);
    assert_eq!(named.photos.iter().map(nameless).collect::<Vec<_>>(), [false, false, true, false, false]);
}

#[test]
fn photos_that_nothing_names_are_skipped_on_request() {
    let list = ListSpec { missing: Missing::Skip, ..ListSpec::default() };
    let spec = NamesSpec { list: Some(list), ..NamesSpec::default() };
    let named = named_with(&spec, |photos| photos[3].name = Some("Typed"));
    let skipped: Vec<bool> = named.photos.iter().map(|photo| photo.is_skipped).collect();
    assert_eq!(skipped, [false, false, false, false, true]);
}

#[test]
fn corrections_replace_names_and_rows() {
    let dora = assigned(5, "other.jpg");
    let gone = assigned(3, "gone.jpg");
    let named = named_with(&NamesSpec::default(), |photos| {
        photos[0].row = Some(&dora);
        photos[1].name = Some(" Bernd ");
        photos[2].row = Some(&gone);
        photos[3].name = Some("Emil");
        photos[4].name = Some("  ");
    });
    assert_eq!(listed(&named), [Some("Dora"), Some("Bernd"), None, Some("Emil"), None]);
    assert_eq!(named.photos[1].name.columns[2].1, "3b", "the row remains");
    assert!(named.photos[1].name.is_typed && !named.photos[0].name.is_typed);
    let by: Vec<NamedBy> = named.photos.iter().map(|photo| photo.by).collect();
    let file = NamedBy::FileName(None);
    assert_eq!(by, [NamedBy::Hand, file, file, NamedBy::Hand, NamedBy::Nothing]);
    assert_eq!((&named.unresolved[..], named.unlisted()), (&[2][..], vec![4]));
    // The row of the first photo is free, the assigned one is not.
    assert_eq!((&named.found.rows_without_photo[..], &named.found.photos_without_row[..]), (&[0][..], &[4][..]));
}

#[test]
fn corrections_settle_ambiguous_matches() {
    let photos: Vec<PathBuf> = ["/3a/1.jpg", "/3b/1.jpg", "/x/2.jpg", "/x/3.jpg"].map(PathBuf::from).into();
    let roster = roster("file,name\n1.jpg,Anna\n2.jpg,Ben\n2.jpg,Cleo\n", &photos);
    assert_eq!(roster.found.rows_with_several_photos, [(0, vec![0, 1])]);
    assert_eq!(roster.found.photos_with_several_rows, [(2, vec![1, 2])]);
    let (anna, cleo) = (assigned(2, "1.jpg"), assigned(4, "2.jpg"));
    let mut entries = vec![PhotoEntry::default(); 4];
    (entries[0].row, entries[2].row) = (Some(&anna), Some(&cleo));
    let found = name_photos(&NamesSpec::default(), Some(&roster), &entries).found;
    assert_eq!(found.of_photo, [Some(0), None, Some(2), None]);
    assert_eq!((found.rows_without_photo, found.photos_without_row), (vec![1], vec![1, 3]));
    assert!(found.rows_with_several_photos.is_empty() && found.photos_with_several_rows.is_empty());
    // A typed name leaves the row to the other photo.
    let mut entries = vec![PhotoEntry::default(); 4];
    (entries[0].name, entries[1].name) = (Some("Zoe"), Some("Yan"));
    let found = name_photos(&NamesSpec::default(), Some(&roster), &entries).found;
    assert_eq!((found.rows_without_photo, found.photos_without_row), (vec![0], vec![3]));
}

#[test]
fn a_card_names_the_photos_that_follow_it() {
    let dora = assigned(5, "other.jpg");
    let named = named_with(&NamesSpec::default(), |photos| {
        photos[1].card = Some("a-1");
        photos[2].row = Some(&dora);
        photos[3].card = Some("none");
    });
    assert_eq!(listed(&named), [Some("Anna"), Some("Anna"), Some("Dora"), Some("none"), Some("none")]);
    let by: Vec<NamedBy> = named.photos.iter().map(|photo| photo.by).collect();
    assert_eq!(by, [NamedBy::FileName(None), NamedBy::Card, NamedBy::Hand, NamedBy::Card, NamedBy::Card]);
    assert_eq!((named.card_column, named.photos[3].row), (Some(4), None));
    assert_eq!(named.found.rows_without_photo, [1, 2]);
    assert!(named.unlisted().is_empty() && named.found.photos_without_row.is_empty());
}

#[test]
fn names_need_no_list() {
    let mut entries = vec![PhotoEntry::default(); 3];
    let row = assigned(2, "x");
    (entries[0].card, entries[2].name, entries[1].row) = (Some("Anna 3a"), Some("Ben"), Some(&row));
    let named = name_photos(&NamesSpec::default(), None, &entries);
    assert_eq!(listed(&named), [Some("Anna 3a"), Some("Anna 3a"), Some("Ben")]);
    assert!(named.found.is_complete() && named.unresolved.is_empty());
}

#[test]
fn a_typed_name_is_the_file_name_if_the_template_has_no_name() {
    let named = named_with(&NamesSpec::default(), |photos| photos[1].name = Some("Bernd/x"));
    let facts = |several| CropFacts {
        number: 2,
        several,
        size: geometry::Size::new(8, 10),
        score: 0.9,
        quality: 0.9,
        taken: None,
    };
    let stem = |template: &str, several| {
        let template: NameTemplate = template.parse().expect("valid");
        let name = template.name(Path::new("IMG_2.jpg"), &named.photos[1].name, &facts(several));
        name.folder.join(name.stem).to_string_lossy().replace('\\', "/")
    };
    assert_eq!(stem("{name}_{index:3}", false), "Bernd_x_002");
    assert_eq!(stem("{column:class}/{column:code}_{index}", false), "3b/Bernd_x");
    assert_eq!(stem("{column:code}_{face}", true), "Bernd_x_face2");
}

#[test]
fn a_listed_name_loses_an_image_extension_only() {
    for (listed, name) in [
        ("Anna.JPG", "Anna"),
        ("Dr. Who", "Dr. Who"),
        ("a.b.png", "a.b"),
        ("3b/Anna.jpg", "3b/Anna"),
        (".jpg", ".jpg"),
        ("", ""),
    ] {
        assert_eq!(without_extension(listed), name);
    }
}

#[test]
fn one_photo_and_many_rows_are_named_quickly() {
    let list: String = (0..10_000).map(|row| format!("IMG_{row},Name {row}\n")).collect();
    let photos = photos(1);
    let roster = roster(&format!("file,name\n{list}"), &photos);
    let named = name_photos(
        &NamesSpec { characters: Characters::Ascii, ..NamesSpec::default() },
        Some(&roster),
        &[PhotoEntry::default()],
    );
    assert_eq!((listed(&named), named.found.rows_without_photo.len()), (vec![Some("Name 1")], 9_999));
}
