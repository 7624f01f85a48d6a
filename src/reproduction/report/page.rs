//! A file of the results, and small pieces of text that several files share.

use crate::experiment::{Sample, Tally, percent};
use crate::game::Semantics;
use crate::mutation::{Operator, Order};
use crate::reproduction::StudyRun;

/// A file of the results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// Its path below the folder of the results, with `/`.
    pub path: String,
    /// The bytes that the file holds.
    pub bytes: Vec<u8>,
}

impl Page {
    pub(super) fn text(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            bytes: text.into().into_bytes(),
        }
    }
}

/// The name of a semantics on the command line, or its parts if it has no name.
pub(super) fn semantics_name(semantics: Semantics) -> String {
    match semantics {
        Semantics::TIGA => "tiga".to_owned(),
        Semantics::DEFINITION => "definition".to_owned(),
        Semantics::STRICT => "strict".to_owned(),
        other => other.to_string(),
    }
}

/// The ratio: `54.0 %`, or `-` if no mutant is bad.
pub(super) fn ratio_text(tally: &Tally) -> String {
    percent(tally.violating, tally.bad(), 1).map_or_else(|| "-".to_owned(), |ratio| format!("{ratio} %"))
}

/// `first` or `second`: the paper has no others.
pub(super) fn order_word(order: Order) -> &'static str {
    match order {
        Order::FIRST => "first",
        Order::SECOND => "second",
        _ => "higher",
    }
}

/// Rows of the paper's tables: one per operator (at order 2: of the first mutation), then the total.
pub(super) fn rows(run: &StudyRun) -> Vec<(&'static str, Tally)> {
    let of = |operator: &Operator| {
        let same = run
            .summary
            .rows()
            .iter()
            .filter(|(row, _)| row.first() == Some(&(*operator).into()));
        same.fold(Tally::default(), |sum, (_, tally)| sum.plus(*tally))
    };
    let rows = Operator::PAPER.iter().map(|operator| (operator.name(), of(operator)));
    rows.chain([("total", *run.summary.total())]).collect()
}

/// A note on a run that decided a sample; `None` if it decided every mutant.
pub(super) fn sample_note(run: &StudyRun) -> Option<String> {
    let setting = run.setting;
    let drawn = match setting.sample? {
        Sample::Paper if setting.order == Order::FIRST => return None,
        Sample::Paper => "max(n1 * n2 / 10, 1000) of each pair of operators".to_owned(),
        Sample::Count(count) => format!("{count} mutants"),
        Sample::Percent(share) => format!("{share} % of the mutants"),
    };
    Some(format!(
        "A sample: {drawn}, seed {}; {} of {} mutants.",
        setting.seed,
        run.selection.len(),
        run.n_mutants
    ))
}
