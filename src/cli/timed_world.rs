//! Mutants of a timed game, or of processes of a network: numbered, selected, ready to be decided.

use std::sync::Arc;

use anyhow::{Result, bail};

use super::mutated::Mutated;
use super::network_args::MutatedNetwork;
use super::terminal::Terminal;
use tamper::experiment::{
    Driver, Engine, ExperimentError, GuidelineSet, MutantSet, NetworkJudge, NetworkMutants, NetworkRun,
    NetworkSettings, Plan, Prepared, Run, Selection, StaticUse, Summary, Timer, VerificationSample, Verified, World,
    verify,
};
use tamper::guidelines;
use tamper::model::Automaton;

/// The mutants of a plan, and their judge.
pub struct TimedWorld<'m> {
    plan: &'m Plan,
    kind: Kind<'m>,
}

enum Kind<'m> {
    Game(Box<Game<'m>>),
    Network(Box<Network<'m>>),
}

struct Game<'m> {
    game: &'m Automaton,
    prepared: Prepared,
}

struct Network<'m> {
    mutated: &'m MutatedNetwork,
    mutants: NetworkMutants<'m>,
    selection: Selection,
    judge: NetworkJudge<'m>,
}

impl<'m> TimedWorld<'m> {
    /// The mutants of `mutated` under `plan`.
    pub fn new(
        mutated: &'m Mutated,
        plan: &'m Plan,
        engine: Engine,
        timer: Timer,
        terminal: &Terminal,
    ) -> Result<Self> {
        let kind = match mutated {
            Mutated::Game(of) => {
                let game = of.game()?;
                let Prepared {
                    space,
                    selection,
                    judge,
                } = Prepared::new(game, plan, timer)?;
                let prepared = Prepared {
                    judge: judge.with_engine(engine),
                    space,
                    selection,
                };
                Kind::Game(Box::new(Game { game, prepared }))
            }
            Mutated::Network(of) => Kind::Network(Box::new(Network::new(of, plan, engine, timer, terminal)?)),
        };
        Ok(Self { plan, kind })
    }

    /// All mutants.
    pub fn set(&self) -> &dyn MutantSet {
        match &self.kind {
            Kind::Game(of) => &of.prepared.space,
            Kind::Network(of) => &of.mutants,
        }
    }

    /// The selected mutants.
    pub fn selection(&self) -> &Selection {
        match &self.kind {
            Kind::Game(of) => &of.prepared.selection,
            Kind::Network(of) => &of.selection,
        }
    }

    /// The engine in use; limits may have chosen another one than was asked for.
    pub fn engine(&self) -> Option<Engine> {
        match &self.kind {
            Kind::Game(of) => Some(of.prepared.judge.engine()),
            Kind::Network(_) => None,
        }
    }

    /// The game that mutants are compared with; for a network, its composition.
    pub fn specification(&self) -> &Automaton {
        match &self.kind {
            Kind::Game(of) => of.game,
            Kind::Network(of) => of.judge.original(),
        }
    }

    /// The mutants of a single game.
    pub fn of_game(&self) -> Option<Run<'_>> {
        match &self.kind {
            Kind::Game(of) => Some(of.run()),
            Kind::Network(_) => None,
        }
    }

    /// Decides the mutants of `draw` again, each separately.
    pub fn verify(&self, draw: VerificationSample) -> Result<Verified> {
        Ok(match &self.kind {
            Kind::Game(of) => verify(&of.run(), draw)?,
            Kind::Network(of) => {
                let plain = of.judge_plainly(self.plan)?;
                verify(&of.run(&plain, self.plan), draw)?
            }
        })
    }
}

impl World for &TimedWorld<'_> {
    type Counts = Summary;

    fn drive(&self, driver: Driver<'_>) -> Result<Summary, ExperimentError> {
        match &self.kind {
            Kind::Game(of) => of.run().drive(driver),
            Kind::Network(of) => of.run(&of.judge, self.plan).drive(driver),
        }
    }
}

impl Game<'_> {
    fn run(&self) -> Run<'_> {
        Run {
            space: &self.prepared.space,
            selection: &self.prepared.selection,
            judge: &self.prepared.judge,
            rules: &guidelines::violated,
        }
    }
}

impl<'m> Network<'m> {
    fn new(
        mutated: &'m MutatedNetwork,
        plan: &Plan,
        engine: Engine,
        timer: Timer,
        terminal: &Terminal,
    ) -> Result<Self> {
        if plan.guidelines == GuidelineSet::Extended {
            bail!("--guidelines extended: these rules are proved for single games, not for processes of a network");
        }
        let mutants = mutated.mutants(&plan.mutation, plan.order)?;
        let settings = NetworkSettings {
            semantics: plan.semantics,
            statics: plan.statics,
            witness: plan.witness,
            engine,
        };
        let counting = terminal.counting("composing the original");
        Ok(Self {
            selection: mutants
                .selection(plan.sample, plan.seed.unwrap_or_default())?
                .share(plan.shard),
            judge: mutated.judge(settings, timer.watched(Arc::clone(&counting.states)))?,
            mutated,
            mutants,
        })
    }

    fn run<'r>(&'r self, judge: &'r NetworkJudge<'r>, plan: &'r Plan) -> NetworkRun<'r> {
        NetworkRun {
            judge,
            mutants: &self.mutants,
            operators: &plan.mutation.operators,
            selection: &self.selection,
        }
    }

    /// A judge that knows no guideline, and composes each mutant separately.
    fn judge_plainly(&self, plan: &Plan) -> Result<NetworkJudge<'_>> {
        let settings = NetworkSettings {
            semantics: plan.semantics,
            statics: StaticUse::Off,
            witness: false,
            engine: Engine::Enumerate,
        };
        self.mutated.judge(settings, Timer::new(plan.limits))
    }
}
