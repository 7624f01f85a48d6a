//! `tamper check --run` of a timed game.

use anyhow::Result;

use crate::cli::arguments::args::LimitArgs;
use crate::cli::exit::{ExitCode, LimitHit};
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::formats::ReadError;
use tamper::model::{Automaton, Role};
use tamper::programs::parse_time;
use tamper::report::{word_json, word_text};
use tamper::suite::{Monitor, SuiteFailure, WordAct, WordEnd};
use tamper::text::{Diagnostic, SourceFile, Span, decode, visible};

/// Shows what `game` answers to `word`.
pub fn run_word(game: &Automaton, word: &str, limits: &LimitArgs, terminal: &Terminal) -> Result<ExitCode> {
    let file = decode("--run", word.as_bytes())?;
    let (acts, places): (Vec<WordAct>, Vec<Span>) = read(&file, game)?.into_iter().unzip();
    let timer = Timer::new(limits.resolve());
    let budget = timer.budget();
    let stopped = |error: SuiteFailure| match error.limit() {
        Some(reason) => LimitHit(reason.to_string()).into(),
        None => anyhow::Error::from(error),
    };
    let answered = Monitor::new(game, &budget).and_then(|monitor| monitor.answer(&acts, &budget));
    let answered = answered.map_err(stopped)?;
    terminal.answer(|| word_json(&answered), || word_text(&answered))?;
    let (position, message, help) = match &answered.end {
        WordEnd::Whole => return Ok(ExitCode::Yes),
        WordEnd::Open(position) => (
            *position,
            "the answer to the word so far is not certain".to_owned(),
            "say before this what came: an output as `NAME!` behind a wait, or `-` for nothing".to_owned(),
        ),
        WordEnd::NotTaken(position, inputs) => {
            let help = match inputs.as_slice() {
                [] => "no input is taken now: wait first, or say which output came".to_owned(),
                _ => format!("taken now: {}", inputs.join(", ")),
            };
            (*position, "the game does not take this input now".to_owned(), help)
        }
        WordEnd::Impossible(position) => (
            *position,
            "this is not what comes here".to_owned(),
            "what comes is shown above: name that, another wait, or nothing".to_owned(),
        ),
        WordEnd::TimeStops(position) => (
            *position,
            "time stops before this, and no output comes".to_owned(),
            "the model is inconsistent there: `tamper check` without --run says where".to_owned(),
        ),
    };
    let end = Span::new(word.len().saturating_sub(1), word.len());
    let place = places.get(position).copied().unwrap_or(end);
    Err(ReadError::of(file, Diagnostic::error(message, place).with_help(help)).into())
}

/// The acts of a word with their places.
fn read(file: &SourceFile, game: &Automaton) -> Result<Vec<(WordAct, Span)>, ReadError> {
    let named = |role: Role| -> Vec<(String, String)> {
        let actions = game.actions().iter().filter(|action| action.role == role);
        actions
            .map(|action| (action.name.to_string(), action.to_string()))
            .collect()
    };
    let (inputs, outputs) = (named(Role::Input), named(Role::Output));
    let listed = |names: &[(String, String)]| {
        names
            .iter()
            .map(|(_, label)| label.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut acts = Vec::new();
    let mut diagnostics = Vec::new();
    for (word, span) in words(file.text()) {
        let input = inputs.iter().find(|(name, label)| word == *label || word == *name);
        let output = outputs.iter().find(|(_, label)| word == *label);
        let act = match (parse_time(&word), input, output) {
            (Some(time), ..) => WordAct::Wait(time),
            (_, Some((_, label)), _) => WordAct::Input(label.clone()),
            (_, _, Some((_, label))) => WordAct::Output(label.clone()),
            _ if word == "-" => WordAct::Silence,
            _ => {
                let message = format!("the game has no input `{}`", visible(&word));
                let help = match outputs.iter().find(|(name, _)| *name == word) {
                    Some((_, label)) => format!("it is an output: write `{label}` to say that it came"),
                    None => format!(
                        "inputs: {}; outputs that came: {}; `3.5` waits; `-` says that nothing came; names with spaces stand in quotes",
                        listed(&inputs),
                        listed(&outputs)
                    ),
                };
                diagnostics.push(Diagnostic::error(message, span).with_help(help));
                continue;
            }
        };
        acts.push((act, span));
    }
    let file = file.clone();
    match diagnostics.is_empty() {
        true => Ok(acts),
        false => Err(ReadError { file, diagnostics }),
    }
}

/// The words between spaces; spaces between quotes belong to a word, and quotes to none.
fn words(text: &str) -> Vec<(String, Span)> {
    let mut words = Vec::new();
    let (mut word, mut start, mut is_quoted) = (String::new(), None, false);
    for (at, sign) in text.char_indices().chain([(text.len(), ' ')]) {
        match (sign, start) {
            _ if sign.is_whitespace() && (!is_quoted || at == text.len()) => {
                let begun = start
                    .take()
                    .map(|start| (std::mem::take(&mut word), Span::new(start, at)));
                words.extend(begun);
            }
            ('"', _) => {
                is_quoted = !is_quoted;
                start.get_or_insert(at);
            }
            _ => {
                word.push(sign);
                start.get_or_insert(at);
            }
        }
    }
    words
}
