//! One study at one order under one semantics: all mutants decided by the game, and recorded in a separate folder.

use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::Study;
use crate::experiment::error::{ExperimentError, FileAction, OfFile as _, OrMalformed as _, Result};
use crate::experiment::{
    GuidelineSet, Judge, Limits, Log, Manifest, OutputDir, Plan, Record, Rules, Run, Sample, Selection, StaticUse,
    Summary, Timer, classify,
};
use crate::formats::open_lines;
use crate::game::{Scratch, Semantics, Specification, Verdict};
use crate::model::Automaton;
use crate::mutation::{MutantSpace, MutationOptions, Order};

/// The setting of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Setting {
    /// The order of the mutants.
    pub order: Order,
    /// The meaning of refinement.
    pub semantics: Semantics,
    /// The sample, unless all mutants are decided.
    pub sample: Option<Sample>,
    /// The seed of the sample.
    pub seed: u64,
}

/// The folder for the records of runs, and the listener to their progress.
pub struct Workplace<'a> {
    /// The folder that has a folder for each run.
    pub folder: &'a Path,
    /// Whether existing runs are continued. (A run with other parameters is left untouched, and is an error.)
    pub resume: bool,
    /// The guidelines that are checked.
    pub rules: Rules<'a>,
    /// Called with the run's name, the number of decided mutants, and the number of all mutants.
    pub progress: &'a mut (dyn FnMut(&str, u64, u64) + Send),
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct StudyRun {
    /// The study.
    pub study: Study,
    /// The setting of the run.
    pub setting: Setting,
    /// The counts of the run.
    pub summary: Summary,
    /// The number of mutants (at order 2: sequences).
    pub n_mutants: u64,
    /// The selected mutants.
    pub selection: Selection,
    /// Wall time, without what an interrupted run had done before.
    pub took: Duration,
    folder: PathBuf,
}

impl StudyRun {
    /// The records, in the order of the selection.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn records(&self) -> Result<impl Iterator<Item = Result<Record>> + use<>> {
        let path = self.folder.join("mutants.jsonl");
        let file = open_lines(&path).cannot(FileAction::Read, &path)?;
        let record = move |line: std::io::Result<String>| -> Result<Record> {
            serde_json::from_str(&line?).or_malformed(|| format!("{} holds something else", path.display()))
        };
        Ok(file.lines().map(record))
    }
}

/// Decides the mutants of `study`. The guidelines decide nothing here: each violating mutant is a check of them.
///
/// # Errors
/// If a file cannot be written, or the run to be continued is another one.
pub fn run_study(study: Study, setting: Setting, place: &mut Workplace<'_>) -> Result<StudyRun> {
    let game = study.game()?;
    let space = MutantSpace::new(&game, &MutationOptions::default(), setting.order)?;
    let selection = Selection::of(&space, setting.sample, setting.seed)?;
    run_selection(study, setting, &space, selection, place)
}

/// The same for a given selection of the study's mutants.
pub(super) fn run_selection(
    study: Study,
    setting: Setting,
    space: &MutantSpace,
    selection: Selection,
    place: &mut Workplace<'_>,
) -> Result<StudyRun> {
    let started = Instant::now();
    let plan = plan(study, setting, space);
    let manifest = Manifest::new(&plan, space.len(), selection.len());
    let name = format!("{}-order{}-{}", study.folder, setting.order.number(), setting.semantics);
    let folder = place.folder.join(&name);
    let output = match place.resume && folder.exists() {
        true => OutputDir::resume(&folder, &manifest)?,
        false => OutputDir::create(&folder, &manifest)?,
    };
    let judge = judge(space.base(), setting.semantics)?;
    let run = Run {
        space,
        selection: &selection,
        judge: &judge,
        rules: place.rules,
    };
    let total = selection.len();
    let progress = &mut place.progress;
    let summary = classify(run, &mut Log::resume(&output)?, &mut |done| {
        progress(&name, done, total)
    })?;
    if summary.total().unknown + summary.total().invalid > 0 {
        let what = format!("{name}: not every mutant has a verdict; see {}", folder.display());
        return Err(ExperimentError::Unfinished(what));
    }
    Ok(StudyRun {
        study,
        setting,
        summary,
        n_mutants: space.len(),
        selection,
        took: started.elapsed(),
        folder,
    })
}

fn plan(study: Study, setting: Setting, space: &MutantSpace) -> Plan {
    Plan {
        model: study.model_ref(space.base()),
        input_enabled: space.base().is_input_enabled(),
        sees_propositions: false,
        order: setting.order,
        mutation: space.options().clone(),
        semantics: setting.semantics,
        statics: StaticUse::Off,
        guidelines: GuidelineSet::Published,
        sample: setting.sample,
        seed: setting.sample.map(|_| setting.seed),
        only: None,
        shard: None,
        limits: Limits::default(),
        witness: false,
    }
}

/// The judge of the mutants. The game is decided first: it must refine itself.
fn judge(game: &Automaton, semantics: Semantics) -> Result<Judge> {
    let timer = Timer::new(Limits::default());
    let specification = Specification::prepare(game, semantics, &timer.budget())?;
    let itself = specification.decide(game, &timer.budget(), &mut Scratch::default())?;
    if itself.verdict != Verdict::Subsumed {
        let what = format!("`{}` was not found to refine itself", game.name());
        return Err(ExperimentError::fault(what));
    }
    Ok(Judge::new(specification, StaticUse::Off, false, timer))
}

/// The run of all mutants of `study` in the published semantics.
pub fn complete_run(runs: &[StudyRun], study: Study, order: Order) -> Option<&StudyRun> {
    runs.iter().find(|run| {
        let setting = run.setting;
        run.study == study
            && setting.order == order
            && setting.semantics == Semantics::TIGA
            && run.selection.len() == run.n_mutants
    })
}
