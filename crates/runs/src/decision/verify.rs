//! Verification of verdicts: a sample of a run's mutants is decided again by the plain game, which lowers and plays
//! each mutant separately and uses no guideline, no family and no duplicate. The sample is drawn evenly over the
//! methods that gave the verdicts, as their records name them, so that a resumed run draws the same mutants.

use std::collections::{BTreeMap, BinaryHeap};

use rayon::prelude::*;
use serde::Serialize;

use crate::error::{ExperimentError, Result};
use crate::{DecidedBy, Run, Verdict};

/// Mutants of a run that are to be decided again. The choice depends on the seed and on the methods that decided them,
/// not on threads.
#[derive(Debug)]
pub struct VerificationSample {
    most: usize,
    seed: u64,
    /// For each method, the mutants with the least keys; a single method may have to supply the whole sample.
    by_way: BTreeMap<&'static str, BinaryHeap<DrawnMutant>>,
}

/// A mutant, ordered by a pseudo-random key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct DrawnMutant {
    key: u64,
    number: u64,
    verdict: Verdict,
}

impl VerificationSample {
    /// Draws `most` mutants by `seed`.
    pub fn new(most: usize, seed: u64) -> Self {
        Self {
            most,
            seed,
            by_way: BTreeMap::new(),
        }
    }

    /// Offers a mutant; one without a verdict is not taken.
    pub(crate) fn offer(&mut self, number: u64, way: DecidedBy, verdict: Verdict) {
        if self.most == 0 || verdict == Verdict::Unknown {
            return;
        }
        let drawn = DrawnMutant {
            key: mixed(self.seed ^ mixed(number)),
            number,
            verdict,
        };
        let of_way = self.by_way.entry(way.name()).or_default();
        if of_way.len() < self.most {
            of_way.push(drawn);
        } else if let Some(mut largest) = of_way.peek_mut().filter(|largest| drawn < **largest) {
            *largest = drawn;
        }
    }

    /// The mutants drawn, and the method that decided each: one of every method in turn, as long as there are any.
    fn drawn(self) -> Vec<(&'static str, DrawnMutant)> {
        let of_ways = self.by_way.into_iter();
        let mut of_ways: Vec<_> = of_ways
            .map(|(way, heap)| (way, heap.into_sorted_vec().into_iter()))
            .collect();
        let mut drawn = Vec::new();
        while drawn.len() < self.most {
            let before = drawn.len();
            for (way, of_way) in &mut of_ways {
                drawn.extend(of_way.next().map(|mutant| (*way, mutant)));
            }
            if drawn.len() == before {
                break;
            }
        }
        drawn.truncate(self.most);
        drawn
    }
}

/// A pseudo-random number (the finaliser of SplitMix64).
fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// The results of verification.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Verified {
    /// Number of mutants decided again, by the method that had decided them.
    pub ways: BTreeMap<&'static str, u64>,
    /// Number of mutants that the plain game could not decide within the limits.
    pub unknown: u64,
    /// The mutants on which the plain game gave a different verdict.
    pub differences: Vec<Difference>,
}

/// A mutant with two verdicts: one of them is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// The mutant.
    pub id: String,
    /// The method that decided it in the run.
    pub by: &'static str,
    /// The verdict of the run.
    pub found: Verdict,
    /// The verdict of the plain game.
    pub game: Verdict,
}

impl Verified {
    /// Number of mutants decided again.
    pub fn total(&self) -> u64 {
        self.ways.values().sum()
    }
}

/// A mutant's id, and the verdict of the plain game on it.
pub type Decided = (String, Verdict);

/// A run whose mutants can be decided without shortcuts.
pub trait Plainly: Sync {
    /// Decides the mutant with this number.
    ///
    /// # Errors
    /// If no games are played, or there is no mutant with this number.
    fn decide_plainly(&self, number: u64) -> Result<Decided>;
}

impl Plainly for Run<'_> {
    fn decide_plainly(&self, number: u64) -> Result<Decided> {
        let place = self.space.locate(number);
        let mutant = place.and_then(|(family, position)| {
            let siblings = self.space.siblings(family)?;
            let last = siblings.last().get(position)?;
            Some((siblings.id(last), siblings.mutant(last)))
        });
        let (id, mutant) = mutant.ok_or_else(|| ExperimentError::no_mutant(number))?;
        let verdict = self.judge.plain(&mutant);
        let verdict = verdict.ok_or_else(|| ExperimentError::Refused("no game is played".to_owned()))?;
        Ok((id, verdict))
    }
}

/// Decides the mutants of `draw` again.
///
/// # Errors
/// If no games are played, or a number belongs to no mutant.
pub fn verify(plain: &dyn Plainly, draw: VerificationSample) -> Result<Verified> {
    let again = |(way, drawn): &(&'static str, DrawnMutant)| -> Result<(&'static str, Verdict, Option<Difference>)> {
        let (id, game) = plain.decide_plainly(drawn.number)?;
        let differs = game != drawn.verdict && game != Verdict::Unknown;
        let difference = differs.then_some(Difference {
            id,
            by: way,
            found: drawn.verdict,
            game,
        });
        Ok((way, game, difference))
    };
    let decided: Vec<_> = draw.drawn().par_iter().map(again).collect::<Result<_>>()?;
    let mut verified = Verified::default();
    for (way, game, difference) in decided {
        *verified.ways.entry(way).or_default() += 1;
        verified.unknown += u64::from(game == Verdict::Unknown);
        verified.differences.extend(difference);
    }
    Ok(verified)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Judge, Limits, Selection, StaticUse, Timer};
    use tamper_game::{Semantics, Specification};
    use tamper_text::Budget;
    use tamper_timed::guidelines::violated;
    use tamper_timed::mutation::{MutantSpace, MutationOptions, Order};
    use testing::studies::wfas;

    /// The second mutant removes the input result1? from cont_1, which the specification offers.
    #[test]
    fn a_wrong_verdict_is_found_and_a_right_one_is_not() {
        let base = wfas();
        let space = MutantSpace::new(&base, &MutationOptions::default(), Order::FIRST).unwrap();
        let selection = Selection::of(&space, None, 0).unwrap();
        let specification = Specification::prepare(&base, Semantics::TIGA, &Budget::unlimited()).unwrap();
        let judge = Judge::new(specification, StaticUse::Use, false, Timer::new(Limits::default()));
        let run = Run {
            space: &space,
            selection: &selection,
            judge: &judge,
            rules: &violated,
        };
        for (found, n_differences) in [(Verdict::NonSubsumed, 0), (Verdict::Inconsistent, 1)] {
            let mut draw = VerificationSample::new(3, 0);
            draw.offer(1, DecidedBy::Game, found);
            let verified = verify(&run, draw).unwrap();
            assert_eq!((verified.total(), verified.unknown), (1, 0));
            assert_eq!(verified.differences.len(), n_differences);
            for difference in verified.differences {
                assert_eq!((difference.by, difference.found), ("game", found));
                assert_eq!(difference.game, Verdict::NonSubsumed);
                assert_eq!(Some(1), space.number_of(&difference.id));
            }
        }
    }

    #[test]
    fn what_is_drawn_is_even_over_the_ways_and_depends_on_the_seed_alone() {
        let draw = |most, seed, numbers: &mut dyn Iterator<Item = u64>| {
            let mut draw = VerificationSample::new(most, seed);
            for number in numbers {
                let ways = [DecidedBy::Game, DecidedBy::Rule, DecidedBy::Identity];
                let way = ways[usize::from(number % 10 == 0) + usize::from(number == 50)];
                draw.offer(number, way, Verdict::Subsumed);
            }
            draw.offer(1000, DecidedBy::Game, Verdict::Unknown);
            draw.drawn()
        };
        let drawn = draw(11, 7, &mut (0..100));
        let n = |way| drawn.iter().filter(|(of, _)| *of == way).count();
        // One method is rare; the other ten are shared.
        assert_eq!((n("identity"), n("game"), n("rule")), (1, 5, 5));
        assert_eq!(drawn, draw(11, 7, &mut (0..100).rev()));
        assert_ne!(drawn, draw(11, 8, &mut (0..100)));
        assert_eq!(draw(1000, 7, &mut (0..100)).len(), 100);
        assert!(draw(0, 7, &mut (0..100)).is_empty());
    }
}
