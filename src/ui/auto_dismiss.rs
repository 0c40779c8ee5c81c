//! Auto-dismissal: messages about success disappear after a while; the log keeps them.

use super::state::{NoticeKind, Notices};

/// Minimum display time, in seconds.
const MIN_S: f64 = 6.0;

/// Additional seconds per character, for a slow reader.
const EACH_S: f64 = 0.06;

/// Start of display of each open message.
#[derive(Default)]
pub(crate) struct AutoDismiss {
    since: Vec<(u64, f64)>,
}

/// Result of a poll.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Expired {
    /// Ids of expired messages.
    pub gone: Vec<u64>,
    /// Seconds until the next one expires.
    pub next_s: Option<f64>,
}

impl AutoDismiss {
    /// Checks the open messages at the time `now_s`, in seconds since any fixed point. Warnings and errors never expire.
    pub(crate) fn poll(&mut self, notices: &Notices, now_s: f64) -> Expired {
        let mut expired = Expired::default();
        let mut still = Vec::new();
        for notice in notices.open().filter(|notice| notice.kind == NoticeKind::Info) {
            let known = self.since.iter().find(|(id, _)| *id == notice.id);
            let since = known.map_or(now_s, |(_, since)| *since);
            let left_s = since + MIN_S + EACH_S * notice.text.chars().count() as f64 - now_s;
            if left_s <= 0.0 {
                expired.gone.push(notice.id);
                continue;
            }
            still.push((notice.id, since));
            expired.next_s = Some(expired.next_s.map_or(left_s, |other: f64| other.min(left_s)));
        }
        self.since = still;
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
        let first = auto_dismiss.poll(&notices, 100.0);
        assert!(first.gone.is_empty() && first.next_s.is_some_and(|left_s| (left_s - 6.6).abs() < 1e-9), "{first:?}");
        assert!(auto_dismiss.poll(&notices, 106.5).gone.is_empty());
        assert_eq!(auto_dismiss.poll(&notices, 106.7), Expired { gone: vec![0], next_s: None });
        notices.dismiss(0);
        assert_eq!(auto_dismiss.poll(&notices, 1e6), Expired::default());
    }
}
