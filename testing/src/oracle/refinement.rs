//! The greatest alternating timed simulation between two games, and the verdict about a mutant.

use std::collections::HashMap;

use tamper_timed::model::{Automaton, Role};

use super::clocks::{ClockSpace, Limits, Regions, Spread, has_diagonals};
use super::consistency::Cons;
use super::play::{Place, Player};

/// What becomes of an action that the other game's alphabet does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unmatched {
    /// It cannot be matched.
    Reject,
    /// The other game stays where it is.
    Ignore,
}

/// Which refinement is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// About actions outside the other alphabet.
    pub unmatched: Unmatched,
    /// Whether both games are restricted to `cons` first.
    pub prune: bool,
}

/// The four combinations.
pub const ALL_RULES: [Rules; 4] = [
    Rules {
        unmatched: Unmatched::Reject,
        prune: true,
    },
    Rules {
        unmatched: Unmatched::Reject,
        prune: false,
    },
    Rules {
        unmatched: Unmatched::Ignore,
        prune: true,
    },
    Rules {
        unmatched: Unmatched::Ignore,
        prune: false,
    },
];

/// `strict`: reject and prune.
pub const STRICT: Rules = ALL_RULES[0];
/// `definition`: reject, no pruning.
pub const DEFINITION: Rules = ALL_RULES[1];
/// `tiga`: ignore and prune.
pub const TIGA: Rules = ALL_RULES[2];

/// The answer about a mutant and a specification.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Answer {
    /// The specification has no (consistent) initial state.
    SpecInconsistent,
    /// The mutant has no (consistent) initial state.
    Inconsistent,
    /// The mutant refines the specification.
    Subsumed,
    /// It does not.
    NonSubsumed,
}

/// The verdict about `mutant`.
pub fn decide(mutant: &Automaton, spec: &Automaton, rules: Rules) -> Answer {
    if has_diagonals(mutant) || has_diagonals(spec) {
        decide_in::<Spread>(mutant, spec, rules)
    } else {
        decide_in::<Regions>(mutant, spec, rules)
    }
}

/// The verdict about `mutant`, decided in one particular abstraction.
pub fn decide_in<C: ClockSpace>(mutant: &Automaton, spec: &Automaton, rules: Rules) -> Answer {
    let limits = Limits::of(&[mutant, spec]);
    let side = |game| Side {
        player: Player { game, offset: 0 },
        own: Cons::<C>::of(game, limits),
        prune: rules.prune,
    };
    let mut product = Product {
        space: C::of(&[mutant, spec], limits),
        left: side(mutant),
        right: side(spec),
        unmatched: rules.unmatched,
    };
    if !product.right.starts() {
        return Answer::SpecInconsistent;
    }
    if !product.left.starts() {
        return Answer::Inconsistent;
    }
    product.right.player.offset = mutant.clocks().len();
    if product.refines() {
        Answer::Subsumed
    } else {
        Answer::NonSubsumed
    }
}

struct Side<'a, C: ClockSpace> {
    player: Player<'a>,
    own: Cons<C>,
    prune: bool,
}

impl<C: ClockSpace> Side<'_, C> {
    /// Whether the initial state exists in the (pruned) game; asked before the clocks are placed in the product.
    fn starts(&self) -> bool {
        if self.prune {
            self.own.holds_initially(self.player.game)
        } else {
            self.player
                .exists(&self.own.space, &self.player.start(), &self.own.space.origin())
        }
    }

    /// Whether the state exists in the (pruned) game.
    fn allows(&self, space: &C, place: &Place, point: &C::Point) -> bool {
        self.player.exists(space, place, point)
            && (!self.prune
                || self
                    .own
                    .contains(place, &space.project(point, self.player.range(), &self.own.space)))
    }
}

/// A pair of states: the mutant's place, the specification's place, all clocks.
type Pair<C> = (Place, Place, <C as ClockSpace>::Point);

struct Product<'a, C: ClockSpace> {
    space: C,
    left: Side<'a, C>,
    right: Side<'a, C>,
    unmatched: Unmatched,
}

impl<C: ClockSpace> Product<'_, C> {
    /// Whether the initial pair is in the greatest relation: pairs with an obligation that has no choice left are
    /// removed until nothing changes.
    fn refines(&self) -> bool {
        let graph = self.explore();
        let mut users = vec![Vec::new(); graph.len()];
        for (pair, obligations) in graph.iter().enumerate() {
            for choice in obligations.iter().flatten() {
                users[*choice].push(pair);
            }
        }
        let mut related = vec![true; graph.len()];
        let mut unsure: Vec<usize> = (0..graph.len()).collect();
        while let Some(pair) = unsure.pop() {
            let holds = graph[pair]
                .iter()
                .all(|choices| choices.iter().any(|choice| related[*choice]));
            if related[pair] && !holds {
                related[pair] = false;
                unsure.extend(&users[pair]);
            }
        }
        related[0]
    }

    /// All pairs that matter, by index, with their obligations (each: one of these pairs must be related).
    fn explore(&self) -> Vec<Vec<Vec<usize>>> {
        let mut queue: Vec<Pair<C>> = vec![(self.left.player.start(), self.right.player.start(), self.space.origin())];
        let key = |(m, s, point): &Pair<C>| (m.clone(), s.clone(), self.space.class(point));
        let mut known = HashMap::from([(key(&queue[0]), 0)]);
        let mut graph = Vec::new();
        while graph.len() < queue.len() {
            let pair = queue[graph.len()].clone();
            let mut index = |pair: Pair<C>| {
                *known.entry(key(&pair)).or_insert_with(|| {
                    queue.push(pair);
                    queue.len() - 1
                })
            };
            let obligations = self.obligations(&pair);
            graph.push(
                obligations
                    .into_iter()
                    .map(|choices| choices.into_iter().map(&mut index).collect())
                    .collect(),
            );
        }
        graph
    }

    fn obligations(&self, pair: &Pair<C>) -> Vec<Vec<Pair<C>>> {
        let mut all = self.inputs(pair);
        all.extend(self.outputs(pair));
        all.extend(self.delay(pair));
        // Nothing holds in one of the two places only, where that is seen.
        let seen = |side: &Side<'_, C>, place: &Place| {
            let game = side.player.game;
            let held = game.propositions().get(&game.locations()[place.location].name);
            held.filter(|_| game.sees_propositions()).cloned().unwrap_or_default()
        };
        if seen(&self.left, &pair.0) != seen(&self.right, &pair.1) {
            all.push(Vec::new());
        }
        all
    }

    /// Every input of the specification is matched by the mutant.
    fn inputs(&self, (m, s, point): &Pair<C>) -> Vec<Vec<Pair<C>>> {
        let (left, right) = (&self.left.player, &self.right.player);
        let mut obligations = Vec::new();
        for action in right.actions(true) {
            for (s_next, middle) in right.moves(&self.space, s, point, action) {
                assert!(
                    self.right.allows(&self.space, &s_next, &middle),
                    "inputs never leave cons"
                );
                let choices = match (left.same_action(right.game, action), self.unmatched) {
                    (Some(same), _) => left.moves(&self.space, m, &middle, same),
                    (None, Unmatched::Ignore) if !left.has_name(right.game, action) => vec![(m.clone(), middle)],
                    (None, _) => Vec::new(),
                };
                obligations.push(
                    choices
                        .into_iter()
                        .map(|(m_next, end)| (m_next, s_next.clone(), end))
                        .collect(),
                );
            }
        }
        obligations
    }

    /// Every output and `tau` of the mutant is matched by the specification.
    fn outputs(&self, (m, s, point): &Pair<C>) -> Vec<Vec<Pair<C>>> {
        let (left, right) = (&self.left.player, &self.right.player);
        let mut obligations = Vec::new();
        for action in left.actions(false) {
            let internal = left.game.actions()[action].role == Role::Internal;
            for (m_next, middle) in left.moves(&self.space, m, point, action) {
                if !self.left.allows(&self.space, &m_next, &middle) {
                    continue;
                }
                let mut choices = match (right.same_action(left.game, action), self.unmatched) {
                    (Some(same), _) => right.moves(&self.space, s, &middle, same),
                    (None, Unmatched::Ignore) if !internal && !right.has_name(left.game, action) => {
                        vec![(s.clone(), middle)]
                    }
                    (None, _) => Vec::new(),
                };
                choices.retain(|(s_next, end)| self.right.allows(&self.space, s_next, end));
                obligations.push(
                    choices
                        .into_iter()
                        .map(|(s_next, end)| (m_next.clone(), s_next, end))
                        .collect(),
                );
            }
        }
        obligations
    }

    /// Every delay of the mutant is one of the specification.
    fn delay(&self, (m, s, point): &Pair<C>) -> Option<Vec<Pair<C>>> {
        if self.left.player.is_urgent(&self.space, m, point) {
            return None;
        }
        let later = self.space.later(point);
        let m_leaves = self.left.allows(&self.space, m, &later);
        if !m_leaves && !self.space.lasts(point) {
            return None;
        }
        if self.right.player.is_urgent(&self.space, s, point) {
            return Some(Vec::new());
        }
        if !m_leaves {
            return None;
        }
        let s_leaves = self.right.allows(&self.space, s, &later);
        Some(if s_leaves {
            vec![(m.clone(), s.clone(), later)]
        } else {
            Vec::new()
        })
    }
}
