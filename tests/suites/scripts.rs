//! Kills under a script of guards, told from plain ones: what is called plain must hold under every script.
//!
//! The judge makes games in which every step leaves the guards at any values: so they have all scripts at once. A test that kills plainly
//! fails on every run of the mutant with all scripts, and on none of the specification with all scripts. What decides in tamper (which
//! conditions runs may ask) is not looked at.

use std::cell::RefCell;

use proptest::collection::vec;
use proptest::prelude::*;
use tamper::experiment::killing::{KillGoal, Strategy as Choice, SuiteOptions, candidates, generate, judge};
use tamper::experiment::{Limits, Selection, Timer};
use tamper::formats::{ReadOptions, read_xstate};
use tamper::model::{Automaton, Edge, Expr, Update};
use tamper::mutation::{MutantSpace, MutationOptions, Operator, Order};
use tamper::suite::{CompiledTest, Ends, Opponent, Pick, Refusals, Style, Subject, TestCase, Tester, execute};
use tamper::text::Budget;

use testing::oracle::run;

/// A transition: its target, and its guard if it has one.
type Arrow = Option<(u8, Option<bool>)>;

/// Per state: at `A`, at `B`, after a delay, `always`, and whether entering it is seen.
type Chart = Vec<(Arrow, Arrow, Arrow, u8, bool)>;

fn chart() -> impl Strategy<Value = Chart> {
    let guard = prop_oneof![3 => Just(None), 2 => any::<bool>().prop_map(Some)];
    let arrow = prop_oneof![1 => Just(None), 2 => (0u8..4, guard).prop_map(Some)];
    vec((arrow.clone(), arrow.clone(), arrow, 1u8..4, any::<bool>()), 2..=4)
}

fn text(chart: &Chart) -> String {
    let arrow = |arrow: &Arrow| {
        arrow.map(|(target, guard)| {
            let target = usize::from(target) % chart.len();
            let guard = guard.map(|guard| format!(r#","guard":"{}""#, if guard { "g" } else { "h" }));
            format!(
                r#"{{"target":"s{target}","reenter":true{}}}"#,
                guard.unwrap_or_default()
            )
        })
    };
    let states = chart.iter().enumerate().map(|(at, (a, b, after, delay, is_seen))| {
        let on = [("A", a), ("B", b)].map(|(event, to)| arrow(to).map(|to| format!(r#""{event}":{to}"#)));
        let on: Vec<String> = on.into_iter().flatten().collect();
        let after = arrow(after).map(|to| format!(r#","after":{{"{delay}":{to}}}"#));
        let entry = if *is_seen {
            format!(r#","entry":"x{at}""#)
        } else {
            String::new()
        };
        format!(
            r#""s{at}":{{"on":{{{}}}{}{entry}}}"#,
            on.join(","),
            after.unwrap_or_default()
        )
    });
    let states = states.collect::<Vec<_>>().join(",");
    format!(r#"{{"id":"m","initial":"s0","states":{{{states}}},"xstate":5}}"#)
}

/// The game in which each step leaves the guards at any values.
fn with_all_scripts(game: &Automaton) -> Automaton {
    let mut all = game.clone();
    for (id, edge) in game.edges().iter_enumerated() {
        let edges = 0..1 << game.scripted().len();
        for values in edges.rev() {
            let set = game.scripted().iter().enumerate();
            let set = set.map(|(at, int)| Update::Assign(*int, Expr::Const(i64::from(values >> at & 1))));
            let copy = Edge {
                updates: edge.updates.iter().cloned().chain(set).collect(),
                ..Edge::clone(edge)
            };
            all = match values {
                0 => all.with_edge(id, copy),
                _ => all.with_new_edge(copy),
            };
        }
    }
    all
}

fn ends(test: &TestCase, game: &Automaton) -> Ends {
    let budget = Budget::unlimited();
    let subject = Subject::new(game, &budget).unwrap();
    let test = CompiledTest::in_own_unit(test).unwrap();
    execute(&test, &Opponent::new(&subject, &test).unwrap(), &budget).unwrap()
}

#[derive(Default, Debug)]
struct Tally {
    plain: usize,
    under_script: usize,
    /// Kills that are called ones under a script, and hold under every script.
    cautious: usize,
}

#[test]
fn what_is_called_a_plain_kill_holds_under_every_script_of_guards() {
    let tally = RefCell::new(Tally::default());
    run::check(60, &chart(), |chart| {
        let text = text(chart);
        let Ok((document, _)) = read_xstate("chart.json", text.as_bytes(), &ReadOptions::default()) else {
            return Ok(());
        };
        let game = &document.automata()[0];
        let timer = Timer::new(Limits::default());
        let mutation = MutationOptions {
            operators: Operator::CHART.to_vec(),
            ..MutationOptions::default()
        };
        let space = MutantSpace::new(game, &mutation, Order::FIRST).unwrap();
        let selection = Selection::of(&space, None, 0).unwrap();
        let tester = Tester::new(game, &Budget::unlimited()).unwrap();
        let found = candidates(&space, &selection, &|_| true, &tester, &timer).unwrap();
        let options = SuiteOptions {
            wanted: KillGoal::Definite,
            style: Style::Adaptive,
            pick: Pick::Middle,
            strategy: Choice::PerMutant,
            rounds: 1,
            refusals: Refusals::Error,
            linger: None,
            mutation,
            max_nodes: 1_000,
        };
        let tests = generate(&tester, &found, &options, &timer, &|_| ()).unwrap().tests;
        let judged = judge(&tester, &found, &tests, &options, &timer).unwrap();
        let specification = with_all_scripts(game);
        for (candidate, judged) in found.iter().zip(judged) {
            if judged.killed_by.is_empty() {
                continue;
            }
            let mutant = with_all_scripts(candidate.automaton.as_ref().unwrap());
            let kills = |test: &usize| {
                let test = &tests[*test];
                ends(test, &mutant).must_fail() && !ends(test, &specification).can_fail()
            };
            let always = judged.killed_by.iter().any(kills);
            let mut tally = tally.borrow_mut();
            match (judged.under_script, always) {
                (false, false) => return Err(format!("{} is called a plain kill: {text}", candidate.id)),
                (false, true) => tally.plain += 1,
                (true, false) => tally.under_script += 1,
                (true, true) => tally.cautious += 1,
            }
        }
        Ok(())
    });
    let tally = tally.into_inner();
    println!("{tally:?}");
    if std::env::var_os("TAMPER_CASES").is_none() {
        assert!(tally.plain > 100 && tally.under_script > 100, "{tally:?}");
    }
}
