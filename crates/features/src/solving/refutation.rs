//! Proofs that clauses cannot all hold: written by varisat in DRAT, checked here without search.
//!
//! Every clause of a proof follows from the clauses before it by unit propagation: if all its literals are false, some
//! clause has none left (reverse unit propagation, RUP). The checker keeps clauses that the proof deletes; this is sound
//! and loses nothing. It shares no code with the solver.

use varisat::{ExtendFormula as _, ProofFormat};

use crate::solving::varisat_solver::lower;
use crate::{Cnf, Lit, SolverFailure, Var};
use tamper_text::Id;

/// A proof in DRAT that the clauses cannot all hold; `None` if they can.
///
/// # Errors
/// If the solver does not answer.
pub fn refute(cnf: &Cnf) -> Result<Option<String>, SolverFailure> {
    let failure = |_| SolverFailure::of("varisat");
    let mut proof = Vec::new();
    let answer = {
        let mut solver = varisat::Solver::new();
        solver.write_proof(&mut proof, ProofFormat::Drat);
        for clause in cnf.clauses() {
            let clause: Vec<_> = clause.iter().map(|lit| lower(*lit)).collect();
            solver.add_clause(&clause);
        }
        let answer = solver.solve().map_err(failure)?;
        solver.close_proof().map_err(failure)?;
        answer
    };
    let text = String::from_utf8(proof).map_err(|_| SolverFailure::of("varisat"))?;
    Ok((!answer).then_some(text))
}

/// The reason why a refutation proves nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RefutationError {
    /// The step of that number, from 1, is no clause over the variables there are.
    #[error("step {0} is no clause over the variables there are")]
    NoClause(usize),
    /// The step of that number does not follow.
    #[error("step {0} does not follow from those before it")]
    NotImplied(usize),
    /// It ends before the empty clause.
    #[error("it ends before the empty clause")]
    Unfinished,
}

/// Checks that `proof`, in DRAT, shows that the clauses cannot all hold. Accepts only steps by unit propagation, not
/// resolution steps (RAT), which varisat does not make.
///
/// # Errors
/// The first step that is not a clause over the variables or does not follow, or that the empty clause is never reached.
/// Clauses that unit propagation alone refutes need no step.
pub fn check_refutation(cnf: &Cnf, proof: &str) -> Result<(), RefutationError> {
    let mut known = Known::of(cnf);
    for (number, line) in (1..).zip(proof.lines()) {
        // Every line is parsed, even after the empty clause or where no step is needed: a malformed proof proves nothing.
        let step = line.trim_start();
        let deleted = step.strip_prefix("d ");
        if step.is_empty() || step == "c" || step.starts_with("c ") {
            continue;
        }
        let clause = literals(deleted.unwrap_or(step), cnf.n_vars()).ok_or(RefutationError::NoClause(number))?;
        if deleted.is_some() || known.is_refuted {
            continue;
        }
        if !known.implies(&clause) {
            return Err(RefutationError::NotImplied(number));
        }
        known.add(&clause);
    }
    if known.is_refuted {
        Ok(())
    } else {
        Err(RefutationError::Unfinished)
    }
}

/// The literals of a line of DRAT, which ends with 0.
fn literals(line: &str, n_vars: usize) -> Option<Vec<Lit>> {
    let mut numbers: Vec<i64> = Vec::new();
    for word in line.split_ascii_whitespace() {
        numbers.push(word.parse().ok()?);
    }
    if numbers.pop() != Some(0) {
        return None;
    }
    let literal = |number: i64| {
        let index = usize::try_from(number.unsigned_abs()).ok()?.checked_sub(1)?;
        (index < n_vars).then(|| Lit::new(Var::from_index(index), number > 0))
    };
    numbers.into_iter().map(literal).collect()
}

/// The number of a literal: even if it is the variable itself.
fn code(lit: Lit) -> usize {
    2 * lit.var().index() + usize::from(!lit.is_positive())
}

/// Clauses that hold, and the literals that follow from them by unit propagation. Each clause of two or more literals is
/// watched at two literals that are not false, as far as it has two.
struct Known {
    clauses: Vec<Vec<usize>>,
    /// By literal: the clauses that are watched there.
    watches: Vec<Vec<usize>>,
    /// By literal: whether it is true.
    is_true: Vec<bool>,
    /// The literals that are true, in order, and how many of them were propagated.
    trail: Vec<usize>,
    n_followed: usize,
    is_refuted: bool,
}

impl Known {
    fn of(cnf: &Cnf) -> Self {
        let n_literals = 2 * cnf.n_vars();
        let mut known = Self {
            clauses: Vec::new(),
            watches: vec![Vec::new(); n_literals],
            is_true: vec![false; n_literals],
            trail: Vec::new(),
            n_followed: 0,
            is_refuted: false,
        };
        cnf.clauses().iter().for_each(|clause| known.add(clause));
        known
    }

    fn is_false(&self, literal: usize) -> bool {
        self.is_true[literal ^ 1]
    }

    fn set(&mut self, literal: usize) {
        if !self.is_true[literal] {
            self.is_true[literal] = true;
            self.trail.push(literal);
        }
    }

    /// Adds a clause that holds. Literals that are true now stay true.
    fn add(&mut self, clause: &[Lit]) {
        let mut literals: Vec<usize> = clause.iter().map(|lit| code(*lit)).collect();
        literals.sort_unstable();
        literals.dedup();
        let always = literals.iter().any(|literal| self.is_true[*literal])
            || literals.windows(2).any(|pair| pair[0] ^ 1 == pair[1]);
        if self.is_refuted || always {
            return;
        }
        literals.retain(|literal| !self.is_false(*literal));
        match literals.as_slice() {
            [] => self.is_refuted = true,
            [only] => {
                let only = *only;
                self.set(only);
                self.is_refuted = !self.propagate();
            }
            [first, second, ..] => {
                self.watches[*first].push(self.clauses.len());
                self.watches[*second].push(self.clauses.len());
                self.clauses.push(literals);
            }
        }
    }

    /// Whether a clause has no literal left if all of `clause` are false.
    fn implies(&mut self, clause: &[Lit]) -> bool {
        let before = self.trail.len();
        let mut is_implied = false;
        for literal in clause.iter().map(|lit| code(*lit)) {
            is_implied |= self.is_true[literal];
            self.set(literal ^ 1);
        }
        is_implied |= !self.propagate();
        for literal in self.trail.drain(before..) {
            self.is_true[literal] = false;
        }
        self.n_followed = before;
        is_implied
    }

    /// Makes literals true that must be; returns `false` if a clause has no literal left.
    fn propagate(&mut self) -> bool {
        while let Some(literal) = self.trail.get(self.n_followed).copied() {
            self.n_followed += 1;
            let falsified = literal ^ 1;
            let mut kept = Vec::new();
            let mut waiting = std::mem::take(&mut self.watches[falsified]).into_iter();
            let mut holds = true;
            for clause in waiting.by_ref() {
                if !self.watch_another(clause, falsified) {
                    kept.push(clause);
                    // The other watched literal is the last one that is not false.
                    let other = self.clauses[clause][0];
                    if self.is_false(other) {
                        holds = false;
                        break;
                    }
                    self.set(other);
                }
            }
            kept.extend(waiting);
            self.watches[falsified].append(&mut kept);
            if !holds {
                return false;
            }
        }
        true
    }

    /// Watches `clause` at another literal than `falsified`, if one is left; otherwise the other watched one comes first.
    fn watch_another(&mut self, clause: usize, falsified: usize) -> bool {
        let mut literals = std::mem::take(&mut self.clauses[clause]);
        if literals[0] == falsified {
            literals.swap(0, 1);
        }
        let free = (2..literals.len()).find(|at| !self.is_false(literals[*at]));
        let moves = !self.is_true[literals[0]] && free.is_some();
        if let (true, Some(at)) = (moves, free) {
            literals.swap(1, at);
            self.watches[literals[1]].push(clause);
        }
        self.clauses[clause] = literals;
        moves
    }
}
