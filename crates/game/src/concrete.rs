//! One game played with exact numbers, directly on the automaton: no zones, no lowering.
//!
//! Counterexamples are replayed on it. Only the set of consistent states of a pruned game comes from
//! [`crate::symbolic::consistency`], since it is a fixpoint and not a local condition.

use num_rational::BigRational;
use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;

use super::specification::consistent_arena;
use super::witness::{Doing, GamePoint};
use crate::symbolic::{Arena, GameError, Halt, NodeId, timing};
use tamper_text::{Budget, Id};
use tamper_timed::model::{
    ActionId, Automaton, ClockConstraint, Edge, EvalError, Expr, Guard, Role, Update, Urgency, Valuation,
};

/// A state of a game with exact clock values.
pub type ConcreteState = GamePoint;

/// A discrete step from a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConcreteMove {
    /// The action of the move.
    pub action: ActionId,
    /// The edge, or that an input is ignored.
    pub doing: Doing,
    /// The state it leads to.
    pub target: ConcreteState,
}

/// A game to be played step by step.
pub struct ConcreteGame<'a> {
    automaton: &'a Automaton,
    consistent: Option<ConsistentStates>,
}

/// The consistent states of a game.
#[derive(Debug)]
struct ConsistentStates {
    arena: Arena,
    nodes: FxHashMap<(tamper_timed::model::LocId, Vec<i32>), NodeId>,
}

impl<'a> ConcreteGame<'a> {
    /// The game, restricted to its consistent states if `prune`. `None` when the budget is hit or, pruned, when the
    /// initial state is not consistent.
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn new(automaton: &'a Automaton, prune: bool, budget: &Budget) -> Result<Option<Self>, GameError> {
        if !prune {
            let consistent = None;
            return Ok(Some(Self { automaton, consistent }));
        }
        let arena = match consistent_arena(automaton, true, budget) {
            Ok(Some(arena)) => arena,
            Ok(None) | Err(Halt::Stopped(_)) => return Ok(None),
            Err(Halt::Error(error)) => return Err(error),
        };
        Ok(Some(Self {
            automaton,
            consistent: Some(ConsistentStates::of(arena)),
        }))
    }

    /// The initial state, if it exists.
    ///
    /// # Errors
    /// An invariant without a value.
    pub fn initial(&self) -> Result<Option<ConcreteState>, EvalError> {
        let state = ConcreteState {
            location: self.automaton.initial(),
            ints: self.automaton.ints().iter().map(|var| var.initial).collect(),
            clocks: vec![BigRational::zero(); self.automaton.clocks().len()],
        };
        Ok(self.exists(&state)?.then_some(state))
    }

    /// Whether the state satisfies its invariant and, in a pruned game, is consistent.
    ///
    /// # Errors
    /// An invariant without a value.
    pub fn exists(&self, state: &ConcreteState) -> Result<bool, EvalError> {
        let invariant = &self.automaton.locations()[state.location].invariant;
        if !guard_holds(invariant, state, &[])? {
            return Ok(false);
        }
        Ok(self
            .consistent
            .as_ref()
            .is_none_or(|consistent| consistent.contains(state)))
    }

    /// Whether the game can let `delay` time units pass in `state`.
    ///
    /// # Errors
    /// An expression without a value.
    pub fn can_delay(&self, state: &ConcreteState, delay: &BigRational) -> Result<bool, EvalError> {
        if delay.is_zero() {
            return Ok(true);
        }
        let urgent_location = self.automaton.locations()[state.location].urgency != Urgency::Normal;
        // An ignored input is not an edge, so it does not forbid delay.
        let is_urgent = |found: &ConcreteMove| {
            self.automaton.actions()[found.action].urgent && matches!(found.doing, Doing::Edge(_))
        };
        // Moves that pruning removes still forbid delay, so urgency is read off the unpruned moves.
        if delay.is_negative() || urgent_location || self.possible_moves(state)?.iter().any(is_urgent) {
            return Ok(false);
        }
        let later = state.later(delay);
        let invariant = &self.automaton.locations()[state.location].invariant;
        if !guard_holds(invariant, &later, &[])? {
            return Ok(false);
        }
        Ok(self
            .consistent
            .as_ref()
            .is_none_or(|consistent| consistent.stays(state, delay)))
    }

    /// The discrete steps of `state`; in a pruned game only the steps to consistent states.
    ///
    /// # Errors
    /// An expression without a value.
    pub fn moves(&self, state: &ConcreteState) -> Result<Vec<ConcreteMove>, EvalError> {
        let mut moves = self.possible_moves(state)?;
        if let Some(consistent) = &self.consistent {
            moves.retain(|found| consistent.contains(&found.target));
        }
        Ok(moves)
    }

    fn possible_moves(&self, state: &ConcreteState) -> Result<Vec<ConcreteMove>, EvalError> {
        let automaton = self.automaton;
        let mut moves = Vec::new();
        for (id, edge) in automaton.edges().iter_enumerated() {
            if edge.source != state.location {
                continue;
            }
            for selects in combinations(edge) {
                if !guard_holds(&edge.guard, state, &selects)? {
                    continue;
                }
                let target = updated(edge, state, &selects)?;
                let invariant = &automaton.locations()[target.location].invariant;
                if guard_holds(invariant, &target, &[])? {
                    moves.push(ConcreteMove {
                        action: edge.action,
                        doing: Doing::Edge(id),
                        target,
                    });
                }
            }
        }
        if automaton.is_input_enabled() {
            for (action, parts) in automaton.actions().iter_enumerated() {
                if parts.role == Role::Input
                    && !parts.shows_propositions()
                    && moves.iter().all(|found| found.action != action)
                {
                    moves.push(ConcreteMove {
                        action,
                        doing: Doing::Ignores,
                        target: state.clone(),
                    });
                }
            }
        }
        if let Some(action) = automaton.shown(state.location) {
            moves.push(ConcreteMove {
                action,
                doing: Doing::Ignores,
                target: state.clone(),
            });
        }
        Ok(moves)
    }
}

impl ConsistentStates {
    /// The consistent states of a pruned game.
    fn of(arena: Arena) -> Self {
        let state = |node| ((arena.node(node).location, arena.values_of(node).to_vec()), node);
        let nodes = arena.nodes.ids().map(state).collect();
        Self { arena, nodes }
    }

    fn node(&self, state: &ConcreteState) -> Option<NodeId> {
        self.nodes.get(&(state.location, state.ints.clone())).copied()
    }
    fn contains(&self, state: &ConcreteState) -> bool {
        self.node(state).is_some_and(|node| {
            let mut cases = self.arena.alive(node);
            cases.any(|atoms| timing::holds(&state.clocks, atoms))
        })
    }
    fn stays(&self, state: &ConcreteState, delay: &BigRational) -> bool {
        let stays = self
            .node(state)
            .and_then(|node| timing::stays(&state.clocks, self.arena.alive(node)));
        stays.is_some_and(|delays| {
            delays
                .high
                .is_none_or(|high| *delay < high || (*delay == high && delays.high_in))
        })
    }
}

fn combinations(edge: &Edge) -> Vec<Vec<i32>> {
    let mut all = vec![Vec::new()];
    for select in &edge.selects {
        let mut longer = Vec::new();
        for prefix in &all {
            for value in select.low..=select.high {
                let mut next: Vec<i32> = prefix.clone();
                next.push(value);
                longer.push(next);
            }
        }
        all = longer;
    }
    all
}

fn guard_holds(guard: &Guard, state: &ConcreteState, selects: &[i32]) -> Result<bool, EvalError> {
    let valuation = Valuation {
        ints: &state.ints,
        selects,
    };
    for condition in &guard.data {
        if condition.eval(valuation)? == 0 {
            return Ok(false);
        }
    }
    for constraint in &guard.clocks {
        if !constraint_holds(constraint, state, valuation)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn constraint_holds(
    constraint: &ClockConstraint,
    state: &ConcreteState,
    valuation: Valuation<'_>,
) -> Result<bool, EvalError> {
    let bound = BigRational::from_integer(constraint.bound.bound(valuation)?.into());
    let clock = |id: tamper_timed::model::ClockId| &state.clocks[id.index()];
    let difference = match constraint.right {
        Some(right) => clock(constraint.left) - clock(right),
        None => clock(constraint.left).clone(),
    };
    Ok(constraint.cmp.holds(&difference, &bound))
}

fn updated(edge: &Edge, state: &ConcreteState, selects: &[i32]) -> Result<ConcreteState, EvalError> {
    let mut next = ConcreteState {
        location: edge.target,
        ..state.clone()
    };
    for update in &edge.updates {
        let value = |expr: &Expr| {
            expr.eval(Valuation {
                ints: &next.ints,
                selects,
            })
        };
        match update {
            Update::Reset(clock, expr) => {
                next.clocks[clock.index()] = BigRational::from_integer(value(expr)?.into());
            }
            Update::Assign(int, expr) => {
                next.ints[int.index()] = i32::try_from(value(expr)?).map_err(|_| EvalError::Overflow)?;
            }
        }
    }
    Ok(next)
}
