//! Two mutations that each violate a guideline on the original: is their composition always subsumed by it?
//!
//! Searches all small games and the six studies; prints what `docs/notes/0004-composition-of-violations.md` quotes:
//! `cargo run --release --example composition`.

mod small_games;

use std::collections::BTreeMap;
use std::error::Error;

use rayon::prelude::*;
use small_games::{Family, Size, atoms, size, text};
use tamper::game::{GameError, Scratch, Semantics, Specification, Verdict};
use tamper::guidelines::{Rule, violated, violated_on_original};
use tamper::model::{Automaton, Cmp};
use tamper::mutation::{MutantSpace, Mutation, MutationOptions, Mutations, Order};
use tamper::reproduction::Study;
use tamper::text::Budget;

const SEMANTICS: [(&str, Semantics); 3] = [
    ("definition", Semantics::DEFINITION),
    ("strict", Semantics::STRICT),
    ("tiga", Semantics::TIGA),
];

type Any = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Any> {
    println!(
        "# Compositions of violations\n\nIs a mutant subsumed if guidelines name both of its mutations on the original?\n\nYes, each one of all small games and of the studies; of mutations that only the game finds subsumed that does not hold.\n\nMade by `results/composition/make.sh`.\n"
    );
    search()?;
    studies()
}

/// What names a mutation: a rule, or (`None`) only the game, which finds it subsumed or inconsistent.
type Class = Option<Rule>;

/// Sequences of two classes: how many, and how many are non-subsumed, with the smallest of these.
#[derive(Default)]
struct Pairs {
    games: u64,
    cells: BTreeMap<(Class, Class), (u64, u64)>,
    smallest: BTreeMap<(Class, Class), (Size, String)>,
}

impl Pairs {
    fn with(mut self, game: Option<&Automaton>, semantics: Semantics) -> Result<Self, Any> {
        let Some(game) = game else { return Ok(self) };
        let budget = Budget::unlimited();
        let judge = match Specification::prepare(game, semantics, &budget) {
            Ok(judge) => judge,
            Err(GameError::SpecInconsistent { .. }) => return Ok(self),
            Err(error) => return Err(error.into()),
        };
        self.games += 1;
        let mut scratch = Scratch::default();
        let mut is_bad = |mutant: &Automaton| -> Result<bool, GameError> {
            Ok(judge.decide(mutant, &budget, &mut scratch)?.verdict != Verdict::NonSubsumed)
        };
        let options = MutationOptions::default();
        let mut classes = Vec::<(Mutation, Class)>::new();
        for mutation in Mutations::of(game, &options).iter() {
            let rule = violated(game, &mutation);
            if rule.is_some() || is_bad(&mutation.apply(game))? {
                classes.push((mutation, rule));
            }
        }
        for (first, first_class) in &classes {
            let parent = first.apply(game);
            for second in Mutations::of(&parent, &options).iter() {
                let Some(lifted) = second.on_original(first, game) else {
                    continue;
                };
                // A constant that the original's own mutations leave alone (CXS to 0) has no class.
                let Some((_, class)) = classes.iter().find(|(known, _)| *known == lifted) else {
                    continue;
                };
                let key = (*first_class, *class);
                let cell = self.cells.entry(key).or_default();
                cell.0 += 1;
                if !is_bad(&second.apply(&parent))? {
                    cell.1 += 1;
                    let found = (
                        size(game),
                        format!("{} under {}; {}", text(game), first.id(game), second.id(&parent)),
                    );
                    if self.smallest.get(&key).is_none_or(|known| found < *known) {
                        self.smallest.insert(key, found);
                    }
                }
            }
        }
        Ok(self)
    }

    fn plus(mut self, other: Self) -> Self {
        self.games += other.games;
        for (key, (all, non_subsumed)) in other.cells {
            let cell = self.cells.entry(key).or_default();
            *cell = (cell.0 + all, cell.1 + non_subsumed);
        }
        for (key, found) in other.smallest {
            if self.smallest.get(&key).is_none_or(|known| found < *known) {
                self.smallest.insert(key, found);
            }
        }
        self
    }

    fn print(&self) {
        let classes: Vec<Class> = Rule::PUBLISHED.into_iter().map(Some).chain([None]).collect();
        let name = |class: &Class| class.map_or("game only", Rule::name);
        let names: Vec<_> = classes.iter().map(name).collect();
        println!(
            "| first \\ second | {} |\n|---|{}",
            names.join(" | "),
            "---|".repeat(names.len())
        );
        for first in &classes {
            let cell = |second: &Class| match self.cells.get(&(*first, *second)) {
                None => "–".to_owned(),
                Some((all, 0)) => all.to_string(),
                Some((all, non_subsumed)) => format!("{all}, **{non_subsumed}**"),
            };
            let cells: Vec<_> = classes.iter().map(cell).collect();
            println!("| {} | {} |", name(first), cells.join(" | "));
        }
        let named = |key: &(Class, Class)| key.0.is_some() && key.1.is_some();
        let sum = |wanted: &dyn Fn(&(Class, Class)) -> bool| {
            let cells = self.cells.iter().filter(|(key, _)| wanted(key));
            cells.fold((0, 0), |sum, (_, cell)| (sum.0 + cell.0, sum.1 + cell.1))
        };
        let (all, wrong) = sum(&named);
        println!("\nBoth named by a rule: {all} sequences, {wrong} non-subsumed.");
        let (all, wrong) = sum(&|key| !named(key));
        println!("One or both found subsumed by the game only: {all} sequences, {wrong} non-subsumed.\n");
        for ((first, second), (_, text)) in &self.smallest {
            println!("- {}, then {}: `{text}`", name(first), name(second));
        }
    }
}

fn families() -> Vec<Family> {
    let (guards, bounds) = ([Cmp::Le, Cmp::Ge, Cmp::Eq], [Cmp::Le, Cmp::Ge]);
    let family = |n_locations, n_edges, constants: &[i64]| Family {
        n_locations,
        n_edges,
        guards: atoms(&guards, constants),
        invariants: atoms(&bounds, constants),
    };
    vec![
        family(1, 1, &[0, 1, 2]),
        family(1, 2, &[0, 1, 2]),
        family(2, 1, &[0, 1, 2]),
        family(2, 2, &[2]),
    ]
}

fn search() -> Result<(), Any> {
    for (name, semantics) in SEMANTICS {
        let mut all = Pairs::default();
        println!("## All small games, {name}\n\n| locations | edges | games |\n|---|---|---|");
        for family in families() {
            let judge = |pairs: Result<Pairs, Any>, number| pairs?.with(family.get(number).as_ref(), semantics);
            let pairs = (0..family.len())
                .into_par_iter()
                .fold(|| Ok(Pairs::default()), judge)
                .reduce(|| Ok(Pairs::default()), |a, b| Ok(a?.plus(b?)))?;
            println!("| {} | {} | {} |", family.n_locations, family.n_edges, pairs.games);
            all = all.plus(pairs);
        }
        println!();
        all.print();
        println!();
    }
    Ok(())
}

/// Counts of the sequences of a study.
#[derive(Clone, Default)]
struct Detected {
    /// The gained, by the rules that name the two mutations on the original.
    gained_by: BTreeMap<(Rule, Rule), u64>,
    /// Named on the mutant only: the rule of the first, and that of the second on the mutant.
    lost_by: BTreeMap<(Rule, Rule), u64>,
    sequences: u64,
    on_mutant: u64,
    on_original: u64,
    either: u64,
    gained: u64,
    /// Subsumed or inconsistent under tiga.
    bad: u64,
    /// Of the gained, per semantics, those that are non-subsumed.
    wrong: [u64; 3],
}

impl Detected {
    fn print(&self, study: &str) {
        let [definition, strict, tiga] = self.wrong;
        println!(
            "| {study} | {} | {} | {} ({:.2} %) | {} | {} ({:.2} %) | {} | {definition}/{strict}/{tiga} |",
            self.sequences,
            self.bad,
            self.on_mutant,
            percent(self.on_mutant, self.bad),
            self.on_original,
            self.either,
            percent(self.either, self.bad),
            self.gained
        );
    }
    fn plus(self, other: Self) -> Self {
        let [a, b, c] = self.wrong;
        let [d, e, f] = other.wrong;
        let sum = |mut counts: BTreeMap<(Rule, Rule), u64>, more| {
            for (key, count) in more {
                *counts.entry(key).or_default() += count;
            }
            counts
        };
        Self {
            gained_by: sum(self.gained_by, other.gained_by),
            lost_by: sum(self.lost_by, other.lost_by),
            sequences: self.sequences + other.sequences,
            on_mutant: self.on_mutant + other.on_mutant,
            on_original: self.on_original + other.on_original,
            either: self.either + other.either,
            gained: self.gained + other.gained,
            bad: self.bad + other.bad,
            wrong: [a + d, b + e, c + f],
        }
    }
}

fn studies() -> Result<(), Any> {
    println!("## The six studies, order 2\n");
    println!(
        "| study | sequences | subsumed or inconsistent (tiga) | published condition | both on the original | either | gained | of these non-subsumed (definition/strict/tiga) |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut all = Detected::default();
    for study in Study::ALL {
        let original = study.game()?;
        let budget = Budget::unlimited();
        let judges = SEMANTICS.map(|(_, semantics)| Specification::prepare(&original, semantics, &budget));
        let [definition, strict, tiga] = judges;
        let judges = [definition?, strict?, tiga?];
        let space = MutantSpace::new(&original, &MutationOptions::default(), Order::SECOND)?;
        let count = |scratch: &mut Scratch, family| -> Result<Detected, GameError> {
            let mut found = Detected::default();
            let Some(siblings) = space.siblings(family) else {
                return Ok(found);
            };
            let Some(first) = siblings.prefix().next() else {
                return Ok(found);
            };
            let first_rule = violated(&original, &first);
            for last in siblings.last().iter() {
                found.sequences += 1;
                let by_mutant = first_rule.zip(violated(siblings.parent(), &last));
                let by_original = violated_on_original(&original, &first, &last);
                let (on_mutant, on_original) = (by_mutant.is_some(), by_original.is_some());
                found.on_mutant += u64::from(on_mutant);
                found.on_original += u64::from(on_original);
                found.either += u64::from(on_mutant || on_original);
                let [_, _, tiga] = &judges;
                let mutant = siblings.mutant(last);
                found.bad += u64::from(tiga.decide(&mutant, &budget, scratch)?.verdict != Verdict::NonSubsumed);
                let rules = match (by_mutant, by_original) {
                    (None, Some(rules)) => rules,
                    (Some(rules), None) => {
                        *found.lost_by.entry(rules).or_default() += 1;
                        continue;
                    }
                    _ => continue,
                };
                *found.gained_by.entry(rules).or_default() += 1;
                found.gained += 1;
                for (judge, wrong) in judges.iter().zip(&mut found.wrong) {
                    let verdict = judge.decide(&mutant, &budget, scratch)?.verdict;
                    *wrong += u64::from(verdict == Verdict::NonSubsumed);
                }
            }
            Ok(found)
        };
        let found = (0..space.n_families())
            .into_par_iter()
            .map_init(Scratch::default, count)
            .try_reduce(Detected::default, |a, b| Ok(a.plus(b)))?;
        found.print(study.title);
        all = all.plus(found);
    }
    all.print("ALL");
    let list = |counts: &BTreeMap<(Rule, Rule), u64>| {
        let cells = counts
            .iter()
            .map(|((first, second), count)| format!("{count} {first}; {second}"));
        cells.collect::<Vec<_>>().join(", ")
    };
    println!("\nGained: {}.", list(&all.gained_by));
    println!("Named on the mutant only: {}.", list(&all.lost_by));
    Ok(())
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole as f64
}
