//! The boxes and arrows of a chart are its states and transitions: random charts, of which the test knows what it wrote.

use tamper_timed::model::{BoxKind, Hierarchy};
use tamper_uppaal::ReadOptions;

use crate::{read_scxml, read_xstate};

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

/// A chart as text, and its states with their parents and its arrows, `source>targets|label`, as they have to be drawn.
struct Written {
    text: String,
    states: Vec<(String, Option<usize>, BoxKind)>,
    arrows: Vec<String>,
}

impl Written {
    fn random(random: &mut Random) -> Self {
        let mut parents = vec![None];
        for at in 1..2 + random.below(8) {
            parents.push(Some(random.below(at).min(random.below(at))));
        }
        let inner = |at: usize| parents.contains(&Some(at));
        let is_parallel: Vec<bool> = (0..parents.len()).map(|at| inner(at) && random.below(4) == 0).collect();
        let is_region = |at: usize| parents[at].is_some_and(|parent: usize| is_parallel[parent]);
        let kinds: Vec<BoxKind> = (0..parents.len())
            .map(|at| match (inner(at), random.below(6)) {
                (true, _) if is_parallel[at] => BoxKind::Parallel,
                (false, 0) if at > 1 && !is_region(at) => BoxKind::Final,
                (false, 1) if at > 1 && !is_region(at) => BoxKind::History {
                    deep: random.below(2) == 0,
                },
                _ => BoxKind::Plain,
            })
            .collect();
        let mut written = Self {
            text: String::new(),
            states: Vec::new(),
            arrows: Vec::new(),
        };
        written.state(0, &parents, &kinds, random);
        written
    }

    /// Writes the state and those within it; its name is its number.
    fn state(&mut self, at: usize, parents: &[Option<usize>], kinds: &[BoxKind], random: &mut Random) {
        self.states.push((format!("s{at}"), parents[at], kinds[at]));
        self.text += &format!("{{\"id\":\"s{at}\"");
        let kind = match kinds[at] {
            BoxKind::Plain => "",
            BoxKind::Parallel => ",\"type\":\"parallel\"",
            BoxKind::Final => ",\"type\":\"final\"",
            BoxKind::History { deep: true } => ",\"type\":\"history\",\"history\":\"deep\"",
            BoxKind::History { deep: false } => ",\"type\":\"history\"",
        };
        self.text += kind;
        let children: Vec<usize> = (0..parents.len()).filter(|child| parents[*child] == Some(at)).collect();
        let regions = children
            .iter()
            .filter(|child| !matches!(kinds[**child], BoxKind::History { .. }));
        if let (BoxKind::Plain, Some(first)) = (kinds[at], regions.clone().next()) {
            self.text += &format!(",\"initial\":\"s{first}\"");
            self.arrows.push(format!("*s{at}>s{first}|"));
        }
        if matches!(kinds[at], BoxKind::Plain | BoxKind::Parallel) {
            let delay = [300, 1000, 1500, 60_000][random.below(4)];
            let said = match delay {
                300 => "after 300\u{a0}ms",
                1000 => "after 1\u{a0}s",
                1500 => "after 1.5\u{a0}s",
                _ => "after 60\u{a0}s",
            };
            for (key, said) in [("on", "press"), ("after", said)] {
                if random.below(2) == 0 {
                    continue;
                }
                let (target, event) = (
                    random.below(parents.len()),
                    if key == "on" { "press" } else { &delay.to_string() },
                );
                let guard = ["", ",\"guard\":\"isOpen\""][random.below(2)];
                let actions = ["", ",\"actions\":[\"ring\",\"shut\"]"][random.below(2)];
                let reenter = random.below(2) == 0;
                self.text += &format!(
                    ",\"{key}\":{{\"{event}\":{{\"target\":\"#s{target}\"{guard}{actions},\"reenter\":{reenter}}}}}"
                );
                let is_within = std::iter::successors(Some(target), |at| parents[*at]).any(|around| around == at);
                let guard = if guard.is_empty() { "" } else { " [isOpen]" };
                let is_root =
                    target == 0 || matches!(kinds[target], BoxKind::History { .. }) && parents[target] == Some(0);
                let internal = if (is_within || is_root) && !reenter {
                    " (internal)"
                } else {
                    ""
                };
                let actions = if actions.is_empty() { "" } else { " / ring, shut" };
                self.arrows
                    .push(format!("s{at}>s{target}|{said}{guard}{internal}{actions}"));
            }
        }
        if !children.is_empty() {
            self.text += ",\"states\":{";
            for (number, child) in children.iter().enumerate() {
                self.text += &format!("{}\"s{child}\":", if number > 0 { "," } else { "" });
                self.state(*child, parents, kinds, random);
            }
            self.text.push('}');
        }
        self.text += if at == 0 { ",\"xstate\":5}" } else { "}" };
    }
}

fn arrows(hierarchy: &Hierarchy) -> Vec<String> {
    let name = |at: usize| &*hierarchy.boxes[at].name;
    let arrow = |arrow: &tamper_timed::model::NestedArrow| {
        let targets: Vec<&str> = arrow.targets.iter().map(|at| name(*at)).collect();
        let mark = if arrow.is_initial { "*" } else { "" };
        format!("{mark}{}>{}|{}", name(arrow.source), targets.join(","), arrow.label)
    };
    let mut arrows: Vec<String> = hierarchy.arrows.iter().map(arrow).collect();
    arrows.sort();
    arrows
}

#[test]
fn boxes_are_states_and_arrows_are_transitions() {
    let number = |name: &str, default: u64| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (cases, seed) = (number("TAMPER_CASES", 60), number("TAMPER_SEED", 1));
    let (mut n_charts, mut n_arrows, mut n_taken, mut n_mutants) = (0, 0, 0, 0);
    for case in 0..cases {
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(case));
        (0..8).for_each(|_| {
            random.below(2);
        });
        let mut written = Written::random(&mut random);
        let Ok((document, _)) = read_xstate("chart.json", written.text.as_bytes(), &ReadOptions::default()) else {
            continue;
        };
        let game = &document.automata()[0];
        let hierarchy = game.hierarchy().unwrap();
        written.arrows.sort();
        assert_eq!(arrows(hierarchy), written.arrows, "{}", written.text);
        for (own, (name, parent, kind)) in hierarchy.boxes.iter().zip(&written.states) {
            let parent = parent.map(|parent| format!("s{parent}"));
            let around = own.parent.map(|around| hierarchy.boxes[around].name.to_string());
            assert_eq!(
                (&*own.name, around, own.kind),
                (name.as_str(), parent, *kind),
                "{}",
                written.text
            );
        }
        assert_eq!(hierarchy.boxes.len(), written.states.len());
        for (id, edge) in game.edges().iter_enumerated() {
            let is_output = game.locations()[edge.source].name.contains("_before_");
            let Some(arrow) = hierarchy.taken[id].filter(|_| !is_output) else {
                continue;
            };
            let source = hierarchy.arrows[arrow].source;
            let is_active = hierarchy.located[edge.source].iter().any(|at| {
                std::iter::successors(Some(*at), |at| hierarchy.boxes[*at].parent).any(|around| around == source)
            });
            assert!(
                is_active,
                "{}: an edge of a transition that is not enabled",
                written.text
            );
            n_taken += 1;
        }
        for variant in game.variants().all().iter().filter(|_| case % 10 == 0) {
            let mutant = variant.game.hierarchy().unwrap();
            assert_eq!(mutant.boxes.len(), hierarchy.boxes.len());
            let is_shown = arrows(mutant) != written.arrows || mutant.boxes != hierarchy.boxes;
            assert!(
                is_shown,
                "{}: {} changes nothing of {}",
                variant.operator, variant.name, written.text
            );
            n_mutants += 1;
        }
        (n_charts, n_arrows) = (n_charts + 1, n_arrows + written.arrows.len());
    }
    println!(
        "{n_charts} of {cases} charts read, {n_arrows} arrows, {n_taken} edges, {n_mutants} mutants (seed {seed})"
    );
    assert!(n_charts * 2 > cases as usize && n_taken > n_charts);
}

#[test]
fn a_chart_of_scxml_is_drawn_in_its_own_words() {
    let text = r##"<scxml xmlns="http://www.w3.org/2005/07/scxml" name="oven" initial="off">
        <state id="off"><transition event="press" target="on"/></state>
        <state id="on"><initial><transition target="hot"><send event="begins" target="#out"/></transition></initial>
            <onentry><send id="t" event="late" delay="90s"/></onentry><onexit><cancel sendid="t"/></onexit>
            <transition event="late" cond="isDone" target="off"/><transition event="tick" type="internal"><send event="tock" target="#out"/></transition>
            <history id="was"><transition target="hot"/></history><state id="hot"/></state></scxml>"##;
    let read = read_scxml("oven.scxml", text.as_bytes(), &ReadOptions::default());
    let (document, _) = read.unwrap_or_else(|error| panic!("{error}"));
    let hierarchy = document.automata()[0].hierarchy().unwrap();
    let expected = [
        "*on>hot|/ begins",
        "*oven>off|",
        "off>on|press",
        "on>off|late [isDone]",
        "on>|tick / tock",
        "was>hot|",
    ];
    assert_eq!(arrows(hierarchy), expected);
    let notes: Vec<&str> = hierarchy.boxes[2].notes.iter().map(|note| &**note).collect();
    assert_eq!(notes, ["entry / send late after 90\u{a0}s", "exit / cancel(t)"]);
}
