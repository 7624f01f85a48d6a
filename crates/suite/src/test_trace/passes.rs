//! Further rounds of walks: walks rest, and go for mutants again, each as if it had been right so far.

use num_rational::BigRational;
use num_traits::Zero as _;

use super::{ExpectedFailure, Extension, MutantEstimate, TargetMutant, TestTrace};
use crate::Tester;
use crate::execution::concrete_state::ConcreteSpecification;
use crate::execution::subject::{Subject, is_output};
use tamper_game::symbolic::NodeId;
use tamper_game::symbolic::timing::{self, Delays};
use tamper_text::Id as _;

/// Number of outputs that a walk waits for, one after the other, before it continues without having rested: some games never rest.
const MOST_FORCED: usize = 8;

impl MutantEstimate {
    /// The estimate for a mutant that did what `spec` did until the end of `walk`, and may be wrong from then on: it is in the
    /// specification's state. `None` if the mutant lacks that state.
    pub(crate) fn beside(spec: &Subject, mutant: &Subject, walk: &TestTrace) -> Option<Self> {
        if spec.clocks != mutant.clocks {
            return None;
        }
        let named = |subject: &Subject, node: NodeId| {
            let place = subject.arena.node(node);
            let values = subject.arena.values_of(node).to_vec();
            (subject.locations[place.location.index()].clone(), values)
        };
        let here = named(spec, walk.node);
        let twin = mutant.arena.nodes.ids().find(|node| named(mutant, *node) == here)?;
        let exists = timing::holds(&walk.point, mutant.arena.atoms_of(mutant.arena.node(twin).invariant));
        exists.then(|| Self {
            places: vec![(twin, walk.point.clone())],
            n_events: walk.events.len(),
        })
    }
}

impl Tester {
    /// Whether the mutant could have been wrong in the time from the last event of `walk` until `until`: it could have made an
    /// output that the specification could not make, or, if an output `has_come`, it could have been silent for longer.
    pub(crate) fn had_a_chance(
        &self,
        walk: &TestTrace,
        until: &BigRational,
        has_come: bool,
        mutant: TargetMutant<'_>,
    ) -> bool {
        let concrete = self.concrete(&walk.point);
        let end = concrete.stays(walk.node).high;
        let allowed = concrete.allowed(walk.node, until);
        let TargetMutant { subject, followed } = mutant;
        followed.places.iter().any(|(node, point)| {
            let other = ConcreteSpecification {
                arena: &subject.arena,
                labels: &subject.labels,
                point,
            };
            let outlasts = || {
                let stays = other.stays(*node).high;
                let end = end.as_ref().filter(|end| has_come || *end <= until);
                end.is_some_and(|end| stays.is_none_or(|stays| stays > *end))
            };
            let wrong = |(label, window): (&str, Delays)| {
                let right = allowed
                    .iter()
                    .filter(|(known, _)| *known == label)
                    .map(|(_, window)| window);
                !is_covered(&window, &right.collect::<Vec<_>>())
            };
            outlasts() || other.allowed(*node, until).into_iter().any(wrong)
        })
    }

    /// The estimate for `mutant` at the end of `walk`, if it did what the specification did until then; `None` if it lacks the
    /// specification's state.
    pub fn beside(&self, mutant: &Subject, walk: &TestTrace) -> Option<MutantEstimate> {
        MutantEstimate::beside(self.spec(), mutant, walk)
    }

    /// Whether the mutant could be seen to be wrong somewhere on `extension`, from the end of `walk` on.
    pub fn could_show(&self, walk: &TestTrace, extension: &Extension, mutant: TargetMutant<'_>) -> bool {
        let mut walk = walk.without_past();
        let mut followed = MutantEstimate {
            n_events: 0,
            ..mutant.followed.clone()
        };
        let subject = mutant.subject;
        let may = |walk: &TestTrace, until: &BigRational, has_come: bool, followed: &MutantEstimate| {
            self.had_a_chance(walk, until, has_come, TargetMutant { subject, followed })
        };
        for (at, delay) in &extension.moves {
            let step = &self.spec().arena.moves[*at];
            if may(&walk, &(&walk.waited + delay), is_output(step), &followed) {
                return true;
            }
            self.event(&mut walk, step, delay);
            followed.follow(subject, &walk);
        }
        let (delay, has_come) = match &extension.shown {
            ExpectedFailure::Output { from, .. } => (from.clone(), false),
            ExpectedFailure::Refused(_, delay) => (delay.clone(), false),
            ExpectedFailure::Overdue => match self.next_output(&walk) {
                Some((_, delay)) => (delay, true),
                None => (BigRational::zero(), true),
            },
        };
        may(&walk, &(&walk.waited + delay), has_come, &followed)
    }

    /// Waits, without an input, until nothing has come for `longest` time units. Returns whether something can follow.
    pub fn rest(&self, walk: &mut TestTrace, longest: u32) -> bool {
        let longest = BigRational::from_integer(longest.into());
        for _ in 0..MOST_FORCED {
            if walk.is_over {
                return false;
            }
            let until = &walk.waited + &longest;
            if self.longest_silence(walk).is_none_or(|end| end > until) {
                walk.waited = until;
                return true;
            }
            match self.next_output(walk) {
                Some((at, delay)) => self.event(walk, &self.spec().arena.moves[at], &delay),
                None => return false,
            }
        }
        true
    }
}

/// Whether each delay of `window`, which has an end, is in one of `others`.
fn is_covered(window: &Delays, others: &[&Delays]) -> bool {
    let ends = |window: &Delays| [Some(window.low.clone()), window.high.clone()];
    let mut ends: Vec<BigRational> = others
        .iter()
        .flat_map(|window| ends(window))
        .chain(ends(window))
        .flatten()
        .collect();
    ends.sort();
    let between = ends
        .windows(2)
        .map(|pair| (&pair[0] + &pair[1]) / BigRational::from_integer(2.into()));
    let moments = between.chain(ends.iter().cloned());
    let mut inside = moments.filter(|moment| window.holds(moment));
    inside.all(|moment| others.iter().any(|other| other.holds(&moment)))
}
