//! Runs every command line of the documents, in a folder with the files it names. Those that cannot run here are in a list
//! with the reason, and are only parsed: see `docs`.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Cursor, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use batch::journal::Shard;
use batch::project::{Project, ProjectPhoto};

use crate::docs::{Line, all_lines, filled_in};
use crate::support::{Run, folder, portrait, program, read_picture, samples};

/// Command lines that a test cannot run, and why.
const ONLY_PARSED: &[(&str, &str)] = &[
    ("", "opens a window, which needs a screen"),
    ("assets/samples", "opens a window, which needs a screen"),
    ("crop /usr/share/iron-cropper/assets/samples -o out", "needs the package to be installed"),
];

/// Creates the folders and files of the documents' examples; each photo is small and has one face.
fn put_examples(root: &Path) {
    let photo = read_picture(portrait()).resize(256, 256, image::imageops::FilterType::Triangle).into_rgb8();
    let parts = [Shard { number: 1, count: 8 }, Shard { number: 1, count: 16 }];
    let in_parts = |name: &String| parts.iter().all(|part| part.holds(Path::new(name)));
    let name = (0..).map(|number| format!("{number}.jpg")).find(in_parts).expect("one of them");
    let photos = ["photo.jpg", "anna.jpg", "choir.jpg", "class-3b/ben.jpg", "scans/1.jpg", "members/carl.jpg"];
    let more = ["school/3b/IMG_0412.jpg".to_owned(), format!("team/{name}"), format!("data/photos/{name}")];
    for path in photos.map(str::to_owned).into_iter().chain(more) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("created");
        photo.save(path).expect("written");
    }
    fs::create_dir_all(root.join("assets/samples")).expect("created");
    for sample in fs::read_dir(samples()).expect("readable").flatten() {
        fs::copy(sample.path(), root.join("assets/samples").join(sample.file_name())).expect("copied");
    }
    fs::write(root.join("pupils.xlsx"), workbook(&[["file", "name", "class"], ["IMG_0412.jpg", "Anna", "3b"]]))
        .expect("written");
    let path = fs::canonicalize(root.join("school/3b/IMG_0412.jpg")).expect("exists");
    let mut project = Project { photos: vec![ProjectPhoto { path, ..ProjectPhoto::default() }], ..Project::default() };
    project.settings.output_folder = Some(root.join("crops"));
    project.write(&root.join("school.ironcrop")).expect("written");
}

/// A workbook with these rows on its only sheet.
fn workbook(rows: &[[&str; 3]]) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const RELATIONS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let cell = |(column, text): (char, &&str), row: usize| {
        format!("<c r=\"{column}{row}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
    };
    let row = |(number, cells): (usize, &[&str; 3])| {
        let cells: String = ('A'..).zip(cells).map(|placed| cell(placed, number)).collect();
        format!("<row r=\"{number}\">{cells}</row>")
    };
    let rows: String = (1..).zip(rows).map(row).collect();
    let relation = |kind: &str, target: &str| {
        format!(
            "<Relationships xmlns=\"{RELATIONS}\"><Relationship Id=\"r1\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>\
             </Relationships>"
        )
    };
    let sheets = "<sheets><sheet name=\"Pupils\" sheetId=\"1\" r:id=\"r1\"/></sheets>";
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [
        ("_rels/.rels", relation("officeDocument", "xl/workbook.xml")),
        ("xl/workbook.xml", format!("<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\">{sheets}</workbook>")),
        ("xl/_rels/workbook.xml.rels", relation("worksheet", "worksheets/s1.xml")),
        ("xl/worksheets/s1.xml", format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>")),
    ] {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        archive.start_file(name, options).expect("memory");
        archive.write_all(text.as_bytes()).expect("memory");
    }
    archive.finish().expect("memory").into_inner()
}

/// The words as a shell in `root` expands them: globs match files, and `/data` is a folder in it.
fn expanded(words: &[String], root: &Path) -> Vec<String> {
    let here = |word: &String| match word.strip_prefix("/data/") {
        Some(rest) => format!("data/{rest}"),
        None => word.clone(),
    };
    words
        .iter()
        .map(here)
        .flat_map(|word| if word.contains('*') { matching(&word, root) } else { vec![word] })
        .collect()
}

/// The files whose last component matches a glob.
fn matching(pattern: &str, root: &Path) -> Vec<String> {
    let (folder, pattern) = pattern.rsplit_once('/').expect("a folder");
    let parts: Vec<&str> = pattern.split('*').collect();
    let fits = |name: &str| {
        let in_order = parts.iter().try_fold(name, |rest, part| Some(&rest[rest.find(part)? + part.len()..]));
        name.starts_with(parts[0]) && in_order.is_some() && name.ends_with(parts[parts.len() - 1])
    };
    let names = fs::read_dir(root.join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}")).flatten();
    let mut names: Vec<String> = names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| fits(name));
    names.sort();
    names.into_iter().map(|name| format!("{folder}/{name}")).collect()
}

/// Runs a watch until it has reported a photo, then interrupts it like Ctrl-C.
fn watch(mut command: Command) -> Run {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
    let mut result = String::new();
    stdout.read_line(&mut result).expect("text");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill").success());
    while stdout.read_line(&mut result).expect("text") > 0 {}
    Run { stdout: result, ..Run::of(&child.wait_with_output().expect("ends")) }
}

#[test]
fn every_documented_command_line_runs() {
    let home = folder();
    let root = home.path().join("root");
    put_examples(&root);
    let start = || {
        let mut command = program(&home.path().join("home"));
        command.current_dir(&root);
        command
    };
    // Files that the examples assume: a journal, and one of a shard.
    for more in [["-o", "made", "--journal", "journal.jsonl"], ["-o", "out", "--shard", "1/8"]] {
        Run::of(&start().args(["crop", "team"]).args(more).output().expect("starts")).expect(0);
    }
    let (mut seen, mut only_parsed) = (BTreeSet::new(), BTreeSet::new());
    for Line { place, words, from, to } in all_lines() {
        let words = filled_in(&words);
        if !seen.insert((words.clone(), to.clone())) {
            continue;
        }
        let line = words.join(" ");
        if let Some((parsed, _)) = ONLY_PARSED.iter().find(|(parsed, _)| *parsed == line) {
            only_parsed.insert(*parsed);
            continue;
        }
        let mut command = start();
        command.args(expanded(&words, &root));
        if words[0] == "watch" {
            // On other systems, Ctrl-C cannot be sent to a single process.
            if cfg!(unix) {
                let result = watch(command).expect(0);
                assert!(result.stdout.contains("1 face, written "), "{place}: {}", result.stdout);
            }
            continue;
        }
        let listed = root.join("listed");
        fs::write(&listed, "school/3b/IMG_0412.jpg\0").expect("written");
        let input = from.unwrap_or_else(|| {
            if words.iter().any(|word| word == "--files-from") { "listed" } else { "photo.jpg" }.to_owned()
        });
        command.stdin(File::open(root.join(input)).expect("exists"));
        let output = command.output().expect("starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{place}: iron-cropper {line}\n{stderr}");
        if let Some(to) = to.filter(|to| !to.starts_with('/')) {
            fs::write(root.join(to), &output.stdout).expect("written");
        }
    }
    let expected: BTreeSet<&str> = ONLY_PARSED.iter().map(|(parsed, _)| *parsed).collect();
    assert_eq!(only_parsed, expected, "every command that is only parsed is documented");
    for made in [
        "out/anna.jpg",
        "out/anna_sheet.pdf",
        "crops/IMG_0412.jpg",
        "web/IMG_0412.webp",
        "out/3b/Anna.jpg",
        "report.html",
    ] {
        assert!(root.join(made).is_file(), "{made}: {:?}", crate::support::names(&root));
    }
}
