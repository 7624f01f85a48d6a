//! A test against a game by plain search: which ends it can come to, without zones and without code of the suite's engine.
//!
//! The clocks of the test and of the game stand side by side in one space of classes (`oracle::clocks::Spread`, which
//! treats differences exactly), in the test's smallest unit of time. A position is a node of the test with the rule that was
//! chosen on entering it, a place of the game, and a class. Time goes from class to class; whatever a test or a game may do
//! is tried in each.

use std::collections::{HashMap, HashSet};

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, ToPrimitive as _};
use tamper_suite::{Act, Condition, Jump, Next, Resets, TestCase, TestVerdict};
use tamper_text::Id as _;
use tamper_timed::model::{ActionId, Automaton, AutomatonBuilder, Cmp, LocId, Location, Role, Urgency};

use crate::oracle::clocks::{ClockSpace, Limits, Spread};
use crate::oracle::play::{Place, Player};

/// What the runs of a test end in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Outcome {
    pub fail: bool,
    pub pass: bool,
    pub inconclusive: bool,
    /// Time is stopped and nothing is done.
    pub stalled: bool,
    /// Some run makes steps for ever.
    pub endless: bool,
}

impl Outcome {
    /// Whether every run fails.
    pub fn always_fails(self) -> bool {
        self.fail && !self.pass && !self.inconclusive && !self.stalled && !self.endless
    }

    fn add(&mut self, verdict: TestVerdict) {
        match verdict {
            TestVerdict::Pass => self.pass = true,
            TestVerdict::Fail => self.fail = true,
            TestVerdict::Inconclusive => self.inconclusive = true,
        }
    }
}

/// Most positions that are looked at. Tests with many parts of a time unit have more.
const MOST: usize = 8_000;

/// Everything that can come of `test` against `game`, which has an initial state; none if that takes too many positions.
pub fn outcome(test: &TestCase, game: &Automaton) -> Option<Outcome> {
    let ruler = Ruler::new(test, game);
    let player = Player {
        game,
        offset: test.clocks.len(),
    };
    let mut search = Search {
        test,
        player: &player,
        ruler: &ruler,
        known: HashMap::new(),
        waiting: Vec::new(),
        outcome: Outcome::default(),
        steps: Vec::new(),
    };
    let origin = ruler.origin();
    let start = player.start();
    assert!(player.exists(&ruler, &start, &origin), "the game has an initial state");
    search.enter(None, 0, start, origin);
    while let Some(position) = search.waiting.pop() {
        search.wait(position);
        if search.known.len() > MOST {
            return None;
        }
    }
    search.outcome.endless = search.has_endless_run();
    Some(search.outcome)
}

/// All clocks, the test's first, in parts of a time unit.
pub struct Ruler {
    space: Spread,
    /// Parts per time unit.
    scale: i64,
    n_test: usize,
    /// Ticks of the space per part.
    unit: i64,
}

fn conditions(test: &TestCase) -> Vec<&Condition> {
    let mut all = Vec::new();
    for node in &test.nodes {
        for rule in &node.rules {
            all.extend([&rule.from, &rule.when]);
            if let Act::Input { then, .. } = &rule.act {
                all.extend(then.iter().map(|jump| &jump.when));
            }
        }
        all.extend(node.outputs.iter().map(|expected| &expected.jump.when));
    }
    all
}

fn resets(test: &TestCase) -> Vec<&Resets> {
    let mut all = Vec::new();
    for node in &test.nodes {
        for rule in &node.rules {
            if let Act::Input { then, .. } = &rule.act {
                all.extend(then.iter().map(|jump| &jump.resets));
            }
        }
        all.extend(node.outputs.iter().map(|expected| &expected.jump.resets));
    }
    all
}

impl Ruler {
    fn new(test: &TestCase, game: &Automaton) -> Self {
        // The space asks a game which clocks belong together.
        let clocks_of_the_test = with_clocks(test.clocks.len());
        Self::of(test, &[game], &[&clocks_of_the_test, game])
    }

    /// Of a test and games side by side, all of whose clocks are told apart, one from another too.
    pub fn side_by_side(test: &TestCase, games: &[&Automaton]) -> Self {
        let of_games: usize = games.iter().map(|game| game.clocks().len()).sum();
        Self::of(test, games, &[&with_clocks(test.clocks.len() + of_games)])
    }

    /// The differences of clocks of one of the `owners` are known.
    fn of(test: &TestCase, games: &[&Automaton], owners: &[&Automaton]) -> Self {
        let atoms = || conditions(test).into_iter().flatten();
        let scale = atoms().fold(BigInt::one(), |scale, atom| scale.lcm(atom.bound.denom()));
        let scale = scale.to_i64().expect("a small unit");
        let of_game = Limits::of(games);
        let own = |bound: &BigRational| parts(bound, scale).abs();
        let bound = atoms().map(|atom| own(&atom.bound)).max().unwrap_or(0);
        let reset = resets(test).into_iter().flatten().map(|(_, value)| value * scale).max();
        let limits = Limits {
            bound: bound.max(of_game.bound * scale),
            reset: reset.unwrap_or(0).max(of_game.reset * scale),
        };
        let n_all: usize = owners.iter().map(|owner| owner.clocks().len()).sum();
        let n_all = i64::try_from(n_all).expect("few clocks");
        Self {
            space: Spread::of(owners, limits),
            scale,
            n_test: test.clocks.len(),
            unit: 2 * (n_all + 1),
        }
    }

    pub fn satisfies(&self, point: &[i64], condition: &Condition) -> bool {
        condition.iter().all(|atom| {
            let bound = parts(&atom.bound, self.scale);
            self.space
                .holds(&point.to_vec(), atom.left, atom.right, atom.cmp, bound)
        })
    }

    /// Whether the condition holds now or after some delay.
    pub fn lies_ahead(&self, point: &[i64], condition: &Condition) -> bool {
        // Delays between, in ticks; a strict end is half a tick further in.
        let (mut low, mut high) = (0i64, i64::MAX);
        for atom in condition {
            let bound = 2 * parts(&atom.bound, self.scale) * self.unit;
            let value = 2 * (point[atom.left] - atom.right.map_or(0, |right| point[right]));
            if atom.right.is_some() {
                if !self.satisfies(point, &vec![atom.clone()]) {
                    return false;
                }
                continue;
            }
            let left = bound - value;
            match atom.cmp {
                Cmp::Lt => high = high.min(left - 1),
                Cmp::Le => high = high.min(left),
                Cmp::Eq => (low, high) = (low.max(left), high.min(left)),
                Cmp::Ge => low = low.max(left),
                Cmp::Gt => low = low.max(left + 1),
            }
        }
        low <= high
    }
}

/// A bound in parts of a time unit.
fn parts(bound: &BigRational, scale: i64) -> i64 {
    let parts = bound * BigRational::from_integer(scale.into());
    assert!(parts.is_integer());
    parts.to_integer().to_i64().expect("small bounds")
}

pub fn with_clocks(n: usize) -> Automaton {
    let mut builder = AutomatonBuilder::new("clocks");
    for clock in 0..n {
        builder.clock(format!("c{clock}"));
    }
    builder.location(Location {
        name: "l".into(),
        invariant: tamper_timed::model::Guard::always(),
        urgency: Urgency::Normal,
    });
    builder.initial(LocId::from_index(0));
    builder.build().expect("a location and clocks")
}

impl ClockSpace for Ruler {
    type Point = Vec<i64>;
    type Class = Vec<i64>;

    fn class(&self, point: &Self::Point) -> Self::Class {
        self.space.class(point)
    }
    fn origin(&self) -> Self::Point {
        self.space.origin()
    }
    /// Of the game's clocks, in its unit.
    fn holds(&self, point: &Self::Point, left: usize, right: Option<usize>, cmp: Cmp, bound: i64) -> bool {
        assert!(left >= self.n_test);
        self.space.holds(point, left, right, cmp, bound * self.scale)
    }
    /// Of any clock, in the game's unit, which is the test's too.
    fn reset(&self, point: &Self::Point, clock: usize, value: i64) -> Self::Point {
        self.space.reset(point, clock, value * self.scale)
    }
    fn later(&self, point: &Self::Point) -> Self::Point {
        self.space.later(point)
    }
    fn lasts(&self, point: &Self::Point) -> bool {
        self.space.lasts(point)
    }
    fn project(&self, _: &Self::Point, _: std::ops::Range<usize>, _: &Self) -> Self::Point {
        unreachable!("one game is looked at")
    }
    fn of(_: &[&Automaton], _: Limits) -> Self {
        unreachable!("it is made for a test and a game")
    }
}

/// A node, the rule chosen in it, and the rest.
type Key = (usize, usize, Place, Vec<i64>);

struct Position {
    id: usize,
    node: usize,
    rule: usize,
    place: Place,
    point: Vec<i64>,
}

struct Search<'a> {
    test: &'a TestCase,
    player: &'a Player<'a>,
    ruler: &'a Ruler,
    known: HashMap<Key, usize>,
    waiting: Vec<Position>,
    outcome: Outcome,
    /// From position to position, and whether something is done.
    steps: Vec<(usize, usize, bool)>,
}

impl Search<'_> {
    /// Into a node: the first rule whose `from` holds is followed, if what it waits for lies ahead.
    fn enter(&mut self, from: Option<usize>, node: usize, place: Place, point: Vec<i64>) {
        let rules = &self.test.nodes[node].rules;
        let chosen = rules.iter().position(|rule| self.ruler.satisfies(&point, &rule.from));
        match chosen.filter(|rule| self.ruler.lies_ahead(&point, &rules[*rule].when)) {
            None => self.outcome.inconclusive = true,
            Some(rule) => self.reach((from, true), (node, rule), place, point),
        }
    }

    fn reach(
        &mut self,
        (from, acts): (Option<usize>, bool),
        (node, rule): (usize, usize),
        place: Place,
        point: Vec<i64>,
    ) {
        let next = self.known.len();
        let key = (node, rule, place.clone(), self.ruler.class(&point));
        let id = *self.known.entry(key).or_insert(next);
        if let Some(from) = from {
            self.steps.push((from, id, acts));
        }
        if id == next {
            self.waiting.push(Position {
                id,
                node,
                rule,
                place,
                point,
            });
        }
    }

    /// All that can happen next where the tester waits.
    fn wait(&mut self, at: Position) {
        let test = self.test;
        let node = &test.nodes[at.node];
        let rule = &node.rules[at.rule];
        let mut speaks = false;
        for action in self.player.actions(false) {
            let label = self.label(action);
            for (place, point) in self.player.moves(self.ruler, &at.place, &at.point, action) {
                speaks = true;
                let known = node.outputs.iter().filter(|expected| expected.action == label);
                let jumps = known.map(|expected| &expected.jump);
                self.jump(&at, jumps, (place, point), node.otherwise);
            }
        }
        let acts = self.ruler.satisfies(&at.point, &rule.when);
        if acts {
            match &rule.act {
                Act::Stop(verdict) => self.outcome.add(*verdict),
                Act::Input { action, then } => self.input(&at, action, then),
            }
        }
        let later = self.ruler.later(&at.point);
        let can_wait = !self.player.is_urgent(self.ruler, &at.place, &at.point)
            && self.player.exists(self.ruler, &at.place, &later);
        if can_wait {
            // The tester acts before it is too late.
            if self.ruler.lies_ahead(&later, &rule.when) {
                self.reach((Some(at.id), false), (at.node, at.rule), at.place, later);
            }
        } else if !acts && !speaks {
            self.outcome.stalled = true;
        }
    }

    fn label(&self, action: ActionId) -> String {
        let action = &self.player.game.actions()[action];
        match action.role {
            Role::Input => format!("{}?", action.name),
            Role::Output => format!("{}!", action.name),
            Role::Internal => "tau".to_owned(),
        }
    }

    fn input(&mut self, at: &Position, action: &str, then: &[Jump]) {
        let is_meant = |input: &ActionId| self.label(*input) == action;
        let inputs: Vec<ActionId> = self.player.actions(true).filter(is_meant).collect();
        let mut accepted = false;
        for input in inputs {
            for (place, point) in self.player.moves(self.ruler, &at.place, &at.point, input) {
                accepted = true;
                self.jump(at, then.iter(), (place, point), TestVerdict::Pass);
            }
        }
        if !accepted {
            self.outcome.fail = true;
        }
    }

    /// The first of the jumps whose condition held when the step was made.
    fn jump<'j>(
        &mut self,
        at: &Position,
        mut jumps: impl Iterator<Item = &'j Jump>,
        (place, point): (Place, Vec<i64>),
        otherwise: TestVerdict,
    ) {
        match jumps.find(|jump| self.ruler.satisfies(&at.point, &jump.when)) {
            None => self.outcome.add(otherwise),
            Some(Jump {
                next: Next::Verdict(verdict),
                ..
            }) => self.outcome.add(*verdict),
            Some(Jump {
                next: Next::Node(next),
                resets,
                ..
            }) => {
                let reset = |point, (clock, value): &(usize, i64)| self.ruler.reset(&point, *clock, *value);
                let point = resets.iter().fold(point, reset);
                self.enter(Some(at.id), *next, place, point);
            }
        }
    }

    /// Whether something is done again and again: a step that leads back to where it began.
    fn has_endless_run(&self) -> bool {
        let mut nexts: HashMap<usize, Vec<usize>> = HashMap::new();
        for (from, to, _) in &self.steps {
            nexts.entry(*from).or_default().push(*to);
        }
        let leads_back = |(from, to, _): &(usize, usize, bool)| {
            let (mut seen, mut waiting) = (HashSet::from([*to]), vec![*to]);
            while let Some(at) = waiting.pop() {
                if at == *from {
                    return true;
                }
                let next = nexts.get(&at).into_iter().flatten();
                waiting.extend(next.filter(|next| seen.insert(**next)));
            }
            false
        };
        self.goes_round() && self.steps.iter().filter(|(.., acts)| *acts).any(leads_back)
    }

    /// Whether the test's nodes have a cycle: else no run is endless.
    fn goes_round(&self) -> bool {
        let mut edges: HashSet<(usize, usize)> = HashSet::new();
        for (at, node) in self.test.nodes.iter().enumerate() {
            let inputs = node.rules.iter().flat_map(|rule| match &rule.act {
                Act::Input { then, .. } => then.as_slice(),
                Act::Stop(_) => &[],
            });
            for jump in inputs.chain(node.outputs.iter().map(|expected| &expected.jump)) {
                if let Next::Node(next) = jump.next {
                    edges.insert((at, next));
                }
            }
        }
        // Nodes that lead nowhere else are taken away until none is left, or a cycle.
        loop {
            let sources: HashSet<usize> = edges.iter().map(|(source, _)| *source).collect();
            let before = edges.len();
            edges.retain(|(_, target)| sources.contains(target));
            if edges.len() == before {
                return !edges.is_empty();
            }
        }
    }
}
