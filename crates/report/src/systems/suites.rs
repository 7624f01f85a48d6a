//! The scores of suites for untimed systems, and the results of their runs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::tally::OperatorTally;
use crate::answers::{KillingTest, MatrixAnswer};
use tamper_systems::testing::Ends;

/// A mutant that a suite was executed on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoredMutant {
    /// The id of the mutant.
    pub id: String,
    /// The name of its operator.
    pub operator: &'static str,
    /// The fate of the mutant: `blind`, `definite`, `potential`, `none`, `untestable`, `refused` or `unknown`.
    pub fate: &'static str,
    /// Whether a test can kill it as surely as is asked.
    pub killable: bool,
    /// Whether `killable` is not known.
    pub open: bool,
    /// The tests that kill it as surely as is asked.
    pub tests: Vec<String>,
    /// Why it may survive, if it does and the user accepts that: then it counts as neither killable nor open.
    pub accepted: Option<String>,
}

impl ScoredMutant {
    /// Accepts that the mutant is not killed, for this reason. A mutant that no test can kill needs no reason.
    pub fn accept(&mut self, reason: &str) {
        if self.tests.is_empty() && (self.killable || self.open) {
            (self.killable, self.open) = (false, false);
            self.accepted = Some(reason.to_owned());
        }
    }
}

/// The score of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemScore {
    /// The ids of the tests, in the order of the suite.
    pub tests: Vec<String>,
    /// The mutants in the order of their ids.
    pub mutants: Vec<ScoredMutant>,
    /// The number of mutants that were left out because their places did not change, if that was asked for.
    pub not_asked: Option<usize>,
}

impl SystemScore {
    /// The number of mutants that can be killed, and are.
    pub fn killed(&self) -> usize {
        let killed = |mutant: &&ScoredMutant| !mutant.tests.is_empty();
        self.mutants.iter().filter(killed).count()
    }
    /// The number of mutants that can be killed.
    pub fn killable(&self) -> usize {
        self.mutants.iter().filter(|mutant| mutant.killable).count()
    }
    /// The number of mutants of which it is open whether they can be killed, and that no test kills.
    pub fn open(&self) -> usize {
        let is_open = |mutant: &&ScoredMutant| mutant.open && mutant.tests.is_empty();
        self.mutants.iter().filter(is_open).count()
    }
    /// The mutants that can be killed, and that no test kills.
    pub fn survivors(&self) -> impl Iterator<Item = &ScoredMutant> {
        self.mutants
            .iter()
            .filter(|mutant| mutant.killable && mutant.tests.is_empty())
    }
    /// The mutants that survive and are accepted, with the reasons.
    fn accepted(&self) -> impl Iterator<Item = (&str, &str)> {
        let mutants = self.mutants.iter();
        mutants.filter_map(|mutant| Some((mutant.id.as_str(), mutant.accepted.as_deref()?)))
    }
    fn tally(&self) -> OperatorTally {
        let mut operators: Vec<&'static str> = Vec::new();
        for mutant in &self.mutants {
            if !operators.contains(&mutant.operator) {
                operators.push(mutant.operator);
            }
        }
        let counted = |mutant: &ScoredMutant| [mutant.killable, !mutant.tests.is_empty()];
        fn operator(mutant: &ScoredMutant) -> &str {
            mutant.operator
        }
        OperatorTally::new(
            ["killable", "killed"],
            operators.into_iter(),
            &self.mutants,
            operator,
            counted,
        )
    }
    /// The kill matrix: per test the mutants that it kills, by positions among the mutants that some test can kill.
    fn matrix(&self) -> MatrixAnswer {
        let is_killable = |mutant: &&ScoredMutant| mutant.killable || !mutant.tests.is_empty();
        let mutants: Vec<&ScoredMutant> = self.mutants.iter().filter(is_killable).collect();
        let tests = self.tests.iter().map(|test| KillingTest {
            test: test.clone(),
            kills: (0..mutants.len())
                .filter(|at| mutants[*at].tests.contains(test))
                .collect(),
        });
        MatrixAnswer {
            tests: tests.collect(),
            mutants: mutants.iter().map(|mutant| mutant.id.clone()).collect(),
        }
    }
    fn fates(&self) -> BTreeMap<&'static str, usize> {
        let mut fates = BTreeMap::new();
        self.mutants
            .iter()
            .for_each(|mutant| *fates.entry(mutant.fate).or_insert(0) += 1);
        fates
    }
}

/// `{"tests", "mutants", "killable", "killed", "score", "fates", "operators", "survivors", "accepted", "kills", "matrix"}`, and
/// `"not_asked"` where only changed places were asked about.
pub fn system_score_json(score: &SystemScore) -> Value {
    let mut kills: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for mutant in &score.mutants {
        for test in &mutant.tests {
            kills.entry(test).or_default().push(&mutant.id);
        }
    }
    let (killed, killable) = (score.killed(), score.killable());
    #[allow(clippy::cast_precision_loss, reason = "far fewer mutants than 2^52")]
    let ratio = (killable > 0).then(|| killed as f64 / killable as f64);
    let survivors: Vec<&String> = score.survivors().map(|mutant| &mutant.id).collect();
    let accepted = score.accepted().map(|(id, why)| json!({ "id": id, "why": why }));
    let mut value = json!({
        "tests": score.tests.len(),
        "mutants": score.mutants.len(),
        "killable": killable,
        "killed": killed,
        "score": ratio,
        "unknown": score.open(),
        "fates": score.fates(),
        "operators": score.tally().json()["operators"],
        "survivors": survivors,
        "accepted": accepted.collect::<Vec<_>>(),
        "kills": kills,
        "matrix": score.matrix(),
    });
    if let Some(not_asked) = score.not_asked {
        value["not_asked"] = json!(not_asked);
    }
    value
}

/// The score as a table and the survivors.
pub fn system_score_text(score: &SystemScore) -> String {
    let mut text = score.tally().text();
    for survivor in score.survivors() {
        let _ = writeln!(text, "survives: {}", survivor.id);
    }
    for (id, why) in score.accepted() {
        let _ = writeln!(text, "accepted: {id}: {why}");
    }
    if let Some(not_asked) = score.not_asked {
        let _ = writeln!(text, "not asked: {not_asked} mutants at places that did not change");
    }
    let fates: Vec<String> = score.fates().iter().map(|(fate, n)| format!("{n} {fate}")).collect();
    let _ = writeln!(text, "{} tests; mutants: {}", score.tests.len(), fates.join(", "));
    text
}

/// A test that was run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemRun {
    /// The id of the test.
    pub test: String,
    /// The program or model that the test was run on.
    pub subject: String,
    /// The mutants that the test is to kill.
    pub purpose: Vec<String>,
    /// The ends of its plays, or the failure of the program.
    pub ending: Result<Ends, String>,
    /// The inputs and outputs of a run on a program or a state machine.
    pub log: Vec<(String, String)>,
    /// The expected output of the log's last step, if it is known and another came.
    pub expected: Option<String>,
}

fn verdict(ending: &Result<Ends, String>) -> &'static str {
    match ending {
        Err(_) => "broken",
        Ok(ends) if ends.fails => "fail",
        Ok(_) => "pass",
    }
}

/// `{"pass", "fail", "definite", "broken", "runs"}`.
pub fn system_runs_json(runs: &[SystemRun]) -> Value {
    let count = |name: &str| runs.iter().filter(|run| verdict(&run.ending) == name).count();
    let always = runs
        .iter()
        .filter(|run| run.ending.as_ref().is_ok_and(|ends| ends.must_fail()));
    let run = |run: &SystemRun| {
        let mut object = json!({
            "test": run.test, "subject": run.subject, "verdict": verdict(&run.ending), "purpose": run.purpose,
        });
        match &run.ending {
            Err(problem) => object["problem"] = json!(problem),
            Ok(ends) => {
                object["always"] = json!(ends.must_fail());
                object["purpose_not_reached"] = json!(!ends.fails && !ends.passes);
            }
        }
        if !run.log.is_empty() {
            let log = run.log.iter().map(|(give, seen)| json!({ "give": give, "seen": seen }));
            object["log"] = log.collect();
        }
        if let Some(expected) = &run.expected {
            object["expected"] = json!(expected);
        }
        object
    };
    json!({
        "pass": count("pass"),
        "fail": count("fail"),
        "definite": always.count(),
        "broken": count("broken"),
        "runs": runs.iter().map(run).collect::<Vec<_>>(),
    })
}

/// Every run that did not pass, and the counts.
pub fn system_runs_text(runs: &[SystemRun]) -> String {
    let mut text = String::new();
    for run in runs {
        let what = match &run.ending {
            Err(problem) => format!("cannot be tested: {problem}"),
            Ok(ends) if ends.must_fail() && run.log.is_empty() => "fails always".to_owned(),
            Ok(ends) if ends.fails && run.log.is_empty() => "can fail".to_owned(),
            Ok(ends) if ends.fails => "fails".to_owned(),
            Ok(_) => continue,
        };
        let _ = writeln!(text, "{} on {}: {what}", run.test, run.subject);
        if !run.purpose.is_empty() {
            let _ = writeln!(text, "  purpose: {}", run.purpose.join(", "));
        }
        for (give, seen) in &run.log {
            let _ = writeln!(text, "  {give}: {seen}");
        }
        if let Some(expected) = &run.expected {
            let _ = writeln!(text, "  step {}: expected {expected}", run.log.len());
        }
    }
    let count = |name: &str| runs.iter().filter(|run| verdict(&run.ending) == name).count();
    let _ = writeln!(
        text,
        "{} pass, {} fail, {} broken",
        count("pass"),
        count("fail"),
        count("broken")
    );
    text
}
