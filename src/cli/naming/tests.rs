//! Photos and lists, by name only.

use recipe::CropSpec;

use super::*;

fn recipe_of(preset: &PresetArg) -> anyhow::Result<Recipe> {
    let PresetArg::BuiltIn(preset) = preset else { bail!("no file here") };
    Ok(Recipe { crop: preset.spec(), ..Recipe::default() })
}

fn naming(args: &NamingArgs) -> Naming<'_> {
    let size = CropSpec::default().output;
    let (spec, preset) = (args.over(&NamesSpec::default()), "headshot".to_owned());
    let template = spec.template().expect("valid");
    Naming { args, spec, template, preset, size, recipe_of: &recipe_of, on_conflict: OnConflict::Suffix }
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
    named_in(&naming(&args), &["in"], photos)
}

fn named_in(naming: &Naming<'_>, roots: &[&str], photos: &[&str]) -> anyhow::Result<Outcome> {
    let (roots, corrections) = (paths(roots), Corrections::new());
    let named = Named { roots: &roots, listed_from: roots.len(), corrections: &corrections, cards: &Cards::default() };
    naming.name(paths(photos), named)
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
    assert_eq!((b.name.columns[2].1.as_str(), c.name.listed.as_deref()), ("3b", None));
    assert!(
        a.recipe.is_none() && b.recipe.as_ref().is_some_and(|recipe| recipe.crop.output != CropSpec::default().output)
    );
    assert!(!outcome.is_complete() && outcome.clashes.is_empty());
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
    let fails = Naming { on_conflict: OnConflict::Fail, ..naming(&args) };
    let error = error_of(named_in(&fails, &["in"], &photos));
    assert!(error.contains("nothing was written: same of in/a.jpg, in/b.jpg, in/c.jpg"), "{error}");
    // Photos with the same file name in two folders are common.
    let own = NamingArgs::default();
    let own = Naming { on_conflict: OnConflict::Fail, ..naming(&own) };
    assert!(named_in(&own, &["in"], &["in/x/a.jpg", "in/y/a.jpg"]).is_ok());
}

#[test]
fn names_in_plain_ascii_clash_if_they_differ_in_accents_only() {
    let args = NamingArgs { name_characters: Some(Characters::Ascii), ..NamingArgs::default() };
    let outcome = named_in(&naming(&args), &["in"], &["in/Zoë.jpg", "in/Zoe.jpg", "in/b.jpg"]).expect("named");
    assert_eq!(outcome.clashes, ["Zoe of in/Zoë.jpg, in/Zoe.jpg"]);
}

#[test]
fn a_list_without_file_names_is_used_with_cards_only() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("list.csv");
    std::fs::write(&file, "id,name\n7,Anna\n8,Ben\n").expect("written");
    let args = NamingArgs { names: Some(file), ..NamingArgs::default() };
    let error = error_of(named_in(&naming(&args), &["in"], &["in/a.jpg", "in/b.jpg"]));
    assert!(error.contains("no column matches the photos") && error.contains("'id', 'name'"), "{error}");
    let (roots, shown) = (paths(&["in"]), HashMap::from([(PathBuf::from("in/a.jpg"), "0008".to_owned())]));
    let cards = Cards { shown, ..Cards::default() };
    let named = Named { roots: &roots, listed_from: 1, corrections: &Corrections::new(), cards: &cards };
    let outcome = naming(&args).name(paths(&["in/a.jpg", "in/b.jpg"]), named).expect("named");
    assert!(outcome.photos.iter().all(|photo| photo.name.listed.as_deref() == Some("Ben")));
}

#[test]
fn corrections_of_a_project_take_precedence_over_the_list() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("list.csv");
    std::fs::write(&file, "file,name\na.jpg,Anna\nb.jpg,Ben\nx.jpg,Xaver\n").expect("written");
    let args = NamingArgs { names: Some(file), names_missing: Some(Missing::Fail), ..NamingArgs::default() };
    let (typed, row) = ("Bernd".to_owned(), AssignedRow { line: 4, text: "x.jpg".to_owned() });
    let corrections = Corrections::from([
        (PathBuf::from("in/b.jpg"), Correction { name: Some(typed), row: None, card: None }),
        (PathBuf::from("in/c.jpg"), Correction { name: None, row: Some(row), card: None }),
    ]);
    let photos = paths(&["in/a.jpg", "in/b.jpg", "in/c.jpg"]);
    let roots = paths(&["in"]);
    let named = Named { roots: &roots, listed_from: 1, corrections: &corrections, cards: &Cards::default() };
    let outcome = naming(&args).name(photos, named).expect("named");
    let names: Vec<Option<&str>> = outcome.photos.iter().map(|photo| photo.name.listed.as_deref()).collect();
    assert_eq!(names, [Some("Anna"), Some("Bernd"), Some("Xaver")]);
    assert!(outcome.is_complete());
    std::fs::write(args.names.as_ref().expect("a list"), "file,name\na.jpg,Anna\nb.jpg,Ben\n").expect("written");
    let photos = paths(&["in/a.jpg", "in/b.jpg", "in/c.jpg"]);
    let error = error_of(naming(&args).name(photos, named));
    assert!(error.starts_with("1 of 3 photos were assigned rows that are not in ") && error.ends_with("in/c.jpg"));
}
