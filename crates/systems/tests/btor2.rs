//! BTOR2 files: every operator on all words, random models, and what is refused, against plain arithmetic on bits.

use std::fmt::Write as _;

use tamper_features::Random;
use tamper_systems::formats::btor2::read_btor2;
use tamper_systems::{InputId, KillStrength, Missing, Pair, TransitionSystem, decide, explore, mutations};
use tamper_text::{Budget, Id};

fn states(text: &str) -> TransitionSystem {
    let read = read_btor2("model.btor2", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    explore(&read.program, Missing::Refuse, &Budget::unlimited()).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

pub fn mask(width: u32) -> u64 {
    (1 << width) - 1
}

fn bit(word: u64, at: u32) -> u64 {
    word >> at & 1
}

/// The word as a number with a sign.
pub fn signed(word: u64, width: u32) -> i64 {
    (word << (64 - width)).cast_signed() >> (64 - width)
}

/// The operators of two words of one width, and whether the result is a bit.
const BINARY: [(&str, bool); 37] = [
    ("eq", true),
    ("neq", true),
    ("ugt", true),
    ("ugte", true),
    ("ult", true),
    ("ulte", true),
    ("sgt", true),
    ("sgte", true),
    ("slt", true),
    ("slte", true),
    ("and", false),
    ("nand", false),
    ("nor", false),
    ("or", false),
    ("xnor", false),
    ("xor", false),
    ("rol", false),
    ("ror", false),
    ("sll", false),
    ("sra", false),
    ("srl", false),
    ("add", false),
    ("mul", false),
    ("sdiv", false),
    ("udiv", false),
    ("smod", false),
    ("srem", false),
    ("urem", false),
    ("sub", false),
    ("saddo", true),
    ("uaddo", true),
    ("sdivo", true),
    ("smulo", true),
    ("umulo", true),
    ("ssubo", true),
    ("usubo", true),
    ("concat", false),
];

/// The operators of one word, and whether the result is a bit.
const UNARY: [(&str, bool); 7] = [
    ("not", false),
    ("inc", false),
    ("dec", false),
    ("neg", false),
    ("redand", true),
    ("redor", true),
    ("redxor", true),
];

fn unary(operator: &str, word: u64, width: u32) -> u64 {
    let ones = (0..width).filter(|at| bit(word, *at) == 1).count();
    let result = match operator {
        "not" => !word,
        "inc" => word.wrapping_add(1),
        "dec" => word.wrapping_sub(1),
        "neg" => word.wrapping_neg(),
        "redand" => u64::from(ones == width as usize),
        "redor" => u64::from(ones > 0),
        "redxor" => ones as u64 % 2,
        _ => panic!("{operator}"),
    };
    result & mask(width)
}

fn binary(operator: &str, (left, right): (u64, u64), width: u32) -> u64 {
    let (sl, sr) = (signed(left, width), signed(right, width));
    let fits = |result: i64| u64::from(result < -(1 << (width - 1)) || result >= 1 << (width - 1));
    // Bit `at` of the result is the bit of the word that `from` names.
    let moved = |from: &dyn Fn(i64) -> Option<u32>, fill: u64| -> u64 {
        let bits = (0..width).map(|at| from(i64::from(at)).map_or(fill, |from| bit(left, from)) << at);
        bits.sum()
    };
    let place = |at: i64| u32::try_from(at).ok().filter(|at| *at < width);
    let (amount, n) = (right.cast_signed(), i64::from(width));
    let sign = bit(left, width - 1);
    let result = match operator {
        "eq" => u64::from(left == right),
        "neq" => u64::from(left != right),
        "ugt" => u64::from(left > right),
        "ugte" => u64::from(left >= right),
        "ult" => u64::from(left < right),
        "ulte" => u64::from(left <= right),
        "sgt" => u64::from(sl > sr),
        "sgte" => u64::from(sl >= sr),
        "slt" => u64::from(sl < sr),
        "slte" => u64::from(sl <= sr),
        "iff" => u64::from(left == right),
        "implies" => u64::from(left <= right),
        "and" => left & right,
        "nand" => !(left & right),
        "nor" => !(left | right),
        "or" => left | right,
        "xnor" => !(left ^ right),
        "xor" => left ^ right,
        "rol" => moved(&|at| place((at - amount).rem_euclid(n)), 0),
        "ror" => moved(&|at| place((at + amount).rem_euclid(n)), 0),
        "sll" => moved(&|at| place(at - amount), 0),
        "srl" => moved(&|at| place(at + amount), 0),
        "sra" => moved(&|at| place(at + amount), sign),
        "add" => left.wrapping_add(right),
        "sub" => left.wrapping_sub(right),
        "mul" => left.wrapping_mul(right),
        // SMT-LIB: what divides by zero is all ones for positive words; signed operators work on magnitudes.
        "udiv" => left.checked_div(right).unwrap_or(u64::MAX),
        "urem" => left.checked_rem(right).unwrap_or(left),
        "sdiv" => {
            let magnitude = sl.unsigned_abs().checked_div(sr.unsigned_abs()).unwrap_or(mask(width));
            if (sl < 0) == (sr < 0) {
                magnitude
            } else {
                magnitude.wrapping_neg()
            }
        }
        "srem" => {
            let magnitude = sl
                .unsigned_abs()
                .checked_rem(sr.unsigned_abs())
                .unwrap_or(sl.unsigned_abs());
            if sl < 0 { magnitude.wrapping_neg() } else { magnitude }
        }
        "smod" if right == 0 => left,
        // The rest that has the divisor's sign.
        "smod" => (sl - sr * sl.div_euclid(sr) + if sr < 0 && sl.rem_euclid(sr) != 0 { sr } else { 0 }).cast_unsigned(),
        "saddo" => fits(sl + sr),
        "uaddo" => u64::from(left + right > mask(width)),
        "sdivo" => fits(if sr == 0 { 0 } else { sl / sr }),
        "smulo" => fits(sl * sr),
        "umulo" => u64::from(left * right > mask(width)),
        "ssubo" => fits(sl - sr),
        "usubo" => u64::from(left < right),
        "concat" => return left << width | right,
        _ => panic!("{operator}"),
    };
    result & mask(width)
}

fn shown(value: u64, width: u32) -> String {
    match (width, value) {
        (1, 0) => "FALSE".to_owned(),
        (1, _) => "TRUE".to_owned(),
        _ => value.to_string(),
    }
}

/// The output of a system's only state for each input, by their names.
pub fn function(system: &TransitionSystem) -> Vec<(String, String)> {
    assert_eq!(system.n_states(), 1);
    let inputs = system.inputs().iter_enumerated();
    let answer = |(input, name): (InputId, &String)| {
        let [step] = system.steps(system.initial()[0], input) else {
            panic!("{name} has one answer")
        };
        (name.clone(), system.outputs()[step.output].clone())
    };
    inputs.map(answer).collect()
}

#[test]
fn every_operator_on_all_words_of_one_to_four_bits_is_what_plain_arithmetic_says() {
    let mut n_words = 0;
    for width in 1..=4_u32 {
        let sorts = format!("1 sort bitvec {width}\n2 sort bitvec 1\n3 sort bitvec {}\n", 2 * width);
        let logic: &[(&str, bool)] = if width == 1 {
            &[("iff", true), ("implies", true)]
        } else {
            &[]
        };
        for (operator, is_test) in BINARY.iter().chain(logic) {
            let (sort, result) = match (*operator, *is_test) {
                ("concat", _) => (3, 2 * width),
                (_, true) => (2, 1),
                _ => (1, width),
            };
            let text = format!("{sorts}4 input 1 a\n5 input 1 b\n6 {operator} {sort} 4 5\n7 output 6 o\n");
            let found: std::collections::BTreeMap<_, _> = function(&states(&text)).into_iter().collect();
            for (left, right) in (0..=mask(width)).flat_map(|left| (0..=mask(width)).map(move |right| (left, right))) {
                let name = format!("a={} b={}", shown(left, width), shown(right, width));
                let expected = shown(binary(operator, (left, right), width), result);
                assert_eq!(found[&name], expected, "{left} {operator} {right}, {width} bits");
                n_words += 1;
            }
        }
        for (operator, is_test) in UNARY {
            let (sort, result) = if is_test { (2, 1) } else { (1, width) };
            let text = format!("{sorts}4 input 1 a\n6 {operator} {sort} 4\n7 output 6 o\n");
            for (word, (_, found)) in (0..).zip(function(&states(&text))) {
                assert_eq!(
                    found,
                    shown(unary(operator, word, width), result),
                    "{operator} {word}, {width} bits"
                );
                n_words += 1;
            }
        }
        for more in 0..=2 {
            let wider = width + more;
            for operator in ["uext", "sext"] {
                let text =
                    format!("{sorts}8 sort bitvec {wider}\n4 input 1 a\n6 {operator} 8 4 {more}\n7 output 6 o\n");
                for (word, (_, found)) in (0..).zip(function(&states(&text))) {
                    let expected = match operator {
                        "uext" => word,
                        _ => signed(word, width).cast_unsigned() & mask(wider),
                    };
                    assert_eq!(
                        found,
                        shown(expected, wider),
                        "{operator} {word} by {more}, {width} bits"
                    );
                    n_words += 1;
                }
            }
        }
        for (last, low) in (0..width).flat_map(|last| (0..=last).map(move |low| (last, low))) {
            let kept = last - low + 1;
            let text = format!("{sorts}8 sort bitvec {kept}\n4 input 1 a\n6 slice 8 4 {last} {low}\n7 output 6 o\n");
            for (word, (_, found)) in (0..).zip(function(&states(&text))) {
                assert_eq!(
                    found,
                    shown(word >> low & mask(kept), kept),
                    "bits {last} to {low} of {word}"
                );
                n_words += 1;
            }
        }
    }
    assert!(n_words > 12_000, "{n_words}");
}

/// A line of a random model that has a value.
enum Node {
    Input,
    State(usize),
    Constant(u64),
    Unary(&'static str, i64),
    Binary(&'static str, i64, i64),
    Choice(i64, i64, i64),
}

/// A random model: its lines with their widths, what its states are initially and next, and what is seen.
struct Model {
    nodes: Vec<(Node, u32)>,
    init: Vec<u64>,
    next: Vec<i64>,
    seen: Vec<usize>,
}

const WIDTHS: [u32; 3] = [1, 2, 3];

impl Model {
    fn random(random: &mut Random) -> Self {
        let mut nodes = vec![(Node::Input, WIDTHS[random.below(3)]), (Node::Input, 1)];
        let n_states = 1 + random.below(2);
        let widths: Vec<u32> = (0..n_states).map(|_| WIDTHS[random.below(3)]).collect();
        nodes.extend(widths.iter().enumerate().map(|(at, width)| (Node::State(at), *width)));
        for width in WIDTHS {
            nodes.push((Node::Constant(random.below(1 << width) as u64), width));
        }
        for _ in 0..8 {
            let node = Self::node(random, &nodes);
            nodes.push(node);
        }
        let init = widths.iter().map(|width| random.below(1 << width) as u64).collect();
        let next = widths
            .iter()
            .map(|width| Self::operand(random, &nodes, *width))
            .collect();
        let seen = vec![nodes.len() - 1, 2 + random.below(n_states)];
        Self {
            nodes,
            init,
            next,
            seen,
        }
    }
    /// A line of that width, counted from 1; with a minus all bits of it are turned.
    fn operand(random: &mut Random, nodes: &[(Node, u32)], width: u32) -> i64 {
        let fitting: Vec<usize> = (0..nodes.len()).filter(|at| nodes[*at].1 == width).collect();
        // The latest more often.
        let at = fitting.len() - 1 - random.below(fitting.len()).min(random.below(fitting.len()));
        let number = fitting[at] as i64 + 1;
        if random.below(5) == 0 { -number } else { number }
    }
    fn node(random: &mut Random, nodes: &[(Node, u32)]) -> (Node, u32) {
        let width = WIDTHS[random.below(3)];
        match random.below(6) {
            0 => {
                let (operator, is_test) = UNARY[random.below(UNARY.len())];
                let operand = Self::operand(random, nodes, width);
                (Node::Unary(operator, operand), if is_test { 1 } else { width })
            }
            1 => {
                let condition = Self::operand(random, nodes, 1);
                let yes = Self::operand(random, nodes, width);
                (Node::Choice(condition, yes, Self::operand(random, nodes, width)), width)
            }
            _ => {
                // All but concat, whose width is another.
                let (operator, is_test) = BINARY[random.below(BINARY.len() - 1)];
                let left = Self::operand(random, nodes, width);
                let node = Node::Binary(operator, left, Self::operand(random, nodes, width));
                (node, if is_test { 1 } else { width })
            }
        }
    }
    fn text(&self) -> String {
        let mut text = "1 sort bitvec 1\n2 sort bitvec 2\n3 sort bitvec 3\n".to_owned();
        // Lines of nodes begin at 11.
        let of = |operand: &i64| operand.signum() * (operand.abs() + 10);
        for (at, (node, width)) in self.nodes.iter().enumerate() {
            let line = match node {
                Node::Input => format!("input {width} in{at}"),
                Node::State(_) => format!("state {width} ; a state"),
                Node::Constant(value) => format!("constd {width} {value}"),
                Node::Unary(operator, operand) => format!("{operator} {width} {}", of(operand)),
                Node::Binary(operator, left, right) => format!("{operator} {width} {} {}", of(left), of(right)),
                Node::Choice(condition, yes, no) => format!("ite {width} {} {} {}", of(condition), of(yes), of(no)),
            };
            let _ = writeln!(text, "{} {line}", at + 11);
        }
        for (at, (init, next)) in self.init.iter().zip(&self.next).enumerate() {
            let (state, width) = (at + 13, self.nodes[at + 2].1);
            let (a, b, c) = (100 + 3 * at, 101 + 3 * at, 102 + 3 * at);
            let next = of(next);
            let _ = writeln!(
                text,
                "{a} constd {width} {init}\n{b} init {width} {state} {a}\n{c} next {width} {state} {next}"
            );
        }
        for (at, seen) in self.seen.iter().enumerate() {
            let _ = writeln!(text, "{} output {} o{at}", 200 + at, seen + 11);
        }
        text
    }
    fn values(&self, states: &[u64], inputs: [u64; 2]) -> Vec<u64> {
        let mut values: Vec<u64> = Vec::new();
        for (at, (node, width)) in self.nodes.iter().enumerate() {
            let of = |operand: &i64| {
                let place = operand.unsigned_abs() as usize - 1;
                let (value, width) = (values[place], self.nodes[place].1);
                (if *operand < 0 { !value & mask(width) } else { value }, width)
            };
            values.push(
                match node {
                    Node::Input => inputs[at],
                    Node::State(state) => states[*state],
                    Node::Constant(value) => *value,
                    Node::Unary(operator, operand) => unary(operator, of(operand).0, of(operand).1),
                    Node::Binary(operator, left, right) => binary(operator, (of(left).0, of(right).0), of(left).1),
                    Node::Choice(condition, yes, no) => of(if of(condition).0 == 1 { yes } else { no }).0,
                } & mask(*width),
            );
        }
        values
    }
    fn after(&self, values: &[u64]) -> Vec<u64> {
        let next = self.next.iter().map(|operand| {
            let place = operand.unsigned_abs() as usize - 1;
            let turned = if *operand < 0 { !values[place] } else { values[place] };
            turned & mask(self.nodes[place].1)
        });
        next.collect()
    }
    /// Whether a line depends on an input: then it is seen with it, else after the step.
    fn sees_input(&self, at: usize) -> bool {
        let any = |operands: &[&i64]| {
            operands
                .iter()
                .any(|operand| self.sees_input(operand.unsigned_abs() as usize - 1))
        };
        match &self.nodes[at].0 {
            Node::Input => true,
            Node::State(_) | Node::Constant(_) => false,
            Node::Unary(_, operand) => any(&[operand]),
            Node::Binary(_, left, right) => any(&[left, right]),
            Node::Choice(condition, yes, no) => any(&[condition, yes, no]),
        }
    }
}

#[test]
fn random_models_answer_as_plain_evaluation_does() {
    let mut n_steps = 0;
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let model = Model::random(&mut random);
        let text = model.text();
        let system = states(&text);
        for _ in 0..4 {
            let (mut at, mut values) = (system.initial()[0], model.init.clone());
            for _ in 0..12 {
                let width = model.nodes[0].1;
                let inputs = [random.below(1 << width) as u64, random.below(2) as u64];
                let name = format!("in0={} in1={}", shown(inputs[0], width), shown(inputs[1], 1));
                let input = system.inputs().ids().find(|input| system.inputs()[*input] == name);
                let input = input.unwrap_or_else(|| panic!("{name} is an input of\n{text}"));
                let now = model.values(&values, inputs);
                values = model.after(&now);
                // Without an input: which does not matter.
                let later = model.values(&values, [0, 0]);
                let seen = model.seen.iter().enumerate().map(|(number, place)| {
                    let value = if model.sees_input(*place) {
                        now[*place]
                    } else {
                        later[*place]
                    };
                    format!("o{number}={}", shown(value, model.nodes[*place].1))
                });
                let expected = seen.collect::<Vec<_>>().join(" ");
                let [step] = system.steps(at, input) else {
                    panic!("one step:\n{text}")
                };
                assert_eq!(
                    system.outputs()[step.output],
                    expected,
                    "{name} in seed {seed}:\n{text}"
                );
                at = step.target;
                n_steps += 1;
            }
        }
    }
    assert_eq!(n_steps, 600 * 48);
}

/// A counter of three bits, which `up` moves and which is seen.
const COUNTER: &str = "\
1 sort bitvec 1
2 sort bitvec 3
3 input 1 up
4 state 2 count
5 zero 2
6 init 2 4 5
7 one 2
8 add 2 4 7
9 ite 2 3 8 4
10 next 2 4 9
11 output 4 shown
";

#[test]
fn mutants_change_what_is_written_and_stay_words() {
    let read = read_btor2("counter.btor2", COUNTER.as_bytes()).expect("it is read");
    let original = states(COUNTER);
    let mut kinds = std::collections::BTreeMap::new();
    for mutation in mutations(&read.program) {
        let written = &read.file.text()[mutation.old.range()];
        assert!(!written.is_empty());
        let mutant = explore(&mutation.apply(&read.program), Missing::Refuse, &Budget::unlimited());
        let mutant = mutant.unwrap_or_else(|error| panic!("{written}: {error:?}"));
        let tally = kinds.entry(mutation.operator.name()).or_insert((0, 0));
        tally.0 += 1;
        if let Ok(pair) = Pair::new(&mutant, &original) {
            let kill = decide(&pair, &Budget::unlimited()).kill().expect("no limit");
            tally.1 += usize::from(kill == KillStrength::Blind);
        }
    }
    // The condition is true or false; the constants 0 (with which the counter begins, so that its first output differs) and 1 one more
    // or less; the next value kept, 0, 7, one more, one less.
    let expected = [
        ("CON", (2, 2)),
        ("CST", (4, 4)),
        ("DRP", (1, 1)),
        ("OBO", (2, 2)),
        ("STK", (2, 2)),
    ];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), expected);
}

/// A state without `next` may be anything in every step, one without `init` initially.
#[test]
fn what_is_not_said_is_a_choice() {
    let free = "1 sort bitvec 2\n2 state 1 s\n3 output 2 o\n";
    let system = states(free);
    assert_eq!((system.n_states(), system.inputs().len()), (4, 1));
    let input = InputId::from_index(0);
    assert!(
        system
            .initial()
            .iter()
            .all(|state| system.steps(*state, input).len() == 4)
    );
    let kept = states("1 sort bitvec 2\n2 state 1 s\n3 next 1 2 2\n4 output 2 o\n");
    assert_eq!(kept.initial().len(), 4);
    assert!(kept.initial().iter().all(|state| kept.steps(*state, input).len() == 1));
}

#[test]
fn what_is_wrong_is_refused_with_its_place() {
    for (line, message) in [
        ("x input 2", "`x` is no number of a line"),
        ("20", "the line ends here"),
        ("20 frobnicate 2 4", "`frobnicate` is no keyword of BTOR2 that is read"),
        ("20 not 2 99", "`99` is no line above"),
        ("20 not 2", "`not` has too few operands"),
        ("20 not 3 4", "line 3 is no sort"),
        ("20 not 2 3", "this has 1 bits where 3 are expected"),
        ("20 eq 2 4 4", "the result has 1 bits, the sort 3"),
        ("20 slice 1 4 5 5", "a word of 3 bits has no bits 5 down to 5"),
        ("20 constd 2 8", "`8` is no constant of 3 bits"),
        ("20 const 2 01", "`01` is no constant of 3 bits"),
        ("20 next 2 4 4", "line 4 has an `next` already"),
        ("20 next 2 3 4", "line 3 is no state"),
        ("20 input 1 up", "`up` is declared twice"),
        ("8 input 1 other", "8 is there twice"),
        ("20 not 2 4 name more", "`more` is too much"),
        ("20 sort bitvec 32", "bit vectors of more than 31 bits are not read"),
        ("20 sort array 2 2", "the sort `array` is not read"),
        ("20 constraint 3", "`constraint` is not read"),
    ] {
        let text = format!("{COUNTER}{line}\n");
        let error = read_btor2("counter.btor2", text.as_bytes()).expect_err(line);
        let [found] = error.diagnostics.as_slice() else {
            panic!("{line}: {error}")
        };
        assert_eq!(found.message, message, "{line}");
        let span = found.span.expect("a place");
        assert_eq!(error.file.line_col(span.start).line, 12, "{line}");
        assert!(found.help.is_some());
    }
    // Inputs come with steps; a model shows something.
    for (text, message) in [
        (
            "1 sort bitvec 1\n2 input 1 a\n3 state 1 s\n4 init 1 3 2\n5 output 3\n",
            "an initial value depends on an input",
        ),
        ("1 sort bitvec 1\n2 input 1 a\n", "the file does not say what is seen"),
    ] {
        let error = read_btor2("model.btor", text.as_bytes()).expect_err(text);
        assert_eq!(error.diagnostics[0].message, message);
    }
}
