//! Exports a comparison as Markdown, CSV or JSON, with the same columns.

use std::fmt::Write;

use serde::Serialize;

use super::{CompareRow, ComparisonTable};

/// Raised if a field changes its meaning or is removed; not for new fields.
const SCHEMA: u32 = 2;

/// One runtime; times in milliseconds, memory in megabytes (10^6 bytes).
#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    runtime: &'static str,
    version: Option<&'a str>,
    state: &'static str,
    reason: Option<String>,
    cold_ms: Option<f64>,
    first_ms: Option<f64>,
    /// Of first pass, landmarks and mask together; then the medians of each.
    median_ms: Option<f64>,
    p95_ms: Option<f64>,
    min_ms: Option<f64>,
    detect_ms: Option<f64>,
    landmarks_ms: Option<f64>,
    mask_ms: Option<f64>,
    throughput: Option<f64>,
    samples: usize,
    peak_memory_mb: Option<f64>,
    faces: Option<usize>,
    max_difference: Option<f64>,
    /// Of the whole work of a photo: median, 95th percentile, and the median divided by that of the fastest runtime.
    photo_ms: Option<f64>,
    photo_p95_ms: Option<f64>,
    times_fastest: Option<f64>,
    fastest: bool,
    /// Inputs of the first pass, such as `640x448`.
    inputs: String,
    agrees: Option<bool>,
    cold_start_ms: Option<f64>,
}

impl<'a> Line<'a> {
    fn of(table: &ComparisonTable, row: &'a CompareRow) -> Self {
        let (figures, photo) = (row.statistics(), row.photo());
        Self {
            schema: SCHEMA,
            runtime: row.kind.id(),
            version: row.version.as_deref(),
            state: row.state.id(),
            reason: row.reason(),
            cold_ms: row.cold_ms.map(rounded),
            first_ms: row.first_ms.map(rounded),
            median_ms: figures.map(|figures| rounded(figures.median)),
            p95_ms: figures.map(|figures| rounded(figures.p95)),
            min_ms: figures.map(|figures| rounded(figures.min)),
            detect_ms: row.first_pass_ms().map(rounded),
            landmarks_ms: row.median_of(|sample| sample.landmarks_ms).map(rounded),
            mask_ms: row.median_of(|sample| sample.mask_ms).map(rounded),
            throughput: figures.map(|figures| rounded(figures.per_second())),
            samples: row.samples.len(),
            peak_memory_mb: row.peak_memory_mb.map(rounded),
            faces: row.faces,
            max_difference: row.max_difference,
            photo_ms: photo.map(|photo| rounded(photo.median)),
            photo_p95_ms: photo.map(|photo| rounded(photo.p95)),
            times_fastest: table.times_fastest(row).map(rounded),
            fastest: table.fastest().is_some_and(|fastest| fastest.kind == row.kind),
            inputs: inputs(row),
            agrees: row.agrees,
            cold_start_ms: row.cold_start_ms().map(rounded),
        }
    }

    /// The cells of the CSV row, in the order of [`COLUMNS`]; empty if unknown.
    fn cells(&self) -> [String; COLUMNS.len()] {
        fn text<T: ToString>(value: Option<T>) -> String {
            value.map(|value| value.to_string()).unwrap_or_default()
        }
        [
            self.runtime.to_owned(),
            text(self.version),
            self.state.to_owned(),
            text(self.reason.as_ref()),
            text(self.cold_ms),
            text(self.first_ms),
            text(self.median_ms),
            text(self.p95_ms),
            text(self.min_ms),
            text(self.detect_ms),
            text(self.landmarks_ms),
            text(self.mask_ms),
            text(self.throughput),
            self.samples.to_string(),
            text(self.peak_memory_mb),
            text(self.faces),
            text(self.max_difference),
            text(self.photo_ms),
            text(self.photo_p95_ms),
            text(self.times_fastest),
            self.fastest.to_string(),
            self.inputs.clone(),
            text(self.agrees),
            text(self.cold_start_ms),
        ]
    }
}

const COLUMNS: [&str; 24] = [
    "runtime",
    "version",
    "state",
    "reason",
    "cold_ms",
    "first_ms",
    "median_ms",
    "p95_ms",
    "min_ms",
    "detect_ms",
    "landmarks_ms",
    "mask_ms",
    "throughput",
    "samples",
    "peak_memory_mb",
    "faces",
    "max_difference",
    "photo_ms",
    "photo_p95_ms",
    "times_fastest",
    "fastest",
    "inputs",
    "agrees",
    "cold_start_ms",
];

/// A Markdown table with one row per runtime, the fastest first; the last column has the reason of a failure, or the models
/// that cannot be run.
pub fn to_markdown(table: &ComparisonTable) -> String {
    let mut text = String::from(
        "| Runtime | Version | Photo ms | Times | p95 ms | First pass ms | Input | Cold start ms | Peak MB | Faces | Largest difference | State |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n",
    );
    for row in table.ranked() {
        let line = Line::of(table, row);
        let number = |value: Option<f64>| value.map(|value| format!("{value:.1}")).unwrap_or_default();
        let state = match &line.reason {
            Some(reason) => format!("{}: {reason}", line.state),
            None if row.agrees == Some(false) => format!("{}: results differ", line.state),
            None => line.state.to_owned(),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.kind.title(),
            markdown_cell(line.version.unwrap_or_default()),
            number(line.photo_ms),
            times(table, row),
            number(line.photo_p95_ms),
            number(line.detect_ms),
            line.inputs,
            number(line.cold_start_ms),
            number(line.peak_memory_mb),
            line.faces.map(|faces| faces.to_string()).unwrap_or_default(),
            line.max_difference.map(difference).unwrap_or_default(),
            markdown_cell(&state),
        );
    }
    text
}

/// Comma-separated values (RFC 4180, with LF line ends) with a header line; the fastest runtime first.
pub fn to_csv(table: &ComparisonTable) -> String {
    let mut text = COLUMNS.join(",");
    text.push('\n');
    for row in table.ranked() {
        let cells = Line::of(table, row).cells().map(|cell| csv_cell(&cell));
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// JSON lines: one object per runtime, the fastest first.
pub fn to_json(table: &ComparisonTable) -> String {
    let mut text = String::new();
    for row in table.ranked() {
        // Only numbers and strings, so serialising cannot fail.
        text.push_str(&serde_json::to_string(&Line::of(table, row)).unwrap_or_default());
        text.push('\n');
    }
    text
}

/// Formats a difference with two digits.
pub fn difference(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{value:.1e}") }
}

/// How many times as long as the fastest runtime a row takes, such as `1.1 x`; `fastest` for that one.
pub fn times(table: &ComparisonTable, row: &CompareRow) -> String {
    match table.times_fastest(row) {
        Some(_) if table.fastest().is_some_and(|fastest| fastest.kind == row.kind) => "fastest".to_owned(),
        Some(times) => format!("{times:.1} x"),
        None => String::new(),
    }
}

/// The inputs of the first pass, such as `640x448 448x640`.
pub fn inputs(row: &CompareRow) -> String {
    let inputs = row.inputs.iter().map(|input| format!("{}x{}", input.width, input.height));
    inputs.collect::<Vec<_>>().join(" ")
}

/// Rounds to three decimals: microseconds and kilobytes.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

fn markdown_cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\\', "\\\\").replace('|', "\\|")
}

fn csv_cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use geometry::Size;
    use outcome::{FaceModelFault, RuntimeFault, RuntimeState, StageTimes};
    use recipe::{BackendKind, ModelKind, Provider};

    use super::*;
    use crate::latency::Sample;

    fn table() -> ComparisonTable {
        let row = |kind, state, reason: Option<&str>| CompareRow {
            kind,
            state,
            fault: reason.map(|reason| RuntimeFault::Other(reason.to_owned())),
            model_faults: Vec::new(),
            version: None,
            cold_ms: None,
            first_ms: None,
            peak_memory_mb: None,
            agrees: None,
            inputs: Vec::new(),
            samples: Vec::new(),
            faces: None,
            max_difference: None,
        };
        let sample = |inference_ms| Sample {
            photo: 0,
            preprocess_ms: 1.0,
            inference_ms,
            postprocess_ms: 0.5,
            landmarks_ms: Some(6.0),
            mask_ms: None,
            photo_ms: inference_ms + 100.0,
            stages: StageTimes::default(),
        };
        let without_mask = FaceModelFault { model: ModelKind::Person, fault: RuntimeFault::NotInLibrary };
        let ready = CompareRow {
            version: Some("0.23.9".to_owned()),
            cold_ms: Some(80.123_456),
            first_ms: Some(20.0),
            agrees: Some(true),
            inputs: vec![Size::new(640, 448), Size::new(448, 640)],
            samples: vec![sample(40.0), sample(42.0), sample(41.0)],
            faces: Some(3),
            model_faults: vec![without_mask],
            max_difference: Some(2.5e-6),
            ..row(BackendKind::Tract, RuntimeState::Ready, None)
        };
        let broken = Some("\"liba|b.so\", they say,\nis a text file");
        let fast = CompareRow {
            agrees: Some(true),
            samples: vec![sample(20.0), sample(20.0)],
            ..row(BackendKind::Builtin, RuntimeState::Ready, None)
        };
        let whole = CompareRow {
            agrees: Some(true),
            samples: vec![sample(32.0)],
            ..row(BackendKind::Rten, RuntimeState::Ready, None)
        };
        let rows = vec![row(BackendKind::Ort(Provider::Cpu), RuntimeState::Missing, broken), ready, whole, fast];
        ComparisonTable { rows, ..ComparisonTable::default() }
    }

    #[test]
    fn json_has_one_line_per_runtime_with_the_documented_fields() {
        let text = to_json(&table());
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let runtimes: Vec<_> = lines.iter().map(|line| line["runtime"].as_str().expect("text")).collect();
        assert_eq!(
            runtimes,
            ["builtin", "rten", "tract", "ort:cpu"],
            "the fastest first, the incomplete and failed ones last"
        );
        for line in &lines {
            let mut fields: Vec<&str> = line.as_object().expect("an object").keys().map(String::as_str).collect();
            let mut documented = [COLUMNS.as_slice(), &["schema"]].concat();
            fields.sort_unstable();
            documented.sort_unstable();
            assert_eq!(fields, documented);
        }
        let [fastest, second] = [&lines[0], &lines[1]];
        assert_eq!((&fastest["fastest"], &fastest["times_fastest"]), (&true.into(), &1.0.into()));
        assert_eq!((&second["fastest"], &second["times_fastest"]), (&false.into(), &1.1.into()));
        let line = &lines[2];
        assert_eq!((&line["photo_ms"], &line["photo_p95_ms"]), (&141.0.into(), &142.0.into()));
        assert_eq!((&line["fastest"], &line["times_fastest"]), (&false.into(), &Value::Null), "it lacks a model");
        assert_eq!((&line["inputs"], &line["agrees"]), (&"640x448 448x640".into(), &true.into()));
        assert_eq!(&line["cold_start_ms"], &100.123);
        assert_eq!((&line["median_ms"], &line["min_ms"], &line["p95_ms"]), (&48.5.into(), &47.5.into(), &49.5.into()));
        assert_eq!(
            (&line["detect_ms"], &line["landmarks_ms"], &line["mask_ms"]),
            (&42.5.into(), &6.0.into(), &Value::Null)
        );
        assert!(line["reason"].as_str().is_some_and(|reason| reason.starts_with("without person mask (not in the")));
        assert_eq!((&line["cold_ms"], &line["throughput"]), (&80.123.into(), &20.619.into()));
        assert_eq!((&line["runtime"], &line["state"]), (&"tract".into(), &"ready".into()));
        assert_eq!((&line["faces"], &line["samples"], &line["max_difference"]), (&3.into(), &3.into(), &2.5e-6.into()));
        assert_eq!((&lines[3]["median_ms"], &lines[3]["state"]), (&Value::Null, &"missing".into()));
    }

    #[test]
    fn csv_quotes_special_characters() {
        let text = to_csv(&table());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0].split(',').count(), COLUMNS.len());
        assert!(lines[1].starts_with("builtin,") && lines[1].ends_with(",120,120,1,true,,true,"), "{}", lines[1]);
        assert!(lines[3].starts_with("tract,0.23.9,ready,without person mask (not in the"), "{}", lines[3]);
        assert!(lines[3].contains(",80.123,20,48.5,49.5,47.5,42.5,6,,20.619,3,"), "{}", lines[3]);
        assert!(lines[3].ends_with(",141,142,,false,640x448 448x640,true,100.123"), "{}", lines[3]);
        assert!(text.contains("missing,\"\"\"liba|b.so\"\", they say,\nis a text file\",,"), "{text}");
    }

    #[test]
    fn markdown_has_one_line_per_runtime_for_any_reason() {
        let text = to_markdown(&table());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 6);
        let bars = |line: &str| line.replace("\\|", "").matches('|').count();
        assert!(lines.iter().all(|line| bars(line) == 13), "{text}");
        assert!(lines[2].starts_with("| Built-in |  | 120.0 | fastest | 120.0 | 21.5 |"), "{text}");
        assert!(lines[3].starts_with("| rten |  | 132.0 | 1.1 x | 132.0 | 33.5 |"), "{text}");
        let incomplete =
            "| tract | 0.23.9 | 141.0 |  | 142.0 | 42.5 | 640x448 448x640 | 100.1 |  | 3 | 2.5e-6 | ready: without";
        assert!(lines[4].starts_with(incomplete), "{text}");
        assert!(lines[5].contains("missing: \"liba\\|b.so\", they say, is a text file"), "{text}");
    }
}
