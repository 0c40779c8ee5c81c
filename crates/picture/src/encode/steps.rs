//! Counted steps of file writes, for tests.

use std::io;

/// Counts file operations, so that a test can end a run before any of them, as killing the process would. Outside of
/// tests it does nothing.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    end: Option<End>,
}

#[derive(Clone, Debug)]
struct End {
    left: std::sync::Arc<std::sync::atomic::AtomicI64>,
    /// `None` for a killed process.
    failure: Option<io::ErrorKind>,
}

impl Steps {
    /// Takes the next step.
    ///
    /// # Errors
    /// A test has ended the run.
    pub fn take(&self) -> io::Result<()> {
        if let Some(end) = &self.end
            && end.left.fetch_sub(1, std::sync::atomic::Ordering::SeqCst) <= 0
        {
            return Err(end.failure.map_or_else(|| io::Error::other("the test has ended the run"), io::Error::from));
        }
        Ok(())
    }

    /// True after a test has killed the run: nothing is cleaned up any more.
    pub fn are_over(&self) -> bool {
        if let Some(End { left, failure: None }) = &self.end {
            return left.load(std::sync::atomic::Ordering::SeqCst) < 0;
        }
        false
    }
}

impl Steps {
    /// Permits `count` steps and kills the run after them.
    pub fn ending_after(count: i64) -> Self {
        Self { end: Some(End { left: std::sync::Arc::new(count.into()), failure: None }) }
    }

    /// Permits `count` steps; all later ones fail.
    pub fn failing_after(count: i64, failure: io::ErrorKind) -> Self {
        Self { end: Some(End { left: std::sync::Arc::new(count.into()), failure: Some(failure) }) }
    }

    /// Steps taken out of `count` permitted ones.
    pub fn taken(&self, count: i64) -> i64 {
        self.end.as_ref().map_or(0, |end| count - end.left.load(std::sync::atomic::Ordering::SeqCst))
    }
}
