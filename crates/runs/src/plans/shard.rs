//! Shares of a run, to be distributed over several machines.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Share K of N, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    index: u32,
    of: u32,
}

/// The error that a text is no share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a share is K/N, with K from 1 to N and N up to {}: `3/16`", Shard::MOST)]
pub struct ShardError;

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse().ok()).flatten()
        };
        let (index, of) = text.split_once('/').ok_or(ShardError)?;
        match (number(index), number(of)) {
            (Some(index), Some(of)) if 1 <= index && index <= of && of <= Self::MOST => Ok(Self { index, of }),
            _ => Err(ShardError),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Self, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl Shard {
    /// Largest number of shares.
    pub const MOST: u32 = 1_000_000;

    /// All shares of `of`.
    pub fn all(of: u32) -> impl Iterator<Item = Self> {
        (1..=of).map(move |index| Self { index, of })
    }

    /// Index of the share, from 1.
    pub fn index(self) -> u32 {
        self.index
    }

    /// Number of shares.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Whether the share has the item at `position`, if items are dealt one by one.
    pub fn has(self, position: u64) -> bool {
        position % u64::from(self.of) == u64::from(self.index - 1)
    }

    /// Number of items of `total` that the share has, if items are dealt one by one.
    pub fn count_of(self, total: u64) -> u64 {
        (total + u64::from(self.of - self.index)) / u64::from(self.of)
    }
}

/// The mutants of one share: blocks of consecutive mutants are dealt out in turn. Consecutive mutants share mutations,
/// so that blocks are cheaper than single mutants. Each share has some thirty blocks or more, so that no share has all
/// the hard ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deal {
    /// Number of mutants dealt.
    total: u64,
    /// Number of shares.
    shares: u64,
    /// Index of this share, from 0.
    share: u64,
    /// Number of mutants in a block; the last one may be smaller.
    block: u64,
}

impl Deal {
    /// The part of `total` mutants that `shard` gets.
    pub fn new(total: u64, shard: Shard) -> Self {
        let shares = u64::from(shard.of);
        Self {
            total,
            shares,
            share: u64::from(shard.index - 1),
            block: (total / (shares * 32)).clamp(1, 1024),
        }
    }

    /// Index, from 0, of the share that has the mutant at this position.
    pub fn share_of(&self, position: u64) -> u64 {
        position / self.block % self.shares
    }

    /// Number of mutants in the share.
    pub fn len(&self) -> u64 {
        let round = self.block * self.shares;
        let rest = (self.total % round).saturating_sub(self.share * self.block);
        self.total / round * self.block + rest.min(self.block)
    }

    /// Positions among all mutants of the mutants at `places` of the share, as ranges in order.
    pub fn positions(&self, places: Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let end = places.end.min(self.len());
        let mut place = places.start;
        std::iter::from_fn(move || {
            let in_block = place % self.block;
            let length = (self.block - in_block).min(end.checked_sub(place)?);
            let start = (place / self.block * self.shares + self.share) * self.block + in_block;
            place += length;
            (length > 0).then_some(start..start + length)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_read_as_k_of_n() {
        let shard: Shard = "3/16".parse().unwrap();
        assert_eq!(
            (shard.index(), shard.of(), shard.to_string()),
            (3, 16, "3/16".to_owned())
        );
        for wrong in [
            "",
            "3",
            "0/4",
            "5/4",
            "1/0",
            "-1/4",
            "+1/4",
            "1/4/4",
            "1/1000001",
            "a/b",
        ] {
            assert_eq!(wrong.parse::<Shard>(), Err(ShardError), "{wrong}");
        }
    }

    #[test]
    fn things_dealt_one_by_one_are_in_one_share_each() {
        for total in [0, 1, 2, 7, 16, 33] {
            for of in [1, 2, 3, 16, 40] {
                let mut found = 0;
                for shard in Shard::all(of) {
                    let n = (0..total).filter(|position| shard.has(*position)).count() as u64;
                    assert_eq!(n, shard.count_of(total), "{shard} of {total}");
                    found += n;
                }
                assert_eq!(found, total);
            }
        }
    }

    /// Counted one by one: each mutant is in exactly one share, in order, and shares differ by at most one block.
    #[test]
    fn every_mutant_is_in_one_share_and_shares_are_as_large_as_each_other() {
        for total in [0, 1, 5, 64, 721, 5000, 200_000] {
            for of in [1, 2, 3, 7, 16, 1000] {
                let mut found = Vec::new();
                let mut sizes = Vec::new();
                for index in 1..=of {
                    let deal = Deal::new(total, Shard { index, of });
                    let numbers: Vec<u64> = deal.positions(0..u64::MAX).flatten().collect();
                    assert_eq!(numbers.len() as u64, deal.len());
                    assert!(numbers.is_sorted());
                    assert!(numbers.iter().all(|n| deal.share_of(*n) == u64::from(index - 1)));
                    let pieces = (0..deal.len()).step_by(3).flat_map(|at| deal.positions(at..at + 3));
                    assert_eq!(pieces.flatten().collect::<Vec<_>>(), numbers);
                    sizes.push(deal.len());
                    found.extend(numbers);
                }
                found.sort_unstable();
                assert_eq!(found, (0..total).collect::<Vec<_>>());
                let spread = sizes.iter().max().unwrap() - sizes.iter().min().unwrap();
                assert!(spread <= 1.max(total / u64::from(of) / 32), "{total} in {of}: {spread}");
            }
        }
    }
}
