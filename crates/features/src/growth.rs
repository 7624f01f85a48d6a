//! Limits on the growth of expressions while they are read: an equivalence duplicates each operand, so a short text can
//! denote a tree that no computer holds.

use tamper_text::MAX_HEIGHT;

use super::FeatureExpr;

/// Most nodes in one file of equivalences and of pairs of which at most one holds.
const MOST_PARTS: usize = 1 << 20;

/// The number of expression nodes that the rest of a file may still produce.
#[derive(Debug)]
pub struct Growth {
    left: usize,
}

impl Default for Growth {
    fn default() -> Self {
        Self { left: MOST_PARTS }
    }
}

impl Growth {
    /// The equivalence of both; `None` if it is too large.
    pub fn iff(&mut self, left: FeatureExpr, right: FeatureExpr) -> Option<FeatureExpr> {
        self.kept(left.iff(right))
    }
    /// At most one of `operands` holds; `None` if the expression is too large.
    pub fn at_most_one(&mut self, operands: &[FeatureExpr]) -> Option<FeatureExpr> {
        let mut pairs = Vec::new();
        for (position, first) in operands.iter().enumerate() {
            for second in &operands[position + 1..] {
                pairs.push(self.kept(!first.clone().and(second.clone()))?);
            }
        }
        Some(FeatureExpr::all(pairs))
    }
    /// `premise` implies `conclusion`; `None` if the expression is too high, as a long chain of implications is.
    pub fn implies(&mut self, premise: FeatureExpr, conclusion: FeatureExpr) -> Option<FeatureExpr> {
        let implied = premise.implies(conclusion);
        // Nothing is copied, so the text is as long as its parts are many.
        spend(&implied, MAX_HEIGHT, &mut usize::MAX.clone()).then_some(implied)
    }
    /// The expression; `None` if it is too large.
    pub fn kept(&mut self, expr: FeatureExpr) -> Option<FeatureExpr> {
        spend(&expr, MAX_HEIGHT, &mut self.left).then_some(expr)
    }
}

/// Subtracts the number of nodes of `expr` from `left`; `false` if `left` is too small, or if `expr` is higher than
/// `height`.
fn spend(expr: &FeatureExpr, height: u32, left: &mut usize) -> bool {
    let (Some(height), Some(rest)) = (height.checked_sub(1), left.checked_sub(1)) else {
        return false;
    };
    *left = rest;
    match expr {
        FeatureExpr::True | FeatureExpr::False | FeatureExpr::Var(_) => true,
        FeatureExpr::Not(operand) => spend(operand, height, left),
        FeatureExpr::And(operands) | FeatureExpr::Or(operands) => {
            operands.iter().all(|operand| spend(operand, height, left))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FeatureId;
    use tamper_text::Id as _;

    #[test]
    fn what_doubles_ends_soon_and_what_is_small_does_not() {
        let var = |at| FeatureExpr::from(FeatureId::from_index(at));
        let mut growth = Growth::default();
        for _ in 0..1000 {
            assert!(growth.iff(var(0), var(1)).is_some());
        }
        let mut links = 0;
        let mut expr = var(0);
        while let Some(longer) = growth.iff(expr, var(1 + links)) {
            expr = longer;
            links += 1;
        }
        assert!((10..30).contains(&links), "{links}");
        let (mut growth, mut links) = (Growth::default(), 0);
        let mut expr = var(0);
        while let Some(longer) = growth.implies(expr, var(1 + links)) {
            expr = longer;
            links += 1;
        }
        assert!((400..=1000).contains(&links), "{links}");
        let many: Vec<_> = (0..100).map(var).collect();
        assert!(growth.at_most_one(&many).is_some());
    }
}
