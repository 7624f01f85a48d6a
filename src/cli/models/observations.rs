//! Advice on the observations that make the composition of a network deterministic.

use std::path::Path;

use crate::cli::arguments::args::LimitArgs;
use crate::cli::arguments::network_args::NetworkArgs;
use tamper::experiment::Timer;
use tamper::formats::read_network_file;
use tamper::game::analyse;
use tamper::model::Automaton;
use tamper::mutation::edge_name;
use tamper::network::{Composed, Mending, Network, Observed, View, compose, mending};
use tamper::suite::SuiteFailure;

/// Adds advice on observations to `error`, if it says that the composition of `path` is not deterministic.
pub fn with_observations(error: anyhow::Error, path: &Path, args: &NetworkArgs, limits: &LimitArgs) -> anyhow::Error {
    let is_meant = |cause: &(dyn std::error::Error + 'static)| {
        matches!(
            cause.downcast_ref::<SuiteFailure>(),
            Some(SuiteFailure::NonDeterministic { .. })
        )
    };
    if !error.chain().any(is_meant) {
        return error;
    }
    match advice(path, args, &Timer::new(limits.resolve())) {
        Some(advice) => anyhow::anyhow!("{error:#}\n{advice}"),
        None => error,
    }
}

/// The advice; `None` if nothing is composed or a limit is hit.
fn advice(path: &Path, args: &NetworkArgs, timer: &Timer) -> Option<String> {
    let (file, ..) = read_network_file(path).ok()?;
    let network = &file.network;
    let view = args.view(network).ok()?;
    let composed = compose(network, &view, &timer.budget()).ok()?;
    let races = races(&composed.automaton, timer)?;
    if races.is_empty() {
        return None;
    }
    let name = |edge| edge_name(&composed.automaton, edge);
    Some(match mending(network, &composed, &races) {
        Mending::Observe(more) => {
            let view = View {
                observe: view.observe.iter().chain(&more).copied().collect(),
                ..view
            };
            let is_mended = is_deterministic(network, &view, timer)?;
            let list: Vec<String> = view.observe.iter().map(|what| shown(network, what)).collect();
            let list = list.join(",");
            match is_mended {
                true => format!(
                    "give --observe {list}: no {}, and with it the game is deterministic",
                    match view.observe.len() {
                        1 => "observation less will do".to_owned(),
                        _ => "smaller set of observations will do".to_owned(),
                    }
                ),
                false => return None,
            }
        }
        Mending::Never((first, second)) => format!(
            "no --observe tells `{}` from `{}`: {}",
            name(first),
            name(second),
            why(&composed, first, second)
        ),
        Mending::Unknown => "no set of observations that tells them apart was found within the limit".to_owned(),
    })
}

/// The pairs of edges that are enabled together and look alike.
fn races(game: &Automaton, timer: &Timer) -> Option<Vec<(tamper::model::EdgeId, tamper::model::EdgeId)>> {
    let analysis = analyse(game, &timer.budget()).ok()?.ok()?;
    let pairs = analysis.overlaps.iter().map(|two| (two.first, two.second));
    Some(pairs.collect())
}

fn is_deterministic(network: &Network, view: &View, timer: &Timer) -> Option<bool> {
    let composed = compose(network, view, &timer.budget()).ok()?;
    races(&composed.automaton, timer).map(|races| races.is_empty())
}

/// The reason why two steps look alike under every observation.
fn why(composed: &Composed, first: tamper::model::EdgeId, second: tamper::model::EdgeId) -> &'static str {
    let edges = composed.automaton.edges();
    match edges[first].target == edges[second].target {
        true => "both lead to the same discrete state, and clocks are not observed",
        false => "one channel shows both",
    }
}

/// An observation as it is typed.
fn shown(network: &Network, what: &Observed) -> String {
    match *what {
        Observed::Variable(at) => network.variables[at].name.to_string(),
        Observed::Location(process, location) => {
            let process = &network.processes[process];
            format!("{}.{}", process.name, process.locations[location].name)
        }
    }
}
