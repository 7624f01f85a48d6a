//! What the operators are allowed to do.

use serde::{Deserialize, Serialize, Serializer};

use super::Operator;

/// What guard, updates and select variables an edge added by TAD gets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TadGuard {
    /// Those of the automaton's first edge, as the generator of \[003\] section 5.2 does.
    #[default]
    FirstEdge,
    /// None: no guard, no reset.
    None,
}

/// The operators in use and their conditions. The default reproduces every published total of \[003\].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct MutationOptions {
    /// The operators in use; order and repetitions do not matter.
    #[serde(serialize_with = "in_order")]
    pub operators: Vec<Operator>,
    /// By how many time units CXL increases and CXS decreases a constant; positive.
    pub step: i64,
    /// What an edge added by TAD looks like.
    pub tad_guard: TadGuard,
    /// Whether CXS may reach the constant 0 (by default the new constant stays above 0).
    pub cxs_to_zero: bool,
    /// Whether CXL, CXS and CCN also mutate each clock atom `x ~ constant` of a conjunction
    /// (by default only guards and invariants that are exactly one such atom).
    pub conjuncts: bool,
}

/// Each operator once, in the order in which mutants are numbered.
fn in_order<S: Serializer>(operators: &[Operator], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(Operator::ALL.iter().filter(|operator| operators.contains(operator)))
}

impl Default for MutationOptions {
    fn default() -> Self {
        Self {
            operators: Operator::PAPER.to_vec(),
            step: 1,
            tad_guard: TadGuard::default(),
            cxs_to_zero: false,
            conjuncts: false,
        }
    }
}

impl MutationOptions {
    /// Whether only the six operators of \[003\] are in use.
    pub fn is_paper(&self) -> bool {
        self.operators.iter().all(|operator| operator.is_paper())
    }
    /// The default options with one operator.
    pub fn only(operator: Operator) -> Self {
        Self {
            operators: vec![operator],
            ..Self::default()
        }
    }
}
