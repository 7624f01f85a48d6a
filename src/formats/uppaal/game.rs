//! One instance of a template to an automaton.

use std::collections::{BTreeSet, HashMap};

use super::annotations::{Annotations, Part};
use super::declare::{declare_local, resolve};
use super::document::{InputEnabling, IoConvention, ReadOptions};
use super::instances::{Argument, Instance};
use super::lower::{Lower, Lowered, Variables};
use super::scope::{Place, Scope, Symbol, Table, Type, foreign_use};
use super::syntax::{IoTree, SelectTree, SyncTree};
use super::template::{EdgeTree, Template};
use super::text::Text;
use crate::model::{ActionId, Automaton, AutomatonBuilder, Edge, Location, MAX_CLOCKS, Role, Select};
use crate::text::{Diagnostic, Severity, Span};

/// Most combinations of an edge's select variables.
const MAX_COMBINATIONS: i64 = 4096;

/// An automaton, and which of the file's names it uses.
pub(super) struct Game {
    pub automaton: Automaton,
    pub template: usize,
    pub name_span: Span,
    /// Positions of the global declarations read or written.
    pub used: BTreeSet<usize>,
    /// Positions of the global declarations written.
    pub written: BTreeSet<usize>,
    /// The names of the template.
    pub locals: Table,
    /// What the template's parameters are bound to.
    pub arguments: Vec<Argument>,
    /// Whether an IO line fixes its alphabet.
    pub has_io: bool,
    /// Its feature expressions.
    pub annotations: Annotations,
}

/// What building one game needs from the file.
pub(super) struct Context<'a> {
    pub globals: &'a Table,
    pub ios: &'a [IoTree],
    pub options: &'a ReadOptions,
}

/// The automaton of `instance`; none when something in it is wrong (which is in `diagnostics` then).
pub(super) fn game(
    instance: Instance,
    template: &Template,
    context: &Context<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Game> {
    let mut locals = instance.parameters;
    declare_local(&template.declarations, context.globals, &mut locals, diagnostics);
    let scope = Scope {
        globals: context.globals,
        locals: Some(&locals),
    };
    let mut builder = AutomatonBuilder::new(instance.name.text.as_str());
    let mut variables = Variables::default();
    declare_variables(scope, &locals, &mut builder, &mut variables);
    let io = context.ios.iter().find(|io| io.name.text == instance.name.text);
    let io = io.or_else(|| context.ios.iter().find(|io| io.name.text == template.name.text));
    let mut maker = Maker {
        scope,
        builder: &mut builder,
        variables: &mut variables,
        actions: HashMap::new(),
        convention: context.options.io,
        annotations: Annotations::default(),
        diagnostics,
    };
    maker.locations(template);
    maker.alphabet(&template.directives.alphabet);
    let declared = io.map(|io| (io.name.span, maker.declared(&io.actions)));
    for edge in &template.edges {
        maker.edge(edge, declared.as_ref().map(|(span, actions)| (*span, actions)));
    }
    maker.conditional_actions(&template.directives.actions);
    let mut annotations = maker.annotations;
    annotations.errors.extend(template.directives.errors.iter().cloned());
    builder.input_enabled(match context.options.input_enabling {
        InputEnabling::Auto => io.is_some(),
        InputEnabling::On => true,
        InputEnabling::Off => false,
    });
    builder.initial(template.initial?);
    let automaton = match builder.build() {
        Ok(automaton) => automaton,
        Err(_) if diagnostics.iter().any(|found| found.severity == Severity::Error) => return None,
        Err(errors) => {
            let wrong = |error| Diagnostic::error(format!("`{}`: {error}", template.name.text), template.tag);
            diagnostics.extend(errors.into_iter().map(wrong));
            return None;
        }
    };
    let clocks = automaton.clocks().len();
    if clocks > MAX_CLOCKS {
        let error = Diagnostic::error(
            format!("`{}` has {clocks} clocks", template.name.text),
            template.name.span,
        );
        diagnostics.push(error.with_help(format!("at most {MAX_CLOCKS} clocks are supported")));
        return None;
    }
    let globals = |places: &BTreeSet<Place>| {
        let global = |place: &Place| if let Place::Global(at) = place { Some(*at) } else { None };
        places.iter().filter_map(global).collect()
    };
    let (used, written) = (globals(&variables.used), globals(&variables.written));
    Some(Game {
        automaton,
        template: instance.template,
        name_span: instance.name.span,
        used,
        written,
        locals,
        arguments: instance.arguments,
        has_io: io.is_some(),
        annotations,
    })
}

/// Adds the instance's own clocks and integers, in the order of the file.
fn declare_variables(scope: Scope<'_>, locals: &Table, builder: &mut AutomatonBuilder, variables: &mut Variables) {
    let mut lower = Lower {
        scope,
        builder: Some(builder),
        variables,
        selects: Vec::new(),
    };
    for entry in &locals.entries {
        if matches!(entry.symbol, Symbol::Clock | Symbol::Int(..)) {
            // Declaring cannot fail: the name is known and is a variable.
            let _known = lower.meaning(&entry.name.text, entry.name.span);
        }
    }
}

struct Maker<'a> {
    scope: Scope<'a>,
    builder: &'a mut AutomatonBuilder,
    variables: &'a mut Variables,
    actions: HashMap<(String, Role), ActionId>,
    convention: IoConvention,
    annotations: Annotations,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Maker<'_> {
    fn report<T>(&mut self, result: Lowered<T>) -> Option<T> {
        result.map_err(|error| self.diagnostics.extend(error)).ok()
    }

    fn lower(&mut self) -> Lower<'_> {
        Lower {
            scope: self.scope,
            builder: Some(&mut *self.builder),
            variables: &mut *self.variables,
            selects: Vec::new(),
        }
    }

    fn locations(&mut self, template: &Template) {
        for tree in &template.locations {
            let mut found = Vec::new();
            let invariant = self.lower().guard(&tree.invariant, &mut found);
            self.diagnostics.append(&mut found);
            let mut annotations = std::mem::take(&mut self.annotations);
            let id = self.builder.location(Location {
                name: tree.name.text.as_str().into(),
                invariant: invariant.clone(),
                urgency: tree.urgency,
            });
            annotations.location(id, &invariant, &tree.notes, &mut self.lower());
            self.annotations = annotations;
        }
    }

    fn edge(&mut self, tree: &EdgeTree, declared: Option<(Span, &BTreeSet<ActionId>)>) {
        let action = self.edge_action(tree);
        let action = self.report(action);
        if let (Some(action), Some((io, declared))) = (action, declared)
            && let Some(sync) = &tree.sync
            && !declared.contains(&action)
        {
            let mark = if sync.sends { "!" } else { "?" };
            let message = format!("`{}{mark}` is not in the IO line of this automaton", sync.channel.text);
            let error = Diagnostic::error(message, sync.channel.span).with_secondary(io, "the IO line");
            self.diagnostics
                .push(error.with_help("add it to the line, or correct the edge"));
        }
        let selects = self.selects(&tree.selects);
        let mut lower = self.lower();
        lower.selects = selects.clone();
        let mut found = Vec::new();
        let guard = lower.guard(&tree.guard, &mut found);
        let updates = lower.updates(&tree.updates, &mut found);
        self.diagnostics.append(&mut found);
        let (Some(action), Some((source, target))) = (action, tree.ends) else {
            return;
        };
        let selects = selects.into_iter().map(|(select, _)| select).collect();
        let id = self.builder.edge(Edge {
            source,
            target,
            action,
            guard,
            updates,
            selects,
        });
        self.annotations.edge(id, &tree.notes);
    }

    fn selects(&mut self, trees: &[SelectTree]) -> Vec<(Select, bool)> {
        let mut list: Vec<(Select, bool)> = Vec::new();
        let mut combinations = 1i64;
        for tree in trees {
            let made = self.select(tree);
            let Some((select, boolean)) = self.report(made) else {
                // Keep the name known: its uses are not in doubt.
                list.push((
                    Select {
                        name: tree.name.text.as_str().into(),
                        low: 0,
                        high: 0,
                    },
                    false,
                ));
                continue;
            };
            combinations = combinations.saturating_mul(i64::from(select.high) - i64::from(select.low) + 1);
            if combinations > MAX_COMBINATIONS {
                let message = format!("the select variables have {combinations} combinations");
                let error = Diagnostic::error(message, tree.name.span);
                let help = format!("at most {MAX_COMBINATIONS} are read; give them smaller ranges");
                self.diagnostics.push(error.with_help(help));
            }
            if list.iter().any(|(known, _)| known.name == select.name) {
                let error = Diagnostic::error(format!("`{}` is declared twice", select.name), tree.name.span);
                self.diagnostics.push(error.with_help("rename one of the two"));
            }
            list.push((select, boolean));
        }
        list
    }

    fn select(&mut self, tree: &SelectTree) -> Lowered<(Select, bool)> {
        match resolve(&tree.ty, self.scope)? {
            Type::Int { range, .. } => {
                let name = tree.name.text.as_str().into();
                Ok((
                    Select {
                        name,
                        low: range.low,
                        high: range.high,
                    },
                    range.boolean,
                ))
            }
            _ => Err(Some(
                Diagnostic::error("a select variable that is not an integer or boolean", tree.ty.span)
                    .with_help("select from a range: `i : int[0,3]`"),
            )),
        }
    }

    /// Who decides about the edge: its label, its attribute `controllable`, or both if they agree.
    fn edge_action(&mut self, tree: &EdgeTree) -> Lowered<ActionId> {
        let Some(sync) = &tree.sync else {
            return match tree.controllable {
                Some((true, span)) if self.convention != IoConvention::Label => Err(Some(
                    Diagnostic::error("a controllable edge without a synchronisation", span).with_help(
                        "an edge without a label is internal, hence uncontrollable: give it an input label `a?`, or \
                         read the file with --io label",
                    ),
                )),
                _ => Ok(self.builder.tau()),
            };
        };
        let (urgent, name) = self.channel(sync)?;
        let by_label = if sync.sends { Role::Output } else { Role::Input };
        let by_attribute = match tree.controllable {
            Some((true, _)) => Role::Input,
            _ => Role::Output,
        };
        let role = match (self.convention, tree.controllable) {
            (IoConvention::Label, _) | (IoConvention::Auto, None) => by_label,
            (IoConvention::Attribute, _) => by_attribute,
            (IoConvention::Auto, Some(_)) if by_label == by_attribute => by_label,
            (IoConvention::Auto, Some((controllable, span))) => {
                return Err(Some(conflict(sync, controllable, span)));
            }
        };
        Ok(self.action(&name, role, urgent))
    }

    fn action(&mut self, name: &str, role: Role, urgent: bool) -> ActionId {
        let builder = &mut *self.builder;
        *self
            .actions
            .entry((name.to_owned(), role))
            .or_insert_with(|| builder.action(name, role, urgent))
    }

    /// Whether the channel is urgent, and its name where it is declared.
    fn channel(&mut self, sync: &SyncTree) -> Lowered<(bool, String)> {
        let name = &sync.channel;
        let (place, entry) = self.scope.get(&name.text, name.span)?;
        match entry.symbol {
            Symbol::Channel { .. } if !sync.indices.is_empty() => Err(Some(
                Diagnostic::error(
                    format!("`{}` is used as an array, but is one channel", name.text),
                    name.span,
                )
                .with_secondary(entry.name.span, "declared here")
                .with_help("remove the index"),
            )),
            Symbol::Channel { urgent } => {
                self.variables.used.insert(place);
                Ok((urgent, entry.name.text.clone()))
            }
            Symbol::Foreign(what) => Err(Some(foreign_use(entry, what, name.span))),
            _ => Err(Some(
                Diagnostic::error(format!("`{}` is not a channel", name.text), name.span)
                    .with_secondary(entry.name.span, "declared here")
                    .with_help(format!("declare `chan {};`", name.text)),
            )),
        }
    }

    /// Adds the actions of an alphabet directive.
    fn alphabet(&mut self, actions: &[Option<SyncTree>]) {
        for action in actions {
            match action {
                Some(sync) => {
                    self.declared(std::slice::from_ref(sync));
                }
                None => {
                    self.builder.tau();
                }
            }
        }
    }

    /// Notes when actions are in the alphabet; they are added where they are new.
    fn conditional_actions(&mut self, actions: &[(Option<SyncTree>, Span, Text)]) {
        for (action, span, expr) in actions {
            let ids = match action {
                Some(sync) => self.declared(std::slice::from_ref(sync)),
                None => BTreeSet::from([self.builder.tau()]),
            };
            for id in ids {
                self.annotations.add(Part::Action(id), *span, expr);
            }
        }
    }

    /// Adds actions that are declared, not used: those of an IO line or of a directive.
    fn declared(&mut self, actions: &[SyncTree]) -> BTreeSet<ActionId> {
        let mut found = BTreeSet::new();
        for sync in actions {
            let channel = self.channel(sync);
            if let Some((urgent, name)) = self.report(channel) {
                let role = if sync.sends { Role::Output } else { Role::Input };
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
