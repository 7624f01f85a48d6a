//! Shapes of SVG.

use super::geometry::Rect;
use super::marks::{Mark, colour};
use tamper_text::xml::Element;
use tamper_uppaal::Point;

/// A coordinate, with one digit after the point.
pub(super) fn tenth(coordinate: f64) -> String {
    format!("{coordinate:.1}")
}

pub(super) fn centred(element: Element, x: f64, y: f64) -> Element {
    element.with("cx", tenth(x)).with("cy", tenth(y))
}

pub(super) fn circle(centre: Point, radius: f64) -> Element {
    centred(Element::new("circle"), centre.0, centre.1).with("r", radius)
}

pub(super) fn rectangle(area: &Rect) -> Element {
    Element::new("rect")
        .with("x", tenth(area.left))
        .with("y", tenth(area.top))
        .with("width", tenth(area.width()))
        .with("height", tenth(area.height()))
}

pub(super) fn text_at(x: f64, y: f64) -> Element {
    Element::new("text").with("x", tenth(x)).with("y", tenth(y))
}

/// The head of an arrow, to be full for inputs, and open for the system's actions.
pub(super) fn head(tip: Point, towards: Point) -> Element {
    let back = (tip.0 - towards.0 * 9.0, tip.1 - towards.1 * 9.0);
    let side = (-towards.1 * 4.0, towards.0 * 4.0);
    let points = [
        tip,
        (back.0 + side.0, back.1 + side.1),
        (back.0 - side.0, back.1 - side.1),
    ];
    let points = points.map(|(x, y)| format!("{x:.1},{y:.1}"));
    Element::new("polygon").with("points", points.join(" "))
}

/// The width and the dashes of a line with that mark.
pub(super) fn stroke(mark: Mark) -> (&'static str, Option<&'static str>) {
    match mark {
        Mark::Plain => ("1.2", None),
        Mark::Added => ("2.6", None),
        Mark::Changed => ("2.2", None),
        Mark::Removed => ("1.6", Some("2 4")),
    }
}

pub(super) fn cross(x: f64, y: f64, size: f64) -> Element {
    let (left, right, top, bottom) = (x - size, x + size, y - size, y + size);
    let lines = format!("M{left:.1} {top:.1} L{right:.1} {bottom:.1} M{left:.1} {bottom:.1} L{right:.1} {top:.1}");
    let cross = Element::new("path").with("d", lines);
    cross.with("stroke", colour(Mark::Removed)).with("stroke-width", 2.2)
}
