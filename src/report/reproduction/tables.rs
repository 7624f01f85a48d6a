//! Tables 2 to 13 of \[003\], as CSV, Markdown and LaTeX.

use std::fmt::Write as _;

use super::page::{Page, order_word, ratio_text, rows, sample_note, semantics_name};
use crate::experiment::Tally;
use crate::experiment::reproduction::{StudyRun, percent};
use crate::game::Semantics;
use crate::mutation::Order;

const HEADER: [&str; 7] = [
    "operator",
    "total",
    "non-subsumed",
    "subsumed",
    "inconsistent",
    "violating",
    "ratio",
];

/// The table of one run in its three forms, at `tables/<semantics>/order<k>-<study>.{csv,md,tex}`.
pub fn table_pages(run: &StudyRun) -> Vec<Page> {
    let stem = stem(run);
    vec![
        Page::text(format!("{stem}.csv"), csv(run)),
        Page::text(format!("{stem}.md"), markdown(run)),
        Page::text(format!("{stem}.tex"), latex(run)),
    ]
}

/// At order 2, the same counts for each pair of operators, as CSV; at order 1 nothing.
pub fn pairs_pages(run: &StudyRun) -> Vec<Page> {
    if run.setting.order == Order::FIRST {
        return Vec::new();
    }
    let mut text = String::from("first,second,total,non_subsumed,subsumed,inconsistent,violating,ratio_percent\n");
    for (operators, tally) in run.summary.rows() {
        let names: Vec<_> = operators.iter().map(|operator| operator.name()).collect();
        let _ = writeln!(text, "{},{}", names.join(","), csv_cells(tally));
    }
    vec![Page::text(format!("{}-pairs.csv", stem(run)), text)]
}

/// `tables.tex`: a document that holds the tables of `runs` and compiles as it is.
pub fn wrapper_page(runs: &[StudyRun]) -> Page {
    let mut text = String::from(
        "\\documentclass[a4paper]{article}\n\\usepackage{booktabs}\n\\usepackage[margin=25mm]{geometry}\n\
         \\setcounter{topnumber}{4}\n\\setcounter{totalnumber}{6}\n\\renewcommand{\\topfraction}{0.95}\n\
         \\renewcommand{\\textfraction}{0.05}\n\\begin{document}\n",
    );
    let sections = [
        (Semantics::TIGA, "Unmatched outputs ignored, inconsistent states pruned"),
        (Semantics::DEFINITION, "Definition 7 to the letter"),
    ];
    for (semantics, title) in sections {
        let mut of_it: Vec<_> = runs.iter().filter(|run| run.setting.semantics == semantics).collect();
        of_it.sort_by_key(|run| run.setting.order);
        if of_it.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\\section{{{title}}}");
        for run in of_it {
            let _ = writeln!(text, "\\input{{{}.tex}}", stem(run));
        }
        text.push_str("\\clearpage\n");
    }
    text.push_str("\\end{document}\n");
    Page::text("tables.tex", text)
}

fn stem(run: &StudyRun) -> String {
    let setting = run.setting;
    let semantics = semantics_name(setting.semantics);
    format!(
        "tables/{semantics}/order{}-{}",
        setting.order.number(),
        run.study.folder
    )
}

fn csv(run: &StudyRun) -> String {
    let mut text = String::from("operator,total,non_subsumed,subsumed,inconsistent,violating,ratio_percent\n");
    for (name, tally) in rows(run) {
        let _ = writeln!(text, "{name},{}", csv_cells(&tally));
    }
    text
}

fn csv_cells(tally: &Tally) -> String {
    let ratio = percent(tally.violating, tally.bad(), 1).unwrap_or_default();
    let counts = counts(tally).map(|count| count.to_string()).join(",");
    format!("{counts},{ratio}")
}

fn counts(tally: &Tally) -> [u64; 5] {
    [
        tally.total,
        tally.non_subsumed,
        tally.subsumed,
        tally.inconsistent,
        tally.violating,
    ]
}

fn markdown(run: &StudyRun) -> String {
    let mut text = format!("# {}\n\n", caption(run));
    if let Some(note) = sample_note(run) {
        let _ = writeln!(text, "{note}\n");
    }
    let _ = writeln!(text, "| {} |", HEADER.join(" | "));
    text.push_str("|---|---:|---:|---:|---:|---:|---:|\n");
    for (name, tally) in rows(run) {
        let cells = counts(&tally).map(|count| count.to_string()).join(" | ");
        let _ = writeln!(text, "| {name} | {cells} | {} |", ratio_text(&tally));
    }
    text
}

fn latex(run: &StudyRun) -> String {
    let mut text = format!("\\begin{{table}}[htbp]\n\\centering\n\\caption{{{}}}\n", caption(run));
    let _ = writeln!(text, "\\begin{{tabular}}{{lrrrrrr}}\n\\toprule");
    let _ = writeln!(text, "{} \\\\\n\\midrule", HEADER.join(" & "));
    for (name, tally) in rows(run) {
        if name == "total" {
            text.push_str("\\midrule\n");
        }
        let cells = counts(&tally).map(|count| count.to_string()).join(" & ");
        let _ = writeln!(
            text,
            "{name} & {cells} & {} \\\\",
            ratio_text(&tally).replace(" %", "\\,\\%")
        );
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n");
    if let Some(note) = sample_note(run) {
        let _ = writeln!(text, "\\par\\smallskip\\footnotesize {}", note.replace('%', "\\%"));
    }
    text.push_str("\\end{table}\n");
    text
}

fn caption(run: &StudyRun) -> String {
    let setting = run.setting;
    let table = run.study.tables[usize::from(setting.order.number() - 1)];
    let by = match setting.order {
        Order::FIRST => "",
        _ => ", by the operator of the first mutation",
    };
    let like = match setting.semantics {
        Semantics::TIGA => format!("Table {table} of [003]"),
        other => format!("like Table {table} of [003], semantics {}", semantics_name(other)),
    };
    format!(
        "{} {}-order mutants{by} ({like})",
        run.study.title,
        order_word(setting.order)
    )
}
