//! A model's mutants with their records, which the page and its background threads share.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::cli::games::export::check_filter;
use crate::cli::models::mutated::BoxedModel;
use tamper::experiment::{
    ExperimentError, Filter, Implementation, Kept, Manner, Plan, Selection, Sink, Source, Timer, run_against, walk,
};
use tamper::formats::suite_json::Suite;
use tamper::report::model_runs_json;
use tamper::suite::TestCase;

/// The largest number of plays of a test that are drawn to find a failing one to show.
const MOST_PLAYS: u64 = 100;

/// A model whose mutants are decided, and the folder of their records.
pub struct DecidedRun {
    /// The model.
    pub mutated: BoxedModel,
    /// The plan by which its mutants were made and decided.
    pub plan: Plan,
    /// The selected mutants.
    pub selection: Selection,
    /// The folder, which keeps the records as long as this lives.
    pub folder: tempfile::TempDir,
}

impl DecidedRun {
    /// The folder of the records, as `tamper classify` writes it.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("run")
    }

    /// The numbers of the mutants that a condition keeps, as `tamper export --keep` would; or the reason why it cannot be evaluated.
    pub fn kept(&self, condition: &str) -> Value {
        match self.numbers(condition) {
            Ok(numbers) => json!({ "numbers": numbers }),
            Err(error) => json!({ "problem": format!("{error:#}") }),
        }
    }

    fn numbers(&self, condition: &str) -> Result<Vec<u64>> {
        let filter = Filter::parse("keep", condition)?;
        check_filter(&*self.mutated, &self.plan, &filter)?;
        let set = self.mutated.mutants(&self.plan)?;
        let source = Source {
            set: &*set,
            selection: &self.selection,
            folder: &self.path(),
            filter: &filter,
            shard: None,
        };
        let mut numbers = KeptNumbers(Vec::new());
        walk(source, &mut numbers, &mut |_| ())?;
        Ok(numbers.0)
    }

    /// The result of each test of a suite on the mutant `number`, or the reason why it is not known.
    pub fn against(&self, number: u64, suite: &Suite) -> Value {
        match self.runs(number, suite) {
            Ok(runs) => json!({ "runs": runs }),
            Err(error) => json!({ "problem": format!("{error:#}") }),
        }
    }

    fn runs(&self, number: u64, suite: &Suite) -> Result<Vec<Value>> {
        let timer = Timer::new(self.plan.limits);
        let set = self.mutated.mutants(&self.plan)?;
        let mutants = set.mutants(&[number])?;
        let mutant = mutants.first().context("there is no such mutant")?;
        let model = Implementation {
            name: mutant.id.clone(),
            automaton: set.game(mutant, &timer)?,
        };
        let models = [model.met(suite.refusals)];
        let runs = |tests: &[&TestCase], manner| {
            let runs = run_against(tests, &models, manner, &timer, &|_| ());
            match model_runs_json(&runs)["models"][0]["runs"].take() {
                Value::Array(runs) => runs,
                _ => Vec::new(),
            }
        };
        let tests: Vec<&TestCase> = suite.tests.iter().collect();
        let mut exact = runs(&tests, Manner::Exhaustive);
        let fails: Vec<usize> = (0..exact.len()).filter(|at| exact[*at]["verdict"] == "fail").collect();
        let failing: Vec<&TestCase> = fails.iter().map(|at| tests[*at]).collect();
        // The possible results are known exactly; one play is shown as an example.
        let drawn = Manner::Plays { n: MOST_PLAYS, seed: 0 };
        for (at, mut play) in fails.into_iter().zip(runs(&failing, drawn)) {
            exact[at]["log"] = play["log"].take();
        }
        Ok(exact)
    }
}

/// The numbers of the kept mutants.
struct KeptNumbers(Vec<u64>);

impl Sink for KeptNumbers {
    fn take(&mut self, kept: Vec<Kept>) -> Result<(), ExperimentError> {
        self.0.extend(kept.iter().map(|kept| kept.mutant.number));
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), ExperimentError> {
        Ok(())
    }
}
