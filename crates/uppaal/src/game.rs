//! One process of a file as an automaton: an open game.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::document::{InputEnabling, IoConvention, ReadOptions};
use super::language::{
    EdgePlaces, NetworkLowering, PartPlace, ProcessDraft, ProcessInstance, ResolvedType, SymbolKind,
};
use crate::grammar::annotations::Annotations;
use crate::grammar::annotations::ConditionPart;
use crate::grammar::notes::NoteTarget;
use crate::grammar::syntax::{IoTree, LoweringResult, Name, SyncTree};
use crate::grammar::template::{EdgeTree, Template};
use tamper_text::{Diagnostic, Severity, Span};
use tamper_timed::model::{
    ActionId, Automaton, AutomatonBuilder, Edge, Guard, Location, MAX_CLOCKS, Propositions, Role, Select, Update,
};
use tamper_timed::network::{self, Condition, NotSingleAutomaton, Root, SingleAutomaton, Stored, Sync};

/// An automaton, and the names of the file that it uses.
pub(super) struct ProcessGame {
    pub automaton: Automaton,
    pub template: usize,
    pub name_span: Span,
    /// The positions of its clocks.
    pub clocks: Vec<usize>,
    /// The clocks and variables read or written.
    pub used: BTreeSet<Stored>,
    /// The clocks and variables that are written.
    pub written: BTreeSet<Stored>,
    /// Whether an IO line fixes its alphabet.
    pub has_io: bool,
    /// Its feature expressions.
    pub annotations: Annotations,
}

/// The parts of the file that are needed to build one game.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// Whether an earlier error was found.
    pub is_refused: bool,
    pub ios: &'a [IoTree],
    pub options: &'a ReadOptions,
}

/// A synchronisation outside edges, with its channel.
type DeclaredSync<'t> = (&'t SyncTree, Option<Sync>);

/// The subject of a feature expression: a conjunct, and the places of its parts.
type LoweredConjunct = LoweringResult<(Condition, Vec<PartPlace>)>;

/// The statements of a template besides its locations and edges, with names resolved.
struct TemplateStatements<'t> {
    /// The actions of an `alphabet` directive; `None` stands for `tau`.
    alphabet: Vec<Option<DeclaredSync<'t>>>,
    /// The IO line and its actions.
    io: Option<(Span, Vec<DeclaredSync<'t>>)>,
    /// The actions with a feature expression, one per directive.
    conditional: Vec<Option<DeclaredSync<'t>>>,
    /// Per location, the conjuncts that have feature expressions.
    conjuncts: Vec<Vec<LoweredConjunct>>,
}

/// The automaton of `instance`, whose scope is open in `lowering`; `None` if something in it is wrong, which is then in
/// the diagnostics.
pub(super) fn game(
    lowering: &mut NetworkLowering<'_>,
    instance: &ProcessInstance,
    template: &Template,
    draft: &ProcessDraft,
    context: Context<'_>,
) -> Option<ProcessGame> {
    let statements = statements(lowering, instance, template, context.ios);
    let mut found = Vec::new();
    let mut assembler = GameAssembler {
        plain: SingleAutomaton::new(&lowering.network, &instance.name, &draft.own, aliases(instance)),
        actions: HashMap::new(),
        convention: context.options.io,
        annotations: Annotations::default(),
        diagnostics: &mut found,
    };
    assembler.locations(template, draft, statements.conjuncts);
    assembler.alphabet(&statements.alphabet);
    let declared = statements
        .io
        .as_ref()
        .map(|(span, actions)| (*span, assembler.declared(actions)));
    for (tree, edge) in template.edges.iter().zip(&draft.edges) {
        if let Some((edge, places)) = edge {
            assembler.edge(tree, edge, places, declared.as_ref());
        }
    }
    for ((_, span, expr), action) in template.directives.actions.iter().zip(&statements.conditional) {
        for id in assembler.listed(action.as_ref()) {
            assembler.annotations.add(ConditionPart::Action(id), *span, expr);
        }
    }
    let GameAssembler {
        plain, mut annotations, ..
    } = assembler;
    let clocks = plain.clock_positions();
    let SingleAutomaton {
        mut builder,
        used,
        written,
        ..
    } = plain;
    annotations.errors.extend(template.directives.errors.iter().cloned());
    builder.input_enabled(match context.options.input_enabling {
        InputEnabling::Auto => statements.io.is_some(),
        InputEnabling::On => true,
        InputEnabling::Off => false,
    });
    lowering.diagnostics.append(&mut found);
    builder.initial(template.initial?);
    if draft.edges.iter().any(Option::is_none) {
        return None;
    }
    let automaton = built(builder, template, context.is_refused, lowering.diagnostics)?;
    if clocks.len() > MAX_CLOCKS {
        let message = format!("`{}` has {} clocks", template.name.text, clocks.len());
        let error = Diagnostic::error(message, template.name.span);
        let help = format!("at most {MAX_CLOCKS} clocks are supported");
        lowering.diagnostics.push(error.with_help(help));
        return None;
    }
    let held = automaton.locations().iter().zip(&template.locations);
    let held = held.filter(|(_, tree)| !tree.propositions.is_empty());
    let held: Propositions = held
        .map(|(at, tree)| (at.name.clone(), tree.propositions.clone()))
        .collect();
    Some(ProcessGame {
        automaton: automaton
            .with_propositions(held)
            .with_atomic_steps(template.directives.atomic),
        template: instance.template,
        name_span: instance.span,
        clocks,
        used,
        written,
        has_io: statements.io.is_some(),
        annotations,
    })
}

/// The automaton; `None` if it is wrong, which `diagnostics` say unless the file is refused anyway.
fn built(
    builder: AutomatonBuilder,
    template: &Template,
    is_refused: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Automaton> {
    match builder.build() {
        Ok(automaton) => Some(automaton),
        Err(_) if is_refused || has_error(diagnostics) => None,
        Err(errors) => {
            let wrong = |error| Diagnostic::error(format!("`{}`: {error}", template.name.text), template.tag);
            diagnostics.extend(errors.into_iter().map(wrong));
            None
        }
    }
}

/// Whether an error is among `found`.
pub(super) fn has_error(found: &[Diagnostic]) -> bool {
    found.iter().any(|found| found.severity == Severity::Error)
}

fn statements<'t>(
    lowering: &mut NetworkLowering<'_>,
    instance: &ProcessInstance,
    template: &'t Template,
    ios: &'t [IoTree],
) -> TemplateStatements<'t> {
    let mut listed = |tree: &'t SyncTree| {
        let sync = lowering.sync(tree);
        (tree, lowering.report(sync))
    };
    let alphabet = &template.directives.alphabet;
    let alphabet = alphabet.iter().map(|tree| tree.as_ref().map(&mut listed)).collect();
    let io = ios.iter().find(|io| io.name.text == instance.name);
    let io = io.or_else(|| ios.iter().find(|io| io.name.text == template.name.text));
    let io = io.map(|io| (io.name.span, io.actions.iter().map(&mut listed).collect()));
    let conditional = template.directives.actions.iter();
    let conditional = conditional.map(|(tree, ..)| tree.as_ref().map(&mut listed)).collect();
    let conjuncts = template.locations.iter().map(|location| {
        let trees = location.notes.iter().filter_map(|note| match &note.target {
            NoteTarget::Conjuncts(tree) => Some(tree),
            _ => None,
        });
        trees
            .map(|tree| lowering.conjunction(std::slice::from_ref(tree)))
            .collect()
    });
    TemplateStatements {
        alphabet,
        io,
        conditional,
        conjuncts: conjuncts.collect(),
    }
}

/// The names that the process gives to clocks and variables bound to its parameters.
fn aliases(instance: &ProcessInstance) -> BTreeMap<Stored, Arc<str>> {
    let alias = |(name, what): &(Name, SymbolKind)| {
        let stored = match what {
            SymbolKind::Clocks(at, ResolvedType::Clock) => Stored::Clock(*at as usize),
            SymbolKind::Cells(Root::Variable(at), ResolvedType::Number(_), _) => Stored::Variable(*at as usize),
            _ => return None,
        };
        Some((stored, name.text.as_str().into()))
    };
    instance.bound.iter().filter_map(alias).collect()
}

fn refused(reason: NotSingleAutomaton, span: Span) -> Diagnostic {
    Diagnostic::error(reason.to_string(), span).with_help(reason.help())
}

/// Lowers the conjunction `condition`, whose parts have the given `places`; all errors go to `diagnostics`.
fn guard(
    plain: &mut SingleAutomaton<'_>,
    condition: &Condition,
    places: &[PartPlace],
    diagnostics: &mut Vec<Diagnostic>,
) -> Guard {
    let parts = match condition {
        Condition::And(parts) => parts.as_slice(),
        single => std::slice::from_ref(single),
    };
    let mut guard = Guard::always();
    for (part, place) in parts.iter().zip(places) {
        if let Err(reason) = plain.conjunct(part, &mut guard) {
            diagnostics.push(refused(reason, place.span));
        }
    }
    guard
}

struct GameAssembler<'a> {
    plain: SingleAutomaton<'a>,
    actions: HashMap<(String, Role), ActionId>,
    convention: IoConvention,
    annotations: Annotations,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl GameAssembler<'_> {
    fn report<T>(&mut self, result: LoweringResult<T>) -> Option<T> {
        result.map_err(|error| self.diagnostics.extend(error)).ok()
    }

    fn locations(&mut self, template: &Template, draft: &ProcessDraft, conjuncts: Vec<Vec<LoweredConjunct>>) {
        for ((tree, (location, places)), conjuncts) in template.locations.iter().zip(&draft.locations).zip(conjuncts) {
            let invariant = guard(&mut self.plain, &location.invariant, places, self.diagnostics);
            let id = self.plain.builder.location(Location {
                name: location.name.clone(),
                invariant: invariant.clone(),
                urgency: tree.urgency,
            });
            let plain = &mut self.plain;
            let conjuncts = conjuncts.into_iter().map(|conjunct| {
                let (condition, places) = conjunct.map_err(|error| error.into_iter().collect::<Vec<_>>())?;
                let mut found = Vec::new();
                let guard = guard(plain, &condition, &places, &mut found);
                if found.is_empty() { Ok(guard) } else { Err(found) }
            });
            self.annotations.location(id, &invariant, &tree.notes, conjuncts);
        }
    }

    fn edge(
        &mut self,
        tree: &EdgeTree,
        edge: &network::Edge,
        places: &EdgePlaces,
        declared: Option<&(Span, BTreeSet<ActionId>)>,
    ) {
        let action = self.edge_action(tree, edge.sync.as_ref());
        let action = self.report(action);
        if let (Some(action), Some((io, declared))) = (action, declared)
            && let Some(sync) = &tree.sync
            && !declared.contains(&action)
        {
            let mark = if sync.sends { "!" } else { "?" };
            let message = format!("`{}{mark}` is not in the IO line of this automaton", sync.channel.text);
            let error = Diagnostic::error(message, sync.channel.span).with_secondary(*io, "the IO line");
            self.diagnostics
                .push(error.with_help("add it to the line, or correct the edge"));
        }
        self.plain.selects.clone_from(&edge.selects);
        let guard = guard(&mut self.plain, &edge.guard, &places.guard, self.diagnostics);
        let updates = self.updates(edge, &places.updates);
        self.plain.selects.clear();
        let (Some(action), Some((source, target))) = (action, tree.ends) else {
            return;
        };
        let select = |(tree, select): (&crate::grammar::syntax::SelectTree, &network::Select)| Select {
            name: tree.name.text.as_str().into(),
            low: select.low,
            high: select.high,
        };
        let id = self.plain.builder.edge(Edge {
            source,
            target,
            action,
            guard,
            updates,
            selects: tree.selects.iter().zip(&edge.selects).map(select).collect(),
        });
        self.annotations.edge(id, &tree.notes);
    }

    fn updates(&mut self, edge: &network::Edge, places: &[Span]) -> Vec<Update> {
        let mut updates = Vec::new();
        for (expr, place) in edge.updates.iter().zip(places) {
            let before = updates.len();
            match self.plain.assignment(expr, &mut updates) {
                Ok(value) if updates.len() == before && value.as_const().is_none() => {
                    self.diagnostics
                        .push(Diagnostic::warning("this assignment has no effect", *place));
                }
                Ok(_) => {}
                Err(reason) => self.diagnostics.push(refused(reason, *place)),
            }
        }
        updates
    }

    /// Whether the channel that `label` names is urgent, and its declared name.
    fn channel(&self, sync: &Sync, label: &SyncTree) -> LoweringResult<(bool, String)> {
        let name = &label.channel;
        match self.plain.channel(sync) {
            Some(declared) => Ok((self.plain.is_urgent(sync), declared.to_owned())),
            None => {
                let error = Diagnostic::error(format!("`{}` is an array of channels", name.text), name.span);
                let help = "use one channel per element, or take the file as a network: `tamper compose`, `classify \
                            --mutate`";
                Err(Some(error.with_help(help)))
            }
        }
    }

    /// The action of an edge, with the role given by its label, its attribute `controllable`, or both if they agree.
    fn edge_action(&mut self, tree: &EdgeTree, sync: Option<&Sync>) -> LoweringResult<ActionId> {
        let (Some(label), Some(sync)) = (&tree.sync, sync) else {
            return match tree.controllable {
                Some((true, span)) if self.convention != IoConvention::Label => Err(Some(
                    Diagnostic::error("a controllable edge without a synchronisation", span).with_help(
                        "an edge without a label is internal, hence uncontrollable: give it an input label `a?`, or \
                         read the file with --io label",
                    ),
                )),
                _ => Ok(self.plain.builder.tau()),
            };
        };
        let (urgent, name) = self.channel(sync, label)?;
        let by_label = if label.sends { Role::Output } else { Role::Input };
        let by_attribute = match tree.controllable {
            Some((true, _)) => Role::Input,
            _ => Role::Output,
        };
        let role = match (self.convention, tree.controllable) {
            (IoConvention::Label, _) | (IoConvention::Auto, None) => by_label,
            (IoConvention::Attribute, _) => by_attribute,
            (IoConvention::Auto, Some(_)) if by_label == by_attribute => by_label,
            (IoConvention::Auto, Some((controllable, span))) => {
                return Err(Some(conflict(label, controllable, span)));
            }
        };
        Ok(self.action(&name, role, urgent))
    }

    fn action(&mut self, name: &str, role: Role, urgent: bool) -> ActionId {
        let builder = &mut self.plain.builder;
        *self
            .actions
            .entry((name.to_owned(), role))
            .or_insert_with(|| builder.action(name, role, urgent))
    }

    /// Adds the actions of an alphabet directive.
    fn alphabet(&mut self, actions: &[Option<DeclaredSync<'_>>]) {
        for action in actions {
            self.listed(action.as_ref());
        }
    }

    /// Adds an action of a directive, `tau` if it has no channel.
    fn listed(&mut self, action: Option<&DeclaredSync<'_>>) -> BTreeSet<ActionId> {
        match action {
            Some(listed) => self.declared(std::slice::from_ref(listed)),
            None => BTreeSet::from([self.plain.builder.tau()]),
        }
    }

    /// Adds actions of an IO line or a directive, which are declared but not used.
    fn declared(&mut self, actions: &[DeclaredSync<'_>]) -> BTreeSet<ActionId> {
        let mut found = BTreeSet::new();
        for (tree, sync) in actions {
            let Some(sync) = sync else { continue };
            let channel = self.channel(sync, tree);
            if let Some((urgent, name)) = self.report(channel) {
                let role = if tree.sends { Role::Output } else { Role::Input };
                found.insert(self.action(&name, role, urgent));
            }
        }
        found
    }
}
fn conflict(sync: &SyncTree, controllable: bool, attribute: Span) -> Diagnostic {
    let (mark, direction) = if sync.sends {
        ("!", "an output")
    } else {
        ("?", "an input")
    };
    let kind = if controllable {
        "controllable, hence an input"
    } else {
        "uncontrollable, hence an output"
    };
    let message = format!(
        "the edge `{}{mark}` is {direction} by its label, but {kind} by its attribute",
        sync.channel.text
    );
    Diagnostic::error(message, sync.channel.span)
        .with_secondary(attribute, "the attribute")
        .with_help("say which decides, for the whole file: --io label or --io attribute")
}
