//! The participants in the steps of a network: of synchronisation vectors, and of events that one process has alone.

use std::collections::{BTreeMap, BTreeSet};

use super::actions::Actions;
use super::spell::fresh;
use super::system::{AlphabetEntry, System};
use tamper_text::Diagnostic;
use tamper_timed::model::Role;
use tamper_timed::network::{Channel, Network, Seen, Vector, VectorPart};

/// A vector with unresolved names.
#[derive(Debug)]
pub(super) struct Named<'a> {
    listed: AlphabetEntry<'a>,
    parts: Vec<NamedPart<'a>>,
}

#[derive(Clone, Copy, Debug)]
struct NamedPart<'a> {
    process: usize,
    event: &'a str,
    is_weak: bool,
}

/// The channel of each event: the event's name, if UPPAAL accepts it and it is not taken.
pub(super) fn channels<'a>(system: &'a System<'_>) -> BTreeMap<&'a str, String> {
    let variables = system.clocks.iter().chain(system.ints.iter().map(|int| &int.name));
    let names = variables.chain(system.processes.iter().map(|process| &process.name));
    let mut taken: BTreeSet<String> = names.map(|name| name.text.to_owned()).collect();
    let events = system.events.keys();
    events.map(|event| (*event, fresh(event, &mut taken))).collect()
}

/// The vectors of `system`: the written ones; one for each event that one process has alone; and one without parts for
/// each action of the alphabet, which makes it an action of the network.
pub(super) fn vectors<'a>(system: &'a System<'a>, found: &mut Vec<Diagnostic>) -> Vec<Named<'a>> {
    if system.alphabet.is_empty() && !system.events.is_empty() {
        let message = "no line says what the events are: all of them are outputs, and `tau` is internal";
        let warning = Diagnostic::warning(message, system.name.map(|name| name.span));
        found.push(warning.with_help("say it in a comment line: `# tamper:alphabet press? coffee! tau`"));
    }
    let mut actions = Actions::new(system);
    let synchronised = system.synchronised();
    let mut list: Vec<Named<'a>> = system
        .alphabet
        .iter()
        .map(|(_, listed)| Named {
            listed: *listed,
            parts: Vec::new(),
        })
        .collect();
    let mut alone = BTreeSet::new();
    for (process, declared) in system.processes.iter().enumerate() {
        for event in declared.edges.iter().map(|edge| edge.event) {
            let own = (process, event.text);
            if synchronised.contains(&own) || !alone.insert(own) {
                continue;
            }
            let part = NamedPart {
                process,
                event: event.text,
                is_weak: false,
            };
            let listed = actions.alone_in_network(declared, event, found);
            list.extend(listed.map(|listed| Named {
                listed,
                parts: vec![part],
            }));
        }
    }
    for sync in &system.syncs {
        let parts = sync.parts.iter().map(|part| NamedPart {
            process: part.process,
            event: part.event.text,
            is_weak: part.is_weak,
        });
        let listed = actions.together_in_network(sync, found);
        list.extend(listed.map(|listed| Named {
            listed,
            parts: parts.collect(),
        }));
    }
    list
}

/// Adds `vectors` to `network`, so that they determine who takes part in its steps. Its channels are the channels of
/// the events, its processes the processes of the file.
pub(super) fn connect(network: &mut Network, channels: &BTreeMap<&str, String>, vectors: &[Named<'_>]) {
    for channel in &mut network.channels {
        channel.by_vectors = true;
    }
    for vector in vectors {
        let seen = (vector.listed.role != Role::Internal).then(|| Seen {
            channel: named(network, vector.listed.channel),
            role: vector.listed.role,
        });
        let parts = vector.parts.iter().map(|part| VectorPart {
            process: part.process,
            channel: named(network, &channels[part.event]),
            is_weak: part.is_weak,
        });
        let parts = parts.collect();
        network.vectors.push(Vector { seen, parts });
    }
}

/// The position of the channel of that name, which is added if it is missing.
fn named(network: &mut Network, name: &str) -> u32 {
    let known = network.channels.iter().position(|channel| *channel.name == *name);
    let at = known.unwrap_or(network.channels.len());
    if known.is_none() {
        network.channels.push(Channel {
            name: name.into(),
            broadcast: false,
            urgent: false,
            priority: 0,
            by_vectors: true,
        });
    }
    u32::try_from(at).expect("fewer than 2^32 channels")
}
