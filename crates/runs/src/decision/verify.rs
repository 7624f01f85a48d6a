//! Verification of verdicts: of a sample of a run's mutants certificates are made and checked by `tamper-check`. A mutant that has none
//! is decided again by the plain game, which lowers and plays it separately and uses no guideline, no family and no duplicate. The
//! sample is drawn evenly over the methods that gave the verdicts, as their records name them, so that a resumed run draws the same
//! mutants.

use std::collections::{BTreeMap, BinaryHeap};

use rayon::prelude::*;
use serde::Serialize;

use crate::certificates::{CheckedCertificate, MutantCertifier};
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
    /// Number of them whose certificate was checked; the plain game decided the others.
    pub certified: u64,
    /// Number of mutants that were not decided again within the limits.
    pub unknown: u64,
    /// The mutants with another verdict than the run's.
    pub differences: Vec<Difference>,
    /// The mutants whose certificates the checker refused.
    pub refused: Vec<RefusedCertificate>,
}

/// A mutant whose certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RefusedCertificate {
    /// The mutant.
    pub id: String,
    /// The words of the checker.
    pub because: String,
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
    /// The other verdict, of its certificate or of the plain game.
    pub game: Verdict,
}

impl Verified {
    /// Number of mutants decided again.
    pub fn total(&self) -> u64 {
        self.ways.values().sum()
    }

    /// Whether nothing speaks against the verdicts of the run.
    pub fn is_clean(&self) -> bool {
        self.differences.is_empty() && self.refused.is_empty()
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

/// Decides the mutants of `draw` again, by certificates from `certifier` as far as there are any, else as `plain` does.
///
/// # Errors
/// If no games are played, or a number belongs to no mutant.
pub fn verify(
    plain: &dyn Plainly,
    certifier: Option<&MutantCertifier<'_>>,
    draw: VerificationSample,
) -> Result<Verified> {
    let again = |(_, drawn): &(&'static str, DrawnMutant)| -> Result<(bool, String, CheckedCertificate)> {
        let checked = certifier.map(|certifier| certifier.checked(drawn.number)).transpose()?;
        match checked.flatten() {
            Some((id, checked)) => Ok((true, id, checked)),
            None => {
                let (id, verdict) = plain.decide_plainly(drawn.number)?;
                Ok((false, id, CheckedCertificate::Proved(verdict)))
            }
        }
    };
    let drawn = draw.drawn();
    let decided: Vec<_> = drawn.par_iter().map(again).collect::<Result<_>>()?;
    let mut verified = Verified::default();
    for ((by, drawn), (is_certified, id, checked)) in drawn.into_iter().zip(decided) {
        *verified.ways.entry(by).or_default() += 1;
        verified.certified += u64::from(is_certified);
        let found = drawn.verdict;
        match checked {
            CheckedCertificate::Proved(Verdict::Unknown) => verified.unknown += 1,
            CheckedCertificate::Proved(game) if game == found => {}
            CheckedCertificate::Proved(game) => verified.differences.push(Difference { id, by, found, game }),
            CheckedCertificate::Refused(because) => verified.refused.push(RefusedCertificate { id, because }),
        }
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
        let timer = Timer::new(Limits::default());
        let by_certificate = MutantCertifier::new(&space, Semantics::TIGA, &timer).unwrap();
        let ways = [None, Some(&by_certificate)];
        let cases = [(Verdict::NonSubsumed, 0), (Verdict::Inconsistent, 1)];
        for ((found, n_differences), way) in cases.into_iter().flat_map(|case| ways.map(|way| (case, way))) {
            let mut draw = VerificationSample::new(3, 0);
            draw.offer(1, DecidedBy::Game, found);
            let verified = verify(&run, way, draw).unwrap();
            assert_eq!((verified.total(), verified.unknown), (1, 0));
            assert_eq!(verified.certified, u64::from(way.is_some()));
            assert_eq!(verified.differences.len(), n_differences);
            assert_eq!(verified.is_clean(), n_differences == 0);
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
