//! A machine configuration: states in the order of the text, each before those within it.

use super::data::{DataSet, DataTerm, Variable};
use tamper_text::Span;

/// The states; the first is the root.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    pub states: Vec<ChartState>,
    /// Guards by name, and the place of the first use.
    pub guards: Vec<(String, Span)>,
    /// The places that send an event after a delay.
    pub sends: Vec<Sender>,
    /// What is followed exactly.
    pub data: Vec<Variable>,
    pub dialect: Dialect,
}

/// Whose steps a chart makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Dialect {
    XState4,
    #[default]
    XState5,
    /// The algorithm of the standard.
    Scxml,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StateKind {
    Atomic,
    /// One of its children is active.
    Compound,
    /// All its children are active.
    Parallel,
    Final,
    /// Stands for the children that were active when its parent was left; `deep` also for those within them.
    History {
        deep: bool,
    },
}

#[derive(Clone, Debug)]
pub(super) struct ChartState {
    pub key: String,
    pub id: String,
    pub parent: Option<usize>,
    /// The position behind the last state within it.
    pub end: usize,
    /// Its children, histories among them, in the order in which JavaScript lists keys.
    pub children: Vec<usize>,
    pub kind: StateKind,
    /// Of a compound state: the child that is entered by default, and the actions on the way.
    pub initial: Option<(usize, Vec<ChartAction>)>,
    /// Of a history: the states that it stands for while nothing is remembered, if they are written. In SCXML also of a compound
    /// state: those that are entered by default.
    pub default: Option<Vec<usize>>,
    pub entry: Vec<ChartAction>,
    pub exit: Vec<ChartAction>,
    pub timers: Vec<Timer>,
    /// The ids of what it invokes.
    pub invokes: Vec<String>,
    /// By descriptor of events, in the order of the text.
    pub on: Vec<(String, Vec<ChartTransition>)>,
    pub always: Vec<ChartTransition>,
    pub place: Span,
}

/// A delay of a state: so long after the state was entered its event comes.
#[derive(Clone, Debug)]
pub(super) struct Timer {
    /// Milliseconds.
    pub delay: i64,
    pub event: String,
    pub place: Span,
}

impl ChartState {
    /// A state at this position that does nothing yet.
    pub fn new(at: usize, [key, id]: [String; 2], parent: Option<usize>, kind: StateKind, place: Span) -> Self {
        Self {
            key,
            id,
            parent,
            end: at + 1,
            children: Vec::new(),
            kind,
            initial: None,
            default: None,
            entry: Vec::new(),
            exit: Vec::new(),
            timers: Vec::new(),
            invokes: Vec::new(),
            on: Vec::new(),
            always: Vec::new(),
            place,
        }
    }
}

impl Dialect {
    /// What the names of events that charts make themselves begin with.
    pub const fn own(self) -> &'static str {
        match self {
            Self::XState4 | Self::XState5 => "xstate.",
            Self::Scxml => "",
        }
    }

    /// Whether it is the chart that makes events of this name.
    pub fn is_own(self, event: &str) -> bool {
        match self {
            Self::XState5 => event.starts_with("xstate."),
            Self::XState4 => {
                let own = ["xstate.", "done.state.", "done.invoke.", "error.platform"];
                own.iter().any(|start| event.starts_with(start))
            }
            Self::Scxml => {
                let errors = ["error.execution", "error.communication", "error.platform"];
                event.starts_with("done.state.") || event.starts_with("done.invoke.") || errors.contains(&event)
            }
        }
    }

    /// The event that says that what was invoked is done.
    pub fn done(self, id: &str) -> String {
        match self {
            Self::XState5 => format!("xstate.done.actor.{id}"),
            Self::XState4 | Self::Scxml => format!("done.invoke.{id}"),
        }
    }
}

/// A place that sends an event after a delay. The event comes whether its state is left or not.
#[derive(Clone, Debug)]
pub(super) struct Sender {
    pub timer: Timer,
    /// What an action that cancels the event calls it.
    pub id: Option<String>,
    /// Whether the event is seen from outside, and not by the chart.
    pub is_output: bool,
}

/// An event that comes when its delay has passed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Pending {
    /// The timer of a state with this number.
    After { state: usize, number: usize },
    /// One of the events that a place has sent: those that are pending together have different slots.
    Sent { sender: usize, slot: usize },
}

impl Pending {
    /// The first event that has the same clock: the timers of a state share one.
    pub fn clock(self) -> Self {
        match self {
            Self::After { state, .. } => Self::After { state, number: 0 },
            Self::Sent { .. } => self,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct ChartTransition {
    pub source: usize,
    /// `None` if it enters nothing.
    pub targets: Option<Vec<usize>>,
    pub guard: Option<GuardTerm>,
    pub reenter: bool,
    pub actions: Vec<ChartAction>,
    pub place: Span,
}

#[derive(Clone, Debug)]
pub(super) enum GuardTerm {
    /// The position of the guard.
    Named(usize),
    /// Whether the state is active.
    In(usize),
    /// Whether the state is part of the value.
    Shown(usize),
    /// An expression about data, and its text.
    Data(DataTerm, String),
    Not(Box<Self>),
    All(Vec<Self>),
    Any(Vec<Self>),
}

#[derive(Clone, Debug)]
pub(super) enum ChartAction {
    /// Seen from outside.
    Output(String),
    /// The event is handled before the macrostep ends.
    Raise(String),
    /// The event is handled when none that was raised is left.
    Queue(String),
    /// The event is handled when the macrostep has ended.
    Later(String),
    /// An event is sent after a delay: the position of the sender.
    Send(usize),
    /// Events with this id that were sent do not come.
    Cancel(String),
    /// Changes data that is followed.
    Set(DataSet),
    /// Changes other data, and may change what guards say.
    Assign,
    /// The actions behind the first guard that holds.
    If(Vec<(GuardTerm, Vec<Self>)>),
}

impl Chart {
    /// The name of an action, for a reader.
    pub fn name(&self, action: &ChartAction) -> String {
        match action {
            ChartAction::Output(name) => name.clone(),
            ChartAction::Raise(event) | ChartAction::Queue(event) | ChartAction::Later(event) => {
                format!("raise({event})")
            }
            ChartAction::Send(sender) => {
                let Timer { event, delay, .. } = &self.sends[*sender].timer;
                format!("send({event},{delay})")
            }
            ChartAction::Cancel(id) => format!("cancel({id})"),
            ChartAction::Set(set) => format!("assign({})", self.data[set.variable].name),
            ChartAction::Assign => "assign".to_owned(),
            ChartAction::If(_) => "if".to_owned(),
        }
    }

    /// Whether `state` is a proper descendant of `other`; all states are, if there is no other.
    pub fn is_within(&self, state: usize, other: Option<usize>) -> bool {
        other.is_none_or(|other| other < state && state < self.states[other].end)
    }

    pub fn timer(&self, pending: Pending) -> &Timer {
        match pending {
            Pending::After { state, number } => &self.states[state].timers[number],
            Pending::Sent { sender, .. } => &self.sends[sender].timer,
        }
    }

    /// The proper ancestors of `state` from the inside out, as far as `limit`, which is left out.
    pub fn around(&self, state: usize, limit: Option<usize>) -> Vec<usize> {
        if limit == Some(state) {
            return Vec::new();
        }
        let ancestors = std::iter::successors(self.states[state].parent, |at| self.states[*at].parent);
        ancestors.take_while(|at| Some(*at) != limit).collect()
    }

    /// Whether the state is part of the value: it is active, or a state within it is. A transition to the history of a parallel state
    /// may enter or leave only a part of what is around it: xstate then takes the rest to be as it is entered by default.
    pub fn is_shown(&self, state: usize, active: &[usize]) -> bool {
        // Asked of few states: it looks at all that stand beside one.
        let is_beside = || {
            self.states[state].parent.is_some_and(|parent| {
                self.states[parent].kind == StateKind::Compound && self.is_by_default(parent, active)
            })
        };
        let is_within = active.iter().any(|at| (state..self.states[state].end).contains(at));
        active.contains(&state) || is_within && !is_beside() || self.is_filled(state, active)
    }

    /// A compound state of which xstate 5 shows two states: a part of one is active, none of its children is, and the one that xstate then
    /// takes to be has states itself.
    pub fn torn(&self, active: &[usize]) -> Option<usize> {
        let is_atomic = |state: usize| matches!(self.states[state].kind, StateKind::Atomic | StateKind::Final);
        let alone = active.iter().filter(|state| {
            let parent = self.states[**state].parent;
            parent.is_some_and(|parent| !active.contains(&parent))
        });
        let mut around = alone.flat_map(|state| self.around(*state, None));
        around.find(|parent| {
            let initial = self.states[*parent].initial.as_ref().map(|(child, _)| *child);
            self.states[*parent].kind == StateKind::Compound
                && initial.is_some_and(|child| !is_atomic(child))
                && self.is_by_default(*parent, active)
        })
    }

    /// Whether the state is active or taken to be.
    fn is_filled(&self, state: usize, active: &[usize]) -> bool {
        let is_by_default = |parent: usize| match &self.states[parent] {
            around if around.kind == StateKind::Parallel => !self.is_history(state) && self.is_filled(parent, active),
            around => {
                let initial = around.initial.as_ref().map(|(child, _)| *child);
                initial == Some(state) && self.is_by_default(parent, active)
            }
        };
        active.contains(&state) || self.states[state].parent.is_some_and(is_by_default)
    }

    /// Whether no child of a state that is active or taken to be is active.
    fn is_by_default(&self, state: usize, active: &[usize]) -> bool {
        let mut children = self.states[state].children.iter();
        !children.any(|child| active.contains(child)) && self.is_filled(state, active)
    }

    pub fn is_atomic(&self, state: usize) -> bool {
        matches!(self.states[state].kind, StateKind::Atomic | StateKind::Final)
    }

    pub fn is_history(&self, state: usize) -> bool {
        matches!(self.states[state].kind, StateKind::History { .. })
    }

    /// The children that can be active.
    pub fn regions(&self, state: usize) -> impl Iterator<Item = usize> {
        let children = self.states[state].children.iter().copied();
        children.filter(|child| !self.is_history(*child))
    }

    /// The child of that key.
    pub fn child(&self, state: usize, key: &str) -> Option<usize> {
        let mut children = self.states[state].children.iter().copied();
        children.find(|child| self.states[*child].key == key)
    }

    /// Whether the states are in different regions of a parallel state.
    pub fn are_beside(&self, one: usize, other: usize) -> bool {
        let common = self
            .around(one, None)
            .into_iter()
            .find(|around| self.is_within(other, Some(*around)));
        let is_apart = one != other && !self.is_within(one, Some(other)) && !self.is_within(other, Some(one));
        is_apart && common.is_some_and(|common| self.states[common].kind == StateKind::Parallel)
    }

    /// Whether each two of the states can be active together.
    pub fn are_together(&self, states: &[usize]) -> bool {
        let mut rest = states.iter().enumerate();
        rest.all(|(at, one)| states[..at].iter().all(|other| self.are_beside(*one, *other)))
    }

    /// All transitions, but those by default.
    pub fn transitions(&self) -> impl Iterator<Item = &ChartTransition> {
        self.states.iter().flat_map(|state| {
            let on = state.on.iter().flat_map(|(_, transitions)| transitions);
            on.chain(&state.always)
        })
    }

    /// All actions, with those within them.
    pub fn actions(&self) -> Vec<&ChartAction> {
        let of_states = self.states.iter().flat_map(|state| {
            let initial = state.initial.iter().flat_map(|(_, actions)| actions);
            state.entry.iter().chain(&state.exit).chain(initial)
        });
        let outer = of_states.chain(self.transitions().flat_map(|transition| &transition.actions));
        let mut all: Vec<&ChartAction> = outer.collect();
        let mut at = 0;
        while at < all.len() {
            if let ChartAction::If(branches) = all[at] {
                all.extend(branches.iter().flat_map(|(_, actions)| actions));
            }
            at += 1;
        }
        all
    }
}

/// The number that JavaScript takes a key for: such keys are listed before those that are names.
pub(super) fn index_of(key: &str) -> Option<u32> {
    key.parse().ok().filter(|number: &u32| number.to_string() == key)
}

/// Whether a descriptor is for the event: it is its name, or a part of it that ends with `.*`, or `*`.
pub(super) fn is_meant(descriptor: &str, event: &str) -> bool {
    match descriptor.strip_suffix(".*") {
        _ if descriptor == event || descriptor == "*" => true,
        Some(start) => event
            .strip_prefix(start)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
        None => false,
    }
}
