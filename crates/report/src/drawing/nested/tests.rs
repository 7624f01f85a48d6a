//! A judge that knows only the SVG, and random boxes and arrows.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::nested_boxes;
use super::svg::nested_shapes;
use crate::drawing::geometry::Rect;
use crate::drawing::svg::document;
use tamper_timed::model::{BoxKind, Hierarchy, NestedArrow, NestedBox};

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % most as u64) as usize
    }
}

/// Up to 40 states, each before those within it.
fn random(random: &mut Random) -> Hierarchy {
    let n_boxes = 3 + random.below(38);
    let mut parents = vec![None];
    let mut path: Vec<usize> = vec![0];
    while parents.len() < n_boxes {
        path.truncate(1 + random.below(path.len().min(5)));
        parents.push(path.last().copied());
        path.push(parents.len() - 1);
    }
    let has_children = |at: usize| parents.contains(&Some(at));
    let kinds = [
        BoxKind::Plain,
        BoxKind::Final,
        BoxKind::History { deep: true },
        BoxKind::History { deep: false },
    ];
    let boxes: Vec<NestedBox> = (0..n_boxes)
        .map(|at| NestedBox {
            name: format!("{}{at}", ["s", "waiting", "a_state_with_a_long_name"][random.below(3)]).into(),
            parent: parents[at],
            kind: match (has_children(at), random.below(5)) {
                (true, 0) => BoxKind::Parallel,
                (true, _) => BoxKind::Plain,
                (false, kind) => kinds[kind.min(3) * usize::from(random.below(3) == 0)],
            },
            notes: (0..random.below(3))
                .map(|note| format!("{note} / does {note}").into())
                .collect(),
        })
        .collect();
    let mut arrows = Vec::new();
    for at in (0..n_boxes).filter(|at| has_children(*at) && boxes[*at].kind == BoxKind::Plain) {
        let children: Vec<usize> = (0..n_boxes).filter(|child| parents[*child] == Some(at)).collect();
        arrows.push(NestedArrow {
            source: at,
            targets: vec![children[random.below(children.len())]],
            is_initial: true,
            label: ["", "/ begins"][random.below(2)].into(),
        });
    }
    for number in 0..n_boxes + random.below(n_boxes) {
        let n_targets = [0, 1, 1, 1, 1, 1, 2][random.below(7)];
        arrows.push(NestedArrow {
            source: random.below(n_boxes),
            targets: (0..n_targets).map(|_| random.below(n_boxes)).collect(),
            is_initial: false,
            label: match random.below(4) {
                0 => format!("e{number} [guard && other] / does this, and that as well"),
                _ => format!("e{number}"),
            }
            .into(),
        });
    }
    Hierarchy {
        boxes,
        arrows,
        ..Hierarchy::default()
    }
}

/// What a group of the SVG shows.
#[derive(Default)]
struct Shown {
    rects: Vec<Rect>,
    texts: Vec<String>,
    circles: Vec<(f64, f64)>,
    ways: Vec<Vec<(f64, f64)>>,
}

fn shown(group: roxmltree::Node<'_, '_>) -> Shown {
    let mut shown = Shown::default();
    for shape in group.children().filter(|node| node.is_element()) {
        let number = |name: &str| shape.attribute(name).map_or(0.0, |text| text.parse().unwrap());
        match shape.tag_name().name() {
            "rect" => shown.rects.push(Rect {
                left: number("x"),
                top: number("y"),
                right: number("x") + number("width"),
                bottom: number("y") + number("height"),
            }),
            "text" => shown.texts.push(
                shape
                    .descendants()
                    .filter(|node| node.is_text())
                    .map(|node| node.text().unwrap())
                    .collect(),
            ),
            "circle" => shown.circles.push((number("cx"), number("cy"))),
            "path" if shape.attribute("fill") == Some("none") => {
                let words = shape.attribute("d").unwrap().replace(['M', 'L', 'Q'], "");
                let numbers: Vec<f64> = words.split_whitespace().map(|word| word.parse().unwrap()).collect();
                shown
                    .ways
                    .push(numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect());
            }
            _ => {}
        }
    }
    shown
}

fn holds(outer: &Rect, inner: &Rect) -> bool {
    outer.left < inner.left && outer.top < inner.top && inner.right < outer.right && inner.bottom < outer.bottom
}

fn is_on_border(area: &Rect, (x, y): (f64, f64)) -> bool {
    let is_within = (area.left..=area.right).contains(&x) && (area.top..=area.bottom).contains(&y);
    is_within && (x == area.left || x == area.right || y == area.top || y == area.bottom)
}

/// Whether the line goes through the inside of the area.
fn crosses(way: &[(f64, f64)], area: &Rect) -> bool {
    way.windows(2).any(|pair| {
        let ends = |one: f64, other: f64| (one.min(other), one.max(other));
        let ((left, right), (top, bottom)) = (ends(pair[0].0, pair[1].0), ends(pair[0].1, pair[1].1));
        left < area.right - 0.1 && right > area.left + 0.1 && top < area.bottom - 0.1 && bottom > area.top + 0.1
    })
}

/// The numbers of arrows, and of their ways that a search found.
fn check(hierarchy: &Hierarchy) -> (usize, usize) {
    let shapes = nested_shapes(&nested_boxes(hierarchy, hierarchy));
    let svg = document(&shapes.area, shapes.body);
    let parsed = roxmltree::Document::parse(&svg).unwrap();
    let mut groups: BTreeMap<String, Vec<Shown>> = BTreeMap::new();
    for group in parsed.root_element().children().filter(|node| node.has_tag_name("g")) {
        let title = group.children().find(|node| node.has_tag_name("title")).unwrap();
        groups
            .entry(title.text().unwrap().to_owned())
            .or_default()
            .push(shown(group));
    }
    let path = |mut at: usize| {
        let mut path = hierarchy.boxes[at].name.to_string();
        while let Some(parent) = hierarchy.boxes[at].parent {
            path = format!("{}.{path}", hierarchy.boxes[parent].name);
            at = parent;
        }
        path
    };
    let around = |at: usize| std::iter::successors(Some(at), |at| hierarchy.boxes[*at].parent).collect::<Vec<_>>();
    let mut areas = Vec::new();
    let mut dots = Vec::new();
    for (at, own) in hierarchy.boxes.iter().enumerate() {
        let found = groups.remove(&path(at)).unwrap();
        assert_eq!(found.len(), 1, "each state once: {}", own.name);
        let mut lines: Vec<String> = own.notes.iter().map(ToString::to_string).collect();
        let within = hierarchy
            .arrows
            .iter()
            .filter(|arrow| arrow.source == at && arrow.targets.is_empty());
        lines.extend(within.map(|arrow| arrow.label.to_string()));
        let texts: Vec<&String> = found[0]
            .texts
            .iter()
            .filter(|text| !["H", "H*"].contains(&text.as_str()))
            .collect();
        assert_eq!(*texts[0], *own.name);
        assert_eq!(texts[1..], lines.iter().collect::<Vec<_>>(), "{}", own.name);
        areas.push(found[0].rects[0]);
        dots.push(found[0].circles.last().copied());
    }
    for (at, area) in areas.iter().enumerate() {
        for (other, of_other) in areas[..at].iter().enumerate() {
            match around(at).contains(&other) {
                true => assert!(holds(of_other, area), "{} holds {}", path(other), path(at)),
                false => assert_eq!(area.overlap(of_other), 0.0, "{} beside {}", path(other), path(at)),
            }
        }
    }
    let mut texts: Vec<Rect> = Vec::new();
    let mut drawn = Vec::new();
    for arrow in hierarchy.arrows.iter().filter(|arrow| !arrow.targets.is_empty()) {
        let mut title = if arrow.is_initial {
            "initial of ".to_owned()
        } else {
            String::new()
        };
        let targets: Vec<String> = arrow.targets.iter().map(|at| path(*at)).collect();
        let label = if arrow.label.is_empty() {
            String::new()
        } else {
            format!(": {}", arrow.label)
        };
        let _ = write!(title, "{} to {}{label}", path(arrow.source), targets.join(", "));
        let found = groups.remove(&title).unwrap_or_else(|| panic!("no {title}"));
        assert_eq!(found.len(), 1, "each transition once: {title}");
        let written: Vec<&str> = found[0].texts.iter().map(String::as_str).collect();
        assert_eq!(
            written,
            if arrow.label.is_empty() {
                vec![]
            } else {
                vec![&*arrow.label]
            }
        );
        let text = found[0].rects.first().copied();
        assert_eq!(text.is_some(), !arrow.label.is_empty());
        if let Some(text) = text {
            for (at, area) in areas.iter().enumerate() {
                assert!(
                    holds(area, &text) || text.overlap(area) == 0.0,
                    "{title} across {}",
                    path(at)
                );
            }
            assert!(
                texts.iter().all(|other| other.overlap(&text) == 0.0),
                "{title} upon a text"
            );
            texts.push(text);
        }
        drawn.push((arrow, text, found.into_iter().next().unwrap().ways, title));
    }
    assert_eq!(groups.keys().next(), None, "nothing else is drawn");
    let mut found = 0;
    let mut all = 0;
    for (arrow, text, ways, title) in drawn {
        let mut ends: Vec<(Option<usize>, Option<usize>)> =
            arrow.targets.iter().map(|at| (Some(arrow.source), Some(*at))).collect();
        if text.is_some() {
            ends = arrow.targets.iter().map(|at| (None, Some(*at))).collect();
            ends.insert(0, (Some(arrow.source), None));
        }
        assert_eq!(ways.len(), ends.len(), "{title}");
        for (way, (from, to)) in ways.iter().zip(&ends) {
            all += 1;
            let is_straight = way.windows(2).all(|pair| {
                let across = (pair[0].0 - pair[1].0).abs();
                across < 5.1 && (pair[0].1 - pair[1].1).abs() < 5.1 || across == 0.0 || pair[0].1 == pair[1].1
            });
            if !is_straight {
                continue;
            }
            found += 1;
            let touches = |end: &Option<usize>, point: (f64, f64)| match (end, arrow.is_initial) {
                (Some(at), true) if *at == arrow.source => {
                    let (x, y) = dots[*at].unwrap();
                    is_on_border(&Rect::around((x, y), 10.0), point)
                }
                (Some(at), _) => is_on_border(&areas[*at], point),
                (None, _) => is_on_border(&text.unwrap(), point),
            };
            assert!(
                touches(from, way[0]) && touches(to, way[way.len() - 1]),
                "{title}: {way:?}"
            );
            let mut related: Vec<usize> = arrow.targets.iter().flat_map(|at| around(*at)).collect();
            related.extend(around(arrow.source));
            for (at, area) in areas.iter().enumerate().filter(|(at, _)| !related.contains(at)) {
                assert!(!crosses(way, area), "{title} goes through {}", path(at));
            }
            let others = texts.iter().filter(|other| Some(**other) != text);
            assert!(
                others.into_iter().all(|other| !crosses(way, other)),
                "{title} goes through a text"
            );
        }
    }
    (all, found)
}

#[test]
fn boxes_hold_what_is_within_them_and_arrows_go_around_what_is_not_theirs() {
    let number = |name: &str, default: u64| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (cases, seed) = (number("TAMPER_CASES", 12), number("TAMPER_SEED", 1));
    let (mut n_boxes, mut all, mut found) = (0, 0, 0);
    for case in 0..cases {
        let mut chance = Random(seed.wrapping_mul(1_000_003).wrapping_add(case));
        (0..8).for_each(|_| {
            chance.below(2);
        });
        let hierarchy = random(&mut chance);
        n_boxes += hierarchy.boxes.len();
        let (of_all, of_found) = check(&hierarchy);
        (all, found) = (all + of_all, found + of_found);
    }
    println!("{cases} pictures, {n_boxes} states, {all} ways, {found} found by search (seed {seed})");
    assert!(found * 100 >= all * 99, "{found} of {all}");
}
