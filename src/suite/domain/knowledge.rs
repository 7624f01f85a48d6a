//! Which products are left: the feature model and all that was excluded, in one solver.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

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
    /// What is excluded for now is excluded while this literal holds.
    now: Option<Lit>,
    /// Solutions that were found and are not excluded: most questions are answered by one of them.
    solutions: VecDeque<Vec<bool>>,
    n_vars: usize,
    pub n_questions: u64,
}

/// How many solutions are kept.
const KEPT: usize = 64;

/// Whether the solution has all of `cube`; none if it is older than one of its variables.
fn has_all(solution: &[bool], cube: &[Lit]) -> Option<bool> {
    let mut all = true;
    for lit in cube {
        all &= *solution.get(lit.var().index())? == lit.is_positive();
    }
    Some(all)
}

impl Knowledge {
    pub fn new(model: &FeatureModel) -> Self {
        let mut solver = Varisat::default();
        let encoded = EncodedModel::of(model);
        solver.load(encoded.cnf());
        Self {
            solver,
            solutions: VecDeque::new(),
            n_vars: encoded.cnf().n_vars(),
            n_features: model.features().len(),
            literals: BTreeMap::new(),
            meanings: BTreeMap::new(),
            now: None,
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
    fn fresh(&mut self) -> Var {
        self.n_vars += 1;
        self.solver.fresh()
    }
    fn all_of(&mut self, operands: &[Lit]) -> Lit {
        let all = Lit::positive(self.fresh());
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
        let known = |solution: &Vec<bool>| has_all(solution, cube) == Some(true);
        if let Some(at) = self.solutions.iter().position(known) {
            // What answered last is likely to answer next.
            if let Some(solution) = self.solutions.remove(at) {
                self.solutions.push_front(solution);
            }
            return Ok(true);
        }
        let is_possible = self.ask(cube)?;
        if is_possible {
            let vars = (0..self.n_vars).map(Var::from_index);
            self.solutions
                .push_front(vars.map(|var| self.solver.value(var)).collect());
            self.solutions.truncate(KEPT);
        }
        Ok(is_possible)
    }
    /// Forgets the solutions that have all of `cube`, or may have.
    fn forget(&mut self, cube: &[Lit]) {
        self.solutions.retain(|solution| has_all(solution, cube) == Some(false));
    }
    fn ask(&mut self, cube: &[Lit]) -> Result<bool, SolverFailure> {
        match self.now {
            None => self.solver.solve(cube),
            Some(now) => self.solver.solve(&[&[now], cube].concat()),
        }
    }
    /// Excludes the products that have all of `cube`.
    pub fn exclude(&mut self, cube: &[Lit]) {
        self.forget(cube);
        let clause: Vec<Lit> = cube.iter().map(|lit| !*lit).collect();
        self.solver.add_clause(&clause);
    }
    /// Excludes the products that `expr` holds for.
    pub fn exclude_all(&mut self, expr: &FeatureExpr) {
        match self.of(expr) {
            Known::Always(false) => {}
            Known::Always(true) => self.exclude(&[]),
            Known::Open(lit) => self.exclude(&[lit]),
        }
    }
    /// Excludes the products that have all of `cube` until [`Knowledge::readmit`].
    pub fn exclude_for_now(&mut self, cube: &[Lit]) {
        self.forget(cube);
        let now = match self.now {
            Some(now) => now,
            None => Lit::positive(self.fresh()),
        };
        self.now = Some(now);
        let clause: Vec<Lit> = cube.iter().map(|lit| !*lit).chain([!now]).collect();
        self.solver.add_clause(&clause);
    }
    /// What was excluded for now is left again.
    pub fn readmit(&mut self) {
        if let Some(now) = self.now.take() {
            self.solver.add_clause(&[!now]);
        }
    }
    /// `cube` as a condition.
    pub fn meaning(&self, cube: &[Lit]) -> FeatureExpr {
        FeatureExpr::all(cube.iter().map(|lit| {
            let meaning = self.meanings.get(&lit.var()).cloned().unwrap_or(FeatureExpr::True);
            if lit.is_positive() { meaning } else { !meaning }
        }))
    }
    /// A product that is left: the first one, in the order of features without before with. So which one it is
    /// depends on what is left only, not on what the solver was asked before.
    pub fn product(&mut self) -> Result<Option<Product>, SolverFailure> {
        self.n_questions += 1;
        if !self.ask(&[])? {
            return Ok(None);
        }
        let mut chosen = Vec::with_capacity(self.n_features);
        for feature in (0..self.n_features).map(FeatureId::from_index) {
            let without = EncodedModel::lit(feature, false);
            chosen.push(without);
            // The solution found last has all that was chosen before.
            if self.solver.value(EncodedModel::var(feature)) && !self.ask(&chosen)? {
                chosen.pop();
                chosen.push(!without);
            }
        }
        let features = (0..self.n_features).map(FeatureId::from_index).zip(chosen);
        let selected = features.filter(|(_, lit)| lit.is_positive());
        Ok(Some(selected.map(|(feature, _)| feature).collect()))
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
