//! Keeps the best of several shots of one person.

use std::path::Path;
use std::time::Instant;

use batch::worker::ItemId;
use plan::ShotRank;

use super::super::command::{Command, Effect};
use super::super::language::{count, say, tr};
use super::super::messages;
use super::super::state::{AppState, Framings, NoticeButton, NoticeKind, Photo};

/// Maximum time between consecutive photos of a burst, in seconds of the camera's clock. Most cameras record whole seconds.
const MAX_GAP_S: i64 = 3;

/// A photo with exactly one crop.
#[derive(Clone, Copy, Debug)]
struct Shot<'a> {
    item: ItemId,
    folder: &'a Path,
    /// Milliseconds of the camera's clock.
    taken_ms: i64,
    rank: ShotRank,
}

impl<'a> Shot<'a> {
    /// `None` if faces or capture time of the photo are unknown, or if it does not have exactly one crop.
    fn of(photo: &'a Photo, framings: &Framings<'_>) -> Option<Self> {
        photo.detection.as_ref()?;
        let taken_ms = photo.info.as_ref()?.taken?.clock_ms()?;
        let plan = photo.plan(framings, 0);
        let [crop] = plan.crops[..] else { return None };
        let rank = ShotRank::of(photo.faces().get(crop.face_index)?);
        Some(Self { item: photo.id, folder: photo.path.parent()?, taken_ms, rank })
    }
}

/// Excludes all photos but the best of every burst among `items`, as one undo step, and reports the number.
pub(super) fn keep_best_shots(state: &mut AppState, items: &[ItemId], now: Instant, effects: &mut Vec<Effect>) {
    let photos = items.iter().filter_map(|item| state.list.library.get(*item)).filter(|photo| !photo.is_excluded());
    let undetected = photos.clone().filter(|photo| photo.detection.is_none() && photo.failure.is_none()).count();
    let framings = state.framings();
    let mut shots: Vec<Shot> = photos.filter_map(|photo| Shot::of(photo, &framings)).collect();
    let (mut surplus, mut number) = (Vec::new(), 0);
    for burst in bursts(&mut shots) {
        surplus.extend(all_but_best(burst));
        number += 1;
    }
    let text = report(surplus.len(), number, undetected);
    if surplus.is_empty() {
        return state.dialogs.notices.add(NoticeKind::Info, text);
    }
    super::apply(state, Command::SetExcluded(surplus, true), now, effects);
    state.dialogs.notices.add_with_button(text, NoticeButton::Undo(state.list.history.state()));
}

/// The bursts among `shots`, which are sorted by folder and time: at least two photos of one folder, each taken at most
/// [`MAX_GAP_S`] after the one before. Shots of the same time keep their order.
fn bursts<'a, 'b>(shots: &'b mut [Shot<'a>]) -> impl Iterator<Item = &'b [Shot<'a>]> {
    shots.sort_by_key(|shot| (shot.folder, shot.taken_ms));
    let follows = |a: &Shot, b: &Shot| a.folder == b.folder && b.taken_ms - a.taken_ms <= MAX_GAP_S * 1000;
    shots.chunk_by(follows).filter(|burst| burst.len() > 1)
}

/// All shots of one person except the best, or the first of several best ones.
fn all_but_best<'a>(shots: &'a [Shot<'_>]) -> impl Iterator<Item = ItemId> + 'a {
    // `max_by_key` returns the last one.
    let best = shots.iter().rev().max_by_key(|shot| shot.rank).map(|shot| shot.item);
    shots.iter().map(|shot| shot.item).filter(move |item| Some(*item) != best)
}

/// The notice after `excluded` photos of `bursts` were excluded.
fn report(excluded: usize, bursts: usize, undetected: usize) -> String {
    let done = match bursts {
        0 => say!(
            "No bursts found: photos of one folder with one crop each, taken at most {seconds} s apart",
            seconds = MAX_GAP_S
        ),
        _ => messages::listed(&[
            count!(excluded, "{n} photo excluded", "{n} photos excluded"),
            count!(bursts, "{n} burst", "{n} bursts"),
        ]),
    };
    match undetected {
        0 => done,
        _ => [done, count!(undetected, "{n} photo not yet detected", "{n} photos not yet detected")].join(tr("; ")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;
    use std::time::Duration;

    use batch::settings::Settings;
    use geometry::{EyeMeasures, Face, FaceMeasures, FaceMesh, Head, Point, Rect, Size};
    use outcome::{Detection, Moment, PhotoInfo, PictureFormat, PixelLayout};

    use super::super::super::state::Mark;
    use super::super::apply;
    use super::*;

    /// A frontal face of a photo of 1000 x 800 pixels.
    fn face(eye_opening: f32, sharpness: f32) -> Face {
        let points = [(450.0, 340.0), (550.0, 340.0), (500.0, 390.0), (460.0, 440.0), (540.0, 440.0)];
        let points = points.map(|(x, y)| Point::new(x, y));
        let eye = |center| EyeMeasures { center, opening: Some(eye_opening), contrast: Some(0.95), is_hidden: false };
        let mesh = FaceMesh {
            head: Head { eyes: Point::new(500.0, 340.0), eyes_to_crown: 160.0, eyes_to_chin: 160.0, roll: 0.0 },
            width: 220.0,
            yaw: 0.0,
            pitch: 0.0,
            presence: 0.99,
            mouth_opening: Some(0.02),
            gaze: Some(0.0),
            eyes: [eye(points[0]), eye(points[1])],
            dark_glasses: false,
        };
        let measures = FaceMeasures { sharpness: Some(sharpness), lightness: 0.5, underexposed: 0.0, overexposed: 0.0 };
        let face = Face::new(Rect::new(400.0, 230.0, 200.0, 260.0), points, 0.9);
        Face { mesh: Some(mesh), measures: Some(measures), ..face }
    }

    fn good() -> Vec<Face> {
        vec![face(0.32, 0.9)]
    }

    fn moment(text: &str) -> Moment {
        Moment::from_exif(text).expect(text)
    }

    /// Adds a photo; `None` for one whose faces are not yet detected.
    fn add(state: &mut AppState, path: &str, taken: Option<Moment>, faces: Option<Vec<Face>>) -> ItemId {
        let id = state.list.library.add(&PathBuf::from(path)).expect("a new path");
        let photo = state.list.library.get_mut(id).expect("listed");
        let plain = PhotoInfo::plain(Size::new(1000, 800), PictureFormat::Jpeg, PixelLayout::RGB8);
        photo.info = Some(PhotoInfo { taken, ..plain });
        if let Some(faces) = faces {
            photo.set_detection(Arc::new(Detection { faces, ..Detection::default() }));
        }
        id
    }

    /// A state with a photo of a good portrait for each path and date; an empty date is unknown.
    fn taken_at(photos: &[(&str, &str)]) -> AppState {
        let mut state = AppState::new(Settings::default());
        for (path, taken) in photos {
            add(&mut state, path, Moment::from_exif(taken), Some(good()));
        }
        state
    }

    fn all(state: &AppState) -> Vec<ItemId> {
        state.list.library.photos().iter().map(|photo| photo.id).collect()
    }

    fn keep_best(state: &mut AppState) {
        let items = all(state);
        apply(state, Command::KeepBestShots(items), Instant::now(), &mut Vec::new());
    }

    /// Names of the photos that are not excluded.
    fn kept(state: &AppState) -> Vec<&str> {
        let photos = state.list.library.photos().iter().filter(|photo| !photo.edits().excluded);
        photos.map(|photo| photo.name.as_str()).collect()
    }

    fn notice(state: &AppState) -> &str {
        state.dialogs.notices.open().next().map_or("", |notice| &notice.text)
    }

    #[test]
    fn a_burst_ends_with_a_gap_or_another_folder() {
        let mut state = taken_at(&[
            ("/a/1.jpg", "2024:05:17 10:20:30"),
            ("/a/2.jpg", "2024:05:17 10:20:33"),
            ("/a/3.jpg", "2024:05:17 10:20:36"),
            ("/a/4.jpg", "2024:05:17 10:20:40"),
            ("/b/5.jpg", "2024:05:17 10:20:41"),
            ("/b/6.jpg", "2024:05:18 10:20:42"),
        ]);
        keep_best(&mut state);
        assert_eq!(kept(&state), ["1.jpg", "4.jpg", "5.jpg", "6.jpg"]);
        assert_eq!(notice(&state), "2 photos excluded, 1 burst");
    }

    #[test]
    fn fractions_of_seconds_count() {
        let mut state = AppState::new(Settings::default());
        let fraction = |text: &str, digits| Some(moment(text).with_fraction(digits));
        for (path, taken) in [
            ("/a/1.jpg", fraction("2024:05:17 10:20:30", "2")),
            ("/a/2.jpg", fraction("2024:05:17 10:20:33", "2")),
            ("/a/3.jpg", fraction("2024:05:17 10:20:36", "25")),
        ] {
            add(&mut state, path, taken, Some(good()));
        }
        keep_best(&mut state);
        assert_eq!(kept(&state), ["1.jpg", "3.jpg"], "3.05 s later");
    }

    #[test]
    fn the_order_of_the_list_does_not_matter_and_the_earliest_of_equals_is_kept() {
        let mut state = taken_at(&[
            ("/a/last.jpg", "2024:05:17 10:20:35"),
            ("/b/between.jpg", "2024:05:17 10:20:31"),
            ("/a/first.jpg", "2024:05:17 10:20:30"),
            ("/a/same-time.jpg", "2024:05:17 10:20:30"),
            ("/a/middle.jpg", "2024:05:17 10:20:32"),
        ]);
        keep_best(&mut state);
        assert_eq!(kept(&state), ["between.jpg", "first.jpg"]);
    }

    #[test]
    fn bursts_continue_over_midnight() {
        let mut state = taken_at(&[
            ("/a/1.jpg", "2023:12:31 23:59:58"),
            ("/a/2.jpg", "2024:01:01 00:00:01"),
            ("/a/3.jpg", "2024:01:01 00:00:05"),
        ]);
        keep_best(&mut state);
        assert_eq!(kept(&state), ["1.jpg", "3.jpg"]);
    }

    #[test]
    fn photos_without_a_time_are_in_no_burst() {
        let mut state = taken_at(&[
            ("/a/1.jpg", ""),
            ("/a/2.jpg", ""),
            ("/a/3.jpg", "2024:05:17"),
            ("/a/4.jpg", "2024:05:17 00:00:00"),
            ("/a/5.jpg", "2024:05:17 10:20:30"),
        ]);
        keep_best(&mut state);
        assert_eq!(kept(&state).len(), 5);
        let expected = "No bursts found: photos of one folder with one crop each, taken at most 3 s apart";
        assert_eq!((notice(&state), state.list.history.undo_name()), (expected, None));
    }

    #[test]
    fn open_eyes_beat_sharper_closed_eyes() {
        let mut state = AppState::new(Settings::default());
        let taken = moment("2024:05:17 10:20:30");
        for (path, faces) in [
            ("/a/closed.jpg", vec![face(0.05, 1.0)]),
            ("/a/blurred.jpg", vec![face(0.32, 0.4)]),
            ("/a/open.jpg", vec![face(0.32, 0.7)]),
            ("/a/nobody.jpg", Vec::new()),
        ] {
            add(&mut state, path, Some(taken), Some(faces));
        }
        keep_best(&mut state);
        assert_eq!(kept(&state), ["open.jpg", "nobody.jpg"], "a photo without a crop is left alone");
    }

    #[test]
    fn excluded_and_undetected_photos_do_not_count() {
        let mut state = AppState::new(Settings::default());
        let at = |second| Some(Moment { second, ..moment("2024:05:17 10:20:30") });
        let best = add(&mut state, "/a/best.jpg", at(30), Some(vec![face(0.32, 1.0)]));
        add(&mut state, "/a/fair.jpg", at(31), Some(vec![face(0.32, 0.7)]));
        add(&mut state, "/a/blurred.jpg", at(32), Some(vec![face(0.32, 0.3)]));
        add(&mut state, "/a/waiting.jpg", at(33), None);
        state.list.library.get_mut(best).expect("listed").edit(|edits| edits.excluded = true);
        keep_best(&mut state);
        assert_eq!(kept(&state), ["fair.jpg", "waiting.jpg"]);
        assert_eq!(notice(&state), "1 photo excluded, 1 burst; 1 photo not yet detected");
    }

    #[test]
    fn photos_outside_the_selection_are_left_alone() {
        let mut state = taken_at(&[
            ("/a/1.jpg", "2024:05:17 10:20:30"),
            ("/a/2.jpg", "2024:05:17 10:20:31"),
            ("/a/3.jpg", "2024:05:17 10:20:32"),
        ]);
        let items = all(&state)[1..].to_vec();
        apply(&mut state, Command::KeepBestShots(items), Instant::now(), &mut Vec::new());
        assert_eq!(kept(&state), ["1.jpg", "2.jpg"]);
    }

    #[test]
    fn one_undo_step_includes_all_photos_again() {
        let mut state = taken_at(&[
            ("/a/1.jpg", "2024:05:17 10:20:30"),
            ("/a/2.jpg", "2024:05:17 10:20:31"),
            ("/b/3.jpg", "2024:05:17 10:20:30"),
            ("/b/4.jpg", "2024:05:17 10:20:31"),
        ]);
        keep_best(&mut state);
        assert_eq!(notice(&state), "2 photos excluded, 2 bursts");
        let soon = Instant::now() + Duration::from_secs(30);
        state.update_list(soon);
        assert_eq!(state.list.library.count(Mark::Excluded), 2, "the filter shows them");
        let excluded =
            |state: &AppState| state.snapshot().photos.iter().map(|photo| photo.edits.excluded).collect::<Vec<_>>();
        assert_eq!(excluded(&state), [false, true, false, true], "in the project");
        apply(&mut state, Command::Undo, Instant::now(), &mut Vec::new());
        assert_eq!((excluded(&state), state.list.history.undo_name()), (vec![false; 4], None));
        apply(&mut state, Command::Redo, Instant::now(), &mut Vec::new());
        assert_eq!(kept(&state), ["1.jpg", "3.jpg"]);
    }

    #[test]
    fn the_ranking_is_independent_of_time_and_folder() {
        let shot = |item, folder, opening| Shot {
            item: ItemId(item),
            folder: Path::new(folder),
            taken_ms: item as i64 * 1_000_000,
            rank: ShotRank::of(&face(opening, 0.9)),
        };
        let named_alike = [shot(1, "/a", 0.05), shot(2, "/b", 0.32), shot(3, "/c", 0.32)];
        assert_eq!(all_but_best(&named_alike).collect::<Vec<_>>(), [ItemId(1), ItemId(3)]);
        assert_eq!(all_but_best(&[]).count(), 0);
    }
}
