//! A process alone: all its channels lead to the environment.

use super::hypotheses::{is_congruent, shared};
use tamper_game::{self as game, GameError, Scratch, Semantics, Specification, analyse};
use tamper_text::Budget;
use tamper_timed::model::{Automaton, Role};
use tamper_timed::network::{Network, View, compose_mutant};

/// A process as an open game, ready to judge its mutants.
#[derive(Debug)]
pub(super) struct Alone {
    process: usize,
    original: Network,
    automaton: Automaton,
    specification: Specification,
    /// The specification without pruning, if refinement of the process alone implies refinement in the network.
    congruent: Option<Specification>,
}

impl Alone {
    /// Prepares the process at position `process`; the error is the reason why it has no meaning alone.
    pub fn of(network: &Network, process: usize, semantics: Semantics, budget: &Budget) -> Result<Self, String> {
        let name = &network.processes[process].name;
        let syncs = network.processes[process]
            .edges
            .iter()
            .filter_map(|edge| edge.sync.as_ref());
        let mut channels = syncs.map(|sync| &network.channels[sync.channel.base as usize]);
        if channels.any(|channel| channel.by_vectors) {
            return Err(format!(
                "`{name}` takes steps by vectors, which are about several processes"
            ));
        }
        if let Some(shared) = shared(network, process) {
            return Err(format!("`{name}` shares `{shared}` with other processes"));
        }
        let original = by_itself(network, process);
        let automaton = composed(&original, &original, budget).map_err(|error| format!("`{name}`: {error}"))?;
        let specification =
            Specification::prepare(&automaton, semantics, budget).map_err(|error| format!("`{name}`: {error}"))?;
        let congruent = match is_congruent(network, process) && accepts_all_inputs(&automaton, budget) {
            true => Specification::prepare(&automaton, Semantics::DEFINITION, budget).ok(),
            false => None,
        };
        Ok(Self {
            process,
            original,
            automaton,
            specification,
            congruent,
        })
    }

    /// The verdict on the process alone in `mutant`, a network of the same processes; `None` if it has no meaning
    /// alone.
    pub fn verdict(&self, mutant: &Network, budget: &Budget, scratch: &mut Scratch) -> Option<game::Verdict> {
        let mutant = composed(&by_itself(mutant, self.process), &self.original, budget).ok()?;
        if mutant == self.automaton {
            return Some(game::Verdict::Subsumed);
        }
        Some(self.specification.decide(&mutant, budget, scratch).ok()?.verdict)
    }

    /// Whether every behaviour of the mutant is one of the original in any environment, by the congruence of broadcast
    /// networks. `false` if this does not apply or is unknown.
    pub fn keeps_in_any_network(&self, mutant: &Network, budget: &Budget, scratch: &mut Scratch) -> bool {
        let Some(specification) = &self.congruent else {
            return false;
        };
        let Ok(mutant) = composed(&by_itself(mutant, self.process), &self.original, budget) else {
            return false;
        };
        let decided = specification.decide(&mutant, budget, scratch);
        has_one_answer(&mutant, budget) && decided.is_ok_and(|decision| decision.verdict == game::Verdict::Subsumed)
    }
}

/// The network of this process only. A handshake on an urgent channel stops time only if its partner is ready, too,
/// which depends on the rest of the network; likewise a broadcast that another process sends. So these channels are not
/// urgent here.
fn by_itself(network: &Network, process: usize) -> Network {
    let mut alone = network.clone();
    alone.processes = vec![alone.processes.swap_remove(process)];
    let syncs = alone.processes[0].edges.iter().filter_map(|edge| edge.sync.as_ref());
    let sent: Vec<_> = syncs
        .filter(|sync| sync.sends)
        .map(|sync| sync.channel.range())
        .collect();
    for (at, channel) in alone.channels.iter_mut().enumerate() {
        channel.urgent &= channel.broadcast && sent.iter().any(|range| range.contains(&at));
    }
    alone
}

fn composed(network: &Network, original: &Network, budget: &Budget) -> Result<Automaton, String> {
    let view = View::closed("Alone", network);
    let composed = compose_mutant(network, original, &view, budget).map_err(|error| error.to_string())?;
    Ok(composed.automaton)
}

/// Whether every input is possible in every reachable state: the game must refine its variant in which all other inputs
/// are ignored.
fn accepts_all_inputs(automaton: &Automaton, budget: &Budget) -> bool {
    let accepting = automaton.with_input_enabling(true);
    let specification = Specification::prepare(&accepting, Semantics::DEFINITION, budget);
    let decided = specification.and_then(|accepting| accepting.decide(automaton, budget, &mut Scratch::default()));
    decided.is_ok_and(|decision| decision.verdict == game::Verdict::Subsumed)
}

/// Whether no reachable state has two answers to an input.
fn has_one_answer(automaton: &Automaton, budget: &Budget) -> bool {
    let found: Result<_, GameError> = analyse(automaton, budget);
    let Ok(Ok(analysis)) = found else { return false };
    let is_input = |edge| automaton.role(edge) == Role::Input;
    analysis.overlaps.iter().all(|overlap| !is_input(overlap.first))
}
