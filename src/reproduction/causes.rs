//! The causes why a mutant that no guideline names is bad for the published tool: four readings of refinement side by side.
//!
//! The published experiments ignored unmatched outputs and pruned both games (\[003\] section 5.4.1 suspects "false positives"). A bad
//! mutant is decided again with unmatched outputs rejected, without pruning, and with neither (Definition 7). The cause is the one of the
//! two that makes it bad.

use super::run::run_selection;
use super::{Setting, Study, StudyRun, Workplace};
use crate::experiment::error::{ExperimentError, Result};
use crate::experiment::{Record, Selection, Verdict};
use crate::game::{Semantics, Unmatched};
use crate::mutation::{MutantSpace, MutationOptions, Operator};

crate::text::named! {
    /// The cause that makes a mutant bad.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Cause {
        /// It refines by Definition 7 as well: what it changes is never used, or only takes outputs and delays away.
        Definition = "bad by Definition 7",
        /// An output that the specification does not know is ignored; rejected, it would tell the two apart.
        IgnoredOutput = "ignored output",
        /// States without independent progress are pruned; unpruned, they would tell the two apart.
        Pruned = "pruned for independent progress",
        /// Either of the two alone suffices.
        Either = "either of the two",
        /// It takes both together.
        Both = "both together",
    }
}

impl Cause {
    /// The cause, from the readings under which the mutant is still bad: with neither, with ignoring alone, with pruning alone.
    fn of(neither: bool, ignoring: bool, pruning: bool) -> Self {
        match (neither, ignoring, pruning) {
            (true, _, _) => Self::Definition,
            (false, true, false) => Self::IgnoredOutput,
            (false, false, true) => Self::Pruned,
            (false, true, true) => Self::Either,
            (false, false, false) => Self::Both,
        }
    }
}

/// A bad mutant that no guideline names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnosed {
    /// The id of the mutant.
    pub id: String,
    /// Its verdict in the published semantics.
    pub verdict: Verdict,
    /// The cause that makes it bad there.
    pub cause: Cause,
}

/// The causes of one study at one order.
#[derive(Clone, Debug)]
pub struct StudyCauses {
    /// The study.
    pub study: Study,
    /// Order and sample (the semantics is the published one).
    pub setting: Setting,
    /// The number of mutants with each cause, in the order of [`Cause::ALL`], by the operator of the first mutation.
    pub counts: Vec<(Operator, [u64; 5])>,
    /// The mutants, at order 1 only.
    pub mutants: Vec<Diagnosed>,
}

impl StudyCauses {
    /// The number of mutants with `cause`.
    pub fn count(&self, cause: Cause) -> u64 {
        self.counts.iter().map(|(_, counts)| counts[cause as usize]).sum()
    }
}

/// Ignoring without pruning, the only one of the four readings without a name.
const IGNORE_ONLY: Semantics = Semantics {
    unmatched: Unmatched::Ignore,
    prune: false,
};

/// Diagnoses the bad mutants that no guideline names, from the runs of a study in the published semantics and by Definition 7. Two more
/// runs decide the mutants that are not bad by Definition 7.
///
/// # Errors
/// If a run fails, or the two runs are not on the same mutants.
pub fn diagnose(tiga: &StudyRun, definition: &StudyRun, place: &mut Workplace<'_>) -> Result<StudyCauses> {
    let setting = tiga.setting;
    if setting.semantics != Semantics::TIGA || definition.setting.semantics != Semantics::DEFINITION {
        let why = "a diagnosis needs a run in the published semantics and one by Definition 7";
        return Err(ExperimentError::Refused(why.to_owned()));
    }
    let suspects = SuspectMutants::find(tiga, definition)?;
    let game = tiga.study.game()?;
    let space = MutantSpace::new(&game, &MutationOptions::default(), setting.order)?;
    let mut again = |semantics| -> Result<StudyRun> {
        let selection = Selection::Some(suspects.open.clone());
        run_selection(tiga.study, Setting { semantics, ..setting }, &space, selection, place)
    };
    let (ignoring, pruning) = (again(IGNORE_ONLY)?, again(Semantics::STRICT)?);
    let mut open = ignoring.records()?.zip(pruning.records()?);
    let mut diagnosis = StudyCauses {
        study: tiga.study,
        setting,
        counts: Operator::PAPER.map(|operator| (operator, [0; 5])).to_vec(),
        mutants: Vec::new(),
    };
    for pair in pairs(tiga, definition)? {
        let (bad, literal) = pair?;
        if !is_suspect(&bad) {
            continue;
        }
        let cause = match is_bad(&literal) {
            true => Cause::Definition,
            false => {
                let Some((ignoring, pruning)) = open.next() else {
                    let what = format!("a run of {} has too few records", tiga.study.title);
                    return Err(ExperimentError::Unfinished(what));
                };
                Cause::of(false, is_bad(&ignoring?), is_bad(&pruning?))
            }
        };
        diagnosis.add(bad, cause);
    }
    Ok(diagnosis)
}

impl StudyCauses {
    fn add(&mut self, record: Record, cause: Cause) {
        let first = record.operators.first();
        let row = self
            .counts
            .iter_mut()
            .find(|(operator, _)| first.is_some_and(|name| name == operator.name()));
        if let Some((_, counts)) = row {
            counts[cause as usize] += 1;
        }
        if record.order == 1 {
            self.mutants.push(Diagnosed {
                id: record.id,
                verdict: record.verdict,
                cause,
            });
        }
    }
}

/// The numbers of the suspects that are not bad by Definition 7.
struct SuspectMutants {
    open: Vec<u64>,
}

impl SuspectMutants {
    fn find(tiga: &StudyRun, definition: &StudyRun) -> Result<Self> {
        let numbers = tiga.selection.slice(0..tiga.selection.len());
        let mut open = Vec::new();
        for (number, pair) in numbers.into_iter().zip(pairs(tiga, definition)?) {
            let (bad, literal) = pair?;
            if is_suspect(&bad) && !is_bad(&literal) {
                open.push(number);
            }
        }
        Ok(Self { open })
    }
}

fn pairs(left: &StudyRun, right: &StudyRun) -> Result<impl Iterator<Item = Result<(Record, Record)>> + use<>> {
    let both = left.records()?.zip(right.records()?);
    Ok(both.map(|(left, right)| {
        let (left, right) = (left?, right?);
        if left.id != right.id {
            let why = format!("{} stands where {} should", right.id, left.id);
            return Err(ExperimentError::other_run(why));
        }
        Ok((left, right))
    }))
}

fn is_bad(record: &Record) -> bool {
    matches!(record.verdict, Verdict::Subsumed | Verdict::Inconsistent)
}

fn is_suspect(record: &Record) -> bool {
    is_bad(record) && record.violates.is_empty()
}
