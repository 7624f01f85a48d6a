//! Counts of records, per operator.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::networks::HIDDEN;
use crate::{DecidedBy, Facts, Judgement, Record, Verdict};
use tamper_timed::mutation::{AppliedOperator, MutationOptions, Order};

/// Counts of some mutants (at order 2: of sequences).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Tally {
    /// All mutants.
    pub total: u64,
    /// Mutants that do not refine the specification.
    pub non_subsumed: u64,
    /// Mutants that refine the specification.
    pub subsumed: u64,
    /// Mutants whose initial state is not consistent.
    pub inconsistent: u64,
    /// Mutants that are subsumed or inconsistent by a guideline (only without games).
    pub subsumed_or_inconsistent: u64,
    /// Mutants for which a limit was hit, or no game was played.
    pub unknown: u64,
    /// Mutants without a meaning.
    #[serde(alias = "error")]
    pub invalid: u64,
    /// Mutants that violate the guidelines.
    pub violating: u64,
    /// Mutants that only the extended guidelines name.
    pub identified: u64,
    /// Mutants that either set of guidelines names although they are non-subsumed.
    pub unsound: u64,
    /// Mutants that are the same automaton as an earlier one.
    pub duplicates: u64,
}

impl Tally {
    /// Counts one more record.
    pub fn add(&mut self, facts: &Facts<'_>) {
        self.total += 1;
        self.violating += u64::from(facts.violates);
        self.identified += u64::from(facts.identified);
        self.unsound += u64::from(facts.is_unsound());
        self.duplicates += u64::from(facts.decided_by == DecidedBy::Duplicate);
        *match facts.verdict {
            Verdict::NonSubsumed => &mut self.non_subsumed,
            Verdict::Subsumed => &mut self.subsumed,
            Verdict::Inconsistent => &mut self.inconsistent,
            Verdict::SubsumedOrInconsistent => &mut self.subsumed_or_inconsistent,
            Verdict::Unknown => &mut self.unknown,
            Verdict::Invalid => &mut self.invalid,
        } += 1;
    }
    /// Number of mutants that no test can kill: subsumed or inconsistent ones.
    pub fn bad(&self) -> u64 {
        self.subsumed + self.inconsistent + self.subsumed_or_inconsistent
    }
    /// Adds the counts of other mutants.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            total: self.total + other.total,
            non_subsumed: self.non_subsumed + other.non_subsumed,
            subsumed: self.subsumed + other.subsumed,
            inconsistent: self.inconsistent + other.inconsistent,
            subsumed_or_inconsistent: self.subsumed_or_inconsistent + other.subsumed_or_inconsistent,
            unknown: self.unknown + other.unknown,
            invalid: self.invalid + other.invalid,
            violating: self.violating + other.violating,
            identified: self.identified + other.identified,
            unsound: self.unsound + other.unsound,
            duplicates: self.duplicates + other.duplicates,
        }
    }
    /// Violating / (subsumed + inconsistent), the measure of \[003\] section 5.4; `None` if no mutant is subsumed or
    /// inconsistent, or if a verdict is missing.
    pub fn ratio(&self) -> Option<f64> {
        self.share(self.violating)
    }
    /// The same measure with the extended guidelines.
    pub fn extended_ratio(&self) -> Option<f64> {
        self.share(self.violating + self.identified)
    }
    fn share(&self, named: u64) -> Option<f64> {
        let found = self.subsumed + self.inconsistent;
        let complete = self.unknown + self.invalid + self.subsumed_or_inconsistent == 0;
        #[allow(clippy::cast_precision_loss, reason = "a ratio for display")]
        (complete && found > 0).then(|| named as f64 / found as f64)
    }
}

/// Counts per operator (at order k: per k operators in the order of application) and in total.
///
/// Two summaries are equal if they count the same records, whatever the methods.
#[derive(Clone, Debug)]
pub struct Summary {
    used: Vec<AppliedOperator>,
    /// Rows in lexicographic order of their operators.
    rows: Vec<(Vec<AppliedOperator>, Tally)>,
    total: Tally,
    unsound: Vec<String>,
    methods: BTreeMap<&'static str, u64>,
    states: u64,
    processes: Vec<ProcessCounts>,
    hidden: u64,
}

/// Counts of the mutants of one component of a network: a template, or an instance.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize)]
pub struct ProcessCounts {
    /// The component.
    pub name: String,
    /// Its mutants, assigned by their last mutation.
    pub mutants: u64,
    /// Mutants that some test kills when the process is alone.
    pub killable_alone: u64,
    /// Mutants among them that no test kills in the network.
    pub masked: u64,
    /// Mutants that some test kills in the network.
    pub killable: u64,
    /// Mutants without a verdict on the process alone.
    pub not_alone: u64,
    /// The reason why the process is not judged alone; `None` if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not_alone: Option<String>,
}

impl ProcessCounts {
    fn add(&mut self, record: &Record) {
        let killable = record.verdict == Verdict::NonSubsumed;
        self.mutants += 1;
        self.killable_alone += u64::from(record.alone == Some(Verdict::NonSubsumed));
        self.masked += u64::from(record.is_masked());
        self.killable += u64::from(killable);
        self.not_alone += u64::from(record.alone.is_none());
    }
}

/// Name of the method that decided a mutant; without a judgement it equals an earlier mutant.
fn method(judgement: Option<&Judgement>) -> &'static str {
    match judgement.map(|judgement| (judgement.decided_by, judgement.how)) {
        None => DecidedBy::Duplicate.name(),
        Some((DecidedBy::Game, Some(how))) => how.name(),
        // Decided by an earlier run.
        Some((DecidedBy::Game, None)) => "kept",
        Some((by, _)) => by.name(),
    }
}

impl PartialEq for Summary {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows && self.total == other.total && self.unsound == other.unsound
    }
}

/// Number of unsound mutants that are kept by name.
const NAMED: usize = 100;

impl Summary {
    /// Empty counts, with a row for each operator of `options`, or each pair of them, and so on.
    pub fn new(options: &MutationOptions, order: Order) -> Self {
        let used = options.applied();
        let mut rows = vec![Vec::new()];
        for _ in 0..order.number() {
            let longer = |row: Vec<AppliedOperator>| {
                used.iter()
                    .map(move |last| [&row[..], &[*last]].concat())
                    .collect::<Vec<_>>()
            };
            rows = rows.into_iter().flat_map(longer).collect();
        }
        Self {
            used,
            rows: rows.into_iter().map(|row| (row, Tally::default())).collect(),
            total: Tally::default(),
            unsound: Vec::new(),
            methods: BTreeMap::new(),
            states: 0,
            processes: Vec::new(),
            hidden: 0,
        }
    }
    /// Adds counts of each of these components of a network.
    #[must_use]
    pub(crate) fn with_processes(mut self, processes: Vec<ProcessCounts>) -> Self {
        self.processes = processes;
        self
    }
    /// Counts one more mutant of a network, whose last mutation is of this component.
    pub(crate) fn add_of_process(&mut self, component: usize, record: &Record) {
        self.add(record);
        self.processes[component].add(record);
        self.hidden += u64::from(record.reason.as_deref() == Some(HIDDEN));
    }
    /// Counts per component of a network; empty for a single game.
    pub fn processes(&self) -> &[ProcessCounts] {
        &self.processes
    }
    /// Number of mutants that are unknown because hidden steps leave their observable behaviour open.
    pub fn hidden(&self) -> u64 {
        self.hidden
    }
    /// Adds the number of symbolic states explored.
    pub(crate) fn count_states(&mut self, states: u64) {
        self.states += states;
    }
    /// Number of symbolic states that this run explored: zones of a pair of locations, or, for the family engine's
    /// diagonal, of a location of the specification. Consistency is computed backwards and explores none.
    pub fn states(&self) -> u64 {
        self.states
    }
    /// Counts the methods of decisions; `None` stands for a duplicate.
    pub(crate) fn count_methods(&mut self, judgements: &[Option<Judgement>]) {
        for judgement in judgements {
            *self.methods.entry(method(judgement.as_ref())).or_default() += 1;
        }
    }
    /// Number of mutants that each method decided in this run: `rule`, `identity`, `consistency`, `replay`, `diagonal`,
    /// `relation`, `product`, `counterpart`, `strategy`, `same`, `duplicate`, `kept` (by an interrupted run),
    /// `nothing`.
    pub fn methods(&self) -> &BTreeMap<&'static str, u64> {
        &self.methods
    }
    /// Counts one more record.
    pub fn add(&mut self, record: &Record) {
        let named = record.operators.iter().filter_map(|name| name.parse().ok());
        self.count(&named.collect::<Vec<AppliedOperator>>(), &record.facts());
    }
    /// Counts one more mutant, made by these operators.
    pub fn count(&mut self, operators: &[AppliedOperator], facts: &Facts<'_>) {
        self.total.add(facts);
        if let Some(row) = self.row(operators) {
            self.rows[row].1.add(facts);
        }
        if facts.is_unsound() && self.unsound.len() < NAMED {
            self.unsound.push(facts.id.to_owned());
        }
    }
    /// The position of the row of these operators.
    pub(crate) fn row(&self, operators: &[AppliedOperator]) -> Option<usize> {
        let digit = |operator: &AppliedOperator| self.used.iter().position(|used| used == operator);
        let row = operators
            .iter()
            .try_fold(0, |row, operator| Some(row * self.used.len() + digit(operator)?))?;
        // Other orders have different rows.
        (self.rows.get(row)?.0.len() == operators.len()).then_some(row)
    }
    /// Replaces the counts of all rows, and the ids of the mutants that disprove a guideline.
    #[must_use]
    pub(crate) fn with_tallies(mut self, tallies: Vec<Tally>, unsound: impl Iterator<Item = String>) -> Self {
        self.total = tallies.iter().copied().fold(Tally::default(), Tally::plus);
        for ((_, tally), new) in self.rows.iter_mut().zip(tallies) {
            *tally = new;
        }
        self.unsound = unsound.collect();
        self
    }
    /// The rows, in order.
    pub fn rows(&self) -> &[(Vec<AppliedOperator>, Tally)] {
        &self.rows
    }
    /// The counts of all records.
    pub fn total(&self) -> &Tally {
        &self.total
    }
    /// The ids of the first violating mutants that are non-subsumed: each disproves a guideline.
    pub fn unsound(&self) -> &[String] {
        &self.unsound
    }
}
