//! `README.md` of the results: the paper's statements beside our results.

use std::fmt::Write as _;

use super::page::{Page, ratio_text, sample_note, semantics_name};
use crate::experiment::percent;
use crate::mutation::Order;
use crate::reproduction::{ClaimMark, ClaimResult, PaperClaim, PaperComparison, StudyFacts, StudyRun, complete_run};

/// The page that compares all runs with the published results.
pub fn readme_page(runs: &[StudyRun], comparison: &PaperComparison) -> Page {
    let mut text = String::new();
    push_head(&mut text, runs, comparison);
    text.push_str("\n<!-- order 1 -->\n## Order 1\n");
    push_order_1(&mut text, runs, comparison);
    text.push_str("<!-- end of order 1 -->\n");
    if has_order_2(runs) {
        text.push_str("\n## Order 2\n\n");
        push_order_2(&mut text, runs, comparison);
    }
    text.push_str("\n## Sentences about several studies, models and the method\n\n");
    push_claims(&mut text, comparison);
    text.push_str("\n## The example games\n\n");
    push_examples(&mut text, comparison);
    text.push_str("\n## Soundness\n\n");
    push_soundness(&mut text, runs);
    Page::text("README.md", text)
}

const TITLE: &str = "\
# The experiments of [003], reproduced

Do the published experiments of [003] come out again?
";

const HEAD: &str = "
Made by `tamper reproduce`; do not edit. `scripts/reproduce.sh` makes every file of the table below anew from a clean
clone, and `scripts/check-results.sh` compares the first-order part with what is committed. Numbers that
change from run to run are in `timing.md` alone.

*Violating*: a guideline names every mutation of the mutant. *Bad*: subsumed or inconsistent. *Ratio*: violating /
bad, in per cent. All verdicts come from the game: no guideline decided any of them, so that soundness is
checked and not assumed.
";

/// The files of all that the paper published.
const FILES: &str = "
| file | holds |
|---|---|
| `tables/tiga/`, `tables/definition/` | Tables 2-13 per study and order as CSV, Markdown and LaTeX; at order 2 also the counts of every pair of operators |
| `tables.tex` | all tables as one document (`scripts/compile-tables.sh`) |
| `figures/` | Figures 22 and 23 as SVG, and their numbers |
| `semantics.md`, `semantics-order1.csv` | which bad mutants are bad only by the published tool's reading of refinement |
| `cas-choices.md` | how far the published figures determine the CAS model |
| `soundness.csv`, `false-negatives.txt` | the check of the guidelines; the mutants that violate and are non-subsumed |
| `timing.md` | wall time |

Every other folder is one page, `NAME/page.md`, with what makes it: `NAME/make.sh`, or the command that the page
begins with. What the paper could not say is in `beyond/page.md` and `extended/page.md`: why mutants are useless, and
how many are found without a game. Only what `scripts/reproduce.sh` makes stands here, since `tamper reproduce` writes
it here and `scripts/check-results.sh` compares it.

The paper does not say how Tables 8-13 group pairs of operators. Here a row is the operator of the *first* mutation;
`order2-<study>-pairs.csv` has all 36 pairs, so that any other grouping can be read off.
";

/// The files of the first order alone.
const FILES_OF_ORDER_1: &str = "
| file | holds |
|---|---|
| `tables/tiga/`, `tables/definition/` | Tables 2-7 per study as CSV, Markdown and LaTeX |
| `tables.tex` | all tables as one document |
| `semantics.md`, `semantics-order1.csv` | which bad mutants are bad only by the published tool's reading of refinement |
| `soundness.csv`, `false-negatives.txt` | the check of the guidelines; the mutants that violate and are non-subsumed |
| `timing.md` | wall time |

Mutants of order 2 were not asked for: `tamper reproduce` without `--order` makes them, too.
";

/// Whether mutants of order 2 are among the runs.
fn has_order_2(runs: &[StudyRun]) -> bool {
    runs.iter().any(|run| run.setting.order != Order::FIRST)
}

fn push_head(text: &mut String, runs: &[StudyRun], comparison: &PaperComparison) {
    text.push_str(TITLE);
    let statements = statements(runs, comparison);
    let refuted = comparison
        .claims
        .iter()
        .filter(|(claim, _)| claim.mark == ClaimMark::No);
    let mut games: Vec<_> = comparison.examples.iter().filter(|one| one.note.is_some()).collect();
    games.dedup_by_key(|one| &one.question);
    let _ = writeln!(
        text,
        "\n**{} of {} published figures and statements match.** {} more sentences and {} verdicts on example games are \
         known not to hold, and are shown with what does.",
        statements.iter().filter(|holds| **holds).count(),
        statements.len(),
        refuted.count(),
        games.len()
    );
    text.push_str(HEAD);
    text.push_str(if has_order_2(runs) { FILES } else { FILES_OF_ORDER_1 });
    let seeds: Vec<_> = runs.iter().filter_map(sample_note).collect();
    let mut semantics: Vec<_> = runs.iter().map(|run| semantics_name(run.setting.semantics)).collect();
    semantics.dedup();
    semantics.sort();
    semantics.dedup();
    let _ = writeln!(
        text,
        "\nVersion {}. Semantics: {}; the comparison below is about `tiga` (unmatched outputs ignored, both games \
         pruned), which is what the published experiments ran. Operators: TMI, TAD (clones the first edge), SMI, CXL, \
         CXS (constants stay above 0), CCN; step 1. {}",
        env!("CARGO_PKG_VERSION"),
        semantics.join(", "),
        match seeds.is_empty() {
            true => "No sampling: every mutant was decided.".to_owned(),
            false => format!("Sampled: {}", seeds.join(" ")),
        }
    );
}

/// For each published statement that should be reproduced and was run: whether it was reproduced.
fn statements(runs: &[StudyRun], comparison: &PaperComparison) -> Vec<bool> {
    let figures = comparison
        .studies
        .iter()
        .filter_map(|facts| first_order(runs, facts))
        .flatten();
    let facts = comparison
        .studies
        .iter()
        .flat_map(|study| &study.checked)
        .map(|fact| fact.holds);
    let claims = comparison
        .claims
        .iter()
        .filter(|(claim, _)| claim.mark == ClaimMark::Ok)
        .filter_map(|(_, checked)| checked.holds);
    let examples = comparison
        .examples
        .iter()
        .filter(|one| one.note.is_none())
        .map(|one| one.published == one.ours);
    figures.chain(facts).chain(claims).chain(examples).collect()
}

/// Whether the published total and ratio of order 1 are reproduced.
fn first_order(runs: &[StudyRun], facts: &StudyFacts) -> Option<[bool; 2]> {
    let total = *complete_run(runs, facts.study, Order::FIRST)?.summary.total();
    let published = &facts.facts.order1;
    let rounded = percent(total.violating, total.bad(), 0)?;
    Some([
        total.total == published.total,
        rounded == published.published_percent.to_string(),
    ])
}

fn push_order_1(text: &mut String, runs: &[StudyRun], comparison: &PaperComparison) {
    text.push_str("\n| study | table | mutants, published | ours | ratio, published | ours | |\n|---|---|---:|---:|---:|---:|---|\n");
    for all @ StudyFacts { study, facts, .. } in &comparison.studies {
        let published = &facts.order1;
        let Some(run) = complete_run(runs, *study, Order::FIRST) else {
            continue;
        };
        let total = run.summary.total();
        let is_same = first_order(runs, all) == Some([true, true]);
        let _ = writeln!(
            text,
            "| {} | [{}](tables/tiga/order1-{}.md) | {} | {} | {} % | {} | {} |",
            study.title,
            study.tables[0],
            study.folder,
            published.total,
            total.total,
            published.published_percent,
            ratio_text(total),
            match_text(is_same)
        );
    }
    for StudyFacts { study, checked, .. } in &comparison.studies {
        if checked.is_empty() {
            continue;
        }
        let _ = writeln!(
            text,
            "\n### {}\n\n| published sentence | published | ours | |\n|---|---|---|---|",
            study.title
        );
        for fact in checked {
            let holds = match_text(fact.holds);
            let _ = writeln!(
                text,
                "| {} | {} | {} | {holds} |",
                fact.claim, fact.published, fact.ours
            );
        }
    }
}

fn push_order_2(text: &mut String, runs: &[StudyRun], comparison: &PaperComparison) {
    text.push_str("| study | table | sequences | distinct | violating | bad | ratio | published |\n|---|---|---:|---:|---:|---:|---:|---|\n");
    let mut sums = [0; 4];
    for StudyFacts { study, facts, .. } in &comparison.studies {
        let Some(run) = complete_run(runs, *study, Order::SECOND) else {
            continue;
        };
        let total = run.summary.total();
        let counts = [
            total.total,
            total.total - total.duplicates,
            total.violating,
            total.bad(),
        ];
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
        let _ = writeln!(
            text,
            "| {} | [{}](tables/tiga/order2-{}.md) | {} | {} | {} |",
            study.title,
            study.tables[1],
            study.folder,
            counts.map(|count| count.to_string()).join(" | "),
            ratio_text(total),
            facts.order2.published
        );
    }
    let _ = writeln!(text, "| all | | {} | | |", sums.map(|sum| sum.to_string()).join(" | "));
    text.push_str(
        "\nSequences are what the paper counts; distinct mutants are different automata (the same automaton is often \
         reached by two sequences).\n",
    );
    if complete_run(runs, comparison.studies[0].study, Order::SECOND).is_some() {
        text.push_str("\n![Figure 22](figures/fig22.svg)\n\n![Figure 23](figures/fig23.svg)\n");
    }
}

fn push_claims(text: &mut String, comparison: &PaperComparison) {
    text.push_str("| section | published sentence | ours | |\n|---|---|---|---|\n");
    for (claim, checked) in &comparison.claims {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            claim.section,
            claim.claim,
            checked.ours,
            claim_text(claim, checked)
        );
    }
}

fn claim_text(claim: &PaperClaim, checked: &ClaimResult) -> String {
    let instead = claim.instead.as_deref().unwrap_or_default();
    match (claim.mark, checked.holds, claim.check.is_empty()) {
        (_, None, _) => "not run".to_owned(),
        (ClaimMark::Ok, Some(holds), _) => match_text(holds).to_owned(),
        (ClaimMark::No, Some(true), false) => format!("**holds, against what is known**: {instead}"),
        (ClaimMark::No, _, _) => format!("**differs**. {instead}"),
    }
}

fn push_examples(text: &mut String, comparison: &PaperComparison) {
    text.push_str(
        "| source | published sentence | question | semantics | published | ours | |\n|---|---|---|---|---|---|---|\n",
    );
    let mut rows = comparison.examples.iter().peekable();
    while let Some(row) = rows.next() {
        // Neighbours that differ in the semantics alone share a row.
        let mut semantics = vec![row.semantics.as_str()];
        while let Some(next) = rows
            .next_if(|next| (&next.question, &next.sentence, &next.ours) == (&row.question, &row.sentence, &row.ours))
        {
            semantics.push(&next.semantics);
        }
        let verdict = match &row.note {
            Some(note) => format!("**differs**. {note}"),
            None => match_text(row.published == row.ours).to_owned(),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {verdict} |",
            row.source,
            row.sentence,
            row.question,
            semantics.join(", "),
            row.published,
            row.ours
        );
    }
}

fn push_soundness(text: &mut String, runs: &[StudyRun]) {
    text.push_str("Violating mutants that are non-subsumed (the paper's \"false negatives\"): there must be none.\n\n");
    text.push_str("| study | order | semantics | violating | of these non-subsumed |\n|---|---|---|---:|---:|\n");
    for run in runs {
        let total = run.summary.total();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            run.study.title,
            run.setting.order.number(),
            semantics_name(run.setting.semantics),
            total.violating,
            total.unsound
        );
    }
}

fn match_text(holds: bool) -> &'static str {
    if holds { "match" } else { "**differs**" }
}
