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

fn right(head: &Head) -> Point {
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
