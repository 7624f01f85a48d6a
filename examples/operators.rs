//! The operators beyond the six on the case studies, as Markdown: verdicts, what guidelines find, how surely the mutants can be
//! killed, weak against strong kills, and which operators' tests kill the mutants of the others.
//!
//! `cargo run --release --example operators > results/operators/page.md`. Times go to standard error.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use fixedbitset::FixedBitSet;
use rayon::prelude::*;
use tamper::experiment::killing::{Candidate, KillGoal, Strategy, SuiteOptions, Target, candidates, generate};
use tamper::experiment::{Limits, Selection, Timer};
use tamper::formats::{ReadOptions, read_file};
use tamper::game::{Baseline, Scratch, Semantics, Specification, Verdict};
use tamper::guidelines::violated;
use tamper::model::Automaton;
use tamper::mutation::{MutantSpace, MutationOptions, Mutations, Operator, Order};
use tamper::reproduction::Study;
use tamper::suite::{CompiledTest, Pick, Refusals, Style, TestCase, Tester, greedy_cover, kills_weakly};
use tamper::text::Budget;

/// Under the table of verdicts.
const VERDICTS: &str = "\
Verdicts as `tamper classify --operators all` gives them (semantics strict). Bad: inconsistent or subsumed. By rule: named by a guideline, of the
six operators Lemmata 1 to 7 of [003], of the others G1 to G6 (`docs/notes/0013-other-operators.md`); none of them is non-subsumed. Besides: named by the
identity check of `--guidelines extended` only. Invalid: some run leaves the range of an integer or divides by 0, or the game is refused.
Killable, definitely: by some test, by a tester who makes every run fail. Weak, strong: of the smallest suite (greedy) that kills all that can be killed, how many
mutants it brings into another state than the specification ([002]), and how many fail it. Operators without a mutant of the study are left out.";

/// Under the table about other operators' tests.
const OTHERS: &str = "\
All studies together. One test per killable mutant, equal tests are one. Own tests kill: of all killable mutants, those that the tests made for this operator's mutants
kill. Killed by the others: of this operator's killable mutants, those that some test made for a mutant of another operator kills.";

/// Under the selective set.
const SELECTED: &str = "\
The sets that have a name; then, one operator after the other, the one whose tests kill most of what is not killed yet, or most of it per mutant of its own. Mutants are what has
to be classified, tests what has to be run.";

struct Bench {
    name: String,
    spec: Automaton,
    tester: Tester,
    timer: Timer,
}

/// What is found out about one study.
struct Found {
    all: Vec<Candidate>,
    tests: Vec<TestCase>,
    kills: Vec<FixedBitSet>,
    /// Per mutant: the position of the test that was made for it.
    test_of: Vec<Option<usize>>,
    definite: FixedBitSet,
    weak: FixedBitSet,
    strong: FixedBitSet,
}

impl Bench {
    fn new(name: &str, spec: Automaton) -> Option<Self> {
        let timer = Timer::new(Limits::default());
        let tester = Tester::new(&spec, &timer.budget()).ok()?;
        Some(Self {
            name: name.to_owned(),
            spec,
            tester,
            timer,
        })
    }

    fn options() -> MutationOptions {
        MutationOptions {
            operators: Operator::ALL.to_vec(),
            ..MutationOptions::default()
        }
    }

    fn wish(wanted: KillGoal) -> SuiteOptions {
        SuiteOptions {
            wanted,
            style: Style::Cooperative,
            pick: Pick::Earliest,
            strategy: Strategy::PerMutant,
            rounds: 1,
            refusals: Refusals::Error,
            linger: None,
            mutation: Self::options(),
            max_nodes: 5_000_000,
        }
    }

    fn find(&self) -> Found {
        let started = Instant::now();
        let space = MutantSpace::new(&self.spec, &Self::options(), Order::FIRST).expect("a few mutants");
        let selection = Selection::of(&space, None, 1).expect("all of them");
        let mut all =
            candidates(&space, &selection, &|_| true, &self.tester, &self.timer).expect("the mutants are there");
        all.retain(|candidate| candidate.subject.is_ok());
        let made = |wanted| {
            let made = generate(&self.tester, &all, &Self::wish(wanted), &self.timer, &|_| ());
            made.expect("no limit")
        };
        let (potential, definite) = (made(KillGoal::Potential), made(KillGoal::Definite));
        let position: BTreeMap<&str, usize> = potential
            .tests
            .iter()
            .enumerate()
            .map(|(at, test)| (test.id.as_str(), at))
            .collect();
        let test_of = |test: &Option<String>| test.as_ref().map(|id| position[id.as_str()]);
        let test_of: Vec<Option<usize>> = potential.mutants.iter().map(|mutant| test_of(&mutant.test)).collect();
        let target = Target::new(&self.tester, &all, &Self::wish(KillGoal::Potential));
        let kills = target.kills(&potential.tests, &self.timer).expect("no limit");
        let mut surely = FixedBitSet::with_capacity(all.len());
        surely.extend((0..all.len()).filter(|at| definite.mutants[*at].killable == "definite"));
        let chosen = greedy_cover(&kills, &vec![1; kills.len()]).tests;
        let strong = union(chosen.iter().map(|at| &kills[*at]), all.len());
        let weak = self.weak(&all, chosen.iter().map(|at| &potential.tests[*at]));
        assert!(strong.is_subset(&weak), "a strong kill is a weak one");
        eprintln!("{}: {} mutants, {:.1?}", self.name, all.len(), started.elapsed());
        Found {
            test_of,
            definite: surely,
            weak,
            strong,
            tests: potential.tests,
            kills,
            all,
        }
    }

    fn weak<'t>(&self, all: &[Candidate], tests: impl Iterator<Item = &'t TestCase>) -> FixedBitSet {
        let budget = Budget::unlimited();
        let compiled: Vec<CompiledTest> = tests
            .map(|test| CompiledTest::in_own_unit(test).expect("small"))
            .collect();
        let is_killed = |candidate: &Candidate| {
            let subject = candidate.subject.as_ref().expect("those without a state were left out");
            let kills = |test| kills_weakly(test, self.tester.spec(), subject, &budget).expect("no limit");
            compiled.iter().any(kills)
        };
        let killed: Vec<bool> = all.par_iter().map(is_killed).collect();
        let mut found = FixedBitSet::with_capacity(all.len());
        found.extend((0..all.len()).filter(|at| killed[*at]));
        found
    }
}

fn union<'r>(rows: impl Iterator<Item = &'r FixedBitSet>, n: usize) -> FixedBitSet {
    let mut all = FixedBitSet::with_capacity(n);
    rows.for_each(|row| all.union_with(row));
    all
}

/// Counts of the mutants of one operator.
#[derive(Default)]
struct Verdicts {
    total: usize,
    inconsistent: usize,
    subsumed: usize,
    no_meaning: usize,
    by_rule: usize,
    identified: usize,
}

impl Verdicts {
    fn of(bench: &Bench, operator: Operator) -> Self {
        let budget = Budget::unlimited();
        let judge = Specification::prepare(&bench.spec, Semantics::STRICT, &budget).expect("it is consistent");
        let n_actions = bench.spec.actions().len();
        let baseline = Baseline::of(&bench.spec, n_actions, Semantics::STRICT, &budget).expect("it has a meaning");
        let mut verdicts = Self::default();
        let mut scratch = Scratch::default();
        for mutation in Mutations::of(&bench.spec, &MutationOptions::only(operator)).iter() {
            verdicts.total += 1;
            let mutant = mutation.apply(&bench.spec);
            let Ok(decision) = judge.decide(&mutant, &budget, &mut scratch) else {
                verdicts.no_meaning += 1;
                continue;
            };
            let is_bad = decision.verdict != Verdict::NonSubsumed;
            verdicts.inconsistent += usize::from(decision.verdict == Verdict::Inconsistent);
            verdicts.subsumed += usize::from(decision.verdict == Verdict::Subsumed);
            let contained = |baseline: &Baseline| baseline.contains(&mutant, &budget).expect("it has a meaning");
            if let Some(rule) = violated(&bench.spec, &mutation) {
                assert!(is_bad, "{rule} names {}", mutation.id(&bench.spec));
                verdicts.by_rule += 1;
            } else if baseline.as_ref().and_then(contained).is_some() {
                assert!(is_bad, "the identity check names {}", mutation.id(&bench.spec));
                verdicts.identified += 1;
            }
        }
        verdicts
    }
}

fn of_operator(found: &Found, operator: Operator) -> FixedBitSet {
    let mut own = FixedBitSet::with_capacity(found.all.len());
    own.extend((0..found.all.len()).filter(|at| found.all[*at].operators == [operator.into()]));
    own
}

fn verdicts(bench: &Bench, found: &Found) {
    println!("\n### {}\n", bench.name);
    println!(
        "| operator | mutants | bad | inconsistent | by rule | besides | invalid | killable | definitely | weak | strong |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    let killable = union(found.kills.iter(), found.all.len());
    let mut sums = [0; 10];
    for operator in Operator::ALL {
        let verdicts = Verdicts::of(bench, operator);
        if verdicts.total == 0 {
            continue;
        }
        let own = of_operator(found, operator);
        let count = |set: &FixedBitSet| own.intersection(set).count();
        let row = [
            verdicts.total,
            verdicts.inconsistent + verdicts.subsumed,
            verdicts.inconsistent,
            verdicts.by_rule,
            verdicts.identified,
            verdicts.no_meaning,
            count(&killable),
            count(&found.definite),
            count(&found.weak),
            count(&found.strong),
        ];
        print_row(operator.name(), &row);
        sums.iter_mut().zip(row).for_each(|(sum, n)| *sum += n);
    }
    print_row("all", &sums);
}

fn print_row(name: &str, cells: &[usize]) {
    let cells: Vec<String> = cells.iter().map(usize::to_string).collect();
    println!("| {name} | {} |", cells.join(" | "));
}

/// The tests of some operators, by position.
fn tests_of(found: &Found, operators: &[Operator]) -> BTreeSet<usize> {
    let of = |at: &usize| operators.contains(&found.all[*at].operators[0].operator);
    (0..found.all.len())
        .filter(of)
        .filter_map(|at| found.test_of[at])
        .collect()
}

fn killed_by(found: &Found, operators: &[Operator]) -> FixedBitSet {
    let tests = tests_of(found, operators);
    union(tests.iter().map(|at| &found.kills[*at]), found.all.len())
}

fn percent(part: usize, whole: usize) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{}.{} %", part * 100 / whole, part * 1000 / whole % 10),
    }
}

fn others(all: &[Found]) {
    println!("| operator | mutants | killable | tests | own tests kill | killed by the others' tests |");
    println!("|---|---:|---:|---:|---:|---:|");
    let killable: usize = all
        .iter()
        .map(|found| union(found.kills.iter(), found.all.len()).count_ones(..))
        .sum();
    for operator in Operator::ALL {
        let rest: Vec<Operator> = Operator::ALL.into_iter().filter(|other| *other != operator).collect();
        let mut row = [0; 5];
        for found in all {
            let own = of_operator(found, operator);
            let can = union(found.kills.iter(), found.all.len());
            row[0] += own.count_ones(..);
            row[1] += own.intersection(&can).count();
            row[2] += tests_of(found, &[operator]).len();
            row[3] += killed_by(found, &[operator]).count_ones(..);
            row[4] += own.intersection(&killed_by(found, &rest)).count();
        }
        println!(
            "| {operator} | {} | {} | {} | {} | {} |",
            row[0],
            row[1],
            row[2],
            percent(row[3], killable),
            percent(row[4], row[1])
        );
    }
}

fn selected(all: &[Found]) {
    println!("| operators | mutants | tests | killed of all killable | of those of the six | of the others |");
    println!("|---|---:|---:|---:|---:|---:|");
    let killable: Vec<FixedBitSet> = all
        .iter()
        .map(|found| union(found.kills.iter(), found.all.len()))
        .collect();
    let n_mutants = |operators: &[Operator]| -> usize {
        let of = |found: &Found| {
            found
                .all
                .iter()
                .filter(|one| operators.contains(&one.operators[0].operator))
                .count()
        };
        all.iter().map(of).sum()
    };
    let n_killed = |operators: &[Operator], of: &dyn Fn(Operator) -> bool| -> (usize, usize) {
        let mut counts = (0, 0);
        for (found, killable) in all.iter().zip(&killable) {
            let killed = killed_by(found, operators);
            for at in killable.ones().filter(|at| of(found.all[*at].operators[0].operator)) {
                counts.0 += usize::from(killed.contains(at));
                counts.1 += 1;
            }
        }
        counts
    };
    let line = |name: &str, operators: &[Operator]| {
        let tests: usize = all.iter().map(|found| tests_of(found, operators).len()).sum();
        let share = |of: &dyn Fn(Operator) -> bool| {
            let (part, whole) = n_killed(operators, of);
            percent(part, whole)
        };
        println!(
            "| {name} | {} | {tests} | {} | {} | {} |",
            n_mutants(operators),
            share(&|_| true),
            share(&|operator| operator.is_paper()),
            share(&|operator| !operator.is_paper())
        );
    };
    for (name, operators) in Operator::PRESETS {
        line(name, operators);
    }
    for (title, per_mutant) in [("**most first**", false), ("**most per mutant first**", true)] {
        println!("| {title} | | | | | |");
        select(all, (&n_mutants, &n_killed), per_mutant, &line);
    }
}

/// How many mutants some operators have.
type Cost<'a> = &'a dyn Fn(&[Operator]) -> usize;
/// How many mutants of the operators asked for the tests of the chosen ones kill, and how many can be killed.
type Kills<'a> = &'a dyn Fn(&[Operator], &dyn Fn(Operator) -> bool) -> (usize, usize);

/// Adds one operator after the other, until their tests kill everything.
fn select(
    all: &[Found],
    (n_mutants, n_killed): (Cost<'_>, Kills<'_>),
    per_mutant: bool,
    line: &dyn Fn(&str, &[Operator]),
) {
    let mut chosen: Vec<Operator> = Vec::new();
    let is_used = |operator: Operator| all.iter().any(|found| !tests_of(found, &[operator]).is_empty());
    loop {
        let (before, whole) = n_killed(&chosen, &|_| true);
        if before == whole {
            break;
        }
        let rest = Operator::ALL.into_iter();
        let rest = rest.filter(|operator| !chosen.contains(operator) && is_used(*operator));
        let gains = rest.map(|operator| {
            let (after, _) = n_killed(&[&chosen[..], &[operator]].concat(), &|_| true);
            let cost = n_mutants(&[operator]);
            let worth = match per_mutant {
                true => (after - before) * 1_000_000 / cost,
                false => after,
            };
            (worth, std::cmp::Reverse(cost), operator)
        });
        let (_, _, best) = gains.max().expect("all tests together kill everything");
        chosen.push(best);
        let name = match chosen.len() {
            1 => best.name().to_owned(),
            _ => format!("+ {best}"),
        };
        line(&name, &chosen);
    }
}

fn main() {
    let mut benches: Vec<Bench> = Vec::new();
    for study in &Study::ALL {
        let game = study.game().expect("the study is read");
        benches.push(Bench::new(study.title, game).expect("the studies are deterministic"));
    }
    for name in ["lamp", "ints-and-parameters", "order-two-redundant-edges-meet"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("uppaal-models/{name}.xml"));
        let (document, _) = read_file(&file, &ReadOptions::default()).expect("a model");
        for game in document.automata() {
            benches.extend(Bench::new(&format!("{name}, {}", game.name()), game.clone()));
        }
    }
    println!("# Operators beyond the six\n");
    println!(
        "What do operators beyond the six find?\n\nFaults that tests for the six miss: these kill about six in seven of all mutants that can be killed, and guidelines name no mutant wrongly.\n"
    );
    println!(
        "Made by `results/operators/make.sh` (`examples/operators.rs`). What each operator does: `docs/book/src/operators.md`.\n"
    );
    println!("## Verdicts and kills\n");
    println!("{VERDICTS}");
    let all: Vec<Found> = benches.iter().map(Bench::find).collect();
    for (bench, found) in benches.iter().zip(&all) {
        verdicts(bench, found);
    }
    println!("\n## Whose tests kill whose mutants\n");
    println!("{OTHERS}\n");
    others(&all);
    println!("\n## Few operators for all\n");
    println!("{SELECTED}\n");
    selected(&all);
    let n_tests: usize = all.iter().map(|found| found.tests.len()).sum();
    println!("\nAll {n_tests} tests of all operators kill every killable mutant.");
}
