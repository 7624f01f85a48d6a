//! Types: the possible values of a name, flattened to cells.

use std::rc::Rc;

use tamper_text::{Diagnostic, Span};

/// A resolved type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ResolvedType {
    Number(NumericType),
    Clock,
    Channel {
        urgent: bool,
        broadcast: bool,
    },
    Array {
        element: Rc<ResolvedType>,
        low: i32,
        len: u32,
    },
    Struct(Rc<Vec<(String, ResolvedType)>>),
    Void,
}

/// The values of an integer, boolean or scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NumericType {
    pub low: i32,
    pub high: i32,
    pub boolean: bool,
    /// Their set of scalars, if any.
    pub scalar: Option<u32>,
    /// Whether it is written with bounds (true for `bool` and scalars).
    pub bounded: bool,
}

impl NumericType {
    /// UPPAAL's range of an `int` without bounds.
    pub const DEFAULT: Self = Self {
        low: -32768,
        high: 32767,
        boolean: false,
        scalar: None,
        bounded: false,
    };
    /// `bool`.
    pub const BOOL: Self = Self {
        low: 0,
        high: 1,
        boolean: true,
        scalar: None,
        bounded: true,
    };
    /// The range of a constant of this type: all 32-bit numbers for plain `int`.
    pub fn of_constants(self) -> Self {
        match self.bounded {
            true => self,
            false => Self {
                low: i32::MIN,
                high: i32::MAX,
                ..self
            },
        }
    }
    /// The value of a variable without an initial value: 0, or the least value if 0 is outside the range.
    pub fn default_value(self) -> i32 {
        if self.low <= 0 && self.high >= 0 { 0 } else { self.low }
    }
}

impl ResolvedType {
    /// The number of cells or channels that it takes; if it has no other parts than clocks, their number.
    pub fn size(&self) -> u32 {
        match self.n_cells() {
            0 => self.n_clocks(),
            n => n,
        }
    }
    /// The number of cells or channels in it.
    pub fn n_cells(&self) -> u32 {
        self.n_parts(false)
    }
    /// The number of clocks in it.
    pub fn n_clocks(&self) -> u32 {
        self.n_parts(true)
    }
    /// Whether it has clocks and cells.
    pub fn is_mixed(&self) -> bool {
        self.n_clocks() > 0 && self.n_cells() > 0
    }
    /// Whether it has cells only.
    pub fn is_plain(&self) -> bool {
        matches!(self.leaf(), Self::Number(_) | Self::Struct(_)) && self.n_clocks() == 0
    }
    fn n_parts(&self, clocks: bool) -> u32 {
        match self {
            Self::Clock => u32::from(clocks),
            Self::Number(_) | Self::Channel { .. } => u32::from(!clocks),
            Self::Array { element, len, .. } => element.n_parts(clocks) * len,
            Self::Struct(fields) => fields.iter().map(|(_, ty)| ty.n_parts(clocks)).sum(),
            Self::Void => 0,
        }
    }
    /// Subtracts the number of parts of this type, which may be shared and many, from the budget `left`. Returns
    /// `false` if the budget does not suffice, or if types are nested more than `depth` levels.
    pub fn spend(&self, left: &mut u64, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let before = *left;
        match self {
            Self::Array { element, len, .. } => {
                element.spend(left, depth) && {
                    let more = (before - *left).saturating_mul(u64::from(*len).saturating_sub(1));
                    spend(left, more)
                }
            }
            Self::Struct(fields) => spend(left, 1) && fields.iter().all(|(_, ty)| ty.spend(left, depth)),
            _ => spend(left, 1),
        }
    }
    /// Whether its values are booleans, and their set of scalars, if any.
    pub fn flavour(&self) -> (bool, Option<u32>) {
        match self {
            Self::Number(numbers) => (numbers.boolean, numbers.scalar),
            _ => (false, None),
        }
    }
    /// A range without values in it, if there is one.
    pub fn empty_range(&self) -> Option<NumericType> {
        match self {
            Self::Number(numbers) => Some(*numbers).filter(|numbers| numbers.low > numbers.high),
            Self::Array { element, len, .. } if *len > 0 => element.empty_range(),
            Self::Struct(fields) => fields.iter().find_map(|(_, ty)| ty.empty_range()),
            _ => None,
        }
    }
    /// The type of its elements: numbers, structures, clocks or channels.
    pub fn leaf(&self) -> &ResolvedType {
        match self {
            Self::Array { element, .. } => element.leaf(),
            other => other,
        }
    }
    /// Adds the names of its clocks, or of its other parts, which begin with `name`.
    pub fn names(&self, clocks: bool, name: &str, list: &mut Vec<String>) {
        match self {
            Self::Array { element, low, len } => {
                (0..i64::from(*len))
                    .for_each(|at| element.names(clocks, &format!("{name}[{}]", i64::from(*low) + at), list));
            }
            Self::Struct(fields) => {
                fields
                    .iter()
                    .for_each(|(field, ty)| ty.names(clocks, &format!("{name}.{field}"), list));
            }
            _ => list.extend((matches!(self, Self::Clock) == clocks).then(|| name.to_owned())),
        }
    }
    /// Adds the ranges of its cells.
    pub fn cells(&self, list: &mut Vec<NumericType>) {
        match self {
            Self::Array { element, len, .. } => (0..*len).for_each(|_| element.cells(list)),
            Self::Struct(fields) => fields.iter().for_each(|(_, ty)| ty.cells(list)),
            Self::Number(numbers) => list.push(*numbers),
            Self::Clock | Self::Channel { .. } | Self::Void => {}
        }
    }
}

fn spend(left: &mut u64, parts: u64) -> bool {
    left.checked_sub(parts).map(|rest| *left = rest).is_some()
}

pub(super) fn clock_as_number(clock: &str, span: Span) -> Diagnostic {
    Diagnostic::error(format!("{clock} is used as a number"), span)
        .with_help("a guard compares a clock, or the difference of two clocks, with an integer: `x <= 5`, `x - y < 3`")
}
