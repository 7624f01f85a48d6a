//! The change of a mutation in the text of its file: one place and its new text.

use std::collections::BTreeMap;

use crate::document::{Document, TextPlace};
use crate::writing::edit::Edit;
use crate::writing::fresh::mark;
use crate::writing::write_template::Copy;
use crate::writing::writer::{TemplateWriter, WriteError, parse};
use tamper_text::Span;
use tamper_text::xml::{self, Element};
use tamper_timed::model::ActionId;
use tamper_timed::mutation::{AlteredPart, Mutation};

/// A place of a file and a new text for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// The place, in the decoded text.
    pub place: Span,
    /// The new text.
    pub text: String,
}

/// The change that each of `mutations` makes to automaton `index` of `document`. In addition, the edges of a removed
/// location are removed, and the action of an added edge has to be declared.
///
/// # Errors
/// The file has something that cannot be patched.
///
/// # Panics
/// If there is no automaton of that index, or a mutation was made for another one.
pub fn replacements(document: &Document, index: usize, mutations: &[Mutation]) -> Result<Vec<Replacement>, WriteError> {
    let document = &*document.in_xml();
    let xml = parse(document.source().text())?;
    let writer = TemplateWriter::new(document, index, &xml)?;
    let copy = Copy {
        writer: &writer,
        ids: BTreeMap::new(),
        own: Vec::new(),
    };
    let one = |mutation: &Mutation| {
        let automaton = writer.automaton();
        // A mutation with memory is shown as its change.
        let mutation = &mutation.once();
        if let Mutation::Alter { alteration, .. } = mutation
            && let AlteredPart::Action(action) = alteration.part()
        {
            return Ok(channel(&copy, action, mutation));
        }
        let edits = Edit::of(mutation, automaton)?;
        let is_in_file = |edit: &&Edit| !matches!(edit, Edit::AddLocation(_));
        let edit = edits.iter().find(is_in_file).ok_or(WriteError::NoSuchPart)?;
        Ok(replacement(&copy, edit))
    };
    mutations.iter().map(one).collect()
}

/// A channel has no place in the template: the replacement is a comment at the first edge on the channel, which
/// describes the mutation.
fn channel(copy: &Copy<'_>, action: ActionId, mutation: &Mutation) -> Replacement {
    let automaton = copy.writer.automaton();
    let layout = copy.writer.document.layout(copy.writer.index);
    let mut edges = automaton.edges().iter_enumerated();
    let first = edges
        .find(|(_, edge)| edge.action == action)
        .map(|(id, _)| &layout.edges[id]);
    Replacement {
        place: first.map_or(layout.template, |place| {
            place.synchronisation.map_or(place.element, |text| text.content)
        }),
        text: xml::content(&format!("/* {} */", mutation.describe(automaton))).into_owned(),
    }
}

fn replacement(copy: &Copy<'_>, edit: &Edit) -> Replacement {
    let layout = copy.writer.document.layout(copy.writer.index);
    let gone = |place| Replacement {
        place,
        text: String::new(),
    };
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
        Edit::AddLocation(name) => Replacement {
            place: layout.name.element,
            text: Element::new("location")
                .child(Element::new("name").text(name))
                .to_string(),
        },
        Edit::AddEdge(edge) => {
            let writer = copy.writer;
            let template = &writer.text[layout.template.range()];
            // A template has a closing tag, since it contains locations.
            let end = template.rfind("</").unwrap_or(template.len());
            let place = Span::new(layout.template.start as usize + end, layout.template.end as usize);
            let tag = &writer.text[place.range()];
            Replacement {
                place,
                text: format!("{}{}{tag}", copy.transition(edge), writer.newline),
            }
        }
    }
}
