//! Names of photos with lists in files.

use std::fs;

use naming::{Folders, Missing, NamedBy};

use super::*;

/// A folder with a list, and a query about photos in it.
struct Fixture {
    folder: tempfile::TempDir,
    query: NamesQuery,
}

impl Fixture {
    fn new(list: &str, photos: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("created");
        let file = folder.path().join("list.csv");
        fs::write(&file, list).expect("written");
        let photo = |name: &&str| PhotoToName {
            path: folder.path().join(name),
            preset: "headshot".to_owned(),
            size: Size::new(80, 100),
            name: None,
            row: None,
            card: None,
            has_own_settings: false,
        };
        let spec = NamesSpec { list: Some(ListSpec { file, ..ListSpec::default() }), ..NamesSpec::default() };
        let photos = photos.iter().map(photo).collect();
        Self { folder, query: NamesQuery { spec, photos, ..NamesQuery::default() } }
    }

    fn list(&mut self) -> &mut ListSpec {
        self.query.spec.list.as_mut().expect("a list")
    }

    fn name(&self) -> Names {
        Namer::default().name(&self.query, false)
    }
}

fn listed(names: &Names) -> Vec<Option<&str>> {
    names.named.photos.iter().map(|photo| photo.name.listed.as_deref()).collect()
}

#[test]
fn photos_get_the_names_of_their_rows() {
    let fixture = Fixture::new("file,name\na.jpg,Anna\nb.jpg,Ben\nz.jpg,Zoe\n", &["a.jpg", "b.jpg", "c.jpg"]);
    let names = fixture.name();
    assert_eq!(listed(&names), [Some("Anna"), Some("Ben"), None]);
    let list = names.list.expect("a list");
    assert!(list.fault.is_none() && list.sheets.is_empty() && list.roster.is_some());
    assert_eq!(names.named.found.rows_without_photo, [2]);
    assert_eq!((names.named.unlisted(), names.clashes), (vec![2], Vec::new()));
}

#[test]
fn a_changed_file_is_read_again_and_an_unchanged_one_is_not() {
    let mut fixture = Fixture::new("file,name\na.jpg,Anna\n", &["a.jpg"]);
    let mut namer = Namer::default();
    let roster = |names: &Names| Arc::clone(names.list.as_ref().expect("a list").roster.as_ref().expect("usable"));
    let first = namer.name(&fixture.query, false);
    let second = namer.name(&fixture.query, false);
    assert!(Arc::ptr_eq(&roster(&first), &roster(&second)), "nothing has changed");
    let third = namer.name(&fixture.query, true);
    assert!(!Arc::ptr_eq(&roster(&first), &roster(&third)), "read again on request");
    let file = fixture.list().file.clone();
    fs::write(&file, "file,name\na.jpg,Anna Berg\n").expect("written");
    assert_eq!(listed(&namer.name(&fixture.query, false)), [Some("Anna Berg")]);
    fixture.list().output = Some("name".to_owned());
    fs::write(&file, "file,given name\na.jpg,Anna\n").expect("written");
    let names = namer.name(&fixture.query, false);
    assert!(matches!(names.list.expect("a list").fault, Some(NameListError::NoColumn { .. })), "the column is gone");
    fs::remove_file(&file).expect("removed");
    let names = namer.name(&fixture.query, false);
    assert!(matches!(names.list.expect("a list").fault, Some(NameListError::Unreadable(_))));
}

#[test]
fn a_preset_is_found_by_id_or_name_and_an_unknown_one_is_reported_with_its_row() {
    let list = "file,name,preset\na.jpg,Anna,avatar\nb.jpg,Ben,MY PRESET\nc.jpg,Cleo,none such\nd.jpg,Dora,avatar\n";
    let mut fixture = Fixture::new(list, &["a.jpg", "b.jpg", "c.jpg", "d.jpg"]);
    let mut own = built_in_presets()[0].clone();
    (own.id, own.name) = ("mine".to_owned(), "My preset".to_owned());
    fixture.query.presets = vec![own];
    fixture.query.photos[3].has_own_settings = true;
    let names = fixture.name();
    let presets: Vec<_> = names.named.photos.iter().map(|photo| photo.preset.as_deref()).collect();
    assert_eq!(presets, [Some("avatar"), Some("mine"), None, None]);
    let of_names: Vec<_> = names.named.photos.iter().map(|photo| photo.name.preset.as_str()).collect();
    assert_eq!(of_names, ["avatar", "mine", "headshot", "headshot"]);
    assert_eq!(names.unknown_presets, [UnknownPreset { line: 4, text: "none such".to_owned() }]);
}

#[test]
fn photos_that_are_skipped_do_not_clash() {
    let mut fixture = Fixture::new("file,name\na.jpg,Anna\nb.jpg,ANNA\n", &["a.jpg", "b.jpg", "x/c.jpg", "y/c.jpg"]);
    let photos = |names: &Names| names.clashes.iter().map(|clash| clash.photos.clone()).collect::<Vec<_>>();
    assert_eq!(photos(&fixture.name()), [[0, 1], [2, 3]]);
    fixture.list().missing = Missing::Skip;
    assert_eq!(photos(&fixture.name()), [[0, 1]]);
}

#[test]
fn subfolders_are_mirrored_from_the_added_folders_or_else_from_the_common_one() {
    let mut fixture = Fixture::new("file,name\nnone.jpg,None\n", &["school/3b/a.jpg", "school/3b/x/b.jpg"]);
    fixture.query.spec.list = None;
    fixture.query.spec.folders = Folders::Mirror;
    let folders = |fixture: &Fixture| -> Vec<PathBuf> {
        fixture.name().named.photos.into_iter().map(|photo| photo.name.folder).collect()
    };
    assert_eq!(folders(&fixture), [Path::new(""), Path::new("x")]);
    fixture.query.roots = vec![fixture.folder.path().join("school")];
    assert_eq!(folders(&fixture), [Path::new("3b"), Path::new("3b/x")]);
}

#[test]
fn corrections_precede_the_list() {
    let mut fixture = Fixture::new("file,name\na.jpg,Anna\nz.jpg,Zoe\n", &["a.jpg", "b.jpg", "c.jpg"]);
    fixture.query.photos[0].name = Some("Anna Berg".to_owned());
    fixture.query.photos[1].row = Some(AssignedRow { line: 3, text: "z.jpg".to_owned() });
    fixture.query.photos[2].row = Some(AssignedRow { line: 9, text: "gone.jpg".to_owned() });
    let names = fixture.name();
    assert_eq!(listed(&names), [Some("Anna Berg"), Some("Zoe"), None]);
    assert_eq!(names.named.photos[1].by, NamedBy::Hand);
    assert_eq!((names.named.unresolved, names.named.found.rows_without_photo), (vec![2], Vec::new()));
}

#[test]
fn name_lists_are_recognised_by_their_names() {
    for (name, is) in [("a.csv", true), ("A.XLSX", true), ("a.ods", true), ("a.csv.jpg", false), ("csv", false)] {
        assert_eq!(is_name_list(Path::new(name)), is, "{name}");
    }
}
