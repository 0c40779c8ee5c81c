//! Walks files and folders for photos.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use walkdir::{DirEntry, WalkDir};

use cancel::CancelToken;

use super::natural_cmp;

/// Extensions, in lower case, of the files that a walk includes: those of supported formats, and those of unsupported photo
/// formats (raw files such as `crw`, and JPEG 2000), so that these are reported as unsupported instead of being silently
/// skipped.
pub const PICTURE_EXTENSIONS: [&str; 60] = [
    "jpg", "jpeg", "jpe", "jfif", "mpo", "png", "apng", "webp", "gif", "bmp", "dib", "tif", "tiff", "avif", "avifs",
    "heic", "heics", "heif", "heifs", "hif", "jxl", "qoi", "pbm", "pgm", "ppm", "pnm", "pam", "tga", "ico", "dng",
    "cr2", "cr3", "nef", "nrw", "arw", "sr2", "srf", "orf", "ori", "rw2", "rwl", "raf", "pef", "srw", "3fr", "fff",
    "iiq", "mos", "mef", "erf", "kdc", "dcr", "gpr", "crw", "mrw", "x3f", "jp2", "j2k", "jpf", "jpx",
];

/// Maximum number of photos reported at once.
const MAX_BATCH: usize = 64;

/// Maximum time between two reports while photos are found.
const MAX_WAIT: Duration = Duration::from_millis(100);

/// The totals of a walk.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct WalkSummary {
    /// Number of photos found.
    pub found: usize,
    /// Files skipped because of their extension.
    pub ignored: usize,
    /// Links to a folder that contains them. They were reported as problems, but no photo is missed: their target is walked
    /// anyway, or is above the root.
    pub loops: Vec<PathBuf>,
}

/// True if the extension, in any case, is one of [`PICTURE_EXTENSIONS`].
pub fn has_picture_extension(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    PICTURE_EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Why a file or folder cannot be walked.
#[derive(Debug, thiserror::Error)]
pub enum WalkProblem {
    /// It does not exist.
    #[error("there is no such file or folder")]
    NotThere,
    /// The operating system denies access.
    #[error("no permission to read it")]
    NoPermission,
    /// It cannot be read for another reason.
    #[error("it cannot be read: {0}")]
    Unreadable(io::Error),
    /// It is a link to a folder that contains it.
    #[error("this link leads back to its parent folder {} and was not followed", folder.display())]
    Loop {
        /// The link's target.
        folder: PathBuf,
    },
}

impl From<io::Error> for WalkProblem {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotThere,
            io::ErrorKind::PermissionDenied => Self::NoPermission,
            _ => Self::Unreadable(error),
        }
    }
}

/// Walks `roots` in order and reports the photos to `found` in batches, each file once even if it is reached several times.
///
/// A file among `roots` is included regardless of its extension. Folders are walked recursively in natural order of names,
/// following links; hidden files and folders inside them are skipped. Entries that cannot be read are reported to
/// `problem`, and the walk continues. Stops early, without a report, once `cancel` is set.
pub fn walk(
    roots: &[PathBuf],
    found: &mut dyn FnMut(Vec<PathBuf>),
    problem: &mut dyn FnMut(PathBuf, WalkProblem),
    cancel: &CancelToken,
) -> WalkSummary {
    let mut walk = Walk {
        batch: Batch { found, paths: Vec::new(), limit: 1, flushed: Instant::now() },
        problem,
        seen: Seen::default(),
        summary: WalkSummary::default(),
    };
    for root in roots {
        if cancel.is_cancelled() {
            break;
        }
        match fs::metadata(root) {
            Ok(metadata) if metadata.is_dir() => walk.folder(root, cancel),
            Ok(_) => walk.picture(root.clone()),
            Err(error) => (walk.problem)(root.clone(), error.into()),
        }
    }
    walk.batch.flush();
    walk.summary
}

struct Walk<'a> {
    batch: Batch<'a>,
    problem: &'a mut dyn FnMut(PathBuf, WalkProblem),
    seen: Seen,
    summary: WalkSummary,
}

impl Walk<'_> {
    fn folder(&mut self, root: &Path, cancel: &CancelToken) {
        let by_name = |a: &DirEntry, b: &DirEntry| natural_cmp(a.file_name(), b.file_name());
        let mut entries = WalkDir::new(root).follow_links(true).sort_by(by_name).into_iter();
        while let Some(entry) = entries.next() {
            if cancel.is_cancelled() {
                return;
            }
            match entry {
                Ok(entry) if entry.depth() > 0 && is_hidden(entry.path()) => {
                    if entry.file_type().is_dir() {
                        entries.skip_current_dir();
                    }
                }
                Ok(entry) if entry.file_type().is_dir() => {
                    if !self.seen.folder_is_new(entry.path()) {
                        entries.skip_current_dir();
                    }
                }
                Ok(entry) if !entry.file_type().is_file() => {}
                Ok(entry) if has_picture_extension(entry.path()) => self.picture(entry.into_path()),
                Ok(_) => self.summary.ignored += 1,
                Err(error) => self.walk_error(error, root),
            }
            self.batch.flush_if_due();
        }
    }

    fn picture(&mut self, path: PathBuf) {
        if self.seen.file_is_new(&path) {
            self.summary.found += 1;
            self.batch.push(path);
        }
    }

    fn walk_error(&mut self, error: walkdir::Error, root: &Path) {
        let path = error.path().unwrap_or(root).to_owned();
        if error.depth() > 0 && is_hidden(&path) {
            return;
        }
        if let Some(ancestor) = error.loop_ancestor() {
            self.summary.loops.push(path.clone());
            (self.problem)(path, WalkProblem::Loop { folder: ancestor.to_owned() });
        } else if fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink())
            && !has_picture_extension(&path)
            && error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
        {
            self.summary.ignored += 1;
        } else {
            let message = error.to_string();
            let error = error.into_io_error().unwrap_or_else(|| io::Error::other(message));
            (self.problem)(path, error.into());
        }
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// The files and folders visited, with symbolic links resolved. Hard links count as separate files, since each has its own
/// name.
#[derive(Default)]
struct Seen {
    paths: HashSet<PathBuf>,
    /// The last parent folder as reached and resolved; the next file is usually in the same folder.
    folder: Option<(PathBuf, PathBuf)>,
}

impl Seen {
    fn folder_is_new(&mut self, path: &Path) -> bool {
        let resolved = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        self.paths.insert(resolved)
    }

    fn file_is_new(&mut self, path: &Path) -> bool {
        let resolved = self.resolve(path).unwrap_or_else(|| path.to_owned());
        self.paths.insert(resolved)
    }

    fn resolve(&mut self, path: &Path) -> Option<PathBuf> {
        if fs::symlink_metadata(path).ok()?.is_symlink() {
            return fs::canonicalize(path).ok();
        }
        let (parent, name) = (path.parent()?, path.file_name()?);
        if self.folder.as_ref().is_none_or(|(reached, _)| reached != parent) {
            let readable = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            self.folder = Some((parent.to_owned(), fs::canonicalize(readable).ok()?));
        }
        self.folder.as_ref().map(|(_, resolved)| resolved.join(name))
    }
}

/// Photos found and not yet reported: the first is reported at once, later ones in growing batches.
struct Batch<'a> {
    found: &'a mut dyn FnMut(Vec<PathBuf>),
    paths: Vec<PathBuf>,
    limit: usize,
    flushed: Instant,
}

impl Batch<'_> {
    fn push(&mut self, path: PathBuf) {
        self.paths.push(path);
        if self.paths.len() >= self.limit {
            self.flush();
        }
    }

    fn flush_if_due(&mut self) {
        if self.flushed.elapsed() >= MAX_WAIT {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if !self.paths.is_empty() {
            (self.found)(std::mem::take(&mut self.paths));
            self.limit = (self.limit * 2).min(MAX_BATCH);
        }
        self.flushed = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Walked {
        batches: Vec<usize>,
        names: Vec<String>,
        problems: Vec<(PathBuf, String)>,
        summary: WalkSummary,
    }

    fn walked(roots: &[PathBuf]) -> Walked {
        let (mut batches, mut names, mut problems) = (Vec::new(), Vec::new(), Vec::new());
        let mut found = |paths: Vec<PathBuf>| {
            batches.push(paths.len());
            names.extend(paths.iter().map(|path| path.file_name().expect("name").to_string_lossy().into_owned()));
        };
        let summary = walk(
            roots,
            &mut found,
            &mut |path, problem| problems.push((path, problem.to_string())),
            &CancelToken::new(),
        );
        Walked { batches, names, problems, summary }
    }

    fn folder_with(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("folder");
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("parent")).expect("created");
            fs::write(path, b"").expect("created");
        }
        folder
    }

    #[test]
    fn folders_are_walked_in_natural_order_without_hidden_files() {
        let folder = folder_with(&[
            "p10.jpg",
            "p2.JPG",
            "p1.webp",
            "sub/z.png",
            "sub/.hidden/x.jpg",
            ".thumb.jpg",
            "notes.txt",
            "q.heic",
            "bare",
        ]);
        let result = walked(&[folder.path().to_owned()]);
        assert_eq!(result.names, ["p1.webp", "p2.JPG", "p10.jpg", "q.heic", "z.png"]);
        assert_eq!(result.summary, WalkSummary { found: 5, ignored: 2, loops: Vec::new() });
        assert!(result.problems.is_empty());
    }

    #[test]
    fn a_file_among_the_roots_is_included_with_any_name_and_a_missing_one_is_reported() {
        let folder = folder_with(&["notes.txt", ".hidden.jpg"]);
        let roots = ["notes.txt", "missing.jpg", ".hidden.jpg"].map(|name| folder.path().join(name));
        let result = walked(&roots);
        assert_eq!(result.names, ["notes.txt", ".hidden.jpg"]);
        assert_eq!(result.problems, [(roots[1].clone(), "there is no such file or folder".to_owned())]);
    }

    #[test]
    fn a_hidden_folder_among_the_roots_is_walked() {
        let folder = folder_with(&[".cache/a.jpg"]);
        assert_eq!(walked(&[folder.path().join(".cache")]).names, ["a.jpg"]);
    }

    #[test]
    fn a_file_reached_in_several_ways_is_reported_once() {
        let folder = folder_with(&["a.jpg", "sub/b.jpg"]);
        let at = |name: &str| folder.path().join(name);
        let roots = [at("a.jpg"), at("sub/../a.jpg"), at("sub"), folder.path().to_owned(), at("sub/b.jpg")];
        let result = walked(&roots);
        assert_eq!(result.names, ["a.jpg", "b.jpg"]);
        assert_eq!(result.summary.found, 2);
    }

    #[test]
    fn the_first_photo_is_reported_at_once_and_later_ones_in_bounded_batches() {
        let names: Vec<String> = (0..300).map(|number| format!("{number}.jpg")).collect();
        let folder = folder_with(&names.iter().map(String::as_str).collect::<Vec<_>>());
        let result = walked(&[folder.path().to_owned()]);
        assert_eq!(result.names, names);
        assert_eq!(result.batches[0], 1);
        assert!(result.batches.iter().all(|&size| size <= MAX_BATCH), "{:?}", result.batches);
        assert!(result.batches.len() < 60, "{:?}", result.batches);
    }

    #[test]
    fn a_cancelled_walk_stops() {
        let folder = folder_with(&["a.jpg", "b.jpg", "c.jpg"]);
        let cancel = CancelToken::new();
        let mut found = |_: Vec<PathBuf>| cancel.cancel();
        let summary = walk(&[folder.path().to_owned()], &mut found, &mut |_, _| {}, &cancel);
        assert_eq!(summary.found, 1);
    }

    #[cfg(unix)]
    #[test]
    fn loops_are_reported_and_links_followed_once() {
        use std::os::unix::fs::symlink;
        let folder = folder_with(&["a/one.jpg", "b/two.jpg"]);
        let at = |name: &str| folder.path().join(name);
        symlink(folder.path(), at("a/back")).expect("linked");
        symlink(at("b"), at("a/to_b")).expect("linked");
        symlink(at("a"), at("b/to_a")).expect("linked");
        symlink(at("b/two.jpg"), at("c.jpg")).expect("linked");
        symlink(at("nothing"), at("dead.jpg")).expect("linked");
        symlink(at("nothing"), at("dead.txt")).expect("linked");
        let result = walked(&[folder.path().to_owned()]);
        assert_eq!(result.names, ["one.jpg", "two.jpg"]);
        let named: Vec<&Path> = result.problems.iter().map(|(path, _)| path.as_path()).collect();
        assert_eq!(named, [at("a/back"), at("a/to_b/to_a"), at("dead.jpg")]);
        assert_eq!(result.summary.loops, [at("a/back"), at("a/to_b/to_a")]);
    }

    #[test]
    fn extensions_are_case_insensitive() {
        for (name, expected) in
            [("a.JPeG", true), ("a.tar.gif", true), ("jpg", false), (".jpg", false), ("a.jpg2", false)]
        {
            assert_eq!(has_picture_extension(Path::new(name)), expected, "{name}");
        }
    }
}
