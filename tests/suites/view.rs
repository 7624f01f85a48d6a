//! `tamper view`: a tester composed with a model by the rules of UPPAAL's networks fails exactly where the test can.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use tamper::formats::suite_json::read_suite;
use tamper::formats::{read_bytes, read_model};
use tamper::game::analyse;
use tamper::model::{
    Automaton, AutomatonBuilder, ClockConstraint, ClockId, Cmp, Edge, EdgeId, Expr, Guard, LocId, Location, Role,
    UnaryOp, Update, Urgency,
};
use tamper::mutation::{MutantSpace, MutationOptions, Order};
use tamper::suite::{Subject, TestCase, TesterGame, ends};
use tamper::text::{Budget, Id as _};

use crate::suites::commands::{json, study, tamper};

/// The network of a model and a tester as one automaton: handshakes on channels, committed locations first. Where the
/// tester gives an input that the model cannot take, it comes to a location of its own.
struct Network<'a> {
    game: &'a TesterGame,
    builder: AutomatonBuilder,
    places: BTreeMap<(LocId, LocId), LocId>,
    refused: LocId,
}

fn later(clock: ClockId, by: usize) -> ClockId {
    ClockId::from_index(clock.index() + by)
}

fn moved(guard: &Guard, by: usize) -> Guard {
    let mut guard = guard.clone();
    for atom in &mut guard.clocks {
        atom.left = later(atom.left, by);
        atom.right = atom.right.map(|right| later(right, by));
    }
    guard
}

fn both(a: &Guard, b: &Guard) -> Guard {
    Guard {
        clocks: a.clocks.iter().chain(&b.clocks).cloned().collect(),
        data: a.data.iter().chain(&b.data).cloned().collect(),
    }
}

impl<'a> Network<'a> {
    fn new(game: &'a TesterGame) -> Self {
        let (model, tester) = (&game.model, &game.tester);
        let mut builder = AutomatonBuilder::new("Network");
        for (clock, prefix) in model
            .clocks()
            .iter()
            .map(|clock| (clock, "m_"))
            .chain(tester.clocks().iter().map(|clock| (clock, "t_")))
        {
            builder.clock(format!("{prefix}{}", clock.name));
        }
        for int in model.ints().iter() {
            builder.int(int.clone());
        }
        let mut places = BTreeMap::new();
        for (m, left) in model.locations().iter_enumerated() {
            for (t, right) in tester.locations().iter_enumerated() {
                let stops = left.urgency != Urgency::Normal || right.urgency != Urgency::Normal;
                let place = builder.location(Location {
                    name: format!("{}__{}", left.name, right.name).into(),
                    invariant: both(&left.invariant, &moved(&right.invariant, model.clocks().len())),
                    urgency: if stops { Urgency::Urgent } else { Urgency::Normal },
                });
                places.insert((m, t), place);
            }
        }
        let refused = builder.location(Location {
            name: "REFUSED".into(),
            invariant: Guard::always(),
            urgency: Urgency::Normal,
        });
        builder.initial(places[&(model.initial(), tester.initial())]);
        Self {
            game,
            builder,
            places,
            refused,
        }
    }

    fn edge(&mut self, (source, target): (LocId, LocId), guard: Guard, updates: Vec<Update>, selects: &Edge) {
        let action = self.builder.tau();
        self.builder.edge(Edge {
            source,
            target,
            action,
            guard,
            updates,
            selects: selects.selects.clone(),
        });
    }

    fn build(mut self) -> (Automaton, LocId) {
        let TesterGame { model, tester, .. } = self.game;
        let n = model.clocks().len();
        let reset = |update: &Update| match update {
            Update::Reset(clock, value) => Update::Reset(later(*clock, n), value.clone()),
            Update::Assign(..) => panic!("a tester has no integers"),
        };
        for step in tester.edges() {
            let action = &tester.actions()[step.action];
            let guard = moved(&step.guard, n);
            let resets: Vec<Update> = step.updates.iter().map(reset).collect();
            for (m, _) in model.locations().iter_enumerated() {
                let source = self.places[&(m, step.source)];
                if action.role == Role::Internal {
                    self.edge(
                        (source, self.places[&(m, step.target)]),
                        guard.clone(),
                        resets.clone(),
                        step,
                    );
                    continue;
                }
                for partner in model.edges().iter().filter(|edge| edge.source == m) {
                    let other = &model.actions()[partner.action];
                    let meets = other.name == action.name
                        && matches!(
                            (action.role, other.role),
                            (Role::Input, Role::Output) | (Role::Output, Role::Input)
                        );
                    if meets {
                        let target = self.places[&(partner.target, step.target)];
                        let updates = partner.updates.iter().cloned().chain(resets.clone()).collect();
                        self.edge((source, target), both(&partner.guard, &guard), updates, partner);
                    }
                }
            }
        }
        for (t, location) in tester.locations().iter_enumerated() {
            if self.game.giving.iter().any(|giving| **giving == *location.name) {
                self.refusals(t);
            }
        }
        let refused = self.refused;
        (self.builder.build().expect("a network"), refused)
    }

    fn refusals(&mut self, t: LocId) {
        let TesterGame { model, tester, .. } = self.game;
        let given = tester
            .edges()
            .iter()
            .find(|edge| edge.source == t)
            .expect("an input is given");
        let input = &tester.actions()[given.action].name;
        for (m, location) in model.locations().iter_enumerated() {
            // In the middle of an atomic step an input says nothing.
            if self.game.on_the_way.iter().any(|name| **name == *location.name) {
                continue;
            }
            let accepts = |edge: &EdgeId| {
                let action = &model.actions()[model.edges()[*edge].action];
                model.edges()[*edge].source == m && action.role == Role::Input && action.name == *input
            };
            // Of each edge that could take the input, something does not hold.
            let mut cases = vec![Guard::always()];
            for edge in model.edges().ids().filter(accepts) {
                let failing = failing(model, &model.edges()[edge]);
                cases = cases
                    .iter()
                    .flat_map(|case| failing.iter().map(|guard| both(case, guard)))
                    .collect();
            }
            for case in cases {
                self.edge((self.places[&(m, t)], self.refused), case, Vec::new(), given);
            }
        }
    }
}

/// What keeps `edge` from being taken: one of these.
fn failing(model: &Automaton, edge: &Edge) -> Vec<Guard> {
    assert!(edge.selects.is_empty());
    let mut atoms = edge.guard.clocks.clone();
    let mut found = Vec::new();
    let target = &model.locations()[edge.target].invariant;
    assert!(target.data.is_empty());
    for atom in &target.clocks {
        assert!(atom.right.is_none());
        let value = edge.updates.iter().find_map(|update| match update {
            Update::Reset(clock, Expr::Const(value)) if *clock == atom.left => Some(*value),
            _ => None,
        });
        match (value, &atom.bound) {
            (None, _) => atoms.push(atom.clone()),
            (Some(value), Expr::Const(bound)) => {
                let holds = match atom.cmp {
                    Cmp::Lt => value < *bound,
                    Cmp::Le => value <= *bound,
                    Cmp::Eq => value == *bound,
                    Cmp::Ge => value >= *bound,
                    Cmp::Gt => value > *bound,
                };
                if !holds {
                    found.push(Guard::always());
                }
            }
            (Some(_), bound) => panic!("{bound:?}"),
        }
    }
    for atom in atoms {
        let negated = match atom.cmp.negated() {
            Some(cmp) => vec![cmp],
            None => vec![Cmp::Lt, Cmp::Gt],
        };
        found.extend(negated.into_iter().map(|cmp| Guard {
            clocks: vec![ClockConstraint { cmp, ..atom.clone() }],
            data: Vec::new(),
        }));
    }
    found.extend(edge.guard.data.iter().map(|data| Guard {
        clocks: Vec::new(),
        data: vec![Expr::Unary(UnaryOp::Not, Box::new(data.clone()))],
    }));
    found
}

fn fails_in_network(test: &TestCase, model: &Automaton) -> bool {
    let game = TesterGame::new(test, model).unwrap();
    let failed = game
        .tester
        .locations()
        .iter_enumerated()
        .find(|(_, one)| *one.name == *game.fail);
    let failed = failed.expect("it can fail").0;
    let network = Network::new(&game);
    let places = network.places.clone();
    let (automaton, refused) = network.build();
    let analysis = analyse(&automaton, &Budget::unlimited()).unwrap().unwrap();
    let unreachable: BTreeSet<LocId> = analysis.unreachable.into_iter().collect();
    let goals = places
        .iter()
        .filter(|((_, t), _)| *t == failed)
        .map(|(_, place)| *place);
    goals.chain([refused]).any(|goal| !unreachable.contains(&goal))
}

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("uppaal-models").join(name)
}

#[test]
fn a_tester_in_a_network_fails_exactly_where_its_test_can() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (mut n_fails, mut n_all, mut n_scaled, mut n_stalled) = (0, 0, 0, 0);
    for (path, options) in [
        (study("wfas"), "--strategy minimal"),
        (study("coffee"), "--kill definite"),
        (model("lamp.xml"), "--delays middle --kill both"),
        (
            model("lamp.xml"),
            "--style adaptive --delays latest --kill potential --strategy minimal",
        ),
    ] {
        json(at, &format!("testgen {} {options} --out suite.json", path.display()), 0);
        let suite = read_suite(&std::fs::read_to_string(at.join("suite.json")).unwrap()).unwrap();
        let base = read_model(&path, &Default::default()).unwrap().document.automata()[0].clone();
        let space = MutantSpace::new(&base, &MutationOptions::default(), Order::FIRST).unwrap();
        let siblings = space.siblings(0).unwrap();
        let mutants = siblings.last().iter().step_by(9).map(|last| siblings.mutant(last));
        let mut models: Vec<Automaton> = std::iter::once(base.clone()).chain(mutants).collect();
        // Each again, with steps on the way.
        let with_steps = |(at, model): (usize, &Automaton)| {
            let (id, location) = model
                .locations()
                .iter_enumerated()
                .nth(1 + at % (model.locations().len() - 1))?;
            let urgency = Urgency::Committed;
            let location = Location {
                urgency,
                ..(**location).clone()
            };
            Some(model.with_location(id, location).with_atomic_steps(true))
        };
        let atomic: Vec<Automaton> = models.iter().enumerate().filter_map(with_steps).collect();
        models.extend(atomic);
        for test in suite.tests.iter().step_by(2) {
            n_scaled += u32::from(TesterGame::new(test, &base).unwrap().scale > 1);
            for model in &models {
                let subject = Subject::new(model, &Budget::unlimited()).unwrap();
                let ends = ends(test, &subject, &Budget::unlimited()).unwrap();
                n_stalled += u32::from(ends.stalled);
                let can_fail = ends.can_fail();
                assert_eq!(
                    fails_in_network(test, model),
                    can_fail,
                    "{} {test:?} {model:?}",
                    path.display()
                );
                n_fails += u32::from(can_fail);
                n_all += 1;
            }
        }
    }
    assert!(
        n_fails > 20 && n_fails * 2 < n_all && n_scaled > 0 && n_stalled > 20,
        "{n_fails} of {n_all}, {n_scaled}, {n_stalled}"
    );
}

#[test]
fn what_is_written_reads_back_and_has_the_query() {
    let folder = tempfile::tempdir().unwrap();
    let (at, path) = (folder.path(), model("lamp.xml"));
    let lamp = path.display();
    json(at, &format!("testgen {lamp} --delays middle --out suite.json"), 0);
    let written = json(at, &format!("view suite.json {lamp} --out tests"), 0);
    let suite = read_suite(&std::fs::read_to_string(at.join("suite.json")).unwrap()).unwrap();
    assert_eq!(written["tests"], suite.tests.len());
    let base = read_model(&path, &Default::default()).unwrap().document.automata()[0].clone();
    for test in &suite.tests {
        let game = TesterGame::new(test, &base).unwrap();
        let text = |ending: &str| std::fs::read_to_string(at.join(format!("tests/{}{ending}", test.id))).unwrap();
        let read = |text: &str| read_bytes("written", text.as_bytes(), &Default::default());
        assert_eq!(read(&text("-tester.xml")).unwrap().0.automata()[0], game.tester);
        // Each process of the network alone is a game; together they synchronise.
        let network = text(".xml");
        let (model, tester) = (game.model.name(), game.tester.name());
        let system = format!("system {model}, {tester};");
        let only = |name: &str| read(&network.replace(&system, &format!("system {name};"))).unwrap().0;
        assert_eq!(only(model).automata()[0], game.model);
        assert_eq!(only(tester).automata()[0], game.tester);
        let with_dtd = roxmltree::ParsingOptions {
            allow_dtd: true,
            ..Default::default()
        };
        let xml = roxmltree::Document::parse_with_options(&network, with_dtd).unwrap();
        let formula = xml.descendants().find(|node| node.has_tag_name("formula")).unwrap();
        let formula = formula.text().unwrap();
        assert!(text(".q").ends_with(&format!("{formula}\n")));
        assert!(formula.starts_with(&format!("E<> {tester}.FAIL")), "{formula}");
        assert_eq!(formula.matches(&format!("{tester}.G")).count(), game.giving.len());
        let ids: Vec<&str> = xml.descendants().filter_map(|node| node.attribute("id")).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    }
    for (name, named) in [
        ("ecdar-io-lines.xml", "alphabet"),
        ("tiga-internal-step.xml", "alphabet"),
    ] {
        let output = tamper(at, &format!("view suite.json {} --out no", model(name).display()));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {stderr}");
        assert!(
            stderr.contains(named) || stderr.contains("--template"),
            "{name}: {stderr}"
        );
    }
    let output = tamper(at, &format!("view suite.json {lamp} --input-enabling on --out no"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("does not ignore inputs"));
    // Of a network the process's own edge is named: the lamp goes out by itself.
    let network = model("networks/lamp-and-user.xml");
    let network = network.display();
    json(at, &format!("testgen {network} --operators TMI --out net.json"), 0);
    let output = tamper(at, &format!("view net.json {network} --out no"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("and Lamp: Dim -> Off (line 17) is one"), "{stderr}");
    assert!(!at.join("no").exists());
}

/// By hand: the lamp with names for its numbers. With a unit of its own a test multiplies what clocks are compared with.
#[test]
fn constants_keep_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let lamp = std::fs::read_to_string(model("lamp.xml")).unwrap();
    let named = lamp
        .replace("chan press,", "const int REACT = 2;\nconst int LONG = 20;\nchan press,")
        .replace("x&lt;=2<", "x&lt;=REACT // at most\n<")
        .replace("x==20", "LONG == x");
    std::fs::write(at.join("named.xml"), &named).unwrap();
    for (options, text) in [
        ("", ["x&lt;=REACT<", "LONG == x<"]),
        ("--delays middle", ["x &lt;= 2 * (REACT)<", "2 * (LONG) == x<"]),
    ] {
        json(at, &format!("testgen named.xml {options} --out suite.json"), 0);
        json(at, "view suite.json named.xml --out tests", 0);
        let suite = read_suite(&std::fs::read_to_string(at.join("suite.json")).unwrap()).unwrap();
        let base = read_bytes("named", named.as_bytes(), &Default::default())
            .unwrap()
            .0
            .automata()[0]
            .clone();
        let mut n_named = 0;
        for test in &suite.tests {
            let game = TesterGame::new(test, &base).unwrap();
            let network = std::fs::read_to_string(at.join(format!("tests/{}.xml", test.id))).unwrap();
            n_named += usize::from(text.iter().all(|text| network.contains(text)));
            assert!(
                network.contains("const int LONG = 20;\nconst int REACT = 2;\nclock x;"),
                "{network}"
            );
            let system = format!("system {}, {};", game.model.name(), game.tester.name());
            let only = network.replace(&system, &format!("system {};", game.model.name()));
            let read = read_bytes("written", only.as_bytes(), &Default::default()).unwrap().0;
            assert_eq!(read.automata()[0], game.model);
        }
        assert!(n_named > 0, "{options}");
    }
}
