//! Conditions on products: feature expressions, presence conditions.
//!
//! Shared, immutable trees; connectives take any number of operands. The constructors keep them small: constants are
//! folded, nested connectives of one kind are joined, repeated operands dropped, `!!a` is `a`; a conjunction with `a`
//! and `!a` is `false`. That is all: equal meanings may have different trees.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::quoting::quoted;
use super::{FeatureId, Product};

/// A condition on which features a product has.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FeatureExpr {
    /// The condition that holds for every product.
    True,
    /// The condition that holds for no product.
    False,
    /// The feature is selected in the product.
    Var(FeatureId),
    /// The operand does not hold.
    Not(Arc<FeatureExpr>),
    /// All operands hold; two or more of them, none a constant or a conjunction.
    And(Arc<[FeatureExpr]>),
    /// Some operand holds; two or more of them, none a constant or a disjunction.
    Or(Arc<[FeatureExpr]>),
}

impl From<FeatureId> for FeatureExpr {
    fn from(feature: FeatureId) -> Self {
        Self::Var(feature)
    }
}

impl std::ops::Not for FeatureExpr {
    type Output = Self;
    fn not(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Not(operand) => (*operand).clone(),
            other => Self::Not(Arc::new(other)),
        }
    }
}

impl FeatureExpr {
    /// The condition that all of `operands` hold.
    pub fn all(operands: impl IntoIterator<Item = Self>) -> Self {
        Self::join(operands, true)
    }
    /// The condition that at least one of `operands` holds.
    pub fn any(operands: impl IntoIterator<Item = Self>) -> Self {
        Self::join(operands, false)
    }
    /// The conjunction of this condition and `other`.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::all([self, other])
    }
    /// The disjunction of this condition and `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::any([self, other])
    }
    /// The implication from this condition to `other`.
    #[must_use]
    pub fn implies(self, other: Self) -> Self {
        Self::any([!self, other])
    }
    /// The equivalence of this condition and `other`.
    #[must_use]
    pub fn iff(self, other: Self) -> Self {
        Self::all([self.clone().implies(other.clone()), other.implies(self)])
    }

    /// A conjunction (`conjunction`) or a disjunction.
    fn join(operands: impl IntoIterator<Item = Self>, conjunction: bool) -> Self {
        let (neutral, absorbing) = if conjunction {
            (Self::True, Self::False)
        } else {
            (Self::False, Self::True)
        };
        let mut parts = Vec::new();
        let mut seen = BTreeSet::new();
        for operand in operands {
            let inner: &[Self] = match &operand {
                Self::And(inner) if conjunction => inner,
                Self::Or(inner) if !conjunction => inner,
                single => std::slice::from_ref(single),
            };
            for part in inner {
                if *part == absorbing || seen.contains(&!part.clone()) {
                    return absorbing;
                }
                if *part != neutral && seen.insert(part.clone()) {
                    parts.push(part.clone());
                }
            }
        }
        match parts.len() {
            0 => neutral,
            1 => parts.swap_remove(0),
            _ if conjunction => Self::And(parts.into()),
            _ => Self::Or(parts.into()),
        }
    }

    /// Whether it holds for `product`. Linear in its size.
    pub fn holds(&self, product: &Product) -> bool {
        match self {
            Self::True => true,
            Self::False => false,
            Self::Var(feature) => product.contains(*feature),
            Self::Not(operand) => !operand.holds(product),
            Self::And(operands) => operands.iter().all(|operand| operand.holds(product)),
            Self::Or(operands) => operands.iter().any(|operand| operand.holds(product)),
        }
    }

    /// The same condition with the known features replaced by their values; `known` returns `None` for the others.
    #[must_use]
    pub fn assume(&self, known: &impl Fn(FeatureId) -> Option<bool>) -> Self {
        match self {
            Self::True | Self::False => self.clone(),
            Self::Var(feature) => match known(*feature) {
                Some(true) => Self::True,
                Some(false) => Self::False,
                None => self.clone(),
            },
            Self::Not(operand) => !operand.assume(known),
            Self::And(operands) => Self::all(operands.iter().map(|operand| operand.assume(known))),
            Self::Or(operands) => Self::any(operands.iter().map(|operand| operand.assume(known))),
        }
    }

    /// The same condition over other feature ids.
    #[must_use]
    pub fn map(&self, rename: &impl Fn(FeatureId) -> FeatureId) -> Self {
        match self {
            Self::True | Self::False => self.clone(),
            Self::Var(feature) => Self::Var(rename(*feature)),
            Self::Not(operand) => !operand.map(rename),
            Self::And(operands) => Self::all(operands.iter().map(|operand| operand.map(rename))),
            Self::Or(operands) => Self::any(operands.iter().map(|operand| operand.map(rename))),
        }
    }

    /// The features that occur in it.
    pub fn features(&self) -> BTreeSet<FeatureId> {
        let mut found = BTreeSet::new();
        self.collect(&mut found);
        found
    }

    fn collect(&self, found: &mut BTreeSet<FeatureId>) {
        match self {
            Self::True | Self::False => {}
            Self::Var(feature) => {
                found.insert(*feature);
            }
            Self::Not(operand) => operand.collect(found),
            Self::And(operands) | Self::Or(operands) => operands.iter().for_each(|operand| operand.collect(found)),
        }
    }

    /// The condition in the syntax of [`parse_expr`](super::parse_expr), with `name` spelling the features.
    pub fn show<'a, F: Fn(FeatureId) -> &'a str>(&'a self, name: F) -> ShowExpr<'a, F> {
        ShowExpr { expr: self, name }
    }
}

/// A [`FeatureExpr`] as text: `&&`, `||`, `!`, `true`, `false`, names (in double quotes where they are no identifiers).
#[derive(Clone, Copy, Debug)]
pub struct ShowExpr<'a, F> {
    expr: &'a FeatureExpr,
    name: F,
}

impl<'a, F: Fn(FeatureId) -> &'a str> fmt::Display for ShowExpr<'a, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_expr(self.expr, &self.name, 0, f)
    }
}

/// Binding strengths: `||` 0, `&&` 1, `!` 2.
fn write_expr<'a>(
    expr: &FeatureExpr,
    name: &impl Fn(FeatureId) -> &'a str,
    outer: u8,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    match expr {
        FeatureExpr::True => f.write_str("true"),
        FeatureExpr::False => f.write_str("false"),
        FeatureExpr::Var(feature) => f.write_str(&quoted(name(*feature))),
        FeatureExpr::Not(operand) => {
            f.write_str("!")?;
            write_expr(operand, name, 2, f)
        }
        FeatureExpr::And(operands) => write_operands(operands, name, " && ", 1, outer, f),
        FeatureExpr::Or(operands) => write_operands(operands, name, " || ", 0, outer, f),
    }
}

fn write_operands<'a>(
    operands: &[FeatureExpr],
    name: &impl Fn(FeatureId) -> &'a str,
    separator: &str,
    strength: u8,
    outer: u8,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let parentheses = strength < outer;
    if parentheses {
        f.write_str("(")?;
    }
    for (position, operand) in operands.iter().enumerate() {
        if position > 0 {
            f.write_str(separator)?;
        }
        write_expr(operand, name, strength + 1, f)?;
    }
    if parentheses {
        f.write_str(")")?;
    }
    Ok(())
}
