//! The mutants that a suite leaves alive, one by one (\[000\] section 3.3).

use num_bigint::BigUint;

use crate::{Analysis, Answer, ConformingBox, Counter, Escape, Mutant, MutationMachine};
use tamper_features::{Solver, SolverFailure};
use tamper_text::{Budget, StopReason};

/// The completeness of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listed {
    /// The list is complete.
    All,
    /// There are more survivors than were asked for.
    Most,
    /// A limit was hit: there may be more survivors.
    Stopped(StopReason),
}

/// Nonconforming mutants that no test kills.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survivors {
    /// Each with a shortest sequence that kills it, in the order of their choices.
    pub escapes: Vec<Escape>,
    /// Whether the list holds all of them.
    pub listed: Listed,
    /// The number of all mutants, killed or not.
    pub mutants: BigUint,
    /// The number of conforming mutants that are known: all of them, if the survivors are complete.
    pub conforming: BigUint,
}

impl Survivors {
    /// Killed over killable mutants as a fraction: the mutation score if all survivors and conforming mutants are
    /// known, else the optimistic bound of \[000\], which is not below the score. `None` if no mutant is known to be
    /// killable.
    pub fn score(&self) -> Option<(BigUint, BigUint)> {
        let killable = &self.mutants - &self.conforming;
        // One more survivor is known if there are more than were asked for.
        let alive = BigUint::from(self.escapes.len()) + u32::from(self.listed == Listed::Most);
        (killable > BigUint::ZERO).then(|| (&killable - alive, killable))
    }
    /// Whether [`Survivors::score`] is exact.
    pub fn is_exact(&self) -> bool {
        self.listed == Listed::All
    }
}

impl<S: Solver> Analysis<'_, S> {
    /// Finds up to `most` survivors of the tests, and excludes each from later questions. `progress` receives the
    /// number found so far.
    ///
    /// # Errors
    /// If the solver does not answer.
    pub fn survivors(
        &mut self,
        most: u64,
        budget: &Budget,
        progress: &mut dyn FnMut(usize),
    ) -> Result<Survivors, SolverFailure> {
        let mut escapes = Vec::new();
        let mut listed = loop {
            match self.escape(budget, &mut |_| ())? {
                Answer::Complete => break Listed::All,
                Answer::Unknown(reason) => break Listed::Stopped(reason),
                Answer::Escape(_) if escapes.len() as u64 == most => break Listed::Most,
                Answer::Escape(escape) => {
                    self.exclude_one(&escape.mutant);
                    escapes.push(escape);
                    progress(escapes.len());
                }
            }
        };
        escapes.sort_by(|one, other| one.mutant.cmp(&other.mutant));
        let counter = Counter::new(self.machine, budget.clone());
        let (conforming, limit) = counter.union(self.conforming());
        if let (Listed::All, Some(reason)) = (listed, limit) {
            listed = Listed::Stopped(reason);
        }
        let one = BigUint::from(1_u32);
        Ok(Survivors {
            escapes,
            listed,
            mutants: self.machine.n_machines() - &one,
            conforming: conforming - one,
        })
    }
}

/// Up to `most` mutants of the boxes, each once and in the order of their choices, without the specification.
pub fn conforming_mutants(
    machine: &MutationMachine,
    boxes: &[ConformingBox],
    most: u64,
    budget: &Budget,
) -> (Vec<Mutant>, Listed) {
    let mut found = Vec::new();
    let mut listed = Listed::All;
    'boxes: for (at, conforming) in boxes.iter().enumerate() {
        for mutant in conforming.mutants(machine) {
            if let Some(reason) = budget.exceeded(0, 0) {
                listed = Listed::Stopped(reason);
                break 'boxes;
            }
            let is_known =
                mutant.mutated().next().is_none() || boxes[..at].iter().any(|earlier| earlier.contains(&mutant));
            if is_known {
                continue;
            }
            if found.len() as u64 == most {
                listed = Listed::Most;
                break 'boxes;
            }
            found.push(mutant);
        }
    }
    found.sort();
    (found, listed)
}
