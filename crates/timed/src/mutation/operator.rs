//! The operators: the six of \[003\] section 3.3, and others that change the structure or the data of a game.
//!
//! This is the table of operators; the functions that find the places where they apply are below `operators`.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Alteration;
use super::operators::{Alterations, Definition, clocks, edges, formulas, locations};
use super::own_operator::{self, OwnOperator};
use crate::model::{BinaryOp, Role, Update, Urgency};

/// A line or two per operator: its variant, name, changes, summary and exact meaning. Mutants are numbered in the order of
/// this table.
macro_rules! operators {
    ($($(#[$doc:meta])* $variant:ident $name:literal $alterations:expr => $summary:literal, $meaning:literal;)+) => {
        /// A mutation operator, in the order in which mutants are numbered.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Operator {
            $($(#[$doc])* $variant,)+
            /// An operator that this program defines, see [`Operator::own`].
            Own(OwnOperator),
        }

        impl Operator {
            /// All operators of the table, in its order; those that a program defines are not among them.
            pub const ALL: [Self; [$(Self::$variant),+].len()] = [$(Self::$variant),+];

            fn definition(self) -> &'static Definition {
                match self {
                    $(Self::$variant => {
                        static ROW: Definition = Definition {
                            name: $name,
                            again: concat!("again:", $name),
                            summary: $summary,
                            meaning: $meaning,
                            alterations: $alterations,
                        };
                        &ROW
                    })+
                    Self::Own(own) => own.definition(),
                }
            }
        }
    };
}

use Alterations::{Elsewhere, Listed, OfChart, Paper};

operators! {
    /// Transition missing: removes an edge.
    Tmi "TMI" Paper => "remove an edge", "each edge is removed";
    /// Transition add: adds an edge with a fresh action.
    Tad "TAD" Paper => "add an edge with a fresh action",
        "each pair of locations gets an edge with a new input, or a new output, and the guard and updates of the first edge";
    /// State missing: removes a location with its edges.
    Smi "SMI" Paper => "remove a location and its edges",
        "each location but the initial one is removed with the edges that enter or leave it";
    /// Constant exchange, larger: increases the constant of a clock constraint.
    Cxl "CXL" Paper => "increase the constant of a guard or invariant",
        "the constant of each guard or invariant that is one clock constraint grows by the step";
    /// Constant exchange, smaller: decreases the constant of a clock constraint.
    Cxs "CXS" Paper => "decrease the constant of a guard or invariant",
        "the constant of each guard or invariant that is one clock constraint shrinks by the step, if it stays above 0";
    /// Clock constraint negation: negates a guard.
    Ccn "CCN" Paper => "negate a guard", "each guard that is one clock constraint, no equality, is negated";
    /// Change target: an edge leads elsewhere.
    Ctg "CTG" Elsewhere { end: |edge| edge.target, moved: |edge, target| Alteration::Target { edge, target } }
        => "lead an edge elsewhere", "each edge leads to each location other than its target";
    /// Change source: an edge starts elsewhere.
    Csr "CSR" Elsewhere { end: |edge| edge.source, moved: |edge, source| Alteration::Source { edge, source } }
        => "start an edge elsewhere", "each edge starts at each location other than its source";
    /// Change action: an edge has another action of the same direction.
    Cac "CAC" Listed(&edges::other_actions) => "give an edge another action of its direction",
        "each edge gets each other action of the alphabet that has the direction of its own";
    /// Invert direction: an input becomes an output, or the other way round.
    Inv "INV" Listed(&|game| edges::each(game, |_, role| role != Role::Internal, |edge| Alteration::Direction { edge }))
        => "make an input an output, or the other way round",
        "each edge that is no internal step gets the action of the same name in the other direction, which is new in the alphabet unless it is there";
    /// Remove reset: an edge does not set a clock.
    Rrs "RRS" Listed(&|game| edges::without_updates(game, |update| matches!(update, Update::Reset(..))))
        => "do not set a clock", "each update of an edge that sets a clock is left out";
    /// Old timer: an edge does not set a clock whose time-out is still to come.
    Otm "OTM" Listed(&edges::old_timers) => "let the old timer run on",
        "each update of an edge that sets a clock to 0 is left out while the clock meets the upper bound, a number, that the invariant of the edge's target gives it; later it sets the clock";
    /// Add reset: an edge sets another clock to 0.
    Ars "ARS" Listed(&edges::more_resets) => "set another clock to 0",
        "each edge sets, after its own updates, each clock to 0 that it does not set";
    /// Sink location: an edge leads to a new location that does nothing any more.
    Snk "SNK" Listed(&|game| edges::each(game, |_, _| true, |edge| Alteration::Sink { edge }))
        => "lead an edge to a location that does nothing any more",
        "each edge leads to a new location without invariant, which accepts every input of the alphabet and stays";
    /// Urgency on: time may not pass in a location.
    Urg "URG" Listed(&|game| locations::becoming(game, Urgency::Urgent, |urgency| urgency == Urgency::Normal))
        => "let no time pass in a location", "each location that is neither urgent nor committed is urgent";
    /// Urgency off: time may pass in an urgent location.
    Uro "URO" Listed(&|game| locations::becoming(game, Urgency::Normal, |urgency| urgency == Urgency::Urgent))
        => "let time pass in an urgent location", "each urgent location is an ordinary one";
    /// Commitment on: a location is committed.
    Com "COM" Listed(&|game| locations::becoming(game, Urgency::Committed, |urgency| urgency != Urgency::Committed))
        => "make a location committed",
        "each location that is not committed is; in a single game time may not pass there, and nothing else";
    /// Commitment off: a committed location is an ordinary one.
    Cmo "CMO" Listed(&|game| locations::becoming(game, Urgency::Normal, |urgency| urgency == Urgency::Committed))
        => "make a committed location an ordinary one", "each committed location is an ordinary one";
    /// Channel urgency: an urgent channel is an ordinary one, or the other way round.
    Chu "CHU" Listed(&edges::channels) => "make a channel urgent, or an urgent one ordinary",
        "each channel that an edge uses is urgent, in both directions, if it was an ordinary one and no edge that uses it compares a clock; an urgent one is ordinary";
    /// Remove invariant.
    Riv "RIV" Listed(&locations::without_invariant) => "remove an invariant", "each invariant that says something is left out";
    /// Guard true: an edge is always possible.
    Gtr "GTR" Listed(&|game| edges::each(game, |edge, _| !edge.guard.is_trivial(), |edge| Alteration::DropGuard { edge }))
        => "make an edge always possible", "each guard that says something is left out";
    /// Guard false: an edge is never possible.
    Gfl "GFL" Listed(&edges::impossible) => "make an edge never possible",
        "each guard becomes the condition that never holds, unless it is just that";
    /// Change comparison: a clock constraint compares otherwise.
    Ccm "CCM" Listed(&clocks::other_comparisons) => "compare a clock otherwise",
        "each clock constraint of an invariant or a guard gets each of the other four comparisons";
    /// Change clock: a clock constraint is about another clock.
    Cck "CCK" Listed(&clocks::other_clocks) => "compare another clock",
        "each clock constraint of an invariant or a guard that is no difference is about each other clock whose start and rate are read";
    /// Relational operator replacement.
    Ror "ROR" Listed(&|game| formulas::replaced(game, &[BinaryOp::Lt, BinaryOp::Le, BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Ge, BinaryOp::Gt]))
        => "replace a relation of integers",
        "each of < <= == != >= > between integers is replaced by each of the other five";
    /// Arithmetic operator replacement.
    Aor "AOR" Listed(&|game| formulas::replaced(game, &[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div, BinaryOp::Rem]))
        => "replace an arithmetic operator", "each of + - * / % is replaced by each of the other four";
    /// Logical operator replacement.
    Lor "LOR" Listed(&|game| formulas::replaced(game, &[BinaryOp::And, BinaryOp::Or, BinaryOp::Imply]))
        => "replace a connective",
        "each of && || imply is replaced by each of the other two; the integer conditions of a guard or an invariant are one conjunction, from the left";
    /// Expression negation.
    Enf "ENF" Listed(&formulas::negated_parts) => "negate a part with connectives",
        "each part of a condition whose operator is && || or imply is negated";
    /// Condition negation.
    Vnf "VNF" Listed(&formulas::negated_conditions) => "negate a condition, or leave its negation out",
        "each single condition (what && || imply connect, and what stands alone) is negated; one that is a negation loses it";
    /// Associative shift: brackets are missing.
    Asf "ASF" Listed(&formulas::without_brackets) => "leave out brackets",
        "each && with an || as an operand is read as if that had no brackets: a && (b || c) as (a && b) || c, and (a || b) && c as a || (b && c)";
    /// Missing condition.
    Mcd "MCD" Listed(&formulas::without_condition) => "leave out a condition",
        "each clock constraint of a guard or an invariant that has another constraint or condition is left out, and each single integer condition that && or || connects to another one";
    /// Extra condition.
    Xcd "XCD" Listed(&formulas::extra_conditions) => "add a condition of another edge",
        "each guard, also one that says nothing, gets each clock constraint and each integer condition without select variables that a guard of another edge from the same location has and it has not";
    /// Condition replaced by another one of the formula.
    Vrf "VRF" Listed(&formulas::other_conditions) => "replace a condition by another one of the formula",
        "each single condition of a formula is replaced by each other one that occurs in it";
    /// Stuck at 0.
    Stk "STK" Listed(&formulas::stuck) => "take a variable for 0",
        "each occurrence of an integer or select variable in a condition, an assigned value or a bound is replaced by 0";
    /// Off by one.
    Obo "OBO" Listed(&formulas::off_by_one) => "take a number or a variable for one more or less",
        "each number and each occurrence of an integer or select variable in a condition, an assigned value or a bound with variables is 1 greater, and 1 less";
    /// Missing assignment.
    Mas "MAS" Listed(&|game| edges::without_updates(game, |update| matches!(update, Update::Assign(..))))
        => "do not assign an integer", "each update of an edge that assigns an integer is left out";
    /// A timer of a chart is late.
    Dlo "DLO" OfChart => "make a delay of a chart longer", "each timer is due 1 later";
    /// A timer of a chart is early.
    Dsh "DSH" OfChart => "make a delay of a chart shorter",
        "each timer is due 1 earlier, if that is not before its state is entered";
    /// A timer of a chart is never set.
    Dmi "DMI" OfChart => "leave out a timer of a chart", "each timer is never due";
    /// A timer of a chart is not cancelled.
    Tnc "TNC" OfChart => "do not cancel a timer of a chart",
        "each timer runs on when its state is left, and its event comes wherever the chart is then; the state sets another one when it is entered again";
    /// A transition of a chart is missing.
    Trm "TRM" OfChart => "leave out a transition of a chart", "each transition is left out";
    /// A guard of a chart is the wrong way round.
    Gne "GNE" OfChart => "negate a guard of a chart",
        "the guard of each transition that has one is negated";
    /// An action of a chart is missing.
    Acm "ACM" OfChart => "leave out an action of a chart",
        "each action of a transition, of an entry and of an exit is left out";
    /// A transition of a chart leads elsewhere.
    Tge "TGE" OfChart => "lead a transition of a chart elsewhere",
        "each transition with one target leads to each other state beside its target instead";
    /// A chart does not remember.
    Hdr "HDR" OfChart => "drop a history of a chart",
        "each transition to a history leads to the state around it, which begins anew";
    /// A transition of a chart is on the wrong level.
    Lvl "LVL" OfChart => "move a transition of a chart to the state around its own",
        "each transition of an event belongs to the state around its own, if there is one";
    /// A transition of a chart enters its own state again, or does not.
    Ree "REE" OfChart => "enter the own state again in a transition of a chart, or not",
        "each transition enters its own state again if it does not, and the other way round; without a target, that state is its target then";
    /// A state of a chart begins anew at an event that it should ignore.
    Rea "REA" OfChart => "begin a state of a chart anew at an event",
        "each state, but the outermost, is entered again at each event with a name that it does not wait for itself, and does what a state around it does at the event without a target";
}

/// Named sets of operators.
mod sets {
    use super::Operator::{self, *};

    pub const PAPER: [Operator; 6] = [Tmi, Tad, Smi, Cxl, Cxs, Ccn];
    /// The operators that change the structure or a clock constraint in other ways.
    pub const STRUCTURE: [Operator; 18] = [
        Ctg, Csr, Cac, Inv, Rrs, Otm, Ars, Snk, Urg, Uro, Com, Cmo, Chu, Riv, Gtr, Gfl, Ccm, Cck,
    ];
    /// The operators on integers and conditions on them (\[002\] section 2).
    pub const DATA: [Operator; 12] = [Ror, Aor, Lor, Enf, Vnf, Asf, Mcd, Xcd, Vrf, Stk, Obo, Mas];
    /// The operators in the words of charts.
    pub const CHART: [Operator; 12] = [Dlo, Dsh, Dmi, Tnc, Trm, Gne, Acm, Tge, Hdr, Lvl, Ree, Rea];
    /// The operators of TChecker's mutation tool that apply to a single game: where that tool inverts, here one operator
    /// switches on and one off.
    pub const TCHECKER: [Operator; 18] = [
        Tmi, Tad, Smi, Cxl, Cxs, Ccn, Ctg, Csr, Cac, Rrs, Ars, Snk, Urg, Uro, Com, Cmo, Ccm, Cck,
    ];
    /// The operators of MUPPAAL that apply to a single game.
    pub const MUPPAAL: [Operator; 13] = [Tmi, Tad, Smi, Cxl, Cxs, Ccn, Inv, Urg, Uro, Com, Cmo, Chu, Mas];
}

impl Operator {
    /// The six of \[003\] section 3.3: the default.
    pub const PAPER: [Self; 6] = sets::PAPER;

    /// Those in the words of charts, which change the chart that a game was read from. Other games have none of their mutants.
    pub const CHART: [Self; 12] = sets::CHART;

    /// The operators of the table that change a game, whatever it was read from.
    pub fn of_games() -> &'static [Self] {
        Self::ALL.split_at(Self::ALL.len() - Self::CHART.len()).0
    }

    /// Sets of operators with a name.
    pub const PRESETS: [(&'static str, &'static [Self]); 8] = [
        ("none", &[]),
        ("paper", &Self::PAPER),
        ("structure", &sets::STRUCTURE),
        ("data", &sets::DATA),
        ("chart", &Self::CHART),
        ("tchecker", &sets::TCHECKER),
        ("muppaal", &sets::MUPPAAL),
        ("all", &Self::ALL),
    ];

    /// All operators: those of the table, then those that this program has defined, by name.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        Self::ALL.into_iter().chain(own_operator::all().map(Self::Own))
    }
    /// Its short name, in capitals.
    pub fn name(self) -> &'static str {
        self.definition().name
    }
    /// Its effect, in a few words.
    pub fn summary(self) -> &'static str {
        self.definition().summary
    }
    /// Its exact meaning: the places where it applies, and the mutants that it makes.
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
        let unknown = |error| {
            D::Error::custom(format!(
                "{error}; one that a program defines is known to that program only"
            ))
        };
        String::deserialize(deserializer)?.parse().map_err(unknown)
    }
}

/// What the names of operators with memory, and the ids of their mutants, begin with.
pub(super) const AGAIN: &str = "again:";

/// An operator as it is applied: its change holds from the start, or with memory, once its place was passed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AppliedOperator {
    /// Whether it is applied with memory.
    pub again: bool,
    /// The operator.
    pub operator: Operator,
}

impl AppliedOperator {
    /// Every operator without memory, then those that have it.
    pub fn all() -> impl Iterator<Item = Self> {
        let with = |again| move |operator| Self { again, operator };
        let all = Operator::all();
        let memory = all.clone().filter(|operator| operator.has_memory());
        all.map(with(false)).chain(memory.map(with(true)))
    }
    /// `TMI`, or `again:TMI`.
    pub fn name(self) -> &'static str {
        let definition = self.operator.definition();
        if self.again { definition.again } else { definition.name }
    }

    /// Its effect, in a few words.
    pub fn summary(self) -> String {
        let summary = self.operator.summary();
        match self.again {
            true => format!("{summary}, once its place was passed"),
            false => summary.to_owned(),
        }
    }
}

impl From<Operator> for AppliedOperator {
    fn from(operator: Operator) -> Self {
        Self { again: false, operator }
    }
}

impl fmt::Display for AppliedOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for AppliedOperator {
    type Err = UnknownOperator;

    /// The operator of that name, in any case.
    fn from_str(text: &str) -> Result<Self, UnknownOperator> {
        let name = text.strip_prefix(AGAIN);
        Ok(Self {
            again: name.is_some(),
            operator: name.unwrap_or(text).parse()?,
        })
    }
}

/// A name that no operator has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "there is no operator `{0}`; the operators are {operators}; sets of them are {presets}",
    operators = Operator::all().map(Operator::name).collect::<Vec<_>>().join(" "),
    presets = Operator::PRESETS.map(|(name, _)| name).join(" ")
)]
pub struct UnknownOperator(String);

impl FromStr for Operator {
    type Err = UnknownOperator;

    /// The operator of that name, in any case.
    fn from_str(text: &str) -> Result<Self, UnknownOperator> {
        let wanted = |operator: &Self| operator.name().eq_ignore_ascii_case(text.trim());
        Self::all().find(wanted).ok_or_else(|| UnknownOperator(text.to_owned()))
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
    fn every_operator_is_in_one_of_four_sets_and_a_set_reads_as_its_members() {
        let parts = [&Operator::PAPER[..], &sets::STRUCTURE, &sets::DATA, &sets::CHART].concat();
        assert_eq!(parts, Operator::ALL);
        assert_eq!(
            Operator::of_games(),
            [&Operator::PAPER[..], &sets::STRUCTURE, &sets::DATA].concat()
        );
        assert_eq!("Data".parse(), Ok(OperatorSet(sets::DATA.to_vec())));
        assert_eq!("ror".parse(), Ok(OperatorSet(vec![Operator::Ror])));
        let unknown = "papers".parse::<OperatorSet>().unwrap_err().to_string();
        assert!(unknown.contains("papers") && unknown.contains("muppaal"), "{unknown}");
    }

    #[test]
    fn the_six_alone_are_not_alterations() {
        for operator in Operator::ALL {
            assert_eq!(
                matches!(operator.alterations(), Alterations::Paper),
                operator.is_paper(),
                "{operator}"
            );
        }
    }
}
