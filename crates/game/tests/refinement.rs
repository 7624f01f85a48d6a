//! The zone engine against the region-graph oracle: refinement between random games, under both policies for unmatched
//! actions, with and without pruning; and every counterexample is executed.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::sample::subsequence;
use proptest::strategy::Strategy;
use tamper_game::{Disproof, GameError, Method, Scratch, Semantics, Specification, Unmatched, Verdict, replay};
use tamper_text::Budget;
use tamper_timed::model::{Automaton, Propositions};
use testing::oracle::games::game;
use testing::oracle::mutate::{self, Pair};
use testing::oracle::refinement::{self, ALL_RULES, Answer, Rules, decide};
use testing::oracle::run;

pub fn semantics(rules: Rules) -> Semantics {
    Semantics {
        unmatched: match rules.unmatched {
            refinement::Unmatched::Reject => Unmatched::Reject,
            refinement::Unmatched::Ignore => Unmatched::Ignore,
        },
        prune: rules.prune,
    }
}

fn answer(verdict: Verdict) -> Result<Answer, String> {
    match verdict {
        Verdict::Inconsistent => Ok(Answer::Inconsistent),
        Verdict::Subsumed => Ok(Answer::Subsumed),
        Verdict::NonSubsumed => Ok(Answer::NonSubsumed),
        Verdict::Unknown(reason) => Err(format!("unknown without a budget: {reason}")),
    }
}

/// The engine's answer, after its two methods agreed and its counterexample was executed.
fn engine(Pair { mutant, spec }: &Pair, rules: Rules, methods: &mut Vec<Method>) -> Result<Answer, String> {
    let budget = Budget::unlimited();
    let semantics = semantics(rules);
    let specification = match Specification::prepare(spec, semantics, &budget) {
        Ok(specification) => specification,
        Err(GameError::SpecInconsistent { .. }) => return Ok(Answer::SpecInconsistent),
        Err(error) => return Err(error.to_string()),
    };
    let error = |error: GameError| error.to_string();
    let decision = specification
        .decide(mutant, &budget, &mut Scratch::default())
        .map_err(error)?;
    methods.push(decision.method);
    let by_fixpoint = specification.decide_by_fixpoint(mutant, &budget).map_err(error)?;
    if by_fixpoint != decision.verdict {
        return Err(format!("{rules:?}: {decision:?}, but by the fixpoint {by_fixpoint:?}"));
    }
    let counterexample = specification.counterexample(mutant, &budget).map_err(error)?;
    let agrees = match &counterexample {
        Disproof::Counterexample(_) => decision.verdict == Verdict::NonSubsumed,
        Disproof::Refines => decision.verdict == Verdict::Subsumed,
        Disproof::Inconsistent => decision.verdict == Verdict::Inconsistent,
        Disproof::Unknown(_) => false,
    };
    if !agrees {
        return Err(format!(
            "{rules:?}: {:?}, but the counterexample is {counterexample:?}",
            decision.verdict
        ));
    }
    if let Disproof::Counterexample(counterexample) = counterexample {
        let replayed = replay(mutant, spec, semantics, &counterexample);
        replayed.map_err(|error| format!("{rules:?}: {error:?} on executing {counterexample:?}"))?;
    }
    answer(decision.verdict)
}

#[derive(Default)]
struct Counts {
    answers: BTreeMap<(usize, Answer), u32>,
    by_counterpart: u32,
    by_strategy: u32,
    decided: u32,
}

fn agree_on(n_pairs: u32, pairs: &impl Strategy<Value = Pair>) -> Counts {
    let counts = RefCell::new(Counts::default());
    run::check(n_pairs, pairs, |pair| {
        let mut methods = Vec::new();
        for (index, rules) in ALL_RULES.into_iter().enumerate() {
            let (found, expected) = (
                engine(pair, rules, &mut methods)?,
                decide(&pair.mutant, &pair.spec, rules),
            );
            if found != expected {
                return Err(format!("{rules:?}: engine {found:?}, oracle {expected:?}"));
            }
            *counts.borrow_mut().answers.entry((index, expected)).or_insert(0) += 1;
        }
        let mut counts = counts.borrow_mut();
        counts.decided += u32::try_from(methods.len()).expect("four");
        let by = |method| u32::try_from(methods.iter().filter(|m| **m == method).count()).expect("four");
        counts.by_counterpart += by(Method::Counterpart);
        counts.by_strategy += by(Method::Strategy);
        Ok(())
    });
    counts.into_inner()
}

/// The games with what holds in their locations, seen: the first thing in the first one, another one in the second one of either.
fn shown(Pair { mutant, spec }: &Pair, held: &[Vec<&str>]) -> Pair {
    let with = |game: &Automaton, second: usize| {
        let held = [&held[0], &held[second]].into_iter().cycle();
        let held = game.locations().iter().zip(held);
        let held =
            held.map(|(location, held)| (location.name.clone(), held.iter().map(|name| (*name).into()).collect()));
        game.with_propositions(held.collect::<Propositions>())
    };
    let (mutant, spec) = (with(mutant, 1), with(spec, 2));
    Pair {
        mutant: mutant.with_seen_propositions(&spec),
        spec: spec.with_seen_propositions(&mutant),
    }
}

#[test]
fn with_seen_propositions_zones_agree_with_regions_that_compare_them() {
    let unseen = mutate::pair();
    let held = vec(subsequence(vec!["p", "q"], 0..=2), 3);
    let n_changed = Cell::new(0);
    let counts = agree_on(
        500,
        &(unseen, held).prop_map(|(pair, held)| {
            let shown = shown(&pair, &held);
            let verdict = |pair: &Pair| decide(&pair.mutant, &pair.spec, refinement::STRICT);
            n_changed.set(n_changed.get() + u32::from(verdict(&pair) != verdict(&shown)));
            shown
        }),
    );
    for index in 0..ALL_RULES.len() {
        let found = |answer| counts.answers.get(&(index, answer)).copied().unwrap_or(0);
        assert!(
            found(Answer::Subsumed) > 50 && found(Answer::NonSubsumed) > 50,
            "{:?}",
            counts.answers
        );
    }
    assert!(
        n_changed.get() > 20,
        "seen or not, nearly all is the same: {n_changed:?}"
    );
}

#[test]
fn zones_agree_with_regions_on_2000_pairs_under_all_rules() {
    let counts = agree_on(2000, &mutate::pair());
    for (index, rules) in ALL_RULES.into_iter().enumerate() {
        for (answer, least) in [
            (Answer::Subsumed, 500),
            (Answer::NonSubsumed, 500),
            (Answer::Inconsistent, 20),
        ] {
            let found = counts.answers.get(&(index, answer)).copied().unwrap_or(0);
            assert!(found >= least, "only {found} {answer:?} under {rules:?}");
        }
    }
    for (way, found) in [("counterpart", counts.by_counterpart), ("strategy", counts.by_strategy)] {
        let percent = 100 * found / counts.decided;
        assert!(
            (2..=97).contains(&percent),
            "{percent} % by {way}: one method is too rare to test"
        );
    }
}

#[test]
fn zones_agree_with_regions_on_200_pairs_full_of_diagonals() {
    agree_on(200, &mutate::pair_full_of_diagonals());
}

/// A fixed bug: execution took the ignored input `b?` for an urgent edge and could not wait in the specification.
#[test]
fn an_ignored_input_on_an_urgent_channel_forbids_no_delay() {
    let pair = Pair {
        mutant: game("M", "clock x\naction a?\nloc l\nloc m inv x<=1\nedge l -> m : a?"),
        spec: game(
            "S",
            "action a?\naction urgent b?\nloc l\nedge l -> l : a?\ninput-enabled",
        ),
    };
    // After 1 the mutant refuses a?.
    for rules in ALL_RULES.into_iter().filter(|rules| !rules.prune) {
        assert_eq!(engine(&pair, rules, &mut Vec::new()), Ok(Answer::NonSubsumed));
    }
}
