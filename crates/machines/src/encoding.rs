//! The set of mutants that a test kills, as clauses over the choices.
//!
//! A suspicious set of two transitions has one variable; a larger set has a variable per choice, exactly one of which
//! is true. A test with few revealing executions is described by these (one clause each, as in \[000\] section 3.2).
//! Any other test is described by the steps of its distinguishing automaton: a literal for each position and state says
//! that the mutant is there. This description is linear in the automaton, however many executions there are, and has
//! the same solutions over the choices. Tests with a common prefix share these literals.

use super::clauses::{Body, ClauseSink};
use super::entering::Entering;
use super::executions::revealing_choices;
use super::positions::Positions;
use super::{AlphaAutomaton, Mutant, MutationMachine, SetId, StateId};
use tamper_features::{Lit, Solver, Var};
use tamper_text::Id;

/// A test with more revealing executions than this is described by positions.
const MAX_EXECUTIONS: usize = 32;

/// The variables of the choices in one solver.
#[derive(Clone, Debug)]
pub(super) struct Encoding {
    /// By set: its first variable and its number of choices.
    sets: Vec<(usize, usize)>,
    /// The positions of the tests described by them; common prefixes are described once.
    positions: Positions,
    /// Whether tests are never described by their executions.
    pub only_positions: bool,
}

/// A choice in a suspicious set, and its literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The suspicious set that the choice is about.
    pub set: SetId,
    /// The number of the choice, 0 being the unaltered transition.
    pub choice: usize,
    /// The literal that holds in the mutants that make the choice.
    pub lit: Lit,
}

impl Choice {
    /// The transition in the notation of \[000\]; of an extended machine, the alternative.
    pub fn show(self, machine: &MutationMachine) -> String {
        machine.show_choice(self.set, self.choice as u32)
    }
}

/// The size of a test's description.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Described {
    /// The number of revealing executions; `None` if the test is described by positions.
    pub n_executions: Option<usize>,
    pub n_clauses: usize,
}

impl Encoding {
    /// The variables and the clauses that define them, in a solver that may hold others; and the number of these
    /// clauses.
    pub fn new(machine: &MutationMachine, solver: &mut dyn Solver) -> (Self, usize) {
        let mut out = ClauseSink::new(solver);
        let mut sets = Vec::with_capacity(machine.sets().len());
        for set in machine.sets() {
            let size = machine.n_choices(set);
            let first = out.solver.fresh().index();
            sets.push((first, size));
            if size > 2 {
                let rest = (1..size).map(|_| Lit::positive(out.solver.fresh()));
                let lits: Vec<Lit> = [Lit::positive(Var::from_index(first))]
                    .into_iter()
                    .chain(rest)
                    .collect();
                out.exactly_one(&lits);
            }
        }
        let encoding = Self {
            sets,
            positions: Positions::new(machine),
            only_positions: false,
        };
        (encoding, out.n_clauses)
    }

    /// The literal of a choice.
    pub fn lit(&self, set: SetId, choice: usize) -> Lit {
        let (first, size) = self.sets[set.index()];
        if size == 2 {
            Lit::new(Var::from_index(first), choice == 1)
        } else {
            Lit::positive(Var::from_index(first + choice))
        }
    }
    /// All choices with their literals, set by set.
    pub fn choices(&self) -> Vec<Choice> {
        let of = |(index, (_, size)): (usize, &(usize, usize))| {
            let set = SetId::from_index(index);
            (0..*size).map(move |choice| (set, choice))
        };
        let choices = self.sets.iter().enumerate().flat_map(of);
        choices
            .map(|(set, choice)| Choice {
                set,
                choice,
                lit: self.lit(set, choice),
            })
            .collect()
    }
    /// The mutant of the solution found last.
    pub fn mutant(&self, machine: &MutationMachine, solver: &dyn Solver) -> Option<Mutant> {
        let choice = |set: SetId| {
            let holds = |choice: &usize| {
                let lit = self.lit(set, *choice);
                solver.value(lit.var()) == lit.is_positive()
            };
            (0..self.sets[set.index()].1).find(holds).map(|choice| choice as u32)
        };
        let choices: Option<Vec<u32>> = machine.sets().map(choice).collect();
        Mutant::new(machine, choices?)
    }

    /// Adds clauses that hold exactly for the mutants that the test does not kill.
    pub fn describe(&mut self, alpha: &AlphaAutomaton<'_>, solver: &mut dyn Solver) -> Described {
        let mut out = ClauseSink::new(solver);
        let executions = self.executions(alpha);
        match &executions {
            Some(bodies) => bodies.iter().for_each(|body| out.implies(body, None)),
            None => {
                let mut positions = std::mem::take(&mut self.positions);
                positions.exclude(alpha, &|set, choice| self.lit(set, choice), &mut out);
                self.positions = positions;
            }
        }
        Described {
            n_executions: executions.map(|bodies| bodies.len()),
            n_clauses: out.n_clauses,
        }
    }

    /// A literal that holds exactly for the mutants that the test kills.
    pub fn define(&self, alpha: &AlphaAutomaton<'_>, solver: &mut dyn Solver) -> Lit {
        let mut out = ClauseSink::new(solver);
        let bodies = self.executions(alpha).unwrap_or_else(|| self.layers(alpha, &mut out));
        out.any_of(&bodies)
    }

    /// The choices of the revealing executions, if there are few and they are found soon.
    fn executions(&self, alpha: &AlphaAutomaton<'_>) -> Option<Vec<Body>> {
        let effort = 4 * alpha.n_steps() + 64;
        let few = revealing_choices(alpha, effort).filter(|found| found.len() <= MAX_EXECUTIONS);
        let executions = few.filter(|_| !self.only_positions)?;
        let body =
            |choices: &Vec<(SetId, usize)>| choices.iter().map(|(set, choice)| self.lit(*set, *choice)).collect();
        Some(executions.iter().map(body).collect())
    }

    /// The conditions for a wrong answer, over literals that hold exactly for the mutants that are in a state at a
    /// position.
    fn layers(&self, alpha: &AlphaAutomaton<'_>, out: &mut ClauseSink<'_>) -> Vec<Body> {
        let machine = alpha.machine();
        let mut wrong = Vec::new();
        let mut here: Vec<(StateId, Body)> = vec![(machine.initial(), Body::new())];
        for (position, input) in alpha.inputs().iter().enumerate() {
            let mut entering = Entering::new(machine);
            for (state, at) in &here {
                for branch in machine.branches(*state, *input) {
                    let transition = branch.transition;
                    let mut body = at.clone();
                    let choices = branch.choices().iter();
                    body.extend(choices.map(|(set, choice)| self.lit(*set, *choice as usize)));
                    if alpha.is_wrong(position, transition) {
                        wrong.push(body);
                    } else if alpha.is_live(position + 1, transition.target) {
                        entering.add(transition.target, body);
                    }
                }
            }
            let entered = entering.all().into_iter();
            here = entered
                .map(|(state, bodies)| (state, out.entered(&bodies, true)))
                .collect();
        }
        wrong
    }
}
