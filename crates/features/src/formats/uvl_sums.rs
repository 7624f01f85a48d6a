//! Comparisons of constants in UVL: numbers, attributes of features, and sums of an attribute over all features.
//!
//! An attribute counts where its feature is selected; elsewhere it is 0. A comparison becomes a condition on the features
//! whose attributes it reads, by all their choices.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::uvl_names::is_name_char;
use crate::{FeatureExpr, FeatureId, FeatureModel, Growth};
use tamper_text::Cursor;

/// The largest number of features in a comparison.
const MOST: usize = 12;
/// The deepest nesting that is read.
const DEEPEST: usize = 100;

/// The reader of the comparisons in one constraint.
pub(super) struct Comparisons<'m, F> {
    model: &'m FeatureModel,
    find: &'m F,
    occurs_several: &'m dyn Fn(&FeatureId) -> bool,
    /// The reason why the comparison read last is refused.
    pub refused: Option<&'static str>,
}

/// A number that depends on the selected features.
enum Number {
    Constant(BigRational),
    /// It counts where the feature is selected.
    Of(FeatureId, BigRational),
    /// Numbers that are added (`+`) and subtracted (`-`).
    Sum(Vec<(char, Number)>),
    /// Numbers that are multiplied with 1 (`*`), and by which it is divided (`/`).
    Product(Vec<(char, Number)>),
}

/// There is no number here.
struct NoNumber;

impl<F: Fn(&str) -> Option<FeatureId>> Comparisons<'_, F> {
    pub fn new<'m>(
        model: &'m FeatureModel,
        find: &'m F,
        occurs_several: &'m dyn Fn(&FeatureId) -> bool,
    ) -> Comparisons<'m, F> {
        Comparisons {
            model,
            find,
            occurs_several,
            refused: None,
        }
    }

    /// The length of the comparison at the start of a text, and its meaning, if that is known; `None` if there is no
    /// comparison. What is refused has the length of its text, and no meaning.
    pub fn next(&mut self, text: &str, growth: &mut Growth) -> Option<(usize, Option<FeatureExpr>)> {
        let mut cursor = Cursor::new(text);
        self.refused = None;
        let left = self.sum(&mut cursor, 0).ok()?;
        blanks(&mut cursor);
        let sign = cursor
            .sign(&["==", "!=", "<=>", "<=", ">=", "<", ">"])
            .filter(|sign| *sign != "<=>")?;
        cursor.eat(sign);
        let right = self.sum(&mut cursor, 0);
        let length = cursor.position();
        let Ok(right) = right else {
            self.refused
                .get_or_insert("comparisons with something other than constants");
            return Some((length, None));
        };
        let mut features = BTreeSet::new();
        left.collect(&mut features);
        right.collect(&mut features);
        let features: Vec<FeatureId> = features.into_iter().collect();
        if features.iter().any(self.occurs_several) {
            self.refused
                .get_or_insert("attributes of features that occur several times");
        }
        if features.len() > MOST {
            self.refused
                .get_or_insert("comparisons of the attributes of more than 12 features");
        }
        if self.refused.is_some() {
            return Some((length, None));
        }
        let compared = Compared { left, right, sign };
        let Some(meaning) = compared.condition(&features, &mut Vec::new()) else {
            self.refused = Some("divisions by what is 0 for some choice of features");
            return Some((length, None));
        };
        let meaning = growth.kept(meaning);
        if meaning.is_none() {
            self.refused = Some("so large comparisons");
        }
        Some((length, meaning))
    }

    fn sum(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Number, NoNumber> {
        let parts = self.chain(cursor, ['+', '-'], |own, cursor| {
            own.chain(cursor, ['*', '/'], |own, cursor| own.factor(cursor, depth))
                .map(Number::Product)
        });
        parts.map(Number::Sum)
    }
    /// Operands with one of two signs between them, each with the sign before it.
    fn chain(
        &mut self,
        cursor: &mut Cursor<'_>,
        signs: [char; 2],
        mut operand: impl FnMut(&mut Self, &mut Cursor<'_>) -> Result<Number, NoNumber>,
    ) -> Result<Vec<(char, Number)>, NoNumber> {
        let mut parts = vec![(signs[0], operand(self, cursor)?)];
        loop {
            let end = *cursor;
            blanks(cursor);
            match cursor.bump().filter(|sign| signs.contains(sign)) {
                Some(sign) => parts.push((sign, operand(self, cursor)?)),
                None => {
                    *cursor = end;
                    return Ok(parts);
                }
            }
        }
    }
    fn factor(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Number, NoNumber> {
        blanks(cursor);
        if depth > DEEPEST {
            return Err(NoNumber);
        }
        if cursor.eat("(") {
            let inner = self.sum(cursor, depth + 1)?;
            blanks(cursor);
            return if cursor.eat(")") { Ok(inner) } else { Err(NoNumber) };
        }
        let first = cursor.peek().ok_or(NoNumber)?;
        if first.is_ascii_digit() || first == '-' {
            let sign = cursor.eat("-");
            let digits = cursor.take_while(|c| c.is_ascii_digit() || c == '.');
            let value = decimal(digits.text).ok_or(NoNumber)?;
            return Ok(Number::Constant(if sign { -value } else { value }));
        }
        for function in ["sum", "avg", "len", "floor", "ceil"] {
            if let Some(rest) = cursor.rest().strip_prefix(function)
                && rest.trim_start().starts_with('(')
            {
                cursor.take(function.len());
                blanks(cursor);
                let Some(inner) = cursor.take_through(")") else {
                    return Err(NoNumber);
                };
                let attribute = inner.text.trim_start_matches('(').trim();
                if function == "sum" && !attribute.contains(',') {
                    return Ok(self.sum_of(attribute.trim_matches('"')));
                }
                self.refused.get_or_insert(match function {
                    "sum" => "sums over the children of a feature",
                    "avg" => "averages",
                    "len" => "lengths of texts",
                    _ => "rounded numbers",
                });
                return Ok(Number::Sum(Vec::new()));
            }
        }
        self.attribute(cursor)
    }
    /// The attribute of a feature: names, plain or in quotes, with dots between them.
    fn attribute(&mut self, cursor: &mut Cursor<'_>) -> Result<Number, NoNumber> {
        let mut words: Vec<&str> = Vec::new();
        loop {
            let word = match cursor.eat("\"") {
                true => cursor.take_through("\"").ok_or(NoNumber)?,
                false => cursor.take_while(is_name_char),
            };
            words.push(word.text);
            if !cursor.eat(".") {
                break;
            }
        }
        let (attribute, path) = words.split_last().ok_or(NoNumber)?;
        if (self.find)(&words.join(".")).is_some() {
            return Err(NoNumber);
        }
        let feature = (self.find)(&path.join(".")).ok_or(NoNumber)?;
        match self.model.features()[feature].attribute(attribute).and_then(decimal) {
            Some(value) => Ok(Number::Of(feature, value)),
            None => {
                self.refused
                    .get_or_insert("attributes that a feature does not have, or that are no numbers");
                Ok(Number::Sum(Vec::new()))
            }
        }
    }
    fn sum_of(&mut self, attribute: &str) -> Number {
        let mut parts = Vec::new();
        for (id, feature) in self.model.features().iter_enumerated() {
            if let Some(value) = feature.attribute(attribute) {
                match decimal(value) {
                    Some(value) => parts.push(('+', Number::Of(id, value))),
                    None => drop(self.refused.get_or_insert("sums of attributes that are no numbers")),
                }
            }
        }
        Number::Sum(parts)
    }
}

impl Number {
    /// Adds the features that it depends on.
    fn collect(&self, found: &mut BTreeSet<FeatureId>) {
        match self {
            Self::Constant(_) => {}
            Self::Of(feature, _) => drop(found.insert(*feature)),
            Self::Sum(parts) | Self::Product(parts) => parts.iter().for_each(|(_, part)| part.collect(found)),
        }
    }
    /// Its value for the selected features; `None` where it divides by 0.
    fn value(&self, selected: &[FeatureId]) -> Option<BigRational> {
        let zero = || BigRational::from(BigInt::ZERO);
        match self {
            Self::Constant(value) => Some(value.clone()),
            Self::Of(feature, value) => Some(if selected.contains(feature) {
                value.clone()
            } else {
                zero()
            }),
            Self::Sum(parts) => parts.iter().try_fold(zero(), |sum, (sign, part)| {
                let part = part.value(selected)?;
                Some(if *sign == '+' { sum + part } else { sum - part })
            }),
            Self::Product(parts) => {
                parts
                    .iter()
                    .try_fold(BigRational::from(BigInt::from(1)), |product, (sign, part)| {
                        let part = part.value(selected)?;
                        match sign {
                            '*' => Some(product * part),
                            _ => (part != zero()).then(|| product / part),
                        }
                    })
            }
        }
    }
}

/// Two numbers, and the sign between them.
struct Compared {
    left: Number,
    right: Number,
    sign: &'static str,
}

impl Compared {
    /// The condition on `open` features under which it holds, where the `selected` ones are selected and all others are
    /// not; `None` where it divides by 0.
    fn condition(&self, open: &[FeatureId], selected: &mut Vec<FeatureId>) -> Option<FeatureExpr> {
        let Some((first, rest)) = open.split_first() else {
            let (left, right) = (self.left.value(selected)?, self.right.value(selected)?);
            let holds = match self.sign {
                "==" => left == right,
                "!=" => left != right,
                "<" => left < right,
                ">" => left > right,
                "<=" => left <= right,
                _ => left >= right,
            };
            return Some(if holds { FeatureExpr::True } else { FeatureExpr::False });
        };
        let without = self.condition(rest, selected)?;
        selected.push(*first);
        let with = self.condition(rest, selected);
        selected.pop();
        let with = with?;
        let feature = FeatureExpr::from(*first);
        Some(match with == without {
            true => with,
            false => FeatureExpr::any([feature.clone().and(with), (!feature).and(without)]),
        })
    }
}

/// `12`, `-1.50`.
fn decimal(text: &str) -> Option<BigRational> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |digits: &str| digits.chars().all(|c| c.is_ascii_digit());
    let unsigned = whole.strip_prefix('-').unwrap_or(whole);
    if unsigned.is_empty() || !is_number(unsigned) || !is_number(fraction) || text.len() > 100 {
        return None;
    }
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let size = BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?);
    Some(BigRational::new(digits, size))
}

fn blanks(cursor: &mut Cursor<'_>) {
    cursor.take_while(char::is_whitespace);
}
