//! Messages that only tell that something went well go by themselves; the log keeps them.

use super::state::{NoticeKind, Notices};

/// Seconds that any such message stays.
const MIN_S: f64 = 6.0;

/// Seconds more for each character: a slow reader's.
const EACH_S: f64 = 0.06;

/// Since when each such message is in sight.
#[derive(Default)]
pub(crate) struct Fading {
    since: Vec<(u64, f64)>,
}

/// What time has brought.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Faded {
    /// Messages that are to go.
    pub gone: Vec<u64>,
    /// Seconds until the next one is.
    pub next_s: Option<f64>,
}

impl Fading {
    /// Looks at the open messages at the time `now_s`, in seconds since whenever. Warnings and errors stay.
    pub(crate) fn look(&mut self, notices: &Notices, now_s: f64) -> Faded {
        let mut faded = Faded::default();
        let mut still = Vec::new();
        for notice in notices.open().filter(|notice| notice.kind == NoticeKind::Info) {
            let known = self.since.iter().find(|(id, _)| *id == notice.id);
            let since = known.map_or(now_s, |(_, since)| *since);
            let left_s = since + MIN_S + EACH_S * notice.text.chars().count() as f64 - now_s;
            if left_s <= 0.0 {
                faded.gone.push(notice.id);
                continue;
            }
            still.push((notice.id, since));
            faded.next_s = Some(faded.next_s.map_or(left_s, |other: f64| other.min(left_s)));
        }
        self.since = still;
        faded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_news_goes_and_bad_news_stays() {
        let (mut notices, mut fading) = (Notices::default(), Fading::default());
        notices.add(NoticeKind::Info, "0123456789");
        notices.add(NoticeKind::Warning, "careful");
        notices.add(NoticeKind::Error, "broken");
        let first = fading.look(&notices, 100.0);
        assert!(first.gone.is_empty() && first.next_s.is_some_and(|left_s| (left_s - 6.6).abs() < 1e-9), "{first:?}");
        assert!(fading.look(&notices, 106.5).gone.is_empty());
        assert_eq!(fading.look(&notices, 106.7), Faded { gone: vec![0], next_s: None });
        notices.dismiss(0);
        assert_eq!(fading.look(&notices, 1e6), Faded::default());
    }
}
