//! Loops with sequences and priorities ([001] section 3.1): the verdicts against runs that are executed one by one.

use std::collections::{BTreeMap, BTreeSet};

use tamper_features::Random;
use tamper_systems::actions::{ActionInstance, ActionSystem, Event, Loop, compare, compare_all};
use tamper_systems::formats::actions::{read_actions, write_actions};
use tamper_systems::{Chains, Mutated as _};
use tamper_text::Budget;

use testing::systems::actions::{random_mutant, random_system};

use super::actions::{State, by_traces_of, length, steps_of};

/// An action of the loop by its place, what is seen of it, and the state after it.
type Step = (usize, Event, State);

/// Every run of a part of the loop, as its sign says.
fn runs(system: &ActionSystem, part: &Loop, state: &State) -> BTreeSet<Vec<Step>> {
    match part {
        Loop::One(place) => {
            let steps = steps_of(system, &system.instances[*place], state);
            let one = |(event, after): (Event, BTreeSet<State>)| {
                after.into_iter().map(move |state| vec![(*place, event.clone(), state)])
            };
            steps.into_iter().flat_map(one).collect()
        }
        Loop::Choice(parts) => parts.iter().flat_map(|part| runs(system, part, state)).collect(),
        Loop::Sequence(parts) => {
            let mut all = BTreeSet::from([Vec::new()]);
            for part in parts {
                let longer = |run: &Vec<Step>| {
                    let here = run.last().map_or(state, |(_, _, state)| state);
                    let next = runs(system, part, here).into_iter();
                    next.map(|next| [&run[..], &next].concat()).collect::<Vec<_>>()
                };
                all = all.iter().flat_map(longer).collect();
            }
            all
        }
        Loop::Priority(parts) => {
            let (last, first) = parts.split_last().expect("a part");
            for part in first {
                let found = runs(system, part, state);
                if !found.is_empty() {
                    return found;
                }
            }
            runs(system, last, state)
        }
    }
}

fn whole(system: &ActionSystem, state: &State) -> BTreeSet<Vec<Step>> {
    match &system.composed {
        Some(part) => runs(system, part, state),
        None => runs(
            system,
            &Loop::Choice((0..system.instances.len()).map(Loop::One).collect()),
            state,
        ),
    }
}

/// A state, and all ways in which the run can go on; none at the end of a run.
type Moment = (State, BTreeSet<Vec<Step>>);

fn steps(system: &ActionSystem, (state, left): &Moment) -> BTreeMap<Event, BTreeSet<Moment>> {
    let begun = left.is_empty().then(|| whole(system, state));
    let mut next: BTreeMap<Step, BTreeSet<Vec<Step>>> = BTreeMap::new();
    for run in begun.as_ref().unwrap_or(left) {
        let (first, rest) = run.split_first().expect("a run has an action");
        let after = next.entry(first.clone()).or_default();
        after.extend((!rest.is_empty()).then(|| rest.to_vec()));
    }
    let mut found: BTreeMap<Event, BTreeSet<Moment>> = BTreeMap::new();
    for ((_, event, state), left) in next {
        found.entry(event).or_default().insert((state, left));
    }
    found
}

/// Definition 4.1 with a run of the loop for a step: the number of events up to the first that no run of the original has, of the
/// shortest such trace.
fn by_runs(mutant: &ActionSystem, original: &ActionSystem) -> Option<usize> {
    /// What is seen of the first events of a run: they, and the state if the run ends there.
    fn beginning(run: &[Step], n: usize) -> (Vec<&Event>, Option<&State>) {
        let events = run[..n].iter().map(|(_, event, _)| event).collect();
        (events, (n == run.len()).then(|| &run[n - 1].2))
    }
    // By state where a run begins: the least number of events to it.
    let mut reached: BTreeMap<State, usize> = BTreeMap::from([(original.init.clone(), 0)]);
    let mut open = BTreeSet::from([(0, original.init.clone())]);
    while let Some((n, state)) = open.pop_first() {
        for run in whole(original, &state) {
            let (after, n) = (run.last().expect("an action").2.clone(), n + run.len());
            if reached.get(&after).is_none_or(|known| *known > n) {
                reached.insert(after.clone(), n);
                open.insert((n, after));
            }
        }
    }
    let faults = reached.iter().flat_map(|(state, before)| {
        let allowed = whole(original, state);
        let is_allowed = |seen: &(Vec<&Event>, Option<&State>)| {
            let n = seen.0.len();
            allowed.iter().any(|run| run.len() >= n && beginning(run, n) == *seen)
        };
        let faults: Vec<usize> = whole(mutant, state)
            .iter()
            .filter_map(|run| (1..=run.len()).find(|n| !is_allowed(&beginning(run, *n))))
            .map(|n| before + n)
            .collect();
        faults
    });
    faults.min()
}

/// A loop of up to four actions, some of them more than once; what its parameters can be is narrow, so that there are few runs.
fn random_loop(random: &mut Random, system: &mut ActionSystem, depth: usize) -> Loop {
    if depth == 0 || random.below(4) == 0 {
        let mut chosen: ActionInstance = system.instances[random.below(system.actions.len())].clone();
        chosen.types.fill(0);
        system.instances.push(chosen);
        return Loop::One(system.instances.len() - 1);
    }
    let parts = (0..2).map(|_| random_loop(random, system, depth - 1)).collect();
    [Loop::Choice, Loop::Sequence, Loop::Priority][random.below(3)](parts)
}

fn random_composed(random: &mut Random) -> ActionSystem {
    let mut system = random_system(random);
    while system.actions.iter().any(|action| action.parameters.len() > 1) {
        system = random_system(random);
    }
    let n_actions = system.instances.len();
    let part = random_loop(random, &mut system, 2);
    system.instances.drain(..n_actions);
    fn moved(part: Loop, by: usize) -> Loop {
        let all = |parts: Vec<Loop>| parts.into_iter().map(|part| moved(part, by)).collect();
        match part {
            Loop::One(place) => Loop::One(place - by),
            Loop::Choice(parts) => Loop::Choice(all(parts)),
            Loop::Sequence(parts) => Loop::Sequence(all(parts)),
            Loop::Priority(parts) => Loop::Priority(all(parts)),
        }
    }
    system.composed = Some(moved(part, n_actions));
    system
}

fn n_loops() -> u64 {
    let n = std::env::var("TAMPER_LOOPS").ok().and_then(|n| n.parse().ok());
    n.unwrap_or(400)
}

#[test]
fn the_verdicts_of_random_loops_are_those_of_runs_that_are_executed() {
    let mut counts = [0_usize; 4];
    for seed in 0..n_loops() {
        let mut random = Random::new(seed);
        let original = random_composed(&mut random);
        let mutant = random_mutant(&mut random, &original);
        let verdicts = compare(&mutant, &original, &Budget::unlimited()).expect("comparable");
        let sides = || {
            [&mutant, &original].map(|system| {
                let start: Moment = (system.init.clone(), BTreeSet::new());
                (start, move |moment: &Moment| steps(system, moment))
            })
        };
        let expected = [
            by_runs(&mutant, &original),
            by_traces_of(sides(), &original.inputs, false),
            by_traces_of(sides(), &original.inputs, true),
        ];
        let found = [length(&verdicts.state), length(&verdicts.event), length(&verdicts.ioco)];
        assert_eq!(found, expected, "seed {seed}: {mutant:?} against {original:?}");
        assert!(expected[1].is_none() || expected[0].is_some(), "seed {seed}");
        let kinds = [expected[0].is_some(), expected[1].is_some(), expected[2].is_some()];
        counts[0] += usize::from(kinds == [false; 3]);
        counts[1] += usize::from(kinds[0] && !kinds[1]);
        counts[2] += usize::from(kinds[1] && !kinds[2]);
        counts[3] += usize::from(kinds[1] && expected[0] < expected[1]);
    }
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}

#[test]
fn all_mutants_of_a_loop_at_once_get_the_verdicts_of_each_and_files_keep_the_loop() {
    for seed in 0..20 {
        let original = random_composed(&mut Random::new(seed));
        let chains = Chains::new(&original, 1).expect("order 1");
        let chains: Vec<_> = (0..chains.len()).filter_map(|at| chains.get(&original, at)).collect();
        let together = compare_all(&original, &chains, &Budget::unlimited()).expect("small");
        for (chain, found) in chains.iter().zip(together) {
            let alone = compare(&original.after(chain), &original, &Budget::unlimited());
            assert_eq!(Ok(found), alone, "{chain:?}");
        }
        let text = write_actions(&original);
        let again = read_actions("loop.pl", text.as_bytes())
            .expect("what is written is read")
            .system;
        assert_eq!(write_actions(&again), text);
        let same = compare(&again, &original, &Budget::unlimited()).expect("the same variables");
        assert_eq!(length(&same.state), None, "{text}");
    }
}

fn of_loop(text: &str) -> ActionSystem {
    let text = format!(
        "type(t, X) :- X in 0..3.\nvar([v], t).\nstate_def([v]).\ninit([0]).\nas :- actions(\
         'a'::(true) => (v := 1), 'b'::(v #= 1) => (v := 2), 'c'::(v #= 2) => (v := 0)), dood({text}).\n"
    );
    read_actions("loop.pl", text.as_bytes()).expect("a system").system
}

/// Derived by hand.
#[test]
fn a_sequence_is_one_step_and_a_priority_keeps_the_second_part_waiting() {
    let lengths = |mutant: &str, original: &str| {
        let verdicts = compare(&of_loop(mutant), &of_loop(original), &Budget::unlimited()).expect("comparable");
        [length(&verdicts.state), length(&verdicts.event)]
    };
    // `;` binds more than `//`, and that more than `[]`.
    assert_eq!(
        of_loop("'a' ; 'b' // 'c' [] 'a'"),
        of_loop("(('a' ; 'b') // 'c') [] 'a'")
    );
    // a, b, c come in this order in both, but the choice may begin with a again.
    assert_eq!(lengths("'a' ; 'b' ; 'c'", "'a' [] 'b' [] 'c'"), [Some(1), None]);
    assert_eq!(lengths("'a' [] 'b' [] 'c'", "'a' ; 'b' ; 'c'"), [Some(1), Some(2)]);
    // b is not enabled after a run through a and b: a sequence that cannot come to its end does not begin.
    assert_eq!(lengths("'a' ; 'b' ; 'b'", "'c'"), [None, None]);
    // a can always happen, so nothing comes after it; as the second part it waits for b and c.
    assert_eq!(lengths("'a' // 'b'", "'a'"), [None, None]);
    assert_eq!(
        lengths("'b' // 'c' // 'a'", "'a' ; 'b' ; 'c'").map(|found| found.is_some()),
        [true, false]
    );
}
