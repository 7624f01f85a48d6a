//! Answers to words of inputs and waits, against plain enumeration of all runs on a grid of times.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use num_rational::BigRational;
use proptest::prelude::*;
use tamper::features::Random;
use tamper::model::{Automaton, Role};
use tamper::suite::{AnsweredWord, Event, Monitor, What, WordAct, WordEnd};
use tamper::text::Budget;

use testing::oracle::generate::sketch;
use testing::oracle::run;

use super::judged::{HALF, Line, Log, Runs, TICKS, allowed, is_in, recipe, time, walked};

/// A walk as a word: some outputs are named, some silences, and rarely an input or output is wrong.
fn word(game: &Automaton, log: &Log, seed: u64) -> Vec<WordAct> {
    let mut random = Random::new(seed);
    let (mut word, mut now) = (Vec::new(), 0);
    let mut labels = game.actions().iter().filter(|action| action.role != Role::Internal);
    let wrong = labels
        .next()
        .map(|action| (action.to_string(), action.role == Role::Input));
    for line in &log.lines {
        if line.at > now {
            if random.below(4) == 0 {
                word.push(WordAct::Silence);
            }
            word.push(WordAct::Wait(time(line.at - now)));
            now = line.at;
        }
        match (line.is_input, random.below(8), &wrong) {
            (_, 0, Some((label, true))) => word.push(WordAct::Input(label.clone())),
            (_, 0, Some((label, false))) => word.push(WordAct::Output(label.clone())),
            (true, ..) => word.push(WordAct::Input(line.label.clone())),
            (false, 1 | 2, _) => {}
            (false, ..) => word.push(WordAct::Output(line.label.clone())),
        }
    }
    word.push(WordAct::Wait(time(log.until - now + HALF * random.below(3) as i64)));
    word
}

fn ticks(time: &BigRational) -> i64 {
    let ticks = time * BigRational::from_integer(TICKS.into());
    i64::try_from(ticks.to_integer()).expect("small")
}

/// The log of these events, listened to until then.
fn plain(events: &[Event], until: i64) -> Log {
    let line = |event: &Event| {
        let (What::Input(label) | What::Output(label) | What::Refused(label)) = &event.what else {
            panic!("an event")
        };
        Line::new(label, ticks(&event.at), matches!(event.what, What::Input(_)))
    };
    Log {
        lines: events.iter().map(line).collect(),
        until,
        tolerance: 0,
    }
    .number()
}

/// Whether some run has these events and then nothing until then; `None` if there are too many runs.
fn lasts(game: &Automaton, events: &[Event], until: i64) -> Option<bool> {
    let log = plain(events, until);
    Some(Runs::new(game, &log, false).all(log.until)?.is_explained)
}

/// The outputs that may come next, after `silent` and up to `now`.
fn next(game: &Automaton, events: &[Event], silent: Option<i64>, now: i64) -> Option<BTreeSet<(i64, String)>> {
    let mut found = allowed(game, &plain(events, now), events.len(), now)?;
    found.retain(|(at, _)| *at <= now && silent.is_none_or(|silent| *at > silent));
    Some(found)
}

/// Whether one of them must have come, and which.
fn certain(game: &Automaton, events: &[Event], silent: Option<i64>, now: i64) -> Option<Option<(i64, String)>> {
    let possible = next(game, events, silent, now)?;
    let only = possible.first().filter(|_| possible.len() == 1).cloned();
    let Some((at, label)) = only else { return Some(None) };
    let is_certain = !lasts(game, events, now + 1)? && (at == now || !lasts(game, events, now)?);
    Some(is_certain.then_some((at, label)))
}

/// The times of the acts that are no waits, and of the silences among them, as far as they were given.
fn times(word: &[WordAct], answered: &AnsweredWord) -> (Vec<i64>, Vec<i64>) {
    let (mut acts, mut silences, mut now) = (Vec::new(), Vec::new(), 0);
    for act in word {
        match act {
            WordAct::Wait(time) => now += ticks(time),
            _ => acts.push(now),
        }
        if *act == WordAct::Silence && now < ticks(&answered.until) {
            silences.push(now);
        }
    }
    acts.push(ticks(&answered.until));
    acts.retain(|at| *at <= ticks(&answered.until));
    (acts, silences)
}

/// `None` if there are too many runs.
fn judge(game: &Automaton, word: &[WordAct], answered: &AnsweredWord) -> Option<Result<String, String>> {
    let until = ticks(&answered.until);
    let (acts, silences) = times(word, answered);
    let since = |events: &[Event], before: i64| {
        let last = events.last().map_or(0, |last| ticks(&last.at));
        let silences = silences.iter().filter(|at| **at >= last && **at < before);
        silences.copied().max()
    };
    let mut named: Vec<&WordAct> = word
        .iter()
        .filter(|act| matches!(act, WordAct::Input(_) | WordAct::Output(_)))
        .collect();
    named.reverse();
    for (number, event) in answered.log.iter().enumerate() {
        let events = &answered.log[..number];
        let is_named = match (&event.what, named.last()) {
            (What::Input(label), Some(WordAct::Input(word))) | (What::Output(label), Some(WordAct::Output(word))) => {
                label == word
            }
            _ => false,
        };
        if is_named {
            named.pop();
            continue;
        }
        let What::Output(label) = &event.what else {
            return Some(Err(format!("event {number} is not of the word")));
        };
        let at = ticks(&event.at);
        let expected = Some((at, label.clone()));
        let mut is_certain = false;
        for now in acts.iter().filter(|act| **act >= at) {
            is_certain |= certain(game, events, since(events, at), *now)? == expected;
        }
        if !is_certain {
            return Some(Err(format!("event {number} is not certain")));
        }
    }
    let log = &answered.log;
    let silent = since(log, until);
    let may_be_silent = lasts(game, log, until)?;
    if may_be_silent != answered.may_be_silent {
        return Some(Err(format!("silence: {may_be_silent}")));
    }
    // An output that must have come at this moment, and that the word may not have named.
    let is_last_now = log.last().is_some_and(|last| ticks(&last.at) == until);
    let with = |what: What| {
        let at = answered.until.clone();
        lasts(game, &[&log[..], &[Event { at, what }]].concat(), until)
    };
    let possible = next(game, log, silent, until)?;
    let is_right = match &answered.end {
        WordEnd::Whole => certain(game, log, silent, until)?.is_none(),
        WordEnd::Open(position) => {
            matches!(word[*position], WordAct::Input(_))
                && !possible.is_empty()
                && certain(game, log, silent, until)?.is_none()
        }
        WordEnd::NotTaken(position, _) => match &word[*position] {
            WordAct::Input(label) => !with(What::Input(label.clone()))?,
            _ => false,
        },
        WordEnd::Impossible(position) => match &word[*position] {
            WordAct::Output(label) => is_last_now || !with(What::Output(label.clone()))?,
            WordAct::Silence => is_last_now || !may_be_silent,
            _ => false,
        },
        WordEnd::TimeStops(_) => possible.is_empty() && !may_be_silent,
    };
    if !is_right {
        return Some(Err("the end".to_owned()));
    }
    let kind = format!("{:?}", answered.end);
    let kind = kind.split(['(', ',']).next().unwrap_or_default().to_owned();
    if matches!(answered.end, WordEnd::Whole | WordEnd::Open(_)) {
        let from = log.last().map_or(0, |last| ticks(&last.at));
        for at in (from..=until).filter(|at| at % (HALF / 2) == 0) {
            for label in ["o!", "p!"] {
                let mut windows = answered.possible.iter().filter(|window| window.action == label);
                if windows.any(|window| is_in(window, &time(at))) != possible.contains(&(at, label.to_owned())) {
                    return Some(Err(format!("{label} at {at}")));
                }
            }
        }
    }
    Some(Ok(kind))
}

#[test]
fn words_are_answered_as_plain_enumeration_of_all_runs_answers_them() {
    let tally: RefCell<BTreeMap<String, u32>> = RefCell::default();
    let cases = (sketch(), recipe(), any::<u64>(), any::<bool>());
    run::check(60, &cases, |(sketch, recipe, seed, atomic)| {
        let game = sketch.build("S").with_atomic_steps(*atomic);
        let Ok(monitor) = Monitor::new(&game, &Budget::unlimited()) else {
            return Ok(());
        };
        let word = word(&game, &walked(&game, &recipe.within(0)), *seed);
        let Ok(answered) = monitor.answer(&word, &Budget::unlimited()) else {
            *tally.borrow_mut().entry("endless".to_owned()).or_default() += 1;
            return Ok(());
        };
        let kind = match judge(&game, &word, &answered) {
            None => "given up".to_owned(),
            Some(Ok(kind)) => kind,
            Some(Err(why)) => return Err(format!("{why}: {word:?}: {answered:?}")),
        };
        let outputs = answered
            .log
            .iter()
            .filter(|event| matches!(event.what, What::Output(_)))
            .count();
        let named = word.iter().filter(|act| matches!(act, WordAct::Output(_))).count();
        let mut tally = tally.borrow_mut();
        *tally.entry(kind).or_default() += 1;
        *tally.entry("with outputs that no word names".to_owned()).or_default() += u32::from(outputs > named);
        Ok(())
    });
    let tally = tally.into_inner();
    println!("{tally:#?}");
    if std::env::var_os("TAMPER_CASES").is_some() {
        return;
    }
    for kind in ["Whole", "Open", "Impossible"] {
        assert!(tally.get(kind).is_some_and(|n| *n >= 1), "{kind}: {tally:#?}");
    }
}
