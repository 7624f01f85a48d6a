//! A scene as DOT, for Graphviz.

use std::fmt::Write as _;

use super::dot_words::{look, quoted, shown};
use super::nested::push_nested;
use super::scene::Scene;
use tamper_text::xml::Element;
use tamper_timed::model::Urgency;

/// The graph of `scenes`; several scenes are a cluster each. The places of a single scene from a file are given in points, y upwards, for
/// `neato -n`; `dot` arranges the graph again.
pub fn scenes_dot(scenes: &[Scene]) -> String {
    let name = match scenes {
        [only] => only.title.as_str(),
        _ => "network",
    };
    let mut text = format!("digraph {} {{\n", quoted(name));
    text.push_str("  graph [rankdir=LR, labelloc=b];\n");
    text.push_str("  node [shape=ellipse, fontname=\"Helvetica\", fontsize=11];\n");
    text.push_str("  edge [fontname=\"Helvetica\", fontsize=10];\n");
    let mut first = 0;
    for (at, scene) in scenes.iter().enumerate() {
        let notes = [scene.title.clone()].into_iter().chain(scene.notes.iter().cloned());
        let title = quoted(&notes.collect::<Vec<_>>().join("\n"));
        // Writing to a string does not fail.
        let _ = match scenes.len() {
            1 => writeln!(text, "  label={title};"),
            _ => writeln!(text, "  subgraph cluster_{at} {{\n  label={title};"),
        };
        push_scene(
            &mut text,
            scene,
            Numbers {
                first,
                places: scene.is_kept && scenes.len() == 1,
            },
        );
        first += scene.nodes.len();
        if scenes.len() > 1 {
            text.push_str("  }\n");
        }
    }
    text.push_str("}\n");
    text
}

/// The number of a scene's first node, and whether the nodes' places are written.
#[derive(Clone, Copy)]
struct Numbers {
    first: usize,
    places: bool,
}

fn push_scene(text: &mut String, scene: &Scene, Numbers { first, places }: Numbers) {
    if let Some(nested) = &scene.nested {
        push_nested(text, nested);
        return;
    }
    for (number, node) in (first..).zip(&scene.nodes) {
        let urgency = match node.urgency {
            Urgency::Normal => "",
            Urgency::Urgent => " (U)",
            Urgency::Committed => " (C)",
        };
        let mut lines = vec![Element::new("b").text(format!("{}{urgency}", node.name)).to_string()];
        lines.extend(node.invariant.as_ref().map(|label| shown(label, node.mark)));
        let mut attributes = vec![format!("label=<{}>", lines.join("<br/>")), look(node.mark)];
        if node.initial {
            attributes.push("peripheries=2".to_owned());
        }
        if places {
            attributes.push(format!("pos=\"{:.1},{:.1}\"", node.centre.0, -node.centre.1));
        }
        let _ = writeln!(text, "  n{number} [{}];", attributes.join(", "));
    }
    for arrow in &scene.arrows {
        let lines: Vec<String> = arrow.labels.iter().map(|label| shown(label, arrow.mark)).collect();
        let head = if arrow.is_input { "normal" } else { "empty" };
        let label = if lines.is_empty() {
            String::new()
        } else {
            format!("label=<{}>, ", lines.join("<br/>"))
        };
        let _ = writeln!(
            text,
            "  n{} -> n{} [{label}arrowhead={head}, {}];",
            first + arrow.source,
            first + arrow.target,
            look(arrow.mark)
        );
    }
}
