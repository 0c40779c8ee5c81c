//! What the score of a face is worth, by the look that saw it.

use super::LookKind;
use super::view::View;
use crate::geometry::{Face, Size};

/// A face of the input as `view` can vouch for it: passed over where it is too small for the network to know, or mostly
/// beyond the view; its score lowered where a further look alone is not to be trusted, or where an inner edge cuts the face
/// off, so that it gives way to one that is seen whole.
pub(super) fn weighed(face: &Face, view: &View, size: Size) -> Option<Face> {
    let seen = view.share_seen(face.bbox, size);
    let side = face.bbox.width.max(face.bbox.height);
    let score = match view.kind {
        LookKind::Whole => face.score,
        LookKind::Tile if side < SMALL_IN_TILE && view.turned == 0 => small_in_tile(face.score),
        _ if side < SURE_FROM => face.score,
        _ => in_further_look(face.score),
    };
    let score = if seen < WHOLE { CUT_WEIGHT * score } else { score };
    (side >= SMALLEST && seen >= LEAST_SEEN).then_some(Face { score, ..*face })
}

/// What a score of a further look is worth. A face that such a look is for shows there upright and of a size the network
/// knows, and scores above 0.82; what scores less is mostly a texture, of which every look more finds some.
fn in_further_look(score: f32) -> f32 {
    match score {
        score if score >= 0.9 => score,
        score if score >= 0.82 => 0.6 + (score - 0.82) * (0.3 / 0.08),
        score if score >= 0.3 => 0.3 + (score - 0.3) * (0.3 / 0.52),
        score => score,
    }
}

/// What the score of a small face in a tile is worth: faces of 14 to 20 pixels score 0.5 to 0.85 by where they lie against
/// the network's cells, textures of that size below 0.5.
fn small_in_tile(score: f32) -> f32 {
    match score {
        score if score >= 0.9 => score,
        score if score >= 0.5 => 0.6 + (score - 0.5) * (0.3 / 0.4),
        score if score >= 0.3 => 0.3 + (score - 0.3) * (0.3 / 0.2),
        score => score,
    }
}

/// Boxes with sides below this many pixels of the input are those of small faces.
const SMALL_IN_TILE: f32 = 24.0;
/// Sides of a box in pixels of the input from which on the network is sure of a face.
const SURE_FROM: f32 = 40.0;
/// Boxes below this many pixels of the input are passed over: they are noise.
const SMALLEST: f32 = 12.0;
/// From this share of its box on a face counts as seen whole.
const WHOLE: f32 = 0.98;
/// The share of its box that must be seen of a face.
const LEAST_SEEN: f32 = 0.6;
/// What the score of a face that is not seen whole is multiplied by.
const CUT_WEIGHT: f32 = 0.9;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Point, Rect};

    #[test]
    fn a_further_look_is_believed_where_it_is_sure_and_never_reorders_its_faces() {
        let steps: Vec<f32> = (0..=100).map(|step| in_further_look(step as f32 / 100.0)).collect();
        assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
        let small: Vec<f32> = (0..=100).map(|step| small_in_tile(step as f32 / 100.0)).collect();
        assert!(small.windows(2).all(|pair| pair[0] < pair[1]), "{small:?}");
        assert!(small_in_tile(0.55) > 0.6 && small_in_tile(0.45) < 0.6 && small_in_tile(0.95) == 0.95);
        assert_eq!((in_further_look(0.93), in_further_look(1.0)), (0.93, 1.0));
        assert!((in_further_look(0.82) - 0.6).abs() < 1e-6 && (in_further_look(0.3) - 0.3).abs() < 1e-6);
        assert!(in_further_look(0.75) < 0.6);

        let view = View::turned(Size::new(600, 600), Size::new(640, 640), 90).expect("a view");
        let face = |side: f32| Face::new(Rect::new(100.0, 100.0, side, side), [Point::default(); 5], 0.75);
        let weigh = |view: &View, side: f32| weighed(&face(side), view, Size::new(600, 600)).map(|face| face.score);
        assert_eq!(weigh(&view, 11.0), None, "noise");
        assert_eq!(weigh(&view, 30.0), Some(0.75), "small faces score less");
        assert!(weigh(&view, 90.0).is_some_and(|score| score < 0.6));
        let tile = View { kind: LookKind::Tile, ..view };
        assert_eq!(weigh(&tile, 20.0), Some(0.75), "a tile that is turned adds too many to believe the small ones");
        assert!(weigh(&View { turned: 0, ..tile }, 20.0).is_some_and(|score| score > 0.75));
        assert_eq!(
            weigh(&View { kind: LookKind::Whole, ..view }, 90.0),
            Some(0.75),
            "the first look says what it says"
        );
    }
}
