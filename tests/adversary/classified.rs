//! What `classify` writes about a game, by the way the command takes.

use std::fs;

use tamper::experiment::{
    Engine, ExperimentError, GuidelineSet, Judge, Limits, Log, Manifest, ModelRef, OutputDir, Plan, Record, Run,
    Sample, Selection, StaticUse, Summary, Timer, classify,
};
use tamper::game::{GameError, Semantics, Specification};
use tamper::guidelines;
use tamper::model::Automaton;
use tamper::mutation::{MutantSpace, MutationOptions, Order};

use tamper::text::Budget;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question {
    pub order: u8,
    pub options: MutationOptions,
    pub semantics: Semantics,
    /// At most that many mutants, drawn by a seed.
    pub most: u64,
    pub seed: u64,
}

/// How it is answered.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    pub engine: Engine,
    pub guidelines: GuidelineSet,
    pub statics: StaticUse,
}

/// The ways that give a verdict.
pub const MANNERS: [Manner; 5] = [
    manner(Engine::Family, GuidelineSet::Published, StaticUse::Use),
    manner(Engine::Enumerate, GuidelineSet::Published, StaticUse::Off),
    manner(Engine::Family, GuidelineSet::Extended, StaticUse::Use),
    manner(Engine::Enumerate, GuidelineSet::Extended, StaticUse::Use),
    manner(Engine::Family, GuidelineSet::Published, StaticUse::Off),
];

/// The guidelines alone.
pub const RULES_ONLY: Manner = manner(Engine::Family, GuidelineSet::Published, StaticUse::Only);

const fn manner(engine: Engine, guidelines: GuidelineSet, statics: StaticUse) -> Manner {
    Manner {
        engine,
        guidelines,
        statics,
    }
}

impl Question {
    fn plan(&self, game: &Automaton, manner: Manner) -> Plan {
        Plan {
            model: ModelRef {
                file: "game".to_owned(),
                template: game.name().to_owned(),
                hash: String::new(),
            },
            input_enabled: game.is_input_enabled(),
            sees_propositions: game.sees_propositions(),
            order: Order::new(self.order).expect("an order"),
            mutation: self.options.clone(),
            semantics: self.semantics,
            statics: manner.statics,
            guidelines: manner.guidelines,
            sample: Some(Sample::Count(self.most)),
            seed: Some(self.seed),
            only: None,
            shard: None,
            limits: Limits::default(),
            witness: false,
        }
    }

    /// The mutants, and the numbers of those that are looked at.
    pub fn mutants(&self, game: &Automaton) -> Result<(MutantSpace, Selection), String> {
        let order = Order::new(self.order).expect("an order");
        let space = MutantSpace::new(game, &self.options, order).map_err(|error| error.to_string())?;
        let sample = (space.len() > self.most).then_some(Sample::Count(self.most));
        let selection = Selection::of(&space, sample, self.seed).map_err(|error| format!("{error:?}"))?;
        Ok((space, selection))
    }

    /// The records, in order, and what they count; none where the specification is inconsistent. With `resumed` half of
    /// the records are kept from a run before.
    pub fn answer(
        &self,
        game: &Automaton,
        (space, selection): (&MutantSpace, &Selection),
        (manner, resumed): (Manner, bool),
    ) -> Result<Option<(Vec<Record>, Summary)>, String> {
        let timer = || Timer::new(Limits::default());
        let judge = if manner.statics == StaticUse::Only {
            Judge::by_rules_only(self.semantics.prune, timer()).with_lemmas(game, self.semantics)
        } else {
            match Specification::prepare(game, self.semantics, &Budget::unlimited()) {
                Ok(specification) => Judge::new(specification, manner.statics, false, timer()),
                Err(GameError::SpecInconsistent { .. }) => return Ok(None),
                Err(error) => return Err(error.to_string()),
            }
        };
        let judge = judge.with_guidelines(manner.guidelines).with_engine(manner.engine);
        let run = Run {
            space,
            selection,
            judge: &judge,
            rules: &guidelines::violated,
        };
        let text = |error: ExperimentError| format!("{error:#}");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        let manifest = Manifest::new(&self.plan(game, manner), space.len(), selection.len());
        let output = OutputDir::create(&path, &manifest).map_err(text)?;
        let once = || classify(run, &mut Log::resume(&output)?, &mut |_| ());
        let records = path.join("mutants.jsonl");
        let mut summary = once().map_err(text)?;
        if resumed {
            let whole = fs::read_to_string(&records).expect("records");
            let n_lines = whole.lines().count();
            let half: String = whole.split_inclusive('\n').take(n_lines / 2).collect();
            fs::write(&records, half).expect("a file");
            summary = once().map_err(text)?;
            if fs::read_to_string(&records).expect("records") != whole {
                return Err("a resumed run writes other records".to_owned());
            }
        }
        let written = fs::read_to_string(&records).expect("records");
        let read = written
            .lines()
            .map(|line| serde_json::from_str(line).expect("a record"));
        Ok(Some((read.collect(), summary)))
    }
}
