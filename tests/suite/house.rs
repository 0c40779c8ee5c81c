//! Keeps the house in order: who uses whom, who names which engine, what files are called and how they open.
//!
//! The table here is that of `docs/architecture.md`. Tests inside the rooms may use what they like.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Which rooms a room may use; a room that is not in the table may not be there at all.
const MAY_USE: &[(&str, &[&str])] = &[
    ("geometry", &[]),
    ("cancel", &[]),
    ("platform", &[]),
    ("plan", &["geometry"]),
    ("import", &["cancel"]),
    ("naming", &["geometry"]),
    ("name_list", &["import", "naming"]),
    ("decode", &["geometry", "cancel"]),
    ("backend", &["geometry"]),
    ("detect", &["geometry", "decode", "backend"]),
    ("render", &["geometry", "decode", "plan"]),
    ("encode", &["geometry", "naming", "decode", "plan", "render"]),
    ("pipeline", &["geometry", "cancel", "naming", "backend", "decode", "detect", "plan", "render", "encode"]),
    ("journal", &["encode"]),
    ("report", &["decode", "plan", "render", "encode", "journal"]),
    (
        "latency",
        &[
            "geometry", "cancel", "platform", "import", "backend", "decode", "detect", "plan", "render", "encode",
            "pipeline",
        ],
    ),
    ("diagnostics", &["platform", "backend", "latency", "settings"]),
    ("settings", &["geometry", "backend", "decode", "detect", "plan", "encode"]),
    ("project", &["cancel", "plan", "settings"]),
    (
        "worker",
        &[
            "geometry",
            "cancel",
            "platform",
            "import",
            "naming",
            "backend",
            "decode",
            "detect",
            "plan",
            "encode",
            "pipeline",
            "latency",
            "settings",
            "project",
            "render",
            "journal",
            "report",
            "diagnostics",
        ],
    ),
    (
        "cli",
        &[
            "geometry",
            "cancel",
            "import",
            "naming",
            "name_list",
            "backend",
            "decode",
            "detect",
            "plan",
            "encode",
            "pipeline",
            "latency",
            "diagnostics",
            "project",
            "worker",
        ],
    ),
    (
        "ui",
        &[
            "geometry",
            "cancel",
            "import",
            "naming",
            "name_list",
            "backend",
            "decode",
            "detect",
            "plan",
            "encode",
            "pipeline",
            "latency",
            "diagnostics",
            "settings",
            "project",
            "worker",
        ],
    ),
];

/// Of these rooms, these items and no others.
const ONLY: &[(&str, &str, &[&str])] = &[
    ("backend", "geometry", &["Size"]),
    ("encode", "plan", &["Color", "SheetFormat", "SheetLayout"]),
    (
        "encode",
        "decode",
        &[
            "Channels",
            "Metadata",
            "Pixels",
            "Samples",
            "SamplesMut",
            "exif_block",
            "from_srgb",
            "srgb_profile",
            "tags",
            "to_srgb",
            "xmp_packet",
        ],
    ),
    ("encode", "geometry", &["Size"]),
    ("decode", "cancel", &["CancelToken"]),
    ("import", "cancel", &["CancelToken"]),
    ("project", "plan", &["PhotoEdits"]),
    ("naming", "geometry", &["Size"]),
    ("name_list", "import", &["has_picture_extension"]),
    ("name_list", "naming", &["fold", "fold_text"]),
];

/// What opens sessions, decodes, renders or writes files is for the worker, never for a front end.
const NOT_FOR_FRONT_ENDS: &[(&str, &[&str])] = &[
    ("backend", &["Backend", "Session", "SessionOptions", "open_session"]),
    ("diagnostics", &["gather"]),
    ("latency", &["Comparison", "open_chosen", "try_loading", "try_runtimes"]),
    ("decode", &["PhotoFile", "decode_file", "decode_bytes", "embedded_thumbnail", "resize"]),
    ("detect", &["Detector", "YunetDetector", "fit_and_pack", "decode_heads", "suppress_overlaps"]),
    ("encode", &["encode_crop", "encode_sheet", "remove_parts", "write_new", "NameBook", "Saver"]),
    ("pipeline", &["decode_part", "embedded_thumbnail", "examine", "export_item", "preview_crop"]),
];

/// Words that stand for something with a place of its own, and that place.
const AT_HOME: &[(&[&str], &[&str])] = &[
    (&["tract_onnx", "tract_core", "tract_hir"], &["src/backend/tract.rs"]),
    (&["rten"], &["src/backend/rten.rs"]),
    (&["ort"], &["src/backend/ort.rs"]),
    (&["candle_onnx", "candle_core", "prost"], &["src/backend/candle.rs"]),
    (&["burn_core", "burn_flex", "burn_nn", "burn_store"], &["src/backend/burn.rs"]),
    (&["rayon"], &["src/backend/burn.rs", "src/backend/candle.rs"]),
    (&["egui", "eframe", "rfd", "egui_kittest", "egui_system_font_provider", "sys_locale"], &["src/ui/"]),
    (&["clap", "clap_complete", "clap_mangen", "ctrlc", "indicatif"], &["src/cli/"]),
    (&["calamine", "encoding_rs", "quick_xml", "zip"], &["src/name_list/"]),
    // The report has a file of this name.
    (&["csv"], &["src/name_list/", "src/report/"]),
    (&["anyhow"], &["src/cli/", "src/main.rs"]),
    (&["rustix"], &["src/backend/probe.rs"]),
    (&["fast_image_resize", "rav1d", "jxl_oxide", "libloading", "moxcms"], &["src/decode/"]),
    (&["ravif", "pdf_writer"], &["src/encode/"]),
];

struct Source {
    /// From the root of the repository, with slashes.
    path: String,
    /// The room: the first folder or file below `src`.
    room: String,
    /// How many modules deep it is: 1 for `src/room.rs` and `src/room/mod.rs`.
    depth: usize,
    text: String,
}

impl Source {
    /// The code without comments and without its tests.
    fn code(&self) -> String {
        let without_tests = match self.text.find("#[cfg(test)]\nmod tests") {
            Some(start) => &self.text[..start],
            None => &self.text,
        };
        without_tests.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
    }

    fn is_test_code(&self) -> bool {
        self.path.ends_with("tests.rs") || self.path.contains("/tests/")
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(below: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![root().join(below)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("readable") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn sources() -> Vec<Source> {
    let source = |path: PathBuf| {
        let below_src: Vec<String> = path
            .strip_prefix(root().join("src"))
            .expect("below")
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        let is_door = below_src.last().is_some_and(|name| name == "mod.rs");
        Source {
            path: format!("src/{}", below_src.join("/")),
            room: below_src[0].trim_end_matches(".rs").to_owned(),
            depth: below_src.len() - usize::from(is_door),
            text: fs::read_to_string(&path).expect("text"),
        }
    };
    rust_files("src")
        .into_iter()
        .map(source)
        .filter(|source| !["lib", "main"].contains(&source.room.as_str()))
        .collect()
}

/// What `code` names through `crate::`: room and item; an empty item stands for the room as a whole.
fn used(code: &str) -> BTreeSet<(String, String)> {
    let mut used = BTreeSet::new();
    for (start, _) in code.match_indices("crate::") {
        let rest = &code[start + "crate::".len()..];
        for (room, items) in first_names(rest) {
            let items = items.strip_prefix("::").map(first_names).unwrap_or_default();
            if items.is_empty() {
                used.insert((room.clone(), String::new()));
            }
            used.extend(items.into_iter().map(|(item, _)| (room.clone(), item)));
        }
    }
    used
}

/// The names at the head of a path, one or a group in braces, each with what follows it.
fn first_names(path: &str) -> Vec<(String, &str)> {
    let name =
        |text: &str| text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(group) = path.strip_prefix('{') else {
        let name = name(path);
        let rest = &path[name.len()..];
        return if name.is_empty() { Vec::new() } else { vec![(name, rest)] };
    };
    let mut names = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in group.char_indices() {
        let closes = c == '}' && depth == 0;
        if closes || (c == ',' && depth == 0) {
            let part = group[start..at].trim();
            let name = name(part);
            if !name.is_empty() {
                names.push((name.clone(), &part[name.len()..]));
            }
            start = at + 1;
        }
        match c {
            '{' => depth += 1,
            '}' if closes => break,
            '}' => depth -= 1,
            _ => {}
        }
    }
    names
}

#[test]
fn each_room_uses_only_the_rooms_it_may() {
    let table: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    let mut faults = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test_code()) {
        let Some(may_use) = table.get(source.room.as_str()) else {
            faults.push(format!("{}: the room {} is not in the table", source.path, source.room));
            continue;
        };
        for (room, item) in used(&source.code()) {
            if room == source.room {
                continue;
            }
            if !may_use.contains(&room.as_str()) {
                faults.push(format!("{}: {} may not use {room}", source.path, source.room));
            }
            for (user, of, only) in ONLY {
                if (*user, *of) == (source.room.as_str(), room.as_str()) && !only.contains(&item.as_str()) {
                    faults.push(format!("{}: of {room} only {only:?}, not '{item}'", source.path));
                }
            }
            let is_front_end = ["ui", "cli"].contains(&source.room.as_str());
            let denied = NOT_FOR_FRONT_ENDS
                .iter()
                .any(|(of, items)| *of == room && (item.is_empty() || items.contains(&item.as_str())));
            if is_front_end && denied {
                faults.push(format!("{}: {room}::{item} is for the worker", source.path));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn no_room_is_left_by_way_of_super() {
    for source in sources().iter().filter(|source| !source.is_test_code()) {
        let way_out = "super::".repeat(source.depth);
        assert!(!source.code().contains(&way_out), "{}: name other rooms through crate::", source.path);
    }
}

#[test]
fn engines_and_libraries_with_a_place_stay_in_it() {
    for source in sources().iter().filter(|source| !source.is_test_code()) {
        let code = source.code();
        for (names, places) in AT_HOME {
            let at_home = places.iter().any(|place| source.path.starts_with(place));
            // `report::` is no path of `ort`.
            let is_whole = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let path_of = |name: &&&str| code.match_indices(&format!("{name}::")).any(|(at, _)| is_whole(at));
            let named: Vec<&&str> = names.iter().filter(path_of).collect();
            assert!(at_home || named.is_empty(), "{} names {named:?}, which belong in {places:?}", source.path);
        }
    }
}

#[test]
fn standard_output_and_threads_have_one_place_each() {
    for source in sources().iter().filter(|source| !source.is_test_code()) {
        let code = source.code();
        let prints = ["stdout()", "println!(", "print!("].iter().any(|word| code.contains(word));
        // The other one prints nothing: it asks whether standard output is open.
        let may_print = ["src/cli/print.rs", "src/latency/surroundings.rs"].contains(&source.path.as_str());
        assert!(!prints || may_print, "{} prints", source.path);
        let makes_threads =
            ["thread::Builder", "thread::spawn(", "thread::scope("].iter().any(|word| code.contains(word))
                || code.contains("use std::thread::{Builder");
        assert!(!makes_threads || source.path == "src/worker/thread.rs", "{} makes threads", source.path);
    }
}

#[test]
fn unsafe_code_is_where_the_page_on_security_says() {
    let is_unsafe = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("text");
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        code.into_iter()
            .any(|line| ["{", "fn ", "extern ", "impl "].iter().any(|what| line.contains(&format!("unsafe {what}"))))
    };
    let files = ["src", "installer", "benches"].iter().flat_map(|below| rust_files(below)).filter(is_unsafe);
    let name = |path: PathBuf| path.strip_prefix(root()).expect("below").to_string_lossy().replace('\\', "/");
    let found: BTreeSet<String> = files.map(name).collect();
    let page = fs::read_to_string(root().join("docs/SECURITY.md")).expect("text");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(found, rows.map(str::to_owned).collect());
}

#[test]
fn every_file_says_what_it_is_and_is_called_after_it() {
    let vague = ["utils", "util", "helpers", "common", "types", "misc", "core", "manager"];
    for file in ["src", "tests", "benches"].iter().flat_map(|below| rust_files(below)) {
        let text = fs::read_to_string(&file).expect("text");
        assert!(text.starts_with("//! "), "{}: the first line says what it is", file.display());
        for part in file.strip_prefix(root()).expect("below").iter() {
            let name = part.to_string_lossy();
            assert!(!vague.contains(&name.trim_end_matches(".rs")), "{}: a name that says nothing", file.display());
        }
    }
}

#[test]
fn no_file_grows_beyond_reading() {
    for source in sources().iter().filter(|source| !source.is_test_code()) {
        let lines = source.text.find("#[cfg(test)]\nmod tests").map_or(source.text.as_str(), |end| &source.text[..end]);
        let lines = lines.lines().count();
        assert!(lines <= 400, "{} has {lines} lines without its tests; 300 is the wish", source.path);
    }
}

#[test]
fn the_reader_of_paths_sees_groups_and_nesting() {
    let code = "use crate::plan::{Color, CropSpec as Spec, frame::{A, B}};\nuse crate::{decode, render::Crop};\nlet x = crate::cancel::CancelToken::new();";
    let found: Vec<String> = used(code).into_iter().map(|(room, item)| format!("{room}.{item}")).collect();
    assert_eq!(found, ["cancel.CancelToken", "decode.", "plan.Color", "plan.CropSpec", "plan.frame", "render.Crop"]);
}
