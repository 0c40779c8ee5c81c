//! Abnormal end of a probe process.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Abnormal end of a process that probed a library. `Display` continues the sentence "the test process ..".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum BadEnd {
    /// It was terminated by a signal, or exited with a code other than 0.
    #[error("crashed ({how}){}", last_line.as_ref().map(|line| format!(": {line}")).unwrap_or_default())]
    Crash {
        /// The signal or the exit code.
        how: String,
        /// The last line of its standard error.
        last_line: Option<String>,
    },
    /// It was still running at the time limit.
    #[error("took longer than {} s", tenths(*limit))]
    Slow {
        /// The time limit.
        limit: Duration,
    },
    /// Its output exceeded the limit.
    #[error("printed more than {megabytes} MB")]
    Chatter {
        /// The limit, in units of 1,000,000 bytes.
        megabytes: u64,
    },
}

/// Seconds rounded to tenths: a limit may be the rest of another one.
fn tenths(limit: Duration) -> f64 {
    (limit.as_secs_f64() * 10.0).round() / 10.0
}
