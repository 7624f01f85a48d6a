//! Lowers templates to processes: locations and edges with their labels.

use std::rc::Rc;

use super::declare::channel_expression;
use super::expressions::LocatedKind;
use super::instances::ProcessInstance;
use super::places::PartPlace;
use super::scope::{DeclaredSymbol, NetworkLowering, SymbolKind};
use super::types::ResolvedType;
use crate::grammar::syntax::{LoweringResult, Name, SelectTree, SyncTree, Tree};
use crate::grammar::template::{EdgeTree, LocationTree, Template};
use tamper_text::{Diagnostic, Id, SourceFile, Span};
use tamper_timed::network::{ChannelPlace, Condition, Edge, Expr, Location, Own, Process, Root, Select, Sync};

/// The largest number of combinations of an edge's select variables.
const MAX_COMBINATIONS: i64 = 4096;

/// The places of the parts of an edge.
pub(crate) struct EdgePlaces {
    /// The places of the parts of its guard.
    pub guard: Vec<PartPlace>,
    /// The place of each of its updates.
    pub updates: Vec<Span>,
}

/// The parts of a process, as far as they have a meaning, and the places of the parts of its invariants and guards.
pub(crate) struct ProcessDraft {
    pub locations: Vec<(Location, Vec<PartPlace>)>,
    /// One per edge of the template; `None` if something in it is wrong.
    pub edges: Vec<Option<(Edge, EdgePlaces)>>,
    /// The names that it declares, its parameters first.
    pub declared: Vec<(Name, Rc<DeclaredSymbol>)>,
    pub own: Own,
}

impl ProcessDraft {
    /// The process and the places of its invariants and guards; `None` if something in it is wrong.
    pub fn process(
        self,
        instance: &ProcessInstance,
        template: &Template,
    ) -> Option<(Process, [Vec<Vec<PartPlace>>; 2])> {
        let (locations, invariants) = self.locations.into_iter().unzip();
        let edges = self.edges.into_iter().collect::<Option<Vec<_>>>()?;
        let edges = edges.into_iter().map(|(edge, places)| (edge, places.guard));
        let (edges, guards): (Vec<Edge>, Vec<_>) = edges.unzip();
        let process = Process {
            name: instance.name.as_str().into(),
            locations,
            edges,
            initial: template.initial?.index(),
            priority: instance.priority,
        };
        Some((process, [invariants, guards]))
    }
}

impl NetworkLowering<'_> {
    /// The parts of the process of `instance`, whose scope is open; errors in them are in the diagnostics.
    pub fn draft(&mut self, template: &Template, file: &SourceFile) -> ProcessDraft {
        let (clocks, variables) = (self.network.clocks.len(), self.network.variables.len());
        self.declare(&template.declarations);
        let own = Own {
            clocks: clocks..self.network.clocks.len(),
            variables: variables..self.network.variables.len(),
        };
        let declared = std::mem::take(&mut self.declared);
        let locations = template.locations.iter().map(|tree| self.location(tree)).collect();
        let edges = template.edges.iter().map(|tree| self.edge(tree, file)).collect();
        ProcessDraft {
            locations,
            edges,
            declared,
            own,
        }
    }

    fn location(&mut self, tree: &LocationTree) -> (Location, Vec<PartPlace>) {
        self.frame = 0;
        let invariant = self.conjunction(&tree.invariant);
        let (invariant, places) = self
            .report(invariant)
            .unwrap_or_else(|| (Condition::always(), Vec::new()));
        let location = Location {
            name: tree.name.text.as_str().into(),
            urgency: tree.urgency,
            invariant,
            frame: self.frame,
        };
        (location, places)
    }

    fn edge(&mut self, tree: &EdgeTree, file: &SourceFile) -> Option<(Edge, EdgePlaces)> {
        self.frame = 0;
        self.scoped(|this| {
            let selects = this.selects(&tree.selects);
            let guard = this.conjunction(&tree.guard);
            let guard = this.report(guard);
            let sync = tree.sync.as_ref().map(|sync| this.sync(sync)).transpose();
            let sync = this.report(sync);
            let updates = this.updates(&tree.updates);
            let (source, target) = tree.ends?;
            let (guard, places) = guard?;
            let (updates, spans) = updates?;
            let edge = Edge {
                source: source.index(),
                target: target.index(),
                selects: selects?,
                guard,
                sync: sync?,
                updates,
                frame: this.frame,
                place: format!("line {}", file.line_col(tree.tag.start).line).into(),
            };
            let places = EdgePlaces {
                guard: places,
                updates: spans,
            };
            Some((edge, places))
        })
    }

    /// The lowered updates, and the place of each.
    fn updates(&mut self, trees: &[Tree]) -> Option<(Vec<Expr>, Vec<Span>)> {
        let lowered: Vec<_> = trees.iter().map(|tree| (tree.span, self.effects_of(tree))).collect();
        let all: Vec<_> = lowered
            .into_iter()
            .map(|(span, effects)| Some((span, self.report(effects)?)))
            .collect();
        let all: Vec<_> = all.into_iter().collect::<Option<_>>()?;
        let each = all
            .into_iter()
            .flat_map(|(span, effects)| effects.into_iter().map(move |expr| (expr, span)));
        Some(each.unzip())
    }

    fn selects(&mut self, trees: &[SelectTree]) -> Option<Vec<Select>> {
        let mut list = Vec::new();
        let mut combinations = 1i64;
        let mut complete = true;
        for tree in trees {
            let numbers = self.bounded_numbers(&tree.ty);
            let Some(numbers) = self.report(numbers) else {
                self.insert(&tree.name, SymbolKind::Broken);
                complete = false;
                continue;
            };
            combinations = combinations.saturating_mul((i64::from(numbers.high) - i64::from(numbers.low) + 1).max(0));
            if combinations > MAX_COMBINATIONS {
                let message = format!("the select variables have {combinations} combinations");
                let error = Diagnostic::error(message, tree.name.span);
                let help = format!("at most {MAX_COMBINATIONS} are read; give them smaller ranges");
                self.diagnostics.push(error.with_help(help));
                complete = false;
            }
            let cell = self.allocate(1);
            self.insert(
                &tree.name,
                SymbolKind::Cells(Root::Frame(cell), ResolvedType::Number(numbers), false),
            );
            list.push(Select {
                low: numbers.low,
                high: numbers.high,
            });
        }
        complete.then_some(list)
    }

    /// The channel that `tree` names, and its direction.
    pub fn sync(&mut self, tree: &SyncTree) -> LoweringResult<Sync> {
        let writes = std::mem::take(&mut self.writes);
        let located = self.located(&channel_expression(&tree.channel, &tree.indices));
        let changed = std::mem::replace(&mut self.writes, writes);
        let located = located?;
        let (LocatedKind::Channels(base), ResolvedType::Channel { .. }, false) = (located.kind, &located.ty, changed)
        else {
            return Err(Some(self.not_a_channel(&tree.channel)));
        };
        Ok(Sync {
            channel: ChannelPlace {
                base,
                steps: located.steps,
            },
            sends: tree.sends,
        })
    }
}
