//! Faults of single processes that a network masks.

use super::table::{numbers_text, text_table};
use tamper_runs::ProcessCounts;

/// A row per mutated process: the number of its mutants that some test kills when the process is alone, the number of these that no test
/// kills in the network, and the number of its mutants that some test kills there. `reasons` say why there are no numbers for a process
/// alone.
pub(super) fn masking_text(processes: &[ProcessCounts]) -> String {
    let mut table = text_table(["process", "mutants", "killable alone", "masked", "killable composed"]);
    for counts in processes {
        let alone = counts.not_alone < counts.mutants;
        let shown = |number: u64| if alone { number.to_string() } else { "-".to_owned() };
        table.add_row([
            counts.name.clone(),
            counts.mutants.to_string(),
            shown(counts.killable_alone),
            shown(counts.masked),
            counts.killable.to_string(),
        ]);
    }
    let mut text = numbers_text(table);
    for reason in processes.iter().filter_map(|counts| counts.why_not_alone.as_ref()) {
        text.push_str(&format!("Not judged alone: {reason}.\n"));
    }
    text
}

/// The number of mutants that are unknown because of hidden steps, in a sentence; empty for zero.
pub(super) fn hidden_text(n_unknown: u64) -> String {
    match n_unknown {
        0 => String::new(),
        n => format!(
            "Unknown for hidden steps: {n}. Matched one by one these tell the mutant from the network, but no run was found \
             that is seen to be different.\n"
        ),
    }
}
