//! The test for a word of inputs and delays. It follows the specification along all outputs that the mutant was found to make
//! between the inputs. `suite::completed` decides how long silence may last.
//!
//! The test's clocks are copies of the specification's clocks, `t`, which restarts with each input, and, if the specification lets
//! no time pass somewhere, `u`, which restarts in every node. A node is the number of inputs given, the number of outputs seen
//! since, and the specification's state, so no run comes to a node twice.

use std::collections::BTreeSet;

use num_rational::BigRational;

use crate::execution::subject::{Subject, is_output, push_fresh};
use crate::strategy::condition_in;
use crate::{Act, Constraint, Expected, Jump, Next, Node, Resets, Rule, TestVerdict};
use tamper_game::symbolic::{Arena, INITIAL, Move, NodeId, zone_ops};
use tamper_timed::model::{ActionId, Cmp};
use tamper_zones::{Bound, Clock, Dbm, Variable};

/// Number of parts of a time unit in which delays are searched for: enough for three clocks whose fractions all differ.
pub(super) const PARTS: i64 = 4;

/// An input, and the time after the last input at which it is given, in [`PARTS`] of a time unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct TimedInput {
    pub action: ActionId,
    pub delay: i64,
}

/// The number of outputs since the last input, and the specification's state.
pub(super) type Met = BTreeSet<(usize, NodeId)>;

/// A word of inputs and delays, and the states that its test follows.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputWord<'w> {
    pub steps: &'w [TimedInput],
    /// The outputs since the last input and the specification states met before each input, and after the last one.
    pub met: &'w [Met],
    /// The time for which the test continues after the last input, in [`PARTS`] of a time unit.
    pub patience: i64,
}

/// The clocks and the nodes of the test.
pub(super) fn nodes(word: &InputWord<'_>, spec: &Subject, finer: &Arena) -> (Vec<String>, Vec<Node>) {
    let keys = (0..).zip(word.met);
    let keys = keys.flat_map(|(given, met)| {
        met.iter().map(move |(seen, state)| Key {
            given,
            seen: *seen,
            state: *state,
        })
    });
    let mut keys: Vec<Key> = keys.filter(|key| *key != START).collect();
    keys.insert(0, START);
    let maker = WordTest {
        word,
        spec,
        finer,
        halts: keys.iter().any(|key| finer.node(key.state).urgent),
        keys: &keys,
    };
    let nodes = keys.iter().map(|key| maker.node(*key)).collect();
    (maker.clock_names(), nodes)
}

/// A state of the test.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    /// Number of inputs given so far.
    given: usize,
    /// Number of outputs seen since the last input.
    seen: usize,
    /// The state of the specification.
    state: NodeId,
}

const START: Key = Key {
    given: 0,
    seen: 0,
    state: INITIAL,
};

struct WordTest<'w> {
    word: &'w InputWord<'w>,
    spec: &'w Subject,
    /// The specification in parts of a time unit.
    finer: &'w Arena,
    /// Whether the specification lets no time pass in some of the states.
    halts: bool,
    keys: &'w [Key],
}

impl WordTest<'_> {
    /// The clock that restarts with each input.
    fn t(&self) -> usize {
        self.finer.n_clocks
    }
    /// The clock that restarts in every node.
    fn u(&self) -> Option<usize> {
        self.halts.then_some(self.finer.n_clocks + 1)
    }
    fn dim(&self) -> usize {
        self.finer.n_clocks + 2 + usize::from(self.halts)
    }
    fn clock_names(&self) -> Vec<String> {
        let mut names = self.spec.clocks.clone();
        for name in ["t", "u"].into_iter().take(self.dim() - 1 - names.len()) {
            push_fresh(&mut names, name.to_owned());
        }
        names
    }

    fn node(&self, key: Key) -> Node {
        let Key { given, state, .. } = key;
        let mut rules = match self.word.steps.get(given) {
            Some(step) => self.inputs(key, *step),
            None => Vec::new(),
        };
        let delay = self.word.steps.get(given).map_or(self.word.patience, |step| step.delay);
        // The word is over, or the specification does not accept its input: nothing is known about this run.
        rules.extend(self.acting(self.alive(state), delay, Act::Stop(TestVerdict::Inconclusive)));
        let outputs = self.finer.moves_of(state).iter().filter(|step| is_output(step));
        Node {
            rules,
            outputs: outputs.flat_map(|step| self.expected(key, step)).collect(),
            otherwise: TestVerdict::Fail,
        }
    }

    /// The points of the specification's state, at a time at which the node is entered or that waiting reaches.
    fn alive(&self, state: NodeId) -> Option<Dbm> {
        let invariant = self.finer.atoms_of(self.finer.node(state).invariant);
        let mut alive = zone_ops::restricted(&Dbm::universe(self.dim()), invariant)?;
        match self.u() {
            Some(u) if self.finer.node(state).urgent => {
                let now = alive.constrain(Variable::new(u).into(), Clock::ZERO, Bound::le(0));
                now.then_some(alive)
            }
            _ => Some(alive),
        }
    }

    /// The rule that acts in `zone`, `delay` after the last input, for every entry that can wait for it; `None` if no point fits.
    fn acting(&self, zone: Option<Dbm>, delay: i64, act: Act) -> Option<Rule> {
        let zone = zone?;
        let t = Clock::from(Variable::new(self.t()));
        let mut from = zone.clone();
        let there =
            from.constrain(t, Clock::ZERO, Bound::le(delay)) && from.constrain(Clock::ZERO, t, Bound::le(-delay));
        from.down();
        let now = Constraint::on(self.t(), Cmp::Eq, units(delay));
        there.then(|| Rule {
            from: condition_in(&from, PARTS),
            when: [now].into_iter().chain(condition_in(&zone, PARTS)).collect(),
            act,
        })
    }

    fn inputs(&self, key: Key, step: TimedInput) -> Vec<Rule> {
        let mut rules = Vec::new();
        let Some(alive) = self.alive(key.state) else {
            return rules;
        };
        let moves = self.finer.moves_of(key.state).iter();
        for answer in moves.filter(|answer| !is_output(answer) && answer.action == step.action) {
            let mut resets = self.resets(answer);
            resets.push((self.t(), 0));
            let then = vec![Jump {
                when: Vec::new(),
                resets,
                next: self.next(Key {
                    given: key.given + 1,
                    seen: 0,
                    state: answer.target,
                }),
            }];
            let act = Act::Input {
                action: self.spec.labels[step.action].clone(),
                then,
            };
            for enabled in self.finer.cases(answer.enabled) {
                rules.extend(self.acting(zone_ops::restricted(&alive, enabled), step.delay, act.clone()));
            }
        }
        rules
    }

    fn expected(&self, key: Key, step: &Move) -> Vec<Expected> {
        let Some(alive) = self.alive(key.state) else {
            return Vec::new();
        };
        let cases = self.finer.cases(step.enabled);
        let expected = |zone: Dbm| Expected {
            action: self.spec.labels[step.action].clone(),
            jump: Jump {
                when: condition_in(&zone, PARTS),
                resets: self.resets(step),
                next: self.next(Key {
                    seen: key.seen + 1,
                    state: step.target,
                    ..key
                }),
            },
        };
        cases
            .filter_map(|enabled| zone_ops::restricted(&alive, enabled))
            .map(expected)
            .collect()
    }

    fn next(&self, key: Key) -> Next {
        match self.keys.iter().position(|known| *known == key) {
            Some(at) => Next::Node(at),
            None => Next::Verdict(TestVerdict::Inconclusive),
        }
    }

    /// The resets by a move of the specification, in whole time units.
    fn resets(&self, step: &Move) -> Resets {
        let set = self.finer.resets_of(step).iter();
        let set = set.map(|(clock, value)| (clock.index() - 1, value / PARTS));
        set.chain(self.u().map(|u| (u, 0))).collect()
    }
}

/// Converts a number of [`PARTS`] to time units.
fn units(value: i64) -> BigRational {
    BigRational::new(value.into(), PARTS.into())
}
