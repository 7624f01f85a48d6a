//! How many mutations a mutant has.

use std::num::NonZeroU8;

use serde::{Deserialize, Serialize};

/// How many mutations a mutant has, each applied to the mutant that the ones before it give; 1 to [`Order::MOST`].
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

    /// The order of mutants with `number` mutations; none for 0, and beyond [`Order::MOST`].
    pub fn new(number: u8) -> Option<Self> {
        NonZeroU8::new(number)
            .filter(|number| number.get() <= Self::MOST)
            .map(Self)
    }
    /// The number of mutations of each mutant.
    pub fn number(self) -> u8 {
        self.0.get()
    }
    /// The order of what all mutations but the last make; none if that is the original.
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
