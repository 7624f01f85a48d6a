//! A solver for products, and literals for conditions on them.

use rustc_hash::FxHashMap;

use tamper_features::{
    Batsat, DiagramSet, Diagrams, EncodedModel, FeatureExpr, FeatureId, FeatureModel, Lit, Product, Solver as _,
    SolverFailure, Var,
};
use tamper_text::{Budget, Id as _, StopReason};

/// Clauses over the features of a model and further variables.
pub(super) struct Literals {
    solver: Batsat,
    n_features: usize,
    always: Lit,
    sets: FxHashMap<DiagramSet, Lit>,
    conditions: FxHashMap<FeatureExpr, Lit>,
    n_clauses: usize,
    n_vars: usize,
    budget: Budget,
}

/// Maximum number of conjunctions of a condition; larger conditions are encoded by their diagrams.
const MOST_CONJUNCTIONS: usize = 64;
/// Bytes of a clause, with its literals and the solver's data for it.
const CLAUSE: u64 = 100;

impl Literals {
    /// Literals for the products of `model`. The solver has the budget's memory and time.
    pub fn of(model: &FeatureModel, budget: &Budget) -> Result<Self, StopReason> {
        let encoded = EncodedModel::within(model, budget)?;
        let mut solver = Batsat::within(budget);
        solver.load(encoded.cnf());
        let always = Lit::positive(solver.fresh());
        solver.add_clause(&[always]);
        Ok(Self {
            solver,
            n_features: model.features().len(),
            always,
            sets: FxHashMap::default(),
            conditions: FxHashMap::default(),
            n_clauses: encoded.cnf().clauses().len() + 1,
            n_vars: encoded.cnf().n_vars() + 1,
            budget: budget.clone(),
        })
    }
    pub fn n_clauses(&self) -> usize {
        self.n_clauses
    }
    pub fn always(&self) -> Lit {
        self.always
    }
    /// A new literal without clauses.
    pub fn fresh(&mut self) -> Lit {
        self.n_vars += 1;
        Lit::positive(self.solver.fresh())
    }
    /// Adds a clause: one of the literals holds.
    pub fn add(&mut self, clause: &[Lit]) {
        self.n_clauses += 1;
        self.solver.add_clause(clause);
    }
    /// The limit that was hit, if one was.
    pub fn exceeded(&self) -> Option<StopReason> {
        self.budget.exceeded(0, (self.n_clauses + self.n_vars) as u64 * CLAUSE)
    }
    /// A literal that holds if both do, and perhaps in other cases.
    pub fn implied_by_both(&mut self, first: Lit, second: Lit) -> Lit {
        if second == self.always {
            return first;
        }
        let both = self.fresh();
        self.add(&[!first, !second, both]);
        both
    }

    /// The literal of a set of products: it holds for a product if and only if the set contains the product.
    pub fn of_set(&mut self, sets: &mut Diagrams, set: DiagramSet) -> Result<Lit, StopReason> {
        if let Some(known) = self.sets.get(&set) {
            return Ok(*known);
        }
        let literal = match sets.condition(set, MOST_CONJUNCTIONS)? {
            Some(condition) => self.condition(&condition),
            None => self.diagram(sets, set),
        };
        self.sets.insert(set, literal);
        Ok(literal)
    }
    fn condition(&mut self, when: &FeatureExpr) -> Lit {
        match when {
            FeatureExpr::True => return self.always,
            FeatureExpr::False => return !self.always,
            FeatureExpr::Var(feature) => return EncodedModel::lit(*feature, true),
            FeatureExpr::Not(operand) => return !self.condition(operand),
            FeatureExpr::And(_) | FeatureExpr::Or(_) => {}
        }
        if let Some(known) = self.conditions.get(when) {
            return *known;
        }
        let (operands, is_and) = match when {
            FeatureExpr::And(operands) => (operands, true),
            FeatureExpr::Or(operands) => (operands, false),
            _ => unreachable!("the others have been returned"),
        };
        // A disjunction, as the complement of the conjunction of the complements of its operands.
        let parts: Vec<Lit> = operands
            .iter()
            .map(|operand| {
                if is_and {
                    self.condition(operand)
                } else {
                    !self.condition(operand)
                }
            })
            .collect();
        let all = self.fresh();
        let mut whole = vec![all];
        for part in parts {
            self.add(&[!all, part]);
            whole.push(!part);
        }
        self.add(&whole);
        let literal = if is_and { all } else { !all };
        self.conditions.insert(when.clone(), literal);
        literal
    }
    fn diagram(&mut self, sets: &Diagrams, set: DiagramSet) -> Lit {
        let (nodes, is_all) = sets.diagram(set).numbers();
        let mut known = vec![!self.always, self.always];
        for [feature, low, high] in nodes {
            let selected = EncodedModel::lit(FeatureId::from_index(feature as usize), true);
            let [low, high] = [low, high].map(|child| known[child as usize]);
            let own = self.fresh();
            for [condition, value] in [[!selected, high], [selected, low]] {
                self.add(&[!own, condition, value]);
                self.add(&[own, condition, !value]);
            }
            known.push(own);
        }
        match known.len() {
            2 if is_all => self.always,
            2 => !self.always,
            n => known[n - 1],
        }
    }

    /// A product that agrees with `assumed` and satisfies all clauses.
    pub fn product(&mut self, assumed: &[(FeatureId, bool)]) -> Result<Option<Product>, StopReason> {
        let assumed: Vec<Lit> = assumed
            .iter()
            .map(|(feature, selected)| EncodedModel::lit(*feature, *selected))
            .collect();
        let answer = self.solver.solve(&assumed);
        let found = answer.map_err(|failure: SolverFailure| failure.reason().unwrap_or(StopReason::Time))?;
        let features = (0..self.n_features).map(FeatureId::from_index);
        Ok(found.then(|| {
            let selected = features.filter(|feature| self.solver.value(Var::from_index(feature.index())));
            selected.collect()
        }))
    }
}
