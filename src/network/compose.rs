//! A network as one game.

use super::classes::Channels;
use super::emit::{described, emit};
use super::error::ComposeError;
use super::explore::{Graph, KnownSteps, explore};
use super::moves::{Mover, State};
use super::{Network, Side};
use crate::base::Budget;
use crate::model::{Automaton, Role};
use crate::zones::Dbm;

/// How a network is looked at.
#[derive(Clone, Debug)]
pub struct View {
    /// The name of the composed game.
    pub name: String,
    /// Per process, whether it is under test.
    pub sides: Vec<Side>,
    /// Whether handshakes inside the system are hidden.
    pub hide_internal: bool,
    /// What is seen of steps that no channel shows.
    pub observe: Vec<Observed>,
}

/// Something whose changes are seen as outputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Observed {
    /// The value of that variable.
    Variable(usize),
    /// Whether that process is in that location.
    Location(usize, usize),
}

impl View {
    /// Every process is under test, and everything it does with others is seen.
    pub fn closed(name: impl Into<String>, network: &Network) -> Self {
        Self {
            name: name.into(),
            sides: vec![Side::System; network.processes.len()],
            hide_internal: false,
            observe: Vec::new(),
        }
    }
}

/// A network as one game.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The game: one location per reached discrete state.
    pub automaton: Automaton,
    /// Per location, where each process is and what the variables are, in words; only of [`compose`].
    pub states: Vec<String>,
    /// Per location, the discrete state that it is.
    pub discrete: Vec<State>,
    /// Whether some reached state has a committed location.
    pub has_committed: bool,
    /// Whether some step is hidden: inside the system with [`View::hide_internal`], or inside the environment.
    pub has_hidden: bool,
    /// Per location, a zone that has all values with which runs reach it; none at all where that was not computed.
    pub reach: Vec<Dbm>,
    /// Symbolic states explored; with clock differences the discrete states, because then zones prune nothing.
    pub n_explored: u64,
}

/// Builds the composition of `network`: its reachable discrete states, explored by zones.
///
/// # Errors
/// A reached state or step has no meaning, something is not supported, or a limit was hit.
///
/// # Panics
/// If the view does not have one side per process.
pub fn compose(network: &Network, view: &View, budget: &Budget) -> Result<Composed, ComposeError> {
    let composed = compose_mutant(network, network, view, budget)?;
    let words = composed.discrete.iter().map(|state| described(network, state));
    Ok(Composed {
        states: words.collect(),
        ..composed
    })
}

/// Builds the composition of `network`, made from `original` by changes of its processes: whoever may use a channel there
/// may use it here, so that an edge which is missing does not open the network to the outside. Channels that only
/// `network` has come last.
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
    compose_with((network, original), view, None, budget).map(|(composed, _)| composed)
}

/// Composes as [`compose_mutant`], with the steps that are known; gives the graph as well.
pub(super) fn compose_with(
    (network, original): (&Network, &Network),
    view: &View,
    known: Option<&KnownSteps<'_>>,
    budget: &Budget,
) -> Result<(Composed, Graph), ComposeError> {
    assert_eq!(view.sides.len(), network.processes.len(), "one side per process");
    let channels = Channels::new(network).joined(Channels::new(original));
    let prioritised = network.channels.iter().any(|channel| channel.priority != 0)
        || network
            .processes
            .iter()
            .any(|process| process.priority != network.processes[0].priority);
    if prioritised {
        for (at, channel) in (0..).zip(&network.channels) {
            if channels.roles(at, channel.broadcast, view).contains(&Role::Input) && channels.is_open(at) {
                return Err(ComposeError::PrioritiesAndInputs {
                    channel: channel.name.to_string(),
                });
            }
        }
    }
    let mut mover = Mover::new(network, view, &channels);
    let graph = explore(&mut mover, known, budget)?;
    Ok((emit(network, view, &channels, &graph), graph))
}
