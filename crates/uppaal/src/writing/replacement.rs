//! The change of a mutation in the text of its file: one place and its new text.

use std::collections::BTreeMap;

use crate::document::{Document, Layout, TextPlace};
use crate::network_file::NetworkFile;
use crate::writing::edit::Edit;
use crate::writing::fresh::mark;
use crate::writing::patch::Patches;
use crate::writing::write_featured_network::TemplateMutants;
use crate::writing::write_network::NetworkWriter;
use crate::writing::write_template::Copy;
use crate::writing::writer::{TemplateWriter, WriteError, parse};
use tamper_text::xml::{self, Element};
use tamper_text::{SourceFile, Span};
use tamper_timed::model::{Automaton, LocId};
use tamper_timed::mutation::{Alteration, AlteredPart, Mutation, Site};

/// A place of a file and a new text for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// The place, in the decoded text.
    pub place: Span,
    /// The new text.
    pub text: String,
}

/// The change that each of `mutations` makes to automaton `index` of `document`. In addition, the edges of a removed
/// location are removed, and the action of an added edge has to be declared. In a file that is not UPPAAL's XML, or that
/// has branchpoints, the new text describes the change.
///
/// # Errors
/// The file has something that cannot be patched.
///
/// # Panics
/// If there is no automaton of that index, or a mutation was made for another one.
pub fn replacements(document: &Document, index: usize, mutations: &[Mutation]) -> Result<Vec<Replacement>, WriteError> {
    let shown = ShownTemplate {
        source: &document.source,
        layout: document.layout(index),
        automaton: &document.automata[index],
    };
    if document.foreign.is_some() {
        return Ok(mutations.iter().map(|mutation| shown.described(mutation)).collect());
    }
    let xml = parse(document.source().text())?;
    let writer = TemplateWriter::new(document, index, &xml)?;
    let copy = Copy {
        writer: &writer,
        ids: BTreeMap::new(),
        own: Vec::new(),
    };
    let one = |mutation: &Mutation| {
        // A mutation with memory is shown as its change.
        let mutation = &mutation.once();
        if let Mutation::Alter { alteration, .. } = mutation
            && let AlteredPart::Action(_) = alteration.part()
        {
            return Ok(shown.described(mutation));
        }
        let edits = Edit::of(mutation, shown.automaton)?;
        let is_in_file = |edit: &&Edit| !matches!(edit, Edit::AddLocation(_));
        let edit = edits.iter().find(is_in_file).ok_or(WriteError::NoSuchPart)?;
        Ok(replacement(&copy, edit))
    };
    mutations.iter().map(one).collect()
}

/// The same for mutations of a process in the file of its network, and its template with it. `automaton` is the process
/// as the operators see it. A change that is not written into such files is described.
///
/// # Errors
/// The file declares entities.
///
/// # Panics
/// If there is no such process, or a mutation was made for another one.
pub fn network_replacements(
    file: &NetworkFile,
    of: &TemplateMutants,
    automaton: &Automaton,
) -> Result<Vec<Replacement>, WriteError> {
    let shown = ShownTemplate {
        source: &file.source,
        layout: &file.places[of.process].layout,
        automaton,
    };
    let mutations = of.mutations.iter().map(|(_, mutation)| mutation);
    if file.foreign.is_some() {
        return Ok(mutations.map(|mutation| shown.described(mutation)).collect());
    }
    let xml = parse(file.source.text())?;
    let writer = NetworkWriter::new(file, xml.root_element(), of.process, &of.invariants, &of.guards)?;
    let one = |mutation| written(&writer, &shown, mutation).unwrap_or_else(|| shown.described(mutation));
    Ok(mutations.map(one).collect())
}

/// The change in the network's file, if it is written there and in one place.
fn written(writer: &NetworkWriter<'_, '_>, shown: &ShownTemplate<'_>, mutation: &Mutation) -> Option<Replacement> {
    // An exported network keeps removed edges, which are never enabled: readers of a report see them removed.
    match *mutation {
        Mutation::RemoveEdge { edge } => return Some(gone(shown.layout.edges[edge].element)),
        Mutation::RemoveLocation { location } => return Some(gone(shown.layout.locations[location].element)),
        _ => {}
    }
    let mut patches = Patches::default();
    writer.mutate(&mut patches, mutation, None).ok()?;
    let (place, text) = patches.single()?;
    Some(match mutation {
        Mutation::AddEdge { .. } => before_end(shown.source.text(), shown.layout.template, &text),
        _ => Replacement { place, text },
    })
}

/// A template in the file that a report shows.
struct ShownTemplate<'a> {
    source: &'a SourceFile,
    layout: &'a Layout,
    automaton: &'a Automaton,
}

impl ShownTemplate<'_> {
    /// The changed part as it is, and a comment that describes the change.
    fn described(&self, mutation: &Mutation) -> Replacement {
        let text = self.source.text();
        let place = self.place(&mutation.once());
        let old = &text[place.range()];
        let change = mutation.describe(self.automaton);
        let comment = match (old.starts_with('<'), text.trim_start().starts_with('<')) {
            (true, _) => format!("<!-- {} -->", change.replace("--", "- -")),
            (false, true) => xml::content(&format!(" /* {change} */")).into_owned(),
            (false, false) => format!(" /* {change} */"),
        };
        Replacement {
            place,
            text: format!("{old}{comment}"),
        }
    }

    /// The part that a mutation without memory changes; of a new edge the location that it leaves. A channel has no
    /// place in the template: it stands for its first edge there.
    fn place(&self, mutation: &Mutation) -> Span {
        let Layout { locations, edges, .. } = self.layout;
        let label = |label: Option<TextPlace>, element: Span| label.map_or(element, |label| label.content);
        let at = |site: Site| match site {
            Site::Guard(edge) => label(edges[edge].guard, edges[edge].element),
            Site::Invariant(location) => label(locations[location].invariant, locations[location].element),
        };
        let location = |location: LocId| locations[location].element;
        match *mutation {
            Mutation::RemoveEdge { edge } => edges[edge].element,
            Mutation::RemoveLocation { location: gone } => location(gone),
            Mutation::AddEdge { source, .. } => location(source),
            Mutation::LargerConstant { site, .. } | Mutation::SmallerConstant { site, .. } => at(site),
            Mutation::NegateGuard { edge, .. } => at(Site::Guard(edge)),
            Mutation::Again(memory) => self.place(&memory.once()),
            Mutation::Alter {
                alteration: Alteration::Variant { variant },
                ..
            } => self.automaton.variants().all()[variant as usize].place,
            Mutation::Alter { alteration, .. } => match alteration.part() {
                AlteredPart::Whole => self.layout.name.element,
                AlteredPart::Constraint(site) => at(site),
                AlteredPart::Edge(edge) => edges[edge].element,
                AlteredPart::Location(altered) => locations[altered].tag,
                AlteredPart::Action(action) => {
                    let mut all = self.automaton.edges().iter_enumerated();
                    let first = all.find(|(_, edge)| edge.action == action).map(|(id, _)| &edges[id]);
                    first.map_or(self.layout.name.element, |edge| {
                        label(edge.synchronisation, edge.element)
                    })
                }
            },
        }
    }
}

/// A part without a new text.
fn gone(place: Span) -> Replacement {
    Replacement {
        place,
        text: String::new(),
    }
}

/// A new text before the closing tag of a template, which it has, since it contains locations.
fn before_end(text: &str, template: Span, new: &str) -> Replacement {
    let whole = &text[template.range()];
    let end = whole.rfind("</").unwrap_or(whole.len());
    let place = Span::new(template.start as usize + end, template.end as usize);
    Replacement {
        place,
        text: format!("{new}{}", &text[place.range()]),
    }
}

fn replacement(copy: &Copy<'_>, edit: &Edit) -> Replacement {
    let layout = copy.writer.document.layout(copy.writer.index);
    let changed = |place: Option<TextPlace>, element: Span, text: &str| Replacement {
        place: place.map_or(element, |place| place.content),
        text: xml::content(text).into_owned(),
    };
    match edit {
        Edit::RemoveEdge(edge) => gone(layout.edges[*edge].element),
        Edit::RemoveLocation(location) => gone(layout.locations[*location].element),
        Edit::SetGuard(edge, text) => {
            let place = &layout.edges[*edge];
            changed(place.guard, place.element, text)
        }
        Edit::SetInvariant(location, text) => {
            let place = &layout.locations[*location];
            changed(place.invariant, place.element, text)
        }
        Edit::SetEdge(id, edge) => Replacement {
            place: layout.edges[*id].element,
            text: copy.transition(edge).trim_start().to_owned(),
        },
        Edit::SetUrgency(location, urgency) => {
            let place = layout.locations[*location].tag;
            let text = mark(*urgency).map_or_else(|| "<!-- time may pass -->".to_owned(), |mark| mark.to_string());
            Replacement {
                place,
                text: format!("{}{text}", &copy.writer.text[place.range()]),
            }
        }
        Edit::Declare(declaration) => Replacement {
            place: layout.name.element,
            text: Element::new("declaration").text(declaration).to_string(),
        },
        Edit::AddLocation(name) => Replacement {
            place: layout.name.element,
            text: Element::new("location")
                .child(Element::new("name").text(name))
                .to_string(),
        },
        Edit::AddEdge(edge) => {
            let writer = copy.writer;
            let new = format!("{}{}", copy.transition(edge), writer.newline);
            before_end(writer.text, layout.template, &new)
        }
    }
}
