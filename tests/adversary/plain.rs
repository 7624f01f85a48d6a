//! The six operators, and with [`others`] all others, once more, from their definitions, on parts that are taken out of a game and put together again: none
//! of the model's own ways to change a game is used.

use tamper::model::{Action, ActionId, Automaton, Cmp, Edge, EdgeId, Expr, Guard, LocId, Role};
use tamper::mutation::{MutationOptions, Operator, TadGuard};
use tamper::text::Id;
use testing::oracle::others;
use testing::oracle::parts::{Parts, Place};

/// One change, by positions.
enum Change {
    Other(others::Change),
    Drop(usize),
    Add {
        source: usize,
        target: usize,
        role: Role,
    },
    DropLocation(usize),
    /// Another constant at an atom of a location's invariant or an edge's guard.
    Constant {
        place: Place,
        atom: usize,
        constant: i64,
    },
    Negate {
        edge: usize,
        atom: usize,
    },
}

/// The mutants of one game, in the order in which tamper numbers them.
pub struct Plain<'a> {
    game: &'a Automaton,
    tad_guard: TadGuard,
    changes: Vec<(Operator, Change)>,
    /// Those that hold with memory.
    again: Option<Box<Self>>,
}

impl<'a> Plain<'a> {
    /// Lists them: TMI, TAD (inputs, then outputs), SMI, CXL, CXS, CCN, then the others; within an operator invariants before guards.
    pub fn of(game: &'a Automaton, options: &MutationOptions) -> Self {
        let (n_locations, n_edges) = (game.locations().len(), game.edges().len());
        let mut changes = Vec::new();
        let mut add = |operator: Operator, change: Change| {
            if options.operators.contains(&operator) {
                changes.push((operator, change));
            }
        };
        (0..n_edges).for_each(|edge| add(Operator::Tmi, Change::Drop(edge)));
        for role in [Role::Input, Role::Output] {
            for source in 0..n_locations {
                (0..n_locations).for_each(|target| add(Operator::Tad, Change::Add { source, target, role }));
            }
        }
        let others = (0..n_locations).filter(|location| *location != game.initial().index());
        others.for_each(|location| add(Operator::Smi, Change::DropLocation(location)));
        let invariants = game.locations().iter().map(|location| &location.invariant);
        let guards = game.edges().iter().map(|edge| &edge.guard);
        let places = (0..n_locations)
            .map(Place::Invariant)
            .chain((0..n_edges).map(Place::Guard));
        let sites: Vec<(Place, &Guard)> = places.zip(invariants.chain(guards)).collect();
        let atoms = || {
            let positions = |(place, guard): &(Place, &'a Guard)| -> Vec<(Place, usize, Cmp, i64)> {
                let alone = guard.clocks.len() == 1 && guard.data.is_empty();
                let mutable = |atom: usize| {
                    let constraint = &guard.clocks[atom];
                    let constant = constraint.bound.as_const()?;
                    let is_plain = constraint.right.is_none() && (alone || options.conjuncts);
                    is_plain.then_some((*place, atom, constraint.cmp, constant))
                };
                (0..guard.clocks.len()).filter_map(mutable).collect()
            };
            sites.iter().flat_map(positions).collect::<Vec<_>>()
        };
        for (place, atom, _, old) in atoms() {
            let constant = old + options.step;
            add(Operator::Cxl, Change::Constant { place, atom, constant });
        }
        for (place, atom, _, old) in atoms() {
            let constant = old - options.step;
            if constant > 0 || (constant == 0 && options.cxs_to_zero) {
                add(Operator::Cxs, Change::Constant { place, atom, constant });
            }
        }
        for (place, atom, cmp, _) in atoms() {
            if let (Place::Guard(edge), true) = (place, cmp != Cmp::Eq) {
                add(Operator::Ccn, Change::Negate { edge, atom });
            }
        }
        for operator in Operator::of_games()
            .iter()
            .copied()
            .filter(|operator| options.operators.contains(operator))
        {
            let all = others::changes(game, operator).into_iter();
            changes.extend(all.map(|change| (operator, Change::Other(change))));
        }
        let mut again = options.again.clone();
        again.retain(|operator| !["TAD", "SMI", "CHU"].contains(&operator.name()));
        let again = MutationOptions {
            operators: again,
            again: Vec::new(),
            ..options.clone()
        };
        Self {
            game,
            tad_guard: options.tad_guard,
            changes,
            again: (!again.operators.is_empty()).then(|| Box::new(Self::of(game, &again))),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.changes.len() + self.again.as_ref().map_or(0, |again| again.len())
    }

    /// The name of the operator of the mutant at `index`.
    pub fn operator(&self, index: usize) -> String {
        match (self.changes.get(index), &self.again) {
            (None, Some(again)) => format!("again:{}", again.operator(index - self.changes.len())),
            _ => self.changes[index].0.to_string(),
        }
    }

    /// The mutant at `index`.
    pub fn mutant(&self, index: usize) -> Automaton {
        if let (true, Some(again)) = (index >= self.changes.len(), &self.again) {
            let index = index - self.changes.len();
            // A removed edge cannot be told from the next one if they are equal.
            let removed = match again.changes[index].1 {
                Change::Drop(edge) => Some(edge),
                _ => None,
            };
            return self.again(&again.mutant(index), removed);
        }
        let mut parts = Parts::of(self.game);
        match &self.changes[index].1 {
            Change::Other(change) => change(&mut parts),
            Change::Drop(edge) => {
                parts.edges.remove(*edge);
            }
            Change::Add { source, target, role } => self.add(&mut parts, (*source, *target), *role),
            Change::DropLocation(location) => {
                let location = *location;
                parts.locations.remove(location);
                let stays = |edge: &Edge| edge.source.index() != location && edge.target.index() != location;
                parts.edges.retain(stays);
                let moved = |id: LocId| LocId::from_index(id.index() - usize::from(id.index() > location));
                for edge in &mut parts.edges {
                    (edge.source, edge.target) = (moved(edge.source), moved(edge.target));
                }
                parts.initial -= usize::from(parts.initial > location);
            }
            Change::Constant { place, atom, constant } => {
                parts.guard(*place).clocks[*atom].bound = Expr::Const(*constant);
            }
            Change::Negate { edge, atom } => {
                let cmp = &mut parts.edges[*edge].guard.clocks[*atom].cmp;
                *cmp = match *cmp {
                    Cmp::Lt => Cmp::Ge,
                    Cmp::Le => Cmp::Gt,
                    Cmp::Ge => Cmp::Lt,
                    Cmp::Gt => Cmp::Le,
                    Cmp::Eq => unreachable!("equalities are not negated"),
                };
            }
        }
        parts.build()
    }

    /// The mutant that is `mutant` once its place was passed: the edge that is removed there, the first edge in which it
    /// differs, or the first location.
    fn again(&self, mutant: &Automaton, removed: Option<usize>) -> Automaton {
        let name = |game: &Automaton, edge: &Edge| {
            let action = &game.actions()[edge.action];
            (action.name.clone(), action.role)
        };
        let same_edge = |at: &usize| {
            let id = EdgeId::from_index(*at);
            let (old, new) = (&self.game.edges()[id], mutant.edges().get(id));
            // Behind an edge that is removed the others move up.
            new.is_some_and(|new| {
                let action = (name(self.game, old) == name(mutant, new)).then_some(old.action);
                action.is_some_and(|action| {
                    **old
                        == Edge {
                            action,
                            ..(**new).clone()
                        }
                })
            })
        };
        let edge = removed.or_else(|| (0..self.game.edges().len()).find(|at| !same_edge(at)));
        let mut locations = self.game.locations().ids();
        let location = locations.find(|id| self.game.locations()[*id] != mutant.locations()[*id]);
        let passes = |at: usize, one: &Edge| match edge {
            Some(edge) => at == edge,
            None => Some(one.source) == location,
        };
        Parts::of(self.game).beside(Parts::of(mutant), passes).build()
    }

    fn add(&self, parts: &mut Parts, (source, target): (usize, usize), role: Role) {
        let (source, target) = (LocId::from_index(source), LocId::from_index(target));
        let action = ActionId::from_index(parts.actions.len());
        let first = parts.edges.first().filter(|_| self.tad_guard == TadGuard::FirstEdge);
        let edge = match first {
            Some(first) => Edge {
                source,
                target,
                action,
                ..first.clone()
            },
            None => Edge {
                source,
                target,
                action,
                guard: Guard::default(),
                updates: Vec::new(),
                selects: Vec::new(),
            },
        };
        // The name is nobody else's; which one it is says nothing.
        parts.actions.push(Action {
            name: format!("added{}", parts.actions.len()).into(),
            role,
            urgent: false,
        });
        parts.edges.push(edge);
    }
}
