//! Why `testgen` and `score` call other mutants killable than `classify` calls non-subsumed.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::Result;

use crate::cli::terminal::Terminal;
use crate::cli::testing::prune::classified;
use crate::cli::testing::suites::Bench;
use tamper::experiment::killing::{Account, AccountedMutant, KillGoal, Killability};
use tamper::experiment::{Plan, Timer, Verdict};
use tamper::game::{GameError, Semantics, Specification};
use tamper::suite::Refusals;

/// Number of mutants whose ids are made at once.
const CHUNK: u64 = 4096;

/// The account may take as long as the tests took, and so long in any case.
const LEAST: Duration = Duration::from_secs(10);

impl Bench {
    /// The account of the mutants with these ids and killabilities, for tests of this kind; `None` where `classify` has no
    /// verdicts, as the model itself is inconsistent, and where it failed, which is noted: the tests are none the worse.
    pub fn account(
        &self,
        killabilities: impl IntoIterator<Item = (String, Killability)>,
        wanted: (Refusals, KillGoal),
        terminal: &Terminal,
    ) -> Option<Account> {
        let timer = self.timer.at_most(self.began.elapsed().max(LEAST));
        let account = self.try_account(killabilities.into_iter().collect(), wanted, &timer, terminal);
        account.unwrap_or_else(|error| {
            let why = match (self.timer.is_over(), timer.is_over()) {
                (true, _) => "no time was left for that (--total-timeout)".to_owned(),
                (false, true) => {
                    "`tamper classify`, which tells it by itself, takes longer than the tests took".to_owned()
                }
                (false, false) => format!("{error:#}"),
            };
            terminal.note(&format!(
                "note: what `classify` says of these mutants is not known: {why}"
            ));
            None
        })
    }

    fn try_account(
        &self,
        killabilities: HashMap<String, Killability>,
        wanted: (Refusals, KillGoal),
        timer: &Timer,
        terminal: &Terminal,
    ) -> Result<Option<Account>> {
        let semantics = self.plan.semantics;
        match Specification::prepare(self.tester.automaton(), semantics, &timer.budget()) {
            Err(GameError::SpecInconsistent { .. }) => return Ok(None),
            prepared => drop(prepared?),
        }
        let (numbers, mutants) = self.accounted(&killabilities, timer, terminal)?;
        let by_pruning = |(_, (mutant, _)): &(usize, (&AccountedMutant, &u64))| {
            mutant.is_open() && matches!(mutant.killability, Killability::Killable | Killability::NotKillable)
        };
        let open = mutants.iter().zip(&numbers).enumerate().filter(by_pruning);
        let open: Vec<(usize, u64)> = open.map(|(at, (_, number))| (at, *number)).collect();
        let plan = Plan {
            semantics: Semantics::DEFINITION,
            only: Some(open.iter().map(|(_, number)| *number).collect()),
            witness: false,
            ..self.plan.clone()
        };
        let said = match open.is_empty() {
            true => Vec::new(),
            false => classified(&*self.mutated, &plan, timer, terminal)?,
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
        killabilities: &HashMap<String, Killability>,
        timer: &Timer,
        terminal: &Terminal,
    ) -> Result<(Vec<u64>, Vec<AccountedMutant>)> {
        let set = self.mutated.mutants(&self.plan)?;
        let selection = set.selection(self.plan.sample, self.plan.seed.unwrap_or_default())?;
        let selection = self.plan.asked(selection);
        let (mut numbers, mut known) = (Vec::new(), Vec::new());
        for first in (0..selection.len()).step_by(CHUNK as usize) {
            for mutant in set.mutants(&selection.slice(first..first + CHUNK))? {
                if let Some(killability) = killabilities.get(&mutant.id) {
                    numbers.push(mutant.number);
                    known.push(*killability);
                }
            }
        }
        let plan = Plan {
            only: Some(numbers.clone()),
            witness: false,
            ..self.plan.clone()
        };
        let said = match self.is_of_run {
            true => None,
            false => Some(classified(&*self.mutated, &plan, timer, terminal)?),
        };
        let verdict = |at: usize| match &said {
            None => Verdict::NonSubsumed,
            Some(said) => said.get(at).map_or(Verdict::Unknown, |note| note.verdict),
        };
        let mutants = known.into_iter().enumerate().map(|(at, killability)| AccountedMutant {
            verdict: verdict(at),
            killability,
        });
        Ok((numbers, mutants.collect()))
    }
}
