//! Simplification of a test: removes rules, outputs and nodes that cannot be reached, constraints that hold anyway, and clocks that
//! always have the value of another one.
//!
//! Reachability is computed against a system that may do anything at any time, so the simplified test behaves like the original one
//! with every system.

use num_rational::BigRational;
use num_traits::Zero as _;

use super::reached::{Domains, ReachedPoints};
use crate::error::SuiteFailure;
use crate::execution::compiled::{CompiledTest, atoms};
use crate::strategy::pruned;
use crate::{Act, Condition, Constraint, Jump, Node, Rule, Style, TestCase};
use tamper_game::symbolic::{Atom, zone_ops};
use tamper_zones::{Clock, Dbm, Variable};

/// The simplified test.
///
/// # Errors
/// Bounds too fine to be compared exactly.
pub(crate) fn simplified(mut test: TestCase) -> Result<TestCase, SuiteFailure> {
    merge_clocks(&mut test);
    let compiled = CompiledTest::in_own_unit(&test)?;
    leave_out_the_impossible(&mut test.nodes, compiled.n_clocks, compiled.scale);
    let compiled = CompiledTest::in_own_unit(&test)?;
    let reached = reached(&test, &compiled);
    let mut used = std::collections::BTreeSet::new();
    for (at, (node, found)) in test.nodes.iter_mut().zip(&reached.nodes).enumerate() {
        for (index, rule) in node.rules.iter_mut().enumerate() {
            let domains = &found.rules[index];
            if domains.is_reached {
                used.insert((at, index));
            }
            shorten(&mut rule.from, &Vec::new(), &domains.before, compiled.scale);
            // The times of a blind test keep their form.
            if test.style != Style::Blind {
                shorten(&mut rule.when, &Vec::new(), &domains.later, compiled.scale);
            }
            if let Act::Input { then, .. } = &mut rule.act {
                for jump in then {
                    shorten(&mut jump.when, &rule.when, &domains.later, compiled.scale);
                }
            }
        }
        let mut outputs = found.outputs.iter();
        node.outputs
            .retain(|_| outputs.next().is_some_and(|domains| domains.is_reached));
        let outputs = found.outputs.iter().filter(|domains| domains.is_reached);
        for (expected, domains) in node.outputs.iter_mut().zip(outputs) {
            shorten(&mut expected.jump.when, &Vec::new(), &domains.before, compiled.scale);
        }
    }
    test.nodes = pruned(std::mem::take(&mut test.nodes), &used);
    merge_clocks(&mut test);
    drop_clocks(&mut test);
    Ok(test)
}

/// Removes jumps whose condition the rule excludes, and rules before a more general rule with the same act at the same times.
fn leave_out_the_impossible(nodes: &mut [Node], n_clocks: usize, scale: i64) {
    let is_possible = |atoms: &[Atom]| zone_ops::restricted(&Dbm::universe(n_clocks + 1), atoms).is_some();
    for node in nodes {
        for rule in &mut node.rules {
            let Rule { when, act, .. } = rule;
            if let Act::Input { then, .. } = act {
                then.retain(|jump| {
                    let both: Condition = when.iter().chain(&jump.when).cloned().collect();
                    atoms(&both, scale).is_none_or(|both| is_possible(&both))
                });
            }
        }
        let is_said_next =
            |[rule, next]: &[Rule; 2]| next.from.is_empty() && (&rule.when, &rule.act) == (&next.when, &next.act);
        let mut is_kept = node
            .rules
            .array_windows()
            .map(|pair| !is_said_next(pair))
            .collect::<Vec<_>>();
        is_kept.push(true);
        let mut is_kept = is_kept.into_iter();
        node.rules.retain(|_| is_kept.next().unwrap_or(true));
    }
}

/// Maximum number of entries of nodes that are examined.
const MOST_ENTRIES: usize = 5_000;

/// The reached points of the test; nothing is known for a test with a loop.
fn reached(test: &TestCase, compiled: &CompiledTest) -> ReachedPoints {
    let within = || ReachedPoints::within(compiled, MOST_ENTRIES);
    let whole = (!test.has_loop()).then(within).flatten();
    whole.unwrap_or_else(|| ReachedPoints::unknown(compiled))
}

/// The test with its conditions on the clocks from `first` on expressed by earlier clocks, in the nodes in which the two clocks
/// have a constant difference.
///
/// # Errors
/// Bounds too fine to be compared exactly.
pub(crate) fn retold(mut test: TestCase, first: usize) -> Result<TestCase, SuiteFailure> {
    let compiled = CompiledTest::in_own_unit(&test)?;
    let reached = reached(&test, &compiled);
    for (node, found) in test.nodes.iter_mut().zip(&reached.nodes) {
        let n_clocks = test.clocks.len();
        let known: Vec<_> = (first..n_clocks)
            .map(|clock| {
                (0..first).find_map(|other| Some((other, difference(&found.entries, clock, other, compiled.scale)?)))
            })
            .collect();
        let retell = |condition: &mut Condition| {
            for constraint in condition {
                if constraint.right.is_none()
                    && let Some(Some((other, more))) = constraint.left.checked_sub(first).map(|clock| &known[clock])
                {
                    constraint.left = *other;
                    constraint.bound -= more;
                }
            }
            true
        };
        change_conditions(std::slice::from_mut(node), &retell);
    }
    Ok(test)
}

/// The value of `clock - other` if it is the same number at all these points, else `None`.
fn difference(entries: &[Dbm], clock: usize, other: usize, scale: i64) -> Option<BigRational> {
    let place = |clock: usize| Clock::from(Variable::new(clock));
    let of_zone = |zone: &Dbm| {
        let (most, least) = (
            zone.bound(place(clock), place(other)),
            zone.bound(place(other), place(clock)),
        );
        let is_one = !most.is_infinite() && !least.is_infinite() && most.constant() == -least.constant();
        is_one.then(|| most.constant())
    };
    let first = of_zone(entries.first()?)?;
    let is_one = entries.iter().all(|zone| of_zone(zone) == Some(first));
    is_one.then(|| BigRational::new(first.into(), scale.into()))
}

/// Removes constraints that follow from the others, and from `given`, at all points at which the condition is evaluated;
/// differences are removed first.
fn shorten(condition: &mut Condition, given: &Condition, domain: &Domains, scale: i64) {
    let mut order: Vec<Constraint> = condition.clone();
    order.sort_by_key(|constraint| constraint.right.is_none());
    for constraint in order {
        let others: Condition = condition
            .iter()
            .filter(|other| **other != constraint)
            .cloned()
            .collect();
        let known = others.iter().chain(given).cloned().collect();
        let follows = atoms(&known, scale).zip(atoms(&vec![constraint], scale));
        if follows.is_some_and(|(others, constraint)| domain.implies(&others, &constraint)) {
            *condition = others;
        }
    }
}

fn jumps(nodes: &mut [Node]) -> impl Iterator<Item = &mut Jump> {
    nodes.iter_mut().flat_map(|node| {
        let inputs = node.rules.iter_mut().flat_map(|rule| match &mut rule.act {
            Act::Input { then, .. } => then.iter_mut(),
            Act::Stop(_) => [].iter_mut(),
        });
        inputs.chain(node.outputs.iter_mut().map(|expected| &mut expected.jump))
    })
}

/// Applies `change` to every condition. Rules, outputs and jumps whose condition becomes false are removed.
fn change_conditions(nodes: &mut [Node], change: &impl Fn(&mut Condition) -> bool) {
    for node in nodes {
        node.outputs.retain_mut(|expected| change(&mut expected.jump.when));
        node.rules
            .retain_mut(|rule| change(&mut rule.from) && change(&mut rule.when));
        for rule in &mut node.rules {
            if let Act::Input { then, .. } = &mut rule.act {
                then.retain_mut(|jump| change(&mut jump.when));
            }
        }
    }
}

/// Merges clocks that every jump sets alike, as they have one value: the first one replaces the others.
fn merge_clocks(test: &mut TestCase) {
    let resets: Vec<_> = jumps(&mut test.nodes)
        .filter(|jump| matches!(jump.next, crate::Next::Node(_)))
        .map(|jump| jump.resets.clone())
        .collect();
    let value = |resets: &[(usize, i64)], clock: usize| {
        let found = resets.iter().rev().find(|(reset, _)| *reset == clock);
        found.map(|(_, value)| *value)
    };
    let alike = |a: usize, b: usize| resets.iter().all(|resets| value(resets, a) == value(resets, b));
    let first: Vec<usize> = (0..test.clocks.len())
        .map(|clock| (0..clock).find(|other| alike(*other, clock)).unwrap_or(clock))
        .collect();
    let change = |condition: &mut Condition| {
        let mut holds = true;
        condition.retain_mut(|constraint| {
            constraint.left = first[constraint.left];
            constraint.right = constraint.right.map(|right| first[right]);
            let zero = BigRational::zero();
            let is_same = constraint.right == Some(constraint.left);
            if is_same {
                let left = Constraint {
                    left: 0,
                    right: None,
                    ..constraint.clone()
                };
                holds &= left.holds(&[zero]);
            }
            !is_same
        });
        let mut known: Condition = Vec::new();
        condition.retain(|constraint| {
            let is_new = !known.contains(constraint);
            known.push(constraint.clone());
            is_new
        });
        holds
    };
    change_conditions(&mut test.nodes, &change);
    for jump in jumps(&mut test.nodes) {
        jump.resets.retain(|(clock, _)| first[*clock] == *clock);
    }
}

/// Removes clocks that no condition compares; one is kept.
fn drop_clocks(test: &mut TestCase) {
    let mut is_used = vec![false; test.clocks.len()];
    for constraint in test.conditions().flatten() {
        is_used[constraint.left] = true;
        if let Some(right) = constraint.right {
            is_used[right] = true;
        }
    }
    if !is_used.contains(&true) {
        is_used[0] = true;
    }
    let place = |clock: usize| is_used[..clock].iter().filter(|used| **used).count();
    let change = |condition: &mut Condition| {
        for constraint in condition {
            constraint.left = place(constraint.left);
            constraint.right = constraint.right.map(place);
        }
        true
    };
    change_conditions(&mut test.nodes, &change);
    for jump in jumps(&mut test.nodes) {
        jump.resets.retain(|(clock, _)| is_used[*clock]);
        for (clock, _) in &mut jump.resets {
            *clock = place(*clock);
        }
    }
    let mut used = is_used.iter();
    test.clocks.retain(|_| used.next() == Some(&true));
}
