//! Untimed systems: SMV, BTOR2, action systems.

use std::fmt::Write as _;

use tamper::features::Random;
use tamper::formats::actions::{read_actions, write_actions};
use tamper::formats::btor2::read_btor2;
use tamper::formats::smv::{ReadSystem, read_smv, write_smv};
use tamper::systems::{Missing, explore, mutations};
use tamper::text::Budget;

use super::expressions::{Language, depth, list, one};

const SMV: Language = Language {
    connectives: &["&", "|", "xor", "xnor", "->", "<->"],
    not: Some("!"),
    sums: &["+", "-", "*"],
    comparisons: &["<", "<=", "=", "!=", ">=", ">"],
    conditional: Some(["(", " ? ", " : ", ")"]),
    nesting: 90,
    chain: 190,
    truths: &["i", "o", "TRUE", "n = m", "n in {0, 1}"],
    numbers: &["n", "m", "1", "0", "3"],
};
const PROLOG: Language = Language {
    connectives: &["#/\\", "#\\/"],
    not: Some("#\\ "),
    // Of products, few are read in one term.
    sums: &["+", "-"],
    comparisons: &["#<", "#=<", "#=", "#\\=", "#>=", "#>"],
    conditional: None,
    nesting: 90,
    chain: 990,
    truths: &["v #= 0", "w #< 3"],
    numbers: &["v", "w", "1", "0"],
};

pub fn smv(random: &mut Random) -> String {
    let mut text =
        "-- inputs: i\n-- outputs: o\nMODULE main\nVAR i : boolean; o : boolean; n : 0..3; m : 0..3;\n".to_owned();
    let mut last = "o".to_owned();
    if random.below(2) == 0 {
        let n = depth(random, 300);
        text += "DEFINE d0 := i;\n";
        for at in 1..=n {
            let body = match random.below(3) {
                0 => format!("!d{}", at - 1),
                1 => format!("d{0} & d{0}", at - 1),
                _ => format!("o xor d{}", at - 1),
            };
            let _ = writeln!(text, "  d{at} := {body};");
        }
        last = format!("d{n}");
    }
    let value = match random.below(4) {
        0 => {
            let n = depth(random, 300);
            let cases = list(random, n, "", |random, at| {
                format!("n = {} & i : {};\n", at % 4, random.below(4))
            });
            format!("case {cases}TRUE : 0; esac")
        }
        1 => {
            let n = depth(random, 300);
            list(random, n, " union ", |random, _| random.below(4).to_string())
        }
        2 => {
            let n = depth(random, 60);
            format!("{}1{}", "case i : ".repeat(n), "; TRUE : 2; esac".repeat(n))
        }
        _ => format!("({}) mod 4", SMV.number(random)),
    };
    let _ = write!(
        text,
        "ASSIGN\n  init(n) := 0;\n  next(n) := {value};\n  next(o) := ({}) & {last};\n",
        SMV.truth(random)
    );
    text
}

pub fn btor2(random: &mut Random) -> String {
    let mut text =
        "1 sort bitvec 1\n2 sort bitvec 4\n3 input 2\n4 state 2 s\n5 zero 2\n6 init 2 4 5\n7 add 2 4 3\n".to_owned();
    let n = 7 + depth(random, 900);
    let straight = random.below(2) == 0;
    let mut bits: Vec<usize> = Vec::new();
    let mut words = vec![3, 4, 5, 7];
    for at in 8..=n {
        let pick = |random: &mut Random, of: &[usize]| if straight { of[of.len() - 1] } else { one(random, of) };
        let (left, right) = (pick(random, &words), one(random, &words));
        match random.below(8) {
            0 => {
                let _ = writeln!(
                    text,
                    "{at} {} 1 {left} {right}",
                    one(random, &["eq", "neq", "ult", "sgte", "uaddo"])
                );
                bits.push(at);
                continue;
            }
            1 if !bits.is_empty() => drop(writeln!(text, "{at} ite 2 {} {left} {right}", one(random, &bits))),
            2 => drop(writeln!(
                text,
                "{at} {} 2 {left}",
                one(random, &["not", "inc", "neg", "dec"])
            )),
            3 => drop(writeln!(
                text,
                "{at} {} 2 {left} {right}",
                one(random, &["udiv", "srem", "sll", "rol", "mul"])
            )),
            _ => drop(writeln!(
                text,
                "{at} {} 2 {left} {right}",
                one(random, &["add", "and", "xor", "or", "sub"])
            )),
        }
        words.push(at);
    }
    let last = words[words.len() - 1];
    let _ = writeln!(text, "{} next 2 4 {last}\n{} output 4 o", n + 1, n + 2);
    text
}

pub fn actions(random: &mut Random) -> String {
    let deep = match random.below(4) {
        0 => {
            let n = depth(random, 90);
            format!("{}v := 1{}", "((v #= 0) => ".repeat(n), ")".repeat(n))
        }
        1 => {
            let n = depth(random, 900);
            list(random, n, " [] ", |_, at| format!("(v := {})", at % 4))
        }
        2 => {
            let n = depth(random, 900);
            list(random, n, "; ", |_, at| format!("v := {}", at % 4))
        }
        _ => {
            let n = depth(random, 45);
            let open = list(random, n, "", |random, _| {
                one(random, &["((w := 0); ", "((w := 1) [] "]).to_owned()
            });
            format!("{open}v := {}{}", PROLOG.numbers[0], ")".repeat(n))
        }
    };
    let many = if random.below(4) == 0 { depth(random, 60) } else { 1 };
    let more = list(random, many, "", |_, at| format!(",\n p{at}::(v #= 1) => (w := 0)"));
    let names = list(random, many, "", |_, at| format!(" [] p{at}"));
    format!(
        "% inputs: put\ntype(value, X) :- X in 0..3.\nvar([v, w], value).\nstate_def([v, w]).\ninit([0, 0]).\nas :-\n actions (\n \
         put(X)::({}) => (v := {}),\n o::(v #= 1) => ({deep}){more}\n ),\n dood ( [X:value]:put(X) [] o{names} ).\n",
        PROLOG.truth(random),
        PROLOG.number(random)
    )
}

/// Writes, mutates and explores a little of what was read.
fn used(read: &ReadSystem) {
    let program = &read.program;
    let budget = Budget {
        max_states: Some(20),
        ..Budget::default()
    };
    assert!(!write_smv(program).is_empty());
    // Whether it means anything is no matter here.
    drop(explore(program, Missing::Complete, &budget));
    if let Some(mutation) = mutations(program).first() {
        assert!(!write_smv(&mutation.apply(program)).is_empty());
    }
}

pub fn read_smv_file(text: &str) -> Result<(), String> {
    let read = read_smv("x.smv", text.as_bytes());
    read.map(|read| used(&read)).map_err(|error| error.to_string())
}

pub fn read_btor2_file(text: &str) -> Result<(), String> {
    let read = read_btor2("x.btor2", text.as_bytes());
    read.map(|read| used(&read)).map_err(|error| error.to_string())
}

pub fn read_actions_file(text: &str) -> Result<(), String> {
    match read_actions("x.pl", text.as_bytes()) {
        Ok(read) => {
            assert!(!write_actions(&read.system).is_empty());
            Ok(())
        }
        Err(error) => Err(error.to_string()),
    }
}
