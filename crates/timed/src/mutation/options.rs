//! Options of mutation: the operators in use, and the number of mutations per mutant.

use std::collections::BTreeSet;
use std::num::NonZeroU8;

use serde::{Deserialize, Serialize, Serializer};

use super::{AppliedOperator, Operator};

/// The source of the guard, updates and select variables of an edge added by TAD.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TadGuard {
    /// The automaton's first edge, as in the generator of \[003\] section 5.2.
    #[default]
    FirstEdge,
    /// No source: the edge has no guard and no resets.
    None,
}

impl TadGuard {
    /// All values.
    pub const ALL: [Self; 2] = [Self::FirstEdge, Self::None];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::FirstEdge => "first-edge",
            Self::None => "none",
        }
    }

    /// The value of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|guard| guard.name() == name)
    }
}

/// The operators in use and their conditions. The default reproduces every published total of \[003\].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct MutationOptions {
    /// The operators in use; order and repetitions do not matter.
    #[serde(serialize_with = "serialize_in_order")]
    pub operators: Vec<Operator>,
    /// The operators whose mutations also hold with memory: after their place was passed once. Those without a place that can be
    /// passed have none.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "serialize_in_order"
    )]
    pub again: Vec<Operator>,
    /// The number of time units by which CXL increases and CXS decreases a constant; positive.
    pub step: i64,
    /// The source of the guard and updates of an edge added by TAD.
    pub tad_guard: TadGuard,
    /// Whether CXS may reach the constant 0 (by default the new constant stays above 0).
    pub cxs_to_zero: bool,
    /// Whether CXL, CXS and CCN also mutate each clock atom `x ~ constant` of a conjunction
    /// (by default only guards and invariants that are exactly one such atom).
    pub conjuncts: bool,
}

/// Each operator once, in the order in which mutants are numbered.
pub(super) fn in_order(operators: &[Operator]) -> BTreeSet<Operator> {
    operators.iter().copied().collect()
}

fn serialize_in_order<S: Serializer>(operators: &[Operator], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(in_order(operators))
}

impl Default for MutationOptions {
    fn default() -> Self {
        Self {
            operators: Operator::PAPER.to_vec(),
            again: Vec::new(),
            step: 1,
            tad_guard: TadGuard::default(),
            cxs_to_zero: false,
            conjuncts: false,
        }
    }
}

impl MutationOptions {
    /// Whether only the six operators of \[003\] are in use, without memory.
    pub fn is_paper(&self) -> bool {
        self.again.is_empty() && self.operators.iter().all(|operator| operator.is_paper())
    }
    /// The operators as they are applied, in the order in which mutants are numbered.
    pub fn applied(&self) -> Vec<AppliedOperator> {
        let once = in_order(&self.operators).into_iter().map(AppliedOperator::from);
        let again = in_order(&self.again)
            .into_iter()
            .filter(|operator| operator.has_memory());
        let again = again.map(|operator| AppliedOperator { again: true, operator });
        once.chain(again).collect()
    }
    /// The mutations that hold with memory, as options of their own; `None` if there are none.
    pub(super) fn with_memory(&self) -> Option<Self> {
        let again = self.applied().into_iter().filter(|applied| applied.again);
        let operators: Vec<Operator> = again.map(|applied| applied.operator).collect();
        (!operators.is_empty()).then(|| Self {
            operators,
            again: Vec::new(),
            ..self.clone()
        })
    }
    /// The default options with one operator.
    pub fn only(operator: Operator) -> Self {
        Self {
            operators: vec![operator],
            ..Self::default()
        }
    }
}

/// Number of mutations of a mutant, each applied to the result of the ones before it; 1 to [`Order::MOST`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Order(NonZeroU8);

impl Order {
    /// Order 1: mutants with one mutation.
    pub const FIRST: Self = Self(NonZeroU8::MIN);
    /// Order 2: mutants with two mutations.
    pub const SECOND: Self = Self(NonZeroU8::MIN.saturating_add(1));
    /// The highest order. Beyond it, mutants of all but the smallest games have no number in 64 bits.
    pub const MOST: u8 = 6;

    /// The order of mutants with `number` mutations; `None` for 0 and above [`Order::MOST`].
    pub fn new(number: u8) -> Option<Self> {
        NonZeroU8::new(number)
            .filter(|number| number.get() <= Self::MOST)
            .map(Self)
    }
    /// The number of mutations of each mutant.
    pub fn number(self) -> u8 {
        self.0.get()
    }
    /// The order without the last mutation; `None` if that leaves the original.
    pub fn before(self) -> Option<Self> {
        Self::new(self.number() - 1)
    }
}

impl From<Order> for u8 {
    fn from(order: Order) -> Self {
        order.number()
    }
}

impl TryFrom<u8> for Order {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, &'static str> {
        Self::new(number).ok_or("there are no mutants of that order")
    }
}

impl Default for Order {
    fn default() -> Self {
        Self::FIRST
    }
}
