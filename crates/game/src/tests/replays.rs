//! Counterexamples that are forged in one place, each refused for what is wrong with it.

use super::{from, number, until};
use crate::symbolic::GameError;
use crate::{
    Counterexample, Demand, Doing, End, GamePoint, PairPoint, Play, ReplayError, Semantics, Side, Step, Unmatched,
    replay,
};
use tamper_text::Id;
use tamper_timed::model::{Action, Automaton, EdgeId, Guard, LocId, Role};
use testing::sketch::Sketch;

/// `a!` leads from l to m, from 1 on, and `b!` back, from `back` on, where `d!` may do nothing. Time ends in l and m as given.
fn game(ends: [i64; 2], back: i64, has_dummy: bool) -> Automaton {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", until(ends[0]));
    sketch.location("m", until(ends[1]));
    sketch.edge("l", "m", "a!", from(1), &[]);
    sketch.edge("m", "l", "b!", from(back), &[]);
    if has_dummy {
        sketch.edge("l", "l", "d!", Guard::always(), &[]);
    }
    sketch.build()
}

/// It may wait until 5 in l, until 9 in m, and does `b!` from 2 on.
fn mutant() -> Automaton {
    game([5, 9], 2, true)
}

/// It may wait until 4 in l, for long in m, and does `b!` from 3 on.
fn spec() -> Automaton {
    game([4, 20], 3, false)
}

fn point(location: usize, x: i64) -> GamePoint {
    GamePoint {
        location: LocId::from_index(location),
        ints: Vec::new(),
        clocks: vec![number(x)],
    }
}

/// Both games in the location of that number, with their clocks at `x`.
fn both(location: usize, x: i64) -> PairPoint {
    PairPoint {
        mutant: point(location, x),
        spec: point(location, x),
    }
}

fn edge(number: usize) -> Doing {
    Doing::Edge(EdgeId::from_index(number))
}

/// The mutant makes the output by the edge of that number, after a delay.
fn demand(from: PairPoint, delay: i64, (name, doing): (&str, Doing)) -> Demand {
    Demand {
        from,
        zone: Vec::new(),
        delay: number(delay),
        mover: Side::Mutant,
        action: Action {
            name: name.into(),
            role: Role::Output,
            urgent: false,
        },
        doing,
    }
}

fn end(from: PairPoint, delay: i64) -> End {
    End::NoDelay {
        from,
        zone: Vec::new(),
        delay: number(delay),
    }
}

/// `a!` after a delay, answered by `a!`; then as given.
fn play(first: Demand, end: End) -> Play {
    let step = Step {
        demand: first,
        answer: edge(0),
    };
    Play { steps: vec![step], end }
}

fn only(end: End) -> Play {
    Play { steps: Vec::new(), end }
}

/// `a!` after a time unit.
fn a() -> Demand {
    demand(both(0, 0), 1, ("a", edge(0)))
}

/// `b!` from m, after `delay`.
fn b(delay: i64) -> Demand {
    demand(both(1, 1), delay, ("b", edge(1)))
}

/// `d!` at once.
fn d() -> Demand {
    demand(both(0, 0), 0, ("d", edge(2)))
}

fn replayed(play: Play, semantics: Semantics) -> Result<(), ReplayError> {
    replay(&mutant(), &spec(), semantics, &Counterexample { play })
}

const IGNORE: Semantics = Semantics {
    unmatched: Unmatched::Ignore,
    prune: false,
};

#[test]
fn what_can_be_played_is_a_counterexample() {
    let branch = (edge(0), only(End::NoAnswer(b(1))));
    for play in [
        only(end(both(0, 0), 5)),
        play(a(), End::NoAnswer(b(1))),
        only(End::Branch(a(), vec![branch])),
    ] {
        assert_eq!(replayed(play.clone(), Semantics::DEFINITION), Ok(()), "{play:?}");
    }
}

#[test]
fn the_last_delay_is_one_of_the_mutant_alone() {
    // Until 4 both can wait, from 6 on none.
    for delay in [-1, 0, 3, 4, 6] {
        let found = replayed(only(end(both(0, 0), delay)), Semantics::DEFINITION);
        assert_eq!(found, Err(ReplayError::NoFailure(number(delay))));
    }
    for from in [both(0, 1), both(1, 0)] {
        let found = replayed(only(end(from, 4)), Semantics::DEFINITION);
        assert_eq!(found, Err(ReplayError::Elsewhere));
    }
}

/// Each fault with what is refused: elsewhere, a delay, a move, the answers.
#[test]
fn forged_steps_are_refused() {
    let impossible = |demand: &Demand| ReplayError::ImpossibleMove(Box::new(demand.clone()));
    let unheard = |demand: &Demand| ReplayError::WrongAnswers(Box::new(demand.clone()));
    let late = |demand: &Demand| ReplayError::ImpossibleDelay(Box::new(demand.clone()));
    let goes_on = |first: &Demand, next: PairPoint| {
        let last = demand(next, 1, ("b", edge(1)));
        play(first.clone(), End::NoAnswer(last))
    };
    let check = |play: Play, expected: ReplayError| {
        let found = replayed(play.clone(), Semantics::DEFINITION);
        assert_eq!(found, Err(expected), "{play:?}");
    };

    let begins_in_m = demand(both(1, 0), 1, ("a", edge(0)));
    check(goes_on(&begins_in_m, both(1, 1)), ReplayError::Elsewhere);
    check(only(End::NoAnswer(begins_in_m)), ReplayError::Elsewhere);

    // At 5 the mutant still is in l, the specification is not; in m it is the other way round after 9.
    let (early, five, six) = (-1, 5, 6);
    for delay in [early, five, six] {
        let first = demand(both(0, 0), delay, ("a", edge(0)));
        check(goes_on(&first, both(1, delay)), late(&first));
    }
    check(play(a(), End::NoAnswer(b(9))), late(&b(9)));

    // The edge of another action, one that is not enabled, and the specification's own output.
    let other_edge = demand(both(0, 0), 1, ("a", edge(1)));
    check(goes_on(&other_edge, both(1, 1)), impossible(&other_edge));
    let at_once = demand(both(0, 0), 0, ("a", edge(0)));
    check(goes_on(&at_once, both(1, 0)), impossible(&at_once));
    let own_output = Demand {
        mover: Side::Specification,
        ..a()
    };
    check(goes_on(&own_output, both(1, 1)), impossible(&own_output));

    // The mutant is not where its edge leads; the specification is not where any answer leads.
    let [mutant_elsewhere, spec_elsewhere] = [(0, 1), (1, 0)].map(|(mutant, spec)| PairPoint {
        mutant: point(1, mutant),
        spec: point(1, spec),
    });
    check(goes_on(&a(), mutant_elsewhere), impossible(&a()));
    check(goes_on(&a(), spec_elsewhere), unheard(&a()));

    // An answer that exists is concealed; one that does not is listed, alone or besides; another edge gives it.
    check(only(End::NoAnswer(a())), unheard(&a()));
    check(play(a(), End::NoAnswer(b(2))), unheard(&b(2)));
    check(only(End::Branch(a(), Vec::new())), unheard(&a()));
    let ends = |x: i64| only(End::NoAnswer(demand(both(1, x), 1, ("b", edge(1)))));
    for more in [Doing::Stays, edge(1)] {
        let branches = vec![(edge(0), ends(1)), (more, ends(1))];
        check(only(End::Branch(a(), branches)), unheard(&a()));
        let mut other = play(a(), End::NoAnswer(b(1)));
        other.steps[0].answer = more;
        check(other, unheard(&a()));
    }
    // Each branch is played.
    let branch = (edge(0), only(end(both(1, 1), 1)));
    check(only(End::Branch(a(), vec![branch])), ReplayError::NoFailure(number(1)));
}

/// The specification does not know `d!`: it has no answer, or stays where it is.
#[test]
fn unknown_outputs_are_refused_or_ignored() {
    let refused = only(End::NoAnswer(d()));
    let mut ignored = play(d(), end(both(0, 0), 5));
    ignored.steps[0].answer = Doing::Stays;
    let wrong = Err(ReplayError::WrongAnswers(Box::new(d())));
    assert_eq!(replayed(refused.clone(), Semantics::DEFINITION), Ok(()));
    assert_eq!(replayed(ignored.clone(), Semantics::DEFINITION), wrong);
    assert_eq!(replayed(refused, IGNORE), wrong);
    assert_eq!(replayed(ignored, IGNORE), Ok(()));
}

/// Without pruning the start is what the invariant excludes; pruned, time ends in it without an output.
#[test]
fn games_without_a_start_cannot_be_played() {
    let location = |invariant| {
        let mut sketch = Sketch::new("A", &["x"]);
        sketch.location("l", invariant);
        sketch.build()
    };
    let counterexample = Counterexample {
        play: only(end(both(0, 0), 5)),
    };
    for (invariant, semantics) in [(from(1), Semantics::DEFINITION), (until(3), Semantics::STRICT)] {
        let none = location(invariant);
        let some = location(Guard::always());
        for (mutant, spec) in [(&none, &some), (&some, &none)] {
            let found = replay(mutant, spec, semantics, &counterexample);
            assert_eq!(found, Err(ReplayError::NoInitialState));
        }
    }
}

#[test]
fn refusals_say_what_is_wrong() {
    let error = GameError::SpecInconsistent {
        automaton: "A".into(),
        location: None,
    };
    let texts = [
        (ReplayError::Game(error.clone()), error.to_string()),
        (
            ReplayError::NoInitialState,
            "a game has no initial state to play from".into(),
        ),
        (
            ReplayError::Elsewhere,
            "a step does not start where the one before it ended".into(),
        ),
        (
            ReplayError::ImpossibleDelay(Box::new(b(9))),
            "the delay 9 before b! is impossible".into(),
        ),
        (
            ReplayError::ImpossibleMove(Box::new(a())),
            "the move a! is impossible".into(),
        ),
        (
            ReplayError::WrongAnswers(Box::new(a())),
            "the answers to a! are not those listed".into(),
        ),
        (
            ReplayError::NoFailure(number(4)),
            "the last delay 4 does not tell the games apart".into(),
        ),
    ];
    for (error, text) in texts {
        assert_eq!(error.to_string(), text);
    }
}
