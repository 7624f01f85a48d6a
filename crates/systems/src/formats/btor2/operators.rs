//! The operators and their exact meaning.

use super::words::{BitVector, Make, size};
use crate::{Binary, Expr, ExprKind, Unary};

/// The widths of an operator's operands and of its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// All words have the width of the result.
    Same,
    /// The words have one width, the result is a bit.
    Test,
    /// All are bits.
    Bits,
    /// The width of the result is the sum.
    Concat,
    /// A bit, then words of the width of the result.
    Choice,
    /// A word, and the number of bits to put before it.
    Extension,
    /// A word, and the last and first bit to keep.
    Slice,
}

/// The operators that are read, with their number of words and their shape.
pub(super) const OPERATORS: [(&str, usize, Shape); 53] = [
    ("not", 1, Shape::Same),
    ("inc", 1, Shape::Same),
    ("dec", 1, Shape::Same),
    ("neg", 1, Shape::Same),
    ("redand", 1, Shape::Test),
    ("redor", 1, Shape::Test),
    ("redxor", 1, Shape::Test),
    ("sext", 1, Shape::Extension),
    ("uext", 1, Shape::Extension),
    ("slice", 1, Shape::Slice),
    ("iff", 2, Shape::Bits),
    ("implies", 2, Shape::Bits),
    ("eq", 2, Shape::Test),
    ("neq", 2, Shape::Test),
    ("ugt", 2, Shape::Test),
    ("ugte", 2, Shape::Test),
    ("ult", 2, Shape::Test),
    ("ulte", 2, Shape::Test),
    ("sgt", 2, Shape::Test),
    ("sgte", 2, Shape::Test),
    ("slt", 2, Shape::Test),
    ("slte", 2, Shape::Test),
    ("and", 2, Shape::Same),
    ("nand", 2, Shape::Same),
    ("nor", 2, Shape::Same),
    ("or", 2, Shape::Same),
    ("xnor", 2, Shape::Same),
    ("xor", 2, Shape::Same),
    ("rol", 2, Shape::Same),
    ("ror", 2, Shape::Same),
    ("sll", 2, Shape::Same),
    ("sra", 2, Shape::Same),
    ("srl", 2, Shape::Same),
    ("add", 2, Shape::Same),
    ("mul", 2, Shape::Same),
    ("sdiv", 2, Shape::Same),
    ("udiv", 2, Shape::Same),
    ("smod", 2, Shape::Same),
    ("srem", 2, Shape::Same),
    ("urem", 2, Shape::Same),
    ("sub", 2, Shape::Same),
    ("saddo", 2, Shape::Test),
    ("uaddo", 2, Shape::Test),
    ("sdivo", 2, Shape::Test),
    ("smulo", 2, Shape::Test),
    ("umulo", 2, Shape::Test),
    ("ssubo", 2, Shape::Test),
    ("usubo", 2, Shape::Test),
    ("concat", 2, Shape::Concat),
    ("ite", 3, Shape::Choice),
    // Operators without operands.
    ("one", 0, Shape::Same),
    ("ones", 0, Shape::Same),
    ("zero", 0, Shape::Same),
];

/// The result of `operator` on `words` as a word of `width`; `numbers` are its numeric arguments.
///
/// # Panics
/// If the operator is not in [`OPERATORS`], or its operands do not fit its shape.
pub(super) fn apply(make: Make, operator: &str, words: &[BitVector], numbers: &[u32], width: u32) -> Expr {
    match words {
        [] => match operator {
            "zero" => constant(make, 0, width),
            "one" => constant(make, 1, width),
            _ => constant(make, size(width) - 1, width),
        },
        [word] => one(make, operator, word, numbers, width),
        [left, right] => two(make, operator, left, right, width),
        [condition, yes, no] => {
            let parts = [condition, yes, no].map(|word| Box::new(word.expr.clone()));
            let [condition, yes, no] = parts;
            make.written(ExprKind::If(condition, yes, no))
        }
        _ => panic!("no operator has that number of operands"),
    }
}

/// A written constant; its mutants stay within the width.
pub(super) fn constant(make: Make, value: i64, width: u32) -> Expr {
    match width {
        1 => make.written(ExprKind::Bool(value == 1)),
        _ => make.wrapped_signed(make.written(ExprKind::Value(value)), width),
    }
}

fn one(make: Make, operator: &str, word: &BitVector, numbers: &[u32], width: u32) -> Expr {
    let number = || make.number(word);
    let ones = make.constant(size(word.width) - 1);
    let is = |value: i64| make.binary(Binary::Equal, number(), make.constant(value));
    match operator {
        "not" => inverted(make, word.expr.clone(), width),
        "inc" => make.wrapped(make.written_binary(Binary::Plus, number(), make.constant(1)), width),
        "dec" => make.wrapped_signed(make.written_binary(Binary::Minus, number(), make.constant(1)), width),
        "neg" => make.wrapped_signed(make.unary(Unary::Minus, number()), width),
        "redand" => make.binary(Binary::Equal, number(), ones),
        "redor" => make.unary(Unary::Not, is(0)),
        "redxor" => {
            let bit = |at: u32| make.slice(word, at, 1);
            (1..word.width).fold(bit(0), |parity, at| make.binary(Binary::Xor, parity, bit(at)))
        }
        "uext" => make.word(number(), width),
        "sext" => {
            let above = make.constant(size(width) - size(word.width));
            let filled = make.binary(Binary::Plus, number(), above);
            make.word(make.choose(make.is_negative(word), filled, number()), width)
        }
        "slice" => make.slice(word, numbers[1], width),
        _ => panic!("`{operator}` has not one operand"),
    }
}

/// The complement of a word.
pub(super) fn inverted(make: Make, word: Expr, width: u32) -> Expr {
    match width {
        1 => make.unary(Unary::Not, word),
        _ => make.binary(Binary::Minus, make.constant(size(width) - 1), word),
    }
}

fn two(make: Make, operator: &str, left: &BitVector, right: &BitVector, width: u32) -> Expr {
    let written = |operator: Binary| make.written_binary(operator, left.expr.clone(), right.expr.clone());
    let compared = |operator: Binary| make.written_binary(operator, make.number(left), make.number(right));
    let signed = |operator: Binary| make.written_binary(operator, make.signed(left), make.signed(right));
    let bitwise = |bits: Binary, words: Binary| written(if width == 1 { bits } else { words });
    match operator {
        "iff" => written(Binary::Iff),
        "implies" => written(Binary::Implies),
        "eq" => written(Binary::Equal),
        "neq" => written(Binary::Unequal),
        "ugt" => compared(Binary::Greater),
        "ugte" => compared(Binary::GreaterEqual),
        "ult" => compared(Binary::Less),
        "ulte" => compared(Binary::LessEqual),
        "sgt" => signed(Binary::Greater),
        "sgte" => signed(Binary::GreaterEqual),
        "slt" => signed(Binary::Less),
        "slte" => signed(Binary::LessEqual),
        "and" => bitwise(Binary::And, Binary::BitAnd),
        "or" => bitwise(Binary::Or, Binary::BitOr),
        "xor" => bitwise(Binary::Xor, Binary::BitXor),
        "nand" => inverted(make, bitwise(Binary::And, Binary::BitAnd), width),
        "nor" => inverted(make, bitwise(Binary::Or, Binary::BitOr), width),
        "xnor" => inverted(make, bitwise(Binary::Xor, Binary::BitXor), width),
        "add" => make.wrapped(compared(Binary::Plus), width),
        "sub" => make.wrapped_signed(compared(Binary::Minus), width),
        "mul" => make.wrapped(compared(Binary::Times), width),
        "udiv" | "urem" | "sdiv" | "srem" | "smod" => divided(make, operator, left, right, width),
        "rol" | "ror" | "sll" | "srl" | "sra" => shifted(make, operator, left, right, width),
        "concat" => {
            let above = make.binary(Binary::Times, make.number(left), make.constant(size(right.width)));
            make.written_binary(Binary::Plus, above, make.number(right))
        }
        _ => overflows(make, operator, left, right),
    }
}

/// Division as in SMT-LIB: by zero the quotient is all ones (1 for a negative word), and the remainder is the word
/// itself.
fn divided(make: Make, operator: &str, left: &BitVector, right: &BitVector, width: u32) -> Expr {
    let by_zero = make.binary(Binary::Equal, make.number(right), make.constant(0));
    let ones = make.constant(size(width) - 1);
    let signs = || (make.signed(left), make.signed(right));
    let (exceptional, regular) = match operator {
        "udiv" => (
            ones,
            make.written_binary(Binary::Divide, make.number(left), make.number(right)),
        ),
        "urem" => (
            make.number(left),
            make.written_binary(Binary::Modulo, make.number(left), make.number(right)),
        ),
        "sdiv" => {
            let (left_number, right_number) = signs();
            let quotient = make.written_binary(Binary::Divide, left_number, right_number);
            (make.choose(make.is_negative(left), make.constant(1), ones), quotient)
        }
        "srem" => {
            let (left_number, right_number) = signs();
            (
                make.number(left),
                make.written_binary(Binary::Modulo, left_number, right_number),
            )
        }
        _ => {
            // The remainder with the sign of the divisor.
            let (left_number, right_number) = signs();
            let rest = make.binary(Binary::Modulo, left_number, right_number.clone());
            let moved = make.binary(Binary::Plus, rest, right_number.clone());
            (
                make.number(left),
                make.written_binary(Binary::Modulo, moved, right_number),
            )
        }
    };
    let number = make.choose(by_zero, exceptional, regular);
    make.wrapped_signed(number, width)
}

/// A shift or rotation: a case for each distance.
fn shifted(make: Make, operator: &str, left: &BitVector, right: &BitVector, width: u32) -> Expr {
    let word = || make.number(left);
    let times = |places: u32| make.binary(Binary::Times, word(), make.constant(size(places)));
    let over = |places: u32| make.binary(Binary::Divide, word(), make.constant(size(places)));
    let low = |number: Expr| make.binary(Binary::Modulo, number, make.constant(size(width)));
    let turned = |up: u32| make.binary(Binary::Plus, low(times(up)), over(width - up));
    let filled = |places: u32| {
        let above = make.constant(size(width) - size(width - places));
        let filled = make.binary(Binary::Plus, over(places), above);
        make.choose(make.is_negative(left), filled, over(places))
    };
    let by = |places: u32| match operator {
        "sll" => low(times(places)),
        "srl" => over(places),
        "sra" => filled(places),
        "rol" => turned(places),
        _ => turned((width - places) % width),
    };
    let amount = match operator {
        // A rotation by the width changes nothing.
        "rol" | "ror" => make.binary(Binary::Modulo, make.number(right), make.constant(i64::from(width))),
        _ => make.number(right),
    };
    let beyond = match operator {
        "sra" => make.choose(make.is_negative(left), make.constant(size(width) - 1), make.constant(0)),
        _ => make.constant(0),
    };
    let cases = (0..width).rev().fold(beyond, |otherwise, places| {
        let is = make.binary(Binary::Equal, amount.clone(), make.constant(i64::from(places)));
        make.choose(is, by(places), otherwise)
    });
    make.word(cases, width)
}

/// Whether the result overflows.
fn overflows(make: Make, operator: &str, left: &BitVector, right: &BitVector) -> Expr {
    let half = size(left.width - 1);
    let plain = |operator: Binary| make.written_binary(operator, make.number(left), make.number(right));
    let signed = |operator: Binary| {
        let result = make.written_binary(operator, make.signed(left), make.signed(right));
        let below = make.binary(Binary::Less, result.clone(), make.constant(-half));
        let above = make.binary(Binary::GreaterEqual, result, make.constant(half));
        make.binary(Binary::Or, below, above)
    };
    let beyond = |result: Expr| make.binary(Binary::GreaterEqual, result, make.constant(size(left.width)));
    match operator {
        "uaddo" => beyond(plain(Binary::Plus)),
        "umulo" => beyond(plain(Binary::Times)),
        "usubo" => make.binary(Binary::Less, make.number(left), make.number(right)),
        "saddo" => signed(Binary::Plus),
        "ssubo" => signed(Binary::Minus),
        "smulo" => signed(Binary::Times),
        "sdivo" => {
            let least = make.binary(Binary::Equal, make.number(left), make.constant(half));
            let minus_one = make.constant(size(right.width) - 1);
            let by_minus_one = make.binary(Binary::Equal, make.number(right), minus_one);
            make.binary(Binary::And, least, by_minus_one)
        }
        _ => panic!("`{operator}` has not two operands"),
    }
}
