//! The quotient: the largest game whose composition with a part refines the whole.
//!
//! Source: David, Larsen, Legay, Nyman, Wasowski, "Timed I/O automata: a complete specification theory for real-time
//! systems" (HSCC 2010), Definition 13, with two differences that change no implementation. Behaviour that the environment
//! cannot cause counts as allowed (the *universal* location), as there. But whether the part or the whole runs out of time
//! first is decided when a pair of states is entered, which is a condition on clocks: so the quotient needs no extra action
//! for the whole's end of time. `docs/notes/0022-quotients.md` has the proof.

use std::collections::BTreeMap;

use super::ConstructionError;
use super::parts::{UniqueNames, Way, add_edges, guard};
use super::pruned::pruned;
use crate::analysis::Consistency;
use crate::analysis::analyse;
use crate::symbolic::{Arena, INITIAL, Move, NodeId, consistency, lower, zone_ops};
use tamper_text::Budget;
use tamper_timed::model::{Action, Automaton, AutomatonBuilder, Edge, EdgeId, Guard, LocId, Location, Role, Urgency};
use tamper_zones::{Bound, Clock, Dbm, Federation, Variable};

/// `whole \\ part`: a game X refines it if, and only if, `part || X` refines `whole`.
///
/// Its outputs are the outputs of the whole that the part does not make; its inputs are the inputs of the whole, and the
/// part's outputs.
///
/// # Errors
/// See [`ConstructionError`]: both games must be deterministic and ignore inputs, and the part may not know other actions
/// than the whole.
pub fn quotient(whole: &Automaton, part: &Automaton, budget: &Budget) -> Result<Automaton, ConstructionError> {
    let actions = actions(whole, part)?;
    check(whole, budget)?;
    check(part, budget)?;
    let part = pruned(part, budget)?;
    let arena =
        |game: &Automaton| lower(game, budget)?.ok_or_else(|| ConstructionError::Inconsistent(game.name().to_owned()));
    let (left, right) = (arena(whole)?, arena(&part)?);
    let mut builder = AutomatonBuilder::new(format!("({} \\\\ {})", whole.name(), part.name()));
    builder.input_enabled(true);
    let mut names = UniqueNames::default();
    for game in [whole, &part] {
        for clock in game.clocks().iter() {
            let name = names.unique(&match game.name().contains(' ') {
                true => clock.name.to_string(),
                false => format!("{}.{}", game.name(), clock.name),
            });
            builder.clock_like(clock, name);
        }
    }
    // In a location without delay, a clock that every edge resets shows that no time has passed.
    let urgent = left.nodes.iter().chain(right.nodes.iter()).any(|node| node.urgent);
    let since = urgent.then(|| builder.clock(names.unique("entered")));
    let dim = left.dim() + right.n_clocks + usize::from(urgent);
    let right = QuotientOperand {
        game: &part,
        arena: right.shifted(left.n_clocks),
    };
    let left = QuotientOperand {
        game: whole,
        arena: left,
    };
    let maker = Maker {
        since: since.map(|_| Variable::new(dim - 2)),
        whole: left,
        part: right,
        dim,
        actions,
        builder,
        names: UniqueNames::default(),
        known: BTreeMap::new(),
        waiting: Vec::new(),
        anything: None,
        error: None,
    };
    maker.made(budget)
}

/// `whole` as a game that ignores the actions of `part` that it does not know: with an output without effect in each of its
/// locations, for outputs and inputs of the part alike, since the quotient makes the inputs of the part (HSCC 2010). The
/// whole is restricted to its consistent states first, because an ignored output does not make a state consistent.
///
/// # Errors
/// As [`pruned`].
pub fn ignoring(whole: &Automaton, part: &Automaton, budget: &Budget) -> Result<Automaton, ConstructionError> {
    let whole = pruned(whole, budget)?;
    let mut ignoring = whole.clone();
    for action in part.actions().iter().filter(|action| action.role != Role::Internal) {
        if whole.actions().iter().any(|known| known.name == action.name) {
            continue;
        }
        let output = Action {
            role: Role::Output,
            ..action.clone()
        };
        let (with_action, id) = ignoring.with_action(output);
        let stays = |game: Automaton, location| {
            game.with_new_edge(Edge {
                source: location,
                target: location,
                action: id,
                guard: Guard::default(),
                updates: Vec::new(),
                selects: Vec::new(),
            })
        };
        ignoring = whole.locations().ids().fold(with_action, stays);
    }
    Ok(ignoring)
}

/// An action of the quotient.
struct QuotientAction {
    name: String,
    role: Role,
    /// Whether the part makes it.
    of_part: bool,
}

/// The actions of the quotient, by name.
fn actions(whole: &Automaton, part: &Automaton) -> Result<Vec<QuotientAction>, ConstructionError> {
    for game in [whole, part] {
        if let Some(urgent) = game.actions().iter().find(|action| action.urgent) {
            return Err(ConstructionError::Urgent(urgent.name.to_string()));
        }
        let internal = game.edges().ids().any(|edge| game.role(edge) == Role::Internal);
        if internal {
            return Err(ConstructionError::Internal(game.name().to_owned()));
        }
        let has_inputs = game.actions().iter().any(|action| action.role == Role::Input);
        if has_inputs && !game.is_input_enabled() {
            return Err(ConstructionError::RefusesInputs(game.name().to_owned()));
        }
    }
    let seen = |game: &'_ Automaton| -> Vec<Action> {
        let actions = game.actions().iter();
        actions
            .filter(|action| action.role != Role::Internal)
            .cloned()
            .collect()
    };
    let (all, own) = (seen(whole), seen(part));
    for action in &own {
        let fits =
            |known: &Action| known.name == action.name && (action.role == Role::Input || known.role == Role::Output);
        if !all.iter().any(fits) {
            return Err(ConstructionError::Alphabets {
                whole: whole.name().to_owned(),
                part: part.name().to_owned(),
                action: action.to_string(),
            });
        }
    }
    let known = |action: Action| {
        let of_part = own
            .iter()
            .any(|other| other.name == action.name && other.role == Role::Output);
        QuotientAction {
            name: action.name.to_string(),
            role: if of_part { Role::Input } else { action.role },
            of_part,
        }
    };
    Ok(all.into_iter().map(known).collect())
}

/// Refuses games for which the quotient is not defined.
fn check(game: &Automaton, budget: &Budget) -> Result<(), ConstructionError> {
    let facts = analyse(game, budget)?.map_err(ConstructionError::Stopped)?;
    let edge = |id: EdgeId| {
        let edge = &game.edges()[id];
        let [source, target] = [edge.source, edge.target].map(|at| &game.locations()[at].name);
        format!("`{source} -> {target}` with `{}`", game.actions()[edge.action])
    };
    match facts.overlaps.first() {
        Some(overlap) => Err(ConstructionError::NonDeterministic {
            game: game.name().to_owned(),
            edges: format!("{} and {}", edge(overlap.first), edge(overlap.second)),
        }),
        None if facts.consistency == Consistency::Inconsistent => {
            Err(ConstructionError::Inconsistent(game.name().to_owned()))
        }
        None => Ok(()),
    }
}

/// A pair of a state of the whole and a state of the part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct QuotientPair {
    whole: NodeId,
    part: NodeId,
    /// Whether the whole runs out of time before the part does.
    is_bounded: bool,
}

/// A step of one game with an action in a state.
struct QuotientStep {
    when: Federation,
    resets: Vec<(Variable, i64)>,
    target: NodeId,
}

/// One of the games.
struct QuotientOperand<'a> {
    game: &'a Automaton,
    arena: Arena,
}

/// A quotient under construction. The clocks of the whole come first, then the clocks of the part, then `since`.
struct Maker<'a> {
    whole: QuotientOperand<'a>,
    part: QuotientOperand<'a>,
    since: Option<Variable>,
    dim: usize,
    actions: Vec<QuotientAction>,
    builder: AutomatonBuilder,
    names: UniqueNames,
    known: BTreeMap<QuotientPair, LocId>,
    waiting: Vec<(QuotientPair, LocId)>,
    /// The location for steps that the part never makes, in which the quotient may do anything.
    anything: Option<LocId>,
    /// The location for steps of the part that the whole forbids: without time or output.
    error: Option<LocId>,
}

impl Maker<'_> {
    fn made(mut self, budget: &Budget) -> Result<Automaton, ConstructionError> {
        for QuotientAction { name, role, .. } in &self.actions {
            self.builder.action(name, *role, false);
        }
        let zero = Dbm::zero(self.dim);
        let is_bounded = self.bounded(INITIAL, INITIAL).includes_dbm(&zero);
        let initial = self.location(QuotientPair {
            whole: INITIAL,
            part: INITIAL,
            is_bounded,
        });
        self.builder.initial(initial);
        while let Some((pair, at)) = self.waiting.pop() {
            let made = self.known.len() as u64;
            if let Some(reason) = budget.exceeded(made, made * zone_ops::zone_bytes(self.dim)) {
                return Err(ConstructionError::Stopped(reason));
            }
            self.expand(pair, at);
        }
        Ok(self.builder.build().expect("names are unique and parts are known"))
    }

    /// The states of the node's invariant; in an urgent node, the states at the moment of entering.
    fn invariant(&self, side: &QuotientOperand<'_>, node: NodeId) -> Dbm {
        let arena = &side.arena;
        let mut zone = zone_ops::restricted(&Dbm::universe(self.dim), arena.atoms_of(arena.node(node).invariant))
            .expect("a node has states");
        if let Some(since) = self.since.filter(|_| arena.node(node).urgent) {
            let is_left = zone.constrain(Clock::from(since), Clock::ZERO, Bound::LE_ZERO);
            assert!(is_left, "a location can be entered");
        }
        zone
    }

    /// The states of a pair from which time leaves the whole's invariant while the part's still holds.
    fn bounded(&self, whole: NodeId, part: NodeId) -> Federation {
        let mut ends = Federation::from(self.invariant(&self.part, part));
        ends.subtract_dbm(&self.invariant(&self.whole, whole));
        ends.down();
        ends
    }

    /// The location of the pair, created if it is new.
    fn location(&mut self, pair: QuotientPair) -> LocId {
        if let Some(known) = self.known.get(&pair) {
            return *known;
        }
        let [whole, part] = [(&self.whole, pair.whole), (&self.part, pair.part)]
            .map(|(side, node)| &side.game.locations()[side.arena.node(node).location].name);
        let invariant = match pair.is_bounded {
            true => guard(&self.invariant(&self.whole, pair.whole)),
            false => Guard::always(),
        };
        let at = self.builder.location(Location {
            name: self.names.unique(&format!("{whole}__{part}")).into(),
            invariant,
            urgency: Urgency::Normal,
        });
        self.known.insert(pair, at);
        self.waiting.push((pair, at));
        at
    }

    /// Adds the edges of a pair.
    fn expand(&mut self, pair: QuotientPair, at: LocId) {
        let part = self.invariant(&self.part, pair.part);
        let mut both = Federation::from(self.invariant(&self.whole, pair.whole));
        both.intersect_dbm(&part);
        let stopped = match pair.is_bounded {
            true => Federation::empty(self.dim),
            false => Federation::from(part).complement(),
        };
        for index in 0..self.actions.len() {
            let of_whole = self.steps(&self.whole, pair.whole, index);
            let of_part = self.steps(&self.part, pair.part, index);
            for theirs in &of_part {
                for ours in &of_whole {
                    let mut when = both.clone();
                    when.intersect(&theirs.when);
                    when.intersect(&ours.when);
                    self.enter(at, index, when, ours, theirs);
                }
            }
            let mut free = stopped.clone();
            if self.actions[index].of_part {
                let mut never = both.clone();
                for theirs in &of_part {
                    never.subtract(&theirs.when);
                }
                let mut forbidden = both.clone();
                forbidden.subtract(&never);
                for ours in &of_whole {
                    forbidden.subtract(&ours.when);
                }
                self.fail(at, index, forbidden);
                free.union_with(&never);
            }
            self.free(at, index, free);
        }
    }

    /// The steps of a game with an action in a node; a game that does not know the action stays where it is.
    fn steps(&self, side: &QuotientOperand<'_>, node: NodeId, index: usize) -> Vec<QuotientStep> {
        let QuotientOperand { game, arena } = side;
        let name = self.actions[index].name.as_str();
        if game.actions().iter().all(|action| *action.name != *name) {
            return vec![QuotientStep {
                when: Federation::universe(self.dim),
                resets: Vec::new(),
                target: node,
            }];
        }
        let moves = arena.moves_of(node).iter();
        let moves = moves.filter(|step| *game.actions()[step.action].name == *name);
        let step = |step: &Move| QuotientStep {
            when: zone_ops::federation(self.dim, arena.cases(step.enabled)),
            resets: arena.resets_of(step).to_vec(),
            target: step.target,
        };
        moves.map(step).collect()
    }

    /// Adds the edges on which both games continue, separately for bounded and unbounded target pairs.
    fn enter(&mut self, at: LocId, index: usize, when: Federation, ours: &QuotientStep, theirs: &QuotientStep) {
        if when.is_empty() {
            return;
        }
        let resets = ours.resets.iter().chain(&theirs.resets).copied();
        let resets: Vec<_> = resets.chain(self.since.map(|since| (since, 0))).collect();
        let mut bounded = Federation::empty(self.dim);
        for mut zone in self.bounded(ours.target, theirs.target).into_zones() {
            if consistency::before_resets(&mut zone, &resets) {
                bounded.add(zone);
            }
        }
        let mut unbounded = when.clone();
        unbounded.subtract(&bounded);
        bounded.intersect(&when);
        for (is_bounded, when) in [(true, bounded), (false, unbounded)] {
            if !when.is_empty() {
                let target = self.location(QuotientPair {
                    whole: ours.target,
                    part: theirs.target,
                    is_bounded,
                });
                self.add(
                    at,
                    index,
                    when,
                    Exit {
                        target,
                        resets: &resets,
                    },
                );
            }
        }
    }

    /// Adds the edge to the location without time or output.
    fn fail(&mut self, at: LocId, index: usize, when: Federation) {
        if when.is_empty() {
            return;
        }
        let target = *self.error.get_or_insert_with(|| {
            self.builder.location(Location {
                name: self.names.unique("forbidden").into(),
                invariant: Guard::always(),
                urgency: Urgency::Urgent,
            })
        });
        self.add(at, index, when, Exit { target, resets: &[] });
    }

    /// Adds the edge to the location where everything is allowed.
    fn free(&mut self, at: LocId, index: usize, when: Federation) {
        if when.is_empty() {
            return;
        }
        let target = match self.anything {
            Some(known) => known,
            None => self.anything(),
        };
        self.add(at, index, when, Exit { target, resets: &[] });
    }

    fn anything(&mut self) -> LocId {
        let at = self.builder.location(Location {
            name: self.names.unique("universal").into(),
            invariant: Guard::always(),
            urgency: Urgency::Normal,
        });
        self.anything = Some(at);
        let all = Exit {
            target: at,
            resets: &[],
        };
        for index in 0..self.actions.len() {
            self.add(at, index, Federation::universe(self.dim), all);
        }
        at
    }

    fn add(&mut self, source: LocId, index: usize, when: Federation, exit: Exit<'_>) {
        let QuotientAction { name, role, .. } = &self.actions[index];
        let way = Way {
            source,
            target: exit.target,
            action: self.builder.action(name, *role, false),
            resets: exit.resets.to_vec(),
        };
        add_edges(&mut self.builder, &way, when);
    }
}

/// The target and the resets of an edge of the quotient.
#[derive(Clone, Copy)]
struct Exit<'a> {
    target: LocId,
    resets: &'a [(Variable, i64)],
}
