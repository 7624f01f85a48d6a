//! The tests of a suite, in the form that the page has.

use serde_json::{Map, Value, json};

use super::columns::packed;
use tamper_runs::killing::{Fate, Score};
use tamper_suite::TestCase;

/// A suite that was scored against the non-subsumed mutants of a run.
pub struct SuitePage {
    name: String,
    tests: Vec<Value>,
    /// The rows of the mutants that survive, with the reasons.
    survivors: Vec<(u64, String)>,
    killed: usize,
    killable: usize,
    /// Why other mutants are killable than non-subsumed, if they are.
    account: Option<String>,
}

impl SuitePage {
    /// The suite `name`; `rows` are the rows of the scored mutants on the page.
    pub fn new(name: &str, tests: &[TestCase], score: &Score, rows: &[Option<u64>]) -> Self {
        let test = |(test, kills): (&TestCase, &fixedbitset::FixedBitSet)| {
            let mut kills: Vec<u64> = kills.ones().filter_map(|at| rows[at]).collect();
            kills.sort_unstable();
            json!({
                "id": test.id,
                "style": test.style.name(),
                "purpose": test.purpose(),
                "steps": test.n_steps(),
                "kills": packed(&kills),
            })
        };
        let survivors = score.fates.iter().zip(rows).filter_map(|(fate, row)| match fate {
            Fate::Survives(why) | Fate::NotKillable(why) | Fate::Unknown(why) | Fate::Invalid(why) => {
                Some(((*row)?, why.clone()))
            }
            Fate::Killed => None,
        });
        Self {
            name: name.to_owned(),
            survivors: survivors.collect(),
            tests: tests.iter().zip(&score.matrix).map(test).collect(),
            killed: score.total.killed,
            killable: score.total.killable,
            account: score
                .account
                .as_ref()
                .filter(|account| !account.agrees())
                .map(ToString::to_string),
        }
    }

    pub(super) fn data(&self) -> Map<String, Value> {
        let entries = [
            ("suite", json!(self.name)),
            ("tests", json!(self.tests)),
            ("survivors", json!(self.survivors)),
            (
                "score",
                json!({ "killed": self.killed, "killable": self.killable, "account": self.account }),
            ),
        ];
        entries
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}
