//! Messages, and the log of all of them.

use std::path::PathBuf;

use batch::worker::RequestId;

use super::super::language::count;

/// Maximum number of details stored per message; more are only counted.
const MAX_DETAILS: usize = 500;

/// Severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoticeKind {
    Info,
    Warning,
    Error,
}

/// A button of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoticeButton {
    /// Undoes the step that led to the state of the history with this number.
    Undo(u64),
    /// Redoes the step that was undone to get to the state of the history with this number.
    Redo(u64),
    /// Shows this file or folder in the file manager.
    ShowInFolder(PathBuf),
}

#[derive(Clone, Debug)]
pub(crate) struct Notice {
    pub id: u64,
    pub kind: NoticeKind,
    pub text: String,
    /// One line each, for example folders that could not be read.
    pub details: Vec<String>,
    /// Number of details beyond the maximum.
    pub more: usize,
    pub dismissed: bool,
    pub button: Option<NoticeButton>,
    /// The import it belongs to.
    import: Option<RequestId>,
}

/// All messages of this session, oldest first.
#[derive(Default)]
pub(crate) struct Notices {
    log: Vec<Notice>,
}

impl Notices {
    /// All messages, dismissed or not, oldest first.
    pub(crate) fn log(&self) -> &[Notice] {
        &self.log
    }

    /// Messages that were not dismissed, newest first.
    pub(crate) fn open(&self) -> impl Iterator<Item = &Notice> {
        self.log.iter().rev().filter(|notice| !notice.dismissed)
    }

    /// Adds a message, unless the same text is already open.
    pub(crate) fn add(&mut self, kind: NoticeKind, text: impl Into<String>) {
        let text = text.into();
        if self.open().any(|notice| notice.text == text) {
            return;
        }
        self.push(kind, text, None);
    }

    /// Adds a message about a success, with a button. It takes the place of an open one with a button of the same kind.
    pub(crate) fn add_with_button(&mut self, text: impl Into<String>, button: NoticeButton) {
        let steps = |button: &NoticeButton| !matches!(button, NoticeButton::ShowInFolder(_));
        for notice in &mut self.log {
            notice.dismissed |= notice.button.as_ref().is_some_and(|other| steps(other) == steps(&button));
        }
        self.push(NoticeKind::Info, text.into(), None);
        if let Some(notice) = self.log.last_mut() {
            notice.button = Some(button);
        }
    }

    /// Dismisses messages about steps that have been undone or followed by others since: `step` is the state of the history.
    pub(crate) fn dismiss_old_steps(&mut self, step: u64) {
        for notice in &mut self.log {
            let of = match notice.button {
                Some(NoticeButton::Undo(of) | NoticeButton::Redo(of)) => of,
                _ => continue,
            };
            notice.dismissed |= of != step;
        }
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
            count => count!(count, "{n} location could not be read", "{n} locations could not be read"),
        };
    }

    pub(crate) fn dismiss(&mut self, id: u64) {
        if let Some(notice) = self.log.iter_mut().find(|notice| notice.id == id) {
            notice.dismissed = true;
        }
    }

    fn push(&mut self, kind: NoticeKind, text: String, import: Option<RequestId>) {
        let id = self.log.len() as u64;
        self.log.push(Notice { id, kind, text, details: Vec::new(), more: 0, dismissed: false, button: None, import });
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
        assert_eq!(texts, ["c: denied", "2 locations could not be read"]);
    }

    #[test]
    fn a_message_is_open_once_and_can_return_after_dismissal() {
        let mut notices = Notices::default();
        notices.add(NoticeKind::Info, "saved");
        notices.add(NoticeKind::Info, "saved");
        assert_eq!(notices.open().count(), 1);
        notices.dismiss(0);
        notices.add(NoticeKind::Info, "saved");
        assert_eq!((notices.open().count(), notices.log().len()), (1, 2));
    }
}
