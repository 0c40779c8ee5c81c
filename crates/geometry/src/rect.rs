//! Points and rectangles, in fractional and in whole pixels.

use serde::{Deserialize, Serialize};

use super::Size;

/// A point in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Point {
    /// Pixels from the left edge.
    pub x: f32,
    /// Pixels from the top edge.
    pub y: f32,
}

impl Point {
    /// Creates a point.
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    /// Euclidean distance to `other` in pixels.
    pub fn distance(self, other: Self) -> f32 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    /// The point half way to `other`.
    #[must_use]
    pub fn midpoint(self, other: Self) -> Self {
        Self::new((self.x + other.x) / 2.0, (self.y + other.y) / 2.0)
    }

    /// True if both coordinates are finite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

/// A rectangle with fractional coordinates, such as a detector's box.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Rect {
    /// Left edge in pixels.
    pub x: f32,
    /// Top edge in pixels.
    pub y: f32,
    /// Width in pixels.
    pub width: f32,
    /// Height in pixels.
    pub height: f32,
}

impl Rect {
    /// Creates a rectangle from left, top, width and height.
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { x, y, width, height }
    }

    /// The smallest rectangle with both corners.
    pub fn from_corners(a: Point, b: Point) -> Self {
        let (left, top) = (a.x.min(b.x), a.y.min(b.y));
        Self::new(left, top, a.x.max(b.x) - left, a.y.max(b.y) - top)
    }

    pub fn center(self) -> Point {
        Point::new(self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// Right edge: x plus width.
    pub fn right(self) -> f32 {
        self.x + self.width
    }

    /// Bottom edge: y plus height.
    pub fn bottom(self) -> f32 {
        self.y + self.height
    }

    /// The corners, clockwise from the top left one.
    pub fn corners(self) -> [Point; 4] {
        let (right, bottom) = (self.right(), self.bottom());
        [(self.x, self.y), (right, self.y), (right, bottom), (self.x, bottom)].map(|(x, y)| Point::new(x, y))
    }

    /// Area in square pixels; 0 if width or height is negative.
    pub fn area(self) -> f32 {
        self.width.max(0.0) * self.height.max(0.0)
    }

    /// Area of the intersection in square pixels.
    pub fn overlap(self, other: Self) -> f32 {
        let width = self.right().min(other.right()) - self.x.max(other.x);
        let height = self.bottom().min(other.bottom()) - self.y.max(other.y);
        width.max(0.0) * height.max(0.0)
    }

    /// Intersection over union (IoU), 0 to 1; 0 if both are empty.
    pub fn iou(self, other: Self) -> f32 {
        let overlap = self.overlap(other);
        let union = self.area() + other.area() - overlap;
        if union > 0.0 { overlap / union } else { 0.0 }
    }

    /// True if `point` is inside, or on the left or top edge.
    pub fn contains(self, point: Point) -> bool {
        point.x >= self.x && point.x < self.right() && point.y >= self.y && point.y < self.bottom()
    }

    /// True if all four numbers are finite and the area is positive.
    pub fn is_usable(self) -> bool {
        [self.x, self.y, self.width, self.height].iter().all(|v| v.is_finite()) && self.area() > 0.0
    }
}

/// A rectangle in whole pixels that may extend beyond the image, such as a crop frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PixelRect {
    /// Left edge in pixels; negative if the frame extends beyond the image's left edge.
    pub x: i32,
    /// Top edge in pixels; negative if the frame extends beyond the image's top edge.
    pub y: i32,
    /// At least 1 in every planned frame.
    pub width: u32,
    /// At least 1 in every planned frame.
    pub height: u32,
}

impl PixelRect {
    /// Creates a rectangle from left, top, width and height.
    pub const fn new(x: i32, y: i32, width: u32, height: u32) -> Self {
        Self { x, y, width, height }
    }

    /// Width and height.
    pub const fn size(self) -> Size {
        Size::new(self.width, self.height)
    }

    /// The same rectangle as [`Rect`].
    pub fn to_rect(self) -> Rect {
        Rect::new(self.x as f32, self.y as f32, self.width as f32, self.height as f32)
    }

    /// The part inside an image of `size`; `None` if it is empty.
    pub fn clipped_to(self, size: Size) -> Option<Self> {
        let left = i64::from(self.x).max(0);
        let top = i64::from(self.y).max(0);
        let right = (i64::from(self.x) + i64::from(self.width)).min(i64::from(size.width));
        let bottom = (i64::from(self.y) + i64::from(self.height)).min(i64::from(size.height));
        if right <= left || bottom <= top {
            return None;
        }
        Some(Self::new(left as i32, top as i32, (right - left) as u32, (bottom - top) as u32))
    }

    /// The share of this rectangle, 0 to 1, outside an image of `size`.
    pub fn share_outside(self, size: Size) -> f32 {
        let all = self.size().pixels();
        let inside = self.clipped_to(size).map_or(0, |part| part.size().pixels());
        if all == 0 { 0.0 } else { (1.0 - inside as f64 / all as f64) as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::{PixelRect, Rect, Size};

    #[test]
    fn iou_of_half_shifted_squares_is_a_third() {
        let a = Rect::new(0.0, 0.0, 10.0, 10.0);
        assert!((a.iou(Rect::new(5.0, 0.0, 10.0, 10.0)) - 1.0 / 3.0).abs() < 1e-6);
        assert_eq!(a.iou(Rect::new(20.0, 0.0, 10.0, 10.0)), 0.0);
        assert_eq!(Rect::default().iou(Rect::default()), 0.0);
    }

    #[test]
    fn clipping_and_the_share_outside_agree() {
        let frame = PixelRect::new(-10, 0, 20, 10);
        assert_eq!(frame.clipped_to(Size::new(100, 100)), Some(PixelRect::new(0, 0, 10, 10)));
        assert_eq!(frame.share_outside(Size::new(100, 100)), 0.5);
        assert_eq!(PixelRect::new(200, 0, 5, 5).clipped_to(Size::new(100, 100)), None);
    }

    #[test]
    fn unusable_boxes_are_rejected() {
        assert!(!Rect::new(f32::NAN, 0.0, 1.0, 1.0).is_usable());
        assert!(!Rect::new(0.0, 0.0, 0.0, 1.0).is_usable());
        assert!(Rect::new(-5.0, 0.0, 1.0, 1.0).is_usable());
    }
}
