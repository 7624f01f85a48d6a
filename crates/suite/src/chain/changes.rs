//! The changes of a mutant, as definitions: the facts that every edge of the game defines, reads and, if they are affected, shows.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::criteria::{GameVariable, failing, not, read_by, read_in, showing, target};
use tamper_text::{Id as _, IndexVec};
use tamper_timed::model::{ActionId, Automaton, BinaryOp, Edge, EdgeId, Expr, Guard, IntVar, LocId, Role, Update};

/// A fact that a mutation can affect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Affected {
    /// The mutation itself, from the start: all that it changes reads this fact.
    Fault,
    /// The mutant's location, for as long as it differs from the game's location.
    Astray,
    Variable(GameVariable),
}

pub(super) type AffectedSet = BTreeSet<Affected>;

/// The effect of an edge on facts.
#[derive(Clone, Default)]
pub(super) struct Flow {
    /// The defined facts, in order, each with the facts that it is computed from.
    sets: Vec<(Affected, AffectedSet)>,
    /// The facts that are observed here if they are affected.
    pub shows: AffectedSet,
}

impl Flow {
    /// The facts that are affected after the edge if the facts of `before` are affected before it.
    pub fn after(&self, before: &AffectedSet) -> AffectedSet {
        let mut facts = before.clone();
        for (set, reads) in &self.sets {
            match reads.is_disjoint(&facts) {
                true => facts.remove(set),
                false => facts.insert(*set),
            };
        }
        facts
    }

    /// The facts of which one has to be affected before the edge for `fact` to be affected after it.
    pub fn before(&self, fact: Affected) -> AffectedSet {
        let mut facts = AffectedSet::from([fact]);
        for (set, reads) in self.sets.iter().rev() {
            if facts.remove(set) {
                facts.extend(reads);
            }
        }
        facts
    }
}

/// A way in which the mutant behaves differently from the game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Otherwise {
    /// The difference is seen at once.
    Seen,
    /// The mutant decides differently.
    Decides,
    /// The mutant continues from another location.
    Elsewhere,
}

/// An edge at which the mutant behaves differently.
struct Probe {
    edge: Edge,
    /// The game's edge that the probe stands for; `None` for an output that the game does not make.
    of: Option<EdgeId>,
    otherwise: Otherwise,
}

pub(super) struct Changes {
    /// The game with the mutant's actions, and with the probes behind its edges.
    pub game: Automaton,
    pub flows: IndexVec<EdgeId, Flow>,
    /// Number of edges that are not probes.
    n_edges: usize,
}

impl Changes {
    /// The changes, with differences looked for at `points`; if `points` is empty, at all outputs and refused inputs.
    pub fn of(game: &Automaton, mutant: &Automaton, points: &BTreeSet<EdgeId>) -> Self {
        let comparison = Comparison::new(game, mutant);
        let game = &comparison.game;
        let probes = comparison.probes();
        let region = comparison.region(&probes);
        let is_point = |id: Option<EdgeId>, unless_named: bool| match points.is_empty() {
            true => unless_named,
            false => id.is_some_and(|id| points.contains(&id)),
        };
        let flow = |id: EdgeId| {
            let mut flow = comparison.flow(id, &region);
            if !is_point(Some(id), is_seen(game, game.edges()[id].action)) {
                flow.shows.clear();
            }
            flow
        };
        let mut flows: IndexVec<EdgeId, Flow> = game.edges().ids().map(flow).collect();
        let updates = region.iter().flat_map(|id| &game.edges()[*id].updates);
        let within: AffectedSet = updates.map(|update| Affected::Variable(target(update))).collect();
        let mut probed = game.clone();
        for Probe { edge, of, otherwise } in probes {
            let mut flow = of.map_or_else(Flow::default, |of| flows[of].clone());
            let affected = match otherwise {
                Otherwise::Seen => AffectedSet::new(),
                Otherwise::Decides => within.iter().copied().chain([Affected::Astray]).collect(),
                Otherwise::Elsewhere => AffectedSet::from([Affected::Astray]),
            };
            let define = |fact| (fact, AffectedSet::from([fact, Affected::Fault]));
            flow.sets.extend(affected.into_iter().map(define));
            flow.shows
                .extend((otherwise == Otherwise::Seen && is_point(of, true)).then_some(Affected::Fault));
            probed = probed.with_new_edge(edge);
            flows.push(flow);
        }
        Self {
            n_edges: game.edges().len(),
            game: probed,
            flows,
        }
    }

    pub fn is_probe(&self, id: EdgeId) -> bool {
        id.index() >= self.n_edges
    }

    /// The game with an additional output, enabled once a run has taken the edges of `path` and no others.
    pub fn along(&self, path: &[EdgeId]) -> Automaton {
        let length = i32::try_from(path.len()).expect("a path is shorter than what memory holds");
        let (mut game, along) = self.game.with_int(IntVar {
            name: "along".into(),
            low: 0,
            high: length + 1,
            initial: 0,
        });
        let constant = |value: i32| Box::new(Expr::Const(value.into()));
        let is_at = |at: i32| Expr::Binary(BinaryOp::Eq, Box::new(Expr::Var(along)), constant(at));
        for (id, edge) in self.game.edges().iter_enumerated() {
            let steps = (0..).zip(path).filter(|(_, of)| **of == id);
            let next = steps.fold(constant(length + 1), |otherwise, (at, _)| {
                Box::new(Expr::Cond(Box::new(is_at(at)), constant(at + 1), otherwise))
            });
            let mut edge = (**edge).clone();
            if self.is_probe(id) {
                let is_next = Expr::Binary(BinaryOp::Le, next.clone(), constant(length));
                edge.guard.data.push(is_next);
            }
            edge.updates.push(Update::Assign(along, *next));
            game = game.with_edge(id, edge);
        }
        let behind = Guard {
            clocks: Vec::new(),
            data: vec![is_at(length)],
        };
        let places: Vec<LocId> = game.locations().ids().collect();
        showing(&game, places.into_iter().map(|place| (place, behind.clone(), None)))
    }
}

/// A game and a mutant, compared.
struct Comparison {
    /// The game with the actions of the mutant.
    game: Automaton,
    /// Whether the mutant refuses inputs that it does not take.
    refuses: bool,
    /// The mutant's edges in the game's terms; unknown locations have ids beyond the game's.
    theirs: Vec<Edge>,
    /// Edges of the game that the mutant lacks, with the edges that they became.
    lost: BTreeMap<EdgeId, Option<Edge>>,
    /// Edges of the mutant that the game lacks.
    new: Vec<Edge>,
    /// Locations with another invariant or urgency.
    others: BTreeSet<LocId>,
}

impl Comparison {
    fn new(game: &Automaton, mutant: &Automaton) -> Self {
        let mut with_actions = game.clone();
        let mut known_action = |action| {
            let (with, id) = with_actions.with_action(action);
            with_actions = with;
            id
        };
        let actions: Vec<ActionId> = mutant.actions().iter().cloned().map(&mut known_action).collect();
        let locations = game.locations().iter_enumerated();
        let known: HashMap<&str, LocId> = locations.map(|(id, location)| (&*location.name, id)).collect();
        let beyond = LocId::from_index(known.len());
        let place = |id: LocId| *known.get(&*mutant.locations()[id].name).unwrap_or(&beyond);
        let in_terms_of_game = |edge: &Arc<Edge>| Edge {
            source: place(edge.source),
            target: place(edge.target),
            action: actions[edge.action.index()],
            ..(**edge).clone()
        };
        let theirs: Vec<Edge> = mutant.edges().iter().map(in_terms_of_game).collect();
        let ours: HashSet<&Edge> = game.edges().iter().map(|edge| &**edge).collect();
        let kept: HashSet<&Edge> = theirs.iter().collect();
        let new = theirs
            .iter()
            .filter(|edge| edge.source != beyond && !ours.contains(edge));
        let new: Vec<Edge> = new.cloned().collect();
        let became = |edge: &Edge| {
            let mut alike = new
                .iter()
                .filter(|new| is_alike(new, edge) && new.selects == edge.selects);
            let same = alike.clone().find(|new| new.target == edge.target);
            same.or_else(|| alike.next()).cloned()
        };
        let edges = game.edges().iter_enumerated();
        let lost = edges.filter(|(_, edge)| !kept.contains(&***edge));
        let lost = lost.map(|(id, edge)| (id, became(edge))).collect();
        let ids = mutant.locations().ids().filter(|id| place(*id) != beyond);
        let others = ids.filter(|id| game.locations()[place(*id)] != mutant.locations()[*id]);
        Self {
            refuses: !mutant.is_input_enabled(),
            others: others.map(place).collect(),
            game: with_actions,
            lost,
            new,
            theirs,
        }
    }

    /// The edges at which the mutant makes an output that the game does not make, or may answer an input by another edge than the
    /// game does; and the edges that it lacks: then an output does not come, and an input is refused if no other edge takes it.
    fn probes(&self) -> Vec<Probe> {
        let edges = self.game.edges();
        let mut probes = Vec::new();
        for new in &self.new {
            let was = self.lost.iter().find(|(_, became)| became.as_ref() == Some(new));
            let was = was.map(|(id, _)| *id);
            // A probe of an urgent action would stop time.
            let is_urgent = self.game.actions()[new.action].urgent;
            if is_urgent || was.is_some_and(|id| edges[id].guard == new.guard) {
                continue;
            }
            if is_seen(&self.game, new.action) {
                let stays = Edge {
                    target: new.source,
                    updates: Vec::new(),
                    ..new.clone()
                };
                let guards = outside(&new.guard, was.map(|id| &edges[id].guard));
                probes.extend(probing(&stays, None, guards, Otherwise::Seen));
                continue;
            }
            let rivals = edges
                .iter_enumerated()
                .filter(|(id, edge)| is_alike(new, edge) && was != Some(*id));
            for (id, edge) in rivals.filter(|(_, edge)| edge.selects == new.selects) {
                let guards = vec![both(&edge.guard, &new.guard)];
                probes.extend(probing(edge, Some(id), guards, Otherwise::Decides));
            }
        }
        for (id, became) in &self.lost {
            let (edge, became) = (&edges[*id], became.as_ref());
            let mut others = self
                .theirs
                .iter()
                .filter(|other| is_alike(other, edge) && Some(*other) != became);
            let is_shown = is_seen(&self.game, edge.action) || self.refuses && others.next().is_none();
            let lacking = || outside(&edge.guard, became.map(|new| &new.guard));
            let (guards, otherwise) = match became {
                Some(new) if new.guard == edge.guard && new.target != edge.target => {
                    (vec![edge.guard.clone()], Otherwise::Elsewhere)
                }
                _ if is_shown => (lacking(), Otherwise::Seen),
                _ => (lacking(), Otherwise::Decides),
            };
            probes.extend(probing(edge, Some(*id), guards, otherwise));
        }
        probes
    }

    /// The edges that are affected while the mutant is astray: the edges that a branch of a decision dominates, or all edges if the
    /// mutant is elsewhere.
    fn region(&self, probes: &[Probe]) -> BTreeSet<EdgeId> {
        let edges = self.game.edges();
        if probes.iter().any(|probe| probe.otherwise == Otherwise::Elsewhere) {
            return edges.ids().collect();
        }
        let decisions = || probes.iter().filter(|probe| probe.otherwise == Otherwise::Decides);
        let is_branch = |id: &EdgeId| decisions().any(|decision| is_alike(&decision.edge, &edges[*id]));
        edges
            .ids()
            .filter(is_branch)
            .flat_map(|branch| self.dominated(branch))
            .collect()
    }

    /// The edge, and the edges that runs reach through it alone, guards aside.
    fn dominated(&self, by: EdgeId) -> Vec<EdgeId> {
        let edges = || self.game.edges().iter_enumerated().filter(|(id, _)| *id != by);
        let mut reached = BTreeSet::from([self.game.initial()]);
        let mut open = vec![self.game.initial()];
        while let Some(place) = open.pop() {
            let next = edges()
                .filter(|(_, edge)| edge.source == place)
                .map(|(_, edge)| edge.target);
            open.extend(next.filter(|target| reached.insert(*target)));
        }
        let behind = edges().filter(|(_, edge)| !reached.contains(&edge.source));
        behind.map(|(id, _)| id).chain([by]).collect()
    }

    /// The effect of the edge on facts, if it is an observation point.
    fn flow(&self, id: EdgeId, region: &BTreeSet<EdgeId>) -> Flow {
        let edge = &self.game.edges()[id];
        let became = self.lost.get(&id).and_then(Option::as_ref);
        let became = became.map_or(&edge.updates, |new| &new.updates);
        let is_kept = |at: usize, update: &Update| match became.len() == edge.updates.len() {
            true => became[at] == *update,
            false => became.contains(update),
        };
        let astray = region.contains(&id).then_some(Affected::Astray);
        let facts = |read: BTreeSet<GameVariable>| read.into_iter().map(Affected::Variable).chain(astray);
        let define = |(at, update): (usize, &Update)| {
            let fault = (!is_kept(at, update)).then_some(Affected::Fault);
            let reads = facts(read_by(update)).chain(fault).collect();
            (Affected::Variable(target(update)), reads)
        };
        let mut sets: Vec<(Affected, AffectedSet)> = edge.updates.iter().enumerate().map(define).collect();
        if became.len() > edge.updates.len() {
            let added = became.iter().filter(|update| !edge.updates.contains(update));
            let added = added.map(|update| Affected::Variable(target(update)));
            sets.extend(added.map(|fact| (fact, AffectedSet::from([fact, Affected::Fault]))));
        }
        if astray.is_none() {
            sets.push((Affected::Astray, AffectedSet::new()));
        }
        let mut shows: AffectedSet = facts(read_in(&edge.guard)).collect();
        shows.extend(facts(read_in(&self.game.locations()[edge.source].invariant)));
        shows.extend(self.others.contains(&edge.source).then_some(Affected::Fault));
        Flow { sets, shows }
    }
}

fn is_seen(game: &Automaton, action: ActionId) -> bool {
    game.actions()[action].role != Role::Input
}

/// Whether both do the same from the same location.
fn is_alike(one: &Edge, other: &Edge) -> bool {
    (one.source, one.action) == (other.source, other.action)
}

fn both(one: &Guard, other: &Guard) -> Guard {
    Guard {
        clocks: [&one.clocks[..], &other.clocks].concat(),
        data: [&one.data[..], &other.data].concat(),
    }
}

/// The parts of `guard` in which some condition of `other` does not hold; all of `guard` if `other` is missing.
fn outside(guard: &Guard, other: Option<&Guard>) -> Vec<Guard> {
    let Some(other) = other else {
        return vec![guard.clone()];
    };
    let part = |clocks, data| both(guard, &Guard { clocks, data });
    let clocks = other.clocks.iter().flat_map(failing);
    let clocks = clocks.map(|atom| part(vec![atom], Vec::new()));
    let data = other
        .data
        .iter()
        .map(|condition| part(Vec::new(), vec![not(condition)]));
    clocks.chain(data).collect()
}

fn probing(edge: &Edge, of: Option<EdgeId>, guards: Vec<Guard>, otherwise: Otherwise) -> impl Iterator<Item = Probe> {
    guards.into_iter().map(move |guard| Probe {
        edge: Edge { guard, ..edge.clone() },
        of,
        otherwise,
    })
}
