//! All mutants of order 1 of an action system in one exploration.
//!
//! Together they are one conditional system (\[004\] section 3.1) with a choice per mutation, made at the start. An exploration
//! carries the set of mutants for which it is true: all actions but the one that a mutant changes are the original's, and
//! looked at once for all of them. What it says of a mutant is what [`compare`](super::compare()) says, trace by trace.

use std::collections::{BTreeMap, BTreeSet};

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::compare::{ActionVerdicts, Killed, SILENCE, Set, trace_to};
use super::mutation::ActionMutation;
use super::steps::{Cuts, Event, Normal, Open, Values};
use super::system::ActionSystem;
use tamper_text::Budget;

/// An action: its name and number of parameters.
type Key<'a> = (&'a str, usize);
/// How something was reached.
type Before = Option<(usize, Event)>;

/// Decides all mutants; `budget` is for each of the three questions about all of them.
///
/// # Errors
/// The original has an action with too many ways through it.
pub fn compare_all(
    original: &ActionSystem,
    mutations: &[ActionMutation],
    budget: &Budget,
) -> Result<Vec<ActionVerdicts>, Open> {
    let alone = |mutation: &ActionMutation| {
        let mut mutant = mutation.apply(original);
        mutant.instances.retain(|instance| instance.action == mutation.action);
        mutant
    };
    let mutants: Vec<ActionSystem> = mutations.iter().map(alone).collect();
    let lifted = Lifted::new(original, mutations, &mutants, budget)?;
    let [state, event, ioco] = [lifted.by_states(), lifted.by_traces(false), lifted.by_traces(true)];
    let verdicts = state.into_iter().zip(event).zip(ioco);
    Ok(verdicts
        .map(|((state, event), ioco)| ActionVerdicts { state, event, ioco })
        .collect())
}

struct Lifted<'a> {
    original: Normal<'a>,
    /// By mutant: the action that it changes, as it is in the mutant; nothing if that has too many ways.
    changed: Vec<(Key<'a>, Result<Normal<'a>, Open>)>,
    /// By action: the mutants that change it.
    changing: BTreeMap<Key<'a>, FixedBitSet>,
    budget: &'a Budget,
}

/// What is known so far: mutants that are not decided, and what became of the others.
struct Decided {
    open: FixedBitSet,
    killed: Vec<Killed>,
}

impl Decided {
    fn new(lifted: &Lifted<'_>) -> Self {
        let n = lifted.changed.len();
        let mut decided = Self {
            open: FixedBitSet::with_capacity(n),
            killed: vec![Killed::No; n],
        };
        decided.open.insert_range(..);
        for (mutant, (_, normal)) in lifted.changed.iter().enumerate() {
            if let Err(open) = normal {
                decided.is(mutant, Killed::Open(*open));
            }
        }
        decided
    }
    fn is(&mut self, mutant: usize, killed: Killed) {
        self.killed[mutant] = killed;
        self.open.set(mutant, false);
    }
    fn are(&mut self, mutants: &FixedBitSet, killed: &Killed) {
        mutants.ones().for_each(|mutant| self.is(mutant, killed.clone()));
    }
}

/// A state of mutants and the states that the original can be in after the same.
struct Node {
    own: Values,
    others: Set,
    before: Before,
    mutants: FixedBitSet,
}

/// The nodes that were met.
#[derive(Default)]
struct Met {
    nodes: Vec<Node>,
    known: FxHashMap<Values, Vec<(Set, FixedBitSet)>>,
}

impl Met {
    /// Adds a node for those of `mutants` for which none that is as good is there.
    fn add(&mut self, own: Values, others: Set, before: Before, mut mutants: FixedBitSet, outputs: bool) {
        let known = self.known.entry(own.clone()).or_default();
        for (other, there) in known.iter() {
            // As in `compare`: fewer states of the original allow fewer events, but also take fewer inputs.
            let covers = if outputs {
                *other == others
            } else {
                other.is_subset(&others)
            };
            if covers {
                mutants.difference_with(there);
            }
        }
        if mutants.is_clear() {
            return;
        }
        known.push((others.clone(), mutants.clone()));
        self.nodes.push(Node {
            own,
            others,
            before,
            mutants,
        });
    }
    fn trace(&self, last: (usize, Event)) -> Vec<Event> {
        trace_to(|at| self.nodes[at].before.clone(), Some(last))
    }
}

impl<'a> Lifted<'a> {
    fn new(
        original: &'a ActionSystem,
        mutations: &[ActionMutation],
        mutants: &'a [ActionSystem],
        budget: &'a Budget,
    ) -> Result<Self, Open> {
        let normal = Normal::of(original)?;
        let mut changing: BTreeMap<Key<'_>, FixedBitSet> = BTreeMap::new();
        let mut changed = Vec::with_capacity(mutants.len());
        for (number, (mutation, mutant)) in mutations.iter().zip(mutants).enumerate() {
            let action = &original.actions[mutation.action];
            let key = (action.name.as_str(), action.parameters.len());
            let all = changing
                .entry(key)
                .or_insert_with(|| FixedBitSet::with_capacity(mutants.len()));
            all.insert(number);
            changed.push((key, Normal::of(mutant)));
        }
        Ok(Self {
            original: normal,
            changed,
            changing,
            budget,
        })
    }
    /// The events of an action that have to be looked at, where `mutant` has it in `own` and the original in `others`.
    fn events(&self, action: Key<'_>, mutant: &Normal<'_>, own: &Values, others: &Set) -> Result<Vec<Event>, Open> {
        let mut cuts = Cuts::new(action.1);
        mutant.cut(action, own, &mut cuts);
        others
            .iter()
            .for_each(|other| self.original.cut(action, other, &mut cuts));
        let is_enabled = |values: &[i64]| {
            let mut original = others.iter().map(|other| self.original.after(action, values, other));
            !mutant.after(action, values, own).is_empty() || original.any(|after| !after.is_empty())
        };
        let event = |(values, _)| Event {
            action: action.0.to_owned(),
            values,
        };
        Ok(cuts.values(is_enabled)?.into_iter().map(event).collect())
    }
    fn is_input(&self, action: &str) -> bool {
        self.original.system.inputs.contains(action)
    }
    fn exceeded(&self, n: usize) -> Option<Killed> {
        let reason = self.budget.exceeded(n as u64, 200 * n as u64);
        reason.map(|reason| Killed::Open(Open::Limit(reason)))
    }

    /// Breadth first over the original: who is unsafe in which state?
    fn by_states(&self) -> Vec<Killed> {
        let mut decided = Decided::new(self);
        let start = self.original.system.init.clone();
        let mut met: FxHashSet<Values> = FxHashSet::from_iter([start.clone()]);
        let mut nodes: Vec<(Values, Before)> = vec![(start, None)];
        let mut at = 0;
        while at < nodes.len() && !decided.open.is_clear() {
            let state = nodes[at].0.clone();
            let here = Set::from([state.clone()]);
            for mutant in decided.open.clone().ones() {
                match self.is_unsafe(mutant, &state) {
                    Ok(None) => {}
                    Ok(Some(event)) => {
                        let trace = trace_to(|at: usize| nodes[at].1.clone(), Some((at, event)));
                        decided.is(mutant, Killed::Yes(trace));
                    }
                    Err(open) => decided.is(mutant, Killed::Open(open)),
                }
            }
            for action in self.original.actions() {
                let events = match self.events(action, &self.original, &state, &here) {
                    Ok(events) => events,
                    Err(open) => {
                        decided.are(&decided.open.clone(), &Killed::Open(open));
                        return decided.killed;
                    }
                };
                for event in events {
                    for next in self.original.after_event(&event, &here) {
                        if met.insert(next.clone()) {
                            nodes.push((next, Some((at, event.clone()))));
                        }
                    }
                }
            }
            if let Some(limit) = self.exceeded(nodes.len()) {
                decided.are(&decided.open.clone(), &limit);
            }
            at += 1;
        }
        decided.killed
    }
    /// An event after which the mutant can be where the original cannot.
    fn is_unsafe(&self, mutant: usize, state: &Values) -> Result<Option<Event>, Open> {
        let (action, normal) = &self.changed[mutant];
        let normal = normal.as_ref().map_err(|open| *open)?;
        let here = Set::from([state.clone()]);
        let events = self.events(*action, normal, state, &here)?;
        let differs = |event: &Event| {
            let own = normal.after(*action, &event.values, state);
            !own.is_subset(&self.original.after_event(event, &here))
        };
        Ok(events.into_iter().find(differs))
    }

    /// Breadth first over a state of mutants and all states that the original can be in after the same; `outputs` says that
    /// only outputs and silences count.
    fn by_traces(&self, outputs: bool) -> Vec<Killed> {
        let mut decided = Decided::new(self);
        let start = self.original.system.init.clone();
        let mut met = Met::default();
        met.add(start.clone(), Set::from([start]), None, decided.open.clone(), outputs);
        let mut at = 0;
        while at < met.nodes.len() && !decided.open.is_clear() {
            for action in self.original.actions() {
                let none = FixedBitSet::with_capacity(self.changed.len());
                let changing = self.changing.get(&action).unwrap_or(&none).clone();
                let mut shared = met.nodes[at].mutants.clone();
                shared.difference_with(&changing);
                self.follow(
                    (action, &self.original),
                    (at, shared),
                    outputs,
                    (&mut met, &mut decided),
                );
                for mutant in changing
                    .ones()
                    .filter(|mutant| met.nodes[at].mutants.contains(*mutant))
                    .collect::<Vec<_>>()
                {
                    if let Ok(normal) = &self.changed[mutant].1 {
                        let mut only = none.clone();
                        only.insert(mutant);
                        self.follow((action, normal), (at, only), outputs, (&mut met, &mut decided));
                    }
                }
            }
            if outputs {
                self.be_silent(at, &mut met, &mut decided);
            }
            if let Some(limit) = self.exceeded(met.nodes.len()) {
                decided.are(&decided.open.clone(), &limit);
            }
            at += 1;
        }
        decided.killed
    }
    /// What `mutants`, which have `action` as in `normal`, do in a node.
    fn follow(
        &self,
        (action, normal): (Key<'_>, &Normal<'_>),
        (at, mut mutants): (usize, FixedBitSet),
        outputs: bool,
        (met, decided): (&mut Met, &mut Decided),
    ) {
        mutants.intersect_with(&decided.open);
        if mutants.is_clear() {
            return;
        }
        let (own, others) = (met.nodes[at].own.clone(), met.nodes[at].others.clone());
        let events = match self.events(action, normal, &own, &others) {
            Ok(events) => events,
            Err(open) => return decided.are(&mutants, &Killed::Open(open)),
        };
        for event in events {
            let mine = normal.after(action, &event.values, &own);
            if mine.is_empty() {
                continue;
            }
            let theirs = self.original.after_event(&event, &others);
            if theirs.is_empty() {
                // What an implementation does with an input that is not specified is its own affair.
                if outputs && self.is_input(action.0) {
                    continue;
                }
                let killed = Killed::Yes(met.trace((at, event)));
                return decided.are(&mutants, &killed);
            }
            for next in mine {
                met.add(
                    next,
                    theirs.clone(),
                    Some((at, event.clone())),
                    mutants.clone(),
                    outputs,
                );
            }
        }
    }
    /// Those mutants that have no output in a node are silent; the original may not be.
    fn be_silent(&self, at: usize, met: &mut Met, decided: &mut Decided) {
        let (own, others) = (met.nodes[at].own.clone(), met.nodes[at].others.clone());
        let mut mutants = met.nodes[at].mutants.clone();
        mutants.intersect_with(&decided.open);
        let outputs: Vec<Key<'_>> = self
            .original
            .actions()
            .filter(|action| !self.is_input(action.0))
            .collect();
        let speaks = |action: Key<'_>, normal: &Normal<'_>, state: &Values| -> Result<bool, Open> {
            let events = self.events(action, normal, state, &Set::new())?;
            Ok(events
                .iter()
                .any(|event| !normal.after(action, &event.values, state).is_empty()))
        };
        let all_that = |state: &Values| -> Result<BTreeSet<Key<'_>>, Open> {
            let mut spoken = BTreeSet::new();
            for action in &outputs {
                if speaks(*action, &self.original, state)? {
                    spoken.insert(*action);
                }
            }
            Ok(spoken)
        };
        let spoken = match all_that(&own) {
            Ok(spoken) => spoken,
            Err(open) => return decided.are(&mutants, &Killed::Open(open)),
        };
        let mut silent = mutants.clone();
        for mutant in mutants.ones() {
            let (action, normal) = &self.changed[mutant];
            let by_others = spoken.iter().any(|other| other != action);
            let own_output = match normal {
                Ok(normal) if !self.is_input(action.0) => speaks(*action, normal, &own),
                _ => Ok(false),
            };
            match own_output {
                Ok(own_output) => silent.set(mutant, !by_others && !own_output),
                Err(open) => {
                    decided.is(mutant, Killed::Open(open));
                    silent.set(mutant, false);
                }
            }
        }
        if silent.is_clear() {
            return;
        }
        let mut theirs = Set::new();
        for state in others {
            match all_that(&state) {
                Ok(spoken) if spoken.is_empty() => drop(theirs.insert(state)),
                Ok(_) => {}
                Err(open) => return decided.are(&silent, &Killed::Open(open)),
            }
        }
        let event = Event {
            action: SILENCE.to_owned(),
            values: Vec::new(),
        };
        if theirs.is_empty() {
            let killed = Killed::Yes(met.trace((at, event)));
            return decided.are(&silent, &killed);
        }
        met.add(own, theirs, Some((at, event)), silent, true);
    }
}
