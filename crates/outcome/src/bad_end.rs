//! How a process that tried a library ended badly.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How a process that tried a library ended badly. `Display` continues a sentence: "it made the process ..".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum BadEnd {
    /// It ended by a signal, or with another exit code than 0.
    #[error("crash ({how}){}", last_line.as_ref().map(|line| format!(": {line}")).unwrap_or_default())]
    Crash {
        /// The signal or the exit code.
        how: String,
        /// The last line it wrote to standard error.
        last_line: Option<String>,
    },
    /// It was still running when its time was up.
    #[error("take longer than {} s", tenths(*limit))]
    Slow {
        /// The time it had.
        limit: Duration,
    },
    /// It wrote more than is read.
    #[error("print more than {megabytes} MB")]
    Chatter {
        /// The most that is read, in units of 1,000,000 bytes.
        megabytes: u64,
    },
}

/// Seconds to the tenth, without a zero behind the point: a limit may be what is left of another.
fn tenths(limit: Duration) -> f64 {
    (limit.as_secs_f64() * 10.0).round() / 10.0
}
