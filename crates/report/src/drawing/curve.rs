//! A curve in per cent that grows step by step, as SVG.

use super::bars::{HEIGHT, Picture, text};
use super::geometry::{LINE, Rect, number};
use super::shapes::tenth;
use super::svg::document;
use tamper_text::xml::Element;

/// A curve of numbers in per cent, one per step.
pub struct CurveChart<'a> {
    /// The text above the chart.
    pub title: &'a str,
    /// The text beside the vertical axis.
    pub axis: &'a str,
    /// The name of a step, below the horizontal axis.
    pub below: &'a str,
    /// The number before the first step, then after each.
    pub values: Vec<f64>,
}

const WIDTH: f64 = 420.0;

/// The picture of `chart`; the same bytes for the same numbers.
pub fn curve_svg(chart: &CurveChart<'_>) -> String {
    let n_steps = chart.values.len().saturating_sub(1);
    let x = |step: usize| WIDTH * number(step) / number(n_steps.max(1));
    let y = |value: f64| HEIGHT - HEIGHT * value / 100.0;
    let mut picture = Picture::default();
    let mut way = String::new();
    for (step, value) in chart.values.iter().enumerate() {
        let sign = if step == 0 { "M" } else { " H" };
        // A step is flat until its test has run, then it rises.
        way += &match step {
            0 => format!("{sign}{} {}", tenth(x(0)), tenth(y(*value))),
            _ => format!("{sign}{} V{}", tenth(x(step)), tenth(y(*value))),
        };
    }
    let line = Element::new("path").with("d", way).with("fill", "none");
    picture.add(line.with("stroke", "#0072B2").with("stroke-width", 2));
    picture.axes(WIDTH);
    for step in ticks(n_steps) {
        picture.line((x(step), HEIGHT), (x(step), HEIGHT + 5.0));
        picture.add(text(&step.to_string(), (x(step), HEIGHT + LINE + 4.0), "middle"));
    }
    picture.add(text(chart.below, (WIDTH / 2.0, HEIGHT + 2.0 * LINE + 6.0), "middle"));
    picture.head(chart.title, chart.axis, WIDTH);
    let area = Rect {
        left: -56.0,
        top: -44.0,
        right: WIDTH,
        bottom: HEIGHT + 2.0 * LINE + 10.0,
    };
    document(&area.join(Rect::of_heading(chart.title, WIDTH / 2.0)), picture.parts)
}

/// At most eleven steps that are numbered below the axis: 0, and the multiples of a round number.
fn ticks(n_steps: usize) -> impl Iterator<Item = usize> {
    let round = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_usize.pow(power)));
    let mut round = round.skip_while(move |between| n_steps / between > 10);
    (0..=n_steps).step_by(round.next().unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_few_and_round() {
        assert_eq!(ticks(0).collect::<Vec<_>>(), [0]);
        assert_eq!(ticks(3).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(ticks(45).collect::<Vec<_>>(), [0, 5, 10, 15, 20, 25, 30, 35, 40, 45]);
        assert!(ticks(123_456).count() <= 11);
    }

    /// By hand: a half after one of two steps, and all after both; 420 wide, 280 high.
    #[test]
    fn a_curve_rises_at_the_end_of_each_step() {
        let values = vec![0.0, 50.0, 100.0];
        let svg = curve_svg(&CurveChart {
            title: "growth",
            axis: "killed (%)",
            below: "tests",
            values,
        });
        assert!(svg.contains("M0.0 280.0 H210.0 V140.0 H420.0 V0.0"), "{svg}");
        assert!(roxmltree::Document::parse(&svg).is_ok());
    }
}
