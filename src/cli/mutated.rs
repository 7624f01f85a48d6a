//! A model whose mutants are made: a game, or processes of a network.

use std::path::Path;

use anyhow::{Result, bail};

use super::args::{GlobalArgs, LimitArgs, MutationArgs, SemanticsArgs, SpaceArgs};
use super::exit::LimitHit;
use super::load::Loaded;
use super::network_args::{MutateArgs, MutatedNetwork, NetworkArgs, OfRun, may_be_network};
use super::prepare::{game_of, model_of, refuse_share};
use super::terminal::{Terminal, counted};
#[cfg(feature = "drawing")]
use tamper::experiment::Numbered;
use tamper::experiment::{GuidelineSet, Manifest, ModelRef, MutantSet, Plan, StaticUse, Timer};
use tamper::formats::suite_json::SuiteSpecification;
use tamper::formats::{read_model, read_network_file};
use tamper::model::Automaton;
use tamper::mutation::{MutantSpace, MutationOptions, Operator, Order};
#[cfg(feature = "drawing")]
use tamper::report::{RunPage, Scene};
use tamper::suite::{SuiteFailure, Tester};
use tamper::text::Budget;

/// A model whose mutants are made.
pub enum Mutated {
    /// One game.
    Game(Box<MutatedGame>),
    /// Processes of a network.
    Network(Box<MutatedNetwork>),
}

/// A game whose mutants are made.
pub struct MutatedGame {
    /// The file of the game.
    pub loaded: Loaded,
    /// The name of the game in the file.
    pub name: String,
    /// The game with its atomic propositions visible, if that is asked for.
    seen: Option<Automaton>,
}

/// The typed options about a model.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
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

impl MutatedGame {
    /// The game itself.
    pub fn game(&self) -> Result<&Automaton> {
        match &self.seen {
            Some(game) => Ok(game),
            None => self.loaded.game(Some(&self.name)),
        }
    }
}

const UNSEEN: &str = "--propositions seen: a composition has no atomic propositions; name one game with --template";

/// `game` as it is compared with `other`, with visible propositions.
pub fn seen(game: &Automaton, other: &Automaton) -> Result<Automaton> {
    match game.is_atomic() {
        true => bail!(UNSEEN),
        false => Ok(game.with_seen_propositions(other)),
    }
}

impl Mutated {
    /// Reads the model under the typed options. Without a name, the game is the one that `suite` is for.
    pub fn read(
        asked: Asked<'_>,
        suite: Option<&SuiteSpecification>,
        global: &GlobalArgs,
        terminal: &Terminal,
    ) -> Result<Self> {
        if asked.mutate.mutate.is_some() {
            if asked.template.is_some() {
                bail!("--template chooses a game of the file, and --mutate processes of its network: leave one out");
            }
            let network = MutatedNetwork::read(asked.file, asked.network, asked.mutate, terminal)?;
            return Ok(Self::Network(Box::new(network)));
        }
        let network = match suite {
            Some(suite) if asked.template.is_none() => asked.network.or_of(suite),
            _ => asked.network.clone(),
        };
        let unnamed = match asked.template {
            Some(_) => Unnamed::Either,
            None => unnamed(&asked, &network, suite, global, terminal)?,
        };
        let names = asked.template.as_slice();
        let loaded = match unnamed {
            Unnamed::Processes(processes) => return Ok(Self::Network(processes)),
            Unnamed::Game(loaded) => *loaded,
            Unnamed::Either => Loaded::read_either((asked.file, names), (&network, asked.limits), global, terminal)?,
        };
        loaded.comparable()?;
        let game = match suite {
            Some(suite) => loaded.game_of_suite(asked.template, suite)?,
            None => loaded.game(asked.template)?,
        };
        let name = game.name().to_owned();
        Ok(Self::Game(Box::new(MutatedGame {
            loaded,
            name,
            seen: None,
        })))
    }

    /// Reads the model of the whole run in `folder`, with its plan. `asked.file` may have moved, and the view of a network is the run's
    /// unless one was typed.
    pub fn of_run(folder: &Path, asked: OfRun<'_>, global: &GlobalArgs, terminal: &Terminal) -> Result<(Self, Plan)> {
        let manifest = Manifest::read(folder)?;
        refuse_share(&manifest, folder)?;
        Self::of_manifest(&manifest, folder, asked, global, terminal)
    }

    /// The same for a run with this manifest, of which `folder` may be a share.
    pub fn of_manifest(
        manifest: &Manifest,
        folder: &Path,
        asked: OfRun<'_>,
        global: &GlobalArgs,
        terminal: &Terminal,
    ) -> Result<(Self, Plan)> {
        let plan = manifest.plan().clone();
        if manifest.is_of_network() {
            let network = MutatedNetwork::of_run(manifest, folder, asked, terminal)?;
            return Ok((Self::Network(Box::new(network)), plan));
        }
        let loaded = model_of(&plan, asked, global, terminal)?;
        let name = game_of(&loaded, folder, &plan)?.name().to_owned();
        let game = MutatedGame {
            loaded,
            name,
            seen: None,
        };
        Ok((Self::Game(Box::new(game)), plan))
    }

    /// The same, with atomic propositions that refinement compares.
    pub fn with_seen_propositions(mut self) -> Result<Self> {
        match &mut self {
            Self::Game(of) => of.seen = Some(seen(of.game()?, of.game()?)?),
            Self::Network(_) => bail!(UNSEEN),
        }
        Ok(self)
    }

    /// The reference to the model in a manifest.
    pub fn model(&self) -> Result<ModelRef> {
        Ok(match self {
            Self::Game(of) => of.loaded.model_ref(of.game()?),
            Self::Network(of) => of.model.clone(),
        })
    }

    /// The reference to the model in a suite.
    pub fn specification(&self) -> Result<SuiteSpecification> {
        Ok(match self {
            Self::Game(of) => of.loaded.specification(of.game()?),
            Self::Network(of) => of.specification(),
        })
    }

    /// The plan under the typed options: guidelines in use, no witnesses.
    pub fn plan(&self, space: &SpaceArgs, semantics: &SemanticsArgs, limits: &LimitArgs) -> Result<Plan> {
        let (input_enabled, sees_propositions) = match self {
            Self::Game(of) => (of.game()?.is_input_enabled(), of.game()?.sees_propositions()),
            Self::Network(_) => (false, false),
        };
        Ok(Plan {
            model: self.model()?,
            input_enabled,
            sees_propositions,
            order: space.of.order,
            mutation: self.options(&space.mutation),
            semantics: semantics.resolve(),
            statics: StaticUse::Use,
            guidelines: GuidelineSet::Published,
            sample: space.drawn.sample,
            seed: space.drawn.sample.map(|_| space.drawn.seed),
            shard: None,
            limits: limits.resolve(),
            witness: false,
        })
    }

    /// The mutation options. For a network, operators without a meaning for its processes are left out.
    pub fn options(&self, args: &MutationArgs) -> MutationOptions {
        match self {
            Self::Game(_) => args.resolve(),
            Self::Network(of) => of.options(args),
        }
    }

    /// The same; without named operators, all operators that have a meaning for the model.
    pub fn options_or_all(&self, args: &MutationArgs) -> MutationOptions {
        let mut options = self.options(args);
        if args.operators.is_empty() {
            options.operators = Operator::ALL.to_vec();
            if let Self::Network(of) = self {
                options.operators.retain(|operator| of.takes(*operator));
            }
        }
        options
    }

    /// The mutants of the model under `plan`.
    pub fn mutants(&self, plan: &Plan) -> Result<Box<dyn MutantSet + '_>> {
        self.set(&plan.mutation, plan.order)
    }

    /// The mutants of the model of this order.
    pub fn set(&self, options: &MutationOptions, order: Order) -> Result<Box<dyn MutantSet + '_>> {
        Ok(match self {
            Self::Game(of) => Box::new(MutantSpace::new(of.game()?, options, order)?),
            Self::Network(of) => Box::new(of.mutants(options, order)?),
        })
    }

    /// The game that is mutated; for a network, its composition.
    pub fn automaton(&self, timer: &Timer) -> Result<Automaton> {
        Ok(match self {
            Self::Game(of) => of.game()?.clone(),
            Self::Network(of) => of.composition(timer)?.composed.automaton,
        })
    }

    /// The manifest of a run on `n_selected` of the `n_mutants` mutants.
    pub fn manifest(&self, plan: &Plan, n_mutants: u64, n_selected: u64) -> Manifest {
        let manifest = Manifest::new(plan, n_mutants, n_selected);
        match self {
            Self::Game(_) => manifest,
            Self::Network(of) => manifest.with_network(of.scope()),
        }
    }

    /// The tester of the model.
    pub fn tester(&self, timer: &Timer) -> Result<Tester> {
        self.tester_by(Tester::new, timer)
    }

    /// The tester of the model for tests that are made while a program runs; it accepts models with choices.
    pub fn follower(&self, timer: &Timer) -> Result<Tester> {
        self.tester_by(Tester::with_choices, timer)
    }

    fn tester_by(&self, make: MakeTester, timer: &Timer) -> Result<Tester> {
        match self {
            Self::Game(of) => tester((of.loaded.name(), of.game()?), make, timer),
            Self::Network(of) => {
                let composition = of.composition(timer)?;
                composition.origin().comparable()?;
                tester((&of.model.file, &composition.composed.automaton), make, timer)
            }
        }
    }

    /// A page for the mutants of the model, without any yet.
    #[cfg(feature = "drawing")]
    pub fn page(&self) -> Result<RunPage> {
        Ok(match self {
            Self::Game(of) => RunPage::new(of.game()?),
            Self::Network(of) => RunPage::of_processes(of.skeletons()),
        })
    }

    /// The scenes that the page draws.
    #[cfg(feature = "drawing")]
    pub fn scenes(&self) -> Result<Vec<Scene>> {
        Ok(match self {
            Self::Game(of) => vec![Scene::of(of.game()?, &of.loaded.placement(of.game()?), &[])],
            Self::Network(of) => of.scenes(),
        })
    }
}

#[cfg(feature = "drawing")]
impl Mutated {
    /// A mutant, drawn with its changes.
    pub fn scene(&self, mutant: &Numbered) -> Result<Scene> {
        Ok(match self {
            Self::Game(of) => Scene::of(of.game()?, &of.loaded.placement(of.game()?), &mutant.mutations),
            Self::Network(of) => of.scene(mutant.component(), &mutant.of_component())?,
        })
    }
}

impl MutatedNetwork {
    /// The mutation options. A set of operators stands for its members that have a meaning here; an operator that is named alone stays, so
    /// that it is refused with its reason.
    pub fn options(&self, args: &MutationArgs) -> MutationOptions {
        let mut options = args.resolve();
        let is_named = |operator| args.operators.iter().any(|set| set.0 == [operator]);
        options
            .operators
            .retain(|operator| self.takes(*operator) || is_named(*operator));
        options
    }

    /// Whether an operator has a meaning for every mutated component.
    pub fn takes(&self, operator: Operator) -> bool {
        self.components
            .iter()
            .all(|component| component.takes(operator).is_ok())
    }
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
    asked: &Asked<'_>,
    network: &NetworkArgs,
    suite: Option<&SuiteSpecification>,
    global: &GlobalArgs,
    terminal: &Terminal,
) -> Result<Unnamed> {
    let of_suite = suite.and_then(|suite| suite.network.as_ref());
    if let Some(scope) = of_suite.filter(|scope| !scope.mutated.is_empty()) {
        let mutated = MutatedNetwork::of_scope(asked.file, network, scope, terminal)?;
        return Ok(Unnamed::Processes(Box::new(mutated)));
    }
    if network.network || !may_be_network(asked.file) {
        return Ok(Unnamed::Either);
    }
    if !network.is_asked()
        && let Ok(read) = read_model(asked.file, &global.read_options())
    {
        let is_of_suite = |suite: &SuiteSpecification| read.document.find(&suite.template).is_some();
        let is_single = read.document.automata().len() == 1 && !read.document.is_product();
        if is_single || suite.is_some_and(is_of_suite) {
            return Ok(Unnamed::Game(Box::new(Loaded::shown(asked.file, read, terminal))));
        }
    }
    // Open games are no processes, and a process without others is mutated as the one game that it is.
    let read = read_network_file(asked.file).ok();
    if let Some((file, ..)) = &read
        && file.has_roles
        && !network.is_asked()
        && file.network.processes.len() > 1
    {
        terminal.note(&format!(
            "{}: edges that are `controllable` or not make games (--mutate all: mutants of its {}, composed)",
            asked.file.display(),
            counted(file.network.processes.len(), "process")
        ));
    }
    let read = read.filter(|(file, ..)| network.is_asked() || (!file.has_roles && file.network.processes.len() > 1));
    let Some(read) = read else { return Ok(Unnamed::Either) };
    let mutated = MutatedNetwork::of_all(asked.file, read, network, terminal)?;
    terminal.note(&format!(
        "{}: {}, composed; each mutation changes one of them, as --mutate {} asks for (--template NAME: one game \
         by itself; --network: mutants of the composition)",
        asked.file.display(),
        counted(mutated.file.network.processes.len(), "process"),
        mutated.names()
    ));
    Ok(Unnamed::Processes(Box::new(mutated)))
}

type MakeTester = fn(&Automaton, &Budget) -> Result<Tester, SuiteFailure>;

/// The tester of a game in a file.
fn tester((file, game): (&str, &Automaton), make: MakeTester, timer: &Timer) -> Result<Tester> {
    match make(game, &timer.budget()) {
        Ok(tester) => Ok(tester),
        Err(SuiteFailure::Stopped(reason)) => {
            let name = game.name();
            Err(LimitHit(format!("the limits are too small for `{name}` itself: {reason}")).into())
        }
        Err(error) => {
            let why = format!("{file}: no tests can be made for `{}`", game.name());
            Err(anyhow::Error::new(error).context(why))
        }
    }
}
