//! The discrete states of a mutant, each with the steps that it shares with the original.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::super::atoms::{Atoms, minus_all};
use super::super::moves::{CombinedMove, MoveGenerator, State};
use super::super::original::SharedSteps;
use super::super::priorities::prioritised;
use super::answer::Stop;
use super::bounds::{Constants, WalkBounds};
use crate::model::Role;
use tamper_zones::{Bound, Clock, Dbm};

/// A discrete state of the mutant.
pub(super) struct MutantNode {
    pub state: Arc<State>,
    pub invariant: Arc<Atoms>,
    pub urgent: bool,
    pub moves: Arc<[CombinedMove]>,
    /// Per step, the node that it leads to, if it was taken.
    pub targets: Vec<Option<usize>>,
    pub constants: Constants,
    /// The comparison with the original, if a run that both have leads there.
    pub shared: Option<Arc<SharedNode>>,
}

/// The steps of mutant and original in a state that runs of both reach.
pub(super) struct SharedNode {
    /// The original's invariant, and whether its time stands.
    pub invariant: Arc<Atoms>,
    pub urgent: bool,
    /// The steps that both take: by number, with a clock condition. Several may be about one step.
    pub common: Conditions,
    /// The steps that only the mutant takes.
    pub leaving: Conditions,
    /// The clock values at which only the mutant may be.
    pub late: Vec<Atoms>,
}

/// The discrete states of a mutant that were met.
pub(super) struct Nodes<'w> {
    pub mutant: MoveGenerator<'w>,
    pub original: MoveGenerator<'w>,
    pub kept: SharedSteps<'w>,
    /// By process and edge of the mutant, whether the original has another one or none.
    changed: Vec<Vec<bool>>,
    pub bounds: WalkBounds,
    pub list: Vec<MutantNode>,
    index: FxHashMap<Arc<State>, usize>,
    /// Whether some run of the mutant that was followed ends in a fault.
    pub has_fault: bool,
}

impl MutantNode {
    /// Whether time can pass for ever, from all clock values.
    pub fn is_calm(&self) -> bool {
        let mut atoms = self.invariant.as_slice().iter();
        !self.urgent && atoms.all(|atom| atom.left == Clock::ZERO)
    }

    /// The inputs that change something, by number.
    pub fn inputs(&self) -> impl Iterator<Item = usize> {
        let changes = |step: &CombinedMove| {
            let effect = step.effect.as_ref();
            effect.is_ok_and(|effect| effect.target != self.state || !effect.resets.is_empty())
        };
        let moves = self.moves.iter().enumerate();
        moves
            .filter(move |(_, step)| step.class == Some(Role::Input) && changes(step))
            .map(|(at, _)| at)
    }

    /// The values of `zone` from which time can pass; `None` if there are none.
    pub fn waiting(&self, mut zone: Dbm) -> Option<Dbm> {
        let atoms = self.invariant.as_slice().iter();
        let ends = atoms.filter(|atom| atom.left != Clock::ZERO && atom.right == Clock::ZERO);
        let before = ends.map(|atom| (atom.left, atom.right, Bound::lt(atom.bound.constant())));
        (!self.urgent && zone.constrain_all(before)).then_some(zone)
    }

    /// The values that waiting reaches from `entered`.
    pub fn delayed(&self, mut entered: Dbm) -> Dbm {
        if !self.urgent {
            entered.up();
            let kept = self.invariant.restrict(&mut entered);
            assert!(kept, "a state that satisfies its invariant keeps doing so for no time");
        }
        entered
    }
}

impl<'w> Nodes<'w> {
    /// No state yet.
    pub fn new(
        mutant: MoveGenerator<'w>,
        original: MoveGenerator<'w>,
        kept: SharedSteps<'w>,
        bounds: WalkBounds,
    ) -> Self {
        let pairs = mutant.network.processes.iter().zip(&original.network.processes);
        let changed = pairs.map(|(process, own)| {
            let edges = process.edges.iter().enumerate();
            edges.map(|(at, edge)| own.edges.get(at) != Some(edge)).collect()
        });
        Self {
            changed: changed.collect(),
            mutant,
            original,
            kept,
            bounds,
            list: Vec::new(),
            index: FxHashMap::default(),
            has_fault: false,
        }
    }

    /// Whether an edge that the original has otherwise takes part in the step.
    pub fn is_changed(&self, step: &CombinedMove) -> bool {
        step.parts.iter().any(|part| self.changed[part.process][part.edge])
    }

    /// The node of `state`, with its steps.
    pub fn node(&mut self, state: &Arc<State>, invariant: &Arc<Atoms>) -> Result<usize, Stop> {
        if let Some(known) = self.index.get(state) {
            return Ok(*known);
        }
        let (moves, urgent) = match self.kept.steps(state) {
            Some(known) => known,
            None => match self.mutant.moves(state) {
                Ok((moves, urgent)) => (prioritised(moves).into(), urgent),
                Err(error) if error.is_fault() => {
                    self.has_fault = true;
                    (Arc::default(), true)
                }
                Err(_) => return Err(Stop::Open),
            },
        };
        let constants = self.bounds.at(state);
        let mut is_new = self.bounds.learn(&constants, invariant);
        for step in moves.iter() {
            is_new |= condition(step).is_some_and(|condition| self.bounds.learn(&constants, &condition));
        }
        if is_new {
            return Err(Stop::Again);
        }
        let node = self.list.len();
        self.index.insert(Arc::clone(state), node);
        self.list.push(MutantNode {
            targets: vec![None; moves.len()],
            state: Arc::clone(state),
            invariant: Arc::clone(invariant),
            urgent,
            moves,
            constants,
            shared: None,
        });
        Ok(node)
    }

    /// The comparison of the mutant with the original in a node that runs of both reach.
    pub fn shared(&mut self, node: usize) -> Result<Arc<SharedNode>, Stop> {
        let MutantNode {
            state,
            invariant,
            moves,
            urgent,
            constants,
            shared,
            ..
        } = &self.list[node];
        if let Some(known) = shared {
            return Ok(Arc::clone(known));
        }
        let shared = match self.kept.steps(state) {
            Some(_) => SharedNode {
                invariant: Arc::clone(invariant),
                urgent: *urgent,
                common: (0..moves.len()).map(|at| (at, Arc::clone(&moves[at].guard))).collect(),
                leaving: Vec::new(),
                late: Vec::new(),
            },
            None => {
                let (known, was_urgent) = self.kept.of_original(state).ok_or(Stop::Open)?;
                let own = self
                    .original
                    .invariant(state)
                    .map_err(|_| Stop::Open)?
                    .ok_or(Stop::Open)?;
                let (common, leaving) = compared(moves, &known);
                SharedNode {
                    urgent: was_urgent,
                    late: minus_all(vec![Atoms::clone(invariant)], [&own]),
                    invariant: Arc::new(own),
                    common,
                    leaving,
                }
            }
        };
        let steps = shared
            .common
            .iter()
            .chain(&shared.leaving)
            .map(|(_, condition)| condition.as_ref());
        let conditions = steps.chain(&shared.late).chain([shared.invariant.as_ref()]);
        let is_new = conditions.fold(false, |is_new, condition| {
            self.bounds.learn(constants, condition) | is_new
        });
        if is_new {
            return Err(Stop::Again);
        }
        let shared = Arc::new(shared);
        self.list[node].shared = Some(Arc::clone(&shared));
        Ok(shared)
    }

    /// The node that a step leads to, and the clock values on entering it; `None` if no value of `zone` takes the step.
    pub fn after(&mut self, node: usize, at: usize, zone: &Dbm) -> Result<Option<(usize, Dbm)>, Stop> {
        let moves = Arc::clone(&self.list[node].moves);
        let step = &moves[at];
        if !step.guard.may_hold_in(zone) {
            return Ok(None);
        }
        let mut zone = zone.clone();
        if !step.guard.restrict(&mut zone) {
            return Ok(None);
        }
        let effect = match &step.effect {
            Ok(effect) => effect,
            Err(wrong) if wrong.1.is_refused() => return Err(Stop::Open),
            Err(_) => {
                self.has_fault = true;
                return Ok(None);
            }
        };
        for (clock, value) in effect.resets.iter() {
            zone.reset(tamper_zones::Variable::new(*clock as usize), *value);
        }
        if !effect.invariant.restrict(&mut zone) {
            return Ok(None);
        }
        let target = match self.list[node].targets[at] {
            Some(known) => known,
            None => {
                let target = self.node(&effect.target, &effect.invariant)?;
                self.list[node].targets[at] = Some(target);
                target
            }
        };
        Ok(Some((target, zone)))
    }

    /// Forgets all states, as larger constants turned up.
    pub fn clear(&mut self) {
        self.list.clear();
        self.index.clear();
        self.has_fault = false;
    }
}

/// The clock values at which the step is possible within the invariant, or ends in a fault; `None` if there are none.
pub(super) fn condition(step: &CombinedMove) -> Option<Atoms> {
    let Ok(effect) = &step.effect else {
        return Some(Atoms::clone(&step.guard));
    };
    let before = effect.invariant.before(&effect.resets)?;
    step.guard.and_all(&before)
}

/// Steps of the mutant, by number, with clock conditions.
type Conditions = Vec<(usize, Arc<Atoms>)>;

/// The steps that both take, and those that only the mutant takes.
fn compared(moves: &[CombinedMove], known: &[CombinedMove]) -> (Conditions, Conditions) {
    let (mut common, mut leaving) = (Vec::new(), Vec::new());
    // Nobody makes inputs that the original does not have.
    let asked = |step: &CombinedMove| step.class != Some(Role::Input);
    for (at, step) in moves.iter().enumerate().filter(|(_, step)| asked(step)) {
        let Some(own) = condition(step) else { continue };
        let others = known.iter().filter(|other| has_same_effect(step, other));
        let others: Vec<Atoms> = others.filter_map(condition).collect();
        common.extend(others.iter().filter_map(|other| Some((at, own.and_all(other)?.into()))));
        let rest = minus_all(vec![own], &others);
        leaving.extend(rest.into_iter().map(|rest| (at, rest.into())));
    }
    (common, leaving)
}

/// Whether the steps are seen as the same action, set the same clocks and lead to the same state.
fn has_same_effect(step: &CombinedMove, other: &CombinedMove) -> bool {
    let (Ok(own), Ok(others)) = (&step.effect, &other.effect) else {
        return false;
    };
    step.class == other.class
        && step.channel == other.channel
        && own.resets == others.resets
        && own.target == others.target
}
