//! `tamper refine FOLDER`: the queries of an Ecdar project.

use anyhow::{Result, bail};
use serde_json::{Value, json};

use crate::cli::arguments::args::GlobalArgs;
use crate::cli::arguments::expression::Expression;
use crate::cli::arguments::game_args::RefineArgs;
use crate::cli::exit::ExitCode;
use crate::cli::games::refine::{RefinementRequest, ask};
use crate::cli::models::load::Loaded;
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::formats::{EcdarQuery, read_ecdar_queries};
use tamper::game::{Consistency, analyse};
use tamper::model::Automaton;

/// The question of a query.
enum GameQuery {
    /// Whether the left game refines the right one.
    Refinement(String, String),
    /// Whether the game is consistent.
    Consistency(String),
    /// Whether the game never has a choice between two edges.
    Determinism(String),
}

/// The answer to a query, and its reason.
struct Answered {
    answer: &'static str,
    because: String,
    /// The run that shows that a refinement fails, if it was asked for.
    witness: Option<(String, Value)>,
}

impl From<(&'static str, String)> for Answered {
    fn from((answer, because): (&'static str, String)) -> Self {
        Self {
            answer,
            because,
            witness: None,
        }
    }
}

/// A query with its answer.
struct AnsweredQuery {
    query: String,
    answered: Answered,
    /// The sides of a refinement.
    sides: Option<(String, String)>,
}

const NOT_ASKED: &str = "not asked";

/// Answers the queries of a project.
pub fn queries(args: &RefineArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    if !args.file.is_dir() {
        let file = args.file.display();
        bail!(
            "name two templates: the one that should refine, and the specification ({file} is no folder of an Ecdar project with queries)"
        );
    }
    let list = read_ecdar_queries(&args.file)?;
    let mut rows = Vec::new();
    for query in list.into_iter().filter(|query| !query.text.is_empty()) {
        let question = question(&query);
        let answered = match &question {
            Ok(question) => answer(question, args, global, terminal)
                .unwrap_or_else(|error| (NOT_ASKED, format!("{error:#}")).into()),
            Err(why) => (NOT_ASKED, why.clone()).into(),
        };
        let sides = match question {
            Ok(GameQuery::Refinement(left, right)) => Some((left, right)),
            _ => None,
        };
        rows.push(AnsweredQuery {
            query: query.text,
            answered,
            sides,
        });
    }
    let folder = args.file.display().to_string();
    terminal.answer(|| as_json(&rows), || as_text(&rows, &folder))?;
    Ok(code(&rows))
}

/// 1 if an answer is no, else 2 if a query was not asked, else 3 if a limit was hit.
fn code(rows: &[AnsweredQuery]) -> ExitCode {
    let has = |answer| count(rows, answer) > 0;
    match () {
        () if has("no") => ExitCode::No,
        () if has(NOT_ASKED) => ExitCode::Error,
        () if has("unknown") => ExitCode::Unknown,
        () => ExitCode::Yes,
    }
}

fn count(rows: &[AnsweredQuery], answer: &str) -> usize {
    rows.iter().filter(|row| row.answered.answer == answer).count()
}

/// The question of a query, or the reason why it is not asked here.
fn question(query: &EcdarQuery) -> std::result::Result<GameQuery, String> {
    if query.ignores {
        return Err("a query that ignores actions".to_owned());
    }
    let (kind, rest) = query.text.split_once(':').unwrap_or((&query.text, ""));
    let rest = signs(rest.trim());
    match kind.trim().to_ascii_lowercase().as_str() {
        "refinement" => match rest.split_once("<=") {
            Some((left, right)) => Ok(GameQuery::Refinement(left.trim().to_owned(), right.trim().to_owned())),
            None => Err("a refinement is `A <= B`".to_owned()),
        },
        "consistency" => Ok(GameQuery::Consistency(rest)),
        "determinism" => Ok(GameQuery::Determinism(rest)),
        kind @ ("specification" | "implementation") => {
            Err(format!("a query for {kind}s: ask for consistency and determinism"))
        }
        _ => Err("no query for a refinement, consistency or determinism".to_owned()),
    }
}

/// `text` with the sign of quotients that is typed here.
fn signs(text: &str) -> String {
    let mut typed = String::new();
    let mut parts = text.split('\\').filter(|part| !part.is_empty()).peekable();
    while let Some(part) = parts.next() {
        typed.push_str(part);
        if parts.peek().is_some() {
            typed.push_str("\\\\");
        }
    }
    typed
}

fn answer(question: &GameQuery, args: &RefineArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<Answered> {
    Ok(match question {
        GameQuery::Refinement(left, right) => {
            let asked = RefinementRequest {
                left: &Expression::parse(left)?,
                right: &Expression::parse(right)?,
                right_file: None,
            };
            let (answer, ..) = ask(&asked, args, global, terminal)?;
            let (answered, because) = match answer.code {
                ExitCode::Yes => ("yes", answer.because),
                ExitCode::No => ("no", format!("{}: {}", answer.verdict, answer.because)),
                ExitCode::Unknown => ("unknown", answer.because),
                ExitCode::Error | ExitCode::Interrupted => (NOT_ASKED, answer.because),
            };
            Answered {
                answer: answered,
                because,
                witness: answer.witness,
            }
        }
        GameQuery::Consistency(name) => {
            let game = game(name, args, global, terminal)?;
            let analysis = analyse(&game, &Timer::new(args.limits.resolve()).budget())?;
            let found = match analysis.map(|analysis| analysis.consistency) {
                Ok(Consistency::Consistent) => ("yes", String::new()),
                Ok(Consistency::Inconsistent) => ("no", "time stops where there is no output".to_owned()),
                Ok(Consistency::Unknown(reason)) | Err(reason) => ("unknown", reason.to_string()),
            };
            found.into()
        }
        GameQuery::Determinism(name) => {
            let game = game(name, args, global, terminal)?;
            let analysis = analyse(&game, &Timer::new(args.limits.resolve()).budget())?;
            let found = match analysis.map(|analysis| analysis.overlaps.len()) {
                Ok(0) => ("yes", String::new()),
                Ok(1) => ("no", "a pair of edges is enabled together".to_owned()),
                Ok(n) => ("no", format!("{n} pairs of edges are enabled together")),
                Err(reason) => ("unknown", reason.to_string()),
            };
            found.into()
        }
    })
}

/// The game that an expression names.
fn game(name: &str, args: &RefineArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<Automaton> {
    let expression = Expression::parse(name)?;
    let file = Loaded::read_named(&args.file, &global.read_options(), &expression.names(), terminal)?;
    let budget = Timer::new(args.limits.resolve()).budget();
    let unmatched = args.semantics.resolve().unmatched;
    expression.game(&|name| file.named(name), unmatched, &budget)
}

fn as_json(rows: &[AnsweredQuery]) -> Value {
    let all = rows.iter().map(|row| {
        let Answered { answer, because, .. } = &row.answered;
        let mut object = json!({ "query": row.query, "answer": answer, "because": because });
        if let Some((_, witness)) = &row.answered.witness {
            object["witness"] = witness.clone();
        }
        object
    });
    json!({
        "queries": all.collect::<Vec<_>>(),
        "yes": count(rows, "yes"), "no": count(rows, "no"), "unknown": count(rows, "unknown"),
        "not_asked": count(rows, NOT_ASKED),
    })
}

/// The table of a project in `folder`.
fn as_text(rows: &[AnsweredQuery], folder: &str) -> String {
    let mut text = String::new();
    for row in rows {
        let Answered {
            answer,
            because,
            witness,
        } = &row.answered;
        text += &format!("{answer:<10}{}\n", row.query);
        if *answer != "yes" {
            text += &format!("{:<10}  {}\n", "", because.lines().next().unwrap_or_default());
        }
        match (witness, &row.sides) {
            (Some((run, _)), _) => run.lines().for_each(|line| text += &format!("{:<10}  {line}\n", "")),
            (None, Some((left, right))) if *answer == "no" => {
                text += &format!(
                    "{:<10}  a run that shows it: tamper refine {folder} '{left}' '{right}' --witness\n",
                    ""
                );
            }
            _ => {}
        }
    }
    let counts = ["yes", "no", "unknown", NOT_ASKED].map(|answer| format!("{} {answer}", count(rows, answer)));
    match rows.len() {
        0 => "the project has no query".to_owned(),
        1 => text + &format!("1 query: {}", counts.join(", ")),
        n => text + &format!("{n} queries: {}", counts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotient_is_written_with_one_or_two_signs() {
        assert_eq!(signs(r"(A || B) \ C"), r"(A || B) \\ C");
        assert_eq!(signs(r"(A || B) \\ C"), r"(A || B) \\ C");
        assert_eq!(signs("A && B"), "A && B");
    }
}
