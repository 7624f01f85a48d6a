//! A feature model as a tree, from left to right: a row per leaf, so that large models stay readable.

use std::fmt::Write as _;

use super::dot_words::quoted;
use super::geometry::{LINE, Rect};
use super::marks::{Mark, colour};
use super::shapes::{circle, rectangle, text_at};
use super::svg::document;
use tamper_features::{FeatureExpr, FeatureId, FeatureModel, Group, GroupKind};
use tamper_text::xml::Element;
use tamper_text::{Id, IndexVec};
use tamper_uppaal::Point;

/// The distance between rows, and between a feature and its children.
const ROW: f64 = 22.0;
const GAP: f64 = 90.0;

fn bounds(group: &Group) -> String {
    match group.kind() {
        GroupKind::Mandatory => "mandatory".to_owned(),
        GroupKind::Optional => "optional".to_owned(),
        GroupKind::Or => "or".to_owned(),
        GroupKind::Alternative => "alternative".to_owned(),
        GroupKind::Cardinality { min, max } => format!("[{min}..{max}]"),
    }
}

struct TreeLayout {
    boxes: IndexVec<FeatureId, Rect>,
    next_row: f64,
}

/// The picture of `model`, its constraints below the tree.
pub fn tree_svg(model: &FeatureModel) -> String {
    let mut layout = TreeLayout {
        boxes: model.features().iter().map(|_| Rect::around((0.0, 0.0), 0.0)).collect(),
        next_row: 0.0,
    };
    place(model, &mut layout);
    let mut body = Vec::new();
    for group in model.groups() {
        draw_group(&mut body, &layout, group);
    }
    for (id, feature) in model.features().iter_enumerated() {
        let area = layout.boxes[id];
        let frame = rectangle(&area)
            .with("rx", 3)
            .with("fill", "white")
            .with("stroke", colour(Mark::Plain));
        body.push(frame.with_some("stroke-dasharray", feature.is_abstract.then_some("4 2")));
        body.push(text((area.left + 6.0, area.bottom - 5.0), feature.name()));
    }
    let mut area = layout
        .boxes
        .iter()
        .copied()
        .reduce(Rect::join)
        .unwrap_or(Rect::around((0.0, 0.0), 20.0));
    let mut y = area.bottom + 2.0 * LINE;
    let mut lines = Vec::new();
    for constraint in model.constraints() {
        let reason = match constraint.reason.is_empty() {
            true => String::new(),
            false => format!("   ({})", constraint.reason),
        };
        lines.push(format!("{}{reason}", clause(model, &constraint.expr)));
    }
    lines.extend(legend(model));
    for line in lines {
        body.push(text((area.left, y), &line));
        area = area.join(Rect::of_text(&line, (area.left, y - LINE)));
        y += LINE + 1.0;
    }
    document(&area, body)
}

/// A constraint as people write it: with `=>` before the excluded or implied feature.
fn clause(model: &FeatureModel, expr: &FeatureExpr) -> String {
    let FeatureExpr::Or(operands) = expr else {
        return model.show(expr);
    };
    let (mut premises, mut conclusions) = (Vec::new(), Vec::new());
    for operand in operands.iter().cloned() {
        match operand {
            FeatureExpr::Not(inner) => premises.push(FeatureExpr::clone(&inner)),
            other => conclusions.push(other),
        }
    }
    // `a excludes b` has no conclusion: the contrary of its last premise serves as one.
    if conclusions.is_empty() {
        conclusions.extend(premises.pop().map(|last| !last));
    }
    let premise = premises.into_iter().reduce(FeatureExpr::and);
    let conclusion = conclusions.into_iter().reduce(FeatureExpr::or);
    match (premise, conclusion) {
        (Some(premise), Some(conclusion)) => format!("{} => {}", model.show(&premise), model.show(&conclusion)),
        _ => model.show(expr),
    }
}

/// The legend: the meaning of each sign that the tree has.
fn legend(model: &FeatureModel) -> Vec<String> {
    let has = |kind: fn(&GroupKind) -> bool| model.groups().iter().any(|group| kind(&group.kind()));
    let is_abstract = model.features().iter().any(|feature| feature.is_abstract);
    let signs = [
        (
            has(|kind| *kind == GroupKind::Mandatory),
            "full circle: mandatory, in every product that has the feature to the left of it",
        ),
        (has(|kind| *kind == GroupKind::Optional), "open circle: optional"),
        (has(|kind| *kind == GroupKind::Or), "or: one of them or more"),
        (
            has(|kind| *kind == GroupKind::Alternative),
            "alternative: exactly one of them",
        ),
        (
            has(|kind| matches!(kind, GroupKind::Cardinality { .. })),
            "[n..m]: from n to m of them",
        ),
        (is_abstract, "dashed: abstract, a name for what is below it"),
    ];
    signs
        .into_iter()
        .filter(|(is_there, _)| *is_there)
        .map(|(_, text)| text.to_owned())
        .collect()
}

/// Children before parents: features are numbered parents first. A parent stands at the middle of its children.
fn place(model: &FeatureModel, layout: &mut TreeLayout) {
    // Rows in the order of the tree, without recursion: models may be deep.
    let mut stack = vec![(model.root(), 0.0, false)];
    while let Some((id, left, is_done)) = stack.pop() {
        let feature = &model.features()[id];
        let width = Rect::of_text(feature.name(), (0.0, 0.0)).width() + 14.0;
        let groups = feature.groups().iter().map(|group| &model.groups()[*group]);
        let children: Vec<FeatureId> = groups.flat_map(|group| group.members().iter().copied()).collect();
        if !children.is_empty() && !is_done {
            stack.push((id, left, true));
            let next = left + width + GAP;
            stack.extend(children.iter().rev().map(|child| (*child, next, false)));
            continue;
        }
        let middle = match (children.first(), children.last()) {
            (Some(first), Some(last)) => {
                let centre = |id: FeatureId| layout.boxes[id].top + layout.boxes[id].height() / 2.0;
                (centre(*first) + centre(*last)) / 2.0
            }
            _ => {
                layout.next_row += ROW;
                layout.next_row
            }
        };
        layout.boxes[id] = Rect {
            left,
            top: middle - 9.0,
            right: left + width,
            bottom: middle + 9.0,
        };
    }
}

fn draw_group(body: &mut Vec<Element>, layout: &TreeLayout, group: &Group) {
    let parent = layout.boxes[group.parent()];
    let from = (parent.right, parent.top + parent.height() / 2.0);
    let ends: Vec<Point> = group
        .members()
        .iter()
        .map(|member| {
            let area = layout.boxes[*member];
            (area.left, area.top + area.height() / 2.0)
        })
        .collect();
    let colour = colour(Mark::Plain);
    for end in &ends {
        let (left, right) = (from.0 + GAP / 2.0, end.0 - GAP / 2.0);
        let curve = [(left, from.1), (right, end.1), *end].map(|(x, y)| format!("{x:.1} {y:.1}"));
        let path = format!("M{:.1} {:.1} C{}", from.0, from.1, curve.join(" "));
        let path = Element::new("path").with("d", path).with("fill", "none");
        body.push(path.with("stroke", colour).with("stroke-width", 0.8));
        let fill = match group.kind() {
            GroupKind::Mandatory => colour,
            _ => "white",
        };
        if matches!(group.kind(), GroupKind::Mandatory | GroupKind::Optional) {
            let circle = circle((end.0 - 4.0, end.1), 4.0);
            body.push(circle.with("fill", fill).with("stroke", colour));
        }
    }
    let (Some(first), Some(last)) = (ends.first(), ends.last()) else {
        return;
    };
    if !matches!(group.kind(), GroupKind::Mandatory | GroupKind::Optional) {
        // Beside the parent, between the group's lines.
        let middle = (first.1 + last.1) / 2.0;
        let at = (from.0 + 4.0, (from.1 * 3.0 + middle) / 4.0 - 4.0);
        body.push(text(at, &bounds(group)));
    }
}

fn text(at: Point, content: &str) -> Element {
    let text = text_at(at.0, at.1).with("stroke", "white").with("stroke-width", 3);
    text.with("paint-order", "stroke").text(content)
}

/// The tree as DOT; constraints stand in the graph's label.
pub fn tree_dot(model: &FeatureModel) -> String {
    let constraints: Vec<String> = model
        .constraints()
        .iter()
        .map(|constraint| clause(model, &constraint.expr))
        .collect();
    let mut text = "digraph features {\n".to_owned();
    let _ = writeln!(
        text,
        "  graph [rankdir=LR, labelloc=b, labeljust=l, label={}];",
        quoted(&constraints.join("\n"))
    );
    text.push_str("  node [shape=box, fontname=\"Helvetica\", fontsize=11];\n  edge [arrowhead=none, fontsize=10];\n");
    for (id, feature) in model.features().iter_enumerated() {
        let style = if feature.is_abstract { ", style=dashed" } else { "" };
        let _ = writeln!(text, "  f{} [label={}{style}];", id.index(), quoted(feature.name()));
    }
    for group in model.groups() {
        let head = match group.kind() {
            GroupKind::Mandatory => "dot",
            GroupKind::Optional => "odot",
            _ => "none",
        };
        for (at, member) in group.members().iter().enumerate() {
            let label = match (head, at) {
                ("none", 0) => format!(", taillabel={}", quoted(&bounds(group))),
                _ => String::new(),
            };
            let _ = writeln!(
                text,
                "  f{} -> f{} [arrowhead={head}{label}];",
                group.parent().index(),
                member.index()
            );
        }
    }
    text.push_str("}\n");
    text
}
