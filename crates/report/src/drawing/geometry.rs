//! Points and boxes.

use tamper_uppaal::Point;

/// The radius of a location.
pub(super) const RADIUS: f64 = 14.0;
/// The height of a line of text, and the width of a character on average.
pub(super) const LINE: f64 = 15.0;
const CHARACTER: f64 = 6.6;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Rect {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Rect {
    /// The box of `text`, whose top left corner is at `at`.
    pub fn of_text(text: &str, at: Point) -> Self {
        let length = number(text.chars().count());
        Self {
            left: at.0,
            top: at.1,
            right: at.0 + length * CHARACTER,
            bottom: at.1 + LINE,
        }
    }
    /// The box of a title above a chart, in letters half as large again, centred at `middle`.
    pub fn of_heading(title: &str, middle: f64) -> Self {
        let half = Self::of_text(title, (0.0, 0.0)).width() * 0.75;
        Self {
            left: middle - half,
            top: -44.0,
            right: middle + half,
            bottom: 0.0,
        }
    }
    pub fn around(centre: Point, radius: f64) -> Self {
        Self {
            left: centre.0 - radius,
            top: centre.1 - radius,
            right: centre.0 + radius,
            bottom: centre.1 + radius,
        }
    }
    pub fn width(&self) -> f64 {
        self.right - self.left
    }
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }
    /// The area that both cover.
    pub fn overlap(&self, other: &Self) -> f64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        width.max(0.0) * height.max(0.0)
    }
    /// Whether the boxes may have a point in common.
    pub fn touches(&self, other: &Self) -> bool {
        let is_beside = self.right < other.left || other.right < self.left;
        !is_beside && self.top <= other.bottom && other.top <= self.bottom
    }
    pub fn join(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
    pub fn moved(self, by: Point) -> Self {
        Self {
            left: self.left + by.0,
            top: self.top + by.1,
            right: self.right + by.0,
            bottom: self.bottom + by.1,
        }
    }
    pub fn contains(&self, point: Point) -> bool {
        (self.left..self.right).contains(&point.0) && (self.top..self.bottom).contains(&point.1)
    }
}

/// A count as a number.
pub(super) fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

pub(super) fn between(a: Point, b: Point, part: f64) -> Point {
    (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part)
}

pub(super) fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// The unit vector from `a` to `b`; to the right if they coincide.
pub(super) fn direction(a: Point, b: Point) -> Point {
    let length = distance(a, b);
    if length < 1e-9 {
        return (1.0, 0.0);
    }
    ((b.0 - a.0) / length, (b.1 - a.1) / length)
}
