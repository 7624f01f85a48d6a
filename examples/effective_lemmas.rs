//! Lemmata 8 to 14 of [003] against the game: on the six studies and on all small games.
//!
//! Prints the tables that `docs/notes/0003-statically-non-subsumed.md` quotes: `cargo run --release --example effective_lemmas`.

mod small_games;

use std::collections::BTreeMap;
use std::error::Error;

use rayon::prelude::*;
use small_games::{Family, Size, atoms, size, text};
use tamper::experiment::Effective;
use tamper::game::{Scratch, Semantics, Specification, Verdict, analyse};
use tamper::guidelines::{Lemma, Reading, effective};
use tamper::model::{Automaton, Cmp};
use tamper::mutation::{MutationOptions, Mutations};
use tamper::reproduction::Study;
use tamper::text::Budget;

const SEMANTICS: [Semantics; 3] = [Semantics::DEFINITION, Semantics::STRICT, Semantics::TIGA];

type Any = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Any> {
    println!(
        "# Lemmata 8 to 14, as printed and as needed\n\nAre Lemmata 8 to 14 of [003] right about which mutants are non-subsumed?\n\nNot as printed; with the hypotheses that they need all that they name in the studies is non-subsumed by Definition 7.\n\nMade by `results/effective-lemmata/make.sh`.\n"
    );
    studies()?;
    let guards = [Cmp::Le, Cmp::Ge, Cmp::Eq];
    let bounds = [Cmp::Le, Cmp::Ge];
    let strict = [Cmp::Le, Cmp::Ge, Cmp::Lt, Cmp::Gt, Cmp::Eq];
    let families = [
        Family {
            n_locations: 1,
            n_edges: 1,
            guards: atoms(&strict, &[0, 1, 2]),
            invariants: atoms(&strict[..4], &[0, 1, 2]),
        },
        Family {
            n_locations: 1,
            n_edges: 2,
            guards: atoms(&strict, &[0, 1, 2]),
            invariants: atoms(&strict[..4], &[0, 1, 2]),
        },
        Family {
            n_locations: 2,
            n_edges: 1,
            guards: atoms(&strict, &[0, 1, 2]),
            invariants: atoms(&strict[..4], &[0, 1, 2]),
        },
        Family {
            n_locations: 2,
            n_edges: 2,
            guards: atoms(&guards, &[1, 2]),
            invariants: atoms(&bounds, &[1, 2]),
        },
        Family {
            n_locations: 2,
            n_edges: 3,
            guards: atoms(&guards[..2], &[2]),
            invariants: atoms(&bounds, &[2]),
        },
        Family {
            n_locations: 3,
            n_edges: 2,
            guards: atoms(&bounds, &[1, 2]),
            invariants: atoms(&bounds, &[1, 2]),
        },
    ];
    let mut all = Tally::default();
    println!("\n## All small games\n\n| locations | edges | games | deterministic, non-redundant |\n|---|---|---|---|");
    for family in &families {
        let judge = |tally: Result<Tally, Any>, number| tally?.with(family.get(number).as_ref());
        let tally = (0..family.len())
            .into_par_iter()
            .fold(|| Ok(Tally::default()), judge)
            .reduce(|| Ok(Tally::default()), |a, b| Ok(a?.plus(b?)))?;
        println!(
            "| {} | {} | {} | {} |",
            family.n_locations, family.n_edges, tally.games, tally.judged
        );
        all = all.plus(tally);
    }
    all.print();
    Ok(())
}

fn studies() -> Result<(), Any> {
    println!("## The six studies, order 1\n");
    println!(
        "A cell `n: d/s/t` is: n mutants are called non-subsumed, and d, s, t of them are under definition, strict, tiga.\n"
    );
    println!(
        "| study | non-redundant | mutants | non-subsumed d/s/t | as printed | hypotheses as stated | hypotheses needed |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut by_lemma = BTreeMap::<Lemma, [Counts; 3]>::new();
    let mut missed = Vec::new();
    let (mut all, mut all_non_subsumed, mut all_readings) = (0, [0; 3], [Counts::default(); 3]);
    for study in Study::ALL {
        let original = study.game()?;
        let budget = Budget::unlimited();
        let known = Effective::of(&original, &budget)?.map_err(|_| "no limit was set")?;
        let judges = SEMANTICS.map(|semantics| Specification::prepare(&original, semantics, &budget));
        let mut scratch = Scratch::default();
        let (mut total, mut non_subsumed, mut readings) = (0, [0; 3], [Counts::default(); 3]);
        for mutation in Mutations::of(&original, &MutationOptions::default()).iter() {
            let mutant = mutation.apply(&original);
            let mut is_non_subsumed = [false; 3];
            for (judge, verdict) in judges.iter().zip(&mut is_non_subsumed) {
                let judge = judge.as_ref().map_err(Clone::clone)?;
                *verdict = judge.decide(&mutant, &budget, &mut scratch)?.verdict == Verdict::NonSubsumed;
            }
            total += 1;
            for (count, is) in non_subsumed.iter_mut().zip(is_non_subsumed) {
                *count += u64::from(is);
            }
            let named = effective(&original, &mutation);
            let stated = known.lemma(&mutation, Reading::Stated, &budget)?;
            let needed = known.lemma(&mutation, Reading::Needed, &budget)?;
            for (reading, lemma) in [named, stated, needed].into_iter().enumerate() {
                if let Some(lemma) = lemma {
                    readings[reading].add(is_non_subsumed);
                    by_lemma.entry(lemma).or_default()[reading].add(is_non_subsumed);
                }
            }
            if is_non_subsumed[0] && needed.is_none() {
                missed.push(format!("{}: {}", study.folder, mutation.id(&original)));
            }
        }
        all += total;
        for (sum, count) in all_non_subsumed.iter_mut().zip(non_subsumed) {
            *sum += count;
        }
        for (sum, counts) in all_readings.iter_mut().zip(readings) {
            sum.plus(counts);
        }
        let [definition, strict, tiga] = non_subsumed;
        let [printed, stated, needed] = readings;
        let redundancy = if known.is_non_redundant() { "yes" } else { "no" };
        println!(
            "| {} | {redundancy} | {total} | {definition}/{strict}/{tiga} | {printed} | {stated} | {needed} |",
            study.title
        );
    }
    let [definition, strict, tiga] = all_non_subsumed;
    let [printed, stated, needed] = all_readings;
    println!("| all | | {all} | {definition}/{strict}/{tiga} | {printed} | {stated} | {needed} |");
    println!("\n| lemma | as printed | hypotheses as stated | hypotheses needed |\n|---|---|---|---|");
    for lemma in Lemma::ALL {
        let [printed, stated, needed] = by_lemma.remove(&lemma).unwrap_or_default();
        println!("| {lemma} | {printed} | {stated} | {needed} |");
    }
    println!(
        "\nNon-subsumed by definition, and no lemma with the hypotheses needed says so: {}",
        missed.len()
    );
    for id in missed {
        println!("- {id}");
    }
    Ok(())
}

/// How many mutants are called non-subsumed, and how many are, per semantics.
#[derive(Clone, Copy, Default)]
struct Counts {
    called: u64,
    right: [u64; 3],
}

impl Counts {
    fn plus(&mut self, other: Self) {
        self.called += other.called;
        for (sum, count) in self.right.iter_mut().zip(other.right) {
            *sum += count;
        }
    }
    fn add(&mut self, is_non_subsumed: [bool; 3]) {
        self.called += 1;
        for (count, is) in self.right.iter_mut().zip(is_non_subsumed) {
            *count += u64::from(is);
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [definition, strict, tiga] = self.right;
        write!(f, "{}: {definition}/{strict}/{tiga}", self.called)
    }
}

/// The readings of the search, in order.
const READINGS: [&str; 5] = [
    "printed",
    "stated",
    "corrected",
    "corrected, mutant non-redundant and deterministic",
    "needed",
];

/// What is called non-subsumed and what is not, by lemma and reading; under definition.
#[derive(Default)]
struct Tally {
    games: u64,
    judged: u64,
    called: BTreeMap<(Lemma, usize), u64>,
    wrong: BTreeMap<(Lemma, usize), (u64, Size, String)>,
    non_subsumed: u64,
    missed: u64,
    smallest_missed: Option<(Size, String)>,
}

impl Tally {
    fn with(mut self, game: Option<&Automaton>) -> Result<Self, Any> {
        let Some(game) = game else { return Ok(self) };
        self.games += 1;
        let budget = Budget::unlimited();
        let known = Effective::of(game, &budget)?.map_err(|_| "no limit was set")?;
        if !known.is_deterministic() || !known.is_non_redundant() {
            return Ok(self);
        }
        self.judged += 1;
        let judge = Specification::prepare(game, Semantics::DEFINITION, &budget)?;
        let mut scratch = Scratch::default();
        for mutation in Mutations::of(game, &MutationOptions::default()).iter() {
            let mutant = mutation.apply(game);
            let holds = judge.decide(&mutant, &budget, &mut scratch)?.verdict == Verdict::NonSubsumed;
            let needed = known.lemma(&mutation, Reading::Needed, &budget)?;
            self.non_subsumed += u64::from(holds);
            let what = || format!("{} under {}", text(game), mutation.id(game));
            if holds && needed.is_none() {
                self.missed += 1;
                let found = (size(game), what());
                if self.smallest_missed.as_ref().is_none_or(|known| found < *known) {
                    self.smallest_missed = Some(found);
                }
            }
            let Some(lemma) = effective(game, &mutation) else {
                continue;
            };
            let stated = known.lemma(&mutation, Reading::Stated, &budget)?.is_some();
            let corrected = known.lemma(&mutation, Reading::Corrected, &budget)?.is_some();
            let facts = analyse(&mutant, &budget)?.map_err(|_| "no limit was set")?;
            let mutant_fits = facts.unreachable.is_empty()
                && facts.dead_edges.is_empty()
                && facts.time_locks.is_empty()
                && facts.overlaps.is_empty();
            let called = [true, stated, corrected, corrected && mutant_fits, needed.is_some()];
            for (reading, called) in called.into_iter().enumerate() {
                if called {
                    *self.called.entry((lemma, reading)).or_default() += 1;
                }
                if called && !holds {
                    self.is_wrong((lemma, reading), (1, size(game), what()));
                }
            }
        }
        Ok(self)
    }

    fn is_wrong(&mut self, key: (Lemma, usize), (count, size, text): (u64, Size, String)) {
        let known = self.wrong.entry(key).or_insert_with(|| (0, size, text.clone()));
        known.0 += count;
        if (size, &text) < (known.1, &known.2) {
            (known.1, known.2) = (size, text);
        }
    }

    fn plus(mut self, other: Self) -> Self {
        self.games += other.games;
        self.judged += other.judged;
        self.non_subsumed += other.non_subsumed;
        self.missed += other.missed;
        for (key, count) in other.called {
            *self.called.entry(key).or_default() += count;
        }
        for (key, wrong) in other.wrong {
            self.is_wrong(key, wrong);
        }
        self.smallest_missed = [self.smallest_missed, other.smallest_missed]
            .into_iter()
            .flatten()
            .min();
        self
    }

    fn print(&self) {
        println!("\nA cell `n, w` is: n mutants are called non-subsumed, w of them wrongly (by definition).\n");
        println!("| lemma | {} |\n|---|---|---|---|---|---|", READINGS.join(" | "));
        for lemma in Lemma::ALL {
            let cell = |reading| {
                let called = self.called.get(&(lemma, reading)).unwrap_or(&0);
                let wrong = self.wrong.get(&(lemma, reading)).map_or(0, |wrong| wrong.0);
                format!("{called}, {wrong}")
            };
            println!("| {lemma} | {} |", [0, 1, 2, 3, 4].map(cell).join(" | "));
        }
        println!("\nThe smallest wrong ones:\n");
        for ((lemma, reading), (_, _, text)) in &self.wrong {
            println!("- {lemma}, {}: `{text}`", READINGS[*reading]);
        }
        println!(
            "\nOf {} mutants that are non-subsumed by definition, {} are not found with the hypotheses needed.",
            self.non_subsumed, self.missed
        );
        if let Some((_, text)) = &self.smallest_missed {
            println!("The smallest: `{text}`");
        }
    }
}
