//! Photos and lists, in names alone.

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

/// A list in a file of its own, and what photos come to with it.
fn named(list: &str, change: impl FnOnce(&mut NamingArgs), photos: &[&str]) -> anyhow::Result<Outcome> {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("list.csv");
    std::fs::write(&file, list).expect("written");
    let mut args = NamingArgs { names: Some(file), ..NamingArgs::default() };
    change(&mut args);
    let roots = paths(&["in"]);
    naming(&args).name(paths(photos), Named { roots: &roots, listed_from: 1 })
}

fn refusal(outcome: anyhow::Result<Outcome>) -> String {
    format!("{:#}", outcome.err().expect("refused"))
}

#[test]
fn a_photo_has_its_row_its_place_and_its_preset() {
    let list = "file,name,class,preset\nb.jpg,Ben.jpg,3b,avatar\na,Anna,3a,\nx.jpg,Nobody,,no such preset\n";
    let outcome = named(list, |_| (), &["in/a.jpg", "in/b.jpg", "in/c.jpg"]).expect("named");
    let [a, b, c] = &outcome.photos[..] else { panic!() };
    assert_eq!((a.name.place, a.name.listed.as_deref(), a.name.preset.as_str()), (1, Some("Anna"), "headshot"));
    assert_eq!((b.name.place, b.name.listed.as_deref(), b.name.preset.as_str()), (2, Some("Ben"), "avatar"));
    assert_eq!((b.name.columns["class"].as_str(), c.name.listed.as_deref()), ("3b", None));
    assert!(
        a.recipe.is_none() && b.recipe.as_ref().is_some_and(|recipe| recipe.crop.output != CropSpec::default().output)
    );
    assert!(!outcome.is_whole && outcome.clashes.is_empty());
}

#[test]
fn photos_that_are_not_in_the_list_are_kept_excluded_or_reason_not_to_begin() {
    let list = "file,name\na.jpg,Anna\n";
    let photos = ["in/z.jpg", "in/a.jpg"];
    let with = |missing| named(list, |args| args.names_missing = Some(missing), &photos);
    assert_eq!(with(Missing::Keep).expect("named").photos.len(), 2);
    let skipped = with(Missing::Skip).expect("named");
    assert_eq!(skipped.photos.len(), 1);
    assert_eq!(skipped.photos[0].name.place, 2, "places are those of the whole list");
    let refused = refusal(with(Missing::Fail));
    assert!(refused.contains("1 of 2 photos") && refused.contains("in/z.jpg"), "{refused}");
}

#[test]
fn a_list_that_says_nothing_used_or_names_no_preset_is_refused() {
    let refused = refusal(named("file,a,b\na.jpg,1,2\n", |_| (), &["in/a.jpg"]));
    assert!(refused.contains("--names-output") && refused.contains("'file', 'a', 'b'"), "{refused}");
    let asks = |args: &mut NamingArgs| args.name = Some("{column:c}".parse().expect("sound"));
    let refused = refusal(named("file,a,b\na.jpg,1,2\n", asks, &["in/a.jpg"]));
    assert!(refused.contains("the column 'c'"), "{refused}");
    let asks = |args: &mut NamingArgs| args.name = Some("{column:B}".parse().expect("sound"));
    assert!(named("file,a,b\na.jpg,1,2\n", asks, &["in/a.jpg"]).is_ok());
    let refused = refusal(named("file,name,preset\na.jpg,Anna,mars\n", |_| (), &["in/a.jpg"]));
    assert!(refused.starts_with("row 2 of the name list ") && refused.contains("list.csv, preset 'mars'"), "{refused}");
}

#[test]
fn photos_that_would_have_one_name_are_reported_before_anything_is_written() {
    let list = "file,name\na.jpg,Anna\nb.jpg,ANNA\nc.jpg,Cleo\n";
    let photos = ["in/a.jpg", "in/b.jpg", "in/c.jpg"];
    assert_eq!(named(list, |_| (), &photos).expect("named").clashes, ["Anna of in/a.jpg, in/b.jpg"]);
    let args = NamingArgs { name: Some("same".parse().expect("sound")), ..NamingArgs::default() };
    let roots = paths(&["in"]);
    let fails = Naming { on_conflict: OnConflict::Fail, ..naming(&args) };
    let refused = refusal(fails.name(paths(&photos), Named { roots: &roots, listed_from: 1 }));
    assert!(refused.contains("nothing was written: same of in/a.jpg, in/b.jpg, in/c.jpg"), "{refused}");
    // Called like themselves, photos of one name in two folders are an everyday thing.
    let own = NamingArgs::default();
    let own = Naming { on_conflict: OnConflict::Fail, ..naming(&own) };
    assert!(own.name(paths(&["in/x/a.jpg", "in/y/a.jpg"]), Named { roots: &roots, listed_from: 1 }).is_ok());
}

#[test]
fn folders_are_mirrored_below_what_was_named() {
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
fn a_listed_name_loses_the_extension_of_a_picture_and_no_other() {
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
