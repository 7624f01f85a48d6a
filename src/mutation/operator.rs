//! The six operators of \[003\] section 3.3.

use std::fmt;
use std::str::FromStr;

/// A mutation operator, in the order in which mutants are numbered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operator {
    /// Transition missing: removes an edge.
    Tmi,
    /// Transition add: adds an edge with a fresh action.
    Tad,
    /// State missing: removes a location with its edges.
    Smi,
    /// Constant exchange, larger: increases the constant of a clock constraint.
    Cxl,
    /// Constant exchange, smaller: decreases the constant of a clock constraint.
    Cxs,
    /// Clock constraint negation: negates a guard.
    Ccn,
}

impl Operator {
    /// All operators, in order.
    pub const ALL: [Self; 6] = [Self::Tmi, Self::Tad, Self::Smi, Self::Cxl, Self::Cxs, Self::Ccn];

    /// Its short name, in capitals.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tmi => "TMI",
            Self::Tad => "TAD",
            Self::Smi => "SMI",
            Self::Cxl => "CXL",
            Self::Cxs => "CXS",
            Self::Ccn => "CCN",
        }
    }
    /// What it does, in a few words.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Tmi => "remove an edge",
            Self::Tad => "add an edge with a fresh action",
            Self::Smi => "remove a location and its edges",
            Self::Cxl => "increase the constant of a guard or invariant",
            Self::Cxs => "decrease the constant of a guard or invariant",
            Self::Ccn => "negate a guard",
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no operator's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownOperator(String);

impl fmt::Display for UnknownOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no operator `{}`; the operators are", self.0)?;
        for operator in Operator::ALL {
            write!(f, " {operator}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownOperator {}

impl FromStr for Operator {
    type Err = UnknownOperator;

    /// The operator of that name, in any case.
    fn from_str(text: &str) -> Result<Self, UnknownOperator> {
        let wanted = |operator: &Self| operator.name().eq_ignore_ascii_case(text.trim());
        Self::ALL
            .into_iter()
            .find(wanted)
            .ok_or_else(|| UnknownOperator(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_in_any_case() {
        for operator in Operator::ALL {
            assert_eq!(operator.to_string().to_lowercase().parse(), Ok(operator));
        }
        assert!("TMX".parse::<Operator>().unwrap_err().to_string().contains("TMX"));
    }

    #[test]
    fn names_pad_to_a_width() {
        assert_eq!(format!("{:>5}|", Operator::Tad), "  TAD|");
    }
}
