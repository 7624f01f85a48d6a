//! Numbers of products of each kind, by decision diagrams.

use num_bigint::BigUint;

use super::analysis::FaultDomain;
use tamper_text::StopReason;

/// Exact numbers of products. The original, which is a product too, conforms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DomainCounts {
    /// The number of all products of the family.
    pub products: BigUint,
    /// Products without an initial state.
    pub stateless: BigUint,
    /// Products that the tests so far kill.
    pub killed: BigUint,
    /// Products that are known to be immune so far and are not killed; all immune ones once the suite is complete.
    pub immune: BigUint,
    /// Products of which it is not known whether a test can kill them.
    pub undecided: BigUint,
}

/// Exact numbers of products that can be killed definitely, among the products that a complete suite kills.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefiniteCounts {
    /// Some test kills them definitely.
    pub killable: BigUint,
    /// Some test kills them potentially, none definitely.
    pub avoidable: BigUint,
    /// Some test kills them potentially; whether one does definitely is not known.
    pub undecided: BigUint,
}

impl DomainCounts {
    /// Counts the products of `domain` by their results.
    pub fn of(domain: &FaultDomain<'_>) -> Self {
        let [products, stateless, killed, immune, undecided] = domain.counts();
        Self {
            products,
            stateless,
            killed,
            immune,
            undecided,
        }
    }
}

impl DefiniteCounts {
    /// Counts the same products by a complete suite for definite kills (`definite`) and one for potential kills (`potential`).
    ///
    /// # Errors
    /// The limit on the diagrams of `definite`.
    pub fn of(definite: &mut FaultDomain<'_>, potential: &FaultDomain<'_>) -> Result<Self, StopReason> {
        let [_, _, killable, ..] = definite.counts();
        let [avoidable, undecided] = definite.beyond(potential)?;
        Ok(Self {
            killable,
            avoidable,
            undecided,
        })
    }
}
