//! Small messages that wait to be read, and the log of all of them.

use batch::worker::RequestId;

use super::super::language::count;

/// Details of one message that are kept; more are only counted.
const MAX_DETAILS: usize = 500;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoticeKind {
    Info,
    Warning,
    Error,
}

/// One message.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    pub id: u64,
    pub kind: NoticeKind,
    pub text: String,
    /// One line each, for example the folders that could not be read.
    pub details: Vec<String>,
    /// Details beyond those kept.
    pub more: usize,
    pub dismissed: bool,
    /// The import it belongs to.
    import: Option<RequestId>,
}

/// Every message since the start, oldest first.
#[derive(Default)]
pub(crate) struct Notices {
    log: Vec<Notice>,
}

impl Notices {
    /// Every message, read or not, oldest first.
    pub(crate) fn log(&self) -> &[Notice] {
        &self.log
    }

    /// The messages that were not dismissed, newest first.
    pub(crate) fn open(&self) -> impl Iterator<Item = &Notice> {
        self.log.iter().rev().filter(|notice| !notice.dismissed)
    }

    /// Adds a message; the same text is not shown twice at a time.
    pub(crate) fn add(&mut self, kind: NoticeKind, text: impl Into<String>) {
        let text = text.into();
        if self.open().any(|notice| notice.text == text) {
            return;
        }
        self.push(kind, text, None);
    }

    /// Adds a problem of an import; all problems of one import share a message.
    pub(crate) fn add_import_problem(&mut self, import: RequestId, line: String) {
        if !self.log.iter().any(|notice| notice.import == Some(import)) {
            self.push(NoticeKind::Warning, String::new(), Some(import));
        }
        let Some(notice) = self.log.iter_mut().find(|notice| notice.import == Some(import)) else { return };
        if notice.details.len() < MAX_DETAILS {
            notice.details.push(line);
        } else {
            notice.more += 1;
        }
        notice.text = match notice.details.len() + notice.more {
            1 => notice.details[0].clone(),
            count => count!(count, "{n} place could not be read", "{n} places could not be read"),
        };
    }

    pub(crate) fn dismiss(&mut self, id: u64) {
        if let Some(notice) = self.log.iter_mut().find(|notice| notice.id == id) {
            notice.dismissed = true;
        }
    }

    fn push(&mut self, kind: NoticeKind, text: String, import: Option<RequestId>) {
        let id = self.log.len() as u64;
        self.log.push(Notice { id, kind, text, details: Vec::new(), more: 0, dismissed: false, import });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_problems_of_one_import_share_a_message() {
        let mut notices = Notices::default();
        for folder in ["a", "b"] {
            notices.add_import_problem(RequestId(7), format!("{folder}: denied"));
        }
        notices.add_import_problem(RequestId(8), "c: denied".to_owned());
        let texts: Vec<&str> = notices.open().map(|notice| notice.text.as_str()).collect();
        assert_eq!(texts, ["c: denied", "2 places could not be read"]);
    }

    #[test]
    fn a_text_is_open_once_but_comes_back_after_it_was_dismissed() {
        let mut notices = Notices::default();
        notices.add(NoticeKind::Info, "saved");
        notices.add(NoticeKind::Info, "saved");
        assert_eq!(notices.open().count(), 1);
        notices.dismiss(0);
        notices.add(NoticeKind::Info, "saved");
        assert_eq!((notices.open().count(), notices.log().len()), (1, 2));
    }
}
