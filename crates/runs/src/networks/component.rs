//! Components, the processes that change together: their view for the operators, and the effect of mutations on the
//! network.

use super::process_view::ProcessView;
use super::remaining_parts::RemainingParts;
use tamper_timed::model::{Automaton, ClockId, EdgeId, Role, names_again};
use tamper_timed::mutation::{ConstraintChange, MemoryMutation, Mutation, MutationOptions, Mutations, Operator, Site};
use tamper_timed::network::{self, Channel, ChannelPlace, Condition, Network, Side, Sync, View};
use tamper_uppaal::{
    Changed, NetworkFile, Replacement, TemplateMutants, WriteError, network_replacements, write_network_mutant,
};

/// Whether a mutation changes a template, with all its instances, or one instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// All instances: a fault in the code that they share.
    Template,
    /// One instance.
    Instance,
}

impl Scope {
    /// The scope of this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Template, Self::Instance]
            .into_iter()
            .find(|scope| scope.name() == name)
    }

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
    /// Prefix of its mutants' ids.
    pub name: String,
    /// Their positions in the network.
    pub processes: Vec<usize>,
    scope: Scope,
    /// The parts of the processes that earlier mutations have left.
    pub(super) left: RemainingParts,
    /// The view of each process for the operators.
    skeletons: Vec<ProcessView>,
}

/// The reason why processes cannot be mutated.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ComponentError {
    /// No process or template has this name.
    #[error("there is no process or template `{name}`; there are {}", .known.join(", "))]
    Unknown {
        /// The requested name.
        name: String,
        /// The existing names.
        known: Vec<String>,
    },
    /// The process is in the environment of the system under test.
    #[error("`{0}` is in the environment: mutants are made of what is under test")]
    Environment(String),
    /// The instances of the template have clock conditions at different places.
    #[error(
        "the instances of `{0}` differ in which of their conditions compare a clock with a number: use --scope \
        instance"
    )]
    Differs(String),
    /// The operator changes the alphabet, and a process of a network has no separate one.
    #[error(
        "{0} changes who takes part in steps: it is for a single game, not for a process of a network, as are CAC, CHU, INV and SNK"
    )]
    Alphabet(Operator),
    /// The operator changes charts.
    #[error("{0} changes charts, and a process of a network is none: name operators of games, e.g. --operators paper")]
    Chart(Operator),
    /// The instances of the template have different labels for the operator.
    #[error("the instances of `{0}` differ in labels that {1} may change: use --scope instance")]
    Labels(String, Operator),
}

/// The components that `names` denote, in the order of the network. `names` are processes or templates; if empty,
/// everything under test is meant. `templates` has the template of each process.
///
/// # Errors
/// If a name is unknown, or denotes a process that cannot be mutated.
pub fn components(
    network: &Network,
    view: &View,
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
                network,
                view,
                network.processes[at].name.to_string(),
                scope,
                vec![at],
            )?);
        } else if list.iter().all(|known| known.name != templates[at]) {
            let all = (0..templates.len()).filter(|other| templates[*other] == templates[at]);
            let all: Vec<usize> = all.collect();
            if let Some(other) = all.iter().find(|other| view.sides[**other] == Side::Environment) {
                return Err(ComponentError::Environment(network.processes[*other].name.to_string()));
            }
            list.push(Component::new(network, view, templates[at].clone(), scope, all)?);
        }
    }
    Ok(list)
}

impl Component {
    fn new(
        network: &Network,
        view: &View,
        name: String,
        scope: Scope,
        processes: Vec<usize>,
    ) -> Result<Self, ComponentError> {
        let left = RemainingParts::all(&network.processes[processes[0]]);
        let skeleton = |process: &usize| ProcessView::of(network, view, *process, &name);
        let component = Self {
            skeletons: processes.iter().map(skeleton).collect(),
            name,
            processes,
            scope,
            left,
        };
        let first = &component.skeletons[0];
        if component.skeletons.iter().any(|other| !other.has_atoms_of(first)) {
            return Err(ComponentError::Differs(component.name));
        }
        Ok(component)
    }

    /// The component after `mutation`.
    #[must_use]
    pub fn after(&self, mutation: &Mutation) -> Self {
        Self {
            skeletons: self
                .instances(mutation)
                .map(|(_, skeleton, own)| skeleton.after(&own))
                .collect(),
            left: self.left.after(mutation, self.skeleton()),
            name: self.name.clone(),
            processes: self.processes.clone(),
            scope: self.scope,
        }
    }

    /// The automaton that the operators are applied to: the view of the first process.
    pub fn skeleton(&self) -> &Automaton {
        &self.skeletons[0].automaton
    }

    /// Position in its process of an edge of the skeleton.
    pub(super) fn edge(&self, edge: EdgeId) -> usize {
        self.left.edge(edge)
    }

    /// Position in the network of a clock of the skeleton.
    pub fn clock(&self, clock: ClockId) -> usize {
        self.skeletons[0].clock(clock)
    }

    /// Each process, its view, and `mutation` in terms of this view.
    pub(super) fn instances(&self, mutation: &Mutation) -> impl Iterator<Item = (usize, &ProcessView, Mutation)> {
        let instances = self.processes.iter().copied().zip(&self.skeletons);
        instances.map(|(process, skeleton)| (process, skeleton, skeleton.own(mutation)))
    }

    /// The mutations that all processes have. A condition with a part that the operators do not see is not rewritten.
    pub fn mutations(&self, options: &MutationOptions) -> Mutations {
        let of = |skeleton: &ProcessView| {
            let all = Mutations::but(&skeleton.automaton, options, &|site| skeleton.is_closed(site));
            all.without(|mutation| is_about_alphabet(mutation) || skeleton.sets_already(mutation))
        };
        let others = self.skeletons[1..].iter().map(of);
        others.fold(of(&self.skeletons[0]), |all, other| all.shared_with(&other))
    }

    /// Checks that `operator` has a meaning for all processes.
    ///
    /// # Errors
    /// If the operator changes the alphabet, or the instances have different labels.
    pub fn takes(&self, operator: Operator) -> Result<(), ComponentError> {
        let makes_alphabet = |skeleton: &ProcessView| {
            let all = Mutations::of(&skeleton.automaton, &MutationOptions::only(operator));
            all.iter().any(|mutation| is_about_alphabet(&mutation))
        };
        let changes_alphabet = [Operator::Cac, Operator::Inv, Operator::Chu, Operator::Snk].contains(&operator)
            || operator.is_own() && self.skeletons.iter().any(makes_alphabet);
        let names_clock = operator.is_own() || [Operator::Ars, Operator::Cck].contains(&operator);
        let is_uniform = || {
            let mut others = self.skeletons.iter();
            others.all(|other| other.has_shape_of(&self.skeletons[0], names_clock))
        };
        match operator {
            _ if Operator::CHART.contains(&operator) => Err(ComponentError::Chart(operator)),
            _ if changes_alphabet => Err(ComponentError::Alphabet(operator)),
            _ if operator.is_paper() || is_uniform() => Ok(()),
            _ => Err(ComponentError::Labels(self.name.clone(), operator)),
        }
    }

    /// The id of the mutant that `mutation` makes.
    pub fn id(&self, mutation: &Mutation) -> String {
        format!("{}/{}", self.name, mutation.id(self.skeleton()))
    }

    /// The text of the network's file with `mutation` written into it. Earlier mutations must be written already; see
    /// [`Component::after`].
    ///
    /// # Errors
    /// The part of the file that cannot be patched.
    pub fn text(&self, file: &NetworkFile, mutation: &Mutation) -> Result<String, WriteError> {
        let first = self.processes[0];
        let changed = match self.scope {
            Scope::Template => Changed::Template(first),
            Scope::Instance => Changed::Process(first),
        };
        let (invariants, guards) = self.atoms(file);
        write_network_mutant(file, changed, &self.left.in_process(mutation), &invariants, &guards)
    }

    /// Whether the component is a template with all its instances.
    pub fn is_template(&self) -> bool {
        self.scope == Scope::Template
    }

    /// Mutations of the template, with the numbers that select them, for the featured mutant model.
    pub fn featured(&self, file: &NetworkFile, mutations: &[(u64, Mutation)]) -> TemplateMutants {
        let (invariants, guards) = self.atoms(file);
        let in_process = |(number, mutation): &(u64, Mutation)| (*number, self.left.in_process(mutation));
        TemplateMutants {
            process: self.processes[0],
            mutations: mutations.iter().map(in_process).collect(),
            invariants,
            guards,
        }
    }

    /// The change that each of these mutations makes in the network's file, as reports show it.
    ///
    /// # Errors
    /// If parts of the file have no places.
    pub fn replacements(&self, file: &NetworkFile, mutations: &[Mutation]) -> Result<Vec<Replacement>, WriteError> {
        let numbered: Vec<(u64, Mutation)> = (0..).zip(mutations.iter().copied()).collect();
        network_replacements(file, &self.featured(file, &numbered), self.skeleton())
    }

    /// Positions of the atoms that the operators see within their conjunctions: in invariants by location, in guards by
    /// edge.
    fn atoms(&self, file: &NetworkFile) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
        let (skeleton, process) = (&self.skeletons[0], &file.network.processes[self.processes[0]]);
        let mut invariants = vec![Vec::new(); process.locations.len()];
        for location in skeleton.automaton.locations().ids() {
            invariants[self.left.location(location)] = skeleton.atoms(Site::Invariant(location));
        }
        let mut guards = vec![Vec::new(); process.edges.len()];
        for edge in skeleton.automaton.edges().ids() {
            guards[self.left.edge(edge)] = skeleton.atoms(Site::Guard(edge));
        }
        (invariants, guards)
    }

    /// `network` after `mutation`. No positions change: removed parts stay as edges that are never enabled, and a new
    /// channel is the last one.
    ///
    /// # Panics
    /// If the component does not take the mutation's operator.
    pub fn mutant(&self, network: &Network, mutation: &Mutation) -> Network {
        let mut mutant = network.clone();
        let channel = u32::try_from(network.channels.len()).expect("fewer than 2^32 channels");
        if let Mutation::AddEdge { .. } = mutation {
            mutant.channels.push(Channel {
                name: fresh_channel(network).into(),
                broadcast: false,
                urgent: false,
                priority: 0,
                by_vectors: false,
            });
        }
        for (process, skeleton, own) in self.instances(mutation) {
            let change = ComponentChange {
                skeleton,
                left: &self.left,
                channel,
                has_vectors: !network.vectors.is_empty(),
            };
            change.make(&own, &mut mutant.processes[process]);
        }
        mutant
    }
}

/// Applies mutations of a process, made on its view, to the process in its network.
struct ComponentChange<'c> {
    skeleton: &'c ProcessView,
    left: &'c RemainingParts,
    /// The channel of an added edge.
    channel: u32,
    /// Whether the network has vectors, for which the existence of an edge matters.
    has_vectors: bool,
}

impl ComponentChange<'_> {
    fn make(&self, mutation: &Mutation, process: &mut network::Process) {
        match *mutation {
            Mutation::RemoveEdge { edge } => self.remove(&mut process.edges[self.left.edge(edge)]),
            Mutation::RemoveLocation { location } => {
                let at = self.left.location(location);
                let edges = process.edges.iter_mut();
                edges
                    .filter(|edge| edge.source == at || edge.target == at)
                    .for_each(|edge| self.remove(edge));
            }
            Mutation::AddEdge {
                source,
                target,
                role,
                cloned,
            } => {
                let edge = network::Edge {
                    source: self.left.location(source),
                    target: self.left.location(target),
                    sync: Some(self.sync(role)),
                    place: "added".into(),
                    ..self.cloned(cloned, process)
                };
                process.edges.push(edge);
            }
            Mutation::LargerConstant { .. } | Mutation::SmallerConstant { .. } | Mutation::NegateGuard { .. } => {
                self.exchange(&mutation.constraint().expect("it changes one"), process);
            }
            Mutation::Alter { alteration, .. } => self.skeleton.alter(&alteration, self.left, process),
            Mutation::Again(memory) => self.make_again(&memory, process),
        }
    }

    /// Doubles the process: the edges that pass the place lead into the second copy, in which the change is made.
    fn make_again(&self, memory: &MemoryMutation, process: &mut network::Process) {
        let n_locations = process.locations.len();
        let own = || process.locations.iter().map(|location| &location.name);
        for (at, name) in names_again(own(), own()).into_iter().enumerate() {
            let location = process.locations[at].clone();
            process.locations.push(network::Location { name, ..location });
        }
        for at in 0..process.edges.len() {
            let mut copy = process.edges[at].clone();
            (copy.source, copy.target) = (copy.source + n_locations, copy.target + n_locations);
            process.edges.push(copy);
        }
        for edge in memory.passing(&self.skeleton.automaton) {
            process.edges[self.left.edge(edge)].target += n_locations;
        }
        let left = self.left.in_copy();
        ComponentChange { left: &left, ..*self }.make(&memory.once(), process);
    }

    /// Removes an edge: it stays in its position, but is never enabled. If it kept its label, the process would still
    /// take part in a vector, so the label is removed if there are vectors.
    fn remove(&self, edge: &mut network::Edge) {
        edge.guard = Condition::Data(network::Expr::Const(0));
        if self.has_vectors {
            edge.sync = None;
        }
    }

    /// Changes a clock constraint.
    fn exchange(&self, change: &ConstraintChange, process: &mut network::Process) {
        let condition = match change.site {
            Site::Guard(edge) => &mut process.edges[self.left.edge(edge)].guard,
            Site::Invariant(location) => &mut process.locations[self.left.location(location)].invariant,
        };
        let place = self.skeleton.atoms(change.site)[change.atom as usize];
        let part = match condition {
            Condition::And(parts) => &mut parts[place],
            single => single,
        };
        if let Condition::Atom(_, _, cmp, bound) = part {
            (*cmp, *bound) = (change.new.cmp, network::Expr::Const(change.new.constant));
        }
    }

    fn sync(&self, role: Role) -> Sync {
        Sync {
            channel: ChannelPlace {
                base: self.channel,
                steps: Vec::new(),
            },
            sends: role != Role::Input,
        }
    }

    /// The parts of an added edge other than its ends and its channel.
    fn cloned(&self, first: Option<EdgeId>, process: &network::Process) -> network::Edge {
        match first {
            Some(first) => process.edges[self.left.edge(first)].clone(),
            None => network::Edge {
                source: 0,
                target: 0,
                selects: Vec::new(),
                guard: Condition::always(),
                sync: None,
                updates: Vec::new(),
                frame: 0,
                place: "added".into(),
            },
        }
    }
}

fn is_about_alphabet(mutation: &Mutation) -> bool {
    matches!(mutation.once(), Mutation::Alter { alteration, .. } if alteration.is_about_alphabet())
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
