//! Potential and definite killing of random mutants, against the same questions decided on regions.

use std::cell::RefCell;

use proptest::strategy::Strategy as _;
use tamper::features::Random;
use tamper::game::analyse;
use tamper::mutation::{MutationOptions, Mutations};
use tamper::suite::{
    CompiledTest, Definite, Opponent, Pick, Potential, Style, Subject, SuiteFailure, TestCase, Tester, ends, simulate,
};
use tamper::text::Budget;

use crate::suites::region_game;
use testing::oracle::clocks::{Regions, Spread, has_diagonals};
use testing::oracle::generate::{Sketch, sketch_with};
use testing::oracle::mutate::{self, Pair};
use testing::oracle::run;

#[derive(Default, Debug)]
struct Counts {
    compared: u32,
    potential: u32,
    definite: u32,
    unknown: u32,
}

struct Answer {
    potential: bool,
    definite: Option<bool>,
    steps: Vec<usize>,
}

/// What the engine says: potentially killable, definitely killable (none: not known), and how many steps the cooperative
/// tests have. None if the specification is not
/// deterministic or one of the games has no state.
fn engine(pair: &Pair) -> Result<Option<Answer>, String> {
    let budget = Budget::unlimited();
    let tester = match Tester::new(&pair.spec, &budget) {
        Ok(tester) => tester,
        Err(SuiteFailure::NonDeterministic { .. } | SuiteFailure::NoInitialState { .. }) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let subject = match Subject::new(&pair.mutant, &budget) {
        Ok(subject) => subject,
        Err(SuiteFailure::NoInitialState { .. }) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let error = |error: SuiteFailure| error.to_string();
    let (mut potential, mut steps) = (Vec::new(), Vec::new());
    for (style, pick) in [
        (Style::Adaptive, Pick::Earliest),
        (Style::Adaptive, Pick::Middle),
        (Style::Adaptive, Pick::Latest),
        (Style::Cooperative, Pick::Earliest),
        (Style::Cooperative, Pick::Middle),
        (Style::Cooperative, Pick::Latest),
    ] {
        // The test itself is executed against both games where it is made.
        let found = tester.potential(&subject, style, pick, &budget).map_err(error)?;
        potential.push(matches!(found, Potential::Killed(_)));
        if let Potential::Killed(test) = found {
            simulated(&test, &subject)?;
            simulated(&test, tester.spec())?;
            if style == Style::Cooperative {
                steps.push(test.n_steps());
            }
        }
    }
    if potential.iter().any(|found| *found != potential[0]) {
        return Err(format!("styles differ: {potential:?}"));
    }
    let definite = match tester.definite(&subject, &budget).map_err(error)? {
        Definite::Killed(test) => {
            let on_mutant = ends(&test, &subject, &budget).map_err(error)?;
            let on_spec = ends(&test, tester.spec(), &budget).map_err(error)?;
            simulated(&test, &subject)?;
            simulated(&test, tester.spec())?;
            if !on_mutant.must_fail() || on_spec.can_fail() {
                return Err(format!("{on_mutant:?} on the mutant, {on_spec:?} on the specification"));
            }
            Some(true)
        }
        Definite::Avoidable => Some(false),
        Definite::Unknown => {
            let analysis = analyse(&pair.mutant, &budget).map_err(|error| error.to_string())?;
            if analysis.is_ok_and(|analysis| analysis.overlaps.is_empty()) {
                return Err("unknown, though the mutant is deterministic".to_owned());
            }
            None
        }
    };
    Ok(Some(Answer {
        potential: potential[0],
        definite,
        steps,
    }))
}

/// Random plays end only in ways that the exact execution knows.
fn simulated(test: &TestCase, subject: &Subject) -> Result<(), String> {
    let error = |error: SuiteFailure| error.to_string();
    let exact = ends(test, subject, &Budget::unlimited()).map_err(error)?;
    let compiled = CompiledTest::in_own_unit(test).map_err(error)?;
    let opponent = Opponent::new(subject, &compiled).map_err(error)?;
    let mut random = Random::new(7);
    for _ in 0..20 {
        let play = simulate(&compiled, &opponent, &mut random);
        let known = (!play.fail || exact.fail)
            && (!play.pass || exact.pass)
            && (!play.inconclusive || exact.inconclusive)
            && (!play.stalled || exact.stalled);
        if !known {
            return Err(format!(
                "a play ends in {play:?}, exact execution in {exact:?}: {test:?}"
            ));
        }
    }
    Ok(())
}

fn compare(pair: &Pair, counts: &RefCell<Counts>) -> Result<(), String> {
    let Some(Answer {
        potential,
        definite,
        steps,
    }) = engine(pair)?
    else {
        return Ok(());
    };
    let (mutant, spec) = (&pair.mutant, &pair.spec);
    let (expected, distance) = if has_diagonals(mutant) || has_diagonals(spec) {
        let distance = region_game::distance::<Spread>(mutant, spec);
        (region_game::killable::<Spread>(mutant, spec), distance)
    } else {
        let distance = region_game::distance::<Regions>(mutant, spec);
        (region_game::killable::<Regions>(mutant, spec), distance)
    };
    // The last step may be to wait, and so may the one behind it: for the output that is due when the purpose is not met.
    let is_shortest = |steps: &usize| distance.is_some_and(|least| (least..=least + 2).contains(steps));
    if !steps.iter().all(is_shortest) {
        return Err(format!("tests of {steps:?} steps where {distance:?} lead to a fail"));
    }
    let mut counts = counts.borrow_mut();
    counts.compared += 1;
    counts.potential += u32::from(expected.0);
    counts.definite += u32::from(expected.1);
    counts.unknown += u32::from(definite.is_none());
    // Not knowing is allowed only where the tester wins if it sees everything.
    let same = potential == expected.0 && definite.unwrap_or(true) == expected.1;
    if same {
        Ok(())
    } else {
        Err(format!("engine {potential} {definite:?}, regions {expected:?}"))
    }
}

#[test]
fn killing_agrees_with_the_region_game_on_500_random_pairs() {
    let counts = RefCell::new(Counts::default());
    let cases = if cfg!(debug_assertions) { 1_500 } else { 15_000 };
    run::check(cases, &mutate::pair(), |pair| compare(pair, &counts));
    let counts = counts.into_inner();
    assert!(counts.compared >= 500, "{counts:?}");
    assert!(
        counts.definite >= 50 && counts.potential >= counts.definite + 50,
        "{counts:?}"
    );
    assert!(counts.unknown * 10 < counts.compared, "{counts:?}");
}

/// Every second location makes exactly one output at once, the others wait for inputs for ever: no game of this form
/// has a choice of outputs or of their times.
fn output_urgent(mut sketch: Sketch) -> Sketch {
    use tamper::model::Urgency;
    let n = u8::try_from(sketch.locations.len()).expect("few locations");
    for (index, location) in sketch.locations.iter_mut().enumerate() {
        location.invariant.clear();
        location.urgency = if index % 2 == 1 {
            Urgency::Urgent
        } else {
            Urgency::Normal
        };
    }
    sketch.edges.retain(|edge| edge.source % n % 2 == 0);
    for edge in &mut sketch.edges {
        // Actions 1 and 3 are the inputs.
        edge.action = 1 + 2 * (edge.action % 2);
    }
    for source in (1..n).step_by(2) {
        let mut speak = testing::oracle::generate::EdgeSketch {
            source,
            target: source + 1,
            action: 0,
            guard: Vec::new(),
            data: None,
            resets: Vec::new(),
            assign: None,
            assign_first: false,
            select: false,
        };
        speak.target %= n;
        sketch.edges.push(speak);
    }
    sketch
}

/// [004] Proposition 1: for deterministic mutants whose outputs leave no choice of time, potential and definite killing
/// coincide.
#[test]
fn potential_and_definite_killing_coincide_for_deterministic_output_urgent_mutants() {
    let counts = RefCell::new(Counts::default());
    let games = (sketch_with(0), sketch_with(0)).prop_map(|(mutant, spec)| Pair {
        mutant: output_urgent(mutant).build("M"),
        spec: output_urgent(spec).build("S"),
    });
    run::check(600, &games, |pair| {
        let budget = Budget::unlimited();
        let analysis = analyse(&pair.mutant, &budget).map_err(|error| error.to_string())?;
        if analysis.is_ok_and(|analysis| !analysis.overlaps.is_empty()) {
            return Ok(());
        }
        compare(pair, &counts)?;
        match engine(pair)? {
            Some(answer) if answer.definite != Some(answer.potential) => Err(format!(
                "potential {}, definite {:?}",
                answer.potential, answer.definite
            )),
            _ => Ok(()),
        }
    });
    let counts = counts.into_inner();
    assert!(
        counts.definite >= 50 && counts.compared >= counts.definite + 30,
        "{counts:?}"
    );
}

/// A test led on for other mutants is sound, and mostly kills them as well.
#[test]
fn tests_that_are_led_on_never_fail_on_the_specification() {
    let (n_longer, n_both) = (RefCell::new(0u32), RefCell::new(0u32));
    run::check(1_500, &mutate::pair(), |pair| {
        let budget = Budget::unlimited();
        let Ok(tester) = Tester::new(&pair.spec, &budget) else {
            return Ok(());
        };
        let error = |error: SuiteFailure| error.to_string();
        let mutations = Mutations::of(&pair.spec, &MutationOptions::default());
        let mutants = mutations.iter().map(|mutation| mutation.apply(&pair.spec));
        let subjects: Vec<Subject> = mutants
            .filter_map(|mutant| Subject::new(&mutant, &budget).ok())
            .step_by(3)
            .take(8)
            .collect();
        let mut drafts = Vec::new();
        for (at, subject) in subjects.iter().enumerate() {
            let draft = tester.draft(subject, Pick::Earliest, &budget).map_err(error)?;
            drafts.extend(draft.map(|draft| (vec![at], draft)));
        }
        for _ in 0..2 {
            let mut longer = Vec::new();
            for (targets, draft) in &drafts {
                for (at, subject) in subjects.iter().enumerate().filter(|(at, _)| !targets.contains(at)) {
                    let extended = tester.extend(draft, subject, &budget).map_err(error)?;
                    longer.extend(extended.map(|draft| ([&targets[..], &[at]].concat(), draft)));
                }
            }
            longer.truncate(6);
            drafts = longer;
            for (targets, draft) in &drafts {
                let test = tester.finish(draft, &budget).map_err(error)?;
                if ends(&test, tester.spec(), &budget).map_err(error)?.can_fail() {
                    return Err(format!("it fails on the specification: {test:?}"));
                }
                simulated(&test, tester.spec())?;
                let mut kills = true;
                for at in targets {
                    kills &= ends(&test, &subjects[*at], &budget).map_err(error)?.can_fail();
                }
                *n_longer.borrow_mut() += 1;
                *n_both.borrow_mut() += u32::from(kills);
            }
        }
        Ok(())
    });
    let (n_longer, n_both) = (n_longer.into_inner(), n_both.into_inner());
    assert!(
        n_longer >= 500 && n_both * 2 > n_longer,
        "{n_both} of {n_longer} kill all that they were made for"
    );
}
