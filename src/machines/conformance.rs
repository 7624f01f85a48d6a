//! Whether one mutant conforms: a killing sequence, or all mutants that conform for the same reason.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::{InputId, Mutant, MutationMachine, OutputId, SetId, StateId};
use crate::base::Id;

/// A shortest input sequence that kills `mutant`, the first of them in the order of inputs; none if it conforms.
/// At most as long as there are pairs of states (\[000\] after Theorem 1).
pub fn killing_sequence(machine: &MutationMachine, mutant: &Mutant) -> Option<Vec<InputId>> {
    killing_sequence_from(machine, mutant, (machine.initial(), machine.initial()))
}

/// The same from a state of the specification and one of the mutant.
pub fn killing_sequence_from(
    machine: &MutationMachine,
    mutant: &Mutant,
    from: (StateId, StateId),
) -> Option<Vec<InputId>> {
    let n_states = machine.states().len();
    let number = |(right, own): (StateId, StateId)| right.index() * n_states + own.index();
    let mut reached = vec![false; n_states * n_states];
    // How each entry of the agenda was reached: from which entry, on what.
    let mut agenda = vec![(from, usize::MAX, InputId::from_index(0))];
    reached[number(from)] = true;
    let mut at = 0;
    while at < agenda.len() {
        let (right, own) = agenda[at].0;
        for input in machine.inputs().ids() {
            let (expected, mine) = (machine.unaltered(right, input), mutant.step(machine, own, input));
            if expected.output != mine.output {
                let mut inputs = vec![input];
                while agenda[at].1 != usize::MAX {
                    inputs.push(agenda[at].2);
                    at = agenda[at].1;
                }
                inputs.reverse();
                return Some(inputs);
            }
            let next = (expected.target, mine.target);
            if !std::mem::replace(&mut reached[number(next)], true) {
                agenda.push((next, at, input));
            }
        }
        at += 1;
    }
    None
}

/// Mutants that all conform: those whose choices in some sets are among the listed ones.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConformingBox {
    /// By set, in order: the choices that keep the mutant conforming. Sets where every choice does are left out.
    pub allowed: Vec<(SetId, Vec<u32>)>,
}

impl ConformingBox {
    /// The mutants that conform as `mutant` does, which must conform.
    ///
    /// Two states are alike if the specification in the one and `mutant` in the other answer alike for ever. A choice
    /// is allowed if it answers as `mutant` does and leads to a state like the one `mutant` is led to. From the initial
    /// state, allowed choices lead through some states; as long as all choices there are allowed, the pairs of alike
    /// states are a bisimulation with the specification. Choices in other states do not matter.
    pub fn around(machine: &MutationMachine, mutant: &Mutant) -> Self {
        let classes = Classes::of(machine, mutant);
        let mut allowed = Vec::new();
        let mut reached = vec![false; machine.states().len()];
        let mut agenda = VecDeque::from([machine.initial()]);
        reached[machine.initial().index()] = true;
        while let Some(state) = agenda.pop_front() {
            for input in machine.inputs().ids() {
                let own = mutant.step(machine, state, input);
                let choices = machine.choices(state, input);
                let is_alike = |choice: &usize| {
                    let other = choices[*choice];
                    other.output == own.output && classes.own[other.target.index()] == classes.own[own.target.index()]
                };
                let alike: Vec<usize> = (0..choices.len()).filter(is_alike).collect();
                for choice in &alike {
                    let target = choices[*choice].target;
                    if !std::mem::replace(&mut reached[target.index()], true) {
                        agenda.push_back(target);
                    }
                }
                if let Some(set) = machine.set(state, input)
                    && alike.len() < choices.len()
                {
                    allowed.push((set, alike.iter().map(|choice| *choice as u32).collect()));
                }
            }
        }
        allowed.sort();
        Self { allowed }
    }

    /// All of them, in the order of their choices.
    pub fn mutants<'a>(&'a self, machine: &'a MutationMachine) -> impl Iterator<Item = Mutant> + 'a {
        let of = |set: SetId| -> Vec<u32> {
            let listed = self.allowed.iter().find(|(known, _)| *known == set);
            match listed {
                Some((_, choices)) => choices.clone(),
                None => (0..machine.set_choices(set).len() as u32).collect(),
            }
        };
        let choices: Vec<Vec<u32>> = machine.suspicious().ids().map(of).collect();
        // By set: which of its choices is next.
        let mut next = Some(vec![0; choices.len()]);
        std::iter::from_fn(move || {
            let now = next.take()?;
            let chosen = now.iter().zip(&choices).map(|(at, choices)| choices[*at]).collect();
            let step = (0..now.len()).rev().find(|set| now[*set] + 1 < choices[*set].len());
            next = step.map(|set| {
                let mut later = now;
                later[set] += 1;
                later[set + 1..].fill(0);
                later
            });
            Mutant::new(machine, chosen)
        })
    }

    /// Whether `mutant` is one of them.
    pub fn contains(&self, mutant: &Mutant) -> bool {
        let fits = |(set, choices): &(SetId, Vec<u32>)| choices.contains(&(mutant.choice(*set) as u32));
        self.allowed.iter().all(fits)
    }
}

/// Which states of a mutant answer alike for ever: the coarsest stable partition (Moore).
struct Classes {
    own: Vec<u32>,
}

impl Classes {
    fn of(machine: &MutationMachine, mutant: &Mutant) -> Self {
        let mut own = vec![0; machine.states().len()];
        let mut n_classes = 1;
        loop {
            let mut known: FxHashMap<(u32, Vec<(OutputId, u32)>), u32> = FxHashMap::default();
            let mut next = Vec::with_capacity(own.len());
            for state in machine.states().ids() {
                let step = |input| {
                    let transition = mutant.step(machine, state, input);
                    (transition.output, own[transition.target.index()])
                };
                let signature = (own[state.index()], machine.inputs().ids().map(step).collect());
                let fresh = known.len() as u32;
                next.push(*known.entry(signature).or_insert(fresh));
            }
            own = next;
            if known.len() == n_classes {
                return Self { own };
            }
            n_classes = known.len();
        }
    }
}
