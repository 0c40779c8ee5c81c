//! `--background`: pixels of the files, notes, document rules and projects.

use std::path::Path;

use batch::project::{Project, ProjectPhoto};
use geometry::Size;
use recipe::{Background, Color, OutputFormat, Overrides, PhotoEdits};

use crate::support::{Run, crop, folder, portrait, put_portrait, read_picture, run};

const SIZE: Size = Size::new(120, 150);

/// A pixel of the background, and one of the face.
fn behind_and_face(path: impl AsRef<Path>) -> [[u8; 4]; 2] {
    let picture = read_picture(path).to_rgba8();
    [picture.get_pixel(5, 5).0, picture.get_pixel(60, 60).0]
}

fn cropped(out: &Path, flags: &[&str]) -> Run {
    crop(&[&portrait()], out, &[&["--size", "120x150px"], flags].concat()).expect(0)
}

#[test]
fn each_background_is_written() {
    let out = folder();
    let kept = behind_and_face(&cropped(out.path(), &["--format", "png"]).written()[0]);
    for (given, behind) in [
        ("keep", kept[0]),
        ("white", [255; 4]),
        ("light-grey", [217, 217, 217, 255]),
        ("blue", [98, 139, 206, 255]),
        ("#0A10ff", [10, 16, 255, 255]),
        ("transparent", [0; 4]),
    ] {
        let result = cropped(out.path(), &["--format", "png", "--background", given]);
        assert_eq!(behind_and_face(&result.written()[0]), [behind, kept[1]], "{given}");
        assert!(!result.stderr.contains("transparency"), "{given}: {}", result.stderr);
    }
}

#[test]
fn jpeg_gets_the_fill_color_and_a_note() {
    let out = folder();
    let result = cropped(out.path(), &["--background", "transparent", "--fill", "#0000FF"]);
    assert!(result.stderr.contains("JPEG stores no transparency, so the background has the fill colour"));
    let [[red, green, blue, _], _] = behind_and_face(&result.written()[0]);
    assert!(red < 8 && green < 8 && blue > 247, "{red} {green} {blue}");
}

#[test]
fn documents_against_alterations_reject_it_and_say_what_to_do() {
    let out = folder();
    for background in ["white", "transparent"] {
        let flags = ["--preset", "us-passport", "--background", background];
        let result = crop(&[&portrait()], out.path(), &flags).expect(2);
        for words in ["--preset us-passport", "a replaced background cannot be used", "use --background keep"] {
            assert!(result.stderr.contains(words), "{words}: {}", result.stderr);
        }
        assert_eq!(result.stdout, "");
    }
    crop(&[&portrait()], out.path(), &["--preset", "us-passport", "--background", "keep"]).expect(0);
}

#[test]
fn projects_keep_the_shared_background_and_those_of_photos() {
    let folder = folder();
    let mut own = Overrides::default();
    (own.crop.output, own.finish.background) = (SIZE, Background::Transparent);
    let photo = |name: &str, edits: PhotoEdits| {
        let path = put_portrait(&folder.path().join("photos"), name);
        ProjectPhoto { path, edits, ..ProjectPhoto::default() }
    };
    let mut project = Project::default();
    project.settings.recipe.crop.output = SIZE;
    project.settings.recipe.encode.format = OutputFormat::Png;
    project.settings.recipe.finish.background = Background::Plain { color: Color { rgb: [0, 64, 255] } };
    project.photos = vec![
        photo("list.png", PhotoEdits::default()),
        photo("own.png", PhotoEdits { overrides: Some(Box::new(own)), ..PhotoEdits::default() }),
    ];
    let path = folder.path().join("school.ironcrop");
    project.write(&path).expect("written");
    let behind = |out: &str, flags: &[&str]| {
        let out = folder.path().join(out);
        let given = [Path::new("crop"), &path, Path::new("-o"), &out];
        run(given.into_iter().chain(flags.iter().map(Path::new))).expect(0);
        ["list.png", "own.png"].map(|name| behind_and_face(out.join(name))[0])
    };
    assert_eq!(behind("a", &[]), [[0, 64, 255, 255], [0; 4]]);
    assert_eq!(behind("b", &["--background", "white"]), [[255; 4], [0; 4]], "overrides are kept");
    assert_ne!(behind("c", &["--background", "keep"])[0], [0, 64, 255, 255]);
}
