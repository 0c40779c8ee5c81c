//! The command line on the larger set of test photos, if it is present next to the repository.

use std::collections::BTreeMap;

use crate::support::{Run, crop, folder, names, shared};

fn rects(result: &Run) -> BTreeMap<String, [i64; 4]> {
    let of_line = |line: &serde_json::Value| {
        let rect = line["crops"][0]["rect"].as_array()?;
        let rect: Vec<i64> = rect.iter().filter_map(serde_json::Value::as_i64).collect();
        Some((crate::support::file_name(&line["path"]), rect.try_into().expect("four numbers")))
    };
    result.lines().iter().filter_map(of_line).collect()
}

#[test]
fn seven_portraits_give_seven_crops() {
    let Some(shared) = shared() else { return };
    let out = folder();
    let result = crop(&[&shared.join("testdata/portraits")], out.path(), &[]).expect(0);
    assert!(result.outcomes().values().all(|outcome| outcome == "cropped"), "{:?}", result.outcomes());
    assert_eq!((result.written().len(), names(out.path()).len()), (7, 7));
}

#[test]
fn every_problematic_file_has_an_expected_outcome() {
    let Some(shared) = shared() else { return };
    let awkward = shared.join("testdata/awkward");
    let out = folder();
    let result = crop(&[&awkward], out.path(), &[]).expect(1);
    let outcomes = result.outcomes();
    let count = std::fs::read_dir(&awkward).expect("readable").count();
    assert_eq!(outcomes.len(), count, "a line each");
    for (name, outcome) in [
        ("empty.jpg", "failed"),
        ("text_named.jpg", "failed"),
        ("truncated_header.jpg", "failed"),
        ("bomb_30000x30000.png", "failed"),
        ("truncated_60.jpg", "damaged"),
        ("jpeg_named.png", "cropped"),
        ("png_named.jpg", "cropped"),
        ("alpha.png", "cropped"),
        ("gray.jpg", "cropped"),
        ("gray.png", "cropped"),
        ("palette.png", "cropped"),
        ("rgb16.png", "cropped"),
        ("lzw.tif", "cropped"),
        ("plain.bmp", "cropped"),
        ("animated.gif", "cropped"),
        ("closeup_3000x4000.jpg", "cropped"),
        ("tiny_1x1.png", "no_face"),
        ("tiny_16x16.png", "no_face"),
    ] {
        assert_eq!(outcomes[name], outcome, "{name}");
    }
    for line in result.lines() {
        let name = crate::support::file_name(&line["path"]);
        assert_eq!(line["outcome"] == "failed", line["error"].is_string(), "{line}");
        assert_eq!(line["note"].is_string(), name.starts_with("animated"), "{line}");
        assert_eq!(line["damaged"] == true, name == "truncated_60.jpg", "{name}");
        if name == "truncated_60.jpg" {
            let (missing, rows) = (&line["damage"]["missing_rows"], &line["damage"]["rows"]);
            let share = missing.as_f64().expect("a number") / rows.as_f64().expect("a number");
            assert!(share > 0.3 && share < 0.6, "{missing} of {rows}");
        }
        if name.starts_with("bomb") {
            let reason = line["error"].as_str().expect("a reason");
            assert!(reason.contains("30000 x 30000") && reason.contains("900 megapixels"), "{reason}");
        }
    }
    let rects = rects(&result);
    let first = rects["orientation_1.jpg"];
    for orientation in 2..=8 {
        let rect = rects[&format!("orientation_{orientation}.jpg")];
        let apart = rect.iter().zip(first).map(|(a, b)| (a - b).abs()).max();
        assert!(apart <= Some(2), "orientation {orientation}: {rect:?} is not {first:?}");
    }
}
