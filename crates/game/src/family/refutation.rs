//! A counterexample as a checklist of its demands on the mutant.
//!
//! The specification is the same for all mutants, so a winning strategy of the spoiler against one of them also wins
//! against another in which (at the same exact points) the states exist, the delays and outputs it uses are possible, and
//! no input has an answer that the strategy does not foresee. Checking that takes a few comparisons of numbers per step.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::fixpoint::Solution;
use crate::product::{ChallengeAnswer, Mover};
use crate::symbolic::{Arena, Atom, INITIAL, Move, NodeId, Pair, PairProduct as _, index, timing};
use crate::witness::{SpoilerChoice, SpoilerStrategy};
use tamper_text::Id as _;
use tamper_timed::model::{ActionId, Role};
use tamper_zones::Clock;

/// Most steps of a strategy that is kept, all branches together.
const MOST_STEPS: usize = 4096;
/// Largest denominator and largest clock value: their products stay far from the ends of 64 bits.
const MOST_SCALE: i64 = 1 << 20;

/// A state of the mutant at a step: its node, and the first of its clock values.
#[derive(Clone, Copy, Debug)]
struct MutantState {
    node: NodeId,
    point: u32,
}

/// The spoiler's action at a step, after the delay.
#[derive(Clone, Copy, Debug)]
enum SpoilerAction {
    /// The mutant makes an output (`None` if the specification does not know the action) and is then in that place;
    /// whatever the specification answers, the strategy continues.
    Output(Option<ActionId>, MutantState),
    /// The mutant makes an output that the specification cannot answer.
    Unanswered(Option<ActionId>),
    /// The specification offers an input; the foreseen answers are in this range.
    Input(ActionId, (u32, u32)),
    /// The specification cannot wait that long.
    Outwait,
}

#[derive(Clone, Copy, Debug)]
struct Stage {
    from: MutantState,
    delay: i64,
    act: SpoilerAction,
}

/// A winning strategy of the spoiler against a mutant of a game, to be tried against other mutants of that game.
#[derive(Clone, Debug)]
pub struct Refutation {
    n_clocks: usize,
    n_known_actions: usize,
    /// Number of units of these numbers per time unit of the model.
    scale: i64,
    stages: Vec<Stage>,
    answers: Vec<MutantState>,
    points: Vec<i64>,
}

impl Refutation {
    /// Whether the strategy wins against the pruned game in `arena` as well.
    pub(super) fn holds(&self, arena: &Arena) -> bool {
        let starts = |stage: &Stage| self.exists(arena, stage.from);
        self.stages.first().is_some_and(starts) && self.stages.iter().all(|stage| self.stage_holds(arena, stage))
    }

    fn values(&self, point: u32) -> &[i64] {
        &self.points[point as usize..point as usize + self.n_clocks]
    }

    fn exists(&self, arena: &Arena, at: MutantState) -> bool {
        let values = self.values(at.point);
        at.node == INITIAL
            && values.iter().all(|value| *value == 0)
            && arena.alive(at.node).any(|atoms| self.satisfies(values, 0, atoms))
    }

    fn satisfies(&self, values: &[i64], delay: i64, atoms: &[Atom]) -> bool {
        let value = |clock: Clock| match clock.index() {
            0 => 0,
            at => values[at - 1] + delay,
        };
        atoms.iter().all(|atom| {
            if atom.bound.is_infinite() {
                return true;
            }
            let difference = value(atom.left) - value(atom.right);
            let bound = atom.bound.constant() * self.scale;
            difference < bound || (difference == bound && !atom.bound.is_strict())
        })
    }

    /// Every stage starts in a state that exists: the first one is checked, the others are reached by moves that are.
    fn stage_holds(&self, arena: &Arena, stage: &Stage) -> bool {
        let values = self.values(stage.from.point);
        let (node, delay) = (stage.from.node, stage.delay);
        if delay > 0 {
            // Conjunctions are convex: if both ends satisfy them, so does everything between.
            let stays = |atoms: &[Atom]| self.satisfies(values, 0, atoms) && self.satisfies(values, delay, atoms);
            if arena.node(node).urgent || !arena.alive(node).any(stays) {
                return false;
            }
        }
        let enabled = |step: &Move| {
            arena
                .cases(step.enabled)
                .any(|atoms| self.satisfies(values, delay, atoms))
        };
        let leads_to = |step: &Move, place: MutantState| {
            step.target == place.node && self.is_result(arena, values, delay, step, self.values(place.point))
        };
        match stage.act {
            SpoilerAction::Outwait => true,
            SpoilerAction::Output(action, place) => arena
                .moves_of(node)
                .iter()
                .any(|step| self.is_output(step, action) && leads_to(step, place) && enabled(step)),
            SpoilerAction::Unanswered(action) => arena
                .moves_of(node)
                .iter()
                .any(|step| self.is_output(step, action) && enabled(step)),
            SpoilerAction::Input(action, (start, end)) => arena.moves_of(node).iter().all(|step| {
                let foreseen = |place: &MutantState| leads_to(step, *place);
                step.action != action
                    || !enabled(step)
                    || self.answers[start as usize..end as usize].iter().any(foreseen)
            }),
        }
    }

    fn is_output(&self, step: &Move, action: Option<ActionId>) -> bool {
        match action {
            Some(action) => step.action == action,
            None => step.role == Role::Output && step.action.index() >= self.n_known_actions,
        }
    }

    /// Whether the step turns the values after the delay into `after`.
    fn is_result(&self, arena: &Arena, values: &[i64], delay: i64, step: &Move, after: &[i64]) -> bool {
        let resets = arena.resets_of(step);
        values.iter().zip(after).enumerate().all(|(clock, (value, after))| {
            let reset = resets.iter().find(|(variable, _)| variable.index() == clock + 1);
            *after == reset.map_or(value + delay, |(_, value)| value * self.scale)
        })
    }

    /// The strategy of a solution in which the initial point loses; `None` if the strategy is too long or its numbers are
    /// too large.
    pub(super) fn extract(solution: &Solution<'_>, n_known_actions: usize) -> Option<Self> {
        if solution.holds() {
            return None;
        }
        let product = solution.product;
        let mut draft = RefutationBuilder {
            strategy: SpoilerStrategy { solution },
            n_clocks: product.left.n_clocks,
            n_known_actions,
            stages: Vec::new(),
            answers: Vec::new(),
            points: Vec::new(),
        };
        let start = vec![BigRational::zero(); product.dim() - 1];
        draft.walk((INITIAL, INITIAL), start)?;
        draft.finish()
    }
}

/// A refutation under construction, with exact numbers.
struct RefutationBuilder<'s> {
    strategy: SpoilerStrategy<'s>,
    n_clocks: usize,
    n_known_actions: usize,
    stages: Vec<(MutantState, BigRational, SpoilerAction)>,
    answers: Vec<MutantState>,
    points: Vec<BigRational>,
}

impl RefutationBuilder<'_> {
    fn place(&mut self, node: NodeId, point: &[BigRational]) -> MutantState {
        let at = index(self.points.len());
        self.points.extend_from_slice(&point[..self.n_clocks]);
        MutantState { node, point: at }
    }

    /// The stages from a losing point on, breadth first.
    fn walk(&mut self, pair: Pair, point: Vec<BigRational>) -> Option<()> {
        let product = self.strategy.solution.product;
        let mut waiting = vec![(pair, point)];
        let mut next = 0;
        while next < waiting.len() {
            if next >= MOST_STEPS {
                return None;
            }
            let (pair, point) = waiting[next].clone();
            next += 1;
            let from = self.place(pair.0, &point);
            let (choice, _) = self.strategy.choose(pair, &point);
            let (delay, challenge) = match choice {
                SpoilerChoice::Outwait(delay) => {
                    self.stages.push((from, delay, SpoilerAction::Outwait));
                    continue;
                }
                SpoilerChoice::Challenge(delay, challenge) => (delay, challenge),
            };
            let later = timing::delayed(&point, &delay);
            let answers = self.strategy.answers(pair, &later, challenge);
            let act = match challenge.mover {
                Mover::Right => {
                    let start = index(self.answers.len());
                    for (answer, pair, point) in &answers {
                        // The mutant has the whole alphabet, so it never answers by staying.
                        let ChallengeAnswer::Move(_) = answer else { return None };
                        let place = self.place(pair.0, point);
                        self.answers.push(place);
                    }
                    SpoilerAction::Input(challenge.step.action, (start, index(self.answers.len())))
                }
                Mover::Left if answers.is_empty() => {
                    let action = challenge.step.action;
                    SpoilerAction::Unanswered((action.index() < self.n_known_actions).then_some(action))
                }
                Mover::Left => {
                    let mut after = later[..self.n_clocks].to_vec();
                    for (variable, value) in product.left.resets_of(challenge.step) {
                        after[variable.index() - 1] = BigRational::from_integer((*value).into());
                    }
                    let action = challenge.step.action;
                    let known = (action.index() < self.n_known_actions).then_some(action);
                    SpoilerAction::Output(known, self.place(challenge.step.target, &after))
                }
            };
            self.stages.push((from, delay, act));
            waiting.extend(answers.into_iter().map(|(_, pair, point)| (pair, point)));
        }
        Some(())
    }

    fn finish(self) -> Option<Refutation> {
        let numbers = || {
            let delays = self.stages.iter().map(|(_, delay, _)| delay);
            self.points.iter().chain(delays)
        };
        let mut scale = 1;
        for number in numbers() {
            scale = common_multiple(scale, number.denom().to_i64()?).filter(|scale| *scale <= MOST_SCALE)?;
        }
        let small = |number: &BigRational| number.abs() < BigRational::from_integer((1i64 << 38).into());
        if !numbers().all(small) {
            return None;
        }
        let scaled = |number: &BigRational| (number * BigInt::from(scale)).to_integer().to_i64();
        let stage = |(from, delay, act): &(MutantState, BigRational, SpoilerAction)| {
            Some(Stage {
                from: *from,
                delay: scaled(delay)?,
                act: *act,
            })
        };
        Some(Refutation {
            n_clocks: self.n_clocks,
            n_known_actions: self.n_known_actions,
            scale,
            stages: self.stages.iter().map(stage).collect::<Option<_>>()?,
            answers: self.answers,
            points: self.points.iter().map(scaled).collect::<Option<_>>()?,
        })
    }
}

/// The least common multiple of two positive numbers.
fn common_multiple(first: i64, second: i64) -> Option<i64> {
    let (mut divisor, mut rest) = (first, second);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (first / divisor).checked_mul(second)
}
