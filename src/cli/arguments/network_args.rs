//! Options about networks, and the way from a file to its composition and to its mutants.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::{Args, ValueEnum};

use crate::cli::arguments::args::{GlobalArgs, LimitArgs};
use crate::cli::arguments::expression::Expression;
use crate::cli::arguments::parse::name_of;
use crate::cli::models::load::{CompositionOrigin, Loaded};
use crate::cli::terminal::{Terminal, counted};
use tamper::experiment::Timer;
use tamper::formats::suite_json::SuiteSpecification;
use tamper::formats::{
    InputEnabling, NetworkFile, NetworkScope, ReadError, ReadNetwork, ReadOptions, STDIN, read_network_file,
    write_remarked,
};
use tamper::game::{Unmatched, analyse};
use tamper::model::{Automaton, EdgeId};
use tamper::mutation::edge_name;
use tamper::network::{Composed, Mending, Network, Observed, Side, View, compose, mending};

/// How several automata become one game.
#[derive(Args, Clone, Debug, Default)]

pub struct NetworkArgs {
    /// Compose all processes of the system line into one game, `System`, and mutate that; composing is implied by the options below,
    /// and where FILE is no collection of single games
    #[arg(long)]
    pub network: bool,
    /// The processes under test; all others are the environment [default: all]
    #[arg(long, value_name = "P,Q")]
    pub system: Option<String>,
    /// The processes around what is under test
    #[arg(long, value_name = "P,Q")]
    pub environment: Option<String>,
    /// What synchronisations inside the system are: outputs that are seen, or hidden steps
    #[arg(long, value_enum, value_name = "WHAT")]
    pub internal: Option<Internal>,
    /// Variables (`x`, `P.y`, `a[1]`) and locations (`P.loc`) whose changes are outputs where no channel shows the step; `auto`: the
    /// smallest set with which the game is deterministic
    #[arg(long, value_name = "X,P.LOC")]
    pub observe: Option<String>,
}

/// What synchronisations inside the system are.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Internal {
    /// Outputs
    Visible,
    /// Hidden steps
    Hidden,
}

impl NetworkArgs {
    /// Whether a composition is asked for.
    pub fn is_asked(&self) -> bool {
        let Self {
            network,
            system,
            environment,
            internal,
            observe,
        } = self;
        *network || internal.is_some() || [system, environment, observe].iter().any(|list| list.is_some())
    }

    /// BLAKE3 of a file and of its view, in hexadecimal.
    pub fn hash(&self, bytes: &[u8]) -> String {
        let scope = serde_json::to_vec(&self.scope()).unwrap_or_default();
        blake3::hash(&[bytes, b"\0", &scope].concat()).to_hex().to_string()
    }

    /// The options of the run that recorded `scope`.
    pub fn of(scope: &NetworkScope) -> Self {
        let internal = scope.internal.as_deref();
        Self {
            network: false,
            system: scope.system.clone(),
            environment: scope.environment.clone(),
            internal: internal.and_then(|word| Internal::from_str(word, false).ok()),
            observe: scope.observe.clone(),
        }
    }

    /// The typed options; without any, the view of the network for which the suite was made.
    pub fn or_of(&self, suite: &SuiteSpecification) -> Self {
        match &suite.network {
            Some(scope) if !self.is_asked() => Self {
                network: true,
                ..Self::of(scope)
            },
            _ => self.clone(),
        }
    }

    /// The part of these options that a manifest keeps.
    pub fn scope(&self) -> NetworkScope {
        NetworkScope {
            system: self.system.clone(),
            environment: self.environment.clone(),
            internal: self.internal.and_then(name_of),
            observe: self.observe.clone(),
            ..NetworkScope::default()
        }
    }

    /// The view of `network` under these options.
    pub fn view(&self, network: &Network) -> Result<View> {
        Ok(View {
            name: COMPOSED.to_owned(),
            sides: self.sides(network)?,
            hide_internal: self.internal == Some(Internal::Hidden),
            observe: self.observed(network)?,
        })
    }

    fn sides(&self, network: &Network) -> Result<Vec<Side>> {
        let chosen = |list: &Option<String>| list.as_deref().map(|list| chosen(network, list)).transpose();
        let (system, environment) = (chosen(&self.system)?, chosen(&self.environment)?);
        let mut sides = Vec::new();
        for (at, process) in network.processes.iter().enumerate() {
            let of = |list: &Option<Vec<bool>>| list.as_ref().map(|list| list[at]);
            sides.push(match (of(&system), of(&environment)) {
                (Some(true), Some(true)) => bail!("`{}` is in --system and in --environment", process.name),
                (Some(false), Some(false)) => bail!("`{}` is neither in --system nor in --environment", process.name),
                (Some(true), _) | (None, Some(false) | None) => Side::System,
                (Some(false), _) | (None, Some(true)) => Side::Environment,
            });
        }
        if !sides.contains(&Side::System) {
            bail!("no process is under test");
        }
        Ok(sides)
    }

    fn observed(&self, network: &Network) -> Result<Vec<Observed>> {
        let mut list = Vec::new();
        for name in self.observe.iter().flat_map(|names| split(names)) {
            let variable = network.variables.iter().position(|variable| *variable.name == *name);
            let location = || {
                network.processes.iter().enumerate().find_map(|(at, process)| {
                    let rest = name.strip_prefix(&*process.name)?.strip_prefix('.')?;
                    let location = process.locations.iter().position(|location| *location.name == *rest)?;
                    Some(Observed::Location(at, location))
                })
            };
            if variable.is_some_and(|at| network.variables[at].meta) {
                bail!("--observe: the meta variable `{name}` is no part of the state, so nothing of it is seen");
            }
            let found = variable.map(Observed::Variable).or_else(location);
            list.push(found.with_context(|| format!("--observe: there is no variable or location `{name}`"))?);
        }
        Ok(list)
    }
}

/// The names of a list; commas inside brackets belong to a name.
pub fn split(list: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut depth = 0;
    for character in list.chars() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                names.push(String::new());
                continue;
            }
            _ => {}
        }
        names.last_mut().expect("a name").push(character);
    }
    names.into_iter().map(|name| name.trim().to_owned()).collect()
}

/// Returns for each process whether `list` names it. `T` names all instances of `T(…)`.
fn chosen(network: &Network, list: &str) -> Result<Vec<bool>> {
    let mut chosen = vec![false; network.processes.len()];
    for name in split(list) {
        let mut found = false;
        for (process, chosen) in network.processes.iter().zip(&mut chosen) {
            let is_instance = process
                .name
                .strip_prefix(name.as_str())
                .is_some_and(|rest| rest.starts_with('('));
            if *process.name == *name || is_instance {
                (found, *chosen) = (true, true);
            }
        }
        if !found {
            let names: Vec<&str> = network.processes.iter().map(|process| &*process.name).collect();
            bail!("there is no process `{name}`; there are {}", names.join(", "));
        }
    }
    Ok(chosen)
}

/// Reads `path` as one network, and returns it with its bytes; warnings are shown.
pub fn network_file(path: &Path, terminal: &Terminal) -> Result<(NetworkFile, Vec<u8>)> {
    Ok(shown(read_network_file(path)?, terminal))
}

/// A network that was read, with its bytes; shows the warnings.
pub fn shown((file, bytes, (source, warnings)): ReadNetwork, terminal: &Terminal) -> (NetworkFile, Vec<u8>) {
    terminal.warnings(&source, &warnings);
    (file, bytes)
}

/// A file, and its processes composed.
pub struct Composition {
    /// The composition.
    pub composed: Composed,
    /// The network.
    pub network: Network,
    /// BLAKE3 of the file and of its view.
    pub hash: String,
    /// The processes' edges that no run takes, as messages name them.
    pub untaken: Vec<String>,
    /// The processes' locations that no run reaches.
    pub unreached: Vec<String>,
}

impl Composition {
    /// Reads and composes `path`; warnings are shown.
    pub fn read(path: &Path, args: &NetworkArgs, limits: &LimitArgs, terminal: &Terminal) -> Result<Self> {
        let (file, bytes) = network_file(path, terminal)?;
        let counting = terminal.counting("composing");
        let timer = Timer::new(limits.resolve()).watched(Arc::clone(&counting.states));
        let composed = Self::of(&file, &bytes, args, &timer);
        composed.with_context(|| format!("{} cannot be composed", path.display()))
    }

    /// Composes `file`, which has these bytes.
    pub fn of(file: &NetworkFile, bytes: &[u8], args: &NetworkArgs, timer: &Timer) -> Result<Self> {
        let network = &file.network;
        let view = args.view(network)?;
        let composed = compose(network, &view, &timer.budget())?;
        Ok(Self {
            untaken: composed.untaken_edges(network, &file.templates),
            unreached: composed.unreached_locations(network, &file.templates),
            composed,
            network: network.clone(),
            hash: args.hash(bytes),
        })
    }

    /// Writes the game as a UPPAAL file, with remarks on hidden edges.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        let composed = &self.composed;
        let hidden = |edge| composed.is_hidden(edge).then(|| "hidden".to_owned());
        let state = |location| composed.state_in_words(&self.network, location);
        write_remarked(to, &composed.automaton, &state, &hidden)
    }

    /// The facts about the composition that matter to verdicts about the game.
    pub fn origin(&self) -> CompositionOrigin {
        CompositionOrigin {
            hidden: self.composed.has_hidden,
            internal: self.composed.internal.clone(),
            untaken: self.untaken.clone(),
            unreached: self.unreached.clone(),
            places: None,
        }
    }
}

/// The word for the smallest set of observations that makes a game deterministic.
const AUTO: &str = "auto";

/// What would make a composition deterministic.
pub enum Advice {
    /// These observations, as they are typed; no smaller set does.
    Observe(String),
    /// Nothing, in words.
    Never(String),
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Never(why) => f.write_str(why),
            Self::Observe(list) => write!(
                f,
                "give --observe {list}: no observation less will do, and with it the game is deterministic"
            ),
        }
    }
}

/// The same options with these observations.
pub fn observing(args: &NetworkArgs, list: Option<String>) -> NetworkArgs {
    NetworkArgs {
        network: true,
        observe: list,
        ..args.clone()
    }
}

/// The typed options, with the observations that `auto` stands for in the network in `file`.
pub fn without_auto(file: &Path, args: &NetworkArgs, limits: &LimitArgs, terminal: &Terminal) -> Result<NetworkArgs> {
    if args.observe.as_deref() != Some(AUTO) {
        return Ok(args.clone());
    }
    let (network, ..) = read_network_file(file)?;
    let timer = Timer::new(limits.resolve());
    let list = match advice(&network.network, &observing(args, None), &timer)? {
        None => None,
        Some(Advice::Observe(list)) => Some(list),
        Some(Advice::Never(why)) => bail!("--observe {AUTO}: {why}"),
    };
    let found = list.as_deref().unwrap_or("nothing: the game is deterministic without");
    terminal.note(&format!("--observe {AUTO} is {found}"));
    Ok(observing(args, list))
}

/// The advice on a network; `None` if its composition is deterministic.
pub fn advice(network: &Network, args: &NetworkArgs, timer: &Timer) -> Result<Option<Advice>> {
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
            let list: Vec<String> = view.observe.iter().map(|what| typed(network, what)).collect();
            Advice::Observe(list.join(","))
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
fn races(game: &Automaton, timer: &Timer) -> Result<Vec<(EdgeId, EdgeId)>> {
    let analysis = analyse(game, &timer.budget())?.map_err(|stopped| anyhow!("{stopped}"))?;
    let pairs = analysis.overlaps.iter().map(|two| (two.first, two.second));
    Ok(pairs.collect())
}

/// The reason why two steps look alike under every observation.
fn why(composed: &Composed, first: EdgeId, second: EdgeId) -> &'static str {
    let edges = composed.automaton.edges();
    match edges[first].target == edges[second].target {
        true => {
            "both lead to the same discrete state, and clocks are not observed; a variable that one of them sets would tell"
        }
        false => "one channel shows both; a channel for each process, as in `chan c[id_t]`, would tell",
    }
}

/// An observation as it is typed.
fn typed(network: &Network, what: &Observed) -> String {
    match *what {
        Observed::Variable(at) => network.variables[at].name.to_string(),
        Observed::Location(process, location) => {
            let process = &network.processes[process];
            format!("{}.{}", process.name, process.locations[location].name)
        }
    }
}

impl Loaded {
    /// Reads `path` for the games `names` (all games if empty): as a collection of single games or, if that is asked for or needed, as one
    /// network.
    pub fn read_either(
        path: &Path,
        names: &[&str],
        network: &NetworkArgs,
        limits: &LimitArgs,
        global: &GlobalArgs,
        terminal: &Terminal,
    ) -> Result<Self> {
        let options = global.read_options();
        if let [name] = names
            && Expression::is_operation(name)
        {
            return Self::read_expression(path, name, network, limits, global, terminal);
        }
        if !network.is_asked() {
            match Self::read_named(path, &options, names, terminal) {
                Err(error) if error.downcast_ref::<ReadError>().is_some() && may_be_network(path) => {}
                other => return other,
            }
        }
        let network = &without_auto(path, network, limits, terminal)?;
        let composition = Composition::read(path, network, limits, terminal)?;
        let (actions, locations) = (
            composition.composed.automaton.actions().len(),
            composition.composed.discrete.len(),
        );
        terminal.note(&format!(
            "{}: {} composed into one game: {}, {}",
            path.display(),
            counted(composition.network.processes.len(), "process"),
            counted(locations, "location"),
            counted(actions, "action")
        ));
        Ok(Self::of_composition(path, network, composition, &options))
    }

    /// Reads `path` as a collection of single games or, if it is no collection, as one network.
    pub fn read_composed(path: &Path, options: &ReadOptions, terminal: &Terminal) -> Result<Self> {
        match Self::read(path, options, terminal) {
            Err(error) if error.downcast_ref::<ReadError>().is_some() && may_be_network(path) => {}
            other => return other,
        }
        let network = NetworkArgs::default();
        let composition = Composition::read(path, &network, &LimitArgs::default(), terminal)?;
        let loaded = Self::of_composition(path, &network, composition, options);
        loaded.comparable()?;
        Ok(loaded)
    }

    /// Reads `path` for the game `name`; `None` stands for the only game. The file is read as `read_either` reads it.
    pub fn read_game(
        path: &Path,
        name: Option<&str>,
        network: &NetworkArgs,
        global: &GlobalArgs,
        terminal: &Terminal,
    ) -> Result<Self> {
        Self::read_either(path, name.as_slice(), network, &LimitArgs::default(), global, terminal)
    }

    /// The game that the expression `text` makes of games of `path`.
    fn read_expression(
        path: &Path,
        text: &str,
        network: &NetworkArgs,
        limits: &LimitArgs,
        global: &GlobalArgs,
        terminal: &Terminal,
    ) -> Result<Self> {
        let expression = Expression::parse(text)?;
        let loaded = Self::read_either(path, &expression.names(), network, limits, global, terminal)?;
        loaded.comparable()?;
        let budget = Timer::new(limits.resolve()).budget();
        let game = expression.game(&|name| loaded.named(name), Unmatched::Reject, &budget)?;
        terminal.note(&format!(
            "{}: `{text}` is one game: {}, {}",
            path.display(),
            counted(game.locations().len(), "location"),
            counted(game.actions().len(), "action")
        ));
        let hash = blake3::hash(format!("{}\0{text}", loaded.hash).as_bytes());
        Ok(Self::made(
            enabled(game.renamed(text), &global.read_options()),
            hash.to_hex().to_string(),
            path.display().to_string(),
            None,
        ))
    }

    /// The game that was composed from the file in `path`.
    pub fn of_composition(path: &Path, network: &NetworkArgs, composition: Composition, options: &ReadOptions) -> Self {
        let (name, mut origin) = (path.display().to_string(), composition.origin());
        let composed = composition.composed;
        origin.places = Some((composition.network, composed.discrete, composed.parts));
        let game = enabled(composed.automaton, options);
        Self::made(game, composition.hash, name, Some(origin)).seen_as(network.scope())
    }
}

/// `game`, with inputs that it does not accept ignored or refused, as `options` say.
fn enabled(game: Automaton, options: &ReadOptions) -> Automaton {
    match options.input_enabling {
        InputEnabling::Auto => game,
        InputEnabling::On => game.with_input_enabling(true),
        InputEnabling::Off => game.with_input_enabling(false),
    }
}

/// Whether a file that is no collection of single games may be a network.
pub fn may_be_network(path: &Path) -> bool {
    let extension = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    let is_game = ["json", "scxml"].iter().any(|end| extension.eq_ignore_ascii_case(end));
    (path.is_file() || path.as_os_str() == STDIN) && !is_game
}

/// The name of a composed game.
pub const COMPOSED: &str = "System";

/// The choice of mutated processes.
#[derive(Args, Clone, Debug, Default)]

pub struct MutateArgs {
    /// Mutants of a network: each changes one of these processes or templates under test, is composed and judged against the
    /// composition of FILE [default, where FILE runs several processes: all]
    #[arg(long, value_name = "P,Q")]
    pub mutate: Option<String>,
    /// With --mutate: what one mutation changes
    #[arg(long, value_enum, value_name = "WHAT", requires = "mutate")]
    pub scope: Option<ScopeArg>,
}

/// What a mutation of a network changes.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum ScopeArg {
    /// The template, with all its instances (the default)
    Template,
    /// One instance
    Instance,
}

/// The typed options about the model of a run.
#[derive(Clone, Copy)]
pub struct OfRun<'a> {
    /// Its file, if it has been moved.
    pub file: Option<&'a Path>,
    /// The options for composing processes to one game.
    pub network: &'a NetworkArgs,
    /// The limits of composing them.
    pub limits: &'a LimitArgs,
}
