//! Refinement and its refutation: \[003\] Definition 7 between two games, each restricted to its consistent states.
//!
//! A state of both games is *related* if the specification answers each output, internal step and delay of the mutant, the mutant
//! answers each input of the specification, and the answers lead to related states. Hence a set of states from which every challenge
//! can be answered inside the set is related ([`check_relation`]); and states from which some challenge has no answer, or only such
//! that lead to unrelated states, are unrelated ([`check_refutation`], by induction on the order of the lines).
//!
//! Of restricted games only approximations are known, each on its safe side. A relation needs answers in states that are consistent,
//! and skips challenges that lead to states that are not. A refutation needs challenges that stay in consistent states of the
//! mutant, and skips answers that lead to inconsistent states of the specification. Inputs never leave consistent states.

use std::collections::HashMap;

use crate::certificate::{Challenge, Claim, Mutant, Refuted, Related, Rules, Stated};
use crate::consistency::{States, after_an_end, check_consistent, check_inconsistent, possible, waits_within};
use crate::fault::{Fault, Limit};
use crate::game::{Game, Move, Role};
use crate::zone::{Atom, Reset, Zone};

/// A game, and what is known about its states.
pub struct KnownGame {
    game: Game,
    /// Per node, whether a path of moves leads to it.
    reachable: Vec<bool>,
    /// States that are consistent, and states that are not.
    consistent: States,
    inconsistent: States,
}

impl KnownGame {
    /// Checks what is said about a game; about a mutant only what is not the same of `specification`.
    ///
    /// # Errors
    /// The first line that is wrong, or the limit.
    pub fn check(stated: Stated, specification: Option<&Self>, rules: Rules, limit: &mut Limit) -> Result<Self, Fault> {
        let reachable = stated.game.reachable();
        let game = &stated.game;
        let (mut consistent, mut inconsistent) = (States::existing(game), States::none(game));
        if rules.is_pruned {
            let asked = |node| reachable[node] && !specification.is_some_and(|known| known.has_shown(&stated, node));
            let asked: Vec<bool> = (0..game.nodes.len()).map(asked).collect();
            consistent = check_consistent(game, &stated.consistent, &asked, limit)?;
            let asked = if stated.has_own_losses { &reachable } else { &asked };
            inconsistent = check_inconsistent(game, &stated.inconsistent, (&reachable, asked), limit)?;
        }
        Ok(Self {
            game: stated.game,
            reachable,
            consistent,
            inconsistent,
        })
    }

    /// Whether what is said about a node of a mutant was shown about this game: a path leads to the node, and neither it nor the nodes to
    /// which its moves lead are the mutant's own. (All conditions are about these nodes and what is said of their states.)
    fn has_shown(&self, mutant: &Stated, node: usize) -> bool {
        let mut targets = mutant.game.nodes[node].moves.iter().map(|step| step.target);
        !mutant.is_own[node] && self.reachable[node] && targets.all(|target| !mutant.is_own[target])
    }
}

/// Checks the claim about a mutant.
///
/// # Errors
/// The first line that is wrong, or the limit.
pub fn check_mutant(
    mutant: Mutant,
    specification: &KnownGame,
    rules: Rules,
    limit: &mut Limit,
) -> Result<Claim, Fault> {
    let (claim, line) = mutant.claim;
    let fault = |because: &str| Err(Fault::at(line, because));
    let known = KnownGame::check(mutant.stated, Some(specification), rules, limit)?;
    if claim == Claim::Inconsistent {
        let starts = States::existing(&known.game).have_start(&known.game, limit)?;
        return match starts && !known.inconsistent.have_start(&known.game, limit)? {
            true => fault("the initial state is not among the inconsistent ones"),
            false => Ok(claim),
        };
    }
    for (name, known) in [("mutant", &known), ("specification", specification)] {
        if !known.consistent.have_start(&known.game, limit)? {
            return fault(&format!(
                "the initial state of the {name} is not among the consistent ones"
            ));
        }
    }
    let proof = Proof {
        sides: [&known, specification],
        ignores_unknown: rules.ignores_unknown,
    };
    let start = Zone::zero(proof.n_clocks());
    let shown = match claim {
        Claim::Subsumed => {
            let relation = &mutant.relation;
            let zones = PairStates::of(relation.iter().map(|related| (related.pair, &related.zone)));
            proof.check_relation(relation, &zones, limit)?;
            zones
        }
        _ => proof.check_refutation(&mutant.refutation, limit)?,
    };
    match start.is_within(shown.of_pair((0, 0)), limit)? {
        true => Ok(claim),
        false => fault("the initial states are not in the set that is to show it"),
    }
}

/// Sets of states of both games, per pair of nodes.
#[derive(Default)]
struct PairStates {
    zones: HashMap<(usize, usize), Vec<Zone>>,
}

impl PairStates {
    fn of<'a>(states: impl Iterator<Item = ((usize, usize), &'a Zone)>) -> Self {
        let mut all = Self::default();
        for (pair, zone) in states {
            all.add(pair, zone);
        }
        all
    }
    fn add(&mut self, pair: (usize, usize), zone: &Zone) {
        self.zones.entry(pair).or_default().push(zone.clone());
    }
    fn of_pair(&self, pair: (usize, usize)) -> &[Zone] {
        self.zones.get(&pair).map_or(&[], Vec::as_slice)
    }
    /// The zones from which the challenge that `answer` answers and the answer lead to them.
    fn before(&self, answer: &Answer, limit: &mut Limit) -> Result<Vec<Zone>, Fault> {
        let zones = self.of_pair(answer.target);
        limit.steps(zones.len())?;
        let before = zones.iter().filter_map(|zone| zone.before(&answer.resets));
        Ok(before.filter_map(|zone| zone.restricted(&answer.guard)).collect())
    }
}

/// Both games.
struct Proof<'a> {
    sides: [&'a KnownGame; 2],
    ignores_unknown: bool,
}

/// A way of one side to answer: its guard and resets over the clocks of both, and the pair after it.
struct Answer {
    guard: Vec<Atom>,
    /// The resets of challenge and answer.
    resets: Vec<Reset>,
    target: (usize, usize),
}

impl Proof<'_> {
    fn game(&self, side: usize) -> &Game {
        &self.sides[side].game
    }

    fn n_clocks(&self) -> usize {
        self.game(0).clocks.len() + self.game(1).clocks.len()
    }

    /// Zones of one game as zones of both.
    fn embedded(&self, side: usize, zones: &[Zone]) -> Vec<Zone> {
        let offset = side * self.game(0).clocks.len();
        let zones = zones.iter();
        zones.map(|zone| zone.embedded(self.n_clocks(), offset)).collect()
    }

    fn atoms(&self, side: usize, atoms: &[Atom]) -> Vec<Atom> {
        let offset = side * self.game(0).clocks.len();
        atoms.iter().map(|atom| atom.raised(offset)).collect()
    }

    fn resets(&self, side: usize, step: &Move) -> Vec<Reset> {
        let offset = side * self.game(0).clocks.len();
        step.resets
            .iter()
            .map(|(clock, value)| (clock + offset, *value))
            .collect()
    }

    /// The states of a game that exist in a node, as a zone of both.
    fn existing(&self, side: usize, node: usize) -> Vec<Zone> {
        self.embedded(side, self.game(side).nodes[node].existing.as_slice())
    }

    /// The part of `zone` in which `side` can make `step`.
    fn posed(&self, side: usize, zone: &Zone, step: &Move) -> Option<Zone> {
        let all = Zone::all(self.game(side).clocks.len());
        let possible = possible(self.game(side), &all, step)?;
        self.embedded(side, &[possible])[0].meet(zone)
    }

    /// The zones of both from which `step` of `side` leads to these states of its game.
    fn before(&self, side: usize, step: &Move, states: &States, limit: &mut Limit) -> Result<Vec<Zone>, Fault> {
        Ok(self.embedded(side, &states.before(step, limit)?))
    }

    /// The answers of the other side to `step` of `side` in `pair`.
    fn answers(&self, side: usize, step: &Move, pair: (usize, usize)) -> Vec<Answer> {
        let (game, other) = (self.game(side), self.game(1 - side));
        let action = game.action(step);
        let other_node = if side == 0 { pair.1 } else { pair.0 };
        let target = |answer: usize| {
            if side == 0 {
                (step.target, answer)
            } else {
                (answer, step.target)
            }
        };
        let mut answers = Vec::new();
        for answer in &other.nodes[other_node].moves {
            if other.action(answer) == action {
                let mut resets = self.resets(side, step);
                resets.extend(self.resets(1 - side, answer));
                answers.push(Answer {
                    guard: self.atoms(1 - side, &answer.guard),
                    resets,
                    target: target(answer.target),
                });
            }
        }
        let is_unknown = !other.has_name(action);
        if self.ignores_unknown && is_unknown && action.role != Role::Internal {
            answers.push(Answer {
                guard: Vec::new(),
                resets: self.resets(side, step),
                target: target(other_node),
            });
        }
        answers
    }

    /// Whether inputs are compared in a pair: not inside an atomic step.
    fn compares_inputs(&self, pair: (usize, usize)) -> bool {
        !self.game(0).nodes[pair.0].is_atomic && !self.game(1).nodes[pair.1].is_atomic
    }

    fn may_wait(&self, side: usize, node: usize) -> bool {
        !self.game(side).nodes[node].is_urgent
    }
}

impl Proof<'_> {
    fn check_relation(&self, relation: &[Related], zones: &PairStates, limit: &mut Limit) -> Result<(), Fault> {
        for related in relation {
            let Related { line, pair, zone } = related;
            let fault = |because: &str| Err(Fault::at(*line, because));
            if !zone.is_within(&self.existing(0, pair.0), limit)? {
                return fault("the mutant does not exist in all of these states");
            }
            let lost = self.embedded(0, &self.sides[0].inconsistent.zones[pair.0]);
            if lost.iter().any(|lost| lost.meet(zone).is_some()) {
                return fault("some of these states of the mutant are inconsistent");
            }
            if !zone.is_within(&self.embedded(1, &self.sides[1].consistent.zones[pair.1]), limit)? {
                return fault("the specification does not exist in all of these states");
            }
            for step in self.game(0).moves(pair.0, false) {
                self.check_answered(zones, related, (0, step), limit)?;
            }
            if self.compares_inputs(*pair) {
                for step in self.game(1).moves(pair.1, true) {
                    self.check_answered(zones, related, (1, step), limit)?;
                }
            }
            if self.may_wait(0, pair.0)
                && let Some(later) = zone.strictly_later()
                && let Some(later) = later.meet(&self.existing(0, pair.0)[0])
            {
                let mut covered = after_an_end(zone, &lost);
                if self.may_wait(1, pair.1) {
                    covered.extend(zones.of_pair(*pair).iter().cloned());
                }
                if !later.is_within(&covered, limit)? {
                    return fault("the mutant can wait into states that are not related");
                }
            }
        }
        Ok(())
    }

    /// Checks that wherever `side` can make `step`, the other side has an answer that leads to related states.
    fn check_answered(
        &self,
        zones: &PairStates,
        Related { line, pair, zone }: &Related,
        (side, step): (usize, &Move),
        limit: &mut Limit,
    ) -> Result<(), Fault> {
        let Some(posed) = self.posed(side, zone, step) else {
            return Ok(());
        };
        let mut answered = Vec::new();
        if side == 0 {
            answered = self.before(0, step, &self.sides[0].inconsistent, limit)?;
        }
        for answer in self.answers(side, step, *pair) {
            answered.extend(zones.before(&answer, limit)?);
        }
        if !posed.is_within(&answered, limit)? {
            let action = self.game(side).action(step);
            let kind = if action.role == Role::Input { "input" } else { "output" };
            let because = format!("the {kind} {} is not answered in all of these states", action.name);
            return Err(Fault::at(*line, because));
        }
        Ok(())
    }
}

impl Proof<'_> {
    /// Checks a refutation; its states.
    fn check_refutation(&self, refutation: &[Refuted], limit: &mut Limit) -> Result<PairStates, Fault> {
        let mut earlier = PairStates::default();
        for refuted in refutation {
            let moves = |side: usize, node: usize, number: usize| {
                let found = self.game(side).nodes[node].moves.get(number);
                found.ok_or_else(|| Fault::at(refuted.line, format!("there is no move {number}")))
            };
            let pair = refuted.pair;
            match &refuted.challenge {
                Challenge::Output(number) => {
                    let step = moves(0, pair.0, *number)?;
                    let is_input = self.game(0).action(step).role == Role::Input;
                    self.check_unanswered(&earlier, refuted, (0, step), is_input, limit)?;
                }
                Challenge::Input(number) => {
                    let step = moves(1, pair.1, *number)?;
                    let is_output = self.game(1).action(step).role != Role::Input;
                    let is_wrong = is_output || !self.compares_inputs(pair);
                    self.check_unanswered(&earlier, refuted, (1, step), is_wrong, limit)?;
                }
                Challenge::Delay(until) => self.check_outwaited(&earlier, refuted, until, limit)?,
            }
            earlier.add(pair, &refuted.zone);
        }
        Ok(earlier)
    }

    /// Checks that `side` can make `step` in all states of a line, and that every answer leads to states of earlier lines.
    fn check_unanswered(
        &self,
        earlier: &PairStates,
        Refuted { line, pair, zone, .. }: &Refuted,
        (side, step): (usize, &Move),
        is_wrong: bool,
        limit: &mut Limit,
    ) -> Result<(), Fault> {
        let fault = |because: &str| Err(Fault::at(*line, because));
        if is_wrong {
            return fault("this move is no challenge here");
        }
        let other = 1 - side;
        // Inputs of the specification lead to consistent states, outputs of the mutant have to.
        let posed: Vec<Zone> = if side == 0 {
            let before = self.before(0, step, &self.sides[0].consistent, limit)?;
            let guard = self.atoms(0, &step.guard);
            before.iter().filter_map(|zone| zone.restricted(&guard)).collect()
        } else {
            self.posed(1, zone, step).into_iter().collect()
        };
        if !zone.is_within(&posed, limit)? {
            return fault("the challenge is not possible in all of these states");
        }
        for answer in self.answers(side, step, *pair) {
            let target = if side == 0 { answer.target.1 } else { answer.target.0 };
            let Some(possible) = zone.restricted(&answer.guard) else {
                continue;
            };
            // The state of a side that stays exists already.
            let existing = self.existing(other, target);
            let before = existing.first().and_then(|existing| existing.before(&answer.resets));
            let Some(possible) = before.and_then(|before| possible.meet(&before)) else {
                continue;
            };
            let mut bad = earlier.before(&answer, limit)?;
            if other == 1 {
                let inconsistent = self.embedded(1, &self.sides[1].inconsistent.zones[target]);
                bad.extend(inconsistent.iter().filter_map(|zone| zone.before(&answer.resets)));
            }
            if !possible.is_within(&bad, limit)? {
                return fault("an answer leads to states that no earlier line has");
            }
        }
        Ok(())
    }

    /// Checks that from all states of a line the mutant can wait until it is where the specification cannot follow, or where an
    /// earlier line shows the difference.
    fn check_outwaited(
        &self,
        earlier: &PairStates,
        Refuted { line, pair, zone, .. }: &Refuted,
        until: &Zone,
        limit: &mut Limit,
    ) -> Result<(), Fault> {
        let fault = |because: &str| Err(Fault::at(*line, because));
        let path = self.embedded(0, &self.sides[0].consistent.zones[pair.0]);
        if !self.may_wait(0, pair.0) || !waits_within(zone, until, &path, limit)? {
            return fault("the mutant cannot wait until these states");
        }
        if self.may_wait(1, pair.1) {
            let mut good = earlier.of_pair(*pair).to_vec();
            good.extend(self.embedded(1, &self.sides[1].inconsistent.zones[pair.1]));
            for existing in self.existing(1, pair.1) {
                if let Some(followed) = until.meet(&existing)
                    && !followed.is_within(&good, limit)?
                {
                    return fault("the specification can follow, and no earlier line has these states");
                }
            }
        } else {
            let before: Vec<Zone> = until.strictly_earlier().into_iter().collect();
            if !zone.is_within(&before, limit)? {
                return fault("no time has to pass until these states");
            }
        }
        Ok(())
    }
}
