//! A scene as SVG.

use std::fmt::Write as _;

use super::geometry::{LINE, RADIUS, Rect, between, direction};
use super::labels::{Placed, labels};
use super::marks::{Mark, colour};
use super::nested::{NestedShapes, nested_parts, nested_shapes, nested_signs};
use super::route::{EdgeRoute, along, routes};
use super::scene::{Arrow, PlacedLocation, Scene};
use super::shapes::{centred, circle, cross, head, rectangle, stroke, tenth, text_at};
use tamper_text::xml::{Element, Layout};
use tamper_timed::model::Urgency;
use tamper_uppaal::Point;

/// A scene as shapes, and their area.
struct SceneShapes {
    area: Rect,
    body: Vec<Element>,
}

/// The gap between pictures, and the width from which on a further picture begins a new row.
const GAP: f64 = 60.0;
const WIDE: f64 = 1600.0;

/// The picture of `scenes`, side by side and in rows; the same bytes for the same scenes.
pub fn scenes_svg(scenes: &[Scene]) -> String {
    if let [only] = scenes {
        let SceneShapes { mut area, mut body } = drawn(only);
        body.extend(heads(only, &mut area));
        return document(&area, body);
    }
    let (mut left, mut top, mut bottom) = (0.0, 0.0, 0.0);
    let mut all: Option<Rect> = None;
    let mut body = Vec::new();
    for scene in scenes {
        let SceneShapes { area, body: shapes } = drawn(scene);
        if left > 0.0 && left + area.width() > WIDE {
            (left, top) = (0.0, bottom + GAP / 2.0);
        }
        let by = (left - area.left, top - area.top);
        let moved = area.moved(by);
        let frame = Rect {
            left: moved.left - GAP / 4.0,
            top: moved.top - GAP / 4.0,
            right: moved.right + GAP / 4.0,
            bottom: moved.bottom + GAP / 4.0,
        };
        let border = rectangle(&frame).with("fill", "none").with("stroke", "#999999");
        body.push(border.with("rx", 6));
        let place = format!("translate({},{})", tenth(by.0), tenth(by.1));
        body.push(Element::new("g").block().with("transform", place).children(shapes));
        left = frame.right + GAP / 2.0;
        bottom = f64::max(bottom, frame.bottom);
        all = Some(all.map_or(frame, |all| all.join(frame)));
    }
    let mut all = all.unwrap_or(Rect::around((0.0, 0.0), 0.0));
    let arrows = scenes.iter().find(|scene| !scene.arrows.is_empty());
    body.extend(arrows.and_then(|scene| heads(scene, &mut all)));
    document(&all, body)
}

fn drawn(scene: &Scene) -> SceneShapes {
    if let Some(nested) = &scene.nested {
        let NestedShapes { mut area, mut body } = nested_shapes(nested);
        body.extend(legend(scene, &mut area));
        return SceneShapes { area, body };
    }
    let ways = routes(scene);
    let texts = labels(scene, &ways);
    let mut body = Vec::new();
    for (at, first) in scene.joined().into_iter().enumerate() {
        if first == at {
            body.extend(arrow_shapes(&scene.arrows[at], &ways[at]));
        }
    }
    body.extend(scene.nodes.iter().flat_map(node_shapes));
    let grounds = texts.iter().filter(|text| stands_on_way(scene, text.owner));
    body.extend(grounds.map(|text| rectangle(&text.area()).with("fill", "white")));
    body.extend(texts.iter().map(label_text));
    body.extend(texts.iter().filter(|text| text.mark == Mark::Removed).map(bar));
    let mut area = bounds(scene, &ways, &texts);
    body.extend(legend(scene, &mut area));
    SceneShapes { area, body }
}

/// Whether the labels of that part stand on an arrow, which must not show through them.
fn stands_on_way(scene: &Scene, owner: usize) -> bool {
    let joined = scene.joined();
    let first = joined.get(owner).map(|first| &scene.arrows[*first]);
    first.is_some_and(|arrow| arrow.course.is_some())
}

/// The same picture for a page on which parts can be chosen. `data-parts` of a group are the numbers of its edges, or of its location,
/// which are numbered after the edges; `hit` is the area that a pointer meets. The page itself says what the game is called, and what the
/// heads of arrows mean.
pub fn scene_parts(scene: &Scene) -> String {
    if let Some(nested) = &scene.nested {
        let NestedShapes { area, body } = nested_parts(nested, group);
        return document(&area, body);
    }
    let ways = routes(scene);
    let texts = labels(scene, &ways);
    let joined = scene.joined();
    let mut body = Vec::new();
    for (at, (arrow, way)) in scene.arrows.iter().zip(&ways).enumerate() {
        let members: Vec<usize> = (at..joined.len()).filter(|other| joined[*other] == at).collect();
        if members.is_empty() {
            continue;
        }
        let hit = Element::new("path").with("class", "hit").with("d", path(arrow, way));
        let group = group(&members).child(hit).children(arrow_shapes(arrow, way));
        if let [only] = members[..] {
            body.push(group.children(part_texts(scene, &texts, only)));
            continue;
        }
        body.push(group);
        let own = |member: &usize| self::group(&[*member]).children(part_texts(scene, &texts, *member));
        body.extend(members.iter().map(own));
    }
    for (part, node) in (scene.arrows.len()..).zip(&scene.nodes) {
        let hit = Element::new("circle").with("class", "hit");
        let hit = centred(hit, node.centre.0, node.centre.1).with("r", RADIUS);
        let group = group(&[part]).children(node_shapes(node));
        body.push(group.children(part_texts(scene, &texts, part)).child(hit));
    }
    document(&bounds(scene, &ways, &texts), body)
}

fn group(parts: &[usize]) -> Element {
    let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
    let group = Element::new("g").block().with("data-parts", parts.join(" "));
    group.with("tabindex", 0).with("role", "button")
}

/// The texts of one part, on an area that a pointer meets.
fn part_texts(scene: &Scene, texts: &[Placed], part: usize) -> impl Iterator<Item = Element> {
    let own = texts.iter().filter(move |text| text.owner == part);
    let ground = match stands_on_way(scene, part) {
        true => "white",
        false => "transparent",
    };
    own.flat_map(move |text| {
        let label = label_text(text).with("class", text.kind);
        [rectangle(&text.area()).with("fill", ground), label]
    })
}

/// A whole SVG file around `body`.
pub(super) fn document(area: &Rect, body: Vec<Element>) -> String {
    let margin = 20.0;
    let whole = |coordinate: f64| format!("{coordinate:.0}");
    let (left, top) = (whole(area.left - margin), whole(area.top - margin));
    let (width, height) = (area.width() + 2.0 * margin, area.height() + 2.0 * margin);
    let (width, height) = (whole(width), whole(height));
    let ground = Element::new("rect").with("x", &left).with("y", &top);
    let ground = ground.with("width", &width).with("height", &height);
    let root = Element::new("svg")
        .block()
        .with("xmlns", "http://www.w3.org/2000/svg")
        .with("viewBox", format!("{left} {top} {width} {height}"))
        .with("width", &width)
        .with("height", &height)
        .with("font-family", "DejaVu Sans, Verdana, Helvetica, sans-serif")
        .with("font-size", 11)
        .child(ground.with("fill", "white"))
        .children(body);
    let layout = Layout {
        indent: "",
        ..Layout::default()
    };
    root.laid_out(&layout) + "\n"
}

fn bounds(scene: &Scene, ways: &[EdgeRoute], texts: &[Placed]) -> Rect {
    let nodes = scene.nodes.iter().map(|node| Rect::around(node.centre, RADIUS + 6.0));
    let points = ways.iter().flatten().map(|point| Rect::around(*point, 3.0));
    let all = nodes.chain(points).chain(texts.iter().map(Placed::area));
    all.reduce(Rect::join).unwrap_or(Rect::around((0.0, 0.0), 50.0))
}

fn arrow_shapes(arrow: &Arrow, way: &EdgeRoute) -> Vec<Element> {
    let colour = colour(arrow.mark);
    let (width, dash) = stroke(arrow.mark);
    let line = Element::new("path")
        .with("d", path(arrow, way))
        .with("fill", "none")
        .with("stroke", colour)
        .with("stroke-width", width)
        .with("stroke-linejoin", "round")
        .with_some("stroke-dasharray", dash);
    let tip = way[way.len() - 1];
    let towards = direction(way[way.len() - 2], tip);
    let fill = if arrow.is_input { colour } else { "white" };
    let head = head(tip, towards).with("fill", fill).with("stroke", colour);
    let mut shapes = vec![line, head.with("stroke-linejoin", "round")];
    if arrow.mark == Mark::Removed {
        let (x, y) = along(way, if arrow.course.is_some() { 0.2 } else { 0.5 }).0;
        shapes.push(cross(x, y, 6.0));
    }
    shapes
}

/// The way as path data: through the corners of the file, else as one curve, of which every point pulls at the part around it.
fn path(arrow: &Arrow, way: &EdgeRoute) -> String {
    let mut path = String::new();
    let mut write = |command: &str, (x, y): Point| {
        // Writing to a string does not fail.
        let _ = write!(path, "{command}{x:.1} {y:.1}");
    };
    write("M", way[0]);
    if !arrow.is_curved() || way.len() == 2 {
        way[1..].iter().for_each(|point| write(" L", *point));
        return path;
    }
    for (at, pair) in way.windows(2).enumerate().skip(1) {
        let is_last = at + 2 == way.len();
        write(" Q", pair[0]);
        write(
            " ",
            if is_last {
                pair[1]
            } else {
                between(pair[0], pair[1], 0.5)
            },
        );
    }
    path
}

fn node_shapes(node: &PlacedLocation) -> Vec<Element> {
    let (x, y) = node.centre;
    let colour = colour(node.mark);
    let (width, dash) = match node.mark {
        Mark::Plain => ("1.2", None),
        Mark::Removed => ("1.6", Some("2 4")),
        Mark::Added | Mark::Changed => ("2.6", None),
    };
    let circle = |radius: f64, width: &str| {
        let circle = circle(node.centre, radius).with("fill", "white");
        circle.with("stroke", colour).with("stroke-width", width)
    };
    let mut shapes = vec![circle(RADIUS, width).with_some("stroke-dasharray", dash)];
    if node.initial {
        shapes.push(circle(RADIUS - 4.0, "1.2"));
    }
    let letter = match node.urgency {
        Urgency::Normal => None,
        Urgency::Urgent => Some("U"),
        Urgency::Committed => Some("C"),
    };
    shapes.extend(letter.map(|letter| {
        let text = text_at(x, y + 4.0).with("text-anchor", "middle");
        text.with("fill", colour).text(letter)
    }));
    if node.mark == Mark::Removed {
        shapes.push(cross(x, y, 9.0));
    }
    shapes
}

fn label_text(placed: &Placed) -> Element {
    let (x, y) = (placed.at.0, placed.at.1 + LINE - 4.0);
    let is_own = placed.kind == "name" || placed.kind == "invariant";
    // A location's own mark is drawn on its circle; its name stays plain.
    let mark = match placed.kind {
        "name" if placed.mark != Mark::Removed => Mark::Plain,
        _ if is_own && placed.old.is_none() && placed.mark == Mark::Changed => Mark::Plain,
        _ if !is_own && placed.old.is_none() && placed.mark == Mark::Changed => Mark::Plain,
        _ => placed.mark,
    };
    let colour = colour(mark);
    let weight = match (placed.kind, placed.old.is_some() || mark == Mark::Added) {
        ("name", _) | (_, true) => Some("bold"),
        _ => None,
    };
    // A white halo keeps texts readable where a line passes.
    let text = text_at(x, y)
        .with("fill", colour)
        .with_some("font-weight", weight)
        .with("stroke", "white")
        .with("stroke-width", 3)
        .with("paint-order", "stroke")
        .with("stroke-linejoin", "round");
    let Some(old) = &placed.old else {
        return text.text(&*placed.text);
    };
    let old_text = Element::new("tspan")
        .with("text-decoration", "line-through")
        .with("font-weight", "normal")
        .text(&**old);
    text.child(old_text).text(format!(" \u{2192} {}", placed.text))
}

/// The line beside the text of a removed part, which stays readable.
fn bar(placed: &Placed) -> Element {
    let Rect { left, top, bottom, .. } = placed.area();
    let line = Element::new("path").with("d", format!("M{:.1} {top:.1} V{bottom:.1}", left - 4.0));
    line.with("stroke", colour(Mark::Removed)).with("stroke-width", 2.2)
}

/// The title and the meaning of the marks, below the drawing.
fn legend(scene: &Scene, area: &mut Rect) -> Vec<Element> {
    let mut texts = Vec::new();
    let mut y = area.bottom + 2.0 * LINE;
    let mut line = |content: &str, mark: Mark, bold: bool| {
        let text = text_at(area.left, y).with("fill", colour(mark));
        let text = text.with_some("font-weight", bold.then_some("bold"));
        texts.push(text.text(content));
        *area = area.join(Rect::of_text(content, (area.left, y - LINE)));
        y += LINE + 1.0;
    };
    line(&scene.title, Mark::Plain, true);
    for note in &scene.notes {
        line(note, Mark::Plain, false);
    }
    for (mark, what) in [
        (Mark::Added, "thick: added"),
        (Mark::Changed, "thick, with a struck text: changed"),
        (
            Mark::Removed,
            "dotted and crossed, with a line beside its texts: removed",
        ),
    ] {
        if scene.has(mark) {
            line(what, mark, false);
        }
    }
    texts
}

/// The legend of arrow heads and other signs, below everything; `None` without arrows.
fn heads(scene: &Scene, area: &mut Rect) -> Option<Element> {
    let content = match &scene.nested {
        Some(nested) => nested_signs(nested),
        None if scene.arrows.is_empty() => String::new(),
        None => "full heads: inputs; open heads: outputs and internal steps; double circle: initial".to_owned(),
    };
    // Below a legend, it is the next line.
    let y = area.bottom + LINE + 1.0;
    let text = text_at(area.left, y).with("fill", colour(Mark::Plain)).text(&*content);
    (!content.is_empty()).then(|| {
        *area = area.join(Rect::of_text(&content, (area.left, y - LINE)));
        text
    })
}
