//! A mutant of a network as a UPPAAL file: the file it was made from with one mutation written into its template.
//!
//! The text is patched at the spans the reader found; everything else stays byte for byte. A removed edge is kept with
//! the guard `false`: so its channels keep their users, and no channel is left open to the outside. A mutation of one
//! instance is written into a copy of the template, which the instantiation names instead; or, if only parameters tell
//! the instances apart, under a condition on these.

use roxmltree::Node;

use crate::document::{EdgePlace, TextPlace};
use crate::language::{InstancePlace, PartPlace, ProcessPlaces};
use crate::network_file::NetworkFile;
use crate::text::content_span;
use crate::writing::patch::Patches;
use crate::writing::writer::{WriteError, behind_edges, child_at, end_of_target, in_utf8, parse};
use tamper_text::xml::{self, Element};
use tamper_text::{Id, Span};
use tamper_timed::model::{Cmp, EdgeId, LocId, Role, SimpleConstraint};
use tamper_timed::mutation::{Mutation, Site};
use tamper_timed::network::Condition;

/// The processes that a mutation changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changed {
    /// All processes of the template of the process at that position.
    Template(usize),
    /// The process at that position.
    Process(usize),
}

/// The file with `mutation` written into it. `invariants`, by location of the process, and `guards`, by edge, map each
/// atom that the mutation operators see to its part of the conjunction.
///
/// # Errors
/// The file has something that cannot be patched.
///
/// # Panics
/// If there is no process of that position, or the mutation was made for another one.
pub fn write_network_mutant(
    file: &NetworkFile,
    changed: Changed,
    mutation: &Mutation,
    invariants: &[Vec<usize>],
    guards: &[Vec<usize>],
) -> Result<String, WriteError> {
    if !file.network.vectors.is_empty() {
        return Err(WriteError::Vectors);
    }
    let file = &*file.in_xml();
    let text = file.source.text();
    let xml = parse(text)?;
    let (Changed::Template(process) | Changed::Process(process)) = changed;
    let places = &file.places[process];
    let suffix = match (changed, &places.instance) {
        (Changed::Process(_), InstancePlace::Instantiated(_)) => suffix(text),
        _ => String::new(),
    };
    let writer = NetworkWriter {
        suffix,
        ..NetworkWriter::new(file, xml.root_element(), process, invariants, guards)?
    };
    match (changed, &places.instance) {
        (Changed::Template(_), _) | (Changed::Process(_), InstancePlace::Only) => writer.in_place(mutation, None),
        (Changed::Process(_), InstancePlace::Instantiated(named)) => writer.in_a_copy(mutation, *named),
        (Changed::Process(_), InstancePlace::Values(values)) => {
            let equals = values.iter().map(|(name, value)| format!("{name} == {value}"));
            let only = equals.collect::<Vec<_>>().join(" && ");
            writer.in_place(mutation, Some((&only, values)))
        }
        (Changed::Process(_), InstancePlace::Otherwise) => {
            let name = file.network.processes[process].name.to_string();
            Err(WriteError::Instance(name))
        }
    }
}

/// The condition under which the mutation takes place, and the parameters in it.
pub(crate) type Only<'o> = Option<(&'o str, &'o [(String, i64)])>;

/// Writes mutations into one template of a file.
pub(crate) struct NetworkWriter<'a, 'x> {
    file: &'a NetworkFile,
    text: &'a str,
    root: Node<'x, 'x>,
    template: Node<'x, 'x>,
    pub(crate) places: &'a ProcessPlaces,
    invariants: &'a [Vec<usize>],
    guards: &'a [Vec<usize>],
    /// The suffix of ids in the template's copy.
    suffix: String,
}

/// A suffix that no id of the file has.
fn suffix(text: &str) -> String {
    let mut suffix = "_mutant".to_owned();
    while ["\"", "'"]
        .iter()
        .any(|quote| text.contains(&format!("{suffix}{quote}")))
    {
        suffix.push('_');
    }
    suffix
}

impl<'a, 'x> NetworkWriter<'a, 'x> {
    /// A writer for the template of a process of `file`, whose root element is `root`. `invariants`, by location, and
    /// `guards`, by edge, hold the part of its conjunction that each atom belongs to.
    pub(crate) fn new(
        file: &'a NetworkFile,
        root: Node<'x, 'x>,
        process: usize,
        invariants: &'a [Vec<usize>],
        guards: &'a [Vec<usize>],
    ) -> Result<Self, WriteError> {
        let places = &file.places[process];
        Ok(Self {
            file,
            text: file.source.text(),
            root,
            template: child_at(root, places.layout.template).ok_or(WriteError::NoSuchPart)?,
            places,
            invariants,
            guards,
            suffix: String::new(),
        })
    }

    fn in_place(&self, mutation: &Mutation, only: Only<'_>) -> Result<String, WriteError> {
        let mut patches = Patches::default();
        self.mutate(&mut patches, mutation, only)?;
        self.declare_channel(&mut patches, mutation);
        Ok(in_utf8(patches, self.text))
    }

    /// The file with a changed copy of the template before it; the instantiation at `named` uses the copy.
    fn in_a_copy(&self, mutation: &Mutation, named: Span) -> Result<String, WriteError> {
        let layout = &self.places.layout;
        let name = &self.text[layout.name.content.range()];
        let fresh = fresh(self.text, &format!("{}_mutant", name.trim()));
        let mut inner = Patches::default();
        self.mutate(&mut inner, mutation, None)?;
        inner.replace(layout.name.content, fresh.clone());
        for (old, new) in self.fresh_ids() {
            inner.replace(old, new);
        }
        self.keep_names(&mut inner);
        let copy = inner.apply(self.text, layout.template);
        let mut patches = Patches::default();
        patches.insert(layout.template.end, copy);
        patches.replace(named, fresh);
        self.declare_channel(&mut patches, mutation);
        Ok(in_utf8(patches, self.text))
    }

    /// New ids for the locations of a copy, at all places where the template uses them.
    fn fresh_ids(&self) -> Vec<(Span, String)> {
        let named = self.template.descendants().flat_map(|node| {
            let attribute = match node.tag_name().name() {
                "location" | "transition" => "id",
                "init" | "source" | "target" => "ref",
                _ => return None,
            };
            node.attribute_node(attribute)
        });
        named
            .map(|attribute| {
                let place = attribute.range_value();
                let value = xml::attribute(attribute.value());
                (Span::new(place.start, place.end), format!("{value}{}", self.suffix))
            })
            .collect()
    }

    /// Names the locations of a copy whose names are their ids.
    fn keep_names(&self, patches: &mut Patches) {
        for place in &self.places.layout.locations {
            let name = Element::new("name").text(&*place.id).to_string();
            match place.name {
                Some(named) if !self.text[named.content.range()].trim().is_empty() => {}
                Some(blank) => patches.replace(blank.element, name),
                None if place.tag.end == place.element.end => {
                    let close = Span {
                        start: place.tag.end - 2,
                        end: place.tag.end,
                    };
                    patches.replace(close, format!(">{name}</location>"));
                }
                None => patches.insert(place.tag.end, name),
            }
        }
    }

    pub(crate) fn mutate(&self, patches: &mut Patches, mutation: &Mutation, only: Only<'_>) -> Result<(), WriteError> {
        match *mutation {
            Mutation::RemoveEdge { edge } => self.disable(patches, edge, only),
            Mutation::RemoveLocation { location } => {
                let mut touching = self.touching(location);
                touching.try_for_each(|edge| self.disable(patches, edge, only))
            }
            Mutation::AddEdge {
                source,
                target,
                role,
                cloned,
            } => self.add(patches, (source, target), (&self.channel(), role), cloned, only),
            Mutation::LargerConstant { site, atom, old, new } | Mutation::SmallerConstant { site, atom, old, new } => {
                let part = self.writable(site, atom)?;
                let (span, text) = self.changed(part, old, new, only)?;
                if let Site::Guard(edge) = site {
                    self.shadowed(&self.places.layout.edges[edge], only)?;
                }
                patches.replace(span, text);
                Ok(())
            }
            Mutation::NegateGuard { edge, atom, old, new } => self.negate(patches, edge, atom, old, new, only),
            Mutation::Alter { .. } | Mutation::Again(_) => Err(WriteError::Operator(mutation.applied())),
        }
    }

    /// The edges from and to a location.
    pub(crate) fn touching(&self, location: LocId) -> impl Iterator<Item = EdgeId> {
        let at = location.index();
        let edges = self.file.network.processes[self.process()].edges.iter().enumerate();
        let touching = edges.filter(move |(_, edge)| edge.source == at || edge.target == at);
        touching.map(|(edge, _)| EdgeId::from_index(edge))
    }

    /// The position of the process.
    fn process(&self) -> usize {
        let same = |places: &ProcessPlaces| std::ptr::eq(places, self.places);
        self.file.places.iter().position(same).unwrap_or_default()
    }

    /// The part with that atom, in a label that can be patched.
    pub(crate) fn writable(&self, site: Site, atom: u32) -> Result<PartPlace, WriteError> {
        let part = self.part(site, atom)?;
        self.checked(self.label(site)?)?;
        Ok(part)
    }

    fn part(&self, site: Site, atom: u32) -> Result<PartPlace, WriteError> {
        let process = &self.file.network.processes[self.process()];
        let (condition, places, numbers) = match site {
            Site::Guard(edge) => {
                let at = edge.index();
                (&process.edges[at].guard, &self.places.guards[at], &self.guards[at])
            }
            Site::Invariant(location) => {
                let at = location.index();
                let invariant = &process.locations[at].invariant;
                (invariant, &self.places.invariants[at], &self.invariants[at])
            }
        };
        let n_parts = match condition {
            Condition::And(parts) => parts.len(),
            _ => 1,
        };
        // The network's condition does not include rates without effect.
        let all_or_no_rates = [true, false].map(|with_rates| {
            let kept = places.iter().filter(|place| with_rates || !place.is_rate);
            kept.copied().collect::<Vec<PartPlace>>()
        });
        let parts = all_or_no_rates.into_iter().find(|parts| parts.len() == n_parts);
        let number = numbers.get(atom as usize);
        let part = parts
            .zip(number)
            .and_then(|(parts, number)| parts.get(*number).copied());
        part.ok_or(WriteError::NoSuchPart)
    }

    fn label(&self, site: Site) -> Result<TextPlace, WriteError> {
        let layout = &self.places.layout;
        let label = match site {
            Site::Guard(edge) => layout.edges[edge].guard,
            Site::Invariant(location) => layout.locations[location].invariant,
        };
        label.ok_or(WriteError::NoSuchPart)
    }

    /// Refuses labels that cannot be patched in part, because their text in the file differs from the text that is
    /// read.
    fn checked(&self, label: TextPlace) -> Result<(), WriteError> {
        let text = &self.text[label.content.range()];
        if text.contains("<![CDATA[") || text.contains("<!--") {
            return Err(WriteError::NotSingleAutomaton(text.trim().to_owned()));
        }
        Ok(())
    }

    /// The changed comparison at `part`, under a condition if the writer has one.
    pub(crate) fn changed(
        &self,
        part: PartPlace,
        old: SimpleConstraint,
        new: SimpleConstraint,
        only: Only<'_>,
    ) -> Result<(Span, String), WriteError> {
        let by = self.added(part, old, new)?;
        let only = only.map(|(only, _)| only);
        self.compared(part, new.cmp, |bound| match only {
            _ if by == 0 => bound.to_owned(),
            None => raised(bound, by),
            Some(only) => raised_if([(only, by)], bound),
        })
    }

    /// The amount to add to the written bound at `part`.
    pub(crate) fn added(
        &self,
        part: PartPlace,
        old: SimpleConstraint,
        new: SimpleConstraint,
    ) -> Result<i64, WriteError> {
        let shown = || WriteError::NotSingleAutomaton(self.text[part.span.range()].to_owned());
        Ok(part.sides.ok_or_else(shown)?.added(new.constant - old.constant))
    }

    /// The comparison at `part` with the bound that `bound` makes of the written one.
    pub(crate) fn compared(
        &self,
        part: PartPlace,
        cmp: Cmp,
        bound: impl FnOnce(&str) -> String,
    ) -> Result<(Span, String), WriteError> {
        let shown = || WriteError::NotSingleAutomaton(self.text[part.span.range()].to_owned());
        let sides = part.sides.ok_or_else(shown)?;
        let bound = bound(&self.text[sides.bound().range()]);
        let cmp = xml::content(sides.comparison(cmp).symbol());
        let [left, right] = [sides.left, sides.right].map(|side| &self.text[side.range()]);
        let text = match sides.clock_is_left {
            true => format!("{left} {cmp} {bound}"),
            false => format!("{bound} {cmp} {right}"),
        };
        Ok((part.span, text))
    }

    /// Adds `condition` to the guard of an edge.
    pub(crate) fn conjoin(&self, patches: &mut Patches, edge: &EdgePlace, condition: &str) -> Result<(), WriteError> {
        let condition = xml::content(condition).into_owned();
        let whole = || label("guard", &condition).to_string();
        let Some(label) = edge.guard else {
            let at = end_of_target(self.template, edge.element);
            patches.insert(at, whole());
            return Ok(());
        };
        let old = &self.text[label.content.range()];
        if label.content.start == label.element.end || old.trim().is_empty() {
            patches.replace(label.element, whole());
            return Ok(());
        }
        // A comma-separated list of conditions is also a conjunction; a line comment ends before the parenthesis.
        let (open, close) = match (has_comma(old), old.contains("//")) {
            (true, _) => (", ", ""),
            (false, true) => (" &amp;&amp; (", "\n)"),
            (false, false) => (" &amp;&amp; (", ")"),
        };
        patches.insert(label.content.start, format!("{condition}{open}"));
        patches.insert(label.content.end, close);
        Ok(())
    }

    fn disable(&self, patches: &mut Patches, edge: EdgeId, only: Only<'_>) -> Result<(), WriteError> {
        let place = &self.places.layout.edges[edge];
        self.shadowed(place, only)?;
        match only {
            None => self.conjoin(patches, place, "false"),
            Some((only, _)) => self.conjoin(patches, place, &format!("!({only})")),
        }
    }

    fn negate(
        &self,
        patches: &mut Patches,
        edge: EdgeId,
        atom: u32,
        old: SimpleConstraint,
        new: SimpleConstraint,
        only: Only<'_>,
    ) -> Result<(), WriteError> {
        let part = self.writable(Site::Guard(edge), atom)?;
        let Some((condition, _)) = only else {
            let (span, text) = self.changed(part, old, new, None)?;
            patches.replace(span, text);
            return Ok(());
        };
        let place = &self.places.layout.edges[edge];
        self.shadowed(place, only)?;
        let (span, text) = self.changed(part, old, new, None)?;
        self.copy(patches, edge, condition, span, text)?;
        self.conjoin(patches, place, &format!("!({condition})"))
    }

    /// Adds a copy of `edge` under `condition`, in which a span of its guard is replaced.
    pub(crate) fn copy(
        &self,
        patches: &mut Patches,
        edge: EdgeId,
        condition: &str,
        span: Span,
        text: String,
    ) -> Result<(), WriteError> {
        let place = &self.places.layout.edges[edge];
        let mut copy = Patches::default();
        copy.replace(span, text);
        self.conjoin(&mut copy, place, condition)?;
        patches.insert(
            behind_edges(self.template).unwrap_or(self.places.layout.template.end),
            copy.apply(self.text, place.element),
        );
        Ok(())
    }

    pub(crate) fn add(
        &self,
        patches: &mut Patches,
        (source, target): (LocId, LocId),
        (channel, role): (&str, Role),
        cloned: Option<EdgeId>,
        only: Only<'_>,
    ) -> Result<(), WriteError> {
        let layout = &self.places.layout;
        let mark = if role == Role::Input { "?" } else { "!" };
        let end = |name, location: LocId| {
            let id = format!("{}{}", layout.locations[location].id, self.suffix);
            Element::new(name).with("ref", id)
        };
        let cloned = cloned.map(|edge| &layout.edges[edge]);
        if let Some(edge) = cloned {
            self.shadowed(edge, only)?;
        }
        let copied = |place: Option<TextPlace>| place.map(|place| &self.text[place.content.range()]);
        let guard = cloned
            .and_then(|edge| copied(edge.guard))
            .filter(|guard| !guard.trim().is_empty());
        let only = only.map(|(only, _)| xml::content(only).into_owned());
        let guard = match (only, guard) {
            (Some(only), Some(guard)) if has_comma(guard) => format!("{only}, {guard}"),
            (Some(only), Some(guard)) => format!("{only} &amp;&amp; ({guard}\n)"),
            (Some(only), None) => only,
            (None, guard) => guard.unwrap_or_default().to_owned(),
        };
        let select = cloned.and_then(|edge| copied(edge.select)).unwrap_or_default();
        let assignment = cloned.and_then(|edge| copied(edge.assignment)).unwrap_or_default();
        let sync = format!("{channel}{mark}");
        let labels = [
            ("select", select),
            ("guard", &guard),
            ("synchronisation", &sync),
            ("assignment", assignment),
        ];
        let labels = labels.into_iter().filter(|(_, text)| !text.trim().is_empty());
        let transition = Element::new("transition")
            .child(end("source", source))
            .child(end("target", target))
            .children(labels.map(|(kind, text)| label(kind, text)));
        patches.insert(
            behind_edges(self.template).unwrap_or(self.places.layout.template.end),
            transition.to_string(),
        );
        Ok(())
    }

    /// Refuses edges with a select variable that shadows a parameter of the condition.
    fn shadowed(&self, edge: &EdgePlace, only: Only<'_>) -> Result<(), WriteError> {
        let (Some((_, values)), Some(select)) = (only, edge.select) else {
            return Ok(());
        };
        let text = &self.text[select.content.range()];
        let is_named = |(name, _): &&(String, i64)| words(text).any(|word| word == *name);
        match values.iter().find(is_named) {
            Some((name, _)) => Err(WriteError::NameTaken(name.clone())),
            None => Ok(()),
        }
    }

    /// Declares the channel of an added edge.
    fn declare_channel(&self, patches: &mut Patches, mutation: &Mutation) {
        if matches!(mutation, Mutation::AddEdge { .. }) {
            self.declare(patches, &format!("chan {};", self.channel()));
        }
    }

    /// Adds `line` to the global declarations.
    pub(crate) fn declare(&self, patches: &mut Patches, line: &str) {
        let whole = Element::new("declaration").text(line).to_string();
        let node = self.root.children().find(|node| node.has_tag_name("declaration"));
        match (node, self.file.globals) {
            (Some(node), Some(globals)) if content_span(node).start < Span::new(0, node.range().end).end => {
                patches.insert(globals.end, format!("\n{line}\n"));
            }
            (Some(node), _) => {
                let range = node.range();
                patches.replace(Span::new(range.start, range.end), whole);
            }
            (None, _) => {
                let at = self.file.first.unwrap_or(self.places.layout.template).start;
                patches.insert(at, whole);
            }
        }
    }

    /// A name for the channel of an added edge.
    fn channel(&self) -> String {
        channels(self.text).next().expect("numbers do not end")
    }
}

/// Names for channels that do not occur in `text`.
pub(crate) fn channels(text: &str) -> impl Iterator<Item = String> {
    let names = (1..).map(|number| format!("dummy_{number}"));
    names.filter(move |name| words(text).all(|word| word != name))
}

/// A name similar to `name` that does not occur in `text`.
pub(crate) fn fresh(text: &str, name: &str) -> String {
    let mut fresh = name.to_owned();
    while words(text).any(|word| word == fresh) {
        fresh.push('_');
    }
    fresh
}

/// A label with that text, which is escaped already.
fn label(kind: &str, text: &str) -> Element {
    Element::new("label").with("kind", kind).markup(text)
}

/// The text of a number, increased by `by`.
fn raised(text: &str, by: i64) -> String {
    match text.trim().parse::<i64>() {
        Ok(number) => (number + by).to_string(),
        Err(_) if by < 0 => format!("{} - {}", enclosed(text), -by),
        Err(_) => format!("{} + {by}", enclosed(text)),
    }
}

/// The text of a number that is increased under each of these conditions, of which at most one holds.
pub(crate) fn raised_if<'c>(added: impl IntoIterator<Item = (&'c str, i64)>, text: &str) -> String {
    let added = added.into_iter().map(|(only, by)| format!("({only} ? {by} : 0) + "));
    xml::content(&added.collect::<String>()).into_owned() + &enclosed(text)
}

/// The text, in parentheses unless it is a word.
fn enclosed(text: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    match text.trim().chars().all(is_word) {
        true => text.trim().to_owned(),
        false => format!("({text})"),
    }
}

/// Whether the text has a comma outside all brackets.
fn has_comma(text: &str) -> bool {
    let mut depth = 0;
    text.chars().any(|character| {
        depth += match character {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        };
        character == ',' && depth == 0
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}
