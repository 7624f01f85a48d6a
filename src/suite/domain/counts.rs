//! How many products there are of each kind, by decision diagrams.

use num_bigint::BigUint;

use super::analysis::FaultDomain;
use crate::base::{Budget, StopReason};
use crate::features::{Diagram, FeatureExpr};

/// Exact numbers of products; the original, which is a product too, conforms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DomainCounts {
    /// All products.
    pub products: BigUint,
    /// Products without an initial state.
    pub stateless: BigUint,
    /// Killed by the tests so far.
    pub killed: BigUint,
    /// Known to be immune so far and not killed; all that are so once the suite is complete.
    pub immune: BigUint,
    /// Of which it is not known whether a test can kill them.
    pub undecided: BigUint,
}

/// Exact numbers of products that can be killed definitely, of those that are killed by a suite that is complete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefiniteCounts {
    /// Some test kills them definitely.
    pub killable: BigUint,
    /// Some test kills them potentially, none definitely.
    pub avoidable: BigUint,
    /// Some test kills them potentially; whether one does definitely is not known.
    pub undecided: BigUint,
}

/// How many products have none of the conditions; the budget's states are nodes.
fn without(domain: &FaultDomain<'_>, excluded: &[&[FeatureExpr]], budget: &Budget) -> Result<BigUint, StopReason> {
    let mut model = domain.family().model().clone();
    for condition in excluded.iter().copied().flatten() {
        model.add_constraint(!condition.clone(), "");
    }
    Ok(Diagram::of(&model, budget)?.count())
}

impl DomainCounts {
    /// The numbers of products; the budget's states are nodes.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn of(domain: &FaultDomain<'_>, budget: &Budget) -> Result<Self, StopReason> {
        let without = |excluded: &[&[FeatureExpr]]| without(domain, excluded, budget);
        let (stateless, killed, immune) = (domain.stateless(), domain.killed(), domain.immune());
        let products = without(&[])?;
        let with_state = without(&[stateless])?;
        let alive = without(&[stateless, killed])?;
        let open = without(&[stateless, killed, immune])?;
        let left = without(&[stateless, killed, immune, domain.undecided()])?;
        Ok(Self {
            stateless: &products - &with_state,
            killed: with_state - &alive,
            immune: alive - &open,
            undecided: open - left,
            products,
        })
    }
}

impl DefiniteCounts {
    /// From the same products with a complete suite for definite kills and with one for potential kills; the budget's
    /// states are nodes.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn of(definite: &FaultDomain<'_>, potential: &FaultDomain<'_>, budget: &Budget) -> Result<Self, StopReason> {
        let without = |excluded: &[&[FeatureExpr]]| without(definite, excluded, budget);
        let (stateless, killed, conforming) = (definite.stateless(), definite.killed(), potential.immune());
        let with_state = without(&[stateless])?;
        let alive = without(&[stateless, killed])?;
        let shown = without(&[stateless, killed, conforming])?;
        let undecided = without(&[stateless, killed, conforming, definite.immune()])?;
        Ok(Self {
            killable: with_state - alive,
            avoidable: shown - &undecided,
            undecided,
        })
    }
}
