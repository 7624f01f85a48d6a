//! A game that makes its choices at random, with exact numbers: no zones are explored.

use num_rational::BigRational;
use num_traits::{One as _, Zero as _};

use crate::execution::opponent::Opponent;
use crate::execution::single::SingleSystem;
use crate::sut::{Observed, Sut};
use crate::view::{View, ViewMove};
use tamper_features::Random;
use tamper_game::symbolic::timing::{self, Delays};
use tamper_game::symbolic::{INITIAL, NodeId};

/// Number of parts of a time unit: drawn delays are multiples of one part where the window has one. Otherwise the numbers of a long
/// play would grow with every step.
const FINEST: u64 = 1 << 32;

/// Maximum number of hidden steps without an output: a game that makes more never comes to rest.
const MOST_HIDDEN: usize = 1_000;

/// Time is stopped, and the game does nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stalled;

/// A move, and the delays at which it can come.
pub(super) type TimedMove<'v> = (&'v ViewMove<NodeId>, Delays);

/// A game in one of its states, behind the clocks of a test if it has any. As a [`Sut`] it is a program that behaves as the game.
pub struct RandomGame<'a> {
    pub(super) opponent: &'a Opponent,
    pub(super) random: &'a mut Random,
    pub(super) point: Vec<BigRational>,
    pub(super) place: NodeId,
}

impl<'a> RandomGame<'a> {
    /// The game in its initial state, behind `n_test_clocks` other clocks.
    pub(super) fn behind(n_test_clocks: usize, opponent: &'a Opponent, random: &'a mut Random) -> Self {
        Self {
            point: vec![BigRational::zero(); n_test_clocks + opponent.n_clocks()],
            place: INITIAL,
            opponent,
            random,
        }
    }

    /// The game in its initial state, which makes its choices by `random`.
    pub fn new(opponent: &'a Opponent, random: &'a mut Random) -> Self {
        Self::behind(0, opponent, random)
    }

    /// The delays for which it can be silent.
    pub(super) fn stays(&self, view: &View<NodeId>) -> Delays {
        if view.urgent {
            return until(&BigRational::zero());
        }
        timing::delays_into(&self.point, &view.invariant).expect("an entered state exists")
    }

    /// The outputs and hidden steps that can come up to `latest`.
    pub(super) fn candidates<'v>(
        &self,
        view: &'v View<NodeId>,
        stays: &Delays,
        latest: &BigRational,
    ) -> Vec<TimedMove<'v>> {
        let outputs = view.moves.iter().filter(|step| step.is_output);
        let windows = outputs.flat_map(|step| step.enabled.iter().map(move |enabled| (step, enabled)));
        let window = |(step, enabled): (&'v ViewMove<NodeId>, &Vec<_>)| {
            let delays = timing::delays_into(&self.point, enabled)?;
            Some((step, delays.within(stays)?.within(&until(latest))?))
        };
        windows.filter_map(window).collect()
    }

    /// The moves by which it takes `input`, as `name?`, now.
    pub(super) fn answers<'v>(&self, view: &'v View<NodeId>, input: &str) -> Vec<&'v ViewMove<NodeId>> {
        let accepts = |step: &&ViewMove<NodeId>| {
            let enabled = |atoms: &Vec<_>| timing::holds(&self.point, atoms);
            !step.is_output && step.label == *input && step.enabled.iter().any(enabled)
        };
        view.moves.iter().filter(accepts).collect()
    }

    pub(super) fn pass_time(&mut self, delay: &BigRational) {
        self.point = timing::delayed(&self.point, delay);
    }

    pub(super) fn make(&mut self, step: &ViewMove<NodeId>) {
        timing::set(&mut self.point, &step.resets);
        self.place = step.target;
    }

    /// A delay in the window: an end of it, or a number in between with a small denominator.
    pub(super) fn draw(&mut self, window: &Delays) -> BigRational {
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

impl Sut for RandomGame<'_> {
    type Error = Stalled;

    fn reset(&mut self) -> Result<(), Stalled> {
        self.point.fill(BigRational::zero());
        self.place = INITIAL;
        Ok(())
    }

    fn input(&mut self, action: &str) -> Result<bool, Stalled> {
        let view = self.opponent.view(&self.place);
        let answers = self.answers(&view, &format!("{action}?"));
        if answers.is_empty() {
            return Ok(false);
        }
        let step = answers[self.random.below(answers.len())];
        self.make(step);
        Ok(true)
    }

    fn wait(&mut self, at_most: &BigRational) -> Result<Observed, Stalled> {
        let mut left = at_most.clone();
        for _ in 0..MOST_HIDDEN {
            let view = self.opponent.view(&self.place);
            let stays = self.stays(&view);
            let candidates = self.candidates(&view, &stays, &left);
            let can_be_silent = until(&left)
                .within(&stays)
                .is_some_and(|silence| silence.high.as_ref() == Some(&left) && silence.high_in);
            let speaks = !candidates.is_empty() && (!can_be_silent || self.random.below(2) == 0);
            if !speaks {
                self.pass_time(&left);
                return if can_be_silent {
                    Ok(Observed::Silence)
                } else {
                    Err(Stalled)
                };
            }
            let (step, window) = &candidates[self.random.below(candidates.len())];
            let delay = self.draw(window);
            self.pass_time(&delay);
            self.make(step);
            left -= delay;
            if let Some(action) = step.label.strip_suffix('!') {
                let action = action.to_owned();
                return Ok(Observed::Output {
                    action,
                    after: at_most - left,
                });
            }
        }
        Err(Stalled)
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
pub(super) fn until(delay: &BigRational) -> Delays {
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
