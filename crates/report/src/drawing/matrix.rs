//! A matrix of filled and empty fields, as SVG.

use super::bars::{Picture, text};
use super::geometry::{LINE, Rect, number};
use super::shapes::rectangle;
use super::svg::document;

/// A matrix of fields that are filled or empty.
pub struct MatrixChart<'a> {
    /// The text above the chart.
    pub title: &'a str,
    /// The rows: a name, and the columns that are filled, in ascending order.
    pub rows: Vec<(&'a str, Vec<usize>)>,
    /// The groups of neighbouring columns: a name, and the number of columns.
    pub groups: Vec<(&'a str, usize)>,
}

/// The width of all columns together, unless a column would be too narrow or too wide.
const WIDTH: f64 = 720.0;
const NARROWEST: f64 = 0.5;
const WIDEST: f64 = 12.0;

/// The picture of `chart`; the same bytes for the same matrix.
pub fn matrix_svg(chart: &MatrixChart<'_>) -> String {
    let n_columns: usize = chart.groups.iter().map(|(_, n)| n).sum();
    let width = (WIDTH / number(n_columns.max(1))).clamp(NARROWEST, WIDEST);
    let (right, bottom) = (number(n_columns) * width, number(chart.rows.len()) * LINE);
    let mut picture = Picture::default();
    let mut left: f64 = 0.0;
    for (row, (name, filled)) in chart.rows.iter().enumerate() {
        let top = number(row) * LINE;
        for (from, to) in stretches(filled) {
            let field = Rect {
                left: number(from) * width,
                top: top + 1.0,
                right: number(to) * width,
                bottom: top + LINE - 1.0,
            };
            picture.add(rectangle(&field).with("fill", "#0072B2"));
        }
        picture.add(text(name, (-6.0, top + LINE - 4.0), "end"));
        left = left.min(-6.0 - Rect::of_text(name, (0.0, 0.0)).width());
    }
    let (mut column, mut named) = (0, f64::NEG_INFINITY);
    for (name, n) in &chart.groups {
        let middle = (number(column) + number(*n) / 2.0) * width;
        // Names stand upright and are shifted to the right, so that the names of narrow groups do not overlap.
        named = f64::max(middle, named + LINE - 2.0);
        let turned = format!("rotate(-90,{named:.1},{:.1})", bottom + 8.0);
        picture.add(text(name, (named + 4.0, bottom + 8.0), "end").with("transform", turned));
        column += n;
        picture.line((number(column) * width, 0.0), (number(column) * width, bottom + 4.0));
    }
    picture.line((0.0, 0.0), (0.0, bottom + 4.0));
    picture.line((0.0, bottom), (right, bottom));
    picture.title(chart.title, right / 2.0);
    let longest = chart
        .groups
        .iter()
        .map(|(name, _)| Rect::of_text(name, (0.0, 0.0)).width());
    let area = Rect {
        left,
        top: -44.0,
        right: f64::max(right, named + LINE),
        bottom: bottom + 10.0 + longest.fold(0.0, f64::max),
    };
    document(&area.join(Rect::of_heading(chart.title, right / 2.0)), picture.parts)
}

/// The stretches of consecutive numbers among ascending ones: the first number, and the one after the last.
fn stretches(filled: &[usize]) -> Vec<(usize, usize)> {
    let mut stretches: Vec<(usize, usize)> = Vec::new();
    for at in filled {
        match stretches.last_mut() {
            Some((_, to)) if *to == *at => *to += 1,
            _ => stretches.push((*at, at + 1)),
        }
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_field() {
        assert_eq!(stretches(&[0, 1, 2, 5, 7, 8]), [(0, 3), (5, 6), (7, 9)]);
        assert_eq!(stretches(&[]), []);
    }

    /// By hand: four columns are 12 wide each, so that the last two begin at 24.
    #[test]
    fn a_matrix_has_a_field_for_each_stretch() {
        let svg = matrix_svg(&MatrixChart {
            title: "kills",
            rows: vec![("t1", vec![0, 2, 3]), ("t2", vec![])],
            groups: vec![("TMI", 3), ("CXL", 1)],
        });
        let xml = roxmltree::Document::parse(&svg).unwrap();
        let fields = xml
            .descendants()
            .filter(|node| node.attribute("fill") == Some("#0072B2"));
        let places: Vec<_> = fields
            .map(|field| (field.attribute("x"), field.attribute("width")))
            .collect();
        assert_eq!(places, [(Some("0.0"), Some("12.0")), (Some("24.0"), Some("24.0"))]);
    }
}
