//! Grouped bars of numbers in per cent, as SVG.
//!
//! Each series has a colour and a hatch of its own, and each bar its number, so that the chart can be read without colour.

use std::fmt::Write as _;

use super::geometry::{LINE, Rect};
use super::svg::document;
use crate::formats::{Point, escape_xml};

/// A bar chart: groups side by side, in each of them one bar per series.
pub struct BarChart<'a> {
    /// The text above the chart.
    pub title: &'a str,
    /// The text beside the vertical axis.
    pub axis: &'a str,
    /// The bars of each group, from left to right.
    pub series: Vec<&'a Series>,
    /// The groups, from left to right.
    pub groups: &'a [Group],
}

/// What the bars of one position in every group have in common.
pub struct Series {
    /// Its name in the legend.
    pub name: &'static str,
    /// The fill of its bars.
    pub colour: &'static str,
    /// The lines over its bars, as a path through a square of 6 by 6 that is repeated; empty for none.
    pub hatch: &'static str,
}

impl Series {
    /// The series with all its parts.
    pub const fn new(name: &'static str, colour: &'static str, hatch: &'static str) -> Self {
        Self { name, colour, hatch }
    }
}

/// The bars above one name.
pub struct Group {
    /// The name below the bars.
    pub name: &'static str,
    /// The height of each series' bar in per cent.
    pub values: Vec<f64>,
}

const HEIGHT: f64 = 280.0;
const BAR: f64 = 30.0;
const GAP: f64 = 22.0;

/// The picture of `chart`; the same bytes for the same numbers.
pub fn bars_svg(chart: &BarChart<'_>) -> String {
    let mut picture = Picture::default();
    picture.hatches(&chart.series);
    let mut left = GAP;
    for group in chart.groups {
        let start = left;
        for (number, (value, series)) in group.values.iter().zip(&chart.series).enumerate() {
            let height = HEIGHT * value / 100.0;
            picture.bar(
                Rect {
                    left,
                    top: HEIGHT - height,
                    right: left + BAR,
                    bottom: HEIGHT,
                },
                series,
                number,
            );
            let above = (left + BAR / 2.0, HEIGHT - height - 4.0);
            picture.text(&format!("{value:.0}"), above, "middle", " font-size=\"10\"");
            left += BAR;
        }
        picture.text(group.name, ((start + left) / 2.0, HEIGHT + LINE + 2.0), "middle", "");
        left += GAP;
    }
    for percent in (0_u32..=100).step_by(20) {
        let y = HEIGHT - HEIGHT * f64::from(percent) / 100.0;
        picture.line((-5.0, y), (0.0, y));
        picture.text(&percent.to_string(), (-8.0, y + 4.0), "end", "");
    }
    picture.line((0.0, 0.0), (0.0, HEIGHT));
    picture.line((0.0, HEIGHT), (left, HEIGHT));
    picture.text(chart.title, (left / 2.0, -24.0), "middle", " font-size=\"16\"");
    let turned = format!(" transform=\"rotate(-90,-42,{0:.0})\"", HEIGHT / 2.0);
    picture.text(chart.axis, (-42.0, HEIGHT / 2.0), "middle", &turned);
    let mut right = left;
    for (number, series) in chart.series.iter().enumerate() {
        let top = f64::from(u32::try_from(number).unwrap_or(u32::MAX)) * (LINE + 3.0);
        picture.bar(
            Rect {
                left: left + GAP,
                top,
                right: left + GAP + 12.0,
                bottom: top + 12.0,
            },
            series,
            number,
        );
        let at = (left + GAP + 18.0, top + 10.0);
        picture.text(series.name, at, "start", "");
        right = right.max(Rect::of_text(series.name, at).right);
    }
    let area = Rect {
        left: -56.0,
        top: -44.0,
        right,
        bottom: HEIGHT + LINE + 6.0,
    };
    document(&area, &picture.body)
}

/// The body of an SVG that grows.
#[derive(Default)]
struct Picture {
    body: String,
}

// Writing to a string does not fail.
impl Picture {
    fn hatches(&mut self, series: &[&Series]) {
        for (number, series) in series.iter().enumerate().filter(|(_, series)| !series.hatch.is_empty()) {
            let _ = writeln!(
                self.body,
                "<pattern id=\"hatch{number}\" patternUnits=\"userSpaceOnUse\" width=\"6\" height=\"6\">\
                 <path d=\"{}\" stroke=\"black\" stroke-width=\"0.6\" fill=\"none\"/></pattern>",
                series.hatch
            );
        }
    }
    /// A bar, and the hatch of its series over it.
    fn bar(&mut self, area: Rect, series: &Series, number: usize) {
        let hatch = format!("url(#hatch{number})");
        let fills = [Some(series.colour), (!series.hatch.is_empty()).then_some(&*hatch)];
        for fill in fills.into_iter().flatten() {
            let _ = writeln!(
                self.body,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{fill}\"/>",
                area.left,
                area.top,
                area.width(),
                area.height()
            );
        }
    }
    fn line(&mut self, from: Point, to: Point) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"black\"/>",
            from.0, from.1, to.0, to.1
        );
    }
    fn text(&mut self, text: &str, at: Point, anchor: &str, more: &str) {
        let _ = writeln!(
            self.body,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\"{more}>{}</text>",
            at.0,
            at.1,
            escape_xml(text)
        );
    }
}
