//! Numbered mutants of a game, or of processes of a network.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use rayon::prelude::*;

use super::accepted::part_text;
use super::error::{ExperimentError, Result};
use super::killing::Candidate;
use super::{NoSuchSample, Places, Sample, Selection, Timer};
use tamper_suite::{Subject, SuiteFailure, Tester};
use tamper_text::StopReason;
use tamper_timed::guidelines::{Rule, violated};
use tamper_timed::model::Automaton;
use tamper_timed::mutation::{MutantSpace, Mutation, Siblings};
use tamper_timed::network::CompositionWords;

/// Number of mutants held at once.
pub(super) const CHUNK: u64 = 512;

/// A mutant and its number.
#[derive(Clone, Debug)]
pub struct Numbered {
    /// Its number.
    pub number: u64,
    /// Its id.
    pub id: String,
    /// Its mutations, in order.
    pub mutations: Vec<Mutation>,
    /// For each mutation, the position of the component that it changes: 0 except for mutants of several processes of a
    /// network.
    pub components: Vec<usize>,
    /// Places of the mutations.
    pub places: Places,
    /// The automata to which the mutations before the last one are applied.
    pub earlier: Vec<Arc<Automaton>>,
    /// The automaton to which the last mutation is applied.
    pub parent: Arc<Automaton>,
}

/// A game that is compared with another one.
#[derive(Clone, Debug)]
pub struct ComparedGame {
    /// The game.
    pub game: Automaton,
    /// What its parts are, if it is a composition.
    pub words: CompositionWords,
    /// Whether some of its steps are hidden.
    pub has_hidden: bool,
}

impl From<Automaton> for ComparedGame {
    fn from(game: Automaton) -> Self {
        Self {
            game,
            words: CompositionWords::default(),
            has_hidden: false,
        }
    }
}

impl Numbered {
    /// Position of the component that its last mutation changes.
    pub fn component(&self) -> usize {
        self.components.last().copied().unwrap_or_default()
    }

    /// The mutations that change the same component as the last one, in order.
    pub fn of_component(&self) -> Vec<Mutation> {
        let mutations = self.mutations.iter().zip(&self.components);
        let own = mutations.filter(|(_, component)| **component == self.component());
        own.map(|(mutation, _)| *mutation).collect()
    }

    /// A description of its mutations, in order, for human readers.
    pub fn says(&self) -> String {
        let parents = self.earlier.iter().chain([&self.parent]);
        let all = self.mutations.iter().zip(parents);
        let all: Vec<String> = all.map(|(mutation, parent)| mutation.describe(parent)).collect();
        all.join(", then ")
    }

    /// The parts that its mutations change, each as it is before.
    pub fn parts(&self) -> String {
        let parents = self.earlier.iter().chain([&self.parent]);
        let parts = self.mutations.iter().zip(parents);
        let parts: Vec<String> = parts.map(|(mutation, parent)| part_text(parent, mutation)).collect();
        parts.join("; ")
    }

    /// The component that its last mutation changes, after the change.
    pub fn automaton(&self) -> Automaton {
        match self.mutations.last() {
            Some(last) => last.apply(&self.parent),
            None => (*self.parent).clone(),
        }
    }
}

/// A mutant, as far as tests need it.
#[derive(Debug)]
pub enum TestedGame {
    /// All of it.
    Whole(Automaton),
    /// A run of it that shows it.
    OneRun(Automaton),
}

/// All mutants that the given operators make.
pub trait MutantSet: Debug + Sync {
    /// Number of mutants.
    fn n_mutants(&self) -> u64;

    /// The selection of `sample` of the mutants, determined by `seed`.
    ///
    /// # Errors
    /// If mutants of this order cannot be sampled in this way.
    fn selection(&self, sample: Option<Sample>, seed: u64) -> Result<Selection, NoSuchSample>;

    /// The mutants with these numbers, in this order.
    ///
    /// # Errors
    /// If a number belongs to no mutant.
    fn mutants(&self, numbers: &[u64]) -> Result<Vec<Numbered>>;

    /// The game that the mutant is.
    ///
    /// # Errors
    /// If it is no game, or none that tests can be made for; or a limit was hit.
    fn game(&self, mutant: &Numbered, timer: &Timer) -> Result<Automaton, SuiteFailure>;

    /// The mutant as it is compared with the original.
    ///
    /// # Errors
    /// If it is no game, or a limit was hit.
    fn compared(&self, mutant: &Numbered, timer: &Timer) -> Result<ComparedGame, SuiteFailure> {
        self.game(mutant, timer).map(ComparedGame::from)
    }

    /// The guidelines that name the mutations of a mutant, each relative to the automaton to which it is applied;
    /// `None` if some mutation is not named.
    fn rules(&self, mutant: &Numbered) -> Option<Vec<Rule>>;

    /// The game that is mutated.
    ///
    /// # Errors
    /// As of [`game`](Self::game).
    fn original(&self, timer: &Timer) -> Result<Automaton, SuiteFailure>;

    /// The original as mutants are compared with it.
    ///
    /// # Errors
    /// As of [`game`](Self::game).
    fn compared_original(&self, timer: &Timer) -> Result<ComparedGame, SuiteFailure> {
        self.original(timer).map(ComparedGame::from)
    }

    /// The parts that a mutant changes, as they are before: equal texts for equal parts, wherever they stand.
    fn content(&self, mutant: &Numbered) -> String {
        mutant.parts()
    }

    /// Whether the mutations are applied to the game itself, not to a component of it.
    fn mutates_game(&self) -> bool;

    /// Gets ready for [`tested`](Self::tested) of all mutants.
    fn prepare(&self, _: &Timer) {}

    /// The game that the mutant is to the tests of a tester.
    ///
    /// # Errors
    /// As of [`game`](Self::game), and that no test can fail on the mutant.
    fn tested(&self, mutant: &Numbered, _: &Tester, timer: &Timer) -> Result<TestedGame, SuiteFailure> {
        self.game(mutant, timer).map(TestedGame::Whole)
    }

    /// Makes the mutant ready to be tested.
    fn candidate(&self, mutant: Numbered, tester: &Tester, timer: &Timer) -> Candidate {
        let tested = match timer.is_over() {
            true => Err(SuiteFailure::Stopped(StopReason::Time)),
            false => self.tested(&mutant, tester, timer),
        };
        let is_one_run = matches!(tested, Ok(TestedGame::OneRun(_)));
        let game = tested.map(|(TestedGame::Whole(game) | TestedGame::OneRun(game))| game);
        let subject = match &game {
            Ok(game) => Subject::new(game, &timer.budget()).map(Arc::new),
            Err(failure) => Err(failure.clone()),
        };
        Candidate {
            is_one_run,
            id: mutant.id,
            operators: mutant.mutations.iter().map(Mutation::applied).collect(),
            mutations: match self.mutates_game() {
                true => mutant.mutations,
                false => Vec::new(),
            },
            automaton: game.ok(),
            subject,
        }
    }

    /// Whether tests are made only for the first of several mutants that a run found to be equal.
    fn tests_first_only(&self) -> bool;
}

impl MutantSet for MutantSpace {
    fn n_mutants(&self) -> u64 {
        self.len()
    }

    fn selection(&self, sample: Option<Sample>, seed: u64) -> Result<Selection, NoSuchSample> {
        Selection::of(self, sample, seed)
    }

    fn mutants(&self, numbers: &[u64]) -> Result<Vec<Numbered>> {
        let mut locator = self.locator();
        let located = |number: &u64| {
            let place = locator.locate(*number);
            place.ok_or_else(|| ExperimentError::no_mutant(number))
        };
        let places: Vec<(u64, u64)> = numbers.iter().map(located).collect::<Result<_>>()?;
        let mut families: Vec<u64> = places.iter().map(|(family, _)| *family).collect();
        families.dedup();
        let made = families
            .into_par_iter()
            .filter_map(|family| Some((family, self.siblings(family)?)));
        let families: BTreeMap<u64, Siblings> = made.collect();
        let one = |(number, (family, position)): (&u64, &(u64, u64))| -> Result<Numbered> {
            let siblings = families.get(family);
            let siblings = siblings.ok_or_else(|| ExperimentError::fault("every family was made"))?;
            let last = siblings.last().get(*position);
            let last = last.ok_or_else(|| ExperimentError::fault("every family has its mutants"))?;
            let mut places = Places::default();
            for (automaton, mutation) in siblings.steps() {
                places.add(automaton, mutation);
            }
            places.add(siblings.parent(), &last);
            Ok(Numbered {
                number: *number,
                id: siblings.id(last),
                components: vec![0; siblings.prefix().len() + 1],
                mutations: siblings.mutations(last),
                places,
                earlier: siblings.steps().iter().map(|(parent, _)| Arc::clone(parent)).collect(),
                parent: Arc::clone(siblings.parent()),
            })
        };
        numbers.par_iter().zip(&places).map(one).collect()
    }

    fn game(&self, mutant: &Numbered, _: &Timer) -> Result<Automaton, SuiteFailure> {
        Ok(mutant.automaton())
    }

    fn original(&self, _: &Timer) -> Result<Automaton, SuiteFailure> {
        Ok(self.base().clone())
    }

    fn rules(&self, mutant: &Numbered) -> Option<Vec<Rule>> {
        let (last, earlier) = mutant.mutations.split_last()?;
        // The last mutation is the cheapest to check, because the automaton that it is applied to exists already.
        let last = violated(&mutant.parent, last)?;
        let mut game = Cow::Borrowed(self.base());
        let mut rules = Vec::new();
        for mutation in earlier {
            rules.push(violated(&game, mutation)?);
            game = Cow::Owned(mutation.apply(&game));
        }
        rules.push(last);
        Some(rules)
    }

    fn mutates_game(&self) -> bool {
        true
    }

    fn tests_first_only(&self) -> bool {
        false
    }
}
