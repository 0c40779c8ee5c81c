//! Names that collide, exist already, are too long or are not valid Unicode.

use naming::output_stem;

use super::*;

struct Run {
    folder: tempfile::TempDir,
    book: NameBook,
}

impl Run {
    /// A run into a folder that contains the files `existing`, with `photos` among them as its source photos.
    fn new(on_conflict: OnConflict, existing: &[&str], photos: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("folder");
        for name in existing {
            fs::write(folder.path().join(name), name).expect("created");
        }
        let inputs: Vec<PathBuf> = photos.iter().map(|name| folder.path().join(name)).collect();
        let book = NameBook::new(OutputSpec { folder: folder.path().to_owned(), on_conflict }, &inputs);
        Self { folder, book }
    }

    fn claim(&mut self, source: &str) -> Result<Claim, EncodeError> {
        let source = self.folder.path().join(source);
        self.book.claim(&source, &output_stem(&source, None).into(), "jpg")
    }

    /// The claim as a verb and a file name.
    fn claimed(&mut self, source: &str) -> String {
        let (verb, path) = match self.claim(source) {
            Ok(Claim::Write { path, replace: false }) => ("write", path),
            Ok(Claim::Write { path, replace: true }) => ("replace", path),
            Ok(Claim::Skip { path }) => ("skip", path),
            Err(EncodeError::FileExists { path }) => ("taken", path),
            Err(EncodeError::WouldReplaceSource { path }) => ("photo", path),
            Err(other) => panic!("{other}"),
        };
        format!("{verb} {}", path.file_name().expect("name").to_string_lossy())
    }
}

#[test]
fn crops_of_one_run_never_share_a_name_under_any_policy() {
    for policy in [OnConflict::Suffix, OnConflict::Skip, OnConflict::Overwrite] {
        let mut run = Run::new(policy, &[], &[]);
        let claims: Vec<String> =
            ["x/a.jpg", "y/a.jpg", "a.png", "A.JPG"].iter().map(|name| run.claimed(name)).collect();
        assert_eq!(claims, ["write a.jpg", "write a (2).jpg", "write a (3).jpg", "write A (4).jpg"], "{policy:?}");
    }
    let mut run = Run::new(OnConflict::Fail, &[], &[]);
    assert_eq!([run.claimed("x/a.jpg"), run.claimed("y/A.jpg")], ["write a.jpg", "taken A.jpg"]);
}

#[test]
fn an_existing_file_is_handled_by_the_policy() {
    let mut claims = Vec::new();
    for policy in OnConflict::ALL {
        let mut run = Run::new(policy, &["a.jpg"], &[]);
        claims.extend([run.claimed("x/a.png"), run.claimed("y/a.png")]);
    }
    let expected = [
        ["write a (2).jpg", "write a (3).jpg"],
        ["skip a.jpg", "write a (2).jpg"],
        ["replace a.jpg", "write a (2).jpg"],
        ["taken a.jpg", "taken a.jpg"],
    ];
    assert_eq!(claims, expected.concat());
}

#[test]
fn a_second_run_with_skip_finds_every_crop_of_the_first() {
    let mut run = Run::new(OnConflict::Skip, &["a.jpg", "a (2).jpg"], &[]);
    assert_eq!([run.claimed("x/a.png"), run.claimed("y/a.png")], ["skip a.jpg", "skip a (2).jpg"]);
}

#[test]
fn the_photo_itself_is_never_the_target() {
    let claims = OnConflict::ALL.map(|policy| Run::new(policy, &["a.jpg"], &["a.jpg"]).claimed("a.jpg"));
    assert_eq!(claims, ["write a (2).jpg", "photo a.jpg", "photo a.jpg", "taken a.jpg"]);
    assert_eq!(Run::new(OnConflict::Overwrite, &["a.jpg"], &[]).claimed("a.jpg"), "photo a.jpg", "even if not listed");
}

#[test]
fn another_photo_of_the_run_is_never_replaced() {
    let mut run = Run::new(OnConflict::Overwrite, &["a.jpg", "a.png", "b.jpg"], &["a.jpg", "a.png"]);
    assert_eq!([run.claimed("a.png"), run.claimed("x/b.png")], ["photo a.jpg", "replace b.jpg"]);
}

#[test]
fn a_folder_is_not_an_existing_crop() {
    for policy in [OnConflict::Skip, OnConflict::Overwrite] {
        let mut run = Run::new(policy, &[], &[]);
        fs::create_dir(run.folder.path().join("a.jpg")).expect("created");
        assert_eq!(run.claimed("x/a.png"), "taken a.jpg", "{policy:?}");
    }
}

#[cfg(unix)]
#[test]
fn links_to_a_photo_count_as_the_photo() {
    let elsewhere = tempfile::tempdir().expect("folder");
    let (source, other) = (elsewhere.path().join("a.png"), elsewhere.path().join("other.png"));
    fs::write(&source, "source").expect("created");
    fs::write(&other, "some other photo").expect("created");
    let folder = tempfile::tempdir().expect("folder");
    let output = OutputSpec { folder: folder.path().to_owned(), on_conflict: OnConflict::Overwrite };
    let target = folder.path().join("a.jpg");
    for photo in [&source, &other] {
        for hard in [true, false] {
            let _ = fs::remove_file(&target);
            if hard { fs::hard_link(photo, &target) } else { std::os::unix::fs::symlink(photo, &target) }
                .expect("linked");
            let mut book = NameBook::new(output.clone(), &[source.clone(), other.clone()]);
            let refused = book.claim(&source, &OsString::from("a").into(), "jpg");
            assert!(matches!(refused, Err(EncodeError::WouldReplaceSource { .. })), "{photo:?} {hard}: {refused:?}");
        }
    }
    fs::remove_file(&target).expect("removed");
    std::os::unix::fs::symlink(elsewhere.path().join("nothing"), &target).expect("linked");
    let claim = NameBook::new(output, std::slice::from_ref(&source)).claim(&source, &OsString::from("a").into(), "jpg");
    assert_eq!(claim.expect("free"), Claim::Write { path: target, replace: true });
}

#[test]
fn a_thousand_photos_with_one_name_are_numbered_without_gaps() {
    let mut run = Run::new(OnConflict::Suffix, &["a (3).jpg"], &[]);
    let numbers: Vec<String> = (0..1000).map(|folder| run.claimed(&format!("{folder}/a.jpg"))).collect();
    assert_eq!(numbers[..4], ["write a.jpg", "write a (2).jpg", "write a (4).jpg", "write a (5).jpg"]);
    assert_eq!(numbers[999], "write a (1001).jpg");
}

#[test]
fn several_faces_are_numbered_and_a_single_one_is_not() {
    assert_eq!(output_stem(Path::new("in/anna.b.jpg"), None), "anna.b");
    assert_eq!(output_stem(Path::new("in/anna.b.jpg"), Some(2)), "anna.b_face2");
    assert_eq!(output_stem(Path::new(".jpg"), None), ".jpg");
    assert_eq!(output_stem(Path::new(".."), None), "crop");
}

#[test]
fn long_names_are_cut_between_characters_and_keep_their_end() {
    for character in ["x", "é", "王", "👩"] {
        for extra in 0..4 {
            let stem = "x".repeat(extra) + &character.repeat(300);
            let source = PathBuf::from(format!("{stem}.png"));
            for (face, number, end) in [
                (None, 1, ".jpg"),
                (None, 12, " (12).jpg"),
                (Some(12), 1, "_face12.jpg"),
                (Some(3), 7, "_face3 (7).jpg"),
            ] {
                let name = file_name(&output_stem(&source, face), number, "jpg", Characters::Portable)
                    .into_string()
                    .expect("still text");
                assert!(name.len() <= MAX_NAME_BYTES, "{} bytes", name.len());
                assert!(name.ends_with(end) && stem.starts_with(&name[..name.len() - end.len()]), "{name}");
                assert!(name.len() > 230, "cut more than it must: {} bytes", name.len());
            }
        }
    }
}

#[test]
fn a_name_that_just_fits_is_unchanged() {
    let stem = "x".repeat(251);
    assert_eq!(file_name(OsStr::new(&stem), 1, "jpg", Characters::Portable), OsString::from(format!("{stem}.jpg")));
    assert_eq!(
        file_name(OsStr::new(&format!("{stem}y")), 1, "jpg", Characters::Portable),
        OsString::from(format!("{stem}.jpg"))
    );
}

#[cfg(unix)]
#[test]
fn invalid_utf8_and_odd_names_are_kept() {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let stem = |bytes: &[u8]| output_stem(Path::new(OsStr::from_bytes(bytes)), Some(1)).into_vec();
    assert_eq!(stem(b"a\xff\xfeb.jpg"), b"a\xff\xfeb_face1");
    assert_eq!(stem(b"-rf \n. .jpg"), b"-rf \n. _face1");
    let long = [b"\xff".repeat(400), b".jpg".to_vec()].concat();
    assert_eq!(file_name(OsStr::from_bytes(&long), 1, "webp", Characters::Portable).len(), MAX_NAME_BYTES);
}

#[test]
fn a_sheet_is_named_after_its_crop_even_if_the_name_is_long() {
    assert_eq!(sheet_stem(Path::new("out/anna (2).jpg")), "anna (2)_sheet");
    assert_eq!(sheet_stem(Path::new("out/a.b_face1.png")), "a.b_face1_sheet");
    let long = sheet_stem(&Path::new("out").join(format!("{}.jpg", "ä".repeat(125))));
    let long = long.to_string_lossy();
    assert!(long.ends_with("ä_sheet") && long.len() + ".pdf (9999)".len() <= MAX_NAME_BYTES, "{long}");
}

#[test]
fn a_file_of_an_earlier_part_of_the_run_is_replaced_under_every_policy() {
    for policy in OnConflict::ALL {
        let folder = tempfile::tempdir().expect("folder");
        let [own, kept] = ["a.jpg", "b.jpg"].map(|name| folder.path().join(name));
        fs::write(&own, "crop").expect("created");
        let output = OutputSpec { folder: folder.path().to_owned(), on_conflict: policy };
        let mut book = NameBook::new(output, [] as [&Path; 0]);
        book.allow_replacing(own.clone());
        book.reserve(&kept);
        let claimed = book.claim(Path::new("a.png"), &OsString::from("a").into(), "jpg").expect("free");
        assert_eq!(claimed, Claim::Write { path: own.clone(), replace: true }, "{policy:?}");
        assert!(!book.is_free(&own) && !book.is_free(&kept));
        // Once assigned it is taken like any other name, and so is a reserved one, even without a file.
        for name in ["a", "B"] {
            match book.claim(Path::new("x.png"), &OsString::from(name).into(), "jpg") {
                Ok(Claim::Write { path, replace: false }) => {
                    assert!(path.to_string_lossy().contains("(2)"), "{path:?}");
                }
                Err(EncodeError::FileExists { .. }) if policy == OnConflict::Fail => {}
                other => panic!("{policy:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn reserved_names_apply_to_their_own_folder_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    let output = OutputSpec { folder: root.to_owned(), on_conflict: OnConflict::Suffix };
    let mut book = NameBook::new(output, [] as [&Path; 0]);
    book.reserve(&root.join("one/a.jpg"));
    assert!(!book.is_free(&root.join("ONE/A.jpg")) && book.is_free(&root.join("two/a.jpg")));
    assert!(!book.is_free(Path::new("elsewhere/a.jpg")), "no name of this folder");
    let name = |below: &str| OutputName { folder: PathBuf::from(below), stem: OsString::from("a") };
    let mut claimed = |below: &str| book.claim(Path::new("photo.jpg"), &name(below), "jpg").expect("a name");
    assert_eq!(claimed("one"), Claim::Write { path: root.join("one/a (2).jpg"), replace: false });
    assert_eq!(claimed("two"), Claim::Write { path: root.join("two/a.jpg"), replace: false });
}

#[test]
fn names_in_plain_ascii_are_numbered_in_plain_ascii() {
    let folder = tempfile::tempdir().expect("folder");
    let output = OutputSpec { folder: folder.path().to_owned(), on_conflict: OnConflict::Suffix };
    let template = NameTemplate::default().with_characters(Characters::Ascii);
    let mut book = NameBook::new(output, [] as [&Path; 0]).with_template(template);
    let mut claim = || match book.claim(Path::new("Zoë.jpg"), &OutputName::from(OsString::from("Zoe")), "jpg") {
        Ok(Claim::Write { path, .. }) => path.file_name().map(OsStr::to_owned),
        other => panic!("{other:?}"),
    };
    assert_eq!([claim(), claim()], ["Zoe.jpg", "Zoe_2.jpg"].map(|name| Some(OsString::from(name))));
}
