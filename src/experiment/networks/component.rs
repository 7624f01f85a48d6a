//! What changes together, as the operators see it, and how a mutation of it changes the network.

use std::sync::Arc;

use crate::formats::{Changed, NetworkFile, WriteError, write_network_mutant};
use crate::model::{
    Automaton, AutomatonBuilder, ClockConstraint, ClockId, Edge, EdgeId, Expr, Guard, LocId, Location, Role,
    SimpleConstraint,
};
use crate::mutation::{Mutation, MutationOptions, Mutations, Site};
use crate::network::{self, Channel, ChannelPlace, Condition, Network, Side, Sync, View, roles_of_edge};
use crate::text::Id;

/// Whether a mutation changes the template, with all its instances, or one instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// All instances: a fault in the code that they share.
    Template,
    /// One instance.
    Instance,
}

impl Scope {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Template => "template",
            Self::Instance => "instance",
        }
    }
}

/// Processes that change together.
#[derive(Clone, Debug)]
pub struct Component {
    /// What ids of its mutants begin with.
    pub name: String,
    /// Their positions in the network.
    pub processes: Vec<usize>,
    scope: Scope,
    /// The first of them as an automaton: its locations and edges, and of its labels what operators may change.
    skeleton: Automaton,
    /// Per location and per edge, where its clock atoms stand in the network's conditions.
    invariants: Vec<Vec<usize>>,
    guards: Vec<Vec<usize>>,
}

/// Why processes cannot be mutated.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ComponentError {
    /// There is nothing of that name.
    #[error("there is no process or template `{name}`; there are {}", .known.join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The process is around what is tested.
    #[error("`{0}` is in the environment: mutants are made of what is under test")]
    Environment(String),
    /// The instances of the template have clock conditions at different places.
    #[error(
        "the instances of `{0}` differ in which of their conditions compare a clock with a number: use --scope \
        instance"
    )]
    Differs(String),
}

/// The components that `names` (of processes or templates; empty: everything under test) stand for, in the order of the
/// network. `templates` has the template of each process.
///
/// # Errors
/// Names of nothing, or of what cannot be mutated.
pub fn components(
    (network, view): (&Network, &View),
    templates: &[String],
    names: &[String],
    scope: Scope,
) -> Result<Vec<Component>, ComponentError> {
    let mut chosen: Vec<bool> = view.sides.iter().map(|side| *side == Side::System).collect();
    if !names.is_empty() {
        chosen.fill(false);
    }
    for name in names {
        let is_meant = |at: &usize| templates[*at] == *name || *network.processes[*at].name == **name;
        let meant: Vec<usize> = (0..templates.len()).filter(is_meant).collect();
        if meant.is_empty() {
            let mut known: Vec<String> = templates.to_vec();
            known.extend(network.processes.iter().map(|process| process.name.to_string()));
            known.sort();
            known.dedup();
            return Err(ComponentError::Unknown {
                name: name.clone(),
                known,
            });
        }
        for at in meant {
            chosen[at] = true;
        }
    }
    if let Some(at) = (0..chosen.len()).find(|at| chosen[*at] && view.sides[*at] == Side::Environment) {
        return Err(ComponentError::Environment(network.processes[at].name.to_string()));
    }
    let mut list: Vec<Component> = Vec::new();
    for at in (0..chosen.len()).filter(|at| chosen[*at]) {
        if scope == Scope::Instance {
            list.push(Component::new(
                (network, view),
                network.processes[at].name.to_string(),
                (scope, vec![at]),
            )?);
        } else if list.iter().all(|known| known.name != templates[at]) {
            let all = (0..templates.len()).filter(|other| templates[*other] == templates[at]);
            let all: Vec<usize> = all.collect();
            if let Some(other) = all.iter().find(|other| view.sides[**other] == Side::Environment) {
                return Err(ComponentError::Environment(network.processes[*other].name.to_string()));
            }
            list.push(Component::new((network, view), templates[at].clone(), (scope, all))?);
        }
    }
    Ok(list)
}

impl Component {
    fn new(
        (network, view): (&Network, &View),
        name: String,
        (scope, processes): (Scope, Vec<usize>),
    ) -> Result<Self, ComponentError> {
        let (skeleton, invariants, guards) = skeleton((network, view), processes[0], &name);
        for other in &processes[1..] {
            let (_, more, others) = skeleton_places(network, *other);
            if (&more, &others) != (&invariants, &guards) {
                return Err(ComponentError::Differs(name));
            }
        }
        Ok(Self {
            name,
            processes,
            scope,
            skeleton,
            invariants,
            guards,
        })
    }

    /// What the operators see.
    pub fn skeleton(&self) -> &Automaton {
        &self.skeleton
    }

    /// Its mutations.
    pub fn mutations(&self, options: &MutationOptions) -> Mutations {
        Mutations::of(&self.skeleton, options)
    }

    /// The id of the mutant that `mutation` makes.
    pub fn id(&self, mutation: &Mutation) -> String {
        format!("{}/{}", self.name, mutation.id(&self.skeleton))
    }

    /// The file of the network with `mutation` written into it.
    ///
    /// # Errors
    /// What of the file cannot be patched.
    pub fn text(&self, file: &NetworkFile, mutation: &Mutation) -> Result<String, WriteError> {
        let first = self.processes[0];
        let changed = match self.scope {
            Scope::Template => Changed::Template(first),
            Scope::Instance => Changed::Process(first),
        };
        write_network_mutant(file, changed, mutation, (&self.invariants, &self.guards))
    }

    /// `network` after `mutation`. Nothing moves: parts that are removed stay as edges that are never enabled, and a new
    /// channel is the last one.
    ///
    /// # Panics
    /// If the mutation is of an operator beyond the six, which a network does not have.
    pub fn mutant(&self, network: &Network, mutation: &Mutation) -> Network {
        let mut mutant = network.clone();
        let channel = u32::try_from(network.channels.len()).expect("fewer than 2^32 channels");
        if let Mutation::AddEdge { .. } = mutation {
            mutant.channels.push(Channel {
                name: fresh_channel(network).into(),
                broadcast: false,
                urgent: false,
                priority: 0,
            });
        }
        for process in &self.processes {
            self.change(&mut mutant.processes[*process], mutation, channel);
        }
        mutant
    }

    fn change(&self, process: &mut network::Process, mutation: &Mutation, channel: u32) {
        match *mutation {
            Mutation::RemoveEdge { edge } => disable(&mut process.edges[edge.index()]),
            Mutation::RemoveLocation { location } => {
                let at = location.index();
                let touching = process
                    .edges
                    .iter_mut()
                    .filter(|edge| edge.source == at || edge.target == at);
                touching.for_each(disable);
            }
            Mutation::AddEdge {
                source,
                target,
                role,
                cloned,
            } => {
                let sync = Sync {
                    channel: ChannelPlace {
                        base: channel,
                        steps: Vec::new(),
                    },
                    sends: role != Role::Input,
                };
                process.edges.push(added(process, (source, target), cloned, sync));
            }
            Mutation::LargerConstant { site, atom, old, new } | Mutation::SmallerConstant { site, atom, old, new } => {
                self.exchange(process, (site, atom), old, new)
            }
            Mutation::Alter { operator, .. } => panic!("{operator} is no operator of networks"),
            Mutation::NegateGuard { edge, atom, old, new } => {
                self.exchange(process, (Site::Guard(edge), atom), old, new);
            }
        }
    }

    /// Changes a clock atom as `old` is changed into `new`; the constant of another instance may be another one.
    fn exchange(
        &self,
        process: &mut network::Process,
        (site, atom): (Site, u32),
        old: SimpleConstraint,
        new: SimpleConstraint,
    ) {
        let (condition, place) = match site {
            Site::Guard(edge) => (&mut process.edges[edge.index()].guard, &self.guards[edge.index()]),
            Site::Invariant(location) => (
                &mut process.locations[location.index()].invariant,
                &self.invariants[location.index()],
            ),
        };
        let part = match condition {
            Condition::And(parts) => &mut parts[place[atom as usize]],
            single => single,
        };
        if let Condition::Atom(_, _, cmp, bound) = part {
            let constant = bound.as_const().expect("a number, as in the first instance");
            (*cmp, *bound) = (new.cmp, network::Expr::Const(constant + new.constant - old.constant));
        }
    }
}

fn disable(edge: &mut network::Edge) {
    edge.guard = Condition::Data(network::Expr::Const(0));
}

fn added(
    process: &network::Process,
    (source, target): (LocId, LocId),
    cloned: Option<EdgeId>,
    sync: Sync,
) -> network::Edge {
    let place: Arc<str> = "added".into();
    match cloned {
        Some(first) => network::Edge {
            source: source.index(),
            target: target.index(),
            sync: Some(sync),
            place,
            ..process.edges[first.index()].clone()
        },
        None => network::Edge {
            source: source.index(),
            target: target.index(),
            selects: Vec::new(),
            guard: Condition::always(),
            sync: Some(sync),
            updates: Vec::new(),
            frame: 0,
            place,
        },
    }
}

fn fresh_channel(network: &Network) -> String {
    let is_taken = |name: &str| {
        let channel = network.channels.iter().any(|channel| *channel.name == *name);
        channel || network.variables.iter().any(|variable| *variable.name == *name)
    };
    let names = (1..).map(|number| format!("dummy_{number}"));
    let mut names = names.filter(|name| !is_taken(name));
    names.next().expect("numbers do not end")
}

type Places = Vec<Vec<usize>>;

/// Where the clock atoms of a process stand, and how many locations there are.
fn skeleton_places(network: &Network, process: usize) -> (usize, Places, Places) {
    let process = &network.processes[process];
    let invariants = process.locations.iter().map(|location| read(&location.invariant).1);
    let guards = process.edges.iter().map(|edge| read(&edge.guard).1);
    (process.locations.len(), invariants.collect(), guards.collect())
}

fn skeleton((network, view): (&Network, &View), at: usize, name: &str) -> (Automaton, Places, Places) {
    let process = &network.processes[at];
    let mut builder = AutomatonBuilder::new(name);
    let own = format!("{}.", process.name);
    for clock in &network.clocks {
        builder.clock(clock.strip_prefix(own.as_str()).unwrap_or(clock));
    }
    for location in &process.locations {
        builder.location(Location {
            name: location.name.clone(),
            invariant: read(&location.invariant).0,
            urgency: location.urgency,
        });
    }
    for (index, edge) in process.edges.iter().enumerate() {
        // Mixed roles count as outputs: no guideline is asked about such an edge.
        let is_input = roles_of_edge(network, view, at, index) == [Role::Input].into();
        let action = match (&edge.sync, is_input) {
            (None, _) => builder.tau(),
            (Some(sync), is_input) => {
                let role = if is_input { Role::Input } else { Role::Output };
                builder.action(&network.channels[sync.channel.base as usize].name, role, false)
            }
        };
        builder.edge(Edge {
            source: LocId::from_index(edge.source),
            target: LocId::from_index(edge.target),
            action,
            guard: read(&edge.guard).0,
            updates: Vec::new(),
            selects: Vec::new(),
        });
    }
    builder.initial(LocId::from_index(process.initial));
    let skeleton = builder
        .build()
        .expect("names of locations are unique and parts are known");
    let (_, invariants, guards) = skeleton_places(network, at);
    (skeleton, invariants, guards)
}

/// The clock atoms `clock ~ number` of a conjunction, with their places; the rest is a condition that no operator changes.
fn read(condition: &Condition) -> (Guard, Vec<usize>) {
    let parts = match condition {
        Condition::And(parts) => parts.as_slice(),
        single => std::slice::from_ref(single),
    };
    let (mut guard, mut places) = (Guard::always(), Vec::new());
    for (at, part) in parts.iter().enumerate() {
        match part {
            Condition::Atom(left, None, cmp, bound) if left.range().len() == 1 && bound.as_const().is_some() => {
                guard.clocks.push(ClockConstraint {
                    left: ClockId::from_index(left.range().start),
                    right: None,
                    cmp: *cmp,
                    bound: Expr::Const(bound.as_const().unwrap_or_default()),
                });
                places.push(at);
            }
            _ => guard.data.push(Expr::Const(1)),
        }
    }
    (guard, places)
}
