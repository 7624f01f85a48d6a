//! A specification and a mutant side by side, moved by what a tester can see.
//!
//! In every zone the specification's clocks come first, the mutant's behind them. The specification is deterministic; every answer
//! of the mutant counts, as a run of it may take any.

use crate::execution::subject::{Subject, is_output};
pub(super) use tamper_game::symbolic::Pair;
use tamper_game::symbolic::{Arena, Move, NodeId, PairProduct, zone_ops};
use tamper_text::IndexVec;
use tamper_timed::model::ActionId;
use tamper_zones::{Dbm, Federation};

pub(super) struct Pairing<'a> {
    pub spec: &'a Arena,
    pub mutant: Arena,
    pub spec_labels: &'a IndexVec<ActionId, String>,
    /// The mutant's action with the same label, for each action of the specification; `None` if the mutant lacks it.
    to_mutant: IndexVec<ActionId, Option<ActionId>>,
    to_spec: IndexVec<ActionId, Option<ActionId>>,
    pub mutant_labels: &'a IndexVec<ActionId, String>,
}

/// A joint move: the specification's move and the mutant's move.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointMove<'p> {
    pub spec: &'p Move,
    pub mutant: &'p Move,
}

impl<'a> Pairing<'a> {
    pub fn new(spec: &'a Subject, mutant: &'a Subject) -> Self {
        let map = |from: &Subject, to: &Subject| from.labels.iter().map(|label| to.action(label)).collect();
        Self {
            spec: &spec.arena,
            mutant: mutant.arena.shifted(spec.arena.n_clocks),
            spec_labels: &spec.labels,
            to_mutant: map(spec, mutant),
            to_spec: map(mutant, spec),
            mutant_labels: &mutant.labels,
        }
    }

    /// The points at which the specification's state exists.
    pub fn spec_alive(&self, pair: Pair) -> Option<Dbm> {
        self.alive(self.spec, pair.0)
    }
    /// The points at which the mutant's state exists.
    pub fn mutant_alive(&self, pair: Pair) -> Option<Dbm> {
        self.alive(&self.mutant, pair.1)
    }
    fn alive(&self, arena: &Arena, node: NodeId) -> Option<Dbm> {
        let invariant = arena.atoms_of(arena.node(node).invariant);
        zone_ops::restricted(&Dbm::universe(self.dim()), invariant)
    }
    pub fn both_alive(&self, pair: Pair) -> Option<Dbm> {
        let mut both = self.spec_alive(pair)?;
        let invariant = self.mutant.atoms_of(self.mutant.node(pair.1).invariant);
        zone_ops::restrict(&mut both, invariant).then_some(both)
    }

    /// The inputs of the specification in the pair.
    pub fn inputs(&self, pair: Pair) -> impl Iterator<Item = &Move> {
        self.spec.moves_of(pair.0).iter().filter(|step| !is_output(step))
    }
    /// The outputs of the mutant in the pair.
    pub fn outputs(&self, pair: Pair) -> impl Iterator<Item = &Move> {
        self.mutant.moves_of(pair.1).iter().filter(|step| is_output(step))
    }
    /// The mutant's moves with the action of the specification's `step`.
    pub fn mutant_moves<'p>(&'p self, pair: Pair, step: &Move) -> impl Iterator<Item = &'p Move> + use<'p> {
        let action = self.to_mutant[step.action];
        let moves = self.mutant.moves_of(pair.1).iter();
        moves.filter(move |step| Some(step.action) == action)
    }
    /// The specification's moves with the action of the mutant's `step`.
    pub fn spec_moves<'p>(&'p self, pair: Pair, step: &Move) -> impl Iterator<Item = &'p Move> + use<'p> {
        let action = self.to_spec[step.action];
        let moves = self.spec.moves_of(pair.0).iter();
        moves.filter(move |step| Some(step.action) == action)
    }
    /// All joint moves: inputs of the specification, and outputs of the mutant.
    pub fn joints(&self, pair: Pair) -> Vec<JointMove<'_>> {
        let inputs = self.inputs(pair).flat_map(|spec| {
            let answers = self.mutant_moves(pair, spec);
            answers.map(move |mutant| JointMove { spec, mutant })
        });
        let outputs = self.outputs(pair).flat_map(|mutant| {
            let answers = self.spec_moves(pair, mutant);
            answers.map(move |spec| JointMove { spec, mutant })
        });
        inputs.chain(outputs).collect()
    }

    /// The points at which the specification can make the move.
    pub fn spec_enabled(&self, step: &Move) -> Federation {
        zone_ops::federation(self.dim(), self.spec.cases(step.enabled))
    }
    pub fn mutant_enabled(&self, step: &Move) -> Federation {
        zone_ops::federation(self.dim(), self.mutant.cases(step.enabled))
    }
    pub fn enabled(&self, joint: JointMove<'_>) -> Federation {
        let mut both = self.spec_enabled(joint.spec);
        both.intersect(&self.mutant_enabled(joint.mutant));
        both
    }
    /// Applies the resets of both moves to `zone`.
    pub fn reset(&self, zone: &mut Dbm, joint: JointMove<'_>) {
        zone_ops::reset_all(zone, self.spec.resets_of(joint.spec));
        zone_ops::reset_all(zone, self.mutant.resets_of(joint.mutant));
    }
    /// Replaces `zone` by the points that the resets of both moves lead into it. Returns `false` if there are none.
    #[must_use]
    pub fn before_resets(&self, zone: &mut Dbm, joint: JointMove<'_>) -> bool {
        tamper_game::symbolic::consistency::before_resets(zone, self.spec.resets_of(joint.spec))
            && tamper_game::symbolic::consistency::before_resets(zone, self.mutant.resets_of(joint.mutant))
    }
    /// The pair that the moves lead to.
    pub fn target(joint: JointMove<'_>) -> Pair {
        (joint.spec.target, joint.mutant.target)
    }

    /// The zones that the moves of `joint` lead to from `zone`.
    pub fn after(&self, zone: &Dbm, joint: JointMove<'_>) -> impl Iterator<Item = Dbm> {
        let enabled = self.enabled(joint).into_zones().into_iter();
        enabled.filter_map(move |enabled| {
            let mut next = zone.clone();
            next.intersect(&enabled).then(|| {
                self.reset(&mut next, joint);
                next
            })
        })
    }

    /// The points of [`PairProduct::delayed`], which are one zone here, as nothing is pruned.
    pub fn waited(&self, pair: Pair, mut entry: Dbm) -> Dbm {
        if self.may_delay(pair) == (true, true) {
            entry.up();
            let alive = self.both_alive(pair).expect("an entered pair exists");
            let kept = entry.intersect(&alive);
            assert!(kept, "an entered pair satisfies its invariants");
        }
        entry
    }
    /// The points of entry from which both can delay into `later`, where both states exist.
    pub fn before_delay(&self, pair: Pair, later: &Dbm) -> Option<Dbm> {
        let mut entry = later.clone();
        if self.may_delay(pair) == (true, true) {
            entry.down();
            if !entry.intersect(&self.both_alive(pair)?) {
                return None;
            }
        }
        Some(entry)
    }
}

impl PairProduct for Pairing<'_> {
    fn sides(&self) -> (&Arena, &Arena) {
        (self.spec, &self.mutant)
    }
    fn delayed(&self, pair: Pair, entry: Dbm) -> Federation {
        self.waited(pair, entry).into()
    }
    fn successors(&self, pair: Pair, zone: &Dbm) -> Vec<(Pair, Dbm)> {
        let after = |joint| self.after(zone, joint).map(move |next| (Self::target(joint), next));
        self.joints(pair).into_iter().flat_map(after).collect()
    }
}
