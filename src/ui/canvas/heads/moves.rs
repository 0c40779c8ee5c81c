//! How a head changes when one of its lines is moved.

use geometry::{Head, Point};

/// A draggable part of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Handle {
    Midline,
    Crown,
    Chin,
    Eyes,
    Roll,
}

/// Minimum distance of crown and chin from the eye line, as a share of the head's height.
const MIN_SHARE: f32 = 0.05;

impl Handle {
    /// All handles; if lines cross, the later one receives the pointer.
    pub(super) const ALL: [Self; 5] = [Self::Midline, Self::Crown, Self::Chin, Self::Eyes, Self::Roll];

    /// Unit vector of the direction it moves in.
    pub(super) fn direction(self, head: &Head) -> Point {
        if self == Self::Midline { right(head) } else { head.up() }
    }

    /// The value it sets: a distance from the eye line or a position, in pixels, or an angle in degrees.
    pub(super) fn measure(self, head: &Head) -> f32 {
        match self {
            Self::Crown => head.eyes_to_crown,
            Self::Chin => head.eyes_to_chin,
            Self::Eyes => head.eyes.y,
            Self::Midline => head.eyes.x,
            Self::Roll => head.roll,
        }
    }
}

/// `head` with one line moved by `by` image pixels, projected on the direction of that line.
pub(super) fn moved(head: &Head, handle: Handle, by: Point) -> Head {
    let direction = handle.direction(head);
    let along = by.x * direction.x + by.y * direction.y;
    let min = head.height() * MIN_SHARE;
    match handle {
        Handle::Crown => Head { eyes_to_crown: (head.eyes_to_crown + along).max(min), ..*head },
        Handle::Chin => Head { eyes_to_chin: (head.eyes_to_chin - along).max(min), ..*head },
        Handle::Eyes => {
            // Crown and chin do not move.
            let along = along.min(head.eyes_to_crown - min).max(min - head.eyes_to_chin);
            Head {
                eyes: head.above_eyes(along),
                eyes_to_crown: head.eyes_to_crown - along,
                eyes_to_chin: head.eyes_to_chin + along,
                ..*head
            }
        }
        Handle::Midline => {
            let eyes = Point::new(head.eyes.x + direction.x * along, head.eyes.y + direction.y * along);
            Head { eyes, ..*head }
        }
        Handle::Roll => Head { roll: wrapped(head.roll + by.x - by.y), ..*head },
    }
}

/// `head`, rotated about the point between its eyes until its crown points to `to`.
pub(super) fn rotated_to(head: &Head, to: Point) -> Head {
    let (x, y) = (to.x - head.eyes.x, to.y - head.eyes.y);
    if x == 0.0 && y == 0.0 { *head } else { Head { roll: wrapped(x.atan2(-y).to_degrees()), ..*head } }
}

/// `head` with the person's right and left eye at `eyes`: eye line and roll follow the line through both, and the midline
/// is half way between them. As if the eye line were dragged, crown and chin stay where they are in the image, so the
/// height of the head does not change; then the head is rotated about the point between the eyes. `None` if the eyes are
/// too close to each other for a direction.
pub(super) fn with_eyes(head: &Head, eyes: [Point; 2]) -> Option<Head> {
    let [right, left] = eyes;
    let min = head.height() * MIN_SHARE;
    if right.distance(left) < min {
        return None;
    }
    let (center, up) = (right.midpoint(left), head.up());
    let along = (center.x - head.eyes.x) * up.x + (center.y - head.eyes.y) * up.y;
    Some(Head {
        eyes: center,
        eyes_to_crown: (head.eyes_to_crown - along).max(min),
        eyes_to_chin: (head.eyes_to_chin + along).max(min),
        roll: wrapped((left.y - right.y).atan2(left.x - right.x).to_degrees()),
    })
}

/// Unit vector along the eye line, from the person's right to the left.
pub(super) fn right(head: &Head) -> Point {
    let up = head.up();
    Point::new(-up.y, up.x)
}

/// The angle normalised to -180 to 180 degrees.
fn wrapped(degrees: f32) -> f32 {
    let turned = (degrees + 180.0).rem_euclid(360.0) - 180.0;
    if turned == -180.0 && degrees > 0.0 { 180.0 } else { turned }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(roll: f32) -> Head {
        Head { eyes: Point::new(100.0, 100.0), eyes_to_crown: 40.0, eyes_to_chin: 50.0, roll }
    }

    #[test]
    fn crown_and_chin_move_along_the_midline_only() {
        let upright = head(0.0);
        assert_eq!(moved(&upright, Handle::Crown, Point::new(33.0, -5.0)).eyes_to_crown, 45.0);
        assert_eq!(moved(&upright, Handle::Chin, Point::new(33.0, -5.0)).eyes_to_chin, 45.0);
        let sideways = moved(&head(90.0), Handle::Crown, Point::new(5.0, 33.0));
        assert!((sideways.eyes_to_crown - 45.0).abs() < 1e-3, "its crown points to the right: {sideways:?}");
    }

    #[test]
    fn moving_the_eye_line_keeps_crown_and_chin() {
        for roll in [0.0, 30.0, 180.0] {
            let (before, after) = (head(roll), moved(&head(roll), Handle::Eyes, Point::new(0.0, 7.0)));
            assert_ne!(before.eyes, after.eyes);
            assert!(
                before.crown().distance(after.crown()) < 1e-3 && before.chin().distance(after.chin()) < 1e-3,
                "{roll}"
            );
        }
    }

    #[test]
    fn eyes_set_eye_line_midline_and_roll() {
        let eyes = |right: (f32, f32), left: (f32, f32)| [Point::new(right.0, right.1), Point::new(left.0, left.1)];
        let unmoved = with_eyes(&head(0.0), eyes((80.0, 100.0), (120.0, 100.0)));
        assert_eq!(unmoved, Some(head(0.0)));
        // Both up and to the right: crown and chin stay at their heights.
        let up = with_eyes(&head(0.0), eyes((90.0, 95.0), (130.0, 95.0))).expect("apart");
        assert_eq!(up, Head { eyes: Point::new(110.0, 95.0), eyes_to_crown: 35.0, eyes_to_chin: 55.0, roll: 0.0 });
        let tilted = with_eyes(&head(0.0), eyes((80.0, 100.0), (120.0, 140.0))).expect("apart");
        assert_eq!((tilted.eyes, tilted.height()), (Point::new(100.0, 120.0), 90.0));
        assert!((tilted.roll - 45.0).abs() < 1e-3, "the left eye is lower: {tilted:?}");
        let upside_down = with_eyes(&head(180.0), eyes((120.0, 100.0), (80.0, 99.0))).expect("apart");
        assert!((upside_down.roll.abs() - 178.6).abs() < 0.1, "{upside_down:?}");
        for (right, left) in [((100.0, 100.0), (100.0, 100.0)), ((99.0, 100.0), (101.0, 100.0))] {
            assert_eq!(with_eyes(&head(0.0), eyes(right, left)), None);
        }
        let beyond = with_eyes(&head(0.0), eyes((80.0, -900.0), (120.0, -900.0))).expect("apart");
        assert!(beyond.is_usable() && beyond.eyes_to_crown > 1.0, "{beyond:?}");
    }

    #[test]
    fn head_lines_do_not_cross() {
        for handle in [Handle::Crown, Handle::Chin, Handle::Eyes] {
            for down in [-1000.0, 1000.0] {
                let moved = moved(&head(0.0), handle, Point::new(0.0, down));
                assert!(
                    moved.is_usable() && moved.eyes_to_crown > 1.0 && moved.eyes_to_chin > 1.0,
                    "{handle:?} {down}"
                );
            }
        }
    }

    #[test]
    fn the_midline_moves_sideways_and_the_handle_rotates_the_head() {
        let aside = moved(&head(0.0), Handle::Midline, Point::new(9.0, 50.0));
        assert_eq!(aside, Head { eyes: Point::new(109.0, 100.0), ..head(0.0) });
        for (x, y, roll) in [(100.0, 0.0, 0.0), (200.0, 100.0, 90.0), (0.0, 100.0, -90.0), (100.0, 300.0, 180.0)] {
            assert!((rotated_to(&head(12.0), Point::new(x, y)).roll - roll).abs() < 1e-3, "{roll}");
        }
        assert_eq!(rotated_to(&head(12.0), head(12.0).eyes), head(12.0), "no direction");
        assert_eq!(moved(&head(175.0), Handle::Roll, Point::new(10.0, 0.0)).roll, -175.0);
    }
}
