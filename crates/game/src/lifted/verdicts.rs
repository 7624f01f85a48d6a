//! The products of a family by verdict.

use crate::symbolic::GameError;
use tamper_features::ProductSets;
use tamper_text::StopReason;
use tamper_timed::featured::ProjectionError;

/// The reason why products have no verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Undecided {
    /// Their parts do not form a game.
    NoGame(ProjectionError),
    /// Their games have no meaning.
    Error(GameError),
    /// A limit was hit before the products were decided.
    Stopped(StopReason),
}

impl std::fmt::Display for Undecided {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoGame(fault) => fault.fmt(f),
            Self::Error(error) => error.fmt(f),
            Self::Stopped(reason) => reason.fmt(f),
        }
    }
}

/// The work that a decision took.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Effort {
    /// Symbolic states of the exploration of all products.
    pub states: u64,
    /// Whether the responder had choices, so that the two-player fixpoint was computed for some products.
    pub has_choices: bool,
    /// Number of products that were decided alone, each with all products that are alike.
    pub alone: u64,
}

/// All products of a family by verdict. The sets do not overlap, and together they are all products.
#[derive(Clone, PartialEq, Debug)]
pub struct ProductVerdicts<Set> {
    /// The products without a (consistent) initial state.
    pub inconsistent: Set,
    /// The products that refine the specification.
    pub subsumed: Set,
    /// The products that do not refine the specification.
    pub non_subsumed: Set,
    /// The other products, with the reason why they have no verdict.
    pub undecided: Vec<(Undecided, Set)>,
    /// The work that the decision took.
    pub effort: Effort,
}

impl<Set> ProductVerdicts<Set> {
    /// The same verdicts with other sets.
    ///
    /// # Errors
    /// Those of `convert`.
    pub fn map<T, E>(&self, mut convert: impl FnMut(&Set) -> Result<T, E>) -> Result<ProductVerdicts<T>, E> {
        let mut undecided = Vec::new();
        for (why, set) in &self.undecided {
            undecided.push((why.clone(), convert(set)?));
        }
        Ok(ProductVerdicts {
            inconsistent: convert(&self.inconsistent)?,
            subsumed: convert(&self.subsumed)?,
            non_subsumed: convert(&self.non_subsumed)?,
            undecided,
            effort: self.effort,
        })
    }
}

/// Moves products from the rest to a verdict; if a limit is hit, neither set changes.
pub(super) fn settle<S: ProductSets>(
    products: &S::Set,
    sets: &mut S,
    rest: &mut S::Set,
    verdict: &mut S::Set,
) -> Result<(), StopReason> {
    let without = sets.minus(rest, products)?;
    *verdict = sets.or(verdict, products)?;
    *rest = without;
    Ok(())
}
