//! Structural coverage criteria: the items of a game that a suite should cover, each as a game that shows it (\[002\] section 6
//! compares criteria with mutants).
//!
//! The game of an item is the original game with bits that remember the progress of a run, and with an additional output wherever
//! the item is covered. The original game never makes that output. So a test can fail on the item's game if and only if some play
//! of the test covers the item and then observes the next event, and no run covers the item if and only if no test can fail on it.
//! Everything that finds, executes and chooses tests for mutants therefore works for items, too.

use std::collections::BTreeSet;
use std::sync::Arc;

use tamper_timed::model::{
    Action, ActionId, Automaton, BinaryOp, ClockConstraint, ClockId, Cmp, Edge, EdgeId, Expr, Guard, IntId, IntVar,
    LocId, Role, UnaryOp, Update,
};
use tamper_timed::mutation::{Site, clock_atom_text, condition_text, edge_name};

tamper_text::named! {
    /// A coverage criterion: the items of a model that a suite should cover. Ignored inputs are not edges.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Criterion {
        /// Every location.
        Locations = "locations",
        /// Every edge.
        Edges = "edges",
        /// Every two edges that can follow each other.
        EdgePairs = "edge-pairs",
        /// From every place where a clock or an integer is set to every place where it is read (guards, invariants,
        /// assignments), where edges lead there that do not set it.
        AllUses = "all-uses",
        /// Per guard: that it holds, and for each of its conditions a moment at which only that one does not hold.
        Mcdc = "mcdc",
    }
}

/// An item that a suite should cover.
#[derive(Clone, Debug)]
pub struct Item {
    /// The name of the item, as shown to users; unique within its criterion.
    pub name: String,
    /// The game that shows it.
    pub shown: Automaton,
}

/// All items of `game`, whether a run covers them or not, in the order of the game's parts.
pub fn items(game: &Automaton, criterion: Criterion) -> Vec<Item> {
    match criterion {
        Criterion::Locations => locations(game),
        Criterion::Edges => edges(game),
        Criterion::EdgePairs => edge_pairs(game),
        Criterion::AllUses => all_uses(game),
        Criterion::Mcdc => conditions(game),
    }
}

fn locations(game: &Automaton) -> Vec<Item> {
    let item = |id: LocId| Item {
        name: game.locations()[id].name.to_string(),
        shown: showing(game, [(id, Guard::always(), None)]),
    };
    game.locations().ids().map(item).collect()
}

fn edges(game: &Automaton) -> Vec<Item> {
    let item = |id: EdgeId| Item {
        name: edge_name(game, id),
        shown: Memory::of(game, 0, 0).along(|edge| (edge == id).then_some(CoverageUpdate::Done).into_iter().collect()),
    };
    game.edges().ids().map(item).collect()
}

fn edge_pairs(game: &Automaton) -> Vec<Item> {
    let follow = |(first, one): (EdgeId, &Arc<Edge>)| {
        let next = game.edges().iter_enumerated();
        let next = next.filter(|(_, other)| other.source == one.target);
        next.map(|(second, _)| (first, second)).collect::<Vec<_>>()
    };
    let pairs = game.edges().iter_enumerated().flat_map(follow);
    let item = |(first, second): (EdgeId, EdgeId)| Item {
        name: format!("{}, {}", edge_name(game, first), edge_name(game, second)),
        shown: Memory::of(game, 0, 0).along(|edge| {
            let done = (edge == second).then_some(CoverageUpdate::DoneIfArmed);
            done.into_iter().chain([CoverageUpdate::Arm(edge == first)]).collect()
        }),
    };
    pairs.map(item).collect()
}

/// A clock or an integer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum GameVariable {
    Clock(ClockId),
    Int(IntId),
}

fn all_uses(game: &Automaton) -> Vec<Item> {
    let clocks = game.clocks().ids().map(GameVariable::Clock);
    let variables = clocks.chain(game.ints().ids().map(GameVariable::Int));
    let edges = || game.edges().iter_enumerated();
    variables
        .flat_map(|variable| {
            let sets = edges().filter(|(_, edge)| sets(edge, variable)).map(|(id, _)| Some(id));
            let read_by = edges().filter(|(_, edge)| reads(edge, variable));
            let locations = game.locations().iter_enumerated();
            let read_in = locations.filter(|(_, location)| read_in(&location.invariant).contains(&variable));
            let read_by = read_by.map(|(id, _)| Site::Guard(id));
            let uses: Vec<Site> = read_by.chain(read_in.map(|(id, _)| Site::Invariant(id))).collect();
            let definitions = std::iter::once(None).chain(sets);
            let items = definitions.flat_map(|set| {
                let kept = keeping(game, variable, set);
                let is_near = |read: &&Site| {
                    kept.contains(&match **read {
                        Site::Guard(edge) => game.edges()[edge].source,
                        Site::Invariant(location) => location,
                    })
                };
                let near = uses.iter().filter(is_near);
                near.map(|read| use_of(game, variable, set, *read)).collect::<Vec<_>>()
            });
            items.collect::<Vec<_>>()
        })
        .collect()
}

/// The locations that can be reached, guards aside, after `set` (`None` for the start) sets the variable and before another edge sets it.
fn keeping(game: &Automaton, variable: GameVariable, set: Option<EdgeId>) -> BTreeSet<LocId> {
    let start = set.map_or(game.initial(), |edge| game.edges()[edge].target);
    let mut kept = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(place) = open.pop() {
        let leaving = game.edges().iter().filter(|edge| edge.source == place);
        let next = leaving.filter(|edge| !sets(edge, variable)).map(|edge| edge.target);
        open.extend(next.filter(|target| kept.insert(*target)));
    }
    kept
}

/// The item for reading, at `read`, the value that `set` gives (`None` for the initial value).
fn use_of(game: &Automaton, variable: GameVariable, set: Option<EdgeId>, read: Site) -> Item {
    let name = match variable {
        GameVariable::Clock(clock) => &game.clocks()[clock].name,
        GameVariable::Int(int) => &game.ints()[int].name,
    };
    let from = set.map_or_else(|| "initially".to_owned(), |edge| edge_name(game, edge));
    let to = match read {
        Site::Guard(edge) => edge_name(game, edge),
        Site::Invariant(location) => format!("in {}", game.locations()[location].name),
    };
    let is_initial = set.is_none();
    let at_once = is_initial && read == Site::Invariant(game.initial());
    let shown = Memory::of(game, i32::from(is_initial), i32::from(at_once)).along(|id| {
        let edge = &game.edges()[id];
        let mut steps = Vec::new();
        // A guard and an assignment read the value before the edge, an invariant the value after it.
        if read == Site::Guard(id) {
            steps.push(CoverageUpdate::DoneIfArmed);
        }
        if sets(edge, variable) {
            steps.push(CoverageUpdate::Arm(set == Some(id)));
        }
        if read == Site::Invariant(edge.target) {
            steps.push(CoverageUpdate::DoneIfArmed);
        }
        steps
    });
    Item {
        name: format!("{name}: {from}, {to}"),
        shown,
    }
}

fn sets(edge: &Edge, variable: GameVariable) -> bool {
    edge.updates.iter().any(|update| target(update) == variable)
}

pub(super) fn target(update: &Update) -> GameVariable {
    match update {
        Update::Reset(clock, _) => GameVariable::Clock(*clock),
        Update::Assign(int, _) => GameVariable::Int(*int),
    }
}

/// Whether the edge reads a value that the variable had before it.
fn reads(edge: &Edge, variable: GameVariable) -> bool {
    let mut read = read_in(&edge.guard);
    let mut set = BTreeSet::new();
    for update in &edge.updates {
        read.extend(read_by(update).difference(&set));
        set.insert(target(update));
    }
    read.contains(&variable)
}

/// The integers that the assigned value is computed from.
pub(super) fn read_by(update: &Update) -> BTreeSet<GameVariable> {
    let (Update::Reset(_, value) | Update::Assign(_, value)) = update;
    let mut read = BTreeSet::new();
    ints_in(value, &mut read);
    read
}

pub(super) fn read_in(guard: &Guard) -> BTreeSet<GameVariable> {
    let mut read = BTreeSet::new();
    for atom in &guard.clocks {
        read.extend(
            [Some(atom.left), atom.right]
                .into_iter()
                .flatten()
                .map(GameVariable::Clock),
        );
        ints_in(&atom.bound, &mut read);
    }
    guard.data.iter().for_each(|condition| ints_in(condition, &mut read));
    read
}

fn ints_in(expr: &Expr, read: &mut BTreeSet<GameVariable>) {
    expr.walk(&mut |part| {
        if let Expr::Var(int) = part {
            read.insert(GameVariable::Int(*int));
        }
    });
}

/// Items for the conditions of guards. A guard is a conjunction, so its conditions alone decide it: it holds if all of them do, and
/// a condition decides it if it is the only one that does not hold.
fn conditions(game: &Automaton) -> Vec<Item> {
    let mut items = Vec::new();
    for (id, edge) in game.edges().iter_enumerated() {
        let guard = &edge.guard;
        if guard.is_trivial() {
            continue;
        }
        let name = edge_name(game, id);
        let mut moment = |what: String, guards: Vec<Guard>| {
            let places = guards.into_iter().map(|guard| (edge.source, guard, Some(id)));
            items.push(Item {
                name: format!("{name}: {what}"),
                shown: showing(game, places),
            });
        };
        moment("holds".to_owned(), vec![guard.clone()]);
        let mut only = |text: String, guards| moment(format!("only {text} does not hold"), guards);
        for (at, atom) in guard.clocks.iter().enumerate() {
            let without = |failing: ClockConstraint| {
                let mut rest = guard.clone();
                rest.clocks[at] = failing;
                rest
            };
            only(
                clock_atom_text(game, Site::Guard(id), at),
                failing(atom).into_iter().map(without).collect(),
            );
        }
        for (at, condition) in guard.data.iter().enumerate() {
            let mut rest = guard.clone();
            rest.data[at] = not(condition);
            only(condition_text(game, Some(id), condition), vec![rest]);
        }
    }
    items
}

/// Constraints of which at least one holds wherever `atom` does not hold.
pub(super) fn failing(atom: &ClockConstraint) -> Vec<ClockConstraint> {
    let failing = atom.cmp.negated().map_or(vec![Cmp::Lt, Cmp::Gt], |cmp| vec![cmp]);
    let of = |cmp| ClockConstraint { cmp, ..atom.clone() };
    failing.into_iter().map(of).collect()
}

pub(super) fn not(condition: &Expr) -> Expr {
    Expr::Unary(UnaryOp::Not, Box::new(condition.clone()))
}

/// An update of the run's memory on an edge.
enum CoverageUpdate {
    /// The item is covered.
    Done,
    /// The item is covered if its first half is met.
    DoneIfArmed,
    /// The first half of the item is met, or is no longer met.
    Arm(bool),
}

/// A game that remembers whether the first half of an item is met, and whether the item is covered.
struct Memory {
    game: Automaton,
    armed: IntId,
    done: IntId,
}

impl Memory {
    fn of(game: &Automaton, armed: i32, done: i32) -> Self {
        let bit = |name: &str, initial| IntVar {
            name: name.into(),
            low: 0,
            high: 1,
            initial,
        };
        let (game, armed) = game.with_int(bit("armed", armed));
        let (game, done) = game.with_int(bit("done", done));
        Self { game, armed, done }
    }

    /// The game whose edges also do `steps`, and which shows that the item is covered.
    fn along(self, steps: impl Fn(EdgeId) -> Vec<CoverageUpdate>) -> Automaton {
        let Self { mut game, armed, done } = self;
        let var = |int| Box::new(Expr::Var(int));
        let update = |step| match step {
            CoverageUpdate::Done => Update::Assign(done, Expr::Const(1)),
            CoverageUpdate::DoneIfArmed => Update::Assign(done, Expr::Binary(BinaryOp::Or, var(done), var(armed))),
            CoverageUpdate::Arm(on) => Update::Assign(armed, Expr::Const(i64::from(on))),
        };
        for id in game.edges().ids().collect::<Vec<_>>() {
            let mut edge = (*game.edges()[id]).clone();
            edge.updates.extend(steps(id).into_iter().map(update));
            game = game.with_edge(id, edge);
        }
        let covered = Guard {
            clocks: Vec::new(),
            data: vec![Expr::Var(done)],
        };
        let places: Vec<LocId> = game.locations().ids().collect();
        showing(&game, places.into_iter().map(|place| (place, covered.clone(), None)))
    }
}

/// The game with an additional output in these locations, enabled where the guard holds (for some values of the edge's select
/// variables, if an edge is given). The output changes nothing.
pub(super) fn showing(game: &Automaton, places: impl IntoIterator<Item = (LocId, Guard, Option<EdgeId>)>) -> Automaton {
    let is_known = |name: &str| game.actions().iter().any(|action| *action.name == *name);
    let mut name = "covered".to_owned();
    while is_known(&name) {
        name.push('_');
    }
    let (mut shown, action): (Automaton, ActionId) = game.with_action(Action {
        name: name.into(),
        role: Role::Output,
        urgent: false,
    });
    for (place, guard, of) in places {
        shown = shown.with_new_edge(Edge {
            source: place,
            target: place,
            action,
            guard,
            updates: Vec::new(),
            selects: of.map_or_else(Vec::new, |edge| game.edges()[edge].selects.clone()),
        });
    }
    shown
}
