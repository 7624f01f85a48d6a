//! Which products are left: the feature model and all that was excluded, in one solver.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::Id as _;
use crate::features::{
    EncodedModel, FeatureExpr, FeatureId, FeatureModel, Lit, Product, Solver, SolverFailure, Var, Varisat,
};

/// A condition on products: known for all of them, or a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    Always(bool),
    Open(Lit),
}

/// Literals, sorted: the products that have all of them.
pub(super) type Cube = Vec<Lit>;

pub(super) struct Knowledge {
    solver: Varisat,
    n_features: usize,
    literals: BTreeMap<FeatureExpr, Lit>,
    meanings: BTreeMap<Var, FeatureExpr>,
    pub n_questions: u64,
}

impl Knowledge {
    pub fn new(model: &FeatureModel) -> Self {
        let mut solver = Varisat::default();
        solver.load(EncodedModel::of(model).cnf());
        Self {
            solver,
            n_features: model.features().len(),
            literals: BTreeMap::new(),
            meanings: BTreeMap::new(),
            n_questions: 0,
        }
    }

    /// What is known of `expr`: its literal is equivalent to it.
    pub fn of(&mut self, expr: &FeatureExpr) -> Known {
        match expr {
            FeatureExpr::True => Known::Always(true),
            FeatureExpr::False => Known::Always(false),
            _ => Known::Open(self.literal(expr)),
        }
    }
    fn literal(&mut self, expr: &FeatureExpr) -> Lit {
        if let FeatureExpr::Not(inner) = expr {
            return !self.literal(inner);
        }
        if let Some(known) = self.literals.get(expr) {
            return *known;
        }
        let literal = match expr {
            FeatureExpr::Var(feature) => EncodedModel::lit(*feature, true),
            FeatureExpr::Or(operands) => {
                let operands: Vec<Lit> = operands.iter().map(|operand| !self.literal(operand)).collect();
                !self.all_of(&operands)
            }
            FeatureExpr::And(operands) => {
                let operands: Vec<Lit> = operands.iter().map(|operand| self.literal(operand)).collect();
                self.all_of(&operands)
            }
            // Connectives hold no constants, and `Not` was taken apart above.
            FeatureExpr::True | FeatureExpr::Not(_) => self.all_of(&[]),
            FeatureExpr::False => !self.all_of(&[]),
        };
        let meaning = if literal.is_positive() {
            expr.clone()
        } else {
            !expr.clone()
        };
        self.meanings.insert(literal.var(), meaning);
        self.literals.insert(expr.clone(), literal);
        literal
    }
    fn all_of(&mut self, operands: &[Lit]) -> Lit {
        let all = Lit::positive(self.solver.fresh());
        for operand in operands {
            self.solver.add_clause(&[!all, *operand]);
        }
        let clause: Vec<Lit> = operands.iter().map(|operand| !*operand).chain([all]).collect();
        self.solver.add_clause(&clause);
        all
    }

    /// Whether some product that is left has all of `cube`.
    pub fn is_possible(&mut self, cube: &[Lit]) -> Result<bool, SolverFailure> {
        self.n_questions += 1;
        self.solver.solve(cube)
    }
    /// Excludes the products that have all of `cube`.
    pub fn exclude(&mut self, cube: &[Lit]) {
        let clause: Vec<Lit> = cube.iter().map(|lit| !*lit).collect();
        self.solver.add_clause(&clause);
    }
    /// `cube` as a condition.
    pub fn meaning(&self, cube: &[Lit]) -> FeatureExpr {
        FeatureExpr::all(cube.iter().map(|lit| {
            let meaning = self.meanings.get(&lit.var()).cloned().unwrap_or(FeatureExpr::True);
            if lit.is_positive() { meaning } else { !meaning }
        }))
    }
    /// A product that is left.
    pub fn product(&mut self) -> Result<Option<Product>, SolverFailure> {
        if !self.is_possible(&[])? {
            return Ok(None);
        }
        let features = (0..self.n_features).map(FeatureId::from_index);
        let selected = features.filter(|feature| self.solver.value(EncodedModel::var(*feature)));
        Ok(Some(selected.collect()))
    }
    /// Whether `product` is left.
    pub fn has(&mut self, product: &Product) -> Result<bool, SolverFailure> {
        let features = (0..self.n_features).map(FeatureId::from_index);
        let lits: Vec<Lit> = features
            .map(|feature| EncodedModel::lit(feature, product.contains(feature)))
            .collect();
        self.is_possible(&lits)
    }

    /// The ways in which products of `cube` that are left can decide `conditions`.
    pub fn decided(&mut self, cube: Cube, conditions: &[FeatureExpr]) -> Result<Vec<Cube>, SolverFailure> {
        let mut cubes = vec![cube];
        for condition in conditions {
            let Known::Open(lit) = self.of(condition) else { continue };
            let mut next = Vec::new();
            for cube in cubes {
                if cube.binary_search(&lit).is_ok() || cube.binary_search(&!lit).is_ok() {
                    next.push(cube);
                    continue;
                }
                for lit in [lit, !lit] {
                    let mut more = cube.clone();
                    more.insert(more.partition_point(|other| *other < lit), lit);
                    if self.is_possible(&more)? {
                        next.push(more);
                    }
                }
            }
            cubes = next;
        }
        Ok(cubes)
    }
    /// Whether the products of `cube`, which decides it, have `condition`.
    pub fn holds(&mut self, cube: &Cube, condition: &FeatureExpr) -> bool {
        match self.of(condition) {
            Known::Always(holds) => holds,
            Known::Open(lit) => cube.binary_search(&lit).is_ok(),
        }
    }
    /// The literals of `conditions` as `product` has them.
    pub fn as_in<'e>(
        &mut self,
        product: &Product,
        conditions: impl IntoIterator<Item = &'e FeatureExpr>,
    ) -> BTreeSet<Lit> {
        let mut lits = BTreeSet::new();
        for condition in conditions {
            if let Known::Open(lit) = self.of(condition) {
                lits.insert(if condition.holds(product) { lit } else { !lit });
            }
        }
        lits
    }
}
