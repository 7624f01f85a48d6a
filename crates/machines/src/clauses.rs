//! A counter of clauses in front of a solver, with encodings of common conditions.

use tamper_features::{Lit, Solver};

/// Sets up to this size are made exclusive pair by pair, larger ones by a ladder of auxiliary variables.
const PAIRWISE: usize = 6;

/// A conjunction of literals; literals that always hold are left out.
pub(super) type Body = Vec<Lit>;

/// A solver that clauses are added to, and counted.
pub(super) struct ClauseSink<'s> {
    pub solver: &'s mut dyn Solver,
    pub n_clauses: usize,
}

impl<'s> ClauseSink<'s> {
    pub fn new(solver: &'s mut dyn Solver) -> Self {
        Self { solver, n_clauses: 0 }
    }
    fn add(&mut self, clause: &[Lit]) {
        self.solver.add_clause(clause);
        self.n_clauses += 1;
    }
    /// Adds that `body` implies `head`; without a head, that `body` is false.
    pub fn implies(&mut self, body: &[Lit], head: Option<Lit>) {
        let clause: Vec<Lit> = body.iter().map(|lit| !*lit).chain(head).collect();
        self.add(&clause);
    }
    /// A literal that is equivalent to the disjunction of the bodies.
    pub fn any_of(&mut self, bodies: &[Body]) -> Lit {
        let any = Lit::positive(self.solver.fresh());
        let mut clause = vec![!any];
        for body in bodies {
            self.implies(body, Some(any));
            clause.push(self.all_of(body));
        }
        self.add(&clause);
        any
    }
    /// A literal that implies all literals of `body`.
    fn all_of(&mut self, body: &[Lit]) -> Lit {
        if let [single] = body {
            return *single;
        }
        let all = Lit::positive(self.solver.fresh());
        for lit in body {
            self.add(&[!all, *lit]);
        }
        all
    }
    /// The condition for being in a state that `bodies` enter: empty if one of them always holds, the literal of the
    /// only body if it has a single one, else a new literal.
    pub fn entered(&mut self, bodies: &[Body], exact: bool) -> Body {
        match bodies {
            _ if bodies.iter().any(Vec::is_empty) => Body::new(),
            [only] if only.len() == 1 => only.clone(),
            _ if exact => vec![self.any_of(bodies)],
            _ => {
                let entered = Lit::positive(self.solver.fresh());
                for body in bodies {
                    self.implies(body, Some(entered));
                }
                vec![entered]
            }
        }
    }
    pub fn exactly_one(&mut self, lits: &[Lit]) {
        self.add(lits);
        if lits.len() <= PAIRWISE {
            for (at, one) in lits.iter().enumerate() {
                for other in &lits[at + 1..] {
                    self.add(&[!*one, !*other]);
                }
            }
            return;
        }
        // `so_far` holds if one of the literals so far does; then the next may not.
        let mut so_far = lits[0];
        for lit in &lits[1..] {
            self.add(&[!so_far, !*lit]);
            let next = Lit::positive(self.solver.fresh());
            self.add(&[!so_far, next]);
            self.add(&[!*lit, next]);
            so_far = next;
        }
    }
}
