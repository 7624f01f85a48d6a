//! Nested boxes as shapes.

use std::fmt::Write as _;

use super::picture::{DrawnArrow, DrawnBox, Nested};
use super::sizes::{STEP, TITLE, broken};
use crate::drawing::geometry::{LINE, Rect, direction, number};
use crate::drawing::marks::{Mark, colour};
use crate::drawing::shapes::{circle, cross, head, rectangle, stroke, text_at};
use tamper_text::xml::Element;
use tamper_timed::model::BoxKind;
use tamper_uppaal::Point;

/// The shapes of a picture, and their area.
pub(in crate::drawing) struct NestedShapes {
    pub area: Rect,
    pub body: Vec<Element>,
}

/// Boxes, each before those within it, then arrows.
pub(in crate::drawing) fn nested_shapes(nested: &Nested) -> NestedShapes {
    let titled = |path: &str| Element::new("g").block().child(Element::new("title").text(path));
    let boxes = nested
        .boxes
        .iter()
        .map(|own| titled(&own.path).children(box_shapes(nested, own)));
    let arrows = nested
        .arrows
        .iter()
        .map(|arrow| titled(&said(nested, arrow)).children(arrow_shapes(nested, arrow)));
    NestedShapes {
        area: area(nested),
        body: boxes.chain(arrows).collect(),
    }
}

/// The same shapes for a page on which parts can be chosen.
pub(in crate::drawing) fn nested_parts(nested: &Nested, group: impl Fn(&[usize]) -> Element) -> NestedShapes {
    let group = |parts: &[usize]| match parts {
        // No edge takes it: there is nothing to choose.
        [] => Element::new("g").block(),
        parts => group(parts),
    };
    let boxes = nested.boxes.iter().map(|own| {
        let hit = rectangle(&own.area).with("class", "hit").with("rx", 6);
        group(&own.parts).children(box_shapes(nested, own)).child(hit)
    });
    let arrows = nested.arrows.iter().map(|arrow| {
        let ways: Vec<String> = arrow.ways.iter().map(|way| path(way)).collect();
        let hit = Element::new("path").with("class", "hit").with("d", ways.join(" "));
        group(&arrow.parts).child(hit).children(arrow_shapes(nested, arrow))
    });
    NestedShapes {
        area: area(nested),
        body: boxes.chain(arrows).collect(),
    }
}

/// The meaning of the signs in the picture.
pub(in crate::drawing) fn nested_signs(nested: &Nested) -> String {
    let has = |is_it: &dyn Fn(&DrawnBox) -> bool| nested.boxes.iter().any(is_it);
    let has_history = |is_deep| has(&|own| own.kind == BoxKind::History { deep: is_deep });
    let signs = [
        (nested.arrows.iter().any(|arrow| arrow.is_initial), "dot: initial"),
        (has(&|own| nested.is_region(own)), "dashed: active together"),
        (has(&|own| own.kind == BoxKind::Final), "double border: final"),
        (has_history(false), "H: what was active there"),
        (has_history(true), "H*: what was active there and within it"),
    ];
    let signs: Vec<&str> = signs
        .into_iter()
        .filter(|(is_there, _)| *is_there)
        .map(|(_, sign)| sign)
        .collect();
    signs.join("; ")
}

fn area(nested: &Nested) -> Rect {
    let points = nested.arrows.iter().flat_map(|arrow| arrow.ways.iter().flatten());
    let points = points.map(|point| Rect::around(*point, 5.0));
    let texts = nested.arrows.iter().filter_map(|arrow| arrow.text);
    let all = nested.boxes.iter().map(|own| own.area).chain(points).chain(texts);
    all.reduce(Rect::join).unwrap_or(Rect::around((0.0, 0.0), 50.0))
}

/// `idle to busy: press / ring`.
fn said(nested: &Nested, arrow: &DrawnArrow) -> String {
    let path = |at: usize| nested.boxes[at].path.as_str();
    let targets: Vec<&str> = arrow.targets.iter().map(|target| path(*target)).collect();
    let source = match arrow.is_initial {
        true => format!("initial of {}", path(arrow.source)),
        false => path(arrow.source).to_owned(),
    };
    let ends = format!("{source} to {}", targets.join(", "));
    match arrow.label.shown() {
        label if label.is_empty() => ends,
        label => format!("{ends}: {label}"),
    }
}

fn box_shapes(nested: &Nested, own: &DrawnBox) -> Vec<Element> {
    let Rect { left, top, right, .. } = own.area;
    let plain = colour(Mark::Plain);
    let border = |area: &Rect, rx: i32, stroke: &'static str| {
        let border = rectangle(area).with("rx", rx).with("fill", "white");
        border.with("stroke", stroke).with("stroke-width", "1.2")
    };
    let dash = nested.is_region(own).then_some("7 4");
    let mut shapes = Vec::new();
    let mut y = top;
    if let BoxKind::History { deep } = own.kind {
        let middle = ((left + right) / 2.0, top + 17.0);
        shapes.push(border(&own.area, 6, "#bbbbbb"));
        shapes.push(
            circle(middle, 12.0)
                .with("fill", "white")
                .with("stroke", plain)
                .with("stroke-width", "1.2"),
        );
        let sign = text_at(middle.0, middle.1 + 4.0)
            .with("text-anchor", "middle")
            .with("fill", plain);
        shapes.push(sign.text(if deep { "H*" } else { "H" }));
        y += 28.0;
    } else {
        shapes.push(border(&own.area, 8, plain).with_some("stroke-dasharray", dash));
    }
    if own.kind == BoxKind::Final {
        let inner = Rect {
            left: left + 4.0,
            top: top + 4.0,
            right: right - 4.0,
            bottom: own.area.bottom - 4.0,
        };
        shapes.push(border(&inner, 5, plain));
    }
    // A box without anything within it has its name in the middle.
    let is_middle = own.children.is_empty() && own.lines.is_empty();
    let y = if is_middle && y == top {
        (top + own.area.bottom - LINE) / 2.0
    } else {
        y + 5.0
    };
    let name = match is_middle {
        true => text_at((left + right) / 2.0, y + LINE - 4.0).with("text-anchor", "middle"),
        false => text_at(left + STEP, y + LINE - 4.0),
    };
    let name = name
        .with("class", "name")
        .with("fill", plain)
        .with("font-weight", "bold");
    shapes.push(name.text(&*own.name));
    let mut y = y + TITLE - 2.0;
    for line in &own.lines {
        let lines = broken(&line.label, line.mark);
        let height = number(lines.len()) * LINE;
        let texts = Texts {
            lines,
            mark: line.mark,
            class: "note",
        };
        shapes.extend(texts.at(left + STEP, y));
        y += height;
    }
    if let Some(dot) = own.dot {
        shapes.push(circle(dot, 5.0).with("fill", plain));
    }
    shapes
}

/// The lines of one text.
struct Texts {
    lines: Vec<(String, Mark)>,
    mark: Mark,
    class: &'static str,
}

impl Texts {
    /// The text below and right of this corner. What was there before is struck, and what is there no more has a line beside it.
    fn at(self, x: f64, y: f64) -> Vec<Element> {
        let height = number(self.lines.len()) * LINE;
        let text = text_at(x, y + LINE - 4.0)
            .with("class", self.class)
            .with("fill", colour(self.mark));
        let n_lines = self.lines.len();
        let line = |(at, (line, mark)): (usize, (String, Mark))| {
            let is_struck = mark == Mark::Removed && self.mark == Mark::Changed;
            let is_bold = mark == Mark::Added;
            // Lines are words of one text.
            let end = if at + 1 < n_lines { " " } else { "" };
            Element::new("tspan")
                .with("x", format!("{x:.1}"))
                .with_some("dy", (at > 0).then_some(LINE))
                .with_some("text-decoration", is_struck.then_some("line-through"))
                .with_some("font-weight", is_bold.then_some("bold"))
                .text(format!("{line}{end}"))
        };
        let mut shapes = vec![text.children(self.lines.into_iter().enumerate().map(line))];
        if self.mark == Mark::Removed {
            let bar = Element::new("path").with("d", format!("M{:.1} {y:.1} V{:.1}", x - 4.0, y + height));
            shapes.push(bar.with("stroke", colour(self.mark)).with("stroke-width", 2.2));
        }
        shapes
    }
}

fn arrow_shapes(nested: &Nested, arrow: &DrawnArrow) -> Vec<Element> {
    let colour = colour(arrow.mark);
    let (width, dash) = stroke(arrow.mark);
    let mut shapes = Vec::new();
    for (at, way) in arrow.ways.iter().enumerate().filter(|(_, way)| way.len() > 1) {
        let line = Element::new("path")
            .with("d", path(way))
            .with("fill", "none")
            .with("stroke", colour);
        shapes.push(line.with("stroke-width", width).with_some("stroke-dasharray", dash));
        // The way to the text has no head.
        if at > 0 || arrow.text.is_none() {
            let tip = way[way.len() - 1];
            let head = head(tip, direction(way[way.len() - 2], tip));
            shapes.push(
                head.with("fill", colour)
                    .with("stroke", colour)
                    .with("stroke-linejoin", "round"),
            );
        } else if arrow.mark == Mark::Removed {
            let (x, y) = way[0];
            let towards = direction(way[0], way[1]);
            shapes.push(cross(x + towards.0 * 10.0, y + towards.1 * 10.0, 5.0));
        }
    }
    if let (true, Some(dot)) = (arrow.is_initial, nested.boxes[arrow.source].dot) {
        shapes.push(circle(dot, 5.0).with("fill", colour));
    }
    if let Some(area) = arrow.text {
        let lines = broken(&arrow.label, arrow.mark);
        let height = number(lines.len()) * LINE;
        let widest = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or(0);
        let x = (area.left + area.right - number(widest) * 6.6) / 2.0;
        shapes.push(rectangle(&area).with("fill", "white"));
        let texts = Texts {
            lines,
            mark: arrow.mark,
            class: "label",
        };
        shapes.extend(texts.at(x, (area.top + area.bottom - height) / 2.0));
    }
    shapes
}

/// The way as path data, with round corners.
fn path(way: &[Point]) -> String {
    const ROUND: f64 = 5.0;
    let mut path = String::new();
    for (at, corner) in way.iter().enumerate() {
        let towards = |other: Point| {
            let towards = direction(*corner, other);
            (corner.0 + towards.0 * ROUND, corner.1 + towards.1 * ROUND)
        };
        // Writing to a string does not fail.
        let _ = match (at.checked_sub(1).map(|before| way[before]), way.get(at + 1)) {
            (None, _) => write!(path, "M{:.1} {:.1}", corner.0, corner.1),
            (Some(_), None) => write!(path, " L{:.1} {:.1}", corner.0, corner.1),
            (Some(before), Some(after)) => {
                let (from, to) = (towards(before), towards(*after));
                let [x, y] = [corner.0, corner.1];
                write!(
                    path,
                    " L{:.1} {:.1} Q{x:.1} {y:.1} {:.1} {:.1}",
                    from.0, from.1, to.0, to.1
                )
            }
        };
    }
    path
}
