//! Grouped bars of numbers in per cent, as SVG.
//!
//! Each series has its own colour and hatch, and each bar shows its number, so that the chart can be read without colour.

use super::geometry::{LINE, Rect};
use super::shapes::{rectangle, tenth, text_at};
use super::svg::document;
use tamper_text::xml::Element;
use tamper_uppaal::Point;

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

/// A series: the bars at one position in every group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: &'static str,
    /// The fill of its bars.
    pub colour: &'static str,
    /// The lines over its bars, as a path through a square of 6 by 6 that is repeated; empty for none.
    pub hatch: &'static str,
}

impl Series {
    /// A series with these parts.
    pub const fn new(name: &'static str, colour: &'static str, hatch: &'static str) -> Self {
        Self { name, colour, hatch }
    }
}

/// The bars above one name.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// The name below the bars.
    pub name: String,
    /// The height of each series' bar in per cent.
    pub values: Vec<f64>,
}

pub(super) const HEIGHT: f64 = 280.0;
/// No lines over bars.
pub const SOLID: &str = "";
/// Rising lines.
pub const FORWARD: &str = "M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2";
/// Falling lines.
pub const BACK: &str = "M-1,5 l2,2 M0,0 l6,6 M5,-1 l2,2";
/// Level lines.
pub const HORIZONTAL: &str = "M0,3 h6";

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
            let bar = Rect {
                left,
                top: HEIGHT - height,
                right: left + BAR,
                bottom: HEIGHT,
            };
            picture.bar(&bar, series, number);
            let above = (left + BAR / 2.0, bar.top - 4.0);
            picture.add(text(&format!("{value:.0}"), above, "middle").with("font-size", 10));
            left += BAR;
        }
        picture.add(text(&group.name, ((start + left) / 2.0, HEIGHT + LINE + 2.0), "middle"));
        left += GAP;
    }
    picture.axes(left);
    picture.head(chart.title, chart.axis, left);
    let area = Rect {
        left: -56.0,
        top: -44.0,
        right: picture.legend(&chart.series, left + GAP),
        bottom: HEIGHT + LINE + 6.0,
    };
    document(&area.join(Rect::of_heading(chart.title, left / 2.0)), picture.parts)
}

/// The parts of a picture that grows.
#[derive(Default)]
pub(super) struct Picture {
    pub parts: Vec<Element>,
}

impl Picture {
    fn hatches(&mut self, series: &[&Series]) {
        let hatched = series.iter().enumerate().filter(|(_, series)| !series.hatch.is_empty());
        self.parts.extend(hatched.map(|(number, series)| {
            let lines = Element::new("path").with("d", series.hatch).with("stroke", "black");
            Element::new("pattern")
                .with("id", format!("hatch{number}"))
                .with("patternUnits", "userSpaceOnUse")
                .with("width", 6)
                .with("height", 6)
                .child(lines.with("stroke-width", 0.6).with("fill", "none"))
        }));
    }
    /// A bar, and the hatch of its series over it.
    fn bar(&mut self, area: &Rect, series: &Series, number: usize) {
        self.parts.push(rectangle(area).with("fill", series.colour));
        if !series.hatch.is_empty() {
            self.parts
                .push(rectangle(area).with("fill", format!("url(#hatch{number})")));
        }
    }
    /// Both axes, the vertical one from 0 to 100.
    pub fn axes(&mut self, right: f64) {
        for percent in (0_u32..=100).step_by(20) {
            let y = HEIGHT - HEIGHT * f64::from(percent) / 100.0;
            self.line((-5.0, y), (0.0, y));
            self.add(text(&percent.to_string(), (-8.0, y + 4.0), "end"));
        }
        self.line((0.0, 0.0), (0.0, HEIGHT));
        self.line((0.0, HEIGHT), (right, HEIGHT));
    }
    /// Draws the names of the series, from `left` on, and returns their right end.
    fn legend(&mut self, series: &[&Series], left: f64) -> f64 {
        let (mut top, mut right) = (0.0, left);
        for (number, series) in series.iter().enumerate() {
            let sample = Rect {
                left,
                top,
                right: left + 12.0,
                bottom: top + 12.0,
            };
            self.bar(&sample, series, number);
            let at = (left + 18.0, top + 10.0);
            self.add(text(series.name, at, "start"));
            right = f64::max(right, Rect::of_text(series.name, at).right);
            top += LINE + 3.0;
        }
        right
    }
    pub fn add(&mut self, part: Element) {
        self.parts.push(part);
    }
    /// Draws the title in the middle of a chart of that width, and the name of the vertical axis.
    pub fn head(&mut self, title: &str, axis: &str, width: f64) {
        self.title(title, width / 2.0);
        let turned = format!("rotate(-90,-42,{:.0})", HEIGHT / 2.0);
        self.add(text(axis, (-42.0, HEIGHT / 2.0), "middle").with("transform", turned));
    }
    pub fn title(&mut self, title: &str, middle: f64) {
        self.add(text(title, (middle, -24.0), "middle").with("font-size", 16));
    }
    pub fn line(&mut self, from: Point, to: Point) {
        let line = Element::new("line").with("x1", tenth(from.0)).with("y1", tenth(from.1));
        let line = line.with("x2", tenth(to.0)).with("y2", tenth(to.1));
        self.parts.push(line.with("stroke", "black"));
    }
}

/// A text whose `anchor` (`start`, `middle` or `end`) is at a point.
pub(super) fn text(text: &str, at: Point, anchor: &str) -> Element {
    text_at(at.0, at.1).with("text-anchor", anchor).text(text)
}
