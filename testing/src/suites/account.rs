//! The account of a suite, counted from what the region graphs say of each mutant.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// What is known of a mutant without the engine.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Whether it is non-subsumed under `strict`.
    pub is_non_subsumed: bool,
    /// Whether it is inconsistent under `strict`.
    pub is_inconsistent: bool,
    /// Whether it is non-subsumed under `definition`.
    pub is_non_subsumed_unpruned: bool,
    /// Whether some test can fail on it.
    pub is_killable: bool,
}

/// The account of these mutants, as `testgen --format json` writes it.
pub fn account(mutants: &[Known]) -> Value {
    let mut why: BTreeMap<&str, u64> = BTreeMap::new();
    for mutant in mutants {
        let reason = match (mutant.is_killable, mutant.is_non_subsumed) {
            (true, true) | (false, false) => continue,
            (true, false) if mutant.is_inconsistent => "inconsistent",
            (true, false) if mutant.is_non_subsumed_unpruned => "time_stops",
            (true, false) => "answers",
            (false, true) if !mutant.is_non_subsumed_unpruned => "specification_stops",
            (false, true) => "refuses",
        };
        *why.entry(reason).or_default() += 1;
    }
    let count = |is_one: fn(&&Known) -> bool| mutants.iter().filter(is_one).count();
    json!({
        "semantics": "strict",
        "non_subsumed": count(|mutant| mutant.is_non_subsumed),
        "killable": count(|mutant| mutant.is_killable),
        "disagreements": why,
    })
}
