//! Photos and lists, by name only.

use recipe::CropSpec;

use super::*;

fn recipe_of(preset: &PresetArg) -> anyhow::Result<Recipe> {
    let PresetArg::BuiltIn(preset) = preset else { bail!("no file here") };
    Ok(Recipe { crop: preset.spec(), ..Recipe::default() })
}

fn naming(args: &NamingArgs) -> Naming<'_> {
    let size = CropSpec::default().output;
    Naming { args, preset: "headshot".to_owned(), size, recipe_of: &recipe_of, on_conflict: OnConflict::Suffix }
}

fn paths(paths: &[&str]) -> Vec<PathBuf> {
    paths.iter().map(PathBuf::from).collect()
}

/// The outcome for these photos with a list in a temporary file.
fn named(list: &str, change: impl FnOnce(&mut NamingArgs), photos: &[&str]) -> anyhow::Result<Outcome> {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("list.csv");
    std::fs::write(&file, list).expect("written");
    let mut args = NamingArgs { names: Some(file), ..NamingArgs::default() };
    change(&mut args);
    let roots = paths(&["in"]);
    naming(&args).name(paths(photos), Named { roots: &roots, listed_from: 1 })
}

fn error_of(outcome: anyhow::Result<Outcome>) -> String {
    format!("{:#}", outcome.err().expect("refused"))
}

#[test]
fn a_photo_gets_its_row_index_and_preset() {
    let list = "file,name,class,preset\nb.jpg,Ben.jpg,3b,avatar\na,Anna,3a,\nx.jpg,Nobody,,no such preset\n";
    let outcome = named(list, |_| (), &["in/a.jpg", "in/b.jpg", "in/c.jpg"]).expect("named");
    let [a, b, c] = &outcome.photos[..] else { panic!() };
    assert_eq!((a.name.place, a.name.listed.as_deref(), a.name.preset.as_str()), (1, Some("Anna"), "headshot"));
    assert_eq!((b.name.place, b.name.listed.as_deref(), b.name.preset.as_str()), (2, Some("Ben"), "avatar"));
    assert_eq!((b.name.columns["class"].as_str(), c.name.listed.as_deref()), ("3b", None));
    assert!(
        a.recipe.is_none() && b.recipe.as_ref().is_some_and(|recipe| recipe.crop.output != CropSpec::default().output)
    );
    assert!(!outcome.is_complete && outcome.clashes.is_empty());
}

#[test]
fn photos_missing_from_the_list_are_kept_skipped_or_an_error() {
    let list = "file,name\na.jpg,Anna\n";
    let photos = ["in/z.jpg", "in/a.jpg"];
    let with = |missing| named(list, |args| args.names_missing = Some(missing), &photos);
    assert_eq!(with(Missing::Keep).expect("named").photos.len(), 2);
    let skipped = with(Missing::Skip).expect("named");
    assert_eq!(skipped.photos.len(), 1);
    assert_eq!(skipped.photos[0].name.place, 2, "places are those of the whole list");
    let error = error_of(with(Missing::Fail));
    assert!(error.contains("1 of 2 photos") && error.contains("in/z.jpg"), "{error}");
}

#[test]
fn a_list_without_used_columns_or_with_an_unknown_preset_is_rejected() {
    let error = error_of(named("file,a,b\na.jpg,1,2\n", |_| (), &["in/a.jpg"]));
    assert!(error.contains("--names-output") && error.contains("'file', 'a', 'b'"), "{error}");
    let use_column = |args: &mut NamingArgs| args.name = Some("{column:c}".parse().expect("valid"));
    let error = error_of(named("file,a,b\na.jpg,1,2\n", use_column, &["in/a.jpg"]));
    assert!(error.contains("the column 'c'"), "{error}");
    let use_column = |args: &mut NamingArgs| args.name = Some("{column:B}".parse().expect("valid"));
    assert!(named("file,a,b\na.jpg,1,2\n", use_column, &["in/a.jpg"]).is_ok());
    let error = error_of(named("file,name,preset\na.jpg,Anna,mars\n", |_| (), &["in/a.jpg"]));
    assert!(error.starts_with("row 2 of the name list ") && error.contains("list.csv, preset 'mars'"), "{error}");
}

#[test]
fn name_clashes_are_reported_before_anything_is_written() {
    let list = "file,name\na.jpg,Anna\nb.jpg,ANNA\nc.jpg,Cleo\n";
    let photos = ["in/a.jpg", "in/b.jpg", "in/c.jpg"];
    assert_eq!(named(list, |_| (), &photos).expect("named").clashes, ["Anna of in/a.jpg, in/b.jpg"]);
    let args = NamingArgs { name: Some("same".parse().expect("valid")), ..NamingArgs::default() };
    let roots = paths(&["in"]);
    let fails = Naming { on_conflict: OnConflict::Fail, ..naming(&args) };
    let error = error_of(fails.name(paths(&photos), Named { roots: &roots, listed_from: 1 }));
    assert!(error.contains("nothing was written: same of in/a.jpg, in/b.jpg, in/c.jpg"), "{error}");
    // Photos with the same file name in two folders are common.
    let own = NamingArgs::default();
    let own = Naming { on_conflict: OnConflict::Fail, ..naming(&own) };
    assert!(own.name(paths(&["in/x/a.jpg", "in/y/a.jpg"]), Named { roots: &roots, listed_from: 1 }).is_ok());
}

#[test]
fn folders_are_mirrored_relative_to_the_given_path() {
    let args = NamingArgs { folders: Some(Folders::Mirror), ..NamingArgs::default() };
    let roots = paths(&["in", "one.jpg", "list/sub", "list/x/b.jpg", "../out.jpg", "./y/c.jpg"]);
    let photos =
        ["in/a.jpg", "in/3b/d/a.jpg", "one.jpg", "list/sub/q/a.jpg", "list/x/b.jpg", "../out.jpg", "./y/c.jpg"];
    let outcome = naming(&args).name(paths(&photos), Named { roots: &roots, listed_from: 2 }).expect("named");
    let folders: Vec<String> =
        outcome.photos.iter().map(|photo| photo.name.folder.to_string_lossy().replace('\\', "/")).collect();
    assert_eq!(folders, ["", "3b/d", "", "list/sub/q", "list/x", "", "y"]);
    let flat = NamingArgs::default();
    let outcome = naming(&flat).name(paths(&photos), Named { roots: &roots, listed_from: 2 }).expect("named");
    assert!(outcome.photos.iter().all(|photo| photo.name.folder == Path::new("")));
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
