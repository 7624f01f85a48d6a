//! Tests as data in the notation of a compiled language.

use num_rational::BigRational;
use num_traits::ToPrimitive as _;

use super::data::{acts, expects, number_of};
use tamper_suite::{Condition, Jump, Next, Node, Resets, SuiteFailure, TestCase};
use tamper_timed::model::Cmp;

/// The largest numerator and denominator: the product of two fits in 64 bits.
const MOST: i64 = 1 << 30;

/// A field of a record, with its name.
pub(super) struct RecordField {
    pub name: &'static str,
    pub value: String,
}

/// The notation of a language for data.
pub(super) struct Notation {
    /// Writes a record of a kind.
    pub record: fn(&str, &[RecordField]) -> String,
    /// Writes a list of records of a kind.
    pub list: fn(&str, &[String]) -> String,
    pub text: fn(&str) -> String,
    /// Writes an optional text.
    pub option: fn(Option<String>) -> String,
    /// Writes the number of an optional clock.
    pub clock: fn(Option<usize>) -> String,
    /// Writes one of `Lt`, `Le`, `Eq`, `Ge` and `Gt`.
    pub sign: fn(&str) -> String,
}

fn field(name: &'static str, value: impl Into<String>) -> RecordField {
    let value = value.into();
    RecordField { name, value }
}

impl Notation {
    /// The nodes of a test, one per line.
    ///
    /// # Errors
    /// A bound that is too fine or too large for the numbers of the file.
    pub(super) fn nodes(&self, test: &TestCase) -> Result<String, SuiteFailure> {
        let lines = test
            .nodes
            .iter()
            .map(|node| Some(format!("    {},\n", self.node(node)?)));
        let lines: Option<String> = lines.collect();
        lines.ok_or_else(|| SuiteFailure::TooFine { test: test.id.clone() })
    }

    fn node(&self, node: &Node) -> Option<String> {
        let rules = self.list("rule", &node.rules, |rule| {
            let (input, then, stop) = acts(&rule.act);
            let fields = [
                field("from", self.condition(&rule.from)?),
                field("when", self.condition(&rule.when)?),
                field("input", (self.option)(input.map(self.text))),
                field("then", self.list("jump", then, |jump| self.jump(jump))?),
                field("stop", stop.to_string()),
            ];
            Some((self.record)("rule", &fields))
        });
        let outputs = self.list("output", &node.outputs, |expected| {
            let (action, to) = expects(expected);
            let fields = [field("action", (self.text)(action)), field("jump", self.jump(to)?)];
            Some((self.record)("output", &fields))
        });
        let otherwise = number_of(Next::Verdict(node.otherwise)).to_string();
        let fields = [
            field("rules", rules?),
            field("outputs", outputs?),
            field("otherwise", otherwise),
        ];
        Some((self.record)("node", &fields))
    }

    fn jump(&self, jump: &Jump) -> Option<String> {
        let fields = [
            field("when", self.condition(&jump.when)?),
            field("resets", self.resets(&jump.resets)?),
            field("next", number_of(jump.next).to_string()),
        ];
        Some((self.record)("jump", &fields))
    }

    fn resets(&self, resets: &Resets) -> Option<String> {
        self.list("reset", resets, |(clock, value)| {
            let fields = [field("clock", clock.to_string()), field("value", value.to_string())];
            (*value <= MOST).then(|| (self.record)("reset", &fields))
        })
    }

    fn condition(&self, condition: &Condition) -> Option<String> {
        self.list("atom", condition, |atom| {
            let sign = match atom.cmp {
                Cmp::Lt => "Lt",
                Cmp::Le => "Le",
                Cmp::Eq => "Eq",
                Cmp::Ge => "Ge",
                Cmp::Gt => "Gt",
            };
            let (top, bottom) = fraction(&atom.bound)?;
            let bound = [field("top", top.to_string()), field("bottom", bottom.to_string())];
            let fields = [
                field("left", atom.left.to_string()),
                field("right", (self.clock)(atom.right)),
                field("sign", (self.sign)(sign)),
                field("bound", (self.record)("time", &bound)),
            ];
            Some((self.record)("atom", &fields))
        })
    }

    fn list<T>(&self, kind: &str, parts: &[T], one: impl Fn(&T) -> Option<String>) -> Option<String> {
        let parts: Vec<String> = parts.iter().map(one).collect::<Option<_>>()?;
        Some((self.list)(kind, &parts))
    }
}

fn fraction(number: &BigRational) -> Option<(i64, i64)> {
    let fits = |number: i64| (-MOST..=MOST).contains(&number).then_some(number);
    Some((fits(number.numer().to_i64()?)?, fits(number.denom().to_i64()?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_in_the_numbers_of_the_file_is_refused() {
        let ratio = |top: i64, bottom: i64| BigRational::new(top.into(), bottom.into());
        assert_eq!(fraction(&ratio(-6, 4)), Some((-3, 2)));
        assert_eq!(fraction(&ratio(MOST, 1)), Some((MOST, 1)));
        assert_eq!(fraction(&ratio(MOST + 1, 1)), None);
        assert_eq!(fraction(&ratio(1, MOST + 1)), None);
    }
}
