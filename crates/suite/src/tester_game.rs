//! A test as an automaton that plays against a model: it sends what the test gives, and receives what the test sees. Both automata
//! are in the test's unit of time, so all constants are integers.
//!
//! A node becomes a committed location in which a rule is chosen (`N`), a location per rule in which the tester waits (`W`), and a
//! location per input that is given (`G`, committed: if the model cannot take the input, nothing can happen any more). First-fit
//! conditions become guards that exclude each other.

use std::collections::BTreeSet;

use num_traits::ToPrimitive as _;

use super::error::SuiteFailure;
use super::{Next, TestCase, TestVerdict};
use crate::execution::compiled::{CompiledAct, CompiledJump, CompiledNode, CompiledRule, CompiledTest, take_out};
use tamper_game::symbolic::{Atom, zone_ops};
use tamper_text::Id as _;
use tamper_timed::model::{
    ActionId, Automaton, AutomatonBuilder, ClockId, Edge, Expr, Guard, LocId, Location, Role, UnaryOp, Update, Urgency,
};
use tamper_zones::{Clock, Dbm, Variable};

/// A tester, and the model that it is for.
#[derive(Clone, Debug)]
pub struct TesterGame {
    /// The tester; its outputs are the inputs of the model and vice versa.
    pub tester: Automaton,
    /// The model in the tester's unit.
    pub model: Automaton,
    /// Number of the tester's units in one time unit of the model.
    pub scale: i64,
    /// The name of the location in which the test has failed.
    pub fail: String,
    /// The names of the locations in which an input is given.
    pub giving: Vec<String>,
    /// The names of the model's locations in the middle of an atomic step: an input there tells nothing.
    pub on_the_way: Vec<String>,
}

impl TesterGame {
    /// The tester of `test` for `model`. The tester knows only the alphabet of the model. Internal steps of the model, and inputs
    /// that it ignores, are not provided for.
    ///
    /// # Errors
    /// Bounds that are too fine or too large.
    pub fn new(test: &TestCase, model: &Automaton) -> Result<Self, SuiteFailure> {
        let compiled = CompiledTest::in_own_unit(test)?;
        let too_fine = || SuiteFailure::TooFine { test: test.id.clone() };
        let scale = test.scale().to_i64().ok_or_else(too_fine)?;
        let mut maker = TesterMaker::new(&compiled, test, model);
        for at in 0..compiled.nodes.len() {
            maker.node(at);
        }
        let fail = maker.name_of(TestVerdict::Fail);
        let giving = maker.giving;
        let name = |at: LocId| model.locations()[at].name.to_string();
        maker.builder.initial(maker.nodes[0]);
        let tester = maker.builder.build().expect("the parts are the tester's own");
        Ok(Self {
            tester,
            model: scaled(model, scale),
            scale,
            fail,
            giving,
            on_the_way: model
                .locations()
                .ids()
                .filter(|at| is_on_the_way(model, *at))
                .map(name)
                .collect(),
        })
    }
}

struct TesterMaker<'t> {
    test: &'t CompiledTest,
    builder: AutomatonBuilder,
    taken: BTreeSet<String>,
    clocks: Vec<ClockId>,
    tau: ActionId,
    /// The outputs of the model, by their labels.
    outputs: Vec<(String, ActionId)>,
    nodes: Vec<LocId>,
    ends: Vec<(TestVerdict, LocId, String)>,
    giving: Vec<String>,
}

impl<'t> TesterMaker<'t> {
    fn new(test: &'t CompiledTest, named: &TestCase, model: &Automaton) -> Self {
        let name = if model.name() == "Test" { "Tester" } else { "Test" };
        let mut builder = AutomatonBuilder::new(name);
        let actions = model.actions().iter();
        let mut taken: BTreeSet<String> = actions.map(|action| action.name.to_string()).collect();
        taken.extend([name.to_owned(), model.name().to_owned()]);
        let mut clocks = Vec::new();
        for clock in &named.clocks {
            let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
            let name = fresh(&clock.chars().map(letter).collect::<String>(), &mut taken);
            clocks.push(builder.clock(name));
        }
        let tau = builder.tau();
        let named = model.actions().iter().filter(|action| action.role == Role::Output);
        let outputs = named
            .map(|action| (action.to_string(), builder.action(&action.name, Role::Input, false)))
            .collect();
        let mut maker = Self {
            test,
            builder,
            taken,
            clocks,
            tau,
            outputs,
            nodes: Vec::new(),
            ends: Vec::new(),
            giving: Vec::new(),
        };
        for at in 0..test.nodes.len() {
            let node = maker.location(&format!("N{at}"), Guard::always(), Urgency::Committed).0;
            maker.nodes.push(node);
        }
        for (verdict, name) in [
            (TestVerdict::Pass, "PASS"),
            (TestVerdict::Fail, "FAIL"),
            (TestVerdict::Inconclusive, "INCONCLUSIVE"),
        ] {
            let (id, name) = maker.location(name, Guard::always(), Urgency::Normal);
            maker.ends.push((verdict, id, name));
        }
        maker
    }

    fn location(&mut self, name: &str, invariant: Guard, urgency: Urgency) -> (LocId, String) {
        let name = fresh(name, &mut self.taken);
        let location = Location {
            name: name.as_str().into(),
            invariant,
            urgency,
        };
        (self.builder.location(location), name)
    }

    fn end(&self, verdict: TestVerdict) -> LocId {
        let (_, id, _) = self
            .ends
            .iter()
            .find(|(known, ..)| *known == verdict)
            .expect("all are there");
        *id
    }

    fn name_of(&self, verdict: TestVerdict) -> String {
        let (.., name) = self
            .ends
            .iter()
            .find(|(known, ..)| *known == verdict)
            .expect("all are there");
        name.clone()
    }

    fn next(&self, next: Next) -> LocId {
        match next {
            Next::Node(node) => self.nodes[node],
            Next::Verdict(verdict) => self.end(verdict),
        }
    }

    /// Adds an edge that can be taken at the points of `zone`, where `known` holds anyway.
    fn edge(
        &mut self,
        source: LocId,
        target: LocId,
        action: ActionId,
        zone: &Dbm,
        known: &Dbm,
        resets: &[(Variable, i64)],
    ) {
        let atoms: Vec<Atom> = zone_ops::atoms_of_zone(zone)
            .into_iter()
            .filter(|atom| known.bound(atom.left, atom.right) > atom.bound)
            .collect();
        let reset =
            |(clock, value): &(Variable, i64)| Update::Reset(self.clocks[clock.index() - 1], Expr::Const(*value));
        let edge = Edge {
            source,
            target,
            action,
            guard: self.guard(&atoms),
            updates: resets.iter().map(reset).collect(),
            selects: Vec::new(),
        };
        self.builder.edge(edge);
    }

    fn guard(&self, atoms: &[Atom]) -> Guard {
        let constraint = |atom: &Atom| zone_ops::constraint(atom, |variable| self.clocks[variable.index() - 1]);
        Guard {
            clocks: atoms.iter().filter_map(constraint).collect(),
            data: Vec::new(),
        }
    }

    fn node(&mut self, at: usize) {
        let test = self.test;
        let node = &test.nodes[at];
        let entry = self.nodes[at];
        let lost = self.end(TestVerdict::Inconclusive);
        let universe = Dbm::universe(test.n_clocks + 1);
        let mut rest = vec![universe.clone()];
        for (index, rule) in node.rules.iter().enumerate() {
            let mut chosen = Vec::new();
            take_out(&mut rest, &rule.from, |part| chosen.push(part));
            let when = zone_ops::restricted(&universe, &rule.when);
            let before = when.clone().map(|mut zone| {
                zone.down();
                zone
            });
            let (mut waits, mut late) = (Vec::new(), chosen);
            if let Some(before) = &before {
                take_out(&mut late, &zone_ops::atoms_of_zone(before), |part| waits.push(part));
            }
            for zone in &late {
                self.edge(entry, lost, self.tau, zone, &universe, &[]);
            }
            let (Some(when), Some(before), false) = (when, before, waits.is_empty()) else {
                continue;
            };
            let waiting = self.waiting(&format!("{at}_{index}"), node, rule, &when, &before);
            for zone in &waits {
                self.edge(entry, waiting, self.tau, zone, &universe, &[]);
            }
        }
        for zone in &rest {
            self.edge(entry, lost, self.tau, zone, &universe, &[]);
        }
    }

    /// Adds the location in which the tester waits until `when`; `before` are the points from which that lies ahead.
    fn waiting(&mut self, suffix: &str, node: &CompiledNode, rule: &CompiledRule, when: &Dbm, before: &Dbm) -> LocId {
        let uppers: Vec<Atom> = zone_ops::atoms_of_zone(before)
            .into_iter()
            .filter(|atom| atom.right == Clock::ZERO)
            .collect();
        let invariant = self.guard(&uppers);
        let (waiting, _) = self.location(&format!("W{suffix}"), invariant, Urgency::Normal);
        for (label, action) in self.outputs.clone() {
            let known = node.outputs.iter().filter(|(expected, _)| *expected == label);
            let otherwise = self.end(node.otherwise);
            self.jumps(waiting, otherwise, action, known.map(|(_, jump)| jump), before);
        }
        match &rule.act {
            CompiledAct::Stop(verdict) => {
                let end = self.end(*verdict);
                self.edge(waiting, end, self.tau, when, before, &[]);
            }
            CompiledAct::Input(label, then) => {
                let (giving, name) = self.location(&format!("G{suffix}"), Guard::always(), Urgency::Committed);
                self.giving.push(name);
                self.edge(waiting, giving, self.tau, when, before, &[]);
                let channel = label.strip_suffix('?').unwrap_or(label);
                let action = self.builder.action(channel, Role::Output, false);
                let pass = self.end(TestVerdict::Pass);
                self.jumps(giving, pass, action, then.iter(), when);
            }
        }
        waiting
    }

    /// Adds edges for the first jump that fits at the points of `at`, and to `otherwise` where none fits.
    fn jumps<'j>(
        &mut self,
        source: LocId,
        otherwise: LocId,
        action: ActionId,
        jumps: impl Iterator<Item = &'j CompiledJump>,
        at: &Dbm,
    ) {
        let mut rest = vec![at.clone()];
        for jump in jumps {
            take_out(&mut rest, &jump.when, |part| {
                let target = self.next(jump.next);
                self.edge(source, target, action, &part, at, &jump.resets);
            });
        }
        for zone in &rest {
            self.edge(source, otherwise, action, zone, at, &[]);
        }
    }
}

/// A fresh name like `name`, which is then added to `taken`.
fn fresh(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut name = name.to_owned();
    if !name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        name.insert(0, '_');
    }
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}

/// Whether no input is taken in the location, because the next step follows at once.
fn is_on_the_way(model: &Automaton, at: LocId) -> bool {
    model.is_atomic() && model.locations()[at].urgency == Urgency::Committed
}

/// `model` with its clock bounds and resets multiplied by `scale`, and without the inputs in the middle of atomic steps. In a
/// single game committed means urgent; in a network a committed location would keep the tester from acting.
fn scaled(model: &Automaton, scale: i64) -> Automaton {
    let urgency = |urgency| match urgency {
        Urgency::Committed => Urgency::Urgent,
        urgency => urgency,
    };
    let times = |expr: &Expr| match expr {
        expr if scale == 1 => expr.clone(),
        Expr::Const(value) => Expr::Const(value * scale),
        expr => Expr::Unary(UnaryOp::Times(scale), Box::new(expr.clone())),
    };
    let guard = |guard: &Guard| {
        let mut guard = guard.clone();
        for atom in &mut guard.clocks {
            atom.bound = times(&atom.bound);
        }
        guard
    };
    let update = |update: &Update| match update {
        Update::Reset(clock, value) => Update::Reset(*clock, times(value)),
        assign @ Update::Assign(..) => assign.clone(),
    };
    let mut builder = AutomatonBuilder::new(model.name());
    for clock in model.clocks().iter() {
        builder.clock_like(clock, std::sync::Arc::clone(&clock.name));
    }
    for int in model.ints().iter() {
        builder.int(int.clone());
    }
    for action in model.actions().iter() {
        builder.action(&action.name, action.role, action.urgent);
    }
    for location in model.locations() {
        builder.location(Location {
            invariant: guard(&location.invariant),
            urgency: urgency(location.urgency),
            ..(**location).clone()
        });
    }
    let is_asked = |edge: &Edge| model.actions()[edge.action].role != Role::Input || !is_on_the_way(model, edge.source);
    for edge in model.edges().iter().filter(|edge| is_asked(edge)) {
        builder.edge(Edge {
            guard: guard(&edge.guard),
            updates: edge.updates.iter().map(update).collect(),
            ..(**edge).clone()
        });
    }
    builder.initial(LocId::from_index(model.initial().index()));
    builder.input_enabled(model.is_input_enabled());
    builder.build().expect("the parts are the model's")
}
