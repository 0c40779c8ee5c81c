//! The faces found in photos, kept on disk so that a photo that is opened again shows them without a search.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use inference::file_name;
use outcome::{Detection, PhotoInfo, RuntimeInUse};
use recipe::{BackendKind, ModelKind, RuntimeChoice};

use super::photo_cache::{PhotoCache, stamp};
use super::{OpenRequest, PhotoRef};

/// Maximum size of the cache: some twenty thousand portraits.
const MAX_BYTES: u64 = 32 << 20;

/// Maximum size of one file: a thousand faces.
const MAX_FILE_BYTES: u64 = 2 << 20;

/// The format version, part of the key: files of another version are never found.
const FORMAT: u32 = 1;

/// A folder of detection results, one for each photo and settings.
#[derive(Clone, Debug)]
pub(super) struct FaceStore(PhotoCache);

/// A photo's properties and faces.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Faces {
    pub(super) info: PhotoInfo,
    pub(super) detection: Detection,
}

/// The content of a file.
#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    runtime: StoredRuntime,
    #[serde(flatten)]
    faces: Faces,
}

/// The runtime that found the faces.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct StoredRuntime {
    kind: BackendKind,
    version: String,
    device: String,
    /// True if Auto chose it: then its results agree with those of every other runtime that Auto chooses.
    by_auto: bool,
}

impl StoredRuntime {
    fn of(runtime: &RuntimeInUse) -> Self {
        let actual = &runtime.actual;
        Self {
            kind: actual.kind,
            version: actual.version.clone(),
            device: actual.device.clone(),
            by_auto: runtime.requested == RuntimeChoice::Auto,
        }
    }

    /// True if its faces may stand for those that `now` would find. A runtime chosen by name shows its own.
    fn can_stand_for(&self, now: &Self) -> bool {
        (self.by_auto && now.by_auto)
            || (self.kind, &self.version, &self.device) == (now.kind, &now.version, &now.device)
    }
}

impl FaceStore {
    /// The store below the cache folder `cache`.
    pub(super) fn below(cache: &Path) -> Self {
        Self(PhotoCache::new(cache.join("faces"), ".faces", MAX_BYTES))
    }

    /// The faces of `photo`, if they were stored with these models and settings by a runtime that can stand for `runtime`,
    /// and the photo has not changed since. A file that cannot be read counts as none.
    pub(super) fn find(&self, photo: &PhotoRef, opened: &OpenRequest, runtime: &RuntimeInUse) -> Option<Faces> {
        let file = File::open(self.0.path_for(&photo.path, &settings(photo, opened))?).ok()?;
        let mut bytes = Vec::new();
        file.take(MAX_FILE_BYTES).read_to_end(&mut bytes).ok()?;
        let stored: Stored = serde_json::from_slice(&bytes).ok()?;
        let can_be_used =
            stored.runtime.can_stand_for(&StoredRuntime::of(runtime)) && stored.faces.info.size.pixels() > 0;
        can_be_used.then_some(stored.faces)
    }

    /// Stores the faces of `photo`, unless a model was missing for their measurements.
    pub(super) fn insert(&mut self, photo: &PhotoRef, opened: &OpenRequest, runtime: &RuntimeInUse, faces: Faces) {
        let Some(path) = self.0.path_for(&photo.path, &settings(photo, opened)) else { return };
        let stored = Stored { runtime: StoredRuntime::of(runtime), faces };
        let bytes = serde_json::to_vec(&stored).unwrap_or_default();
        if stored.faces.detection.model_faults.is_empty() && !bytes.is_empty() && bytes.len() as u64 <= MAX_FILE_BYTES {
            self.0.write(&path, &bytes);
        }
    }
}

/// Everything that faces depend on besides photo and runtime: program, models, detection settings and decoding limits.
fn settings(photo: &PhotoRef, opened: &OpenRequest) -> String {
    let model = |path: &Path| format!("{} {}", path.display(), stamp(path).unwrap_or_default());
    let detector = opened.model.as_deref().map(model).unwrap_or_default();
    let folder = opened.options.face_models.as_deref();
    let of_faces = folder.map(|folder| ModelKind::OF_FACES.map(|kind| model(&folder.join(file_name(kind)))));
    let PhotoRef { limits, detect, .. } = photo;
    format!("{FORMAT} {} {detector} {of_faces:?} {detect:?} {limits:?}", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use geometry::{Face, Point, Rect, Size};
    use outcome::{FaceModelFault, PictureFormat, PixelLayout, RuntimeFault, SessionInfo};
    use recipe::{DecodeLimits, DetectSpec, Masks, RuntimeOptions, Select};

    use super::*;
    use crate::worker::ItemId;

    struct Fixture {
        folder: tempfile::TempDir,
        store: FaceStore,
        photo: PhotoRef,
    }

    fn fixture() -> Fixture {
        let folder = tempfile::tempdir().expect("created");
        let path = folder.path().join("photo.jpg");
        fs::write(&path, b"one").expect("written");
        let (limits, detect) = (DecodeLimits::default(), DetectSpec::default());
        let store = FaceStore::below(folder.path());
        Fixture { folder, store, photo: PhotoRef { item: ItemId(1), path, limits, detect } }
    }

    fn faces() -> Faces {
        let face = Face::new(Rect::new(10.5, 20.25, 30.1, 40.7), [Point::new(0.1, 0.2); 5], 0.876_543_2);
        let info = PhotoInfo::plain(Size::new(400, 300), PictureFormat::Jpeg, PixelLayout::RGB8);
        Faces { info, detection: Detection { faces: vec![face], inference_ms: 12.34, ..Detection::default() } }
    }

    fn opened(choice: RuntimeChoice) -> OpenRequest {
        OpenRequest { choice, model: None, options: RuntimeOptions::default(), is_tried: false, at_once: false }
    }

    fn runtime(requested: RuntimeChoice, kind: BackendKind) -> RuntimeInUse {
        let input = Size::new(640, 640);
        let (version, device) = ("1.2".to_owned(), "CPU".to_owned());
        RuntimeInUse { requested, actual: SessionInfo { kind, version, device, input, outputs: Vec::new() }, why: None }
    }

    #[test]
    fn stored_faces_are_found_until_photo_models_or_settings_change() {
        let Fixture { folder, mut store, photo } = fixture();
        let (request, auto) = (opened(RuntimeChoice::Auto), runtime(RuntimeChoice::Auto, BackendKind::Tract));
        assert_eq!(store.find(&photo, &request, &auto), None);
        store.insert(&photo, &request, &auto, faces());
        assert_eq!(store.find(&photo, &request, &auto), Some(faces()), "exactly the same numbers");

        let other = |change: fn(&mut PhotoRef)| {
            let mut other = photo.clone();
            change(&mut other);
            store.find(&other, &request, &auto)
        };
        assert_eq!(other(|photo| photo.detect.masks = Masks::Selected(Select::Largest)), None);
        assert_eq!(other(|photo| photo.detect.score_threshold = 0.4), None);
        assert_eq!(other(|photo| photo.limits.max_pixels = 7), None);
        let mine = OpenRequest { model: Some(PathBuf::from("/models/mine.onnx")), ..request.clone() };
        assert_eq!(store.find(&photo, &mine, &auto), None);
        let options = RuntimeOptions { face_models: Some(folder.path().to_owned()), ..RuntimeOptions::default() };
        assert_eq!(store.find(&photo, &OpenRequest { options, ..request.clone() }, &auto), None);
        fs::write(&photo.path, b"changed").expect("written");
        assert_eq!(store.find(&photo, &request, &auto), None);
    }

    #[test]
    fn a_named_runtime_shows_its_own_faces() {
        let Fixture { folder: _folder, mut store, photo } = fixture();
        let (tract, rten) = (BackendKind::Tract, BackendKind::Rten);
        let mut found = |stored: (RuntimeChoice, BackendKind), now: (RuntimeChoice, BackendKind)| {
            store.insert(&photo, &opened(stored.0), &runtime(stored.0, stored.1), faces());
            store.find(&photo, &opened(now.0), &runtime(now.0, now.1)).is_some()
        };
        let (auto, named) = (RuntimeChoice::Auto, RuntimeChoice::Named);
        assert!(found((auto, tract), (auto, rten)), "both agree with the reference");
        assert!(found((named(rten), rten), (auto, rten)) && found((auto, rten), (named(rten), rten)));
        assert!(!found((auto, tract), (named(rten), rten)));
        assert!(!found((named(rten), rten), (auto, tract)), "whether they agree is not known");
    }

    #[test]
    fn a_damaged_file_counts_as_none_and_faces_without_a_model_are_not_stored() {
        let Fixture { folder, mut store, photo } = fixture();
        let (request, auto) = (opened(RuntimeChoice::Auto), runtime(RuntimeChoice::Auto, BackendKind::Tract));
        let mut without = faces();
        let fault = RuntimeFault::Other("no memory".to_owned());
        without.detection.model_faults = vec![FaceModelFault { model: ModelKind::Person, fault }];
        store.insert(&photo, &request, &auto, without);
        assert_eq!(store.find(&photo, &request, &auto), None);

        store.insert(&photo, &request, &auto, faces());
        let files: Vec<PathBuf> =
            fs::read_dir(folder.path().join("faces")).expect("exists").flatten().map(|entry| entry.path()).collect();
        let [file] = &files[..] else { panic!("{files:?}") };
        let text = fs::read_to_string(file).expect("readable");
        assert!(!text.contains("photo.jpg"), "it does not name the photo");
        let damaged: [&[u8]; 4] = [b"", &text.as_bytes()[..text.len() / 2], b"{\"runtime\": 1}", &[0xff; 64]];
        for damaged in damaged {
            fs::write(file, damaged).expect("written");
            assert_eq!(store.find(&photo, &request, &auto), None);
        }
        store.insert(&photo, &request, &auto, faces());
        assert_eq!(store.find(&photo, &request, &auto), Some(faces()), "it is replaced");
    }
}
