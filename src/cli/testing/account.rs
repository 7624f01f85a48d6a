//! Why `testgen` and `score` call other mutants killable than `classify` calls non-subsumed.

use std::collections::HashMap;

use anyhow::Result;

use crate::cli::games::run_folder::decide;
use crate::cli::models::mutated::MutatedModel;
use crate::cli::terminal::Terminal;
use crate::cli::testing::suites::Bench;
use tamper::experiment::killing::{Account, AccountedMutant, KillGoal, Killability};
use tamper::experiment::{Engine, Log, MutantNote, Plan, Timer, Verdict};
use tamper::game::{Semantics, Specification};
use tamper::suite::Refusals;

/// Number of mutants whose ids are made at once.
const CHUNK: u64 = 4096;

/// What `classify` says of the mutants of `plan`, in order; of fewer, if the time is over.
pub fn classified(
    model: &dyn MutatedModel,
    plan: &Plan,
    timer: &Timer,
    terminal: &Terminal,
) -> Result<Vec<MutantNote>> {
    let world = model.world(plan, Engine::Family, timer.another(), terminal)?;
    let n_selected = world.selection().len();
    let mut log = Log::remembering();
    decide(&*world, &mut log, n_selected, terminal)?;
    Ok(log.into_said())
}

impl Bench {
    /// The account of the mutants with these ids and killabilities, for tests of this kind; `None` where `classify` has no
    /// verdicts, as the model itself is inconsistent.
    pub fn account(
        &self,
        killabilities: impl IntoIterator<Item = (String, Killability)>,
        wanted: (Refusals, KillGoal),
        terminal: &Terminal,
    ) -> Result<Option<Account>> {
        let semantics = self.plan.semantics;
        if Specification::prepare(self.tester.automaton(), semantics, &self.timer.budget()).is_err() {
            return Ok(None);
        }
        let (numbers, mutants) = self.accounted(killabilities.into_iter().collect(), terminal)?;
        let by_pruning = |(_, (mutant, _)): &(usize, (&AccountedMutant, &u64))| {
            mutant.is_open() && matches!(mutant.killability, Killability::Killable | Killability::NotKillable)
        };
        let open = mutants.iter().zip(&numbers).enumerate().filter(by_pruning);
        let open: Vec<(usize, u64)> = open.map(|(at, (_, number))| (at, *number)).collect();
        let plan = Plan {
            semantics: Semantics::DEFINITION,
            only: Some(open.iter().map(|(_, number)| *number).collect()),
            ..self.plan.clone()
        };
        let said = match open.is_empty() {
            true => Vec::new(),
            false => classified(&*self.mutated, &plan, &self.timer, terminal)?,
        };
        let unpruned: HashMap<usize, Verdict> = open
            .iter()
            .zip(&said)
            .map(|((at, _), said)| (*at, said.verdict))
            .collect();
        let unpruned = |at: usize| unpruned.get(&at).copied().unwrap_or(Verdict::Unknown);
        Ok(Some(Account::of(semantics, &mutants, unpruned, wanted)))
    }

    /// The numbers of these mutants, and what `classify` says of them.
    fn accounted(
        &self,
        killabilities: HashMap<String, Killability>,
        terminal: &Terminal,
    ) -> Result<(Vec<u64>, Vec<AccountedMutant>)> {
        let set = self.mutated.mutants(&self.plan)?;
        let selection = set.selection(self.plan.sample, self.plan.seed.unwrap_or_default())?;
        let selection = self.plan.asked(selection);
        let said = match self.is_of_run {
            true => None,
            false => Some(classified(&*self.mutated, &self.plan, &self.timer, terminal)?),
        };
        let verdict = |position: u64| match &said {
            None => Verdict::NonSubsumed,
            Some(said) => {
                let note = usize::try_from(position).ok().and_then(|at| said.get(at));
                note.map_or(Verdict::Unknown, |note| note.verdict)
            }
        };
        let (mut numbers, mut mutants) = (Vec::new(), Vec::new());
        for first in (0..selection.len()).step_by(CHUNK as usize) {
            for (position, mutant) in (first..).zip(set.mutants(&selection.slice(first..first + CHUNK))?) {
                if let Some(killability) = killabilities.get(&mutant.id) {
                    numbers.push(mutant.number);
                    mutants.push(AccountedMutant {
                        verdict: verdict(position),
                        killability: *killability,
                    });
                }
            }
        }
        Ok((numbers, mutants))
    }
}
