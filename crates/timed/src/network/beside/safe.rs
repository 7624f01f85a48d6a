//! Networks whose labels have a meaning whatever the values of variables: no value leaves a range, no index an array, nothing is
//! divided by 0. Then a run need not be looked at to know that it ends in no fault.

use crate::model::{BinaryOp, UnaryOp};
use crate::network::{Cell, Condition, Edge, Expr, Network, Place, Root, Select, Step};

/// The least and the greatest value that an expression may have.
#[derive(Clone, Copy, Debug)]
struct Interval {
    low: i64,
    high: i64,
}

/// Values beyond this count as a fault: sums and products of smaller ones fit in 64 bits, and bounds of clocks in a zone.
const LARGEST: i64 = i32::MAX as i64;

/// The places from which values of expressions come.
struct Values<'n> {
    network: &'n Network,
    selects: &'n [Select],
}

/// Whether no step from any state of `network` has a fault, reached or not, as far as the text tells: what is not understood may
/// have one.
pub(super) fn cannot_fail(network: &Network) -> bool {
    let processes = &network.processes;
    is_plain(network)
        && processes.iter().flat_map(|process| &process.locations).all(|location| {
            let values = Values { network, selects: &[] };
            location.frame == 0 && is_conjunction(&location.invariant) && values.condition(&location.invariant)
        })
        && processes
            .iter()
            .flat_map(|process| &process.edges)
            .all(|edge| is_safe(network, edge))
}

/// Whether nothing in `network` is refused in states that have it.
pub(super) fn is_plain(network: &Network) -> bool {
    network.vectors.is_empty()
        && network.variables.iter().all(|variable| !variable.meta)
        && !network.has_timed_urgency()
}

fn is_safe(network: &Network, edge: &Edge) -> bool {
    let values = Values {
        network,
        selects: &edge.selects,
    };
    // Cells behind those of the select variables belong to quantifiers, which are not understood here.
    edge.frame as usize == edge.selects.len()
        && is_conjunction(&edge.guard)
        && values.condition(&edge.guard)
        && edge.sync.iter().all(|sync| values.steps(&sync.channel.steps))
        && edge.updates.iter().all(|update| values.of(update).is_some())
}

/// Whether the condition has one case at most.
fn is_conjunction(condition: &Condition) -> bool {
    match condition {
        Condition::Data(_) | Condition::Atom(..) => true,
        Condition::And(parts) => parts.iter().all(is_conjunction),
        _ => false,
    }
}

impl Values<'_> {
    fn condition(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Data(expr) => self.of(expr).is_some(),
            Condition::Atom(left, None, _, bound) => self.steps(&left.steps) && self.of(bound).is_some(),
            Condition::And(parts) => parts.iter().all(|part| self.condition(part)),
            _ => false,
        }
    }

    /// Whether all indices are in their arrays.
    fn steps(&self, steps: &[Step]) -> bool {
        steps.iter().all(|step| {
            let index = self.of(&step.index);
            let (low, len) = (i64::from(step.low), i64::from(step.len));
            index.is_some_and(|index| index.low >= low && index.high < low + len)
        })
    }

    /// The values that `expr` may have; `None` if it may have a fault.
    fn of(&self, expr: &Expr) -> Option<Interval> {
        let values = match expr {
            Expr::Const(value) => Interval {
                low: *value,
                high: *value,
            },
            Expr::Load(place) => self.load(place)?,
            Expr::Unary(op, part) => unary(*op, self.of(part)?),
            Expr::Binary(op, left, right) => binary(*op, self.of(left)?, self.of(right)?)?,
            Expr::Cond(test, then, other) => {
                self.of(test)?;
                let (then, other) = (self.of(then)?, self.of(other)?);
                then.hull(other)
            }
            Expr::Assign(place, None, value, cell) => {
                let value = self.of(value)?;
                self.steps(&place.steps).then(|| value.stored(cell))??
            }
            Expr::Assign(place, Some(op), value, cell) => {
                binary(*op, self.load(place)?, self.of(value)?)?.stored(cell)?
            }
            Expr::Reset(clock, value) => {
                let value = self.of(value)?;
                (self.steps(&clock.steps) && value.low >= 0).then_some(value)?
            }
            Expr::Increment(place, by, _, cell) => {
                let old = self.load(place)?;
                let new = Interval {
                    low: old.low.saturating_add(*by),
                    high: old.high.saturating_add(*by),
                };
                old.hull(new.stored(cell)?)
            }
            Expr::Abs(_) | Expr::Copy(..) | Expr::Same(..) | Expr::Call(..) | Expr::Quantified(..) => return None,
        };
        let is_small = values.low >= -LARGEST && values.high <= LARGEST;
        is_small.then_some(values)
    }

    /// The values that may be read at `place`.
    fn load(&self, place: &Place) -> Option<Interval> {
        if !self.steps(&place.steps) {
            return None;
        }
        let first = place.offset as usize;
        let behind: usize = place
            .steps
            .iter()
            .map(|step| (step.len as usize - 1) * step.stride as usize)
            .sum();
        let cells = |root: u32| root as usize + first..root as usize + first + behind + 1;
        let values: Vec<Interval> = match place.root {
            Root::Variable(root) => {
                let variables = self.network.variables.get(cells(root))?.iter();
                variables
                    .map(|variable| Interval::of(variable.low, variable.high))
                    .collect()
            }
            Root::Constant(root) => {
                let constants = self.network.constants.get(cells(root))?.iter();
                constants.map(|value| Interval::of(*value, *value)).collect()
            }
            Root::Frame(root) => {
                let selects = self.selects.get(cells(root))?.iter();
                selects.map(|select| Interval::of(select.low, select.high)).collect()
            }
            Root::Pointer(_) => return None,
        };
        values.into_iter().reduce(Interval::hull)
    }
}

impl Interval {
    /// Both truth values.
    const TRUTH: Self = Self { low: 0, high: 1 };

    fn of(low: i32, high: i32) -> Self {
        Self {
            low: low.into(),
            high: high.into(),
        }
    }

    fn hull(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// The content of the cell after one of the values was stored; `None` if one of them cannot be stored.
    fn stored(self, cell: &Cell) -> Option<Self> {
        if cell.boolean {
            return Some(Self::TRUTH);
        }
        (self.low >= cell.low.into() && self.high <= cell.high.into()).then_some(self)
    }
}

fn unary(op: UnaryOp, Interval { low, high }: Interval) -> Interval {
    match op {
        UnaryOp::Neg => Interval { low: -high, high: -low },
        UnaryOp::Not | UnaryOp::Truth => Interval::TRUTH,
        UnaryOp::Plus(number) => Interval {
            low: low.saturating_add(number),
            high: high.saturating_add(number),
        },
        UnaryOp::Times(number) => {
            let ends = [low, high].map(|end| end.saturating_mul(number));
            Interval {
                low: ends[0].min(ends[1]),
                high: ends[0].max(ends[1]),
            }
        }
    }
}

/// The values of the operation; `None` if it may have a fault, or is not understood.
fn binary(op: BinaryOp, left: Interval, right: Interval) -> Option<Interval> {
    let corners = |op: fn(i64, i64) -> i64| {
        let of = |a| [op(a, right.low), op(a, right.high)];
        let values = [of(left.low), of(left.high)].concat();
        let low = values.iter().copied().min()?;
        let high = values.iter().copied().max()?;
        Some(Interval { low, high })
    };
    match op {
        BinaryOp::Add => corners(|a, b| a + b),
        BinaryOp::Sub => corners(|a, b| a - b),
        BinaryOp::Mul => corners(|a, b| a * b),
        BinaryOp::Min => corners(i64::min),
        BinaryOp::Max => corners(i64::max),
        // The rest has the sign of the left side, and is nearer to 0 than the right side.
        BinaryOp::Rem if right.low > 0 => Some(Interval {
            low: left.low.min(0).max(1 - right.high),
            high: left.high.max(0).min(right.high - 1),
        }),
        BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Ge
        | BinaryOp::Gt
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Imply => Some(Interval::TRUTH),
        BinaryOp::Div
        | BinaryOp::Pow
        | BinaryOp::Rem
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::Shl
        | BinaryOp::Shr => None,
    }
}
