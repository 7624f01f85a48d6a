//! From an automaton to an arena: the only place where guards, invariants and updates become bounds.
//!
//! Discrete states are made on demand, so that a game with integers is expanded only where its zones lead
//! ([`super::exploration`]). Expansion of a node fixes, for every move, where it is *possible* (guard and target
//! invariant: the unpruned game), adds the implicit self loops of ignored inputs, and decides urgency.

use rustc_hash::FxHashMap;

use super::arena::{Arena, Atom, Cases, Conjunction, Move, Node, index};
use super::error::{GameError, Halt};
use super::zone_ops;
use crate::base::Id;
use crate::model::{
    Automaton, ClockConstraint, Cmp, Edge, EdgeId, EvalError, Expr, Guard, LocId, Role, Update, Urgency, Valuation,
};
use crate::zones::{Bound, Clock, Dbm, Variable};

/// Most values an integer expression may have when a clock difference is compared with it.
pub const MOST_DIAGONAL_VALUES: i64 = 64;
/// Most combinations of select values on one edge.
pub const MOST_SELECTS: u64 = 65_536;

/// A move that no run may take: taking it would be an error of the model.
#[derive(Clone, Debug)]
pub struct Fault {
    pub node: u32,
    pub guard: Conjunction,
    pub error: GameError,
}

/// An arena under construction.
pub struct Lowering<'a> {
    pub automaton: &'a Automaton,
    pub arena: Arena,
    /// Whether the node's moves are there.
    pub expanded: Vec<bool>,
    pub faults: Vec<Fault>,
    known: FxHashMap<(LocId, Vec<i32>), u32>,
    /// The edges by source, in file order; those of location `l` are `leaving[first_leaving[l]..first_leaving[l + 1]]`.
    leaving: Vec<EdgeId>,
    first_leaving: Vec<usize>,
}

impl<'a> Lowering<'a> {
    /// The arena with the initial node only; `None` when the initial invariant does not hold at the start.
    pub fn start(automaton: &'a Automaton) -> Result<Option<Self>, GameError> {
        let (leaving, first_leaving) = edges_by_source(automaton);
        let mut lowering = Self {
            leaving,
            first_leaving,
            automaton,
            arena: Arena {
                n_clocks: automaton.clocks().len(),
                n_ints: automaton.ints().len(),
                ..Arena::default()
            },
            expanded: Vec::new(),
            faults: Vec::new(),
            known: FxHashMap::default(),
        };
        let values: Vec<i32> = automaton.ints().iter().map(|var| var.initial).collect();
        let Some(node) = lowering.node(automaton.initial(), &values)? else {
            return Ok(None);
        };
        let zero = Dbm::zero(lowering.arena.dim());
        let invariant = lowering.arena.node(node).invariant;
        let holds = zone_ops::satisfies(&zero, lowering.arena.atoms_of(invariant));
        lowering.arena.diagonals = super::bounds::diagonals(automaton)?;
        Ok(holds.then_some(lowering))
    }

    /// The node of `location` with `values`, made if it is new; `None` when the integer part of its invariant fails.
    fn node(&mut self, location: LocId, values: &[i32]) -> Result<Option<u32>, GameError> {
        if let Some(node) = self.known.get(&(location, values.to_vec())) {
            return Ok(Some(*node));
        }
        let valuation = Valuation {
            ints: values,
            selects: &[],
        };
        let parts = &self.automaton.locations()[location];
        let place = || format!("the invariant of {}", parts.name);
        let Some(atoms) = atoms_of_guard(&parts.invariant, valuation, &place)? else {
            return Ok(None);
        };
        let invariant = self.arena.push_conjunction(atoms);
        let alive = self.arena.push_cases([invariant]);
        let node = index(self.arena.nodes.len());
        let first_value = index(self.arena.values.len());
        self.arena.values.extend_from_slice(values);
        self.arena.nodes.push(Node {
            location,
            values: first_value,
            urgent: parts.urgency != Urgency::Normal,
            invariant,
            moves: 0..0,
            alive,
        });
        self.expanded.push(false);
        self.known.insert((location, values.to_vec()), node);
        Ok(Some(node))
    }

    /// Makes and expands a node for every location, of a game without integers. Node `l + 1` is location `l` where `l`
    /// comes before the initial one, which is node 0; the later ones keep their numbers.
    pub fn expand_all(&mut self) -> Result<(), GameError> {
        for location in self.automaton.locations().ids() {
            self.node(location, &[])?;
        }
        for node in 0..index(self.arena.nodes.len()) {
            self.expand(node)?;
        }
        Ok(())
    }

    /// Makes and expands every node that the graph leads to, whatever the clocks; a location each, without integers.
    pub fn expand_graph(&mut self) -> Result<(), GameError> {
        let mut next = 0;
        while (next as usize) < self.arena.nodes.len() {
            self.expand(next)?;
            next += 1;
        }
        Ok(())
    }

    /// Makes the moves of `node`, once.
    pub fn expand(&mut self, node: u32) -> Result<(), GameError> {
        if std::mem::replace(&mut self.expanded[node as usize], true) {
            return Ok(());
        }
        let automaton = self.automaton;
        let location = self.arena.node(node).location;
        let values = self.arena.values_of(node).to_vec();
        let first = index(self.arena.moves.len());
        for at in self.first_leaving[location.index()]..self.first_leaving[location.index() + 1] {
            let edge_id = self.leaving[at];
            let edge = &automaton.edges()[edge_id];
            if edge.selects.is_empty() {
                self.add_move(node, edge_id, &values, &[])?;
                continue;
            }
            for selects in select_values(automaton, edge)? {
                self.add_move(node, edge_id, &values, &selects)?;
            }
        }
        if automaton.is_input_enabled() {
            self.ignore_missing_inputs(node, first);
        }
        self.arena.nodes[node as usize].moves = first..index(self.arena.moves.len());
        self.decide_urgency(node)
    }

    /// Adds the move of `edge` under the given values, if its integer conditions hold.
    fn add_move(&mut self, node: u32, edge_id: EdgeId, ints: &[i32], selects: &[i32]) -> Result<(), GameError> {
        let automaton = self.automaton;
        let edge = &automaton.edges()[edge_id];
        let place = || format!("edge {}", edge_name(automaton, edge));
        let Some(guard) = atoms_of_guard(&edge.guard, Valuation { ints, selects }, &place)? else {
            return Ok(());
        };
        let guard = self.arena.push_conjunction(guard);
        let effect = match run_updates(automaton, edge, ints, selects) {
            Ok(effect) => effect,
            Err(error) => {
                self.faults.push(Fault { node, guard, error });
                return Ok(());
            }
        };
        let target = match self.node(edge.target, &effect.ints) {
            Ok(Some(target)) => target,
            Ok(None) => return Ok(()),
            Err(error) => {
                self.faults.push(Fault { node, guard, error });
                return Ok(());
            }
        };
        let first_reset = index(self.arena.resets.len());
        self.arena.resets.extend_from_slice(&effect.resets);
        let resets = (first_reset, index(self.arena.resets.len()));
        let action = index(edge.action.index());
        let step = Move {
            edge: Some(edge_id),
            action,
            role: automaton.actions()[edge.action].role,
            guard,
            resets,
            target,
            enabled: Cases::default(),
        };
        let mut atoms = self.arena.atoms_of(guard).to_vec();
        let invariant = self.arena.node(target).invariant;
        if self
            .arena
            .before_resets(self.arena.atoms_of(invariant), &step, &mut atoms)
        {
            let possible = self.arena.push_conjunction(atoms);
            let enabled = self.arena.push_cases([possible]);
            self.arena.moves.push(Move { enabled, ..step });
        }
        Ok(())
    }

    /// Adds a self loop without reset wherever an input of the alphabet is not possible.
    fn ignore_missing_inputs(&mut self, node: u32, first: u32) {
        let inputs = self
            .automaton
            .actions()
            .iter_enumerated()
            .filter(|(_, action)| action.role == Role::Input);
        for (action, _) in inputs {
            let action = index(action.index());
            let dim = self.arena.dim();
            let mut missing = zone_ops::federation(dim, [self.arena.atoms_of(self.arena.node(node).invariant)]);
            for step in &self.arena.moves[first as usize..] {
                if step.action == action {
                    missing.subtract(&zone_ops::federation(dim, self.arena.cases(step.enabled)));
                }
            }
            for zone in missing.zones() {
                let atoms = zone_ops::atoms_of_zone(zone);
                let guard = self.arena.push_conjunction(atoms);
                let enabled = self.arena.push_cases([guard]);
                self.arena.moves.push(Move {
                    edge: None,
                    action,
                    role: Role::Input,
                    guard,
                    resets: (0, 0),
                    target: node,
                    enabled,
                });
            }
        }
    }

    /// An enabled edge on an urgent channel forbids delay: everywhere in the node, or nowhere, else it is refused.
    fn decide_urgency(&mut self, node: u32) -> Result<(), GameError> {
        let arena = &self.arena;
        let dim = arena.dim();
        let mut urgent = false;
        for step in arena.moves_of(node) {
            let Some(edge) = step.edge else { continue };
            let edge = &self.automaton.edges()[edge];
            if !self.automaton.actions()[edge.action].urgent {
                continue;
            }
            let all = zone_ops::federation(dim, [arena.atoms_of(arena.node(node).invariant)]);
            let mut enabled = zone_ops::federation(dim, arena.cases(step.enabled));
            enabled.intersect(&all);
            if enabled.includes(&all) {
                urgent = true;
            } else if !enabled.is_empty() {
                return Err(GameError::UrgentDependsOnClocks {
                    edge: edge_name(self.automaton, edge),
                });
            }
        }
        self.arena.nodes[node as usize].urgent |= urgent;
        Ok(())
    }

    /// The arena, with the bounds for extrapolation.
    pub fn finish(self) -> Arena {
        let mut arena = self.arena;
        arena.max_bounds = super::bounds::per_node(&arena);
        arena
    }
}

/// The arena of a game without integers: every location the graph reaches is a node, clocks play no part.
fn lower_graph(mut lowering: Lowering<'_>) -> Result<Arena, GameError> {
    lowering.expand_graph()?;
    if let Some(fault) = lowering.faults.first() {
        return Err(fault.error.clone());
    }
    Ok(lowering.finish())
}

/// The arena of `automaton`: its discrete states that runs reach (or more, never fewer). `None` when its initial
/// invariant does not hold at the start, so that it has no state at all.
///
/// # Errors
/// What [`GameError`] names, and the budget.
pub fn lower(automaton: &Automaton, budget: &crate::base::Budget) -> Result<Option<Arena>, Halt> {
    let Some(lowering) = Lowering::start(automaton)? else {
        return Ok(None);
    };
    if automaton.ints().is_empty() {
        return Ok(Some(lower_graph(lowering)?));
    }
    let mut lowering = lowering;
    super::exploration::explore(&mut lowering, budget)?;
    Ok(Some(lowering.finish()))
}

/// `source->target` with the location names.
pub fn edge_name(automaton: &Automaton, edge: &Edge) -> String {
    let name = |location| &automaton.locations()[location].name;
    format!(
        "{}->{} {}",
        name(edge.source),
        name(edge.target),
        automaton.actions()[edge.action]
    )
}

fn edges_by_source(automaton: &Automaton) -> (Vec<EdgeId>, Vec<usize>) {
    let mut first = vec![0; automaton.locations().len() + 1];
    for edge in automaton.edges() {
        first[edge.source.index() + 1] += 1;
    }
    for location in 1..first.len() {
        first[location] += first[location - 1];
    }
    let mut next = first.clone();
    let mut leaving = vec![EdgeId::from_index(0); automaton.edges().len()];
    for (id, edge) in automaton.edges().iter_enumerated() {
        leaving[next[edge.source.index()]] = id;
        next[edge.source.index()] += 1;
    }
    (leaving, first)
}

pub fn select_values(automaton: &Automaton, edge: &Edge) -> Result<Vec<Vec<i32>>, GameError> {
    let width =
        |select: &crate::model::Select| u64::try_from(i64::from(select.high) - i64::from(select.low) + 1).unwrap_or(0);
    let count = edge
        .selects
        .iter()
        .try_fold(1u64, |count, select| count.checked_mul(width(select)));
    if count.is_none_or(|count| count > MOST_SELECTS) {
        return Err(GameError::SelectTooLarge {
            edge: edge_name(automaton, edge),
        });
    }
    let mut all = vec![Vec::new()];
    for select in &edge.selects {
        let longer = |prefix: &Vec<i32>, value: i32| prefix.iter().copied().chain([value]).collect();
        all = all
            .iter()
            .flat_map(|prefix| (select.low..=select.high).map(move |value| longer(prefix, value)))
            .collect();
    }
    Ok(all)
}

/// What an edge does: the integers after it, and the clocks it sets.
pub struct Effect {
    pub ints: Vec<i32>,
    pub resets: Vec<(Variable, i64)>,
}

pub fn run_updates(automaton: &Automaton, edge: &Edge, ints: &[i32], selects: &[i32]) -> Result<Effect, GameError> {
    let mut effect = Effect {
        ints: ints.to_vec(),
        resets: Vec::new(),
    };
    for update in &edge.updates {
        let valuation = Valuation {
            ints: &effect.ints,
            selects,
        };
        let value = |expr: &Expr| {
            let place = || format!("edge {}", edge_name(automaton, edge));
            expr.eval(valuation).map_err(|error| evaluation(error, &place))
        };
        match update {
            Update::Reset(clock, expr) => {
                let value = value(expr)?;
                if value < 0 {
                    let edge = edge_name(automaton, edge);
                    return Err(GameError::NegativeReset { edge, value });
                }
                checked(value, &|| edge_name(automaton, edge))?;
                let variable = Variable::new(clock.index());
                effect.resets.retain(|(reset, _)| *reset != variable);
                effect.resets.push((variable, value));
            }
            Update::Assign(int, expr) => {
                let value = value(expr)?;
                let var = &automaton.ints()[*int];
                let in_range = i32::try_from(value)
                    .ok()
                    .filter(|value| (var.low..=var.high).contains(value));
                let Some(fits) = in_range else {
                    return Err(GameError::OutOfRange {
                        edge: edge_name(automaton, edge),
                        state: state_name(automaton, edge.source, ints),
                        variable: var.name.to_string(),
                        value,
                    });
                };
                effect.ints[int.index()] = fits;
            }
        }
    }
    Ok(effect)
}

/// `location (i=1, j=2)`.
pub fn state_name(automaton: &Automaton, location: LocId, values: &[i32]) -> String {
    let name = &automaton.locations()[location].name;
    if values.is_empty() {
        return name.to_string();
    }
    let pairs = automaton
        .ints()
        .iter()
        .zip(values)
        .map(|(var, value)| format!("{}={value}", var.name));
    format!("{name} ({})", pairs.collect::<Vec<_>>().join(", "))
}

fn evaluation(error: EvalError, place: &dyn Fn() -> String) -> GameError {
    GameError::Evaluation { place: place(), error }
}

/// The clock atoms of `guard` under `valuation`; `None` when an integer condition fails.
pub fn atoms_of_guard(
    guard: &Guard,
    valuation: Valuation<'_>,
    place: &dyn Fn() -> String,
) -> Result<Option<Vec<Atom>>, GameError> {
    for condition in &guard.data {
        if condition.eval(valuation).map_err(|error| evaluation(error, place))? == 0 {
            return Ok(None);
        }
    }
    let mut atoms = Vec::with_capacity(guard.clocks.len());
    for constraint in &guard.clocks {
        let constant = constraint
            .bound
            .eval(valuation)
            .map_err(|error| evaluation(error, place))?;
        push_atoms(constraint, checked(constant, place)?, &mut atoms);
    }
    Ok(Some(atoms))
}

/// `constant`, if zones represent it exactly.
pub fn checked(constant: i64, place: &dyn Fn() -> String) -> Result<i64, GameError> {
    if constant.unsigned_abs() <= Bound::LIMIT.unsigned_abs() {
        Ok(constant)
    } else {
        let place = place();
        Err(GameError::ConstantTooLarge { place, value: constant })
    }
}

/// The atoms of `left - right ~ constant`.
pub fn push_atoms(constraint: &ClockConstraint, constant: i64, atoms: &mut Vec<Atom>) {
    let clock = |id: crate::model::ClockId| Clock::from(Variable::new(id.index()));
    let left = clock(constraint.left);
    let right = constraint.right.map_or(Clock::ZERO, clock);
    let upper = |bound| Atom { left, right, bound };
    let lower = |bound| Atom {
        left: right,
        right: left,
        bound,
    };
    match constraint.cmp {
        Cmp::Lt => atoms.push(upper(Bound::lt(constant))),
        Cmp::Le => atoms.push(upper(Bound::le(constant))),
        Cmp::Eq => atoms.extend([upper(Bound::le(constant)), lower(Bound::le(-constant))]),
        Cmp::Ge => atoms.push(lower(Bound::le(-constant))),
        Cmp::Gt => atoms.push(lower(Bound::lt(-constant))),
    }
}
