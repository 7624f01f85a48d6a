//! The reaction of a node to an output.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed as _, Zero as _};

use super::window::DelayWindow;
use crate::test_case::{Expected, Jump, Next, Node, TestVerdict};

/// A reaction, and the delay at which the output is taken to have happened.
pub(super) struct Reaction<'t> {
    /// `None` for the node's verdict on every other output.
    pub jump: Option<&'t Jump>,
    pub after: BigRational,
    /// Whether the observed moment was allowed as well, but had another reaction.
    pub is_bent: bool,
}

/// The reaction of `node`, entered at `point`, to `action` after a delay of `after`. A reaction gives way to the nearest better one
/// within `tolerance`, as the output may have been made then: one that does not fail, and one that stays on the path. `after` is
/// negative if, within the tolerance, the output came before the node was entered.
pub(super) fn reaction<'t>(
    node: &'t Node,
    point: &[BigRational],
    action: &str,
    after: &BigRational,
    tolerance: &BigRational,
) -> Reaction<'t> {
    let moments = match tolerance.is_zero() {
        true => vec![after.clone()],
        false => moments(node, point, action, after, tolerance),
    };
    let mut best: Option<(Rank, Reaction<'t>)> = None;
    for after in moments {
        let jump = jump_at(node, point, action, &after);
        let rank = rank(node, jump);
        let nearest = best.as_ref().map(|(known, _)| *known);
        if nearest.is_none_or(|known| rank < known) {
            let is_bent = nearest == Some(Rank::Allowed);
            best = Some((rank, Reaction { jump, after, is_bent }));
        }
    }
    let exact = Reaction {
        jump: None,
        after: after.clone(),
        is_bent: false,
    };
    best.map_or(exact, |(_, reaction)| reaction)
}

/// The rank of a reaction, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    OnPath,
    Allowed,
    Fails,
}

fn rank(node: &Node, jump: Option<&Jump>) -> Rank {
    match jump.map_or(Next::Verdict(node.otherwise), |jump| jump.next) {
        Next::Verdict(TestVerdict::Fail) => Rank::Fails,
        Next::Node(_) | Next::Verdict(TestVerdict::Pass) => Rank::OnPath,
        Next::Verdict(TestVerdict::Inconclusive) => Rank::Allowed,
    }
}

fn expected<'t>(node: &'t Node, action: &str) -> impl Iterator<Item = &'t Expected> {
    node.outputs.iter().filter(move |expected| expected.action == action)
}

fn jump_at<'t>(node: &'t Node, point: &[BigRational], action: &str, after: &BigRational) -> Option<&'t Jump> {
    let then: Vec<BigRational> = point.iter().map(|clock| clock + after).collect();
    let mut fitting = expected(node, action).filter(|expected| expected.jump.when.iter().all(|atom| atom.holds(&then)));
    fitting.next().map(|expected| &expected.jump)
}

/// Moments within the tolerance, nearest first, that cover all reactions within it: the ends of all windows, and one moment between
/// each two of them.
fn moments(
    node: &Node,
    point: &[BigRational],
    action: &str,
    after: &BigRational,
    tolerance: &BigRational,
) -> Vec<BigRational> {
    let zero = BigRational::zero();
    let (low, high) = ((after - tolerance).max(zero), after + tolerance);
    let windows = expected(node, action).filter_map(|expected| DelayWindow::of(&expected.jump.when, point));
    let ends = windows.flat_map(|window| window.ends().cloned().collect::<Vec<_>>());
    let mut moments: Vec<BigRational> = ends.filter(|end| low <= *end && *end <= high).collect();
    moments.extend([low.clone(), after.clone().max(low), high]);
    moments.sort();
    moments.dedup();
    let two = BigRational::from(BigInt::from(2));
    let between: Vec<BigRational> = moments.windows(2).map(|pair| (&pair[0] + &pair[1]) / &two).collect();
    moments.extend(between);
    moments.sort_by_key(|moment| (moment - after).abs());
    moments
}
