//! The selection of a run's mutants from their space: all, or a uniform sample without replacement.

use std::collections::BTreeMap;
use std::ops::Range;
use std::str::FromStr;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::plans::shard::{Deal, Shard};
use tamper_features::Random;
use tamper_timed::mutation::{AppliedOperator, MutantSpace, Order};

/// The size of a sample.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sample {
    /// A number of mutants.
    Count(u64),
    /// A percentage of the mutants, in (0, 100].
    Percent(f64),
    /// The sample of \[003\] section 5.2: from each pair of operators, with n1 and n2 mutations of the model, the
    /// greater of n1 · n2 / 10 and 1000, or all if there are fewer.
    Paper,
}

/// The error that a text is no sample size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a sample is a positive number of mutants (`1000`), a percentage above 0 and up to 100 (`2.5%`), or `paper`")]
pub struct SampleError;

impl FromStr for Sample {
    type Err = SampleError;

    fn from_str(text: &str) -> Result<Self, SampleError> {
        if text.trim() == "paper" {
            return Ok(Self::Paper);
        }
        match text.trim().strip_suffix('%') {
            Some(percent) => {
                let percent: f64 = percent.trim().parse().map_err(|_| SampleError)?;
                let fits = percent > 0.0 && percent <= 100.0;
                fits.then_some(Self::Percent(percent)).ok_or(SampleError)
            }
            None => {
                let count: u64 = text.trim().parse().map_err(|_| SampleError)?;
                (count > 0).then_some(Self::Count(count)).ok_or(SampleError)
            }
        }
    }
}

impl Sample {
    /// The size of this sample of `total` mutants; a percentage is rounded, to at least 1. The size of `Paper` depends
    /// on more than the total, so that only the bound `total` is returned.
    pub fn size(self, total: u64) -> u64 {
        let size = match self {
            Self::Count(count) => count,
            Self::Paper => total,
            #[allow(
                clippy::cast_precision_loss,
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a rounded share of a count; the cast saturates"
            )]
            Self::Percent(percent) => ((total as f64 * percent / 100.0).round() as u64).max(1),
        };
        size.min(total)
    }
}

/// The paper's sample is requested at an order for which the paper defines none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the sample `paper` is drawn from pairs of operators, so there is none above order 2: give a number of mutants or a percentage"
)]
pub struct NoSuchSample;

/// The numbers of a run's mutants, ascending.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Selection {
    /// `0..n`.
    All(u64),
    /// The listed numbers.
    Some(Vec<u64>),
    /// A share of another selection.
    Share(Box<Self>, Deal),
}

impl Selection {
    /// The selection of `sample` of the mutants of `space`, determined by `seed`. At order 1 `Paper` means all of them.
    ///
    /// # Errors
    /// If the sample is the paper's and the order is above 2: that sample is drawn from pairs of operators.
    pub fn of(space: &MutantSpace, sample: Option<Sample>, seed: u64) -> Result<Self, NoSuchSample> {
        Self::of_sequences(space.len(), space.order(), || pairs_of_space(space), sample, seed)
    }
    /// The selection of `sample` of `total` sequences of mutations of order `order`; `pairs` lists the sequences of
    /// order 2.
    ///
    /// # Errors
    /// As [`Selection::of`].
    pub(crate) fn of_sequences<P: Iterator<Item = OperatorPairs>>(
        total: u64,
        order: Order,
        pairs: impl FnOnce() -> P,
        sample: Option<Sample>,
        seed: u64,
    ) -> Result<Self, NoSuchSample> {
        Ok(match (sample, order) {
            (Some(Sample::Paper), Order::FIRST) => Self::All(total),
            (Some(Sample::Paper), Order::SECOND) => Self::Some(paper(pairs(), seed)),
            (Some(Sample::Paper), _) => return Err(NoSuchSample),
            _ => Self::draw(total, sample, seed),
        })
    }
    /// The selection of `sample` of `total` mutants of a world without pairs of operators, in which `Paper` means all.
    pub fn of_each(total: u64, sample: Option<Sample>, seed: u64) -> Self {
        match sample {
            Some(Sample::Paper) | None => Self::All(total),
            sample => Self::draw(total, sample, seed),
        }
    }
    /// The selection of `sample` of `total` mutants: every set of this size is equally likely, and `seed` determines
    /// it.
    pub fn draw(total: u64, sample: Option<Sample>, seed: u64) -> Self {
        match sample.map(|sample| sample.size(total)) {
            Some(size) if size < total => Self::Some(floyd(total, size, seed)),
            _ => Self::All(total),
        }
    }
    /// Those of these mutants whose numbers are among `numbers`, which ascend; all of them for `None`.
    #[must_use]
    pub fn only(self, numbers: Option<&[u64]>) -> Self {
        let Some(numbers) = numbers else { return self };
        let is_listed = |number: &u64| numbers.binary_search(number).is_ok();
        Self::Some(match self {
            Self::All(n) => numbers.iter().copied().filter(|number| *number < n).collect(),
            drawn => drawn.slice(0..drawn.len()).into_iter().filter(is_listed).collect(),
        })
    }
    /// The share `shard` of these mutants; all of them for `None`.
    #[must_use]
    pub fn share(self, shard: Option<Shard>) -> Self {
        match shard {
            Some(shard) => {
                let deal = Deal::new(self.len(), shard);
                Self::Share(Box::new(self), deal)
            }
            None => self,
        }
    }
    /// Number of mutants.
    pub fn len(&self) -> u64 {
        match self {
            Self::All(n) => *n,
            Self::Some(numbers) => numbers.len() as u64,
            Self::Share(_, deal) => deal.len(),
        }
    }
    /// Whether there are no mutants.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The numbers at `positions`, as far as these exist.
    pub fn slice(&self, positions: Range<u64>) -> Vec<u64> {
        let end = positions.end.min(self.len());
        let range = positions.start.min(end)..end;
        match self {
            Self::All(_) => range.collect(),
            Self::Some(numbers) => range
                .map_while(|at| numbers.get(usize::try_from(at).ok()?))
                .copied()
                .collect(),
            Self::Share(all, deal) => deal
                .positions(range)
                .flat_map(|positions| all.slice(positions))
                .collect(),
        }
    }
}

/// Floyd's sampling: `size` distinct numbers below `total`, with memory linear in `size`.
fn floyd(total: u64, size: u64, seed: u64) -> Vec<u64> {
    let mut random = Random::new(seed);
    let mut chosen = FxHashSet::default();
    for last in total - size..total {
        let drawn = below(&mut random, last + 1);
        if !chosen.insert(drawn) {
            chosen.insert(last);
        }
    }
    let mut chosen: Vec<u64> = chosen.into_iter().collect();
    chosen.sort_unstable();
    chosen
}

/// The sequences of two mutations that begin with the same one, by operators.
pub(crate) struct OperatorPairs {
    /// Operator of the first mutation.
    pub first: AppliedOperator,
    /// Number of the first of these mutants.
    pub start: u64,
    /// Operator of each last mutation.
    pub lasts: Vec<AppliedOperator>,
}

fn pairs_of_space(space: &MutantSpace) -> impl Iterator<Item = OperatorPairs> {
    (0..space.n_families()).filter_map(|family| {
        let siblings = space.siblings(family)?;
        Some(OperatorPairs {
            first: siblings.prefix().next()?.applied(),
            start: space.family_range(family).start,
            lasts: siblings.last().iter().map(|last| last.applied()).collect(),
        })
    })
}

/// Numbers of mutants of order 2, drawn from each pair of operators.
fn paper(families: impl Iterator<Item = OperatorPairs>, seed: u64) -> Vec<u64> {
    let mut pairs = BTreeMap::<(AppliedOperator, AppliedOperator), Vec<Range<u64>>>::new();
    let mut firsts = BTreeMap::<AppliedOperator, u64>::new();
    for family in families {
        *firsts.entry(family.first).or_default() += 1;
        for (number, last) in (family.start..).zip(family.lasts) {
            let ranges = pairs.entry((family.first, last)).or_default();
            match ranges.last_mut() {
                Some(range) if range.end == number => range.end += 1,
                _ => ranges.push(number..number + 1),
            }
        }
    }
    let count = |operator: &AppliedOperator| firsts.get(operator).copied().unwrap_or(0);
    let mut chosen = Vec::new();
    for (at, ((first, second), ranges)) in (0..).zip(&pairs) {
        let total = ranges.iter().map(|range| range.end - range.start).sum();
        let size = (count(first) * count(second) / 10).max(1000).min(total);
        // Each pair has its own random stream.
        let mut drawn = floyd(total, size, Random::new(seed.wrapping_add(at)).bits())
            .into_iter()
            .peekable();
        let mut before = 0;
        for range in ranges {
            let length = range.end - range.start;
            while let Some(position) = drawn.next_if(|position| *position < before + length) {
                chosen.push(range.start + position - before);
            }
            before += length;
        }
    }
    chosen.sort_unstable();
    chosen
}

/// A uniform number below `bound`, which must be positive: values of the incomplete last round are drawn again.
pub(crate) fn below(random: &mut Random, bound: u64) -> u64 {
    let uneven = (u64::MAX % bound + 1) % bound;
    loop {
        let drawn = random.bits();
        if drawn <= u64::MAX - uneven {
            return drawn % bound;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamper_timed::mutation::Operator;

    #[test]
    fn sizes_read_as_counts_or_percentages() {
        assert_eq!("10".parse(), Ok(Sample::Count(10)));
        assert_eq!("2.5%".parse(), Ok(Sample::Percent(2.5)));
        for wrong in ["0", "-1", "", "0%", "101%", "NaN%", "ten"] {
            assert_eq!(wrong.parse::<Sample>(), Err(SampleError), "{wrong}");
        }
        assert_eq!(Sample::Percent(10.0).size(121), 12);
        assert_eq!(Sample::Percent(0.1).size(121), 1);
        assert_eq!(Sample::Count(500).size(121), 121);
    }

    #[test]
    fn a_sample_has_its_size_without_repetition_and_depends_on_the_seed_only() {
        let draw = |seed| Selection::draw(1000, Some(Sample::Count(100)), seed);
        let numbers = draw(7).slice(0..200);
        assert_eq!(numbers.len(), 100);
        assert!(numbers.is_sorted_by(|a, b| a < b) && numbers.iter().all(|n| *n < 1000));
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }

    #[test]
    fn a_sample_is_narrowed_to_listed_numbers() {
        let listed = [1, 7, 8, 14, 900];
        let of = |selection: Selection| selection.only(Some(&listed)).slice(0..9);
        assert_eq!(of(Selection::All(15)), [1, 7, 8, 14]);
        assert_eq!(of(Selection::Some(vec![0, 7, 14, 21])), [7, 14]);
        assert_eq!(Selection::All(15).only(None), Selection::All(15));
    }

    #[test]
    fn a_sample_is_dealt_to_shares() {
        let sample = Selection::Some((0..100).map(|n| 7 * n).collect());
        let share = |text: &str| sample.clone().share(Some(text.parse().unwrap()));
        let shares = ["1/3", "2/3", "3/3"].map(share);
        let mut numbers: Vec<u64> = shares.iter().flat_map(|share| share.slice(0..share.len())).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, sample.slice(0..100));
    }

    /// Each of the 10 pairs out of 5 is drawn about 1,000 times in 10,000; five standard deviations are 150.
    #[test]
    fn every_pair_is_equally_likely() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..10_000 {
            *counts.entry(floyd(5, 2, seed)).or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len(), 10);
        assert!(counts.values().all(|count| count.abs_diff(1000) < 150), "{counts:?}");
    }

    /// MUTEX: 4 TMI, 32 TAD, 3 SMI, 4 CXL, 3 CXS, 1 CCN mutants of order 1. Only TAD with TAD has more than 1000
    /// sequences, at least 32 * 32, of which 1000 are drawn; of every other pair all are.
    #[test]
    fn the_papers_sample_takes_1000_of_a_pair_or_all_where_there_are_fewer() {
        let spec = testing::studies::mutex();
        let space = MutantSpace::new(
            &spec,
            &tamper_timed::mutation::MutationOptions::default(),
            Order::SECOND,
        )
        .unwrap();
        let selection = Selection::of(&space, Some(Sample::Paper), 3).unwrap();
        let numbers = selection.slice(0..selection.len());
        assert!(numbers.is_sorted_by(|a, b| a < b));
        let mut counts = BTreeMap::<_, (u64, u64)>::new();
        for number in 0..space.len() {
            let (family, position) = space.locate(number).unwrap();
            let siblings = space.siblings(family).unwrap();
            let count = counts
                .entry(siblings.operators(siblings.last().get(position).unwrap()))
                .or_default();
            count.0 += 1;
            count.1 += u64::from(numbers.binary_search(&number).is_ok());
        }
        let over: Vec<_> = counts.iter().filter(|(_, (all, drawn))| all != drawn).collect();
        assert_eq!(
            over,
            [(&vec![Operator::Tad.into(), Operator::Tad.into()], &(1024, 1000))]
        );
        let again = |seed| Selection::of(&space, Some(Sample::Paper), seed).unwrap();
        assert_eq!(selection, again(3));
        assert_ne!(selection, again(4));
        let first = MutantSpace::new(&spec, &tamper_timed::mutation::MutationOptions::default(), Order::FIRST).unwrap();
        assert_eq!(Selection::of(&first, Some(Sample::Paper), 3), Ok(Selection::All(47)));
        let third = MutantSpace::new(
            &spec,
            &tamper_timed::mutation::MutationOptions::default(),
            Order::new(3).unwrap(),
        )
        .unwrap();
        assert_eq!(Selection::of(&third, Some(Sample::Paper), 3), Err(NoSuchSample));
    }
}
