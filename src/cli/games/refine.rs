//! `tamper refine`.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value, json};

use crate::cli::arguments::args::GlobalArgs;
use crate::cli::arguments::expression::{Expression, beside};
use crate::cli::arguments::game_args::{CertificateForm, PropositionVisibility, RefineArgs};
use crate::cli::exit::ExitCode;
use crate::cli::models::load::Loaded;
use crate::cli::models::mutated::seen;
use crate::cli::query_file::QueryFile;
use crate::cli::terminal::Terminal;
use tamper::experiment::{Timer, write_file};
use tamper::game::{Certification, Certifier, Disproof, GameError, Method, Scratch, Semantics, Specification, Verdict};
use tamper::model::Automaton;
use tamper::network::{AlgebraError, CompositionWords, conjunction, same_actions};
use tamper::report::{counterexample_json, counterexample_text};
use tamper::text::Budget;

/// An answer, ready to be shown.
pub struct RefinementResult {
    pub code: ExitCode,
    pub verdict: &'static str,
    /// The reason why there is no other verdict, or the way in which it was reached.
    pub because: String,
    /// The witness as text and as JSON.
    pub witness: Option<(String, Value)>,
}

/// The question whether `left` refines `right`, which is in the same file unless `right_file` names another.
pub struct RefinementRequest<'a> {
    pub left: &'a Expression,
    pub right: &'a Expression,
    pub right_file: Option<&'a Path>,
}

/// Decides whether the left game refines the right one.
pub fn refine(args: &RefineArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let Some(right_name) = &args.timed.right else {
        bail!("name two templates: the one that should refine, and the specification");
    };
    let asked = RefinementRequest {
        left: &Expression::parse(args.left()?)?,
        right: &Expression::parse(right_name)?,
        right_file: args.timed.right_file.as_deref(),
    };
    let (answer, [left, right], words) = ask(&asked, args, global, terminal)?;
    let semantics = args.semantics.resolve();
    if let Some(path) = &args.timed.certificate {
        certify((&left, &right), &words, path, args, terminal)?;
    }
    terminal.answer(
        || answer_json(&answer, &left, &right, semantics),
        || answer_text(&answer, &left, &right),
    )?;
    Ok(answer.code)
}

/// The answer, the two games, and for a certificate the words for their parts.
pub fn ask(
    asked: &RefinementRequest<'_>,
    args: &RefineArgs,
    global: &GlobalArgs,
    terminal: &Terminal,
) -> Result<(RefinementResult, [Automaton; 2], [CompositionWords; 2])> {
    let (left, right) = (asked.left, asked.right);
    let read = |path, names: &[&str]| {
        let loaded = Loaded::read_either(path, names, &args.network, &args.limits, global, terminal)?;
        loaded.comparable().map(|()| loaded)
    };
    let (left_file, right_file) = match asked.right_file {
        Some(path) => (read(&args.file, &left.names())?, Some(read(path, &right.names())?)),
        None => (read(&args.file, &[left.names(), right.names()].concat())?, None),
    };
    let timer = Timer::new(args.limits.resolve());
    let semantics = args.semantics.resolve();
    let left = left.game(&|name| left_file.named(name), semantics.unmatched, &timer.budget())?;
    let right_file = right_file.as_ref().unwrap_or(&left_file);
    let words = [(asked.left, &left_file), (right, right_file)].map(|(asked, file)| match asked {
        Expression::Game(_) if args.timed.certificate.is_some() => file.words(),
        _ => CompositionWords::default(),
    });
    let right_game = |part: &Expression| {
        let named = |name: &str| right_file.named(name);
        part.game(&named, semantics.unmatched, &timer.budget())
    };
    let questions = questions(left, right, &right_game, &timer.budget())?;
    if args.timed.certificate.is_some() && questions.pairs.len() > 1 {
        bail!("--certificate is about one question, and to refine `A && B` is two: ask for A and for B");
    }
    let inconsistent = inconsistent_right(&questions, &timer, semantics)?;
    let mut last = None;
    for (mut left, mut right) in questions.pairs {
        if args.propositions.propositions == PropositionVisibility::Seen {
            if !matches!((asked.left, asked.right), (Expression::Game(_), Expression::Game(_))) {
                bail!(
                    "--propositions seen: games that are made of others have no atomic propositions; name two templates"
                );
            }
            (left, right) = (seen(&left, &right)?, seen(&right, &left)?);
        }
        let answer = match &inconsistent {
            Some(error) => plain(ExitCode::Error, "spec-inconsistent", error.to_string()),
            None => decide(&left, &right, args, semantics)?,
        };
        let is_last = answer.code != ExitCode::Yes;
        last = Some((answer, [left, right]));
        if is_last {
            break;
        }
    }
    let (answer, games) = last.context("a refinement is about two games")?;
    Ok((answer, games, words))
}

/// The questions that decide a refinement.
struct RefinementQuestions {
    /// The pairs of games; the left game of each pair has to refine the right one.
    pairs: Vec<(Automaton, Automaton)>,
    /// A game that must be consistent for an answer to mean something, besides the right game of each pair.
    whole: Option<Automaton>,
}

/// The questions that decide whether `left` refines `right`: X refines A && B if it refines both, and A \\ B if B || X refines A, whatever
/// A is.
fn questions(
    left: Automaton,
    right: &Expression,
    game: &dyn Fn(&Expression) -> Result<Automaton>,
    budget: &Budget,
) -> Result<RefinementQuestions> {
    let mut conjunct = None;
    let pairs = match right {
        Expression::Quotient(whole, part) => {
            return questions(beside(&game(part)?, &left, budget)?, whole, game, budget);
        }
        Expression::Conjunction(a, b) => {
            let (a, b) = (game(a)?, game(b)?);
            same_actions(&a, &b)?;
            conjunct = whole(&a, &b, budget)?;
            vec![(left.clone(), a), (left, b)]
        }
        other => vec![(left, game(other)?)],
    };
    Ok(RefinementQuestions { pairs, whole: conjunct })
}

/// `a && b` as one game; `None` if only the refinement of both is defined.
fn whole(a: &Automaton, b: &Automaton, budget: &Budget) -> Result<Option<Automaton>> {
    match conjunction(a, b, budget) {
        Ok(whole) => Ok(Some(whole)),
        Err(error @ AlgebraError::Compose(_)) => Err(error.into()),
        Err(_) => Ok(None),
    }
}

/// The reason why no verdict means anything: the right side, or a game that it is made of, is inconsistent.
fn inconsistent_right(
    questions: &RefinementQuestions,
    timer: &Timer,
    semantics: Semantics,
) -> Result<Option<GameError>> {
    if questions.whole.is_none() {
        return Ok(None);
    }
    let rights = questions.pairs.iter().map(|(_, right)| right);
    for game in rights.chain(&questions.whole) {
        match Specification::prepare(game, semantics, &timer.budget()) {
            Ok(_) | Err(GameError::SpecUnknown(_)) => {}
            Err(error @ GameError::SpecInconsistent { .. }) => return Ok(Some(error)),
            Err(error) => return Err(anyhow::Error::new(error).context(format!("`{}` has no meaning", game.name()))),
        }
    }
    Ok(None)
}

fn plain(code: ExitCode, verdict: &'static str, because: String) -> RefinementResult {
    RefinementResult {
        code,
        verdict,
        because,
        witness: None,
    }
}

fn decide(left: &Automaton, right: &Automaton, args: &RefineArgs, semantics: Semantics) -> Result<RefinementResult> {
    let timer = Timer::new(args.limits.resolve());
    let specification = match Specification::prepare(right, semantics, &timer.budget()) {
        Ok(specification) => specification,
        Err(error @ GameError::SpecInconsistent { .. }) => {
            return Ok(plain(ExitCode::Error, "spec-inconsistent", error.to_string()));
        }
        Err(error @ GameError::SpecUnknown(_)) => return Ok(plain(ExitCode::Unknown, "unknown", error.to_string())),
        Err(error) => return Err(anyhow::Error::new(error).context(format!("`{}` has no meaning", right.name()))),
    };
    let meaningless = |error| anyhow::Error::new(error).context(format!("`{}` has no meaning", left.name()));
    let decision = specification
        .decide(left, &timer.budget(), &mut Scratch::default())
        .map_err(meaningless)?;
    let because = method_text(decision.method).to_owned();
    Ok(match decision.verdict {
        Verdict::Subsumed => plain(ExitCode::Yes, "subsumed", because),
        Verdict::Inconsistent => plain(ExitCode::No, "inconsistent", because),
        Verdict::Unknown(reason) => plain(ExitCode::Unknown, "unknown", reason.to_string()),
        Verdict::NonSubsumed => {
            let mut because = because;
            let found = match args.shown.witness {
                true => match specification
                    .counterexample(left, &timer.budget())
                    .map_err(meaningless)?
                {
                    Disproof::Unknown(reason) => {
                        because = format!("{because}; no counterexample was found: {reason}");
                        None
                    }
                    found => found.counterexample(),
                },
                false => None,
            };
            let witness = found.map(|found| {
                let text = counterexample_text(&found, left, right);
                (text, counterexample_json(&found, left, right))
            });
            RefinementResult {
                witness,
                ..plain(ExitCode::No, "non-subsumed", because)
            }
        }
    })
}

/// Writes the certificate of the verdict; of a difference the play as well, in comments.
fn certify(
    (left, right): (&Automaton, &Automaton),
    [of_left, of_right]: &[CompositionWords; 2],
    path: &Path,
    args: &RefineArgs,
    terminal: &Terminal,
) -> Result<()> {
    let budget = Timer::new(args.limits.resolve()).budget();
    let no_certificate = |why: String| anyhow::anyhow!("there is no certificate: {why}");
    let failed = |error: GameError| no_certificate(error.to_string());
    let specification = Specification::prepare(right, args.semantics.resolve(), &budget).map_err(failed)?;
    let certifier = Certifier::new(specification, of_right, &budget).map_err(failed)?;
    let certified = certifier.certify(left.name(), (left, of_left), &budget);
    match certified.map_err(failed)? {
        Certification::Certificate(verdict, mut text) => {
            text.insert_str(0, certifier.head());
            if args.timed.certificate_as == CertificateForm::Smt2 {
                let mut queries = QueryFile::create(path)?;
                queries.add(&text)?;
                return queries.finish(terminal);
            }
            if verdict == Verdict::NonSubsumed {
                let found = certifier.specification().counterexample(left, &budget);
                let play = found.map_err(failed)?.counterexample();
                let play = play.map(|play| counterexample_text(&play, left, right));
                let lines = play.iter().flat_map(|play| play.lines());
                text.extend(lines.map(|line| format!("# {line}\n")));
            }
            write_file(path, text)?;
            terminal.note(&format!("`tamper-check {}` checks this verdict", path.display()));
            Ok(())
        }
        Certification::Unknown(reason) => Err(no_certificate(reason.to_string())),
        Certification::Uncertified(_, part) => Err(no_certificate(part.to_string())),
    }
}

fn method_text(method: Method) -> &'static str {
    match method {
        Method::Consistency => "consistency of the left side",
        Method::Same => "identity (both sides are the same game)",
        Method::Diagonal => "the right side's own states (the left side never leaves them)",
        Method::Unanswered => "an output that the right side never makes",
        Method::Product => "runs of both sides together (each step has one answer)",
        Method::Counterpart => {
            "the game with choices (some move has several answers), each move answered by its counterpart"
        }
        Method::Strategy => {
            "the game with choices (some move has several answers), answered by other moves where need be"
        }
    }
}

fn answer_json(answer: &RefinementResult, left: &Automaton, right: &Automaton, semantics: Semantics) -> Value {
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("verdict", json!(answer.verdict));
    put("left", json!(left.name()));
    put("right", json!(right.name()));
    put("semantics", json!(semantics.to_string()));
    put("sees_propositions", json!(right.sees_propositions()));
    put("because", json!(answer.because));
    if let Some((_, witness)) = &answer.witness {
        put("witness", witness.clone());
    }
    Value::Object(object)
}

fn answer_text(answer: &RefinementResult, left: &Automaton, right: &Automaton) -> String {
    let mut text = format!("{}\n", answer.verdict);
    let (left, right) = (left.name(), right.name());
    let sentence = match answer.verdict {
        "subsumed" => format!("{left} refines {right}: no test tells them apart."),
        "non-subsumed" => format!("{left} does not refine {right}."),
        "inconsistent" => format!("{left} cannot avoid a state where time is stopped and it has no output."),
        _ => format!("{}.", answer.because),
    };
    text.push_str(&sentence);
    if let Some((witness, _)) = &answer.witness {
        text.push_str("\n\n");
        text.push_str(witness);
    }
    text
}
