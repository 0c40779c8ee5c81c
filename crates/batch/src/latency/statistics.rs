//! Statistics of measured times.

use super::{CompareRow, Sample};

/// Statistics of a series of times, in the unit of the times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// Number of times, at least one.
    pub count: usize,
    pub min: f64,
    /// The median; of an even number, the mean of the middle two.
    pub median: f64,
    /// The 95th percentile by nearest rank: of n sorted times the one at rank ceil(0.95 n), so it is always a measured
    /// value, and with fewer than 20 times the maximum.
    pub p95: f64,
    /// The arithmetic mean.
    pub mean: f64,
}

impl Statistics {
    /// The statistics of `times`; `None` if there are none, or one is not finite.
    pub fn of(times: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = times.into_iter().collect();
        if sorted.iter().any(|time| !time.is_finite()) {
            return None;
        }
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        // ceil(0.95 n) in integers: 0.95 has no exact binary representation, and 0.95 x 20 must be 19.
        let p95 = *sorted.get((count * 19).div_ceil(20).checked_sub(1)?)?;
        let median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0;
        Some(Self { count, min: sorted[0], median, p95, mean: sorted.iter().sum::<f64>() / count as f64 })
    }

    /// Runs per second of one session, if the times are milliseconds: 1000 divided by the mean. Not by the median, since
    /// slow runs delay a batch as well.
    pub fn per_second(&self) -> f64 {
        1e3 / self.mean
    }
}

impl CompareRow {
    /// The statistics of first pass, landmarks and mask together, in milliseconds; `None` before the first measured run.
    pub fn statistics(&self) -> Option<Statistics> {
        Statistics::of(self.samples.iter().map(Sample::total_ms))
    }

    /// The median of a part of the runs, in milliseconds; `None` if no run has it.
    pub fn median_of(&self, part: impl Fn(&Sample) -> Option<f64>) -> Option<f64> {
        Statistics::of(self.samples.iter().filter_map(part)).map(|figures| figures.median)
    }

    /// Why it cannot be used, or which models it cannot run and why, in English; `None` if it runs all.
    pub fn reason(&self) -> Option<String> {
        let models: Vec<String> = self.model_faults.iter().map(ToString::to_string).collect();
        let without = (!models.is_empty()).then(|| format!("without {}", models.join(", ")));
        self.fault.as_ref().map(ToString::to_string).or(without)
    }
}

#[cfg(test)]
mod tests {
    use super::Statistics;

    #[test]
    fn the_statistics_follow_their_definitions() {
        let of = |times: &[f64]| Statistics::of(times.iter().copied()).expect("times");
        let one = of(&[4.0]);
        assert_eq!((one.count, one.min, one.median, one.p95, one.mean), (1, 4.0, 4.0, 4.0, 4.0));
        let even = of(&[4.0, 1.0, 3.0, 2.0]);
        assert_eq!((even.min, even.median, even.p95, even.mean), (1.0, 2.5, 4.0, 2.5));
        assert_eq!(even.per_second(), 400.0);
        assert_eq!(of(&[9.0, 1.0, 2.0]).median, 2.0);
    }

    #[test]
    fn the_percentile_is_the_nearest_rank() {
        let p95 = |count: u32| Statistics::of((1..=count).map(f64::from)).expect("times").p95;
        assert_eq!([p95(1), p95(10), p95(19), p95(20), p95(21), p95(100)], [1.0, 10.0, 19.0, 19.0, 20.0, 95.0]);
    }

    #[test]
    fn empty_and_invalid_times_have_no_statistics() {
        assert_eq!(Statistics::of([]), None);
        assert_eq!(Statistics::of([1.0, f64::NAN]), None);
    }
}
