//! Figures 22 and 23 of \[003\], drawn by kuva as SVG, and the numbers in them as CSV.
//!
//! The colours are Okabe and Ito's, which people with any colour vision tell apart; each series also has a hatch of
//! its own and each bar its number, so that the figures can be read without colour.

use std::fmt::Write as _;

use kuva::backend::svg::SvgBackend;
use kuva::plot::{BarPlot, FillPattern};
use kuva::render::annotations::TextAnnotation;
use kuva::render::bw::register_pattern;
use kuva::render::color::Color;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::{Primitive, Scene, render_multiple};

use super::page::Page;
use crate::experiment::Tally;
use crate::experiment::reproduction::{Study, StudyRun, chance, chance_with_guidelines};
use crate::game::Semantics;
use crate::mutation::Order;

/// One series of bars: its name, colour and hatch, and its number for a study in per cent.
struct Series {
    name: &'static str,
    colour: &'static str,
    hatch: FillPattern,
    order: Order,
    value: fn(&Tally) -> f64,
}

/// A grouped bar chart.
struct Figure {
    path: &'static str,
    title: &'static str,
    axis: &'static str,
    width: f64,
    series: &'static [Series],
}

const DETECTED: fn(&Tally) -> f64 = |tally| 100.0 * tally.ratio().unwrap_or(0.0);

const FIGURES: [Figure; 2] = [
    Figure {
        path: "figures/fig22",
        title: "Subsumed and inconsistent mutants that the guidelines detect",
        axis: "detected (%)",
        width: 760.0,
        series: &[
            Series {
                name: "order 1",
                colour: "#0072B2",
                hatch: FillPattern::Solid,
                order: Order::FIRST,
                value: DETECTED,
            },
            Series {
                name: "order 2",
                colour: "#E69F00",
                hatch: FillPattern::DiagonalForward,
                order: Order::SECOND,
                value: DETECTED,
            },
        ],
    },
    Figure {
        path: "figures/fig23",
        title: "Probability that a random mutant is subsumed or inconsistent",
        axis: "probability (%)",
        width: 1080.0,
        series: &[
            Series {
                name: "order 1",
                colour: "#0072B2",
                hatch: FillPattern::Solid,
                order: Order::FIRST,
                value: chance,
            },
            Series {
                name: "order 1, guidelines",
                colour: "#56B4E9",
                hatch: FillPattern::DiagonalBack,
                order: Order::FIRST,
                value: chance_with_guidelines,
            },
            Series {
                name: "order 2",
                colour: "#D55E00",
                hatch: FillPattern::Horizontal,
                order: Order::SECOND,
                value: chance,
            },
            Series {
                name: "order 2, guidelines",
                colour: "#E69F00",
                hatch: FillPattern::DiagonalForward,
                order: Order::SECOND,
                value: chance_with_guidelines,
            },
        ],
    },
];

/// Both figures, from the runs in the published semantics; nothing unless there are some at both orders.
pub fn figure_pages(runs: &[StudyRun]) -> Vec<Page> {
    let mut pages = Vec::new();
    for figure in &FIGURES {
        let groups = figure.groups(runs);
        if groups.is_empty() {
            continue;
        }
        let drawing = SvgBackend::new().render_scene(&figure.scene(&groups));
        pages.push(Page::text(format!("{}.csv", figure.path), figure.csv(&groups)));
        pages.push(Page::text(format!("{}.svg", figure.path), drawing));
    }
    pages
}

/// A study and its numbers, one per series.
type Group = (&'static str, Vec<f64>);

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
            let values = self
                .series
                .iter()
                .map(|series| tally(*study, series.order).map(series.value));
            Some((study.title, values.collect::<Option<Vec<_>>>()?))
        };
        Study::ALL.iter().filter_map(group).collect()
    }

    fn csv(&self, groups: &[Group]) -> String {
        let names: Vec<_> = self
            .series
            .iter()
            .map(|series| series.name.replace(", ", " with "))
            .collect();
        let mut text = format!("study,{}\n", names.join(","));
        for (study, values) in groups {
            let values: Vec<_> = values.iter().map(|value| format!("{value:.2}")).collect();
            let _ = writeln!(text, "{study},{}", values.join(","));
        }
        text
    }

    fn scene(&self, groups: &[Group]) -> Scene {
        let mut plot = BarPlot::new().with_width(WIDTH);
        for (study, values) in groups {
            let bars = values
                .iter()
                .zip(self.series)
                .map(|(value, series)| (*value, series.colour));
            plot = plot.with_group(*study, bars);
        }
        let plot = plot.with_legend(self.series.iter().map(|series| series.name).collect());
        let plots = vec![Plot::Bar(plot)];
        let mut layout = Layout::auto_from_plots(&plots)
            .with_title(self.title)
            .with_y_label(self.axis)
            .with_show_grid(false)
            .with_y_axis_min(0.0)
            .with_y_axis_max(100.0)
            .with_width(self.width)
            .with_height(380.0);
        for (at, (_, values)) in (1_u32..).zip(groups) {
            for (position, value) in (0_u32..).zip(values) {
                let label = TextAnnotation::new(format!("{value:.0}"), self.centre(at, position), value + 1.2);
                layout = layout.with_annotation(label.with_font_size(10));
            }
        }
        let mut scene = render_multiple(plots, layout);
        for series in self.series {
            hatch(&mut scene, series);
        }
        scene
    }

    /// Where the middle of a bar is on the axis of studies, the first of which is at 1.
    fn centre(&self, group: u32, position: u32) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "a handful of series")]
        let bar = WIDTH / self.series.len() as f64;
        f64::from(group) - WIDTH / 2.0 + bar * (f64::from(position) + 0.5)
    }
}

/// The share of its place that a group of bars takes.
const WIDTH: f64 = 0.84;

/// Lays the series' hatch over everything that has its colour, the legend included.
fn hatch(scene: &mut Scene, series: &Series) {
    if !series.hatch.is_patterned() {
        return;
    }
    let pattern = register_pattern(scene, series.hatch);
    let colour = Color::from(series.colour);
    let mut elements = Vec::with_capacity(scene.elements.len());
    for element in scene.elements.drain(..) {
        let over = match &element {
            Primitive::Rect {
                x,
                y,
                width,
                height,
                fill,
                ..
            } if is_same(fill, &colour) => Some(Primitive::Rect {
                x: *x,
                y: *y,
                width: *width,
                height: *height,
                fill: Color::from(pattern.as_str()),
                stroke: None,
                stroke_width: None,
                opacity: None,
            }),
            _ => None,
        };
        elements.push(element);
        elements.extend(over);
    }
    scene.elements = elements;
}

fn is_same(one: &Color, other: &Color) -> bool {
    match (one, other) {
        (Color::Rgb(r, g, b), Color::Rgb(red, green, blue)) => (r, g, b) == (red, green, blue),
        _ => false,
    }
}
