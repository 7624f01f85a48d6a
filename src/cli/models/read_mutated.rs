//! From what was typed to the model whose mutants are made: a game, or processes of a network.

use std::path::Path;

use anyhow::{Result, bail};

use crate::cli::arguments::args::{GlobalArgs, LimitArgs};
use crate::cli::arguments::network_args::{MutateArgs, NetworkArgs, OfRun, may_be_network, without_auto};
use crate::cli::models::load::Loaded;
use crate::cli::models::mutated::BoxedModel;
use crate::cli::models::mutated_game::MutatedGame;
use crate::cli::models::mutated_network::MutatedNetwork;
use crate::cli::models::prepare::{game_of, model_of, refuse_share};
use crate::cli::terminal::{Terminal, counted};
use tamper::experiment::{Manifest, Plan};
use tamper::formats::suite_json::SuiteSpecification;
use tamper::formats::{read_model, read_network_file};

/// The typed options about a model.
#[derive(Clone, Copy)]
pub struct MutatedRequest<'a> {
    /// The file of the model.
    pub file: &'a Path,
    /// The game of the file.
    pub template: Option<&'a str>,
    /// The choice of mutated processes.
    pub mutate: &'a MutateArgs,
    /// The options for composing processes to one game.
    pub network: &'a NetworkArgs,
    /// The limits of composing them.
    pub limits: &'a LimitArgs,
}

/// Reads the model under the typed options. Without a name, the game is the one that `suite` is for.
pub fn read_mutated(
    request: MutatedRequest<'_>,
    suite: Option<&SuiteSpecification>,
    global: &GlobalArgs,
    terminal: &Terminal,
) -> Result<BoxedModel> {
    let network = &without_auto(request.file, request.network, request.limits, terminal)?;
    let request = MutatedRequest { network, ..request };
    if request.mutate.mutate.is_some() {
        if request.template.is_some() {
            bail!("--template chooses a game of the file, and --mutate processes of its network: leave one out");
        }
        let network = MutatedNetwork::read(request.file, request.network, request.mutate, terminal)?;
        return Ok(Box::new(network));
    }
    let network = match suite {
        Some(suite) if request.template.is_none() => request.network.or_of(suite),
        _ => request.network.clone(),
    };
    let unnamed = match request.template {
        Some(_) => Unnamed::Either,
        None => unnamed(&request, &network, suite, global, terminal)?,
    };
    let names = request.template.as_slice();
    let loaded = match unnamed {
        Unnamed::Processes(processes) => return Ok(processes),
        Unnamed::Game(loaded) => *loaded,
        Unnamed::Either => Loaded::read_either(request.file, names, &network, request.limits, global, terminal)?,
    };
    loaded.comparable()?;
    let game = match suite {
        Some(suite) => loaded.game_of_suite(request.template, suite)?,
        None => loaded.game(request.template)?,
    };
    let game = game.clone();
    Ok(Box::new(MutatedGame { loaded, game }))
}

/// Reads what the whole run in `folder` is about, with its plan; `request.file` may have moved, and how a network is looked at is
/// the run's unless it was typed.
pub fn mutated_of_run(
    folder: &Path,
    asked: OfRun<'_>,
    global: &GlobalArgs,
    terminal: &Terminal,
) -> Result<(BoxedModel, Plan)> {
    let manifest = Manifest::read(folder)?;
    refuse_share(&manifest, folder)?;
    mutated_of_manifest(&manifest, folder, asked, global, terminal)
}

/// The same for a run with this manifest, of which `folder` may be a share.
pub fn mutated_of_manifest(
    manifest: &Manifest,
    folder: &Path,
    asked: OfRun<'_>,
    global: &GlobalArgs,
    terminal: &Terminal,
) -> Result<(BoxedModel, Plan)> {
    let plan = manifest.plan().clone();
    if manifest.is_of_network() {
        let network = MutatedNetwork::of_run(manifest, folder, asked, terminal)?;
        return Ok((Box::new(network), plan));
    }
    let loaded = model_of(&plan, asked, global, terminal)?;
    let game = game_of(&loaded, folder, &plan)?.clone();
    Ok((Box::new(MutatedGame { loaded, game }), plan))
}

/// The subject of mutation if neither a game nor processes were named.
enum Unnamed {
    /// These processes.
    Processes(Box<MutatedNetwork>),
    /// A single game, which was read.
    Game(Box<Loaded>),
    /// Undecided: reading the file tells which names there are, or what is wrong with it.
    Either,
}

/// Determines the subject of mutation: the processes that the suite is about; else the game of the suite, or the only game of the file;
/// else all processes of a network. `Either` if mutants of the composition are asked for, or if the file has open games (edges that are
/// `controllable` or not) or no several processes.
fn unnamed(
    request: &MutatedRequest<'_>,
    network: &NetworkArgs,
    suite: Option<&SuiteSpecification>,
    global: &GlobalArgs,
    terminal: &Terminal,
) -> Result<Unnamed> {
    let of_suite = suite.and_then(|suite| suite.network.as_ref());
    if let Some(scope) = of_suite.filter(|scope| !scope.mutated.is_empty()) {
        let mutated = MutatedNetwork::of_scope(request.file, network, scope, terminal)?;
        return Ok(Unnamed::Processes(Box::new(mutated)));
    }
    if network.network || !may_be_network(request.file) {
        return Ok(Unnamed::Either);
    }
    if !network.is_asked()
        && let Ok(read) = read_model(request.file, &global.read_options())
    {
        let is_of_suite = |suite: &SuiteSpecification| read.document.find(&suite.template).is_some();
        let is_single = read.document.automata().len() == 1 && !read.document.is_product();
        if is_single || suite.is_some_and(is_of_suite) {
            return Ok(Unnamed::Game(Box::new(Loaded::shown(request.file, read, terminal))));
        }
    }
    // Open games are no processes, and a process without others is mutated as the one game that it is.
    let read = read_network_file(request.file).ok();
    if let Some((file, ..)) = &read
        && file.has_roles
        && !network.is_asked()
        && file.network.processes.len() > 1
    {
        terminal.note(&format!(
            "{}: edges that are `controllable` or not make games (--mutate all: mutants of its {}, composed)",
            request.file.display(),
            counted(file.network.processes.len(), "process")
        ));
    }
    let read = read.filter(|(file, ..)| network.is_asked() || (!file.has_roles && file.network.processes.len() > 1));
    let Some(read) = read else { return Ok(Unnamed::Either) };
    let mutated = MutatedNetwork::of_all(request.file, read, network, terminal)?;
    terminal.note(&format!(
        "{}: {}, composed; each mutation changes one of them, as --mutate {} asks for (--template NAME: one game \
         by itself; --network: mutants of the composition)",
        request.file.display(),
        counted(mutated.file.network.processes.len(), "process"),
        mutated.names()
    ));
    Ok(Unnamed::Processes(Box::new(mutated)))
}
