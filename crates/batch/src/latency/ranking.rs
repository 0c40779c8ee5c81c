//! The order of a comparison, and its fastest runtime.

use outcome::RuntimeState;

use super::{CompareRow, ComparisonTable, Statistics};

impl CompareRow {
    /// The statistics of the whole work of a photo, in milliseconds; `None` before the first measured run.
    pub fn photo(&self) -> Option<Statistics> {
        Statistics::of(self.samples.iter().map(|sample| sample.photo_ms))
    }

    /// Milliseconds of the first pass alone: the median; `None` before the first measured run.
    pub fn first_pass_ms(&self) -> Option<f64> {
        self.median_of(|sample| Some(sample.detect_ms()))
    }

    /// Milliseconds in a new process until the first faces: loading and the first run.
    pub fn cold_start_ms(&self) -> Option<f64> {
        Some(self.cold_ms? + self.first_ms?)
    }

    /// True if it may be called the fastest: like Auto's choice it works, its results match tract's, and it runs every
    /// model, so that it does the same work as the others.
    fn is_rankable(&self) -> bool {
        self.state == RuntimeState::Ready && self.agrees == Some(true) && self.model_faults.is_empty()
    }
}

impl ComparisonTable {
    /// The rows by the median time of a photo, the fastest first. Runtimes that failed, give other results or lack a model
    /// come after all others, those without a time last.
    pub fn ranked(&self) -> Vec<&CompareRow> {
        let place = |row: &CompareRow| row.photo().map_or(f64::INFINITY, |photo| photo.median);
        let mut rows: Vec<&CompareRow> = self.rows.iter().collect();
        rows.sort_by(|a, b| b.is_rankable().cmp(&a.is_rankable()).then_with(|| place(a).total_cmp(&place(b))));
        rows
    }

    /// The fastest runtime, if at least two were timed. Never one that failed, gives other results or lacks a model.
    pub fn fastest(&self) -> Option<&CompareRow> {
        let several = self.rows.iter().filter(|row| row.photo().is_some()).count() > 1;
        self.ranked().into_iter().next().filter(|row| several && row.is_rankable() && row.photo().is_some())
    }

    /// How many times as long as the fastest runtime `row` takes for a photo, by the medians; `None` if it cannot be
    /// compared with it.
    pub fn times_fastest(&self, row: &CompareRow) -> Option<f64> {
        let fastest = self.fastest()?.photo()?;
        let own = row.photo().filter(|_| row.is_rankable())?;
        Some(own.median / fastest.median)
    }
}

/// True if a median is so close to the fastest that measurements do not distinguish them: `times` rounds to 1.0.
pub fn is_about_equal(times: f64) -> bool {
    times < 1.05
}

#[cfg(test)]
mod tests {
    use outcome::{FaceModelFault, RuntimeFault, RuntimeReport, StageTimes};
    use recipe::{BackendKind, ModelKind, Provider};

    use super::super::Sample;
    use super::super::comparison::row_of;
    use super::*;

    const CPU: BackendKind = BackendKind::Ort(Provider::Cpu);

    /// A row with these times of a photo; its first pass takes ten times as long, which does not matter.
    fn row(kind: BackendKind, photos_ms: &[f64]) -> CompareRow {
        let sample = |&photo_ms: &f64| Sample {
            photo: 0,
            preprocess_ms: 0.0,
            inference_ms: 1000.0 / photo_ms,
            postprocess_ms: 0.0,
            landmarks_ms: None,
            mask_ms: None,
            photo_ms,
            stages: StageTimes::default(),
        };
        CompareRow {
            agrees: Some(true),
            samples: photos_ms.iter().map(sample).collect(),
            ..row_of(RuntimeReport::new(kind, RuntimeState::Ready, None))
        }
    }

    fn table(rows: Vec<CompareRow>) -> ComparisonTable {
        ComparisonTable { rows, ..ComparisonTable::default() }
    }

    fn order(table: &ComparisonTable) -> Vec<BackendKind> {
        table.ranked().into_iter().map(|row| row.kind).collect()
    }

    #[test]
    fn runtimes_are_in_the_order_of_the_whole_work_of_a_photo() {
        let slow = row(BackendKind::Tract, &[200.0, 240.0, 220.0]);
        let fast = row(CPU, &[90.0, 400.0, 100.0]);
        let table = table(vec![row(BackendKind::Rten, &[]), slow, fast, row(BackendKind::Builtin, &[110.0; 3])]);
        assert_eq!(order(&table), [CPU, BackendKind::Builtin, BackendKind::Tract, BackendKind::Rten]);
        assert_eq!(table.fastest().map(|row| row.kind), Some(CPU));
        let times: Vec<Option<f64>> = table.ranked().into_iter().map(|row| table.times_fastest(row)).collect();
        assert_eq!(times, [Some(1.0), Some(1.1), Some(2.2), None]);
    }

    #[test]
    fn a_runtime_that_failed_differs_or_lacks_a_model_is_never_the_fastest() {
        let failed = CompareRow { state: RuntimeState::Failed, ..row(BackendKind::Candle, &[1.0]) };
        let differs = CompareRow { agrees: Some(false), ..row(BackendKind::Rten, &[3.0]) };
        let unjudged = CompareRow { agrees: None, ..row(BackendKind::Burn, &[2.0]) };
        let fault = FaceModelFault { model: ModelKind::Person, fault: RuntimeFault::Unknown };
        let incomplete = CompareRow { model_faults: vec![fault], ..row(BackendKind::Builtin, &[4.0]) };
        let all = table(vec![failed, differs.clone(), unjudged, incomplete, row(CPU, &[50.0])]);
        assert_eq!(all.fastest().map(|row| row.kind), Some(CPU));
        assert_eq!(order(&all)[0], CPU);
        assert_eq!(all.ranked().into_iter().filter_map(|row| all.times_fastest(row)).collect::<Vec<_>>(), [1.0]);
        let none = table(vec![differs, row(CPU, &[])]);
        assert!(none.fastest().is_none(), "the only one with times differs");
    }

    #[test]
    fn one_runtime_alone_is_not_the_fastest() {
        let alone = table(vec![row(CPU, &[50.0])]);
        assert!(alone.fastest().is_none() && alone.times_fastest(&alone.rows[0]).is_none());
    }
}
