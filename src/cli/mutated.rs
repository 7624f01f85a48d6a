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
    /// Its file.
    pub loaded: Loaded,
    /// Its name there.
    pub name: String,
    /// The game with its atomic propositions seen, if that is asked for.
    seen: Option<Automaton>,
}

/// What was typed about a model.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// Its file.
    pub file: &'a Path,
    /// The game of the file.
    pub template: Option<&'a str>,
    /// Which processes are mutated.
    pub mutate: &'a MutateArgs,
    /// How processes become one game.
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

/// `game` as it is compared with `other` where propositions are seen.
pub fn seen(game: &Automaton, other: &Automaton) -> Result<Automaton> {
    match game.is_atomic() {
        true => bail!(UNSEEN),
        false => Ok(game.with_seen_propositions(other)),
    }
}

impl Mutated {
    /// Reads what was typed; without a name, the game is the one that `suite` is for.
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

    /// Reads what the whole run in `folder` is about, with its plan; `asked.file` may have moved, and how a network is looked
    /// at is the run's unless it was typed.
    pub fn of_run(folder: &Path, asked: OfRun<'_>, global: &GlobalArgs, terminal: &Terminal) -> Result<(Self, Plan)> {
        let manifest = Manifest::read(folder)?;
        refuse_share(&manifest, folder)?;
        Self::of_manifest(&manifest, folder, asked, global, terminal)
    }

    /// The same of a run with this manifest, of which `folder` may be a share.
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

    /// The same, whose atomic propositions refinement looks at.
    pub fn with_seen_propositions(mut self) -> Result<Self> {
        match &mut self {
            Self::Game(of) => of.seen = Some(seen(of.game()?, of.game()?)?),
            Self::Network(_) => bail!(UNSEEN),
        }
        Ok(self)
    }

    /// How manifests and suites name it.
    pub fn model(&self) -> Result<ModelRef> {
        Ok(match self {
            Self::Game(of) => of.loaded.model_ref(of.game()?),
            Self::Network(of) => of.model.clone(),
        })
    }

    /// How a suite names it.
    pub fn specification(&self) -> Result<SuiteSpecification> {
        Ok(match self {
            Self::Game(of) => of.loaded.specification(of.game()?),
            Self::Network(of) => of.specification(),
        })
    }

    /// The plan that was typed: guidelines in use, no witnesses.
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

    /// What the operators may do, of a network those of them that have a meaning for its processes.
    pub fn options(&self, args: &MutationArgs) -> MutationOptions {
        match self {
            Self::Game(_) => args.resolve(),
            Self::Network(of) => of.options(args),
        }
    }

    /// The same, with all operators that have a meaning for it where none is named.
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

    /// Its mutants.
    pub fn mutants(&self, plan: &Plan) -> Result<Box<dyn MutantSet + '_>> {
        self.set(&plan.mutation, plan.order)
    }

    /// Its mutants of this order.
    pub fn set(&self, options: &MutationOptions, order: Order) -> Result<Box<dyn MutantSet + '_>> {
        Ok(match self {
            Self::Game(of) => Box::new(MutantSpace::new(of.game()?, options, order)?),
            Self::Network(of) => Box::new(of.mutants(options, order)?),
        })
    }

    /// The game that is mutated: of a network its composition.
    pub fn automaton(&self, timer: &Timer) -> Result<Automaton> {
        Ok(match self {
            Self::Game(of) => of.game()?.clone(),
            Self::Network(of) => of.composition(timer)?.composed.automaton,
        })
    }

    /// The manifest of a run on that many of its mutants.
    pub fn manifest(&self, plan: &Plan, n_mutants: u64, n_selected: u64) -> Manifest {
        let manifest = Manifest::new(plan, n_mutants, n_selected);
        match self {
            Self::Game(_) => manifest,
            Self::Network(of) => manifest.with_network(of.scope()),
        }
    }

    /// Who tests it.
    pub fn tester(&self, timer: &Timer) -> Result<Tester> {
        self.tester_by(Tester::new, timer)
    }

    /// Who tests it while a program runs, whatever choices it has.
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

    /// An empty page of its mutants.
    #[cfg(feature = "drawing")]
    pub fn page(&self) -> Result<RunPage> {
        Ok(match self {
            Self::Game(of) => RunPage::new(of.game()?),
            Self::Network(of) => RunPage::of_processes(of.skeletons()),
        })
    }

    /// What the page draws.
    #[cfg(feature = "drawing")]
    pub fn scenes(&self) -> Result<Vec<Scene>> {
        Ok(match self {
            Self::Game(of) => vec![Scene::of(of.game()?, &of.loaded.placement(of.game()?), &[])],
            Self::Network(of) => of.scenes(),
        })
    }
}

impl MutatedNetwork {
    /// What the operators may do. A set of operators means those of its members that have a meaning here; one that is named
    /// by itself stays, so that it is refused with its reason.
    pub fn options(&self, args: &MutationArgs) -> MutationOptions {
        let mut options = args.resolve();
        let is_named = |operator| args.operators.iter().any(|set| set.0 == [operator]);
        options
            .operators
            .retain(|operator| self.takes(*operator) || is_named(*operator));
        options
    }

    /// Whether an operator has a meaning for all that is mutated.
    pub fn takes(&self, operator: Operator) -> bool {
        self.components
            .iter()
            .all(|component| component.takes(operator).is_ok())
    }
}

/// What is mutated where neither a game nor processes were named.
enum Unnamed {
    /// These processes.
    Processes(Box<MutatedNetwork>),
    /// A game by itself, which was read.
    Game(Box<Loaded>),
    /// What the file is: it tells what is wrong with it, and which names there are.
    Either,
}

/// The processes that the suite is about; else all of a file that runs several, or one that is no game by itself, unless
/// mutants of the composition are asked for.
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
