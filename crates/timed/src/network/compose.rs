//! A network as one game.

use super::classes::Channels;
use super::emit::{emit, untaken};
use super::error::ComposeError;
use super::explore::{Graph, KnownSteps, explore};
use super::moves::MoveGenerator;
use super::{Composed, Network, View};
use tamper_text::Budget;

/// Builds the composition of `network`: its reachable discrete states, explored by zones.
///
/// # Errors
/// A reached state or step has no meaning, something is not supported, or a limit was hit.
///
/// # Panics
/// If the view does not have one side per process.
pub fn compose(network: &Network, view: &View, budget: &Budget) -> Result<Composed, ComposeError> {
    let (channels, graph) = explored(network, network, view, None, budget)?;
    let untaken = untaken(network, &graph);
    Ok(Composed {
        untaken,
        ..emit(network, view, &channels, graph)
    })
}

/// Builds the composition of `network`, which is made from `original` by changes of its processes. The possible users of
/// each channel are taken from the original as well, so that a missing edge does not open the network to the outside.
/// Channels that only `network` has come last.
///
/// # Errors
/// As of [`compose`].
///
/// # Panics
/// If the view does not have one side per process.
pub fn compose_mutant(
    network: &Network,
    original: &Network,
    view: &View,
    budget: &Budget,
) -> Result<Composed, ComposeError> {
    let (channels, graph) = explored(network, original, view, None, budget)?;
    Ok(emit(network, view, &channels, graph))
}

/// Builds the composition of what is left of a mutant if no run ends in a fault: steps whose updates have no meaning are left out,
/// and in a state in which a condition has none time stands and no step is possible. `None` for a mutant with inputs.
///
/// # Errors
/// As of [`compose_mutant`], but for faults beyond the start.
///
/// # Panics
/// If the view does not have one side per process.
pub fn compose_without_faults(
    network: &Network,
    original: &Network,
    view: &View,
    budget: &Budget,
) -> Option<Result<Composed, ComposeError>> {
    let channels = channels(network, original);
    if channels.has_inputs(network, view) {
        return None;
    }
    let mut generator = generator(network, view, &channels);
    generator.skips_faults = true;
    Some(explore(&mut generator, None, budget).map(|graph| emit(network, view, &channels, graph)))
}

/// What [`compose_mutant`] writes as a game, explored with known steps.
pub(super) fn explored(
    network: &Network,
    original: &Network,
    view: &View,
    known: Option<&KnownSteps<'_>>,
    budget: &Budget,
) -> Result<(Channels, Graph), ComposeError> {
    let channels = channels(network, original);
    let graph = explore(&mut generator(network, view, &channels), known, budget)?;
    Ok((channels, graph))
}

fn channels(network: &Network, original: &Network) -> Channels {
    Channels::new(network).joined(Channels::new(original))
}

fn generator<'a>(network: &'a Network, view: &'a View, channels: &'a Channels) -> MoveGenerator<'a> {
    assert_eq!(view.sides.len(), network.processes.len(), "one side per process");
    MoveGenerator::new(network, view, channels)
}
