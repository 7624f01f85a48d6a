//! Expressions and functions against a plain evaluation.

use tamper::formats::read_network;
use tamper::network::{View, compose};
use tamper::text::Budget;

use super::nets::Random;

/// `int a = 2, b = -3; int t[4] = {5, -1, 0, 7};` and the variables of quantifiers.
struct World {
    a: i64,
    b: i64,
    t: [i64; 4],
    bound: Vec<i64>,
}

/// A random expression: its text, and how it is evaluated. None where it means nothing (division by zero, no such
/// element, a number beyond 32 bits).
type Plain = Box<dyn Fn(&mut World) -> Option<i64>>;

fn expression(random: &mut Random, depth: usize, bound: usize) -> (String, Plain) {
    let leaf = depth == 0 || random.chance(15);
    if leaf {
        return match random.below(if bound > 0 { 5 } else { 4 }) {
            0 => {
                let value = random.number(0, 9);
                (value.to_string(), Box::new(move |_| Some(value)))
            }
            1 => ("a".to_owned(), Box::new(|world| Some(world.a))),
            2 => ("b".to_owned(), Box::new(|world| Some(world.b))),
            3 => ("false".to_owned(), Box::new(|_| Some(0))),
            _ => {
                let at = random.below(bound);
                (format!("q{at}"), Box::new(move |world| Some(world.bound[at])))
            }
        };
    }
    let (text, x) = expression(random, depth - 1, bound);
    match random.below(9) {
        0 => (format!("(-{text})"), Box::new(move |world| Some(-x(world)?))),
        1 => (
            format!("(!{text})"),
            Box::new(move |world| Some(i64::from(x(world)? == 0))),
        ),
        2 => {
            let (index, plain): (String, Plain) = (
                format!("t[{text}]"),
                Box::new(move |world| {
                    let at = usize::try_from(x(world)?).ok()?;
                    world.t.get(at).copied()
                }),
            );
            (index, plain)
        }
        3 => {
            let (then, y) = expression(random, depth - 1, bound);
            let (other, z) = expression(random, depth - 1, bound);
            (
                format!("({text} ? {then} : {other})"),
                Box::new(move |world| if x(world)? != 0 { y(world) } else { z(world) }),
            )
        }
        4 => {
            let kind = random.below(3);
            let word = ["forall", "exists", "sum"][kind];
            let (body, y) = expression(random, depth - 1, bound + 1);
            let plain: Plain = Box::new(move |world| {
                let mut values = Vec::new();
                for value in 0..=2 {
                    world.bound.truncate(bound);
                    world.bound.push(value);
                    let value = y(world);
                    // A quantifier asks no further than it must.
                    let decided =
                        matches!((kind, value), (0, Some(0))) || (kind == 1 && value.is_some_and(|value| value != 0));
                    values.push(value?);
                    if decided {
                        break;
                    }
                }
                world.bound.truncate(bound);
                Some(match kind {
                    0 => i64::from(values.iter().all(|value| *value != 0)),
                    1 => i64::from(values.iter().any(|value| *value != 0)),
                    _ => values.iter().sum(),
                })
            });
            (format!("({word} (q{bound} : int[0,2]) {body})"), plain)
        }
        5 => {
            let plain: Plain = Box::new(move |world| {
                // The function below: the sum of the elements up to n, or 100 where n is above 3.
                let n = x(world)?;
                if !(-9..=9).contains(&n) {
                    return None;
                }
                Some(if n > 3 {
                    100
                } else {
                    (0..=n).map(|at| world.t[usize::try_from(at).unwrap()]).sum()
                })
            });
            (format!("upto({text})"), plain)
        }
        _ => {
            let (other, y) = expression(random, depth - 1, bound);
            let at = random.below(12);
            let sign = ["+", "-", "*", "/", "%", "<", "==", "&&", "||", "imply", "<?", ">?"][at];
            let plain: Plain = Box::new(move |world| {
                let a = x(world)?;
                match at {
                    7 if a == 0 => return Some(0),
                    8 if a != 0 => return Some(1),
                    9 if a == 0 => return Some(1),
                    _ => {}
                }
                let b = y(world)?;
                match at {
                    0 => Some(a + b),
                    1 => Some(a - b),
                    2 => Some(a * b),
                    3 => (b != 0).then(|| a / b),
                    4 => (b != 0).then(|| a % b),
                    5 => Some(i64::from(a < b)),
                    6 => Some(i64::from(a == b)),
                    7..=9 => Some(i64::from(b != 0)),
                    10 => Some(a.min(b)),
                    _ => Some(a.max(b)),
                }
            });
            (format!("({text} {sign} {other})"), plain)
        }
    }
}

#[test]
fn expressions_have_the_value_that_plain_evaluation_gives() {
    let mut random = Random(7);
    let (mut valid, mut faults) = (0, 0);
    for case in 0..1_500 {
        let (text, plain) = expression(&mut random, 4, 0);
        let mut world = World {
            a: 2,
            b: -3,
            t: [5, -1, 0, 7],
            bound: Vec::new(),
        };
        let expected = plain(&mut world).filter(|value| i32::try_from(*value).is_ok());
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let xml = format!(
            "<nta><declaration>int[-9,9] a = 2, b = -3; int t[4] = {{5, -1, 0, 7}}; int[-2147483647,2147483647] r;
            int upto(int[-9,9] n) {{ int s; int i; if (n &gt; 3) return 100; for (i = 0; i &lt;= n; i++) {{ s += t[i]; }} return s; }}
            </declaration><template><name>P</name><location id=\"a\"><name>A</name></location><location id=\"b\"><name>B</name></location>
            <init ref=\"a\"/><transition><source ref=\"a\"/><target ref=\"b\"/><label kind=\"assignment\">r = {escaped}</label></transition>
            </template><system>system P;</system></nta>"
        );
        let result = match read_network("e.xml", xml.as_bytes()) {
            Ok((file, _)) => {
                let view = View::closed("S", &file.network);
                compose(&file.network, &view, &Budget::unlimited()).map_err(|error| error.to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        match (expected, result) {
            (Some(value), Ok(composed)) => {
                valid += 1;
                let end = composed.states.last().expect("two states");
                assert!(
                    end.starts_with("P.B ") && end.ends_with(&format!(" r={value}")),
                    "case {case}: {text} is {value}, not {end}"
                );
            }
            (None, Err(_)) => faults += 1,
            // An element that an array does not have is refused where it is written, evaluated or not.
            (Some(_), Err(error)) if error.contains("the index") => faults += 1,
            (expected, result) => panic!(
                "case {case}: {text}: expected {expected:?}, found {:?}",
                result.map(|found| found.states)
            ),
        }
    }
    assert!(valid > 500 && faults > 50, "{valid} values, {faults} faults");
}
