//! `semantics.md`: the published semantics beside Definition 7, and why the two differ.

use std::fmt::Write as _;

use super::page::{Page, ratio_text};
use crate::formats::csv_cell;
use crate::game::Semantics;
use crate::mutation::Order;
use crate::reproduction::{Cause, Study, StudyCauses, StudyRun};

/// The page, with the first-order mutants and their causes as CSV; empty without a diagnosis.
pub fn semantics_pages(runs: &[StudyRun], diagnoses: &[StudyCauses]) -> Vec<Page> {
    if diagnoses.is_empty() {
        return Vec::new();
    }
    let mut text = String::from(INTRODUCTION);
    for order in [Order::FIRST, Order::SECOND] {
        let _ = writeln!(text, "\n<!-- order {} -->", order.number());
        push_order(&mut text, order, runs, diagnoses);
        if order == Order::FIRST {
            push_mutants(&mut text, diagnoses);
        }
        let _ = writeln!(text, "<!-- end of order {} -->", order.number());
    }
    vec![
        Page::text("semantics.md", text),
        Page::text("semantics-order1.csv", csv(diagnoses)),
    ]
}

const INTRODUCTION: &str = "\
# Two readings of refinement, side by side

Which useless mutants are so only by the published tool's reading of refinement?

At order 1 more than half of those that no guideline names.

Made by `scripts/reproduce.sh`.

The published experiments ran a tool that (1) ignores an output of the mutant that the specification does not know:
the mutant moves, the specification stays; and (2) first prunes both games to the states with independent progress.
Definition 7 of the paper does neither. For every mutant that the tool reading calls bad (subsumed or inconsistent)
although no guideline names it, the tables below tell what makes it bad, by deciding it in all four combinations:

- *bad by Definition 7*: no artefact: the element is redundant (never used), or the change only takes outputs or
  delays away in a way that no guideline foresees;
- *ignored output*: bad only where unmatched outputs are ignored;
- *pruned for independent progress*: bad only where states without independent progress are pruned;
- *either of the two*: each of them alone suffices; *both together*: neither alone does.

Made by `tamper reproduce`. `tables/tiga` and `tables/definition` hold the tables of both readings.
";

fn push_order(text: &mut String, order: Order, runs: &[StudyRun], diagnoses: &[StudyCauses]) {
    let of_order: Vec<_> = diagnoses.iter().filter(|one| one.setting.order == order).collect();
    if of_order.is_empty() {
        return;
    }
    let _ = writeln!(text, "## Order {}\n", order.number());
    text.push_str("| study | bad, tool | ratio | bad, Definition 7 | ratio |\n|---|---:|---:|---:|---:|\n");
    for diagnosis in &of_order {
        let run = |semantics| find(runs, diagnosis.study, order, semantics);
        let (Some(tiga), Some(definition)) = (run(Semantics::TIGA), run(Semantics::DEFINITION)) else {
            continue;
        };
        let cells = |run: &StudyRun| {
            let total = run.summary.total();
            format!("{} | {}", total.bad(), ratio_text(total))
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} |",
            diagnosis.study.title,
            cells(tiga),
            cells(definition)
        );
    }
    text.push_str("\nBad mutants that no guideline names, by cause:\n\n| study |");
    for cause in Cause::ALL {
        let _ = write!(text, " {} |", cause.name());
    }
    text.push_str(" all |\n|---|---:|---:|---:|---:|---:|---:|\n");
    for diagnosis in &of_order {
        let counts = Cause::ALL.map(|cause| diagnosis.count(cause));
        let cells = counts.map(|count| count.to_string()).join(" | ");
        let all: u64 = counts.iter().sum();
        let _ = writeln!(text, "| {} | {cells} | {all} |", diagnosis.study.title);
    }
    push_operators(text, &of_order);
}

/// The same counts for each operator with any.
fn push_operators(text: &mut String, diagnoses: &[&StudyCauses]) {
    text.push_str("\nBy operator (at order 2: of the first mutation):\n\n| study | operator |");
    for cause in Cause::ALL {
        let _ = write!(text, " {} |", cause.name());
    }
    text.push_str("\n|---|---|---:|---:|---:|---:|---:|\n");
    for diagnosis in diagnoses {
        for (operator, counts) in diagnosis
            .counts
            .iter()
            .filter(|(_, counts)| counts.iter().sum::<u64>() > 0)
        {
            let cells = counts.map(|count| count.to_string()).join(" | ");
            let _ = writeln!(text, "| {} | {operator} | {cells} |", diagnosis.study.title);
        }
    }
}

/// Every first-order mutant by name, per study and cause.
fn push_mutants(text: &mut String, diagnoses: &[StudyCauses]) {
    text.push_str("\n### Mutant by mutant\n\n");
    for diagnosis in diagnoses.iter().filter(|one| one.setting.order == Order::FIRST) {
        for cause in Cause::ALL {
            let of_cause: Vec<_> = diagnosis.mutants.iter().filter(|one| one.cause == cause).collect();
            if of_cause.is_empty() {
                continue;
            }
            let _ = writeln!(
                text,
                "**{}, {}** ({}):\n",
                diagnosis.study.title,
                cause.name(),
                of_cause.len()
            );
            for mutant in of_cause {
                let _ = writeln!(text, "- `{}` ({})", mutant.id, mutant.verdict.name());
            }
            text.push('\n');
        }
    }
}

fn csv(diagnoses: &[StudyCauses]) -> String {
    let mut text = String::from("study,mutant,verdict,cause\n");
    for diagnosis in diagnoses {
        for mutant in &diagnosis.mutants {
            let _ = writeln!(
                text,
                "{},{},{},{}",
                diagnosis.study.folder,
                csv_cell(&mutant.id),
                mutant.verdict.name(),
                mutant.cause.name()
            );
        }
    }
    text
}

fn find(runs: &[StudyRun], study: Study, order: Order, semantics: Semantics) -> Option<&StudyRun> {
    let is_it =
        |run: &&StudyRun| run.study == study && run.setting.order == order && run.setting.semantics == semantics;
    runs.iter().find(is_it)
}
