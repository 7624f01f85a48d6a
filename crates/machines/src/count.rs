//! The number of mutants that escape: exact, or between bounds.

use num_bigint::BigUint;

use super::{AlphaAutomaton, ChoiceDiagram, ConformingBox, InputId, MutationMachine};
use tamper_text::{Budget, StopReason};

/// A number, exact or between bounds (which are inclusive).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Number {
    /// The number is known to be exactly this.
    Exactly(BigUint),
    /// At least the first, at most the second.
    Between(BigUint, BigUint),
}

impl Number {
    fn new(least: BigUint, most: BigUint) -> Self {
        if least == most {
            Self::Exactly(most)
        } else {
            Self::Between(least, most)
        }
    }
    /// The number, if it is known.
    pub fn exact(&self) -> Option<&BigUint> {
        match self {
            Self::Exactly(number) => Some(number),
            Self::Between(..) => None,
        }
    }
    /// The greatest known lower bound.
    pub fn least(&self) -> &BigUint {
        match self {
            Self::Exactly(number) | Self::Between(number, _) => number,
        }
    }
    /// The least known upper bound.
    pub fn most(&self) -> &BigUint {
        match self {
            Self::Exactly(number) | Self::Between(_, number) => number,
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exactly(number) => number.fmt(f),
            Self::Between(least, most) => write!(f, "{least} to {most}"),
        }
    }
}

/// Counts the mutants that a growing suite leaves alive.
#[derive(Clone, Debug)]
pub struct Counter<'m> {
    machine: &'m MutationMachine,
    budget: Budget,
    survivors: ChoiceDiagram<'m>,
    stopped: Option<StopReason>,
}

/// The numbers of mutants of a machine that a suite kills and leaves alive; the specification is not counted as a
/// mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    /// The number of all mutants, the specification included.
    pub mutants: BigUint,
    /// The number of mutants that some test kills.
    pub killed: Number,
    /// The number of mutants that no test can kill.
    pub conforming: Number,
    /// The number of mutants that could be killed and are not.
    pub undetected: Number,
    /// The reason why a number is not exact, if one is not.
    pub stopped: Option<StopReason>,
}

impl<'m> Counter<'m> {
    /// A counter without tests. The budget's states are the nodes of a diagram.
    pub fn new(machine: &'m MutationMachine, budget: Budget) -> Self {
        Self {
            machine,
            budget,
            survivors: ChoiceDiagram::all(machine),
            stopped: None,
        }
    }
    /// Adds a test. If that exceeds the budget, the test is left out, and the survivors are an upper bound.
    pub fn add_test(&mut self, inputs: &[InputId]) {
        let alpha = AlphaAutomaton::new(self.machine, inputs);
        let removed = match self.machine.stopped() {
            None => self.survivors.remove_killed(&alpha, &self.budget),
            Some(reason) => Err(reason),
        };
        self.stopped = self.stopped.or(removed.err());
    }
    /// The machines that no test kills, the specification among them; an upper bound if a limit was hit.
    pub fn survivors(&self) -> BigUint {
        self.survivors.count()
    }
    /// The limit that was hit, if one was.
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }
    /// The number of nodes of the diagram.
    pub fn size(&self) -> usize {
        self.survivors.size()
    }

    /// The numbers of mutants by the effect of the tests. `conforming` are boxes of conforming mutants, including the
    /// specification; if `are_all`, they cover all conforming mutants. `escapes` says whether a mutant is known to
    /// escape.
    pub fn counts(&self, conforming: &[ConformingBox], are_all: bool, escapes: bool) -> Counts {
        let one = BigUint::from(1_u32);
        let machines = self.machine.n_machines();
        let (known, limit) = self.union(conforming);
        let most_alive = self.survivors();
        let least_alive = match self.stopped {
            None => most_alive.clone(),
            Some(_) => &known + u32::from(escapes),
        };
        let conforming = match (are_all, limit) {
            (true, None) => Number::Exactly(&known - &one),
            _ => {
                let most = &most_alive - u32::from(escapes);
                Number::new(&known - &one, most - &one)
            }
        };
        let less = |from: &BigUint, number: &BigUint| if from > number { from - number } else { BigUint::ZERO };
        let least = less(&less(&least_alive, conforming.most()), &one).max(BigUint::from(u32::from(escapes)));
        Counts {
            killed: Number::new(&machines - &most_alive, &machines - &least_alive),
            undetected: Number::new(least, less(&less(&most_alive, conforming.least()), &one)),
            mutants: machines - &one,
            conforming,
            stopped: self.stopped.or(limit),
        }
    }

    /// The number of machines in the union of the boxes; a lower bound if a limit was hit.
    pub(super) fn union(&self, boxes: &[ConformingBox]) -> (BigUint, Option<StopReason>) {
        let mut outside = ChoiceDiagram::all(self.machine);
        let mut limit = None;
        for conforming in boxes {
            limit = limit.or(outside.remove_box(conforming, &self.budget).err());
        }
        // The specification conforms, even if its box was left out.
        let inside = self.machine.n_machines() - outside.count();
        (inside.max(BigUint::from(1_u32)), limit)
    }
}

impl Counts {
    /// The mutation score of \[000\] section 3.3 as a fraction: killed over nonconforming mutants. `None` if only
    /// bounds are known, or if no mutant can be killed.
    pub fn score(&self) -> Option<(BigUint, BigUint)> {
        let killed = self.killed.exact()?;
        let killable = &self.mutants - self.conforming.exact()?;
        (killable > BigUint::ZERO).then(|| (killed.clone(), killable))
    }
}
