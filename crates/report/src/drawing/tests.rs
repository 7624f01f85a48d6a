//! Tests of pictures: their content, and that no part hides another.

use super::geometry::{RADIUS, Rect};
use super::labels::labels;
use super::route::routes;
use super::*;
use tamper_timed::model::Automaton;
use tamper_timed::mutation::{MutationOptions, Mutations, Operator};
use tamper_uppaal::{Placement, ReadOptions, read_bytes};
use testing::studies;

fn placed(name: &str) -> (Automaton, Placement) {
    let path = format!("{}/../../case-studies/{name}/model.xml", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).unwrap();
    let (document, _) = read_bytes(name, &bytes, &ReadOptions::default()).unwrap();
    (document.automata()[0].clone(), document.placement(0))
}

fn first(automaton: &Automaton, operator: Operator, part: &str) -> tamper_timed::mutation::Mutation {
    let mutations = Mutations::of(automaton, &MutationOptions::only(operator));
    let found = mutations.iter().find(|mutation| mutation.id(automaton).contains(part));
    found.unwrap()
}

/// The pictures of all first-order mutants of a game, as XML.
fn check_all(automaton: &Automaton, placement: &Placement) {
    for mutation in Mutations::of(automaton, &MutationOptions::default()).iter() {
        let scene = Scene::of(automaton, placement, &[mutation]);
        let svg = scenes_svg(std::slice::from_ref(&scene));
        roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
        let marked = scene
            .nodes
            .iter()
            .map(|node| node.mark)
            .chain(scene.arrows.iter().map(|arrow| arrow.mark));
        assert!(marked.filter(|mark| *mark != Mark::Plain).count() > 0, "{mutation:?}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(scenes_dot(std::slice::from_ref(&scene)).ends_with("}\n"));
    }
}

#[test]
fn every_mutant_of_two_studies_is_drawn_with_what_is_changed_in_it() {
    let (wfas, placement) = placed("wfas");
    check_all(&wfas, &placement);
    check_all(&studies::coffee(), &Placement::default());
}

/// By hand: the mutant's text has the number that its mutation made.
#[test]
fn constants_keep_their_names() {
    let file = "<nta><declaration>const int T = 4; chan a;</declaration><template><name>P</name><declaration>clock x;</declaration>
        <location id=\"s\"><name>s</name><label kind=\"invariant\">x &lt;= T + 1</label></location><init ref=\"s\"/>
        <transition><source ref=\"s\"/><target ref=\"s\"/><label kind=\"guard\">x&gt;=T</label>
        <label kind=\"synchronisation\">a!</label><label kind=\"assignment\">x=0</label></transition></template>
        <system>system P;</system></nta>";
    let (document, _) = read_bytes("file", file.as_bytes(), &ReadOptions::default()).unwrap();
    let (game, placement) = (&document.automata()[0], document.placement(0));
    let scene = Scene::of(game, &placement, &[]);
    assert!(!scene.is_kept);
    assert_eq!(scene.nodes[0].invariant.as_ref().unwrap().text, "x <= T + 1");
    assert_eq!(scene.arrows[0].labels[0].text, "x>=T");
    let larger = first(game, Operator::Cxl, "guard");
    let scene = Scene::of(game, &placement, &[larger]);
    let label = &scene.arrows[0].labels[0];
    assert_eq!((label.old.as_deref(), &*label.text), (Some("x>=T"), "x >= 5"));
    assert!(scenes_svg(std::slice::from_ref(&scene)).contains("x &lt;= T + 1"));
}

#[test]
fn the_places_of_the_file_are_kept() {
    let (wfas, placement) = placed("wfas");
    let scene = Scene::of(&wfas, &placement, &[]);
    assert!(scene.is_kept);
    // The places of the file: cont_3 at (510, 510), and the first edge bends at (523, -198).
    assert_eq!(scene.nodes[2].centre, (510.0, 510.0));
    assert!(routes(&scene)[0].contains(&(523.0, -198.0)));
    assert!(scenes_dot(std::slice::from_ref(&scene)).contains("pos=\"510.0,-510.0\""));
    // Coinciding places are not kept.
    let mut same = placement.clone();
    same.locations[tamper_text::Id::from_index(1)].centre = Some((0.0, 0.0));
    assert!(!Scene::of(&wfas, &same, &[]).is_kept);
}

#[test]
fn what_a_mutation_removes_adds_and_changes_is_marked_and_said() {
    let (wfas, placement) = placed("wfas");
    let draw = |mutations: &[_]| {
        let scene = Scene::of(&wfas, &placement, mutations);
        (scenes_svg(std::slice::from_ref(&scene)), scene)
    };
    let (svg, scene) = draw(&[first(&wfas, Operator::Smi, "SMI:fail")]);
    assert_eq!(scene.nodes.iter().filter(|node| node.mark == Mark::Removed).count(), 1);
    // All its edges go with it: six of them enter it.
    assert_eq!(
        scene.arrows.iter().filter(|arrow| arrow.mark == Mark::Removed).count(),
        6
    );
    assert!(svg.contains("SMI: removes the location fail and its edges") && !svg.contains("line-through"));
    // The texts of what is removed stay readable: each has a line beside it, as high as itself.
    let texts = labels(&scene, &routes(&scene));
    let removed: Vec<_> = texts.iter().filter(|text| text.mark == Mark::Removed).collect();
    assert!(removed.len() > 6, "the name, and labels of six edges");
    for text in removed {
        let Rect { left, top, bottom, .. } = text.area();
        let line = format!("M{:.1} {top:.1} V{bottom:.1}", left - 4.0);
        assert!(
            svg.contains(&format!("d=\"{line}\" stroke=\"#D55E00\"")),
            "{}",
            text.text
        );
    }
    let (svg, scene) = draw(&[first(&wfas, Operator::Cxl, "invariant:cont_3")]);
    assert_eq!(scene.nodes[2].mark, Mark::Changed);
    assert!(svg.contains("x &lt;= 2</tspan> \u{2192} x &lt;= 3"), "{svg}");
    let added = first(&wfas, Operator::Tad, "TAD:output:fail->cont_1");
    let (svg, scene) = draw(&[added]);
    assert_eq!(scene.arrows.len(), wfas.edges().len() + 1);
    assert!(svg.contains("dummy_1!") && svg.contains("thick: added"));
    // A second mutation of the added edge: the edge stays marked as added, with its new guard.
    let mutant = added.apply(&wfas);
    let then = Mutations::of(&mutant, &MutationOptions::only(Operator::Ccn));
    let last = then
        .iter()
        .find(|mutation| mutation.id(&mutant).contains("fail->cont_1"))
        .unwrap();
    let (svg, scene) = draw(&[added, last]);
    assert_eq!(scene.arrows.last().unwrap().mark, Mark::Added);
    assert!(svg.contains("x &gt;= 2</tspan> \u{2192} x &lt; 2"), "{svg}");
}

#[test]
fn an_arranged_drawing_keeps_its_texts_readable() {
    for game in [studies::coffee(), studies::wfas(), studies::mutex()] {
        let scene = Scene::of(&game, &Placement::default(), &[]);
        assert!(!scene.is_kept);
        let ways = routes(&scene);
        let texts = labels(&scene, &ways);
        for (at, text) in texts.iter().enumerate() {
            let covered: f64 = texts[..at].iter().map(|other| other.area().overlap(&text.area())).sum();
            let nodes = scene.nodes.iter().map(|node| Rect::around(node.centre, RADIUS));
            let hidden: f64 = nodes.map(|node| node.overlap(&text.area())).sum();
            // A fiftieth of a text is the white around its letters.
            let white = text.area().overlap(&text.area()) / 50.0;
            assert!(
                covered < white && hidden < white,
                "{} {}: {covered} {hidden}",
                game.name(),
                text.text
            );
        }
        // Edges between the same locations are apart from each other at their middles.
        let middles: Vec<_> = ways.iter().map(|way| super::route::along(way, 0.5).0).collect();
        let joined = scene.joined();
        let ends = |at: usize| {
            let arrow = &scene.arrows[at];
            (arrow.source.min(arrow.target), arrow.source.max(arrow.target))
        };
        for (at, middle) in middles.iter().enumerate() {
            let hides = |other: &usize| {
                ends(*other) == ends(at)
                    && joined[*other] != joined[at]
                    && super::geometry::distance(*middle, middles[*other]) < 8.0
            };
            assert!(!(0..at).any(|other| hides(&other)), "{} {at}", game.name());
        }
    }
}

/// Scenes side by side: every text of each is there, at distinct places, and a second picture has the same bytes.
#[test]
fn several_games_are_one_picture_with_a_frame_around_each() {
    let scenes = [studies::coffee(), studies::mutex()].map(|game| Scene::of(&game, &Placement::default(), &[]));
    let svg = scenes_svg(&scenes);
    let again = [studies::coffee(), studies::mutex()].map(|game| Scene::of(&game, &Placement::default(), &[]));
    assert_eq!(scenes_svg(&again), svg);
    let xml = roxmltree::Document::parse(&svg).unwrap();
    let frames = xml.descendants().filter(|node| node.attribute("rx").is_some());
    let frames: Vec<Rect> = frames
        .map(|frame| {
            let [left, top, width, height] =
                ["x", "y", "width", "height"].map(|name| frame.attribute(name).unwrap().parse::<f64>().unwrap());
            Rect {
                left,
                top,
                right: left + width,
                bottom: top + height,
            }
        })
        .collect();
    assert_eq!(frames.len(), 2);
    assert!(frames[0].overlap(&frames[1]) < 1e-9);
    for scene in &scenes {
        let names = scene.nodes.iter().map(|node| &node.name).chain([&scene.title]);
        for name in names {
            assert!(svg.contains(&format!(">{name}</text>")), "{name}");
        }
    }
    assert_eq!(svg.matches("full heads").count(), 1);
    let dot = scenes_dot(&scenes);
    assert_eq!(dot.matches("subgraph cluster_").count(), 2);
    let n_nodes: usize = scenes.iter().map(|scene| scene.nodes.len()).sum();
    assert!(dot.contains(&format!("  n{} [", n_nodes - 1)) && !dot.contains(&format!("  n{n_nodes} [")));
}

/// A game for which arranging everything is too much work still has a separate place for each location.
#[test]
fn layers_keep_locations_apart() {
    let mut scene = Scene::of(&studies::wfas(), &Placement::default(), &[]);
    let places = super::arrange::layers(&scene);
    for (at, place) in places.iter().enumerate() {
        let near = |other: &(f64, f64)| super::geometry::distance(*place, *other) < 2.0 * RADIUS;
        assert!(!places[..at].iter().any(near), "{at}");
    }
    for arrow in &mut scene.arrows {
        arrow.course = None;
    }
    for (node, place) in scene.nodes.iter_mut().zip(places) {
        node.centre = place;
    }
    assert!(roxmltree::Document::parse(&scenes_svg(&[scene])).is_ok());
}

/// Corners of the file stay corners, but a loop through corners is a curve, and so is an arranged edge that bends.
#[test]
fn loops_and_arranged_edges_are_curves() {
    let (wfas, placement) = placed("wfas");
    let lines = |scene: &Scene, at: usize| {
        let svg = scenes_svg(std::slice::from_ref(scene));
        let all: Vec<String> = roxmltree::Document::parse(&svg)
            .unwrap()
            .descendants()
            .filter(|node| node.has_attribute("stroke-linejoin") && node.has_tag_name("path"))
            .map(|node| node.attribute("d").unwrap().to_owned())
            .collect();
        let joined = scene.joined();
        all[(0..at).filter(|other| joined[*other] == *other).count()].clone()
    };
    let mut scene = Scene::of(&wfas, &placement, &[]);
    // The first edge bends at (523, -198).
    assert!(lines(&scene, 0).contains(" L523.0 -198.0") && !lines(&scene, 0).contains('Q'));
    // The same edge as a loop with two corners, and with one.
    let node = scene.nodes[scene.arrows[0].source].centre;
    scene.arrows[0].target = scene.arrows[0].source;
    for nails in [
        vec![(node.0 - 40.0, node.1 - 60.0), (node.0 + 40.0, node.1 - 60.0)],
        vec![(node.0, node.1 - 60.0)],
    ] {
        scene.arrows[0].at.nails = nails;
        let (line, way) = (lines(&scene, 0), &routes(&scene)[0]);
        assert!(line.contains('Q') && !line.contains('L'), "{line}");
        // It leaves and enters at different places.
        assert!(super::geometry::distance(way[0], way[way.len() - 1]) > 5.0);
    }
    let arranged = Scene::of(&studies::coffee(), &Placement::default(), &[]);
    let bends = |at: &usize| {
        arranged.arrows[*at]
            .course
            .as_ref()
            .is_some_and(|course| course.bends.len() > 1)
    };
    let bent: Vec<usize> = (0..arranged.arrows.len()).filter(bends).collect();
    assert!(!bent.is_empty());
    for at in bent {
        assert!(!lines(&arranged, at).contains('L'), "{}", lines(&arranged, at));
    }
    // An arranged loop ends before its texts, and hides none.
    let mut loops = 0;
    let arranged = Scene::of(&placed("cas").0, &Placement::default(), &[]);
    let ways = routes(&arranged);
    let texts = labels(&arranged, &ways);
    for (at, arrow) in arranged
        .arrows
        .iter()
        .enumerate()
        .filter(|(_, arrow)| arrow.source == arrow.target)
    {
        loops += usize::from(arrow.course.is_some());
        let hidden = |text: &&super::labels::Placed| ways[at].iter().any(|point| text.area().contains(*point));
        assert_eq!(
            texts.iter().filter(|text| text.owner == at).filter(hidden).count(),
            0,
            "{at}"
        );
    }
    assert!(loops > 0);
}

/// Two edges with the same ends, and their labels.
#[test]
fn edges_with_the_same_ends_are_one_arrow_until_one_of_them_is_changed() {
    let game = studies::wfas();
    let scene = Scene::of(&game, &Placement::default(), &[]);
    let joined = scene.joined();
    let second = (0..joined.len()).find(|at| joined[*at] != *at).unwrap();
    let first = joined[second];
    let ends = |at: usize| (scene.arrows[at].source, scene.arrows[at].target);
    assert_eq!(ends(first), ends(second));
    let ways = routes(&scene);
    assert_eq!(ways[first], ways[second]);
    let texts = labels(&scene, &ways);
    let owned = |at: usize| texts.iter().filter(|text| text.owner == at).count();
    assert_eq!((owned(first), owned(second)), (1, 1), "a line each");
    let n_lines = |svg: &str| svg.matches("stroke-linejoin=\"round\"/>\n<polygon").count();
    let n_arrows = (0..joined.len()).filter(|at| joined[*at] == *at).count();
    assert_eq!(n_lines(&scenes_svg(std::slice::from_ref(&scene))), n_arrows);
    // On a page every edge can be chosen alone, and both together.
    let parts = scene_parts(&scene);
    assert!(!parts.contains("full heads"), "the page says that");
    for group in [format!("{first} {second}"), first.to_string(), second.to_string()] {
        assert_eq!(parts.matches(&format!("data-parts=\"{group}\"")).count(), 1, "{group}");
    }
    let edge = tamper_text::Id::from_index(second);
    let changed = Scene::of(
        &game,
        &Placement::default(),
        &[tamper_timed::mutation::Mutation::RemoveEdge { edge }],
    );
    assert_eq!(changed.joined()[second], second);
    let ways = routes(&changed);
    assert_ne!(ways[first], ways[second]);
}

#[test]
fn a_feature_model_is_a_tree_with_a_row_per_leaf() {
    use tamper_features::{FeatureModel, GroupKind};
    let mut model = FeatureModel::new("machine").unwrap();
    let drinks = model.add_group(model.root(), GroupKind::Alternative);
    let soda = model.add_feature(drinks, "soda").unwrap();
    let tea = model.add_feature(drinks, "tea <hot>").unwrap();
    let more = model.add_group(tea, GroupKind::Cardinality { min: 0, max: 1 });
    model.add_feature(more, "sugar").unwrap();
    model.add_constraint((!tamper_features::FeatureExpr::Var(soda)).or(soda.into()), "");
    model.add_constraint(tamper_features::FeatureExpr::Var(soda), "it is cold");
    let both = (!tamper_features::FeatureExpr::Var(soda)).or(!tamper_features::FeatureExpr::Var(tea));
    model.add_constraint(both, "");
    let svg = tree_svg(&model);
    let xml = roxmltree::Document::parse(&svg).unwrap();
    let texts: Vec<&str> = xml
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| node.text())
        .collect();
    for text in [
        "machine",
        "soda",
        "tea <hot>",
        "sugar",
        "alternative",
        "[0..1]",
        "soda   (it is cold)",
        "soda => !\"tea <hot>\"",
        "alternative: exactly one of them",
        "[n..m]: from n to m of them",
    ] {
        assert!(texts.contains(&text), "{text} {texts:?}");
    }
    assert!(!texts.contains(&"open circle: optional"), "a sign that is not in use");
    assert_eq!(
        xml.descendants().filter(|node| node.has_tag_name("rect")).count(),
        5,
        "four features and the ground"
    );
    assert!(tree_dot(&model).contains("f0 -> f1 [arrowhead=none, taillabel=\"alternative\"]"));
}

#[test]
fn bars_are_as_high_as_their_numbers_and_hatched_where_their_series_is() {
    use super::bars::{BarChart, Group, Series, bars_svg};
    let (plain, hatched) = (
        Series::new("all", "#0072B2", ""),
        Series::new("<few>", "#E69F00", "M0,3 h6"),
    );
    let group = |name: &str, values: [f64; 2]| Group {
        name: String::from(name),
        values: values.to_vec(),
    };
    let picture = bars_svg(&BarChart {
        title: "A & B",
        axis: "share (%)",
        series: vec![&plain, &hatched],
        groups: &[group("one", [100.0, 25.0]), group("two", [50.0, 0.0])],
    });
    let read = roxmltree::Document::parse(&picture).unwrap();
    let filled = |fill: &str| {
        let bars = read.descendants().filter(|node| node.attribute("fill") == Some(fill));
        let heights = bars.map(|bar| bar.attribute("height").unwrap().parse::<f64>().unwrap());
        heights.collect::<Vec<_>>()
    };
    // The last one of each is the sample in the legend.
    assert_eq!(filled("#0072B2"), [280.0, 140.0, 12.0]);
    assert_eq!(filled("#E69F00"), [70.0, 0.0, 12.0]);
    assert_eq!(filled("url(#hatch1)"), filled("#E69F00"));
    let texts: Vec<_> = read.descendants().filter_map(|node| node.text()).collect();
    for text in [
        "A & B",
        "share (%)",
        "one",
        "two",
        "100",
        "25",
        "50",
        "0",
        "all",
        "<few>",
    ] {
        assert!(texts.contains(&text), "{text}");
    }
}
