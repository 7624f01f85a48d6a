//! The positions of a game's parts in the drawing of its file.

use std::collections::BTreeMap;

use roxmltree::{Node, ParsingOptions};

use crate::document::Document;
use crate::network_file::NetworkFile;
use crate::writing::spelling::{Spelling, on_one_line};
use tamper_text::{IndexVec, Span};
use tamper_timed::model::{Automaton, EdgeId, LocId};

/// A point of a drawing: x grows to the right, y downwards.
pub type Point = (f64, f64);

/// The drawing and the spelling of one game, as far as its file has them.
#[derive(Clone, Default, Debug)]
pub struct Placement {
    by_name: BTreeMap<String, Point>,
    /// The locations.
    pub locations: IndexVec<LocId, LocationAt>,
    /// The edges.
    pub edges: IndexVec<EdgeId, EdgeAt>,
    /// The spelling of labels that name constants.
    pub spelling: Spelling,
}

/// The positions of a location and of its labels.
#[derive(Clone, Default, Debug)]
pub struct LocationAt {
    /// Its centre.
    pub centre: Option<Point>,
    /// The position of its name: the left end of the line above the text's.
    pub name: Option<Point>,
    /// Its invariant.
    pub invariant: Option<Point>,
}

/// The positions of an edge's nails and labels.
#[derive(Clone, Default, Debug)]
pub struct EdgeAt {
    /// The points it goes through between its ends.
    pub nails: Vec<Point>,
    /// Its labels by their kind.
    pub labels: BTreeMap<String, Point>,
}

impl Placement {
    /// The position of the location of that name.
    pub fn location(&self, name: &str) -> Option<Point> {
        self.by_name.get(name).copied()
    }
}

impl Document {
    /// The drawing of automaton `index`.
    ///
    /// # Panics
    /// If there is no automaton of that index.
    pub fn placement(&self, index: usize) -> Placement {
        let options = ParsingOptions {
            allow_dtd: true,
            ..ParsingOptions::default()
        };
        let document = &*self.in_xml();
        let layout = document.layout(index);
        let Ok(xml) = roxmltree::Document::parse_with_options(document.source().text(), options) else {
            return Placement::default();
        };
        let start = layout.template.start as usize;
        let templates = xml.root_element().children();
        let Some(template) = templates
            .into_iter()
            .find(|node| node.is_element() && node.range().start == start)
        else {
            return Placement::default();
        };
        let children: BTreeMap<usize, Node<'_, '_>> =
            template.children().map(|node| (node.range().start, node)).collect();
        let node = |element: Span| children.get(&(element.start as usize)).copied();
        let locations: IndexVec<LocId, LocationAt> = layout
            .locations
            .iter()
            .map(|place| node(place.element).map(location).unwrap_or_default())
            .collect();
        let edges = layout.edges.iter();
        let edges = edges
            .map(|place| node(place.element).map(edge).unwrap_or_default())
            .collect();
        let names = self.automata()[index]
            .locations()
            .iter()
            .map(|location| location.name.to_string());
        let centres = locations.iter().map(|location| location.centre);
        let by_name = names
            .zip(centres)
            .filter_map(|(name, centre)| Some((name, centre?)))
            .collect();
        Placement {
            by_name,
            locations,
            edges,
            spelling: Spelling::of(document, index, &xml),
        }
    }
}

/// The drawing of the template of that name in `file`, and its labels as spelled there; empty unless it has the same
/// number of locations and edges as `automaton`, which stands for it.
pub fn template_placement(file: &NetworkFile, name: &str, automaton: &Automaton) -> Placement {
    let file = file.in_xml();
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let Ok(xml) = roxmltree::Document::parse_with_options(file.source.text(), options) else {
        return Placement::default();
    };
    let is_meant = |node: &Node<'_, '_>| {
        let found = node.children().find(|child| child.has_tag_name("name"));
        node.has_tag_name("template")
            && found
                .and_then(|found| found.text())
                .is_some_and(|text| text.trim() == name)
    };
    let Some(template) = xml.root_element().children().find(is_meant) else {
        return Placement::default();
    };
    let all = |tag: &'static str| template.children().filter(move |node| node.has_tag_name(tag));
    let locations: IndexVec<LocId, LocationAt> = all("location").map(location).collect();
    let edges: IndexVec<EdgeId, EdgeAt> = all("transition").map(edge).collect();
    let spelling = Spelling {
        invariants: all("location").map(|node| written(node, "invariant")).collect(),
        labels: all("transition")
            .map(|node| {
                let kinds = ["select", "guard", "synchronisation", "assignment"].into_iter();
                kinds.filter_map(|kind| Some((kind, written(node, kind)?))).collect()
            })
            .collect(),
        ..Spelling::default()
    };
    match (locations.len(), edges.len()) == (automaton.locations().len(), automaton.edges().len()) {
        true => Placement {
            locations,
            edges,
            spelling,
            ..Placement::default()
        },
        false => Placement::default(),
    }
}

/// The text of the label of that kind.
fn written(node: Node<'_, '_>, kind: &str) -> Option<String> {
    let mut labels = node.children().filter(|child| child.has_tag_name("label"));
    let label = labels.find(|label| label.attribute("kind") == Some(kind))?;
    Some(on_one_line(label.text()?)).filter(|text| !text.is_empty())
}

fn location(node: Node<'_, '_>) -> LocationAt {
    let child = |name: &str, kind: Option<&str>| {
        let mut found = node
            .children()
            .filter(|child| child.has_tag_name(name) && child.attribute("kind") == kind);
        found.next().and_then(point)
    };
    LocationAt {
        centre: point(node),
        name: child("name", None),
        invariant: child("label", Some("invariant")),
    }
}

fn edge(node: Node<'_, '_>) -> EdgeAt {
    let labels = node.children().filter(|child| child.has_tag_name("label"));
    EdgeAt {
        nails: node
            .children()
            .filter(|child| child.has_tag_name("nail"))
            .filter_map(point)
            .collect(),
        labels: labels
            .filter_map(|label| Some((label.attribute("kind")?.to_owned(), point(label)?)))
            .collect(),
    }
}

fn point(node: Node<'_, '_>) -> Option<Point> {
    let coordinate = |name: &str| {
        let value: f64 = node.attribute(name)?.trim().parse().ok()?;
        value.is_finite().then_some(value)
    };
    Some((coordinate("x")?, coordinate("y")?))
}
