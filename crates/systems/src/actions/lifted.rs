//! Many mutants of an action system in one exploration.
//!
//! Together they are one conditional system (\[004\] section 3.1) with a choice per mutation, made at the start. An
//! exploration carries the set of mutants for which it is valid: an action that no mutant of the set changes is the
//! original's, and is explored once for all of them. The verdict on each mutant agrees with
//! [`compare`](super::compare()), trace by trace.

use std::collections::{BTreeMap, BTreeSet};

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::compare::{ActionVerdicts, EventPredecessor, Killed, SILENCE, StateSet, compare, trace_to};
use super::mutation::ActionMutation;
use super::steps::{ActionKey, Event, Normal, Open, Values};
use super::system::ActionSystem;
use crate::chains::Mutated as _;
use tamper_text::Budget;

/// Decides all mutants, each made by a sequence of mutations; `budget` is for each of the three questions about all of them.
///
/// # Errors
/// The original has an action with too many ways through it.
pub fn compare_all(
    original: &ActionSystem,
    chains: &[Vec<ActionMutation>],
    budget: &Budget,
) -> Result<Vec<ActionVerdicts>, Open> {
    let mutants = chains.iter().map(|chain| (original.after(chain), chain.clone()));
    compare_made(original, mutants.collect(), budget)
}

/// Like [`compare_all`], for mutants that are already made, each with its mutations.
///
/// # Errors
/// The original has an action with too many ways through it.
pub fn compare_made(
    original: &ActionSystem,
    mutants: Vec<(ActionSystem, Vec<ActionMutation>)>,
    budget: &Budget,
) -> Result<Vec<ActionVerdicts>, Open> {
    if original.composed.is_some() {
        // An action may depend on others, so mutants share too little.
        let each = mutants.iter().map(|(mutant, _)| compare(mutant, original, budget));
        return Ok(each.map(|verdicts| verdicts.expect("the same variables")).collect());
    }
    let alone = |(mut mutant, chain): (ActionSystem, Vec<ActionMutation>)| {
        let changes = |action| chain.iter().any(|mutation| mutation.action == action);
        mutant.instances.retain(|instance| changes(instance.action));
        mutant
    };
    let mutants: Vec<ActionSystem> = mutants.into_iter().map(alone).collect();
    let lifted = Lifted::new(original, &mutants, budget)?;
    let [state, event, ioco] = [lifted.by_states(), lifted.by_traces(false), lifted.by_traces(true)];
    let verdicts = state.into_iter().zip(event).zip(ioco);
    Ok(verdicts
        .map(|((state, event), ioco)| ActionVerdicts { state, event, ioco })
        .collect())
}

struct Lifted<'a> {
    original: Normal<'a>,
    /// By mutant: the actions that it changes, in their changed form; an error if one has too many ways.
    changed: Vec<Result<Normal<'a>, Open>>,
    /// By action: the mutants that change it.
    changing: BTreeMap<ActionKey<'a>, FixedBitSet>,
    budget: &'a Budget,
}

/// The mutants that are still undecided, and the verdicts on the others.
struct MutantVerdicts {
    open: FixedBitSet,
    killed: Vec<Killed>,
}

impl MutantVerdicts {
    fn new(lifted: &Lifted<'_>) -> Self {
        let n = lifted.changed.len();
        let mut decided = Self {
            open: FixedBitSet::with_capacity(n),
            killed: vec![Killed::No; n],
        };
        decided.open.insert_range(..);
        for (mutant, normal) in lifted.changed.iter().enumerate() {
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

/// A state of mutants, and the states that the original can be in after the same events.
struct TraceNode {
    own: Values,
    others: StateSet,
    before: EventPredecessor,
    mutants: FixedBitSet,
}

/// The nodes met so far.
#[derive(Default)]
struct TraceNodes {
    nodes: Vec<TraceNode>,
    known: FxHashMap<Values, Vec<(StateSet, FixedBitSet)>>,
}

impl TraceNodes {
    /// Adds a node for the members of `mutants` that no known node covers.
    fn add(
        &mut self,
        own: Values,
        others: StateSet,
        before: EventPredecessor,
        mut mutants: FixedBitSet,
        outputs: bool,
    ) {
        let known = self.known.entry(own.clone()).or_default();
        for (other, there) in known.iter() {
            // As in `compare`: fewer states of the original allow fewer events, but also accept fewer inputs.
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
        self.nodes.push(TraceNode {
            own,
            others,
            before,
            mutants,
        });
    }
    /// The kill by `event` from the node `at`.
    fn killed(&self, at: usize, event: Event) -> Killed {
        Killed::Yes(trace_to(|at| self.nodes[at].before.clone(), Some((at, event))))
    }
}

impl<'a> Lifted<'a> {
    fn new(original: &'a ActionSystem, mutants: &'a [ActionSystem], budget: &'a Budget) -> Result<Self, Open> {
        let normal = Normal::of(original)?;
        let mut changing: BTreeMap<ActionKey<'_>, FixedBitSet> = BTreeMap::new();
        let mut changed = Vec::with_capacity(mutants.len());
        for (number, mutant) in mutants.iter().enumerate() {
            for instance in &mutant.instances {
                let all = changing
                    .entry(ActionKey::of(&original.actions[instance.action]))
                    .or_insert_with(|| FixedBitSet::with_capacity(mutants.len()));
                all.insert(number);
            }
            changed.push(Normal::of(mutant));
        }
        Ok(Self {
            original: normal,
            changed,
            changing,
            budget,
        })
    }
    fn is_input(&self, action: ActionKey<'_>) -> bool {
        self.original.system.inputs.contains(action.name)
    }
    fn exceeded(&self, n: usize) -> Option<Killed> {
        let reason = self.budget.exceeded(n as u64, 200 * n as u64);
        reason.map(|reason| Killed::Open(Open::Limit(reason)))
    }

    /// Searches the original breadth first for unsafe states of each mutant.
    fn by_states(&self) -> Vec<Killed> {
        let mut decided = MutantVerdicts::new(self);
        let start = self.original.system.init.clone();
        let mut met: FxHashSet<Values> = FxHashSet::from_iter([start.clone()]);
        let mut nodes: Vec<(Values, EventPredecessor)> = vec![(start, None)];
        let mut at = 0;
        while at < nodes.len() && !decided.open.is_clear() {
            let state = nodes[at].0.clone();
            let here = StateSet::from([state.clone()]);
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
                let events = match self.original.events_beside(&self.original, action, &state, &here) {
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
    /// An event after which the mutant can reach a state that the original cannot.
    fn is_unsafe(&self, mutant: usize, state: &Values) -> Result<Option<Event>, Open> {
        let normal = self.changed[mutant].as_ref().map_err(|open| *open)?;
        let here = StateSet::from([state.clone()]);
        for action in normal.actions() {
            let events = self.original.events_beside(normal, action, state, &here)?;
            let differs = |event: &Event| {
                let own = normal.after(action, &event.values, state);
                !own.is_subset(&self.original.after_event(event, &here))
            };
            if let Some(event) = events.into_iter().find(differs) {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    /// Searches breadth first over a state of mutants and all states that the original can be in after the same events;
    /// `outputs` says that only outputs and silences count.
    fn by_traces(&self, outputs: bool) -> Vec<Killed> {
        let mut search = Traces {
            lifted: self,
            outputs,
            decided: MutantVerdicts::new(self),
            met: TraceNodes::default(),
        };
        let start = self.original.system.init.clone();
        let all = search.decided.open.clone();
        search.add(start.clone(), StateSet::from([start]), None, all);
        let mut at = 0;
        while at < search.met.nodes.len() && !search.decided.open.is_clear() {
            for action in self.original.actions() {
                search.step(at, action);
            }
            if outputs {
                search.be_silent(at);
            }
            if let Some(limit) = self.exceeded(search.met.nodes.len()) {
                search.decided.are(&search.decided.open.clone(), &limit);
            }
            at += 1;
        }
        search.decided.killed
    }
}

/// The search for traces of mutants that the original does not have.
struct Traces<'s, 'a> {
    lifted: &'s Lifted<'a>,
    /// Whether only outputs and silences count.
    outputs: bool,
    decided: MutantVerdicts,
    met: TraceNodes,
}

impl<'s> Traces<'s, '_> {
    /// Follows `action` from a node: once for all mutants that do not change it, then for each mutant that does.
    fn step(&mut self, at: usize, action: ActionKey<'_>) {
        let lifted = self.lifted;
        let none = FixedBitSet::with_capacity(lifted.changed.len());
        let changing = lifted.changing.get(&action).unwrap_or(&none);
        let mut shared = self.met.nodes[at].mutants.clone();
        shared.difference_with(changing);
        self.follow(at, action, &lifted.original, shared);
        for mutant in changing.ones() {
            if !self.met.nodes[at].mutants.contains(mutant) {
                continue;
            }
            if let Ok(normal) = &lifted.changed[mutant] {
                let mut only = none.clone();
                only.insert(mutant);
                self.follow(at, action, normal, only);
            }
        }
    }
    /// Follows `action` of `normal`, which `mutants` share, from a node.
    fn follow(&mut self, at: usize, action: ActionKey<'_>, normal: &Normal<'_>, mut mutants: FixedBitSet) {
        mutants.intersect_with(&self.decided.open);
        if mutants.is_clear() {
            return;
        }
        let original = &self.lifted.original;
        let (own, others) = self.states(at);
        let events = match original.events_beside(normal, action, &own, &others) {
            Ok(events) => events,
            Err(open) => return self.decided.are(&mutants, &Killed::Open(open)),
        };
        for event in events {
            let mine = normal.after(action, &event.values, &own);
            if mine.is_empty() {
                continue;
            }
            let theirs = original.after_event(&event, &others);
            if theirs.is_empty() {
                // `ioco` leaves the reaction to an unspecified input to the implementation.
                if self.outputs && self.lifted.is_input(action) {
                    continue;
                }
                return self.decided.are(&mutants, &self.met.killed(at, event));
            }
            for next in mine {
                self.add(next, theirs.clone(), Some((at, event.clone())), mutants.clone());
            }
        }
    }
    /// Follows the silence of the mutants that have no output in a node; the original may have one.
    fn be_silent(&mut self, at: usize) {
        let (own, others) = self.states(at);
        let mut mutants = self.met.nodes[at].mutants.clone();
        mutants.intersect_with(&self.decided.open);
        let silent = match self.lifted.spoken(&own) {
            Ok(spoken) => self.silent(mutants, &own, &spoken),
            Err(open) => return self.decided.are(&mutants, &Killed::Open(open)),
        };
        if silent.is_clear() {
            return;
        }
        let mut theirs = StateSet::new();
        for state in others {
            match self.lifted.spoken(&state) {
                Ok(spoken) if spoken.is_empty() => drop(theirs.insert(state)),
                Ok(_) => {}
                Err(open) => return self.decided.are(&silent, &Killed::Open(open)),
            }
        }
        let event = Event {
            action: SILENCE.to_owned(),
            values: Vec::new(),
        };
        if theirs.is_empty() {
            return self.decided.are(&silent, &self.met.killed(at, event));
        }
        self.add(own, theirs, Some((at, event)), silent);
    }
    /// The members of `mutants` that have no output in the state `own`, in which the original has the outputs `spoken`.
    fn silent(&mut self, mutants: FixedBitSet, own: &Values, spoken: &BTreeSet<ActionKey<'s>>) -> FixedBitSet {
        let lifted = self.lifted;
        let mut silent = mutants.clone();
        for mutant in mutants.ones() {
            let Ok(normal) = &lifted.changed[mutant] else { continue };
            let mut speaks = spoken
                .iter()
                .any(|other| normal.actions().all(|action| action != *other));
            for action in normal.actions().filter(|action| !lifted.is_input(*action)) {
                match lifted.speaks(action, normal, own) {
                    Ok(is_there) => speaks |= is_there,
                    Err(open) => {
                        self.decided.is(mutant, Killed::Open(open));
                        speaks = true;
                    }
                }
            }
            silent.set(mutant, !speaks);
        }
        silent
    }
    /// The state of the mutants in a node, and the states of the original.
    fn states(&self, at: usize) -> (Values, StateSet) {
        (self.met.nodes[at].own.clone(), self.met.nodes[at].others.clone())
    }
    fn add(&mut self, own: Values, others: StateSet, before: EventPredecessor, mutants: FixedBitSet) {
        self.met.add(own, others, before, mutants, self.outputs);
    }
}

impl<'a> Lifted<'a> {
    /// Whether a system has an output of `action` in `state`.
    fn speaks(&self, action: ActionKey<'_>, normal: &Normal<'_>, state: &Values) -> Result<bool, Open> {
        let events = self.original.events_beside(normal, action, state, &StateSet::new())?;
        Ok(events
            .iter()
            .any(|event| !normal.after(action, &event.values, state).is_empty()))
    }
    /// The outputs that the original has in `state`.
    fn spoken(&self, state: &Values) -> Result<BTreeSet<ActionKey<'a>>, Open> {
        let mut spoken = BTreeSet::new();
        for action in self.original.actions().filter(|action| !self.is_input(*action)) {
            if self.speaks(action, &self.original, state)? {
                spoken.insert(action);
            }
        }
        Ok(spoken)
    }
}
