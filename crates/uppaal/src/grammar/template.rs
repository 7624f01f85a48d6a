//! One template: labels parsed, references between its elements resolved; names in labels not yet.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::document::{EdgePlace, Layout, LocationPlace, TextPlace};
use crate::grammar::channels::{alphabet, synchronisation};
use crate::grammar::cursor::UppaalParser;
use crate::grammar::declarations::declarations;
use crate::grammar::lexer::{Directive, lex, shorten};
use crate::grammar::notes::{FeatureNote, Owner, notes, propositions};
use crate::grammar::syntax::{DeclarationTree, Name, Parameter, SelectTree, SyncTree, SyntaxResult, Tree};
use crate::grammar::types::{parameters, selects};
use crate::raw::{RawEdge, RawLocation, RawTemplate, RawText};
use crate::text::Text;
use tamper_text::{Diagnostic, Id, Span};
use tamper_timed::model::{LocId, Urgency};

/// A template, ready to be instantiated.
#[derive(Debug)]
pub(crate) struct Template {
    pub name: Name,
    pub tag: Span,
    pub parameters: Vec<Parameter>,
    pub declarations: Vec<DeclarationTree>,
    pub directives: Directives,
    pub locations: Vec<LocationTree>,
    pub initial: Option<LocId>,
    pub edges: Vec<EdgeTree>,
    pub layout: Layout,
}

#[derive(Debug)]
pub(crate) struct LocationTree {
    pub name: Name,
    pub invariant: Vec<Tree>,
    pub urgency: Urgency,
    pub notes: Vec<FeatureNote>,
    pub propositions: BTreeSet<Arc<str>>,
}

#[derive(Debug)]
pub(crate) struct EdgeTree {
    /// `None` if a reference is wrong.
    pub ends: Option<(LocId, LocId)>,
    pub tag: Span,
    pub controllable: Option<(bool, Span)>,
    pub selects: Vec<SelectTree>,
    pub guard: Vec<Tree>,
    pub sync: Option<SyncTree>,
    pub updates: Vec<Tree>,
    pub notes: Vec<FeatureNote>,
}

/// The `// tamper:` comments of a template.
#[derive(Default, Debug)]
pub(crate) struct Directives {
    /// The actions an `alphabet` line adds; `None` stands for `tau`.
    pub alphabet: Vec<Option<SyncTree>>,
    /// Whether committed locations are intermediate steps, as in the composition of a network.
    pub atomic: bool,
    /// The conditions under which actions are in the alphabet; `None` stands for `tau`.
    pub actions: Vec<(Option<SyncTree>, Span, Text)>,
    /// Errors in feature expressions of the template, here or elsewhere.
    pub errors: Vec<Diagnostic>,
}

/// The locations by id; `None` for an element with an id that is refused.
type Ids = HashMap<String, Option<LocId>>;

/// Parses a template; `None` if it has no usable name.
pub(crate) fn template(raw: RawTemplate, diagnostics: &mut Vec<Diagnostic>) -> Option<Template> {
    let name = template_name(&raw, diagnostics);
    let parameters = raw.parameter.as_ref().and_then(|raw| {
        let parse = |parser: &mut UppaalParser| parameters(parser);
        label(raw, parse, diagnostics)
    });
    let (local, mut directives) = match &raw.declaration {
        Some(declaration) => local_declarations(&declaration.text, diagnostics),
        None => Default::default(),
    };
    let (mut locations, ids) = locations(&raw.locations, diagnostics);
    let initial = initial(&raw, &ids, diagnostics);
    let mut edges: Vec<EdgeTree> = raw
        .edges
        .iter()
        .map(|edge| edge_tree(edge, &ids, diagnostics))
        .collect();
    for (tree, raw) in locations.iter_mut().zip(&raw.locations) {
        let invariant = raw.invariant.as_ref().map(|raw| &raw.text);
        tree.notes = notes(&raw.notes, Owner::Location { invariant }, &mut directives.errors);
    }
    for (tree, raw) in edges.iter_mut().zip(&raw.edges) {
        tree.notes = notes(&raw.notes, Owner::Edge, &mut directives.errors);
    }
    let (name, place) = name?;
    let layout = Layout {
        template: raw.element,
        name: place,
        parameter: raw.parameter.as_ref().map(text_place),
        declaration: raw.declaration.as_ref().map(text_place),
        locations: raw.locations.into_iter().map(location_place).collect(),
        edges: raw.edges.iter().map(edge_place).collect(),
    };
    Some(Template {
        name,
        tag: raw.tag,
        parameters: parameters.unwrap_or_default(),
        declarations: local,
        directives,
        locations,
        initial,
        edges,
        layout,
    })
}

fn template_name(raw: &RawTemplate, diagnostics: &mut Vec<Diagnostic>) -> Option<(Name, TextPlace)> {
    let help = "name the template with <name>…</name>: letters, digits and `_`, no digit first";
    let Some(name) = raw.name.as_ref().filter(|name| !name.text.decoded.trim().is_empty()) else {
        diagnostics.push(Diagnostic::error("this template has no name", raw.tag).with_help(help));
        return None;
    };
    let text = name.text.decoded.trim();
    let span = name.text.trimmed_span();
    let letters = text
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '#' | '$'));
    if !letters || text.starts_with(|c: char| c.is_numeric()) {
        let message = format!("`{}` is not a name", shorten(text));
        diagnostics.push(Diagnostic::error(message, span).with_help(help));
    }
    Some((
        Name {
            text: text.to_owned(),
            span,
        },
        text_place(name),
    ))
}

/// Global or local declarations: the list, and the directives among them.
pub(crate) fn local_declarations(text: &Text, diagnostics: &mut Vec<Diagnostic>) -> (Vec<DeclarationTree>, Directives) {
    let lexed = lex(text);
    let broken = !lexed.errors.is_empty();
    diagnostics.extend(lexed.errors);
    let mut found = Vec::new();
    let list = declarations(&mut UppaalParser::new(lexed.tokens), &mut found);
    if !broken {
        diagnostics.extend(found);
    }
    let mut directives = Directives::default();
    for directive in lexed.directives {
        if let Err(error) = directives.add(&directive) {
            diagnostics.push(error);
        }
    }
    (list, directives)
}

impl Directives {
    fn add(&mut self, directive: &Directive) -> SyntaxResult<()> {
        let text = directive.text.decoded.as_str();
        // What it accepts is read where mutants are (`accept_comments`).
        if text.trim_start().starts_with("accept ") {
            return Ok(());
        }
        let unknown = || {
            let message = format!("the directive `tamper:{}` is not understood", shorten(text));
            let help = "the directives are `// tamper:alphabet a? b! tau`, `// tamper:feature a?: EXPRESSION` and \
                        `// tamper:atomic`";
            Diagnostic::error(message, directive.span).with_help(help)
        };
        let after = |keyword: &str| {
            let rest = text.strip_prefix(keyword);
            rest.filter(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let actions = |list: &str| {
            let tokens = lex(&Text::at(list, directive.span)).tokens;
            alphabet(&mut UppaalParser::new(tokens)).map_err(|_| unknown())
        };
        if let Some(list) = after("alphabet") {
            self.alphabet.extend(actions(list)?);
            return Ok(());
        }
        if text == "atomic" {
            self.atomic = true;
            return Ok(());
        }
        let (list, expr) = after("feature")
            .and_then(|rest| rest.split_once(':'))
            .ok_or_else(unknown)?;
        let [action] = <[_; 1]>::try_from(actions(list)?).map_err(|_| unknown())?;
        let expr = directive.text.slice(text.len() - expr.len()..text.len());
        self.actions.push((action, directive.span, expr));
        Ok(())
    }
}

fn locations(raw: &[RawLocation], diagnostics: &mut Vec<Diagnostic>) -> (Vec<LocationTree>, Ids) {
    let (mut list, mut ids, mut names) = (Vec::new(), Ids::new(), HashMap::<String, Span>::new());
    let mut id_spans = HashMap::<&str, Span>::new();
    for (index, location) in raw.iter().enumerate() {
        match &location.id {
            Some((id, span)) => {
                if let Some(first) = id_spans.insert(id, *span) {
                    let error = Diagnostic::error(format!("the location id `{}` is used twice", shorten(id)), *span);
                    diagnostics.push(
                        error
                            .with_secondary(first, "first used here")
                            .with_help("give each its own id"),
                    );
                }
                ids.insert(id.clone(), Some(LocId::from_index(index)));
            }
            None => diagnostics.push(
                Diagnostic::error("this location has no id", location.tag)
                    .with_help("add id=\"…\", unique in the file"),
            ),
        }
        let name = location_name(location);
        if let Some(first) = names.insert(name.text.clone(), name.span) {
            let message = format!("two locations of the template are called `{}`", shorten(&name.text));
            let error = Diagnostic::error(message, name.span).with_secondary(first, "the first one");
            diagnostics.push(error.with_help("rename one of the two"));
        }
        let invariant = location.invariant.as_ref();
        let invariant = invariant.and_then(|raw| label(raw, UppaalParser::expression_list, diagnostics));
        let urgency = match (location.committed, location.urgent) {
            (true, _) => Urgency::Committed,
            (false, true) => Urgency::Urgent,
            (false, false) => Urgency::Normal,
        };
        list.push(LocationTree {
            name,
            invariant: invariant.unwrap_or_default(),
            urgency,
            notes: Vec::new(),
            propositions: propositions(&location.notes, diagnostics),
        });
    }
    (list, ids)
}

/// A location's name; without one, its id.
fn location_name(raw: &RawLocation) -> Name {
    match (&raw.name, &raw.id) {
        (Some(name), _) if !name.text.decoded.trim().is_empty() => Name {
            text: name.text.decoded.trim().to_owned(),
            span: name.text.trimmed_span(),
        },
        (_, Some((id, span))) => Name {
            text: id.clone(),
            span: *span,
        },
        (_, None) => Name {
            text: format!("_{}", raw.element.start),
            span: raw.tag,
        },
    }
}

fn initial(raw: &RawTemplate, ids: &Ids, diagnostics: &mut Vec<Diagnostic>) -> Option<LocId> {
    let help = "add <init ref=\"…\"/> with the id of a location of this template";
    match &raw.init {
        None => {
            diagnostics.push(Diagnostic::error("this template has no initial location", raw.tag).with_help(help));
            None
        }
        Some((id, span)) => find_location(id, *span, ids, diagnostics),
    }
}

fn find_location(id: &str, span: Span, ids: &Ids, diagnostics: &mut Vec<Diagnostic>) -> Option<LocId> {
    ids.get(id).copied().unwrap_or_else(|| {
        let error = Diagnostic::error(
            format!("no location of this template has the id `{}`", shorten(id)),
            span,
        );
        diagnostics.push(error.with_help("refer to the id (not the name) of a location of the same template"));
        None
    })
}

fn edge_tree(raw: &RawEdge, ids: &Ids, diagnostics: &mut Vec<Diagnostic>) -> EdgeTree {
    let mut end = |end: &Option<(String, Span)>| {
        let (id, span) = end.as_ref()?;
        find_location(id, *span, ids, diagnostics)
    };
    let (source, target) = (end(&raw.source), end(&raw.target));
    let selects = raw.select.as_ref().and_then(|raw| label(raw, selects, diagnostics));
    let guard = raw
        .guard
        .as_ref()
        .and_then(|raw| label(raw, UppaalParser::expression_list, diagnostics));
    let sync = raw
        .sync
        .as_ref()
        .and_then(|raw| label(raw, synchronisation, diagnostics));
    let updates = raw
        .update
        .as_ref()
        .and_then(|raw| label(raw, UppaalParser::expression_list, diagnostics));
    EdgeTree {
        ends: source.zip(target),
        tag: raw.tag,
        controllable: raw.controllable,
        selects: selects.unwrap_or_default(),
        guard: guard.unwrap_or_default(),
        sync,
        updates: updates.unwrap_or_default(),
        notes: Vec::new(),
    }
}

/// Parses a label that is not blank.
fn label<T>(
    raw: &RawText,
    parse: impl FnOnce(&mut UppaalParser) -> SyntaxResult<T>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<T> {
    let lexed = lex(&raw.text);
    if !lexed.errors.is_empty() {
        diagnostics.extend(lexed.errors);
        return None;
    }
    if lexed.tokens.len() <= 1 {
        return None;
    }
    match parse(&mut UppaalParser::new(lexed.tokens)) {
        Ok(parsed) => Some(parsed),
        Err(error) => {
            diagnostics.push(error);
            None
        }
    }
}

fn text_place(raw: &RawText) -> TextPlace {
    TextPlace {
        element: raw.element,
        content: raw.text.content,
    }
}

fn location_place(raw: RawLocation) -> LocationPlace {
    LocationPlace {
        element: raw.element,
        tag: raw.tag,
        id: raw.id.map(|(id, _)| id).unwrap_or_default(),
        name: raw.name.as_ref().map(text_place),
        invariant: raw.invariant.as_ref().map(text_place),
    }
}

fn edge_place(raw: &RawEdge) -> EdgePlace {
    let place = |label: &Option<RawText>| label.as_ref().map(text_place);
    EdgePlace {
        element: raw.element,
        tag: raw.tag,
        select: place(&raw.select),
        guard: place(&raw.guard),
        synchronisation: place(&raw.sync),
        assignment: place(&raw.update),
    }
}
