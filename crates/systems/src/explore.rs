//! Explores the states and steps of a program.

use rustc_hash::FxHashMap;

use super::evaluate::{NoValue, StepValuation};
use super::program::{Constraint, Domain, Moments, Observed, Program, Role, VarId};
use super::{Builder, InputId, StateId, Step, SystemError, TransitionSystem};
use tamper_text::{Budget, Id, StopReason};

/// The largest number of inputs in one step.
const MAX_INPUTS: u128 = 1 << 16;
/// The largest number of successors of a state on one input.
const MAX_STEPS: u64 = 1 << 20;

/// The reason why the states of a program are not known.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ExploreError {
    /// A limit of the exploration was hit.
    Limit(StopReason),
    /// A state has no step for an input: the system is not total.
    NotTotal {
        /// The values of the state.
        state: String,
        /// The input for which a step is missing.
        input: String,
        /// The reason why a value is missing.
        why: NoValue,
    },
    /// Some choices of a state have no value for another variable: they would be left out silently.
    Removed {
        /// The values of the state; `None` for initial states.
        state: Option<String>,
        /// The input whose steps are removed.
        input: String,
        /// The reason why a value is missing.
        why: NoValue,
    },
    /// No valuation is initial, for this reason.
    NoInitialState(Option<NoValue>),
    /// There are more inputs in one step than the limit.
    TooManyInputs(u128),
    /// A valuation does not fit into a packed state.
    TooLarge,
    /// A state has more successors on one input than the limit.
    TooManySteps,
    /// Initial or next values depend on each other in a circle.
    Circular,
    /// The states do not form a system.
    System(SystemError),
}

impl From<SystemError> for ExploreError {
    fn from(error: SystemError) -> Self {
        Self::System(error)
    }
}

impl ExploreError {
    /// Whether a state has no step for an input.
    pub(super) fn is_gap(&self) -> bool {
        matches!(self, Self::NotTotal { .. })
    }
}

/// The treatment of states that have no step for an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Missing {
    /// Refuses a system that is not total.
    #[default]
    Refuse,
    /// The state does not change, with an output that the system never gives otherwise.
    Complete,
}

/// The output of [`Missing::Complete`]; no value of a variable has this spelling.
const QUIET: &str = "(quiet)";

/// The reachable states of `program`, packed, and all their steps.
///
/// # Errors
/// The system is not total, has no initial state, or is larger than the limits allow.
pub fn explore(program: &Program, missing: Missing, budget: &Budget) -> Result<TransitionSystem, ExploreError> {
    program.n_valuations().ok_or(ExploreError::TooLarge)?;
    let mut explorer = Explorer::new(program, missing)?;
    explorer.start()?;
    let mut at = 0;
    while at < explorer.states.len() {
        explorer.follow(at)?;
        at += 1;
        let bytes = 48 * explorer.states.len() as u64 + 24 * explorer.n_steps;
        if let Some(reason) = budget.exceeded(at as u64, bytes) {
            return Err(ExploreError::Limit(reason));
        }
    }
    Ok(explorer.builder.finish()?)
}

/// A step: its output, and the number of the next valuation.
pub(super) type ExploredStep = (String, usize);

pub(super) struct Explorer<'p> {
    program: &'p Program,
    missing: Missing,
    /// The variables of a state, in an order in which their next values can be found.
    vars: Vec<VarId>,
    /// The same variables, in an order in which their initial values can be found.
    init_vars: Vec<VarId>,
    /// The constraints on next values, then on initial values, each with the number of variables that have to be known
    /// for it.
    constraints: [Vec<(usize, &'p Constraint)>; 2],
    /// By input: the values of the input variables.
    inputs: Vec<Vec<(VarId, i64)>>,
    /// The outputs, each with whether it is seen with the input (else after the step).
    outputs: Vec<(Observed, bool)>,
    builder: Builder,
    output_numbers: FxHashMap<Vec<i64>, super::OutputId>,
    quiet: Option<super::OutputId>,
    /// By state: its values, packed.
    states: Vec<u128>,
    numbers: FxHashMap<u128, StateId>,
    n_steps: u64,
}

impl<'p> Explorer<'p> {
    pub(super) fn new(program: &'p Program, missing: Missing) -> Result<Self, ExploreError> {
        let inputs = inputs(program)?;
        let names = inputs.iter().map(|values| show_values(program, values)).collect();
        let outputs = program.outputs.iter().map(|seen| (*seen, program.sees_input(*seen)));
        let vars = program.next_order().ok_or(ExploreError::Circular)?;
        let init_vars = program.init_order().ok_or(ExploreError::Circular)?;
        let placed = |order: &[VarId], other: Moments| {
            let own = program
                .constraints
                .iter()
                .filter(|constraint| constraint.moments != other);
            let place = |constraint: &'p Constraint| {
                let needed = match constraint.moments {
                    Moments::Steps => program.next_values(&constraint.expr),
                    _ => program.depends_on(&constraint.expr),
                };
                let known = order.iter().rposition(|var| needed.contains(var));
                (known.map_or(0, |place| place + 1), constraint)
            };
            own.map(place).collect()
        };
        Ok(Self {
            program,
            missing,
            constraints: [placed(&vars, Moments::Initial), placed(&init_vars, Moments::Steps)],
            vars,
            init_vars,
            inputs,
            outputs: outputs.collect(),
            builder: Builder::new(names, Vec::new()),
            output_numbers: FxHashMap::default(),
            quiet: None,
            states: Vec::new(),
            numbers: FxHashMap::default(),
            n_steps: 0,
        })
    }

    /// The inputs as they are shown, by number.
    pub(super) fn input_names(&self) -> Vec<String> {
        self.inputs
            .iter()
            .map(|values| show_values(self.program, values))
            .collect()
    }

    /// The initial valuations, at least one.
    pub(super) fn initial_valuations(&self) -> Result<Vec<Vec<i64>>, ExploreError> {
        let blank = vec![0; self.program.n_variables()];
        let mut why = None;
        let valuations = self.valuations(&blank, Phase::Init, &mut why)?;
        match (valuations.is_empty(), why) {
            (true, why) => Err(ExploreError::NoInitialState(why)),
            (false, Some(why)) => Err(ExploreError::Removed {
                state: None,
                input: String::new(),
                why,
            }),
            (false, None) => Ok(valuations),
        }
    }

    /// The steps from the valuation `values`, reachable or not, on the input of that number: the output and the next
    /// valuation of each.
    pub(super) fn steps(&self, values: &[i64], number: usize) -> Result<Vec<(String, Vec<i64>)>, ExploreError> {
        let (mut now, mut why, mut steps) = (values.to_vec(), None, Vec::new());
        for (var, value) in &self.inputs[number] {
            now[var.index()] = *value;
        }
        for next in self.valuations(&now, Phase::Next, &mut why)? {
            match self.seen(&now, &next) {
                Ok(seen) => {
                    let outputs = self.outputs.iter().map(|(observed, _)| *observed);
                    steps.push((show_seen(self.program, outputs.zip(seen)), next));
                }
                Err(reason) => why = Some(reason),
            }
        }
        match why {
            Some(why) => Err(self.gap(&now, number, why, !steps.is_empty())),
            None => Ok(steps),
        }
    }

    /// The error that the state has no step for the input of that number; or has steps, but not for all choices.
    fn gap(&self, now: &[i64], number: usize, why: NoValue, has_some: bool) -> ExploreError {
        let values: Vec<(VarId, i64)> = self.vars.iter().map(|var| (*var, now[var.index()])).collect();
        let state = show_named(self.program, &values);
        let input = show_named(self.program, &self.inputs[number]);
        match has_some {
            true => ExploreError::Removed {
                state: Some(state),
                input,
                why,
            },
            false => ExploreError::NotTotal { state, input, why },
        }
    }

    fn start(&mut self) -> Result<(), ExploreError> {
        for values in self.initial_valuations()? {
            let state = self.number(&values);
            let seen = self.seen_first(&values)?;
            self.builder.start_with(state, seen);
        }
        Ok(())
    }

    /// The output of the initial state `values` before any input.
    pub(super) fn seen_first(&self, values: &[i64]) -> Result<String, ExploreError> {
        let after: Vec<Observed> = self.outputs.iter().filter(|seen| !seen.1).map(|seen| seen.0).collect();
        let moment = StepValuation::new(self.program, values, values);
        let seen: Result<Vec<i64>, NoValue> = after.iter().map(|seen| see(&moment, *seen)).collect();
        let seen = seen.map_err(|why| ExploreError::NoInitialState(Some(why)))?;
        Ok(show_seen(self.program, after.into_iter().zip(seen)))
    }

    /// Adds the steps of a state.
    fn follow(&mut self, at: usize) -> Result<(), ExploreError> {
        let mut now = self.unpack(self.states[at]);
        let state = StateId::from_index(at);
        for number in 0..self.inputs.len() {
            for (var, value) in &self.inputs[number] {
                now[var.index()] = *value;
            }
            let input = InputId::from_index(number);
            let mut why = None;
            let mut n_steps = 0;
            for next in self.valuations(&now, Phase::Next, &mut why)? {
                match self.seen(&now, &next) {
                    Ok(seen) => {
                        let (output, target) = (self.output(seen), self.number(&next));
                        self.builder.add(state, input, Step { output, target });
                        n_steps += 1;
                    }
                    Err(reason) => why = Some(reason),
                }
            }
            self.n_steps += n_steps;
            match (n_steps, self.missing, why) {
                (0, Missing::Complete, _) => {
                    let quiet = *self.quiet.get_or_insert_with(|| self.builder.output(QUIET.to_owned()));
                    let step = Step {
                        output: quiet,
                        target: state,
                    };
                    self.builder.add(state, input, step);
                }
                (0, Missing::Refuse, Some(why)) => return Err(self.gap(&now, number, why, false)),
                (1.., _, Some(why)) => return Err(self.gap(&now, number, why, true)),
                _ => {}
            }
        }
        Ok(())
    }

    /// The valuations of the state variables that can be initial, or can follow `now`; `why` is a reason for having
    /// none.
    fn valuations(&self, now: &[i64], phase: Phase, why: &mut Option<NoValue>) -> Result<Vec<Vec<i64>>, ExploreError> {
        let mut all = vec![vec![0; now.len()]];
        let (vars, constraints) = match phase {
            Phase::Next => (&self.vars, &self.constraints[0]),
            Phase::Init => (&self.init_vars, &self.constraints[1]),
        };
        for known in 0..=vars.len() {
            if known > 0 {
                all = self.extended(all, vars[known - 1], now, phase, why)?;
            }
            for (_, constraint) in constraints.iter().filter(|(own, _)| *own == known) {
                self.constrain(constraint, now, &mut all, why);
            }
        }
        Ok(all)
    }
    /// The valuations, each extended by every possible value of `var`.
    fn extended(
        &self,
        all: Vec<Vec<i64>>,
        var: VarId,
        now: &[i64],
        phase: Phase,
        why: &mut Option<NoValue>,
    ) -> Result<Vec<Vec<i64>>, ExploreError> {
        let variable = &self.program.variables[var];
        let is_free = match &variable.role {
            Role::State { init, next } => if phase == Phase::Init { init } else { next }.is_none(),
            Role::Frozen { init } => phase == Phase::Init && init.is_none(),
            Role::Input | Role::Derived(_) => false,
        };
        if is_free && variable.domain.len().saturating_mul(all.len() as u64) > MAX_STEPS {
            return Err(ExploreError::TooManySteps);
        }
        let mut longer = Vec::with_capacity(all.len());
        for values in all {
            let from = if phase == Phase::Init { &values } else { now };
            let moment = StepValuation::new(self.program, from, &values);
            let possible = match (&variable.role, phase) {
                (Role::State { init, .. } | Role::Frozen { init }, Phase::Init) => {
                    moment.within(&variable.domain, init.as_ref())
                }
                (Role::State { next, .. }, Phase::Next) => moment.within(&variable.domain, next.as_ref()),
                _ => Ok(vec![now[var.index()]]),
            };
            match possible {
                Ok(possible) => longer.extend(possible.into_iter().map(|value| {
                    let mut values = values.clone();
                    values[var.index()] = value;
                    values
                })),
                Err(reason) => *why = Some(reason),
            }
        }
        match longer.len() as u64 > MAX_STEPS {
            true => Err(ExploreError::TooManySteps),
            false => Ok(longer),
        }
    }

    /// Removes the valuations that the constraint does not allow.
    fn constrain(&self, constraint: &Constraint, now: &[i64], all: &mut Vec<Vec<i64>>, why: &mut Option<NoValue>) {
        let had_some = !all.is_empty();
        all.retain(|values| {
            let from = if constraint.moments == Moments::Steps {
                now
            } else {
                values
            };
            let holds = StepValuation::new(self.program, from, values).value(&constraint.expr);
            holds.unwrap_or_else(|reason| {
                *why = Some(reason);
                0
            }) != 0
        });
        if had_some && all.is_empty() {
            why.get_or_insert(NoValue::Constrained(constraint.expr.span));
        }
    }
    fn seen(&self, now: &[i64], next: &[i64]) -> Result<Vec<i64>, NoValue> {
        let before = StepValuation::new(self.program, now, next);
        let after = StepValuation::new(self.program, next, next);
        let see = |(seen, with_input): &(Observed, bool)| see(if *with_input { &before } else { &after }, *seen);
        self.outputs.iter().map(see).collect()
    }
    fn output(&mut self, seen: Vec<i64>) -> super::OutputId {
        if let Some(known) = self.output_numbers.get(&seen) {
            return *known;
        }
        let outputs = self.outputs.iter().map(|(observed, _)| *observed);
        let name = show_seen(self.program, outputs.zip(seen.iter().copied()));
        let output = self.builder.output(name);
        self.output_numbers.insert(seen, output);
        output
    }

    fn number(&mut self, values: &[i64]) -> StateId {
        let packed = self.pack(values);
        if let Some(known) = self.numbers.get(&packed) {
            return *known;
        }
        let state = self.builder.state();
        self.states.push(packed);
        self.numbers.insert(packed, state);
        state
    }
    fn pack(&self, values: &[i64]) -> u128 {
        let place = |packed: u128, var: &VarId| {
            let domain: &Domain = &self.program.variables[*var].domain;
            let place = domain.place(values[var.index()]).unwrap_or(0);
            packed * u128::from(domain.len()) + u128::from(place)
        };
        self.vars.iter().fold(0, place)
    }
    fn unpack(&self, mut packed: u128) -> Vec<i64> {
        let mut values = vec![0; self.program.n_variables()];
        for var in self.vars.iter().rev() {
            let domain = &self.program.variables[*var].domain;
            let size = u128::from(domain.len());
            values[var.index()] = domain.value((packed % size) as u64);
            packed /= size;
        }
        values
    }
}

/// The values that are computed: initial values, or next values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Init,
    Next,
}

fn see(moment: &StepValuation<'_>, observed: Observed) -> Result<i64, NoValue> {
    match observed {
        Observed::Variable(var) => moment.now(var),
        Observed::Define(define) => moment.value(&moment.program.defines[define].body),
    }
}

/// All inputs of the environment, in the order of the values.
fn inputs(program: &Program) -> Result<Vec<Vec<(VarId, i64)>>, ExploreError> {
    let vars = program.inputs();
    let sizes = vars.iter().map(|var| u128::from(program.variables[*var].domain.len()));
    let n_inputs = sizes.fold(1, u128::saturating_mul);
    if n_inputs > MAX_INPUTS {
        return Err(ExploreError::TooManyInputs(n_inputs));
    }
    let mut inputs = vec![Vec::new()];
    for var in vars {
        let longer = |values: &Vec<(VarId, i64)>| -> Vec<Vec<(VarId, i64)>> {
            let domain = program.variables[var].domain.values();
            domain.map(|value| [&values[..], &[(var, value)]].concat()).collect()
        };
        inputs = inputs.iter().flat_map(longer).collect();
    }
    Ok(inputs)
}

/// The value alone if there is one variable, `-` if there are no variables.
fn show_values(program: &Program, values: &[(VarId, i64)]) -> String {
    match values {
        [] => "-".to_owned(),
        [(var, value)] => show_value(program, *var, *value),
        _ => show_named(program, values),
    }
}

fn show_named(program: &Program, values: &[(VarId, i64)]) -> String {
    let shown = values
        .iter()
        .map(|(var, value)| format!("{}={}", program.variables[*var].name, show_value(program, *var, *value)));
    shown.collect::<Vec<_>>().join(" ")
}

fn show_value(program: &Program, var: VarId, value: i64) -> String {
    program.show(value, program.variables[var].domain == Domain::Boolean)
}

fn show_seen(program: &Program, seen: impl Iterator<Item = (Observed, i64)>) -> String {
    let named: Vec<(String, String)> = seen
        .map(|(observed, value)| {
            let is_boolean = match observed {
                Observed::Variable(var) => program.variables[var].domain == Domain::Boolean,
                Observed::Define(define) => program.defines[define].is_boolean,
            };
            (program.name_of(observed).to_owned(), program.show(value, is_boolean))
        })
        .collect();
    match &named[..] {
        [(_, value)] => value.clone(),
        _ => {
            let shown = named.iter().map(|(name, value)| format!("{name}={value}"));
            shown.collect::<Vec<_>>().join(" ")
        }
    }
}
