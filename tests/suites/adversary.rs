//! Everything that is said of suites, held against the plain simulator and the game on regions.
//!
//! Random deterministic specifications, mutants of order 1 and 2 made by the tests' own code, one way of `testgen` each. What is
//! said of every mutant, what every test kills (together as a family, one by one, scored, made smaller, run against
//! models) must be what the simulator finds; the tests are also executed with changed words and bounds, where all ends
//! that can come are compared.

use std::cell::RefCell;
use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::collection::vec;
use proptest::prelude::*;
use tamper::experiment::killing::{
    Candidate, Fate, Generated, KillGoal, Strategy as Choice, SuiteOptions, Target, candidates, generate, ignoring,
    score,
};
use tamper::experiment::{Implementation, Limits, Manner, ModelOutcome, Sample, Selection, Timer, run_against};
use tamper::formats::suite_json::SuiteMutant;
use tamper::model::Automaton;
use tamper::mutation::{MutantSpace, MutationOptions, Operator, Order, TadGuard};
use tamper::suite::{
    Act, Ends, Kill, Pick, Refusals, Style, SuiteFailure, TestCase, TestVerdict, Tester, minimum_cover,
};
use tamper::text::Budget;

use crate::suites::region_game;
use crate::suites::simulator::{Outcome, outcome};
use testing::oracle::apply;
use testing::oracle::clocks::{Regions, Spread, has_diagonals};
use testing::oracle::generate::{Sketch, sketch};
use testing::oracle::run;
use testing::oracle::show::show;

/// A specification, its mutants, and what suite is wanted for them.
#[derive(Clone)]
pub struct Case {
    sketch: Sketch,
    options: MutationOptions,
    order: u8,
    seed: u64,
    pub wanted: KillGoal,
    pub style: Style,
    pick: Pick,
    pub strategy: Choice,
    /// In one case of three mutants ignore what they do not take.
    pub refusals: Refusals,
    /// In one case of four tests go on after their last step.
    pub linger: Option<u32>,
    /// In every other case of long tests these go for all mutants twice.
    pub rounds: u32,
    /// In one case of three the parts of a time unit that fixed times are multiples of, if any does.
    grid: Option<u32>,
    /// How tests are changed before they are executed once more.
    changes: Vec<u16>,
}

/// Most mutants of a case.
const MOST: u64 = 9;

impl Case {
    /// The game, without the edges, last first, that make it non-deterministic; none if it is nothing to test.
    pub fn tester(&self) -> Option<Tester> {
        let mut sketch = self.sketch.clone();
        loop {
            match Tester::new(&sketch.build("S"), &Budget::unlimited()) {
                Ok(tester) => {
                    return Some(match self.grid {
                        Some(grid) => tester.on_grid(grid),
                        None => tester,
                    });
                }
                Err(SuiteFailure::NonDeterministic { .. }) => sketch.edges.pop()?,
                Err(_) => return None,
            };
        }
    }

    pub fn wish(&self) -> SuiteOptions {
        SuiteOptions {
            wanted: self.wanted,
            style: self.style,
            pick: self.pick,
            strategy: self.strategy,
            rounds: self.rounds,
            refusals: self.refusals,
            linger: self.linger,
            mutation: self.options.clone(),
            max_nodes: 1_000_000,
        }
    }

    /// The mutants, and those of them that are looked at; none if there is none.
    pub fn mutants(&self, spec: &Automaton) -> Option<(MutantSpace, Selection)> {
        let order = Order::new(self.order).expect("1 or 2");
        let space = MutantSpace::new(spec, &self.options, order).ok()?;
        let selection = Selection::draw(space.len(), Some(Sample::Count(MOST)), self.seed);
        (!space.is_empty()).then_some((space, selection))
    }

    /// The mutants as tests meet them.
    pub fn candidates(&self, tester: &Tester) -> Vec<Candidate> {
        let Some((space, selection)) = self.mutants(tester.automaton()) else {
            return Vec::new();
        };
        let timer = Timer::new(Limits::default());
        let found = candidates(&space, &selection, &|_| true, tester, &timer).expect("the mutants are there");
        ignoring(found, self.refusals, &timer)
    }
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            options,
            order,
            seed,
            wanted,
            style,
            pick,
            strategy,
            refusals,
            linger,
            rounds,
            grid,
            changes,
            ..
        } = self;
        let game = self.tester().map_or(String::new(), |tester| show(tester.automaton()));
        write!(
            f,
            "{game}{options:?}, order {order}, seed {seed}, {wanted:?} {style:?} {pick:?} {strategy:?} {refusals:?} linger {linger:?} rounds {rounds} grid {grid:?}, changes {changes:?}"
        )
    }
}

fn options() -> impl Strategy<Value = MutationOptions> {
    let operators = proptest::sample::subsequence(Operator::of_games().to_vec(), 1..=Operator::of_games().len());
    let tad_guard = prop_oneof![Just(TadGuard::FirstEdge), Just(TadGuard::None)];
    // In every fourth case some are applied with memory, too.
    let again = proptest::sample::subsequence(Operator::of_games().to_vec(), 1..=4);
    let again = prop_oneof![3 => Just(Vec::new()), 1 => again];
    ((operators, again), 1i64..=2, tad_guard, any::<bool>(), any::<bool>()).prop_map(
        |((operators, again), step, tad_guard, cxs_to_zero, conjuncts)| MutationOptions {
            operators,
            again,
            step,
            tad_guard,
            cxs_to_zero,
            conjuncts,
        },
    )
}

pub fn case() -> impl Strategy<Value = Case> {
    let wanted = prop_oneof![2 => Just(KillGoal::Both), 1 => Just(KillGoal::Definite), 1 => Just(KillGoal::Potential)];
    let style = prop_oneof![Just(Style::Adaptive), Just(Style::Cooperative)];
    let pick = prop_oneof![Just(Pick::Earliest), Just(Pick::Middle), Just(Pick::Latest)];
    let strategy = prop_oneof![
        Just(Choice::PerMutant),
        Just(Choice::OnTheFly),
        Just(Choice::Minimal),
        Just(Choice::ForPrograms),
        Just(Choice::Fewest)
    ];
    let order = prop_oneof![2 => Just(1u8), 1 => Just(2u8)];
    (
        (sketch(), options(), order, any::<u64>()),
        (wanted, style, pick, strategy),
        vec(any::<u16>(), 1..=3),
    )
        .prop_map(
            |((sketch, options, order, seed), (wanted, style, pick, strategy), changes)| {
                let (wanted, style) = match strategy {
                    // All that it makes.
                    Choice::Fewest => (KillGoal::Potential, Style::Adaptive),
                    // It is for both.
                    Choice::ForPrograms => (KillGoal::Both, style),
                    _ => (wanted, style),
                };
                Case {
                    sketch,
                    options,
                    order,
                    seed,
                    wanted,
                    style,
                    pick,
                    strategy,
                    refusals: if seed % 3 == 0 {
                        Refusals::Never
                    } else {
                        Refusals::Error
                    },
                    linger: [Some(1), Some(3)].get((seed / 3 % 8) as usize).copied().flatten(),
                    rounds: 1 + (seed / 24 % 2) as u32,
                    grid: [Some(1), Some(4)].get((seed / 48 % 6) as usize).copied().flatten(),
                    changes,
                }
            },
        )
}

/// What is known of a mutant without the engine.
pub struct Truth {
    /// None: it has no initial state.
    game: Option<Automaton>,
    pub potential: bool,
    /// Whether a tester that sees its state wins.
    definite: bool,
}

pub fn truth(spec: &Automaton, candidate: &Candidate, refusals: Refusals) -> Result<Truth, String> {
    // Of a game that ignores inputs the simulator and the game on regions say what that means.
    let game = refusals.met(apply::mutant(spec, &candidate.mutations));
    let made = candidate.automaton.as_ref().expect("a mutant of a game is a game");
    if show(&game) != show(made) {
        let (own, other) = (show(&game), show(made));
        return Err(format!("{}: by hand it is\n{own}not\n{other}", candidate.id));
    }
    if let Err(SuiteFailure::NoInitialState { .. }) = candidate.subject {
        return Ok(Truth {
            game: None,
            potential: false,
            definite: false,
        });
    }
    let (potential, definite) = match has_diagonals(&game) || has_diagonals(spec) {
        true => region_game::killable::<Spread>(&game, spec),
        false => region_game::killable::<Regions>(&game, spec),
    };
    Ok(Truth {
        game: Some(game),
        potential,
        definite: potential && definite,
    })
}

/// How often what was looked at.
#[derive(Default, Debug)]
struct Tally {
    cases: u32,
    mutants: u32,
    definite: u32,
    potential: u32,
    open: u32,
    /// Tests by strategy, style and what was wanted, and their executions.
    tests: BTreeMap<String, (u32, u32)>,
    changed: u32,
    executions: u32,
    /// Cases with a test that the simulator takes too long for.
    too_long: u32,
    /// Of mutants that ignore what they do not take: how many, how many of them could be killed if they refused it, and cannot so.
    ignoring: u32,
    by_refusal_only: u32,
    /// Tests that linger, and how many of them kill more so.
    lingering: u32,
    more_by_lingering: u32,
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{what}: {found:?}, the simulator says {expected:?}")),
    }
}

fn ends(outcome: Outcome) -> Ends {
    Ends {
        fail: outcome.fail,
        pass: outcome.pass,
        inconclusive: outcome.inconclusive,
        stalled: outcome.stalled,
    }
}

/// What the simulator finds of one test: of every mutant (of one that is none, nothing), and of the specification.
struct Simulated {
    mutants: Vec<Outcome>,
    spec: Outcome,
}

/// What the simulator finds, a row per test; none if it looks too long.
fn simulated(tests: &[TestCase], truths: &[Truth], spec: &Automaton) -> Option<Vec<Simulated>> {
    let row = |test: &TestCase| {
        let column = |truth: &Truth| match &truth.game {
            Some(game) => outcome(test, game),
            None => Some(Outcome::default()),
        };
        Some(Simulated {
            mutants: truths.iter().map(column).collect::<Option<_>>()?,
            spec: outcome(test, spec)?,
        })
    };
    tests.iter().map(row).collect()
}

fn check(case: &Case, tally: &RefCell<Tally>) -> Result<(), String> {
    let Some(tester) = case.tester() else { return Ok(()) };
    let spec = tester.automaton();
    let candidates = case.candidates(&tester);
    // What has no meaning is refused by the engine, and nothing is claimed.
    let has_meaning = |candidate: &Candidate| !matches!(candidate.subject, Err(SuiteFailure::Game(_)));
    let candidates: Vec<Candidate> = candidates.into_iter().filter(has_meaning).collect();
    if candidates.is_empty() {
        return Ok(());
    }
    let truths: Vec<Truth> = candidates
        .iter()
        .map(|candidate| truth(spec, candidate, case.refusals))
        .collect::<Result<_, _>>()?;
    note_refusals(case, spec, (&candidates, &truths), tally);
    let timer = Timer::new(Limits::default());
    let made = generate(&tester, &candidates, &case.wish(), &timer, &|_| ()).map_err(|error| error.to_string())?;
    check_lingering(case, (&tester, &candidates), &made, tally)?;
    let changed: Vec<TestCase> = made.tests.iter().map(|test| changed(test, &case.changes)).collect();
    let found = simulated(&made.tests, &truths, spec).zip(simulated(&changed, &truths, spec));
    let Some((of_tests, of_changed)) = found else {
        tally.borrow_mut().too_long += 1;
        return Ok(());
    };
    if let Some(at) = of_tests.iter().position(|found| found.spec.fail) {
        return Err(format!("it fails the specification: {:?}", made.tests[at]));
    }
    check_ends(spec, &made.tests, &truths, &of_tests)?;
    check_ends(spec, &changed, &truths, &of_changed)?;
    let table: Vec<Vec<Outcome>> = of_tests.into_iter().map(|found| found.mutants).collect();
    check_records(case, &made, &truths, &table)?;
    check_rows(case, (&tester, &candidates), &made.tests, &table)?;
    for kill in [KillGoal::Potential, KillGoal::Definite] {
        check_score(case, (&tester, &candidates, kill), &made.tests, (&truths, &table))?;
    }
    note(case, &made, &truths, tally);
    Ok(())
}

/// Counts the mutants that ignore inputs, and those of them that only a refusal would show.
fn note_refusals(
    case: &Case,
    spec: &Automaton,
    (candidates, truths): (&[Candidate], &[Truth]),
    tally: &RefCell<Tally>,
) {
    if case.refusals == Refusals::Error {
        return;
    }
    let mut tally = tally.borrow_mut();
    for (candidate, truth) in candidates.iter().zip(truths).filter(|(_, truth)| truth.game.is_some()) {
        let refusing = apply::mutant(spec, &candidate.mutations);
        let (potential, _) = match has_diagonals(&refusing) || has_diagonals(spec) {
            true => region_game::killable::<Spread>(&refusing, spec),
            false => region_game::killable::<Regions>(&refusing, spec),
        };
        tally.ignoring += 1;
        tally.by_refusal_only += u32::from(potential && !truth.potential);
    }
}

/// A test that lingers fails what it failed without that.
fn check_lingering(
    case: &Case,
    (tester, candidates): (&Tester, &[Candidate]),
    made: &Generated,
    tally: &RefCell<Tally>,
) -> Result<(), String> {
    let wish = SuiteOptions {
        linger: None,
        ..case.wish()
    };
    if case.linger.is_none() {
        return Ok(());
    }
    let timer = Timer::new(Limits::default());
    let brief = generate(tester, candidates, &wish, &timer, &|_| ()).map_err(|error| error.to_string())?;
    let target = Target::new(
        tester,
        candidates,
        &SuiteOptions {
            wanted: KillGoal::Definite,
            ..wish
        },
    );
    let executed = |tests: &[TestCase]| target.executed(tests, &timer).map_err(|error| error.to_string());
    let (before, after) = (executed(&brief.tests)?, executed(&made.tests)?);
    let pairs = [
        (&before.can_fail, &after.can_fail),
        (&before.must_fail, &after.must_fail),
    ];
    let rows = pairs.into_iter().flat_map(|(before, after)| before.iter().zip(after));
    let mut tally = tally.borrow_mut();
    for (before, after) in rows {
        if !before.is_subset(after) {
            return Err(format!("a test that lingers kills less: {before:?}, {after:?}"));
        }
        tally.more_by_lingering += u32::from(before != after);
    }
    tally.lingering += u32::try_from(made.tests.len()).expect("few");
    same("tests that linger", made.tests.len(), brief.tests.len())
}

/// What is said of each mutant and each test.
fn check_records(case: &Case, made: &Generated, truths: &[Truth], table: &[Vec<Outcome>]) -> Result<(), String> {
    let position = |id: &str| made.tests.iter().position(|test| test.id == id);
    for (at, (mutant, truth)) in made.mutants.iter().zip(truths).enumerate() {
        let wrong = |what: &str| Err(format!("{}: {what}: {mutant:?}", mutant.id));
        let test = mutant
            .test
            .as_ref()
            .map(|id| position(id).ok_or(format!("no test {id}")))
            .transpose()?;
        let named = test.map(|test| table[test][at]);
        let is_open = mutant
            .reason
            .as_ref()
            .is_some_and(|reason| reason.contains("is not known"));
        match mutant.killable.as_str() {
            "none" if truth.potential => return wrong("it can be killed"),
            "none" if test.is_some() => return wrong("a test is named"),
            "none" => {}
            "potential" => {
                if !truth.potential {
                    return wrong("it cannot be killed");
                }
                if case.wanted != KillGoal::Potential && truth.definite != is_open {
                    return wrong(&format!("definitely: {}", truth.definite));
                }
                if case.wanted == KillGoal::Definite && test.is_some() {
                    return wrong("no test always fails on it, and one is named");
                }
                if case.wanted != KillGoal::Definite && !named.is_some_and(|named| named.fail) {
                    return wrong("the test that is named cannot fail");
                }
            }
            "definite" => {
                if !truth.definite {
                    return wrong("it can avoid to fail");
                }
                if !named.is_some_and(Outcome::always_fails) {
                    return wrong("the test that is named need not fail");
                }
            }
            other => return wrong(other),
        }
    }
    for (test, row) in made.tests.iter().zip(table) {
        for target in &test.targets {
            let at = made.mutants.iter().position(|mutant| mutant.id == *target);
            let of_target = row[at.ok_or(format!("no mutant {target}"))?];
            let keeps = match test.kill {
                Kill::Definite => of_target.always_fails(),
                Kill::Potential => of_target.fail,
            };
            if !keeps {
                return Err(format!("{:?} for {target} comes to {of_target:?}: {test:?}", test.kill));
            }
        }
    }
    let is_open = |mutant: &&SuiteMutant| {
        mutant
            .reason
            .as_ref()
            .is_some_and(|reason| reason.contains("is not known"))
    };
    same("open", made.open(), made.mutants.iter().filter(is_open).count())
}

/// The kills as the simulator has them: where both are wanted, definitely if some test always fails.
fn rows(table: &[Vec<Outcome>], wanted: KillGoal) -> Vec<FixedBitSet> {
    let n_mutants = table.first().map_or(0, Vec::len);
    let definite: Vec<bool> = (0..n_mutants)
        .map(|at| table.iter().any(|row| row[at].always_fails()))
        .collect();
    let counts = |at: usize, outcome: Outcome| match wanted {
        KillGoal::Potential => outcome.fail,
        KillGoal::Definite | KillGoal::Blind => outcome.always_fails(),
        KillGoal::Both => outcome.always_fails() || (outcome.fail && !definite[at]),
    };
    let row = |row: &Vec<Outcome>| {
        let mut set = FixedBitSet::with_capacity(n_mutants);
        set.extend((0..n_mutants).filter(|at| counts(*at, row[*at])));
        set
    };
    table.iter().map(row).collect()
}

/// The kill matrices, and the fewest tests.
fn check_rows(
    case: &Case,
    (tester, candidates): (&Tester, &[Candidate]),
    tests: &[TestCase],
    table: &[Vec<Outcome>],
) -> Result<(), String> {
    let timer = Timer::new(Limits::default());
    for wanted in [KillGoal::Potential, KillGoal::Definite, KillGoal::Both] {
        let wish = SuiteOptions { wanted, ..case.wish() };
        let target = Target::new(tester, candidates, &wish);
        let found = target.kills(tests, &timer).map_err(|error| error.to_string())?;
        let expected = rows(table, wanted);
        same(
            &format!("{wanted:?} kills, family {}", target.is_family()),
            &found,
            &expected,
        )?;
        if tests.len() <= 10 && !tests.is_empty() {
            let cover = minimum_cover(&found, &vec![1; tests.len()], 1_000_000);
            same("fewest", cover.tests.len(), fewest(&expected))?;
            same(
                "as many",
                union(&expected, &cover.tests),
                union(&expected, &(0..tests.len()).collect::<Vec<_>>()),
            )?;
        }
    }
    Ok(())
}

fn union(rows: &[FixedBitSet], chosen: &[usize]) -> Vec<usize> {
    let mut all = FixedBitSet::with_capacity(rows.first().map_or(0, FixedBitSet::len));
    chosen.iter().for_each(|at| all.union_with(&rows[*at]));
    all.ones().collect()
}

/// By trying all subsets.
fn fewest(rows: &[FixedBitSet]) -> usize {
    let all: Vec<usize> = (0..rows.len()).collect();
    let whole = union(rows, &all);
    let subsets = 0u32..1 << rows.len();
    let does = |subset: &u32| {
        let chosen: Vec<usize> = all.iter().copied().filter(|at| subset >> at & 1 == 1).collect();
        union(rows, &chosen) == whole
    };
    subsets
        .filter(does)
        .map(|subset| subset.count_ones() as usize)
        .min()
        .unwrap_or(0)
}

/// The score and what is said of every mutant.
fn check_score(
    case: &Case,
    (tester, candidates, wanted): (&Tester, &[Candidate], KillGoal),
    tests: &[TestCase],
    (truths, table): (&[Truth], &[Vec<Outcome>]),
) -> Result<(), String> {
    let timer = Timer::new(Limits::default());
    let wish = SuiteOptions { wanted, ..case.wish() };
    let found = score(tester, candidates, tests, &wish, &timer).map_err(|error| error.to_string())?;
    let expected = rows(table, wanted);
    for (at, (fate, truth)) in found.fates.iter().zip(truths).enumerate() {
        let killed = expected.iter().any(|row| row.contains(at));
        let killable = match wanted {
            KillGoal::Definite => truth.definite,
            _ => truth.potential,
        };
        let fits = match fate {
            Fate::Killed => killed,
            Fate::Survives(_) => !killed && killable,
            Fate::NotKillable(_) => !killed && !killable,
            // A tester that sees the state wins.
            Fate::Unknown(_) => !killed && killable && wanted == KillGoal::Definite,
            Fate::Invalid(_) => false,
        };
        if !fits {
            return Err(format!(
                "{wanted:?} score of {}: {fate:?}, killed {killed}, killable {killable}",
                candidates[at].id
            ));
        }
    }
    same(
        "kills per test",
        found.kills,
        expected.iter().map(|row| row.count_ones(..)).collect(),
    )
}

/// All ends that can come of each test, as `run --against` tells them; plays end in no other way.
fn check_ends(spec: &Automaton, tests: &[TestCase], truths: &[Truth], found: &[Simulated]) -> Result<(), String> {
    let timer = Timer::new(Limits::default());
    let tests: Vec<&TestCase> = tests.iter().collect();
    let games = truths.iter().map(|truth| truth.game.as_ref()).chain([Some(spec)]);
    for (at, game) in games.enumerate() {
        let Some(game) = game else { continue };
        let model = [Implementation {
            name: "M".to_owned(),
            automaton: game.clone(),
        }];
        let exact = run_against(&tests, &model, Manner::Exhaustive, &timer, &|_| ());
        for (number, exact) in exact[0].runs.iter().enumerate() {
            let expected = *found[number].mutants.get(at).unwrap_or(&found[number].spec);
            let described = || format!("{:?}\non\n{}", tests[number], show(game));
            if exact.outcome != ModelOutcome::Ends(ends(expected)) {
                return Err(format!(
                    "{:?}, the simulator says {expected:?}: {}",
                    exact.outcome,
                    described()
                ));
            }
            // A changed test may go round and round; a play would as well.
            if expected.endless {
                continue;
            }
            let manner = Manner::Plays { n: 5, seed: 1 };
            let plays = run_against(&tests[number..=number], &model, manner, &timer, &|_| ());
            let outcome = &plays[0].runs[0].outcome;
            let Some(seen) = outcome.ends() else {
                return Err(format!("{outcome:?}: {}", described()));
            };
            let is_known = (expected.fail || !seen.fail)
                && (expected.pass || !seen.pass)
                && (expected.inconclusive || !seen.inconclusive)
                && (expected.stalled || !seen.stalled);
            if !is_known {
                return Err(format!(
                    "plays end in {seen:?}, the simulator says {expected:?}: {}",
                    described()
                ));
            }
        }
    }
    Ok(())
}

/// The test with other words and bounds. It may fail the specification.
fn changed(test: &TestCase, changes: &[u16]) -> TestCase {
    let mut test = test.clone();
    for change in changes {
        let (what, which, how) = (change % 4, usize::from(change / 4), change / 1_024);
        let n_nodes = test.nodes.len();
        let node = &mut test.nodes[which % n_nodes];
        match what {
            0 => {
                node.otherwise = [TestVerdict::Pass, TestVerdict::Fail, TestVerdict::Inconclusive][usize::from(how) % 3]
            }
            1 => {
                let n_rules = node.rules.len().max(1);
                if let Some(rule) = node.rules.get_mut(which % n_rules) {
                    shift(&mut rule.when, how);
                    if let Act::Stop(verdict) = &mut rule.act {
                        *verdict = TestVerdict::Pass;
                    }
                }
            }
            2 => {
                let n_outputs = node.outputs.len().max(1);
                if let Some(expected) = node.outputs.get_mut(which % n_outputs) {
                    shift(&mut expected.jump.when, how);
                }
            }
            _ => {
                node.rules.pop();
            }
        }
    }
    test
}

/// Moves the bounds of a condition by half a time unit or more; what is compared with two clocks stays.
fn shift(condition: &mut [tamper::suite::Constraint], how: u16) {
    let by = BigRational::new(BigInt::from(how % 5) - 2, 2.into());
    for atom in condition.iter_mut().filter(|atom| atom.right.is_none()) {
        atom.bound += &by;
    }
}

fn note(case: &Case, made: &Generated, truths: &[Truth], tally: &RefCell<Tally>) {
    let mut tally = tally.borrow_mut();
    let number = |n: usize| u32::try_from(n).expect("few");
    let n_games = truths.iter().filter(|truth| truth.game.is_some()).count() + 1;
    let n_tests = made.tests.len();
    tally.cases += 1;
    tally.mutants += number(truths.len());
    tally.potential += number(truths.iter().filter(|truth| truth.potential).count());
    tally.definite += number(truths.iter().filter(|truth| truth.definite).count());
    tally.open += number(made.open());
    tally.changed += number(n_tests);
    tally.executions += number(2 * n_tests * n_games);
    for test in &made.tests {
        let key = format!(
            "{:?}, {:?}, {:?}, order {}",
            case.strategy, case.wanted, test.style, case.order
        );
        let counts = tally.tests.entry(key).or_default();
        counts.0 += 1;
        counts.1 += number(n_games);
    }
}

#[test]
fn what_is_said_of_random_suites_is_what_a_plain_simulator_finds() {
    let tally = RefCell::new(Tally::default());
    run::check(300, &case(), |case| check(case, &tally));
    let tally = tally.into_inner();
    println!("{tally:#?}");
    if std::env::var_os("TAMPER_CASES").is_some() {
        return;
    }
    assert!(tally.cases >= 150 && tally.too_long * 10 < tally.cases, "{tally:?}");
    assert!(
        tally.definite >= 40 && tally.potential >= tally.definite + 100,
        "{tally:?}"
    );
    assert!(tally.ignoring >= 100 && tally.by_refusal_only >= 10, "{tally:?}");
    assert!(tally.lingering >= 20 && tally.more_by_lingering >= 5, "{tally:?}");
    // Every strategy with every style.
    for strategy in ["PerMutant", "OnTheFly", "Minimal"] {
        for style in ["Adaptive", "Cooperative", "Strategy"] {
            let is_of = |key: &&String| key.starts_with(strategy) && key.contains(style);
            assert!(
                tally.tests.keys().any(|key| is_of(&key)),
                "{strategy} {style}: {tally:?}"
            );
        }
    }
    assert!(tally.tests.keys().any(|key| key.starts_with("Fewest")), "{tally:?}");
}
