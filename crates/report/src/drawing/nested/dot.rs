//! Nested boxes as clusters of Graphviz.

use std::fmt::Write as _;

use super::picture::{DrawnArrow, Line, Nested};
use crate::drawing::dot_words::{look, quoted, shown};
use tamper_text::xml::Element;
use tamper_timed::model::BoxKind;

/// Writes boxes as clusters, with an invisible point in each for the ends of arrows, and boxes without any within them as nodes.
pub(in crate::drawing) fn push_nested(text: &mut String, nested: &Nested) {
    text.push_str("  graph [compound=true, rankdir=TB];\n  node [shape=box, style=rounded];\n");
    push_box(text, nested, 0);
    for arrow in &nested.arrows {
        push_arrow(text, nested, arrow);
    }
}

/// The node that stands for a box.
fn node(nested: &Nested, at: usize) -> String {
    let is_cluster = !nested.boxes[at].children.is_empty();
    format!("{}{at}", if is_cluster { "within" } else { "n" })
}

fn push_box(text: &mut String, nested: &Nested, at: usize) {
    let own = &nested.boxes[at];
    let line = |line: &Line| shown(&line.label, line.mark);
    let name = Element::new("b").text(&*own.name).to_string();
    let sign = match own.kind {
        BoxKind::History { deep: true } => Some("H*".to_owned()),
        BoxKind::History { deep: false } => Some("H".to_owned()),
        BoxKind::Plain | BoxKind::Parallel | BoxKind::Final => None,
    };
    let lines = sign.into_iter().chain([name]).chain(own.lines.iter().map(line));
    let label = lines.collect::<Vec<_>>().join("<br/>");
    let style = match nested.is_region(own) {
        true => "rounded,dashed",
        false => "rounded",
    };
    // Writing to a string does not fail.
    if own.children.is_empty() {
        let more = match own.kind {
            BoxKind::Final => ", peripheries=2",
            BoxKind::History { .. } => ", shape=circle",
            BoxKind::Plain | BoxKind::Parallel => "",
        };
        let _ = writeln!(text, "  n{at} [label=<{label}>, style={}{more}];", quoted(style));
        return;
    }
    let _ = writeln!(text, "  subgraph cluster_box{at} {{");
    let _ = writeln!(text, "  label=<{label}>; style={};", quoted(style));
    let _ = writeln!(text, "  within{at} [shape=point, style=invis];");
    if nested.arrows.iter().any(|arrow| arrow.is_initial && arrow.source == at) {
        let _ = writeln!(text, "  initial{at} [shape=point, width=0.12];");
    }
    for child in &own.children {
        push_box(text, nested, *child);
    }
    text.push_str("  }\n");
}

fn push_arrow(text: &mut String, nested: &Nested, arrow: &DrawnArrow) {
    let source = match arrow.is_initial {
        true => format!("initial{}", arrow.source),
        false => node(nested, arrow.source),
    };
    for (at, target) in arrow.targets.iter().enumerate() {
        let mut attributes = vec![look(arrow.mark)];
        // Several targets are several arrows with one text.
        if at == 0 && !arrow.label.text.is_empty() {
            attributes.push(format!("label=<{}>", shown(&arrow.label, arrow.mark)));
        }
        // An arrow between a box and one within it ends at its invisible point.
        let is_beside = |one: usize, other: usize| !nested.around(other).any(|around| around == one);
        let is_cluster = |at: usize| !nested.boxes[at].children.is_empty();
        if !arrow.is_initial && is_cluster(arrow.source) && is_beside(arrow.source, *target) {
            attributes.push(format!("ltail=cluster_box{}", arrow.source));
        }
        if is_cluster(*target) && is_beside(*target, arrow.source) {
            attributes.push(format!("lhead=cluster_box{target}"));
        }
        let target = node(nested, *target);
        let _ = writeln!(text, "  {source} -> {target} [{}];", attributes.join(", "));
    }
}
