//! Writes a file under a claimed name.

use std::path::PathBuf;

use outcome::EncodeError;

use crate::context::ExportContext;
use crate::name_book::{Claim, NameBook};

/// Writes a file under its claimed name. If another program has created that file in the meantime, the name from
/// `claim_again` is used; `None` if that returns [`Claim::Skip`].
pub(crate) fn write_claimed(
    bytes: &[u8],
    mut path: PathBuf,
    mut replace: bool,
    context: &mut dyn ExportContext,
    claim_again: impl Fn(PathBuf, &mut NameBook) -> Result<Claim, EncodeError>,
) -> Result<Option<PathBuf>, EncodeError> {
    loop {
        let taken = match context.write(bytes, &path, replace) {
            Ok(written) => return Ok(Some(written.path)),
            Err(EncodeError::FileExists { path: taken }) => taken,
            Err(error) => return Err(error),
        };
        let mut next = None;
        context.names(&mut |names| next = Some(claim_again(taken.clone(), names)));
        match next.transpose()? {
            Some(Claim::Write { path: next, replace: replaces }) => (path, replace) = (next, replaces),
            Some(Claim::Skip { .. }) | None => return Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use recipe::{OnConflict, OutputSpec};

    use super::*;
    use crate::context::SequentialContext;

    #[test]
    fn a_file_created_in_the_meantime_is_resolved_by_claiming_again() {
        let folder = tempfile::tempdir().expect("created");
        let taken = folder.path().join("a.jpg");
        std::fs::write(&taken, "another program's").expect("written");
        let output = OutputSpec { folder: folder.path().to_owned(), on_conflict: OnConflict::Suffix };
        let mut names = NameBook::new(output, [] as [&PathBuf; 0]);
        let mut reserve = |_| ();
        let mut context = SequentialContext::new(&mut names, &mut reserve);
        let next = |_, _: &mut NameBook| Ok(Claim::Write { path: folder.path().join("a (2).jpg"), replace: false });
        let written = write_claimed(b"crop", taken.clone(), false, &mut context, next).expect("written");
        assert_eq!(written, Some(folder.path().join("a (2).jpg")));
        assert_eq!(std::fs::read(&taken).expect("exists"), b"another program's");
        let skip = |_, _: &mut NameBook| Ok(Claim::Skip { path: taken.clone() });
        assert_eq!(write_claimed(b"crop", taken.clone(), false, &mut context, skip).expect("no failure"), None);
        let refuse = |_, _: &mut NameBook| Err(EncodeError::FileExists { path: taken.clone() });
        assert!(write_claimed(b"crop", taken.clone(), false, &mut context, refuse).is_err());
    }
}
