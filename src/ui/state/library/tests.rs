//! Selection, removal, reviews, filters, thumbnails.

use std::sync::Arc;

use geometry::{Face, Point, Rect, Size};
use outcome::{Detection, DisplayCopy, PhotoInfo, PictureFormat, PixelLayout};
use recipe::CropSpec;

use super::super::{Marks, PhotoFailure};
use super::*;

fn library(names: &[&str]) -> Library {
    let mut library = Library::default();
    for name in names {
        library.add(Path::new(name));
    }
    library
}

#[test]
fn a_path_is_listed_once() {
    let mut library = library(&["a.jpg", "b.jpg"]);
    assert_eq!(library.add(Path::new("a.jpg")), None);
    assert_eq!(library.len(), 2);
}

#[test]
fn removal_selects_the_next_photo_and_allows_the_path_again() {
    let mut library = library(&["a.jpg", "b.jpg", "c.jpg"]);
    let middle = library.photos()[1].id;
    library.select(middle, SelectHow::Only);
    let gone = library.take(&HashSet::from([middle]));
    assert_eq!(gone.iter().map(|(place, photo)| (*place, photo.id)).collect::<Vec<_>>(), [(1, middle)]);
    assert_eq!(library.current.and_then(|id| library.get(id)).map(|photo| photo.name.as_str()), Some("c.jpg"));
    assert_eq!(library.put_back(gone), [middle]);
    assert_eq!(
        library.photos().iter().map(|photo| photo.name.as_str()).collect::<Vec<_>>(),
        ["a.jpg", "b.jpg", "c.jpg"]
    );
    assert_eq!((library.current, library.place(middle)), (Some(middle), Some(1)));
    library.take(&HashSet::from([middle]));
    assert!(library.add(Path::new("b.jpg")).is_some_and(|id| id != middle));
}

#[test]
fn a_range_starts_at_the_last_click() {
    let mut library = library(&["a.jpg", "b.jpg", "c.jpg", "d.jpg"]);
    let ids: Vec<ItemId> = library.photos().iter().map(|photo| photo.id).collect();
    library.select(ids[2], SelectHow::Only);
    library.select(ids[0], SelectHow::Range);
    assert_eq!(library.selected_count(), 3);
    library.select(ids[1], SelectHow::Toggle);
    assert!(!library.is_selected(ids[1]) && library.is_selected(ids[0]));
}

fn by() -> ReviewBy {
    ReviewBy::default()
}

fn soon() -> Instant {
    Instant::now() + std::time::Duration::from_secs(30)
}

/// Three photos: one face, none, one face.
fn detected() -> (Library, Vec<ItemId>) {
    let mut library = library(&["b.jpg", "a.jpg", "c10.jpg"]);
    let ids: Vec<ItemId> = library.photos().iter().map(|photo| photo.id).collect();
    for (place, &id) in ids.iter().enumerate() {
        let photo = library.get_mut(id).expect("listed");
        photo.info = Some(PhotoInfo::plain(Size::new(1000, 800), PictureFormat::Jpeg, PixelLayout::RGB8));
        let points = [(50.0, 70.0), (110.0, 70.0), (80.0, 110.0), (55.0, 150.0), (105.0, 150.0)];
        let points = points.map(|(x, y)| Point::new(380.0 + x * 1.45, 170.0 + y * 1.45));
        let face = Face::new(Rect::new(380.0, 170.0, 232.0, 290.0), points, 0.93);
        let faces = if place == 1 { Vec::new() } else { vec![face] };
        photo.set_detection(Arc::new(Detection { faces, ..Detection::default() }));
    }
    (library, ids)
}

#[test]
fn reviews_are_incremental_and_only_for_changed_photos() {
    let (mut library, ids) = detected();
    assert!(library.review_until(&by(), Instant::now()), "no time, so work is left");
    assert!(!library.review_until(&by(), soon()));
    assert_eq!((library.count(Mark::NeedsReview), library.count(Mark::NoFace)), (1, 1));
    library.get_mut(ids[1]).expect("listed").edit(|edits| edits.excluded = true);
    assert!(!library.review_until(&by(), soon()));
    assert_eq!((library.count(Mark::NeedsReview), library.count(Mark::Excluded)), (0, 1));
    let strict = ReviewBy { crop: CropSpec { min_score: 0.99, ..CropSpec::default() }, ..by() };
    assert!(library.review_until(&strict, Instant::now()), "the spec has changed");
    assert!(!library.review_until(&strict, soon()));
    assert_eq!(library.count(Mark::NoFace), 2, "photos that are not excluded");
    library.take(&HashSet::from([ids[0]]));
    assert_eq!(library.count(Mark::NoFace), 1, "removed with its marks");
}

#[test]
fn photos_are_marked_while_there_is_no_runtime() {
    let (mut library, ids) = detected();
    library.get_mut(ids[0]).expect("listed").detection = None;
    let without = ReviewBy { has_no_runtime: true, ..by() };
    library.review_until(&without, soon());
    assert_eq!((library.count(Mark::NotSearched), library.count(Mark::Broken)), (1, 0), "the photo is not broken");
    library.review_until(&by(), soon());
    assert_eq!(library.count(Mark::NotSearched), 0);
}

#[test]
fn next_to_review_does_not_wait_for_all_reviews() {
    let (mut library, ids) = detected();
    library.select(ids[2], SelectHow::Only);
    assert_eq!(library.next_to_review(&by(), false), Some(ids[1]), "wraps around");
    library.select(ids[1], SelectHow::Only);
    assert_eq!(library.next_to_review(&by(), true), None, "the photo on the canvas is not another one");
}

#[test]
fn names_sort_naturally_and_most_warnings_come_first() {
    let mut library = library(&["c10.jpg", "c9.jpg", "B.jpg"]);
    let order = |library: &mut Library, sort| {
        library.set_sort(sort);
        library.arrange();
        library.rows().map(|photo| photo.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(order(&mut library, ListSort::Name), ["B.jpg", "c9.jpg", "c10.jpg"]);
    assert_eq!(order(&mut library, ListSort::Added), ["c10.jpg", "c9.jpg", "B.jpg"]);
    let id = library.photos()[1].id;
    library.get_mut(id).expect("listed").failure = Some(PhotoFailure::Missing);
    library.review_until(&by(), soon());
    assert_eq!(order(&mut library, ListSort::Worst), ["c9.jpg", "c10.jpg", "B.jpg"]);
}

#[test]
fn selected_photos_stay_visible_until_released() {
    let (mut library, ids) = detected();
    library.review_until(&by(), soon());
    library.set_filter(Filter { marks: Marks::default().with(Mark::NoFace), ..Filter::default() });
    library.arrange();
    library.select(ids[1], SelectHow::Only);
    library.arrange();
    library.get_mut(ids[1]).expect("listed").edit(|edits| edits.excluded = true);
    library.review_until(&by(), soon());
    library.arrange();
    assert_eq!((library.count(Mark::NoFace), library.row_count()), (0, 1), "not counted, but still listed");
    library.select(ids[0], SelectHow::Only);
    library.arrange();
    assert_eq!(library.row_count(), 0);
}

#[test]
fn removal_from_a_filtered_list_selects_the_next_visible_photo() {
    let mut library = library(&["a.jpg", "x1.jpg", "b.jpg", "x2.jpg"]);
    let ids: Vec<ItemId> = library.photos().iter().map(|photo| photo.id).collect();
    library.set_filter(Filter { text: Some("x".to_owned()), ..Filter::default() });
    library.select(ids[1], SelectHow::Only);
    library.take(&HashSet::from([ids[1]]));
    assert_eq!(library.current, Some(ids[3]));
}

#[test]
fn thumbnails_of_ten_thousand_photos_stay_within_the_limit_and_visible_ones_stay() {
    let mut library = Library::default();
    let ids: Vec<ItemId> = (0..10_000).filter_map(|number| library.add(Path::new(&format!("{number}.jpg")))).collect();
    let pixels: Arc<[u8]> = vec![255; 160 * 120 * 4].into();
    let in_sight = ids[..20].to_vec();
    let wanted = library.set_showing(Showing { items: in_sight.clone(), columns: 1, rows: 20 });
    assert_eq!(wanted, in_sight);
    for &id in &ids {
        let copy = DisplayCopy { size: Size::new(160, 120), rgba: pixels.clone() };
        library.set_thumbnail(id, Some(copy));
    }
    let kept = library.photos().iter().filter(|photo| photo.thumbnail().is_some()).count();
    assert!((100..900).contains(&kept), "{kept}");
    assert!(in_sight.iter().all(|id| library.get(*id).is_some_and(|photo| photo.thumbnail().is_some())));
    let gone = ids.iter().find(|id| library.get(**id).is_some_and(|photo| photo.thumbnail().is_none()));
    let items = vec![*gone.expect("a failed one")];
    assert_eq!(library.set_showing(Showing { items: items.clone(), columns: 1, rows: 20 }), items, "requested again");
}
