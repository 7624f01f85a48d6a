//! What the operators do not see of the part of a process that they change.

use super::Component;
use tamper_timed::mutation::{AlteredPart, Mutation, Site};
use tamper_timed::network::Network;

/// What the operators do not see of the part that `mutation` changes in `component`, for comparison with another model: how an edge
/// takes part in a channel, and a hash of labels. It is that of the first process of the original.
pub(super) fn unseen(component: &Component, network: &Network, mutation: &Mutation) -> Option<String> {
    let (at, view, _) = component.instances(mutation).next()?;
    let (process, left) = (&network.processes[at], &component.left);
    let (side, labels) = match mutation.once().part()? {
        AlteredPart::Edge(id) | AlteredPart::Constraint(Site::Guard(id)) => {
            let edge = process.edges.get(left.edge(id))?;
            let side = match &edge.sync {
                Some(sync) if sync.sends => "; sends",
                Some(_) => "; receives",
                None => "",
            };
            let is_indexed = edge.sync.as_ref().is_some_and(|sync| !sync.channel.steps.is_empty());
            let is_hidden = is_indexed || !view.shows(id);
            let labels = is_hidden.then(|| format!("{:?} {:?} {:?}", edge.guard, edge.sync, edge.updates));
            (side, labels)
        }
        AlteredPart::Location(id) | AlteredPart::Constraint(Site::Invariant(id)) => {
            let location = process.locations.get(left.location(id))?;
            let is_hidden = view.is_closed(Site::Invariant(id));
            ("", is_hidden.then(|| format!("{:?}", location.invariant)))
        }
        AlteredPart::Action(_) | AlteredPart::Whole => return None,
    };
    let labels = labels.map(|labels| match labels.contains("Call(") {
        true => format!("{labels} {:?}", network.functions),
        false => labels,
    });
    let hash = labels.map(|labels| format!("; labels {:.12}", blake3::hash(labels.as_bytes()).to_hex()));
    Some(format!("{side}{}", hash.unwrap_or_default()))
}
