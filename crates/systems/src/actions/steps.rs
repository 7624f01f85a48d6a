//! The steps of an action system from a state, with one value for each class of parameter values that behave alike.
//!
//! In a given state every comparison is a comparison of numbers and parameters. A comparison with one parameter is
//! decided by the side of a number on which the parameter lies, so these numbers cut its values into classes; two
//! systems that are compared are cut by the numbers of both. Time and space therefore do not depend on the size of the
//! constants. A parameter that flows into the state, or is compared with another one, is tried value by value if it has
//! few values.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::composed::{LoopPositions, Seat};
use super::normal::{Path, paths};
use super::system::{ActionCondition, ActionSystem, GuardedAction, IntegerTerm, Loop};

/// The largest number of values that are tried one by one.
const MAX_VALUES: i64 = 1 << 12;

/// The values of the variables.
pub type Values = Vec<i64>;

/// An action with the values of its parameters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Event {
    /// The name of the action.
    pub action: String,
    /// The value of each parameter, in order.
    pub values: Vec<i64>,
}

impl Event {
    fn key(&self) -> ActionKey<'_> {
        ActionKey {
            name: &self.action,
            arity: self.values.len(),
        }
    }
}

impl std::fmt::Display for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.action)?;
        let values: Vec<String> = self.values.iter().map(ToString::to_string).collect();
        match values.is_empty() {
            true => Ok(()),
            false => write!(f, "({})", values.join(",")),
        }
    }
}

/// The reason why a question is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Open {
    /// A parameter with too many values flows into the state, or is compared with another one.
    Parameter,
    /// An action has too many paths.
    Paths,
    /// A limit of the search was hit.
    Limit(tamper_text::StopReason),
}

impl std::fmt::Display for Open {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Parameter => f.write_str("a parameter with too many values flows into the state"),
            Self::Paths => f.write_str("an action has too many ways through it"),
            Self::Limit(reason) => reason.fmt(f),
        }
    }
}

/// The identity of an action in the loop: actions with the same name and number of parameters are one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ActionKey<'a> {
    pub name: &'a str,
    pub arity: usize,
}

impl<'a> ActionKey<'a> {
    /// The key under which the loop has `action`.
    pub fn of(action: &'a GuardedAction) -> Self {
        Self {
            name: &action.name,
            arity: action.parameters.len(),
        }
    }
}

/// An action of the loop: the bounds of its parameters, its paths, and its place in a run.
struct LoopAction<'a> {
    bounds: Vec<(i64, i64)>,
    paths: Vec<Path>,
    seat: Seat<'a>,
}

impl LoopAction<'_> {
    /// Adds the cuts of the parameters' values in `state`.
    fn cut(&self, state: &[i64], cuts: &mut Cuts) {
        for (place, (first, last)) in self.bounds.iter().enumerate() {
            cuts.bound(place, i128::from(*first), i128::from(*last) + 1);
        }
        for path in &self.paths {
            path.conditions
                .iter()
                .for_each(|condition| cut_by(condition, state, cuts));
            for value in &path.values {
                flows_in(value, &mut cuts.flowing);
            }
        }
    }
    /// The variables after it with these values.
    fn after(&self, values: &[i64], state: &[i64]) -> BTreeSet<Values> {
        let mut bounds = self.bounds.iter().zip(values);
        if !bounds.all(|((first, last), value)| (first..=last).contains(&value)) {
            return BTreeSet::new();
        }
        let moment = TermEnvironment { state, values };
        let ways = self.paths.iter().filter(|path| {
            let mut conditions = path.conditions.iter();
            conditions.all(|condition| moment.holds(condition))
        });
        // The conditions keep every value in its type.
        let after = ways.filter_map(|path| {
            let after = path.values.iter().map(|value| i64::try_from(moment.value(value)).ok());
            after.collect()
        });
        after.collect()
    }
}

/// A system in normal form.
pub struct Normal<'a> {
    pub system: &'a ActionSystem,
    /// By place in the loop.
    ways: Vec<LoopAction<'a>>,
    /// By name and number of parameters: the places in the loop.
    actions: BTreeMap<ActionKey<'a>, Vec<usize>>,
    /// By position: the rest of a run.
    positions: LoopPositions<'a>,
    /// Whether states end in a position.
    has_positions: bool,
    /// The open question whether an action can run through on which others depend; later results are open too.
    trouble: OnceLock<Open>,
}

impl<'a> Normal<'a> {
    /// The normal form of `system`.
    ///
    /// # Errors
    /// An action has too many paths.
    pub fn of(system: &'a ActionSystem) -> Result<Self, Open> {
        Self::beside(system, system)
    }
    /// The normal form of `system`, with states that can be compared with the states of `other`.
    ///
    /// # Errors
    /// An action has too many paths.
    pub fn beside(system: &'a ActionSystem, other: &ActionSystem) -> Result<Self, Open> {
        let mut actions: BTreeMap<ActionKey<'_>, Vec<usize>> = BTreeMap::new();
        let mut ways = Vec::with_capacity(system.instances.len());
        for (place, instance) in system.instances.iter().enumerate() {
            let action = &system.actions[instance.action];
            let bounds = instance.types.iter().map(|number| &system.types[*number]);
            ways.push(LoopAction {
                bounds: bounds.map(|int_type| (int_type.first, int_type.last)).collect(),
                paths: paths(system, action).ok_or(Open::Paths)?,
                seat: Seat::default(),
            });
            actions.entry(ActionKey::of(action)).or_default().push(place);
        }
        let mut seat = |place: usize, seat| ways[place].seat = seat;
        let positions = system.composed.as_ref().map(|part| LoopPositions::of(part, &mut seat));
        Ok(Self {
            system,
            ways,
            actions,
            positions: positions.unwrap_or_default(),
            has_positions: system.composed.is_some() || other.composed.is_some(),
            trouble: OnceLock::new(),
        })
    }
    /// The initial state of the system: its variables, and the position if states have one.
    pub fn start(&self) -> Values {
        self.at(self.system.init.clone(), 0)
    }
    fn at(&self, mut variables: Values, position: usize) -> Values {
        if self.has_positions {
            variables.push(position as i64);
        }
        variables
    }
    /// The variables of a state, and its position.
    fn split<'s>(&self, state: &'s [i64]) -> (&'s [i64], usize) {
        let (variables, position) = state.split_at(self.system.variables.len());
        (variables, position.first().map_or(0, |position| *position as usize))
    }
    /// Whether a state is one between two actions of a run.
    pub fn is_between(&self, state: &[i64]) -> bool {
        self.split(state).1 > 0
    }
    /// Returns `found`, unless an open question makes it unreliable.
    ///
    /// # Errors
    /// The open question.
    pub fn sound<T>(&self, found: T) -> Result<T, Open> {
        self.trouble.get().map_or(Ok(found), |open| Err(*open))
    }
    /// The variables after an action of the loop, for all values of its parameters.
    fn after_instance(&self, place: usize, state: &[i64]) -> BTreeSet<Values> {
        let way = &self.ways[place];
        let mut cuts = Cuts::new(way.bounds.len());
        way.cut(state, &mut cuts);
        match cuts.values(|values| !way.after(values, state).is_empty()) {
            Ok(classes) => classes
                .iter()
                .flat_map(|(values, _)| way.after(values, state))
                .collect(),
            Err(open) => {
                self.trouble.get_or_init(|| open);
                BTreeSet::new()
            }
        }
    }
    /// The ways of an action that begin at the position of `state`.
    fn ways_at<'s>(&'s self, action: ActionKey<'s>, position: usize) -> impl Iterator<Item = &'s LoopAction<'a>> + 's {
        let places = self.actions.get(&action).into_iter().flatten();
        let ways = places.map(|place| &self.ways[*place]);
        ways.filter(move |way| way.seat.entry == position)
    }
    /// The actions of the loop: name and number of parameters, in order.
    pub fn actions(&self) -> impl Iterator<Item = ActionKey<'a>> + '_ {
        self.actions.keys().copied()
    }
    /// Adds the cuts of an action's parameters in `state`: the first value of every class but the first.
    pub fn cut(&self, action: ActionKey<'_>, state: &Values, cuts: &mut Cuts) {
        let (variables, position) = self.split(state);
        self.ways_at(action, position).for_each(|way| way.cut(variables, cuts));
    }
    /// The states after an action with these values.
    pub fn after(&self, action: ActionKey<'_>, values: &[i64], state: &Values) -> BTreeSet<Values> {
        let (variables, position) = self.split(state);
        let mut found = BTreeSet::new();
        for way in self.ways_at(action, position) {
            let after = way.after(values, variables);
            // The more expensive questions are asked last.
            if after.is_empty() || !self.begins(&way.seat, variables) {
                continue;
            }
            let after = after.into_iter().filter(|after| self.ends(way.seat.exit, after));
            found.extend(after.map(|after| self.at(after, way.seat.exit)));
        }
        found
    }
    /// The states after an event in any of `states`.
    pub fn after_event(&self, event: &Event, states: &BTreeSet<Values>) -> BTreeSet<Values> {
        let after = states.iter().map(|state| self.after(event.key(), &event.values, state));
        after.flatten().collect()
    }
    /// The events of `action` to consider when a mutant of this system is in `own` and this system in `others`.
    pub fn events_beside(
        &self,
        mutant: &Normal<'_>,
        action: ActionKey<'_>,
        own: &Values,
        others: &BTreeSet<Values>,
    ) -> Result<Vec<Event>, Open> {
        let mut cuts = Cuts::new(action.arity);
        mutant.cut(action, own, &mut cuts);
        others.iter().for_each(|other| self.cut(action, other, &mut cuts));
        let is_enabled = |values: &[i64]| {
            let mut original = others.iter().map(|other| self.after(action, values, other));
            !mutant.after(action, values, own).is_empty() || original.any(|after| !after.is_empty())
        };
        let event = |(values, _)| Event {
            action: action.name.to_owned(),
            values,
        };
        Ok(cuts.values(is_enabled)?.into_iter().map(event).collect())
    }
}

impl Normal<'_> {
    /// The states after a whole part of the loop.
    fn through(&self, part: &Loop, state: &[i64]) -> BTreeSet<Values> {
        match part {
            Loop::One(instance) => self.after_instance(*instance, state),
            Loop::Choice(parts) => parts.iter().flat_map(|part| self.through(part, state)).collect(),
            Loop::Sequence(parts) => parts.iter().fold(BTreeSet::from([state.to_vec()]), |states, part| {
                states.iter().flat_map(|state| self.through(part, state)).collect()
            }),
            Loop::Priority(parts) => {
                let mut after = parts.iter().map(|part| self.through(part, state));
                after.find(|after| !after.is_empty()).unwrap_or_default()
            }
        }
    }
    /// Whether a run at `position` can come to its end.
    fn ends(&self, position: usize, state: &[i64]) -> bool {
        let Some((part, exit)) = position.checked_sub(1).map(|place| self.positions.rest[place]) else {
            return true;
        };
        self.through(part, state).iter().any(|after| self.ends(exit, after))
    }
    /// Whether an action with this `seat` may begin in a state at its position.
    fn begins(&self, seat: &Seat<'_>, state: &[i64]) -> bool {
        seat.unless.iter().all(|part| self.through(part, state).is_empty())
    }
}

/// A value of each parameter, and the number of consecutive values from it on that it stands for.
pub type ParameterClass = (Vec<i64>, Vec<i128>);

/// The cuts of an action's parameter values into classes.
#[derive(Clone, Debug)]
pub struct Cuts {
    /// By parameter: the first values of classes.
    at: Vec<BTreeSet<i128>>,
    /// By parameter: its smallest value, and the number after its largest.
    bounds: Vec<Option<(i128, i128)>>,
    /// Parameters that flow into the state.
    flowing: BTreeSet<usize>,
    /// Parameters that are compared with each other, or multiplied.
    tangled: BTreeSet<usize>,
}

impl Cuts {
    /// Classes without any cut.
    pub fn new(n_parameters: usize) -> Self {
        Self {
            at: vec![BTreeSet::new(); n_parameters],
            bounds: vec![None; n_parameters],
            flowing: BTreeSet::new(),
            tangled: BTreeSet::new(),
        }
    }
    fn bound(&mut self, parameter: usize, first: i128, end: i128) {
        self.at[parameter].extend([first, end]);
        let (other_first, other_end) = self.bounds[parameter].unwrap_or((first, end));
        self.bounds[parameter] = Some((first.min(other_first), end.max(other_end)));
    }
    /// By parameter: the first value of each class, and the size of the class.
    fn classes(&self, parameter: usize) -> Vec<(i64, i128)> {
        let Some((first, end)) = self.bounds[parameter] else {
            return Vec::new();
        };
        let cuts: Vec<i128> = self.at[parameter].range(first..=end).copied().collect();
        let class = |pair: &[i128]| i64::try_from(pair[0]).ok().map(|first| (first, pair[1] - pair[0]));
        cuts.windows(2).filter_map(class).collect()
    }
    /// Representative values of the parameters, each with the number of consecutive values from it on that it stands
    /// for. `is_enabled` says whether anything is possible with some values.
    ///
    /// # Errors
    /// There are too many.
    pub fn values(&self, is_enabled: impl Fn(&[i64]) -> bool) -> Result<Vec<ParameterClass>, Open> {
        let mut all: Vec<ParameterClass> = vec![(Vec::new(), Vec::new())];
        for parameter in 0..self.at.len() {
            let mut classes = self.classes(parameter);
            if self.tangled.contains(&parameter) {
                let n: i128 = classes.iter().map(|(_, size)| size).sum();
                if n > i128::from(MAX_VALUES) {
                    return Err(Open::Parameter);
                }
                classes = classes
                    .iter()
                    .flat_map(|(first, size)| (0..*size).map(move |place| (first + place as i64, 1)))
                    .collect();
            }
            let longer = |(values, sizes): &ParameterClass| -> Vec<ParameterClass> {
                let one =
                    |(first, size): &(i64, i128)| ([&values[..], &[*first]].concat(), [&sizes[..], &[*size]].concat());
                classes.iter().map(one).collect()
            };
            all = all.iter().flat_map(longer).collect();
            if all.len() as i64 > MAX_VALUES * 16 {
                return Err(Open::Parameter);
            }
        }
        let mut spread = Vec::new();
        for (values, sizes) in all {
            if self.flowing.is_empty() || !is_enabled(&values) {
                spread.push((values, sizes));
                continue;
            }
            let mut some: Vec<ParameterClass> = vec![(Vec::new(), Vec::new())];
            for (parameter, (first, size)) in values.iter().zip(&sizes).enumerate() {
                let n = if self.flowing.contains(&parameter) { *size } else { 1 };
                if n * some.len() as i128 > i128::from(MAX_VALUES) {
                    return Err(Open::Parameter);
                }
                let rest = if n == 1 { *size } else { 1 };
                let longer = |(values, sizes): &ParameterClass| -> Vec<ParameterClass> {
                    let one = |place| ([&values[..], &[first + place]].concat(), [&sizes[..], &[rest]].concat());
                    (0..n as i64).map(one).collect()
                };
                some = some.iter().flat_map(longer).collect();
            }
            spread.extend(some);
        }
        Ok(spread)
    }
}

fn flows_in(term: &IntegerTerm, found: &mut BTreeSet<usize>) {
    match term {
        IntegerTerm::Value(..) | IntegerTerm::Variable(_) => {}
        IntegerTerm::Parameter(parameter) => drop(found.insert(*parameter)),
        IntegerTerm::Add(left, right) | IntegerTerm::Subtract(left, right) | IntegerTerm::Multiply(left, right) => {
            flows_in(left, found);
            flows_in(right, found);
        }
    }
}

fn cut_by(condition: &ActionCondition, state: &[i64], cuts: &mut Cuts) {
    match condition {
        ActionCondition::True => {}
        ActionCondition::And(left, right) | ActionCondition::Or(left, right) => {
            cut_by(left, state, cuts);
            cut_by(right, state, cuts);
        }
        ActionCondition::Not(operand) => cut_by(operand, state, cuts),
        ActionCondition::Compare(_, left, right, _) => {
            let difference = IntegerTerm::Subtract(Box::new(left.clone()), Box::new(right.clone()));
            let mut named = BTreeSet::new();
            flows_in(&difference, &mut named);
            match (linear(&difference, state), named.len()) {
                (_, 0) => {}
                (Some((constant, factors)), _) if factors.len() <= 1 => {
                    // factor * x + constant is 0 at -constant / factor.
                    if let Some((parameter, factor)) = factors.first_key_value() {
                        let (zero, rest) = ((-constant).div_euclid(*factor), (-constant).rem_euclid(*factor));
                        cuts.at[*parameter].insert(zero + 1);
                        if rest == 0 {
                            cuts.at[*parameter].insert(zero);
                        }
                    }
                }
                _ => cuts.tangled.extend(named),
            }
        }
    }
}

/// A term as a constant and a factor of each parameter, without factors that are 0; `None` if it is not linear in
/// `state`.
fn linear(term: &IntegerTerm, state: &[i64]) -> Option<(i128, BTreeMap<usize, i128>)> {
    let scaled =
        |(constant, factors): (i128, BTreeMap<usize, i128>), by: i128| -> Option<(i128, BTreeMap<usize, i128>)> {
            let factors = factors
                .into_iter()
                .map(|(place, factor)| Some((place, factor.checked_mul(by)?)));
            let factors: Option<BTreeMap<usize, i128>> = factors.collect();
            let factors = factors?.into_iter().filter(|(_, factor)| *factor != 0).collect();
            Some((constant.checked_mul(by)?, factors))
        };
    match term {
        IntegerTerm::Value(value, _) => Some((i128::from(*value), BTreeMap::new())),
        IntegerTerm::Variable(variable) => Some((i128::from(state[*variable]), BTreeMap::new())),
        IntegerTerm::Parameter(parameter) => Some((0, BTreeMap::from([(*parameter, 1)]))),
        IntegerTerm::Add(left, right) | IntegerTerm::Subtract(left, right) => {
            let sign = if matches!(term, IntegerTerm::Add(..)) { 1 } else { -1 };
            let ((mut constant, mut factors), right) = (linear(left, state)?, scaled(linear(right, state)?, sign)?);
            constant = constant.checked_add(right.0)?;
            for (place, factor) in right.1 {
                let sum = factors.entry(place).or_insert(0);
                *sum = sum.checked_add(factor)?;
            }
            factors.retain(|_, factor| *factor != 0);
            Some((constant, factors))
        }
        IntegerTerm::Multiply(left, right) => {
            let (left, right) = (linear(left, state)?, linear(right, state)?);
            match (left.1.is_empty(), right.1.is_empty()) {
                (true, _) => scaled(right, left.0),
                (_, true) => scaled(left, right.0),
                _ => None,
            }
        }
    }
}

struct TermEnvironment<'a> {
    state: &'a [i64],
    values: &'a [i64],
}

impl TermEnvironment<'_> {
    /// The value of a term; products that are too large are capped at the largest number, which is in no type.
    fn value(&self, term: &IntegerTerm) -> i128 {
        match term {
            IntegerTerm::Value(value, _) => i128::from(*value),
            IntegerTerm::Variable(variable) => i128::from(self.state[*variable]),
            IntegerTerm::Parameter(parameter) => i128::from(self.values[*parameter]),
            IntegerTerm::Add(left, right) => self.value(left).saturating_add(self.value(right)),
            IntegerTerm::Subtract(left, right) => self.value(left).saturating_sub(self.value(right)),
            IntegerTerm::Multiply(left, right) => self.value(left).saturating_mul(self.value(right)),
        }
    }
    fn holds(&self, condition: &ActionCondition) -> bool {
        match condition {
            ActionCondition::True => true,
            ActionCondition::Compare(relation, left, right, _) => relation.holds(self.value(left), self.value(right)),
            ActionCondition::And(left, right) => self.holds(left) && self.holds(right),
            ActionCondition::Or(left, right) => self.holds(left) || self.holds(right),
            ActionCondition::Not(operand) => !self.holds(operand),
        }
    }
}
