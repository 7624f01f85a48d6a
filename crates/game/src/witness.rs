//! Counterexamples: strategies by which the spoiler wins from the initial pair, with exact delays, whatever the answers.
//!
//! Read off the losing pieces of [`super::fixpoint`]: at a point of a piece, the piece's reason gives the move, and every
//! answer leads to a piece of lower number, so the play ends. Where the responder never has two answers the counterexample
//! is a path.

use num_rational::BigRational;
use num_traits::Zero;

use super::fixpoint::{LosingZone, Reason, Solution, challenge_at};
use super::product::{Challenge, ChallengeAnswer, Mover};
use crate::symbolic::{
    Arena, Atom, INITIAL, Move, NodeId, Pair, PairProduct as _,
    timing::{self, Delays},
    zone_ops,
};
use tamper_timed::model::{Action, Automaton, EdgeId, LocId};

/// A winning strategy of the spoiler: the mutant does not refine the specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The play from the initial pair.
    pub play: Play,
}

/// Steps that are forced whatever the answers, and their end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Play {
    /// The steps whose outcome is forced, in order.
    pub steps: Vec<Step>,
    /// The reason why the play is lost.
    pub end: End,
}

/// A state of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamePoint {
    /// The location of the state.
    pub location: LocId,
    /// The value of each integer, by id.
    pub ints: Vec<i32>,
    /// The value of each clock, by id.
    pub clocks: Vec<BigRational>,
}

impl GamePoint {
    /// The same after `delay`: clocks run, nothing else changes.
    #[must_use]
    pub fn later(&self, delay: &BigRational) -> Self {
        Self {
            clocks: timing::delayed(&self.clocks, delay),
            ..self.clone()
        }
    }
}

impl PairPoint {
    /// The same after the delay of `demand`.
    #[must_use]
    pub fn later(&self, demand: &Demand) -> Self {
        Self {
            mutant: self.mutant.later(&demand.delay),
            spec: self.spec.later(&demand.delay),
        }
    }
}

/// A state of the mutant with one of the specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairPoint {
    /// The state of the mutant.
    pub mutant: GamePoint,
    /// The state of the specification.
    pub spec: GamePoint,
}

/// The game that makes a move first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The mutant: outputs, internal steps, delays.
    Mutant,
    /// The specification, which decides about inputs.
    Specification,
}

/// The behaviour of a game at a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Doing {
    /// The mover takes this edge.
    Edge(EdgeId),
    /// It ignores an input (the implicit self loop of an input-enabled game).
    Ignores,
    /// It does not know the action and stays where it is.
    Stays,
}

/// A move that the other side must answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Demand {
    /// The states before the delay.
    pub from: PairPoint,
    /// The constraints of the zone from which the spoiler wins this way; clocks of the mutant have the suffix `'`.
    pub zone: Vec<String>,
    /// Time that passes first, in time units.
    pub delay: BigRational,
    /// The game that makes the demand.
    pub mover: Side,
    /// The action that is to be matched.
    pub action: Action,
    /// The edge of the mover, or that it stays.
    pub doing: Doing,
}

/// A demand and its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The demand that the other game must meet.
    pub demand: Demand,
    /// The answer of the other side.
    pub answer: Doing,
}

/// The reason for which a play is lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The demand has no answer.
    NoAnswer(Demand),
    /// The mutant lets that much time pass and the specification cannot.
    NoDelay {
        /// The states before the delay.
        from: PairPoint,
        /// The constraints of the zone from which the spoiler wins this way.
        zone: Vec<String>,
        /// The delay, in time units.
        delay: BigRational,
    },
    /// The demand has several answers; each loses.
    Branch(Demand, Vec<(Doing, Play)>),
}

/// The winning strategy of a solution in which the initial point loses.
pub(super) fn extract(solution: &Solution<'_>, mutant: &Automaton, spec: &Automaton) -> Counterexample {
    let start = vec![BigRational::zero(); solution.product.dim() - 1];
    let extraction = Extraction {
        strategy: SpoilerStrategy { solution },
        mutant,
        spec,
    };
    Counterexample {
        play: extraction.play((INITIAL, INITIAL), start),
    }
}

struct Extraction<'s> {
    strategy: SpoilerStrategy<'s>,
    mutant: &'s Automaton,
    spec: &'s Automaton,
}

/// The spoiler's strategy at the losing points of a solution.
#[derive(Clone, Copy)]
pub(super) struct SpoilerStrategy<'s> {
    pub solution: &'s Solution<'s>,
}

/// The spoiler's move at a point, after a delay.
pub(super) enum SpoilerChoice<'s> {
    Challenge(BigRational, Challenge<'s>),
    Outwait(BigRational),
}

impl Extraction<'_> {
    fn play(&self, mut pair: Pair, mut point: Vec<BigRational>) -> Play {
        let mut steps = Vec::new();
        loop {
            let (choice, piece) = self.strategy.choose(pair, &point);
            let zone = self.describe(&piece.zone);
            let from = self.pair_point(pair, &point);
            let (delay, challenge) = match choice {
                SpoilerChoice::Outwait(delay) => {
                    let end = End::NoDelay { from, zone, delay };
                    return Play { steps, end };
                }
                SpoilerChoice::Challenge(delay, challenge) => (delay, challenge),
            };
            let later = timing::delayed(&point, &delay);
            let demand = self.demand(from, zone, delay, challenge);
            let mut answers = self.strategy.answers(pair, &later, challenge);
            match answers.len() {
                0 => {
                    let end = End::NoAnswer(demand);
                    return Play { steps, end };
                }
                1 => {
                    let (answer, next_pair, next_point) = answers.remove(0);
                    steps.push(Step {
                        demand,
                        answer: answered(answer),
                    });
                    (pair, point) = (next_pair, next_point);
                }
                _ => {
                    let branch = |(answer, pair, point)| (answered(answer), self.play(pair, point));
                    let end = End::Branch(demand, answers.into_iter().map(branch).collect());
                    return Play { steps, end };
                }
            }
        }
    }

    fn demand(&self, from: PairPoint, zone: Vec<String>, delay: BigRational, challenge: Challenge<'_>) -> Demand {
        let (mover, automaton) = match challenge.mover {
            Mover::Left => (Side::Mutant, self.mutant),
            Mover::Right => (Side::Specification, self.spec),
        };
        Demand {
            from,
            zone,
            delay,
            mover,
            action: automaton.actions()[challenge.step.action].clone(),
            doing: doing(challenge.step),
        }
    }

    fn pair_point(&self, pair: Pair, point: &[BigRational]) -> PairPoint {
        let product = self.strategy.solution.product;
        let (left, right) = point.split_at(product.left.n_clocks);
        let side = |arena: &Arena, node: NodeId, clocks: &[BigRational]| GamePoint {
            location: arena.node(node).location,
            ints: arena.values_of(node).to_vec(),
            clocks: clocks.to_vec(),
        };
        PairPoint {
            mutant: side(product.left, pair.0, left),
            spec: side(product.right, pair.1, right),
        }
    }

    fn describe(&self, zone: &tamper_zones::Dbm) -> Vec<String> {
        let mutant = self.mutant.clocks().iter().map(|clock| format!("{}'", clock.name));
        let spec = self.spec.clocks().iter().map(|clock| clock.name.to_string());
        let names: Vec<String> = mutant.chain(spec).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        zone.constraints(&names)
    }
}

impl<'s> SpoilerStrategy<'s> {
    fn piece(&self, pair: Pair, point: &[BigRational]) -> Option<&'s LosingZone> {
        let points = self.solution.pairs.get(pair)?;
        points.losing.iter().find(|piece| piece.zone.contains(point))
    }

    /// The spoiler's move at a losing point, and the piece that determines it.
    pub fn choose(&self, pair: Pair, start: &[BigRational]) -> (SpoilerChoice<'s>, &'s LosingZone) {
        let first = self
            .piece(pair, start)
            .expect("the spoiler wins from every point its strategy leads to");
        let mut piece = first;
        let mut delay = BigRational::zero();
        let product = self.solution.product;
        loop {
            let point = timing::delayed(start, &delay);
            match piece.reason {
                Reason::Challenge(index) => {
                    let challenge = challenge_at(product, pair, index).expect("a piece's challenge is one of its pair");
                    return (SpoilerChoice::Challenge(delay, challenge), first);
                }
                Reason::Delay => match self.wait(pair, &point, piece.number) {
                    (more, Some(next)) => {
                        delay += more;
                        piece = next;
                    }
                    (more, None) => return (SpoilerChoice::Outwait(delay + more), first),
                },
            }
        }
    }

    /// The least delay from a point of a delay piece into an earlier piece, or to where the specification cannot follow.
    fn wait(&self, pair: Pair, point: &[BigRational], number: u64) -> (BigRational, Option<&'s LosingZone>) {
        let product = self.solution.product;
        let mutant_stays = timing::stays(point, product.left.alive(pair.0)).expect("a reached state exists");
        let positive = Delays {
            low: BigRational::zero(),
            low_in: false,
            high: None,
            high_in: false,
        };
        if !product.may_delay(pair).1 {
            let some = positive
                .within(&mutant_stays)
                .expect("the mutant can delay from a point lost to delay");
            return (some.earliest(), None);
        }
        let spec_stays = timing::stays(point, product.right.alive(pair.1)).expect("a reached state exists");
        let points = self
            .solution
            .pairs
            .get(pair)
            .expect("a losing point is of a reached pair");
        let earlier = points.losing.iter().filter(|piece| piece.number < number);
        let into = earlier.filter_map(|piece| {
            let atoms = zone_ops::atoms_of_zone(&piece.zone);
            let delays = timing::delays_into(point, &atoms)?
                .within(&mutant_stays)?
                .within(&spec_stays)?;
            Some((delays.earliest(), piece))
        });
        if let Some((delay, piece)) = into.min_by(|a, b| a.0.cmp(&b.0)) {
            return (delay, Some(piece));
        }
        let beyond = Delays {
            low: spec_stays
                .high
                .clone()
                .expect("the specification's delays end where the mutant's go on"),
            low_in: !spec_stays.high_in,
            high: None,
            high_in: false,
        };
        let outside = beyond
            .within(&mutant_stays)
            .expect("the mutant's delays go on where the specification's end");
        (outside.earliest(), None)
    }

    /// The answers that exist at a point, each with its target; equal effects only once.
    pub fn answers(
        &self,
        pair: Pair,
        point: &[BigRational],
        challenge: Challenge<'s>,
    ) -> Vec<(ChallengeAnswer<'s>, Pair, Vec<BigRational>)> {
        let product = self.solution.product;
        let mut answers: Vec<(ChallengeAnswer<'s>, Pair, Vec<BigRational>)> = Vec::new();
        for answer in product.answers(challenge, pair) {
            let cases: Vec<&[Atom]> = product.answer_enabled(challenge, answer);
            if !cases.iter().any(|atoms| timing::holds(point, atoms)) {
                continue;
            }
            let (left, right) = product.sides(challenge, answer);
            let mut next = point.to_vec();
            for (arena, step) in [(product.left, left), (product.right, right)] {
                timing::set(&mut next, step.map_or(&[], |step| arena.resets_of(step)));
            }
            let target = product.target(pair, challenge, answer);
            let known = answers.iter().any(|(_, pair, point)| *pair == target && *point == next);
            if !known {
                answers.push((answer, target, next));
            }
        }
        answers
    }
}

fn answered(answer: ChallengeAnswer<'_>) -> Doing {
    match answer {
        ChallengeAnswer::Stay => Doing::Stays,
        ChallengeAnswer::Move(step) => doing(step),
    }
}

/// The behaviour of the side that makes the move.
pub(super) fn doing(step: &Move) -> Doing {
    step.edge.map_or(Doing::Ignores, Doing::Edge)
}
