//! The coverage of a suite, as text and JSON.

use std::fmt::Write as _;

use num_bigint::BigUint;
use serde::Serialize;

use super::answers::CountAnswer;
use tamper_machines::{Answer, Checked, Counts, Escape, Listed, Mutant, MutationMachine, Survivors, Unfolding};
use tamper_runs::CoverageRun;

/// The run as `tamper coverage` shows it, without the tests.
pub fn coverage_text(machine: &MutationMachine, run: &CoverageRun) -> String {
    let mut text = format!("{}\n", word(&run.answer));
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:12}{value}");
    };
    match &run.answer {
        Answer::Complete => {}
        Answer::Escape(escape) => {
            line("escapes", escape.mutant.show(machine).join(" "));
            line("killed by", machine.show_inputs(&escape.killed_by));
        }
        Answer::Unknown(reason) => line("because", reason.to_string()),
    }
    line("machines", machine.n_machines().to_string());
    if let Some(unfolding) = machine.extended() {
        for (name, value) in extended_lines(unfolding) {
            line(name, value);
        }
    }
    line("tests", tests_line(run));
    match &run.first_kills {
        None => {}
        Some(Ok(kills)) => {
            let kills: Vec<String> = kills.iter().map(ToString::to_string).collect();
            line("first kills", kills.join(", "));
        }
        Some(Err(reason)) => line("first kills", format!("not known, the order is as it was: {reason}")),
    }
    let n_test_clauses: usize = run.facts.iter().map(|facts| facts.n_clauses).sum();
    line(
        "clauses",
        format!("{n_test_clauses} for the tests, {} in all", run.n_clauses),
    );
    line("conforming", format!("{} met and excluded", run.n_conforming_met));
    if let Some(counts) = &run.counts {
        text.push_str(&counts_text(counts));
    }
    if let Some(survivors) = &run.listed.survivors {
        text.push_str(&survivors_text(machine, survivors));
    }
    if let Some((mutants, listed)) = &run.listed.conforming {
        text.push_str(&conforming_text(machine, mutants, *listed));
    }
    text
}

/// Lines about the part of an extended machine that the answer needed.
pub(super) fn extended_lines(unfolding: &Unfolding) -> Vec<(&'static str, String)> {
    let unfolded = unfolding.unfolded();
    let reach = match unfolded.is_all {
        true => "all that some mutant reaches",
        false => "the answer needed no more",
    };
    let checked = match unfolding.checked() {
        Checked::Locally => "state by state, without unfolding".to_owned(),
        Checked::Unfolded(number) => format!("by unfolding its {number} configurations"),
    };
    let sets = &unfolding.source().sets;
    let n_others: usize = sets.iter().map(|choices| choices.len() - 1).sum();
    let n_inputs = unfolding.source().inputs().len();
    let choices = format!(
        "{} sets, {n_others} alternatives to the specification; {n_inputs} inputs",
        sets.len()
    );
    let mut lines = vec![
        ("choices", choices),
        (
            "unfolded",
            format!("{} configurations: {reach}", unfolded.n_configurations),
        ),
        ("checked", format!("the specification, {checked}")),
    ];
    let idle: Vec<&str> = unfolding.idle_variables().collect();
    if !idle.is_empty() {
        lines.push(("left out", format!("{}: no answer depends on it", idle.join(", "))));
    }
    lines
}

fn tests_line(run: &CoverageRun) -> String {
    let n_inputs: usize = run.tests.iter().map(Vec::len).sum();
    let mut line = format!("{}, {n_inputs} inputs", run.tests.len());
    let n_before = run.tests.len() + run.n_dropped.unwrap_or(0);
    if n_before > run.n_given {
        let _ = write!(line, ", {} added", n_before - run.n_given);
    }
    if let Some(n_dropped) = run.n_dropped {
        let _ = write!(line, ", {n_dropped} dropped");
    }
    if let Some(reason) = run.still_needless {
        let _ = write!(line, "; others may be needless: {reason}");
    }
    line
}

fn counts_text(counts: &Counts) -> String {
    let mut text = String::from("\nof the suite as it was given\n");
    for (name, value) in [
        ("mutants", counts.mutants.to_string()),
        ("killed", counts.killed.to_string()),
        ("conforming", counts.conforming.to_string()),
        ("undetected", counts.undetected.to_string()),
        (
            "score",
            counts
                .score()
                .map_or("unknown".to_owned(), |(killed, killable)| percent(&killed, &killable)),
        ),
    ] {
        let _ = writeln!(text, "{name:12}{value}");
    }
    if let Some(reason) = counts.stopped {
        let _ = writeln!(text, "bounds, because of the {reason}");
    }
    text
}

fn survivors_text(machine: &MutationMachine, survivors: &Survivors) -> String {
    let mut text = format!(
        "\nsurvivors   {}\n",
        number_text(survivors.escapes.len(), survivors.listed)
    );
    for Escape { mutant, killed_by } in &survivors.escapes {
        let mutated = mutant.show(machine).join(" ");
        let _ = writeln!(text, "  {mutated}  killed by  {}", machine.show_inputs(killed_by));
    }
    let score = match survivors.score() {
        None => "no mutant is known to be killable".to_owned(),
        Some((killed, killable)) if survivors.is_exact() => percent(&killed, &killable),
        Some((killed, killable)) => format!("at most {} (optimistic bound)", percent_above(&killed, &killable)),
    };
    let _ = writeln!(text, "score       {score}");
    text
}

fn conforming_text(machine: &MutationMachine, mutants: &[Mutant], listed: Listed) -> String {
    let mut text = format!("\nconforming  {}\n", number_text(mutants.len(), listed));
    for mutant in mutants {
        let _ = writeln!(text, "  {}", mutant.show(machine).join(" "));
    }
    text
}

fn number_text(number: usize, listed: Listed) -> String {
    match listed {
        Listed::All if number == 0 => "none".to_owned(),
        Listed::All => format!("{number}, all there are"),
        Listed::Most => format!("{number}, and there are more"),
        Listed::Stopped(reason) => format!("{number}, there may be more: {reason}"),
    }
}

/// A fraction in per cent, rounded up to four digits.
fn percent_above(part: &BigUint, whole: &BigUint) -> String {
    let scaled = (part * 1_000_000_u32 + whole - 1_u32) / whole;
    percent(&scaled, &1_000_000_u32.into())
}

/// A fraction in per cent, cut (not rounded) after four digits: what is not all is never shown as 100.
pub fn percent(part: &BigUint, whole: &BigUint) -> String {
    let scaled = part * 1_000_000_u32 / whole;
    let (units, rest) = (&scaled / 10_000_u32, &scaled % 10_000_u32);
    format!("{units}.{rest:0>4} %", rest = rest.to_string())
}

fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Complete => "complete",
        Answer::Escape(_) => "incomplete",
        Answer::Unknown(_) => "unknown",
    }
}

#[derive(Serialize)]
struct RunJson<'a> {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    escape: Option<EscapeJson<'a>>,
    machines: String,
    suspicious_sets: usize,
    mutated_transitions: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    unfolded: Option<UnfoldedJson<'a>>,
    given_tests: usize,
    tests: Vec<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dropped_tests: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimise_stopped: Option<String>,
    /// By test, the number of mutants that it kills and no test before it kills.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_kills: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prioritise_stopped: Option<String>,
    analysed: Vec<FactsJson>,
    test_clauses: usize,
    clauses: usize,
    questions: u64,
    conforming_met: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<CountsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    survivors: Option<SurvivorsJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conforming: Option<ConformingJson>,
}

/// The part of an extended machine that the answer needed.
#[derive(Serialize)]
struct UnfoldedJson<'a> {
    configurations: usize,
    all: bool,
    left_out: Vec<&'a str>,
}

/// Without `because`, all are listed unless `more` is true.
#[derive(Serialize)]
struct SurvivorsJson<'a> {
    mutants: Vec<EscapeJson<'a>>,
    more: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    /// An upper bound of the score; the score itself if all survivors are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    score_at_most: Option<ScoreJson>,
}

#[derive(Serialize)]
struct ConformingJson {
    mutants: Vec<Vec<String>>,
    more: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
}

#[derive(Serialize)]
struct EscapeJson<'a> {
    mutated: Vec<String>,
    killed_by: Vec<&'a str>,
}

/// Facts about an analysed test; without `revealing_executions` the test was encoded by positions.
#[derive(Serialize)]
struct FactsJson {
    length: usize,
    revealing_executions: Option<usize>,
    clauses: usize,
}

#[derive(Serialize)]
struct CountsJson {
    mutants: String,
    killed: CountAnswer,
    conforming: CountAnswer,
    undetected: CountAnswer,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<ScoreJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds_because: Option<String>,
}

#[derive(Serialize)]
struct ScoreJson {
    killed: String,
    killable: String,
}

/// The run as JSON, tests included.
pub fn coverage_json(machine: &MutationMachine, run: &CoverageRun) -> impl Serialize {
    let names = |inputs: &Vec<_>| inputs.iter().map(|input| machine.inputs()[*input].as_str()).collect();
    let (because, escape) = match &run.answer {
        Answer::Complete => (None, None),
        Answer::Unknown(reason) => (Some(reason.to_string()), None),
        Answer::Escape(escape) => (None, Some(escape_json(machine, escape))),
    };
    let facts = run.facts.iter().map(|facts| FactsJson {
        length: facts.length,
        revealing_executions: facts.n_executions,
        clauses: facts.n_clauses,
    });
    RunJson {
        verdict: word(&run.answer),
        because,
        escape,
        machines: machine.n_machines().to_string(),
        suspicious_sets: machine.sets().len(),
        mutated_transitions: machine.n_mutated(),
        unfolded: machine.extended().map(|unfolding| UnfoldedJson {
            configurations: unfolding.unfolded().n_configurations,
            all: unfolding.unfolded().is_all,
            left_out: unfolding.idle_variables().collect(),
        }),
        given_tests: run.n_given,
        tests: run.tests.iter().map(names).collect(),
        dropped_tests: run.n_dropped,
        minimise_stopped: run.still_needless.map(|reason| reason.to_string()),
        first_kills: match &run.first_kills {
            Some(Ok(kills)) => Some(kills.iter().map(ToString::to_string).collect()),
            _ => None,
        },
        prioritise_stopped: match &run.first_kills {
            Some(Err(reason)) => Some(reason.to_string()),
            _ => None,
        },
        analysed: facts.collect(),
        test_clauses: run.facts.iter().map(|facts| facts.n_clauses).sum(),
        clauses: run.n_clauses,
        questions: run.n_questions,
        conforming_met: run.n_conforming_met,
        counts: run.counts.as_ref().map(counts_json),
        survivors: run
            .listed
            .survivors
            .as_ref()
            .map(|found| survivors_json(machine, found)),
        conforming: run.listed.conforming.as_ref().map(|(mutants, listed)| ConformingJson {
            mutants: mutants.iter().map(|mutant| mutant.show(machine)).collect(),
            more: is_more(*listed),
            because: limit(*listed),
        }),
    }
}

fn escape_json<'a>(machine: &'a MutationMachine, escape: &Escape) -> EscapeJson<'a> {
    let names = escape.killed_by.iter().map(|input| machine.inputs()[*input].as_str());
    EscapeJson {
        mutated: escape.mutant.show(machine),
        killed_by: names.collect(),
    }
}

fn survivors_json<'a>(machine: &'a MutationMachine, survivors: &Survivors) -> SurvivorsJson<'a> {
    SurvivorsJson {
        mutants: survivors
            .escapes
            .iter()
            .map(|escape| escape_json(machine, escape))
            .collect(),
        more: is_more(survivors.listed),
        because: limit(survivors.listed),
        score_at_most: survivors
            .score()
            .map(|(killed, killable)| score_json(&killed, &killable)),
    }
}

/// Whether there are more than the listed ones; null if that is not known.
fn is_more(listed: Listed) -> Option<bool> {
    match listed {
        Listed::All => Some(false),
        Listed::Most => Some(true),
        Listed::Stopped(_) => None,
    }
}

fn limit(listed: Listed) -> Option<String> {
    match listed {
        Listed::Stopped(reason) => Some(reason.to_string()),
        Listed::All | Listed::Most => None,
    }
}

fn score_json(killed: &BigUint, killable: &BigUint) -> ScoreJson {
    ScoreJson {
        killed: killed.to_string(),
        killable: killable.to_string(),
    }
}

fn counts_json(counts: &Counts) -> CountsJson {
    CountsJson {
        mutants: counts.mutants.to_string(),
        killed: (&counts.killed).into(),
        conforming: (&counts.conforming).into(),
        undetected: (&counts.undetected).into(),
        score: counts.score().map(|(killed, killable)| score_json(&killed, &killable)),
        bounds_because: counts.stopped.map(|reason| reason.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_all_is_never_shown_as_a_hundred_per_cent() {
        let show = |part: u64, whole: u64| percent(&part.into(), &whole.into());
        assert_eq!(show(6, 7), "85.7142 %");
        assert_eq!(show(69_657_034_750, 69_657_034_751), "99.9999 %");
        assert_eq!(show(5, 5), "100.0000 %");
        assert_eq!(show(1, 1000), "0.1000 %");
    }
}
