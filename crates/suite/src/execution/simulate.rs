//! Random single plays of a test against a game, with exact numbers: no zones are explored.

use num_rational::BigRational;
use num_traits::{One as _, Zero as _};

use crate::drive::{Event, What};
use crate::execution::compiled::{CompiledAct, CompiledJump, CompiledNode, CompiledTest};
use crate::execution::execute::ExecutionEnd;
use crate::execution::opponent::{Ends, Opponent};
use crate::execution::single::SingleSystem;
use crate::view::{View, ViewMove};
use crate::{Next, TestVerdict};
use tamper_features::Random;
use tamper_game::symbolic::timing::{self, Delays};
use tamper_game::symbolic::{INITIAL, NodeId};

/// Maximum number of steps of a play; every generated test has fewer.
const MOST_STEPS: usize = 10_000;

/// Number of parts of a time unit: drawn delays are multiples of one part where the window has one. Otherwise the numbers of a long
/// play would grow with every step.
const FINEST: u64 = 1 << 32;

/// Plays `test` once: the game makes its choices by `random`, and so does the tester where the test leaves a choice of times. The
/// one end that is set is the end of the play.
///
/// # Panics
/// If the game is in another unit or behind another number of clocks ([`Opponent::fits`]).
pub fn simulate(test: &CompiledTest, opponent: &Opponent, random: &mut Random) -> Ends {
    play(test, opponent, random, None)
}

/// The play of [`simulate`], with its events.
///
/// # Panics
/// As [`simulate`].
pub fn simulate_logged(test: &CompiledTest, opponent: &Opponent, random: &mut Random) -> (Ends, Vec<Event>) {
    let mut log = Vec::new();
    let ends = play(test, opponent, random, Some(&mut log));
    (ends, log)
}

fn play(test: &CompiledTest, opponent: &Opponent, random: &mut Random, log: Option<&mut Vec<Event>>) -> Ends {
    assert!(
        opponent.fits(test),
        "the game is in the test's unit and behind its clocks"
    );
    let mut play = SimulatedRun {
        opponent,
        random,
        point: vec![BigRational::zero(); test.n_clocks + opponent.n_clocks()],
        place: INITIAL,
        now: BigRational::zero(),
        unit: BigRational::new(1.into(), test.scale.into()),
        log,
    };
    let mut ends = Ends::default();
    let mut node = 0;
    for _ in 0..MOST_STEPS {
        match play.step(&test.nodes[node]) {
            Ok(Next::Node(next)) => node = next,
            Ok(Next::Verdict(verdict)) => {
                ends.add(ExecutionEnd::Verdict(verdict));
                return ends;
            }
            Err(Stalls) => break,
        }
    }
    ends.add(ExecutionEnd::Stalled);
    ends
}

/// Time is stopped, and neither side acts.
struct Stalls;

/// An output, and the delays at which it can come.
type TimedMove<'v> = (&'v ViewMove<NodeId>, Delays);

struct SimulatedRun<'a> {
    opponent: &'a Opponent,
    random: &'a mut Random,
    point: Vec<BigRational>,
    place: NodeId,
    /// The current time, in the test's unit.
    now: BigRational,
    /// The length of the test's unit, in the model's.
    unit: BigRational,
    log: Option<&'a mut Vec<Event>>,
}

impl SimulatedRun<'_> {
    fn step(&mut self, node: &CompiledNode) -> Result<Next, Stalls> {
        let inconclusive = Ok(Next::Verdict(TestVerdict::Inconclusive));
        let chosen = node.rules.iter().find(|rule| timing::holds(&self.point, &rule.from));
        let Some(rule) = chosen else {
            return inconclusive;
        };
        let Some(acts) = timing::delays_into(&self.point, &rule.when) else {
            return inconclusive;
        };
        let view = self.opponent.view(&self.place);
        let stays = self.stays(&view);
        let acting = self.draw(&acts);
        let candidates = self.candidates(&view, &stays, &acting);
        if !candidates.is_empty() && self.random.below(2) == 0 {
            return Ok(self.speak(node, &candidates));
        }
        // The game is silent for as long as it can be.
        match until(&acting).within(&stays) {
            Some(silence) if silence.high.as_ref() == Some(&acting) && silence.high_in => self.act(&rule.act, &acting),
            _ => match acts.within(&stays) {
                Some(possible) => {
                    let acting = self.draw(&possible);
                    self.act(&rule.act, &acting)
                }
                None if candidates.is_empty() => Err(Stalls),
                None => Ok(self.speak(node, &candidates)),
            },
        }
    }

    fn stays(&self, view: &View<NodeId>) -> Delays {
        if view.urgent {
            return until(&BigRational::zero());
        }
        timing::delays_into(&self.point, &view.invariant).expect("an entered state exists")
    }

    /// The outputs that can come before the tester's act, or together with it.
    fn candidates<'v>(&self, view: &'v View<NodeId>, stays: &Delays, acting: &BigRational) -> Vec<TimedMove<'v>> {
        let outputs = view.moves.iter().filter(|step| step.is_output);
        let windows = outputs.flat_map(|step| step.enabled.iter().map(move |enabled| (step, enabled)));
        let window = |(step, enabled): (&'v ViewMove<NodeId>, &Vec<_>)| {
            let delays = timing::delays_into(&self.point, enabled)?;
            Some((step, delays.within(stays)?.within(&until(acting))?))
        };
        windows.filter_map(window).collect()
    }

    fn speak(&mut self, node: &CompiledNode, candidates: &[TimedMove<'_>]) -> Next {
        let (step, window) = &candidates[self.random.below(candidates.len())];
        let delay = self.draw(window);
        self.pass_time(&delay);
        self.note(|| What::Output(step.label.clone()));
        let known = node.outputs.iter().filter(|(label, _)| *label == step.label);
        let jump = known
            .map(|(_, jump)| jump)
            .find(|jump| timing::holds(&self.point, &jump.when));
        match jump {
            Some(jump) => self.go(step, jump),
            None => Next::Verdict(node.otherwise),
        }
    }

    fn act(&mut self, act: &CompiledAct, delay: &BigRational) -> Result<Next, Stalls> {
        self.pass_time(delay);
        let (action, then) = match act {
            CompiledAct::Stop(verdict) => {
                self.note(|| What::Silence);
                return Ok(Next::Verdict(*verdict));
            }
            CompiledAct::Input(action, then) => (action, then),
        };
        self.note(|| What::Input(action.clone()));
        let view = self.opponent.view(&self.place);
        let accepts = |step: &&ViewMove<NodeId>| {
            let enabled = |atoms: &Vec<_>| timing::holds(&self.point, atoms);
            !step.is_output && step.label == *action && step.enabled.iter().any(enabled)
        };
        let answers: Vec<&ViewMove<NodeId>> = view.moves.iter().filter(accepts).collect();
        if answers.is_empty() {
            self.note(|| What::Refused(action.clone()));
            return Ok(Next::Verdict(TestVerdict::Fail));
        }
        let step = answers[self.random.below(answers.len())];
        let jump = then.iter().find(|jump| timing::holds(&self.point, &jump.when));
        Ok(match jump {
            Some(jump) => self.go(step, jump),
            None => Next::Verdict(TestVerdict::Pass),
        })
    }

    fn go(&mut self, step: &ViewMove<NodeId>, jump: &CompiledJump) -> Next {
        timing::set(&mut self.point, &step.resets);
        timing::set(&mut self.point, &jump.resets);
        self.place = step.target;
        jump.next
    }

    fn pass_time(&mut self, delay: &BigRational) {
        self.point = timing::delayed(&self.point, delay);
        if self.log.is_some() {
            self.now += delay;
        }
    }

    fn note(&mut self, what: impl FnOnce() -> What) {
        if let Some(log) = &mut self.log {
            let at = &self.now * &self.unit;
            log.push(Event { at, what: what() });
        }
    }

    /// A delay in the window: an end of it, or a number in between with a small denominator.
    fn draw(&mut self, window: &Delays) -> BigRational {
        let one = BigRational::one();
        let high = match &window.high {
            Some(high) => high.clone(),
            None => &window.low + &one + &one,
        };
        let quarters = self.random.below(5);
        let drawn = &window.low + (&high - &window.low) * BigRational::new(quarters.into(), 4.into());
        let at_low = drawn == window.low && !window.low_in;
        let at_high = window.high.as_ref() == Some(&drawn) && !window.high_in;
        if at_low || at_high {
            (&window.low + high) / (&one + &one)
        } else {
            coarse(drawn, window)
        }
    }
}

/// The delay `drawn`, rounded down to a multiple of one part in [`FINEST`]; unchanged if its denominator is small, or if the
/// rounded delay would lie before the window.
fn coarse(drawn: BigRational, window: &Delays) -> BigRational {
    if drawn.denom() <= &FINEST.into() {
        return drawn;
    }
    let rounded =
        (&drawn * BigRational::from_integer(FINEST.into())).floor() / BigRational::from_integer(FINEST.into());
    if rounded > window.low || (rounded == window.low && window.low_in) {
        rounded
    } else {
        drawn
    }
}

/// All delays up to `delay`.
fn until(delay: &BigRational) -> Delays {
    Delays {
        low: BigRational::zero(),
        low_in: true,
        high: Some(delay.clone()),
        high_in: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_of_a_long_play_stay_in_their_windows_and_short() {
        let fine = |numerator: u64| BigRational::new(numerator.into(), (FINEST * 9).into());
        let window = |low: u64, low_in: bool| Delays {
            low: fine(low),
            low_in,
            high: None,
            high_in: false,
        };
        let one = BigRational::new(1.into(), FINEST.into());
        assert_eq!(coarse(fine(17), &window(0, true)), one);
        // The only multiple below is the excluded end, or lies before the window.
        assert_eq!(coarse(fine(17), &window(9, true)), one);
        assert_eq!(coarse(fine(17), &window(9, false)), fine(17));
        assert_eq!(coarse(fine(17), &window(10, true)), fine(17));
        // A fraction with a small denominator is left unchanged.
        let third = BigRational::new(1.into(), 3.into());
        assert_eq!(coarse(third.clone(), &window(0, true)), third);
    }
}
