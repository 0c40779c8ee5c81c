//! Auto-dismissal: messages about success and summaries of successful exports disappear after a while. The log keeps the
//! messages, the list the state of each photo.

use batch::worker::RequestId;

use super::command::{Command, Commands};
use super::state::{Batch, NoticeKind, Notices};

/// Minimum display time of a message, in seconds.
const MIN_S: f64 = 6.0;

/// Additional seconds per character, for a slow reader.
const EACH_S: f64 = 0.06;

/// Display time of a summary, in seconds, while the window has the focus: it has buttons.
const SUMMARY_S: f64 = 30.0;

/// Start of display of each open message, and of the summary of an export.
#[derive(Default)]
pub(crate) struct AutoDismiss {
    since: Vec<(u64, f64)>,
    summary: Option<(RequestId, f64)>,
}

/// Result of a poll.
#[derive(Debug, Default)]
pub(crate) struct Expired {
    /// The commands that close what has expired.
    pub gone: Commands,
    /// Seconds until the next one expires.
    pub next_s: Option<f64>,
}

impl Expired {
    fn add(&mut self, left_s: f64, command: Command) {
        if left_s <= 0.0 {
            self.gone.push(command);
        } else {
            self.next_s = Some(self.next_s.map_or(left_s, |other| other.min(left_s)));
        }
    }
}

impl AutoDismiss {
    /// Checks the open messages and the export at the time `now_s`, in seconds since any fixed point. Warnings and errors
    /// never expire.
    pub(crate) fn poll(&mut self, notices: &Notices, batch: Option<&Batch>, (now_s, focused): (f64, bool)) -> Expired {
        let mut expired = Expired::default();
        let mut still = Vec::new();
        for notice in notices.open().filter(|notice| notice.kind == NoticeKind::Info) {
            let known = self.since.iter().find(|(id, _)| *id == notice.id);
            let since = known.map_or(now_s, |(_, since)| *since);
            let left_s = since + MIN_S + EACH_S * notice.text.chars().count() as f64 - now_s;
            expired.add(left_s, Command::DismissNotice(notice.id));
            still.push((notice.id, since));
        }
        self.since = still;
        let succeeded = batch.filter(|batch| focused && batch.has_succeeded()).and_then(|batch| batch.request);
        let since = self.summary.filter(|(request, _)| Some(*request) == succeeded).map_or(now_s, |(_, since)| since);
        self.summary = succeeded.map(|request| (request, since));
        if succeeded.is_some() {
            expired.add(since + SUMMARY_S - now_s, Command::CloseExport);
        }
        expired
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_messages_expire_and_errors_stay() {
        let (mut notices, mut auto_dismiss) = (Notices::default(), AutoDismiss::default());
        notices.add(NoticeKind::Info, "0123456789");
        notices.add(NoticeKind::Warning, "careful");
        notices.add(NoticeKind::Error, "broken");
        let mut poll = |notices: &Notices, now_s| auto_dismiss.poll(notices, None, (now_s, true));
        let first = poll(&notices, 100.0);
        assert!(first.gone.is_empty() && first.next_s.is_some_and(|left_s| (left_s - 6.6).abs() < 1e-9), "{first:?}");
        assert!(poll(&notices, 106.5).gone.is_empty());
        let last = poll(&notices, 106.7);
        assert!(matches!(last.gone[..], [Command::DismissNotice(0)]) && last.next_s.is_none(), "{last:?}");
        notices.dismiss(0);
        let none = poll(&notices, 1e6);
        assert!(none.gone.is_empty() && none.next_s.is_none());
    }
}
