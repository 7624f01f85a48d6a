//! The chance that random tests show the mutants of a suite: what the suite is compared with. It is sampled: a mutant is drawn, random
//! tests run against it as a program that makes its choices at random, and the specification judges what is seen.

use num_rational::BigRational;
use num_traits::Zero as _;
use rayon::prelude::*;

use crate::Timer;
use tamper_features::Random;
use tamper_suite::{
    Monitor, OnlineOracle, Opponent, RandomGame, RandomGuide, Subject, SuiteFailure, TestVerdict, drive_online,
    n_events,
};
use tamper_text::Budget;
use tamper_timed::model::Automaton;

/// Number of mutants that are drawn.
const N_DRAWN: usize = 200;

/// What random tests are run against, and how long.
#[derive(Clone, Copy, Debug)]
pub struct ChanceRequest<'a> {
    /// The game that judges.
    pub specification: &'a Automaton,
    /// The mutants.
    pub mutants: &'a [Subject],
    /// Number of inputs and outputs that the random tests of a mutant may see.
    pub events: usize,
    /// The longest wait in a random test, in time units.
    pub longest: u32,
}

/// A sampled chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chance {
    /// Number of inputs and outputs that the random tests of a mutant saw at most.
    pub events: usize,
    /// Number of mutants that were drawn from.
    pub mutants: usize,
    /// Number of draws.
    pub drawn: usize,
    /// Number of draws in which a random test failed.
    pub shown: usize,
}

impl Chance {
    /// The interval that holds the chance in 95 of 100 samples (Wilson, 1927).
    pub fn interval(&self) -> (f64, f64) {
        const Z: f64 = 1.96;
        let exact = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
        let (n, share) = (exact(self.drawn), exact(self.shown) / exact(self.drawn));
        let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        ((middle - half).max(0.0), (middle + half).min(1.0))
    }
}

/// Samples the chance; the same request has the same answer. `None` if there is no mutant or no event, or the time is over.
///
/// # Errors
/// The specification has no meaning, or a log cannot be judged.
pub fn chance(request: ChanceRequest<'_>, timer: &Timer) -> Result<Option<Chance>, SuiteFailure> {
    let (n_mutants, events) = (request.mutants.len(), request.events);
    if n_mutants == 0 || events == 0 {
        return Ok(None);
    }
    let (monitor, budget) = (Monitor::new(request.specification, &timer.budget())?, timer.budget());
    let judge = RandomJudge {
        monitor: &monitor,
        budget: &budget,
        request,
    };
    // Spread over the mutants, so that each is drawn about as often as any other.
    let shown = (0..N_DRAWN).into_par_iter().map(|draw| {
        let mutant = &request.mutants[draw * n_mutants / N_DRAWN];
        // No draw begins when the time is over; then there is no answer.
        if timer.is_over() {
            Ok(false)
        } else {
            judge.is_shown(mutant, draw as u64)
        }
    });
    let shown: Vec<bool> = shown.collect::<Result<_, _>>()?;
    Ok((!timer.is_over()).then(|| Chance {
        events,
        mutants: n_mutants,
        drawn: N_DRAWN,
        shown: shown.into_iter().filter(|shown| *shown).count(),
    }))
}

struct RandomJudge<'a> {
    monitor: &'a Monitor,
    budget: &'a Budget,
    request: ChanceRequest<'a>,
}

impl RandomJudge<'_> {
    /// Whether a random test fails before more events were seen than are asked for.
    fn is_shown(&self, mutant: &Subject, seed: u64) -> Result<bool, SuiteFailure> {
        let opponent = Opponent::alone(mutant)?;
        let tolerance = BigRational::zero();
        let oracle = OnlineOracle {
            monitor: self.monitor,
            tolerance: &tolerance,
            longest: self.request.longest,
            budget: self.budget,
            is_over: &|| false,
        };
        let mut tester = Random::new(2 * seed);
        let mut choices = Random::new(2 * seed + 1);
        let mut program = RandomGame::new(&opponent, &mut choices);
        let mut seen = 0;
        // A test in which nothing happens counts, too: otherwise there may be no end.
        for _ in 0..self.request.events {
            let mut guide = RandomGuide::new(&mut tester, RandomGuide::N_STEPS, self.request.longest);
            let driven = drive_online(oracle, &mut guide, &mut program);
            let (log, failed) = match driven {
                Ok(driven) => (driven.log, driven.verdict == TestVerdict::Fail),
                Err(broken) => match broken.error {
                    tamper_suite::Unjudged::Judge(failure) => return Err(failure),
                    tamper_suite::Unjudged::Sut(_) => (broken.log, false),
                },
            };
            seen += n_events(&log);
            if failed || seen >= self.request.events {
                return Ok(failed && seen <= self.request.events);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand, from the formula: 50 of 100 is 0.404 to 0.596, none of 200 at most 0.0188.
    #[test]
    fn intervals_are_those_of_the_formula() {
        let chance = |shown, drawn| Chance {
            events: 1,
            mutants: 1,
            drawn,
            shown,
        };
        let (low, high) = chance(50, 100).interval();
        assert!(
            (low - 0.4038).abs() < 1e-3 && (high - 0.5962).abs() < 1e-3,
            "{low} {high}"
        );
        let (low, high) = chance(0, 200).interval();
        assert!(low.abs() < 1e-12 && (high - 0.0188).abs() < 1e-3, "{low} {high}");
    }
}
