//! Random single plays of a test against a game, with exact numbers: no zones are explored.

use num_rational::BigRational;
use num_traits::Zero as _;

use crate::drive::{Event, What};
use crate::execution::compiled::{CompiledAct, CompiledJump, CompiledNode, CompiledTest};
use crate::execution::execute::ExecutionEnd;
use crate::execution::opponent::{Ends, Opponent};
use crate::execution::random_game::{RandomGame, Stalled, TimedMove, until};
use crate::execution::single::SingleSystem;
use crate::view::ViewMove;
use crate::{Next, TestVerdict};
use tamper_features::Random;
use tamper_game::symbolic::NodeId;
use tamper_game::symbolic::timing;

/// Maximum number of steps of a play; every generated test has fewer.
const MOST_STEPS: usize = 10_000;

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
        game: RandomGame::behind(test.n_clocks, opponent, random),
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
            Err(Stalled) => break,
        }
    }
    ends.add(ExecutionEnd::Stalled);
    ends
}

struct SimulatedRun<'a> {
    game: RandomGame<'a>,
    /// The current time, in the test's unit.
    now: BigRational,
    /// The length of the test's unit, in the model's.
    unit: BigRational,
    log: Option<&'a mut Vec<Event>>,
}

impl SimulatedRun<'_> {
    fn step(&mut self, node: &CompiledNode) -> Result<Next, Stalled> {
        let inconclusive = Ok(Next::Verdict(TestVerdict::Inconclusive));
        let chosen = node
            .rules
            .iter()
            .find(|rule| timing::holds(&self.game.point, &rule.from));
        let Some(rule) = chosen else {
            return inconclusive;
        };
        let Some(acts) = timing::delays_into(&self.game.point, &rule.when) else {
            return inconclusive;
        };
        let view = self.game.opponent.view(&self.game.place);
        let stays = self.game.stays(&view);
        let acting = self.game.draw(&acts);
        let candidates = self.game.candidates(&view, &stays, &acting);
        if !candidates.is_empty() && self.game.random.below(2) == 0 {
            return Ok(self.speak(node, &candidates));
        }
        // The game is silent for as long as it can be.
        match until(&acting).within(&stays) {
            Some(silence) if silence.high.as_ref() == Some(&acting) && silence.high_in => self.act(&rule.act, &acting),
            _ => match acts.within(&stays) {
                Some(possible) => {
                    let acting = self.game.draw(&possible);
                    self.act(&rule.act, &acting)
                }
                None if candidates.is_empty() => Err(Stalled),
                None => Ok(self.speak(node, &candidates)),
            },
        }
    }

    fn speak(&mut self, node: &CompiledNode, candidates: &[TimedMove<'_>]) -> Next {
        let (step, window) = &candidates[self.game.random.below(candidates.len())];
        let delay = self.game.draw(window);
        self.pass_time(&delay);
        self.note(|| What::Output(step.label.clone()));
        let known = node.outputs.iter().filter(|(label, _)| *label == step.label);
        let jump = known
            .map(|(_, jump)| jump)
            .find(|jump| timing::holds(&self.game.point, &jump.when));
        match jump {
            Some(jump) => self.go(step, jump),
            None => Next::Verdict(node.otherwise),
        }
    }

    fn act(&mut self, act: &CompiledAct, delay: &BigRational) -> Result<Next, Stalled> {
        self.pass_time(delay);
        let (action, then) = match act {
            CompiledAct::Stop(verdict) => {
                self.note(|| What::Silence);
                return Ok(Next::Verdict(*verdict));
            }
            CompiledAct::Input(action, then) => (action, then),
        };
        self.note(|| What::Input(action.clone()));
        let view = self.game.opponent.view(&self.game.place);
        let answers = self.game.answers(&view, action);
        if answers.is_empty() {
            self.note(|| What::Refused(action.clone()));
            return Ok(Next::Verdict(TestVerdict::Fail));
        }
        let step = answers[self.game.random.below(answers.len())];
        let jump = then.iter().find(|jump| timing::holds(&self.game.point, &jump.when));
        Ok(match jump {
            Some(jump) => self.go(step, jump),
            None => Next::Verdict(TestVerdict::Pass),
        })
    }

    fn go(&mut self, step: &ViewMove<NodeId>, jump: &CompiledJump) -> Next {
        self.game.make(step);
        timing::set(&mut self.game.point, &jump.resets);
        jump.next
    }

    fn pass_time(&mut self, delay: &BigRational) {
        self.game.pass_time(delay);
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
}
