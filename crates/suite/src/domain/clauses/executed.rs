//! A test as clauses that hold for the products that survive it.
//!
//! Groups are literals: "a run reaches this place". The needs of a product for the next step are in the clauses, so the test is
//! executed once whatever products there are, and no set of products is computed.

use std::rc::Rc;

use super::literals::Literals;
use crate::error::SuiteFailure;
use crate::execution::compiled::{CompiledAct, CompiledNode};
use crate::execution::execute::{ExecutionEnd, ExecutionWorld, Who, execute_in};
use crate::execution::subject::{is_output, scaled_atoms};
use crate::view::{View, ViewMove};
use crate::{CompiledTest, TestVerdict};
use tamper_features::{DiagramSet, Diagrams, Lit};
use tamper_game::symbolic::{Atom, Move, MoveId, NodeId, SharedArena, zone_ops};
use tamper_text::{Budget, IndexVec, StopReason};
use tamper_timed::model::ActionId;
use tamper_zones::{Dbm, Variable};

/// All products, and clauses for one of them.
pub(super) struct Arguable<'c> {
    pub arena: &'c SharedArena<DiagramSet>,
    /// The labels of the actions, by their numbers.
    pub labels: &'c IndexVec<ActionId, String>,
    pub sets: &'c mut Diagrams,
    pub literals: &'c mut Literals,
}

impl Arguable<'_> {
    /// Adds clauses which say that no run of the product fails the test.
    ///
    /// # Errors
    /// The budget, which counts the states of the execution, and the limits of the clauses.
    pub fn survives(&mut self, test: &CompiledTest, budget: &Budget) -> Result<(), SuiteFailure> {
        for (node, own) in &self.arena.starts {
            let begins = self.literals.of_set(self.sets, *own)?;
            let mut world = ClauseWorld {
                arena: self.arena,
                labels: self.labels,
                sets: self.sets,
                literals: self.literals,
                n_test_clocks: test.n_clocks,
                scale: test.scale,
                start: (*node, begins),
                stopped: None,
            };
            let executed = execute_in(test, &mut world, budget, &mut |_, _| ());
            if let Some(reason) = world.stopped {
                return Err(reason.into());
            }
            executed?;
        }
        Ok(())
    }
}

struct ClauseWorld<'c> {
    arena: &'c SharedArena<DiagramSet>,
    labels: &'c IndexVec<ActionId, String>,
    sets: &'c mut Diagrams,
    literals: &'c mut Literals,
    n_test_clocks: usize,
    scale: i64,
    start: (NodeId, Lit),
    /// The limit that was hit: the first one counts.
    stopped: Option<StopReason>,
}

impl ClauseWorld<'_> {
    fn placed(&self, atoms: &[Atom]) -> Vec<Atom> {
        scaled_atoms(atoms, self.scale, self.n_test_clocks)
    }
    fn view_move(&self, step: &Move) -> ViewMove<NodeId> {
        let arena = &self.arena.arena;
        let behind = |(clock, value): &(Variable, i64)| {
            let clock = Variable::new(clock.index() - 1 + self.n_test_clocks);
            (clock, value * self.scale)
        };
        ViewMove {
            label: self.labels[step.action].clone(),
            is_output: is_output(step),
            enabled: arena.cases(step.enabled).map(|atoms| self.placed(atoms)).collect(),
            resets: arena.resets_of(step).iter().map(behind).collect(),
            target: step.target,
        }
    }
    /// The literal of the products that have the move.
    fn having(&mut self, at: MoveId) -> Option<Lit> {
        if self.stopped.is_none() {
            self.stopped = self.literals.exceeded();
        }
        match self.literals.of_set(self.sets, self.arena.moves[at]) {
            Ok(literal) => self.stopped.is_none().then_some(literal),
            Err(reason) => {
                self.stopped.get_or_insert(reason);
                None
            }
        }
    }
}

impl ExecutionWorld for ClauseWorld<'_> {
    type Place = NodeId;
    type Group = Lit;
    fn n_clocks(&self) -> usize {
        self.arena.arena.n_clocks
    }
    fn start(&self) -> (NodeId, Lit) {
        self.start
    }
    /// Splits off each move alone, and the tester's acts where the product makes no move.
    fn split(&mut self, place: &NodeId, group: &Lit, node: &CompiledNode) -> Vec<(Rc<View<NodeId>>, Lit)> {
        let parts = self.arena.arena.node(*place);
        let alone = View {
            urgent: parts.urgent,
            invariant: self.placed(self.arena.arena.atoms_of(parts.invariant)),
            only_outputs: false,
            moves: Vec::new(),
        };
        let is_asked = |label: &str| {
            let gives = |act: &CompiledAct| matches!(act, CompiledAct::Input(action, _) if action == label);
            node.rules.iter().any(|rule| gives(&rule.act))
        };
        let mut split = Vec::new();
        for at in self.arena.move_ids(*place) {
            let step = &self.arena.arena.moves[at];
            if !is_output(step) && !is_asked(&self.labels[step.action]) {
                continue;
            }
            let Some(having) = self.having(at) else {
                return Vec::new();
            };
            let going = self.literals.implied_by_both(*group, having);
            let view = View {
                only_outputs: is_output(step),
                moves: vec![self.view_move(step)],
                ..alone.clone()
            };
            split.push((Rc::new(view), going));
        }
        split.push((Rc::new(alone), *group));
        split
    }
    /// A group that gets to the same points as another one joins it; a group that gets to fewer points continues alone.
    fn beyond(&mut self, group: &Lit, seen: &Lit, is_same: bool) -> Option<Lit> {
        if is_same {
            self.literals.add(&[!*group, *seen]);
            return None;
        }
        Some(*group)
    }
    fn unite(&mut self, group: &mut Lit, other: &Lit) {
        let either = self.literals.fresh();
        self.literals.add(&[!*group, either]);
        self.literals.add(&[!*other, either]);
        *group = either;
    }
    fn end(&mut self, end: ExecutionEnd, group: &Lit) {
        if end == ExecutionEnd::Verdict(TestVerdict::Fail) {
            self.literals.add(&[!*group]);
        }
    }
    fn is_settled(&self, _: &Lit) -> bool {
        self.stopped.is_some()
    }
    fn heeds_silence(&self) -> bool {
        false
    }
    /// Adds clauses by which a product accepts the input at each of the points: it has one of the edges that do.
    fn refuse(&mut self, who: Who<'_, Self>, action: &str, refused: Vec<Dbm>) {
        // A view with a move lacks the other edges: refusals are handled in the view without moves.
        if !who.view.moves.is_empty() {
            return;
        }
        let mut cells: Vec<(Vec<Lit>, Dbm)> = refused.into_iter().map(|zone| (vec![!*who.group], zone)).collect();
        for at in self.arena.move_ids(*who.place) {
            let step = &self.arena.arena.moves[at];
            if is_output(step) || self.labels[step.action] != action {
                continue;
            }
            let Some(having) = self.having(at) else { return };
            for enabled in self.view_move(step).enabled {
                cells = zone_ops::divided(cells, &enabled, &having);
            }
        }
        let mut clauses: Vec<Vec<Lit>> = cells.into_iter().map(|(accepting, _)| accepting).collect();
        clauses.sort_unstable();
        clauses.dedup();
        clauses.iter().for_each(|clause| self.literals.add(clause));
    }
}
