//! A scene as SVG.

use std::fmt::Write as _;

use super::geometry::{LINE, RADIUS, Rect, direction};
use super::labels::{Placed, labels};
use super::route::{Way, along, routes};
use super::scene::{Arrow, Mark, Node, Scene};
use crate::formats::Point;
use crate::formats::escape_xml;
use crate::model::Urgency;

/// The colours of Okabe and Ito, which colour-blind readers tell apart; darkness differs, too.
pub(super) fn colour(mark: Mark) -> &'static str {
    match mark {
        Mark::Plain => "#222222",
        Mark::Added => "#0072B2",
        Mark::Changed => "#007A5A",
        Mark::Removed => "#D55E00",
    }
}

/// The picture of `scene`; the same bytes for the same scene.
pub fn scene_svg(scene: &Scene) -> String {
    let ways = routes(scene);
    let texts = labels(scene, &ways);
    let mut body = String::new();
    for (at, first) in scene.joined().into_iter().enumerate() {
        if first == at {
            draw_arrow(&mut body, &scene.arrows[at], &ways[at]);
        }
    }
    for node in &scene.nodes {
        draw_node(&mut body, node);
    }
    for text in &texts {
        draw_text(&mut body, text);
    }
    let mut area = bounds(scene, &ways, &texts);
    let legend = legend(scene, &mut area);
    document(&area, &(body + &legend))
}

/// The same picture for a page where parts are chosen: `data-parts` of a group are the numbers of the edges, and behind them of
/// the location, that it shows; `hit` is what a pointer meets.
pub fn scene_parts(scene: &Scene) -> String {
    let ways = routes(scene);
    let texts = labels(scene, &ways);
    let joined = scene.joined();
    let mut body = String::new();
    for (at, (arrow, way)) in scene.arrows.iter().zip(&ways).enumerate() {
        let members: Vec<usize> = (at..joined.len()).filter(|other| joined[*other] == at).collect();
        if members.is_empty() {
            continue;
        }
        open_group(&mut body, &members);
        let _ = writeln!(body, "<path class=\"hit\" d=\"{}\"/>", path(way));
        draw_arrow(&mut body, arrow, way);
        if let [only] = members[..] {
            draw_texts(&mut body, &texts, only);
        }
        body.push_str("</g>\n");
        for member in members.iter().filter(|_| members.len() > 1) {
            open_group(&mut body, &[*member]);
            draw_texts(&mut body, &texts, *member);
            body.push_str("</g>\n");
        }
    }
    for (part, node) in (scene.arrows.len()..).zip(&scene.nodes) {
        open_group(&mut body, &[part]);
        draw_node(&mut body, node);
        draw_texts(&mut body, &texts, part);
        let (x, y) = node.centre;
        let _ = writeln!(
            body,
            "<circle class=\"hit\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>\n</g>"
        );
    }
    let mut area = bounds(scene, &ways, &texts);
    let legend = legend(scene, &mut area);
    document(&area, &(body + &legend))
}

fn open_group(body: &mut String, parts: &[usize]) {
    let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
    let parts = parts.join(" ");
    let _ = writeln!(body, "<g data-parts=\"{parts}\" tabindex=\"0\" role=\"button\">");
}

/// The texts of one part, on the ground that a pointer meets.
fn draw_texts(body: &mut String, texts: &[Placed], part: usize) {
    for text in texts.iter().filter(|text| text.owner == part) {
        let area = text.area();
        let (width, height) = (area.width(), area.bottom - area.top);
        let _ = writeln!(
            body,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"transparent\"/>",
            area.left, area.top
        );
        draw_text(body, text);
    }
}

/// A whole file around `body`.
pub(super) fn document(area: &Rect, body: &str) -> String {
    let margin = 20.0;
    let (left, top) = (area.left - margin, area.top - margin);
    let (width, height) = (area.width() + 2.0 * margin, area.height() + 2.0 * margin);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left:.0} {top:.0} {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"DejaVu Sans, Verdana, Helvetica, sans-serif\" font-size=\"11\">\n\
         <rect x=\"{left:.0}\" y=\"{top:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" fill=\"white\"/>\n{body}</svg>\n"
    )
}

fn bounds(scene: &Scene, ways: &[Way], texts: &[Placed]) -> Rect {
    let nodes = scene.nodes.iter().map(|node| Rect::around(node.centre, RADIUS + 6.0));
    let points = ways.iter().flatten().map(|point| Rect::around(*point, 3.0));
    let all = nodes.chain(points).chain(texts.iter().map(Placed::area));
    all.reduce(Rect::join).unwrap_or(Rect::around((0.0, 0.0), 50.0))
}

fn draw_arrow(body: &mut String, arrow: &Arrow, way: &Way) {
    let colour = colour(arrow.mark);
    let (width, dash) = match arrow.mark {
        Mark::Plain => ("1.2", ""),
        Mark::Added => ("2.6", ""),
        Mark::Changed => ("2.2", ""),
        Mark::Removed => ("1.6", " stroke-dasharray=\"2 4\""),
    };
    let path = path(way);
    let _ = writeln!(
        body,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"{dash}/>"
    );
    let tip = way[way.len() - 1];
    let towards = direction(way[way.len() - 2], tip);
    head(body, tip, towards, colour, arrow.is_input);
    if arrow.mark == Mark::Removed {
        cross(body, along(way, 0.5).0, 6.0);
    }
}

fn path(way: &Way) -> String {
    let mut path = String::new();
    for (number, (x, y)) in way.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(path, "{}{x:.1} {y:.1}", if number == 0 { "M" } else { " L" });
    }
    path
}

/// The head of an arrow: full for inputs, open for what the system decides.
fn head(body: &mut String, tip: Point, towards: Point, colour: &str, full: bool) {
    let back = (tip.0 - towards.0 * 9.0, tip.1 - towards.1 * 9.0);
    let side = (-towards.1 * 4.0, towards.0 * 4.0);
    let fill = if full { colour } else { "white" };
    let _ = writeln!(
        body,
        "<polygon points=\"{:.1},{:.1} {:.1},{:.1} {:.1},{:.1}\" fill=\"{fill}\" stroke=\"{colour}\" stroke-linejoin=\"round\"/>",
        tip.0,
        tip.1,
        back.0 + side.0,
        back.1 + side.1,
        back.0 - side.0,
        back.1 - side.1
    );
}

fn cross(body: &mut String, centre: Point, size: f64) {
    let Rect {
        left,
        top,
        right,
        bottom,
    } = Rect::around(centre, size);
    let colour = colour(Mark::Removed);
    let _ = writeln!(
        body,
        "<path d=\"M{left:.1} {top:.1} L{right:.1} {bottom:.1} M{left:.1} {bottom:.1} L{right:.1} {top:.1}\" stroke=\"{colour}\" stroke-width=\"2.2\"/>"
    );
}

fn draw_node(body: &mut String, node: &Node) {
    let (x, y) = node.centre;
    let colour = colour(node.mark);
    let style = match node.mark {
        Mark::Plain => "stroke-width=\"1.2\"",
        Mark::Removed => "stroke-width=\"1.6\" stroke-dasharray=\"2 4\"",
        Mark::Added | Mark::Changed => "stroke-width=\"2.6\"",
    };
    let mut circle = |radius: f64, style: &str| {
        let _ = writeln!(
            body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"white\" stroke=\"{colour}\" {style}/>"
        );
    };
    circle(RADIUS, style);
    if node.initial {
        circle(RADIUS - 4.0, "stroke-width=\"1.2\"");
    }
    let letter = match node.urgency {
        Urgency::Normal => "",
        Urgency::Urgent => "U",
        Urgency::Committed => "C",
    };
    if !letter.is_empty() {
        let _ = writeln!(
            body,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{colour}\">{letter}</text>",
            y + 4.0
        );
    }
    if node.mark == Mark::Removed {
        cross(body, node.centre, 9.0);
    }
}

fn draw_text(body: &mut String, placed: &Placed) {
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
        ("name", _) | (_, true) => " font-weight=\"bold\"",
        _ => "",
    };
    let struck = match mark == Mark::Removed {
        true => " text-decoration=\"line-through\"",
        false => "",
    };
    let text = escape_xml(&placed.text);
    let content = match &placed.old {
        Some(old) => format!(
            "<tspan text-decoration=\"line-through\" font-weight=\"normal\">{}</tspan> \u{2192} {text}",
            escape_xml(old)
        ),
        None => text,
    };
    // A white halo keeps texts readable where a line passes.
    let _ = writeln!(
        body,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\"{weight}{struck} stroke=\"white\" stroke-width=\"3\" \
         paint-order=\"stroke\" stroke-linejoin=\"round\">{content}</text>"
    );
}

/// The title and what the marks mean, below the drawing.
fn legend(scene: &Scene, area: &mut Rect) -> String {
    let mut text = String::new();
    let mut y = area.bottom + 2.0 * LINE;
    let mut line = |content: &str, mark: Mark, bold: bool| {
        let weight = if bold { " font-weight=\"bold\"" } else { "" };
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{y:.1}\" fill=\"{}\"{weight}>{}</text>",
            area.left,
            colour(mark),
            escape_xml(content)
        );
        *area = area.join(Rect::of_text(content, (area.left, y - LINE)));
        y += LINE + 1.0;
    };
    line(&scene.title, Mark::Plain, true);
    for note in &scene.notes {
        line(note, Mark::Plain, false);
    }
    let has = |mark: Mark| {
        scene.nodes.iter().any(|node| node.mark == mark) || scene.arrows.iter().any(|arrow| arrow.mark == mark)
    };
    for (mark, what) in [
        (Mark::Added, "thick: added"),
        (Mark::Changed, "thick, with a struck text: changed"),
        (Mark::Removed, "dotted and crossed: removed"),
    ] {
        if has(mark) {
            line(what, mark, false);
        }
    }
    if !scene.arrows.is_empty() {
        line(
            "full heads: inputs; open heads: outputs and internal steps; double circle: initial",
            Mark::Plain,
            false,
        );
    }
    text
}
