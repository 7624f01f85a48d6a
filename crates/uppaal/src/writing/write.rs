//! A mutant as a UPPAAL file: the file it was made from, with the template renamed `Spec`, a copy of it per mutation
//! (`Spec_mutant`, `Spec_mutant_mutant`), a system line and a refinement query (\[003\] section 5.2).
//!
//! The text is patched at the spans the reader found, so that everything that is not mutated (positions, nails,
//! colours, comments, line ends) stays byte for byte. Queries of the file are about processes that no longer run;
//! the refinement query replaces them.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::Node;

use crate::document::{Document, TemplateArgument};
use crate::text::content_span;
use crate::writing::declared::{self, Declared, DeclaredKind};
use crate::writing::edit::{Edit, Edited};
use crate::writing::patch::Patches;
use crate::writing::print::int_declaration;
use crate::writing::write_template::Copy;
use crate::writing::writer::{TemplateWriter, WriteError, in_utf8, parse};
use tamper_text::Span;
use tamper_text::xml::{Element, Layout};
use tamper_timed::model::{Action, IntVar, Role};
use tamper_timed::mutation::Mutation;

/// The file that holds automaton `index` of `document` and the mutants that `mutations` give, one after the other.
///
/// # Errors
/// The file has something that cannot be patched.
///
/// # Panics
/// If there is no automaton of that index, or a mutation was made for another one.
pub fn write_mutations(document: &Document, index: usize, mutations: &[Mutation]) -> Result<String, WriteError> {
    let mut automaton = document.automata()[index].clone();
    let mut steps = Vec::new();
    for mutation in mutations {
        steps.push(Edit::of(mutation, &automaton)?);
        automaton = mutation.apply(&automaton);
    }
    write_mutant(document, index, &steps)
}

/// The file that holds automaton `index` of `document` and its mutants: one per step, made from its predecessor by the
/// step's edits.
///
/// # Errors
/// The file has something that cannot be patched, or an edit is about a part that is not there.
///
/// # Panics
/// If there is no automaton of that index.
pub fn write_mutant(document: &Document, index: usize, steps: &[Vec<Edit>]) -> Result<String, WriteError> {
    let document = &*document.in_xml();
    let xml = parse(document.source().text())?;
    let writer = TemplateWriter::new(document, index, &xml)?;
    let template = writer.template;
    let names = writer.names(steps.len());
    let mut edited = Edited::new(&document.automata()[index]);
    let mut alphabet: Vec<Action> = document.automata()[index].actions().iter().cloned().collect();
    let mut alphabets = vec![alphabet.clone()];
    let mut templates = writer.original(&names[0]);
    for (edits, name) in steps.iter().zip(&names[1..]) {
        for edit in edits {
            if !edited.apply(edit) {
                return Err(WriteError::NoSuchPart);
            }
            if let Edit::AddEdge(edge) | Edit::SetEdge(_, edge) = edit
                && alphabet
                    .iter()
                    .all(|action| (&*action.name, action.role) != (edge.action.as_str(), edge.role))
            {
                alphabet.push(Action {
                    name: edge.action.as_str().into(),
                    role: edge.role,
                    urgent: false,
                });
            }
        }
        templates.push_str(writer.newline);
        templates.push_str(writer.indent(template));
        templates.push_str(&writer.copy(name, &edited, &alphabet)?);
        alphabets.push(alphabet.clone());
    }
    writer.file(&templates, &names, &alphabets)
}

impl<'a> TemplateWriter<'a> {
    /// The processes' names: `Spec`, `Spec_mutant` and so on, or others if the file uses these.
    fn names(&self, n_mutants: usize) -> Vec<String> {
        let siblings = self.template.parent().into_iter().flat_map(|root| root.children());
        let others = siblings.filter(|node| node.has_tag_name("template") && *node != self.template);
        let name = |node: Node<'_, '_>| {
            let name = node.children().find(|child| child.has_tag_name("name"));
            name.and_then(|name| name.text()).unwrap_or_default().trim().to_owned()
        };
        let mut taken: BTreeSet<String> = others.map(name).collect();
        taken.extend(self.document.globals.iter().map(|declared| declared.name.text.clone()));
        let bases = ["Spec".to_owned(), name(self.template)].into_iter();
        let bases = bases.chain((2..).map(|number| format!("Spec{number}")));
        let all = |base: String| {
            (0..=n_mutants)
                .map(|k| format!("{base}{}", "_mutant".repeat(k)))
                .collect::<Vec<_>>()
        };
        let free = |names: &Vec<String>| {
            names
                .iter()
                .all(|name| !taken.contains(name) && !taken.contains(&self.template_name(name)))
        };
        bases.map(all).find(free).unwrap_or_default()
    }

    /// The name of the template of process `name`: the name of the process, unless the template needs arguments.
    fn template_name(&self, name: &str) -> String {
        if self.origin().arguments.is_empty() {
            name.to_owned()
        } else {
            format!("{name}_template")
        }
    }

    fn original(&self, name: &str) -> String {
        let layout = self.document.layout(self.index);
        let mut patches = Patches::default();
        patches.replace(layout.name.content, self.template_name(name));
        patches.apply(self.text, layout.template)
    }

    fn copy(&self, name: &str, edited: &Edited, alphabet: &[Action]) -> Result<String, WriteError> {
        let mut own = self.own_globals(edited)?;
        own.extend(edited.declared.iter().cloned());
        let copy = Copy {
            writer: self,
            ids: self.fresh_ids(name),
            own,
        };
        Ok(copy.text(&self.template_name(name), edited, alphabet))
    }

    /// New ids for the elements of the template's copy called `name`.
    fn fresh_ids(&self, name: &str) -> BTreeMap<&'a str, String> {
        let ids = |node: Node<'a, 'a>| {
            node.descendants()
                .filter_map(|node| node.attribute("id"))
                .collect::<BTreeSet<_>>()
        };
        let root = self.template.document().root();
        let taken: BTreeSet<&str> = root.descendants().filter_map(|node| node.attribute("id")).collect();
        let fresh = |id: &str| {
            let first = format!("{name}_{id}");
            let more = (2..).map(|number| format!("{name}_{number}_{id}"));
            std::iter::once(first)
                .chain(more)
                .find(|id| !taken.contains(&**id))
                .unwrap_or_default()
        };
        ids(self.template).into_iter().map(|id| (id, fresh(id))).collect()
    }

    /// Declarations for a copy of the global variables that the template or the edits write.
    fn own_globals(&self, edited: &Edited) -> Result<Vec<String>, WriteError> {
        let origin = self.origin();
        let set = edited.set_names();
        let parameters = &origin.locals[..origin.arguments.len()];
        for declared in parameters {
            let is_written = declared.stored().is_some_and(|stored| origin.written.contains(&stored));
            let is_set = declared.stored().is_some() && set.contains(declared.name.text.as_str());
            if is_written || is_set {
                return Err(WriteError::SharedReference(declared.name.text.clone()));
            }
        }
        let is_local = |name: &str| declared::find(&origin.locals, name).is_some();
        let is_set = |declared: &&Declared| {
            let name = declared.name.text.as_str();
            let is_written = declared.stored().is_some_and(|stored| origin.written.contains(&stored));
            is_written || (set.contains(name) && !is_local(name))
        };
        let declaration = |declared: &Declared| {
            let name = &declared.name.text;
            match &declared.meaning {
                DeclaredKind::Clock(_) => Some(format!("clock {name};")),
                DeclaredKind::Number(_, values) if values.boolean => {
                    Some(format!("bool {name} = {};", values.initial != 0))
                }
                DeclaredKind::Number(_, values) => Some(int_declaration(&IntVar {
                    name: name.as_str().into(),
                    low: values.low,
                    high: values.high,
                    initial: values.initial,
                })),
                _ => None,
            }
        };
        let written = self.document.globals.iter().filter(is_set);
        Ok(written.filter_map(declaration).collect())
    }

    /// The whole file around `templates`.
    fn file(&self, templates: &str, names: &[String], alphabets: &[Vec<Action>]) -> Result<String, WriteError> {
        let root = self.template.document().root_element();
        let child = |name: &str| root.children().find(|node| node.has_tag_name(name));
        let mut patches = Patches::default();
        patches.replace(self.document.layout(self.index).template, templates);
        let channels = self.channels(alphabets.last().map_or(&[], Vec::as_slice))?;
        if !channels.is_empty() {
            match child("declaration") {
                Some(node) => self.append(
                    &mut patches,
                    node,
                    &format!("{}{channels}{}", self.newline, self.newline),
                ),
                None => {
                    let at = content_span(root).start;
                    patches.insert(
                        at,
                        format!("{}{}", self.newline, Element::new("declaration").markup(channels)),
                    );
                }
            }
        }
        for statement in &self.document.statements {
            patches.replace(*statement, "");
        }
        let processes = self.processes(names, alphabets);
        let end = content_span(root).end;
        match child("system") {
            Some(node) => self.system(&mut patches, node, &processes),
            None => patches.insert(
                end,
                format!("  {}{}", Element::new("system").markup(processes), self.newline),
            ),
        }
        let query = self.query(names);
        match child("queries") {
            Some(node) => patches.replace(Span::new(node.range().start, node.range().end), query),
            None => patches.insert(end, format!("  {query}{}", self.newline)),
        }
        Ok(in_utf8(patches, self.text))
    }

    /// The processes, in the place of the last `system` line.
    fn system(&self, patches: &mut Patches, node: Node<'_, '_>, processes: &str) {
        let content = content_span(node);
        let within = |span: &&Span| span.start >= content.start && span.end <= content.end;
        let mut lines = self.document.statements.iter().filter(within);
        match lines.rfind(|span| self.text[span.range()].starts_with("system")) {
            Some(line) => patches.insert(line.start, processes),
            None => self.append(patches, node, &format!("{}{processes}{}", self.newline, self.newline)),
        }
    }

    /// Declarations of the channels that the mutants add.
    fn channels(&self, alphabet: &[Action]) -> Result<String, WriteError> {
        let mut new = Vec::new();
        for action in &alphabet[self.automaton().actions().len()..] {
            let name = &*action.name;
            let is_local = declared::find(&self.origin().locals, name).is_some();
            match declared::find(&self.document.globals, name).map(|declared| &declared.meaning) {
                _ if is_local => return Err(WriteError::NameTaken(name.to_owned())),
                None => new.push(format!("chan {name};")),
                Some(DeclaredKind::Channel) => {}
                Some(_) => return Err(WriteError::NameTaken(name.to_owned())),
            }
        }
        new.dedup();
        Ok(new.join(" "))
    }

    /// Instantiations, the `system` line and the IO lines.
    fn processes(&self, names: &[String], alphabets: &[Vec<Action>]) -> String {
        let mut lines = Vec::new();
        if !self.origin().arguments.is_empty() {
            let argument = |argument: &TemplateArgument| match argument {
                TemplateArgument::Written(span) => self.text[span.range()].to_owned(),
                TemplateArgument::Spelt(text) => text.clone(),
            };
            let arguments: Vec<_> = self.origin().arguments.iter().map(argument).collect();
            let arguments = arguments.join(", ");
            lines.extend(
                names
                    .iter()
                    .map(|name| format!("{name} = {}({arguments});", self.template_name(name))),
            );
        }
        lines.push(format!("system {};", names.join(", ")));
        if self.origin().has_io {
            let line = |(name, alphabet): (&String, &Vec<Action>)| {
                let named = alphabet.iter().filter(|action| action.role != Role::Internal);
                let actions: Vec<_> = named.map(ToString::to_string).collect();
                format!("IO {name} {{ {} }}", actions.join(", "))
            };
            lines.extend(names.iter().zip(alphabets).map(line));
        }
        lines.join(self.newline)
    }

    fn query(&self, names: &[String]) -> String {
        let (Some(spec), Some(mutant)) = (names.first(), names.last()) else {
            return String::new();
        };
        let query = Element::new("query")
            .block()
            .child(Element::new("formula").text(format!("refinement: {mutant} <= {spec}")))
            .child(Element::new("comment").text(""));
        Element::new("queries").block().child(query).laid_out(&Layout {
            newline: self.newline,
            margin: "  ",
            ..Layout::default()
        })
    }
}
