//! Steps that changed several photos.

use super::super::language::count;

/// A number of photos.
pub(crate) fn photos(number: usize) -> String {
    count!(number, "{n} photo", "{n} photos")
}

pub(crate) fn photos_removed(number: usize) -> String {
    count!(number, "{n} photo removed from the list.", "{n} photos removed from the list.")
}

pub(crate) fn photos_excluded(number: usize) -> String {
    count!(number, "{n} photo excluded", "{n} photos excluded")
}

pub(crate) fn photos_included(number: usize) -> String {
    count!(number, "{n} photo included", "{n} photos included")
}

pub(crate) fn photos_accepted(number: usize) -> String {
    count!(number, "{n} photo accepted", "{n} photos accepted")
}

pub(crate) fn photos_not_accepted(number: usize) -> String {
    count!(number, "{n} photo is not accepted any more", "{n} photos are not accepted any more")
}

pub(crate) fn photos_reset(number: usize) -> String {
    count!(number, "{n} photo reset", "{n} photos reset")
}

pub(crate) fn photos_customized(number: usize) -> String {
    count!(number, "{n} photo has custom settings", "{n} photos have custom settings")
}

pub(crate) fn photos_shared(number: usize) -> String {
    count!(number, "{n} photo uses the shared settings", "{n} photos use the shared settings")
}
