//! One-clock timed automata: the game that is read against a simulator of the automaton, and refinement between two such
//! games against inclusion of their languages, on regions of the two clocks.
//!
//! Nothing of the library is used for the expected answers: an automaton here is plain data, written as JSON.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::prelude::*;
use tamper::formats::{ReadOptions, read_one_clock, render};
use tamper::game::{Scratch, Semantics, Specification, Verdict};
use tamper::model::{Automaton, Cmp, Edge, Role, Update};
use tamper::text::{Budget, Id};

use crate::oracle::run;

const ACTIONS: [&str; 2] = ["a", "b"];
/// No bound is larger.
const LARGEST: i64 = 4;

/// An interval; without an upper end if there is none.
#[derive(Clone, Copy, Debug)]
struct Range {
    low: i64,
    low_closed: bool,
    high: Option<i64>,
    high_closed: bool,
}

impl Range {
    /// Whether it has `ticks / unit`.
    fn has(self, ticks: i64, unit: i64) -> bool {
        let low = self.low * unit;
        let above = if self.low_closed { ticks >= low } else { ticks > low };
        above
            && self.high.is_none_or(|high| match self.high_closed {
                true => ticks <= high * unit,
                false => ticks < high * unit,
            })
    }

    fn shown(self) -> String {
        let open = if self.low_closed { '[' } else { '(' };
        match self.high {
            None => format!("{open}{},+)", self.low),
            Some(high) => format!("{open}{},{high}{}", self.low, if self.high_closed { ']' } else { ')' }),
        }
    }
}

#[derive(Clone, Debug)]
struct Transition {
    source: usize,
    action: usize,
    guard: Vec<Range>,
    reset: bool,
    target: usize,
}

impl Transition {
    fn allows(&self, ticks: i64, unit: i64) -> bool {
        self.guard.iter().any(|range| range.has(ticks, unit))
    }
}

/// An automaton that starts in location 0.
#[derive(Clone, Debug)]
struct Plain {
    locations: usize,
    accepting: BTreeSet<usize>,
    transitions: Vec<Transition>,
}

impl Plain {
    /// Leaves out transitions that overlap with earlier ones: at half units all intervals have points.
    fn deterministic(mut self) -> Self {
        let mut kept: Vec<Transition> = Vec::new();
        for transition in self.transitions {
            let apart = kept.iter().all(|earlier| {
                (earlier.source, earlier.action) != (transition.source, transition.action)
                    || (0..=2 * LARGEST + 1).all(|at| !(earlier.allows(at, 2) && transition.allows(at, 2)))
            });
            if apart {
                kept.push(transition);
            }
        }
        self.transitions = kept;
        self
    }

    /// Where `action` leads at that value of the clock, and whether the clock is reset; none: nowhere.
    fn step(&self, location: usize, (ticks, unit): (i64, i64), action: usize) -> Option<(usize, bool)> {
        let mut all = self.transitions.iter();
        let taken =
            all.find(|taken| taken.source == location && taken.action == action && taken.allows(ticks, unit))?;
        Some((taken.target, taken.reset))
    }

    fn json(&self) -> String {
        let list = |names: &mut dyn Iterator<Item = String>| names.collect::<Vec<_>>().join(", ");
        let transitions = list(&mut self.transitions.iter().enumerate().map(|(id, transition)| {
            let guard: Vec<String> = transition.guard.iter().map(|range| range.shown()).collect();
            format!(
                "\"{id}\": [\"{}\", \"{}\", \"{}\", \"{}\", \"{}\"]",
                transition.source,
                ACTIONS[transition.action],
                guard.join(" U "),
                if transition.reset { "r" } else { "n" },
                transition.target
            )
        }));
        format!(
            "{{\"name\": \"P\", \"l\": [{}], \"sigma\": [\"a\", \"b\"], \"tran\": {{{transitions}}}, \"init\": \"0\", \"accept\": [{}]}}",
            list(&mut (0..self.locations).map(|location| format!("\"{location}\""))),
            list(&mut self.accepting.iter().map(|location| format!("\"{location}\""))),
        )
    }

    fn game(&self) -> Automaton {
        let text = self.json();
        match read_one_clock("plain.json", text.as_bytes(), &ReadOptions::default()) {
            Ok((document, ..)) => document.automata()[0].clone(),
            Err(error) => panic!("{text}\n{}", render(&error.file, &error.diagnostics, false)),
        }
    }
}

fn range() -> impl Strategy<Value = Range> {
    (
        0..LARGEST,
        any::<bool>(),
        prop::option::weighted(0.7, 0..=LARGEST),
        any::<bool>(),
    )
        .prop_map(|(low, low_closed, length, high_closed)| Range {
            low,
            low_closed,
            high: length.map(|length| (low + length).min(LARGEST)),
            high_closed,
        })
}

fn plain() -> impl Strategy<Value = Plain> {
    (1..5_usize)
        .prop_flat_map(|locations| {
            let guard = prop_oneof![4 => vec(range(), 1), 1 => vec(range(), 2)];
            let transition = (0..locations, 0..ACTIONS.len(), guard, any::<bool>(), 0..locations).prop_map(
                |(source, action, guard, reset, target)| Transition {
                    source,
                    action,
                    guard,
                    reset,
                    target,
                },
            );
            let accepting = prop::collection::btree_set(0..locations, 0..=locations);
            (Just(locations), accepting, vec(transition, 2..30))
        })
        .prop_map(|(locations, accepting, transitions)| {
            Plain {
                locations,
                accepting,
                transitions,
            }
            .deterministic()
        })
}

/// Whether the guard of `edge` holds, in half units of its one clock.
fn holds(edge: &Edge, halves: i64) -> bool {
    assert!(edge.guard.data.is_empty() && edge.selects.is_empty());
    edge.guard.clocks.iter().all(|atom| {
        assert!(atom.right.is_none());
        let bound = 2 * atom.bound.as_const().expect("a number");
        match atom.cmp {
            Cmp::Lt => halves < bound,
            Cmp::Le => halves <= bound,
            Cmp::Eq => halves == bound,
            Cmp::Ge => halves >= bound,
            Cmp::Gt => halves > bound,
        }
    })
}

/// The enabled edges of that action.
fn enabled<'a>(
    game: &'a Automaton,
    (location, halves): (usize, i64),
    (name, role): (&'a str, Role),
) -> impl Iterator<Item = &'a Edge> {
    game.edges().iter().map(AsRef::as_ref).filter(move |edge| {
        let action = &game.actions()[edge.action];
        edge.source.index() == location && (&*action.name, action.role) == (name, role) && holds(edge, halves)
    })
}

/// Which prefixes of `word` the game accepts, the empty one first.
fn accepted_by_game(game: &Automaton, word: &[(i64, usize)]) -> Result<Vec<bool>, String> {
    let mut at = (game.initial().index(), 0);
    let mut answers = Vec::new();
    let mut letters = word.iter();
    loop {
        let accepts: Vec<&Edge> = enabled(game, at, ("accept", Role::Output)).collect();
        if accepts
            .iter()
            .any(|edge| edge.target != edge.source || !edge.updates.is_empty())
        {
            return Err("saying that the word is accepted changes something".to_owned());
        }
        answers.push(!accepts.is_empty());
        let Some((delay, action)) = letters.next() else {
            return Ok(answers);
        };
        at.1 += delay;
        let edges: Vec<&Edge> = enabled(game, at, (ACTIONS[*action], Role::Input)).collect();
        let [edge] = edges[..] else {
            return Err(format!("{} edges at {at:?} with {}", edges.len(), ACTIONS[*action]));
        };
        at.0 = edge.target.index();
        match &edge.updates[..] {
            [] => {}
            [Update::Reset(_, value)] => at.1 = 2 * value.as_const().expect("a number"),
            other => return Err(format!("{other:?}")),
        }
    }
}

fn accepted_by_plain(plain: &Plain, word: &[(i64, usize)]) -> Vec<bool> {
    let mut at = Some((0, 0));
    let accepts = |at: Option<(usize, i64)>| at.is_some_and(|(location, _)| plain.accepting.contains(&location));
    let mut answers = vec![accepts(at)];
    for (delay, action) in word {
        at = at.and_then(|(location, clock)| {
            let clock = clock + delay;
            let (target, reset) = plain.step(location, (clock, 2), *action)?;
            Some((target, if reset { 0 } else { clock }))
        });
        answers.push(accepts(at));
    }
    answers
}

#[test]
fn the_game_of_an_automaton_accepts_its_words_on_300_automata() {
    let words = vec(vec((0..6_i64, 0..ACTIONS.len()), 0..8), 40);
    let (yes, no) = (RefCell::new(0), RefCell::new(0));
    run::check(300, &(plain(), words), |(plain, words)| {
        let game = plain.game();
        if game
            .locations()
            .iter()
            .any(|location| location.invariant != tamper::model::Guard::default())
        {
            return Err("an invariant".to_owned());
        }
        for word in words {
            let (found, expected) = (accepted_by_game(&game, word)?, accepted_by_plain(plain, word));
            if found != expected {
                return Err(format!("{word:?}: {found:?}, not {expected:?}"));
            }
            let n_yes = expected.iter().skip(1).filter(|accepted| **accepted).count();
            *yes.borrow_mut() += n_yes;
            *no.borrow_mut() += word.len() - n_yes;
        }
        Ok(())
    });
    let (yes, no) = (yes.into_inner(), no.into_inner());
    assert!(
        yes > 2000 && no > 2000,
        "{yes} accepted, {no} not: one is too rare to test"
    );
}

/// Ticks in a time unit: with fractions 0, 2 and 4 of it there is a place before, between and behind any two.
const UNIT: i64 = 6;
/// The value of a clock that is more than every bound, and stays so.
const ABOVE: i64 = LARGEST * UNIT + 1;

/// The first point of `clocks`' region: fractions 0, 2, 4 in their order.
fn normal(clocks: [i64; 2]) -> [i64; 2] {
    let clocks = clocks.map(|clock| clock.min(ABOVE));
    let fractions: BTreeSet<i64> = clocks
        .into_iter()
        .filter(|clock| *clock < ABOVE)
        .map(|clock| clock % UNIT)
        .filter(|fraction| *fraction != 0)
        .collect();
    let ranks: BTreeMap<i64, i64> = fractions.into_iter().zip([2, 4]).collect();
    clocks.map(|clock| match clock {
        ABOVE => ABOVE,
        known => known - known % UNIT + ranks.get(&(known % UNIT)).copied().unwrap_or(0),
    })
}

/// The region that time enters next from a normal point.
fn later(clocks: [i64; 2]) -> [i64; 2] {
    let known = || clocks.into_iter().filter(|clock| *clock < ABOVE);
    let delay = match known().map(|clock| clock % UNIT).max() {
        None => return clocks,
        // From where some clock is a number into the open region behind it.
        _ if known().any(|clock| clock % UNIT == 0) => 1,
        Some(fraction) => UNIT - fraction,
    };
    normal(clocks.map(|clock| if clock == ABOVE { ABOVE } else { clock + delay }))
}

/// Whether `right` accepts every timed word that `left` accepts: a search through pairs of locations and the regions of
/// both clocks. Regions are exact for bounds that are numbers.
fn is_included(left: &Plain, right: &Plain) -> bool {
    let mut queue = vec![(0, Some(0), [0, 0])];
    let mut known: BTreeSet<_> = queue.iter().copied().collect();
    while let Some((l, r, clocks)) = queue.pop() {
        if left.accepting.contains(&l) && !r.is_some_and(|r| right.accepting.contains(&r)) {
            return false;
        }
        let mut next = vec![(l, r, later(clocks))];
        for action in 0..ACTIONS.len() {
            // What left does not take it never accepts.
            let Some((l_next, l_reset)) = left.step(l, (clocks[0], UNIT), action) else {
                continue;
            };
            let step = r.and_then(|r| right.step(r, (clocks[1], UNIT), action));
            let (r_next, r_reset) = (step.map(|(target, _)| target), step.is_some_and(|(_, reset)| reset));
            let clocks = [if l_reset { 0 } else { clocks[0] }, if r_reset { 0 } else { clocks[1] }];
            next.push((l_next, r_next, normal(clocks)));
        }
        queue.extend(next.into_iter().filter(|state| known.insert(*state)));
    }
    true
}

/// Two automata, often almost the same.
fn pair() -> impl Strategy<Value = (Plain, Plain)> {
    let change = (0..5_u8, any::<prop::sample::Index>(), range(), any::<bool>());
    (plain(), plain(), change).prop_map(|(one, other, (kind, at, range, swap))| {
        let mut changed = one.clone();
        let location = at.index(one.locations);
        match (kind, one.transitions.len()) {
            (0, _) => changed = other,
            (1, _) | (_, 0) => {
                changed.accepting.insert(location);
            }
            (2, n) => {
                changed.transitions.remove(at.index(n));
            }
            (3, n) => changed.transitions[at.index(n)].guard = vec![range],
            (_, n) => {
                let transition = &mut changed.transitions[at.index(n)];
                transition.reset = !transition.reset;
            }
        }
        let changed = changed.deterministic();
        if swap { (changed, one) } else { (one, changed) }
    })
}

/// Whether the game of `left` refines that of `right`.
fn decided(left: &Plain, right: &Plain) -> Result<Verdict, String> {
    let budget = Budget::unlimited();
    let specification =
        Specification::prepare(&right.game(), Semantics::STRICT, &budget).map_err(|error| error.to_string())?;
    let decision = specification.decide(&left.game(), &budget, &mut Scratch::default());
    Ok(decision.map_err(|error| error.to_string())?.verdict)
}

#[test]
fn refinement_is_inclusion_of_languages_on_300_pairs() {
    let counts = RefCell::new(BTreeMap::new());
    run::check(300, &pair(), |(left, right)| {
        let found = decided(left, right)?;
        let expected = match is_included(left, right) {
            true => Verdict::Subsumed,
            false => Verdict::NonSubsumed,
        };
        if found != expected {
            return Err(format!(
                "{found:?}, not {expected:?}\n{}\n{}",
                left.json(),
                right.json()
            ));
        }
        *counts.borrow_mut().entry(format!("{expected:?}")).or_insert(0) += 1;
        Ok(())
    });
    let counts = counts.into_inner();
    assert!(
        counts.len() == 2 && counts.values().all(|n| *n >= 60),
        "{counts:?}: one is too rare to test"
    );
}

/// A word with eight letters, none at the time of another, in one time unit: no coarse grid of times has it.
#[test]
fn inclusion_knows_that_time_is_dense() {
    const LETTERS: usize = 8;
    let range = |low, low_closed, high| Range {
        low,
        low_closed,
        high,
        high_closed: false,
    };
    let step = |source, guard, reset, target| Transition {
        source,
        action: 0,
        guard: vec![guard],
        reset,
        target,
    };
    let early = range(0, false, Some(1));
    // All letters after more than 0 and less than 1.
    let spread = Plain {
        locations: LETTERS + 1,
        accepting: BTreeSet::from([LETTERS]),
        transitions: (0..LETTERS).map(|at| step(at, early, true, at + 1)).collect(),
    };
    // Accepts all but words whose letters are all before 1.
    let late = range(1, true, None);
    let hurried = (0..LETTERS).flat_map(|at| {
        [
            step(at, range(0, true, Some(1)), false, at + 1),
            step(at, late, false, LETTERS + 1),
        ]
    });
    let not_hurried = Plain {
        locations: LETTERS + 2,
        accepting: BTreeSet::from([LETTERS + 1]),
        transitions: hurried
            .chain([step(LETTERS + 1, range(0, true, None), false, LETTERS + 1)])
            .collect(),
    };
    assert!(!is_included(&spread, &not_hurried));
    assert_eq!(decided(&spread, &not_hurried), Ok(Verdict::NonSubsumed));
    assert!(is_included(&spread, &spread));
    assert_eq!(decided(&spread, &spread), Ok(Verdict::Subsumed));
}
