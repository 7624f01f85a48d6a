//! Plain enumeration: what the definitions of \[004\] say, with nothing left out and nothing shared with the room.

use std::collections::{BTreeMap, BTreeSet};

use tamper_systems::{Builder, InputId, OutputId, StateId, Step, TransitionSystem};
use tamper_text::Id;

/// Steps as `[state][input]` → outputs and targets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    pub n_outputs: usize,
    pub initial: Vec<usize>,
    /// By state: what is seen there before any input; nothing where the list ends.
    pub first: Vec<usize>,
    pub steps: Vec<Vec<Vec<(usize, usize)>>>,
}

impl Table {
    pub fn n_inputs(&self) -> usize {
        self.steps[0].len()
    }
    pub fn system(&self) -> TransitionSystem {
        let names = |prefix: &str, n: usize| (0..n).map(|number| format!("{prefix}{number}")).collect();
        let mut builder = Builder::new(names("i", self.n_inputs()), names("o", self.n_outputs));
        for row in &self.steps {
            let state = builder.state();
            for (input, steps) in row.iter().enumerate() {
                for (output, target) in steps {
                    let (output, target) = (OutputId::from_index(*output), StateId::from_index(*target));
                    builder.add(state, InputId::from_index(input), Step { output, target });
                }
            }
        }
        for state in &self.initial {
            builder.start_with(StateId::from_index(*state), self.first_name(*state));
        }
        builder.finish().expect("a total table")
    }
    fn first_of(&self, state: usize) -> Option<usize> {
        self.first.get(state).copied()
    }
    fn first_name(&self, state: usize) -> String {
        self.first_of(state)
            .map(|first| format!("first{first}"))
            .unwrap_or_default()
    }
    /// What is seen first, with the states that it leaves.
    fn starts(&self) -> BTreeMap<Option<usize>, BTreeSet<usize>> {
        let mut starts: BTreeMap<Option<usize>, BTreeSet<usize>> = BTreeMap::new();
        for state in &self.initial {
            starts.entry(self.first_of(*state)).or_default().insert(*state);
        }
        starts
    }
    /// Every sequence of outputs that `word` can be answered with.
    /// The first of each is what is seen first, if that is told.
    pub fn answers(&self, word: &[usize]) -> BTreeSet<Vec<usize>> {
        let first = |state: &usize| (self.first_of(*state).into_iter().collect(), *state);
        let mut runs: BTreeSet<(Vec<usize>, usize)> = self.initial.iter().map(first).collect();
        for input in word {
            let longer = |(outputs, state): &(Vec<usize>, usize)| {
                let steps = self.steps[*state][*input].iter();
                let longer = steps.map(|(output, target)| ([&outputs[..], &[*output]].concat(), *target));
                longer.collect::<Vec<_>>()
            };
            runs = runs.iter().flat_map(longer).collect();
        }
        runs.into_iter().map(|(outputs, _)| outputs).collect()
    }
    fn after(&self, states: &BTreeSet<usize>, input: usize) -> BTreeMap<usize, BTreeSet<usize>> {
        let mut after: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (output, target) in states.iter().flat_map(|state| &self.steps[*state][input]) {
            after.entry(*output).or_default().insert(*target);
        }
        after
    }
}

/// All words of that length.
pub fn words(n_inputs: usize, length: usize) -> Vec<Vec<usize>> {
    let mut words = vec![Vec::new()];
    for _ in 0..length {
        let longer = |word: &Vec<usize>| {
            (0..n_inputs)
                .map(|input| [&word[..], &[input]].concat())
                .collect::<Vec<_>>()
        };
        words = words.iter().flat_map(longer).collect();
    }
    words
}

/// Definition 3, word by word: the length of the shortest one up to `most` after which the mutant can answer what the
/// specification cannot.
pub fn potential_by_words(mutant: &Table, specification: &Table, most: usize) -> Option<usize> {
    let kills = |word: &Vec<usize>| !mutant.answers(word).is_subset(&specification.answers(word));
    (0..=most).find(|length| words(mutant.n_inputs(), *length).iter().any(kills))
}

/// Definition 4, word by word.
pub fn blind_by_words(mutant: &Table, specification: &Table, most: usize) -> Option<usize> {
    let kills = |word: &Vec<usize>| mutant.answers(word).is_disjoint(&specification.answers(word));
    (0..=most).find(|length| words(mutant.n_inputs(), *length).iter().any(kills))
}

/// Whether a tester who has seen `outputs` after `word` can fail every run of the mutant in `left` more inputs.
fn wins(mutant: &Table, specification: &Table, (word, outputs): (&[usize], &[usize]), left: usize) -> bool {
    left > 0
        && (0..mutant.n_inputs()).any(|input| {
            let word = [word, &[input]].concat();
            let expected = specification.answers(&word);
            let possible = mutant.answers(&word).into_iter();
            possible
                .filter(|answer| answer.starts_with(outputs))
                .all(|answer| !expected.contains(&answer) || wins(mutant, specification, (&word, &answer), left - 1))
        })
}

/// The adaptive reading, history by history.
pub fn definite_by_histories(mutant: &Table, specification: &Table, most: usize) -> Option<usize> {
    let expected = specification.answers(&[]);
    let wins_from =
        |seen: &Vec<usize>, length| !expected.contains(seen) || wins(mutant, specification, (&[], seen), length);
    (0..=most).find(|length| mutant.answers(&[]).iter().all(|seen| wins_from(seen, *length)))
}

type States = BTreeSet<usize>;

/// The length of a shortest potentially killing word: all states of the mutant with all sets of the specification's.
pub fn potential(mutant: &Table, specification: &Table) -> Option<usize> {
    let mut level: BTreeSet<(usize, States)> = BTreeSet::new();
    let theirs = specification.starts();
    for (seen, own) in mutant.starts() {
        let Some(others) = theirs.get(&seen) else {
            return Some(0);
        };
        level.extend(own.into_iter().map(|own| (own, others.clone())));
    }
    let mut met = level.clone();
    for length in 1.. {
        let mut next = BTreeSet::new();
        for (own, others) in &level {
            for input in 0..mutant.n_inputs() {
                let after = specification.after(others, input);
                for (output, target) in &mutant.steps[*own][input] {
                    match after.get(output) {
                        None => return Some(length),
                        Some(others) => next.insert((*target, others.clone())),
                    };
                }
            }
        }
        level = next.difference(&met).cloned().collect();
        if level.is_empty() {
            return None;
        }
        met.extend(level.iter().cloned());
    }
    None
}

/// The length of a shortest blind word: all sets of pairs.
pub fn blind(mutant: &Table, specification: &Table) -> Option<usize> {
    let initial = mutant.initial.iter();
    let pairs = initial.flat_map(|own| specification.initial.iter().map(move |other| (*own, *other)));
    let same = |(own, other): &(usize, usize)| mutant.first_of(*own) == specification.first_of(*other);
    let pairs: BTreeSet<(usize, usize)> = pairs.filter(same).collect();
    if pairs.is_empty() {
        return Some(0);
    }
    let mut level: BTreeSet<BTreeSet<(usize, usize)>> = BTreeSet::from([pairs]);
    let mut met = level.clone();
    for length in 1.. {
        let mut next = BTreeSet::new();
        for pairs in &level {
            for input in 0..mutant.n_inputs() {
                let mut after = BTreeSet::new();
                for (own, other) in pairs {
                    for (output, target) in &mutant.steps[*own][input] {
                        let same = specification.steps[*other][input]
                            .iter()
                            .filter(|(answer, _)| answer == output);
                        after.extend(same.map(|(_, other)| (*target, *other)));
                    }
                }
                if after.is_empty() {
                    return Some(length);
                }
                next.insert(after);
            }
        }
        level = next.difference(&met).cloned().collect();
        if level.is_empty() {
            return None;
        }
        met.extend(level.iter().cloned());
    }
    None
}

/// The least number of inputs in which a tester who sees the outputs always wins: rounds over all beliefs.
pub fn definite(mutant: &Table, specification: &Table) -> Option<usize> {
    let theirs = specification.starts();
    let starts = mutant.starts().into_iter();
    let starts: Vec<(States, States)> = starts
        .filter_map(|(seen, own)| Some((own, theirs.get(&seen)?.clone())))
        .collect();
    if starts.is_empty() {
        return Some(0);
    }
    let follow = |(own, others): &(States, States), input| {
        let (mine, theirs) = (mutant.after(own, input), specification.after(others, input));
        let both = mine
            .into_iter()
            .filter_map(|(output, own)| Some((own, theirs.get(&output)?.clone())));
        both.collect::<Vec<_>>()
    };
    let mut beliefs: BTreeSet<(States, States)> = starts.iter().cloned().collect();
    let mut agenda = starts.clone();
    while let Some(belief) = agenda.pop() {
        for next in (0..mutant.n_inputs()).flat_map(|input| follow(&belief, input)) {
            if beliefs.insert(next.clone()) {
                agenda.push(next);
            }
        }
    }
    let mut won: BTreeSet<(States, States)> = BTreeSet::new();
    for round in 1.. {
        let wins = |belief: &&(States, States)| {
            let wins = |input| follow(belief, input).iter().all(|next| won.contains(next));
            (0..mutant.n_inputs()).any(wins)
        };
        let now: BTreeSet<_> = beliefs.iter().filter(wins).cloned().collect();
        if starts.iter().all(|start| now.contains(start)) {
            return Some(round);
        }
        if now == won {
            return None;
        }
        won = now;
    }
    None
}
