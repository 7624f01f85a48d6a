//! The operators: the six of \[003\] section 3.3, and those that change the structure or the data of a game otherwise.
//!
//! What an operator is called, what it does and where it applies stands in its file below `operators`; this is the list
//! of them.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::operators::{self, Alterations, Definition};

/// One line per operator: its variant and its file. The order is that in which mutants are numbered.
macro_rules! operators {
    ($($(#[$doc:meta])* $variant:ident = $($file:ident)::+),+ $(,)?) => {
        /// A mutation operator, in the order in which mutants are numbered.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Operator {
            $($(#[$doc])* $variant),+
        }

        impl Operator {
            /// All operators in the order of their names' list.
            pub const ALL: [Self; [$(Self::$variant),+].len()] = [$(Self::$variant),+];

            fn definition(self) -> &'static Definition {
                match self {
                    $(Self::$variant => &operators::$($file)::+),+
                }
            }
        }
    };
}

operators! {
    /// Transition missing: removes an edge.
    Tmi = paper::TMI,
    /// Transition add: adds an edge with a fresh action.
    Tad = paper::TAD,
    /// State missing: removes a location with its edges.
    Smi = paper::SMI,
    /// Constant exchange, larger: increases the constant of a clock constraint.
    Cxl = paper::CXL,
    /// Constant exchange, smaller: decreases the constant of a clock constraint.
    Cxs = paper::CXS,
    /// Clock constraint negation: negates a guard.
    Ccn = paper::CCN,
    /// Change target: an edge leads elsewhere.
    Ctg = change_target::CTG,
    /// Change source: an edge starts elsewhere.
    Csr = change_source::CSR,
    /// Change action: an edge has another action of the same direction.
    Cac = change_action::CAC,
    /// Invert direction: an input becomes an output, or the other way round.
    Inv = invert_direction::INV,
    /// Remove reset: an edge does not set a clock.
    Rrs = remove_reset::RRS,
    /// Add reset: an edge sets another clock to 0.
    Ars = add_reset::ARS,
    /// Sink location: an edge leads to a new location that does nothing any more.
    Snk = sink_location::SNK,
    /// Urgency on: time may not pass in a location.
    Urg = urgency_on::URG,
    /// Urgency off: time may pass in an urgent location.
    Uro = urgency_off::URO,
    /// Commitment on: a location is committed.
    Com = commitment_on::COM,
    /// Commitment off: a committed location is an ordinary one.
    Cmo = commitment_off::CMO,
    /// Channel urgency: an urgent channel is an ordinary one, or the other way round.
    Chu = channel_urgency::CHU,
    /// Remove invariant.
    Riv = remove_invariant::RIV,
    /// Guard true: an edge is always possible.
    Gtr = guard_true::GTR,
    /// Guard false: an edge is never possible.
    Gfl = guard_false::GFL,
    /// Change comparison: a clock constraint compares otherwise.
    Ccm = change_comparison::CCM,
    /// Change clock: a clock constraint is about another clock.
    Cck = change_clock::CCK,
    /// Relational operator replacement.
    Ror = relational::ROR,
    /// Arithmetic operator replacement.
    Aor = arithmetic::AOR,
    /// Logical operator replacement.
    Lor = logical::LOR,
    /// Expression negation.
    Enf = negate_expression::ENF,
    /// Condition negation.
    Vnf = negate_condition::VNF,
    /// Associative shift: brackets are missing.
    Asf = associative_shift::ASF,
    /// Missing condition.
    Mcd = missing_condition::MCD,
    /// Condition replaced by another one of the formula.
    Vrf = condition_reference::VRF,
    /// Stuck at 0.
    Stk = stuck_at::STK,
    /// Off by one.
    Obo = off_by_one::OBO,
    /// Missing assignment.
    Mas = missing_assignment::MAS,
}

impl Operator {
    /// The six of \[003\] section 3.3: what is used if nothing else is asked for.
    pub const PAPER: [Self; 6] = [Self::Tmi, Self::Tad, Self::Smi, Self::Cxl, Self::Cxs, Self::Ccn];
    /// Those that change the structure or a clock constraint otherwise.
    const STRUCTURE: [Self; 17] = [
        Self::Ctg,
        Self::Csr,
        Self::Cac,
        Self::Inv,
        Self::Rrs,
        Self::Ars,
        Self::Snk,
        Self::Urg,
        Self::Uro,
        Self::Com,
        Self::Cmo,
        Self::Chu,
        Self::Riv,
        Self::Gtr,
        Self::Gfl,
        Self::Ccm,
        Self::Cck,
    ];
    /// Those about integers and conditions on them (\[002\] section 2).
    const DATA: [Self; 11] = [
        Self::Ror,
        Self::Aor,
        Self::Lor,
        Self::Enf,
        Self::Vnf,
        Self::Asf,
        Self::Mcd,
        Self::Vrf,
        Self::Stk,
        Self::Obo,
        Self::Mas,
    ];
    /// The operators of TChecker's mutation tool that apply to a single game: where that tool inverts, here one operator switches on and one off.
    const TCHECKER: [Self; 18] = [
        Self::Tmi,
        Self::Tad,
        Self::Smi,
        Self::Cxl,
        Self::Cxs,
        Self::Ccn,
        Self::Ctg,
        Self::Csr,
        Self::Cac,
        Self::Rrs,
        Self::Ars,
        Self::Snk,
        Self::Urg,
        Self::Uro,
        Self::Com,
        Self::Cmo,
        Self::Ccm,
        Self::Cck,
    ];
    /// The operators of MUPPAAL that apply to a single game.
    const MUPPAAL: [Self; 13] = [
        Self::Tmi,
        Self::Tad,
        Self::Smi,
        Self::Cxl,
        Self::Cxs,
        Self::Ccn,
        Self::Inv,
        Self::Urg,
        Self::Uro,
        Self::Com,
        Self::Cmo,
        Self::Chu,
        Self::Mas,
    ];

    /// Sets of operators with a name.
    pub const PRESETS: [(&'static str, &'static [Self]); 6] = [
        ("paper", &Self::PAPER),
        ("structure", &Self::STRUCTURE),
        ("data", &Self::DATA),
        ("tchecker", &Self::TCHECKER),
        ("muppaal", &Self::MUPPAAL),
        ("all", &Self::ALL),
    ];

    /// Its short name, in capitals.
    pub fn name(self) -> &'static str {
        self.definition().name
    }
    /// What it does, in a few words.
    pub fn summary(self) -> &'static str {
        self.definition().summary
    }
    /// Where it applies and what it makes, exactly.
    pub fn meaning(self) -> &'static str {
        self.definition().meaning
    }
    /// Whether it is one of the six of \[003\]: guidelines, families and featured models are about these.
    pub fn is_paper(self) -> bool {
        Self::PAPER.contains(&self)
    }
    pub(super) fn alterations(self) -> Alterations {
        self.definition().alterations
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for Operator {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Operator {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// A name that is no operator's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "there is no operator `{0}`; the operators are {operators}; sets of them are {presets}",
    operators = Operator::ALL.map(Operator::name).join(" "),
    presets = Operator::PRESETS.map(|(name, _)| name).join(" ")
)]
pub struct UnknownOperator(String);

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

/// One operator, or a set of them by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperatorSet(pub Vec<Operator>);

impl FromStr for OperatorSet {
    type Err = UnknownOperator;

    /// The operator or the set of that name, in any case.
    fn from_str(text: &str) -> Result<Self, UnknownOperator> {
        let mut presets = Operator::PRESETS.into_iter();
        match presets.find(|(name, _)| name.eq_ignore_ascii_case(text.trim())) {
            Some((_, operators)) => Ok(Self(operators.to_vec())),
            None => text.parse().map(|operator| Self(vec![operator])),
        }
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

    #[test]
    fn every_operator_is_in_one_of_three_sets_and_a_set_reads_as_its_members() {
        let parts = [&Operator::PAPER[..], &Operator::STRUCTURE, &Operator::DATA].concat();
        assert_eq!(parts, Operator::ALL);
        assert_eq!("Data".parse(), Ok(OperatorSet(Operator::DATA.to_vec())));
        assert_eq!("ror".parse(), Ok(OperatorSet(vec![Operator::Ror])));
        let unknown = "papers".parse::<OperatorSet>().unwrap_err().to_string();
        assert!(unknown.contains("papers") && unknown.contains("muppaal"), "{unknown}");
    }

    #[test]
    fn the_six_have_no_edits_and_all_others_have_a_file_of_their_own() {
        for operator in Operator::ALL {
            assert_eq!(
                matches!(operator.alterations(), Alterations::Paper),
                operator.is_paper(),
                "{operator}"
            );
        }
    }
}
