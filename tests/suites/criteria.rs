//! Suites for structural criteria, against a walk through the region graph that remembers what a run went through.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use tamper::experiment::killing::{Candidate, KillGoal, Strategy, SuiteOptions, generate, items_to_cover};
use tamper::experiment::{Limits, Timer};
use tamper::model::{Automaton, Edge, EdgeId, Expr, Guard, Update};
use tamper::mutation::{MutationOptions, Site, clock_atom_text, condition_text, edge_name};
use tamper::suite::{Criterion, Pick, Refusals, Style, SuiteFailure, Tester, ends};
use tamper::text::{Budget, Id as _};

use testing::oracle::clocks::{ClockSpace, Limits as Constants, Regions, Spread, has_diagonals};
use testing::oracle::generate::{Sketch, sketch};
use testing::oracle::play::{Place, Player};
use testing::oracle::run;
use testing::oracle::show::show;

/// A run so far: where it is, its last edge, and which edge set each clock and each integer (none: no edge did).
type State<P> = (Place, P, Option<EdgeId>, Vec<Option<EdgeId>>);

/// The items that runs go through, with their criterion.
type Covered = BTreeSet<(&'static str, String)>;

pub struct Walker<'a> {
    pub game: &'a Automaton,
    /// Per edge the game in which no other edge can be taken.
    pub single: Vec<Automaton>,
    /// Per edge and condition of its guard the game in which only a loop is left that has this condition alone.
    conditions: Vec<Vec<(String, Automaton)>>,
}

impl<'a> Walker<'a> {
    pub fn new(game: &'a Automaton) -> Self {
        let never = || Guard {
            clocks: Vec::new(),
            data: vec![Expr::Const(0)],
        };
        let alone = |id: EdgeId| {
            let others = game.edges().ids().filter(|other| *other != id);
            others.fold(game.clone(), |game, other| game.with_guard(other, never()))
        };
        let condition = |id: EdgeId, guard: Guard| {
            let edge = &game.edges()[id];
            let looping = Edge {
                target: edge.source,
                guard,
                updates: Vec::new(),
                ..(**edge).clone()
            };
            alone(id).with_edge(id, looping)
        };
        let conditions = game.edges().iter_enumerated().map(|(id, edge)| {
            let atoms = edge.guard.clocks.iter().enumerate().map(|(at, atom)| {
                let guard = Guard {
                    clocks: vec![atom.clone()],
                    data: Vec::new(),
                };
                (clock_atom_text(game, Site::Guard(id), at), condition(id, guard))
            });
            let data = edge.guard.data.iter().map(|data| {
                let guard = Guard {
                    clocks: Vec::new(),
                    data: vec![data.clone()],
                };
                (condition_text(game, Some(id), data), condition(id, guard))
            });
            atoms.chain(data).collect()
        });
        Self {
            game,
            single: game.edges().ids().map(alone).collect(),
            conditions: conditions.collect(),
        }
    }

    pub fn n_clocks(&self) -> usize {
        self.game.clocks().len()
    }

    /// The positions of what the expression reads among clocks and integers.
    pub fn ints(&self, expr: &Expr) -> Vec<usize> {
        let mut read = Vec::new();
        expr.walk(&mut |part| {
            if let Expr::Var(int) = part {
                read.push(self.n_clocks() + int.index());
            }
        });
        read
    }

    pub fn read_by(&self, guard: &Guard) -> Vec<usize> {
        let atoms = guard.clocks.iter().flat_map(|atom| {
            let clocks = std::iter::once(atom.left).chain(atom.right);
            let clocks: Vec<usize> = clocks.map(tamper::text::Id::index).collect();
            [clocks, self.ints(&atom.bound)].concat()
        });
        atoms
            .chain(guard.data.iter().flat_map(|data| self.ints(data)))
            .collect()
    }

    fn use_name(&self, variable: usize, set: Option<EdgeId>, place: &str) -> (&'static str, String) {
        let name = match variable.checked_sub(self.n_clocks()) {
            None => self.game.clocks().iter().nth(variable).map(|clock| &clock.name),
            Some(int) => self.game.ints().iter().nth(int).map(|int| &int.name),
        };
        let from = set.map_or("initially".to_owned(), |edge| edge_name(self.game, edge));
        ("all-uses", format!("{}: {from}, {place}", name.expect("a variable")))
    }

    /// What being in the state covers.
    fn in_state<C: ClockSpace>(&self, space: &C, (place, point, _, set): &State<C::Point>, covered: &mut Covered) {
        let location = &self.game.locations()[place.location];
        covered.insert(("locations", location.name.to_string()));
        for variable in self.read_by(&location.invariant) {
            covered.insert(self.use_name(variable, set[variable], &format!("in {}", location.name)));
        }
        let here = self.game.edges().iter_enumerated();
        for (id, edge) in here.filter(|(_, edge)| edge.source == place.location && edge.selects.is_empty()) {
            let holds = |(_, game): &&(String, Automaton)| {
                let player = Player { game, offset: 0 };
                !player.edge_moves(space, place, point, edge.action).is_empty()
            };
            let failing: Vec<_> = self.conditions[id.index()].iter().filter(|one| !holds(one)).collect();
            let what = match &failing[..] {
                [] if !edge.guard.is_trivial() => "holds".to_owned(),
                [(text, _)] => format!("only {text} does not hold"),
                _ => continue,
            };
            covered.insert(("mcdc", format!("{}: {what}", edge_name(self.game, id))));
        }
    }

    /// What taking the edge in the state covers; the variables are set by it.
    fn take<P>(&self, id: EdgeId, (_, _, last, set): &State<P>, covered: &mut Covered) -> Vec<Option<EdgeId>> {
        let (edge, name) = (&self.game.edges()[id], edge_name(self.game, id));
        covered.insert(("edges", name.clone()));
        if let Some(last) = last {
            covered.insert(("edge-pairs", format!("{}, {name}", edge_name(self.game, *last))));
        }
        for variable in self.read_by(&edge.guard) {
            covered.insert(self.use_name(variable, set[variable], &name));
        }
        let mut after = set.clone();
        let mut fresh = vec![false; set.len()];
        for update in &edge.updates {
            let (target, value) = match update {
                Update::Reset(clock, value) => (clock.index(), value),
                Update::Assign(int, value) => (self.n_clocks() + int.index(), value),
            };
            for variable in self.ints(value).into_iter().filter(|variable| !fresh[*variable]) {
                covered.insert(self.use_name(variable, set[variable], &name));
            }
            (after[target], fresh[target]) = (Some(id), true);
        }
        after
    }

    fn covered<C: ClockSpace>(&self) -> Covered {
        let space = C::of(&[self.game], Constants::of(&[self.game]));
        let player = Player {
            game: self.game,
            offset: 0,
        };
        let n_variables = self.n_clocks() + self.game.ints().len();
        let mut open: Vec<State<C::Point>> = vec![(player.start(), space.origin(), None, vec![None; n_variables])];
        let mut known = HashSet::new();
        let mut covered = Covered::new();
        while let Some(state) = open.pop() {
            let (place, point, last, set) = &state;
            if !known.insert((place.clone(), space.class(point), *last, set.clone())) {
                continue;
            }
            self.in_state(&space, &state, &mut covered);
            for (id, edge) in self.game.edges().iter_enumerated() {
                let alone = Player {
                    game: &self.single[id.index()],
                    offset: 0,
                };
                for (place, point) in alone.edge_moves(&space, place, point, edge.action) {
                    let set = self.take(id, &state, &mut covered);
                    open.push((place, point, Some(id), set));
                }
            }
            let later = space.later(point);
            if !player.is_urgent(&space, place, point) && player.exists(&space, place, &later) {
                open.push((place.clone(), later, *last, set.clone()));
            }
        }
        covered
    }
}

fn wish(strategy: Strategy) -> SuiteOptions {
    SuiteOptions {
        wanted: KillGoal::Potential,
        style: Style::Cooperative,
        pick: Pick::Earliest,
        strategy,
        rounds: 1,
        refusals: Refusals::Error,
        linger: None,
        mutation: MutationOptions::default(),
        max_nodes: 10_000,
    }
}

/// How many items are covered, and how many are in no run, by criterion.
type Counts = BTreeMap<&'static str, (u32, u32)>;

fn check(sketch: &Sketch, counts: &RefCell<Counts>) -> Result<(), String> {
    let game = sketch.build("G");
    let budget = Budget::unlimited();
    let tester = match Tester::new(&game, &budget) {
        Ok(tester) => tester,
        Err(SuiteFailure::NonDeterministic { .. } | SuiteFailure::NoInitialState { .. }) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let walker = Walker::new(&game);
    let covered = match has_diagonals(&game) {
        true => walker.covered::<Spread>(),
        false => walker.covered::<Regions>(),
    };
    let has_select = |name: &str| {
        let mut edges = game.edges().iter_enumerated();
        edges.any(|(id, edge)| !edge.selects.is_empty() && name.starts_with(&edge_name(&game, id)))
    };
    let timer = Timer::new(Limits::default());
    let mut n_known = 0;
    for criterion in Criterion::ALL {
        let items: Vec<Candidate> = items_to_cover(&game, criterion, &timer);
        let suite = generate(&tester, &items, &wish(Strategy::Minimal), &timer, &|_| ()).map_err(|e| e.to_string())?;
        for (item, said) in items.iter().zip(&suite.mutants) {
            let key = (criterion.name(), item.id.clone());
            let is_covered = covered.contains(&key);
            n_known += usize::from(is_covered);
            if criterion == Criterion::Mcdc && has_select(&item.id) {
                continue;
            }
            if (said.killable == "potential", said.killable == "none") != (is_covered, !is_covered) {
                return Err(format!(
                    "{key:?} is {}, of the walk {is_covered}\n{}",
                    said.killable,
                    show(&game)
                ));
            }
            let mut counts = counts.borrow_mut();
            let (n_covered, n_not) = counts.entry(criterion.name()).or_default();
            *n_covered += u32::from(is_covered);
            *n_not += u32::from(!is_covered);
            if !is_covered {
                continue;
            }
            // The test that is named for it goes through it, and the game passes it.
            let test = suite.tests.iter().find(|test| Some(&test.id) == said.test.as_ref());
            let test = test.ok_or_else(|| format!("no test for {key:?}"))?;
            let subject = item.subject.as_ref().map_err(ToString::to_string)?;
            let end = |subject| ends(test, subject, &budget).map_err(|error| error.to_string());
            if !end(subject)?.can_fail() || end(tester.spec())?.can_fail() {
                return Err(format!("{key:?} is not covered by {}", test.id));
            }
        }
    }
    // Whatever the walk goes through is an item.
    match n_known == covered.len() {
        true => Ok(()),
        false => Err(format!("{covered:?} has items that are not listed\n{}", show(&game))),
    }
}

#[test]
fn what_is_covered_and_what_no_run_goes_through_is_what_the_region_graph_says() {
    let counts = RefCell::new(Counts::default());
    let cases = if cfg!(debug_assertions) { 100 } else { 200 };
    run::check(cases, &sketch(), |sketch| check(sketch, &counts));
    let counts = counts.into_inner();
    println!("{counts:?}");
    assert_eq!(counts.len(), Criterion::ALL.len());
    let is_small =
        |(criterion, (covered, not)): (&&str, &(u32, u32))| *covered < 30 || *not < 10 && *criterion != "locations";
    assert!(!counts.iter().any(is_small), "{counts:?}");
}
