//! What a network masks of the faults in its processes.

use super::table::{numbers_text, text_table};
use tamper_runs::ProcessCounts;

/// A row per mutated process: how many of its mutants some test kills when the process is by itself, how many of them no test
/// kills in the network, and how many some test kills there. `reasons` say why there is nothing about a process alone.
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

/// How many mutants are unknown for their hidden steps; empty if none is.
pub(super) fn hidden_text(n_unknown: u64) -> String {
    match n_unknown {
        0 => String::new(),
        n => format!(
            "Unknown for hidden steps: {n}. Matched one by one these tell the mutant from the network, but no run was found \
             that is seen to be different.\n"
        ),
    }
}
