//! Compiled tests: bounds are integers over a common denominator, conditions are atoms over matrix indices.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive as _;

use crate::error::SuiteFailure;
use crate::{Act, Condition, Constraint, Jump, Next, TestCase, TestVerdict};
use tamper_game::symbolic::{Atom, zone_ops};
use tamper_timed::model::Cmp;
use tamper_zones::{Bound, Clock, Dbm, Variable};

/// A test that is ready to be executed. Its clocks are the first clocks of every zone.
#[derive(Clone, Debug)]
pub struct CompiledTest {
    /// Number of the test's units of time in one time unit of the model.
    pub(crate) scale: i64,
    pub(crate) n_clocks: usize,
    pub(crate) nodes: Vec<CompiledNode>,
}

#[derive(Clone, Debug)]
pub(crate) struct CompiledNode {
    pub rules: Vec<CompiledRule>,
    pub outputs: Vec<(String, CompiledJump)>,
    pub otherwise: TestVerdict,
}

#[derive(Clone, Debug)]
pub(crate) struct CompiledRule {
    pub from: Vec<Atom>,
    pub when: Vec<Atom>,
    pub act: CompiledAct,
}

#[derive(Clone, Debug)]
pub(crate) enum CompiledAct {
    Input(String, Vec<CompiledJump>),
    Stop(TestVerdict),
}

#[derive(Clone, Debug)]
pub(crate) struct CompiledJump {
    pub when: Vec<Atom>,
    pub resets: Vec<(Variable, i64)>,
    pub next: Next,
}

impl CompiledTest {
    /// The compiled test in units of `1 / scale` of a time unit, where `scale` is a multiple of [`TestCase::scale`].
    ///
    /// # Errors
    /// If a bound is too large.
    pub fn new(test: &TestCase, scale: i64) -> Result<Self, SuiteFailure> {
        Self::of(test, scale).ok_or_else(|| SuiteFailure::TooFine { test: test.id.clone() })
    }

    /// The compiled test in its own unit, `1 / scale` of a time unit with the test's [`TestCase::scale`].
    ///
    /// # Errors
    /// If a bound is too large.
    pub fn in_own_unit(test: &TestCase) -> Result<Self, SuiteFailure> {
        let scale = test.scale().to_i64();
        scale
            .and_then(|scale| Self::of(test, scale))
            .ok_or_else(|| SuiteFailure::TooFine { test: test.id.clone() })
    }

    fn of(test: &TestCase, scale: i64) -> Option<Self> {
        let nodes = test.nodes.iter().map(|node| {
            let rules = node.rules.iter().map(|rule| {
                let act = match &rule.act {
                    Act::Input { action, then } => CompiledAct::Input(action.clone(), jumps(then, scale)?),
                    Act::Stop(verdict) => CompiledAct::Stop(*verdict),
                };
                Some(CompiledRule {
                    from: atoms(&rule.from, scale)?,
                    when: atoms(&rule.when, scale)?,
                    act,
                })
            });
            let outputs = node.outputs.iter();
            let outputs =
                outputs.map(|expected| Some((expected.action.clone(), compiled_jump(&expected.jump, scale)?)));
            Some(CompiledNode {
                rules: rules.collect::<Option<_>>()?,
                outputs: outputs.collect::<Option<_>>()?,
                otherwise: node.otherwise,
            })
        });
        Some(Self {
            scale,
            n_clocks: test.clocks.len(),
            nodes: nodes.collect::<Option<_>>()?,
        })
    }
}

fn jumps(jumps: &[Jump], scale: i64) -> Option<Vec<CompiledJump>> {
    jumps.iter().map(|jump| compiled_jump(jump, scale)).collect()
}

fn compiled_jump(jump: &Jump, scale: i64) -> Option<CompiledJump> {
    let reset = |(clock, value): &(usize, i64)| {
        let value = value.checked_mul(scale).filter(|value| *value <= Bound::LIMIT)?;
        Some((Variable::new(*clock), value))
    };
    Some(CompiledJump {
        when: atoms(&jump.when, scale)?,
        resets: jump.resets.iter().map(reset).collect::<Option<_>>()?,
        next: jump.next,
    })
}

pub(crate) fn atoms(condition: &Condition, scale: i64) -> Option<Vec<Atom>> {
    let mut all = Vec::new();
    for constraint in condition {
        push(constraint, scale, &mut all)?;
    }
    Some(all)
}

fn push(constraint: &Constraint, scale: i64, out: &mut Vec<Atom>) -> Option<()> {
    let scaled = &constraint.bound * BigRational::from_integer(BigInt::from(scale));
    let bound = scaled.is_integer().then(|| scaled.to_integer())?.to_i64()?;
    let left = Clock::from(Variable::new(constraint.left));
    let right = constraint
        .right
        .map_or(Clock::ZERO, |right| Clock::from(Variable::new(right)));
    let upper = |bound| {
        Some(Atom {
            left,
            right,
            bound: bound?,
        })
    };
    let lower = |bound| {
        Some(Atom {
            left: right,
            right: left,
            bound: bound?,
        })
    };
    match constraint.cmp {
        Cmp::Lt => out.push(upper(Bound::try_lt(bound))?),
        Cmp::Le => out.push(upper(Bound::try_le(bound))?),
        Cmp::Ge => out.push(lower(Bound::try_le(-bound))?),
        Cmp::Gt => out.push(lower(Bound::try_lt(-bound))?),
        Cmp::Eq => {
            out.push(upper(Bound::try_le(bound))?);
            out.push(lower(Bound::try_le(-bound))?);
        }
    }
    Some(())
}

/// Removes the points that satisfy `atoms` from `zones`.
pub(crate) fn leave_out(zones: &mut Vec<Dbm>, atoms: &[Atom]) {
    for zone in std::mem::take(zones) {
        zone_ops::subtract(zone, atoms, zones);
    }
}

/// Removes the points that satisfy `atoms` from `zones`; `take` gets the removed part of each zone.
pub(crate) fn take_out(zones: &mut Vec<Dbm>, atoms: &[Atom], mut take: impl FnMut(Dbm)) {
    for zone in std::mem::take(zones) {
        if let Some(part) = zone_ops::restricted(&zone, atoms) {
            take(part);
        }
        zone_ops::subtract(zone, atoms, zones);
    }
}
