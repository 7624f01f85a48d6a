//! Ways of arrows on the grid: around boxes and texts, with few bends, and seldom upon each other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::picture::Nested;
use super::sizes::{STEP, TITLE, size};
use crate::drawing::geometry::{Rect, distance};
use tamper_uppaal::Point;

/// Most points of the grid, and most steps of the search. Beyond them, arrows are straight lines.
const MOST_POINTS: usize = 600_000;
const MOST_WORK: usize = 30_000_000;

/// Costs of a step, of a bend, of a step on the border of a box, upon another arrow, and across one.
const GO: u32 = 10;
const BEND: u32 = 16;
const ON_BORDER: u32 = 50;
const UPON: u32 = 70;
const ACROSS: u32 = 16;

/// Up, right, down, left.
const DIRECTIONS: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// A place where an arrow may begin or end.
#[derive(Clone, Copy, Debug)]
struct Port {
    /// On the border.
    at: Point,
    /// The direction away from the border, to the first point of the grid on the way.
    away: usize,
    /// The cost of not being the best one.
    cost: u32,
}

/// The things that an arrow may begin or end at.
#[derive(Clone, Copy, Debug)]
enum End {
    /// From outside, or from inside.
    Box(usize, bool),
    Dot(Point),
    Text(Rect),
}

pub(super) fn route(nested: &mut Nested) {
    let Some(mut grid) = Grid::of(nested) else { return };
    for at in 0..nested.arrows.len() {
        let arrow = &nested.arrows[at];
        let level = arrow.level;
        let end = |at: usize| End::Box(at, Some(at) == level && !arrow.is_initial);
        let source = match (arrow.is_initial, nested.boxes[arrow.source].dot) {
            (true, Some(dot)) => End::Dot(dot),
            _ => end(arrow.source),
        };
        let mut allowed = vec![false; nested.boxes.len() + 1];
        allowed[level.map_or(0, |level| level + 1)] = true;
        for end in [arrow.source]
            .iter()
            .chain(&arrow.targets)
            .filter(|end| Some(**end) != level)
        {
            let around = nested.around(*end).skip(1).take_while(|around| Some(*around) != level);
            around.for_each(|around| allowed[around + 1] = true);
        }
        let mut ways = Vec::new();
        let begin = match arrow.text {
            Some(text) => {
                ways.push(grid.way(nested, source, End::Text(text), &allowed));
                End::Text(text)
            }
            None => source,
        };
        ways.extend(
            arrow
                .targets
                .iter()
                .map(|target| grid.way(nested, begin, end(*target), &allowed)),
        );
        nested.arrows[at].ways = ways;
    }
}

struct Grid {
    corner: Point,
    width: usize,
    height: usize,
    /// Per point: one more than the innermost box that holds it.
    owner: Vec<u32>,
    is_border: Vec<bool>,
    is_text: Vec<bool>,
    /// Per point: whether an arrow goes up or down there, and whether one goes to the left or right.
    used: Vec<[bool; 2]>,
    /// Per point and direction: the least cost, and the direction before it, of the search with that number.
    best: Vec<(u32, u32, u8)>,
    search: u32,
    work: usize,
}

impl Grid {
    fn of(nested: &Nested) -> Option<Self> {
        let areas = nested.boxes.iter().map(|own| own.area);
        let texts = nested.arrows.iter().filter_map(|arrow| arrow.text);
        let whole = areas.chain(texts).reduce(Rect::join)?;
        const MARGIN: f64 = 4.0 * STEP;
        let count = |length: f64| ((length + 2.0 * MARGIN) / STEP) as usize + 1;
        let (width, height) = (count(whole.width()), count(whole.height()));
        let n_points = match width.saturating_mul(height) {
            n_points if n_points > MOST_POINTS => 0,
            n_points => n_points,
        };
        let mut grid = Self {
            corner: (whole.left - MARGIN, whole.top - MARGIN),
            width,
            height,
            owner: vec![0; n_points],
            is_border: vec![false; n_points],
            is_text: vec![false; n_points],
            used: vec![[false; 2]; n_points],
            best: vec![(0, 0, 0); 4 * n_points],
            search: 0,
            work: if n_points == 0 { MOST_WORK } else { 0 },
        };
        if n_points == 0 {
            return Some(grid);
        }
        for (at, own) in nested.boxes.iter().enumerate() {
            let area = own.area;
            grid.each(area, |grid, point, (x, y)| {
                grid.owner[point] = u32::try_from(at + 1).unwrap_or(u32::MAX);
                grid.is_border[point] = x == area.left || x == area.right || y == area.top || y == area.bottom;
            });
            let (width, height) = size(own);
            let title = Rect {
                right: area.left + width,
                bottom: area.top + (height - STEP).max(TITLE),
                ..area
            };
            grid.each(title, |grid, point, (x, y)| {
                grid.is_text[point] |= x > area.left && y > area.top;
            });
            let dot = own.dot.map(|dot| Rect::around(dot, STEP));
            dot.into_iter()
                .for_each(|dot| grid.each(dot, |grid, point, _| grid.is_text[point] = true));
        }
        for text in nested.arrows.iter().filter_map(|arrow| arrow.text) {
            grid.each(text, |grid, point, _| grid.is_text[point] = true);
        }
        Some(grid)
    }

    fn point(&self, (x, y): Point) -> usize {
        let [x, y] = [(x - self.corner.0) / STEP, (y - self.corner.1) / STEP].map(|place| place.round() as usize);
        y.min(self.height - 1) * self.width + x.min(self.width - 1)
    }

    fn place(&self, point: usize) -> Point {
        let whole = |count: usize| crate::drawing::geometry::number(count) * STEP;
        (
            self.corner.0 + whole(point % self.width),
            self.corner.1 + whole(point / self.width),
        )
    }

    fn each(&mut self, area: Rect, mut paint: impl FnMut(&mut Self, usize, Point)) {
        let (first, last) = (self.point((area.left, area.top)), self.point((area.right, area.bottom)));
        for y in first / self.width..=last / self.width {
            for x in first % self.width..=last % self.width {
                let point = y * self.width + x;
                let place = self.place(point);
                paint(self, point, place);
            }
        }
    }

    /// The point one step from `point`, if there is one.
    fn next(&self, point: usize, direction: usize) -> Option<usize> {
        let (x, y) = ((point % self.width) as i32, (point / self.width) as i32);
        let (x, y) = (x + DIRECTIONS[direction].0, y + DIRECTIONS[direction].1);
        let is_inside = (0..self.width as i32).contains(&x) && (0..self.height as i32).contains(&y);
        is_inside.then(|| y as usize * self.width + x as usize)
    }

    /// The way from one end to another.
    fn way(&mut self, nested: &Nested, from: End, to: End, allowed: &[bool]) -> Vec<Point> {
        let (from, to) = (ports(nested, from), ports(nested, to));
        match self.searched(&from, &to, allowed) {
            Some((begin, points, end)) => {
                for pair in points.windows(2) {
                    let is_across = usize::from(pair[0].abs_diff(pair[1]) == 1);
                    pair.iter().for_each(|point| self.used[*point][is_across] = true);
                }
                let mut way = vec![begin];
                way.extend(points.iter().map(|point| self.place(*point)));
                way.push(end);
                straightened(way)
            }
            None => {
                let pairs = from.iter().flat_map(|one| to.iter().map(|other| (one.at, other.at)));
                let nearest = pairs.min_by(|one, other| distance(one.0, one.1).total_cmp(&distance(other.0, other.1)));
                nearest.map(|(begin, end)| vec![begin, end]).unwrap_or_default()
            }
        }
    }

    fn searched(&mut self, from: &[Port], to: &[Port], allowed: &[bool]) -> Option<(Point, Vec<usize>, Point)> {
        if self.work >= MOST_WORK {
            return None;
        }
        self.search += 1;
        let is_free = |grid: &Self, point: usize| !grid.is_text[point] && allowed[grid.owner[point] as usize];
        // Where the way ends: the point before the port, the direction there, and the port.
        let goals: Vec<(usize, usize, &Port)> = to
            .iter()
            .filter_map(|port| Some((self.next(self.point(port.at), port.away)?, (port.away + 2) % 4, port)))
            .collect();
        let aim = to.iter().map(|port| Rect::around(port.at, 0.0)).reduce(Rect::join)?;
        let left = |place: Point| {
            let across = (aim.left - place.0).max(place.0 - aim.right).max(0.0);
            let down = (aim.top - place.1).max(place.1 - aim.bottom).max(0.0);
            // Whole steps.
            ((across + down) / STEP) as u32 * GO
        };
        let mut open = BinaryHeap::new();
        for port in from {
            let Some(point) = self.next(self.point(port.at), port.away) else {
                continue;
            };
            if is_free(self, point) {
                let cost = port.cost + self.cost(point, port.away);
                self.best[4 * point + port.away] = (self.search, cost, 4);
                open.push(Reverse((
                    cost + left(self.place(point)),
                    cost,
                    4 * point + port.away,
                    usize::MAX,
                )));
            }
        }
        let mut found: Option<(u32, usize, Point)> = None;
        while let Some(Reverse((estimate, cost, state, _))) = open.pop() {
            self.work += 1;
            if found.is_some_and(|(best, ..)| best <= estimate) || self.work >= MOST_WORK {
                break;
            }
            if self.best[state].1 < cost {
                continue;
            }
            let (point, direction) = (state / 4, state % 4);
            for (_, _, port) in goals.iter().filter(|goal| (goal.0, goal.1) == (point, direction)) {
                if found.is_none_or(|(best, ..)| cost + port.cost < best) {
                    found = Some((cost + port.cost, state, port.at));
                }
            }
            for turn in [0, 1, 3] {
                let turned = (direction + turn) % 4;
                let (reached, more) = match turn {
                    0 => match self.next(point, direction).filter(|next| is_free(self, *next)) {
                        Some(next) => (next, self.cost(next, direction)),
                        None => continue,
                    },
                    _ => (point, BEND),
                };
                let (next, cost) = (4 * reached + turned, cost + more);
                let (search, known, _) = self.best[next];
                if search != self.search || cost < known {
                    self.best[next] = (self.search, cost, direction as u8);
                    open.push(Reverse((cost + left(self.place(reached)), cost, next, state)));
                }
            }
        }
        let (_, mut state, end) = found?;
        let mut points = vec![state / 4];
        loop {
            let (point, direction) = (state / 4, state % 4);
            let before = usize::from(self.best[state].2);
            if before == 4 {
                break;
            }
            let point = match before == direction {
                true => self.next(point, (direction + 2) % 4)?,
                false => point,
            };
            state = 4 * point + before;
            if points.last() != Some(&point) {
                points.push(point);
            }
        }
        points.reverse();
        let begin = from.iter().find(|port| {
            let first = self.next(self.point(port.at), port.away);
            first == Some(state / 4) && port.away == state % 4
        })?;
        Some((begin.at, points, end))
    }

    /// The cost of a step to that point.
    fn cost(&self, point: usize, direction: usize) -> u32 {
        let is_across = direction % 2;
        let used = self.used[point];
        let border = if self.is_border[point] { ON_BORDER } else { 0 };
        let upon = if used[is_across] { UPON } else { 0 };
        let across = if used[1 - is_across] { ACROSS } else { 0 };
        GO + border + upon + across
    }
}

/// The places where an arrow may begin or end.
fn ports(nested: &Nested, end: End) -> Vec<Port> {
    let (area, is_inside, corner) = match end {
        End::Box(at, is_inside) => (nested.boxes[at].area, is_inside, 2.0 * STEP),
        End::Dot(dot) => (Rect::around(dot, STEP), false, STEP),
        End::Text(text) => (text, false, STEP),
    };
    let middle = ((area.left + area.right) / 2.0, (area.top + area.bottom) / 2.0);
    let mut ports = Vec::new();
    let sides = [area.top, area.right, area.bottom, area.left];
    for (side, place) in sides.into_iter().enumerate() {
        let (half, middle_of_side) = match side % 2 {
            0 => (area.width() / 2.0, middle.0),
            _ => (area.height() / 2.0, middle.1),
        };
        let most = ((half - corner) / STEP).max(0.0).floor();
        for step in 0..=(most as i32) {
            for sign in [1, -1].into_iter().take(if step == 0 { 1 } else { 2 }) {
                let along = (middle_of_side + f64::from(sign * step) * STEP) / STEP;
                let along = along.round() * STEP;
                let away = if is_inside { (side + 2) % 4 } else { side };
                let at = if side % 2 == 0 { (along, place) } else { (place, along) };
                ports.push(Port {
                    at,
                    away,
                    cost: step.unsigned_abs(),
                });
            }
        }
    }
    ports
}

/// The way without points between which it does not bend.
fn straightened(way: Vec<Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for point in way {
        let is_on = |[a, b]: [Point; 2]| (a.0 == b.0 && b.0 == point.0) || (a.1 == b.1 && b.1 == point.1);
        if kept.last_chunk().is_some_and(|last: &[Point; 2]| is_on(*last)) {
            kept.pop();
        }
        kept.push(point);
    }
    kept
}
