//! The moves of one game in one state.

use tamper_text::Id;
use tamper_timed::model::{ActionId, Automaton, Edge, Guard, LocId, Role, Update, Urgency, Valuation};

use super::clocks::{ClockSpace, combinations};
use super::faults::values;

/// The part of a state that is not clocks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The location.
    pub location: LocId,
    /// The integers.
    pub ints: Vec<i32>,
}

/// Updates without a meaning: a run that makes them ends in an error.
struct NoMeaning;

/// A game whose clocks are those from `offset` on in the space.
pub struct Player<'a> {
    /// The game.
    pub game: &'a Automaton,
    /// Position of its first clock.
    pub offset: usize,
}

impl<'a> Player<'a> {
    /// The place where the game starts.
    pub fn start(&self) -> Place {
        Place {
            location: self.game.initial(),
            ints: self.game.ints().iter().map(|var| var.initial).collect(),
        }
    }

    /// The positions of its clocks.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.offset..self.offset + self.game.clocks().len()
    }

    /// Whether the invariant holds.
    pub fn exists<C: ClockSpace>(&self, space: &C, place: &Place, point: &C::Point) -> bool {
        let invariant = &self.game.locations()[place.location].invariant;
        self.satisfies(
            space,
            invariant,
            Valuation {
                ints: &place.ints,
                selects: &[],
            },
            point,
        )
    }

    fn satisfies<C: ClockSpace>(&self, space: &C, guard: &Guard, at: Valuation<'_>, point: &C::Point) -> bool {
        let eval = |expr: &tamper_timed::model::Expr| expr.eval(at).expect("generated expressions have values");
        guard.data.iter().all(|condition| eval(condition) != 0)
            && guard.clocks.iter().all(|atom| {
                let clock = |id: tamper_timed::model::ClockId| self.offset + id.index();
                space.holds(
                    point,
                    clock(atom.left),
                    atom.right.map(clock),
                    atom.cmp,
                    eval(&atom.bound),
                )
            })
    }

    /// Where the edges with `action` lead: guard, then updates in order, then the target's invariant.
    pub fn edge_moves<C: ClockSpace>(
        &self,
        space: &C,
        place: &Place,
        point: &C::Point,
        action: ActionId,
    ) -> Vec<(Place, C::Point)> {
        let taken = self.taken(space, (place, point), action).into_iter();
        taken.filter_map(|taken| taken.ok()).collect()
    }

    /// The same, and the errors of edges whose updates have no meaning.
    fn taken<C: ClockSpace>(
        &self,
        space: &C,
        at: (&Place, &C::Point),
        action: ActionId,
    ) -> Vec<Result<(Place, C::Point), NoMeaning>> {
        if has_no_value(self.game, at.0) {
            return Vec::new();
        }
        let mut moves = Vec::new();
        for edge in self.game.edges() {
            if edge.source != at.0.location || edge.action != action {
                continue;
            }
            let ranges: Vec<_> = edge.selects.iter().map(|select| (select.low, select.high)).collect();
            for selects in combinations(&ranges) {
                moves.extend(self.take(space, edge, &selects, at).transpose());
            }
        }
        moves
    }

    fn take<C: ClockSpace>(
        &self,
        space: &C,
        edge: &Edge,
        selects: &[i32],
        (place, point): (&Place, &C::Point),
    ) -> Result<Option<(Place, C::Point)>, NoMeaning> {
        if !self.satisfies(
            space,
            &edge.guard,
            Valuation {
                ints: &place.ints,
                selects,
            },
            point,
        ) {
            return Ok(None);
        }
        let mut after = Place {
            location: edge.target,
            ints: place.ints.clone(),
        };
        let mut clocks = point.clone();
        for update in &edge.updates {
            let eval = |expr: &tamper_timed::model::Expr, ints: &[i32]| {
                expr.eval(Valuation { ints, selects }).map_err(|_| NoMeaning)
            };
            match update {
                Update::Reset(clock, value) => {
                    let value = eval(value, &after.ints)?;
                    if value < 0 {
                        return Err(NoMeaning);
                    }
                    clocks = space.reset(&clocks, self.offset + clock.index(), value);
                }
                Update::Assign(int, value) => {
                    let var = &self.game.ints()[*int];
                    let value = i32::try_from(eval(value, &after.ints)?).map_err(|_| NoMeaning)?;
                    if !(var.low..=var.high).contains(&value) {
                        return Err(NoMeaning);
                    }
                    after.ints[int.index()] = value;
                }
            }
        }
        if values(&self.game.locations()[after.location].invariant, &after.ints, &[]).is_none() {
            return Err(NoMeaning);
        }
        Ok(self.exists(space, &after, &clocks).then_some((after, clocks)))
    }

    /// Where `action` leads; an input that no edge accepts stays in an input-enabled game.
    pub fn moves<C: ClockSpace>(
        &self,
        space: &C,
        place: &Place,
        point: &C::Point,
        action: ActionId,
    ) -> Vec<(Place, C::Point)> {
        let mut moves = self.edge_moves(space, place, point, action);
        let is_input = self.game.actions()[action].role == Role::Input;
        if moves.is_empty() && is_input && self.game.is_input_enabled() {
            moves.push((place.clone(), point.clone()));
        }
        moves
    }

    /// Whether no time may pass: by the location, by a condition without a value, or by an enabled edge with an urgent action.
    pub fn is_urgent<C: ClockSpace>(&self, space: &C, place: &Place, point: &C::Point) -> bool {
        self.game.locations()[place.location].urgency != Urgency::Normal
            || has_no_value(self.game, place)
            || self
                .game
                .actions()
                .iter_enumerated()
                .any(|(action, parts)| parts.urgent && !self.taken(space, (place, point), action).is_empty())
    }

    /// The actions of that kind: inputs, or outputs and `tau`.
    pub fn actions(&self, inputs: bool) -> impl Iterator<Item = ActionId> + '_ {
        let actions = self.game.actions().iter_enumerated();
        actions
            .filter(move |(_, action)| (action.role == Role::Input) == inputs && !action.shows_propositions())
            .map(|(id, _)| id)
    }

    /// The action of this game that is `action` of `other`.
    /// Whether the game has an action of that name, as an input or as an output.
    pub fn has_name(&self, other: &Automaton, action: ActionId) -> bool {
        let own = self.game.actions().iter();
        let mut own = own.filter(|own| own.role != Role::Internal);
        own.any(|own| own.name == other.actions()[action].name)
    }

    pub fn same_action(&self, other: &Automaton, action: ActionId) -> Option<ActionId> {
        let wanted = &other.actions()[action];
        let mut actions = self.game.actions().iter_enumerated();
        actions
            .find(|(_, known)| known.name == wanted.name && known.role == wanted.role)
            .map(|(id, _)| id)
    }
}

/// Whether the guard of an edge has no value.
fn has_no_value(game: &Automaton, place: &Place) -> bool {
    let mut leaving = game.edges().iter().filter(|edge| edge.source == place.location);
    leaving.any(|edge| {
        let ranges: Vec<_> = edge.selects.iter().map(|select| (select.low, select.high)).collect();
        combinations(&ranges)
            .iter()
            .any(|selects| values(&edge.guard, &place.ints, selects).is_none())
    })
}
