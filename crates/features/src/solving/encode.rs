//! Feature models as clauses.
//!
//! Variable `i` is feature `i`; auxiliary variables follow. Every auxiliary variable is *equivalent* to a condition on the
//! features (full Tseitin equivalences, full counter equivalences), so the solutions of the clauses and the products are in
//! bijection: a model counter needs no projection, though one is listed. Groups of more than a few members are counted by a
//! sequential counter: `n (max + 1)` auxiliary variables.

use std::collections::HashMap;
use std::convert::Infallible;

use crate::{Cnf, FeatureExpr, FeatureId, FeatureModel, Group, GroupKind, Lit, Product, Rule, Var};
use tamper_text::{Budget, Id, StopReason};

/// Up to this many members, "at most one" is spelled out pair by pair.
const PAIRWISE: usize = 5;
/// In groups with at most this many members the selected ones are counted, never the others.
const SMALL: usize = 16;
/// Bytes per cell of a counter: two variables and six clauses.
const CELL: u64 = 512;
/// More cells than these make a model large.
const MOST_CELLS: u64 = 2_000_000;

/// A feature model as clauses, one selector per rule if asked for.
#[derive(Clone, Debug)]
pub struct EncodedModel {
    cnf: Cnf,
    n_features: usize,
    selectors: Vec<(Rule, Lit)>,
}

impl EncodedModel {
    /// Encodes `model` as clauses, all of its rules in force.
    pub fn of(model: &FeatureModel) -> Self {
        let Ok(encoded) = Self::build(model, false, || None::<Infallible>);
        encoded
    }
    /// Whether the counters of `model`'s groups need more than a gigabyte of clauses.
    pub fn is_large(model: &FeatureModel) -> bool {
        n_cells(model) > MOST_CELLS
    }
    /// The clauses of `model`, unless `budget` has too little memory for the counters of its groups, or too little time.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn within(model: &FeatureModel, budget: &Budget) -> Result<Self, StopReason> {
        match budget.exceeded(0, n_cells(model) * CELL) {
            Some(reason) => Err(reason),
            None => Self::build(model, false, || budget.exceeded(0, 0)),
        }
    }
    /// The clauses of `model`, each rule in force only where its selector holds.
    pub fn with_selectors(model: &FeatureModel) -> Self {
        let Ok(encoded) = Self::build(model, true, || None::<Infallible>);
        encoded
    }
    /// The clauses whose solutions are the products.
    pub fn cnf(&self) -> &Cnf {
        &self.cnf
    }
    /// The variables that stand for features, in the order of features: the projection for model counters.
    pub fn projection(&self) -> impl ExactSizeIterator<Item = Var> + use<> {
        (0..self.n_features).map(Var::from_index)
    }
    /// Each rule with the literal that puts it into force.
    pub fn selectors(&self) -> &[(Rule, Lit)] {
        &self.selectors
    }
    /// The variable that is true when `feature` is selected.
    pub fn var(feature: FeatureId) -> Var {
        Var::from_index(feature.index())
    }
    /// The literal "`feature` is selected", or its negation.
    pub fn lit(feature: FeatureId, selected: bool) -> Lit {
        Lit::new(Self::var(feature), selected)
    }
    /// One literal per feature: exactly `product`.
    pub fn literals(&self, product: &Product) -> Vec<Lit> {
        let features = (0..self.n_features).map(FeatureId::from_index);
        features
            .map(|feature| Self::lit(feature, product.contains(feature)))
            .collect()
    }

    /// Calls `stop` before each rule; a reason ends the encoding.
    fn build<R>(model: &FeatureModel, with_selectors: bool, stop: impl Fn() -> Option<R>) -> Result<Self, R> {
        let mut encoder = Encoder {
            cnf: Cnf::new(model.features().len()),
            selector: None,
            definitions: HashMap::new(),
        };
        let mut selectors = Vec::new();
        for rule in Rule::all(model) {
            if let Some(reason) = stop() {
                return Err(reason);
            }
            if with_selectors {
                let selector = Lit::positive(encoder.cnf.fresh());
                encoder.selector = Some(selector);
                selectors.push((rule, selector));
            }
            match rule {
                Rule::Root => encoder.require([Self::lit(model.root(), true)]),
                Rule::Group(group) => encoder.group(&model.groups()[group]),
                Rule::Constraint(constraint) => encoder.constraint(&model.constraints()[constraint].expr),
            }
        }
        Ok(Self {
            cnf: encoder.cnf,
            n_features: model.features().len(),
            selectors,
        })
    }
}

/// Number of cells in the counters of all groups.
fn n_cells(model: &FeatureModel) -> u64 {
    let cells = model.groups().iter().map(|group| {
        let n = group.members().len();
        let (min, max) = group.kind().bounds(n);
        let counting = MemberCounter::of(min, max, n);
        (n * counting.map_or(0, |counting| counting.columns)) as u64
    });
    cells.sum()
}

/// The counter of a group's members.
#[derive(Clone, Copy)]
struct MemberCounter {
    columns: usize,
    /// Whether it counts the members that are not selected, because that takes fewer columns.
    of_unselected: bool,
}

impl MemberCounter {
    /// The counter of a group of `n`, if its bounds need one.
    fn of(min: usize, max: usize, n: usize) -> Option<Self> {
        if min > max || (max == n && min <= 1) {
            return None;
        }
        let selected = if max < n { max + 1 } else { min };
        let unselected = if min > 1 { n - min + 1 } else { n - max };
        let of_unselected = n > SMALL && unselected < selected;
        Some(Self {
            columns: if of_unselected { unselected } else { selected },
            of_unselected,
        })
    }
}

struct Encoder {
    cnf: Cnf,
    /// The literal under which the next required clauses hold; `None` if they hold always.
    selector: Option<Lit>,
    /// The literal that is equivalent to a nested condition.
    definitions: HashMap<FeatureExpr, Lit>,
}

impl Encoder {
    /// Adds a clause of the current rule.
    fn require(&mut self, clause: impl IntoIterator<Item = Lit>) {
        let selector = self.selector.map(|lit| !lit);
        self.cnf.add(clause.into_iter().chain(selector));
    }

    fn group(&mut self, group: &Group) {
        let parent = EncodedModel::lit(group.parent(), true);
        let members: Vec<Lit> = group.members().iter().map(|m| EncodedModel::lit(*m, true)).collect();
        for member in &members {
            self.require([!*member, parent]);
        }
        let (min, max) = group.kind().bounds(members.len());
        match group.kind() {
            GroupKind::Optional => {}
            GroupKind::Mandatory => members.iter().for_each(|member| self.require([!parent, *member])),
            _ if min > max => self.require([!parent]),
            _ => self.bounds(parent, &members, min, max),
        }
    }

    /// If `parent` holds, between `min` and `max` of `members` do; if it does not, none of them does.
    fn bounds(&mut self, parent: Lit, members: &[Lit], min: usize, max: usize) {
        if min == 1 {
            self.require([!parent].into_iter().chain(members.iter().copied()));
        }
        if max == 1 && members.len() <= PAIRWISE {
            for (position, first) in members.iter().enumerate() {
                for second in &members[position + 1..] {
                    self.require([!*first, !*second]);
                }
            }
        } else if let Some(counting) = MemberCounter::of(min, max, members.len()) {
            self.count(parent, members, min, max, counting);
        }
    }

    fn count(&mut self, parent: Lit, members: &[Lit], min: usize, max: usize, counting: MemberCounter) {
        let n = members.len();
        if counting.of_unselected {
            let unselected: Vec<Lit> = members.iter().map(|member| !*member).collect();
            let counts = self.counter(&unselected, counting.columns);
            if max < n {
                self.require([!parent, counts[n - max - 1]]);
            }
            if min > 1 {
                self.require([!parent, !counts[n - min]]);
            }
            return;
        }
        let counts = self.counter(members, counting.columns);
        if max < n {
            self.require([!counts[max]]);
        }
        if min > 1 {
            self.require([!parent, counts[min - 1]]);
        }
    }

    /// Literals equivalent to "at least 1, 2, .. `columns` of `members` hold"; `columns` is at most their number.
    fn counter(&mut self, members: &[Lit], columns: usize) -> Vec<Lit> {
        let mut before: Vec<Lit> = Vec::new();
        for (row, member) in members.iter().enumerate() {
            let mut after = Vec::with_capacity(columns);
            for column in 0..columns.min(row + 1) {
                // At least column + 1 of the first row + 1: already so, or column of the first row and this one.
                let already = before.get(column).copied();
                let nearly = column.checked_sub(1).map(|less| before[less]);
                let both = match nearly {
                    None => *member,
                    Some(nearly) => self.define_and(&[nearly, *member]),
                };
                after.push(match already {
                    None => both,
                    Some(already) => !self.define_and(&[!already, !both]),
                });
            }
            before = after;
        }
        before
    }

    /// A fresh literal equivalent to the conjunction.
    fn define_and(&mut self, operands: &[Lit]) -> Lit {
        let whole = Lit::positive(self.cnf.fresh());
        for operand in operands {
            self.cnf.add([!whole, *operand]);
        }
        self.cnf
            .add([whole].into_iter().chain(operands.iter().map(|operand| !*operand)));
        whole
    }

    fn constraint(&mut self, expr: &FeatureExpr) {
        match expr {
            FeatureExpr::True => {}
            FeatureExpr::And(operands) => operands.iter().for_each(|operand| self.constraint(operand)),
            FeatureExpr::Not(inner) if matches!(**inner, FeatureExpr::Or(_)) => {
                if let FeatureExpr::Or(operands) = &**inner {
                    operands.iter().for_each(|operand| self.constraint(&!operand.clone()));
                }
            }
            _ => {
                let mut clause = Vec::new();
                if !self.disjuncts(expr, &mut clause) {
                    self.require(clause);
                }
            }
        }
    }

    /// Adds the literals of `expr`, read as a disjunction, to `clause`; returns whether the clause is always true.
    fn disjuncts(&mut self, expr: &FeatureExpr, clause: &mut Vec<Lit>) -> bool {
        match expr {
            FeatureExpr::True => return true,
            FeatureExpr::False => {}
            FeatureExpr::Or(operands) => return operands.iter().any(|operand| self.disjuncts(operand, clause)),
            FeatureExpr::Not(inner) => {
                if let FeatureExpr::And(operands) = &**inner {
                    return operands.iter().any(|operand| self.disjuncts(&!operand.clone(), clause));
                }
                clause.push(self.literal(expr));
            }
            FeatureExpr::Var(_) | FeatureExpr::And(_) => clause.push(self.literal(expr)),
        }
        false
    }

    /// A literal equivalent to a condition that is no constant.
    fn literal(&mut self, expr: &FeatureExpr) -> Lit {
        if let Some(known) = self.definitions.get(expr) {
            return *known;
        }
        let literal = match expr {
            FeatureExpr::Var(feature) => return EncodedModel::lit(*feature, true),
            FeatureExpr::Not(inner) => return !self.literal(inner),
            FeatureExpr::And(operands) => {
                let operands: Vec<Lit> = operands.iter().map(|operand| self.literal(operand)).collect();
                self.define_and(&operands)
            }
            FeatureExpr::Or(operands) => {
                let operands: Vec<Lit> = operands.iter().map(|operand| !self.literal(operand)).collect();
                !self.define_and(&operands)
            }
            // Connectives hold no constants.
            FeatureExpr::True => self.define_and(&[]),
            FeatureExpr::False => !self.define_and(&[]),
        };
        self.definitions.insert(expr.clone(), literal);
        literal
    }
}
