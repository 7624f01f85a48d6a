//! Words of SMV on all values, against plain arithmetic on bits, and against NuSMV if it is there: random expressions, with the
//! type of each part.

use std::collections::BTreeMap;
use std::rc::Rc;

use tamper_features::Random;
use tamper_systems::formats::smv::read_smv;
use tamper_systems::{KillStrength, Missing, Pair, decide, explore, mutations};
use tamper_text::Budget;

use super::btor2::{function, mask, signed};
use super::files::{nusmv, program, properties};
use super::written::states;

/// A width, and whether it is signed.
type Kind = (u32, bool);
/// The bits of an expression for those of `a` and `b`.
type Bits = Rc<dyn Fn(u64, u64) -> u64>;

/// A truth value is a word of no type.
struct Part {
    text: String,
    kind: Option<Kind>,
    bits: Bits,
}

fn number(bits: u64, (width, is_signed): Kind) -> i64 {
    if is_signed {
        signed(bits, width)
    } else {
        bits.cast_signed()
    }
}

/// A word of that type.
fn word(random: &mut Random, kind: Kind, inputs: [Kind; 2], depth: usize) -> Part {
    let (width, is_signed) = kind;
    let part = |text: String, bits: Bits| Part {
        text,
        kind: Some(kind),
        bits: Rc::new(move |a, b| bits(a, b) & mask(width)),
    };
    // Of an unsigned word.
    let cast = |text: String| if is_signed { format!("signed({text})") } else { text };
    if depth == 0 {
        let (name, own, read): (_, _, Bits) = match random.below(3) {
            0 => ("a", inputs[0], Rc::new(|a, _| a)),
            1 => ("b", inputs[1], Rc::new(|_, b| b)),
            _ => {
                let value = random.below(1 << width) as u64;
                let sign = if is_signed { "s" } else { "u" };
                // Signed decimals have no bit for the sign, but for the least number.
                let most = if is_signed && value > 1 << (width - 1) { 2 } else { 3 };
                let text = match random.below(most) {
                    0 => format!("0{sign}b{width}_{value:b}"),
                    1 => format!("0{sign}h{width}_{value:x}"),
                    _ => format!("0{sign}d{width}_{value}"),
                };
                return part(text, Rc::new(move |_, _| value));
            }
        };
        // Cut, or made longer, to what is wanted; as unsigned words, whose bits these are.
        let bits = if own.1 {
            format!("unsigned({name})")
        } else {
            name.to_owned()
        };
        let text = match own.0.cmp(&width) {
            std::cmp::Ordering::Less => format!("extend({bits}, {})", width - own.0),
            std::cmp::Ordering::Equal if own == kind => return part(name.to_owned(), read),
            std::cmp::Ordering::Equal => bits,
            std::cmp::Ordering::Greater if random.below(2) == 0 => format!("resize({bits}, {width})"),
            std::cmp::Ordering::Greater => format!("{name}[{}:0]", width - 1),
        };
        return part(cast(text), read);
    }
    let operand = |random: &mut Random| word(random, kind, inputs, depth - 1);
    match random.below(14) {
        0 => {
            let low = random.below(3) as u32;
            let wide = of_width(random, width + low, inputs, depth - 1);
            let text = cast(format!("({})[{}:{low}]", wide.text, width + low - 1));
            part(text, Rc::new(move |a, b| (wide.bits)(a, b) >> low))
        }
        1 if width > 1 => {
            let low = 1 + random.below(width as usize - 1) as u32;
            let high = of_width(random, width - low, inputs, depth - 1);
            let rest = of_width(random, low, inputs, depth - 1);
            let text = cast(format!("({}) :: ({})", high.text, rest.text));
            part(text, Rc::new(move |a, b| (high.bits)(a, b) << low | (rest.bits)(a, b)))
        }
        2 => {
            let one = operand(random);
            part(format!("!({})", one.text), Rc::new(move |a, b| !(one.bits)(a, b)))
        }
        3 => {
            let one = operand(random);
            part(
                format!("-({})", one.text),
                Rc::new(move |a, b| (one.bits)(a, b).wrapping_neg()),
            )
        }
        4 => {
            let (one, places) = (operand(random), random.below(width as usize + 1) as u32);
            let to_left = random.below(2) == 0;
            let text = format!("({}) {} {places}", one.text, if to_left { "<<" } else { ">>" });
            let bits = move |a, b| match to_left {
                true => (one.bits)(a, b) << places,
                false => (number((one.bits)(a, b), kind) >> places).cast_unsigned(),
            };
            part(text, Rc::new(bits))
        }
        5 => {
            let (condition, yes, no) = (truth(random, inputs, depth - 1), operand(random), operand(random));
            let text = match random.below(2) {
                0 => format!("(({}) ? ({}) : ({}))", condition.text, yes.text, no.text),
                _ => format!("case {} : {}; TRUE : {}; esac", condition.text, yes.text, no.text),
            };
            part(
                text,
                Rc::new(move |a, b| match (condition.bits)(a, b) {
                    0 => (no.bits)(a, b),
                    _ => (yes.bits)(a, b),
                }),
            )
        }
        6 => {
            // By a constant that is not 0.
            let (one, by) = (operand(random), 1 + random.below(mask(width) as usize) as u64);
            let by_text = if is_signed {
                format!("0sb{width}_{by:b}")
            } else {
                format!("0ud{width}_{by}")
            };
            let (name, is_rest) = if random.below(2) == 0 {
                ("/", false)
            } else {
                ("mod", true)
            };
            let text = format!("({}) {name} {by_text}", one.text);
            let bits = move |a, b| {
                let (own, by) = (number((one.bits)(a, b), kind), number(by, kind));
                (if is_rest { own % by } else { own / by }).cast_unsigned()
            };
            part(text, Rc::new(bits))
        }
        7 if width > 2 => {
            let one = word(random, (width - 1, is_signed), inputs, depth - 1);
            let name = if random.below(2) == 0 {
                format!("extend({}, 1)", one.text)
            } else {
                format!("resize({}, {width})", one.text)
            };
            part(
                name,
                Rc::new(move |a, b| number((one.bits)(a, b), (width - 1, is_signed)).cast_unsigned()),
            )
        }
        8 if width == 1 => {
            let one = truth(random, inputs, depth - 1);
            part(cast(format!("word1({})", one.text)), one.bits)
        }
        _ => {
            let (left, right) = (operand(random), operand(random));
            let sign = ["+", "-", "*", "&", "|", "xor", "xnor", "->", "<->"][random.below(9)];
            let text = format!("({}) {sign} ({})", left.text, right.text);
            let bits = move |a, b| {
                let (left, right) = ((left.bits)(a, b), (right.bits)(a, b));
                match sign {
                    "+" => left.wrapping_add(right),
                    "-" => left.wrapping_sub(right),
                    "*" => left.wrapping_mul(right),
                    "&" => left & right,
                    "|" => left | right,
                    "xor" => left ^ right,
                    "->" => !left | right,
                    _ => !(left ^ right),
                }
            };
            part(text, Rc::new(bits))
        }
    }
}

fn of_width(random: &mut Random, width: u32, inputs: [Kind; 2], depth: usize) -> Part {
    let is_signed = random.below(2) == 0;
    word(random, (width, is_signed), inputs, depth)
}

/// A truth value about words.
fn truth(random: &mut Random, inputs: [Kind; 2], depth: usize) -> Part {
    let kind = (1 + random.below(4) as u32, random.below(2) == 0);
    let (left, right) = (word(random, kind, inputs, depth), word(random, kind, inputs, depth));
    let sign = ["=", "!=", "<", ">", "<=", ">=", "toint", "bool"][random.below(8)];
    let text = match sign {
        "toint" => format!("toint({}) = toint({})", left.text, right.text),
        "bool" => format!("bool(({})[0:0])", left.text),
        sign => format!("({}) {sign} ({})", left.text, right.text),
    };
    let bits = move |a, b| {
        let own = (left.bits)(a, b);
        let (left, right) = (number(own, kind), number((right.bits)(a, b), kind));
        u64::from(match sign {
            "!=" => left != right,
            "<" => left < right,
            ">" => left > right,
            "<=" => left <= right,
            ">=" => left >= right,
            "bool" => own & 1 == 1,
            _ => left == right,
        })
    };
    Part {
        text,
        kind: None,
        bits: Rc::new(bits),
    }
}

fn type_text((width, is_signed): Kind) -> String {
    format!("{} word[{width}]", if is_signed { "signed" } else { "unsigned" })
}

/// Of these bits.
fn constant(bits: u64, (width, is_signed): Kind) -> String {
    let sign = if is_signed { "s" } else { "u" };
    format!("0{sign}b{width}_{bits:0length$b}", length = width as usize)
}

#[test]
fn random_expressions_of_words_are_what_plain_arithmetic_on_bits_says() {
    let mut n_values = 0;
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let mut kind = || (1 + random.below(4) as u32, random.below(2) == 0);
        let (inputs, wanted) = ([kind(), kind()], kind());
        let depth = 1 + random.below(3);
        let part = match random.below(4) {
            0 => truth(&mut random, inputs, depth),
            _ => word(&mut random, wanted, inputs, depth),
        };
        let own = part.kind.map_or("boolean".to_owned(), type_text);
        let text = format!(
            "-- outputs: o\nMODULE main\nIVAR a : {}; b : {};\nVAR o : {own};\nASSIGN o := {};\n",
            type_text(inputs[0]),
            type_text(inputs[1]),
            part.text
        );
        let read = read_smv("words.smv", text.as_bytes()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let system = explore(&read.program, Missing::Refuse, &Budget::unlimited());
        let system = system.unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{text}"));
        let found: BTreeMap<_, _> = function(&system).into_iter().collect();
        // Inputs of steps are in no property of states.
        let mut asked = text.replace("IVAR", "VAR");
        for (a, b) in (0..=mask(inputs[0].0)).flat_map(|a| (0..=mask(inputs[1].0)).map(move |b| (a, b))) {
            let name = format!("a={} b={}", number(a, inputs[0]), number(b, inputs[1]));
            let bits = (part.bits)(a, b);
            let expected = match part.kind {
                Some(kind) => number(bits, kind).to_string(),
                None => if bits == 1 { "TRUE" } else { "FALSE" }.to_owned(),
            };
            assert_eq!(found[&name], expected, "seed {seed}: {name}\n{text}");
            n_values += 1;
            let (a, b) = (constant(a, inputs[0]), constant(b, inputs[1]));
            let value = part.kind.map_or_else(|| expected.clone(), |kind| constant(bits, kind));
            asked += &format!("INVARSPEC a = {a} & b = {b} -> o = {value};\n");
        }
        if let Some(said) = nusmv(&asked, "check_invar") {
            assert_eq!(
                properties(&said),
                (asked.matches("INVARSPEC").count(), 0),
                "seed {seed}\n{asked}\n{said}"
            );
        }
    }
    assert!(n_values > 20_000, "{n_values}");
}

#[test]
fn operators_on_words_are_as_strong_as_in_nusmv() {
    let same = |one: &str, other: &str| {
        let text = |expr: &str| {
            format!(
                "-- outputs: o\nMODULE main\nIVAR a : word[2]; b : word[2];\nVAR o : word[4];\nASSIGN o := {expr};\n"
            )
        };
        assert_eq!(states(&program(&text(one))), states(&program(&text(other))), "{one}");
    };
    same("!a[0:0] :: b :: a[1:1]", "((!(a[0:0])) :: b) :: (a[1:1])");
    same("extend(a, 2) + extend(b, 2) << 1", "(extend(a, 2) + extend(b, 2)) << 1");
    same("- a :: b", "-(a :: b)");
    same("a :: b & b :: a | a :: a", "((a :: b) & (b :: a)) | (a :: a)");
}

#[test]
fn mutants_of_words_stay_words() {
    // A counter from -2 to 1.
    let text = "-- inputs: up\n-- outputs: c\nMODULE main\nVAR up : boolean; c : signed word[2];\n\
                ASSIGN init(c) := 0sd2_0; next(c) := up ? c + 0sd2_1 : c;\n";
    let own = program(text);
    let original = states(&own).expect("it has a step everywhere");
    let mut kinds = BTreeMap::new();
    for mutation in mutations(&own) {
        let mutant = explore(&mutation.apply(&own), Missing::Refuse, &Budget::unlimited());
        let mutant = mutant.unwrap_or_else(|error| panic!("{mutation:?}: {error:?}"));
        let pair = Pair::new(&mutant, &original).expect("the same inputs");
        assert_eq!(
            decide(&pair, &Budget::unlimited()).kill(),
            Ok(KillStrength::Blind),
            "{mutation:?}"
        );
        *kinds.entry(mutation.operator.name()).or_insert(0) += 1;
    }
    // The condition is true or false; both constants are one more or less; the value is kept, -2, 1; of both values one more, one less.
    let expected = [("CON", 2), ("CST", 4), ("DRP", 1), ("OBO", 4), ("STK", 2)];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn words_that_do_not_fit_are_refused() {
    let refused = |section: &str, message: &str| {
        let text = format!(
            "-- outputs: o\nMODULE main\nVAR w : word[4]; s : signed word[4]; n : 0..3; o : boolean;\n{section}\n"
        );
        let error = read_smv("m.smv", text.as_bytes()).expect_err(section).to_string();
        assert!(error.contains(message) && error.contains("help"), "{section}\n{error}");
    };
    refused(
        "ASSIGN next(w) := w + 1;",
        "what is of the type unsigned word[4] meets what is no word",
    );
    refused("ASSIGN next(w) := w + 0ud3_1;", "of the type unsigned word[3]");
    refused("ASSIGN next(w) := w + s;", "of the type signed word[4]");
    refused(
        "ASSIGN next(w) := 3;",
        "`w` is of the type unsigned word[4], and this is no word",
    );
    refused(
        "ASSIGN next(n) := w;",
        "`n` is no word, and this is of the type unsigned word[4]",
    );
    refused("ASSIGN next(w) := {0ud4_1, 0ud4_2};", "a word is in no set");
    refused("ASSIGN next(w) := w union w;", "a word is in no set");
    refused("ASSIGN next(o) := w in w;", "a word is in no set");
    refused(
        "ASSIGN next(w) := unsigned(w);",
        "`unsigned` is not read of such values",
    );
    refused("ASSIGN next(s) := 0sd4_9;", "`0sd4_9` is no number that is read");
    refused("ASSIGN next(w) := w << 5;", "shifted by a number from 0 to 4");
    refused("ASSIGN next(w) := w << n;", "shifted by a number from 0 to 4");
    refused("ASSIGN next(n) := n << 1;", "only words are shifted");
    refused("ASSIGN next(w) := w[4:1] :: w[0:0];", "has no bits from 4 to 1");
    refused("ASSIGN next(n) := n[1:0];", "`n` is no array");
    refused(
        "ASSIGN next(s) := resize(s, 2) :: s[1:0];",
        "`resize` is not read of such values",
    );
    refused(
        "ASSIGN next(w) := uwconst(n, 4);",
        "`uwconst` is not read of such values",
    );
    refused("ASSIGN next(w) := abs(w);", "`abs` takes no word");
    refused("ASSIGN next(w) := 0ud4_16;", "`0ud4_16` is no number that is read");
    refused("ASSIGN next(o) := w & w;", "`o` is no word");
    refused(
        "ASSIGN next(o) := n in w;",
        "meets what is of the type unsigned word[4]",
    );
    refused("VAR v : word[32];", "a number of bits from 1 to 31");
    refused("ASSIGN next(w) := w ? w : w;", "this is no truth value");
    refused("INIT w", "this is no truth value");
}
