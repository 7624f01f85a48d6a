//! Weak killing (\[002\]): a run of the test brings the mutant into another state than the specification, whether or
//! not that is ever seen. Killing proper is *strong*: the difference is observed.
//!
//! Both games are led through the test together, by what both can do. States differ when their locations or integers do, or
//! when a step resets their clocks differently; a failure is a difference as well.

use std::rc::Rc;

use super::compiled::CompiledTest;
use super::error::SuiteFailure;
use super::execute::execute_in;
use super::opponent::{Opponent, execute};
use super::pairing::{Pair, Pairing};
use super::single::{Single, Stage, Watch};
use super::subject::{Subject, is_output, scaled_atoms};
use super::view::{View, ViewMove};
use crate::base::Budget;
use crate::symbolic::{Arena, INITIAL, Move, NodeId, Together as _, zone_ops};
use crate::zones::Variable;

/// Whether `test` kills `mutant` weakly.
///
/// # Errors
/// If a constant becomes too large in the test's unit, and the budget.
pub fn kills_weakly(
    test: &CompiledTest,
    spec: &Subject,
    mutant: &Subject,
    budget: &Budget,
) -> Result<bool, SuiteFailure> {
    if execute(test, &Opponent::new(mutant, test)?, budget)?.can_fail() {
        return Ok(true);
    }
    let scaled = |subject: &Subject| -> Result<Subject, SuiteFailure> {
        let arena = subject.arena.scaled(test.scale).ok_or(SuiteFailure::ConstantTooLarge)?;
        Ok(Subject {
            arena,
            ..subject.clone()
        })
    };
    let (spec, mutant) = (scaled(spec)?, scaled(mutant)?);
    let both = Both {
        pairing: Pairing::new(&spec, &mutant),
        locations: (&spec.locations, &mutant.locations),
        n_test_clocks: test.n_clocks,
    };
    let mut watched = Single {
        stage: &both,
        watch: Difference {
            both: &both,
            is_met: false,
        },
    };
    execute_in(test, &mut watched, budget, &mut |_, _| ())?;
    Ok(watched.watch.is_met)
}

/// The two games, behind the test's clocks.
struct Both<'a> {
    pairing: Pairing<'a>,
    /// The names of the locations of both.
    locations: (&'a [String], &'a [String]),
    n_test_clocks: usize,
}

/// A pair, and whether the clocks were reset differently on the way.
type Place = (Pair, bool);

impl Both<'_> {
    /// Whether the two are in different locations or have different integers.
    fn differs(&self, pair: Pair) -> bool {
        let spec = Self::state(self.pairing.spec, pair.0, self.locations.0);
        let mutant = Self::state(&self.pairing.mutant, pair.1, self.locations.1);
        spec != mutant
    }

    fn state(arena: &Arena, node: NodeId, names: &[String]) -> (String, Vec<i32>) {
        let location = crate::base::Id::index(arena.node(node).location);
        (names[location].clone(), arena.values_of(node).to_vec())
    }

    fn resets(&self, arena: &Arena, step: &Move) -> Vec<(Variable, i64)> {
        let resets = arena.resets_of(step).iter();
        resets
            .map(|(clock, value)| (Variable::new(clock.index() - 1 + self.n_test_clocks), *value))
            .collect()
    }
}

impl Stage for Both<'_> {
    type Place = Place;
    fn n_clocks(&self) -> usize {
        self.pairing.dim() - 1
    }
    fn start(&self) -> Place {
        ((INITIAL, INITIAL), false)
    }
    fn view(&self, place: &Place) -> Rc<View<Place>> {
        let (pair, apart) = *place;
        let pairing = &self.pairing;
        let placed = |atoms: &[crate::symbolic::Atom]| scaled_atoms(atoms, 1, self.n_test_clocks);
        let n_spec = pairing.spec.n_clocks;
        let moves = pairing.joints(pair).into_iter().map(|joint| {
            let spec = self.resets(pairing.spec, joint.spec);
            let mutant = self.resets(&pairing.mutant, joint.mutant);
            let moved = |(clock, value): &(Variable, i64)| (clock.index() + n_spec, *value);
            let mut expected: Vec<(usize, i64)> = spec.iter().map(moved).collect();
            let mut found: Vec<(usize, i64)> = mutant.iter().map(|(clock, value)| (clock.index(), *value)).collect();
            expected.sort_unstable();
            found.sort_unstable();
            let enabled = pairing.enabled(joint);
            ViewMove {
                label: pairing.spec_labels[joint.spec.action].clone(),
                is_output: is_output(joint.spec),
                enabled: enabled
                    .zones()
                    .iter()
                    .map(|zone| placed(&zone_ops::atoms_of_zone(zone)))
                    .collect(),
                resets: spec.into_iter().chain(mutant).collect(),
                target: (Pairing::target(joint), apart || expected != found),
            }
        });
        Rc::new(View {
            urgent: pairing.may_delay(pair) != (true, true),
            invariant: pairing
                .both_alive(pair)
                .map(|zone| placed(&zone_ops::atoms_of_zone(&zone)))
                .unwrap_or_default(),
            only_outputs: false,
            moves: moves.collect(),
        })
    }
}

/// Whether some run brings the two into different states.
struct Difference<'a> {
    both: &'a Both<'a>,
    is_met: bool,
}

impl Watch<Place> for Difference<'_> {
    fn comes_to(&mut self, (pair, apart): &Place) {
        self.is_met |= *apart || self.both.differs(*pair);
    }
    fn is_settled(&self) -> bool {
        self.is_met
    }
}
