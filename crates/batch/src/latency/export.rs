//! Exports a comparison as Markdown, CSV or JSON, with the same columns.

use std::fmt::Write;

use serde::Serialize;

use super::{CompareRow, ComparisonTable};

/// Raised if a field changes its meaning or is removed; not for new fields.
const SCHEMA: u32 = 2;

/// One runtime; times of whole runs in milliseconds, memory in megabytes (10^6 bytes).
#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    runtime: &'static str,
    version: Option<&'a str>,
    state: &'static str,
    reason: Option<String>,
    cold_ms: Option<f64>,
    first_ms: Option<f64>,
    median_ms: Option<f64>,
    p95_ms: Option<f64>,
    min_ms: Option<f64>,
    /// Medians of the parts of a run.
    detect_ms: Option<f64>,
    landmarks_ms: Option<f64>,
    mask_ms: Option<f64>,
    throughput: Option<f64>,
    samples: usize,
    peak_memory_mb: Option<f64>,
    faces: Option<usize>,
    max_difference: Option<f64>,
}

impl<'a> Line<'a> {
    fn of(row: &'a CompareRow) -> Self {
        let figures = row.statistics();
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
            detect_ms: row.median_of(|sample| Some(sample.detect_ms())).map(rounded),
            landmarks_ms: row.median_of(|sample| sample.landmarks_ms).map(rounded),
            mask_ms: row.median_of(|sample| sample.mask_ms).map(rounded),
            throughput: figures.map(|figures| rounded(figures.per_second())),
            samples: row.samples.len(),
            peak_memory_mb: row.peak_memory_mb.map(rounded),
            faces: row.faces,
            max_difference: row.max_difference,
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
        ]
    }
}

const COLUMNS: [&str; 17] = [
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
];

/// A Markdown table with one row per runtime; the last column has the reason of a failure, or the models that cannot be run.
pub fn to_markdown(table: &ComparisonTable) -> String {
    let mut text = String::from(
        "| Runtime | Version | Cold load ms | First run ms | Median ms | p95 ms | Min ms | Detection ms | Landmarks ms | Mask ms | Runs/s | Peak MB | Faces | Largest difference | State |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n",
    );
    for row in &table.rows {
        let line = Line::of(row);
        let number = |value: Option<f64>| value.map(|value| format!("{value:.1}")).unwrap_or_default();
        let state = match &line.reason {
            Some(reason) => format!("{}: {reason}", line.state),
            None => line.state.to_owned(),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.kind.title(),
            markdown_cell(line.version.unwrap_or_default()),
            number(line.cold_ms),
            number(line.first_ms),
            number(line.median_ms),
            number(line.p95_ms),
            number(line.min_ms),
            number(line.detect_ms),
            number(line.landmarks_ms),
            number(line.mask_ms),
            number(line.throughput),
            number(line.peak_memory_mb),
            line.faces.map(|faces| faces.to_string()).unwrap_or_default(),
            line.max_difference.map(difference).unwrap_or_default(),
            markdown_cell(&state),
        );
    }
    text
}

/// Comma-separated values (RFC 4180, with LF line ends) with a header line.
pub fn to_csv(table: &ComparisonTable) -> String {
    let mut text = COLUMNS.join(",");
    text.push('\n');
    for row in &table.rows {
        let cells = Line::of(row).cells().map(|cell| csv_cell(&cell));
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// JSON lines: one object per runtime.
pub fn to_json(table: &ComparisonTable) -> String {
    let mut text = String::new();
    for row in &table.rows {
        // Only numbers and strings, so serialising cannot fail.
        text.push_str(&serde_json::to_string(&Line::of(row)).unwrap_or_default());
        text.push('\n');
    }
    text
}

/// Formats a difference with two digits.
pub fn difference(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{value:.1e}") }
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

    use outcome::{FaceModelFault, RuntimeFault, RuntimeState};
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
        };
        let without_mask = FaceModelFault { model: ModelKind::Person, fault: RuntimeFault::NotInLibrary };
        let ready = CompareRow {
            version: Some("0.23.9".to_owned()),
            cold_ms: Some(80.123_456),
            samples: vec![sample(40.0), sample(42.0), sample(41.0)],
            faces: Some(3),
            model_faults: vec![without_mask],
            max_difference: Some(2.5e-6),
            ..row(BackendKind::Tract, RuntimeState::Ready, None)
        };
        let broken = Some("\"liba|b.so\", they say,\nis a text file");
        let rows = vec![ready, row(BackendKind::Ort(Provider::Cpu), RuntimeState::Missing, broken)];
        ComparisonTable { rows, ..ComparisonTable::default() }
    }

    #[test]
    fn json_has_one_line_per_runtime_with_the_documented_fields() {
        let text = to_json(&table());
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines.len(), 2);
        for line in &lines {
            let mut fields: Vec<&str> = line.as_object().expect("an object").keys().map(String::as_str).collect();
            let mut documented = [COLUMNS.as_slice(), &["schema"]].concat();
            fields.sort_unstable();
            documented.sort_unstable();
            assert_eq!(fields, documented);
        }
        let line = &lines[0];
        assert_eq!((&line["median_ms"], &line["min_ms"], &line["p95_ms"]), (&48.5.into(), &47.5.into(), &49.5.into()));
        assert_eq!(
            (&line["detect_ms"], &line["landmarks_ms"], &line["mask_ms"]),
            (&42.5.into(), &6.0.into(), &Value::Null)
        );
        assert!(line["reason"].as_str().is_some_and(|reason| reason.starts_with("without person mask (not in the")));
        assert_eq!((&line["cold_ms"], &line["throughput"]), (&80.123.into(), &20.619.into()));
        assert_eq!((&line["runtime"], &line["state"]), (&"tract".into(), &"ready".into()));
        assert_eq!((&line["faces"], &line["samples"], &line["max_difference"]), (&3.into(), &3.into(), &2.5e-6.into()));
        assert_eq!((&lines[1]["median_ms"], &lines[1]["state"]), (&Value::Null, &"missing".into()));
    }

    #[test]
    fn csv_quotes_special_characters() {
        let text = to_csv(&table());
        let first: Vec<&str> = text.lines().take(2).collect();
        assert_eq!(first[0].split(',').count(), COLUMNS.len());
        assert!(first[1].starts_with("tract,0.23.9,ready,without person mask (not in the"), "{}", first[1]);
        assert!(first[1].contains(",80.123,,48.5,49.5,47.5,42.5,6,,20.619,3,"), "{}", first[1]);
        assert!(text.contains("missing,\"\"\"liba|b.so\"\", they say,\nis a text file\",,"), "{text}");
    }

    #[test]
    fn markdown_has_one_line_per_runtime_for_any_reason() {
        let text = to_markdown(&table());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        let bars = |line: &str| line.replace("\\|", "").matches('|').count();
        assert!(lines.iter().all(|line| bars(line) == 16), "{text}");
        assert!(lines[2].contains("| tract | 0.23.9 | 80.1 |") && lines[2].contains("2.5e-6"), "{text}");
        assert!(
            lines[2].contains("| 42.5 | 6.0 |  | 20.6 |") && lines[2].contains("ready: without person mask"),
            "{text}"
        );
        assert!(lines[3].contains("missing: \"liba\\|b.so\", they say, is a text file"), "{text}");
    }
}
