//! Which mutants of a space a run looks at: all, or a uniform sample without replacement.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The size of a sample.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sample {
    /// So many mutants.
    Count(u64),
    /// So many percent of them, in (0, 100].
    Percent(f64),
}

/// A text that is no sample size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SampleError;

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sample is a positive number of mutants (`1000`) or a percentage above 0 and up to 100 (`2.5%`)")
    }
}

impl std::error::Error for SampleError {}

impl FromStr for Sample {
    type Err = SampleError;

    fn from_str(text: &str) -> Result<Self, SampleError> {
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
    /// The size of this sample of `total` mutants; a percentage is rounded, to 1 at least.
    pub fn size(self, total: u64) -> u64 {
        let size = match self {
            Self::Count(count) => count,
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

/// The numbers of the mutants of a run, ascending.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Selection {
    /// `0..n`.
    All(u64),
    /// These.
    Some(Vec<u64>),
}

impl Selection {
    /// `sample` of `total` mutants: every set of that size is equally likely, and `seed` alone decides which it is.
    pub fn draw(total: u64, sample: Option<Sample>, seed: u64) -> Self {
        match sample.map(|sample| sample.size(total)) {
            Some(size) if size < total => Self::Some(floyd(total, size, seed)),
            _ => Self::All(total),
        }
    }
    /// How many mutants.
    pub fn len(&self) -> u64 {
        match self {
            Self::All(n) => *n,
            Self::Some(numbers) => numbers.len() as u64,
        }
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The numbers at `positions`, cut to what there is.
    pub fn slice(&self, positions: std::ops::Range<u64>) -> Vec<u64> {
        let end = positions.end.min(self.len());
        let range = positions.start.min(end)..end;
        match self {
            Self::All(_) => range.collect(),
            Self::Some(numbers) => range
                .map_while(|at| numbers.get(usize::try_from(at).ok()?))
                .copied()
                .collect(),
        }
    }
}

/// Floyd's sampling: `size` distinct numbers below `total`, with memory linear in `size`.
fn floyd(total: u64, size: u64, seed: u64) -> Vec<u64> {
    let mut random = SplitMix(seed);
    let mut chosen = BTreeSet::new();
    for last in total - size..total {
        let drawn = random.below(last + 1);
        if !chosen.insert(drawn) {
            chosen.insert(last);
        }
    }
    chosen.into_iter().collect()
}

/// Steele, Lea and Flood's SplitMix64: any seed will do, and the stream is the same everywhere.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// A uniform number below `bound`, which is positive: values of the incomplete last round are drawn again.
    fn below(&mut self, bound: u64) -> u64 {
        let uneven = (u64::MAX % bound + 1) % bound;
        loop {
            let drawn = self.next();
            if drawn <= u64::MAX - uneven {
                return drawn % bound;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn the_first_numbers_of_splitmix_are_the_published_ones() {
        // The reference stream of seed 1234567 (Vigna's test vector).
        let mut random = SplitMix(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }
}
