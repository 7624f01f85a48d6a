//! Expressions and functions against a plain evaluation.

use std::cell::Cell;

use tamper::formats::{ReadOptions, read_bytes, read_network, read_xta_network};
use tamper::model::{Update, Valuation};
use tamper::network::{View, compose};
use tamper::text::Budget;

use super::composition::from_environment;
use super::nets::Random;

/// The variables: the initial values that [`file`] declares.
const NAMES: [(&str, i128); 5] = [
    ("a", 2),
    ("b", -3),
    ("least", -2_147_483_648),
    ("most", 2_147_483_647),
    ("half", 65_536),
];
const ELEMENTS: [i128; 4] = [5, -1, 0, 7];
const OTHERS: [i128; 4] = [1, 2, 3, 4];
/// Numbers around which 32 bits end, or products and powers leave them.
const EDGES: [i128; 8] = [2_147_483_647, 1_073_741_824, 65_536, 65_535, 46_341, 46_340, 32, 31];
const SIGNS: [&str; 23] = [
    "+", "-", "*", "/", "%", "**", "<", "<=", "==", "!=", ">=", ">", "&&", "||", "imply", "xor", "<?", ">?", "&", "|",
    "^", "<<", ">>",
];

/// An expression, evaluated in numbers that never overflow, which are wrapped around by a remainder.
#[derive(Clone, Debug)]
enum Plain {
    Number(i128),
    Name(usize),
    /// A quantifier's variable, by its nesting.
    Bound(usize),
    /// A word or sign before one operand.
    Before(&'static str, Box<Plain>),
    Element(Box<Plain>),
    /// The element of one of two arrays: where the first is not 0, of [`ELEMENTS`], else of [`OTHERS`].
    ElementOf(Box<[Plain; 2]>),
    Choice(Box<[Plain; 3]>),
    Quantified(&'static str, Box<Plain>),
    Between(&'static str, Box<[Plain; 2]>),
}

thread_local! {
    /// Whether a number left 32 bits.
    static HAS_WRAPPED: Cell<bool> = const { Cell::new(false) };
}

const LEAST: i128 = -(1 << 31);

fn wrapped(value: i128) -> i128 {
    let inside = (value - LEAST).rem_euclid(1 << 32) + LEAST;
    HAS_WRAPPED.set(HAS_WRAPPED.get() || inside != value);
    inside
}

impl Plain {
    fn random(random: &mut Random, depth: usize, bound: usize) -> Self {
        let inner = |random: &mut Random| Self::random(random, depth - 1, bound);
        if depth == 0 || random.chance(15) {
            return match random.below(if bound > 0 { 5 } else { 4 }) {
                0 => Self::Number(random.number(0, 9).into()),
                1 => Self::Number(EDGES[random.below(EDGES.len())]),
                2 | 3 => Self::Name(random.below(NAMES.len())),
                _ => Self::Bound(random.below(bound)),
            };
        }
        match random.below(11) {
            0 => Self::Before(["-", "!"][random.below(2)], inner(random).into()),
            1 => Self::Before(["abs", "fint", "upto"][random.below(3)], inner(random).into()),
            2 if random.chance(50) => Self::ElementOf([(); 2].map(|()| inner(random)).into()),
            2 => Self::Element(inner(random).into()),
            3 => Self::Choice([(); 3].map(|()| inner(random)).into()),
            4 => {
                let body = Self::random(random, depth - 1, bound + 1);
                Self::Quantified(["forall", "exists", "sum"][random.below(3)], body.into())
            }
            _ => Self::Between(SIGNS[random.below(SIGNS.len())], [(); 2].map(|()| inner(random)).into()),
        }
    }

    /// The text, inside that many quantifiers.
    fn text(&self, bound: usize) -> String {
        match self {
            Self::Number(value) => value.to_string(),
            Self::Name(at) => NAMES[*at].0.to_owned(),
            Self::Bound(at) => format!("q{at}"),
            Self::Before(sign @ ("-" | "!"), of) => format!("({sign}{})", of.text(bound)),
            Self::Before(word, of) => format!("{word}({})", of.text(bound)),
            Self::Element(at) => format!("t[{}]", at.text(bound)),
            Self::ElementOf(parts) => {
                let [test, at] = parts.each_ref().map(|part| part.text(bound));
                format!("({test} ? t : u)[{at}]")
            }
            Self::Choice(parts) => {
                let [test, then, other] = parts.each_ref().map(|part| part.text(bound));
                format!("({test} ? {then} : {other})")
            }
            Self::Quantified(word, body) => format!("({word} (q{bound} : int[0,2]) {})", body.text(bound + 1)),
            Self::Between(sign, parts) => {
                let [left, right] = parts.each_ref().map(|part| part.text(bound));
                format!("({left} {sign} {right})")
            }
        }
    }

    /// The value; `None` where it means nothing.
    fn value(&self, bound: &mut Vec<i128>) -> Option<i128> {
        match self {
            Self::Number(value) => Some(*value),
            Self::Name(at) => Some(NAMES[*at].1),
            Self::Bound(at) => Some(bound[*at]),
            Self::Before(word, of) => {
                let value = of.value(bound)?;
                match *word {
                    "-" => Some(wrapped(-value)),
                    "!" => Some((value == 0).into()),
                    "abs" => Some(wrapped(value.abs())),
                    "upto" => upto(value),
                    _ => Some(value),
                }
            }
            Self::Element(at) => ELEMENTS.get(usize::try_from(at.value(bound)?).ok()?).copied(),
            Self::ElementOf(parts) => {
                let array = if parts[0].value(bound)? != 0 { ELEMENTS } else { OTHERS };
                array.get(usize::try_from(parts[1].value(bound)?).ok()?).copied()
            }
            Self::Choice(parts) => {
                let chosen = if parts[0].value(bound)? != 0 { 1 } else { 2 };
                parts[chosen].value(bound)
            }
            Self::Quantified(word, body) => {
                let mut sum = 0;
                for value in 0..=2 {
                    bound.push(value);
                    let found = body.value(bound);
                    bound.pop();
                    // A quantifier asks no further than it must.
                    match (*word, found? != 0) {
                        ("forall", false) => return Some(0),
                        ("exists", true) => return Some(1),
                        _ => sum = wrapped(sum + found?),
                    }
                }
                Some(match *word {
                    "forall" => 1,
                    "exists" => 0,
                    _ => sum,
                })
            }
            Self::Between(sign, parts) => {
                let a = parts[0].value(bound)?;
                match (*sign, a != 0) {
                    ("&&", false) => Some(0),
                    ("||", true) | ("imply", false) => Some(1),
                    _ => between(sign, a, parts[1].value(bound)?),
                }
            }
        }
    }

    /// Smaller expressions to try instead, without variables whose quantifier is gone.
    fn smaller(&self, bound: usize) -> Vec<Self> {
        let children: Vec<&Self> = match self {
            Self::Number(_) | Self::Name(_) | Self::Bound(_) => return Vec::new(),
            Self::Before(_, of) | Self::Element(of) | Self::Quantified(_, of) => vec![of],
            Self::Choice(parts) => parts.iter().collect(),
            Self::Between(_, parts) | Self::ElementOf(parts) => parts.iter().collect(),
        };
        let inside = bound + usize::from(matches!(self, Self::Quantified(..)));
        let mut all: Vec<Self> = children.iter().map(|child| (*child).clone()).collect();
        all.retain(|child| inside == bound || !child.text(inside).contains('q'));
        for at in 0..children.len() {
            for small in children[at].smaller(inside) {
                let mut whole = self.clone();
                match &mut whole {
                    Self::Before(_, of) | Self::Element(of) | Self::Quantified(_, of) => **of = small,
                    Self::Choice(parts) => parts[at] = small,
                    Self::Between(_, parts) | Self::ElementOf(parts) => parts[at] = small,
                    Self::Number(_) | Self::Name(_) | Self::Bound(_) => unreachable!("it has children"),
                }
                all.push(whole);
            }
        }
        all
    }
}

/// The function of [`file`]: the sum of the elements up to n, or 100 where n is above 3.
fn upto(n: i128) -> Option<i128> {
    match n {
        4..=9 => Some(100),
        -9..=3 => Some((0..=n).map(|at| ELEMENTS[usize::try_from(at).unwrap()]).sum()),
        _ => None,
    }
}

fn between(sign: &str, a: i128, b: i128) -> Option<i128> {
    let truth = |holds: bool| Some(i128::from(holds));
    let distance = || u32::try_from(b).ok().filter(|by| *by <= 31);
    match sign {
        "+" => Some(wrapped(a + b)),
        "-" => Some(wrapped(a - b)),
        "*" => Some(wrapped(a * b)),
        "/" | "%" if b == 0 || (a == LEAST && b == -1) => None,
        "/" => Some(a.abs() / b.abs() * a.signum() * b.signum()),
        "%" => Some(a.abs() % b.abs() * a.signum()),
        "**" => {
            // By hand, one factor after the other; a base of more than one digit leaves 32 bits soon.
            let steps = usize::try_from(b).ok()?;
            let steps = if a.abs() < 2 {
                steps % 2 + 2 * usize::from(steps > 1)
            } else {
                steps
            };
            let power = (0..steps).try_fold(1, |all: i128, _| Some(all * a).filter(|all| all.abs() <= 1 << 31));
            power.filter(|value| (LEAST..-LEAST).contains(value))
        }
        "<" => truth(a < b),
        "<=" => truth(a <= b),
        "==" => truth(a == b),
        "!=" => truth(a != b),
        ">=" => truth(a >= b),
        ">" => truth(a > b),
        "&&" | "||" | "imply" => truth(b != 0),
        "xor" => truth((a != 0) != (b != 0)),
        "<?" => Some(a.min(b)),
        ">?" => Some(a.max(b)),
        "&" => Some(a & b),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        "<<" => Some(wrapped(a * (1 << distance()?))),
        _ => Some(a.div_euclid(1 << distance()?)),
    }
}

fn file(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<nta><declaration>int a = 2, b = -3; int32_t least = INT32_MIN, most = INT32_MAX, half = 65536;
        int t[4] = {{5, -1, 0, 7}}, u[4] = {{1, 2, 3, 4}}; int32_t r;
        int upto(int[-9,9] n) {{ int s; int i; if (n &gt; 3) return 100; for (i = 0; i &lt;= n; i++) {{ s += t[i]; }} return s; }}
        </declaration><template><name>P</name><location id=\"a\"><name>A</name></location><location id=\"b\"><name>B</name></location>
        <init ref=\"a\"/><transition><source ref=\"a\"/><target ref=\"b\"/><label kind=\"synchronisation\"></label>
        <label kind=\"assignment\">r = {escaped}</label></transition></template><system>system P;</system></nta>"
    )
}

/// What the network makes of `expression`, if that is not its value.
fn differs(expression: &Plain) -> Option<String> {
    let expected = expression.value(&mut Vec::new());
    let xml = file(&expression.text(0));
    let result = match read_network("e.xml", xml.as_bytes()) {
        Ok((file, _)) => {
            let view = View::closed("S", &file.network);
            let composed = compose(&file.network, &view, &Budget::unlimited());
            let states = composed.map(|composed| super::composition::states_in_words(&composed, &file.network));
            states.map_err(|error| error.to_string())
        }
        Err(error) => Err(error.to_string()),
    };
    match (expected, result) {
        (Some(value), Ok(states)) => {
            let end = states.last().expect("two states").clone();
            (!end.ends_with(&format!(" r={value}"))).then_some(end)
        }
        (None, Err(_)) => None,
        (_, Ok(states)) => states.last().cloned(),
        (_, Err(error)) => Some(error),
    }
}

/// What the process as a game by itself makes of `expression`, if that is not its value; a game has no elements, calls and
/// quantifiers.
fn differs_alone(expression: &Plain, n_read: &mut u64) -> Option<String> {
    let text = expression.text(0);
    let (document, _) = read_bytes("e.xml", file(&text).as_bytes(), &ReadOptions::default()).ok()?;
    let game = document.automata().first()?;
    let Update::Assign(_, value) = game.edges().iter().next()?.updates.first()? else {
        return None;
    };
    *n_read += 1;
    let ints: Vec<i32> = game.ints().iter().map(|int| int.initial).collect();
    let valuation = Valuation {
        ints: &ints,
        selects: &[],
    };
    let found = value.eval(valuation).ok().map(i128::from);
    (found != expression.value(&mut Vec::new())).then(|| format!("{found:?}"))
}

/// The smallest expression around that is still wrong.
fn shrunk(mut expression: Plain, wrong: &impl Fn(&Plain) -> bool) -> Plain {
    while let Some(small) = expression.smaller(0).into_iter().find(wrong) {
        expression = small;
    }
    expression
}

#[test]
fn expressions_have_the_value_that_plain_evaluation_gives() {
    let n_cases = from_environment("TAMPER_CASES", 2_000);
    let mut random = Random(from_environment("TAMPER_SEED", 7));
    let (mut n_valid, mut n_alone, mut n_wrapped) = (0, 0, 0);
    for case in 0..n_cases {
        let expression = Plain::random(&mut random, 4, 0);
        HAS_WRAPPED.set(false);
        let is_valid = expression.value(&mut Vec::new()).is_some();
        n_valid += u64::from(is_valid);
        n_wrapped += u64::from(is_valid && HAS_WRAPPED.get());
        let wrong = |expression: &Plain| {
            let found = differs(expression).or_else(|| differs_alone(expression, &mut 0));
            found.is_some()
        };
        let found = differs(&expression).or_else(|| differs_alone(&expression, &mut n_alone));
        if found.is_some() {
            let small = shrunk(expression, &wrong);
            let found = differs(&small).or_else(|| differs_alone(&small, &mut 0));
            let value = small.value(&mut Vec::new());
            panic!("case {case}: {} is {value:?}, not {found:?}", small.text(0));
        }
    }
    println!(
        "{n_cases} expressions: {n_valid} have a value, of {n_wrapped} a part leaves 32 bits, {n_alone} are read as games"
    );
    assert!(n_wrapped > n_cases / 30, "{n_wrapped} of {n_cases} leave 32 bits");
    assert!(
        n_valid > n_cases / 3 && n_valid < n_cases,
        "{n_valid} of {n_cases} have a value"
    );
    assert!(n_alone > n_cases / 20, "{n_alone} of {n_cases} are read as games");
}

/// Structures with clocks against the same clocks by name, in the order of the structures' parts.
#[test]
fn clocks_of_structures_are_clocks_beside_them() {
    let composed = |declared: &str, edges: &[[&str; 2]]| {
        let edges: Vec<String> = edges
            .iter()
            .map(|[guard, updates]| format!("A -> A {{ guard {guard}; assign {updates}; }}"))
            .collect();
        let text = format!(
            "{declared} process P() {{ state A; init A; trans {}; }} system P;",
            edges.join(", ")
        );
        let (file, _) = read_xta_network("s.xta", text.as_bytes()).expect("a network");
        let view = View::closed("S", &file.network);
        let composed = compose(&file.network, &view, &Budget::unlimited()).expect("a composition");
        let edges = composed.automaton.edges().iter();
        let edges: Vec<_> = edges
            .map(|edge| (edge.source, edge.target, edge.guard.clone(), edge.updates.clone()))
            .collect();
        (composed.automaton.clocks().len(), edges)
    };
    let with = composed(
        "typedef struct { int k; clock c; bool b; clock d[2]; } t_t; t_t t[2]; int[0,1] i = 1, j;",
        &[[
            "t[1].c >= 3 && t[i].d[j] <= 4 && t[i].c - t[0].d[1] < 2 && t[1].k == 0 && !t[i].b",
            "t[i].d[1 - j] = 2, t[1 - i].k = 5, t[0].b = true, t[i].c = 1, j = 1 - j",
        ]],
    );
    let without = composed(
        "int k0, k1; bool b0, b1; clock c0, d00, d01, c1, d10, d11; int[0,1] j;",
        &[
            [
                "j == 0 && c1 >= 3 && d10 <= 4 && c1 - d01 < 2 && k1 == 0 && !b1",
                "d11 = 2, k0 = 5, b0 = true, c1 = 1, j = 1",
            ],
            [
                "j == 1 && c1 >= 3 && d11 <= 4 && c1 - d01 < 2 && k1 == 0 && !b1",
                "d10 = 2, k0 = 5, b0 = true, c1 = 1, j = 0",
            ],
        ],
    );
    assert_eq!(with, without);
    // The start, and both values of j after it.
    assert_eq!(with.1.len(), 3);
}
