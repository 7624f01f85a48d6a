//! Seeded runs of a property over random values.
//!
//! The seed is fixed, so that a run is repeatable; `TAMPER_SEED` (a number) takes another one and `TAMPER_CASES` another
//! number of cases.

use std::fmt::Debug;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().expect("a number"))
}

/// Checks `property` on `cases` values; panics with the smallest failing value.
pub fn check<S: Strategy>(cases: u32, strategy: &S, property: impl Fn(&S::Value) -> Result<(), String>)
where
    S::Value: Debug,
{
    let seed = from_environment("TAMPER_SEED").unwrap_or(20_260_001);
    let cases = from_environment("TAMPER_CASES").map_or(cases, |cases| u32::try_from(cases).expect("few cases"));
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    match runner.run(strategy, |value| property(&value).map_err(TestCaseError::fail)) {
        Ok(()) => {}
        Err(TestError::Fail(reason, value)) => panic!("seed {seed}: {reason}\nsmallest failing value:\n{value:?}"),
        Err(TestError::Abort(reason)) => panic!("seed {seed}: aborted: {reason}"),
    }
}
