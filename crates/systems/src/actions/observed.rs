//! An action system as a tester meets it: a transition system whose inputs are the tester's moves.
//!
//! The tester observes, or offers an event of an input action. It then sees an event (an output of the system, which
//! may be faster than an offer; or the offered event, taken), that the offer is [`REFUSED`], or [`SILENCE`]: no output
//! is possible. Values of parameters are cut into classes by an [`Alphabet`] that all systems share: in none of them do
//! two events of a class lead to different states, or from different ones.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::compare::{SILENCE, reach_with};
use super::pattern::Pattern;
use super::steps::{Event, Normal, Open, Values};
use super::system::ActionSystem;
use crate::{Builder, InputId, OutputId, StateId, Step, TransitionSystem};
use tamper_text::{Budget, Id};

/// The input of a tester who waits for an output.
pub const OBSERVE: &str = "observe";
/// The output that stands for a refused input.
pub const REFUSED: &str = "refused";
/// The largest number of classes of one action.
const MAX_CLASSES: usize = 1 << 12;

/// The events that a tester tells apart, by classes of values.
#[derive(Clone, Debug, Default)]
pub struct Alphabet {
    /// By action and number of parameters, then by parameter: the first value of each class, and the number after the
    /// last class.
    cuts: BTreeMap<(String, usize), Vec<BTreeSet<i128>>>,
    /// The names of the environment's actions.
    inputs: BTreeSet<String>,
}

impl Alphabet {
    /// An alphabet that names only the inputs of `system`, without cuts.
    pub fn new(system: &ActionSystem) -> Self {
        Self {
            cuts: BTreeMap::new(),
            inputs: system.inputs.clone(),
        }
    }
    /// Adds the events of `system`, with the classes of values that it tells apart.
    ///
    /// # Errors
    /// A parameter has too many values that each lead to a different state, or a limit was hit.
    pub fn add_system(&mut self, system: &ActionSystem, budget: &Budget) -> Result<(), Open> {
        reach_with(system, budget, &mut |event, sizes| {
            let n = event.values.len();
            self.action(&event.action, n);
            for (place, (value, size)) in event.values.iter().zip(sizes).enumerate() {
                let last = i64::try_from(i128::from(*value) + size - 1).unwrap_or(i64::MAX);
                self.cut(&event.action, place, n, *value, last);
            }
        })?;
        Ok(())
    }
    /// Adds the events that a test tells apart.
    pub fn add_pattern(&mut self, pattern: &Pattern) {
        let n = pattern.ranges.len();
        self.action(&pattern.action, n);
        for (place, (first, last)) in pattern.ranges.iter().enumerate() {
            self.cut(&pattern.action, place, n, *first, *last);
        }
    }
    /// The cuts of an action with `n` parameters.
    fn action(&mut self, action: &str, n: usize) -> &mut Vec<BTreeSet<i128>> {
        let key = (action.to_owned(), n);
        self.cuts.entry(key).or_insert_with(|| vec![BTreeSet::new(); n])
    }
    fn cut(&mut self, action: &str, place: usize, n: usize, first: i64, last: i64) {
        self.action(action, n)[place].extend([i128::from(first), i128::from(last) + 1]);
    }
    /// The classes of every action, in order.
    ///
    /// # Errors
    /// There are too many.
    fn classes(&self) -> Result<Vec<Pattern>, Open> {
        let mut found = Vec::new();
        for ((action, _), cuts) in &self.cuts {
            let mut all: Vec<Vec<(i64, i64)>> = vec![Vec::new()];
            for cuts in cuts {
                let cuts: Vec<i128> = cuts.iter().copied().collect();
                let range = |pair: &[i128]| Some((i64::try_from(pair[0]).ok()?, i64::try_from(pair[1] - 1).ok()?));
                let ranges: Vec<(i64, i64)> = cuts.windows(2).filter_map(range).collect();
                if all.len() * ranges.len() > MAX_CLASSES {
                    return Err(Open::Parameter);
                }
                let longer = |one: &Vec<(i64, i64)>| {
                    ranges
                        .iter()
                        .map(|range| [&one[..], &[*range]].concat())
                        .collect::<Vec<_>>()
                };
                all = all.iter().flat_map(longer).collect();
            }
            found.extend(all.into_iter().map(|ranges| Pattern {
                action: action.clone(),
                ranges,
            }));
        }
        Ok(found)
    }
}

/// The role of a system in a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// The system under test, with its own behaviour.
    Subject,
    /// The specification, where tests fail on events that it lacks: silence and refusal are always allowed.
    Events,
    /// The specification, where tests fail on outputs and silences (`ioco`): after an input that it does not take,
    /// everything is allowed.
    Outputs,
}

/// `system` as it appears to a tester who uses the classes of `alphabet`, which includes all events of the system.
///
/// # Errors
/// A limit was hit, or there are too many classes.
pub fn observed(
    system: &ActionSystem,
    alphabet: &Alphabet,
    view: View,
    budget: &Budget,
) -> Result<TransitionSystem, Open> {
    let classes = alphabet.classes()?;
    let is_input = |pattern: &Pattern| alphabet.inputs.contains(&pattern.action);
    let (inputs, outputs): (Vec<Pattern>, Vec<Pattern>) = classes.into_iter().partition(is_input);
    let offers: Vec<Event> = inputs.iter().map(Pattern::first).collect();
    let mut gives = vec![OBSERVE.to_owned()];
    gives.extend(offers.iter().map(ToString::to_string));
    let mut seen: Vec<String> = outputs.iter().map(ToString::to_string).collect();
    seen.extend(offers.iter().map(ToString::to_string));
    seen.extend([SILENCE, REFUSED].map(str::to_owned));
    let mut builder = Builder::new(gives, seen);
    let mut world = ObservedSystem {
        normal: Normal::of(system)?,
        outputs: outputs.iter().map(Pattern::first).collect(),
        offers,
        view,
        numbers: FxHashMap::default(),
        places: Vec::new(),
    };
    let start = BTreeSet::from([world.normal.start()]);
    let start = world.number(ObservedState::Known(start), &mut builder);
    builder.start(start);
    let mut at = 0;
    while at < world.places.len() {
        world.steps(at, &mut builder);
        at += 1;
        if let Some(reason) = budget.exceeded(world.places.len() as u64, 200 * world.places.len() as u64) {
            return Err(Open::Limit(reason));
        }
    }
    world.normal.sound(())?;
    // Every place has a step for every input: an offer is taken or refused, an observation sees an output or silence.
    builder.finish().map_err(|_| Open::Parameter)
}

/// A state of the observed system.
#[derive(Clone, PartialEq, Eq, Hash)]
enum ObservedState {
    /// The system is in one of these states; a single state, unless only outputs count.
    Known(BTreeSet<Values>),
    Anything,
}

struct ObservedSystem<'s> {
    normal: Normal<'s>,
    outputs: Vec<Event>,
    offers: Vec<Event>,
    view: View,
    numbers: FxHashMap<ObservedState, StateId>,
    places: Vec<ObservedState>,
}

impl ObservedSystem<'_> {
    fn number(&mut self, place: ObservedState, builder: &mut Builder) -> StateId {
        if let Some(known) = self.numbers.get(&place) {
            return *known;
        }
        let state = builder.state();
        self.places.push(place.clone());
        self.numbers.insert(place, state);
        state
    }
    /// The places that `states` stands for: a single place for all of them if only outputs count.
    fn places(&self, states: BTreeSet<Values>) -> Vec<ObservedState> {
        match self.view {
            View::Outputs if states.is_empty() => Vec::new(),
            View::Outputs => vec![ObservedState::Known(states)],
            View::Subject | View::Events => states
                .into_iter()
                .map(|state| ObservedState::Known(BTreeSet::from([state])))
                .collect(),
        }
    }
    fn silence(&self) -> OutputId {
        OutputId::from_index(self.outputs.len() + self.offers.len())
    }
    fn refused(&self) -> OutputId {
        OutputId::from_index(self.outputs.len() + self.offers.len() + 1)
    }
    /// The inputs: observing, and every offer.
    fn gives(&self) -> impl Iterator<Item = InputId> + use<> {
        (0..=self.offers.len()).map(InputId::from_index)
    }
    fn steps(&mut self, at: usize, builder: &mut Builder) {
        let state = StateId::from_index(at);
        match self.places[at].clone() {
            ObservedState::Anything => {
                for give in self.gives() {
                    for output in (0..=self.refused().index()).map(OutputId::from_index) {
                        builder.add(state, give, Step { output, target: state });
                    }
                }
            }
            ObservedState::Known(states) => {
                self.speak(state, &states, builder);
                for number in 0..self.offers.len() {
                    self.offer(state, &states, number, builder);
                }
            }
        }
    }
    /// Adds the outputs of `states`, which are possible for every input of the tester, and the silence of the states
    /// without an output.
    fn speak(&mut self, state: StateId, states: &BTreeSet<Values>, builder: &mut Builder) {
        for number in 0..self.outputs.len() {
            for place in self.places(self.normal.after_event(&self.outputs[number], states)) {
                let target = self.number(place, builder);
                let output = OutputId::from_index(number);
                self.gives()
                    .for_each(|give| builder.add(state, give, Step { output, target }));
            }
        }
        let speaks = |values: &Values| {
            let one = BTreeSet::from([values.clone()]);
            self.outputs
                .iter()
                .any(|event| !self.normal.after_event(event, &one).is_empty())
        };
        let silent: BTreeSet<Values> = match self.view {
            View::Events => states.clone(),
            View::Subject | View::Outputs => states.iter().filter(|values| !speaks(values)).cloned().collect(),
        };
        for place in self.places(silent) {
            let target = self.number(place, builder);
            let output = self.silence();
            builder.add(state, InputId::from_index(0), Step { output, target });
        }
    }
    /// Adds the steps of `states` on an offer: taken, refused, or both.
    fn offer(&mut self, state: StateId, states: &BTreeSet<Values>, number: usize, builder: &mut Builder) {
        let give = InputId::from_index(number + 1);
        let taken = OutputId::from_index(self.outputs.len() + number);
        let mut after = self.places(self.normal.after_event(&self.offers[number], states));
        let is_taken = !after.is_empty();
        if !is_taken && self.view == View::Outputs {
            after.push(ObservedState::Anything);
        }
        for place in after {
            let target = self.number(place, builder);
            builder.add(state, give, Step { output: taken, target });
        }
        if !is_taken || self.view != View::Subject {
            let output = self.refused();
            builder.add(state, give, Step { output, target: state });
        }
    }
}
