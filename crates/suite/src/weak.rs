//! Weak killing (\[002\]): a run of the test brings the mutant into another state than the specification, whether or not that is
//! ever seen. Killing proper is *strong*: the difference is observed.
//!
//! A state is a location with the values of integers and clocks. Both games are led through the test together, by joint moves at
//! the same times, so that their observations are the same. After each step, including the last one, their states are compared.
//! While time passes, differences of clocks do not change. A failure is a difference as well.

use std::rc::Rc;

use super::error::SuiteFailure;
use super::pairing::{JointMove, Pair, Pairing};
use super::view::{View, ViewMove};
use super::{Next, TestVerdict};
use crate::execution::compiled::{CompiledAct, CompiledJump, CompiledNode, CompiledRule, CompiledTest};
use crate::execution::execute::execute_in;
use crate::execution::opponent::{Opponent, execute};
use crate::execution::single::{RunObserver, Single, SingleSystem};
use crate::execution::subject::{Subject, is_output, scaled_atoms};
use tamper_game::symbolic::{Arena, INITIAL, Move, NodeId, PairProduct as _, zone_ops};
use tamper_text::Budget;
use tamper_zones::{Bound, Clock, Dbm, Variable};

/// Whether `test` kills `mutant` weakly.
///
/// # Errors
/// If a constant becomes too large in the test's unit, and the budget.
pub fn kills_weakly(
    test: &CompiledTest,
    spec: &Subject,
    mutant: &Subject,
    budget: &Budget,
) -> Result<bool, SuiteFailure> {
    if execute(test, &Opponent::new(mutant, test)?, budget)?.can_fail() {
        return Ok(true);
    }
    let scaled = |subject: &Subject| -> Result<Subject, SuiteFailure> {
        let arena = subject.arena.scaled(test.scale).ok_or(SuiteFailure::ConstantTooLarge)?;
        Ok(Subject {
            arena,
            ..subject.clone()
        })
    };
    let (spec, mutant) = (scaled(spec)?, scaled(mutant)?);
    let both = GamePair {
        pairing: Pairing::new(&spec, &mutant),
        locations: (&spec.locations, &mutant.locations),
        clocks: same_clocks(&spec, &mutant, test.n_clocks),
        stalled: mutant.stalled,
        n_test_clocks: test.n_clocks,
    };
    let mut watched = Single {
        stage: &both,
        watch: StateDifference {
            both: &both,
            is_met: false,
        },
    };
    execute_in(
        &until_after_the_last_step(test, &spec),
        &mut watched,
        budget,
        &mut |_, _| (),
    )?;
    Ok(watched.watch.is_met)
}

/// The test with a further node behind each step that ends it, in which the test ends at once: so the last step is made, and the
/// state after it is compared.
fn until_after_the_last_step(test: &CompiledTest, spec: &Subject) -> CompiledTest {
    let end = test.nodes.len();
    let to_end = || CompiledJump {
        when: Vec::new(),
        resets: Vec::new(),
        next: Next::Node(end),
    };
    let lengthened = |jump: &CompiledJump| match jump.next {
        Next::Node(_) => jump.clone(),
        Next::Verdict(_) => CompiledJump {
            next: Next::Node(end),
            ..jump.clone()
        },
    };
    let rule = |rule: &CompiledRule| CompiledRule {
        act: match &rule.act {
            CompiledAct::Stop(verdict) => CompiledAct::Stop(*verdict),
            CompiledAct::Input(action, then) => {
                CompiledAct::Input(action.clone(), then.iter().map(lengthened).chain([to_end()]).collect())
            }
        },
        ..rule.clone()
    };
    let node = |node: &CompiledNode| {
        let expected = node
            .outputs
            .iter()
            .map(|(action, jump)| (action.clone(), lengthened(jump)));
        let others = spec.labels.iter().map(|action| (action.clone(), to_end()));
        CompiledNode {
            rules: node.rules.iter().map(rule).collect(),
            outputs: expected.chain(others).collect(),
            otherwise: node.otherwise,
        }
    };
    let over = CompiledNode {
        rules: vec![CompiledRule {
            from: Vec::new(),
            when: Vec::new(),
            act: CompiledAct::Stop(TestVerdict::Inconclusive),
        }],
        outputs: Vec::new(),
        otherwise: TestVerdict::Inconclusive,
    };
    CompiledTest {
        nodes: test.nodes.iter().map(node).chain([over]).collect(),
        ..test.clone()
    }
}

/// The pairs of clocks with the same name in both games, in a zone behind `n_test` clocks of a test.
fn same_clocks(spec: &Subject, mutant: &Subject, n_test: usize) -> Vec<(Clock, Clock)> {
    let at = |position: usize| Clock::from(Variable::new(position));
    let of_mutant = |name: &String| mutant.clocks.iter().position(|other| other == name);
    let pairs = spec.clocks.iter().enumerate();
    pairs
        .filter_map(|(position, name)| {
            let other = of_mutant(name)?;
            Some((at(n_test + position), at(n_test + spec.clocks.len() + other)))
        })
        .collect()
}

/// The two games, with their clocks behind the test's clocks.
struct GamePair<'a> {
    pairing: Pairing<'a>,
    /// The names of the locations of both.
    locations: (&'a [String], &'a [String]),
    /// The pairs of clocks with the same name in both.
    clocks: Vec<(Clock, Clock)>,
    /// The node for inputs in the middle of an atomic step, which is no state of the mutant; nothing is said of runs that reach it.
    stalled: Option<NodeId>,
    n_test_clocks: usize,
}

impl GamePair<'_> {
    /// Whether the two games are in different locations, or have different integers or, somewhere in `entry`, different clocks.
    fn differs(&self, pair: Pair, entry: &Dbm) -> bool {
        let spec = Self::state(self.pairing.spec, pair.0, self.locations.0);
        let mutant = Self::state(&self.pairing.mutant, pair.1, self.locations.1);
        let may_exceed = |left: Clock, right: Clock| entry.bound(left, right) > Bound::le(0);
        let mut clocks = self.clocks.iter();
        spec != mutant || clocks.any(|(spec, mutant)| may_exceed(*spec, *mutant) || may_exceed(*mutant, *spec))
    }

    fn state(arena: &Arena, node: NodeId, names: &[String]) -> (String, Vec<i32>) {
        let location = tamper_text::Id::index(arena.node(node).location);
        (names[location].clone(), arena.values_of(node).to_vec())
    }

    fn resets<'r>(&'r self, arena: &'r Arena, step: &Move) -> impl Iterator<Item = (Variable, i64)> + 'r {
        let resets = arena.resets_of(step).iter();
        resets.map(|(clock, value)| (Variable::new(clock.index() - 1 + self.n_test_clocks), *value))
    }

    fn joint_move(&self, joint: JointMove<'_>) -> ViewMove<Pair> {
        let placed = |atoms: &[tamper_game::symbolic::Atom]| scaled_atoms(atoms, 1, self.n_test_clocks);
        let enabled = self.pairing.enabled(joint);
        let enabled = enabled
            .zones()
            .iter()
            .map(|zone| placed(&zone_ops::atoms_of_zone(zone)));
        let spec = self.resets(self.pairing.spec, joint.spec);
        ViewMove {
            label: self.pairing.spec_labels[joint.spec.action].clone(),
            is_output: is_output(joint.spec),
            enabled: enabled.collect(),
            resets: spec.chain(self.resets(&self.pairing.mutant, joint.mutant)).collect(),
            target: Pairing::target(joint),
        }
    }
}

impl SingleSystem for GamePair<'_> {
    type Place = Pair;
    fn n_clocks(&self) -> usize {
        self.pairing.dim() - 1
    }
    fn start(&self) -> Pair {
        (INITIAL, INITIAL)
    }
    fn view(&self, pair: &Pair) -> Rc<View<Pair>> {
        let pairing = &self.pairing;
        let placed = |atoms: &[tamper_game::symbolic::Atom]| scaled_atoms(atoms, 1, self.n_test_clocks);
        let is_state = |joint: &JointMove<'_>| Some(joint.mutant.target) != self.stalled;
        let joints = pairing.joints(*pair).into_iter().filter(is_state);
        Rc::new(View {
            urgent: pairing.may_delay(*pair) != (true, true),
            invariant: pairing
                .both_alive(*pair)
                .map(|zone| placed(&zone_ops::atoms_of_zone(&zone)))
                .unwrap_or_default(),
            only_outputs: false,
            moves: joints.map(|joint| self.joint_move(joint)).collect(),
        })
    }
}

/// Watches whether some run brings the two games into different states.
struct StateDifference<'a> {
    both: &'a GamePair<'a>,
    is_met: bool,
}

impl RunObserver<Pair> for StateDifference<'_> {
    fn comes_to(&mut self, pair: &Pair, entry: &Dbm) {
        self.is_met |= self.both.differs(*pair, entry);
    }
    fn is_settled(&self) -> bool {
        self.is_met
    }
}
