//! Figures 22 and 23 of \[003\] as SVG, and the numbers in them as CSV.
//!
//! The colours are Okabe and Ito's, which people with any colour vision can tell apart.

use std::fmt::Write as _;

use super::page::Page;
use crate::experiment::Tally;
use crate::game::Semantics;
use crate::mutation::Order;
use crate::report::{BACK, BarChart, FORWARD, Group, HORIZONTAL, SOLID, Series, bars_svg};
use crate::reproduction::{Study, StudyRun, chance, chance_with_guidelines};

/// A grouped bar chart of the studies.
struct Figure {
    path: &'static str,
    title: &'static str,
    axis: &'static str,
    bars: &'static [Bar],
}

/// A bar of every study: its look, and its number in per cent of the mutants of an order.
struct Bar {
    series: Series,
    order: Order,
    value: fn(&Tally) -> f64,
}

const DETECTED: fn(&Tally) -> f64 = |tally| 100.0 * tally.ratio().unwrap_or(0.0);

const FIGURES: [Figure; 2] = [
    Figure {
        path: "figures/fig22",
        title: "Subsumed and inconsistent mutants that the guidelines detect",
        axis: "detected (%)",
        bars: &[
            Bar {
                series: Series::new("order 1", "#0072B2", SOLID),
                order: Order::FIRST,
                value: DETECTED,
            },
            Bar {
                series: Series::new("order 2", "#E69F00", FORWARD),
                order: Order::SECOND,
                value: DETECTED,
            },
        ],
    },
    Figure {
        path: "figures/fig23",
        title: "Probability that a random mutant is subsumed or inconsistent",
        axis: "probability (%)",
        bars: &[
            Bar {
                series: Series::new("order 1", "#0072B2", SOLID),
                order: Order::FIRST,
                value: chance,
            },
            Bar {
                series: Series::new("order 1, guidelines", "#56B4E9", BACK),
                order: Order::FIRST,
                value: chance_with_guidelines,
            },
            Bar {
                series: Series::new("order 2", "#D55E00", HORIZONTAL),
                order: Order::SECOND,
                value: chance,
            },
            Bar {
                series: Series::new("order 2, guidelines", "#E69F00", FORWARD),
                order: Order::SECOND,
                value: chance_with_guidelines,
            },
        ],
    },
];

/// Both figures, from the runs in the published semantics; empty unless there are runs at both orders.
pub fn figure_pages(runs: &[StudyRun]) -> Vec<Page> {
    let mut pages = Vec::new();
    for figure in &FIGURES {
        let groups = figure.groups(runs);
        if groups.is_empty() {
            continue;
        }
        pages.push(Page::text(format!("{}.csv", figure.path), figure.csv(&groups)));
        let chart = BarChart {
            title: figure.title,
            axis: figure.axis,
            series: figure.bars.iter().map(|bar| &bar.series).collect(),
            groups: &groups,
        };
        pages.push(Page::text(format!("{}.svg", figure.path), bars_svg(&chart)));
    }
    pages
}

impl Figure {
    /// The studies that were run at every order the figure shows.
    fn groups(&self, runs: &[StudyRun]) -> Vec<Group> {
        let tally = |study, order| {
            let is_it = |run: &&StudyRun| {
                run.study == study && run.setting.order == order && run.setting.semantics == Semantics::TIGA
            };
            runs.iter().find(is_it).map(|run| run.summary.total())
        };
        let group = |study: &Study| {
            let values = self.bars.iter().map(|bar| tally(*study, bar.order).map(bar.value));
            Some(Group {
                name: study.title.to_owned(),
                values: values.collect::<Option<_>>()?,
            })
        };
        Study::ALL.iter().filter_map(group).collect()
    }

    fn csv(&self, groups: &[Group]) -> String {
        let names: Vec<_> = self
            .bars
            .iter()
            .map(|bar| bar.series.name.replace(", ", " with "))
            .collect();
        let mut text = format!("study,{}\n", names.join(","));
        for group in groups {
            let values: Vec<_> = group.values.iter().map(|value| format!("{value:.2}")).collect();
            let _ = writeln!(text, "{},{}", group.name, values.join(","));
        }
        text
    }
}
