//! The observations that make the composition of a network deterministic.

use std::fmt;
use std::path::Path;

use anyhow::{Result, anyhow, bail};

use crate::cli::arguments::args::LimitArgs;
use crate::cli::arguments::network_args::NetworkArgs;
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::formats::read_network_file;
use tamper::game::analyse;
use tamper::model::Automaton;
use tamper::mutation::edge_name;
use tamper::network::{Composed, Mending, Network, Observed, View, compose, mending};
use tamper::suite::SuiteFailure;

/// The word for the smallest set of observations that makes a game deterministic.
const AUTO: &str = "auto";

/// What would make a composition deterministic.
enum Advice {
    /// These observations, as they are typed; no smaller set does.
    Observe { list: String, n_observed: usize },
    /// Nothing, in words.
    Never(String),
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Never(why) => f.write_str(why),
            Self::Observe { list, n_observed } => {
                let least = match n_observed {
                    1 => "observation less",
                    _ => "smaller set of observations",
                };
                write!(
                    f,
                    "give --observe {list}: no {least} will do, and with it the game is deterministic"
                )
            }
        }
    }
}

/// What `make` makes of the network in `file` with the typed observations, with those that `auto` stands for, or, if it is not
/// deterministic, with those that the user agrees to.
pub fn with_observations<T>(
    file: &Path,
    args: &NetworkArgs,
    limits: &LimitArgs,
    terminal: &Terminal,
    make: &dyn Fn(NetworkArgs) -> Result<T>,
) -> Result<T> {
    let observing = |list| NetworkArgs {
        network: true,
        observe: list,
        ..args.clone()
    };
    let timer = || Timer::new(limits.resolve());
    if args.observe.as_deref() == Some(AUTO) {
        let (network, ..) = read_network_file(file)?;
        let list = match advice(&network.network, &observing(None), &timer())? {
            None => None,
            Some(Advice::Observe { list, .. }) => Some(list),
            Some(Advice::Never(why)) => bail!("--observe {AUTO}: {why}"),
        };
        let found = list.as_deref().unwrap_or("nothing: the game is deterministic without");
        terminal.note(&format!("--observe {AUTO} is {found}"));
        return make(observing(list));
    }
    let error = match make(args.clone()) {
        Err(error) if error.chain().any(is_not_deterministic) => error,
        done => return done,
    };
    let found = read_network_file(file).ok();
    let found = found.and_then(|(network, ..)| advice(&network.network, args, &timer()).ok()?);
    match found {
        None => Err(error),
        Some(Advice::Observe { list, .. })
            if terminal.agrees(&format!("{error:#}\nmake it with --observe {list}?")) =>
        {
            make(observing(Some(list)))
        }
        Some(advice) => Err(anyhow!("{error:#}\n{advice}")),
    }
}

fn is_not_deterministic(cause: &(dyn std::error::Error + 'static)) -> bool {
    let cause = cause.downcast_ref::<SuiteFailure>();
    matches!(cause, Some(SuiteFailure::NonDeterministic { .. }))
}

/// The advice on a network; `None` if its composition is deterministic.
fn advice(network: &Network, args: &NetworkArgs, timer: &Timer) -> Result<Option<Advice>> {
    let view = args.view(network)?;
    let composed = compose(network, &view, &timer.budget())?;
    let races = races(&composed.automaton, timer)?;
    if races.is_empty() {
        return Ok(None);
    }
    let name = |edge| edge_name(&composed.automaton, edge);
    let unknown = "no set of observations that tells them apart was found within the limit";
    Ok(Some(match mending(network, &composed, &races) {
        Mending::Observe(more) => {
            let view = View {
                observe: view.observe.iter().chain(&more).copied().collect(),
                ..view
            };
            let observed = compose(network, &view, &timer.budget())?;
            if !self::races(&observed.automaton, timer)?.is_empty() {
                bail!("{unknown}");
            }
            let list: Vec<String> = view.observe.iter().map(|what| shown(network, what)).collect();
            Advice::Observe {
                n_observed: list.len(),
                list: list.join(","),
            }
        }
        Mending::Never((first, second)) => Advice::Never(format!(
            "no --observe tells `{}` from `{}`: {}",
            name(first),
            name(second),
            why(&composed, first, second)
        )),
        Mending::Unknown => Advice::Never(unknown.to_owned()),
    }))
}

/// The pairs of edges that are enabled together and look alike.
fn races(game: &Automaton, timer: &Timer) -> Result<Vec<(tamper::model::EdgeId, tamper::model::EdgeId)>> {
    let analysis = analyse(game, &timer.budget())?.map_err(|stopped| anyhow!("{stopped}"))?;
    let pairs = analysis.overlaps.iter().map(|two| (two.first, two.second));
    Ok(pairs.collect())
}

/// The reason why two steps look alike under every observation.
fn why(composed: &Composed, first: tamper::model::EdgeId, second: tamper::model::EdgeId) -> &'static str {
    let edges = composed.automaton.edges();
    match edges[first].target == edges[second].target {
        true => {
            "both lead to the same discrete state, and clocks are not observed; a variable that one of them sets would tell"
        }
        false => "one channel shows both; a channel for each process, as in `chan c[id_t]`, would tell",
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
