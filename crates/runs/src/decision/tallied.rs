//! Counts of a run without records, in memory independent of the number of mutants.
//!
//! The mutants are processed in several passes, each for the mutants whose fingerprints have one remainder: equal
//! mutants meet in one pass, and only the verdicts of one pass are held. Besides the decisions, a pass costs one
//! fingerprint per mutant. After each pass the counts so far are written to a file, from which an interrupted run
//! continues.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::decision::chunk::judge;
use crate::decision::families::{FamilyEngine, Workspace};
use crate::decision::part::{DecisionRequest, SiblingFamily};
use crate::decision::verdict_table::{MutantLookup, VerdictTable};
use crate::error::{ExperimentError, FileAction, OfFile as _, OrMalformed as _, Result};
use crate::{DecidedBy, Facts, Judgement, OutputDir, Run, Summary, Tally};
use tamper_game as game;
use tamper_timed::mutation::{Fingerprint, Fingerprinter, Locator, Mutation, SiblingFingerprints};
use tamper_uppaal::input::read_own_text;

/// Name of the file with the counts after each pass.
const PASSES: &str = "passes.json";

/// Default size of the table of verdicts, in bytes.
pub const TABLE_BYTES: u64 = 640 << 20;

/// Approximate number of mutants processed between two checks of the time.
const AT_ONCE: u64 = 1 << 20;

/// Number of mutants that disprove a guideline and are named.
const NAMED: usize = 100;

/// The completed passes, and their counts.
#[derive(Serialize, Deserialize)]
struct Passes {
    n: u64,
    n_done: u64,
    counted: Counted,
}

/// Counts of mutants.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Counted {
    /// Counts by row of the summary.
    rows: Vec<Tally>,
    /// Violating mutants that are non-subsumed, sorted by number, with their ids.
    unsound: Vec<(u64, String)>,
}

/// Counts of some families.
struct Batch {
    /// Counts in which every mutant counts as a duplicate.
    counted: Counted,
    /// Row and fingerprint of each mutant that is not counted yet, in order. A mutant is counted at its first
    /// occurrence, whichever thread decided it.
    open: Vec<(usize, Fingerprint)>,
}

impl Counted {
    fn add(&mut self, other: Self) {
        if self.rows.is_empty() {
            self.rows = other.rows;
        } else {
            for (tally, more) in self.rows.iter_mut().zip(other.rows) {
                *tally = tally.plus(more);
            }
        }
        self.unsound.extend(other.unsound);
        self.unsound.sort_unstable();
        self.unsound.truncate(NAMED);
    }
}

/// Counts the verdicts on all mutants of `run`, with a table of `bytes` bytes. `progress` is called after each step.
/// `None` if the time of the run is up; the completed passes are kept.
///
/// # Errors
/// If a file cannot be read or written, or the run selects only some mutants.
pub fn tally(run: Run<'_>, output: &OutputDir, bytes: u64, progress: &mut dyn FnMut(Step)) -> Result<Option<Summary>> {
    if run.selection.len() != run.space.len() {
        let why = "without records all mutants are counted, not some of them (--sample, --shard)";
        return Err(ExperimentError::Refused(why.to_owned()));
    }
    let capacity = VerdictTable::capacity(bytes);
    let mut passes = match read(output)? {
        Some(passes) => passes,
        None => Passes {
            n: n_passes(run.space.len(), run.space.order().number(), capacity),
            n_done: 0,
            counted: Counted::default(),
        },
    };
    let fingerprinter = Fingerprinter::new(run.space.base());
    let families = run.judge.families();
    let engine = families.as_ref().map(|families| FamilyEngine::new(run.space, families));
    let empty = Summary::new(run.space.options(), run.space.order());
    while passes.n_done < passes.n {
        let pass = Pass {
            run,
            fingerprinter: &fingerprinter,
            engine: engine.as_ref(),
            table: VerdictTable::of_at_most(capacity),
            part: passes.n_done,
            n_parts: passes.n,
        };
        match pass.make(&empty, progress)? {
            Ended::TimeIsUp => return Ok(None),
            // More mutants are distinct than estimated: start again with more passes.
            Ended::NoRoom => {
                passes = Passes {
                    n: 2 * passes.n,
                    n_done: 0,
                    counted: Counted::default(),
                }
            }
            Ended::Done(counted) => {
                passes.counted.add(counted);
                passes.n_done += 1;
            }
        }
        output.write(PASSES, serde_json::to_string(&passes)?.as_bytes())?;
    }
    let Counted { rows, unsound } = passes.counted;
    Ok(Some(empty.with_tallies(rows, unsound.into_iter().map(|(_, id)| id))))
}

/// Progress of a run.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Mutants processed, in all passes.
    pub n_seen: u64,
    /// Number of mutants to process in all passes.
    pub n: u64,
}

/// Number of passes, assuming that permutations of the same `order` mutations mostly make one mutant, with a quarter
/// more for the ones that do not.
fn n_passes(n_mutants: u64, order: u8, capacity: u64) -> u64 {
    let n_sequences: u64 = (1..=u64::from(order)).product();
    (n_mutants / 4 * 5 / n_sequences / capacity + 1).min(1 << 20)
}

fn read(output: &OutputDir) -> Result<Option<Passes>> {
    let path = output.path().join(PASSES);
    if !path.exists() {
        return Ok(None);
    }
    let text = read_own_text(&path).cannot(FileAction::Read, &path)?;
    let passes = serde_json::from_str(&text).or_malformed(|| format!("{} is not of this version", path.display()))?;
    Ok(Some(passes))
}

/// The end of a pass.
enum Ended {
    Done(Counted),
    NoRoom,
    TimeIsUp,
}

/// A pass over all mutants, in which the mutants of one part are decided.
struct Pass<'a, 'e> {
    run: Run<'a>,
    fingerprinter: &'a Fingerprinter,
    engine: Option<&'a FamilyEngine<'e>>,
    table: VerdictTable,
    part: u64,
    n_parts: u64,
}

/// The state and the counts of a thread.
struct Worker<'a> {
    workspace: Workspace<'a>,
    locator: Locator<'a>,
    summary: Summary,
    unsound: Vec<(u64, String)>,
    open: Vec<(usize, Fingerprint)>,
    has_room: bool,
}

impl<'a> Pass<'a, '_> {
    fn make(&self, empty: &Summary, progress: &mut dyn FnMut(Step)) -> Result<Ended> {
        let space = self.run.space;
        let mut counted = Counted::default();
        let mut locator = space.locator();
        let mut next = 0;
        let at_once = (AT_ONCE / (space.len() / space.n_families().max(1)).max(1)).max(1);
        while next < space.n_families() {
            let end = space.n_families().min(next + at_once);
            let Some(more) = self.count_all(empty, next..end)? else {
                return Ok(Ended::NoRoom);
            };
            if self.run.judge.is_over() {
                return Ok(Ended::TimeIsUp);
            }
            counted.add(more);
            next = end;
            let range = locator.family_range(next);
            progress(Step {
                n_seen: self.part * space.len() + range.map_or(space.len(), |range| range.start),
                n: self.n_parts * space.len(),
            });
        }
        Ok(Ended::Done(counted))
    }

    /// The counts of some families; `None` if the table has no room.
    fn count_all(&self, empty: &Summary, families: std::ops::Range<u64>) -> Result<Option<Counted>> {
        let start = || Worker {
            workspace: Workspace::default(),
            locator: self.run.space.locator(),
            summary: empty.clone(),
            unsound: Vec::new(),
            open: Vec::new(),
            has_room: true,
        };
        let n_jobs = 8 * rayon::current_num_threads() as u64;
        let length = (families.end - families.start).div_ceil(n_jobs).max(1);
        let jobs: Vec<_> = (families.start..families.end)
            .step_by(usize::try_from(length).map_err(ExperimentError::fault)?)
            .map(|first| first..families.end.min(first + length))
            .collect();
        let batches = jobs.into_par_iter().map(|mut families| {
            let mut worker = start();
            families.try_for_each(|family| self.count(&mut worker, family))?;
            let rows = worker.summary.rows().iter().map(|(_, tally)| *tally).collect();
            let counted = Counted {
                rows,
                unsound: worker.unsound,
            };
            Ok(worker.has_room.then_some(Batch {
                counted,
                open: worker.open,
            }))
        });
        let batches: Option<Vec<Batch>> = batches.collect::<Result<Vec<_>>>()?.into_iter().collect();
        Ok(batches.map(|batches| self.joined(batches)))
    }

    /// The counts of consecutive batches together.
    fn joined(&self, batches: Vec<Batch>) -> Counted {
        let mut all = Counted::default();
        for Batch { mut counted, open } in batches {
            for (row, fingerprint) in open {
                counted.rows[row].duplicates -= u64::from(self.table.count(fingerprint));
            }
            all.add(counted);
        }
        all
    }

    /// Counts the mutants of a family that are in the part of this pass.
    fn count(&self, worker: &mut Worker<'a>, number: u64) -> Result<()> {
        if !worker.has_room || self.run.judge.is_over() {
            return Ok(());
        }
        let Some(siblings) = worker.locator.siblings(number) else {
            return Err(ExperimentError::fewer_mutants());
        };
        let family = SiblingFamily::of(self.run, siblings);
        let prints = self.fingerprinter.siblings(family.siblings.parent());
        let in_part = self.in_part(&family, &prints);
        let first = worker.locator.family_range(number).map_or(0, |range| range.start);
        let mut member = None;
        let mut operators = family.operators().to_vec();
        for (position, last, fingerprint) in in_part {
            let asked = DecisionRequest {
                family: &family,
                last,
                rule: (self.run.rules)(family.siblings.parent(), &last),
                made: None,
            };
            let (verdict, is_counted) = match self.table.claim(fingerprint) {
                MutantLookup::FirstVerdict { verdict, is_counted } => (verdict, is_counted),
                MutantLookup::Full => {
                    worker.has_room = false;
                    return Ok(());
                }
                // An open mutant is being decided by another thread, which will reach the same verdict.
                MutantLookup::First | MutantLookup::Open => {
                    let judgement = self.decide(asked, &mut member, &mut worker.workspace);
                    self.table.settle(fingerprint, judgement.verdict);
                    (judgement.verdict, false)
                }
            };
            let facts = Facts {
                id: "",
                verdict,
                decided_by: DecidedBy::Duplicate,
                violates: asked.violates(),
                identified: false,
            };
            operators.push(last.applied());
            worker.summary.count(&operators, &facts);
            if !is_counted {
                worker
                    .open
                    .extend(worker.summary.row(&operators).map(|row| (row, fingerprint)));
            }
            operators.pop();
            if facts.is_unsound() && worker.unsound.len() < NAMED {
                worker.unsound.push((first + position, family.siblings.id(last)));
            }
        }
        Ok(())
    }

    /// The mutants of the family that are in the part of this pass: positions, last mutations, fingerprints.
    fn in_part(&self, family: &SiblingFamily, prints: &SiblingFingerprints<'_>) -> Vec<(u64, Mutation, Fingerprint)> {
        let all = (0..).zip(family.siblings.last().iter());
        let printed = all.map(|(position, last)| (position, last, prints.of(&last)));
        let (n, part) = (u128::from(self.n_parts), u128::from(self.part));
        printed
            .filter(|(_, _, print)| n == 1 || print.bits() % n == part)
            .collect()
    }

    /// Decides a mutant; `member` caches its family.
    fn decide(
        &self,
        asked: DecisionRequest<'_>,
        member: &mut Option<Option<game::Family<'a>>>,
        workspace: &mut Workspace<'a>,
    ) -> Judgement {
        let siblings = &asked.family.siblings;
        let member = member.get_or_insert_with(|| self.engine.and_then(|engine| engine.family(siblings, workspace)));
        judge(
            self.run,
            asked,
            self.engine.zip(member.as_mut()),
            &mut workspace.scratch,
        )
    }
}
