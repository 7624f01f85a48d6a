//! Tables 2 to 13 of \[003\], as CSV, Markdown and LaTeX.

use std::fmt::Write as _;

use super::page::{Page, order_word, rows, sample_note, semantics_name};
use crate::experiment::{Tally, percent};
use crate::game::Semantics;
use crate::mutation::Order;
use crate::report::{Cell, Head, Table};
use crate::reproduction::StudyRun;

/// The table of one run in its three forms, at `tables/<semantics>/order<k>-<study>.{csv,md,tex}`.
pub fn table_pages(run: &StudyRun) -> Vec<Page> {
    let (stem, table) = (stem(run), table(run));
    let csv = table.csv().expect("rows are of one length");
    vec![
        Page::text(format!("{stem}.csv"), csv),
        Page::text(format!("{stem}.md"), table.markdown()),
        Page::text(format!("{stem}.tex"), table.latex()),
    ]
}

/// The same counts for each pair of operators, as CSV, at order 2; empty at order 1.
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

/// `tables.tex`: a document that holds the tables of `runs` and compiles without changes.
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

fn table(run: &StudyRun) -> Table {
    let counted = ["total", "non-subsumed", "subsumed", "inconsistent", "violating"];
    let counted = counted.map(|title| Head::new(title, title.replace('-', "_")));
    let ratio = [Head::new("ratio", "ratio_percent")];
    let mut table = Table::new([Head::plain("operator")].into_iter().chain(counted).chain(ratio));
    (table.caption, table.note) = (caption(run), sample_note(run));
    table.label = stem(run).trim_start_matches("tables/").replace('/', "-");
    for (name, tally) in rows(run) {
        let ratio = Cell::percent(percent(tally.violating, tally.bad(), 1));
        table.row(name, counts(&tally).map(Cell::plain).into_iter().chain([ratio]));
    }
    table
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
