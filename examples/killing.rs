//! Suites for the six case studies, as Markdown: how many tests and steps each strategy needs, how sure the kills are, the
//! coupling effect, and what was checked on the way. Times go to standard error.
//!
//! `cargo run --release --example killing [PLAYS [SAMPLE]] > results/killing/page.md`: PLAYS random plays of each test
//! against the specification (10,000 if not given), SAMPLE mutants of order 2 per study (2,000).

use std::time::{Duration, Instant};

use fixedbitset::FixedBitSet;
use rayon::prelude::*;
use tamper::experiment::killing::{Candidate, KillGoal, Strategy, SuiteOptions, Target, candidates, generate};
use tamper::experiment::{Limits, Sample, Selection, Timer};
use tamper::features::Random;
use tamper::formats::suite_json::SuiteMutant;
use tamper::game::{Scratch, Semantics, Specification, Verdict, analyse};
use tamper::model::{Automaton, Role};
use tamper::mutation::{MutantSpace, MutationOptions, Operator, Order};
use tamper::reproduction::Study;
use tamper::suite::{
    CompiledTest, Opponent, Pick, Style, Subject, TestCase, Tester, greedy_cover, kills_weakly, minimum_cover,
    one_by_one, simulate,
};

/// Under the first table.
const ORDER_ONE: &str = "\
Killable: some run fails a test; definitely: the tester can make every run fail; blindly: one word of inputs and delays, whatever is
seen, does so (`docs/notes/0012-blind.md`). Per mutant: equal tests are one. Greedy and
minimum choose among these. Killable mutants are the non-subsumed ones and, in CAS, three subsumed ones that have two answers to an
input, one of them wrong (CXS on the guards of edges into the sink). Every test begins with a reset: on the fly, tests are led on
for other mutants instead, so that there may be fewer than the fewest of the tests per mutant. Of all tests: `--strategy fewest`, each test one
trace that goes on as long as it shows another mutant (the tests of the columns before branch: in ACCEL two of them stand for more
traces); needed: the number of mutants of which no two are shown by one trace (`docs/notes/0015-smallest-suites.md`).";

/// Under the table of weak kills.
const WEAK: &str = "\
None of the six operators changes where an edge leads or what it resets, so a mutant's state differs from the specification's only after a failure, or
after another edge of the same action was taken, which three mutants of CAS do that no test can kill.";

const MAX_NODES: u64 = 5_000_000;

struct Bench {
    name: &'static str,
    spec: Automaton,
    tester: Tester,
    timer: Timer,
}

impl Bench {
    fn of(study: &Study) -> Self {
        let spec = study.game().expect("the study is read");
        let timer = Timer::new(Limits::default());
        Self {
            name: study.title,
            tester: Tester::new(&spec, &timer.budget()).expect("the studies are deterministic"),
            spec,
            timer,
        }
    }
    fn candidates(&self, order: Order, sample: Option<Sample>) -> Vec<Candidate> {
        let space = MutantSpace::new(&self.spec, &MutationOptions::default(), order).expect("a few mutants");
        let selection = Selection::of(&space, sample, 1).expect("a sample of pairs");
        candidates(&space, &selection, &|_| true, &self.tester, &self.timer).expect("the mutants are there")
    }
    fn tests(&self, candidates: &[Candidate], wish: &SuiteOptions) -> Vec<TestCase> {
        let made = generate(&self.tester, candidates, wish, &self.timer, &|_| ());
        made.expect("no limit").tests
    }
    fn kills(&self, candidates: &[Candidate], tests: &[TestCase]) -> Vec<FixedBitSet> {
        let target = Target::new(
            &self.tester,
            candidates,
            &wish(KillGoal::Potential, Strategy::PerMutant),
        );
        target.kills(tests, &self.timer).expect("no limit")
    }
    /// Which candidates are non-subsumed by Definition 7.
    fn non_subsumed(&self, candidates: &[Candidate]) -> FixedBitSet {
        let budget = self.timer.budget();
        let judge = Specification::prepare(&self.spec, Semantics::DEFINITION, &budget).expect("it is consistent");
        let verdicts: Vec<Verdict> = candidates
            .par_iter()
            .map_init(Scratch::default, |scratch, candidate| {
                let decided = judge.decide(automaton(candidate), &budget, scratch);
                decided.expect("it has a meaning").verdict
            })
            .collect();
        let mut found = FixedBitSet::with_capacity(candidates.len());
        found.extend((0..candidates.len()).filter(|at| verdicts[*at] == Verdict::NonSubsumed));
        found
    }
}

fn wish(wanted: KillGoal, strategy: Strategy) -> SuiteOptions {
    SuiteOptions {
        wanted,
        style: Style::Cooperative,
        pick: Pick::Earliest,
        strategy,
        mutation: MutationOptions::default(),
        max_nodes: MAX_NODES,
        rounds: 1,
        refusals: tamper::suite::Refusals::Error,
        linger: None,
    }
}

fn union(rows: &[FixedBitSet], n: usize) -> FixedBitSet {
    let mut all = FixedBitSet::with_capacity(n);
    rows.iter().for_each(|row| all.union_with(row));
    all
}

fn steps<'t>(tests: impl IntoIterator<Item = &'t TestCase>) -> usize {
    tests.into_iter().map(TestCase::n_steps).sum()
}

fn automaton(candidate: &Candidate) -> &Automaton {
    candidate.automaton.as_ref().expect("it is no mutant of a network")
}

/// Whether some state of the mutant has two answers to an input.
fn chooses_an_answer(candidate: &Candidate) -> bool {
    let analysis = analyse(automaton(candidate), &tamper::text::Budget::unlimited());
    let analysis = analysis.expect("it has a meaning").expect("no limit");
    let mut overlaps = analysis.overlaps.iter();
    overlaps.any(|overlap| automaton(candidate).role(overlap.first) == Role::Input)
}

/// How the plays of `tests` against the specification end: pass, inconclusive, stalled. None may fail.
fn play(bench: &Bench, tests: &[TestCase], plays: usize) -> [usize; 3] {
    let counts = tests.par_iter().enumerate().map(|(at, test)| {
        let compiled = CompiledTest::in_own_unit(test).expect("small numbers");
        let opponent = Opponent::new(bench.tester.spec(), &compiled).expect("small numbers");
        let mut random = Random::new(at as u64);
        let mut counts = [0; 3];
        for _ in 0..plays {
            let ends = simulate(&compiled, &opponent, &mut random);
            assert!(!ends.can_fail(), "{} fails on the specification", test.id);
            counts[0] += usize::from(ends.pass);
            counts[1] += usize::from(ends.inconclusive);
            counts[2] += usize::from(ends.stalled);
        }
        counts
    });
    counts.reduce(|| [0; 3], |a, b| [a[0] + b[0], a[1] + b[1], a[2] + b[2]])
}

/// What the strategies take, in seconds of wall time.
struct Times {
    name: &'static str,
    generated: Duration,
    fly: Duration,
    family: Duration,
    one_by_one: Duration,
    least: Duration,
    walks: Duration,
}

fn order_one(benches: &[Bench]) -> Vec<Times> {
    let mut times = Vec::new();
    println!(
        "| study | mutants | killable | definitely | blindly | per mutant | on the fly | greedy | minimum | lower bound | score | of all tests | needed |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for bench in benches {
        let started = Instant::now();
        let all = bench.candidates(Order::FIRST, None);
        let potential = bench.tests(&all, &wish(KillGoal::Potential, Strategy::PerMutant));
        let generated = started.elapsed();
        let definite = generate(
            &bench.tester,
            &all,
            &wish(KillGoal::Definite, Strategy::PerMutant),
            &bench.timer,
            &|_| (),
        );
        let definite = definite.expect("no limit");
        let n_definite = definite
            .mutants
            .iter()
            .filter(|mutant| mutant.killable == "definite")
            .count();
        let n_unknown = definite
            .mutants
            .iter()
            .filter(|mutant| mutant.killable == "unknown")
            .count();
        assert_eq!(n_unknown, 0);
        let n_blind = n_blind(bench, &all, &definite.mutants);
        let started = Instant::now();
        let matrix = bench.kills(&all, &potential);
        let family = started.elapsed();
        let started = Instant::now();
        let subjects: Vec<Option<Subject>> = all
            .iter()
            .map(|one| one.subject.as_ref().ok().map(|subject| (**subject).clone()))
            .collect();
        let single = one_by_one(&potential, &subjects, &bench.timer.budget()).expect("no limit");
        let one_by_one_time = started.elapsed();
        assert!(single.can_fail == matrix, "family-based and one-by-one execution agree");
        let killed = union(&matrix, all.len());
        let mut odd = bench.non_subsumed(&all);
        odd.symmetric_difference_with(&killed);
        assert!(
            odd.ones().all(|at| chooses_an_answer(&all[at])),
            "killed is non-subsumed"
        );
        let started = Instant::now();
        let fly = bench.tests(&all, &wish(KillGoal::Potential, Strategy::OnTheFly));
        let fly_time = started.elapsed();
        assert_eq!(union(&bench.kills(&all, &fly), all.len()), killed);
        let started = Instant::now();
        let walks = generate(
            &bench.tester,
            &all,
            &wish(KillGoal::Potential, Strategy::Fewest),
            &bench.timer,
            &|_| (),
        );
        let walks = walks.expect("no limit");
        let walks_time = started.elapsed();
        assert_eq!(union(&bench.kills(&all, &walks.tests), all.len()), killed);
        let ones = vec![1; potential.len()];
        let greedy = greedy_cover(&matrix, &ones);
        let started = Instant::now();
        let least = minimum_cover(&matrix, &ones, MAX_NODES);
        let least_time = started.elapsed();
        let chosen = |cover: &tamper::suite::Cover| {
            let kept: Vec<&TestCase> = cover.tests.iter().map(|at| &potential[*at]).collect();
            assert_eq!(
                union(
                    &cover.tests.iter().map(|at| matrix[*at].clone()).collect::<Vec<_>>(),
                    all.len()
                ),
                killed
            );
            format!("{} / {}", kept.len(), steps(kept))
        };
        println!(
            "| {} | {} | {} | {n_definite} | {n_blind} | {} / {} | {} / {} | {} | {} | {}{} | 100 % | {} / {} | {} |",
            bench.name,
            all.len(),
            killed.count_ones(..),
            potential.len(),
            steps(&potential),
            fly.len(),
            steps(&fly),
            chosen(&greedy),
            chosen(&least),
            least.lower_bound,
            if least.proved { "" } else { " (not proved)" },
            walks.tests.len(),
            steps(&walks.tests),
            walks.bound.map_or(0, |(bound, _)| bound),
        );
        eprintln!(
            "{}: {} subsumed with a choice of answers",
            bench.name,
            odd.count_ones(..)
        );
        times.push(Times {
            name: bench.name,
            generated,
            fly: fly_time,
            family,
            one_by_one: one_by_one_time,
            least: least_time,
            walks: walks_time,
        });
    }
    times
}

/// How many of the mutants a word of inputs and delays kills; `definite` says of them whether some tester makes every run fail.
fn n_blind(bench: &Bench, all: &[Candidate], definite: &[SuiteMutant]) -> usize {
    let wish = wish(KillGoal::Blind, Strategy::PerMutant);
    let blind = generate(&bench.tester, all, &wish, &bench.timer, &|_| ()).expect("no limit");
    assert_eq!(blind.open_blind(), 0, "of every mutant it is known");
    let kills = |mutant: &&SuiteMutant| mutant.killable == "blind";
    let pairs = blind.mutants.iter().zip(definite);
    assert!(
        pairs
            .filter(|(mutant, _)| kills(mutant))
            .all(|(_, definite)| definite.killable == "definite"),
        "blind implies definite"
    );
    blind.mutants.iter().filter(kills).count()
}

fn seconds(times: &[Times]) {
    println!(
        "| study | per mutant | on the fly | kill matrix as a family | one by one | minimum from the matrix | of all tests |"
    );
    println!("|---|---|---|---|---|---|---|");
    for time in times {
        println!(
            "| {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} |",
            time.name,
            time.generated.as_secs_f64(),
            time.fly.as_secs_f64(),
            time.family.as_secs_f64(),
            time.one_by_one.as_secs_f64(),
            time.least.as_secs_f64(),
            time.walks.as_secs_f64(),
        );
    }
}

fn coupling(benches: &[Bench]) {
    println!("| study | tests from CXL, CXS | kill of their own | of CCN | of TMI | of TAD | of SMI | of all others |");
    println!("|---|---|---|---|---|---|---|---|");
    for bench in benches {
        let all = bench.candidates(Order::FIRST, None);
        let is_constant =
            |one: &Candidate| one.operators == [Operator::Cxl.into()] || one.operators == [Operator::Cxs.into()];
        let constants: Vec<Candidate> = all.iter().filter(|one| is_constant(one)).cloned().collect();
        let tests = bench.tests(&constants, &wish(KillGoal::Potential, Strategy::PerMutant));
        let killed = union(&bench.kills(&all, &tests), all.len());
        let every = bench.tests(&all, &wish(KillGoal::Potential, Strategy::PerMutant));
        let killable = union(&bench.kills(&all, &every), all.len());
        let share = |wanted: &dyn Fn(&Candidate) -> bool| {
            let of = |set: &FixedBitSet| set.ones().filter(|at| wanted(&all[*at])).count();
            match of(&killable) {
                0 => "-".to_owned(),
                n => format!("{} of {n}", of(&killed)),
            }
        };
        let by = |operator: Operator| share(&move |one: &Candidate| one.operators == [operator.into()]);
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            bench.name,
            tests.len(),
            share(&is_constant),
            by(Operator::Ccn),
            by(Operator::Tmi),
            by(Operator::Tad),
            by(Operator::Smi),
            share(&|one: &Candidate| !is_constant(one)),
        );
    }
}

/// Which mutants the suite on the fly kills weakly (another state is reached), and which strongly (it is seen).
fn weak_and_strong(benches: &[Bench]) {
    println!(
        "| study | mutants | weakly killed | killed | weakly killed, not killable | kills per test, weak | strong |"
    );
    println!("|---|---|---|---|---|---|---|");
    for bench in benches {
        let started = Instant::now();
        let all = bench.candidates(Order::FIRST, None);
        let tests = bench.tests(&all, &wish(KillGoal::Potential, Strategy::OnTheFly));
        let strong = bench.kills(&all, &tests);
        let budget = tamper::text::Budget::unlimited();
        let weak: Vec<FixedBitSet> = tests
            .par_iter()
            .map(|test| {
                let compiled = CompiledTest::in_own_unit(test).expect("small numbers");
                let kills = |one: &Candidate| {
                    let subject = one.subject.as_ref().expect("it has a state");
                    kills_weakly(&compiled, bench.tester.spec(), subject, &budget).expect("no limit")
                };
                let mut row = FixedBitSet::with_capacity(all.len());
                row.extend((0..all.len()).filter(|at| kills(&all[*at])));
                row
            })
            .collect();
        let mut pairs = strong.iter().zip(&weak);
        assert!(
            pairs.all(|(strong, weak)| strong.is_subset(weak)),
            "a strong kill is a weak one"
        );
        let (weakly, strongly) = (union(&weak, all.len()), union(&strong, all.len()));
        let mean = |rows: &[FixedBitSet]| {
            let kills: usize = rows.iter().map(|row| row.count_ones(..)).sum();
            format!("{}.{}", kills / rows.len(), 10 * (kills % rows.len()) / rows.len())
        };
        println!(
            "| {} | {} | {} | {} | {} | {} | {} |",
            bench.name,
            all.len(),
            weakly.count_ones(..),
            strongly.count_ones(..),
            weakly.difference(&strongly).count(),
            mean(&weak),
            mean(&strong),
        );
        eprintln!("{}: weak kills {:.2?}", bench.name, started.elapsed());
    }
}

fn plays(benches: &[Bench], plays: usize) {
    println!("| study | tests | plays | pass | inconclusive | stalled | fail |");
    println!("|---|---|---|---|---|---|---|");
    for bench in benches {
        let started = Instant::now();
        let all = bench.candidates(Order::FIRST, None);
        let mut tests = bench.tests(&all, &wish(KillGoal::Both, Strategy::PerMutant));
        tests.extend(bench.tests(&all, &wish(KillGoal::Potential, Strategy::PerMutant)));
        let [pass, inconclusive, stalled] = play(bench, &tests, plays);
        let n = tests.len();
        println!(
            "| {} | {n} | {} | {pass} | {inconclusive} | {stalled} | 0 |",
            bench.name,
            n * plays
        );
        eprintln!("{}: plays {:.2?}", bench.name, started.elapsed());
    }
}

fn order_two(benches: &[Bench], sample: u64) {
    println!(
        "| study | mutants | non-subsumed | killed | subsumed and killed (a choice of answers to an input) | tests | steps |"
    );
    println!("|---|---|---|---|---|---|---|");
    for bench in benches {
        let started = Instant::now();
        let all = bench.candidates(Order::SECOND, Some(Sample::Count(sample)));
        let tests = bench.tests(&all, &wish(KillGoal::Potential, Strategy::PerMutant));
        let killed = union(&bench.kills(&all, &tests), all.len());
        let non_subsumed = bench.non_subsumed(&all);
        assert!(non_subsumed.is_subset(&killed), "every non-subsumed mutant is killed");
        let mut odd = killed.clone();
        odd.difference_with(&non_subsumed);
        assert!(
            odd.ones().all(|at| chooses_an_answer(&all[at])),
            "no other subsumed mutant is killed"
        );
        println!(
            "| {} | {} | {} | {} | {} | {} | {} |",
            bench.name,
            all.len(),
            non_subsumed.count_ones(..),
            killed.count_ones(..),
            odd.count_ones(..),
            tests.len(),
            steps(&tests),
        );
        eprintln!("{}: order 2 {:.2?}", bench.name, started.elapsed());
    }
}

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .map(|word| word.parse::<u64>().expect("a number"));
    let n_plays = usize::try_from(numbers.next().unwrap_or(10_000)).expect("a small number");
    let sample = numbers.next().unwrap_or(2_000);
    let benches: Vec<Bench> = Study::ALL.iter().map(Bench::of).collect();
    println!("# Suites for the case studies\n");
    println!(
        "How many tests kill all mutants of the case studies that can be killed?\n\nFrom 1 to 66 tests of single mutants per study, or from 1 to 53 that go on as long as they can.\n"
    );
    println!(
        "Made by `cargo run --release --example killing`; what the columns mean is in `docs/notes/0010-killing.md`."
    );
    println!("Every kill matrix was computed twice, family-based and one by one, with the same result.\n");
    println!("## Order 1: tests / steps of each strategy\n");
    let times = order_one(&benches);
    println!();
    println!("{ORDER_ONE}");
    println!("\n## Seconds (wall time, of one run)\n");
    seconds(&times);
    println!("\n## The coupling effect: tests made for CXL and CXS mutants against all others\n");
    coupling(&benches);
    println!("\n## Weak and strong kills of the suite on the fly\n");
    weak_and_strong(&benches);
    println!();
    println!("{WEAK}");
    println!("\n## Random plays of every test against the specification\n");
    plays(&benches, n_plays);
    println!("\n## Order 2: a seeded sample per study\n");
    order_two(&benches, sample);
}
