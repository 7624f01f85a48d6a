//! Conditions as text: `t == 3/2`, `x - x' <= 5`.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero as _;

use crate::model::Cmp;
use crate::suite::Constraint;

/// In the order in which they are looked for: longer ones before their prefixes.
const SYMBOLS: [Cmp; 5] = [Cmp::Le, Cmp::Ge, Cmp::Eq, Cmp::Lt, Cmp::Gt];

/// The constraint as text.
pub(super) fn text_of(constraint: &Constraint, clocks: &[String]) -> String {
    let left = &clocks[constraint.left];
    let (cmp, bound) = (constraint.cmp.symbol(), &constraint.bound);
    match constraint.right {
        Some(right) => format!("{left} - {} {cmp} {bound}", clocks[right]),
        None => format!("{left} {cmp} {bound}"),
    }
}

/// The constraint that `text` spells; an explanation if it spells none.
pub(super) fn constraint_of(text: &str, clocks: &[String]) -> Result<Constraint, String> {
    let found = SYMBOLS
        .iter()
        .find_map(|cmp| text.split_once(cmp.symbol()).map(|(left, bound)| (*cmp, left, bound)));
    let Some((cmp, left, bound)) = found else {
        return Err(format!("`{text}` is no condition: it compares nothing"));
    };
    let clock = |name: &str| {
        let name = name.trim();
        let position = clocks.iter().position(|clock| clock == name);
        position.ok_or_else(|| format!("`{text}`: the test has no clock `{name}`"))
    };
    let (left, right) = match left.split_once('-') {
        Some((left, right)) => (clock(left)?, Some(clock(right)?)),
        None => (clock(left)?, None),
    };
    let bound = rational_of(bound.trim()).ok_or_else(|| format!("`{text}`: `{}` is no number", bound.trim()))?;
    Ok(Constraint {
        left,
        right,
        cmp,
        bound,
    })
}

/// An integer or a fraction of two.
pub(super) fn rational_of(text: &str) -> Option<BigRational> {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let numerator: BigInt = numerator.trim().parse().ok()?;
    let denominator: BigInt = denominator.trim().parse().ok()?;
    (!denominator.is_zero()).then(|| BigRational::new(numerator, denominator))
}
