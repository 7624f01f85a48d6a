//! Visible actions: the sides of sender and receiver decide whether a step is an input, an output or internal.

use std::collections::BTreeSet;

use super::{Network, Side, View};
use crate::model::Role;

/// The possible users of each channel, as far as the text of the labels shows them.
#[derive(Debug)]
pub(super) struct Channels {
    /// Per channel, the processes that may send.
    senders: Vec<Vec<usize>>,
    /// Per channel, the processes that may receive.
    receivers: Vec<Vec<usize>>,
    /// Per channel, the roles in which it shows steps of vectors.
    of_vectors: Vec<Vec<Role>>,
}

/// The role in which a step is seen; `None` for internal steps, which are not seen.
pub(super) type ObservedRole = Option<Role>;

impl Channels {
    /// The channels of `network`.
    pub fn new(network: &Network) -> Self {
        let none = vec![Vec::new(); network.channels.len()];
        let (mut senders, mut receivers) = (none.clone(), none);
        for (at, process) in network.processes.iter().enumerate() {
            for sync in process.edges.iter().filter_map(|edge| edge.sync.as_ref()) {
                if network.channels[sync.channel.base as usize].by_vectors {
                    continue;
                }
                let users = if sync.sends { &mut senders } else { &mut receivers };
                for list in &mut users[sync.channel.range()] {
                    if !list.contains(&at) {
                        list.push(at);
                    }
                }
            }
        }
        let mut of_vectors = vec![Vec::new(); network.channels.len()];
        for seen in network.vectors.iter().filter_map(|vector| vector.seen) {
            of_vectors[seen.channel as usize].push(seen.role);
        }
        Self {
            senders,
            receivers,
            of_vectors,
        }
    }

    /// Whether steps of `network` may be inputs.
    pub fn has_inputs(&self, network: &Network, view: &View) -> bool {
        let mut channels = (0..).zip(&network.channels);
        channels.any(|(at, channel)| self.roles(at, channel.broadcast, view).contains(&Role::Input))
    }

    /// The users in either network; `other` may lack the last channels.
    pub fn joined(mut self, other: Self) -> Self {
        let lists = self.senders.iter_mut().zip(other.senders);
        for (known, more) in lists.chain(self.receivers.iter_mut().zip(other.receivers)) {
            known.extend(more);
            known.sort_unstable();
            known.dedup();
        }
        self
    }

    /// Whether no other process of the network can receive from `sender`.
    pub fn sends_outside(&self, channel: u32, sender: usize) -> bool {
        self.receivers[channel as usize]
            .iter()
            .all(|receiver| *receiver == sender)
    }

    /// Whether the environment outside the network sends on `channel`: some process receives on it, and no process sends,
    /// not even the receiver itself.
    pub fn is_open(&self, channel: u32) -> bool {
        self.senders[channel as usize].is_empty() && !self.receivers[channel as usize].is_empty()
    }

    /// The class of a step by which `sender` sends to the outside of the network.
    pub fn to_outside(&self, sender: Side) -> ObservedRole {
        (sender == Side::System).then_some(Role::Output)
    }

    /// The class of a handshake with a sender outside the network.
    pub fn class_from_outside(&self, receiver: Side) -> ObservedRole {
        (receiver == Side::System).then_some(Role::Input)
    }

    /// The class of a broadcast from outside: it depends on all processes that may receive it.
    pub fn broadcast_from_outside(&self, channel: u32, view: &View) -> ObservedRole {
        let mut receivers = self.receivers[channel as usize].iter();
        let is_seen = self.is_open(channel) && receivers.any(|receiver| view.sides[*receiver] == Side::System);
        is_seen.then_some(Role::Input)
    }

    /// The class of a handshake.
    pub fn between(&self, sender: Side, receiver: Side, view: &View) -> ObservedRole {
        match (sender, receiver) {
            (Side::Environment, Side::System) => Some(Role::Input),
            (Side::System, Side::Environment) => Some(Role::Output),
            (Side::System, Side::System) => (!view.hide_internal).then_some(Role::Output),
            (Side::Environment, Side::Environment) => None,
        }
    }

    /// The class of a broadcast: it depends on all processes that may receive it, whether they take part or not.
    pub fn broadcast(&self, channel: u32, sender: usize, view: &View) -> ObservedRole {
        let from = view.sides[sender];
        let mut others = self.receivers[channel as usize]
            .iter()
            .filter(|other| **other != sender)
            .peekable();
        if others.peek().is_none() {
            return self.to_outside(from);
        }
        let crosses = others.any(|other| view.sides[*other] != from);
        let to = match (crosses, from) {
            (false, side) => side,
            (true, Side::System) => Side::Environment,
            (true, Side::Environment) => Side::System,
        };
        self.between(from, to, view)
    }

    /// The classes that steps on `channel` may have: its roles in the alphabet.
    pub fn roles(&self, channel: u32, broadcast: bool, view: &View) -> Vec<Role> {
        let mut found: Vec<ObservedRole> = self.of_vectors[channel as usize].iter().copied().map(Some).collect();
        let (senders, receivers) = (&self.senders[channel as usize], &self.receivers[channel as usize]);
        for sender in senders {
            if self.sends_outside(channel, *sender) {
                found.push(self.to_outside(view.sides[*sender]));
            } else if broadcast {
                found.push(self.broadcast(channel, *sender, view));
            } else {
                let others = receivers.iter().filter(|other| *other != sender);
                found.extend(others.map(|other| self.between(view.sides[*sender], view.sides[*other], view)));
            }
        }
        found.push(self.broadcast_from_outside(channel, view));
        let mut roles: Vec<Role> = found.into_iter().flatten().collect();
        roles.sort();
        roles.dedup();
        roles
    }
}

/// The roles that steps with this edge of this process may have in the composition.
///
/// # Panics
/// If there is no such edge.
pub fn roles_of_edge(network: &Network, view: &View, process: usize, edge: usize) -> BTreeSet<Role> {
    let Some(sync) = &network.processes[process].edges[edge].sync else {
        return BTreeSet::from([Role::Internal]);
    };
    if network.channels[sync.channel.base as usize].by_vectors {
        let seen = network.vectors_of(process, edge).map(|(vector, _)| vector.seen);
        return seen.map(|seen| seen.map_or(Role::Internal, |seen| seen.role)).collect();
    }
    let channels = Channels::new(network);
    let side = |process: usize| view.sides[process];
    let mut found = BTreeSet::new();
    for at in sync.channel.range() {
        let broadcast = network.channels[at].broadcast;
        let channel = u32::try_from(at).expect("fewer than 2^32 channels");
        let others = |users: &[Vec<usize>]| -> Vec<usize> {
            users[at].iter().copied().filter(|user| *user != process).collect()
        };
        let mut classes = Vec::new();
        if sync.sends {
            match (broadcast, others(&channels.receivers)) {
                (true, _) => classes.push(channels.broadcast(channel, process, view)),
                (false, others) if others.is_empty() => classes.push(channels.to_outside(side(process))),
                (false, others) => {
                    let with = |other: usize| channels.between(side(process), side(other), view);
                    classes.extend(others.into_iter().map(with));
                }
            }
        } else {
            let senders = others(&channels.senders);
            match broadcast {
                true => classes.extend(senders.iter().map(|sender| channels.broadcast(channel, *sender, view))),
                false => classes.extend(
                    senders
                        .iter()
                        .map(|sender| channels.between(side(*sender), side(process), view)),
                ),
            }
            if channels.is_open(channel) {
                classes.push(match broadcast {
                    true => channels.broadcast_from_outside(channel, view),
                    false => channels.class_from_outside(side(process)),
                });
            }
        }
        found.extend(classes.into_iter().map(|class| class.unwrap_or(Role::Internal)));
    }
    found
}
