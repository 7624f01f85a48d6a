//! Samples of products that cover every combination of some features, and the random numbers for sampling. Deterministic by
//! seed.

use num_bigint::BigUint;

use super::{EncodedModel, FeatureId, FeatureModel, Lit, Product, Solver, SolverFailure};
use tamper_text::Id;

/// A stream of numbers that depends on nothing but its seed: Steele, Lea and Flood's SplitMix64, for which any seed will do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Starts the stream that `seed` determines.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }
    /// The next 64 pseudo-random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// A number below `bound`, uniformly; 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = BigUint::from(bound.max(1));
        usize::try_from(self.below_big(&bound)).unwrap_or(0)
    }
    /// A number below `bound`, which is not 0, uniformly: numbers of as many bits are drawn until one is below it.
    pub fn below_big(&mut self, bound: &BigUint) -> BigUint {
        let n_bits = bound.bits();
        loop {
            let n_words = n_bits.div_ceil(32);
            let mut words: Vec<u32> = (0..n_words).map(|_| (self.bits() >> 32) as u32).collect();
            if let Some(last) = words.last_mut() {
                *last >>= n_words * 32 - n_bits;
            }
            let drawn = BigUint::new(words);
            if drawn < *bound {
                return drawn;
            }
        }
    }
    /// Puts `items` into a uniformly random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// Products that together show every possible combination of `t` of some features.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// The products, in the order they were found.
    pub products: Vec<Product>,
    /// Number of combinations (of `t` features, each selected or not) that some product has.
    pub n_covered: usize,
    /// Number of combinations that no product of the model has.
    pub n_impossible: usize,
}

/// A `t`-wise covering sample over `features` of `model`, which is loaded in `solver`. Greedy: from one
/// uncovered combination, others are added as long as the model allows it. There are `2^t` times `n` over `t`
/// combinations of `n` features, all held in memory.
///
/// # Errors
/// If the solver does not answer.
pub fn t_wise(
    solver: &mut dyn Solver,
    model: &FeatureModel,
    features: &[FeatureId],
    t: usize,
    seed: u64,
) -> Result<Coverage, SolverFailure> {
    let mut coverage = Coverage {
        products: Vec::new(),
        n_covered: 0,
        n_impossible: 0,
    };
    let mut open = combinations(features, t);
    Random::new(seed).shuffle(&mut open);
    while let Some(first) = open.pop() {
        if !solver.solve(&first)? {
            coverage.n_impossible += 1;
            continue;
        }
        let mut product = product_of(solver, model);
        let mut fixed = first;
        // By feature: how it is fixed.
        let mut values: Vec<Option<bool>> = vec![None; model.features().len()];
        fixed
            .iter()
            .for_each(|lit| values[lit.var().index()] = Some(lit.is_positive()));
        for other in open.iter().rev() {
            if fixed.len() >= features.len() {
                break;
            }
            let is_missing = |lit: &&Lit| values[lit.var().index()].is_none();
            let missing: Vec<Lit> = other.iter().filter(is_missing).copied().collect();
            let excludes = |lit: &Lit| values[lit.var().index()] == Some(!lit.is_positive());
            if missing.is_empty() || other.iter().any(excludes) {
                continue;
            }
            let n_before = fixed.len();
            fixed.extend(&missing);
            if !other.iter().all(|lit| has(&product, *lit)) {
                if !solver.solve(&fixed)? {
                    fixed.truncate(n_before);
                    continue;
                }
                product = product_of(solver, model);
            }
            missing
                .iter()
                .for_each(|lit| values[lit.var().index()] = Some(lit.is_positive()));
        }
        if let Some(failure) = solver.late() {
            return Err(failure);
        }
        let n_open = open.len();
        open.retain(|combination| !combination.iter().all(|lit| has(&product, *lit)));
        coverage.n_covered += 1 + n_open - open.len();
        coverage.products.push(product);
    }
    Ok(coverage)
}

/// Every combination of `t` of the features, each selected or not.
fn combinations(features: &[FeatureId], t: usize) -> Vec<Vec<Lit>> {
    let mut all = vec![(Vec::new(), 0)];
    for _ in 0..t {
        let longer = |(lits, from): &(Vec<Lit>, usize)| {
            let lits = lits.clone();
            (*from..features.len()).flat_map(move |next| {
                [true, false].map(|selected| {
                    let mut longer = lits.clone();
                    longer.push(EncodedModel::lit(features[next], selected));
                    (longer, next + 1)
                })
            })
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.into_iter().map(|(lits, _)| lits).collect()
}

fn has(product: &Product, lit: Lit) -> bool {
    product.contains(FeatureId::from_index(lit.var().index())) == lit.is_positive()
}

fn product_of(solver: &dyn Solver, model: &FeatureModel) -> Product {
    let selected = |feature: &FeatureId| solver.value(EncodedModel::var(*feature));
    model.features().ids().filter(selected).collect()
}
