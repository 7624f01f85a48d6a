//! Action systems ([001]): the three verdicts against plain enumeration, the car alarm system, files.

use std::collections::{BTreeMap, BTreeSet};

use tamper_features::Random;
use tamper_systems::actions::{
    ActionBody, ActionCondition, ActionInstance, ActionMutation, ActionOperator, ActionSystem, Event, IntegerTerm,
    Killed, SILENCE, action_mutations, compare, compare_all,
};
use tamper_systems::formats::actions::read_actions;
use tamper_systems::{Chains, Mutated as _};
use tamper_text::Budget;
use testing::systems::actions::{random_mutant, random_system};

use super::files::study;

pub type State = Vec<i64>;

/// What a body says, to the letter of [001] Figure 3: every state after it, each in its types.
fn run(system: &ActionSystem, body: &ActionBody, state: &State, values: &[i64]) -> BTreeSet<State> {
    match body {
        ActionBody::Assign(variable, value) => {
            let value = number(value, state, values);
            let (first, last) = system.bounds(*variable);
            let mut after = state.clone();
            after[*variable] = value;
            if (first..=last).contains(&value) {
                BTreeSet::from([after])
            } else {
                BTreeSet::new()
            }
        }
        ActionBody::Guard(condition, _, body) => match holds(condition, state, values) {
            true => run(system, body, state, values),
            false => BTreeSet::new(),
        },
        ActionBody::Sequence(first, second) => {
            let middle = run(system, first, state, values);
            middle
                .iter()
                .flat_map(|state| run(system, second, state, values))
                .collect()
        }
        ActionBody::Choice(one, other) => {
            let mut both = run(system, one, state, values);
            both.extend(run(system, other, state, values));
            both
        }
    }
}

fn number(term: &IntegerTerm, state: &State, values: &[i64]) -> i64 {
    match term {
        IntegerTerm::Value(value, _) => *value,
        IntegerTerm::Variable(variable) => state[*variable],
        IntegerTerm::Parameter(parameter) => values[*parameter],
        IntegerTerm::Add(left, right) => number(left, state, values) + number(right, state, values),
        IntegerTerm::Subtract(left, right) => number(left, state, values) - number(right, state, values),
        IntegerTerm::Multiply(left, right) => number(left, state, values) * number(right, state, values),
    }
}

fn holds(condition: &ActionCondition, state: &State, values: &[i64]) -> bool {
    match condition {
        ActionCondition::True => true,
        ActionCondition::Compare(relation, left, right, _) => {
            relation.holds(number(left, state, values).into(), number(right, state, values).into())
        }
        ActionCondition::And(left, right) => holds(left, state, values) && holds(right, state, values),
        ActionCondition::Or(left, right) => holds(left, state, values) || holds(right, state, values),
        ActionCondition::Not(operand) => !holds(operand, state, values),
    }
}

/// All events of a state, every value of every parameter tried, and the states after each.
fn steps(system: &ActionSystem, state: &State) -> BTreeMap<Event, BTreeSet<State>> {
    let mut found: BTreeMap<Event, BTreeSet<State>> = BTreeMap::new();
    for instance in &system.instances {
        for (event, after) in steps_of(system, instance, state) {
            found.entry(event).or_default().extend(after);
        }
    }
    found
}

/// Those of one action of the loop.
pub fn steps_of(system: &ActionSystem, instance: &ActionInstance, state: &State) -> BTreeMap<Event, BTreeSet<State>> {
    let action = &system.actions[instance.action];
    let mut all = vec![Vec::new()];
    for int_type in &instance.types {
        let (first, last) = (system.types[*int_type].first, system.types[*int_type].last);
        let longer = |values: &Vec<i64>| {
            (first..=last)
                .map(|value| [&values[..], &[value]].concat())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    let enabled = all.into_iter().filter(|values| holds(&action.guard.0, state, values));
    let steps = enabled.map(|values| {
        let after = run(system, &action.body, state, &values);
        let action = action.name.clone();
        (Event { action, values }, after)
    });
    steps.filter(|(_, after)| !after.is_empty()).collect()
}

/// Definition 4.1: the length of the shortest trace whose last event is at fault.
fn by_states(mutant: &ActionSystem, original: &ActionSystem) -> Option<usize> {
    let mut level = BTreeSet::from([original.init.clone()]);
    let mut met = level.clone();
    for length in 1.. {
        let mut next = BTreeSet::new();
        for state in &level {
            let allowed = steps(original, state);
            let none = BTreeSet::new();
            if steps(mutant, state)
                .iter()
                .any(|(event, after)| !after.is_subset(allowed.get(event).unwrap_or(&none)))
            {
                return Some(length);
            }
            next.extend(allowed.into_values().flatten());
        }
        level = next.difference(&met).cloned().collect();
        if level.is_empty() {
            return None;
        }
        met.extend(level.iter().cloned());
    }
    None
}

/// The same by traces: all sets of states of both that a trace can lead to. With `outputs` the traces have silences, inputs
/// are those of the original, and only outputs and silences count.
fn by_traces(mutant: &ActionSystem, original: &ActionSystem, outputs: bool) -> Option<usize> {
    let sides = [mutant, original].map(|system| (system.init.clone(), move |state: &State| steps(system, state)));
    by_traces_of(sides, &original.inputs, outputs)
}

/// The same, of any two systems by their first states and their steps.
pub fn by_traces_of<S: Clone + Ord>(
    [mutant, original]: [(S, impl Fn(&S) -> BTreeMap<Event, BTreeSet<S>>); 2],
    inputs: &BTreeSet<String>,
    outputs: bool,
) -> Option<usize> {
    let after = |steps: &dyn Fn(&S) -> BTreeMap<Event, BTreeSet<S>>, states: &BTreeSet<S>| {
        let mut found: BTreeMap<Event, BTreeSet<S>> = BTreeMap::new();
        for state in states {
            let steps = steps(state);
            let speaks = steps.keys().any(|event| !inputs.contains(&event.action));
            if outputs && !speaks {
                let silence = Event {
                    action: SILENCE.to_owned(),
                    values: Vec::new(),
                };
                found.entry(silence).or_default().insert(state.clone());
            }
            for (event, states) in steps {
                found.entry(event).or_default().extend(states);
            }
        }
        found
    };
    let mut level = BTreeSet::from([(BTreeSet::from([mutant.0]), BTreeSet::from([original.0]))]);
    let mut met = level.clone();
    for length in 1.. {
        let mut next = BTreeSet::new();
        for (own, others) in &level {
            let allowed = after(&original.1, others);
            for (event, own) in after(&mutant.1, own) {
                match allowed.get(&event) {
                    Some(others) => drop(next.insert((own, others.clone()))),
                    None if outputs && inputs.contains(&event.action) => {}
                    None => return Some(length),
                }
            }
        }
        level = next.difference(&met).cloned().collect();
        if level.is_empty() {
            return None;
        }
        met.extend(level.iter().cloned());
    }
    None
}

pub fn length(killed: &Killed) -> Option<usize> {
    match killed {
        Killed::No => None,
        Killed::Yes(trace) => Some(trace.len()),
        Killed::Open(open) => panic!("open: {open}"),
    }
}

fn n_systems() -> u64 {
    std::env::var("TAMPER_ACTION_SYSTEMS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(10_000)
}

#[test]
fn the_verdicts_of_random_action_systems_are_those_of_plain_enumeration() {
    let mut counts = [0_usize; 4];
    for seed in 0..n_systems() {
        let mut random = Random::new(seed);
        let original = random_system(&mut random);
        let mutant = random_mutant(&mut random, &original);
        let verdicts = compare(&mutant, &original, &Budget::unlimited()).expect("comparable");
        let expected = [
            by_states(&mutant, &original),
            by_traces(&mutant, &original, false),
            by_traces(&mutant, &original, true),
        ];
        let found = [length(&verdicts.state), length(&verdicts.event), length(&verdicts.ioco)];
        assert_eq!(found, expected, "seed {seed}: {mutant:?} against {original:?}");
        // What implies what: a trace that is new has a step that is new, in a state that the original reaches.
        assert!(expected[1].is_none() || expected[0].is_some(), "seed {seed}");
        let kinds = [expected[0].is_some(), expected[1].is_some(), expected[2].is_some()];
        counts[0] += usize::from(kinds == [false; 3]);
        counts[1] += usize::from(kinds[0] && !kinds[1]);
        counts[2] += usize::from(kinds[1] && !kinds[2]);
        counts[3] += usize::from(kinds[2] && !kinds[0]);
    }
    println!("none, state only, event but not ioco, ioco but not state: {counts:?}");
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}

pub fn car_alarm(factor: i64) -> ActionSystem {
    let mut text = study("cas-actions/model.pl");
    for (constant, place) in [
        (20, "Wait_time #= "),
        (30, "Wait_time #= "),
        (270, "Wait_time #= "),
        (270, "0.."),
    ] {
        text = text.replace(&format!("{place}{constant}"), &format!("{place}@{}", constant * factor));
    }
    let text = text.replace('@', "");
    match read_actions("model.pl", text.as_bytes()) {
        Ok(read) => read.system,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_car_alarm_system_has_the_published_numbers_of_mutants() {
    let system = car_alarm(1);
    let mutations = action_mutations(&system);
    let count = |operator| {
        mutations
            .iter()
            .filter(|mutation| mutation.operator == operator)
            .count()
    };
    // [001] section 5.
    assert_eq!(ActionOperator::ALL.map(count), [34, 52, 4, 116]);
}

#[test]
fn the_verdicts_on_the_car_alarm_system_are_the_same_at_every_factor() {
    let verdicts = |factor: i64| {
        let system = car_alarm(factor);
        let mutants = action_mutations(&system)
            .into_iter()
            .map(|mutation| mutation.apply(&system));
        let verdicts = mutants.map(|mutant| compare(&mutant, &system, &Budget::unlimited()).expect("comparable"));
        verdicts
            .map(|verdicts| [length(&verdicts.state), length(&verdicts.event), length(&verdicts.ioco)])
            .collect::<Vec<_>>()
    };
    let one = verdicts(1);
    assert_eq!(one.len(), 206);
    for factor in [10, 100, 1000] {
        assert_eq!(verdicts(factor), one, "{factor}");
    }
    // At factor 1 the values can be tried one by one.
    let system = car_alarm(1);
    for (mutation, found) in action_mutations(&system).iter().zip(&one).step_by(10) {
        let mutant = mutation.apply(&system);
        assert_eq!(found[0], by_states(&mutant, &system));
        assert_eq!(found[1], by_traces(&mutant, &system, false));
        assert_eq!(found[2], by_traces(&mutant, &system, true));
    }
}

/// What can happen after a trace, by plain enumeration.
fn after(system: &ActionSystem, trace: &str) -> String {
    let shown = |event: &Event| {
        let values = event.values.iter().map(|value| format!("({value})"));
        event.action.clone() + &values.collect::<String>()
    };
    let mut states = BTreeSet::from([system.init.clone()]);
    for name in trace.split_whitespace() {
        let all = states.iter().flat_map(|state| steps(system, state));
        let fitting = all.filter(|(event, _)| shown(event) == name);
        states = fitting.flat_map(|(_, after)| after).collect();
    }
    let events = states.iter().flat_map(|state| steps(system, state).into_keys());
    Vec::from_iter(BTreeSet::from_iter(events.map(|event| shown(&event)))).join(" ")
}

/// [001] section 2, R1 to R3 and Figure 1, by hand: R1, armed 20 seconds after the car is closed and locked, in whatever order.
/// R2, both alarms, in either order: 30 seconds of sound, 300 of light. R3, unlocking ends both.
#[test]
fn the_car_alarm_system_arms_sounds_and_is_deactivated_as_required() {
    let system = car_alarm(1);
    let armed = "Lock Close after(20) AlarmArmed_SetOn";
    let opened = &format!("{armed} Open AlarmArmed_SetOff");
    let [sound, light] = ["AcousticAlarm_SetO", "OpticalAlarm_SetO"];
    let on = [
        format!("{opened} {sound}n {light}n"),
        format!("{opened} {light}n {sound}n"),
    ];
    let mut expected = vec![
        (String::new(), "Close Lock".to_owned()),
        ("Close Lock".to_owned(), "Open Unlock after(20)".to_owned()),
        ("Lock Close".to_owned(), "Open Unlock after(20)".to_owned()),
        ("Lock Close after(20)".to_owned(), "AlarmArmed_SetOn".to_owned()),
        (armed.to_owned(), "Open Unlock".to_owned()),
        (format!("{armed} Unlock"), "AlarmArmed_SetOff".to_owned()),
        (format!("{armed} Open"), "AlarmArmed_SetOff".to_owned()),
        (opened.clone(), format!("{sound}n {light}n")),
    ];
    for on in on {
        let silent = format!("{on} after(30) {sound}ff");
        let dark = format!("{silent} after(270) {light}ff");
        expected.extend([
            (on.clone(), "Unlock after(30)".to_owned()),
            (silent, "Unlock after(270)".to_owned()),
            (dark.clone(), "Close Unlock".to_owned()),
            (format!("{dark} Close"), "AlarmArmed_SetOn".to_owned()),
            (format!("{on} Unlock"), format!("{sound}ff {light}ff")),
            (format!("{on} Unlock {light}ff {sound}ff"), "Close Lock".to_owned()),
        ]);
    }
    for (trace, expected) in expected {
        assert_eq!(after(&system, &trace), expected, "{trace}");
    }
}

/// A system over `v` in 0..9 with these actions, each in the loop; `a` and `b` without parameters.
pub fn small(a: &str, b: &str) -> ActionSystem {
    let text = format!(
        "type(t, X) :- X in 0..9.\nvar([v], t).\nstate_def([v]).\ninit([0]).\n\
         as :- actions('a'::(true) => ({a}), 'b'::(true) => ({b})), dood('a' [] 'b').\n"
    );
    match read_actions("small.pl", text.as_bytes()) {
        Ok(read) => read.system,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_depth_limit_is_not_equivalence() {
    // The only unsafe state is 5 steps away. Algorithm 2 with a depth of 3 answers "equiv".
    let original = small("(v #< 5) => (v := v + 1)", "(v #= 9) => (v := 0)");
    let mutant = small("(v #< 5) => (v := v + 1)", "(v #= 5) => (v := 0)");
    let verdicts = compare(&mutant, &original, &Budget::unlimited()).expect("comparable");
    assert_eq!(length(&verdicts.state), Some(6));
    let limited = Budget {
        max_states: Some(3),
        ..Budget::unlimited()
    };
    let verdicts = compare(&mutant, &original, &limited).expect("comparable");
    assert!(matches!(verdicts.state, Killed::Open(_)));
}

#[test]
fn every_action_is_tried_not_only_the_first_that_differs() {
    // Both actions differ. The one of `a` is in a state that is not reached; Algorithm 1 stops there and Algorithm 2 finds
    // nothing, although `b` differs initially.
    let original = small("(v #= 9) => (v := 0)", "(v #= 0) => (v := 1)");
    let mutant = small("(v #= 9) => (v := 1)", "(v #= 0) => (v := 2)");
    let verdicts = compare(&mutant, &original, &Budget::unlimited()).expect("comparable");
    assert_eq!(length(&verdicts.state), Some(1));
    assert_eq!(
        verdicts.state.trace().map(|trace| trace[0].action.clone()),
        Some("b".to_owned())
    );
    // The state after is hidden: no test sees it here.
    assert_eq!(length(&verdicts.event), None);
}

#[test]
fn a_wide_parameter_that_flows_into_the_state_is_open_not_guessed() {
    let text = |last: i64| {
        format!(
            "type(t, X) :- X in 0..{last}.\nvar([v], t).\nstate_def([v]).\ninit([0]).\n\
             as :- actions('a'(X)::(true) => (v := X)), dood([X:t]:'a'(X)).\n"
        )
    };
    let read = |last| read_actions("m.pl", text(last).as_bytes()).expect("read").system;
    let verdicts = |system: &ActionSystem| compare(system, system, &Budget::unlimited()).expect("comparable");
    assert_eq!(length(&verdicts(&read(20)).state), None);
    assert!(matches!(verdicts(&read(1_000_000)).state, Killed::Open(_)));
}

#[test]
fn what_is_not_read_is_refused_by_name_and_place() {
    let base = study("cas-actions/model.pl");
    let refused = [
        ("aState := 2;", "aStat := 2;", "this is no variable of the state"),
        ("aState #= 3)", "aState #= 3 #<=> 1)", "`=>` is not expected here"),
        ("aState #= 3)", "aState = 3)", "has no place"),
        ("aState #= 3)", "aState)", "this is no condition"),
        (
            "aState #= 3)",
            "zState #= 3)",
            "`zState` is neither a variable nor a parameter",
        ),
        ("init([6,", "init([9,", "`aState` is initially 9, which is not in 0..7"),
        (
            "init([6, 0,",
            "init([6,",
            "the initial state has 5 values, the state 6 variables",
        ),
        ("type(flag, X)", "type(int, X)", "`int` is there twice"),
        (
            "var([aState], enum_State)",
            "var([aState], other)",
            "the type `other` is not declared above",
        ),
        ("[X:int]:'after'(X)", "'after'", "the action `after` has 1 parameters"),
        (
            "[X:int]:'after'(X)",
            "[X:int]:'later'(X)",
            "the action `later` is not there",
        ),
        ("% inputs: 'Close'", "% inputs: 'Shut'", "the input `Shut` is no action"),
        ("as :-", "main :-", "the clause `main` is not read"),
        ("'Lock'::(true) =>", "'Lock'::", "an action is a guard and a body"),
        ("  dood (", "  loop (", "`dood` is expected here"),
        ("270.", "27000000000.", "is no number that is read"),
        ("'Lock'::", "'Lock::", "this name does not end"),
    ];
    for (from, to, message) in refused {
        assert!(base.contains(from), "{from}");
        let error = read_actions("model.pl", base.replacen(from, to, 1).as_bytes()).expect_err(to);
        let text = error.to_string();
        assert!(text.contains(message), "{to}: {text}");
        assert!(text.contains("model.pl:"), "{text}");
        assert!(error.diagnostics.iter().all(|found| found.help.is_some()), "{text}");
    }
    for at in (0..base.len()).step_by(7).filter(|at| base.is_char_boundary(*at)) {
        for what in ["(", "]", "[]", "=>", "'", "\u{e9}"] {
            let _ = read_actions("model.pl", format!("{}{what}{}", &base[..at], &base[at..]).as_bytes());
        }
        let _ = read_actions("model.pl", &base.as_bytes()[..at]);
    }
}

#[test]
fn all_mutants_at_once_get_the_verdicts_and_traces_of_each_on_its_own() {
    let mut systems = vec![(car_alarm(1), 1), (car_alarm(100), 1)];
    systems.extend((0..400).map(|seed| (random_system(&mut Random::new(seed)), 1)));
    systems.extend((0..15).map(|seed| (random_system(&mut Random::new(seed)), 2)));
    let mut n_mutants = [0; 2];
    for (original, order) in systems {
        let chains = Chains::new(&original, order).expect("an order that there is");
        let chains: Vec<Vec<ActionMutation>> = (0..chains.len()).filter_map(|at| chains.get(&original, at)).collect();
        let together = compare_all(&original, &chains, &Budget::unlimited()).expect("small");
        for (chain, together) in chains.iter().zip(&together) {
            let alone = compare(&original.after(chain), &original, &Budget::unlimited()).expect("comparable");
            assert_eq!(*together, alone, "{chain:?} of {original:?}");
            n_mutants[usize::from(order) - 1] += 1;
        }
    }
    assert!(n_mutants[0] > 2000 && n_mutants[1] > 500, "{n_mutants:?}");
}

/// The mutants of order 2 are a mutation, then a mutation of what it makes; their verdicts are those of plain enumeration.
#[test]
fn mutants_of_order_2_are_sequences_and_decided_as_by_plain_enumeration() {
    let mut only_together = 0;
    for seed in 0..60 {
        let original = random_system(&mut Random::new(seed));
        let chains = Chains::new(&original, 2).expect("order 2");
        let mut expected = Vec::new();
        for first in action_mutations(&original) {
            let seconds = action_mutations(&first.apply(&original));
            expected.extend(seconds.into_iter().map(|second| vec![first.clone(), second]));
        }
        assert_eq!(chains.len(), expected.len() as u64);
        assert_eq!(chains.get(&original, chains.len()), None);
        // Backwards, so that no answer relies on the one before.
        for (number, chain) in expected.iter().enumerate().rev().step_by(7) {
            assert_eq!(chains.get(&original, number as u64).as_ref(), Some(chain));
            let mutant = chain[1].apply(&chain[0].apply(&original));
            let found = compare_all(&original, std::slice::from_ref(chain), &Budget::unlimited()).expect("small");
            let found = &found[0];
            let expected = [
                by_states(&mutant, &original),
                by_traces(&mutant, &original, false),
                by_traces(&mutant, &original, true),
            ];
            let found = [length(&found.state), length(&found.event), length(&found.ioco)];
            assert_eq!(found, expected, "seed {seed}: {chain:?}");
            let first = by_states(&chain[0].apply(&original), &original);
            only_together += usize::from(first.is_none() && expected[0].is_some());
        }
    }
    assert!(only_together > 0);
}
