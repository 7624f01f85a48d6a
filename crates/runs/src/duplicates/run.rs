//! The classes of a finished run's mutants.

use super::classes::{Classes, duplicate_classes};
use crate::CsvTable;
use crate::error::{ErrorContext as _, ExperimentError, Result};
use crate::{Filter, Kept, MutantSet, Sink, Source, Timer, Verdict, walk};
use tamper_game::{self as game, Semantics};
use tamper_timed::model::Automaton;

/// Largest number of mutants held in memory.
const MOST: usize = 100_000;

/// The mutants of a run that have a verdict, and their classes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunClasses {
    /// The mutants' ids, in the run's order.
    pub ids: Vec<String>,
    /// Their verdicts.
    pub verdicts: Vec<Verdict>,
    /// Their classes.
    pub classes: Classes,
}

impl RunClasses {
    /// Number of classes of non-subsumed mutants; each of them is worth a test.
    pub fn n_worth_a_test(&self) -> usize {
        let firsts = (0..).zip(&self.classes.first).filter(|(at, first)| at == *first);
        firsts
            .filter(|(at, _)| self.verdicts[*at] == Verdict::NonSubsumed)
            .count()
    }

    /// The table `id,verdict,class`, in which a class is named by the id of its first mutant.
    ///
    /// # Errors
    /// None in practice, as the table is written to memory.
    pub fn to_csv(&self) -> Result<Vec<u8>> {
        let mut table = CsvTable::new(Vec::new());
        table.row(["id", "verdict", "class"])?;
        for ((id, verdict), first) in self.ids.iter().zip(&self.verdicts).zip(&self.classes.first) {
            table.row([id.as_str(), verdict.name(), self.ids[*first].as_str()])?;
        }
        Ok(table.finish()?)
    }
}

/// The classes of the mutants of `base` in `source`; mutants without a verdict are left out.
///
/// # Errors
/// If the run is not finished, has more mutants than can be held in memory, or one of them is no game within the limits
/// of `timer`.
pub fn classes_of_run(
    (base, semantics): (&Automaton, Semantics),
    source: Source<'_>,
    timer: &Timer,
    progress: &mut dyn FnMut(u64),
) -> Result<RunClasses> {
    let mut held = Held {
        set: source.set,
        timer,
        ids: Vec::new(),
        verdicts: Vec::new(),
        mutants: Vec::new(),
    };
    let everything = Source {
        filter: &Filter::all(),
        shard: None,
        ..source
    };
    walk(everything, &mut held, progress)?;
    let classes = duplicate_classes(base, &held.mutants, semantics)?;
    Ok(RunClasses {
        ids: held.ids,
        verdicts: held.verdicts,
        classes,
    })
}

struct Held<'h> {
    set: &'h dyn MutantSet,
    timer: &'h Timer,
    ids: Vec<String>,
    verdicts: Vec<Verdict>,
    mutants: Vec<(Automaton, game::Verdict)>,
}

impl Sink for Held<'_> {
    fn take(&mut self, kept: Vec<Kept>) -> Result<()> {
        for one in kept {
            let verdict = match one.record.verdict {
                Verdict::NonSubsumed => game::Verdict::NonSubsumed,
                Verdict::Subsumed => game::Verdict::Subsumed,
                Verdict::Inconsistent => game::Verdict::Inconsistent,
                Verdict::SubsumedOrInconsistent | Verdict::Unknown | Verdict::Invalid => continue,
            };
            if self.mutants.len() == MOST {
                let why = format!("--duplicates holds at most {MOST} mutants at once: draw a sample (--sample)");
                return Err(ExperimentError::Refused(why));
            }
            let game = self.set.game(&one.mutant, self.timer);
            let game = game.doing(|| format!("{} cannot be compared with others", one.record.id))?;
            self.mutants.push((game, verdict));
            self.verdicts.push(one.record.verdict);
            self.ids.push(one.record.id);
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}
